//! Of what sort values are where a script names them, and whether they fit what is done with them.
//!
//! Only what is certain counts: a name that is set again, a parameter, what a script's own function gives may be
//! anything, and fits everywhere.

use super::{Known, Reader, quoted, roles};
use crate::definition::{Layer, VariableValue, ZoneDefinition, overlay};
use crate::diagnostic::{Diagnostic, Place, did_you_mean};
use crate::script::layering::{settings_name, written_name};
use crate::script::sorts::{self, Sort};
use crate::script::trouble::from_fault;
use crate::script::vocabulary::{Form, Role, words};
use crate::table::attributes::AttributeSort;
use crate::table::layout::Layout;
use crate::table::value::NOBODY;
use rhai::{Expr, FnCallExpr, Position};
use std::sync::Arc;

impl Known<'_> {
    /// The layouts in which a value may be looked for: that of the ruleset, and that of the game alone, because a rule of
    /// the game may speak of what a variant has taken away.
    pub(super) fn layouts(&self) -> impl Iterator<Item = &Layout> {
        let changes = |layer: &Layer| ["components", "data"].iter().any(|table| layer.tables.get(table).is_some());
        let plain = self.plain.get_or_init(|| {
            let is_changed = self.ruleset.variants.iter().any(changes) || !self.ruleset.overridden.is_empty();
            let game = is_changed.then(|| overlay(&self.ruleset.game, &[], &[]).ok()).flatten()?;
            Some(Layout::new(Arc::new(game.definition), &game.settings, self.layout.seats))
        });
        std::iter::once(self.layout).chain(plain.as_ref())
    }

    /// What a global name stands for.
    pub(super) fn sort_of_global(&self, name: &str) -> Option<Sort> {
        match name {
            NOBODY => Some(Sort::Nobody),
            "players" => Some(Sort::Players),
            "table" => Some(Sort::Table),
            "data" => Some(Sort::Data),
            _ if written_name(name) == "settings" => Some(Sort::Data),
            _ => self.layout.definition.zones.iter().find(|zone| zone.id == name && !zone.per_seat).map(sort_of_zone),
        }
    }

    /// What a declared variable holds.
    pub(super) fn sort_of_variable(&self, name: &str, per_seat: bool) -> Option<Sort> {
        let mut variables = self.layout.definition.variables.iter();
        let found = variables.find(|variable| variable.per_seat == per_seat && variable.id == name)?;
        Some(match found.default {
            VariableValue::Number(_) => Sort::Number,
            VariableValue::Truth(_) => Sort::Truth,
            VariableValue::Text(_) => Sort::Text,
            VariableValue::Player => Sort::PlayerOrNobody,
        })
    }

    /// What an attribute is, where it is of one sort on all faces.
    pub(super) fn sort_of_attribute(&self, name: &str) -> Option<Sort> {
        let attribute = self.layout.attributes.iter().position(|known| known == name)?;
        match self.layout.attribute_sorts[attribute] {
            AttributeSort { numbers: true, texts: false } => Some(Sort::Number),
            AttributeSort { numbers: false, texts: true } => Some(Sort::Text),
            _ => None,
        }
    }

    /// What a property of something of a known sort is; the outer `None` where it has no such property.
    pub(super) fn property_of(&self, owner: Sort, name: &str) -> Option<Option<Sort>> {
        let owner = if owner == Sort::PlayerOrNobody { Sort::Player } else { owner };
        let of_words =
            words().find(|word| word.name == name && word.form == Form::Property && word.receivers.contains(&owner));
        let declared = || match owner {
            Sort::Player => {
                let zone = self.layout.definition.zones.iter().find(|zone| zone.id == name && zone.per_seat);
                zone.map(|zone| Some(sort_of_zone(zone))).or_else(|| self.sort_of_variable(name, true).map(Some))
            }
            Sort::Table => self.sort_of_variable(name, false).map(Some),
            Sort::Component => {
                self.layout.attributes.iter().any(|known| known == name).then(|| self.sort_of_attribute(name))
            }
            // What lies deeper in the data, and what options are put together from, is known as the game runs.
            Sort::Data | Sort::Option => Some(None),
            _ => None,
        };
        // A face may have an attribute of its own that is called as a word is.
        match owner {
            Sort::Component => declared().or_else(|| of_words.map(|word| word.result.of(Some(owner)))),
            _ => of_words.map(|word| word.result.of(Some(owner))).or_else(declared),
        }
    }

    /// What a property is, whatever it belongs to, where that is certain.
    pub(super) fn sort_of_property(&self, name: &str) -> Option<Sort> {
        if self.parts.contains(name) || self.layout.data.keys().any(|key| key == name) {
            return None;
        }
        let owners = [
            Sort::Player,
            Sort::Table,
            Sort::Component,
            Sort::Components,
            Sort::Zone,
            Sort::Zones,
            Sort::Players,
            Sort::Options,
            Sort::List,
            Sort::Text,
        ];
        let mut sorts = owners.iter().filter_map(|owner| self.property_of(*owner, name));
        let first = sorts.next()??;
        sorts.all(|sort| sort == Some(first)).then_some(first)
    }

    /// Whether a property of this name is an attribute of components, and nothing else.
    pub(super) fn is_attribute_only(&self, name: &str) -> bool {
        let elsewhere =
            [Sort::Player, Sort::Table, Sort::Components, Sort::Zone, Sort::Zones, Sort::Players, Sort::List];
        self.layout.attributes.iter().any(|known| known == name)
            && !self.parts.contains(name)
            && !self.layout.data.keys().any(|key| key == name)
            && !elsewhere.iter().any(|owner| self.property_of(*owner, name).is_some())
    }
}

