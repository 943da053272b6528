//! The launch arguments: a game, a saved game or a scenario, and how to run it.

use crate::agent::AgentSpec;
use crate::catalogue::{Message, message};
use crate::definition::Language;
use crate::diagnostic::{Diagnostic, Diagnostics, listed, nearest, unknown, unknown_or};
use crate::files::path_name;
use crate::host::clock;
use crate::host::computer::{ThisComputer, unforeseen_seed};
use crate::host::disk::Disk;
use crate::host::threads::Threads;
use crate::playthrough::replay::{MAX_BYTES, Replay};
use crate::playthrough::saved_game::SavedGame;
use crate::playthrough::timeline::Timeline;
use crate::playthrough::{Playable, Playthrough};
use crate::ruleset::{Ruleset, Selection};
use crate::scenario::Scenario;
use crate::session::Session;
use crate::session::seats::{PERSON, player_named, seats_named};
use crate::table::value::Seat;
use crate::work::Work;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The environment of the adapter, from the command line.
pub struct AdapterEnvironment {
    /// The folder with games and variants from the command line.
    pub dir: Option<PathBuf>,
    /// The language of names and messages, unless the client says another.
    pub language: Language,
    /// The worker threads for simulations started in the console.
    pub threads: Threads,
    /// The handle that stops a run.
    pub work: Arc<Work>,
}

/// All known launch arguments.
const KEYS: [&str; 17] = [
    "program",
    "game",
    "saved",
    "scenario",
    "case",
    "variants",
    "set",
    "players",
    "seed",
    "agents",
    "move",
    "underDisk",
    "viewer",
    "language",
    "dir",
    "stopOnEntry",
    "noDebug",
];

/// The thing to run.
#[derive(Clone, Debug, PartialEq)]
enum LaunchTarget {
    Game(String),
    Saved(PathBuf),
    Scenario(PathBuf),
}

/// The arguments of a launch request.
#[derive(Clone, Debug)]
pub(super) struct Launch {
    what: LaunchTarget,
    case: Option<String>,
    selection: Selection,
    players: Option<usize>,
    seed: Option<u64>,
    /// Seats, as typed, and the agents to play them.
    agents: Vec<(String, String)>,
    /// The move to stop before, from 1.
    pub to_move: Option<usize>,
    under_disk: bool,
    viewer: Option<String>,
    language: Option<Language>,
    dir: Option<PathBuf>,
    /// Whether to stop at the first statement.
    pub stops_on_entry: bool,
    /// Whether to run without stops.
    pub is_without_debugging: bool,
}

/// Seats with the agent that plays them; `None` for a person.
type SeatAssignment = (Vec<Seat>, Option<AgentSpec>);

/// A launched game, with messages about it.
pub(super) struct LaunchedGame {
    pub session: Session,
    pub told: Vec<String>,
    pub warnings: Vec<Diagnostic>,
}

