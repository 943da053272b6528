//! Tables that are the same to a seat: making one from another, and finding what a seat can tell two of them apart by.

use super::{Appearance, ObservedPosition, Viewer, VisibleZones};
use crate::table::chance::Stream;
use crate::table::event::{Event, EventData, ScriptPoint};
use crate::table::layout::Layout;
use crate::table::value::{Component, Seat, Value, Zone};
use crate::table::{State, Table};
use std::sync::Arc;

impl Table {
    /// Makes everything random that a seat does not know; see [`State::determinize`].
    pub fn determinize(&mut self, seat: Seat, stream: &mut Stream) {
        self.state.determinize(&self.layout, seat, stream);
        self.fronts_have_changed(|table, component| {
            let (known, side) = (table.state.known.of(component), table.state.sides[component.index()]);
            known.face & seat.bit() == 0 || side != 0 && known.side & seat.bit() == 0
        });
    }

    /// Turns the table into one that a seat can imagine: what the seat does not know is drawn from `stream`, and so is
    /// all chance to come. Without a seat, only chance is. Nothing is recorded on the table any more.
    pub fn imagine(&mut self, seat: Option<Seat>, stream: &mut Stream) {
        let _ = self.finish();
        if let Some(seat) = seat {
            self.determinize(seat, stream);
        }
        self.chance.reset(stream.below(usize::MAX) as u64);
    }

    /// The faces and sides that a seat knows, so that they can be kept.
    pub fn known_to(&self, seat: Seat) -> KeptFronts {
        let known = self.state.known.components.iter();
        KeptFronts(known.map(|known| (known.face & seat.bit() != 0, known.side & seat.bit() != 0)).collect())
    }

    /// Makes everything random that a seat does not know, like [`determinize`](Self::determinize), except for what
    /// `kept` names.
    pub fn determinize_except(&mut self, seat: Seat, kept: &KeptFronts, stream: &mut Stream) {
        let known = self.state.known.components.clone();
        for (known, &(face, side)) in self.state.known.components.iter_mut().zip(&kept.0) {
            known.face |= if face { seat.bit() } else { 0 };
            known.side |= if side { seat.bit() } else { 0 };
        }
        self.determinize(seat, stream);
        self.state.known.components = known;
    }

    /// The components in play whose face or side a seat does not know, in the order of the places where they lie.
    pub fn unknown_to(&self, seat: Seat) -> Vec<UnknownComponent> {
        let State { zones, known, faces, sides, .. } = &self.state;
        let placed = zones.iter().enumerate().flat_map(|(zone, held)| held.iter().map(move |held| (zone, *held)));
        let unknown = placed.filter_map(|(zone, component)| {
            let place = component.index();
            let has_unknown_face = known.components[place].face & seat.bit() == 0;
            let many = self.layout.faces[usize::from(faces[place])].sides.len();
            let is_unseen = known.components[place].side & seat.bit() == 0 && sides[place] != 0 && many > 1;
            let back = has_unknown_face.then_some(usize::from(self.layout.backs[place]));
            let holder = self.layout.zones[zone].seat;
            (has_unknown_face || is_unseen).then_some(UnknownComponent { component, holder, back })
        });
        unknown.collect()
    }

    /// Swaps the fronts of two components, that is their faces and sides, without any seat's knowing.
    pub fn swap_fronts(&mut self, one: Component, other: Component) {
        self.state.faces.swap(one.index(), other.index());
        self.state.sides.swap(one.index(), other.index());
        self.component_has_changed(one);
        self.component_has_changed(other);
    }

    /// Turns a component to one of its sides, from 1, without any seat's knowing. Gives the side that was up.
    pub fn turn_secretly(&mut self, component: Component, side: u8) -> u8 {
        self.component_has_changed(component);
        std::mem::replace(&mut self.state.sides[component.index()], side)
    }

    /// Number of sides of a component.
    pub fn sides_of(&self, component: Component) -> usize {
        self.layout.faces[usize::from(self.state.faces[component.index()])].sides.len()
    }

    /// The fronts of all components: which face each has, and which side is up.
    pub fn fronts(&self) -> Fronts {
        Fronts { faces: self.state.faces.clone(), sides: self.state.sides.clone() }
    }

