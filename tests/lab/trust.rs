//! Means that few games make, bounds of the rules, and figures by the order of play.

use super::games::{LUCK, plan, plan_in, plan_with};
use houserule::host::threads::Threads;
use houserule::lab::compare::{CompareReport, Contest};
use houserule::lab::goal::{Goal, GoalStatus};
use houserule::lab::play::Plan;
use houserule::lab::report::SimReport;
use houserule::lab::shard::{Part, PlanFacts};
use houserule::lab::simulate::{Continuation, simulate};
use houserule::lab::statistics::Verdict;
use houserule::screen;
use houserule::work::SingleThread;
use std::ops::Range;

/// A prize of 2, 4, 8 … with half, a quarter, an eighth … of the probability, at most 4,096.
const PRIZE: &str = r#"
fn game() {
    for p in players { begin_turn(p); p.may("go"); }
    let prize = 2;
    while prize < 4096 && draw_number("luck", 1, 2) == 1 { prize *= 2; }
    metric("prize", prize);
}
"#;

/// Who is drawn to begin wins nine of ten games.
const RACE: &str = r#"
fn game() {
    for p in players.starting_with(players.pick("first")) {
        begin_turn(p);
        p.may("go");
        if draw_number("luck", 1, 10) > 1 { p.award(1, "hit"); end_game(); }
    }
}
"#;

fn part(plan: &Plan, games: u64, played: Range<u64>) -> Part {
    let tally = simulate(&SingleThread, plan, played.clone(), false, |_, _| Continuation::GoOn);
    Part::of(PlanFacts::of(plan, games), played, tally)
}

fn report(plan: &Plan, games: u64) -> SimReport {
    let part = part(plan, games, 0..games);
    SimReport::of(part.plan, &part.tally)
}

fn lines(report: &SimReport, columns: usize) -> String {
    let lines = screen::simulation(report, columns, houserule::Language::English);
    assert!(lines.iter().all(|line| line.width() <= columns), "{lines:#?}");
    lines.iter().map(|line| line.text() + "\n").collect()
}

#[test]
fn a_mean_that_few_games_make_claims_nothing() {
    let report = report(&plan(PRIZE, 2), 200);
    let prize = report.metric("prize").unwrap();
    let few = prize.few.unwrap();
    assert!(prize.interval.half_width().is_infinite() && prize.anytime.half_width().is_infinite(), "{prize:?}");
    assert!(few.games <= 20 && few.median.low <= 4.0 && few.median.high >= 2.0 && few.middle < 10.0, "{few:?}");
    for columns in [60, 80, 120] {
        let told = lines(&report, columns);
        for words in ["not known", "Made by few games", "bounds.prize"] {
            assert!(told.contains(words), "{words}: {told}");
        }
    }
    let json = report.to_json();
    let metric = json["metrics"][0].as_object().unwrap();
    assert!(metric["mean"]["low"].is_null() && metric["few"]["median"]["estimate"].is_number(), "{metric:?}");
    for goal in ["prize < 1000", "prize > 0"] {
        let goal: Goal = goal.parse().unwrap();
        let expected = GoalStatus::Open;
        assert_eq!(goal.standing(&report), expected, "{goal}");
    }
    // Ordinary figures of the same games are as they were.
    let win = report.figure("p1.win").unwrap();
    assert!(win.few.is_none() && win.interval.half_width() < 0.1);
}

#[test]
fn no_difference_is_shown_that_few_pairs_make() {
    let more = "fn game() { super(); if draw_number(\"jackpot\", 1, 20) == 1 { metric(\"prize\", 50); } }";
    let plans = vec![plan(PRIZE, 2), plan_with(PRIZE, 2, Some(more))];
    let facts: Vec<PlanFacts> = plans.iter().map(|plan| PlanFacts::of(plan, 150)).collect();
    let sides = Contest { plans }.play(&Threads::default(), 0..150, |_| Continuation::GoOn);
    let report = CompareReport::of((facts[0].clone(), &sides[0]), (facts[1].clone(), &sides[1]));
    let row = report.row("prize").unwrap();
    assert!(row.few.is_some() && row.difference.estimate > 0.5, "{row:?}");
    assert_eq!((row.verdict, Verdict::of(&row.anytime)), (Verdict::NotShown, Verdict::NotShown));
    assert_eq!((row.pairs_to_show, row.saving), (None, None));
    let told: String = screen::rulesets_compared(&report, 80).iter().map(|line| line.text() + "\n").collect();
    assert!(told.contains("Made by few games") && told.contains("not known"), "{told}");
}

#[test]
fn bounds_of_the_rules_are_used_as_long_as_they_hold() {
    let bounded = |max: i64| plan_in(PRIZE, 2, None, &format!("bounds.prize = {{ min = 0, max = {max} }}\n"));
    let report = |max: i64| report(&bounded(max), 200);
    let prize = report(4096).metric("prize").unwrap();
    assert!(prize.interval.covers(13.0) && prize.interval.half_width().is_finite(), "{prize:?}");
    assert!(prize.few.is_some() && prize.interval.low > 0.0 && prize.interval.high < 4096.0, "{prize:?}");
    assert!(lines(&report(4096), 80).contains("Made by few games"));
    let broken = report(8);
    assert_eq!(broken.broken_bounds, ["prize"]);
    assert!(broken.metric("prize").unwrap().interval.half_width().is_infinite());
    assert!(lines(&broken, 200).contains("A game went beyond the bounds that the rules give for prize"));
    let refused = std::panic::catch_unwind(|| bounded(-1)).err().unwrap();
    let refused = refused.downcast_ref::<String>().unwrap();
    assert!(refused.contains("`bounds.prize.min` is more than its `max`"), "{refused}");
}

