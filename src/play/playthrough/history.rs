//! The event history of a game, in order. A long one keeps only its latest events in memory; older ones are reproduced
//! by running the log again when they are read.

use crate::playthrough::log::LogEntry;
use crate::playthrough::run::{InterventionTimes, LogAnswers};
use crate::script::rules::Rules;
use crate::script::{End, Start};
use crate::sorted::{SortedMap, SortedSet};
use crate::table::Recording;
use crate::table::decision::{Answerer as _, Halt};
use crate::table::event::{Event, EventData};
use crate::table::knowledge::ShownSecretChoice;
use crate::table::value::{Component, Zone};
use crate::work::Work;
use std::collections::VecDeque;
use std::iter::Flatten;
use std::sync::{Arc, OnceLock};
use std::{array, fmt};

/// Memory limit of the events kept, in bytes; above it, only the latest half of the limit stays.
const MAX_EVENT_BYTES: usize = 1 << 20;

/// The events of a game, in order.
///
/// Reading events that are not in memory runs the log once more, which cannot be stopped. They are then held until the
/// history is shortened again; [`for_each`](Self::for_each) alone holds nothing.
#[derive(Clone, Default)]
pub struct History {
    /// The events no longer in memory, if any.
    older: Option<UnloadedEvents>,
    /// The latest events. A move is never split between `older` and `recent`.
    recent: Vec<Event>,
    /// Approximate size of `recent` in bytes.
    bytes: usize,
}

/// Events no longer in memory.
#[derive(Clone)]
struct UnloadedEvents {
    /// The number of events: the first ones that the source produces.
    count: usize,
    /// The run that reproduces them; `None` while a log is being followed.
    source: Option<Arc<Source>>,
    /// A summary of them; `None` where some were cut off and the log is still being followed.
    digest: Option<Arc<Digest>>,
}

/// The inputs of a run, which produces the same events each time.
pub(super) struct Source {
    pub rules: Arc<Rules>,
    pub start: Start,
    pub seed: u64,
    /// The log of the run; it may be longer than needed.
    pub log: Arc<Vec<LogEntry>>,
    pub resolved: InterventionTimes,
    /// The events from the beginning on, once somebody has read them.
    pub events: OnceLock<Vec<Event>>,
}

/// For each component whose side was ever told, the last event that told it.
pub type SidesShown = SortedMap<Component, Event>;

/// A summary of past events that drawings need, so that these need not read the events.
#[derive(Clone, Default)]
struct Digest {
    shown: Vec<ShownSecretChoice>,
    reached: SortedSet<Zone>,
    sides: SidesShown,
}

/// The state of a history before a log was followed, to restore it where the run is stopped.
pub(super) struct HistoryBefore {
    older: Option<UnloadedEvents>,
    /// Events that were in memory and have been dropped.
    let_go: Vec<Event>,
    /// The number of events behind those that are still in memory.
    kept: usize,
    /// The events cut off behind these.
    cut: Vec<Event>,
    bytes: usize,
}

