//! Background jobs: games, or lines that only look, while the prompt takes the next line.
//!
//! A job has its own copy of the position and of the rules, so that later input does not change its figures, and its
//! own work handle, so that it can be stopped separately. There is one job at a time.

use crate::catalogue::{message, said, say, speak};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::screen::duration::time_in_words;
use crate::screen::style::{Line, wrapped};
use crate::session::Session;
use crate::session::commands::{Figures, Flow};
use crate::session::line::COMMAND;
use crate::table::knowledge::Viewer;
use crate::work::{Clock, Work, Workers};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The interval at which `wait` checks the progress of a job.
const PROGRESS_CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// A background job.
pub(super) struct Job {
    /// The line that started it.
    line: String,
    /// The hash of the rules in play when it started.
    rules: String,
    /// The viewer when it started.
    viewer: Viewer,
    work: Arc<Work>,
    /// The clock, and its time when the job started.
    begun: Option<(Clock, Duration)>,
    done: Arc<FinishedJob>,
}

/// The result of a job.
pub(super) enum Product {
    /// The figures of games.
    Figures(Box<Figures>),
    /// The output of a line.
    Lines(Vec<Line>),
}

/// The work of a job, on threads of its own.
pub(super) type Task = Box<dyn FnOnce(&dyn Workers) -> Result<Product, Diagnostics> + Send>;

/// The place for the result of a job.
#[derive(Default)]
struct FinishedJob {
    figures: Mutex<Option<Result<Product, Diagnostics>>>,
    are_there: Condvar,
}

impl FinishedJob {
    fn are_there(&self) -> bool {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Waits for the result, at most for `time`.
    fn wait(&self, time: Duration) {
        let figures = self.figures.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.are_there.wait_timeout_while(figures, time, |figures| figures.is_none()));
    }
}

impl Job {
    /// The estimated remaining time; `None` without a clock or before any progress.
    fn left(&self) -> Option<Duration> {
        let (clock, begun) = self.begun?;
        self.work.left(clock().saturating_sub(begun))
    }
}

/// A callback for when a job is done.
pub type DoneSignal = Arc<dyn Fn() + Send + Sync>;

impl Session {
    /// Sets the callback for when a job is done.
    pub fn on_job_done(&mut self, bell: DoneSignal) {
        self.bell = Some(bell);
    }

    /// Checks that no job is there yet.
    ///
    /// # Errors
    /// There is a job already.
    pub(super) fn can_begin_a_job(&self) -> Result<(), Diagnostics> {
        match &self.job {
            None => Ok(()),
            Some(job) => Err(Diagnostic::new(message!("`{}` is already running in the background", job.line))
                .help("`wait` waits for it, `stop` ends it with the result so far")
                .into()),
        }
    }

    /// Starts a job in the background; `work` is the work handle of its rules.
    ///
    /// # Errors
    /// There is a job already, or no thread can be started.
    pub(super) fn begin_job(&mut self, line: String, task: Task, work: Arc<Work>) -> Result<Vec<Line>, Diagnostics> {
        self.can_begin_a_job()?;
        let done = Arc::new(FinishedJob::default());
        let (place, bells) = (done.clone(), [self.changed.clone(), self.bell.clone()]);
        let (language, surroundings) = (self.language, self.surroundings.clone());
        let body = Box::new(move || {
            speak(language);
            let figures = task(surroundings.workers());
            *place.figures.lock().unwrap_or_else(PoisonError::into_inner) = Some(figures);
            place.are_there.notify_all();
            bells.into_iter().flatten().for_each(|ring| ring());
        });
        let cannot = |error| Diagnostic::new(message!("nothing can run in the background: {error}"));
        let begun = self.surroundings.clock().map(|clock| (clock, clock()));
        self.surroundings.in_background(body).map_err(cannot)?;
        let rules = self.playthrough.loaded().ruleset.hash.clone();
        self.came_before_wait = false;
        self.job = Some(Job { line, rules, viewer: self.viewer, work, begun, done });
        let words = said("running in the background: `jobs` shows its progress, `stop` ends it with the result so far");
        Ok(wrapped(words, self.width))
    }

    /// Starts a job that runs a line which only looks at the game, on a copy of the current position.
    ///
    /// # Errors
    /// The same as of [`begin_job`](Self::begin_job).
    pub(super) fn look_in_background(&mut self, line: String) -> Result<Vec<Line>, Diagnostics> {
        let work = Arc::<Work>::default();
        let (wire, game, library) = (work.clone(), self.playthrough.deferred_copy(), self.library.clone());
        let (surroundings, folder) = (self.surroundings.clone(), self.folder.clone());
        let (language, viewer, width) = (self.language, self.viewer, self.width);
        let place = say!("at move {}", self.playthrough.timeline().cursor() + 1);
        let typed = format!("{COMMAND}{line}");
        let task = move |_: &dyn Workers| {
            let mut session = Self::new(game(wire.clone())?, library, language, wire, surroundings);
            (session.viewer, session.width, session.folder) = (viewer, width, folder);
            match session.line(&typed)? {
                Flow::Show(lines) | Flow::Page(lines) => {
                    Ok(Product::Lines(std::iter::once(Line::faint(place)).chain(lines).collect()))
                }
                Flow::Ask(question) => Err(question.refusal),
                Flow::Quit => Ok(Product::Lines(Vec::new())),
            }
        };
        self.begin_job(line, Box::new(task), work)
    }

