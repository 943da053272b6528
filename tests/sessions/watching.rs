//! A designer at a terminal, with the rules open in an editor beside it: what is saved is told while the prompt waits.

use super::terminal::Person;
use super::*;
use std::time::Duration;

const RULES: &str = "games/up-or-down/rules.rhai";
const POINTS: &str = "green_points = [0, 1,";
const PROMPT: &str = "p1 draw from › ";

/// A game in which p1 has a green card in a column, and so 2 points; the draw is open.
fn sits_down(folder: &Folder, args: &[&str]) -> Person {
    let args = [&["-v", "greenhorn"], args].concat();
    let mut person = Person::sits_down(folder, &args, 80, "p1 play card › ");
    person.types("rig shuffle face_down 10 20 30 40 50 52 6 12 25 35 45 53", "p1, play a card", "p1 play card › ");
    person.types("=10", "p1, take a neighbour", "p1 take neighbour › ");
    person.types("=12", "p1, place", "p1 place card › ");
    person.types("new", "p1, ", PROMPT);
    person
}

/// The same, watching.
fn watches(folder: &Folder) -> Person {
    let mut person = sits_down(folder, &[]);
    person.types("watch", "watching the rules' files", PROMPT);
    person
}

/// Nothing is typed until this long after the last save: whatever was to be told has been told by then.
fn waits() {
    std::thread::sleep(Duration::from_millis(700));
}

/// Everything that was told since the last prompt was seen, up to the answer to a line that is typed now.
fn told_meanwhile(person: &mut Person) -> String {
    person.presses("eval 6 * 7\r");
    let told = person.sees("42\r\n");
    person.sees(PROMPT);
    told
}

#[test]
fn what_a_saved_edit_changes_is_told_while_the_prompt_waits() {
    let folder = Folder::with_rules();
    let mut person = watches(&folder);
    folder.edit(&folder.variant("greenhorn"), POINTS, "green_points = [0, 7,");
    person.sees("saved");
    person.sees("p1.score  2 → 8 (+6)");
    person.sees(PROMPT);
    // Options too.
    folder.edit(RULES, "piles.filled)", "piles + box)");
    person.sees("saved");
    assert!(person.sees(PROMPT).contains("+box"));
    // What shows nowhere yet is told by name.
    folder.edit(RULES, "p.award(p.discard.len,", "p.award(2 * p.discard.len,");
    person.sees("nothing is different");
    person.sees("edited: score(p)");
    person.sees(PROMPT);
    // Each is a step of its own to take back.
    person.types("undo", "took back", PROMPT);
    person.types("undo", "took back", PROMPT);
    person.types("undo", "took back", PROMPT);
    person.types("table", "standing 2", PROMPT);
}

#[test]
fn a_flag_watches_from_the_beginning_and_off_ends_it() {
    let folder = Folder::with_rules();
    let mut person = sits_down(&folder, &["--watch"]);
    folder.edit(&folder.variant("greenhorn"), POINTS, "green_points = [0, 7,");
    person.sees("p1.score  2 → 8 (+6)");
    person.sees(PROMPT);
    person.types("watch off", "no longer watching", PROMPT);
    folder.edit(&folder.variant("greenhorn"), "[0, 7,", "[0, 4,");
    waits();
    assert!(!told_meanwhile(&mut person).contains("saved"));
    person.types("reload", "p1.score  8 → 5 (-3)", PROMPT);
}

#[test]
fn a_file_saved_half_way_says_where_until_it_is_whole() {
    let folder = Folder::with_rules();
    let mut person = watches(&folder);
    let variant = folder.variant("greenhorn");
    let whole = folder.read(&variant).replace(POINTS, "green_points = [0, 7,");
    folder.write(&variant, &whole[..whole.find("\"green\")").unwrap()]);
    let told = person.sees("the game continues under the old rules");
    assert!(told.contains("error: ") && told.contains("greenhorn.toml:2"), "{told}");
    person.sees(PROMPT);
    folder.write(&variant, whole.replace("let green =", "let green = gren +"));
    let told = person.sees("the game continues under the old rules");
    for words in ["there is no `gren`", "greenhorn.toml:22", "unknown name"] {
        assert!(told.contains(words), "no {words} in {told}");
    }
    person.sees(PROMPT);
    // The same once more is no news.
    folder.write(&variant, whole.replace("let green =", "let green = gren +"));
    waits();
    assert!(!told_meanwhile(&mut person).contains("error"));
    folder.write(&variant, whole);
    person.sees("p1.score  2 → 8 (+6)");
    person.sees(PROMPT);
    // Broken, and mended to what is in play: that is told as well.
    folder.edit(&variant, "let green =", "let green = gren +");
    person.sees("there is no `gren`");
    person.sees(PROMPT);
    folder.edit(&variant, "gren + ", "");
    person.sees("saved: these rules are already in play");
    person.sees(PROMPT);
}

