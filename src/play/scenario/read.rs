//! Parses scenarios from TOML, and checks everything that does not depend on the game.

use super::{
    Answer, Case, Expectation, ExpectationKind, ExpectedResult, ItemContent, Moment, PlacedText, Scenario, Step,
    TableItem,
};
use crate::definition::keys::kind::{Str, SubTable};
use crate::definition::keys::table::{case, scenario, step, when};
use crate::definition::keys::{Key, KeyInfo};
use crate::definition::schema::{Checker, Field, Fields};
use crate::definition::tree::{self, Value};
use crate::definition::{Edition, Scalar};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source, message};
use crate::files::Files;
use crate::script::parser::Parser;
use crate::sorted::sort_by_key;
use std::path::Path;
use std::sync::Arc;

impl Scenario {
    /// Reads a scenario from its file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or as [`parse`](Scenario::parse).
    pub fn read(files: &dyn Files, path: &Path) -> Result<Scenario, Diagnostics> {
        let source = files.read(path, &files.name_of(path))?;
        Scenario::parse(&source, path)
    }

    /// Parses a scenario. Its zones, components and variables are checked when it runs.
    ///
    /// # Errors
    ///
    /// If the text is not TOML, has unknown keys or invalid values, lacks required keys, or expects nothing.
    pub fn parse(source: &Arc<Source>, path: &Path) -> Result<Scenario, Diagnostics> {
        let whole = tree::parse(source)?;
        let fields = Fields { path: String::new(), place: Place::new(source, 0..0, ""), table: &whole };
        let mut checker = Checker::new(false);
        let scenario = read_scenario(&fields, path, &mut checker);
        checker.finish(scenario)
    }
}

fn read_scenario(fields: &Fields<'_>, path: &Path, checker: &mut Checker) -> Option<Scenario> {
    fields.report_unknown_keys(checker, scenario::SECTION.called, scenario::SECTION.keys);
    let edition = fields.read(checker, &scenario::HOUSERULE).unwrap_or_default();
    let mut written = |key| read_written(fields, key, checker);
    let (id, title, game) = (written(&scenario::ID), written(&scenario::TITLE), written(&scenario::GAME));
    let variants = texts(fields.read(checker, &scenario::VARIANTS), checker);
    let set = texts(fields.read(checker, &scenario::SET), checker);
    let players = fields.read_at(checker, &scenario::PLAYERS).map(|(players, place)| (players as usize, place));
    let seed = fields.read(checker, &scenario::SEED).unwrap_or_default();

    let mut given = Vec::new();
    if let Some(tables) = fields.read(checker, &scenario::GIVEN) {
        read_named(&tables, "", checker, &mut given);
    }
    let when = fields.read(checker, &scenario::WHEN);
    when.iter().for_each(|when| when.report_unknown_keys(checker, when::SECTION.called, when::SECTION.keys));
    let rigs = texts(when.as_ref().and_then(|when| when.read(checker, &when::RIG)), checker);
    let call = when.and_then(|when| {
        if !when.has(&when::CALL) && !when.has(&when::RIG) {
            when.report_missing(checker, &when::CALL);
        }
        read_written(&when, &when::CALL, checker)
    });
    let cases = fields.read(checker, &scenario::CASES);
    let cases = cases.unwrap_or_default();
    let cases: Vec<Case> =
        cases.iter().enumerate().filter_map(|(number, case)| read_case(case, number + 1, checker)).collect();
    if cases.is_empty() && !fields.has(&scenario::CASES) && !fields.has(&scenario::THEN) {
        fields.report_missing(checker, &scenario::THEN);
    }
    if call.is_none() {
        let of_all = fields.find(&scenario::GIVEN).filter(|_| cases.iter().all(|case| case.call.is_none()));
        let of_cases = cases.iter().filter(|case| case.call.is_none()).filter_map(|case| case.given.first());
        let places = of_all.map(|field| field.key.clone()).into_iter();
        for place in places.chain(of_cases.map(|given| given.name.place.clone())) {
            let place = Place { label: "nothing is called on this table".into(), ..place };
            let help =
                "Name what is called: [when] call = \"turn(p1)\". Without it, the whole game sets up its own table.";
            checker.report(Diagnostic::new("`given` without `when`").at(place).help(help));
        }
    }
    let steps = fields.read_at(checker, &scenario::THEN);
    if let Some((_, place)) = steps.as_ref().filter(|(steps, _)| steps.is_empty()) {
        let place = Place { label: "no step in it".into(), ..place.clone() };
        checker.report(Diagnostic::new("nothing is expected").at(place));
    }
    let steps = steps.map(|(steps, _)| steps).unwrap_or_default();
    let read_step =
        |step: &Field<'_>| Some(read_fields_of_step(step, &step.section(checker, &step::SECTION)?, checker));
    let steps = steps.iter().filter_map(read_step).flatten().collect();
    let PlacedText { text: id, place: id_place } = id?;
    let mut scenario = Scenario {
        id,
        id_place,
        title: title?.text,
        path: path.to_owned(),
        edition,
        game: game?,
        variants,
        set,
        players,
        seed: seed as u64,
        given,
        call,
        rigs,
        steps,
        cases,
    };
    if edition < Edition::CURRENT {
        let parser = Parser::new(Arc::default());
        scenario.expressions().for_each(|text| text.text = parser.with_current_names(&text.text, edition));
    }
    Some(scenario)
}

