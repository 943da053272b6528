//! The names that scripts can use, with their origins and sorts.

use super::OfferedPart;
use super::effects::Effects;
use crate::definition::{DeclaredType, Layer, Scalar, VariableValue, ZoneDefinition, overlay};
use crate::diagnostic::{Message, Place, Source};
use crate::ruleset::Ruleset;
use crate::script::functions::FunctionInfo;
use crate::script::parser::{Scripts, typed_place};
use crate::script::program::{Expr, ExprKind, FunctionId, Global, Piece, Program, StatementKind, Target};
use crate::script::sorts::Sort;
use crate::script::vocabulary::{Form, Role, Word, words, words_named};
use crate::sorted::{SortedMap, SortedSet};
use crate::table::attributes::AttributeSort;
use crate::table::event::ScriptPoint;
use crate::table::layout::Layout;
use crate::table::value::NOBODY;
use std::cell::OnceCell;
use std::sync::Arc;

pub(super) struct RulesContext<'a> {
    pub(super) scripts: &'a Scripts,
    pub(super) layout: &'a Layout,
    pub(super) ruleset: &'a Ruleset,
    /// The expression that is checked, where a person typed it.
    pub(super) typed: Option<&'a Arc<Source>>,
    /// The sort of the result of each function, where it has been read and is certain.
    pub(super) results: Vec<Option<Sort>>,
    /// The effects of each function on the game.
    pub(super) effects: Vec<Effects>,
    pub(super) properties: SortedSet<&'a str>,
    /// Names of the parts of options, as scripts give them.
    pub(super) parts: SortedSet<String>,
    /// The sorts of the parts of options, where they are the same in all options.
    part_sorts: SortedMap<Arc<str>, Sort>,
    /// Whether `table` is used other than before a dot, so that another name may hold it.
    pub(super) table_is_handed_on: bool,
    /// The layout of the game without its variants; `None` where they do not change what attributes can be.
    plain: OnceCell<Option<Layout>>,
}

impl<'a> RulesContext<'a> {
    pub(super) fn new(scripts: &'a Scripts, layout: &'a Layout, ruleset: &'a Ruleset) -> Self {
        let definition = &layout.definition;
        let word_properties = words().filter(|word| word.form == Form::Property).map(|word| word.name);
        let zones = definition.zones.iter().filter(|zone| zone.per_seat).map(|zone| zone.id.as_str());
        let variables = definition.variables.iter().map(|variable| variable.id.as_str());
        let attributes = layout.attributes.iter().map(String::as_str);
        let properties = word_properties.chain(zones).chain(variables).chain(attributes).chain(layout.data.keys());
        let mut known = Self {
            scripts,
            layout,
            ruleset,
            typed: None,
            results: vec![None; scripts.functions.len()],
            effects: Vec::new(),
            properties: properties.collect(),
            parts: parts_of_options(&scripts.program),
            part_sorts: SortedMap::new(),
            table_is_handed_on: is_handed_on(&scripts.program, &Global::Table),
            plain: OnceCell::new(),
        };
        known.effects = known.effects_of_functions();
        known
    }

    pub(super) fn place(&self, at: ScriptPoint, label: impl Into<Message>) -> Option<Place> {
        match self.typed {
            Some(typed) => typed_place(typed, at, label),
            None => self.ruleset.place(at, label),
        }
    }

    /// Where the highest layer that has a key of the definition declares it.
    pub(super) fn declared_at(&self, path: &[&str], label: &'static str) -> Option<Place> {
        self.ruleset.all_layers().rev().find_map(|layer| Some(layer.value_at(path)?.place(label)))
    }

    // Names

    /// The script functions that calls of a name reach, one for each number of parameters.
    pub(super) fn forms<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'a FunctionInfo> + 'b {
        self.scripts.functions.iter().filter(move |function| function.is_reached_by(name))
    }

    /// The script function that a call of `name` with `arity` arguments reaches; `None` where there is none.
    pub(super) fn function_defined_as(&self, name: &str, arity: usize) -> Option<FunctionId> {
        let is_meant = |function: &FunctionInfo| function.is_reached_by(name) && function.parameters.len() == arity;
        self.scripts.functions.iter().position(is_meant).map(|number| number as FunctionId)
    }

