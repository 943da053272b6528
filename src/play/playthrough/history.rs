//! What happened in a game, in order. Of a long one the latest events are at hand, and older ones come from running its log
//! again when somebody reads so far back.

use crate::playthrough::log::LogEntry;
use crate::playthrough::run::{LogAnswers, Resolved};
use crate::script::rules::Rules;
use crate::script::{End, Start};
use crate::table::Recording;
use crate::table::decision::{Answers as _, Halt};
use crate::table::event::{Event, What};
use crate::table::knowledge::ShownChoice;
use crate::table::value::{Component, Zone};
use crate::work::Work;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::iter::Flatten;
use std::sync::{Arc, OnceLock};
use std::{array, fmt};

/// Most bytes of events that are at hand: where there are more, the latest half of them stays.
const MAX_AT_HAND: usize = 1 << 20;

/// The events of a game, in order.
///
/// Whoever reads events that are not at hand has the log run once more, which nobody can stop, and they are held until more of
/// the game lets them go again; [`for_each`](Self::for_each) alone holds nothing.
#[derive(Clone, Default)]
pub struct History {
    /// The events that are not at hand, if some have been let go.
    older: Option<Older>,
    /// The events behind those. A move lies on one side of the border.
    recent: Vec<Event>,
    /// About how many bytes `recent` holds.
    bytes: usize,
}

/// Events that are not at hand.
#[derive(Clone)]
struct Older {
    /// How many there are: so many of the source's events, from the first on.
    count: usize,
    /// None where they were let go while a log is followed, until its end.
    source: Option<Arc<Source>>,
    /// What they come to; none where some of them were cut off while a log is followed, until its end.
    digest: Option<Arc<Digest>>,
}

/// A run that comes to the same events whenever it is made.
pub(super) struct Source {
    pub rules: Arc<Rules>,
    pub start: Start,
    pub seed: u64,
    /// What it was run along, or more.
    pub log: Arc<Vec<LogEntry>>,
    pub resolved: Resolved,
    /// Its events from the beginning on, since somebody has read them.
    pub events: OnceLock<Vec<Event>>,
}

/// For each component whose side was ever told, the last event that did so.
pub type SidesShown = BTreeMap<Component, Event>;

/// What drawings ask of all that happened, so that they need not read it.
#[derive(Clone, Default)]
struct Digest {
    shown: Vec<ShownChoice>,
    reached: BTreeSet<Zone>,
    sides: SidesShown,
}

/// What a history was before a log was followed: what is cut off comes back where somebody stops the run.
pub(super) struct HistoryBefore {
    older: Option<Older>,
    /// The events that were at hand, as far as they have been let go.
    let_go: Vec<Event>,
    /// So many of those behind them are still at hand.
    kept: usize,
    /// The rest of them.
    cut: Vec<Event>,
    bytes: usize,
}

