//! Where a diagnostic says that something is wrong, as other programs get it.

use houserule::diagnostic::Diagnostic;

/// `rules.rhai:3:12`, with the name of the file alone; `nowhere` where no place is told.
pub fn place_of(error: &Diagnostic) -> String {
    let json = error.to_json();
    let file = json["file"].as_str().map(|file| file.rsplit(['/', '\\']).next().unwrap_or(file).to_owned());
    file.map_or_else(|| "nowhere".to_owned(), |file| format!("{file}:{}:{}", json["line"], json["column"]))
}

/// A text without the `«` in it, and the line and column at which that stood.
pub fn marked(text: &str) -> (String, (usize, usize)) {
    let (before, after) = text.split_once('«').unwrap_or_else(|| panic!("no place is marked in {text}"));
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (format!("{before}{after}"), (line, column))
}
