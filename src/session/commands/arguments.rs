//! What may stand behind the name of a command, declared as data.
//!
//! A command can be written in one or several ways. Each [`Signature`] is a row of arguments and what is done with their
//! values. From these rows come the line that says how a command is written, what can be typed next, the values, and
//! what is said about a line that fits no signature. No command takes apart what was typed.

use super::{Candidate, Flow};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::session::Session;
use std::ops::Range;

/// A name with blanks in it is looked for up to so many words.
const MOST_WORDS: usize = 16;

/// One way to write a command: its arguments, and what is done with their values.
pub(super) struct Signature<A: Arguments>(
    pub(super) A,
    pub(super) fn(&mut Session, A::Values) -> Result<Flow, Diagnostics>,
);

/// A signature, whatever its arguments are.
pub(super) trait AnySignature: Sync {
    /// What stands behind the name of the command, in order.
    fn arguments(&self) -> Vec<&dyn Argument>;

    /// Does what is to be done with the texts of the arguments, each of which fits.
    fn run(&self, session: &mut Session, texts: &Texts<'_>) -> Result<Flow, Diagnostics>;
}

/// For each argument of a signature its texts: several where it can be repeated, none where it was left out.
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

/// The arguments of a signature: a tuple.
pub(super) trait Arguments {
    /// What they are read as.
    type Values;

    /// All of them, in order.
    fn list(&self) -> Vec<&dyn Argument>;

