//! The language that rules are written in: what works, word by word, and what nobody can call.

use crate::shared::small_game;
use houserule::agent::Random;
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::rules::Rules;
use houserule::script::vocabulary::{Form, words};
use houserule::script::{End, Start};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Each line is an expression and what it has to give.
const SURFACE: &str = r#"
-3 + 5                                                  => 2
7 / 2                                                   => 3
-7 / 2                                                  => -3
7 % 2                                                   => 1
-(4)                                                    => -4
!true                                                   => false
true && !false || false                                 => true
1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && 1 != 2            => true
"abc" == "abc" && "abc" < "abd" && "a" != "b"           => true
"ab" + "cd"                                             => "abcd"
"abc".len                                               => 3
p1.rows.len == 3 && p1.rows.empty.len == 3               => true
!p1.rows.is_empty && p1.rows.filled.is_empty             => true
let c = components("card"); c.top(2).move_to(p1.rows.last); [p1.rows.len, p1.rows.components.len, p1.rows.components.is_empty] => [3, 2, false]
p1.rows.except(p1.rows[2]) == p1.rows.first + p1.rows.last => true
p1.rows.contains(p1.rows[2]) && !p1.rows.contains(p2.rows[2]) => true
[data.colors.entry_or_last(0), data.colors.entry_or_last(9)] => ["red", "blue"]
data.colors.is_empty                                     => false
let c = components("card"); [c.position_of(c.last), c.max_by(|card| [card.number / 4, c.position_of(card)]).number] => [5, 6]
let c = components("tile"); c.max("side") == c.first && c.min("side") == c.first => true
let c = components("card"); c.show_to(p2); c.first.show_to(p1); c.first.move_to(p1.rows[1]); p1.rows.show_to(p3); 1 => 1
components("card").max("number").number + components("card").min("number").number => 7
let x = 1; x += 2; x *= 3; x -= 1; x /= 2; x            => 4
let s = "a"; s += "b"; s                                => "ab"
let l = [1]; l += 2; l += [3]; l.push(4); l             => [1, 2, 3, 4]
let l = [[1], options()]; [l.to_string(), `${l}`]       => ["[[1], []]", "[[1], []]"]
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
let n = 0; loop { n += 1; if n == 4 { break; } } n      => 4
switch "b" { "a" => 1, "b" => 2, _ => 3 }               => 2
if 1 > 2 { "yes" } else if 2 > 1 { "else" } else { "no" } => "else"
let n = 0; for p in players { n += p.number; } n        => 6
let n = 0; players.for_each(|p| n += p.number); n       => 6
players.map(|p| p.number).sum_of(|n| n * 2)             => 12
players.where(|p| p != p2)                              => [p1, p3]
players.options(|p| acts("take", "n", 1..=p.number)).len => 6
[1, 2].options(|n| if n == 1 { "pass" } else { options() }).len => 1
(deck + p1.hand).options(|zone| act("look")).len        => 2
components("card").options(|card| options("card", card)).len == components("card").len => true
[].options(|n| n).is_empty && !data.colors.options(|color| color).is_empty => true
let n = 0; acts("a", "n", 1..=3).options(|choice| acts("b", "n", 0..choice.n)).len => 6
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
components("card").above("number", 4) + components("card").below("number", 2) => [5, 6, 1]
components("card").between("number", 2, 4).reversed     => [4, 3, 2]
components() + components("card").first - components("card").first => []
(components("card") - components("card").top(2)).len    => 4
let c = components("card"); c.up_to(c[1])               => [1, 2]
let c = components("card"); c.after(c[3])               => [5, 6]
let c = components("card"); c.after(components("tile").first).len => 0
(components("tile") + components("card").first).of("card") => [1]
components("card").can_sum_to("number", 21, 30)         => true
components("card").can_sum_to("number", 22, 30)         => false
components("card").top(1).can_sum_to("number", 0, 5)    => false
components("card").sorted_by(|c| [c.number % 2, -c.number]) => [6, 4, 2, 5, 3, 1]
components("card").max_by(|c| [c.number % 3, c.number])  => 5
components("card").reversed.min_by(|c| c.number / 10)   => 6
players.reversed.map(|p| p.number) + [1, 2].reversed     => [3, 2, 1, 2, 1]
zone_named("p2.hand") == p2.hand                         => true
let n = 0; components("card").move_to(deck); for c in deck { n += c.number; } n => 21
let t = ""; for color in data.colors { t += color; } t   => "redblue"
components("card").move_to(deck); deck.last.move_under(deck); deck.components => [6, 1, 2, 3, 4, 5]
components("card").move_to(deck); deck.top(2).move_under(deck); deck.components => [5, 6, 1, 2, 3, 4]
components("card").move_to(deck); deck.shuffle_bottom(1); deck.components => [1, 2, 3, 4, 5, 6]
components("card").move_to(deck); deck.shuffle_bottom(99); deck.len => 6
components("card").move_to(deck); deck.shuffle_top(1); deck.components => [1, 2, 3, 4, 5, 6]
components("card").move_to(deck); while deck.last == components("card")[5] { deck.shuffle_top(2); } deck.components => [1, 2, 3, 4, 6, 5]
components("card").move_to(deck); deck.shuffle_top(99); deck.len => 6
let t = components("tile").first; t.flip(); [t.side, t.side_name] => [2, "night"]
let t = components("tile").first; t.flip(); t.flip(); t.side_name => "day"
components("tile").turn_to("night"); components("tile").sum("side") => 4
components("tile").turn_to(2); components("tile").first.turn_to("day"); components("tile").having("side", 2).len => 1
let d = components("die").first; d.turn_to(5); d.pick_up(); d.value => 0
components("die").turn_to(3); components("die").count("value", 3) => 3
components("die").roll(); components("die").all(|d| d.value >= 1 && d.value <= 6 && d.side == d.value) => true
components("die").roll(); components("die").pick_up(); components("die").sum("value") => 0
let c = components("card"); c.top(2).belong_to(p2); [c.owned_by(p2).len, c.last.owner == p2, c.first.is_owned] => [2, true, false]
let c = components("card"); c.belong_to(p1); c.belong_to_nobody(); c.owned_by(p1).len => 0
let n = draw_number("x", 3, 5); n >= 3 && n <= 5         => true
clock()                                                  => 0
p1.busy_for(700); p1.busy_for(0); clock()                => 0
options("seat", players).len + options().len             => 3
(acts("give", "card", components("card").top(2)).and("to", players.except(p1)) + "pass").len => 5
options("seat", p1).and("n", [1, 2]).all(|o| options("seat", p1).and("n", [1, 2, 3]).contains(o)) => true
options("seat", p2).any(|o| o.has("seat") && !o.has("n")) => true
components("card").below("number", 4).first_missing("number", 1) => 4
components("card").first_missing("number", 9)            => 9
let c = components("card"); c.sharing("color", c.top(1))  => [2, 4, 6]
let c = components("card"); c.not_sharing("color", c.top(1)) => [1, 3, 5]
components("card").top(2).reveal(); note("seen", [p1, 2]) => ()
metric("waste", 3); metric("waste", -1)                  => ()
"#;

