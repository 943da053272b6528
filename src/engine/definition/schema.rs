//! Checks of shape: which keys a table may have, and what their values may be.
//!
//! A [`Field`] is a value with the path that leads to it. Its methods (`text`, `number`, `word` …) give the value if it
//! is of the kind asked for; otherwise they report an error to the [`Checker`], which collects errors until somebody
//! asks for them.

use super::keys::foreign::{foreign, sections_with};
use super::keys::kind::ValueKind;
use super::keys::{Key, KeyInfo, Requirement, Section, table};
use super::names::{ID_HELP, IDENTIFIER_HELP, KEYWORDS, TABLE_WORDS, is_id, is_identifier};
use super::tree::{Node, TomlTable, Value};
use super::{Edition, Text};
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, either, first_of, listed};
use std::ops::RangeInclusive;

/// Most errors reported for one file: later ones are likely to follow from the first.
pub const MAX_ERRORS_PER_FILE: usize = 10;

/// Beginning of a path into the rulebook's data.
const DATA: &str = "data.";

/// Collects the errors of a file, or of layers laid over each other.
pub struct Checker {
    /// The errors found so far.
    pub troubles: Vec<Diagnostic>,
    /// Whether only a part is checked, such as a variant alone: what it lacks may be in another layer.
    pub partial: bool,
}

/// A value with the path that leads to it.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    /// Path of the field: `zones.hand.order`.
    pub path: String,
    /// Place of the key.
    pub key: &'a Place,
    /// The value.
    pub node: &'a Node,
    /// An example of the key with a value, if one is declared.
    example: Option<&'static str>,
}

/// A table with the path that leads to it.
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    /// Path of the table: `zones.hand`; empty for a whole file.
    pub path: String,
    /// The place that errors about missing keys point at.
    pub place: Place,
    pub table: &'a TomlTable,
}

impl Checker {
    /// A checker without errors.
    pub fn new(partial: bool) -> Checker {
        Checker { troubles: Vec::new(), partial }
    }

    /// Records errors.
    pub fn report(&mut self, diagnostic: impl Into<Diagnostics>) {
        self.troubles.extend(diagnostic.into());
    }

    /// Records errors, and gives nothing.
    pub fn refuse<T>(&mut self, diagnostic: impl Into<Diagnostics>) -> Option<T> {
        self.report(diagnostic);
        None
    }

    /// Records that there are more than `most` of something; `place` is that of the first that is too many.
    pub fn report_too_many(&mut self, what: &'static str, most: usize, place: &Place) {
        let what = Message::from(what);
        let trouble = Diagnostic::new(message!("there are more than {most} {what}"));
        self.report(trouble.at(place.with_label("one too many")));
    }

    /// Whether as many errors are recorded as will be reported, so that looking for similar names would be wasted.
    pub fn is_full(&self) -> bool {
        self.troubles.len() >= MAX_ERRORS_PER_FILE
    }

    /// Gives `value`, or the recorded errors if there are any.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, Diagnostics> {
        Diagnostics::refuse(first_of(self.troubles, MAX_ERRORS_PER_FILE))?;
        value.ok_or_else(|| Diagnostic::new("something is missing").into())
    }
}

