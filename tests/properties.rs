//! What holds in every game, whoever plays it and under whichever variants: thousands of random games.
//!
//! The randomness of these tests is keyed too, so a failure names everything that is needed to see it again.

use houserule::agent::Random;
use houserule::definition::{Library, Scalar};
use houserule::diagnostic::Source;
use houserule::playthrough::log::Entry;
use houserule::playthrough::replay::Replay;
use houserule::playthrough::run::Until;
use houserule::playthrough::{Playable, Playthrough, Position};
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use houserule::table::chance::Stream;
use houserule::table::decision::{Answerer, Halt, Question};
use houserule::table::event::{Event, EventData};
use houserule::table::knowledge::{Viewer, VisibleZones};
use houserule::table::layout::Layout;
use houserule::table::value::{Component, Seat, Value};
use houserule::table::{Recording, Table};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

const GAME: &str = "up-or-down";

/// Rules, seats and a seed: everything that a random game depends on.
#[derive(Clone, Debug)]
struct Case {
    seats: usize,
    variants: Vec<String>,
    seed: u64,
}

impl Case {
    /// The case of a number: any variants that go together, any number of seats.
    fn of(number: u32) -> Case {
        let mut stream = Stream::named(0, "cases of the property tests", number);
        let mut variants = library().variants(GAME);
        stream.shuffle(&mut variants);
        let mut chosen: Vec<houserule::definition::Layer> = Vec::new();
        for variant in variants.into_iter().map(|variant| variant.layer.unwrap()) {
            let fits = chosen
                .iter()
                .all(|other| !other.conflicts.contains_key(&variant.id) && !variant.conflicts.contains_key(&other.id));
            if fits && stream.below(2) == 0 {
                chosen.push(variant);
            }
        }
        let variants = chosen.into_iter().map(|layer| layer.id).collect();
        Case { seats: 2 + stream.below(5), variants, seed: stream.below(1 << 40) as u64 }
    }

    fn base(seats: usize, seed: u64) -> Case {
        Case { seats, variants: Vec::new(), seed }
    }

    fn has(&self, variant: &str) -> bool {
        self.variants.iter().any(|known| known == variant)
    }

    #[track_caller]
    fn load(&self) -> Playable {
        let selection = Selection { game: GAME.to_owned(), variants: self.variants.clone(), set: Vec::new() };
        let loaded = Ruleset::load(&library(), &selection)
            .and_then(|ruleset| Playable::compile(Arc::new(ruleset), self.seats, Arc::default()));
        loaded.unwrap_or_else(|troubles| panic!("{self:?}: {}", troubles[0]))
    }

    #[track_caller]
    fn start(&self) -> Playthrough {
        let (game, misfit) = Playthrough::start(self.load(), self.seats, self.seed, Vec::new()).unwrap();
        assert_eq!(misfit, None, "{self:?}");
        game
    }

    /// A game that random players have played to its end.
    #[track_caller]
    fn played(&self) -> Playthrough {
        let mut game = self.start();
        game.advance(Box::new(Random::new(self.seed)), Until::End).unwrap();
        assert!(game.position().failed.is_none(), "{self:?}: {:?}", game.position().failed);
        assert!(game.position().open.is_none(), "{self:?}");
        game
    }

    // What the rules' specification says, §3.

    fn highest_card(&self) -> u32 {
        let index = self.seats - 2;
        if self.has("short-game") { [42, 60, 78, 96, 96][index] } else { [54, 78, 102, 126, 126][index] }
    }

    fn turns_per_player(&self) -> usize {
        match (self.has("short-game"), self.seats) {
            (false, 6) => 20,
            (false, _) => 24,
            (true, 6) => 15,
            (true, _) => 18,
        }
    }

    /// The decisions that name a colour before the first turn.
    fn colors_named(&self) -> usize {
        let each =
            [("special-color", 1), ("special-color-pro", 2), ("take-any", 1), ("take-special", 1), ("remove-one", 1)];
        each.iter().filter(|(variant, _)| self.has(variant)).map(|(_, count)| count).sum()
    }
}

