//! What of the rules was reached: counted by hand on a small game, with a variant, and with what only those who look need.

use houserule::agent::Random;
use houserule::definition::Library;
use houserule::files::MemoryFiles;
use houserule::lab::coverage::{BranchKind, CallCounts, Coverage, Purpose, ScriptCoverage, StepCounts, lcov};
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::machine::counts::RunHook;
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use houserule::table::decision::Answerer;
use std::sync::Arc;

const GAME: &str = "id = 'dice'\nname = 'Dice'\nplayers = { min = 2, max = 3 }\nstanding = 'likely'\n\
    [settings]\ntwice = { default = false }\n";

const RULES: &str = r#"fn game() {
    for p in players {
        turn(p);
    }
    let n = 0;
    while n < 4 {
        n += 1;
        if n == 2 { continue; }
        if n == 9 { n = never(n); }
    }
    if settings.twice {
        turn(players.first);
    }
}
fn turn(p) {
    let bid = p.choose("bid", [1, 2], [3], |c| no(c));
    switch bid {
        1 | 2 => p.award(bid, "bid"),
        "x" => { p.award(0, "bid"); }
        _ => ()
    }
    if p.number == 1 && bid > 2 || p.number > 5 {
        throw "not so";
    }
}
fn no(c) { `not ${c}` }
fn never(n) { n }
fn likely(p) { p.award(1, "likely"); }
"#;

const VARIANT: &str = "id = 'again'\ngame = 'dice'\nname = 'Again'\n[script]\nrhai = '''\nfn turn(p) {\n    super(p);\n    \
    if p.number == 2 { p.award(1, \"again\"); }\n}\n'''\n";

fn library() -> Library {
    let files =
        [("games/dice/game.toml", GAME), ("games/dice/rules.rhai", RULES), ("variants/dice/again.toml", VARIANT)];
    Library::of(Arc::new(MemoryFiles::new(files)), vec!["".into()])
}