impl Scenario {
    fn expressions(&mut self) -> impl Iterator<Item = &mut PlacedText> {
        let Self { call, cases, steps, .. } = self;
        let (calls, steps_of_cases): (Vec<_>, Vec<_>) =
            cases.iter_mut().map(|case| (&mut case.call, &mut case.steps)).unzip();
        let steps = steps.iter_mut().chain(steps_of_cases.into_iter().flatten());
        let expected =
            steps.flat_map(|step| &mut step.expectations).filter_map(|expectation| match &mut expectation.what {
                ExpectationKind::ResultSort(gives) => Some(gives),
                _ => None,
            });
        let given = expected.flatten().map(|(expression, _)| expression);
        call.iter_mut().chain(calls.into_iter().flatten()).chain(given)
    }
}

/// Reads a case, which is also a step.
fn read_case(field: &Field<'_>, number: usize, checker: &mut Checker) -> Option<Case> {
    let fields = field.table(checker)?;
    fields.report_unknown_keys(checker, case::SECTION.called, &[case::SECTION.keys, step::SECTION.keys].concat());
    let name = fields.read(checker, &case::NAME).map_or_else(|| number.to_string(), str::to_owned);
    let mut given = Vec::new();
    if let Some(tables) = fields.read(checker, &case::GIVEN) {
        read_named(&tables, "", checker, &mut given);
    }
    let call = read_written(&fields, &case::CALL, checker);
    let steps = read_fields_of_step(field, &fields, checker);
    Some(Case { name, place: field.node.place("this case"), given, call, steps })
}

fn read_answer(field: &Field<'_>, checker: &mut Checker) -> Answer {
    let labels = match field.node.value {
        Value::List(_) => read_labels(field, checker),
        _ => read_label(field, checker).into_iter().collect(),
    };
    Answer::Choose(labels, field.node.place(""))
}

/// Reads a step; further answers become steps of their own.
fn read_fields_of_step(step: &Field<'_>, fields: &Fields<'_>, checker: &mut Checker) -> Vec<Step> {
    let expectations = read_expectations(fields, checker);
    let choose = fields.find(&step::CHOOSE).map(|field| read_answer(&field, checker));
    let answers = fields.find(&step::ANSWERS);
    let further = answers.as_ref().and_then(|field| field.list(checker)).unwrap_or_default();
    let mut further = further.iter().map(|field| read_answer(field, checker)).collect::<Vec<_>>().into_iter();
    let play = read_written(fields, &step::PLAY_UNTIL, checker).and_then(|PlacedText { text, place }| {
        let moment = Moment::parse(&text);
        if moment.is_none() {
            let place = Place { label: "not a moment of a game".into(), ..place.clone() };
            checker.report(Diagnostic::new(message!("nobody can play until `{text}`")).at(place).help(
                "Moments are `end`, `next turn`, `next round`, `next phase`, and as of `turn 43`, `round 2`, \
                 `phase scoring`, `decision 12`.",
            ));
        }
        Some(Answer::PlayUntil(moment?, place))
    });
    if let (true, Some(field)) = (choose.is_some() && play.is_none(), &answers) {
        let place = field.node.place("`choose` answers already");
        checker.report(Diagnostic::new("a step answers once").at(place).help("put all answers into `answers`"));
    }
    if let (true, Some(field)) = (choose.is_some() || answers.is_some(), fields.find(&step::PLAY_UNTIL)) {
        let place = field.node.place("the step answers already");
        checker.report(Diagnostic::new("a step answers once").at(place).help("make two steps of it"));
    }
    let choose = choose.or_else(|| further.next());
    if let (Some(field), None, None) = (fields.find(&step::RIG), &choose, &play) {
        let place = field.node.place("nothing happens after this step");
        checker.report(
            Diagnostic::new("`rig` is in a step without an answer")
                .at(place)
                .help("give the step a `choose`, or write it under [when]"),
        );
    }
    if fields.table.is_empty() {
        let place = step.node.place("nothing in it");
        checker.report(Diagnostic::new("this step neither checks nor answers").at(place));
    }
    let rigs = texts(fields.read(checker, &step::RIG), checker);
    let first = Step { place: step.node.place(""), expectations, answer: choose.or(play), rigs };
    let behind =
        |answer| Step { place: step.node.place(""), expectations: Vec::new(), answer: Some(answer), rigs: Vec::new() };
    std::iter::once(first).chain(further.map(behind)).collect()
}

