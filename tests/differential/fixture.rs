//! The game that generated programs are rules of: it has something of every sort, and two variants on top.

use crate::differential::node::Program;
use crate::shared::programs::{GAME, RULES, VARIANTS};
use houserule::definition::SavedRules;
use houserule::diagnostic::{Diagnostic, Diagnostics, Source};
use houserule::ruleset::{Ruleset, Selection};
use std::path::PathBuf;
use std::sync::Arc;

pub use crate::shared::programs::{SEATS, VALUES};

/// The scripts, lowest first; there is one for each layer of a program.
pub const SCRIPTS: [&str; 3] =
    ["games/programs/rules.rhai", "variants/programs/first.rhai", "variants/programs/second.rhai"];

/// The rules of some programs together.
pub fn ruleset<'p>(programs: impl Iterator<Item = &'p Program> + Clone) -> Result<Arc<Ruleset>, Diagnostics> {
    let script = |layer: usize| {
        let own = if layer == 0 { RULES } else { "" };
        let programs: String = programs.clone().map(|program| program.print(layer)).collect();
        format!("{own}{programs}")
    };
    ruleset_of(SCRIPTS.iter().enumerate().map(|(layer, path)| (*path, script(layer))))
}

fn ruleset_of<'a>(scripts: impl Iterator<Item = (&'a str, String)>) -> Result<Arc<Ruleset>, Diagnostics> {
    let definitions = VARIANTS.iter().map(|(id, text)| (format!("variants/programs/{id}.toml"), (*text).to_owned()));
    let definitions = definitions.chain([("games/programs/game.toml".to_owned(), GAME.to_owned())]);
    let files = definitions
        .chain(scripts.map(|(path, text)| (path.to_owned(), text)))
        .map(|(path, text)| (path.clone(), Source::new(path, text)))
        .collect();
    let library = houserule::Disk::library(Vec::new())
        .with_saved_rules(Some(SavedRules { path: PathBuf::from("programs"), files }));
    let variants = VARIANTS.iter().map(|(id, _)| (*id).to_owned()).collect();
    let selection = Selection { game: "programs".to_owned(), variants, set: Vec::new() };
    Ruleset::load(&library, &selection).map(Arc::new)
}

/// Diagnostics as a person would read them.
pub fn told(errors: &[Diagnostic]) -> String {
    errors.iter().map(|error| error.render(false)).collect::<Vec<_>>().join("\n")
}
