//! Who stands how, decision by decision: what is taken from before is what would be worked out anew.

use crate::shared::golden_games::GOLDEN;
use crate::shared::small_game::{self, GAME};
use houserule::agent::Random;
use houserule::playthrough::Playable;
use houserule::ruleset::Ruleset;
use houserule::script::appraisal::Appraiser;
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use houserule::table::Table;
use houserule::table::chance::Stream;
use houserule::table::decision::{Answerer, Halt, Question};
use houserule::table::value::{Seats, Value};
use std::sync::Arc;

/// Plays at random, and compares before each decision.
struct Follower<'a> {
    rules: &'a Rules,
    random: Random,
    kept: Appraiser,
    decisions: usize,
    /// How often the standings were other than at the decision before.
    changes: usize,
    last: Vec<i64>,
}

impl Answerer for Follower<'_> {
    fn begin(&mut self, table: &mut Table) {
        self.random.begin(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let (mut kept, mut anew) = (Vec::new(), Vec::new());
        let is_told = self.rules.standings(table, &mut self.kept, &mut kept);
        assert_eq!(self.rules.standings(table, &mut Appraiser::default(), &mut anew), is_told);
        assert_eq!(
            is_told.then_some(&kept),
            tried_out(self.rules, table).as_ref(),
            "before decision {}",
            table.decisions()
        );
        assert!(!is_told || kept == anew, "{kept:?} {anew:?}");
        // On a table that somebody imagines, too, where the same components have other faces.
        for seat in Seats::all(table.layout().seats) {
            let mut imagined = table.copy();
            imagined.determinize(seat, &mut Stream::named(table.changes(), "imagined", 0));
            for ask in [
                Rules::seat_values,
                |rules: &Rules, table: &Table, appraiser: &mut Appraiser, points: &mut Vec<i64>| {
                    rules.standings(table, appraiser, points);
                },
            ] {
                let (mut again, mut anew) = (Vec::new(), Vec::new());
                ask(self.rules, &imagined, &mut self.kept, &mut again);
                ask(self.rules, &imagined, &mut Appraiser::default(), &mut anew);
                assert_eq!(again, anew, "before decision {}", table.decisions());
            }
        }
        self.changes += usize::from(is_told && kept != self.last);
        self.last = kept;
        self.decisions = self.decisions.checked_sub(1).ok_or(Halt::Open)?;
        self.random.answer(table, question, chosen)
    }
}

/// The scores, with what the rules' own function adds to them on a copy of the table; nothing where it fails.
fn tried_out(rules: &Rules, table: &Table) -> Option<Vec<i64>> {
    let seats = || Seats::all(table.layout().seats).into_iter();
    let mut points: Vec<i64> = seats().map(|seat| table.score(seat)).collect();
    let Some(function) = &table.layout().definition.standing else { return Some(points) };
    for called in seats() {
        let tried = rules.call_on_copy(table, function, &Value::Seat(called)).ok()?;
        for seat in table.team(called) {
            let mut scores = tried.recording.events.iter().filter_map(|event| event.what.sets(table.layout()));
            let score = scores.rfind(|(variable, _)| *variable == table.layout().score_of(seat));
            if let Some((_, Value::Number(score))) = score {
                points[seat.index()] += score - table.score(seat);
            }
        }
    }
    Some(points)
}

/// Follows a game for so many decisions at most; gives how often the standings changed.
fn follow(ruleset: Arc<Ruleset>, players: usize, seed: u64, decisions: usize) -> usize {
    let loaded = Playable::compile(ruleset, players, Arc::default()).unwrap_or_else(|error| panic!("{error}"));
    let rules = &loaded.rules;
    let random = Random::new(seed);
    let mut follower = Follower { rules, random, kept: Appraiser::default(), decisions, changes: 0, last: Vec::new() };
    let (_, end) = rules.play(&Start::Game, seed, &mut follower, None);
    assert!(matches!(end, End::Finished | End::Halted(Halt::Open)), "{end:?}");
    follower.changes
}

#[test]
fn standings_of_every_game_are_what_a_copy_of_the_table_tells() {
    let library = houserule::Disk::library(vec![env!("CARGO_MANIFEST_DIR").into()]);
    let mut followed = 0;
    for golden in GOLDEN {
        let ruleset = Arc::new(Ruleset::load(&library, &golden.selection()).unwrap());
        if ruleset.definition.standing.is_some() {
            let changes = follow(ruleset, golden.players, golden.seed, 150);
            assert!(changes > 2, "{} changes in {}", changes, golden.file);
            followed += 1;
        }
    }
    assert!(followed > 8, "{followed} games");
}

