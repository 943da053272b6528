//! Simulations that have a time: they end in it, with what is known by then.

use serde_json::Value;
use std::process::Command;
use std::time::{Duration, Instant};

/// The report of a command as JSON, and how long it took.
fn report(arguments: &[&str]) -> (Value, Duration) {
    let begun = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_houserule")).args(arguments).arg("--json").output().unwrap();
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {output:?}"));
    (report, begun.elapsed())
}

#[test]
fn the_time_ends_a_simulation_and_its_first_games_count() {
    const MANY: &str = "10000000";
    let limited = ["sim", "goofspiel", "-n", MANY, "--time", "1s"];
    let (stopped, taken) = report(&limited);
    assert!(taken < Duration::from_secs(60), "{taken:?}");
    let played = stopped["games"]["played"].as_u64().unwrap();
    assert!((1..10_000_000).contains(&played) && stopped["out_of_time"] == true, "{stopped}");
    // As many games without a time come to the same figures.
    let (whole, _) = report(&["sim", "goofspiel", "-n", &played.to_string()]);
    assert_eq!(whole["figures"], stopped["figures"]);
    assert!(whole["out_of_time"] != true);

    let (pairs, _) = report(&["compare", "goofspiel", "-v", "discard-ties", "-n", MANY, "--time", "1s"]);
    assert!(pairs["pairs"].as_u64().is_some_and(|pairs| (1..10_000_000).contains(&pairs)), "{pairs}");
    // How many rungs there was time for is another matter.
    let (rungs, taken) = report(&["ladder", "goofspiel", "-n", "1000000", "--time", "1s"]);
    assert!(rungs.is_array() && taken < Duration::from_secs(60), "{rungs}");
}
