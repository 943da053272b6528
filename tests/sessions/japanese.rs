//! With `--lang ja` everything that a person reads is in Japanese: help, what a session shows, figures, and what is wrong.

use super::*;

/// Words of the host that no game shown here has, and nobody types behind another word.
const HOSTS: [&str; 30] = [
    "took",
    "did",
    "again",
    "wrote",
    "saved",
    "shown",
    "never",
    "failed",
    "passed",
    "unreadable",
    "ahead",
    "chose",
    "better",
    "lost",
    "tries",
    "measure",
    "mean",
    "median",
    "interval",
    "Called",
    "Short",
    "short",
    "variant",
    "library",
    "author",
    "licence",
    "holds",
    "replaces",
    "extends",
    "moves",
];

/// Lines with words in English beside each other, or with one that only the host says, outside of code and of what is
/// typed.
fn in_english(told: &str) -> Vec<&str> {
    let is_english = |line: &&str| {
        // Lines of scripts, ways to write a command, and examples.
        let is_code = line.contains('│')
            || line.contains("使い方：")
            || line.contains(" | ")
            || line.starts_with("    ")
            || line.starts_with("  houserule ")
            || line.contains(" → ");
        let outside = line.split('`').step_by(2).flat_map(|part| part.split('"').step_by(2));
        let words =
            outside.flat_map(|part| part.split(|letter: char| !(letter.is_ascii_alphabetic() || letter == ' ')));
        let is_sentence = |part: &str| {
            let words: Vec<&str> = part.split(' ').filter(|word| word.len() > 2).collect();
            words.len() > 2
        };
        let plain: String = line.split('`').step_by(2).collect();
        let mut tokens = plain.split_whitespace().map(|token| token.trim_matches(['.', ',', ':', ';', '(', ')']));
        !is_code && (words.into_iter().any(is_sentence) || tokens.any(|token| HOSTS.contains(&token)))
    };
    told.lines().filter(is_english).collect()
}

#[track_caller]
fn is_japanese(told: &Told, code: i32) {
    let all = format!("{}\n{}", told.stdout, told.stderr);
    assert_eq!(told.code, code, "{all}");
    let left = in_english(&all);
    assert!(left.is_empty(), "{left:#?}");
    assert!(all.chars().any(|letter| ('ぁ'..='ヿ').contains(&letter)), "{all}");
}

fn typed(args: &[&str]) -> Told {
    let folder = Folder::new();
    let mut command = program_at(&root(), &folder);
    command.args(args).args(["--lang", "ja"]);
    told_by(command, Vec::new())
}

/// A game of which every text is one that the catalogue has in Japanese, or looks like one.
const TRAPS: &str = r#"
id      = "traps"
name    = "the game"
about   = "1 to 2 of 3 and 4 or more"
players = { min = 2, max = 2 }

[settings.limit]
default = 2
help    = "one at least"

[components.card]
kind = "card"
id   = "{mark}"
attributes = { mark = ["one", "two", "all", "none"] }

[attributes.mark]
one  = { en = "a card" }
two  = { en = "every breakpoint" }
all  = { en = "everybody sees it" }
none = { en = "nobody sees it" }

[zones]
pool  = { order = "row", visible = "all", name = { en = "each player" } }
spent = { order = "row", visible = "all", name = { en = "out of play" } }

[variables]
kept = { per = "seat", default = 0, name = { en = "3 to 5" } }
seen = { default = 0, name = { en = "not known yet" } }

[text]
ask        = { en = "from the beginning" }
take       = { en = "what is measured" }
left       = { en = "the end of the branch" }
everything = { en = "in every game" }
none       = { en = "a number" }
remark     = { en = "the deck was shuffled" }
won        = { en = "by hand" }
no_match   = { en = "one lies in two" }
"#;

const TRAPS_RULES: &str = r#"//! every move that differs: it takes all of them.

fn game() {
    components("card").move_to(pool);
    for round in 1..=settings.limit {
        for p in players { turn(p, round); }
    }
}

