//! A ruleset put together: its layers are found and laid over each other, their scripts joined, and all of it hashed.

use super::variant_order::{OrderedVariants, order_variants};
use super::{MAX_LINES, Role, Ruleset, ScriptLayer, Selection, SelectionPart, hash_of, layers};
use crate::definition::{Edition, Layer, LayerKind, Library, Origin, Overlay, Override, RuleFile, ScriptText, overlay};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, message};
use crate::sorted::{SortedMap, SortedSet};
use std::borrow::Cow;
use std::sync::Arc;

impl Ruleset {
    /// Reads the layers of a selection and merges them.
    ///
    /// # Errors
    /// A file is invalid, or the layers do not fit together.
    pub fn load(library: &Library, selection: &Selection) -> Result<Self, Diagnostics> {
        Self::load_for(library, selection, &|_| None)
    }

    /// Loads a selection that is written in a file, like [`load`](Self::load). `asked` gives the place of each part,
    /// which errors point at where no other file is to blame.
    ///
    /// # Errors
    /// A file is invalid, or the layers do not fit together.
    pub fn load_for(
        library: &Library,
        selection: &Selection,
        asked: &dyn Fn(SelectionPart) -> Option<Place>,
    ) -> Result<Self, Diagnostics> {
        let blamed = |part: SelectionPart| move |errors: Diagnostics| errors.asked_for_at(asked(part));
        let mut game = library.game(&selection.game).map_err(blamed(SelectionPart::Game))?;
        let mut bases = library.bases(&game)?;
        let mut variants = Vec::with_capacity(selection.variants.len());
        let mut trouble = Vec::new();
        for (number, name) in selection.variants.iter().enumerate() {
            match library.variant(&game.id, name) {
                Ok(variant) => variants.push(variant),
                Err(errors) => trouble.extend(blamed(SelectionPart::Variant(number))(errors)),
            }
        }
        let mut overrides = Vec::with_capacity(selection.set.len());
        for (number, typed) in selection.set.iter().enumerate() {
            match Override::parse(typed) {
                Ok(setting) => overrides.push(setting),
                Err(error) => {
                    let error = match Override::without_layer(typed, layers(&bases, &game, &variants)) {
                        Some(name) => error.help(message!("did you mean `{name}`?")),
                        None => error,
                    };
                    trouble.extend(blamed(SelectionPart::Set(number))(error));
                }
            }
        }
        Diagnostics::refuse(trouble)?;
        let named = variants.into_iter().map(|variant| (variant.lookup_name().into_owned(), variant));
        let OrderedVariants { names, mut variants, notes } = order_variants(library, &game, named.collect())?;
        let is_in_play = |given: &Override| layers(&bases, &game, &variants).any(|layer| layer.id == given.layer);
        let absent = overrides.iter().zip(0..).filter(|(given, _)| !is_in_play(given));
        let absent = absent.filter(|(given, _)| library.variant(&game.id, &given.layer).is_ok());
        let absent = absent
            .map(|(given, number)| given.layer_not_in_play_error().asked_for_at(asked(SelectionPart::Set(number))));
        Diagnostics::refuse(absent.collect())?;
        // A value that does not fit is shown as typed, so its source identifies the override.
        let part_of = |error: &Diagnostic| {
            let source = error.place.as_ref().map(|place| &place.source);
            let is_typed = |given: &Override| source.is_some_and(|source| Arc::ptr_eq(source, &given.source));
            overrides.iter().position(is_typed).map_or(SelectionPart::Variants, SelectionPart::Set)
        };
        let libraries = libraries_of(library, layers(&bases, &game, &variants))?;
        let overlaid = overlay(&libraries, &bases, &game, &variants, &overrides).map_err(|errors| {
            errors.map(|error| {
                let part = part_of(&error);
                error.asked_for_at(asked(part))
            })
        })?;
        let Overlay { definition, settings, declared, mut warnings } = overlaid;
        for (layer, declared) in bases.iter_mut().chain([&mut game]).chain(&mut variants).zip(declared) {
            layer.settings = declared;
        }
        let overridden = overrides_beyond_settings(layers(&bases, &game, &variants), &overrides);
        let scripts = join_scripts(&libraries, &bases, &game, &variants)?;
        let hash = content_hash(&libraries, layers(&bases, &game, &variants), &scripts, &settings, &overridden);
        let mut ruleset = Self {
            selection: Selection { variants: names, ..selection.clone() },
            definition: Arc::new(definition),
            libraries,
            bases,
            game,
            variants,
            settings,
            overridden,
            scripts,
            warnings: Vec::new(),
            notes,
            hash,
            not_shipped: SortedSet::new(),
            changed: SortedSet::new(),
        };
        let files: Vec<RuleFile> = ruleset.all_layers().flat_map(Layer::files).collect();
        for file in files {
            let shipped = library.files().shipped(&file.path);
            if shipped == Some(&file.text) {
                continue;
            }
            if shipped.is_some() {
                ruleset.changed.insert(file.path.clone());
            }
            ruleset.not_shipped.insert(file.path);
        }
        for layer in ruleset.all_layers() {
            let near = ruleset.layers().find(|user| user.uses.contains(&layer.id)).and_then(|user| user.origin.root());
            let near = near.filter(|_| layer.kind == LayerKind::Library);
            warnings.extend(library.shadowing_warning(&layer.path(), near));
        }
        ruleset.warnings = warnings;
        Ok(ruleset)
    }
}

