//! The core without a host: games that lie in memory are loaded, checked, played, copied, looked at and tested. These
//! tests run in a build without the host too.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use houserule::parts::{
    AGENTS, EventData, Flow, Places, Request, Seat, Step, Stream, Subject, Value, Verdict, Viewer, run,
};
use houserule::{
    Agent, AgentSpec, Debugger, End, Findings, Halt, Language, Library, MemoryFiles, NoSurroundings, Observation,
    Observer, Playable, Playthrough, Random, Replay, Ruleset, SavedGame, Scenario, Scene, Selection, Session,
    SingleThread, Start, Trace, Until, Why, Work, draw, find_scenarios, why_not,
};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a page in a browser calls. It is run here as it is there, but for the machine.
#[path = "wasm/src/lib.rs"]
mod page;

const GAME: &str = r#"
id = "dare"
name = { en = "Dare" }
players = { min = 2, max = 3 }

[components.card]
kind = "card"
id = "card-{number}"
face = "{number}"
attributes = { number = { from = 1, to = 9 } }

[zones.deck]
name = { en = "deck" }
order = "pile"
visible = "none"

[zones.hand]
name = { en = "hand" }
per = "seat"
order = "hand"
visible = "owner"

[text]
play = { en = "play a card" }
cards = { en = "cards" }
too_low = { en = "it is too low" }
"#;

const RULES: &str = r#"
fn game() {
    components("card").move_to(deck);
    deck.shuffle();
    for p in players { deck.deal(3, p.hand); }
    let highest = 0;
    while players.all(|p| !p.hand.is_empty) {
        for p in players {
            begin_turn(p);
            let fitting = p.hand.where(|card| card.number > highest);
            if fitting.is_empty { highest = 0; continue; }
            let card = p.choose("play", p.hand, |card| if card.number > highest { true } else { "too_low" });
            highest = card.number;
            score(p, card);
            card.move_to(deck);
        }
    }
}

fn score(p, card) { p.award(card.number, "cards"); }
"#;

const SCENARIO: &str = r#"
id = "D1"
title = "A card scores its number"
game = "dare"
players = 2

[given]
p1.hand = ["card-7"]

[when]
call = "score(p1, p1.hand.first)"

[[then]]
awards = ["p1 7 cards"]
"#;

/// A library of files in memory.
fn library(files: &[(&str, &str)]) -> Library {
    Library::of(Arc::new(MemoryFiles::new(files.iter().copied())), vec![PathBuf::new()])
}

fn dare(more: &[(&str, &str)]) -> Library {
    let files = [("games/dare/game.toml", GAME), ("games/dare/rules.rhai", RULES)];
    library(&[&files, more].concat())
}

fn loaded(library: &Library, variants: &[&str]) -> Playable {
    let variants = variants.iter().map(|&variant| variant.to_owned()).collect();
    let selection = Selection { game: "dare".to_owned(), variants, set: Vec::new() };
    let ruleset = Ruleset::load(library, &selection).unwrap_or_else(|errors| panic!("{}", errors[0].render(false)));
    Playable::compile(Arc::new(ruleset), 3, Arc::default())
        .unwrap_or_else(|errors| panic!("{}", errors[0].render(false)))
}

fn started() -> Playthrough {
    Playthrough::start(loaded(&dare(&[]), &[]), 3, 7, Vec::new()).unwrap().0
}

/// A whole game by chance, as its trace.
fn traced(loaded: &Playable, seed: u64) -> String {
    let trace = Trace::begin(Vec::new(), &loaded.ruleset, &loaded.layout, seed, true);
    let mut agent = Random::new(seed);
    let written = trace.follow(|recording| {
        let agent = Some((&mut agent as _, &Until::End));
        run(&loaded.rules, Request { start: &Start::Game, seed, log: &[], agent, recording: Some(recording) })
    });
    let (bytes, end) = written.unwrap();
    assert_eq!(end, End::Finished);
    String::from_utf8(bytes).unwrap()
}

