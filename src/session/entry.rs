//! Splitting typed or pasted text into entries. An entry is a line, or an expression over several lines until its
//! brackets are closed.

use crate::script::masked_script::{MaskedScript, in_half_width_code};
use crate::session::commands;
use crate::session::{Session, split_word};

/// The entries of a text, in order, without blank lines and comments. An unclosed one extends to the end.
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

const PROMPT_END: &str = " ›";

/// The input in a line copied with its prompt: `p2 take › why not 48`. `None` where a line has no prompt.
pub fn behind_prompt(line: &str) -> Option<&str> {
    let (prompt, typed) = line.split_once(PROMPT_END)?;
    // In a string or an expression, `›` is an ordinary character.
    let is_prompt = !prompt.trim().is_empty() && !prompt.contains(['"', '`', '(', '[', '{']);
    let typed = if typed.is_empty() { Some(typed) } else { typed.strip_prefix(' ') };
    typed.filter(|_| is_prompt).map(str::trim)
}

/// The input in a pasted piece of a session: the lines with a prompt, without it, and the number of other lines, which
/// are output. `None` where no line has a prompt.
pub fn transcript(text: &str, goes_on: impl Fn(&str) -> bool) -> Option<(String, usize)> {
    if !text.contains('\n') || text.lines().all(|line| behind_prompt(line).is_none()) {
        return None;
    }
    let (mut typed, mut left_out) = (String::new(), 0);
    let mut open = String::new();
    for line in text.lines() {
        let entry =
            if open.is_empty() { behind_prompt(line).map(str::to_owned) } else { Some(format!("{open}\n{line}")) };
        match entry {
            Some(entry) if goes_on(&entry) => open = entry,
            Some(entry) => {
                typed.push_str(&entry);
                typed.push('\n');
                open.clear();
            }
            None => left_out += usize::from(!line.trim().is_empty()),
        }
    }
    typed.push_str(&open);
    Some((typed, left_out))
}

/// Whether a line of a script is a comment. `#2` is an option by number, so a comment has a blank after its `#`.
pub fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line == "#" || line.starts_with("# ") || line.starts_with("#!")
}

impl Session {
    /// Whether a text is an unfinished expression, to be continued in the next line.
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
    is_expression && !MaskedScript::of(&in_half_width_code(text)).open.is_empty()
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
    fn what_is_copied_with_its_prompt_is_taken_without_it() {
        assert_eq!(behind_prompt("p2 take › why not 48"), Some("why not 48"));
        assert_eq!(behind_prompt("p1 カードを出す › 3"), Some("3"));
        assert_eq!(behind_prompt("over ›"), Some(""));
        assert_eq!(behind_prompt("why not 48"), None);
        assert_eq!(behind_prompt("eval \"a › b\""), None);
        assert_eq!(behind_prompt(" › 3"), None);
        let pasted = "p1, play a card\n  1  5·y\n\np1 play card › 5\n    1  p1  play a card  5·y\np2 play card › eval [1,\n2]\n[1, 2]\np2 play card › ";
        assert_eq!(transcript(pasted, can_go_on), Some(("5\neval [1,\n2]\n\n".to_owned(), 4)));
        assert_eq!(transcript("5\neval 1", can_go_on), None);
        assert_eq!(transcript("p1 play card › 5", can_go_on), None);
    }

    #[test]
    fn what_is_never_closed_is_the_last_entry() {
        assert_eq!(entries("eval (1 +\nauto", can_go_on), ["eval (1 +\nauto"]);
    }
}
