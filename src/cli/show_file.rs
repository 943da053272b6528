//! `houserule show FILE`: what a pack or a variant would change, before anything of it runs.

use super::file_kind::{Openable, openable};
use super::packs::is_pack;
use super::{Context, FINE, Failure, NO, Outcome, Over, Printout};
use crate::definition::{Layer, Library, is_path};
use crate::diagnostic::{Diagnostic, Severity, visible};
use crate::host::packs::mounted;
use crate::host::terminal::{columns, output_columns};
use crate::playthrough::Playable;
use crate::ruleset::{Ruleset, Selection};
use crate::screen::rule_changes;
use crate::screen::style::{Label, Line};
use crate::share::changes::Changes;
use crate::share::{Pack, contents, fit};
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::Arc;

/// Most variants that are laid over the shown one to see whether they go together.
const MOST_TRIED: usize = 60;

/// What is shown: a file and the rules that it makes.
struct Shown {
    pack: Option<Pack>,
    library: Library,
    selection: Selection,
    path: String,
}

/// Shows a file, if that is what was typed.
pub(super) fn show(typed: &str, over: &Over, as_json: bool, context: &Context, out: &mut Printout) -> Option<Outcome> {
    let files = context.library.files();
    if is_pack(typed, files) {
        return Some(pack(typed, over, as_json, context, out));
    }
    if !is_path(typed) {
        return None;
    }
    Some(match openable(typed, &context.library) {
        Ok(Openable::Variant(game)) => {
            let variants = std::iter::once(typed.to_owned()).chain(over.variants.iter().cloned()).collect();
            let selection = Selection { game, variants, set: over.set.clone() };
            Shown { pack: None, library: context.library.clone(), selection, path: typed.to_owned() }
                .tell(as_json, context, out)
        }
        Ok(Openable::Saved) => {
            let error = Diagnostic::new(format!("`{}` is a saved game", visible(typed)));
            Err(Failure::wrong(
                error.help(format!(
                    "`houserule replay {typed}` tells of it; `houserule pack {typed}` makes a pack of it"
                )),
            ))
        }
        Ok(Openable::Game(_)) => return None,
        Err(errors) => Err(Failure::wrong(errors)),
    })
}

fn pack(typed: &str, over: &Over, as_json: bool, context: &Context, out: &mut Printout) -> Outcome {
    if over.is_given() {
        let error = Diagnostic::new("a pack is shown as it is");
        return Err(Failure::wrong(error.help(format!("`houserule check -v {typed}` tries it together with others"))));
    }
    let path = Path::new(typed);
    let file = Pack::read(context.library.files(), path).map_err(Failure::wrong)?;
    if let Err(errors) = file.whole() {
        out.tell(&errors.map(Diagnostic::as_warning));
    }
    let library = mounted(&context.library, &[(path.to_owned(), file.clone())]);
    let selection = file.pack.play.selection.clone();
    Shown { pack: Some(file.pack), library, selection, path: typed.to_owned() }.tell(as_json, context, out)
}