/// The libraries that layers use, each once.
fn libraries_of<'l>(library: &Library, layers: impl Iterator<Item = &'l Layer>) -> Result<Vec<Layer>, Diagnostics> {
    let mut libraries: Vec<Layer> = Vec::new();
    for layer in layers {
        for name in &layer.uses {
            if !libraries.iter().any(|known| known.id == *name) {
                let used = library.rule_library(name, layer.origin.root());
                libraries.push(used.map_err(|errors| errors.asked_for_at(layer.place_of(&["uses"], "named here")))?);
            }
        }
    }
    Ok(libraries)
}

/// The scripts of all layers, the lowest first, each with its lines in the joined scripts.
fn join_scripts(
    libraries: &[Layer],
    bases: &[Layer],
    game: &Layer,
    variants: &[Layer],
) -> Result<Vec<ScriptLayer>, Diagnostics> {
    let mut scripts: Vec<ScriptLayer> = Vec::new();
    let mut lines = 0;
    let mut add = |id: &str, role, edition: Edition, script: ScriptText, origin: Origin| {
        // The end of the text is a place too, one line behind the last.
        let own = script.text.lines().count() + 1;
        scripts.push(ScriptLayer { id: id.to_owned(), role, script, edition, origin, lines_before: lines, lines: own });
        lines += own;
    };
    let numbered = bases.iter().enumerate().map(|(number, base)| (Role::Base(number), base));
    for (role, layer) in libraries
        .iter()
        .map(|library| (Role::Library, library))
        .chain(numbered)
        .chain([(Role::Game, game)])
        .chain(variants.iter().enumerate().map(|(number, variant)| (Role::Variant(number), variant)))
    {
        if let Some(script) = &layer.script {
            add(&layer.id, role, layer.edition, script.clone(), layer.origin.clone());
        }
    }
    if lines > MAX_LINES {
        let message = message!("the scripts of this ruleset have {lines} lines together");
        let longer = scripts.iter().find(|script| script.lines_before + script.lines > MAX_LINES);
        let first =
            longer.map(|script| script.script.place(MAX_LINES - script.lines_before + 1, 1, "the first too many"));
        let error = Diagnostic::new(message).at_maybe(first);
        return Err(error.help(message!("at most {MAX_LINES} lines are allowed")).into());
    }
    Ok(scripts)
}

/// The overrides of keys that no layer declares as settings.
fn overrides_beyond_settings<'l>(
    layers: impl Iterator<Item = &'l Layer> + Clone,
    overrides: &[Override],
) -> Vec<(String, toml::Value)> {
    let beyond = |given: &&Override| !given.is_of_setting(layers.clone());
    let named = |given: &Override| (format!("{}.{}", given.layer, given.path), given.value.clone());
    overrides.iter().filter(beyond).map(named).collect()
}

fn content_hash<'l>(
    libraries: &'l [Layer],
    layers: impl Iterator<Item = &'l Layer>,
    scripts: &[ScriptLayer],
    settings: &[(String, SortedMap<String, toml::Value>)],
    overridden: &[(String, toml::Value)],
) -> String {
    let mut texts: Vec<Cow<'_, str>> = vec!["houserule ruleset 1".into()];
    // The scripts of libraries are among the scripts.
    let libraries = libraries.iter().filter(|library| !library.is_script_alone());
    for layer in libraries.chain(layers) {
        let kind = match layer.kind {
            LayerKind::Library => "library",
            LayerKind::Game => "game",
            LayerKind::Variant { .. } => "variant",
        };
        texts.extend([kind.into(), (&*layer.id).into(), layer.text_of_rules().into()]);
    }
    for script in scripts {
        texts.extend([&*script.id, &*script.script.text].map(Cow::from));
    }
    for (layer, values) in settings {
        for (key, value) in values {
            texts.extend([(&**layer).into(), (&**key).into(), value.to_string().into()]);
        }
    }
    for (path, value) in overridden {
        texts.extend([(&**path).into(), value.to_string().into()]);
    }
    hash_of(texts.iter().map(|text| &**text))
}
