//! Documentation pages built into the program: the cookbook, and the language of the rules.
//!
//! They are the pages of `docs/` themselves, so that help and documentation agree. A person asks for a page by its
//! name, and for a section by any words of its heading or of the line `Also called: …` below it.

use crate::catalogue::{Language, said, say, spoken};
use crate::diagnostic::{Help, did_you_mean};
use crate::screen::markdown;
use crate::screen::style::{self, Line};

/// A page of the documentation.
#[derive(Debug, PartialEq, Eq)]
pub struct Page {
    /// The name to ask for it.
    pub name: &'static str,
    /// A description in a few words.
    pub about: &'static str,
    text: &'static str,
}

/// The cookbook: recipes for rules that many games need.
pub const COOKBOOK: Page = Page {
    name: "cookbook",
    about: "short recipes: auctions, drafts, markets, hidden roles …",
    text: include_str!("../../docs/cookbook.md"),
};

/// The language of the rules.
pub const LANGUAGE: Page =
    Page { name: "rhai", about: "the language of the rules, on one page", text: include_str!("../../docs/rhai.md") };

/// All pages.
pub const PAGES: [&Page; 2] = [&COOKBOOK, &LANGUAGE];

/// A section of a page, with its heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// Other names, from the line `Also called: …`.
    pub also: Vec<&'static str>,
    text: &'static str,
}

/// The beginning of the line with a section's other names.
const ALIASES_PREFIX: &str = "Also called: ";

/// Words that are ignored in the names of sections.
const STOP_WORDS: [&str; 5] = ["a", "the", "of", "open", "your"];

impl Page {
    /// The sections, in order.
    pub fn sections(&self) -> Vec<Section> {
        self.text.split("\n## ").skip(1).map(Section::of).collect()
    }

    /// The sections with this name or, if there are none, those whose names contain all its words.
    pub fn find(&self, name: &str) -> Vec<Section> {
        let asked = words(name);
        let sections = self.sections();
        let called: Vec<Section> = sections.iter().filter(|section| section.is_called(&asked)).cloned().collect();
        if !called.is_empty() || asked.iter().all(|word| STOP_WORDS.contains(&word.as_str())) {
            return called;
        }
        sections.into_iter().filter(|section| section.has(&asked)).collect()
    }

    /// A suggestion of similarly named sections for a name that finds none: by heading, by another name, or by a single
    /// word.
    pub fn did_you_mean(&self, name: &str) -> Option<Help> {
        let sections = self.sections();
        let called: Vec<String> = sections.iter().flat_map(|section| section.called()).collect();
        let words = called.iter().flat_map(|name| words(name)).filter(|word| !STOP_WORDS.contains(&word.as_str()));
        let words: Vec<String> = words.collect();
        let known = |names: &[String]| did_you_mean(name, names.iter().map(String::as_str));
        known(&called).or_else(|| known(&words))
    }

    /// The whole page as lines.
    pub fn lines(&self, width: usize) -> Vec<Line> {
        in_english().into_iter().chain(markdown::lines(self.text, width)).collect()
    }

    /// The table of contents, a line per section.
    pub fn contents(&self, width: usize) -> Vec<Line> {
        let mut lines =
            vec![Line::strong(self.name).with(format!("  {}", said(self.about)), style::Label::Plain).cut(width)];
        lines.extend(in_english());
        lines.extend(contents(&self.sections(), width));
        lines.push(Line::faint(say!("`help {} NAME` shows one", self.name)).cut(width));
        lines
    }
}

impl Section {
    fn of(text: &'static str) -> Self {
        let (title, text) = text.split_once('\n').unwrap_or((text, ""));
        let text = text.trim();
        let (also, text) = match text.strip_prefix(ALIASES_PREFIX) {
            Some(behind) => behind.split_once('\n').unwrap_or((behind, "")),
            None => ("", text),
        };
        let also = also.trim_end_matches('.').split(", ").filter(|name| !name.is_empty()).collect();
        Self { title, also, text: text.trim() }
    }

    /// The heading as a person types it: `auction open`.
    pub fn name(&self) -> String {
        self.title.to_lowercase().replace(',', "")
    }

    /// The whole section as lines.
    pub fn lines(&self, width: usize) -> Vec<Line> {
        let mut lines = vec![Line::strong(self.title).cut(width)];
        lines.extend(in_english());
        lines.extend(markdown::lines(self.text, width));
        lines
    }

