//! The journal: a file that preserves an unsaved game when its session is killed.
//!
//! Every session at a terminal writes one, from its first change on, into the state folder. The file begins with the
//! game as `save` would write it; each further line is one step: the difference since the line before. So a move costs
//! one line however long the game is, and a line torn off by a kill costs only that move. The file is deleted when the
//! game is saved or given up.
//!
//! A session holds its journal locked. Journals that nobody holds are unfinished games, which `play` offers to resume.
//! No journal is ever deleted unless a person says so or its game is saved.

use crate::catalogue::{Message, counted, message, said, say};
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::files::path_name;
use crate::host::file::cannot_be_written;
use crate::host::lock::{LockedFile, OpenedFile};
use crate::host::reason;
use crate::playthrough::Playthrough;
use crate::playthrough::entry_text::{entry_from_text, entry_to_text};
use crate::playthrough::log::{LogEntry, deduplicated};
use crate::playthrough::playtest::{Playtest, PlaytestRecord};
use crate::playthrough::replay::{Replay, ReplayFile};
use crate::playthrough::timeline::{Bookmark, Branch, Timeline};
use crate::session::Session;
use crate::session::seats::Seating;
use crate::sorted::SortedMap;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The version of the journal's format.
const FORMAT: u32 = 1;

/// Most unfinished games kept at a time.
const MAX_UNFINISHED_GAMES: usize = 99;

/// Most bytes of a journal that are read.
const MAX_JOURNAL_BYTES: u64 = 64 << 20;

/// Size of the steps, in bytes, above which the journal is rewritten from the current game.
const MAX_STEP_BYTES: usize = 4 << 20;

/// The journal of one session.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
    /// The journal's file, once there is something to lose.
    file: Option<LockedFile>,
    /// The state that the file records.
    told: Option<State>,
    /// The size of the steps in the file, in bytes.
    steps: usize,
    /// Whether the person has been told that the file cannot be written.
    is_failing: bool,
    /// The number of [saves](Session::saves) at the time of the last write.
    saves: usize,
}

/// The part of a session's state that the journal preserves.
#[derive(Clone, Debug, PartialEq)]
struct State {
    /// The hash of the ruleset, and the seed.
    rules: (String, u64),
    timeline: Timeline,
    seating: Seating,
    /// The size of the playtest record, to notice additions.
    recorded: (usize, usize),
}

/// The first line of a journal.
#[derive(Serialize, Deserialize)]
struct JournalHeader {
    journal: u32,
    /// The working directory of the session; relative paths in the game start there.
    folder: PathBuf,
    /// The game, as `save` writes it.
    game: String,
}

/// Any further line of a journal: the difference to the state after the line before.
#[derive(Default, Serialize, Deserialize)]
struct Step {
    /// The number of branches.
    branches: usize,
    /// The new or changed branches, by index.
    changed: SortedMap<usize, Change>,
    current: usize,
    cursor: usize,
    seating: Seating,
    /// What was added to the playtest record.
    #[serde(default, skip_serializing_if = "Playtest::is_empty")]
    playtest: Playtest,
}

/// A new or changed branch.
#[derive(Serialize, Deserialize)]
struct Change {
    name: String,
    /// The number of log entries kept from the branch's previous state.
    keep: usize,
    /// The log entries behind the kept ones, in the format of saved games.
    add: Vec<String>,
    bookmarks: Vec<(String, usize)>,
}

/// An unfinished game, whose session was killed.
pub struct UnfinishedGame {
    /// The game's number on the command line.
    pub number: usize,
    /// When the game was last played.
    pub when: SystemTime,
    held: LockedFile,
    /// The game, or why it cannot be read.
    game: Result<Box<Game>, Diagnostics>,
    /// The state that the file records and the size of its steps in bytes. Set once the game was taken, if no line is
    /// torn.
    told: Option<(State, usize)>,
}

/// A game as read from a journal.
pub struct Game {
    /// The rules, the seats and the seed. `timeline` takes the place of its log.
    pub read: ReplayFile,
    /// The path that relative paths of the game start beside.
    pub beside: PathBuf,
    /// The game's branches and the current position in them.
    pub timeline: Timeline,
    /// The people and agents at the seats.
    pub seating: Seating,
    /// The record of how people played.
    pub playtest: PlaytestRecord,
    /// The size of the steps in bytes, so that more can be appended; `None` where a line is damaged or torn.
    steps: Option<usize>,
}

