//! Overrides: what a person sets for one playthrough, without writing a variant: `double.bonus=[0,1]`.

use super::overlay::table_called;
use super::schema::joined_path;
use super::tree::{self, Node, TomlTable, Value};
use super::{Layer, Setting};
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics, Help, MAX_SOURCE_BYTES, Place, Source, listed, nearest, unknown};
use crate::sorted::SortedMap;
use std::ops::Range;
use std::sync::Arc;

/// Label of a layer that is not in play.
const NO_LAYER: &str = "neither the game nor an active variant";

/// The tables that an override may reach into.
const OVERRIDABLE_TABLES: [&str; 7] = ["attributes", "components", "data", "players", "text", "variables", "zones"];

/// One setting, or one value of the tables, as a person typed it: `LAYER.KEY=VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// Id of the game or of an active variant.
    pub layer: String,
    /// A setting of that layer, a key of its `[data]`, or a path such as `zones.hand.visible`.
    pub path: String,
    pub value: toml::Value,
    /// The override as typed.
    pub source: Arc<Source>,
    layer_span: Range<usize>,
    /// The keys of the path, each with its range of bytes in the source.
    keys: Vec<(String, Range<usize>)>,
    node: Node,
}

impl Override {
    /// Parses `LAYER.KEY=VALUE`. The value is TOML; anything that is none, such as a bare word, is a string.
    ///
    /// # Errors
    ///
    /// If the `=` or the key is missing, or the value starts as an array, table or string and does not end as one.
    pub fn parse(typed: &str) -> Result<Override, Diagnostics> {
        if typed.len() > MAX_SOURCE_BYTES {
            return Err(Diagnostic::new("this setting is too long").into());
        }
        let source = Source::new("setting", typed);
        let text = source.text.clone();
        let malformed = |span, label: &'static str| {
            Diagnostic::new("this is not a setting")
                .at(Place::new(&source, span, label))
                .help("settings are given as LAYER.KEY=VALUE: double.bonus=[0,1]")
        };
        let Some(equals) = text.find('=') else {
            return Err(malformed(text.len()..text.len(), "expected `=` and a value").into());
        };
        let mut keys = split_path(&text, equals);
        if let Some((_, span)) = keys.iter().find(|(key, _)| key.is_empty()) {
            return Err(malformed(span.clone(), "a name is missing").into());
        }
        if keys.len() < 2 {
            return Err(malformed(equals..equals, "expected a layer, a dot and a key before `=`").into());
        }
        let (layer, layer_span) = keys.remove(0);
        let path = keys.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>().join(".");
        let after = text.get(equals + 1..).unwrap_or("");
        let start = equals + 1 + after.len() - after.trim_start().len();
        let node = read_value(&source, start..start + after.trim().len())?;
        Ok(Override { layer, path, value: node.to_toml(), source, layer_span, keys, node })
    }

    /// A guess for an override that was typed without its layer: `LAYER.KEY`, if exactly one layer has a setting or an
    /// entry of the data with this name.
    pub fn without_layer<'a>(typed: &str, layers: impl Iterator<Item = &'a Layer>) -> Option<String> {
        let key = typed.split('=').next()?.trim();
        let has_key = |layer: &&Layer| layer.settings.contains_key(key) || layer.tables.at(&["data", key]).is_some();
        let mut found = layers.filter(has_key);
        let only = found.next().filter(|_| found.next().is_none())?;
        Some(format!("{}.{key}", only.id))
    }

    /// The error for an override of a variant that exists, but is not in play.
    pub fn layer_not_in_play_error(&self) -> Diagnostic {
        let variant = &self.layer;
        Diagnostic::new(message!("the variant `{variant}` is not in play"))
            .at(Place::new(&self.source, self.layer_span.clone(), NO_LAYER))
            .help(message!("`-v {variant}` adds it; in a session, `with {variant}`"))
    }

    /// Whether the override is of a setting that its layer declares.
    pub(crate) fn is_of_setting<'l>(&self, mut layers: impl Iterator<Item = &'l Layer>) -> bool {
        layers.any(|layer| layer.id == self.layer && layer.settings.contains_key(&self.path))
    }

    /// Gives the setting of the layer its value. `declared` and `settings` have an entry for each layer.
    pub(super) fn set(
        &self,
        declared: &[SortedMap<String, Setting>],
        settings: &mut [(String, SortedMap<String, toml::Value>)],
    ) -> Result<(), Diagnostics> {
        let found = declared.iter().zip(settings).find(|(_, (layer, _))| *layer == self.layer);
        let Some((declared, (_, settings))) = found else { return Ok(()) };
        if let Some(setting) = declared.get(&self.path) {
            setting.check(&format!("{}.{}", self.layer, self.path), &self.node)?;
            settings.insert(self.path.clone(), self.value.clone());
        }
        Ok(())
    }

    /// Replaces the value in the overlaid tables.
    pub(super) fn replace_in(&self, layers: &[&Layer], tables: &mut TomlTable) -> Result<(), Diagnostics> {
        let Some(layer) = layers.iter().find(|layer| layer.id == self.layer) else {
            let ids = || layers.iter().map(|layer| layer.id.as_str());
            let place = Place::new(&self.source, self.layer_span.clone(), NO_LAYER);
            let mut trouble = unknown("layer", &self.layer, ids()).at(place);
            if let Some(first) = ids().next().filter(|_| OVERRIDABLE_TABLES.contains(&self.layer.as_str())) {
                let path = format!("{first}.{}.{}", self.layer, self.path);
                trouble.help.push(message!("a path begins with a layer: `{path}`").into());
            }
            return Err(trouble.into());
        };
        let first = self.keys.first().map_or("", |(key, _)| key.as_str());
        let own_data = layer.tables.table("data");
        if own_data.is_some_and(|data| data.get(first).is_some()) {
            return tables.table_mut("data").map_or(Ok(()), |data| self.replace(data, "data"));
        }
        if OVERRIDABLE_TABLES.contains(&first) {
            return self.replace(tables, "");
        }

        let names = || layer.settings.keys().map(String::as_str).chain(own_data.into_iter().flat_map(TomlTable::keys));
        let span = self.keys.first().map_or(0..0, |(_, span)| span.clone());
        let mut trouble = Diagnostic::new(message!("`{}` has no setting `{}`", self.layer, self.path))
            .at(Place::new(&self.source, span, "not a setting"))
            .near(first, names().chain(OVERRIDABLE_TABLES));
        if names().next().is_some() {
            trouble.help.push(message!("`{}` can be set at {}.", self.layer, listed(names())).into());
        }
        trouble.help.extend(path_help(&self.layer, first, tables).map(Help::from));
        Err(trouble.into())
    }

    /// Replaces the value that the path leads to in a table called `walked`.
    fn replace(&self, mut table: &mut TomlTable, walked: &str) -> Result<(), Diagnostics> {
        let mut walked = walked.to_owned();
        for (index, (key, span)) in self.keys.iter().enumerate() {
            if table.get(key).is_none() {
                let place = Place::new(&self.source, span.clone(), "not there");
                return Err(Diagnostic::new(message!("{} has no `{key}`", table_called(&walked)))
                    .at(place)
                    .near(key, table.keys())
                    .into());
            }
            walked = joined_path(&walked, key);
            let Some(node) = table.get_mut(key) else { return Ok(()) };
            if index + 1 == self.keys.len() {
                return self.replace_node(node, &walked);
            }
            match &mut node.value {
                Value::Table(inner) => table = inner,
                value => {
                    let place = Place::new(&self.source, span.clone(), message!("this is {}", value.kind()));
                    return Err(Diagnostic::new(message!("`{walked}` has no parts")).at(place).into());
                }
            }
        }
        Ok(())
    }

    fn replace_node(&self, node: &mut Node, path: &str) -> Result<(), Diagnostics> {
        let given = self.node.clone();
        if std::mem::discriminant(&node.value) != std::mem::discriminant(&given.value) {
            let place = given.place(message!("this is {}", given.value.kind()));
            return Err(Diagnostic::new(message!("`{path}` must stay {}", node.value.kind()))
                .at(place)
                .related(node.place("as it is declared"))
                .into());
        }
        *node = given;
        Ok(())
    }
}

