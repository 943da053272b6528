//! The commands `houserule show FILE` and `houserule show VARIANT`: what a pack or a variant changes, before any of it
//! runs.

use super::file_kind::{Openable, SHOW, game_of_variant, openable};
use super::packs::is_pack;
use super::{Context, EXIT_NEGATIVE, EXIT_SUCCESS, Failure, LayerArgs, Outcome, Printout, add_new_warnings};
use crate::catalogue::{Message, counted, message, said, say};
use crate::definition::{Language, Layer, Library, is_path};
use crate::diagnostic::{Diagnostic, Severity, visible};
use crate::host::packs::mounted;
use crate::host::terminal::{columns, output_columns};
use crate::inspect::changes::Changes;
use crate::playthrough::Playable;
use crate::ruleset::{self, Selection};
use crate::screen::rule_changes;
use crate::screen::style::{Label, Line, pad};
use crate::share::contents::{PackContents, PackRuleset};
use crate::share::{Pack, contents_summary, fit};
use crate::sorted::SortedSet;
use crate::work::Work;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::Arc;

/// Most other variants tried together with the shown ones to find conflicts.
const MAX_TRIED_VARIANTS: usize = 60;

/// A pack or variant to show, with its rules.
struct ShownRules {
    pack: Option<Pack>,
    library: Library,
    selection: Selection,
    /// The path of the file, or the id of the variant, as typed.
    typed: String,
}

/// Shows a file or a variant; `None` if the argument is neither.
pub(super) fn show(
    typed: &str,
    over: &LayerArgs,
    as_json: bool,
    context: &Context,
    out: &mut Printout,
) -> Option<Outcome> {
    let files = context.library.files();
    if is_pack(typed, files) {
        return Some(pack(typed, over, as_json, context, out));
    }
    let meant = match is_path(typed) {
        true => openable(typed, &context.library, SHOW),
        false => game_of_variant(typed, &context.library, SHOW)
            .map(|game| game.map_or_else(|| Openable::Game(typed.to_owned()), Openable::Variant)),
    };
    Some(match meant {
        Ok(Openable::Variant(game)) => {
            let variants = std::iter::once(typed.to_owned()).chain(over.variants.iter().cloned()).collect();
            let selection = Selection { game, variants, set: over.set.clone() };
            ShownRules { pack: None, library: context.library.clone(), selection, typed: typed.to_owned() }
                .tell(as_json, context, out)
        }
        Ok(Openable::Saved) => {
            let file = ruleset::shell_quoted(typed);
            let error = Diagnostic::new(message!("`{}` is a saved game", visible(typed)));
            Err(Failure::wrong(
                error.help(message!("`houserule replay {file}` runs it; `houserule pack {file}` makes a pack of it")),
            ))
        }
        Ok(Openable::Game(_) | Openable::Scenario) => return None,
        Err(errors) => Err(Failure::wrong(errors)),
    })
}

fn pack(typed: &str, over: &LayerArgs, as_json: bool, context: &Context, out: &mut Printout) -> Outcome {
    let path = Path::new(typed);
    let file = Pack::read(context.library.files(), path).map_err(Failure::wrong)?;
    if over.is_given() {
        let error = Diagnostic::new("a pack is shown as it is");
        let check = Selection::of(&file.pack.play.selection.game).with(typed).command("check");
        return Err(Failure::wrong(
            error.help(message!("`{check} -v VARIANT` checks it together with another variant")),
        ));
    }
    if let Err(errors) = file.whole() {
        out.tell(&errors.map(Diagnostic::as_warning));
    }
    let library = mounted(&context.library, &[(path.to_owned(), file.clone())]);
    let selection = file.pack.play.selection.clone();
    ShownRules { pack: Some(file.pack), library, selection, typed: typed.to_owned() }.tell(as_json, context, out)
}

/// A ruleset with something to show in it.
struct Part<'a> {
    loaded: &'a Playable,
    paths: &'a SortedSet<String>,
    /// Whether it is part of a pack, but not of the recommended game.
    is_beside: bool,
    changes: Changes,
    conflicts: Vec<Conflict>,
}

/// Another variant that conflicts with the shown layers.
struct Conflict {
    variant: String,
    /// A message of the program, or a variant's own text.
    reason: Message,
}

impl Part<'_> {
    /// The layers to show, from the lowest up.
    fn layers(&self) -> impl DoubleEndedIterator<Item = &Layer> {
        self.loaded.ruleset.layers().filter(|layer| self.paths.contains(&layer.path()))
    }
}

