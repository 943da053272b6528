//! What belongs into a pack: collected from rules that are loaded.

use super::changes::{body_of, overridden};
use super::paths::SAVES;
use super::{Pack, Recommended, Required, hash_of};
use crate::definition::{Language, Layer, LayerKind, Library, RuleFile};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::inspect::check::counted;
use crate::playthrough::Playable;
use crate::ruleset::{Role, Selection};
use crate::scenario::{FOLDER, Scenario};
use semver::{Comparator, Op, Version, VersionReq};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Rules with what goes along with them, to make a pack of.
pub struct Gathered<'a> {
    /// The rules.
    pub loaded: &'a Playable,
    /// Whether somebody asked for the rules themselves; where only games played with them are packed, what comes with the
    /// program is left out.
    pub rules_are_wanted: bool,
    /// The ids of the variants that were asked for; of a game, none.
    pub wanted: Vec<String>,
    /// How many play the recommended game.
    pub players: usize,
    /// The seed of the recommended game.
    pub seed: u64,
    /// Its settings.
    pub set: Vec<String>,
    /// Scenarios by the names of their files.
    pub scenarios: BTreeMap<String, String>,
    /// Saved games by the names of their files.
    pub saves: BTreeMap<String, String>,
}

impl Gathered<'_> {
    /// The pack. It holds what was asked for, and everything below that which did not come with the program.
    ///
    /// # Errors
    /// There is more than a pack can hold, or something is called as nothing in a pack can be.
    pub fn pack(self) -> Result<Pack, Diagnostics> {
        let ruleset = &self.loaded.ruleset;
        let principal = match self.wanted.last().and_then(|id| ruleset.variants.iter().find(|layer| layer.id == *id)) {
            Some(variant) => variant,
            None => &ruleset.game,
        };
        let is_wanted = |layer: &Layer| {
            self.rules_are_wanted
                && match layer.kind {
                    LayerKind::Game => self.wanted.is_empty() && layer.id == ruleset.game.id,
                    LayerKind::Variant { .. } => self.wanted.contains(&layer.id),
                }
        };
        let (mut files, mut rests_on) = (Vec::new(), Vec::new());
        let mut sort = |texts: Vec<RuleFile>, is_wanted: bool, version: Option<&Version>| {
            if is_wanted || !texts.iter().all(RuleFile::is_shipped) {
                files.extend(texts);
            } else if let Some(path) = texts.first().map(|file| file.path.clone()) {
                let hash = hash_of_texts(&texts);
                rests_on.push(Required { path, version: version.map(compatible), hash, functions: BTreeMap::new() });
            }
        };
        for layer in ruleset.layers() {
            sort(layer.files(), is_wanted(layer), layer.version.as_ref());
        }
        for script in ruleset.scripts.iter().filter(|script| script.role == Role::Library) {
            let path = format!("scripts/{}.rhai", script.id);
            sort(vec![RuleFile { path, text: script.script.text.clone() }], false, None);
        }
        let game = &ruleset.game.id;
        for (name, text) in &self.scenarios {
            files.push(RuleFile { path: format!("{FOLDER}/{game}/{name}"), text: text.clone() });
        }
        for (name, text) in &self.saves {
            files.push(RuleFile { path: format!("{SAVES}{name}"), text: text.clone() });
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        rests_on.sort_by(|one, other| one.path.cmp(&other.path));
        let id = match &principal.kind {
            LayerKind::Game => principal.id.clone(),
            LayerKind::Variant { game } => format!("{game}/{}", principal.id),
        };
        let mut pack = Pack {
            id,
            name: principal.name.get(Language::English).to_owned(),
            version: principal.version.clone(),
            author: principal.author.clone(),
            licence: principal.licence.clone(),
            houserule: Version::parse(env!("CARGO_PKG_VERSION")).as_ref().map_or(VersionReq::STAR, compatible),
            play: Recommended {
                selection: Selection {
                    game: game.clone(),
                    variants: ruleset.variant_ids().map(str::to_owned).collect(),
                    set: self.set,
                },
                players: self.players,
                seed: self.seed,
            },
            rests_on,
            files,
        };
        note_functions(&mut pack, self.loaded);
        // What the pack says has to come back from its text: what cannot be in one is told here.
        let text = pack.to_toml();
        let source = crate::diagnostic::Source::within(pack.file_name(), 0, text);
        Pack::parse(&source)?.whole()?;
        Ok(pack)
    }
}

