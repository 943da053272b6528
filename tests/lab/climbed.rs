//! Ladders of agents: games of luck, and games of skill.

use super::games::{LUCK, plan};
use houserule::agent::AgentSpec;
use houserule::host::threads::Threads;
use houserule::lab::ladder::{Ladder, LadderReport};
use houserule::work::SingleThread;

/// Nothing but skill: take what pays most.
const SKILL: &str = r#"
fn game() {
    for round in 1..=3 {
        for p in players { begin_turn(p); p.award(p.choose("take", [0, 1, 2, 3]), "taken"); }
    }
}
"#;

/// Nothing but the seat.
const SEAT: &str =
    "fn game() { for p in players { begin_turn(p); p.may(\"anything\"); } players.first.award(1, \"seat\"); }";

/// Nothing decides, and nobody wins every second game.
const NOBODY: &str = "fn game() { for p in players { begin_turn(p); p.may(\"anything\"); } \
                      if players.pick(\"who\") == players.first { players.pick(\"winner\").win(\"luck\"); } \
                      else { for p in players { p.lose(\"all\"); } } end_game(); }";

fn climbed(rules: &str) -> LadderReport {
    let rungs = vec![AgentSpec::parse("random", None).unwrap(), AgentSpec::parse("greedy", None).unwrap()];
    let ladder = Ladder { plan: plan(rules, 2), rungs };
    let report = ladder.play(&Threads::default(), 60, |_| {}).unwrap();
    let again = ladder.play(&SingleThread, 60, |_| {}).unwrap();
    assert_eq!(report.rungs, again.rungs, "any number of threads gives the same");
    report
}

#[test]
fn a_game_of_skill_is_told_from_one_of_luck_and_from_one_of_the_seat() {
    let parts = |rules: &str| {
        let report = climbed(rules);
        let split = report.ends.split.unwrap();
        ([split.skill, split.seat, split.luck].map(|share| share.estimate), report.depth.unwrap())
    };
    let ([skill, seat, luck], depth) = parts(SKILL);
    assert!(skill > 0.9 && seat < 0.05 && luck < 0.1, "{skill} {seat} {luck}");
    assert!(depth.low > 100.0, "{depth:?}");
    // Whoever takes whatever is there takes it.
    let ([skill, seat, luck], depth) = parts(&LUCK.replace(
        "if p.may(\"stake\") { p.award(1, \"stake\"); }",
        "p.may(\"stake\"); p.award(players.pick(\"who\").number, \"lot\");",
    ));
    assert!(skill < 0.1 && seat < 0.1 && luck > 0.85, "{skill} {seat} {luck}");
    assert!(depth.covers(0.0), "{depth:?}");
    let ([skill, seat, _], depth) = parts(SEAT);
    assert!(skill < 0.05 && seat > 0.95, "{skill} {seat}");
    assert!(depth.covers(0.0), "{depth:?}");
}

