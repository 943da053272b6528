//! The script debugger: the rules that led to a decision, statement by statement, forwards and backwards.
//!
//! Nothing is kept of a run but where it was stopped: going on is running the log again and stopping later, going back
//! is running it again and stopping earlier. So both directions are the same small mechanism, nothing has to be undone,
//! and neither the log nor the game knows of it.

use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::inspect::pattern::Pattern;
use crate::playthrough::log::Entry;
use crate::playthrough::run::{Outcome, Request, Until, run};
use crate::playthrough::{Playthrough, Position, position};
use crate::ruleset::Ruleset;
use crate::script::layering::FunctionInfo;
use crate::script::stepping::{Expression, Frame, Local, Moment, Seen, Shown, Site, Stepper, Watcher};
use crate::script::worker::Worker;
use crate::script::{End, Entry as Start, Rules};
use crate::table::Recording;
use crate::table::event::{Event, ScriptPoint};
use crate::table::layout::Layout;
use crate::table::value::Component;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Rules that are compiled to be watched, on a thread of their own.
#[derive(Clone)]
pub struct Watched {
    /// The rules.
    pub ruleset: Arc<Ruleset>,
    /// The fixed part of their table.
    pub layout: Arc<Layout>,
    /// Every function of their scripts.
    pub functions: Arc<[FunctionInfo]>,
    /// Every statement of their scripts.
    pub sites: Arc<[Site]>,
    worker: Arc<Worker<Stepper>>,
    interrupt: Arc<AtomicBool>,
}

/// Where the rules are to be stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Before a line of a script: the layer's id, and the line in its file.
    Line(String, usize),
    /// Where a function begins: its name, in the layer of this id if one is given.
    Function(String, Option<String>),
    /// At the statement that causes an event.
    Event(Pattern),
    /// At the statement that changes the value of an expression.
    Change(String),
}

impl std::fmt::Display for Target {
    /// As it is typed.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(layer, line) => write!(f, "{layer}:{line}"),
            Self::Function(name, Some(layer)) => write!(f, "{name}@{layer}"),
            Self::Function(name, None) => write!(f, "{name}"),
            Self::Event(pattern) => write!(f, "{pattern}"),
            Self::Change(expression) => write!(f, "watch {expression}"),
        }
    }
}

/// A place to stop at, by the number under which the person knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakpoint {
    /// Its number, from 1; 0 for one that is meant for once.
    pub number: usize,
    /// Where.
    pub target: Target,
    /// An expression that has to be `true` there.
    pub condition: Option<String>,
}

/// Why the rules stand where they stand.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The person went there.
    Stepped,
    /// A breakpoint, by its number; with the event that it waited for.
    Breakpoint(usize, Option<Box<Event>>),
    /// The value of an expression changes here: number, expression, before, after.
    Changes(usize, String, String, String),
    /// There is nothing before.
    Beginning,
    /// The rules ask a player, and nobody has answered yet.
    Asks,
    /// The game is over.
    Over,
    /// The rules failed here.
    Failed,
}

/// A call that is going on.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The statement that it has come to.
    pub site: Site,
    /// The number of that statement in the run.
    pub step: u64,
    /// What is known there.
    pub locals: Vec<Local>,
}

/// Where the rules are stopped: before a statement, or at the end of the run.
#[derive(Clone, Debug)]
pub struct Stop {
    /// The number of the statement, from 1; beyond the last one at the end of the run.
    pub step: u64,
    /// Why here.
    pub reason: Reason,
    /// The calls that are going on, the outermost first.
    pub calls: Vec<Call>,
    /// The game as it stands there.
    pub position: Position,
}

/// The rules of a game in play, to be gone through statement by statement.
pub struct Debugger {
    watched: Watched,
    course: Course,
    /// The first statement of the stretch that was entered.
    beginning: u64,
    stop: Stop,
}

/// What is run again and again.
#[derive(Clone)]
struct Course {
    seed: u64,
    log: Vec<Entry>,
    /// Where the changes by hand in the log belong. A run that had to find out would pass the statements behind them
    /// without them.
    resolved: Vec<Option<u64>>,
}