/// The expectations of a step, in the order of the file.
fn read_expectations(fields: &Fields<'_>, checker: &mut Checker) -> Vec<Expectation> {
    let labels = |key: &dyn KeyInfo, checker: &mut Checker| Some(read_labels(&fields.find(key)?, checker));
    let names = |key: &Key<SubTable>, checker: &mut Checker| {
        let mut named = Vec::new();
        read_named(&fields.read(checker, key)?, "", checker, &mut named);
        Some(named)
    };
    let text = |key: &Key<Str>, checker: &mut Checker| fields.read(checker, key).map(str::to_owned);
    let expected: [(&dyn KeyInfo, Option<ExpectationKind>); 15] = [
        (&step::ASKS, text(&step::ASKS, checker).map(ExpectationKind::Asks)),
        (&step::OPTIONS, labels(&step::OPTIONS, checker).map(ExpectationKind::Options)),
        (&step::LACKS, labels(&step::LACKS, checker).map(ExpectationKind::Lacks)),
        (&step::REFUSES, read_refused(fields, checker).map(ExpectationKind::Refuses)),
        (&step::ZONES, names(&step::ZONES, checker).map(ExpectationKind::Zones)),
        (
            &step::COUNTS,
            names(&step::COUNTS, checker).map(|counts| ExpectationKind::Counts(are_numbers(counts, checker))),
        ),
        (&step::VARIABLES, names(&step::VARIABLES, checker).map(ExpectationKind::Variables)),
        (&step::COMPONENTS, names(&step::COMPONENTS, checker).map(ExpectationKind::Components)),
        (&step::SEES, names(&step::SEES, checker).map(ExpectationKind::Sees)),
        (&step::GIVES, read_gives(fields, checker).map(ExpectationKind::ResultSort)),
        (
            &step::AWARDS,
            fields.read(checker, &step::AWARDS).map(|awards| ExpectationKind::Awards(texts(Some(awards), checker))),
        ),
        (&step::RANKING, read_ranking(fields, checker).map(ExpectationKind::Ranking)),
        (&step::OVER, fields.read(checker, &step::OVER).map(ExpectationKind::Over)),
        (&step::TURNS, fields.read(checker, &step::TURNS).map(|turns| ExpectationKind::Turns(turns as usize))),
        (&step::FAILS, text(&step::FAILS, checker).map(ExpectationKind::Fails)),
    ];
    let placed = expected.into_iter().filter_map(|(key, what)| Some((fields.find(key)?, what?)));
    let mut placed: Vec<_> = placed.collect();
    sort_by_key(&mut placed, |(field, _)| field.key.span.start);
    placed.into_iter().map(|(field, what)| Expectation { what, place: field.node.place("") }).collect()
}

/// Reads expressions with their expected values.
fn read_gives(fields: &Fields<'_>, checker: &mut Checker) -> Option<Vec<(PlacedText, ExpectedResult)>> {
    let gives = fields.read(checker, &step::GIVES)?;
    let read = |(expression, value): (&str, Field<'_>)| {
        let words = in_words(&value.node.value);
        if words.is_empty() {
            value.report_mismatch(checker, "an integer, a boolean, a string, or an array of these");
        }
        let expression = PlacedText { text: expression.to_owned(), place: value.key.clone() };
        (expression, ExpectedResult { words, place: value.node.place("") })
    };
    Some(gives.each().map(read).collect())
}

