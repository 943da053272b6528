//! Whether a seat can tell from what it is asked what it does not know.
//!
//! A game is played twice. The first time everything is written down. The second time the table is another one before
//! each decision: faces that the asked seat does not know are swapped, so that the rules find the options on a table
//! that is the same to that seat. The seat must then see the same, be asked the same and answer the same. When it has
//! answered, the faces go back to where they were, and the game goes on as the first time.

use crate::chance;
use crate::referee::scores;
use houserule::agent::Random;
use houserule::definition::Visibility;
use houserule::script::{End, Entry, Rules};
use houserule::table::chance::Stream;
use houserule::table::decision::{Answers, Halt, Question};
use houserule::table::layout::Layout;
use houserule::table::value::{Seat, Seats, Value};
use houserule::table::view::{View, Viewer};
use houserule::table::{Snapshot, Table};
use std::cell::RefCell;
use std::ops::Add;
use std::rc::Rc;
use std::sync::Arc;

/// Longer games are looked at as far as this.
const MOST_DECISIONS: usize = 1_500;

/// How much was compared without a difference.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// Whether anything in the game is hidden from anybody.
    pub has_secrets: bool,
    /// How often a table and the same with swapped faces were looked at by a seat.
    pub views: usize,
    /// How many decisions were reached with faces swapped right after the decision before.
    pub early: usize,
    /// How many with faces swapped right after the last change before the decision.
    pub late: usize,
}

impl Add for Found {
    type Output = Found;

    fn add(self, other: Found) -> Found {
        Found {
            has_secrets: self.has_secrets || other.has_secrets,
            views: self.views + other.views,
            early: self.early + other.early,
            late: self.late + other.late,
        }
    }
}

/// Plays a game of random choices twice, and gives what was compared or the first difference.
pub fn hunt(rules: &mut dyn Rules, seed: u64) -> Result<Found, String> {
    let record = Rc::new(RefCell::new(Record::default()));
    let writer = Writer { agent: Random::new(seed), record: record.clone(), stream: chance(seed, "views") };
    ended(rules.run(&Entry::Game, seed, Box::new(writer), None))?;
    let Record { moments, views, trouble } = record.take();
    trouble.map_or(Ok(()), Err)?;

    let swaps = Rc::new(RefCell::new(Swaps {
        moments,
        next: 0,
        aim: Aim::Done,
        found: Found { views, ..Found::default() },
        trouble: None,
    }));
    let swapper = Swapper { agent: Random::new(seed), swaps: swaps.clone(), stream: chance(seed, "swapped faces") };
    let end = rules.run(&Entry::Game, seed, Box::new(swapper), None);
    let mut swaps = swaps.borrow_mut();
    swaps.trouble.take().map_or(Ok(()), Err)?;
    ended(end)?;
    let is_hidden = |visible| visible != Visibility::All;
    let has_secrets = rules.table().layout().zones.iter().any(|zone| is_hidden(zone.visible));
    Ok(Found { has_secrets, ..swaps.found })
}

fn ended(end: End) -> Result<(), String> {
    match end {
        End::Finished | End::Halted(Halt::Open) => Ok(()),
        End::Failed(diagnostic) | End::Endless(diagnostic) => Err(diagnostic.to_string()),
        End::Halted(halt) => Err(format!("{halt:?}")),
    }
}

/// A decision of the first game.
struct Moment {
    asked: Asked,
    chosen: Vec<usize>,
    table: Snapshot,
    scores: Vec<i64>,
    /// How many changes there had been before it.
    changes: u64,
}

/// A question with everything that the seat is told.
#[derive(Clone, Debug, PartialEq)]
struct Asked {
    seat: Option<Seat>,
    prompt: String,
    purpose: Option<String>,
    by_clock: Option<usize>,
    limits: (usize, usize),
    options: Vec<(String, Value)>,
    refused: Vec<(String, Value, Arc<str>)>,
}

impl Asked {
    fn in_short(&self) -> String {
        let options: Vec<&str> = self.options.iter().map(|(label, _)| label.as_str()).collect();
        let refused: Vec<String> = self.refused.iter().map(|(label, _, why)| format!("{label}: {why}")).collect();
        let (seat, (min, max)) = (self.seat.map_or("nobody".to_owned(), |seat| seat.to_string()), self.limits);
        format!("{seat} {} for {min} to {max} of {options:?} but not {refused:?}", self.prompt)
    }

    fn of(table: &Table, question: &Question<'_>) -> Asked {
        let options = (0..question.options.len()).map(|position| question.options.value(position));
        let refused = question.refused.iter();
        Asked {
            seat: question.seat,
            prompt: question.prompt.to_owned(),
            purpose: question.purpose.map(str::to_owned),
            by_clock: question.by_clock,
            limits: (question.min, question.max),
            options: options.map(|value| (table.option_label(&value), value)).collect(),
            refused: refused.map(|(value, why)| (table.option_label(value), value.clone(), why.clone())).collect(),
        }
    }
}

/// What the first game leaves behind.
#[derive(Default)]
struct Record {
    moments: Vec<Moment>,
    views: usize,
    trouble: Option<String>,
}

/// Plays the first game.
struct Writer {
    agent: Random,
    record: Rc<RefCell<Record>>,
    stream: Stream,
}

