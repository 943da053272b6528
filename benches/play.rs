//! How fast scripted rules are, and how far that is from the same rules written in Rust.
//!
//! Every game on disk is measured: random play in decisions per second on one core (forced decisions count, for the
//! rules ask them too), reading the rules again and taking one step, both at the end of a game of ordinary length.
//!
//! Where a game exists in Rust too, its two versions first have to prove that they are the same game. Besides
//! criterion's figures there is the ratio of the two, from rounds that alternate between them, so that a noisy machine
//! disturbs both alike.
#![allow(missing_docs, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod hardcoded;

use criterion::{Criterion, Throughput};
use hardcoded::{Hardcoded, ftw::Ftw, up_or_down::UpOrDown};
use houserule::agent::Random;
use houserule::definition::{Language, Library};
use houserule::diagnostic::Diagnostic;
use houserule::playthrough::run::Until;
use houserule::playthrough::{Loaded, Playthrough};
use houserule::repl::Session;
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::reference::Interpreter;
use houserule::script::reference::worker::Worker;
use houserule::script::{End, Entry};
use houserule::table::value::Seats;
use houserule::terminal::{Color, Terminal};
use std::hint::black_box;
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A game that can be measured in both versions.
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

/// Games that have to end alike in both versions before anything is measured.
const PROOF: Range<u64> = 0..50;

/// Games that tell how long a game is.
const SAMPLE: Range<u64> = 0..15;

/// Decisions for which there are enough games in one go.
const BATCH_DECISIONS: usize = 2_000;

/// Rounds for the ratio; the time is for each version in each round.
const ROUNDS: usize = 41;
const ROUND_TIME: Duration = Duration::from_millis(50);

fn main() {
    let criterion = Criterion::default().sample_size(20);
    let criterion = criterion.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    let mut criterion = criterion.configure_from_args();
    let games: Vec<String> = library().games().into_iter().map(|game| game.id).collect();
    for contest in CONTESTS {
        assert!(games.iter().any(|game| game == contest.game), "there is no {} to contest", contest.game);
        contest.seats.clone().for_each(|seats| prove(contest, seats));
    }
    for game in games {
        let mut subject = Subject::new(game);
        play(&mut criterion, &mut subject);
        reload(&mut criterion, &subject);
        step(&mut criterion, &subject);
        ask(&mut criterion, &subject);
    }
    criterion.final_summary();
}

/// A game that is measured.
struct Subject {
    game: String,
    seats: usize,
    contest: Option<&'static Contest>,
    scripted: Scripted,
    /// The games that are played in one go.
    batch: Range<u64>,
    /// The seed of a game of ordinary length.
    ordinary: u64,
}

impl Subject {
    fn new(game: String) -> Self {
        let contest = CONTESTS.iter().find(|contest| contest.game == game);
        let (fewest, most) = match contest {
            Some(contest) => (*contest.seats.start(), *contest.seats.end()),
            None => load(&game).definition.players,
        };
        let seats = SEATS.clamp(fewest, most);
        let mut scripted = Scripted::new(&game, seats);
        let mut lengths: Vec<(usize, u64)> = SAMPLE.map(|seed| (scripted.play(seed).0, seed)).collect();
        let mut decisions = 0;
        let enough = lengths.iter().position(|(length, _)| {
            decisions += length;
            decisions >= BATCH_DECISIONS
        });
        let batch = 0..enough.map_or(lengths.len(), |last| last + 1) as u64;
        lengths.sort_unstable();
        let mean = lengths.iter().map(|(length, _)| length).sum::<usize>() / lengths.len();
        let (median, ordinary) = lengths[lengths.len() / 2];
        println!("{game} for {seats}: {mean} decisions in a game on average, {median} in one of ordinary length\n");
        Self { game, seats, contest, scripted, batch, ordinary }
    }
}

/// Makes sure that a game is the same in both versions.
fn prove(contest: &Contest, seats: usize) {
    let mut scripted = Scripted::new(contest.game, seats);
    let mut hardcoded = (contest.start)(seats);
    for seed in PROOF {
        let decisions = hardcoded.play(seed);
        let played = (decisions, hardcoded.scores().to_vec());
        let game = contest.game;
        assert_eq!(scripted.play(seed), played, "{game} for {seats}, seed {seed}: decisions and scores differ");
    }
}

