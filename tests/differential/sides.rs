//! The two that run rules: the product, and the reference that it is compared with.

use houserule::agent::Random;
use houserule::diagnostic::Diagnostic;
use houserule::ruleset::Ruleset;
use houserule::script::worker::Worker;
use houserule::script::{End, Entry, Interpreter, Rules, TriedOut, Untried};
use houserule::table::event::Event;
use houserule::table::value::{Seats, Value};
use houserule::table::{Recording, State};
use std::sync::Arc;

/// Who runs the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What the program plays with.
    Product,
    /// Rhai's own evaluator.
    Reference,
}

/// Rules on a thread of their own.
pub type Running = Worker<Interpreter>;

impl Side {
    /// Compiles a ruleset.
    pub fn start(self, ruleset: &Arc<Ruleset>, seats: usize) -> Result<Running, Vec<Diagnostic>> {
        let ruleset = ruleset.clone();
        Worker::start(move || Interpreter::new(ruleset, seats, Arc::default()))
    }
}

/// A run that came to its end, and everything that it left behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub end: Ending,
    pub events: Vec<Event>,
    pub table: State,
    pub scores: Vec<i64>,
    pub decisions: usize,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    Finished,
    /// What an expression came to, as a person reads it, and as the table could hold it.
    Gave(String, Option<Value>),
    /// Somebody is asked where nobody answers.
    Asks,
    Failed(Trouble),
    Other(String),
}

/// Why rules could not go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    pub message: String,
    /// The file, line and column that are to blame.
    pub place: Option<(String, usize, usize)>,
}

impl Trouble {
    fn of(diagnostic: &Diagnostic) -> Self {
        let place = diagnostic.place.as_ref().map(|place| {
            let (line, column) = place.position();
            (place.source.name.clone(), line, column)
        });
        Self { message: diagnostic.message.clone(), place }
    }
}

impl Ending {
    fn of(end: End) -> Self {
        match end {
            End::Finished => Self::Finished,
            End::Failed(diagnostic) | End::Endless(diagnostic) => Self::Failed(Trouble::of(&diagnostic)),
            other => Self::Other(format!("{other:?}")),
        }
    }

    fn tried(tried: Result<TriedOut, Untried>) -> (Self, Vec<Event>) {
        match tried {
            Ok(tried) => (Self::Gave(tried.result, tried.value), tried.recording.events),
            Err(Untried::Asks) => (Self::Asks, Vec::new()),
            Err(Untried::Failed(diagnostic)) => (Self::Failed(Trouble::of(&diagnostic)), Vec::new()),
            Err(Untried::LeftOut) => (Self::Other("left out".to_owned()), Vec::new()),
        }
    }

    /// Whether a person would not call it an accident.
    pub fn is_fine(&self) -> bool {
        matches!(self, Self::Finished | Self::Gave(..))
    }
}

impl Run {
    fn left(rules: &dyn Rules, end: Ending, events: Vec<Event>) -> Self {
        let table = rules.table();
        let scores = Seats::all(table.layout().seats).into_iter().map(|seat| table.score(seat)).collect();
        Self { end, events, table: table.state().clone(), scores, decisions: table.decisions() }
    }

    /// Plays a game or a call, every choice by chance.
    pub fn play(rules: &mut dyn Rules, entry: &Entry, seed: u64) -> Self {
        let end = rules.run(entry, seed, Box::new(Random::new(seed)), Some(Recording::default()));
        let events = rules.finish().map_or_else(Vec::new, |recording| recording.events);
        Self::left(rules, Ending::of(end), events)
    }

    /// Evaluates an expression on a copy of the table.
    pub fn evaluate(rules: &mut dyn Rules, expression: &str) -> Self {
        let (end, events) = match rules.evaluate(expression) {
            Ok(tried) => Ending::tried(Ok(tried)),
            Err(diagnostic) => (Ending::Failed(Trouble::of(&diagnostic)), Vec::new()),
        };
        Self::left(rules, end, events)
    }

    /// Calls a function on a copy of the table.
    pub fn try_out(rules: &mut dyn Rules, function: &str, argument: i64) -> Self {
        let (end, events) = Ending::tried(rules.try_out(function, Value::Number(argument)));
        Self::left(rules, end, events)
    }

    /// In a few words where two runs differ; nothing where they are equal.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if let Some(at) =
            (0..self.events.len().max(other.events.len())).find(|&at| self.events.get(at) != other.events.get(at))
        {
            let event = |run: &Self| run.events.get(at).map_or("nothing".to_owned(), |event| format!("{event:?}"));
            return Some(format!(
                "event {at} is\n  {}\nand\n  {}\nends: {:?} and {:?}",
                event(self),
                event(other),
                self.end,
                other.end
            ));
        }
        if self.end != other.end {
            return Some(format!("the ends are\n  {:?}\nand\n  {:?}", self.end, other.end));
        }
        if self.table != other.table {
            return Some(format!("the tables are\n  {:?}\nand\n  {:?}", self.table, other.table));
        }
        (self != other).then(|| {
            format!(
                "scores {:?} and {:?}, decisions {} and {}",
                self.scores, other.scores, self.decisions, other.decisions
            )
        })
    }
}
