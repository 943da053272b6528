//! Fills the placeholders of a rulebook with values from the rules.

use super::markup::{Block, Passage, Piece, Span, Stress, blocks, spans, stresses};
use super::{Book, Chapter};
use crate::catalogue::{fill, message};
use crate::definition::{Bank, ComponentGroup, ComponentKind, Language, Scalar, Text};
use crate::diagnostic::{Diagnostic, Diagnostics, known_names_sentence, unknown};
use crate::playthrough::Playable;
use crate::sorted::sort_by_key;
use crate::table::names::Names;

/// The first words that a placeholder can have, for error messages.
const KINDS: [&str; 9] =
    ["data", "settings", "zones", "variables", "text", "attributes", "components", "players", "variants"];

/// Fills placeholders in one language.
#[derive(Clone, Copy)]
pub struct Filler<'a> {
    /// The rules that the values come from.
    pub loaded: &'a Playable,
    /// The rulebook's own names of things.
    pub book: &'a Book,
    /// The language.
    pub language: Language,
    /// The number of players, for a rulebook for one number; `None` to list all numbers.
    pub players: Option<usize>,
}

enum PlaceholderContent {
    Text(String),
    /// A table of values with headings for keys and values.
    Table {
        entries: Vec<Entry>,
        heads: [String; 2],
        is_by_players: bool,
    },
    /// The components of a group, by its index.
    Group(usize),
}

/// An entry of a table in the data.
struct Entry {
    key: String,
    /// The displayed name of the key.
    name: String,
    value: String,
}

