//! What is kept of what happened, or told to somebody.

use crate::table::counts::EventCounts;
use crate::table::decision::Halt;
use crate::table::event::{Event, ScriptPoint, What};
use crate::table::knowledge::Witnesses;
use crate::table::{Fault, Metric, Table};
use std::sync::{Arc, Mutex, PoisonError};

/// Most memory that the record of one game may take, in bytes: events with their decisions, and what was chosen.
pub const MAX_RECORD: usize = 72 << 20;

/// What a table keeps of its past, and which point of the rules is at work.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub(super) recording: Option<Recording>,
    /// What the rules have measured, which is kept whether anybody reads the events or not.
    pub(super) metrics: Vec<Metric>,
    pub(super) at: ScriptPoint,
}

/// What a table keeps of what happened.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The events, in order.
    pub events: Vec<Event>,
    /// Whether each choice keeps the table as it was before.
    pub with_tables: bool,
    /// About how much memory the events hold, in bytes, with those that were taken away.
    bytes: usize,
    /// How many events were taken away.
    taken: usize,
    /// Who is told each event, instead of its being kept.
    listener: Option<Listener>,
    /// What is counted, instead of being kept. Choices are left out: to write down a question with all its options takes
    /// longer than to ask it, and who answers can count them.
    counts: Option<Box<EventCounts>>,
}

/// Is told each event as it happens, with the face of every component; false ends the game.
type EventCallback = dyn FnMut(&Event, &[u16]) -> bool + Send;

#[derive(Clone)]
struct Listener(Arc<Mutex<EventCallback>>);

impl Recording {
    /// Keeps nothing: each event is told as it happens, with the face of every component. Where `tell` gives false, the
    /// game ends.
    pub fn told(with_tables: bool, tell: impl FnMut(&Event, &[u16]) -> bool + Send + 'static) -> Self {
        Self { with_tables, listener: Some(Listener(Arc::new(Mutex::new(tell)))), ..Self::default() }
    }

    /// Keeps nothing: counts go on with each event. Choices are not counted.
    pub fn counted(counts: Box<EventCounts>) -> Self {
        Self { counts: Some(counts), ..Self::default() }
    }

    /// What was counted.
    pub fn into_counts(self) -> Option<Box<EventCounts>> {
        self.counts
    }

    /// Whether choices are recorded.
    pub(super) fn has_choices(&self) -> bool {
        self.counts.is_none()
    }

    /// Takes an event; false where nobody wants to know how the game goes on.
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
    /// Records what happens from now on.
    pub fn record(&mut self, recording: Recording) {
        self.record.recording = Some(recording);
    }

    /// Takes the recording away, at the end of a run.
    pub fn finish(&mut self) -> Option<Recording> {
        self.record.recording.take()
    }

    /// What has been recorded so far.
    pub fn recorded(&self) -> &[Event] {
        self.recording().map_or(&[], |recording| &recording.events)
    }

    /// What has been counted so far.
    pub fn event_counts(&self) -> Option<&EventCounts> {
        self.recording()?.counts.as_deref()
    }

    /// Takes away what has been recorded so far; it still counts as memory of the record.
    pub fn take_events(&mut self) -> Vec<Event> {
        let Some(recording) = &mut self.record.recording else { return Vec::new() };
        recording.taken += recording.events.len();
        std::mem::take(&mut recording.events)
    }

    /// How much memory the events hold that were recorded, in bytes.
    pub fn record_bytes(&self) -> usize {
        self.recording().map_or(0, |recording| recording.bytes)
    }

    /// About how much memory the recording holds, in bytes.
    #[cfg(feature = "reference")]
    pub fn recorded_bytes(&self) -> usize {
        // The list itself grows by doubling.
        self.recording().map_or(0, |recording| recording.bytes + 2 * recording.events.capacity() * size_of::<Event>())
    }

    /// That the record of a game has become larger than it may.
    #[cold]
    pub(crate) fn record_is_full(&self) -> Halt {
        let events = self.recording().map_or(0, |recording| recording.taken + recording.events.len());
        let so_far = format!("{} decisions and {events} events so far", self.decisions());
        Halt::Limit(format!("the record of this game takes more than {} MiB: {so_far}", MAX_RECORD >> 20))
    }

    pub(super) fn recording(&self) -> Option<&Recording> {
        self.record.recording.as_ref()
    }

    /// The point of the rules at which the last word stood.
    pub fn point(&self) -> ScriptPoint {
        self.record.at
    }

    /// Says which point of the rules causes what comes.
    pub fn set_point(&mut self, at: ScriptPoint) {
        self.record.at = at;
    }

    /// Something happened in the open: it is recorded, and counts as a change.
    pub(super) fn happened(&mut self, what: impl FnOnce() -> What) -> Result<(), Fault> {
        self.happened_before(Witnesses::EVERYBODY, what)
    }

    /// Something happened that not everybody could tell.
    pub(super) fn happened_before(&mut self, witnesses: Witnesses, what: impl FnOnce() -> What) -> Result<(), Fault> {
        match &mut self.record.recording {
            None => {}
            // Of most events nothing but the kind is looked at, so they need not be made.
            Some(Recording { counts: Some(counts), .. }) => counts.hear(&what()),
            Some(_) => self.write(what(), witnesses)?,
        }
        self.count_change()
    }

    #[cold]
    fn write(&mut self, what: What, witnesses: Witnesses) -> Result<(), Fault> {
        self.record_event(what, witnesses);
        if self.progress.halt == Some(Halt::Watched) {
            return Err(Fault::Halt(Halt::Watched));
        }
        if self.record_bytes() > MAX_RECORD {
            return Err(self.stop(self.record_is_full()));
        }
        Ok(())
    }

    /// Records an event as it stands, without counting it as a change.
    pub fn push_event(&mut self, what: What) {
        self.record_event(what, Witnesses::EVERYBODY);
    }

    fn record_event(&mut self, what: What, witnesses: Witnesses) {
        self.progress.interventions += usize::from(matches!(what, What::Intervention { .. }));
        let moves = self.progress.decisions + self.progress.interventions;
        let event = Event { what, moves, at: self.record.at, witnesses };
        if let Some(recording) = &mut self.record.recording
            && !recording.take(event, &self.state.faces)
        {
            self.end_watched();
        }
    }
}