impl Answers for Writer {
    fn begin(&mut self, table: &mut Table) {
        self.agent.begin(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let mut record = self.record.borrow_mut();
        if record.moments.len() == MOST_DECISIONS {
            return Err(Halt::Open);
        }
        self.agent.answer(table, question, chosen)?;
        let snapshot = table.snapshot();
        // Everybody looks now and then, not only who is asked.
        if self.stream.below(4) == 0 {
            for seat in Seats::all(table.layout().seats) {
                let mut other = snapshot.clone();
                other.determinize(table.layout(), seat, &mut self.stream);
                record.views += 1;
                if !looks_the_same(table.layout(), &snapshot, &other, seat) {
                    record.trouble = Some(format!("{seat} sees a difference at decision {}", table.decisions()));
                    return Err(Halt::Open);
                }
            }
        }
        let asked = Asked::of(table, question);
        let (chosen, scores, changes) = (chosen.clone(), scores(table), table.changes());
        record.moments.push(Moment { asked, chosen, table: snapshot, scores, changes });
        Ok(())
    }

    fn intervene(&mut self, _table: &mut Table) {}
}

fn looks_the_same(layout: &Layout, one: &Snapshot, other: &Snapshot, seat: Seat) -> bool {
    let by = |viewer| View::of(layout, one, viewer) == View::of(layout, other, viewer);
    by(Viewer::Seat(seat)) && by(Viewer::Memory(seat))
}

/// Plays the second game.
struct Swapper {
    agent: Random,
    swaps: Rc<RefCell<Swaps>>,
    stream: Stream,
}

struct Swaps {
    moments: Vec<Moment>,
    /// The number of the moment that comes next.
    next: usize,
    aim: Aim,
    found: Found,
    trouble: Option<String>,
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
        self.agent.begin(table);
        self.swaps.borrow_mut().aim = Aim::Late;
        self.intervene(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        self.agent.answer(table, question, chosen)?;
        let swaps = &mut *self.swaps.borrow_mut();
        let Some(moment) = swaps.moments.get(swaps.next) else { return Err(Halt::Open) };
        if let Some(difference) = difference(moment, table, question, chosen) {
            let prompt = &moment.asked.prompt;
            swaps.trouble = Some(format!("decision {}, {prompt}: {difference}", table.decisions()));
            return Err(Halt::Open);
        }
        if table.snapshot().faces != moment.table.faces {
            let counter = if swaps.swaps_early() { &mut swaps.found.early } else { &mut swaps.found.late };
            *counter += 1;
        }
        swaps.next += 1;
        swaps.aim = if swaps.swaps_early() { Aim::Early } else { Aim::Late };
        Ok(())
    }

    fn intervene(&mut self, table: &mut Table) {
        let swaps = &mut *self.swaps.borrow_mut();
        let Some(moment) = swaps.moments.get(swaps.next) else { return };
        if swaps.aim == Aim::Done {
            return;
        }
        let mut swapped = table.snapshot();
        put_faces_back(&mut swapped, &moment.table.faces);
        if swaps.aim == Aim::Late && table.changes() < moment.changes {
            table.set_alarm(moment.changes);
        } else {
            swaps.aim = Aim::Done;
            if let Some(seat) = moment.asked.seat {
                swap_unknown(&mut swapped, moment, table.layout(), seat, &mut self.stream);
            }
        }
        table.restore(swapped);
    }
}

impl Swaps {
    /// Whether faces are swapped early for the next moment: for every other one at which that is fair. It is not if
    /// points were awarded on the way, for these tell everybody something about the cards that they are for, or if
    /// something was shuffled away, for what the seat saw of it cannot be told any more.
    fn swaps_early(&self) -> bool {
        let Some([before, after]) = self.next.checked_sub(1).and_then(|last| self.moments.get(last..=self.next)) else {
            return false;
        };
        let Some(seat) = after.asked.seat else { return false };
        let is_forgotten = |(before, after): (&u32, &u32)| before & !after & bit(seat) != 0;
        let mut known = before.table.known.iter().zip(&after.table.known);
        self.next.is_multiple_of(2) && before.scores == after.scores && !known.any(is_forgotten)
    }
}

/// Swaps the faces that a seat does not know now and will not know when it is asked.
fn swap_unknown(table: &mut Snapshot, moment: &Moment, layout: &Layout, seat: Seat, stream: &mut Stream) {
    let known = table.known.clone();
    for (known, then) in table.known.iter_mut().zip(&moment.table.known) {
        *known |= then & bit(seat);
    }
    table.determinize(layout, seat, stream);
    table.known = known;
}

/// Puts the faces where they were; each takes the side that is up with it.
fn put_faces_back(table: &mut Snapshot, faces: &[u16]) {
    let mut sides = vec![0; faces.len()];
    table.faces.iter().zip(&table.sides).for_each(|(face, side)| sides[usize::from(*face)] = *side);
    table.faces = faces.to_vec();
    table.sides = faces.iter().map(|face| sides[usize::from(*face)]).collect();
}

fn bit(seat: Seat) -> u32 {
    1 << (seat.number() - 1)
}

/// What the asked seat could tell the second game from the first by.
fn difference(moment: &Moment, table: &Table, question: &Question<'_>, chosen: &[usize]) -> Option<String> {
    let asked = Asked::of(table, question);
    if asked != moment.asked {
        return Some(format!("asked {} instead of {}", asked.in_short(), moment.asked.in_short()));
    }
    let now = table.snapshot();
    if let Some(seat) = question.seat
        && !looks_the_same(table.layout(), &moment.table, &now, seat)
    {
        return Some(format!("{seat} sees a difference"));
    }
    if chosen != moment.chosen {
        return Some(format!("the answer is {chosen:?} instead of {:?}", moment.chosen));
    }
    // Not by what the seat sees, but something was remarked, or will go on in another way, because of hidden faces.
    let mut same_faces = now;
    put_faces_back(&mut same_faces, &moment.table.faces);
    let is_same = same_faces == moment.table && table.changes() == moment.changes;
    (!is_same).then(|| "the game took another course".to_owned())
}
