//! The command `houserule sim`: statistics of thousands of games.

use super::campaign::Next;
use super::coverage::{self, CoverageFiles};
use super::game_rows::GameRows;
use super::numbers::{COUNTS, FIRST_SEEDS, whole};
use super::out_file::refuse_shared;
use super::packs::PackArguments;
use super::{Context, EXIT_NEGATIVE, EXIT_SUCCESS, Failure, OutFile, Outcome, Printout, Rules, agents_help, all_of};
use crate::agent::{AgentSpec, KINDS};
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::{OverwritePolicy, path_name};
use crate::host::clock::now;
use crate::host::file::{can_be_filled, cannot_be_written, write_whole};
use crate::host::terminal::{columns, is_watched};
use crate::lab::coverage::{Coverage, StepCounts};
use crate::lab::measures::{Pace, Unit};
use crate::lab::play::{DEFAULT_MAX_DECISIONS, Game, Plan};
use crate::lab::report::SimReport;
use crate::lab::shard::{FILE, MAX_BYTES, Part, PlanFacts, shard};
use crate::lab::simulate::{Continuation, simulate, simulate_counting};
use crate::lab::tally::{Tally, Trouble};
use crate::playthrough::Playable;
use crate::playthrough::replay::{FILE as REPLAY, Replay};
use crate::ruleset::shell_quoted;
use crate::screen;
use crate::screen::plot::page::{Page, REPORT, html};
use crate::session::seats::seats_named;
use crate::work::parse_duration;
use clap::Args;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// The default folder for games that failed or did not end.
const DEFAULT_FAILED_GAMES_FOLDER: &str = "failed-games";

/// Most decisions saved of an endless game.
const MAX_SAVED_ENDLESS_DECISIONS: usize = 2_000;

/// Play thousands of games and report who wins, how long they take, and what never happens
#[derive(Debug, Args)]
pub(super) struct Sim {
    #[command(flatten)]
    rules: Rules,

    #[command(flatten)]
    games: Games,

    /// Play the next game of a campaign; each starts with what this saved, finished game keeps
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Play part I of N parts of about equal size, for instance 2/8; see `--out`
    #[arg(long, value_name = "I/N", requires = "out")]
    shard: Option<Shard>,

    /// Write the counts to this file; `houserule report` combines it with the other parts; `-` is standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Stop as soon as every seat's share of wins is known to this precision, for instance 0.01
    #[arg(long, value_name = "SHARE", conflicts_with = "shard", value_parser = precision)]
    precision: Option<f64>,

    /// Stop as soon as one seat is shown to win more than another
    #[arg(long, conflicts_with = "shard")]
    until_shown: bool,

    /// Stop at the first game that goes wrong
    #[arg(long)]
    fail_fast: bool,

    /// Show which functions, statements and branches of each layer the games reached
    #[arg(long, conflicts_with = "json")]
    coverage: bool,

    /// With --coverage: write a web page with the scripts and how often each line was reached; `-` is standard output
    #[arg(long, value_name = "FILE", requires = "coverage")]
    coverage_html: Option<PathBuf>,

    /// With --coverage: write lcov's format, which editors and services read; `-` is standard output
    #[arg(long, value_name = "FILE", requires = "coverage")]
    lcov: Option<PathBuf>,

    /// Folder for saved games that failed, the first of each kind; default: failed-games in this folder
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,

    /// Write every game as a row of this CSV file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    told: ReportFormat,
}

/// How figures are told.
#[derive(Debug, Args)]
pub(super) struct ReportFormat {
    /// Write JSON
    #[arg(long)]
    json: bool,

    /// Write a web page with plots and tables to this file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,

    /// Overwrite these files even if something else is there
    #[arg(long)]
    force: bool,
}

/// The page being written, if one is wanted.
pub(super) struct PageFile(Option<OutFile>);

/// Parses a precision: half the width of a confidence interval of a share.
fn precision(text: &str) -> Result<f64, &'static str> {
    let precision = text.parse().ok().filter(|precision: &f64| (0.000_01..=0.5).contains(precision));
    precision.ok_or("give a share from 0.00001 to 0.5, for instance 0.01")
}

/// Which games are played, and by whom.
#[derive(Clone, Debug, Args)]
pub(super) struct Games {
    /// Number of players; default: the fewest that the game allows
    #[arg(short, long, value_name = "N", value_parser = whole::<usize>(COUNTS))]
    pub(super) players: Option<usize>,

