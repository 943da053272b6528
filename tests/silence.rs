//! What was lost without a word is told: as an error where it is certain, as a warning where it is likely.

use houserule::agent::Random;
use houserule::diagnostic::Diagnostic;
use houserule::playthrough::run::Until;
use houserule::playthrough::{Playable, Playthrough};
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use std::sync::Arc;
use tempfile::TempDir;

const GAME: &str = r#"
id = "quiet"
name = { en = "Quiet" }
players = { min = 2, max = 4 }
standing = "standing"
variables.coins = { per = "seat", default = 0 }

[components.card]
kind = "card"
id = "{number}"
attributes = { number = { from = 1, to = 6 }, color = { cycle = ["red", "blue"] }, coins = 3 }

[zones.deck]
name = { en = "deck" }
order = "pile"
visible = "all"
note = "deck_note"
"#;

/// What every script here has beside `game`, unless it says otherwise.
const DRAWN: &str = "fn standing(p) { p.award(1, \"bonus\"); }\nfn deck_note(zone) { `${zone.len}` }\n";

/// A game with these rules, and variants with these scripts and further lines of TOML.
fn game(rules: &str, variants: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (game, over) = (folder.path().join("games/quiet"), folder.path().join("variants/quiet"));
    std::fs::create_dir_all(&game).unwrap();
    std::fs::create_dir_all(&over).unwrap();
    let (text, script) = rules.split_once("---").unwrap_or(("", rules));
    std::fs::write(game.join("game.toml"), format!("{GAME}\n{text}")).unwrap();
    let drawn = if script.contains("fn standing") { "" } else { DRAWN };
    std::fs::write(game.join("rules.rhai"), format!("{script}\n{drawn}")).unwrap();
    for (number, (script, toml)) in variants.iter().enumerate() {
        let id = format!("v{number}");
        let head = format!("id = '{id}'\ngame = 'quiet'\nname = '{id}'\n{toml}\n");
        std::fs::write(over.join(format!("{id}.toml")), head).unwrap();
        std::fs::write(over.join(format!("{id}.rhai")), script).unwrap();
    }
    folder
}

fn ruleset(folder: &TempDir, variants: usize) -> Arc<Ruleset> {
    let variants = (0..variants).map(|number| format!("v{number}")).collect();
    let selection = Selection { game: "quiet".to_owned(), variants, ..Selection::default() };
    let loaded = Ruleset::load(&houserule::Disk::library(vec![folder.path().to_owned()]), &selection);
    Arc::new(loaded.unwrap_or_else(|errors| panic!("{}", shown(&errors))))
}

fn shown(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| diagnostic.render(false)).collect::<Vec<_>>().join("\n")
}

/// The rules, compiled for two players.
fn compiled(rules: &str, variants: &[(&str, &str)]) -> Result<Rules, String> {
    let folder = game(rules, variants);
    Rules::new(ruleset(&folder, variants.len()), 2, Arc::default()).map_err(|errors| shown(&errors))
}

/// The scores of a random game.
#[track_caller]
fn scores(rules: &str, variants: &[(&str, &str)]) -> Vec<i64> {
    let rules = compiled(rules, variants).unwrap_or_else(|errors| panic!("{errors}"));
    let (run, end) = rules.play(&Start::Game, 1, &mut Random::new(1), None);
    assert_eq!(end, End::Finished);
    let seats = houserule::table::value::Seats::all(rules.layout().seats);
    seats.into_iter().map(|seat| run.table.score(seat)).collect()
}

/// What is said about rules, when they are compiled or as they run.
#[track_caller]
fn refused(rules: &str, variants: &[(&str, &str)]) -> String {
    match compiled(rules, variants) {
        Err(errors) => errors,
        Ok(rules) => match rules.play(&Start::Game, 1, &mut Random::new(1), None).1 {
            End::Failed(error) => error.render(false),
            end => panic!("nothing is said: {end:?}"),
        },
    }
}

#[track_caller]
fn has(text: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(text.contains(part), "no `{part}` in\n{text}"));
}