fn library() -> Library {
    houserule::Disk::library(vec![PathBuf::from(env!("CARGO_MANIFEST_DIR"))])
}

mod rules {
    use super::*;

    /// A game as it ended, in plain values.
    struct Ended {
        end: End,
        zones: BTreeMap<String, Vec<u32>>,
        texts: BTreeMap<String, String>,
        scores: Vec<i64>,
        turns: usize,
        decisions: usize,
        events: Vec<Event>,
        /// What did not hold on the way.
        broken: Vec<String>,
    }

    /// Every set of variants that go together, not only those that chance picks.
    #[test]
    fn every_allowed_combination_is_played_to_its_end() {
        let variants: Vec<houserule::definition::Layer> =
            library().variants(GAME).into_iter().map(|entry| entry.layer.unwrap()).collect();
        let forbidden = |one: usize, other: usize| {
            variants[one].conflicts.contains_key(&variants[other].id)
                || variants[other].conflicts.contains_key(&variants[one].id)
        };
        let mut allowed = 0;
        for set in 0..1_usize << variants.len() {
            let members: Vec<usize> = (0..variants.len()).filter(|member| set >> member & 1 == 1).collect();
            if members.iter().any(|&one| members.iter().any(|&other| forbidden(one, other))) {
                continue;
            }
            allowed += 1;
            let variants = members.iter().map(|&member| variants[member].id.clone()).collect();
            Case { seats: 2 + set % 5, variants, seed: set as u64 }.played();
        }
        assert_eq!(allowed, 864, "three pairs exclude each other, five variants stand alone");
    }

    #[test]
    fn hold_in_every_game() {
        const RULESETS: u32 = 80;
        const GAMES: u64 = 30;
        for number in 0..RULESETS {
            let case = Case::of(number);
            let loaded = case.load();
            for game in 0..GAMES {
                let case = Case { seed: case.seed + game, ..case.clone() };
                check(&case, &play(&loaded.rules, &case));
            }
        }
    }

    fn play(rules: &Rules, case: &Case) -> Ended {
        let broken = Rc::new(RefCell::new(Vec::new()));
        let mut agent =
            Watching { agent: Random::new(case.seed), highest: case.highest_card(), broken: broken.clone() };
        let (run, end) = rules.play(&Start::Game, case.seed, &mut agent, Some(Recording::default()));
        let mut table = run.table;
        let events = table.finish().unwrap_or_default().events;
        let layout = table.layout();
        let texts = layout.variables.iter().enumerate().filter_map(|(number, variable)| match table.variable(number) {
            Value::Text(text) => Some((variable.id.to_string(), text.to_string())),
            _ => None,
        });
        Ended {
            end,
            zones: zones(&table),
            texts: texts.collect(),
            scores: (1..=case.seats).map(|number| table.score(Seat::from_number(number).unwrap())).collect(),
            turns: table.turns(),
            decisions: table.decisions(),
            events,
            broken: broken.borrow().clone(),
        }
    }

    /// Plays at random, and looks at the table whenever a turn begins, and at every list of options.
    struct Watching {
        agent: Random,
        highest: u32,
        broken: Rc<RefCell<Vec<String>>>,
    }

    impl Answerer for Watching {
        fn begin(&mut self, table: &mut Table) {
            self.agent.begin(table);
        }

        fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
            if question.prompt == "play_card" {
                let broken = broken(&zones(table), self.highest);
                self.broken.borrow_mut().extend(broken.map(|what| format!("turn {}: {what}", table.turns())));
            }
            // Logs name options by their labels.
            let options = (0..question.options.len()).map(|position| question.options.value(position));
            let mut labels: Vec<String> = options.map(|option| table.option_label(&option)).collect();
            labels.sort();
            if labels.windows(2).any(|pair| pair[0] == pair[1]) {
                let what = format!("turn {}: {} has equal options: {labels:?}", table.turns(), question.prompt);
                self.broken.borrow_mut().push(what);
            }
            self.agent.answer(table, question, chosen)
        }

