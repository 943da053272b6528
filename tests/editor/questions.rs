//! What an editor asks of a [`Workspace`] in this process, where there can be many questions: of texts that are broken in every way.

use super::attack::{Dice, ask_everything, find_everything};
use super::client::{GAME, RULES, VARIANT};
use houserule::{Language, Library, MemoryFiles, Workspace, built_in};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Whatever a file has come to at a key stroke, it is understood, and the functions around the hole are.
#[test]
fn every_prefix_of_every_shipped_file_is_understood() {
    let library = built_in();
    let mut files: Vec<PathBuf> = Vec::new();
    for game in library.games() {
        files.push(game.origin.path().to_owned());
        files.push(game.origin.path().with_file_name("rules.rhai"));
        files.extend(library.variants(&game.id).into_iter().map(|variant| variant.origin.path().to_owned()));
    }
    files.extend(library.rule_libraries().into_iter().map(|library| library.origin.path().to_owned()));
    let scenarios = houserule::find_scenarios(&[], &library);
    files.extend(scenarios.into_iter().step_by(20));
    assert!(files.len() > 50);
    let mut workspace = Workspace::new(library, Language::English);
    let mut dice = Dice(1);
    for (number, path) in files.iter().enumerate() {
        let Some(source) = workspace.text(path) else { continue };
        // Every file has its own places, so that over all of them there are places of every sort.
        let ends = (number % 97..source.text.len()).step_by(1009).filter(|&end| source.text.is_char_boundary(end));
        for (round, end) in ends.enumerate() {
            // The text up to here, or all of it with something else here.
            let text = match round % 3 {
                0 => mutant(&source.text, end, &mut dice),
                _ => source.text[..end].to_owned(),
            };
            workspace.set(path, Some(&text));
            ask_everything(&mut workspace, path, end.min(text.len()));
            if round % 4 == 0 {
                find_everything(&mut workspace, path, &text);
            }
        }
        workspace.set(path, None);
    }
}

/// A text in which something at a place is missing, doubled, or another.
fn mutant(text: &str, at: usize, dice: &mut Dice) -> String {
    let (before, behind) = text.split_at(at);
    let skipped = behind.char_indices().nth(1 + dice.roll(30)).map_or(behind.len(), |(end, _)| end);
    let other = dice
        .of(&["", "{", "}", "(", ")", "[", "\"", "'''", "`${", "/*", "fn ", "🎴", "\n", "= ", "#", "\\", "p.", ","]);
    match dice.roll(3) {
        0 => format!("{before}{other}{behind}"),
        1 => format!("{before}{other}{}", &behind[skipped..]),
        _ => format!("{before}{}{other}{behind}", &behind[..skipped]),
    }
}

pub fn stake(rules: &str) -> Workspace {
    let files =
        [("games/stake/game.toml", GAME), ("games/stake/rules.rhai", rules), ("variants/stake/double.toml", VARIANT)];
    Workspace::new(Library::of(Arc::new(MemoryFiles::new(files)), vec!["".into()]), Language::English)
}

/// What is offered where `‸` stands in the rules.
#[track_caller]
fn offered(rules: &str) -> Vec<String> {
    offered_in("games/stake/rules.rhai", rules)
}

#[track_caller]
pub fn offered_in(path: &str, text: &str) -> Vec<String> {
    let at = text.find('‸').expect("a place is marked");
    let mut workspace = stake(RULES);
    let path = Path::new(path);
    workspace.set(path, Some(&text.replace('‸', "")));
    workspace.complete(path, at).into_iter().map(|one| one.label).collect()
}