    /// What their texts mean.
    fn values(&self, session: &Session, texts: &Texts<'_>) -> Result<Self::Values, ArgumentError>;
}

macro_rules! arguments {
    ($($argument:ident $place:tt),*) => {
        #[allow(unused_variables, clippy::unused_unit, reason = "there can be none")]
        impl<$($argument: Read),*> Arguments for ($($argument,)*) {
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

/// An argument of a signature: what it can be, and how often.
pub(super) trait Argument: Sync {
    /// What it can be.
    fn shape(&self) -> &dyn AnyShape;

    /// How often it stands there.
    fn count(&self) -> Count {
        Count::One
    }
}

/// An argument that is read as a value.
pub(super) trait Read: Argument {
    type Value;

    /// What its texts mean.
    fn value(&self, session: &Session, texts: &[&str]) -> Result<Self::Value, ArgumentError>;
}

/// How often an argument stands in a line.
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

/// What an argument can be, whatever it is read as.
pub(super) trait AnyShape: Sync {
    /// How it is written in the usage of a command.
    fn name(&self) -> String;

    /// What it is called in a message about something that is none.
    fn in_words(&self) -> Vec<String>;

    /// The words that it can be, where it can be no other.
    fn words(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The word that has to stand before it: `if`, `--set`.
    fn lead(&self) -> Option<&'static str> {
        None
    }

    /// How much of a line it is.
    fn extent(&self) -> Extent;

    /// Where it can end in a text that it begins, the nearest first.
    fn ends(&self, text: &str, is_last: bool) -> Vec<usize>;

    /// Whether it can be a text.
    fn check(&self, session: &Session, text: &str) -> Result<(), ArgumentError>;

    /// What can be typed for it.
    fn complete(&self, session: &Session, before: &BeforeCursor<'_>) -> Vec<Candidate>;
}

/// How much of a line an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Word,
    /// A word that ends before `=` too.
    Key,
    /// A name, which can have blanks in it.
    Name,
    /// Words, each of which is completed by itself.
    Phrase,
    /// The rest of the line.
    Rest,
    /// The rest of the line, in the rules' language.
    Expression,
}

/// Why a text is not what an argument can be.
pub(super) enum ArgumentError {
    /// It is something else.
    Other,
    /// It is such a thing, and cannot be meant here.
    Because(Diagnostics),
}

impl<E: Into<Diagnostics>> From<E> for ArgumentError {
    fn from(error: E) -> Self {
        Self::Because(error.into())
    }
}

/// What was typed before the cursor.
pub(super) struct BeforeCursor<'t> {
    /// The arguments before.
    pub(super) arguments: Vec<&'t str>,
    /// Words of the argument itself.
    pub(super) words: &'t str,
}

/// The shape of an argument: what can be typed for it, and what that is read as.
pub(super) struct Shape<T> {
    /// How it is written in the usage of a command: `ZONE`.
    pub(super) name: &'static str,
    /// What it is called in a message about something that is none: `a zone`.
    pub(super) what: &'static str,
    /// The word that has to stand before it; may be empty.
    pub(super) lead: &'static str,
    /// How much of a line it is.
    pub(super) extent: Extent,
    /// What a text means.
    pub(super) read: fn(&Session, &str) -> Result<T, ArgumentError>,
    /// What can be typed.
    pub(super) complete: fn(&Session, &BeforeCursor<'_>) -> Vec<Candidate>,
}

impl<T> Shape<T> {
    /// The same under another name in the usage.
    pub(super) const fn called(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// What stands behind the leading word; nothing where that is not there.
    fn behind_lead<'t>(&self, text: &'t str) -> Option<&'t str> {
        let rest = text.strip_prefix(self.lead)?;
        (self.lead.is_empty() || rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
    }

    fn read(&self, session: &Session, text: &str) -> Result<T, ArgumentError> {
        match self.behind_lead(text).ok_or(ArgumentError::Other)? {
            "" => Err(Diagnostic::new(format!("nothing follows `{}`", self.lead)).into()),
            text => (self.read)(session, text),
        }
    }
}

impl<T> AnyShape for Shape<T> {
    fn name(&self) -> String {
        format!("{} {}", self.lead, self.name).trim_start().to_owned()
    }

    fn in_words(&self) -> Vec<String> {
        vec![self.what.to_owned()]
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
                let ends = words(inner).map(|word| word.end).take(MOST_WORDS).chain([inner.len()]);
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

impl<T> Read for Shape<T> {
    type Value = T;

    fn value(&self, session: &Session, texts: &[&str]) -> Result<T, ArgumentError> {
        texts.first().map_or(Err(ArgumentError::Other), |text| self.read(session, text))
    }
}

/// One of some words: each with what it does, and what it is read as.
pub(super) struct OneOf<T, const N: usize>(pub(super) [(&'static str, &'static str, T); N]);

/// A certain word, with what it does.
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

    fn in_words(&self) -> Vec<String> {
        self.0.iter().map(|(word, ..)| format!("`{word}`")).collect()
    }

    fn words(&self) -> Vec<&'static str> {
        self.0.iter().map(|(word, ..)| *word).collect()
    }

    fn extent(&self) -> Extent {
        Extent::Word
    }

    fn ends(&self, text: &str, _: bool) -> Vec<usize> {
        // `with rules` is two words.
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

impl<T: Clone + Sync, const N: usize> Read for OneOf<T, N> {
    type Value = T;

    fn value(&self, _: &Session, texts: &[&str]) -> Result<T, ArgumentError> {
        texts.first().and_then(|text| self.meant(text)).ok_or(ArgumentError::Other)
    }
}

/// A certain word that can be left out: whether it is there.
pub(super) struct Flag(OneOf<(), 1>);

/// A certain word that can be left out, with what it does.
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

impl Read for Flag {
    type Value = bool;

    fn value(&self, _: &Session, texts: &[&str]) -> Result<bool, ArgumentError> {
        Ok(!texts.is_empty())
    }
}

/// An argument that can be left out.
pub(super) struct Optional<A>(pub(super) A);

impl<A: Argument> Argument for Optional<A> {
    fn shape(&self) -> &dyn AnyShape {
        self.0.shape()
    }

    fn count(&self) -> Count {
        Count::Optional
    }
}

impl<A: Read> Read for Optional<A> {
    type Value = Option<A::Value>;

    fn value(&self, session: &Session, texts: &[&str]) -> Result<Self::Value, ArgumentError> {
        texts.first().map(|text| self.0.value(session, &[text])).transpose()
    }
}

/// An argument that can stand there any number of times.
pub(super) struct Any<A>(pub(super) A);

/// An argument that can stand there several times.
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

        impl<A: Read> Read for $name<A> {
            type Value = Vec<A::Value>;

            fn value(&self, session: &Session, texts: &[&str]) -> Result<Self::Value, ArgumentError> {
                texts.iter().map(|text| self.0.value(session, &[text])).collect()
            }
        }
    };
}

repeated!(Any);
repeated!(OneOrMore);

/// How a row of arguments is written.
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

/// How the arguments of several signatures are written; in brackets where all can be left out.
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

/// How a command with these signatures is written.
pub(super) fn usage(name: &str, signatures: &[&dyn AnySignature]) -> String {
    format!("{name} {}", written_together(signatures.iter().map(|signature| signature.arguments())))
        .trim_end()
        .to_owned()
}

/// How much of a line each argument of some signatures is.
pub(super) fn extents<'f>(signatures: &'f [&'f dyn AnySignature]) -> impl Iterator<Item = Extent> + 'f {
    signatures.iter().flat_map(|signature| signature.arguments()).map(|argument| argument.shape().extent())
}

/// Where each word of a text stands.
pub(super) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut letters = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while letters.next_if(|(_, letter)| letter.is_whitespace()).is_some() {}
        let start = letters.peek()?.0;
        while letters.next_if(|(_, letter)| !letter.is_whitespace()).is_some() {}
        Some(start..letters.peek().map_or(text.len(), |(end, _)| *end))
    })
}

/// Whether a word ends before this text.
pub(super) fn is_boundary(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(char::is_whitespace)
}
