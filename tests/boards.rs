//! Boards: how they are declared, what rules say of them, how they are drawn and typed, and what is wrong with some.

use crate::shared::small_game;
use houserule::agent::Random;
use houserule::definition::Language;
use houserule::draw;
use houserule::inspect::trace::Trace;
use houserule::playthrough::run::Outcome;
use houserule::playthrough::{Playable, Playthrough};
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use houserule::table::knowledge::Viewer;
use houserule::{Scene, Until};
use std::sync::Arc;

/// A game with this as its board, whose cells are piles that everybody sees.
fn game(board: &str) -> String {
    format!(
        r#"
id = "boards"
name = "Boards"
players = {{ min = 2, max = 2 }}

[components.stone]
kind = "token"
id = "{{color}}-{{copy}}"
face = "{{color}}"
copies = 40
attributes = {{ color = ["black", "white"] }}

[attributes.color]
black = {{ en = "black", short = "●" }}
white = {{ en = "white", short = "○" }}

[components.bead]
kind = "token"
id = "bead-{{copy}}"
copies = 4

[components.tile]
kind = "token"
list = [{{ id = "wood", face = "木" }}]

[zones]
hand = {{ name = "hand", order = "hand", visible = "owner", per = "seat" }}

[zones.board]
name = {{ en = "board", ja = "盤" }}
order = "pile"
visible = "all"
{board}

[text]
north = {{ en = "North Cape", ja = "北岬" }}
"#
    )
}

/// What is drawn of a game in which these rules are at their first question, or over.
fn drawn(board: &str, script: &str, width: usize, language: Language) -> String {
    let ruleset = small_game::game("boards", game(board), script).unwrap();
    let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
    let (game, _) = Playthrough::start(loaded, 2, 1, Vec::new()).unwrap();
    assert!(game.position().failed.is_none(), "{:?}", game.position().failed);
    let drawn = draw::render(&draw::look(&Scene::of(&game, Viewer::Everything, language, width)), false);
    drawn
        .lines()
        .skip_while(|line| !line.starts_with(" board") && !line.starts_with(" 盤"))
        .map(|line| format!("{line}\n"))
        .collect()
}

/// What these rules are drawn as, without what is asked.
fn board(board: &str, script: &str) -> String {
    let script = format!("fn game() {{ {script} players.first.may(\"stop\"); }}");
    let drawn = drawn(board, &script, 80, Language::English);
    drawn.lines().take_while(|line| !line.starts_with("p1, stop")).map(|line| format!("{line}\n")).collect()
}

/// What a rule comes to: a text.
#[track_caller]
fn comes_to(board: &str, rule: &str, expected: &str) {
    let script = format!("fn game() {{ let found = `${{{rule}}}`; if found != \"{expected}\" {{ throw found; }} }}");
    let rules = Rules::new(small_game::game("boards", game(board), script).unwrap(), 2, Arc::default()).unwrap();
    let (_, end) = rules.play(&Start::Game, 1, &mut Random::new(1), None);
    assert_eq!(end, End::Finished, "{rule}");
}

/// How rules fail.
fn fails(board: &str, script: &str) -> String {
    let script = format!("fn game() {{ {script} }}");
    let rules = Rules::new(small_game::game("boards", game(board), script).unwrap(), 2, Arc::default()).unwrap();
    match rules.play(&Start::Game, 1, &mut Random::new(1), None).1 {
        End::Failed(errors) => format!("{}; {}", errors.first().message, errors.first().help.join("; ")),
        other => panic!("{other:?}"),
    }
}

/// What is wrong with a board.
fn wrong(board: &str) -> String {
    let errors = small_game::game("boards", game(board), "fn game() { }").unwrap_err();
    let first = errors.first();
    let label = first.place.as_ref().map_or("", |place| &place.label);
    format!("{}; {label}; {}", first.message, first.help.join("; "))
}

const SQUARE: &str = "grid = [4, 3]";

