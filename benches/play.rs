//! How fast rules run, as ratios of one run, so that a slow or busy machine changes the rates and not what is compared.
//!
//! `cargo bench` measures everything; `cargo bench -- hearts` what has that in its name. For every game: random play
//! (forced decisions count, for the rules ask them too) by the program and by Rhai's own evaluator; and where the game
//! exists in plain Rust too, beside that, once the two have proved to be the same game. Then what it costs to count
//! what was reached, a copy of a run in the middle of a turn, iterations of a search, and what a person waits for at the end of a very long game.
//!
//! Versions alternate in short rounds of one process, time is that of the processor, and what is told is the median with
//! the quartiles of the ratios round by round. `HOUSERULE_OPENSPIEL=python3 cargo bench -- hearts` lays hearts beside
//! OpenSpiel's, which is written in C++: `openspiel.py` takes its turn in the rounds.
#![allow(missing_docs, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod hardcoded;

use cpu_time::ThreadTime;
use hardcoded::{Hardcoded, ftw::Ftw, up_or_down::UpOrDown};
use houserule::agent::search::Budget;
use houserule::agent::{Random, Search};
use houserule::definition::{Language, Library};
use houserule::diagnostic::Diagnostics;
use houserule::lab::coverage::{CallCounts, StepCounts};
use houserule::playthrough::observation::Observation;
use houserule::playthrough::run::Until;
use houserule::playthrough::{Playable, Playthrough};
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::machine::counts::RunHook;
use houserule::script::reference::Interpreter;
use houserule::script::reference::worker::Worker;
use houserule::script::rules::{Rules, Run};
use houserule::script::{End, Start};
use houserule::session::Session;
use houserule::table::Table;
use houserule::table::decision::{Answerer, Halt, Question};
use houserule::table::value::Seats;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// A game that exists in plain Rust too.
struct Contest {
    game: &'static str,
    seats: RangeInclusive<usize>,
    start: fn(usize) -> Box<dyn Hardcoded>,
}

const CONTESTS: &[Contest] = &[
    Contest { game: "ftw", seats: 2..=6, start: |seats| Box::new(Ftw::new(seats)) },
    Contest { game: "up-or-down", seats: 3..=3, start: |_| Box::<UpOrDown>::default() },
];

/// Each game is measured for so many players, or as near to that as it can be.
const SEATS: usize = 4;

/// Games that have to end alike in all versions before anything is measured.
const PROOF: Range<u64> = 0..20;

/// Rounds, and the processor time of each version in each of them.
const ROUNDS: usize = 31;
const ROUND_TIME: Duration = Duration::from_millis(50);

/// A very long game: so many decisions of it.
const LONG: (&str, &[&str], usize, usize) = ("playme", &["challenge"], 6, 26_000);

/// Where OpenSpiel is asked for: a Python that has the package `open_spiel`.
const OPENSPIEL: &str = "HOUSERULE_OPENSPIEL";

fn main() {
    // Where benches are only tried out, one round is enough.
    let given: Vec<String> = std::env::args().skip(1).collect();
    let is_real = given.iter().any(|argument| argument == "--bench");
    let wanted: Vec<&String> = given.iter().filter(|argument| !argument.starts_with('-')).collect();
    let rounds = if is_real { ROUNDS } else { 1 };
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    let games: Vec<String> = library().games().into_iter().map(|game| game.id).collect();
    for contest in CONTESTS {
        assert!(games.iter().any(|game| game == contest.game), "there is no {} to contest", contest.game);
    }
    println!("{rounds} rounds of {ROUND_TIME:?} for each version, in turn; medians, with quartiles of the ratios\n");
    println!("random play, decisions per second of one core");
    for game in games.iter().filter(|game| is_wanted(game)) {
        play(game, rounds);
    }
    if is_wanted("counting") {
        println!("\nrandom play while calls are counted, and while every step is");
        games.iter().for_each(|game| counting(game, rounds));
    }
    if is_wanted("search") {
        println!("\nsearch, iterations per second of one core, from positions all over a game");
        games.iter().for_each(|game| search(game, rounds));
    }
    if is_wanted("copy") {
        println!("\ncopy of a run in the middle of a turn, table included");
        games.iter().for_each(|game| copy(game, rounds));
    }
    if is_wanted("long") {
        at_the_end_of_a_long_game(rounds);
    }
}

