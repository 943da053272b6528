//! The glossary: every term of the game with its meanings, and its name in the other language.

use super::gather::{Gatherer, untitled};
use super::words::{order, words};
use super::{FactKind, LocalText, Row, Rule, Table};
use crate::definition::{Language, Text};
use crate::screen::fill;
use crate::sorted::SortedMap;

/// A term of the game.
#[derive(Default)]
struct Term {
    others: SortedMap<Language, String>,
    meanings: Vec<String>,
    by: Vec<usize>,
}

/// The terms, in alphabetical order.
#[derive(Default)]
struct Terms(SortedMap<String, Term>);

impl Gatherer<'_> {
    /// A table of every term of the game, in alphabetical order.
    pub(super) fn glossary(&self, rules: &[Rule]) -> Option<Table> {
        let (words, language) = (words(self.language), self.language);
        let definition = &*self.loaded.layout.definition;
        let mut terms = Terms::default();
        for zone in &definition.zones {
            let meaning = words.list(&[self.zone_count(zone), order(words, zone.order).to_owned()]);
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
                let text = known.cloned().unwrap_or_else(|| Text::from(fact.text.clone()));
                let meaning = words.list(&[what, fill(words.see, &[&rule.number])]);
                terms.add(&text, language, meaning, fact.by.as_slice());
            }
        }
        for (number, variant) in self.loaded.ruleset.variants.iter().enumerate() {
            terms.add(&variant.name, language, variant.about.get(language).to_owned(), &[number]);
        }
        // Whoever reads English sees the other languages; whoever reads another one sees English.
        let others = match language {
            Language::English => Language::translations().collect(),
            _ => vec![Language::English],
        };
        let is_known = |other: &Language| terms.0.values().any(|term| term.others.contains_key(other));
        let others: Vec<Language> = others.into_iter().filter(is_known).collect();
        let mut heads = vec![words.term, words.means];
        heads.extend(others.iter().map(|other| language.heading_of(*other)));
        let said = |text: String| LocalText { text, language };
        let rows = terms.0.into_iter().map(|(name, mut term)| {
            let mut cells = vec![said(name), said(term.meanings.join("; "))];
            cells.extend(others.iter().map(|other| {
                let text = term.others.remove(other).unwrap_or_else(|| "–".to_owned());
                LocalText { text, language: *other }
            }));
            Row { cells, by: term.by }
        });
        untitled(heads, rows.collect())
    }
}

impl Terms {
    fn add(&mut self, name: &Text, language: Language, meaning: String, by: &[usize]) {
        let term = self.0.entry(name.get(language).to_owned()).or_default();
        for (other, text) in name.all().filter(|(other, _)| *other != language) {
            if other != Language::English || text != name.get(language) {
                term.others.entry(other).or_insert_with(|| text.to_owned());
            }
        }
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
