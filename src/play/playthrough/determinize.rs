//! Sampling of games that a seat cannot tell from the one in play (determinizations): other cards where it does not
//! know them, other choices where it was not told.
//!
//! A sample begins with the copy that [`HiddenChoices`] keeps. There the seat's unknown cards are permuted, and the
//! choices since then are made again: those that the seat knows as they were, the others at random. At every question,
//! what the seat sees, may read, was told and is asked is compared with the real game. Where anything differs, the last
//! choice is made otherwise, and where no option is left, the one before it (backtracking). So public clues count and
//! nothing else does: the samples depend only on what the seat could tell, never on what was really chosen.

use crate::playthrough::hidden_choices::{ExternalChange, ExternalChangeKind, HiddenChoices, Stretch};
use crate::playthrough::observation::choose_at_random;
use crate::script::End;
use crate::script::rules::{Rules, Run};
use crate::sorted::SortedMap;
use crate::table::chance::Stream;
use crate::table::decision::{Answerer, Halt, PublicQuestion, Question};
use crate::table::knowledge::{Fronts, KeptFronts, ObservedValue, SeatObservation, messages_in_words};
use crate::table::value::{Seat, Value};
use crate::table::{Recording, Table};
use std::sync::Arc;

/// The number of distinct samples kept for one decision.
const MAX_SAMPLES_PER_DECISION: usize = 32;

/// The most segments (runs from one question to the next) executed: for one sample, and for all of one decision.
const MAX_SEGMENTS: (usize, usize) = (2_000, 12_000);

/// Attempts to sample the first consistent game.
const MAX_FIRST_ATTEMPTS: usize = 8;

/// Retries of a segment with other cards, where it did not match what the seat saw.
const MAX_CARD_RETRIES: usize = 4;

/// The most combinations tried for a choice of several options.
const MAX_COMBINATIONS: usize = 16;

/// A sampler of games that a seat cannot tell from the one in play.
pub struct GameSampler {
    stretch: Stretch,
    seat: Seat,
    /// For each choice, whether it is made at random.
    unknown: Vec<bool>,
    /// What the seat could tell at each question after a choice; empty where that cannot be worked out.
    truth: Vec<SeatKnowledge>,
    /// What the seat had to know about the components at some moment after each choice.
    kept: Vec<KeptFronts>,
    /// The number of segments that may still be run.
    left: usize,
    /// The samples by their numbers, as far as they were drawn; `None` where the search failed.
    found: SortedMap<usize, Option<SampledGame>>,
    /// The seed of the samples: that of the game in play, which depends on no secret.
    seed: u64,
}

/// A sampled game that a seat cannot tell from the one in play.
#[derive(Clone)]
pub struct SampledGame {
    /// The run, at the same question as the real game.
    pub run: Run,
    /// The choices that led there.
    pub past: HiddenChoices,
}

/// What a seat can tell at a question.
#[derive(PartialEq)]
struct SeatKnowledge {
    asked: QuestionView,
    sight: SeatObservation,
    told: Vec<String>,
}

/// A question as a seat hears it.
#[derive(PartialEq)]
struct QuestionView {
    heard: PublicQuestion,
    /// The fewest and most options to choose, and the options; `None` unless the seat itself is asked.
    options: Option<(usize, usize, Vec<ObservedValue>)>,
}

impl QuestionView {
    fn of(table: &Table, question: &Question<'_>, seat: Seat) -> Self {
        let option = |value: Value| ObservedValue::of(table.layout(), table.state(), Some(seat), &value);
        let is_told = question.seat.is_none_or(|asked| asked == seat);
        let options = || (question.min, question.max, question.options.values().into_iter().map(option).collect());
        Self { heard: PublicQuestion::of(table, question), options: is_told.then(options) }
    }
}

impl GameSampler {
    /// Prepares samples for a run that stands at a decision after `stretch`.
    pub(super) fn new(rules: &Rules, stretch: &Stretch, run: &Run, seat: Seat) -> Self {
        let unknown = stretch.unknown_to(seat, &run.table);
        let (truth, kept) = truth(rules, stretch, seat).unwrap_or_default();
        let mut worlds = Self {
            stretch: stretch.clone(),
            seat,
            unknown,
            truth,
            kept,
            left: MAX_SEGMENTS.1,
            found: SortedMap::new(),
            seed: run.table.chance.seed(),
        };
        // A game whose replay does not lead here cannot be sampled.
        let now = SeatObservation::of(run.table.layout(), run.table.state(), seat);
        let is_same = |last: &SeatKnowledge| last.sight == now;
        if !worlds.stretch.made.is_empty() && !worlds.truth.last().is_some_and(is_same) {
            worlds.left = 0;
        }
        worlds
    }

