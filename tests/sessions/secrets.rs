//! What a player may not know, from every side: dice behind screens, bids, cards that one player was shown; who looks for
//! leaks; and undo as it is fair.

use super::*;

const GAME: &str = r#"
id = "bluff"
name = { en = "Bluff", ja = "はったり" }
players = { min = 2, max = 3 }

[components.die]
kind = "die"
id = "die-{copy}"
face = "{value}"
copies = 6

[components.card]
kind = "card"
id = "card-{number}"
face = "{number}"
attributes = { number = { from = 1, to = 9 } }

[zones]
cup  = { order = "row", visible = "owner", per = "seat", name = { en = "cup", ja = "カップ" } }
hand = { order = "hand", visible = "owner", per = "seat", name = { en = "hand", ja = "手札" } }
deck = { order = "pile", visible = "none", name = { en = "deck", ja = "山札" } }
open = { order = "row", visible = "all", name = { en = "open", ja = "場" } }

[variables]
plan = { per = "seat", default = 0, visible = "owner" }

[text]
bid   = { en = "bid in secret", ja = "秘密に値を付ける" }
guess = { en = "guess", ja = "予想する", secret = true }
spy   = { en = "look at a hand", ja = "手札を見る" }
go    = { en = "go on", ja = "進む" }
"#;

const RULES: &str = r#"
fn game() {
    components("die").move_to(open);
    for p in players { open.first.move_to(p.cup); open.first.move_to(p.cup); }
    components("card").move_to(deck);
    deck.shuffle();
    players.for_each(|p| deck.deal(2, p.hand));
    players.for_each(|p| p.cup.roll());
    let p1 = players.first;
    let bid = p1.choose_secretly("bid", [3, 4, 5]);
    p1.plan = bid;
    p1.choose("guess", [7, 8]);
    let who = players.last.choose_secretly("spy", players.except(players.last));
    who.hand.show_to(players.last);
    players.last.show_choice("spy", who);
    players[2].may("go");
    p1.show_choice("bid");
    p1.cup.reveal();
    p1.choose("go", p1.hand).move_to(open);
    p1.may("go");
}
"#;

/// The game above, and what else a story wants to have there.
fn bluff() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("games/bluff")).unwrap();
    folder.write("games/bluff/game.toml", GAME);
    folder.write("games/bluff/rules.rhai", RULES);
    folder
}

fn play(folder: &Folder, args: &[&str], lines: &[&str]) -> Told {
    let mut session = Session::within(folder);
    session.args = ["play", "bluff", "-s", "5"].iter().chain(args).map(|&argument| argument.to_owned()).collect();
    session.input = lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect();
    session.run()
}

/// The part of a text from the last such line on.
fn from_last<'t>(text: &'t str, word: &str) -> &'t str {
    &text[text.rfind(word).unwrap_or_else(|| panic!("no {word:?} in:\n{text}"))..]
}

/// With seed 5, what p1 holds and has rolled.
fn secrets_of_p1(folder: &Folder) -> (String, String) {
    let told = play(folder, &[], &["eval p1.hand", "eval p1.cup.map(|die| die.value)"]).fine();
    let mut lines = told.stdout.lines().rev();
    let dice = lines.next().unwrap().to_owned();
    (lines.next().unwrap().to_owned(), dice)
}

#[test]
fn dice_behind_a_screen_are_neither_told_nor_drawn() {
    let folder = bluff();
    let told = play(&folder, &[], &["as p2", "log all"]).fine();
    let table = from_last(&told.stdout, "Bluff ·");
    assert!(table.contains("seed 5 · as p2"), "the header says whose view it is:\n{table}");
    assert!(table.contains("cup ? ?"), "{table}");
    let rolls: Vec<&str> = told.stdout.lines().filter(|line| line.contains("roll")).collect();
    // Which dice lie behind the screen everybody saw; what they show only their owner.
    assert!(rolls.iter().any(|line| line.contains("roll ?  ?")), "{rolls:?}");
    let own = rolls.iter().any(|line| line.ends_with(|side: char| side.is_ascii_digit()));
    assert!(own, "{rolls:?}");
    let told = play(&folder, &["--lang", "ja"], &["as p2 memory", "table"]).fine();
    told.shows(["p2の視点と記憶", "?"]);
}

