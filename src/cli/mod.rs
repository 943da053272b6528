//! The command line: its arguments, and the commands.

mod campaign;
mod check;
mod choose;
mod compare;
mod completions;
mod coverage;
mod dap;
mod diff;
mod doc;
mod file_kind;
mod fmt;
mod game_rows;
mod help;
mod hunt;
mod install;
mod ladder;
mod leaks;
mod list;
mod lsp;
mod new;
mod numbers;
mod out_file;
mod pack;
mod packs;
mod play;
mod playtest;
mod print;
mod printout;
mod record;
mod replay;
mod report;
mod schema;
mod show;
mod show_file;
mod sim;
mod test;
mod trace;
mod unpack;
mod upgrade;
mod usage;

use self::numbers::{COUNTS, SEEDS, threads, whole};
use crate::agent::KINDS;
use crate::catalogue::{Message, message};
use crate::definition::{Language, Library};
use crate::diagnostic::{Diagnostic, Diagnostics, in_half_width, unknown_or, visible};
use crate::files::path_name;
use crate::host::computer::unforeseen_seed;
use crate::host::disk::Disk;
use crate::host::file::tell_of_too_large_files;
use crate::host::terminal::{Color, Terminal, is_lent, output_columns};
use crate::host::threads::Threads;
use crate::playthrough::Playable;
use crate::ruleset::{Ruleset, Selection, shell_quoted};
use crate::screen::style::{self, Line};
use crate::work::Work;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use out_file::OutFile;
use printout::Printout;
use std::ffi::OsString;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The exit code for success.
pub const EXIT_SUCCESS: u8 = 0;
/// The exit code for a negative result: a test failed, a check found an error, a game cannot go on.
pub const EXIT_NEGATIVE: u8 = 1;
/// The exit code for wrong usage or unreadable input.
pub const EXIT_USAGE: u8 = 2;
/// The exit code if the terminal of a session was closed.
pub const EXIT_HANGUP: u8 = 129;
/// The exit code after Ctrl-C.
pub const EXIT_INTERRUPTED: u8 = 130;

#[derive(Debug, Parser)]
#[command(
    name = "houserule",
    version,
    about = "A rules sandbox for tabletop games: play, step and vary them",
    before_help = usage::before_help(),
    help_template = usage::TEMPLATE,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    common: CommonArgs,
}

/// What every command understands.
#[derive(Debug, Args)]
struct CommonArgs {
    /// Folder with games/ and variants/; default: $HOUSERULE_DIR, this project, and your data folder
    #[arg(long, global = true, value_name = "FOLDER")]
    dir: Option<PathBuf>,

    /// Number of threads that play games at once; default: $HOUSERULE_JOBS, else one for each core
    #[arg(short, long, global = true, value_name = "N", value_parser = threads)]
    jobs: Option<NonZeroUsize>,

    /// Language of help, messages, names and prompts
    #[arg(long, global = true, value_parser = language_parser(), default_value = Language::default().code())]
    lang: Language,

    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    color: Color,
}

/// Reads the code of a language.
fn language_parser() -> impl TypedValueParser<Value = Language> {
    let codes = Language::ALL.map(|language| PossibleValue::new(language.code()).help(language.name()));
    PossibleValuesParser::new(codes).map(|code| Language::of_code(&code).unwrap_or_default())
}

/// The part of the name of a file that tells the language of what is in it; empty for English.
fn language_in_file_name(language: Language) -> String {
    if language == Language::English { String::new() } else { format!("{}.", language.code()) }
}

// The help on each command is on its own type.
#[derive(Debug, Subcommand)]
enum Command {
    Play(play::Play),
    New(new::New),
    List(list::List),
    Show(show::Show),
    Check(check::Check),
    Test(test::Test),
    Playtest(playtest::PlaytestArgs),
    Trace(trace::Trace),
    Diff(diff::Diff),
    Sim(sim::Sim),
    Compare(compare::Compare),
    Ladder(ladder::LadderCommand),
    Report(report::Report),
    Hunt(hunt::Hunt),
    Replay(replay::Replay),
    Record(record::Record),
    Doc(doc::Doc),
    Print(print::Print),
    Schema(schema::Schema),
    Fmt(fmt::Fmt),
    Lsp(lsp::Lsp),
    Upgrade(upgrade::UpgradeCommand),
    Pack(pack::PackCommand),
    Install(install::Install),
    Update(install::Update),
    Uninstall(install::Uninstall),
    Unpack(unpack::Unpack),
    Dap(dap::Dap),
    Completions(completions::Completions),
    Help(help::Help),
}

