//! Patterns of events: `award p1`, `move 33`, `set p1.score`.

use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::table::event::{Content, Event, EventKind, KINDS, Nameable};
use crate::table::layout::Layout;
use crate::table::names;
use crate::table::value::{Component, Seats, Value};

/// The kinds of events that a pattern can have, as help lists them.
pub fn kinds() -> impl Iterator<Item = &'static EventKind> {
    KINDS.iter().filter(|kind| !kind.about.is_empty())
}

/// A pattern that matches events of one kind that involve everything named.
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
    /// Parses a pattern from typed words; `None` where the first word is no kind of event.
    ///
    /// # Errors
    /// The game has nothing of this name; with the nearest one.
    pub fn parse(words: &[&str], layout: &Layout) -> Option<Result<Self, Diagnostics>> {
        let (first, given) = words.split_first()?;
        let kind = kinds().find(|kind| kind.name == *first)?;
        let mut names = Vec::new();
        let mut rest = given;
        while let [unknown, ..] = rest {
            // Names can contain spaces.
            let found = (1..=rest.len()).rev().find_map(|count| {
                let (words, behind) = rest.split_at(count);
                Some((meant(kind, &words.join(" "), layout)?, behind))
            });
            let Some((name, behind)) = found else { return Some(Err(self::unknown(kind, unknown, layout).into())) };
            names.push(name);
            rest = behind;
        }
        Some(Ok(Self { kind: kind.name, names }))
    }

    /// Whether an event matches; `label` gives the current name of a component.
    pub fn fits(&self, event: &Event, layout: &Layout, label: impl Fn(Component) -> String) -> bool {
        let names: Vec<String> = if event.what.kind().name == self.kind {
            let fields = event.what.fields();
            let named = fields.iter().filter(|field| field.role.is_named());
            named.filter_map(|field| name_of(field.content, layout, &label)).collect()
        } else if self.kind == SET
            && let Some((variable, _)) = event.what.sets(layout)
        {
            name_of(Content::Variable(variable), layout, &label).into_iter().collect()
        } else {
            return false;
        };
        self.names.iter().all(|name| names.contains(name))
    }
}

/// The kind that matches every change of a variable, whatever caused it.
const SET: &str = "set";

/// The name of a part of an event, as a person types it.
fn name_of(content: Content<'_>, layout: &Layout, label: &impl Fn(Component) -> String) -> Option<String> {
    Some(match content {
        Content::Component(component) => label(component),
        Content::Zone(zone) => layout.zones.get(zone?.index())?.id.to_string(),
        Content::Seat(seat) => seat?.to_string(),
        Content::Variable(number) => layout.variables.get(number)?.id.to_string(),
        Content::Number(number) => number.to_string(),
        Content::Text(text) => text.to_owned(),
        Content::Value(Value::Seat(seat)) => seat.to_string(),
        Content::Option(option) => option.label.clone(),
        Content::Value(_) | Content::Values(_) => return None,
    })
}

/// The id of a named thing, by its id or its name on the table; words of the rules are accepted as they are.
fn meant(kind: &EventKind, name: &str, layout: &Layout) -> Option<String> {
    if kind.named.iter().any(|&sort| all(sort, layout).iter().any(|known| known == name)) {
        return Some(name.to_owned());
    }
    if let Some(id) = kind.named.iter().find_map(|&sort| called(sort, name, layout)) {
        return Some(id);
    }
    let is_word = kind.named.contains(&Nameable::Word) && !name.contains(' ');
    let number = name.strip_prefix('p').filter(|_| kind.named.contains(&Nameable::Seat));
    let is_absent_player = number.is_some_and(|number| number.parse::<usize>().is_ok());
    (is_word && !is_absent_player).then(|| name.to_owned())
}

fn unknown(kind: &EventKind, name: &str, layout: &Layout) -> Diagnostic {
    if kind.named.contains(&Nameable::Component)
        && let several @ [_, _, ..] = names::components(layout, None, name).as_slice()
    {
        return names::ambiguous(name, several.iter().filter_map(|&face| Some(&*layout.faces.get(face)?.id)));
    }
    let all: Vec<String> = kind.named.iter().flat_map(|&sort| all(sort, layout)).collect();
    let error = Diagnostic::new(message!("no `{}` involves `{name}`", kind.name));
    let error =
        error.near_or(name, all.iter().map(String::as_str), message!("for example {}", Message::from(kind.about)));
    let is_condition = name.contains(['.', '(', '=', '<', '>']) || nearest(name, ["if", "when", "where"]).is_some();
    match is_condition {
        true => error.help(message!("a condition stands behind `if`: `{} if p1.score > 3`", kind.name)),
        false => error,
    }
}

