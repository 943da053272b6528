//! The two that run rules: the product, and the reference that it is compared with.

use houserule::agent::Random;
use houserule::diagnostic::{Diagnostic, Diagnostics};
use houserule::ruleset::Ruleset;
use houserule::script::reference::Interpreter;
use houserule::script::reference::worker::Worker;
use houserule::script::rules::Rules;
use houserule::script::{End, Evaluation, EvaluationError, Start};
use houserule::table::decision::{Answerer, Decision, Halt, Question};
use houserule::table::event::Event;
use houserule::table::value::{Seats, Value};
use houserule::table::{Recording, State, Table};
use std::sync::Arc;

/// Who runs the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What the program plays with.
    Product,
    /// Rhai's own evaluator.
    Reference,
}

/// Rules on a thread of their own, with a stack that the reference cannot exhaust.
pub type Running = Worker<Played>;

impl Side {
    /// Compiles a ruleset.
    pub fn start(self, ruleset: &Arc<Ruleset>, seats: usize) -> Result<Running, Diagnostics> {
        let ruleset = ruleset.clone();
        Worker::start(move || match self {
            Self::Product => {
                let rules = Rules::new(ruleset, seats, Arc::default())?;
                let table = Table::new(rules.layout().clone(), 0);
                Ok(Played::Product(Box::new(rules), Box::new(table)))
            }
            Self::Reference => {
                Interpreter::new(ruleset, seats, Arc::default()).map(|rules| Played::Reference(Box::new(rules)))
            }
        })
    }
}

/// Rules, and the table as the last run left it.
pub enum Played {
    Product(Box<Rules>, Box<Table>),
    Reference(Box<Interpreter>),
}

impl Played {
    /// Plays a game or a call, at most so many choices, each of them by chance.
    pub fn play(&mut self, entry: &Start, seed: u64, most: usize) -> Run {
        self.run(entry, seed, UpTo { agent: Random::new(seed), left: most })
    }

    /// Runs a game or a call as far as somebody answers.
    pub fn run(&mut self, entry: &Start, seed: u64, mut answers: impl Answerer + 'static) -> Run {
        match self {
            Self::Product(rules, table) => {
                let mut run = rules.begin(entry, seed);
                // Calls that are remembered are compared, too, however seldom they come.
                run.cache_eagerly();
                answers.begin(&mut run.table);
                run.table.record(Recording::default());
                let end = rules.resume(&mut run, &mut answers);
                let events = run.table.finish().map_or_else(Vec::new, |recording| recording.events);
                **table = run.table;
                Run::of(table, end, events)
            }
            Self::Reference(rules) => {
                let end = rules.run(entry, seed, Box::new(answers), Some(Recording::default()));
                let events = rules.finish().map_or_else(Vec::new, |recording| recording.events);
                Run::of(&rules.table(), end, events)
            }
        }
    }

    /// Evaluates an expression on a copy of the table.
    pub fn evaluate(&mut self, expression: &str) -> Run {
        match self {
            Self::Product(rules, table) => {
                Run::tried(table, rules.evaluate(table, expression, None).map_err(EvaluationError::Failed))
            }
            Self::Reference(rules) => {
                let tried = rules.evaluate(expression).map_err(EvaluationError::Failed);
                Run::tried(&rules.table(), tried)
            }
        }
    }

    /// Calls a function on a copy of the table.
    pub fn try_out(&mut self, function: &str, argument: i64) -> Run {
        let argument = Value::Number(argument);
        match self {
            Self::Product(rules, table) => Run::tried(table, rules.call_on_copy(table, function, &argument)),
            Self::Reference(rules) => {
                let tried = rules.call_on_copy(function, argument);
                Run::tried(&rules.table(), tried)
            }
        }
    }
}

/// Chooses at random, and leaves a decision open after so many.
struct UpTo {
    agent: Random,
    left: usize,
}

