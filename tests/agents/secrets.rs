//! What others chose in secret stays secret from agents that try the game, and what everybody was told of it counts.

use super::spec;
use crate::shared::small_game;
use houserule::agent::SeatedAgents;
use houserule::lab::play::{GameTracker, Plan};
use houserule::playthrough::hidden_choices::HiddenChoices;
use houserule::playthrough::log::{Entry, LogEntry};
use houserule::playthrough::observation::Observation;
use houserule::playthrough::run::Until;
use houserule::playthrough::{Playable, Playthrough};
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::machine::hooks::NoHook;
use houserule::script::rules::{Rules, Run};
use houserule::script::{End, Start};
use houserule::table::Table;
use houserule::table::decision::{Answerer, Halt, Question};
use std::sync::Arc;

const DEFINITION: &str = "
id = 'guess'
name = 'Guess'
players = { min = 2, max = 4 }
variables.mine = { per = 'seat', default = 0, visible = 'owner' }
variables.yes = { per = 'seat', default = false, visible = 'owner' }
variables.sum = { default = 0 }
[components.card]
kind = 'card'
id = 'card-{number}'
attributes = { number = { from = 1, to = 12 } }
[zones.row]
name = 'row'
order = 'row'
visible = 'all'
[zones.deck]
name = 'deck'
order = 'pile'
visible = 'none'
[zones.hand]
name = 'hand'
per = 'seat'
order = 'hand'
visible = 'owner'
[zones.kept]
name = 'kept'
per = 'seat'
order = 'row'
visible = 'owner'
";

fn rules(script: &str, seats: usize) -> Rules {
    let ruleset = small_game::game("guess", DEFINITION, script).unwrap_or_else(|errors| panic!("{errors}"));
    Rules::new(ruleset, seats, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Answers as it is told to, by seat and what option of its questions; what is not told is left open.
struct Told<'a> {
    answers: &'a [&'a str],
    past: HiddenChoices,
}

impl Answerer for Told<'_> {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let Some((answer, behind)) = self.answers.split_first() else { return Err(Halt::Open) };
        if self.past.needs_checkpoint(table, question) {
            return Err(Halt::Paused);
        }
        let labels = table.option_labels(question.options.values().iter());
        for label in answer.split(' ').filter(|label| !label.is_empty()) {
            chosen
                .push(labels.iter().position(|known| known == label).unwrap_or_else(|| panic!("{label}: {labels:?}")));
        }
        self.answers = behind;
        self.past.note(table, question, chosen);
        Ok(())
    }
}

/// A game that stands behind these answers, with its past.
fn after(rules: &Rules, seed: u64, answers: &[&str]) -> (Run, HiddenChoices) {
    let mut run = rules.begin(&Start::Game, seed);
    let mut told = Told { answers, past: HiddenChoices::default() };
    loop {
        match rules.resume(&mut run, &mut told) {
            End::Halted(Halt::Paused) => told.past.begin(&run),
            End::Halted(Halt::Open) => return (run, told.past),
            end => panic!("{end:?}"),
        }
    }
}

/// The labels of what an agent chooses behind some answers.
fn chosen(rules: &Rules, agent: &str, seed: u64, answers: &[&str]) -> String {
    let (run, past) = after(rules, seed, answers);
    let open = run.table.open().unwrap().clone();
    let seen = Observation::new(rules, &run, &open).after(&past);
    let chosen = spec(agent).agent(seed).choose(&seen);
    let labels: Vec<&str> = chosen.iter().map(|&position| open.options[position].label.as_str()).collect();
    labels.join(" ")
}