        fn intervene(&mut self, table: &mut Table) {
            self.agent.intervene(table);
        }
    }

    fn zones(table: &Table) -> BTreeMap<String, Vec<u32>> {
        let layout = table.layout();
        let held = |id: &str| {
            let components = table.zone(layout.zone_named(id).unwrap());
            components.iter().map(|&component| table.label(component).parse().unwrap()).collect()
        };
        layout.zones.iter().map(|zone| (zone.id.to_string(), held(&zone.id))).collect()
    }

    /// What is wrong with a table between turns.
    fn broken(zones: &BTreeMap<String, Vec<u32>>, highest: u32) -> Option<String> {
        let mut cards: Vec<u32> = zones.values().flatten().copied().collect();
        cards.sort_unstable();
        if cards != (1..=highest).collect::<Vec<_>>() {
            return Some(format!("not every card of the deck is in exactly one zone: {cards:?}"));
        }
        let ring = &zones["ring"];
        if ring.len() != 6 || !ring.is_sorted() {
            return Some(format!("the ring is {ring:?}"));
        }
        let columns = zones.iter().filter(|(id, _)| id.contains(".columns."));
        let mut crooked = columns.filter(|(_, cards)| !is_rising(cards) && !is_falling(cards));
        crooked.next().map(|(id, cards)| format!("{id} is {cards:?}"))
    }

    fn check(case: &Case, ended: &Ended) {
        assert_eq!(ended.end, End::Finished, "{case:?}");
        assert_eq!(ended.broken, Vec::<String>::new(), "{case:?}");
        assert_eq!(broken(&ended.zones, case.highest_card()), None, "{case:?}");
        for (id, cards) in &ended.zones {
            if id.ends_with(".hand") || id.starts_with("face_") || (id == "box" && !case.has("remove-one")) {
                assert!(cards.is_empty(), "{case:?}: {id} holds {cards:?}");
            }
        }

        // Turns and decisions.
        let turns = case.turns_per_player() * case.seats;
        assert_eq!(ended.turns, turns, "{case:?}");
        let asked = |wanted: &str| {
            let is_it = |event: &&Event| matches!(&event.what, EventData::Choice { decision, .. } if &*decision.prompt == wanted);
            ended.events.iter().filter(is_it).count()
        };
        for prompt in ["play_card", "take_neighbour", "place_card"] {
            assert_eq!(asked(prompt), turns, "{case:?}: {prompt}");
        }
        let drawn = case.highest_card() as usize - 3 * case.seats - 6;
        assert_eq!(asked("draw_from"), drawn, "{case:?}");
        assert_eq!(asked("name_color"), case.colors_named(), "{case:?}");
        if !case.has("remove-one") {
            assert_eq!(asked("remove_last"), 0, "{case:?}");
        }
        let all = 3 * turns + drawn + case.colors_named() + asked("remove_last");
        assert_eq!(ended.decisions, all, "{case:?}");

        // Scores.
        for (index, &score) in ended.scores.iter().enumerate() {
            let seat = format!("p{}", index + 1);
            let awarded: i64 = ended
                .events
                .iter()
                .map(|event| match &event.what {
                    EventData::Award { seat: to, points, .. } if to.to_string() == seat => *points,
                    _ => 0,
                })
                .sum();
            assert_eq!(awarded, score, "{case:?}: the awards of {seat}");
            assert_eq!(points(case, ended, &seat), score, "{case:?}: {seat}, counted again from {:?}", ended.zones);
        }
    }

    // The rules once more, written by somebody who has not read the script.

    fn points(case: &Case, ended: &Ended, seat: &str) -> i64 {
        let columns: Vec<&Vec<u32>> = (1..=3).map(|number| &ended.zones[&format!("{seat}.columns.{number}")]).collect();
        let discard = &ended.zones[&format!("{seat}.discard")];
        let mut total = discard.len() as i64;
        for &column in &columns {
            let in_color = |color| column.iter().filter(|&&card| color_of(card) == color).count() as i64;
            let most = COLORS.iter().map(|&color| in_color(color)).max().unwrap_or(0);
            total += column.len() as i64 * most;
            if case.has("rainbow")
                && column
                    .windows(6)
                    .any(|six| COLORS.iter().all(|&color| six.iter().any(|&card| color_of(card) == color)))
            {
                total += 10;
            }
            if case.has("pure-color") && !column.is_empty() && most == column.len() as i64 {
                total += [0, 0, 5, 10, 15, 20, 25, 30][column.len().min(7)];
            }
            let (up, down) = (column.len() > 1 && is_rising(column), column.len() > 1 && is_falling(column));
            let (pays, costs) = match (case.has("special-color"), case.has("special-color-pro")) {
                (true, _) => (ended.texts["special_color"].as_str(), ended.texts["special_color"].as_str()),
                (_, true) => (ended.texts["plus_color"].as_str(), ended.texts["minus_color"].as_str()),
                _ => continue,
            };
            total += if up { in_color(pays) } else { 0 } - if down { in_color(costs) } else { 0 };
        }
        let green = |cards: &[u32]| cards.iter().filter(|&&card| card % 6 == 0).count();
        let triangle = |count: usize| (count.min(10) * (count.min(10) + 1) / 2) as i64;
        if case.has("greenhorn") {
            total += triangle(columns.iter().map(|column| green(column)).sum::<usize>() + green(discard));
        }
        if case.has("greenhorn-pro") {
            total -= triangle(columns.iter().filter(|column| column.len() < 7).map(|column| green(column)).sum());
        }
        total
    }

    /// By remainder of the number divided by six.
    const COLORS: [&str; 6] = ["green", "yellow", "red", "blue", "pink", "purple"];

    fn color_of(card: u32) -> &'static str {
        COLORS[card as usize % 6]
    }

    fn is_rising(cards: &[u32]) -> bool {
        cards.windows(2).all(|pair| pair[0] < pair[1])
    }

    fn is_falling(cards: &[u32]) -> bool {
        cards.windows(2).all(|pair| pair[0] > pair[1])
    }
}