/// The id of the thing with a drawn name, if there is exactly one of this sort.
fn called(sort: Nameable, name: &str, layout: &Layout) -> Option<String> {
    Some(match sort {
        Nameable::Component => layout.faces.get(names::component(layout, None, name).ok()?)?.id.to_string(),
        Nameable::Zone => layout.zones.get(names::zone(layout, None, name).ok()?.index())?.id.to_string(),
        Nameable::Variable => layout.variables.get(names::variable(layout, None, name).ok()?)?.id.to_string(),
        Nameable::Seat | Nameable::Word => return None,
    })
}

/// The ids of everything of a sort in the game.
fn all(sort: Nameable, layout: &Layout) -> Vec<String> {
    match sort {
        Nameable::Seat => Seats::all(layout.seats).into_iter().map(|seat| seat.to_string()).collect(),
        Nameable::Component => layout.faces.iter().map(|face| face.id.to_string()).collect(),
        Nameable::Zone => layout.zones.iter().map(|zone| zone.id.to_string()).collect(),
        Nameable::Variable => layout.variables.iter().map(|variable| variable.id.to_string()).collect(),
        Nameable::Word => Vec::new(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::games::small;
    use crate::table::event::{EventData, ScriptPoint};
    use crate::table::knowledge::Witnesses;
    use crate::table::value::{Seat, Zone};

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

    fn parsed(typed: &str) -> Result<Pattern, Diagnostics> {
        Pattern::parse(&typed.split(' ').collect::<Vec<_>>(), &layout()).unwrap()
    }

    /// Whether a typed pattern matches an event.
    #[track_caller]
    fn fits(typed: &str, what: EventData) -> bool {
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
        let moved =
            || EventData::Move { component: component("tile-2"), from: None, to: Some(zone("bag")), position: 0 };
        assert!(fits("move", moved()));
        for kind in kinds().filter(|kind| kind.name != "move") {
            assert!(!fits(kind.name, moved()), "{}", kind.name);
        }
        assert!(fits("turn", EventData::Turn { seat: seat(2) }) && !fits("round", EventData::Turn { seat: seat(2) }));
        assert!(
            fits("round", EventData::Round { number: 3 }) && fits("phase", EventData::Phase { name: "deal".into() })
        );
        assert!(fits("reveal", EventData::Reveal { component: component("tile-1"), side: 0 }));
    }

    #[test]
    fn everything_that_is_named_has_to_do_with_it() {
        let moved = || EventData::Move {
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
        let roll = || EventData::Roll { die: component("die-1"), value: 4 };
        assert!(fits("roll die-1", roll()) && !fits("roll tile-1", roll()));
        let owned = |owner| EventData::Owner { component: component("tile-3"), owner };
        assert!(fits("owner p2", owned(Some(seat(2)))) && fits("owner tile-3 p2", owned(Some(seat(2)))));
        assert!(fits("owner tile-3", owned(None)) && !fits("owner p2", owned(None)));
        let shuffle = || EventData::Shuffle { zone: zone("bag"), bottom: None, top: None };
        assert!(fits("shuffle bag", shuffle()) && !fits("shuffle p1.row", shuffle()));
        let lot = || EventData::Lot { stream: "start".into(), value: Value::Seat(seat(2)) };
        assert!(fits("lot start", lot()) && fits("lot start p2", lot()) && !fits("lot start p1", lot()));
    }

    #[test]
    fn a_score_is_a_variable_that_an_award_sets() {
        let award = || EventData::Award {
            seat: seat(2),
            points: 3,
            reason: "stars".into(),
            score: 3,
            source: None,
            is_shared: false,
        };
        for typed in ["award", "award p2", "award stars", "award p2 stars", "set", "set p2.score"] {
            assert!(fits(typed, award()), "{typed}");
        }
        for typed in ["award p1", "award moons", "set p1.score", "set trump"] {
            assert!(!fits(typed, award()), "{typed}");
        }
        let set = || EventData::Set { variable: variable("trump"), value: Value::Text("tile-1".into()) };
        assert!(fits("set trump", set()) && !fits("set p1.score", set()) && !fits("award", set()));
    }

    #[test]
    fn what_the_game_does_not_have_is_refused_with_the_nearest() {
        for (typed, message, help) in [
            ("move tile-9", "no `move` involves `tile-9`", "did you mean `tile-1`?"),
            ("move p1.rwo", "no `move` involves `p1.rwo`", "did you mean `p1.row`?"),
            ("set p1.socre", "no `set` involves `p1.socre`", "did you mean `p1.score`?"),
            ("turn p3", "no `turn` involves `p3`", "did you mean `p1`?"),
            ("award p3", "no `award` involves `p3`", "did you mean `p1`?"),
            ("shuffle bga", "no `shuffle` involves `bga`", "did you mean `bag`?"),
            ("roll somebody", "no `roll` involves `somebody`", "for example a die is rolled"),
            ("move bag everything", "no `move` involves `everything`", "for example a component moves"),
        ] {
            let error = parsed(typed).unwrap_err();
            assert_eq!(error.first().message, message, "{typed}");
            assert!(error.first().help.iter().any(|line| line.starts_with(help)), "{typed}: {:?}", error.first().help);
        }
        // Words of the rules cannot be checked in advance.
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
