//! Components, zones, variables, chance, knowledge, events. Knows no script.
//!
//! A [`Table`] is everything that lies on it at one moment of a game. Rules change it only through the methods here:
//! a component moves in one operation, so it can be neither lost nor doubled; chance is keyed; and whatever happens is
//! recorded if somebody reads the record. The [`words`] that scripts use are thin over these methods.

pub mod attributes;
pub mod chance;
pub mod clock;
pub mod data;
pub mod decision;
pub mod event;
pub mod knowledge;
mod labels;
pub mod layout;
mod meddle;
pub mod names;
mod sides;
pub mod value;
pub mod words;

use crate::definition::Visibility;
use crate::diagnostic::did_you_mean;
use chance::{Chance, Stream};
use decision::{Answers, Decision, Halt, OptionShown, Options, Question};
use event::{Event, ScriptPoint, What};
use knowledge::{Knowledge, Witnesses};
use layout::{FaceValue, Layout};
use std::sync::{Arc, Mutex, PoisonError};
use value::{Component, NOBODY, Seat, Seats, Value, Zone};

/// Most decisions in one game; a game that needs more never ends. A real-time game of many rounds has some 200,000.
pub const MAX_DECISIONS: usize = 500_000;

/// Most changes in one game: moves, settings, marks, chance.
pub const MAX_CHANGES: u64 = 10_000_000;

/// Most memory that the record of one game may take, in bytes: events with their decisions, and what was chosen.
pub const MAX_RECORD: usize = 48 << 20;

/// Why a word of the vocabulary could not do what it was asked to.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The rules asked for something impossible.
    Rule {
        /// One sentence, in lower case.
        message: String,
        /// How to go on.
        help: Option<String>,
    },
    /// The run ends here: a decision is open, or a limit was reached.
    Halt(Halt),
}

/// Everything on the table at one moment, and who answers when a player is asked.
pub struct Table {
    layout: Arc<Layout>,
    faces: Vec<u16>,
    places: Vec<Option<Zone>>,
    zones: Vec<Vec<Component>>,
    known: Knowledge,
    /// For each component which side is up, or what a die shows; 0 for what has no sides and for a die not rolled.
    sides: Vec<u8>,
    owners: Vec<Option<Seat>>,
    variables: Vec<Value>,
    clock: clock::Clock,
    /// Keyed chance, and what was rigged.
    pub chance: Chance,
    phase: Option<Arc<str>>,
    round: i64,
    turn: Option<Seat>,
    turns: usize,
    decisions: usize,
    interventions: usize,
    changes: u64,
    /// How many of the changes were made by hand.
    meddled: u64,
    /// Number of the simultaneous choice that is being made, and how many there have been.
    together: Option<u32>,
    togethers: u32,
    alarm: u64,
    answers: Option<Box<dyn Answers>>,
    chosen: Vec<usize>,
    halt: Option<Halt>,
    open: Option<Arc<Decision>>,
    recording: Option<Recording>,
    at: ScriptPoint,
}

/// What a table keeps of what happened.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The events, in order.
    pub events: Vec<Event>,
    /// Whether each choice keeps the table as it was before.
    pub with_tables: bool,
    /// About how much memory the events hold, in bytes.
    bytes: usize,
    /// Who is told each event, instead of its being kept.
    listener: Option<Listener>,
}

/// Is told each event as it happens, with the face of every component; false ends the game.
type Tell = dyn FnMut(&Event, &[u16]) -> bool + Send;

#[derive(Clone)]
struct Listener(Arc<Mutex<Tell>>);

impl Recording {
    /// Keeps nothing: each event is told as it happens, with the face of every component. Where `tell` gives false, the
    /// game ends.
    pub fn told(with_tables: bool, tell: impl FnMut(&Event, &[u16]) -> bool + Send + 'static) -> Self {
        Self { with_tables, listener: Some(Listener(Arc::new(Mutex::new(tell)))), ..Self::default() }
    }

    /// Takes an event; false where nobody wants to know how the game goes on.
    fn take(&mut self, event: Event, faces: &[u16]) -> bool {
        if let Some(Listener(tell)) = &self.listener {
            return tell.lock().unwrap_or_else(PoisonError::into_inner)(&event, faces);
        }
        self.bytes += event.bytes();
        self.events.push(event);
        true
    }
}

impl std::fmt::Debug for Listener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Listener")
    }
}