/// That two positions are the same in everything that can be seen of them.
#[track_caller]
fn assert_same(one: &Position, other: &Position, case: &Case) {
    assert_eq!(one.table, other.table, "{case:?}");
    assert_eq!(one.open, other.open, "{case:?}");
    assert_eq!(one.scores, other.scores, "{case:?}");
    assert_eq!(one.ranking, other.ranking, "{case:?}");
    // All events in one message would be a book.
    assert_eq!(one.events.len(), other.events.len(), "{case:?}");
    let different = one.events.iter().zip(&other.events).enumerate().find(|(_, (one, other))| one != other);
    assert_eq!(different, None, "{case:?}");
    assert_eq!(one.standings, other.standings, "{case:?}");
    assert_eq!(one.captions, other.captions, "{case:?}");
    assert_eq!(one.failed, other.failed, "{case:?}");
}

/// The ids of what lies in a zone.
fn lying(game: &Playthrough, zone: &str) -> Vec<String> {
    let layout = &game.loaded().layout;
    let number = layout.zones.iter().position(|known| &*known.id == zone).unwrap();
    let table = &game.position().table;
    table.zones[number].iter().map(|&component| layout.label(&table.faces, &Value::Component(component))).collect()
}

mod time {
    use super::*;

    #[test]
    fn undo_and_redo_lead_back() {
        for number in 100..108 {
            let case = Case::of(number);
            let mut stream = Stream::named(case.seed, "undo and redo", 0);
            let mut game = case.played();
            for _ in 0..6 {
                let length = game.timeline().current().log.len();
                game.go_to(1 + stream.below(length)).unwrap();
                let (before, timeline) = (game.position().clone(), game.timeline().clone());
                let steps = 1 + stream.below(timeline.cursor().min(5));
                let undone: Vec<String> = (0..steps).map(|_| game.undo().unwrap()).collect();
                assert_eq!(game.timeline().cursor() + steps, timeline.cursor());
                assert_ne!(game.position().open, before.open, "{case:?}");
                let redone: Vec<String> = (0..steps).map(|_| game.redo().unwrap()).collect();
                assert!(undone.iter().rev().eq(&redone), "{case:?}: {undone:?}, {redone:?}");
                assert_eq!(*game.timeline(), timeline, "{case:?}");
                assert_same(game.position(), &before, &case);
            }
        }
    }

