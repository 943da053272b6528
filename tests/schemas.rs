//! The JSON Schemas say of every shipped file that it is right, and of wrong ones where they are wrong.

use houserule::definition::keys::json_schema::{TomlFile, json_schema};
use serde_json::{Value as Json, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Why a value does not fit a schema, each with the path to it: of the words of JSON Schema those that our schemas use.
/// Patterns of texts are left to the readers of files.
fn troubles(root: &Json, schema: &Json, value: &Json, path: &str, found: &mut Vec<String>) {
    let rules = schema.as_object().unwrap();
    for (rule, wanted) in rules {
        match rule.as_str() {
            "type" => {
                let wanted: Vec<&str> = match wanted {
                    Json::Array(several) => several.iter().filter_map(Json::as_str).collect(),
                    one => vec![one.as_str().unwrap()],
                };
                let is = match value {
                    Json::Object(_) => "object",
                    Json::Array(_) => "array",
                    Json::String(_) => "string",
                    Json::Bool(_) => "boolean",
                    Json::Number(number) if number.is_i64() => "integer",
                    other => panic!("{path} is {other}"),
                };
                if !wanted.contains(&is) {
                    found.push(format!("{path}: {is}, not {}", wanted.join(" or ")));
                }
            }
            "enum" if !wanted.as_array().unwrap().contains(value) => found.push(format!("{path}: none of {wanted}")),
            "minimum" if value.as_i64().is_some_and(|value| value < wanted.as_i64().unwrap()) => {
                found.push(format!("{path}: less than {wanted}"))
            }
            "maximum" if value.as_i64().is_some_and(|value| value > wanted.as_i64().unwrap()) => {
                found.push(format!("{path}: more than {wanted}"))
            }
            "minLength" if value == "" => found.push(format!("{path}: empty")),
            "items" => {
                for (number, element) in value.as_array().into_iter().flatten().enumerate() {
                    troubles(root, wanted, element, &format!("{path}[{number}]"), found);
                }
            }
            "required" => {
                for name in wanted.as_array().unwrap().iter().filter_map(Json::as_str) {
                    if value.is_object() && value.get(name).is_none() {
                        found.push(format!("{path}: no {name}"));
                    }
                }
            }
            "allOf" => wanted.as_array().unwrap().iter().for_each(|one| troubles(root, one, value, path, found)),
            "$ref" => {
                let target = root.pointer(wanted.as_str().unwrap().strip_prefix('#').unwrap()).unwrap();
                troubles(root, target, value, path, found);
            }
            "properties"
            | "additionalProperties"
            | "patternProperties"
            | "enum"
            | "minimum"
            | "maximum"
            | "minLength"
            | "pattern"
            | "$schema"
            | "title"
            | "definitions"
            | "description"
            | "default" => {}
            other => panic!("who reads `{other}`?"),
        }
    }
    for (name, inner) in value.as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        let known = rules.get("properties").and_then(|properties| properties.get(name));
        // The one pattern is that of what is added to an array.
        let adds = rules.get("patternProperties").and_then(|all| all.as_object()?.values().next());
        match (known.or(adds.filter(|_| name.ends_with('+'))), rules.get("additionalProperties")) {
            (Some(schema), _) => troubles(root, schema, inner, &path, found),
            (None, Some(Json::Bool(false))) => found.push(format!("{path}: unknown")),
            (None, Some(schema)) => troubles(root, schema, inner, &path, found),
            (None, None) => {}
        }
    }
}

/// What a schema says about the text of a file.
fn said(file: TomlFile, text: &str) -> Vec<String> {
    let schema = json_schema(file);
    let value: Json = toml::from_str(text).unwrap();
    let mut found = Vec::new();
    troubles(&schema, &schema, &value, "", &mut found);
    found
}

/// The TOML files in a folder and those in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).collect()
}

#[test]
fn every_shipped_file_fits_its_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (folder, file, least) in [
        ("games", TomlFile::Game, 10),
        ("variants", TomlFile::Variant, 10),
        ("scripts", TomlFile::Library, 3),
        ("tests/scenarios", TomlFile::Scenario, 10),
    ] {
        let files = files(&root.join(folder));
        assert!(files.len() >= least);
        for path in files {
            let file = if path.ends_with("rulebook.toml") { TomlFile::Rulebook } else { file };
            let found = said(file, &fs::read_to_string(&path).unwrap());
            assert!(found.is_empty(), "{}: {}", path.display(), found.join(", "));
        }
    }
}

#[test]
fn a_saved_game_fits_its_schema() {
    let saved = r#"
format = 2
game = "up-or-down"
variants = ["greenhorn"]
players = 2
seed = 7
ruleset = "abc"
log = [[1, "play_card", "72"]]
result = { over = false, scores = [1, -2], course = [[12, 2, 30]] }
rules = [{ path = "games/up-or-down/game.toml", text = "id" }]
check = { hash = "abc" }
"#;
    assert!(said(TomlFile::Replay, saved).is_empty(), "{:?}", said(TomlFile::Replay, saved));
    assert_eq!(said(TomlFile::Replay, &saved.replace("seed = 7", "seed = 'seven'")), [".seed: string, not integer"]);
}

#[test]
fn a_schema_says_what_is_wrong() {
    let least = "id = 'g'\nname = 'G'\n";
    let of_game = |more: &str| said(TomlFile::Game, &format!("{least}{more}"));
    assert_eq!(of_game("zone.ring.name = 'ring'"), [".zone: unknown"]);
    assert_eq!(of_game("zones.ring.visibel = 'all'"), [".zones.ring.visibel: unknown"]);
    assert_eq!(of_game("players = { min = 0, max = 4 }"), [".players.min: less than 1"]);
    assert_eq!(of_game("components.card.kind = 'cards'"), [r#".components.card.kind: none of ["card","die","token"]"#]);
    assert_eq!(of_game("zones.board.grid = { hexes = [3, 3] }"), [".zones.board.grid.hexes: unknown"]);
    assert_eq!(of_game("components.card.attributes.number = { form = 1, to = 9 }").len(), 1);
    assert_eq!(of_game("text.play = { en = 'play', secrets = true }"), [".text.play.secrets: unknown"]);
    assert_eq!(
        of_game("settings.goal = { ask = 'color', by = 'chance' }"),
        [r#".settings.goal.by: none of ["first","lot"]"#]
    );
    assert_eq!(of_game("variables.goal = { holds = 'player' }"), [".variables.goal.holds: unknown"]);
    assert_eq!(said(TomlFile::Game, "id = 'g'"), [": no name"]);
    assert_eq!(of_game("about = { ja = 'x' }"), [".about: no en"]);
    // And nothing about what is right: a board, a member of a list with attributes of its own, a prompt.
    let right = "zones.board = { name = 'b', grid = [8, 8], regions.home = ['a1'] }\ntext.ask = { en = 'a', secret = true }\n\
                 components.card.list = [{ id = 'joker', color = 'none' }]\n[components.die]\n'list+' = []";
    assert!(of_game(right).is_empty(), "{:?}", of_game(right));
}

/// A scenario's `cases` have the keys of steps, too, and a variant has keys that a game has not.
#[test]
fn each_sort_of_file_has_its_own_keys() {
    let of = |file: TomlFile| json_schema(file)["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert!(of(TomlFile::Game).contains(&"base".to_owned()) && !of(TomlFile::Game).contains(&"conflicts".to_owned()));
    assert!(of(TomlFile::Variant).contains(&"conflicts".to_owned()));
    assert_eq!(json_schema(TomlFile::Scenario)["properties"]["players"]["maximum"], json!(16));
}
