//! TOML values that remember where they were written.
//!
//! Layers are laid over each other before their values are used, and still a wrong value must be shown in the file and
//! line that it came from. So every value carries its source and span along, and tables keep the order of declaration,
//! which decides the order of a deck.

use super::Scalar;
use super::schema::MAX_ERRORS_PER_FILE;
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source, is_quote, strays};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};
use toml_parser::lexer::{Token, TokenKind};

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
}

/// A table whose entries keep the order of declaration.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TomlTable {
    entries: BTreeMap<String, TomlEntry>,
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
    pub fn place(&self, label: impl Into<String>) -> Place {
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

impl Value {
    /// Name of the type for people, with its article.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "a string",
            Value::Number(_) => "an integer",
            Value::Truth(_) => "a boolean",
            Value::List(_) => "an array",
            Value::Table(_) => "a table",
        }
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
        entries.sort_by_key(|(_, entry)| entry.order);
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

/// Checks that a text is TOML, whatever it says.
///
/// # Errors
///
/// If the text is not TOML.
pub fn check_syntax(source: &Arc<Source>) -> Result<(), Diagnostics> {
    Diagnostics::refuse(syntax_errors(source, &DeTable::parse_recoverable(&source.text).1))
}

/// Whether a TOML file has a key at its top; where the file is damaged, whether a line begins with the key and `=`.
pub fn has_key(text: &str, key: &str) -> bool {
    match text.parse::<toml::Table>() {
        Ok(table) => table.contains_key(key),
        Err(_) => text.lines().any(|line| {
            let behind = line.strip_prefix(key).map(str::trim_start);
            behind.is_some_and(|behind| behind.starts_with('='))
        }),
    }
}

/// A TOML file without some of the tables at its top, wherever parts of them stand, and without the empty lines and
/// comments right above each: the file as it was before they were written.
pub fn without_tables<'t>(text: &'t str, tables: &[&str]) -> Cow<'t, str> {
    // Most files have none of them, and need no parsing.
    if !tables.iter().any(|table| text.contains(table)) {
        return Cow::Borrowed(text);
    }
    let tokens: Vec<Token> = toml_parser::Source::new(text).lex().collect();
    // A line end within brackets ends neither the head of a table nor a key with its value.
    let mut depth = 0_usize;
    let statements = tokens.split_inclusive(|token| {
        match token.kind() {
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => depth += 1,
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && token.kind() == TokenKind::Newline
    });
    let mut kept = String::with_capacity(text.len());
    // Empty lines and comments that belong to the next statement.
    let mut waiting = String::new();
    let (mut at, mut is_at_top, mut is_out) = (0, true, false);
    for statement in statements {
        let end = statement.last().map_or(at, |token| token.span().end());
        let written = text.get(at..end).unwrap_or_default();
        at = end;
        let is_blank =
            |kind| matches!(kind, TokenKind::Whitespace | TokenKind::Comment | TokenKind::Newline | TokenKind::Eof);
        let Some(first) = statement.iter().find(|token| !is_blank(token.kind())) else {
            waiting.push_str(written);
            continue;
        };
        let is_meant = || first_key(text, statement).is_some_and(|key| tables.contains(&key));
        if first.kind() == TokenKind::LeftSquareBracket {
            is_at_top = false;
            is_out = is_meant();
        } else if is_at_top {
            is_out = is_meant();
        }
        if is_out {
            waiting.clear();
        } else {
            kept.push_str(&std::mem::take(&mut waiting));
            kept.push_str(written);
        }
    }
    // Empty lines after the last table belong to it, where it is left out.
    if !(is_out && waiting.trim().is_empty()) {
        kept.push_str(&waiting);
    }
    if kept.len() == text.len() { Cow::Borrowed(text) } else { Cow::Owned(kept) }
}

/// The first key in the head of a table, or of a key with its value. A key that is written with escapes is not
/// recognized.
fn first_key<'t>(text: &'t str, statement: &[Token]) -> Option<&'t str> {
    statement.iter().find_map(|token| {
        let (start, end) = (token.span().start(), token.span().end());
        match token.kind() {
            TokenKind::Atom => text.get(start..end),
            TokenKind::BasicString | TokenKind::LiteralString => text.get(start + 1..end.checked_sub(1)?),
            _ => None,
        }
    })
}

