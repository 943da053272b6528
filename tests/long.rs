//! Games of thousands of moves: what happened in them is told as if all of it were at hand, and a move costs no memory to
//! speak of.

use crate::shared::small_game;
use houserule::Replay;
use houserule::agent::Random;
use houserule::definition::Language;
use houserule::parts::{Entry, History, Request, Scalar, Subject, Viewer, run};
use houserule::playthrough::run::Until;
use houserule::playthrough::{Playable, Playthrough};
use houserule::screen::{self, Scene};
use houserule::script::Start;
use houserule::table::Recording;
use houserule::table::event::{Event, EventData};
use houserule::table::value::Seat;
use houserule::work::Work;
use houserule::{Observer, Why};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Cards move, a tile turns, and some of what was chosen in secret is shown. One die is rolled all the time; another was
/// rolled once in a hand, and goes from hand to hand ever since.
const RULES: &str = "
fn game() {
    let cards = components(\"card\");
    cards.move_to(deck);
    deck[0].move_to(players[1].rows[1]);
    components(\"die\").last.move_to(players[1].hand);
    players[1].hand[0].roll();
    loop {
        for p in players {
            let bid = p.choose_secretly(\"bid\", 1..=6);
            components(\"die\").first.roll();
            components(\"tile\").last.flip();
            components(\"die\").last.move_to(p.hand);
            if p.may(\"show\") { p.show_choice(\"bid\"); }
            deck[0].move_to(p.hand);
            p.hand.last.move_to(deck);
            p.award(bid, \"bid\");
        }
    }
}
";

/// So many moves that most of what happened is not at hand.
const MOVES: usize = 3_000;

fn loaded(work: Arc<Work>) -> Playable {
    let definition = small_game::GAME.replace("id = \"die-{eyes}\"", "id = \"die-{eyes}\"\nface = \"die {value}\"");
    let ruleset = small_game::game("small", definition, RULES).unwrap_or_else(|errors| panic!("{errors}"));
    Playable::compile(ruleset, 2, work).unwrap_or_else(|errors| panic!("{errors}"))
}

fn played(moves: usize) -> Playthrough {
    let mut game = Playthrough::start(loaded(Arc::default()), 2, 1, Vec::new()).unwrap().0;
    game.advance(Box::new(Random::new(5)), Until::Decisions(moves)).unwrap();
    assert_eq!(game.timeline().cursor(), moves);
    game
}

/// Everything that happened, from one run that keeps it.
fn recorded(game: &Playthrough) -> Vec<Event> {
    let (log, recording) = (game.timeline().log(), Some(Recording::default()));
    let request = Request { start: &Start::Game, seed: game.seed, log, agent: None, recording };
    run(&game.loaded().rules, request).run.table.finish().unwrap().events
}

/// How many events are not at hand.
fn let_go(history: &History) -> usize {
    history.len() - history.at_hand().0.len()
}

#[track_caller]
fn assert_whole(game: &Playthrough) {
    let (history, events) = (&game.position().events, recorded(game));
    assert_eq!(history.len(), events.len());
    assert_eq!(history.last(), events.last());
    // One by one, and from where they are held then.
    for _ in 0..2 {
        let mut read = events.iter();
        history.for_each(|event| assert_eq!(Some(event), read.next()));
        assert!(read.next().is_none());
        assert!(history.clone().into_vec() == events && history.iter().eq(&events));
    }
    assert!(history.backwards().eq(events.iter().rev()));
}

#[test]
fn what_is_not_at_hand_comes_out_as_it_did() {
    let game = played(MOVES);
    assert_whole(&game);
    let (history, events) = (&game.position().events, recorded(&game));
    let gone = let_go(history);
    assert!(gone > history.len() / 2 && gone < history.len());
    for count in [0, 1, gone - 1, gone, gone + 1, events.len() - 1, events.len(), events.len() + 1] {
        assert!(history.since(count).concat() == events.get(count..).unwrap_or_default(), "since {count}");
    }
    let border = events[gone].moves;
    for number in [0, 1, border - 1, border, border + 1, MOVES, MOVES + 1] {
        let expected: Vec<&Event> = events.iter().filter(|event| event.moves == number).collect();
        assert!(history.of_move(number).iter().eq(expected), "move {number}");
        let later = events.iter().filter(|event| event.moves >= number);
        assert!(history.from_move(number).into_iter().flatten().eq(later), "from move {number}");
        let before = events.iter().rev().filter(|event| event.moves <= number);
        assert!(history.backwards_from(number).eq(before), "up to move {number}");
    }
    assert_whole(&game);
}

#[test]
fn every_viewer_is_told_the_same_as_if_all_were_at_hand() {
    let game = played(MOVES);
    let mut whole = game.position().clone();
    whole.events = recorded(&game).into();
    assert_eq!((let_go(&whole.events), whole.events.shown_choices()), (0, game.position().events.shown_choices()));
    for viewer in [Viewer::Everything, Viewer::Seat(Seat(1)), Viewer::Memory(Seat(0)), Viewer::Public(2)] {
        let scene = Scene::of(&game, viewer, Language::English, 80);
        let other = Scene { position: &whole, ..Scene::of(&game, viewer, Language::English, 80) };
        let text =
            |lines: Vec<screen::style::Line>| lines.iter().map(|line| line.text()).collect::<Vec<_>>().join("\n");
        assert_eq!(text(screen::table(&scene)), text(screen::table(&other)));
        // The latest stretch, before anybody has read another; then all of it.
        for count in [whole.events.len() - 40, let_go(&game.position().events) - 40, 0] {
            let told = |scene: &Scene<'_>| {
                let news = scene.position.events.since(count);
                text(news.into_iter().flat_map(|events| screen::log(scene, events)).collect())
            };
            let (is, expected) = (told(&scene), told(&other));
            assert!(is == expected && !is.is_empty(), "since {count} for {viewer:?}");
        }
    }
    let steps = |position| {
        let observer = Observer { loaded: game.loaded(), position, viewer: Viewer::Everything };
        let why = observer.why(Subject::LastChoice, true).unwrap();
        let Why::LastChoice(steps) = why else { panic!("{why:?}") };
        steps.iter().flat_map(|step| step.events.clone()).cloned().collect::<Vec<_>>()
    };
    let [is, expected] = [game.position(), &whole].map(steps);
    assert!(is == expected && matches!(is[0].what, EventData::Choice { .. }) && is.len() > 1);
}

#[test]
fn who_plays_on_needs_nothing_that_is_not_at_hand() {
    let mut game = played(MOVES);
    for _ in 0..20 {
        game.advance(Box::new(Random::new(6)), Until::Decisions(1)).unwrap();
        let scene = Scene::of(&game, Viewer::Seat(Seat(0)), Language::English, 80);
        let count = game.position().events.len();
        assert!(!screen::table(&scene).is_empty() && !screen::look(&scene).is_empty());
        assert!(game.view(Viewer::Public(2), count - 10).events.len() == 10);
        let told = screen::log(&scene, game.position().events.since(count - 40)[1]);
        assert!(told.iter().any(|line| line.text().contains("hand → ")), "the die that was rolled long ago");
        assert!(
            Replay::of(&game).result.is_some_and(|result| result.course.is_some_and(|course| course.len() > 1_000))
        );
        assert!(!game.position().events.is_held(), "somebody has read all of it");
    }
    // What is tried on a copy of the table is none of these events.
    let tried = game
        .look_at("deck[0].move_to(p1.hand); components(\"die\").last.move_to(deck); p1.show_choice(\"bid\")")
        .unwrap()
        .recording;
    let scene = Scene::of(&game, Viewer::Everything, Language::English, 80);
    assert!(screen::log(&scene, &tried.events).len() > 2 && !game.position().events.is_held());
    // Who goes back a step behind all that is at hand goes back another.
    game.go_to(1_000).unwrap();
    for _ in 0..20 {
        game.undo().unwrap();
        assert!(game.position().events.at_hand().0.len() > 1_000 && !game.position().events.is_held());
    }
    assert!(game.position().events.iter().count() > 0 && game.position().events.is_held());
}

#[test]
fn entries_of_agents_that_play_move_by_move_are_held_once_too() {
    let mut game = Playthrough::start(loaded(Arc::default()), 2, 1, Vec::new()).unwrap().0;
    for seed in 0..200 {
        game.advance(Box::new(Random::new(seed)), Until::Decisions(1)).unwrap();
    }
    let log = game.timeline().log();
    let first = |entry: &Arc<Entry>| log.iter().position(|earlier| earlier == entry).unwrap();
    assert!(log.iter().all(|entry| Arc::ptr_eq(entry, &log[first(entry)])));
    assert!(game.track().log().iter().zip(log).all(|(one, other)| Arc::ptr_eq(one, other)));
}

#[test]
fn going_far_back_and_on_again_keeps_what_happened() {
    let mut game = played(MOVES);
    let end = recorded(&game);
    let gone = let_go(&game.position().events);
    let border = end[gone].moves;
    for entries in [MOVES - 1, border + 1, border, border - 1, 700, 3, 0, border, MOVES] {
        assert!(game.go_to(entries).unwrap().is_none());
        assert_whole(&game);
    }
    assert!(game.position().events.clone().into_vec() == end);
    // Another way from the middle of what was not at hand.
    game.go_to(border - 9).unwrap();
    game.reroll().unwrap();
    assert_whole(&game);
    game.intervene(Entry::Set { variable: "p1.score".to_owned(), value: Scalar::Number(7) }).unwrap();
    assert_whole(&game);
    game.advance(Box::new(Random::new(8)), Until::Decisions(MOVES)).unwrap();
    assert_whole(&game);
    game.undo().unwrap();
    assert_whole(&game);
    let saved = Replay::of(&game);
    let again = Playthrough::start(game.loaded().clone(), 2, game.seed, saved.log).unwrap().0;
    assert!(again.position().events == game.position().events);
}

#[test]
fn work_that_is_stopped_loses_nothing() {
    let work = Arc::new(Work::default());
    let mut game = Playthrough::start(loaded(work.clone()), 2, 1, Vec::new()).unwrap().0;
    game.advance(Box::new(Random::new(5)), Until::Decisions(MOVES)).unwrap();
    let (events, here) = (recorded(&game), game.timeline().cursor());
    work.stop();
    // A run is stopped before its next move; where a copy stands there, none is needed.
    assert!(game.go_to(MOVES / 3 + 1).is_err());
    assert_eq!(game.timeline().cursor(), here);
    assert!(
        game.position().events.clone().into_vec() == events,
        "what had happened is read though the work is stopped"
    );
    work.begin();
    assert!(game.go_to(MOVES / 3 + 1).unwrap().is_none());
    assert_whole(&game);
}

/// A clock that goes on by a millisecond whenever somebody looks at it.
fn clock_of_looks() -> Duration {
    static LOOKS: AtomicU64 = AtomicU64::new(0);
    Duration::from_millis(LOOKS.fetch_add(1, Ordering::Relaxed))
}

#[test]
fn work_that_is_stopped_far_on_its_way_loses_nothing() {
    let work = Arc::new(Work::default());
    let mut game = Playthrough::start(loaded(work.clone()), 2, 1, Vec::new()).unwrap().0;
    for half in 0..2 {
        game.advance(Box::new(Random::new(5 + half)), Until::Decisions(MOVES)).unwrap();
        // The stretch before a change by hand is gone through again.
        game.intervene(Entry::Set { variable: "p1.score".to_owned(), value: Scalar::Number(7) }).unwrap();
    }
    for (here, there) in [(300, 2 * MOVES), (MOVES, 2 * MOVES), (2 * MOVES, MOVES - 7)] {
        game.go_to(here).unwrap();
        let events = recorded(&game);
        for looks in [10, 1_500, 2_900, 4_500] {
            let gone = let_go(&game.position().events);
            work.begin();
            work.end_after(clock_of_looks, Duration::from_millis(looks));
            let went = game.go_to(there);
            work.begin();
            if went.is_ok() {
                // There was a copy near by.
                game.go_to(here).unwrap();
                continue;
            }
            assert_eq!((game.timeline().cursor(), let_go(&game.position().events)), (here, gone));
            assert!(game.position().events.clone().into_vec() == events, "from {here} to {there}, {looks} looks");
            game.go_to(there).unwrap();
            assert_whole(&game);
            game.go_to(here).unwrap();
        }
    }
    game.go_to(2 * MOVES).unwrap();
    assert_whole(&game);
}

#[test]
fn entries_that_are_alike_are_held_once() {
    let game = played(MOVES);
    let log = game.timeline().log();
    let mut held: Vec<*const Entry> = log.iter().map(|entry| ptr::from_ref(&**entry)).collect();
    held.sort_unstable();
    held.dedup();
    assert!(held.len() < 60, "{} of {MOVES}", held.len());
}
