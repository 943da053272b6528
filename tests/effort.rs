//! No unit of work is worth much more than another: what runs the rules counts units, and a limit on those is to end
//! whatever goes on for too long, however it is written.
//!
//! Each word, for each sort that it is asked of, and each step of the machine gets arguments that make it long, on a
//! small table and on a large one. How many instructions that takes stands in `effort.txt`, as it was measured; how many
//! units it counts is found out here. To measure anew, which takes some minutes:
//!
//! ```text
//! valgrind --tool=callgrind --callgrind-out-file=FOLDER/out --collect-atstart=no --toggle-collect=all::effort::measured \
//!     --dump-after=all::effort::measured target/debug/deps/all-… effort:: --test-threads 1
//! HOUSERULE_MEASURED=FOLDER cargo test --test all effort::
//! ```
//!
//! With `HOUSERULE_ONLY=zone.` before both, only the cases that begin so are measured.

use crate::shared::small_game;
use houserule::agent::Random;
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::machine::code::Step;
use houserule::script::machine::meter::MAX_UNITS_PER_GAME;
use houserule::script::rules::{Rules, Run};
use houserule::script::sorts::Sort;
use houserule::script::vocabulary::{Form, Parameter, ParameterSort, Role, Word, words};
use houserule::script::{End, Start};
use houserule::table::State;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most instructions for a unit, in the build that tests run. The cheapest unit, a pass of a loop without anything in it,
/// takes some 260, and a program that is handed on takes a third or less of all of these.
const MOST_OF_A_UNIT: u64 = 6_000;

/// How many passes of a loop are measured on each table: what their difference takes is what counts.
const PASSES: [[u64; 2]; 2] = [[1, 41], [1, 3]];

/// Instructions by which two runs of the same can differ, because memory is where it is.
const NOISE: u64 = 20_000;

/// How many cards lie on the small table, and on the large one.
const CARDS: [usize; 2] = [100, 1_000];

/// The game in which everything is as large as it is said to be.
fn game(cards: usize) -> String {
    let (side, piles, data) = ((cards / 40).clamp(5, 25), cards / 4, cards);
    let mut text = format!(
        r#"
id = "large"
name = "Large"
players = {{ min = 2, max = 16 }}
variables = {{ plan = {{ type = "list", per = "seat" }}, coins = {{ per = "seat", default = 0 }} }}

[components.card]
kind = "card"
id = "c{{number}}"
attributes = {{ number = {{ from = 1, to = {cards} }}, color = {{ cycle = "data.colors" }} }}

[components.die]
kind = "die"
id = "d{{eyes}}"
attributes = {{ eyes = {{ from = 1, to = 90 }} }}

[components.tile]
kind = "token"
sides = ["day", "night"]
id = "t{{mark}}"
attributes = {{ mark = {{ from = 1, to = {} }} }}

[zones]
deck = {{ name = "deck", order = "pile", visible = "none" }}
row = {{ name = "row", order = "row", visible = "all" }}
tray = {{ name = "tray", order = "row", visible = "all" }}
tiles = {{ name = "tiles", order = "row", visible = "all" }}
heap = {{ name = "heap", order = "pile", visible = "top", count = {piles} }}
board = {{ name = "board", order = "row", visible = "all", grid = [{side}, {side}], regions = {{ all = ["a1:{}{side}"] }} }}
hand = {{ name = "hand", order = "hand", per = "seat", visible = "owner" }}

[data]
colors = ["red", "blue", "green"]
"#,
        cards / 10,
        char::from(b'a' + side as u8 - 1),
    );
    let numbers: Vec<String> = (0..data).map(|number| number.to_string()).collect();
    let keys: Vec<String> = (0..data).map(|number| format!("k{number}={number}")).collect();
    writeln!(text, "numbers = [{}]\nkeys = {{ {} }}", numbers.join(","), keys.join(", ")).unwrap();
    for number in 0..16 {
        writeln!(text, "[settings.s{number}]\nask = \"name\"\nby = \"lot\"\nchoices = [\"red\"]").unwrap();
    }
    text
}

