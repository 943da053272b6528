//! Rulesets beside each other, on the same seeds.

use super::games::{LUCK, plan, plan_with};
use houserule::host::threads::Threads;
use houserule::lab::compare::{CompareReport, Contest, ExcludedPairs, Side};
use houserule::lab::goal::GoalStatus;
use houserule::lab::play::Plan;
use houserule::lab::shard::PlanFacts;
use houserule::lab::simulate::Continuation;
use houserule::lab::statistics::Verdict;
use houserule::lab::sweep::SweepReport;
use houserule::work::SingleThread;

fn compared(plans: Vec<Plan>, games: u64) -> CompareReport {
    let facts: Vec<PlanFacts> = plans.iter().map(|plan| PlanFacts::of(plan, games)).collect();
    let contest = Contest { plans };
    let sides = contest.play(&Threads::default(), 0..games, |_| Continuation::GoOn);
    assert_eq!(
        contest.play(&SingleThread, 0..games, |_| Continuation::GoOn),
        sides,
        "any number of threads gives the same"
    );
    CompareReport::of((facts[0].clone(), &sides[0]), (facts[1].clone(), &sides[1]))
}

#[test]
fn the_same_rules_differ_in_nothing() {
    let report = compared(vec![plan(LUCK, 2), plan(LUCK, 2)], 100);
    assert_eq!((report.pairs, report.equal), (100, 100));
    assert!(report.rows.iter().all(|row| row.verdict == Verdict::NotShown && row.is_constant));
}

#[test]
fn pairing_gives_the_same_mean_with_less_spread() {
    let prize = "fn game() { super(); players.pick(\"prize\").award(3, \"prize\"); }";
    let report = compared(vec![plan(LUCK, 2), plan_with(LUCK, 2, Some(prize))], 2_000);
    let row = report.row("p1.score").unwrap();
    let apart = row.other.estimate - row.base.estimate;
    assert!((row.difference.estimate - apart).abs() < 1e-9, "{row:?}");
    assert!(row.difference.covers(1.5) && row.verdict == Verdict::Higher, "{row:?}");
    // What is staked is the same in both: only the prize, 0 or 3, differs. Its variance is 9/4; that of stakes 3/4 on each
    // side, and apart 3/4 + 3/4 + 9/4.
    assert!((row.saving.unwrap() - (3.75 / 2.25)).abs() < 0.1, "{row:?}");
    let turns = report.row("turns").unwrap();
    assert!(turns.is_constant && turns.verdict == Verdict::NotShown);
    let better = report.row("winning-score").unwrap();
    assert!(better.verdict == Verdict::Higher && better.pairs_to_show.unwrap() < 100, "{better:?}");
}

#[test]
fn a_game_in_which_nothing_was_measured_counts_as_nothing() {
    let rare = "fn game() { super(); if players.pick(\"who\") == players.first { metric(\"rare\", 4); } }";
    let report = compared(vec![plan(LUCK, 2), plan_with(LUCK, 2, Some(rare))], 1_000);
    let row = report.row("rare").unwrap();
    assert_eq!((row.base.estimate, row.pairs), (0.0, 1_000));
    assert!((row.difference.estimate - row.other.estimate).abs() < 1e-9 && row.difference.covers(2.0), "{row:?}");
}

/// A pair counts only where both games came to their end, and which one did not is told.
#[test]
fn pairs_with_a_game_that_did_not_end_are_counted_by_where_that_was() {
    let plain = "fn game() { for p in players { begin_turn(p); p.may(\"anything\"); } \
                 if players.pick(\"base\") == players.first { throw \"broken\"; } players.first.award(1, \"x\"); }";
    let more = "fn game() { let bad = players.pick(\"other\") == players.first; super(); \
                if bad { while true { players.first.may(\"again\"); } } }";
    let mut plans = vec![plan(plain, 2), plan_with(plain, 2, Some(more))];
    plans.iter_mut().for_each(|plan| plan.most_decisions = 50);
    let report = compared(plans, 200);
    let ExcludedPairs { only_base, only_other, both } = report.left_out;
    assert_eq!(report.pairs + report.left_out.count(), 200);
    // What fails in the base fails in both, because the variant goes through it first.
    assert_eq!((only_base, both), (0, report.base.games.failed));
    assert!(only_other > 20 && only_other == report.other.games.endless, "{:?}", report.left_out);
    assert_eq!(report.to_json()["pairs_left_out"]["only_other"], only_other);
    let told: String =
        houserule::screen::rulesets_compared(&report, 80).iter().map(|line| line.text() + "\n").collect();
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        format!(
            "{} of 200 pairs have a game that did not come to its end: {only_other} under v alone, {both} under both.",
            only_other + both
        ),
        format!("Under v, of 200 games {both} failed, {only_other} had no end and were cut off"),
        format!("Differences are from the other {}", report.pairs),
    ] {
        assert!(told.contains(&words), "{words}: {told}");
    }
}

#[test]
fn a_goal_parts_what_meets_it_from_what_does_not() {
    let prize = |points: i64| format!("fn game() {{ super(); players.first.award({points}, \"prize\"); }}");
    let scripts: Vec<String> = [0, 1, 2, 3].map(prize).to_vec();
    let mut plans = vec![plan(LUCK, 2)];
    plans.extend(scripts.iter().map(|script| plan_with(LUCK, 2, Some(script))));
    let games = 4_000;
    let facts: Vec<PlanFacts> = plans.iter().map(|plan| PlanFacts::of(plan, games)).collect();
    let goals = ["seat spread < 45%".parse().unwrap()];
    let contest = Contest { plans };
    let look = |sides: &mut [Side]| SweepReport::of(&facts, sides, &goals).drop_decided(sides);
    let sides = contest.play(&Threads::default(), 0..games, look);
    let report = SweepReport::of(&facts, &sides, &goals);
    // With one point ahead of 3 rounds the first player wins or shares most games; by 0 nobody is ahead.
    let standings: Vec<GoalStatus> = report.tried.iter().map(|tried| tried.standing).collect();
    assert_eq!(standings[1], GoalStatus::Met, "{standings:?}");
    assert_eq!(standings[3..], [GoalStatus::Missed, GoalStatus::Missed], "{standings:?}");
    let played: Vec<u64> = sides.iter().map(|side| side.tally.games).collect();
    assert!(played[4] < played[2] && played[4] < 500, "what is decided is played no further: {played:?}");
}
