//! Games that are the same to a seat: other cards where it does not know them, other choices where it was not told.
//!
//! They begin with the copy that a [`HiddenChoices`] keeps. There the seat's unknown cards are permuted, and the choices since then
//! are made again, those that the seat knows as they were made, and the others at random. At every question it is
//! compared what the seat sees, may read, was told and is asked: where anything differs from the game that is played, the
//! last choice is made otherwise, and where no option is left, the one before it. So a clue that everybody hears counts,
//! and nothing else does: what is found depends on what the seat could tell alone, never on what was really chosen.

use crate::playthrough::hidden_choices::{Change, Hand, HiddenChoices, Stretch};
use crate::playthrough::observation::choose_at_random;
use crate::script::End;
use crate::script::rules::{Rules, Run};
use crate::table::chance::Stream;
use crate::table::decision::{Answers, Halt, HeardQuestion, Question};
use crate::table::knowledge::{Fronts, Kept, Sight, ValueSight, told};
use crate::table::value::{Seat, Value};
use crate::table::{Recording, Table};
use std::collections::BTreeMap;
use std::sync::Arc;

/// As many games are kept to be tried again.
const MOST_WORLDS: usize = 32;

/// Most stretches between two questions that are run: for one sampled game, and for all of one decision.
const MOST_SEGMENTS: (usize, usize) = (2_000, 12_000);

/// Attempts to sample the first consistent game.
const MAX_FIRST_ATTEMPTS: usize = 8;

/// A stretch that comes out otherwise than the seat saw is run again so often with other cards.
const OTHER_CARDS: usize = 4;

/// Ways to choose several options that are tried.
const OTHER_WAYS: usize = 16;

/// Games that are the same to a seat as one that is played.
pub struct Worlds {
    stretch: Stretch,
    seat: Seat,
    /// Of each choice whether it is made at random.
    unknown: Vec<bool>,
    /// What the seat could tell at each question behind a choice; nothing where that cannot be found out.
    truth: Vec<Moment>,
    /// What the seat knew of the components at some moment behind the choice at each place.
    kept: Vec<Kept>,
    /// How many stretches may still be run.
    left: usize,
    /// The games by their numbers, as far as they were looked for; nothing where none was found.
    found: BTreeMap<usize, Option<World>>,
    /// What chance the games are imagined by: that of the game that is played, which no secret changes.
    seed: u64,
}

/// A game that a seat can imagine.
#[derive(Clone)]
pub struct World {
    /// It stands at the same question.
    pub run: Run,
    /// How it came there.
    pub past: HiddenChoices,
}

/// What a seat can tell where somebody is asked something.
#[derive(PartialEq)]
struct Moment {
    asked: Asked,
    sight: Sight,
    told: Vec<String>,
}

/// A question as a seat hears it.
#[derive(PartialEq)]
struct Asked {
    heard: HeardQuestion,
    /// How many options are to be chosen, and which there are; for the seat alone.
    options: Option<(usize, usize, Vec<ValueSight>)>,
}

impl Asked {
    fn of(table: &Table, question: &Question<'_>, seat: Seat) -> Self {
        let option = |value: Value| ValueSight::of(table.layout(), table.state(), Some(seat), &value);
        let is_told = question.seat.is_none_or(|asked| asked == seat);
        let options = || (question.min, question.max, question.options.values().into_iter().map(option).collect());
        Self { heard: HeardQuestion::of(table, question), options: is_told.then(options) }
    }
}

impl Worlds {
    /// Games that are the same to a seat as a run that stands at a decision behind a stretch.
    pub(super) fn new(rules: &Rules, stretch: &Stretch, run: &Run, seat: Seat) -> Self {
        let unknown = stretch.unknown_to(seat, &run.table);
        let (_, left) = MOST_SEGMENTS;
        let (truth, kept) = truth(rules, stretch, seat).unwrap_or_default();
        let mut worlds = Self {
            stretch: stretch.clone(),
            seat,
            unknown,
            truth,
            kept,
            left,
            found: BTreeMap::new(),
            seed: run.table.chance.seed(),
        };
        // Of a game that came here in another way nothing can be said.
        let now = Sight::of(run.table.layout(), run.table.state(), seat);
        let is_same = |last: &Moment| last.sight == now;
        if !worlds.stretch.made.is_empty() && !worlds.truth.last().is_some_and(is_same) {
            worlds.left = 0;
        }
        worlds
    }