impl<'a> Reader<'a> {
    /// The call of a word, with the sorts of all that it is given, the receiver first: what it gives.
    pub(super) fn words_call(
        &mut self,
        call: &FnCallExpr,
        given: &[Option<Sort>],
        as_method: bool,
        at: Position,
    ) -> Option<Sort> {
        let name = call.name.as_str();
        if let Some(mismatch) = sorts::wrong_call(name, given) {
            let argument = mismatch.position.checked_sub(usize::from(as_method));
            let argument = argument.and_then(|position| call.args.get(position));
            let at = argument.map_or(at, Expr::start_position);
            self.misfit(mismatch.error, at, "");
            return None;
        }
        self.attribute_asked(call, as_method);
        let owner = given.first().copied().flatten();
        let mut fitting = words().filter(|word| word.is_called() && word.name == name && sorts::accepts(word, given));
        let first = fitting.next()?.result.of(owner)?;
        fitting.all(|word| word.result.of(owner) == Some(first)).then_some(first)
    }

    /// What was found since there were so many findings may be due to the default of a setting, which is its type.
    pub(super) fn tell_of_settings(&mut self, found: usize, values: &[Expr]) {
        let ruleset = self.known.ruleset;
        let default_of = |value: &Expr| {
            let Expr::Dot(pair, ..) = value else { return None };
            let (Expr::Variable(root, ..), Expr::Property(key, _)) = (&pair.lhs, &pair.rhs) else { return None };
            let layers = std::iter::once(&ruleset.game).chain(&ruleset.variants).enumerate();
            let (_, layer) = layers.into_iter().find(|(number, _)| settings_name(*number) == root.1.as_str())?;
            layer.place_of(&["settings", &key.2, "default"], "the default is the type of the setting")
        };
        let places: Vec<Place> = values.iter().filter_map(default_of).collect();
        for finding in self.findings.iter_mut().skip(found) {
            finding.error.related.extend(places.iter().cloned());
        }
    }

    /// An operator before a value.
    pub(super) fn prefix(&mut self, operator: &str, sort: Option<Sort>, at: Position) -> Option<Sort> {
        let wanted = if operator == "!" { Sort::Truth } else { Sort::Number };
        if let Some(sort) = sort.filter(|sort| *sort != wanted) {
            self.misfit(sorts::no_prefix(operator, sort), at, "");
        }
        Some(wanted)
    }

