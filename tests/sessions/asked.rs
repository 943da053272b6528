//! Settings that players are asked for, when rules change in the middle of a game, in campaigns, and in scenarios.

use super::*;

const GAME: &str = r#"id = "hues"
name = "Hues"
players = { min = 2, max = 2 }
keeps.warm = true

[settings.warm]
ask = "name"
choices = ["red", "blue"]

[settings.cold]
ask = "name"
choices = ["red", "blue"]
"#;

const RULES: &str = "fn game() {
    note(`${table.warm} and ${table.cold}`);
    for i in 0..3 {
        let said = players[1].choose(\"name\", [\"red\", \"blue\"]);
        players[1].award(if said == table.warm { 1 } else { 10 }, said);
    }
}
";

const MORE: &str = r#"id = "more"
game = "hues"
name = "More"
[settings.extra]
ask = "name"
choices = ["red", "blue"]
[settings.last]
ask = "name"
choices = ["red", "blue"]
unlike = "extra"
"#;

const PLAY: [&str; 4] = ["play", "hues", "-s", "1"];

/// Two settings, and two of three moves that could be mistaken for their answers.
const PLAYED: &str = "red\nblue\nblue\nred\n";

fn folder() -> Folder {
    let folder = Folder::new();
    for path in ["games/hues", "variants/hues"] {
        std::fs::create_dir_all(folder.0.join(path)).unwrap();
    }
    folder.write("games/hues/game.toml", GAME);
    folder.write("games/hues/rules.rhai", RULES);
    folder.write("variants/hues/more.toml", MORE);
    folder
}

fn played(args: &[&str], lines: &str) -> Told {
    told_in(&folder(), &[&PLAY[..], args].concat(), &format!("{PLAYED}{lines}"))
}

#[test]
fn a_setting_that_is_set_takes_its_answer_alone_out_of_the_game() {
    let told = played(&[], "set hues.warm=red\nhistory\nundo\nhistory\nredo\nbranch 2\nhistory\n");
    let left_out = "move 1, p1  name  red, is left out: it is not asked for any more";
    let told = told.shows([left_out, "branch 2 has the moves as they were", "move 4", "score 11"]);
    let told =
        told.shows(["1  p1  name  blue", "2  p1  name  blue", "►  3  p1  name  red", "took back: set hues.warm"]);
    told.shows(["►  4  p1  name  red", "did again: set hues.warm \"red\"", "move 4", "►  3  p1  name  red"]);
    // A value that is not the answer is another game, with the same moves.
    played(&[], "set hues.warm=blue\n").shows([left_out, " warm  red → blue", "move 4"]);
    // The setting behind it goes alone, too.
    played(&[], "set hues.cold=blue\nset hues.cold=ask\n").shows([
        "move 2, p1  name  blue, is left out",
        "►",
        "move 2, p1  name  blue, no longer fits: p1 name for hues.cold is asked instead",
        "once this is answered, `goto end` plays what follows: 2 moves",
    ]);
}

#[test]
fn a_variant_that_goes_takes_its_answers_along() {
    let told = told_in(
        &folder(),
        &[&PLAY[..], &["-v", "more"]].concat(),
        "red\nblue\nred\nblue\nblue\nred\nwithout more\nhistory\ndiff with more\n",
    );
    let left_out =
        ["move 3, p1  name  red, is left out", "move 4, p1  name  blue, is left out", "branch 2 has the moves"];
    told.shows(left_out).shows(["1  p1  name  red", "2  p1  name  blue", "3  p1  name  blue", "►  4  p1  name  red"]);
}

#[test]
fn moves_wait_for_what_a_variant_asks_before_them() {
    let lines = "with more\nhistory\nred\nblue\nhistory\ngoto end\nundo\nundo\nundo\nundo\nundo\nhistory\n";
    let told = played(&[], lines).shows([
        "move 3, p1  name  blue, no longer fits: p1 name for more.extra is asked instead",
        "once this is answered, `goto end` plays what follows: 2 moves",
        "p1, name (More)",
        "►  2  p1  name  blue",
        "3  p1  name  blue",
        "4  p1  name  red",
        "3  p1  name  red",
        "►  4  p1  name  blue",
        "5  p1  name  blue",
        "move 7",
        "score 11",
    ]);
    told.shows(["took back: p1  name  red", "took back: with more", "►  4  p1  name  red"]);
    // Whoever goes on otherwise has the moves on a branch.
    played(&[], "with more\nred\nblue\nred\ntree\n").shows(["2  6 moves  p1  name  blue"]);
    // An answer that is taken back, and another given.
    played(&[], "with more\nred\nundo\nblue\ntree\n").shows(["2  5 moves  p1  name  red, not blue"]);
}