impl ShownRules {
    fn tell(&self, as_json: bool, context: &Context, out: &mut Printout) -> Outcome {
        let contents = self.contents(&context.work);
        let mut left = MAX_TRIED_VARIANTS;
        let mut untried = 0;
        let mut parts = Vec::new();
        for (number, rules) in contents.rules.iter().enumerate() {
            let Ok(loaded) = &rules.loaded else { continue };
            let others = self.others(loaded, &rules.paths);
            let conflict = |other| self.conflict(loaded, &rules.paths, other, context);
            let conflicts = others.iter().take(left).filter_map(conflict);
            let (paths, changes) = (&rules.paths, Changes::of((loaded, &rules.paths)));
            parts.push(Part { loaded, paths, is_beside: number > 0, changes, conflicts: conflicts.collect() });
            untried += others.len().saturating_sub(left);
            left = left.saturating_sub(others.len());
        }
        let found = self.findings(&contents, context);
        if as_json {
            out.json(&self.as_json(&parts, untried, &found));
        } else {
            self.as_text(&parts, untried, context, out);
            out.tell(&found);
        }
        let is_wrong = parts.len() < contents.rules.len() || found.iter().any(|one| one.severity == Severity::Error);
        Ok(if is_wrong { EXIT_NEGATIVE } else { EXIT_SUCCESS })
    }

    /// The rulesets to show: of a pack, all that it holds.
    fn contents(&self, work: &Arc<Work>) -> PackContents {
        let path = Path::new(&self.typed);
        if let Some(pack) = &self.pack {
            return PackContents::of(pack, path, &self.library, work);
        }
        let loaded = Playable::for_fewest(&self.library, &self.selection, work);
        let is_shown = |layer: &&Layer| layer.origin.path() == path || layer.is_variant() && layer.id == self.typed;
        let layers = loaded.iter().flat_map(|loaded| loaded.ruleset.layers().filter(is_shown));
        let paths = layers.map(Layer::path).collect();
        let rules = vec![PackRuleset { selection: self.selection.clone(), loaded, paths }];
        PackContents { rules, unused: Vec::new(), misnamed: None, beside: Vec::new() }
    }

