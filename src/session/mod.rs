//! Sessions: a game in play, with the commands and completion for the person who plays it.
//!
//! A [`Session`] is a playthrough with a person in front of it. A typed line is an answer to the open decision or one
//! of the [`commands`]; either gives lines to show. At a terminal, lines are typed at a prompt; otherwise they are read
//! as a script, which ends at the first line that fails.

pub mod analysis;
mod answer;
pub mod commands;
mod completion;
pub mod entry;
mod expression;
pub mod fair;
pub mod jobs;
mod line;
pub mod reload;
pub mod seats;
pub mod surroundings;
pub mod table_face;
mod viewing;

use crate::catalogue::{Message, message, said, speak};
use crate::definition::{Language, Library};
use crate::diagnostic::{Diagnostic, Diagnostics, visible};
use crate::inspect::debugger::{Breakpoint, Debugger, Places};
use crate::playthrough::history::History;
use crate::playthrough::log::LogEntry;
use crate::playthrough::{Playable, Playthrough, Position};
use crate::ruleset::{Ruleset, Selection};
use crate::screen::style::{self, Line};
use crate::screen::{self, Scene};
use crate::table::decision::Decision;
use crate::table::knowledge::{View, Viewer};
use crate::table::value::Seat;
use crate::work::Work;
use analysis::Analysis;
use answer::Answers;
use commands::{Command, Flow};
use line::{Meaning, Situation};
use seats::{Players, Seating};
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;
use surroundings::Surroundings;

/// A playthrough with the state of the person's view of it.
pub struct Session {
    /// The game in play.
    pub playthrough: Playthrough,
    /// The library of games and variants.
    pub library: Library,
    /// The project's folder, for new scenarios.
    pub folder: PathBuf,
    /// The language of names and prompts.
    pub language: Language,
    /// The viewer of the table: everything, a player or the public.
    pub viewer: Viewer,
    /// The width of drawings, in columns.
    pub width: usize,
    /// The number of rows of the screen; `None` where it is unknown.
    pub height: Option<usize>,
    /// The script debugger, while it is open.
    pub debugger: Option<Debugger>,
    /// The breakpoints of the debugger.
    pub breakpoints: Vec<Breakpoint>,
    /// The index of breakpoint targets in the rules in play, once it is needed.
    places: RefCell<Option<Places>>,
    /// The number of events before the command in which a breakpoint opened the debugger.
    stopped: Option<usize>,
    /// The state of watching the rules' files, while they are watched.
    watching: Option<reload::WatchState>,
    work: Arc<Work>,
    /// The people and agents at the seats.
    players: Players,
    /// Errors in standings and captions already reported.
    told: Vec<Diagnostic>,
    /// Warnings and notes to be shown beside the results of lines.
    notices: Vec<Diagnostic>,
    /// Whether long output is shown in a pager.
    pub pages: bool,
    /// The settings of variants that were taken off, as typed.
    set_before: Vec<String>,
    /// The mode of undo.
    undo: fair::Undo,
    /// The last stepping command, which an empty line repeats.
    last_step: Option<String>,
    /// The last input that failed, with its errors.
    last_error: Option<(String, Diagnostics)>,
    /// The rules, seed and log when the game was started, saved or loaded; `None` for a game that never was.
    saved: Option<SavedState>,
    /// How many times the game was saved, or replaced by one that counts as saved.
    saves: usize,
    /// The number of events in the game that the session began with; 0 for a new game.
    events_before: usize,
    /// The background job.
    job: Option<jobs::Job>,
    /// Whether the figures of the last job were shown before a `wait` for them.
    came_before_wait: bool,
    /// The callback for when the job is done.
    bell: Option<jobs::DoneSignal>,
    /// The callback for when the game may look different.
    changed: Option<jobs::DoneSignal>,
    /// The server of the live table, where there can be one.
    table_server: Option<Box<dyn table_face::TableServer>>,
    /// The links and the reach of the live table in a killed session, until there is a server.
    links_before: (Vec<(String, String)>, Option<table_face::TableReach>),
    /// The last announcement beside the results of lines: figures of a job, saved rules.
    announced: table_face::Announcement,
    /// The players' thinking times for choices that are not in the log yet, in milliseconds.
    thoughts: Vec<(Seat, u64)>,
    /// The arrival times of remote answers to the open simultaneous choice.
    arrivals: table_face::ArrivalTimes,
    /// Whether output may mention commands and files of rules; false for a player's page.
    has_commands: bool,
    /// The services of the computer that commands need.
    surroundings: Arc<dyn Surroundings>,
}