/// Random play, scripted and where possible hard-coded.
fn play(criterion: &mut Criterion, subject: &mut Subject) {
    let Subject { game, seats, contest, scripted, batch, .. } = subject;
    let decisions = scripted.play_batch(batch);
    let mut measured = (false, false);
    let mut group = criterion.benchmark_group(format!("play/{game}"));
    group.throughput(Throughput::Elements(decisions as u64));
    group.bench_function("scripted", |bencher| {
        measured.0 = true;
        bencher.iter(|| scripted.play_batch(batch));
    });
    let Some(contest) = contest else { return group.finish() };
    let mut hardcoded = (contest.start)(*seats);
    group.bench_function("hard-coded", |bencher| {
        measured.1 = true;
        bencher.iter(|| play_batch(hardcoded.as_mut(), batch));
    });
    group.finish();
    // A filter on the command line may have left one of them out.
    if measured == (true, true) {
        compare(subject, hardcoded.as_mut());
    }
}

/// Reading a ruleset again and running the same log under it, at the end of a game: what `reload` does after an edit.
fn reload(criterion: &mut Criterion, subject: &Subject) {
    let mut playthrough = at_the_end(subject);
    criterion.bench_function(&format!("reload/{}", subject.game), |bencher| {
        bencher.iter(|| {
            let ruleset = load(&subject.game);
            let loaded = Loaded::compile(ruleset, subject.seats, Arc::default());
            let loaded = loaded.unwrap_or_else(|errors| refuse(&errors));
            playthrough.change_rules(loaded).unwrap_or_else(|error| refuse(&[error]))
        });
    });
}

/// One step at the end of a game, as a person in the REPL takes it: recorded, with running scores.
fn step(criterion: &mut Criterion, subject: &Subject) {
    let mut playthrough = at_the_end(subject);
    // The last decision is open here; the one before it is one step back.
    let last = playthrough.timeline().cursor();
    let mut forward = false;
    criterion.bench_function(&format!("step/{}", subject.game), |bencher| {
        bencher.iter(|| {
            forward = !forward;
            playthrough.go_to(if forward { last } else { last - 1 }).unwrap_or_else(|error| refuse(&[error]));
        });
    });
}

/// Lines that a person types at the end of a game who wants to know why: each is measured as a whole, drawing included.
fn ask(criterion: &mut Criterion, subject: &Subject) {
    let terminal = Terminal::new(Color::Never);
    let mut session = Session::new(at_the_end(subject), library(), Language::English, terminal, Arc::default());
    let mut line = |name: &str, lines: &[&str]| {
        criterion.bench_function(&format!("{name}/{}", subject.game), |bencher| {
            bencher.iter(|| {
                for line in lines {
                    session.line(black_box(line)).unwrap_or_else(|error| refuse(&[error]));
                }
            });
        });
    };
    line("why", &["why p1.score"]);
    line("why-last", &["why last"]);
    // Entering the debugger runs the rules once; the difference between the two is one step back.
    line("debug", &["debug", "done"]);
    line("debug-back", &["debug", "back", "done"]);
}

/// A game of ordinary length with its last decision open.
fn at_the_end(subject: &Subject) -> Playthrough {
    let (seats, seed) = (subject.seats, subject.ordinary);
    let loaded = Loaded::compile(load(&subject.game), seats, Arc::default());
    let loaded = loaded.unwrap_or_else(|errors| refuse(&errors));
    let started = Playthrough::start(loaded, seats, seed, Vec::new());
    let (mut playthrough, _) = started.unwrap_or_else(|error| refuse(&[error]));
    playthrough.advance(Box::new(Random::new(seed)), Until::End).unwrap_or_else(|error| refuse(&[error]));
    let last = playthrough.timeline().cursor() - 1;
    playthrough.go_to(last).unwrap_or_else(|error| refuse(&[error]));
    assert!(playthrough.position().open.is_some(), "the last decision is open");
    playthrough
}

/// The games that come with the source.
fn library() -> Library {
    Library::new(vec![PathBuf::from(env!("CARGO_MANIFEST_DIR"))])
}

