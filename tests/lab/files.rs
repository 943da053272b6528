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

/// What was the same in a few games can be otherwise in others.
#[test]
fn a_few_games_do_not_say_always() {
    let project = project();
    let row = |games: &str, name: &str| {
        let output = houserule(project.path(), &["sim", "g", "-n", games, "-s", "10"]);
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        told.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{told}")).to_owned()
    };
    assert!(row("1", "ties").ends_with("0 to 79 %"), "{}", row("1", "ties"));
    // A count is known to be no less than 0, and nothing else.
    assert!(row("1", "decisions").ends_with("0 or more"), "{}", row("1", "decisions"));
    assert!(row("40", "decisions").contains("in every game"), "{}", row("40", "decisions"));
}

#[test]
fn one_is_no_number_of_many() {
    let project = project();
    let solo = "id = 's'\nname = 'S'\nplayers = { min = 1, max = 2 }\n[script]\nrhai = 'fn game() { players.first.award(1, \"x\"); }'\n";
    for (path, text) in [("games/s/game.toml", solo), ("variants/s/n.toml", "id = 'n'\ngame = 's'\nname = 'N'\n")] {
        fs::create_dir_all(project.path().join(path).parent().unwrap()).unwrap();
        fs::write(project.path().join(path), text).unwrap();
    }
    for (arguments, english, japanese) in [
        (&["sim", "s", "-n", "1"][..], "1 game is too few for an interval", "1ゲームでは、上限や下限のない"),
        (&["sim", "s", "-n", "1"], "s · 1 player · random · 1 game from", "s · 1人 · random"),
        (
            &["ladder", "s", "-n", "2", "--rungs", "random,greedy"],
            "s · 1 player · 2 seeds from 1",
            "s · 1人 · シード2個",
        ),
        (&["diff", "s", "-v", "n", "-s", "2"], "1 player, seed 2\n", "1人、シード 2\n"),
        (&["doc", "s", "-p", "1", "--md", "-"], "An example with 1 player: the table", "1人で遊ぶ例："),
    ] {
        for (language, words) in [("en", english), ("ja", japanese)] {
            let output = houserule(project.path(), &[arguments, &["--lang", language]].concat());
            let told = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(told.contains(words), "{arguments:?}: {words} in {told}{}", said(&output));
        }
    }
}