    /// All findings about it, each once.
    fn findings(&self, contents: &PackContents, context: &Context) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = Vec::new();
        if let Some(pack) = &self.pack {
            found.extend(pack.check_houserule().err().into_iter().flatten());
            found.extend(fit::differences(pack, &self.library, &context.work));
        }
        for rules in &contents.rules {
            let told: Vec<Diagnostic> = match &rules.loaded {
                Ok(loaded) => loaded.warnings.to_vec(),
                Err(errors) => errors.iter().cloned().collect(),
            };
            add_new_warnings(&mut found, told);
        }
        add_new_warnings(
            &mut found,
            contents.unused.iter().chain(&contents.misnamed).chain(&contents.beside).cloned().collect(),
        );
        found
    }

    fn as_text(&self, parts: &[Part<'_>], untried: usize, context: &Context, out: &mut Printout) {
        out.show(self.head(self.layer(parts), context));
        let width = output_columns().unwrap_or_else(columns);
        if !parts.is_empty() && parts.iter().all(|part| part.changes.is_nothing()) {
            out.line(said("it changes no rule"));
        }
        for part in parts {
            if part.is_beside {
                out.show(vec![Line::faint(said("in the pack, but not in the game that it recommends"))]);
                out.show(part.layers().map(|layer| about(layer, context.language)).collect());
            }
            out.show(rule_changes(&part.changes, (said("was"), said("now")), width));
            if !part.conflicts.is_empty() {
                out.show(vec![Line::faint(said("cannot be combined with"))]);
                out.show(part.conflicts.iter().map(conflict_as_line).collect());
            }
        }
        match untried {
            0 => {}
            1 => out.line(said("1 more variant was not tried together with it")),
            _ => out.line(&say!("{untried} more variants were not tried together with it")),
        }
        if let Some(pack) = &self.pack {
            out.show(vec![Line::faint(said("in the pack"))]);
            out.show(pack.files.iter().map(|file| Line::plain(format!("  {}", file.path))).collect());
        }
    }

    /// The layer whose name and description are shown.
    fn layer<'a>(&self, parts: &'a [Part<'_>]) -> Option<&'a Layer> {
        let principal = self.pack.as_ref().map(Pack::principal);
        let named = parts.iter().flat_map(Part::layers).find(|layer| Some(layer.path()) == principal);
        named.or_else(|| parts.first()?.layers().next_back())
    }

    /// The other variants of the game, if the shown layers are variants.
    fn others(&self, loaded: &Playable, paths: &SortedSet<String>) -> Vec<Layer> {
        let ruleset = &loaded.ruleset;
        if !ruleset.variants.iter().any(|layer| paths.contains(&layer.path())) {
            return Vec::new();
        }
        let others = self.library.variants(&ruleset.game.id).into_iter().filter_map(|entry| entry.layer.ok());
        others.filter(|other| !ruleset.variant_ids().any(|id| id == other.id)).collect()
    }

    /// The conflict between another variant and the shown layers; `None` if there is none.
    fn conflict(
        &self,
        loaded: &Playable,
        paths: &SortedSet<String>,
        other: &Layer,
        context: &Context,
    ) -> Option<Conflict> {
        let ruleset = &loaded.ruleset;
        let variant = other.id.clone();
        let shown = ruleset.variants.iter().filter(|layer| paths.contains(&layer.path()));
        let declared = |layer: &Layer| layer.conflicts.get(&other.id).or(other.conflicts.get(&layer.id)).cloned();
        if let Some(reason) = shown.into_iter().find_map(declared) {
            return Some(Conflict { variant, reason: Message::from(&reason) });
        }
        let load = |selection: Selection| Playable::for_fewest(&self.library, &selection, &context.work);
        let told: Vec<Diagnostic> = match load(ruleset.selection.clone().with(&other.id)) {
            Ok(both) => both.warnings.iter().filter(|one| !is_among(one, &loaded.warnings)).cloned().collect(),
            Err(errors) => errors.into_iter().collect(),
        };
        if told.is_empty() {
            return None;
        }
        // Errors of the other variant alone are not conflicts.
        let alone = load(Selection::of(&ruleset.game.id).with(&other.id)).ok()?;
        let reason = told.into_iter().find(|one| !is_among(one, &alone.warnings))?.message;
        Some(Conflict { variant, reason })
    }

    /// The heading: name, version, author and description.
    fn head(&self, layer: Option<&Layer>, context: &Context) -> Vec<Line> {
        let mut lines = Vec::new();
        let title = match (&self.pack, layer) {
            (Some(pack), _) => Line::strong(&pack.name).with(format!("  {}", pack.title()), Label::Plain),
            (None, Some(layer)) => {
                Line::strong(layer.name.get(context.language)).with(format!("  {}", layer.id), Label::Plain)
            }
            (None, None) => Line::strong(&self.typed),
        };
        lines.push(title);
        if let Some(layer) = layer.filter(|layer| !layer.about.en.is_empty()) {
            lines.push(Line::plain(layer.about.get(context.language)));
        }
        let mut row = |what: &str, text: String| {
            lines.push(Line::faint(pad(what, 11)).with(text, Label::Plain));
        };
        let author =
            self.pack.as_ref().map_or_else(|| layer.and_then(|layer| layer.author.clone()), |pack| pack.author.clone());
        let licence = self
            .pack
            .as_ref()
            .map_or_else(|| layer.and_then(|layer| layer.licence.clone()), |pack| pack.licence.clone());
        row(said("author"), author.unwrap_or_else(|| said("not told").to_owned()));
        row(said("licence"), licence.unwrap_or_else(|| said("not told").to_owned()));
        match &self.pack {
            Some(pack) => {
                row(said("holds"), contents_summary(pack).told().into_owned());
                let rests = pack.rests_on.iter().map(|required| match &required.version {
                    Some(version) => format!("{} {version}", required.path),
                    None => required.path.clone(),
                });
                let rests: Vec<String> = rests.chain([format!("Houserule {}", pack.houserule)]).collect();
                row(said("rests on"), rests.join(", "));
                let play = &pack.play;
                let with = say!(
                    "{}, seed {}: `houserule play {}`",
                    counted(play.players, "player"),
                    play.seed,
                    ruleset::shell_quoted(&self.typed)
                );
                row(said("to play"), with);
                if !play.selection.set.is_empty() {
                    row(said("sets"), play.selection.set.join(", "));
                }
                row(said("hash"), pack.hash());
            }
            None => row(said("of"), self.selection.game.clone()),
        }
        lines
    }

    fn as_json(&self, parts: &[Part<'_>], untried: usize, found: &[Diagnostic]) -> Json {
        let layer = self.layer(parts);
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
        shown["about"] = json!(layer.map(|layer| &layer.about.en));
        let mut changes = Changes::default();
        parts.iter().for_each(|part| changes.extend(part.changes.clone()));
        shown["changes"] = if parts.is_empty() { Json::Null } else { changes_as_json(&changes) };
        let beside = parts.iter().filter(|part| part.is_beside).flat_map(|part| part.paths);
        shown["not_in_play"] = beside.map(|path| json!(path)).collect();
        let conflicts = parts.iter().flat_map(|part| &part.conflicts);
        let conflicts = conflicts.map(|one| json!({"variant": one.variant, "reason": one.reason.as_str()}));
        shown["conflicts"] = conflicts.collect();
        shown["untried"] = json!(untried);
        shown["findings"] = found.iter().map(Diagnostic::to_json).collect();
        shown
    }
}

/// Whether a message is among known ones.
fn is_among(one: &Diagnostic, known: &[Diagnostic]) -> bool {
    known.iter().any(|known| known.message == one.message)
}

/// A line with the id and description of a layer.
fn about(layer: &Layer, language: Language) -> Line {
    Line::plain("  ").with(&layer.id, Label::Strong).with(format!("  {}", layer.about.get(language)), Label::Plain)
}

fn conflict_as_line(conflict: &Conflict) -> Line {
    let reason = conflict.reason.told();
    Line::plain("  ").with(&conflict.variant, Label::Strong).with(format!("  {reason}"), Label::Plain)
}

/// A pack as JSON, without its texts.
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

pub(super) fn changes_as_json(changes: &Changes) -> Json {
    let functions = changes.functions.iter().map(|function| {
        let was =
            function.was.as_ref().map(|was| json!({"layer": was.layer.as_str(), "place": was.place, "text": was.text}));
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
