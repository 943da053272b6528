//! Explains why something on the table is as it is, and why an option is missing. The results are data: events, the
//! places in the rules that caused them, and expressions with their values. The caller puts them into words.

mod not;
mod reading;

use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics, unknown};
use crate::playthrough::change::running_score;
use crate::playthrough::{Playable, Position};
use crate::sorted::sort_by;
use crate::table::event::{Event, EventData, ScriptPoint};
use crate::table::knowledge::{ObservedPosition, Viewer, is_uncounted};
use crate::table::names;
use crate::table::value::{Component, Value, Zone};

pub use not::{ScriptLine, Verdict, WhyNot, why_not};

/// Something that can be asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The value of a variable, by its index in the layout.
    Variable(usize),
    /// How a component came to its place.
    Component(Component),
    /// How the components of a zone came there.
    Zone(Zone),
    /// The effects of the last choice.
    LastChoice,
}

/// The explanation of a subject.
#[derive(Clone, Debug, PartialEq)]
pub enum Why<'a> {
    Variable {
        /// The index of the variable in the layout.
        variable: usize,
        /// Its current value.
        value: &'a Value,
        /// All its changes since the game began.
        steps: Vec<Step<'a>>,
        /// For a score, its value if the game ended now, where the rules define it.
        ending: Option<Ending<'a>>,
    },
    Component {
        component: Component,
        /// The zone it lies in; `None` if it is out of play.
        zone: Option<Zone>,
        /// Everything that happened to it.
        steps: Vec<Step<'a>>,
    },
    Zone {
        zone: Zone,
        /// The number of components in it; `None` if the viewer is not told.
        count: Option<usize>,
        /// How each component came there, and the last shuffle; or everything that happened to the zone.
        steps: Vec<Step<'a>>,
    },
    /// The last choice, and everything that it caused.
    LastChoice(Vec<Step<'a>>),
}

/// An event with its cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<'a> {
    /// One event, or the moves of several components that moved the same way at once. The [`ObservedPosition`] decides
    /// what the viewer is told of them.
    pub events: Vec<&'a Event>,
    /// The place in the rules; `None` for a change by hand.
    pub cause: Option<Cause>,
}

/// A place in the rules, with its function and layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The point in the ruleset's scripts.
    pub at: ScriptPoint,
    /// File and line: `games/x/rules.rhai:31`.
    pub place: String,
    /// The function that contains it.
    pub function: Option<String>,
    /// The layer in words: `game`, `library trick`, `variant double`.
    pub layer: Message,
}

/// The value of a score if the game ended now.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending<'a> {
    /// The value depends on what the viewer may not see.
    Hidden,
    /// The score, with the awards it consists of.
    Score(i64, Vec<Step<'a>>),
}

impl Cause {
    /// The place at a point of the rules; `None` for a change by hand.
    pub fn of(loaded: &Playable, at: ScriptPoint) -> Option<Self> {
        let place = loaded.ruleset.file_line(at)?;
        let function = loaded.functions.iter().find(|info| info.at.line <= at.line && at.line <= info.last_line);
        let function = function.map(|info| info.name.clone());
        Some(Self { at, place, function, layer: loaded.ruleset.layer_in_words(at).unwrap_or_default() })
    }
}

/// A position of a game, with the viewer who asks about it.
#[derive(Clone, Copy)]
pub struct Observer<'a> {
    /// The rules in play.
    pub loaded: &'a Playable,
    /// The position of the game.
    pub position: &'a Position,
    /// The viewer whose knowledge limits the answers.
    pub viewer: Viewer,
}