#[test]
fn rules_are_checked_where_they_lie() {
    let mut findings = Findings::default();
    findings.check_game(&SingleThread, &dare(&[]), &Arc::default(), "dare");
    assert_eq!(findings.summary(), "1 ruleset checked, 0 forbidden pairs refused; 0 errors, 0 warnings");

    let bold =
        "id = 'bold'\ngame = 'dare'\nname = 'Bold'\n[script]\nrhai = '''\nfn score(p, card) { p.awrad(1); }\n'''\n";
    let mut findings = Findings::default();
    findings.check_game(&SingleThread, &dare(&[("variants/dare/bold.toml", bold)]), &Arc::default(), "dare");
    let [error] = &*findings.errors else { panic!("{:?}", findings.errors) };
    let place = error.place.as_ref().unwrap();
    assert_eq!((&*place.source.name, place.position()), ("variants/dare/bold.toml", (6, 23)));
    assert!(error.help.iter().any(|help| help == "did you mean `award`?"), "{error:?}");
}

#[test]
fn a_game_is_played_and_saved_and_opened() {
    let library = dare(&[]);
    let mut game = started();
    while let Some(open) = game.position().open.clone() {
        game.choose(std::slice::from_ref(&open.options[0].label)).unwrap();
    }
    assert_eq!(game.position().failed, None);
    assert!(game.position().scores.iter().sum::<i64>() > 0);

    let saved = Replay::of(&game).to_toml();
    let with_it = dare(&[("saved/one.toml", &saved)]);
    let opened = SavedGame::open(Path::new("saved/one.toml"), &with_it, false, Arc::default());
    let opened = opened.unwrap_or_else(|errors| panic!("{}", errors[0].render(false)));
    assert!(opened.told.is_empty(), "{:?}", opened.told);
    assert_eq!(opened.playthrough.position().scores, game.position().scores);

    game.undo().unwrap();
    assert!(game.position().open.is_some());
    assert!(SavedGame::open(Path::new("saved/two.toml"), &library, false, Arc::default()).is_err());
}

#[test]
fn every_agent_plays_to_the_end() {
    for kind in AGENTS {
        let agent = AgentSpec::parse(kind.name, None).unwrap();
        let mut game = started();
        game.advance(agent.agent(1), Until::End).unwrap();
        assert!(game.position().open.is_none() && game.position().failed.is_none(), "{agent}");
    }
}

/// Plays each option to the end of the game, some times by chance, and takes the one that wins most.
struct Playouts;

impl Agent for Playouts {
    fn choose(&mut self, game: &Observation<'_>) -> Vec<usize> {
        let worth = |position: &usize| -> i64 {
            let playouts = (0..10).map(|number| {
                let mut chance = Stream::named(game.decisions_before() as u64, "playouts", number);
                let mut fork = game.fork(&mut chance).expect("everybody knows what was chosen");
                assert!(fork.play_out(&[*position], &mut chance), "the rules fail in no game of this");
                fork.lead()
            });
            playouts.sum()
        };
        (0..game.decision().options.len()).max_by_key(worth).into_iter().collect()
    }
}

#[test]
fn an_agent_of_ones_own_plays_games_to_their_end_before_it_chooses() {
    let mut totals = [0, 0, 0];
    for seed in 0..20 {
        let mut game = Playthrough::start(loaded(&dare(&[]), &[]), 3, seed, Vec::new()).unwrap().0;
        while let Some(open) = game.position().open.clone() {
            let is_first = open.seat.is_some_and(|seat| seat.number() == 1);
            let agent: Box<dyn Agent> = if is_first { Box::new(Playouts) } else { Box::new(Random::new(seed)) };
            game.advance(agent, Until::Decisions(1)).unwrap();
        }
        totals.iter_mut().zip(&game.position().scores).for_each(|(total, score)| *total += score);
    }
    assert!(totals[0] > totals[1].max(totals[2]), "{totals:?}");
}