/// A table at one moment, without chance and without those who answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Which face is on which component.
    pub faces: Vec<u16>,
    /// What lies in each zone, from bottom or left.
    pub zones: Vec<Vec<Component>>,
    /// What the seats know.
    pub known: Knowledge,
    /// For each component which side is up, or what a die shows; 0 for what has no sides and for a die not rolled.
    pub sides: Vec<u8>,
    /// For each component whose it is.
    pub owners: Vec<Option<Seat>>,
    /// Value of each variable.
    pub variables: Vec<Value>,
    /// The virtual clock of real-time games.
    pub clock: clock::Clock,
    /// The phase, where the rules have named one.
    pub phase: Option<Arc<str>>,
    /// The round, from 1; 0 where the rules count none.
    pub round: i64,
    /// Whose turn it is.
    pub turn: Option<Seat>,
    /// How many turns have begun.
    pub turns: usize,
}

impl Table {
    /// A table with nothing on it: every component is out of play.
    pub fn new(layout: Arc<Layout>, seed: u64, answers: Box<dyn Answers>) -> Self {
        let count = layout.faces.len();
        Self {
            faces: (0..count as u16).collect(),
            places: vec![None; count],
            zones: vec![Vec::new(); layout.zones.len()],
            known: Knowledge::new(count),
            sides: layout.faces.iter().map(sides::side_at_start).collect(),
            owners: vec![None; count],
            clock: clock::Clock::new(layout.seats),
            variables: layout.variables.iter().map(|variable| variable.default.clone()).collect(),
            chance: Chance::new(seed),
            phase: None,
            round: 0,
            turn: None,
            turns: 0,
            decisions: 0,
            interventions: 0,
            changes: 0,
            meddled: 0,
            together: None,
            togethers: 0,
            alarm: u64::MAX,
            answers: Some(answers),
            chosen: Vec::new(),
            halt: None,
            open: None,
            recording: None,
            at: ScriptPoint::default(),
            layout,
        }
    }

    /// Clears the table for another game without giving its memory back.
    pub fn reset(&mut self, seed: u64, answers: Box<dyn Answers>) {
        for (number, face) in self.faces.iter_mut().enumerate() {
            *face = number as u16;
        }
        self.places.fill(None);
        self.zones.iter_mut().for_each(Vec::clear);
        self.known.clear();
        for (side, face) in self.sides.iter_mut().zip(&self.layout.faces) {
            *side = sides::side_at_start(face);
        }
        self.owners.fill(None);
        self.clock = clock::Clock::new(self.layout.seats);
        for (value, variable) in self.variables.iter_mut().zip(&self.layout.variables) {
            value.clone_from(&variable.default);
        }
        self.chance = Chance::new(seed);
        self.phase = None;
        self.round = 0;
        self.turn = None;
        self.turns = 0;
        self.decisions = 0;
        self.interventions = 0;
        self.changes = 0;
        self.meddled = 0;
        self.together = None;
        self.togethers = 0;
        self.alarm = u64::MAX;
        self.answers = Some(answers);
        self.halt = None;
        self.open = None;
        self.recording = None;
        self.at = ScriptPoint::default();
    }

    /// Records what happens from now on.
    pub fn record(&mut self, recording: Recording) {
        self.recording = Some(recording);
    }

    /// Tells those who answer that the game begins.
    pub fn begin(&mut self) {
        if let Some(mut answers) = self.answers.take() {
            answers.begin(self);
            self.answers = Some(answers);
        }
    }

    /// The fixed part of the table.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// Why the run ended before its end, if it did.
    pub fn halt(&self) -> Option<&Halt> {
        self.halt.as_ref()
    }

    /// The open decision, if one is.
    pub fn open(&self) -> Option<&Arc<Decision>> {
        self.open.as_ref()
    }

    /// How many turns have begun.
    pub fn turns(&self) -> usize {
        self.turns
    }

    /// The round, from 1; 0 where the rules count none.
    pub fn round(&self) -> i64 {
        self.round
    }

    /// The phase, where the rules have named one.
    pub fn phase(&self) -> Option<&Arc<str>> {
        self.phase.as_ref()
    }

    /// How many changes there have been: a clock for interventions.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// How many changes the rules have made, choices and changes by hand left out: whether it moves tells whether a
    /// function only looks.
    pub fn changes_by_rules(&self) -> u64 {
        self.changes.wrapping_sub(self.meddled).wrapping_sub(self.decisions as u64)
    }

    /// How many decisions there have been.
    pub fn decisions(&self) -> usize {
        self.decisions
    }

    /// Lets those who answer intervene right after the change of this number.
    pub fn set_alarm(&mut self, change: u64) {
        self.alarm = change;
    }

    /// The point of the rules at which the last word stood.
    pub fn point(&self) -> ScriptPoint {
        self.at
    }

