//! The whole way of a designer, from an empty folder to a rulebook in a friend's hands.

use super::terminal::Person;
use super::*;

const RULE: &str = "longer";
const FILE: &str = "variants/meadow/longer.toml";

/// What a command writes that has to succeed.
#[track_caller]
fn told(folder: &Folder, line: &str) -> String {
    let output = program_at(&folder.0, folder).args(line.split_whitespace()).stdin(Stdio::null()).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{line}\n{out}{err}");
    out
}

#[test]
fn a_game_is_begun_varied_tested_played_compared_sent_and_printed() {
    let folder = Folder::new();
    told(&folder, "new game meadow --kind shedding");
    told(&folder, &format!("new variant meadow {RULE}"));
    assert!(told(&folder, "check meadow").contains("0 errors, 0 warnings"));

    // The rule: cards may be played one step up or down, too. Its scenario says so.
    folder.edit(FILE, "One line that says what is different.", "A card also matches one step up or down.");
    folder.edit(
        FILE,
        "// fn matches(card) { super(card) }",
        "fn matches(card) { super(card) || card.number - pile.last.number == 1 }",
    );
    let scenario = folder.read("tests/scenarios/meadow/first.toml");
    let stepwise = scenario
        .replace("id      = \"match\"", "id      = \"steps\"")
        .replace("players = 2", &format!("players = 2\nvariants = [\"{RULE}\"]"))
        .replace("\"blue-7\", \"red-4\", \"red-5\"", "\"blue-7\", \"red-4\", \"red-5\", \"red-3\"")
        .replace("\"red-4\", \"draw\"]", "\"red-4\", \"red-5\", \"red-3\", \"draw\"]")
        .replace("refuses = { red-5 = \"no_match\" }\n", "")
        .replace("counts     = { p1.hand = 2 }", "counts     = { p1.hand = 3 }");
    folder.write("tests/scenarios/meadow/steps.toml", stepwise);
    assert!(told(&folder, "check meadow").contains("0 errors, 0 warnings"));

    // One step down was forgotten, and the scenario says so; nothing is packed before it holds.
    let run = |line: &str| program_at(&folder.0, &folder).args(line.split_whitespace()).output().unwrap();
    assert_eq!(run("test meadow").status.code(), Some(1));
    assert_eq!(run(&format!("pack {RULE}")).status.code(), Some(1));

    // The game is open and watches while the rule is mended in the editor.
    let mut person = Person::at(&folder, &["play", "meadow", "-v", RULE, "-s", "3", "--watch"], 80);
    person.sees("p1 play or draw › ");
    person.types("lay tests/scenarios/meadow/steps.toml", "r5", "p1 play or draw › ");
    let mended = "[1, -1].contains(card.number - pile.last.number)";
    folder.edit(FILE, "card.number - pile.last.number == 1", mended);
    person.sees("saved");
    person.sees("+red-3");
    person.sees("p1 play or draw › ");
    drop(person);
    assert!(told(&folder, "test meadow").contains("2 passed, 0 failed"));

    let compared = told(&folder, &format!("compare meadow -v {RULE} -n 200"));
    assert!(compared.contains("Shown to be different") && compared.contains("decisions"), "{compared}");
    folder.edit(FILE, "game  = \"meadow\"", "game  = \"meadow\"\nversion = \"1.0.0\"");
    assert!(told(&folder, &format!("pack {RULE}")).contains("2 scenarios passed"));
    let book = told(&folder, &format!("doc meadow -v {RULE} --html --md"));
    assert!(book.contains("meadow.html") && book.contains("meadow.md"), "{book}");
    assert!(folder.read("meadow.md").contains("A card also matches one step up or down."));
}

#[test]
fn what_a_game_does_not_have_gets_no_heading() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("games/bare")).unwrap();
    let definition = "id = 'bare'\nname = 'Bare'\nabout = 'Nothing.'\nplayers = { min = 2, max = 2 }\n\
        script.rhai = 'fn game() { players.first.may(\"go\"); }'\n";
    folder.write("games/bare/game.toml", definition);
    let told = told_in(&folder, &["show", "bare"], "").stdout;
    assert!(told.contains("functions that a variant may override\n  game()"), "{told}");
    for heading in ["zones", "variants", "settings"] {
        assert!(!told.lines().any(|line| line.starts_with(heading)), "{heading}:\n{told}");
    }
    // Words of other languages can be wider than the column of ours.
    let told = told_in(&folder, &["show", "bare", "--lang", "ja"], "").stdout;
    for line in ["プレイヤー     2", "コンポーネント ", "ルール         blake3:"] {
        assert!(told.lines().any(|told| told.starts_with(line)), "{line}\n{told}");
    }
}