impl Launch {
    /// Reads the arguments of a request. The diagnostics warn about unknown arguments.
    ///
    /// # Errors
    /// An argument is misspelt, has a wrong type or contradicts others, or nothing to run is named.
    pub fn read(arguments: &Value, surface: &AdapterEnvironment) -> Result<(Self, Vec<Diagnostic>), Diagnostics> {
        let none = Map::new();
        let arguments = Arguments(arguments.as_object().unwrap_or(&none));
        let warnings = arguments.unknown()?;
        let dir = arguments.text("dir")?.filter(|dir| !dir.is_empty()).map(PathBuf::from);
        let dir = dir.or_else(|| surface.dir.clone());
        if let Some(dir) = dir.as_deref().filter(|dir| !dir.is_dir()) {
            let help = "`dir` names the folder that contains games/ and variants/";
            return Err(unknown_or("folder", &path_name(dir), [], help).into());
        }
        let path = |key| Ok::<_, Diagnostics>(arguments.text(key)?.map(|path| resolved(&path, dir.as_deref())));
        // Editors start the adapter in any folder; the rules around the file are meant.
        let file = ["program", "saved", "scenario"].into_iter().filter_map(|key| path(key).ok()?).next();
        let around = file.as_deref().filter(|_| dir.is_none()).and_then(Disk::folder_of_rules);
        let mut variants = arguments.texts("variants")?;
        let found = [
            path("program")?.map(|program| what_is(&program, &mut variants)).transpose()?,
            arguments.text("game")?.map(|game| of_game(game, dir.as_deref(), &mut variants)).transpose()?,
            path("saved")?.map(LaunchTarget::Saved),
            path("scenario")?.map(LaunchTarget::Scenario),
        ];
        let mut found = found.into_iter().flatten();
        let what = match (found.next(), found.next()) {
            (Some(what), None) => what,
            (None, _) => {
                return Err(Diagnostic::new("nothing says what is to be run")
                    .help("give `game`, `saved`, `scenario`, or `program` with any file of these")
                    .into());
            }
            (Some(_), Some(_)) => {
                return Err(Diagnostic::new("one session runs one thing")
                    .help("give one of `program`, `game`, `saved` and `scenario`")
                    .into());
            }
        };
        let game = if let LaunchTarget::Game(game) = &what { game.clone() } else { String::new() };
        let launch = Self {
            case: arguments.text("case")?,
            selection: Selection { game, variants, set: arguments.settings()? },
            players: arguments.number("players")?.map(|number| usize::try_from(number).unwrap_or(usize::MAX)),
            seed: arguments.number("seed")?,
            agents: arguments.agents()?,
            to_move: arguments.number("move")?.map(|number| usize::try_from(number).unwrap_or(usize::MAX)),
            under_disk: arguments.truth("underDisk")?,
            viewer: arguments.text("viewer")?,
            language: arguments.language()?,
            dir: around.or_else(|| dir.clone()),
            stops_on_entry: arguments.truth("stopOnEntry")?,
            is_without_debugging: arguments.truth("noDebug")?,
            what,
        };
        launch.refuse_idle(&arguments)?;
        Ok((launch, warnings))
    }

    /// Takes over the seed of the game before, where no seed was given.
    pub fn keep_seed(&mut self, before: Option<&Self>) {
        self.seed = self.seed.or(before.and_then(|before| before.seed));
    }

    /// Refuses arguments that have no effect on what is run.
    fn refuse_idle(&self, arguments: &Arguments<'_>) -> Result<(), Diagnostics> {
        let (what, has) = match self.what {
            LaunchTarget::Game(_) => ("a game", ["case", "underDisk", "", "", ""]),
            LaunchTarget::Saved(_) => ("a saved game", ["case", "variants", "set", "players", "seed"]),
            LaunchTarget::Scenario(_) => ("a scenario", ["underDisk", "variants", "set", "players", "seed"]),
        };
        let is_given = |key: &&&str| arguments.0.get(**key).is_some_and(|value| !is_empty(value));
        match has.iter().find(is_given) {
            Some(key) => {
                let message = message!("{} takes no `{key}`", Message::from(what));
                Err(Diagnostic::new(message).help("leave it out").into())
            }
            None if self.to_move == Some(0) => {
                Err(Diagnostic::new("0 is not a move number").help("moves are counted from 1").into())
            }
            None => Ok(()),
        }
    }

    /// Starts the game. A random seed is kept, so that a restart plays the same game.
    ///
    /// # Errors
    /// The rules, the file, the seats or the agents are faulty, or the work was stopped.
    pub fn begin(&mut self, surface: &AdapterEnvironment) -> Result<LaunchedGame, Diagnostics> {
        let library = Disk::discover(self.dir.as_deref());
        let language = self.language.unwrap_or(surface.language);
        crate::catalogue::speak(language);
        let (mut lines, mut warnings) = (Vec::new(), Vec::new());
        let (playthrough, library) = match &self.what {
            LaunchTarget::Game(_) => {
                let ruleset = Ruleset::load(&library, &self.selection)?;
                let players = self.players.unwrap_or(ruleset.definition.players.0);
                let loaded = Playable::compile(Arc::new(ruleset), players, surface.work.clone())?;
                warnings.extend(loaded.ruleset.notes.iter().chain(&*loaded.warnings).cloned());
                let seed = *self.seed.get_or_insert_with(unforeseen_seed);
                (Playthrough::start(loaded, players, seed, Vec::new())?.0, library)
            }
            LaunchTarget::Saved(path) => {
                let read = Replay::read(library.files(), path)?;
                let timeline = Timeline::new(read.replay.log.clone());
                let disk = (self.under_disk, &"`underDisk` uses those".into());
                let opened = SavedGame::along(&read, timeline, path, &library, disk, surface.work.clone())?;
                lines.extend(opened.notes());
                (opened.playthrough, opened.library)
            }
            LaunchTarget::Scenario(path) => {
                let scenario = Scenario::read(library.files(), path)?;
                let (playthrough, failing) = scenario.open(&library, self.case.as_deref(), &surface.work)?;
                warnings.extend(failing.into_iter().flatten());
                (playthrough, library)
            }
        };
        let most = playthrough.timeline().log().len() + 1;
        if let Some(number) = self.to_move.filter(|number| *number > most) {
            let error = Diagnostic::new(message!("there is no move {number} to stop at"));
            return Err(error.help(message!("give `move` a number from 1 to {most}")).into());
        }
        let agents = self.agents(playthrough.seats)?;
        let computer = Arc::new(ThisComputer { threads: surface.threads });
        let mut session = Session::new(playthrough, library, language, surface.work.clone(), computer);
        session.folder = Disk::project(self.dir.as_deref());
        session.seat(&agents)?;
        session.line(&format!("as {}", self.viewer.as_deref().unwrap_or("all")))?;
        Ok(LaunchedGame { session, told: lines, warnings })
    }