impl Watched {
    /// Compiles a ruleset to be watched.
    ///
    /// # Errors
    /// Whatever does not compile.
    pub fn compile(ruleset: Arc<Ruleset>, seats: usize, interrupt: Arc<AtomicBool>) -> Result<Self, Vec<Diagnostic>> {
        let (rules, flag) = (ruleset.clone(), interrupt.clone());
        let worker = Worker::start(move || Stepper::new(rules, seats, flag))?;
        let facts = worker
            .call(|stepper| (stepper.table().layout().clone(), stepper.functions().to_vec(), stepper.sites().clone()));
        let (layout, functions, sites) = facts.map_err(|error| vec![error])?;
        Ok(Self { ruleset, layout, functions: functions.into(), sites, worker: Arc::new(worker), interrupt })
    }

    /// Does something with the rules on their thread.
    ///
    /// # Errors
    /// The interpreter crashed.
    pub fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Stepper) -> T + Send + 'static,
    ) -> Result<T, Diagnostic> {
        self.worker.call(work)
    }

    /// Where a run was stopped by hand tells nothing about the rules.
    fn refuse_interrupted(&self) -> Result<(), Diagnostic> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Diagnostic::new("interrupted").help("everything stands where it stood"));
        }
        Ok(())
    }

    /// The id of the layer that a point belongs to.
    pub fn layer_of(&self, at: ScriptPoint) -> Option<&str> {
        self.ruleset.script_at(at).map(|script| script.id.as_str())
    }

    /// Where a target lies that was typed: a line (`31`, `double:12`, `rules.rhai:31`), a function (`score`,
    /// `score@double`), an event (`award p1`, `event turn`). `here` says whose lines are meant by a bare number.
    ///
    /// # Errors
    /// No such line, function or event, with the nearest.
    pub fn target(&self, typed: &str, here: Option<ScriptPoint>) -> Result<Target, Diagnostic> {
        let words: Vec<&str> = typed.split_whitespace().collect();
        let event = |words: &[&str]| Pattern::parse(words, &self.layout).map(|pattern| pattern.map(Target::Event));
        match words.as_slice() {
            [] => Err(Diagnostic::new("say where: a line, a function or an event")
                .help("write `31`, `double:12`, `score`, `award p1`; `help break` tells more")),
            ["event", words @ ..] => event(words).unwrap_or_else(|| Err(self.unknown(&words.join(" ")))),
            ["fn" | "function", name] => self.function(name),
            // A word alone is a function first: rules like to have a `turn`.
            [word] => match self.line(word, here).or_else(|| self.function(word).ok().map(Ok)) {
                Some(found) => found,
                None => event(&[word]).unwrap_or_else(|| self.function(word)),
            },
            words => event(words).unwrap_or_else(|| Err(self.unknown(typed))),
        }
    }

    fn unknown(&self, typed: &str) -> Diagnostic {
        let kinds = super::pattern::KINDS.iter().map(|kind| kind.name);
        let first = typed.split_whitespace().next().unwrap_or(typed);
        let error = Diagnostic::new(format!("`{typed}` is no line, function or event"));
        match did_you_mean(first, kinds) {
            Some(help) => error.help(help),
            None => error.help("write `31`, `double:12`, `score`, `award p1`; `help break` tells more"),
        }
    }

    fn function(&self, typed: &str) -> Result<Target, Diagnostic> {
        let (name, layer) = typed.split_once('@').map_or((typed, None), |(name, layer)| (name, Some(layer)));
        let target = Target::Function(name.to_owned(), layer.map(str::to_owned));
        if !self.sites_of(&target).is_empty() {
            return Ok(target);
        }
        let script = |layer: &str| self.ruleset.scripts.iter().position(|script| script.id == layer);
        if let Some(layer) = layer
            && script(layer).is_none()
        {
            let error = Diagnostic::new(format!("no layer with a script is called `{layer}`"));
            let ids: Vec<&str> = self.ruleset.scripts.iter().map(|script| script.id.as_str()).collect();
            return Err(error.help(match did_you_mean(layer, ids.iter().copied()) {
                Some(help) => help,
                None => format!("there are {}", ids.join(", ")),
            }));
        }
        let defined: Vec<&str> = self
            .functions
            .iter()
            .filter(|function| function.name == name)
            .filter_map(|function| Some(self.ruleset.scripts.get(function.script)?.id.as_str()))
            .collect();
        match layer {
            Some(layer) if !defined.is_empty() && !defined.contains(&layer) => {
                let error = Diagnostic::new(format!("{layer} does not define `{name}`"));
                return Err(error.help(format!("write `{name}@{}`", defined.join(&format!("` or `{name}@")))));
            }
            _ if !defined.is_empty() => {
                let error = Diagnostic::new(format!("`{name}` has no statement to stop at"));
                return Err(error.help("break where it is called"));
            }
            _ => {}
        }
        let error = Diagnostic::new(format!("there is no function, line or event `{name}`"));
        let known = self.functions.iter().map(|function| function.name.as_str());
        let kinds = super::pattern::KINDS.iter().map(|kind| kind.name);
        Err(match did_you_mean(name, known.chain(kinds)) {
            Some(help) => error.help(help),
            None => error.help("write `31`, `double:12`, `score`, `award p1`; `help break` tells more"),
        })
    }

    /// A line that was typed; nothing where it is no line.
    fn line(&self, typed: &str, here: Option<ScriptPoint>) -> Option<Result<Target, Diagnostic>> {
        let (file, number) = typed.rsplit_once(':').map_or((None, typed), |(file, number)| (Some(file), number));
        let number: usize = number.parse().ok()?;
        let script = match file {
            Some(file) => self.ruleset.scripts.iter().rfind(|script| {
                let name = &script.script.source.name;
                script.id == file || name == file || name.ends_with(&format!("/{file}"))
            }),
            None => here
                .and_then(|here| self.ruleset.script_at(here))
                .or_else(|| self.ruleset.scripts.iter().find(|script| script.role == crate::ruleset::Role::Game)),
        };
        let Some(script) = script else {
            let error = Diagnostic::new(format!("no script is called `{}`", file.unwrap_or("this")));
            let ids = self.ruleset.scripts.iter().map(|script| script.id.as_str());
            let ids: Vec<String> = ids.map(|id| format!("`{id}`")).collect();
            return Some(Err(error.help(format!("there are {}", ids.join(", ")))));
        };
        let target = Target::Line(script.id.clone(), number);
        if !self.sites_of(&target).is_empty() {
            return Some(Ok(target));
        }
        let lines = self.sites.iter().filter(|site| self.layer_of(site.at) == Some(&script.id));
        let next = lines.filter_map(|site| self.line_in_file(site.at)).find(|line| *line > number);
        let error = Diagnostic::new(format!("no statement begins in line {number} of {}", script.script.source.name));
        Some(Err(match next {
            Some(next) => error.help(format!("the next one begins in line {next}")),
            None => error.help("that is behind the last one"),
        }))
    }

    /// The line of a point in its own file.
    pub fn line_in_file(&self, at: ScriptPoint) -> Option<usize> {
        Some(self.ruleset.place(at, "")?.position().0)
    }

    /// The statements at which a target stops the rules; none for events and values, which are waited for everywhere,
    /// and none where what is meant is not there any more.
    pub fn sites_of(&self, target: &Target) -> Vec<usize> {
        let sites = self.sites.iter().enumerate();
        match target {
            Target::Line(layer, line) => {
                let here =
                    |site: &Site| self.layer_of(site.at) == Some(layer) && self.line_in_file(site.at) == Some(*line);
                let mut found: Vec<usize> = Vec::new();
                for (number, site) in sites.filter(|(_, site)| here(site)) {
                    // Of several statements in the line, the first of each function counts.
                    if !found.iter().any(|&other| self.sites[other].function == site.function) {
                        found.push(number);
                    }
                }
                found
            }
            Target::Function(name, layer) => {
                let meant = |site: &Site| {
                    site.entry
                        && !site.in_closure
                        && self.functions[site.function].name == *name
                        && layer.as_ref().is_none_or(|layer| self.layer_of(site.at) == Some(layer))
                };
                sites.filter(|(_, site)| meant(site)).map(|(number, _)| number).collect()
            }
            Target::Event(_) | Target::Change(_) => Vec::new(),
        }
    }

    /// Whether a breakpoint can stop these rules: what it names may be gone after an edit.
    pub fn has(&self, target: &Target) -> bool {
        matches!(target, Target::Event(_) | Target::Change(_)) || !self.sites_of(target).is_empty()
    }
}

