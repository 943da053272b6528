//! Declarative arguments of commands.
//!
//! A command has one or several [`Signature`]s. Each is a row of arguments with a function that takes their values. The
//! usage line, completions, parsed values and error messages all come from these rows; no command parses its line
//! itself.

use super::{Candidate, Flow};
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::session::Session;
use std::ops::Range;

/// Most words tried as a name with blanks.
const MAX_WORDS_PER_NAME: usize = 16;

/// One form of a command: its arguments, and the function that runs it with their values.
pub(super) struct Signature<A: Arguments>(
    pub(super) A,
    pub(super) fn(&mut Session, A::Values) -> Result<Flow, Diagnostics>,
);

/// A signature with arguments of any types.
pub(super) trait AnySignature: Sync {
    /// The arguments, in order.
    fn arguments(&self) -> Vec<&dyn Argument>;

    /// Runs the command with the texts of the arguments, each of which fits.
    fn run(&self, session: &mut Session, texts: &Texts<'_>) -> Result<Flow, Diagnostics>;
}

/// The texts of each argument of a signature: several where it is repeated, none where it is omitted.
pub(super) type Texts<'t> = [Vec<&'t str>];

impl<A: Arguments + Sync> AnySignature for Signature<A> {
    fn arguments(&self) -> Vec<&dyn Argument> {
        self.0.list()
    }

    fn run(&self, session: &mut Session, texts: &Texts<'_>) -> Result<Flow, Diagnostics> {
        match self.0.values(session, texts) {
            Ok(values) => (self.1)(session, values),
            Err(ArgumentError::Because(error)) => Err(error),
            Err(ArgumentError::Other) => Err(Diagnostic::new("the command is not written like this").into()),
        }
    }
}

/// The arguments of a signature, as a tuple.
pub(super) trait Arguments {
    /// The parsed values.
    type Values;

    /// The arguments, in order.
    fn list(&self) -> Vec<&dyn Argument>;

    /// Parses the texts of the arguments.
    fn values(&self, session: &Session, texts: &Texts<'_>) -> Result<Self::Values, ArgumentError>;
}

macro_rules! arguments {
    ($($argument:ident $place:tt),*) => {
        #[allow(unused_variables, clippy::unused_unit, reason = "there can be none")]
        impl<$($argument: ParseArgument),*> Arguments for ($($argument,)*) {
            type Values = ($($argument::Value,)*);

            fn list(&self) -> Vec<&dyn Argument> {
                vec![$(&self.$place),*]
            }

            fn values(&self, session: &Session, texts: &Texts<'_>) -> Result<Self::Values, ArgumentError> {
                Ok(($(self.$place.value(session, texts.get($place).map_or(&[][..], Vec::as_slice))?,)*))
            }
        }
    };
}

arguments!();
arguments!(A 0);
arguments!(A 0, B 1);
arguments!(A 0, B 1, C 2);
arguments!(A 0, B 1, C 2, D 3);
arguments!(A 0, B 1, C 2, D 3, E 4);
arguments!(A 0, B 1, C 2, D 3, E 4, F 5);

/// An argument of a signature: its shape and its count.
pub(super) trait Argument: Sync {
    /// The shape of its texts.
    fn shape(&self) -> &dyn AnyShape;

    /// How many times it may occur.
    fn count(&self) -> Count {
        Count::One
    }
}

/// An argument that is parsed to a value.
pub(super) trait ParseArgument: Argument {
    type Value;

    /// Parses the texts of the argument.
    fn value(&self, session: &Session, texts: &[&str]) -> Result<Self::Value, ArgumentError>;
}

/// How many times an argument may occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    One,
    Optional,
    Any,
    OneOrMore,
}

impl Count {
    pub(super) fn may_be_missing(self) -> bool {
        matches!(self, Self::Optional | Self::Any)
    }

    pub(super) fn repeats(self) -> bool {
        matches!(self, Self::Any | Self::OneOrMore)
    }
}

