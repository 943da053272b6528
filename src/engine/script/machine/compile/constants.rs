//! Constant folding: the values and sorts of expressions that are the same in every game.

use super::Compiler;
use crate::script::machine::code::{Getter, MAX_ARGUMENTS, WordForms, key_of};
use crate::script::machine::operators::apply_builtin_operator;
use crate::script::machine::value::RegisterValue;
use crate::script::machine::words::{Arguments, NativeWord, natives};
use crate::script::program::{Expr, ExprKind, Global, WordCall};
use crate::script::sorts::Sort;
use crate::table::decision::{NoAnswerer, Play};
use crate::table::value::{Seats, Zones};

impl Compiler<'_> {
    /// The value of an expression that is the same in every game; `None` where it can differ.
    pub(super) fn constant_of(&mut self, expression: &Expr) -> Option<RegisterValue> {
        match &expression.kind {
            ExprKind::Nothing => Some(RegisterValue::Nothing),
            ExprKind::Number(number) => Some(RegisterValue::Number(*number)),
            ExprKind::Truth(truth) => Some(RegisterValue::truth(*truth)),
            ExprKind::Text(text) => Some(self.text(text)),
            ExprKind::Global(global) => Some(self.global(global)),
            ExprKind::Property(of, name) => {
                let owner = self.constant_of(of).filter(is_fixed)?;
                let site = self.property_site(name, expression.at).ok()?;
                match self.code.properties.get(usize::from(site))?.getters.get(owner.sort() as usize)? {
                    Some(Getter::Datum) => {
                        let RegisterValue::Data(data) = owner else { return None };
                        let datum = self.probe.datum(data.get(), name).ok()?.clone();
                        Some(self.intern_text(self.code.texts.of_datum(&datum)))
                    }
                    Some(Getter::DatumOr(native)) => {
                        let native = *native;
                        let RegisterValue::Data(data) = owner else { return None };
                        match self.probe.datum(data.get(), name).cloned() {
                            Ok(datum) => Some(self.intern_text(self.code.texts.of_datum(&datum))),
                            Err(_) => self.fold_word(native, &[owner]),
                        }
                    }
                    Some(Getter::Word(native)) if never_changes(&owner, name) => {
                        let native = *native;
                        self.fold_word(native, &[owner])
                    }
                    _ => None,
                }
            }
            ExprKind::Index(of, index) => {
                // The contents of a zone change.
                let is_fixed = |value: &RegisterValue| is_fixed(value) && !matches!(value, RegisterValue::Zone(_));
                let (of, index) = (self.constant_of(of).filter(is_fixed)?, self.constant_of(index)?);
                let forms = self.code.entries.clone()?;
                self.word_on(&forms, &[of, index])
            }
            ExprKind::Word(WordCall { name, arguments, .. }) => {
                let first = self.constant_of(arguments.first()?).filter(is_fixed)?;
                let rest = arguments[1..].iter().map(|argument| self.constant_of(argument));
                let values: Vec<RegisterValue> =
                    std::iter::once(Some(first)).chain(rest.collect::<Vec<_>>()).collect::<Option<_>>()?;
                if !word_never_changes(&values, name) || values.len() > MAX_ARGUMENTS {
                    return None;
                }
                let forms = natives().forms(name, values.len());
                self.word_on(&forms, &values)
            }
            ExprKind::Not(inner) => match self.constant_of(inner)? {
                RegisterValue::Truth(truth) => Some(RegisterValue::truth(!truth.get())),
                _ => None,
            },
            ExprKind::Negative(inner) => match self.constant_of(inner)? {
                RegisterValue::Number(number) => number.checked_neg().map(RegisterValue::Number),
                _ => None,
            },
            ExprKind::Binary(operator, sides) => {
                let (left, right) = (self.constant_of(&sides[0])?, self.constant_of(&sides[1])?);
                let simple = |value: &RegisterValue| {
                    matches!(
                        value,
                        RegisterValue::Number(_)
                            | RegisterValue::Truth(_)
                            | RegisterValue::StaticText(_)
                            | RegisterValue::Text(_)
                    )
                };
                if !simple(&left) || !simple(&right) {
                    return None;
                }
                let value = apply_builtin_operator(&self.code.texts, *operator, &left, &right).ok()?;
                Some(self.intern_text(value))
            }
            ExprKind::And(list) | ExprKind::Or(list) => {
                let alone = matches!(expression.kind, ExprKind::Or(_));
                for item in list {
                    match self.constant_of(item)? {
                        RegisterValue::Truth(truth) if truth.get() == alone => {
                            return Some(RegisterValue::truth(alone));
                        }
                        RegisterValue::Truth(_) => {}
                        _ => return None,
                    }
                }
                Some(RegisterValue::truth(!alone))
            }
            _ => None,
        }
    }

    /// Turns a text into one that is known at compile time; other values stay as they are.
    pub(super) fn intern_text(&mut self, value: RegisterValue) -> RegisterValue {
        match &value {
            RegisterValue::Text(text) => RegisterValue::known(self.code.texts.add(&text.0.clone())),
            _ => value,
        }
    }

    pub(super) fn word_on(&mut self, forms: &WordForms, values: &[RegisterValue]) -> Option<RegisterValue> {
        let key = || key_of(values.iter().map(RegisterValue::sort));
        let native = forms.find(values.first()?.sort(), key)?;
        self.fold_word(native, values)
    }

    /// The result of a word that depends only on its arguments; `None` where the word fails.
    pub(super) fn fold_word(&mut self, native: &'static NativeWord, values: &[RegisterValue]) -> Option<RegisterValue> {
        let mut at = [0; MAX_ARGUMENTS];
        at.iter_mut().zip(0..).take(values.len()).for_each(|(place, number)| *place = number);
        let arguments = Arguments { registers: values, constants: &[], at: &at, texts: &self.code.texts };
        let mut nobody = NoAnswerer;
        let mut play = Play { table: &mut self.probe, answers: &mut nobody };
        let value = (native.body)(&mut play, &arguments).ok()?;
        Some(self.intern_text(value))
    }

    pub(super) fn global(&self, global: &Global) -> RegisterValue {
        let layout = self.layout;
        match global {
            Global::Players => RegisterValue::of_players(Seats::all(layout.seats).as_slice()),
            Global::Table => RegisterValue::Table,
            Global::Nobody => RegisterValue::Nobody,
            Global::Data => RegisterValue::data(layout.data.root()),
            Global::Settings(layer) => {
                layout.data.settings().get(*layer).copied().map_or(RegisterValue::Nothing, RegisterValue::data)
            }
            Global::Zone(definition) => match layout.definition.zones.get(*definition) {
                Some(zone) if zone.count.is_some() => RegisterValue::of_zones(&layout.zones_of(*definition, None).0),
                Some(_) => RegisterValue::zone(layout.zone_of(*definition, None)),
                None => RegisterValue::of_zones(&Zones::default().0),
            },
        }
    }

    /// The sort of an expression; `None` where it is not certain.
    pub(super) fn sort_of(&self, expression: &Expr) -> Option<Sort> {
        match &expression.kind {
            ExprKind::Nothing => Some(Sort::Nothing),
            ExprKind::Number(_) => Some(Sort::Number),
            ExprKind::Truth(_) | ExprKind::Not(_) | ExprKind::And(_) | ExprKind::Or(_) => Some(Sort::Truth),
            ExprKind::Text(_) | ExprKind::Joined(_) => Some(Sort::Text),
            ExprKind::List(_) => Some(Sort::List),
            ExprKind::Range(..) => Some(Sort::Range),
            ExprKind::Global(global) => Some(self.global(global).sort()),
            ExprKind::Local(slot) => self.sorts.get(usize::from(*slot)).copied().flatten(),
            ExprKind::Binary(operator, _) if operator.compares() => Some(Sort::Truth),
            ExprKind::Binary(_, sides) => {
                let number = |side| self.sort_of(side) == Some(Sort::Number);
                (number(&sides[0]) && number(&sides[1])).then_some(Sort::Number)
            }
            ExprKind::Property(of, name) => {
                let owner = self.sort_of(of)?;
                let native = natives().properties(name).find(|(sort, _)| *sort == owner)?.1;
                let is_own = self.layout.attributes.iter().any(|known| **known == **name) && owner == Sort::Component
                    || owner == Sort::Player
                    || owner == Sort::Data;
                native.result.filter(|_| !is_own)
            }
            _ => None,
        }
    }
}

