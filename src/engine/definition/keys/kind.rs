//! The kinds of value that a key can have: how a value is read, and how it is called.

use crate::definition::schema::{Checker, Field, Fields};
use crate::definition::tree::Value;
use crate::definition::{Edition, Text};
use serde_json::{Value as Json, json};
use std::marker::PhantomData;

pub trait ValueKind: 'static {
    /// Type of the value that is read.
    type Value<'a>;

    /// Reads a value; `None` where it is of another kind, which is reported to `checker`.
    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<Self::Value<'a>>;

    /// The value of a default that is declared as this text; `None` for kinds without defaults.
    fn of_default<'a>(_text: &str) -> Option<Self::Value<'a>> {
        None
    }

    /// Name of one such value, with its article.
    fn one() -> String;

    /// Name of several such values.
    fn many() -> String {
        "values".to_owned()
    }

    /// JSON Schema of such a value.
    fn schema() -> Json;
}

/// A string that is not empty.
pub struct Str;

impl ValueKind for Str {
    type Value<'a> = &'a str;

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<&'a str> {
        field.text(checker)
    }

    fn one() -> String {
        "a string".to_owned()
    }

    fn many() -> String {
        "strings".to_owned()
    }

    fn schema() -> Json {
        json!({ "type": "string", "minLength": 1 })
    }
}

/// An option as a scenario answers it: one whose name is a number may be written as a number.
pub struct OptionAnswer;

impl ValueKind for OptionAnswer {
    type Value<'a> = Field<'a>;

    fn read<'a>(field: &Field<'a>, _: &mut Checker) -> Option<Field<'a>> {
        Some(field.clone())
    }

    fn one() -> String {
        "a string or an integer".to_owned()
    }

    fn many() -> String {
        "strings or integers".to_owned()
    }

    fn schema() -> Json {
        json!({ "type": ["string", "integer", "boolean"] })
    }
}

/// A text that people read, in one language or in several.
pub struct LocalizedText;

impl ValueKind for LocalizedText {
    type Value<'a> = Text;

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<Text> {
        field.words(checker)
    }

    fn one() -> String {
        "a text".to_owned()
    }

    fn many() -> String {
        "texts".to_owned()
    }

    fn schema() -> Json {
        json!({ "$ref": "#/definitions/text" })
    }
}

/// The id of a layer or library.
pub struct Id;

impl ValueKind for Id {
    type Value<'a> = String;

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<String> {
        field.id(checker)
    }

    fn one() -> String {
        "an id".to_owned()
    }

    fn many() -> String {
        "ids".to_owned()
    }

    fn schema() -> Json {
        json!({ "type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$" })
    }
}

/// An edition of the language.
pub struct EditionNumber;

impl ValueKind for EditionNumber {
    type Value<'a> = Edition;

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<Edition> {
        field.edition(checker)
    }

    fn one() -> String {
        "two numbers of a version of Houserule".to_owned()
    }

    fn schema() -> Json {
        json!({ "type": "string", "pattern": r"^\d+\.\d+$" })
    }
}

/// A version, as semantic versioning writes it.
pub struct VersionNumber;

impl ValueKind for VersionNumber {
    type Value<'a> = semver::Version;

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<semver::Version> {
        field.version(checker)
    }

    fn one() -> String {
        "a version of three numbers".to_owned()
    }

    fn schema() -> Json {
        json!({ "type": "string", "pattern": r"^\d+\.\d+\.\d+" })
    }
}

/// A range of versions, as semantic versioning writes it.
pub struct VersionRange;

impl ValueKind for VersionRange {
    type Value<'a> = semver::VersionReq;

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<semver::VersionReq> {
        field.versions(checker)
    }

    fn one() -> String {
        "versions that fit: `^1.0.0`".to_owned()
    }

    fn schema() -> Json {
        json!({ "type": "string" })
    }
}

/// The name of a function of the script.
pub struct FunctionName;

impl ValueKind for FunctionName {
    type Value<'a> = String;

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<String> {
        field.function(checker)
    }

    fn one() -> String {
        "a function".to_owned()
    }

    fn schema() -> Json {
        json!({ "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" })
    }
}

/// An integer within limits.
pub struct Integer<const MIN: i64, const MAX: i64>;

impl<const MIN: i64, const MAX: i64> ValueKind for Integer<MIN, MAX> {
    type Value<'a> = i64;

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<i64> {
        field.number(checker, MIN..=MAX)
    }

