//! Which events are meant: `award p1`, `move 33`, `set p1.score`.

use crate::diagnostic::Diagnostic;
use crate::table::event::{Event, What};
use crate::table::layout::Layout;
use crate::table::names;
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
    Kind {
        name: "choice",
        about: "an answer: `choice p2`",
        named: &[Named::Seats, Named::Components, Named::Anything],
    },
    Kind { name: "lot", about: "a draw: `lot start`", named: &[Named::Anything] },
    Kind { name: "move", about: "a component moves: `move 33`, `move box`", named: &[Named::Components, Named::Zones] },
    Kind { name: "note", about: "a remark", named: &[Named::Anything] },
    Kind { name: "owner", about: "a component changes hands", named: &[Named::Components, Named::Seats] },
    Kind { name: "phase", about: "a phase begins", named: &[Named::Anything] },
    Kind { name: "reveal", about: "a component is shown", named: &[Named::Components] },
    Kind { name: "roll", about: "a die is rolled", named: &[Named::Components] },
    Kind { name: "round", about: "a round begins", named: &[Named::Anything] },
    Kind { name: "set", about: "a variable changes: `set p1.score`", named: &[Named::Variables] },
    Kind {
        name: "show",
        about: "a component or a choice is shown: `show p2`",
        named: &[Named::Components, Named::Seats],
    },
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
        let mut meant = Vec::new();
        let mut rest = names;
        while let [unknown, ..] = rest {
            // Names can have blanks in them.
            let found = (1..=rest.len()).rev().find_map(|count| {
                let (words, behind) = rest.split_at(count);
                Some((kind.meant(&words.join(" "), layout)?, behind))
            });
            let Some((name, behind)) = found else { return Some(Err(kind.unknown(unknown, layout))) };
            meant.push(name);
            rest = behind;
        }
        Some(Ok(Self { kind: kind.name, names: meant }))
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

impl Kind {
    /// What is meant by a name: its id, or what it is called on the table; words of the rules' own are taken as they are.
    fn meant(&self, name: &str, layout: &Layout) -> Option<String> {
        let is_id = |named: &&Named| named.all(layout).iter().any(|known| known == name);
        if self.named.iter().any(|named| is_id(&named)) {
            return Some(name.to_owned());
        }
        if let Some(id) = self.named.iter().find_map(|named| named.called(name, layout)) {
            return Some(id);
        }
        let is_word = self.named.contains(&Named::Anything) && !name.contains(' ');
        is_word.then(|| name.to_owned())
    }

    fn unknown(&self, name: &str, layout: &Layout) -> Diagnostic {
        if self.named.contains(&Named::Components)
            && let several @ [_, _, ..] = names::components(layout, None, name).as_slice()
        {
            return names::ambiguous(name, several.iter().filter_map(|&face| Some(&*layout.faces.get(face)?.id)));
        }
        let all: Vec<String> = self.named.iter().flat_map(|named| named.all(layout)).collect();
        let error = Diagnostic::new(format!("no `{}` has to do with `{name}`", self.name));
        error.near_or(name, all.iter().map(String::as_str), format!("for example {}", self.about))
    }
}