#[test]
fn every_game_is_a_row() {
    let project = project();
    let run = |games: &str, name: &str| {
        let csv = format!("{name}.csv");
        let arguments = ["sim", "g", "-n", games, "-s", "10", "--json", "--csv", &csv];
        let output = houserule(project.path(), &arguments);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
        let text = fs::read_to_string(project.path().join(csv)).unwrap();
        (report, text, output.status.code())
    };
    let (report, text, code) = run("200", "games");
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
    // The same again gives the same file, over the one that is there.
    let again = run("200", "games");
    assert_eq!(again.1, text);
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
    let files = [("--html", "diary.html"), ("--csv", "diary.csv")];
    for (option, name) in files {
        let path = project.path().join(name);
        fs::write(&path, "seed, my diary").unwrap();
        let refused = houserule(project.path(), &["sim", "g", "-n", "1000000", option, name]);
        assert_eq!(refused.status.code(), Some(2), "{option}");
        assert!(said(&refused).contains("already exists") && said(&refused).contains("--force"), "{}", said(&refused));
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

#[test]
fn one_path_for_two_files_is_refused_before_anything_is_played() {
    let project = project();
    let refused = |arguments: &[&str]| {
        let output = houserule(project.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("is named twice"), "{}", said(&output));
    };
    refused(&["sim", "g", "-n", "5", "--csv", "same", "--html", "same"]);
    refused(&["sim", "g", "-n", "5", "--out", "same", "--csv", "./same"]);
    assert!(!project.path().join("same").exists());
    houserule(project.path(), &["sim", "g", "-n", "5", "--out", "part"]);
    let before = std::fs::read(project.path().join("part")).unwrap();
    refused(&["report", "part", "--html", "part", "--force"]);
    assert_eq!(std::fs::read(project.path().join("part")).unwrap(), before);
    refused(&["sim", "g", "-n", "5", "--csv", "-", "--html", "-"]);
    fs::create_dir_all(project.path().join("tests/scenarios/g")).unwrap();
    fs::write(project.path().join("tests/scenarios/g/one.toml"), "id = 'one'\n").unwrap();
    refused(&["test", "--coverage", "--html", "same", "--lcov", "same"]);
    // Of the rulebook, nothing is written either: neither a file nor a part of standard output.
    refused(&["doc", "g", "--md", "same", "--html", "same", "--force"]);
    let output = houserule(project.path(), &["doc", "g", "--md", "-", "--html", "-"]);
    assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{}", said(&output));
    assert!(said(&output).contains("standard output is named twice"), "{}", said(&output));
    assert!(!project.path().join("same").exists());
}

#[cfg(unix)]
#[test]
fn links_to_the_same_place_are_the_same_path() {
    let project = project();
    fs::create_dir(project.path().join("real")).unwrap();
    for (to, link) in [("a.q", "b.q"), ("real", "alias"), ("alias/new", "far")] {
        std::os::unix::fs::symlink(to, project.path().join(link)).unwrap();
    }
    for (one, other) in [("a.q", "b.q"), ("real/a.q", "alias/a.q"), ("far", "real/new")] {
        let output = houserule(project.path(), &["sim", "g", "-n", "5", "--csv", one, "--html", other]);
        assert_eq!(output.status.code(), Some(2), "{one} {other}");
        assert!(said(&output).contains("is named twice"), "{}", said(&output));
        assert!(!project.path().join(one).exists(), "{one}");
    }
    let output = houserule(project.path(), &["sim", "g", "-n", "5", "--csv", "/dev/null", "--html", "/dev/null"]);
    assert!(output.status.success(), "{}", said(&output));
}

/// An hour of games is not lost because a file cannot be written behind it.
#[cfg(target_os = "linux")]
#[test]
fn what_was_played_is_shown_even_if_it_cannot_be_saved() {
    let project = project();
    let fails = "id = 'fails'\ngame = 'g'\nname = 'F'\n[script]\nrhai = 'fn game() { super(); throw \"boom\"; }'\n";
    fs::write(project.path().join("variants/g/fails.toml"), fails).unwrap();
    let shows = |arguments: &[&str], shown: &str, told: &[&str]| {
        let output = houserule(project.path(), arguments);
        let (results, told_there) = (String::from_utf8_lossy(&output.stdout).into_owned(), said(&output));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told_there}");
        assert!(results.contains(shown), "{arguments:?}: {results}");
        told.iter().for_each(|words| assert!(told_there.contains(words), "{arguments:?}: {words} in {told_there}"));
        told_there
    };
    let failing = ["sim", "g", "-v", "fails", "-n", "3"];
    let of = |more: &[&'static str]| [&failing[..], more].concat();
    fs::write(project.path().join("failed-games"), "mine").unwrap();
    shows(&failing, "3 games failed", &["error: `failed-games` cannot be written"]);
    shows(&of(&["--json"]), "\"failed\":3", &["error: `failed-games` cannot be written"]);
    shows(&of(&["--coverage"]), "reached:", &["error: `failed-games` cannot be written"]);
    // Every file is written that can be, and told of that cannot.
    let told = ["error: `failed-games` cannot be written", "no space left"];
    shows(&of(&["--csv", "rows.csv", "--html", "/dev/full"]), "3 games failed", &told);
    assert!(project.path().join("rows.csv").exists());
    // `--force` is not about the games that failed.
    fs::remove_file(project.path().join("failed-games")).unwrap();
    fs::create_dir(project.path().join("failed-games")).unwrap();
    fs::write(project.path().join("failed-games/g-2-players-1.toml"), "mine").unwrap();
    let told = shows(&failing, "3 games failed", &["already exists", "`--save FOLDER` names another folder"]);
    assert!(!told.contains("--force"), "{told}");
    for (arguments, shown) in [
        (&["compare", "g", "-v", "v", "-n", "3", "--html", "/dev/full"][..], "beside"),
        (&["compare", "g", "--sweep", "variants=v", "-n", "3", "--html", "/dev/full"], "ties"),
        (&["ladder", "g", "-n", "2", "--rungs", "random,greedy", "--html", "/dev/full"], "Elo"),
    ] {
        shows(arguments, shown, &["no space left"]);
    }
}

#[test]
fn a_part_goes_where_it_is_forced_to() {
    let project = project();
    fs::write(project.path().join("diary"), "Dear diary").unwrap();
    let sim = ["sim", "g", "-n", "3", "--out", "diary"];
    let refused = houserule(project.path(), &sim);
    assert!(refused.status.code() == Some(2) && said(&refused).contains("--force"), "{}", said(&refused));
    let forced = houserule(project.path(), &[&sim[..], &["--force"]].concat());
    assert!(forced.status.success(), "{}", said(&forced));
    assert!(fs::read_to_string(project.path().join("diary")).unwrap().starts_with("{\"houserule-part\":"));
}

/// Where there is a device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let project = project();
    for option in ["--html", "--csv"] {
        let full = houserule(project.path(), &["sim", "g", "-n", "40", option, "/dev/full"]);
        assert_eq!(full.status.code(), Some(2), "{option}");
        assert!(said(&full).contains("no space left"), "{}", said(&full));
    }
}

#[test]
fn a_part_of_another_run_is_not_overwritten() {
    let project = project();
    let run = |arguments: &[&str]| {
        houserule(project.path(), &[&["sim", "g", "--out", "part", "-n", "40"], arguments].concat())
    };
    let part = || fs::read_to_string(project.path().join("part")).unwrap();
    assert!(run(&["--shard", "1/2"]).status.success());
    let first = part();
    for (arguments, why) in [
        (&["--shard", "1/2", "-s", "9"][..], "part of another run: `seed` is 1 there and 9 in this run"),
        (&["--shard", "1/2", "-v", "v"], "part of another run: "),
        (&["--shard", "2/2"], "has other games of this run: 1 to 20, and not 21 to 40"),
    ] {
        let output = run(arguments);
        assert!(output.status.code() == Some(2) && said(&output).contains(why), "{}", said(&output));
        assert!(said(&output).contains("--force") && part() == first);
    }
    assert!(run(&["--shard", "1/2"]).status.success(), "the same games may take their own place");
    assert!(run(&["--shard", "2/2", "--force"]).status.success());
    assert_ne!(part(), first);
}

#[test]
fn a_part_without_games_says_so() {
    let project = project();
    let output = houserule(project.path(), &["sim", "g", "-n", "5", "--shard", "1/8", "--out", "part"]);
    assert!(said(&output).contains("part 1 of 8 has no games: there are 5 in all"), "{}", said(&output));
    assert!(output.status.success() && project.path().join("part").exists(), "a script finds each of its parts");
}

#[test]
fn what_cannot_be_written_is_refused_before_a_game_is_played() {
    let project = project();
    let rows = || fs::read_dir(project.path()).unwrap().count();
    let before = rows();
    for file in ["--lcov", "--coverage-html"] {
        let output = houserule(project.path(), &["sim", "g", "-n", "1000000000", "--coverage", file, "no/where"]);
        assert!(
            output.status.code() == Some(2) && said(&output).contains("there is no such folder"),
            "{}",
            said(&output)
        );
        assert!(output.stdout.is_empty() && rows() == before, "nothing was played or written");
    }
    let output = houserule(project.path(), &["sim", "g", "-n", "1000000000", "--save", "games/g/game.toml"]);
    assert!(
        output.status.code() == Some(2) && said(&output).contains("it is a file, not a folder"),
        "{}",
        said(&output)
    );
    assert!(output.stdout.is_empty() && rows() == before, "nothing was played or written");
    // Nobody has named the usual folder, and all games may go well.
    fs::write(project.path().join("failed-games"), "mine").unwrap();
    let output = houserule(project.path(), &["sim", "g", "-n", "1"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).starts_with("note: a game that goes wrong could not be saved: "), "{}", said(&output));
    let output = houserule(project.path(), &["test", "nosuch", "--coverage", "--lcov", "no/where"]);
    assert!(output.status.code() == Some(2), "{}", said(&output));
    let output = houserule(project.path(), &["test", "nosuch", "--coverage"]);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("reached:"), "nothing was run: {output:?}");
}

