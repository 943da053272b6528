//! What holds of watched rules in every game on disk, under whichever variants: that nothing shows whether somebody
//! watches, and that the debugger goes back the way that it came.
//!
//! The randomness of these tests is keyed, so a failure names everything that is needed to see it again.

use houserule::agent::Random;
use houserule::definition::{Layer, Library, Scalar, Setting as Declared};
use houserule::inspect::debugger::{Breakpoint, Call, Debugger, Place, Places, Reason, Stop, Target};
use houserule::playthrough::log::Entry;
use houserule::playthrough::replay::Replay;
use houserule::playthrough::run::Until;
use houserule::playthrough::{Playable, Playthrough, Position};
use houserule::ruleset::{Ruleset, Selection};
use houserule::table::chance::Stream;
use houserule::table::event::Event;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Rules, seats and a seed: everything that a random game depends on.
#[derive(Clone, Debug)]
struct Case {
    selection: Selection,
    seats: usize,
    seed: u64,
}

fn library() -> Library {
    houserule::Disk::library(vec![PathBuf::from(env!("CARGO_MANIFEST_DIR"))])
}

fn games() -> Vec<Layer> {
    let games: Vec<Layer> = library().games().into_iter().map(|entry| entry.layer.unwrap()).collect();
    assert!(games.len() > 5, "only {} games were found", games.len());
    games
}

impl Case {
    /// The case of a number: any variants of the game that go together, `first` among them if it is named, with any
    /// settings, and any number of seats.
    fn of(game: &Layer, first: Option<&str>, number: u32) -> Case {
        let mut stream = Stream::named(0, &format!("cases of {}", game.id), number);
        let mut variants: Vec<Layer> =
            library().variants(&game.id).into_iter().map(|variant| variant.layer.unwrap()).collect();
        stream.shuffle(&mut variants);
        variants.sort_by_key(|variant| Some(variant.id.as_str()) != first);
        let mut chosen: Vec<Layer> = Vec::new();
        for variant in variants {
            let fits = chosen
                .iter()
                .all(|other| !other.conflicts.contains_key(&variant.id) && !variant.conflicts.contains_key(&other.id));
            if fits && (Some(variant.id.as_str()) == first || stream.below(3) == 0) {
                chosen.push(variant);
            }
        }
        let mut set = Vec::new();
        for layer in std::iter::once(game).chain(&chosen) {
            for (name, declared) in &layer.settings {
                if stream.below(2) == 0
                    && let Some(value) = any(declared, &mut stream)
                {
                    set.push(format!("{}.{name}={value}", layer.id));
                }
            }
        }
        let variants = chosen.into_iter().map(|layer| layer.id).collect();
        let selection = Selection { game: game.id.clone(), variants, set };
        let (fewest, most) = Ruleset::load(&library(), &selection).map_or((2, 2), |rules| rules.definition.players);
        Case { selection, seats: fewest + stream.below(most - fewest + 1), seed: stream.below(1 << 40) as u64 }
    }

    #[track_caller]
    fn load(&self) -> Playable {
        let loaded = Ruleset::load(&library(), &self.selection)
            .and_then(|ruleset| Playable::compile(Arc::new(ruleset), self.seats, Arc::default()));
        loaded.unwrap_or_else(|troubles| panic!("{self:?}: {}", troubles[0]))
    }

    /// A game in which so many decisions were made at random, if it is as long as that.
    #[track_caller]
    fn played(&self, decisions: usize) -> Playthrough {
        let (mut game, misfit) = Playthrough::start(self.load(), self.seats, self.seed, Vec::new()).unwrap();
        assert_eq!(misfit, None, "{self:?}");
        self.plays(&mut game, decisions);
        game
    }

    #[track_caller]
    fn plays(&self, game: &mut Playthrough, decisions: usize) {
        if decisions > 0 && game.position().open.is_some() {
            game.advance(Box::new(Random::new(self.seed)), Until::Decisions(decisions)).unwrap();
        }
        assert!(game.position().failed.is_none(), "{self:?}: {:?}", game.position().failed);
    }
}

/// Something that a setting can be.
fn any(declared: &Declared, stream: &mut Stream) -> Option<toml::Value> {
    let limits = (declared.min, declared.max);
    match (&declared.default, declared.choices.as_slice(), limits) {
        (toml::Value::Array(_), ..) => None,
        (_, choices @ [_, ..], _) => Some(choices[stream.below(choices.len())].clone()),
        (toml::Value::Boolean(_), ..) => Some(toml::Value::Boolean(stream.below(2) == 0)),
        (toml::Value::Integer(_), _, (Some(min), Some(max))) => {
            Some(toml::Value::Integer(min + stream.below(1 + (max - min).min(3) as usize) as i64))
        }
        _ => None,
    }
}