// Random play

/// Plays games in one version, and gives the decisions of a stretch with its time.
type Version<'a> = (&'static str, Box<dyn FnMut() -> (usize, Duration) + 'a>);

fn play(game: &str, rounds: usize) {
    let ruleset = load(game, &[]);
    let contest = CONTESTS.iter().find(|contest| contest.game == game);
    let (fewest, most) = match contest {
        Some(contest) => (*contest.seats.start(), *contest.seats.end()),
        None => ruleset.definition.players,
    };
    let seats = SEATS.clamp(fewest, most);
    let rules = Rules::new(ruleset.clone(), seats, Arc::default()).unwrap_or_else(|errors| refuse(&errors));
    let reference = Worker::start(move || Interpreter::new(ruleset, seats, Arc::default()));
    let reference = reference.unwrap_or_else(|errors| refuse(&errors));
    let mut hardcoded = contest.map(|contest| (contest.start)(seats));
    for seed in PROOF {
        let by_machine = play_one(&rules, seed);
        let by_reference = reference.call(move |rules| play_by_reference(rules, seed)).expect("it does not crash");
        assert_eq!(by_machine, by_reference, "{game} for {seats}, seed {seed}: decisions and scores differ");
        if let Some(hardcoded) = &mut hardcoded {
            let decisions = hardcoded.play(seed);
            let played = (decisions, hardcoded.scores().to_vec());
            assert_eq!(by_machine, played, "{game} for {seats}, seed {seed}: decisions and scores differ");
        }
    }
    let mut seeds = [0_u64; 3];
    let [own, referred, plain] = &mut seeds;
    let mut versions: Vec<Version<'_>> = vec![
        ("machine", Box::new(|| stretch(own, |seed| play_one(&rules, seed).0))),
        ("Rhai", {
            let reference = &reference;
            Box::new(move || {
                let first = *referred;
                let played = reference.call(move |rules| {
                    let mut seed = first;
                    let played = stretch(&mut seed, |seed| play_by_reference(rules, seed).0);
                    (played, seed)
                });
                let (played, seed) = played.expect("it does not crash");
                *referred = seed;
                played
            })
        }),
    ];
    if let Some(hardcoded) = &mut hardcoded {
        versions.push(("plain Rust", Box::new(move || stretch(plain, |seed| hardcoded.play(seed)))));
    }
    if game == "hearts"
        && let Some(python) = std::env::var_os(OPENSPIEL)
    {
        let mut peer = OpenSpiel::start(&python);
        versions.push(("OpenSpiel", Box::new(move || peer.play())));
    }
    let rates = alternate(&mut versions, rounds);
    let name = format!("{game} ({seats})");
    let machine = &rates[0];
    for (version, rates) in versions.iter().map(|(version, _)| version).zip(&rates) {
        let ratio = match *version {
            "machine" => String::new(),
            "Rhai" => format!("the machine is {} times as fast", ratio(machine, rates)),
            _ => format!("{} times as fast as the machine", ratio(rates, machine)),
        };
        let line = format!("  {name:<20} {version:<10} {:>10.0}  {ratio}", quartiles(rates.iter().copied())[1]);
        println!("{}", line.trim_end());
    }
}

/// What it costs to count what was reached.
fn counting(game: &str, rounds: usize) {
    let ruleset = load(game, &[]);
    let seats = SEATS.clamp(ruleset.definition.players.0, ruleset.definition.players.1);
    let rules = Rules::new(ruleset, seats, Arc::default()).unwrap_or_else(|errors| refuse(&errors));
    let (mut calls, mut steps) = (CallCounts::new(&rules), StepCounts::new(&rules));
    let mut seeds = [0_u64; 3];
    let [plain, with_calls, with_steps] = &mut seeds;
    let mut versions: Vec<Version<'_>> = vec![
        ("plain", Box::new(|| stretch(plain, |seed| play_one(&rules, seed).0))),
        (
            "calls",
            Box::new(|| {
                stretch(with_calls, |seed| {
                    calls.begin_game();
                    let decisions = play_watched(&rules, seed, &mut calls);
                    calls.end_game();
                    decisions
                })
            }),
        ),
        (
            "steps",
            Box::new(|| {
                stretch(with_steps, |seed| {
                    steps.begin_game();
                    let decisions = play_watched(&rules, seed, &mut steps);
                    steps.end_game();
                    decisions
                })
            }),
        ),
    ];
    let rates = alternate(&mut versions, rounds);
    let name = format!("{game} ({seats})");
    for (version, watched) in versions.iter().map(|(version, _)| version).zip(&rates).skip(1) {
        println!("  {name:<20} {version:<10} {} times as long as plain", ratio(&rates[0], watched));
    }
}