/// What every case can use: a zone with all cards, zones with some in each, a list of texts that differ at their ends.
const SETUP: &str = "let n = components(\"card\").len; let cs = components(\"card\"); let c = cs.last; let d = components(\"die\");\
 let v = \"0123456789abcdef0123456789abcdefx\"; let l = cs.map(|e| `0123456789abcdef0123456789abcdef${e.id}`); let piles = deck + row;\
 let os = acts(\"try\", \"card\", cs).and(\"number\", [1]); let t = v; while t.len * 2 < 4 * n { t += t; }";

/// Arguments that make a word long, by what it takes.
fn argument(word: &Word, takes: ParameterSort, role: Option<Role>) -> &'static str {
    match (takes, role) {
        (_, Some(Role::Attribute)) if word.parameters.iter().any(is_text_of_attribute) => "\"color\"",
        (_, Some(Role::Attribute | Role::Numbers)) => "\"number\"",
        (ParameterSort::Sort(Sort::Text), Some(Role::AttributeValue)) => "\"red\"",
        (_, Some(Role::AttributeValue)) => "1",
        (_, Some(Role::Group)) => "\"card\"",
        (_, Some(Role::Part)) => "\"part\"",
        (_, Some(Role::Zone)) => "\"p16.hand\"",
        (_, Some(Role::Side)) => "\"night\"",
        (_, Some(Role::Remark)) => "\"{}\"",
        (_, Some(Role::Metric | Role::Lot | Role::Prompt)) => "\"name\"",
        (ParameterSort::Function(2), _) => "|p, x| { }",
        (ParameterSort::Function(_), _) => match word.name {
            "any" => "|e| false",
            "max_by" | "min_by" | "sorted_by" => "|e| 1",
            "sum_of" => "|e| 1",
            "options" => "|e| act(\"try\")",
            "pass_on" => "|p| p.hand",
            "together" => "|p| p.may(\"go\")",
            "choose" | "choose_secretly" if role == Some(Role::Objection) => "|e| \"no\"",
            _ => "|e| true",
        },
        (ParameterSort::Offered | ParameterSort::Held | ParameterSort::Named, _) => "cs",
        (ParameterSort::Several, Some(_)) => "[1, 2]",
        (ParameterSort::Several, None) => "l",
        (ParameterSort::Value | ParameterSort::ValueOrNothing, _) => "v",
        (ParameterSort::Sort(sort), _) => value(sort),
    }
}

fn is_text_of_attribute(parameter: &Parameter) -> bool {
    parameter.role == Some(Role::AttributeValue) && parameter.takes == ParameterSort::Sort(Sort::Text)
}

/// A value of a sort, as long as there can be.
fn value(sort: Sort) -> &'static str {
    match sort {
        Sort::Nothing => "()",
        Sort::Number => "1",
        Sort::Truth => "true",
        Sort::Text => "t",
        Sort::Component => "c",
        Sort::Components => "cs",
        Sort::Zone => "deck",
        Sort::Zones => "heap",
        Sort::Player | Sort::PlayerOrNobody => "p1",
        Sort::Nobody => "nobody",
        Sort::Players => "players",
        Sort::Option => "o",
        Sort::Options => "os",
        Sort::List => "l",
        Sort::Data => "data.numbers",
        Sort::Range => "1..=min(n, 2000)",
        Sort::Table | Sort::Letter | Sort::Function => "table",
    }
}

/// A case: what goes before, and what is measured.
struct Case {
    name: String,
    setup: String,
    body: String,
}