    /// Says which point of the rules causes what comes.
    pub fn set_point(&mut self, at: ScriptPoint) {
        self.at = at;
    }

    /// How much memory the events hold that were recorded, in bytes.
    pub fn record_bytes(&self) -> usize {
        self.recording.as_ref().map_or(0, |recording| recording.bytes)
    }

    /// That the record of a game has become larger than it may.
    #[cold]
    pub(crate) fn record_is_full(&self) -> Halt {
        let events = self.recording.as_ref().map_or(0, |recording| recording.events.len());
        let so_far = format!("{} decisions and {events} events so far", self.decisions);
        Halt::Limit(format!("the record of this game takes more than {} MiB: {so_far}", MAX_RECORD >> 20))
    }

    /// About how much memory the recording holds, in bytes.
    pub fn recorded_bytes(&self) -> usize {
        self.recording.as_ref().map_or(0, |recording| {
            // The list itself grows by doubling.
            recording.bytes + 2 * recording.events.capacity() * size_of::<Event>()
        })
    }

    /// What has been recorded so far.
    pub fn recorded(&self) -> &[Event] {
        self.recording.as_ref().map_or(&[], |recording| &recording.events)
    }

    /// Ends the run here, because whoever watches has seen enough.
    pub fn end_watched(&mut self) {
        self.halt = Some(Halt::Watched);
    }

    /// Takes away whoever answers, so that nobody can be asked, until [`Self::give_answers`].
    pub(crate) fn take_answers(&mut self) -> Option<Box<dyn Answers>> {
        self.answers.take()
    }

    /// Gives the table back whoever answers.
    pub(crate) fn give_answers(&mut self, answers: Option<Box<dyn Answers>>) {
        self.answers = answers;
    }

    /// Takes the recording away, at the end of a run.
    pub fn finish(&mut self) -> Option<Recording> {
        self.recording.take()
    }

    /// Another table with the same things on it and the same chance to come, for trying rules out.
    pub fn copy(&self, answers: Box<dyn Answers>) -> Self {
        let mut copy = Self::new(self.layout.clone(), 0, answers);
        copy.restore(self.snapshot());
        copy.chance = self.chance.clone();
        copy
    }