/// Properties of data, players and seats that are the same in every game with this number of players, whatever lies on
/// the table.
const FIXED_PROPERTIES: [&str; 8] = ["first", "is_empty", "last", "len", "next", "number", "previous", "reversed"];

/// Whether a value can have properties that are the same in every game.
pub(super) fn is_fixed(value: &RegisterValue) -> bool {
    matches!(
        value,
        RegisterValue::Data(_)
            | RegisterValue::Players(_)
            | RegisterValue::Zone(_)
            | RegisterValue::Zones(_)
            | RegisterValue::FewZones(_)
    )
}

/// Whether a property is the same in every game with this number of players, whatever lies on the table.
pub(super) fn never_changes(owner: &RegisterValue, name: &str) -> bool {
    match owner {
        RegisterValue::Zone(_) => matches!(name, "around" | "column" | "neighbours" | "number" | "rays" | "row"),
        RegisterValue::Zones(_) | RegisterValue::FewZones(_) => {
            matches!(
                name,
                "around"
                    | "columns"
                    | "connected_groups"
                    | "first"
                    | "is_empty"
                    | "last"
                    | "len"
                    | "neighbours"
                    | "rows"
            )
        }
        _ => FIXED_PROPERTIES.contains(&name),
    }
}

/// Whether the result of a word is the same in every game with this number of players, whatever lies on the table.
pub(super) fn word_never_changes(given: &[RegisterValue], name: &str) -> bool {
    match given {
        [] => false,
        [RegisterValue::Data(_), ..] => true,
        // The contents of a zone change, so `between` of two numbers in it is something else.
        [RegisterValue::Zone(_), RegisterValue::Zone(_)] => name == "between",
        [RegisterValue::Zone(_), ..] => matches!(name, "line" | "step"),
        [RegisterValue::Zones(_) | RegisterValue::FewZones(_), ..] => {
            matches!(name, "at" | "connected_to" | "contains" | "except" | "lines" | "region" | "within")
        }
        _ => matches!(name, "starting_with" | "except" | "contains"),
    }
}
