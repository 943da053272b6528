//! The client's breakpoints: on lines, functions, events and values, with conditions, hit counts and log messages.

use super::sources::{SourceMismatch, Sources};
use crate::catalogue::{Message, message, said, say};
use crate::diagnostic::{Diagnostic, Diagnostics, listed};
use crate::inspect::debugger::{Breakpoint, Place, Places, Target};
use crate::inspect::pattern::kinds;
use crate::script::paused::Expression;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A group of breakpoints. The client always sends a whole group, which replaces the one before.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Group {
    /// Breakpoints on the lines of a source, in the client's notation.
    Lines(Value),
    /// Function breakpoints, or anything else that can be typed behind `break`.
    Functions,
    /// Breakpoints on kinds of events.
    Events,
    /// Breakpoints on changes of values.
    Values,
}

impl Group {
    /// Whether both are the same group, so that one's breakpoints replace the other's.
    pub fn is_same(&self, other: &Self) -> bool {
        let named = |source: &Value, key: &str| source.get(key).filter(|name| !name.is_null() && **name != 0).cloned();
        match (self, other) {
            (Self::Lines(one), Self::Lines(other)) => {
                let has_number = named(one, "sourceReference").or(named(other, "sourceReference")).is_some();
                let key = if has_number { "sourceReference" } else { "path" };
                named(one, key) == named(other, key)
            }
            _ => self == other,
        }
    }
}

/// A breakpoint of the client.
pub(super) struct Point {
    /// The breakpoint's number, for the client and in the debugger.
    pub number: usize,
    pub group: Group,
    /// The line, from 1. Only for breakpoints of `Group::Lines`; the others have `typed`.
    line: usize,
    typed: String,
    condition: Option<String>,
    hits: Option<String>,
    /// The log message that replaces the stop.
    pub message: Option<String>,
    /// The breakpoint in the rules in play, or why it cannot stop them.
    resolved: Result<ResolvedBreakpoint, Message>,
    /// The places in the run where it was hit.
    met: BTreeSet<Place>,
}

struct ResolvedBreakpoint {
    target: Target,
    condition: Option<String>,
    hits: Option<HitCondition>,
    line: Option<usize>,
}

/// The condition on the hit count under which a breakpoint stops.
#[derive(Clone, Copy, Debug, PartialEq)]
enum HitCondition {
    Exactly(usize),
    AtLeast(usize),
    MoreThan(usize),
    AtMost(usize),
    LessThan(usize),
    Every(usize),
}

impl HitCondition {
    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = text.trim_start_matches(['<', '>', '=', '%', ' ']);
        let number = digits.parse().ok()?;
        Some(match text[..text.len() - digits.len()].trim() {
            "" | "=" | "==" => Self::Exactly(number),
            ">=" => Self::AtLeast(number),
            ">" => Self::MoreThan(number),
            "<=" => Self::AtMost(number),
            "<" => Self::LessThan(number),
            "%" if number > 0 => Self::Every(number),
            _ => return None,
        })
    }

    fn holds(self, time: usize) -> bool {
        match self {
            Self::Exactly(number) => time == number,
            Self::AtLeast(number) => time >= number,
            Self::MoreThan(number) => time > number,
            Self::AtMost(number) => time <= number,
            Self::LessThan(number) => time < number,
            Self::Every(number) => time.is_multiple_of(number),
        }
    }
}

impl Point {
    /// A breakpoint as sent by the client, whose lines count from `starts_at`.
    pub fn of(number: usize, group: Group, sent: &Value, starts_at: usize) -> Self {
        let text = |key: &str| sent.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        let condition = text("condition").map(str::to_owned);
        let (typed, condition) = match &group {
            Group::Lines(_) => (String::new(), condition),
            Group::Functions => (text("name").unwrap_or_default().to_owned(), condition),
            Group::Values => (text("dataId").unwrap_or_default().to_owned(), condition),
            // The condition of an event filter: names that the event concerns, then ` if ` and an expression.
            Group::Events => {
                let kind = text("filterId").unwrap_or_default();
                let given = format!(" {}", condition.unwrap_or_default());
                let (names, condition) = given.split_once(" if ").unwrap_or((&given, ""));
                let condition = Some(condition.trim().to_owned()).filter(|condition| !condition.is_empty());
                (format!("event {kind} {}", names.trim()), condition)
            }
        };
        let line = sent.get("line").and_then(Value::as_u64).and_then(|line| usize::try_from(line).ok());
        Self {
            number,
            line: line.unwrap_or_default().saturating_add(1 - starts_at),
            typed,
            condition,
            hits: text("hitCondition").map(str::to_owned),
            message: text("logMessage").map(str::to_owned),
            resolved: Err("the game has not begun".into()),
            met: BTreeSet::new(),
            group,
        }
    }

    /// Resolves the breakpoint in the rules in play, and forgets its hits.
    pub fn resolve(&mut self, places: &Places, sources: &Sources) {
        self.met.clear();
        self.resolved = self.found(places, sources).map_err(|errors| one_line_message(&errors));
    }