    /// How many games
    #[arg(short = 'n', long, value_name = "GAMES", default_value_t = 10_000,
          value_parser = whole::<u64>(1..=1_000_000_000))]
    pub(super) games: u64,

    #[command(flatten)]
    pub(super) limit: TimeLimit,

    /// Seed of the first game; later games use the next numbers
    #[arg(short, long, value_name = "SEED", default_value_t = 1,
          value_parser = whole::<u64>(FIRST_SEEDS))]
    pub(super) seed: u64,

    #[arg(long, value_name = "AGENTS", default_value = KINDS[0].name, help = agents_help("Who plays: one agent for \
                                                                                          all seats, one for each \
                                                                                          (separated by commas), or \
                                                                                          p2=AGENT for some seats, the \
                                                                                          others at random"))]
    pub(super) agents: String,

    /// Seconds that a player needs for a decision with a choice, and for one without; used to estimate minutes
    #[arg(long, value_name = "SECONDS,SECONDS", default_value = "6,2", allow_hyphen_values = true)]
    pub(super) pace: PaceArgument,

    /// Maximum number of decisions; a longer game counts as endless
    #[arg(long, value_name = "DECISIONS", default_value_t = DEFAULT_MAX_DECISIONS,
          value_parser = whole::<u64>(1..=500_000))]
    pub(super) most_decisions: u64,
}

/// How long games are played at most.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct TimeLimit {
    /// Stop after this time, such as 60s, 10m or 2h, and report the games so far; how many these are depends on the machine
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,
}

impl TimeLimit {
    /// Starts the time limit, divided by `parts`.
    pub(super) fn begin(self, context: &Context, parts: u32) {
        if let Some(time) = self.time {
            context.work.end_after(now, time / parts.max(1));
        }
    }
}

/// A timer for progress reports at a terminal.
#[derive(Default)]
pub(super) struct ProgressTimer {
    told: Option<Duration>,
}

/// The time between two progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(300);

impl ProgressTimer {
    /// Whether a report is due; never without a terminal.
    pub(super) fn is_due(&mut self) -> bool {
        let time = now();
        let is_due = self.told.is_none_or(|told| time.saturating_sub(told) >= PROGRESS_INTERVAL) && is_watched();
        if is_due {
            self.told = Some(time);
        }
        is_due
    }
}

/// A part of the games: `2/8`.
#[derive(Clone, Copy, Debug)]
struct Shard {
    number: u64,
    of: u64,
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if 1 <= number && number <= of => Ok(Self { number, of }),
            _ => Err("give the part and how many parts there are, for instance 2/8"),
        }
    }
}

/// The pace given as two numbers of seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct PaceArgument(pub(super) Pace);

impl FromStr for PaceArgument {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let seconds = |text: &str| {
            let seconds: f64 = text.trim().parse().ok()?;
            (0.0..=3_600.0).contains(&seconds).then_some((seconds * 1_000.0).round() as i64)
        };
        let both = text.split_once(',').and_then(|(free, forced)| Some((seconds(free)?, seconds(forced)?)));
        let (free, forced) = both.ok_or("give two numbers of seconds from 0 to 3600, for instance 6,2")?;
        Ok(Self(Pace { free, forced }))
    }
}

impl Games {
    /// The arguments for a number of games with random play, from a first seed on.
    pub(super) fn of(games: u64, seed: u64) -> Self {
        let agents = KINDS.first().map_or("", |kind| kind.name).to_owned();
        Self {
            players: None,
            games,
            limit: TimeLimit::default(),
            seed,
            agents,
            pace: PaceArgument(Pace::default()),
            most_decisions: DEFAULT_MAX_DECISIONS,
        }
    }

    /// The plan of these games under some rules.
    pub(super) fn plan(&self, rules: &Rules, context: &Context, out: &mut Printout) -> Result<Plan, Failure> {
        self.plan_of(rules.load(context, self.players, out)?.0)
    }

    /// The plan of these games under loaded rules.
    fn plan_of(&self, loaded: Playable) -> Result<Plan, Failure> {
        let agents = agents_of(&self.agents, loaded.layout.seats).map_err(Failure::wrong)?;
        let mut plan = Plan::new(loaded, agents, self.seed);
        (plan.pace, plan.most_decisions) = (self.pace.0, self.most_decisions);
        Ok(plan)
    }
}