    /// The first code block in a language.
    pub fn code(&self, language: &str) -> Option<&'static str> {
        let (_, behind) = self.text.split_once(&format!("```{language}\n"))?;
        Some(behind.split_once("```")?.0)
    }

    /// The whole section in Markdown.
    pub fn markdown(&self) -> &'static str {
        self.text
    }

    /// The first line, which says what the section is about.
    pub fn about(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default()
    }

    /// The heading and the other names, as a person types them.
    fn called(&self) -> impl Iterator<Item = String> {
        std::iter::once(self.name()).chain(self.also.iter().map(|name| name.to_lowercase()))
    }

    fn names(&self) -> impl Iterator<Item = Vec<String>> {
        std::iter::once(self.title).chain(self.also.iter().copied()).map(words)
    }

    /// Whether a name has exactly these words, in any order: `open auction` is `Auction, open`.
    fn is_called(&self, asked: &[String]) -> bool {
        self.names().any(|name| name.len() == asked.len() && asked.iter().all(|word| name.contains(word)))
    }

    fn has(&self, asked: &[String]) -> bool {
        self.names().any(|name| asked.iter().all(|word| name.contains(word)))
    }
}

/// A note that a page is in English, where another language is spoken.
fn in_english() -> Option<Line> {
    (spoken() != Language::English).then(|| Line::faint(said("This page is in English.")))
}

/// A list of sections, each with its first line.
pub fn contents(sections: &[Section], width: usize) -> Vec<Line> {
    let column = sections.iter().map(|section| style::width(section.title)).max().unwrap_or(0);
    let row = |section: &Section| {
        let lead = Line::plain(format!("  {}  ", style::pad(section.title, column)));
        let room = width.saturating_sub(lead.width());
        style::hang(lead, style::wrapped(section.about(), room))
    };
    sections.iter().flat_map(row).collect()
}

/// The page that a name begins with, and the rest of the name.
pub fn page_of(name: &str) -> Option<(&'static Page, &str)> {
    PAGES.into_iter().find_map(|page| {
        let rest = name.strip_prefix(page.name)?;
        (rest.is_empty() || rest.starts_with(' ')).then(|| (page, rest.trim()))
    })
}

/// The words of a name, normalised for comparison: lower case, singular, without punctuation.
fn words(name: &str) -> Vec<String> {
    let words = name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| singular(&word.to_lowercase())).collect()
}

fn singular(word: &str) -> String {
    match word.strip_suffix('s') {
        Some(one) if one.len() > 2 && !one.ends_with('s') => one.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str) -> Vec<&'static str> {
        COOKBOOK.find(name).iter().map(|section| section.title).collect()
    }

    #[test]
    fn a_recipe_is_found_by_what_people_call_it() {
        for (name, title) in [
            ("open auction", "Auction, open"),
            ("auction, open", "Auction, open"),
            ("English auction", "Auction, open"),
            ("sealed bid", "Auction, sealed"),
            ("drafting", "Draft"),
            ("drafts", "Draft"),
            ("trump", "Trump"),
            ("trick taking", "Trump"),
            ("rummy", "Melds"),
            ("partnership", "Partners"),
            ("teams", "Partners"),
            ("secret bid", "Secret bid"),
            ("interrupt", "Interrupt"),
            ("timer", "Timer"),
            ("grid", "Board"),
            ("market", "Market"),
            ("shop", "Market"),
            ("press your luck", "Push your luck"),
            ("push-your-luck", "Push your luck"),
            ("deckbuilder", "Deck building"),
            ("deck-building", "Deck building"),
            ("deck", "Deck building"),
            ("worker placement", "Worker placement"),
            ("Worker-Placement", "Worker placement"),
            ("workers", "Worker placement"),
            ("hidden roles", "Hidden roles"),
            ("traitor", "Hidden roles"),
            ("co-op", "Co-op"),
            ("coop", "Co-op"),
            ("cooperative", "Co-op"),
            ("campaign", "Campaign"),
            ("legacy", "Campaign"),
        ] {
            assert_eq!(found(name), [title], "{name}");
        }
        assert_eq!(found("auction"), ["Auction, open", "Auction, sealed"]);
        for nothing in ["", "your", "until turn", "undo", "open"] {
            assert_eq!(found(nothing), [""; 0], "{nothing}");
        }
    }

    #[test]
    fn a_name_that_is_nearly_right_is_asked_about() {
        for (name, meant) in [
            ("auciton", "auction"),
            ("auction opne", "auction open"),
            ("traitro", "traitor"),
            ("worker placment", "worker placement"),
            ("english acution", "english auction"),
        ] {
            let asked = COOKBOOK.did_you_mean(name).map(|help| help.text.to_string());
            assert_eq!(asked, Some(format!("did you mean `{meant}`?")), "{name}");
            assert!(!COOKBOOK.find(meant).is_empty(), "{meant}");
        }
        assert_eq!(COOKBOOK.did_you_mean("xylophone"), None);
    }

    #[test]
    fn every_section_is_found_by_its_own_heading_alone() {
        for page in PAGES {
            for section in page.sections() {
                assert_eq!(page.find(&section.name()), std::slice::from_ref(&section), "{}", page.name);
                assert!(!section.about().is_empty(), "{}", section.title);
            }
        }
        assert!(COOKBOOK.sections().len() >= 17);
    }
}