impl Debugger {
    /// Enters the rules that ran right before a move (its number, as `history` counts), at their first statement after
    /// the choice before.
    ///
    /// # Errors
    /// The interpreter crashed.
    pub fn enter(watched: Watched, playthrough: &Playthrough, entries: usize) -> Result<Self, Diagnostic> {
        let log = playthrough.timeline().current().log.get(..entries).unwrap_or(playthrough.timeline().log()).to_vec();
        let choices = log.iter().filter(|entry| !entry.is_intervention()).count();
        let mut course = Course { seed: playthrough.seed, log, resolved: Vec::new() };
        if choices < course.log.len() {
            let request = course.request();
            course.resolved = watched.call(move |stepper| run(stepper, request).resolved)?;
        }
        let first = found(&watched, &course, Goal::AfterDecisions(choices))?;
        let beginning = first.step;
        Ok(Self { watched, course, beginning, stop: first })
    }

    /// The rules that are gone through.
    pub fn watched(&self) -> &Watched {
        &self.watched
    }

    /// Where they are stopped.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Goes so many statements on.
    ///
    /// # Errors
    /// This is the end of the run; the interpreter crashed.
    pub fn step(&mut self, count: u64) -> Result<(), Diagnostic> {
        self.refuse_at_end()?;
        self.go(Goal::Step(self.stop.step.saturating_add(count)))
    }

