//! Translation of what the host says into the language of the reader.
//!
//! The sources say everything in English, and so do files and `--json` for every reader. The catalogue has the same
//! texts in other languages: a file for each room of the sources, in which the English text, as it stands there with
//! its `{holes}`, is the key. [`Words`] stand around a game and on its pages; they are found by name, in English, too.
//!
//! A language is a row: what it is called, its files, its words, and how it writes.
//!
//! A game's own texts are translated in the game's files. The catalogue does not translate them, nor source, commands
//! and names. So a text is not looked up just because it is shown; code that shows a text of the host says so:
//!
//! * [`said`] translates a text of the sources, which only a literal can be.
//! * `say!` translates a text of the sources with holes; what fills the holes stays as it is.
//! * `message!` makes a [`Message`] of such a text: data, which is English for programs and is translated when it is
//!   drawn for a reader. [Diagnostics](crate::diagnostic::Diagnostic) are made of messages. Messages in its holes are
//!   translated with it; strings, such as names of a game, stay as they are.
//! * [`told`] translates what the parser of the command line has put together in English: the one place where the text
//!   of the catalogue is found whose holes were filled.

mod en;
mod ja;
mod message;
mod reader;
mod template;
mod words;

use crate::compressed;
use crate::sorted::{SortedMap, sort_by_key};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;
use template::Template;

pub use message::{Message, message};
pub use words::{PageWords, RulebookWords, ScreenWords, Words, fill};

/// The room of the texts of the parsers of the command line and of TOML, whose English is their own.
const FOREIGN_ROOM: &str = "parsers";

/// Declares every language, with the row of what differs between languages.
macro_rules! languages {
    ($($(#[$about:meta])* $language:ident: $row:path;)*) => {
        /// A language of what the host says, and of the names and prompts of games.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
        pub enum Language {
            $($(#[$about])* $language,)*
        }

        impl Language {
            /// Every language, English first.
            pub const ALL: [Self; [$(stringify!($language)),*].len()] = [$(Self::$language),*];

            fn row(self) -> &'static Row {
                match self {
                    $(Self::$language => &$row,)*
                }
            }
        }
    };
}

languages! {
    /// English, the fallback.
    #[default]
    English: en::ROW;
    Japanese: ja::ROW;
}

/// What a language is called, what is written in it, and how it is written.
#[derive(Debug)]
struct Row {
    /// Code in options, in tags of pages, in names of files, and in the texts of games: `ja`.
    code: &'static str,
    /// Name, in English.
    name: &'static str,
    /// What a column of a table is called that shows the language: a text of the sources.
    in_it: &'static str,
    /// The end of a sentence.
    full_stop: &'static str,
    /// Whether there are blanks between words.
    has_blanks: bool,
    /// The [compressed] files of the catalogue, one for each room of the sources. English has none: the texts of the
    /// sources are English.
    texts: &'static [u8],
    words: Words,
}

impl Language {
    /// The language's code in options, in tags of pages, in names of files and in the texts of games: `ja`.
    pub fn code(self) -> &'static str {
        self.row().code
    }

    /// The name of the language, in English.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The name of the language, in a sentence.
    pub fn called(self) -> Message {
        self.name().into()
    }

    /// The language with a code.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }

    /// Every language but English.
    pub fn translations() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|language| *language != Self::English)
    }

    /// The heading, in this language, of a column that shows another one.
    pub fn heading_of(self, other: Self) -> &'static str {
        self.said(other.row().in_it)
    }

    /// Whether there are blanks between words.
    pub fn has_blanks(self) -> bool {
        self.row().has_blanks
    }

    /// The words around a game, on its pages and in its rulebook.
    pub fn words(self) -> &'static Words {
        &self.row().words
    }

    /// A text of the sources in this language; unchanged where the catalogue lacks it.
    pub fn said(self, text: &'static str) -> &'static str {
        self.catalogue().and_then(|catalogue| catalogue.exact.get(text)).map_or(text, String::as_str)
    }

    /// The entries of the language's catalogue: the room, the English key and its translation.
    pub fn entries(self) -> impl Iterator<Item = (String, String, String)> {
        compressed::texts(self.row().texts).into_iter().flat_map(|(file, text)| {
            let room = file.trim_end_matches(".toml").to_owned();
            let entries = toml::from_str::<SortedMap<String, String>>(&text).unwrap_or_default();
            entries.into_iter().map(move |(english, told)| (room.clone(), english, told))
        })
    }

    /// The texts of the host in this language; `None` in English.
    fn catalogue(self) -> Option<&'static Catalogue> {
        static CATALOGUES: [OnceLock<Catalogue>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        let row = self.row();
        let catalogue = CATALOGUES.get(self as usize).filter(|_| !row.texts.is_empty())?;
        Some(catalogue.get_or_init(|| Catalogue::read(self)))
    }
}

/// The translations of one language.
struct Catalogue {
    language: Language,
    /// Every text as it is written, with its translation; braces in texts that are no formats stand for themselves.
    exact: HashMap<String, String>,
    /// The texts with holes, which are matched as templates.
    templates: Vec<Template>,
    /// Index of each template, by the text of the sources.
    by_text: HashMap<String, usize>,
    /// Indices of templates such as `{} games`, by the noun behind the hole.
    by_noun: HashMap<String, usize>,
    /// Indices of the templates of texts that another program puts together, those with the most words outside the holes
    /// first.
    foreign: Vec<usize>,
}

/// Sets the language of this thread for everything it tells from here on.
pub fn speak(language: Language) {
    reader::CURRENT_LANGUAGE.set(language);
}

/// A guard that sets the language of this thread, and restores the previous one when it is dropped.
#[derive(Debug)]
pub struct LanguageGuard {
    before: Language,
}