impl History {
    /// The number of events.
    pub fn len(&self) -> usize {
        self.border() + self.recent.len()
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The latest event; `None` where nothing has happened.
    pub fn last(&self) -> Option<&Event> {
        self.backwards().next()
    }

    /// All events, in order.
    pub fn iter(&self) -> Flatten<array::IntoIter<&[Event], 2>> {
        self.since(0).into_iter().flatten()
    }

    /// Calls `read` with every event once, in order, without keeping older events in memory.
    pub fn for_each(&self, mut read: impl FnMut(&Event)) {
        if let Some(older) = &self.older {
            older.for_each(&mut read);
        }
        self.recent.iter().for_each(read);
    }

    /// All events, the latest first. Older ones are reproduced when the iteration reaches them.
    pub fn backwards(&self) -> impl Iterator<Item = &Event> {
        self.stretches_backwards().flat_map(|events| events.iter().rev())
    }

    /// The events up to and including move `number`, the latest first.
    pub fn backwards_from(&self, number: usize) -> impl Iterator<Item = &Event> {
        let up_to = move |events: &[Event]| events.partition_point(|event| event.moves <= number);
        self.stretches_backwards().flat_map(move |events| events[..up_to(events)].iter().rev())
    }

    /// The events after the first `count`, in two slices, each of which may be empty. A move is never split between
    /// them.
    pub fn since(&self, count: usize) -> [&[Event]; 2] {
        match count.checked_sub(self.border()) {
            Some(count) => [&[], self.recent.get(count..).unwrap_or_default()],
            None => [self.older().get(count..).unwrap_or_default(), &self.recent],
        }
    }

    /// The events of move `number`, counted from 1; number 0 stands for what happened before the first move.
    pub fn of_move(&self, number: usize) -> &[Event] {
        let [older, recent] = self.from_move(number);
        let events = if older.is_empty() { recent } else { older };
        &events[..events.partition_point(|event| event.moves <= number)]
    }

    /// The events from move `number` on, in two slices as [`since`](Self::since) returns them.
    pub fn from_move(&self, number: usize) -> [&[Event]; 2] {
        let older = if self.recent.first().is_some_and(|first| first.moves <= number) { &[] } else { self.older() };
        [older, &self.recent].map(|events| &events[events.partition_point(|event| event.moves < number)..])
    }

    /// All events, in order.
    pub fn into_vec(self) -> Vec<Event> {
        if self.older.is_none() {
            return self.recent;
        }
        let mut events = Vec::with_capacity(self.len());
        self.for_each(|event| events.push(event.clone()));
        events
    }

    /// The secret choices that were shown to somebody.
    pub fn shown_choices(&self) -> Vec<ShownSecretChoice> {
        let older = self.digest().map(|digest| digest.shown.as_slice()).unwrap_or_default();
        older.iter().copied().chain(self.recent.iter().filter_map(ShownSecretChoice::of)).collect()
    }

    /// The zones that a component ever moved to.
    pub fn zones_reached(&self) -> SortedSet<Zone> {
        let mut reached = self.digest().map(|digest| digest.reached.clone()).unwrap_or_default();
        reached.extend(self.recent.iter().filter_map(zone_reached));
        reached
    }

    /// The events in memory, and the last event about each component's side before them.
    pub fn at_hand(&self) -> (&[Event], Option<&SidesShown>) {
        (&self.recent, self.digest().map(|digest| &digest.sides))
    }

    /// All events in two slices, the later one first. The other is reproduced when the iteration reaches it.
    pub fn stretches_backwards(&self) -> impl Iterator<Item = &[Event]> {
        std::iter::once(&self.recent[..]).chain(std::iter::once_with(|| self.older()))
    }

    /// Whether all events are in memory, so that reading them runs nothing.
    pub fn is_held(&self) -> bool {
        let source = |older: &UnloadedEvents| older.source.as_ref().is_some_and(|source| source.events.get().is_some());
        self.older.as_ref().is_none_or(source)
    }

    /// The number of events not in memory.
    fn border(&self) -> usize {
        self.older.as_ref().map_or(0, |older| older.count)
    }

    fn older(&self) -> &[Event] {
        self.older.as_ref().map_or(&[], UnloadedEvents::events)
    }

    fn digest(&self) -> Option<&Digest> {
        self.older.as_ref().and_then(|older| older.digest.as_deref())
    }

    pub(super) fn append(&mut self, events: Vec<Event>) {
        self.bytes += events.iter().map(Event::bytes).sum::<usize>();
        self.recent.extend(events);
    }

    /// Called once a log was followed to its end; `source` reproduces all events. Drops older events where too many are
    /// in memory.
    pub(super) fn settle(&mut self, source: impl FnOnce() -> Source) {
        self.evict();
        let Some(older) = &mut self.older else { return };
        older.source.get_or_insert_with(|| Arc::new(source()));
        if older.digest.is_none() {
            self.reload();
        }
    }

    /// Drops older events where too many are in memory, and returns them.
    fn evict(&mut self) -> Vec<Event> {
        // The summary of earlier events is known again only at the end of the log.
        let is_unknown = self.older.as_ref().is_some_and(|older| older.digest.is_none());
        if self.bytes <= MAX_EVENT_BYTES || is_unknown {
            return Vec::new();
        }
        let mut left = MAX_EVENT_BYTES / 2;
        let stays = |event: &&Event| {
            let fits = left.checked_sub(event.bytes());
            left = fits.unwrap_or(0);
            fits.is_some()
        };
        let stay = self.recent.iter().rev().take_while(stays).count();
        let Some(first) = self.recent.get(self.recent.len() - stay).or(self.recent.last()) else { return Vec::new() };
        let border = self.recent.partition_point(|event| event.moves < first.moves);
        if border == 0 {
            return Vec::new();
        }
        let mut digest = self.digest().cloned().unwrap_or_default();
        self.recent[..border].iter().for_each(|event| digest.add(event));
        let older = UnloadedEvents { count: self.border() + border, source: None, digest: Some(Arc::new(digest)) };
        let recent = self.recent.split_off(border);
        std::mem::replace(self, Self { older: Some(older), ..Self::from(recent) }).recent
    }

    /// Brings the latest of the older events back into memory after some were cut off, since undo is often repeated.
    fn reload(&mut self) {
        let Some(older) = self.older.take() else { return };
        let (mut digest, mut count, mut last_move) = (Digest::default(), 0, None);
        let (mut taken, mut bytes): (VecDeque<Event>, usize) = Default::default();
        older.for_each(&mut |event| {
            bytes += event.bytes();
            taken.push_back(event.clone());
            while let Some(first) = taken.pop_front() {
                // A move is not split.
                if bytes <= MAX_EVENT_BYTES / 2 && last_move != Some(first.moves) {
                    taken.push_front(first);
                    break;
                }
                (count, last_move) = (count + 1, Some(first.moves));
                bytes -= first.bytes();
                digest.add(&first);
            }
        });
        self.recent.splice(..0, taken);
        self.bytes += bytes;
        self.older = (count > 0).then(|| UnloadedEvents { count, digest: Some(Arc::new(digest)), ..older });
    }
}

impl UnloadedEvents {
    fn events(&self) -> &[Event] {
        let Some(source) = &self.source else { return &[] };
        let events = source.events.get_or_init(|| {
            let mut events = Vec::new();
            source.run(&mut |stretch| {
                events.extend(stretch);
                true
            });
            events
        });
        debug_assert!(events.len() >= self.count);
        events.get(..self.count).unwrap_or(events)
    }