/// The default width of drawings.
const DEFAULT_WIDTH: usize = 80;

/// Commands that assume a game that began under its rules, and not from a scenario.
const NOT_IN_SCENARIOS: [&str; 8] = ["save", "record", "bug", "diff", "analyze", "sim", "compare", "load"];

impl Session {
    /// A session at the beginning of a playthrough, whose viewer sees everything.
    pub fn new(
        playthrough: Playthrough,
        library: Library,
        language: Language,
        work: Arc<Work>,
        surroundings: Arc<dyn Surroundings>,
    ) -> Self {
        let saved = Some(what_is_saved(&playthrough));
        speak(language);
        let is_new = playthrough.timeline().log().is_empty();
        let events_before = if is_new { 0 } else { playthrough.position().events.len() };
        let mut session = Self {
            players: Players::persons(playthrough.seats),
            undo: fair::Undo::default(),
            playthrough,
            library,
            folder: PathBuf::new(),
            language,
            viewer: Viewer::Everything,
            width: DEFAULT_WIDTH,
            height: None,
            debugger: None,
            breakpoints: Vec::new(),
            places: RefCell::default(),
            stopped: None,
            watching: None,
            work,
            told: Vec::new(),
            notices: Vec::new(),
            pages: true,
            set_before: Vec::new(),
            last_step: None,
            last_error: None,
            saved,
            saves: 0,
            events_before,
            job: None,
            came_before_wait: false,
            bell: None,
            changed: None,
            table_server: None,
            links_before: Default::default(),
            announced: Default::default(),
            thoughts: Vec::new(),
            arrivals: Default::default(),
            has_commands: true,
            surroundings,
        };
        session.tell_faults();
        session
    }

    /// Reports once each error in standings or captions, and in the agents' functions of the rules.
    pub(super) fn tell_faults(&mut self) {
        for diagnostic in self.playthrough.position().undrawn.clone() {
            if !self.told.contains(&diagnostic) {
                self.tell_fault(diagnostic);
            }
        }
        for fault in self.playthrough.loaded().rules.take_faults() {
            // The same error with other numbers is not reported again.
            if !self.told.iter().any(|known| known.place == fault.place && known.code == fault.code) {
                self.tell_fault(fault);
            }
        }
    }

    fn tell_fault(&mut self, fault: Diagnostic) {
        self.notices.extend(self.visible_failure(&fault.clone().into()));
        self.told.push(fault);
    }