/// Words that need something else than [`argument`] says: what goes before, and what is measured; for all that begin so.
const OTHERS: &[(&str, &str, &str)] = &[
    ("component.turn_to", "let c = components(\"tile\").first;", ""),
    ("component.flip", "let c = components(\"tile\").first;", ""),
    ("component.side_name", "let c = components(\"tile\").first;", ""),
    ("component.side", "let c = components(\"tile\").first;", ""),
    ("component.value", "let c = d.first;", ""),
    ("component.roll", "let c = d.first;", ""),
    ("component.pick_up", "let c = d.first;", ""),
    ("component.owner", "c.belong_to(p1);", ""),
    ("component.move_in_order", "", "c.move_in_order(deck, \"number\")"),
    ("component.move_to(zone, number)", "", "c.move_to(deck, 0); c = deck.last"),
    ("component.move_to(zone)", "", "deck.first.move_to(deck)"),
    ("component.move_under", "", "deck.last.move_under(deck)"),
    ("component.take_out", "", "deck.first.take_out()"),
    ("component.attribute(text)", "", "c.attribute(\"number\")"),
    ("component.attribute(text, value)", "", "c.attribute(\"side\", t)"),
    ("components.roll", "let cs = d;", ""),
    ("components.pick_up", "let cs = d;", ""),
    ("components.turn_to", "let cs = components(\"tile\"); cs.turn_to(2);", "cs.turn_to(1); cs.turn_to(\"night\")"),
    ("components.sharing", "", "cs.sharing(\"number\", cs)"),
    ("components.can_sum_to", "", "cs.can_sum_to(\"number\", 9999, 10000)"),
    ("components.between", "", "cs.between(\"number\", 1, n)"),
    ("components.above", "", "cs.above(\"number\", 0)"),
    ("components.below", "", "cs.below(\"number\", n + 1)"),
    ("components.top", "", "cs.top(n)"),
    ("components.first_missing", "", "cs.first_missing(\"number\", 1)"),
    ("components.runs(text, text)", "", "cs.runs(\"number\", \"color\")"),
    ("components.sorted_by", "", "cs.sorted_by(|e| -e.number)"),
    ("components.max_by", "", "cs.max_by(|e| [1, 1, e.number])"),
    ("zone.roll", "", "tray.roll()"),
    ("zone.pick_up", "", "tray.pick_up()"),
    ("zone.turn_to", "tiles.turn_to(2);", "tiles.turn_to(1); tiles.turn_to(\"night\")"),
    ("zone.can_sum_to", "", "deck.can_sum_to(\"number\", 9999, 10000)"),
    ("zone.between(text", "", "deck.between(\"number\", 1, n)"),
    ("zone.cells_between", "", "board.first.cells_between(board.last)"),
    ("zone.above", "", "deck.above(\"number\", 0)"),
    ("zone.below", "", "deck.below(\"number\", n + 1)"),
    ("zone.top", "", "deck.top(n)"),
    ("zone.first_missing", "", "deck.first_missing(\"number\", 1)"),
    ("zone.sharing", "", "deck.sharing(\"number\", cs)"),
    ("zone.runs(text, text)", "", "deck.runs(\"number\", \"color\")"),
    ("zone.deal", "", "deck.deal(n, deck)"),
    ("zone.swap_with", "", "deck.swap_with(row)"),
    ("zone.move_to", "deck.move_to(p2.hand);", "p2.hand.move_to(p1.hand); p1.hand.move_to(p2.hand)"),
    ("zone.shuffle_bottom", "", "deck.shuffle_bottom(n)"),
    ("zone.owner", "", "p1.hand.owner"),
    ("zone.column", "", "board.last.column"),
    ("zone.row", "", "board.last.row"),
    ("zone.step", "", "board.first.step(1, 1)"),
    ("zone.line", "", "board.first.line(1, 1)"),
    ("zone.rays", "", "board.first.rays"),
    ("zone.neighbours", "", "board.first.neighbours"),
    ("zone.neighbours(component)", "", "deck.neighbours(c)"),
    ("zone.around", "", "board[8].around"),
    ("zone + zone", "", "deck + row"),
    ("zones.around", "", "board.around"),
    ("zones.neighbours", "", "board.neighbours"),
    ("zones [] text", "let last = if n > 500 { \"y25\" } else { \"e5\" };", "board[last]"),
    ("zones.at", "", "board.at(1, 1)"),
    ("zones.rows", "", "board.rows"),
    ("zones.columns", "", "board.columns"),
    ("zones.region", "", "board.region(\"all\")"),
    ("zones.lines", "", "board.lines(24)"),
    ("zones.connected_groups", "", "board.connected_groups"),
    ("zones.connected_to", "", "board.connected_to(board.last)"),
    ("zones.roll", "", "(tray + board).roll()"),
    ("zones.first_missing", "", "piles.first_missing(\"number\", 1)"),
    ("zones.sharing", "", "piles.sharing(\"number\", cs)"),
    ("zones.between", "", "piles.between(\"number\", 1, n)"),
    ("zones.above", "", "piles.above(\"number\", 0)"),
    ("zones.below", "", "piles.below(\"number\", n + 1)"),
    ("zones.runs(text, text)", "", "piles.runs(\"number\", \"color\")"),
    (
        "zones.move_to",
        "for i in 1..=heap.len { deck.deal(4, heap[i]); }",
        "heap.move_to(row); let i = 1; while !row.is_empty { row.deal(4, heap[i]); i += 1; }",
    ),
    ("list.components", "let l = [deck]; for i in 0..50 { l.push(deck); }", "l.components"),
    ("list.pass_on", "let l = [deck]; for z in heap { l.push(z); }", "l.pass_on()"),
    ("list.sum", "let l = numbers(1, min(n, 2000));", "l.sum"),
    ("list.sum_of", "let l = numbers(1, min(n, 2000));", "l.sum_of(|e| e)"),
    ("list.top", "", "l.top(n)"),
    ("list.push", "", "let k = l; k.push(1)"),
    ("list + list", "let l = l.top(1000);", "l + l"),
    ("list - list", "let k = l.reversed;", "l - k"),
    ("list == list", "let k = l.reversed.reversed;", "l == k"),
    ("list != list", "let k = l.reversed.reversed;", "l != k"),
    ("list.contains", "let l = l.top(600).map(|e| [e, 1]); v = [v, 1];", "l.contains(v)"),
    ("list.position_of", "v = l.last;", "l.position_of(v)"),
    ("list.sorted_by", "let l = numbers(1, min(n, 2000));", "l.sorted_by(|e| -e)"),
    ("list.to_string", "let l = numbers(1, min(n, 700));", "l.to_string()"),
    ("players.together", "", "players.together(|p| p.may(\"go\"), |p, x| { })"),
    ("option", "let o = p1.choose(\"x\", os);", ""),
    ("options.and", "", "acts(\"try\", \"card\", cs).and(\"part\", [1])"),
    (
        "options.contains",
        "let o = p1.choose(\"x\", acts(\"try\", \"card\", [d.first]).and(\"number\", [1]));",
        "os.contains(o)",
    ),
    ("options.without", "", "os.without(\"number\", 2)"),
    ("options.max_by", "", "os.max_by(|e| e.number)"),
    ("options.sum_of", "", "os.sum_of(|e| e.number)"),
    ("data [] text", "", "data.keys[\"k77\"]"),
    ("data.get(text", "", "data.keys.get(\"k77\", 1)"),
    ("data.has(text", "", "data.keys.has(\"k77\")"),
    ("data.sum_of", "", "data.numbers.sum_of(|e| e)"),
    (
        "draw_number",
        "let k = 0; while k < 300 { draw_number(`lot ${k}`, 1, 6); k += 1; }",
        "draw_number(`x ${k}`, 1, 6); k += 1",
    ),
    ("make", "tiles.last.take_out();", "make(\"tile\", row); row.last.take_out()"),
    ("note(text)", "", "note(\"plain\")"),
    ("note(text, list)", "", "note(\"{}\", [l])"),
    ("numbers", "", "numbers(1, min(n, 2000))"),
    ("zone_named", "", "zone_named(\"p16.hand\")"),
    ("player.award(number, text, anything)", "", "p1.award(1, \"x\", l)"),
    ("player.give", "p1.coins = 100;", "p1.give(p2, \"coins\", 1)"),
    ("player.give_up_to", "p1.coins = 100;", "p1.give_up_to(p2, \"coins\", 1)"),
    ("player.pay_up_to", "p1.coins = 100;", "p1.pay_up_to(\"coins\", 1)"),
    ("player.take_up_to", "", "p1.take_up_to(\"coins\", 1)"),
    ("player.join", "", "p1.join(p2); p1.join(p1)"),
    ("player.show_choice(text)", "p1.choose_secretly(\"s\", [1, 2]);", "p1.show_choice(\"s\")"),
    ("player.show_choice(text, player)", "p1.choose_secretly(\"s\", [1, 2]);", "p1.show_choice(\"s\", p2)"),
    (
        "player.choose_secretly(text, data)",
        "let k = 0; while k < 300 { p1.choose_secretly(`s${k}`, [1]); k += 1; }",
        "p1.choose_secretly(`s${k}`, [1]); k += 1",
    ),
    ("player.choose_some(text, players", "", "p1.choose_some(\"x\", players, 1, 16)"),
    ("player.choose_some", "", ""),
    ("player.choose_for(text, text, list)", "", "p1.choose_for(\"x\", \"y\", l)"),
    ("components()", "", ""),
    ("options()", "", ""),
    ("options(text", "", "options(\"part\", l)"),
    ("acts", "", "acts(\"try\", \"part\", l)"),
    ("text.len", "", "t.len"),
];