#[test]
fn tests_of_rules_that_cannot_be_read_tell_it_once() {
    let folder = Folder::with_rules();
    std::fs::create_dir_all(folder.0.join("own")).unwrap();
    for id in ["T1", "T2", "T3"] {
        let scenario = format!("id = \"{id}\"\ntitle = \"Open\"\ngame = \"up-or-down\"\n\n[[then]]\nover = false\n");
        folder.write(&format!("own/{id}.toml"), scenario);
    }
    let mut person = watches(&folder);
    person.types("test own", "3 passed, 0 failed", PROMPT);
    folder.edit(&folder.variant("greenhorn"), "let green =", "let green = gren +");
    person.sees("the game continues under the old rules");
    person.sees(PROMPT);
    person.presses("test own\r");
    let told = person.sees("0 passed, 3 failed");
    assert_eq!(told.matches("there is no `gren`").count(), 1, "{told}");
    assert_eq!(told.matches("with the same errors as T1").count(), 2, "{told}");
}

#[test]
fn a_rulebook_that_cannot_be_read_is_told_once() {
    const RULEBOOK: &str = "games/up-or-down/rulebook.toml";
    let folder = Folder::with_rules();
    let mut person = watches(&folder);
    folder.edit(RULEBOOK, "[[rulebook]]", "[[rulebook]");
    let told = person.sees("-->");
    assert!(told.contains("this is not TOML"), "{told}");
    assert!(person.sees("\n").contains("rulebook.toml:"));
    person.sees(PROMPT);
    // A change of the rules is no reason to tell it again, and neither waits for the other.
    folder.edit(&folder.variant("greenhorn"), POINTS, "green_points = [0, 7,");
    let told = person.sees("p1.score  2 → 8 (+6)");
    assert!(!told.contains("this is not TOML"), "{told}");
    person.sees(PROMPT);
    folder.edit(RULEBOOK, "[[rulebook]", "[[rulebook]]");
    person.sees("saved: the rulebook can be read again");
    person.sees(PROMPT);
    // Both within one moment.
    folder.edit(RULEBOOK, "[[rulebook]]", "[[rulebook]");
    folder.edit(&folder.variant("greenhorn"), "[0, 7,", "[0, 4,");
    let told = person.sees("p1.score  8 → 5 (-3)");
    assert!(told.contains("this is not TOML"), "{told}");
    person.sees(PROMPT);
    folder.edit(RULEBOOK, "[[rulebook]", "[[rulebook]]");
    person.types("rules setup", "Setting up", PROMPT);
}

#[test]
fn a_file_may_be_away_for_a_moment() {
    let folder = Folder::with_rules();
    let mut person = watches(&folder);
    let variant = folder.variant("greenhorn");
    let text = folder.read(&variant);
    // Away and back as it was: no news at all.
    std::fs::remove_file(folder.0.join(&variant)).unwrap();
    std::thread::sleep(Duration::from_millis(90));
    folder.write(&variant, &text);
    waits();
    let told = told_meanwhile(&mut person);
    assert!(!told.contains("error") && !told.contains("saved"), "{told}");
    // Empty while it is being written: no news either.
    folder.write(&variant, "");
    std::thread::sleep(Duration::from_millis(90));
    folder.write(&variant, &text);
    waits();
    let told = told_meanwhile(&mut person);
    assert!(!told.contains("error") && !told.contains("saved"), "{told}");
    // Away and back as another: only that is told.
    std::fs::remove_file(folder.0.join(&variant)).unwrap();
    std::thread::sleep(Duration::from_millis(90));
    folder.write(&variant, text.replace(POINTS, "green_points = [0, 7,"));
    let told = person.sees("p1.score  2 → 8 (+6)");
    assert!(!told.contains("error"), "{told}");
    person.sees(PROMPT);
}

