//! From TOML to a scenario: what can be said without knowing the game.

use super::{Answer, Content, Expectation, Expected, Moment, Named, Scenario, Step, Written};
use crate::definition::Plain;
use crate::definition::schema::{Checker, Field, Fields};
use crate::definition::tree::{self, Value};
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::files::Files;
use std::path::Path;
use std::sync::Arc;

const KEYS: [&str; 10] = ["id", "title", "game", "variants", "set", "players", "seed", "given", "when", "then"];
const STEP_KEYS: [&str; 17] = [
    "asks",
    "options",
    "lacks",
    "refuses",
    "zones",
    "counts",
    "variables",
    "components",
    "sees",
    "awards",
    "ranking",
    "turns",
    "over",
    "fails",
    "choose",
    "rig",
    "play_until",
];

impl Scenario {
    /// Reads a scenario from its file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or as [`parse`](Scenario::parse).
    pub fn read(files: &dyn Files, path: &Path) -> Result<Scenario, Vec<Diagnostic>> {
        let source = files.read(path, &files.name_of(path)).map_err(|trouble| vec![trouble])?;
        Scenario::parse(&source, path)
    }

    /// Reads a scenario from its text. Whether its zones, components and variables exist is found out when it runs.
    ///
    /// # Errors
    ///
    /// If the text is no TOML, has keys or values that mean nothing, lacks what it must have, or expects nothing.
    pub fn parse(source: &Arc<Source>, path: &Path) -> Result<Scenario, Vec<Diagnostic>> {
        let whole = tree::parse(source)?;
        let fields = Fields { path: String::new(), place: Place::new(source, 0..0, ""), table: &whole };
        let mut checker = Checker::new(false);
        let scenario = read_scenario(&fields, path, &mut checker);
        checker.finish(scenario)
    }
}

fn read_scenario(fields: &Fields<'_>, path: &Path, checker: &mut Checker) -> Option<Scenario> {
    fields.allow(checker, "a scenario", &KEYS);
    let mut required = |key| {
        let field = fields.require(checker, key)?;
        let text = field.text(checker)?.to_owned();
        Some(Written { text, place: field.node.place("") })
    };
    let (id, title, game) = (required("id"), required("title"), required("game"));
    let mut texts = |key| fields.get(key).map(|field| read_texts(&field, checker)).unwrap_or_default();
    let (variants, set) = (texts("variants"), texts("set"));
    let players = fields.get("players").and_then(|field| {
        let players = field.number(checker, 1..=crate::definition::MAX_SEATS as i64)?;
        Some((players as usize, field.node.place("")))
    });
    let seed = fields.get("seed").and_then(|field| field.number(checker, 0..=i64::MAX)).unwrap_or(1);

    let mut given = Vec::new();
    if let Some(tables) = fields.table(checker, "given") {
        read_named(&tables, "", checker, &mut given);
    }
    let when = fields.table(checker, "when");
    when.iter().for_each(|when| when.allow(checker, "`[when]`", &["call", "rig"]));
    let rigs = when.as_ref().and_then(|when| when.get("rig"));
    let rigs = rigs.map(|field| read_texts(&field, checker)).unwrap_or_default();
    let call = when.and_then(|when| {
        let field = if when.get("rig").is_some() { when.get("call") } else { when.require(checker, "call") }?;
        Some(Written { text: field.text(checker)?.to_owned(), place: field.node.place("") })
    });
    if let Some(field) = fields.get("given")
        && call.is_none()
    {
        let mut place = field.key.clone();
        place.label = "nothing is called on this table".to_owned();
        let help = "Name what is called: [when] call = \"turn(p1)\". Without it the whole game lays its own table.";
        checker.trouble(Diagnostic::new("`given` without `when`").at(place).help(help));
    }
    let then = fields.require(checker, "then");
    let steps = then.as_ref().and_then(|field| field.list(checker)).unwrap_or_default();
    if let Some(field) = then.filter(|field| matches!(&field.node.value, Value::List(steps) if steps.is_empty())) {
        checker.trouble(Diagnostic::new("nothing is expected").at(field.node.place("no step in it")));
    }
    let steps = steps.iter().filter_map(|step| read_step(step, checker)).collect();
    let (id, title) = (id?.text, title?.text);
    Some(Scenario {
        id,
        title,
        path: path.to_owned(),
        game: game?,
        variants,
        set,
        players,
        seed: seed as u64,
        given,
        call,
        rigs,
        steps,
    })
}