#[test]
fn cards_that_lie_face_down_are_listed_and_chosen_by_their_places() {
    let folder = bluff();
    let rules = "    p1.choose(\"spy\", players[2].hand).move_to(open);\n    p1.may(\"go\");\n";
    folder.edit("games/bluff/rules.rhai", "    p1.choose(\"guess\", [7, 8]);\n", rules);
    let held = play(&folder, &[], &["eval players[2].hand.map(|card| card.number)"]).fine();
    let held = held.stdout.lines().next_back().unwrap().trim_matches(['[', ']']).to_owned();
    let (first, second) = held.split_once(", ").unwrap();
    // Whoever sees everything sees what they are, too.
    play(&folder, &[], &["4"]).fine().shows([&*format!("p2 hand 1  {first}"), &*format!("p2 hand 2  {second}")]);
    let told = play(&folder, &[], &["4", "as p1"]).fine();
    let asked = from_last(&told.stdout, "as p1");
    assert!(asked.contains("p2 hand 1\n") && asked.contains("p2 hand 2\n"), "{asked}");
    for answer in ["2", "p2.hand.2", "p2 hand 2"] {
        let told = play(&folder, &[], &["4", "as p1", answer, "log 1"]).fine();
        let told = told.shows(["look at a hand  p2 hand 2", &*second.to_string()]);
        assert!(from_last(&told.stdout, "Bluff ·").contains(&format!("□  {second}\n")), "{}", told.stdout);
    }
    let hidden = format!("card-{second}");
    play(&folder, &[], &["4", "as p1", &hidden]).refused(["what p1 may not know"]);
}

#[test]
fn what_a_die_showed_is_said_when_it_is_shown() {
    let folder = bluff();
    let (_, dice) = secrets_of_p1(&folder);
    let values: Vec<&str> = dice.trim_matches(['[', ']']).split(", ").collect();
    let told = play(&folder, &[], &["4", "7", "p1", "yes", "as p2", "log 6"]).fine();
    let line = format!("show {} {}", values[0], values[1]);
    assert!(told.stdout.contains(&line), "{line}\n{}", told.stdout);
}

#[test]
fn a_secret_choice_is_told_to_nobody_else_until_it_is_shown() {
    let folder = bluff();
    for look in ["log all", "history", "tree", "why last", "table"] {
        let told = play(&folder, &[], &["4", "7", "as p2", look]).fine();
        let shown = from_last(&told.stdout, "as p2");
        for secret in ["bid 4", "bid  4", "in secret 4", "in secret  4", "guess 7", "guess  7", "plan 4"] {
            assert!(!shown.contains(secret), "{look} tells {secret}:\n{shown}");
        }
    }
    let told = play(&folder, &[], &["4", "7", "as p2", "log all"]).fine();
    told.shows(["p1  bid in secret  ?", "p1  guess  ?"]);
    // The one who chose knows, and so does the person who sees everything.
    play(&folder, &[], &["4", "7", "as p1", "log all"]).fine().shows(["p1  bid in secret  4", "p1  guess  7"]);
    play(&folder, &[], &["4", "7", "log all"]).fine().shows(["p1  bid in secret  4", "p1  guess  7"]);
    // Shown, it is told; what was never shown stays secret.
    let told = play(&folder, &[], &["4", "7", "p1", "yes", "as p2", "log all", "history"]).fine();
    told.shows([
        "p1  bid in secret  4",
        "p1  guess  ?",
        "show p1  bid in secret 4",
        "p1  bid in secret  4",
        "p1  guess  ?",
    ]);
    let told = play(&folder, &["-p", "3"], &["4", "7", "p1", "yes", "as p2", "log all"]).fine();
    let told = told.shows(["p3  look at a hand  ?", "show p3  look at a hand ?  → p1"]);
    assert!(!from_last(&told.stdout, "as p2").contains("look at a hand p1"), "{}", told.stdout);
}

/// What rules measure may tell what is hidden: it is for whoever studies the game.
#[test]
fn what_rules_measure_is_told_to_no_player() {
    let folder = bluff();
    let measuring = RULES.replace("p1.plan = bid;", "p1.plan = bid; metric(\"plan\", 71);");
    folder.write("games/bluff/rules.rhai", &measuring);
    let looks = ["log all", "history", "until metric", "until metric plan"];
    play(&folder, &[], &[&["4", "7"], &looks[..1]].concat()).fine().shows(["metric plan = 71"]);
    let told = play(&folder, &["--lang", "ja"], &["4", "7", "log all"]).fine();
    told.shows(["計測 plan = 71"]);
    for look in looks {
        let told = play(&folder, &[], &["4", "7", "as p2", look]);
        let shown = from_last(&told.stdout, "as p2");
        assert!(!shown.contains("71"), "{look}:\n{shown}");
    }
}