    /// A game by chance; nothing where none is found. The same stream always gives the same one, however many were drawn
    /// before, and each is imagined by a chance of its own: or what is tried first would fill the places with its copies.
    pub fn draw(&mut self, rules: &Rules, chance: &mut Stream) -> Option<&World> {
        let number = chance.below(MOST_WORLDS);
        if !self.found.contains_key(&number) {
            let times = if self.found.values().flatten().next().is_none() { MAX_FIRST_ATTEMPTS } else { 1 };
            let own = (self.stretch.made.len() * MOST_WORLDS + number) as u32;
            let mut own = Stream::named(self.seed, "imagined game", own);
            let world = (0..times).find_map(|_| self.imagined(rules, &mut own));
            self.found.insert(number, world);
        }
        let from = self.found.range(number..).chain(self.found.range(..number));
        from.filter_map(|(_, world)| world.as_ref()).next()
    }

    /// As many games as are wanted, or as can be found.
    pub fn several(mut self, rules: &Rules, most: usize, chance: &mut Stream) -> Vec<World> {
        let mut found = Vec::new();
        while found.len() < most && self.left > 0 {
            found.extend(self.imagined(rules, chance));
        }
        found
    }

    /// A new game.
    fn imagined(&mut self, rules: &Rules, chance: &mut Stream) -> Option<World> {
        if self.left == 0 {
            return None;
        }
        let mut from = Run::clone(&self.stretch.from);
        if let Some(kept) = self.kept.first() {
            from.table.determinize_but(self.seat, kept, chance);
        } else {
            from.table.determinize(self.seat, chance);
        }
        let mut run = from.clone();
        run.table.record(Recording::default());
        let mut left = MOST_SEGMENTS.0.min(self.left);
        let mut levels = vec![Level::at(run)];
        let nothing = Kept::default();
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
            let hands: Vec<&Hand> = self.stretch.hands_behind(place).collect();
            let kept = self.kept.get(place + 1).unwrap_or(&nothing);
            let mut segment = Segment::new(self.seat, give, &hands, is_last, Some((kept, chance)));
            let moment = segment.run(rules, &mut run);
            level.attempts += 1;
            let was_drawn = !segment.drawn.is_empty();
            level.is_exhausted = match self.unknown.get(place) {
                Some(true) => segment.is_exhausted || level.attempts >= segment.most_attempts,
                _ => !was_drawn || level.attempts >= OTHER_CARDS,
            };
            if segment.is_exhausted {
                continue;
            }
            level.values = segment.values;
            let drawn = segment.drawn.into_iter();
            level.drawn =
                drawn.map(|(changes, what)| Hand { after: place + 1, changes, what: Change::Fronts(what) }).collect();
            if moment.is_some_and(|moment| self.truth.get(place) == Some(&moment)) {
                // What goes wrong later is rather because of a choice than of these cards.
                level.is_exhausted |= self.unknown.get(place) != Some(&true);
                levels.push(Level::at(run));
            }
        }
        let mut run = levels.pop()?.run;
        run.table.finish();
        run.table.set_alarm(u64::MAX);
        let mut stretch = Stretch { from: Arc::new(from), ..self.stretch.clone() };
        for (made, level) in stretch.made.iter_mut().zip(levels) {
            made.values = level.values;
            stretch.hands.extend(level.drawn);
        }
        Some(World { run, past: HiddenChoices::of_stretch(stretch) })
    }
}

/// A run before a choice, and what was tried there.
struct Level {
    run: Run,
    tried: Vec<usize>,
    attempts: usize,
    is_exhausted: bool,
    /// What was chosen last, and which cards were drawn behind that.
    values: Vec<Value>,
    drawn: Vec<Hand>,
}

impl Level {
    fn at(run: Run) -> Self {
        Self { run, tried: Vec::new(), attempts: 0, is_exhausted: false, values: Vec::new(), drawn: Vec::new() }
    }
}

/// What a seat could tell at each question behind the choices of a stretch, as it went, and what it knew of the
/// components from each place on, the beginning first.
fn truth(rules: &Rules, stretch: &Stretch, seat: Seat) -> Option<(Vec<Moment>, Vec<Kept>)> {
    let mut run = Run::clone(&stretch.from);
    run.table.record(Recording::default());
    let (mut moments, mut kept) = (Vec::new(), Vec::new());
    for (place, made) in stretch.made.iter().enumerate() {
        let hands: Vec<&Hand> = stretch.hands_behind(place).collect();
        let is_last = place + 1 == stretch.made.len();
        let mut segment = Segment::new(seat, Reply::Values(&made.values), &hands, is_last, None);
        moments.push(segment.run(rules, &mut run)?);
        kept.push(segment.ever);
    }
    // What is known later is kept from the beginning on.
    for place in (1..kept.len()).rev() {
        let (before, behind) = kept.split_at_mut(place);
        if let (Some(before), Some(behind)) = (before.last_mut(), behind.first()) {
            before.add(behind);
        }
    }
    Some((moments, kept))
}