#[test]
fn a_board_is_drawn_with_letters_and_numbers() {
    let lay = "let black = components(\"stone\").having(\"color\", \"black\");
        black[0].move_to(board.at(1, 1)); black[1].move_to(board.at(3, 2)); black[2].move_to(board.at(3, 2));
        components(\"stone\").last.move_to(board.at(4, 3));";
    let expected = concat!(
        " board  3  ·   ·   ·   ○\n",
        "        2  ·   ·   ●×2 ·\n",
        "        1  ●   ·   ·   ·\n",
        "           a   b   c   d\n",
    );
    assert_eq!(board(SQUARE, lay), expected);
}

/// Nothing is told by colour alone: what has no face of its own is drawn as its owner, and the number of the owner stands
/// beside faces that two players have.
#[test]
fn pieces_tell_whose_they_are() {
    let lay = "let beads = components(\"bead\");
        beads[0].belong_to(players[1]); beads[0].move_to(board.at(1, 1));
        beads[1].belong_to(players[2]); beads[1].move_to(board.at(2, 1));
        let stones = components(\"stone\");
        stones[0].belong_to(players[1]); stones[0].move_to(board.at(3, 1));
        stones[1].belong_to(players[2]); stones[1].move_to(board.at(4, 1));
        stones.last.belong_to(players[2]); stones.last.move_to(board.at(1, 2));";
    let drawn = board(SQUARE, lay);
    assert!(drawn.contains("1  p1 p2 ●1 ●2\n"), "{drawn}");
    assert!(drawn.contains("2  ○  ·  ·  ·\n"), "{drawn}");
}

#[test]
fn wide_characters_keep_the_columns() {
    let script =
        "fn game() { components(\"tile\").move_to(board.at(2, 2)); components(\"stone\")[0].move_to(board.at(3, 2));
        players.first.may(\"stop\"); }";
    let drawn = drawn(SQUARE, script, 80, Language::Japanese);
    assert!(
        drawn.starts_with(" 盤  3  ·  ·  ·  ·\n     2  ·  木 ●  ·\n     1  ·  ·  ·  ·\n        a  b  c  d\n"),
        "{drawn}"
    );
}

#[test]
fn hexagons_stand_half_a_cell_further_right_in_each_row() {
    let expected = " board  3    · · ·\n        2   · ● ·\n        1  · · ·\n           a b c\n";
    assert_eq!(board("grid = { hex = [3, 3] }", "components(\"stone\")[0].move_to(board.at(2, 2));"), expected);
    let drawn = board("grid = { hexagon = 2 }", "");
    let lines: Vec<&str> = drawn.lines().map(|line| &line[8..]).collect();
    assert_eq!(lines, ["3    · ·", "2   · · ·", "1    · ·", "   a b c"]);
}

/// A board that is as wide as can be is cut into no screen: it gets narrower cells.
#[test]
fn large_boards_fit() {
    let script = "fn game() { components(\"stone\").move_to(board.at(26, 9)); players.first.may(\"stop\"); }";
    for width in [80, 120] {
        let drawn = drawn("grid = [26, 9]", script, width, Language::English);
        assert!(drawn.lines().all(|line| line.chars().count() <= width), "{drawn}");
        assert!(drawn.lines().any(|line| line.ends_with(" z")), "{drawn}");
    }
}

#[test]
fn cells_are_chosen_by_their_names() {
    let script = "fn game() {
            let stone = components(\"stone\")[0];
            stone.move_to(players[1].choose(\"place\", board.empty));
            let way = players[1].choose(\"way\", options(\"from\", [stone.zone]).and(\"to\", stone.zone.neighbours));
            stone.move_to(way.to);
        }";
    let ruleset = small_game::game("boards", game(SQUARE), script).unwrap();
    let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
    let (mut game, _) = Playthrough::start(loaded, 2, 1, Vec::new()).unwrap();
    let labels = |game: &Playthrough| -> Vec<String> {
        game.position().open.iter().flat_map(|open| &open.options).map(|option| option.label.clone()).collect()
    };
    assert_eq!(labels(&game).join(" "), "a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3");
    game.choose(&["b2".to_owned()]).unwrap();
    assert_eq!(labels(&game).join(" "), "b2-b3 b2-c2 b2-b1 b2-a2");
    for way in ["b2-c2", "b2 c2", "b2c2", "b2xc2"] {
        let open = game.position().open.as_ref().unwrap();
        let loaded = game.loaded();
        let meant = houserule::playthrough::spelling::option(&loaded.layout, &game.position().table, open, way);
        assert_eq!(meant.unwrap().unwrap().label, "b2-c2", "{way}");
    }
    game.choose(&["b2-c2".to_owned()]).unwrap();
    game.advance(Box::new(Random::new(1)), Until::End).unwrap();
    let layout = &game.loaded().layout;
    let zone = houserule::table::names::zone(layout, None, "c2").unwrap();
    assert_eq!(&*layout.zones[4 + 2].id, "board.c2");
    assert_eq!(game.position().table.zones.held(zone).len(), 1, "c2 is the same as board.c2");
}

/// Two boards have cells of the same name, so that a cell says whose it is.
#[test]
fn a_cell_of_one_of_several_boards_says_of_which() {
    let per_seat = "grid = [2, 2]\nper = \"seat\"";
    comes_to(per_seat, "[players[1].board.at(1, 2), players[2].board.first]", "[p1.board.a2, p2.board.a1]");
    let two = "grid = [2, 2]\n[zones.other]\nname = \"other\"\norder = \"pile\"\nvisible = \"all\"\ngrid = [2, 2]";
    comes_to(two, "[board.first, other.last]", "[board.a1, other.b2]");
    comes_to(SQUARE, "board.rows[1]", "[a2, b2, c2, d2]");
}

#[test]
fn rules_speak_of_cells() {
    comes_to(SQUARE, "board.at(2, 2).neighbours", "[b3, c2, b1, a2]");
    comes_to(SQUARE, "board.at(1, 1).rays", "[a2+a3, b2+c3, b1+c1+d1]");
    comes_to(SQUARE, "board.at(1, 1).step(-1, 0).empty", "[]");
    comes_to(SQUARE, "board.at(4, 1).cells_between(board.at(1, 1))", "[c1, b1]");
    comes_to(SQUARE, "board.at(4, 1).cells_between(board.at(1, 2))", "[]");
    comes_to(SQUARE, "(board - board.rows[1]).connected_groups", "[a1+b1+c1+d1, a3+b3+c3+d3]");
    comes_to(SQUARE, "board.lines(4)", "[a1+b1+c1+d1, a2+b2+c2+d2, a3+b3+c3+d3]");
    comes_to("grid = { hex = [3, 3] }", "board.at(2, 2).neighbours", "[b3, c2, c1, b1, a2, a3]");
    comes_to("grid = { hex = [3, 3] }", "board.at(1, 3).line(1, -1)", "[b2, c1]");
    comes_to("grid = { hex = [3, 3] }", "board.lines(3).len", "7");
    comes_to("grid = { hexagon = 3 }", "board.len", "19");
    comes_to("grid = [3, 3]\nregions = { x = [\"c3\", \"a1:b1\", \"b1\"] }", "board.region(\"x\")", "[c3, a1, b1]");
}

/// A map has places with names, and ways between them.
const MAP: &str =
    "list = [\"north\", \"west\", \"east\", \"isle\"]\nedges = [[\"north\", \"west\"], [\"west\", \"east\"]]";

#[test]
fn maps_have_places_and_ways() {
    comes_to(MAP, "board[2].neighbours", "[north, east]");
    comes_to(MAP, "board.connected_groups", "[north+west+east, isle]");
    comes_to(MAP, "zone_named(\"board.isle\").neighbours.len", "0");
    let script = "components(\"stone\")[0].move_to(board[1]); components(\"stone\").last.move_to(board[4]);";
    let drawn = board(MAP, script);
    assert_eq!(drawn, "");
    let script = format!("fn game() {{ {script} players.first.choose(\"go\", board); }}");
    for (language, name) in [(Language::English, "North Cape"), (Language::Japanese, "北岬")] {
        let ruleset = small_game::game("boards", game(MAP), &script).unwrap();
        let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
        let (game, _) = Playthrough::start(loaded, 2, 1, Vec::new()).unwrap();
        let drawn = draw::render(&draw::look(&Scene::of(&game, Viewer::Everything, language, 80)), false);
        assert!(drawn.contains(&format!(" {name}")) && drawn.contains("isle"), "{drawn}");
    }
    assert!(fails(MAP, "board.at(1, 1);").contains("has no columns and rows"));
    assert!(fails(MAP, "board[1].column;").contains("ask for `neighbours`"));
}

/// A zone for each value of an attribute, under ids of the game's own where it wants them.
#[test]
fn zones_stand_for_values() {
    let of_colors = "list = \"data.colors\"\n[data]\ncolors = [\"black\", \"white\"]";
    let under_ids = of_colors.replace('\n', "\nid = \"{place}_heap\"\n");
    comes_to(of_colors, "board[\"white\"] == board[2] && board[\"white\"] == zone_named(\"board.white\")", "true");
    comes_to(&under_ids, "board[\"white\"] == zone_named(\"white_heap\")", "true");
    comes_to(of_colors, "board[components(\"stone\")[0].color]", "black");
    comes_to("grid = [3, 3]", "board[\"b3\"] == board.at(2, 3)", "true");
    let told = fails(of_colors, "let name = data.colors[0] + \"s\"; board[name];");
    assert!(told.contains("there is no place `blacks`") && told.contains("did you mean `black`?"), "{told}");
    let told = fails(of_colors, "let none = \"\"; board[none];");
    assert!(told.contains("by an empty name") && told.contains("has no value yet"), "{told}");
    for (rule, said) in [
        ("board[\"blck\"].shuffle();", "did you mean `black`?"),
        ("players[1].hand[\"black\"];", "a number is needed here, not a text"),
        ("board[players[1]].shuffle();", "a number or the name of a place is needed here, not a player"),
        ("board.white.shuffle();", "write `board[\"white\"]`"),
    ] {
        let ruleset = small_game::game("boards", game(of_colors), format!("fn game() {{ {rule} }}")).unwrap();
        let told = Rules::new(ruleset, 2, Arc::default()).err().map(|errors| errors.to_string());
        assert!(told.as_ref().is_some_and(|told| told.contains(said)), "{rule}: {told:?}");
    }
    let meant = "white_heap.shuffle();";
    let ruleset = small_game::game("boards", game(&under_ids), format!("fn game() {{ {meant} }}")).unwrap();
    let told = Rules::new(ruleset, 2, Arc::default()).err().map(|errors| errors.to_string());
    assert!(told.as_ref().is_some_and(|told| told.contains("write `board[\"white\"]`")), "{told:?}");
    for (id, said) in [
        ("{place}_heap_{place}", "is no pattern for the ids of zones"),
        (
            "Heap {place}",
            "is no pattern for the ids of zones; not a name with the place in it; such as `board_{place}`",
        ),
        ("heap", "is no pattern"),
        ("{place}", "there are two zones of the id `hand`"),
    ] {
        let found = wrong(&format!("list = [\"black\", \"hand\"]\nid = \"{id}\""));
        assert!(found.contains(said), "{id}\n{found}");
    }
    assert!(wrong("id = \"heap_{place}\"").contains("and there is no board"));
    assert!(wrong("list = \"data.colours\"\n[data]\ncolors = [\"a\"]").contains("did you mean `colors`?"));
    let told = wrong("list = \"data.colors\"\n[data]\ncolors = [\"A b\"]");
    assert!(told.contains("`A b` cannot be the name of a place"), "{told}");
}

/// A player who has two zones for each colour is told which is meant; one who has a single kind needs no more words.
#[test]
fn zones_of_a_player_say_of_which_kind_they_are() {
    let own = "per = \"seat\"\nlist = [\"black\", \"white\"]";
    let two = format!("{own}\n[zones.other]\nname = \"other\"\norder = \"pile\"\nvisible = \"all\"\n{own}");
    for (zones, name) in [(own, "black"), (&*two, "board black")] {
        let script =
            "fn game() { components(\"stone\")[0].move_to(players[1].board[\"black\"]); players.first.may(\"stop\"); }";
        let ruleset = small_game::game("boards", game(zones), script).unwrap();
        let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
        let (game, _) = Playthrough::start(loaded, 2, 1, Vec::new()).unwrap();
        let drawn = draw::render(&draw::look(&Scene::of(&game, Viewer::Everything, Language::English, 80)), false);
        let is_told = |line: &str| line.contains(&format!("  {name} 1 ")) || line.contains(&format!("► {name} 1 "));
        assert!(drawn.lines().any(is_told), "{drawn}");
    }
}

#[test]
fn rules_that_leave_the_board_are_told_where_it_ends() {
    let told = fails(SQUARE, "board.at(5, 1);");
    assert!(told.contains("no cell in column 5, row 1") && told.contains("from a1 to d3"), "{told}");
    assert!(fails(SQUARE, "players[1].hand.column;").contains("p1.hand is not a cell of a board"));
    assert!(fails(SQUARE, "board.at(1, 1).line(0, 0);").contains("is not a direction"));
    assert!(fails(SQUARE, "board.lines(0);").contains("1 cell or more"));
    assert!(fails(SQUARE, "(board - board).at(1, 1);").contains("without a zone there is no board"));
    let told = fails("grid = [3, 3]\nregions = { home = [\"a1\"] }", "board.region(\"hom\");");
    assert!(told.contains("there is no region `hom`") && told.contains("did you mean `home`?"), "{told}");
    let told = fails(SQUARE, "board.at(9223372036854775807, -9223372036854775807);");
    assert!(told.contains("no cell in column"), "{told}");
    comes_to(SQUARE, "board.at(1, 1).step(9223372036854775807, 1)", "[]");
}

#[test]
fn a_board_that_cannot_be_says_what_was_expected() {
    for (board, told) in [
        ("grid = [0, 8]", "must be an integer from 1 to 26; this is 0"),
        ("grid = [1000, 1000]", "must be an integer from 1 to 26; this is 1000"),
        ("grid = [8, 51]", "must be an integer from 1 to 50; this is 51"),
        ("grid = [8]", "must be the number of columns and of rows, such as `[8, 8]`"),
        ("grid = 8", "must be the number of columns and of rows, `[8, 8]`; or `{ hex = [9, 9] }`, `{ hexagon = 5 }`"),
        ("grid = { hexagon = 14 }", "must be an integer from 1 to 13"),
        ("grid = { round = 3 }", "unknown key `zones.board.grid.round`"),
        ("grid = {}", "must be the number of columns and of rows"),
        ("grid = [8, 8]\ncount = 3", "says how many zones there are; leave this out"),
        ("grid = [8, 8]\nlist = [\"a\"]", "cannot be combined"),
        ("edges = [[\"a\", \"b\"]]", "and there is no board"),
        ("regions = { home = [\"a1\"] }", "and there is no board; of which board?"),
        (
            "grid = [3, 3]\nregions = { home = [\"d1\"] }",
            "there is no cell `d1`; no such cell; the cells of this board go from a1 to c3",
        ),
        ("grid = [3, 3]\nregions = { home = [\"a1:a9\"] }", "there is no cell `a9`"),
        ("grid = [3, 3]\nregions = { home = \"a1\" }", "must be an array"),
        ("list = []", "must be an array of 1 to 1000 names"),
        ("list = [\"A b\"]", "`A b` cannot be the name of a place"),
        ("list = [\"a\", \"a\"]", "there are two places called `a`"),
        ("list = [\"a\", \"b\"]\nedges = [[\"a\"]]", "must be two places"),
        (
            "list = [\"oslo\", \"bergen\"]\nedges = [[\"oslo\", \"bergn\"]]",
            "there is no place `bergn`; not in `list`; did you mean `bergen`?",
        ),
        ("list = [\"a\", \"b\"]\nedges = [[\"a\", \"a\"]]", "both ends are the same"),
    ] {
        let found = wrong(board);
        assert!(found.contains(told), "{board}\n{found}");
    }
}

/// Each zone has its number in 16 bits, however many boards there are.
#[test]
fn a_table_has_room_for_so_many_cells() {
    let more = |count: usize| {
        let zone = |number: usize| {
            format!(
                "\n[zones.more{number}]\nname = \"more\"\norder = \"pile\"\nvisible = \"all\"\nper = \"seat\"\ngrid = [26, 50]\n"
            )
        };
        format!("grid = [1, 1]{}", (0..count).map(zone).collect::<String>())
    };
    assert!(small_game::game("boards", game(&more(12)), "fn game() { }").is_ok());
    let told = wrong(&more(13));
    assert!(told.contains("a table can have 32768 zones; with this, a table of 2 players has 33803"), "{told}");
    comes_to(&more(12), "players[2].more11.last.neighbours", "[p2.more11.z49, p2.more11.y50]");
}

/// Programs that read traces know cells by their names.
#[test]
fn traces_name_cells() {
    let script = "fn game() { components(\"stone\")[0].move_to(board.at(3, 2)); players[1].choose(\"way\", options(\"to\", board)); }";
    let ruleset = small_game::game("boards", game(SQUARE), script).unwrap();
    let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
    let trace = Trace::begin(Vec::new(), &loaded.ruleset, &loaded.layout, 1, false);
    let play = |recording| {
        let (run, end) = loaded.rules.play(&Start::Game, 1, &mut Random::new(1), Some(recording));
        Outcome { run, end, used: 0, misfit: None, exact: Vec::new(), added: Vec::new() }
    };
    let lines = String::from_utf8(trace.follow(play).unwrap().0).unwrap();
    assert!(lines.contains("\"board.c2\"") && lines.contains("{\"to\":\"d3\"}"), "{lines}");
}
