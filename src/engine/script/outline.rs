//! The outline of a script: the comment at its top, and the functions that other scripts can call.
//!
//! An outline needs no ruleset around the script, so a library can be described without a game. If a script does not
//! parse, its outline has the functions before the error.

use crate::script::functions::FunctionHead;
use crate::script::parser::Parser;
use std::sync::Arc;

/// The outline of a script: its introductory comment and its public functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The text of the `//!` lines at the top, in Markdown.
    pub about: String,
    /// The functions that other scripts can call, in the order of the script.
    pub functions: Vec<FunctionHead>,
}

impl Outline {
    /// The outline of a script, as far as it parses.
    pub fn of(script: &str) -> Self {
        let mut functions = Parser::new(Arc::default()).function_heads(script);
        functions.retain(|function| !function.is_private);
        Self { about: about(script), functions }
    }
}

/// The text of the `//!` lines at the top of a script, in Markdown.
pub fn about(script: &str) -> String {
    let lines = script.lines().skip_while(|line| line.trim().is_empty());
    let lines = lines.map_while(|line| line.trim_start().strip_prefix("//!"));
    let lines = lines.filter(|line| !line.starts_with(" houserule = "));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect::<Vec<_>>().join("\n")
}

/// The first paragraph of the comment at the top of a script, on one line.
pub fn about_in_short(script: &str) -> String {
    let about = about(script);
    about.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "
//! Hands: what cards in a hand
//! have in common.
//!
//! They need a `deck`.

// Not about a function.

/// Fills a hand,
/// as far as there are cards.
fn fill_hand(p, size) { note(`${size} fn quoted(x) {}`); inner(p); }
private fn inner(p) { \"fn hidden() {}\" }
fn last() { }
";

    fn written(outline: &Outline) -> Vec<String> {
        let head = |one: &FunctionHead| format!("{}({})", one.name, one.parameters.join(", "));
        outline.functions.iter().map(head).collect()
    }

    #[test]
    fn a_script_tells_what_it_is_for_and_what_can_be_called() {
        let outline = Outline::of(SCRIPT);
        assert_eq!(outline.about, "Hands: what cards in a hand\nhave in common.\n\nThey need a `deck`.");
        assert_eq!(about_in_short(SCRIPT), "Hands: what cards in a hand have in common.");
        assert_eq!(written(&outline), ["fill_hand(p, size)", "last()"]);
        assert_eq!(outline.functions[0].comment, "Fills a hand, as far as there are cards.");
        assert_eq!(outline.functions[1].comment, "");
    }

    #[test]
    fn a_script_that_does_not_parse_is_told_as_far_as_it_does() {
        assert_eq!(written(&Outline::of("fn good(a) { 1 }\nfn bad( { }\nfn lost() { }")), ["good(a)", "bad()"]);
        assert_eq!(written(&Outline::of("\"open")), [""; 0]);
        let nested = "(".repeat(60_000);
        assert_eq!(written(&Outline::of(&format!("fn deep() {{ {nested}"))), ["deep()"]);
    }
}
