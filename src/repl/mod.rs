//! Commands, completion, drawing the table.
//!
//! A [`Session`] is a playthrough with a person in front of it. What the person types is an answer to the open decision
//! or one of the [`commands`]; either gives lines to show. With a terminal the lines are typed at a prompt; without one
//! they are read as a script, and the first that fails ends it.

pub mod commands;
mod complete;
pub mod draw;
mod entry;
mod expression;
mod history;
mod interactive;
pub mod journal;
mod members;
mod piped;
pub mod seats;
#[cfg(unix)]
mod signals;
pub mod style;
mod watch;

use crate::definition::{Language, Library};
use crate::diagnostic::{Diagnostic, did_you_mean, visible};
use crate::inspect::debugger::{Breakpoint, Debugger, Watched};
use crate::playthrough::log::Entry;
use crate::playthrough::{Loaded, Playthrough, Position};
use crate::ruleset::{Ruleset, Selection};
use crate::table::decision::{Decision, OptionShown};
use crate::table::view::Viewer;
use crate::terminal::Terminal;
use commands::{Command, Flow};
use draw::Scene;
use etcetera::BaseStrategy as _;
use journal::Journal;
use seats::Players;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use style::Line;

/// A playthrough with a person in front of it.
pub struct Session {
    /// The game.
    pub playthrough: Playthrough,
    /// Where games and variants are found.
    pub library: Library,
    /// The language of names and prompts.
    pub language: Language,
    /// Who looks at the table.
    pub viewer: Viewer,
    /// How wide drawings may be, in columns.
    pub width: usize,
    /// The door to the terminal.
    pub terminal: Terminal,
    /// The script debugger, while it is open.
    pub debugger: Option<Debugger>,
    /// Where the debugger stops.
    pub breakpoints: Vec<Breakpoint>,
    /// The rules in play, compiled to be watched, once somebody has asked for that.
    watched: Option<Watched>,
    /// The rules' files, while they are watched.
    watching: Option<watch::Watching>,
    interrupt: Arc<AtomicBool>,
    /// Who plays each seat.
    players: Players,
    /// What went wrong with standings and captions and was told.
    told: Vec<Diagnostic>,
    /// The last command that stepped, which an empty line repeats.
    last_step: Option<String>,
    /// The rules and the log as they were when the game was begun, saved or loaded; nothing of a game that never was.
    saved: Option<(String, Vec<Entry>)>,
    /// Where the game is kept until it is saved.
    journal: Option<Journal>,
    /// How many events there were in the game that the session began with; none in a new game.
    events_before: usize,
}

impl Session {
    /// A session at the beginning of a playthrough, seeing everything.
    pub fn new(
        playthrough: Playthrough,
        library: Library,
        language: Language,
        terminal: Terminal,
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        let saved = Some(what_is_saved(&playthrough));
        let is_new = playthrough.timeline().log().is_empty();
        let events_before = if is_new { 0 } else { playthrough.position().events.len() };
        let mut session = Self {
            players: Players::persons(playthrough.seats),
            playthrough,
            library,
            language,
            viewer: Viewer::Everything,
            width: crate::terminal::columns(),
            terminal,
            debugger: None,
            breakpoints: Vec::new(),
            watched: None,
            watching: None,
            interrupt,
            told: Vec::new(),
            last_step: None,
            saved,
            journal: None,
            events_before,
        };
        session.tell_undrawn();
        session
    }

    /// Tells once why standings or captions are missing.
    fn tell_undrawn(&mut self) {
        for diagnostic in &self.playthrough.position().undrawn {
            if !self.told.contains(diagnostic) {
                self.terminal.warn(diagnostic);
                self.told.push(diagnostic.clone());
            }
        }
    }