    /// Draws a sample; `None` where none is found. The same `chance` always gives the same sample, however many were
    /// drawn before. Each sample has random numbers of its own, because otherwise the first find would be repeated.
    pub fn draw(&mut self, rules: &Rules, chance: &mut Stream) -> Option<&SampledGame> {
        let number = chance.below(MAX_SAMPLES_PER_DECISION);
        if !self.found.contains_key(&number) {
            let times = if self.found.values().flatten().next().is_none() { MAX_FIRST_ATTEMPTS } else { 1 };
            let own = (self.stretch.made.len() * MAX_SAMPLES_PER_DECISION + number) as u32;
            let mut own = Stream::named(self.seed, "imagined game", own);
            let world = (0..times).find_map(|_| self.next_sample(rules, &mut own));
            self.found.insert(number, world);
        }
        let from = self.found.range_from(&number).chain(self.found.iter().take_while(|(known, _)| **known < number));
        from.filter_map(|(_, world)| world.as_ref()).next()
    }

    /// Up to `most` samples, fewer where the search limit is reached.
    pub fn several(mut self, rules: &Rules, most: usize, chance: &mut Stream) -> Vec<SampledGame> {
        let mut found = Vec::new();
        while found.len() < most && self.left > 0 {
            found.extend(self.next_sample(rules, chance));
        }
        found
    }

    /// Searches for a new sample.
    fn next_sample(&mut self, rules: &Rules, chance: &mut Stream) -> Option<SampledGame> {
        if self.left == 0 {
            return None;
        }
        let mut from = Run::clone(&self.stretch.from);
        if let Some(kept) = self.kept.first() {
            from.table.determinize_except(self.seat, kept, chance);
        } else {
            from.table.determinize(self.seat, chance);
        }
        let mut run = from.clone();
        run.table.record(Recording::default());
        let mut left = MAX_SEGMENTS.0.min(self.left);
        let mut levels = vec![SearchLevel::at(run)];
        let nothing = KeptFronts::default();
        loop {
            let place = levels.len() - 1;
            let Some(made) = self.stretch.made.get(place) else { break };
            let is_last = place + 1 == self.stretch.made.len();
            let level = levels.last_mut()?;
            if level.is_exhausted {
                levels.pop();
                if levels.is_empty() {
                    return None;
                }
                continue;
            }
            if left == 0 || self.left == 0 {
                return None;
            }
            (left, self.left) = (left - 1, self.left - 1);
            let mut run = level.run.clone();
            let give = if self.unknown.get(place) == Some(&true) {
                Reply::Anything(&mut level.tried)
            } else {
                Reply::Values(&made.values)
            };
            let external_changes = self.stretch.external_changes_after(place);
            let kept = self.kept.get(place + 1).unwrap_or(&nothing);
            let mut segment = Segment::new(self.seat, give, &external_changes, is_last, Some((kept, chance)));
            let moment = segment.run(rules, &mut run);
            level.attempts += 1;
            let was_drawn = !segment.drawn.is_empty();
            level.is_exhausted = match self.unknown.get(place) {
                Some(true) => segment.is_exhausted || level.attempts >= segment.most_attempts,
                _ => !was_drawn || level.attempts >= MAX_CARD_RETRIES,
            };
            if segment.is_exhausted {
                continue;
            }
            level.values = segment.values;
            let drawn = segment.drawn.into_iter();
            level.drawn = drawn
                .map(|(changes, what)| ExternalChange {
                    after: place + 1,
                    changes,
                    what: ExternalChangeKind::Fronts(what),
                })
                .collect();
            if moment.is_some_and(|moment| self.truth.get(place) == Some(&moment)) {
                // Later mismatches are due to a choice rather than to these cards.
                level.is_exhausted |= self.unknown.get(place) != Some(&true);
                levels.push(SearchLevel::at(run));
            }
        }
        let mut run = levels.pop()?.run;
        run.table.finish();
        run.table.set_alarm(u64::MAX);
        let mut stretch = Stretch { from: Arc::new(from), ..self.stretch.clone() };
        for (made, level) in stretch.made.iter_mut().zip(levels) {
            made.values = level.values;
            stretch.external_changes.extend(level.drawn);
        }
        Some(SampledGame { run, past: HiddenChoices(Some(stretch)) })
    }
}