impl History {
    /// How many events there are.
    pub fn len(&self) -> usize {
        self.border() + self.recent.len()
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The latest event.
    pub fn last(&self) -> Option<&Event> {
        self.backwards().next()
    }

    /// Every event, in order.
    pub fn iter(&self) -> Flatten<array::IntoIter<&[Event], 2>> {
        self.since(0).into_iter().flatten()
    }

    /// Reads every event once, in order. Those that are not at hand are not held for that.
    pub fn for_each(&self, mut read: impl FnMut(&Event)) {
        if let Some(older) = &self.older {
            older.for_each(&mut read);
        }
        self.recent.iter().for_each(read);
    }

    /// Every event, the latest first. Older ones are worked out when the iteration comes to them.
    pub fn backwards(&self) -> impl Iterator<Item = &Event> {
        self.stretches_backwards().flat_map(|events| events.iter().rev())
    }

    /// The events up to those of the move of that number, the latest first.
    pub fn backwards_from(&self, number: usize) -> impl Iterator<Item = &Event> {
        let up_to = move |events: &[Event]| events.partition_point(|event| event.moves <= number);
        self.stretches_backwards().flat_map(move |events| events[..up_to(events)].iter().rev())
    }

    /// The events behind the first `count`, in two stretches, of which each may be empty. What happened in one move is not
    /// divided.
    pub fn since(&self, count: usize) -> [&[Event]; 2] {
        match count.checked_sub(self.border()) {
            Some(count) => [&[], self.recent.get(count..).unwrap_or_default()],
            None => [self.older().get(count..).unwrap_or_default(), &self.recent],
        }
    }

    /// The events that the move of that number caused, counted from 1; of number 0, what happened before the first.
    pub fn of_move(&self, number: usize) -> &[Event] {
        let [older, recent] = self.from_move(number);
        let events = if older.is_empty() { recent } else { older };
        &events[..events.partition_point(|event| event.moves <= number)]
    }

    /// The events from the move of that number on, in two stretches as [`since`](Self::since) gives them.
    pub fn from_move(&self, number: usize) -> [&[Event]; 2] {
        let older = if self.recent.first().is_some_and(|first| first.moves <= number) { &[] } else { self.older() };
        [older, &self.recent].map(|events| &events[events.partition_point(|event| event.moves < number)..])
    }

    /// Every event, in order.
    pub fn into_vec(self) -> Vec<Event> {
        if self.older.is_none() {
            return self.recent;
        }
        let mut events = Vec::with_capacity(self.len());
        self.for_each(|event| events.push(event.clone()));
        events
    }

    /// The secret choices that were shown to somebody.
    pub fn shown_choices(&self) -> Vec<ShownChoice> {
        let older = self.digest().map(|digest| digest.shown.as_slice()).unwrap_or_default();
        older.iter().copied().chain(self.recent.iter().filter_map(ShownChoice::of)).collect()
    }

    /// The zones that something ever came to.
    pub fn zones_reached(&self) -> BTreeSet<Zone> {
        let mut reached = self.digest().map(|digest| digest.reached.clone()).unwrap_or_default();
        reached.extend(self.recent.iter().filter_map(zone_reached));
        reached
    }

    /// The events that are at hand, and what told last of sides before them.
    pub fn at_hand(&self) -> (&[Event], Option<&SidesShown>) {
        (&self.recent, self.digest().map(|digest| &digest.sides))
    }

    /// Every event, in two stretches, the later one first. The other is worked out when the iteration comes to it.
    pub fn stretches_backwards(&self) -> impl Iterator<Item = &[Event]> {
        std::iter::once(&self.recent[..]).chain(std::iter::once_with(|| self.older()))
    }

    /// Whether every event is held, so that reading it works nothing out.
    pub fn is_held(&self) -> bool {
        let source = |older: &Older| older.source.as_ref().is_some_and(|source| source.events.get().is_some());
        self.older.as_ref().is_none_or(source)
    }

    /// How many events are not at hand.
    fn border(&self) -> usize {
        self.older.as_ref().map_or(0, |older| older.count)
    }

    fn older(&self) -> &[Event] {
        self.older.as_ref().map_or(&[], Older::events)
    }

    fn digest(&self) -> Option<&Digest> {
        self.older.as_ref().and_then(|older| older.digest.as_deref())
    }

    pub(super) fn append(&mut self, events: Vec<Event>) {
        self.bytes += events.iter().map(Event::bytes).sum::<usize>();
        self.recent.extend(events);
    }

    /// A log was followed to its end: `source` comes to all events that there are. Lets older ones go where too many are at
    /// hand.
    pub(super) fn settle(&mut self, source: impl FnOnce() -> Source) {
        self.let_go();
        let Some(older) = &mut self.older else { return };
        older.source.get_or_insert_with(|| Arc::new(source()));
        if older.digest.is_none() {
            self.take_back();
        }
    }

    /// Lets older events go where too many are at hand, and gives them.
    fn let_go(&mut self) -> Vec<Event> {
        // What those before them come to is known again at the end of the log.
        let is_unknown = self.older.as_ref().is_some_and(|older| older.digest.is_none());
        if self.bytes <= MAX_AT_HAND || is_unknown {
            return Vec::new();
        }
        let mut left = MAX_AT_HAND / 2;
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
        let older = Older { count: self.border() + border, source: None, digest: Some(Arc::new(digest)) };
        let recent = self.recent.split_off(border);
        std::mem::replace(self, Self { older: Some(older), ..Self::from(recent) }).recent
    }

    /// Takes the latest of the older events back to hand, where some were cut off: who goes back a step often goes back another.
    fn take_back(&mut self) {
        let Some(older) = self.older.take() else { return };
        let (mut digest, mut count, mut last_move) = (Digest::default(), 0, None);
        let (mut taken, mut bytes): (VecDeque<Event>, usize) = Default::default();
        older.for_each(&mut |event| {
            bytes += event.bytes();
            taken.push_back(event.clone());
            while let Some(first) = taken.pop_front() {
                // A move is not divided.
                if bytes <= MAX_AT_HAND / 2 && last_move != Some(first.moves) {
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
        self.older = (count > 0).then(|| Older { count, digest: Some(Arc::new(digest)), ..older });
    }
}

impl Older {
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
        debug_assert!(left == 0, "the log comes to what it came to before");
    }
}

impl Source {
    /// Hands the events over as they come, stretch by stretch, as long as more are wanted. Nobody else can stop it: it came so
    /// far before.
    fn run(&self, take: &mut dyn FnMut(Vec<Event>) -> bool) {
        let (mut resolved, work) = (self.resolved.clone(), Work::default());
        let mut run = self.rules.begin(&self.start, self.seed);
        run.table.record(Recording::default());
        let mut along = LogAnswers::new(&self.log, &mut resolved, None, &work).pausing(0);
        along.begin(&mut run.table);
        loop {
            let end = self.rules.go_on_unstopped(&mut run, &mut along);
            if !take(run.table.take_events()) || end != End::Halted(Halt::Paused) {
                return;
            }
        }
    }
}

impl Digest {
    fn add(&mut self, event: &Event) {
        self.shown.extend(ShownChoice::of(event));
        self.reached.extend(zone_reached(event));
        self.sides.extend(event.what.side_shown().map(|(component, _)| (component, event.clone())));
    }
}

fn zone_reached(event: &Event) -> Option<Zone> {
    match event.what {
        What::Move { to, .. } => to,
        _ => None,
    }
}

impl HistoryBefore {
    pub fn of(history: &History) -> Self {
        let (older, kept, bytes) = (history.older.clone(), history.recent.len(), history.bytes);
        Self { older, let_go: Vec::new(), kept, cut: Vec::new(), bytes }
    }

    /// Lets older events go where too many are at hand, in the middle of a log.
    pub fn shorten(&mut self, history: &mut History) {
        let gone = history.let_go();
        let known = gone.len().min(self.kept);
        self.kept -= known;
        self.let_go.extend(gone.into_iter().take(known));
    }

    /// Cuts the history off after so many events.
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
            let shorter = |older| Older { count: length, digest: None, ..older };
            history.older = history.older.take().filter(|_| length > 0).map(shorter);
        }
    }

    /// Makes the history what it was.
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
        // Older events are not worked out for this.
        f.debug_struct("History").field("len", &self.len()).finish_non_exhaustive()
    }
}
