//! The keys of TOML files: each is declared once, in `table.rs`, with its purpose.
//!
//! A `Key` has its kind of value in its type, so that reading it gives that value, and a key that is not declared
//! cannot be read. `Fields::read` reports what is missing or wrong in the words of the declaration; the [page] of the
//! documentation and `help` show the same.

pub mod foreign;
pub mod json_schema;
pub mod kind;
pub mod page;
pub mod table;
mod words;

pub use table::SECTIONS;

use crate::catalogue::Message;
use crate::definition::Language;
use kind::ValueKind;
use std::marker::PhantomData;

/// A sort of TOML table, such as each `[zones.ring]`, or the top of a scenario.
pub struct Section {
    /// Name of the section on the page and in `help`: `zones`.
    pub name: &'static str,
    /// Name of one such table in messages, with its article: `a zone`.
    pub called: &'static str,
    /// Path of such a table in its file, as an example may write it: `zones.ring`; empty at the top.
    pub path: &'static str,
    /// Types of JSON Schema that may stand in place of the table.
    pub or: &'static [&'static str],
    /// Whether other keys are allowed too, such as names of the author's own.
    pub is_open: bool,
    /// The keys, in the order of the page.
    pub keys: &'static [&'static dyn KeyInfo],
}

/// A key with a value of kind `K`.
pub struct Key<K> {
    name: &'static str,
    need: Requirement,
    text: &'static str,
    example: Option<&'static str>,
    /// Description of the value, where that of its kind is not enough.
    value: Option<&'static str>,
    kind: PhantomData<fn() -> K>,
}

/// Whether a key is required, and what it means to leave it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// The key must be there.
    Required,
    /// The key must be there, except in the case named here.
    Unless(&'static str),
    /// The key may be left out.
    Optional,
    /// The key may be left out, which means what is said here.
    Means(&'static str),
    /// The key may be left out, which is the same as this value.
    Default(&'static str),
}

/// A key as documentation shows it, whatever its kind of value.
pub trait KeyInfo: Sync {
    fn name(&self) -> &'static str;
    /// Description of the value.
    fn value(&self) -> Message;
    /// Whether the key is required.
    fn need(&self) -> Requirement;
    /// Purpose of the key, in one line.
    fn text(&self) -> &'static str;
    /// An example of the key with a value.
    fn example(&self) -> Option<&'static str>;
    /// JSON Schema of the value.
    fn schema(&self) -> serde_json::Value;
}

impl<K: ValueKind> Key<K> {
    pub(super) const fn new(name: &'static str, need: Requirement, text: &'static str) -> Self {
        Self { name, need, text, example: None, value: None, kind: PhantomData }
    }

    pub(super) const fn example(self, example: &'static str) -> Self {
        Self { example: Some(example), ..self }
    }

    pub(super) const fn value(self, value: &'static str) -> Self {
        Self { value: Some(value), ..self }
    }
}

impl Key<kind::Str> {
    /// The key of a translation of a text. The sections `words` and `looks` tell of it.
    pub fn of_language(language: Language) -> Self {
        Self::new(language.code(), Requirement::Optional, language.name())
    }
}

impl<K: ValueKind> KeyInfo for Key<K> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn value(&self) -> Message {
        self.value.map_or_else(K::one, Message::from)
    }

    fn need(&self) -> Requirement {
        self.need
    }

    fn text(&self) -> &'static str {
        self.text
    }

    fn example(&self) -> Option<&'static str> {
        self.example
    }

    fn schema(&self) -> serde_json::Value {
        K::schema()
    }
}

impl Section {
    /// Names of the keys.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.keys.iter().map(|key| key.name())
    }

    /// Whether the section has a key of this name.
    pub fn has(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }
}

/// The keys of all sections with this name: those of a game, for example, are in several.
pub fn keys_of(name: &str) -> impl Iterator<Item = &'static dyn KeyInfo> {
    let sections = SECTIONS.iter().filter(move |section| section.name == name);
    sections.flat_map(|section| section.keys.iter().copied())
}