fn case_of(word: &Word, receiver: Option<Sort>) -> Case {
    let parameters: Vec<&str> = word.parameters.iter().map(|parameter| parameter.takes.name()).collect();
    let of = receiver.map_or("", Sort::name);
    let name = match word.form {
        Form::Property => format!("{of}.{}", word.name),
        Form::Operator => format!("{of} {} {}", word.name, parameters.join(", ")),
        _ if of.is_empty() => format!("{}({})", word.name, parameters.join(", ")),
        _ => format!("{of}.{}({})", word.name, parameters.join(", ")),
    };
    let other = OTHERS.iter().filter(|(begin, ..)| name.starts_with(begin)).max_by_key(|(begin, ..)| begin.len());
    let (_, setup, body) = other.copied().unwrap_or_default();
    let arguments: Vec<&str> =
        word.parameters.iter().map(|parameter| argument(word, parameter.takes, parameter.role)).collect();
    // What lies in zones lies in those of a board that words with zones go through.
    let this = receiver.map_or("", value);
    let this = if this == "heap" { "piles" } else { this };
    let written = match word.form {
        Form::Property => format!("{this}.{}", word.name),
        Form::Operator if word.name == "[]" => format!("{this}[{}]", arguments.join(", ")),
        Form::Operator => format!("{this} {} {}", word.name, arguments.join(", ")),
        _ if this.is_empty() => format!("{}({})", word.name, arguments.join(", ")),
        _ => format!("{this}.{}({})", word.name, arguments.join(", ")),
    };
    Case { name, setup: setup.to_owned(), body: if body.is_empty() { written } else { body.to_owned() } }
}

