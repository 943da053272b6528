//! Other names for things, in every layer, test and text at once; and why not.

use super::client::{GAME, RULES};
use super::questions::stake;
use houserule::Workspace;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const VARIANT: &str = r#"id = "other"
houserule = "0.1"
game = "stake"
name = "Other"
"data.extra+" = [4]
remove = ["text.unused"]
text.more = "more"

[data]
limit = 4

[settings.mode]
default = "fast"
choices = ["fast", "slow"]

[settings.target]
default = 3

[components.token]
kind = "token"
id = "{color}-token"
attributes = { color = ["green"] }

[script]
rhai = '''
fn gain(p, card) {
    if settings.mode == "fast" { super(p, card); }
    switch settings.mode { "slow" => p.award(data.limit, "more"), _ => () }
    let red = p.hand.having("color", "red").len + data["limit"];
    p.award(red + settings.target, "more");
    if card.color != "blue" { p.award(1, "more"); }
}
'''
"#;

const TEST: &str = r#"id = "a"
houserule = "0.1"
title = "more is more"
game = "stake"
variants = ["other"]
set = ["other.mode=slow", "stake.limit=2"]
players = 2

[when]
call = "turn(p1)"
rig = ["shuffle deck red-1 blue-2 red-3"]

[[then]]
asks = "p1 play"
play_until = "end"

[[then]]
gives = { "data.limit" = 2 }
awards = ["p1 1 play", "p1 2 more"]
"#;

fn workspace() -> Workspace {
    let mut workspace = stake(RULES);
    let game = GAME.replace("limit = 3", "limit = 3\nextra = [1]").replace("[text]", "[text]\nunused = \"u\"");
    workspace.set(Path::new("games/stake/game.toml"), Some(&game));
    workspace.set(Path::new("variants/stake/other.toml"), Some(VARIANT));
    workspace.set(Path::new("tests/scenarios/stake/a.toml"), Some(TEST));
    for path in ["games/stake/game.toml", "variants/stake/other.toml", "tests/scenarios/stake/a.toml"] {
        let found = workspace.findings(Path::new(path), &Arc::default());
        assert!(
            found.iter().all(|one| one.diagnostic.code.is_some_and(|code| code.name.starts_with("un"))),
            "{found:?}"
        );
    }
    workspace
}

/// Renames what stands in a file at a text, and gives the lines that change, as they are then.
fn renamed(workspace: &mut Workspace, (path, at): (&str, &str), name: &str) -> Result<Vec<String>, String> {
    let path = Path::new(path);
    let text = workspace.text(path).unwrap().text.clone();
    let offset = text.find(at).unwrap_or_else(|| panic!("{at} in {text}")) + at.len();
    let places = workspace.rename(path, offset, name).map_err(|error| error.to_string())?;
    let mut texts: BTreeMap<PathBuf, (String, Vec<usize>)> = BTreeMap::new();
    for place in places.into_iter().rev() {
        let (text, lines) = texts
            .entry(place.path.clone())
            .or_insert_with(|| (workspace.text(&place.path).unwrap().text.clone(), Vec::new()));
        lines.insert(0, text[..place.span.start].matches('\n').count());
        text.replace_range(place.span, name);
    }
    let lines = |(text, mut lines): (String, Vec<usize>)| {
        lines.dedup();
        lines.into_iter().map(|line| text.lines().nth(line).unwrap().trim().to_owned()).collect::<Vec<_>>()
    };
    Ok(texts.into_values().flat_map(lines).collect())
}

