//! What is drawn is what can be typed: options and components by number, label, face and word, in either language.

use super::*;

/// A trick in which p2 has to follow with one of two spades, the higher of which was dealt first.
const HEARTS: [&str; 5] = ["hearts", "-p", "4", "-s", "3"];

/// What a line does there.
#[track_caller]
fn plays(typed: &str, card: &str) {
    for (language, prompt) in [("en", "play a card"), ("ja", "カードを出す")] {
        let args = [&HEARTS[..], &["--lang", language]].concat();
        let shown = last(&args, &["auto 6", typed]);
        assert!(shown.contains(&format!("p2  {prompt}  {card}\n")), "{typed} in {language}:\n{shown}");
    }
}

#[test]
fn a_card_is_played_by_whatever_it_is_called() {
    for name in ["spades-6", "♠6", "6♠", "♠ 6", "spades 6", "Spades 6", "スペード6", "スペード 6", "♠６"]
    {
        plays(name, "♠6");
    }
    // Where a 6 is the only one that can be played, it is enough to say so.
    plays("=6", "♠6");
    plays("choose ♠8", "♠8");
}

/// A hand is drawn sorted, and so are the options that come from it, whatever order the rules' filter left. The numbers
/// are those of the list; the trace has the options in the order of the rules.
#[test]
fn options_stand_in_the_order_of_the_hand() {
    let shown = last(&HEARTS, &["auto 6", "table"]);
    let (low, high) = (shown.find("1  ♠6").unwrap(), shown.find("2  ♠8").unwrap());
    assert!(low < high, "{shown}");
    plays("1", "♠6");
    plays("#1", "♠6");
    plays("2", "♠8");
    plays("choose 2", "♠8");
    let trace = program_at(&root(), &Folder::new()).args(["trace", "hearts", "-p", "4", "-s", "3"]).output().unwrap();
    let trace = String::from_utf8(trace.stdout).unwrap();
    let line = trace.lines().find(|line| line.contains("\"n\":7,")).unwrap();
    assert!(line.find("spades-8") < line.find("spades-6"), "{line}");
}

#[test]
fn what_could_be_several_cards_is_asked_back() {
    let told = fails(&HEARTS, &["auto 6", "♠"]);
    assert!(told.contains("`♠` can mean #1 spades-6, #2 spades-8"), "{told}");
    let told = fails(&HEARTS, &["auto 6", "move Q trick"]);
    assert!(told.contains("`Q` can mean clubs-12, diamonds-12, spades-12, hearts-12"), "{told}");
    let told = fails(&HEARTS, &["auto 6", "move ♠17 trick"]);
    assert!(told.contains("there is no component `♠17`"), "{told}");
}

#[test]
fn commands_know_what_is_drawn() {
    assert!(last(&HEARTS, &["auto 6", "why ♠Q"]).starts_with("♠Q lies in trick"));
    assert!(last(&HEARTS, &["auto 6", "why spades queen"]).starts_with("♠Q lies in trick"));
    assert!(last(&HEARTS, &["auto 6", "why クイーン スペード"]).starts_with("♠Q lies in trick"));
    assert!(last(&HEARTS, &["auto 6", "why trick"]).starts_with("trick holds 2"));
    assert!(last(&HEARTS, &["auto 6", "why トリック"]).starts_with("trick holds 2"));
    for (typed, done) in [
        ("move ♣3 p1 hand", "move clubs-3 p1.hand"),
        ("move clubs 3 トリック 0", "move clubs-3 trick 0"),
        // Of an own zone or variable the owner goes without saying.
        ("move ♣4 手札", "move clubs-4 p2.hand"),
        ("set 得点 4", "set p2.score 4"),
        ("rig shuffle 山札 ♣2 ♣3", "rig shuffle deck clubs-2 clubs-3"),
    ] {
        let history = last(&HEARTS, &["auto 6", typed, "history"]);
        assert!(history.contains(done), "{typed}: {history}");
    }
    let told = last(&HEARTS, &["auto 6", "why not ♥3"]);
    assert!(told.starts_with("hearts-3 is not allowed"), "{told}");
}

#[test]
fn an_option_wins_over_the_short_names_of_commands() {
    let folder = named_like_commands();
    let args = ["play", "short", "--dir", folder.0.to_str().unwrap()];
    let told = |line: &str| {
        let session = Session { args: args.map(str::to_owned).to_vec(), ..Session::within(&folder) };
        session.lines([line]).run()
    };
    for (typed, option) in [("r", "r"), ("red", "red"), ("y", "y"), ("赤", "red"), ("u", "u"), ("log", "log")] {
        let told = told(typed).fine();
        assert!(told.stdout.contains(&format!("p1  pick  {option}\n")), "{typed}: {}", told.stdout);
    }
    // A whole name that no option has is a command, whatever begins like it; and both can be forced.
    assert!(told("redo").stderr.contains("nothing was undone"));
    assert!(told(":red").stderr.contains("nothing was undone"), "{}", told(":red").stderr);
    assert!(told("history").fine().stdout.contains("the beginning"));
    assert!(!told(":log").fine().stdout.contains("p1  pick"));
    assert!(told("=log").fine().stdout.contains("p1  pick  log\n"));
    // What could be the beginning of either is asked back.
    let both = told("und").stderr;
    assert!(both.contains("`und` can begin an option and the command `undo`"), "{both}");
    assert!(told("=und").fine().stdout.contains("p1  pick  undone\n"));
}

