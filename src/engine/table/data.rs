//! Data: the rulebook's numbers and tables and the settings of each layer, as rules read them.

use crate::diagnostic::message;
use crate::sorted::{SortedMap, sort_by};
use crate::table::value::Value;
use crate::table::{Fault, Table};
use std::sync::Arc;

/// Handle of a table or list in the data of a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Data(pub u32);

/// An entry of the data: a value, or more data.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// A number, truth or text.
    Value(Value),
    /// A list or table.
    Data(Data),
}

/// All data of a ruleset, flattened.
#[derive(Debug)]
pub struct DataTree {
    nodes: Vec<Node>,
    root: Data,
    settings: Vec<Data>,
}

#[derive(Debug)]
enum Node {
    List(Vec<Datum>),
    /// Entries sorted by key.
    Table(Vec<(String, Datum)>),
}

impl DataTree {
    /// Takes the data of a definition and the settings of its layers.
    pub fn new<'a>(data: &toml::Table, settings: impl Iterator<Item = &'a SortedMap<String, toml::Value>>) -> Self {
        let mut tree = Self { nodes: Vec::new(), root: Data(0), settings: Vec::new() };
        tree.root = tree.plant_table(data.iter());
        tree.settings = settings.map(|values| tree.plant_table(values.iter())).collect();
        tree
    }

    /// The table with the rulebook's data.
    pub fn root(&self) -> Data {
        self.root
    }

    /// The settings of each layer: the game's first, then each variant's.
    pub fn settings(&self) -> &[Data] {
        &self.settings
    }

    /// Every key of every table in the data.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.nodes
            .iter()
            .flat_map(|node| match node {
                Node::Table(entries) => entries.as_slice(),
                Node::List(_) => &[],
            })
            .map(|(key, _)| key.as_str())
    }

    fn plant_table<'a>(&mut self, entries: impl Iterator<Item = (&'a String, &'a toml::Value)>) -> Data {
        let mut entries: Vec<_> = entries.map(|(key, value)| (key.clone(), self.plant(value))).collect();
        sort_by(&mut entries, |one, other| one.0.cmp(&other.0));
        self.add(Node::Table(entries))
    }

    fn plant(&mut self, value: &toml::Value) -> Datum {
        match value {
            toml::Value::Integer(number) => Datum::Value(Value::Number(*number)),
            toml::Value::Boolean(truth) => Datum::Value(Value::Truth(*truth)),
            toml::Value::String(text) => Datum::Value(Value::Text(text.as_str().into())),
            toml::Value::Array(list) => {
                let list = list.iter().map(|item| self.plant(item)).collect();
                Datum::Data(self.add(Node::List(list)))
            }
            toml::Value::Table(table) => Datum::Data(self.plant_table(table.iter())),
            // Files with such values are refused.
            other @ (toml::Value::Float(_) | toml::Value::Datetime(_)) => {
                Datum::Value(Value::Text(Arc::from(other.to_string())))
            }
        }
    }

    fn add(&mut self, node: Node) -> Data {
        self.nodes.push(node);
        Data(self.nodes.len() as u32 - 1)
    }
}

fn entry<'a>(entries: &'a [(String, Datum)], key: &str) -> Option<&'a Datum> {
    let found = entries.binary_search_by(|(known, _)| known.as_str().cmp(key)).ok()?;
    entries.get(found).map(|(_, datum)| datum)
}

impl Table {
    /// The entry under a key of a table.
    ///
    /// # Errors
    /// There is no such key, in which case the error has the nearest one; or `data` is a list.
    pub fn datum(&self, data: Data, key: &str) -> Result<&Datum, Fault> {
        match self.node(data) {
            Node::Table(entries) => entry(entries, key)
                .ok_or_else(|| Fault::unknown("data", key, entries.iter().map(|(known, _)| known.as_str()))),
            Node::List(_) => Err(Fault::rule(message!("a list has no `{key}`; give a position from 0"))),
        }
    }

    /// The entry at a position of a list, from 0, or under a numeric key of a table.
    ///
    /// # Errors
    /// There is no such entry.
    pub fn datum_at(&self, data: Data, number: i64) -> Result<&Datum, Fault> {
        match self.node(data) {
            Node::Table(_) => self.datum(data, &number.to_string()),
            Node::List(list) => usize::try_from(number).ok().and_then(|number| list.get(number)).ok_or_else(|| {
                let message = message!("there is no position {number} in a list of {}", list.len());
                Fault::rule(message).help("positions count from 0")
            }),
        }
    }

    /// The entry at a position of a list, from 0, or the last one if the list is shorter: for scoring tables.
    ///
    /// # Errors
    /// `data` is a table or an empty list, or `position` is negative.
    pub fn entry_or_last(&self, data: Data, position: i64) -> Result<&Datum, Fault> {
        let last = match self.node(data) {
            Node::List(list) => list.len() as i64 - 1,
            Node::Table(_) => return Err(Fault::rule("`entry_or_last` looks into lists; this is a table")),
        };
        self.datum_at(data, position.min(last))
    }

    /// Number of entries in a list or table.
    pub fn data_len(&self, data: Data) -> i64 {
        match self.node(data) {
            Node::List(list) => list.len() as i64,
            Node::Table(entries) => entries.len() as i64,
        }
    }

    /// The entries of a list: values, lists and tables.
    ///
    /// # Errors
    /// `data` is a table.
    pub fn data_entries(&self, data: Data) -> Result<&[Datum], Fault> {
        match self.node(data) {
            Node::List(list) => Ok(list),
            Node::Table(entries) => {
                let name = entries.first().map(|(key, _)| key.as_str());
                let message = "a list was expected, and this is a table".into();
                Err(Fault::Rule {
                    message,
                    help: name.map(|key| message!("name what is meant: its first key is `{key}`").into()),
                })
            }
        }
    }

    /// The entry under a key of a table; `None` where there is none.
    ///
    /// # Errors
    /// `data` is a list.
    pub fn datum_maybe(&self, data: Data, key: &str) -> Result<Option<&Datum>, Fault> {
        match self.node(data) {
            Node::Table(entries) => Ok(entry(entries, key)),
            Node::List(_) => Err(Fault::rule(message!("a list has no `{key}`; give a position from 0"))),
        }
    }

    /// The entry at a position of a list, from 0, or under a numeric key of a table; `None` where there is none.
    pub fn datum_at_maybe(&self, data: Data, number: i64) -> Option<&Datum> {
        match self.node(data) {
            Node::Table(entries) => entry(entries, &number.to_string()),
            Node::List(list) => usize::try_from(number).ok().and_then(|number| list.get(number)),
        }
    }

    /// The values of a list, as options to choose from.
    ///
    /// # Errors
    /// `data` is a table, or a list that contains lists or tables.
    pub fn data_values(&self, data: Data) -> Result<Vec<Value>, Fault> {
        let value = |datum: &Datum| match datum {
            Datum::Value(value) => Ok(value.clone()),
            Datum::Data(_) => Err(Fault::rule("a list of plain values was expected, and this one holds lists")),
        };
        self.data_entries(data)?.iter().map(value).collect()
    }

    fn node(&self, data: Data) -> &Node {
        &self.layout().data.nodes[data.0 as usize]
    }
}
