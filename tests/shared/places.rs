//! Where a diagnostic says that something is wrong, as other programs get it.

use houserule::diagnostic::Diagnostic;
use serde_json::Value;

/// `rules.rhai:3:12`, with the name of the file alone; `nowhere` where no place is told.
pub fn place_of(error: &Diagnostic) -> String {
    place_in(&error.to_json())
}

/// The same of a diagnostic that the program wrote as JSON.
pub fn place_in(json: &Value) -> String {
    let Some(path) = json["file"].as_str() else { return "nowhere".to_owned() };
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    format!("{file}:{}:{}", json["line"], json["column"])
}

/// A text without the `«` in it, and the line and column at which that stood.
pub fn marked(text: &str) -> (String, (usize, usize)) {
    let (before, after) = text.split_once('«').unwrap_or_else(|| panic!("no place is marked in {text}"));
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (format!("{before}{after}"), (line, column))
}
