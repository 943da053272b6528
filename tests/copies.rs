//! A game that goes on from copies is the game that is played from its beginning, whatever a person does to it.

use crate::shared::small_game;
use houserule::agent::{AgentSpec, Random, SeatedAgents};
use houserule::definition::{Library, Scalar};
use houserule::playthrough::checkpointed::MAX_CHECKPOINT_BYTES;
use houserule::playthrough::log::Entry;
use houserule::playthrough::run::Until;
use houserule::playthrough::{Playable, Playthrough, Position};
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::reference::meter;
use houserule::table::chance::Stream;
use std::path::PathBuf;
use std::sync::Arc;

fn library() -> Library {
    houserule::Disk::library(vec![PathBuf::from(env!("CARGO_MANIFEST_DIR"))])
}

fn loaded(game: &str, variants: &[String], seats: usize) -> Playable {
    let selection = Selection { game: game.to_owned(), variants: variants.to_vec(), set: Vec::new() };
    let ruleset = Arc::new(Ruleset::load(&library(), &selection).unwrap());
    Playable::compile(ruleset, seats, Arc::default()).unwrap()
}

/// Something that a person does, by chance; what cannot be done here is left.
fn meddle(game: &mut Playthrough, chance: &mut Stream) -> String {
    let end = game.timeline().current().log.len();
    let layout = game.loaded().layout.clone();
    let zone = |chance: &mut Stream| layout.zones[chance.below(layout.zones.len())].id.to_string();
    match chance.below(14) {
        0..=3 => {
            let Some(open) = game.position().open.clone() else { return "over".to_owned() };
            let count = open.min.max(1).min(open.options.len());
            let first = chance.below(open.options.len() - count + 1);
            let labels: Vec<String> =
                open.options[first..first + count].iter().map(|option| option.label.clone()).collect();
            let _ = game.choose(&labels);
            format!("choose {labels:?}")
        }
        4 | 5 => {
            let many = 1 + chance.below(90);
            let agent = Random::new(chance.below(1 << 20) as u64);
            let _ = game.advance(Box::new(agent), Until::Decisions(many));
            format!("auto {many}")
        }
        6 | 7 => format!("undo {:?}", game.undo().is_ok()),
        8 => format!("redo {:?}", game.redo().is_ok()),
        9 => {
            let to = chance.below(end + 1);
            format!("goto {to} {:?}", game.go_to(to).is_ok())
        }
        10 => {
            let face = layout.faces[chance.below(layout.faces.len())].id.to_string();
            let to = zone(chance);
            let entry = Entry::Move { component: face, to: Some(to), position: None };
            format!("{entry} {:?}", game.intervene(entry.clone()).is_ok())
        }
        11 => {
            let value = Scalar::Number(chance.below(30) as i64);
            let entry = Entry::Set { variable: "p1.score".to_owned(), value };
            format!("{entry} {:?}", game.intervene(entry.clone()).is_ok())
        }
        12 => format!("reroll {:?}", game.reroll().is_ok()),
        _ => {
            let entry = Entry::Swap { one: zone(chance), other: zone(chance) };
            format!("{entry} {:?}", game.intervene(entry.clone()).is_ok())
        }
    }
}

#[track_caller]
fn assert_same(one: &Position, other: &Position, after: &[String]) {
    assert_eq!(one.open, other.open, "{after:#?}");
    assert_eq!(one.table, other.table, "{after:#?}");
    assert_eq!(one.events.len(), other.events.len(), "{after:#?}");
    assert!(one.events == other.events, "{after:#?}");
    assert_eq!((&one.scores, &one.ranking, &one.failed), (&other.scores, &other.ranking, &other.failed), "{after:#?}");
    assert_eq!((&one.standings, &one.captions), (&other.standings, &other.captions), "{after:#?}");
    assert_eq!(one.waiting_rigs, other.waiting_rigs, "{after:#?}");
}

#[test]
fn whatever_is_done_it_is_the_game_from_the_beginning() {
    for (number, game) in library().games().into_iter().enumerate() {
        let variants: Vec<String> = library().variants(&game.id).into_iter().map(|variant| variant.id).collect();
        let ruleset = Ruleset::load(&library(), &Selection { game: game.id.clone(), ..Selection::default() }).unwrap();
        for seed in 0..4_u64 {
            let mut chance = Stream::named(seed, "what a person does", number as u32);
            let (fewest, most) = ruleset.definition.players;
            let seats = fewest + chance.below(most - fewest + 1);
            let with: Vec<String> = match seed % 2 {
                0 => Vec::new(),
                _ => variants.get(chance.below(variants.len().max(1))).cloned().into_iter().collect(),
            };
            let selection = Selection { game: game.id.clone(), variants: with.clone(), set: Vec::new() };
            // A variant alone may need another.
            let Ok(allowed) = Ruleset::load(&library(), &selection) else { continue };
            if allowed.check_players(seats).is_err() {
                continue;
            }
            let loaded = loaded(&game.id, &with, seats);
            let (mut play, _) = Playthrough::start(loaded.clone(), seats, seed, Vec::new()).unwrap();
            let mut done = vec![format!("{} {with:?} -p {seats} --seed {seed}", game.id)];
            for _ in 0..40 {
                done.push(meddle(&mut play, &mut chance));
                let log = play.timeline().log().to_vec();
                let (fresh, misfit) = Playthrough::start(loaded.clone(), seats, seed, log).unwrap();
                assert!(misfit.is_none(), "{misfit:?} {done:#?}");
                assert_same(play.position(), fresh.position(), &done);
            }
        }
    }
}

