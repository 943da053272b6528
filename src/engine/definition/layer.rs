//! Reading a layer from its file: a game, a variant to lay over it, or a library to lay it on.

use super::keys::KeyInfo;
use super::keys::table::{layer, library, overlaid, own, script, setting, variant};
use super::names::{ID_HELP, is_id};
use super::prose::RULEBOOK_FILE;
use super::schema::{Checker, Field, Fields};
use super::tables::read_tables;
use super::tree::{self, Value};
use super::{
    ANY_GAME, Addition, CompatibleGames, Edition, Layer, LayerKind, Origin, OriginKind, RuleFile, ScriptText, Setting,
    Text, edition_of_library,
};
use crate::diagnostic::{Diagnostic, Diagnostics, Help, Place, QuickFix, Source};
use crate::files::{Files, path_name};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

impl Layer {
    /// The name by which the variant is found again, on any system: its id, or its path where a person named the file
    /// by path, as then no folder of the library has it.
    pub fn lookup_name(&self) -> Cow<'_, str> {
        match self.origin.found() {
            OriginKind::Path => Cow::Owned(path_name(self.origin.path())),
            OriginKind::Root(_) | OriginKind::Saved => Cow::Borrowed(&self.id),
        }
    }

    /// Reads a game or a variant from its file, with the script beside it if it has one there.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or as [`parse`](Layer::parse).
    pub fn read(files: &dyn Files, origin: Origin) -> Result<Layer, Diagnostics> {
        let path = origin.path();
        let source = files.read(path, origin.name())?;
        let beside = |file: &str| read_adjacent_file(files, path, &source.name, file);
        Layer::parse(Arc::clone(&source), origin.clone(), &beside)
    }

    /// Reads a game or a variant from its text. `beside` gives an adjacent file by its name, if there is one: the
    /// script is `rules.rhai` for a game, `<variant>.rhai` for a variant. A file with the key `game` is a variant.
    ///
    /// A game is checked as a whole, unless it rests on another or on libraries. A variant may rely on what its game
    /// declares, so only the shape of its tables is checked; `overlay` does the rest.
    ///
    /// # Errors
    ///
    /// If the text is no TOML, has keys or values that mean nothing, or lacks what it must have; if the script is both
    /// inside and beside the file; if a game has no script. Up to ten errors are reported at once.
    pub fn parse(source: Arc<Source>, origin: Origin, beside: &AdjacentFiles<'_>) -> Result<Layer, Diagnostics> {
        let mut whole = tree::parse(&source)?;
        let is_for_several = whole.get("games").is_some() || whole.get("games_using").is_some();
        let is_variant = whole.get("game").is_some() || is_for_several;
        let inherits = is_variant || whole.get("base").is_some();
        let is_over = inherits || whole.get("uses").is_some();
        let additions = if is_over { take_additions(&mut whole, &[]) } else { Vec::new() };
        let mut checker = Checker::new(false);
        let fields = Fields { path: String::new(), place: Place::new(&source, 0..0, ""), table: &whole };

        let (what, own_keys) =
            if is_variant { (&variant::SECTION, variant::SECTION.keys) } else { (&layer::SECTION, own::SECTION.keys) };
        fields.report_unknown_keys(
            &mut checker,
            what.called,
            &[layer::SECTION.keys, own_keys, overlaid::SECTION.keys].concat(),
        );
        let is_named_game = origin.path().file_name().is_none_or(|name| name == "game.toml");
        if !is_over && !is_named_game && whole.get("players").is_none() {
            let trouble = Diagnostic::new("this is neither a game nor a variant")
                .at(Place::new(&source, 0..0, "neither `game` nor `players` is given"))
                .help("a variant names its game: game = \"high-card\"")
                .help("a game says how many can play: players = { min = 2, max = 6 }");
            return Err(trouble.into());
        }

        let id = fields.read(&mut checker, &layer::ID);
        let edition = fields.read(&mut checker, &layer::HOUSERULE).unwrap_or_default();
        let name = fields.read(&mut checker, &layer::NAME);
        let about = fields.read(&mut checker, &layer::ABOUT).unwrap_or_default();
        let version = fields.read(&mut checker, &layer::VERSION);
        let author = fields.read(&mut checker, &layer::AUTHOR).map(str::to_owned);
        let licence = fields.read(&mut checker, &layer::LICENCE).map(str::to_owned);
        let game = fields.find(&variant::GAME).and_then(|field| field.id(&mut checker));
        let fits = read_fits(&fields, game.is_some(), &mut checker);
        let game = game.or_else(|| is_for_several.then(|| ANY_GAME.to_owned()));
        let base = fields
            .find(&own::BASE)
            .and_then(|field| Some((field.id(&mut checker)?, field.node.place("based on this one"))));
        let removals = fields.read(&mut checker, &variant::REMOVE).unwrap_or_default();
        let removals = removals.iter().filter_map(|path| {
            let keys = path.text(&mut checker)?.split('.').map(str::to_owned).collect();
            Some((keys, path.node.place("removed here")))
        });
        let removals: Vec<(Vec<String>, Place)> = removals.collect();
        let uses =
            fields.read(&mut checker, &layer::USES).map(|names| read_uses(&names, &mut checker)).unwrap_or_default();
        let settings = fields.read(&mut checker, &layer::SETTINGS);
        let settings = settings.map(|settings| read_settings(&settings, &mut checker)).unwrap_or_default();
        let conflicts = fields.read(&mut checker, &variant::CONFLICTS);
        let conflicts = conflicts.map(|conflicts| read_conflicts(&conflicts, &mut checker)).unwrap_or_default();
        let requires = fields.read(&mut checker, &variant::REQUIRES).unwrap_or_default();
        let requires = read_requires(&requires, id.as_deref(), &conflicts, &mut checker);
        let with = read_with(&fields, &requires, game.as_deref(), &mut checker);
        let mut tables = overlaid_tables(&whole);
        if let Some(Value::Table(declared)) = whole.get(layer::SETTINGS.name()).map(|node| &node.value) {
            for (key, entry) in declared.iter() {
                settings.get(key).into_iter().for_each(|setting| setting.declare_answer(entry, &mut tables));
            }
        }
        checker.partial = is_over;
        read_tables(&tables, &fields.place, id.as_deref().unwrap_or(""), &mut checker);
        let script_file = match id.as_deref() {
            Some(id) if is_variant => format!("{id}.rhai"),
            _ => "rules.rhai".to_owned(),
        };
        let script = read_script(&fields, &source, &script_file, beside, inherits, &mut checker);
        let rulebook = beside(RULEBOOK_FILE).filter(|_| !is_variant && is_named_game);

        let layer = id.zip(name).map(|(id, name)| {
            let kind = game.map_or(LayerKind::Game, |game| LayerKind::Variant { game });
            Layer {
                edition,
                base,
                fits,
                removals,
                name,
                about,
                version,
                author,
                licence,
                script,
                rulebook,
                conflicts,
                requires,
                with,
                additions,
                settings,
                uses,
                tables,
                whole: whole.clone(),
                ..Layer::empty(id, kind, Arc::clone(&source), origin)
            }
        });
        checker.finish(layer)
    }

    /// Reads a library of rules from its files: its definition `<id>.toml`, its script `<id>.rhai`, or both.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or as [`library`](Layer::library).
    pub(super) fn read_library(files: &dyn Files, id: &str, origin: Origin) -> Result<Layer, Diagnostics> {
        let beside = |file: &str| read_adjacent_file(files, origin.path(), origin.name(), file);
        Layer::library(id, origin.clone(), &beside)
    }

    /// Reads a library of rules from its files, which `beside` gives by their names. Like a variant, it may rely on what
    /// games declare.
    ///
    /// # Errors
    ///
    /// If the definition is no TOML or has keys or values that mean nothing; if the script is both inside and beside it.
    pub(super) fn library(id: &str, origin: Origin, beside: &AdjacentFiles<'_>) -> Result<Layer, Diagnostics> {
        let script_file = format!("{id}.rhai");
        let Some(source) = beside(&format!("{id}.toml")) else {
            let missing = || Err(Diagnostic::new(format!("`{}` is not there any more", origin.name())).into());
            let source = beside(&script_file).unwrap_or_else(missing)?;
            let script = Some(ScriptText::of_file(Arc::clone(&source)));
            let edition = edition_of_library(&source)?;
            return Ok(Layer { edition, script, ..Layer::empty(id.to_owned(), LayerKind::Library, source, origin) });
        };
        let source = source?;
        let mut whole = tree::parse(&source)?;
        let additions = take_additions(&mut whole, &[]);
        let mut checker = Checker::new(true);
        let fields = Fields { path: String::new(), place: Place::new(&source, 0..0, ""), table: &whole };
        let keys = [library::SECTION.keys, overlaid::SECTION.keys].concat();
        fields.report_unknown_keys(&mut checker, library::SECTION.called, &keys);
        let tables = overlaid_tables(&whole);
        read_tables(&tables, &fields.place, id, &mut checker);
        checker.partial = false;
        let own = fields.read(&mut checker, &library::ID).unwrap_or_else(|| id.to_owned());
        let layer = Layer {
            edition: fields.read(&mut checker, &library::HOUSERULE).unwrap_or_default(),
            about: fields.read(&mut checker, &library::ABOUT).unwrap_or_default(),
            version: fields.read(&mut checker, &library::VERSION),
            author: fields.read(&mut checker, &library::AUTHOR).map(str::to_owned),
            licence: fields.read(&mut checker, &library::LICENCE).map(str::to_owned),
            script: read_script(&fields, &source, &script_file, beside, true, &mut checker),
            additions,
            tables,
            whole: whole.clone(),
            ..Layer::empty(own, LayerKind::Library, Arc::clone(&source), origin)
        };
        checker.finish(Some(layer))
    }

    /// A layer without content.
    fn empty(id: String, kind: LayerKind, source: Arc<Source>, origin: Origin) -> Layer {
        Layer {
            name: Text { en: id.clone(), ja: None },
            id,
            edition: Edition::UNSTATED,
            kind,
            base: None,
            fits: CompatibleGames::default(),
            removals: Vec::new(),
            about: Text::default(),
            version: None,
            author: None,
            licence: None,
            source,
            origin,
            script: None,
            rulebook: None,
            conflicts: BTreeMap::new(),
            requires: Vec::new(),
            with: Vec::new(),
            additions: Vec::new(),
            settings: BTreeMap::new(),
            uses: Vec::new(),
            tables: tree::TomlTable::default(),
            whole: tree::TomlTable::default(),
        }
    }

    /// The layer's settings, with those choices resolved that stand in the data of all layers.
    pub(super) fn settings_with(&self, data: &Fields<'_>, checker: &mut Checker) -> BTreeMap<String, Setting> {
        let mut settings = self.settings.clone();
        let open = settings.values().any(|setting| setting.choices_path.is_some());
        let declared = self.whole.get(layer::SETTINGS.name()).filter(|_| open);
        let Some(Value::Table(declared)) = declared.map(|node| &node.value) else { return settings };
        let place = Place::new(&self.source, 0..0, "");
        let fields = Fields { path: layer::SETTINGS.name().to_owned(), place, table: declared };
        for (order, (key, field)) in fields.each().enumerate() {
            if let Some(known) = settings.get_mut(key).filter(|known| known.choices_path.is_some())
                && let Some(read) = Setting::read(&field, order, Some(data), checker)
            {
                *known = read;
            }
        }
        settings
    }

    /// The place of a value in the layer's own file, by the keys that lead to it: `["conflicts", "double"]`.
    pub fn place_of(&self, keys: &[&str], label: impl Into<String>) -> Option<Place> {
        Some(self.whole.at(keys)?.place(label))
    }

    /// The value under `keys` in those tables of the layer that lie over other layers; `None` where it has none.
    pub fn value_at(&self, keys: &[&str]) -> Option<&tree::Node> {
        self.tables.at(keys)
    }

    /// The path of the layer's file below a root: `variants/high-card/double.toml`. A library is named after its script
    /// if that is a file of its own, otherwise after its definition.
    pub fn path(&self) -> String {
        match &self.kind {
            LayerKind::Library if self.adjacent_script().is_some() => self.script_path(),
            _ => self.definition_path(),
        }
    }

    fn definition_path(&self) -> String {
        match &self.kind {
            LayerKind::Game => format!("games/{}/game.toml", self.id),
            LayerKind::Variant { game } => format!("variants/{game}/{}.toml", self.id),
            LayerKind::Library => format!("scripts/{}.toml", self.id),
        }
    }

    fn rulebook_path(&self) -> String {
        format!("games/{}/{RULEBOOK_FILE}", self.id)
    }

    fn script_path(&self) -> String {
        match &self.kind {
            LayerKind::Game => format!("games/{}/rules.rhai", self.id),
            LayerKind::Variant { game } => format!("variants/{game}/{}.rhai", self.id),
            LayerKind::Library => format!("scripts/{}.rhai", self.id),
        }
    }

    /// The layer's script, if that has a file of its own.
    fn adjacent_script(&self) -> Option<&ScriptText> {
        self.script.as_ref().filter(|script| self.is_script_alone() || !Arc::ptr_eq(&script.source, &self.source))
    }

    /// Whether the layer is a library without a definition.
    pub(crate) fn is_script_alone(&self) -> bool {
        let fills = |script: &ScriptText| script.start == 0 && Arc::ptr_eq(&script.source, &self.source);
        self.script.as_ref().is_some_and(fills)
    }

    /// The texts of the layer: its file, and the script and the rulebook where they are files beside it.
    pub fn files(&self) -> Vec<RuleFile> {
        let rulebook = self.readable_rulebook();
        let rulebook = rulebook.map(|source| RuleFile { path: self.rulebook_path(), text: source.text.clone() });
        self.files_for_saves().into_iter().chain(rulebook).collect()
    }

    /// The texts of the layer that a saved game stores: all but a rulebook beside it, which does not affect play.
    pub fn files_for_saves(&self) -> Vec<RuleFile> {
        self.files_with(self.source.text.clone())
    }

    /// The texts of the layer's rules, without what is said to people alone.
    pub fn files_of_rules(&self) -> Vec<RuleFile> {
        self.files_with(self.text_of_rules())
    }

    fn files_with(&self, text: String) -> Vec<RuleFile> {
        let own = RuleFile { path: self.definition_path(), text };
        let own = Some(own).filter(|_| !self.is_script_alone());
        let beside =
            self.adjacent_script().map(|script| RuleFile { path: self.script_path(), text: script.text.clone() });
        own.into_iter().chain(beside).collect()
    }

    /// The sources of the texts that [`files`](Self::files) gives.
    pub fn sources(&self) -> impl Iterator<Item = &Arc<Source>> {
        let own = Some(&self.source).filter(|_| !self.is_script_alone());
        own.into_iter().chain(self.adjacent_script().map(|script| &script.source)).chain(self.readable_rulebook())
    }

    fn readable_rulebook(&self) -> Option<&Arc<Source>> {
        self.rulebook.as_ref().and_then(|read| read.as_ref().ok())
    }

    /// Whether this variant works with a game: `lineage` has the game and those that it is laid over, `libraries` the
    /// libraries that they use. False for a game or a library.
    pub fn fits(&self, lineage: &[String], libraries: &[String]) -> bool {
        match &self.kind {
            LayerKind::Variant { game } if game == ANY_GAME => {
                self.fits.games.iter().any(|game| lineage.contains(game))
                    || self.fits.library.as_ref().is_some_and(|library| libraries.contains(library))
            }
            LayerKind::Variant { game } => lineage.contains(game),
            LayerKind::Game | LayerKind::Library => false,
        }
    }

    /// The games that this variant works with, in words.
    pub fn games_in_words(&self) -> String {
        let quoted = |games: &[String]| games.iter().map(|game| format!("`{game}`")).collect::<Vec<_>>().join(", ");
        match (&self.kind, &self.fits.library) {
            (LayerKind::Variant { game }, _) if game != ANY_GAME => format!("`{game}`"),
            (_, None) => quoted(&self.fits.games),
            (_, Some(library)) if self.fits.games.is_empty() => format!("every game that uses `{library}`"),
            (_, Some(library)) => format!("{}, and every game that uses `{library}`", quoted(&self.fits.games)),
        }
    }

    /// Whether the layer is a variant.
    pub fn is_variant(&self) -> bool {
        matches!(self.kind, LayerKind::Variant { .. })
    }
}