fn read_step(step: &Field<'_>, checker: &mut Checker) -> Option<Step> {
    let fields = step.table(checker)?;
    fields.allow(checker, "a step of `then`", &STEP_KEYS);
    let mut expectations = Vec::new();
    for (key, field) in fields.each() {
        if let Some(what) = read_expected(key, &field, checker) {
            expectations.push(Expectation { what, place: field.node.place("") });
        }
    }
    let choose = fields.get("choose").map(|field| {
        let labels = match field.node.value {
            Value::List(_) => read_labels(&field, checker),
            _ => read_label(&field, checker).into_iter().collect(),
        };
        Answer::Choose(labels, field.node.place(""))
    });
    let play = fields.get("play_until").and_then(|field| {
        let text = field.text(checker)?;
        let moment = Moment::parse(text);
        if moment.is_none() {
            let place = field.node.place("not a moment of a game");
            checker.trouble(Diagnostic::new(format!("nobody can play until `{text}`")).at(place).help(
                "Moments are `end`, `next turn`, `next round`, `next phase`, and as of `turn 43`, `round 2`, \
                 `phase scoring`, `decision 12`.",
            ));
        }
        Some(Answer::PlayUntil(moment?, field.node.place("")))
    });
    if let (Some(_), Some(field)) = (&choose, fields.get("play_until")) {
        let place = field.node.place("`choose` answers already");
        checker.trouble(Diagnostic::new("a step answers once").at(place).help("make two steps of it"));
    }
    if let (Some(field), None, None) = (fields.get("rig"), &choose, &play) {
        let place = field.node.place("nothing happens after this step");
        checker.trouble(
            Diagnostic::new("`rig` stands where nothing is answered")
                .at(place)
                .help("give the step a `choose`, or write it under [when]"),
        );
    }
    if fields.table.is_empty() {
        let place = step.node.place("nothing in it");
        checker.trouble(Diagnostic::new("this step neither looks nor answers").at(place));
    }
    let rigs = fields.get("rig").map(|field| read_texts(&field, checker)).unwrap_or_default();
    Some(Step { place: step.node.place(""), expectations, answer: choose.or(play), rigs })
}

fn read_expected(key: &str, field: &Field<'_>, checker: &mut Checker) -> Option<Expected> {
    let named = |checker: &mut Checker| {
        let mut named = Vec::new();
        read_named(&field.table(checker)?, "", checker, &mut named);
        Some(named)
    };
    Some(match key {
        "asks" => Expected::Asks(field.text(checker)?.to_owned()),
        "options" => Expected::Options(read_labels(field, checker)),
        "lacks" => Expected::Lacks(read_labels(field, checker)),
        "refuses" => {
            let refused = field.table(checker)?;
            let read = |(label, reason): (&str, Field<'_>)| {
                let label = Written { text: label.to_owned(), place: reason.key.clone() };
                Some((label, reason.text(checker)?.to_owned()))
            };
            Expected::Refuses(refused.each().filter_map(read).collect())
        }
        "zones" => Expected::Zones(named(checker)?),
        "counts" => {
            let named = named(checker)?;
            for count in named.iter().filter(|count| !matches!(count.content, Content::Value(Plain::Number(_)))) {
                let message = format!("how many lie in `{}` must be an integer", count.name.text);
                checker.trouble(Diagnostic::new(message).at(count.place.clone()));
            }
            Expected::Counts(named)
        }
        "variables" => Expected::Variables(named(checker)?),
        "components" => Expected::Components(named(checker)?),
        "sees" => Expected::Sees(named(checker)?),
        "awards" => Expected::Awards(read_texts(field, checker)),
        "ranking" => {
            let ranks = field.list(checker)?;
            let read = |rank: &Field<'_>| read_texts(rank, checker).into_iter().map(|seat| seat.text).collect();
            Expected::Ranking(ranks.iter().map(read).collect())
        }
        "turns" => Expected::Turns(field.number(checker, 0..=i64::from(u32::MAX))? as usize),
        "over" => match field.node.value {
            Value::Truth(over) => Expected::Over(over),
            _ => {
                field.refuse(checker, "`true` or `false`");
                return None;
            }
        },
        "fails" => Expected::Fails(field.text(checker)?.to_owned()),
        _ => return None,
    })
}

/// Everything in a table of names; `p1.hand` may be written as one key in quotes or as `hand` within `p1`.
fn read_named(fields: &Fields<'_>, before: &str, checker: &mut Checker, named: &mut Vec<Named>) {
    for (key, field) in fields.each() {
        let name = if before.is_empty() { key.to_owned() } else { format!("{before}.{key}") };
        let content = match &field.node.value {
            Value::Table(_) => {
                let inner = field.table(checker);
                inner.iter().for_each(|inner| read_named(inner, &name, checker, named));
                continue;
            }
            Value::Number(_) | Value::Truth(_) | Value::Text(_) => field.node.value.plain().map(Content::Value),
            Value::List(nodes) if nodes.iter().any(|node| matches!(node.value, Value::List(_))) => {
                let zones = field.elements(nodes);
                let read = |zone: &Field<'_>| (zone.node.place(""), read_labels(zone, checker));
                Some(Content::Several(zones.iter().map(read).collect()))
            }
            Value::List(_) => Some(Content::Components(read_labels(&field, checker))),
            Value::Float(_) => {
                field.refuse(checker, "a list of components, or an integer, a boolean or a string");
                None
            }
        };
        named.extend(content.map(|content| Named {
            name: Written { text: name, place: field.key.clone() },
            content,
            place: field.node.place(""),
        }));
    }
}

fn read_texts(field: &Field<'_>, checker: &mut Checker) -> Vec<Written> {
    let elements = field.list(checker).unwrap_or_default();
    let read =
        |element: &Field<'_>| Some(Written { text: element.text(checker)?.to_owned(), place: element.node.place("") });
    elements.iter().filter_map(read).collect()
}

fn read_labels(field: &Field<'_>, checker: &mut Checker) -> Vec<Written> {
    let elements = field.list(checker).unwrap_or_default();
    elements.iter().filter_map(|element| read_label(element, checker)).collect()
}

/// The label of an option or component. Numbered cards may be written as numbers.
fn read_label(field: &Field<'_>, checker: &mut Checker) -> Option<Written> {
    let text = match &field.node.value {
        Value::Number(number) => number.to_string(),
        _ => field.text(checker)?.to_owned(),
    };
    Some(Written { text, place: field.node.place("") })
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
