//! `houserule print`: what is on the sheets, what a change prints again, and what bad input gets.

use super::*;

const GAME: &str = r#"houserule = "0.1"
id      = "crops"
name    = { en = "Crops", ja = "作物" }
players = { min = 2, max = 4 }
version = "1.0.0"
author  = "Ada"
licence = "CC0-1.0"

[components.card]
kind   = "card"
id     = "{crop}-{copy}"
face   = "{worth}·{crop}"
copies = 3
list   = [{ crop = "wheat", worth = 1 }, { crop = "apple", worth = 2 }]

[components.seed]
kind   = "token"
id     = "seed-{copy}"
face   = "{side}"
sides  = ["dry", "grown"]
copies = 5

[components.die]
kind = "die"
id   = "die"
face = "{value}"

[attributes.crop]
wheat = { en = "wheat", ja = "小麦", color = "yellow" }
apple = { en = "apple", ja = "りんご", color = "red" }

[looks.card]
title = "{crop}"
text  = { en = "{worth} points.", ja = "{worth}点。" }

[looks.card.of.crop]
apple = { icon = "crown.svg", corner = "{worth} up", corner_below = "{worth} down" }

[zones.field]
name    = "field"
order   = "row"
visible = "all"

[zones.board]
name    = "board"
grid    = [10, 10]
order   = "pile"
visible = "all"

[text]
pick = "pick"
crop = "crop"

[script]
rhai = '''
fn game() {
    components("card").move_to(field);
    for p in players {
        let card = p.choose("pick", field);
        p.award(card.worth, "crop", card);
    }
}
'''
"#;

const CROWN: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><path d=\"M0 0h9v9z\"/></svg>\n";

/// The smallest PNG: one dot.
const DOT: [u8; 67] = [
    137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 58, 126, 155,
    85, 0, 0, 0, 10, 73, 68, 65, 84, 120, 156, 99, 96, 0, 0, 0, 2, 0, 1, 72, 175, 164, 113, 0, 0, 0, 0, 73, 69, 78, 68,
    174, 66, 96, 130,
];

struct Desk(Folder);

impl Desk {
    fn new(game: &str) -> Self {
        let folder = Folder::new();
        std::fs::create_dir_all(folder.0.join("games/crops")).unwrap();
        folder.write("games/crops/game.toml", game);
        folder.write("games/crops/crown.svg", CROWN);
        Self(folder)
    }

    fn run(&self, line: &str) -> (i32, String) {
        let output = program_at(&self.0.0, &self.0).args(line.split(' ')).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout) + text(output.stderr).as_str())
    }

    #[track_caller]
    fn told(&self, line: &str) -> String {
        let (code, told) = self.run(line);
        assert_eq!(code, 0, "{line}\n{told}");
        told
    }

    /// What a command says that fails with all these words, and leaves no file behind.
    #[track_caller]
    fn refused(&self, line: &str, words: &[&str]) {
        let _ = std::fs::remove_file(self.0.0.join("bad.html"));
        let (code, told) = self.run(&format!("{line} -o bad.html"));
        assert!(code == 1 || code == 2, "{line}: {code}\n{told}");
        assert!(words.iter().all(|word| told.contains(word)), "{line}: {words:?}\n{told}");
        assert!(!self.0.0.join("bad.html").exists(), "{line} left a file");
    }
}

/// How many faces lie on the sheets of a page.
fn placed(page: &str) -> usize {
    page.matches("<svg class=\"piece\"").count()
}

#[test]
fn everything_of_a_game_is_on_its_sheets() {
    let desk = Desk::new(GAME);
    let told = desk.told("print crops");
    assert!(told.contains("wrote crops.print.html: "), "{told}");
    let page = desk.0.read("crops.print.html");
    assert!(page.starts_with("<!doctype html>\n<!-- houserule: sheets -->") && page.contains("img-src data:"));
    // Cards and tokens have two sides, stickers and aids one; a board of ten by ten takes two sheets,
    // and what has nothing on its back leaves it empty.
    assert_eq!(
        desk.told("print crops --only cards,tokens,dice,boards --force"),
        "wrote crops.print.html: 9 sides of paper\n"
    );
    let page = desk.0.read("crops.print.html");
    assert_eq!(placed(&page), 2 * 6 + 2 * 5 + 6);
    assert_eq!((page.matches(">2 up<").count(), page.matches(">2 down<").count()), (1, 1), "{page}");
    // What looks the same is drawn once, and a picture is there once.
    assert_eq!(page.matches("<g id=\"f").count(), 2 + 1 + 2 + 6);
    assert_eq!(page.matches("data:image/svg+xml;base64,").count(), 1);
    assert!(page.contains(">1 points.<") && page.contains(">apple<"), "{page}");
    desk.told("print crops --only cards --lang ja");
    let page = desk.0.read("crops.print.ja.html");
    assert!(page.contains(">2点。<") && page.contains(">りんご<") && page.contains("100%で"), "{page}");
    // The same again gives the same.
    desk.told("print crops --only cards --lang ja");
    assert_eq!(desk.0.read("crops.print.ja.html"), page);
    for backs in ["duplex", "fold", "none"] {
        desk.told(&format!(
            "print crops --backs {backs} --low-ink --grey --bleed 2 --marks ticks --paper letter -o o.html"
        ));
    }
    // A game without colours, pictures or scores.
    for game in ["checkers", "kalah", "liars-dice", "gin-rummy"] {
        desk.told(&format!("print {game} --only cards,dice,tokens,boards,aids,score,rulebook -o o.html"));
    }
}