impl Named {
    /// The id of what is called so, if it is one thing of this sort.
    fn called(self, name: &str, layout: &Layout) -> Option<String> {
        match self {
            Self::Components => {
                let face = names::component(layout, None, name).ok()?;
                Some(layout.faces.get(face)?.id.to_string())
            }
            Self::Zones => {
                let zone = names::zone(layout, None, name).ok()?;
                Some(layout.zones.get(zone.index())?.id.to_string())
            }
            Self::Variables => {
                let variable = names::variable(layout, None, name).ok()?;
                Some(layout.variables.get(variable)?.id.to_string())
            }
            Self::Seats | Self::Anything => None,
        }
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
        What::Reveal { component, .. } => ("reveal", vec![label(*component)]),
        What::Show { component, seat: who, .. } => ("show", vec![label(*component), seat(who)]),
        What::ShowChoice { seat: who, prompt, to, .. } => {
            ("show", [seat(who), prompt.to_string()].into_iter().chain(to.iter().map(seat)).collect())
        }
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

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::games::small;
    use crate::table::event::ScriptPoint;
    use crate::table::knowledge::Witnesses;

    /// Two players, three tiles, a die, a shared zone and one for each, a variable.
    const GAME: &str = "id = 'small'\nname = 'Small'\nplayers = { min = 2, max = 2 }\n\
        [components.tile]\nkind = 'token'\nid = 'tile-{number}'\nattributes = { number = { from = 1, to = 3 } }\n\
        [components.die]\nkind = 'die'\nid = 'die-{eyes}'\nattributes = { eyes = { from = 1, to = 1 } }\n\
        [zones.bag]\nname = 'bag'\norder = 'pile'\nvisible = 'none'\n\
        [zones.row]\nname = 'row'\nper = 'seat'\norder = 'row'\nvisible = 'all'\n\
        [variables.trump]\ndefault = ''\n";

    fn layout() -> Layout {
        let ruleset = small(GAME, "fn game() { }\n", &[], &[]);
        Layout::new(ruleset.definition.clone(), &ruleset.settings, 2)
    }

    fn parsed(typed: &str) -> Result<Pattern, Diagnostic> {
        Pattern::parse(&typed.split(' ').collect::<Vec<_>>(), &layout()).unwrap()
    }

    /// Whether an event is meant by what is typed.
    #[track_caller]
    fn fits(typed: &str, what: What) -> bool {
        let layout = layout();
        let event = Event { what, moves: 1, at: ScriptPoint::default(), witnesses: Witnesses::EVERYBODY };
        let pattern = Pattern::parse(&typed.split(' ').collect::<Vec<_>>(), &layout).unwrap().unwrap();
        assert_eq!(pattern.to_string(), typed);
        pattern.fits(&event, &layout, |component| layout.faces[component.index()].id.to_string())
    }

    fn seat(number: usize) -> Seat {
        Seat::from_number(number).unwrap()
    }

    fn zone(id: &str) -> Zone {
        layout().zone_named(id).unwrap()
    }

    fn variable(id: &str) -> usize {
        layout().variable_named(id).unwrap()
    }

    fn component(id: &str) -> Component {
        let number = layout().faces.iter().position(|face| &*face.id == id).unwrap();
        Component(number as u16)
    }

    #[test]
    fn a_kind_alone_means_every_event_of_it_and_no_other() {
        let moved = || What::Move { component: component("tile-2"), from: None, to: Some(zone("bag")), position: 0 };
        assert!(fits("move", moved()));
        for kind in KINDS.iter().filter(|kind| kind.name != "move") {
            assert!(!fits(kind.name, moved()), "{}", kind.name);
        }
        assert!(fits("turn", What::Turn(seat(2))) && !fits("round", What::Turn(seat(2))));
        assert!(fits("round", What::Round(3)) && fits("phase", What::Phase("deal".into())));
        assert!(fits("reveal", What::Reveal { component: component("tile-1"), side: 0 }));
    }

    #[test]
    fn everything_that_is_named_has_to_do_with_it() {
        let moved = || What::Move {
            component: component("tile-2"),
            from: Some(zone("bag")),
            to: Some(zone("p1.row")),
            position: 0,
        };
        for typed in ["move tile-2", "move bag", "move p1.row", "move tile-2 p1.row", "move p1.row bag"] {
            assert!(fits(typed, moved()), "{typed}");
        }
        for typed in ["move tile-1", "move p2.row", "move tile-2 p2.row", "move tile-1 bag"] {
            assert!(!fits(typed, moved()), "{typed}");
        }
        let roll = || What::Roll { die: component("die-1"), value: 4 };
        assert!(fits("roll die-1", roll()) && !fits("roll tile-1", roll()));
        let owned = |owner| What::Owned { component: component("tile-3"), owner };
        assert!(fits("owner p2", owned(Some(seat(2)))) && fits("owner tile-3 p2", owned(Some(seat(2)))));
        assert!(fits("owner tile-3", owned(None)) && !fits("owner p2", owned(None)));
        let shuffle = || What::Shuffle { zone: zone("bag"), bottom: None };
        assert!(fits("shuffle bag", shuffle()) && !fits("shuffle p1.row", shuffle()));
        let lot = || What::Lot { stream: "start".into(), value: Value::Seat(seat(2)) };
        assert!(fits("lot start", lot()) && fits("lot start p2", lot()) && !fits("lot start p1", lot()));
    }

    #[test]
    fn a_score_is_a_variable_that_an_award_sets() {
        let award = || What::Award { seat: seat(2), points: 3, reason: "stars".into(), score: 3, source: None };
        for typed in ["award", "award p2", "award stars", "award p2 stars", "set", "set p2.score"] {
            assert!(fits(typed, award()), "{typed}");
        }
        for typed in ["award p1", "award moons", "set p1.score", "set trump"] {
            assert!(!fits(typed, award()), "{typed}");
        }
        let set = || What::Set { variable: variable("trump"), value: Value::Text("tile-1".into()) };
        assert!(fits("set trump", set()) && !fits("set p1.score", set()) && !fits("award", set()));
    }

    #[test]
    fn what_the_game_does_not_have_is_refused_with_the_nearest() {
        for (typed, message, help) in [
            ("move tile-9", "no `move` has to do with `tile-9`", "did you mean `tile-1`?"),
            ("move p1.rwo", "no `move` has to do with `p1.rwo`", "did you mean `p1.row`?"),
            ("set p1.socre", "no `set` has to do with `p1.socre`", "did you mean `p1.score`?"),
            ("turn p3", "no `turn` has to do with `p3`", "did you mean `p1`?"),
            ("shuffle bga", "no `shuffle` has to do with `bga`", "did you mean `bag`?"),
            ("roll somebody", "no `roll` has to do with `somebody`", "for example a die is rolled"),
            ("move bag everything", "no `move` has to do with `everything`", "for example a component moves"),
        ] {
            let error = parsed(typed).unwrap_err();
            assert_eq!(error.message, message, "{typed}");
            assert!(error.help.iter().any(|line| line.starts_with(help)), "{typed}: {:?}", error.help);
        }
        // Words of the rules' own cannot be known beforehand.
        assert!(parsed("award whatever").is_ok() && parsed("note whatever").is_ok() && parsed("lot whatever").is_ok());
    }

    #[test]
    fn what_is_no_kind_of_event_is_none() {
        for typed in ["", "mvoe", "score", "intervention", "by hand", "Move"] {
            assert!(Pattern::parse(&typed.split(' ').collect::<Vec<_>>(), &layout()).is_none(), "{typed}");
        }
        assert!(Pattern::parse(&[], &layout()).is_none());
    }
}
