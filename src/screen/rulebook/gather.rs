//! Gathering the chapters of a rulebook.

use super::outline::Outliner;
use super::texts::{comment, heading, remark, template};
use super::words::{order, visible, words};
use super::{Block, Faces, FactKind, LocalText, Row, Rule, Rulebook, RulebookScope, Section, Table, VariantEntry};
use crate::catalogue::RulebookWords;
use crate::definition::{
    ComponentDefinition, ComponentGroup, ComponentKind, Language, Layer, Scalar, Setting, Shape, VariableDefinition,
    VariableValue, ZoneDefinition,
};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::{Playable, Playthrough};
use crate::prose::{Book, Filler, functions_for_rulebook, span};
use crate::screen::{fill, team_in_words};
use crate::sorted::SortedSet;
use crate::table::knowledge::Front;
use crate::table::names::Names;
use crate::table::value::Seat;

/// Most distinct components drawn.
const MAX_DRAWN_FACES: usize = 400;
/// The generated sections that players look up at the table.
const SECTIONS_AT_THE_TABLE: [&str; 2] = ["rules", "points"];

/// A reader of a ruleset for its rulebook.
pub(super) struct Gatherer<'a> {
    pub(super) loaded: &'a Playable,
    pub(super) language: Language,
    /// The authored prose.
    pub(super) prose: &'a Book,
    pub(super) extent: RulebookScope<'a>,
    pub(super) words: &'static RulebookWords,
    /// The functions whose sections are looked up at the table.
    pub(super) looked_up: SortedSet<&'a str>,
}

impl<'a> Gatherer<'a> {
    pub(super) fn new(loaded: &'a Playable, prose: &'a Book, extent: RulebookScope<'a>) -> Self {
        let language = extent.language;
        Self { loaded, language, prose, extent, words: words(language), looked_up: functions_for_rulebook(loaded) }
    }

    pub(super) fn rulebook(&self, start: Playthrough) -> Result<Rulebook, Diagnostics> {
        let ruleset = &self.loaded.ruleset;
        if self.extent.changes && ruleset.variants.is_empty() {
            let error = Diagnostic::new("nothing is different: no variant is in play");
            return Err(error.help("name one: `-v VARIANT`").into());
        }
        let variants = ruleset.variants.iter().map(|variant| VariantEntry {
            name: variant.name.get(self.language).to_owned(),
            about: variant.about.get(self.language).to_owned(),
            made: self.made(variant).into_iter().map(|(_, value)| value).collect(),
        });
        let words = self.words;
        let table = |table: Option<Table>| table.into_iter().map(Block::Table).collect::<Vec<_>>();
        let mut sections = Vec::new();
        if !ruleset.variants.is_empty() {
            let how = Block::Text(words.variants_how.to_owned());
            let how = Some(how).filter(|_| !self.extent.changes);
            sections.extend(self.section(
                "variants",
                words.variants,
                how.into_iter().chain([Block::Variants]).collect(),
            ));
        }
        let has_prose = ruleset.bases.iter().chain([&ruleset.game]).any(|layer| layer.has_prose());
        let mut chapters = self.chapters()?;
        let rules = Outliner::new(self.loaded, self.language).rules();
        let scored = scored(&rules);
        let steps = rules.clone();
        if self.extent.changes {
            sections.append(&mut chapters);
            sections.extend(self.rules_of_variants(rules));
        } else if has_prose {
            sections.append(&mut chapters);
            sections.extend(self.rules_of_variants(rules));
            sections.extend(self.section("components", words.components, self.components()));
            sections.extend(self.section("places", words.table, self.table(&start)));
            sections.extend(self.section("settings", words.settings, table(self.settings())));
            sections.extend(self.section("glossary", words.glossary, table(self.glossary(&[]))));
        } else {
            let decisions = self.decisions(&rules);
            let points = self.points(&rules, &start);
            let glossary = self.glossary(&rules);
            let is_english = |rule: &Rule| rule.texts.iter().any(|text| text.said.language != self.language);
            let other_language =
                rules.iter().any(is_english).then(|| Block::Text(words.other_language.to_owned())).into_iter();
            let rules = other_language.chain([Block::Rules(rules)]).collect();
            let before = [
                self.section("components", words.components, self.components()),
                self.section("places", words.table, self.table(&start)),
                self.section("rules", words.rules, rules),
            ];
            let after = [
                self.section("decisions", words.decisions, table(decisions)),
                self.section("points", words.points, points),
                self.section("kept", words.kept, table(self.kept())),
                self.section("numbers", words.numbers, table(self.numbers())),
                self.section("settings", words.settings, table(self.settings())),
                self.section("glossary", words.glossary, table(glossary)),
            ];
            sections.extend(before.into_iter().flatten());
            sections.append(&mut chapters);
            sections.extend(after.into_iter().flatten());
        }
        let has_looked_up = sections.iter().any(|section| section.is_looked_up);
        let steps = Some(steps).filter(|steps| !has_looked_up && !steps.is_empty());
        let steps = steps.and_then(|steps| self.section("rules", words.rules, vec![Block::Rules(steps)]));
        let title = ruleset.game.name.get(self.language);
        let title = if self.extent.changes { format!("{title}: {}", words.changes) } else { title.to_owned() };
        Ok(Rulebook {
            language: self.language,
            title,
            about: ruleset.game.about.get(self.language).to_owned(),
            facts: self.facts(),
            variants: variants.collect(),
            sections,
            steps,
            scored,
            start,
        })
    }

