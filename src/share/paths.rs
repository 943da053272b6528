//! The paths allowed for texts in a pack. None leads out of a folder of rules, on any system.

use crate::definition::{PICTURE_EXTENSIONS, is_id};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use std::path::Path;

/// The folder of saved games in a pack.
pub(crate) const SAVES: &str = "saves/";

/// Longest name of a scenario or a saved game.
pub(super) const MAX_NAME_BYTES: usize = 80;

/// The help on how paths in a pack look.
pub(super) const PATH_HELP: &str = "paths in a pack are like games/high-card/rules.rhai, variants/high-card/double.toml, scripts/trick.rhai, tests/scenarios/high-card/u1.toml or saves/last.toml";

/// File names that some systems reserve for devices, with any extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// The width of a PNG's text form, in columns.
const COLUMNS: usize = 120;

/// The text form of a picture in a pack: of an SVG its text, of a PNG its bytes in Base64.
pub(crate) fn text_of(path: &str, bytes: Vec<u8>) -> String {
    if !path.ends_with(PICTURE_EXTENSIONS[1]) {
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let text = BASE64_STANDARD.encode(bytes);
    // Base64 is ASCII.
    let lines = text.as_bytes().chunks(COLUMNS).map(|line| String::from_utf8_lossy(line).into_owned() + "\n");
    lines.collect()
}

/// The bytes of a file from its text in a pack. A picture that cannot be decoded gives its text.
pub(crate) fn bytes_of(path: &Path, text: &str) -> Vec<u8> {
    if !path.to_string_lossy().ends_with(PICTURE_EXTENSIONS[1]) {
        return text.as_bytes().to_vec();
    }
    let letters: Vec<u8> = text.bytes().filter(|letter| !letter.is_ascii_whitespace()).collect();
    BASE64_STANDARD.decode(letters).unwrap_or_else(|_| text.as_bytes().to_vec())
}

/// Why a path is not allowed in a pack; `None` where it is.
pub(super) fn wrong(path: &str) -> Option<&'static str> {
    let parts: Vec<&str> = path.split('/').collect();
    if path.chars().any(char::is_control) {
        return Some("it has a control character in it");
    }
    if path.contains('\\') {
        return Some("write `/` between folders, not a backslash");
    }
    if path.starts_with('/') || path.contains(':') {
        return Some("it leads out of the pack");
    }
    if parts.iter().any(|part| *part == ".." || *part == ".") {
        return Some("it leads out of the pack");
    }
    if parts.iter().any(|part| is_device(part)) {
        return Some("some systems take it for a device");
    }
    let is_known = match parts[..] {
        ["games", game, "game.toml" | "rules.rhai" | "rulebook.toml"] => is_id(game),
        ["games", game, file] => is_id(game) && is_picture(file),
        ["variants", game, file] => is_id(game) && (id_in(file, &[".toml", ".rhai"]) || is_picture(file)),
        ["scripts", file] => id_in(file, &[".toml", ".rhai"]),
        ["tests", "scenarios", game, file] => is_id(game) && is_name(file),
        ["saves", file] => is_name(file),
        _ => false,
    };
    (!is_known).then_some("a pack has no texts there")
}

/// Whether a file name is an id with one of these extensions.
fn id_in(file: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| file.strip_suffix(ending).is_some_and(is_id))
}

/// Whether a file name is allowed for a scenario or a saved game.
fn is_name(file: &str) -> bool {
    is_name_with(file, ".toml")
}

/// Whether a path is a picture's.
pub(crate) fn is_picture_path(path: &str) -> bool {
    PICTURE_EXTENSIONS.iter().any(|ending| path.ends_with(ending))
}

/// Whether a file name is allowed for a picture.
fn is_picture(file: &str) -> bool {
    PICTURE_EXTENSIONS.iter().any(|ending| is_name_with(file, ending))
}

fn is_name_with(file: &str, ending: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    file.len() <= MAX_NAME_BYTES
        && file.starts_with(|first: char| first.is_ascii_alphanumeric())
        && file.bytes().all(is_plain)
        && file.strip_suffix(ending).is_some_and(|stem| !stem.is_empty() && !stem.ends_with('.'))
}

fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_numbered = |stem: &str| {
        let number = stem.strip_prefix("com").or(stem.strip_prefix("lpt"));
        number.is_some_and(|number| number.len() == 1 && number.bytes().all(|digit| digit.is_ascii_digit()))
    };
    DEVICES.contains(&&*stem) || is_numbered(&stem)
}