    /// Takes the warnings and notes since the last call, to be shown before anything else.
    pub fn take_notices(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.notices)
    }

    /// Runs one typed line: an answer or a command. Warnings and notes beside its result are
    /// [notices](Self::take_notices).
    ///
    /// # Errors
    /// The line is neither or cannot be run now, and the game is unchanged; or the rules failed on the way, and the
    /// game is stopped there.
    pub fn line(&mut self, typed: &str) -> Result<Flow, Diagnostics> {
        speak(self.language);
        let flow = self.line_told(typed);
        if let Err(errors) = &flow {
            self.last_error = Some((typed.trim().to_owned(), errors.clone()));
        }
        self.tell_change();
        flow
    }

    /// The last input that failed, with its errors.
    fn last_error(&self) -> Option<(&str, &Diagnostics)> {
        self.last_error.as_ref().map(|(typed, errors)| (&**typed, errors))
    }

    fn line_told(&mut self, typed: &str) -> Result<Flow, Diagnostics> {
        let had_failed = self.playthrough.position().failed.is_some();
        let flow = self.do_line(typed).and_then(|flow| match flow {
            Flow::Show(lines) if !self.work.is_stopped() => self.go_on(lines).map(Flow::Show),
            flow => Ok(flow),
        });
        if self.work.is_stopped() && !matches!(flow, Ok(Flow::Quit | Flow::Page(_))) {
            let stands = self.playthrough.timeline().cursor() + 1;
            // Enter does not restart what was stopped.
            self.last_step = None;
            return Err(Diagnostic::new(message!("interrupted; the game stands at move {stands}"))
                .help("`table` shows it, `undo` takes moves back")
                .into());
        }
        self.tell_faults();
        match &self.playthrough.position().failed {
            // Where a breakpoint has stopped before the failure, it is reported when the debugger is left.
            Some(failed) if !had_failed && flow.is_ok() && self.debugger.is_none() => Err(self
                .visible_failure(failed)
                .help("the game is stopped here: `undo` goes back, `reload` reads edited rules")),
            _ => flow,
        }
    }

    fn do_line(&mut self, typed: &str) -> Result<Flow, Diagnostics> {
        let meaning = self.situation().meaning(typed)?;
        match meaning {
            Meaning::Nothing => Ok(Flow::Show(Vec::new())),
            Meaning::Answer { positions, understood } => {
                self.last_step = None;
                self.answer_with(&positions, understood)
            }
            Meaning::Command { command, typed, rest } => {
                self.allows(command)?;
                if self.playthrough.is_of_scenario() && NOT_IN_SCENARIOS.contains(&command.name) {
                    let error =
                        message!("`{}` needs a game that began with its rules, not with a scenario", command.name);
                    return Err(Diagnostic::new(error).help("begin the game itself, or play on from here").into());
                }
                let flow = command.run(self, &rest)?;
                self.last_step = command.steps.then_some(typed);
                Ok(flow)
            }
            Meaning::Expression { typed, unknown } => self.expression(&typed, unknown),
        }
    }

    /// What decides what a line means, as the session stands now.
    fn situation(&self) -> Situation<'_> {
        Situation {
            answers: self.answerable().map(|open| Answers::new(self.scene(), open)),
            hidden: (!self.shows_options()).then(|| self.hidden_options()),
            is_debugging: self.debugger.is_some(),
            last_step: self.last_step.as_deref(),
            is_known: Box::new(|word| self.is_known(word)),
        }
    }

    /// The current position, or the debugger's.
    pub fn position(&self) -> &Position {
        match &self.debugger {
            Some(debugger) => &debugger.stop().position,
            None => self.playthrough.position(),
        }
    }

    /// The open decision; `None` in the debugger, where it cannot be answered.
    fn answerable(&self) -> Option<&Decision> {
        self.playthrough.position().open.as_deref().filter(|_| self.debugger.is_none())
    }

    /// The index of breakpoint targets in the rules in play.
    pub fn places(&self) -> Places {
        let loaded = self.playthrough.loaded();
        let mut known = self.places.borrow_mut();
        match known.as_ref().filter(|places| places.fits(loaded)) {
            Some(places) => places.clone(),
            None => known.insert(Places::of(loaded)).clone(),
        }
    }

    /// Whether the game is as it was when it was started, saved or loaded.
    pub fn is_saved(&self) -> bool {
        let game = &self.playthrough;
        // Checked after every move, so the log of a long game is not copied.
        self.saved.as_ref().is_some_and(|(hash, seed, log, recorded)| {
            *hash == game.loaded().ruleset.hash
                && *seed == game.seed
                && log == game.timeline().log()
                && *recorded == game.playtest.counts()
        })
    }

    /// Marks the game as saved.
    fn mark_saved(&mut self) {
        self.saved = Some(what_is_saved(&self.playthrough));
        self.saves += 1;
    }

    /// How many times the game was saved, or replaced by one that counts as saved. When this number changes, a copy of
    /// the unsaved game is no longer needed.
    pub fn saves(&self) -> usize {
        self.saves
    }

    /// Continues a game whose session was killed: restores its seating and marks it as unsaved.
    ///
    /// # Errors
    /// An agent is not known any more, or the work was stopped.
    pub fn resume(&mut self, seating: &Seating) -> Result<(), Diagnostics> {
        self.restore_seating(seating)?;
        self.saved = None;
        Ok(())
    }

    /// Answers the open decision and shows the result.
    ///
    /// # Errors
    /// The labels do not fit the decision.
    pub fn choose(&mut self, labels: &[String]) -> Result<Flow, Diagnostics> {
        if !self.shows_options() {
            return Err(self.hidden_options().into());
        }
        let (entries, events) = (self.playthrough.timeline().cursor(), self.playthrough.position().events.len());
        match self.playthrough.position().open.as_ref().and_then(|open| open.seat) {
            // Others who choose simultaneously may have answered already.
            Some(seat) => self.playthrough.choose_as(seat, labels)?,
            None => self.playthrough.choose(labels)?,
        }
        self.play_agents()?;
        let happened = |session: &Self| session.events_and_table(events);
        Ok(Flow::Show(commands::after_moves(self, (entries, events), happened)))
    }

    /// The table, the open decision or the end of the game, without a limit in height.
    pub fn look_at_all(&mut self) -> Vec<Line> {
        let height = self.height.take();
        let lines = self.look();
        self.height = height;
        lines
    }

    /// Answers with the options at these positions; the note `understood` precedes the output.
    fn answer_with(&mut self, positions: &[usize], understood: Option<Message>) -> Result<Flow, Diagnostics> {
        let open = self.playthrough.position().open.iter().flat_map(|open| &open.options).collect::<Vec<_>>();
        let labels = positions.iter().filter_map(|&position| Some(open.get(position)?.label.clone()));
        let labels: Vec<String> = labels.collect();
        Ok(self.choose(&labels)?.behind(understood.map(|understood| Line::faint(understood.told()))))
    }

    /// The table, the open decision, or the end of the game.
    pub fn look(&self) -> Vec<Line> {
        let scene = self.scene();
        if self.debugger.is_some() {
            return screen::table(&scene);
        }
        let mut lines = screen::look(&scene);
        if let Some(failed) = &self.playthrough.position().failed {
            let failed = self.visible_failure(failed);
            lines.extend(failed.render_within(false, Some(self.width)).lines().map(Line::plain));
        }
        lines
    }

    /// The first output of a session: the table, preceded by what agents did before the first person is asked.
    pub fn opening(&self) -> Vec<Line> {
        let [older, recent] = self.playthrough.position().events.since(self.events_before);
        let first = older.iter().chain(recent).position(|event| event.moves > 0);
        first.map_or_else(|| self.look(), |first| self.events_and_table(self.events_before + first))
    }

    /// The events after the first `events`, then the table.
    pub fn events_and_table(&self, events: usize) -> Vec<Line> {
        let mut lines = self.log_lines_since(&self.playthrough.position().events, events);
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(self.look());
        lines
    }

    /// The events after the first `count`, as lines.
    pub fn log_lines_since(&self, events: &History, count: usize) -> Vec<Line> {
        let scene = self.scene();
        events.since(count).into_iter().flat_map(|events| screen::log(&scene, events)).collect()
    }

    /// The context for drawing.
    pub fn scene(&self) -> Scene<'_> {
        let scene = Scene::of(&self.playthrough, self.viewer, self.language, self.width);
        let move_number = match &self.debugger {
            Some(debugger) => debugger.stop().position.events.last().map_or(0, |event| event.moves) + 1,
            None => scene.move_number,
        };
        let has_commands = self.has_commands;
        Scene { position: self.position(), height: self.height, move_number, has_commands, ..scene }
    }

    /// Loads and compiles rules for the seats of this game. Files already in play are taken from the same places.
    ///
    /// # Errors
    /// The files have errors; the game is unchanged.
    pub fn load_rules(&self, selection: &Selection) -> Result<Playable, Diagnostics> {
        self.load_rules_from(&self.library_in_play(), selection)
    }

    /// Loads and compiles rules for the seats of this game from another library.
    ///
    /// # Errors
    /// The same as of [`load_rules`](Self::load_rules).
    pub fn load_rules_from(&self, library: &Library, selection: &Selection) -> Result<Playable, Diagnostics> {
        let ruleset = Ruleset::load(library, selection)?;
        Playable::compile(Arc::new(ruleset), self.playthrough.seats, self.work.clone())
    }

    /// The library, with everything in play at the places where it was found.
    pub fn library_in_play(&self) -> Library {
        self.playthrough.loaded().ruleset.library_with_kept_layers(&self.library)
    }

    /// The viewer's view of the current game as data, with the events from index `since` on.
    pub fn view(&self, since: usize) -> View {
        self.playthrough.view(self.viewer, since)
    }

    /// The static analysis of the rules in play.
    pub fn analysis(&self) -> Analysis<'_> {
        Analysis {
            loaded: self.playthrough.loaded(),
            library: &self.library,
            table: Some(&self.position().table),
            language: self.language,
            width: self.width,
        }
    }

    /// The handle that stops the work of the rules and shows its progress.
    pub fn work(&self) -> Arc<Work> {
        self.work.clone()
    }

    /// The prompt: the asked player and the question, shortened.
    pub fn prompt(&self) -> String {
        if let Some(debugger) = &self.debugger {
            let call = debugger.call().map(|(_, call)| call);
            let function = call.and_then(|call| debugger.places().functions().get(call.site.function));
            let line = call.and_then(|call| debugger.places().line_in_file(call.site.at));
            return match (function, line) {
                (Some(function), Some(line)) => format!("{} {}:{line} › ", said("debug"), function.name),
                _ => format!("{} › ", said("debug")),
            };
        }
        let position = self.playthrough.position();
        match &position.open {
            Some(open) => {
                let text = self.playthrough.loaded().layout.definition.text(&open.prompt);
                let words = match (self.language, text) {
                    (language, Some(text)) if language != Language::English => {
                        visible(text.get(self.language)).into_owned()
                    }
                    _ => open.prompt.replace('_', " "),
                };
                // A long question must leave room for the answer.
                let words = style::cut(&words, self.width / 2);
                open.seat.map_or_else(|| format!("{words} › "), |seat| format!("{seat} {words} › "))
            }
            None if position.failed.is_some() => format!("{} › ", said("stopped")),
            None => format!("{} › ", said("over")),
        }
    }

    /// Whether a line answers the open decision.
    pub fn is_option(&self, typed: &str) -> bool {
        self.situation().is_option(typed)
    }
}