    #[test]
    fn a_log_leads_to_the_same_game() {
        for number in 200..224 {
            let case = Case::of(number);
            let game = case.played();
            let log = game.timeline().log().to_vec();
            let (again, misfit) = Playthrough::start(case.load(), case.seats, case.seed, log).unwrap();
            assert_eq!(misfit, None, "{case:?}");
            assert_same(again.position(), game.position(), &case);
        }
    }

    #[test]
    fn saving_and_loading_lead_to_the_same_game() {
        for number in 0..60 {
            let case = Case::of(number);
            let mut game = case.played();
            // Somewhere in the middle, with a change by hand on the way.
            let half = game.timeline().cursor() / 2;
            game.go_to(half).unwrap();
            game.intervene(Entry::Set { variable: "p1.score".to_owned(), value: Scalar::Number(7) }).unwrap();
            game.advance(Box::new(Random::new(case.seed + 1)), Until::Decisions(9)).unwrap();
            let saved = Replay::of(&game);
            let text = saved.to_toml();
            let read = Replay::parse(&Source::new("game.toml", &text)).unwrap();
            assert_eq!((&read.replay, read.warnings.len()), (&saved, 0), "{case:?}");
            let replay = read.replay;
            let (again, misfit) = Playthrough::start(case.load(), replay.players, replay.seed, replay.log).unwrap();
            assert_eq!(misfit, None, "{case:?}");
            assert_same(game.position(), again.position(), &case);
            assert_eq!(Replay::of(&again).to_toml(), text, "{case:?}");
        }
    }