/// the first decision
fn turn(p, round) {
    begin_turn(p);
    note("remark");
    if round == 1 && p.number == 1 {
        let card = p.choose("take", pool, |card| if card.mark == "one" { "no_match" } else { true });
        card.move_to(spent);
    }
    let taken = p.choose("ask", ["left", "everything", "none"]);
    p.kept += if taken == "left" { 3 } else { 1 };
    table.seen += 1;
    p.award(1, "won");
    if p.kept > 5 { throw "the game is over"; }
}
"#;

fn traps() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("games/traps")).unwrap();
    folder.write("games/traps/game.toml", TRAPS);
    folder.write("games/traps/rules.rhai", TRAPS_RULES);
    folder
}

/// What a command says in English and in Japanese on a wide screen.
fn in_both(folder: &Folder, args: &[&str], lines: &[&str]) -> [String; 2] {
    ["en", "ja"].map(|language| {
        let mut command = program(folder);
        command.args(args).args(["--lang", language]).env("COLUMNS", "240");
        let told = told_by(command, lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect());
        format!("{}\n{}", told.stdout, told.stderr)
    })
}

#[test]
fn nothing_of_a_game_is_translated() {
    let folder = traps();
    let play = ["play", "traps", "-s", "1"];
    for (before, line, shown) in [
        (&[][..], "table", &["each player", "a card", "every breakpoint", "everybody sees it", "what is measured"][..]),
        (&[], "why not one", &["one lies in two"]),
        (&[], "two", &["from the beginning", "the end of the branch", "in every game"]),
        (&["two"], "table", &["the end of the branch", "a number", "out of play"]),
        (&["two", "everything"], "table", &["3 to 5", "not known yet"]),
        (&["two"], "everything", &["in every game", "by hand"]),
        (&["two", "everything"], "why p1.score", &["by hand"]),
        (&["two", "everything"], "why last", &["by hand"]),
        (&["two", "everything"], "log all", &["the deck was shuffled", "by hand"]),
        (&["two"], "sim 20", &["by hand", "the end of the branch", "in every game", "a number"]),
        (&["two"], "help pool", &["each player"]),
        (&["two"], "help kept", &["3 to 5"]),
        (&["two"], "help mark", &["a card", "every breakpoint", "everybody sees it"]),
        (&["two"], "help ask", &["from the beginning"]),
        (&["two"], "help limit", &["one at least"]),
        (&["two"], "help traps", &["the game", "1 to 2 of 3 and 4 or more"]),
        (&["two"], "help turn", &["the first decision"]),
        (&["two"], "left", &["the end of the branch"]),
    ] {
        // Every line is the last of a session of its own, so that it can be told what it shows.
        let show = |lines: &[&str]| in_both(&folder, &play, lines);
        let ([english_before, japanese_before], lines) = (show(before), [before, &[line]].concat());
        let [english, japanese] = show(&lines);
        let new = |all: &str, before: &str| all.strip_prefix(before.trim_end()).unwrap_or(all).to_owned();
        let (english, japanese) = (new(&english, &english_before), new(&japanese, &japanese_before));
        for text in shown {
            assert!(english.contains(text), "{line}: no {text:?} in\n{english}");
            assert!(japanese.contains(text), "{line}: no {text:?} in\n{japanese}\nbut in\n{english}");
        }
    }
    for (args, shown) in [
        (&["show", "traps"][..], &["the game", "1 to 2 of 3 and 4 or more", "one at least"][..]),
        (&["sim", "traps", "-n", "20"], &["from the beginning", "a number", "the end of the branch", "by hand"]),
        (&["list"], &["the game", "1 to 2 of 3 and 4 or more"]),
    ] {
        let [english, japanese] = in_both(&folder, args, &[]);
        for text in shown {
            assert!(english.contains(text), "{args:?}: no {text:?} in\n{english}");
            assert!(japanese.contains(text), "{args:?}: no {text:?} in\n{japanese}\nbut in\n{english}");
        }
    }
    // What is refused, and what the rules throw.
    for (lines, shown) in [(&["one"][..], "one lies in two"), (&["two", "left", "none", "left"], "the game is over")] {
        let [english, japanese] = in_both(&folder, &play, lines);
        assert!(english.contains(shown) && japanese.contains(shown), "{lines:?}:\n{japanese}\n{english}");
        assert!(japanese.contains("エラー"), "{japanese}");
    }
}

