//! Persons and agents at one table.

use super::*;

fn game(game: &str, args: &[&str], lines: &[&str]) -> Told {
    let mut session = Session { args: vec!["play".to_owned(), game.to_owned()], ..Session::new() };
    session.args.extend(args.iter().map(|argument| (*argument).to_owned()));
    lines.iter().for_each(|line| session.input.extend(format!("{line}\n").bytes()));
    session.run()
}

/// What was shown behind the last line that `eval` was asked for.
fn behind<'t>(told: &'t Told, mark: &str) -> &'t str {
    told.after(&format!("{mark}\n"))
}

#[test]
fn an_agent_answers_as_soon_as_its_seat_is_asked() {
    let told = Session::new().lines([KNOWN, "seat p2 random", "10", "15", "new", "#1", "history"]).run();
    let told = told.fine();
    // p1 has four decisions, and then p2 has had its four.
    let history = told.after("the beginning");
    let choices = |seat: &str| history.lines().filter(|line| line.contains(&format!("  {seat}  "))).count();
    assert_eq!((choices("p1"), choices("p2")), (4, 4), "{history}");
    assert!(history.lines().any(|line| line.contains("►  9")), "{history}");
    told.shows(["p1, draw", "6  p2  play a card to the ring", "p2  place the card you took", "p1, play a card"]);
}

/// Nothing of what an agent does is cut off.
#[test]
fn who_plays_is_told_whole() {
    let told = Session::new().lines(["seat all greedy"]).run().fine().stdout;
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let about = houserule::AgentSpec::parse("greedy", None).unwrap().about();
    assert_eq!(words.matches(about).count(), 2, "{told}");
    assert!(told.lines().all(|line| line.chars().count() <= 80), "{told}");
}

#[test]
fn an_agent_that_begins_has_played_before_the_first_line() {
    let told = Session::new().args(["--seat", "p1=random"]).lines(["history"]).run().fine();
    told.shows(["1  p1  play a card to the ring", "p1  draw from", "p2, play a card", "the beginning"]);
    let told = Session::new().lines(["seat p1 random", "seat"]).run().fine();
    told.shows([
        "p1, play",
        "p1  random",
        "p2  person",
        "1  p1  play a card to the ring",
        "p2, play a card",
        "p1  random  chooses at",
    ]);
}

#[test]
fn the_person_sees_no_cards_but_his_own() {
    // With this seed p2 holds 33 from the deal on.
    let lines = ["bookmark here", "table", "log all", "history", "undo", "reload"];
    let told = Session::new().args(["--seat", "p2=random"]).lines(["#1", "#1"]).lines(lines).run().fine();
    let shown = told.after("`goto here` comes back here\n");
    assert!(shown.contains("p2 hand") || shown.contains("▒▒"), "{shown}");
    for secret in ["33", "40"] {
        assert!(!Told::has_number(shown, secret), "p2's {secret} is shown:\n{shown}");
    }
    let told = Session::new().lines(["seat p2 random", "as all", "eval 4242", "#1", "#1"]).run().fine();
    assert!(Told::has_number(behind(&told, "4242"), "33"), "`as all` shows everything:\n{}", told.stdout);
    let lines = ["seat p2 random", "as all", "seat p2 random", "bookmark here", "table"];
    let told = Session::new().lines(lines).run().fine();
    assert!(
        !Told::has_number(told.after("`goto here` comes back here\n"), "33"),
        "until the next `seat`:\n{}",
        told.stdout
    );
    let told = Session::new().lines(["seat p2 random", "seat all person", "eval 4242", "table"]).run().fine();
    assert!(Told::has_number(behind(&told, "4242"), "33"), "persons alone look on everything:\n{}", told.stdout);
}

#[test]
fn what_an_agent_does_is_told_as_the_person_may_see_it() {
    // p2 draws from the face-down pile sooner or later, which p1 does not see.
    let told = Session::new().args(["--seat", "p2=random"]).lines(["until turn"; 12]).lines(["log all"]).run().fine();
    let drawn: Vec<&str> = told.stdout.lines().filter(|line| line.contains("face-down pile → p2 hand")).collect();
    assert!(!drawn.is_empty() && drawn.iter().all(|line| line.contains('?')), "{drawn:?}\n{}", told.stdout);
}

