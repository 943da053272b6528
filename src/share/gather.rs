//! Making a pack from loaded rules.

use super::contents::PackContents;
use super::paths::{MAX_NAME_BYTES, SAVES, is_picture_path, text_of, wrong};
use super::{Pack, PackFile, PackRequirement, RecommendedGame};
use crate::catalogue::{Message, message};
use crate::definition::keys::KeyInfo;
use crate::definition::keys::table::{design, overlaid};
use crate::definition::tree::{Node, Value};
use crate::definition::{Icon, Language, Layer, LayerKind, Library, OriginKind, RuleFile, is_path, text_of_rules};
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::files::{Files, FolderEntry, path_name};
use crate::inspect::changes::{fingerprints, overridden, path_of};
use crate::playthrough::Playable;
use crate::ruleset::{Ruleset, Selection, hash_of};
use crate::scenario::{FOLDER, Scenario};
use crate::sorted::{SortedMap, SortedSet};
use semver::{Comparator, Op, Version, VersionReq};
use std::path::{Path, PathBuf};

/// The ingredients of a pack.
pub struct PackInput<'a> {
    /// The rules to pack.
    pub loaded: &'a Playable,
    /// The files that the rules were read from.
    pub files: &'a dyn Files,
    /// Whether the rules themselves were asked for. Where only games played with them are packed, built-in layers are
    /// left out.
    pub rules_are_wanted: bool,
    /// The ids of the variants that were asked for; empty where the game was.
    pub wanted: Vec<String>,
    /// The number of players in the recommended game.
    pub players: usize,
    /// The seed of the recommended game.
    pub seed: u64,
    /// The settings of the recommended game.
    pub set: Vec<String>,
    /// Scenarios and saved games, by their paths in the pack.
    pub texts: SortedMap<String, String>,
}

impl PackInput<'_> {
    /// Makes the pack. It holds what was asked for, and every layer below that is not built in.
    ///
    /// # Errors
    /// There is more than a pack can hold, a name cannot be one in a pack, or a text of a layer cannot be read or lies
    /// outside its folder.
    pub fn pack(self) -> Result<Pack, Diagnostics> {
        let ruleset = &self.loaded.ruleset;
        let (mut files, mut rests_on) = (Vec::new(), Vec::new());
        for layer in ruleset.all_layers() {
            let texts = layer.files();
            if self.wants(layer) || !ruleset.are_shipped(&texts) {
                check_texts(layer, &texts, self.files)?;
                files.extend(texts);
            } else {
                rests_on.push(required(layer));
            }
        }
        files.extend(self.texts.iter().map(|(path, text)| RuleFile { path: path.clone(), text: text.clone() }));
        let is_held = |layer: &&Layer| files.iter().any(|file| file.path == layer.path());
        // A pack with rules is named after one of the layers in it.
        let named = self.wanted.last().and_then(|id| ruleset.variants.iter().find(|layer| layer.id == *id));
        let held = named.filter(is_held).or_else(|| ruleset.layers().rfind(is_held));
        let principal = held.or(named).unwrap_or(&ruleset.game);
        let variants = ruleset.variant_ids().map(str::to_owned).collect();
        let selection = Selection { game: ruleset.game.id.clone(), variants, set: self.set.clone() };
        let play = RecommendedGame { selection, players: self.players, seed: self.seed };
        named_after(principal, play, rests_on, files, &[self.loaded])
    }

    /// Whether a layer was asked for.
    fn wants(&self, layer: &Layer) -> bool {
        self.rules_are_wanted && is_wanted(layer, &self.loaded.ruleset, &self.wanted)
    }
}

/// Makes a pack that was changed by hand anew: with the same texts, and with a head that matches its rules.
///
/// # Errors
/// Some rules in the pack cannot be used, a text is used by nothing, or a picture is unsafe; otherwise the same as of
/// [`PackInput::pack`].
pub fn repack(file: &PackFile, contents: &PackContents) -> Result<PackFile, Diagnostics> {
    let packed = file.with_same_texts(repacked_head(&file.pack, contents)?);
    Diagnostics::refuse(packed.unfit_pictures().collect())?;
    Ok(packed)
}