    /// The agent of each seat. In a new game, the default is random play, so that the rules run up to the breakpoints.
    fn agents(&self, players: usize) -> Result<Vec<SeatAssignment>, Diagnostics> {
        let usual = if let LaunchTarget::Game(_) = self.what { "random" } else { PERSON };
        let all = [("all".to_owned(), usual.to_owned())];
        let given = self.agents.iter();
        // An agent for all seats applies only to seats without one of their own.
        let (of_all, of_some): (Vec<_>, Vec<_>) = given.partition(|(seat, _)| seat == "all");
        let orders = all.iter().chain(of_all).chain(of_some);
        let order = |(seat, player): &(String, String)| {
            Ok((seats_named(seat.trim(), players)?, player_named(player.trim(), Some(clock::now))?))
        };
        orders.map(order).collect()
    }
}

/// The arguments of a request, with checks of their types.
struct Arguments<'a>(&'a Map<String, Value>);

impl Arguments<'_> {
    /// Warns about unknown arguments. Those that editors add are ignored; one that resembles a known one is an error.
    fn unknown(&self) -> Result<Vec<Diagnostic>, Diagnostics> {
        const CLIENTS: [&str; 10] = [
            "name",
            "type",
            "request",
            "preLaunchTask",
            "postDebugTask",
            "internalConsoleOptions",
            "presentation",
            "suppressMultipleSessionView",
            "debugServer",
            "console",
        ];
        let mut warnings = Vec::new();
        for key in self.0.keys().filter(|key| !KEYS.contains(&&***key) && !CLIENTS.contains(&&***key)) {
            if key.starts_with('_') {
                continue;
            }
            if nearest(key, KEYS).is_some() {
                return Err(unknown("launch argument", key, KEYS).into());
            }
            let help = message!("the arguments are {}", listed(KEYS));
            warnings.push(Diagnostic::warning(message!("`{key}` is not an argument of a launch")).help(help));
        }
        Ok(warnings)
    }

    fn wrong<T>(&self, key: &str, wanted: &'static str) -> Result<T, Diagnostics> {
        let wanted = Message::from(wanted);
        let given = self.0.get(key).map(Value::to_string).unwrap_or_default();
        Err(Diagnostic::new(message!("`{key}` is {wanted}, and {given} is not")).into())
    }

    fn text(&self, key: &str) -> Result<Option<String>, Diagnostics> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone()).filter(|text| !text.is_empty())),
            Some(_) => self.wrong(key, "a text"),
        }
    }

    fn texts(&self, key: &str) -> Result<Vec<String>, Diagnostics> {
        let Some(Value::Array(list)) = self.0.get(key) else { return Ok(self.text(key)?.into_iter().collect()) };
        let texts = list.iter().map(|text| text.as_str().map(str::to_owned)).collect::<Option<Vec<String>>>();
        texts.map_or_else(|| self.wrong(key, "a list of texts"), Ok)
    }

    fn number(&self, key: &str) -> Result<Option<u64>, Diagnostics> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_i64().and_then(|number| u64::try_from(number).ok()) {
                Some(number) => Ok(Some(number)),
                None => self.wrong(key, "a whole number from 0"),
            },
        }
    }

    fn truth(&self, key: &str) -> Result<bool, Diagnostics> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(truth)) => Ok(*truth),
            Some(_) => self.wrong(key, "true or false"),
        }
    }

    fn language(&self) -> Result<Option<Language>, Diagnostics> {
        let Some(code) = self.text("language")? else { return Ok(None) };
        let language = Language::of_code(&code);
        let none = || unknown("language", &code, Language::ALL.map(Language::code));
        language.map(Some).ok_or_else(|| none().into())
    }

    /// The settings as `LAYER.KEY=VALUE`, whether given as texts or as an object.
    fn settings(&self) -> Result<Vec<String>, Diagnostics> {
        let Some(Value::Object(pairs)) = self.0.get("set") else { return self.texts("set") };
        let pair = |(key, value): (&String, &Value)| match value {
            Value::String(text) => format!("{key}={text}"),
            value => format!("{key}={value}"),
        };
        Ok(pairs.iter().map(pair).collect())
    }

    /// The agents by seat; a single one is for `all`.
    fn agents(&self) -> Result<Vec<(String, String)>, Diagnostics> {
        match self.0.get("agents") {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::String(agent)) => Ok(vec![("all".to_owned(), agent.clone())]),
            Some(Value::Object(seats)) => {
                let seat = |(seat, agent): (&String, &Value)| Some((seat.clone(), agent.as_str()?.to_owned()));
                let seats = seats.iter().map(seat).collect::<Option<Vec<_>>>();
                seats.map_or_else(|| self.wrong("agents", "an agent, or one for each seat"), Ok)
            }
            Some(_) => self.wrong("agents", "an agent, or one for each seat"),
        }
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(pairs) => pairs.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