#[test]
fn cards_shown_to_one_player_are_that_players_knowledge() {
    let folder = bluff();
    let (hand, _) = secrets_of_p1(&folder);
    let cards: Vec<&str> = hand.split_once('[').unwrap().1.trim_end_matches(']').split(", ").collect();
    let lines = |view| ["4", "7", "p1", view, "log 5"];
    let told = play(&folder, &["-p", "3"], &lines("as p3")).fine();
    // Another number of players, other cards: the log names them to whom they were shown.
    let mut shown = told.stdout.lines().filter(|line| line.contains("  show ") && line.ends_with("→ p3"));
    assert!(shown.next().is_some_and(|shown| !shown.contains('?')), "{}", told.stdout);
    let told = play(&folder, &["-p", "3"], &lines("as p2")).fine();
    told.shows(["show ?×2  → p3"]);
    assert_eq!(cards.len(), 2, "{hand}");
    // They are drawn for that player as long as they lie there.
    let told = play(&folder, &[], &["4", "7", "p1", "as p2", "table"]).fine();
    let row = from_last(&told.stdout, "as p2").lines().find(|line| line.starts_with(" p1")).unwrap();
    for card in cards {
        let number = card.trim_start_matches("card-");
        assert!(Told::has_number(row, number), "p2 was shown {card}:\n{row}");
    }
}

#[test]
fn a_scenario_says_who_sees_what_was_shown() {
    let folder = bluff();
    let scenario = "id = 'SHOWN'\ntitle = 'A hand is shown to one player'\ngame = 'bluff'\nplayers = 3\n\
        [given]\np1.hand = ['card-1', 'card-2']\nopen = ['die-1']\n\
        [when]\ncall = \"p1.hand.show_to(p2)\"\n\
        [[then]]\nsees.p2.p1.hand = ['card-1', 'card-2']\nsees.p3.p1.hand = ['?', '?']\n";
    folder.write("shown.toml", scenario);
    let test = |folder: &Folder| program(folder).args(["test", "shown.toml"]).output().unwrap();
    let output = test(&folder);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder.edit("shown.toml", "sees.p3.p1.hand = ['?', '?']", "sees.p3.p1.hand = ['card-1', 'card-2']");
    assert_eq!(test(&folder).status.code(), Some(1));
}

#[test]
fn nothing_that_is_typed_as_a_player_tells_more() {
    let folder = bluff();
    let refused = |line: &str| play(&folder, &[], &["as p2", line]).refused(["p2 may not know", "`as all`"]);
    for line in [
        "eval p1.hand",
        "p1.hand",
        "debug",
        "break award p1",
        "watch p1.plan",
        "diff main",
        "set p1.score 3",
        "move card-1 open",
        "swap p1.hand p2.hand",
        "rig roll die-1 6",
        "rig",
        "lay x.toml",
    ] {
        refused(line);
    }
    // Neither by number nor by label: whether it works would tell.
    for line in ["1", "#1", "=3", "choose 3", "choose #1"] {
        let told = play(&folder, &[], &["as p2", line]);
        assert_eq!(told.code, 1, "{line}: {}", told.stdout);
        assert!(told.stderr.contains("this view does not show") && told.stderr.contains("`as p1`"), "{}", told.stderr);
    }
    play(&folder, &[], &["as p2", "why not 9"]).refused(["this view does not show"]);
    play(&folder, &[], &["4", "as p2", "why p1.plan"]).refused(["this view does not show"]);
    play(&folder, &[], &["as p2", "why die-2"]).refused(["does not show where die-2 is"]);
    play(&folder, &[], &["debug", "as p2"]).refused(["`done`"]);
    // Changes by hand that were made before are told by their kind.
    let told = play(&folder, &[], &["rig roll die-2 6", "move card-3 p1.hand", "as p2", "log all", "history"]).fine();
    let shown = from_last(&told.stdout, "as p2");
    assert!(shown.contains("rig …") && shown.contains("move …") && !shown.contains("card-3"), "{shown}");
}

