//! Every scenario holds; and a scenario whose expectations are wrong does not.

use houserule::definition::Library;
use houserule::diagnostic::{Diagnostic, Diagnostics, Source};
use houserule::host::disk::Disk;
use houserule::playthrough::rules_cache::RulesCache;
use houserule::scenario::{Scenario, find};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn library() -> Library {
    houserule::Disk::library(vec![PathBuf::from(env!("CARGO_MANIFEST_DIR"))])
}

fn told(troubles: &[Diagnostic]) -> String {
    troubles.iter().map(|trouble| trouble.render(false)).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn every_scenario_holds() {
    let (library, shelf) = (library(), RulesCache::default());
    let mut failures = Vec::new();
    for path in find(&[], &library) {
        match Scenario::read(&Disk, &path) {
            Ok(scenario) => {
                let report = scenario.run_with((&library, &shelf), &[], &[], &Arc::default());
                let named = |troubles: Diagnostics| format!("{} {}\n{}", report.id, report.title, told(&troubles));
                failures.extend(report.result.err().map(named));
            }
            Err(troubles) => failures.push(told(&troubles)),
        }
    }
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n\n"));
}

/// The scenarios of the rules' specification are all there, and each has an id of its own.
#[test]
fn the_specification_is_covered() {
    let scenarios = find(&[], &library()).into_iter().filter_map(|path| Scenario::read(&Disk, &path).ok());
    let mut ids: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for scenario in scenarios {
        ids.entry(scenario.game().to_owned()).or_default().push(scenario.id);
    }
    for (game, letter, count) in [
        ("up-or-down", 'U', 18),
        ("ftw", 'F', 10),
        ("enemy-anemone", 'E', 16),
        ("overflow", 'O', 17),
        ("playme", 'P', 29),
    ] {
        let ids = &ids[game];
        let missing: Vec<String> =
            (1..=count).map(|number| format!("{letter}{number}")).filter(|id| !ids.contains(id)).collect();
        assert!(missing.is_empty(), "no scenario of {game} for {missing:?}");
    }
    for (game, mut ids) in ids {
        ids.sort();
        let twice: Vec<_> = ids.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "used twice in {game}: {twice:?}");
    }
}

/// Other rules laid over a scenario are really played.
#[test]
fn a_scenario_runs_with_further_variants() {
    let library = library();
    let path = library.roots()[0].join("tests/scenarios/up-or-down/u09b-greenhorn-base.toml");
    let scenario = Scenario::read(&Disk, &path).unwrap();
    assert!(scenario.run(&library).result.is_ok());
    let troubles = scenario
        .run_with((&library, &RulesCache::default()), &["greenhorn".to_owned()], &[], &Arc::default())
        .result
        .unwrap_err();
    assert_eq!(troubles[0].message, "more awards were made");
}

/// A scenario of line 5 on, and what is told of it: `line:column message | label`.
#[track_caller]
fn check(more: &str, expected: &str) {
    let text = format!("id = 'X'\ntitle = 'x'\ngame = 'up-or-down'\nplayers = 2\n{more}");
    let source = Source::new("x.toml", text);
    let result = Scenario::parse(&source, Path::new("x.toml")).and_then(|scenario| scenario.run(&library()).result);
    let lines = result.err().into_iter().flatten().map(|trouble| {
        let place = trouble.place.as_ref().map(|place| (place.position(), place.label.clone()));
        let ((line, column), label) = place.unwrap_or_default();
        format!("{line}:{column} {} | {label}", trouble.message).trim().to_owned()
    });
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.collect::<Vec<_>>(), expected);
}

/// Line 5: a table on which p1 plays 14 between 7 and 33.
const TURN: &str = "given = { ring = [7, 33, 48], p1.hand = [14, 80], p1.columns = [[10, 20], [50, 40], [60]] }
when.call = 'turn(p1)'
[[then]]
choose = 14
";

/// A number of players that the game does not allow is told as the file has it.
#[test]
fn a_number_of_players_is_told_as_it_is_written() {
    let text = format!("id = 'X'\ntitle = 'x'\ngame = 'up-or-down'\nplayers = 7\n{TURN}");
    let source = Source::new("x.toml", text);
    let result = Scenario::parse(&source, Path::new("x.toml")).and_then(|scenario| scenario.run(&library()).result);
    let error = result.unwrap_err();
    assert_eq!(error.first().place.as_ref().map(|place| place.position().0), Some(4), "{error}");
    let help = error.first().help.join(" ");
    assert!(help.contains("`players = ") && !help.contains("-p"), "{error}");
}