/// Help that anything of the game can be set by its path, with existing paths as examples: those nearest to `wanted`,
/// or else the first. `None` where the game has none.
fn path_help(layer: &str, wanted: &str, tables: &TomlTable) -> Option<Message> {
    let parts = |table: &str| tables.table(table).into_iter().flat_map(TomlTable::iter);
    let one = |start: &str, names: Vec<&str>, end: &str| {
        let near = nearest(wanted, names.iter().copied()).or(names.first().copied());
        near.map(|name| format!("`{layer}.{start}.{name}{end}`"))
    };
    let numbers = parts("data").filter(|(_, entry)| !matches!(entry.node.value, Value::Table(_)));
    let datum = one("data", numbers.map(|(key, _)| key).collect(), "");
    let is_seen = |id: &str| tables.at(&["zones", id, "visible"]).is_some();
    let zones = parts("zones").filter(|(id, _)| is_seen(id));
    let zone = one("zones", zones.map(|(id, _)| id).collect(), ".visible");
    match (datum, zone) {
        (Some(datum), Some(zone)) => {
            Some(message!("anything of the game can be set by its path, such as {datum} or {zone}"))
        }
        (Some(path), None) | (None, Some(path)) => {
            Some(message!("anything of the game can be set by its path, such as {path}"))
        }
        (None, None) => None,
    }
}

/// The keys before `end`, split at dots; a key in double quotes may have dots itself.
fn split_path(text: &str, end: usize) -> Vec<(String, Range<usize>)> {
    let mut keys = Vec::new();
    let mut start = 0;
    let mut in_quotes = false;
    for (byte, character) in text.char_indices().take_while(|(byte, _)| *byte <= end) {
        match character {
            '"' if byte < end => in_quotes = !in_quotes,
            '.' if in_quotes => {}
            _ if byte == end || character == '.' => {
                let key = text.get(start..byte).unwrap_or("");
                let from = start + key.len() - key.trim_start().len();
                let key = key.trim();
                let span = from..from + key.len();
                keys.push((
                    key.strip_prefix('"').and_then(|key| key.strip_suffix('"')).unwrap_or(key).to_owned(),
                    span,
                ));
                start = byte + 1;
            }
            _ => {}
        }
    }
    keys
}

/// The value at `span`: TOML if it is, otherwise the text itself.
fn read_value(source: &Arc<Source>, span: Range<usize>) -> Result<Node, Diagnostics> {
    let text = source.text.get(span.clone()).unwrap_or("");
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text).replace('_', "");
    let has_radix = ["0x", "0o", "0b"].iter().any(|radix| digits.starts_with(radix));
    let is_number =
        digits.starts_with(|first: char| first.is_ascii_digit()) && (has_radix || digits.parse::<f64>().is_ok());
    match tree::parse_value(source, span.clone()) {
        Ok(node) => Ok(node),
        Err(troubles) if text.is_empty() || text.starts_with(['[', '{', '"', '\'']) || is_number => {
            Err(troubles.into_iter().next().unwrap_or_else(|| Diagnostic::new("this value cannot be read")).into())
        }
        Err(_) => Ok(Node { value: Value::Text(text.to_owned()), source: Arc::clone(source), span }),
    }
}