mod watching {
    use super::*;

    /// The whole log gone through with somebody watching each statement comes to what it came to with nobody there.
    #[test]
    fn changes_nothing_in_any_game_under_any_variant() {
        let (mut statements, mut finished, mut seen) = (0, 0, BTreeSet::new());
        for game in games() {
            let variants: Vec<String> = library().variants(&game.id).into_iter().map(|entry| entry.id).collect();
            let named = variants.iter().map(|id| Some(id.as_str()));
            for (number, first) in named.chain([None; 4]).enumerate() {
                let case = Case::of(&game, first, number as u32);
                seen.extend(case.selection.variants.iter().map(|id| (game.id.clone(), id.clone())));
                let mut stream = Stream::named(case.seed, "how far", 0);
                let decisions = if number % 9 == 0 { 100_000 } else { stream.below(60) };
                let played = case.played(decisions);
                let mut debugger = Debugger::enter(places(&played), &played, 0).unwrap();
                while !debugger.stop().reason.is_end() {
                    debugger.step(10_000).unwrap();
                    statements += debugger.stop().place.step;
                }
                let (here, there) = (&debugger.stop().position, played.position());
                assert_eq!(here.open.is_some(), there.open.is_some(), "{case:?}");
                assert_eq!(here.table, there.table, "{case:?}");
                assert_eq!((&here.scores, &here.ranking), (&there.scores, &there.ranking), "{case:?}");
                assert_same_events(&case, &here.events.clone().into_vec(), &there.events.clone().into_vec());
                finished += usize::from(debugger.stop().reason == Reason::Over);
            }
            assert!(variants.iter().all(|id| seen.contains(&(game.id.clone(), id.clone()))), "{}", game.id);
        }
        assert!(statements > 500 && finished > 6, "{statements} statements, {finished} whole games");
    }
}

/// Where the rules of a game can be stopped.
fn places(game: &Playthrough) -> Places {
    Places::of(game.loaded())
}

#[track_caller]
fn assert_same_events(case: &Case, some: &[Event], others: &[Event]) {
    // All events in one message would be a book.
    let different = some.iter().zip(others).enumerate().find(|(_, (one, other))| one != other);
    assert_eq!(different, None, "{case:?}");
    assert_eq!(some.len(), others.len(), "{case:?}");
}

mod forwards_and_back {
    use super::*;

    const CASES: u32 = 5;

    /// A game at a random decision, with changes by hand on the way in every other case, and the debugger somewhere in it.
    fn entered(game: &Layer, number: u32) -> (Case, Playthrough, Debugger, Stream) {
        let case = Case::of(game, None, 1_000 + number);
        let mut stream = Stream::named(case.seed, "stepping", 0);
        let mut played = case.played(stream.below(25));
        if number % 2 == 1 {
            let score = played.loaded().layout.variables
                [played.loaded().layout.score_of(houserule::table::value::Seat::from_number(1).unwrap())]
            .id
            .to_string();
            for value in [7, 9] {
                if played.position().open.is_some() {
                    let entry = Entry::Set { variable: score.clone(), value: Scalar::Number(value) };
                    played.intervene(entry).unwrap();
                    case.plays(&mut played, 1 + stream.below(3));
                }
            }
        }
        let entries = stream.below(played.timeline().log().len() + 1);
        let debugger = Debugger::enter(places(&played), &played, entries).unwrap();
        (case, played, debugger, stream)
    }

    /// Goes to any statement of the run.
    fn go_anywhere(debugger: &mut Debugger, stream: &mut Stream) {
        let _ = debugger.resume(&[]);
        debugger.back(1 + stream.below(400) as u64).unwrap();
    }

    /// Everything that is shown where the rules are stopped, but for why they stand there.
    type Shot = (Place, Vec<Call>, Position);

    fn shot(debugger: &Debugger) -> Shot {
        let Stop { place, calls, position, .. } = debugger.stop().clone();
        (place, calls, position)
    }

    #[track_caller]
    fn assert_same(case: &Case, one: &Shot, other: &Shot) {
        assert_eq!(one.0, other.0, "{case:?}");
        assert_eq!(one.1, other.1, "{case:?}: calls at {:?}", one.0);
        assert_eq!(one.2.table, other.2.table, "{case:?}: table at {:?}", one.0);
        assert_eq!(one.2.scores, other.2.scores, "{case:?}: scores at {:?}", one.0);
        assert_same_events(case, &one.2.events.clone().into_vec(), &other.2.events.clone().into_vec());
        assert_same_otherwise(case, &one.2, &other.2);
    }

