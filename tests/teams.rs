//! Teams: who plays together, what they have in common, and how they win and lose.

use crate::shared::small_game;
use houserule::agent::{AgentSpec, Random};
use houserule::definition::Library;
use houserule::diagnostic::{Diagnostics, Source};
use houserule::files::MemoryFiles;
use houserule::lab::play::{GameTracker, Plan};
use houserule::playthrough::change::running_score;
use houserule::playthrough::chosen_value::ChosenValue;
use houserule::playthrough::log::Entry;
use houserule::playthrough::run::Until;
use houserule::playthrough::{Playable, Playthrough};
use houserule::ruleset::Ruleset;
use houserule::scenario::Scenario;
use houserule::script::machine::hooks::NoHook;
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use houserule::table::Table;
use houserule::table::value::{Seat, Seats};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const GAME: &str = r#"
id = "partners"
name = { en = "Partners" }
players = { min = 2, max = 6 }
teams.4 = [[1, 3], [2, 4]]
teams.5 = [[1, 2]]
variables.score.per = "team"
variables.tricks = { per = "team", default = 0 }
variables.bid = { per = "seat", default = 0 }
"#;

fn ruleset(definition: &str, script: &str) -> Result<Arc<Ruleset>, Diagnostics> {
    small_game::game("partners", definition, script)
}

fn played(seats: usize, script: &str) -> Table {
    let rules = Rules::new(ruleset(GAME, script).unwrap(), seats, Arc::default()).unwrap();
    let (run, end) = rules.play(&Start::Game, 1, &mut Random::new(1), None);
    assert_eq!(end, End::Finished);
    run.table
}

fn numbers(seats: impl IntoIterator<Item = Seat>) -> Vec<usize> {
    seats.into_iter().map(Seat::number).collect()
}

fn values(table: &Table, of: &str) -> Vec<String> {
    let name = |seat: usize| table.layout().variable_named(&format!("p{seat}.{of}")).unwrap();
    (1..=table.layout().seats).map(|seat| table.option_label(table.variable(name(seat)))).collect()
}

#[test]
fn partners_have_the_variables_and_the_score_of_their_team() {
    let table = played(4, "fn game() { players[3].tricks += 2; players[1].bid = 5; players[2].award(7, \"bid\"); }");
    assert_eq!(values(&table, "tricks"), ["2", "0", "2", "0"]);
    assert_eq!(values(&table, "bid"), ["5", "0", "0", "0"]);
    assert_eq!(values(&table, "score"), ["0", "7", "0", "7"]);
    assert_eq!(table.ranking().into_iter().map(numbers).collect::<Vec<_>>(), [vec![2, 4], vec![1, 3]]);
}

#[test]
fn a_team_has_its_coins_out_of_the_bank_and_a_player_who_joins_one_pays_back_what_was_left() {
    let banked = format!("{GAME}variables.coins = {{ per = \"team\", default = 5, bank = 40 }}\n");
    let played = |seats: usize, script: &str| {
        let rules = Rules::new(ruleset(&banked, script).unwrap(), seats, Arc::default()).unwrap();
        let (run, end) = rules.play(&Start::Game, 1, &mut Random::new(1), None);
        assert_eq!(end, End::Finished);
        let bank = run.table.layout().variable_named("coins").unwrap();
        (values(&run.table, "coins"), run.table.option_label(run.table.variable(bank)))
    };
    let told = |coins: [&str; 4], bank: &str| (coins.map(str::to_owned).to_vec(), bank.to_owned());
    assert_eq!(played(4, "fn game() { players[3].coins += 7; }"), told(["12", "5", "12", "5"], "33"));
    let given = "fn game() { players[1].give(players[2], \"coins\", 4); players[3].pay_up_to(\"coins\", 9); }";
    assert_eq!(played(4, given), told(["0", "9", "0", "9"], "41"));
    // Who was alone brings nothing along; who leaves partners behind takes nothing away.
    let (coins, bank) = played(5, "fn game() { players[3].coins += 2; players[3].join(players[1]); }");
    assert_eq!((coins, bank.as_str()), (["5", "5", "5", "5", "5"].map(str::to_owned).to_vec(), "45"));
    let (coins, bank) = played(5, "fn game() { players[1].coins += 2; players[1].join(players[3]); }");
    assert_eq!((coins, bank.as_str()), (["5", "7", "5", "5", "5"].map(str::to_owned).to_vec(), "38"));
}

