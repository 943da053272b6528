//! `houserule doc`: what it writes, what it overwrites, and what bad input gets.

use super::*;

#[test]
fn a_rulebook_overwrites_nothing_but_rulebooks() {
    let folder = Folder::new();
    let run = |args: &[&str]| {
        let output = program(&folder).arg("doc").args(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    };
    let (code, told, _) = run(&["hearts", "-v", "black-lady", "--html", "--md"]);
    assert_eq!(code, 0);
    assert!(told.starts_with("wrote hearts.html: ") && told.contains("wrote hearts.md: "), "{told}");
    assert!(folder.read("hearts.html").contains("Black Lady") && folder.read("hearts.md").contains("Black Lady"));
    // Beside each other in both languages, and again over what it wrote itself.
    assert_eq!(run(&["hearts", "--html", "--lang", "ja"]).0, 0);
    assert!(folder.read("hearts.ja.html").contains("<html lang=\"ja\">"));
    assert_eq!(run(&["hearts", "--html", "-p", "4"]).0, 0);
    assert!(
        !folder.read("hearts.html").contains("Black Lady") && folder.read("hearts.html").contains("with 4 players")
    );

    folder.write("mine.md", "mine");
    // Neither a file of another hand nor a page of another kind.
    for (args, file) in [(["hearts", "--md", "mine.md"], "mine.md"), (["hearts", "--md", "hearts.html"], "hearts.html")]
    {
        let before = folder.read(file);
        let (code, _, error) = run(&args);
        assert_eq!((code, folder.read(file)), (2, before), "{error}");
        assert!(error.contains(file), "{error}");
    }
    assert_eq!(run(&["hearts", "--md", "mine.md", "--force"]).0, 0);
    assert!(folder.read("mine.md").contains("# Hearts"));

    let (code, _, error) = run(&["hearts"]);
    assert_eq!(code, 2);
    assert!(error.contains("--html") && error.contains("--md"), "{error}");
    for (args, words) in [
        (vec!["heart", "--html"], "hearts"),
        (vec!["hearts", "-v", "black-lad", "--html"], "black-lady"),
        (vec!["hearts", "-p", "9", "--html"], "3 to 6"),
        (vec!["checkers", "-p", "9", "--html"], "`checkers` is for 2 players, not 9"),
        (vec!["hearts", "--html", "nowhere/at/all.html"], "nowhere"),
    ] {
        let (code, _, error) = run(&args);
        assert_eq!(code, 2, "{args:?}");
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn of_dice_that_are_alike_the_sides_of_one_are_shown() {
    let folder = Folder::new();
    let run = |line: &str| program_at(&folder.0, &folder).args(line.split(' ')).output().unwrap().status.success();
    assert!(run("new game farkle --kind dice --dir ."));
    assert!(run("doc farkle --md --dir ."));
    let told = folder.read("farkle.md");
    assert!(told.contains("**2 dice, with 6 sides**\n\n1, 2, 3, 4, 5, 6\n"), "{told}");
    assert!(told.contains("| kept | a reason for points, see 1.2 |"), "{told}");
}

#[test]
fn a_number_that_can_be_a_card_or_an_option_says_which_it_was_and_how_to_ask_for_the_other() {
    let folder = Folder::new();
    let why_not = |what: &str| {
        let mut play = program(&folder);
        play.args(["play", "up-or-down", "-p", "2", "-s", "42"]);
        told_by(play, format!("why not {what}\nquit\n").into_bytes()).stdout
    };
    let told = why_not("2");
    assert!(
        told.contains("2 is not among the options") && told.contains("`why not #2` asks about option 2: 20"),
        "{told}"
    );
    let told = why_not("#2");
    assert!(told.contains("20 can be chosen") && !told.contains("asks about option"), "{told}");
    let mut play = program(&folder);
    play.args(["play", "hearts", "-p", "4", "-s", "42"]);
    let told = told_by(play, b"why not 12\nquit\n".to_vec()).stdout;
    assert!(told.contains("12 is read as option 12 of the list"), "{told}");
}

#[test]
fn a_new_rulebook_says_what_the_comments_say_and_leaves_nothing_untold() {
    let folder = Folder::new();
    let run = |line: &str| {
        let output = program_at(&folder.0, &folder).args(line.split(' ')).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout) + text(output.stderr).as_str())
    };
    for kind in ["cards", "tricks", "shedding", "dice", "board"] {
        assert_eq!(run(&format!("new game {kind}-game --kind {kind} --dir .")).0, 0);
        let (code, told) = run(&format!("new rulebook {kind}-game --dir ."));
        assert!(code == 0 && told.contains(&format!("games/{kind}-game/rulebook.toml")), "{told}");
        // What is left to be written is found, and nothing else.
        let (code, told) = run(&format!("check {kind}-game --dir ."));
        assert!(code == 0 && told.contains("0 errors, 1 warning\n"), "{kind}: {told}");
        assert!(
            told.contains("the section `setup` says nothing yet") && told.contains("rulebook.toml:12:10"),
            "{told}"
        );
        folder.edit(&format!("games/{kind}-game/rulebook.toml"), "\"…\"", "\"Shuffle.\"");
        let (code, told) = run(&format!("check {kind}-game --dir ."));
        assert!(code == 0 && told.contains("0 errors, 0 warnings"), "{kind}: {told}");
    }
    let book = folder.read("games/cards-game/rulebook.toml");
    assert!(book.contains("tells = [\"turn\"]\ntext  = \"A player plays a card, which counts its number.\""), "{book}");
    let (code, told) = run("new rulebook cards-game --dir .");
    assert!(code != 0 && told.contains("is there already"), "{told}");
    let (code, told) = run("new rulebook hearts --dir .");
    assert!(code != 0 && told.contains("`hearts` is not in this folder"), "{told}");
}

#[test]
fn what_a_variant_adds_is_marked_once_and_what_it_leaves_alone_is_not() {
    let folder = Folder::new();
    let doc = |line: &str| {
        let output = program_at(&folder.0, &folder).arg("doc").args(line.split(' ')).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    // A paragraph that begins with the variant's name needs no mark with it.
    let told = doc("up-or-down -v rainbow --md -");
    assert!(told.contains("\n**Rainbow**: a column") && !told.contains("**\\[Rainbow\\]** **Rainbow**"), "{told}");
    let page = doc("up-or-down -v rainbow --html -");
    assert!(page.contains("<p class=\"changed-rule\"><strong>Rainbow</strong>: a column"), "{page}");
    // One that does not keeps it.
    let told = doc("up-or-down -v short-game --md -");
    assert!(told.contains("**\\[Short game\\]** In the **short game**"), "{told}");
    // The variant repeats entries that the game has already; for one number of players, there is one entry.
    let changed = "60 **\\[Full deck\\]**";
    let told = doc("ftw -v full-deck --changes --md -");
    assert!(told.contains(&format!("| {changed} | {changed} | {changed} | 60 | 60 |")), "{told}");
    assert!(doc("ftw -v full-deck -p 3 --md -").contains(changed));
    assert!(!doc("ftw -v full-deck -p 5 --md -").contains(changed));
}

#[test]
fn a_session_draws_the_examples_of_a_section() {
    let folder = Folder::new();
    small(&folder, &[]);
    let rules = || {
        let mut play = program_at(&folder.0, &folder);
        play.args(["play", "small", "-p", "2"]);
        let told = told_by(play, b"rules turn\nquit\n".to_vec());
        told.stdout.split_once("Your turn\n").unwrap().1.to_owned()
    };
    let told = rules();
    let [before, after] = ["Before:\n", "After:\n"].map(|head| told.find(head).unwrap_or_else(|| panic!("{told}")));
    assert!(told.contains("\nExample: ") && before < after, "{told}");
    assert!(told[before..after].contains("\n p1 ►") && told[after..].contains("\n p1 "), "{told}");
    // One that is not so any more says it, and the section is shown all the same.
    let path = std::fs::read_dir(folder.0.join("tests/scenarios/small")).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("'S1'", "'S2'")).unwrap();
    let told = rules();
    assert!(told.contains("Go, for") && told.contains("Example S1: ") && !told.contains("Before:"), "{told}");
}

#[test]
fn no_help_shows_where_a_link_leads() {
    let folder = Folder::new();
    for topic in
        ["game", "variant", "scenario", "rulebook", "looks", "pack", "library", "replay", "rhai", "files looks"]
    {
        let output = program(&folder).arg("help").args(topic.split(' ')).output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{topic}");
        assert!(!told.contains("]("), "{topic}: {told}");
    }
}

/// A folder with a small game and its rulebook, in which these words stand for others.
fn small(folder: &Folder, changes: &[(&str, &str)]) {
    let mut book = "[[rulebook]]\nid = 'turn'\ntitle = { en = 'Your turn', ja = '手番' }\ntells = ['turn']\nexamples = ['S1']\n\
        text.en = '''\nGo, for {data.pay} points:\n\n- or **stay** where you are.\n'''\ntext.ja = '進めば{data.pay}点。'\n"
        .to_owned();
    for (old, new) in changes {
        assert!(book.contains(old), "{old}");
        book = book.replace(old, new);
    }
    for below in ["games/small", "tests/scenarios/small"] {
        std::fs::create_dir_all(folder.0.join(below)).unwrap();
    }
    folder.write("games/small/rulebook.toml", book);
    folder.write(
        "games/small/game.toml",
        "id = 'small'\nname = 'Small'\nplayers = { min = 2, max = 2 }\ndata.pay = 3\ntext.go = 'go'\n",
    );
    folder.write(
        "games/small/rules.rhai",
        "fn game() { for p in players { turn(p); } }\n\
         fn turn(p) { if p.choose(\"go\", [\"yes\", \"no\"], [\"never\"], |x| \"no_way\") == \"yes\" { p.award(data.pay, \"go\"); } }\n",
    );
    folder.write(
        "tests/scenarios/small/s1.toml",
        "houserule = '0.1'\nid = 'S1'\ntitle = 'Who goes is paid'\ngame = 'small'\nplayers = 2\n[when]\ncall = 'turn(p1)'\n\
         [[then]]\nchoose = 'yes'\n[[then]]\nvariables.p1.score = 3\n",
    );
}

#[test]
fn what_people_have_written_is_the_page_and_what_is_not_so_is_refused() {
    let folder = Folder::new();
    let doc = |args: &[&str]| {
        let output = program_at(&folder.0, &folder).args(["doc", "small", "--md", "-"]).args(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    small(&folder, &[]);
    let (code, page, error) = doc(&[]);
    assert_eq!(code, Some(0), "{error}");
    for line in [
        "## Your turn",
        "Go, for 3 points:",
        "* or **stay** where you are.",
        "**Example**: Who goes is paid",
        "* p1 +3  go",
    ] {
        assert!(page.contains(line), "{line}\n{page}");
    }
    assert!(!page.contains("What you decide"), "{page}");
    assert!(doc(&["--lang", "ja"]).1.contains("進めば3点。"));
    assert!(doc(&["--set", "small.data.pay=4"]).1.contains("for 4 points"));

    let (code, _, error) = doc(&["--changes"]);
    assert!(code != Some(0) && error.contains("no variant"), "{error}");
    small(&folder, &[("{data.pay} points", "{data.pya} points")]);
    let (code, page, error) = doc(&[]);
    assert!(code != Some(0) && page.is_empty() && error.contains("did you mean `pay`?"), "{error}");
    small(&folder, &[("id = 'turn'", "id = 'turn'\nafter = 'nowhere'")]);
    let (code, page, error) = doc(&[]);
    assert!(
        code != Some(0) && page.is_empty() && error.contains("goes to one that is not there: `nowhere`"),
        "{error}"
    );
    small(&folder, &[("{data.pay} points", "{data} points")]);
    assert!(doc(&[]).2.contains("there is only `data.pay`"));
    small(&folder, &[]);
    folder.edit("tests/scenarios/small/s1.toml", "score = 3", "score = 5");
    let (code, page, error) = doc(&[]);
    assert!(code != Some(0) && page.is_empty() && error.contains("the example S1"), "{error}");
}

#[test]
fn examples_are_told_in_words_and_drawn_as_the_table_is() {
    let folder = Folder::new();
    let doc = |form: &str| {
        let output = program(&folder).args(["doc", "overflow", form, "-"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let told = doc("--md");
    assert!(told.contains("* p1  insert a card or call  insert b\n") && !told.contains("blue-2"), "{told}");
    let page = doc("--html");
    // Several on one page, none with an id that another has, and none as lines of a terminal.
    assert!(page.matches("<section class=\"felt\">").count() > 1 && !page.contains("id=\"table\""), "{page}");
    assert!(!page.contains("<pre"), "{page}");
}

#[test]
fn rules_opens_the_section_that_tells_what_is_asked_and_why_not_ends_with_it() {
    let folder = Folder::new();
    small(&folder, &[]);
    let play = |lines: &str, args: &[&str]| {
        folder.write("lines.txt", lines);
        let lines = std::fs::File::open(folder.0.join("lines.txt")).unwrap();
        let mut play = program_at(&folder.0, &folder);
        let output = play.args(["play", "small", "-p", "2"]).args(args).stdin(lines).output().unwrap();
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    };
    let told = play("rules\n", &[]);
    assert!(told.contains("Your turn\n\nGo, for 3 points:\n\n  * or stay where you are."), "{told}");
    assert!(play("rules your turn\n", &[]).contains("Go, for 3"));
    assert!(play("rules\n", &["--lang", "ja"]).contains("手番\n\n進めば3点。"));
    let told = play("rules trun\n", &[]);
    assert!(told.contains("there is no section `trun`") && told.contains("did you mean `turn`?"), "{told}");
    let told = play("why not never\n", &[]);
    assert!(
        told.contains("the rulebook, Your turn:\nGo, for 3 points: or stay where you are.\n`rules turn`"),
        "{told}"
    );
    small(&folder, &[("Go, for {data.pay} points:\n\n- or", "Go, for {data.pay} points. Or")]);
    let told = play("why not never\n", &[]);
    assert!(told.contains("the rulebook, Your turn:\nGo, for 3 points.\n`rules"), "{told}");
    small(&folder, &[]);
    // When nothing is asked, the sections are listed.
    let told = play("yes\nyes\nrules\n", &[]);
    assert!(told.contains("turn  Your turn"), "{told}");
    std::fs::remove_file(folder.0.join("games/small/rulebook.toml")).unwrap();
    let told = play("rules\n", &[]);
    assert!(told.contains("nobody has written a rulebook for `small`"), "{told}");
}

#[test]
fn a_pack_carries_the_rulebook_of_a_game() {
    let folder = Folder::new();
    small(&folder, &[]);
    let game = folder.read("games/small/game.toml");
    let made = "houserule = '0.1'\nversion = '1.0.0'\nauthor = 'A'\nlicence = 'CC0-1.0'\n";
    folder.write("games/small/game.toml", format!("{made}{game}"));
    let output = program_at(&folder.0, &folder).args(["pack", "small"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut files = std::fs::read_dir(&folder.0).unwrap().flatten().map(|entry| entry.path());
    let pack = files.find(|path| path.to_string_lossy().ends_with(".pack.toml")).unwrap();
    assert!(std::fs::read_to_string(pack).unwrap().contains("games/small/rulebook.toml"));
}
