//! What simulations leave behind for other programs and other eyes: pages, tables of games.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A game of luck: fails in one game of 64, ties in half of the others, measures something rarely and under a name that
/// would break a table.
const RULES: &str = r#"
fn game() {
    for p in players {
        begin_turn(p);
        p.award(players.pick("luck").number, "luck, \"<b>\"");
    }
    let who = [players.pick("rare"), players.pick("rare"), players.pick("rare")];
    if who.all(|p| p == players.first) { metric("waste", 7); metric("waste", 1); }
    let bad = [players.pick("bad"), players.pick("bad"), players.pick("bad"), players.pick("bad"), players.pick("bad")];
    if bad.all(|p| p == players.first) { let zero = players.first.number - 1; metric("none", 1 / zero); }
}
"#;

const GAME: &str = "id = 'g'\nname = 'G'\nplayers = { min = 2, max = 4 }\n";

const VARIANT: &str = "id = 'v'\ngame = 'g'\nname = 'V'\n[script]\nrhai = '''\nfn game() { super(); players.first.award(2, 'prize'); }\n'''\n";

fn project() -> TempDir {
    let project = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("games/g/game.toml", GAME),
        ("games/g/rules.rhai", RULES),
        ("variants/g/v.toml", &VARIANT.replace("'prize'", "\"prize\"")),
    ] {
        let path = project.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    project
}

fn houserule(project: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_houserule")).args(arguments).current_dir(project).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The cells of a line of CSV.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            letter => cells.last_mut().unwrap().push(letter),
        }
    }
    cells
}

#[test]
fn every_game_is_a_row() {
    let project = project();
    let run = |games: &str, name: &str| {
        let (csv, parquet) = (format!("{name}.csv"), format!("{name}.parquet"));
        let arguments = ["sim", "g", "-n", games, "-s", "10", "--json", "--csv", &csv, "--parquet", &parquet];
        let output = houserule(project.path(), &arguments);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
        let text = fs::read_to_string(project.path().join(csv)).unwrap();
        (report, text, fs::read(project.path().join(parquet)).unwrap(), output.status.code())
    };
    let (report, text, parquet, code) = run("200", "games");
    assert_eq!(code, Some(1), "rules failed");
    let mut lines = text.lines();
    let names = cells(lines.next().unwrap());
    assert!(text.starts_with("seed,ending,p1.win,p2.win,p1.score"), "{}", names.join(" "));
    assert_eq!(names.iter().position(|name| name == "metric.waste"), Some(names.len() - 2), "{names:?}");
    let rows: Vec<Vec<String>> = lines.map(cells).collect();
    assert_eq!(rows.len(), 200);
    let column = |name: &str| {
        let place = names.iter().position(|known| known == name).unwrap_or_else(|| panic!("{name}"));
        rows.iter().map(|row| row[place].clone()).collect::<Vec<_>>()
    };
    assert_eq!(column("seed"), (10..210).map(|seed| seed.to_string()).collect::<Vec<_>>());
    let failed = column("ending").iter().filter(|ending| *ending == "failed").count();
    assert_eq!(report["games"]["failed"], failed);
    assert!(failed > 0);
    // The figures are those of the rows.
    let mut compared = 0;
    for figure in report["figures"].as_array().unwrap().iter().chain(report["metrics"].as_array().unwrap()) {
        let id = figure["id"].as_str().unwrap().to_owned();
        let name = if names.contains(&id) { id } else { format!("metric.{id}") };
        let values: Vec<f64> = column(&name).iter().filter_map(|cell| cell.parse().ok()).collect();
        assert_eq!(figure["games"], values.len(), "{name}");
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        assert!((mean - figure["mean"]["estimate"].as_f64().unwrap()).abs() < 1e-9, "{name}: {mean}");
        compared += 1;
    }
    assert!(compared > 10, "{compared}");
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    // The same again gives the same files, over those that are there.
    let again = run("200", "games");
    assert_eq!((again.1, again.2), (text, parquet));
}

