//! The language that rules are written in: what works, word by word, and what nobody can call.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

use houserule::agent::Random;
use houserule::definition::Library;
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::vocabulary::{Form, words};
use houserule::script::{End, Entry, Interpreter, Rules};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Each line is an expression and what it has to give.
const SURFACE: &str = r#"
-3 + 5                                                  => 2
7 / 2                                                   => 3
-7 / 2                                                  => -3
7 % 2                                                   => 1
2 ** 5                                                  => 32
-(4)                                                    => -4
!true                                                   => false
true && !false || false                                 => true
1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && 1 != 2            => true
"abc" == "abc" && "abc" < "abd" && "a" != "b"           => true
"ab" + "cd"                                             => "abcd"
"abc".len                                               => 3
let x = 1; x += 2; x *= 3; x -= 1; x /= 2; x            => 4
let s = "a"; s += "b"; s                                => "ab"
let l = [1]; l += 2; l += [3]; l.push(4); l             => [1, 2, 3, 4]
[1, 2] + [3]                                            => [1, 2, 3]
[1, 2] == [1, 2] && [1, 2] != [2, 1]                    => true
let l = [1, 2]; l[0] = 5; l                             => [5, 2]
2 in [1, 2] && !(3 in [1, 2]) && "a" in ["a"]           => true
[1, 2].contains(2)                                      => true
"red" in data.colors                                    => true
p1 in players && p1 != p2 && p1 == players[1]           => true
let n = 0; for i in 0..4 { n += i; } n                  => 6
let n = 0; for i in 1..=4 { n += i; } n                 => 10
let n = 0; while n < 5 { n += 1; } n                    => 5
let n = 0; do { n += 1; } while n < 3; n                => 3
let n = 0; loop { n += 1; if n == 4 { break; } } n      => 4
switch 3 { 1 => "one", 2..5 => "few", _ => "many" }     => "few"
switch "b" { "a" => 1, "b" => 2, _ => 3 }               => 2
if 1 > 2 { "yes" } else if 2 > 1 { "else" } else { "no" } => "else"
let n = 0; for p in players { n += p.number; } n        => 6
let n = 0; players.for_each(|p| n += p.number); n       => 6
players.map(|p| p.number).sum_of(|n| n * 2)             => 12
players.where(|p| p != p2)                              => [p1, p3]
players.except(p2) == players.where(|p| p != p2)        => true
abs(-3) + min(1, 2) + max(1, 2)                         => 6
`${1 + 1} ${true} ${p1} ${players}`                     => "2 true p1 [p1, p2, p3]"
`${deck} ${p1.hand} ${[1, "a", p2]}`                    => "deck p1.hand [1, a, p2]"
`${components("card").first} ${components("card").having("color", "red")}` => "1 [1, 3, 5]"
components("card").having("color", "red") == components("card").without("color", "blue") => true
players.map(|p| players.len) => [3, 3, 3]
components("card").where(|card| components("card").contains(card)).len == components("card").len => true
(components("card") + components("card")).len == components("card").len => true
deck + p1.hand == deck + p1.hand + deck                 => true
table.special = "red"; table.special                    => "red"
let p = p1; p.score += 3; p.score                                 => 3
data.bonus + data["bonus"]                              => 6
let list = []; list.is_empty && list.len == 0           => true
"#;

const GAME: &str = r#"
id = "language"
name = { en = "Language" }
players = { min = 2, max = 4 }
data = { bonus = 3, colors = ["red", "blue"] }
variables.special.default = ""

[components.card]
kind = "card"
id = "{number}"
face = "{number}"
attributes = { number = { from = 1, to = 6 }, color = { cycle = "data.colors" } }

[zones.deck]
name = { en = "deck" }
order = "pile"
visible = "none"

[zones.hand]
name = { en = "hand" }
per = "seat"
order = "hand"
visible = "owner"
"#;

