//! Recipes of the cookbook that an editor writes.

use super::questions::{offered_in, stake};
use houserule::parts::Completion;
use houserule::{Language, Library, MemoryFiles, Severity, Workspace};
use std::path::Path;
use std::sync::Arc;

/// The recipes that are offered at the end of a text.
fn recipes(workspace: &mut Workspace, path: &str, text: &str) -> Vec<Completion> {
    workspace.set(Path::new(path), Some(text));
    let found = workspace.complete(Path::new(path), text.len());
    found.into_iter().filter(|one| one.detail == "a recipe of the cookbook").collect()
}

/// What is written where nobody types at the places of a snippet.
fn plain(snippet: &str) -> String {
    let name = snippet.split("${1:").nth(1).and_then(|rest| rest.split('}').next()).unwrap_or("").to_owned();
    let text = snippet.replace(&format!("${{1:{name}}}"), &name);
    text.replace("\\$", "$").replace("\\}", "}").replace("\\\\", "\\")
}

#[test]
fn a_recipe_that_is_written_in_an_editor_is_a_game() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shipped = [
        "scripts/trick.rhai",
        "scripts/melds.rhai",
        "scripts/turns.rhai",
        "games/pig/game.toml",
        "games/pig/rules.rhai",
    ];
    let shipped = shipped.map(|path| (path, std::fs::read_to_string(root.join(path)).unwrap()));
    let library = Library::of(Arc::new(MemoryFiles::new(shipped)), vec!["".into()]);
    let head = "id = 'recipe'\nhouserule = '0.1'\nname = 'Recipe'\nplayers = { min = 2, max = 4 }\n";
    let (toml, rhai) = ("games/recipe/game.toml", "games/recipe/rules.rhai");
    let mut workspace = Workspace::new(library, Language::English);
    workspace.set(Path::new(rhai), Some("// Nothing yet.\n"));
    let tables = recipes(&mut workspace, toml, head);
    let functions = recipes(&mut workspace, rhai, "// Nothing yet.\n");
    assert!(tables.len() > 20 && functions.len() >= tables.len(), "{} {}", tables.len(), functions.len());
    for recipe in functions {
        let table = tables.iter().find(|table| table.label == recipe.label).map_or("", |table| &*table.text);
        workspace.set(Path::new(toml), Some(&format!("{head}{}\n", plain(table))));
        workspace.set(Path::new(rhai), Some(&plain(&recipe.text)));
        for path in [toml, rhai] {
            let found = workspace.findings(Path::new(path), &Arc::default());
            let errors = found.iter().filter(|one| one.diagnostic.severity == Severity::Error);
            assert_eq!(errors.count(), 0, "{}: {found:?}", recipe.label);
        }
        assert!(recipe.documentation.contains("```"), "{}", recipe.label);
    }
}

#[test]
fn a_recipe_takes_no_name_that_is_there() {
    let rules = "games/stake/rules.rhai";
    let labels = |path: &str, text: &str| offered_in(path, text);
    let has = |labels: &[String], name: &str| labels.iter().any(|label| label == name);
    // A game that has its `game()` gets the rest under a name.
    let mut workspace = stake("fn game() {}\n");
    let found = recipes(&mut workspace, rules, "fn game() {}\nfn keeps() {}\n");
    let auction = found.iter().find(|one| one.label == "auction open").unwrap();
    assert!(auction.text.starts_with("fn ${1:auction_open}() {"), "{}", auction.text);
    assert!(!found.iter().any(|one| one.text.contains("fn game(")));
    // Tables stand where no key comes behind them, and none of theirs is there.
    let (variant, head) = ("variants/stake/double.toml", "id = \"double\"\ngame = \"stake\"\nname = \"D\"\n");
    assert!(has(&labels(variant, &format!("{head}‸")), "draft"));
    assert!(has(&labels(variant, &format!("{head}dra‸\n\n[text]\na = \"b\"\n")), "draft"));
    for nowhere in [
        format!("‸\n{head}"),
        format!("{head}name = ‸"),
        format!("{head}[‸"),
        format!("{head}[zones]\n‸"),
        format!("{head}# ‸"),
    ] {
        assert!(!has(&labels(variant, &nowhere), "draft"), "{nowhere}");
    }
    let in_table = labels(variant, &format!("{head}[data]\na = 1\n‸"));
    assert!(has(&in_table, "draft") && !has(&in_table, "trump"), "a key would be one of the table's: {in_table:?}");
    assert!(!has(&labels("tests/scenarios/stake/a.toml", "id = \"a\"\ngame = \"stake\"\ntitle = \"a\"\n‸"), "draft"));
    for nowhere in ["fn game() { ‸ }", "fn game() {} fn ‸", "// ‸"] {
        assert!(!has(&labels(rules, nowhere), "draft"), "{nowhere}");
    }
}