#[test]
fn a_file_that_stays_away_is_missed_once_and_welcomed_back() {
    let folder = Folder::with_rules();
    // One that no other folder of the library has: the program may lie beside variants of its own.
    let variant = folder.variant("lawn");
    let text = folder.read(&folder.variant("greenhorn")).replace("\"greenhorn\"", "\"lawn\"");
    folder.write(&variant, &text);
    let mut person = sits_down(&folder, &["-v", "lawn"]);
    person.types("watch", "watching the rules' files", PROMPT);
    std::fs::remove_file(folder.0.join(&variant)).unwrap();
    let told = person.sees("the game continues under the old rules");
    assert!(told.contains("lawn") && told.matches("error").count() == 1, "{told}");
    person.sees(PROMPT);
    // Something else is saved meanwhile; what is missing is not said again.
    folder.edit(&folder.variant("rainbow"), "rainbow_bonus = 10", "rainbow_bonus = 20");
    waits();
    assert!(!told_meanwhile(&mut person).contains("error"));
    folder.write(&variant, text);
    person.sees("saved: these rules are already in play");
    person.sees(PROMPT);
    // The script of the game, which lies beside its definition.
    let rules = folder.read(RULES);
    std::fs::remove_file(folder.0.join(RULES)).unwrap();
    person.sees("the game continues under the old rules");
    person.sees(PROMPT);
    folder.write(RULES, rules);
    person.sees("saved: these rules are already in play");
    person.sees(PROMPT);
}

#[test]
fn an_editor_may_write_beside_and_rename() {
    let folder = Folder::with_rules();
    let mut person = watches(&folder);
    let variant = folder.variant("greenhorn");
    for (points, words) in [(7, "p1.score  2 → 8 (+6)"), (4, "p1.score  8 → 5 (-3)")] {
        let text = folder.read(&variant);
        let start = text.find("green_points = [0, ").unwrap() + "green_points = [0, ".len();
        let end = start + text[start..].find(',').unwrap();
        let beside = format!("{variant}.{points}~");
        folder.write(&beside, format!("{}{points}{}", &text[..start], &text[end..]));
        std::fs::rename(folder.0.join(&beside), folder.0.join(&variant)).unwrap();
        let told = person.sees(words);
        assert!(!told.contains("error"), "{told}");
        person.sees(PROMPT);
    }
}

#[test]
fn ten_saves_within_a_second_end_with_the_last() {
    let folder = Folder::with_rules();
    let mut person = watches(&folder);
    let variant = folder.variant("greenhorn");
    let text = folder.read(&variant);
    for points in 11..=20 {
        folder.write(&variant, text.replace(POINTS, &format!("green_points = [0, {points},")));
        std::thread::sleep(Duration::from_millis(70));
    }
    waits();
    let told = told_meanwhile(&mut person);
    let answers = told.matches("saved").count();
    assert!((1..=10).contains(&answers), "{answers} answers:\n{told}");
    assert_eq!(told.matches("→ 21 (").count(), 1, "{told}");
    assert!(!told.contains("error"), "{told}");
    person.types("table", "standing 21", PROMPT);
    person.types("reload", "the rules are as they were", PROMPT);
}

#[test]
fn half_a_line_stays_while_a_save_is_told() {
    let folder = Folder::with_rules();
    let mut person = watches(&folder);
    person.presses("eval 20 + ");
    person.sees("+");
    folder.edit(&folder.variant("greenhorn"), POINTS, "green_points = [0, 7,");
    person.sees("p1.score  2 → 8 (+6)");
    person.sees("p1 draw from › eval 20 +");
    person.presses("22\r");
    person.sees("42");
    person.sees(PROMPT);
}

#[test]
fn a_move_that_no_longer_fits_is_told_and_kept_up_to_there_on_demand() {
    let folder = Folder::with_rules();
    let mut person = watches(&folder);
    person.types("keep", "no edited rules are waiting", PROMPT);
    folder.edit(RULES, "p.choose(\"take_neighbour\"", "p.choose(\"grab_neighbour\"");
    person.sees("saved");
    let told = person.sees(PROMPT);
    for words in [
        "move 3, p1  take a neighbour  12·g, no longer fits",
        "grab_neighbour",
        "rules.rhai:32 (game)",
        "`keep` continues",
    ] {
        assert!(told.contains(words), "no {words} in {told}");
    }
    // Until then the game is as it was, and goes on as it was.
    let history = {
        person.presses("history\r");
        person.sees(PROMPT)
    };
    assert!(history.contains("take a neighbour  12") && history.contains("►  4"), "{history}");
    // The same once more is no news.
    folder.write(RULES, folder.read(RULES));
    waits();
    assert!(!told_meanwhile(&mut person).contains("no longer fits"));
    person.types("keep", "p1, grab neighbour", "p1 grab neighbour › ");
    person.types("keep", "no edited rules are waiting", "p1 grab neighbour › ");
    person.types("table", "move 3", "p1 grab neighbour › ");
    person.types("undo", "took back", PROMPT);
    person.types("table", "move 5", PROMPT);
}