#[test]
fn nobody_leaves_debts_to_a_bank_that_cannot_pay_them() {
    let owing = format!("{GAME}variables.debt = {{ per = \"team\", default = 0, min = -10, bank = 3 }}\n");
    let script = "fn game() { players[1].pay_up_to(\"debt\", 10); players[2].take_up_to(\"debt\", 99);
        players[1].join(players[2]); }";
    let rules = Rules::new(ruleset(&owing, script).unwrap(), 3, Arc::default()).unwrap();
    let (_, end) = rules.play(&Start::Game, 1, &mut Random::new(1), None);
    let End::Failed(errors) = end else { panic!("{end:?}") };
    assert_eq!(errors.first().message, "p1.debt is -10, and the bank has only 0 debt to settle that");
    let endless = format!("{GAME}variables.gold = {{ per = \"team\", default = {}, bank = 99 }}\n", i64::MAX / 16);
    let error = ruleset(&endless, "fn game() { }").unwrap_err();
    assert_eq!(error.first().message, "`variables.gold` has more in all than can be counted");
}

/// A file that somebody wrote can call a team by a player of another.
#[test]
fn teams_that_are_kept_are_told_apart_whatever_they_are_called() {
    let rules = Rules::new(ruleset(GAME, "fn game() { }").unwrap(), 3, Arc::default()).unwrap();
    let mut table = rules.begin(&Start::Game, 1).table;
    let named = ["p2", "p1", "p2"].map(|name| ChosenValue::Name(name.to_owned()));
    let entry = Entry::Campaign { kept: [("[teams]".to_owned(), ChosenValue::List(named.to_vec()))].into() };
    entry.intervene(&mut table).unwrap();
    let [one, two, three] = [1, 2, 3].map(|number| Seat::from_number(number).unwrap());
    assert!(table.are_partners(one, three) && !table.are_partners(one, two));
    table.join(three, two).unwrap();
    assert!(table.are_partners(three, two) && !table.are_partners(one, two));
}

/// The order in which a scenario gives coins is of no account, and partners cannot have different ones.
#[test]
fn a_scenario_gives_each_team_its_coins() {
    let banked = format!("{GAME}variables.coins = {{ per = \"team\", default = 5, bank = 40 }}\n");
    let files =
        [("games/partners/game.toml", banked.as_str()), ("games/partners/rules.rhai", "fn game() { } fn rest() { }")];
    let library = Library::of(Arc::new(MemoryFiles::new(files)), vec![PathBuf::new()]);
    let run = |players: usize, given: &str, then: &str| {
        let text = format!(
            "id = 'C'\ntitle = 'c'\ngame = 'partners'\nplayers = {players}\nwhen.call = 'rest()'\n[[cases]]\n{given}\ngives = {{ {then} }}\n"
        );
        let scenario = Scenario::parse(&Source::new("c.toml", text), Path::new("c.toml")).unwrap();
        scenario.run(&library).result.map_err(|errors| errors.first().message.clone())
    };
    assert_eq!(run(2, "given = { p1.coins = 50, p2.coins = 0 }", "'table.coins' = 0"), Ok(()));
    assert_eq!(run(4, "given = { p1.coins = 9, p3.coins = 9 }", "'p3.coins' = 9, 'table.coins' = 36"), Ok(()));
    assert_eq!(
        run(4, "given = { p1.coins = 9, p3.coins = 12 }", "'p3.coins' = 9"),
        Err("p1.coins cannot be 9: a partner has 12 there".into())
    );
}

#[test]
fn who_is_in_no_team_plays_alone() {
    let table =
        played(5, "fn game() { for p in players { p.award(p.partners.len * 10 + p.opponents.len, \"seats\"); } }");
    assert_eq!(values(&table, "score"), ["26", "26", "4", "4", "4"]);
    let table = played(3, "fn game() { for p in players { p.award(p.team.len, \"team\"); } }");
    assert_eq!(values(&table, "score"), ["1", "1", "1"]);
}

/// Whoever leaves a team takes nothing along, also where the team was called by him.
#[test]
fn a_player_joins_another_team_and_has_what_it_has() {
    let table = played(
        4,
        "fn game() {
            players[1].tricks = 3;
            players[2].tricks = 5;
            players[1].join(players[2]);
            players[3].tricks += 1;
            players[4].tricks += 1;
            for p in players { p.bid = p.partners.len; }
        }",
    );
    assert_eq!(values(&table, "tricks"), ["6", "6", "4", "6"]);
    assert_eq!(values(&table, "bid"), ["2", "2", "0", "2"]);
}