/// The shape of an argument, for any type of value.
pub(super) trait AnyShape: Sync {
    /// Its name in the usage of a command.
    fn name(&self) -> String;

    /// Its names in error messages.
    fn in_words(&self) -> Vec<Message>;

    /// All allowed words, where only these are possible; otherwise empty.
    fn words(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// A keyword that has to precede it: `if`, `--set`.
    fn lead(&self) -> Option<&'static str> {
        None
    }

    /// The extent of its text.
    fn extent(&self) -> Extent;

    /// The possible ends of its text at the start of `text`, the nearest first.
    fn ends(&self, text: &str, is_last: bool) -> Vec<usize>;

    /// Checks whether a text fits.
    fn check(&self, session: &Session, text: &str) -> Result<(), ArgumentError>;

    /// The completions for it.
    fn complete(&self, session: &Session, before: &BeforeCursor<'_>) -> Vec<Candidate>;
}

/// The extent of an argument's text in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Word,
    /// A word that also ends before `=`.
    Key,
    /// A name, which may contain blanks.
    Name,
    /// Several words, each completed by itself.
    Phrase,
    /// The rest of the line.
    Rest,
    /// The rest of the line, as an expression of the rules' language.
    Expression,
}

/// Why a text does not fit an argument.
pub(super) enum ArgumentError {
    /// It is something else.
    Other,
    /// It has the right form, but is not possible here.
    Because(Diagnostics),
}

impl<E: Into<Diagnostics>> From<E> for ArgumentError {
    fn from(error: E) -> Self {
        Self::Because(error.into())
    }
}

/// The text before the cursor.
pub(super) struct BeforeCursor<'t> {
    /// The texts of the arguments before.
    pub(super) arguments: Vec<&'t str>,
    /// The words of the argument at the cursor.
    pub(super) words: &'t str,
}

/// The shape of an argument: its completions and its parser.
pub(super) struct Shape<T> {
    /// Its name in the usage of a command: `ZONE`.
    pub(super) name: &'static str,
    /// Its name in error messages: `a zone`.
    pub(super) what: &'static str,
    /// A keyword that has to precede it; may be empty.
    pub(super) lead: &'static str,
    /// The extent of its text.
    pub(super) extent: Extent,
    /// Parses a text.
    pub(super) read: fn(&Session, &str) -> Result<T, ArgumentError>,
    /// The completions for it.
    pub(super) complete: fn(&Session, &BeforeCursor<'_>) -> Vec<Candidate>,
}

impl<T> Shape<T> {
    /// This shape with another name in the usage.
    pub(super) const fn called(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// The text behind the leading keyword; `None` if that is missing.
    fn behind_lead<'t>(&self, text: &'t str) -> Option<&'t str> {
        let rest = text.strip_prefix(self.lead)?;
        (self.lead.is_empty() || rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
    }

    fn read(&self, session: &Session, text: &str) -> Result<T, ArgumentError> {
        match self.behind_lead(text).ok_or(ArgumentError::Other)? {
            "" => Err(Diagnostic::new(message!("something is missing behind `{}`", self.lead)).into()),
            text => (self.read)(session, text),
        }
    }
}

impl<T> AnyShape for Shape<T> {
    fn name(&self) -> String {
        format!("{} {}", self.lead, self.name).trim_start().to_owned()
    }

    fn in_words(&self) -> Vec<Message> {
        vec![self.what.into()]
    }

    fn lead(&self) -> Option<&'static str> {
        Some(self.lead).filter(|lead| !lead.is_empty())
    }

    fn extent(&self) -> Extent {
        self.extent
    }

    fn ends(&self, text: &str, is_last: bool) -> Vec<usize> {
        let Some(inner) = self.behind_lead(text) else { return Vec::new() };
        let lead = text.len() - inner.len();
        let first = |ends: fn(char) -> bool| vec![lead + inner.find(ends).unwrap_or(inner.len())];
        match self.extent {
            Extent::Word => first(char::is_whitespace),
            Extent::Key => first(|letter| letter.is_whitespace() || letter == '='),
            Extent::Name | Extent::Phrase if !is_last => {
                let ends = words(inner).map(|word| word.end).take(MAX_WORDS_PER_NAME).chain([inner.len()]);
                let mut ends: Vec<usize> = ends.map(|end| lead + end).collect();
                ends.dedup();
                ends
            }
            _ => vec![text.len()],
        }
    }

