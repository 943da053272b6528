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
//!   translated with it; strings are where they are a text of the sources, unless `{=name}` in the translation marks a
//!   hole that can hold a game's text.
//! * [`told`] translates what another program has put together in English, the help of the command line. It finds the
//!   text of the catalogue whose holes were filled.

mod en;
mod ja;
mod message;
mod reader;
mod template;
mod words;

use crate::compressed;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;
use template::Template;

pub use message::{Message, message};
pub use words::{PageWords, RulebookWords, ScreenWords, Words, fill};

/// Most levels of phrases in phrases that are translated.
const MAX_DEPTH: usize = 5;
/// Longest text that is translated, in bytes; longer ones quote files.
const MAX_BYTES: usize = 6_000;
/// Most items of a list that are translated; a longer list is one of names.
const MAX_LIST_ITEMS: usize = 8;
/// Most phrases that are translated in one text; the rest stays as it is.
const MAX_PHRASES_PER_TEXT: usize = 48;
/// Most steps of the search for the contents of a template's holes.
const MAX_HOLE_SEARCH_STEPS: usize = 50_000;

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
            let entries = toml::from_str::<BTreeMap<String, String>>(&text).unwrap_or_default();
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

/// Most words of a name, such as *Up or Down?*.
const MAX_NAME_WORDS: usize = 3;

/// The translations of one language.
struct Catalogue {
    /// The end of a sentence.
    full_stop: &'static str,
    /// Every text as it is written, with its translation; braces in texts that are no formats stand for themselves.
    exact: HashMap<String, String>,
    /// The texts with holes, which are matched as templates.
    templates: Vec<Template>,
    /// Index of each template, by the text of the sources.
    by_text: HashMap<String, usize>,
    /// Indices of templates such as `{} games`, by the noun behind the hole.
    by_noun: HashMap<String, usize>,
    /// Indices of templates by the letter that they begin with; `None` for those that begin with a hole.
    by_letter: BTreeMap<Option<char>, Vec<usize>>,
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
    ($text:literal $($hole:tt)*) => { $crate::catalogue::message!($text $($hole)*).said() };
}
pub use say;

/// Translates a text that another program has put together in English into the language that is [spoken](speak);
/// unchanged where the catalogue does not know it. Never for a text that could be a game's alone.
pub fn told(text: &str) -> Cow<'_, str> {
    match spoken().catalogue() {
        None => Cow::Borrowed(text),
        Some(catalogue) => Reading::new(catalogue).read(text),
    }
}

/// A number with its noun, `1 game`, `2 games`, in the language that is [spoken](speak); `what` is the singular.
pub fn counted(number: usize, what: &str) -> String {
    Message::counted(number, what).told().into_owned()
}

impl Catalogue {
    fn read(language: Language) -> Self {
        let mut catalogue = Self {
            full_stop: language.row().full_stop,
            exact: HashMap::new(),
            templates: Vec::new(),
            by_text: HashMap::new(),
            by_noun: HashMap::new(),
            by_letter: BTreeMap::new(),
        };
        for (_, english, told) in language.entries() {
            if let Some(template) = Template::of(&english, &told) {
                let number = catalogue.templates.len();
                catalogue.by_letter.entry(template.first()).or_default().push(number);
                catalogue.by_text.insert(english.clone(), number);
                if let Some(noun) = template.noun() {
                    catalogue.by_noun.insert(noun.to_owned(), number);
                }
                catalogue.templates.push(template);
            }
            catalogue.exact.insert(english, told);
        }
        catalogue
    }

    /// A separator of a list in this language.
    fn separator<'s>(&'s self, between: &'s str) -> &'s str {
        self.exact.get(between).map_or(between, String::as_str)
    }

    /// The templates that a text with this first letter could match.
    fn of_letter(&self, letter: Option<char>) -> impl Iterator<Item = &Template> {
        let beginning = self.by_letter.get(&letter).filter(|_| letter.is_some()).into_iter().flatten();
        let others = self.by_letter.get(&None).into_iter().flatten();
        beginning.chain(others).filter_map(|&number| self.templates.get(number))
    }
}

/// The translation of one text: the phrases found so far, and what is left of the search limits.
struct Reading<'c, 't> {
    catalogue: &'c Catalogue,
    /// Translations of the phrases looked up so far; `None` for those that have none.
    known: HashMap<&'t str, Option<String>>,
    /// Number of phrases that may still be looked up.
    phrases: usize,
    /// Number of steps of the search that may still be taken.
    steps: usize,
}