/// The agent of each seat: one for all, one for each, or for named seats.
pub(super) fn agents_of(text: &str, players: usize) -> Result<Vec<AgentSpec>, Diagnostics> {
    if text.contains('=') {
        return seated(text, players);
    }
    let agents: Vec<AgentSpec> = text.split(',').map(|name| AgentSpec::parse(name, None)).collect::<Result<_, _>>()?;
    match agents.as_slice() {
        [one] => Ok(vec![*one; players]),
        several if several.len() == players => Ok(agents),
        several => {
            let error = Diagnostic::new(message!("{} agents are given for {players} seats", several.len()));
            Err(error
                .help("give one for all seats, one for each with commas between, or `p2=AGENT` for some seats")
                .into())
        }
    }
}

/// The agents of named seats, as in `p2=greedy,p3=search:50`; random play for the others.
fn seated(text: &str, players: usize) -> Result<Vec<AgentSpec>, Diagnostics> {
    let mut agents: Vec<Option<AgentSpec>> = vec![None; players];
    for part in text.split(',') {
        let Some((seat, name)) = part.split_once('=') else {
            let error = Diagnostic::new(message!("`{part}` does not say which seat it plays"));
            return Err(error.help("name a seat for each agent, such as `p1=greedy,p2=search:50`, or for none").into());
        };
        let agent = AgentSpec::parse(name, None)?;
        for seat in seats_named(seat.trim(), players)? {
            let place = agents.get_mut(seat.index());
            if place.is_some_and(|place| place.replace(agent).is_some()) {
                let error = Diagnostic::new(message!("{seat} is given two agents"));
                return Err(error.help("name each seat once; seats that are not named are played at random").into());
            }
        }
    }
    Ok(agents.into_iter().map(|agent| agent.unwrap_or(AgentSpec::Random)).collect())
}

