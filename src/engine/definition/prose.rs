//! Rulebooks: the sections in which a layer explains its rules to people, and names for things that have no readable
//! name elsewhere.
//!
//! A rulebook stands in `rulebook.toml` beside a `game.toml`, or in `[[rulebook]]` and `[names]` of the file itself.
//! Its prose is no rule: it is read when somebody asks for it, errors in it stop no game, and it has no part in the
//! hash of a ruleset.

use super::keys::KeyInfo;
use super::keys::table::{book, book_names, chapter, example, overlaid};
use super::schema::{Checker, Field, Fields};
use super::toml_text::without_tables;
use super::tree::{self, Node, Value};
use super::{Language, Layer, Text};
use crate::catalogue::message;
use crate::diagnostic::{Diagnostic, Diagnostics, Place};
use crate::sorted::SortedMap;
use std::borrow::Cow;

/// The file of a game's rulebook, beside its `game.toml`.
pub const RULEBOOK_FILE: &str = "rulebook.toml";

/// The rulebook of one layer.
#[derive(Clone, Debug, Default)]
pub struct Prose {
    /// The sections, in order.
    pub sections: Vec<ProseSection>,
    /// Names of things, by their paths: `data.hand_size`; each with the place that gives it.
    pub names: SortedMap<String, (Text, Place)>,
}

/// A section of a rulebook as it was written.
#[derive(Clone, Debug)]
pub struct ProseSection {
    /// Id of the section.
    pub id: String,
    /// Where the id is written.
    pub place: Place,
    /// The heading; `None` for a text that is added to another section.
    pub title: Option<ProseText>,
    /// The text below the heading.
    pub text: ProseText,
    /// The functions of the script that the section describes, each with the place that names it.
    pub tells: Vec<(String, Place)>,
    /// The scenarios that the section shows, each with a text of its own, if any, and the place that names it.
    pub examples: Vec<(String, Option<Text>, Place)>,
    /// Position among the sections of the layers below: how, the id of the other section, and the place that says so.
    pub position: Option<(Position, String, Place)>,
    /// Whether the section begins on a page of its own when it is printed.
    pub has_page: bool,
}

/// Where a section goes, relative to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Before the other section.
    Before,
    /// Behind the other section.
    After,
    /// At the end of the other section, without a heading.
    AddsTo,
}

/// A text of a section in each language, with its places in the file.
#[derive(Clone, Debug)]
pub struct ProseText {
    pub text: Text,
    /// English: its node, or that of the whole text.
    en: Node,
    translations: SortedMap<Language, Node>,
}

impl ProseText {
    /// The place of a part of the text in its file: where `written` first occurs in that language, or else the whole
    /// text.
    pub fn place(&self, language: Language, written: &str, label: &'static str) -> Place {
        let node = self.translations.get(&language).unwrap_or(&self.en);
        let raw = node.source.text.get(node.span.clone()).unwrap_or_default();
        let Some(found) = raw.find(written).filter(|_| !written.is_empty()) else { return node.place(label) };
        let start = node.span.start + found;
        Place::new(&node.source, start..start + written.len(), label)
    }

    fn read(field: &Field<'_>, checker: &mut Checker) -> Option<Self> {
        let text = field.words(checker)?;
        let node = |language: Language| match &field.node.value {
            Value::Table(table) => table.get(language.code()).cloned(),
            _ => None,
        };
        let translations = Language::translations().filter_map(|language| Some((language, node(language)?))).collect();
        Some(Self { text, en: node(Language::English).unwrap_or_else(|| field.node.clone()), translations })
    }
}

impl Layer {
    /// Reads the rulebook of the layer; empty where it has none.
    ///
    /// # Errors
    /// The rulebook cannot be read, is no TOML, or has keys or values that mean nothing.
    pub fn prose(&self) -> Result<Prose, Diagnostics> {
        match &self.rulebook {
            Some(rulebook) => {
                let source = rulebook.as_ref().map_err(Diagnostics::clone)?;
                let whole = tree::parse(source)?;
                let mut checker = Checker::new(false);
                let fields = Fields { path: String::new(), place: Place::new(source, 0..0, ""), table: &whole };
                fields.report_unknown_keys(&mut checker, book::SECTION.called, book::SECTION.keys);
                let _ = fields.read(&mut checker, &book::HOUSERULE);
                let both = [book::RULEBOOK.name(), book::NAMES.name()];
                if let Some(key) = both.into_iter().find(|key| self.whole.get(key).is_some()) {
                    let twice =
                        Diagnostic::new("the rulebook is given twice").at_maybe(self.place_of(&[key], "one is here"));
                    let help = message!("the other is in `{RULEBOOK_FILE}` beside this file; keep one of them");
                    checker.report(twice.help(help));
                }
                read(&fields, checker)
            }
            None => {
                let place = Place::new(&self.source, 0..0, "");
                read(&Fields { path: String::new(), place, table: &self.whole }, Checker::new(false))
            }
        }
    }

