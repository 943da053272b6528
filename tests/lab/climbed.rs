//! Ladders of agents: games of luck, and games of skill.

use super::games::{LUCK, plan};
use houserule::agent::AgentSpec;
use houserule::host::hands::AllCores;
use houserule::lab::ladder::{Ladder, LadderReport};
use houserule::work::OneByOne;

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
    let report = ladder.play(&AllCores, 60, |_| {}).unwrap();
    let again = ladder.play(&OneByOne, 60, |_| {}).unwrap();
    assert_eq!(report.rungs, again.rungs, "any number of threads gives the same");
    report
}

#[test]
fn a_game_of_skill_is_told_from_one_of_luck_and_from_one_of_the_seat() {
    let parts = |rules: &str| {
        let report = climbed(rules);
        let split = report.ends.split.unwrap();
        ([split.skill, split.seat, split.luck].map(|share| share.estimate), report.depth)
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

/// Whoever is no stronger wins an equal share, also where some games have no winner: that is no lead and no deficit.
#[test]
fn an_equal_share_is_of_what_is_won() {
    let report = climbed(NOBODY);
    let rung = &report.rungs[0];
    assert!(rung.equal > 0.15 && rung.equal < 0.35, "{}", rung.equal);
    assert!(rung.elo.covers(0.0) && rung.wins.covers(rung.equal), "{rung:?}");
    let rung = &climbed(SKILL).rungs[0];
    assert_eq!(rung.equal, 0.5);
}
