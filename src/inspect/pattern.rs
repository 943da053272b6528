//! Which events are meant: `award p1`, `move 33`, `set p1.score`.

use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::table::event::{Event, What};
use crate::table::layout::Layout;
use crate::table::value::{Component, Seat, Seats, Value, Zone};

/// A kind of event, with what can stand behind its name.
pub struct Kind {
    /// How it is called.
    pub name: &'static str,
    /// What can be said about it, for help.
    pub about: &'static str,
    /// The sorts of thing that can be named, where only what the game has makes sense.
    named: &'static [Named],
}

#[derive(Clone, Copy, PartialEq)]
enum Named {
    Seats,
    Components,
    Zones,
    Variables,
    /// Words of the rules' own, which nobody can know beforehand.
    Anything,
}

/// Every kind of event that can be meant.
pub const KINDS: &[Kind] = &[
    Kind { name: "award", about: "points: `award p1`, `award column`", named: &[Named::Seats, Named::Anything] },
    Kind { name: "choice", about: "an answer: `choice p2`", named: &[Named::Seats, Named::Anything] },
    Kind { name: "lot", about: "a draw: `lot start`", named: &[Named::Anything] },
    Kind { name: "move", about: "a component moves: `move 33`, `move box`", named: &[Named::Components, Named::Zones] },
    Kind { name: "note", about: "a remark", named: &[Named::Anything] },
    Kind { name: "owner", about: "a component changes hands", named: &[Named::Components, Named::Seats] },
    Kind { name: "phase", about: "a phase begins", named: &[Named::Anything] },
    Kind { name: "reveal", about: "a component is shown", named: &[Named::Components] },
    Kind { name: "roll", about: "a die is rolled", named: &[Named::Components] },
    Kind { name: "round", about: "a round begins", named: &[Named::Anything] },
    Kind { name: "set", about: "a variable changes: `set p1.score`", named: &[Named::Variables] },
    Kind { name: "shuffle", about: "a zone is shuffled", named: &[Named::Zones] },
    Kind { name: "side", about: "a component is turned", named: &[Named::Components] },
    Kind { name: "turn", about: "a turn begins: `turn p2`", named: &[Named::Seats] },
];

/// Events of one kind; of these, those that have to do with everything that is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    kind: &'static str,
    names: Vec<String>,
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.kind)?;
        self.names.iter().try_for_each(|name| write!(f, " {name}"))
    }
}

impl Pattern {
    /// A pattern from words as they are typed; nothing where the first is no kind of event.
    ///
    /// # Errors
    /// A name that this game does not have, with the nearest.
    pub fn parse(words: &[&str], layout: &Layout) -> Option<Result<Self, Diagnostic>> {
        let (first, names) = words.split_first()?;
        let kind = KINDS.iter().find(|kind| kind.name == *first)?;
        let known = |name: &&str| kind.named.iter().any(|named| named.knows(name, layout));
        if let Some(unknown) = names.iter().find(|name| !known(name)) {
            let all: Vec<String> = kind.named.iter().flat_map(|named| named.all(layout)).collect();
            let error = Diagnostic::new(format!("no `{}` has to do with `{unknown}`", kind.name));
            let help = did_you_mean(unknown, all.iter().map(String::as_str));
            return Some(Err(error.help(help.unwrap_or_else(|| format!("for example {}", kind.about)))));
        }
        Some(Ok(Self { kind: kind.name, names: names.iter().map(|&name| name.to_owned()).collect() }))
    }

    /// Whether an event is meant; `label` names components as they are now.
    pub fn fits(&self, event: &Event, layout: &Layout, label: impl Fn(Component) -> String) -> bool {
        let (kind, mut words) = words_of(event, layout, &label);
        // A score is a variable too, and an award sets it.
        if let (What::Award { seat, .. }, "set") = (&event.what, self.kind) {
            words = vec![layout.variables[layout.score_of(*seat)].id.to_string()];
        } else if kind != self.kind {
            return false;
        }
        self.names.iter().all(|name| words.contains(name))
    }
}

impl Named {
    fn knows(self, name: &str, layout: &Layout) -> bool {
        self == Self::Anything || self.all(layout).iter().any(|known| known == name)
    }

    fn all(self, layout: &Layout) -> Vec<String> {
        match self {
            Self::Seats => Seats::all(layout.seats).into_iter().map(|seat| seat.to_string()).collect(),
            Self::Components => layout.faces.iter().map(|face| face.id.to_string()).collect(),
            Self::Zones => layout.zones.iter().map(|zone| zone.id.to_string()).collect(),
            Self::Variables => layout.variables.iter().map(|variable| variable.id.to_string()).collect(),
            Self::Anything => Vec::new(),
        }
    }
}

/// The kind of an event and everything that it has to do with, in the words that a person types.
fn words_of(event: &Event, layout: &Layout, label: &impl Fn(Component) -> String) -> (&'static str, Vec<String>) {
    let zone = |zone: &Zone| layout.zones[zone.index()].id.to_string();
    let seat = |seat: &Seat| seat.to_string();
    match &event.what {
        What::Phase(name) => ("phase", vec![name.to_string()]),
        What::Round(number) => ("round", vec![number.to_string()]),
        What::Turn(who) => ("turn", vec![seat(who)]),
        What::Shuffle { zone: which, .. } => ("shuffle", vec![zone(which)]),
        What::Roll { die, .. } => ("roll", vec![label(*die)]),
        What::Turned { component, .. } => ("side", vec![label(*component)]),
        What::Owned { component, owner } => {
            ("owner", std::iter::once(label(*component)).chain(owner.iter().map(seat)).collect())
        }
        What::Reveal(component) => ("reveal", vec![label(*component)]),
        What::Lot { stream, value } => match value {
            Value::Seat(who) => ("lot", vec![stream.to_string(), seat(who)]),
            _ => ("lot", vec![stream.to_string()]),
        },
        What::Choice { decision, chosen, .. } => {
            let labels = chosen.iter().filter_map(|&position| Some(decision.options.get(position)?.label.clone()));
            let asked = decision.seat.iter().map(seat).chain([decision.prompt.to_string()]);
            ("choice", asked.chain(labels).collect())
        }
        What::Move { component, from, to, .. } => {
            ("move", std::iter::once(label(*component)).chain(from.iter().chain(to).map(zone)).collect())
        }
        What::Set { variable, .. } => ("set", vec![layout.variables[*variable].id.to_string()]),
        What::Award { seat: who, reason, .. } => ("award", vec![seat(who), reason.to_string()]),
        What::Note { text, .. } => ("note", vec![text.to_string()]),
        What::Intervention(_) => ("by hand", Vec::new()),
    }
}