/// The run of a stretch before the choice at a place.
pub(super) fn gone_on(rules: &Rules, stretch: &Stretch, place: usize) -> Option<Run> {
    let mut run = Run::clone(&stretch.from);
    // Whose eyes look on makes no difference.
    let seat = Seat::from_number(1)?;
    for (place, made) in stretch.made.iter().enumerate().take(place) {
        let hands: Vec<&Hand> = stretch.hands_behind(place).collect();
        Segment::new(seat, Reply::Values(&made.values), &hands, false, None).run(rules, &mut run)?;
    }
    run.table.set_alarm(u64::MAX);
    Some(run)
}

/// What is answered.
enum Reply<'s> {
    /// Options of any other sort.
    Values(&'s [Value]),
    /// One of the options, by chance, but none of those that were tried, which are kept here.
    Anything(&'s mut Vec<usize>),
}

/// A run from a question to the next.
struct Segment<'s> {
    seat: Seat,
    give: Reply<'s>,
    hands: &'s [&'s Hand],
    is_last: bool,
    /// Where cards are drawn anew that the seat loses sight of: what is to be kept of them.
    draws: Option<(&'s Kept, &'s mut Stream)>,
    is_answered: bool,
    asked_at: u64,
    /// What the seat knew, and which cards there were, when it was looked last.
    known: (Kept, Option<Fronts>),
    /// What it knew at some moment.
    ever: Kept,
    told: Vec<String>,
    asked: Option<Asked>,
    values: Vec<Value>,
    drawn: Vec<(u64, Fronts)>,
    is_exhausted: bool,
    most_attempts: usize,
}

impl<'s> Segment<'s> {
    fn new(
        seat: Seat,
        give: Reply<'s>,
        hands: &'s [&'s Hand],
        is_last: bool,
        draws: Option<(&'s Kept, &'s mut Stream)>,
    ) -> Self {
        Self {
            seat,
            give,
            hands,
            is_last,
            draws,
            is_answered: false,
            asked_at: 0,
            known: (Kept::default(), None),
            ever: Kept::default(),
            told: Vec::new(),
            asked: None,
            values: Vec::new(),
            drawn: Vec::new(),
            is_exhausted: false,
            most_attempts: usize::MAX,
        }
    }

    /// Runs to the next question; nothing where the run does not come to one.
    fn run(&mut self, rules: &Rules, run: &mut Run) -> Option<Moment> {
        let end = rules.go_on(run, self);
        if !matches!(end, End::Halted(Halt::Open | Halt::Paused)) {
            return None;
        }
        let asked = self.asked.take()?;
        self.hear(&mut run.table);
        let table = &run.table;
        self.ever.add(&table.known_to(self.seat));
        let sight = Sight::of(table.layout(), table.state(), self.seat);
        Some(Moment { asked, sight, told: std::mem::take(&mut self.told) })
    }

    fn hear(&mut self, table: &mut Table) {
        self.told.extend(told(table, self.seat));
        table.take_events();
    }

    /// Puts the positions of what is answered into `chosen`; false where that is not to be answered.
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
                    self.most_attempts = OTHER_WAYS;
                    choose_at_random((count, limits.0, limits.1), question.by_clock, chance, chosen);
                    chosen.sort_unstable();
                }
                true
            }
        }
    }
}

impl Answers for Segment<'_> {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        if std::mem::replace(&mut self.is_answered, true) {
            // What was changed by hand has found no place where it could be changed.
            if self.hands.is_empty() {
                self.asked = Some(Asked::of(table, question, self.seat));
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
        while let Some((hand, behind)) = self.hands.split_first().filter(|(hand, _)| hand.changes <= changes) {
            self.hands = behind;
            match &hand.what {
                // That it does not fit shows in what comes of it.
                Change::Entry(entry) => drop(entry.intervene(table)),
                Change::Chance(chance) => table.chance = chance.clone(),
                Change::Fronts(fronts) => {
                    self.hear(table);
                    table.set_fronts(fronts);
                    is_imagined = true;
                }
            }
        }
        let (now, fronts) = (table.known_to(self.seat), table.fronts());
        self.ever.add(&now);
        let (known, then) = &self.known;
        if is_imagined || then.as_ref().is_some_and(|then| known.is_behind(then, &now, &fronts)) {
            // It is told what it saw before the cards become others.
            self.hear(table);
            if let Some((kept, chance)) = &mut self.draws {
                table.determinize_but(self.seat, kept, chance);
                self.drawn.push((changes, table.fronts()));
            }
        }
        self.known = (now, Some(table.fronts()));
        table.set_alarm(table.changes() + 1);
    }
}