/// How many of so many games the second seat wins alone, where it plays as an agent and the others by chance.
fn wins(rules: &Rules, agent: &str, games: u64) -> usize {
    let mut seats = vec![spec("random"); rules.layout().seats];
    seats[1] = spec(agent);
    let won = |seed: &u64| {
        let mut run = rules.begin(&Start::Game, *seed);
        assert_eq!(SeatedAgents::new(*seed, &seats).play(rules, &mut run), End::Finished);
        run.table.ranking()[0] == [houserule::table::value::Seat::from_number(2).unwrap()]
    };
    (0..games).filter(won).count()
}

/// Where one seat chooses in secret and the next guesses, with what can be chosen.
fn guessing() -> Vec<(&'static str, String, Vec<&'static str>)> {
    let numbers = vec!["1", "2", "3", "4", "5", "6"];
    let guess = "let guess = players[2].choose(\"guess\", [1, 2, 3, 4, 5, 6]);
        if guess == secret { players[2].award(1, \"right\") } else { players[1].award(1, \"wrong\") }";
    let game = |first: &str| format!("fn game() {{ let a = players[1]; {first} {guess} }}");
    vec![
        ("a local", game("let secret = a.choose_secretly(\"number\", [1, 2, 3, 4, 5, 6]);"), numbers.clone()),
        (
            "a hidden variable",
            game("a.mine = a.choose_secretly(\"number\", [1, 2, 3, 4, 5, 6]); let secret = a.mine;"),
            numbers.clone(),
        ),
        (
            "a hidden yes",
            "fn game() { let a = players[1]; let b = players[2];
                a.yes = a.choose_secretly(\"which\", [1, 2]) == 1;
                if b.may(\"guess\") == a.yes { b.award(1, \"right\") } else { a.award(1, \"wrong\") } }"
                .into(),
            vec!["1", "2"],
        ),
        (
            "a choice that is made together",
            "fn game() { let a = players[1]; let b = players[2];
                players.together(|p| p.choose(\"guess\", [1, 2, 3, 4, 5, 6]), |p, number| p.mine = number);
                if a.mine == b.mine { b.award(1, \"right\") } else { a.award(1, \"wrong\") } }"
                .into(),
            numbers,
        ),
        (
            "a card of an open row",
            "fn game() { let a = players[1]; let b = players[2];
                components(\"card\").between(\"number\", 1, 4).move_to(row);
                let secret = a.choose_secretly(\"card\", row);
                if b.choose(\"guess\", row) == secret { b.award(1, \"right\") } else { a.award(1, \"wrong\") } }"
                .into(),
            vec!["card-1", "card-2", "card-3", "card-4"],
        ),
        (
            "a player",
            "fn game() { let a = players[1]; let b = players[2];
                let secret = a.choose_secretly(\"who\", players);
                if b.choose(\"guess\", players) == secret { b.award(1, \"right\") } else { a.award(1, \"wrong\") } }"
                .into(),
            vec!["p1", "p2"],
        ),
    ]
}

#[test]
fn what_was_chosen_in_secret_makes_no_difference_to_who_guesses() {
    for (name, script, options) in guessing() {
        let rules = rules(&script, 2);
        for agent in ["random", "greedy", "search:60"] {
            for seed in 0..2 {
                let choices: Vec<String> =
                    options.iter().map(|option| chosen(&rules, agent, seed, &[option])).collect();
                assert!(choices.iter().all(|choice| *choice == choices[0]), "{name}, {agent}, {seed}: {choices:?}");
            }
        }
        // Of n options one in n is right; a binomial of 60 games is hardly ever more than 18 off.
        let (games, fair) = (60, 60 / options.len());
        for agent in ["greedy", "search:30"] {
            let won = wins(&rules, agent, games);
            assert!(won.abs_diff(fair) <= 18, "{name}, {agent}: {won} of {games}, not about {fair}");
        }
    }
}

const CLUES: &str = "fn game() {
    let secret = players[1].choose_secretly(\"number\", [1, 2, 3, 4, 5, 6, 7, 8]);
    let tries = 3;
    while tries > 0 {
        let guess = players[2].choose(\"guess\", [1, 2, 3, 4, 5, 6, 7, 8]);
        if guess == secret { players[2].award(1, \"right\"); return; }
        if guess < secret { table.sum = 1 } else { table.sum = 2 }
        tries -= 1;
    }
    players[1].award(1, \"wrong\");
}";

/// Of eight numbers three guesses find three without a clue, and seven with one. A better way to guess shows only where all that can be
/// imagined is tried, and not the same few games again and again.
#[test]
fn a_clue_that_everybody_hears_counts() {
    let rules = rules(CLUES, 2);
    let blind = wins(&rules, "random", 100);
    let won = wins(&rules, "search:120", 100);
    assert!(won >= 60 && won > blind + 20, "search wins {won} of 100, chance {blind}");
    // 5 was too low, and 7 too high.
    for seed in 0..4 {
        assert_eq!(chosen(&rules, "search:60", seed, &["6", "5", "7"]), "6");
        let two = ["6", "7"].map(|secret| chosen(&rules, "search:60", seed, &[secret, "5", "8"]));
        assert_eq!(two[0], two[1], "both are told the same");
        assert!(["6", "7"].contains(&&*two[0]), "{two:?}");
    }
}

/// What was shown is known, and counts no more as secret.
#[test]
fn what_was_shown_to_a_seat_it_knows() {
    let script = |show: &str| {
        format!(
            "fn game() {{ let a = players[1]; let b = players[2];
                let secret = a.choose_secretly(\"number\", [1, 2, 3, 4, 5, 6]);
                {show}
                if b.choose(\"guess\", [1, 2, 3, 4, 5, 6]) == secret {{ b.award(1, \"right\") }}
            }}"
        )
    };
    for show in ["a.show_choice(\"number\");", "a.show_choice(\"number\", b);"] {
        let rules = rules(&script(show), 3);
        for secret in ["1", "4", "6"] {
            assert_eq!(chosen(&rules, "search:60", 1, &[secret]), secret, "{show}");
        }
    }
    let rules = rules(&script("a.show_choice(\"number\", players[3]);"), 3);
    let choices = ["1", "4", "6"].map(|secret| chosen(&rules, "search:60", 1, &[secret]));
    assert!(choices.iter().all(|choice| *choice == choices[0]), "{choices:?}");
}

/// Each keeps a card of a hand in secret; everybody is told whether it is high. Then the kept card comes to light, and the
/// cards are dealt again.
const KEEPING: &str = "fn game() {
    for round in 1..4 {
        components(\"card\").move_to(deck);
        deck.shuffle();
        for p in players { deck.deal(3, p.hand); }
        players.together(|p| p.choose(\"keep\", p.hand), |p, card| card.move_to(p.kept));
        let secret = players[1].choose_secretly(\"which\", players[1].hand);
        table.sum = if secret.number > 6 { 1 } else { 2 };
        let guess = players[2].choose(\"guess\", [0, 1, 2]);
        if guess == secret.number % 3 { players[2].award(3, \"right\") } else { players[1].award(1, \"wrong\") }
        for p in players { p.kept.reveal(); }
    }
}";

/// Cards that lie hidden and choices that are hidden are permuted together: nobody can tell.
#[test]
fn cards_and_choices_that_are_hidden_may_be_others() {
    let rules = rules(KEEPING, 2);
    let mut compared = 0;
    for seed in 0..20 {
        // Which cards there are shows only as they are dealt.
        let (dealt, _) = after(&rules, seed, &[]);
        let label = |seat: usize, place: usize, run: &Run| {
            let zone = run.table.layout().zone_named(&format!("p{seat}.hand")).unwrap();
            run.table.label(run.table.zone(zone)[place]).to_string()
        };
        let own = label(2, 0, &dealt);
        let of = |kept: usize, secret: usize| {
            let (kept, secret) = (label(1, kept, &dealt), label(1, secret, &dealt));
            (kept.clone(), secret.clone(), after(&rules, seed, &[&kept, &own, &secret]))
        };
        let games = [of(0, 1), of(0, 2), of(1, 0), of(1, 2), of(2, 0), of(2, 1)];
        let choice = |(_, _, (run, past)): &(String, String, (Run, HiddenChoices)), agent: &str| {
            let open = run.table.open().unwrap().clone();
            let seen = Observation::new(&rules, run, &open).after(past);
            assert!(seen.fork(&mut houserule::table::chance::Stream::named(1, "fork", 0)).is_some(), "{seed}");
            spec(agent).agent(7).choose(&seen)
        };
        let sum = |(_, _, (run, _)): &(String, String, (Run, HiddenChoices))| {
            run.table.variable(run.table.layout().variable_named("sum").unwrap()).clone()
        };
        for [one, other] in games.as_chunks().0 {
            if sum(one) == sum(other) {
                for agent in ["greedy", "search:30"] {
                    assert_eq!(choice(one, agent), choice(other, agent), "{agent}, {seed}");
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 20, "{compared}");
    for seed in 0..4 {
        let mut run = rules.begin(&Start::Game, seed);
        assert_eq!(SeatedAgents::new(seed, &[spec("search:20"), spec("greedy")]).play(&rules, &mut run), End::Finished);
    }
}

fn playthrough(script: &str, seats: usize, seed: u64) -> Playthrough {
    let ruleset = small_game::game("guess", DEFINITION, script).unwrap_or_else(|errors| panic!("{errors}"));
    let loaded = Playable::compile(ruleset, seats, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"));
    Playthrough::start(loaded, seats, seed, Vec::new()).unwrap().0
}

/// Somebody else plays on, by hand too, between what was chosen in secret and the guess.
const BETWEEN: &str = "fn game() {
    let a = players[1]; let b = players[2];
    a.mine = a.choose_secretly(\"number\", [1, 2, 3, 4, 5, 6]);
    b.may(\"ready\");
    table.sum += if a.mine > 3 { 1 } else { 0 };
    b.may(\"steady\");
    if b.choose(\"guess\", [1, 2, 3, 4, 5, 6]) == a.mine { b.award(1, \"right\") } else { a.award(1, \"wrong\") }
}";

/// A game that is played by hand knows its past from its log, whatever was changed by hand on the way.
#[test]
fn a_game_along_a_log_keeps_secrets_too() {
    let game = |secret: &str| {
        let mut game = playthrough(BETWEEN, 2, 5);
        game.choose(&[secret.to_owned()]).unwrap();
        game.choose(&["yes".to_owned()]).unwrap();
        let move_card = Entry::Move { component: "card-3".into(), to: Some("row".into()), position: None };
        game.intervene(move_card).unwrap();
        game.choose(&["no".to_owned()]).unwrap();
        game
    };
    let advice = |secret: &str| {
        let game = game(secret);
        let past = game.past();
        let seen = game.observation(&past).unwrap();
        let choose = |agent| spec(agent).agent(3).choose(&seen);
        let chosen = [choose("search:80"), choose("greedy")];
        assert!(seen.can_be_tried());
        let mut looked = Vec::new();
        let looked_at = game.review(|number, seen, _| {
            if number > 1 {
                looked.push(spec("search:40").agent(1).choose(seen));
            }
            true
        });
        looked_at.unwrap();
        let mut on = game;
        on.advance(spec("search:80").agent(3), Until::Decisions(1)).unwrap();
        (chosen, looked, on.timeline().log().last().cloned())
    };
    // The sum tells who is high and who is not.
    for same in [["1", "3"], ["4", "6"]] {
        let [one, other] = same.map(advice);
        assert_eq!(one, other);
        let guess = one.0[0][0] + 1;
        assert!(if same[0] == "1" { guess <= 3 } else { guess > 3 }, "{guess} {same:?}");
    }
}

/// Games from a position, as one player sees it, go on from what that player can imagine.
#[test]
fn games_from_a_position_do_not_know_its_secrets() {
    let script = "fn game() {
        let a = players[1]; let b = players[2];
        a.yes = a.choose_secretly(\"which\", [1, 2]) == 1;
        let bet = b.may(\"bet\");
        a.may(\"go_on\");
        if a.yes { a.award(3, \"yes\") }
        if bet { b.award(if a.yes { -2 } else { 2 }, \"bet\") }
    }";
    let games = |secret: &str, viewer: Option<usize>, agent: &str| -> Vec<Vec<Option<i64>>> {
        let mut game = playthrough(script, 2, 5);
        game.choose(&[secret.to_owned()]).unwrap();
        let seat = viewer.and_then(houserule::table::value::Seat::from_number);
        let plan = Plan::new(game.loaded().clone(), vec![spec(agent); 2], 9);
        let plan = plan.going_on(game.track().run().unwrap(), game.past(), seat).unwrap();
        let columns = plan.columns();
        (0..24)
            .map(|number| plan.play(number, &columns, &mut NoHook, &mut GameTracker::default()).unwrap().values)
            .collect()
    };
    for agent in ["random", "greedy"] {
        assert_eq!(games("1", Some(2), agent), games("2", Some(2), agent), "{agent}: p2 does not know");
        assert_ne!(games("1", Some(1), agent), games("2", Some(1), agent), "{agent}: p1 knows");
        assert_ne!(games("1", None, agent), games("2", None, agent), "{agent}: who sees everything knows");
    }
}

/// Deals that look the same to a seat, though other cards lie where it does not see them: its agent chooses the same.
#[test]
fn deals_that_look_the_same_are_the_same_to_an_agent() {
    let loaded = |game: &str, seats: usize| {
        let library = houserule::Disk::library(vec![env!("CARGO_MANIFEST_DIR").into()]);
        let selection = Selection { game: game.to_owned(), ..Selection::default() };
        Playable::compile(Arc::new(Ruleset::load(&library, &selection).unwrap()), seats, Arc::default()).unwrap()
    };
    let loaded = loaded("hearts", 4);
    let faces: Vec<String> = loaded.layout.faces.iter().map(|face| face.id.to_string()).collect();
    let dealt = |order: &[String]| {
        let rig = |stream: &str, result: Vec<String>| LogEntry::from(Entry::Rig { stream: stream.to_owned(), result });
        let log = vec![rig("lot first_dealer", vec!["p4".to_owned()]), rig("shuffle deck", order.to_vec())];
        Playthrough::start(loaded.clone(), 4, 1, log).unwrap().0
    };
    let own = |game: &Playthrough| {
        let state = &game.position().table;
        let hand = state.zones.held(loaded.layout.zone_named("p1.hand").unwrap());
        hand.iter().map(|card| faces[usize::from(state.faces[card.index()])].clone()).collect::<Vec<_>>()
    };
    let first = dealt(&faces);
    let hand = own(&first);
    let others: Vec<usize> = (0..faces.len()).filter(|&place| !hand.contains(&faces[place])).collect();
    let mut choices = Vec::new();
    for turned in [0, 1, 7, 20] {
        let mut order = faces.clone();
        for (number, &place) in others.iter().enumerate() {
            order[place] = faces[others[(number * 5 + turned) % others.len()]].clone();
        }
        let game = dealt(&order);
        assert_eq!(own(&game), hand);
        assert_ne!(game.position().table.zones, first.position().table.zones);
        let past = game.past();
        let seen = game.observation(&past).unwrap();
        assert_eq!(seen.decision().seat.unwrap().number(), 1);
        choices.push(["search:60", "greedy"].map(|agent| spec(agent).agent(1).choose(&seen)));
    }
    assert!(choices.iter().all(|choice| *choice == choices[0]), "{choices:?}");
}