fn rules(variants: &[&str], set: &[&str], players: usize) -> Rules {
    let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let selection = Selection { game: "dice".to_owned(), variants: list(variants), set: list(set) };
    let ruleset = Ruleset::load(&library(), &selection).unwrap_or_else(|errors| panic!("{errors}"));
    Rules::new(Arc::new(ruleset), players, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

fn played(rules: &Rules, seed: u64, hook: &mut dyn RunHook) {
    let (mut run, mut agent) = (rules.begin(&Start::Game, seed), Random::new(seed));
    Answerer::begin(&mut agent, &mut run.table);
    assert_eq!(rules.resume_with_hook(&mut run, &mut agent, hook), End::Finished);
}

fn counted(rules: &Rules, games: u64) -> Coverage {
    let mut counts = StepCounts::new(rules);
    for seed in 0..games {
        counts.begin_game();
        played(rules, seed, &mut counts);
        counts.end_game();
    }
    Coverage::of(rules, &counts)
}

fn hits(script: &ScriptCoverage) -> Vec<(usize, u64)> {
    let statements = script.functions.iter().flat_map(|function| &function.statements);
    statements.filter(|one| one.purpose == Purpose::Play).map(|one| (one.at.0, one.hits)).collect()
}

#[test]
fn statements_and_branches_are_counted_exactly() {
    let coverage = counted(&rules(&[], &[], 3), 10);
    assert_eq!(coverage.runs, 10);
    let [script] = &coverage.scripts[..] else { panic!("{:?}", coverage.scripts) };
    // Line 11 is decided by the settings, so line 12 is not there to be reached.
    let game = [(2, 10), (3, 30), (5, 10), (6, 10), (7, 40), (8, 40), (8, 10), (9, 30), (9, 0), (11, 10)];
    let turn = [(16, 30), (17, 30), (19, 0), (22, 30), (23, 0)];
    assert_eq!(hits(script), [&game[..], &turn, &[(27, 0)]].concat());

    let function = |name: &str| script.functions.iter().find(|function| function.name == name).unwrap();
    let called = |name: &str| (function(name).purpose, function(name).calls, function(name).games);
    assert_eq!(called("game"), (Purpose::Play, 10, 10));
    assert_eq!(called("turn"), (Purpose::Play, 30, 10));
    assert_eq!(called("never"), (Purpose::Play, 0, 0));
    // Nobody read why 3 is refused, and nobody looked at standings.
    assert_eq!(called("no"), (Purpose::Look, 0, 0));
    assert_eq!(called("likely"), (Purpose::Look, 0, 0));

    let ways = |name: &str| -> Vec<_> {
        function(name).branches.iter().map(|one| (one.at.0, one.kind.clone(), one.ways)).collect()
    };
    let condition = BranchKind::Condition;
    let expected = [
        (2, BranchKind::Loop, [30, 10]),
        (6, condition.clone(), [40, 10]),
        (8, condition.clone(), [10, 30]),
        (9, condition.clone(), [0, 30]),
    ];
    assert_eq!(ways("game"), expected);
    let [one, two, x, first, more, last] = &ways("turn")[..] else { panic!("{:?}", ways("turn")) };
    assert_eq!((&one.1, &two.1), (&BranchKind::Case("1".into()), &BranchKind::Case("2".into())));
    assert_eq!(one.2[0] + two.2[0], 30, "one of both is chosen each time");
    assert_eq!(one.2[1], two.2[0], "2 is tried where it is not 1");
    assert_eq!((x, first), (&(17, BranchKind::Case("\"x\"".into()), [0, 0]), &(22, condition.clone(), [10, 20])));
    assert_eq!((more, last), (&(22, condition.clone(), [0, 10]), &(22, condition, [0, 30])));

    let missed: Vec<(usize, String)> =
        coverage.missed().into_iter().map(|one| (one.line, one.what.to_string())).collect();
    let column = |text: &str, line: usize| RULES.lines().nth(line - 1).unwrap().find(text).unwrap() + 1;
    let expected = [
        (9, "never reached".to_owned()),
        (9, format!("never true in column {}", column("n == 9", 9))),
        (19, "never reached".to_owned()),
        (22, format!("never true in column {}", column("bid > 2", 22))),
        (22, format!("never true in column {}", column("p.number > 5", 22))),
        (23, "never reached".to_owned()),
        (27, "never called".to_owned()),
    ];
    assert_eq!(missed, expected);
}

/// A line is the same line whatever lies over it, and the settings may bring more of them into play.
#[test]
fn coverages_of_several_rulesets_are_merged() {
    let with = rules(&["again"], &["dice.twice=true"], 2);
    let mut merged = counted(&rules(&[], &[], 3), 10);
    merged.merge(counted(&with, 5));
    let [game, again] = &merged.scripts[..] else { panic!("{:?}", merged.scripts) };
    assert_eq!((game.layer.as_str(), again.layer.as_str()), ("dice", "again"));
    assert_eq!((game.file.as_str(), again.file.as_str()), ("games/dice/rules.rhai", "variants/dice/again.toml"));
    let of_line = |script: &ScriptCoverage, line| hits(script).iter().find(|(at, _)| *at == line).unwrap().1;
    assert_eq!((of_line(game, 3), of_line(game, 12), of_line(game, 16)), (40, 5, 45));
    assert_eq!((again.lines, hits(again)), ((6, 9), vec![(7, 15), (8, 15), (8, 5)]));
    assert_eq!(merged.runs, 15);

    let mut other = counted(&with, 5);
    other.merge(counted(&rules(&[], &[], 3), 10));
    assert_eq!(other, merged, "it does not matter in which order");
}

/// Calls alone are counted by a lighter hook, with the same result.
#[test]
fn calls_are_counted_by_themselves() {
    let rules = rules(&["again"], &[], 2);
    let mut calls = CallCounts::new(&rules);
    for seed in 0..7 {
        calls.begin_game();
        played(&rules, seed, &mut calls);
        calls.end_game();
    }
    let totals: Vec<(u64, u64)> = calls.totals().collect();
    let named = rules.functions().iter().zip(totals);
    let called: Vec<_> = named
        .filter(|(_, (calls, _))| *calls > 0)
        .map(|(function, total)| (function.flat_name.as_str(), total))
        .collect();
    assert_eq!(called, [("game", (7, 7)), ("turn__0", (14, 7)), ("turn", (14, 7))]);
    let coverage = counted(&rules, 7);
    let functions = coverage.scripts.iter().flat_map(|script| &script.functions);
    let same: Vec<u64> = functions.filter(|function| function.calls > 0).map(|function| function.calls).collect();
    assert_eq!(same, [7, 14, 14]);
}

#[test]
fn lcov_has_what_a_game_can_come_to() {
    let text = lcov(&counted(&rules(&[], &[], 3), 10));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["TN:houserule", "SF:games/dice/rules.rhai"]);
    for expected in [
        "FN:1,game/0",
        "FNDA:30,turn/1",
        "FNDA:0,never/1",
        "FNF:3",
        "FNH:2",
        "BRDA:2,0,0,30",
        "BRDA:2,0,1,10",
        "BRDA:17,6,0,-",
        "BRF:17",
        "DA:8,40",
        "DA:19,0",
        "LF:14",
        "LH:11",
        "end_of_record",
    ] {
        assert!(lines.contains(&expected), "{expected}\n{text}");
    }
    assert!(!text.contains("likely"), "{text}");
}

/// The statement that ends a game has been reached, and what stands behind it has not.
#[test]
fn what_ends_a_game_is_counted() {
    let game = "id = 'ends'\nname = 'Ends'\nplayers = { min = 2, max = 2 }\n";
    let script = "fn game() {\n    stop();\n}\nfn stop() {\n    end_game();\n    note(\"late\");\n}\n";
    let files = [("games/ends/game.toml", game), ("games/ends/rules.rhai", script)];
    let library = Library::of(Arc::new(MemoryFiles::new(files)), vec!["".into()]);
    let selection = Selection { game: "ends".to_owned(), ..Selection::default() };
    let ruleset = Ruleset::load(&library, &selection).unwrap_or_else(|errors| panic!("{errors}"));
    let rules = Rules::new(Arc::new(ruleset), 2, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"));
    let coverage = counted(&rules, 3);
    let counts: Vec<(usize, u64)> = coverage.scripts.iter().flat_map(hits).collect();
    assert_eq!(counts, [(2, 3), (5, 3), (6, 0)]);
}
