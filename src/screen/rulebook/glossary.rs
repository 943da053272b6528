//! The glossary: every term of the game with its meanings, and its name in the other language.

use super::gather::Gatherer;
use super::words::words;
use super::{FactKind, LocalText, Row, Rule, Table};
use crate::definition::{Language, Text};
use crate::screen::fill;
use std::collections::BTreeMap;

/// A term of the game.
#[derive(Default)]
struct Term {
    other: Option<String>,
    meanings: Vec<String>,
    by: Vec<usize>,
}

/// The terms, in alphabetical order.
#[derive(Default)]
struct Terms(BTreeMap<String, Term>);

impl Gatherer<'_> {
    /// A table of every term of the game, in alphabetical order.
    pub(super) fn glossary(&self, rules: &[Rule]) -> Option<Table> {
        let (words, language) = (words(self.language), self.language);
        let definition = &*self.loaded.layout.definition;
        let mut terms = Terms::default();
        for zone in &definition.zones {
            let meaning = words.list(&[self.zone_count(zone), words.order(zone.order).to_owned()]);
            terms.add(&zone.name, language, meaning, &self.changed_by(&["zones", &zone.id]));
        }
        for variable in definition.variables.iter().filter(|variable| variable.shown && variable.id != "score") {
            let meaning = self.variable_count(variable);
            terms.add(&variable.name, language, meaning, &self.changed_by(&["variables", &variable.id]));
        }
        for (attribute, values) in &definition.attributes {
            for (value, looks) in values {
                let Some(short) = &looks.short else { continue };
                let (name, short) = (looks.name.get(language), short.get(language));
                if name != short && !name.is_empty() {
                    let by = self.changed_by(&["attributes", attribute, value]);
                    terms.add(&looks.name, language, fill(words.printed_as, &[&short]), &by);
                }
            }
        }
        for rule in rules.iter().filter(|rule| !rule.number.is_empty()) {
            for fact in &rule.facts {
                let what = match fact.kind {
                    FactKind::Phase => words.phase.to_owned(),
                    FactKind::Points => words.reason.to_owned(),
                    _ => continue,
                };
                let known = definition.text.values().find(|text| text.get(language) == fact.text);
                let text = known.cloned().unwrap_or_else(|| Text { en: fact.text.clone(), ja: None });
                let meaning = words.list(&[what, fill(words.see, &[&rule.number])]);
                terms.add(&text, language, meaning, fact.by.as_slice());
            }
        }
        for (number, variant) in self.loaded.ruleset.variants.iter().enumerate() {
            terms.add(&variant.name, language, variant.about.get(language).to_owned(), &[number]);
        }
        let has_other = terms.0.values().any(|term| term.other.is_some());
        let mut heads = vec![words.term, words.means];
        if has_other {
            heads.push(words.translated);
        }
        let said = |text: String| LocalText { text, language };
        let rows = terms.0.into_iter().map(|(name, term)| {
            let mut cells = vec![said(name), said(term.meanings.join("; "))];
            if has_other {
                let other = match language {
                    Language::English => Language::Japanese,
                    Language::Japanese => Language::English,
                };
                cells.push(LocalText { text: term.other.unwrap_or_else(|| "–".to_owned()), language: other });
            }
            Row { cells, by: term.by }
        });
        let rows: Vec<Row> = rows.collect();
        (!rows.is_empty()).then(|| Table { title: String::new(), heads, rows })
    }
}

impl Terms {
    fn add(&mut self, name: &Text, language: Language, meaning: String, by: &[usize]) {
        let term = self.0.entry(name.get(language).to_owned()).or_default();
        let other = match language {
            Language::English => name.ja.clone(),
            Language::Japanese => Some(name.en.clone()).filter(|english| english != name.get(language)),
        };
        term.other = term.other.take().or(other);
        if !term.meanings.contains(&meaning) {
            term.meanings.push(meaning);
        }
        for one in by {
            if !term.by.contains(one) {
                term.by.push(*one);
            }
        }
    }
}
