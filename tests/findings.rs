//! What `houserule check` finds: every kind has an example that has it and one that has not, and a name that can be
//! asked about.

use crate::shared::places::{marked, place_in};
use houserule::definition::Library;
use houserule::diagnostic::Severity;
use houserule::files::MemoryFiles;
use houserule::script::codes::CODES;
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use tempfile::TempDir;

const GAME: &str = r#"
id = "small"
name = "Small"
players = { min = 2, max = 4 }
components.card = { id = "{number}", kind = "card", attributes = { number = { from = 1, to = 6 } } }
components.tile = { id = "tile", kind = "token", sides = ["day", "night"], list = [{ id = "tile" }] }
zones.deck = { name = "Deck", order = "pile", visible = "none" }
zones.hand = { name = "Hand", per = "seat", order = "hand", visible = "owner" }
"#;

/// Where each kind of finding is told in its example.
const PLACES: &str = include_str!("findings.txt");
const PLACES_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/findings.txt");

/// Functions that examples about layers stand on.
const BELOW: &str = "fn score(p) { p.award(1, \"card\"); p.score }\n";

/// A library with one game, as an example writes it. Lines behind `# NAME` stand in that file: `game.toml`,
/// `rules.rhai` as statements of `game()`, `functions` beside it, `one.toml` and `two.rhai` of variants, `any.toml` of a
/// variant for several games.
struct Example {
    folder: TempDir,
}

impl Example {
    fn new(text: &str) -> Self {
        let mut files: Vec<(&str, String)> = Vec::new();
        let whole = text.lines().any(|line| line.starts_with("fn ")) && !text.contains("# ");
        let first = if whole { "functions" } else { "rules.rhai" };
        for line in text.lines() {
            match line.strip_prefix("# ") {
                Some(name) => files.push((name, String::new())),
                None => {
                    if files.is_empty() {
                        files.push((first, String::new()));
                    }
                    let (_, content) = files.last_mut().unwrap();
                    content.push_str(line);
                    content.push('\n');
                }
            }
        }
        let of = |name: &str| files.iter().find(|(file, _)| *file == name).map_or("", |(_, content)| content.as_str());
        let folder = tempfile::tempdir().unwrap();
        let (game, over) = (folder.path().join("games/small"), folder.path().join("variants/small"));
        fs::create_dir_all(&game).unwrap();
        fs::create_dir_all(&over).unwrap();
        fs::write(game.join("game.toml"), format!("{GAME}{}", of("game.toml"))).unwrap();
        let functions = of("functions");
        let mut script = functions.to_owned();
        let layered = text.contains(".rhai\nfn score") || text.contains("score(players.first)");
        if !whole {
            let asks = "players.first.may(\"\");";
            let statements = of("rules.rhai");
            let asks = if text.contains("note(\"over\")") { "" } else { asks };
            script.push_str(&format!("fn game() {{\n{statements}{asks}\n}}\n"));
            if layered {
                script.push_str(BELOW);
            }
        }
        fs::write(game.join("rules.rhai"), script).unwrap();
        for id in ["one", "two"] {
            let (toml, rhai) = (of(&format!("{id}.toml")).to_owned(), of(&format!("{id}.rhai")).to_owned());
            if toml.is_empty() && rhai.is_empty() {
                continue;
            }
            fs::write(over.join(format!("{id}.toml")), format!("id = '{id}'\ngame = 'small'\nname = '{id}'\n{toml}"))
                .unwrap();
            if !rhai.is_empty() {
                fs::write(over.join(format!("{id}.rhai")), rhai).unwrap();
            }
        }
        let of_any = of("any.toml");
        if !of_any.is_empty() {
            let any = folder.path().join("variants/any");
            fs::create_dir_all(&any).unwrap();
            fs::write(any.join("all.toml"), format!("id = 'all'\nname = 'All'\n{of_any}")).unwrap();
        }
        Self { folder }
    }

    /// What is found, as `check` writes it for other programs. Each finding has a name, and is as bad as that says.
    fn findings(&self) -> Vec<Value> {
        let report = check(self.folder.path(), &["check", "small", "--json"]);
        let report: Value = serde_json::from_slice(&report.stdout).unwrap();
        let lists = [("errors", "error"), ("warnings", "warning")].map(|(list, severity)| {
            let found = report[list].as_array().unwrap().clone();
            for finding in &found {
                let code = CODES.iter().find(|code| finding["code"] == code.name);
                let code = code.unwrap_or_else(|| panic!("this has no code: {finding}"));
                assert_eq!(
                    (finding["severity"].as_str(), code.severity.name()),
                    (Some(severity), severity),
                    "{finding}"
                );
            }
            found
        });
        lists.concat()
    }

