//! How fast scripted rules are, and how far that is from the same rules written in Rust.
//!
//! Random play is measured in decisions per second on one core; forced decisions count, for the rules ask them too.
//! Each game first has to prove that its two versions are the same game. Besides criterion's figures there is the
//! ratio of the two, from rounds that alternate between them, so that a noisy machine disturbs both alike.
#![allow(missing_docs, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod hardcoded;

use criterion::{Criterion, Throughput};
use hardcoded::{Hardcoded, up_or_down::UpOrDown};
use houserule::agent::Random;
use houserule::definition::Library;
use houserule::diagnostic::Diagnostic;
use houserule::playthrough::run::Until;
use houserule::playthrough::{Loaded, Playthrough};
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::worker::Worker;
use houserule::script::{End, Entry, Interpreter, Rules};
use houserule::table::value::Seats;
use std::hint::black_box;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A game to be measured in both versions.
struct Contest {
    game: &'static str,
    seats: usize,
    hardcoded: fn() -> Box<dyn Hardcoded>,
}

const CONTESTS: &[Contest] = &[Contest { game: "up-or-down", seats: 3, hardcoded: || Box::<UpOrDown>::default() }];

/// Games that have to end alike in both versions before anything is measured.
const PROOF: Range<u64> = 0..200;

/// Games that are played in one go.
const BATCH: Range<u64> = 0..64;

/// Rounds for the ratio; the time is for each version in each round.
const ROUNDS: usize = 41;
const ROUND_TIME: Duration = Duration::from_millis(50);

fn main() {
    let mut criterion = Criterion::default().sample_size(30).configure_from_args();
    for contest in CONTESTS {
        play(&mut criterion, contest);
        reload(&mut criterion, contest);
        step(&mut criterion, contest);
    }
    criterion.final_summary();
}

/// Random play, scripted and hard-coded.
fn play(criterion: &mut Criterion, contest: &Contest) {
    let mut scripted = Scripted::new(contest);
    let mut hardcoded = (contest.hardcoded)();
    for seed in PROOF {
        let decisions = hardcoded.play(seed);
        let played = (decisions, hardcoded.scores().to_vec());
        assert_eq!(scripted.play(seed), played, "{}, seed {seed}: decisions and scores differ", contest.game);
    }

    let decisions = play_batch(hardcoded.as_mut());
    let mut measured = (false, false);
    let mut group = criterion.benchmark_group(format!("play/{}", contest.game));
    group.throughput(Throughput::Elements(decisions as u64));
    group.bench_function("scripted", |bencher| {
        measured.0 = true;
        bencher.iter(|| scripted.play_batch());
    });
    group.bench_function("hard-coded", |bencher| {
        measured.1 = true;
        bencher.iter(|| play_batch(hardcoded.as_mut()));
    });
    group.finish();
    // A filter on the command line may have left one of them out.
    if measured == (true, true) {
        compare(contest, &mut scripted, hardcoded.as_mut());
    }
}

/// Reading a ruleset again and running the same log under it, at the end of a game: what `reload` does after an edit.
fn reload(criterion: &mut Criterion, contest: &Contest) {
    let mut playthrough = at_the_end(contest);
    criterion.bench_function(&format!("reload/{}", contest.game), |bencher| {
        bencher.iter(|| {
            let ruleset = load(contest);
            let loaded = Loaded::compile(ruleset, contest.seats, Arc::default());
            let loaded = loaded.unwrap_or_else(|errors| refuse(&errors));
            playthrough.change_rules(loaded).unwrap_or_else(|error| refuse(&[error]))
        });
    });
}

/// One step at the end of a game, as a person in the REPL takes it: recorded, with running scores.
fn step(criterion: &mut Criterion, contest: &Contest) {
    let mut playthrough = at_the_end(contest);
    // The last decision is open here; the one before it is one step back.
    let last = playthrough.timeline().cursor();
    let mut forward = false;
    criterion.bench_function(&format!("step/{}", contest.game), |bencher| {
        bencher.iter(|| {
            forward = !forward;
            playthrough.go_to(if forward { last } else { last - 1 }).unwrap_or_else(|error| refuse(&[error]));
        });
    });
}

/// A game with its last decision open.
fn at_the_end(contest: &Contest) -> Playthrough {
    let loaded = Loaded::compile(load(contest), contest.seats, Arc::default());
    let loaded = loaded.unwrap_or_else(|errors| refuse(&errors));
    let started = Playthrough::start(loaded, contest.seats, 42, Vec::new());
    let (mut playthrough, _) = started.unwrap_or_else(|error| refuse(&[error]));
    playthrough.advance(Box::new(Random::new(42)), Until::End).unwrap_or_else(|error| refuse(&[error]));
    let last = playthrough.timeline().cursor() - 1;
    playthrough.go_to(last).unwrap_or_else(|error| refuse(&[error]));
    assert!(playthrough.position().open.is_some(), "the last decision is open");
    playthrough
}

fn load(contest: &Contest) -> Arc<Ruleset> {
    let library = Library::new(vec![PathBuf::from(env!("CARGO_MANIFEST_DIR"))]);
    let selection = Selection { game: contest.game.to_owned(), ..Selection::default() };
    Arc::new(Ruleset::load(&library, &selection).unwrap_or_else(|errors| refuse(&errors)))
}

/// Prints how far the scripted rules are from the hard-coded ones.
fn compare(contest: &Contest, scripted: &mut Scripted, hardcoded: &mut dyn Hardcoded) {
    let given = |flag: &str| std::env::args().any(|argument| argument == flag);
    // Where benchmarks are only tried out, one round is enough.
    let rounds = if given("--bench") && !given("--test") { ROUNDS } else { 1 };
    let rates: Vec<(f64, f64)> = (0..rounds)
        .map(|_| (decisions_per_second(|| scripted.play_batch()), decisions_per_second(|| play_batch(hardcoded))))
        .collect();
    let [low, ratio, high] = quartiles(rates.iter().map(|(scripted, hardcoded)| hardcoded / scripted));
    let [_, scripted, _] = quartiles(rates.iter().map(|rate| rate.0));
    let [_, hardcoded, _] = quartiles(rates.iter().map(|rate| rate.1));
    println!("{} for {}, {rounds} alternating rounds, medians:", contest.game, contest.seats);
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
fn play_batch(game: &mut dyn Hardcoded) -> usize {
    BATCH.map(|seed| game.play(black_box(seed))).sum()
}

/// A game as its script tells it, on the thread that interpreters live on.
struct Scripted {
    worker: Worker<Interpreter>,
    seats: usize,
}

impl Scripted {
    fn new(contest: &Contest) -> Self {
        let (ruleset, seats) = (load(contest), contest.seats);
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
    fn play_batch(&mut self) -> usize {
        let play = |rules: &mut Interpreter| BATCH.map(|seed| play_scripted(rules, black_box(seed))).sum();
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
