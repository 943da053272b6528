//! One run of the rules along a log, and beyond its end as far as asked.
//!
//! An intervention takes effect as soon as the table stands as the person saw it: right after the last change before
//! the decision that was open. Where that is shows only when the decision is reached, so the first run that meets an
//! intervention notes the number of changes and begins again; later runs know it.

use crate::playthrough::chosen::Chosen;
use crate::playthrough::log::Entry;
use crate::script::{End, Entry as Start, Rules};
use crate::table::decision::{Answers, Decision, Halt, Options, Question};
use crate::table::value::Seat;
use crate::table::{Recording, State, Table};
use crate::work::Work;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Somebody who answers for seats when the log is used up.
pub trait Agent: Send {
    /// Puts the positions of the chosen options into `chosen`.
    fn choose(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>);
}

/// Where a run that goes on beyond its log stops.
#[derive(Clone, Debug, PartialEq)]
pub enum Until {
    /// At once: the open decision is left to the person.
    LogEnds,
    /// After so many decisions.
    Decisions(usize),
    /// When one of these seats is asked.
    Asked(Vec<Seat>),
    /// When the next turn has begun.
    Turn,
    /// When the next round has begun.
    Round,
    /// When another phase has begun.
    Phase,
    /// When the game is over.
    End,
}

/// What to run.
pub struct Request {
    /// Where the rules begin.
    pub start: Start,
    /// The seed of chance.
    pub seed: u64,
    /// The log.
    pub log: Vec<Entry>,
    /// For interventions of the log the number of changes after which they belong, where known.
    pub resolved: Vec<Option<u64>>,
    /// Who answers beyond the log.
    pub agent: Option<Box<dyn Agent>>,
    /// How far beyond the log.
    pub until: Until,
    /// What to record.
    pub recording: Option<Recording>,
}

/// What came of a run.
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// The log, in which labels of those entries that were used have become values.
    pub log: Vec<Entry>,
    /// How many entries of the log were used.
    pub used: usize,
    /// Why the entry behind those does not fit, if one is left.
    pub misfit: Option<String>,
    /// What the agent chose beyond the log.
    pub added: Vec<Entry>,
    /// As in the request, completed.
    pub resolved: Vec<Option<u64>>,
    /// The open decision.
    pub open: Option<Arc<Decision>>,
    /// The table at the end of the run.
    pub table: State,
    /// Scores in seat order.
    pub scores: Vec<i64>,
    /// Seats by rank, equal ones together.
    pub ranking: Vec<Vec<Seat>>,
    /// What happened, if it was recorded.
    pub recording: Option<Recording>,
}

/// Runs the rules along a log.
pub fn run(rules: &mut dyn Rules, request: Request) -> Outcome {
    let Request { start, seed, log, mut resolved, agent, until, recording } = request;
    resolved.resize(log.len(), None);
    let course = Rc::new(RefCell::new(Course {
        log,
        resolved,
        next: 0,
        misfit: None,
        agent,
        until,
        beyond: None,
        added: Vec::new(),
        added_bytes: 0,
        work: rules.work(),
    }));
    let end = loop {
        course.borrow_mut().rewind();
        let end = rules.run(&start, seed, Box::new(FollowLog(course.clone())), recording.clone());
        if end != End::Halted(Halt::Again) {
            break end;
        }
    };
    let recording = rules.finish();
    let table = rules.table();
    let mut course = course.borrow_mut();
    if end == End::Finished && course.next < course.log.len() && course.misfit.is_none() {
        course.misfit = Some("the game is over before it".to_owned());
    }
    let (log, added) = (std::mem::take(&mut course.log), std::mem::take(&mut course.added));
    Outcome {
        end: end.clone(),
        used: course.next.min(log.len()),
        log,
        misfit: course.misfit.take(),
        added,
        resolved: std::mem::take(&mut course.resolved),
        open: table.open().filter(|_| end != End::Finished).cloned(),
        scores: crate::table::value::Seats::all(table.layout().seats)
            .into_iter()
            .map(|seat| table.score(seat))
            .collect(),
        ranking: table.ranking(),
        table: table.snapshot(),
        recording,
    }
}

/// A log on its way through a run.
struct Course {
    log: Vec<Entry>,
    resolved: Vec<Option<u64>>,
    next: usize,
    misfit: Option<String>,
    agent: Option<Box<dyn Agent>>,
    until: Until,
    /// How the table stood at the first decision beyond the log.
    beyond: Option<Milestone>,
    added: Vec<Entry>,
    added_bytes: usize,
    work: Arc<Work>,
}

#[derive(Clone)]
struct Milestone {
    turns: usize,
    round: i64,
    phase: Option<Arc<str>>,
}

impl Milestone {
    fn of(table: &Table) -> Self {
        Self { turns: table.turns(), round: table.round(), phase: table.phase().cloned() }
    }
}

struct FollowLog(Rc<RefCell<Course>>);

impl Course {
    fn rewind(&mut self) {
        self.next = 0;
        self.misfit = None;
        self.beyond = None;
        self.added.clear();
        self.added_bytes = 0;
    }