impl<'a> Fields<'a> {
    /// Reads the value of a key. Where the key is not there, gives its default or `None`, and reports a required key as
    /// missing, unless only a part is checked: another layer may have it.
    pub fn read<K: ValueKind>(&self, checker: &mut Checker, key: &Key<K>) -> Option<K::Value<'a>> {
        match (self.find(key), key.need()) {
            (Some(field), _) => K::read(&field, checker),
            (None, Requirement::Default(text)) => K::of_default(text),
            (None, Requirement::Required) => {
                self.report_missing(checker, key);
                None
            }
            (None, Requirement::Unless(_) | Requirement::Optional | Requirement::Means(_)) => None,
        }
    }

    /// Reads the value of a key like [`read`](Fields::read), with its place; `None` where the key is not there.
    pub fn read_at<K: ValueKind>(&self, checker: &mut Checker, key: &Key<K>) -> Option<(K::Value<'a>, Place)> {
        let value = self.read(checker, key)?;
        Some((value, self.find(key)?.node.place("")))
    }

    /// The field of a key, whatever its value is; `None` where the key is not there.
    pub fn find(&self, key: &dyn KeyInfo) -> Option<Field<'a>> {
        let field = self.get(key.name())?;
        Some(Field { example: key.example(), ..field })
    }

    /// Whether a key is there.
    pub fn has(&self, key: &dyn KeyInfo) -> bool {
        self.table.get(key.name()).is_some()
    }

    /// Reports that a key is not there, unless the rest may be in another layer.
    pub fn report_missing(&self, checker: &mut Checker, key: &dyn KeyInfo) {
        if checker.partial {
            return;
        }
        let name = key.name();
        let missing = message!("`{name}` is missing");
        let (message, label) = match self.path.as_str() {
            "" => (missing, "this file lacks it".into()),
            path => (message!("`{name}` of `{path}` is missing"), missing),
        };
        let trouble = Diagnostic::new(message).at(self.place.with_label(label));
        checker.report(such_as(trouble, key.example()));
    }

    fn get(&self, key: &str) -> Option<Field<'a>> {
        let entry = self.table.entry(key)?;
        Some(Field::new(joined_path(&self.path, key), &entry.key, &entry.node))
    }

    /// Every key with its value, in order of declaration.
    pub fn each(&self) -> impl Iterator<Item = (&'a str, Field<'a>)> {
        self.table.iter().filter_map(|(key, _)| Some((key, self.get(key)?)))
    }

    /// Reports every key that is not among `known`. `what` names the sort of table with its article: `a zone`.
    pub fn report_unknown_keys(&self, checker: &mut Checker, what: &'static str, known: &[&dyn KeyInfo]) {
        let known: Vec<&str> = known.iter().map(|key| key.name()).collect();
        for (key, field) in self.each().filter(|(key, _)| !known.contains(key)) {
            let place = field.key.with_label(message!("not a key of {}", Message::from(what)));
            let diagnostic = Diagnostic::new(message!("unknown key `{}`", field.path)).at(place);
            if checker.is_full() {
                return checker.report(diagnostic);
            }
            checker.report(with_place_of_key(diagnostic, what, key, &known));
        }
    }
}

