//! Checks a rulebook: what is outdated, and what is missing.

use super::markup::{Block, Span, blocks, spans};
use super::{Book, Filler};
use crate::catalogue::{Message, message};
use crate::definition::{ANY_GAME, Language, Layer, LayerKind, Library, Position, Prose, ProseSection, ProseText};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Severity, unknown};
use crate::playthrough::Playable;
use crate::ruleset::Role as LayerRole;
use crate::scenario::{Scenario, find_in_folders};
use crate::script::check::known::roles;
use crate::script::codes;
use crate::script::program::{Expr, ExprKind, Function, Piece};
use crate::script::vocabulary::Role;
use crate::sorted::{SortedMap, SortedSet};

/// Numbers up to this one are too common in sentences to be matched with the data.
const MAX_COMMON_NUMBER: i64 = 6;

/// Placeholder for text still to be written.
pub const BLANK: &str = "…";

/// The errors and gaps in the rulebook of the topmost layer; empty where it has none.
///
/// # Errors
/// As [`Layer::prose`].
pub fn findings(loaded: &Playable, library: &Library) -> Result<Vec<Diagnostic>, Diagnostics> {
    let ruleset = &loaded.ruleset;
    let Some(layer) = ruleset.layers().next_back() else { return Ok(Vec::new()) };
    let Prose { sections, names } = layer.prose()?;
    let book = Book::of(ruleset)?;
    let check = Check { loaded, layer, sections: &sections, book: &book };
    // A variant for several games may name what only one of them has.
    let is_for_several = matches!(&layer.kind, LayerKind::Variant { game } if game == ANY_GAME);
    let names = names.iter().filter(|_| !is_for_several);
    let mut found: Vec<Diagnostic> =
        names.filter_map(|(path, (_, place))| check.nothing_of_name(path, place)).collect();
    if !layer.has_prose() {
        return Ok(found);
    }
    found.extend(check.stale());
    found.extend(check.examples(library));
    found.extend(check.blanks());
    let in_texts = [check.places(), check.numbers()].concat();
    found.extend(check.languages());
    // A section with an error in one language is not also reported as different between languages.
    if in_texts.is_empty() {
        found.extend(check.out_of_step());
    }
    found.extend(in_texts);
    found.extend(check.unexplained_functions());
    Ok(found)
}

struct Check<'a> {
    loaded: &'a Playable,
    layer: &'a Layer,
    sections: &'a [ProseSection],
    book: &'a Book,
}