    /// An operator between two values: what it gives.
    pub(super) fn operator(
        &mut self,
        operator: &str,
        sides: (Option<Sort>, Option<Sort>),
        at: Position,
    ) -> Option<Sort> {
        let compares = matches!(operator, "==" | "!=" | "<" | "<=" | ">" | ">=");
        let (Some(left), Some(right)) = sides else {
            return match (operator, sides.0) {
                _ if compares => Some(Sort::Truth),
                // Only a number goes with a number, only a text behind a text.
                ("+" | "-" | "*" | "/" | "%" | "**", Some(Sort::Number)) => Some(Sort::Number),
                ("+", Some(Sort::Text)) => Some(Sort::Text),
                _ => None,
            };
        };
        if let Some(result) = sorts::operated(operator, left, right) {
            return Some(result);
        }
        let error = match operator {
            "==" | "!=" if left != right => sorts::never_equal(operator, left, right),
            _ => sorts::no_operator(operator, left, right),
        };
        self.misfit(error, at, "");
        compares.then_some(Sort::Truth)
    }

    /// A word that takes an attribute, and a value of it: whether the attribute is ever anything of the sort.
    pub(super) fn attribute_asked(&mut self, call: &FnCallExpr, as_method: bool) {
        let name = call.name.as_str();
        let argument = |wanted: Role| {
            let stands_for = |position| roles(name, call.args.len(), as_method, position).any(|role| role == wanted);
            call.args.iter().enumerate().find(|(position, _)| stands_for(*position)).map(|(_, argument)| argument)
        };
        let numbers = argument(Role::Numbers);
        let Some(Expr::StringConstant(attribute, attribute_at)) = numbers.or_else(|| argument(Role::Attribute)) else {
            return;
        };
        let layout = self.known.layout;
        let Some(number) = layout.attributes.iter().position(|known| known == attribute.as_str()) else { return };
        if numbers.is_some()
            && let Err(fault) = layout.expect_numbers(number)
        {
            self.misfit(from_fault(&fault), *attribute_at, "no number");
        }
        if let Some(value) = argument(Role::AttributeValue) {
            self.attribute_value(number, value);
        }
    }

    /// A comparison of an attribute with a fixed value that it never has.
    pub(super) fn compared_attribute(&mut self, operator: &str, sides: &[Expr]) {
        let [left, right] = sides else { return };
        if !matches!(operator, "==" | "!=") {
            return;
        }
        let attribute_of = |side: &Expr| {
            let name = last_property(side).filter(|name| self.known.is_attribute_only(name))?;
            self.known.layout.attributes.iter().position(|known| known == name)
        };
        match (attribute_of(left), attribute_of(right)) {
            (Some(attribute), None) => self.attribute_value(attribute, right),
            (None, Some(attribute)) => self.attribute_value(attribute, left),
            _ => {}
        }
    }

    /// A fixed value that an attribute is looked for: it has to be one that a face of the game has.
    pub(super) fn attribute_value(&mut self, attribute: usize, value: &Expr) {
        let layout = self.known.layout;
        let name = &layout.attributes[attribute];
        let (sort, shown) = match value {
            Expr::StringConstant(text, _) => (layout.expect_texts(attribute, text), format!("\"{text}\"")),
            Expr::IntegerConstant(number, _) => (layout.expect_numbers(attribute), number.to_string()),
            _ => return,
        };
        let at = value.start_position();
        if let Err(fault) = sort {
            self.misfit(from_fault(&fault), at, "of another sort");
            return;
        }
        let has_value = |layout: &Layout| {
            let Some(attribute) = layout.attributes.iter().position(|known| known == name) else { return false };
            match value {
                Expr::StringConstant(text, _) => layout.texts_of(attribute).contains(&text.as_str()),
                Expr::IntegerConstant(number, _) => layout.numbers_of(attribute).contains(number),
                _ => true,
            }
        };
        if self.known.layouts().any(has_value) {
            return;
        }
        let error = Diagnostic::new(format!("no component has {shown} as its `{name}`"));
        let help = match value {
            Expr::StringConstant(text, _) => {
                let texts = layout.texts_of(attribute);
                did_you_mean(text, texts.iter().copied())
                    .unwrap_or_else(|| format!("there are {}", quoted(texts.into_iter().take(12))))
            }
            _ => match (layout.numbers_of(attribute).first(), layout.numbers_of(attribute).last()) {
                (Some(lowest), Some(highest)) => format!("its numbers go from {lowest} to {highest}"),
                _ => "it has no numbers".to_owned(),
            },
        };
        self.misfit(error.help(help), at, "never so");
    }

