//! Texts of definitions and scripts, adapted for readers of a rulebook: words for names, and no code.

use super::LocalText;
use crate::definition::{Language, Layer};
use crate::table::names::Names;

/// The placeholder for a value that only a game in play has.
const BLANK: &str = "…";

/// The text of a comment on a function or a key, in `language` if it has it: lines from `ja:` on are Japanese.
pub(super) fn comment(lines: &[&str], language: Language) -> Option<LocalText> {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim().trim_start_matches(['/', '#']).trim()).collect();
    let from = lines.iter().position(|line| line.starts_with("ja:")).unwrap_or(lines.len());
    let (english, japanese) = lines.split_at(from);
    let japanese = japanese.concat();
    let japanese = japanese.trim_start_matches("ja:").trim();
    let english = english.join(" ");
    let said = match language {
        Language::Japanese if !japanese.is_empty() => LocalText { text: japanese.to_owned(), language },
        _ => LocalText { text: english.trim().to_owned(), language: Language::English },
    };
    (!said.text.is_empty()).then_some(said)
}

/// The text of the comment above or behind a key of a layer's file.
pub(super) fn remark(layer: &Layer, keys: &[&str], language: Language) -> Option<LocalText> {
    let place = layer.place_of(keys, "")?;
    let text = &place.source.text;
    let (before, rest) = text.split_at_checked(place.span.start)?;
    let above: Vec<&str> = before.lines().rev().skip(usize::from(!before.ends_with('\n'))).collect();
    let above: Vec<&str> = above.into_iter().take_while(|line| line.trim_start().starts_with('#')).collect();
    let above: Vec<&str> = above.into_iter().rev().collect();
    let behind = rest.get(place.span.len()..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let behind: Vec<&str> = Some(behind.trim()).filter(|behind| behind.starts_with('#')).into_iter().collect();
    comment(if above.is_empty() { &behind } else { &above }, language)
}

/// A name in a file as words, with blanks.
pub(super) fn humanized(name: &str) -> String {
    name.replace(['_', '-'], " ")
}

/// A name in a file as a heading.
pub(super) fn heading(name: &str) -> String {
    let words = humanized(name);
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A text with its placeholders replaced: `{}` becomes an ellipsis, `{count}` its name.
pub(in crate::screen) fn template(text: &str, language: Language) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((part, behind)) = behind.split_once('}') else { break };
        out.push_str(before);
        match (part, language) {
            ("", _) | (_, Language::Japanese) => out.push_str(BLANK),
            (part, Language::English) => out.push_str(&format!("[{}]", humanized(part))),
        }
        rest = behind;
    }
    out + rest
}

/// A doc comment with names between backticks replaced by words.
pub(super) fn without_code(text: &str, names: Names<'_>, the_player: &str) -> String {
    let definition = &names.layout.definition;
    let word = |code: &str| {
        let zone = definition.zones.iter().find(|zone| zone.id == code).map(|zone| &zone.name);
        let variable = definition.variables.iter().find(|variable| variable.id == code).map(|variable| &variable.name);
        match zone.or(variable).or_else(|| definition.text(code)) {
            Some(known) => template(known.get(names.language), names.language),
            None if code == "p" => the_player.to_owned(),
            None => humanized(code),
        }
    };
    let parts = text.split('`').enumerate();
    parts.map(|(number, part)| if number % 2 == 1 { word(part) } else { part.to_owned() }).collect()
}
