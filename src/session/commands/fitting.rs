//! Fitting a line of arguments to the signatures of a command, with error messages and completions.

use super::Candidate;
use super::arguments::{
    AnySignature, Argument, ArgumentError, BeforeCursor, Extent, is_boundary, words, written_together,
};
use crate::catalogue::Message;
use crate::diagnostic::Diagnostics;
use crate::session::Session;
use std::ops::Range;

/// Most ways tried to split a line into arguments: names that are prefixes of each other allow any number.
const MAX_SPLITS_PER_LINE: usize = 10_000;

/// The signature that a line fits, and the texts of its arguments.
///
/// # Errors
/// The line fits no signature. Of several reasons, the one furthest to the right is given.
pub(super) fn fit<'f, 't>(
    session: &Session,
    signatures: &[&'f dyn AnySignature],
    line: &'t str,
) -> Result<(&'f dyn AnySignature, Vec<Vec<&'t str>>), Mismatch<'t>> {
    // A line that begins with a signature's own keyword has that signature, unless it is too long for it.
    let begins = |signature: &&dyn AnySignature| {
        let words = signature.arguments().first().map_or_else(Vec::new, |first| first.shape().words());
        words.iter().any(|word| line.strip_prefix(word).is_some_and(is_boundary))
    };
    let (worded, others): (Vec<_>, Vec<_>) =
        signatures.iter().copied().enumerate().partition(|(_, signature)| begins(signature));
    let mut mismatch: Option<Mismatch<'t>> = None;
    for (number, signature) in worded.into_iter().chain(others) {
        let arguments = signature.arguments();
        let mut fitting = Fitting { session, arguments: &arguments, line, texts: Vec::new(), mismatch: None, tries: 0 };
        fitting.texts.resize_with(arguments.len(), Vec::new);
        if fitting.fits(0, line) {
            return Ok((signature, fitting.texts));
        }
        let Some(mut found) = fitting.mismatch else { continue };
        found.signature = number;
        let is_meant = begins(&signature) && !matches!(found.why, MismatchReason::TooMuch);
        mismatch = Some(match mismatch {
            Some(known) => known.or(found),
            None => found,
        });
        if is_meant {
            break;
        }
    }
    let nothing = Mismatch { signature: 0, taken: 0, before: "", found: line, why: MismatchReason::TooMuch };
    Err(mismatch.unwrap_or(nothing))
}

/// Why a line fits no signature.
pub(super) struct Mismatch<'t> {
    /// The index of the best fitting signature.
    pub(super) signature: usize,
    /// The number of arguments that fit.
    pub(super) taken: usize,
    /// The text before the misfit.
    pub(super) before: &'t str,
    /// The text that does not fit.
    pub(super) found: &'t str,
    /// The kind of misfit.
    pub(super) why: MismatchReason,
}

/// The kind of misfit of an argument.
pub(super) enum MismatchReason {
    /// There is an argument too many.
    TooMuch,
    /// An argument is missing.
    Missing,
    /// The text is none of these named shapes, nor any of these keywords.
    Other(Vec<Message>, Vec<&'static str>),
    /// The argument was parsed and refused.
    Because(Diagnostics),
}

impl<'t> Mismatch<'t> {
    /// The more telling of two mismatches: the one further to the right or, at the same place, with a better reason.
    fn or(self, other: Self) -> Self {
        let weight = |mismatch: &Self| {
            let says = match mismatch.why {
                MismatchReason::TooMuch => 0,
                MismatchReason::Missing => 1,
                MismatchReason::Other(..) => 2,
                MismatchReason::Because(_) => 3,
            };
            (mismatch.taken, says)
        };
        match (weight(&self), weight(&other)) {
            (one, two) if one < two => other,
            (one, two) if one == two => self.and(other),
            _ => self,
        }
    }

    /// Merges the expected shapes of two mismatches at the same place.
    fn and(mut self, other: Self) -> Self {
        if let (MismatchReason::Other(names, words), MismatchReason::Other(more_names, more_words)) =
            (&mut self.why, other.why)
        {
            names.extend(more_names.into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
            words.extend(more_words);
        }
        self
    }
}

/// An attempt to split a line into the arguments of a signature.
struct Fitting<'f, 't> {
    session: &'f Session,
    arguments: &'f [&'f dyn Argument],
    line: &'t str,
    texts: Vec<Vec<&'t str>>,
    mismatch: Option<Mismatch<'t>>,
    tries: usize,
}

impl<'t> Fitting<'_, 't> {
    /// Whether `rest` fits the arguments from `number` on.
    fn fits(&mut self, number: usize, mut rest: &'t str) -> bool {
        let Some(argument) = self.arguments.get(number) else {
            if !rest.is_empty() {
                self.fails(rest, rest, MismatchReason::TooMuch);
            }
            return rest.is_empty();
        };
        if argument.count().repeats() {
            // A repeated argument is split in only one way.
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
            self.fails(rest, rest, MismatchReason::Missing);
        }
        false
    }