impl Answerer for UpTo {
    fn begin(&mut self, table: &mut Table) {
        self.agent.begin(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        self.left = self.left.checked_sub(1).ok_or(Halt::Open)?;
        self.agent.answer(table, question, chosen)
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
    /// The decision that nobody answered.
    pub open: Option<Arc<Decision>>,
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
    pub fn of(diagnostic: &Diagnostic) -> Self {
        let place = diagnostic.place.as_ref().map(|place| {
            let (line, column) = place.position();
            (place.source.name.clone(), line, column)
        });
        Self { message: diagnostic.message.to_string(), place }
    }
}

impl Ending {
    fn of(end: End) -> Self {
        match end {
            End::Finished => Self::Finished,
            End::Failed(diagnostic) | End::Endless(diagnostic) => Self::Failed(Trouble::of(diagnostic.first())),
            other => Self::Other(format!("{other:?}")),
        }
    }

    /// Whether a person would not call it an accident.
    pub fn is_fine(&self) -> bool {
        matches!(self, Self::Finished | Self::Gave(..))
    }
}

impl Run {
    /// What a run of a game or a call left behind.
    pub fn of(table: &Table, end: End, events: Vec<Event>) -> Self {
        let open = table.open().filter(|_| end == End::Halted(Halt::Open)).cloned();
        Self { open, ..Self::left(table, Ending::of(end), events) }
    }

    fn left(table: &Table, end: Ending, events: Vec<Event>) -> Self {
        let scores = Seats::all(table.layout().seats).into_iter().map(|seat| table.score(seat)).collect();
        Self { end, events, table: table.state().clone(), scores, decisions: table.decisions(), open: None }
    }

    fn tried(table: &Table, tried: Result<Evaluation, EvaluationError>) -> Self {
        let (end, events) = match tried {
            Ok(Evaluation { result, value, recording }) => (Ending::Gave(result, value), recording.events),
            Err(EvaluationError::Asks) => (Ending::Asks, Vec::new()),
            Err(EvaluationError::Failed(diagnostic)) => (Ending::Failed(Trouble::of(diagnostic.first())), Vec::new()),
            Err(EvaluationError::OutOfBudgetOrStopped) => (Ending::Other("left out".to_owned()), Vec::new()),
        };
        Self::left(table, end, events)
    }

    /// Where two runs differ; nothing where they are equal.
    pub fn difference(&self, other: &Self) -> Option<Disagreement> {
        let longest = self.events.len().max(other.events.len());
        let pair = |at: usize| [self.events.get(at).cloned(), other.events.get(at).cloned()];
        let event = (0..longest).map(|at| (at, pair(at))).find(|(_, [one, other])| one != other);
        if event.is_none() && self == other {
            return None;
        }
        let ends = [self.end.clone(), other.end.clone()];
        Some(Disagreement { event, ends, is_beside: self.end == other.end })
    }
}

/// Where two runs differ, the product's first.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The first event that differs, and its number.
    event: Option<(usize, [Option<Event>; 2])>,
    ends: [Ending; 2],
    /// Whether the ends are equal, so that something else differs.
    is_beside: bool,
}

impl Disagreement {
    /// Of what sort it is: without numbers and names.
    pub fn in_short(&self) -> String {
        let kind = |end: &Ending| match end {
            Ending::Failed(trouble) => {
                let is_plain = |word: &&str| word.chars().all(|letter| letter.is_ascii_lowercase() || letter == ',');
                trouble.message.split(' ').filter(is_plain).collect::<Vec<_>>().join(" ")
            }
            Ending::Gave(..) => "a value".to_owned(),
            other => format!("{other:?}"),
        };
        let event = self.event.as_ref().map_or("no event", |(_, [one, other])| match (one, other) {
            (Some(one), Some(other)) if one.what == other.what => "the point of an event",
            (Some(_), Some(_)) => "an event",
            _ => "too many events",
        });
        let [one, other] = self.ends.each_ref().map(kind);
        format!("{event}; {one} / {other}{}", if self.is_beside { " (equal ends)" } else { "" })
    }
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [product, reference] = &self.ends;
        if let Some((number, [one, other])) = &self.event {
            writeln!(f, "// event {number} is\n//   {one:?}\n// and by the reference\n//   {other:?}")?;
        } else if self.is_beside {
            writeln!(f, "// the tables or scores differ")?;
        }
        write!(f, "// the end is\n//   {product:?}\n// and by the reference\n//   {reference:?}")
    }
}
