//! Checks of a scenario step's expectations.

use super::lookup::{component_named, component_property, variable_named, zones_meant};
use super::{Expectation, ExpectationKind, ExpectedResult, ItemContent, PlacedText, Step, TableItem};
use crate::definition::Scalar;
use crate::diagnostic::{Diagnostic, Diagnostics, Help, Message, Place, did_you_mean, message, unknown_or};
use crate::playthrough::run::Outcome;
use crate::playthrough::spelling;
use crate::script::rules::Rules;
use crate::script::{End, TYPED_SOURCE};
use crate::sorted::sort_by;
use crate::table::State;
use crate::table::decision::{Decision, OptionShown};
use crate::table::event::EventData;
use crate::table::knowledge::{Appearance, Viewer, VisibleZones};
use crate::table::layout::Layout;
use crate::table::names::some;
use crate::table::value::{Component, Seat, Seats, Value, Zone};

/// Placeholder for a component that only shows its back.
const BACK: &str = "?";

/// Names of zones, components and variables in steps that the rules do not have; found before anything runs.
pub(super) fn misnamed(steps: &[Step], layout: &Layout) -> Vec<Diagnostic> {
    let mut troubles = Vec::new();
    for expectation in steps.iter().flat_map(|step| &step.expectations) {
        troubles.extend(match &expectation.what {
            ExpectationKind::Zones(zones) => each(zones, |named| {
                let zones = zones_meant(layout, named)?;
                Ok(no_components(layout, zones.into_iter().flat_map(|(_, labels)| labels)))
            }),
            ExpectationKind::Counts(counts) => each(counts, |named| counted(layout, named).map(|_| Vec::new())),
            ExpectationKind::Components(properties) => {
                each(properties, |named| component_property(layout, &named.name).map(|_| Vec::new()))
            }
            ExpectationKind::Sees(zones) => each(zones, |named| {
                let (.., labels) = seen_zone(layout, named)?;
                Ok(no_components(layout, labels.iter().filter(|label| label.text != BACK)))
            }),
            ExpectationKind::Variables(variables) => {
                each(variables, |named| variable_named(layout, &named.name).map(|_| Vec::new()))
            }
            _ => Vec::new(),
        });
    }
    troubles
}

/// The errors for labels of no component.
fn no_components<'l>(layout: &Layout, labels: impl Iterator<Item = &'l PlacedText>) -> Vec<Diagnostic> {
    labels.filter_map(|label| component_named(layout, label).err()).flatten().collect()
}

/// What is wrong with each entry of a table, by `check`.
fn each(entries: &[TableItem], check: impl Fn(&TableItem) -> Result<Vec<Diagnostic>, Diagnostics>) -> Vec<Diagnostic> {
    entries.iter().flat_map(|named| check(named).unwrap_or_else(Vec::from_iter)).collect()
}

/// The expectations that do not hold, each with the place where it is written.
pub(super) fn failing(
    expectations: &[Expectation],
    rules: &Rules,
    layout: &Layout,
    outcome: &Outcome,
) -> Vec<Diagnostic> {
    let look = Look { rules, layout, outcome };
    let asked_otherwise = expectations.iter().find_map(|expectation| match &expectation.what {
        ExpectationKind::Asks(expected) => look.asks(expected, &expectation.place),
        _ => None,
    });
    // If another decision is open, further failures about the decision would only repeat that.
    let is_of_another = |expectation: &&Expectation| asked_otherwise.is_some() && is_of_decision(expectation);
    let mut nobody = look.open().is_none();
    let mut failing: Vec<Diagnostic> = Vec::new();
    for expectation in expectations.iter().filter(|expectation| !is_of_another(expectation)) {
        if is_of_decision(expectation) && look.open().is_none() && !std::mem::take(&mut nobody) {
            continue;
        }
        failing.extend(look.failing(expectation));
    }
    asked_otherwise.into_iter().chain(failing).collect()
}

/// Whether an expectation is about the open decision.
fn is_of_decision(expectation: &Expectation) -> bool {
    use ExpectationKind::{Asks, Lacks, Options, Refuses};
    matches!(expectation.what, Asks(_) | Options(_) | Lacks(_) | Refuses(_))
}