/// A game whose options are called like commands.
fn named_like_commands() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("games/short")).unwrap();
    let game = "id = \"short\"\nname = \"Short\"\nplayers = { min = 2, max = 2 }\n\n\
                [text]\nred = { en = \"red\", ja = \"赤\" }\n";
    folder.write("games/short/game.toml", game);
    let words = "[\"r\", \"red\", \"y\", \"u\", \"log\", \"undone\"]";
    folder.write(
        "games/short/rules.rhai",
        format!("fn game() {{ loop {{ players.first.choose(\"pick\", {words}); }} }}\n"),
    );
    folder
}

/// p1 holds 2, 3 and 9.
const LOW: &str = "rig shuffle face_down 2 3 9 50 51 52 5 15 25 35 45 53";

/// Where cards are numbers, a number is the card, and the list writes places with `#` as soon as one could be both.
#[test]
fn a_number_is_the_card_before_it_is_a_place() {
    let told = |line: &str| Session::new().lines([LOW, line]).run().fine().stdout;
    let list = told("table");
    assert!(list.contains("  #1  2·") && list.contains("  #3  9·"), "{list}");
    let card = told("2");
    assert!(card.contains("p1  play a card to the ring  2·"), "{card}");
    assert!(card.contains("taken for the option called 2; #2 is that place"), "{card}");
    assert!(told("#2").contains("p1  play a card to the ring  3·"));
    assert!(told("=3").contains("p1  play a card to the ring  3·"));
    // No card is called 1, so this is the place; and nothing has to be said about it.
    assert!(told("1").contains("p1  play a card to the ring  2·") && !told("1").contains("taken for"));
    let plain = Session::new().lines([KNOWN, "table"]).run().fine().stdout;
    assert!(plain.contains("  1  10·") && !plain.contains("#1"), "{plain}");
}

/// Several numbers are all read in the same way.
#[test]
fn numbers_of_one_line_are_all_cards_or_all_places() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("games/many")).unwrap();
    let game = "id = \"many\"\nname = \"Many\"\nplayers = { min = 2, max = 2 }\n\n[components.card]\nkind = \"card\"\nid = \"{number}\"\n\
                face = \"{number}\"\nattributes = { number = [2, 6, 7, 20, 30, 40, 50] }\n\n\
                [zones]\nhand = { name = \"hand\", order = \"hand\", visible = \"owner\", per = \"seat\" }\n";
    folder.write("games/many/game.toml", game);
    folder.write(
        "games/many/rules.rhai",
        "fn game() { let p = players.first; components(\"card\").move_to(p.hand); p.choose_some(\"pass\", p.hand, 2, 3); }\n",
    );
    let args = ["play", "many", "--dir", folder.0.to_str().unwrap()];
    let told = |line: &str| {
        let session = Session { args: args.map(str::to_owned).to_vec(), ..Session::within(&folder) };
        session.lines([line]).run()
    };
    let cards = told("2 6 7").fine().stdout;
    assert!(cards.contains("p1  pass  2 6 7\n"), "{cards}");
    assert!(cards.contains("taken for the options called 2 6 7; #2 #6 #7 are those places"), "{cards}");
    assert!(told("#2 6 7").fine().stdout.contains("p1  pass  6 40 50\n"));
    assert!(told("#2, #6").fine().stdout.contains("p1  pass  6 40\n"));
    assert!(told("=2, 6").fine().stdout.contains("p1  pass  2 6\n"));
    assert!(told("1 3").fine().stdout.contains("p1  pass  2 7\n"));
    assert!(told("20 30").fine().stdout.contains("p1  pass  20 30\n"));
    let mixed = told("1 6").stderr;
    assert!(mixed.contains("no option is called 1, and 6 can be a place or the option called 6"), "{mixed}");
    assert!(mixed.contains("`#1 6`"), "{mixed}");
}

/// What stands in a file says all: which zone of whom, and that it is a text.
#[test]
fn a_saved_game_holds_the_values_of_choices() {
    let folder = Folder::new();
    Session::within(&folder).lines(["auto 6", "save game.toml"]).run().fine();
    let saved = folder.read("game.toml");
    assert!(saved.contains("\"place_card\", { act = \"new\" }]"), "{saved}");
    let told = Session::within(&folder).lines(["load game.toml", "history"]).run().fine();
    assert!(told.stdout.contains("place the card you took  new column"), "{}", told.stdout);
}