fn play_watched(rules: &Rules, seed: u64, hook: &mut dyn RunHook) -> usize {
    let mut run = rules.begin(&Start::Game, seed);
    let mut agent = Random::new(seed);
    agent.begin(&mut run.table);
    finished(rules.resume_with_hook(&mut run, &mut agent, hook), &run.table).0
}

/// Plays one game after the other for a while. Games are played in batches, because in plain Rust a game takes no longer
/// than a look at the clock.
fn stretch(seed: &mut u64, mut play: impl FnMut(u64) -> usize) -> (usize, Duration) {
    let start = ThreadTime::now();
    let (mut decisions, mut batch) = (0, 1);
    loop {
        for _ in 0..batch {
            decisions += black_box(play(black_box(*seed % 64)));
            *seed += 1;
        }
        let time = start.elapsed();
        match time {
            time if time >= ROUND_TIME => return (decisions, time),
            time if time < ROUND_TIME / 32 => batch *= 2,
            _ => {}
        }
    }
}

/// Decisions per second of each version, round by round.
fn alternate(versions: &mut [Version<'_>], rounds: usize) -> Vec<Vec<f64>> {
    let mut rates = vec![Vec::new(); versions.len()];
    for _ in 0..rounds {
        for ((_, play), rates) in versions.iter_mut().zip(&mut rates) {
            let (decisions, time) = play();
            rates.push(decisions as f64 / time.as_secs_f64());
        }
    }
    rates
}

/// A game by the machine: its decisions, and the scores in seat order.
fn play_one(rules: &Rules, seed: u64) -> (usize, Vec<i64>) {
    let mut run = rules.begin(&Start::Game, seed);
    let mut agent = Random::new(seed);
    agent.begin(&mut run.table);
    finished(rules.resume(&mut run, &mut agent), &run.table)
}

/// The same by Rhai's own evaluator.
fn play_by_reference(rules: &mut Interpreter, seed: u64) -> (usize, Vec<i64>) {
    let end = rules.run(&Start::Game, seed, Box::new(Random::new(seed)), None);
    finished(end, &rules.table())
}

fn finished(end: End, table: &Table) -> (usize, Vec<i64>) {
    match end {
        End::Finished => {
            let seats = Seats::all(table.layout().seats);
            (table.decisions(), seats.into_iter().map(|seat| table.score(seat)).collect())
        }
        End::Failed(error) | End::Endless(error) => refuse(&error),
        End::Halted(halt) => panic!("{halt:?}"),
    }
}

/// OpenSpiel's hearts in a process of its own, which plays when it is told to.
struct OpenSpiel {
    process: Child,
    tell: ChildStdin,
    heard: BufReader<ChildStdout>,
}

impl OpenSpiel {
    fn start(python: &std::ffi::OsStr) -> Self {
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/openspiel.py");
        let process = Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = process.expect("HOUSERULE_OPENSPIEL names a Python that has the package `open_spiel`");
        let tell = process.stdin.take().expect("its input is a pipe");
        let heard = BufReader::new(process.stdout.take().expect("its output is a pipe"));
        Self { process, tell, heard }
    }

    /// One stretch: the script answers with its decisions and their processor time.
    fn play(&mut self) -> (usize, Duration) {
        writeln!(self.tell, "{}", ROUND_TIME.as_secs_f64()).expect("it listens");
        let mut line = String::new();
        self.heard.read_line(&mut line).expect("it answers");
        let mut numbers = line.split(' ').map(|number| number.trim().parse::<f64>().expect("it answers with numbers"));
        let mut next = || numbers.next().expect("it answers with two numbers");
        (next() as usize, Duration::from_secs_f64(next()))
    }
}

impl Drop for OpenSpiel {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

// Search

/// What an iteration of a search costs, told in decisions of random play: a copy of the run with what is hidden drawn
/// anew, the way down the tree, some decisions behind it, and what the table is worth there.
fn search(game: &str, rounds: usize) {
    let ruleset = load(game, &[]);
    let (fewest, most) = ruleset.definition.players;
    let seats = SEATS.clamp(fewest, most);
    let rules = Rules::new(ruleset, seats, Arc::default()).unwrap_or_else(|errors| refuse(&errors));
    let decisions = play_one(&rules, 1).0;
    let stand = |number: usize| {
        let mut run = rules.begin(&Start::Game, 1);
        let mut answers = UpTo(Random::new(1), decisions * number / 16);
        answers.begin(&mut run.table);
        rules.resume(&mut run, &mut answers);
        let open = run.table.open().cloned()?;
        (open.by_clock.is_none() && open.options.len() > 1).then_some((run, open))
    };
    let positions: Vec<_> = (0..16).filter_map(stand).collect();
    assert!(!positions.is_empty(), "{game} has something to choose");
    let mut seeds = [0_u64; 2];
    let [plain, searched] = &mut seeds;
    let mut versions: Vec<Version<'_>> = vec![
        ("machine", Box::new(|| stretch(plain, |seed| play_one(&rules, seed).0))),
        ("search", {
            let (rules, positions) = (&rules, &positions);
            Box::new(move || {
                stretch(searched, |seed| {
                    let (run, open) = &positions[seed as usize % positions.len()];
                    let search = Search::new(seed, Budget::Iterations(100));
                    search.advice(&Observation::new(rules, run, open)).iterations as usize
                })
            })
        }),
    ];
    let rates = alternate(&mut versions, rounds);
    let name = format!("{game} ({seats})");
    let [_, rate, _] = quartiles(rates[1].iter().copied());
    println!("  {name:<20} {rate:>10.0}  one costs {} decisions", ratio(&rates[0], &rates[1]));
}

// Copies

/// Answers at random, and leaves a decision open after so many.
struct UpTo(Random, usize);

impl Answerer for UpTo {
    fn begin(&mut self, table: &mut Table) {
        self.0.begin(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        self.1 = self.1.checked_sub(1).ok_or(Halt::Open)?;
        self.0.answer(table, question, chosen)
    }
}

/// What it costs to copy a run that waits for an answer, deep in the calls of its rules, and to drop the copy.
fn copy(game: &str, rounds: usize) {
    let ruleset = load(game, &[]);
    let (fewest, most) = ruleset.definition.players;
    let seats = SEATS.clamp(fewest, most);
    let rules = Rules::new(ruleset, seats, Arc::default()).unwrap_or_else(|errors| refuse(&errors));
    let mut run = rules.begin(&Start::Game, 1);
    let mut answers = UpTo(Random::new(1), 40);
    answers.begin(&mut run.table);
    assert!(matches!(rules.resume(&mut run, &mut answers), End::Halted(Halt::Open)), "{game} has 40 decisions");
    let times = (0..rounds).map(|_| time_of_each(|| drop(black_box::<Run>(black_box(&run).clone()))));
    let [low, median, high] = quartiles(times.map(|time| time * 1e6));
    let calls = run.frames().len();
    println!("  {game:<20} {median:>8.2} µs ({low:.2} to {high:.2}), {calls} calls deep");
}

// A long game

fn at_the_end_of_a_long_game(rounds: usize) {
    let (game, variants, seats, decisions) = LONG;
    let rules = || {
        let loaded = Playable::compile(load(game, variants), seats, Arc::default());
        loaded.unwrap_or_else(|errors| refuse(&errors))
    };
    let loaded = rules();
    let seed = 1;
    let started = Playthrough::start(loaded.clone(), seats, seed, Vec::new());
    let (mut playthrough, _) = started.unwrap_or_else(|error| refuse(&error));
    playthrough
        .advance(Box::new(Random::new(seed)), Until::Decisions(decisions))
        .unwrap_or_else(|error| refuse(&error));
    let end = playthrough.timeline().cursor() - 1;
    playthrough.go_to(end).unwrap_or_else(|error| refuse(&error));
    let moves = playthrough.timeline().cursor();
    println!("\nat the end of {game} for {seats}, after {moves} moves");
    let once = rounds.div_ceil(4);
    let mut told = |name: &str, rounds: usize, work: &mut dyn FnMut(&mut Playthrough)| {
        let times = (0..rounds).map(|_| {
            let start = ThreadTime::now();
            work(&mut playthrough);
            start.elapsed().as_secs_f64() * 1e3
        });
        let [low, median, high] = quartiles(times);
        println!("  {name:<32} {median:>9.2} ms ({low:.2} to {high:.2})");
    };
    let ok = |error: Diagnostics| -> () { refuse(&error) };
    told("an answer", rounds, &mut |game| {
        game.undo().map(drop).unwrap_or_else(ok);
        let label = game.position().open.as_ref().map(|open| open.options[0].label.clone());
        game.choose(&label.into_iter().collect::<Vec<_>>()).unwrap_or_else(ok);
    });
    told("a move back", rounds, &mut |game| game.go_to(end - 1).map(drop).unwrap_or_else(ok));
    told("ten moves back and on again", once, &mut |game| {
        game.go_to(end - 10).map(drop).unwrap_or_else(ok);
        game.go_to(end).map(drop).unwrap_or_else(ok);
    });
    told("to the middle and back", once, &mut |game| {
        game.go_to(end / 2).map(drop).unwrap_or_else(ok);
        game.go_to(end).map(drop).unwrap_or_else(ok);
    });
    told("the rules read again", once, &mut |game| {
        game.change_rules(rules()).map(drop).unwrap_or_else(ok);
    });
    let mut session = Session::new(
        playthrough,
        library(),
        Language::English,
        Arc::default(),
        Arc::new(houserule::session::surroundings::NoSurroundings),
    );
    let mut lines = |name: &str, lines: &[&str], rounds: usize| {
        let times = (0..rounds).map(|_| {
            let start = ThreadTime::now();
            for line in lines {
                drop(session.line(black_box(line)).unwrap_or_else(|error| refuse(&error)));
            }
            start.elapsed().as_secs_f64() * 1e3
        });
        let [low, median, high] = quartiles(times);
        println!("  {name:<32} {median:>9.2} ms ({low:.2} to {high:.2})");
    };
    lines("`debug`", &["debug", "done"], once);
    lines("`debug` and ten steps back", &["debug", "back 10", "done"], once);
    lines("`why p1.score`", &["why p1.score"], once);
}

// Measuring

/// The seconds that something takes each time, when it is done over and over for a round.
fn time_of_each(mut work: impl FnMut()) -> f64 {
    let start = ThreadTime::now();
    let mut times = 0_u32;
    while start.elapsed() < ROUND_TIME {
        (0..64).for_each(|_| work());
        times += 64;
    }
    start.elapsed().as_secs_f64() / f64::from(times)
}

/// How many times one is the other, with the quartiles.
fn ratio(one: &[f64], other: &[f64]) -> String {
    let [low, median, high] = quartiles(one.iter().zip(other).map(|(one, other)| one / other));
    format!("{median:.1} ({low:.1} to {high:.1})")
}

fn quartiles(values: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| sorted[(sorted.len() - 1) * quarter / 4])
}

/// The games that come with the source.
fn library() -> Library {
    houserule::Disk::library(vec![PathBuf::from(env!("CARGO_MANIFEST_DIR"))])
}

fn load(game: &str, variants: &[&str]) -> Arc<Ruleset> {
    let variants = variants.iter().map(|variant| (*variant).to_owned()).collect();
    let selection = Selection { game: game.to_owned(), variants, set: Vec::new() };
    Arc::new(Ruleset::load(&library(), &selection).unwrap_or_else(|errors| refuse(&errors)))
}

fn refuse(errors: &Diagnostics) -> ! {
    panic!("{errors}")
}
