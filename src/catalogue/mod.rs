//! What the host says, in the language of whoever reads it.
//!
//! The sources say everything in English, and so do files and `--json`, whoever reads them. The catalogue has the same
//! texts in other languages: a file for each room of the sources, in which the English text, as it stands there with its
//! `{holes}`, is the key. A text meets its translation where it is shown: in [diagnostics](crate::Diagnostic), in help,
//! on the screen. So nobody who says something has to think of languages, and a test tells what the catalogue lacks.
//!
//! A game's own texts have their languages in the game's files; they are none of the catalogue's business.

mod reader;
mod template;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;
use template::{Template, words};

/// The files of the Japanese catalogue, one for each room of the sources.
const JAPANESE: &[(&str, &str)] = &[
    ("agent", include_str!("ja/agent.toml")),
    ("clap", include_str!("ja/clap.toml")),
    ("cli", include_str!("ja/cli.toml")),
    ("command_line", include_str!("ja/command_line.toml")),
    ("definition", include_str!("ja/definition.toml")),
    ("diagnostic", include_str!("ja/diagnostic.toml")),
    ("host", include_str!("ja/host.toml")),
    ("inspect", include_str!("ja/inspect.toml")),
    ("lab", include_str!("ja/lab.toml")),
    ("playthrough", include_str!("ja/playthrough.toml")),
    ("repl", include_str!("ja/repl.toml")),
    ("ruleset", include_str!("ja/ruleset.toml")),
    ("scenario", include_str!("ja/scenario.toml")),
    ("screen", include_str!("ja/screen.toml")),
    ("script", include_str!("ja/script.toml")),
    ("share", include_str!("ja/share.toml")),
    ("table", include_str!("ja/table.toml")),
    ("vocabulary", include_str!("ja/vocabulary.toml")),
    ("words", include_str!("ja/words.toml")),
];

/// How deep phrases are looked for in phrases.
const MAX_DEPTH: usize = 5;
/// Longer texts are not told by the host: they quote files.
const MAX_CHARS: usize = 6_000;
/// On a screen that shows games too, a template has to have so many words of its own: `{} of {}` could be a card.
const LEAST_WORDS_ON_A_SCREEN: usize = 2;

/// The languages that people read: what the host says, and the names and prompts of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Language {
    /// English, and the one fallen back to.
    #[default]
    English,
    /// Japanese.
    Japanese,
}

/// A name has at most so many words: *Up or Down?*.
const MOST_WORDS_OF_A_NAME: usize = 3;

/// All texts of one language.
struct Catalogue {
    /// Texts without holes.
    exact: HashMap<String, String>,
    /// Texts with holes, by the first letter of what they begin with; `None` for those that
    /// begin with a hole.
    templates: BTreeMap<Option<char>, Vec<Template>>,
}

static IN_JAPANESE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::read(JAPANESE));

/// Sets the language in which this thread tells everything from here on.
pub fn speak(language: Language) {
    reader::SPOKEN.set(language);
}

/// The language in which this thread tells things; English unless somebody has said otherwise.
pub fn spoken() -> Language {
    reader::SPOKEN.get()
}

/// A text of the host in the language that is [spoken](speak); as it is where the catalogue does not know it.
pub fn said(text: &str) -> Cow<'_, str> {
    match spoken() {
        Language::English => Cow::Borrowed(text),
        Language::Japanese => IN_JAPANESE.translated(text, 1, 0).map_or(Cow::Borrowed(text), Cow::Owned),
    }
}

/// As [`said`], for a place where texts of games are shown too: what could be a name is left alone.
pub fn said_on_screen(text: &str) -> Cow<'_, str> {
    match spoken() {
        Language::English => Cow::Borrowed(text),
        Language::Japanese => {
            let inner = text.trim();
            if inner.len() != text.len()
                && let Some(told) = IN_JAPANESE.translated(text, LEAST_WORDS_ON_A_SCREEN, 0)
            {
                return Cow::Owned(told);
            }
            match IN_JAPANESE.translated(inner, LEAST_WORDS_ON_A_SCREEN, 0) {
                Some(told) if inner.len() == text.len() => Cow::Owned(told),
                // Blanks around a text put it into its place on a line.
                Some(told) => Cow::Owned(text.replacen(inner, &told, 1)),
                None => Cow::Borrowed(text),
            }
        }
    }
}