/// A level of the backtracking search: the run before a choice, and what was tried there.
struct SearchLevel {
    run: Run,
    tried: Vec<usize>,
    attempts: usize,
    is_exhausted: bool,
    /// The last choice made here, and the cards drawn after it.
    values: Vec<Value>,
    drawn: Vec<ExternalChange>,
}

impl SearchLevel {
    fn at(run: Run) -> Self {
        Self { run, tried: Vec::new(), attempts: 0, is_exhausted: false, values: Vec::new(), drawn: Vec::new() }
    }
}

/// What a seat could tell at each question after the choices of a stretch, and what it knew of the components from each
/// place on, the beginning first.
fn truth(rules: &Rules, stretch: &Stretch, seat: Seat) -> Option<(Vec<SeatKnowledge>, Vec<KeptFronts>)> {
    let mut run = Run::clone(&stretch.from);
    run.table.record(Recording::default());
    let (mut moments, mut kept) = (Vec::new(), Vec::new());
    for (place, made) in stretch.made.iter().enumerate() {
        let external_changes = stretch.external_changes_after(place);
        let is_last = place + 1 == stretch.made.len();
        let mut segment = Segment::new(seat, Reply::Values(&made.values), &external_changes, is_last, None);
        moments.push(segment.run(rules, &mut run)?);
        kept.push(segment.ever);
    }
    // Knowledge gained later must hold from the beginning on.
    for place in (1..kept.len()).rev() {
        let (before, behind) = kept.split_at_mut(place);
        if let (Some(before), Some(behind)) = (before.last_mut(), behind.first()) {
            before.add(behind);
        }
    }
    Some((moments, kept))
}

/// The run of a stretch just before the choice at `place`.
pub(super) fn run_before_choice(rules: &Rules, stretch: &Stretch, place: usize) -> Option<Run> {
    let mut run = Run::clone(&stretch.from);
    // The seat that looks on makes no difference.
    let seat = Seat::from_number(1)?;
    for (place, made) in stretch.made.iter().enumerate().take(place) {
        let external_changes = stretch.external_changes_after(place);
        Segment::new(seat, Reply::Values(&made.values), &external_changes, false, None).run(rules, &mut run)?;
    }
    run.table.set_alarm(u64::MAX);
    Some(run)
}

/// The answer to a question.
enum Reply<'s> {
    /// These options.
    Values(&'s [Value]),
    /// A random option other than those tried, which are recorded here.
    Anything(&'s mut Vec<usize>),
}

/// A run from one question to the next.
struct Segment<'s> {
    seat: Seat,
    give: Reply<'s>,
    external_changes: &'s [&'s ExternalChange],
    is_last: bool,
    /// What the seat has to keep knowing where it loses sight of cards and they are drawn anew.
    draws: Option<(&'s KeptFronts, &'s mut Stream)>,
    is_answered: bool,
    asked_at: u64,
    /// What the seat knew, and the faces of the cards, at the last look.
    known: (KeptFronts, Option<Fronts>),
    /// Everything the seat knew at some moment.
    ever: KeptFronts,
    told: Vec<String>,
    asked: Option<QuestionView>,
    values: Vec<Value>,
    drawn: Vec<(u64, Fronts)>,
    is_exhausted: bool,
    most_attempts: usize,
}