    /// Replaces the fronts of all components, without any seat's knowing.
    pub fn set_fronts(&mut self, fronts: &Fronts) {
        self.fronts_have_changed(|table, component| {
            let (place, state) = (component.index(), &table.state);
            state.faces.get(place) != fronts.faces.get(place) || state.sides.get(place) != fronts.sides.get(place)
        });
        self.state.faces.clone_from(&fronts.faces);
        self.state.sides.clone_from(&fronts.sides);
    }
}

/// A component whose face or side a seat does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownComponent {
    /// The component.
    pub component: Component,
    /// The seat whose zone it lies in, if it is a seat's.
    pub holder: Option<Seat>,
    /// Index of its back, where the seat does not know its face: only components with the same back can be each other.
    /// `None` where the seat does not know its side alone, as of a die.
    pub back: Option<usize>,
}

/// The fronts of all components: which face each has, and which side is up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fronts {
    faces: Vec<u16>,
    sides: Vec<u8>,
}

/// For each component, whether its face and whether its side is to be kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptFronts(Vec<(bool, bool)>);

impl KeptFronts {
    /// Adds everything that `others` keeps.
    pub fn add(&mut self, others: &Self) {
        if self.0.len() < others.0.len() {
            self.0.resize(others.0.len(), (false, false));
        }
        for (kept, other) in self.0.iter_mut().zip(&others.0) {
            *kept = (kept.0 | other.0, kept.1 | other.1);
        }
    }

    /// Whether something has happened out of sight of a seat that knew `self` when the fronts were `then`, and knows
    /// `now`: it knows less than it did, or a component whose side it does not know shows another side.
    pub fn is_behind(&self, then: &Fronts, now: &Self, fronts: &Fronts) -> bool {
        let lost = self.0.iter().zip(&now.0).any(|(then, now)| then.0 && !now.0 || then.1 && !now.1);
        let sides = then.sides.iter().zip(&fronts.sides).zip(&now.0);
        lost || sides.into_iter().any(|((then, now), known)| then != now && !known.1)
    }
}

/// Everything on a table that a seat sees, with and without a perfect memory, or may read. Two tables are the same to
/// the seat where these are equal.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatObservation {
    views: [VisibleZones; 2],
    variables: Vec<ObservedValue>,
    phase: Option<Arc<str>>,
    turn: (i64, Option<Seat>, usize),
    time: i64,
}

impl SeatObservation {
    /// What a seat sees of a table.
    pub fn of(layout: &Layout, table: &State, seat: Seat) -> Self {
        let eyes = ObservedPosition::of(layout, table, None, &[], Viewer::Seat(seat));
        let variables = table.variables.iter().enumerate().filter(|(number, _)| eyes.may_read(*number));
        Self {
            variables: variables.map(|(_, value)| ObservedValue::of(layout, table, Some(seat), value)).collect(),
            views: [eyes.visible, VisibleZones::of(layout, table, Viewer::Memory(seat))],
            phase: table.phase.clone(),
            turn: (table.round, table.turn, table.turns),
            time: table.clock.now(),
        }
    }
}

impl State {
    /// Swaps the faces of components that `seat` does not know, at random among those with the same back, and rerolls
    /// dice whose value it does not see; handles stay where they are. To the seat, the table is the same afterwards.
    ///
    /// Tables that are the same to the seat give the same result, whichever components lie where: what is drawn goes to
    /// places, in their order, and the draw begins with the faces in an order that all such tables share.
    pub fn determinize(&mut self, layout: &Layout, seat: Seat, stream: &mut Stream) {
        let Self { zones, known, faces, sides, .. } = self;
        let mut placed: Vec<usize> = zones.iter().flatten().map(|component| component.index()).collect();
        if !placed.is_sorted_by_key(|&handle| layout.backs[handle]) {
            placed.sort_by_key(|&handle| layout.backs[handle]);
        }
        let mut fronts: Vec<u64> = Vec::with_capacity(placed.len());
        for alike in placed.chunk_by(|&one, &other| layout.backs[one] == layout.backs[other]) {
            let is_unknown = |handle: &&usize| known.components[**handle].face & seat.bit() == 0;
            let unknown = || alike.iter().filter(is_unknown);
            // What is printed, the side and the face, each in 16 bits: in the order of these, and small to sort.
            fronts.clear();
            fronts.extend(unknown().map(|&handle| {
                let (print, side, face) = (layout.prints[usize::from(faces[handle])], sides[handle], faces[handle]);
                u64::from(print) << 32 | u64::from(side) << 16 | u64::from(face)
            }));
            fronts.sort_unstable();
            stream.shuffle(&mut fronts);
            for (&handle, &front) in unknown().zip(&fronts) {
                (faces[handle], sides[handle]) = (front as u16, (front >> 16) as u8);
            }
            let is_unseen = |handle: usize| sides[handle] != 0 && known.components[handle].side & seat.bit() == 0;
            let unseen: Vec<usize> = alike.iter().copied().filter(|&handle| is_unseen(handle)).collect();
            for handle in unseen {
                let many = layout.faces[usize::from(faces[handle])].sides.len();
                // Whether a die was rolled at all is no secret.
                if many > 1 {
                    sides[handle] = stream.below(many) as u8 + 1;
                }
            }
        }
    }
}