/// Steps of the machine, and what else is written without a word.
const STEPS: &[(&str, &str, &str)] = &[
    (
        "a long way",
        "let x = 0;",
        "x = n; x = l.len; x = c.number; x = n; x = l.len; x = c.number; x = n; x = l.len; x = c.number; x = n; x = l.len; x = c.number; x = n; x = l.len; x = c.number; x = n; x = l.len; x = c.number; x = n; x = l.len; x = c.number",
    ),
    (
        "words that do little",
        "",
        "min(n, 1); max(n, 1); p1.has_won; min(n, 1); deck.contains(c); c.has(\"side\"); p1.next; players.contains(p2); c.attribute(\"number\"); zone_named(\"deck\"); abs(n)",
    ),
    ("compared and jumped", "let k = l.reversed.reversed;", "if l == k { }"),
    ("compared, a value", "let k = l.reversed.reversed;", "let x = l == k"),
    ("compared, components", "let k = cs.reversed.reversed;", "if cs != k { }"),
    ("compared, texts", "let k = t; k += \"x\"; t += \"y\";", "if t < k { }"),
    (
        "compared, lists of components",
        "let k = []; let m = []; for i in 0..50 { k.push(cs); m.push(cs.reversed.reversed); }",
        "if k == m { }",
    ),
    ("compared, options", "let o = p1.choose(\"x\", os); let q = o;", "if o == q { }"),
    ("compared with a number", "", "if l == 3 { }"),
    ("in", "", "if v in l { }"),
    ("switch over a text", "", "switch t { \"a\" => 1, \"b\" => 2, _ => 3 }"),
    ("switch over a number", "", "switch n { 1 => 1, 2 => 2, _ => 3 }"),
    ("joined texts", "", "let x = `${t}`; let y = t + \"x\""),
    ("joined list", "let m = numbers(1, min(n, 700));", "let x = `${m}`"),
    ("joined components", "let m = cs.top(min(n, 500));", "let x = `${m}`"),
    ("list with a list", "let m = numbers(1, min(n, 1000));", "let x = m; x += m"),
    ("list with an entry", "let m = numbers(1, min(n, 1000));", "let x = m; x += 1"),
    ("list of lists", "", "let x = [l]; let y = [x, 1, 2, 3]"),
    ("entry read", "", "let x = l[1]; let y = l[-1]"),
    ("entry set", "", "let x = l; x[1] = 2"),
    ("entry pushed", "let m = numbers(1, min(n, 1000));", "let x = m; x.push(1)"),
    (
        "part read",
        "let all = options(); for k in 0..min(n, 2000) { all = all + act(`a${k}`); } let o = all;",
        "o.max_by(|e| if e.act == \"x\" { 1 } else { 0 })",
    ),
    ("part of the data", "let k = data;", "k.keys.k77"),
    ("variable set", "p1.plan = l;", "p1.plan = l.reversed; p1.plan = l"),
    ("variable read", "p1.plan = l;", "p1.plan"),
    ("variable read, nested", "p1.plan = [l.top(1900)];", "p1.plan"),
    ("number set", "", "p1.coins += 1"),
    ("property read", "", "p1.hand; c.number; p1.coins; data.colors"),
    ("loop over numbers", "", "for i in 0..n { }"),
    ("loop over a list", "", "for i in l { }"),
    ("loop over a zone", "", "for i in deck { }"),
    ("loop over zones", "", "for i in heap { }"),
    ("loop over options", "", "os.for_each(|e| { })"),
    ("loop over data", "", "for i in data.numbers { }"),
    ("while", "let k = 0;", "k = 0; while k < n { k += 1; }"),
    ("calls", "", "deeper(20)"),
    ("ranks", "let r = numbers(1, min(n, 500));", "players.max_by(|p| r)"),
    ("ranks in an order", "let r = numbers(1, min(n, 100));", "players.sorted_by(|p| r)"),
    ("sum of what a function gives", "", "l.sum_of(|e| 1)"),
    ("gathered", "", "l.map(|e| e)"),
    (
        "options joined",
        "let m = options(); for k in 0..20 { m += act(`a${k}`); }",
        "l.top(200).options(|e| m.where(|o| true))",
    ),
    (
        "options joined, in many stretches",
        "let m = options(); for k in 0..20 { m += act(`a${k}`); }",
        "l.top(200).options(|e| m)",
    ),
    ("kept options", "", "os.where(|e| true)"),
    ("kept entries", "", "l.where(|e| true)"),
    ("best", "", "cs.max_by(|e| e.number)"),
    ("together", "", "players.together(|p| p.may(\"go\"), |p, x| { })"),
    ("refused", "", "p1.choose(\"x\", l, |e| if e == l[0] { true } else { \"no\" })"),
    ("others", "", "p1.choose(\"x\", [1], l, |e| \"no\")"),
    ("signs", "let k = 1;", "k = -k; let x = !(k == 1)"),
    ("a range", "", "let x = 1..n"),
];