    fn check(&self, session: &Session, text: &str) -> Result<(), ArgumentError> {
        self.read(session, text).map(drop)
    }

    fn complete(&self, session: &Session, before: &BeforeCursor<'_>) -> Vec<Candidate> {
        let words = before.words;
        if self.lead.is_empty() {
            return (self.complete)(session, before);
        }
        match self.behind_lead(words) {
            Some(words) => (self.complete)(session, &BeforeCursor { arguments: before.arguments.clone(), words }),
            None => vec![Candidate::new(self.lead, self.what)],
        }
    }
}

impl<T> Argument for Shape<T> {
    fn shape(&self) -> &dyn AnyShape {
        self
    }
}

impl<T> ParseArgument for Shape<T> {
    type Value = T;

    fn value(&self, session: &Session, texts: &[&str]) -> Result<T, ArgumentError> {
        texts.first().map_or(Err(ArgumentError::Other), |text| self.read(session, text))
    }
}

/// One of several keywords, each with a description and its value.
pub(super) struct OneOf<T, const N: usize>(pub(super) [(&'static str, &'static str, T); N]);

/// A fixed keyword, with a description.
pub(super) const fn word(word: &'static str, about: &'static str) -> OneOf<(), 1> {
    OneOf([(word, about, ())])
}

impl<T: Clone, const N: usize> OneOf<T, N> {
    fn meant(&self, text: &str) -> Option<T> {
        self.0.iter().find(|(word, ..)| *word == text).map(|(.., value)| value.clone())
    }
}

impl<T: Clone + Sync, const N: usize> AnyShape for OneOf<T, N> {
    fn name(&self) -> String {
        self.words().join("|")
    }

    fn in_words(&self) -> Vec<Message> {
        self.0.iter().map(|(word, ..)| Message::verbatim(format!("`{word}`"))).collect()
    }

    fn words(&self) -> Vec<&'static str> {
        self.0.iter().map(|(word, ..)| *word).collect()
    }

    fn extent(&self) -> Extent {
        Extent::Word
    }

    fn ends(&self, text: &str, _: bool) -> Vec<usize> {
        // `with rules` is a keyword of two words.
        let is_whole = |word: &str| text.strip_prefix(word).is_some_and(is_boundary);
        let found = self.0.iter().map(|(word, ..)| *word).find(|word| is_whole(word));
        vec![found.map_or_else(|| words(text).next().map_or(text.len(), |word| word.end), str::len)]
    }

    fn check(&self, _: &Session, text: &str) -> Result<(), ArgumentError> {
        self.meant(text).map(drop).ok_or(ArgumentError::Other)
    }

    fn complete(&self, _: &Session, _: &BeforeCursor<'_>) -> Vec<Candidate> {
        self.0.iter().map(|(word, about, _)| Candidate::new(*word, *about)).collect()
    }
}

impl<T: Clone + Sync, const N: usize> Argument for OneOf<T, N> {
    fn shape(&self) -> &dyn AnyShape {
        self
    }
}

impl<T: Clone + Sync, const N: usize> ParseArgument for OneOf<T, N> {
    type Value = T;

    fn value(&self, _: &Session, texts: &[&str]) -> Result<T, ArgumentError> {
        texts.first().and_then(|text| self.meant(text)).ok_or(ArgumentError::Other)
    }
}

/// An optional keyword, read as whether it is present.
pub(super) struct Flag(OneOf<(), 1>);

/// An optional keyword, with a description.
pub(super) const fn flag(word: &'static str, about: &'static str) -> Flag {
    Flag(OneOf([(word, about, ())]))
}

impl Argument for Flag {
    fn shape(&self) -> &dyn AnyShape {
        &self.0
    }