/// A value, of an option or a variable, with its components as a seat can tell them: by what is printed on them where
/// the seat knows that, and by where they lie.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedValue {
    /// The value with [`Value::Nothing`] in place of its components.
    rest: Value,
    components: Vec<(Option<u16>, Option<Zone>, Option<usize>)>,
}

impl ObservedValue {
    /// A value as a seat sees it; for `None`, as a viewer of everything does.
    pub fn of(layout: &Layout, table: &State, seat: Option<Seat>, value: &Value) -> Self {
        let component = |component: Component| {
            let knows = seat.is_none_or(|seat| table.known.of(component).face & seat.bit() != 0);
            let zone = table.zones.place(component);
            let ordered = zone.filter(|zone| seat.is_none_or(|seat| layout.has_order_for(*zone, seat.bit())));
            let position = ordered.and_then(|zone| table.zones.held(zone).iter().position(|held| *held == component));
            let face = table.faces[component.index()];
            // What is out of play hides nothing, and has no place to be told by.
            let print = (knows || zone.is_none()).then(|| layout.prints[usize::from(face)]);
            (print, zone, position)
        };
        let components = value.components().into_iter().map(component).collect();
        Self { rest: value.with_components(&mut |_| Value::Nothing), components }
    }

    /// Whether two values are equal except for their components.
    pub fn is_of_same_sort(&self, other: &Self) -> bool {
        self.rest == other.rest && self.components.len() == other.components.len()
    }
}

impl State {
    /// Whether a seat cannot tell two components apart: they are copies in another player's hand that lie in the same
    /// way.
    pub fn are_copies_to(&self, layout: &Layout, seat: Seat, one: Component, other: Component) -> bool {
        let look = |one: Component| {
            let face = usize::from(self.faces[one.index()]);
            (layout.prints[face], self.sides[one.index()], self.owners[one.index()], self.zones.place(one))
        };
        let is_shown = |one: Component| self.known.of(one).shown & seat.bit() != 0;
        let lies_in_hand = self.zones.place(one).is_some_and(|zone| !layout.has_order_for(zone, seat.bit()));
        lies_in_hand && look(one) == look(other) && !is_shown(one) && !is_shown(other)
    }

    /// Shuffles the copies in each zone that a seat cannot tell apart.
    pub fn exchange_copies(&mut self, layout: &Layout, seat: Seat, stream: &mut Stream) {
        if !layout.has_copies {
            return;
        }
        for number in 0..layout.zones.len() {
            let zone = Zone(number as u16);
            for last in 1..self.zones.held(zone).len() {
                let held = self.zones.held(zone);
                let alike = (0..last).filter(|&place| self.are_copies_to(layout, seat, held[place], held[last]));
                let places: Vec<usize> = alike.chain([last]).collect();
                let place = places[stream.below(places.len())];
                self.zones.held_mut(zone).swap(place, last);
            }
        }
    }
}

/// An information leak: a difference by which a seat could tell apart two tables that have to look the same to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InformationLeak {
    /// Where the difference is, in a word: `options`, `refusals`, `question`, `view`, `log`, `variables`, `texts`.
    pub kind: &'static str,
    /// What the seat is told in the game.
    pub was: String,
    /// What the seat would be told if what it does not know were different.
    pub would_be: String,
}

