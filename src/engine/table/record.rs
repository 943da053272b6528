//! The record of a game: what is kept of the events, told to a listener or counted.

use crate::diagnostic::message;
use crate::table::counts::EventCounts;
use crate::table::decision::Halt;
use crate::table::event::{Event, EventData, ScriptPoint};
use crate::table::knowledge::Witnesses;
use crate::table::{Fault, Metric, Table};
use std::sync::{Arc, Mutex, PoisonError};

/// Largest size of the record of one game, in bytes: events with their decisions, and what was chosen.
pub const MAX_RECORD_BYTES: usize = 72 << 20;

/// What a table keeps of its past, and the point of the rules that is being executed.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub(super) recording: Option<Recording>,
    /// The metrics of the rules, which are kept whether anybody reads the events or not.
    pub(super) metrics: Vec<Metric>,
    pub(super) at: ScriptPoint,
}

/// A recording of events: they are kept, told to a listener, or counted.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The events, in order.
    pub events: Vec<Event>,
    /// Whether each choice keeps the table as it was before.
    pub with_tables: bool,
    /// Approximate size of the events in bytes, including those that were taken away.
    bytes: usize,
    /// Number of events that were taken away.
    taken: usize,
    /// The listener that is told each event; then none is kept.
    listener: Option<Listener>,
    /// The counts of events instead of the events. Choices are not counted: it takes longer to write down a question
    /// with all its options than to ask it, and the answerer can count them.
    counts: Option<Box<EventCounts>>,
}

/// A function that is told each event as it happens, with the face of every component; false ends the game.
type EventCallback = dyn FnMut(&Event, &[u16]) -> bool + Send;

#[derive(Clone)]
struct Listener(Arc<Mutex<EventCallback>>);

impl Recording {
    /// A recording that keeps nothing, and tells each event as it happens, with the face of every component. Where
    /// `tell` gives false, the game ends.
    pub fn with_listener(with_tables: bool, tell: impl FnMut(&Event, &[u16]) -> bool + Send + 'static) -> Self {
        Self { with_tables, listener: Some(Listener(Arc::new(Mutex::new(tell)))), ..Self::default() }
    }

    /// A recording that keeps nothing, and adds each event to `counts`. Choices are not counted.
    pub fn with_counts(counts: Box<EventCounts>) -> Self {
        Self { counts: Some(counts), ..Self::default() }
    }

    /// The counts; `None` for a recording that does not count.
    pub fn into_counts(self) -> Option<Box<EventCounts>> {
        self.counts
    }

    /// Whether choices are recorded.
    pub(super) fn has_choices(&self) -> bool {
        self.counts.is_none()
    }

    /// Takes an event; false where a listener ends the game.
    fn take(&mut self, event: Event, faces: &[u16]) -> bool {
        if let Some(counts) = &mut self.counts {
            counts.hear(&event.what);
            return true;
        }
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

impl Table {
    /// Starts a recording of what happens from now on.
    pub fn record(&mut self, recording: Recording) {
        self.record.recording = Some(recording);
    }

    /// Ends the recording, at the end of a run, and gives it.
    pub fn finish(&mut self) -> Option<Recording> {
        self.record.recording.take()
    }

    /// The events that have been recorded so far.
    pub fn recorded(&self) -> &[Event] {
        self.recording().map_or(&[], |recording| &recording.events)
    }

    /// The counts of events so far; `None` where they are not counted.
    pub fn event_counts(&self) -> Option<&EventCounts> {
        self.recording()?.counts.as_deref()
    }

    /// Removes the events that have been recorded so far, and gives them; they still count as memory of the record.
    pub fn take_events(&mut self) -> Vec<Event> {
        let Some(recording) = &mut self.record.recording else { return Vec::new() };
        recording.taken += recording.events.len();
        std::mem::take(&mut recording.events)
    }

    /// Size of the recorded events in bytes.
    pub fn record_bytes(&self) -> usize {
        self.recording().map_or(0, |recording| recording.bytes)
    }

    /// Approximate size of the recording in bytes.
    #[cfg(feature = "reference")]
    pub fn recorded_bytes(&self) -> usize {
        // The list itself grows by doubling.
        self.recording().map_or(0, |recording| recording.bytes + 2 * recording.events.capacity() * size_of::<Event>())
    }

    /// The halt of a run whose record has become larger than allowed.
    #[cold]
    pub(crate) fn record_is_full(&self) -> Halt {
        let events = self.recording().map_or(0, |recording| recording.taken + recording.events.len());
        let so_far = message!("{} decisions and {events} events so far", self.decisions());
        Halt::Limit(message!("the record of this game takes more than {} MiB: {so_far}", MAX_RECORD_BYTES >> 20))
    }

    pub(super) fn recording(&self) -> Option<&Recording> {
        self.record.recording.as_ref()
    }

    /// The point in the rules of the last word.
    pub fn point(&self) -> ScriptPoint {
        self.record.at
    }

    /// Sets the point in the rules that causes what comes next.
    pub fn set_point(&mut self, at: ScriptPoint) {
        self.record.at = at;
    }

    /// Records something that happened in the open, and counts it as a change.
    pub(super) fn record_open_event(&mut self, what: impl FnOnce() -> EventData) -> Result<(), Fault> {
        self.record_witnessed_event(Witnesses::EVERYBODY, what)
    }

    /// Records something that only some seats could tell, and counts it as a change.
    pub(super) fn record_witnessed_event(
        &mut self,
        witnesses: Witnesses,
        what: impl FnOnce() -> EventData,
    ) -> Result<(), Fault> {
        match &mut self.record.recording {
            None => {}
            // Counting looks at little more than the kind of an event, so most of it need not be made.
            Some(Recording { counts: Some(counts), .. }) => counts.hear(&what()),
            Some(_) => self.write(what(), witnesses)?,
        }
        self.count_change()
    }

    #[cold]
    fn write(&mut self, what: EventData, witnesses: Witnesses) -> Result<(), Fault> {
        self.record_event(what, witnesses);
        if self.progress.halt == Some(Halt::Watched) {
            return Err(Fault::Halt(Halt::Watched));
        }
        if self.record_bytes() > MAX_RECORD_BYTES {
            return Err(self.stop(self.record_is_full()));
        }
        Ok(())
    }

    /// Records an event, without counting it as a change.
    pub fn push_event(&mut self, what: EventData) {
        self.record_event(what, Witnesses::EVERYBODY);
    }

    fn record_event(&mut self, what: EventData, witnesses: Witnesses) {
        self.progress.interventions += usize::from(matches!(what, EventData::Intervention { .. }));
        let moves = self.progress.decisions + self.progress.interventions;
        let event = Event { what, moves, at: self.record.at, witnesses };
        if let Some(recording) = &mut self.record.recording
            && !recording.take(event, &self.state.faces)
        {
            self.end_watched();
        }
    }
}