    #[test]
    fn threads_make_no_difference() {
        const CASES: u32 = 12;
        let play = |number: u32| {
            let game = Case::of(300 + number).played();
            (game.timeline().log().to_vec(), game.position().events.clone(), game.position().scores.clone())
        };
        let alone: Vec<_> = (0..CASES).map(play).collect();
        for threads in [2, 3] {
            let shared: Vec<_> = std::thread::scope(|scope| {
                let take_turns = |thread| move || (thread..CASES).step_by(threads).map(play).collect::<Vec<_>>();
                let running: Vec<_> = (0..threads as u32).map(|thread| scope.spawn(take_turns(thread))).collect();
                running.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            for (number, expected) in alone.iter().enumerate() {
                assert!(shared[number % threads][number / threads] == *expected, "{:?}", Case::of(300 + number as u32));
            }
        }
    }
}

mod chance {
    use super::*;

    /// What was dealt, as the first player to act finds it.
    fn deal(case: &Case) -> BTreeMap<String, Vec<String>> {
        let mut game = case.start();
        while game.position().open.as_ref().is_some_and(|open| &*open.prompt == "name_color") {
            let first = game.position().open.as_ref().unwrap().options[0].label.clone();
            game.choose(&[first]).unwrap();
        }
        let zones = game.loaded().layout.zones.iter().map(|zone| zone.id.to_string());
        zones.map(|zone| (zone.clone(), lying(&game, &zone))).collect()
    }

    #[test]
    fn a_variant_has_the_deal_of_its_base() {
        for variant in library().variants(GAME).into_iter().filter(|variant| variant.id != "short-game") {
            for seed in 0..5 {
                let base = Case::base(2 + seed as usize, seed);
                let case = Case { variants: vec![variant.id.clone()], ..base.clone() };
                assert_eq!(deal(&case), deal(&base), "{case:?}");
            }
        }
        assert_ne!(deal(&Case::base(2, 1)), deal(&Case::base(2, 2)));
    }

    #[test]
    fn an_extra_shuffle_changes_no_other_deal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("extra-shuffle.toml");
        let script = "fn setup() {
            components(\"card\").move_to(box);
            for time in 0..3 { box.shuffle(); }
            components(\"card\").move_to(face_up);
            face_up.shuffle();
            for card in components(\"card\") { card.move_to(box); }
            super();
        }";
        let text = format!("id = 'extra-shuffle'\ngame = '{GAME}'\nname = 'x'\n[script]\nrhai = '''\n{script}\n'''\n");
        std::fs::write(&path, text).unwrap();
        for seed in 0..10 {
            // With all 126 cards in play none is left in the box.
            let base = Case::base(5 + seed as usize % 2, seed);
            let case = Case { variants: vec![path.to_str().unwrap().to_owned()], ..base.clone() };
            assert_eq!(deal(&case), deal(&base), "{case:?}");
        }
    }

    #[test]
    fn a_rigged_shuffle_gives_the_named_cards_on_top() {
        for number in 400..410 {
            let case = Case { variants: Vec::new(), ..Case::of(number) };
            let mut stream = Stream::named(case.seed, "rigged cards", 0);
            let mut cards: Vec<String> = (1..=case.highest_card()).map(|card| card.to_string()).collect();
            stream.shuffle(&mut cards);
            cards.truncate(6);
            let rig = Entry::Rig { stream: "shuffle face_down".to_owned(), result: cards.clone() };
            let (game, misfit) = Playthrough::start(case.load(), case.seats, case.seed, vec![rig.into()]).unwrap();
            assert_eq!(misfit, None, "{case:?}");
            assert_eq!(lying(&game, "p1.hand"), cards[..3], "{case:?}");
            assert_eq!(lying(&game, "p2.hand"), cards[3..], "{case:?}");
            assert_replays(&game, &case);
        }
    }

    #[test]
    fn interventions_replay() {
        for number in 420..432 {
            let case = Case::of(number);
            let mut stream = Stream::named(case.seed, "interventions", 0);
            let mut game = case.start();
            game.reroll().unwrap();
            game.advance(
                Box::new(Random::new(case.seed)),
                Until::Decisions(case.colors_named() + 4 * stream.below(20)),
            )
            .unwrap();
            let (before, timeline) = (game.position().clone(), game.timeline().clone());

            let score = 100 + stream.below(100) as i64;
            game.intervene(Entry::Set { variable: "p2.score".to_owned(), value: Scalar::Number(score) }).unwrap();
            assert_eq!(game.position().scores[1], score, "{case:?}");
            assert_eq!(game.position().open, before.open, "{case:?}");

            let card = lying(&game, "face_down").pop().unwrap();
            let position = stream.below(lying(&game, "face_up").len() + 1);
            let to_face_up =
                Entry::Move { component: card.clone(), to: Some("face_up".to_owned()), position: Some(position) };
            game.intervene(to_face_up).unwrap();
            assert_eq!(lying(&game, "face_up")[position], card, "{case:?}");
            assert!(!lying(&game, "face_down").contains(&card), "{case:?}");
            assert_replays(&game, &case);

            game.advance(Box::new(Random::new(case.seed + 1)), Until::End).unwrap();
            assert!(game.position().failed.is_none() && game.position().open.is_none(), "{case:?}");
            assert!(
                game.position()
                    .events
                    .iter()
                    .filter(|event| matches!(event.what, EventData::Intervention { .. }))
                    .count()
                    >= 3
            );
            assert_replays(&game, &case);

            // Taken back, nothing of it is left.
            game.go_to(timeline.cursor()).unwrap();
            assert_same(game.position(), &before, &case);
        }
    }

    #[test]
    fn a_reroll_deals_anew() {
        for seed in 0..5 {
            let case = Case::base(3, seed);
            let mut game = case.start();
            let first = lying(&game, "ring");
            game.reroll().unwrap();
            let second = lying(&game, "ring");
            assert_ne!(first, second, "{case:?}");
            game.reroll().unwrap();
            assert_ne!(second, lying(&game, "ring"), "{case:?}");
            assert_replays(&game, &case);
        }
    }

    #[track_caller]
    fn assert_replays(game: &Playthrough, case: &Case) {
        let log = game.timeline().log().to_vec();
        let (again, misfit) = Playthrough::start(case.load(), case.seats, case.seed, log).unwrap();
        assert_eq!(misfit, None, "{case:?}");
        assert_same(again.position(), game.position(), case);
    }
}

mod secrets {
    use super::*;

    /// The face of every component, by handle, as far as the other side of a permutation can be told by it.
    fn faces(layout: &Layout, faces: &[u16], components: &[Component]) -> Vec<String> {
        components.iter().map(|&component| layout.label(faces, &Value::Component(component))).collect()
    }

    #[test]
    fn a_seat_cannot_tell_what_it_does_not_know() {
        let mut permuted = 0;
        for number in 500..512 {
            let case = Case::of(number);
            let mut stream = Stream::named(case.seed, "secrets", 0);
            let mut game = case.played();
            let length = game.timeline().log().len();
            for moment in (0..length).step_by(1 + length / 25) {
                game.go_to(moment).unwrap();
                let layout = game.loaded().layout.clone();
                let table = &game.position().table;
                for seat in (1..=case.seats).filter_map(Seat::from_number) {
                    let mut other = table.clone();
                    other.determinize(&layout, seat, &mut stream);
                    for viewer in [Viewer::Seat(seat), Viewer::Memory(seat)] {
                        let (seen, seen_otherwise) =
                            (VisibleZones::of(&layout, table, viewer), VisibleZones::of(&layout, &other, viewer));
                        assert_eq!(seen, seen_otherwise, "{case:?}: {viewer:?} at move {moment}");
                    }
                    let everything = |table| VisibleZones::of(&layout, table, Viewer::Everything);
                    let is_other = everything(table) != everything(&other);
                    assert_eq!(is_other, table.faces != other.faces, "{case:?}");
                    permuted += usize::from(is_other);
                    // Handles stay, and the faces are the same ones.
                    assert_eq!(table.zones, other.zones, "{case:?}");
                    let sorted = |faces: &[u16]| {
                        let mut faces = faces.to_vec();
                        faces.sort_unstable();
                        faces
                    };
                    assert_eq!(sorted(&table.faces), sorted(&other.faces), "{case:?}");
                }
            }
        }
        assert!(permuted > 500, "only {permuted} tables were permuted: this test has seen too little");
    }

    /// The other side of the test above: what a seat knows stays, what it does not know moves.
    #[test]
    fn what_is_permuted_is_what_others_hold() {
        let case = Case::base(4, 7);
        let game = case.start();
        let (layout, table) = (game.loaded().layout.clone(), &game.position().table);
        let zone = |id: &str| {
            let number = layout.zones.iter().position(|zone| &*zone.id == id).unwrap();
            table.zones[number].to_vec()
        };
        let me = Seat::from_number(1).unwrap();
        let mut changed: BTreeMap<&str, usize> = BTreeMap::new();
        for number in 0..20 {
            let mut other = table.clone();
            other.determinize(&layout, me, &mut Stream::named(7, "deals", number));
            for id in ["p1.hand", "ring", "p2.hand", "p4.hand", "face_down", "face_up"] {
                let held = zone(id);
                let is_changed = faces(&layout, &table.faces, &held) != faces(&layout, &other.faces, &held);
                *changed.entry(id).or_default() += usize::from(is_changed);
            }
            let top = *zone("face_up").last().unwrap();
            assert_eq!(faces(&layout, &table.faces, &[top]), faces(&layout, &other.faces, &[top]));
        }
        assert_eq!((changed["p1.hand"], changed["ring"]), (0, 0));
        for id in ["p2.hand", "p4.hand", "face_down", "face_up"] {
            assert!(changed[id] >= 15, "{id} changed {} times of 20", changed[id]);
        }
        // A table on which p2's hand lay open would be told from the permuted one.
        let mut other = table.clone();
        other.determinize(&layout, me, &mut Stream::named(7, "deals", 0));
        let p2 = Viewer::Seat(Seat::from_number(2).unwrap());
        assert_ne!(VisibleZones::of(&layout, table, p2), VisibleZones::of(&layout, &other, p2));
    }
}