    /// A generated section; `None` if it is empty.
    fn section(&self, id: &str, title: &str, blocks: Vec<Block>) -> Option<Section> {
        let is_looked_up = SECTIONS_AT_THE_TABLE.contains(&id);
        let (id, title) = (id.to_owned(), self.said(title));
        (!blocks.is_empty()).then_some(Section { id, title, blocks, by: Vec::new(), has_page: false, is_looked_up })
    }

    /// The rules in doc comments of variants without prose.
    fn rules_of_variants(&self, rules: Vec<Rule>) -> Option<Section> {
        let variants = &self.loaded.ruleset.variants;
        let has_none = |by: &usize| variants.get(*by).is_some_and(|variant| !variant.has_prose());
        let told = rules.into_iter().filter_map(|mut rule| {
            rule.texts.retain(|text| text.by.as_ref().is_some_and(has_none));
            rule.facts.retain(|fact| fact.by.as_ref().is_some_and(has_none));
            (rule.number, rule.depth) = (String::new(), 0);
            (!rule.texts.is_empty() || !rule.facts.is_empty()).then_some(rule)
        });
        let told: Vec<Rule> = told.collect();
        let blocks = if told.is_empty() { Vec::new() } else { vec![Block::Rules(told)] };
        self.section("rules", self.words.more_rules, blocks)
    }