fn load(game: &str) -> Arc<Ruleset> {
    let selection = Selection { game: game.to_owned(), ..Selection::default() };
    Arc::new(Ruleset::load(&library(), &selection).unwrap_or_else(|errors| refuse(&errors)))
}

/// Prints how far the scripted rules are from the hard-coded ones.
fn compare(subject: &mut Subject, hardcoded: &mut dyn Hardcoded) {
    let Subject { game, seats, scripted, batch, .. } = subject;
    let given = |flag: &str| std::env::args().any(|argument| argument == flag);
    // Where benchmarks are only tried out, one round is enough.
    let rounds = if given("--bench") && !given("--test") { ROUNDS } else { 1 };
    let rates: Vec<(f64, f64)> = (0..rounds)
        .map(|_| {
            let scripted = decisions_per_second(|| scripted.play_batch(batch));
            (scripted, decisions_per_second(|| play_batch(hardcoded, batch)))
        })
        .collect();
    let [low, ratio, high] = quartiles(rates.iter().map(|(scripted, hardcoded)| hardcoded / scripted));
    let [_, scripted, _] = quartiles(rates.iter().map(|rate| rate.0));
    let [_, hardcoded, _] = quartiles(rates.iter().map(|rate| rate.1));
    println!("{game} for {seats}, {rounds} alternating rounds, medians:");
    println!("  scripted   {scripted:>11.0} decisions per second");
    println!("  hard-coded {hardcoded:>11.0} decisions per second");
    println!("  scripted : hard-coded = 1 : {ratio:.1} (quartiles {low:.1} to {high:.1})\n");
}

/// Plays batches for the time of a round.
fn decisions_per_second(mut play_batch: impl FnMut() -> usize) -> f64 {
    let start = Instant::now();
    let mut decisions = 0;
    while start.elapsed() < ROUND_TIME {
        decisions += black_box(play_batch());
    }
    decisions as f64 / start.elapsed().as_secs_f64()
}

fn quartiles(values: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| sorted[(sorted.len() - 1) * quarter / 4])
}

/// Plays a batch of games and gives the number of decisions in it.
fn play_batch(game: &mut dyn Hardcoded, batch: &Range<u64>) -> usize {
    batch.clone().map(|seed| game.play(black_box(seed))).sum()
}

/// A game as its script tells it, on the thread that interpreters live on.
struct Scripted {
    worker: Worker<Interpreter>,
    seats: usize,
}

impl Scripted {
    fn new(game: &str, seats: usize) -> Self {
        let ruleset = load(game);
        let worker = Worker::start(move || Interpreter::new(ruleset, seats, Arc::default()));
        Self { worker: worker.unwrap_or_else(|errors| refuse(&errors)), seats }
    }

    /// Plays one game, and gives its decisions and the scores in seat order.
    fn play(&mut self, seed: u64) -> (usize, Vec<i64>) {
        let seats = Seats::all(self.seats);
        let play = move |rules: &mut Interpreter| {
            let decisions = play_scripted(rules, seed);
            (decisions, seats.into_iter().map(|seat| rules.table().score(seat)).collect())
        };
        self.worker.call(play).expect("a game that runs does not crash")
    }

    /// Plays a batch of games and gives the number of decisions in it. One call for all of them: what it costs to go
    /// from thread to thread is not the rules' cost.
    fn play_batch(&mut self, batch: &Range<u64>) -> usize {
        let batch = batch.clone();
        let play = |rules: &mut Interpreter| batch.map(|seed| play_scripted(rules, black_box(seed))).sum();
        self.worker.call(play).expect("a game that runs does not crash")
    }
}

fn play_scripted(rules: &mut Interpreter, seed: u64) -> usize {
    match rules.run(&Entry::Game, seed, Box::new(Random::new(seed)), None) {
        End::Finished => rules.table().decisions(),
        End::Failed(error) => refuse(&[*error]),
        other => panic!("seed {seed}: {other:?}"),
    }
}

fn refuse(errors: &[Diagnostic]) -> ! {
    let errors: Vec<String> = errors.iter().map(|error| error.render(false)).collect();
    panic!("{}", errors.join("\n"))
}