/// Something to try is there, each thing once.
#[test]
fn rules_and_agents_are_tried_once() {
    let project = project();
    for (arguments, why) in [
        (&["compare", "g", "--goal", "ties < 40%"][..], "no rules to try beside"),
        (&["compare", "g", "--sweep", "variants=v,v"], "`v` is named twice"),
        (&["compare", "g", "-v", "v", "--sweep", "variants=v"], "`v` is given twice"),
        (&["ladder", "g", "--rungs", "random,greedy,random"], "`random` is on the ladder twice"),
        (&["sim", "g", "--pace", "-1,2"], "two numbers of seconds from 0 to 3600"),
    ] {
        let output = houserule(project.path(), arguments);
        assert!(output.status.code() == Some(2) && said(&output).contains(why), "{arguments:?}: {}", said(&output));
    }
}

/// A sweep with a mistake in it is refused before anything is played; what only does not go together is left out.
#[test]
fn a_sweep_with_a_mistake_is_refused_before_it_is_played() {
    let project = project();
    let priced = "id = 'priced'\ngame = 'g'\nname = 'Priced'\n[settings]\nprice = { default = 1, min = 0, max = 10 }\n\
                  [script]\nrhai = '''\nfn game() { super(); players.first.award(settings.price, \"price\"); }\n'''\n";
    fs::write(project.path().join("variants/g/priced.toml"), priced).unwrap();
    fs::write(
        project.path().join("variants/g/alone.toml"),
        "id = 'alone'\ngame = 'g'\nname = 'Alone'\nconflicts = { priced = 'one is free' }\n[script]\nrhai = 'fn game() { super(); }'\n",
    )
    .unwrap();
    for (arguments, why) in [
        (&["--sweep", "variants=priced,prised"][..], "did you mean `priced`?"),
        (&["-v", "priced", "--sweep", "priced.price=8..12"], "`priced.price` must be an integer from 0 to 10"),
        (&["-v", "priced", "--sweep", "priced.prise=1..3"], "did you mean `price`?"),
        // Without the layer.
        (&["-v", "priced", "--sweep", "price=1..3"], "did you mean `priced.price`?"),
        (&["-v", "priced", "--set", "price=1"], "did you mean `priced.price`?"),
        // Of a variant that nobody has asked for.
        (&["--sweep", "priced.price=1..3"], "`-v priced` adds it"),
        (&["-v", "priced", "--sweep", "priced.price=3..1"], "write the smaller number first: `1..3`"),
    ] {
        let output = houserule(project.path(), &[&["compare", "g", "-n", "1000000000"], arguments].concat());
        assert!(output.status.code() == Some(2) && said(&output).contains(why), "{arguments:?}: {}", said(&output));
        assert!(output.stdout.is_empty(), "nothing was played: {arguments:?}");
    }
    let output = houserule(project.path(), &["compare", "g", "--sweep", "variants=priced,alone", "-n", "60"]);
    let told = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(output.status.code() != Some(2) && told.contains("priced + alone was left out"), "{told}{}", said(&output));
}