#[test]
fn private_helpers_of_two_variants_do_not_call_each_other() {
    let base = "fn game() { for p in players { score(p); } }\nfn score(p) { }\nfn other() { 7 }";
    let one = "fn score(p) { super(p); p.award(points(p), \"one\"); }\nprivate fn points(p) { 1 }";
    let two = "fn score(p) { super(p); p.award(points(p), \"two\"); }\nprivate fn points(p) { 10 }";
    assert_eq!(scores(base, &[(one, ""), (two, "")]), [11, 11]);
    assert_eq!(scores(base, &[(two, ""), (one, "")]), [11, 11]);
    // Without `private`, the higher one takes the place of the lower one, and that is said.
    let open = |script: &str| script.replace("private ", "");
    assert_eq!(scores(base, &[(&open(one), ""), (&open(two), "")]), [20, 20]);
    let rules = compiled(base, &[(&open(one), ""), (&open(two), "")]).unwrap_or_else(|errors| panic!("{errors}"));
    has(&shown(rules.warnings()), &["v1 replaces `points` of v0"]);
    // A private function leaves the function of the same name below alone, for everybody else.
    let own = "fn score(p) { p.award(other() * 100 + base_other(), \"x\"); }\nprivate fn other() { 1 }";
    let base = &format!("{base}\nfn base_other() {{ other() }}");
    assert_eq!(scores(base, &[(own, "")]), [107, 107]);
    // Handed to a word by its name, with another number of arguments, and beside a name of a function's own.
    let handed = "fn score(p) { let points = 4; p.award(players.map(twice).sum_of(plain) + points, \"x\"); }\n\
                  private fn twice(p) { p.number * 2 }\nfn plain(n) { n }\nprivate fn points(p) { 1000 }\n\
                  fn unused(p) { points(p) }";
    assert_eq!(scores(base, &[(handed, "")]), [10, 10]);
}

