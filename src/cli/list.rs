//! The command `houserule list`: games with their variants, and libraries.

use super::{Context, EXIT_NEGATIVE, EXIT_SUCCESS, Outcome, Printout, hanging};
use crate::catalogue::said;
use crate::definition::{Language, Layer, LayerEntry};
use crate::diagnostic::{Diagnostic, Diagnostics, visible};
use crate::files::path_name;
use crate::script::outline;
use clap::Args;
use serde_json::json;

/// List games with their variants, and libraries
#[derive(Debug, Args)]
pub(super) struct List {
    /// Only this game
    game: Option<String>,

    /// List the installed packs
    #[arg(long, conflicts_with = "game")]
    installed: bool,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        if self.installed {
            return super::install::list(self.json, context, out);
        }
        if let Some(game) = &self.game {
            context.library.game(game).map_err(super::Failure::wrong)?;
        }
        let mut report = Vec::new();
        let mut trouble: Vec<Diagnostic> = Vec::new();
        for entry in context.library.games() {
            if self.game.as_ref().is_some_and(|game| *game != entry.id) {
                continue;
            }
            let variants: Vec<Layer> = context
                .library
                .variants(&entry.id)
                .into_iter()
                .filter_map(|variant| keep(variant.layer, &mut trouble))
                .collect();
            if let Some(game) = keep(entry.layer, &mut trouble) {
                report.push((game, variants));
            }
        }
        // The libraries that a game uses are listed by `show`.
        let listed = if self.game.is_none() { context.library.rule_libraries() } else { Vec::new() };
        // Programs read English.
        let language = if self.json { Language::English } else { context.language };
        let about = |LayerEntry { id, origin, layer }: LayerEntry| {
            keep(layer, &mut trouble).map(|layer| (id, origin, about_in_short(&layer, language)))
        };
        let libraries: Vec<_> = listed.into_iter().filter_map(about).collect();
        if self.json {
            let described = |layer: &Layer| {
                json!({
                    "id": layer.id,
                    "name": layer.name.en,
                    "about": layer.about.en,
                    "path": path_name(layer.origin.path()),
                })
            };
            let games = report.iter().map(|(game, variants)| {
                let mut shown = described(game);
                shown["variants"] = variants.iter().map(described).collect();
                shown
            });
            let libraries = libraries
                .iter()
                .map(|(id, origin, about)| json!({"id": id, "about": about, "path": path_name(origin.path())}));
            let (games, libraries) = (games.collect::<Vec<_>>(), libraries.collect::<Vec<_>>());
            let trouble: Vec<_> = trouble.iter().map(Diagnostic::to_json).collect();
            out.json(&json!({"games": games, "libraries": libraries, "trouble": trouble}));
        } else {
            for (game, variants) in &report {
                let name = visible(game.name.get(context.language)).into_owned();
                out.line(&format!("{:<14} {name}", game.id));
                let about = visible(game.about.get(context.language)).into_owned();
                out.line(&hanging(&format!("{:14} ", ""), &about));
                let width = variants.iter().map(|variant| variant.id.len()).max().unwrap_or(0);
                for variant in variants {
                    let about = visible(variant.about.get(context.language)).into_owned();
                    out.line(&hanging(&format!("  -v {:<width$}  ", variant.id), &about));
                }
            }
            if report.is_empty() && trouble.is_empty() {
                out.line(said("no games found; `--dir FOLDER` says where they are"));
            }
            if !libraries.is_empty() {
                out.line(said("libraries, for several games; `houserule help LIBRARY` shows what is in one"));
            }
            let width = libraries.iter().map(|(id, ..)| id.len()).max().unwrap_or(0);
            for (id, _, about) in &libraries {
                out.line(&hanging(&format!("  {id:<width$}  "), &visible(about)));
            }
            out.tell(&trouble);
        }
        Ok(if trouble.is_empty() { EXIT_SUCCESS } else { EXIT_NEGATIVE })
    }
}

/// A library's description or, if it has none, that at the top of its script.
fn about_in_short(library: &Layer, language: Language) -> String {
    match (library.about.get(language), &library.script) {
        ("", Some(script)) => outline::about_in_short(&script.text),
        (about, _) => about.to_owned(),
    }
}

/// The value that was read. Errors are collected, so that a damaged file does not hide the others.
fn keep<T>(read: Result<T, Diagnostics>, trouble: &mut Vec<Diagnostic>) -> Option<T> {
    read.map_err(|errors| trouble.extend(errors)).ok()
}