    /// What has a property of this name.
    pub(super) fn owners_of(&self, name: &str) -> String {
        let definition = &self.known.layout.definition;
        let is_zone = || definition.zones.iter().any(|zone| zone.per_seat && zone.id == name);
        let mut receivers: Vec<Sort> = Vec::new();
        for receiver in
            words().filter(|word| word.name == name && word.form == Form::Property).flat_map(|word| word.receivers)
        {
            if !receivers.contains(receiver) {
                receivers.push(*receiver);
            }
        }
        if is_zone() || self.known.variables(true).any(|variable| variable == name) {
            format!("`{name}` belongs to a player: `p.{name}`")
        } else if self.known.layout.attributes.iter().any(|attribute| attribute == name) {
            format!("`{name}` is an attribute of a component: `card.{name}`")
        } else if !receivers.is_empty() {
            format!("`{name}` is asked of {}", receivers.iter().map(|sort| sort.name()).collect::<Vec<_>>().join(", "))
        } else if self.known.variables(false).any(|variable| variable == name) {
            format!("`{name}` is a variable of the table: `table.{name}`")
        } else {
            format!("`{name}` is a part of options, or stands in the data")
        }
    }

    /// What an entry of `table`, `data` or `settings` is.
    pub(super) fn sort_of_entry(&self, global: &str, name: &str) -> Option<Sort> {
        let known = self.known;
        let of_toml = |value: &toml::Value| match value {
            toml::Value::Integer(_) => Sort::Number,
            toml::Value::Boolean(_) => Sort::Truth,
            toml::Value::Array(_) | toml::Value::Table(_) => Sort::Data,
            _ => Sort::Text,
        };
        match global {
            "table" => known.sort_of_variable(name, false),
            "data" => match known.property_of(Sort::Data, name) {
                Some(Some(of_word)) => Some(of_word),
                _ => known.layout.definition.data.get(name).map(of_toml),
            },
            _ => {
                let mut layers = known.ruleset.settings.iter().enumerate();
                let (_, (_, settings)) = layers.find(|(layer, _)| settings_name(*layer) == global)?;
                settings.get(name).map(of_toml)
            }
        }
    }

    /// What the global names `table`, `data` and `settings` have, where the name is one of these.
    pub(super) fn entries_of(&self, global: &str) -> Option<Vec<&'a str>> {
        let known = self.known;
        match global {
            "table" => Some(known.variables(false).collect()),
            "data" => {
                let words = words().filter(|word| word.form == Form::Property && word.receivers.contains(&Sort::Data));
                let keys = known.layout.definition.data.keys().map(String::as_str);
                Some(keys.chain(words.map(|word| word.name)).collect())
            }
            _ => {
                let mut layers = known.ruleset.settings.iter().enumerate();
                let (_, (_, settings)) = layers.find(|(layer, _)| settings_name(*layer) == global)?;
                Some(settings.keys().map(String::as_str).collect())
            }
        }
    }
}

/// The property that a chain ends with.
fn last_property(expression: &Expr) -> Option<&str> {
    let mut node = expression;
    loop {
        match node {
            Expr::Dot(pair, ..) | Expr::Index(pair, ..) => node = &pair.rhs,
            Expr::Property(property, _) => return Some(property.2.as_str()),
            _ => return None,
        }
    }
}

fn sort_of_zone(zone: &ZoneDefinition) -> Sort {
    if zone.count.is_some() { Sort::Zones } else { Sort::Zone }
}