impl<'a> Observer<'a> {
    /// The subject with a name: `last`, or a variable, zone or component of the game.
    ///
    /// # Errors
    /// Nothing or more than one thing has this name, or the viewer may not know where it is.
    pub fn subject(self, name: &str) -> Result<Subject, Diagnostics> {
        if name == "last" {
            return Ok(Subject::LastChoice);
        }
        let (layout, table) = (&self.loaded.layout, &self.position.table);
        let asked = self.position.open.as_ref().and_then(|open| open.seat);
        let (variable, zone) = (names::variable(layout, asked, name), names::zone(layout, asked, name));
        // A player's name search ignores what hidden dice show.
        let mut components = names::components(layout, Some(table).filter(|_| !self.viewer.is_limited()), name);
        if let Some(seats) = self.viewer.seats() {
            let taken_for = |face: usize| usize::from(table.known.apparent_face(layout, seats, face as u16));
            components.iter_mut().for_each(|face| *face = taken_for(*face));
            sort_by(&mut components, Ord::cmp);
            components.dedup();
        }
        // An exact id takes precedence over other names.
        let is_component = layout.face_named(name).is_some();
        let hidden = |message: Message| Diagnostic::new(message).help("`as all` shows everything").into();
        match (variable, zone, components.as_slice()) {
            (Ok(variable), ..) if !is_component || layout.variable_named(name).is_some() => {
                match self.observed_position().may_read(variable) {
                    true => Ok(Subject::Variable(variable)),
                    false => Err(hidden(message!("this view does not show {name}"))),
                }
            }
            (_, Ok(zone), _) if !is_component || layout.zone_named(name).is_some() => Ok(Subject::Zone(zone)),
            (.., &[face]) => {
                let eyes = self.observed_position();
                let handle = table.faces.iter().position(|&number| usize::from(number) == face);
                let meant = Component(handle.unwrap_or(face) as u16);
                // Among identical copies, a player means a visible one.
                let mut seen = table.zones.iter().flatten().copied().chain([meant]);
                let is_seen = |&one: &Component| eyes.front(one).face == eyes.front(meant).face && eyes.sees(one);
                match seen.find(is_seen) {
                    Some(component) => Ok(Subject::Component(component)),
                    None => Err(hidden(message!("this view does not show where {name} is"))),
                }
            }
            (.., several @ [_, _, ..]) => {
                let ids = several.iter().filter_map(|&face| Some(&*layout.faces.get(face)?.id));
                Err(names::ambiguous(name, ids).into())
            }
            _ => Err(match names::player(layout, name) {
                Some(seat) => Diagnostic::new(message!("{name} is a player"))
                    .help(message!("ask about what is the player's: `why {seat}.score`"))
                    .into(),
                None => {
                    let known = layout.variables.iter().map(|variable| &*variable.id);
                    let known = known.chain(layout.zones.iter().map(|zone| &*zone.id));
                    let known = known.chain(layout.faces.iter().map(|face| &*face.id));
                    unknown("variable, zone or component", name, known).into()
                }
            }),
        }
    }

