//! Runs scenarios: the rules run along the answers, and before each answer the expectations are checked.

use super::lookup::{component_named, component_property, unknown, variable_named, zones_meant};
use super::named::{COMPONENTS, with_ids};
use super::rig::rig_words;
use super::{Answer, ExpectationKind, ItemContent, Moment, PlacedText, Scenario, ScenarioRun, TableItem, expect};
use crate::agent::Random;
use crate::definition::{Library, Scalar, is_path};
use crate::diagnostic::{Diagnostic, Diagnostics, Message, Place, message};
use crate::playthrough::Playable;
use crate::playthrough::log::{Entry, LogEntry, TableSetup, wants_more};
use crate::playthrough::observation::Agent;
use crate::playthrough::rules_cache::RulesCache;
use crate::playthrough::run::{Outcome, Request, Until, go_on, run as run_rules};
use crate::ruleset::{Ruleset, Selection, SelectionPart};
use crate::script::TYPED_SOURCE;
use crate::script::{End, Start};
use crate::sorted::{SortedMap, SortedSet};
use crate::table::event::{Event, EventData};
use crate::table::layout::Layout;
use crate::table::value::{Component, Value};
use crate::table::{Recording, State, Table};
use crate::work::Work;
use std::sync::Arc;

/// The number of latest answers shown with a failed expectation.
const MAX_SHOWN_ANSWERS: usize = 6;