    /// What the table and the events do not tell of two positions.
    #[track_caller]
    fn assert_same_otherwise(case: &Case, one: &Position, other: &Position) {
        assert_eq!((&one.scores, &one.ranking, &one.open), (&other.scores, &other.ranking, &other.open), "{case:?}");
        assert_eq!((&one.standings, &one.captions), (&other.standings, &other.captions), "{case:?}");
        assert_eq!((&one.failed, &one.waiting_rigs), (&other.failed, &other.waiting_rigs), "{case:?}");
    }

    fn is_at_end(debugger: &Debugger) -> bool {
        debugger.stop().reason.is_end()
    }

    /// So many statements on one by one, and back again one by one, is the same way; so is each of them at once.
    #[test]
    fn forwards_and_backwards_are_the_same_way() {
        let (mut taken, mut far) = (0, 0);
        for game in games() {
            for number in 0..CASES {
                let (case, _, mut debugger, mut stream) = entered(&game, number);
                go_anywhere(&mut debugger, &mut stream);
                let mut way = vec![shot(&debugger)];
                for _ in 0..6 {
                    if !is_at_end(&debugger) {
                        debugger.step(1).unwrap();
                        way.push(shot(&debugger));
                    }
                }
                assert!(way.is_sorted_by(|one, other| one.0 < other.0), "{case:?}");
                let distance = way.len() as u64 - 1;
                for place in way.iter().rev().skip(1) {
                    debugger.back(1).unwrap();
                    assert_same(&case, &shot(&debugger), place);
                }
                if distance > 0 {
                    debugger.step(distance).unwrap();
                    assert_same(&case, &shot(&debugger), &way[distance as usize]);
                    debugger.back(distance).unwrap();
                    assert_same(&case, &shot(&debugger), &way[0]);
                }
                taken += distance;
                // So are many at once, through calls and decisions.
                let (before, many) = (shot(&debugger), 1 + stream.below(300) as u64);
                if !is_at_end(&debugger) {
                    debugger.step(many).unwrap();
                }
                if !is_at_end(&debugger) {
                    let after = shot(&debugger);
                    debugger.back(many).unwrap();
                    assert_same(&case, &shot(&debugger), &before);
                    debugger.step(many).unwrap();
                    assert_same(&case, &shot(&debugger), &after);
                    far += 1;
                }
            }
        }
        assert!(taken > 40 && far > 4, "only {taken} steps were taken, and {far} times many");
    }

    #[test]
    fn over_and_out_of_calls_lead_back_too() {
        let (mut over, mut out) = (0, 0);
        for game in games() {
            for number in 0..CASES {
                let (case, _, mut debugger, mut stream) = entered(&game, number);
                go_anywhere(&mut debugger, &mut stream);
                for turn in 0..4 {
                    if is_at_end(&debugger) {
                        break;
                    }
                    let before = shot(&debugger);
                    let depth = before.1.len();
                    if turn % 2 == 0 {
                        debugger.over(&[]).unwrap()
                    } else {
                        debugger.out(&[]).unwrap()
                    }
                    let after = shot(&debugger);
                    assert!(after.0 > before.0, "{case:?}");
                    if is_at_end(&debugger) {
                        break;
                    }
                    assert!(after.1.len() <= depth - turn % 2, "{case:?}");
                    debugger.back(1).unwrap();
                    over += usize::from(turn % 2 == 0 && debugger.stop().place != before.0);
                    debugger.step(1).unwrap();
                    assert_same(&case, &shot(&debugger), &after);
                    if after.1.len() == depth {
                        debugger.back_over().unwrap();
                        assert_same(&case, &shot(&debugger), &before);
                        debugger.over(&[]).unwrap();
                    } else if after.1.len() + 1 == depth {
                        // The statement before is the one that called.
                        debugger.back_over().unwrap();
                        let called = before.1.iter().rev().nth(1).unwrap();
                        let site = debugger.stop().calls.last().unwrap().site.clone();
                        // Of a loop that goes round, the statement before is the last one in it.
                        let is_loop = site.function == called.site.function && site.at.line > called.site.at.line;
                        assert!(site == called.site || is_loop, "{case:?}: {site:?}, {:?}", called.site);
                        debugger.over(&[]).unwrap();
                        out += 1;
                    }
                    assert_same(&case, &shot(&debugger), &after);
                }
            }
        }
        assert!(over > 3 && out > 3, "{over} calls were stepped over, {out} left");
    }

