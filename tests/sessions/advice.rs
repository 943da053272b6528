//! What an agent would do, and what it says of the choices that were made.

use super::*;

fn tic_tac_toe(lines: &[&str]) -> Told {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agents");
    let args = ["play", "tic-tac-toe", "-s", "4", "--dir", folder.to_str().unwrap()];
    let mut session = Session { args: args.iter().map(|&argument| argument.to_owned()).collect(), ..Session::new() };
    lines.iter().for_each(|line| session.input.extend(format!("{line}\n").bytes()));
    session.run()
}

#[test]
fn a_hint_tells_what_and_why() {
    let told = Session::new().lines(["hint search:20"]).run().fine();
    let told =
        told.shows(["search:20 would choose ", "option", "tries", "result", "lead", "20 tries", "from 0 to 100"]);
    let tries = told.stdout.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (words.len() > 4 && words.contains(&"±"))
            .then(|| words[words.iter().position(|word| *word == "±").unwrap() - 2])
    });
    let tries: Vec<u32> = tries.map(|count| count.parse().unwrap()).collect();
    assert!(tries.is_sorted_by(|one, other| one >= other) && tries.iter().sum::<u32>() == 20, "{}", told.stdout);
    let told = Session::new().lines(["hint greedy", "hint random"]).run().fine();
    told.shows(["greedy would choose ", "to the end of the turn", "random would choose "]);
    // The same again, and nothing was played.
    let told = Session::new().lines(["hint search:20", "eval 4242", "hint search:20", "history"]).run().fine();
    let hints: Vec<&str> = told.stdout.lines().filter(|line| line.contains("would choose")).collect();
    assert!(hints.len() == 2 && hints[0] == hints[1], "{hints:?}");
    told.shows(["the beginning"]);
}

#[test]
fn a_hint_sees_a_win_that_is_one_move_away() {
    let lines = ["cells.1", "cells.4", "cells.2", "cells.5", "hint search:60", "cells.9", "hint search:60"];
    let told = tic_tac_toe(&lines).fine();
    let hints: Vec<&str> = told.stdout.lines().filter(|line| line.contains("would choose")).collect();
    assert_eq!(hints, ["search:60 would choose cell 3", "search:60 would choose cell 6"]);
}

#[test]
fn a_hint_is_for_whoever_may_choose() {
    Session::new().lines(["as p2", "hint search:5"]).run().refused(["this view does not show", "`as p1`"]);
    Session::new().lines(["as p1", "hint search:5"]).run().fine().shows(["would choose"]);
    Session::new().lines(["until end", "hint"]).run().refused(["no decision is open"]);
    Session::new().lines(["hint serach:5"]).run().refused(["no agent `serach:5`", "did you mean `search:5`?"]);
    Session::new().lines(["hint search:0"]).run().refused(["gives no tries"]);
    Session::new().lines(["hint search:5 now"]).run().refused(["hint [AGENT]"]);
}

#[test]
fn an_analysis_finds_where_a_game_was_lost() {
    // X has two corners with O between them; a third corner for O lets X threaten two rows at once.
    let moves = ["cells.1", "cells.5", "cells.9", "cells.3", "cells.7"];
    let told = tic_tac_toe(&[&moves[..], &["analyze search:600"]].concat()).fine();
    let shown = told.after("search:600 on 5 decisions");
    for words in ["p1 ", "p2 ", "→", "ahead: ", "the costliest choices", "what changed most", "from 0 to 100"] {
        assert!(shown.contains(words), "{words}:\n{shown}");
    }
    let blunder = shown.lines().find(|line| line.contains("goto 4 ")).unwrap_or_default();
    assert!(blunder.contains("p2") && blunder.contains("cells.3"), "{shown}");
    // There the choice is open again.
    let told = tic_tac_toe(&[&moves[..], &["goto 4", "hint search:600"]].concat()).fine();
    let edges = ["cell 2", "cell 4", "cell 6", "cell 8"];
    let is_edge = |edge: &&str| told.stdout.contains(&format!("search:600 would choose {edge}"));
    assert!(edges.iter().any(is_edge), "{}", told.stdout);
}