    /// The calls of a script function as written, with its own parameter names.
    pub(super) fn written_call(&self, name: &str) -> String {
        let forms = self.forms(name).map(|function| format!("{}({})", function.name, function.parameters.join(", ")));
        forms.collect::<Vec<_>>().join("` or `")
    }

    /// The global names: zones of the table, and those that every ruleset has.
    pub(super) fn global_names(&self) -> impl Iterator<Item = &'a str> {
        let zones = self.layout.definition.zones.iter().filter(|zone| !zone.per_seat).map(|zone| zone.id.as_str());
        ["players", "table", NOBODY, "data", "settings"].into_iter().chain(zones)
    }

    pub(super) fn name_of(&self, global: &Global) -> &'a str {
        match global {
            Global::Players => "players",
            Global::Table => "table",
            Global::Nobody => NOBODY,
            Global::Data => "data",
            Global::Settings(_) => "settings",
            Global::Zone(definition) => &self.layout.definition.zones[*definition].id,
        }
    }

    pub(super) fn variables(&self, per_seat: bool) -> impl Iterator<Item = &'a str> {
        let variables = self.layout.definition.variables.iter();
        variables.filter(move |variable| variable.per_seat == per_seat).map(|variable| variable.id.as_str())
    }

    /// The names of the entries of `table`, `data` or `settings`; `None` for other globals.
    pub(super) fn entries_of(&self, global: &Global) -> Option<Vec<&'a str>> {
        match global {
            Global::Table => Some(self.variables(false).collect()),
            Global::Data => {
                let words = words().filter(|word| word.form == Form::Property && word.receivers.contains(&Sort::Data));
                let keys = self.layout.definition.data.keys().map(String::as_str);
                Some(keys.chain(words.map(|word| word.name)).collect())
            }
            Global::Settings(layer) => {
                let (_, settings) = self.ruleset.settings.get(*layer)?;
                Some(settings.keys().map(String::as_str).collect())
            }
            _ => None,
        }
    }

    /// Records the sorts of the parts of options in all functions.
    pub(super) fn parts_are<'o>(&mut self, offered: impl Iterator<Item = &'o OfferedPart>) {
        let mut sorts: SortedMap<Arc<str>, Option<Sort>> = SortedMap::from([("act".into(), Some(Sort::Text))]);
        for OfferedPart { name, sort } in offered {
            let Some(name) = name else { return self.part_sorts.clear() };
            let known = sorts.entry(name.clone()).or_insert(*sort);
            *known = known.filter(|known| Some(*known) == *sort);
        }
        self.part_sorts = sorts.into_iter().filter_map(|(name, sort)| Some((name, sort?))).collect();
    }

    // Sorts

    /// The layouts in which a value may be looked for: that of the ruleset, and that of the game alone, because a rule of
    /// the game may speak of what a variant has taken away.
    pub(super) fn layouts(&self) -> impl Iterator<Item = &Layout> {
        let changes = |layer: &Layer| ["components", "data"].iter().any(|table| layer.tables.get(table).is_some());
        let plain = self.plain.get_or_init(|| {
            let Ruleset { libraries, bases, game, variants, overridden, .. } = self.ruleset;
            let is_used = |library: &&Layer| bases.iter().chain([game]).any(|layer| layer.uses.contains(&library.id));
            let own: Vec<Layer> = libraries.iter().filter(is_used).cloned().collect();
            let is_changed = variants.iter().any(changes) || own.len() < libraries.len() || !overridden.is_empty();
            let game = is_changed.then(|| overlay(&own, bases, game, &[], &[]).ok()).flatten()?;
            Some(Layout::new(Arc::new(game.definition), &game.settings, self.layout.seats))
        });
        std::iter::once(self.layout).chain(plain.as_ref())
    }

    /// An attribute that has this text as its value on some component; `None` where none has.
    pub(super) fn attribute_with(&self, text: &str) -> Option<&'a str> {
        let attributes = self.layout.attributes.iter().enumerate();
        attributes
            .map(|(number, name)| (number, name.as_str()))
            .find_map(|(number, name)| self.layout.texts_of(number).contains(&text).then_some(name))
    }

    pub(super) fn sort_of_global(&self, global: &Global) -> Sort {
        match global {
            Global::Players => Sort::Players,
            Global::Table => Sort::Table,
            Global::Nobody => Sort::Nobody,
            Global::Data | Global::Settings(_) => Sort::Data,
            Global::Zone(definition) => sort_of_zone(&self.layout.definition.zones[*definition]),
        }
    }

    /// The sort of a declared variable, `None` inside where it is not certain; `None` outside where none is declared.
    pub(super) fn sort_of_variable(&self, name: &str, per_seat: bool) -> Option<Option<Sort>> {
        let mut variables = self.layout.definition.variables.iter();
        let found = variables.find(|variable| variable.per_seat == per_seat && variable.id == name)?;
        Some(Some(match found.default {
            VariableValue::Plain(Scalar::Number(_)) => Sort::Number,
            VariableValue::Plain(Scalar::Truth(_)) => Sort::Truth,
            VariableValue::Plain(Scalar::Text(_)) => Sort::Text,
            VariableValue::Nothing(DeclaredType::Player) => Sort::PlayerOrNobody,
            VariableValue::Nothing(DeclaredType::Players) => Sort::Players,
            VariableValue::Nothing(DeclaredType::Components) => Sort::Components,
            VariableValue::Nothing(DeclaredType::Zones) => Sort::Zones,
            VariableValue::Nothing(DeclaredType::List) => Sort::List,
            // Such a variable may also be empty.
            VariableValue::Nothing(DeclaredType::Component | DeclaredType::Zone) => return Some(None),
        }))
    }

    /// The sort of an attribute, where it is the same on all faces.
    fn sort_of_attribute(&self, name: &str) -> Option<Sort> {
        let attribute = self.layout.attributes.iter().position(|known| known == name)?;
        match self.layout.attribute_sorts[attribute] {
            AttributeSort { numbers: true, texts: false } => Some(Sort::Number),
            AttributeSort { numbers: false, texts: true } => Some(Sort::Text),
            _ => None,
        }
    }

    /// The sort of an entry of `table`, `data` or `settings`, where it is certain.
    pub(super) fn sort_of_entry(&self, global: &Global, name: &str) -> Option<Sort> {
        match global {
            Global::Table => self.sort_of_variable(name, false)?,
            Global::Data => match self.layout.definition.data.get(name) {
                Some(value) => Some(sort_of_toml(value)),
                None => self.property_of(Sort::Data, name).flatten(),
            },
            Global::Settings(layer) => {
                let (_, settings) = self.ruleset.settings.get(*layer)?;
                settings.get(name).map(sort_of_toml)
            }
            _ => None,
        }
    }

    /// The variable that holds the answer to a setting that players are asked for; `None` for any other setting.
    pub(super) fn asked_variable(&self, global: &Global, name: &str) -> Option<&'a str> {
        let Global::Settings(number) = global else { return None };
        let layer = self.ruleset.layers().nth(*number)?;
        Some(&layer.settings.get(name)?.ask.as_ref()?.variable)
    }

    /// The sort of a property of a value of a known sort, `None` inside where it is not certain; `None` outside where
    /// there is no such property.
    pub(super) fn property_of(&self, owner: Sort, name: &str) -> Option<Option<Sort>> {
        let owner = if owner == Sort::PlayerOrNobody { Sort::Player } else { owner };
        let is_meant = |word: &&Word| word.form == Form::Property && word.receivers.contains(&owner);
        let of_words = words_named(name).find(is_meant).map(|word| word.result.of(Some(owner)));
        let declared = || match owner {
            Sort::Player => {
                let zone = self.layout.definition.zones.iter().find(|zone| zone.id == name && zone.per_seat);
                zone.map(|zone| Some(sort_of_zone(zone))).or_else(|| self.sort_of_variable(name, true))
            }
            Sort::Table => self.sort_of_variable(name, false),
            Sort::Component => {
                self.layout.attributes.iter().any(|known| known == name).then(|| self.sort_of_attribute(name))
            }
            // The deeper entries of the data are known only while the game runs.
            Sort::Data => Some(None),
            Sort::Option => Some(self.part_sorts.get(name).copied()),
            _ => None,
        };
        // A declared name is preferred to a word of the same name; whether a table of the data has such a key is known
        // only while the game runs.
        match owner {
            Sort::Data if self.layout.data.keys().any(|key| key == name) => Some(None),
            Sort::Data => of_words.or_else(declared),
            _ => declared().or(of_words),
        }
    }

    /// The sort of a property whose owner is unknown, where it is certain.
    pub(super) fn sort_of_property(&self, name: &str) -> Option<Sort> {
        if self.layout.data.keys().any(|key| key == name) {
            return None;
        }
        let part = self.parts.contains(name).then(|| self.part_sorts.get(name).copied());
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
        let mut sorts = owners.iter().filter_map(|owner| self.property_of(*owner, name)).chain(part);
        let first = sorts.next()??;
        sorts.all(|sort| sort == Some(first)).then_some(first)
    }

    /// Whether a property of this name is a variable of the table, and of nothing else that a name can hold.
    pub(super) fn is_of_table_alone(&self, name: &str) -> bool {
        !self.table_is_handed_on
            && self.variables(false).any(|variable| variable == name)
            && !self.parts.contains(name)
            && !self.layout.attributes.iter().any(|attribute| attribute == name)
            && !self.layout.data.keys().any(|key| key == name)
            && !self.ruleset.settings.iter().any(|(_, settings)| settings.contains_key(name))
            && !words_named(name).any(|word| word.form == Form::Property)
            && self.property_of(Sort::Player, name).is_none()
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

/// Whether a global name is used other than as the owner of a property.
fn is_handed_on(program: &Program, wanted: &Global) -> bool {
    let is_meant = |expr: &Expr| matches!(&expr.kind, ExprKind::Global(global) if global == wanted);
    let (mut there, mut owning) = (0, 0);
    for function in &program.functions {
        function.body.walk(&mut |piece| match piece {
            Piece::Expr(expr) => {
                there += usize::from(is_meant(expr));
                if let ExprKind::Property(of, _) = &expr.kind {
                    owning += usize::from(is_meant(of));
                }
            }
            Piece::Statement(statement) => {
                if let StatementKind::Set { target: Target::Property { of, .. }, .. } = &statement.kind {
                    owning += usize::from(is_meant(of));
                }
            }
        });
    }
    there > owning
}

/// The names that parts of options can have: the texts passed to words as the name of a part; if any such name is
/// computed at run time, every text of the scripts.
pub fn parts_of_options(program: &Program) -> SortedSet<String> {
    let mut given = SortedSet::from(["act".to_owned()]);
    let mut texts = SortedSet::new();
    let mut all_known = true;
    for function in &program.functions {
        function.body.walk(&mut |piece| match piece {
            Piece::Expr(Expr { kind: ExprKind::Text(text), .. }) => drop(texts.insert(text.to_string())),
            Piece::Expr(Expr { kind: ExprKind::Word(call), .. }) => {
                for (position, argument) in call.arguments.iter().enumerate() {
                    if roles(&call.name, call.arguments.len(), position).any(|role| role == Role::Part) {
                        match &argument.kind {
                            ExprKind::Text(text) => drop(given.insert(text.to_string())),
                            _ => all_known = false,
                        }
                    }
                }
            }
            _ => {}
        });
    }
    if all_known { given } else { given.into_iter().chain(texts).collect() }
}

/// The words that a call of `name` can mean; `arguments` is the number of arguments, the receiver included.
pub(super) fn called_words(name: &str, arguments: usize) -> impl Iterator<Item = &'static Word> {
    words_named(name).filter(move |word| word.is_called() && word.arity() == arguments)
}

/// The roles of the argument at a position, counted from the receiver, in the words that a call can mean.
pub fn roles(name: &str, arguments: usize, position: usize) -> impl Iterator<Item = Role> {
    called_words(name, arguments).filter_map(move |word| word.parameter(position)?.role)
}

/// The sort of the result of all the words that fit a call, where they agree.
pub(super) fn result_of<'w>(mut fitting: impl Iterator<Item = &'w Word>, receiver: Option<Sort>) -> Option<Sort> {
    let first = fitting.next()?.result.of(receiver)?;
    fitting.all(|word| word.result.of(receiver) == Some(first)).then_some(first)
}

fn sort_of_zone(zone: &ZoneDefinition) -> Sort {
    if zone.count.is_some() { Sort::Zones } else { Sort::Zone }
}

fn sort_of_toml(value: &toml::Value) -> Sort {
    match value {
        toml::Value::Integer(_) => Sort::Number,
        toml::Value::Boolean(_) => Sort::Truth,
        toml::Value::Array(_) | toml::Value::Table(_) => Sort::Data,
        _ => Sort::Text,
    }
}