/// Partners are played by one agent: whoever adds more wins for both, and two teams share the wins by halves.
#[test]
fn of_partners_all_seats_are_played_by_the_stronger() {
    // Only what both partners take together counts.
    let rules = "fn game() { for round in 1..=2 { for p in players { begin_turn(p); \
                 p.award(p.choose(\"take\", [0, 1, 2, 3]), \"taken\"); } } }";
    let teams = "teams.4 = [[1, 3], [2, 4]]\nvariables.score.per = 'team'\n";
    let definition = format!("id = 'g'\nname = 'G'\nplayers = {{ min = 2, max = 4 }}\n{teams}");
    let loaded = |players: usize| {
        let ruleset = crate::shared::small_game::game("g", &definition, rules).unwrap();
        houserule::playthrough::Playable::compile(ruleset, players, std::sync::Arc::default()).unwrap()
    };
    let rungs = || vec![AgentSpec::parse("random", None).unwrap(), AgentSpec::parse("greedy", None).unwrap()];
    let climbed = |players: usize| {
        let plan = houserule::lab::play::Plan::new(loaded(players), vec![AgentSpec::Random; players], 0);
        let ladder = Ladder { plan, rungs: rungs() };
        (ladder.games(40), ladder.play(&Threads::default(), 40, |_| {}).unwrap())
    };
    let (games, report) = climbed(4);
    assert_eq!((games, report.by_teams), (80, true), "each team once for each seed");
    let rung = &report.rungs[0];
    assert_eq!((rung.equal, rung.seeds), (0.5, 40));
    // Two who take 12 against two at random, of whom four numbers of 0 to 3 all have to be 3 for a tie.
    assert!(rung.wins.estimate > 0.97 && rung.elo.unwrap().low > 300.0, "{rung:?}");
    let split = report.ends.split.unwrap();
    assert!(split.skill.estimate > 0.9 && split.seat.estimate < 0.05, "{split:?}");
    let told: String = houserule::screen::ladders(&[report], 80).iter().map(|line| line.text() + " ").collect();
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("plays all seats of a team") && told.contains("with a team of greedy against random"),
        "{told}"
    );
    // Where nobody has a partner, each sits alone.
    let (games, report) = climbed(2);
    assert_eq!((games, report.by_teams), (80, false));
}

/// Whoever is no stronger wins an equal share, also where some games have no winner: that is no lead and no deficit.
#[test]
fn an_equal_share_is_of_what_is_won() {
    let report = climbed(NOBODY);
    let rung = &report.rungs[0];
    assert!(rung.equal > 0.15 && rung.equal < 0.35, "{}", rung.equal);
    assert!(rung.elo.unwrap().covers(0.0) && rung.wins.covers(rung.equal), "{rung:?}");
    let rung = &climbed(SKILL).rungs[0];
    assert_eq!(rung.equal, 0.5);
}

#[test]
fn whoever_always_ties_has_no_lead_at_a_table_of_any_size() {
    let rungs = || ["random", "greedy"].map(|name| AgentSpec::parse(name, None).unwrap()).to_vec();
    let played = |rules: &str| Ladder { plan: plan(rules, 4), rungs: rungs() }.play(&SingleThread, 5, |_| {}).unwrap();
    let report = played("fn game() { for p in players { p.award(-5, \"x\"); } }");
    let elo = report.rungs[0].elo.unwrap();
    assert!(elo.estimate.abs() < 1e-6 && elo.covers(0.0), "{elo:?}");
    // Games that failed say nothing of strength.
    let report = played("fn game() { throw \"boom\"; }");
    assert_eq!((report.rungs[0].seeds, report.rungs[0].elo, report.depth), (0, None, None));
    let told: String = houserule::screen::ladders(&[report], 80).iter().map(|line| line.text() + " ").collect();
    assert!(told.contains("How many Elo lie between random and greedy is not known."), "{told}");
    assert!(!told.contains('+'), "{told}");
}

/// Somebody who stops a ladder is told of which agents the figures are, and how much is missing.
#[test]
fn a_ladder_that_is_stopped_says_what_is_missing() {
    let rungs = ["random", "greedy", "search:5", "search:6"].map(|name| AgentSpec::parse(name, None).unwrap());
    let ladder = Ladder { plan: plan(SKILL, 2), rungs: rungs.to_vec() };
    let mut looks = 0;
    let report = ladder.play(&SingleThread, 4, |_| {
        looks += 1;
        if looks == 3 {
            ladder.plan.loaded.rules.work().stop();
        }
    });
    let report = report.unwrap();
    assert_eq!((report.weakest(), report.strongest()), ("random", "search:5"));
    assert_eq!((report.games, report.unplayed), (32, 16), "four matches of four seeds and two seats");
    let told: String = houserule::screen::ladders(&[report], 80).iter().map(|line| line.text() + " ").collect();
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["lie between random and search:5", "16 of 32 games were not played", "of 4 all games ended"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}
