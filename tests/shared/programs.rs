//! A game that has something of every sort, two variants on top, and rules that give a value of any sort: programs that
//! tests make up are rules of it.

/// How many play.
pub const SEATS: usize = 3;

/// The definition of the game.
pub const GAME: &str = r#"
id = "programs"
name = "Programs"
players = { min = 2, max = 4 }
standing = "points_now"

[settings]
bonus = { default = 3 }
open  = { default = true }
mode  = { default = "calm", choices = ["calm", "wild"] }
steps = { default = [1, 2, 5] }

[data]
hand_size = 3
colors    = ["red", "blue", "green"]
numbers   = [5, 1, 4, 1]
empty     = []
nested    = [[1, 2], [3]]
prices    = { 1 = 10, 2 = 25, red = 7 }

[components.card]
kind = "card"
id = "{color}-{number}"
attributes = { color = { each = ["red", "blue", "green"] }, number = { from = 1, to = 4 }, shape = { cycle = ["round", "square"] } }
list = [{ id = "joker" }, { id = "blank", number = 0 }]

[components.spark]
kind = "token"
id = "spark-{copy}"
copies = 20

[components.die]
kind = "die"
id = "die-{copy}"
copies = 4

[components.tile]
kind = "token"
id = "tile-{copy}"
sides = ["day", "night"]
copies = 3

[zones]
deck    = { name = "deck", order = "pile", visible = "none" }
row     = { name = "row", order = "row", visible = "all" }
cup     = { name = "cup", order = "row", visible = "all" }
tray    = { name = "tray", order = "row", visible = "all" }
bare    = { name = "bare", order = "pile", visible = "top" }
piles   = { name = "pile", order = "pile", visible = "once", count = 3 }
board   = { name = "board", order = "pile", visible = "all", grid = [3, 3], regions = { home = ["a1:c1"] } }
hand    = { name = "hand", per = "seat", order = "hand", visible = "owner", note = "noted" }
won     = { name = "won", per = "seat", order = "pile", visible = "all" }
columns = { name = "column", per = "seat", order = "row", visible = "all", count = 2 }

[variables]
total  = { default = 12 }
word   = { default = "red" }
leader = { type = "player" }
open   = { default = false }
lives  = { per = "seat", default = 3 }
mark   = { per = "seat", default = "" }
rival  = { per = "seat", type = "player" }
done   = { per = "seat", default = false }
coins  = { per = "seat", default = 4, bank = 9 }
seen   = { type = "components" }
others = { per = "seat", type = "players" }
places = { type = "zones" }
notes  = { type = "list" }
lead   = { type = "component" }

[text]
bid = { en = "bid", secret = true }
"#;

/// Its variants, the lower one first.
pub const VARIANTS: [(&str, &str); 2] = [
    ("first", "id = \"first\"\ngame = \"programs\"\nname = \"First\"\n[settings.limit]\ndefault = 2\n"),
    ("second", "id = \"second\"\ngame = \"programs\"\nname = \"Second\"\n[settings.name]\ndefault = \"two\"\n"),
];

/// What every program can call: the table as it lies, and a value of every sort that no check can foresee.
pub const RULES: &str = r#"
fn game() {
    let cards = components("card");
    for (card, number) in cards {
        switch number % 7 {
            0 => card.move_to(deck),
            1 => card.move_to(players[1].hand),
            2 => card.move_to(players[2].hand),
            3 => card.move_to(row),
            4 => card.move_to(piles[1]),
            5 => card.move_to(players[1].columns[2]),
            _ => card.move_to(players[3].hand),
        }
    }
    cards.having("number", 4).move_to(players[2].columns[1]);
    components("die").move_to(cup);
    cup.first.move_to(tray);
    cup.first.roll();
    tray.first.roll();
    components("tile").first.move_to(tray);
    components("tile").last.move_to(piles[3]);
    components("die").last.move_to(board.at(2, 1));
    row.first.belong_to(players[2]);
    tray.last.belong_to(players[1]);
    table.leader = players[2];
    players[1].rival = players[3];
    players[2].lives = 0;
    players[3].mark = "blue";
    players[1].award(4, "start");
}
fn points_now(p) { p.award(p.hand.len, "hand"); }
fn noted(zone) { [zone.len, "cards"] }
fn any_value(which) {
    switch which {
        0 => 0, 1 => 1, 2 => -1, 3 => 3, 4 => 9223372036854775807, 5 => -9223372036854775807 - 1,
        6 => true, 7 => false, 8 => "", 9 => "red", 10 => "number", 11 => (),
        12 => [], 13 => [1, 2, 3], 14 => ["red", 2, true], 15 => [[1], []], 16 => [(), nobody],
        17 => row.first, 18 => players[1].hand.last, 19 => tray.first, 20 => components("tile").first,
        21 => components(), 22 => row.components, 23 => players[1].hand.sorted("number"),
        24 => deck, 25 => bare, 26 => players[2].hand, 27 => piles, 28 => players[1].columns, 29 => piles.empty,
        30 => players[1], 31 => players[3], 32 => nobody, 33 => table.leader, 34 => players, 35 => players.except(players[2]),
        36 => act("pass"), 37 => acts("take", "card", row), 38 => options(), 39 => one_option("left"),
        40 => data.numbers, 41 => data.colors, 42 => data.prices, 43 => data.nested, 44 => data.empty,
        45 => players.map(|p| p.hand), 46 => [row.first, players[1], deck], 47 => settings.steps,
        48 => board, 49 => board.at(2, 2), 50 => board.filled,
        _ => which
    }
}
fn one_card() { components("card").first }
fn one_option(side) {
    let found = ();
    (options("side", ["left", "right"]) + act("none")).for_each(|option| {
        if option.has("side") && option.side == side { found = option; }
    });
    found
}
"#;

/// How many values `any_value` knows.
pub const VALUES: usize = 51;