/// A part says with which seed its games begin, and parts with others missing between them say which seeds they have.
#[test]
fn the_games_of_a_part_are_told_by_their_seeds() {
    let project = project();
    let sim = |shard: &str, out: &str| {
        let arguments = ["sim", "g", "-n", "90", "-s", "5", "--shard", shard, "--out", out];
        String::from_utf8(houserule(project.path(), &arguments).stdout).unwrap()
    };
    for (shard, out, seed) in [("1/3", "one", 5), ("2/3", "two", 35), ("3/3", "three", 65)] {
        let told = sim(shard, out);
        assert!(told.contains(&format!("30 games from seed {seed}\n")), "{shard}: {told}");
    }
    let report = |parts: &[&str]| {
        let arguments = [&["report"], parts, &["--html", "page.html", "--force"]].concat();
        let told = String::from_utf8(houserule(project.path(), &arguments).stdout).unwrap();
        (told, fs::read_to_string(project.path().join("page.html")).unwrap())
    };
    let (told, page) = report(&["one", "three"]);
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("60 games with the seeds 5–34, 65–94"), "{told}");
    assert!(page.contains("5–34, 65–94"), "{page}");
    let (told, page) = report(&["two", "three"]);
    assert!(told.contains("60 games from seed 35"), "{told}");
    assert!(page.contains("First seed"), "{page}");
}