    /// Takes the first `end` bytes of `rest` for an argument, if they fit.
    fn takes(&mut self, number: usize, rest: &'t str, end: usize) -> bool {
        self.tries += 1;
        let Some(shape) = self.arguments.get(number).map(|argument| argument.shape()) else { return false };
        let text = &rest[..end];
        let why = match shape.check(self.session, text) {
            _ if self.tries > MAX_SPLITS_PER_LINE => MismatchReason::TooMuch,
            Ok(()) => {
                self.texts[number].push(text);
                return true;
            }
            Err(ArgumentError::Other) => MismatchReason::Other(shape.in_words(), shape.words()),
            Err(ArgumentError::Because(errors)) => MismatchReason::Because(errors),
        };
        self.fails(rest, text, why);
        false
    }

    fn fails(&mut self, rest: &'t str, found: &'t str, why: MismatchReason) {
        let before = self.line.get(..self.line.len() - rest.len()).unwrap_or_default().trim_end();
        let found = Mismatch { signature: 0, taken: self.texts.iter().map(Vec::len).sum(), before, found, why };
        self.mismatch = Some(match self.mismatch.take() {
            // The next argument is tried too; of errors at the same place, only the first is worth reporting.
            Some(known) if known.taken == found.taken && matches!(known.why, MismatchReason::Because(_)) => known,
            Some(known) => known.or(found),
            None => found,
        });
    }
}

/// The possible ends of an argument at the start of `text`, the nearest first; at the latest before a keyword of a
/// later argument.
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
    // Each text of a repeated argument is a word, or lies between its keywords.
    if repeats && shape.lead().is_none() {
        return shape.ends(text, false).into_iter().take(1).collect();
    }
    shape.ends(text, later.iter().all(|argument| argument.shape().lead().is_some()))
}

/// The possible continuations of a line.
#[derive(Default)]
pub(in crate::session) struct Next {
    /// The completions.
    pub(in crate::session) candidates: Vec<Candidate>,
    /// The names for an expression, where one is possible.
    pub(in crate::session) names: Vec<Candidate>,
}

/// The possible continuations of a line up to the cursor.
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

/// The usage of the missing arguments; `None` where nothing is missing or the line fits no signature.
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

/// Calls `tell` for every argument that the cursor can be at behind a text.
fn reach<'t>(
    session: &Session,
    arguments: &[&dyn Argument],
    number: usize,
    mut rest: &'t str,
    before: &mut Vec<&'t str>,
    tell: &mut impl FnMut(usize, BeforeCursor<'t>),
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
        tell(number, BeforeCursor { arguments: before.clone(), words: rest });
    }
    if argument.count().may_be_missing() || before.len() > earlier {
        reach(session, arguments, number + 1, rest, before, tell);
    }
    before.truncate(earlier);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::arguments::*;
    use super::super::shapes::{EXPRESSION, NAME, number};
    use super::*;
    use crate::definition::{Language, Library};
    use crate::files::MemoryFiles;
    use crate::games::small;
    use crate::playthrough::{Playable, Playthrough};
    use crate::screen::style::Line;
    use crate::session::commands::{COMMANDS, Command, Flow, USUAL};
    use crate::session::surroundings::NoSurroundings;
    use std::fmt::Debug;
    use std::sync::Arc;

    const WORD: Shape<String> = Shape { name: "WORD", extent: Extent::Word, ..NAME };

    /// A test command that prints how it understood its line.
    const ACT: Command = Command {
        name: "act",
        examples: &["act 3", "act give one two"],
        signatures: &[
            &Signature((Optional(number::<usize>("N", "a whole number of times")),), |_, (count,)| told(&count)),
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
        let library = Library::of(Arc::new(MemoryFiles::new([("", ""); 0])), Vec::new());
        Session::new(playthrough, library, Language::English, Arc::default(), Arc::new(NoSurroundings))
    }

    /// The parsed values of a line, or its error message.
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
            // Names can contain blanks.
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
            ("stop here if", &format!("something is missing behind `if`; {write}")),
            ("lay it --set", &format!("something is missing behind `--set`; {write}")),
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