/// Reads a TOML file into a tree.
///
/// # Errors
///
/// If the text is no TOML, or says a date, an integer beyond 64 bits, or a number that is not whole.
pub fn parse(source: &Arc<Source>) -> Result<TomlTable, Diagnostics> {
    let (table, errors) = DeTable::parse_recoverable(&source.text);
    let mut troubles = syntax_errors(source, &errors);
    Diagnostics::refuse(std::mem::take(&mut troubles))?;
    let table = Reader { source, shift: 0, troubles: &mut troubles }.table(table.get_ref());
    troubles.truncate(MAX_ERRORS_PER_FILE);
    Diagnostics::refuse(troubles)?;
    Ok(table)
}

/// Reads the single TOML value that stands at `span` of a source.
///
/// # Errors
///
/// If the text is not one TOML value, or as for [`parse`].
pub fn parse_value(source: &Arc<Source>, span: Range<usize>) -> Result<Node, Diagnostics> {
    let text = source.text.get(span.clone()).unwrap_or("");
    let (value, errors) = DeValue::parse_recoverable(text);
    let mut troubles = syntax_errors(source, &errors);
    for place in troubles.iter_mut().filter_map(|trouble| trouble.place.as_mut()) {
        place.span = place.span.start + span.start..place.span.end + span.start;
    }
    Diagnostics::refuse(std::mem::take(&mut troubles))?;
    let value = Reader { source, shift: span.start, troubles: &mut troubles }.value(value.get_ref(), value.span());
    Diagnostics::refuse(troubles)?;
    value.ok_or_else(|| Diagnostic::new("there is no value").at(Place::new(source, span, "")).into())
}

/// The conversion of what the TOML parser gave into nodes.
struct Reader<'a> {
    source: &'a Arc<Source>,
    /// Byte of the source at which the parsed text starts.
    shift: usize,
    troubles: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn table(&mut self, table: &DeTable<'_>) -> TomlTable {
        // The parser sorts by name; where the key stands in the file is the order of declaration.
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut read = TomlTable::default();
        for (key, value) in entries {
            let place = self.place(key.span(), "");
            if let Some(node) = self.value(value.get_ref(), value.span()) {
                read.insert(key.get_ref().to_string(), place, node);
            }
        }
        read
    }

    fn value(&mut self, value: &DeValue<'_>, span: Range<usize>) -> Option<Node> {
        let value = match value {
            DeValue::String(text) => Value::Text(text.to_string()),
            DeValue::Boolean(truth) => Value::Truth(*truth),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Value::Number(number),
                Err(error) => {
                    let is_empty = *error.kind() == std::num::IntErrorKind::Empty;
                    let (least, most) = (i64::MIN, i64::MAX);
                    let help = format!("integers go from {least} to {most}");
                    return match is_empty {
                        true => self.refuse(span, "this integer has no digits", "expected digits", help),
                        false => self.refuse(span, "this integer is too large", "does not fit into 64 bits", help),
                    };
                }
            },
            DeValue::Float(_) => {
                let help = "count in smaller units, 15 for 1.5; write it in quotes if it is a text".to_owned();
                return self.refuse(span, "numbers in rules are whole", "not a whole number", help);
            }
            DeValue::Datetime(_) => {
                let help = "rules have no dates; write it in quotes if it is a text".to_owned();
                return self.refuse(span, "a date cannot be used here", "a date", help);
            }
            DeValue::Array(values) => {
                Value::List(values.iter().filter_map(|value| self.value(value.get_ref(), value.span())).collect())
            }
            DeValue::Table(table) => Value::Table(self.table(table)),
        };
        let place = self.place(span, "");
        Some(Node { value, source: place.source, span: place.span })
    }

    fn refuse(&mut self, span: Range<usize>, message: &str, label: &str, help: String) -> Option<Node> {
        let place = self.place(span, label);
        self.troubles.push(Diagnostic::new(message).at(place).help(help));
        None
    }

    fn place(&self, span: Range<usize>, label: &str) -> Place {
        Place::new(self.source, span.start + self.shift..span.end + self.shift, label)
    }
}