#[test]
fn of_several_persons_the_one_who_is_asked_looks() {
    let args = ["-p", "3", "--seat", "p3=random"];
    let lines = ["bookmark one", "auto 4", "bookmark two", "auto 4"];
    let told = Session::new().args(args).lines(lines).run().fine();
    let told = told.shows(["one marks", "p2, play a card", "two marks", "p1, play a card"]);
    // With this seed p2 holds 23, 49 and 60.
    let first = told.stdout.split("one marks").next().unwrap();
    let second = told.after("`goto one` comes back here\n").split("two marks").next().unwrap();
    for card in ["23", "49", "60"] {
        assert!(!Told::has_number(first, card), "p1 sees {card} of p2:\n{first}");
        assert!(Told::has_number(second, card), "p2 does not see {card}:\n{second}");
    }
    for card in ["12", "14", "78"] {
        assert!(Told::has_number(first, card), "p1 does not see {card}:\n{first}");
    }
    let table = second.rsplit("seed 7").next().unwrap();
    assert!(!Told::has_number(table, "78"), "p2 sees the hand of p1:\n{table}");
}

#[test]
fn undo_goes_back_to_a_person_and_redo_goes_on_to_one() {
    let turn = ["10", "15", "new", "#1"];
    let told = Session::new().lines([KNOWN, "seat p2 random"]).lines(turn).lines(["undo", "history"]).run();
    let told = told.fine().shows(["took back: p1  draw from", "p1, draw"]);
    assert!(told.after("the beginning").contains("►  4"), "{}", told.stdout);
    let told = Session::new()
        .lines([KNOWN, "seat p2 random"])
        .lines(turn)
        .lines(["table", "undo", "redo", "branch", "undo 2", "redo 2", "branch"])
        .run()
        .fine();
    let told = told.shows([
        "did again: p1  draw from",
        "p1, play a card",
        "main  9 moves",
        "took back: p1  place the card you took",
    ]);
    assert!(told.after("did again").contains("main  9 moves\n"), "nothing was played again:\n{}", told.stdout);
    let tree = "  9 moves\n└─ 10  ► the game stands here\n";
    assert_eq!(told.after("main"), tree, "no branch arose:\n{}", told.stdout);
    // Behind the first decision of the person there is only what an agent did.
    Session::new().args(["--seat", "p1=random"]).lines(["undo"]).run().refused(["no person has done anything"]);
    Session::new().args(["--seat", "p2=random"]).lines(["#1", "undo", "undo"]).run().refused(["no person"]);
    Session::new().args(["--seat", "p2=random"]).lines(["redo"]).run().refused(["nothing was undone"]);
}

#[test]
fn a_change_by_hand_is_taken_back_alone() {
    let lines = ["set p1.score 40", "swap p1 p2", "undo", "undo", "redo", "redo", "history"];
    let told = Session::new().lines([KNOWN, "seat p2 random", "10", "15", "new", "#1", "as all"]);
    let told = told.lines(lines).run().fine();
    told.shows([
        "took back: swap",
        "took back: set p1.score 40",
        "did again: set p1.score 40",
        "did again: swap",
        "► 11",
    ]);
}

#[test]
fn a_change_of_the_rules_is_taken_back_first() {
    let lines = ["#1", "#1", "with greenhorn", "undo", "variants"];
    let told = Session::new().args(["--seat", "p2=random"]).lines(lines).run().fine();
    told.shows(["took back: with greenhorn", "  greenhorn "]);
}

#[test]
fn the_same_choices_come_however_the_game_got_there() {
    let saved = |lines: &[&str]| {
        let folder = Folder::new();
        let session = Session::within(&folder).lines([KNOWN, "seat p2 random"]);
        let text = lines.iter().chain(&["save game.toml"]).map(|line| format!("{line}\n")).collect::<String>();
        session.bytes(text.as_bytes()).run().fine();
        folder.read("game.toml")
    };
    let turn = ["10", "15", "new", "#1"];
    let straight = turn.to_vec();
    let back = [&straight[..], &["undo 2", "new", "#1"]].concat();
    let jumped = [&straight[..], &["goto 3", "goto end", "goto 7"]].concat();
    let late = [&["seat p2 person"][..], &turn, &["seat p2 random"]].concat();
    for other in [back, jumped, late] {
        assert_eq!(saved(&straight), saved(&other), "{other:?}");
    }
}

