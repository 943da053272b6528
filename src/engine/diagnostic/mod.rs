//! Diagnostics: what is said to a person when something is wrong: where, what was expected, how to go on.
//!
//! Every room reports errors as a [`Diagnostic`]: plain data with a file, a place in it, a message and a severity. A
//! function that fails returns [`Diagnostics`]: one of them or several, and never none. Only [`Diagnostic::render`]
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

pub use crate::catalogue::{Message, message};
pub use code::Code;
pub use help::{Help, QuickFix};
pub use lookalike::{half_width, in_half_width, is_quote, strays};
pub use names::{did_you_mean, either, known_names_sentence, listed, nearest, unknown, unknown_or};
pub use place::{MAX_SOURCE_BYTES, Place, Source};
pub use render::wrap_lines;
pub use several::{Diagnostics, first_of};
pub use visible::{classify_chars, is_treacherous};
pub use visible::{toml_escape, toml_string, visible, visible_in_html};

use std::fmt;

/// An error, a warning or a note, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Severity of the diagnostic.
    pub severity: Severity,
    /// One sentence, in lower case, without a full stop.
    pub message: Message,
    /// The place that is to blame, with a label for the caret; `None` where it is not known.
    pub place: Option<Place>,
    /// Further places: the chain of calls, the other half of a conflict.
    pub related: Vec<Place>,
    /// Help sentences: what was expected, the nearest name, what to do next.
    pub help: Vec<Help>,
    /// Kind of the finding, where it is one of those that [`CODES`](crate::script::codes::CODES) explain.
    pub code: Option<&'static Code>,
}

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Something cannot be done, or rules are refused.
    Error,
    /// Something is allowed but probably a mistake.
    Warning,
    /// Something was done without being asked for, and is as it should be.
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
    pub fn new(message: impl Into<Message>) -> Diagnostic {
        Diagnostic::of(Severity::Error, message.into())
    }

    /// A warning without a place yet, for what is allowed but probably a mistake; `message` is as for
    /// [`new`](Diagnostic::new).
    pub fn warning(message: impl Into<Message>) -> Diagnostic {
        Diagnostic::of(Severity::Warning, message.into())
    }

    /// A note without a place yet, for what was done and is as it should be; `message` is as for
    /// [`new`](Diagnostic::new).
    pub fn note(message: impl Into<Message>) -> Diagnostic {
        Diagnostic::of(Severity::Note, message.into())
    }

    fn of(severity: Severity, message: Message) -> Diagnostic {
        Diagnostic { severity, message, place: None, related: Vec::new(), help: Vec::new(), code: None }
    }

    /// Turns the diagnostic into a warning, for what would be an error elsewhere, but is none here.
    #[must_use]
    pub fn as_warning(mut self) -> Diagnostic {
        self.severity = Severity::Warning;
        self
    }

    /// Sets the place that is to blame.
    #[must_use]
    pub fn at(mut self, place: Place) -> Diagnostic {
        self.place = Some(place);
        self
    }

    /// Sets the kind of finding, and with it the severity, unless there is one already.
    #[must_use]
    pub fn with_code(mut self, code: &'static Code) -> Diagnostic {
        if self.code.is_none() {
            self.code = Some(code);
            self.severity = code.severity;
        }
        self
    }

    /// Adds a help sentence.
    #[must_use]
    pub fn help(mut self, text: impl Into<Help>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Adds a help sentence, where there is one.
    #[must_use]
    pub fn help_maybe(mut self, text: Option<impl Into<Help>>) -> Diagnostic {
        self.help.extend(text.map(Into::into));
        self
    }

    /// Adds a related place.
    #[must_use]
    pub fn related(mut self, place: Place) -> Diagnostic {
        self.related.push(place);
        self
    }

    /// Sets the place that is to blame, where it is known.
    #[must_use]
    pub fn at_maybe(self, place: Option<Place>) -> Diagnostic {
        match place {
            Some(place) => self.at(place),
            None => self,
        }
    }

    /// Adds a related place, where it is known.
    #[must_use]
    pub fn related_maybe(self, place: Option<Place>) -> Diagnostic {
        match place {
            Some(place) => self.related(place),
            None => self,
        }
    }

    /// Adds the question whether a known name was meant, if one of `known` is near to `name`.
    #[must_use]
    pub fn near<'a>(mut self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        self.help.extend(did_you_mean(name, known));
        self
    }

    /// Adds the question whether a known name was meant, if one of `known` is near to `name`, and otherwise the help
    /// `otherwise`.
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

    /// Adds the place where somebody asked for what is wrong. It becomes the place to blame where there is no other, or
    /// where the other one is in a text that was typed there; otherwise it becomes a related place.
    #[must_use]
    pub fn asked_for_at(mut self, asked: Option<Place>) -> Diagnostic {
        let Some(mut asked) = asked else { return self };
        let Some(place) = &self.place else { return self.at(asked) };
        let Some(typed) = asked.source.text.get(asked.span.clone()) else { return self };
        match typed.find(&place.source.text) {
            // The typed text stands in the file character for character, so exactly that part of it can be shown.
            Some(found) if !place.source.text.is_empty() => {
                let start = asked.span.start + found;
                asked.span = start + place.span.start..start + place.span.end;
                asked.label.clone_from(&place.label);
                self.place = Some(asked);
                self
            }
            // The typed text stands in the file with the escapes that a TOML string needs.
            _ if is_toml_string(typed, &place.source.text) => {
                asked.label.clone_from(&place.label);
                self.at(asked)
            }
            _ => self.related(asked),
        }
    }

    /// The diagnostic as JSON for other programs: `message`, `file`, `line`, `column`, `label`, `help`, `related`,
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