    /// The table at this moment.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            faces: self.faces.clone(),
            zones: self.zones.clone(),
            known: self.known.clone(),
            sides: self.sides.clone(),
            owners: self.owners.clone(),
            clock: self.clock.clone(),
            variables: self.variables.clone(),
            phase: self.phase.clone(),
            round: self.round,
            turn: self.turn,
            turns: self.turns,
        }
    }

    /// Puts the table back as it was, for instance after rules were tried out on it.
    pub fn restore(&mut self, snapshot: Snapshot) {
        self.places.fill(None);
        for (number, zone) in snapshot.zones.iter().enumerate() {
            for component in zone {
                self.places[component.index()] = Some(Zone(number as u16));
            }
        }
        self.faces = snapshot.faces;
        self.zones = snapshot.zones;
        self.known = snapshot.known;
        self.sides = snapshot.sides;
        self.owners = snapshot.owners;
        self.clock = snapshot.clock;
        self.variables = snapshot.variables;
        self.phase = snapshot.phase;
        self.round = snapshot.round;
        self.turn = snapshot.turn;
        self.turns = snapshot.turns;
    }

    // Components and their faces

    /// What lies in a zone, from bottom or left.
    pub fn zone(&self, zone: Zone) -> &[Component] {
        &self.zones[zone.index()]
    }

    /// The zone that a component lies in; nothing if it is out of play.
    pub fn place(&self, component: Component) -> Option<Zone> {
        self.places[component.index()]
    }

    /// The id of a component's face: `14`.
    pub fn label(&self, component: Component) -> &Arc<str> {
        &self.layout.faces[self.face(component)].id
    }

    /// The component that has the face of that id.
    pub fn component_named(&self, id: &str) -> Option<Component> {
        let face = self.layout.face_named(id)?;
        self.faces.iter().position(|&number| number == face.0).map(|handle| Component(handle as u16))
    }

    /// Which face is on which component.
    pub fn faces(&self) -> &[u16] {
        &self.faces
    }

    pub(crate) fn face(&self, component: Component) -> usize {
        usize::from(self.faces[component.index()])
    }

    /// The number of an attribute, by its name.
    ///
    /// # Errors
    /// An unknown attribute, with the nearest name.
    pub fn attribute(&self, name: &str) -> Result<usize, Fault> {
        self.layout
            .attributes
            .iter()
            .position(|known| known == name)
            .ok_or_else(|| Fault::unknown("attribute", name, self.layout.attributes.iter().map(String::as_str)))
    }

    /// The value of an attribute on a component's face; of `side` and `value`, what it shows now.
    pub fn face_value(&self, component: Component, attribute: usize) -> FaceValue {
        match self.layout.values[attribute][self.face(component)] {
            FaceValue::Absent => self.shown_value(component, attribute),
            printed => printed,
        }
    }

    // Moving

    /// Moves a component to the top (or right end) of a zone, or to a position in it, from 0 at the bottom or left.
    ///
    /// # Errors
    /// A position beyond the zone's end, or too many changes in one game.
    pub fn move_to(&mut self, component: Component, to: Zone, position: Option<usize>) -> Result<(), Fault> {
        let saw = self.seeing(component);
        let from = self.lift(component);
        let zone = &mut self.zones[to.index()];
        let position = match position {
            None => zone.len(),
            Some(position) if position <= zone.len() => position,
            Some(position) => {
                let message = format!("position {position} is beyond the end of {}", self.layout.zones[to.index()].id);
                return Err(Fault::rule(message));
            }
        };
        zone.insert(position, component);
        self.places[component.index()] = Some(to);
        let which = self.learn(component, saw, from, to, position);
        self.happened_before(Witnesses::of(which), || What::Move { component, from, to: Some(to), position })
    }

    /// Moves components one by one, in their order, to the top of a zone; of a pile that shows its top, only the last
    /// is seen.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn move_all(&mut self, list: &[Component], to: Zone) -> Result<(), Fault> {
        let mut sources: Vec<Zone> = Vec::new();
        let shows_top = self.layout.zones[to.index()].visible == Visibility::Top;
        for (number, &component) in list.iter().enumerate() {
            let saw = self.seeing(component);
            let from = self.unplace(component);
            sources.extend(from.filter(|from| !sources.contains(from)));
            let position = self.zones[to.index()].len();
            self.zones[to.index()].push(component);
            self.places[component.index()] = Some(to);
            let which = if shows_top && number + 1 < list.len() {
                self.leave(component, saw, from);
                saw
            } else {
                self.learn(component, saw, from, to, position)
            };
            let witnesses = Witnesses::of(which);
            self.happened_before(witnesses, || What::Move { component, from, to: Some(to), position })?;
        }
        // Where several were lifted together, nobody saw what lay between them.
        sources.into_iter().chain([to]).for_each(|zone| self.reveal_top(zone));
        Ok(())
    }

    /// Takes a component out of play.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn take_out(&mut self, component: Component) -> Result<(), Fault> {
        let which = self.seeing(component);
        let from = self.lift(component);
        self.places[component.index()] = None;
        self.leave(component, which, from);
        let witnesses = Witnesses::of(which);
        self.happened_before(witnesses, || What::Move { component, from, to: None, position: 0 })
    }

    /// Puts the components of a zone in random order; whoever does not see into the zone forgets what was where.
    ///
    /// # Errors
    /// Too many changes in one game; a rigged component that is not in the zone.
    pub fn shuffle(&mut self, zone: Zone) -> Result<(), Fault> {
        self.shuffle_bottom(zone, usize::MAX)
    }

    /// Puts the lowest components of a zone in random order, as many as given or as there are.
    ///
    /// # Errors
    /// Too many changes in one game; a rigged component that is not among them.
    pub fn shuffle_bottom(&mut self, zone: Zone, count: usize) -> Result<(), Fault> {
        let info = &self.layout.zones[zone.index()];
        let stream_name = format!("shuffle {}", info.id);
        let mut stream = self.chance.stream(&stream_name);
        let held = &mut self.zones[zone.index()];
        let count = count.min(held.len());
        let shuffled = &mut held[..count];
        stream.shuffle(shuffled);
        if let Some(rigged) = self.chance.take_rigged(&stream_name) {
            for (above, value) in rigged.iter().enumerate() {
                let Value::Component(face) = value else { continue };
                let Some(found) = shuffled.iter().position(|held| self.faces[held.index()] == face.0) else {
                    let id = &self.layout.faces[face.index()].id;
                    return Err(Fault::rule(format!("the shuffle was rigged with {id}, which is not in it")));
                };
                if let Some(place) = count.checked_sub(above + 1).filter(|place| found <= *place) {
                    shuffled[found..=place].rotate_left(1);
                }
            }
        }
        self.forget(zone, count);
        self.reveal_top(zone);
        let whole = count == self.zones[zone.index()].len();
        self.happened(|| What::Shuffle { zone, bottom: (!whole).then_some(count) })
    }

    /// Takes a component from where it lies; what comes to light below it is learned.
    fn lift(&mut self, component: Component) -> Option<Zone> {
        let from = self.unplace(component)?;
        self.reveal_top(from);
        Some(from)
    }

    fn unplace(&mut self, component: Component) -> Option<Zone> {
        let from = self.places[component.index()]?;
        let zone = &mut self.zones[from.index()];
        // Most components leave from the top.
        if let Some(position) = zone.iter().rposition(|&held| held == component) {
            zone.remove(position);
        }
        Some(from)
    }

    // Variables, marks, awards

    /// The value of a variable, by its number in the layout.
    pub fn variable(&self, variable: usize) -> &Value {
        &self.variables[variable]
    }

    /// Gives a variable a value. One that it has already is no change.
    ///
    /// # Errors
    /// A value of another type than the variable's default; too many changes in one game.
    pub fn set_variable(&mut self, variable: usize, value: Value) -> Result<(), Fault> {
        let info = &self.layout.variables[variable];
        if !is_of_type(&value, &info.default) {
            let type_held =
                if info.default == Value::Nobody { "a player or nobody" } else { type_in_words(&info.default) };
            let message = format!("{} holds {type_held}, not {}", info.id, type_in_words(&value));
            return Err(Fault::rule(message));
        }
        if self.variables[variable] == value {
            return Ok(());
        }
        self.variables[variable].clone_from(&value);
        self.happened(|| What::Set { variable, value })
    }

    /// Gives a player points, or takes them.
    ///
    /// # Errors
    /// A score beyond 64 bits; too many changes in one game.
    pub fn award(&mut self, seat: Seat, points: i64, reason: &str) -> Result<(), Fault> {
        self.award_for(seat, points, reason, None)
    }

    /// Gives points for something on the table, which `why` tells beside the reason.
    ///
    /// # Errors
    /// As [`award`](Self::award).
    pub fn award_for(&mut self, seat: Seat, points: i64, reason: &str, source: Option<&Value>) -> Result<(), Fault> {
        let variable = self.layout.score_of(seat);
        let Value::Number(score) = self.variables[variable] else {
            return Err(Fault::rule(format!("{seat}.score holds no number")));
        };
        let score = score
            .checked_add(points)
            .ok_or_else(|| Fault::rule(format!("{points} points are more than a score can hold")))?;
        self.variables[variable] = Value::Number(score);
        self.happened(|| What::Award { seat, points, reason: reason.into(), score, source: source.cloned() })
    }

    /// The score of a seat.
    pub fn score(&self, seat: Seat) -> i64 {
        match self.variables[self.layout.score_of(seat)] {
            Value::Number(score) => score,
            _ => 0,
        }
    }

    /// The seats by rank: the best score first; between equal scores the variables decide that the definition names.
    /// Seats that are equal in everything stand together.
    pub fn ranking(&self) -> Vec<Vec<Seat>> {
        let number = |variable: usize| match self.variables[variable] {
            Value::Number(number) => number,
            _ => 0,
        };
        let standing = |seat: Seat| -> Vec<i64> {
            std::iter::once(self.score(seat)).chain(self.layout.tie_breaks_of(seat).map(number)).collect()
        };
        let mut seats: Vec<(Vec<i64>, Seat)> =
            Seats::all(self.layout.seats).into_iter().map(|seat| (standing(seat), seat)).collect();
        seats.sort_by(|(left, _), (right, _)| right.cmp(left));
        let equal = seats.chunk_by(|(left, _), (right, _)| left == right);
        equal.map(|group| group.iter().map(|(_, seat)| *seat).collect()).collect()
    }

    /// A phase begins.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn begin_phase(&mut self, phase: &str) -> Result<(), Fault> {
        let phase: Arc<str> = phase.into();
        self.phase = Some(phase.clone());
        self.happened(|| What::Phase(phase))
    }

    /// The next round begins.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn begin_round(&mut self) -> Result<(), Fault> {
        self.round += 1;
        let round = self.round;
        self.happened(|| What::Round(round))
    }

    /// A player's turn begins.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn begin_turn(&mut self, seat: Seat) -> Result<(), Fault> {
        self.turn = Some(seat);
        self.turns += 1;
        self.happened(|| What::Turn(seat))
    }

    /// Writes a remark into the record; the values stand where the text has `{}`.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn note(&mut self, text: &str, values: &[Value]) -> Result<(), Fault> {
        self.happened(|| What::Note { text: text.into(), values: values.to_vec() })
    }

    /// Draws a number by lot, both ends included, or gives the one that was rigged.
    ///
    /// # Errors
    /// An empty range; a rigged number outside it; too many changes in one game.
    pub fn draw_number(&mut self, name: &str, low: i64, high: i64) -> Result<i64, Fault> {
        let span = high.checked_sub(low).and_then(|span| usize::try_from(span).ok()?.checked_add(1));
        let span = span.ok_or_else(|| Fault::rule(format!("there is no number from {low} to {high} for {name}")))?;
        let stream_name = format!("lot {name}");
        let mut drawn = low.wrapping_add_unsigned(self.chance.stream(&stream_name).below(span) as u64);
        if let Some([wanted, ..]) = self.chance.take_rigged(&stream_name).as_deref() {
            drawn = match wanted {
                Value::Number(wanted) if (low..=high).contains(wanted) => *wanted,
                wanted => {
                    let wanted = self.option_label(wanted);
                    let message = format!("the lot {name} was rigged with {wanted}, which is not from {low} to {high}");
                    return Err(Fault::rule(message));
                }
            };
        }
        self.happened(|| What::Lot { stream: name.into(), value: Value::Number(drawn) })?;
        Ok(drawn)
    }

    /// Draws lots: a position below `count`, or the one that was rigged.
    ///
    /// # Errors
    /// Nothing to draw from; too many changes in one game.
    pub fn draw_lots(&mut self, name: &str, options: Options<'_>) -> Result<usize, Fault> {
        if options.is_empty() {
            return Err(Fault::rule(format!("there is nothing to draw lots from for {name}")));
        }
        let stream_name = format!("lot {name}");
        let mut stream = self.chance.stream(&stream_name);
        let mut drawn = stream.below(options.len());
        if let Some([wanted, ..]) = self.chance.take_rigged(&stream_name).as_deref() {
            drawn = self.rigged_lot(name, &options, &self.option_label(wanted))?;
        }
        let seen = match options {
            Options::Components(list) => list.get(drawn).map_or(0, |&component| self.seeing(component)),
            _ => self.everybody(),
        };
        let witnesses = Witnesses::of(seen);
        self.happened_before(witnesses, || What::Lot { stream: name.into(), value: options.value(drawn) })?;
        Ok(drawn)
    }

    /// The position of what a lot was rigged with, by its label.
    fn rigged_lot(&self, name: &str, options: &Options<'_>, wanted: &str) -> Result<usize, Fault> {
        let values: Vec<Value> = (0..options.len()).map(|position| options.value(position)).collect();
        let labels = self.option_labels(values.iter());
        let called = |position: &usize| self.option_label(&values[*position]) == wanted;
        let found: Vec<usize> = match labels.iter().position(|label| label == wanted) {
            Some(position) => vec![position],
            None => (0..values.len()).filter(called).collect(),
        };
        match found[..] {
            [position] => Ok(position),
            [] => Err(Fault::rule(format!("the lot {name} was rigged with {wanted}, which is not in it"))),
            _ => {
                let meant: Vec<&str> = found.iter().map(|&position| labels[position].as_str()).collect();
                let meant = meant.join(" or ");
                Err(Fault::rule(format!("the lot {name} was rigged with {wanted}, which can mean {meant}")))
            }
        }
    }

    // Asking

    /// Asks a player and gives the positions of what was chosen.
    ///
    /// # Errors
    /// No legal option; a number of options to choose that cannot be; a [`Halt`] of whoever answers.
    pub fn decide(&mut self, question: &Question<'_>) -> Result<&[usize], Fault> {
        let count = question.options.len();
        if question.min > question.max || question.min > count || (count == 0 && question.max > 0) {
            return Err(self.undecidable(question));
        }
        if let Some(twins) = question.options.twins() {
            return Err(self.offered_twice(question.prompt, &question.options.value(twins.0), twins));
        }
        let secret = question.secret || self.layout.definition.secrets.contains(question.prompt);
        let question = &Question { secret, ..*question };
        self.decisions += 1;
        if self.decisions > MAX_DECISIONS {
            return Err(self.stop(Halt::Limit(format!("more than {MAX_DECISIONS} decisions in one game"))));
        }
        let Some(mut answers) = self.answers.take() else {
            self.decisions -= 1;
            return Err(Fault::rule(format!("{} cannot be asked here: nobody plays", question.prompt)));
        };
        let mut chosen = std::mem::take(&mut self.chosen);
        chosen.clear();
        let answered = answers.answer(self, question, &mut chosen);
        self.answers = Some(answers);
        self.chosen = chosen;
        if let Err(halt) = answered {
            if halt != Halt::Again {
                self.open = Some(Arc::new(self.written(question)));
            }
            return Err(self.stop(halt));
        }
        if self.recording.is_some() {
            let decision = Arc::new(self.written(question));
            let chosen = self.chosen.clone();
            let keep = self.recording.as_ref().is_some_and(|recording| recording.with_tables);
            let before = keep.then(|| Box::new(self.snapshot()));
            self.push_event(What::Choice { decision, chosen, clock: self.clock.now(), before });
        }
        if secret {
            self.keep_secret(self.decisions, question.seat, question.prompt);
        }
        self.changes += 1;
        self.let_intervene();
        Ok(&self.chosen)
    }

    /// Several players choose at the same time: until [`Self::end_together`], nobody knows what another chooses.
    ///
    /// # Errors
    /// One simultaneous choice within another.
    pub fn begin_together(&mut self) -> Result<(), Fault> {
        if self.together.is_some() {
            return Err(Fault::rule("a choice made together cannot hold another one"));
        }
        self.togethers += 1;
        self.together = Some(self.togethers);
        Ok(())
    }

    /// Everybody has chosen.
    pub fn end_together(&mut self) {
        self.together = None;
    }

    /// The number of the simultaneous choice that is being made, if one is.
    pub fn together(&self) -> Option<u32> {
        self.together
    }

    /// Whether somebody will read why options of the next question are refused.
    pub fn wants_reasons(&self) -> bool {
        self.answers.as_ref().is_some_and(|answers| answers.wants_reasons(self))
    }

    /// The label of a value that stands alone: what names it in texts and messages.
    pub fn option_label(&self, value: &Value) -> String {
        self.layout.label(&self.faces, value)
    }

    /// The labels of options that stand together, each of them long enough to be the only one of its kind.
    pub fn option_labels<'v>(&self, values: impl Iterator<Item = &'v Value>) -> Vec<String> {
        self.layout.labels(&self.faces, values)
    }

    /// That the same value stands twice in a list of options, at these positions.
    pub(crate) fn offered_twice(&self, prompt: &str, value: &Value, (first, second): (usize, usize)) -> Fault {
        let label = self.option_label(value);
        let message =
            format!("{label} is offered twice for {prompt}, as option {} and as option {}", first + 1, second + 1);
        let help = "nobody could tell the two apart: offer each value once".to_owned();
        Fault::Rule { message, help: Some(help) }
    }

    fn written(&self, question: &Question<'_>) -> Decision {
        let options: Vec<Value> =
            (0..question.options.len()).map(|position| question.options.value(position)).collect();
        let refused = question.refused.iter().map(|(value, _)| value);
        let mut labels = self.option_labels(options.iter().chain(refused)).into_iter();
        let mut shown = |value: Value| OptionShown { label: labels.next().unwrap_or_default(), value };
        Decision {
            number: self.decisions,
            seat: question.seat,
            prompt: question.prompt.into(),
            purpose: question.purpose.map(Into::into),
            together: self.together,
            secret: question.secret,
            by_clock: question.by_clock,
            options: options.into_iter().map(&mut shown).collect(),
            min: question.min,
            max: question.max,
            refused: question.refused.iter().map(|(value, reason)| (shown(value.clone()), reason.clone())).collect(),
            at: self.at,
        }
    }

    fn undecidable(&self, question: &Question<'_>) -> Fault {
        let who = question.seat.map_or("nobody".to_owned(), |seat| seat.to_string());
        let count = question.options.len();
        if count == 0 {
            let mut message = format!("{who} has no legal option for {}", question.prompt);
            for (value, reason) in question.refused.iter().take(4) {
                message.push_str(&format!("; {} was refused: {reason}", self.option_label(value)));
            }
            let help = "ask only where something can be chosen, or add an option to pass".to_owned();
            return Fault::Rule { message, help: Some(help) };
        }
        Fault::rule(format!(
            "{who} cannot choose {} to {} of {count} options for {}",
            question.min, question.max, question.prompt
        ))
    }

    fn let_intervene(&mut self) {
        if let Some(mut answers) = self.answers.take() {
            let before = self.changes;
            answers.intervene(self);
            self.meddled += self.changes - before;
            self.answers = Some(answers);
        }
    }

    /// Ends the run; from here on every word refuses to go on.
    fn stop(&mut self, halt: Halt) -> Fault {
        self.halt = Some(halt.clone());
        Fault::Halt(halt)
    }

    fn happened(&mut self, what: impl FnOnce() -> What) -> Result<(), Fault> {
        self.happened_before(Witnesses::EVERYBODY, what)
    }

    /// Something happened that not everybody could tell.
    fn happened_before(&mut self, witnesses: Witnesses, what: impl FnOnce() -> What) -> Result<(), Fault> {
        if self.recording.is_some() {
            self.record_event(what(), witnesses);
            if self.halt == Some(Halt::Watched) {
                return Err(Fault::Halt(Halt::Watched));
            }
            if self.record_bytes() > MAX_RECORD {
                return Err(self.stop(self.record_is_full()));
            }
        }
        self.count_change()
    }

    fn count_change(&mut self) -> Result<(), Fault> {
        self.changes += 1;
        if self.changes >= self.alarm {
            self.alarm = u64::MAX;
            self.let_intervene();
        }
        if self.changes > MAX_CHANGES {
            return Err(self.stop(Halt::Limit(format!("more than {MAX_CHANGES} changes in one game"))));
        }
        Ok(())
    }

    /// Records an event as it stands, without counting it as a change.
    pub fn push_event(&mut self, what: What) {
        self.record_event(what, Witnesses::EVERYBODY);
    }

    fn record_event(&mut self, what: What, witnesses: Witnesses) {
        self.interventions += usize::from(matches!(what, What::Intervention(_)));
        let event = Event { what, moves: self.decisions + self.interventions, at: self.at, witnesses };
        if let Some(recording) = &mut self.recording
            && !recording.take(event, &self.faces)
        {
            self.end_watched();
        }
    }
}

