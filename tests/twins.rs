//! Copies that are printed alike: whoever has lost sight of them cannot tell them apart, and neither can an agent that
//! plays for such a seat.

use crate::shared::small_game;
use houserule::agent::AgentSpec;
use houserule::catalogue::Language;
use houserule::inspect::leaks::{LeakTestStop, hunt};
use houserule::parts::{Appearance, Subject, Viewer};
use houserule::playthrough::{Playable, Playthrough};
use houserule::screen::{self, Scene};
use houserule::script::rules::Rules;
use houserule::table::knowledge::VisibleZones;
use houserule::table::value::Seat;
use houserule::{Observer, Why};
use std::sync::Arc;

const DEFINITION: &str = "
id = 'coins'
name = 'Coins'
players = { min = 2, max = 3 }
[components.coin]
kind = 'token'
id = '{metal}-{copy}'
face = '{metal}'
copies = 4
attributes.metal = ['gold', 'tin']
[zones]
row = { name = 'row', order = 'row', visible = 'all' }
bag = { name = 'bag', order = 'pile', visible = 'none' }
purse = { name = 'purse', order = 'hand', visible = 'owner', per = 'seat' }
";

/// The first player holds a coin that nobody has seen, takes a gold before all eyes, and spends one of the two.
const SPEND: &str = "fn game() {
    let a = players[1];
    let coins = components(\"coin\");
    coins.move_to(bag);
    bag.shuffle();
    coins.having(\"metal\", \"gold\")[0].move_to(a.purse);
    coins.having(\"metal\", \"tin\")[0].move_to(a.purse);
    let seen = coins.having(\"metal\", \"gold\")[1];
    seen.move_to(row);
    seen.move_to(a.purse);
    a.choose(\"spend\", a.purse).move_to(row);
    let guess = players[2].choose(\"guess\", [\"gold left\", \"none left\"]);
    if (guess == \"gold left\") == a.purse.having(\"metal\", \"gold\").len > 0 { players[2].award(1, \"right\"); }
}";

fn loaded(script: &str) -> Playable {
    let ruleset = small_game::game("coins", DEFINITION, script).unwrap_or_else(|errors| panic!("{errors}"));
    Playable::compile(ruleset, 2, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

fn played(script: &str, answers: &[&str]) -> Playthrough {
    let (mut game, _) = Playthrough::start(loaded(script), 2, 1, Vec::new()).unwrap();
    answers.iter().for_each(|answer| game.choose(&[(*answer).to_owned()]).unwrap());
    game
}

fn second() -> Seat {
    Seat::from_number(2).unwrap()
}

/// What the second player sees of a zone with all that seat remembers: the ids of faces, and `?` for backs.
fn remembered(game: &Playthrough, zone: &str) -> Vec<String> {
    let layout = &game.loaded().layout;
    let seen = VisibleZones::of(layout, &game.position().table, Viewer::Memory(second()));
    let seen = seen.zones[layout.zone_named(zone).unwrap().index()].iter().map(|seen| match seen {
        Appearance::Face(front) => layout.faces[front.face].id.to_string(),
        Appearance::Back => "?".to_owned(),
    });
    seen.collect()
}

/// What the second player is told of all that happened.
fn told(game: &Playthrough) -> Vec<String> {
    let view = game.view(Viewer::Memory(second()), 0);
    view.events.into_iter().map(|event| event.text).collect()
}

#[test]
fn who_did_not_see_which_of_two_copies_went_cannot_tell() {
    let seen = played(SPEND, &["gold-2"]);
    let unseen = played(SPEND, &["gold-1"]);
    assert_eq!(remembered(&played(SPEND, &[]), "p1.purse"), ["gold-2", "?", "?"]);
    for game in [&seen, &unseen] {
        assert_eq!(remembered(game, "p1.purse"), ["?", "?"], "the gold that all saw may be the one that was spent");
        assert_eq!(remembered(game, "row"), ["gold-1"]);
    }
    assert_eq!(told(&seen), told(&unseen));
    let view = |game: &Playthrough| serde_json::to_string(&game.view(Viewer::Seat(second()), 0)).unwrap();
    assert_eq!(view(&seen), view(&unseen));
    assert_eq!(remembered(&played(SPEND, &["tin-1"]), "p1.purse"), ["gold-2", "?"]);
    // The log names neither, nor does it tell others that there were two; who chose, and who sees all, read a list with both.
    let log = |game: &Playthrough, viewer: Viewer| {
        let scene = Scene::of(game, viewer, Language::English, 80);
        let lines = screen::log(&scene, &game.position().events.clone().into_vec()).into_iter().map(|line| line.text());
        lines.filter(|line| line.contains("spend")).collect::<Vec<_>>()
    };
    for viewer in [Viewer::Seat(second()), Viewer::Memory(second())] {
        for game in [&seen, &unseen] {
            assert_eq!(log(game, viewer), ["    1  p1  spend  gold"]);
        }
    }
    assert_eq!(log(&seen, Viewer::Everything), ["    1  p1  spend  gold gold-2"]);
}

#[test]
fn why_tells_of_copies_as_of_one() {
    let steps = |answer: &str, asked: &str| {
        let game = played(SPEND, &[answer]);
        let observer = Observer { loaded: game.loaded(), position: game.position(), viewer: Viewer::Memory(second()) };
        let subject = observer.subject(asked).unwrap();
        assert!(matches!(subject, Subject::Component(_)));
        let Why::Component { zone, steps, .. } = observer.why(subject, false).unwrap() else { panic!("{asked}") };
        (zone, steps.iter().map(|step| step.cause.clone()).collect::<Vec<_>>())
    };
    let told = [("gold-1", "gold-1"), ("gold-1", "gold-2"), ("gold-2", "gold-1"), ("gold-2", "gold-4")];
    let told = told.map(|(answer, asked)| steps(answer, asked));
    assert!(told.iter().all(|one| *one == told[0]), "{told:#?}");
}

#[test]
fn an_agent_chooses_the_same_whichever_copy_was_played() {
    for agent in ["greedy", "search:80"] {
        for seed in 0..4 {
            let choice = |answer: &str| {
                let game = played(SPEND, &[answer]);
                let past = game.past();
                let seen = game.observation(&past).unwrap();
                AgentSpec::parse(agent, None).unwrap().agent(seed).choose(&seen)
            };
            assert_eq!(choice("gold-1"), choice("gold-2"), "{agent}, {seed}");
        }
    }
}

/// A copy that is shown where it lies may be the one that is known to lie there, until both are seen.
#[test]
fn a_copy_that_is_shown_may_be_the_one_that_is_known() {
    let shown = |words: &str| {
        let script = SPEND.replace("a.choose(\"spend\", a.purse).move_to(row);", words);
        remembered(&played(&script, &[]), "p1.purse")
    };
    assert_eq!(shown("coins.having(\"metal\", \"gold\")[0].reveal();"), ["gold-1", "?", "?"]);
    assert_eq!(shown("coins.having(\"metal\", \"gold\")[1].reveal();"), ["gold-1", "?", "?"]);
    assert_eq!(shown("a.purse.having(\"metal\", \"gold\").reveal();"), ["gold-1", "gold-1", "?"]);
    // What comes back from out of play could be any of those that were there.
    let out = "seen.take_out(); coins.having(\"metal\", \"tin\")[0].take_out();
        seen.move_to(bag); players[2].may(\"go\");";
    let game = played(&SPEND.replace("a.choose(\"spend\", a.purse).move_to(row);", out), &[]);
    assert!(remembered(&game, "bag").iter().all(|seen| seen == "?"));
}

#[test]
fn the_look_for_leaks_chooses_other_copies() {
    let rules = |script: &str| {
        let ruleset = small_game::game("coins", DEFINITION, script).unwrap_or_else(|errors| panic!("{errors}"));
        Rules::new(ruleset, 2, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"))
    };
    let honest = rules(SPEND);
    for seed in 1..=20 {
        assert!(hunt(&honest, seed).is_ok(), "{:?}", hunt(&honest, seed));
    }
    // Rules that look at the object, where a player sees copies alone.
    let planted =
        SPEND.replace("let guess", "note(if row.last == seen { \"the same\" } else { \"another\" }); let guess");
    let planted = rules(&planted);
    let found = (1..=20).find_map(|seed| match hunt(&planted, seed) {
        Err(LeakTestStop::Leak(leak)) => Some(leak.what.kind),
        Err(LeakTestStop::Failed(errors)) => panic!("{errors}"),
        Ok(_) => None,
    });
    assert_eq!(found, Some("log"));
}