impl Shown {
    fn tell(&self, as_json: bool, context: &Context, out: &mut Printout) -> Outcome {
        let work = &context.work;
        let mut found: Vec<Diagnostic> = Vec::new();
        if let Some(pack) = &self.pack {
            found.extend(pack.check_houserule().err().into_iter().flatten());
            found.extend(fit::differences(pack, &self.library, work));
        }
        let is_meant = |layer: &Layer| match &self.pack {
            Some(pack) => pack.holds(layer),
            None => layer.origin.path() == Path::new(&self.path),
        };
        let loaded = Ruleset::load(&self.library, &self.selection).and_then(|ruleset| {
            let players = ruleset.definition.players.0;
            Playable::compile(Arc::new(ruleset), players, work.clone())
        });
        let (changes, conflicts) = match &loaded {
            Ok(loaded) => {
                found.extend(loaded.warnings.iter().cloned());
                (Some(Changes::of(loaded, &is_meant)), self.conflicts(loaded, &is_meant, context))
            }
            Err(errors) => {
                found.extend(errors.iter().cloned());
                (None, Vec::new())
            }
        };
        let layer =
            loaded.as_ref().ok().and_then(|loaded| loaded.ruleset.layers().rfind(|layer| is_meant(layer)).cloned());
        if as_json {
            out.json(&self.as_json(layer.as_ref(), changes.as_ref(), &conflicts, &found, context));
        } else {
            out.show(self.head(layer.as_ref(), context));
            let width = output_columns().unwrap_or_else(columns);
            if let Some(changes) = &changes {
                out.show(rule_changes(changes, ("was", "now"), width));
                if changes.is_nothing() {
                    out.line("it changes no rule");
                }
            }
            if !conflicts.is_empty() {
                out.show(vec![Line::faint("does not go together with")]);
                out.show(
                    conflicts
                        .iter()
                        .map(|(id, why)| {
                            Line::plain("  ").with(id, Label::Strong).with(format!("  {why}"), Label::Plain)
                        })
                        .collect(),
                );
            }
            if let Some(pack) = &self.pack {
                out.show(vec![Line::faint("in the pack")]);
                out.show(pack.files.iter().map(|file| Line::plain(format!("  {}", file.path))).collect());
            }
            out.tell(&found);
        }
        let is_wrong = loaded.is_err() || found.iter().any(|one| one.severity == Severity::Error);
        Ok(if is_wrong { NO } else { FINE })
    }

    /// The variants of the game that do not go together with what is shown, each with the reason.
    fn conflicts(
        &self,
        loaded: &Playable,
        is_meant: &dyn Fn(&Layer) -> bool,
        context: &Context,
    ) -> Vec<(String, String)> {
        let meant: Vec<&Layer> = loaded.ruleset.variants.iter().filter(|layer| is_meant(layer)).collect();
        if meant.is_empty() {
            return Vec::new();
        }
        let others = self.library.variants(&self.selection.game).into_iter().filter_map(|entry| entry.layer.ok());
        let others = others.filter(|other| !loaded.ruleset.variant_ids().any(|id| id == other.id));
        let mut found = Vec::new();
        for other in others.take(MOST_TRIED) {
            let said = meant.iter().find_map(|layer| layer.conflicts.get(&other.id).or(other.conflicts.get(&layer.id)));
            if let Some(reason) = said {
                found.push((other.id.clone(), reason.get(context.language).to_owned()));
                continue;
            }
            // Those that fail by themselves are not to blame on what is shown.
            let load = |selection: &Selection| {
                let ruleset = Ruleset::load(&self.library, selection)?;
                Playable::compile(Arc::new(ruleset), loaded.layout.seats, context.work.clone())
            };
            let alone = load(&Selection::of(&self.selection.game).with(&other.id));
            let Ok(alone) = alone else { continue };
            match load(&self.selection.clone().with(&other.id)) {
                Err(errors) => found.push((other.id.clone(), errors.first().message.clone())),
                Ok(both) => {
                    let is_known = |warning: &Diagnostic| {
                        let known = loaded.warnings.iter().chain(alone.warnings.iter());
                        known.into_iter().any(|known| known.message == warning.message)
                    };
                    let new = both.warnings.iter().find(|warning| !is_known(warning));
                    found.extend(new.map(|warning| (other.id.clone(), warning.message.clone())));
                }
            }
        }
        found
    }