    fn found(&self, places: &Places, sources: &Sources) -> Result<ResolvedBreakpoint, Diagnostics> {
        let (target, line) = match &self.group {
            Group::Lines(source) => {
                let layers = sources.layers(source).map_err(|foreign| match foreign {
                    SourceMismatch::Other => Diagnostic::new("this file has no script of the game in play")
                        .help(message!("it has {}", listed(sources.names().iter().map(|name| &**name)))),
                    SourceMismatch::Changed => Diagnostic::new("this is not the text that is played")
                        .help("the file has changed, or the game brings its own rules; a restart reads it again"),
                })?;
                let found = layers.iter().filter_map(|layer| Some((places.line_from(layer, self.line)?, *layer))).min();
                let (line, layer) =
                    found.ok_or_else(|| Diagnostic::new("no statement begins in this line or behind it"))?;
                (Target::Line(layer.to_owned(), line), Some(line))
            }
            Group::Functions | Group::Events => (places.target(&self.typed, None)?, None),
            Group::Values => {
                Expression::check(places.rules(), &self.typed)?;
                (Target::Change(self.typed.clone()), None)
            }
        };
        if let Some(condition) = &self.condition {
            Expression::check_condition(places.rules(), condition)?;
        }
        let hits = self.hits.as_deref().map(|hits| {
            let unknown = || Diagnostic::new(message!("`{hits}` does not say at which time to stop"));
            let unknown = || Diagnostics::from(unknown().help("write `3`, `>= 3` or `% 3`"));
            HitCondition::read(hits).ok_or_else(unknown)
        });
        Ok(ResolvedBreakpoint { target, condition: self.condition.clone(), hits: hits.transpose()?, line })
    }

    /// The breakpoint as JSON of the protocol, with lines counted from `starts_at`.
    pub fn in_json(&self, starts_at: usize) -> Value {
        let mut told = match &self.resolved {
            Ok(_) => json!({ "id": self.number, "verified": true }),
            Err(why) => json!({ "id": self.number, "verified": false, "message": why.told() }),
        };
        if let Group::Lines(source) = &self.group {
            let line = self.resolved.as_ref().ok().and_then(|resolved| resolved.line).unwrap_or(self.line);
            told["line"] = (line.saturating_add(starts_at).saturating_sub(1)).into();
            told["source"] = source.clone();
        }
        told
    }

    /// The breakpoint for the debugger; `None` where it cannot stop these rules.
    pub fn breakpoint(&self) -> Option<Breakpoint> {
        let ResolvedBreakpoint { target, condition, .. } = self.resolved.as_ref().ok()?;
        Some(Breakpoint { number: self.number, target: target.clone(), condition: condition.clone() })
    }

    /// Counts a hit at a place, and says whether it stops the rules there.
    pub fn stops_at(&mut self, place: Place) -> bool {
        self.met.insert(place);
        let hits = self.resolved.as_ref().ok().and_then(|resolved| resolved.hits);
        self.message.is_none() && hits.is_none_or(|hits| hits.holds(self.met.range(..=place).count()))
    }

    /// Forgets the hits after a place, because the game continues differently from there.
    pub fn forget_behind(&mut self, place: Place) {
        self.met.retain(|met| *met <= place);
    }
}

/// The kinds of events as exception filters of the protocol.
pub(super) fn event_filters() -> Value {
    let filter = |kind: &crate::table::event::EventKind| {
        json!({
            "filter": kind.name,
            "label": say!("event: {}", kind.name),
            "description": said(kind.about),
            "default": false,
            "supportsCondition": true,
            "conditionDescription": said("what it has to do with, and a condition: p1 if p1.score > 3"),
        })
    };
    kinds().map(filter).collect()
}

/// Diagnostics in a single line, for places that show no more.
pub(super) fn one_line_message(errors: &Diagnostics) -> Message {
    let first = errors.first();
    let message = first.message.clone();
    match first.help.first() {
        Some(help) => Message::joined([message, Message::verbatim(" ("), help.text.clone(), Message::verbatim(")")]),
        None => message,
    }
}

/// Splits a log message into texts (`false`) and expressions between braces (`true`).
pub(super) fn pieces(message: &str) -> Vec<(bool, &str)> {
    let mut pieces = Vec::new();
    let mut rest = message;
    while let Some(start) = rest.find('{') {
        let mut depth = 0_usize;
        let end = rest[start..].char_indices().find_map(|(at, letter)| {
            depth = match letter {
                '{' => depth + 1,
                '}' => depth - 1,
                _ => depth,
            };
            (depth == 0).then_some(start + at)
        });
        let Some(end) = end else { break };
        pieces.push((false, &rest[..start]));
        pieces.push((true, &rest[start + 1..end]));
        rest = &rest[end + 1..];
    }
    pieces.push((false, rest));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_conditions_are_read_as_in_other_debuggers() {
        let times = |text: &str| {
            HitCondition::read(text).map(|hits| (1..=6).filter(|&time| hits.holds(time)).collect::<Vec<usize>>())
        };
        assert_eq!(times("3"), Some(vec![3]));
        assert_eq!(times("== 2"), Some(vec![2]));
        assert_eq!(times(">=5"), Some(vec![5, 6]));
        assert_eq!(times("> 5"), Some(vec![6]));
        assert_eq!(times("<= 2"), Some(vec![1, 2]));
        assert_eq!(times("<2"), Some(vec![1]));
        assert_eq!(times("% 2"), Some(vec![2, 4, 6]));
        for wrong in ["", "x", "%0", "3 times", "=> 3", "-1"] {
            assert_eq!(times(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_message_has_expressions_between_braces() {
        assert_eq!(
            pieces("{p} has {p.score}!"),
            [(false, ""), (true, "p"), (false, " has "), (true, "p.score"), (false, "!")]
        );
        assert_eq!(pieces("{ if a { b } }"), [(false, ""), (true, " if a { b } "), (false, "")]);
        assert_eq!(pieces("open {p"), [(false, "open {p")]);
        assert_eq!(pieces("} and {}"), [(false, "} and "), (true, ""), (false, "")]);
    }
}