    /// Does one line that a person typed: an answer, or a command.
    ///
    /// # Errors
    /// What was typed is neither, or cannot be done now, and the game stands as before; or the rules failed on the way,
    /// and the game is stopped there.
    pub fn line(&mut self, typed: &str) -> Result<Flow, Diagnostic> {
        self.interrupt.store(false, Ordering::Relaxed);
        let had_failed = self.playthrough.position().failed.is_some();
        let flow = self.do_line(typed).and_then(|flow| match flow {
            Flow::Show(lines) => self.go_on(lines).map(Flow::Show),
            Flow::Ask(_) | Flow::Quit => Ok(flow),
        });
        if self.interrupt.swap(false, Ordering::Relaxed) && self.playthrough.position().failed.is_some() {
            // The rules were stopped in the middle; nothing is wrong with them, so the game stands where the log ends.
            let stands = self.playthrough.timeline().cursor();
            self.playthrough.go_to(stands)?;
            return Err(Diagnostic::new(format!("interrupted; the game stands at move {}", stands + 1))
                .help("`table` shows it, `undo` takes moves back"));
        }
        self.tell_undrawn();
        match &self.playthrough.position().failed {
            Some(failed) if !had_failed && flow.is_ok() => {
                Err((**failed).clone().help("the game is stopped here: `undo` goes back, `reload` reads edited rules"))
            }
            _ => flow,
        }
    }

    fn do_line(&mut self, typed: &str) -> Result<Flow, Diagnostic> {
        let mut typed = typed.trim().to_owned();
        if typed.is_empty() {
            let is_real_time = self.position().open.as_ref().is_some_and(|open| open.by_clock.is_some());
            match &self.last_step {
                Some(step) => typed.clone_from(step),
                None if is_real_time => "clock".clone_into(&mut typed),
                None => return Ok(Flow::Show(Vec::new())),
            }
        }
        let (word, rest) = split_word(&typed);
        let labels = self.answerable().map(|open| answer(open, &typed));
        match labels {
            Some(Answer::Labels(labels)) => {
                self.last_step = None;
                return self.choose(&labels);
            }
            Some(Answer::Ambiguous(error)) => return Err(error),
            Some(Answer::None) | None => {}
        }
        let found = commands::find_now(word, self.debugger.is_some());
        // A command of one word is not hidden by what the rules refuse.
        if let Some(error) = self.refusal(&typed).filter(|_| typed.contains(' ') || found.is_err()) {
            return Err(error);
        }
        let command = match found {
            Ok(command) => command,
            Err(_) if self.prefixed_option(&typed).is_some() => {
                let label = self.prefixed_option(&typed).into_iter().collect::<Vec<_>>();
                return self.choose(&label);
            }
            Err(error) => return self.expression(&typed, error),
        };
        let rest = rest.trim();
        if !command.works(self.debugger.is_some()) {
            return Err(match self.debugger {
                Some(_) => Diagnostic::new(format!("`{}` does not work in the debugger", command.name))
                    .help("`done` leaves it; the game stands where it stood"),
                None => Diagnostic::new(format!("`{}` works in the debugger", command.name)).help("`debug` opens it"),
            });
        }
        if command.takes_nothing() && !rest.is_empty() {
            return Err(Diagnostic::new(format!("`{}` takes nothing behind it", command.name))
                .help(format!("write `{}`", command.name)));
        }
        let flow = (command.run)(self, rest)?;
        self.last_step = command.steps.then(|| typed.clone());
        Ok(flow)
    }

    /// Where the game stands, or where the debugger stands in it.
    pub fn position(&self) -> &Position {
        match &self.debugger {
            Some(debugger) => &debugger.stop().position,
            None => self.playthrough.position(),
        }
    }

    /// The open decision, where what is typed can answer it.
    fn answerable(&self) -> Option<&Decision> {
        self.playthrough.position().open.as_deref().filter(|_| self.debugger.is_none())
    }

    /// The rules in play, compiled to be watched.
    ///
    /// # Errors
    /// The interpreter crashed.
    pub fn watched(&mut self) -> Result<Watched, Diagnostic> {
        let ruleset = &self.playthrough.loaded().ruleset;
        let seats = self.playthrough.seats;
        let fits = |watched: &&Watched| watched.ruleset.hash == ruleset.hash && watched.layout.seats == seats;
        if let Some(watched) = self.watched.as_ref().filter(fits) {
            return Ok(watched.clone());
        }
        let compiled = Watched::compile(ruleset.clone(), seats, self.interrupt.clone());
        let watched = compiled.map_err(|mut errors| errors.remove(0))?;
        Ok(self.watched.insert(watched).clone())
    }

