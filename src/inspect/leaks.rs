//! Whether a seat can tell, from what it sees, is told and is asked, what it does not know.
//!
//! A game of random choices is played twice. The first time everything is written down. The second time the table is
//! another one before each decision: faces that the asked seat does not know are swapped, and dice that it does not see
//! show something else, so that the rules go on from a table that is the same to that seat. The seat must then see the
//! same, be told the same and be asked the same. When it has answered, the table is put back as it was the first time.
//!
//! Faces are swapped *late*, after the last change before a decision, so that nothing but the question can rest on
//! them; or *early*, as soon as the decision before has been answered, so that all that happens in between can. Points
//! tell everybody something about the cards that they are for, so where some were awarded nothing is swapped early.
//!
//! Then single secret choices are made otherwise, and who is asked next must not notice. Last, the marks, notes and
//! standings that the table shows must be the same on a table that is the same to a seat.

use crate::agent::Random;
use crate::definition::Visibility;
use crate::diagnostic::Diagnostics;
use crate::playthrough::worked_out;
use crate::script::rules::Rules;
use crate::script::{End, Entry};
use crate::table::chance::{Chance, Stream};
use crate::table::decision::{Answers, Halt, Question};
use crate::table::event::{Event, ScriptPoint, What};
use crate::table::knowledge::{Eyes, Known, Seen, View, Viewer};
use crate::table::layout::Layout;
use crate::table::value::{Seat, Seats, Value, Zone};
use crate::table::{Recording, State, Table};
use std::cell::RefCell;
use std::ops::AddAssign;
use std::rc::Rc;
use std::sync::Arc;

/// Longer games are looked at as far as this.
const MOST_DECISIONS: usize = 1_500;

/// Of a game, so many secret choices are made otherwise, and the texts of so many moments are compared.
const MOST_SAMPLES: usize = 8;

/// How much was compared without a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Whether anything in the game is hidden from anybody.
    pub has_secrets: bool,
    /// How often a table and the same with swapped faces were looked at by a seat.
    pub views: usize,
    /// How many decisions were reached with faces swapped right after the decision before.
    pub early: usize,
    /// How many with faces swapped right after the last change before the decision.
    pub late: usize,
    /// How many secret choices were made otherwise.
    pub choices: usize,
    /// How many moments had their marks, notes and standings compared.
    pub texts: usize,
}

impl AddAssign for Compared {
    fn add_assign(&mut self, other: Self) {
        self.has_secrets |= other.has_secrets;
        self.views += other.views;
        self.early += other.early;
        self.late += other.late;
        self.choices += other.choices;
        self.texts += other.texts;
    }
}

/// Something by which a seat can tell what it does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// The seat that can tell.
    pub seat: Seat,
    /// The number of the decision at which it can.
    pub decision: usize,
    /// What is asked there.
    pub prompt: String,
    /// What differs.
    pub what: Difference,
    /// Where in the rules it comes from; line 0 where it has no place.
    pub at: ScriptPoint,
}

/// What differs between two tables that are the same to a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// In a word: `options`, `refusals`, `question`, `view`, `log`, `variables`, `texts`.
    pub kind: &'static str,
    /// How it is in the game.
    pub was: String,
    /// How it would be if what the seat does not know were otherwise.
    pub would_be: String,
}

impl std::fmt::Display for Leak {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { seat, decision, prompt, what: Difference { kind, was, would_be }, .. } = self;
        let verb = if matches!(*kind, "question" | "log" | "view") { "is" } else { "are" };
        let kind = if *kind == "texts" { "texts on the table" } else { kind };
        write!(
            f,
            "{seat} can tell what {seat} does not know: at move {decision}, {prompt}, the {kind} {verb} {was}, "
        )?;
        write!(f, "and would be {would_be} if what is hidden were otherwise")
    }
}

/// Why a game could not be compared to its end.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// A seat can tell what it does not know.
    Leak(Box<Leak>),
    /// The rules could not go on.
    Failed(Diagnostics),
}