impl Sim {
    /// The arguments that may name packs.
    pub(super) fn pack_arguments(&mut self) -> PackArguments<'_> {
        PackArguments { players: Some(&mut self.games.players), ..self.rules.pack_arguments() }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let plan = self.plan(context, out)?;
        let facts = PlanFacts::of(&plan, self.games.games);
        let games = self.shard.map_or(0..self.games.games, |one| shard(self.games.games, one.number, one.of));
        let told = [&self.out, &self.csv, &self.told.html, &self.coverage_html, &self.lcov];
        refuse_shared(told.into_iter().flatten())?;
        // An unwritable path is reported before an hour of games.
        if let Some(path) = self.out.as_deref().filter(|_| !self.told.force) {
            refuse_other_part(path, &facts, &games, context)?;
        }
        if let (true, Some(Shard { number, of })) = (games.is_empty(), self.shard) {
            let message = message!("part {number} of {of} has no games: there are {} in all", self.games.games);
            out.tell([&Diagnostic::note(message).help("make at most as many parts as there are games")]);
        }
        let part_file =
            self.out.as_deref().map(|path| OutFile::begin(path, FILE, self.told.force, context)).transpose()?;
        let page = self.told.begin(context)?;
        let files = CoverageFiles::of(self.coverage_html.clone(), self.lcov.clone(), self.told.force).begin(context)?;
        let mut rows = GameRows::begin(self.csv.as_deref(), self.told.force, plan.columns(), context)?;
        self.check_folder(out)?;
        let keeps_games = rows.is_some();
        let mut written = Ok(());
        context.work.count_parts(0, usize::try_from(games.end - games.start).unwrap_or(usize::MAX));
        self.games.limit.begin(context, 1);
        let counter = context.terminal.counter(&context.work);
        let mut teller = ProgressTimer::default();
        let look = |tally: &Tally, played: &[Game]| {
            if let (Some(rows), Ok(())) = (&mut rows, &written) {
                written = rows.add(played, context);
            }
            if written.is_err() {
                return Continuation::Stop;
            }
            // A report takes as long as many short games.
            let is_told = teller.is_due();
            if !is_told && !self.may_be_enough() {
                return Continuation::GoOn;
            }
            let report = SimReport::of(facts.clone(), tally);
            if is_told {
                context.work.remark(Message::verbatim(screen::running_answer(&report)));
            }
            if self.is_enough(&report) { Continuation::Stop } else { Continuation::GoOn }
        };
        let (tally, steps) = if self.coverage {
            let (tally, steps) =
                simulate_counting::<StepCounts>(&context.threads, &plan, games.clone(), keeps_games, look);
            (tally, Some(steps))
        } else {
            (simulate(&context.threads, &plan, games.clone(), keeps_games, look), None)
        };
        drop(counter);
        let is_out_of_time = context.work.was_out_of_time();
        let has_come_to_something = !is_stopped_before_first_game(tally.games, context);
        // What took an hour to play is shown, and goes to every file that takes it, even if another file does not.
        if let Some(rows) = rows.filter(|_| written.is_ok() && has_come_to_something) {
            written = rows.finish(context);
        }
        let mut done = vec![written];
        let part = Part::of(facts, games.start..games.start + tally.games, tally);
        if let Some(file) = part_file.filter(|_| has_come_to_something) {
            done.push(file.write(context, &part.to_text()));
        }
        done.push(self.save_failures(&plan, &part.tally, context, out));
        let (code, page_written) = self.told.tell(&part, is_out_of_time, page, context, out);
        done.push(page_written);
        if let Some(steps) = steps {
            let coverage = Coverage::of(&plan.loaded.rules, &steps);
            coverage::tell(&coverage, out);
            if has_come_to_something {
                done.push(files.write(context, &coverage));
            }
        }
        out.tell(&plan.loaded.rules.take_faults());
        all_of(done).map(|()| code)
    }

    /// The plan of the games, from the rules or from a saved game of a campaign.
    fn plan(&self, context: &Context, out: &mut Printout) -> Result<Plan, Failure> {
        let Some(from) = &self.from else { return self.games.plan(&self.rules, context, out) };
        let (game, over, players) = (Some(self.rules.game.clone()), self.rules.over.clone(), self.games.players);
        let next = Next { from, game, over, players, under_disk: false };
        let (next, _) = next.begin(context, Some(self.games.seed), out)?;
        Ok(self.games.plan_of(next.loaded().clone())?.behind(next.timeline().log().first().cloned()))
    }

    /// The folder for games that failed or did not end.
    fn folder(&self) -> &Path {
        self.save.as_deref().unwrap_or(Path::new(DEFAULT_FAILED_GAMES_FOLDER))
    }

    /// Refuses a folder that cannot be written. The default folder may not be needed, so there is only a warning.
    fn check_folder(&self, out: &mut Printout) -> Result<(), Failure> {
        match can_be_filled(self.folder()) {
            Err(errors) if self.save.is_some() => Err(Failure::wrong(errors)),
            Err(errors) => {
                let why = &errors.first().message;
                let note = Diagnostic::note(message!("a game that goes wrong could not be saved: {why}"));
                out.tell([&note.help("`--save FOLDER` names another folder")]);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Saves the first game of each kind of failure, so that it can be opened where it failed.
    fn save_failures(&self, plan: &Plan, tally: &Tally, context: &Context, out: &mut Printout) -> Result<(), Failure> {
        let was_stopped = context.work.is_stopped();
        let saved = tally.troubles.values().try_for_each(|trouble| self.save_failure(plan, trouble, context, out));
        if was_stopped {
            context.work.stop();
        }
        saved
    }

    fn save_failure(
        &self,
        plan: &Plan,
        trouble: &Trouble,
        context: &Context,
        out: &mut Printout,
    ) -> Result<(), Failure> {
        let Some(&seed) = trouble.seeds.first() else { return Ok(()) };
        // The game is run again, which stopped work would prevent.
        context.work.begin();
        let most = if trouble.is_endless { MAX_SAVED_ENDLESS_DECISIONS } else { usize::MAX };
        let game = plan.playthrough(seed, most).map_err(Failure::no)?;
        let path =
            self.folder().join(format!("{}-{}-players-{seed}.toml", plan.loaded.ruleset.selection.game, plan.seats()));
        // `--force` is about the files that are named, and not about those in this folder.
        let unsaved = |errors: Diagnostics| Failure::wrong(errors.help("`--save FOLDER` names another folder"));
        std::fs::create_dir_all(self.folder())
            .map_err(|error| unsaved(cannot_be_written(self.folder(), &error).into()))?;
        let text = Replay::of(&game).to_toml();
        write_whole(&path, &text, OverwritePolicy::Only(REPLAY), context.work.flag())
            .map_err(|not_written| unsaved(not_written.into()))?;
        out.tell([&Diagnostic::note(message!("saved the game of seed {seed} as {}", path_name(&path)))
            .help(message!("`houserule play {}` opens it where it went wrong", shell_quoted(&path_name(&path))))]);
        Ok(())
    }

    /// Whether the simulation may end before all games are played.
    fn may_be_enough(&self) -> bool {
        self.fail_fast || self.precision.is_some() || self.until_shown
    }

    /// Whether the games so far are enough. The intervals hold however often they are checked.
    fn is_enough(&self, report: &SimReport) -> bool {
        let troubles = report.games.failed + report.games.endless;
        let mut wins = report.figures.iter().filter(|figure| figure.unit == Unit::Share && figure.seat.is_some());
        self.fail_fast && troubles > 0
            || self.precision.is_some_and(|precision| wins.all(|figure| figure.anytime.half_width() <= precision))
            || self.until_shown && report.seat_spread_anytime.is_some_and(|spread| spread.low > 0.0)
    }
}

impl ReportFormat {
    /// Creates the page, if one is wanted, so that an unwritable path is reported before an hour of games.
    pub(super) fn begin(&self, context: &Context) -> Result<PageFile, Failure> {
        PageFile::begin(self.html.as_deref(), self.force, context)
    }

    /// Reports the figures, and then writes the page, so that they are shown even if it cannot be written. Gives the
    /// exit code, which is [`EXIT_NEGATIVE`] if any games failed or did not end, and whether the page is written.
    pub(super) fn tell(
        &self,
        part: &Part,
        is_out_of_time: bool,
        page: PageFile,
        context: &Context,
        out: &mut Printout,
    ) -> (u8, Result<(), Failure>) {
        let mut report = SimReport::of(part.plan.clone(), &part.tally);
        report.is_out_of_time = is_out_of_time;
        report.played.clone_from(&part.played);
        if self.json {
            out.json(&report.to_json());
        } else {
            out.show(screen::simulation(&report, columns(), context.language));
        }
        let written =
            page.write(context, part.tally.games, || screen::simulation_page(&report, &part.tally, context.language));
        (if report.games.failed + report.games.endless > 0 { EXIT_NEGATIVE } else { EXIT_SUCCESS }, written)
    }
}

impl PageFile {
    /// Creates the page, if one is wanted.
    pub(super) fn begin(path: Option<&Path>, force: bool, context: &Context) -> Result<Self, Failure> {
        path.map(|path| OutFile::begin(path, REPORT, force, context)).transpose().map(Self)
    }

    /// Writes the page for `games` games, if one is wanted.
    pub(super) fn write(self, context: &Context, games: u64, page: impl FnOnce() -> Page) -> Result<(), Failure> {
        let file = self.0.filter(|_| !is_stopped_before_first_game(games, context));
        file.map_or(Ok(()), |file| file.write(context, &html(&page())))
    }
}

/// Whether the run was stopped before its first game ended. Its empty output must not overwrite another file.
fn is_stopped_before_first_game(games: u64, context: &Context) -> bool {
    games == 0 && context.work.is_stopped()
}

/// Refuses to overwrite a part of another run, or another part of this one: its games would have to be played again.
fn refuse_other_part(path: &Path, facts: &PlanFacts, games: &Range<u64>, context: &Context) -> Result<(), Failure> {
    let name = path_name(path);
    let Ok(text) = context.library.files().read_up_to(path, &name, MAX_BYTES) else { return Ok(()) };
    // A damaged part is worthless, and another kind of file is refused by its format.
    let Ok(there) = Part::parse(&name, &text.text) else { return Ok(()) };
    let difference = there.plan.difference(facts, "there", "in this run");
    // An interrupted run has only its first games in the file.
    let is_of_it = there.played.iter().all(|played| played.start >= games.start && played.end <= games.end);
    let message = match difference {
        Some(difference) => message!("`{name}` is a part of another run: {difference}"),
        None if is_of_it => return Ok(()),
        None => {
            let stretches = there.played.iter().map(|played| message!("{} to {}", played.start + 1, played.end));
            let here = message!("{} to {}", games.start + 1, games.end);
            message!("`{name}` has other games of this run: {}, and not {here}", Message::list(stretches, ", "))
        }
    };
    Err(Failure::wrong(Diagnostic::new(message).help("give another path, or overwrite it with `--force`")))
}