#[test]
fn a_run_is_copied_and_each_copy_goes_its_own_way() {
    let loaded = loaded(&dare(&[]), &[]);
    let request = || Request { start: &Start::Game, seed: 7, log: &[], agent: None, recording: None };
    let first = run(&loaded.rules, request());
    assert_eq!(first.end, End::Halted(Halt::Open));
    let copy = first.run.clone();
    let mut one = first.run;
    let mut other = copy;
    for (run, seed) in [(&mut one, 1), (&mut other, 1)] {
        assert_eq!(loaded.rules.resume(run, &mut Random::new(seed)), End::Finished);
    }
    assert_eq!(one.table.snapshot(), other.table.snapshot());
    let scores = |seed| {
        let mut run = run(&loaded.rules, request()).run;
        assert_eq!(loaded.rules.resume(&mut run, &mut Random::new(seed)), End::Finished);
        run.table.snapshot()
    };
    assert!((2..9).any(|seed| scores(seed) != one.table.snapshot()));
}

#[test]
fn a_game_is_looked_at() {
    let loaded = loaded(&dare(&[]), &[]);
    let trace = traced(&loaded, 3);
    assert_eq!(trace, traced(&loaded, 3));
    assert!(trace.starts_with("{\"type\":\"start\"") && trace.lines().last().unwrap().starts_with("{\"type\":\"end\""));

    let mut game = started();
    let refused = loop {
        let open = game.position().open.clone().expect("somebody's card is too low before the end");
        match open.refused.first() {
            Some((refused, _)) => break refused.label.clone(),
            None => game.choose(std::slice::from_ref(&open.options[0].label)).unwrap(),
        }
    };
    let found = why_not(&game, Viewer::Everything, &refused).unwrap();
    assert_eq!((&*found.option, found.verdict), (&*refused, Verdict::Refused(Some("too_low".into()))));
    let [line, ..] = &*found.lines else { panic!("no line") };
    let cause = line.cause.as_ref().unwrap();
    assert_eq!((&*cause.place, cause.function.as_deref()), ("games/dare/rules.rhai:12", Some("game")));
    assert!(line.values.contains(&("card.number > highest".to_owned(), "false".to_owned())), "{line:?}");
    // Who looks as a player is not told what the rules look at.
    let of_seat = why_not(&game, Viewer::Seat(game.position().open.as_ref().unwrap().seat.unwrap()), &refused).unwrap();
    assert!(of_seat.lines.iter().all(|line| line.values.is_empty()), "{of_seat:?}");

    let places = Places::of(game.loaded());
    let mut debugger = Debugger::enter(places, &game, game.timeline().log().len()).unwrap();
    let before = debugger.stop().place;
    debugger.back(3).unwrap();
    assert!(debugger.stop().place < before);
}

/// What the table shows can be followed back to the moves and the rules that made it so.
#[test]
fn everything_on_the_table_has_its_causes() {
    let mut game = started();
    fn observer(game: &Playthrough) -> Observer<'_> {
        Observer { loaded: game.loaded(), position: game.position(), viewer: Viewer::Everything }
    }
    assert!(observer(&game).why(Subject::LastChoice, false).is_err(), "nobody has chosen yet");
    let label = game.position().open.as_ref().unwrap().options[0].label.clone();
    game.choose(std::slice::from_ref(&label)).unwrap();

    let who = observer(&game);
    let Why::Variable { value, steps, ending: None, .. } = who.why(who.subject("p1.score").unwrap(), false).unwrap()
    else {
        panic!("a score is a variable")
    };
    let [Step { events, cause: Some(cause) }] = &*steps else { panic!("{steps:?}") };
    let EventData::Award { points, score, .. } = &events[0].what else { panic!("{events:?}") };
    assert_eq!((points, &Value::Number(*score)), (score, value));
    assert_eq!(
        (&*cause.place, cause.function.as_deref(), &*cause.layer),
        ("games/dare/rules.rhai:20", Some("score"), "game")
    );

    let Why::Component { zone, steps, .. } = who.why(who.subject(&label).unwrap(), false).unwrap() else { panic!() };
    assert_eq!(zone, game.loaded().layout.zone_named("deck"));
    let kinds: Vec<&str> = steps.iter().map(|step| step.events[0].what.kind().name).collect();
    assert_eq!(kinds, ["move", "move", "choice", "move"], "into the deck, to p1, chosen, and back");

    let Why::LastChoice(steps) = who.why(Subject::LastChoice, false).unwrap() else { panic!() };
    assert!(matches!(steps[0].events[0].what, EventData::Choice { .. }), "{steps:?}");
    assert_eq!(who.subject("p1.scroe").unwrap_err().first().help, ["did you mean `p1.score`?"]);
    // Another player does not see the hand that the card lies in.
    let other = Observer { viewer: Viewer::Seat(Seat::from_number(2).unwrap()), ..who };
    let Why::Zone { count, steps, .. } = other.why(other.subject("p1.hand").unwrap(), false).unwrap() else { panic!() };
    assert_eq!(count, Some(2));
    assert!(steps.iter().any(|step| step.events.len() == 3), "three cards were dealt at once: {steps:?}");
}