/// Whatever a standing reads, it is worked out again where that has changed.
#[test]
fn a_standing_follows_everything_that_it_reads() {
    let reads = [
        // What lies where, and in which order.
        "p.award(p.hand.sum(\"number\"), \"r\");",
        "p.award(p.rows[2].len * 2 + p.rows.filled.len, \"r\");",
        "for row in p.rows { if !row.is_empty && row.last.has(\"number\") { p.award(row.last.number, \"r\"); } }",
        "p.award(players.sum_of(|q| q.hand.len), \"r\");",
        "p.award(p.next.rows.components.having(\"color\", \"red\").len, \"r\");",
        "p.award(deck.sorted(\"number\").len - deck.count_if(|card| card.number > 3), \"r\");",
        // Where a card lies that a variable tells, and what it shows.
        "if tile().zone == p.rows[1] { p.award(tile().side, \"r\"); }",
        "p.award(if tile().is_owned && tile().owner == p { 7 } else { 1 }, \"r\");",
        "p.award(components(\"tile\").sum_of(|tile| tile.side), \"r\");",
        // Variables, set and read again.
        "p.award(p.coins, \"r\"); p.coins += 1; p.award(p.coins + table.special.len, \"r\"); table.special += \"x\";",
        "p.award(table.turns * data.bonus, \"r\");",
        "p.score = p.score * 2; p.score -= p.coins;",
        // Who plays with whom, and who plays at all.
        "p.award(p.team.len, \"r\"); p.award(players.playing.len, \"r\");",
        // What it moves itself.
        "p.hand.move_to(p.rows[3]); p.award(p.rows[3].len + p.hand.len, \"r\"); p.rows[3].move_to(deck); p.award(deck.len, \"r\");",
        "deck.deal(1, p.hand); p.award(p.hand.last.number, \"r\");",
        "p.hand.shuffle(); if !p.hand.is_empty { p.award(p.hand.first.number, \"r\"); }",
        // Chance, and its own functions.
        "p.award(draw_number(\"lot\", 1, 9), \"r\"); p.award(twice(p.hand).len, \"r\");",
    ];
    for read in reads {
        let rules = format!(
            r#"
            fn tile() {{ components("tile").first }}
            fn twice(cards) {{ cards.where(|card| card.number % 2 == 0) }}
            fn standing(p) {{ {read} }}
            fn game() {{
                components("card").move_to(deck);
                components("tile").move_to(players.first.rows[1]);
                deck.shuffle();
                players.first.join(players.first.next);
                for lap in 1..=6 {{
                    begin_round();
                    for p in players {{
                        begin_turn(p);
                        let what = p.choose("do", ["draw", "play", "coin", "flip", "own", "give", "team", "nothing"]);
                        if what == "draw" && !deck.is_empty {{ deck.deal(1, p.hand); }}
                        if what == "play" && !p.hand.is_empty {{ p.hand.last.move_to(p.rows[1 + lap % 3]); }}
                        if what == "coin" {{ p.coins += 1; table.turns += 1; table.special += "s"; }}
                        if what == "flip" {{ tile().flip(); }}
                        if what == "own" {{ tile().belong_to(p); tile().move_to(p.rows[1]); }}
                        if what == "give" && !p.hand.is_empty {{ p.hand.first.move_to(p.next.hand); }}
                        if what == "team" && lap == 3 {{ players.last.join(players.first); }}
                        if what == "nothing" && lap == 5 && p == players[2] {{ p.lose("out"); }}
                        if lap == 4 {{ p.award(3, "lap"); }}
                    }}
                }}
            }}
            "#
        );
        let definition = GAME.replacen("settings.rounds", "standing = \"standing\"\nsettings.rounds", 1);
        let ruleset = small_game::game("small", definition, &rules).unwrap_or_else(|error| panic!("{read}: {error}"));
        let changes: usize = (0..12).map(|seed| follow(ruleset.clone(), 3, seed, 100)).sum();
        assert!(changes > 6, "{read}: {changes} changes");
    }
}

#[test]
fn a_standing_that_fails_tells_nothing() {
    let rules = r#"
        fn standing(p) { p.award(6 / p.coins, "r"); }
        fn game() { for p in players { p.may("x"); p.coins += 1; p.may("y"); } }
    "#;
    let definition = GAME.replacen("settings.rounds", "standing = \"standing\"\nsettings.rounds", 1);
    let ruleset = small_game::game("small", definition, rules).unwrap();
    let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
    let mut told = Vec::new();
    struct Told<'a>(&'a Rules, Appraiser, &'a mut Vec<bool>);
    impl Answerer for Told<'_> {
        fn begin(&mut self, _table: &mut Table) {}
        fn answer(&mut self, table: &Table, _: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
            self.2.push(self.0.standings(table, &mut self.1, &mut Vec::new()));
            chosen.push(0);
            Ok(())
        }
        fn intervene(&mut self, _table: &mut Table) {}
    }
    let mut answers = Told(&loaded.rules, Appraiser::default(), &mut told);
    assert_eq!(loaded.rules.play(&Start::Game, 1, &mut answers, None).1, End::Finished);
    assert_eq!(told, [false, false, false, true], "until all have what it divides by");
    assert_eq!(loaded.rules.take_faults(), [], "agents do not go by it here");
}
