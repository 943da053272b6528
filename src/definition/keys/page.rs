//! The page of the documentation about files, `docs/files.md`: its text stands in `files.md` beside this file, and the
//! tables of keys take the place of lines such as `{{zones}}`.

use super::{KeyInfo, Need, keys_of};

const TEXT: &str = include_str!("files.md");

/// What stands below the heading.
const ABOUT: &str = "\n\nThis page is made from the program; `help files` in the REPL shows the same keys.\n\n";

/// The page as Markdown.
pub fn page() -> String {
    let section = |line: &str| line.strip_prefix("{{")?.strip_suffix("}}").map(table);
    let text: String = TEXT.lines().map(|line| section(line).unwrap_or_else(|| format!("{line}\n"))).collect();
    text.replacen("\n\n", ABOUT, 1)
}

/// The keys of a section as a table.
fn table(name: &str) -> String {
    let mut text = "| key | value | if absent | what it says |\n|---|---|---|---|\n".to_owned();
    for key in keys_of(name) {
        text.push_str(&format!("| `{}` | {} | {} | {} |\n", key.name(), key.value(), if_absent(key), key.text()));
    }
    text
}

/// What it means that a key is not there.
pub fn if_absent(key: &dyn KeyInfo) -> String {
    match key.need() {
        Need::Required => "required".to_owned(),
        Need::Unless(but) => format!("required, unless {but}"),
        Need::Optional => String::new(),
        Need::Means(what) => what.to_owned(),
        Need::Default(value) => format!("`{value}`"),
    }
}