/// The same texts, with a head that matches their rules.
fn repacked_head(pack: &Pack, contents: &PackContents) -> Result<Pack, Diagnostics> {
    let rules: Vec<&Playable> = contents.all()?.into_iter().map(|(loaded, _)| loaded).collect();
    let Some(recommended) = rules.first() else { return Ok(pack.clone()) };
    let ruleset = &recommended.ruleset;
    ruleset.check_players_of_file(pack.play.players)?;
    let mut rests_on: Vec<PackRequirement> = Vec::new();
    for layer in rules.iter().flat_map(|loaded| loaded.ruleset.all_layers()) {
        let path = layer.path();
        if !pack.holds_path(&path) && !rests_on.iter().any(|known| known.path == path) {
            rests_on.push(required(layer));
        }
    }
    let named = ruleset.layers().find(|layer| layer.path() == pack.principal());
    let held = named.filter(|layer| pack.holds(layer)).or_else(|| ruleset.layers().rfind(|layer| pack.holds(layer)));
    let principal = held.or(named).unwrap_or(&ruleset.game);
    let variants = ruleset.variant_ids().map(str::to_owned).collect();
    let selection = Selection { variants, ..pack.play.selection.clone() };
    let play = RecommendedGame { selection, ..pack.play.clone() };
    named_after(principal, play, rests_on, pack.files.clone(), &rules)
}

/// A layer as a requirement of a pack that does not hold it.
fn required(layer: &Layer) -> PackRequirement {
    let version = layer.version.as_ref().map(compatible);
    PackRequirement {
        path: layer.path(),
        version,
        hash: hash_of_texts(&layer.files_of_rules()),
        functions: SortedMap::new(),
    }
}

/// A pack named after a layer. `rules` are all rulesets that use something of the pack.
fn named_after(
    principal: &Layer,
    play: RecommendedGame,
    mut rests_on: Vec<PackRequirement>,
    mut files: Vec<RuleFile>,
    rules: &[&Playable],
) -> Result<Pack, Diagnostics> {
    files.sort_by(|one, other| one.path.cmp(&other.path));
    rests_on.sort_by(|one, other| one.path.cmp(&other.path));
    let id = match &principal.kind {
        LayerKind::Game | LayerKind::Library => principal.id.clone(),
        LayerKind::Variant { game } => format!("{game}/{}", principal.id),
    };
    let mut pack = Pack {
        id,
        name: principal.name.get(Language::English).to_owned(),
        version: principal.version.clone(),
        author: principal.author.clone(),
        licence: principal.licence.clone(),
        houserule: Version::parse(env!("CARGO_PKG_VERSION")).as_ref().map_or(VersionReq::STAR, compatible),
        play,
        rests_on,
        files,
    };
    rules.iter().for_each(|loaded| note_functions(&mut pack, loaded));
    // Reading the pack back proves that everything in it can be written.
    let file = Pack::parse(&Source::within(pack.file_name(), 0, pack.to_toml()))?;
    file.whole()?;
    Ok(pack)
}

/// Refuses a layer with a text that is missing or lies outside its folder.
fn check_texts(layer: &Layer, texts: &[RuleFile], files: &dyn Files) -> Result<(), Diagnostics> {
    if let Some(Err(errors)) = &layer.rulebook {
        return Err(errors.clone());
    }
    let (path, root) = match layer.origin.found() {
        OriginKind::Root(root) => (layer.origin.path(), Some(&**root)),
        OriginKind::Path => (layer.origin.path(), None),
        OriginKind::Saved => return Ok(()),
    };
    let places = texts.iter().filter_map(|text| Some(path.with_file_name(Path::new(&text.path).file_name()?)));
    // A file that the person named may lie anywhere.
    let mut places = places.filter(|place| root.is_some() || place != path);
    places.try_for_each(|place| refuse_link(&place, root, files))
}

/// Refuses a symbolic link that leads out of its folder and out of the root, so that nobody hands on other files by
/// mistake.
fn refuse_link(path: &Path, root: Option<&Path>, files: &dyn Files) -> Result<(), Diagnostics> {
    let real = files.canonical_path(path);
    let mut folders = path.parent().into_iter().chain(root);
    if files.is_packed(path) || folders.any(|folder| real.starts_with(files.canonical_path(folder))) {
        return Ok(());
    }
    let name = files.name_of(path);
    let error = Diagnostic::new(message!("`{name}` is a link that leads elsewhere"));
    Err(error.help("a pack has what lies in the folder of its rules: put a copy there").into())
}

/// The layers that a pack of `wanted` variants holds, or of the game if there are none: these, and all that are not
/// built in.
pub fn packed_layers<'a>(ruleset: &'a Ruleset, wanted: &'a [String]) -> impl Iterator<Item = &'a Layer> {
    ruleset.layers().filter(move |layer| is_wanted(layer, ruleset, wanted) || !ruleset.are_shipped(&layer.files()))
}