/// A path relative to the working directory, or to `dir` where only that exists.
fn resolved(path: &str, dir: Option<&Path>) -> PathBuf {
    let path = PathBuf::from(path);
    dir.map(|dir| dir.join(&path)).filter(|below| !path.exists() && below.exists()).unwrap_or(path)
}

/// What to run for a game named by its id or by one of its files.
fn of_game(game: String, dir: Option<&Path>, variants: &mut Vec<String>) -> Result<LaunchTarget, Diagnostics> {
    let is_file = game.ends_with(".toml") || game.ends_with(".rhai");
    if is_file { what_is(&resolved(&game, dir), variants) } else { Ok(LaunchTarget::Game(game)) }
}

/// What to run for a file: a saved game, a scenario, or the definition or script of a game or a variant.
fn what_is(path: &Path, variants: &mut Vec<String>) -> Result<LaunchTarget, Diagnostics> {
    let name = path_name(path);
    let beside = |file: &str| path.with_file_name(file);
    if path.extension().is_some_and(|extension| extension == "rhai") {
        return [beside("game.toml"), path.with_extension("toml")]
            .iter()
            .find(|path| path.is_file())
            .map(|definition| what_is(definition, variants))
            .unwrap_or_else(|| {
                let error = Diagnostic::new(message!("`{name}` does not belong to one game"));
                Err(error.help("say which is run: `game`, and perhaps `variants`").into())
            });
    }
    let library = Disk::library(Vec::new());
    let source = library.files().read_up_to(path, &library.files().name_of(path), MAX_BYTES)?;
    // The reader of the file reports its errors; here only its kind matters.
    let keys: toml::Table = source.text.parse().unwrap_or_default();
    let text = |key: &str| keys.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let game = path.parent().and_then(Path::file_name).map(|folder| folder.to_string_lossy().into_owned());
    match (text("game"), text("id")) {
        _ if keys.contains_key("format") => Ok(LaunchTarget::Saved(path.to_owned())),
        (Some(_), _) if keys.contains_key("then") || keys.contains_key("given") || keys.contains_key("cases") => {
            Ok(LaunchTarget::Scenario(path.to_owned()))
        }
        (Some(game), _) => {
            variants.insert(0, path_name(path));
            Ok(LaunchTarget::Game(game))
        }
        (None, Some(id)) if keys.contains_key("players") => Ok(LaunchTarget::Game(game.unwrap_or(id))),
        _ => {
            let error = Diagnostic::new(message!("`{name}` is not a game, a variant, a scenario or a saved game"));
            Err(error.help("say which is run: `game`, and perhaps `variants`").into())
        }
    }
}