/// Which rules to play with how many people.
#[derive(Clone, Debug, Args)]
struct Rules {
    /// Id of the game (see `houserule list`)
    game: String,

    #[command(flatten)]
    over: LayerArgs,
}

/// What is laid over a game.
#[derive(Clone, Debug, Default, Args)]
struct LayerArgs {
    /// Add a variant: its id, or a path to its file; repeat for more
    #[arg(short, long = "variant", value_name = "VARIANT")]
    variants: Vec<String>,

    /// Change a setting or a number of the rulebook: LAYER.KEY=VALUE; repeat for more
    #[arg(long, value_name = "LAYER.KEY=VALUE")]
    set: Vec<String>,
}

impl LayerArgs {
    /// Whether any variant or setting is given.
    fn is_given(&self) -> bool {
        !self.variants.is_empty() || !self.set.is_empty()
    }
}

/// The rules that others are compared with.
#[derive(Clone, Debug, Default, Args)]
struct ComparedRules {
    /// Add a variant to the rules to compare with; default: the plain game; repeat for more
    #[arg(long, value_name = "VARIANT")]
    vs: Vec<String>,

    /// Change a setting in the rules to compare with: LAYER.KEY=VALUE; repeat for more
    #[arg(long, value_name = "LAYER.KEY=VALUE")]
    vs_set: Vec<String>,
}

impl ComparedRules {
    /// The rules of a game with these variants and settings.
    fn rules(&self, game: &str) -> Rules {
        Rules { game: game.to_owned(), over: LayerArgs { variants: self.vs.clone(), set: self.vs_set.clone() } }
    }

    /// The rules of the game of `changed` to compare these with.
    ///
    /// # Errors
    /// Both are the same.
    fn distinct_from(&self, changed: &Rules) -> Result<Rules, Failure> {
        let rules = self.rules(&changed.game);
        if changed.selection() != rules.selection() {
            return Ok(rules);
        }
        let help = "`-v` and `--set` are for the changed rules, `--vs` and `--vs-set` for those to compare with";
        Err(Failure::wrong(Diagnostic::new("both sides are the same rules").help(help)))
    }

    /// Whether they differ from the plain game.
    fn is_given(&self) -> bool {
        !self.vs.is_empty() || !self.vs_set.is_empty()
    }
}

/// Who sits at the table.
#[derive(Clone, Copy, Debug, Args)]
struct Seats {
    /// Number of players; default: the fewest that the game allows
    #[arg(short, long, value_name = "N", value_parser = whole::<usize>(COUNTS))]
    players: Option<usize>,

    /// Seed of everything random in the game; default: a random seed
    #[arg(short, long, value_name = "SEED", value_parser = whole::<u64>(SEEDS))]
    seed: Option<u64>,
}

/// The help of an argument that takes an agent, in the language that is spoken: its purpose, and all kinds of agents.
fn agents_help(what: &'static str) -> String {
    let kinds = KINDS.iter().map(|kind| match kind.budgets {
        [] => Message::verbatim(kind.name),
        _ => message!("{0} or {0}:N with N simulated games for each decision", kind.name),
    });
    Message::joined([what.into(), ": ".into(), Message::list(kinds, ", ")]).told().into_owned()
}

impl Command {
    /// The arguments that may name packs.
    fn pack_arguments(&mut self) -> packs::PackArguments<'_> {
        match self {
            Self::Play(play) => play.pack_arguments(),
            Self::Show(show) => show.pack_arguments(),
            Self::Check(check) => check.pack_arguments(),
            Self::Test(test) => test.pack_arguments(),
            Self::Trace(trace) => trace.pack_arguments(),
            Self::Diff(diff) => diff.pack_arguments(),
            Self::Sim(sim) => sim.pack_arguments(),
            Self::Compare(compare) => compare.pack_arguments(),
            Self::Ladder(ladder) => ladder.pack_arguments(),
            Self::Hunt(hunt) => hunt.pack_arguments(),
            Self::Replay(replay) => replay.pack_arguments(),
            Self::Doc(doc) => doc.pack_arguments(),
            Self::Print(print) => print.pack_arguments(),
            _ => packs::PackArguments::default(),
        }
    }
}

/// The environment of every command.
#[derive(Clone)]
struct Context {
    library: Library,
    /// The folder for new games and variants.
    folder: PathBuf,
    /// The option ` --dir FOLDER` for suggested commands, if it was given; otherwise empty.
    to_same_folder: String,
    language: Language,
    terminal: Terminal,
    /// The worker threads that games are played on.
    threads: Threads,
    work: Arc<Work>,
}

/// The failure of a command: messages and an exit code.
struct Failure {
    diagnostics: Diagnostics,
    code: u8,
}

