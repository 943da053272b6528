//! What was typed or pasted at once, taken apart: a line is an entry, and so is an expression that goes on over several
//! lines because something in it is still open.

use crate::script::surface::{Surface, in_half_width_code};
use crate::session::commands;
use crate::session::{Session, split_word};

/// The entries of a text, in order, without blank lines and comments. What is not closed goes on to the end.
pub fn entries(text: &str, goes_on: impl Fn(&str) -> bool) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    let mut open = String::new();
    for line in text.lines() {
        if open.is_empty() && (line.trim().is_empty() || is_comment(line)) {
            continue;
        }
        if !open.is_empty() {
            open.push('\n');
        }
        open.push_str(line);
        if !goes_on(&open) {
            entries.push(std::mem::take(&mut open));
        }
    }
    entries.extend(Some(open).filter(|open| !open.is_empty()));
    entries
}

/// Whether a line of a script is a remark. An option by number is `#2`, so a comment has a blank after its `#`.
pub fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line == "#" || line.starts_with("# ") || line.starts_with("#!")
}

impl Session {
    /// Whether a text is the beginning of an expression that goes on in the next line.
    pub fn goes_on(&self, text: &str) -> bool {
        let is_label = || self.answerable().is_some_and(|open| open.options.iter().any(|option| option.label == text));
        can_go_on(text) && !is_label()
    }
}

fn can_go_on(text: &str) -> bool {
    let is_expression = match commands::find(split_word(&in_half_width_code(text.trim_start())).0) {
        Ok(command) => command.takes_an_expression(),
        Err(_) => true,
    };
    is_expression && !Surface::of(&in_half_width_code(text)).open.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_goes_on_and_all_else_is_an_entry_of_its_own() {
        let text = "auto\n\n# a remark\np1.hand.map(|card| {\n\n  card.number\n})\nsave a(b.toml\n#2\n";
        let found = entries(text, can_go_on);
        assert_eq!(found, ["auto", "p1.hand.map(|card| {\n\n  card.number\n})", "save a(b.toml", "#2"]);
    }

    #[test]
    fn what_is_never_closed_is_the_last_entry() {
        assert_eq!(entries("eval (1 +\nauto", can_go_on), ["eval (1 +\nauto"]);
    }
}