    /// Whether the game is as it was when it was begun, saved or loaded.
    fn is_saved(&self) -> bool {
        self.saved.as_ref() == Some(&what_is_saved(&self.playthrough))
    }

    /// From now on, the game as it stands counts as saved.
    fn mark_saved(&mut self) {
        self.saved = Some(what_is_saved(&self.playthrough));
        self.end_journal();
    }

    /// Goes on with a game whose session was killed: seats everybody again, and keeps its journal.
    ///
    /// # Errors
    /// An agent is not known any more; the interpreter crashed.
    pub fn resume(&mut self, seating: &journal::Seating, journal: Journal) -> Result<(), Diagnostic> {
        self.seat_again(seating)?;
        self.saved = None;
        self.journal = Some(journal);
        Ok(())
    }

    /// Answers the open decision and shows what came of it.
    ///
    /// # Errors
    /// The labels do not fit the decision.
    pub fn choose(&mut self, labels: &[String]) -> Result<Flow, Diagnostic> {
        let events = self.playthrough.position().events.len();
        self.playthrough.choose(labels)?;
        self.let_agents_play()?;
        Ok(Flow::Show(self.what_happened(events)))
    }

    /// The table, the open decision, or how the game ended.
    pub fn look(&self) -> Vec<Line> {
        let scene = self.scene();
        let mut lines = draw::table(&scene);
        if self.debugger.is_some() {
            return lines;
        }
        lines.extend(draw::decision(&scene));
        if let Some(failed) = &self.playthrough.position().failed {
            lines.extend(failed.render(false).lines().map(Line::plain));
        }
        lines
    }

    /// What a session begins with: the table, and before it what agents did that were asked first.
    pub fn opening(&self) -> Vec<Line> {
        let first =
            self.playthrough.position().events.iter().skip(self.events_before).position(|event| event.moves > 0);
        first.map_or_else(|| self.look(), |first| self.what_happened(self.events_before + first))
    }

    /// What happened since there were so many events, then the table.
    pub fn what_happened(&self, events: usize) -> Vec<Line> {
        let position = self.playthrough.position();
        let mut lines = draw::log(&self.scene(), position.events.get(events..).unwrap_or_default());
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(self.look());
        lines
    }

