//! The reference page of the vocabulary, made from the table of words.

use super::{Form, Word, words};
use crate::definition::keys::page::with_contents;
use crate::script::host_functions::HOST_FUNCTIONS;
use crate::script::sorts::{each_once, receivers_of};

/// The reference page, as Markdown.
pub fn reference() -> String {
    let mut text = String::from(INTRODUCTION);
    for section in each_once(words().map(|word| word.section)) {
        text.push_str(&format!("\n## {section}\n"));
        let in_section = || words().filter(|word| word.section == section);
        for name in each_once(in_section().map(|word| word.name)) {
            let same: Vec<&Word> = in_section().filter(|word| word.name == name).collect();
            write_words(&same, &mut text);
        }
    }
    text.push_str("\n## Functions that rules may have\n\n");
    text.push_str(
        "The host calls these if the rules define them. A variant can override them like any other function.\n",
    );
    for asked in HOST_FUNCTIONS {
        text.push_str(&format!("\n### `{}`\n\n{}\n\n```rust\n{}\n```\n", asked.usage(), asked.doc, asked.example));
    }
    with_contents(&text)
}

const INTRODUCTION: &str = "\
# The vocabulary

Every word that rules can use. This page is made from the program; `help WORD` in the REPL shows the same.

Rules are written in Rhai: functions, `let`, `if`, `switch`, `while`, `for`, closures `|x| …`, texts in backticks with
`${…}` inside. [The Rhai that rules use](rhai.md) is the whole language on one page. Scripts use what a game declares
in its TOML by name: zones of the table (`ring`), zones and variables of a player (`p.hand`, `p.score`), variables of
the table (`table.special_color`), attributes of components (`card.number`), the rulebook's numbers
(`data.hand_size`), and the layer's own `settings`. `players` are all players in turn order. A variable that holds a
player has `nobody` while it has none. `super(…)` calls the definition of a function in the layer below.

Numbers are whole numbers. Players and zones of a kind are numbered from 1, as they are printed; positions in a zone or
list count from 0, from the bottom or left. You can use a function (`|x| …`) only where a word takes one.
";

/// Writes the entry for all words of one name: their forms, then their meanings.
fn write_words(same: &[&Word], text: &mut String) {
    let Some(first) = same.first() else { return };
    text.push_str(&format!("\n### `{}`\n\n```rust\n", first.name));
    for word in same {
        let form = match word.form {
            Form::Property => "  // a property",
            Form::Method | Form::Function | Form::Operator | Form::Callback => "",
        };
        text.push_str(&format!("{} -> {}{form}\n", word.usage(), word.result.name()));
    }
    text.push_str("```\n\n");
    for (position, word) in same.iter().enumerate() {
        if same[..position].iter().any(|before| before.doc == word.doc) {
            continue;
        }
        let paragraphs: Vec<String> = word
            .prose()
            .split("\n\n")
            .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|paragraph| !paragraph.is_empty())
            .collect();
        text.push_str(&paragraphs.join("\n\n"));
        text.push_str("\n\n");
        let example = word.example();
        if !example.is_empty() {
            text.push_str(&format!("```rust\n{example}\n```\n\n"));
        }
    }
    let receivers = receivers_of(same.iter().copied());
    if receivers.len() > 1 {
        text.push_str(&format!("Works on: {}.\n", receivers.join(", ")));
    } else {
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
}
