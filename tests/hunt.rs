//! What a hunt finds: faults are planted in variants of a small game, and each is found and made as small as it gets. A
//! game without a fault stays clean.

use crate::shared::surroundings::at_home;
use houserule::AgentSpec;
use houserule::definition::Library;
use houserule::files::MemoryFiles;
use houserule::host::threads::Threads;
use houserule::lab::hunt::{Find, FindKind, HuntDeadline, HuntReport, Plan, hunt};
use houserule::playthrough::Playthrough;
use houserule::playthrough::replay::Replay;
use houserule::playthrough::saved_game::SavedGame;
use houserule::work::{SingleThread, Work};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const GAME: &str = r#"
id = "plant"
name = "Plant"
players = { min = 2, max = 3 }
[settings]
rounds = { default = 3, min = 1, max = 3 }
[components.card]
kind = "card"
id = "{number}"
attributes = { number = { from = 1, to = 12 } }
[zones]
deck = { name = "deck", order = "pile", visible = "none" }
hand = { name = "hand", order = "hand", visible = "owner", per = "seat" }
row = { name = "row", order = "row", visible = "all" }
[variables]
is_wet = { default = false }
"#;

const RULES: &str = r#"
fn game() {
    components("card").move_to(deck);
    deck.shuffle();
    for p in players { deck.deal(3, p.hand); }
    for round in 0..settings.rounds {
        for p in players { turn(p); }
    }
}
fn turn(p) {
    begin_turn(p);
    let card = p.choose("play", p.hand);
    card.move_to(row);
    p.award(points(card), "play");
    played(p, card);
}
fn points(card) { card.number }
fn played(p, card) { }
fn invariant() {
    let all = deck.len + row.len + players.sum_of(|p| p.hand.len);
    if all == 12 { true } else { `${12 - all} cards are missing` }
}
"#;