#[test]
fn other_rules_are_compared_move_by_move() {
    let told = played(&[], "diff set hues.warm=red\n");
    let (_, differs) = told.stdout.split_once("the rules in play").unwrap();
    assert!(differs.contains("move 1\n") && !differs.contains("move 2") && !differs.contains("move 3"), "{differs}");
    played(&[], "diff set hues.warm=blue\n").shows(["move 1", "p1 name red", "move 3", "+10", "+1"]);
    let diff = ["diff", "hues", "-s", "1", "--set", "hues.warm=red"];
    let told = told_in(&folder(), &diff, "");
    assert!(!told.stdout.contains("no longer fits"), "{}", told.stdout);
    // A branch that has the answer fits rules that do not ask for it.
    played(&[], "branch here\nred\ngoto main\nset hues.warm=red\ngoto here\nhistory\n").shows(["►  4  p1  name  red"]);
}

#[test]
fn a_saved_game_says_what_its_choices_were_for() {
    let folder = folder();
    let told = told_in(&folder, &PLAY, &format!("{PLAYED}save new.toml with rules\n"));
    says(&told, 0, &["saved 4 moves"]);
    let new = folder.read("new.toml");
    assert!(new.contains("[1, { prompt = \"name\", setting = \"hues.warm\" }, \"red\"],\n"), "{new}");
    assert!(new.contains("  [1, \"name\", \"blue\"],\n"), "{new}");
    // A file of format 2 does not say it, and the rules in it do.
    let of_old = |line: &str| match line.split_once(", setting = ") {
        Some((before, after)) => {
            let chosen = after.split_once(" }").unwrap().1;
            format!("{}{chosen}\n", before.replace("{ prompt = ", ""))
        }
        None => format!("{line}\n"),
    };
    let old: String = new.replace("format   = 3", "format   = 2").lines().map(of_old).collect();
    assert!(old.contains("  [1, \"name\", \"red\"],\n") && !old.contains("setting ="), "{old}");
    folder.write("old.toml", &old);
    let told = told_in(&folder, &["play", "old.toml"], "set hues.warm=red\nsave again.toml\nhistory\n");
    told.shows(["move 1, p1  name  red, is left out", "►  3  p1  name  red"]);
    assert!(folder.read("again.toml").contains("setting = \"hues.cold\""));
    says(&told_in(&folder, &["replay", "old.toml"], ""), 0, &["4 of 4 moves fit"]);
    // The rules on disk set it by now.
    let set = "choices = [\"red\", \"blue\"]\ndefault = \"red\"\n\n[settings.cold]";
    folder.edit("games/hues/game.toml", "choices = [\"red\", \"blue\"]\n\n[settings.cold]", set);
    let left_out = "move 1, p1 name red, is left out: the rules do not ask for it";
    says(&told_in(&folder, &["replay", "new.toml", "--under-disk"], ""), 0, &[left_out, "scores 11 0"]);
    let opened = told_in(&folder, &["play", "new.toml"], "load new.toml under disk\nhistory\n");
    says(&opened, 0, &["move 1 (line 10), p1 name red, is left out", "►  3  p1  name  red"]);
    // What is no question is told.
    folder.write("new.toml", new.replace("setting = \"hues.warm\"", "sitting = \"hues.warm\""));
    says(
        &told_in(&folder, &["play", "new.toml"], ""),
        2,
        &["entry 1 of the log is not valid: a question is its prompt"],
    );
}

#[test]
fn the_purpose_of_a_choice_tells_it_apart_as_well() {
    let folder = folder();
    let rules = |purpose: &str| {
        let ask = format!("players[1].choose_for(\"{purpose}\", \"name\", [\"red\", \"blue\"]);");
        format!("fn game() {{ note(`${{table.warm}} ${{table.cold}}`); {ask} players[2].may(\"name\"); }}")
    };
    folder.write("games/hues/rules.rhai", rules("roof"));
    says(&told_in(&folder, &PLAY, "red\nred\nblue\nsave saved.toml\n"), 0, &["saved 3 moves"]);
    let saved = folder.read("saved.toml");
    assert!(saved.contains("[1, { prompt = \"name\", for = \"roof\" }, \"blue\"]"), "{saved}");
    folder.write("games/hues/rules.rhai", rules("door"));
    let told = told_in(&folder, &["replay", "saved.toml", "--under-disk"], "");
    says(&told, 1, &["move 3, p1 name blue, does not: p1 name for door is asked instead"]);
}