    /// The line of the running job; `None` once it is done.
    pub fn running_job(&self) -> Option<&str> {
        self.job.as_ref().filter(|job| !job.done.are_there()).map(|job| job.line.as_str())
    }

    /// The output of a finished job, given once and only if the viewer may know it.
    pub fn take_figures(&mut self) -> Option<Vec<Line>> {
        let figures = self.figures_if_done();
        self.came_before_wait |= figures.is_some();
        figures
    }

    fn figures_if_done(&mut self) -> Option<Vec<Line>> {
        let is_done = self.job.as_ref().is_some_and(|job| job.done.are_there() && self.may_see_result(job));
        let job = self.job.take_if(|_| is_done)?;
        let figures = job.done.figures.lock().unwrap_or_else(PoisonError::into_inner).take();
        let head = self.told(&job);
        let mut lines = head.clone();
        match figures {
            Some(Ok(Product::Lines(shown))) => {
                lines.extend(shown);
                self.announce(&lines);
            }
            Some(Ok(Product::Figures(figures))) => {
                lines.extend(figures.lines(self.width, self.language));
                let mut drawn = figures.page(self.language);
                drawn.lead = head.iter().map(Line::text).chain([drawn.lead]).collect::<Vec<_>>().join(" ");
                self.announce_figures(head.into_iter().next().unwrap_or_default(), &drawn);
            }
            Some(Err(errors)) => {
                let text: String =
                    errors.iter().map(|error| error.render_within(false, Some(self.width)) + "\n").collect();
                lines.extend(text.lines().map(Line::plain));
                self.announce(&lines);
            }
            None => {}
        }
        Some(lines)
    }

    /// Whether the current viewer may know the result of a job, which was computed with the viewer's knowledge at its
    /// start.
    fn may_see_result(&self, job: &Job) -> bool {
        !self.viewer.is_limited() || self.viewer == job.viewer
    }

    /// A description of the job and its progress.
    pub(super) fn jobs(&self) -> Vec<Line> {
        let Some(job) = &self.job else { return vec![Line::faint(said("nothing is running in the background"))] };
        let how_far = match (job.done.are_there(), job.work.progress()) {
            (true, _) => said("done; `as all` shows the figures").to_owned(),
            (false, progress) if progress.is_empty() => said("begins").to_owned(),
            (false, progress) => match job.left() {
                Some(left) => {
                    let left = time_in_words(left.max(Duration::from_secs(1)));
                    say!("{} · about {left} left", progress.told())
                }
                None => progress.told().into_owned(),
            },
        };
        wrapped(&format!("`{}`{}{how_far}", job.line, said(": ")), self.width)
    }

    /// Waits for the job, or with `stops` ends it with its figures so far. Ctrl-C ends only the waiting.
    ///
    /// # Errors
    /// There is no job, the viewer may not know its figures, or the waiting was stopped.
    pub fn figures_of_job(&mut self, stops: bool) -> Result<Vec<Line>, Diagnostics> {
        // Which comes first, the result or the next line of a script, depends on the computer; neither is an error.
        if std::mem::take(&mut self.came_before_wait) && self.job.is_none() {
            return Ok(Vec::new());
        }
        let none = || Diagnostic::new("nothing is running in the background").help("`sim 1000 &` starts a simulation");
        let job = self.job.as_ref().ok_or_else(none)?;
        if !self.may_see_result(job) {
            let error = Diagnostic::new(message!("`{}` began where you saw more of the table than now", job.line));
            return Err(error.help("`as all` shows its figures when it is done").into());
        }
        if stops {
            job.work.stop();
        }
        while !job.done.are_there() {
            job.done.wait(PROGRESS_CHECK_INTERVAL);
            self.work.remark(job.work.progress());
            self.work.check_stopped()?;
        }
        Ok(self.figures_if_done().unwrap_or_default())
    }

    /// The heading of a job's figures: its line, and a note where other rules are in play now.
    fn told(&self, job: &Job) -> Vec<Line> {
        let mut lines = vec![Line::strong(format!("`{}`", job.line)).cut(self.width)];
        if job.rules != self.playthrough.loaded().ruleset.hash {
            lines.extend(wrapped(
                said("of the rules that were in play when it began; others are in play now"),
                self.width,
            ));
        }
        lines
    }
}