/// The forms in which the rules show a value: texts have quotes, names of players and components do not.
fn in_words(value: &Value) -> Vec<String> {
    match value {
        Value::Text(text) => vec![text.clone(), format!("{text:?}")],
        Value::List(list) => {
            let entries: Vec<Vec<String>> = list.iter().map(|node| in_words(&node.value)).collect();
            if entries.iter().any(Vec::is_empty) {
                return Vec::new();
            }
            let joined = |last: bool| {
                let entry =
                    |ways: &Vec<String>| if last { ways.last() } else { ways.first() }.cloned().unwrap_or_default();
                format!("[{}]", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
            };
            vec![joined(false), joined(true)]
        }
        value => value.plain().map(|plain| plain.to_string()).into_iter().collect(),
    }
}

fn read_refused(fields: &Fields<'_>, checker: &mut Checker) -> Option<Vec<(PlacedText, String)>> {
    let refused = fields.read(checker, &step::REFUSES)?;
    let read = |(label, reason): (&str, Field<'_>)| {
        let label = PlacedText { text: label.to_owned(), place: reason.key.clone() };
        Some((label, reason.text(checker)?.to_owned()))
    };
    Some(refused.each().filter_map(read).collect())
}

fn are_numbers(counts: Vec<TableItem>, checker: &mut Checker) -> Vec<TableItem> {
    for count in counts.iter().filter(|count| !matches!(count.content, ItemContent::Value(Scalar::Number(0..)))) {
        let message = message!("how many lie in `{}` must be an integer from 0", count.name.text);
        checker.report(Diagnostic::new(message).at(count.place.clone()));
    }
    counts
}

fn read_ranking(fields: &Fields<'_>, checker: &mut Checker) -> Option<Vec<Vec<String>>> {
    let ranks = fields.read(checker, &step::RANKING)?;
    let read = |rank: &Field<'_>| texts(rank.list(checker), checker).into_iter().map(|seat| seat.text).collect();
    Some(ranks.iter().map(read).collect())
}

/// Reads all entries of a table of names; `p1.hand` may be one quoted key, or `hand` in `p1`.
fn read_named(fields: &Fields<'_>, before: &str, checker: &mut Checker, named: &mut Vec<TableItem>) {
    for (key, field) in fields.each() {
        let name = if before.is_empty() { key.to_owned() } else { format!("{before}.{key}") };
        let content = match &field.node.value {
            Value::Table(_) => {
                let inner = field.table(checker);
                inner.iter().for_each(|inner| read_named(inner, &name, checker, named));
                continue;
            }
            Value::Number(_) | Value::Truth(_) | Value::Text(_) => field.node.value.plain().map(ItemContent::Value),
            Value::List(nodes) if nodes.iter().any(|node| matches!(node.value, Value::List(_))) => {
                let zones = field.elements(nodes);
                let read = |zone: &Field<'_>| (zone.node.place(""), read_labels(zone, checker));
                Some(ItemContent::Several(zones.iter().map(read).collect()))
            }
            Value::List(_) => Some(ItemContent::Components(read_labels(&field, checker))),
        };
        named.extend(content.map(|content| TableItem {
            name: PlacedText { text: name, place: field.key.clone() },
            content,
            place: field.node.place(""),
        }));
    }
}

fn read_written(fields: &Fields<'_>, key: &Key<Str>, checker: &mut Checker) -> Option<PlacedText> {
    fields.read_at(checker, key).map(|(text, place)| PlacedText { text: text.to_owned(), place })
}

fn texts(elements: Option<Vec<Field<'_>>>, checker: &mut Checker) -> Vec<PlacedText> {
    let read = |element: Field<'_>| {
        Some(PlacedText { text: element.text(checker)?.to_owned(), place: element.node.place("") })
    };
    elements.into_iter().flatten().filter_map(read).collect()
}

fn read_labels(field: &Field<'_>, checker: &mut Checker) -> Vec<PlacedText> {
    let elements = field.list(checker).unwrap_or_default();
    elements.iter().filter_map(|element| read_label(element, checker)).collect()
}

/// Reads the label of an option or component. Numbered cards may be written as numbers.
fn read_label(field: &Field<'_>, checker: &mut Checker) -> Option<PlacedText> {
    let text = match &field.node.value {
        Value::Number(number) => number.to_string(),
        _ => field.text(checker)?.to_owned(),
    };
    Some(PlacedText { text, place: field.node.place("") })
}

impl Moment {
    fn parse(text: &str) -> Option<Moment> {
        Some(match text.split_once(' ') {
            None if text == "end" => Moment::End,
            Some(("next", "turn")) => Moment::NextTurn,
            Some(("next", "round")) => Moment::NextRound,
            Some(("next", "phase")) => Moment::NextPhase,
            Some(("turn", number)) => Moment::Turn(number.parse().ok().filter(|number| *number > 0)?),
            Some(("round", number)) => Moment::Round(number.parse().ok().filter(|number| *number > 0)?),
            Some(("decision", number)) => Moment::Decision(number.parse().ok().filter(|number| *number > 0)?),
            Some(("phase", name)) => Moment::Phase(name.to_owned()),
            _ => return None,
        })
    }
}