impl LanguageGuard {
    /// Sets the language until the guard is dropped.
    pub fn of(language: Language) -> Self {
        Self { before: reader::CURRENT_LANGUAGE.replace(language) }
    }
}

impl Drop for LanguageGuard {
    fn drop(&mut self) {
        speak(self.before);
    }
}

/// The language of this thread; English unless it was set.
pub fn spoken() -> Language {
    reader::CURRENT_LANGUAGE.get()
}

/// Translates a text of the sources into the language that is [spoken](speak); unchanged where the catalogue lacks it.
///
/// Only what is written in the sources is `'static`, so no text of a game gets here.
pub fn said(text: &'static str) -> &'static str {
    spoken().said(text)
}

/// Translates a line of help as [`said`] does, and ends it with the full stop of the language that is [spoken](speak).
pub fn sentence(line: &'static str) -> String {
    let (line, full_stop) = (said(line), spoken().row().full_stop);
    if line.ends_with(full_stop) { line.to_owned() } else { format!("{line}{full_stop}") }
}

/// Formats like [`format!`], in the language that is [spoken](speak): the holes of the translation are filled like
/// those of the text. Values stay as they are, so a value that is a text of the host has to be [`said`] there.
#[macro_export]
macro_rules! say {
    ($text:literal $($hole:tt)*) => { $crate::catalogue::message!($text $($hole)*).told().into_owned() };
}
pub use say;

/// Translates a line that the parser of the command line has put together, or a text of the sources, into the language
/// that is [spoken](speak); unchanged where the catalogue does not know it. The contents of holes are translated alike.
pub fn told(line: &str) -> Cow<'_, str> {
    let found = spoken().catalogue().and_then(|catalogue| catalogue.found(line));
    found.map_or(Cow::Borrowed(line), Cow::Owned)
}

/// A number with its noun, `1 game`, `2 games`, in the language that is [spoken](speak); `what` is the singular.
pub fn counted(number: usize, what: &str) -> String {
    Message::counted(number, what).told().into_owned()
}

impl Catalogue {
    fn read(language: Language) -> Self {
        let mut catalogue = Self {
            language,
            exact: HashMap::new(),
            templates: Vec::new(),
            by_text: HashMap::new(),
            by_noun: HashMap::new(),
            foreign: Vec::new(),
        };
        for (room, english, told) in language.entries() {
            if let Some(template) = Template::of(&english, &told) {
                let number = catalogue.templates.len();
                if room == FOREIGN_ROOM {
                    catalogue.foreign.push(number);
                }
                catalogue.by_text.insert(english.clone(), number);
                if let Some(noun) = template.noun() {
                    catalogue.by_noun.insert(noun.to_owned(), number);
                }
                catalogue.templates.push(template);
            }
            catalogue.exact.insert(english, told);
        }
        let Self { foreign, templates, .. } = &mut catalogue;
        sort_by_key(foreign, |&number| std::cmp::Reverse(templates[number].weight()));
        catalogue
    }

    /// The translation of a text word for word, or of a line of which a foreign template is the frame.
    fn found(&self, line: &str) -> Option<String> {
        let exact = |text: &str| self.exact.get(text).cloned();
        // The parser takes the full stop away behind the last sentence of a help.
        exact(line).or_else(|| exact(&format!("{line}."))).or_else(|| {
            let known = self.foreign.iter().filter_map(|&number| self.templates.get(number));
            known.filter_map(|template| Some((template, template.holes(line)?))).next().map(|(template, holes)| {
                let told = |(number, hole): (usize, &&str)| {
                    let told = Some(*hole).filter(|_| !template.is_quoted(number)).and_then(|hole| self.found(hole));
                    told.unwrap_or_else(|| (*hole).to_owned())
                };
                template.filled(&holes.iter().enumerate().map(told).collect::<Vec<_>>())
            })
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_the_parser_of_the_command_line_says_is_found() {
        speak(Language::Japanese);
        let told = |line| told(line).into_owned();
        assert_eq!(told("error: unexpected argument '--x' found"), "エラー: '--x' という引数はありません");
        let refused = "error: invalid value 'x' for '--dir <FOLDER>': by hand";
        assert_eq!(told(refused), "エラー: '--dir <FOLDER>' に 'x' は指定できません：手動");
        assert_eq!(
            told("error: invalid value 'x' for '--lang <LANG>'"),
            "エラー: '--lang <LANG>' に 'x' は指定できません"
        );
        // What is typed there is not searched for texts of the program.
        assert_eq!(told("error: unexpected argument 'by hand' found"), "エラー: 'by hand' という引数はありません");
        assert_eq!(told("nobody knows this line"), "nobody knows this line");
        speak(Language::English);
        assert!(matches!(super::told("Usage:"), Cow::Borrowed(_)));
        assert_eq!(said("by hand"), "by hand");
    }

    #[test]
    fn lists_have_separators_in_every_language() {
        for language in Language::translations() {
            for between in ["; ", ": ", ", ", " and ", " or "] {
                assert!(language.catalogue().unwrap().exact.contains_key(between), "{language:?} lacks {between:?}");
            }
        }
    }

    #[test]
    fn what_stands_in_a_hole_stays_as_it_is() {
        speak(Language::Japanese);
        for name in ["a card", "the game", "3 to 5", "one lies in two", "", "x is out of play"] {
            let place = "everything";
            assert_eq!(say!("{name} lies in {}", place), format!("{name} は everything にあります"));
            assert_eq!(say!("{name} is out of play"), format!("{name} は場の外です"));
        }
        speak(Language::English);
        assert_eq!(say!("{} is out of play", "a card"), "a card is out of play");
    }
}
