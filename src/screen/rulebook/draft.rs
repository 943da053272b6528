//! A template for writing a rulebook: a section for each function that players have to be told about.

use super::texts::{comment, heading};
use crate::definition::Language;
use crate::playthrough::Playable;
use crate::prose::{BLANK, functions_for_rulebook};
use crate::ruleset::Role;
use crate::sorted::SortedSet;

/// The text of a rulebook file, filled with the doc comments of the game's functions.
pub fn draft(loaded: &Playable) -> String {
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let prose = |text: &str| match text.trim() {
        "" => quoted(BLANK),
        text => quoted(&text.replace('{', "{{").replace('}', "}}").replace('`', "")),
    };
    let told = functions_for_rulebook(loaded);
    let is_own = |script: usize| loaded.ruleset.scripts.get(script).is_some_and(|script| script.role == Role::Game);
    let mut names: SortedSet<&str> = SortedSet::new();
    let mut text = TEMPLATE.replace("AIM", &prose(&loaded.ruleset.game.about.en));
    for info in loaded.functions.iter().filter(|info| is_own(info.script) && told.contains(&*info.name)) {
        if !names.insert(&info.name) {
            continue;
        }
        let said = comment(&info.comment(&loaded.ruleset), Language::English);
        text.push_str(&format!(
            "\n[[rulebook]]\nid    = {}\ntitle = {}\ntells = [{}]\ntext  = {}\n",
            quoted(&info.name.replace('_', "-")),
            quoted(&heading(&info.name)),
            quoted(&info.name),
            prose(&said.map_or_else(String::new, |said| said.text))
        ));
    }
    text
}

const TEMPLATE: &str = r#"# The rulebook, to learn the game from. `houserule help rulebook` has every key.
houserule = "0.1"

[[rulebook]]
id    = "aim"
title = "What it is about"
text  = AIM

[[rulebook]]
id    = "setup"
title = "Setting up"
text  = "…"
"#;