/// The scenarios that test what goes into a pack of these rules: of all those in some folders, those of the game that
/// lay no other variants over it, and of a variant those that have it.
///
/// # Errors
/// Two of them have files of the same name.
pub fn scenarios(
    library: &Library,
    folders: &[PathBuf],
    game: &str,
    variants: &[String],
    wanted: &[String],
) -> Result<BTreeMap<String, String>, Diagnostics> {
    let files = library.files();
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let folders = folders.iter().map(|folder| files.toml_files_below(&folder.join(FOLDER)));
    for path in folders.flatten() {
        let name = files.name_of(&path);
        // What is no scenario tests nothing; `houserule test` tells of it.
        let Ok(source) = files.read(&path, &name) else { continue };
        let Ok(scenario) = Scenario::parse(&source, &path) else { continue };
        let own: Vec<&str> = scenario.variants().collect();
        let has_all = own.iter().all(|id| variants.iter().any(|known| known == id));
        let has_wanted = wanted.is_empty() || wanted.iter().any(|id| own.contains(&id.as_str()));
        if scenario.game() == game && has_all && has_wanted {
            add_named(&mut found, &path, &source.text)?;
        }
    }
    Ok(found)
}

/// Adds a text under the name of its file. A file that is found twice is one.
///
/// # Errors
/// Another text has that name.
pub fn add_named(found: &mut BTreeMap<String, String>, path: &Path, text: &str) -> Result<(), Diagnostics> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match found.get(&name) {
        Some(other) if other != text => {
            let error = Diagnostic::new(format!("two files are called `{name}`, and a pack has one folder for them"));
            Err(error.help(format!("give `{}` another name", path.display())).into())
        }
        _ => {
            found.insert(name, text.to_owned());
            Ok(())
        }
    }
}

/// The versions that a thing of this version may be replaced by.
fn compatible(version: &Version) -> VersionReq {
    let Version { major, minor, patch, pre, .. } = version.clone();
    VersionReq { comparators: vec![Comparator { op: Op::Caret, major, minor: Some(minor), patch: Some(patch), pre }] }
}

/// The hash by which a pack knows what it rests on.
pub(super) fn hash_of_texts(texts: &[RuleFile]) -> String {
    hash_of(texts.iter().flat_map(|file| [&*file.path, &*file.text]))
}

/// Notes the functions that the pack overrides and does not hold, as they are now.
fn note_functions(pack: &mut Pack, loaded: &Playable) {
    let ruleset = &loaded.ruleset;
    let paths: BTreeSet<String> = pack.files.iter().map(|file| file.path.clone()).collect();
    for (_, below) in overridden(loaded, &|layer| paths.contains(&layer.path())) {
        let path = super::changes::path_of(ruleset, below.script);
        let Some(required) = pack.rests_on.iter_mut().find(|required| required.path == path) else { continue };
        let name = format!("{}/{}", below.name, below.parameters.len());
        required.functions.insert(name, super::changes::fingerprint(&body_of(ruleset, below)));
    }
}

/// What a pack holds, in a few words: `1 variant, 2 scenarios`.
pub fn contents(pack: &Pack) -> String {
    let of = |is_it: &dyn Fn(&str) -> bool| pack.files.iter().filter(|file| is_it(&file.path)).count();
    let counts = [
        (of(&|path| path.ends_with("/game.toml")), "game"),
        (of(&|path| path.starts_with("variants/") && path.ends_with(".toml")), "variant"),
        (of(&|path| path.starts_with("scripts/")), "library"),
        (of(&|path| path.starts_with(FOLDER)), "scenario"),
        (of(&|path| path.starts_with(SAVES)), "saved game"),
    ];
    let counted = counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| match (count, what) {
        (count, "library") if count != 1 => format!("{count} libraries"),
        _ => counted(count, what),
    });
    counted.collect::<Vec<_>>().join(", ")
}
