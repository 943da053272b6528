//! The kinds of value that a key can have: how a value is read, and how it is called.

use crate::catalogue::{Message, message};
use crate::definition::schema::{Checker, Field, Fields};
use crate::definition::tree::Value;
use crate::definition::{Edition, Text};
use serde_json::{Value as Json, json};
use std::any::TypeId;
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

    /// Name of one such value, with its article, where it is always the same.
    const ONE: &'static str = "";

    /// Name of several such values, where it is always the same.
    const MANY: &'static str = "values";

    /// Name of one such value, with its article.
    fn one() -> Message {
        Self::ONE.into()
    }

    /// Name of several such values.
    fn many() -> Message {
        Self::MANY.into()
    }

    /// JSON Schema of such a value.
    fn schema() -> Json;
}

/// A string that is not empty.
pub struct Str;

impl ValueKind for Str {
    type Value<'a> = &'a str;
    const ONE: &'static str = "a string";
    const MANY: &'static str = "strings";

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<&'a str> {
        field.text(checker)
    }

    fn schema() -> Json {
        json!({ "type": "string", "minLength": 1 })
    }
}

/// An option as a scenario answers it: one whose name is a number may be written as a number.
pub struct OptionAnswer;

impl ValueKind for OptionAnswer {
    type Value<'a> = Field<'a>;
    const ONE: &'static str = "a string or an integer";
    const MANY: &'static str = "strings or integers";

    fn read<'a>(field: &Field<'a>, _: &mut Checker) -> Option<Field<'a>> {
        Some(field.clone())
    }

    fn schema() -> Json {
        json!({ "type": ["string", "integer", "boolean"] })
    }
}

/// A text that people read, in one language or in several.
pub struct LocalizedText;

impl ValueKind for LocalizedText {
    type Value<'a> = Text;
    const ONE: &'static str = "a text";
    const MANY: &'static str = "texts";

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<Text> {
        field.words(checker)
    }

    fn schema() -> Json {
        json!({ "$ref": "#/definitions/text" })
    }
}

/// The id of a layer or library.
pub struct Id;

impl ValueKind for Id {
    type Value<'a> = String;
    const ONE: &'static str = "an id";
    const MANY: &'static str = "ids";

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<String> {
        field.id(checker)
    }

    fn schema() -> Json {
        json!({ "type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$" })
    }
}

/// An edition of the language.
pub struct EditionNumber;

impl ValueKind for EditionNumber {
    type Value<'a> = Edition;
    const ONE: &'static str = "two numbers of a version of Houserule";

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<Edition> {
        field.edition(checker)
    }

    fn schema() -> Json {
        json!({ "type": "string", "pattern": r"^\d+\.\d+$" })
    }
}

/// A version, as semantic versioning writes it.
pub struct VersionNumber;

impl ValueKind for VersionNumber {
    type Value<'a> = semver::Version;
    const ONE: &'static str = "a version of three numbers";

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<semver::Version> {
        field.version(checker)
    }

    fn schema() -> Json {
        json!({ "type": "string", "pattern": r"^\d+\.\d+\.\d+" })
    }
}

/// A range of versions, as semantic versioning writes it.
pub struct VersionRange;

impl ValueKind for VersionRange {
    type Value<'a> = semver::VersionReq;
    const ONE: &'static str = "versions that fit: `^1.0.0`";

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<semver::VersionReq> {
        field.versions(checker)
    }

    fn schema() -> Json {
        json!({ "type": "string" })
    }
}

/// The name of a function of the script.
pub struct FunctionName;

impl ValueKind for FunctionName {
    type Value<'a> = String;
    const ONE: &'static str = "a function";

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<String> {
        field.function(checker)
    }

    fn schema() -> Json {
        json!({ "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" })
    }
}

/// An integer within limits.
pub struct Integer<const MIN: i64, const MAX: i64>;

impl<const MIN: i64, const MAX: i64> ValueKind for Integer<MIN, MAX> {
    type Value<'a> = i64;
    const MANY: &'static str = "integers";

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<i64> {
        field.number(checker, MIN..=MAX)
    }

    fn of_default<'a>(text: &str) -> Option<Self::Value<'a>> {
        text.parse().ok()
    }

    fn one() -> Message {
        match (MIN, MAX) {
            (i64::MIN, _) | (_, i64::MAX) => "an integer".into(),
            // A limit that nobody comes near says nothing.
            (_, most) if most >= i64::from(u32::MAX) => "an integer".into(),
            (least, most) => message!("an integer from {least} to {most}"),
        }
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
    const ONE: &'static str = "`true` or `false`";

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<bool> {
        field.truth(checker)
    }

    fn of_default<'a>(text: &str) -> Option<Self::Value<'a>> {
        text.parse().ok()
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

    fn one() -> Message {
        let words = S::WORDS.iter().map(|(word, _, about)| match *about {
            "" => Message::verbatim(format!("`{word}`")),
            about => message!("`{word}` ({})", Message::from(about)),
        });
        Message::list(words, ", ")
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
        if TypeId::of::<K>() == TypeId::of::<SubTable>() && matches!(field.node.value, Value::Table(_)) {
            let help = message!("write `[[{}]]`: each such heading begins an element", field.path);
            return checker.refuse(field.mismatch_error("an array").help(help));
        }
        field.list(checker)
    }

    fn one() -> Message {
        message!("an array of {}", K::many())
    }

    fn many() -> Message {
        message!("arrays of {}", K::many())
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
            return field.refuse(checker, "an array, or a path to one in `[data]`, such as \"data.colors\"");
        }
        Some(field.clone())
    }

    fn one() -> Message {
        message!("{}, or a path to one in `[data]`", List::<K>::one())
    }

    fn schema() -> Json {
        json!({ "type": ["array", "string"], "items": K::schema(), "pattern": r"^data\." })
    }
}

/// A table, whose keys are declared or names of the author's own.
pub struct SubTable;

impl ValueKind for SubTable {
    type Value<'a> = Fields<'a>;
    const ONE: &'static str = "a table";
    const MANY: &'static str = "tables";

    fn read<'a>(field: &Field<'a>, checker: &mut Checker) -> Option<Fields<'a>> {
        if let Value::List(list) = &field.node.value
            && list.iter().any(|element| matches!(element.value, Value::Table(_)))
        {
            let help = message!("write `[{}]`: it is there once", field.path);
            return checker.refuse(field.mismatch_error("a table").help(help));
        }
        field.table(checker)
    }

    fn schema() -> Json {
        json!({ "type": "object" })
    }
}

/// A value of any kind, which the reader checks itself.
pub struct Anything;

impl ValueKind for Anything {
    type Value<'a> = Field<'a>;
    const ONE: &'static str = "anything";

    fn read<'a>(field: &Field<'a>, _: &mut Checker) -> Option<Field<'a>> {
        Some(field.clone())
    }

    fn schema() -> Json {
        json!({})
    }
}