    /// Explains a subject, as far as the viewer may know. With `whole`, everything that ever happened to a zone.
    ///
    /// # Errors
    /// Nothing has been chosen yet, so there is no last choice.
    pub fn why(self, subject: Subject, whole: bool) -> Result<Why<'a>, Diagnostics> {
        match subject {
            Subject::Variable(variable) => Ok(self.of_variable(variable)),
            Subject::Component(component) => Ok(self.of_component(component)),
            Subject::Zone(zone) => Ok(self.of_zone(zone, whole)),
            Subject::LastChoice => self.of_last_choice().ok_or_else(|| {
                Diagnostic::new("nothing has been chosen yet").help("`log all` shows how the game began").into()
            }),
        }
    }

    fn observed_position(self) -> ObservedPosition<'a> {
        self.position.observed_position(&self.loaded.layout, self.viewer)
    }

    fn of_variable(self, variable: usize) -> Why<'a> {
        let (layout, position) = (&self.loaded.layout, self.position);
        let sets = |event: &&Event| event.what.sets(layout).is_some_and(|(set, _)| set == variable);
        let steps = self.steps(position.events.iter().filter(sets));
        let ending = self.ending(variable);
        Why::Variable { variable, value: &position.table.variables[variable], steps, ending }
    }

    /// The value of a score if the game ended now, as far as the viewer may know; `None` for other variables, or where
    /// the rules do not define it. Past events are not read.
    pub fn ending(self, variable: usize) -> Option<Ending<'a>> {
        let (layout, position) = (&self.loaded.layout, self.position);
        let seat = layout.variables.get(variable)?.seat.filter(|&seat| layout.score_of(seat) == variable)?;
        let awards = position.standings.get(seat.index())?;
        // Other players' hidden components may count.
        if !self.observed_position().sees_standing_of(seat) {
            return Some(Ending::Hidden);
        }
        let sets = |event: &&Event| event.what.sets(layout).is_some_and(|(set, _)| set == variable);
        Some(Ending::Score(running_score(position, seat), self.steps(awards.iter().filter(sets))))
    }

    fn of_component(self, component: Component) -> Why<'a> {
        // Events from a time when it could not be told from others would reveal which one it was.
        let eyes = self.observed_position();
        let events: Vec<&Event> = self.position.events.iter().collect();
        let front = eyes.front(component).face;
        let handles = (0..self.loaded.layout.faces.len()).map(|handle| Component(handle as u16));
        let alike: Vec<Component> = handles.filter(|one| eyes.front(*one).face == front).collect();
        let told = events.iter().enumerate().filter(|(number, event)| {
            let could_tell = |&one: &Component| {
                let is_move =
                    |event: &&Event| matches!(event.what, EventData::Move { component: moved, .. } if moved == one);
                let then = || events.iter().copied().skip(*number).find(is_move);
                event.what.is_about(one) && eyes.could_identify(event, one, then())
            };
            alike.iter().any(could_tell)
        });
        let steps = self.steps(told.map(|(_, event)| *event));
        Why::Component { component, zone: self.position.table.zones.place(component), steps }
    }

    fn of_zone(self, zone: Zone, whole: bool) -> Why<'a> {
        let held = self.position.table.zones.held(zone);
        let events: Vec<&Event> = self.position.events.iter().collect();
        // Which of the components that went in are still there would reveal what was taken. Those that are gone are
        // explained by everything that happened to the zone.
        let is_all_told = held.is_empty() || whole || !self.observed_position().sees_all(zone);
        let steps = if is_all_told {
            self.steps(events.into_iter().filter(|event| event.what.touches(zone)))
        } else {
            let last = |is_it: &dyn Fn(&EventData) -> bool| events.iter().rposition(|event| is_it(&event.what));
            let came = |&component: &Component| {
                last(
                    &|what| matches!(*what, EventData::Move { component: moved, to, .. } if moved == component && to == Some(zone)),
                )
            };
            // After a shuffle of a part, the order of the rest stems from an earlier shuffle.
            let shuffle = |of_bottom: bool, of_top: bool| {
                let is_part = |part: &Option<usize>, is_it: bool| part.is_some() == is_it;
                last(&|what| {
                    matches!(what, EventData::Shuffle { zone: shuffled, bottom, top }
                        if *shuffled == zone && is_part(bottom, of_bottom) && is_part(top, of_top))
                })
            };
            let whole = shuffle(false, false);
            let parts = [shuffle(true, false), shuffle(false, true)].into_iter().flatten();
            let parts = parts.filter(|part| whole.is_none_or(|whole| *part > whole));
            let mut told: Vec<usize> = held.iter().filter_map(came).chain(whole).chain(parts).collect();
            sort_by(&mut told, Ord::cmp);
            self.steps(told.into_iter().filter_map(|number| events.get(number).copied()))
        };
        let count = (!is_uncounted(&self.loaded.layout, self.viewer, zone)).then_some(held.len());
        Why::Zone { zone, count, steps }
    }

    fn of_last_choice(self) -> Option<Why<'a>> {
        let events = &self.position.events;
        let choice = events.backwards().find(|event| matches!(event.what, EventData::Choice { .. }))?;
        let caused = events.of_move(choice.moves).iter().skip_while(|event| !std::ptr::eq(*event, choice));
        Some(Why::LastChoice(self.steps(caused)))
    }

    /// Events with their causes; equal moves caused at once by one place form one step.
    fn steps(self, events: impl Iterator<Item = &'a Event>) -> Vec<Step<'a>> {
        let events: Vec<&Event> = events.collect();
        let way = |event: &Event| match event.what {
            EventData::Move { from, to, .. } => Some((event.moves, from, to, event.at)),
            _ => None,
        };
        let together = events.chunk_by(|one, other| way(one).is_some() && way(one) == way(other));
        let step = |run: &[&'a Event]| {
            let at = run.first().map_or(ScriptPoint::default(), |event| event.at);
            Step { events: run.to_vec(), cause: Cause::of(self.loaded, at) }
        };
        together.map(step).collect()
    }
}