    /// Goes to the next statement of the same call, or of the one around it.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn over(&mut self) -> Result<(), Diagnostic> {
        self.refuse_at_end()?;
        self.go(Goal::Depth { after: self.stop.step, most: self.depth() })
    }

    /// Goes to where this call is left.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn out(&mut self) -> Result<(), Diagnostic> {
        self.refuse_at_end()?;
        self.go(Goal::Depth { after: self.stop.step, most: self.depth().saturating_sub(1) })
    }

    /// Goes so many statements back.
    ///
    /// # Errors
    /// This is the first statement of the game; the interpreter crashed.
    pub fn back(&mut self, count: u64) -> Result<(), Diagnostic> {
        self.refuse_at_start()?;
        self.go(Goal::Step(self.stop.step.saturating_sub(count).max(1)))
    }

    /// Goes back to the statement before of the same call, or of the one around it.
    ///
    /// # Errors
    /// As [`back`](Self::back).
    pub fn back_over(&mut self) -> Result<(), Diagnostic> {
        self.refuse_at_start()?;
        self.go(Goal::LastDepth { before: self.stop.step, most: self.depth() })
    }

    /// Goes on to the first of these breakpoints, or to the end of the run.
    ///
    /// # Errors
    /// As [`step`](Self::step); a condition or watched expression that cannot be used.
    pub fn resume(&mut self, breakpoints: &[Breakpoint]) -> Result<(), Diagnostic> {
        self.refuse_at_end()?;
        self.go(Goal::First { after: self.stop.step, breakpoints: breakpoints.to_vec() })
    }

    /// Goes back to the last of these breakpoints; where there is none, to the beginning of the stretch that was
    /// entered, and from there to the beginning of the game.
    ///
    /// # Errors
    /// As [`back`](Self::back); a condition or watched expression that cannot be used.
    pub fn rewind(&mut self, breakpoints: &[Breakpoint]) -> Result<(), Diagnostic> {
        self.refuse_at_start()?;
        let before = self.stop.step;
        if !breakpoints.is_empty() {
            let stop = self.found(Goal::Last { before, breakpoints: breakpoints.to_vec() })?;
            if stop.reason != Reason::Beginning {
                self.stop = stop;
                return Ok(());
            }
        }
        let to = if before > self.beginning { self.beginning } else { 1 };
        self.go(Goal::Step(to))?;
        self.stop.reason = Reason::Beginning;
        Ok(())
    }

    /// Goes on to a place, or back to it.
    ///
    /// # Errors
    /// It does not come, and the rules stand where they stood; as [`resume`](Self::resume) and [`rewind`](Self::rewind).
    pub fn until(&mut self, place: Breakpoint, is_back: bool) -> Result<(), Diagnostic> {
        if is_back {
            self.refuse_at_start()?;
        } else {
            self.refuse_at_end()?;
        }
        let (step, breakpoints) = (self.stop.step, vec![place]);
        let stop = self.found(match is_back {
            true => Goal::Last { before: step, breakpoints },
            false => Goal::First { after: step, breakpoints },
        })?;
        if matches!(stop.reason, Reason::Breakpoint(..) | Reason::Changes(..)) {
            self.stop = stop;
            return Ok(());
        }
        Err(match is_back {
            true => Diagnostic::new("that does not come before this statement"),
            false => Diagnostic::new("that does not come before the game stands still"),
        })
    }

    /// What an expression comes to here; what it would change is left out with the run that it was tried in.
    ///
    /// # Errors
    /// It does not parse; the interpreter crashed.
    pub fn see(&self, expression: &str) -> Result<Seen, Diagnostic> {
        see_at(&self.watched, &self.course, self.stop.step, expression)
    }

    fn go(&mut self, goal: Goal) -> Result<(), Diagnostic> {
        self.stop = self.found(goal)?;
        Ok(())
    }

    fn found(&self, goal: Goal) -> Result<Stop, Diagnostic> {
        found(&self.watched, &self.course, goal)
    }

    fn depth(&self) -> usize {
        self.stop.calls.len()
    }

    fn is_at_end(&self) -> bool {
        self.stop.calls.last().is_none_or(|call| call.step < self.stop.step)
    }

    fn refuse_at_end(&self) -> Result<(), Diagnostic> {
        if !self.is_at_end() {
            return Ok(());
        }
        let (message, help) = match self.stop.reason {
            Reason::Over => ("the game is over here", "`back` and `rewind` go back; `done` leaves the debugger"),
            Reason::Failed => ("the rules fail here", "`back` and `rewind` go back; `done` leaves the debugger"),
            _ => ("the rules wait for an answer here", "`done` leaves the debugger, then choose; `back` goes back"),
        };
        Err(Diagnostic::new(message).help(help))
    }

    fn refuse_at_start(&self) -> Result<(), Diagnostic> {
        if self.stop.step > 1 {
            return Ok(());
        }
        Err(Diagnostic::new("this is the first statement of the game").help("`step` and `continue` go on"))
    }
}