/// Plays a game of random choices, and gives what was compared or the first difference.
///
/// # Errors
/// A seat can tell what it does not know; the rules fail.
pub fn hunt(rules: &Rules, seed: u64) -> Result<Compared, Trouble> {
    let layout = rules.layout().clone();
    let record = Rc::new(RefCell::new(Record::default()));
    let stream = Stream::named(seed, "views", 0);
    let mut writer = Writer { agent: Random::new(seed), record: record.clone(), stream, told: 0 };
    ended(rules.play(&Entry::Game, seed, &mut writer, Some(Recording::default())).1)?;
    let Record { moments, views, leak } = record.take();
    found(leak)?;
    let moments: Rc<[Moment]> = moments.into();
    let is_hidden = |visible| visible != Visibility::All;
    let has_secrets = layout.zones.iter().any(|zone| is_hidden(zone.visible))
        || layout.definition.variables.iter().any(|variable| is_hidden(variable.visible))
        || moments.iter().any(|moment| moment.asked.is_secret || moment.asked.together.is_some());
    let mut compared = Compared { has_secrets, views, ..Compared::default() };

    let swaps = Rc::new(RefCell::new(Swaps::new(moments.clone(), Stream::named(seed, "early", 0).below(2) == 1)));
    let stream = Stream::named(seed, "swapped faces", 0);
    let mut swapper = Swapper { agent: Random::new(seed), swaps: swaps.clone(), stream };
    let (_, end) = rules.play(&Entry::Game, seed, &mut swapper, Some(Recording::default()));
    let swaps = swaps.take();
    found(swaps.leak)?;
    ended(end)?;
    (compared.early, compared.late) = (swaps.early, swaps.late);

    compared.choices = hunt_choices(rules, seed, &moments)?;
    compared.texts = hunt_texts(rules, seed, &moments)?;
    Ok(compared)
}

fn found(leak: Option<Leak>) -> Result<(), Trouble> {
    leak.map_or(Ok(()), |leak| Err(Trouble::Leak(Box::new(leak))))
}

fn ended(end: End) -> Result<(), Trouble> {
    match end {
        End::Finished | End::Halted(_) => Ok(()),
        End::Failed(diagnostic) | End::Endless(diagnostic) => Err(Trouble::Failed(diagnostic)),
    }
}

/// A decision of the first game.
struct Moment {
    asked: Asked,
    chosen: Vec<usize>,
    table: State,
    chance: Chance,
    scores: Vec<i64>,
    /// What the asked seat was told since the decision before.
    told: Vec<Line>,
    /// How many changes there had been before it.
    changes: u64,
    at: ScriptPoint,
}

/// A question with everything that the seat is told.
#[derive(Clone, Debug, PartialEq)]
struct Asked {
    seat: Option<Seat>,
    prompt: String,
    purpose: Option<String>,
    together: Option<u32>,
    is_secret: bool,
    limits: (usize, usize),
    options: Vec<(String, Value)>,
    refused: Vec<(String, Value, Arc<str>)>,
}

/// Something that a seat was told, and the place in the rules that it came from.
#[derive(Clone, Debug)]
struct Line {
    words: String,
    at: ScriptPoint,
}

impl Asked {
    fn of(table: &Table, question: &Question<'_>) -> Self {
        let options = (0..question.options.len()).map(|position| question.options.value(position));
        let refused = question.refused.iter();
        Self {
            seat: question.seat,
            prompt: question.prompt.to_owned(),
            purpose: question.purpose.map(str::to_owned),
            together: table.together(),
            is_secret: question.secret,
            limits: (question.min, question.max),
            options: options.map(|value| (table.option_label(&value), value)).collect(),
            refused: refused.map(|(value, why)| (table.option_label(value), value.clone(), why.clone())).collect(),
        }
    }

    fn asked(&self) -> String {
        let who = self.seat.map_or_else(|| "nobody".to_owned(), |seat| seat.to_string());
        let purpose = self.purpose.as_ref().map_or_else(String::new, |purpose| format!(" for {purpose}"));
        format!("{who} {}{purpose}", self.prompt)
    }

    fn in_words(&self) -> String {
        format!("{}, choose {} to {}", self.asked(), self.limits.0, self.limits.1)
    }

    fn difference(&self, now: &Self) -> Option<Difference> {
        let listed = |labels: Vec<String>| if labels.is_empty() { "none".to_owned() } else { labels.join(", ") };
        let options = |asked: &Self| listed(asked.options.iter().map(|(label, _)| label.clone()).collect());
        let refused =
            |asked: &Self| listed(asked.refused.iter().map(|(label, _, why)| format!("{label}: {why}")).collect());
        let of =
            |kind, words: &dyn Fn(&Self) -> String| Some(Difference { kind, was: words(self), would_be: words(now) });
        if self.in_words() != now.in_words() {
            // What both have in common only makes them hard to compare.
            if self.limits == now.limits { of("question", &Self::asked) } else { of("question", &Self::in_words) }
        } else if self.options != now.options {
            of("options", &options)
        } else if self.refused != now.refused {
            of("refusals", &refused)
        } else {
            None
        }
    }
}