#[test]
fn aids_and_the_booklet_have_what_the_rulebook_says() {
    let desk = Desk::new(GAME);
    let page = |line: &str| {
        desk.told(&format!("print {line} -o p.html --force"));
        desk.0.read("p.html")
    };
    let aids = page("up-or-down --only aids");
    for words in ["Placing the card", ">Start a column</tspan>", ">4.<", "Points", "Each card of your"] {
        assert!(aids.contains(words), "{words}\n{aids}");
    }
    assert!(!aids.contains("Setting up") && !aids.contains("You may do so even if"), "{aids}");
    assert!(page("crops --only aids").contains("pick"));
    let booklet = page("up-or-down --only rulebook");
    for words in ["Players: 2–6", "font-weight=\"700\">Play</tspan>", ">4.<", ">102<", ">126<", "Setting up"] {
        assert!(booklet.contains(words), "{words}\n{booklet}");
    }
    // It is for those who read one language, and may have no letters for the other.
    let booklet = page("hearts --only rulebook");
    assert!(booklet.contains("Glossary") && !booklet.contains(['ハ', '札']), "{booklet}");
    let booklet = page("up-or-down --only rulebook -p 3");
    assert!(booklet.contains("Players: 3<") && !booklet.contains(">102<"), "{booklet}");
    // A rulebook that tells no function leaves the aid to the comments.
    desk.0.write("games/crops/rulebook.toml", "[[rulebook]]\nid = 'aim'\ntitle = 'Aim'\ntext = 'Have most.'\n");
    let aids = page("crops --only aids");
    assert!(aids.contains("pick") && !aids.contains("Have most"), "{aids}");
    // An aid with nothing on it is none.
    let bare = "id = 'crops'\nname = 'Crops'\nplayers = { min = 2, max = 2 }\n[script]\nrhai = 'fn game() {}'\n";
    desk.0.write("games/crops/game.toml", bare);
    desk.refused("print crops --only aids", &["nothing of this to print"]);
}

#[test]
fn a_change_prints_what_has_changed_and_nothing_else() {
    let desk = Desk::new(GAME);
    desk.told("pack crops --unchecked");
    assert_eq!(
        desk.told("print crops --changed-since crops.pack.toml"),
        "nothing is to be printed anew: no file is written\nnothing is thrown away\n"
    );
    assert!(!desk.0.0.join("crops.print.html").exists());
    // One more or less may play since then.
    desk.0.write("games/crops/game.toml", GAME.replace("min = 2, max = 4", "min = 5, max = 6"));
    let told = desk.told("print crops --changed-since crops.pack.toml --only cards");
    assert!(told.contains("nothing is to be printed anew"), "{told}");
    // What is gone is told, though nothing is printed for it.
    desk.0.write("games/crops/game.toml", GAME.replace("copies = 5", "copies = 4"));
    let told = desk.told("print crops --changed-since crops.pack.toml --only tokens");
    assert_eq!(told, "nothing is to be printed anew: no file is written\nthrow away: seed-5\n");
    desk.refused("print hearts --changed-since crops.pack.toml", &["is a pack of `crops`, not of `hearts`"]);
    desk.refused("print crops --changed-since gone.pack.toml", &["there is no file `gone.pack.toml`"]);
    desk.0.write("games/crops/game.toml", GAME);
    // A number, one card more, and one token less.
    let changed = GAME.replace("worth = 2", "worth = 3").replace("copies = 5", "copies = 4");
    desk.0.write("games/crops/game.toml", changed.replace("worth = 1 }", "worth = 1, copies = 4 }"));
    let told = desk.told("print crops --changed-since crops.pack.toml --only cards,tokens,dice --force");
    assert!(told.contains("throw away: apple-1, apple-2, apple-3, seed-5\n"), "{told}");
    let page = desk.0.read("crops.print.html");
    assert_eq!(placed(&page), 2 * (1 + 3));
    assert!(page.contains("Throw away: apple-1, apple-2, apple-3, seed-5"));
    // The picture came with the pack, and another one is another card.
    desk.0.write("games/crops/game.toml", GAME);
    desk.0.write("games/crops/crown.svg", CROWN.replace("h9v9", "h8v9"));
    let told = desk.told("print crops --changed-since crops.pack.toml --only cards --force");
    assert!(told.contains("throw away: apple-1, apple-2, apple-3\n"), "{told}");
    desk.refused("print crops --changed-since games/crops/game.toml", &["is not a pack", "houserule pack"]);
    // Something that had no room then is no reason not to print what has room now.
    let long = "W".repeat(60);
    let crowded =
        GAME.replace("{worth} up", &long).replace("[looks.card]", &format!("[looks.card]\nback = \"{long}\""));
    desk.0.write("games/crops/game.toml", crowded);
    desk.told("pack crops --unchecked");
    desk.refused("print crops --changed-since crops.pack.toml", &["the corners of `apple-1`", "the back of `card`"]);
    desk.0.write("games/crops/game.toml", GAME);
    desk.0.write("games/crops/crown.svg", CROWN);
    let told = desk.told("print crops --changed-since crops.pack.toml --only cards --force");
    assert!(told.contains("throw away: wheat-1, wheat-2, wheat-3, apple-1, apple-2, apple-3\n"), "{told}");
}

/// What could not be made is no reason to throw away what is there.
#[test]
fn a_broken_rulebook_throws_nothing_away() {
    let desk = Desk::new(GAME);
    desk.told("pack crops --unchecked");
    let since = "print crops --changed-since crops.pack.toml -o o.html --force";
    for (bytes, words) in [(&b"a\xffb"[..], "is not UTF-8"), (b"[[rulebook]\n", "rulebook.toml:1")] {
        std::fs::write(desk.0.0.join("games/crops/rulebook.toml"), bytes).unwrap();
        let told = desk.told(since);
        assert!(told.contains(words) && told.contains("aids and score sheets are left out"), "{told}");
        assert!(told.contains("nothing is thrown away\n") && !told.contains("note: "), "{told}");
    }
    // The same of the edition that was printed: what is there now is printed, and its own error is told.
    desk.told("new game rooks");
    desk.0.write("games/rooks/rulebook.toml", "[[rulebook]\n");
    desk.told("pack rooks --unchecked");
    std::fs::remove_file(desk.0.0.join("games/rooks/rulebook.toml")).unwrap();
    let told = desk.told("print rooks --changed-since rooks.pack.toml -o o.html --force");
    assert!(told.contains("rooks.pack.toml:") && told.contains("as if they were new"), "{told}");
    assert!(told.contains("wrote o.html") && told.contains("nothing is thrown away\n"), "{told}");
}