/// A page in a browser can show what a terminal shows.
#[test]
fn a_game_is_drawn() {
    let game = started();
    let loaded = game.loaded();
    let scene = Scene {
        has_commands: true,
        ruleset: &loaded.ruleset,
        layout: &loaded.layout,
        position: game.position(),
        viewer: Viewer::Everything,
        language: Language::English,
        width: 60,
        height: None,
        move_number: 1,
        seed: game.seed,
    };
    let drawn = draw::render(&draw::look(&scene), false);
    assert!(drawn.starts_with("Dare · 3 players · seed 7"), "{drawn}");
    assert!(drawn.contains("p1, play"), "{drawn}");
    assert!(drawn.lines().all(|line| line.chars().count() <= 60), "{drawn}");
}

#[test]
fn scenarios_lie_beside_the_rules() {
    let wrong = SCENARIO.replace("p1 7", "p1 8").replace("D1", "D2");
    let files = [("tests/scenarios/dare/d1.toml", SCENARIO), ("tests/scenarios/dare/d2.toml", &*wrong)];
    let library = dare(&files);
    let found = find_scenarios(&[], &library);
    assert_eq!(found, files.map(|(path, _)| PathBuf::from(path)));
    let results = found.iter().map(|path| Scenario::read(library.files(), path).unwrap().run(&library).result);
    let results: Vec<bool> = results.map(|result| result.is_ok()).collect();
    assert_eq!(results, [true, false]);
}

/// Rules that are asked to stop are stopped by a count of their steps, with no clock at hand.
#[test]
fn rules_that_never_ask_are_stopped() {
    let endless = "fn game() { players.first.may(\"play\"); for n in 0..1000000000 { players.len; } }";
    let library = library(&[("games/dare/game.toml", GAME), ("games/dare/rules.rhai", endless)]);
    let work = Arc::new(Work::default());
    let ruleset = Ruleset::load(&library, &Selection { game: "dare".to_owned(), ..Selection::default() }).unwrap();
    let loaded = Playable::compile(Arc::new(ruleset), 2, work.clone()).unwrap();
    let mut open =
        run(&loaded.rules, Request { start: &Start::Game, seed: 1, log: &[], agent: None, recording: None }).run;
    let before = open.units();
    work.stop();
    assert_eq!(loaded.rules.resume(&mut open, &mut Random::new(1)), End::Halted(Halt::Stopped));
    assert!(open.units() - before < 1 << 18, "{} units", open.units() - before);
}

/// The page takes a request byte by byte and gives its answer byte by byte.
fn asked(request: serde_json::Value) -> serde_json::Value {
    request.to_string().bytes().for_each(|byte| page::give(byte.into()));
    page::answer();
    let answer: Vec<u8> = std::iter::from_fn(|| u8::try_from(page::take()).ok()).collect();
    serde_json::from_slice(&answer).unwrap_or_else(|_| String::from_utf8(answer).unwrap().into())
}

