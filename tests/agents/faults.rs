//! A function of the rules that agents go by and that does not work is told, once, and changes nothing else.

use super::spec;
use crate::shared::small_game;
use houserule::playthrough::observation::Observation;
use houserule::script::Start;
use houserule::script::rules::Rules;
use houserule::table::decision::NoAnswerer;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

const DEFINITION: &str = "
id = 'keep'
name = 'Keep'
players = { min = 2, max = 4 }
";

const SCRIPT: &str = "fn game() {
    for p in players { p.award(p.choose(\"keep\", [1, 2, 3]), \"kept\"); }
    for p in players { p.award(p.choose(\"more\", [1, 2]), \"more\"); }
}
";

/// What is told of a faulty function, behind `SCRIPT`, where an agent goes by it: the message and the place.
fn told(function: &str, agent: &str) -> Vec<(String, Option<(usize, usize)>)> {
    let ruleset = small_game::game("keep", DEFINITION, format!("{SCRIPT}{function}")).unwrap();
    let rules = Rules::new(ruleset, 2, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"));
    let mut run = rules.begin(&Start::Game, 1);
    rules.resume(&mut run, &mut NoAnswerer);
    let open = run.table.open().unwrap().clone();
    spec(agent).agent(3).choose(&Observation::new(&rules, &run, &open));
    let faults = rules.take_faults();
    assert!(rules.take_faults().is_empty(), "each is told once");
    faults.into_iter().map(|fault| (fault.message.to_string(), fault.place.map(|place| place.position()))).collect()
}

#[test]
fn what_does_not_work_is_told_with_its_place() {
    let cases = [
        ("fn value(p) { `${p.score}` }", "`value` gives a text", (5, 4)),
        ("fn value(p) { p.score / (p.number - 1) }", "", (5, 23)),
        ("fn value(p) { throw \"no\" }", "no", (5, 15)),
        ("fn value(p) { p.choose(\"keep\", [1, 2]) }", "`value` asks a player", (5, 4)),
        ("fn value(p) { let n = 0; loop { n += 1; } }", "`value` goes on for too long", (5, 4)),
        ("fn policy(p, prompt, options) { [1] }", "`policy` gives 1 weights for 2 options of more", (5, 4)),
        ("fn policy(p, prompt, options) { [1, 2, \"x\"] }", "`policy` gives a text as a weight", (5, 4)),
        ("fn policy(p, prompt, options) { [2, -1] }", "`policy` gives -1 as a weight", (5, 4)),
        ("fn policy(p, prompt, options) { 9 }", "`policy` gives something that is not an option of", (5, 4)),
        ("fn policy(p, prompt, options) { options.first.len }", "", (5, 0)),
        ("fn doubt(p) { p.score == 0 }", "`doubt` gives true or false", (5, 4)),
        ("fn doubt(p) { -1 }", "`doubt` gives -1", (5, 4)),
        ("fn doubt(p) { p.may(\"keep\") }", "`doubt` asks a player", (5, 4)),
    ];
    for (function, message, (line, column)) in cases {
        let agent = if function.contains("value") { "greedy" } else { "search:20" };
        let told = told(function, agent);
        let [(said, Some(at))] = &told[..] else { panic!("{function}: {told:?}") };
        assert!(said.contains(message), "{function}: {said}");
        assert!(at.0 == line && (column == 0 || at.1 == column), "{function}: {at:?} {said}");
    }
    for fine in [
        "fn value(p) { p.score }",
        "fn policy(p, prompt, options) { [] }",
        "fn policy(p, prompt, options) { 1 }",
        "fn policy(p, prompt, options) { options.map(|option| 0) }",
        "fn doubt(p) { 0 }",
    ] {
        assert_eq!(told(fine, "search:20"), [], "{fine}");
    }
    assert_eq!(told("fn value(p) { \"a\" }", "random"), [], "nobody asked it");
}

fn houserule(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_houserule")).current_dir(folder).args(arguments).output().unwrap()
}

/// What a session with these lines says on standard error.
fn piped(folder: &Path, arguments: &[&str], lines: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    command.current_dir(folder).args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut session = command.spawn().unwrap();
    session.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    String::from_utf8(session.wait_with_output().unwrap().stderr).unwrap()
}

/// Figures are those of rules without the function, and standard error tells of it.
#[test]
fn figures_stay_as_they_are_and_the_fault_is_told_beside_them() {
    let library = |function: &str| {
        let folder = tempfile::tempdir().unwrap();
        let game = folder.path().join("games/keep");
        fs::create_dir_all(&game).unwrap();
        fs::write(game.join("game.toml"), DEFINITION).unwrap();
        fs::write(game.join("rules.rhai"), format!("{SCRIPT}{function}")).unwrap();
        folder
    };
    let (plain, faulty) = (library(""), library("fn value(p) { \"much\" }"));
    let sim = ["sim", "keep", "-n", "20", "--agents", "greedy"];
    let [plain_out, out] = [&plain, &faulty].map(|folder| houserule(folder.path(), &sim));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(text(&plain_out.stdout), text(&out.stdout));
    assert!(!plain_out.stdout.is_empty() && out.status.success());
    let told = text(&out.stderr);
    assert_eq!(told.matches("`value` gives a text").count(), 1, "{told}");
    assert!(told.contains("warning[asked-fails]") && told.contains("games/keep/rules.rhai:5:4"), "{told}");
    assert!(told.contains("there, agents ignore `value`"), "{told}");

    let ladder = ["ladder", "keep", "-n", "2", "--rungs", "random,greedy"];
    let told = text(&houserule(faulty.path(), &ladder).stderr);
    assert_eq!(told.matches("`value` gives a text").count(), 1, "{told}");
    let trace = houserule(faulty.path(), &["trace", "keep", "--agents", "greedy"]);
    assert_eq!(text(&trace.stderr).matches("`value` gives a text").count(), 1, "{}", text(&trace.stderr));
    assert!(text(&trace.stdout).lines().all(|line| line.starts_with('{')), "{}", text(&trace.stdout));
    // Agents that play beside a person go by it, too, and who looks as that person is told where, but not what it found.
    for (seats, said) in [("seat p2 greedy", "the rules fail here"), ("seat p2 greedy\nas all", "`value` gives a text")]
    {
        let (lines, folder) = (format!("{seats}\n1\n1\n"), library("fn value(p) { \"much\" }"));
        let told = piped(folder.path(), &["play", "keep", "-p", "2", "-s", "1"], &lines);
        assert!(told.contains(said) && told.matches("rules.rhai:5:4").count() == 1, "{seats}: {told}");
    }
    let check = houserule(faulty.path(), &["check", "keep"]);
    assert!(text(&check.stderr).contains("rules.rhai:5:4") && text(&check.stdout).contains("4 warnings"));
    // What fails later in a game is told, too.
    let late = library("fn value(p) { if p.score > 0 { \"much\" } else { 1 } }");
    let told = text(&houserule(late.path(), &["check", "keep"]).stderr);
    assert!(told.contains("`value` gives a text"), "{told}");
    let broken = library("fn invariant() { 7 }");
    let told = text(&houserule(broken.path(), &["check", "keep"]).stderr);
    assert!(told.contains("`invariant` gives a number") && told.contains("rules.rhai:5:4"), "{told}");
}

/// Without a `value` that works, agents see what the standing adds, as where there is none.
#[test]
fn a_value_that_fails_leaves_the_standing() {
    let definition = format!("{DEFINITION}standing = 'count'\n");
    let script = "fn game() { for p in players { begin_turn(p); p.kept = p.choose(\"keep\", [1, 2, 3]); begin_turn(p.next); \
                  p.may(\"go\"); } for p in players { count(p); } }\nfn count(p) { p.award(p.kept, \"kept\"); }\n";
    let definition = format!("{definition}[variables]\nkept = {{ default = 0, per = 'seat' }}\n");
    let kept = |value: &str| {
        let ruleset = small_game::game("keep", &definition, format!("{script}{value}")).unwrap();
        let rules = Rules::new(ruleset, 2, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"));
        let mut run = rules.begin(&Start::Game, 1);
        rules.resume(&mut run, &mut NoAnswerer);
        let open = run.table.open().unwrap().clone();
        spec("greedy").agent(3).choose(&Observation::new(&rules, &run, &open))
    };
    assert_eq!((kept(""), kept("fn value(p) { -p.kept }")), (vec![2], vec![0]));
    assert_eq!(kept("fn value(p) { \"much\" }"), [2], "the highest number");
}

/// Where two ladders differ, the reader knows whether the agents went by the same.
#[test]
fn ladders_of_agents_that_are_told_something_else_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("games/keep/game.toml", DEFINITION.to_owned()),
        ("games/keep/rules.rhai", format!("{SCRIPT}fn value(p) {{ p.score }}")),
        ("variants/keep/blind.toml", variant("blind", "fn value(p) { 0 }")),
        ("variants/keep/again.toml", variant("again", "fn game() { super(); super(); }")),
    ];
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    for (id, is_told) in [("blind", true), ("again", false)] {
        let ladder = ["ladder", "keep", "-v", id, "--vs-plain", "-n", "2", "--rungs", "random,greedy"];
        let output = houserule(folder.path(), &ladder);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{told}");
        assert_eq!(told.contains("the two rulesets do not have the same `value`"), is_told, "{id}: {told}");
    }
}

fn variant(id: &str, script: &str) -> String {
    format!("id = '{id}'\ngame = 'keep'\nname = '{id}'\n[script]\nrhai = '''\n{script}\n'''\n")
}