    /// Everything that drawing needs.
    pub fn scene(&self) -> Scene<'_> {
        let loaded = self.playthrough.loaded();
        Scene {
            layout: &loaded.layout,
            ruleset: &loaded.ruleset,
            position: self.position(),
            viewer: self.viewer,
            language: self.language,
            width: self.width,
            move_number: match &self.debugger {
                Some(debugger) => debugger.stop().position.events.last().map_or(0, |event| event.moves) + 1,
                None => self.playthrough.timeline().cursor() + 1,
            },
            seed: self.playthrough.seed,
        }
    }

    /// Loads and compiles rules for the seats of this game. What is in play stays where it was found.
    ///
    /// # Errors
    /// Whatever is wrong with the files; the game is untouched.
    pub fn load_rules(&self, selection: &Selection) -> Result<Loaded, Vec<Diagnostic>> {
        self.load_rules_from(&self.library_in_play(), selection)
    }

    /// As [`load_rules`](Self::load_rules), from another library.
    ///
    /// # Errors
    /// As [`load_rules`](Self::load_rules).
    pub fn load_rules_from(&self, library: &Library, selection: &Selection) -> Result<Loaded, Vec<Diagnostic>> {
        let ruleset = Ruleset::load(library, selection)?;
        Loaded::compile(Arc::new(ruleset), self.playthrough.seats, self.interrupt.clone())
    }

    /// The library, in which everything in play stays where it was found.
    pub fn library_in_play(&self) -> Library {
        self.playthrough.loaded().ruleset.kept_in(&self.library)
    }

    /// A flag that ends whatever the rules are doing when it is set.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.interrupt.clone()
    }

    /// What stands before the cursor: who is asked what, in a few words.
    pub fn prompt(&self) -> String {
        if let Some(debugger) = &self.debugger {
            let call = debugger.stop().calls.last();
            let function = call.and_then(|call| debugger.watched().functions.get(call.site.function));
            let line = call.and_then(|call| debugger.watched().line_in_file(call.site.at));
            return match (function, line) {
                (Some(function), Some(line)) => format!("debug {}:{line} › ", function.name),
                _ => "debug › ".to_owned(),
            };
        }
        let position = self.playthrough.position();
        match &position.open {
            Some(open) => {
                let text = self.playthrough.loaded().layout.definition.text(&open.prompt);
                let words = match (self.language, text) {
                    (Language::Japanese, Some(text)) => visible(text.get(self.language)).into_owned(),
                    _ => open.prompt.replace('_', " "),
                };
                // A long question must leave room for the answer.
                let words = style::cut(&words, self.width / 2);
                open.seat.map_or_else(|| format!("{words} › "), |seat| format!("{seat} {words} › "))
            }
            None if position.failed.is_some() => "stopped › ".to_owned(),
            None => "over › ".to_owned(),
        }
    }

    /// Whether whoever looks at the table may read the options of the open decision.
    fn shows_options(&self) -> bool {
        let asked = self.playthrough.position().open.as_ref().and_then(|open| open.seat);
        match self.viewer {
            Viewer::Everything => true,
            Viewer::Seat(seat) | Viewer::Memory(seat) => asked.is_none_or(|asked| asked == seat),
        }
    }

    /// The only option that is drawn like this, or whose label begins like this.
    fn prefixed_option(&self, typed: &str) -> Option<String> {
        let open = self.answerable()?;
        let typed = typed.to_lowercase();
        let scene = self.scene();
        let is_drawn =
            |option: &&OptionShown| draw::option_name(&scene, &option.value, open.seat).to_lowercase() == typed;
        let mut drawn = open.options.iter().filter(is_drawn);
        if let (Some(option), None) = (drawn.next(), drawn.next()) {
            return Some(option.label.clone());
        }
        let mut found = open.options.iter().filter(|option| option.label.to_lowercase().starts_with(&typed));
        let first = found.next()?;
        found.next().is_none().then(|| first.label.clone())
    }

    /// The label of the option that is meant by what stands in a drawing or is typed in full.
    fn label_meant(&self, typed: &str) -> String {
        let Some(open) = self.answerable() else { return typed.to_owned() };
        let scene = self.scene();
        let all = open.options.iter().chain(open.refused.iter().map(|(option, _)| option));
        let is_drawn = |option: &&OptionShown| {
            draw::option_name(&scene, &option.value, open.seat).to_lowercase() == typed.to_lowercase()
        };
        let typed = typed.trim_start_matches('=');
        let known = all.clone().find(|option| option.label == typed).or_else(|| all.clone().find(is_drawn));
        known.map_or_else(|| typed.to_owned(), |option| option.label.clone())
    }

    /// That the rules do not allow an option, with the reason that they gave.
    fn refusal(&self, label: &str) -> Option<Diagnostic> {
        let open = self.answerable().filter(|_| self.shows_options())?;
        let scene = self.scene();
        let is_meant = |option: &OptionShown| {
            option.label == label
                || draw::option_name(&scene, &option.value, open.seat).to_lowercase() == label.to_lowercase()
        };
        let (option, reason) = open.refused.iter().find(|(option, _)| is_meant(option))?;
        let text = self.playthrough.loaded().layout.definition.text(reason);
        let reason = text.map_or(&**reason, |text| text.get(self.language));
        Some(Diagnostic::new(format!("{} is not allowed: {}", option.label, visible(reason))))
    }

    fn neither(&self, word: &str, error: Diagnostic) -> Diagnostic {
        let bare = word.trim_start_matches(['#', '=']);
        let number = bare.parse::<i64>().is_ok();
        if self.debugger.is_some() {
            let stands = || {
                Diagnostic::new("nothing can be chosen in the debugger")
                    .help("`done` leaves it; the game stands where it stood")
            };
            return if number { stands() } else { error };
        }
        let Some(open) = &self.playthrough.position().open else {
            let none = || Diagnostic::new("no decision is open").help("`undo` goes back to one");
            return if number { none() } else { error };
        };
        let labels: Vec<&str> = open.options.iter().map(|option| option.label.as_str()).collect();
        let label = word.trim_start_matches('=');
        if let Some(refusal) = self.refusal(label) {
            return refusal;
        }
        if !self.shows_options() {
            let hidden = || {
                Diagnostic::new(format!("{word} is not among the options"))
                    .help("they are hidden from whom you look as; `as all` shows everything")
            };
            return if number { hidden() } else { error };
        }
        let shown = if labels.len() > 12 { "`table` shows the options".to_owned() } else { labels.join(", ") };
        if number || labels.iter().any(|label| did_you_mean(word, [*label]).is_some()) {
            return Diagnostic::new(format!("{word} is not among the options"))
                .help(format!("the options are 1 to {}, or by label: {shown}", labels.len()));
        }
        error
    }
}