/// What the first game leaves behind.
#[derive(Default)]
struct Record {
    moments: Vec<Moment>,
    views: usize,
    leak: Option<Leak>,
}

/// Plays the first game.
struct Writer {
    agent: Random,
    record: Rc<RefCell<Record>>,
    stream: Stream,
    /// How many events had happened at the decision before.
    told: usize,
}

impl Answers for Writer {
    fn begin(&mut self, table: &mut Table) {
        Answers::begin(&mut self.agent, table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let mut record = self.record.borrow_mut();
        if record.moments.len() == MOST_DECISIONS {
            return Err(Halt::Open);
        }
        self.agent.answer(table, question, chosen)?;
        let (layout, snapshot) = (table.layout(), table.snapshot());
        // Everybody looks now and then, not only who is asked.
        if self.stream.below(4) == 0 {
            for seat in Seats::all(layout.seats) {
                let mut other = snapshot.clone();
                other.determinize(layout, seat, &mut self.stream);
                record.views += 1;
                if let Some(what) = seen_otherwise(layout, &snapshot, &other, seat) {
                    record.leak = Some(leak(seat, table, question, what, table.point()));
                    return Err(Halt::Open);
                }
            }
        }
        let told = question.seat.map_or_else(Vec::new, |seat| told(table, &snapshot, seat, self.told));
        self.told = table.recorded().len();
        record.moments.push(Moment {
            asked: Asked::of(table, question),
            chosen: chosen.clone(),
            table: snapshot,
            chance: table.chance.clone(),
            scores: scores(table),
            told,
            changes: table.changes(),
            at: table.point(),
        });
        Ok(())
    }

    fn wants_reasons(&self, _table: &Table) -> bool {
        true
    }

    fn intervene(&mut self, _table: &mut Table) {}
}

fn leak(seat: Seat, table: &Table, question: &Question<'_>, what: Difference, at: ScriptPoint) -> Leak {
    Leak { seat, decision: table.decisions(), prompt: question.prompt.to_owned(), what, at }
}

fn scores(table: &Table) -> Vec<i64> {
    Seats::all(table.layout().seats).into_iter().map(|seat| table.score(seat)).collect()
}

/// What a seat, with and without a perfect memory, sees on one table and not on another that is the same to it.
fn seen_otherwise(layout: &Layout, was: &State, now: &State, seat: Seat) -> Option<Difference> {
    [Viewer::Seat(seat), Viewer::Memory(seat)].into_iter().find_map(|viewer| {
        let (was, now) = (View::of(layout, was, viewer), View::of(layout, now, viewer));
        let mut zones = was.zones.iter().zip(&now.zones).enumerate();
        let (zone, (was, now)) = zones.find(|(_, (was, now))| was != now)?;
        let words = |seen: &[Seen]| {
            let words = seen.iter().map(|seen| match seen {
                Seen::Back => "?".to_owned(),
                Seen::Face(front) => match front.side {
                    Some(0) => layout.faces[front.face].id.to_string(),
                    side => {
                        format!("{} {}", layout.faces[front.face].id, side.map_or("?".into(), |side| side.to_string()))
                    }
                },
            });
            format!("{} with {}", layout.zones[zone].id, words.collect::<Vec<_>>().join(", "))
        };
        Some(Difference { kind: "view", was: words(was), would_be: words(now) })
    })
}

/// What a seat is told of the events from a number on, in words. Components that it can tell apart are named by their
/// handles: what it knows of them has not been swapped.
fn told(table: &Table, snapshot: &State, seat: Seat, from: usize) -> Vec<Line> {
    let eyes = Eyes::of(table.layout(), snapshot, None, &[], Viewer::Memory(seat));
    let is_silent = |event: &Event| match &event.what {
        // Questions are compared by themselves.
        What::Choice { .. } | What::Intervention { .. } => true,
        What::Set { variable, .. } => !eyes.may_read(*variable),
        // Whose something is shows on its face alone.
        What::Owned { component, .. } => !eyes.saw_which(event, *component),
        _ => false,
    };
    let events = table.recorded().get(from..).unwrap_or_default().iter().filter(|event| !is_silent(event));
    events.map(|event| Line { words: eyes.in_words(event, &|one| format!("#{}", one.0)), at: event.at }).collect()
}

/// The first thing that was told otherwise, with its place in the rules.
fn told_otherwise(was: &[Line], now: &[Line]) -> Option<(Difference, ScriptPoint)> {
    let first = (0..was.len().max(now.len()))
        .find(|&number| was.get(number).map(|line| &line.words) != now.get(number).map(|line| &line.words))?;
    let words =
        |lines: &[Line]| lines.get(first).map_or_else(|| "silent".to_owned(), |line| format!("`{}`", line.words));
    let at = now.get(first).or_else(|| was.get(first)).map_or(ScriptPoint::default(), |line| line.at);
    Some((Difference { kind: "log", was: words(was), would_be: words(now) }, at))
}

/// A variable that the seat may read, or the score, phase or turn, that is another.
fn read_otherwise(layout: &Layout, was: &State, now: &State, seat: Seat) -> Option<Difference> {
    let eyes = Eyes::of(layout, was, None, &[], Viewer::Seat(seat));
    let differs = |number: &usize| eyes.may_read(*number) && was.variables[*number] != now.variables[*number];
    let number = (0..layout.variables.len()).find(differs)?;
    let words = |table: &State| {
        format!("{} = {}", layout.variables[number].id, layout.label(&table.faces, &table.variables[number]))
    };
    Some(Difference { kind: "variables", was: words(was), would_be: words(now) })
}

/// Plays the second game.
struct Swapper {
    agent: Random,
    swaps: Rc<RefCell<Swaps>>,
    stream: Stream,
}

struct Swaps {
    moments: Rc<[Moment]>,
    /// The number of the moment that comes next.
    next: usize,
    aim: Aim,
    is_early: bool,
    /// Whether faces are swapped early before odd moments, or before even ones.
    odd: bool,
    /// How many events had happened at the decision before.
    told: usize,
    /// How many more changes there have been than the first time: hidden ones do not count the same.
    more_changes: i64,
    early: usize,
    late: usize,
    leak: Option<Leak>,
}

impl Default for Swaps {
    fn default() -> Self {
        Self::new(Rc::new([]), false)
    }
}

/// When faces are swapped for the next moment.
#[derive(Clone, Copy, PartialEq)]
enum Aim {
    /// As soon as the decision before has been answered.
    Early,
    /// After the last change before the decision.
    Late,
    /// They are swapped, or need not be.
    Done,
}

impl Answers for Swapper {
    fn begin(&mut self, table: &mut Table) {
        Answers::begin(&mut self.agent, table);
        self.swaps.borrow_mut().aim = Aim::Late;
        self.intervene(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        self.agent.answer(table, question, chosen)?;
        let swaps = &mut *self.swaps.borrow_mut();
        let moments = swaps.moments.clone();
        let Some(moment) = moments.get(swaps.next) else { return Err(Halt::Open) };
        let now = table.snapshot();
        if let Some(found) = difference(moment, table, &now, question, swaps.is_early, swaps.told) {
            swaps.leak = Some(found);
            return Err(Halt::Open);
        }
        if now.faces != moment.table.faces || now.sides != moment.table.sides {
            *(if swaps.is_early { &mut swaps.early } else { &mut swaps.late }) += 1;
        }
        // The agent's chance goes on as the first time.
        chosen.clone_from(&moment.chosen);
        swaps.more_changes = table.changes() as i64 - moment.changes as i64;
        swaps.told = table.recorded().len();
        swaps.next += 1;
        swaps.is_early = swaps.swaps_early();
        swaps.aim = if swaps.is_early { Aim::Early } else { Aim::Late };
        Ok(())
    }

    fn wants_reasons(&self, _table: &Table) -> bool {
        true
    }

    fn intervene(&mut self, table: &mut Table) {
        let swaps = &mut *self.swaps.borrow_mut();
        let moments = swaps.moments.clone();
        if table.decisions() == swaps.next
            && let Some(answered) = swaps.next.checked_sub(1).and_then(|last| moments.get(last))
            && table.changes() as i64 == answered.changes as i64 + swaps.more_changes + 1
        {
            // Right after an answer everything lies as it did the first time.
            let choices = table.snapshot().known.choices;
            let mut before = answered.table.clone();
            before.known.choices = choices;
            table.restore(before);
            table.chance = answered.chance.clone();
        }
        let Some(moment) = moments.get(swaps.next) else { return };
        let due = moment.changes as i64 + swaps.more_changes;
        match swaps.aim {
            Aim::Done => return,
            Aim::Late if (table.changes() as i64) < due => return table.set_alarm(due.unsigned_abs()),
            Aim::Late | Aim::Early => swaps.aim = Aim::Done,
        }
        if let Some(seat) = moment.asked.seat {
            let mut swapped = table.snapshot();
            swap_unknown(&mut swapped, moment, table.layout(), seat, &mut self.stream);
            table.restore(swapped);
        }
    }
}

impl Swaps {
    fn new(moments: Rc<[Moment]>, odd: bool) -> Self {
        let (aim, is_early) = (Aim::Done, false);
        Self { moments, next: 0, aim, is_early, odd, told: 0, more_changes: 0, early: 0, late: 0, leak: None }
    }