#[test]
fn expressions_give_what_a_designer_expects() {
    let rules = compiled("fn game() {}").unwrap_or_else(|errors| panic!("{errors}"));
    let table = rules.begin(&Start::Game, 0).table;
    let mut failures = Vec::new();
    for line in SURFACE.trim().lines() {
        let (expression, expected) = line.rsplit_once("=>").unwrap();
        let (expression, expected) = (expression.trim(), expected.trim());
        match rules.evaluate(&table, expression, None) {
            Ok(tried) if tried.result == expected => {}
            Ok(tried) => failures.push(format!("{expression}\n    gives {}, not {expected}", tried.result)),
            Err(error) => failures.push(format!("{expression}\n{}", error.render(false))),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A function that was to take the place of another and does not is the likeliest mistake of all.
#[test]
fn a_function_that_nothing_calls_is_told() {
    let warned = |variant: &str| {
        let rules = "fn game() { trump(); }\nfn trump() { 1 }\nfn for_variants() { 2 }\n";
        let files = [
            ("games/small/game.toml", small_game::GAME),
            ("games/small/rules.rhai", rules),
            ("variants/small/v.toml", "id = 'v'\ngame = 'small'\nname = 'v'\n"),
            ("variants/small/v.rhai", variant),
        ];
        let selection = Selection { game: "small".to_owned(), variants: vec!["v".to_owned()], ..Selection::default() };
        let ruleset = small_game::ruleset(&selection, &files.map(|(path, text)| (path, text.as_bytes()))).unwrap();
        let rules = Rules::new(ruleset, 2, Arc::default());
        joined(rules.unwrap_or_else(|errors| panic!("{}", joined(&errors))).warnings())
    };
    assert_eq!(warned("fn trump() { super() }"), "");
    assert_eq!(warned("fn trump() { for_variants() }"), "");
    let misspelt = warned("fn trunp() { 2 }");
    assert!(misspelt.contains("nothing calls `trunp`") && misspelt.contains("did you mean `trump`"), "{misspelt}");
    let other = warned("fn trump(suit) { suit }");
    assert!(other.contains("nothing calls `trump`") && other.contains("`trump()` is what is called"), "{other}");
    let host = warned("fn polcy(p, prompt, options) { [] }");
    assert!(host.contains("nothing calls `polcy`") && host.contains("did you mean `policy`"), "{host}");
    assert!(warned("fn forgotten() { 2 }").contains("nothing calls `forgotten`"));
}

/// What asks somebody is tried in a game.
const ASKING: &str = r#"fn game() {
    let p = players[1];
    p.award(p.choose_secretly("bid", [7]), "bid");
    p.show_choice("bid", players[2]);
    p.award(p.choose_secretly("bid", [1, 2], |n| n > 1), "bid");
    p.show_choice("bid");
}"#;

#[test]
fn secret_choices_give_what_was_chosen() {
    let rules = compiled(ASKING).unwrap_or_else(|errors| panic!("{errors}"));
    let (run, end) = rules.play(&Start::Game, 1, &mut Random::new(1), None);
    assert_eq!(end, End::Finished);
    assert_eq!(run.table.ranking()[0][0].to_string(), "p1");
    assert_eq!(run.table.score(houserule::table::value::Seat::from_number(1).unwrap()), 9);
}

/// A word that nobody uses is one too many, and nobody would notice if it stopped working.
#[test]
fn every_word_is_used_by_shipped_rules_or_tried_above() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let examples: String = words().map(|word| word.example() + "\n").collect();
    let mut used = SURFACE.to_owned() + ASKING + examples.as_str();
    for folder in ["games", "variants", "scripts"] {
        collect(&root.join(folder), &mut used);
    }
    let is_used = |name: &str| {
        used.match_indices(name).any(|(at, _)| {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            !used[..at].ends_with(is_part) && !used[at + name.len()..].starts_with(is_part)
        })
    };
    let unused: BTreeSet<&str> = words()
        .filter(|word| word.form != Form::Operator && word.name != "to_string" && !is_used(word.name))
        .map(|word| word.name)
        .collect();
    assert!(unused.is_empty(), "no rule uses {unused:?}");
}

/// A word that no shipped game, variant, library or recipe of the cookbook needs is one too many: the reference alone shows
/// nobody what it is good for.
#[test]
fn every_word_is_used_in_a_game_or_a_recipe() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut rules = String::new();
    for folder in ["games", "variants", "scripts"] {
        collect(&root.join(folder), &mut rules);
    }
    let cookbook = std::fs::read_to_string(root.join("docs/cookbook.md")).unwrap();
    let recipes = cookbook.split("```rhai\n").skip(1).filter_map(|rest| rest.split("```").next());
    rules.extend(recipes);
    // What a remark says is no use of it.
    let rules: String =
        rules.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
    let unused: BTreeSet<&str> = words()
        // `${…}` does the same as `to_string`, and is what rules write.
        .filter(|word| word.form != Form::Operator && word.name != "to_string")
        .map(|word| word.name)
        .filter(|name| !words().any(|word| word.name == *name && is_written(word.form, name, &rules)))
        .collect();
    assert!(unused.is_empty(), "no game and no recipe uses {unused:?}");
}