/// What `save` would write, as far as a session can change it.
fn what_is_saved(playthrough: &Playthrough) -> (String, Vec<Entry>) {
    (playthrough.loaded().ruleset.hash.clone(), playthrough.timeline().log().to_vec())
}

/// How a line that was typed answers a decision.
enum Answer {
    Labels(Vec<String>),
    Ambiguous(Diagnostic),
    None,
}

/// Options by number (`2`, `#2`) or by label (`33`, `=33`), one or several. A number that is also the label of another
/// option is refused: guessing would be worse.
fn answer(open: &Decision, typed: &str) -> Answer {
    let is_label = |text: &str| open.options.iter().any(|option| option.label == text);
    let label_of = |number: &str| {
        let number: usize = number.parse().ok()?;
        open.options.get(number.checked_sub(1)?).map(|option| option.label.clone())
    };
    let one = |text: &str| -> Result<Option<String>, Diagnostic> {
        if let Some(number) = text.strip_prefix('#') {
            return Ok(label_of(number));
        }
        if let Some(label) = text.strip_prefix('=') {
            return Ok(is_label(label).then(|| label.to_owned()));
        }
        match (label_of(text), is_label(text)) {
            (Some(by_number), true) if by_number != text => Err(Diagnostic::new(format!(
                "{text} can mean option {text}, which is {by_number}, or the option called {text}"
            ))
            .help(format!("write `#{text}` for option {text}, `={text}` for {text} itself"))),
            (_, true) => Ok(Some(text.to_owned())),
            (by_number, false) => Ok(by_number),
        }
    };
    match one(typed) {
        Ok(Some(label)) => return Answer::Labels(vec![label]),
        Err(error) => return Answer::Ambiguous(error),
        Ok(None) => {}
    }
    if (open.min, open.max) != (1, 1) {
        if typed == "none" && open.min == 0 {
            return Answer::Labels(Vec::new());
        }
        let words = typed.split([' ', ',']).filter(|word| !word.is_empty());
        match words.map(one).collect::<Result<Option<Vec<_>>, _>>() {
            Ok(Some(labels)) if !labels.is_empty() => return Answer::Labels(labels),
            Err(error) => return Answer::Ambiguous(error),
            _ => {}
        }
    }
    Answer::None
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

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// The person left, or the script came to its end.
    Well,
    /// A line of the script failed, or the rules did and nobody mended them.
    Failed,
    /// There is no way to talk to the person.
    Unusable,
    /// The terminal went away.
    HungUp,
}

/// Runs a session until the person leaves.
pub fn run(session: Session) -> Leaving {
    if std::io::stdin().is_terminal() { interactive::run(session) } else { piped::run(session) }
}

/// Where the platform keeps state, a folder of our own.
fn state_folder() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.state_dir().unwrap_or_else(|| base.data_dir()).join("houserule"))
}