    /// Whether faces are swapped early for the next moment: for every other one at which that is fair. It is not if
    /// points were awarded on the way, or if something was shuffled away, for what the seat saw of it cannot be told any
    /// more.
    fn swaps_early(&self) -> bool {
        let Some([before, after]) = self.next.checked_sub(1).and_then(|last| self.moments.get(last..=self.next)) else {
            return false;
        };
        let Some(seat) = after.asked.seat else { return false };
        let is_forgotten = |(before, after): (&Known, &Known)| {
            (before.face & !after.face | before.side & !after.side) & seat.bit() != 0
        };
        let mut known = before.table.known.components.iter().zip(&after.table.known.components);
        (self.next % 2 == 1) == self.odd && before.scores == after.scores && !known.any(is_forgotten)
    }
}

/// Swaps what a seat does not know now and will not know when it is asked.
fn swap_unknown(table: &mut State, moment: &Moment, layout: &Layout, seat: Seat, stream: &mut Stream) {
    let known = table.known.clone();
    for (known, then) in table.known.components.iter_mut().zip(&moment.table.known.components) {
        known.face |= then.face & seat.bit();
        known.side |= then.side & seat.bit();
    }
    table.determinize(layout, seat, stream);
    table.known = known;
}

/// What the asked seat could tell the second game from the first by.
fn difference(
    moment: &Moment,
    table: &Table,
    now: &State,
    question: &Question<'_>,
    is_early: bool,
    from: usize,
) -> Option<Leak> {
    let seat = moment.asked.seat.or(question.seat)?;
    let layout = table.layout();
    let of = |what, at| Some(Leak { prompt: moment.asked.prompt.clone(), ..leak(seat, table, question, what, at) });
    if is_early && let Some((what, at)) = told_otherwise(&moment.told, &told(table, now, seat, from)) {
        return of(what, at);
    }
    if let Some(what) = moment.asked.difference(&Asked::of(table, question)) {
        return of(what, moment.at);
    }
    let seen = seen_otherwise(layout, &moment.table, now, seat);
    seen.or_else(|| read_otherwise(layout, &moment.table, now, seat)).and_then(|what| of(what, moment.at))
}

/// Makes some secret choices otherwise, up to the next decision of somebody else; gives how many.
fn hunt_choices(rules: &Rules, seed: u64, moments: &Rc<[Moment]>) -> Result<usize, Trouble> {
    let is_hidden_from_next = |number: &usize| {
        let made = &moments[*number].asked;
        let next = moments[*number..].iter().map(|moment| &moment.asked).find(|next| next.seat != made.seat);
        let Some(next) = next.filter(|next| next.seat.is_some() && made.seat.is_some()) else { return false };
        // Within a choice that is made together everything is secret until all have chosen.
        let is_secret = made.is_secret || made.together.is_some() && made.together == next.together;
        is_secret && made.limits == (1, 1) && made.options.len() > 1
    };
    let numbers: Vec<usize> = (0..moments.len()).filter(is_hidden_from_next).collect();
    let step = numbers.len().div_ceil(MOST_SAMPLES).max(1);
    let mut compared = 0;
    for &number in numbers.iter().step_by(step) {
        let leak = Rc::new(RefCell::new(None));
        let mut other = Otherwise { moments: moments.clone(), number, next: 0, told: 0, leak: leak.clone() };
        // That the rules fail after another choice says nothing about secrets.
        let _ = rules.play(&Entry::Game, seed, &mut other, Some(Recording::default()));
        found(leak.take())?;
        compared += 1;
    }
    Ok(compared)
}

/// Chooses as in the first game, but for one choice.
struct Otherwise {
    moments: Rc<[Moment]>,
    /// The choice that is made otherwise.
    number: usize,
    next: usize,
    told: usize,
    leak: Rc<RefCell<Option<Leak>>>,
}

impl Answers for Otherwise {
    fn begin(&mut self, _table: &mut Table) {}

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let Some(moment) = self.moments.get(self.next) else { return Err(Halt::Open) };
        // What the same seat is asked next it answers as before, if it can.
        let is_others = moment.asked.seat != self.moments[self.number].asked.seat;
        if self.next > self.number && is_others {
            let now = table.snapshot();
            // Who was shown the choice, in one game or the other, may well tell it.
            let knows = |seat: Seat| {
                let mut choices = now.known.choices.iter().chain(&moment.table.known.choices);
                choices.any(|choice| choice.decision == self.number + 1 && choice.known & seat.bit() != 0)
            };
            if !moment.asked.seat.is_some_and(knows) {
                *self.leak.borrow_mut() = difference(moment, table, &now, question, true, self.told);
            }
            return Err(Halt::Open);
        }
        chosen.clone_from(&moment.chosen);
        if question.seat != moment.asked.seat || chosen.iter().any(|position| *position >= question.options.len()) {
            return Err(Halt::Open);
        }
        if self.next == self.number
            && let Some(position) = chosen.first_mut()
        {
            *position = (*position + 1) % question.options.len().max(1);
        }
        self.told = table.recorded().len();
        self.next += 1;
        Ok(())
    }