impl Failure {
    /// A failure from unreadable or invalid input.
    fn wrong(diagnostics: impl Into<Diagnostics>) -> Self {
        Self { diagnostics: diagnostics.into(), code: EXIT_USAGE }
    }

    /// A failure to read an editor's messages.
    fn unread(error: &io::Error) -> Self {
        Self::wrong(Diagnostic::new(message!("the client cannot be read: {error}")))
    }

    /// A negative result.
    fn no(diagnostics: impl Into<Diagnostics>) -> Self {
        Self { diagnostics: diagnostics.into(), code: EXIT_NEGATIVE }
    }
}

type Outcome = Result<u8, Failure>;

/// One failure of all that failed, with the exit code of the first.
fn all_of(done: Vec<Result<(), Failure>>) -> Result<(), Failure> {
    let joined = |mut one: Failure, other: Failure| {
        one.diagnostics.extend(other.diagnostics);
        one
    };
    done.into_iter().filter_map(Result::err).reduce(joined).map_or(Ok(()), Err)
}

/// Runs the program with command-line arguments, and gives its exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let mut line = match usage::parsed(arguments.into_iter().map(as_meant)) {
        Ok(line) => line,
        Err(code) => return code,
    };
    tell_of_too_large_files();
    let threads = match jobs(line.common.jobs) {
        Ok(threads) => threads,
        Err(error) => {
            Terminal::new(line.common.color).tell(&error);
            return EXIT_USAGE;
        }
    };
    let mut context = Context {
        library: Disk::discover(line.common.dir.as_deref()),
        folder: Disk::project(line.common.dir.as_deref()),
        to_same_folder: line
            .common
            .dir
            .as_deref()
            .map_or_else(String::new, |dir| format!(" --dir {}", shell_quoted(&path_name(dir)))),
        language: line.common.lang,
        terminal: Terminal::new(line.common.color),
        threads,
        work: watch_for_interrupts(),
    };
    let mut out = Printout::default();
    let makes_folder = matches!(line.command, Command::Unpack(_));
    let dir = line.common.dir.as_deref().filter(|dir| dir.exists() || !makes_folder);
    let opened = is_there(dir).and_then(|()| packs::open(line.command.pack_arguments(), &mut context));
    let outcome = opened.and_then(|()| match line.command {
        Command::Play(play) => play.run(&context, &mut out),
        Command::New(new) => new.run(&context, &mut out),
        Command::List(list) => list.run(&context, &mut out),
        Command::Show(show) => show.run(&context, &mut out),
        Command::Check(check) => check.run(&context, &mut out),
        Command::Test(test) => test.run(&context, &mut out),
        Command::Playtest(playtest) => playtest.run(&context, &mut out),
        Command::Trace(trace) => trace.run(&context, &mut out),
        Command::Diff(diff) => diff.run(&context, &mut out),
        Command::Sim(sim) => sim.run(&context, &mut out),
        Command::Compare(compare) => compare.run(&context, &mut out),
        Command::Ladder(ladder) => ladder.run(&context, &mut out),
        Command::Report(report) => report.run(&context, &mut out),
        Command::Hunt(hunt) => hunt.run(&context, &mut out),
        Command::Replay(replay) => replay.run(&context, &mut out),
        Command::Record(record) => record.run(&context, &mut out),
        Command::Doc(doc) => doc.run(&context, &mut out),
        Command::Print(print) => print.run(&context, &mut out),
        Command::Fmt(fmt) => fmt.run(&context, &mut out),
        Command::Upgrade(upgrade) => upgrade.run(&context, &mut out),
        Command::Schema(schema) => schema.run(&mut out),
        Command::Lsp(lsp) => lsp.run(&context),
        Command::Pack(pack) => pack.run(&context, &mut out),
        Command::Install(install) => install.run(&context, &mut out),
        Command::Update(update) => update.run(&context, &mut out),
        Command::Uninstall(uninstall) => uninstall.run(&mut out),
        Command::Unpack(unpack) => unpack.run(&context, &mut out),
        Command::Dap(dap) => dap.run(&context, line.common.dir),
        Command::Completions(completions) => completions.run(&mut out),
        Command::Help(help) => help.run(&context, &mut out),
    });
    out.write(&context.terminal);
    let code = match outcome {
        Ok(code) => code,
        Err(failure) => {
            context.terminal.tell(&failure.diagnostics);
            failure.code
        }
    };
    if context.work.is_stopped() { EXIT_INTERRUPTED } else { code }
}

