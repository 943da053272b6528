//! The recipes of the cookbook are games that run.

use crate::shared::small_game;
use houserule::agent::Random;
use houserule::ruleset::Selection;
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use std::path::Path;
use std::sync::Arc;

/// A recipe: its heading, its TOML, its rules.
fn recipes(page: &str) -> Vec<(String, String, String)> {
    let block = |section: &str, language: &str| {
        let (_, behind) = section.split_once(&format!("```{language}\n"))?;
        Some(behind.split_once("```")?.0.to_owned())
    };
    let recipe = |section: &str| {
        let name = section.lines().next()?.to_owned();
        Some((name, block(section, "toml").unwrap_or_default(), block(section, "rhai")?))
    };
    page.split("\n## ").skip(1).filter_map(recipe).collect()
}

/// Help shows a recipe's code four columns to the right and never wraps it.
#[test]
fn the_code_of_recipes_fits_a_terminal() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cookbook.md")).unwrap();
    for (name, definition, rules) in recipes(&page) {
        let long = definition.lines().chain(rules.lines()).find(|line| line.chars().count() > 76);
        assert_eq!(long, None, "{name}: more than 80 columns in `houserule help`");
    }
}

#[test]
fn every_recipe_is_a_game_that_comes_to_its_end() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let recipes = recipes(&read("docs/cookbook.md"));
    assert!(recipes.len() >= 15, "{} recipes", recipes.len());
    let shipped = [
        "scripts/trick.rhai",
        "scripts/melds.rhai",
        "scripts/turns.rhai",
        "games/pig/game.toml",
        "games/pig/rules.rhai",
    ];
    let shipped = shipped.map(|path| (path, read(path)));
    for (name, definition, rules) in recipes {
        let definition = format!("id = 'recipe'\nname = 'Recipe'\nplayers = {{ min = 2, max = 4 }}\n{definition}");
        let mut files =
            vec![("games/recipe/game.toml", definition.as_bytes()), ("games/recipe/rules.rhai", rules.as_bytes())];
        files.extend(shipped.iter().map(|(path, text)| (*path, text.as_bytes())));
        let ruleset =
            small_game::ruleset(&Selection::of("recipe"), &files).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        for seats in 2..=4 {
            let rules = Rules::new(ruleset.clone(), seats, Arc::default())
                .unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
            for seed in 0..10 {
                let (_, end) = rules.play(&Start::Game, seed, &mut Random::new(seed), None);
                assert_eq!(end, End::Finished, "{name}, {seats} players, seed {seed}");
            }
        }
    }
}