/// Everybody bids a card at the same time, and then says, at the same time too, whether to go on.
const TOGETHER: &str = r#"
fn game() {
    components("card").move_to(deck);
    for p in players { deck.deal(3, p.hand); }
    players.together(
        |p| p.choose("play", p.hand, |card| card.number != 2),
        |p, card| { p.award(card.number, "cards"); card.move_to(deck); }
    );
    players.together(|p| p.may("again"), |p, goes_on| if goes_on { p.award(10, "cards"); });
}
"#;

fn seat(number: usize) -> Seat {
    Seat::from_number(number).unwrap()
}

fn bidding() -> Playthrough {
    let library = library(&[("games/dare/game.toml", GAME), ("games/dare/rules.rhai", TOGETHER)]);
    Playthrough::start(loaded(&library, &[]), 3, 7, Vec::new()).unwrap().0
}

/// Who is asked what, and the options.
fn asked_of(game: &Playthrough) -> Vec<(String, String, Vec<String>)> {
    let labels = |decision: &houserule::Decision| decision.options.iter().map(|one| one.label.clone()).collect();
    let asked = game.asked();
    asked.iter().map(|one| (one.seat.unwrap().to_string(), one.prompt.to_string(), labels(one))).collect()
}

#[test]
fn whoever_chooses_at_the_same_time_may_choose_in_any_order() {
    let mut one_by_one = bidding();
    let all = asked_of(&one_by_one);
    assert_eq!(all.len(), 3);
    // What is foretold is what the rules ask, one player after the other.
    for asked in &all {
        assert_eq!(asked_of(&one_by_one)[0], *asked);
        one_by_one.choose(&asked.2[..1]).unwrap();
    }
    let mut backwards = bidding();
    for (number, asked) in (1..).zip(&all).collect::<Vec<_>>().into_iter().rev() {
        let left: Vec<String> = asked_of(&backwards).into_iter().map(|(seat, ..)| seat).collect();
        assert_eq!(left, (1..=number).map(|number| format!("p{number}")).collect::<Vec<_>>());
        backwards.choose_as(seat(number), &asked.2[..1]).unwrap();
    }
    assert_eq!(backwards.timeline().log(), one_by_one.timeline().log());
    assert_eq!(backwards.position().scores, one_by_one.position().scores);
    assert_eq!(asked_of(&backwards).len(), 3, "the next choice is open to everybody");

    // An answer that waits is void once the game has changed.
    backwards.choose_as(seat(3), &["yes".to_owned()]).unwrap();
    let error = backwards.choose_as(seat(3), &["no".to_owned()]).unwrap_err().to_string();
    assert!(error.contains("p3 is asked nothing now") && error.contains("those who are asked: p1, p2"), "{error}");
    backwards.undo().unwrap();
    backwards.redo().unwrap();
    assert_eq!(asked_of(&backwards).len(), 3);
    let error = backwards.choose_as(seat(2), &["perhaps".to_owned()]).unwrap_err().to_string();
    assert!(error.contains("perhaps"), "{error}");
}

/// What a player is given as data holds nothing of what the others have in their hands.
#[test]
fn a_view_holds_what_its_viewer_may_know() {
    let mut game = bidding();
    game.choose_as(seat(1), &asked_of(&game)[0].2[..1]).unwrap();
    let view = serde_json::to_value(game.view(Viewer::Seat(seat(2)), 0)).unwrap();
    let zone = |id: &str| view["zones"].as_array().unwrap().iter().find(|zone| zone["id"] == id).unwrap().clone();
    let faces = |id: &str| -> Vec<bool> {
        zone(id)["components"].as_array().unwrap().iter().map(|component| !component["face"].is_null()).collect()
    };
    assert_eq!((faces("p1.hand"), faces("p2.hand")), (vec![false; 3], vec![true; 3]));
    assert_eq!(zone("p1.hand")["count"], 3);
    let asked = view["asked"].as_array().unwrap();
    let open: Vec<_> = asked.iter().map(|one| (one["seat"].as_u64().unwrap(), one["options"].is_null())).collect();
    assert_eq!(open, [(2, false), (3, true)], "p1 has chosen, and p2 does not see the options of p3");
    let place = &asked[0]["options"][0]["places"][0];
    assert_eq!(place[0], "p2.hand");
    // No other file of this deal tells anything else: the hidden hands hold the faces that the whole view tells.
    let all = serde_json::to_string(&game.view(Viewer::Everything, 0)).unwrap();
    let hidden: Vec<String> = (1..=9).map(|number| format!("card-{number}")).collect();
    let text = view.to_string();
    let told = hidden.iter().filter(|id| text.contains(&format!("\"{id}\""))).count();
    assert_eq!((told, hidden.iter().filter(|id| all.contains(&format!("\"{id}\""))).count()), (3, 9));
    // Asked again, only what is new is told.
    let so_far = view["events_so_far"].as_u64().unwrap() as usize;
    assert!(game.view(Viewer::Everything, so_far).events.is_empty());
}