#[test]
fn sheets_and_booklets_of_an_earlier_edition_are_thrown_away() {
    let desk = Desk::new(GAME);
    let rulebook = |points: &str| {
        let text = format!("[[rulebook]]\nid = 'aim'\ntitle = 'Aim'\ntells = ['game']\ntext = 'Have {points}.'\n");
        desk.0.write("games/crops/rulebook.toml", text);
    };
    rulebook("the most points");
    desk.told("pack crops --unchecked");
    let since = |only: &str| desk.told(&format!("print crops --changed-since crops.pack.toml -o o.html --force{only}"));
    assert!(!since("").contains("rulebook"));
    rulebook("the fewest points");
    // Whoever prints no booklet is told that there is another one.
    let told = since("");
    assert!(told.contains("throw away: player aid\n"), "{told}");
    assert!(told.contains("note: the rulebook is different, too") && told.contains("`--only rulebook`"), "{told}");
    assert!(!since(" --only cards").contains("rulebook"));
    let told = since(" --only rulebook,cards");
    assert!(told.contains("throw away: the rulebook\n") && !told.contains("note: "), "{told}");
    assert!(desk.0.read("o.html").contains("Throw away: the rulebook") && placed(&desk.0.read("o.html")) == 0);
    // Lines that nobody scores in any more, and a board of another size.
    desk.0.write(
        "games/crops/game.toml",
        GAME.replace("crop = \"crop\"", "crop = \"fruit\"").replace("[10, 10]", "[3, 3]"),
    );
    let told = since(" --only score,boards");
    assert!(told.contains("throw away: ") && told.contains("board"), "{told}");
    desk.0.write("games/crops/game.toml", GAME.replace("\"Crops\"", "\"Fruit\""));
    let told = since(" --only score");
    assert!(told.contains("throw away: score sheet\n"), "{told}");
}

