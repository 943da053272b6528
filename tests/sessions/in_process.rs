//! Sessions in the process of the tests, for stories in which nothing but lines is tested.

use super::{Told, root};
use houserule::catalogue::Language;
use houserule::definition::Library;
use houserule::diagnostic::{Diagnostic, Diagnostics};
use houserule::files::{OverwritePolicy, WriteError, WriteTarget};
use houserule::host::computer::{ThisComputer, unforeseen_seed};
use houserule::host::disk::Disk;
use houserule::playthrough::Playthrough;
use houserule::playthrough::rules_cache::RulesCache;
use houserule::repl::{SessionEnd, TableOpening, piped};
use houserule::ruleset::Selection;
use houserule::screen::style::{Line, render};
use houserule::session::Session;
use houserule::session::surroundings::{NoSurroundings, Surroundings};
use houserule::shipped::BuiltIn;
use houserule::work::{Clock, Workers};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let roots = vec![root(), PathBuf::from(houserule::files::BUILT_IN)];
    Library::of(Arc::new(BuiltIn::among(Arc::new(Disk))), roots)
});
static RULES: LazyLock<RulesCache> = LazyLock::new(RulesCache::default);

/// What `houserule play` tells with these arguments and this input. `None` where it takes more than a session to know:
/// other options than those of the rules and seats, rules that there are not or that have warnings, files to write.
pub(super) fn told(args: &[String], input: &[u8]) -> Option<Told> {
    let mut selection = Selection::of("");
    let (mut players, mut seed) = (None, None);
    let mut args = args.iter().map(String::as_str);
    let is_play = args.next() == Some("play");
    while let Some(arg) = args.next() {
        match arg {
            "-v" => selection.variants.push(args.next()?.to_owned()),
            "--set" => selection.set.push(args.next()?.to_owned()),
            "-p" => players = Some(args.next()?.parse().ok()?),
            "-s" | "--seed" => seed = Some(args.next()?.parse().ok()?),
            game if selection.game.is_empty() && LIBRARY.game(game).is_ok() => selection.game = game.to_owned(),
            _ => return None,
        }
    }
    if !is_play || selection.game.is_empty() {
        return None;
    }
    let ruleset = RULES.ruleset(&LIBRARY, &selection).ok()?;
    let players = players.unwrap_or(ruleset.definition.players.0);
    ruleset.check_players(players).ok()?;
    let loaded = RULES.loaded(&LIBRARY, &selection, players, &Arc::default()).ok()?;
    if !loaded.warnings.is_empty() || !ruleset.notes.is_empty() {
        return None;
    }
    let seed = seed.unwrap_or_else(unforeseen_seed);
    let (playthrough, _) = Playthrough::start(loaded, players, seed, Vec::new()).ok()?;
    let computer = Arc::new(Here::default());
    let session = Session::new(playthrough, LIBRARY.clone(), Language::English, Arc::default(), computer.clone());
    let streams = Streams::default();
    let end = piped::run(session, &mut &*input, streams.clone(), None, None, &TableOpening::default());
    let code = match end {
        SessionEnd::Well => 0,
        SessionEnd::Failed => 1,
        _ => return None,
    };
    let [stdout, stderr] = streams.written.lock().unwrap().clone();
    (!computer.is_asked_for_files.load(Ordering::Relaxed)).then_some(Told { stdout, stderr, code })
}

/// What is written to standard output and standard error.
#[derive(Clone, Default)]
struct Streams {
    written: Arc<Mutex<[String; 2]>>,
}

impl piped::Output for Streams {
    fn show(&self, lines: &[Line]) {
        self.written.lock().unwrap()[0].push_str(&render(lines, false));
    }

    fn tell<'a>(&self, found: impl IntoIterator<Item = &'a Diagnostic>) {
        let told = found.into_iter().map(|told| told.render_within(false, None) + "\n");
        self.written.lock().unwrap()[1].extend(told);
    }
}

/// This computer, without its files.
#[derive(Default)]
struct Here {
    computer: ThisComputer,
    is_asked_for_files: AtomicBool,
}

impl Surroundings for Here {
    fn write(
        &self,
        path: &Path,
        text: &str,
        may: OverwritePolicy,
        stop: &AtomicBool,
    ) -> Result<WriteTarget, WriteError> {
        self.is_asked_for_files.store(true, Ordering::Relaxed);
        NoSurroundings.write(path, text, may, stop)
    }

    fn write_new(&self, path: &Path, text: &str) -> Result<(), Diagnostics> {
        self.is_asked_for_files.store(true, Ordering::Relaxed);
        NoSurroundings.write_new(path, text)
    }

    fn workers(&self) -> &dyn Workers {
        self.computer.workers()
    }

    fn clock(&self) -> Option<Clock> {
        self.computer.clock()
    }

    fn in_background(&self, task: Box<dyn FnOnce() + Send>) -> Result<(), String> {
        self.computer.in_background(task)
    }

    fn current_folder(&self) -> PathBuf {
        self.is_asked_for_files.store(true, Ordering::Relaxed);
        PathBuf::new()
    }
}