/// Whether a layer is one of the wanted variants, or the game if there are none.
fn is_wanted(layer: &Layer, ruleset: &Ruleset, wanted: &[String]) -> bool {
    match layer.kind {
        LayerKind::Game => wanted.is_empty() && layer.id == ruleset.game.id,
        LayerKind::Variant { .. } => wanted.contains(&layer.id),
        LayerKind::Library => false,
    }
}

/// The scenarios that test what a pack of the wanted variants holds, or of the game if there are none, by their paths
/// in the pack. Of all scenarios in `folders`, these use something of the pack and no variants beyond the rules' own.
/// Also says why files in the game's own scenario folder cannot be packed.
///
/// # Errors
/// Two scenarios have the same file name.
pub fn scenarios(
    library: &Library,
    folders: &[PathBuf],
    ruleset: &Ruleset,
    wanted: &[String],
) -> Result<(SortedMap<String, String>, Vec<Diagnostic>), Diagnostics> {
    let game = &*ruleset.game.id;
    let has_game =
        packed_layers(ruleset, wanted).any(|layer| layer.id == game && matches!(layer.kind, LayerKind::Game));
    let packed: SortedSet<&str> = packed_layers(ruleset, wanted).map(|layer| &*layer.id).collect();
    let files = library.files();
    // In a pack, variants lie in the library's folders, where their ids find them.
    let id_of = |named: &str| -> Option<String> {
        let is_meant = |variant: &&Layer| {
            let is_file = || files.canonical_path(Path::new(named)) == files.canonical_path(variant.origin.path());
            variant.id == named || is_path(named) && is_file()
        };
        ruleset.variants.iter().find(is_meant).map(|variant| variant.id.clone())
    };
    let mut found: SortedMap<String, String> = SortedMap::new();
    let mut unfit: Vec<Diagnostic> = Vec::new();
    for root in folders {
        let folder = root.join(FOLDER);
        for path in files.toml_files_below(&folder) {
            let read = || -> Result<_, Diagnostics> {
                let source = files.read(&path, &files.name_of(&path))?;
                let scenario = Scenario::parse(&source, &path)?;
                refuse_link(&path, Some(root), files)?;
                Ok((scenario, source))
            };
            let (scenario, source) = match read() {
                Ok(read) => read,
                // Whether a broken file elsewhere is for this game is unknown. A folder that may not be listed is one, too.
                Err(errors) if path.starts_with(folder.join(game)) || folder.join(game).starts_with(&path) => {
                    let new: Vec<Diagnostic> = errors.into_iter().filter(|error| !unfit.contains(error)).collect();
                    unfit.extend(new);
                    continue;
                }
                Err(_) => continue,
            };
            let Some((own, text)) = scenario.by_ids(&source.text, id_of) else { continue };
            if scenario.game() == game && (has_game || own.iter().any(|id| packed.contains(&**id))) {
                add_named(&mut found, &folder_of_scenarios(game), &path, &text)?;
            }
        }
    }
    Ok((found, unfit))
}

/// The existing pictures that the looks of the packed layers name, by their paths in the pack.
///
/// # Errors
/// The same as of [`Layer::picture`].
pub fn pictures(
    library: &Library,
    ruleset: &Ruleset,
    wanted: &[String],
) -> Result<SortedMap<String, String>, Diagnostics> {
    let files = library.files();
    let mut found = SortedMap::new();
    for layer in packed_layers(ruleset, wanted) {
        let named = named_pictures(layer);
        let (Some(folder), false) = (layer.origin.path().parent(), named.is_empty()) else { continue };
        let path = layer.path();
        let Some((there, _)) = path.rsplit_once('/') else { continue };
        for FolderEntry { path, is_folder } in files.list(folder) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if let Some(icon) = named.iter().find(|icon| !is_folder && is_like(&name, &icon.written)) {
                let picture = layer.picture(&name, icon, files)?;
                found.insert(format!("{there}/{name}"), text_of(&name, picture.bytes));
            }
        }
    }
    Ok(found)
}

/// The pictures that the looks of a layer name, as written.
fn named_pictures(layer: &Layer) -> Vec<Icon> {
    fn collect(node: &Node, named: &mut Vec<Icon>) {
        match &node.value {
            Value::Table(table) => table.iter().for_each(|(key, entry)| match &entry.node.value {
                Value::Text(text) if key == design::ICON.name() && Icon::is_picture(text) => {
                    named.push(Icon { written: text.clone(), place: entry.node.place("") });
                }
                _ => collect(&entry.node, named),
            }),
            Value::List(nodes) => nodes.iter().for_each(|node| collect(node, named)),
            _ => {}
        }
    }
    let mut named = Vec::new();
    layer.tables.get(overlaid::LOOKS.name()).into_iter().for_each(|looks| collect(looks, &mut named));
    named
}