#[test]
fn looks_change_no_rules() {
    let desk = Desk::new(GAME);
    let hash = |desk: &Desk| {
        let told = desk.told("trace crops -s 1");
        told.split("\"ruleset\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    let before = hash(&desk);
    for changed in [
        GAME.replace("title = \"{crop}\"", "title = \"A {crop}\"\ncorner = \"{worth}\""),
        GAME.replace("[looks.card]\ntitle = \"{crop}\"\ntext  = { en = \"{worth} points.\", ja = \"{worth}点。\" }\n\n[looks.card.of.crop]\napple = { icon = \"crown.svg\", corner = \"{worth} up\", corner_below = \"{worth} down\" }\n\n", ""),
    ] {
        assert_ne!(changed, GAME);
        desk.0.write("games/crops/game.toml", &changed);
        assert_eq!(hash(&desk), before);
    }
    desk.0.write("games/crops/game.toml", GAME.replace("worth = 2", "worth = 3"));
    assert_ne!(hash(&desk), before);
}

#[test]
fn pictures_travel_in_packs() {
    let desk = Desk::new(&GAME.replace("icon = \"crown.svg\"", "icon = \"{crop}.png\""));
    std::fs::write(desk.0.0.join("games/crops/apple.png"), DOT).unwrap();
    std::fs::write(desk.0.0.join("games/crops/other.gif"), DOT).unwrap();
    let told = desk.told("pack crops --unchecked");
    assert!(told.contains("1 game, 1 picture"), "{told}");
    let told = desk.told("pack crops --unchecked --lang ja");
    assert!(told.contains("1ゲーム、絵1枚"), "{told}");
    let friend = Desk(Folder::new());
    friend.0.write("crops.pack.toml", desk.0.read("crops.pack.toml"));
    friend.told("print crops.pack.toml --only cards");
    desk.told("print crops --only cards");
    assert_eq!(friend.0.read("crops.print.html"), desk.0.read("crops.print.html"));
    assert!(friend.0.read("crops.print.html").contains("data:image/png;base64,"));
    friend.told("install crops.pack.toml");
    friend.told("print crops --only cards --force");
    friend.told("unpack crops.pack.toml");
    assert_eq!(std::fs::read(friend.0.0.join("games/crops/apple.png")).unwrap(), DOT);
    // What is there already is the same.
    assert!(friend.told("unpack crops.pack.toml").contains("everything is there already"));
}

#[test]
fn what_cannot_be_printed_is_said_and_nothing_is_written() {
    let desk = Desk::new(GAME);
    desk.refused("print crop", &["crops"]);
    desk.refused("print crops --paper a5", &["a5", "letter"]);
    desk.refused("print crops --card 0x0", &["a card of 0x0 mm cannot be printed", "10 and 400"]);
    desk.refused("print crops --card brige", &["did you mean `bridge`?"]);
    desk.refused("print crops --card 380x380", &["no room on the paper"]);
    desk.refused("print crops --card 150x150 --backs fold", &["--backs duplex"]);
    desk.refused("print crops --bleed 3 --gutter 1", &["--gutter"]);
    desk.refused("print crops --bleed -1", &[]);
    desk.refused("print crops --gutter 1e9", &["`--gutter 1e9` is not a distance in mm"]);
    desk.refused("print crops --only catds", &["cards"]);
    desk.refused("print crops -p 9", &["2 to 4"]);
    desk.refused("print hearts --only dice", &["nothing of this to print"]);
    let looks = |from: &str, to: &str| {
        let changed = GAME.replace(from, to);
        assert_ne!(changed, GAME, "{from}");
        desk.0.write("games/crops/game.toml", changed);
    };
    let told = |words: &[&str]| desk.refused("print crops", words);
    looks("title = \"{crop}\"", "title = \"{corp}\"");
    told(&["`looks.card.title` names an attribute `corp`", "did you mean `crop`?", "game.toml:33"]);
    looks("title = \"{crop}\"", "title = \"{crop\"");
    told(&["one brace too many"]);
    looks("title = \"{crop}\"", "titel = \"x\"");
    told(&["unknown key `looks.card.titel`", "did you mean `title`?"]);
    looks("[looks.card]", "[looks.cadr]\ntitle = \"x\"\n\n[looks.card]");
    told(&["cadr", "did you mean `card`?"]);
    looks("[looks.card.of.crop]", "[looks.card.of.corp]");
    told(&["corp", "did you mean `crop`?"]);
    for (size, words) in [
        ("pokre", "did you mean `poker`?"),
        ("0x0", "a card of 0x0 mm cannot be printed"),
        ("63x", "`63x` is not a size of a card"),
        ("4000x4000", "each side is between 10 and 400 mm"),
    ] {
        looks("title = \"{crop}\"", &format!("size = \"{size}\""));
        told(&[size, words, "game.toml:33"]);
        // Whoever checks it, or hands it on, is told the same.
        for line in ["check crops", "pack crops"] {
            let (code, told) = desk.run(line);
            assert!(code == 1 && told.contains(words) && told.contains("game.toml:33"), "{line}\n{told}");
        }
    }
    looks("title = \"{crop}\"", "size = \"400x400\"");
    told(&["a piece of 400 × 400 mm has no room on the paper", "game.toml:33"]);
    let long = "long words and more of them, ".repeat(30);
    looks("{worth} points.", &long);
    told(&["the text of `wheat-1` has no room on it"]);
    looks("title = \"{crop}\"", &format!("title = \"{}\"", "W".repeat(200)));
    told(&["the title of `wheat-1` has no room on it"]);
    for corner in ["corner = \"{worth} up\"", "corner_below = \"{worth} down\""] {
        looks(corner, &format!("{} = \"{}\"", corner.split_once(' ').unwrap().0, "W".repeat(20)));
        told(&["what stands in the corners of `apple-1` has no room there", "game.toml:32", "--card tarot"]);
    }
    looks("title = \"{crop}\"", &format!("back = \"{}\"", "W".repeat(60)));
    told(&["what stands on the back of `card` has no room there", "game.toml:32"]);
    for (icon, words) in [
        ("crwn", "did you mean `crown`?"),
        ("nothing.svg", "nothing.svg"),
        ("../../secret.svg", "SVG or PNG"),
        ("/etc/passwd", "there is no sign"),
        ("crown.gif", "SVG or PNG"),
        ("{crop}", "there is no sign `apple`"),
    ] {
        looks("crown.svg", icon);
        told(&[words]);
    }
    desk.0.write("games/crops/game.toml", GAME);
    for (bytes, words) in [
        (&b"<svg xmlns='http://www.w3.org/2000/svg'>\n<script>1</script></svg>"[..], "it has a script in it"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'>\n<script>1</script></svg>", "games/crops/crown.svg:2:1"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><image href='https://example.org/x.png'/></svg>", "outside of it"),
        (b"<svg/>", "its root is not `svg`"),
        (b"GIF89a", "it is not an SVG"),
        (b"\xff\xfe\x00", "it is not text"),
        (b"", "it is not an SVG"),
        (&[b'x'; 300 * 1024], "larger than 256 KiB"),
    ] {
        std::fs::write(desk.0.0.join("games/crops/crown.svg"), bytes).unwrap();
        told(&["crown.svg", words]);
    }
    looks("crown.svg", "crown.png");
    std::fs::write(desk.0.0.join("games/crops/crown.png"), b"<svg/>").unwrap();
    told(&["it is not a PNG", "game.toml:37"]);
}

/// Looks and rulebooks are told of by whoever needs them, and stop nobody who does not.
#[test]
fn a_game_with_wrong_looks_and_a_wrong_rulebook_is_played() {
    let desk = Desk::new(&GAME.replace("title = \"{crop}\"", "titel = \"{crop}\"").replace("crown.svg", "crwn"));
    let is_played = |desk: &Desk| assert!(desk.told("trace crops -s 1").contains("\"ruleset\""));
    let checked = |desk: &Desk, words: &[&str]| {
        let (code, told) = desk.run("check crops");
        // What stands in braces and is gone is a warning.
        assert_eq!(code, i32::from(!words.contains(&"nothing")), "{told}");
        assert!(words.iter().all(|word| told.contains(word)), "{words:?}\n{told}");
    };
    is_played(&desk);
    checked(&desk, &["unknown key `looks.card.titel`", "game.toml:33", "there is no sign `crwn`", "2 errors"]);
    desk.refused("print crops", &["unknown key `looks.card.titel`", "there is no sign `crwn`"]);
    desk.told("print crops --only boards,aids,score,dice,rulebook -o o.html");
    // Whatever looks a game has, the same variants go over it.
    desk.0.write("games/crops/game.toml", GAME);
    let variant = "id = 'plain'\ngame = 'crops'\nname = 'Plain'\nremove = ['looks.seed', 'looks.card.back']\n";
    std::fs::create_dir_all(desk.0.0.join("variants/crops")).unwrap();
    desk.0.write("variants/crops/plain.toml", variant);
    assert!(desk.told("trace crops -v plain -s 1").contains("\"ruleset\""));
    checked(&desk, &["`looks` has no `seed` to take away", "plain.toml:4", "2 errors"]);
    desk.refused("print crops -v plain", &["`looks` has no `seed` to take away"]);
    std::fs::remove_file(desk.0.0.join("variants/crops/plain.toml")).unwrap();
    desk.0.write("games/crops/game.toml", GAME.replace("[looks.card.of.crop]\napple = { icon = \"crown.svg\" }", ""));
    let rulebook = desk.0.0.join("games/crops/rulebook.toml");
    let long = vec![b' '; 2 << 20];
    for (bytes, words) in [
        (&b"\xff\xfea"[..], "UTF-16"),
        (b"a\xffb", "is not UTF-8"),
        (&long, "is larger than"),
        (b"[[rulebook]\n", "rulebook.toml:1"),
        (b"[[rulebok]]\n", "did you mean `rulebook`?"),
        (b"[[rulebook]]\nid = 'a'\ntitle = 'A'\ntext = '{data.nothing}'\n", "nothing"),
    ] {
        std::fs::write(&rulebook, bytes).unwrap();
        is_played(&desk);
        checked(&desk, &["rulebook.toml", words]);
        let (code, told) = desk.run("doc crops --html bad.html");
        assert!(code == 1 && told.contains("rulebook.toml") && told.contains(words), "{told}");
        desk.refused("print crops --only rulebook,cards", &["rulebook.toml", words]);
        desk.refused("print crops --only aids", &["rulebook.toml", words]);
        let told = desk.told("print crops -o o.html --force");
        assert!(told.contains("warning: ") && told.contains(words) && told.contains("aids and score sheets"), "{told}");
        assert_eq!(placed(&desk.0.read("o.html")), 2 * 6 + 2 * 5 + 6);
        let mut command = program_at(&desk.0.0, &desk.0);
        command.args(["play", "crops"]);
        let told = told_by(command, b"rules all\nquit\n".to_vec());
        assert!(told.stderr.contains(words) || told.stdout.contains(words), "{}{}", told.stdout, told.stderr);
    }
    std::fs::remove_file(&rulebook).unwrap();
    std::fs::create_dir(&rulebook).unwrap();
    is_played(&desk);
    checked(&desk, &["rulebook.toml` is a folder"]);
    #[cfg(unix)]
    {
        std::fs::remove_dir(&rulebook).unwrap();
        std::os::unix::fs::symlink("nowhere", &rulebook).unwrap();
        is_played(&desk);
        checked(&desk, &["rulebook.toml"]);
        std::fs::remove_file(&rulebook).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&rulebook).status().unwrap().success());
        is_played(&desk);
        checked(&desk, &["rulebook.toml` is a device or a pipe"]);
    }
}

#[test]
fn check_opens_the_pictures_that_looks_name() {
    let desk = Desk::new(&GAME.replace("icon = \"crown.svg\"", "icon = \"{crop}.svg\""));
    let found = |words: &[&str]| {
        let (code, told) = desk.run("check crops");
        assert!(code == 1 && words.iter().all(|word| told.contains(word)), "{words:?}\n{told}");
    };
    found(&["cannot read `games/crops/apple.svg`", "game.toml:37", "1 error"]);
    desk.0.write("games/crops/apple.svg", CROWN.replace("<path", "<set/><path"));
    found(&["games/crops/apple.svg:1:59", "no printed picture needs", "game.toml:37", "1 error"]);
    desk.0.write("games/crops/apple.svg", "x".repeat(300 * 1024));
    found(&["larger than 256 KiB", "game.toml:37"]);
    desk.0.write("games/crops/apple.svg", CROWN);
    let (_, told) = desk.run("check crops");
    assert!(told.contains("0 errors"), "{told}");
}

/// Whoever gets a card without its picture is told, on each way that it can take.
#[test]
fn a_missing_picture_is_told_wherever_a_pack_goes() {
    let desk = Desk::new(GAME);
    std::fs::rename(desk.0.0.join("games/crops/crown.svg"), desk.0.0.join("games/crops/crowns.svg")).unwrap();
    let words = ["cannot read `games/crops/crown.svg`", "game.toml:37", "did you mean `crowns.svg`?"];
    let (code, told) = desk.run("pack crops");
    assert!(code == 1 && words.iter().all(|word| told.contains(word)), "{told}");
    assert!(told.contains("nothing was written; `--unchecked` leaves it out"), "{told}");
    let told = desk.told("pack crops --unchecked");
    assert!(told.contains("warning: ") && words.iter().all(|word| told.contains(word)), "{told}");
    assert!(told.contains("it is left out of the pack"), "{told}");
    let friend = Desk(Folder::new());
    friend.0.write("crops.pack.toml", desk.0.read("crops.pack.toml"));
    let told = friend.told("unpack crops.pack.toml");
    let words = ["warning: ", "crown.svg", "crops.pack.toml:", "put it there, or name another one"];
    assert!(words.iter().all(|word| told.contains(word)), "{told}");
    assert!(friend.0.0.join("games/crops/game.toml").exists());
    let (code, told) = friend.run("install crops.pack.toml");
    assert!(code == 1 && told.contains("crown.svg"), "{told}");
    // What was taken out of a pack by hand is missing, too, and the messages name the file that has the text.
    desk.0.write("games/crops/crown.svg", CROWN);
    desk.told("pack crops --unchecked");
    let whole = desk.0.read("crops.pack.toml");
    let (head, rest) = whole.split_once("[[files]]\npath = \"games/crops/crown.svg\"").unwrap();
    desk.0.write("less.pack.toml", format!("{head}{}", &rest[rest.find("[[files]]").unwrap()..]));
    let (code, told) = desk.run("pack less.pack.toml -o new.toml");
    assert!(code == 1 && told.contains("--> less.pack.toml:"), "{told}");
    let told = desk.told("pack less.pack.toml -o new.toml --unchecked");
    assert!(told.contains("crown.svg") && told.contains("it is left out of the pack"), "{told}");
}

/// A pack takes along what its maker put beside the game, and nothing that a link leads to.
#[cfg(unix)]
#[test]
fn no_pack_takes_along_what_lies_elsewhere() {
    let desk = Desk::new(GAME);
    let crown = desk.0.0.join("games/crops/crown.svg");
    desk.0.write("secret.svg", CROWN);
    for target in ["/etc/passwd", "../../secret.svg"] {
        std::fs::remove_file(&crown).unwrap();
        std::os::unix::fs::symlink(target, &crown).unwrap();
        for line in ["pack crops", "pack crops --unchecked", "print crops", "check crops"] {
            let (code, told) = desk.run(line);
            assert!(code > 0 && told.contains("`crown.svg` is a link that leads elsewhere"), "{line}\n{told}");
            assert!(told.contains("game.toml:37") && !told.contains("root:"), "{line}\n{told}");
        }
        assert!(!desk.0.0.join("crops.pack.toml").exists());
    }
    // A link within the folder, and a folder that is a link itself, lead nowhere else.
    std::fs::remove_file(&crown).unwrap();
    desk.0.write("games/crops/real.svg", CROWN);
    std::os::unix::fs::symlink("real.svg", &crown).unwrap();
    std::fs::rename(desk.0.0.join("games/crops"), desk.0.0.join("crops")).unwrap();
    std::os::unix::fs::symlink("../crops", desk.0.0.join("games/crops")).unwrap();
    assert!(desk.told("pack crops --unchecked").contains("1 game, 1 picture"));
}

/// A pack that was changed by somebody who makes its checksum anew.
fn resigned(pack: &str) -> String {
    let (head, rest) = pack.split_once("pack      = 1\n").unwrap();
    let (body, _) = rest.split_once("\n[check]\n").unwrap();
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(body.len() as u64).to_le_bytes()).update(body.as_bytes());
    format!("{head}pack      = 1\n{body}\n[check]\nhash = \"blake3:{}\"\n", hasher.finalize().to_hex())
}