mod expectations_that_do_not_hold {
    use super::*;

    #[test]
    fn of_a_decision() {
        check(
            &format!("{TURN}[[then]]\nasks = 'p2 take_neighbour'"),
            "10:8 another decision is open | found p1 take_neighbour",
        );
        check(
            &format!("{TURN}[[then]]\noptions = [7, 48]"),
            "10:11 the options are different | not offered: 48; also 33",
        );
        check(&format!("{TURN}[[then]]\nlacks = [48, 33]"), "10:14 33 is among the options | offered");
        check(
            &format!("{TURN}[[then]]\nrefuses = {{ 48 = 'not beside', 33 = 'x' }}"),
            "10:13 48 is not refused with a reason | not offered
             10:32 33 is not refused | offered",
        );
        check(&format!("{TURN}[[then]]\nchoose = 48"), "10:10 48 is not among the options | not offered");
        check(&format!("{TURN}[[then]]\nchoose = [7, 33]"), "10:10 1 of 2 options have to be chosen | these are 2");
        check(
            &format!("{TURN}[[then]]\nover = true"),
            "10:8 the rules have not ended | found p1 take_neighbour is open",
        );
    }

    #[test]
    fn of_the_table() {
        check(
            &format!(
                "{TURN}[[then]]\nzones.ring = [7, 33, 48]\nzones.p1.columns = [[10, 20], [40, 50], []]\nzones.p1.hand = [80]"
            ),
            "10:14 something else lies in `ring` | found 7, 14, 33, 48
             11:31 something else lies in `p1.columns.2` | found 50, 40
             11:41 something else lies in `p1.columns.3` | found 60",
        );
        check(
            &format!("{TURN}[[then]]\ncounts = {{ ring = 3, p1.columns = 5, box = 0 }}"),
            "10:19 4 components lie in `ring` | found 4",
        );
        check(&format!("{TURN}[[then]]\nvariables.p1.score = 1"), "10:22 `p1.score` has another value | found 0");
        check(&format!("{TURN}[[then]]\nturns = 2"), "10:9 1 turn has begun | found 1");
        check(&format!("{TURN}[[then]]\nranking = [['p1'], ['p2']]"), "10:11 the ranking is different | found p1 = p2");
    }

    #[test]
    fn of_awards() {
        let scoring = "given.p1.columns = [[10, 20], [50, 40], [60]]\nwhen.call = 'score(p1)'\n[[then]]\n";
        check(
            &format!("{scoring}awards = ['p1 2 column', 'p1 5 column']"),
            "8:26 another award was made | found p1 2 column",
        );
        check(
            &format!("{scoring}awards = ['p1 2 column']"),
            "8:10 more awards were made | also p1 2 column, p1 1 column, p1 0 discard_pile",
        );
        let all = "'p1 2 column', 'p1 2 column', 'p1 1 column', 'p1 0 discard_pile'";
        check(&format!("{scoring}awards = [{all}]"), "");
        check(&format!("{scoring}awards = [{all}, 'p1 9 rainbow']"), "8:77 this award was not made | no more awards");
        check(&format!("{scoring}choose = 1"), "8:10 there is nothing to answer | the rules have ended");
        check(&format!("{scoring}asks = 'p1 play_card'"), "8:8 nobody is asked | the rules have ended");
        check(&format!("{scoring}fails = 'x'"), "8:9 the rules did not give up | the rules have ended");
    }

    #[test]
    fn of_what_is_still_to_come() {
        let played = "[[then]]\nplay_until = 'turn 3'\n[[then]]\n";
        check(&format!("{played}turns = 3"), "");
        check(&format!("{played}turns = 4"), "8:9 3 turns have begun | found 3");
        check(&format!("{played}play_until = 'turn 2'"), "8:14 this moment does not come | not after here");
        check(&format!("{played}play_until = 'turn 49'"), "8:14 this moment does not come | not after here");
        check(&format!("{played}play_until = 'decision 193'"), "8:14 this moment does not come | not after here");
    }