/// Scenarios name components, zones, variables and options as a person would.
#[test]
fn a_scenario_may_say_what_is_drawn() {
    let scenario = |hand: &str, then: &str| {
        let folder = Folder::new();
        folder.write(
            "follow.toml",
            format!(
                "id = \"F1\"\ntitle = \"A suit is followed\"\ngame = \"hearts\"\nplayers = 4\n\n[given]\n\"p1 手札\" = {hand}\n\
                 \"p1 score\" = 3\n\n[when]\ncall = 'p1.choose(\"play_card\", p1.hand.having(\"suit\", \"spades\"))'\n\n[[then]]\n{then}\n"
            ),
        );
        let run = program(&folder).args(["test", "follow.toml"]).output().unwrap();
        (run.status.code(), String::from_utf8([run.stdout, run.stderr].concat()).unwrap())
    };
    let hand = "[\"♠4\", \"スペード 12\", \"K♥\", \"clubs-3\"]";
    let then = "options = [\"♠Q\", \"spades 4\"]\nlacks = [\"♥K\"]\nzones = { \"p1 hand\" = [\"♠4\", \"♠Q\", \"♥K\", \"♣3\"] }\n\
                variables = { \"p1 得点\" = 3 }\nchoose = \"4♠\"";
    let (code, told) = scenario(hand, then);
    assert_eq!(code, Some(0), "{told}");
    let (code, told) = scenario("[\"♠\"]", then);
    assert!(code == Some(1) && told.contains("`♠` can mean spades-2, spades-3"), "{told}");
    let (code, told) = scenario(hand, "choose = \"♠5\"");
    assert!(code == Some(1) && told.contains("♠5 is not among the options"), "{told}");
}

/// A game about numbers and bids.
const BIDS: &str = r#"
id = "bids"
name = { en = "Bids" }
players = { min = 2, max = 2 }

[text]
coins = "how many coins"
bid = { en = "{count} {face}s", ja = "{face}を{count}個" }
"count 1" = "one"
"count 2" = "two"
"#;

const BIDDING: &str = r#"
fn game() {
    let p = players[1];
    p.award(p.choose("coins", [10, 20, 5]), "coins");
    p.award(p.choose("coins", 0..=500), "coins");
    let bid = p.choose("say", acts("bid", "count", 1..=3).and("face", 2..=3));
    p.award(bid.count * 10 + bid.face, "bid");
}
"#;

/// What the program says of such a game.
fn bids(args: &[&str], lines: &[&str]) -> Told {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("games/bids")).unwrap();
    folder.write("games/bids/game.toml", BIDS);
    folder.write("games/bids/rules.rhai", BIDDING);
    told_in(&folder, &[&["play", "bids"], args].concat(), &lines.join("\n"))
}

/// Beside a number no place is drawn: what is typed is the number.
#[test]
fn numbers_are_drawn_and_typed_as_they_are() {
    let told = bids(&[], &["table", "20", "table", "37"]);
    says(
        &told,
        0,
        &["  10   20    5\n", "  a number from 0 to 500\n", "p1 +20  how many coins", "p1 +37  how many coins"],
    );
    let told = bids(&[], &["1"]);
    says(&told, 1, &["1 is not among the options", "type one of the numbers 10, 20, 5"]);
    let told = bids(&[], &["5", "501"]);
    says(&told, 1, &["501 is not among the options", "type one of the numbers from 0 to 500"]);
}

#[test]
fn an_act_says_where_its_parts_stand_and_what_numbers_are_called() {
    let told = bids(&[], &["10", "0", "table", "two 3s"]);
    says(&told, 0, &["one 2s", "two 3s", "3 2s", "p1 +23"]);
    let told = bids(&["--lang", "ja"], &["10", "0", "table", "3をtwo個"]);
    says(&told, 0, &["2をone個", "+23"]);
}

/// The log calls things as the table does, in every language, and whatever it shows can be asked about.
#[test]
fn what_the_log_shows_can_be_typed() {
    for (language, prompt) in [("en", "play a card to the ring"), ("ja", "共通ディスプレイに出すカード")]
    {
        let args = ["up-or-down", "-p", "2", "-s", "3", "--lang", language];
        let log = last(&args, &["auto 9", "log all"]);
        assert!(log.contains(&format!("p1  {prompt}  51·")) && !log.contains("p1.hand"), "{log}");
        let moves = log.lines().filter_map(|line| line.trim().split_once("  ")?.1.split_once(" → "));
        let mut asked: Vec<String> = Vec::new();
        for (moved, to) in moves.filter(|(moved, _)| !moved.contains('↳')) {
            let (components, from) = moved.rsplit_once("  ").unwrap_or((moved, ""));
            let one = components.split(' ').next().filter(|one| one.contains('·'));
            asked.extend(
                one.into_iter().chain([from, to]).filter(|name| !name.is_empty()).map(|name| format!("why {name}")),
            );
        }
        assert!(asked.len() > 12, "{log}");
        let lines: Vec<&str> = ["auto 9"].into_iter().chain(asked.iter().map(String::as_str)).collect();
        last(&args, &lines);
    }
    // What a die showed is told as it was, whatever it shows now.
    let log = last(&["pig", "-p", "2", "-s", "3"], &["auto 5", "log all"]);
    let rolled = log.lines().filter_map(|line| line.trim().split_once("  roll ")).map(|(_, side)| side);
    let rolled: Vec<&str> = rolled.filter(|side| !side.contains("hold")).collect();
    assert_eq!(rolled, ["6", "6", "3", "4", "3", "5"], "{log}");
}
