//! What is counted: by hand, and by many hands.

use super::games::{LUCK, plan};
use houserule::host::threads::Threads;
use houserule::lab::measures::MEASURES;
use houserule::lab::play::{Ending, GameTracker, Plan};
use houserule::lab::report::SimReport;
use houserule::lab::shard::{Part, PlanFacts, shard};
use houserule::lab::simulate::{Continuation, simulate};
use houserule::lab::tally::Tally;
use houserule::script::machine::hooks::NoHook;
use houserule::work::SingleThread;
use std::collections::BTreeSet;

/// Four turns of two decisions each, of which one has a choice that changes nothing. The first player leads 2 to 0 from the
/// second turn on, and the second wins 5 to 2 with the last.
const KNOWN: &str = r#"
fn game() {
    for round in 1..=2 {
        begin_round();
        for p in players {
            begin_turn(p);
            p.choose("forced", [7]);
            p.may("free");
            if round == 9 { never(); }
            if round == 1 && p == p1() { p.award(2, "early"); }
            if round == 2 && p != p1() { p.award(5, "late"); }
        }
    }
    metric("rounds", 2);
    metric("rounds", 1);
}
fn p1() { players.first }
fn never() { p1() }
"#;

fn played(plan: &Plan, games: u64) -> Tally {
    simulate(&SingleThread, plan, 0..games, false, |_, _| Continuation::GoOn)
}

#[test]
fn every_measure_is_what_a_hand_counts() {
    let plan = plan(KNOWN, 2);
    let report = SimReport::of(PlanFacts::of(&plan, 40), &played(&plan, 40));
    let expected = [
        ("p1.win", 0.0),
        ("p2.win", 1.0),
        ("p1.score", 2.0),
        ("p2.score", 5.0),
        ("ties", 0.0),
        ("winning-score", 5.0),
        ("margin", 3.0),
        ("close", 0.0),
        ("decisions", 8.0),
        ("turns", 4.0),
        ("rounds", 2.0),
        // Four decisions of 6 s and four of 2 s.
        ("minutes", 32.0 / 60.0),
        ("options", 1.5),
        ("choices", 2.0),
        ("forced", 0.5),
        ("lead-changes", 1.0),
        ("comebacks", 1.0),
        // Behind by 0, 2, 2 and 2.
        ("drama", 1.5),
        ("decided", 0.0),
        ("p1.own-decisions", 4.0),
        ("p2.own-decisions", 4.0),
    ];
    for (id, value) in expected {
        let figure = report.figure(id).unwrap_or_else(|| panic!("there is no {id}"));
        assert!((figure.interval.estimate - value).abs() < 1e-9, "{id} is {}", figure.interval.estimate);
        assert!(figure.is_constant() && figure.interval.covers(value), "{id}");
    }
    let checked: BTreeSet<&str> = expected.iter().map(|(id, _)| id.split_once('.').map_or(*id, |(_, id)| id)).collect();
    assert_eq!(checked, MEASURES.iter().map(|measure| measure.id).collect());
    assert_eq!(report.metric("rounds").unwrap().interval.estimate, 3.0, "what one game measures adds up");
    let [forced, free] = &report.questions[..] else { panic!("{:?}", report.questions) };
    assert_eq!((forced.asked.name.as_str(), forced.asked.frequency.times), ("forced", 160));
    let chosen: u64 = free.chosen.iter().map(|option| option.frequency.times).sum();
    assert_eq!((free.chosen.len(), chosen), (2, 160));
    let calls = |name: &str| report.functions.iter().find(|one| one.name == name).map(|one| one.frequency.times);
    let called = [calls("game()"), calls("p1()"), calls("never()")];
    assert_eq!(called, [Some(40), Some(40 * 4), Some(0)], "p1() is called for each player of a round");
    let award = report.awards.iter().find(|award| award.name == "late").unwrap();
    assert_eq!((award.frequency.games, award.frequency.times, award.frequency.amount), (40, 40, 200));
}

#[test]
fn threads_and_shards_give_the_whole_to_the_last_digit() {
    let plan = plan(LUCK, 3);
    let games = 700;
    let whole = played(&plan, games);
    assert_eq!(simulate(&Threads::default(), &plan, 0..games, false, |_, _| Continuation::GoOn), whole);
    let facts = PlanFacts::of(&plan, games);
    for of in [1, 2, 3, 7] {
        let mut parts: Vec<(String, Part)> = (1..=of)
            .map(|number| {
                let played = shard(games, number, of);
                let tally = simulate(&Threads::default(), &plan, played.clone(), false, |_, _| Continuation::GoOn);
                let part = Part::of(facts.clone(), played, tally);
                // As it comes back from a file.
                (number.to_string(), Part::parse("part", &part.to_text()).unwrap())
            })
            .collect();
        parts.reverse();
        let merged = Part::merge(parts).unwrap();
        assert_eq!((merged.missing(), merged.played.len()), (0, 1));
        assert_eq!(merged.tally, whole, "{of} parts");
        let json = |tally: &Tally| SimReport::of(facts.clone(), tally).to_json().to_string();
        assert_eq!(json(&merged.tally), json(&whole));
    }
}