#[test]
fn names_that_stand_in_texts_are_changed_everywhere() {
    let mut workspace = workspace();
    let (game, variant, test) = ("games/stake/game.toml", "variants/stake/other.toml", "tests/scenarios/stake/a.toml");
    let mut check = |at: (&str, &str), name: &str, expected: &[&str]| {
        assert_eq!(
            renamed(&mut workspace, at, name).as_deref().map_err(String::as_str),
            Ok(expected.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>().as_slice()),
            "{at:?}"
        );
    };
    check(
        (game, "color = [\"red\", \"blue\"] }\n".split_at(3).0),
        "hue",
        &[
            "id = \"{hue}-{number}\"",
            "attributes = { number = { from = 1, to = 20 }, hue = [\"red\", \"blue\"] }",
            "id = \"{hue}-token\"",
            "attributes = { hue = [\"green\"] }",
            "let red = p.hand.having(\"hue\", \"red\").len + data[\"limit\"];",
            "if card.hue != \"blue\" { p.award(1, \"more\"); }",
        ],
    );
    check(
        (variant, "p.award(data.lim"),
        "most",
        &[
            "most = 3",
            "deck.deal(data.most, p.hand);",
            "set = [\"other.mode=slow\", \"stake.most=2\"]",
            "gives = { \"data.most\" = 2 }",
            "most = 4",
            "switch settings.mode { \"slow\" => p.award(data.most, \"more\"), _ => () }",
            "let red = p.hand.having(\"color\", \"red\").len + data[\"most\"];",
        ],
    );
    check((game, "ext"), "added", &["added = [1]", "\"data.added+\" = [4]"]);
    check(
        (variant, "p.award(1, \"mo"),
        "better",
        &[
            "awards = [\"p1 1 play\", \"p1 2 better\"]",
            "text.better = \"more\"",
            "switch settings.mode { \"slow\" => p.award(data.limit, \"better\"), _ => () }",
            "p.award(red + settings.target, \"better\");",
            "if card.color != \"blue\" { p.award(1, \"better\"); }",
        ],
    );
    check(
        (test, "asks = \"p1 pl"),
        "put",
        &[
            "play = { en = \"play a card\", ja = \"カードを出す\" }".replace("play =", "put =").as_str(),
            "let card = p.choose(\"put\", p.hand);",
            "fn gain(p, card) { p.award(card.number, \"put\"); }",
            "asks = \"p1 put\"",
            "awards = [\"p1 1 put\", \"p1 2 more\"]",
            "p.award(card.number, \"put\");",
        ],
    );
    check((game, "unus"), "idle", &["idle = \"u\"", "remove = [\"text.idle\"]"]);
    check(
        (variant, "\"slow\" =".split_at(3).0),
        "steady",
        &[
            "set = [\"other.mode=steady\", \"stake.limit=2\"]",
            "choices = [\"fast\", \"steady\"]",
            "switch settings.mode { \"steady\" => p.award(data.limit, \"more\"), _ => () }",
        ],
    );
    check(
        (variant, "default = \"fa"),
        "quick",
        &[
            "default = \"quick\"",
            "choices = [\"quick\", \"slow\"]",
            "if settings.mode == \"quick\" { super(p, card); }",
        ],
    );
    check(
        (variant, "[settings.mo"),
        "pace",
        &[
            "set = [\"other.pace=slow\", \"stake.limit=2\"]",
            "[settings.pace]",
            "if settings.pace == \"fast\" { super(p, card); }",
            "switch settings.pace { \"slow\" => p.award(data.limit, \"more\"), _ => () }",
        ],
    );
    check(
        (game, "[components.ca"),
        "sheet",
        &["[components.sheet]", "components(\"sheet\").move_to(deck); deck.shuffle();"],
    );
}

#[test]
fn a_name_that_may_be_meant_elsewhere_keeps_as_it_is() {
    let (game, variant, rules) = ("games/stake/game.toml", "variants/stake/other.toml", "games/stake/rules.rhai");
    for (at, name, why) in [
        ((variant, "attributes = { col"), "number", "already"),
        ((game, "limi"), "extra", "already"),
        ((variant, "text.mo"), "play", "already"),
        ((variant, "\"sl"), "fast", "already"),
        ((variant, "[settings.mo"), "target", "already"),
        ((variant, "attributes = { col"), "a b", "cannot be a name"),
        ((variant, "text.mo"), "", "cannot be a name"),
        ((variant, "\"sl"), "a\"b", "cannot be a name"),
        ((variant, "game = \"st"), "other", "name of a file"),
        ((rules, "p.awa"), "other", "word of the language"),
        ((rules, "// none"), "other", "no name here"),
    ] {
        let mut workspace = workspace();
        workspace.set(Path::new(rules), Some(&format!("{RULES}// none\n")));
        let refused = renamed(&mut workspace, at, name);
        assert!(refused.as_ref().is_err_and(|refused| refused.contains(why)), "{at:?} {name}: {refused:?}");
    }
    // A text that is what is asked for elsewhere, a member of something that nobody knows, a list of names in the data.
    for (path, from, to, at, why) in [
        (
            rules,
            "fn gain",
            "fn pick() { let key = \"color\"; key }\n\nfn gain",
            (variant, "attributes = { col"),
            "rules.rhai:15",
        ),
        (game, "extra = [1]", "extra = [1]\norder = [\"color\"]", (variant, "attributes = { col"), "game.toml:9"),
        (
            variant,
            "fn gain(p, card) {\n",
            "fn gain(p, card) {\n    let x = settings.mode; if x == \"slow\" { }\n",
            (variant, "choices = [\"fast\", \"sl"),
            "other.toml:27",
        ),
    ] {
        let mut workspace = workspace();
        let text = workspace.text(Path::new(path)).unwrap().text.replace(from, to);
        workspace.set(Path::new(path), Some(&text));
        let refused = renamed(&mut workspace, at, "hue");
        assert!(
            refused.as_ref().is_err_and(|refused| refused.contains("may mean something else") && refused.contains(why)),
            "{to}: {refused:?}"
        );
    }
    // What would be wrong afterwards: a variable of a setting is declared by its key.
    let mut workspace = workspace();
    let text = VARIANT
        .replace("[settings.target]\ndefault = 3", "[settings.target]\nask = \"more\"\nchoices = [\"a\", \"b\"]")
        .replace("settings.target", "table.target.len")
        .replace("[table.target.len]", "[settings.target]");
    workspace.set(Path::new(variant), Some(&text));
    let refused = renamed(&mut workspace, (variant, "[settings.tar"), "aim");
    assert!(refused.as_ref().is_err_and(|refused| refused.starts_with("with `aim`, ")), "{refused:?}");
}
