//! The choice of rules, by the names that a person types and replays keep; as a command, too.

use crate::diagnostic::classify_chars;
use std::borrow::Cow;

/// A choice of rules, by the names that a person types and replays keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Id of the game.
    pub game: String,
    /// Ids of variants, or paths to variant files, in order.
    pub variants: Vec<String>,
    /// Settings as typed: `double.bonus=2`.
    pub set: Vec<String>,
}

impl Selection {
    /// A selection of a game without variants.
    pub fn of(game: &str) -> Self {
        Self { game: game.to_owned(), ..Self::default() }
    }

    /// The selection with one more variant on top.
    #[must_use]
    pub fn with(mut self, variant: &str) -> Self {
        self.variants.push(variant.to_owned());
        self
    }

    /// The shell command `houserule {name}` with this selection as its arguments.
    pub fn command(&self, name: &str) -> String {
        let given = |option: &str, all: &[String]| {
            all.iter().map(|one| format!(" {option} {}", shell_quoted(one))).collect::<String>()
        };
        format!(
            "houserule {name} {}{}{}",
            shell_quoted(&self.game),
            given("-v", &self.variants),
            given("--set", &self.set)
        )
    }

    /// Whether this selection is a proper part of `other`: the same game, and `other` has all its variants and
    /// settings.
    pub fn is_part_of(&self, other: &Self) -> bool {
        let mut rest = other.variants.iter();
        self != other
            && self.game == other.game
            && self.variants.iter().all(|variant| rest.any(|known| known == variant))
            && self.set.iter().all(|set| other.set.contains(set))
    }
}

/// Quotes a word for a shell of this system, where that is needed. A character that could act on a terminal, or cannot
/// be seen, is written by its code, as shells read it in `$'…'`, so that a command shown to somebody does what it looks
/// like. A word that begins with `-` gets `./` in front, so that no command reads it as an option.
pub fn shell_quoted(word: &str) -> Cow<'_, str> {
    if word.starts_with('-') && word != "-" {
        return Cow::Owned(shell_quoted(&format!("./{word}")).into_owned());
    }
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=,:+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        Cow::Borrowed(word)
    } else if classify_chars(word).any(|(_, is_treacherous)| is_treacherous) {
        Cow::Owned(format!("$'{}'", classify_chars(word).map(escaped).collect::<String>()))
    } else if cfg!(windows) {
        // The one way that both `cmd` and PowerShell read.
        Cow::Owned(format!("\"{}\"", word.replace('"', "\\\"")))
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', "'\\''")))
    }
}

/// A character as written inside `$'…'`: a treacherous one by its code.
fn escaped((letter, is_treacherous): (char, bool)) -> String {
    match letter {
        '\'' | '\\' => format!("\\{letter}"),
        '\n' => "\\n".to_owned(),
        _ if is_treacherous && letter.is_ascii() => format!("\\x{:02x}", u32::from(letter)),
        _ if is_treacherous => format!("\\U{:08x}", u32::from(letter)),
        _ => letter.to_string(),
    }
}

/// A part of a selection, to say where it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionPart {
    /// The id of the game.
    Game,
    /// The list of variants.
    Variants,
    /// One of the variants, by its index.
    Variant(usize),
    /// One of the settings, by its index.
    Set(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_is_shown_shows_everything_that_is_in_it() {
        assert_eq!(shell_quoted("lucky.foo=a"), "lucky.foo=a");
        let [word, words] =
            if cfg!(windows) { ["\"it's\"", "\"♠\u{fe0f} ク\""] } else { ["'it'\\''s'", "'♠\u{fe0f} ク'"] };
        assert_eq!([shell_quoted("it's"), shell_quoted("♠\u{fe0f} ク")], [word, words]);
        assert_eq!([shell_quoted("-v.toml"), shell_quoted("-")], ["./-v.toml", "-"], "no option");
        let set = "lucky.foo=a\u{1b}]0;owned\u{7}'\\\nVerified\u{202e}".to_owned();
        let command = Selection { set: vec![set], ..Selection::of("pig") }.command("play");
        assert_eq!(command, r"houserule play pig --set $'lucky.foo=a\x1b]0;owned\x07\'\\\nVerified\U0000202e'");
    }
}