/// Going back behind a reroll: the events before it are told again, not those that came of it.
#[test]
fn the_events_from_before_a_reroll_come_back() {
    for choices in 0..3 {
        let loaded = loaded("hearts", &[], 3);
        let (mut play, _) = Playthrough::start(loaded.clone(), 3, 1, Vec::new()).unwrap();
        play.advance(Box::new(Random::new(1)), Until::Decisions(choices)).unwrap();
        let before = play.timeline().log().to_vec();
        play.reroll().unwrap();
        play.advance(Box::new(Random::new(1)), Until::Decisions(1)).unwrap();
        let face = loaded.layout.faces[0].id.to_string();
        play.intervene(Entry::Move { component: face, to: Some("deck".to_owned()), position: None }).unwrap();
        for entries in (0..=before.len()).rev() {
            play.go_to(entries).unwrap();
            let log = play.timeline().log().to_vec();
            let (fresh, _) = Playthrough::start(loaded.clone(), 3, 1, log.clone()).unwrap();
            assert_same(play.position(), fresh.position(), &[format!("{choices} choices, {log:?}")]);
        }
    }
}

#[test]
fn every_agent_plays_every_game_the_same_in_one_go_and_step_by_step() {
    for game in library().games() {
        let ruleset = Ruleset::load(&library(), &Selection { game: game.id.clone(), ..Selection::default() }).unwrap();
        let loaded = loaded(&game.id, &[], ruleset.definition.players.0.max(2));
        for agent in ["random", "greedy", "search:20"] {
            let seats = loaded.layout.seats;
            let spec = AgentSpec::parse(agent, None).unwrap();
            let company = || Box::new(SeatedAgents::new(7, &vec![spec; seats]));
            let (mut whole, _) = Playthrough::start(loaded.clone(), seats, 7, Vec::new()).unwrap();
            whole.advance(company(), Until::Decisions(12)).unwrap();
            let (mut stepped, _) = Playthrough::start(loaded.clone(), seats, 7, Vec::new()).unwrap();
            for _ in 0..12 {
                stepped.advance(company(), Until::Decisions(1)).unwrap();
            }
            assert_eq!(whole.timeline().log(), stepped.timeline().log(), "{} {agent}", game.id);
            assert_same(whole.position(), stepped.position(), &[]);
        }
    }
}

/// A game of one question after the other, each behind something large.
fn large(script: &str) -> Playable {
    let game = "id = 'large'\nname = 'Large'\nplayers = { min = 2, max = 2 }\n";
    Playable::compile(small_game::game("large", game, script).unwrap(), 2, Arc::default()).unwrap()
}

/// What a run holds may be made anew for each question; the copies along the way have a limit together, and going back
/// is right without those that were not kept.
#[test]
fn copies_of_a_run_that_holds_much_are_few() {
    let values = "fn game() {
        let base = \"\";
        while base.len < 3900 { base += \"abcdefghijklmnopqrstuvwxyz\"; }
        for round in 0..60 {
            let one = row(base, round);
            let other = row(base, -round);
            players.first.choose(\"go\", [1, 2]);
            note(`${round}: ${one.len + other.len}`);
        }
    }
    fn row(base, round) { let row = []; for n in 0..500 { row.push(`${base}${n}${round}`); } row }";
    let registers = format!(
        "fn game() {{ deep(0); }}
        fn deep(n) {{
            if n < 90 {{ return deep(n + 1); }}
            if n > 1000 {{ note(`{}`); }}
            for round in 0..200 {{ players.first.choose(\"go\", [1, 2]); note(`${{round}}`); }}
        }}",
        "${n}".repeat(12_000)
    );
    for (script, moves) in [(values, 40), (registers.as_str(), 30)] {
        let loaded = large(script);
        let before = meter::live_bytes();
        let (mut game, _) = Playthrough::start(loaded.clone(), 2, 1, Vec::new()).unwrap();
        for _ in 0..moves {
            game.choose(&["1".to_owned()]).unwrap();
        }
        let held = meter::live_bytes() - before;
        let most = MAX_CHECKPOINT_BYTES as i64 + (64 << 20);
        assert!(held < most, "{} MiB are held", held >> 20);
        for _ in 0..3 {
            game.undo().unwrap();
        }
        game.choose(&["2".to_owned()]).unwrap();
        let (fresh, _) = Playthrough::start(loaded, 2, 1, game.timeline().log().to_vec()).unwrap();
        assert_same(game.position(), fresh.position(), &[]);
    }
}