#[test]
fn a_saved_game_is_the_plain_log() {
    let folder = Folder::new();
    let told = Session::within(&folder).args(["--seat", "all=random", "--seat", "p1=person"]);
    told.lines(["until end", "save game.toml"]).run().fine();
    let saved = folder.read("game.toml");
    assert!(!saved.contains("random") && saved.contains("[2, \"play_card\""), "{saved}");
    let replay = program(&folder).args(["replay", "game.toml"]).output().unwrap();
    assert_eq!(replay.status.code(), Some(0), "{}", String::from_utf8_lossy(&replay.stdout));
    // Who sat there stays for a loaded game of as many seats.
    let told = Session::within(&folder).args(["--seat", "p2=random"]).lines(["load game.toml", "seat"]).run().fine();
    told.shows(["p1  person", "p2  random"]);
    let told = Session::within(&folder).args(["-p", "3", "--seat", "p2=random"]).lines(["load game.toml", "seat"]);
    told.run().fine().shows(["p1  person", "p2  person"]);
}

#[test]
fn without_a_person_nothing_goes_by_itself() {
    let told = Session::new().args(["--seat", "all=random"]).lines(["history", "auto 3", "undo", "redo", "until end"]);
    let told = told.run().fine();
    told.shows([
        "p1, play a card",
        "►  0",
        "move 4",
        "took back: p1  place the card you took",
        "did again: p1  place the card you took",
        "score",
    ]);
}

#[test]
fn misuse_is_refused() {
    Session::new().lines(["seat p9 random"]).run().refused(["there is no seat `p9`", "p1 to p2"]);
    Session::new().lines(["seat p2 randmo"]).run().refused(["no agent `randmo`", "did you mean `random`?"]);
    Session::new().lines(["seat p2 persn"]).run().refused(["no agent `persn`", "did you mean `person`?"]);
    Session::new().lines(["seat p2 nobody-at-all"]).run().refused(["there are `random`", "`person`"]);
    Session::new().lines(["seat p2"]).run().refused(["write `seat pN|all AGENT|person`"]);
    Session::new().lines(["seat p2 random now"]).run().refused(["seat [pN|all AGENT|person]"]);
    Session::new().lines(["until end", "seat p2 random"]).run().refused(["the game is over", "`undo`"]);
    for (wrong, words) in [("p2", "p2=random"), ("p9=random", "p1 to p2"), ("p2=rnadom", "did you mean `random`?")] {
        let told = Session::new().args(["--seat", wrong]).run();
        assert!(told.code == 2 && told.stderr.contains(words), "{}", told.stderr);
    }
    let folder = Folder::new();
    let trace = program(&folder).args(["trace", "up-or-down", "--agents", "rnadom"]).output().unwrap();
    assert_eq!(trace.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&trace.stderr).contains("did you mean `random`?"));
}

#[test]
fn in_real_time_the_clock_says_who_acts() {
    let told =
        game("playme", &["-p", "2", "-s", "1", "--seat", "p2=random"], &["alice", "history", "#1", "#1", "undo"]);
    let told = told.fine();
    let history = told.after("the beginning").split("took back").next().unwrap().to_owned();
    for word in ["p1  pick your character", "p2  pick your character", "who acts now"] {
        assert!(history.contains(word), "no {word} in\n{history}");
    }
    assert!(!told.stdout.contains("◄ the clock"), "nobody asks the person who acts:\n{}", told.stdout);
    assert!(told.after("took back: p1").contains("p1, "), "{}", told.stdout);
}

#[test]
fn an_agent_may_win_while_the_person_looks_on() {
    let told = Session::new().args(["-p", "4", "--seat", "all=random", "--seat", "p3=person"]);
    let told = told.lines(["until end", "undo", "redo", "as all", "eval 4242", "table"]).run().fine();
    told.shows(["took back: p3 ", "p3, ", "did again: p3 ", "4242"]);
}

#[test]
fn a_single_player_is_counted_as_one() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("games/solo")).unwrap();
    folder.write(
        "games/solo/game.toml",
        "id = 'solo'\nname = 'Solo'\nplayers = { min = 1, max = 2 }\n[script]\nrhai = 'fn game() { players.first.may(\"end\"); }'\n",
    );
    for (language, words) in [("en", "Solo · 1 player · seed 2"), ("ja", "Solo · 1人 · シード 2")] {
        says(&told_in(&folder, &["play", "solo", "-s", "2", "--lang", language], ""), 0, &[words]);
    }
}