/// The folder of all journals.
pub fn folder() -> Option<PathBuf> {
    Some(super::state_folder()?.join("unfinished"))
}

impl Journal {
    /// A journal without a file yet.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, file: None, told: None, steps: 0, is_failing: false, saves: 0 }
    }

    /// The journal of an unfinished game that is resumed. The file stays unchanged until the game changes.
    pub fn of(unfinished: UnfinishedGame) -> Self {
        let folder = unfinished.held.path().parent().unwrap_or(Path::new("")).to_owned();
        let (told, steps) = unfinished.told.unzip();
        Self { file: Some(unfinished.held), told, steps: steps.unwrap_or(0), ..Self::new(folder) }
    }

    /// Treats a session's game as unsaved from now on, whatever was saved before.
    pub(super) fn attach(&mut self, session: &Session) {
        self.saves = session.saves();
    }

    /// Writes what the last input of a session changed, or deletes the journal if the game has been saved since.
    ///
    /// # Errors
    /// The file cannot be written. This is reported once; the next call tries again.
    pub(super) fn write(&mut self, session: &Session) -> Result<(), Diagnostics> {
        if std::mem::replace(&mut self.saves, session.saves()) != session.saves() {
            self.end();
        }
        if session.is_saved() && self.file.is_none() {
            return Ok(());
        }
        let playthrough = &session.playthrough;
        let rules = (playthrough.loaded().ruleset.hash.clone(), playthrough.seed);
        let (timeline, recorded) = (playthrough.timeline().clone(), playthrough.playtest.counts());
        let state = State { rules, timeline, seating: session.seating(), recorded };
        let kept = self.keep(state, playthrough);
        let was_failing = std::mem::replace(&mut self.is_failing, kept.is_err());
        let Err(error) = kept else { return Ok(()) };
        if was_failing {
            return Ok(());
        }
        let trouble = cannot_be_written(&self.folder, &error).message;
        Err(Diagnostic::warning(message!("this game has no journal: {trouble}"))
            .help("its moves are lost if the session is killed; `save FILE` keeps them")
            .into())
    }

    /// Appends a step with the changes. After a failure the file is rewritten, because it may end with half a line.
    fn keep(&mut self, state: State, playthrough: &Playthrough) -> io::Result<()> {
        match self.told.take() {
            Some(told) if told == state => self.told = Some(told),
            Some(mut told) if told.rules == state.rules && self.steps < MAX_STEP_BYTES => {
                let recorded = playthrough.playtest.since(told.recorded);
                let line = Step::between(&told.timeline, &state, recorded).line()?;
                self.steps += line.len();
                self.file.as_mut().map_or(Ok(()), |held| held.append(&line))?;
                told.timeline.catch_up(&state.timeline);
                self.told = Some(State { timeline: told.timeline, ..state });
            }
            _ => {
                self.begin(playthrough, &state)?;
                let mut timeline = Timeline::new(Vec::new());
                timeline.catch_up(&state.timeline);
                self.told = Some(State { timeline, ..state });
            }
        }
        Ok(())
    }

    /// Writes the file anew from the current state of the game.
    fn begin(&mut self, playthrough: &Playthrough, state: &State) -> io::Result<()> {
        let replay = Replay::of(playthrough);
        // A working directory that is not Unicode is of no use to variants, which are named in text.
        let folder = std::env::current_dir().unwrap_or_default().to_string_lossy().into_owned().into();
        let beginning = JournalHeader { journal: FORMAT, folder, game: replay.to_toml() };
        let base = Timeline::new(replay.log);
        let step = Step::between(&base, state, Playtest::default()).line()?;
        let text = format!("{}\n{step}", serde_json::to_string(&beginning)?);
        match &mut self.file {
            Some(held) => held.replace(&text)?,
            None => self.file = Some(LockedFile::begin(&self.folder, MAX_UNFINISHED_GAMES, &text).map_err(too_many)?),
        }
        self.steps = 0;
        Ok(())
    }

    /// Deletes the file, because the game is saved or given up.
    pub(super) fn end(&mut self) {
        self.told = None;
        if let Some(file) = self.file.take() {
            // If that fails, the game is merely offered again.
            let _ = file.delete();
        }
    }
}