impl Course {
    fn request(&self) -> Request {
        Request {
            start: Start::Game,
            seed: self.seed,
            log: self.log.clone(),
            resolved: self.resolved.clone(),
            agent: None,
            until: Until::LogEnds,
            recording: Some(Recording::default()),
        }
    }
}

/// Where a run is to be stopped.
enum Goal {
    /// Before the statement of that number.
    Step(u64),
    /// Before the first statement after so many decisions.
    AfterDecisions(usize),
    /// Before the first statement with no more calls around it.
    Depth { after: u64, most: usize },
    /// Before the last statement with no more calls around it.
    LastDepth { before: u64, most: usize },
    /// At the first of some breakpoints.
    First { after: u64, breakpoints: Vec<Breakpoint> },
    /// At the last of some breakpoints.
    Last { before: u64, breakpoints: Vec<Breakpoint> },
}

/// Runs a log until the goal is met, and tells how everything stands there.
fn found(watched: &Watched, course: &Course, goal: Goal) -> Result<Stop, Diagnostic> {
    let (course, watched_again) = (course.clone(), watched.clone());
    watched.call(move |stepper| {
        let mut search = Search::new(&watched_again, stepper, goal)?;
        let mut outcome = follow(stepper, &course, &mut search);
        if let Some(error) = search.error.take() {
            return Err(error);
        }
        watched_again.refuse_interrupted()?;
        let (step, reason) = match search.found.take() {
            Some((step, reason)) => (step, reason),
            None if search.wants_last() => (1, Reason::Beginning),
            None => return Ok(captured(stepper, outcome, None)),
        };
        if !search.is_stopped || step != stepper.steps() {
            let mut again = Search::new(&watched_again, stepper, Goal::Step(step))?;
            outcome = follow(stepper, &course, &mut again);
            watched_again.refuse_interrupted()?;
        }
        Ok(captured(stepper, outcome, Some(reason)))
    })?
}

/// What an expression comes to before a statement, or at the end of the run.
fn see_at(watched: &Watched, course: &Course, step: u64, expression: &str) -> Result<Seen, Diagnostic> {
    let (course, watched_again, expression) = (course.clone(), watched.clone(), expression.to_owned());
    watched.call(move |stepper| {
        let expression = stepper.expression(&expression).map_err(|error| *error)?;
        let mut search = Search::new(&watched_again, stepper, Goal::Step(step))?;
        drop(follow(stepper, &course, &mut search));
        Ok(match stepper.frames().last() {
            Some(frame) => stepper.see(frame, &expression),
            None => Seen::Fails("the rules have not begun".to_owned()),
        })
    })?
}