    fn names(&self) -> Names<'a> {
        Names { layout: &self.loaded.layout, language: self.language }
    }

    pub(super) fn said(&self, text: impl Into<String>) -> LocalText {
        LocalText { text: text.into(), language: self.language }
    }

    /// The variants that change the value at these keys.
    pub(super) fn changed_by(&self, keys: &[&str]) -> Vec<usize> {
        self.loaded.ruleset.changed_by(keys)
    }

    fn facts(&self) -> Vec<(String, String)> {
        let (words, definition) = (self.words, &self.loaded.layout.definition);
        let (fewest, most) = definition.players;
        let players = match self.extent.players {
            Some(players) => players.to_string(),
            None => span(fewest, most, self.language),
        };
        let mut facts = vec![(words.players.to_owned(), fill(words.number_of_players, &[&players]))];
        let teams = definition.teams.iter().map(|(count, teams)| {
            let teams = teams.iter().map(|team| team_in_words(team));
            fill(words.each_number, &[count, &words.list(&teams.collect::<Vec<_>>())])
        });
        let teams: Vec<String> = teams.collect();
        if !teams.is_empty() {
            facts.push((words.teams.to_owned(), teams.join("; ")));
        }
        facts.extend(self.made(&self.loaded.ruleset.game));
        facts
    }

    fn made(&self, layer: &Layer) -> Vec<(String, String)> {
        let words = self.words;
        let version = layer.version.as_ref().map(ToString::to_string);
        let made =
            [(words.version, version), (words.author, layer.author.clone()), (words.licence, layer.licence.clone())];
        made.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    fn components(&self) -> Vec<Block> {
        let groups = 0..self.loaded.layout.definition.components.len();
        let mut blocks: Vec<Block> = groups.filter_map(|group| self.faces(group)).map(Block::Faces).collect();
        let looks: Vec<Table> = self.looks();
        blocks.extend(looks.into_iter().map(Block::Table));
        blocks
    }

    /// The components of a group, by index; `None` for an empty group.
    pub(super) fn faces(&self, number: usize) -> Option<Faces> {
        let groups = &self.loaded.layout.definition.components;
        let group = groups.get(number).filter(|group| !group.members.is_empty())?;
        let first = groups.iter().take(number).map(|group| group.members.len()).sum();
        let fronts = self.fronts(group, first);
        let more = fronts.len().saturating_sub(MAX_DRAWN_FACES);
        let fronts = fronts.into_iter().take(MAX_DRAWN_FACES).collect();
        let by = self.changed_by(&["components", &group.name]);
        Some(Faces { title: self.group_title(group), fronts, more, by })
    }

    pub(super) fn filler(&self) -> Filler<'a> {
        Filler { loaded: self.loaded, book: self.prose, language: self.language, players: self.extent.players }
    }

    /// The title of a group: `52 cards`; `3 cards: shark` if its name says more than its kind.
    fn group_title(&self, group: &ComponentGroup) -> String {
        let mut title = self.filler().group(group);
        let is_plain = ["card", "die", "dice", "token"].contains(&&*group.name);
        if !is_plain && !self.prose.names.contains_key(&format!("components.{}", group.name)) {
            title.push_str(&format!(": {}", self.names().word(&group.name).text));
        }
        let sides = group.members.first().map_or(0, |member| member.sides.len());
        if group.kind == ComponentKind::Die {
            let sides = fill(self.words.sides, &[&sides]);
            title = self.words.list(&[title, sides]);
        }
        title
    }

    /// Each distinct component by its sides, with the number of components that look so.
    fn fronts(&self, group: &ComponentGroup, first: usize) -> Vec<(Vec<Front>, usize)> {
        let mut known: crate::sorted::SortedMap<Vec<String>, usize> = crate::sorted::SortedMap::new();
        let mut fronts: Vec<(Vec<Front>, usize)> = Vec::new();
        for (place, member) in group.members.iter().enumerate() {
            let mut own: Vec<(String, Front)> = Vec::new();
            for side in sides(member) {
                let front = Front { face: first + place, side: Some(side), owner: None };
                let look = format!("{:?}", self.names().parts_of_face(front));
                // Sides that look alike are drawn once.
                if own.iter().all(|(known, _)| *known != look) {
                    own.push((look, front));
                }
            }
            let (looks, own): (Vec<String>, Vec<Front>) = own.into_iter().unzip();
            let number = *known.entry(looks).or_insert(fronts.len());
            match fronts.get_mut(number) {
                Some((_, count)) => *count += 1,
                None => fronts.push((own, 1)),
            }
        }
        // If all components are alike, the title has their number; the sides of a die are drawn separately.
        match (group.kind, &mut *fronts) {
            (ComponentKind::Die, [(sides, _)]) => sides.drain(..).map(|side| (vec![side], 1)).collect(),
            (_, [(_, count)]) => {
                *count = 1;
                fronts
            }
            _ => fronts,
        }
    }

    /// Tables of short signs with their meanings.
    fn looks(&self) -> Vec<Table> {
        let words = self.words;
        let mut tables = Vec::new();
        for (attribute, values) in &self.loaded.layout.definition.attributes {
            let mut rows: Vec<(Option<i64>, Row)> = Vec::new();
            for (value, looks) in values {
                let Some(short) = looks.short.as_ref().map(|short| short.get(self.language)) else { continue };
                let name = looks.name.get(self.language);
                if name.is_empty() || name == short || short.trim().is_empty() {
                    continue;
                }
                let by = self.changed_by(&["attributes", attribute, value]);
                rows.push((value.parse().ok(), Row { cells: vec![self.said(short), self.said(name)], by }));
            }
            // Numbers in order of size.
            rows.sort_by_key(|(number, _)| *number);
            let rows: Vec<Row> = rows.into_iter().map(|(_, row)| row).collect();
            if !rows.is_empty() {
                let title = self.filler().name("attributes", attribute);
                tables.push(Table { title, heads: vec![words.printed, words.means], rows });
            }
        }
        tables
    }

    fn table(&self, start: &Playthrough) -> Vec<Block> {
        let words = self.words;
        let outliner = Outliner::new(self.loaded, self.language);
        let definition = &self.loaded.layout.definition;
        let mut rows = Vec::new();
        for zone in &definition.zones {
            let captions = [&zone.mark, &zone.note].into_iter().flatten();
            // A cell has one language.
            let about = captions.filter_map(|name| outliner.about(name)).filter(|said| said.language == self.language);
            let about: Vec<String> = about.map(|said| said.text).collect();
            let mut seen = visible(words, zone.visible, zone.per_seat).to_owned();
            if !about.is_empty() {
                seen = format!("{seen}. {}", fill(words.next_to_it, &[&about.join(" ")]));
            }
            rows.push(Row {
                cells: vec![
                    self.said(zone.name.get(self.language)),
                    self.said(self.zone_count(zone)),
                    self.said(order(words, zone.order)),
                    self.said(seen),
                ],
                by: self.changed_by(&["zones", &zone.id]),
            });
        }
        let table = untitled(vec![words.place, words.whose, words.lies, words.seen], rows);
        let mut blocks: Vec<Block> = table.into_iter().map(Block::Table).collect();
        if start.position().failed.is_none() {
            blocks.push(Block::Start(match self.loaded.layout.seats {
                1 => fill(words.start_alone, &[&Seat(0)]),
                seats => fill(words.start, &[&seats, &Seat(0)]),
            }));
        }
        blocks
    }

    /// The number of zones of a definition, and the board that they form.
    pub(super) fn zone_count(&self, zone: &ZoneDefinition) -> String {
        let words = self.words;
        let board = zone.board.as_ref().filter(|board| !board.is_plain_list()).map(|board| match board.shape {
            Shape::Square => fill(words.grid, &[&board.columns, &board.rows]),
            Shape::Hex => words.hexes.to_owned(),
            Shape::Map => fill(words.map, &[&board.cells.len()]),
        });
        let count = if board.is_some() { 1 } else { zone.count.unwrap_or(1) };
        let whose = if zone.per_seat { words.each_player } else { words.for_table };
        let whose = fill(whose, &[&count]);
        board.map_or(whose.clone(), |board| words.list(&[whose, board]))
    }

    /// Whether the variable exists once, for each team or for each player, in words.
    pub(super) fn variable_count(&self, variable: &VariableDefinition) -> String {
        let whose = match (variable.per_seat, variable.by_team) {
            (true, true) => self.words.each_team,
            (true, false) => self.words.each_player,
            (false, _) => self.words.for_table,
        };
        fill(whose, &[&1])
    }

    /// A table of all decisions: the question, the options, and the rule that asks.
    fn decisions(&self, rules: &[Rule]) -> Option<Table> {
        let words = self.words;
        let mut rows = Vec::new();
        for rule in rules {
            let asked = [FactKind::Decision, FactKind::SecretDecision];
            for fact in rule.facts.iter().filter(|fact| asked.contains(&fact.kind)) {
                let options = if fact.options.is_empty() { "–".to_owned() } else { words.list(&fact.options) };
                let cells = [fact.text.clone(), options, number_of(rule)].map(|text| self.said(text)).to_vec();
                rows.push(Row { cells, by: fact.by.into_iter().collect() });
            }
        }
        untitled(vec![words.question, words.options, words.rule], rows)
    }

    /// The scoring: what points are given for, and who wins.
    fn points(&self, rules: &[Rule], start: &Playthrough) -> Vec<Block> {
        let words = self.words;
        let definition = &self.loaded.layout.definition;
        let mut rows = Vec::new();
        for kind in [FactKind::Points, FactKind::Costs, FactKind::Wins, FactKind::Loses] {
            for rule in rules {
                for fact in rule.facts.iter().filter(|fact| fact.kind == kind) {
                    let cells = [kind.words(self.language).to_owned(), fact.text.clone(), number_of(rule)];
                    let cells = cells.map(|text| self.said(text)).to_vec();
                    rows.push(Row { cells, by: fact.by.into_iter().collect() });
                }
            }
        }
        let mut blocks = Vec::new();
        if start.position().has_scores && Outliner::new(self.loaded, self.language).ends_by_points() {
            blocks.push(Block::Text(words.most_points.to_owned()));
        }
        if !definition.tie_breaks.is_empty() {
            let names = definition.tie_breaks.iter().map(|id| {
                let variable = definition.variables.iter().find(|variable| variable.id == *id);
                variable.map_or_else(|| id.clone(), |variable| variable.name.get(self.language).to_owned())
            });
            blocks.push(Block::Text(fill(words.tie_breaks, &[&words.list(&names.collect::<Vec<_>>())])));
        }
        blocks.extend(untitled(vec![words.what, words.what_for, words.rule], rows).map(Block::Table));
        blocks
    }

    /// A table of the variables.
    fn kept(&self) -> Option<Table> {
        let words = self.words;
        let definition = &self.loaded.layout.definition;
        let rows = definition.variables.iter().filter(|variable| variable.shown && variable.id != "score");
        let rows = rows.map(|variable| {
            let at_start = match &variable.default {
                VariableValue::Plain(plain) => self.plain(plain),
                VariableValue::Nothing(_) => "–".to_owned(),
            };
            let cells = [
                variable.name.get(self.language).to_owned(),
                self.variable_count(variable),
                at_start,
                self.range(&variable.choices, variable.limits),
                visible(words, variable.visible, variable.per_seat).to_owned(),
            ];
            let by = self.changed_by(&["variables", &variable.id]);
            Row { cells: cells.map(|text| self.said(text)).to_vec(), by }
        });
        untitled(vec![words.name, words.whose, words.at_start, words.allowed, words.seen], rows.collect())
    }

    fn plain(&self, plain: &Scalar) -> String {
        template(&self.filler().plain(plain), self.language)
    }

    fn range(&self, choices: &[String], limits: (Option<i64>, Option<i64>)) -> String {
        let words = self.words;
        if !choices.is_empty() {
            let choices = choices.iter().map(|choice| self.plain(&Scalar::Text(choice.clone())));
            return fill(words.of_list, &[&words.list(&choices.collect::<Vec<_>>())]);
        }
        match limits {
            (Some(least), Some(most)) => fill(words.from_to, &[&least, &most]),
            (Some(least), None) => fill(words.at_least, &[&least]),
            (None, Some(most)) => fill(words.at_most, &[&most]),
            (None, None) => words.any.to_owned(),
        }
    }

    /// A table of the numbers and lists in the data.
    fn numbers(&self) -> Option<Table> {
        let words = self.words;
        let ruleset = &self.loaded.ruleset;
        let mut rows = Vec::new();
        for (key, value) in &self.loaded.layout.definition.data {
            let keys = ["data", key.as_str()];
            let by = self.changed_by(&keys);
            let value = self.toml(value);
            let below = ruleset.bases.iter().chain([&ruleset.game]);
            let was =
                below.filter_map(|layer| layer.value_at(&keys)).next_back().map(|node| self.toml(&node.to_toml()));
            let was = was.filter(|was| *was != value).map(|was| fill(words.was, &[&was]));
            let shown = [Some(value), was].into_iter().flatten().collect::<Vec<_>>().join("; ");
            let about = ruleset.all_layers().rev().find_map(|layer| remark(layer, &keys, self.language));
            let cells = vec![
                self.said(self.filler().name("data", key)),
                self.said(shown),
                about.unwrap_or_else(|| self.said("–")),
            ];
            rows.push(Row { cells, by });
        }
        let mut heads = vec![words.name, words.value, words.about];
        if rows.iter().all(|row| row.cells.last().is_some_and(|cell| cell.text == "–")) {
            heads.pop();
            rows.iter_mut().for_each(|row| row.cells.truncate(heads.len()));
        }
        untitled(heads, rows)
    }

    fn toml(&self, value: &toml::Value) -> String {
        template(&self.filler().value(value), self.language)
    }

    /// A table of the settings.
    fn settings(&self) -> Option<Table> {
        let words = self.words;
        let ruleset = &self.loaded.ruleset;
        let mut rows = Vec::new();
        for layer in ruleset.layers() {
            let values = ruleset.settings.iter().find(|(id, _)| *id == layer.id).map(|(_, values)| values);
            let by = ruleset.variants.iter().position(|variant| variant.id == layer.id);
            for (name, setting) in &layer.settings {
                let Some(value) = values.and_then(|values| values.get(name)) else { continue };
                let mut shown = self.toml(value);
                if *value != setting.default {
                    shown = format!("{shown}; {}", fill(words.was, &[&self.toml(&setting.default)]));
                }
                let help = comment(&[setting.help.get(self.language)], self.language);
                let help = help.map_or_else(|| heading(name), |help| help.text);
                let cells = [help.replace('`', ""), shown, self.allowed(setting)].map(|text| self.said(text)).to_vec();
                rows.push(Row { cells, by: by.into_iter().collect() });
            }
        }
        untitled(vec![words.settings, words.value, words.allowed], rows)
    }

    fn allowed(&self, setting: &Setting) -> String {
        if setting.default.is_bool() {
            let both = [true, false].map(|truth| self.names().truth(truth).to_owned());
            return self.words.list(&both);
        }
        let choices: Vec<String> = setting.choices.iter().map(|choice| self.toml(choice)).collect();
        match choices.is_empty() {
            true => self.range(&[], (setting.min, setting.max)),
            false => self.words.list(&choices),
        }
    }
}

/// A table without a title; `None` where it has no rows.
pub(super) fn untitled(heads: Vec<&'static str>, rows: Vec<Row>) -> Option<Table> {
    (!rows.is_empty()).then(|| Table { title: String::new(), heads, rows })
}

/// The number of a rule, for references.
fn number_of(rule: &Rule) -> String {
    if rule.number.is_empty() { "–".to_owned() } else { rule.number.clone() }
}

/// The numbers of a component's sides; a single one if it has none.
fn sides(member: &ComponentDefinition) -> std::ops::RangeInclusive<u8> {
    match u8::try_from(member.sides.len()) {
        Ok(0) | Err(_) => 0..=0,
        Ok(count) => 1..=count,
    }
}

/// The reasons to score points, each once.
fn scored(rules: &[Rule]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for fact in rules.iter().flat_map(|rule| &rule.facts).filter(|fact| fact.kind == FactKind::Points) {
        if !names.contains(&fact.text) {
            names.push(fact.text.clone());
        }
    }
    names
}
