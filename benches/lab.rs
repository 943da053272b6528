//! What the lab costs beside plain random play, as ratios of one run.
//!
//! `cargo bench --bench lab` measures everything; `cargo bench --bench lab -- hearts` what has that in its name. For every
//! game: random play that is counted, with the standings of every turn, on one core, beside the same games only played;
//! counted on all cores beside one; and what pairs of games of `compare` cost. Rounds of each version alternate; medians
//! with quartiles. At the end, how many times as long counting takes as playing, over all games.
#![allow(missing_docs, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use cpu_time::ThreadTime;
use houserule::agent::{AgentSpec, Random};
use houserule::definition::Library;
use houserule::diagnostic::Diagnostics;
use houserule::host::threads::Threads;
use houserule::lab::compare::Contest;
use houserule::lab::play::Plan;
use houserule::lab::simulate::{Continuation, simulate};
use houserule::playthrough::Playable;
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::Start;
use houserule::script::rules::Rules;
use houserule::work::SingleThread;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Each game is measured for so many players, or as near to that as it can be.
const SEATS: usize = 4;

/// Rounds, and about how long each version plays in one of them, in seconds.
const ROUNDS: usize = 9;
const ROUND_TIME: f64 = 1.0;

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let is_real = given.iter().any(|argument| argument == "--bench");
    let wanted: Vec<&String> = given.iter().filter(|argument| !argument.starts_with('-')).collect();
    let (rounds, time) = if is_real { (ROUNDS, ROUND_TIME) } else { (1, 0.02) };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{rounds} rounds of about {time} s for each version, in turn; medians, with quartiles; {cores} cores\n");
    let library = houserule::Disk::discover(Some(Path::new(env!("CARGO_MANIFEST_DIR"))));
    let mut all = Vec::new();
    for game in library.games() {
        if wanted.is_empty() || wanted.iter().any(|part| game.id.contains(part.as_str())) {
            all.push((measure(&library, &game.id, rounds, time), game.id));
        }
    }
    let worst = all.iter().max_by(|(one, _), (other, _)| one.total_cmp(other));
    if let Some((most, game)) = worst {
        let mean = all.iter().map(|(ratio, _)| ratio).sum::<f64>() / all.len() as f64;
        println!("\ncounted: {mean:.2} times as long as plain on average of {} games, {most:.2} in {game}", all.len());
    }
}

/// Gives how many times as long counting takes as playing.
fn measure(library: &Library, game: &str, rounds: usize, time: f64) -> f64 {
    let ruleset = Ruleset::load(library, &Selection::of(game)).unwrap_or_else(|errors| refuse(&errors));
    let (fewest, most) = ruleset.definition.players;
    let seats = SEATS.clamp(fewest, most);
    let loaded = Playable::compile(Arc::new(ruleset), seats, Arc::default()).unwrap_or_else(|errors| refuse(&errors));
    let plan = Plan::new(loaded, vec![AgentSpec::Random; seats], 0);
    let rules = plan.loaded.rules.clone();
    let plain = |games: u64| play(&rules, games);
    let go_on = |_: &houserule::lab::tally::Tally, _: &[houserule::lab::play::Game]| Continuation::GoOn;
    let counted = |games: u64| drop(black_box(simulate(&SingleThread, &plan, 0..games, false, go_on)));
    let by_all = |games: u64| drop(black_box(simulate(&Threads::default(), &plan, 0..games, false, go_on)));
    let contest = Contest { plans: vec![plan.clone(), plan.clone()] };
    let pairs = |games: u64| drop(black_box(contest.play(&Threads::default(), 0..games, |_| Continuation::GoOn)));
    // As many games as take about so long.
    let started = Instant::now();
    plain(20);
    let games = ((time / started.elapsed().as_secs_f64() * 20.0) as u64).max(4);
    let versions: [&dyn Fn(u64); 4] = [&plain, &counted, &by_all, &pairs];
    let mut times: [Vec<f64>; 4] = Default::default();
    // The processor's time of one thread, which a busy machine does not change.
    let mut alone: [Vec<f64>; 4] = Default::default();
    for _ in 0..rounds {
        for (number, version) in versions.iter().enumerate() {
            let (started, started_alone) = (Instant::now(), ThreadTime::now());
            version(games);
            times[number].push(started.elapsed().as_secs_f64());
            alone[number].push(started_alone.elapsed().as_secs_f64());
        }
    }
    let [_, by_one, by_all, pairs] = times;
    let [plain, counted, ..] = alone;
    let name = format!("{game} ({seats})");
    let rate = |times: &[f64]| games as f64 / quartiles(times.iter().copied())[1];
    let told =
        |what: &str, rate: f64, ratio: String| println!("  {name:<20} {what:<22} {rate:>10.0} a second  {ratio}");
    told("games, plain", rate(&plain), String::new());
    told("games, counted", rate(&counted), format!("{} times as long as plain", ratio(&counted, &plain)));
    told("games on all cores", rate(&by_all), format!("{} times as fast as on one", ratio(&by_one, &by_all)));
    told("pairs on all cores", rate(&pairs), format!("{:.1} s for 10,000", 10_000.0 / rate(&pairs)));
    quartiles(counted.iter().zip(&plain).map(|(counted, plain)| counted / plain))[1]
}

/// Games that are only played.
#[inline(never)]
fn play(rules: &Rules, games: u64) {
    for seed in 0..games {
        black_box(rules.play(&Start::Game, seed, &mut Random::new(seed), None));
    }
}

/// Ratios round by round.
fn ratio(above: &[f64], below: &[f64]) -> String {
    let [low, median, high] = quartiles(above.iter().zip(below).map(|(above, below)| above / below));
    format!("{median:.2} ({low:.2} to {high:.2})")
}

fn quartiles(values: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let at = |part: usize| values.get((values.len() - 1) * part / 4).copied().unwrap_or_default();
    [at(1), at(2), at(3)]
}

fn refuse(errors: &Diagnostics) -> ! {
    panic!("{}", errors.render(false))
}