    #[test]
    fn behind_the_last_statement_the_game_stands_where_it_stood() {
        let mut asked = 0;
        for game in games() {
            for number in 0..CASES {
                let (case, played, _, _) = entered(&game, number);
                let entries = played.timeline().log().len();
                let mut debugger = Debugger::enter(places(&played), &played, entries).unwrap();
                if !is_at_end(&debugger) {
                    debugger.resume(&[]).unwrap();
                }
                let end = shot(&debugger);
                let (here, there) = (&end.2, played.position());
                assert_eq!((&here.table, &here.scores), (&there.table, &there.scores), "{case:?}");
                assert_eq!((&here.standings, &here.captions), (&there.standings, &there.captions), "{case:?}");
                assert_eq!(here.events.len(), there.events.len(), "{case:?}");
                assert_eq!(here.open.is_some(), debugger.stop().reason == Reason::Asks, "{case:?}");
                let asks = |position: &Position| {
                    let open = position.open.as_ref()?;
                    Some((open.seat, open.prompt.clone(), open.options.clone(), open.refused.clone()))
                };
                assert_eq!(asks(here), asks(there), "{case:?}");
                asked += usize::from(here.open.is_some());
                assert!(debugger.step(1).is_err() && debugger.over(&[]).is_err() && debugger.resume(&[]).is_err());
                debugger.back(1).unwrap();
                assert!(debugger.stop().place < end.0, "{case:?}");
                debugger.step(1).unwrap();
                assert_same(&case, &shot(&debugger), &end);
                // Twice back without a breakpoint is the beginning of the game.
                debugger.rewind(&[]).unwrap();
                if !debugger.stop().place.is_first() {
                    debugger.rewind(&[]).unwrap();
                }
                assert!(debugger.stop().place.is_first(), "{case:?}");
                assert_eq!(debugger.stop().reason, Reason::Beginning, "{case:?}");
                assert!(debugger.back(1).is_err() && debugger.rewind(&[]).is_err() && debugger.back_over().is_err());
            }
        }
        assert!(asked > 8, "only {asked} decisions were open");
    }

    /// The breakpoints that are met on the way are the same in both directions, and the last is found from behind.
    #[test]
    fn breakpoints_are_met_in_both_directions() {
        let mut met = 0;
        for game in games() {
            for number in 0..CASES {
                let (case, _, mut debugger, mut stream) = entered(&game, number);
                while !debugger.stop().place.is_first() {
                    debugger.rewind(&[]).unwrap();
                }
                let places = debugger.places().clone();
                let place = places.target("turn", None).or_else(|_| places.target("round", None)).unwrap();
                let event = places.target(["event turn", "event choice"][stream.below(2)], None).unwrap();
                let points = [
                    Breakpoint { number: 1, target: place, condition: None },
                    Breakpoint { number: 2, target: event, condition: None },
                    Breakpoint { number: 3, target: Target::Change("p1.score".to_owned()), condition: None },
                ];
                let mut way: Vec<(Shot, Reason)> = Vec::new();
                while way.len() < 6 && !is_at_end(&debugger) {
                    debugger.resume(&points).unwrap();
                    way.push((shot(&debugger), debugger.stop().reason.clone()));
                }
                let breakpoints =
                    |place: &(Shot, Reason)| matches!(place.1, Reason::Breakpoint(..) | Reason::Changes(..));
                met += way.iter().filter(|place| breakpoints(place)).count();
                for (place, reason) in way.iter().rev().skip(1) {
                    debugger.rewind(&points).unwrap();
                    assert_same(&case, &shot(&debugger), place);
                    assert_eq!(debugger.stop().reason, *reason, "{case:?}");
                }
            }
        }
        assert!(met > 20, "only {met} breakpoints were met");
    }

    #[test]
    fn nothing_in_the_debugger_touches_the_game() {
        for game in games() {
            let (case, played, mut debugger, mut stream) = entered(&game, 3);
            let (saved, before) = (Replay::of(&played).to_toml(), played.position().clone());
            let again = |played: &Playthrough| {
                let log = played.timeline().log().to_vec();
                Playthrough::start(case.load(), case.seats, case.seed, log).unwrap().0
            };
            for _ in 0..6 {
                let _ = match stream.below(5) {
                    0 => debugger.step(3),
                    1 => debugger.over(&[]),
                    2 => debugger.out(&[]),
                    3 => debugger.back(2),
                    _ => debugger.rewind(&[]),
                };
                let _ = debugger.see("players.len");
            }
            assert_eq!(Replay::of(&played).to_toml(), saved, "{case:?}");
            for position in [played.position(), again(&played).position()] {
                assert_eq!(position.table, before.table, "{case:?}");
                assert_same_events(&case, &position.events.clone().into_vec(), &before.events.clone().into_vec());
                assert_same_otherwise(&case, position, &before);
            }
        }
    }
}