#[test]
fn few_games_say_that_they_are_few() {
    let told = lines(&report(&plan(LUCK, 2), 8), 80);
    assert!(told.contains("8 games are too few for an interval of a mean without bounds: it takes 14."), "{told}");
    assert!(!told.contains("Made by few games"));
}

#[test]
fn who_begins_by_lot_is_told_by_the_order_of_play() {
    let report = report(&plan(RACE, 3), 600);
    assert!(report.seat_spread.unwrap().low == 0.0);
    let order = report.varying_order().unwrap();
    assert!(order.spread.unwrap().low > 0.8, "{order:?}");
    for (place, truth) in [(1, 0.9), (2, 0.09), (3, 0.009)] {
        let figure = report.figure(&format!("order{place}.win")).unwrap();
        // With 5 misses in 100 for each: four in 10,000.
        let (wins, games) = (figure.interval.estimate, 600_f64);
        assert!((wins - truth).abs() < 3.5 * (truth * (1.0 - truth) / games).sqrt(), "{place}: {wins}");
        assert_eq!((figure.place, figure.seat), (Some(place), None));
    }
    for columns in [60, 80, 120] {
        let told = lines(&report, columns);
        let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("\n1st ") && words.contains("The order of play matters"), "{told}");
        assert!(words.contains("No seat is shown to win more"), "{told}");
    }
    let json = report.to_json();
    assert_eq!(json["order"]["figures"][0]["id"], "order1.win");
    let met = |goal: &str| goal.parse::<Goal>().unwrap().standing(&report);
    assert_eq!((met("order-spread < 10%"), met("order1.win > 80%")), (GoalStatus::Missed, GoalStatus::Met));
}

#[test]
fn an_order_that_is_always_the_same_is_not_told_twice() {
    let same = RACE.replace("players.pick(\"first\")", "players.last");
    let report = report(&plan(&same, 3), 100);
    assert!(report.varying_order().is_none() && report.to_json()["order"].is_null());
    assert!(!lines(&report, 80).contains("1st"));
    // Goals know it all the same: the last seat begins.
    let win = |id: &str| report.figure(id).unwrap().interval;
    assert_eq!(win("order1.win"), win("p3.win"));
}

#[test]
fn differences_are_told_by_the_order_of_play() {
    let prize = "fn game() { super(); if draw_number(\"again\", 1, 2) == 1 { players.first.award(2, \"prize\"); } }";
    let rules = RACE.replace("end_game();", "break;");
    let plans = vec![plan(&rules, 2), plan_with(&rules, 2, Some(prize))];
    let facts: Vec<PlanFacts> = plans.iter().map(|plan| PlanFacts::of(plan, 400)).collect();
    let contest = Contest { plans };
    let sides = contest.play(&Threads::default(), 0..400, |_| Continuation::GoOn);
    assert_eq!(
        contest.play(&SingleThread, 0..400, |_| Continuation::GoOn),
        sides,
        "any number of threads gives the same"
    );
    let report = CompareReport::of((facts[0].clone(), &sides[0]), (facts[1].clone(), &sides[1]));
    // The prize goes to a seat that is first and last equally often.
    let [first, second] = ["order1.score", "order2.score"].map(|id| report.row(id).unwrap().clone());
    assert!(first.difference.covers(0.5) && second.difference.covers(0.5), "{first:?} {second:?}");
    assert!((report.row("p1.score").unwrap().difference.estimate - 1.0).abs() < 0.2);
    let told: String = screen::rulesets_compared(&report, 80).iter().map(|line| line.text() + "\n").collect();
    assert!(told.contains("1st to play score"), "{told}");
}

#[test]
fn parts_tell_the_order_and_those_of_before_are_read() {
    let plan = plan(RACE, 3);
    let whole = part(&plan, 90, 0..90);
    let parts = [(0..1), (1..40), (40..90)].map(|played| part(&plan, 90, played));
    let text = |part: &Part| Part::parse("part", &part.to_text()).unwrap();
    let named = |parts: &[Part]| parts.iter().rev().map(|part| ("part".to_owned(), text(part))).collect::<Vec<_>>();
    assert_eq!(Part::merge(named(&parts)).unwrap().tally, whole.tally);
    // A part of before has no word of the order.
    let mut before = parts[1].clone();
    before.tally.by_order = Default::default();
    assert!(!before.to_text().contains("by_order"));
    assert_eq!(text(&before), before);
    let merged = Part::merge(named(&[parts[0].clone(), before, parts[2].clone()])).unwrap();
    assert_eq!(merged.tally.columns, whole.tally.columns);
    let report = SimReport::of(merged.plan, &merged.tally);
    assert!(report.order.is_none() && report.figure("p1.win").is_some());
}
