//! What is said to a person when something is wrong: where, what was expected, how to go on.
//!
//! Every room reports trouble as a [`Diagnostic`]: plain data that names a file, a place in it, the words for it, and how
//! bad it is. What fails returns [`Diagnostics`]: one of them or several, and never none. Only [`Diagnostic::render`]
//! turns one into text, so all of them look alike and none of them lets a control character of a stranger's file reach
//! the terminal.

mod code;
mod help;
mod lookalike;
mod names;
mod place;
mod render;
mod several;
mod visible;

pub use code::Code;
pub use help::{Help, Remedy};
pub use lookalike::{half_width, in_half_width, is_quote, strays};
pub use names::{did_you_mean, either, listed, nearest, there_are, unknown, unknown_or};
pub use place::{MAX_SOURCE_BYTES, Place, Source};
pub use render::wrapped;
pub use several::Diagnostics;
pub use visible::{is_treacherous, judged};
pub use visible::{toml_escape, toml_string, visible, visible_in_html};

use std::fmt;

/// One piece of trouble, told with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// One sentence, in lower case, without a full stop.
    pub message: String,
    /// The place that is to blame, with a few words to stand at the caret.
    pub place: Option<Place>,
    /// Further places: the chain of calls, the other half of a conflict.
    pub related: Vec<Place>,
    /// What was expected, the nearest name, what to do next; a sentence each.
    pub help: Vec<Help>,
    /// What kind of finding it is, where it is one of those that [`CODES`](crate::script::codes::CODES) explain.
    pub code: Option<&'static Code>,
}

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// It cannot be done, or rules with it are refused.
    Error,
    /// It is allowed but probably not meant.
    Warning,
    /// It was done without being asked for, and is as it should be.
    Note,
}

impl Severity {
    /// `error`, `warning` or `note`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

impl Diagnostic {
    /// An error without a place yet. `message` is one sentence, in lower case, without a full stop.
    pub fn new(message: impl Into<String>) -> Diagnostic {
        Diagnostic::of(Severity::Error, message.into())
    }

    /// As [`new`](Diagnostic::new), for what is allowed but probably not meant.
    pub fn warning(message: impl Into<String>) -> Diagnostic {
        Diagnostic::of(Severity::Warning, message.into())
    }

    /// As [`new`](Diagnostic::new), for what was done and is as it should be.
    pub fn note(message: impl Into<String>) -> Diagnostic {
        Diagnostic::of(Severity::Note, message.into())
    }

    fn of(severity: Severity, message: String) -> Diagnostic {
        Diagnostic { severity, message, place: None, related: Vec::new(), help: Vec::new(), code: None }
    }

    /// The same as a warning: what would be an error elsewhere, and is not where it is told.
    #[must_use]
    pub fn as_warning(mut self) -> Diagnostic {
        self.severity = Severity::Warning;
        self
    }

    /// Names the place that is to blame.
    #[must_use]
    pub fn at(mut self, place: Place) -> Diagnostic {
        self.place = Some(place);
        self
    }

    /// Says what kind of finding it is, and so how bad, unless that has been said.
    #[must_use]
    pub fn coded(mut self, code: &'static Code) -> Diagnostic {
        if self.code.is_none() {
            self.code = Some(code);
            self.severity = code.severity;
        }
        self
    }

    /// Adds a sentence that helps on.
    #[must_use]
    pub fn help(mut self, text: impl Into<Help>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn related(mut self, place: Place) -> Diagnostic {
        self.related.push(place);
        self
    }

    /// Names the place that is to blame, where it is known.
    #[must_use]
    pub fn at_maybe(self, place: Option<Place>) -> Diagnostic {
        match place {
            Some(place) => self.at(place),
            None => self,
        }
    }

    /// Adds a further place, where it is known.
    #[must_use]
    pub fn related_maybe(self, place: Option<Place>) -> Diagnostic {
        match place {
            Some(place) => self.related(place),
            None => self,
        }
    }

    /// Asks whether the one of `known` was meant that is near to `name`, if any is.
    #[must_use]
    pub fn near<'a>(mut self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        self.help.extend(did_you_mean(name, known));
        self
    }

    /// As [`near`](Diagnostic::near), and helps on otherwise where none is.
    #[must_use]
    pub fn near_or<'a>(
        self,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
        otherwise: impl Into<Help>,
    ) -> Diagnostic {
        let help = did_you_mean(name, known).unwrap_or_else(|| otherwise.into());
        self.help(help)
    }

    /// Names the place where somebody asked for what is wrong: the place to blame where there is no other, and in place
    /// of what was typed there, otherwise one more place.
    #[must_use]
    pub fn asked_for_at(mut self, asked: Option<Place>) -> Diagnostic {
        let Some(mut asked) = asked else { return self };
        let Some(place) = &self.place else { return self.at(asked) };
        let Some(typed) = asked.source.text.get(asked.span.clone()) else { return self };
        match typed.find(&place.source.text) {
            // What was typed stands in the file character for character, so the very part of it can be shown.
            Some(found) if !place.source.text.is_empty() => {
                let start = asked.span.start + found;
                asked.span = start + place.span.start..start + place.span.end;
                asked.label.clone_from(&place.label);
                self.place = Some(asked);
                self
            }
            // It stands there with what TOML needs in a string.
            _ if is_toml_string(typed, &place.source.text) => {
                asked.label.clone_from(&place.label);
                self.at(asked)
            }
            _ => self.related(asked),
        }
    }

    /// The diagnostic for other programs: `message`, `file`, `line`, `column`, `label`, `help`, `related`,
    /// `severity`, and the `code` of what `check` finds.
    ///
    /// Where no place is known, `file`, `line`, `column` and `label` are null.
    pub fn to_json(&self) -> serde_json::Value {
        let mut object = serde_json::Map::new();
        object.insert("message".into(), visible(&self.message).into());
        object.extend(place_fields(self.place.as_ref()));
        object.insert("help".into(), self.help.iter().map(|help| visible(help).into_owned()).collect());
        let related = self.related.iter().map(|place| serde_json::Value::Object(place_fields(Some(place)).collect()));
        object.insert("related".into(), related.collect());
        object.extend(self.code.map(|code| ("code".to_owned(), code.name.into())));
        object.insert("severity".into(), self.severity.name().into());
        serde_json::Value::Object(object)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.render(false))
    }
}

impl std::error::Error for Diagnostic {}

/// Whether a part of a TOML file is a string with this text.
fn is_toml_string(written: &str, text: &str) -> bool {
    let read = toml::from_str::<toml::Table>(&format!("text = {written}"));
    read.is_ok_and(|read| read.get("text").and_then(toml::Value::as_str) == Some(text))
}

/// What JSON says of a place.
fn place_fields(place: Option<&Place>) -> impl Iterator<Item = (String, serde_json::Value)> + use<> {
    use serde_json::Value;
    let fields = match place {
        Some(place) => {
            let (line, column) = place.position();
            [visible(&place.source.name).into(), line.into(), column.into(), visible(&place.label).into()]
        }
        None => [Value::Null, Value::Null, Value::Null, Value::Null],
    };
    ["file", "line", "column", "label"].map(str::to_owned).into_iter().zip(fields)
}