/// Which kind of step it is: a new one needs a number, and with it a case that has it.
fn number_of(step: &Step) -> u32 {
    match step {
        Step::Move { .. } => 0,
        Step::Jump { .. } => 1,
        Step::Back { .. } => 2,
        Step::JumpIf { .. } => 3,
        Step::JumpCompared { .. } => 4,
        Step::JumpSmall { .. } => 5,
        Step::JumpCase { .. } => 6,
        Step::Call { .. } => 7,
        Step::Return { .. } => 8,
        Step::Word { .. } => 9,
        Step::Get { .. } => 10,
        Step::Set { .. } => 11,
        Step::Work { .. } => 12,
        Step::Increase { .. } => 13,
        Step::Add { .. } => 14,
        Step::Not { .. } => 15,
        Step::Negative { .. } => 16,
        Step::List { .. } => 17,
        Step::Join { .. } => 18,
        Step::Range { .. } => 19,
        Step::Entry { .. } => 20,
        Step::SetEntry { .. } => 21,
        Step::Push { .. } => 22,
        Step::Count { .. } => 23,
        Step::NextNumber { .. } => 24,
        Step::Begin { .. } => 25,
        Step::Next { .. } => 26,
        Step::Test { .. } => 27,
        Step::Sum { .. } => 28,
        Step::Gather { .. } => 29,
        Step::Empty { .. } => 30,
        Step::Keep { .. } => 31,
        Step::Kept { .. } => 32,
        Step::Better { .. } => 33,
        Step::Best { .. } => 34,
        Step::Rank { .. } => 35,
        Step::Sorted { .. } => 36,
        Step::BeginTogether => 37,
        Step::EndTogether => 38,
        Step::Chosen { .. } => 39,
        Step::ChoiceOf { .. } => 40,
        Step::Offer { .. } => 41,
        Step::JumpUnlessRead { .. } => 42,
        Step::EndReasons => 43,
        Step::Others { .. } => 44,
        Step::Fits { .. } => 45,
        Step::Refuse { .. } => 46,
        Step::Ask { .. } => 47,
        Step::Extend { .. } => 48,
        // These end the run, and so are made once.
        Step::Throw { .. } | Step::Fail { .. } => 49,
    }
}