#[test]
fn an_analysis_is_refused_where_it_would_tell_or_has_nothing_to_say() {
    Session::new().lines(["analyze search:5"]).run().refused(["nobody has had anything to choose yet", "`auto 20`"]);
    Session::new()
        .lines(["auto 4", "as p1", "analyze search:5"])
        .run()
        .refused(["`analyze` would reveal what p1 may not know"]);
    Session::new()
        .lines(["auto 4", "analyze random"])
        .run()
        .refused(["`random` does not say what it expects", "search:200"]);
    Session::new().lines(["auto 4", "analyze search:x"]).run().refused(["is not a budget"]);
}

/// What makes no difference is called so, and options are called as the decision calls them.
#[test]
fn a_hint_says_where_nothing_depends_on_the_choice() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("games/same");
    std::fs::create_dir_all(&game).unwrap();
    let definition = "id = 'same'\nname = 'Same'\nplayers = { min = 2, max = 2 }\n\
        components.card = { id = 'card-{number}', kind = 'card', face = '{number}!', attributes = { number = { from = 1, to = 4 } } }\n\
        zones.row = { name = 'Row', order = 'row', visible = 'all' }\n";
    std::fs::write(game.join("game.toml"), definition).unwrap();
    let script = "fn game() { components(\"card\").move_to(row);\n\
        for p in players { p.choose(\"take\", row).move_to(row); }\n\
        let last = players.first.choose(\"last\", row); players.first.award(last.number, \"last\"); }\n";
    std::fs::write(game.join("rules.rhai"), script).unwrap();
    let hints = |lines: &[&str]| {
        let args = ["play", "same", "-s", "4", "--dir", folder.path().to_str().unwrap()];
        let mut session =
            Session { args: args.iter().map(|&argument| argument.to_owned()).collect(), ..Session::new() };
        lines.iter().for_each(|line| session.input.extend(format!("{line}\n").bytes()));
        session.run()
    };
    let told = hints(&["card-1", "card-2", "hint search:40"]).fine();
    let told = told.shows(["search:40 would choose 4!"]);
    assert!(!told.stdout.contains("makes no difference"), "{}", told.stdout);
    std::fs::write(game.join("rules.rhai"), script.replace("last.number", "1")).unwrap();
    hints(&["card-1", "card-2", "hint search:40"])
        .fine()
        .shows(["it makes no difference: every option came out the same"]);
}

/// Whoever guesses is told as much as can be known, whatever was chosen in secret.
#[test]
fn a_hint_does_not_tell_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("games/secret");
    std::fs::create_dir_all(&game).unwrap();
    std::fs::write(game.join("game.toml"), "id = 'secret'\nname = 'Secret'\nplayers = { min = 2, max = 2 }\n").unwrap();
    let script = "fn game() { let a = players.first; let b = players.last;\n\
        let number = a.choose_secretly(\"number\", [1, 2, 3, 4, 5]);\n\
        if b.choose(\"guess\", [1, 2, 3, 4, 5]) == number { b.award(1, \"right\"); } }\n";
    std::fs::write(game.join("rules.rhai"), script).unwrap();
    let hint = |secret: &str, agent: &str| {
        let args = ["play", "secret", "-s", "4", "--dir", folder.path().to_str().unwrap()];
        let mut session =
            Session { args: args.iter().map(|&argument| argument.to_owned()).collect(), ..Session::new() };
        [secret, agent].iter().for_each(|line| session.input.extend(format!("{line}\n").bytes()));
        session.run().fine().after("would choose").to_owned()
    };
    for agent in ["hint search:100", "hint greedy"] {
        let told: Vec<String> = ["1", "3", "5"].map(|secret| hint(secret, agent)).into();
        assert!(!told[0].is_empty() && told.iter().all(|one| *one == told[0]), "{told:#?}");
    }
}