#[test]
fn expressions_give_what_a_designer_expects() {
    let mut rules = compiled("fn game() {}").unwrap_or_else(|errors| panic!("{errors}"));
    let mut failures = Vec::new();
    for line in SURFACE.trim().lines() {
        let (expression, expected) = line.rsplit_once("=>").unwrap();
        let (expression, expected) = (expression.trim(), expected.trim());
        match rules.evaluate(expression) {
            Ok(tried) if tried.result == expected => {}
            Ok(tried) => failures.push(format!("{expression}\n    gives {}, not {expected}", tried.result)),
            Err(error) => failures.push(format!("{expression}\n{}", error.render(false))),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What is checked before anything runs leaves the shipped rules alone, with each variant.
#[test]
fn shipped_rules_pass_the_check() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = Library::new(vec![root.to_owned()]);
    for game in library.games() {
        let variants = library.variants(&game.id).into_iter().map(|variant| vec![variant.id]);
        for variants in variants.chain([Vec::new()]) {
            let selection = Selection { game: game.id.clone(), variants, ..Selection::default() };
            let ruleset = Arc::new(Ruleset::load(&library, &selection).unwrap());
            let seats = ruleset.definition.players.0;
            let mut rules = Interpreter::new(ruleset, seats, Arc::default())
                .unwrap_or_else(|errors| panic!("{selection:?}\n{}", joined(&errors)));
            assert_eq!(rules.run(&Entry::Game, 1, Box::new(Random::new(1)), None), End::Finished, "{selection:?}");
        }
    }
}

/// Everything that a script can call stands in `vocabulary.txt`: whoever adds a word adds it there, and sees in the
/// difference what scripts can do from then on. `HOUSERULE_BLESS=1` writes the file.
#[test]
fn scripts_can_call_what_the_list_says_and_nothing_else() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vocabulary.txt");
    let mut visible: BTreeSet<String> = BTreeSet::new();
    for word in words() {
        let receivers: &[&str] = if word.receivers.is_empty() { &[""] } else { word.receivers };
        let parameters: Vec<&str> = word.parameters.iter().map(|(_, sort)| *sort).collect();
        for receiver in receivers {
            visible.insert(match word.form {
                Form::Property => format!("{receiver}.{}", word.name),
                Form::Operator => format!("{receiver} {} {}", word.name, parameters.join(", ")),
                _ if receiver.is_empty() => format!("{}({})", word.name, parameters.join(", ")),
                _ => format!("{receiver}.{}({})", word.name, parameters.join(", ")),
            });
        }
    }
    let visible = visible.into_iter().collect::<Vec<_>>().join("\n") + "\n";
    if std::env::var_os("HOUSERULE_BLESS").is_some() {
        std::fs::write(&path, &visible).unwrap();
    }
    assert_eq!(visible, std::fs::read_to_string(&path).unwrap(), "see tests/vocabulary.txt");
}

/// The functions of Rhai's own packages, with any number of arguments.
const STANDARD_FUNCTIONS: &str = "
    append apply_str bits blob bytes ceiling chars chop clear cos crop dedup drain drop end ends_with exclusive exit exp
    extract extract_bits fill_with filter find find_map floor fraction get get_bit get_bits index_of insert int
    inclusive is_anonymous is_even is_infinite is_nan is_odd is_zero iter keys ln log make_lower make_upper mixin
    nth order pad parse_be_float parse_be_int parse_float parse_int parse_json parse_le_int pop range reduce reduce_rev
    remove replace resize retain reverse round set set_bit set_bits set_tag shift sign sin sleep some sort sort_by
    sort_desc splice split split_at split_rev sqrt start starts_with step sub_string tag take tan timestamp to_array
    to_binary to_blob to_chars to_debug to_degrees to_float to_hex to_int to_json to_lower to_octal to_radians
    to_upper trim truncate values write_ascii write_be write_le write_utf8 zip elapsed values_mut call_fn
    eval import print debug Fn call curry type_of is_def_fn is_def_var is_shared
";

#[test]
fn no_function_of_the_standard_packages_can_be_called() {
    let mut called = Vec::new();
    for name in STANDARD_FUNCTIONS.split_whitespace() {
        for arguments in ["", "1", "1, 2", "1, 2, 3", "1, 2, 3, 4"] {
            for call in [format!("{name}({arguments})"), format!("\"text\".{name}({arguments})")] {
                if compiled(&format!("fn game() {{ {call}; }}")).is_ok() {
                    called.push(call);
                }
            }
        }
    }
    assert!(called.is_empty(), "scripts can call {}", called.join(", "));
    // As a probe of the probe: a word passes.
    assert!(compiled("fn game() { abs(1); }").is_ok());
}

fn compiled(rules: &str) -> Result<Interpreter, String> {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("games/language");
    std::fs::create_dir_all(&game).unwrap();
    std::fs::write(game.join("game.toml"), GAME).unwrap();
    std::fs::write(game.join("rules.rhai"), rules).unwrap();
    let library = Library::new(vec![folder.path().to_owned()]);
    let selection = Selection { game: "language".to_owned(), ..Selection::default() };
    let ruleset = Arc::new(Ruleset::load(&library, &selection).map_err(|errors| joined(&errors))?);
    Interpreter::new(ruleset, 3, Arc::default()).map_err(|errors| joined(&errors))
}

fn joined(errors: &[houserule::diagnostic::Diagnostic]) -> String {
    errors.iter().map(|error| error.render(false)).collect::<Vec<_>>().join("\n")
}