#[test]
fn code_is_the_same_in_every_language() {
    let folder = traps();
    let lines = ["two", "debug", "step", "step", "where", "stack", "done", "turn??", "game??"];
    let [english, japanese] = in_both(&folder, &["play", "traps", "-s", "1"], &lines);
    let code = |told: &str| told.lines().filter(|line| line.contains(" │ ")).map(str::to_owned).collect::<Vec<_>>();
    assert!(code(&english).len() > 20, "{english}");
    assert_eq!(code(&japanese), code(&english));
    // A piece of a statement on the line that says why the rules stand here, and the values in a line of a script.
    let lines = ["why not one"];
    let [english, japanese] = in_both(&folder, &["play", "traps", "-s", "1"], &lines);
    let values = |told: &str| told.lines().filter(|line| line.contains(" = ")).map(str::to_owned).collect::<Vec<_>>();
    assert!(values(&english).len() > 3, "{english}");
    assert_eq!(values(&japanese), values(&english));
    for args in
        [&["check", "--explain", "unused-setting"][..], &["help", "rhai"], &["help", "cookbook", "auction", "open"]]
    {
        let [english, japanese] = in_both(&folder, args, &[]);
        let code = |told: &str| {
            told.lines()
                .filter(|line| line.starts_with("    ") && line.contains([';', '{', '=']))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert!(!code(&english).is_empty() && code(&english) == code(&japanese), "{args:?}: {japanese}");
    }
}

#[test]
fn a_session_speaks_japanese() {
    let lines = [
        "auto 30",
        "why p1.score",
        "why last",
        "log 6",
        "hint search:20",
        "analyze search:5",
        "sim 50",
        "diff with greenhorn",
        "tree",
        "variants",
        "seat",
        "branch other",
        "bookmark here",
        "compare with greenhorn 50",
        "debug",
        "stack",
        "step",
        "done",
        "break score",
        "break",
        "set p1.score 3",
        "undo",
        "jobs",
        "with greenhorn",
        "goto 3",
        "help",
        "help undo",
        "help choose",
        "help deal",
        "help unknown-name",
        "help files zones",
        "check",
        "until end",
        "why p2.score",
    ];
    let told = Session::of(&["up-or-down", "-s", "3", "--lang", "ja"], &lines).run();
    is_japanese(&told, 0);
    says(
        &told,
        0,
        &["先へ進む", "最後のN個の選択や変更を取り消す。", "の比較", "ファイルの中のゾーンのキー", "を検査しました"],
    );
}

#[test]
fn whatever_is_wrong_is_told_in_japanese() {
    for (line, words) in [
        ("stepp", "`step` のことですか？"),
        ("99", "選択肢"),
        ("goto 400", "手目はありません"),
        ("with nothing-such", "というバリアントはありません"),
        ("p1.hands", "`hand` のことですか？"),
        ("1 / 0", "0で割っています"),
        ("load nowhere.toml", "読めません"),
        ("help nothing-such", "のヘルプはありません"),
        ("as p9", "p1〜p2"),
        ("continue", "デバッガ"),
        ("break turn if", "`if` の後に何かが足りません"),
        ("[1][5]", "要素が1個のリストに、位置5はありません"),
        ("turn()", "`turn(p)` と呼び出してください"),
        ("#1 #2", "選択肢を1つ選んでください（2個書かれています）"),
    ] {
        let told = Session::of(&["up-or-down", "-s", "3", "--lang", "ja"], &[line]).run();
        is_japanese(&told, 1);
        assert!(told.stderr.starts_with("エラー: ") && told.stderr.contains(words), "{line}: {}", told.stderr);
    }
    for (game, line, words) in [
        (&["hearts", "-v", "pass-three"][..], "1 2 3 4", &["選んだのは4個です", "空白で区切って3個選んでください"][..]),
        (&["pig"], "set die-1.value 9", &["die-1 を9の面にはできません：面は1〜6です"]),
    ] {
        let told = Session::of(&[game, &["-s", "1", "--lang", "ja"]].concat(), &[line]).run();
        is_japanese(&told, 1);
        words.iter().for_each(|words| assert!(told.stderr.contains(words), "{line}: {}", told.stderr));
    }
}

#[test]
fn commands_speak_japanese() {
    for (args, code) in [
        (&["--help"][..], 0),
        (&["help", "sim"], 0),
        (&["new", "variant", "--help"], 0),
        (&["sim", "up-or-down", "-n", "60"], 0),
        (&["compare", "up-or-down", "-v", "greenhorn", "-n", "60"], 0),
        (&["ladder", "kuhn-poker", "-n", "10", "--rungs", "random,greedy"], 0),
        (&["hunt", "pig", "-n", "20", "--no-save"], 0),
        (&["check", "pig"], 0),
        (&["check", "--explain", "unknown-name"], 0),
        (&["show", "up-or-down"], 0),
        (&["diff", "up-or-down", "-v", "greenhorn", "-s", "4"], 1),
        (&["list", "--installed"], 0),
        (&["sim", "up-or-downn"], 2),
        (&["sim", "up-or-down", "--playrs", "3"], 2),
        (&["sim", "up-or-down", "-n", "many"], 2),
        (&["sim"], 2),
        (&["nonsense"], 2),
        (&["replay", "nowhere.toml"], 2),
        (&["pack", "nothing-such"], 2),
        (&[], 2),
    ] {
        let told = typed(args);
        let all = format!("{}{}", told.stdout, told.stderr);
        let left = in_english(&all);
        assert!(told.code == code && left.is_empty(), "{args:?}: {}\n{left:#?}\n{all}", told.code);
    }
}

/// What a page shows, without lines of scripts.
fn shown_on(page: &str) -> String {
    let (_, body) = page.split_once("<main>").unwrap();
    let lines = body.lines().filter(|line| !line.starts_with("<tr id=\"l-"));
    let bare = |line: &str| line.split('<').filter_map(|part| part.rsplit('>').next()).collect::<Vec<_>>().join(" ");
    lines.map(bare).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_page_of_coverage_speaks_japanese() {
    let folder = Folder::new();
    let path = folder.0.join("page.html");
    let path = path.to_str().unwrap();
    let scenario = "tests/scenarios/go-fish";
    for (language, words) in [
        (
            "ja",
            [
                "<html lang=\"ja\">",
                "ルールのカバレッジ",
                "ゲーム go-fish",
                "通った回数",
                "<td class=\"h\">一度もない</td>",
            ],
        ),
        (
            "en",
            ["<html lang=\"en\">", "Coverage of the rules", "game go-fish", "how often", "<td class=\"h\">never</td>"],
        ),
    ] {
        let mut command = program_at(&root(), &folder);
        command.args(["test", scenario, "--coverage", "--html", path, "--force", "--lang", language]);
        assert_eq!(told_by(command, Vec::new()).code, 0);
        let page = folder.read("page.html");
        for word in words {
            assert!(page.contains(word), "{language}: no {word:?}");
        }
        let shown = shown_on(&page);
        let left = in_english(&shown);
        assert_eq!(left.is_empty(), language == "ja", "{left:#?}");
    }
}

/// Other programs read English, whoever started them.
#[test]
fn what_programs_read_stays_as_it_is() {
    for args in [
        &["check", "pig", "--json"][..],
        &["list", "--json"],
        &["show", "pig", "--json"],
        &["show", "variants/pig/two-dice.toml", "--json"],
        &["sim", "pig", "-n", "20", "--json"],
        &["trace", "pig", "-s", "1", "--out", "-"],
        &["schema", "game"],
        &["completions", "bash"],
        &["hunt", "pig", "-n", "20", "--no-save", "--json"],
        &["compare", "up-or-down", "-v", "greenhorn", "-n", "20", "--json"],
        &["ladder", "kuhn-poker", "-n", "10", "--rungs", "random,greedy", "--json"],
        &["test", "tests/scenarios/pig", "--json"],
        &["test", "tests/scenarios/pig", "--coverage", "--json"],
    ] {
        let folder = Folder::new();
        let plain = told_by(
            {
                let mut command = program_at(&root(), &folder);
                command.args(args);
                command
            },
            Vec::new(),
        );
        let told = typed(args);
        assert_eq!((told.code, told.stdout), (plain.code, plain.stdout), "{args:?}");
    }
}

/// Rules that give up at once, so that there is an error to be told of.
const BROKEN: &str = "id = 'broken'\ngame = 'up-or-down'\nname = 'Broken'\nabout = 'It breaks.'\n[script]\nrhai = '''\n\
                      fn turn(p) { let list = [1]; list[7]; super(p); }\n'''\n";

/// Files are read by programs and by people elsewhere, and so is what `--json` writes about them.
#[test]
fn what_is_written_into_files_stays_as_it_is() {
    let written = |language: &str| {
        let folder = Folder::with_rules();
        folder.write(&folder.variant("broken"), BROKEN);
        let run = |args: &[&str], input: &str| told_in(&folder, &[args, &["--lang", language]].concat(), input);
        let play = ["play", "up-or-down", "-s", "3"];
        let lines =
            "auto 9\nsave game.toml\nbug bug.toml\nrecord game\nsave all.toml with rules\nuntil end\nrecord over\n";
        says(&run(&play, lines), 0, &["bug.toml"]);
        let broken = [&play[..], &["-v", "broken"]].concat();
        says(&run(&broken, "bug gave-up.toml\nrecord gave-up\n"), 1, &["gave-up.toml"]);
        folder.write("changed.toml", folder.read("game.toml").replace("scores = [", "scores = [9, "));
        folder.write("letter.toml", "a letter\n");
        let mut seen = Vec::new();
        for (args, code) in [
            (&["replay", "game.toml", "--json"][..], 0),
            (&["replay", "changed.toml", "--json"], 1),
            (&["replay", "game.toml", "changed.toml", "letter.toml", "gave-up.toml", "--json"], 1),
            (&["replay", "all.toml", "--diff", "--json"], 0),
            (&["record", "game.toml", "-o", "-"], 0),
            (&["hunt", "up-or-down", "-v", "broken", "--alone", "-n", "4", "--no-save", "--json"], 1),
            (&["test", "tests/scenarios", "--coverage", "--lcov", "lines.info", "--json"], 0),
            (&["sim", "up-or-down", "-n", "10", "-s", "1", "--csv", "games.csv", "--json"], 0),
        ] {
            let told = run(args, "");
            assert_eq!(told.code, code, "{args:?}: {}\n{}", told.stdout, told.stderr);
            seen.push(told.stdout);
        }
        let scenarios = ["game", "over", "gave-up"].map(|id| format!("tests/scenarios/up-or-down/{id}.toml"));
        let files = ["game.toml", "bug.toml", "all.toml", "gave-up.toml", "lines.info", "games.csv"];
        seen.extend(files.into_iter().chain(scenarios.iter().map(String::as_str)).map(|file| folder.read(file)));
        seen
    };
    let (english, japanese) = (written("en"), written("ja"));
    assert_eq!(english.len(), japanese.len());
    english.iter().zip(&japanese).for_each(|(english, japanese)| assert_eq!(english, japanese));
}

mod full_width {
    //! A Japanese keyboard gives full-width forms of what commands and options are written with.

    use super::*;

    const GAME: [&str; 5] = ["up-or-down", "--seed", "7", "--lang", "ja"];

    #[test]
    fn commands_and_their_arguments_are_read() {
        let same = |wide: &[&str], narrow: &[&str]| {
            assert_eq!(last(&GAME, wide), last(&GAME, narrow), "{wide:?}");
            assert_eq!(last(&GAME[..3], wide), last(&GAME[..3], narrow), "{wide:?}");
        };
        same(&["auto 3", "ｕｎｄｏ"], &["auto 3", "undo"]);
        same(&["auto 3", "ｕｎｄｏ　２"], &["auto 3", "undo 2"]);
        same(&["auto 3", "undo ２"], &["auto 3", "undo 2"]);
        same(&["auto 3", "undo；"], &["auto 3", "undo"]);
        same(&["ａｕｔｏ　３；"], &["auto 3"]);
        same(&["：ａｕｔｏ"], &[":auto"]);
        same(&["ａｓ　ｐ２"], &["as p2"]);
        same(&["ｕｎｔｉｌ　ｔｕｒｎ"], &["until turn"]);
        same(&["ｈｅｌｐ　ｕｎｄｏ"], &["help undo"]);
        same(&["ｕｎｄｏ？"], &["undo?"]);
        same(&["ｓｅｔ　ｐ１．ｓｃｏｒｅ　３", "p1.score"], &["set p1.score 3", "p1.score"]);
        assert!(fails(&GAME[..3], &["ｕｎｄｉ"]).contains("did you mean `undo`?"));
        assert!(fails(&GAME[..3], &["goto ９９"]).contains("there is no move 99"));
    }

    #[test]
    fn options_are_read_by_place_and_by_name() {
        let same = |wide: &str, narrow: &str| {
            assert_eq!(last(&GAME, &[wide, "log"]), last(&GAME, &[narrow, "log"]), "{wide}");
        };
        same("１", "1");
        same("＃２", "#2");
        same("choose　＃２", "choose #2");
        let hearts = ["hearts", "-p", "4", "--seed", "1", "--lang", "ja"];
        assert_eq!(last(&hearts, &["♦４", "log"]), last(&hearts, &["♦4", "log"]));
    }

    #[test]
    fn expressions_are_read_but_texts_in_them_stay() {
        assert_eq!(last(&GAME, &["３　＋　４"]), "7\n");
        assert_eq!(last(&GAME, &["ｐ１．ｈａｎｄ．ｌｅｎ"]), "3\n");
        assert_eq!(last(&GAME, &["eval ［１，２］．ｌｅｎ"]), "2\n");
        assert_eq!(last(&GAME, &["\"１\" ＋ \"；\""]), "\"１；\"\n");
        assert_eq!(last(&GAME, &["players．map（｜p｜\np.number）"]), "[1, 2]\n");
    }

    #[test]
    fn a_label_with_full_width_forms_keeps_winning() {
        let folder = Folder::new();
        std::fs::create_dir_all(folder.0.join("games/wide")).unwrap();
        folder.write(
            "games/wide/game.toml",
            "id = 'wide'\nname = 'Wide'\nplayers = { min = 1, max = 2 }\n[text]\nx = 'x'\ngot = 'got {text}'\n",
        );
        folder.write(
            "games/wide/rules.rhai",
            "fn game() { loop { let a = players[1].choose(\"x\", [\"A\", \"Ａ\", \"undo\", \"１\"]); \
             begin_phase(\"got \" + a); } }\n",
        );
        for (line, chosen) in [
            ("A", "A"),
            ("Ａ", "Ａ"),
            ("choose Ａ", "Ａ"),
            ("choose A", "A"),
            ("１", "１"),
            ("ｕｎｄｏ", "undo"),
            ("＃２", "Ａ"),
        ] {
            let told = told_in(&folder, &["play", "wide", "-p", "1"], &format!("{line}\nlog all\n"));
            assert!(
                told.code == 0 && told.stdout.contains(&format!("got {chosen}\n")),
                "{line}: {}{}",
                told.stdout,
                told.stderr
            );
        }
    }

    #[test]
    fn arguments_of_the_command_line_are_read() {
        let told = |args: &[&str]| {
            let folder = Folder::new();
            let mut command = program_at(&root(), &folder);
            command.args(args);
            told_by(command, Vec::new())
        };
        let wide = told(&["show", "ｕｐ－ｏｒ－ｄｏｗｎ"]);
        assert_eq!((wide.code, wide.stdout), (0, told(&["show", "up-or-down"]).stdout));
        let wide = told(&["ｔｒａｃｅ", "up-or-down", "－ｐ", "４", "－－ｓｅｅｄ＝３"]);
        assert_eq!((wide.code, wide.stdout), (0, told(&["trace", "up-or-down", "-p", "4", "--seed=3"]).stdout));
        assert!(told(&["ｐｌａｙｅ"]).stderr.contains("play"), "the nearest is named");
    }
}