/// Runs a scenario with further variants and settings on top of its own.
pub(super) fn run(
    scenario: &Scenario,
    (library, shelf): (&Library, &RulesCache),
    beyond: (&[String], &[String]),
    work: &Arc<Work>,
    tell: &dyn Fn(ScenarioRun<'_>),
) -> Result<Vec<Diagnostic>, Diagnostics> {
    let selection = find_layers(scenario, library, beyond)?;
    let ruleset = match shelf.ruleset(library, &selection) {
        Ok(ruleset) => ruleset,
        // A scenario may expect that rules do not combine. Where it names them itself, errors are shown there.
        Err(_) => match Ruleset::load_for(library, &selection, &|part| place_of(scenario, part)) {
            Ok(ruleset) => Arc::new(ruleset),
            Err(troubles) => return refused(scenario, troubles).map(|()| Vec::new()),
        },
    };
    let players = match &scenario.players {
        Some((players, place)) => {
            ruleset.check_players_of_file(*players).map_err(|error| error.at(place.clone()))?;
            *players
        }
        None => ruleset.definition.players.0,
    };
    let loaded = match shelf.loaded(library, &selection, players, work) {
        Ok(loaded) => loaded,
        Err(troubles) => return refused(scenario, troubles).map(|()| Vec::new()),
    };
    let scenario = &with_ids(scenario, &loaded.layout);
    Diagnostics::refuse(expect::misnamed(&scenario.steps, &loaded.layout))?;
    let start = match &scenario.call {
        Some(call) => {
            let table = Box::new(lay(scenario, &loaded.layout)?);
            Start::Call { expression: call.text.clone(), table }
        }
        None => Start::Game,
    };
    let mut course = ScenarioPlay { scenario, loaded: &loaded, work, start, log: Vec::new(), places: Vec::new(), tell };
    course.rig(&scenario.rigs)?;
    course.follow().map_err(|troubles| troubles.map(|trouble| in_file(trouble, scenario)))
}

/// Moves an error in the scenario's call, which runs as an expression, to its place in the file.
fn in_file(mut trouble: Diagnostic, scenario: &Scenario) -> Diagnostic {
    let Some(call) = &scenario.call else { return trouble };
    let place = |at: Place| match at.source.name == TYPED_SOURCE {
        true => Place { label: at.label, ..call.place.clone() },
        false => at,
    };
    trouble.place = trouble.place.map(place);
    trouble.related = trouble.related.into_iter().map(place).collect();
    trouble
}

/// The place where a scenario names a part of its rules; `None` for parts added from outside.
fn place_of(scenario: &Scenario, part: SelectionPart) -> Option<Place> {
    let named = match part {
        SelectionPart::Game => &scenario.game,
        SelectionPart::Variants => scenario.variants.first()?,
        SelectionPart::Variant(number) => scenario.variants.get(number)?,
        SelectionPart::Set(number) => scenario.set.get(number)?,
    };
    Some(named.place.clone())
}

/// The selection of rules that a scenario names.
///
/// # Errors
/// A game or variant does not exist.
fn find_layers(
    scenario: &Scenario,
    library: &Library,
    (variants, set): (&[String], &[String]),
) -> Result<Selection, Diagnostics> {
    let at = |place: &Place| {
        let place = place.clone();
        move |errors: Diagnostics| {
            let told = |trouble: Diagnostic| match trouble.place {
                Some(_) => trouble.related(place.clone()),
                None => trouble.at(place.clone()),
            };
            errors.map(told)
        }
    };
    let game = &scenario.game;
    let is_packed = library.files().is_packed(&scenario.path);
    if is_packed && is_path(&game.text) {
        return Err(names_a_file(&game.text).at(game.place.clone()).into());
    }
    library.game(&game.text).map_err(at(&game.place))?;
    let mut troubles = Vec::new();
    for variant in &scenario.variants {
        if is_packed && is_path(&variant.text) {
            troubles.push(names_a_file(&variant.text).at(variant.place.clone()));
        } else if let Err(trouble) = library.variant(&game.text, &variant.text).map_err(at(&variant.place)) {
            troubles.extend(trouble);
        }
    }
    Diagnostics::refuse(troubles)?;
    let mut names: Vec<String> = scenario.variants.iter().map(|variant| variant.text.clone()).collect();
    for variant in variants {
        if !names.contains(variant) {
            names.push(variant.clone());
        }
    }
    let set = scenario.set.iter().map(|set| set.text.clone()).chain(set.iter().cloned()).collect();
    Ok(Selection { game: game.text.clone(), variants: names, set })
}

/// The error for a file named in a pack; it could be any file on another person's disk.
fn names_a_file(named: &str) -> Diagnostic {
    Diagnostic::new(message!("a pack names no file outside it, and `{named}` is one")).help("write its id")
}

/// An error of rules that do not even begin passes if the first step expects it.
fn refused(scenario: &Scenario, troubles: Diagnostics) -> Result<(), Diagnostics> {
    let first = scenario.steps.iter().take(1).flat_map(|step| &step.expectations);
    let mut fails = first.filter_map(|expectation| match &expectation.what {
        ExpectationKind::Fails(text) => Some(text),
        _ => None,
    });
    let is_expected = fails.any(|text| troubles.iter().any(|trouble| trouble.message.contains(text)));
    if is_expected { Ok(()) } else { Err(troubles) }
}

/// The table that a scenario sets up, with ids of zones, and all names checked.
pub(super) fn given(scenario: &Scenario, layout: &Arc<Layout>) -> Result<TableSetup, Diagnostics> {
    let scenario = &with_ids(scenario, layout);
    lay(scenario, layout)?;
    let mut all = TableSetup::default();
    for given in &scenario.given {
        if let Some(value) = written_value(layout, given) {
            let name = given.name.text.strip_prefix(COMPONENTS).unwrap_or(&given.name.text);
            all.set.insert(name.to_owned(), value);
            continue;
        }
        for (zone, labels) in zones_meant(layout, given)? {
            let labels = labels.iter().map(|label| label.text.clone()).collect();
            all.zones.insert(layout.zones[zone.index()].id.to_string(), labels);
        }
    }
    Ok(all)
}

/// Sets up the given table. Everybody has seen what lies open, and nobody what does not.
fn lay(scenario: &Scenario, layout: &Arc<Layout>) -> Result<State, Diagnostics> {
    let mut table = Table::new(layout.clone(), scenario.seed);
    let mut troubles = Vec::new();
    // Settings get their values here, because the rules do not run from their beginning.
    if let Err(fault) = table.settle_settings() {
        troubles.push(Diagnostic::new(fault));
    }
    let mut laid = SortedMap::new();
    // Decreases come first, because another player may take what one gives back to a bank.
    let is_more = |given: &&TableItem| match &given.content {
        ItemContent::Value(value) => wants_more(&table, &given.name.text, value),
        _ => false,
    };
    let (more, less): (Vec<&TableItem>, Vec<&TableItem>) = scenario.given.iter().partition(is_more);
    for given in less.into_iter().chain(more) {
        if let Err(trouble) = lay_one(&mut table, layout, given, &mut laid) {
            troubles.extend(trouble);
        }
    }
    if troubles.is_empty() {
        troubles.extend(scenario.given.iter().filter_map(|given| set_twice(&table, given)));
    }
    Diagnostics::refuse(troubles)?;
    Ok(table.snapshot())
}

/// The error for a team's variable that is given with different values for partners.
fn set_twice(table: &Table, given: &TableItem) -> Option<Diagnostic> {
    let ItemContent::Value(value) = &given.content else { return None };
    let number = table.layout().variable_named(&given.name.text)?;
    let has = table.variable(number);
    if table.held_in(number).is_some() || *has == Value::from(value) {
        return None;
    }
    let message = message!("{} cannot be {value}: a partner has {} there", given.name.text, table.option_label(has));
    Some(Diagnostic::new(message).at(given.place.clone()).help("partners have it in common: give it once for the team"))
}

/// The value given for a variable or a component's property; a list in the form written by hand.
fn written_value(layout: &Layout, given: &TableItem) -> Option<Scalar> {
    match &given.content {
        ItemContent::Value(value) => Some(value.clone()),
        ItemContent::Components(labels) if layout.variable_named(&given.name.text).is_some() => {
            // A comma after each entry keeps ids with spaces whole.
            Some(Scalar::Text(labels.iter().map(|label| format!("{},", label.text)).collect()))
        }
        _ => None,
    }
}

fn lay_one(
    table: &mut Table,
    layout: &Layout,
    given: &TableItem,
    laid: &mut SortedMap<Component, Place>,
) -> Result<(), Diagnostics> {
    if let Some(value) = written_value(layout, given) {
        let variable = match given.name.text.strip_prefix(COMPONENTS) {
            Some(name) => {
                component_property(layout, &PlacedText { text: name.to_owned(), place: given.name.place.clone() })?;
                name
            }
            None => {
                variable_named(layout, &given.name)?;
                &given.name.text
            }
        };
        let entry = Entry::Set { variable: variable.to_owned(), value };
        return entry.intervene(table).map_err(|reason| Diagnostic::new(reason).at(given.place.clone()).into());
    }
    for (zone, labels) in zones_meant(layout, given)? {
        let mut components = Vec::with_capacity(labels.len());
        for label in labels {
            let component = component_named(layout, label)?;
            if let Some(first) = laid.insert(component, label.place.clone()) {
                let first = Place { label: "it is here already".into(), ..first };
                let message = message!("`{}` is in two places", label.text);
                return Err(Diagnostic::new(message).at(label.place.clone()).related(first).into());
            }
            components.push(component);
        }
        table.move_all(&components, zone).map_err(|fault| Diagnostic::new(fault).at(given.place.clone()))?;
    }
    Ok(())
}

/// A scenario being run, with the answers given so far.
struct ScenarioPlay<'a> {
    scenario: &'a Scenario,
    loaded: &'a Playable,
    work: &'a Work,
    start: Start,
    log: Vec<LogEntry>,
    /// The place of each log entry in the file.
    places: Vec<Place>,
    tell: &'a dyn Fn(ScenarioRun<'_>),
}