/// Warnings about expectations of a step that may hold for another reason than they were written for: options that are
/// not there because their name is misspelt (it is nearly that of an option, or of a component where the player is asked
/// about nothing else), and reasons of which only a part is written.
pub(super) fn doubtful(expectations: &[Expectation], layout: &Layout, outcome: &Outcome) -> Vec<Diagnostic> {
    let Some(open) = outcome.open() else { return Vec::new() };
    let options: Vec<&OptionShown> = open.options.iter().chain(open.refused.iter().map(|(option, _)| option)).collect();
    let are_components = options.iter().all(|option| matches!(option.value, Value::Component(_)));
    let (what, all): (&str, Vec<&str>) = match are_components {
        true => ("component", layout.faces.iter().map(|face| &*face.id).collect()),
        false => ("option", options.iter().map(|option| option.label.as_str()).collect()),
    };
    // `raise 3` may well be there at other times where `raise 2` is.
    let is_numbered = |label: &str| !are_components && label.chars().any(|letter| letter.is_ascii_digit());
    let texts = &layout.definition.text;
    let lacking = expectations.iter().filter_map(|expectation| match &expectation.what {
        ExpectationKind::Lacks(labels) => Some(labels),
        _ => None,
    });
    let is_known =
        |label: &str| is_known(open, label) || layout.face_named(label).is_some() || texts.contains_key(label);
    let warning = |label: &PlacedText| {
        let near = did_you_mean(&label.text, all.iter().copied());
        let near = near.filter(|_| !is_known(&label.text) && !is_numbered(&label.text))?;
        let place = Place { label: "never among the options".into(), ..label.place.clone() };
        Some(unknown_or(what, &label.text, [], near).as_warning().at(place))
    };
    let refused = expectations.iter().filter_map(|expectation| match &expectation.what {
        ExpectationKind::Refuses(refused) => Some(refused),
        _ => None,
    });
    let partial = refused.flatten().filter_map(|(label, reason)| partial_reason(layout, open, label, reason));
    lacking.flatten().filter_map(warning).chain(partial).collect()
}

/// The warning that an expected reason is only a part of the key that the rules gave, and so could be that of another
/// reason too; `None` where it is the whole key, or is in the words that players read.
fn partial_reason(layout: &Layout, open: &Decision, label: &PlacedText, reason: &str) -> Option<Diagnostic> {
    let given = refusal(open, &label.text)?;
    let is_part = given != reason && given.contains(reason) && layout.definition.text(given).is_some();
    (is_part && !is_worded(layout, given, reason)).then(|| {
        let place = Place { label: message!("the reason is `{given}`"), ..label.place.clone() };
        let error = Diagnostic::new(message!("`{reason}` is only a part of the reason `{given}`"));
        error.as_warning().at(place).help("write the whole key, or words that players read")
    })
}

/// Whether the words of a key of `[text]` have these in them, in any language.
fn is_worded(layout: &Layout, key: &str, words: &str) -> bool {
    layout.definition.text(key).is_some_and(|text| text.all().any(|(_, text)| text.contains(words)))
}

/// The reason why an option is refused: as the script gives it, and what players read where that is something else.
fn reason_found(layout: &Layout, reason: &str) -> Message {
    let words = layout.refusal(reason);
    if words == *reason { words } else { Message::joined([Message::verbatim(reason), ": ".into(), words]) }
}

/// Whether a decision offers an option with this label.
pub(super) fn is_offered(decision: &Decision, label: &str) -> bool {
    decision.options.iter().any(|option| option.label == label)
}

/// Whether a decision has an option with this label, offered or refused.
fn is_known(decision: &Decision, label: &str) -> bool {
    is_offered(decision, label) || refusal(decision, label).is_some()
}

/// Why the rules refuse an option with this label; `None` where they do not.
fn refusal<'d>(decision: &'d Decision, label: &str) -> Option<&'d str> {
    let mut refused = decision.refused.iter();
    refused.find(|(option, _)| option.label == label).map(|(_, reason)| &**reason)
}

/// The label of the option that was written; unchanged where no option is meant.
///
/// # Errors
/// Several options have this name.
pub(super) fn labelled(
    layout: &Layout,
    table: &State,
    decision: &Decision,
    written: &PlacedText,
) -> Result<PlacedText, Diagnostics> {
    let place = || Place { label: "more than one has this name".into(), ..written.place.clone() };
    let option = spelling::option(layout, table, decision, &written.text).map_err(|error| error.at(place()))?;
    Ok(option.map_or_else(|| written.clone(), |option| PlacedText { text: option.label.clone(), ..written.clone() }))
}