#[test]
fn an_error_of_the_rules_names_no_hidden_card_to_a_player() {
    let folder = bluff();
    folder.edit("games/bluff/rules.rhai", "p1.may(\"go\");\n}", "players.last.hand.first.owner;\n}");
    let lines = ["4", "7", "p1", "yes"];
    let all = play(&folder, &[], &[&lines[..], &["#1"]].concat());
    assert!(all.stderr.contains("belongs to nobody") && all.stderr.contains("card-"), "{}", all.stderr);
    let told = play(&folder, &[], &[&lines[..], &["as p1", "#1"]].concat());
    assert_eq!(told.code, 1);
    assert!(told.stderr.contains("the rules fail here") && !told.stderr.contains("card-"), "{}", told.stderr);
    assert!(told.stderr.contains("rules.rhai:") && told.stderr.contains("`as all`"), "{}", told.stderr);
}

#[test]
fn the_trace_tells_every_secret_and_that_it_is_one() {
    let folder = bluff();
    let mut command = program(&folder);
    let output = command.args(["trace", "bluff", "-s", "5"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains(r#""prompt":"bid","secret":true"#) && text.contains(r#""prompt":"guess","secret":true"#),
        "{text}"
    );
    assert!(text.contains(r#"{"type":"show","component":"card-"#) && text.contains(r#""to":2}"#), "{text}");
    assert!(text.contains(r#"{"type":"show","decision":1,"seat":1,"prompt":"bid","to":null}"#), "{text}");
    assert!(text.contains(r#"{"type":"set","variable":"p1.plan""#), "{text}");
}

mod leaks {
    use super::*;

    fn check(folder: &Folder, args: &[&str]) -> (String, String, i32) {
        let output = program(folder).args(["check", "bluff", "--leaks"]).args(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr), output.status.code().unwrap())
    }

    /// The game with one line of its rules changed, as `before => after`.
    fn leaking(change: &str) -> Folder {
        let folder = bluff();
        let (before, after) = change.split_once(" => ").unwrap();
        folder.edit("games/bluff/rules.rhai", before, after);
        folder
    }

    #[test]
    fn a_game_that_keeps_its_secrets_is_fine() {
        let (out, err, code) = check(&bluff(), &[]);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        assert!(out.starts_with("10 games compared: ") && out.contains("0 rulesets leak"), "{out}");
        assert!(!out.contains(" 0 secret choices"), "{out}");
    }

    /// Each changes one line of the rules; the check has to name the move, the line and what differed.
    #[test]
    fn whatever_tells_a_secret_is_found() {
        let cases = [
            // By what can be chosen.
            (
                "players[2].may(\"go\"); => players[2].choose(\"go\", if players.first.hand.sum(\"number\") % 2 == 0 { [1, 2] } else { [2, 1] });",
                "options",
            ),
            // By why something cannot be chosen.
            (
                "players[2].may(\"go\"); => players[2].choose(\"go\", [1, 2], |n| if n == 1 { true } else { `${players.first.hand.first.number}` });",
                "refusals",
            ),
            // By a die behind a screen.
            (
                "players[2].may(\"go\"); => players[2].choose(\"go\", if players.first.cup.first.value > 3 { [1, 2] } else { [1] });",
                "options",
            ),
            // By a remark.
            ("players[2].may(\"go\"); => note(`${players.first.hand.first.number}`); players[2].may(\"go\");", "log"),
            // By a secret choice that decides what another may choose.
            (
                "let who = players.last.choose_secretly(\"spy\", players.except(players.last)); => players.last.choose(\"go\", if bid == 3 { [1] } else { [1, 2] }); let who = players.last.choose_secretly(\"spy\", players.except(players.last));",
                "options",
            ),
        ];
        for (change, kind) in cases {
            let folder = leaking(change);
            let (out, err, code) = check(&folder, &["-n", "40"]);
            assert_eq!(code, 1, "{change}:\n{out}{err}");
            assert!(err.contains("can tell what") && err.contains(" move "), "{change}:\n{err}");
            assert!(err.contains(&format!("the {kind} ")), "{change} ({kind}):\n{err}");
            assert!(err.contains("rules.rhai:") && err.contains("houserule play bluff"), "{change}:\n{err}");
        }
    }

    #[test]
    fn a_variable_that_all_can_read_tells_a_secret_choice() {
        let folder = bluff();
        folder.edit("games/bluff/game.toml", "default = 0, visible = \"owner\"", "default = 0");
        folder.edit("games/bluff/rules.rhai", "    p1.choose(\"guess\", [7, 8]);\n", "    players.last.may(\"go\");\n");
        folder.edit("games/bluff/rules.rhai", "p1.show_choice(\"bid\");", "");
        let (out, err, code) = check(&folder, &["-n", "10"]);
        assert_eq!(code, 1, "{out}{err}");
        assert!(err.contains("p1.plan = "), "{err}");
    }

    #[test]
    fn the_report_is_there_as_json() {
        let change = "players[2].may(\"go\"); => players[2].choose(\"go\", if players.first.hand.sum(\"number\") % 2 == 0 { [1, 2] } else { [2, 1] });";
        let (out, _, code) = check(&leaking(change), &["-n", "20", "-p", "3", "--json"]);
        let report: serde_json::Value = serde_json::from_str(&out).unwrap();
        let leak = &report["found"][0]["leak"];
        assert_eq!((code, leak["kind"].as_str(), leak["prompt"].as_str()), (1, Some("options"), Some("go")), "{out}");
        assert_eq!((&leak["seat"], &report["found"][0]["players"]), (&2.into(), &3.into()), "{out}");
        let place = leak["diagnostic"]["file"].as_str();
        assert!(place.is_some_and(|file| file.ends_with("rules.rhai")), "{out}");
    }

    #[test]
    fn wrong_usage_is_said() {
        let folder = bluff();
        let run = |args: &[&str]| {
            let output = program(&folder).args(["check"]).args(args).output().unwrap();
            (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
        };
        assert_eq!(run(&["bluff", "-n", "3"]).0, 2);
        assert_eq!(run(&["bluff", "--leaks", "-n", "0"]).0, 2);
        let (code, err) = run(&["bluff", "--leaks", "-p", "9"]);
        assert!(code == 2 && err.contains("players"), "{err}");
        assert_eq!(run(&["blufff", "--leaks"]).0, 2);
    }
}

mod fair_undo {
    use super::*;

    fn fair(lines: &[&str]) -> Told {
        play(&bluff(), &["--undo", "fair"], lines)
    }

    #[test]
    fn a_choice_that_brought_nothing_out_is_taken_back() {
        fair(&["4", "undo", "=3", "7", "undo 2"])
            .fine()
            .shows(["took back: p1  bid in secret", "took back: p1  guess"]);
        fair(&["4", "7", "goto start", "goto end"]).fine();
    }

    #[test]
    fn what_came_out_stays_out() {
        // p2 looks at the hand of p1.
        for back in ["undo", "undo 3", "goto 3", "goto start"] {
            let told = fair(&["4", "7", "p1", back]);
            told.refused(["this cannot be taken back: a card was shown since", "undo is fair"]);
        }
        fair(&["4", "7", "p1", "yes", "undo"]).refused(["what p1 chose for bid was shown since"]);
        // A card that is played has been seen, unless all knew it.
        let played = ["4", "7", "p1", "yes", "#1", "undo"];
        play(&bluff(), &["--undo", "fair", "-p", "3"], &played).refused(["a card came out of p1.hand since"]);
        fair(&played).fine();
    }

    #[test]
    fn chance_that_was_drawn_stays_drawn() {
        let folder = bluff();
        folder.edit(
            "games/bluff/rules.rhai",
            "    p1.choose(\"guess\", [7, 8]);\n",
            "    p1.cup.roll();\n    p1.may(\"go\");\n",
        );
        play(&folder, &["--undo", "fair"], &["4", "undo"]).refused(["die-1 was rolled since"]);
        folder.edit("games/bluff/rules.rhai", "p1.cup.roll();\n    p1.may", "deck.shuffle();\n    p1.may");
        play(&folder, &["--undo", "fair"], &["4", "undo"]).refused(["deck was shuffled since"]);
        // Free undo, as a designer has it.
        play(&folder, &[], &["4", "undo"]).fine();
        for (word, part) in [("shuffle_top(2)", "top 2"), ("shuffle_bottom(3)", "bottom 3")] {
            let folder = bluff();
            let rules = format!("    deck.{word};\n    p1.may(\"go\");\n");
            folder.edit("games/bluff/rules.rhai", "    p1.choose(\"guess\", [7, 8]);\n", &rules);
            let refused = format!("the {part} of deck were shuffled since");
            play(&folder, &["--undo", "fair"], &["4", "undo"]).refused([refused.as_str()]);
            let line = format!("shuffle deck, {part}");
            play(&folder, &[], &["4", "log all", "why deck"]).fine().shows([line.as_str(), line.as_str()]);
        }
    }

    #[test]
    fn no_other_way_leads_round_it() {
        for line in
            ["reroll", "set p1.score 2", "rig roll die-1 1", "eval 1", "1 + 1", "without x", "reload", "diff main"]
        {
            fair(&["4", line]).refused(["undo is fair in this game"]);
        }
        // A branch is left as a move is taken back.
        let told = fair(&["4", "bookmark here", "undo", "=3", "7", "p1", "goto here"]);
        told.refused(["a card was shown since"]);
        let told = fair(&["4", "branch other", "7", "p1", "branch main"]);
        told.refused(["a card was shown since"]);
        fair(&["4", "undo free"]).refused(["undo stays fair"]);
        fair(&["undo free", "4", "7", "p1", "undo"]).fine();
        play(&bluff(), &[], &["4", "7", "p1", "undo", "p1", "undo fair", "undo"]).refused(["a card was shown since"]);
        let told = play(&bluff(), &["--undo", "sometimes"], &[]);
        assert_eq!(told.code, 2, "{}", told.stderr);
    }
}

/// Other rules can ask somebody else than the rules before: what that player could choose is told to nobody else.
#[test]
fn a_change_of_the_rules_tells_no_options_of_somebody_else() {
    let tells_removed = |viewer: &str| {
        let lines = ["auto 3", viewer, "without pass-three"];
        let told = last(&["hearts", "-p", "4", "-s", "1", "-v", "pass-three"], &lines);
        told.contains("\u{2212}clubs-4")
    };
    assert!(tells_removed("as all") && tells_removed("as p4"));
    assert!(!tells_removed("as p2"));
}

#[test]
fn who_looks_stays_who_looks_when_an_agent_sits_down() {
    let game = ["hearts", "-p", "4", "-s", "1", "-v", "pass-three"];
    let told = last(&game, &["auto 3", "as p2", "seat p3 random"]);
    assert!(told.contains("· as p2") && !told.contains("· as p4"), "{told}");
}

/// What lay open is told for ever; what was rolled under a cup is not, though the same dice were seen later.
#[test]
fn dice_that_were_laid_open_are_told_as_they_lay() {
    let told = Session::of(&["liars-dice", "-s", "3", "-p", "3"], &["auto 4", "as p2", "log all"]).run().fine();
    let told = told.shows(["roll ?  ?  ?  ?  ?", "4 1 5 6 6  p1 cup → p1 dice", "1 4 5 2 5  p3 cup → p3 dice"]);
    let log = told.stdout.rsplit_once("round 1").unwrap().1;
    assert!(!log.contains("roll 4  1") && !log.contains("roll 1  4"), "{log}");
}

/// What was chosen stays hidden where other rules do not offer it, also where it begins as something else that was chosen.
#[test]
fn a_secret_choice_that_no_longer_fits_is_told_without_what_was_chosen() {
    let folder = bluff();
    folder.edit("games/bluff/rules.rhai", "p1.choose(\"guess\", [7, 8]);", "p1.choose_some(\"guess\", plans(), 2, 2);");
    folder.edit("games/bluff/rules.rhai", "fn game() {", "fn plans() { [1, 12, 30] }\n\nfn game() {");
    std::fs::create_dir_all(folder.0.join("variants/bluff")).unwrap();
    let variant = "id = \"other\"\ngame = \"bluff\"\nname = \"Other\"\n[script]\nrhai = 'fn plans() { [1, 30, 40] }'\n";
    folder.write("variants/bluff/other.toml", variant);
    let told = play(&folder, &[], &["4", "1 12", "as p2", "with other"]).fine();
    let told = told.shows(["p1  guess  ? ?, no longer fits: ? is not among the options of guess"]);
    let told = from_last(&told.stdout, "move 2, p1");
    assert!(!told.contains("12"), "{told}");
}