impl Check<'_> {
    /// Functions and sections that are referred to but do not exist.
    fn stale(&self) -> Vec<Diagnostic> {
        let functions: SortedSet<&str> = self.loaded.functions.iter().map(|function| &*function.name).collect();
        let mut found = Vec::new();
        for section in self.sections {
            let gone = section.tells.iter().filter(|(name, _)| !functions.contains(&**name));
            found.extend(gone.map(|(name, place)| {
                let message = message!("the section `{}` tells a function that is not there: `{name}`", section.id);
                Diagnostic::warning(message).at(place.clone()).near(name, functions.iter().copied())
            }));
            found.extend(self.book.misplaced_section_error(section).map(as_warning));
            if let (Some(title), Some((Position::AddsTo, ..))) = (&section.title, &section.position) {
                let message = message!("the title of `{}` is not shown", section.id);
                let place = title.place(Language::English, "", "");
                found.push(Diagnostic::warning(message).at(place).help("a section with `adds_to` has no heading"));
            }
        }
        found.into_iter().map(|one| one.with_code(codes::STALE_RULEBOOK)).collect()
    }

    /// A warning where a name is given to something that does not exist.
    fn nothing_of_name(&self, path: &str, place: &Place) -> Option<Diagnostic> {
        let layout = &self.loaded.layout;
        let (kind, thing) = path.split_once('.')?;
        let (what, known): (&str, Vec<&str>) = match kind {
            "components" => ("group of components", layout.groups.iter().map(|(name, _)| name.as_str()).collect()),
            "attributes" => ("attribute", layout.attributes.iter().map(String::as_str).collect()),
            _ => ("entry of the data", layout.definition.data.keys().map(String::as_str).collect()),
        };
        let warning = || as_warning(unknown(what, thing, known.iter().copied())).at(place.clone());
        (!known.contains(&thing)).then(|| warning().with_code(codes::STALE_RULEBOOK))
    }

    fn examples(&self, library: &Library) -> Vec<Diagnostic> {
        if self.sections.iter().all(|section| section.examples.is_empty()) {
            return Vec::new();
        }
        let known = scenarios(self.loaded, library);
        let gone =
            self.sections.iter().flat_map(|section| &section.examples).filter(|(id, ..)| !known.contains_key(id));
        let gone = gone.map(|(id, _, place)| {
            let error = unknown("scenario", id, known.keys().map(String::as_str));
            as_warning(error).at(place.clone()).with_code(codes::STALE_RULEBOOK)
        });
        gone.collect()
    }

    /// All titles and texts of the sections, in every language.
    fn texts(&self) -> impl Iterator<Item = (&ProseSection, &ProseText, Language)> {
        self.sections.iter().flat_map(|section| {
            let texts = section.title.iter().chain([&section.text]);
            texts.flat_map(move |text| Language::ALL.map(|language| (section, text, language)))
        })
    }

    /// Texts that still have to be written.
    fn blanks(&self) -> Vec<Diagnostic> {
        let is_blank = |text: &str| text.trim() == BLANK;
        let blank = self.texts().filter(|(_, text, language)| text.text.in_language(*language).is_some_and(is_blank));
        let told = blank.map(|(section, text, language)| {
            let message = message!("the section `{}` says nothing yet", section.id);
            let warning = Diagnostic::warning(message).at(text.place(language, BLANK, "to be written"));
            warning.help("write what players have to know, or remove the section").with_code(codes::UNTOLD_RULE)
        });
        told.collect()
    }

    /// Placeholders in braces that cannot be filled; the first of each text.
    fn places(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (_, text, language) in self.texts() {
            let filler = Filler { loaded: self.loaded, book: self.book, language, players: None };
            if text.text.in_language(language).is_some()
                && let Err((place, errors)) = filler.passages(&text.text, &self.layer.id)
            {
                let written = text.place(language, &format!("{{{place}"), "");
                let told = |error: Diagnostic| as_warning(error).at(written.clone()).with_code(codes::STALE_RULEBOOK);
                found.extend(errors.into_iter().map(told));
            }
        }
        found
    }

    /// Numbers written out that are also in the data.
    fn numbers(&self) -> Vec<Diagnostic> {
        let mut known: SortedMap<i64, Vec<String>> = SortedMap::new();
        for (key, value) in &self.loaded.layout.definition.data {
            let mut add = |value: &toml::Value, path: String| {
                let number = value.as_integer().filter(|number| *number > MAX_COMMON_NUMBER);
                number.into_iter().for_each(|number| known.entry(number).or_default().push(path.clone()));
            };
            add(value, format!("data.{key}"));
            for (inner, value) in value.as_table().into_iter().flatten() {
                add(value, format!("data.{key}.{inner}"));
            }
        }
        // A number with several entries in the data is ambiguous.
        known.retain(|_, paths| paths.len() == 1);
        let mut found = Vec::new();
        for (_, text, language) in self.texts() {
            for (number, written) in text.text.in_language(language).map(numbers_in).unwrap_or_default() {
                let Some(path) = known.get(&number).and_then(|paths| paths.first()) else { continue };
                let message = message!("{number} is written out, and `{path}` has it");
                let warning = Diagnostic::warning(message).at(text.place(language, &written, "written out"));
                let warning = warning.help(message!("write `{{{path}}}`, which changes with the rules"));
                let warning = warning.help(message!("write `{{{number}}}` if it is another number"));
                found.push(warning.with_code(codes::WRITTEN_NUMBER));
            }
        }
        found
    }

    /// Sections without text in a language that others have; English is required anyway.
    fn languages(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for language in Language::translations() {
            let lacks = |text: &&ProseText| text.text.in_language(language).is_none();
            if self.texts().all(|(_, text, _)| lacks(&text)) {
                continue;
            }
            found.extend(self.sections.iter().filter_map(|section| {
                let text = section.title.iter().chain([&section.text]).find(lacks)?;
                let message = message!("the section `{}` has no text in {}", section.id, language.called());
                let warning = Diagnostic::warning(message).at(text.place(Language::English, "", "only in English"));
                Some(warning.with_code(codes::UNTRANSLATED_RULEBOOK))
            }));
        }
        found
    }

    /// Sections whose languages differ in content: in a placeholder, a numbered item, or a table row. The wording is up
    /// to each language.
    fn out_of_step(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for section in self.sections {
            let (english, [items, rows]) = content_of(&section.text.text.en);
            for (language, text) in section.text.text.all().filter(|(language, _)| *language != Language::English) {
                let (other, [other_items, other_rows]) = content_of(text);
                for (language, has, lacks) in [(Language::English, &english, &other), (language, &other, &english)] {
                    for place in has.difference(lacks) {
                        let written = section.text.place(language, &format!("{{{place}}}"), "");
                        let name = language.called();
                        let message = message!("`{{{place}}}` is only in the {name} text of `{}`", section.id);
                        found.push(Diagnostic::warning(message).at(written));
                    }
                }
                let (what, one, other) = match items == other_items {
                    true => (Message::from("rows of tables"), rows, other_rows),
                    false => ("numbered items".into(), items, other_items),
                };
                if one != other {
                    let name = language.called();
                    let message = message!("`{}` has {one} {what} in English and {other} in {name}", section.id);
                    found.push(Diagnostic::warning(message).at(section.text.place(language, "", "")));
                }
            }
        }
        found.into_iter().map(|one| one.with_code(codes::UNTRANSLATED_RULEBOOK)).collect()
    }

    /// Functions of the layer that ask, give points or end the game, and that no section refers to.
    fn unexplained_functions(&self) -> Vec<Diagnostic> {
        let own = |script: usize| match self.loaded.ruleset.scripts.get(script).map(|script| script.role) {
            Some(LayerRole::Variant(number)) => number + 1 == self.loaded.ruleset.variants.len(),
            Some(LayerRole::Game) => self.loaded.ruleset.variants.is_empty(),
            _ => false,
        };
        let told: SortedSet<&str> =
            self.sections.iter().flat_map(|section| &section.tells).map(|(name, _)| &**name).collect();
        let program = self.loaded.rules.program();
        let mut called_by_told: SortedSet<usize> = SortedSet::new();
        for (info, function) in self.loaded.functions.iter().zip(&program.functions) {
            if told.contains(&*info.name) {
                function.body.walk(&mut |piece| {
                    if let Piece::Expr(Expr { kind: ExprKind::Call(call), .. }) = piece {
                        called_by_told.insert(usize::from(call.function));
                    }
                });
            }
        }
        let mut found = Vec::new();
        for (number, (info, function)) in self.loaded.functions.iter().zip(&program.functions).enumerate() {
            // A private function is part of its callers.
            let is_part = info.is_private && called_by_told.contains(&number);
            if !own(info.script) || told.contains(&*info.name) || is_part {
                continue;
            }
            let name = &info.name;
            let message = match player_effect(function) {
                Some(PlayerEffect::Prompt) => {
                    message!("`{name}` asks a player, and no section of the rulebook tells it")
                }
                Some(PlayerEffect::Points) => {
                    message!("`{name}` gives points, and no section of the rulebook tells it")
                }
                Some(PlayerEffect::Winner) => {
                    message!("`{name}` decides who wins, and no section of the rulebook tells it")
                }
                Some(PlayerEffect::GameEnd) => {
                    message!("`{name}` ends the game, and no section of the rulebook tells it")
                }
                None => continue,
            };
            let place = self.loaded.ruleset.place(info.at, "told nowhere");
            let help = message!("write tells = [\"{}\"] into the section that does", info.name);
            found.push(Diagnostic::warning(message).at_maybe(place).help(help).with_code(codes::UNTOLD_RULE));
        }
        found
    }
}