/// The host and path of an address on the web; `None` where it is none, or has a query or a fragment.
fn web_place(address: &str) -> Option<&str> {
    let place = ["https://", "http://"].iter().find_map(|scheme| address.strip_prefix(scheme))?.trim_end_matches('/');
    let is_plain = |letter: char| letter.is_ascii_graphic() && !"?#\"<>\\".contains(letter);
    (!place.is_empty() && !place.starts_with('/') && place.chars().all(is_plain)).then_some(place)
}

/// An argument with full-width forms of a Japanese keyboard turned into ASCII: `-p ４`. Unchanged if other characters
/// remain or it names a file.
fn as_meant(argument: OsString) -> OsString {
    let narrow = argument.to_str().and_then(in_half_width).filter(|narrow| narrow.is_ascii());
    narrow.filter(|_| !Path::new(&argument).exists()).map_or(argument, OsString::from)
}

/// Checks that the folder of `--dir` exists: otherwise rules from other places would be taken for its own.
fn is_there(dir: Option<&Path>) -> Result<(), Failure> {
    match dir.filter(|dir| !dir.is_dir()) {
        Some(dir) => Err(Failure::wrong(unknown_or(
            "folder",
            &path_name(dir),
            [],
            "`--dir` names the folder that contains games/ and variants/",
        ))),
        None => Ok(()),
    }
}

/// A text behind a lead, wrapped at a terminal with hanging indentation.
fn hanging(lead: &str, text: &str) -> String {
    let width = style::width(lead);
    match output_columns().and_then(|columns| columns.checked_sub(width)).filter(|room| *room >= 20) {
        Some(room) => style::hang(Line::plain(lead), style::wrapped(text, room))
            .iter()
            .map(|line| line.text().trim_end().to_owned())
            .collect::<Vec<_>>()
            .join("\n"),
        None => format!("{lead}{text}").trim_end().to_owned(),
    }
}

/// The number of threads from the option, or else from the environment.
fn jobs(typed: Option<NonZeroUsize>) -> Result<Threads, Diagnostics> {
    let variable = || std::env::var_os("HOUSERULE_JOBS").filter(|value| !value.is_empty());
    let number = match (typed, variable()) {
        (Some(typed), _) => Some(typed),
        (None, None) => None,
        (None, Some(value)) => Some(threads(&as_meant(value.clone()).to_string_lossy()).map_err(|help| {
            let value = value.to_string_lossy();
            let error = Diagnostic::new(message!("HOUSERULE_JOBS is `{}`, not a number of threads", visible(&value)));
            error.help(help).help("nothing means one thread for each core")
        })?),
    };
    Ok(Threads { number })
}

/// Handles Ctrl-C: the first stops the running work; the second, or one while nothing runs, ends the program.
fn watch_for_interrupts() -> Arc<Work> {
    let work = Arc::new(Work::default());
    let wire = work.clone();
    // Without a handler, Ctrl-C simply ends the program at once.
    let _ = ctrlc::set_handler(move || {
        if !is_lent() && wire.stop() {
            std::process::exit(i32::from(EXIT_INTERRUPTED));
        }
    });
    work
}

impl Rules {
    /// The arguments that may name packs.
    fn pack_arguments(&mut self) -> packs::PackArguments<'_> {
        let LayerArgs { variants, set } = &mut self.over;
        packs::PackArguments {
            game: Some(&mut self.game),
            variants: Some(variants),
            set: Some(set),
            ..packs::PackArguments::default()
        }
    }

    fn selection(&self) -> Selection {
        Selection { game: self.game.clone(), variants: self.over.variants.clone(), set: self.over.set.clone() }
    }

    /// Loads and compiles the rules, and reports warnings and notes. Gives the number of players too.
    fn load(
        &self,
        context: &Context,
        players: Option<usize>,
        out: &mut Printout,
    ) -> Result<(Playable, usize), Failure> {
        let ruleset = Ruleset::load(&context.library, &self.selection()).map_err(Failure::wrong)?;
        let players = players.unwrap_or(ruleset.definition.players.0);
        ruleset.check_players(players).map_err(Failure::wrong)?;
        let loaded = Playable::compile(Arc::new(ruleset), players, context.work.clone()).map_err(Failure::wrong)?;
        out.tell(&loaded.ruleset.notes);
        out.tell(&*loaded.warnings);
        Ok((loaded, players))
    }
}

/// Adds the warnings that are new: rulesets often share scripts.
fn add_new_warnings(told: &mut Vec<Diagnostic>, more: Vec<Diagnostic>) {
    for one in more {
        if !told.iter().any(|known| known.place == one.place && known.message == one.message) {
            told.push(one);
        }
    }
}

impl Seats {
    /// The given seed, or a random one.
    fn seed(self) -> u64 {
        self.seed.unwrap_or_else(unforeseen_seed)
    }
}