    fn of_default<'a>(text: &str) -> Option<Self::Value<'a>> {
        text.parse().ok()
    }

    fn one() -> String {
        match (MIN, MAX) {
            (i64::MIN, _) | (_, i64::MAX) => "an integer".to_owned(),
            // A limit that nobody comes near says nothing.
            (_, most) if most >= i64::from(u32::MAX) => "an integer".to_owned(),
            (least, most) => format!("an integer from {least} to {most}"),
        }
    }

    fn many() -> String {
        "integers".to_owned()
    }

    fn schema() -> Json {
        let mut schema = json!({ "type": "integer" });
        if MIN > i64::MIN {
            schema["minimum"] = MIN.into();
        }
        if MAX < i64::MAX {
            schema["maximum"] = MAX.into();
        }
        schema
    }
}

/// `true` or `false`.
pub struct Truth;

impl ValueKind for Truth {
    type Value<'a> = bool;

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<bool> {
        field.truth(checker)
    }

    fn of_default<'a>(text: &str) -> Option<Self::Value<'a>> {
        text.parse().ok()
    }

    fn one() -> String {
        "`true` or `false`".to_owned()
    }

    fn schema() -> Json {
        json!({ "type": "boolean" })
    }
}

/// One of a few words.
pub struct OneOf<S>(PhantomData<S>);

/// A small set of words, each with a meaning.
pub trait WordSet: 'static {
    /// The meaning of a word.
    type Meaning: Copy;
    /// The words, each with its meaning and a remark, which may be empty.
    const WORDS: &'static [(&'static str, Self::Meaning, &'static str)];
}

impl<S: WordSet> ValueKind for OneOf<S> {
    type Value<'a> = S::Meaning;

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<S::Meaning> {
        field.word(checker, S::WORDS)
    }

    fn of_default<'a>(text: &str) -> Option<Self::Value<'a>> {
        S::WORDS.iter().find(|(word, ..)| *word == text).map(|(_, meaning, _)| *meaning)
    }

    fn one() -> String {
        let words = S::WORDS.iter().map(|(word, _, about)| match *about {
            "" => format!("`{word}`"),
            about => format!("`{word}` ({about})"),
        });
        words.collect::<Vec<_>>().join(", ")
    }

    fn schema() -> Json {
        json!({ "enum": S::WORDS.iter().map(|(word, ..)| *word).collect::<Vec<_>>() })
    }
}

/// An array whose elements, mostly of kind `K`, the reader checks itself.
pub struct List<K>(PhantomData<K>);

impl<K: ValueKind> ValueKind for List<K> {
    type Value<'a> = Vec<Field<'a>>;

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<Vec<Field<'a>>> {
        field.list(checker)
    }

    fn one() -> String {
        format!("an array of {}", K::many())
    }

    fn many() -> String {
        format!("arrays of {}", K::many())
    }

    fn schema() -> Json {
        json!({ "type": "array", "items": K::schema() })
    }
}

/// An array, or the path to one in the rulebook's data, which the reader resolves.
pub struct ListOrPath<K>(PhantomData<K>);

impl<K: ValueKind> ValueKind for ListOrPath<K> {
    type Value<'a> = Field<'a>;

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<Field<'a>> {
        if !field.is_data_path() && !matches!(field.node.value, Value::List(_)) {
            field.report_mismatch(checker, "an array, or a path to one in `[data]`, such as \"data.colors\"");
            return None;
        }
        Some(field.clone())
    }

    fn one() -> String {
        format!("{}, or a path to one in `[data]`", List::<K>::one())
    }

    fn schema() -> Json {
        json!({ "type": ["array", "string"], "items": K::schema(), "pattern": r"^data\." })
    }
}

/// A table, whose keys are declared or names of the author's own.
pub struct SubTable;

impl ValueKind for SubTable {
    type Value<'a> = Fields<'a>;

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<Fields<'a>> {
        field.table(checker)
    }

    fn one() -> String {
        "a table".to_owned()
    }

    fn many() -> String {
        "tables".to_owned()
    }

    fn schema() -> Json {
        json!({ "type": "object" })
    }
}

/// A value of any kind, which the reader checks itself.
pub struct Anything;

impl ValueKind for Anything {
    type Value<'a> = Field<'a>;

    fn read<'a>(field: &Field<'a>, _: &mut Checker) -> Option<Field<'a>> {
        Some(field.clone())
    }

    fn one() -> String {
        "anything".to_owned()
    }

    fn schema() -> Json {
        json!({})
    }
}