/// The hash of the rules, the seed, the log, and the size of the playtest record.
type SavedState = (String, u64, Vec<LogEntry>, (usize, usize));

/// The part of a saved game that a session can change.
fn what_is_saved(playthrough: &Playthrough) -> SavedState {
    let (hash, log) = (playthrough.loaded().ruleset.hash.clone(), playthrough.timeline().log().to_vec());
    (hash, playthrough.seed, log, playthrough.playtest.counts())
}

/// Errors, warnings and notes as lines.
pub fn in_lines<'a>(told: impl IntoIterator<Item = &'a Diagnostic>, width: usize) -> Vec<Line> {
    let told = told.into_iter().map(|told| told.render_within(false, Some(width)));
    told.flat_map(|told| told.lines().map(Line::plain).collect::<Vec<_>>()).collect()
}

/// The first word of a line, and the rest.
pub fn split_word(line: &str) -> (&str, &str) {
    line.split_once(char::is_whitespace).unwrap_or((line, ""))
}

/// The commands whose name or alias begins with a word.
pub fn commands_beginning(word: &str) -> impl Iterator<Item = &'static Command> {
    commands::COMMANDS.iter().copied().filter(move |command| {
        command.name.starts_with(word) || command.aliases.iter().any(|alias| alias.starts_with(word))
    })
}
