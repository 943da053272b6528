//! A JSON Schema for each sort of file, with which an editor completes the keys, tells what they are for, and
//! underlines unknown ones.
//!
//! What a schema cannot say, `check` verifies: that names are declared, that values fit each other, what a script does.
//! The schemas are of draft 7, which editors for TOML read.

use super::page::{if_absent, without_links};
use super::table::{book, layer, library, overlaid, own, pack, prompt, replay, scenario, variant, words};
use super::{KeyInfo, Requirement, SECTIONS, Section};
use serde_json::{Value as Json, json};

/// The keys that add to an array of a lower layer: `"data.suits+"`.
const ADDITION: &str = r"^[a-z].*\+$";

/// A sort of TOML file that a person writes or reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TomlFile {
    /// `games/<id>/game.toml`.
    Game,
    /// `variants/<game>/<id>.toml`.
    Variant,
    /// `scripts/<id>.toml`.
    Library,
    /// `games/<id>/rulebook.toml`.
    Rulebook,
    /// A test of rules.
    Scenario,
    /// A saved game.
    Replay,
    /// Rules to share.
    Pack,
}

impl TomlFile {
    /// Every sort of file.
    pub const ALL: [Self; 7] =
        [Self::Game, Self::Variant, Self::Library, Self::Rulebook, Self::Scenario, Self::Replay, Self::Pack];

    /// Name of this sort of file: `game`.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Path or purpose of such a file, in one line.
    pub fn about(self) -> &'static str {
        self.row().1
    }

    /// Name, path or purpose, and the sections at the top of such a file.
    fn row(self) -> (&'static str, &'static str, &'static [&'static Section]) {
        match self {
            Self::Game => ("game", "games/<id>/game.toml", &[&layer::SECTION, &own::SECTION, &overlaid::SECTION]),
            Self::Variant => {
                ("variant", "variants/<game>/<id>.toml", &[&layer::SECTION, &overlaid::SECTION, &variant::SECTION])
            }
            Self::Library => ("library", "scripts/<id>.toml", &[&library::SECTION, &overlaid::SECTION]),
            Self::Rulebook => ("rulebook", "games/<id>/rulebook.toml", &[&book::SECTION]),
            Self::Scenario => {
                ("scenario", "a test of rules, tests/scenarios/<game>/<name>.toml", &[&scenario::SECTION])
            }
            Self::Replay => ("replay", "a saved game", &[&replay::SECTION]),
            Self::Pack => ("pack", "rules in one file to send", &[&pack::SECTION]),
        }
    }
}

/// The JSON Schema of a sort of file.
pub fn json_schema(file: TomlFile) -> Json {
    let mut root = json!({});
    for section in file.row().2 {
        add(&mut root, section);
    }
    for section in SECTIONS.iter().filter(|section| !section.path.is_empty()) {
        // Texts in several languages stand in many places, so all refer to one definition.
        let is_text = section.path == words::SECTION.path;
        if let Some(place) = find(&mut root, section.path).filter(|_| !is_text) {
            add(place, section);
            if section.path == prompt::SECTION.path {
                add(place, &words::SECTION);
            }
        }
    }
    let mut text = json!({});
    add(&mut text, &words::SECTION);
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": format!("Houserule: {}", file.name()),
    });
    if let (Json::Object(schema), Json::Object(root)) = (&mut schema, root) {
        schema.extend(root);
    }
    schema["definitions"] = json!({ "text": text });
    schema
}

/// The schema at the path of a section; `None` where this sort of file has no such tables.
fn find<'a>(root: &'a mut Json, path: &str) -> Option<&'a mut Json> {
    let mut place = root;
    for (depth, name) in path.split('.').enumerate() {
        if place.get("items").is_some() {
            place = &mut place["items"];
        }
        let is_key = place["properties"].get(name).is_some();
        // A name that is no key stands for any name of the author's own.
        place = match (is_key, depth) {
            (true, _) => &mut place["properties"][name],
            (false, 0) => return None,
            (false, _) => &mut place["additionalProperties"],
        };
    }
    let is_table = place.get("type").is_none_or(|kind| kind == "object" || kind == "array");
    is_table.then_some(place)
}

/// Adds the keys of a section to a schema.
fn add(place: &mut Json, section: &Section) {
    let place = if place.get("items").is_some() { &mut place["items"] } else { place };
    place["type"] = match section.or {
        [] => "object".into(),
        or => [&["object"], or].concat().into(),
    };
    if !section.is_open {
        place["additionalProperties"] = false.into();
    }
    if is_overlaid(section) {
        let about = "elements to add to the end of an array of a lower layer";
        place["patternProperties"] = json!({ ADDITION: { "type": "array", "description": about } });
    }
    for key in section.keys {
        place["properties"][key.name()] = of_key(*key);
        if key.need() == Requirement::Required && !is_overlaid(section) {
            match &mut place["required"] {
                Json::Array(required) => required.push(key.name().into()),
                none => *none = json!([key.name()]),
            }
        }
    }
}

/// Whether another layer may have what this section lacks: only `check` can tell then what is missing.
fn is_overlaid(section: &Section) -> bool {
    let first = section.path.split('.').next().unwrap_or_default();
    section.path == overlaid::SECTION.path && section.has(overlaid::PLAYERS.name()) || overlaid::SECTION.has(first)
}

/// The schema of a key, with its purpose as the description.
fn of_key(key: &dyn KeyInfo) -> Json {
    let absent = match key.need() {
        Requirement::Optional => String::new(),
        Requirement::Required | Requirement::Unless(_) => format!("; {}", if_absent(key)),
        Requirement::Means(_) | Requirement::Default(_) => format!("; if absent, {}", if_absent(key)),
    };
    let about = without_links(&format!("{} ({}{absent})", key.text(), key.value()));
    let mut schema = key.schema();
    // Draft 7 ignores everything beside a `$ref`.
    if schema.get("$ref").is_some() {
        schema = json!({ "allOf": [schema] });
    }
    schema["description"] = about.into();
    if let Requirement::Default(text) = key.need() {
        schema["default"] = serde_json::from_str(text).unwrap_or_else(|_| text.into());
    }
    schema
}