#[test]
fn completion_works_inside_a_function_that_is_broken() {
    let has = |rules: &str, name: &str| {
        let found = offered(rules);
        assert!(found.iter().any(|one| one == name), "{rules}: no {name} in {found:?}");
    };
    let before = "fn game() { for p in players { turn(p); } }\nfn other(c) { c }\n";
    has(&format!("{before}fn turn(p) {{ if p.‸\nfn next() {{ }}"), "hand");
    has(&format!("{before}fn turn(p) {{ p.hand.‸ }}"), "shuffle");
    has(&format!("{before}fn turn(p) {{ let h = p.hand; if (h.‸"), "top");
    has(&format!("{before}fn turn(p) {{ for c in p.hand {{ c.‸"), "number");
    has(&format!("{before}fn turn(p) {{ players.any(|q| q.‸"), "hand");
    has(&format!("{before}fn turn(p) {{ let card = p.choose(\"play\", p.hand); card.‸"), "color");
    has(&format!("{before}fn turn(p) {{ table.‸"), "pot");
    has(&format!("{before}fn turn(p) {{ data.‸"), "limit");
    has(&format!("{before}fn turn(p) {{ p.choose(\"‸"), "play");
    has(&format!("{before}fn turn(p) {{ p.hand.having(\"‸"), "color");
    has(&format!("{before}fn turn(p) {{ p.hand.having(\"color\", \"‸"), "blue");
    has(&format!("{before}fn turn(p) {{ p.hand.any(|c| c.color == \"‸"), "red");
    has(&format!("{before}fn turn(p) {{ let card = p.hand.first; switch card.color {{ \"red\" => 1, \"‸"), "blue");
    has(&format!("{before}fn turn(p) {{ switch p.hand.first.color {{ \"‸"), "red");
    has(&format!("{before}fn turn(p) {{ players.pick(\"‸"), "play");
    has(&format!("{before}fn turn(p) {{ de‸"), "deck");
    has(&format!("{before}fn turn(p) {{ let own = 1; ‸"), "own");
    has(&format!("{before}fn turn(p) {{ oth‸"), "other");
    has(&format!("{before}‸"), "fn value");
    for nothing in ["// p.‸", "let ‸", "fn turn(p) { let x = 12‸", "fn turn(p) { note(`p.‸`)"] {
        assert_eq!(offered(&format!("{before}fn game() {{ {nothing}")), [""; 0], "{nothing}");
    }
}

#[test]
fn completion_knows_what_toml_files_may_have() {
    let variant = "variants/stake/double.toml";
    let has = |text: &str, name: &str| {
        let found = offered_in(variant, text);
        assert!(found.iter().any(|one| one == name), "{text}: no {name} in {found:?}");
    };
    let head = "id = \"double\"\ngame = \"stake\"\nname = \"Double\"\n";
    has(&format!("{head}req‸"), "requires");
    has(&format!("{head}game = \"‸\""), "stake");
    has(&format!("{head}[zo‸"), "zones");
    has(&format!("{head}[zones.‸"), "hand");
    has(&format!("{head}[zones.deck]\nvis‸"), "visible");
    has(&format!("{head}[zones.deck]\nvisible = \"‸\""), "owner");
    has(&format!("{head}[zones.deck]\nvisible = \"ow‸\n"), "owner");
    has(&format!("{head}[script]\nrhai = '''\nfn gain(p, card) {{ p.‸"), "hand");
    has(&format!("{head}zones.deck = {{ ord‸"), "order");
    has(&format!("{head}[text]\n‸"), "play");
    has(&format!("{head}[text]\nplay = {{ ‸ }}"), "ja");
    has("id = \"double\"\ngame = \"stake\"\nname = { en = \"D\", ‸ }", "ja");
    has(&format!("{head}[data]\n‸"), "limit");
    has(&format!("{head}standing = \"‸\""), "turn");
    has(&format!("{head}[script]\nrhai = '''\nfn ‸\n'''"), "turn");
    has(&format!("{head}[script]\nrhai = '''\nfn gain(p, card) {{ su‸ }}\n'''"), "super");
    has(&format!("{head}[keeps]\n‸"), "pot");
    has(&format!("{head}[bounds]\n‸"), "score");
    has(&format!("{head}[attributes.color]\n‸"), "red");
    has(&format!("{head}[components.card.attributes]\n‸"), "number");
    has(&format!("{head}remove = [\"‸\"]"), "zones.deck");
    has(&format!("{head}[settings.mode]\nchoices = [\"fast\", \"slow\"]\ndefault = \"‸\""), "slow");
    has(&format!("{head}[settings.mode]\nask = \"‸\""), "play");
    let test = "id = \"a\"\ntitle = \"a\"\ngame = \"stake\"\n";
    let in_test = |text: &str, name: &str| {
        let found = offered_in("tests/scenarios/stake/a.toml", &format!("{test}{text}"));
        assert!(found.iter().any(|one| one == name), "{text}: no {name} in {found:?}");
    };
    in_test("[given]\np1.hand = [\"‸\"]", "red-3");
    in_test("[given]\np1.‸", "hand");
    in_test("[given]\n‸", "deck");
    in_test("[[then]]\nasks = \"‸\"", "p2 play");
    in_test("[[then]]\nchoose = \"‸\"", "blue-7");
    in_test("[[then]]\noptions = [\"red-1\", \"‸\"]", "p1.hand");
    in_test("[[then]]\nawards = [\"‸\"]", "p1 1 play");
    in_test("[[then]]\nplay_until = \"‸\"", "next turn");
    in_test("[[then]]\n‸", "choose");
    in_test("[when]\ncall = \"tu‸\"", "turn");
    in_test("variants = [\"‸\"]", "double");
    assert!(
        !offered_in(variant, &format!("{head}‸")).contains(&"game".to_owned()),
        "what is there is not offered again"
    );
}