/// The English keys of the Japanese catalogue, each with the room it belongs to and its translation.
#[cfg(any(test, feature = "reference"))]
pub fn japanese() -> Vec<(&'static str, String, String)> {
    let of_room = |&(room, text): &(&'static str, &str)| {
        entries(text).into_iter().map(move |(english, told)| (room, english, told)).collect::<Vec<_>>()
    };
    JAPANESE.iter().flat_map(of_room).collect()
}

fn entries(text: &str) -> Vec<(String, String)> {
    toml::from_str::<BTreeMap<String, String>>(text).unwrap_or_default().into_iter().collect()
}

impl Catalogue {
    fn read(files: &[(&str, &str)]) -> Self {
        let mut exact = HashMap::new();
        let mut templates: BTreeMap<Option<char>, Vec<Template>> = BTreeMap::new();
        for (english, told) in files.iter().flat_map(|(_, text)| entries(text)) {
            match Template::of(&english, &told) {
                Some(template) => templates.entry(template.first()).or_default().push(template),
                None => drop(exact.insert(english, told)),
            }
        }
        Self { exact, templates }
    }

    /// A text in this language, if it is one that the catalogue has, with at least so many words of its own.
    fn translated(&self, text: &str, least_words: usize, depth: usize) -> Option<String> {
        let is_told = text.len() <= MAX_CHARS && text.chars().any(|letter| letter.is_ascii_alphabetic());
        if depth > MAX_DEPTH || !is_told {
            return None;
        }
        if let Some(told) = self.exact.get(text)
            && words(text) >= least_words
        {
            return Some(told.clone());
        }
        let beginning = self.templates.get(&text.chars().next()).into_iter().flatten();
        let others = self.templates.get(&None).into_iter().flatten();
        let fits = |template: &&Template| template.words() >= least_words.max(1);
        let known = beginning.chain(others).filter(fits);
        let mut found: Vec<(&Template, Vec<&str>)> =
            known.filter_map(|template| Some((template, template.holes(text)?))).collect();
        found.sort_by_key(|(template, _)| std::cmp::Reverse(template.weight()));
        let told = found.into_iter().find_map(|(template, holes)| {
            let told = |(number, hole): (usize, &&'_ str)| match template.is_code(number) {
                true => (*hole).to_owned(),
                false => self.inner(hole, depth + 1).into_owned(),
            };
            let told: Vec<String> = holes.iter().enumerate().map(told).collect();
            // Somebody's own sentence could have the shape of a text that is little else than holes.
            let is_short = |(number, told): (usize, &String)| template.is_code(number) || is_short(told);
            let is_meant = template.is_unmistakable() || told.iter().enumerate().all(is_short);
            is_meant.then(|| template.filled(&told))
        });
        told.or_else(|| {
            // A line of help stands elsewhere as a sentence.
            let told = self.translated(text.strip_suffix('.')?, least_words, depth)?;
            Some(if told.ends_with('。') { told } else { told + "。" })
        })
    }

    /// What stands in a hole: a phrase of the host, several of them, or something that has no language.
    fn inner<'a>(&self, hole: &'a str, depth: usize) -> Cow<'a, str> {
        if let Some(told) = self.translated(hole, 1, depth) {
            return Cow::Owned(told);
        }
        // A list of things, each of which may be known.
        match first_separator(hole).filter(|_| depth < MAX_DEPTH) {
            Some((before, told, behind)) => {
                Cow::Owned(format!("{}{told}{}", self.inner(before, depth + 1), self.inner(behind, depth)))
            }
            None => Cow::Borrowed(hole),
        }
    }
}

/// Whether a text that may have a hole's content in it is a name or a figure, and no sentence in English.
fn is_short(told: &str) -> bool {
    let outside = told.split('`').step_by(2).flat_map(|part| part.split('"').step_by(2));
    outside.map(words).sum::<usize>() <= MOST_WORDS_OF_A_NAME
}

/// What stands between things of a list, and in Japanese.
const SEPARATORS: [(&str, &str); 5] = [("; ", "、"), (", ", "、"), (" and ", "と"), (" or ", "または"), (": ", "：")];

/// The first thing of a list, what stands behind it in Japanese, and the rest; code in backticks is one thing.
fn first_separator(text: &str) -> Option<(&str, &'static str, &str)> {
    let is_outside = |&(place, _): &(usize, &str)| text[..place].matches('`').count().is_multiple_of(2);
    let places = SEPARATORS.iter().filter_map(|(between, told)| {
        let (place, found) = text.match_indices(between).find(is_outside)?;
        Some((place, found, *told))
    });
    let (place, found, told) = places.min_by_key(|(place, ..)| *place)?;
    Some((&text[..place], told, &text[place + found.len()..]))
}