#[test]
fn a_campaign_asks_again_for_what_it_does_not_keep() {
    let end = format!("{PLAYED}red\ncampaign next\n");
    let next = told_in(&folder(), &PLAY, &format!("{end}why warm\nred\nhistory\n"));
    next.shows(["kept from the game before", "p1  name  red", "►"]);
    // What is set goes before what was kept, also in the next game.
    let told = told_in(&folder(), &PLAY, &format!("{end}set hues.warm=blue\nwhy warm\n"));
    told.shows(["warm  red → blue", "warm is blue", "games/hues/game.toml:6  game"]);
    let told =
        told_in(&folder(), &[&PLAY[..], &["--set", "hues.warm=blue"]].concat(), "red\nred\nred\nred\ncampaign next\n");
    told.shows(["the campaign goes on", "warm", "blue", "p1, name (hues)"]);
    // Without `[keeps]` it is asked for again.
    let folder = folder();
    folder.edit("games/hues/game.toml", "keeps.warm", "keeps.cold");
    told_in(&folder, &PLAY, &format!("{end}red\nhistory\n")).shows(["the campaign goes on", "warm  red", "►"]);
}

const SCENARIO: &str = "id = \"one\"\ntitle = \"One\"\ngame = \"hues\"\nset = [SET]\n[when]\ncall = \"note(table.warm)\"\n\
                        [[then]]\nover = true\nvariables.warm = \"red\"\n";

#[test]
fn a_scenario_that_calls_a_function_has_what_it_sets() {
    let folder = folder();
    let told = |set: &str| {
        folder.write("one.toml", SCENARIO.replace("SET", set));
        told_in(&folder, &["test", "one.toml"], "")
    };
    says(&told("\"hues.warm=red\""), 0, &["1 passed"]);
    says(&told("\"hues.cold=red\", \"hues.warm=pink\""), 1, &["one.toml:4:36", "expected `ask`, `red` or `blue`"]);
    let told = told(r#""hues.warm=\"pink\"""#);
    says(&told, 1, &["one.toml:4:8"]);
    assert!(!told.stderr.contains("setting:1"), "{}", told.stderr);
    // What is given goes before what is set.
    let given = SCENARIO.replace("SET", "\"hues.warm=blue\"").replace("[when]", "[given]\nwarm = \"red\"\n[when]");
    folder.write("one.toml", given);
    says(&told_in(&folder, &["test", "one.toml"], ""), 0, &["1 passed"]);
}

#[test]
fn a_table_that_is_laid_keeps_the_answers() {
    let folder = folder();
    folder.write(
        "one.toml",
        SCENARIO.replace("SET", "\"hues.warm=red\"").replace("[when]", "[given]\np1.score = 5\n[when]"),
    );
    told_in(&folder, &PLAY, "red\nblue\nlay one.toml\nred\n").shows(["warm  red    cold  blue", "p1 +1"]);
}

#[test]
fn what_fails_and_why_are_told_at_the_setting() {
    let folder = folder();
    told_in(&folder, &PLAY, "red\nwhy warm\n").shows(["warm is red", "games/hues/game.toml:6  game"]);
    let unlike = "choices = [\"red\", \"blue\"]\nunlike = \"warm\"\n";
    folder.write(
        "games/hues/game.toml",
        GAME.trim_end().strip_suffix("choices = [\"red\", \"blue\"]").unwrap().to_owned() + unlike,
    );
    let both = ["--set", "hues.warm=red", "--set", "hues.cold=red"];
    let told = told_in(&folder, &[&PLAY[..], &both].concat(), "");
    let error = "`warm` and `cold` of `hues` have to differ, and both are `red`";
    says(&told, 1, &[error, "games/hues/game.toml:6:1\n", "this setting"]);
    // Kept from another game: nothing else could know that no value is left.
    let one = "[settings.cold]\nask = \"name\"\nchoices = [\"red\"]\n";
    folder.write("games/hues/game.toml", format!("{}{one}", GAME.split("[settings.cold]").next().unwrap()));
    let unlike = "[settings.cold]\nask = \"name\"\nchoices = [\"red\"]\nunlike = \"warm\"\n";
    let told = told_in(&folder, &PLAY, "red\nred\nred\nred\nred\nsave one.toml\n");
    says(&told, 0, &["saved"]);
    folder.edit("games/hues/game.toml", one, unlike);
    let told = told_in(&folder, &["check", "hues"], "");
    let error = "no value is left for `hues.settings.cold` if `warm` is `red`";
    says(&told, 1, &[error, "games/hues/game.toml:10:1\n", "give it more `choices`"]);
}
