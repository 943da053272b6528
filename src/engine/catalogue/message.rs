//! Messages: what the host says, as data, until it is drawn for a reader of some language.

use super::template::Template;
use super::{Catalogue, Language, reader, spoken};
use crate::sorted::SortedMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::ops::Deref;
use std::sync::Arc;

/// A text of the host with what fills its holes.
///
/// By itself it is its English text, which files and programs get. [`told`](Message::told) is what a reader gets. Two
/// messages are equal if their English is.
///
/// Made by `message!` from a text with holes, by `From<&'static str>` from a text of the sources without any, and by
/// [`verbatim`](Message::verbatim) from what is no text of the host.
#[derive(Clone)]
pub struct Message(Arc<Inner>);

struct Inner {
    english: String,
    form: Form,
}

/// How a message was put together.
enum Form {
    /// Names, figures, words of a file.
    Verbatim,
    /// What another program says, whose texts the catalogue has word for word.
    Foreign,
    /// A text of rules, in the other languages that it is in.
    OfRules(SortedMap<Language, String>),
    /// A text of the sources with its holes, in the chunks in which it was formatted: the text's own pieces, and the
    /// contents of its holes. A text without holes has no chunks.
    Text(&'static str, Vec<Chunk>),
    /// Messages, one behind the other.
    Joined(Vec<Message>),
    /// A number with its noun, which is in the plural unless the number is 1.
    Counted(String, String),
}

/// A part of a formatted text.
enum Chunk {
    /// A piece of the text, or a part of what fills a hole.
    Plain(String),
    /// A message in a hole.
    Message(Message),
}

impl Chunk {
    fn told(&self, catalogue: &Catalogue) -> String {
        let translation = match self {
            Self::Plain(_) => None,
            Self::Message(message) => message.translation(catalogue),
        };
        translation.unwrap_or_else(|| self.as_ref().to_owned())
    }
}

impl AsRef<str> for Chunk {
    fn as_ref(&self) -> &str {
        match self {
            Self::Plain(text) => text,
            Self::Message(message) => message,
        }
    }
}

impl Message {
    /// A text of the sources, as it was formatted with what fills its holes; see `message!`.
    pub fn formatted(text: &'static str, english: fmt::Arguments<'_>) -> Self {
        let mut writer = Writer::default();
        // Nothing that is formatted for a message fails; what was written until then would stand.
        let _ = writer.write_fmt(english);
        Self::of(writer.english, Form::Text(text, writer.chunks))
    }

    /// A name, a figure, words of a file or of another program: the same in every language.
    pub fn verbatim(text: impl Into<String>) -> Self {
        Self::of(text.into(), Form::Verbatim)
    }

    /// What another program says, such as the operating system or the parser of TOML.
    pub fn foreign(text: impl Into<String>) -> Self {
        Self::of(text.into(), Form::Foreign)
    }

    /// A text of rules, which may be in other languages as well.
    pub fn of_rules(english: impl Into<String>, others: SortedMap<Language, String>) -> Self {
        Self::of(english.into(), Form::OfRules(others))
    }

    /// Messages one behind the other, with a text of the sources between each two.
    pub fn list<M: Into<Message>>(messages: impl IntoIterator<Item = M>, between: &'static str) -> Self {
        let mut parts: Vec<Message> = Vec::new();
        for message in messages {
            if !parts.is_empty() {
                parts.push(between.into());
            }
            parts.push(message.into());
        }
        Self::joined(parts)
    }

    /// Messages one behind the other.
    pub fn joined(parts: impl IntoIterator<Item = Message>) -> Self {
        let mut parts: Vec<Message> = parts.into_iter().collect();
        match parts.len() {
            1 => parts.swap_remove(0),
            _ => Self::of(parts.iter().map(Message::as_str).collect(), Form::Joined(parts)),
        }
    }

    /// A number with its noun: `1 game`, `2 games`; `what` is the singular.
    pub fn counted(number: usize, what: &str) -> Self {
        Self::counted_as(number.to_string(), number == 1, what)
    }

    /// As [`counted`](Self::counted), for a number that is written with separators.
    pub fn counted_as(number: String, is_one: bool, what: &str) -> Self {
        let noun = format!("{what}{}", if is_one { "" } else { "s" });
        Self::of(format!("{number} {noun}"), Form::Counted(number, noun))
    }

    fn of(english: String, form: Form) -> Self {
        Self(Arc::new(Inner { english, form }))
    }

    /// The text in English.
    pub fn as_str(&self) -> &str {
        &self.0.english
    }

    /// The text in the language that is [spoken](super::speak); in English where the catalogue lacks it.
    pub fn told(&self) -> Cow<'_, str> {
        self.told_in(spoken())
    }

    /// The text in a language; in English where the catalogue lacks it.
    pub fn told_in(&self, language: Language) -> Cow<'_, str> {
        let in_catalogue = language.catalogue().and_then(|catalogue| self.translation(catalogue));
        in_catalogue.map_or(Cow::Borrowed(self.as_str()), Cow::Owned)
    }

    /// The translation; `None` where there is none, or it is the same.
    fn translation(&self, catalogue: &Catalogue) -> Option<String> {
        match &self.0.form {
            Form::Verbatim => None,
            Form::Foreign => catalogue.exact.get(self.as_str()).cloned(),
            Form::OfRules(others) => others.get(&catalogue.language).cloned(),
            Form::Joined(parts) => {
                let part = |part: &Message| part.translation(catalogue).unwrap_or_else(|| part.as_str().to_owned());
                Some(parts.iter().map(part).collect())
            }
            Form::Counted(number, noun) => catalogue.exact.get(self.as_str()).cloned().or_else(|| {
                let template = catalogue.templates.get(*catalogue.by_noun.get(noun)?)?;
                Some(template.filled(&[number]))
            }),
            // A text that is no format has braces that stand for themselves.
            Form::Text(text, chunks) => match catalogue.by_text.get(*text).filter(|_| !chunks.is_empty()) {
                Some(&number) => filled(catalogue.templates.get(number)?, chunks, catalogue),
                None => catalogue.exact.get(*text).cloned().or_else(|| {
                    let has_message = chunks.iter().any(|chunk| matches!(chunk, Chunk::Message(_)));
                    has_message.then(|| chunks.iter().map(|chunk| chunk.told(catalogue)).collect())
                }),
            },
        }
    }
}

