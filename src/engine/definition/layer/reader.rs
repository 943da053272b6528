//! Reads a layer from its file.

use super::{ANY_GAME, Addition, CompatibleGames, Layer, LayerKind};
use crate::catalogue::{Message, message};
use crate::definition::Text;
use crate::definition::edition::{Edition, edition_of_library};
use crate::definition::keys::KeyInfo;
use crate::definition::keys::table::{layer, library, overlaid, own, setting, variant};
use crate::definition::names::{ID_HELP, is_id};
use crate::definition::origin::Origin;
use crate::definition::prose::RULEBOOK_FILE;
use crate::definition::schema::{Checker, Field, Fields};
use crate::definition::script_text::{AdjacentFiles, ScriptText, read_adjacent_file, read_script};
use crate::definition::setting::Setting;
use crate::definition::tables::read_tables;
use crate::definition::tree::{self, TomlTable, Value};
use crate::diagnostic::{Diagnostic, Diagnostics, Help, Place, QuickFix, Source};
use crate::files::Files;
use crate::sorted::SortedMap;
use std::sync::Arc;

impl Layer {
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
        let game = fields.find(&variant::GAME).and_then(|field| {
            let id = field.id(&mut checker)?;
            if id == ANY_GAME && is_variant {
                let trouble = Diagnostic::new("`any` is no game").at(field.node.place("one game is named here"));
                checker.report(
                    trouble.help("a variant for several games names them: games = [\"high-card\", \"low-card\"]"),
                );
            }
            Some(id)
        });
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
        if let Some(declared) = whole.table(layer::SETTINGS.name()) {
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
    pub(in crate::definition) fn read_library(
        files: &dyn Files,
        id: &str,
        origin: Origin,
    ) -> Result<Layer, Diagnostics> {
        let beside = |file: &str| read_adjacent_file(files, origin.path(), origin.name(), file);
        Layer::library(id, origin.clone(), &beside)
    }

    /// Reads a library of rules from its files, which `beside` gives by their names. Like a variant, it may rely on
    /// what games declare.
    ///
    /// # Errors
    ///
    /// If the definition is no TOML or has keys or values that mean nothing; if the script is both inside and beside
    /// it.
    pub(in crate::definition) fn library(
        id: &str,
        origin: Origin,
        beside: &AdjacentFiles<'_>,
    ) -> Result<Layer, Diagnostics> {
        let script_file = format!("{id}.rhai");
        let Some(source) = beside(&format!("{id}.toml")) else {
            let missing = || Err(Diagnostic::new(message!("`{}` is not there any more", origin.name())).into());
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

    fn empty(id: String, kind: LayerKind, source: Arc<Source>, origin: Origin) -> Layer {
        Layer {
            name: Text::from(id.clone()),
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
            conflicts: SortedMap::new(),
            requires: Vec::new(),
            with: Vec::new(),
            additions: Vec::new(),
            settings: SortedMap::new(),
            uses: Vec::new(),
            tables: TomlTable::default(),
            whole: TomlTable::default(),
        }
    }
}

/// The tables of a file that lie over those of other layers.
fn overlaid_tables(whole: &TomlTable) -> TomlTable {
    let mut tables = TomlTable::default();
    for (key, entry) in whole.iter().filter(|(key, _)| overlaid::SECTION.has(key)) {
        tables.insert(key.to_owned(), entry.key.clone(), entry.node.clone());
    }
    tables
}

/// Reads the libraries that a layer builds on.
fn read_uses(elements: &[Field<'_>], checker: &mut Checker) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for element in elements {
        let Some(name) = element.id(checker) else { continue };
        if names.contains(&name) {
            let place = element.node.place("already named");
            checker.report(Diagnostic::new(message!("`uses` names `{name}` twice")).at(place));
        } else {
            names.push(name);
        }
    }
    names
}

/// Takes the additions to lists out of a variant's tables: keys that end in `+` and hold a list. Such a key may be a
/// path itself, relative to its table.
fn take_additions(table: &mut TomlTable, path: &[String]) -> Vec<Addition> {
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
        if let Some(inner) = table.table_mut(&key) {
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
    conflicts: &SortedMap<String, Text>,
    checker: &mut Checker,
) -> Vec<(String, Place)> {
    let mut requires: Vec<(String, Place)> = Vec::new();
    for element in elements {
        let Some(id) = element.id(checker) else { continue };
        let mut refuse = |message: Message, label: &'static str| {
            checker.report(Diagnostic::new(message).at(element.node.place(label)));
        };
        if Some(&*id) == own {
            refuse(message!("`{id}` requires itself"), "this is the variant itself");
        } else if conflicts.contains_key(&id) {
            refuse(message!("`{id}` is both required by this and in conflict with it"), "`conflicts` names it too");
        } else if requires.iter().any(|(known, _)| *known == id) {
            refuse(message!("`requires` names `{id}` twice"), "already named");
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
            let help = message!(
                "it sets settings of another layer: [with.{}] bonus = 2",
                requires.first().map_or("other", |(id, _)| id)
            );
            checker.report(field.mismatch_error("a table of settings").help(help));
            continue;
        };
        if Some(id) != game && !requires.iter().any(|(known, _)| known == id) {
            let trouble = Diagnostic::new(message!("`with` sets `{id}`, which this variant does not require"))
                .at(field.key.with_label("not required"))
                .near(id, requires.iter().map(|(id, _)| id.as_str()).chain(game));
            let help = Help::from(message!("write requires = [\"{id}\"] if it needs that variant"));
            checker.report(trouble.help(help.with_fix(QuickFix::Require(id.to_owned()))));
            continue;
        }
        for (key, field) in field.table(checker).iter().flat_map(Fields::each) {
            with.push((id.to_owned(), key.to_owned(), field.node.clone()));
        }
    }
    with
}

fn read_settings(declared: &Fields<'_>, checker: &mut Checker) -> SortedMap<String, Setting> {
    let mut settings = SortedMap::new();
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
            let trouble = Diagnostic::new(message!("`{unlike}` is no other setting of this file that is asked for"));
            let trouble = trouble.at(node.place("not such a setting"));
            checker.report(trouble.near(unlike, others().map(|(other, _)| other.as_str())));
        }
    }
    settings
}

/// Reads the variants that cannot be combined with this one, each with the reason.
fn read_conflicts(fields: &Fields<'_>, checker: &mut Checker) -> SortedMap<String, Text> {
    let mut conflicts = SortedMap::new();
    for (id, field) in fields.each() {
        if is_id(id) {
            conflicts.extend(field.words(checker).map(|reason| (id.to_owned(), reason)));
        } else {
            let trouble = Diagnostic::new(message!("`{id}` cannot be the id of a variant"));
            checker.report(trouble.at(field.key.with_label("not an id")).help(ID_HELP));
        }
    }
    conflicts
}
