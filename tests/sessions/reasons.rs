//! Where things came from and why something cannot be done, asked in sessions of shipped games.

use super::*;

#[track_caller]
fn refused(args: &[&str], lines: &[&str], words: &[&str]) {
    let error = fails(args, lines);
    words.iter().for_each(|word| assert!(error.contains(word), "{lines:?}: no {word} in {error}"));
}

const GREENHORN: [&str; 5] = ["up-or-down", "-v", "greenhorn", "-s", "3"];
const HEARTS: [&str; 5] = ["hearts", "-p", "4", "-s", "7"];

mod why {
    use super::*;

    #[test]
    fn a_score_is_its_awards_with_script_and_layer() {
        let told = last(&GREENHORN, &["until end", "why p2.score"]);
        let expected = "\
p2 score is 34
   +2  column 1      games/up-or-down/rules.rhai:78  game  move 186
   +1  column 2      games/up-or-down/rules.rhai:78  game  move 186
   +2  column 3      games/up-or-down/rules.rhai:78  game  move 186
  +19  discard pile  games/up-or-down/rules.rhai:74  game  move 186
  +10  green cards   …/up-or-down/greenhorn.toml:23  variant greenhorn  move 186
";
        assert_eq!(told, expected);
        let told = last(&GREENHORN, &["auto 4", "why p1.score"]);
        let expected = "\
p1 score is 0
  it has had this value since the game began
if the game ended now it would be 1
  +1  column 1      games/up-or-down/rules.rhai:78         game
  +0  discard pile  games/up-or-down/rules.rhai:74         game
  +0  green cards   variants/up-or-down/greenhorn.toml:23  variant greenhorn
";
        assert_eq!(told, expected);
        let told = last(&GREENHORN, &["auto 1", "set p1.score 7", "why p1.score"]);
        assert!(told.starts_with("p1 score is 7\n  = 7  set           by hand"), "{told}");
    }

    #[test]
    fn a_variable_is_what_was_set() {
        let game = ["up-or-down", "-v", "special-color", "-s", "3"];
        let told = last(&game, &["#1", "why special_color"]);
        assert!(told.starts_with("special colour is "), "{told}");
        assert!(told.contains("special-color.toml:11  variant special-color  move 1"), "{told}");
    }

    #[test]
    fn a_card_tells_its_whole_way() {
        let told = last(&GREENHORN, &["until end", "why 46"]);
        let expected = "\
46·k lies in p2 column 2
    0  46·k  out of play → face-down pile
         games/up-or-down/rules.rhai:19  setup  game
  152  46·k  face-down pile → p2 hand
         games/up-or-down/rules.rhai:68  draw  game
  178  p2  play a card to the ring  46·k
         games/up-or-down/rules.rhai:30  turn  game
  178  46·k  p2 hand → ring
         games/up-or-down/rules.rhai:31  turn  game
  185  p2  take a neighbour  46·k
         games/up-or-down/rules.rhai:32  turn  game
  186  46·k  ring → p2 column 2
         games/up-or-down/rules.rhai:47  place  game
";
        assert_eq!(told, expected);
        // 99 is a card for more players.
        assert_eq!(
            last(&GREENHORN, &["why 99"]),
            "99·b is out of play\n  nothing has happened to it since the game began\n"
        );
        let told = last(&GREENHORN, &["move 99 box", "why 99"]);
        assert_eq!(told, "99·b lies in box\n    1  99·b  out of play → box  by hand\n");
    }