/// A team that wins has won as often as each of its players; nothing of that is a tie.
#[test]
fn a_win_of_a_team_is_a_whole_win_for_each_of_its_players() {
    let script = "fn game() { for p in players { if p.may(\"score\") { p.award(1, \"luck\"); } } players[2].team.win(\"won\"); }";
    let loaded = Playable::compile(ruleset(GAME, script).unwrap(), 4, Arc::default()).unwrap();
    let plan = Plan::new(loaded, vec![AgentSpec::Random; 4], 0);
    let columns = plan.columns();
    let game = plan.play(3, &columns, &mut NoHook, &mut GameTracker::default()).unwrap();
    let values = |id: &str| -> Vec<i64> {
        let of = columns.iter().zip(&game.values).filter(|(column, _)| column.measure.id == id);
        of.map(|(_, value)| value.unwrap()).collect()
    };
    let wins = values("win");
    assert_eq!((wins[0], wins[1], wins[1] == wins[3]), (0, houserule::lab::measures::WHOLE_WIN, true));
    assert_eq!(values("ties"), [0]);
}

/// An agent that looks ahead does what is good for its partner too.
#[test]
fn agents_play_for_their_team() {
    let script = "fn game() {
        let p = players[1];
        if p.may(\"help\") { p.award(4, \"thanks\"); players[3].award(10, \"gift\"); } else { p.award(3, \"greed\"); }
    }";
    let definition = GAME.replace("variables.score.per = \"team\"\n", "");
    for agent in ["greedy", "search:50"] {
        let loaded = Playable::compile(ruleset(&definition, script).unwrap(), 4, Arc::default()).unwrap();
        let agents = vec![AgentSpec::parse(agent, None).unwrap(); 4];
        let plan = Plan::new(loaded, agents, 0);
        let columns = plan.columns();
        let game = plan.play(1, &columns, &mut NoHook, &mut GameTracker::default()).unwrap();
        let scores = columns.iter().zip(&game.values).filter(|(column, _)| column.measure.id == "score");
        let scores: Vec<i64> = scores.map(|(_, value)| value.unwrap()).collect();
        // A rival's points would be bad, and a partner's lead is no one's to fear.
        assert_eq!(scores, [4, 0, 10, 0], "{agent}");
    }
}

fn refused(teams: &str) -> String {
    let error = ruleset(&GAME.replace("teams.5 = [[1, 2]]\n", &format!("{teams}\n")), "fn game() { }").unwrap_err();
    let first = error.first();
    let label = first.place.as_ref().map_or("", |place| &place.label);
    format!("{} ({label})", first.message)
}

#[test]
fn teams_that_cannot_be_are_refused() {
    assert_eq!(
        refused("teams.9 = [[1, 3]]"),
        "`9` is not a number of players of this game (expected a number of players, from 2 to 6)"
    );
    assert_eq!(refused("teams.3 = [[1, 2], [2, 3]]"), "player 2 is in two places (a second time)");
    assert_eq!(refused("teams.3 = [[1, 4]]"), "`teams.3[0][1]` must be an integer from 1 to 3 (this is 4)");
    assert_eq!(refused("teams.3 = [1, 2]"), "`teams.3[0]` must be an array (this is 1)");
    assert_eq!(
        refused("variables.pot = { per = \"team\" }"),
        "`default` of `variables.pot` is missing (`default` is missing)"
    );
}

#[test]
fn partners_who_score_together_stand_as_they_will_score() {
    let definition = format!("standing = 'bonus'\n{GAME}");
    let script = "fn game() {
        players[1].award(1, \"start\");
        players[1].choose(\"go on\", [1, 2]);
        for p in players { bonus(p); }
    }
    fn bonus(p) { p.award([3, 2, 1, 2][p.number - 1], \"bonus\"); }";
    let loaded = || Playable::compile(ruleset(&definition, script).unwrap(), 4, Arc::default()).unwrap();
    let (mut game, _) = Playthrough::start(loaded(), 4, 1, Vec::new()).unwrap();
    let standing = |seat: Seat| running_score(game.position(), seat);
    let stands: Vec<i64> = Seats::all(4).into_iter().map(standing).collect();
    game.choose(&["1".to_owned()]).unwrap();
    assert_eq!(stands, game.position().scores);
    assert_eq!(stands, [5, 4, 5, 4]);

    // An agent that goes by standings counts what its partner will score.
    let script = "fn game() {
        let p = players[1];
        if p.choose(\"give\", [1, 3]) == 1 { p.bid = 1; } else { players[3].bid = 3; }
        players[2].choose(\"end\", [1, 2]);
        for p in players { bonus(p); }
    }
    fn bonus(p) { p.award(p.bid, \"bonus\"); }";
    let loaded = Playable::compile(ruleset(&definition, script).unwrap(), 4, Arc::default()).unwrap();
    let (mut game, _) = Playthrough::start(loaded, 4, 1, Vec::new()).unwrap();
    game.advance(AgentSpec::parse("greedy", None).unwrap().agent(1), Until::End).unwrap();
    assert_eq!(game.position().scores, [3, 0, 3, 0]);
}