#[test]
fn pictures_in_packs_are_judged_wherever_they_are_kept() {
    let desk = Desk::new(GAME);
    desk.told("pack crops --unchecked");
    let whole = desk.0.read("crops.pack.toml");
    let hostile = whole.replace("<path d=", "<set attributeName='href' to='java&#115;cript:alert(1)'/><path d=");
    assert_ne!(hostile, whole);
    // The checksum is made anew by whoever makes such a pack.
    desk.0.write("hostile.pack.toml", &hostile);
    let (_, told) = desk.run("pack hostile.pack.toml --unchecked -o other.pack.toml");
    assert!(told.contains("no printed picture needs") && told.contains("nothing was written"), "{told}");
    assert!(told.contains("--> hostile.pack.toml:"), "{told}");
    desk.0.write("hostile.pack.toml", resigned(&hostile));
    let friend = Desk(Folder::new());
    friend.0.write("hostile.pack.toml", desk.0.read("hostile.pack.toml"));
    for (line, nothing) in
        [("install hostile.pack.toml", "nothing was installed"), ("unpack hostile.pack.toml", "nothing was written")]
    {
        let (code, told) = friend.run(line);
        let words = [
            "`games/crops/crown.svg` cannot be used as a picture",
            "no printed picture needs",
            "hostile.pack.toml:",
            nothing,
        ];
        assert!(code == 1 && words.iter().all(|word| told.contains(word)), "{line}\n{told}");
    }
    assert!(!friend.0.0.join("games").exists());
    let (_, told) = friend.run("show hostile.pack.toml");
    assert!(told.contains("no printed picture needs"), "{told}");
    friend.refused("print hostile.pack.toml", &["no printed picture needs"]);
    assert!(friend.told("trace hostile.pack.toml -s 1").contains("\"ruleset\""), "it is played all the same");
}