/// The parser's errors in the words of this program. Errors after the first one in a broken text mostly follow from it,
/// so only duplicate keys, which break nothing, are all reported.
fn syntax_errors(source: &Arc<Source>, errors: &[toml::de::Error]) -> Vec<Diagnostic> {
    let Some(first) = errors.first() else { return Vec::new() };
    let strays = strays_before(source, first.span().map_or(0, |span| span.end));
    if !strays.is_empty() {
        return strays;
    }
    let is_duplicate = |error: &toml::de::Error| error.message() == "duplicate key";
    let duplicates = errors.iter().take_while(|error| is_duplicate(error)).count();
    errors.iter().take(duplicates + 1).take(MAX_ERRORS_PER_FILE).map(|error| syntax_error(source, error)).collect()
}

/// Errors for characters of other keyboards outside of texts and comments, up to the line where the parser gave up.
/// They are no TOML, and the parser does not say why.
fn strays_before(source: &Arc<Source>, end: usize) -> Vec<Diagnostic> {
    let text = &source.text;
    let line_end = text.get(end..).and_then(|rest| rest.find('\n')).map_or(text.len(), |length| end + length);
    let code = code_of(text);
    let strays = strays(text, |at| code.get(at).is_some_and(|is_code| *is_code));
    // A key in another alphabet may be meant, and needs quotes.
    let strays = strays.iter().filter(|stray| stray.at < line_end && !stray.is_of_words());
    strays.map(|stray| stray.told(source, 0)).collect()
}

/// For each byte of a TOML file, whether it is outside of texts and comments.
fn code_of(text: &str) -> Vec<bool> {
    let mut code = vec![true; text.len()];
    for token in toml_parser::Source::new(text).lex() {
        let is_code = !matches!(
            token.kind(),
            TokenKind::Comment
                | TokenKind::BasicString
                | TokenKind::LiteralString
                | TokenKind::MlBasicString
                | TokenKind::MlLiteralString
        );
        let bytes = code.get_mut(token.span().start()..token.span().end());
        bytes.into_iter().for_each(|bytes| bytes.fill(is_code));
    }
    code
}