    fn for_each(&self, read: &mut dyn FnMut(&Event)) {
        let Some(source) = &self.source else { return };
        if source.events.get().is_some() {
            return self.events().iter().for_each(read);
        }
        let mut left = self.count;
        source.run(&mut |stretch| {
            stretch.iter().take(left).for_each(&mut *read);
            left = left.saturating_sub(stretch.len());
            left > 0
        });
        debug_assert!(left == 0);
    }
}

impl Source {
    /// Runs the log and passes the events to `take`, stretch by stretch, while that returns true. The run cannot be
    /// stopped otherwise: it is known to come this far.
    fn run(&self, take: &mut dyn FnMut(Vec<Event>) -> bool) {
        let (mut resolved, work) = (self.resolved.clone(), Work::default());
        let mut run = self.rules.begin(&self.start, self.seed);
        run.table.record(Recording::default());
        let mut along = LogAnswers::new(&self.log, &mut resolved, None, &work).pausing(0);
        along.begin(&mut run.table);
        loop {
            let end = self.rules.resume_ignoring_stop(&mut run, &mut along);
            if !take(run.table.take_events()) || end != End::Halted(Halt::Paused) {
                return;
            }
        }
    }
}

impl Digest {
    fn add(&mut self, event: &Event) {
        self.shown.extend(ShownSecretChoice::of(event));
        self.reached.extend(zone_reached(event));
        self.sides.extend(event.what.side_shown().map(|(component, _)| (component, event.clone())));
    }
}

fn zone_reached(event: &Event) -> Option<Zone> {
    match event.what {
        EventData::Move { to, .. } => to,
        _ => None,
    }
}

impl HistoryBefore {
    pub fn of(history: &History) -> Self {
        let (older, kept, bytes) = (history.older.clone(), history.recent.len(), history.bytes);
        Self { older, let_go: Vec::new(), kept, cut: Vec::new(), bytes }
    }

    /// Drops older events where too many are in memory, while a log is followed.
    pub fn shorten(&mut self, history: &mut History) {
        let gone = history.evict();
        let known = gone.len().min(self.kept);
        self.kept -= known;
        self.let_go.extend(gone.into_iter().take(known));
    }

    /// Cuts the history off after `length` events.
    pub fn cut(&mut self, history: &mut History, length: usize) {
        if length >= history.len() {
            return;
        }
        let stay = length.saturating_sub(history.border());
        history.bytes -= history.recent[stay..].iter().map(Event::bytes).sum::<usize>();
        if stay < self.kept {
            history.recent.truncate(self.kept);
            let mut cut = history.recent.split_off(stay);
            cut.append(&mut self.cut);
            (self.kept, self.cut) = (stay, cut);
        }
        history.recent.truncate(stay);
        if length < history.border() {
            let shorter = |older| UnloadedEvents { count: length, digest: None, ..older };
            history.older = history.older.take().filter(|_| length > 0).map(shorter);
        }
    }

    /// Restores the history as it was.
    pub fn restore(self, history: &mut History) {
        history.older = self.older;
        history.recent.truncate(self.kept);
        history.recent.splice(..0, self.let_go);
        history.recent.extend(self.cut);
        history.bytes = self.bytes;
    }
}

impl From<Vec<Event>> for History {
    fn from(recent: Vec<Event>) -> Self {
        Self { older: None, bytes: recent.iter().map(Event::bytes).sum(), recent }
    }
}

impl<'a> IntoIterator for &'a History {
    type Item = &'a Event;
    type IntoIter = Flatten<array::IntoIter<&'a [Event], 2>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for History {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Formatting must not run the log.
        f.debug_struct("History").field("len", &self.len()).finish_non_exhaustive()
    }
}
