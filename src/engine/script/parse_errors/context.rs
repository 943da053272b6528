//! The text around the place of a parser error, which tells what was meant there.

use crate::diagnostic::Place;
use crate::script::TYPED_SOURCE;
use crate::script::instead::hint_for_foreign_word;
use crate::script::masked_script::MaskedScript;
use crate::script::tokens::is_in_name;

/// The text around the place of a parser error.
#[derive(Default)]
pub(super) struct ParserErrorContext {
    /// The word or sign before the place.
    pub(super) before: String,
    /// The word or sign at the place.
    pub(super) at: String,
    /// The text before the place on its line.
    pub(super) line_before: String,
    /// The first two characters at the place.
    pub(super) signs: String,
    /// Byte offset at which `before` begins.
    start_of_before: usize,
    /// The sign before the place, if it needs a value behind it.
    pub(super) sign_before: Option<char>,
    /// The script up to the place.
    pub(super) script_before: String,
    /// The text from the place to the end of its line.
    pub(super) rest_of_line: String,
    /// Whether the source is an expression that a person typed.
    pub(super) is_typed: bool,
}

impl ParserErrorContext {
    pub(super) fn of(place: &Place, begins: usize) -> Self {
        let text = &place.source.text;
        let start = place.span.start.min(text.len());
        let (before, after) = text.split_at_checked(start).unwrap_or((text, ""));
        let before = before.trim_end();
        let word = last_word(before);
        Self {
            before: word.to_owned(),
            at: first_word(after).to_owned(),
            line_before: before_on_line(&text[..start]).to_owned(),
            signs: after.chars().take(2).collect(),
            start_of_before: before.len() - word.len(),
            sign_before: before.chars().next_back().filter(|sign| "+-*/%=<>!&|,.([{".contains(*sign)),
            script_before: text.get(begins..start).unwrap_or_default().to_owned(),
            rest_of_line: after.lines().next().unwrap_or_default().to_owned(),
            is_typed: place.source.name == TYPED_SOURCE,
        }
    }

    /// The hint for a word of another language before or at the place; `None` where there is none.
    pub(super) fn foreign(&self) -> Option<&'static str> {
        hint_for_foreign_word(&self.before).or_else(|| hint_for_foreign_word(&self.at))
    }

    /// Whether the place is in the parentheses that other languages write after `for`.
    pub(super) fn is_in_head_of_for(&self) -> bool {
        let head = self.line_before.rsplit("for").next().filter(|_| self.line_before.contains("for"));
        head.is_some_and(|head| head.trim_start().starts_with('(') && !head.contains(')'))
    }

    /// Whether the place is in the open block of an `if`.
    pub(super) fn is_in_if(&self) -> bool {
        let surface = MaskedScript::of(&self.script_before);
        let heads = surface.open.iter().filter(|open| open.sign == '{').filter_map(|open| surface.code.get(..open.at));
        let mut heads = heads.filter_map(|before| before.rsplit([';', '{', '}']).next());
        heads.any(|head| head.split(|letter| !is_in_name(letter)).any(|word| word == "if"))
    }

    /// Whether the place directly follows the closing bracket of a value.
    pub(super) fn is_right_behind_a_value(&self) -> bool {
        self.script_before.ends_with([')', ']']) && self.at.starts_with(is_in_name)
    }

    /// Whether the place follows the first value of a `switch` that has nothing to compare.
    pub(super) fn ends_with_switch(&self) -> bool {
        let before = self.script_before.trim_end();
        let head = before[..before.len() - last_word(before).len()].trim_end().strip_suffix('{');
        head.is_some_and(|head| last_word(head.trim_end()) == "switch")
    }

    /// Whether the place follows the name of a `let`.
    pub(super) fn is_behind_let(&self) -> bool {
        let before = self.line_before.trim_end();
        last_word(before[..before.len() - last_word(before).len()].trim_end()) == "let"
    }

    pub(super) fn is_at_foreign(&self) -> bool {
        hint_for_foreign_word(&self.before).is_none()
    }

    pub(super) fn place_of_before(&self, place: Place) -> Place {
        let end = self.start_of_before + self.before.len();
        Place { span: self.start_of_before..end, ..place }
    }
}

/// The last line of `text`, trimmed.
fn before_on_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or_default().trim()
}

fn first_word(text: &str) -> &str {
    if text.starts_with("=>") {
        return "=>";
    }
    let end = text.find(|letter| !is_in_name(letter)).unwrap_or(text.len());
    let end = if end == 0 { text.chars().next().map_or(0, char::len_utf8) } else { end };
    &text[..end]
}

fn last_word(text: &str) -> &str {
    let start = text
        .rfind(|letter| !is_in_name(letter))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    &text[start..]
}