    /// The names of what is found.
    fn found(&self) -> Vec<String> {
        self.findings().iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
    }

    /// Where something of this name is found.
    fn place_of(&self, code: &str) -> Option<String> {
        self.findings().iter().find(|finding| finding["code"] == code).map(place_in)
    }
}

fn check(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_houserule"))
        .args(arguments)
        .arg("--dir")
        .arg(folder)
        .env("COLUMNS", "100")
        .output()
        .unwrap()
}

#[test]
fn every_kind_of_finding_is_found_in_its_example_and_not_in_what_to_write_instead() {
    let (mut failures, mut places) = (Vec::new(), String::new());
    for code in CODES.iter().filter(|code| !code.example.is_empty()) {
        let example = Example::new(code.example);
        match example.place_of(code.name) {
            Some(place) => places.push_str(&format!("{} {place}\n", code.name)),
            None => {
                let found = example.found();
                failures.push(format!("{} is not found in its example, but {found:?}:\n{}", code.name, code.example));
            }
        }
        let instead = Example::new(code.instead).found();
        if instead.iter().any(|found| found == code.name) {
            failures.push(format!("{} is still found in what to write instead:\n{}", code.name, code.instead));
        }
        let errors = instead
            .iter()
            .filter(|found| CODES.iter().any(|code| code.name == **found && code.severity == Severity::Error));
        for error in errors {
            failures.push(format!("{error} is found in what to write instead of {}:\n{}", code.name, code.instead));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    if std::env::var_os("HOUSERULE_BLESS").is_some() {
        fs::write(PLACES_FILE, &places).unwrap();
    }
    assert_eq!(places, PLACES, "{PLACES_FILE} has where each finding is told; HOUSERULE_BLESS=1 writes it anew");
}

/// No game would ever tell of them.
#[test]
fn variants_that_go_with_no_game_are_told() {
    let files = [
        ("games/small/game.toml", GAME),
        ("games/small/rules.rhai", "fn game() { lead(); }"),
        ("scripts/trick.rhai", "fn lead() {}"),
        ("variants/smal/odd.toml", "id = 'odd'\ngame = 'smal'\nname = 'Odd'\n"),
        ("variants/any/all.toml", "id = 'all'\ngames_using = 'trik'\nname = 'All'\n"),
        ("variants/small/fine.toml", "id = 'fine'\ngame = 'small'\nname = 'Fine'\n"),
        ("variants/small/deep/fine.toml", "id = 'fine'\ngame = 'small'\nname = 'Fine'\n"),
        ("variants/top.toml", "id = 'top'\ngame = 'small'\nname = 'Top'\n"),
    ];
    let library = Library::of(Arc::new(MemoryFiles::new(files)), vec![PathBuf::new()]);
    let mut told: Vec<(String, Vec<String>)> = library
        .stray_warnings()
        .into_iter()
        .map(|stray| (stray.message.to_string(), stray.help.iter().map(|help| help.text.to_string()).collect()))
        .collect();
    let said = |message: &str, help: &str| (message.to_owned(), vec![help.to_owned()]);
    let found_in = "a variant is found in `variants/GAME/`, or in `variants/any/`";
    let mut smal = said("there is no game `smal`", "did you mean `small`?");
    smal.1.push("`variants/smal` has variants of it".to_owned());
    let mut expected = [
        said("nobody looks for variants in `variants/small/deep`", found_in),
        said("there is no library `trik`", "did you mean `trick`?"),
        said("`variants/top.toml` lies in no folder of a game", found_in),
        smal,
    ];
    told.sort();
    expected.sort();
    assert_eq!(told, expected);
}

#[test]
fn a_finding_shows_its_name_and_the_name_can_be_asked_about() {
    let example = Example::new("deck.deal(\"3\", players.first.hand);");
    let report = check(example.folder.path(), &["check", "small"]);
    assert_eq!(report.status.code(), Some(1));
    let shown = String::from_utf8(report.stderr).unwrap();
    assert!(shown.contains("error[wrong-argument]: `deal` takes a number as `count`, not a text"), "{shown}");

    let report = check(example.folder.path(), &["check", "--explain", "wrong-argument"]);
    assert_eq!(report.status.code(), Some(0));
    let told = String::from_utf8(report.stdout).unwrap();
    assert!(told.starts_with("wrong-argument (error): No word of this name takes such arguments."), "{told}");
    assert!(told.contains("    deck.deal(\"3\", players.first.hand);"), "{told}");

    let report = check(example.folder.path(), &["check", "--explain", "wrong-argumnt"]);
    assert_eq!(report.status.code(), Some(2));
    let told = String::from_utf8(report.stderr).unwrap();
    assert!(told.contains("'wrong-argument'"), "the nearest name:\n{told}");
    let report = check(example.folder.path(), &["check", "small", "--explain", "syntax"]);
    assert_eq!(report.status.code(), Some(2), "a game has nothing to do with it");
}

/// Whoever meets a message in a session asks there.
#[test]
fn help_explains_a_finding_by_its_name() {
    let example = Example::new("note(\"begin\");");
    let mut session = Command::new(env!("CARGO_BIN_EXE_houserule"))
        .args(["play", "small", "-p", "2", "--dir"])
        .arg(example.folder.path())
        .env("HOME", example.folder.path())
        .env("XDG_STATE_HOME", example.folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    session.stdin.take().unwrap().write_all(b"help never-equal\nhelp nevr-equal\n").unwrap();
    let told = session.wait_with_output().unwrap();
    let shown = String::from_utf8(told.stdout).unwrap();
    assert!(shown.contains("never-equal  error of `check`"), "{shown}");
    assert!(shown.contains("    if players.first.number == 1 { note(\"the first\"); }"), "{shown}");
    let refused = String::from_utf8(told.stderr).unwrap();
    assert!(refused.contains("did you mean `never-equal`?"), "{refused}");
}

#[test]
fn other_programs_get_each_finding_with_its_place() {
    let example = Example::new("let kept = 1;\nif players.first == 1 { note(\"end\"); }");
    let report = check(example.folder.path(), &["check", "small", "--json"]);
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    let finding = &report["errors"][0];
    assert_eq!(finding["code"], "never-equal");
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["message"], "a player is never equal to a number: this is always false");
    assert_eq!((&finding["line"], &finding["column"]), (&3.into(), &18.into()));
    assert!(finding["file"].as_str().unwrap().ends_with("rules.rhai"));
    assert_eq!(finding["help"][0], "compare two players, or `p.number`");
    let explained = check(example.folder.path(), &["check", "--explain", "unused-name", "--json"]);
    let explained: Value = serde_json::from_slice(&explained.stdout).unwrap();
    assert_eq!((&explained["code"], &explained["severity"]), (&"unused-name".into(), &"warning".into()));
}

/// What is wrong is told before anybody plays, whatever branch it stands in; `«` marks where.
#[test]
fn what_cannot_be_right_is_refused_before_play() {
    let mut failures = Vec::new();
    for (statements, code) in [
        ("if false { players.first.choose(\"x\", «5); }", "wrong-argument"),
        ("if false { players.first.choose_secretly(\"x\", «5, |n| true); }", "wrong-argument"),
        ("if false { players.first.choose_some(\"x\", «5, 1, 2); }", "wrong-argument"),
        ("if false { next_to_act(«deck); }", "wrong-argument"),
        ("if false { note(`${players[«0].score}`); }", "wrong-value"),
        ("if false { note(«acts(\"a\", \"b\", deck)); }", "wrong-argument"),
        ("if points_of(players.first) «== \"3\" { }", "never-equal"),
        ("if mixed(3) == deck { }\nif «mixed(3) { }", "wrong-value"),
        ("if says_so(3) «+ 1 == 2 { }", "wrong-operand"),
        ("switch «players.len { \"2\" => note(\"two\"), _ => () }", "never-equal"),
        ("switch «players.first { 1 => note(\"one\"), _ => () }", "never-equal"),
        ("let l = []; players.first.choose(\"x\", deck, deck, |c| { l.«push(c); \"no\" });", "reason-changes"),
        ("players.first.choose(\"x\", deck, deck, |c| { players.first.«score = 1; \"no\" });", "reason-changes"),
        ("players.first.choose(\"x\", deck, deck.where(|c| «agreed(c)), |c| \"no\");", "reason-changes"),
        ("players.first.choose(\"x\", deck, deck, «told);", "reason-changes"),
        ("players.first.choose(\"x\", deck, { if players.len > 2 { «return; } deck }, |c| \"no\");", "reason-changes"),
        (
            "for p in players { p.choose(\"x\", deck, { if p.score > 2 { «break; } deck }, |c| \"no\"); }",
            "reason-changes",
        ),
        (
            "for p in players { p.choose(\"x\", deck, { if p.score > 2 { «continue; } deck }, |c| \"no\"); }",
            "reason-changes",
        ),
        (
            "players.first.choose(\"x\", deck, deck, |c| { if c.number > 2 { «throw \"never\"; } \"no\" });",
            "reason-changes",
        ),
        ("players.first.choose(\"x\", deck, «mixed_up(), |c| \"no\");", "reason-changes"),
        ("players.first.choose(\"x\", deck, deck, |c| «first_of(c));", "reason-changes"),
        ("players.first.choose(\"x\", deck, deck, «marked);", "reason-changes"),
        ("players.first.choose(\"x\", deck, deck, |c| { «note(\"read\"); \"no\" });", "reason-changes"),
        ("players.first.choose(\"x\", deck, deck, |c| `not ${deck.«pick(\"lot\").number}`);", "reason-changes"),
        ("if false { let kept = acts(\"a\", \"b\", deck); for one in «kept { } }", "wrong-value"),
    ] {
        let functions = "fn points_of(p) { p.score }\nfn mixed(n) { if n == 1 { return 1; } n.max(2) }\n\
                         fn says_so(n) { loop { if n > 3 { return \"yes\"; } n += 1; } }\n\
                         fn agreed(c) { players.all(|p| p.may(c.id)) }\n\
                         fn told(c) { if agreed(c) { \"no\" } else { \"never\" } }\n\
                         fn mixed_up() { deck.shuffle(); deck }\n\
                         fn first_of(c) { if c.number > 1 { return second_of(c); } c.reveal(); \"no\" }\n\
                         fn second_of(c) { first_of(c) }\n\
                         fn marked(c) { let all = [c]; all.for_each(scored); \"no\" }\n\
                         fn scored(c) { players.first.score += c.number; }\n";
        let (statements, (line, column)) = marked(statements);
        let line = functions.lines().count() + 1 + line;
        let example = Example::new(&format!("# functions\n{functions}# rules.rhai\n{statements}"));
        let place = format!("rules.rhai:{line}:{column}");
        let found = example.place_of(code);
        if found.as_ref() != Some(&place) {
            failures
                .push(format!("{code} is not told at {place}, but {found:?} of {:?}:\n{statements}", example.found()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// What tells why something is not allowed may count on its own, and look at everything.
#[test]
fn reasons_may_do_as_they_like_with_what_is_theirs() {
    let reasons = "let n = 0; for other in deck { if other == c { n += 1; break; } } let l = []; l.push(n); \
                   if n > 1 { return counted(deck); } `${l}`";
    let others = "{ let rest = components(); for c in deck { if c.number < 3 { continue; } rest += c; } rest }";
    let text = format!(
        "# functions\nfn counted(zone) {{ let all = []; for c in zone {{ all.push(c.number); }} `${{all}}` }}\n\
         # rules.rhai\nlet all = deck.components;\nplayers.first.choose(\"x\", all, {others}, |c| {{ {reasons} }});"
    );
    let found = Example::new(&text).found();
    assert!(!found.iter().any(|found| found == "reason-changes"), "{found:?}");
}

/// A game may have what only its variants use: it is for nothing only where none of them does.
#[test]
fn what_a_variant_uses_is_not_for_nothing() {
    let text = "# game.toml\ndata.bonus = 3\n# rules.rhai\nscore(players.first);\n\
                # one.rhai\nfn score(p) { p.award(data.bonus, \"one\"); super(p) }";
    let example = Example::new(text);
    let found = example.found();
    assert!(!found.iter().any(|found| found == "unused-data"), "{found:?}");
    let unused = |arguments: &[&str]| {
        let report = check(example.folder.path(), arguments);
        String::from_utf8(report.stderr).unwrap().contains("unused-data")
    };
    assert!(!unused(&["check", "small", "-v", "one"]));
    std::fs::remove_file(example.folder.path().join("variants/small/one.toml")).unwrap();
    assert!(unused(&["check", "small"]), "nobody is left that uses it");
}

/// Rules that use things in every way that a script can: nothing is for nothing in them.
#[test]
fn what_is_used_in_some_way_is_not_called_unused() {
    let text = "# game.toml
data.sizes = [1, 2]
data.colors = { red = 1, blue = 2 }
data.low = 1
data.high = 6
components.chip = { id = \"{worth}\", kind = \"token\", attributes = { worth = { from = \"data.low\", to = \"data.high\" } } }
settings.rounds.default = 2
settings.names.default = [\"first\", \"second\"]
settings.to = { default = \"plain\", choices = [\"plain\"] }
variables.pot = { default = 0 }
variables.wins = { default = 0, per = \"seat\", visible = \"none\" }
tie_breaks = [\"wins\"]
text = { first = \"1st\", second = \"2nd\", bid_red = \"red\", next_to_act = \"who?\", begin = \"b\" }
# functions
fn all_of(list) { for entry in list { note(entry); } }
# rules.rhai
let key = \"red\";
note(`${data.colors[key]}`);
note(`${data[\"sizes\"].len}`);
for round in 0..settings.rounds { note(`bid_${key}`); }
all_of(settings.names);
let made = 0;
players.for_each(|p| made += p.number);
table.pot += made;
let _kept = made;
next_to_act(players);
begin_phase(\"begin\");
";
    let found = Example::new(text).found();
    let unused: Vec<&String> = found.iter().filter(|found| found.starts_with("un") && *found != "untold").collect();
    assert!(unused.is_empty(), "{found:?}");
}

/// Prompts that are put together, asked under a word's own name or named in the definition are there; others are told,
/// wherever `policy` looks for them.
#[test]
fn what_policy_looks_for_is_asked_somewhere() {
    let asks = "# rules.rhai\nfor suit in [\"red\", \"blue\"] { players.first.choose(`bid_${suit}`, [1, 2]); }\n\
                players.first.choose(\"card\", [1, 2]);\nplayers.first.may(\"stop\");\n";
    let found = |policy: &str| {
        let text = format!("{asks}# functions\nfn policy(p, prompt, options) {{\n{policy}\n}}\n");
        Example::new(&text).found().into_iter().filter(|found| found == "unasked-prompt").count()
    };
    for (policy, count) in [
        ("if prompt == \"card\" || prompt != \"stop\" { options.first } else { [] }", 0),
        ("if prompt == \"bid_red\" { options.first } else { [] }", 0),
        ("if prompt == \"crad\" { options.first } else { [] }", 1),
        ("if \"crad\" == prompt { options.first } else if prompt != \"crad\" { [] } else { [] }", 1),
        ("if prompt in [\"card\", \"crad\", \"stopp\"] { options.first } else { [] }", 2),
        ("switch prompt { \"card\" => options.first, \"crad\" => options.last, _ => [] }", 1),
        ("let wanted = \"crad\"; if prompt == wanted { options.first } else { [] }", 0),
    ] {
        assert_eq!(found(policy), count, "{policy}");
    }
}

/// An act that is compared with has to be one that some option has, however it comes to have it.
#[test]
fn an_act_that_no_option_has_is_told() {
    let found = |statements: &str| {
        let asks =
            "# rules.rhai\nlet p = players.first;\nlet choice = p.choose(\"move\", act(\"load\") + act(\"burn\"));\n";
        let found = Example::new(&format!("{asks}{statements}\n")).found();
        found.into_iter().filter(|found| found == "unoffered-act").count()
    };
    for (statements, count) in [
        ("if choice.act == \"load\" || \"burn\" != choice.act { p.award(1, \"load\"); }", 0),
        ("if choice.act == \"lod\" { p.award(1, \"load\"); }", 1),
        ("if choice.act in [\"load\", \"lod\", \"bern\"] { p.award(1, \"load\"); }", 2),
        ("switch choice.act { \"load\" => p.award(1, \"load\"), \"lod\" => p.award(2, \"load\"), _ => () }", 1),
        // A word of the rules that is chosen has itself as its act, and a computed act can be any.
        (
            "let other = p.choose(\"other\", [\"pass\"]);\nif other == \"pass\" || choice.act == \"pass\" { p.award(1, \"load\"); }",
            0,
        ),
        (
            "for name in [\"lo\" + \"d\"] { p.choose(\"other\", act(name)); }\nif choice.act == \"lod\" { p.award(1, \"load\"); }",
            0,
        ),
    ] {
        assert_eq!(found(statements), count, "{statements}");
    }
}

/// Words that move what is counted take its name as a text, and what goes on into another game is read there.
#[test]
fn a_variable_that_is_given_by_name_is_used() {
    for statements in [
        "players.first.take_up_to(\"coins\", 2);",
        "players.first.pay_up_to(\"coins\", 2);",
        "players.first.give(players.last, \"coins\", 1);",
        "players.first.give_up_to(players.last, \"coins\", 1);",
    ] {
        let game = "# game.toml\nvariables.coins = { default = 1, per = \"seat\", bank = 4 }\n# rules.rhai\n";
        let found = Example::new(&format!("{game}{statements}")).found();
        assert!(!found.iter().any(|found| found == "unused-variable"), "{statements} {found:?}");
    }
    let kept = "# game.toml\nvariables.scars = { default = 1, per = \"seat\" }\nkeeps.scars = true\n";
    let found = Example::new(kept).found();
    assert!(!found.iter().any(|found| found == "unused-variable"), "{found:?}");
}

/// What a function above replaces for good is read by nobody, so it needs no words.
#[test]
fn what_is_replaced_needs_no_words() {
    let below = "# functions\nfn gain(p) { p.award(1, \"first\"); }\n# rules.rhai\ngain(players.first);\n";
    let told = |above: &str| {
        let example = Example::new(&format!("{below}# one.rhai\nfn gain(p) {{ {above} }}"));
        let report = check(example.folder.path(), &["check", "small", "-v", "one"]);
        String::from_utf8(report.stderr).unwrap().contains("the reason for points `first` has no words")
    };
    assert!(told("super(p);"));
    assert!(!told("p.score += 1;"));
}

/// A variable of the table is no player's, whatever name holds the player.
#[test]
fn a_variable_of_the_table_is_set_and_read_on_the_table() {
    let game = "# game.toml\nvariables.pot = { default = 0 }\n# rules.rhai\n";
    for (statements, code) in [
        ("table.pot += 1; let p = [players.first][0]; p.pot = table.pot;", Some("cannot-be-set")),
        ("table.pot += 1; let p = [players.first][0]; table.pot = p.pot;", Some("unknown-property")),
        ("table.pot += 1; note(`${table.pot}`);", None),
        // Where `table` is handed on, another name may hold it.
        ("let t = [table][0]; t.pot += 1; note(`${t.pot}`);", None),
    ] {
        let found = Example::new(&format!("{game}{statements}")).found();
        assert_eq!(found.first().map(String::as_str), code, "{statements}");
    }
}

/// What can be seen only when a game is played is found by playing one, and told with the way there.
#[test]
fn check_plays_a_game_of_each_ruleset() {
    for (statements, message) in
        [("while true {}", "without a decision"), ("let n = deck.len; note(`${1 / n}`);", "division by zero")]
    {
        let example = Example::new(statements);
        let report = check(example.folder.path(), &["check", "small"]);
        let shown = String::from_utf8(report.stderr).unwrap();
        assert_eq!(report.status.code(), Some(1), "{shown}");
        assert!(shown.contains("error[fails-in-play]") && shown.contains(message), "{shown}");
        assert!(shown.contains("rules.rhai:2:"), "{shown}");
        assert!(shown.contains("`houserule play small -p 2 -s 1`, then `until end`, leads there"), "{shown}");
    }
    // A variant that fails is found by itself, and what lies over it is not blamed for the same.
    let layered = "# rules.rhai\nscore(players.first);\n# one.rhai\nfn score(p) { super(p); p.award(1 / deck.len, \"card\"); }\n\
                   # two.rhai\nfn score(p) { super(p); }";
    let found = Example::new(layered).found();
    assert_eq!(found.iter().filter(|code| *code == "fails-in-play").count(), 1, "{found:?}");
}

/// A game that goes on as long as somebody chooses is not played to its end, and is no mistake.
#[test]
fn a_game_that_never_ends_is_checked_all_the_same() {
    let found = Example::new("loop { players.first.may(\"go_on\"); }").found();
    assert!(!found.iter().any(|code| code == "fails-in-play"), "{found:?}");
}