fn overlaid_tables(whole: &tree::TomlTable) -> tree::TomlTable {
    let mut tables = tree::TomlTable::default();
    for (key, entry) in whole.iter().filter(|(key, _)| overlaid::SECTION.has(key)) {
        tables.insert(key.to_owned(), entry.key.clone(), entry.node.clone());
    }
    tables
}

fn read_uses(elements: &[Field<'_>], checker: &mut Checker) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for element in elements {
        let Some(name) = element.id(checker) else { continue };
        if names.contains(&name) {
            let place = element.node.place("already named");
            checker.report(Diagnostic::new(format!("`uses` names `{name}` twice")).at(place));
        } else {
            names.push(name);
        }
    }
    names
}

/// Takes the additions to lists out of a variant's tables: keys that end in `+` and hold a list. Such a key may be a
/// path itself, relative to its table.
fn take_additions(table: &mut tree::TomlTable, path: &[String]) -> Vec<Addition> {
    let is_addition = |key: &str, node: &tree::Node| {
        let Some(list) = key.strip_suffix('+') else { return false };
        let first = path.first().map_or_else(|| list.split('.').next().unwrap_or(list), String::as_str);
        overlaid::SECTION.has(first) && matches!(node.value, Value::List(_))
    };
    let mut additions = Vec::new();
    for (key, entry) in table.extract_if(is_addition) {
        let Value::List(elements) = entry.node.value else { continue };
        let keys = key.trim_end_matches('+').split('.').map(str::to_owned);
        additions.push(Addition { path: path.iter().cloned().chain(keys).collect(), key: entry.key, elements });
    }
    let keys: Vec<String> = table.keys().map(str::to_owned).collect();
    for key in keys.into_iter().filter(|key| !path.is_empty() || overlaid::SECTION.has(key)) {
        if let Some(Value::Table(inner)) = table.get_mut(&key).map(|node| &mut node.value) {
            additions.extend(take_additions(inner, &[path, &[key]].concat()));
        }
    }
    additions
}