    /// Does the interventions whose time has come, and sets the alarm for the next.
    fn intervene(&mut self, table: &mut Table) {
        while let Some(entry) = self.log.get(self.next).filter(|entry| entry.is_intervention()) {
            if self.misfit.is_some() {
                return;
            }
            if entry.waits() {
                match self.resolved.get(self.next).copied().flatten() {
                    Some(change) if change > table.changes() => return table.set_alarm(change),
                    Some(_) => {}
                    None => return,
                }
            }
            // The alarm must not ring for the change that the intervention itself makes.
            let entry = entry.clone();
            self.next += 1;
            if let Err(reason) = entry.intervene(table) {
                self.next -= 1;
                self.misfit = Some(reason);
            }
        }
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        if self.misfit.is_some() {
            return Err(self.misfits());
        }
        self.work.count_moves(self.next + self.added.len(), self.log.len());
        match self.log.get(self.next) {
            Some(_) if self.work.is_stopped() => Err(Halt::Stopped),
            Some(entry) if entry.is_intervention() => {
                if self.resolved[self.next].is_some() {
                    // Known from another run, and yet not met: the rules changed under it.
                    self.resolved[self.next] = None;
                }
                self.resolved[self.next] = Some(table.changes());
                Err(Halt::Again)
            }
            Some(entry) => match fit(table, question, entry, chosen) {
                Ok(()) => {
                    self.make_exact(table, question, chosen);
                    self.next += 1;
                    Ok(())
                }
                Err(reason) => {
                    self.misfit = Some(reason);
                    Err(self.misfits())
                }
            },
            None => self.go_beyond(table, question, chosen),
        }
    }

    /// What an old log tells by labels is from now on told by values, and parts stand in the order of the rules again,
    /// which files do not keep.
    fn make_exact(&mut self, table: &Table, question: &Question<'_>, positions: &[usize]) {
        if let Some(Entry::Choice { chosen, .. }) = self.log.get_mut(self.next)
            && chosen.iter().any(|chosen| matches!(chosen, Chosen::Label(_) | Chosen::Parts(_)))
        {
            *chosen = values(table, question, positions);
        }
    }

    fn misfits(&self) -> Halt {
        Halt::Misfit { entry: self.next, reason: self.misfit.clone().unwrap_or_default() }
    }

    /// Whether a decision beyond the log is left open, where the first of these was reached at `start`.
    fn stops(&self, table: &Table, start: &Milestone) -> bool {
        self.agent.is_none()
            || match self.until {
                Until::LogEnds => true,
                Until::Decisions(count) => self.added.len() >= count,
                Until::Turn => table.turns() != start.turns,
                Until::Round => table.round() != start.round,
                Until::Phase => table.phase() != start.phase.as_ref(),
                // Whom the next question is for shows only when it is asked.
                Until::Asked(_) | Until::End => false,
            }
    }

    /// Whether the next decision may be left open.
    fn will_stop(&self, table: &Table) -> bool {
        let start = self.beyond.clone().unwrap_or_else(|| Milestone::of(table));
        // It may be for one of those at whose decision the run stops.
        self.next >= self.log.len() && (matches!(self.until, Until::Asked(_)) || self.stops(table, &start))
    }

    fn go_beyond(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let start = self.beyond.get_or_insert_with(|| Milestone::of(table));
        let start = start.clone();
        let is_for = |seats: &[Seat]| question.seat.is_some_and(|seat| seats.contains(&seat));
        let stops = self.work.is_stopped() || self.stops(table, &start);
        if stops || matches!(&self.until, Until::Asked(seats) if is_for(seats)) {
            return Err(Halt::Open);
        }
        let Some(agent) = self.agent.as_mut() else { return Err(Halt::Open) };
        agent.choose(table, question, chosen);
        let (seat, prompt) = (question.seat, question.prompt.to_owned());
        let entry = Entry::Choice { seat, prompt, chosen: values(table, question, chosen) };
        self.added_bytes += entry.bytes();
        self.added.push(entry);
        Ok(())
    }
}

/// The options at some positions, as a log holds them.
fn values(table: &Table, question: &Question<'_>, positions: &[usize]) -> Vec<Chosen> {
    // Only values that rules have put together can be of several sorts.
    let mixed = match question.options {
        Options::Values(_) | Options::Choices(_) => question.options.values(),
        _ => Vec::new(),
    };
    let value =
        |&position: &usize| Chosen::of(table.layout(), table.faces(), &question.options.value(position), mixed.iter());
    positions.iter().map(value).collect()
}

/// Finds the options that an entry names among those of a question.
fn fit(table: &Table, question: &Question<'_>, entry: &Entry, chosen: &mut Vec<usize>) -> Result<(), String> {
    let Entry::Choice { seat, prompt, chosen: values } = entry else {
        return Err("it is not a choice".to_owned());
    };
    if *seat != question.seat || prompt != question.prompt {
        let who = question.seat.map_or(String::new(), |seat| format!("{seat} "));
        return Err(format!("{who}{} is asked instead", question.prompt));
    }
    if values.len() < question.min || values.len() > question.max {
        return Err(format!("{} to {} options have to be chosen", question.min, question.max));
    }
    for value in values {
        let is_meant = |position: &usize| {
            !chosen.contains(position) && value.means(table.layout(), table.faces(), &question.options.value(*position))
        };
        let found: Vec<usize> = (0..question.options.len()).filter(is_meant).collect();
        match found[..] {
            [position] => chosen.push(position),
            [] => return Err(format!("{value} is not among the options of {}", question.prompt)),
            _ => {
                let all = question.options.values();
                let mut labels = table.option_labels(all.iter());
                let labels: Vec<String> =
                    found.iter().filter_map(|&position| labels.get_mut(position).map(std::mem::take)).collect();
                return Err(format!(
                    "{value} can mean {} among the options of {}",
                    labels.join(" or "),
                    question.prompt
                ));
            }
        }
    }
    Ok(())
}

impl Answers for FollowLog {
    fn begin(&mut self, table: &mut Table) {
        self.0.borrow_mut().intervene(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        self.0.borrow_mut().answer(table, question, chosen)
    }

    fn wants_reasons(&self, table: &Table) -> bool {
        self.0.borrow().will_stop(table)
    }

    fn kept_bytes(&self) -> usize {
        self.0.borrow().added_bytes
    }

    fn intervene(&mut self, table: &mut Table) {
        self.0.borrow_mut().intervene(table);
    }
}