/// The error for a label that is not offered, with the rules' reason if they gave one.
pub(super) fn not_offered(decision: &Decision, label: &PlacedText) -> Diagnostic {
    let why = refusal(decision, &label.text).map_or_else(|| "not offered".into(), Message::verbatim);
    let message = message!("{} is not among the options", label.text);
    let trouble = Diagnostic::new(message).at(Place { label: why, ..label.place.clone() });
    trouble.near(&label.text, labels(decision)).help(may_choose(decision))
}

fn labels(decision: &Decision) -> impl Iterator<Item = &str> {
    decision.options.iter().map(|option| option.label.as_str())
}

/// The options of the asked seat, in words.
fn may_choose(decision: &Decision) -> Message {
    message!("{} may choose {}.", asked(decision, false), some(labels(decision)))
}

/// The state of the rules at the moment a step checks.
struct Look<'a> {
    rules: &'a Rules,
    layout: &'a Layout,
    outcome: &'a Outcome,
}

impl Look<'_> {
    /// Compares the value of an expression, evaluated on a copy of the table without asking anybody.
    fn gives(&self, expression: &PlacedText, wanted: &ExpectedResult) -> Vec<Diagnostic> {
        match self.rules.evaluate(&self.outcome.run.table, &expression.text, None) {
            Ok(evaluation) if wanted.words.contains(&evaluation.result) => Vec::new(),
            Ok(evaluation) => {
                let message = message!("`{}` is {}", expression.text, evaluation.result);
                vec![failed(&wanted.place, message, "expected this")]
            }
            // An error in the expression itself is shown at its place in the scenario.
            Err(errors) => errors
                .into_iter()
                .map(|mut error| {
                    let here = error.place.take_if(|place| place.source.name == TYPED_SOURCE);
                    match here {
                        Some(place) => error.at(Place { label: place.label, ..expression.place.clone() }),
                        None => error.related(expression.place.clone()),
                    }
                })
                .collect(),
        }
    }

    fn failing(&self, expectation: &Expectation) -> Vec<Diagnostic> {
        let place = &expectation.place;
        match &expectation.what {
            ExpectationKind::Asks(expected) => self.asks(expected, place).into_iter().collect(),
            ExpectationKind::Options(labels) => match labels.iter().map(|label| self.labelled(label)).collect() {
                Ok(labels) => self.options(labels, place),
                Err(found) => found.into_iter().collect(),
            },
            ExpectationKind::Lacks(labels) => {
                let trouble = |label: &PlacedText| match self.labelled(label) {
                    Ok(label) if self.open().is_some_and(|open| is_offered(open, &label.text)) => {
                        vec![failed(&label.place, message!("{} is among the options", label.text), "offered")]
                    }
                    Ok(_) => Vec::new(),
                    Err(found) => found.into_iter().collect(),
                };
                labels.iter().flat_map(trouble).chain(self.nobody_asked(place)).collect()
            }
            ExpectationKind::Refuses(refused) => {
                let mut unknown = Vec::new();
                let mut failing = Vec::new();
                for (label, reason) in refused {
                    match self.labelled(label) {
                        Ok(label) if self.open().is_some_and(|open| !is_known(open, &label.text)) => {
                            unknown.push(label)
                        }
                        Ok(label) => failing.extend(self.refuses(&label, reason)),
                        Err(found) => failing.extend(found),
                    }
                }
                self.unknown(&unknown).into_iter().chain(failing).chain(self.nobody_asked(place)).collect()
            }
            ExpectationKind::Zones(zones) => each(zones, |named| self.zones(named)),
            ExpectationKind::Counts(counts) => each(counts, |named| self.count(named)),
            ExpectationKind::Variables(variables) => each(variables, |named| self.variable(named)),
            ExpectationKind::Sees(zones) => each(zones, |named| self.sees(named)),
            ExpectationKind::Components(properties) => each(properties, |named| self.property(named)),
            ExpectationKind::ResultSort(gives) => {
                gives.iter().flat_map(|(expression, wanted)| self.gives(expression, wanted)).collect()
            }
            ExpectationKind::Awards(awards) => self.awards(awards, place).into_iter().collect(),
            ExpectationKind::Ranking(expected) => {
                let ranks = self.outcome.run.table.ranking().into_iter();
                let found: Vec<Vec<String>> =
                    ranks.map(|rank| rank.iter().map(ToString::to_string).collect()).collect();
                let words = found.iter().map(|rank| rank.join(" = ")).collect::<Vec<_>>().join(", ");
                differs(*expected == found, place, "the ranking is different", message!("found {}", words))
            }
            ExpectationKind::Turns(expected) => {
                let turns = self.outcome.run.table.state().turns;
                let message = if turns == 1 { "1 turn has begun".into() } else { message!("{turns} turns have begun") };
                differs(turns == *expected, place, message, message!("found {}", turns))
            }
            ExpectationKind::Over(expected) => {
                let over = self.outcome.end == End::Finished;
                let message = if over { "the rules have ended" } else { "the rules have not ended" };
                differs(over == *expected, place, message, message!("found {}", self.state()))
            }
            ExpectationKind::Fails(expected) => match &self.outcome.end {
                End::Failed(found) | End::Endless(found) if found.first().message.contains(expected) => Vec::new(),
                End::Failed(found) | End::Endless(found) => {
                    let trouble = failed(
                        place,
                        "the rules gave up for another reason",
                        message!("found {}", found.first().message),
                    );
                    vec![trouble.related_maybe(found.first().place.clone())]
                }
                _ => vec![failed(place, "the rules did not give up", self.state())],
            },
        }
    }

    fn open(&self) -> Option<&Decision> {
        self.outcome.open().map(|open| &**open)
    }

    /// The state of the rules in words.
    fn state(&self) -> Message {
        match (&self.outcome.end, self.open()) {
            (_, Some(decision)) => message!("{} is open", asked(decision, true)),
            (End::Finished, _) => "the rules have ended".into(),
            (End::Failed(diagnostic) | End::Endless(diagnostic), _) => diagnostic.first().message.clone(),
            (End::Halted(_), None) => "the run has ended".into(),
        }
    }

    fn nobody_asked(&self, place: &Place) -> Option<Diagnostic> {
        self.open().is_none().then(|| failed(place, "nobody is asked", self.state()))
    }

    fn asks(&self, expected: &str, place: &Place) -> Option<Diagnostic> {
        let Some(decision) = self.open() else { return self.nobody_asked(place) };
        let found = asked(decision, expected.contains(" for "));
        (found != expected).then(|| {
            failed(place, "another decision is open", message!("found {}", found))
                .near(expected, [found.as_str()])
                .help(may_choose(decision))
        })
    }

    fn labelled(&self, written: &PlacedText) -> Result<PlacedText, Diagnostics> {
        self.open()
            .map_or(Ok(written.clone()), |open| labelled(self.layout, self.outcome.run.table.state(), open, written))
    }

    fn options(&self, labels: Vec<PlacedText>, place: &Place) -> Vec<Diagnostic> {
        let Some(decision) = self.open() else { return self.nobody_asked(place).into_iter().collect() };
        let missing: Vec<&PlacedText> = labels.iter().filter(|label| !is_offered(decision, &label.text)).collect();
        let more = self::labels(decision).filter(|found| !labels.iter().any(|label| label.text == *found));
        let more: Vec<&str> = more.collect();
        match (missing.as_slice(), more.as_slice()) {
            ([], []) => Vec::new(),
            ([], more) => {
                vec![failed(place, "there are more options", message!("also {}", some(more.iter().copied())))]
            }
            ([only], []) => vec![not_offered(decision, only)],
            ([first, ..], more) => {
                let missing_words = some(missing.iter().map(|label| label.text.as_str()));
                let found = match more {
                    [] => message!("not offered: {missing_words}"),
                    more => message!("not offered: {missing_words}; also {}", some(more.iter().copied())),
                };
                let refused = missing.iter().find_map(|label| {
                    let reason = refusal(decision, &label.text)?;
                    Some(message!("{} is refused: {reason}", label.text))
                });
                let mut trouble =
                    failed(place, "the options are different", found).near(&first.text, more.iter().copied());
                trouble.help.extend(refused.map(Help::from));
                vec![trouble.help(may_choose(decision))]
            }
        }
    }

    /// The error for labels of no option at all, neither offered nor refused.
    fn unknown(&self, unknown: &[PlacedText]) -> Option<Diagnostic> {
        let (decision, [first, others @ ..]) = (self.open()?, unknown) else { return None };
        let all = some(unknown.iter().map(|label| label.text.as_str()));
        let message = match others {
            [] => message!("{all} is not refused with a reason"),
            _ => message!("{all} are not refused with a reason"),
        };
        let known = labels(decision).chain(decision.refused.iter().map(|(option, _)| option.label.as_str()));
        let trouble = failed(&first.place, message, "not offered").near(&first.text, known);
        Some(trouble.help(may_choose(decision)))
    }

    fn refuses(&self, label: &PlacedText, reason: &str) -> Option<Diagnostic> {
        match refusal(self.open()?, &label.text) {
            Some(found) if found.contains(reason) || is_worded(self.layout, found, reason) => None,
            Some(found) => Some(failed(
                &label.place,
                message!("{} is refused for another reason", label.text),
                message!("found {}", reason_found(self.layout, found)),
            )),
            None => Some(failed(&label.place, message!("{} is not refused", label.text), "offered")),
        }
    }

    fn zones(&self, named: &TableItem) -> Result<Vec<Diagnostic>, Diagnostics> {
        let zones = zones_meant(self.layout, named)?;
        let lists = match &named.content {
            ItemContent::Several(lists) => lists.iter().map(|(place, _)| place.clone()).collect(),
            _ => vec![named.place.clone(); zones.len()],
        };
        let compared = zones.into_iter().zip(lists).filter_map(|((zone, expected), place)| {
            let found = self.content(zone);
            let is_same =
                found.len() == expected.len() && found.iter().zip(expected).all(|(one, other)| *one == other.text);
            let id = &self.layout.zones[zone.index()].id;
            (!is_same).then(|| {
                failed(&place, message!("something else lies in `{id}`"), message!("found {}", or_nothing(&found)))
            })
        });
        Ok(compared.collect())
    }

    fn content(&self, zone: Zone) -> Vec<&str> {
        let table = self.outcome.run.table.state();
        let label = |component: &Component| &*self.layout.faces[usize::from(table.faces[component.index()])].id;
        table.zones[zone.index()].iter().map(label).collect()
    }

    fn count(&self, named: &TableItem) -> Result<Vec<Diagnostic>, Diagnostics> {
        let zones = counted(self.layout, named)?;
        let found: usize = zones.into_iter().map(|zone| self.outcome.run.table.state().zones[zone.index()].len()).sum();
        let is_same = matches!(named.content, ItemContent::Value(Scalar::Number(expected)) if expected == found as i64);
        let message = message!("{found} components lie in `{}`", named.name.text);
        Ok(differs(is_same, &named.place, message, message!("found {}", found)))
    }

    fn variable(&self, named: &TableItem) -> Result<Vec<Diagnostic>, Diagnostics> {
        let number = variable_named(self.layout, &named.name)?;
        let found = &self.outcome.run.table.state().variables[number];
        let label = || self.layout.label(&self.outcome.run.table.state().faces, found);
        let is_same = match (&named.content, found) {
            (ItemContent::Value(Scalar::Number(expected)), Value::Number(found)) => expected == found,
            (ItemContent::Value(Scalar::Truth(expected)), Value::Truth(found)) => expected == found,
            (
                ItemContent::Value(Scalar::Text(expected)),
                Value::Text(_) | Value::Seat(_) | Value::Nobody | Value::Component(_) | Value::Zone(_) | Value::Nothing,
            ) => *expected == label(),
            // A component's id may be a number.
            (ItemContent::Value(Scalar::Number(expected)), Value::Component(_)) => expected.to_string() == label(),
            (ItemContent::Components(expected), Value::List(found)) => {
                let faces = &self.outcome.run.table.state().faces;
                let found = found.iter().map(|entry| self.layout.label(faces, entry));
                found.eq(expected.iter().map(|label| label.text.clone()))
            }
            _ => false,
        };
        let words = match found {
            Value::Number(number) => number.to_string(),
            Value::Truth(truth) => truth.to_string(),
            _ => format!("{:?}", label()),
        };
        let message = message!("`{}` has another value", named.name.text);
        Ok(differs(is_same, &named.place, message, message!("found {}", words)))
    }

    fn sees(&self, named: &TableItem) -> Result<Vec<Diagnostic>, Diagnostics> {
        let (seat, zone, expected) = seen_zone(self.layout, named)?;
        let view = VisibleZones::of(self.layout, self.outcome.run.table.state(), Viewer::Seat(seat));
        let label = |seen: &Appearance| match seen {
            Appearance::Face(front) => &*self.layout.faces[front.face].id,
            Appearance::Back => BACK,
        };
        let found: Vec<&str> = view.zones[zone.index()].iter().map(label).collect();
        let copied = |label: &str| match self.layout.face_named(label) {
            Some(face) => self.layout.faces[usize::from(self.layout.prints[face.index()])].id.to_string(),
            None => label.to_owned(),
        };
        let mut wanted: Vec<String> = expected.iter().map(|label| copied(&label.text)).collect();
        let mut seen: Vec<String> = found.iter().map(|label| copied(label)).collect();
        if !self.layout.has_order_for(zone, seat.bit()) {
            sort_by(&mut wanted, Ord::cmp);
            sort_by(&mut seen, Ord::cmp);
        }
        let is_same = seen == wanted;
        let message = message!("{seat} sees something else in `{}`", self.layout.zones[zone.index()].id);
        Ok(differs(is_same, &named.place, message, message!("found {}", or_nothing(&found))))
    }

    fn property(&self, named: &TableItem) -> Result<Vec<Diagnostic>, Diagnostics> {
        let (component, property) = component_property(self.layout, &named.name)?;
        let table = self.outcome.run.table.state();
        let owner = || table.owners[component.index()].map_or_else(|| "nobody".to_owned(), |owner| owner.to_string());
        let found = if property == "owner" { owner() } else { table.sides[component.index()].to_string() };
        let is_same = match &named.content {
            ItemContent::Value(Scalar::Number(expected)) => expected.to_string() == found,
            ItemContent::Value(Scalar::Text(expected)) => *expected == found,
            _ => false,
        };
        let message = message!("`{}` is another", named.name.text);
        Ok(differs(is_same, &named.place, message, message!("found {}", found)))
    }

    /// The first unexpected award, or a missing or additional one at the end.
    fn awards(&self, expected: &[PlacedText], place: &Place) -> Option<Diagnostic> {
        let events = self.outcome.run.table.recorded().iter();
        let award = |what: &EventData| match what {
            EventData::Award { seat, points, reason, .. } => Some(format!("{seat} {points} {reason}")),
            _ => None,
        };
        let found: Vec<String> = events.filter_map(|event| award(&event.what)).collect();
        if let Some((expected, found)) = expected.iter().zip(&found).find(|(expected, found)| expected.text != **found)
        {
            return Some(failed(&expected.place, "another award was made", message!("found {}", found)));
        }
        if let Some(expected) = expected.get(found.len()) {
            return Some(failed(&expected.place, "this award was not made", "no more awards"));
        }
        let more = found.get(expected.len()..).filter(|more| !more.is_empty())?;
        Some(failed(place, "more awards were made", message!("also {}", more.join(", "))))
    }
}