#[test]
fn a_page_tells_what_the_terminal_tells() {
    let project = project();
    let sim = houserule(project.path(), &["sim", "g", "-n", "100", "--html", "page.html", "--out", "part"]);
    assert_eq!(sim.status.code(), Some(1), "{}", said(&sim));
    let page = || fs::read_to_string(project.path().join("page.html")).unwrap();
    let simulated = page();
    for heading in ["What went wrong", "Who wins", "How games go", "All measures", "What happened, and how often"] {
        assert!(simulated.contains(&format!("<h2>{heading}</h2>")), "{heading}");
    }
    assert!(
        simulated.contains("luck, &quot;&lt;b&gt;&quot;") && !simulated.contains("<b>"),
        "names of the rules are text"
    );
    let report = houserule(project.path(), &["report", "part", "--html", "page.html"]);
    assert_eq!(report.status.code(), Some(1), "{}", said(&report));
    assert_eq!(page(), simulated, "parts tell what the whole tells");

    let compare = houserule(project.path(), &["compare", "g", "-v", "v", "-n", "60", "--html", "page.html"]);
    assert_eq!(compare.status.code(), Some(0), "{}", said(&compare));
    let compared = page();
    assert!(compared.contains("g: v beside plain game") && compared.contains("shown higher"), "{compared}");
    let sweep = ["compare", "g", "--sweep", "variants=v", "--goal", "ties < 90%", "-n", "60", "--html", "page.html"];
    let sweep = houserule(project.path(), &sweep);
    assert_eq!(sweep.status.code(), Some(0), "{}", said(&sweep));
    assert!(page().contains("<h2>Beside each other</h2>"));
}

#[test]
fn nothing_of_somebody_else_is_overwritten_and_nothing_half_written() {
    let project = project();
    let files = [("--html", "diary.html"), ("--csv", "diary.csv"), ("--parquet", "diary.parquet")];
    for (option, name) in files {
        let path = project.path().join(name);
        fs::write(&path, "seed, my diary").unwrap();
        let refused = houserule(project.path(), &["sim", "g", "-n", "1000000", option, name]);
        assert_eq!(refused.status.code(), Some(2), "{option}");
        assert!(
            said(&refused).contains("is there already") && said(&refused).contains("--force"),
            "{}",
            said(&refused)
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), "seed, my diary");
        let forced = houserule(project.path(), &["sim", "g", "-n", "3", option, name, "--force"]);
        assert_ne!(forced.status.code(), Some(2), "{}", said(&forced));
        assert_ne!(fs::read(&path).unwrap(), b"seed, my diary");
        // What it has written itself it overwrites.
        let again = houserule(project.path(), &["sim", "g", "-n", "3", option, name]);
        assert_ne!(again.status.code(), Some(2), "{}", said(&again));
        let nowhere = houserule(project.path(), &["sim", "g", "-n", "1000000", option, "no/such/folder/file"]);
        assert_eq!(nowhere.status.code(), Some(2));
    }
    let left: Vec<String> =
        fs::read_dir(project.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(left.iter().all(|name| !name.starts_with(".houserule-")), "{left:?}");
}

/// Where there is a device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn one_path_for_two_files_is_refused_before_anything_is_played() {
    let project = project();
    let refused = |arguments: &[&str]| {
        let output = houserule(project.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("is named twice"), "{}", said(&output));
    };
    refused(&["sim", "g", "-n", "5", "--csv", "same", "--html", "same"]);
    refused(&["sim", "g", "-n", "5", "--out", "same", "--parquet", "./same"]);
    assert!(!project.path().join("same").exists());
    houserule(project.path(), &["sim", "g", "-n", "5", "--out", "part"]);
    let before = std::fs::read(project.path().join("part")).unwrap();
    refused(&["report", "part", "--html", "part", "--force"]);
    assert_eq!(std::fs::read(project.path().join("part")).unwrap(), before);
}

#[test]
fn a_full_disk_is_told() {
    let project = project();
    for option in ["--html", "--csv", "--parquet"] {
        let full = houserule(project.path(), &["sim", "g", "-n", "40", option, "/dev/full"]);
        assert_eq!(full.status.code(), Some(2), "{option}");
        assert!(said(&full).contains("no space left"), "{}", said(&full));
    }
}