/// Whether a file name matches a written one, in which names in braces stand for anything.
fn is_like(name: &str, written: &str) -> bool {
    match (written.split_once('{'), written.rsplit_once('}')) {
        (Some((start, _)), Some((_, end))) => name.starts_with(start) && name.ends_with(end),
        _ => name == written,
    }
}

/// The folder of a game's scenarios in a pack.
pub fn folder_of_scenarios(game: &str) -> String {
    format!("{FOLDER}/{game}/")
}

/// Adds a text to a folder of a pack, under its file's name. The same text found twice is added once.
///
/// # Errors
/// Another text has the same name, or no file in a pack can have this one.
pub fn add_named(
    found: &mut SortedMap<String, String>,
    folder: &str,
    path: &Path,
    text: &str,
) -> Result<(), Diagnostics> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let place = format!("{folder}{name}");
    // Reading the pack back would refuse it too, but at a place in a file that nobody has.
    if wrong(&place).is_some() {
        let error = Diagnostic::new(message!("`{}` has a name that no file in a pack can have", path_name(path)));
        return Err(error
            .help(message!(
                "rename it: unaccented letters, digits, `-`, `_` and `.`, with a letter or a digit first and `.toml` at the end, at most {MAX_NAME_BYTES} altogether; some systems take names like `con` and `aux` for devices"
            ))
            .into());
    }
    match found.get(&place) {
        Some(other) if other != text => {
            let error = Diagnostic::new(message!("two files are called `{name}`, and a pack has one folder for them"));
            Err(error.help(message!("give `{}` another name", path_name(path))).into())
        }
        _ => {
            found.insert(place, text.to_owned());
            Ok(())
        }
    }
}

/// The versions that may replace the given one.
fn compatible(version: &Version) -> VersionReq {
    let Version { major, minor, patch, pre, .. } = version.clone();
    VersionReq { comparators: vec![Comparator { op: Op::Caret, major, minor: Some(minor), patch: Some(patch), pre }] }
}

/// The hash by which a pack identifies the layers that it rests on.
pub(super) fn hash_of_texts(texts: &[RuleFile]) -> String {
    let of_rules = |file: &RuleFile| match file.path.ends_with(".toml") {
        true => text_of_rules(&file.text).into_owned(),
        false => file.text.clone(),
    };
    let rules: Vec<String> = texts.iter().map(of_rules).collect();
    hash_of(texts.iter().zip(&rules).flat_map(|(file, rules)| [&*file.path, rules.as_str()]))
}

/// Records the current fingerprints of functions that the pack overrides and does not hold.
fn note_functions(pack: &mut Pack, loaded: &Playable) {
    let held: SortedSet<String> = pack.files.iter().map(|file| file.path.clone()).collect();
    let fingerprints = fingerprints(loaded);
    for (_, below) in overridden(loaded, &held) {
        let (Some(below), Some(fingerprint)) = (loaded.functions.get(below), fingerprints.get(below)) else { continue };
        let path = path_of(&loaded.ruleset, below.script);
        let Some(required) = pack.rests_on.iter_mut().find(|required| required.path == path) else { continue };
        required.functions.insert(format!("{}/{}", below.name, below.parameters.len()), fingerprint.clone());
    }
}

/// A summary of a pack's content: `1 variant, 2 scenarios`.
pub fn contents_summary(pack: &Pack) -> Message {
    let of = |is_it: &dyn Fn(&str) -> bool| pack.files.iter().filter(|file| is_it(&file.path)).count();
    let library = |file: &RuleFile| Some(file.path.strip_prefix("scripts/")?.split('.').next()?.to_owned());
    let libraries: SortedSet<String> = pack.files.iter().filter_map(library).collect();
    let counts = [
        (of(&|path| path.starts_with("games/") && path.ends_with("/game.toml")), "game"),
        (of(&|path| path.starts_with("variants/") && path.ends_with(".toml")), "variant"),
        (libraries.len(), "library"),
        (of(&|path| path.starts_with(FOLDER)), "scenario"),
        (of(&|path| path.starts_with(SAVES)), "saved game"),
        (of(&is_picture_path), "picture"),
    ];
    let counted = counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| match (count, what) {
        (count, "library") if count != 1 => message!("{count} libraries"),
        _ => Message::counted(count, what),
    });
    Message::list(counted, ", ")
}