#[test]
fn a_misfit_that_is_mended_need_not_be_kept() {
    let folder = Folder::with_rules();
    let mut person = watches(&folder);
    folder.edit(RULES, "p.choose(\"take_neighbour\"", "p.choose(\"grab_neighbour\"");
    person.sees("no longer fits");
    person.sees(PROMPT);
    folder.edit(RULES, "p.choose(\"grab_neighbour\"", "p.choose(\"take_neighbour\"");
    person.sees("saved: these rules are already in play");
    person.sees(PROMPT);
    person.types("keep", "no edited rules are waiting", PROMPT);
}

#[test]
fn rules_that_fail_in_this_game_are_not_taken_over() {
    let folder = Folder::with_rules();
    let mut person = watches(&folder);
    folder.edit(RULES, "begin_turn(p);", "begin_turn(p); let n = 1 / (p.number - p.number);");
    let told = person.sees("the game continues under the old rules");
    for words in ["division by zero", "rules.rhai:29"] {
        assert!(told.contains(words), "no {words} in {told}");
    }
    person.sees(PROMPT);
    person.types("#1", "p2, play a card", "p2 play card › ");
    folder.edit(RULES, " let n = 1 / (p.number - p.number);", "");
    person.sees("saved: these rules are already in play");
    person.sees("p2 play card › ");
}

#[test]
fn breakpoints_and_the_debugger_meet_rules_that_were_edited() {
    let folder = Folder::with_rules();
    let mut person = watches(&folder);
    person.types("break score@greenhorn", "breakpoint 1: score@greenhorn", PROMPT);
    person.types("break greenhorn:23", "breakpoint 2: greenhorn:23", PROMPT);
    person.types("debug", "`step` `next` `out`", "debug place:42 › ");
    // The score is counted elsewhere now, and the line is gone.
    folder.edit(
        &folder.variant("greenhorn"),
        "fn score(p) {\n    super(p);",
        "fn score_column(p, column) {\n super(p, column);",
    );
    person.sees("saved");
    // The prompt is as wide as the one before it.
    let told = person.sees("p1 draw from   › ");
    for words in ["the debugger is closed", "breakpoint 1 is kept, but score@greenhorn is not in these rules"] {
        assert!(told.contains(words), "no {words} in {told}");
    }
    assert!(!told.contains("breakpoint 2 is kept"), "{told}");
    person.presses("break\r");
    let told = person.sees(PROMPT);
    assert!(told.contains("1: score@greenhorn  (not in these rules any more)"), "{told}");
    assert!(told.contains("2: greenhorn:23\r\n    variants/up-or-down/greenhorn.toml:23"), "{told}");
    person.types("debug", "`step` `next` `out`", "debug place:42 › ");
    person.types("done", "p1, ", PROMPT);
}

/// What the system does not tell of: a file written behind a link, under another of its names, or a link that is made to
/// lead to another file.
#[cfg(unix)]
#[test]
fn edits_behind_links_are_noticed() {
    let folder = Folder::with_rules();
    let elsewhere = folder.0.join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    let variant = folder.variant("greenhorn");
    let text = folder.read(&variant);
    let other = |points: &str| text.replace(POINTS, &format!("green_points = [0, {points},"));
    let write = |name: &str, points: &str| std::fs::write(elsewhere.join(name), other(points)).unwrap();
    write("one", "1");
    write("two", "9");
    let link = folder.0.join(&variant);
    let lead = |name: &str| {
        let new = folder.0.join("new-link");
        std::os::unix::fs::symlink(elsewhere.join(name), &new).unwrap();
        std::fs::rename(new, &link).unwrap();
    };
    lead("one");
    // The script is a file with two names.
    std::fs::hard_link(folder.0.join(RULES), elsewhere.join("rules")).unwrap();
    let mut person = watches(&folder);
    write("one", "7");
    person.sees("p1.score  2 → 8 (+6)");
    person.sees(PROMPT);
    lead("two");
    person.sees("p1.score  8 → 10 (+2)");
    person.sees(PROMPT);
    write("two", "4");
    person.sees("p1.score  10 → 5 (-5)");
    person.sees(PROMPT);
    folder.edit("elsewhere/rules", "piles.filled)", "piles + box)");
    person.sees("+box");
    person.sees(PROMPT);
}
