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

/// Most ways to split a line into arguments that are tried: names that begin each other allow any number.
const MOST_TRIES: usize = 10_000;

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
    /// The value.
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
    fn may_be_missing(self) -> bool {
        matches!(self, Self::Optional | Self::Any)
    }

    fn repeats(self) -> bool {
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
    fn complete(&self, session: &Session, before: &Before<'_>) -> Vec<Candidate>;
}

/// How much of a line an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// A word.
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
pub(super) struct Before<'t> {
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
    pub(super) complete: fn(&Session, &Before<'_>) -> Vec<Candidate>,
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

    fn complete(&self, session: &Session, before: &Before<'_>) -> Vec<Candidate> {
        let words = before.words;
        if self.lead.is_empty() {
            return (self.complete)(session, before);
        }
        match self.behind_lead(words) {
            Some(words) => (self.complete)(session, &Before { arguments: before.arguments.clone(), words }),
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

    fn complete(&self, _: &Session, _: &Before<'_>) -> Vec<Candidate> {
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
fn written_together<'f>(signatures: impl Iterator<Item = Vec<&'f dyn Argument>>) -> String {
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

/// Which signature a line has, and the texts of its arguments.
///
/// # Errors
/// It has none, and why: of several reasons the one that is found furthest behind.
pub(super) fn fit<'f, 't>(
    session: &Session,
    signatures: &[&'f dyn AnySignature],
    line: &'t str,
) -> Result<(&'f dyn AnySignature, Vec<Vec<&'t str>>), Misfit<'t>> {
    // What begins with a word of its own is that, unless more stands there than it takes.
    let begins = |signature: &&dyn AnySignature| {
        let words = signature.arguments().first().map_or_else(Vec::new, |first| first.shape().words());
        words.iter().any(|word| line.strip_prefix(word).is_some_and(is_boundary))
    };
    let (worded, others): (Vec<_>, Vec<_>) =
        signatures.iter().copied().enumerate().partition(|(_, signature)| begins(signature));
    let mut misfit: Option<Misfit<'t>> = None;
    for (number, signature) in worded.into_iter().chain(others) {
        let arguments = signature.arguments();
        let mut fitting = Fitting { session, arguments: &arguments, line, texts: Vec::new(), misfit: None, tries: 0 };
        fitting.texts.resize_with(arguments.len(), Vec::new);
        if fitting.fits(0, line) {
            return Ok((signature, fitting.texts));
        }
        let Some(mut found) = fitting.misfit else { continue };
        found.signature = number;
        let is_meant = begins(&signature) && !matches!(found.why, Why::TooMuch);
        misfit = Some(match misfit {
            Some(known) => known.or(found),
            None => found,
        });
        if is_meant {
            break;
        }
    }
    let nothing = Misfit { signature: 0, taken: 0, before: "", found: line, why: Why::TooMuch };
    Err(misfit.unwrap_or(nothing))
}

/// Why a line does not fit.
pub(super) struct Misfit<'t> {
    /// The signature that fits best, by its number.
    pub(super) signature: usize,
    /// How many arguments fit.
    pub(super) taken: usize,
    /// What was typed up to there.
    pub(super) before: &'t str,
    /// What was found there.
    pub(super) found: &'t str,
    /// What is wrong with it.
    pub(super) why: Why,
}

/// What is wrong with an argument.
pub(super) enum Why {
    /// There is one too many.
    TooMuch,
    /// There is none.
    Missing,
    /// It is none of these; and which words it can be.
    Other(Vec<String>, Vec<&'static str>),
    /// It cannot be meant.
    Because(Diagnostics),
}

impl<'t> Misfit<'t> {
    /// Of two reasons the one that is further behind, or says more.
    fn or(self, other: Self) -> Self {
        let weight = |misfit: &Self| {
            let says = match misfit.why {
                Why::TooMuch => 0,
                Why::Missing => 1,
                Why::Other(..) => 2,
                Why::Because(_) => 3,
            };
            (misfit.taken, says)
        };
        match (weight(&self), weight(&other)) {
            (one, two) if one < two => other,
            (one, two) if one == two => self.and(other),
            _ => self,
        }
    }

    /// What is none of these, and none of those.
    fn and(mut self, other: Self) -> Self {
        if let (Why::Other(names, words), Why::Other(more_names, more_words)) = (&mut self.why, other.why) {
            names.extend(more_names.into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
            words.extend(more_words);
        }
        self
    }
}

/// A line that is taken apart.
struct Fitting<'f, 't> {
    session: &'f Session,
    arguments: &'f [&'f dyn Argument],
    line: &'t str,
    texts: Vec<Vec<&'t str>>,
    misfit: Option<Misfit<'t>>,
    tries: usize,
}

impl<'t> Fitting<'_, 't> {
    /// Whether a text fits the arguments from one on.
    fn fits(&mut self, number: usize, mut rest: &'t str) -> bool {
        let Some(argument) = self.arguments.get(number) else {
            if !rest.is_empty() {
                self.fails(rest, rest, Why::TooMuch);
            }
            return rest.is_empty();
        };
        if argument.count().repeats() {
            // Of several there is one way to take them apart.
            while let Some(&end) = ends(self.arguments, number, rest).first()
                && self.takes(number, rest, end)
            {
                rest = rest[end..].trim_start();
            }
        } else {
            for end in ends(self.arguments, number, rest) {
                if self.takes(number, rest, end) {
                    if self.fits(number + 1, rest[end..].trim_start()) {
                        return true;
                    }
                    self.texts[number].pop();
                }
            }
        }
        if argument.count().may_be_missing() || !self.texts[number].is_empty() {
            return self.fits(number + 1, rest);
        }
        if rest.is_empty() {
            self.fails(rest, rest, Why::Missing);
        }
        false
    }

    /// Takes the beginning of a text for an argument, if it can be that.
    fn takes(&mut self, number: usize, rest: &'t str, end: usize) -> bool {
        self.tries += 1;
        let Some(shape) = self.arguments.get(number).map(|argument| argument.shape()) else { return false };
        let text = &rest[..end];
        let why = match shape.check(self.session, text) {
            _ if self.tries > MOST_TRIES => Why::TooMuch,
            Ok(()) => {
                self.texts[number].push(text);
                return true;
            }
            Err(ArgumentError::Other) => Why::Other(shape.in_words(), shape.words()),
            Err(ArgumentError::Because(errors)) => Why::Because(errors),
        };
        self.fails(rest, text, why);
        false
    }

    fn fails(&mut self, rest: &'t str, found: &'t str, why: Why) {
        let before = self.line.get(..self.line.len() - rest.len()).unwrap_or_default().trim_end();
        let found = Misfit { signature: 0, taken: self.texts.iter().map(Vec::len).sum(), before, found, why };
        self.misfit = Some(match self.misfit.take() {
            // What comes next is looked at too, and only the first reading of it is worth telling.
            Some(known) if known.taken == found.taken && matches!(known.why, Why::Because(_)) => known,
            Some(known) => known.or(found),
            None => found,
        });
    }
}

/// Where an argument can end in a text that it begins, the nearest first: before a leading word of those behind it at the
/// latest.
fn ends(arguments: &[&dyn Argument], number: usize, text: &str) -> Vec<usize> {
    let Some((argument, later)) = arguments.get(number..).and_then(<[_]>::split_first) else { return Vec::new() };
    if text.is_empty() {
        return Vec::new();
    }
    let (shape, repeats) = (argument.shape(), argument.count().repeats());
    let own = Some(*argument).filter(|_| repeats);
    let leads: Vec<&str> = later.iter().copied().chain(own).filter_map(|argument| argument.shape().lead()).collect();
    let is_lead = |word: &Range<usize>| leads.contains(&&text[word.clone()]);
    let limit = if leads.is_empty() { None } else { words(text).skip(1).find(is_lead).map(|word| word.start) };
    let text = text[..limit.unwrap_or(text.len())].trim_end();
    // Of what stands there several times, each is a word, or what stands between its leading words.
    if repeats && shape.lead().is_none() {
        return shape.ends(text, false).into_iter().take(1).collect();
    }
    shape.ends(text, later.iter().all(|argument| argument.shape().lead().is_some()))
}

/// Where each word of a text stands.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut letters = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while letters.next_if(|(_, letter)| letter.is_whitespace()).is_some() {}
        let start = letters.peek()?.0;
        while letters.next_if(|(_, letter)| !letter.is_whitespace()).is_some() {}
        Some(start..letters.peek().map_or(text.len(), |(end, _)| *end))
    })
}

fn is_boundary(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(char::is_whitespace)
}

/// What can come next in a line.
#[derive(Default)]
pub(in crate::session) struct Next {
    /// What can be typed.
    pub(in crate::session) candidates: Vec<Candidate>,
    /// What can stand in an expression, where one can stand there.
    pub(in crate::session) names: Vec<Candidate>,
}

/// What can be typed behind the words of a line before the cursor.
pub(super) fn next(session: &Session, signatures: &[&dyn AnySignature], line: &str) -> Next {
    let mut next = Next::default();
    for signature in signatures {
        let arguments = signature.arguments();
        reach(session, &arguments, 0, line, &mut Vec::new(), &mut |number, before| {
            let Some(shape) = arguments.get(number).map(|argument| argument.shape()) else { return };
            let is_lead = shape.lead().is_some() && before.words.is_empty();
            let found = match shape.extent() {
                Extent::Expression if !is_lead => &mut next.names,
                _ => &mut next.candidates,
            };
            for candidate in shape.complete(session, &before) {
                if !found.contains(&candidate) {
                    found.push(candidate);
                }
            }
        });
    }
    next
}

/// How what is still to be typed is written; nothing where the line is at its end, or fits no signature.
pub(super) fn rest_of_usage(session: &Session, signatures: &[&dyn AnySignature], line: &str) -> Option<String> {
    let mut rests: Vec<Vec<&dyn Argument>> = Vec::new();
    for signature in signatures {
        let arguments = signature.arguments();
        let mut from: Option<usize> = None;
        reach(session, &arguments, 0, line, &mut Vec::new(), &mut |number, before| {
            if before.words.is_empty() {
                from = Some(from.map_or(number, |known| known.min(number)));
            }
        });
        rests.extend(from.map(|from| arguments.into_iter().skip(from).collect()));
    }
    let text = written_together(rests.into_iter());
    Some(text).filter(|text| !text.is_empty())
}

/// Tells every argument that the cursor can stand at behind a text, by its number.
fn reach<'t>(
    session: &Session,
    arguments: &[&dyn Argument],
    number: usize,
    mut rest: &'t str,
    before: &mut Vec<&'t str>,
    tell: &mut impl FnMut(usize, Before<'t>),
) {
    let Some(argument) = arguments.get(number) else { return };
    let (shape, repeats) = (argument.shape(), argument.count().repeats());
    let earlier = before.len();
    for end in ends(arguments, number, rest) {
        if shape.check(session, &rest[..end]).is_ok() && !repeats {
            before.push(&rest[..end]);
            reach(session, arguments, number + 1, rest[end..].trim_start(), before, tell);
            before.pop();
        }
    }
    while repeats
        && let Some(&end) = ends(arguments, number, rest).first()
        && shape.check(session, &rest[..end]).is_ok()
    {
        before.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    let is_inside = match shape.lead() {
        Some(lead) => {
            rest == lead || shape.extent() == Extent::Expression && rest.strip_prefix(lead).is_some_and(is_boundary)
        }
        None => matches!(shape.extent(), Extent::Phrase | Extent::Expression),
    };
    if rest.is_empty() || is_inside {
        tell(number, Before { arguments: before.clone(), words: rest });
    }
    if argument.count().may_be_missing() || before.len() > earlier {
        reach(session, arguments, number + 1, rest, before, tell);
    }
    before.truncate(earlier);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::shapes::{EXPRESSION, NAME, number};
    use super::*;
    use crate::definition::{Language, Library};
    use crate::files::Memory;
    use crate::games::small;
    use crate::playthrough::{Playable, Playthrough};
    use crate::screen::style::Line;
    use crate::session::commands::{COMMANDS, Command, USUAL};
    use crate::session::surroundings::Nowhere;
    use std::fmt::Debug;
    use std::sync::Arc;

    const WORD: Shape<String> = Shape { name: "WORD", extent: Extent::Word, ..NAME };

    /// A command that tells how it understood what was typed.
    const ACT: Command = Command {
        name: "act",
        examples: &["act 3", "act give one two"],
        signatures: &[
            &Signature((Optional(number("N", "a whole number of times")),), |_, (count,)| told(&count)),
            &Signature((OneOf([("on", "as it was", true), ("off", "not any more", false)]),), |_, (is_on,)| {
                told(&is_on)
            }),
            &Signature((word("give", "to some"), WORD, OneOrMore(WORD)), |_, ((), one, more)| told(&(one, more))),
            &Signature((word("call", "it so"), NAME, flag("at once", "now")), |_, ((), name, now)| told(&(name, now))),
            &Signature(
                (word("stop", "there"), NAME, Optional(Shape { lead: "if", ..EXPRESSION })),
                |_, ((), at, so)| told(&(at, so)),
            ),
            &Signature((word("lay", "it on"), NAME, Any(Shape { lead: "--set", ..NAME })), |_, ((), name, set)| {
                told(&(name, set))
            }),
        ],
        ..USUAL
    };

    fn told(value: &impl Debug) -> Result<Flow, Diagnostics> {
        Ok(Flow::Show(vec![Line::plain(format!("{value:?}"))]))
    }

    fn session() -> Session {
        let definition = "id = 'small'\nname = 'Small'\nplayers = { min = 2, max = 2 }\n";
        let ruleset = small(definition, "fn game() { players[1].may(\"go\"); }", &[], &[]);
        let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
        let (playthrough, _) = Playthrough::start(loaded, 2, 1, Vec::new()).unwrap();
        let library = Library::of(Arc::new(Memory::new([("", ""); 0])), Vec::new());
        Session::new(playthrough, library, Language::English, Arc::default(), Arc::new(Nowhere))
    }

    /// What a line comes to: the values, or what is said about it.
    fn typed(line: &str) -> String {
        match ACT.run(&mut session(), line) {
            Ok(Flow::Show(lines)) => lines.iter().map(Line::text).collect(),
            Ok(flow) => format!("{flow:?}"),
            Err(errors) => format!("{}; {}", errors.first().message, errors.first().help.join("; ")),
        }
    }

    #[test]
    fn the_usage_comes_from_the_signatures() {
        assert_eq!(
            ACT.usage(),
            "act [N | on|off | give WORD WORD… | call NAME [at once] | stop NAME [if EXPRESSION] | lay NAME [--set NAME]…]"
        );
    }

    #[test]
    fn a_line_is_taken_apart_as_it_was_meant() {
        for (line, values) in [
            ("", "None"),
            ("7", "Some(7)"),
            ("off", "false"),
            ("give a  b c", r#"("a", ["b", "c"])"#),
            // Names can have blanks in them.
            ("call my own name", r#"("my own name", false)"#),
            ("call my own name at once", r#"("my own name", true)"#),
            ("call me at", r#"("me at", false)"#),
            ("stop here", r#"("here", None)"#),
            ("stop right here if a ==  \" b\"", r#"("right here", Some("a ==  \" b\""))"#),
            ("lay it", r#"("it", [])"#),
            ("lay my own.toml --set a=1 --set b=[1, 2]", r#"("my own.toml", ["a=1", "b=[1, 2]"])"#),
        ] {
            assert_eq!(typed(line), values, "{line}");
        }
    }

    #[test]
    fn a_line_that_fits_nothing_is_told_what_is_wrong_with_it() {
        let write = format!("write `{}`", ACT.usage());
        for (line, told) in [
            (
                "offf",
                "`offf` is not a whole number of times, `on`, `off`, `give`, `call`, `stop` or `lay`; did you mean `off`?",
            ),
            (
                "2.5",
                &format!("`2.5` is not a whole number of times, `on`, `off`, `give`, `call`, `stop` or `lay`; {write}"),
            ),
            ("3 4", &format!("`act 3` takes nothing after it; {write}")),
            ("on now", &format!("`act on` takes nothing after it; {write}")),
            ("give a", "write `act give WORD WORD…`; for example `act give one two`"),
            ("call", "write `act call NAME [at once]`; "),
            ("stop here if", &format!("nothing follows `if`; {write}")),
            ("lay it --set", &format!("nothing follows `--set`; {write}")),
        ] {
            assert_eq!(typed(line), told, "{line}");
        }
    }

    #[test]
    fn what_comes_next_is_offered_and_hinted_at() {
        let session = session();
        for (line, candidates, hint) in [
            (
                "",
                vec!["on", "off", "give", "call", "stop", "lay"],
                Some(
                    "[N | on|off | give WORD WORD… | call NAME [at once] | stop NAME [if EXPRESSION] | lay NAME [--set NAME]…]",
                ),
            ),
            ("give", vec![], Some("WORD WORD…")),
            ("give a b", vec![], Some("WORD…")),
            ("call me", vec!["at once"], Some("[at once]")),
            ("on", vec![], None),
            ("stop here", vec!["if"], Some("[if EXPRESSION]")),
            ("lay it", vec!["--set"], Some("[--set NAME]…")),
            ("nothing", vec![], None),
        ] {
            let found: Vec<String> = ACT.next(&session, line).candidates.into_iter().map(|found| found.text).collect();
            assert_eq!(found, candidates, "{line}");
            assert_eq!(ACT.rest_of_usage(&session, line).as_deref(), hint, "{line}");
        }
        assert!(ACT.next(&session, "stop here if").names.iter().any(|name| name.text == "players"));
        assert!(ACT.next(&session, "stop here if p1 ==").names.iter().any(|name| name.text == "players"));
    }

    #[test]
    fn no_line_takes_long() {
        let many = "a ".repeat(20_000);
        for line in
            [format!("call {many}at once"), format!("lay {many}"), format!("give {many}"), format!("set {many}")]
        {
            assert!(!typed(&line).is_empty());
        }
    }

    #[test]
    fn every_command_says_what_it_is() {
        for command in COMMANDS {
            assert!(![command.name, command.about, command.group].contains(&""), "{}", command.name);
            assert!(!command.signatures.is_empty(), "{}", command.name);
            for example in command.examples {
                let begins = |name: &str| example.strip_prefix(name).is_some_and(is_boundary);
                assert!(begins(command.name) || example.ends_with('?'), "{example}");
            }
        }
    }
}
