//! Why something on the table is as it is, and why an option is not there. What is found is data: the events, the places
//! in the rules that caused them, expressions with their values. Whoever shows it puts it into words.

mod not;
mod reading;

use crate::diagnostic::{Diagnostic, Diagnostics, unknown};
use crate::playthrough::change::running_score;
use crate::playthrough::{Playable, Position};
use crate::table::event::{Event, ScriptPoint, What};
use crate::table::knowledge::{ObservedPosition, Viewer, is_uncounted};
use crate::table::names;
use crate::table::value::{Component, Value, Zone};

pub use not::{ScriptLine, Verdict, WhyNot, why_not};

/// Something that can be asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Why a variable has its value; by its number in the layout.
    Variable(usize),
    /// How a component came where it lies.
    Component(Component),
    /// How what lies in a zone came there.
    Zone(Zone),
    /// What the last choice caused.
    LastChoice,
}

/// What is known of a subject, and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub enum Why<'a> {
    Variable {
        /// The variable, by its number in the layout.
        variable: usize,
        /// What it is now.
        value: &'a Value,
        /// Each change of it since the game began.
        steps: Vec<Step<'a>>,
        /// If it is a score: what it would be if the game ended now, where the rules say so.
        ending: Option<Ending<'a>>,
    },
    Component {
        component: Component,
        /// Where it lies; nothing if it is out of play.
        zone: Option<Zone>,
        /// All that happened to it.
        steps: Vec<Step<'a>>,
    },
    Zone {
        zone: Zone,
        /// How many components lie in it; nothing if the viewer is not told.
        count: Option<usize>,
        /// How each of them came there, and the last shuffle; or everything that happened to the zone.
        steps: Vec<Step<'a>>,
    },
    /// Of the last choice: itself, and all that it caused.
    LastChoice(Vec<Step<'a>>),
}

/// Something that happened, and what caused it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<'a> {
    /// One event; or several components that moved the same way at once. What of it the viewer is told, the
    /// [`ObservedPosition`] know.
    pub events: Vec<&'a Event>,
    /// The place in the rules; nothing for what a person changed by hand.
    pub cause: Option<Cause>,
}

/// A place in the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Where it is in the ruleset's scripts.
    pub at: ScriptPoint,
    /// File and line: `games/x/rules.rhai:31`.
    pub place: String,
    /// The function that it stands in.
    pub function: Option<String>,
    /// The layer that it belongs to, in words: `game`, `library trick`, `variant double`.
    pub layer: String,
}

/// What a score would be if the game ended now.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending<'a> {
    /// It rests on what the viewer may not see.
    Hidden,
    /// A score, with the awards that make it.
    Score(i64, Vec<Step<'a>>),
}

impl Cause {
    /// What stands at a point of the rules; nothing for what was done by hand.
    pub fn of(loaded: &Playable, at: ScriptPoint) -> Option<Self> {
        let place = loaded.ruleset.file_line(at)?;
        let function = loaded.functions.iter().find(|info| info.at.line <= at.line && at.line <= info.last_line);
        let function = function.map(|info| info.name.clone());
        Some(Self { at, place, function, layer: loaded.ruleset.layer_in_words(at).unwrap_or_default() })
    }
}

/// A position of a game, and who asks about it.
#[derive(Clone, Copy)]
pub struct Observer<'a> {
    /// The rules in play.
    pub loaded: &'a Playable,
    /// Where the game stands.
    pub position: &'a Position,
    /// As whom the person looks.
    pub viewer: Viewer,
}

