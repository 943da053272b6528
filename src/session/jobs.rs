//! Work in the background while the prompt waits for the next line: games that are played, and lines that only look.
//!
//! A job has its own copy of the position and of the rules, so that nothing that is typed meanwhile changes its figures,
//! and its own wire to be stopped by. There is one at a time.

use crate::catalogue::{said, say, speak, told};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::screen::style::{Line, time_in_words, wrapped};
use crate::session::Session;
use crate::session::commands::{Figures, Flow};
use crate::session::line::COMMAND;
use crate::table::knowledge::Viewer;
use crate::work::{Clock, Work, Workers};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often `wait` looks at the progress of a job.
const LOOK: Duration = Duration::from_millis(50);

/// What is played in the background.
pub(super) struct Job {
    /// The line that began it.
    line: String,
    /// Hash of the rules in play when it began.
    rules: String,
    /// Whose eyes the position was seen with.
    viewer: Viewer,
    work: Arc<Work>,
    /// The clock, and what it said when the job began.
    begun: Option<(Clock, Duration)>,
    done: Arc<FinishedJob>,
}

/// What a job gives.
pub(super) enum Product {
    /// Figures of games.
    Figures(Box<Figures>),
    /// What a line shows.
    Lines(Vec<Line>),
}

/// What a job does, on threads of its own.
pub(super) type Task = Box<dyn FnOnce(&dyn Workers) -> Result<Product, Diagnostics> + Send>;

/// Where the figures are put when they are there.
#[derive(Default)]
struct FinishedJob {
    figures: Mutex<Option<Result<Product, Diagnostics>>>,
    are_there: Condvar,
}

impl FinishedJob {
    fn are_there(&self) -> bool {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Waits for so long, or until the figures are there.
    fn wait(&self, time: Duration) {
        let figures = self.figures.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.are_there.wait_timeout_while(figures, time, |figures| figures.is_none()));
    }
}

impl Job {
    /// About how long it still takes, where there is a clock and something is done.
    fn left(&self) -> Option<Duration> {
        let (clock, begun) = self.begun?;
        self.work.left(clock().saturating_sub(begun))
    }
}

/// Told when a job is done, by whatever plays it.
pub type DoneSignal = Arc<dyn Fn() + Send + Sync>;

impl Session {
    /// Has a bell rung when a job is done.
    pub fn ring(&mut self, bell: DoneSignal) {
        self.bell = Some(bell);
    }

    /// Refuses a second job.
    ///
    /// # Errors
    /// There is one already.
    pub(super) fn can_begin_a_job(&self) -> Result<(), Diagnostics> {
        match &self.job {
            None => Ok(()),
            Some(job) => Err(Diagnostic::new(format!("`{}` is already running in the background", job.line))
                .help("`wait` waits for it, `stop` ends it with the result so far")
                .into()),
        }
    }

    /// Does a task in the background; `work` is the wire of its rules.
    ///
    /// # Errors
    /// There is a job already; the system gives no thread.
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
        let cannot = |error| Diagnostic::new(format!("nothing can run in the background: {error}"));
        let begun = self.surroundings.clock().map(|clock| (clock, clock()));
        self.surroundings.in_background(body).map_err(cannot)?;
        let rules = self.playthrough.loaded().ruleset.hash.clone();
        self.came_before_wait = false;
        self.job = Some(Job { line, rules, viewer: self.viewer, work, begun, done });
        let words = said("running in the background: `jobs` shows its progress, `stop` ends it with the result so far");
        Ok(wrapped(words, self.width))
    }

    /// Does a line in the background that only looks at the game: on a copy, as the game stands now.
    ///
    /// # Errors
    /// As [`begin_job`](Self::begin_job).
    pub(super) fn look_in_background(&mut self, line: String) -> Result<Vec<Line>, Diagnostics> {
        let work = Arc::<Work>::default();
        let (wire, game, library) = (work.clone(), self.playthrough.copier(), self.library.clone());
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

    /// The line of the job that is not done yet.
    pub fn running_job(&self) -> Option<&str> {
        self.job.as_ref().filter(|job| !job.done.are_there()).map(|job| job.line.as_str())
    }

    /// The figures of a job that is done, once, where whoever looks may know them.
    pub fn take_figures(&mut self) -> Option<Vec<Line>> {
        let figures = self.figures_if_done();
        self.came_before_wait |= figures.is_some();
        figures
    }

    fn figures_if_done(&mut self) -> Option<Vec<Line>> {
        let is_done = self.job.as_ref().is_some_and(|job| job.done.are_there() && self.may_know(job));
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

    /// Whether the position was no more known to whoever began the job than to whoever looks now.
    fn may_know(&self, job: &Job) -> bool {
        !self.viewer.is_limited() || self.viewer == job.viewer
    }

    /// What is played in the background, and how far it is.
    pub(super) fn jobs(&self) -> Vec<Line> {
        let Some(job) = &self.job else { return vec![Line::faint(said("nothing is running in the background"))] };
        let how_far = match (job.done.are_there(), job.work.progress()) {
            (true, _) => said("done; `as all` shows the figures").to_owned(),
            (false, progress) if progress.is_empty() => said("begins").to_owned(),
            (false, progress) => match job.left() {
                Some(left) => {
                    let left = time_in_words(left.max(Duration::from_secs(1)));
                    say!("{} · about {left} left", told(&progress))
                }
                None => told(&progress).into_owned(),
            },
        };
        wrapped(&format!("`{}`{}{how_far}", job.line, said(": ")), self.width)
    }

    /// Waits for the figures of the job, or ends it with those so far. Ctrl-C ends the waiting, and the job goes on.
    ///
    /// # Errors
    /// There is no job; whoever looks may not know its figures; somebody does not want to wait.
    pub fn figures_of_job(&mut self, stops: bool) -> Result<Vec<Line>, Diagnostics> {
        // Whether the games or the lines of a script are done first depends on the computer; neither is wrong.
        if std::mem::take(&mut self.came_before_wait) && self.job.is_none() {
            return Ok(Vec::new());
        }
        let none = || Diagnostic::new("nothing is running in the background").help("`sim 1000 &` starts a simulation");
        let job = self.job.as_ref().ok_or_else(none)?;
        if !self.may_know(job) {
            let error = Diagnostic::new(format!("`{}` began where you saw more of the table than now", job.line));
            return Err(error.help("`as all` shows its figures when it is done").into());
        }
        if stops {
            job.work.stop();
        }
        while !job.done.are_there() {
            job.done.wait(LOOK);
            self.work.remark(job.work.progress());
            self.work.refuse_stopped()?;
        }
        Ok(self.figures_if_done().unwrap_or_default())
    }

    /// What the figures of a job are of: its line, and whether other rules are in play now.
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