impl ScenarioPlay<'_> {
    fn follow(&mut self) -> Result<Vec<Diagnostic>, Diagnostics> {
        let mut outcome = self.play(None)?;
        let mut warnings = Vec::new();
        for step in &self.scenario.steps {
            self.is_healthy(&outcome, step)?;
            let failing = expect::failing(&step.expectations, &self.loaded.rules, &self.loaded.layout, &outcome);
            Diagnostics::refuse(failing).map_err(|errors| self.with_waiting_rigs(errors, &waiting_rigs(&outcome)))?;
            warnings.extend(expect::doubtful(&step.expectations, &self.loaded.layout, &outcome));
            let Some(answer) = &step.answer else { continue };
            let waiting = waiting_rigs(&outcome);
            let answered = self.answer(answer, outcome, &step.rigs);
            outcome = answered.map_err(|errors| self.with_waiting_rigs(errors, &waiting))?;
        }
        if let Some(last) = self.scenario.steps.last().filter(|last| last.answer.is_some()) {
            self.is_healthy(&outcome, last)?;
        }
        warnings.extend(self.unused_rigs(&outcome));
        Ok(warnings)
    }

    /// Turns a failure of the rules into an error, unless the step expects it.
    fn is_healthy(&self, outcome: &Outcome, step: &super::Step) -> Result<(), Diagnostics> {
        let expected =
            step.expectations.iter().any(|expectation| matches!(expectation.what, ExpectationKind::Fails(_)));
        match &outcome.end {
            End::Failed(diagnostic) | End::Endless(diagnostic) if !expected || step.answer.is_some() => {
                let place = Place { label: "expected by this step instead".into(), ..step.place.clone() };
                Err(self.with_course(diagnostic.clone().related(place)))
            }
            _ => Ok(()),
        }
    }

    /// Rigs the next random results.
    fn rig(&mut self, rigs: &[PlacedText]) -> Result<(), Diagnostics> {
        for rig in rigs {
            let mut words = rig_words(&rig.text);
            // As in a session, `draw` is another word for it.
            if let Some(draw) = words.first_mut().filter(|word| *word == "draw") {
                "lot".clone_into(draw);
            }
            let stream: Vec<&str> = words.iter().take(2).map(String::as_str).collect();
            let result: Vec<String> = words.iter().skip(2).cloned().collect();
            if let ["roll", die] = stream[..] {
                component_named(&self.loaded.layout, &PlacedText { text: die.to_owned(), place: rig.place.clone() })?;
            }
            if let ["shuffle", zone] = stream[..]
                && self.loaded.layout.zone_named(zone).is_none()
            {
                let known = self.loaded.layout.zones.iter().map(|zone| &*zone.id);
                let named = PlacedText { text: zone.to_owned(), place: rig.place.clone() };
                return Err(unknown(&self.loaded.layout, "zone", &named, known).into());
            }
            if stream.len() < 2 || result.is_empty() || !["roll", "lot", "shuffle"].contains(&stream[0]) {
                let place = Place { label: "not a chance and its result".into(), ..rig.place.clone() };
                let help = "Write `roll die-3 5`, `lot start p2` or `shuffle deck 14 3`.";
                return Err(Diagnostic::new(message!("`{}` cannot be rigged", rig.text.trim_end()))
                    .at(place)
                    .help(help)
                    .into());
            }
            self.log.push(Entry::Rig { stream: stream.join(" "), result }.into());
            self.places.push(rig.place.clone());
        }
        Ok(())
    }

    fn answer(&mut self, answer: &Answer, outcome: Outcome, rigs: &[PlacedText]) -> Result<Outcome, Diagnostics> {
        let (Answer::Choose(_, place) | Answer::PlayUntil(_, place)) = answer;
        let Some(decision) = outcome.open().cloned() else {
            let place = Place { label: "the rules have ended".into(), ..place.clone() };
            return Err(Diagnostic::new("there is nothing to answer").at(place).into());
        };
        match answer {
            Answer::Choose(labels, place) => {
                let (layout, table) = (&self.loaded.layout, outcome.run.table.state());
                let labels: Vec<PlacedText> = labels
                    .iter()
                    .map(|label| expect::labelled(layout, table, &decision, label))
                    .collect::<Result<_, _>>()?;
                if let Some(label) = labels.iter().find(|label| !expect::is_offered(&decision, &label.text)) {
                    return Err(expect::not_offered(&decision, label).into());
                }
                if labels.len() < decision.min || labels.len() > decision.max {
                    let message = message!(
                        "{} of {} options have to be chosen",
                        range(decision.min, decision.max),
                        decision.options.len()
                    );
                    let label = message!("these are {}", labels.len());
                    return Err(Diagnostic::new(message).at(Place { label, ..place.clone() }).into());
                }
                let labels = labels.iter().map(|label| &label.text);
                self.log.push(Entry::choice_of(layout, &table.faces, &decision, labels).into());
                self.places.push(place.clone());
                self.rig(rigs)?;
                self.told(go_on(&self.loaded.rules, outcome, &self.log))
            }
            Answer::PlayUntil(moment, place) => {
                self.rig(rigs)?;
                let mut agent = Random::from_decision(self.scenario.seed, self.log.len());
                let played = self.play(Some(&mut agent))?;
                let events = played.run.table.recorded();
                let rigs = self.log.iter().filter(|entry| entry.is_intervention()).count();
                let stop = moment.entries_before(events, self.log.len(), rigs);
                self.log.extend(played.added.iter().cloned());
                self.places.resize(self.log.len(), place.clone());
                match stop {
                    Some(stop) if stop < self.log.len() => {
                        self.log.truncate(stop);
                        self.places.truncate(stop);
                        self.play(None)
                    }
                    None if played.end == End::Finished && *moment != Moment::End => {
                        let place = Place { label: "not after here".into(), ..place.clone() };
                        Err(Diagnostic::new("this moment does not come").at(place).into())
                    }
                    _ => Ok(played),
                }
            }
        }
    }

    /// Runs the rules along the answers; with an agent, on to the end of the game.
    fn play<'a>(&'a self, agent: Option<&'a mut dyn Agent>) -> Result<Outcome, Diagnostics> {
        let request = Request {
            start: &self.start,
            seed: self.scenario.seed,
            log: &self.log,
            agent: agent.map(|agent| (agent, &Until::End)),
            recording: Some(Recording::default()),
        };
        self.told(run_rules(&self.loaded.rules, request))
    }

    /// Reports a run to the listener and checks it.
    ///
    /// # Errors
    /// The work was stopped, or an answer does not fit.
    fn told(&self, outcome: Outcome) -> Result<Outcome, Diagnostics> {
        let (start, seed, log) = (&self.start, self.scenario.seed, &*self.log);
        let loaded = self.loaded;
        (self.tell)(ScenarioRun { loaded, rules: &loaded.rules, start, seed, log, outcome: &outcome });
        self.work.check_stopped()?;
        match (&outcome.misfit, self.log.get(outcome.used)) {
            (Some(misfit), Some(entry)) => {
                let error = Diagnostic::new(message!("{entry} does not fit: {misfit}"));
                Err(error.at_maybe(self.places.get(outcome.used).cloned()).into())
            }
            _ => Ok(outcome),
        }
    }

    fn with_course(&self, errors: Diagnostics) -> Diagnostics {
        if self.log.is_empty() {
            return errors;
        }
        let told = self.log.len().saturating_sub(MAX_SHOWN_ANSWERS);
        let answers: Vec<String> = self.log[told..].iter().map(ToString::to_string).collect();
        let before = if told > 0 { message!("after {told} other answers: ") } else { "".into() };
        errors.map(|error| error.help(message!("so far: {before}{}", answers.join(", "))))
    }

    /// As [`with_course`](Self::with_course), and what chance has not come up: the rules draw no lot that is misspelt, and
    /// one that was to come later explains what failed.
    fn with_waiting_rigs(&self, errors: Diagnostics, waiting: &[String]) -> Diagnostics {
        let told = |errors: Diagnostics, stream: &String| errors.help(not_come_up(stream));
        waiting.iter().fold(self.with_course(errors), told)
    }

    /// Warnings about rigged chance that has not come up at the end, and about rolls with several results.
    fn unused_rigs(&self, outcome: &Outcome) -> Vec<Diagnostic> {
        let told = |waiting: String| {
            let is_it = |entry: &LogEntry| matches!(&**entry, Entry::Rig { stream, .. } if *stream == waiting);
            let place = self.log.iter().rposition(is_it).and_then(|at| self.places.get(at).cloned());
            Diagnostic::warning(not_come_up(&waiting)).at_maybe(place)
        };
        let several = self.log.iter().zip(&self.places).filter_map(|(entry, place)| match &**entry {
            Entry::Rig { stream, result } if stream.starts_with("roll ") && result.len() > 1 => {
                let warning = Diagnostic::warning(message!("`{stream}` has one result, and several are given"));
                Some(warning.at(place.clone()).help("write it once for each roll"))
            }
            _ => None,
        });
        waiting_rigs(outcome).into_iter().map(told).chain(several).collect()
    }
}