#[test]
fn a_private_function_is_nobody_elses() {
    let base = "fn game() { for p in players { score(p); } }\nfn score(p) { }\nprivate fn hidden(p) { 1 }";
    has(&refused(base, &[("fn score(p) { hidden(p) }", "")]), &["there is no `hidden` with one argument"]);
    has(&refused(base, &[("fn hidden(p) { super(p) }", "")]), &["no layer below defines `hidden`"]);
    has(&refused(base, &[("private fn score(p) { super(p) }", "")]), &["`score` is private", "leave `private` out"]);
    let unused = compiled(base, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    has(&shown(unused.warnings()), &["nothing calls `hidden`", "only its own script"]);
    let host = "fn game() { }\nprivate fn standing(p) { }\nfn deck_note(zone) { \"\" }";
    has(&refused(host, &[]), &["`standing` names `standing`", "leave `private` out"]);
}

#[test]
fn a_misspelt_override_is_told_the_name_that_is_near() {
    let base = "fn game() { receiver(players.first, 1); }\nfn receiver(p, number) { p }\nfn reviewer(p) { p }";
    let told = refused(base, &[("fn reciever(p, number) { super(p, number) }", "")]);
    has(&told, &["no layer below defines `reciever` with 2 arguments", "did you mean `receiver`?", "v0.rhai:1:26"]);
    let told = refused(base, &[("fn receiver(p) { super(p) }", "")]);
    has(&told, &["below, it is `receiver(p, number)`", "rules.rhai:2:4"]);
}

#[test]
fn what_belongs_to_something_else_is_not_set_without_a_word() {
    let of_unknown = "fn game() { components(\"card\").for_each(|card| pay(card)); }\nfn pay(card) { card.coins = 9; }";
    has(&refused(of_unknown, &[]), &["`coins` of a component cannot be set", "rules.rhai:2:21"]);
    let of_part = "fn game() { let o = options(\"coins\", [1, 2]); o.for_each(|choice| pay(choice)); }\n\
                   fn pay(choice) { choice.coins = 9; }";
    has(&refused(of_part, &[]), &["`coins` of an option cannot be set"]);
    // A method of an attribute writes nothing.
    let looked = "fn game() { for p in players { p.award(most(components(\"card\").first), \"x\"); } }\n\
                  fn most(card) { card.coins.max(2) }";
    assert_eq!(scores(looked, &[]), [3, 3]);
}

#[test]
fn a_rule_of_the_game_may_speak_of_what_a_variant_takes_away() {
    let base = "fn game() { for p in players { p.award(components(\"card\").having(\"number\", 6).len, \"x\"); } }";
    let fewer = "[components.card.attributes]\nnumber = { from = 1, to = 5 }";
    assert_eq!(scores(base, &[("", fewer)]), [0, 0]);
    let never = base.replace("6)", "7)");
    has(&refused(&never, &[("", fewer)]), &["no component has 7 as its `number`", "rules.rhai:1:76"]);
}

#[test]
fn what_people_read_without_words_is_told_once_with_what_to_write() {
    let rules = "[text]\nplay = { en = \"play\", ja = \"プレイ\" }\nbonus = { en = \"bonus\" }\n---\n\
                 fn game() { begin_phase(\"play\"); for p in players { p.award(1, \"going\"); p.award(2, \"going\"); } \
                 note(\"so it goes\"); }";
    let rules = compiled(rules, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let told = shown(rules.missing_texts());
    has(&told, &["the reason for points `going` has no words in `[text]`", "rules.rhai:2:64"]);
    has(&told, &["add `going = { en = \"…\", ja = \"…\" }` to `[text]`"]);
    has(&told, &["the remark `so it goes` has no words", "add `\"so it goes\" = {"]);
    has(&told, &["the reason for points `bonus` has no Japanese words", "game.toml:"]);
    assert_eq!(rules.missing_texts().len(), 3, "{told}");
    assert!(rules.warnings().is_empty(), "only `check` tells this");
}

#[test]
fn the_reasons_of_a_choice_need_words() {
    let rules = "[text]\nbid = \"bid\"\nbonus = \"bonus\"\nlow = \"too low\"\n---\n\
                 fn game() { let p = players[1]; p.choose(\"bid\", 1..=9, |n| if n < 3 { \"low\" } else { judged(n) }); \
                 p.choose(\"bid\", [5], [6], why_not); }\n\
                 fn judged(n) { if n == 4 { return \"four\"; } switch n { 5 => \"five\", _ => true } }\n\
                 fn why_not(n) { let told = [n].map(|n| { return \"told\"; }); if n > 8 { \"a sentence speaks for itself\" } else { \"high\" } }";
    let rules = compiled(rules, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let told = shown(rules.missing_texts());
    for key in ["four", "five", "high"] {
        has(&told, &[&format!("the refusal `{key}` has no words in `[text]`"), &format!("add `{key} = \"…\"`")]);
    }
    assert_eq!(rules.missing_texts().len(), 3, "{told}");
}

#[test]
fn loops_that_look_where_they_are_are_right() {
    for body in [
        "for n in 1..=list.len { if n < list.len && list[n] == list[n - 1] { x += 1; } }",
        "for n in 0..=list.len { if n == list.len { break; } x += list[n]; }",
        "for n in 1..=list.len { x += list[n - 1]; }",
        "for n in 0..players.len { if n > 0 { players[n].award(1, \"x\"); } }",
        "for n in 1..=list.len { list.push(9); x += list[n]; }",
        "for n in 1..=list.len { list += 9; x += list[n]; }",
        "for n in 1..=list.len { list = longer(list); x += list[n]; }",
        "for n in 1..=pile.len { components(\"card\").first.move_to(pile); x += pile[n].number; }",
        "let c = players[1].choose(\"a\", options(\"o\", act(\"pass\") + \"skip\")); if c.o == \"skip\" { x = 1; }",
    ] {
        let rules = format!(
            "[zones.pile]\nname = \"pile\"\norder = \"pile\"\nvisible = \"all\"\n---\n\
             fn game() {{ let x = 0; let list = [1, 2]; {body} players[1].award(x, \"x\"); }}\n\
             fn longer(list) {{ list + [3] }}"
        );
        if let Err(errors) = compiled(&rules, &[]) {
            panic!("{body}: {errors}");
        }
    }
}

#[test]
fn what_a_setting_asks_is_read_too() {
    let rules = "[settings.hue]\nask = \"name_it\"\nchoices = [\"red\", \"blue\"]\n---\n\
                 fn game() { if table.hue == \"red\" { players.first.award(1, \"bonus\"); } }";
    let rules = compiled(rules, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let told = shown(rules.missing_texts());
    has(&told, &["the prompt `name_it` has no words in `[text]`", "add `name_it = \"…\"` to `[text]`", "game.toml:"]);
}

#[test]
fn rules_in_one_language_lack_no_second_one() {
    let rules = "[text]\nbonus = \"bonus\"\n---\n\
                 fn game() { for p in players { p.award(1, \"going\"); p.award(2, \"bonus\"); } }";
    let rules = compiled(rules, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let told = shown(rules.missing_texts());
    has(&told, &["the reason for points `going` has no words in `[text]`", "add `going = \"…\"` to `[text]`"]);
    assert_eq!(rules.missing_texts().len(), 1, "{told}");
}

#[test]
fn standings_and_captions_that_fail_say_why() {
    let rules = "fn game() { components(\"card\").move_to(deck); while players.first.may(\"bonus\") { } }\n\
                 fn standing(p) { p.award(1 / p.coins, \"bonus\"); }\nfn deck_note(zone) { zone.first.owner.number }";
    let folder = game(rules, &[]);
    let loaded = Playable::compile(ruleset(&folder, 0), 2, Arc::default()).unwrap();
    let (mut game, _) = Playthrough::start(loaded, 2, 1, Vec::new()).unwrap();
    let told = shown(&game.position().undrawn);
    has(&told, &["division by zero", "rules.rhai:2:28", "standings are not shown"]);
    has(&told, &["belongs to nobody", "rules.rhai:3:", "marks and notes of zones are not shown"]);
    assert_eq!(game.position().undrawn.len(), 2, "each once:\n{told}");
    assert!(game.position().failed.is_none());
    game.advance(Box::new(Random::new(1)), Until::End).unwrap();
    assert!(game.position().failed.is_none(), "the game goes on");
    // A standing that asks a player says nothing before the game asks.
    let asks = rules
        .replace("p.award(1 / p.coins, \"bonus\");", "p.may(\"bonus\");")
        .replace("zone.first.owner.number", "\"\"");
    let folder = self::game(&asks, &[]);
    let loaded = Playable::compile(ruleset(&folder, 0), 2, Arc::default()).unwrap();
    let (game, _) = Playthrough::start(loaded, 2, 1, Vec::new()).unwrap();
    assert!(game.position().undrawn.is_empty());
}

/// Correct rules of every kind of uncertainty: nothing is said about any of them.
#[test]
fn what_may_be_right_is_not_called_wrong() {
    let fine = [
        "let x = 1; x = \"a\"; if x == \"a\" { }",
        "let x = (); for p in players { x = p; } x.award(1, \"x\");",
        "let z = deck; z += deck; let n = z.len; let c = z.components;",
        "let choice = players.first.choose(\"x\", options(\"card\", components(\"card\")) + \"none\"); if choice == \"none\" { }",
        "let l = [1, \"a\", deck]; for x in l { if x == \"a\" { } }",
        "let n = 0; players.for_each(|p| n += p.number); note(`${n}`);",
        "let found = (); players.for_each(|p| found = p); if found == players.last { }",
        "let which = if players.len > 2 { \"a\" } else { 3 }; if which == 3 { }",
        "let card = components(\"card\").first; if card.color == \"red\" || card.number > 3 { }",
        "let cards = components(); cards += components(\"card\").first; cards.move_to(deck);",
        "let t = \"\"; t += `${1}`; note(t);",
        "let x = 2 in [1, 2] && players.first in players; if x { }",
        "players.sorted_by(|p| [-p.score, p.number]).first.award(1, \"x\");",
        "let n = min(1, 2).max(3) + 4.max(5) + abs(-3); note(`${n - 1}`);",
        "components(\"card\").where(|c| c.number > 2).map(|c| c.color).where(|t| t == \"red\").len;",
        "for (card, place) in components(\"card\") { if place == 2 { card.move_to(deck); } }",
        "let list = [[1, 2], [3]]; if list[0][1] == 2 { }",
        "switch players.first.number { 1 => note(\"a\"), _ => () }",
        "let x = 0; loop { x = 5; break; } if x == 5 { }",
        "if first_or_nothing(0) == 3 { } if always(2) > 1 { }",
    ];
    for statements in fine {
        let helpers = "fn first_or_nothing(n) { if n == 0 { 3 } }\nfn always(n) { if n > 1 { return n; } else { throw \"no\"; } }";
        let rules = format!("fn game() {{ {statements} }}\n{helpers}");
        let rules = compiled(&rules, &[]).unwrap_or_else(|errors| panic!("{statements}\n{errors}"));
        let (_, end) = rules.play(&Start::Game, 1, &mut Random::new(1), None);
        assert_eq!(end, End::Finished, "{statements}");
    }
}