/// Runs a log with a search watching.
fn follow(stepper: &mut Stepper, course: &Course, search: &mut Search) -> Outcome {
    let shared = Rc::new(RefCell::new(std::mem::take(search)));
    stepper.watch(shared.clone());
    let outcome = run(stepper, course.request());
    stepper.look_away();
    *search = shared.take();
    if !search.is_stopped {
        let frames = stepper.frames();
        let events = outcome.recording.as_ref().map(|recording| recording.events.as_slice()).unwrap_or_default();
        search.at_end(stepper, &frames, events, &outcome);
    }
    outcome
}

/// How everything stands where a run was stopped; at its end where no reason is given.
fn captured(stepper: &mut Stepper, mut outcome: Outcome, reason: Option<Reason>) -> Stop {
    let was_stopped = outcome.end == End::Halted(crate::table::decision::Halt::Watched);
    let reason = match reason {
        Some(reason) if was_stopped => reason,
        _ => match outcome.end {
            End::Finished => Reason::Over,
            End::Halted(_) => Reason::Asks,
            End::Failed(_) | End::Endless(_) => Reason::Failed,
        },
    };
    let sites = stepper.sites().clone();
    let mut frames = stepper.frames();
    if let (Reason::Asks, Some(open)) = (&reason, &outcome.open) {
        // What was worked out for the question has returned; the call that asks is the one that waits.
        let asks = |frame: &Frame| {
            let function = sites.get(frame.site).and_then(|site| stepper.functions().get(site.function));
            function.is_some_and(|function| function.at.line <= open.at.line && open.at.line <= function.last_line)
        };
        frames.truncate(frames.iter().rposition(asks).map_or(frames.len(), |innermost| innermost + 1));
    }
    let call = |frame: &Frame| {
        let site = sites.get(frame.site)?.clone();
        Some(Call { site, step: frame.step, locals: stepper.locals(frame) })
    };
    Stop {
        step: if was_stopped { stepper.steps() } else { stepper.steps() + 1 },
        reason,
        calls: frames.iter().filter_map(call).collect(),
        position: position(stepper, &mut outcome),
    }
}

/// A breakpoint as a run looks at it.
struct Trap {
    number: usize,
    what: Waits,
    condition: Option<Expression>,
}

enum Waits {
    Sites(Vec<usize>),
    Event(Pattern),
    Change { text: String, expression: Expression, last: Option<String> },
}

/// Watches a run until its goal is met.
#[derive(Default)]
struct Search {
    goal: Option<Goal>,
    traps: Vec<Trap>,
    layout: Option<Arc<Layout>>,
    functions: Arc<[FunctionInfo]>,
    sites: Arc<[Site]>,
    found: Option<(u64, Reason)>,
    is_stopped: bool,
    error: Option<Diagnostic>,
    /// How many events the last statement has seen.
    events: usize,
    /// The calls at the last statement: site and step, and for each trap whether its condition held.
    calls: Vec<Passed>,
}

struct Passed {
    site: usize,
    step: u64,
    held: Vec<bool>,
}

impl Search {
    fn new(watched: &Watched, stepper: &Stepper, goal: Goal) -> Result<Self, Diagnostic> {
        let breakpoints = match &goal {
            Goal::First { breakpoints, .. } | Goal::Last { breakpoints, .. } => breakpoints.as_slice(),
            _ => &[],
        };
        let trap = |breakpoint: &Breakpoint| {
            let expression = |text: &String| stepper.expression(text).map_err(|error| *error);
            let what = match &breakpoint.target {
                Target::Event(pattern) => Waits::Event(pattern.clone()),
                Target::Change(text) => Waits::Change { text: text.clone(), expression: expression(text)?, last: None },
                place => Waits::Sites(watched.sites_of(place)),
            };
            let condition = breakpoint.condition.as_ref().map(expression).transpose()?;
            Ok(Trap { number: breakpoint.number, what, condition })
        };
        let traps = breakpoints.iter().map(trap).collect::<Result<_, Diagnostic>>()?;
        Ok(Self {
            goal: Some(goal),
            traps,
            layout: Some(watched.layout.clone()),
            functions: watched.functions.clone(),
            sites: watched.sites.clone(),
            ..Self::default()
        })
    }

    fn wants_last(&self) -> bool {
        matches!(self.goal, Some(Goal::Last { .. } | Goal::LastDepth { .. }))
    }