#[test]
fn functions_to_override_are_written_with_super() {
    let mut workspace = stake(RULES);
    let path = Path::new("variants/stake/double.toml");
    let text = VARIANT.replace("fn gain(p, card)", "\nfn gain(p, card)");
    let at = text.find("\n\nfn gain").unwrap() + 1;
    workspace.set(path, Some(&text));
    let found = workspace.complete(path, at);
    let turn = found.iter().find(|one| one.label == "fn turn").unwrap();
    assert_eq!(turn.text, "/// One turn.\nfn turn(p) {\n    super(p);\n    $0\n}");
    assert!(found.iter().all(|one| one.label != "fn gain"), "what is overridden already is not offered");
}

/// A file with everything done that is offered about its findings, and the other files that change by that.
fn mended(workspace: &mut Workspace, path: &str, text: &str) -> Vec<(PathBuf, String)> {
    let path = Path::new(path);
    workspace.set(path, Some(text));
    let mut changes: Vec<_> = workspace.fixes(path, &(0..text.len())).into_iter().flat_map(|fix| fix.changes).collect();
    changes.sort_by_key(|change| std::cmp::Reverse(change.span.start));
    let mut files = std::collections::BTreeMap::new();
    for change in changes {
        let text =
            files.entry(change.path.clone()).or_insert_with(|| workspace.text(&change.path).unwrap().text.clone());
        text.replace_range(change.span, &change.text);
    }
    files.into_iter().collect()
}

#[test]
fn a_variant_comes_to_require_what_it_sets() {
    let path = "variants/stake/other.toml";
    let head = "id = \"other\"\ngame = \"stake\"\nname = \"Other\"\n";
    for (before, after) in [
        ("", "game = \"stake\"\nrequires = [\"double\"]\n"),
        ("requires = []\n", "requires = [\"double\"]\n"),
        ("requires = [\"x\"]\n", "requires = [\"x\", \"double\"]\n"),
    ] {
        let text = format!("{head}{before}\n[with.double]\nn = 2\n");
        let found = mended(&mut stake(RULES), path, &text);
        assert!(found.len() == 1 && found[0].1.contains(after), "{before}: {found:?}");
    }
}