#[test]
fn hostile_texts_stay_texts_and_many_cards_are_printed() {
    let game = GAME
        .replace("copies = 3", "copies = 2048")
        .replace("[components.seed]\nkind   = \"token\"\nid     = \"seed-{copy}\"\nface   = \"{side}\"\nsides  = [\"dry\", \"grown\"]\ncopies = 5\n\n[components.die]\nkind = \"die\"\nid   = \"die\"\nface = \"{value}\"\n\n", "")
        .replace("face   = \"{worth}·{crop}\"", "face   = \"{copy}·{crop}\"")
        .replace("{ en = \"Crops\", ja = \"作物\" }", "'</title><script>alert(1)</script>\u{202e}'")
        .replace("{worth} points.", "<b onclick='x'>\u{202e}]]>&amp;");
    let desk = Desk::new(&game);
    let told = desk.told("print crops --only cards --backs none -o many.html");
    assert!(told.contains("456 sides of paper"), "{told}");
    let page = desk.0.read("many.html");
    assert_eq!(placed(&page), 4096);
    assert!(!page.contains("<script") && !page.contains("<b ") && !page.contains('\u{202e}'));
}

#[test]
fn a_session_tells_what_is_printed_on_a_card() {
    let desk = Desk::new(GAME);
    let mut command = program_at(&desk.0.0, &desk.0);
    command.args(["play", "crops"]);
    let told = told_by(command, b"help apple-2\nwheat-1?\nquit\n".to_vec());
    assert!(told.stdout.contains("apple: 2 points.") && told.stdout.contains("wheat: 1 points."), "{}", told.stdout);
    desk.told("doc crops --html rules.html");
    let page = desk.0.read("rules.html");
    assert!(page.contains("<title>2 points.</title>") && page.contains("aria-label=\"2 apple\""), "{page}");
}