    #[test]
    fn of_rules_that_give_up() {
        let failing = "given.ring = [7]\nwhen.call = 'turn(p1)'\n[[then]]\n";
        check(&format!("{failing}fails = 'no legal option'"), "");
        check(
            &format!("{failing}fails = 'too hot'"),
            "8:9 the rules gave up for another reason | found p1 has no legal option for play_card",
        );
        let source = Source::new("x.toml", format!("id = 'X'\ntitle = 'x'\ngame = 'up-or-down'\n{failing}over = true"));
        let troubles = Scenario::parse(&source, Path::new("x")).unwrap().run(&library()).result.unwrap_err();
        assert_eq!(troubles[0].message, "p1 has no legal option for play_card");
        assert_eq!(troubles[0].place.as_ref().unwrap().source.name, "games/up-or-down/rules.rhai");
        assert_eq!(troubles[0].related.last().unwrap().position().0, 6);
    }
}

mod scenarios_that_make_no_sense {
    use super::*;

    #[test]
    fn by_their_names() {
        check(
            "variants = ['rainbov']\nthen = [{ over = true }]",
            "5:13 there is no variant `rainbov` of `up-or-down` | ",
        );
        check(
            "given.rimg = [7]\nwhen.call = '1'\nthen = [{ over = true }]",
            "5:7 there is no zone `rimg` | no zone of these rules",
        );
        check(
            "given.ring = [7, 700]\nwhen.call = '1'\nthen = [{ over = true }]",
            "5:18 there is no component `700` | no component of these rules",
        );
        check(
            "given.p1.scor = 7\nwhen.call = '1'\nthen = [{ over = true }]",
            "5:10 there is no variable `p1.scor` | no variable of these rules",
        );
        check(
            "given.p1.score = 'x'\nwhen.call = '1'\nthen = [{ over = true }]",
            "5:18 p1.score holds a number, not a text | ",
        );
        check(
            "given.ring = [7]\ngiven.box = [7]\nwhen.call = '1'\nthen = [{ over = true }]",
            "6:14 `7` is in two places | ",
        );
        check(
            "given.p1.columns = [[7]]\nwhen.call = '1'\nthen = [{ over = true }]",
            "5:20 `p1.columns` is 3 zones | not a list for each",
        );
        check(
            "when.rig = ['shuffle ring 7', 'shuffle ring 7 x']\nthen = [{ over = false }]",
            "5:31 rig shuffle ring 7 x does not fit: there is no component `x`; there are `1`, `2`, `3`, `4`, `5`, `6`, \
             `7`, `8`, `9`, `10`, `11`, `12` and 114 more | ",
        );
        // What a later step names is known before the first one runs.
        check(
            &format!("{TURN}[[then]]\nzones.rng = []\ncounts.p3.hand = 0\nvariables.p1.points = 1\nzones.ring = ['x']"),
            "10:7 there is no zone `rng` | no zone of these rules
             13:15 there is no component `x` | no component of these rules
             11:11 there is no zone `p3.hand` | no zone of these rules
             12:14 there is no variable `p1.points` | no variable of these rules",
        );
    }

    #[test]
    fn by_their_shape() {
        check("then = []", "5:8 nothing is expected | no step in it");
        check("", "1:1 `then` is missing | this file lacks it");
        check(
            "given.ring = [7]\nthen = [{ over = true }]",
            "5:1 `given` without `when` | nothing is called on this table",
        );
        check(
            "when.call = '1'\n[[then]]\n[[then]]\novr = true",
            "6:1 this step neither checks nor answers | nothing in it
             8:1 unknown key `then[1].ovr` | not a key of a step of `then`",
        );
        check("[[then]]\nplay_until = 'tomorrow'", "6:14 nobody can play until `tomorrow` | not a moment of a game");
        check("[[then]]\nplay_until = 'end'\nchoose = 1", "6:14 a step answers once | the step answers already");
        check(
            "[[then]]\nover = 1\nturns = 'x'",
            "6:8 `then[0].over` must be `true` or `false` | this is 1
             7:9 `then[0].turns` must be an integer from 0 to 4294967295 | this is a string",
        );
        check("[[then]]\ncounts.ring = [7]", "6:15 how many lie in `ring` must be an integer from 0 | ");
        check("[then]\nover = true", "5:1 `then` must be an array | this is a table");
        check("[[then]]\ncounts.ring = -1", "6:15 how many lie in `ring` must be an integer from 0 | ");
    }
}