    /// Between which statements something is looked for, both left out.
    fn range(&self) -> (u64, u64) {
        match self.goal {
            Some(Goal::First { after, .. } | Goal::Depth { after, .. }) => (after, u64::MAX),
            Some(Goal::Last { before, .. } | Goal::LastDepth { before, .. }) => (0, before),
            _ => (0, u64::MAX),
        }
    }

    fn is_in_range(&self, step: u64) -> bool {
        let (after, before) = self.range();
        after < step && step < before
    }

    fn find(&mut self, step: u64, reason: Reason) {
        let wants_last = self.wants_last();
        let is_nearer = match &self.found {
            Some((found, _)) if wants_last => step > *found,
            Some((found, _)) => step < *found,
            None => true,
        };
        if self.is_in_range(step) && is_nearer {
            self.found = Some((step, reason));
        }
    }

    /// What was caused since the last statement: events, and changes of what is watched.
    fn look_back(&mut self, events: &[Event], label: impl Fn(Component) -> String, seen: Vec<Option<Seen>>) {
        let Some(layout) = self.layout.clone() else { return };
        let new: Vec<Event> = events.get(self.events..).unwrap_or_default().to_vec();
        self.events = events.len();
        for index in 0..self.traps.len() {
            let number = self.traps[index].number;
            match &self.traps[index].what {
                Waits::Event(pattern) => {
                    let pattern = pattern.clone();
                    for event in new.iter().filter(|event| pattern.fits(event, &layout, &label)) {
                        let Some(call) = self.cause(event.at) else { continue };
                        if call.held.get(index) != Some(&false) {
                            let step = call.step;
                            self.find(step, Reason::Breakpoint(number, Some(Box::new(event.clone()))));
                        }
                    }
                }
                Waits::Change { text, last, .. } => {
                    let (text, last) = (text.clone(), last.clone());
                    let Some(Some(Seen::Value(Shown { shown: now, .. }))) = seen.get(index) else { continue };
                    if let Some(last) = last.filter(|last| last != now) {
                        let at = new.last().map_or(ScriptPoint::default(), |event| event.at);
                        if let Some(call) = self.cause(at)
                            && call.held.get(index) != Some(&false)
                        {
                            let step = call.step;
                            self.find(step, Reason::Changes(number, text, last, now.clone()));
                        }
                    }
                    if let Waits::Change { last, .. } = &mut self.traps[index].what {
                        *last = Some(now.clone());
                    }
                }
                Waits::Sites(_) => {}
            }
        }
    }

    /// The statement that caused what happened at a point: of the calls at the last statement, the innermost whose
    /// function the point lies in; where there is none, the last statement.
    fn cause(&self, at: ScriptPoint) -> Option<&Passed> {
        let lies_in = |call: &&Passed| {
            let function = self.sites.get(call.site).and_then(|site| self.functions.get(site.function));
            function.is_some_and(|function| function.at.line <= at.line && at.line <= function.last_line)
        };
        self.calls.iter().rev().find(lies_in).or(self.calls.last())
    }

    /// The end of a run that nothing stopped.
    fn at_end(&mut self, stepper: &Stepper, frames: &[Frame], events: &[Event], outcome: &Outcome) {
        let Some(layout) = self.layout.clone() else { return };
        let frame = frames.last();
        let see = |trap: &Trap| match &trap.what {
            Waits::Change { expression, .. } => frame.map(|frame| stepper.see(frame, expression)),
            _ => None,
        };
        let seen = self.traps.iter().map(see).collect();
        let faces = &outcome.table.faces;
        let label = |component: crate::table::value::Component| {
            layout.faces[usize::from(faces[component.index()])].id.to_string()
        };
        self.look_back(events, label, seen);
    }
}

impl Watcher for Search {
    fn begin(&mut self) {
        self.found = None;
        self.is_stopped = false;
        self.events = 0;
        self.calls.clear();
        for trap in &mut self.traps {
            if let Waits::Change { last, .. } = &mut trap.what {
                *last = None;
            }
        }
    }