impl<'s> Segment<'s> {
    fn new(
        seat: Seat,
        give: Reply<'s>,
        external_changes: &'s [&'s ExternalChange],
        is_last: bool,
        draws: Option<(&'s KeptFronts, &'s mut Stream)>,
    ) -> Self {
        Self {
            seat,
            give,
            external_changes,
            is_last,
            draws,
            is_answered: false,
            asked_at: 0,
            known: (KeptFronts::default(), None),
            ever: KeptFronts::default(),
            told: Vec::new(),
            asked: None,
            values: Vec::new(),
            drawn: Vec::new(),
            is_exhausted: false,
            most_attempts: usize::MAX,
        }
    }

    /// Runs to the next question; `None` where the run reaches none.
    fn run(&mut self, rules: &Rules, run: &mut Run) -> Option<SeatKnowledge> {
        let end = rules.resume(run, self);
        if !matches!(end, End::Halted(Halt::Open | Halt::Paused)) {
            return None;
        }
        let asked = self.asked.take()?;
        self.record_knowledge(&mut run.table);
        let table = &run.table;
        self.ever.add(&table.known_to(self.seat));
        let sight = SeatObservation::of(table.layout(), table.state(), self.seat);
        Some(SeatKnowledge { asked, sight, told: std::mem::take(&mut self.told) })
    }

    fn record_knowledge(&mut self, table: &mut Table) {
        self.told.extend(messages_in_words(table, self.seat));
        table.take_events();
    }

    /// Puts the positions of the chosen options into `chosen`. `false` where no acceptable answer is left.
    fn choose(&mut self, question: &Question<'_>, chosen: &mut Vec<usize>) -> bool {
        let count = question.options.len();
        let limits = (question.min, question.max);
        match &mut self.give {
            Reply::Values(values) => {
                for value in *values {
                    let is_meant =
                        |position: &usize| !chosen.contains(position) && question.options.value(*position) == *value;
                    match (0..count).find(is_meant) {
                        Some(position) => chosen.push(position),
                        None => return false,
                    }
                }
                chosen.len() >= limits.0 && chosen.len() <= limits.1
            }
            Reply::Anything(tried) => {
                let Some((_, chance)) = &mut self.draws else { return false };
                if limits == (1, 1) {
                    let left: Vec<usize> = (0..count).filter(|position| !tried.contains(position)).collect();
                    self.is_exhausted = left.is_empty();
                    let Some(&position) = left.get(if left.is_empty() { 0 } else { chance.below(left.len()) }) else {
                        return false;
                    };
                    tried.push(position);
                    chosen.push(position);
                } else {
                    self.most_attempts = MAX_COMBINATIONS;
                    choose_at_random((count, limits.0, limits.1), question.by_clock, chance, chosen);
                    chosen.sort_unstable();
                }
                true
            }
        }
    }
}

impl Answerer for Segment<'_> {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        if std::mem::replace(&mut self.is_answered, true) {
            // If an intervention is left, it found no moment to take effect.
            if self.external_changes.is_empty() {
                self.asked = Some(QuestionView::of(table, question, self.seat));
            }
            return Err(if self.is_last { Halt::Open } else { Halt::Paused });
        }
        if !self.choose(question, chosen) {
            return Err(Halt::Paused);
        }
        self.values = chosen.iter().map(|&position| question.options.value(position)).collect();
        self.asked_at = table.changes();
        self.known = (table.known_to(self.seat), Some(table.fronts()));
        self.ever = self.known.0.clone();
        Ok(())
    }

    fn intervene(&mut self, table: &mut Table) {
        let changes = table.changes().saturating_sub(self.asked_at);
        let mut is_imagined = false;
        while let Some((hand, behind)) = self.external_changes.split_first().filter(|(hand, _)| hand.changes <= changes)
        {
            self.external_changes = behind;
            match &hand.what {
                // An intervention that does not fit shows in the result.
                ExternalChangeKind::Entry(entry) => drop(entry.intervene(table)),
                ExternalChangeKind::Chance(chance) => table.chance = chance.clone(),
                ExternalChangeKind::Fronts(fronts) => {
                    self.record_knowledge(table);
                    table.set_fronts(fronts);
                    is_imagined = true;
                }
            }
        }
        let (now, fronts) = (table.known_to(self.seat), table.fronts());
        self.ever.add(&now);
        let (known, then) = &self.known;
        if is_imagined || then.as_ref().is_some_and(|then| known.is_behind(then, &now, &fronts)) {
            // The seat hears what it saw before the cards change.
            self.record_knowledge(table);
            if let Some((kept, chance)) = &mut self.draws {
                table.determinize_except(self.seat, kept, chance);
                self.drawn.push((changes, table.fronts()));
            }
        }
        self.known = (now, Some(table.fronts()));
        table.set_alarm(table.changes() + 1);
    }
}