impl Step {
    fn line(&self) -> io::Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }

    fn between(base: &Timeline, state: &State, playtest: Playtest) -> Self {
        let timeline = &state.timeline;
        let before = |place: usize| base.branches().get(place);
        let change = |(place, branch): (usize, &Branch)| {
            let known = before(place).filter(|known| *known != branch);
            if known.is_none() && before(place).is_some() {
                return None;
            }
            let keep = known.map_or(0, |known| shared(&known.log, &branch.log));
            let add = branch.log.iter().skip(keep).map(|entry| entry_to_text(entry)).collect();
            let bookmarks = branch.bookmarks.iter().map(|mark| (mark.name.clone(), mark.entries)).collect();
            Some((place, Change { name: branch.name.clone(), keep, add, bookmarks }))
        };
        Self {
            branches: timeline.branches().len(),
            changed: timeline.branches().iter().enumerate().filter_map(change).collect(),
            current: timeline.place_of_current(),
            cursor: timeline.cursor(),
            seating: state.seating.clone(),
            playtest,
        }
    }
}

/// The state of a game while its journal is read. Steps change it in place: a long game has many.
struct JournalState {
    branches: Vec<Branch>,
    current: usize,
    cursor: usize,
    seating: Seating,
    playtest: PlaytestRecord,
    /// The version of the format of saved games that its entries are written in.
    format: i64,
}

impl JournalState {
    fn new(timeline: &Timeline, format: i64, playtest: PlaytestRecord) -> Self {
        let (current, cursor) = (timeline.place_of_current(), timeline.cursor());
        let branches = timeline.branches().to_vec();
        Self { branches, current, cursor, seating: Seating::default(), playtest, format }
    }

    /// Applies a step. `None`, and nothing changed, where the step does not fit the state before it.
    fn take(&mut self, step: Step) -> Option<()> {
        let known = self.branches.len().min(step.branches);
        let mut end = known;
        let mut changed = Vec::new();
        for (place, change) in step.changed {
            let held = self.branches.get(place).filter(|_| place < known).map_or(0, |branch| branch.log.len());
            if change.keep > held || place > end {
                return None;
            }
            end = end.max(place + 1);
            let entry = |text: &String| entry_from_text(text, self.format).ok().map(LogEntry::from);
            let add: Vec<LogEntry> = change.add.iter().map(entry).collect::<Option<_>>()?;
            let bookmarks: Vec<Bookmark> =
                change.bookmarks.into_iter().map(|(name, entries)| Bookmark { name, entries }).collect();
            changed.push((place, change.name, change.keep, add, bookmarks));
        }
        if end != step.branches {
            return None;
        }
        self.branches.truncate(known);
        for (place, name, keep, add, bookmarks) in changed {
            if place == self.branches.len() {
                self.branches.push(Branch { name, log: add.into(), bookmarks });
            } else if let Some(branch) = self.branches.get_mut(place) {
                let log = branch.log_mut();
                log.truncate(keep);
                for entry in add {
                    let entry = deduplicated(log.iter().rev(), entry);
                    log.push(entry);
                }
                (branch.name, branch.bookmarks) = (name, bookmarks);
            }
        }
        (self.current, self.cursor, self.seating) = (step.current, step.cursor, step.seating);
        if let Some(branch) = self.branches.get(self.current) {
            self.playtest.add(step.playtest, &branch.log);
        }
        Some(())
    }
}