#[test]
fn a_run_that_stops_early_stops_at_the_same_game_everywhere() {
    let plan = plan(LUCK, 2);
    let enough = |tally: &Tally| if tally.columns[0].len() >= 100 { Continuation::Stop } else { Continuation::GoOn };
    let one = simulate(&SingleThread, &plan, 0..10_000, false, |tally, _| enough(tally));
    let many = simulate(&Threads::default(), &plan, 0..10_000, false, |tally, _| enough(tally));
    assert_eq!(one, many);
    assert!((100..200).contains(&one.games), "{} games", one.games);
}

#[test]
fn a_run_that_somebody_stops_gives_the_games_so_far() {
    let plan = plan(LUCK, 2);
    let mut seen = 0;
    let tally = simulate(&Threads::default(), &plan, 0..100_000, false, |tally, _| {
        seen = tally.games;
        if seen > 100 {
            plan.loaded.rules.work().stop();
        }
        Continuation::GoOn
    });
    assert!((101..1_000).contains(&tally.games) && tally.games == seen, "{} games", tally.games);
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let plan = plan(LUCK, 2);
    let part = |plan: &Plan, played: std::ops::Range<u64>| {
        let tally = simulate(&SingleThread, plan, played.clone(), false, |_, _| Continuation::GoOn);
        Part::of(PlanFacts::of(plan, 40), played, tally)
    };
    let refused = |parts: [Part; 2]| {
        let [one, other] = parts;
        Part::merge(vec![("a".to_owned(), one), ("b".to_owned(), other)]).unwrap_err().to_string()
    };
    let twice = refused([part(&plan, 0..20), part(&plan, 10..40)]);
    assert!(twice.contains("b has games that another part has too"), "{twice}");
    let mut other_seed = plan.clone();
    other_seed.seed = 9;
    let mixed = refused([part(&plan, 0..20), part(&other_seed, 20..40)]);
    assert!(mixed.contains("different runs: `seed` is 0 in one and 9 in the other"), "{mixed}");
    let text = part(&plan, 0..20).to_text();
    for damaged in
        [text.replace("\"games\":20", "\"games\":21"), text[..text.len() / 2].to_owned(), text.replace(":1,", ":2,")]
    {
        assert!(Part::parse("part", &damaged).is_err());
    }
    let half = Part::merge(vec![("a".to_owned(), part(&plan, 0..20))]).unwrap();
    assert_eq!(half.missing(), 20);
}

#[test]
fn a_rule_that_fails_now_and_then_is_counted_and_the_rest_goes_on() {
    let rules = LUCK.replace("p.award(1", "p.award(1 / (if round == 3 && p.score == 2 { 0 } else { 1 })");
    let plan = plan(&rules, 2);
    let tally = played(&plan, 200);
    assert!(tally.failed > 20 && tally.finished > 20 && tally.failed + tally.finished == 200, "{tally:?}");
    let [(place, trouble)] = &tally.troubles.iter().collect::<Vec<_>>()[..] else { panic!("{:?}", tally.troubles) };
    assert!(place.starts_with("games/g/rules.rhai:8:") && trouble.games == tally.failed, "{place} {trouble:?}");
    assert!(trouble.seeds.is_sorted() && trouble.seeds.len() == 5);
    for &seed in &trouble.seeds {
        let game = plan.playthrough(seed, usize::MAX).unwrap();
        assert!(game.position().failed.is_some(), "seed {seed} opens where it failed");
    }
}

#[test]
fn a_game_without_an_end_is_cut_and_counted() {
    let rules = "fn game() { if players.pick(\"who\") == players.first { loop { players.first.may(\"go on\"); } } }";
    let mut plan = plan(rules, 2);
    plan.most_decisions = 500;
    let tally = played(&plan, 40);
    assert!(tally.endless > 5 && tally.finished > 5 && tally.endless + tally.finished == 40);
    let trouble = tally.troubles.values().next().unwrap();
    assert!(trouble.is_endless && trouble.message.contains("more than 500 decisions"), "{trouble:?}");
}

#[test]
fn a_game_of_the_lab_is_the_game_of_that_seed_played_by_the_same_agents() {
    let plan = plan(LUCK, 3);
    let columns = plan.columns();
    let score = columns.iter().position(|column| column.id() == "p1.score").unwrap();
    for seed in [0, 5, 17] {
        let game = plan.play(seed, &columns, &mut NoHook, &mut GameTracker::default()).unwrap();
        assert_eq!(game.ending, Ending::Finished);
        let scores: Vec<i64> = game.values[score..score + 3].iter().flatten().copied().collect();
        assert_eq!(plan.playthrough(seed, usize::MAX).unwrap().position().scores, scores);
    }
}