impl Snapshot {
    /// About how much memory it holds, in bytes.
    fn bytes(&self) -> usize {
        let zones: usize = self.zones.iter().map(|held| 24 + held.capacity() * 2).sum();
        size_of::<Self>()
            + self.faces.len() * 22
            + self.known.choices.len() * 64
            + zones
            + self.variables.len() * size_of::<Value>()
    }

    /// Swaps the faces of components that `seat` does not know, in a random way and among those with the same back, and
    /// rolls dice anew whose value it does not see; handles stay where they are. To the seat, the table is the same
    /// afterwards.
    pub fn determinize(&mut self, layout: &Layout, seat: Seat, stream: &mut Stream) {
        let mut in_play = vec![false; self.faces.len()];
        for component in self.zones.iter().flatten() {
            in_play[component.index()] = true;
        }
        for alike in &layout.backs {
            let handles = || alike.iter().cloned().flatten().map(usize::from).filter(|&handle| in_play[handle]);
            let unknown: Vec<usize> = handles().filter(|&handle| self.known.faces[handle] & seat.bit() == 0).collect();
            let mut faces: Vec<(u16, u8)> =
                unknown.iter().map(|&handle| (self.faces[handle], self.sides[handle])).collect();
            stream.shuffle(&mut faces);
            for (handle, (face, side)) in unknown.into_iter().zip(faces) {
                self.faces[handle] = face;
                self.sides[handle] = side;
            }
            let unseen = handles().filter(|&handle| self.known.sides[handle] & seat.bit() == 0);
            for handle in unseen {
                let sides = layout.faces[usize::from(self.faces[handle])].sides.len();
                // Whether a die was rolled at all is no secret.
                if self.sides[handle] != 0 && sides > 1 {
                    self.sides[handle] = stream.below(sides) as u8 + 1;
                }
            }
        }
    }
}

