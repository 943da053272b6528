//! Texts of definitions and scripts, adapted for readers of a rulebook: words for names, and no code.

use super::LocalText;
use crate::definition::{Language, Layer};
use crate::screen::pages::title_case;
use crate::table::names::Names;

/// The placeholder for a value that only a game in play has.
const BLANK: &str = "…";

/// The text of a comment on a function or a key, in `language` if it has it: lines from `ja:` on, the code of a language,
/// are in that language.
pub(super) fn comment(lines: &[&str], language: Language) -> Option<LocalText> {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim().trim_start_matches(['/', '#']).trim()).collect();
    let of = |wanted: Language| {
        let mut spoken = Language::English;
        let mut said = Vec::new();
        for line in &lines {
            let begun = Language::translations().find_map(|one| Some((one, behind_code(line, one)?)));
            let text = begun.map_or(*line, |(_, text)| text);
            spoken = begun.map_or(spoken, |(one, _)| one);
            said.extend(Some(text).filter(|_| spoken == wanted));
        }
        let text = said.join(if wanted.has_blanks() { " " } else { "" }).trim().to_owned();
        (!text.is_empty()).then_some(LocalText { text, language: wanted })
    };
    of(language).or_else(|| of(Language::English))
}

/// The text behind the code of a language; `None` where the line does not begin with that.
fn behind_code(line: &str, language: Language) -> Option<&str> {
    line.strip_prefix(language.code())?.strip_prefix(':')
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
    title_case(&humanized(name))
}

/// A text with its placeholders replaced: `{}` becomes an ellipsis, `{count}` its name.
pub(in crate::screen) fn template(text: &str, language: Language) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((part, behind)) = behind.split_once('}') else { break };
        out.push_str(before);
        // The names are English.
        match part.is_empty() || language != Language::English {
            true => out.push_str(BLANK),
            false => out.push_str(&format!("[{}]", humanized(part))),
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