    fn statement(&mut self, moment: &Moment<'_>) -> bool {
        let Some(frame) = moment.frames.last() else { return true };
        let step = moment.step;
        if !self.traps.is_empty() && !self.look_at(moment, frame) {
            self.is_stopped = true;
            return false;
        }
        let depth = moment.frames.len();
        let (after, before) = self.range();
        let is_met = match self.goal {
            Some(Goal::Step(wanted)) => step == wanted,
            Some(Goal::AfterDecisions(count)) => moment.table().decisions() >= count,
            Some(Goal::Depth { most, .. }) => step > after && depth <= most,
            Some(Goal::LastDepth { most, .. }) if step < before && depth <= most => {
                self.found = Some((step, Reason::Stepped));
                false
            }
            _ => false,
        };
        if is_met {
            self.found = Some((step, Reason::Stepped));
        }
        let is_done = match &self.found {
            // Statements that were begun before the end of the search may still cause what is waited for.
            _ if matches!(self.goal, Some(Goal::Last { .. })) => {
                step >= before && !moment.frames.iter().any(|frame| frame.step < before)
            }
            _ if self.wants_last() => step >= before,
            // So may a statement around the one that was found, and it comes before it.
            Some((found, _)) if matches!(self.goal, Some(Goal::First { .. })) => {
                !moment.frames.iter().any(|frame| after < frame.step && frame.step < *found)
            }
            Some(_) => true,
            None => false,
        };
        self.is_stopped = is_done;
        !is_done
    }
}

impl Search {
    /// Looks at the traps before a statement; false where one of their expressions cannot be used.
    fn look_at(&mut self, moment: &Moment<'_>, frame: &Frame) -> bool {
        let see = |trap: &Trap| match &trap.what {
            Waits::Change { expression, .. } => Some(moment.see(expression)),
            _ => None,
        };
        let seen: Vec<Option<Seen>> = self.traps.iter().map(see).collect();
        let held: Vec<Option<Seen>> = self
            .traps
            .iter()
            .map(|trap| match &trap.what {
                Waits::Sites(sites) if !sites.contains(&frame.site) => None,
                _ => trap.condition.as_ref().map(|condition| moment.see(condition)),
            })
            .collect();
        for (trap, looked) in self.traps.iter().zip(seen.iter().zip(&held)) {
            if matches!(looked, (Some(Seen::Changes), _) | (_, Some(Seen::Changes))) {
                let error = format!("what breakpoint {} looks at changes the table", trap.number);
                self.error = Some(Diagnostic::new(error).help(format!("`delete {}` takes it away", trap.number)));
                return false;
            }
            // Waiting for an event, a condition is looked at everywhere, so that it may fail elsewhere.
            let is_place = matches!(trap.what, Waits::Sites(_));
            let why = match looked {
                (Some(Seen::Fails(why)), _) | (_, Some(Seen::Fails(why))) if is_place || moment.ended().is_some() => {
                    why
                }
                (_, Some(Seen::Unknown(why))) if is_place => why,
                _ => continue,
            };
            // Behind what was found nothing has to be read any more, and before the search nothing yet.
            let is_found = self.found.is_some() && !self.wants_last();
            if moment.ended().is_none() && (is_found || !self.is_in_range(moment.step)) {
                continue;
            }
            if !is_found {
                let error = format!("the condition of breakpoint {} cannot be read here: {why}", trap.number);
                self.error = Some(Diagnostic::new(error).help(format!("`delete {}` takes it away", trap.number)));
            }
            return false;
        }
        {
            let table = moment.table();
            self.look_back(table.recorded(), |component| table.label(component).to_string(), seen);
        }
        let held: Vec<bool> = held
            .into_iter()
            .map(|seen| matches!(seen, None | Some(Seen::Value(Shown { is_true: true, .. }))))
            .collect();
        let is_here = |trap: &Trap| matches!(&trap.what, Waits::Sites(sites) if sites.contains(&frame.site));
        let met = self.traps.iter().zip(&held).find(|(trap, held)| **held && is_here(trap));
        if let Some(number) = met.map(|(trap, _)| trap.number) {
            self.find(moment.step, Reason::Breakpoint(number, None));
        }
        // The calls around the statement keep what held when they came to theirs.
        self.calls.truncate(moment.frames.len().saturating_sub(1));
        for around in moment.frames.iter().take(moment.frames.len().saturating_sub(1)).skip(self.calls.len()) {
            self.calls.push(Passed { site: around.site, step: around.step, held: Vec::new() });
        }
        self.calls.push(Passed { site: frame.site, step: frame.step, held });
        true
    }
}