    fn count(&self) -> Count {
        Count::Optional
    }
}

impl ParseArgument for Flag {
    type Value = bool;

    fn value(&self, _: &Session, texts: &[&str]) -> Result<bool, ArgumentError> {
        Ok(!texts.is_empty())
    }
}

/// An argument that may be omitted.
pub(super) struct Optional<A>(pub(super) A);

impl<A: Argument> Argument for Optional<A> {
    fn shape(&self) -> &dyn AnyShape {
        self.0.shape()
    }

    fn count(&self) -> Count {
        Count::Optional
    }
}

impl<A: ParseArgument> ParseArgument for Optional<A> {
    type Value = Option<A::Value>;

    fn value(&self, session: &Session, texts: &[&str]) -> Result<Self::Value, ArgumentError> {
        texts.first().map(|text| self.0.value(session, &[text])).transpose()
    }
}

/// An argument that may occur any number of times.
pub(super) struct Any<A>(pub(super) A);

/// An argument that occurs once or more.
pub(super) struct OneOrMore<A>(pub(super) A);

macro_rules! repeated {
    ($name:ident) => {
        impl<A: Argument> Argument for $name<A> {
            fn shape(&self) -> &dyn AnyShape {
                self.0.shape()
            }

            fn count(&self) -> Count {
                Count::$name
            }
        }

        impl<A: ParseArgument> ParseArgument for $name<A> {
            type Value = Vec<A::Value>;

            fn value(&self, session: &Session, texts: &[&str]) -> Result<Self::Value, ArgumentError> {
                texts.iter().map(|text| self.0.value(session, &[text])).collect()
            }
        }
    };
}

repeated!(Any);
repeated!(OneOrMore);

/// The usage of a row of arguments.
fn written(arguments: &[&dyn Argument]) -> String {
    let one = |argument: &&dyn Argument| {
        let name = argument.shape().name();
        match argument.count() {
            Count::One => name,
            Count::Optional => format!("[{name}]"),
            Count::Any if argument.shape().lead().is_some() => format!("[{name}]…"),
            Count::Any => format!("[{name}…]"),
            Count::OneOrMore => format!("{name}…"),
        }
    };
    arguments.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// The usage of the arguments of several signatures; in brackets where all can be omitted.
pub(super) fn written_together<'f>(signatures: impl Iterator<Item = Vec<&'f dyn Argument>>) -> String {
    let signatures: Vec<Vec<&dyn Argument>> = signatures.collect();
    let can_be_empty =
        |signature: &Vec<&dyn Argument>| signature.iter().all(|argument| argument.count().may_be_missing());
    let given: Vec<&Vec<&dyn Argument>> = signatures.iter().filter(|signature| !signature.is_empty()).collect();
    match *given {
        [] => return String::new(),
        [only] if signatures.len() == 1 || can_be_empty(only) => return written(only),
        _ => {}
    }
    let names = |signature: &&Vec<&dyn Argument>| match ***signature {
        [argument] if argument.count() == Count::Optional => argument.shape().name(),
        _ => written(signature),
    };
    let between = if given.iter().all(|signature| signature.len() == 1) { "|" } else { " | " };
    let text = given.iter().map(names).collect::<Vec<_>>().join(between);
    if signatures.iter().any(can_be_empty) { format!("[{text}]") } else { text }
}

/// The usage line of a command with these signatures.
pub(super) fn usage(name: &str, signatures: &[&dyn AnySignature]) -> String {
    format!("{name} {}", written_together(signatures.iter().map(|signature| signature.arguments())))
        .trim_end()
        .to_owned()
}

/// The byte range of each word in a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut letters = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while letters.next_if(|(_, letter)| letter.is_whitespace()).is_some() {}
        let start = letters.peek()?.0;
        while letters.next_if(|(_, letter)| !letter.is_whitespace()).is_some() {}
        Some(start..letters.peek().map_or(text.len(), |(end, _)| *end))
    })
}

/// Whether a word can end before `rest`.
pub(super) fn is_boundary(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(char::is_whitespace)
}
