//! Changing things by hand: every change is an entry of the log.

use super::{Command, Flow, components, number, unknown, usage_of, variables, zone_named, zones};
use crate::diagnostic::Diagnostic;
use crate::playthrough::log::{Entry, Setting};
use crate::repl::commands::Candidate;
use crate::repl::{Session, split_word};
use crate::table::value::Value;

const GROUP: &str = "Changing things by hand";

pub(super) const SET: Command = Command {
    name: "set",
    aliases: &[],
    usage: "set VARIABLE VALUE",
    about: "give a variable a value, or a component a side, a value or an owner",
    help: "Of a component, `set NAME.side 2` turns a card or token, `set NAME.value 5` a die (0 takes it up), \
           `set NAME.owner p2` says whose it is (or `nobody`). The change goes into the log, so that it can be taken \
           back and is saved with the game.",
    examples: &["set p1.score 12"],
    group: GROUP,
    steps: false,
    complete: |session, before| if before.is_empty() { variables(session) } else { Vec::new() },
    run: |session, arguments| {
        let (name, value) = split_word(arguments);
        let value = value.trim();
        if value.is_empty() {
            return Err(usage_of(&SET));
        }
        let layout = &session.playthrough.loaded().layout;
        let known = layout.variables.iter();
        let variable = known.clone().find(|variable| &*variable.id == name);
        let wrong = |sort: &str| Diagnostic::new(format!("{name} holds {sort}, and `{value}` is none"));
        let of_component = name.rsplit_once('.').filter(|(id, _)| layout.face_named(id).is_some());
        let Some(variable) = variable else {
            let Some((_, property)) = of_component else {
                return Err(unknown("variable", name, known.map(|variable| &*variable.id)));
            };
            let value = match property {
                "side" | "value" => Setting::Number(value.parse().map_err(|_| wrong("a whole number"))?),
                _ => Setting::Text(value.to_owned()),
            };
            return intervene(session, Entry::Set { variable: name.to_owned(), value });
        };
        let value = match &variable.default {
            Value::Number(_) => Setting::Number(value.parse().map_err(|_| wrong("a whole number"))?),
            Value::Truth(_) => Setting::Truth(value.parse().map_err(|_| wrong("true or false"))?),
            _ => Setting::Text(value.trim_matches('"').to_owned()),
        };
        intervene(session, Entry::Set { variable: name.to_owned(), value })
    },
};

pub(super) const MOVE: Command = Command {
    name: "move",
    aliases: &["mv"],
    usage: "move COMPONENT ZONE|nowhere [POSITION]",
    about: "move a component to a zone, on top or at a position from 0",
    help: "Nobody checks whether the rules would allow it. `nowhere` takes it out of play.",
    examples: &["move 33 box", "move 33 ring 0"],
    group: GROUP,
    steps: false,
    complete: |session, before| match before.split_whitespace().count() {
        0 => components(session),
        1 => std::iter::once(Candidate::new("nowhere", "out of play")).chain(zones(session)).collect(),
        _ => Vec::new(),
    },
    run: |session, arguments| {
        let mut words = arguments.split_whitespace();
        let (Some(component), Some(to), position, None) = (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(usage_of(&MOVE));
        };
        let layout = &session.playthrough.loaded().layout;
        if layout.face_named(component).is_none() {
            return Err(unknown("component", component, layout.faces.iter().map(|face| &*face.id)));
        }
        let to = match to {
            "nowhere" => None,
            name => zone_named(layout, name).map(|_| Some(name.to_owned()))?,
        };
        let position = position.map(|text| number(text, "position")).transpose()?;
        intervene(session, Entry::Move { component: component.to_owned(), to, position })
    },
};

pub(super) const RIG: Command = Command {
    name: "rig",
    aliases: &[],
    usage: "rig shuffle ZONE COMPONENT… | rig roll DIE VALUE | rig lot NAME OPTION",
    about: "fix what the next shuffle, roll or lot gives",
    help: "The components named come to lie on top, the first of them uppermost. Before the first move, a rig reaches \
           back to the deal.",
    examples: &["rig shuffle face_down 14 33"],
    group: GROUP,
    steps: false,
    complete: |session, before| {
        let words: Vec<&str> = before.split_whitespace().collect();
        match words.as_slice() {
            [] => vec![
                Candidate::new("shuffle", "the order of a zone"),
                Candidate::new("roll", "the value of a die"),
                Candidate::new("lot", "what is drawn by lot"),
            ],
            ["shuffle"] => zones(session),
            ["shuffle", ..] | ["roll"] => components(session),
            _ => Vec::new(),
        }
    },
    run: |session, arguments| {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let layout = &session.playthrough.loaded().layout;
        let known_component = |name: &&str| {
            let found = layout.face_named(name);
            found.ok_or_else(|| unknown("component", name, layout.faces.iter().map(|face| &*face.id))).map(|_| ())
        };
        let (stream, result) = match words.as_slice() {
            ["shuffle", zone, components @ ..] if !components.is_empty() => {
                zone_named(layout, zone)?;
                components.iter().try_for_each(known_component)?;
                (format!("shuffle {zone}"), components)
            }
            ["roll", die, value] => {
                known_component(die)?;
                number(value, "value of a die")?;
                (format!("roll {die}"), &words[2..])
            }
            ["lot", name, _] => (format!("lot {name}"), &words[2..]),
            _ => return Err(usage_of(&RIG)),
        };
        let result = result.iter().map(|&word| word.to_owned()).collect();
        intervene(session, Entry::Rig { stream, result })
    },
};

fn intervene(session: &mut Session, entry: Entry) -> Result<Flow, Diagnostic> {
    let is_rig = matches!(entry, Entry::Rig { .. });
    let had_failed = session.playthrough.position().failed.is_some();
    session.playthrough.intervene(entry)?;
    // A shuffle cannot give what is not there; that shows when it happens, which here may be at once.
    if let Some(failed) = session.playthrough.position().failed.clone().filter(|_| is_rig && !had_failed) {
        session.playthrough.undo()?;
        return Err(failed.help("nothing was rigged"));
    }
    Ok(Flow::Show(session.look()))
}