/// The decks of a file for a virtual table, and its sheets by their names.
fn decks(desk: &Desk, file: &str) -> Vec<serde_json::Value> {
    let saved: serde_json::Value = serde_json::from_str(&desk.0.read(file)).unwrap();
    saved["ObjectStates"].as_array().unwrap().clone()
}

/// Holds that every card of a deck lies in a slot of a sheet that is there, and gives each card with its slot and its name.
fn cards_of(desk: &Desk, deck: &serde_json::Value, address: &str) -> Vec<(u64, String)> {
    let cards = deck["ContainedObjects"].as_array().unwrap();
    let ids: Vec<u64> = deck["DeckIDs"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect();
    assert_eq!(cards.iter().map(|card| card["CardID"].as_u64().unwrap()).collect::<Vec<_>>(), ids);
    let count = |number: &serde_json::Value| number.as_u64().unwrap();
    for (card, id) in cards.iter().zip(&ids) {
        let sheet = &deck["CustomDeck"][(id / 100).to_string()];
        assert_eq!(card["CustomDeck"][(id / 100).to_string()], *sheet);
        let [columns, rows] = ["NumWidth", "NumHeight"].map(|key| count(&sheet[key]));
        // The last slot is what others see of a card in a hand.
        assert!(id % 100 < columns * rows - 1 && sheet["BackIsHidden"] == false, "{id} {sheet}");
        assert_eq!(card["HideWhenFaceDown"], true);
        let drawn = |key: &str| {
            let picture = sheet[key].as_str().unwrap().strip_prefix(address).unwrap_or_else(|| panic!("{sheet}"));
            desk.0.read(&picture.replace(".png", ".svg"))
        };
        let [front, back] = ["FaceURL", "BackURL"].map(drawn);
        let dots = |svg: &str, key: &str| -> u64 {
            svg.split_once(&format!(" {key}=\"")).unwrap().1.split_once('"').unwrap().0.parse().unwrap()
        };
        let [wide, high] = ["width", "height"].map(|key| dots(&front, key));
        assert!(wide <= 4096 && high <= 4096 && wide % columns == 0 && high % rows == 0, "{wide} × {high}");
        let last = format!("<svg x=\"{}\" y=\"{}\"", wide / columns * (columns - 1), high / rows * (rows - 1));
        assert!(front.contains(&last), "no {last}");
        let is_alone = sheet["UniqueBack"] == false;
        assert_eq!(back.matches("<use href=\"#f").count() == 1, is_alone, "{sheet}");
    }
    cards.iter().zip(ids).map(|(card, id)| (id, card["Nickname"].as_str().unwrap().to_owned())).collect()
}

#[test]
fn a_game_goes_to_a_virtual_table_card_by_card() {
    let desk = Desk::new(GAME);
    let told = desk.told("print crops --for tabletop-simulator --address https://example.org/cards/");
    assert!(told.starts_with("wrote crops.decks.json: 1 deck, 6 cards\n"), "{told}");
    let [deck] = &decks(&desk, "crops.decks.json")[..] else { panic!("{told}") };
    assert_eq!((&deck["Name"], &deck["Nickname"]), (&"DeckCustom".into(), &"Crops".into()));
    // Three equal cards are three cards in one slot.
    let cards = cards_of(&desk, deck, "https://example.org/cards/");
    let slots: Vec<(u64, &str)> = cards.iter().map(|(id, name)| (*id, name.as_str())).collect();
    let [wheat, apple] = [(100, "wheat"), (101, "apple")];
    assert_eq!(slots, [wheat, wheat, wheat, apple, apple, apple]);
    assert_eq!(deck["ContainedObjects"][3]["Description"], "2 points.");
    let sheet = desk.0.read("crops.decks.faces-1.svg");
    assert_eq!((sheet.matches("<use href=\"#f").count(), sheet.matches("data:image/svg+xml").count()), (3, 1));
    // Each picture has the command that makes it.
    let command = "--window-size=1500,2100 --screenshot=crops.decks.faces-1.png crops.decks.faces-1.svg`";
    assert!(told.contains(command) && told.matches("\nnow: `chromium ").count() == 2, "{told}");
    // Without an address, the pictures are beside the file; in another language, with other words.
    std::fs::create_dir(desk.0.0.join("my decks")).unwrap();
    let mut command = program_at(&desk.0.0, &desk.0);
    command.args(["print", "crops", "--for", "tabletop-simulator", "--lang", "ja", "-o", "my decks/a.json"]);
    let told = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(told.contains("デッキ1組、カード6枚"), "{told}");
    let [deck] = &decks(&desk, "my decks/a.json")[..] else { panic!() };
    let picture = deck["CustomDeck"]["1"]["FaceURL"].as_str().unwrap();
    assert!(picture.starts_with("file:///") && picture.ends_with("/my decks/a.faces-1.png"), "{picture}");
    assert_eq!(deck["Nickname"], "作物");
    assert!(desk.0.read("my decks/a.faces-1.svg").contains("2点。"));
}

#[test]
fn decks_of_every_sort_fit_a_virtual_table() {
    // Of cards with two sides, each has its own back; of what is hidden, neither side is seen.
    let desk = Desk::new(
        &GAME.replace("kind   = \"token\"\nid     = \"seed-{copy}\"", "kind   = \"card\"\nid     = \"seed-{copy}\""),
    );
    desk.told("print crops --for tabletop-simulator --address https://example.org");
    let [crops, seeds] = &decks(&desk, "crops.decks.json")[..] else { panic!() };
    assert_eq!(cards_of(&desk, crops, "https://example.org/").len(), 6);
    assert_eq!(cards_of(&desk, seeds, "https://example.org/"), vec![(200, "dry / grown".to_owned()); 5]);
    let [front, back] = ["faces-2", "backs-2"].map(|name| desk.0.read(&format!("crops.decks.{name}.svg")));
    assert!(
        front.contains(">dry<") && back.contains(">grown<") && front.contains(">Crops<") && back.contains(">Crops<")
    );
    // More kinds than a sheet has slots lie on several.
    let desk = Desk::new(&GAME.replace("copies = 3", "copies = 100").replace("title = \"{crop}\"", "title = \"{id}\""));
    desk.told("print crops --for tabletop-simulator --address https://example.org");
    let [deck] = &decks(&desk, "crops.decks.json")[..] else { panic!() };
    let cards = cards_of(&desk, deck, "https://example.org/");
    let ids: std::collections::BTreeSet<u64> = cards.iter().map(|(id, _)| *id).collect();
    assert_eq!((cards.len(), ids.len(), ids.contains(&168), ids.contains(&200)), (200, 200, true, true));
    assert_eq!(deck["CustomDeck"].as_object().unwrap().len(), 3);
    // As many as a game can have.
    let most = Desk::new(&GAME.replace("copies = 3", "copies = 2040"));
    most.told("print crops --for tabletop-simulator --address https://example.org");
    assert_eq!(decks(&most, "crops.decks.json")[0]["DeckIDs"].as_array().unwrap().len(), 4080);
    // A card alone is no deck.
    let one = GAME.replace("copies = 3\nlist   = [{ crop = \"wheat\", worth = 1 }, ", "copies = 1\nlist   = [");
    let desk = Desk::new(&one);
    desk.told("print crops --for tabletop-simulator");
    let [card] = &decks(&desk, "crops.decks.json")[..] else { panic!() };
    assert_eq!((&card["Name"], &card["CardID"], &card["Nickname"]), (&"Card".into(), &100.into(), &"apple".into()));
}

#[test]
fn what_cannot_go_to_a_virtual_table_is_said() {
    let desk = Desk::new(GAME);
    let refused = |line: &str, words: &[&str]| {
        let (code, told) = desk.run(line);
        assert!(code > 0 && words.iter().all(|word| told.contains(word)), "{line}: {words:?}\n{told}");
        assert!(!desk.0.0.join("crops.decks.json").exists(), "{line} left a file");
    };
    refused("print checkers --for tabletop-simulator", &["`checkers` has no cards", "without `--for`"]);
    refused("print crops --for tabletop", &["tabletop-simulator"]);
    for address in ["", "example.org", "https://", "https://?x", "https://example.org/a?b", "ftp://example.org"] {
        let line = format!("print crops --for tabletop-simulator --address={address}");
        refused(&line, &["--address", "write it as https://example.org/pictures"]);
    }
    refused("print crops --for tabletop-simulator -o -", &["the sheets of cards lie beside the file", "-o decks.json"]);
    refused("print crops --for tabletop-simulator --paper letter", &["--paper"]);
    refused("print crops --for tabletop-simulator --changed-since old.pack.toml", &["--changed-since"]);
    refused("print crops --address https://example.org", &["--for"]);
    refused("print crops --for tabletop-simulator -o no/such/decks.json", &["no/such"]);
    // Only files of the same sort are overwritten, and none is written where one would be.
    desk.0.write("crops.decks.back-1.svg", "mine");
    refused("print crops --for tabletop-simulator", &["crops.decks.back-1.svg", "--force"]);
    assert_eq!(desk.0.read("crops.decks.back-1.svg"), "mine");
    desk.told("print crops --for tabletop-simulator --force");
    desk.told("print crops --for tabletop-simulator");
    // Names from elsewhere stay names.
    let hostile = GAME.replace("{ en = \"Crops\", ja = \"作物\" }", "'</text><script>alert(1)</script>\u{202e}\"'");
    let hostile = Desk::new(&hostile.replace("{worth} points.", "<b onclick='x'>\u{202e}\\u0007"));
    hostile.told("print crops --for tabletop-simulator");
    let [sheet, saved] = ["crops.decks.faces-1.svg", "crops.decks.json"].map(|file| hostile.0.read(file));
    for text in [&sheet, &saved] {
        assert!(!text.contains('\u{202e}') && !text.contains('\u{7}'), "{text}");
    }
    assert!(!sheet.contains("<script") && !sheet.contains("<b "), "{sheet}");
    assert_eq!(decks(&hostile, "crops.decks.json").len(), 1);
}

/// Decks without their sheets are of no use: where one file cannot be written, there is none of them.
#[cfg(unix)]
#[test]
fn decks_and_their_sheets_are_written_together_or_not_at_all() {
    const BLOCK: u64 = 512;
    let line = "print up-or-down --for tabletop-simulator";
    let written = |desk: &Desk| -> Vec<(String, u64)> {
        let files = std::fs::read_dir(&desk.0.0).unwrap().map(|entry| entry.unwrap());
        let files = files.map(|entry| (entry.file_name().into_string().unwrap(), entry.metadata().unwrap().len()));
        files.filter(|(name, _)| name.starts_with("up-or-down.")).collect()
    };
    let whole = Desk::new(GAME);
    whole.told(line);
    let files = written(&whole);
    let size = |name: &str| files.iter().find(|(known, _)| known == name).unwrap().1;
    let limit = size("up-or-down.decks.json").div_ceil(BLOCK);
    assert!(size("up-or-down.decks.faces-1.svg") > limit * BLOCK, "the deck fits where its sheet does not: {files:?}");

    let desk = Desk::new(GAME);
    let print = program_at(&desk.0.0, &desk.0);
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("ulimit -f {limit}; exec \"$@\""), "sh"]).arg(print.get_program());
    limited.args(print.get_args()).args(line.split(' ')).current_dir(&desk.0.0).env_clear().stdin(Stdio::null());
    limited.envs(print.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = limited.output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("cannot be written: file too large"), "{told}");
    assert_eq!((written(&desk), output.stdout), (Vec::new(), Vec::new()));
}