/// Whether rules have a word where it can stand: behind a dot or not, with parentheses or without.
fn is_written(form: Form, name: &str, rules: &str) -> bool {
    rules.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&rules[..at], &rules[at + name.len()..]);
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        match form {
            Form::Function => !before.ends_with(|letter| is_part(letter) || letter == '.') && behind.starts_with('('),
            Form::Property => before.ends_with('.') && !behind.starts_with(|letter| is_part(letter) || letter == '('),
            Form::Method | Form::Callback | Form::Operator => before.ends_with('.') && behind.starts_with('('),
        }
    })
}

fn collect(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            collect(&entry, text);
        } else if entry.extension().is_some_and(|extension| extension == "rhai" || extension == "toml") {
            text.push_str(&std::fs::read_to_string(&entry).unwrap());
        }
    }
}

/// What is checked before anything runs leaves the shipped rules alone, with each variant.
#[test]
fn shipped_rules_pass_the_check() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = houserule::Disk::library(vec![root.to_owned()]);
    for game in library.games() {
        let variants = library.variants(&game.id).into_iter().map(|variant| vec![variant.id]);
        for variants in variants.chain([Vec::new()]) {
            let selection = Selection { game: game.id.clone(), variants, ..Selection::default() };
            let ruleset = Arc::new(Ruleset::load(&library, &selection).unwrap());
            let seats = ruleset.definition.players.0;
            let rules = Rules::new(ruleset, seats, Arc::default())
                .unwrap_or_else(|errors| panic!("{selection:?}\n{}", joined(&errors)));
            let (_, end) = rules.play(&Start::Game, 1, &mut Random::new(1), None);
            assert_eq!(end, End::Finished, "{selection:?}");
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
        let receivers: Vec<&str> = match word.receivers {
            [] => vec![""],
            several => several.iter().map(|receiver| receiver.name()).collect(),
        };
        let parameters: Vec<&str> = word.parameters.iter().map(|parameter| parameter.takes.name()).collect();
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

fn compiled(rules: &str) -> Result<Rules, String> {
    let ruleset = small_game::game("small", small_game::GAME, rules).map_err(|errors| joined(&errors))?;
    Rules::new(ruleset, 3, Arc::default()).map_err(|errors| joined(&errors))
}

fn joined(errors: &[houserule::diagnostic::Diagnostic]) -> String {
    errors.iter().map(|error| error.render(false)).collect::<Vec<_>>().join("\n")
}