/// Reads a `sees` entry: the seat that looks, the zone, and what it should see there.
fn seen_zone<'a>(layout: &Layout, named: &'a TableItem) -> Result<(Seat, Zone, &'a [PlacedText]), Diagnostics> {
    let name = &named.name;
    let looks = |(seat, zone): (&str, &str)| {
        let seat = Seats::all(layout.seats).into_iter().find(|known| known.to_string() == seat)?;
        Some((seat, layout.zone_named(zone)?))
    };
    match (name.text.split_once('.').and_then(looks), &named.content) {
        (Some((seat, zone)), ItemContent::Components(labels)) => Ok((seat, zone, labels)),
        _ => {
            let place = Place { label: "not a seat, a zone, and a list".into(), ..name.place.clone() };
            Err(Diagnostic::new(message!("`{}` is not something that somebody sees", name.text))
                .at(place)
                .help("Write the seat that looks, then the zone: p2.p1.hand = [\"?\", \"?\"]")
                .into())
        }
    }
}

/// The zones of a count: one, or several that share a name.
fn counted(layout: &Layout, named: &TableItem) -> Result<Vec<Zone>, Diagnostics> {
    let empty = TableItem { content: ItemContent::Components(Vec::new()), ..named.clone() };
    let zones = zones_meant(layout, &empty)?;
    Ok(zones.into_iter().map(|(zone, _)| zone).collect())
}

/// The question in the form of `asks`: seat, prompt and purpose.
pub(super) fn asked(decision: &Decision, with_purpose: bool) -> String {
    let who = decision.seat.map_or(String::new(), |seat| format!("{seat} "));
    let purpose = decision.purpose.as_ref().filter(|_| with_purpose);
    let purpose = purpose.map_or(String::new(), |purpose| format!(" for {purpose}"));
    format!("{who}{}{purpose}", decision.prompt)
}

fn differs(is_same: bool, place: &Place, message: impl Into<Message>, found: Message) -> Vec<Diagnostic> {
    if is_same { Vec::new() } else { vec![failed(place, message, found)] }
}

fn failed(place: &Place, message: impl Into<Message>, label: impl Into<Message>) -> Diagnostic {
    Diagnostic::new(message).at(Place { label: label.into(), ..place.clone() })
}

fn or_nothing(labels: &[&str]) -> Message {
    if labels.is_empty() { "nothing".into() } else { Message::verbatim(labels.join(", ")) }
}