impl<'c, 't> Reading<'c, 't> {
    fn new(catalogue: &'c Catalogue) -> Self {
        Self { catalogue, known: HashMap::new(), phrases: MAX_PHRASES_PER_TEXT, steps: MAX_HOLE_SEARCH_STEPS }
    }

    /// Translates a text; blanks around it, which give it its place on a line, are kept.
    fn read(&mut self, text: &'t str) -> Cow<'t, str> {
        if let Some(told) = self.phrase(text, 0) {
            return Cow::Owned(told);
        }
        let inner = text.trim();
        match Some(inner).filter(|inner| inner.len() < text.len()).and_then(|inner| self.phrase(inner, 0)) {
            Some(told) => Cow::Owned(text.replacen(inner, &told, 1)),
            None => Cow::Borrowed(text),
        }
    }

    /// The translation of a text; `None` where the catalogue does not know it.
    fn phrase(&mut self, text: &'t str, depth: usize) -> Option<String> {
        let has_words = text.len() <= MAX_BYTES && text.chars().any(|letter| letter.is_ascii_alphabetic());
        if depth > MAX_DEPTH || !has_words {
            return None;
        }
        if let Some(told) = self.catalogue.exact.get(text) {
            return Some(told.clone());
        }
        if let Some(known) = self.known.get(text) {
            return known.clone();
        }
        self.phrases = self.phrases.checked_sub(1)?;
        let told = self.joined(text, depth).or_else(|| self.template(text, depth)).or_else(|| {
            // A line of help appears elsewhere as a sentence, with a full stop.
            let told = self.phrase(text.strip_suffix('.')?, depth)?;
            let full_stop = self.catalogue.full_stop;
            Some(if told.ends_with(full_stop) { told } else { told + full_stop })
        });
        self.known.insert(text, told.clone());
        told
    }

    /// The translation of what is wrong with what to do joined to it, which the catalogue has word for word.
    fn joined(&mut self, text: &'t str, depth: usize) -> Option<String> {
        let phrases = list(text, SEPARATORS[0]);
        let (&(first, behind), others) = phrases.split_first().filter(|(_, others)| !others.is_empty())?;
        let catalogue = self.catalogue;
        let others = others.iter().map(|(phrase, behind)| Some((catalogue.exact.get(*phrase)?, *behind)));
        let others: Vec<(&String, &str)> = others.collect::<Option<_>>()?;
        let mut told = self.phrase(first, depth + 1)? + catalogue.separator(behind);
        others.iter().for_each(|(phrase, behind)| told.extend([phrase.as_str(), catalogue.separator(behind)]));
        Some(told)
    }

    /// The translation of a text that fills the holes of a template.
    fn template(&mut self, text: &'t str, depth: usize) -> Option<String> {
        let catalogue = self.catalogue;
        let known = catalogue.of_letter(text.chars().next()).filter(|template| template.words() > 0);
        let mut found: Vec<(&Template, Vec<&'t str>)> =
            known.filter_map(|template| Some((template, template.holes(text, &mut self.steps)?))).collect();
        // A template that begins with words is a better match than one that begins with a hole, and one whose code is a
        // piece of code better than one whose code goes on over several.
        found.sort_by_key(|(template, holes)| {
            let is_in_code = |hole: usize| template.is_in_code(hole) && holes[hole].contains('`');
            let has_whole_code = !(0..holes.len()).any(is_in_code);
            std::cmp::Reverse((has_whole_code, template.first().is_some(), template.weight()))
        });
        found.into_iter().find_map(|(template, holes)| {
            if holes.iter().any(|hole| is_torn(hole)) {
                return None;
            }
            // `{} is {}` could be a game's text; `3 to 5` and what has code in its holes could not.
            if template.is_vague() && !holes.iter().all(|hole| is_figure(hole) || hole.starts_with('`')) {
                return None;
            }
            let told = holes.iter().enumerate().map(|(number, hole)| match template.is_verbatim(number) {
                true => Cow::Borrowed(*hole),
                false => self.hole(hole, depth + 1),
            });
            let told: Vec<Cow<'_, str>> = told.collect();
            // A person's own sentence could match a template that is little more than holes; it does not count where a
            // hole contains more than a phrase of the host or a short name.
            let is_meant = template.is_unmistakable()
                || told.iter().enumerate().all(|(number, told)| {
                    template.is_verbatim(number) || matches!(told, Cow::Owned(_)) || is_short(told)
                });
            is_meant.then(|| template.filled(&told))
        })
    }

    /// The content of a hole, translated where it is a phrase of the host or a list with some.
    fn hole(&mut self, hole: &'t str, depth: usize) -> Cow<'t, str> {
        self.phrases_in(hole, depth).map_or(Cow::Borrowed(hole), Cow::Owned)
    }

    /// The translation of a phrase of the host, or of a list of which at least one item is one, or of which all are
    /// code.
    fn phrases_in(&mut self, hole: &'t str, depth: usize) -> Option<String> {
        if let Some(told) = self.phrase(hole, depth) {
            return Some(told);
        }
        // However many names in backticks there are, nothing is looked for in them.
        let names = list(hole, NAME_SEPARATORS);
        if names.len() > 1 && names.iter().all(|(name, _)| is_code(name)) {
            return Some(names.iter().flat_map(|(name, behind)| [*name, self.catalogue.separator(behind)]).collect());
        }
        let things = SEPARATORS.iter().map(|level| list(hole, level)).find(|things| things.len() > 1)?;
        if things.len() > MAX_LIST_ITEMS || depth >= MAX_DEPTH {
            return None;
        }
        let told: Vec<Option<String>> = things.iter().map(|(thing, _)| self.phrases_in(thing, depth + 1)).collect();
        if told.iter().all(Option::is_none) {
            return None;
        }
        let parts = things.iter().zip(told);
        let parts = parts.flat_map(|((thing, behind), told)| {
            [told.unwrap_or_else(|| (*thing).to_owned()), self.catalogue.separator(behind).to_owned()]
        });
        Some(parts.collect())
    }
}

/// Whether a hole contains only a figure: digits with signs, separators, blanks or `%`.
fn is_figure(hole: &str) -> bool {
    let is_of_figure = |letter: char| letter.is_ascii_digit() || ",.-−+ %".contains(letter);
    !hole.is_empty() && hole.chars().all(is_of_figure)
}

/// Whether the content of a hole is short enough for a name or a figure, and no sentence in English.
fn is_short(told: &str) -> bool {
    let outside = told.split('`').step_by(2).flat_map(|part| part.split('"').step_by(2));
    outside.map(template::words).sum::<usize>() <= MAX_NAME_WORDS
}

/// Separators between items of a list, the loosest first.
const SEPARATORS: [&[&str]; 4] = [&["; "], &[": "], &[", and ", ", or ", ", "], &[" and ", " or "]];

/// Separators between names.
const NAME_SEPARATORS: &[&str] = &[", and ", ", or ", ", ", " and ", " or "];

/// The items of a list, each with the separator after it. Text in backticks or brackets is one item.
fn list<'t>(text: &'t str, separators: &[&'static str]) -> Vec<(&'t str, &'static str)> {
    let mut things = Vec::new();
    let (mut begin, mut at, mut depth, mut is_code) = (0, 0, 0_usize, false);
    while let Some(letter) = text[at..].chars().next() {
        match letter {
            '`' => is_code = !is_code,
            '(' | '[' | '{' if !is_code => depth += 1,
            ')' | ']' | '}' if !is_code => depth = depth.saturating_sub(1),
            _ => {}
        }
        let rest = &text[at..];
        let between = separators.iter().find(|between| !is_code && depth == 0 && rest.starts_with(**between));
        match between {
            Some(between) => {
                things.push((&text[begin..at], *between));
                at += between.len();
                begin = at;
            }
            None => at += letter.len_utf8(),
        }
    }
    things.push((&text[begin..], ""));
    things
}

/// Whether a hole begins in one piece of code and ends in another: its backticks enclose what stands between names.
fn is_torn(hole: &str) -> bool {
    hole.split('`').skip(1).step_by(2).any(|between| NAME_SEPARATORS.contains(&between))
}

/// Whether an item of a list is one piece of code in backticks and nothing else.
fn is_code(thing: &str) -> bool {
    thing.len() > 2 && thing.starts_with('`') && thing.ends_with('`') && thing.matches('`').count() == 2
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// The translation of a text, and the phrases and steps that it took.
    fn work(text: &str) -> (String, usize, usize) {
        let mut reading = Reading::new(Language::Japanese.catalogue().unwrap());
        let told = reading.read(text).into_owned();
        (told, MAX_PHRASES_PER_TEXT - reading.phrases, MAX_HOLE_SEARCH_STEPS - reading.steps)
    }

    #[test]
    fn however_a_text_is_made_little_is_looked_for_in_it() {
        for piece in
            ["1 to 2 of 3 and 4 or more", "a card or `b`: the game", "x, y of z is not w; and `v`", "` {} and "]
        {
            for count in [1, 5, 30, 200] {
                for between in [", ", "; ", " and ", ": ", " "] {
                    let text = vec![piece; count].join(between);
                    let (_, phrases, steps) = work(&text);
                    assert!(
                        phrases <= MAX_PHRASES_PER_TEXT && steps <= MAX_HOLE_SEARCH_STEPS,
                        "{phrases} {steps}: {text}"
                    );
                }
            }
        }
        let rule = "Each player in turn plays a card from the hand, face up, and whoever has played the highest one \
                    of the suit that was led takes the trick and leads the next; if nobody can follow, the leader of \
                    the trick takes it, and the player to the left deals and shuffles, unless there are fewer than 3 \
                    cards left, in which case the round is over and everybody counts the points of the tricks.";
        let (told, phrases, steps) = work(rule);
        assert!(told == rule && phrases < 20 && steps < 5_000, "{phrases} {steps}: {told}");
    }

    #[test]
    fn phrases_that_are_joined_are_translated_one_by_one() {
        speak(Language::Japanese);
        let told = told(
            "the bank has 30 coins, and 94 more were wanted for p1.coins; let the rules compare first, or use \
             `take_up_to`, which takes no more than there are",
        );
        let said = super::told("input line 4: no cards left; deal again").into_owned();
        speak(Language::English);
        assert!(!told.contains("first") && told.contains("p1.coins のために"), "{told}");
        // Where one of them is no phrase, they stay in the hole together.
        assert!(said.starts_with("入力の4行目："), "{said}");
    }

    #[test]
    fn a_hole_in_backticks_is_one_name() {
        speak(Language::Japanese);
        let told = told("`foo` is not `with`, `without` or `set`").into_owned();
        let needed = super::told("`b` needs `a`, so `a` is in play too").into_owned();
        speak(Language::English);
        assert_eq!(needed, "`b` には `a` が必要です。そのため `a` も有効です");
        assert_eq!(told, "`foo` は`with`、`without`または`set`ではありません");
    }

    #[test]
    fn in_english_nothing_is_looked_for() {
        speak(Language::English);
        assert!(matches!(told("nothing is left"), Cow::Borrowed(_)));
        assert_eq!(said("by hand"), "by hand");
    }

    #[test]
    fn the_sentence_that_was_begun_is_meant() {
        speak(Language::Japanese);
        let told = |text| told(text).into_owned();
        assert_eq!(told("the rules gave up: the game is over"), "ルールが途中で失敗しました：the game is over");
        let refused = told("input line 4: one is not allowed: it lies in two");
        assert!(refused.starts_with("入力の4行目：one ") && refused.ends_with("it lies in two"), "{refused}");
        for text in ["the game is over and out", "north to south"] {
            assert_eq!(told(text), text);
        }
        speak(Language::English);
    }

    #[test]
    fn lists_have_separators_in_every_language() {
        for language in Language::translations() {
            for between in SEPARATORS.iter().flat_map(|level| level.iter()) {
                assert!(language.catalogue().unwrap().exact.contains_key(*between), "{language:?} lacks {between:?}");
            }
        }
    }

    #[test]
    fn lists_are_left_alone_where_nothing_in_them_is_the_hosts() {
        let told = |text: &str| Reading::new(Language::Japanese.catalogue().unwrap()).hole(text, 1).into_owned();
        assert_eq!(told("oak, elm and fir"), "oak, elm and fir");
        assert_eq!(told("(card, table)"), "(card, table)");
        assert_eq!(told("takeable(p, card)"), "takeable(p, card)");
        assert_eq!(told("`a`, `b` and `c, d`"), "`a`、`b`、`c, d`");
        assert_eq!(told(&vec!["`a`"; 30].join(", ")), vec!["`a`"; 30].join("、"));
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