    #[test]
    fn a_zone_tells_how_each_thing_came_there() {
        let told = last(&HEARTS, &["auto 9", "why p1.taken"]);
        assert_eq!(told.lines().next(), Some("p1 taken holds 4"));
        // What moved together is told together.
        assert!(told.contains("♥8 ♥7 ♥K ♥4  trick → p1 taken"), "{told}");
        assert_eq!(told.matches("scripts/trick.rhai:63  take_trick  library trick").count(), 1, "{told}");
        assert_eq!(
            last(&GREENHORN, &["why p2.columns.1"]),
            "p2 column 1 is empty\n  nothing has happened to it since the game began\n"
        );
        // What is not there any more is told from behind, and all of it on demand.
        let told = last(&GREENHORN, &["until end", "why p1.hand"]);
        assert!(told.starts_with("p1 hand is empty\n  26 earlier; `all` after the command shows them\n"), "{told}");
        // Of each, and below it where that was.
        assert_eq!(told.lines().count(), 42, "{told}");
        let all = last(&GREENHORN, &["until end", "why p1.hand all"]);
        assert_eq!(all.lines().count(), 93, "{all}");
        let words = |told: &str| told.lines().last().map(|line| line.split_whitespace().collect::<String>());
        assert_eq!(words(&all), words(&told), "the same but for the blanks");
        let told = last(&GREENHORN, &["why face_down"]);
        assert!(told.contains("shuffle face-down pile") && told.ends_with("rules.rhai:20  setup  game\n"), "{told}");
    }

    #[test]
    fn the_last_choice_tells_what_it_caused() {
        let told = last(&GREENHORN, &["auto 4", "why last"]);
        let expected = "    4  p1  draw from  face-up pile   games/up-or-down/rules.rhai:68  draw  game
    4  50·r  face-up pile → p1 hand  games/up-or-down/rules.rhai:68  draw  game
    4  turn p2                       games/up-or-down/rules.rhai:29  turn  game
";
        assert_eq!(told, expected);
        refused(&GREENHORN, &["why last"], &["nothing has been chosen yet", "`log all`"]);
    }

    #[test]
    fn what_is_not_there_is_refused_with_the_nearest() {
        refused(
            &GREENHORN,
            &["why p1.socre"],
            &["no variable, zone or component `p1.socre`", "did you mean `p1.score`?"],
        );
        refused(&GREENHORN, &["why p1.hnad"], &["did you mean `p1.hand`?"]);
        refused(&HEARTS, &["why clubs-99"], &["no variable, zone or component `clubs-99`", "did you mean `clubs-"]);
        refused(&GREENHORN, &["why"], &["why VARIABLE|COMPONENT|ZONE|last [all] | not OPTION"]);
        refused(&GREENHORN, &["why 1 2"], &["`2` is not `all`"]);
    }

    #[test]
    fn who_looks_as_a_player_is_told_no_secret() {
        // p1 holds 1, 13 and 50, which lay open before.
        let lines = ["auto 4", "as p2"];
        let at = |line: &str| last(&GREENHORN, &[&lines[..], &[line]].concat());
        for card in ["1", "13"] {
            let line = format!("why {card}");
            refused(&GREENHORN, &["auto 4", "as p2", &line], &["this view does not show where", "`as all`"]);
            assert!(last(&GREENHORN, &["auto 4", "as p1", &line]).contains(&format!("{card}·y lies in p1 hand")));
        }
        let told = at("why p1.hand");
        let expected = "\
p1 hand holds 3
    0  ? ? ?  face-down pile → p1 hand
         games/up-or-down/rules.rhai:21  setup  game
    1  51·b  p1 hand → ring
         games/up-or-down/rules.rhai:31  turn  game
    4  50·r  face-up pile → p1 hand
         games/up-or-down/rules.rhai:68  draw  game
";
        assert_eq!(told, expected);
        assert!(!Told::has_number(&at("why face_down all").replace("rules.rhai:19", ""), "13"));
        // What somebody would have now may hang on what they hold; the table does not tell it either.
        let told = at("why p1.score");
        assert!(!told.contains("it would be 1") && !told.contains("column"), "{told}");
        assert!(told.contains("does not show what it would be if the game ended now"), "{told}");
        assert!(at("why p2.score").contains("if the game ended now it would be 0"));
    }
}

mod why_not {
    use super::*;