/// The path of a key in the table at `path`.
pub(super) fn joined_path(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Adds help to the error about an unknown key: how it is called here, the nearest key, or the table that has a key of
/// this name. Where there is none of these, the help lists all keys of the table.
fn with_place_of_key(unknown: Diagnostic, what: &'static str, key: &str, known: &[&str]) -> Diagnostic {
    if let Some(help) = foreign(what, key) {
        return unknown.help(help);
    }
    let unknown = unknown.near(key, known.iter().copied());
    if unknown.help.is_empty()
        && let Some(section) = sections_with(what, key).next()
    {
        let called = Message::from(section.called);
        return unknown.help(match section.path {
            "" => message!("`{key}` is a key of {called}"),
            path => message!("`{key}` is a key of {called}, such as `[{path}]`"),
        });
    }
    unknown.help(message!("the keys of {} are {}", Message::from(what), listed(known.iter().copied())))
}

impl<'a> Field<'a> {
    /// A field of a value with the path that leads to it.
    pub fn new(path: impl Into<String>, key: &'a Place, node: &'a Node) -> Self {
        Field { path: path.into(), key, node, example: None }
    }

    /// Reports that the value is not what was expected.
    pub fn report_mismatch(&self, checker: &mut Checker, expected: impl Into<Message>) {
        checker.report(self.mismatch_error(expected));
    }

    /// Reports that the value is not what was expected, and gives nothing.
    pub fn refuse<T>(&self, checker: &mut Checker, expected: impl Into<Message>) -> Option<T> {
        checker.refuse(self.mismatch_error(expected))
    }

    /// The error that the value is not what was expected, to be completed.
    pub fn mismatch_error(&self, expected: impl Into<Message>) -> Diagnostic {
        let expected = expected.into();
        Diagnostic::new(message!("`{}` must be {expected}", self.path)).at(self.node.place(self.found()))
    }

    /// The value in a few words, for a label.
    fn found(&self) -> Message {
        match &self.node.value {
            Value::Number(number) => message!("this is {number}"),
            Value::Text(text) if text.is_empty() => "this is empty".into(),
            Value::List(list) if list.is_empty() => "this is empty".into(),
            value => message!("this is {}", value.kind()),
        }
    }

    /// Reads a string that is not empty.
    pub fn text(&self, checker: &mut Checker) -> Option<&'a str> {
        match &self.node.value {
            Value::Text(text) if !text.trim().is_empty() => Some(text),
            _ => self.refuse(checker, "a string that is not empty"),
        }
    }

    /// Reads an integer within limits.
    pub fn number(&self, checker: &mut Checker, limits: RangeInclusive<i64>) -> Option<i64> {
        match self.node.value {
            Value::Number(number) if limits.contains(&number) => Some(number),
            _ => self.refuse(checker, message!("an integer from {} to {}", limits.start(), limits.end())),
        }
    }

    pub fn table(&self, checker: &mut Checker) -> Option<Fields<'a>> {
        match &self.node.value {
            Value::Table(table) => Some(Fields { path: self.path.clone(), place: self.own_place(), table }),
            _ => checker.refuse(such_as(self.mismatch_error("a table"), self.example)),
        }
    }

    /// Where the field begins: at its key, or, in a list, on the first line of the element itself.
    fn own_place(&self) -> Place {
        if !self.path.ends_with(']') {
            return self.key.clone();
        }
        let mut place = self.node.place("");
        let text = place.source.text.get(place.span.clone()).unwrap_or_default();
        place.span.end = place.span.start + text.find('\n').unwrap_or(text.len());
        place
    }

    /// Reads a table with the keys of a section and no others.
    pub fn section(&self, checker: &mut Checker, section: &Section) -> Option<Fields<'a>> {
        let fields = self.table(checker)?;
        fields.report_unknown_keys(checker, section.called, section.keys);
        Some(fields)
    }

    /// Reads an array, with the path of each element.
    pub fn list(&self, checker: &mut Checker) -> Option<Vec<Field<'a>>> {
        match &self.node.value {
            Value::List(nodes) => Some(self.elements(nodes)),
            _ => self.refuse(checker, "an array"),
        }
    }

    /// Whether the value is a path such as `data.colors`.
    pub fn is_data_path(&self) -> bool {
        matches!(&self.node.value, Value::Text(text) if text.starts_with(DATA))
    }

    /// Looks up a string such as `data.colors` in `data`; any other value stands for itself.
    pub fn resolve(&self, data: Option<&Fields<'a>>, checker: &mut Checker) -> Option<Field<'a>> {
        let Value::Text(text) = &self.node.value else { return Some(self.clone()) };
        let Some(path) = text.strip_prefix(DATA) else { return Some(self.clone()) };
        let (mut walked, mut table) = ("data".to_owned(), data.map(|data| data.table));
        let mut found: Option<(&'a Place, &'a Node)> = None;
        for key in path.split('.') {
            let Some(entry) = table.and_then(|table| table.entry(key)) else {
                let trouble = Diagnostic::new(message!("there is no `{walked}.{key}`"))
                    .at(self.node.place(message!("`{walked}` has no `{key}`")));
                return checker.refuse(trouble.near(key, table.into_iter().flat_map(TomlTable::keys)));
            };
            walked = format!("{walked}.{key}");
            found = Some((&entry.key, &entry.node));
            table = table.and_then(|table| table.table(key));
        }
        let (key, node) = found?;
        Some(Field::new(walked, key, node))
    }

    /// Reads the elements of an array that is written out or referred to; the latter must not be empty.
    pub fn resolve_list(&self, data: Option<&Fields<'a>>, checker: &mut Checker) -> Option<Vec<Field<'a>>> {
        let resolved = self.resolve(data, checker)?;
        match &resolved.node.value {
            Value::List(nodes) if !nodes.is_empty() || !self.is_data_path() => Some(resolved.elements(nodes)),
            value => {
                let expected = if matches!(value, Value::List(_)) { "an array that is not empty" } else { "an array" };
                let trouble = resolved.mismatch_error(expected);
                checker.refuse(trouble.related(self.node.place("it is referred to here")))
            }
        }
    }

    /// The elements of an array as fields.
    pub fn elements(&self, nodes: &'a [Node]) -> Vec<Field<'a>> {
        let element = |(index, node)| Field::new(format!("{}[{index}]", self.path), self.key, node);
        nodes.iter().enumerate().map(element).collect()
    }

    /// Reads one of a few words and gives its meaning.
    pub fn word<T: Copy>(&self, checker: &mut Checker, words: &[(&str, T, &str)]) -> Option<T> {
        let text = self.text(checker)?;
        if let Some((_, meaning, _)) = words.iter().find(|(word, ..)| *word == text) {
            return Some(*meaning);
        }
        if checker.is_full() {
            return self.refuse(checker, "one of a few words");
        }
        let names = || words.iter().map(|(word, ..)| *word);
        let diagnostic = Diagnostic::new(message!("`{}` cannot be `{text}`", self.path))
            .at(self.node.place(message!("expected {}", either(names()))));
        checker.refuse(diagnostic.near(text, names()))
    }

    /// Reads `true` or `false`.
    pub fn truth(&self, checker: &mut Checker) -> Option<bool> {
        match self.node.value {
            Value::Truth(truth) => Some(truth),
            _ => self.refuse(checker, "`true` or `false`"),
        }
    }

    /// Reads the id of a layer or library.
    pub fn id(&self, checker: &mut Checker) -> Option<String> {
        let text = self.text(checker)?;
        if !is_id(text) {
            let trouble = Diagnostic::new(message!("`{text}` cannot be an id"));
            return checker.refuse(trouble.at(self.node.place("not an id")).help(ID_HELP));
        }
        Some(text.to_owned())
    }

    /// Reads a version such as `1.0.0`.
    pub fn version(&self, checker: &mut Checker) -> Option<semver::Version> {
        let text = self.text(checker)?;
        match semver::Version::parse(text) {
            Ok(version) => Some(version),
            Err(_) => {
                let trouble =
                    Diagnostic::new(message!("`{text}` cannot be a version")).at(self.node.place("not a version"));
                let numbers = text.trim_start_matches(['v', 'V']).split('.');
                let short = numbers.map(str::parse::<u64>).collect::<Result<Vec<_>, _>>().unwrap_or_default();
                checker.report(match short[..] {
                    [major] => trouble.help(message!("did you mean `{major}.0.0`?")),
                    [major, minor] => trouble.help(message!("did you mean `{major}.{minor}.0`?")),
                    [major, minor, patch] => trouble.help(message!("did you mean `{major}.{minor}.{patch}`?")),
                    _ => trouble.help("a version has three numbers with dots between: `1.0.0`, or `1.1.0-draft`"),
                });
                None
            }
        }
    }

    /// Reads an edition of the language, such as `0.1`.
    pub fn edition(&self, checker: &mut Checker) -> Option<Edition> {
        let text = self.text(checker)?;
        let edition = Edition::known(text, |label| self.node.place(label));
        edition.map_err(|trouble| checker.report(trouble)).ok()
    }

    /// Reads a range of versions, such as `^1.0.0`.
    pub fn versions(&self, checker: &mut Checker) -> Option<semver::VersionReq> {
        let text = self.text(checker)?;
        let versions = semver::VersionReq::parse(text).ok();
        if versions.is_none() {
            let trouble = Diagnostic::new(message!("`{text}` names no versions"));
            let trouble = trouble.at(self.node.place("not versions"));
            checker.report(trouble.help("`^1.2.0` is 1.2.0 and what is compatible with it, `>=1, <3` is a range"));
        }
        versions
    }

    /// Reads a text in one language or in several.
    pub fn words(&self, checker: &mut Checker) -> Option<Text> {
        self.words_with(checker, &[]).map(|(text, _)| text)
    }

    /// Reads a text that may be a prompt, and whether its answers are secret.
    pub fn words_of_prompt(&self, checker: &mut Checker) -> Option<(Text, bool)> {
        let (text, fields) = self.words_with(checker, table::prompt::SECTION.keys)?;
        let is_secret = fields.and_then(|fields| fields.read(checker, &table::prompt::SECRET));
        Some((text, is_secret.unwrap_or(false)))
    }

    /// Reads a text. Where it is a table, that is given too, and may have `further` keys.
    fn words_with(&self, checker: &mut Checker, further: &[&dyn KeyInfo]) -> Option<(Text, Option<Fields<'a>>)> {
        use table::words::{EN, SECTION};
        let fields = match &self.node.value {
            Value::Text(_) => return Some((Text::from(self.text(checker)?.to_owned()), None)),
            Value::Table(table) => Fields { path: self.path.clone(), place: self.key.clone(), table },
            _ => {
                return self.refuse(checker, "a string, or a table with `en` and `ja`");
            }
        };
        fields.report_unknown_keys(checker, SECTION.called, &[SECTION.keys, further].concat());
        let en = fields.read(checker, &EN);
        let text = Text::from(en.unwrap_or_default().to_owned());
        let text = text.translated(|language| fields.read(checker, &Key::of_language(language)));
        en.map(|_| (text, Some(fields)))
    }

    /// Reads the name of a function of the script.
    pub fn function(&self, checker: &mut Checker) -> Option<String> {
        let text = self.text(checker)?;
        if is_identifier(text) && !KEYWORDS.contains(&text) {
            return Some(text.to_owned());
        }
        checker.refuse(self.mismatch_error("the name of a function of the script").help(IDENTIFIER_HELP))
    }

    /// Checks that `name`, the key of the field, can be written in a script. `what` is what it names, with its article.
    pub fn has_script_name(&self, checker: &mut Checker, name: &str, what: &'static str) -> bool {
        let what = Message::from(what);
        let (message, label) = if !is_identifier(name) {
            (message!("`{name}` cannot be the name of {what}"), "not a name")
        } else if KEYWORDS.contains(&name) {
            (message!("{what} cannot be called `{name}`"), "a word of the script language")
        } else {
            return true;
        };
        checker.report(Diagnostic::new(message).at(self.key.with_label(label)).help(IDENTIFIER_HELP));
        false
    }

    /// Checks a name like [`has_script_name`](Field::has_script_name), for what scripts reach from the table or a
    /// player: there it must not be one of the words that scripts already have.
    pub fn has_table_name(&self, checker: &mut Checker, name: &str, what: &'static str) -> bool {
        if TABLE_WORDS.contains(&name) {
            let message = message!("{} cannot be called `{name}`", Message::from(what));
            checker.report(Diagnostic::new(message).at(self.key.with_label("it means something else in scripts")));
            return false;
        }
        self.has_script_name(checker, name, what)
    }
}

fn such_as(trouble: Diagnostic, example: Option<&str>) -> Diagnostic {
    trouble.help_maybe(example.map(|example| message!("such as `{example}`")))
}