impl Filler<'_> {
    fn names(&self) -> Names<'_> {
        Names { layout: &self.loaded.layout, language: self.language }
    }

    /// A text of a layer as passages.
    ///
    /// # Errors
    /// A placeholder cannot be filled; returned with the placeholder as written.
    pub fn passages(&self, text: &Text, layer: &str) -> Result<Vec<Passage>, (String, Diagnostics)> {
        let mut passages = Vec::new();
        for block in blocks(text.get(self.language)) {
            passages.push(match block {
                Block::Paragraph(lines) => match (&lines[..], lines.first().map(|line| spans(line)).as_deref()) {
                    ([_], Some([Span::Place(place)])) => self.alone(place, layer)?,
                    _ => Passage::Paragraph(self.pieces(&self.joined(&lines), layer)?),
                },
                Block::Heading(line) => Passage::Heading(self.pieces(line, layer)?),
                Block::List { is_numbered, items } => {
                    let items = items.iter().map(|lines| self.pieces(&self.joined(lines), layer));
                    Passage::List { is_numbered, items: items.collect::<Result<_, _>>()? }
                }
                Block::Table(rows) => {
                    let row = |row: &Vec<&str>| row.iter().map(|cell| self.pieces(cell, layer)).collect();
                    Passage::Table(rows.iter().map(row).collect::<Result<_, _>>()?)
                }
            });
        }
        Ok(passages)
    }

    /// A text of a layer as a single line.
    ///
    /// # Errors
    /// As [`passages`](Self::passages).
    pub fn line(&self, text: &Text, layer: &str) -> Result<String, (String, Diagnostics)> {
        Ok(self.pieces(text.get(self.language), layer)?.into_iter().map(|piece| piece.text).collect())
    }

    /// The heading of a chapter; unfilled where a placeholder in it is wrong.
    pub fn title(&self, chapter: &Chapter) -> String {
        let titled = chapter.parts.iter().find_map(|part| Some((part, &part.section.title.as_ref()?.text)));
        let Some((part, title)) = titled else { return chapter.id.clone() };
        self.line(title, &part.layer).unwrap_or_else(|_| title.get(self.language).to_owned())
    }

    /// The lines of a paragraph joined, with blanks where the language has some.
    fn joined(&self, lines: &[&str]) -> String {
        let mut out = String::new();
        for line in lines {
            let is_close = |letter: Option<char>| letter.is_some_and(|letter| !letter.is_ascii());
            let has_no_blank =
                !self.language.has_blanks() && is_close(out.chars().last()) && is_close(line.chars().next());
            if !out.is_empty() && !has_no_blank {
                out.push(' ');
            }
            out.push_str(line);
        }
        out
    }

    fn pieces(&self, text: &str, layer: &str) -> Result<Vec<Piece>, (String, Diagnostics)> {
        let mut pieces: Vec<Piece> = Vec::new();
        for (stress, text) in stresses(text) {
            for span in spans(&text) {
                let (text, by) = match span {
                    Span::Plain(text) => (text, Vec::new()),
                    Span::Unclosed(place) => {
                        let error = Diagnostic::new(message!("the brace of `{{{place}` is not closed"));
                        let help = "close it with `}`, or write `{{` for a brace";
                        return Err((place.to_owned(), error.help(help).into()));
                    }
                    Span::Place(place) => {
                        let filled = self.filled(place, layer).map_err(|error| (place.to_owned(), error))?;
                        (self.inline(filled), self.changed(place, layer))
                    }
                };
                match pieces.last_mut().filter(|last| last.stress == stress && last.by.is_empty() && by.is_empty()) {
                    Some(last) => last.text.push_str(&text),
                    None => pieces.push(Piece { text, stress, by }),
                }
            }
        }
        Ok(pieces)
    }

    /// The variants that changed the value of a placeholder, except the variant of `layer`.
    fn changed(&self, place: &str, layer: &str) -> Vec<usize> {
        let mut keys: Vec<&str> = place.split('.').take(3).collect();
        let players = self.players.map(|players| players.to_string());
        match keys[..] {
            ["components", _, ..] => keys.truncate(2),
            // A rulebook for one number of players shows one entry of a table by number of players.
            ["data", first] => {
                let table = self.loaded.layout.definition.data.get(first).and_then(toml::Value::as_table);
                keys.extend(
                    players.as_deref().filter(|players| table.is_some_and(|table| table.contains_key(*players))),
                );
            }
            ["data", ..] => {}
            _ => return Vec::new(),
        }
        let ruleset = &self.loaded.ruleset;
        let own = ruleset.variants.iter().position(|variant| variant.id == layer);
        ruleset.changed_by(&keys).into_iter().filter(|by| Some(*by) != own).collect()
    }

    /// The passage of a placeholder that is a paragraph by itself.
    fn alone(&self, place: &str, layer: &str) -> Result<Passage, (String, Diagnostics)> {
        let piece = |text: String| vec![Piece { text, by: self.changed(place, layer), ..Piece::default() }];
        let entry = |Entry { key, value, .. }: Entry| {
            vec![Piece { text: value, by: self.changed(&format!("{place}.{key}"), layer), ..Piece::default() }]
        };
        let plain = |text: String| vec![Piece { text, ..Piece::default() }];
        Ok(match self.filled(place, layer).map_err(|error| (place.to_owned(), error))? {
            PlaceholderContent::Text(text) => {
                // A number alone would mean nothing, so it gets a name.
                let name =
                    place.strip_prefix("data.").map(|path| self.name("data", path.split('.').next().unwrap_or(path)));
                let name = name.map(|name| Piece::plain(name + self.language.said(": ")));
                Passage::Paragraph(name.into_iter().chain(piece(text)).collect())
            }
            PlaceholderContent::Group(group) => Passage::Faces(group),
            PlaceholderContent::Table { entries, heads: [of_keys, of_values], is_by_players: true } => {
                let names = entries.iter().map(|entry| plain(entry.name.clone())).collect();
                let [mut numbers, mut values]: [Vec<Vec<Piece>>; 2] = [names, entries.into_iter().map(entry).collect()];
                numbers.insert(0, plain(of_keys));
                values.insert(0, plain(of_values));
                Passage::Table(vec![numbers, values])
            }
            PlaceholderContent::Table { entries, heads, .. } => {
                let rows = entries.into_iter().map(|one| vec![plain(one.name.clone()), entry(one)]);
                Passage::Table(std::iter::once(heads.map(plain).to_vec()).chain(rows).collect())
            }
        })
    }

    fn inline(&self, filled: PlaceholderContent) -> String {
        match filled {
            PlaceholderContent::Text(text) => text,
            PlaceholderContent::Group(group) => {
                self.loaded.layout.definition.components.get(group).map_or_else(String::new, |group| self.group(group))
            }
            PlaceholderContent::Table { entries, is_by_players, .. } => {
                let words = &self.language.words().prose;
                let text = if is_by_players { words.with_players } else { words.entry };
                let each = entries.iter().map(|entry| fill(text, &[&entry.name, &entry.value]));
                self.list(&each.collect::<Vec<_>>())
            }
        }
    }

    fn list(&self, things: &[String]) -> String {
        things.join(self.language.said(", "))
    }

    fn filled(&self, place: &str, layer: &str) -> Result<PlaceholderContent, Diagnostics> {
        let definition = &self.loaded.layout.definition;
        let ruleset = &self.loaded.ruleset;
        let mut keys = place.split('.');
        let kind = keys.next().unwrap_or_default();
        let keys: Vec<&str> = keys.collect();
        // A bank has the id of what is in it, which is the players'.
        let variables = || definition.variables.iter().filter(|variable| variable.bank != Bank::Is);
        let known = || -> Vec<&str> {
            match kind {
                "data" => definition.data.keys().map(String::as_str).collect(),
                "zones" => definition.zones.iter().map(|zone| &*zone.id).collect(),
                "variables" => variables().map(|variable| &*variable.id).collect(),
                "text" => definition.text.keys().map(String::as_str).collect(),
                "attributes" => definition.attributes.keys().map(String::as_str).collect(),
                "components" => definition.components.iter().map(|group| &*group.name).collect(),
                "variants" => ruleset.variant_ids().collect(),
                _ => Vec::new(),
            }
        };
        let named = |what: &'static str, text: Option<&Text>| match text {
            Some(text) => Ok(PlaceholderContent::Text(text.get(self.language).to_owned())),
            None => Err(unknown(what, keys.first().copied().unwrap_or_default(), known()).into()),
        };
        match (kind, &keys[..]) {
            // A number stands for itself.
            (number, []) if number.parse::<i64>().is_ok() => Ok(PlaceholderContent::Text(number.to_owned())),
            ("data", [first, rest @ ..]) => {
                let mut value =
                    definition.data.get(*first).ok_or_else(|| unknown("entry of `data`", first, known()))?;
                for key in rest {
                    value = match value {
                        toml::Value::Table(table) => table.get(*key),
                        toml::Value::Array(list) => key.parse::<usize>().ok().and_then(|number| list.get(number)),
                        _ => None,
                    }
                    .ok_or_else(|| {
                        let known: Vec<&str> =
                            value.as_table().into_iter().flat_map(|table| table.keys().map(String::as_str)).collect();
                        unknown("entry of `data`", key, known)
                    })?;
                }
                Ok(self.of_data(value, &format!("data.{first}")))
            }
            ("settings", [own @ .., key]) if own.len() < 2 => {
                let layer = own.first().copied().unwrap_or(layer);
                let values = ruleset.settings.iter().find(|(id, _)| id == layer).map(|(_, values)| values);
                let value = values.and_then(|values| values.get(*key));
                let known = || values.into_iter().flat_map(|values| values.keys().map(String::as_str));
                Ok(PlaceholderContent::Text(self.value(value.ok_or_else(|| unknown("setting", key, known()))?)))
            }
            ("zones", [id]) => {
                let zone = definition.zones.iter().find(|zone| zone.id == *id);
                named("zone", zone.map(|zone| &zone.name))
            }
            ("variables", [id]) => {
                let variable = variables().find(|variable| variable.id == *id);
                named("variable", variable.map(|variable| &variable.name))
            }
            ("text", [key]) => named("text", definition.text(key)),
            ("attributes", [attribute]) => match definition.attributes.get(*attribute) {
                Some(_) => Ok(PlaceholderContent::Text(self.name("attributes", attribute))),
                None => named("attribute", None),
            },
            ("attributes", [attribute, value]) => {
                let values = definition.attributes.get(*attribute);
                let looks = values.and_then(|values| values.get(*value));
                let known = || values.into_iter().flat_map(|values| values.keys().map(String::as_str));
                let looks = looks.ok_or_else(|| unknown("value of an attribute", value, known()))?;
                Ok(PlaceholderContent::Text(looks.name.get(self.language).to_owned()))
            }
            ("components", [group, count @ ..]) if matches!(count, [] | ["count"]) => {
                let number = definition.components.iter().position(|known| known.name == *group);
                let number = number.ok_or_else(|| unknown("group of components", group, known()))?;
                let members = definition.components.get(number).map_or(0, |group| group.members.len());
                Ok(if count.is_empty() {
                    PlaceholderContent::Group(number)
                } else {
                    PlaceholderContent::Text(members.to_string())
                })
            }
            ("players", []) => {
                let (fewest, most) = definition.players;
                Ok(PlaceholderContent::Text(span(fewest, most, self.language)))
            }
            ("players", ["min"]) => Ok(PlaceholderContent::Text(definition.players.0.to_string())),
            ("players", ["max"]) => Ok(PlaceholderContent::Text(definition.players.1.to_string())),
            ("variants", [id]) => {
                let variant = ruleset.variants.iter().find(|variant| variant.id == *id);
                named("variant in play", variant.map(|variant| &variant.name))
            }
            _ => {
                let error = Diagnostic::new(message!("`{{{place}}}` is no place of the rules"));
                let error = if KINDS.contains(&kind) { error } else { error.near(kind, KINDS) };
                let known: Vec<String> = known().into_iter().map(|id| format!("{kind}.{id}")).collect();
                let help = match known.is_empty() {
                    true => "such as `{data.hand_size}`, `{zones.deck}`, `{components.card}`, `{players.max}`".into(),
                    false => known_names_sentence("place", known.iter().map(String::as_str)),
                };
                Err(error.help(help).into())
            }
        }
    }

    fn of_data(&self, value: &toml::Value, path: &str) -> PlaceholderContent {
        let toml::Value::Table(table) = value else { return PlaceholderContent::Text(self.value(value)) };
        let (fewest, most) = self.loaded.layout.definition.players;
        let numbers: Option<Vec<usize>> = table.keys().map(|key| key.parse().ok()).collect();
        let is_by_players =
            numbers.is_some_and(|all| !all.is_empty() && all.iter().all(|number| (fewest..=most).contains(number)));
        if let Some(value) = self.players.filter(|_| is_by_players).and_then(|players| table.get(&players.to_string()))
        {
            return PlaceholderContent::Text(self.value(value));
        }
        let mut entries: Vec<(&String, &toml::Value)> = table.iter().collect();
        // Numeric keys are sorted by value, not as text.
        sort_by_key(&mut entries, |(key, _)| (key.parse::<i64>().ok(), *key));
        let entry = |(key, value): (&String, &toml::Value)| Entry {
            key: key.clone(),
            name: self.plain(&Scalar::Text(key.clone())),
            value: self.value(value),
        };
        let kind = path.strip_prefix("data.").unwrap_or(path);
        let words = &self.language.words().prose;
        let of_keys = if is_by_players { words.players } else { words.others };
        PlaceholderContent::Table {
            entries: entries.into_iter().map(entry).collect(),
            heads: [of_keys.to_owned(), self.name("data", kind)],
            is_by_players,
        }
    }

    /// The rulebook's name of a thing; else its id in the form of a heading.
    pub fn name(&self, kind: &str, id: &str) -> String {
        match self.book.names.get(&format!("{kind}.{id}")) {
            Some(name) => name.get(self.language).to_owned(),
            None => {
                let words = id.replace(['_', '-'], " ");
                let mut letters = words.chars();
                letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
            }
        }
    }

    /// The size and name of a group: `52 cards`, `カード52枚`, or `3 shark tokens` with a name from the rulebook.
    pub fn group(&self, group: &ComponentGroup) -> String {
        let count = group.members.len();
        let called = self.book.names.get(&format!("components.{}", group.name));
        let prose = &self.language.words().prose;
        let words = match group.kind {
            ComponentKind::Card => &prose.cards,
            ComponentKind::Die => &prose.dice,
            ComponentKind::Token => &prose.tokens,
        };
        match called {
            Some(name) => fill(words.named, &[&count, &name.get(self.language)]),
            None => fill(if count == 1 { words.one } else { words.many }, &[&count]),
        }
    }

    /// A number, truth value or text in words.
    pub fn plain(&self, plain: &Scalar) -> String {
        match plain {
            Scalar::Number(number) => number.to_string(),
            Scalar::Truth(truth) => self.names().truth(*truth).to_owned(),
            Scalar::Text(text) if text.is_empty() => "–".to_owned(),
            Scalar::Text(text) => self.names().word(text).text.into_owned(),
        }
    }

    /// A value of the data or of a setting in words.
    pub fn value(&self, value: &toml::Value) -> String {
        match value {
            toml::Value::String(text) => self.plain(&Scalar::Text(text.clone())),
            toml::Value::Boolean(truth) => self.names().truth(*truth).to_owned(),
            toml::Value::Array(values) if values.is_empty() => "–".to_owned(),
            toml::Value::Array(values) => {
                let nests = values.iter().any(|value| value.is_array() || value.is_table());
                let values: Vec<String> = values.iter().map(|value| self.value(value)).collect();
                if nests { values.join(" / ") } else { self.list(&values) }
            }
            toml::Value::Table(table) if table.is_empty() => "–".to_owned(),
            toml::Value::Table(table) => {
                let mut entries: Vec<(&String, &toml::Value)> = table.iter().collect();
                sort_by_key(&mut entries, |(key, _)| (key.parse::<i64>().ok(), *key));
                let said = |(key, value): (&String, &toml::Value)| {
                    format!("{}: {}", self.plain(&Scalar::Text(key.clone())), self.value(value))
                };
                entries.into_iter().map(said).collect::<Vec<_>>().join("; ")
            }
            other => other.to_string(),
        }
    }
}

/// A range of numbers: `2–6` in English, `2~6` in Japanese.
pub fn span(fewest: usize, most: usize, language: Language) -> String {
    match fewest == most {
        true => fewest.to_string(),
        false => fill(language.words().prose.span, &[&fewest, &most]),
    }
}

impl Piece {
    /// A text without emphasis.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), stress: Stress::None, by: Vec::new() }
    }
}