/// What rules measure under the name of a measure has a name of its own.
#[test]
fn a_metric_named_like_a_measure_is_told_apart() {
    let project = project();
    let rules = "fn game() { for p in players { begin_turn(p); p.award(p.number, \"x\"); } metric(\"ties\", 7); metric(\"lead-changes\", 3); }";
    fs::write(project.path().join("games/g/rules.rhai"), rules).unwrap();
    let output = houserule(project.path(), &["sim", "g", "-n", "40", "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let names: Vec<&str> = told["metrics"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(names, ["metric.lead-changes", "metric.ties"]);
    let table = String::from_utf8(houserule(project.path(), &["sim", "g", "-n", "40"]).stdout).unwrap();
    let rows = |name: &str| table.lines().filter(|line| line.starts_with(&format!("{name} "))).count();
    assert_eq!((rows("ties"), rows("metric.ties")), (1, 1), "{table}");
    let compared = |goal: &str| {
        let output = houserule(project.path(), &["compare", "g", "-v", "v", "-n", "200", "--goal", goal]);
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(compared("metric.ties > 6").contains("Meet the goals"), "{}", compared("metric.ties > 6"));
    assert!(compared("ties > 50%").contains("Do not meet the goals"), "{}", compared("ties > 50%"));
}

/// A figure of a seat has its name for itself, and sums beyond what is counted are told as cut off.
#[test]
fn metrics_are_no_seats_figures_and_what_is_cut_off_is_told() {
    let project = project();
    let sim = |rules: &str, more: &[&str]| {
        fs::write(
            project.path().join("games/g/rules.rhai"),
            format!("fn game() {{ {rules} players.first.award(1, \"x\"); }}"),
        )
        .unwrap();
        String::from_utf8(houserule(project.path(), &[&["sim", "g", "-n", "20"], more].concat()).stdout).unwrap()
    };
    let rules = "metric(\"p1.win\", 3); metric(\"metric.ties\", 1); metric(\"ties\", 2); metric(\"p1.length\", 5);";
    let told: Value = serde_json::from_str(&sim(rules, &["--json"])).unwrap();
    let names: Vec<&str> = told["metrics"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(names, ["metric.metric.ties", "p1.length", "metric.p1.win", "metric.ties"]);

    let huge = "let most = 9223372036854775807; metric(\"huge\", most); metric(\"huge\", most);";
    let told = sim(huge, &[]);
    assert!(told.contains("Cut off: huge.") && told.contains("9223372036854775807"), "{told}");
    let lead = "players.first.award(9223372036854775806, \"all\"); players.last.award(-9223372036854775806, \"debt\");";
    assert!(sim(lead, &[]).contains("Cut off:"), "{}", sim(lead, &[]));
    assert!(!sim("metric(\"huge\", 9223372036854775806);", &[]).contains("Cut off"));
}

/// What is chosen is a share of how often it was asked, whatever the other options are.
#[test]
fn options_of_a_sort_that_is_not_told_apart_have_their_share() {
    let project = project();
    let rules = "fn game() { for round in 0..20 { players.first.choose(\"which\", [1, 2, 3, \"pass\"]); \
                 players.first.choose(\"number\", [1, 2, 3]); } }";
    fs::write(project.path().join("games/g/rules.rhai"), rules).unwrap();
    let told = houserule(project.path(), &["sim", "g", "-n", "100", "--json"]);
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let chosen = |prompt: &str| {
        let questions = told["questions"].as_array().unwrap();
        questions.iter().find(|one| one["name"] == prompt).unwrap()["chosen"].as_array().unwrap().clone()
    };
    let names: Vec<String> = chosen("which").iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(names, ["a number", "pass"]);
    let times: u64 = chosen("which").iter().map(|one| one["times"].as_u64().unwrap()).sum();
    assert_eq!(times, 2_000);
    assert!(chosen("number").is_empty(), "numbers alone are too many to be told apart");
    let table = String::from_utf8(houserule(project.path(), &["sim", "g", "-n", "100"]).stdout).unwrap();
    let row = table.lines().find(|line| line.starts_with("which ")).unwrap();
    assert!(row.contains("a number 7") && row.contains("pass 2"), "{row}");
}

/// What was asked and what points are for is told as the game puts it, in the language, with the id of the rules.
#[test]
fn what_is_counted_is_called_as_the_game_calls_it() {
    let project = project();
    let texts = "[text]\nplay_or_draw = { en = \"play a card or draw\", ja = \"出すか引く\" }\ndraw = { en = \"take one\", ja = \"引く\" }\n\
                 left = { en = \"cards left\", ja = \"残り\" }\n";
    fs::write(project.path().join("games/g/game.toml"), format!("{GAME}{texts}")).unwrap();
    let rules = "fn game() { for round in 0..3 { for p in players { begin_turn(p); \
                 p.choose(\"play_or_draw\", [\"draw\", \"pass\"]); } } players.first.award(1, \"left\"); }";
    fs::write(project.path().join("games/g/rules.rhai"), rules).unwrap();
    for (language, words) in [
        ("en", ["play a card or draw (play_or_draw)", "take one 5", "cards left (left)"]),
        ("ja", ["出すか引く (play_or_draw)", "引く 5", "残り (left)"]),
    ] {
        let sim = ["sim", "g", "-n", "100", "--lang", language, "--html", "page.html", "--out", "part", "--force"];
        let shown = String::from_utf8(houserule(project.path(), &sim).stdout).unwrap();
        let page = fs::read_to_string(project.path().join("page.html")).unwrap();
        let of_parts = houserule(project.path(), &["report", "part", "--lang", language]).stdout;
        let of_parts = String::from_utf8(of_parts).unwrap();
        for words in words {
            assert!(shown.contains(words) && page.contains(words), "{words}: {shown}");
        }
        assert_eq!(of_parts, shown, "parts tell what the whole tells");
    }
}

/// What a game fills into a text is not known of all choices together: it is left open, as in the rulebook.
#[test]
fn what_a_text_leaves_open_is_no_code() {
    let project = project();
    let texts = "[text]\ndraw = { en = \"draw {n} cards\", ja = \"{n}枚引く\" }\n";
    fs::write(project.path().join("games/g/game.toml"), format!("{GAME}{texts}")).unwrap();
    let rules = "fn game() { for p in players { p.choose(\"act\", acts(\"draw\", \"n\", 1..=2)); } }";
    fs::write(project.path().join("games/g/rules.rhai"), rules).unwrap();
    for (language, words) in [("en", "draw [n] cards 100"), ("ja", "…枚引く 100")] {
        let told = houserule(project.path(), &["sim", "g", "-n", "20", "--lang", language]).stdout;
        let told = String::from_utf8(told).unwrap();
        assert!(told.contains(words), "{told}");
    }
}

/// Sets of variants and their settings have long names, and so have measures: no figure is lost beside them.
#[test]
fn long_names_lose_no_figure() {
    let project = project();
    let long = "a-variant-with-a-rather-long-name";
    let settings = "[settings]\nhow_many_of_them = { default = 1, min = 0, max = 9 }\n";
    let script = "[script]\nrhai = '''\nfn game() { super(); players.first.award(2 * settings.how_many_of_them, \"prize\"); \
                  metric(\"an-extraordinarily-long-name-of-a-metric\", players.pick(\"m\").number); }\n'''\n";
    fs::write(
        project.path().join(format!("variants/g/{long}.toml")),
        format!("id = '{long}'\ngame = 'g'\nname = 'L'\n{settings}{script}"),
    )
    .unwrap();
    let told = |arguments: &[&str]| {
        let output = houserule(project.path(), arguments);
        let told = String::from_utf8(output.stdout.clone()).unwrap();
        assert!(!told.is_empty(), "{arguments:?}: {}", said(&output));
        assert!(told.lines().all(|line| line.chars().count() <= 80) && !told.contains('…'), "{told}");
        told
    };
    let sweep = format!("{long}.how_many_of_them=1..2");
    let shown = told(&["compare", "g", "-v", long, "-v", "v", "--sweep", &sweep, "-n", "60"]);
    for name in ["seat spread", "winning score", "margin", "ties", "minutes", "lead changes"] {
        assert!(shown.contains(name), "{name}: {shown}");
    }
    assert_eq!(shown.matches("how_many_of_them=2").count(), shown.matches("plain game").count() - 1, "{shown}");
    let goals = ["--goal", "ties < 99%", "--goal", "an-extraordinarily-long-name-of-a-metric < 100"];
    let shown = told(&[&["compare", "g", "-v", long, "--sweep", &sweep, "-n", "60"][..], &goals].concat());
    assert!(shown.contains("an-extraordinarily-long-") && shown.contains("name-of-a-metric < 100"), "{shown}");
    let shown = told(&["sim", "g", "-v", long, "-n", "60"]);
    assert!(shown.contains("decided early") && shown.contains("of-a-metric"), "{shown}");
    // Over a column the name of a variant is cut; the title has the whole of it.
    let compared = houserule(project.path(), &["compare", "g", "-v", long, "-n", "60"]).stdout;
    let compared = String::from_utf8(compared).unwrap();
    for words in [long, "difference", "95 % interval", "1.3 to 1.6"] {
        assert!(compared.contains(words), "{words}: {compared}");
    }
}

/// At 80 columns no column and no word of the title is lost.
#[test]
fn tables_of_many_rulesets_lose_nothing() {
    let project = project();
    let output = houserule(project.path(), &["compare", "g", "--sweep", "variants=v", "-n", "60"]);
    let told = String::from_utf8(output.stdout).unwrap();
    for name in ["seat spread", "winning score", "margin", "ties", "minutes", "lead changes", "from seed 1"] {
        assert!(told.contains(name), "{name}: {told}");
    }
    assert!(told.lines().all(|line| line.chars().count() <= 80) && !told.contains('…'), "{told}");
    let goals =
        ["ties < 40%", "minutes < 1000", "lead changes < 100", "winning score > 1"].map(|goal| ["--goal", goal]);
    let output = houserule(project.path(), &[&["compare", "g", "-v", "v", "-n", "60"], goals.as_flattened()].concat());
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(
        ["ties < 40%", "minutes < 1000", "lead changes < 100", "winning score > 1"]
            .iter()
            .all(|goal| told.contains(goal)),
        "{told}"
    );
}

/// A game that ends by win and lose alone has no margin of 0 points, and no close finish.
#[test]
fn without_points_nothing_is_measured_that_goes_by_scores() {
    let project = project();
    let rules = |more: &str| format!("fn game() {{ {more} players.pick(\"luck\").win(\"luck\"); end_game(); }}");
    let sim = |more: &str| {
        fs::write(project.path().join("games/g/rules.rhai"), rules(more)).unwrap();
        let told = houserule(project.path(), &["sim", "g", "-n", "20", "--json"]);
        let json: Value = serde_json::from_slice(&told.stdout).unwrap();
        let figures = json["figures"].as_array().unwrap().iter();
        let ids: Vec<String> = figures.map(|figure| figure["id"].as_str().unwrap().to_owned()).collect();
        let text = String::from_utf8(houserule(project.path(), &["sim", "g", "-n", "20"]).stdout).unwrap();
        let args = ["sim", "g", "-n", "20", "--csv", "games.csv", "--html", "page.html", "--force"];
        assert!(houserule(project.path(), &args).status.success());
        let page = fs::read_to_string(project.path().join("page.html")).unwrap();
        (ids, text, fs::read_to_string(project.path().join("games.csv")).unwrap(), page)
    };
    let by_scores = ["p1.score", "winning-score", "margin", "close", "lead-changes"];
    let (ids, text, csv, page) = sim("");
    assert!(
        ids.iter().any(|id| id == "p1.win") && by_scores.iter().all(|id| !ids.iter().any(|had| had == id)),
        "{ids:?}"
    );
    assert!(text.contains("No rule gives points") && page.contains("No rule gives points"), "{text}");
    let (head, row) = (cells(csv.lines().next().unwrap()), cells(csv.lines().nth(1).unwrap()));
    for id in by_scores {
        assert_eq!(row[head.iter().position(|name| name == id).unwrap()], "", "{id}: {csv}");
    }
    // Points that nobody happens to have are points all the same.
    for more in ["players.first.award(0, \"nothing\");", "players.first.score += 0;"] {
        let (ids, text, ..) = sim(more);
        assert!(by_scores.iter().all(|id| ids.iter().any(|had| had == id)), "{more}: {ids:?}");
        assert!(!text.contains("No rule gives points"), "{text}");
    }
    // Nor does the ranking show points that nobody can get.
    for (more, ranking) in [("", "1  p1   luck\n"), ("players.first.score += 0;", "1  p1   0   luck\n")] {
        fs::write(
            project.path().join("games/g/rules.rhai"),
            rules(more).replace("players.pick(\"luck\")", "players.first"),
        )
        .unwrap();
        let shown = String::from_utf8(houserule(project.path(), &["play", "g", "-s", "1"]).stdout).unwrap();
        assert!(shown.contains(ranking), "{more}: {shown}");
        assert_eq!(shown.contains("score"), !more.is_empty(), "the table has points, or none: {shown}");
    }
}