/// Each with what it adds to the rules.
const VARIANTS: [(&str, &str); 27] = [
    (
        "dead-end",
        r#"fn played(p, card) { super(p, card); if card.number == 12 { p.choose("more", p.hand.above("number", 12)); } }"#,
    ),
    (
        "endless",
        r#"fn played(p, card) { super(p, card); if card.number == 1 && row.len > 3 { loop { p.may("again"); } } }"#,
    ),
    ("leak", r#"fn turn(p) { if deck.last.number > 6 { p.may("wait"); } super(p); }"#),
    ("late-leak", r#"fn turn(p) { if row.len == 3 && deck.last.number > 6 { p.may("wait"); } super(p); }"#),
    ("seat", r#"fn played(p, card) { super(p, card); if p.number == 2 { p.award(100, "gift"); } }"#),
    ("option", r#"fn turn(p) { if p.hand.len == 3 && p.may("bribe") { p.award(100, "bribe"); } super(p); }"#),
    (
        "unused",
        r#"fn played(p, card) { super(p, card); if card.number > 12 { jackpot(p); } } fn jackpot(p) { p.award(1, "jackpot"); }"#,
    ),
    ("loses", r#"fn played(p, card) { super(p, card); if card.number == 7 { card.take_out(); } }"#),
    ("twice", "fn points(card) { 2 * super(card) }"),
    ("more", "fn points(card) { super(card) + 1 }"),
    ("rain", r#"fn played(p, card) { super(p, card); if card.number > 5 { table.is_wet = true; } }"#),
    ("rust", r#"fn played(p, card) { super(p, card); if table.is_wet && row.len == 3 { throw "it rusts"; } }"#),
    ("picky", r#"fn turn(p) { if settings.by == 3 { throw "not by 3"; } super(p); }"#),
    ("clerk", r#"fn turn(p) { p.may("begin"); super(p); }"#),
    ("clever", r#"fn turn(p) { if p.number == 2 && p.may("cheat") { p.award(100, "cheat"); } super(p); }"#),
    (
        "parts",
        r#"
fn played(p, card) {
    super(p, card);
    if card.number > 3 && card.number > 12 { p.award(1, "high"); }
    if card.number > 12 || card.number > 3 { p.award(1, "low"); }
    switch card.number { 1 => p.award(1, "one"), 13 => p.award(1, "thirteen"), _ => {} }
    for other in players { if other.number > 9 { p.award(1, "many"); } else { p.award(0, "few"); } }
    for missing in row.where(|card| card.number > 12) { p.award(1, "missing"); }
    if !(card.number < 13) { p.award(1, "not"); }
}"#,
    ),
    (
        "chains",
        r#"
fn turn(p) {
    if deck.len > 12 && p.hand.len >= 1 && p.may("bribe") { p.award(1, "bribe"); }
    if p.hand.len > 0 && row.where(|card| card.number > 12).len > 0 { p.award(1, "high"); }
    if players.any(|q| q.hand.len > 3 && q.number > 0) { p.award(1, "many"); }
    if (deck.len + row.len) > 12 { p.award(1, "more"); }
    if !(deck.len < 13) || !p.hand.is_empty { p.award(0, "not"); }
    super(p);
}"#,
    ),
    ("stuck", r#"fn turn(p) { while p.number == 1 && p.may("stay") { } super(p); }"#),
    (
        "late",
        r#"fn played(p, card) { super(p, card); if row.len == 5 { for n in 0..3 { p.may("stop"); } loop { p.may("again"); } } }"#,
    ),
    ("deep", r#"fn played(p, card) { super(p, card); if settings.depth == 37 { throw "too deep"; } }"#),
    ("rare", r#"fn played(p, card) { super(p, card); if row.len == 6 && card.number > 12 { p.award(1, "high"); } }"#),
    ("worthless", "fn value(p) { 100 / (3 - row.len) }"),
    ("wishful", r#"fn policy(p, prompt, options) { "the first" }"#),
    ("share", "fn points(card) { super(card) + 12 / settings.by }"),
    (
        "dawn",
        r#"fn game() { table.night += 1; super(); }
        fn played(p, card) { super(p, card); if table.night == 3 && row.len == 2 { throw "dawn"; } }"#,
    ),
    (
        "diary",
        r#"fn played(p, card) { super(p, card); if card.number == 12 { table.tale += [p.choose("way", acts("go", "miles", 1..=3))]; } }"#,
    ),
    (
        "slow",
        r#"fn played(p, card) { for n in 0..200000 { card.number; } super(p, card); if row.len == 5 && card.number == 12 { throw "late"; } }"#,
    ),
];

const ALL_IS_DONE: HuntDeadline<'static> = HuntDeadline { is_over: &|| false, is_late: &|| false };

/// The files of the game with some of the variants.
fn files(variants: &[&str]) -> Vec<(String, String)> {
    let mut files = vec![
        ("games/plant/game.toml".to_owned(), GAME.to_owned()),
        ("games/plant/rules.rhai".to_owned(), RULES.to_owned()),
    ];
    for (id, script) in VARIANTS.into_iter().filter(|(id, _)| variants.contains(id)) {
        let settings = match id {
            "picky" | "share" => "settings.by = { default = 2, min = 0, max = 4 }\n",
            "deep" => "settings.depth = { default = 5, min = 0, max = 50 }\n",
            "dawn" => "variables.night = { default = 0 }\nkeeps.night = true\n",
            "diary" => "variables.tale = { type = \"list\" }\nkeeps.tale = true\n",
            _ => "",
        };
        let text =
            format!("id = '{id}'\ngame = 'plant'\nname = '{id}'\n{settings}[script]\nrhai = '''\n{script}\n'''\n");
        files.push((format!("variants/plant/{id}.toml"), text));
    }
    files
}

fn library(variants: &[&str]) -> Library {
    let files = files(variants);
    Library::of(
        Arc::new(MemoryFiles::new(files.iter().map(|(path, text)| (path.as_str(), text.as_str())))),
        vec![PathBuf::new()],
    )
}

fn plan(variants: &[&str]) -> Plan {
    Plan {
        game: "plant".to_owned(),
        variants: variants.iter().map(|&id| id.to_owned()).collect(),
        set: Vec::new(),
        players: None,
        adds: false,
        seed: 1,
        games: 128,
        longest: Some(200),
        agents: Vec::new(),
    }
}

fn hunted(plan: &Plan) -> HuntReport {
    let names: Vec<&str> = plan.variants.iter().map(String::as_str).collect();
    hunted_among(&names, plan)
}

fn hunted_among(variants: &[&str], plan: &Plan) -> HuntReport {
    let library = library(variants);
    hunt(&Threads::default(), &library, &Arc::default(), plan, ALL_IS_DONE).unwrap_or_else(|errors| panic!("{errors}"))
}

fn said(report: &HuntReport) -> String {
    report.finds.iter().map(|find| format!("{:?} {}\n", find.kind, find.diagnostics)).collect()
}

/// The only thing that is found.
#[track_caller]
fn only(report: HuntReport, kind: FindKind) -> Find {
    assert!(report.finds.len() == 1 && report.finds[0].kind == kind, "{}", said(&report));
    report.finds.into_iter().next().unwrap()
}

/// The smallest case: variants, what is set, players, moves.
fn smallest(find: &Find) -> (Vec<&str>, Vec<&str>, usize, usize) {
    let (case, moves) = find.case.as_ref().unwrap();
    let (variants, set) = (case.variants.iter(), case.set.iter());
    (variants.map(String::as_str).collect(), set.map(String::as_str).collect(), case.players, *moves)
}

/// The saved game, opened again from its text.
fn opened(find: &Find) -> Playthrough {
    let text = find.replay.as_ref().unwrap().to_toml();
    let replay = Replay::parse(&houserule::diagnostic::Source::new("find.toml", text)).unwrap();
    assert!(replay.warnings.is_empty());
    let timeline = houserule::playthrough::timeline::Timeline::new(replay.replay.log.clone());
    let opened = SavedGame::along(
        &replay,
        timeline,
        Path::new("find.toml"),
        &library(&VARIANTS.map(|(id, _)| id)),
        (false, &"".into()),
        Arc::default(),
    )
    .unwrap();
    assert_eq!(opened.told, [""; 0], "it opens without a word");
    opened.playthrough
}

#[test]
fn a_game_without_a_fault_stays_clean() {
    let report = hunted(&plan(&[]));
    assert!(report.finds.is_empty(), "{}", said(&report));
    assert_eq!((report.games, report.refused), (128, 0));
    assert!(report.situations > 40 && report.rulesets > 4, "{} {}", report.situations, report.rulesets);
    assert!(report.coverage.missed().is_empty(), "{:?}", report.coverage.missed());
}

#[test]
fn a_dead_end_is_found() {
    let find = only(hunted(&plan(&["dead-end"])), FindKind::Error);
    assert_eq!(smallest(&find), (vec!["dead-end"], vec![], 2, 1), "the first card that is played is the 12");
    assert!(find.diagnostics.to_string().contains("has no legal option for more"), "{}", find.diagnostics);
    let game = opened(&find);
    assert!(game.position().failed.is_some(), "it opens at the spot");
    assert_eq!(game.timeline().log().len(), 1);
}

/// What goes wrong in a later game of a campaign alone.
#[test]
fn a_fault_of_a_later_game_is_found() {
    let find = only(hunted(&plan(&["dawn"])), FindKind::Error);
    assert_eq!(smallest(&find), (vec!["dawn"], vec![], 2, 2));
    assert_eq!(find.case.as_ref().map(|(case, _)| case.before), Some(2), "the third game");
    let game = opened(&find);
    assert!(game.goes_on() && game.position().failed.is_some(), "it opens at the spot");
}

/// What ends well, and holds what no other game can know.
#[test]
fn a_game_from_which_no_other_can_go_on_is_found() {
    let find = only(hunted(&plan(&["diary"])), FindKind::Error);
    assert_eq!(smallest(&find), (vec!["diary"], vec![], 2, 7), "six cards, of which one is the 12");
    assert_eq!(find.diagnostics.first().message, "tale holds what cannot be kept");
    let mut game = opened(&find);
    assert!(game.has_next() && game.next_game(None, 2).is_err(), "it opens at the spot");
}

#[test]
fn an_endless_loop_on_a_rare_table_is_found() {
    let find = only(hunted(&plan(&["endless"])), FindKind::Endless);
    assert_eq!(smallest(&find), (vec!["endless"], vec![], 2, 4), "the fourth card is the 1");
    let game = opened(&find);
    assert_eq!(&*game.position().open.as_ref().unwrap().prompt, "again", "it opens where the loop begins");
}

#[test]
fn a_broken_invariant_is_found() {
    let find = only(hunted(&plan(&["loses"])), FindKind::Invariant);
    assert_eq!(smallest(&find), (vec!["loses"], vec![], 2, 1), "the first card that is played is the 7");
    assert_eq!(find.diagnostics.first().message, "the invariant is broken: 1 cards are missing");
    assert_eq!(opened(&find).position().table.zones.iter().map(<[_]>::len).sum::<usize>(), 11);
}

#[test]
fn a_leak_is_found() {
    let find = only(hunted(&plan(&["leak"])), FindKind::Leak);
    assert_eq!(smallest(&find), (vec!["leak"], vec![], 2, 0), "at the first decision");
    assert!(find.diagnostics.first().place.as_ref().unwrap().source.name.ends_with("leak.toml"));
    assert_eq!(opened(&find).timeline().log().len(), 0);
    let find = only(hunted(&plan(&["late-leak"])), FindKind::Leak);
    assert_eq!(smallest(&find), (vec!["late-leak"], vec![], 2, 3), "behind the third card");
    assert_eq!(opened(&find).timeline().log().len(), 3, "it opens at the spot");
}

#[test]
fn an_unfair_seat_is_found() {
    let report = hunted(&plan(&["seat"]));
    assert!(report.finds.iter().all(|find| find.kind == FindKind::Seat), "{}", said(&report));
    let said: Vec<&str> = report.finds.iter().map(|find| find.diagnostics.first().message.as_str()).collect();
    assert!(said.contains(&"with 2 players, p2 wins all of 64 games"), "{said:?}");
    // That the others win nothing says nothing more.
    assert_eq!(report.finds.len(), 1, "{said:?}");
}

#[test]
fn an_option_that_always_wins_is_found() {
    let find = only(hunted(&Plan { games: 256, ..plan(&["option"]) }), FindKind::Option);
    let said = &find.diagnostics.first().message;
    assert!(said.contains("who chooses `bribe: yes`"), "{said}");
}

#[test]
fn what_rules_compare_with_is_tried() {
    let find = only(hunted(&Plan { games: 256, ..plan(&["deep"]) }), FindKind::Error);
    assert_eq!(find.case.unwrap().0.set, ["deep.depth=37"]);
}

#[test]
fn a_rule_that_cannot_fire_is_found() {
    let find = only(hunted(&plan(&["unused"])), FindKind::Unused);
    // What is never called because of that is not told beside it.
    assert_eq!(find.diagnostics.first().message, "a condition in line 6 of `played/2` is never true in 128 games");
    let place = find.diagnostics.first().place.as_ref().unwrap();
    assert!(place.source.name.ends_with("unused.toml"));
    assert_eq!(&place.source.text[place.span.clone()], "card.number > 12", "{}", find.diagnostics);
}

/// What was looked at a few times only says little: it is told, and is no find.
#[test]
fn a_condition_that_is_hardly_looked_at_is_no_find() {
    let report = hunted(&plan(&["rare"]));
    assert!(report.finds.is_empty(), "{}", said(&report));
    let [note] = &report.notes[..] else { panic!("{:?}", report.notes) };
    assert_eq!(note.message, "a condition in line 6 of `played/2` is never true in 128 games");
    let help = note.help.join(" ");
    assert!(help.starts_with("it was checked ") && help.contains(" times in these games, which says little"), "{help}");
    // More games say more.
    let find = only(hunted(&Plan { games: 512, ..plan(&["rare"]) }), FindKind::Unused);
    let help = find.diagnostics.first().help.join(" ");
    assert!(help.contains("with 95 % confidence, that happens in less than 1 of 170 games such as these"), "{help}");
}

/// Parts of conditions, cases and loops that never come, each where it stands.
#[test]
fn conditions_that_are_never_met_are_found() {
    let report = hunted(&plan(&["parts"]));
    assert!(report.finds.iter().all(|find| find.kind == FindKind::Unused), "{}", said(&report));
    let said: Vec<&str> = report.finds.iter().map(|find| find.diagnostics.first().message.as_str()).collect();
    assert_eq!(
        said,
        [
            "a condition in line 9 of `played/2` is never true in 128 games",
            "a condition in line 10 of `played/2` is never true in 128 games",
            "the case `13` in line 11 of `played/2` never comes in 128 games",
            "a condition in line 12 of `played/2` is never true in 128 games",
            "the loop in line 13 of `played/2` never has an entry in 128 games",
            "a condition in line 14 of `played/2` is never true in 128 games",
        ]
    );
    let place = report.finds[0].diagnostics.first().place.as_ref().unwrap();
    assert!(place.source.name.ends_with("parts.toml"));
    assert_eq!(&place.source.text[place.span.clone()], "card.number > 12", "{}", report.finds[0].diagnostics);
}

/// A condition is underlined from its first name to its end; of several the first that was never true.
#[test]
fn a_condition_that_is_never_true_is_underlined_alone() {
    let report = hunted(&plan(&["chains"]));
    let underlined = |find: &Find| {
        let place = find.diagnostics.first().place.clone().unwrap();
        place.source.text[place.span].to_owned()
    };
    let said: Vec<String> = report.finds.iter().map(underlined).collect();
    assert_eq!(
        said,
        [
            "deck.len > 12",
            "row.where(|card| card.number > 12).len > 0",
            "players.any(|q| q.hand.len > 3 && q.number > 0)",
            "(deck.len + row.len) > 12",
            "!(deck.len < 13)",
        ]
    );
}

/// Players who want to may go round for ever; that is no fault where choices at random come out of it.
#[test]
fn players_who_stay_for_ever_are_no_fault() {
    let report = hunted(&Plan { longest: None, ..plan(&["stuck"]) });
    assert!(report.finds.is_empty(), "{}", said(&report));
}

/// A game that comes round only from a later point on is made small all the same.
#[test]
fn a_loop_that_begins_late_is_made_small() {
    let find = only(hunted(&plan(&["late"])), FindKind::Endless);
    assert_eq!(smallest(&find), (vec!["late"], vec![], 2, 8), "five cards, and three questions before it goes round");
}

/// Who always cheats wins: that shows only where players try to win.
#[test]
fn a_seat_that_wins_among_those_who_try_is_found() {
    let greedy = AgentSpec::parse("greedy", None).unwrap();
    let alone = Plan { games: 64, players: Some(2), ..plan(&["clever"]) };
    let report = hunted(&Plan { agents: vec![AgentSpec::Random], ..alone.clone() });
    assert!(report.finds.iter().all(|find| find.kind != FindKind::Seat), "{}", said(&report));
    for agents in [vec![], vec![AgentSpec::Random, greedy]] {
        let report = hunted(&Plan { agents, ..alone.clone() });
        let find =
            report.finds.iter().find(|find| find.kind == FindKind::Seat).unwrap_or_else(|| panic!("{}", said(&report)));
        assert_eq!(find.diagnostics.first().message, "with 2 players, p2 wins all of 64 games");
        assert!(find.diagnostics.to_string().contains("where everybody plays as `greedy`"), "{}", find.diagnostics);
    }
}

#[test]
fn a_function_that_fails_agents_is_found() {
    let agents = ["greedy", "search:20"].map(|name| AgentSpec::parse(name, None).unwrap()).to_vec();
    let faults = [("worthless", "division by zero", 6), ("wishful", "`policy` gives", 6)];
    // Also where nobody plays who would go by it.
    for (agents, (variant, message, line)) in
        [agents, Vec::new()].iter().flat_map(|agents| faults.map(|fault| (agents, fault)))
    {
        let plan = Plan { agents: agents.clone(), games: 32, ..plan(&[variant]) };
        let find = only(hunted(&plan), FindKind::AgentFunction);
        let first = find.diagnostics.first();
        assert!(first.message.contains(message), "{first:?}");
        let place = first.place.as_ref().unwrap();
        assert_eq!(
            (place.source.name.as_str(), place.position().0),
            (&*format!("variants/plant/{variant}.toml"), line)
        );
        assert!(first.help.iter().any(|help| help.contains("agents ignore")), "{first:?}");
    }
}

#[test]
fn variants_whose_order_matters_are_found() {
    let find = only(hunted(&plan(&["twice", "more"])), FindKind::Order);
    let message = &find.diagnostics.first().message;
    assert_eq!(message, "the order of `more` and `twice` matters: both change `points`");
    let (case, moves) = find.case.as_ref().unwrap();
    assert!(find.diagnostics.to_string().contains(&format!("and seed {}, ", case.seed)), "{}", find.diagnostics);
    let replay = find.replay.as_ref().unwrap();
    assert_eq!((replay.seed, replay.log.len()), (case.seed, *moves));
    let game = opened(&find);
    assert_eq!((game.seed, game.timeline().log().len()), (case.seed, *moves));
    assert!(game.position().open.is_none(), "the same is asked and chosen to the end, which alone is another");
}

#[test]
fn of_the_settings_only_those_are_left_that_matter() {
    let report = hunted(&Plan { games: 192, ..plan(&["share"]) });
    let find = only(report, FindKind::Error);
    assert_eq!(smallest(&find), (vec!["share"], vec!["share.by=0"], 2, 1));
    assert!(find.diagnostics.to_string().contains("division by zero"), "{}", find.diagnostics);
}

/// Rules may refuse what is set, before anybody is asked.
#[test]
fn settings_that_rules_refuse_are_no_fault() {
    let report = hunted(&plan(&["picky"]));
    assert!(report.finds.iter().all(|find| find.kind == FindKind::Unused), "{}", said(&report));
    assert!(report.refused > 0);
}

/// The same where another variant has asked something before.
#[test]
fn settings_that_rules_refuse_are_no_fault_behind_another_question() {
    let report = hunted_among(&["picky", "clerk"], &plan(&["picky", "clerk"]));
    assert!(report.finds.iter().all(|find| find.kind == FindKind::Unused), "{}", said(&report));
    assert!(report.refused > 0);
}

/// Among all variants, those two are found that fail only together, and nothing else is left of the case.
#[test]
fn of_many_variants_only_those_are_left_that_matter() {
    let plan = Plan { adds: true, games: 192, ..plan(&["rain"]) };
    let report = hunted_among(&["rain", "rust", "twice", "more", "unused"], &plan);
    let find = report.finds.iter().find(|find| find.diagnostics.to_string().contains("it rusts"));
    let find = find.unwrap_or_else(|| panic!("{}", said(&report)));
    let mut variants = smallest(find).0;
    variants.sort_unstable();
    assert_eq!(variants, ["rain", "rust"]);
    assert_eq!(smallest(find).2, 2);
    assert_eq!(smallest(find).3, 3, "after the third card");
}

/// Whoever's hands play the games, and however often.
#[test]
fn the_same_seed_finds_the_same() {
    let plan = Plan { adds: true, games: 64, ..plan(&["dead-end"]) };
    let among = ["dead-end", "loses", "more"];
    let told = |report: HuntReport| -> Vec<String> {
        report
            .finds
            .iter()
            .map(|find| format!("{:?} {} {:?} {}", find.kind, find.diagnostics, find.case, find.times))
            .collect()
    };
    let alone = hunt(&SingleThread, &library(&among), &Arc::default(), &plan, ALL_IS_DONE);
    let (alone, together) =
        (told(alone.unwrap_or_else(|errors| panic!("{errors}"))), told(hunted_among(&among, &plan)));
    assert!(!alone.is_empty());
    assert_eq!(alone, together);
    let other = told(hunted_among(&among, &Plan { seed: 2, ..plan }));
    assert_ne!(other, together, "another seed finds things otherwise");
}

/// A hunt that has no more time breaks off the game that it plays, and tells what it has.
#[test]
fn a_hunt_ends_when_there_is_no_more_time() {
    let plan = Plan { games: 1_000_000, ..plan(&["dead-end"]) };
    // It is asked before each round and game, and at each decision, of which a game has nine at most.
    for (looks, games) in [(4, 0..=0), (200, 20..=90)] {
        let looked = AtomicUsize::new(0);
        let is_over = || looked.fetch_add(1, Relaxed) >= looks;
        let until = HuntDeadline { is_over: &is_over, ..ALL_IS_DONE };
        let report = hunt(&SingleThread, &library(&["dead-end"]), &Arc::default(), &plan, until)
            .unwrap_or_else(|errors| panic!("{errors}"));
        assert!(report.is_cut && games.contains(&report.games), "{looks}: {}", report.games);
        // What was found is still made as small as it gets.
        let errors = report.finds.iter().filter(|find| find.kind == FindKind::Error);
        let sizes: Vec<usize> = errors.map(|find| smallest(find).3).collect();
        assert_eq!(sizes, if looks == 4 { vec![] } else { vec![1] });
    }
}

/// What others have played in the same round counts, whichever game was broken off.
#[test]
fn a_game_that_is_broken_off_takes_no_other_with_it() {
    let looked = AtomicUsize::new(0);
    let is_over = || looked.fetch_add(1, Relaxed) == 4;
    let plan = Plan { games: 1_000_000, ..plan(&["dead-end"]) };
    let report = hunt(
        &SingleThread,
        &library(&["dead-end"]),
        &Arc::default(),
        &plan,
        HuntDeadline { is_over: &is_over, ..ALL_IS_DONE },
    );
    let report = report.unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!((report.games, report.is_cut), (31, true), "one of the first round is missing");
}

/// Somebody who stops a hunt gets what it has found, and what is saved of it opens at the spot.
#[test]
fn what_a_hunt_has_found_is_not_lost_when_it_is_stopped() {
    let at_random = AgentSpec::Random;
    for (variant, kind, agent, looks) in [
        ("dead-end", FindKind::Error, at_random, 250),
        ("dead-end", FindKind::Error, AgentSpec::Greedy, 250),
        ("slow", FindKind::Error, at_random, 250),
        ("dawn", FindKind::Error, at_random, 250),
        ("endless", FindKind::Endless, at_random, 1_000),
        ("loses", FindKind::Invariant, at_random, 250),
        ("leak", FindKind::Leak, at_random, 250),
        ("late-leak", FindKind::Leak, at_random, 2_000),
    ] {
        // In the midst of a round, and while what was found is made smaller.
        for (over_at, late_at) in [(looks, usize::MAX), (usize::MAX, 20)] {
            let work = Arc::new(Work::default());
            let stops_at = |at: usize, looked: &AtomicUsize| {
                if looked.fetch_add(1, Relaxed) == at {
                    work.stop();
                }
                false
            };
            let [games, closer] = [const { AtomicUsize::new(0) }; 2];
            let until =
                HuntDeadline { is_over: &|| stops_at(over_at, &games), is_late: &|| stops_at(late_at, &closer) };
            let plan = Plan { games: 1_000_000, agents: vec![agent], ..plan(&[variant]) };
            let report = hunt(&SingleThread, &library(&[variant]), &work, &plan, until);
            let report = report.unwrap_or_else(|errors| panic!("{errors}"));
            assert!(work.is_stopped() && report.is_cut, "whoever has stopped it can tell");
            let find = report.finds.iter().find(|find| find.kind == kind).unwrap_or_else(|| panic!("{variant}"));
            let moves = smallest(find).3;
            let game = opened(find);
            if kind == FindKind::Error {
                assert!(game.position().failed.is_some(), "{variant} opens at the spot");
            }
            let choices = game.timeline().log().iter().filter(|entry| !entry.is_intervention()).count();
            assert_eq!(choices, moves, "{variant}");
        }
    }
}

/// The program in a folder with the game and some variants: its exit code, what it says, and what is wrong.
fn told(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_houserule"));
    at_home(&mut command, folder);
    let output = command.args(args).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// A run that the time did not cut short finds the same another time.
#[test]
fn a_hunt_says_whether_its_time_was_up() {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files(&["more", "dead-end"]) {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    for (variant, games, time, is_cut) in
        [("more", "8", "10m", false), ("more", "1000000", "1s", true), ("dead-end", "1000000", "1s", true)]
    {
        let args = ["hunt", "plant", "--alone", "--no-save", "-v", variant, "-n", games, "--time", time];
        let (code, said, errors) = told(folder.path(), &args);
        assert!(said.contains("situations seen"), "{said}{errors}");
        assert_eq!(code, i32::from(variant == "dead-end"), "the answer is the same as without it: {errors}");
        assert_eq!(said.contains("another run may come further"), is_cut, "{said}");
        let json = told(folder.path(), &[&args[..], &["--json"]].concat()).1;
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap()["reproducible"], !is_cut);
    }
}

/// What a hunt proposes to type shows what it has found.
#[test]
fn what_a_hunt_prints_can_be_typed_again() {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files(&["seat", "leak", "twice", "more"]) {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let folder = folder.path();
    // The command that is told of a find of this kind, as words.
    let proposed = |args: &[&str], kind: &str| -> Vec<String> {
        let (_, said, errors) = told(folder, &[&["hunt", "plant", "--alone", "--json"], args].concat());
        let report: serde_json::Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{said}{errors}"));
        let find = report["finds"].as_array().unwrap().iter().find(|find| find["kind"] == kind);
        let command = find.unwrap_or_else(|| panic!("{kind}: {said}"))["command"].as_str().unwrap().to_owned();
        command.split(' ').skip(1).map(str::to_owned).collect()
    };
    let typed = |words: &[String], more: &[&str]| {
        let words: Vec<&str> = words.iter().map(String::as_str).chain(more.iter().copied()).collect();
        told(folder, &words)
    };
    for agents in [&[][..], &["--agents", "greedy,random,greedy"]] {
        let args = [&["-v", "seat", "-n", "96", "-p", "2"][..], agents].concat();
        let command = proposed(&args, "seat");
        assert_eq!(command[..2], ["sim", "plant"]);
        let games: serde_json::Value = serde_json::from_str(&typed(&command, &["--json"]).1).unwrap();
        let wins = games["figures"].as_array().unwrap().iter().find(|figure| figure["id"] == "p2.win").unwrap();
        assert_eq!((&wins["least"], &wins["games"]), (&1.0.into(), &64.into()), "{command:?}");
    }
    for (variants, kind) in [(&["-v", "leak"][..], "leak"), (&["-v", "twice", "-v", "more"], "order")] {
        let command = proposed(&[variants, &["-n", "96", "-p", "2"]].concat(), kind);
        let (code, said, errors) = typed(&command, &[]);
        assert!(code == 0 && said.contains("move "), "{kind}: {command:?} {said}{errors}");
    }
    // A leak is at the question that is told, of the same game.
    let (_, _, errors) = told(folder, &["check", "plant", "-v", "leak", "--leaks", "-n", "20", "-p", "2"]);
    let words = errors.split_whitespace().collect::<Vec<_>>().join(" ").replace(" = help: ", " ");
    let behind = |lead: &str| words.split(lead).nth(1).unwrap_or_else(|| panic!("{lead}: {words}")).to_owned();
    let command = behind("`houserule ").split('`').next().unwrap().to_owned();
    let place = behind("`goto ").split('`').next().unwrap().to_owned();
    let prompt = behind("at move ").split(", ").nth(1).unwrap().to_owned();
    let mut session = std::process::Command::new(env!("CARGO_BIN_EXE_houserule"))
        .args(command.split(' '))
        .current_dir(folder)
        .env("HOME", folder)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let lines = format!("until end\ngoto {place}\n");
    std::io::Write::write_all(&mut session.stdin.take().unwrap(), lines.as_bytes()).unwrap();
    let told = String::from_utf8(session.wait_with_output().unwrap().stdout).unwrap();
    let open = told.rsplit("move ").next().unwrap();
    assert!(open.starts_with(&format!("{place}\n")) && open.contains(&prompt), "{prompt}: {told}");
}

/// A folder or a variant whose name has blanks is typed between quotes.
#[test]
fn names_with_blanks_are_quoted() {
    let selection = houserule::ruleset::Selection::of("g").with("my rules/it's.toml").with("plain-1");
    let quoted = if cfg!(windows) { "\"my rules/it's.toml\"" } else { "'my rules/it'\\''s.toml'" };
    assert_eq!(selection.command("play"), format!("houserule play g -v {quoted} -v plain-1"));
}

#[test]
fn the_command_saves_what_it_finds_and_overwrites_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files(&["dead-end"]) {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let folder = folder.path();
    let hunt = ["hunt", "plant", "-v", "dead-end", "--alone", "-n", "32", "-p", "2"];
    let (code, said, errors) = told(folder, &hunt);
    assert_eq!(code, 1, "{said}{errors}");
    assert!(errors.contains("no legal option") && errors.contains("dead-end.toml:6:"), "{errors}");
    assert!(errors.contains("`houserule play hunt-plant/error-1.toml` opens it"), "{errors}");
    let saved = "error-1.toml is saved in hunt-plant; `--save FOLDER` names another folder\n";
    assert!(said.starts_with(saved), "{said}");
    assert!(!errors.contains("saved in"), "{errors}");
    let is_sentence = |line: &&str| line.trim_start().starts_with("= ");
    assert!(
        errors.lines().filter(is_sentence).all(|line| line.chars().count() <= 80),
        "wrapped in a file too: {errors}"
    );
    assert!(said.ends_with("1 thing found\n"), "{said}");
    let (code, said, errors) = told(folder, &["play", "hunt-plant/error-1.toml"]);
    assert!(code == 1 && said.contains("the rules cannot go on from here"), "{said}{errors}");

    // The same is not saved twice, and what somebody else has there stays.
    let path = folder.join("hunt-plant/error-1.toml");
    let first = std::fs::read_to_string(&path).unwrap();
    assert_eq!(told(folder, &hunt).0, 1);
    assert_eq!(std::fs::read_dir(folder.join("hunt-plant")).unwrap().count(), 1);
    std::fs::write(&path, "mine").unwrap();
    assert_eq!(told(folder, &hunt).0, 1);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    assert_eq!(std::fs::read_to_string(folder.join("hunt-plant/error-2.toml")).unwrap(), first);

    let json = told(folder, &[&hunt[..], &["--json", "--no-save"]].concat());
    let report: serde_json::Value = serde_json::from_str(&json.1).unwrap();
    assert_eq!((json.0, &report["games"], &report["reproducible"]), (1, &32.into(), &true.into()));
    let find = &report["finds"][0];
    assert_eq!((&find["kind"], &find["smallest"]["moves"]), (&"error".into(), &1.into()));
    assert!(find["file"].is_null() && find["diagnostic"]["line"].is_number(), "{find}");

    assert!(find["command"].is_null(), "the moves are in no file: {find}");
    let unsaved = told(folder, &[&hunt[..], &["--no-save"]].concat());
    assert!(unsaved.2.contains("without `--no-save`, a saved game opens at the spot"), "{unsaved:?}");
    assert!(!unsaved.2.contains("is saved in") && !unsaved.1.contains("saved in"), "{unsaved:?}");

    let clean = told(folder, &["hunt", "plant", "--alone", "-n", "8", "-p", "2"]);
    assert!(clean.0 == 0 && clean.1.ends_with("nothing found\n"), "{clean:?}");
    assert!(!clean.1.contains("saved in") && !clean.2.contains("saved in"), "nothing was saved: {clean:?}");
    for wrong in [
        &["hunt", "plan"][..],
        &["hunt", "plant", "-v", "dead-ent"],
        &["hunt", "plant", "-p", "9"],
        &["hunt", "plant", "--set", "plant.round=1"],
        &["hunt", "plant", "--time", "5x"],
        &["hunt", "plant", "-n", "0"],
        &["hunt", "plant", "--longest", "0"],
        &["hunt", "plant", "--agents", "greedi"],
        &["hunt", "plant", "--agents", "search:5ms"],
        &["hunt", "plant", "--agents", "random,"],
    ] {
        let (code, said, errors) = told(folder, wrong);
        assert!(code == 2 && said.is_empty() && errors.starts_with("error"), "{wrong:?}: {code} {said}{errors}");
    }
    // A file stands where the folder should be.
    for save in ["games/plant/game.toml", "games/plant/game.toml/finds"] {
        let blocked = told(folder, &[&hunt[..], &["--save", save]].concat());
        assert!(blocked.0 == 2 && blocked.2.starts_with(&format!("error: `{save}` cannot be written")), "{blocked:?}");
        assert!(blocked.2.contains("`--no-save`") && blocked.1.is_empty(), "nothing was played: {blocked:?}");
    }
    // What shows only when a game is to be saved: a link that leads nowhere has its name.
    #[cfg(unix)]
    {
        std::fs::create_dir(folder.join("finds")).unwrap();
        std::os::unix::fs::symlink("nowhere/nothing", folder.join("finds/error-1.toml")).unwrap();
        let blocked = told(folder, &[&hunt[..], &["--save", "finds"]].concat());
        assert!(
            blocked.0 == 2 && blocked.2.contains("no legal option"),
            "what was found is told all the same: {blocked:?}"
        );
    }
}