/// All kinds of steps that go on.
const KINDS: u64 = (1 << 49) - 1;

fn cases() -> Vec<Case> {
    let steps = STEPS.iter().map(|(name, setup, body)| Case {
        name: (*name).to_owned(),
        setup: (*setup).to_owned(),
        body: (*body).to_owned(),
    });
    let of_words = words().flat_map(|word| match word.receivers {
        [] => vec![case_of(word, None)],
        several => several.iter().map(|receiver| case_of(word, Some(*receiver))).collect(),
    });
    // Without what can be done a few times in a game only.
    let is_repeated = |case: &Case| {
        !["end_game", "player.win", "player.lose", "players.win", "players.lose"]
            .iter()
            .any(|name| case.name.starts_with(name))
    };
    steps.chain(of_words).filter(is_repeated).collect()
}

/// The run that is measured, by the name of this function.
#[inline(never)]
fn measured(rules: &Rules, run: &mut Run) -> End {
    std::hint::black_box(rules.resume(run, &mut Random::new(1)))
}

/// Rules on a table of so many cards, and the table.
fn laid(cards: usize) -> (Rules, State) {
    let script = "fn game() { components(\"card\").move_to(deck); components(\"die\").move_to(tray); \
                  components(\"tile\").move_to(tiles); }\n\
                  fn deeper(k) { if k > 0 { deeper(k - 1); } }";
    let ruleset = small_game::game("large", game(cards), script).unwrap_or_else(|errors| panic!("{errors:?}"));
    let rules = Rules::new(ruleset, 16, Arc::default()).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut run = rules.begin(&Start::Game, 1);
    assert_eq!(rules.resume(&mut run, &mut Random::new(1)), End::Finished);
    let laid = run.table.snapshot();
    (rules, laid)
}

/// What the passes count that make the difference, and the kinds of steps that are in them.
fn units((rules, laid): &(Rules, State), passes: [u64; 2], case: &Case, kinds: &mut u64) -> Result<u64, String> {
    let mut counted = [0; 2];
    for (passes, counted) in passes.iter().zip(&mut counted) {
        let expression = format!("{SETUP} {} for pass in 0..{passes} {{ {}; }} 0", case.setup, case.body);
        let entry = Start::Call { expression, table: Box::new(laid.clone()) };
        let mut run = rules.begin(&entry, 1);
        let end = measured(rules, &mut run);
        if end != End::Finished {
            return Err(format!("{}: {} ends with {end:?}", case.name, case.body));
        }
        for function in &run.code().functions {
            function.steps.iter().for_each(|step| *kinds |= 1 << number_of(step));
        }
        *counted = run.units();
    }
    Ok(counted[1] - counted[0])
}