/// The translation of a text with holes; `None` where the chunks are not those of the template.
fn filled(template: &Template, chunks: &[Chunk], catalogue: &Catalogue) -> Option<String> {
    let content = |hole: &[Chunk]| -> String { hole.iter().map(|chunk| chunk.told(catalogue)).collect() };
    let holes: Vec<String> = template.holes_among(chunks)?.into_iter().map(content).collect();
    Some(template.filled(&holes))
}

/// Writes a text, and notes the chunks in which it comes.
#[derive(Default)]
struct Writer {
    english: String,
    chunks: Vec<Chunk>,
}

impl fmt::Write for Writer {
    fn write_str(&mut self, chunk: &str) -> fmt::Result {
        self.english.push_str(chunk);
        // Of a message that writes itself, the very text comes here.
        let message = reader::take_written().filter(|message| std::ptr::eq(message.as_str(), chunk));
        self.chunks.push(message.map_or_else(|| Chunk::Plain(chunk.to_owned()), Chunk::Message));
        Ok(())
    }
}

impl fmt::Display for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        reader::note_written(self);
        formatter.write_str(self)
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}

impl std::error::Error for Message {}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

/// What is read is its English text, which stays as it is.
impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::verbatim)
    }
}

impl Default for Message {
    fn default() -> Self {
        "".into()
    }
}

impl From<&'static str> for Message {
    fn from(text: &'static str) -> Self {
        Self::of(text.to_owned(), Form::Text(text, Vec::new()))
    }
}

impl Deref for Message {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<T: AsRef<str> + ?Sized> PartialEq<T> for Message {
    fn eq(&self, other: &T) -> bool {
        self.as_str() == other.as_ref()
    }
}

impl Eq for Message {}

impl AsRef<str> for Message {
    fn as_ref(&self) -> &str {
        self
    }
}

impl std::borrow::Borrow<str> for Message {
    fn borrow(&self) -> &str {
        self
    }
}

impl PartialOrd for Message {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Message {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other)
    }
}

/// Formats like [`format!`], into a [`Message`]: what fills its holes stays as it is, unless it is a message itself.
#[macro_export]
macro_rules! message {
    ($text:literal $($hole:tt)*) => { $crate::catalogue::Message::formatted($text, format_args!($text $($hole)*)) };
}
pub use message;

#[cfg(test)]
mod tests {
    use super::*;

    /// A message within other text.
    struct InBrackets<'m>(&'m Message);

    impl fmt::Display for InBrackets<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "[{}]", self.0)
        }
    }

    fn japanese(message: &Message) -> String {
        message.told_in(Language::Japanese).into_owned()
    }

    #[test]
    fn a_message_in_a_hole_is_translated_and_a_name_is_not() {
        // A literal would become a part of the text.
        let (number, name) = (4, "hand");
        let owner = message!("`{name}` belongs to a player: `p.{name}`");
        assert_eq!(owner, "`hand` belongs to a player: `p.hand`");
        let outer = message!("input line {number}: {}", owner);
        assert_eq!(outer, "input line 4: `hand` belongs to a player: `p.hand`");
        assert_eq!(japanese(&outer), format!("入力の4行目：{}", japanese(&owner)));
        // Braces of a text that is no format.
        let code = Message::from("put the value into a text: `${value}`, in backticks");
        assert!(japanese(&code).contains("`${value}`") && !japanese(&code).contains("put"), "{}", japanese(&code));
        // The same words as a name, and as a message.
        assert_eq!(japanese(&message!("{} is out of play", Message::verbatim("the game"))), "the game は場の外です");
        // A piece of a larger text that holds a message.
        let several = message!("input line {number}: {}", InBrackets(&owner));
        assert_eq!(japanese(&several), format!("入力の4行目：[{}]", japanese(&owner)));
    }

    #[test]
    fn lists_and_counts_are_written_as_the_language_does() {
        let listed = Message::list(["`a`", "`b`"].map(Message::verbatim), " and ");
        assert_eq!((&*listed, &*japanese(&listed)), ("`a` and `b`", "`a`、`b`"));
        let joined = Message::joined(["no cards left".into(), "; ".into(), Message::verbatim("deal")]);
        assert_eq!(joined, "no cards left; deal");
        assert_eq!([1, 2].map(|number| Message::counted(number, "game").to_string()), ["1 game", "2 games"]);
        assert_ne!(japanese(&Message::counted(2, "game")), "2 games");
    }

    #[test]
    fn a_message_is_its_english_text_for_programs() {
        let count = 3;
        let message = message!("there are {}", count);
        assert_eq!(serde_json::to_string(&message).ok().as_deref(), Some("\"there are 3\""));
        let read: Option<Message> = serde_json::from_str("\"there are 3\"").ok();
        assert_eq!(read, Some(message));
    }
}