/// The length of the common prefix of two logs.
fn shared<T: PartialEq>(one: &[T], other: &[T]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// The error, worded for a person where no number is free for another game.
fn too_many(error: io::Error) -> io::Error {
    if error.kind() != io::ErrorKind::QuotaExceeded {
        return error;
    }
    let message = Message::from("it is full of unfinished games; `houserule play --discard N` deletes one");
    io::Error::other(message!("{MAX_UNFINISHED_GAMES} games are too many: {message}"))
}

/// Every unfinished game that no session has open, the most recently played first.
pub fn unfinished(folder: &Path) -> Vec<UnfinishedGame> {
    let mut found: Vec<UnfinishedGame> =
        (1..=MAX_UNFINISHED_GAMES).filter_map(|number| open(folder, number).ok().flatten()).collect();
    found.sort_by_key(|game| (std::cmp::Reverse(game.when), game.number));
    found
}

/// The unfinished game of that number; `None` if there is none.
///
/// # Errors
/// Another session has the game open.
pub fn open(folder: &Path, number: usize) -> Result<Option<UnfinishedGame>, Diagnostics> {
    match LockedFile::open(folder, number, MAX_JOURNAL_BYTES) {
        Ok(found) => Ok(found.map(|OpenedFile { held, when, bytes }| {
            let game = Game::read(held.path(), &bytes).map(Box::new);
            UnfinishedGame { number, when, held, game, told: None }
        })),
        Err(error) => {
            Err(Diagnostic::new(message!("unfinished game {number} cannot be opened: {}", reason(&error))).into())
        }
    }
}

impl UnfinishedGame {
    /// Takes the game out.
    ///
    /// # Errors
    /// The journal is damaged from its first line on, or the game was taken already.
    pub fn game(&mut self) -> Result<Box<Game>, Diagnostics> {
        let gone = || Err(Diagnostic::new(message!("unfinished game {} was taken already", self.number)).into());
        let game = std::mem::replace(&mut self.game, gone())?;
        self.told = game.steps.map(|steps| {
            let rules = (game.read.replay.ruleset.clone(), game.read.replay.seed);
            let (timeline, recorded) = (game.timeline.clone(), game.playtest.counts());
            (State { rules, timeline, seating: game.seating.clone(), recorded }, steps)
        });
        Ok(game)
    }

    /// Gives up the game: deletes its journal.
    ///
    /// # Errors
    /// The journal cannot be deleted.
    pub fn discard(self) -> Result<(), Diagnostics> {
        let path = path_name(self.held.path());
        let told = |error| Diagnostic::new(message!("`{path}` cannot be deleted: {}", reason(&error))).into();
        self.held.delete().map_err(told)
    }

    /// A one-line description: the game, its number of moves, and how long ago it was played.
    pub fn in_words(&self) -> String {
        let when = ago(self.when.elapsed().unwrap_or_default());
        match &self.game {
            Ok(game) => {
                let selection = &game.read.replay.selection;
                let names = std::iter::once(&selection.game).chain(&selection.variants);
                let names = names.map(String::as_str).collect::<Vec<_>>().join(" · ");
                let players = game.read.replay.players;
                let moves = counted(game.timeline.cursor(), "move");
                match players {
                    1 => say!("{names}, 1 player, {moves}, {when}"),
                    _ => say!("{names}, {players} players, {moves}, {when}"),
                }
            }
            Err(error) => say!("cannot be read, {when}: {}", error.first().message),
        }
    }
}

impl Game {
    /// Reads a journal. A damaged or torn line and all that follows it are ignored.
    fn read(path: &Path, text: &[u8]) -> Result<Self, Diagnostics> {
        let name = path_name(path);
        let damaged = || Diagnostic::new(message!("`{name}` is not a journal that this version can read"));
        let mut lines = text.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
        let beginning: JournalHeader =
            lines.next().and_then(|line| serde_json::from_slice(line).ok()).ok_or_else(damaged)?;
        if beginning.journal != FORMAT {
            return Err(damaged().into());
        }
        let read = Replay::parse(&Source::new(name.as_str(), beginning.game));
        let read = read.map_err(|errors| errors.into_iter().next().unwrap_or_else(damaged))?;
        let playtest = PlaytestRecord::of(read.replay.playtest.clone(), &read.replay.log);
        let mut reading = JournalState::new(&Timeline::new(read.replay.log.clone()), read.format, playtest);
        let mut steps = (text.ends_with(b"\n") && (text.len() as u64) < MAX_JOURNAL_BYTES).then_some(0);
        for line in lines {
            let step = serde_json::from_slice::<Step>(line).ok();
            if step.and_then(|step| reading.take(step)).is_none() {
                steps = None;
                break;
            }
            steps = steps.map(|steps| steps + line.len());
        }
        let JournalState { branches, current, cursor, seating, playtest, .. } = reading;
        let timeline = Timeline::of(branches, current, cursor).ok_or_else(damaged)?;
        Ok(Self { read, beside: beginning.folder.join("unfinished"), timeline, seating, playtest, steps })
    }
}

fn ago(time: Duration) -> String {
    let minutes = time.as_secs() / 60;
    match (minutes, minutes / 60, minutes / 60 / 24) {
        (0, ..) => said("just now").to_owned(),
        (minutes, 0, _) => say!("{} ago", counted(minutes as usize, "minute")),
        (_, hours, 0) => say!("{} ago", counted(hours as usize, "hour")),
        (.., days) => say!("{} ago", counted(days as usize, "day")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playthrough::log::Entry;
    use std::sync::Arc;

    fn entry(number: usize) -> LogEntry {
        Entry::Rig { stream: format!("lot \"{number}\""), result: vec!["ク".to_owned(), number.to_string()] }.into()
    }

    /// Steps reproduce every change of a timeline.
    #[test]
    fn steps_tell_every_change_of_a_timeline() {
        type Act = fn(&mut Timeline);
        let acts: [(&str, Act); 12] = [
            ("a move", |timeline| timeline.append(entry(1))),
            ("two moves", |timeline| [2, 3].into_iter().for_each(|number| timeline.append(entry(number)))),
            ("a bookmark", |timeline| timeline.mark("here")),
            ("going back", |timeline| {
                timeline.go_to(1);
            }),
            ("another way", |timeline| timeline.append(entry(4))),
            ("going elsewhere", |timeline| {
                timeline.go_to_named("2");
            }),
            ("a branch", |timeline| {
                timeline.branch("bold");
            }),
            ("a name", |timeline| {
                timeline.rename("2", "cautious");
            }),
            ("another log", |timeline| timeline.replace(vec![entry(5), entry(6)])),
            ("forgetting one in the middle", |timeline| {
                timeline.forget("cautious");
            }),
            ("cutting", |timeline| timeline.cut(1)),
            ("going on", |timeline| timeline.append(entry(7))),
        ];
        let mut timeline = Timeline::new(vec![entry(0)]);
        let mut reading = JournalState::new(&timeline, crate::playthrough::replay::FORMAT, PlaytestRecord::default());
        let mut apart = Timeline::new(Vec::new());
        for (what, act) in acts {
            let before = timeline.clone();
            act(&mut timeline);
            apart.catch_up(&timeline);
            assert_eq!(apart, timeline, "{what}");
            let logs = apart.branches().iter().zip(timeline.branches());
            assert!(logs.into_iter().all(|(one, other)| !Arc::ptr_eq(&one.log, &other.log)), "{what}");
            let links = vec![("p2".to_owned(), "secret".to_owned())];
            let seating = Seating {
                agents: vec![None, Some("random".to_owned())],
                view: Some("p1".to_owned()),
                links,
                reach: None,
            };
            let (rules, recorded) = ((String::new(), 1), (0, 0));
            let state = State { rules, timeline: timeline.clone(), seating: seating.clone(), recorded };
            let line = serde_json::to_string(&Step::between(&before, &state, Playtest::default())).unwrap_or_default();
            let step = serde_json::from_str::<Step>(&line).ok();
            assert_eq!(step.and_then(|step| reading.take(step)), Some(()), "{what}: {line}");
            let told = Timeline::of(reading.branches.clone(), reading.current, reading.cursor);
            assert_eq!(told.as_ref(), Some(&timeline), "{what}: {line}");
            assert_eq!(reading.seating, seating);
        }
    }

    #[test]
    fn a_step_that_does_not_fit_changes_nothing() {
        let mut reading = JournalState::new(
            &Timeline::new(vec![entry(0)]),
            crate::playthrough::replay::FORMAT,
            PlaytestRecord::default(),
        );
        let change =
            |keep, add: &str| Change { name: "main".to_owned(), keep, add: vec![add.to_owned()], bookmarks: vec![] };
        for (place, change) in [(0, change(2, "[1, \"a\"]")), (0, change(0, "nonsense")), (2, change(0, "[1, \"a\"]"))]
        {
            let step = Step { branches: 3, changed: [(place, change)].into(), ..Step::default() };
            assert_eq!(reading.take(step), None);
            assert_eq!(Timeline::of(reading.branches.clone(), 0, 1), Some(Timeline::new(vec![entry(0)])));
        }
        for (current, cursor) in [(1, 0), (0, 2)] {
            assert_eq!(Timeline::of(reading.branches.clone(), current, cursor), None);
        }
    }
}