/// A rulebook error as a warning: it stops no game.
fn as_warning(trouble: Diagnostic) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, ..trouble }
}

/// The effects of a function that players have to be told about.
#[derive(Clone, Copy)]
enum PlayerEffect {
    Prompt,
    Points,
    Winner,
    GameEnd,
}

/// The functions that ask a player, give points, decide who wins, or end the game.
pub fn functions_for_rulebook(loaded: &Playable) -> SortedSet<&str> {
    let functions = loaded.functions.iter().zip(&loaded.rules.program().functions);
    functions.filter(|(_, function)| player_effect(function).is_some()).map(|(info, _)| &*info.name).collect()
}

/// The first effect of a function that players have to be told about.
fn player_effect(function: &Function) -> Option<PlayerEffect> {
    let mut does = None;
    function.body.walk(&mut |piece| {
        if let Piece::Expr(Expr { kind: ExprKind::Word(call), .. }) = piece {
            does = does.or(effect_of_word(&call.name, call.arguments.len()));
        }
    });
    does
}

fn effect_of_word(word: &str, arguments: usize) -> Option<PlayerEffect> {
    if word == "end_game" {
        return Some(PlayerEffect::GameEnd);
    }
    (0..arguments).flat_map(|position| roles(word, arguments, position)).find_map(|role| match role {
        Role::Prompt if word != "show_choice" => Some(PlayerEffect::Prompt),
        Role::Reason if ["win", "lose"].contains(&word) => Some(PlayerEffect::Winner),
        Role::Reason => Some(PlayerEffect::Points),
        _ => None,
    })
}