/// A session needs no computer: its lines are answered here as at a terminal, and what needs one says so.
#[test]
fn a_session_needs_no_computer() {
    let library = dare(&[]);
    let (game, _) = Playthrough::start(loaded(&library, &[]), 3, 7, Vec::new()).unwrap();
    let mut session = Session::new(game, library, Language::English, Arc::default(), Arc::new(NoSurroundings));
    let mut line = |typed: &str| match session.line(typed) {
        Ok(Flow::Show(lines) | Flow::Page(lines)) => draw::render(&lines, false),
        Ok(other) => panic!("{other:?}"),
        Err(errors) => errors.to_string(),
    };
    assert!(line("#1").contains("p1"), "a choice is told");
    assert!(line("history").contains("play"));
    assert!(line("sim 20").contains("20 games"), "{}", line("sim 20"));
    assert!(line("sim 20 &").contains("background"));
    assert!(line("wait").contains("20 games"));
    assert!(line("check").contains("0 errors"));
    assert!(line("save game.toml").contains("there are no files here"));
    assert!(line("help score").contains("score(p, card)"));
    assert!(session.candidates("p1.ha").1.iter().any(|one| one.text == "hand"));
    // With a Japanese keyboard, the completion takes the place of as many letters.
    let completed = |line: &str| {
        let (start, found) = session.candidates(line);
        (line[..start].to_owned(), found.into_iter().map(|one| one.text).collect::<Vec<_>>())
    };
    assert_eq!(completed("ｕｎｄ"), (String::new(), vec!["undo".to_owned()]));
    assert_eq!(completed("ａｓ　ａｌ").0, "ａｓ　");
    assert_eq!(completed("ａｓ　ａｌ").1, completed("as al").1);
    assert_eq!(session.usage_hint("ａｕｔｏ　"), session.usage_hint("auto "));
    assert!(session.analysis().members("p1.ha").unwrap().1.iter().all(|one| one.text.starts_with("ha")));
    assert_eq!(session.view(0).asked.len(), 1);
}

#[test]
fn a_page_plays_a_game() {
    let files =
        json!({"games/dare/game.toml": GAME, "games/dare/rules.rhai": RULES, "tests/scenarios/dare/d1.toml": SCENARIO});
    assert_eq!(asked(json!({"files": files})), json!([{"id": "dare", "players": [2, 3]}]));
    let begun = asked(json!({"start": "dare", "players": 2, "seed": 7}));
    assert_eq!((&begun["asked"]["seat"], &begun["scores"]), (&json!("p1"), &json!([0, 0])));
    let chosen = asked(json!({"choose": [begun["asked"]["options"][0]]}));
    assert_eq!(chosen["asked"]["seat"], "p2");
    assert_eq!(asked(json!({"auto": 1}))["asked"], json!(null));
    assert_eq!(asked(json!({"test": "dare"})), json!({"passed": 1, "failed": []}));
    let trace = asked(json!({"trace": "dare", "players": 3, "seed": 3}));
    assert!(trace.as_str().unwrap().lines().count() > 20);
    assert!(asked(json!({"start": "dara", "players": 2}))["error"].as_str().unwrap().contains("did you mean `dare`?"));
    assert_eq!(asked(json!({})), json!({"error": "this is no request"}));
}