impl<'a> Observer<'a> {
    /// What is meant by a name: `last`, or a variable, zone or component of the game.
    ///
    /// # Errors
    /// Nothing is called so, or several things are; the viewer may not know where it is.
    pub fn subject(self, name: &str) -> Result<Subject, Diagnostics> {
        if name == "last" {
            return Ok(Subject::LastChoice);
        }
        let (layout, table) = (&self.loaded.layout, &self.position.table);
        let asked = self.position.open.as_ref().and_then(|open| open.seat);
        let (variable, zone) = (names::variable(layout, asked, name), names::zone(layout, asked, name));
        // What hidden dice show names none of them to a player.
        let mut components = names::components(layout, Some(table).filter(|_| !self.viewer.is_limited()), name);
        if let Some(seats) = self.viewer.seats() {
            let taken_for = |face: usize| usize::from(table.known.taken_for(layout, seats, face as u16));
            components.iter_mut().for_each(|face| *face = taken_for(*face));
            components.sort_unstable();
            components.dedup();
        }
        // An id means what it is the id of, whatever else is called so.
        let is_component = layout.face_named(name).is_some();
        let hidden = |message: String| Diagnostic::new(message).help("`as all` shows everything").into();
        match (variable, zone, components.as_slice()) {
            (Ok(variable), ..) if !is_component || layout.variable_named(name).is_some() => {
                match self.eyes().may_read(variable) {
                    true => Ok(Subject::Variable(variable)),
                    false => Err(hidden(format!("this view does not show {name}"))),
                }
            }
            (_, Ok(zone), _) if !is_component || layout.zone_named(name).is_some() => Ok(Subject::Zone(zone)),
            (.., &[face]) => {
                let eyes = self.eyes();
                let handle = table.faces.iter().position(|&number| usize::from(number) == face);
                let meant = Component(handle.unwrap_or(face) as u16);
                // Of copies that are printed alike a player means one that is seen, whichever that is.
                let mut seen = table.zones.iter().flatten().copied().chain([meant]);
                let is_seen = |&one: &Component| eyes.front(one).face == eyes.front(meant).face && eyes.sees(one);
                match seen.find(is_seen) {
                    Some(component) => Ok(Subject::Component(component)),
                    None => Err(hidden(format!("this view does not show where {name} is"))),
                }
            }
            (.., several @ [_, _, ..]) => {
                let ids = several.iter().filter_map(|&face| Some(&*layout.faces.get(face)?.id));
                Err(names::ambiguous(name, ids).into())
            }
            _ => Err(match names::player(layout, name) {
                Some(seat) => Diagnostic::new(format!("{name} is a player"))
                    .help(format!("ask about what is the player's: `why {seat}.score`"))
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

    /// Why something is as it is, as far as the viewer may know. With `whole`, all that ever happened to a zone.
    ///
    /// # Errors
    /// Nothing has been chosen yet, so that nothing was the last choice.
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

    fn eyes(self) -> ObservedPosition<'a> {
        self.position.eyes(&self.loaded.layout, self.viewer)
    }

    fn of_variable(self, variable: usize) -> Why<'a> {
        let (layout, position) = (&self.loaded.layout, self.position);
        let sets = |event: &&Event| event.what.sets(layout).is_some_and(|(set, _)| set == variable);
        let steps = self.steps(position.events.iter().filter(sets));
        let ending = self.ending(variable);
        Why::Variable { variable, value: &position.table.variables[variable], steps, ending }
    }

    /// What a score would be if the game ended now, as far as the viewer may know; nothing where the rules do not say, and
    /// of what is no score. What happened so far is not looked at.
    pub fn ending(self, variable: usize) -> Option<Ending<'a>> {
        let (layout, position) = (&self.loaded.layout, self.position);
        let seat = layout.variables.get(variable)?.seat.filter(|&seat| layout.score_of(seat) == variable)?;
        let awards = position.standings.get(seat.index())?;
        // What others hold in secret may count.
        if !self.eyes().sees_standing_of(seat) {
            return Some(Ending::Hidden);
        }
        let sets = |event: &&Event| event.what.sets(layout).is_some_and(|(set, _)| set == variable);
        Some(Ending::Score(running_score(position, seat), self.steps(awards.iter().filter(sets))))
    }

    fn of_component(self, component: Component) -> Why<'a> {
        // What happened while nobody could tell it from others would tell which of them it had been.
        let eyes = self.eyes();
        let events: Vec<&Event> = self.position.events.iter().collect();
        let front = eyes.front(component).face;
        let handles = (0..self.loaded.layout.faces.len()).map(|handle| Component(handle as u16));
        let alike: Vec<Component> = handles.filter(|one| eyes.front(*one).face == front).collect();
        let told = events.iter().enumerate().filter(|(number, event)| {
            let could_tell = |&one: &Component| {
                let is_move =
                    |event: &&Event| matches!(event.what, What::Move { component: moved, .. } if moved == one);
                let then = || events.iter().copied().skip(*number).find(is_move);
                event.what.is_about(one) && eyes.could_tell(event, one, then())
            };
            alike.iter().any(could_tell)
        });
        let steps = self.steps(told.map(|(_, event)| *event));
        Why::Component { component, zone: self.position.table.zones.place(component), steps }
    }

    fn of_zone(self, zone: Zone, whole: bool) -> Why<'a> {
        let held = self.position.table.zones.held(zone);
        let events: Vec<&Event> = self.position.events.iter().collect();
        // Which of the things that went into it are still there would tell what was taken; and what is not there any
        // more is told by what happened to the zone.
        let is_all_told = held.is_empty() || whole || !self.eyes().sees_all(zone);
        let steps = if is_all_told {
            self.steps(events.into_iter().filter(|event| event.what.touches(zone)))
        } else {
            let last = |is_it: &dyn Fn(&What) -> bool| events.iter().rposition(|event| is_it(&event.what));
            let came = |&component: &Component| {
                last(
                    &|what| matches!(*what, What::Move { component: moved, to, .. } if moved == component && to == Some(zone)),
                )
            };
            // A shuffle of a part leaves the order of the rest to the one before.
            let shuffle = |of_bottom: bool, of_top: bool| {
                let is_part = |part: &Option<usize>, is_it: bool| part.is_some() == is_it;
                last(&|what| {
                    matches!(what, What::Shuffle { zone: shuffled, bottom, top }
                        if *shuffled == zone && is_part(bottom, of_bottom) && is_part(top, of_top))
                })
            };
            let whole = shuffle(false, false);
            let parts = [shuffle(true, false), shuffle(false, true)].into_iter().flatten();
            let parts = parts.filter(|part| whole.is_none_or(|whole| *part > whole));
            let mut told: Vec<usize> = held.iter().filter_map(came).chain(whole).chain(parts).collect();
            told.sort_unstable();
            self.steps(told.into_iter().filter_map(|number| events.get(number).copied()))
        };
        let count = (!is_uncounted(&self.loaded.layout, self.viewer, zone)).then_some(held.len());
        Why::Zone { zone, count, steps }
    }

    fn of_last_choice(self) -> Option<Why<'a>> {
        let events = &self.position.events;
        let choice = events.backwards().find(|event| matches!(event.what, What::Choice { .. }))?;
        let caused = events.of_move(choice.moves).iter().skip_while(|event| !std::ptr::eq(*event, choice));
        Some(Why::LastChoice(self.steps(caused)))
    }

    /// Events with what caused each; what one place moved the same way at once stands together.
    fn steps(self, events: impl Iterator<Item = &'a Event>) -> Vec<Step<'a>> {
        let events: Vec<&Event> = events.collect();
        let way = |event: &Event| match event.what {
            What::Move { from, to, .. } => Some((event.moves, from, to, event.at)),
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