    /// What it is, whose, and what for.
    fn head(&self, layer: Option<&Layer>, context: &Context) -> Vec<Line> {
        let mut lines = Vec::new();
        let title = match (&self.pack, layer) {
            (Some(pack), _) => Line::strong(&pack.name).with(format!("  {}", pack.title()), Label::Plain),
            (None, Some(layer)) => {
                Line::strong(layer.name.get(context.language)).with(format!("  {}", layer.id), Label::Plain)
            }
            (None, None) => Line::strong(&self.path),
        };
        lines.push(title);
        if let Some(layer) = layer.filter(|layer| !layer.about.en.is_empty()) {
            lines.push(Line::plain(layer.about.get(context.language)));
        }
        let mut row = |what: &str, text: String| {
            lines.push(Line::faint(format!("{what:<11}")).with(text, Label::Plain));
        };
        let author =
            self.pack.as_ref().map_or_else(|| layer.and_then(|layer| layer.author.clone()), |pack| pack.author.clone());
        let licence = self
            .pack
            .as_ref()
            .map_or_else(|| layer.and_then(|layer| layer.licence.clone()), |pack| pack.licence.clone());
        row("author", author.unwrap_or_else(|| "not told".to_owned()));
        row("licence", licence.unwrap_or_else(|| "not told".to_owned()));
        match &self.pack {
            Some(pack) => {
                row("holds", contents(pack));
                let rests = pack.rests_on.iter().map(|required| match &required.version {
                    Some(version) => format!("{} {version}", required.path),
                    None => required.path.clone(),
                });
                let rests: Vec<String> = rests.chain([format!("Houserule {}", pack.houserule)]).collect();
                row("rests on", rests.join(", "));
                let play = &pack.play;
                let with = format!("{} players, seed {}: `houserule play {}`", play.players, play.seed, self.path);
                row("to play", with);
                row("hash", pack.hash());
            }
            None => row("of", self.selection.game.clone()),
        }
        lines
    }

    fn as_json(
        &self,
        layer: Option<&Layer>,
        changes: Option<&Changes>,
        conflicts: &[(String, String)],
        found: &[Diagnostic],
        context: &Context,
    ) -> Json {
        let mut shown = match &self.pack {
            Some(pack) => pack_as_json(pack),
            None => json!({
                "id": layer.map(|layer| &layer.id),
                "version": layer.and_then(|layer| layer.version.as_ref()).map(ToString::to_string),
                "author": layer.and_then(|layer| layer.author.as_ref()),
                "licence": layer.and_then(|layer| layer.licence.as_ref()),
                "play": { "game": self.selection.game },
            }),
        };
        shown["about"] = json!(layer.map(|layer| layer.about.get(context.language)));
        shown["changes"] = changes.map_or(Json::Null, changes_as_json);
        shown["conflicts"] = conflicts.iter().map(|(id, why)| json!({"variant": id, "reason": why})).collect();
        shown["findings"] = found.iter().map(Diagnostic::to_json).collect();
        shown
    }
}

/// A pack without its texts.
pub(super) fn pack_as_json(pack: &Pack) -> Json {
    let Selection { game, variants, set } = &pack.play.selection;
    json!({
        "id": pack.id,
        "name": pack.name,
        "version": pack.version.as_ref().map(ToString::to_string),
        "author": pack.author,
        "licence": pack.licence,
        "houserule": pack.houserule.to_string(),
        "hash": pack.hash(),
        "play": {"game": game, "variants": variants, "set": set, "players": pack.play.players, "seed": pack.play.seed},
        "rests_on": pack.rests_on.iter().map(|required| json!({
            "path": required.path,
            "version": required.version.as_ref().map(ToString::to_string),
            "hash": required.hash,
            "functions": required.functions,
        })).collect::<Vec<_>>(),
        "files": pack.files.iter().map(|file| &file.path).collect::<Vec<_>>(),
    })
}

/// What changes, as other programs read it.
pub(super) fn changes_as_json(changes: &Changes) -> Json {
    let functions = changes.functions.iter().map(|function| {
        let was = function.was.as_ref().map(|was| json!({"layer": was.layer, "place": was.place, "text": was.text}));
        json!({
            "function": function.usage,
            "layer": function.layer,
            "place": function.place,
            "calls_super": function.calls_super,
            "was": was,
            "now": function.now,
        })
    });
    let values = changes
        .values
        .iter()
        .map(|value| json!({"layer": value.layer, "key": value.path, "was": value.was, "now": value.now}));
    json!({"functions": functions.collect::<Vec<_>>(), "values": values.collect::<Vec<_>>()})
}