/// The streams of chance that were rigged and have not come up, each once.
fn waiting_rigs(outcome: &Outcome) -> Vec<String> {
    let waiting = outcome.run.table.chance.pending_rigged().map(|(stream, _)| stream.to_owned());
    waiting.collect::<SortedSet<_>>().into_iter().collect()
}

fn not_come_up(stream: &str) -> Message {
    message!("`{stream}` was rigged, and has not come up")
}

impl Moment {
    /// The number of log entries before the moment, which has to come after the first `made`; `rigs` of these are no
    /// decisions of the game.
    fn entries_before(&self, events: &[Event], made: usize, rigs: usize) -> Option<usize> {
        let mut turns = 0;
        let mut is_it = |what: &EventData| match (self, what) {
            (Self::NextTurn, EventData::Turn { .. })
            | (Self::NextRound, EventData::Round { .. })
            | (Self::NextPhase, EventData::Phase { .. }) => true,
            (Self::Turn(number), EventData::Turn { .. }) => {
                turns += 1;
                turns == *number
            }
            (Self::Round(number), EventData::Round { number: round }) => round == number,
            (Self::Phase(name), EventData::Phase { name: phase }) => **phase == **name,
            _ => false,
        };
        if let Self::Decision(number) = self {
            let count = events.iter().filter(|event| matches!(event.what, EventData::Choice { .. })).count();
            return (made - rigs + 1..=count).contains(number).then_some(number - 1 + rigs);
        }
        let found = events.iter().find(|event| is_it(&event.what) && event.moves > made);
        found.map(|event| event.moves)
    }
}

fn range(min: usize, max: usize) -> Message {
    if min == max { Message::verbatim(min.to_string()) } else { message!("{min} to {max}") }
}