#[test]
fn no_unit_is_worth_much_more_than_another() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/effort.txt");
    let only = std::env::var("HOUSERULE_ONLY").unwrap_or_default();
    let cases: Vec<Case> = cases().into_iter().filter(|case| case.name.starts_with(&only)).collect();
    let tables = CARDS.map(laid);
    let (mut wrong, mut kinds) = (Vec::new(), 0);
    let mut found: Vec<(String, [u64; 2])> = Vec::new();
    for case in &cases {
        let units = [0, 1].map(|size| units(&tables[size], PASSES[size], case, &mut kinds));
        match units {
            [Ok(small), Ok(large)] => found.push((case.name.clone(), [small, large])),
            [small, large] => wrong.extend([small.err(), large.err()].into_iter().flatten()),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(!only.is_empty() || kinds & KINDS == KINDS, "a kind of step has no case: {:b}", !kinds & KINDS);
    if let Some(folder) = std::env::var_os("HOUSERULE_MEASURED") {
        let measured = taken_from(&PathBuf::from(folder), &found);
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        let all: BTreeMap<&str, [u64; 2]> = before.lines().chain(measured.lines()).filter_map(read).collect();
        let lines: Vec<String> = all.iter().map(|(name, [small, large])| format!("{small} {large} {name}\n")).collect();
        std::fs::write(&path, lines.concat()).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let known: BTreeMap<&str, [u64; 2]> = known.lines().filter_map(read).collect();
    let stale = known.keys().filter(|&&name| only.is_empty() && found.iter().all(|(found, _)| found != name));
    wrong.extend(stale.map(|name| format!("{name} is measured, and is no case")));
    let mut worst = 0;
    for (name, units) in &found {
        let Some(instructions) = known.get(name.as_str()) else {
            wrong.push(format!("{name} was not measured"));
            continue;
        };
        for (instructions, units) in instructions.iter().zip(units) {
            let of_a_unit = instructions.saturating_sub(NOISE) / units;
            worst = worst.max(of_a_unit);
            if of_a_unit > MOST_OF_A_UNIT {
                wrong.push(format!("{name}: {instructions} instructions for {units} units"));
            }
        }
    }
    println!("{worst} instructions for a unit at most");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A line of the file: the instructions on both tables, and the name.
fn read(line: &str) -> Option<(&str, [u64; 2])> {
    let mut parts = line.splitn(3, ' ');
    let mut number = || parts.next()?.parse().ok();
    let instructions = [number()?, number()?];
    Some((parts.next()?, instructions))
}

/// Lines of the file, from what callgrind wrote after each measured run.
fn taken_from(folder: &Path, found: &[(String, [u64; 2])]) -> String {
    let mut dumps: Vec<(u64, PathBuf)> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            Some((path.extension()?.to_str()?.parse().ok()?, path))
        })
        .collect();
    dumps.sort_unstable();
    let total = |(_, path): &(u64, PathBuf)| -> u64 {
        let dump = std::fs::read_to_string(path).unwrap();
        let total = dump.lines().rev().find_map(|line| line.strip_prefix("totals: "));
        total.unwrap_or_default().trim().parse().unwrap_or_default()
    };
    let totals: Vec<u64> = dumps.iter().map(total).collect();
    let mut lines = String::new();
    for ((name, _), [small, small_more, large, large_more]) in found.iter().zip(totals.as_chunks::<4>().0) {
        writeln!(lines, "{} {} {name}", small_more.saturating_sub(*small), large_more.saturating_sub(*large)).unwrap();
    }
    lines
}

/// Whole games stay far below what one may use, so that nobody's game comes to the limit.
#[test]
fn games_use_a_small_part_of_what_they_may() {
    let library = houserule::Disk::library(vec![PathBuf::from(env!("CARGO_MANIFEST_DIR"))]);
    for game in library.games() {
        let ruleset = Ruleset::load(&library, &Selection::of(&game.id)).unwrap();
        let seats = ruleset.definition.players.1;
        let rules = Rules::new(Arc::new(ruleset), seats, Arc::default()).unwrap();
        let (run, end) = rules.play(&Start::Game, 1, &mut Random::new(1), None);
        assert_eq!(end, End::Finished, "{}", game.id);
        println!("{}: {} units in {} decisions", game.id, run.units(), run.table.decisions());
        assert!(run.units() < MAX_UNITS_PER_GAME / 20, "{}: {} units", game.id, run.units());
    }
}