    fn wants_reasons(&self, _table: &Table) -> bool {
        true
    }

    fn intervene(&mut self, _table: &mut Table) {}
}

/// Compares what scripts say on the table, on tables that are the same to a seat; gives of how many moments.
fn hunt_texts(rules: &Rules, seed: u64, moments: &[Moment]) -> Result<usize, Trouble> {
    let layout = rules.layout().clone();
    let definition = &layout.definition;
    let has_texts =
        definition.standing.is_some() || definition.zones.iter().any(|zone| zone.mark.is_some() || zone.note.is_some());
    if !has_texts {
        return Ok(0);
    }
    let mut stream = Stream::named(seed, "texts", 0);
    let step = moments.len().div_ceil(MOST_SAMPLES).max(1);
    let mut compared = 0;
    for (number, moment) in moments.iter().enumerate().step_by(step) {
        let was = texts(rules, seed, &moment.table);
        for seat in Seats::all(layout.seats) {
            let mut other = moment.table.clone();
            other.determinize(&layout, seat, &mut stream);
            let now = texts(rules, seed, &other);
            let eyes = Eyes::of(&layout, &moment.table, None, &[], Viewer::Seat(seat));
            let is_told = |text: &&Text| match text.of {
                Of::Zone(zone) => eyes.sees_all(zone),
                Of::Seat(seat) => eyes.sees_all_of(seat),
            };
            let told = was.iter().filter(is_told).zip(now.iter().filter(is_told));
            if let Some((was, now)) = told.into_iter().find(|(was, now)| was.words != now.words) {
                let what = Difference { kind: "texts", was: was.words.clone(), would_be: now.words.clone() };
                let prompt = moment.asked.prompt.clone();
                found(Some(Leak { seat, decision: number + 1, prompt, what, at: ScriptPoint::default() }))?;
            }
        }
        compared += 1;
    }
    Ok(compared)
}

/// What scripts say of a zone or a seat.
struct Text {
    of: Of,
    words: String,
}

enum Of {
    Zone(Zone),
    Seat(Seat),
}

fn texts(rules: &Rules, seed: u64, table: &State) -> Vec<Text> {
    let layout = rules.layout();
    let mut laid = Table::new(layout.clone(), seed);
    laid.restore(table.clone());
    let worked = worked_out(rules, &laid, true);
    let zones = worked.captions.into_iter().map(|caption| {
        let said =
            |value: &Option<Value>| value.as_ref().map_or_else(String::new, |value| layout.label(&table.faces, value));
        let words =
            format!("{} {} {}", said(&caption.mark), layout.zones[caption.zone.index()].id, said(&caption.note));
        Text { of: Of::Zone(caption.zone), words: words.trim().to_owned() }
    });
    let mut texts: Vec<Text> = zones.collect();
    for (seat, awards) in Seats::all(layout.seats).into_iter().zip(worked.standings) {
        let points = awards.iter().filter_map(|event| match &event.what {
            What::Award { points, reason, .. } => Some(format!("{points:+} {reason}")),
            _ => None,
        });
        texts.push(Text { of: Of::Seat(seat), words: format!("{seat} {}", points.collect::<Vec<_>>().join(", ")) });
    }
    texts
}