    #[test]
    fn what_the_rules_refuse_has_their_reason() {
        let told = last(&HEARTS, &["♣2", "why not hearts-14"]);
        let expected = "\
hearts-14 is not allowed: you have cards of the suit that was led
  scripts/trick.rhai:34  play_card  library trick
    34 │ let card = p.choose(\"play_card\", playable(p), p.hand, |card| why_not(c…
         why_not(card) = \"must_follow\"
         card          = hearts-14
  scripts/trick.rhai:46  why_not  library trick
    46 │ fn why_not(card) { \"must_follow\" }
";
        assert!(told.starts_with(expected), "{told}");
        assert!(told.contains("\nthe rulebook, A trick:\nThe player to the left of the dealer leads"), "{told}");
        assert_eq!(last(&HEARTS, &["♣2", "why not ♥A"]), told, "as it is drawn");
        let ftw = ["ftw", "-p", "3", "-s", "1"];
        let told = last(&ftw, &["=3 =4 =8", "=1 =6 =7", "=2 =5 =9", "#1", "why not help 33"]);
        assert!(told.starts_with("help 33 is not allowed: the card is not lower than the top of the pile\n"), "{told}");
        assert!(told.contains("objection(p, action) = \"not_below_top\""), "{told}");
    }

    #[test]
    fn what_is_left_out_without_a_reason_has_the_lines_that_leave_it_out() {
        let told = last(&GREENHORN, &["why not 99"]);
        let expected = "\
99 is not among the options: p.hand gives 1, 13, 51
99 is out of play
  games/up-or-down/rules.rhai:30  turn  game
    30 │ let card = p.choose(\"play_card\", p.hand);
         p = p1
the rulebook, Your turn:
On your turn you do this, in this order: Play a card of your hand, face up, to
the ring, where its number belongs.
`rules turn` shows the section
";
        assert_eq!(told, expected);
        // Through the functions that the options come from.
        let told = last(&GREENHORN, &["auto 1", "why not 26"]);
        for words in [
            "26 is not among the options: takeable(p, card) gives 42, 16",
            "games/up-or-down/rules.rhai:32  turn  game",
            "card = 51",
            "games/up-or-down/rules.rhai:37  takeable  game",
            "fn takeable(p, card) { ring.neighbours(card) }",
        ] {
            assert!(told.contains(words), "no {words} in {told}");
        }
        let told = last(&HEARTS, &["♣2", "why not hearts-2"]);
        for words in ["hearts-2 is not among the options: playable(p) gives clubs-11, clubs-10", "p = p4"] {
            assert!(told.contains(words), "no {words} in {told}");
        }
        let told = last(&GREENHORN, &["auto 2", "why not extend 7"]);
        assert!(told.starts_with("extend 7 is not among the options: places(p, card) gives new\n"), "{told}");
        assert!(last(&GREENHORN, &["why not p1"]).starts_with("p1 is not among the options"));
    }

    #[test]
    fn what_can_be_chosen_says_so() {
        let told = last(&GREENHORN, &["why not 13"]);
        assert!(told.starts_with("13 can be chosen\n  games/up-or-down/rules.rhai:30"), "{told}");
    }

    #[test]
    fn what_nobody_knows_is_refused_with_the_nearest() {
        refused(&HEARTS, &["why not spades-99"], &["nothing is called `spades-99` here", "did you mean `spades-9`?"]);
        refused(&GREENHORN, &["why not new"], &["nothing is called `new` here", "a component, a zone, a player"]);
        refused(&GREENHORN, &["why not"], &["write `why not OPTION`"]);
        for place in ["#0", "#99"] {
            refused(&GREENHORN, &[&format!("why not {place}")], &[&format!("no option {place}"), "options 1 to 3 "]);
        }
        refused(&GREENHORN, &["until end", "why not 33"], &["no decision is open", "`undo`"]);
    }

    #[test]
    fn what_others_can_choose_stays_theirs() {
        for line in ["why not 4", "why not 13", "why not nonsense"] {
            refused(&GREENHORN, &["as p2", line], &["this view does not show", "`as all`"]);
        }
        assert!(last(&GREENHORN, &["as p1", "why not 99"]).starts_with("99 is not among the options"));
    }
}

#[test]
fn in_japanese_too() {
    let hearts = ["hearts", "-p", "4", "-s", "7", "--lang", "ja"];
    let reason = "hearts-14 は選べません：";
    let told = last(&hearts, &["♣2", "why not ♥A"]);
    let (english, rest) = (last(&HEARTS, &["♣2", "why not ♥A"]), told.strip_prefix(reason).unwrap());
    assert_ne!(told, english);
    assert!(!rest.starts_with("must_follow") && !rest.is_ascii(), "{told}");
    // The script is what it is.
    let scripts = |told: &str| told.lines().filter(|line| line.contains('│')).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(scripts(&told), scripts(&english));
    let game = [&GREENHORN[..], &["--lang", "ja"]].concat();
    for (line, words) in [
        ("why p1.score", "緑のカード"),
        ("why 16", "場の外 → 裏向きの山札"),
        ("why p1.columns.1", "16·桃  共通ディスプレイ → p1 列 1"),
        ("why p2.columns.1", "p2 列 1"),
        ("why last", "手番 p2"),
        ("why not 99", "games/up-or-down/rules.rhai:30"),
        ("debug", "games/up-or-down/rules.rhai:11"),
    ] {
        let told = last(&game, &["auto 4", line]);
        assert!(told.contains(words), "{line}: no {words} in {told}");
    }
}

/// What the rules refuse is told with the reason, whatever sort of thing it is.
mod refusals {
    use super::*;

    const GAME: &str = r#"
id = "sorts"
name = "Sorts"
about = "Options of all sorts."
players = { min = 2, max = 2 }

[components.card]
kind = "card"
id = "card-{number}"
face = "{number}"
attributes = { number = { from = 2, to = 9 } }

[zones]
hand = { order = "hand", visible = "owner", per = "seat", name = "hand" }
columns = { order = "row", visible = "all", per = "seat", count = 3, name = "column" }
deck = { order = "pile", visible = "none", name = "deck" }

[text]
no = { en = "that will not do", ja = "それはできません" }
"#;

    const RULES: &str = r#"
fn game() {
    components("card").move_to(deck);
    let one = players.first;
    deck.deal(6, one.hand);
    one.choose("number", 2..=7, |n| if n < 4 { "no" } else { true });
    one.choose("word", ["stay", "leave now"], |w| if w == "leave now" { "no" } else { true });
    one.choose("card", one.hand, |card| if card.number < 6 { "no" } else { true });
    one.choose("column", one.columns, |column| if column == one.columns[2] { "no" } else { true });
    one.choose("player", players, |p| if p == one { "no" } else { true });
    one.choose("truth", [true, false], |truth| if truth { "no" } else { true });
    one.choose("act", acts("extend", "column", one.columns), |act| if act.column == one.columns[3] { "no" } else { true });
    one.choose("mixed", [1, 2, one.next], |thing| if thing == 1 { "no" } else { true });
    one.choose_some("some", one.hand, 1, 2);
}
"#;

    /// What answers each decision of the game.
    const ANSWERS: [&str; 8] = ["4", "stay", "=6", "column 1", "p2", "no", "extend 1", "=2"];

    fn sorts() -> Folder {
        let folder = Folder::new();
        std::fs::create_dir_all(folder.0.join("games/sorts")).unwrap();
        folder.write("games/sorts/game.toml", GAME);
        folder.write("games/sorts/rules.rhai", RULES);
        folder
    }

    /// What is said to a line at a decision, counted from 0.
    fn said(folder: &Folder, decision: usize, line: &str, language: &str) -> Told {
        let input: String = ANSWERS[..decision].iter().chain([&line]).map(|line| format!("{line}\n")).collect();
        told_in(folder, &["play", "sorts", "--lang", language], &input)
    }

    #[test]
    fn a_refused_option_of_any_sort_is_told_with_the_reason() {
        let folder = sorts();
        for (decision, lines) in [
            (0, &["2", "=2", "２", "choose 2"][..]),
            (1, &["leave now", "leave", "leav", "choose leave now"]),
            (2, &["4", "=4", "card-4", "４"]),
            (3, &["column 2", "p1.columns.2"]),
            (4, &["p1", "choose p1"]),
            (5, &["yes", "はい"]),
            (6, &["extend 3", "extend column 3"]),
            (7, &["1", "=1"]),
        ] {
            for line in lines {
                says(&said(&folder, decision, line, "en"), 1, &["is not allowed: that will not do"]);
                says(&said(&folder, decision, line, "ja"), 1, &["それはできません"]);
            }
        }
    }

    /// A number that names what is refused is not taken for a place of something else: the list marks places then.
    #[test]
    fn what_a_variable_left_out_is_told_where_it_is_declared() {
        let folder = sorts();
        let rules = "fn game() {\n    components(\"card\").move_to(deck);\n    let p = players.first;\n    \
            let high = deck.where(|card| card.number > 5);\n    p.choose(\"card\", high);\n}\n";
        folder.write("games/sorts/rules.rhai", rules);
        let told = told_in(&folder, &["play", "sorts"], "why not card-3\n").fine();
        told.shows(["games/sorts/rules.rhai:5", "     4 │ let high", "= card-3", "card.number > 5 = false"]);
        // Whether a line is shown would tell a player what lies in the deck.
        let told = told_in(&folder, &["play", "sorts"], "as p1\nwhy not card-3\n").fine();
        assert!(!told.stdout.contains("     4 │"), "{}", told.stdout);
        // What the declaration says now is no reason where it said something else then.
        let later = rules.replace("    p.choose", "    deck.first.move_to(columns_of(p)); p.choose");
        let later = format!("{later}fn columns_of(p) {{ p.columns.first }}\n");
        folder.write("games/sorts/rules.rhai", later.replace("card.number > 5", "card.number > 1"));
        let told = told_in(&folder, &["play", "sorts"], "why not p2\n").fine();
        assert!(!told.stdout.contains("     4 │"), "{}", told.stdout);
    }

    /// Of branches and cases, only what ran explains anything; each line has its values, behind the lines that declare
    /// what it needs.
    #[test]
    fn the_way_that_the_rules_took_is_told_line_by_line() {
        const RULES: &str = r#"fn game() {
    components("card").move_to(deck);
    let p = players.first;
    components("card").between("number", 2, 5).move_to(p.hand);
    p.choose("card", allowed(p, "high"));
}
fn allowed(p, way) {
    let bound = p.hand.len + 2;
    let idle = p.hand.first;
    if p.hand.len > 7 { return []; }
    switch way {
        "low" => low(p),
        "high" if bound > 100 => [],
        "high" => {
            for card in p.hand { if card.number == 4 { return over(p, bound); } }
            []
        }
        _ => [],
    }
}
fn low(p) { p.hand.where(|card| card.number < 5) }
fn over(p, bound) { p.hand.where(|card| card.number < bound) }
"#;
        let folder = sorts();
        folder.write("games/sorts/rules.rhai", RULES);
        let told = told_in(&folder, &["play", "sorts"], "why not card-9\n").fine();
        let lines: Vec<&str> = told.stdout.lines().filter(|line| line.contains('│')).map(str::trim).collect();
        let numbers: Vec<&str> = lines.iter().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(numbers, ["5", "10", "11", "8", "13", "15", "22", "16", "3"], "{}", told.stdout);
        for missing in ["let idle", "fn low", "return []"] {
            assert!(!lines.iter().any(|line| line.contains(missing) && !line.contains("if p.hand")), "{}", told.stdout);
        }
        told.shows(["allowed(p, \"high\") gives", "p.hand.len > 7 = false", "bound", "= 6"]);
    }

    #[test]
    fn a_component_names_the_option_that_has_it() {
        const RULES: &str = r#"fn game() {
    components("card").move_to(deck);
    let p = players.first;
    components("card").between("number", 2, 5).move_to(p.hand);
    p.choose("load", acts("load", "card", p.hand), |act| if act.card.number == 5 { "no" } else { true });
    p.choose("again", acts("load", "card", p.hand) + acts("burn", "card", p.hand));
}
"#;
        let folder = sorts();
        folder.write("games/sorts/rules.rhai", RULES);
        let says = |lines: &str| told_in(&folder, &["play", "sorts"], lines);
        says("card-2\nhistory\n").fine().shows(["load  load 2"]);
        says("choose card-3\nhistory\n").fine().shows(["load  load 3"]);
        says("card-5\n").refused(["load card-5 is not allowed: that will not do"]);
        says("why not card-5\n").fine().shows(["load card-5 is not allowed: that will not do"]);
        says("card-9\n").refused(["`card-9` is a component", "`why card-9` tells of it", "`why not card-9` tells why"]);
        says("load card-2\ncard-3\n").refused(["`card-3` can mean #2 load card-3, #6 burn card-3"]);
        // What names nothing is no option that is missing.
        says("why not nonsense\n").refused(["nothing is called `nonsense` here"]);
        says("why not load card-99\n").refused(["nothing is called `load card-99` here", "did you mean `load card-"]);
        says("why not burn card-2\n").fine().shows(["burn card-2 is not among the options"]);
    }

    #[test]
    fn what_is_offered_face_down_is_not_told_by_its_face() {
        let told = |held: usize, viewer: &str| {
            let folder = sorts();
            let rules = "fn game() {\n    let p = players.first;\n    \
                components(\"card\").where(|card| card.number == HELD).move_to(p.next.hand);\n    \
                components(\"card\").where(|card| card.number != HELD).move_to(deck);\n    \
                p.choose(\"card\", p.next.hand, |card| if card.number > 99 { \"no\" } else { true });\n}\n";
            folder.write("games/sorts/rules.rhai", rules.replace("HELD", &held.to_string()));
            let lines = format!("as {viewer}\nwhy not card-3\n");
            let told = told_in(&folder, &["play", "sorts"], &lines).fine().stdout;
            told[told.find("card-3 ").unwrap()..].to_owned()
        };
        assert_eq!(told(3, "p1"), told(9, "p1"));
        assert!(told(3, "p1").contains("card-3 is not among the options"), "{}", told(3, "p1"));
        assert!(told(3, "all").contains("can be chosen"), "{}", told(3, "all"));
    }

    #[test]
    fn a_number_that_is_refused_is_no_place() {
        let folder = sorts();
        says(&said(&folder, 2, "table", "en"), 0, &["#1  6"]);
        says(&said(&folder, 2, "4", "en"), 1, &["`#4` is card-9"]);
        says(&said(&folder, 2, "#4", "en"), 0, &["p1, column"]);
        says(&said(&folder, 4, "p9", "en"), 1, &["p9 is not among the options", "the only option is p2"]);
    }

    #[test]
    fn wide_digits_are_numbers() {
        let folder = sorts();
        for (decision, line) in [(0, "５"), (2, "＃２"), (2, "＝７"), (8, "４ ５")] {
            says(&said(&folder, decision, line, "ja"), 0, &[]);
        }
    }

    #[test]
    fn a_wrong_decision_in_a_scenario_is_told_once() {
        let folder = sorts();
        std::fs::create_dir_all(folder.0.join("tests/scenarios/sorts")).unwrap();
        let test = |then: &str| {
            let head = "id = 'S1'\ntitle = 'Sorts'\ngame = 'sorts'\nplayers = 2\n\n[[then]]\n";
            folder.write("tests/scenarios/sorts/s.toml", format!("{head}{then}"));
            let told = told_in(&folder, &["test", "tests/scenarios", "--color", "never"], "");
            let all = format!("{}{}", told.stdout, told.stderr);
            (all.matches("error: ").count(), all)
        };
        let otherwise = "options = ['stay', 'go', 'leave now']\nlacks = ['4']\nrefuses = { go = 'no', stay = 'no' }";
        let (errors, told) = test(&format!("asks = 'p1 numbr'\n{otherwise}"));
        assert_eq!(errors, 1, "{told}");
        for words in ["found p1 number", "did you mean `p1 number`?", "p1 number may choose 4, 5, 6, 7."] {
            assert!(told.contains(words), "no {words} in {told}");
        }
        let (errors, told) = test("options = ['stay', 'go', 'leave now']");
        assert_eq!(errors, 1, "{told}");
        assert!(told.contains("not offered: stay, go, leave now; also 4, 5, 6, 7"), "{told}");
        let (errors, told) = test("options = ['3', '4', '5', '6', '7']");
        assert!(errors == 1 && told.contains("3 is not among the options"), "{told}");
        let (errors, told) = test("options = ['3', '4', '5', '6']");
        assert!(errors == 1 && told.contains("3 is refused: no"), "{told}");
        let (errors, told) = test("refuses = { 8 = 'no', 9 = 'no', 2 = 'no' }");
        assert!(errors == 1 && told.contains("8, 9 are not refused with a reason"), "{told}");
        let (errors, told) = test("choose = '3'");
        assert!(errors == 1 && told.contains("3 is not among the options") && told.contains("^ no"), "{told}");
    }
}