/// Reads the games that a variant works with, which `games` and `games_using` name.
fn read_fits(fields: &Fields<'_>, has_game: bool, checker: &mut Checker) -> CompatibleGames {
    let games = fields.read(checker, &variant::GAMES);
    let library = fields.read(checker, &variant::GAMES_USING);
    let both = fields.find(&variant::GAMES).or_else(|| fields.find(&variant::GAMES_USING)).filter(|_| has_game);
    if let Some(field) = both {
        let trouble = Diagnostic::new("a variant is for one `game`, or for several").at(field.key.clone());
        checker.report(trouble.help("leave out `game`, and put the file into `variants/any/`"));
    }
    if games.as_ref().is_some_and(|games| games.is_empty()) && library.is_none() {
        let place = fields.find(&variant::GAMES).map(|field| field.node.place("no game"));
        let trouble = Diagnostic::new("a variant for several games names one at least").at_maybe(place);
        checker.report(trouble.help("such as games = [\"high-card\", \"low-card\"]"));
    }
    let games = games.unwrap_or_default().iter().filter_map(|game| game.id(checker)).collect();
    CompatibleGames { games, library }
}

/// Reads the variants that must lie below this one.
fn read_requires(
    elements: &[Field<'_>],
    own: Option<&str>,
    conflicts: &BTreeMap<String, Text>,
    checker: &mut Checker,
) -> Vec<(String, Place)> {
    let mut requires: Vec<(String, Place)> = Vec::new();
    for element in elements {
        let Some(id) = element.id(checker) else { continue };
        let mut refuse = |message: String, label: &str| {
            checker.report(Diagnostic::new(message).at(element.node.place(label)));
        };
        if Some(&*id) == own {
            refuse(format!("`{id}` requires itself"), "this is the variant itself");
        } else if conflicts.contains_key(&id) {
            refuse(format!("`{id}` is both required by this and in conflict with it"), "`conflicts` names it too");
        } else if requires.iter().any(|(known, _)| *known == id) {
            refuse(format!("`requires` names `{id}` twice"), "already named");
        } else {
            requires.push((id, element.node.place("required here")));
        }
    }
    requires
}

/// Reads what a variant sets in the layers that it rests on: `[with.other]` and a value for each setting.
fn read_with(
    fields: &Fields<'_>,
    requires: &[(String, Place)],
    game: Option<&str>,
    checker: &mut Checker,
) -> Vec<(String, String, tree::Node)> {
    let mut with = Vec::new();
    for (id, field) in fields.read(checker, &variant::WITH).iter().flat_map(Fields::each) {
        let Value::Table(_) = field.node.value else {
            let help = format!(
                "it sets settings of another layer: [with.{}] bonus = 2",
                requires.first().map_or("other", |(id, _)| id)
            );
            checker.report(field.mismatch_error("a table of settings").help(help));
            continue;
        };
        if Some(id) != game && !requires.iter().any(|(known, _)| known == id) {
            let mut place = field.key.clone();
            place.label = "not required".to_owned();
            let trouble = Diagnostic::new(format!("`with` sets `{id}`, which this variant does not require"))
                .at(place)
                .near(id, requires.iter().map(|(id, _)| id.as_str()).chain(game));
            let help = Help::from(format!("write requires = [\"{id}\"] if it needs that variant"));
            checker.report(trouble.help(help.with_fix(QuickFix::Require(id.to_owned()))));
            continue;
        }
        for (key, field) in field.table(checker).iter().flat_map(Fields::each) {
            with.push((id.to_owned(), key.to_owned(), field.node.clone()));
        }
    }
    with
}

fn read_settings(declared: &Fields<'_>, checker: &mut Checker) -> BTreeMap<String, Setting> {
    let mut settings = BTreeMap::new();
    for (order, (key, field)) in declared.each().enumerate() {
        if field.has_script_name(checker, key, "a setting")
            && let Some(setting) = Setting::read(&field, order, None, checker)
        {
            settings.insert(key.to_owned(), setting);
        }
    }
    for (key, field) in declared.each() {
        let asked = |setting: &&Setting| setting.ask.is_some();
        let Some(ask) = settings.get(key).and_then(|setting| setting.ask.as_ref()) else { continue };
        let Some(unlike) = ask.unlike.as_deref() else { continue };
        let others = || settings.iter().filter(|(other, setting)| *other != key && asked(setting));
        if others().all(|(other, _)| other != unlike)
            && let Value::Table(table) = &field.node.value
            && let Some(node) = table.get(setting::UNLIKE.name())
        {
            let trouble = Diagnostic::new(format!("`{unlike}` is no other setting of this file that is asked for"));
            let trouble = trouble.at(node.place("not such a setting"));
            checker.report(trouble.near(unlike, others().map(|(other, _)| other.as_str())));
        }
    }
    settings
}

fn read_conflicts(fields: &Fields<'_>, checker: &mut Checker) -> BTreeMap<String, Text> {
    let mut conflicts = BTreeMap::new();
    for (id, field) in fields.each() {
        if is_id(id) {
            conflicts.extend(field.words(checker).map(|reason| (id.to_owned(), reason)));
        } else {
            let mut place = field.key.clone();
            place.label = "not an id".to_owned();
            checker.report(Diagnostic::new(format!("`{id}` cannot be the id of a variant")).at(place).help(ID_HELP));
        }
    }
    conflicts
}

/// Gives the text of an adjacent file by its name; `None` where there is no such file.
pub type AdjacentFiles<'a> = dyn Fn(&str) -> Option<Result<Arc<Source>, Diagnostics>> + 'a;

/// Reads a file beside another one. An entry that is no file (a folder, a pipe, a broken link) is read too, so that it
/// is refused and not ignored.
fn read_adjacent_file(
    files: &dyn Files,
    path: &Path,
    name: &str,
    file: &str,
) -> Option<Result<Arc<Source>, Diagnostics>> {
    let path = path.with_file_name(file);
    files.kind(&path)?;
    let name = match name.rsplit_once(['/', '\\']) {
        Some((folder, _)) => format!("{folder}/{file}"),
        None => file.to_owned(),
    };
    Some(files.read(&path, &name))
}

/// Reads the script of a layer, from inside its file or from beside it.
fn read_script(
    fields: &Fields<'_>,
    source: &Arc<Source>,
    script_file: &str,
    beside: &AdjacentFiles<'_>,
    may_have_none: bool,
    checker: &mut Checker,
) -> Option<ScriptText> {
    let beside = beside(script_file);
    if let Some(inline) = fields.read(checker, &layer::SCRIPT) {
        inline.report_unknown_keys(checker, script::SECTION.called, script::SECTION.keys);
        inline.read(checker, &script::RHAI)?;
        let field = inline.find(&script::RHAI)?;
        if beside.is_some() {
            checker.report(
                Diagnostic::new("the script is given twice")
                    .at(Place::new(&field.key.source, field.key.span.clone(), "one script is here"))
                    .help(format!("the other is in `{script_file}` beside this file; keep one of them")),
            );
        }
        return inline_script(&field, source, checker);
    }
    if let Some(script) = beside {
        return match script {
            Ok(source) => Some(ScriptText::of_file(source)),
            Err(trouble) => {
                checker.report(trouble);
                None
            }
        };
    }
    if !may_have_none && !fields.has(&layer::SCRIPT) {
        checker.report(
            Diagnostic::new("the game has no script")
                .at(Place::new(source, 0..0, "no script in this file, and none beside it"))
                .help(format!("write its rules in `{script_file}` beside this file, or here: [script] rhai = '''…'''")),
        );
    }
    None
}

/// Reads a script inside TOML. It must be written there character for character, so that its places are places of the
/// file.
fn inline_script(field: &Field<'_>, source: &Arc<Source>, checker: &mut Checker) -> Option<ScriptText> {
    let text = field.text(checker)?;
    let span = &field.node.span;
    let raw = source.text.get(span.clone()).unwrap_or("");
    let quote = ["'''", "\"\"\"", "'", "\""].into_iter().find(|quote| raw.starts_with(quote)).unwrap_or("");
    let inside = raw.strip_prefix(quote).and_then(|raw| raw.strip_suffix(quote)).unwrap_or("");
    // TOML drops a line end that follows three quotes.
    let dropped = usize::from(quote.len() == 3 && inside.starts_with('\n'));
    if inside.get(dropped..) != Some(text) {
        checker.report(
            Diagnostic::new("a script cannot have TOML escapes in it")
                .at(field.node.place("this string has escapes"))
                .help("put it between ''' and ''', which keep a script as it is, so that messages can name its lines"),
        );
        return None;
    }
    let start = span.start + quote.len() + dropped;
    let first_line = source.position(start).0 - 1;
    Some(ScriptText { source: Arc::clone(source), first_line, start, text: text.to_owned() })
}
