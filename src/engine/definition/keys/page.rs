//! The page of the documentation about files, `docs/files.md`: the text of `files.md` beside this file, with a table of
//! keys in place of each line such as `{{zones}}`.

use super::{KeyInfo, Requirement, keys_of};
use crate::catalogue::{Message, message};
use crate::sorted::SortedMap;

const TEXT: &str = include_str!("files.md");

/// Text below the heading.
const ABOUT: &str = "\n\nThis page is made from the program; `help files` in the REPL shows the same keys.\n\n";

/// The page as Markdown.
pub fn page() -> String {
    let section = |line: &str| line.strip_prefix("{{")?.strip_suffix("}}").map(table);
    let text: String = TEXT.lines().map(|line| section(line).unwrap_or_else(|| format!("{line}\n"))).collect();
    with_contents(&text.replacen("\n\n", ABOUT, 1))
}

/// Adds a table of contents before the first section of a page: its sections, and the headings in each.
pub fn with_contents(page: &str) -> String {
    let mut entries: Vec<String> = Vec::new();
    let mut seen: SortedMap<String, usize> = SortedMap::new();
    let mut is_code = false;
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        let Some((marks, title)) = line.split_once(' ').filter(|_| !is_code) else { continue };
        let is_section = marks == "##";
        if !is_section && marks != "###" {
            continue;
        }
        let anchor = anchor(title, &mut seen);
        if is_section {
            entries.push(format!("* [{title}](#{anchor})"));
        } else if let Some(entry) = entries.last_mut().filter(|_| !anchor.is_empty()) {
            // Of a command such as `undo [N]`, the name is enough.
            let name = title.trim_matches('`').split([' ', '(']).next().unwrap_or(title);
            let label = if title.starts_with('`') { format!("`{name}`") } else { title.to_owned() };
            let between = if entry.contains(": [") { " ·" } else { ":" };
            entry.push_str(&format!("{between} [{label}](#{anchor})"));
        }
    }
    page.replacen("\n## ", &format!("\n{}\n\n## ", entries.join("\n")), 1)
}

/// The anchor of a heading, as GitHub and most other programs make it; a repeated one gets a number.
fn anchor(title: &str, seen: &mut SortedMap<String, usize>) -> String {
    let kept = title.to_lowercase().replace(' ', "-");
    let plain: String = kept.chars().filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter)).collect();
    let before = seen.entry(plain.clone()).or_default();
    *before += 1;
    match *before {
        1 => plain,
        many => format!("{plain}-{}", many - 1),
    }
}

/// The keys of a section as a Markdown table.
fn table(name: &str) -> String {
    let mut text = "| key | value | if absent | what it says |\n|---|---|---|---|\n".to_owned();
    for key in keys_of(name) {
        text.push_str(&format!("| `{}` | {} | {} | {} |\n", key.name(), key.value(), if_absent(key), key.text()));
    }
    text
}

/// What leaving out a key means, in words; empty for a key that is optional.
pub fn if_absent(key: &dyn KeyInfo) -> Message {
    match key.need() {
        Requirement::Required => "required".into(),
        Requirement::Unless(but) => message!("required, unless {}", Message::from(but)),
        Requirement::Optional => Message::default(),
        Requirement::Means(what) => what.into(),
        Requirement::Default(value) => Message::verbatim(format!("`{value}`")),
    }
}

/// A text with links reduced to their labels. Code that looks like a link stays.
pub fn without_links(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        shown.push_str(before);
        let is_plain = |text: &str| text.matches('`').count().is_multiple_of(2);
        match link.split_once("](").filter(|_| is_plain(&shown)) {
            Some((words, behind)) if !words.contains(['[', ']']) && is_plain(words) && behind.contains(')') => {
                shown.push_str(words);
                rest = behind.split_once(')').map_or("", |(_, rest)| rest);
            }
            _ => {
                shown.push('[');
                rest = link;
            }
        }
    }
    shown.push_str(rest);
    shown
}