#[test]
fn texts_get_words_in_the_other_language() {
    let game = "games/stake/game.toml";
    let text = GAME.replace("{ en = \"play a card\", ja = \"カードを出す\" }", "\"play\"");
    let text = text.replace("name = { en = \"Stake\", ja = \"賭け\" }", "name = { en = \"Stake\" }");
    let mut workspace = stake(RULES);
    let path = Path::new(game);
    workspace.set(path, Some(&text));
    let mut at = |part: &str| {
        let at = text.find(part).unwrap();
        let fixes = workspace.fixes(path, &(at..at)).into_iter();
        fixes.map(|fix| (fix.title, fix.found.is_some(), fix.changes[0].text.clone())).collect::<Vec<_>>()
    };
    let title = "add Japanese words".to_owned();
    assert_eq!(at("play = "), [(title.clone(), false, "{ en = \"play\", ja = \"…\" }".to_owned())]);
    assert_eq!(at("name = { en"), [(title.clone(), false, ", ja = \"…\"".to_owned())]);
    assert_eq!(at("name = \"deck\""), [(title.clone(), false, "{ en = \"deck\", ja = \"…\" }".to_owned())]);
    for nothing in ["id = \"stake\"", "limit = 3", "kind = "] {
        assert_eq!(at(nothing), [], "{nothing}");
    }
    // Where other texts have two languages, one that has not is a finding.
    let text = GAME.replace("[text]", "[text]\nmore = \"more\"");
    let rules = RULES.replace("p.award(card.number, \"play\")", "p.award(card.number, \"more\")");
    let found = mended(&mut stake(&rules), game, &text);
    assert_eq!(found.len(), 1);
    assert!(found[0].1.contains("\nmore = { en = \"more\", ja = \"…\" }\n"), "{}", found[0].1);
}

#[test]
fn texts_of_any_letters_get_words_that_are_toml() {
    for text in ["say_it", "say … \"now\"", "a\\b", "two\nlines", "{ }", "'", "a\u{7f}", "日本", "`x` y"] {
        let rules = RULES.replace("p.award(card.number, \"play\")", &format!("p.award(card.number, {})", json!(text)));
        let found = mended(&mut stake(RULES), "games/stake/rules.rhai", &rules);
        assert!(found[0].0.ends_with("game.toml"), "{found:?}");
        let mended: toml::Table = found[0].1.parse().unwrap_or_else(|error| panic!("{text}: {error}\n{}", found[0].1));
        let words = mended["text"].get(text).unwrap_or_else(|| panic!("{text}: {}", found[0].1));
        assert_eq!(words["en"].as_str(), Some(&*text.replace('_', " ")));
        assert_eq!(words["ja"].as_str(), Some("…"));
    }
}

#[test]
fn a_function_that_hides_a_word_gets_a_name_of_its_own_everywhere() {
    let variant = VARIANT.replace("super(p, card);", "super(p, card); draw_number(\"play\", 1, 2);");
    let rules = format!("{RULES}\nfn draw_number(lot, low, high) {{ high }}\n");
    let mut workspace = stake(RULES);
    workspace.set(Path::new("variants/stake/double.toml"), Some(&variant));
    let rules = rules.replace("fn gain(p, card) { p", "fn gain(p, card) { draw_number(\"play\", 1, 6); p");
    let found = mended(&mut workspace, "games/stake/rules.rhai", &rules);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0].1, rules.replace("draw_number", "own_draw_number"));
    assert_eq!(found[1].1, variant.replace("draw_number", "own_draw_number"));
}

#[test]
fn holes_hide_nothing_of_what_is_whole() {
    let workspace = |rules: &str| {
        let mut workspace = stake(RULES);
        workspace.set(Path::new("games/stake/rules.rhai"), Some(rules));
        let found = workspace.findings(Path::new("games/stake/rules.rhai"), &Arc::default());
        found
            .into_iter()
            .map(|one| (one.diagnostic.code.unwrap().name, rules[..one.span.start].matches('\n').count() + 1))
            .collect::<Vec<_>>()
    };
    let broken = RULES
        .replace("let card = p.choose(\"play\", p.hand);", "let card = p.choose(\"play\", ;")
        .replace("p.award(card.number, \"play\")", "p.awrad(card.number, \"play\")");
    assert_eq!(workspace(&broken), [("syntax", 10), ("unknown-function", 15)]);
    // Two holes, one of them a head.
    let broken =
        broken.replace("for p in players { turn(p); }", "for p in { turn(p); }").replace("fn turn(p) {", "fn turn(p {");
    let found = workspace(&broken);
    assert!(
        found.iter().filter(|(code, _)| *code == "syntax").count() >= 2 && found.contains(&("unknown-function", 15)),
        "{found:?}"
    );
    // What is missing of a hole makes nothing else unused.
    assert_eq!(workspace(&RULES.replace("gain(p, card);\n", "gain(p, card\n")).len(), 1);
}

