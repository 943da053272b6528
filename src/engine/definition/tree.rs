//! TOML values that remember where they were written.
//!
//! Layers are laid over each other before their values are used, and still a wrong value must be shown in the file and
//! line that it came from. So every value carries its source and span along, and tables keep the order of declaration,
//! which decides the order of a deck.

mod reader;

pub use reader::{check_syntax, parse, parse_value};

use super::Scalar;
use crate::catalogue::Message;
use crate::diagnostic::{Place, Source};
use crate::sorted::{SortedMap, sort_by_key};
use std::ops::Range;
use std::sync::Arc;

/// A value with the place where it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value itself.
    pub value: Value,
    /// The text that contains the value.
    pub source: Arc<Source>,
    /// Range of bytes in that text.
    pub span: Range<usize>,
}

/// The values of TOML that rules need: no dates, and no numbers that are not whole.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    /// An integer.
    Number(i64),
    /// A boolean.
    Truth(bool),
    /// An array.
    List(Vec<Node>),
    Table(TomlTable),
}

impl Value {
    /// A number, truth or text as a plain value; `None` for an array or a table.
    pub fn plain(&self) -> Option<Scalar> {
        match self {
            Self::Number(number) => Some(Scalar::Number(*number)),
            Self::Truth(truth) => Some(Scalar::Truth(*truth)),
            Self::Text(text) => Some(Scalar::Text(text.clone())),
            Self::List(_) | Self::Table(_) => None,
        }
    }

    /// Name of the type for people, with its article.
    pub fn kind(&self) -> Message {
        let kind = match self {
            Value::Text(_) => "a string",
            Value::Number(_) => "an integer",
            Value::Truth(_) => "a boolean",
            Value::List(_) => "an array",
            Value::Table(_) => "a table",
        };
        kind.into()
    }
}

/// A table whose entries keep the order of declaration.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TomlTable {
    entries: SortedMap<String, TomlEntry>,
}

/// One key of a table with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct TomlEntry {
    /// The value.
    pub node: Node,
    /// Where the key was written first; differs from the node's source where a later layer gave the value.
    pub key: Place,
    /// Index among the entries of the table, in order of declaration.
    order: usize,
}

impl Node {
    /// The place of the value, with a label for the caret.
    pub fn place(&self, label: impl Into<Message>) -> Place {
        Place::new(&self.source, self.span.clone(), label)
    }

    /// The value without places.
    pub fn to_toml(&self) -> toml::Value {
        match &self.value {
            Value::Text(text) => toml::Value::String(text.clone()),
            Value::Number(number) => toml::Value::Integer(*number),
            Value::Truth(truth) => toml::Value::Boolean(*truth),
            Value::List(nodes) => toml::Value::Array(nodes.iter().map(Node::to_toml).collect()),
            Value::Table(table) => toml::Value::Table(table.to_toml()),
        }
    }

    /// Turns `value` into a node of which every part has the same place: for values that were typed, not read from a
    /// file.
    ///
    /// Dates and numbers that are not whole become text; [`parse_value`] gives neither.
    pub fn from_toml(value: &toml::Value, source: &Arc<Source>, span: &Range<usize>) -> Node {
        let inner = |value| Node::from_toml(value, source, span);
        let value = match value {
            toml::Value::String(text) => Value::Text(text.clone()),
            toml::Value::Integer(number) => Value::Number(*number),
            toml::Value::Float(number) => Value::Text(number.to_string()),
            toml::Value::Boolean(truth) => Value::Truth(*truth),
            toml::Value::Datetime(date) => Value::Text(date.to_string()),
            toml::Value::Array(values) => Value::List(values.iter().map(inner).collect()),
            toml::Value::Table(entries) => {
                let mut table = TomlTable::default();
                for (key, value) in entries {
                    table.insert(key.clone(), Place::new(source, span.clone(), ""), inner(value));
                }
                Value::Table(table)
            }
        };
        Node { value, source: Arc::clone(source), span: span.clone() }
    }
}

impl FromIterator<(String, Place, Node)> for TomlTable {
    fn from_iter<I: IntoIterator<Item = (String, Place, Node)>>(entries: I) -> Self {
        let numbered = entries.into_iter().enumerate();
        let entries = numbered.map(|(order, (name, key, node))| (name, TomlEntry { node, key, order }));
        Self { entries: entries.collect() }
    }
}

impl TomlTable {
    /// The value of a key; `None` where the key is not there.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.get(key).map(|entry| &entry.node)
    }

    /// The entry of a key; `None` where the key is not there.
    pub fn entry(&self, key: &str) -> Option<&TomlEntry> {
        self.entries.get(key)
    }

    /// The value under `keys`, which lead through tables to it; `None` where there is none.
    pub fn at(&self, keys: &[&str]) -> Option<&Node> {
        let (last, tables) = keys.split_last()?;
        tables.iter().try_fold(self, |table, key| table.table(key))?.get(last)
    }

    /// The table under a key; `None` where there is none.
    pub fn table(&self, key: &str) -> Option<&TomlTable> {
        match &self.get(key)?.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The table under a key, to be changed.
    pub fn table_mut(&mut self, key: &str) -> Option<&mut TomlTable> {
        match &mut self.get_mut(key)?.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        self.entries.get_mut(key).map(|entry| &mut entry.node)
    }

    /// Sets the value of a key. A key that exists keeps its order and the place of its first mention.
    pub fn insert(&mut self, key: String, place: Place, node: Node) {
        let order = self.entries.len();
        match self.entries.get_mut(&key) {
            Some(entry) => entry.node = node,
            None => drop(self.entries.insert(key, TomlEntry { node, key: place, order })),
        }
    }

    /// Removes the entries for which `is_meant` is true, and gives them in order of declaration.
    pub fn extract_if(&mut self, mut is_meant: impl FnMut(&str, &Node) -> bool) -> Vec<(String, TomlEntry)> {
        let meant: Vec<String> =
            self.iter().filter(|(key, entry)| is_meant(key, &entry.node)).map(|(key, _)| key.to_owned()).collect();
        meant.into_iter().filter_map(|key| self.entries.remove_entry(&key)).collect()
    }

    /// The keys in alphabetical order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// The entries in order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &TomlEntry)> {
        let mut entries: Vec<_> = self.entries.iter().map(|(key, entry)| (key.as_str(), entry)).collect();
        sort_by_key(&mut entries, |(_, entry)| entry.order);
        entries.into_iter()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The table without places.
    pub fn to_toml(&self) -> toml::Table {
        self.entries.iter().map(|(key, entry)| (key.clone(), entry.node.to_toml())).collect()
    }
}