/// A message to a seat about an event.
#[derive(Clone, Debug)]
pub struct Message {
    words: String,
    /// The point in the rules that caused the event.
    at: ScriptPoint,
}

impl InformationLeak {
    /// A difference between what a seat sees, with or without a perfect memory, on two tables that are the same to it.
    pub fn view_difference(layout: &Layout, was: &State, now: &State, seat: Seat) -> Option<Self> {
        [Viewer::Seat(seat), Viewer::Memory(seat)].into_iter().find_map(|viewer| {
            let (was, now) = (VisibleZones::of(layout, was, viewer), VisibleZones::of(layout, now, viewer));
            let mut zones = was.zones.iter().zip(&now.zones).enumerate();
            let (zone, (was, now)) = zones.find(|(_, (was, now))| was != now)?;
            let words = |seen: &[Appearance]| {
                let words = seen.iter().map(|seen| match seen {
                    Appearance::Back => "?".to_owned(),
                    Appearance::Face(front) => match front.side {
                        Some(0) => layout.faces[front.face].id.to_string(),
                        side => {
                            format!(
                                "{} {}",
                                layout.faces[front.face].id,
                                side.map_or("?".into(), |side| side.to_string())
                            )
                        }
                    },
                });
                format!("{} with {}", layout.zones[zone].id, words.collect::<Vec<_>>().join(", "))
            };
            Some(Self { kind: "view", was: words(was), would_be: words(now) })
        })
    }

    /// The first difference between the messages of two tables, with its point in the rules.
    pub fn message_difference(was: &[Message], now: &[Message]) -> Option<(Self, ScriptPoint)> {
        let first = (0..was.len().max(now.len())).find(|&number| {
            was.get(number).map(|message| &message.words) != now.get(number).map(|message| &message.words)
        })?;
        let words = |messages: &[Message]| {
            messages.get(first).map_or_else(|| "silent".to_owned(), |message| format!("`{}`", message.words))
        };
        let at = now.get(first).or_else(|| was.get(first)).map_or(ScriptPoint::default(), |message| message.at);
        Some((Self { kind: "log", was: words(was), would_be: words(now) }, at))
    }

    /// A difference in a variable that the seat may read, such as a score.
    pub fn variable_difference(layout: &Layout, was: &State, now: &State, seat: Seat) -> Option<Self> {
        let eyes = ObservedPosition::of(layout, was, None, &[], Viewer::Seat(seat));
        let sight =
            |table: &State, number: usize| ObservedValue::of(layout, table, Some(seat), &table.variables[number]);
        let differs = |number: &usize| eyes.may_read(*number) && sight(was, *number) != sight(now, *number);
        let number = (0..layout.variables.len()).find(differs)?;
        let words = |table: &State| {
            format!("{} = {}", layout.variables[number].id, layout.label(&table.faces, &table.variables[number]))
        };
        Some(Self { kind: "variables", was: words(was), would_be: words(now) })
    }
}

/// The messages to a seat about the events from a number on. Components are named by the print of their handles: what
/// the seat knows of them has not been swapped. Copies that are printed alike have one name.
pub fn messages(table: &Table, snapshot: &State, seat: Seat, from: usize) -> Vec<Message> {
    heard(table, snapshot, seat, from, &|one| format!("#{}", table.layout().prints[one.index()]))
}

/// The messages to a seat about all recorded events, as texts. Components are named by what is printed on them.
pub fn messages_in_words(table: &Table, seat: Seat) -> Vec<String> {
    let name = |one| format!("#{}", table.layout().prints[table.face(one)]);
    heard(table, table.state(), seat, 0, &name).into_iter().map(|message| message.words).collect()
}

fn heard(table: &Table, snapshot: &State, seat: Seat, from: usize, name: &dyn Fn(Component) -> String) -> Vec<Message> {
    let eyes = ObservedPosition::of(table.layout(), snapshot, None, &[], Viewer::Memory(seat));
    // Questions and changes by hand are compared separately.
    let is_compared = |event: &Event| matches!(event.what, EventData::Choice { .. } | EventData::Intervention { .. });
    let is_silent = |event: &Event| is_compared(event) || !eyes.hears_of(event);
    let events = table.recorded().get(from..).unwrap_or_default().iter().filter(|event| !is_silent(event));
    events.map(|event| Message { words: eyes.in_words(event, name), at: event.at }).collect()
}