impl Fault {
    /// Something impossible, in one sentence.
    pub fn rule(message: impl Into<String>) -> Self {
        Self::Rule { message: message.into(), help: None }
    }

    /// An unknown name of some sort, with the nearest known one.
    pub fn unknown<'a>(sort: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        Self::Rule { message: format!("there is no {sort} `{name}`"), help: did_you_mean(name, known) }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rule { message, help: None } => write!(f, "{message}"),
            Self::Rule { message, help: Some(help) } => write!(f, "{message}; {help}"),
            Self::Halt(Halt::Limit(reason)) => write!(f, "{reason}"),
            Self::Halt(_) => write!(f, "the run ended here"),
        }
    }
}

/// Whether a value can stand where a variable began with another one. Nobody stands for any player.
fn is_of_type(value: &Value, default: &Value) -> bool {
    match (value, default) {
        (Value::Seat(_), Value::Nobody) => true,
        _ => std::mem::discriminant(value) == std::mem::discriminant(default),
    }
}

fn type_in_words(value: &Value) -> &'static str {
    match value {
        Value::Number(_) => "a number",
        Value::Truth(_) => "true or false",
        Value::Text(_) => "a text",
        Value::Component(_) => "a component",
        Value::Seat(_) => "a player",
        Value::Nobody => NOBODY,
        Value::Zone(_) => "a zone",
        Value::Parts(_) => "an option of several parts",
        Value::List(_) => "a list",
    }
}