/// Expressions of a test stand in strings with escapes, and in keys: what they name is found there, and renamed there.
#[test]
fn code_in_strings_with_escapes_is_at_its_place() {
    let mut workspace = stake(RULES);
    let path = Path::new("tests/scenarios/stake/a.toml");
    let text = "id = \"a\"\ntitle = \"日本\"\ngame = \"stake\"\nplayers = 2\n\n[when]\ncall = \"note(\\\"日\\u672c🎴\\\"); turn(p1)\"\n\n[[then]]\ngives = { \"value_of(p1)\" = 1 }\nzones.p1.hand = []\n";
    let rules = RULES.to_owned() + "\nfn value_of(p) { p.hand.len }\n";
    workspace.set(Path::new("games/stake/rules.rhai"), Some(&rules));
    workspace.set(path, Some(text));
    for (name, defined) in [("turn(p1)", "fn turn"), ("value_of(p1)", "fn value_of")] {
        let found = workspace.definition(path, text.find(name).unwrap() + 1);
        let expected = rules.find(defined).unwrap() + 3;
        assert_eq!(found.iter().map(|one| one.span.start).collect::<Vec<_>>(), [expected], "{name}");
        let places = workspace.rename(Path::new("games/stake/rules.rhai"), expected, "other").unwrap();
        let here = places.iter().find(|place| place.path == path).unwrap_or_else(|| panic!("{places:?}"));
        assert_eq!(text.get(here.span.clone()), name.split('(').next());
    }
    let zone = workspace.hover(path, text.find("hand").unwrap()).unwrap();
    assert!(zone.markdown.contains("only its player sees it"), "{zone:?}");
}

#[test]
fn a_library_that_no_game_uses_is_looked_at_by_itself() {
    let mut workspace = stake(RULES);
    let path = Path::new("scripts/own.rhai");
    workspace.set(path, Some("/// Deals.\nfn deal_all(n) { decks.deal(n, players); }\nfn half(n) { n / ; }\n"));
    let found = workspace.findings(path, &Arc::default());
    let found: Vec<_> = found.iter().map(|one| (one.diagnostic.code.unwrap().name, one.span.start > 60)).collect();
    assert_eq!(found.first(), Some(&("syntax", true)), "{found:?}");
    // What is no part of any rules is nobody's business; what cannot be read is told.
    workspace.set(Path::new("notes.toml"), Some("a = \n"));
    assert!(workspace.findings(Path::new("notes.toml"), &Arc::default()).is_empty());
    workspace.set(Path::new("notes.toml"), None);
    assert_eq!(workspace.findings(Path::new("notes.toml"), &Arc::default()).len(), 1);
}

#[test]
fn ten_thousand_changes_leave_nothing_behind() {
    let mut workspace = stake(RULES);
    let rules = Path::new("games/stake/rules.rhai");
    let mut size = 0;
    for round in 0..10_000_usize {
        let end = RULES.len() - round % 40;
        workspace.set(rules, Some(&RULES[..end]));
        if round % 100 == 0 {
            workspace.complete(rules, end);
            workspace.hover(rules, end / 2);
            // Everything that is kept can be seen in it.
            let shown = format!("{workspace:?}").len();
            assert!(round < 200 || shown <= size, "{round}: {shown} after {size}");
            size = size.max(shown) + usize::from(round < 200) * 2_000;
        }
    }
    workspace.set(rules, None);
    assert_eq!(workspace.open().count(), 0);
}