/// A scenario of hearts: what cards count, and who wins a trick.
const CASES: &str = r#"
id = "cases"
title = "What cards count"
game = "hearts"
players = 4

[when]
call = "penalties(p1)"

[[cases]]
name = "no heart"
given.p1.taken = ["clubs-3", "spades-12"]
gives = { "penalties(p1)" = 0, "p1.taken.len" = 2 }

[[cases]]
given.p1.taken = ["hearts-3", "hearts-12"]
gives = { "penalties(p1)" = 2, "p1.taken.components" = ["hearts-3", "hearts-12"], "led_by()" = "p1" }
"#;

fn run(text: &str) -> Result<(), String> {
    let scenario = Scenario::parse(&Source::new("cases.toml", text), Path::new("cases.toml"));
    let result = scenario.and_then(|scenario| scenario.run(&library()).result);
    result.map_err(|troubles| told(&troubles))
}

#[test]
fn many_cases_of_a_rule_stand_in_one_scenario() {
    let cases = CASES.replace(", \"led_by()\" = \"p1\"", ", \"players[1]\" = \"p1\"");
    assert_eq!(run(&cases), Ok(()));
    // Each case is run by itself, and every one that fails is told.
    let wrong = cases.replace("\"penalties(p1)\" = 0", "\"penalties(p1)\" = 5").replace("= 2,", "= 7,");
    let told = run(&wrong).unwrap_err();
    for words in ["`penalties(p1)` is 0", "this is case no heart", "`penalties(p1)` is 2", "this is case 2"] {
        assert!(told.contains(words), "{words} in\n{told}");
    }
    let told = run(CASES).unwrap_err();
    assert!(told.contains("led_by") && told.contains("cases.toml"), "{told}");
}

/// A table that nothing is called on would be given for nothing.
#[test]
fn a_case_that_gives_a_table_calls_something() {
    let idle = CASES.replace("[when]\ncall = \"penalties(p1)\"\n", "");
    let told = run(&idle).unwrap_err();
    assert!(told.contains("`given` without `when`"), "{told}");
    let called = idle.replace("[[cases]]\n", "[[cases]]\ncall = \"penalties(p1)\"\n");
    let told = run(&called).unwrap_err();
    assert!(!told.contains("`given` without `when`"), "{told}");
}

#[test]
fn several_answers_are_given_before_the_next_look() {
    let text = r#"
id = "answers"
title = "Three cards are played"
game = "hearts"
players = 4
seed = 3

[[then]]
asks = "p4 play_card"
answers = [ANSWERS]

[[then]]
counts = { trick = 3 }
"#;
    // Who leads has thirteen cards; whatever they are, one of them is a club, and so on round the table.
    let told = run(&text.replace("ANSWERS", "\"none-such\"")).unwrap_err();
    let offered = |told: &str| {
        let (_, behind) = told.split_once("may choose ").unwrap();
        behind.split([',', ' ', '.']).next().unwrap().to_owned()
    };
    let first = offered(&told);
    let second = offered(&run(&text.replace("ANSWERS", &format!("\"{first}\", \"none-such\""))).unwrap_err());
    let third =
        offered(&run(&text.replace("ANSWERS", &format!("\"{first}\", \"{second}\", \"none-such\""))).unwrap_err());
    assert_eq!(run(&text.replace("ANSWERS", &format!("\"{first}\", \"{second}\", \"{third}\""))), Ok(()));
    let told = run(&text.replace("ANSWERS", &format!("\"{first}\", \"{second}\""))).unwrap_err();
    assert!(told.contains("found 2"), "{told}");
}

#[test]
fn what_a_case_cannot_be_is_told() {
    for (text, words) in [
        (CASES.replace("gives =", "choose = 1\nanswers = [2]\ngives ="), "a step answers once"),
        (
            CASES.replace("\"penalties(p1)\" = 0", "\"penalties(p1)\" = {}"),
            "must be an integer, a boolean, a string, or an array",
        ),
        (CASES.replace("name = \"no heart\"", "nmae = \"no heart\""), "unknown key `cases[0].nmae`"),
        ("id = \"x\"\ntitle = \"x\"\ngame = \"hearts\"\n".to_owned(), "`then` is missing"),
    ] {
        let told = run(&text).unwrap_err();
        assert!(told.contains(words), "{words} in\n{told}");
    }
}