fn syntax_error(source: &Arc<Source>, error: &toml::de::Error) -> Diagnostic {
    let message = error.message();
    let (wrong, expected) = message.split_once(", expected ").unwrap_or((message, ""));
    let at = |label: &str| Place::new(source, error.span().unwrap_or(0..0), label);
    let start = error.span().map_or(0, |span| span.start);
    let line_start = source.text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
    let line = source.text.get(line_start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    match wrong {
        "invalid basic string" | "invalid literal string" if matches!(expected, "`\"`" | "`'`") => {
            let help = match line.chars().find(|letter| is_quote(*letter)) {
                Some(quote) => format!("`{quote}` does not close it: write {expected}"),
                None => "a text in quotes ends on its line; between three quotes it can have several lines".to_owned(),
            };
            Diagnostic::new("a text is not closed").at(at(&format!("expected {expected}"))).help(help)
        }
        "key with no value" if line.trim_start().starts_with("//") || line.trim_start().starts_with("/*") => {
            Diagnostic::new("a key without a value").at(at("expected `=`")).help("a comment begins with `#`")
        }
        "key with no value" if source.text.get(start..).is_some_and(|rest| rest.starts_with(':')) => {
            Diagnostic::new("a key without a value").at(at("expected `=`")).help("write `=` in place of `:`")
        }
        "duplicate key" => Diagnostic::new("this key is given twice").at(at("given before")),
        "string values must be quoted" => Diagnostic::new("a value is missing or lacks its quotes")
            .at(at("expected a value"))
            .help("put text in quotes: name = \"ring\""),
        "key with no value" => Diagnostic::new("a key without a value")
            .at(at("expected `=`"))
            .help("write `key = value`; a key of several words needs quotes"),
        "invalid unquoted key" => Diagnostic::new("this key needs quotes")
            .at(at("only letters, digits, `-` and `_` need no quotes"))
            .help("write it in quotes: \"日本\" = 1"),
        "recursion limit" => Diagnostic::new("a key is nested too deeply").at(Place::new(source, 0..0, "in this file")),
        "cannot recurse further; max recursion depth met" => {
            Diagnostic::new("a value is nested too deeply").at(at("here"))
        }
        _ => {
            let label = if matches!(expected, "" | "nothing") { String::new() } else { format!("expected {expected}") };
            Diagnostic::new(format!("this is not TOML: {wrong}")).at(at(&label))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    #[test]
    fn a_file_without_a_table_is_as_it_was_before() {
        let plain = "id = 'a'\nnote = '''\n[looks.card]\n'''\n\n[data]\nlist = [\n  [1],\n]\n\n# Of the zones.\n[zones.a]\nlooks = 3\n";
        assert!(matches!(without_tables(plain, &["looks"]), Cow::Borrowed(text) if text == plain));
        let ways = [
            plain.replace("[data]", "# How cards look.\n[looks.card] # cards\ntext = \"\"\"\n\n[data]\n\"\"\"\nof.color.red = {\n  icon = 'star' }\n\n[data]"),
            format!("{plain}\n\n[looks.card]\ntitle = 'x'\n\n# Those of the dice.\n[ \"looks\" . die]\ntitle = 'y'\n"),
            plain.replace("id = 'a'\n", "id = 'a'\nlooks.card.title = 'x'\n'looks' . die.title = '''\n[data]'''\n"),
            format!("looks = {{ card = {{ title = \"#\" }} }}\n{plain}"),
            // Up to two quotes before the three that close a text belong to it.
            plain.replace("[data]", "[looks.card]\ntitle = \"\"\"say \"go\"\"\"\" # \\\n\n[data]"),
        ];
        for text in ways {
            assert!(text.parse::<toml::Table>().is_ok(), "{text}");
            assert_eq!(without_tables(&text, &["looks"]), plain, "{text}");
        }
    }

    /// The texts are drawn from what opens and closes texts, tables and remarks, so that whatever mistakes a part of one
    /// for something else leaves too much or too little out.
    #[test]
    fn a_file_without_tables_says_the_rest_of_what_it_said() {
        const LOOKS: [&str; 2] = ["looks", "names"];
        const KEYS: [&str; 8] =
            ["looks", "data", "'looks'", "\"names\"", "names", "\"'looks'\"", "zones", "\"l\\u006foks\""];
        const PIECES: [&str; 16] = [
            "\"",
            "'",
            "\"\"",
            "''",
            "\\",
            "\\\"",
            "#",
            "[",
            "]",
            "{",
            "}",
            "\n",
            "\n[looks]\n",
            "\n[data]\n",
            "\nlooks = 1\n",
            "日",
        ];
        const QUOTES: [&str; 4] = ["\"", "'", "\"\"\"", "\'\'\'"];
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let text = |random: &mut ChaCha8Rng| {
            let quote = QUOTES[random.random_range(0..4)];
            let inside: String = (0..random.random_range(0..5)).map(|_| PIECES[random.random_range(0..16)]).collect();
            format!("{quote}{inside}{quote}")
        };
        let (mut read, mut cut) = (0, 0);
        for _ in 0..20_000 {
            let mut file = String::new();
            for number in 0..random.random_range(1..5) {
                let key = KEYS[random.random_range(0..8)];
                let (one, other) = (text(&mut random), text(&mut random));
                file.push_str(&match random.random_range(0..7) {
                    0 => format!("{key}.k{number} = {one}\n"),
                    1 => format!("[{key}.t{number}] # {other}\na = [{one},\n  # {other}\n  {other}\n]\n"),
                    2 => format!("[[ {key} ]]\n'looks' = {one}\n\nnames.x = {{ y = {other} }} # {one}"),
                    3 => format!("{key} = {{ a = {one},\n looks = {other} }}\n"),
                    4 => format!("# {one}\n\n[ {key} . t{number} ]\n{key} = {other}"),
                    5 => format!("{key} = [{one}, [{other}]]\r\n"),
                    _ => format!("a{number} = {one}\n"),
                });
            }
            let Ok(mut whole) = file.parse::<toml::Table>() else { continue };
            let kept = without_tables(&file, &LOOKS);
            let rest: Result<toml::Table, _> = kept.parse();
            assert!(rest.is_ok(), "{file}\n---\n{kept}\n{rest:?}");
            let mut rest = rest.unwrap_or_default();
            // A key that is written with escapes stays.
            for table in LOOKS {
                let gone = whole.remove(table).is_some() && !rest.contains_key(table);
                rest.remove(table);
                cut += usize::from(gone);
            }
            assert_eq!(rest, whole, "{file}\n---\n{kept}");
            assert_eq!(without_tables(&kept, &LOOKS), kept, "{file}");
            read += 1;
        }
        assert!(read > 2000 && cut > 1000, "{read} files, {cut} tables");
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let source = Source::new("f.toml", text);
        let outcome = match parse(&source) {
            Ok(table) => table.to_toml().to_string().trim().to_owned(),
            Err(troubles) => {
                let told = troubles.iter().map(|trouble| {
                    let place = trouble.place.as_ref();
                    let (position, label) =
                        place.map_or(((0, 0), ""), |place| (place.position(), place.label.as_str()));
                    format!("{}:{} {} ({label})", position.0, position.1, trouble.message)
                });
                told.collect::<Vec<_>>().join("; ")
            }
        };
        assert_eq!(outcome, expected, "{text}");
    }

    #[test]
    fn toml_is_read_or_refused_in_our_words() {
        check("a = 1\nb = 'x'", "a = 1\nb = \"x\"");
        check("a = 0x1F\nb = 1_000", "a = 31\nb = 1000");
        check("a = ", "1:5 a value is missing or lacks its quotes (expected a value)");
        check(
            "a = 1\na = 2\na = 3",
            "2:1 this key is given twice (given before); 3:1 this key is given twice (given before)",
        );
        check("a\n", "1:2 a key without a value (expected `=`)");
        check("日 = 1", "1:1 this key needs quotes (only letters, digits, `-` and `_` need no quotes)");
        check("a = [1", "1:7 this is not TOML: unclosed array (expected `]`)");
        check("a = 9223372036854775808", "1:5 this integer is too large (does not fit into 64 bits)");
        check("a = 0x", "1:5 this integer has no digits (expected digits)");
        check(
            "a = 1.5\nb = [1, { c = -inf }]\nd = nan",
            "1:5 numbers in rules are whole (not a whole number); 2:15 numbers in rules are whole (not a whole number); 3:5 \
             numbers in rules are whole (not a whole number)",
        );
        check("a = 1e400", "1:5 numbers in rules are whole (not a whole number)");
        check("a = 1979-05-27", "1:5 a date cannot be used here (a date)");
        check(&format!("a = {}", "[".repeat(10_000)), "1:85 a value is nested too deeply (here)");
        check(&format!("{} = 1", vec!["a"; 10_000].join(".")), "1:1 a key is nested too deeply (in this file)");
    }

    #[test]
    fn characters_of_other_keyboards_are_told_of() {
        for (text, expected) in [
            ("a = “x” # “", "1:5 `“` is not `\"` (here)"),
            ("a　= 1", "1:2 this is not an ordinary space (here)"),
            ("ａ ＝ １２", "1:1 `ａ` is not `a` (here); 1:3 `＝` is not `=` (here); 1:5 `１２` is not `12` (here)"),
            ("a = [1，2、3]", "1:7 `，` is not `,` (here); 1:9 `、` is not `,` (here)"),
            ("a = –1", "1:5 `–` is not `-` (here)"),
            ("a = 1\u{a0}", "1:6 this is not an ordinary space (here)"),
            ("a = 1 \u{200b}", "1:7 there is an invisible character here: U+200B (here)"),
            ("［a］", "1:1 `［` is not `[` (here); 1:3 `］` is not `]` (here)"),
            ("a = \"x”", "1:8 a text is not closed (expected `\"`)"),
            ("a = 'x\nb = 1", "1:7 a text is not closed (expected `'`)"),
            ("名 = 1", "1:1 this key needs quotes (only letters, digits, `-` and `_` need no quotes)"),
            ("a = b\nc = “x”", "1:5 a value is missing or lacks its quotes (expected a value)"),
            ("a : 1", "1:3 a key without a value (expected `=`)"),
            ("a = '“　１；'\nb = '“' # ；", "a = \"“　１；\"\nb = \"“\""),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn order_of_declaration_is_kept() {
        let source = Source::new("f.toml", "[z]\nb = 1\na.x = 2\n[a]\n[m]");
        let table = parse(&source).unwrap_or_default();
        assert_eq!(table.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["z", "a", "m"]);
        let inner = table.get("z").and_then(|node| match &node.value {
            Value::Table(inner) => Some(inner.iter().map(|(key, _)| key).collect::<Vec<_>>()),
            _ => None,
        });
        assert_eq!(inner, Some(vec!["b", "a"]));
    }
}