/// What a text has to have in every language: its placeholders in braces, except numbers, and the numbers of numbered
/// items and of table rows.
fn content_of(text: &str) -> (SortedSet<&str>, [usize; 2]) {
    let places = spans(text).into_iter().filter_map(|span| match span {
        Span::Place(place) if place.parse::<i64>().is_err() => Some(place),
        _ => None,
    });
    let mut shape = [0, 0];
    for block in blocks(text) {
        match block {
            Block::List { is_numbered: true, items } => shape[0] += items.len(),
            Block::Table(rows) => shape[1] += rows.len(),
            Block::List { .. } | Block::Paragraph(_) | Block::Heading(_) => {}
        }
    }
    (places.collect(), shape)
}

/// The numbers written out in a text, each with a few characters of context to find it by.
fn numbers_in(text: &str) -> Vec<(i64, String)> {
    let lines = blocks(text).into_iter().flat_map(|block| match block {
        Block::Paragraph(lines) => lines,
        Block::Heading(line) => vec![line],
        Block::List { items, .. } => items.concat(),
        // The header row may count columns.
        Block::Table(rows) => rows.into_iter().skip(1).flatten().collect(),
    });
    let mut found = Vec::new();
    for span in lines.flat_map(spans) {
        let Span::Plain(plain) = span else { continue };
        let mut before = ' ';
        let mut rest = plain.as_str();
        while let Some(letter) = rest.chars().next() {
            let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
            let (number, behind) = rest.split_at(digits.max(letter.len_utf8()));
            let next = behind.chars().next().unwrap_or(' ');
            // Digits in `p4`, `2–6`, `1.5`, `-7` are no numbers of the rules.
            let is_joined = |letter: char| letter.is_ascii_alphabetic() || "-–~.−+×/".contains(letter);
            let is_alone = !is_joined(before) && !(is_joined(next) && !(next == '.' && behind.len() < 3));
            if digits > 0
                && is_alone
                && let Ok(value) = number.parse()
            {
                let around: String = number.chars().chain(behind.chars().take(3)).collect();
                found.push((value, around));
            }
            before = number.chars().next_back().unwrap_or(' ');
            rest = behind;
        }
    }
    found
}

/// The scenarios of the game and of the games it is based on, by their ids.
pub(super) fn scenarios(loaded: &Playable, library: &Library) -> SortedMap<String, Scenario> {
    let ruleset = &loaded.ruleset;
    let games = ruleset.bases.iter().chain([&ruleset.game]);
    let paths = find_in_folders(games.map(|game| &*game.id), library);
    let read = paths.iter().filter_map(|path| Scenario::read(library.files(), path).ok());
    read.map(|scenario| (scenario.id.clone(), scenario)).collect()
}

#[cfg(test)]
mod tests {
    use super::numbers_in;

    #[test]
    fn only_numbers_that_stand_alone_are_numbers_of_the_rules() {
        let found = |text| numbers_in(text).into_iter().map(|(number, _)| number).collect::<Vec<_>>();
        assert_eq!(found("4. Take 12 cards, p4, 2–6, {data.x} and {54}, +7 and 8."), [12, 8]);
        assert_eq!(found("手札は12枚、2~6人\n\n| 9 |\n|---|\n| 8 |"), [12, 8]);
    }
}