    /// Whether the layer has a rulebook.
    pub fn has_prose(&self) -> bool {
        self.rulebook.is_some() || self.whole.get(book::RULEBOOK.name()).is_some()
    }

    /// The text of the layer's file without what is said to people alone.
    pub fn text_of_rules(&self) -> String {
        text_of_rules(&self.source.text).into_owned()
    }
}

/// The text of a TOML file that counts as rules: without rulebook, names and looks. A game that is explained in other
/// words or printed with another design is the same game.
pub fn text_of_rules(text: &str) -> Cow<'_, str> {
    without_tables(text, &[book::RULEBOOK.name(), book::NAMES.name(), overlaid::LOOKS.name()])
}

fn read(fields: &Fields<'_>, mut checker: Checker) -> Result<Prose, Diagnostics> {
    let mut prose = Prose::default();
    let sections = fields.read(&mut checker, &book::RULEBOOK).unwrap_or_default();
    for field in sections {
        let Some(section) = field.section(&mut checker, &chapter::SECTION) else { continue };
        let Some(section) = read_section(&section, &mut checker) else { continue };
        if let Some(first) = prose.sections.iter().find(|known| known.id == section.id) {
            let twice = Diagnostic::new(message!("two sections are called `{}`", section.id));
            checker.report(twice.at(section.place.clone()).related(first.place.with_label("the first is here")));
        }
        prose.sections.push(section);
    }
    if let Some(names) = fields.read(&mut checker, &book::NAMES) {
        names.report_unknown_keys(&mut checker, book_names::SECTION.called, book_names::SECTION.keys);
        for (kind, things) in names.each() {
            for (thing, field) in things.table(&mut checker).iter().flat_map(Fields::each) {
                let name = field.words(&mut checker);
                prose.names.extend(name.map(|name| (format!("{kind}.{thing}"), (name, field.key.clone()))));
            }
        }
    }
    checker.finish(Some(prose))
}

fn read_section(section: &Fields<'_>, checker: &mut Checker) -> Option<ProseSection> {
    let id = section.read_at(checker, &chapter::ID);
    let title = section.find(&chapter::TITLE).and_then(|field| ProseText::read(&field, checker));
    section.read(checker, &chapter::TEXT);
    let text = section.find(&chapter::TEXT).and_then(|field| ProseText::read(&field, &mut Checker::new(false)));
    let tells = section.read(checker, &chapter::TELLS).unwrap_or_default();
    let tells = tells.iter().filter_map(|field| Some((field.function(checker)?, field.node.place(""))));
    let tells = tells.collect();
    let examples = section.read(checker, &chapter::EXAMPLES).unwrap_or_default();
    let examples = examples.iter().filter_map(|field| read_example(field, checker)).collect();
    let positions = [
        (Position::Before, &chapter::BEFORE),
        (Position::After, &chapter::AFTER),
        (Position::AddsTo, &chapter::ADDS_TO),
    ];
    let mut position = None;
    for (kind, key) in positions {
        let Some((id, place)) = section.read_at(checker, key) else { continue };
        if position.is_some() {
            let twice = Diagnostic::new("a section goes to one place alone");
            checker.report(twice.at(place.clone()).help("keep one of `before`, `after` and `adds_to`"));
        }
        position = Some((kind, id, place));
    }
    if title.is_none() && !position.as_ref().is_some_and(|(kind, ..)| *kind == Position::AddsTo) {
        section.report_missing(checker, &chapter::TITLE);
    }
    let has_page = section.read(checker, &chapter::PAGE).unwrap_or(false);
    let (id, place) = id?;
    Some(ProseSection { id, place, title, text: text?, tells, examples, position, has_page })
}

fn read_example(field: &Field<'_>, checker: &mut Checker) -> Option<(String, Option<Text>, Place)> {
    match field.node.value {
        Value::Table(_) => {
            let fields = field.section(checker, &example::SECTION)?;
            let (id, place) = fields.read_at(checker, &example::SCENARIO)?;
            Some((id.to_owned(), fields.read(checker, &example::TEXT), place))
        }
        _ => Some((field.text(checker)?.to_owned(), None, field.node.place(""))),
    }
}
