//! The keys that TOML files may have: each is declared once, in `table.rs`, with what it is for.
//!
//! A `Key` has its kind of value in its type, so that whoever reads it gets that value and nobody reads a key that is
//! not declared. `Fields::read` tells what is missing or wrong, in the words of the declaration; the [page] of the
//! documentation and `help` show the same.

pub mod foreign;
pub mod json_schema;
pub mod kind;
pub mod page;
pub mod table;
mod words;

pub use table::SECTIONS;

use kind::ValueKind;
use std::marker::PhantomData;

/// A sort of TOML table: what stands in each `[zones.ring]`, or at the top of a scenario.
pub struct Section {
    /// What the page and `help` call it: `zones`.
    pub name: &'static str,
    /// What messages call one such table, with its article: `a zone`.
    pub called: &'static str,
    /// Where one stands in its file, as it may be written in an example: `zones.ring`; empty at the top.
    pub path: &'static str,
    /// What may stand there in place of a table, as types of JSON Schema.
    pub or: &'static [&'static str],
    /// Whether it has other keys too, such as names of the author's own.
    pub is_open: bool,
    /// Its keys, in the order of the page.
    pub keys: &'static [&'static dyn KeyInfo],
}

/// One key, with a value of a kind.
pub struct Key<K> {
    name: &'static str,
    need: Need,
    text: &'static str,
    example: Option<&'static str>,
    /// Where the kind does not say it all.
    value: Option<&'static str>,
    kind: PhantomData<fn() -> K>,
}

/// Whether a key has to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It must be there.
    Required,
    /// It must be there, but for what is said here.
    Unless(&'static str),
    /// It may be left out.
    Optional,
    /// It may be left out, which means this.
    Means(&'static str),
    /// It may be left out, which is the same as this value.
    Default(&'static str),
}

/// A key as it can be shown.
pub trait KeyInfo: Sync {
    fn name(&self) -> &'static str;
    /// What its value may be, in words.
    fn value(&self) -> String;
    /// Whether it has to be there.
    fn need(&self) -> Need;
    /// What it is for, in one line.
    fn text(&self) -> &'static str;
    /// How it may be written.
    fn example(&self) -> Option<&'static str>;
    /// What its value may be, as JSON Schema.
    fn schema(&self) -> serde_json::Value;
}

impl<K: ValueKind> Key<K> {
    pub(super) const fn new(name: &'static str, need: Need, text: &'static str) -> Self {
        Self { name, need, text, example: None, value: None, kind: PhantomData }
    }

    pub(super) const fn example(self, example: &'static str) -> Self {
        Self { example: Some(example), ..self }
    }

    pub(super) const fn value(self, value: &'static str) -> Self {
        Self { value: Some(value), ..self }
    }
}

impl<K: ValueKind> KeyInfo for Key<K> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn value(&self) -> String {
        self.value.map_or_else(K::one, str::to_owned)
    }

    fn need(&self) -> Need {
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
    /// The names of its keys.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.keys.iter().map(|key| key.name())
    }

    /// Whether it has a key of that name.
    pub fn has(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }
}

/// The keys of the sections of that name: a game has those that a variant has too, and those that it declares.
pub fn keys_of(name: &str) -> impl Iterator<Item = &'static dyn KeyInfo> {
    let sections = SECTIONS.iter().filter(move |section| section.name == name);
    sections.flat_map(|section| section.keys.iter().copied())
}
