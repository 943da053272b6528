//! Checks whether the sorts of values fit their use.

use super::function::{CountingLoop, Reader};
use super::known::roles;
use crate::diagnostic::{Diagnostic, Help, Place, did_you_mean, known_names_sentence, message};
use crate::script::codes;
use crate::script::error_messages::from_fault;
use crate::script::program::{Binary, Expr, ExprKind, Global, Literal, WordCall};
use crate::script::sorts::{self, Sort};
use crate::script::vocabulary::Role;
use crate::table::event::ScriptPoint;
use crate::table::layout::Layout;

impl<'a> Reader<'a> {
    /// Adds the defaults of settings among `values` to the findings from index `found` on, because a default is the
    /// type of its setting.
    pub(super) fn add_setting_defaults(&mut self, found: usize, values: &[Expr]) {
        if found == self.findings.len() {
            return;
        }
        let ruleset = self.known.ruleset;
        let default_of = |value: &Expr| {
            let ExprKind::Property(of, key) = &value.kind else { return None };
            let ExprKind::Global(Global::Settings(number)) = of.kind else { return None };
            let layer = ruleset.layers().nth(number)?;
            layer.place_of(&["settings", key, "default"], "the default is the type of the setting")
        };
        let places: Vec<Place> = values.iter().filter_map(default_of).collect();
        for finding in self.findings.iter_mut().skip(found) {
            finding.error.related.extend(places.iter().cloned());
        }
    }

    /// Checks a unary operator; returns the sort of its result.
    pub(super) fn prefix(&mut self, sign: &str, one: &'a Expr, wanted: Sort, at: ScriptPoint) -> Option<Sort> {
        if let Some(sort) = self.expression(one).filter(|sort| *sort != wanted) {
            self.report_sort_mismatch(sorts::no_prefix_error(sign, sort).with_code(codes::WRONG_OPERAND), at, "");
        }
        Some(wanted)
    }

    /// Checks a binary operator; returns the sort of its result where that is certain.
    pub(super) fn operator(
        &mut self,
        operator: Binary,
        sides: (Option<Sort>, Option<Sort>),
        at: ScriptPoint,
    ) -> Option<Sort> {
        let compares = operator.compares();
        let (Some(left), Some(right)) = sides else {
            return match sides.0 {
                _ if compares => Some(Sort::Truth),
                // Only a number goes with a number, only a text behind a text.
                Some(Sort::Number) => Some(Sort::Number),
                Some(Sort::Text) if operator == Binary::Add => Some(Sort::Text),
                _ => None,
            };
        };
        if let Some(result) = sorts::operator_result(operator.sign(), left, right) {
            return Some(result);
        }
        let error = match operator {
            Binary::Equal | Binary::Unequal if left != right => {
                sorts::never_equal(operator.sign(), left, right).with_code(codes::NEVER_EQUAL)
            }
            _ => sorts::no_operator_error(operator.sign(), left, right).with_code(codes::WRONG_OPERAND),
        };
        self.report_sort_mismatch(error, at, "");
        compares.then_some(Sort::Truth)
    }

    /// Checks the number in `players[1]` or `hand[0]`: players and zones of a kind count from 1, positions from 0.
    pub(super) fn check_index(&mut self, index: &'a Expr, owner: Sort, is_owner: &dyn Fn(&Expr) -> bool) {
        let is_length =
            |expr: &Expr| matches!(&expr.kind, ExprKind::Property(of, name) if &**name == "len" && is_owner(of));
        let loop_of = |slot| self.counted.get(slot).copied();
        let looped = if let ExprKind::Local(slot) = &index.kind { loop_of(slot) } else { None };
        let first = looped.map_or(index, |counted| &counted.sides[0]);
        let counts_too_far =
            |counted: CountingLoop<'_>| counted.is_still && counted.is_closed && is_length(&counted.sides[1]);
        let is_past_end = is_length(index) || looped.is_some_and(counts_too_far);
        let number = literal_number(first);
        let (message, help) = match (owner, number) {
            (Sort::Players, Some(number)) if number < 1 => (
                message!("there is no player {number}"),
                "players count from 1: `players[1]`, `1..=players.len`, or `for p in players`",
            ),
            (Sort::Zones, Some(number)) if number < 1 => (
                message!("there is no zone of number {number}"),
                "zones of a kind are numbered from 1: `columns[1]`, `1..=columns.len`, or `for column in columns`",
            ),
            (Sort::List | Sort::Zone | Sort::Components, _) if is_past_end => (
                "there is nothing at the position `len`: that is one past the last".into(),
                "positions count from 0: `hand[0]`, `0..hand.len`, `hand.last`, or `for card in hand`",
            ),
            _ => return,
        };
        let label = if looped.is_some() { "as this loop counts" } else { "" };
        self.report_sort_mismatch(
            Diagnostic::new(message).help(help).with_code(codes::WRONG_VALUE),
            index.start(),
            label,
        );
    }

    /// Checks the ends of `from..to`.
    pub(super) fn range(&mut self, sides: (Option<Sort>, Option<Sort>), at: ScriptPoint) {
        let is_number = |side: Option<Sort>| side.is_none_or(|sort| sort == Sort::Number);
        if !is_number(sides.0) || !is_number(sides.1) {
            let [from, to] = [sides.0, sides.1].map(|side| side.unwrap_or(Sort::Number));
            self.report_sort_mismatch(sorts::no_operator_error("..", from, to).with_code(codes::WRONG_OPERAND), at, "");
        }
    }

    /// Checks a case of a `switch` against the sort of the compared value.
    pub(super) fn case(&mut self, literal: &Literal, value: Sort, at: ScriptPoint) {
        let (sort, shown) = match literal {
            Literal::Number(number) => (Sort::Number, number.to_string()),
            Literal::Truth(truth) => (Sort::Truth, truth.to_string()),
            Literal::Text(text) => (Sort::Text, format!("{text:?}")),
        };
        if sort == value {
            return;
        }
        let message = message!("the case `{shown}` is {}, and what is looked at {}", sort.named(), value.named());
        let error = Diagnostic::new(message).with_code(codes::NEVER_EQUAL);
        let error = match (sort, value) {
            (Sort::Text, Sort::Number) | (Sort::Number, Sort::Text) => {
                error.help("write a number without quotes: `3`, not `\"3\"`")
            }
            (Sort::Number, Sort::Player) => error.help("`p.number` is the number of a player"),
            _ => error.help("this case is never taken"),
        };
        self.report_sort_mismatch(error, at, value.named());
    }

    /// Checks the attribute that a word is given, and the value of it: some component has to have such a value.
    pub(super) fn attribute_asked(&mut self, call: &'a WordCall) {
        let argument = |wanted: Role| {
            let count = call.arguments.len();
            let stands_for = |position| roles(&call.name, count, position).any(|role| role == wanted);
            call.arguments.iter().enumerate().find(|(position, _)| stands_for(*position)).map(|(_, argument)| argument)
        };
        let numbers = argument(Role::Numbers);
        let Some(Expr { kind: ExprKind::Text(attribute), at }) = numbers.or_else(|| argument(Role::Attribute)) else {
            return;
        };
        let layout = self.known.layout;
        let Some(number) = layout.attributes.iter().position(|known| **known == **attribute) else { return };
        if numbers.is_some()
            && let Err(fault) = layout.expect_numbers(number)
        {
            self.report_sort_mismatch(from_fault(&fault).with_code(codes::WRONG_ARGUMENT), *at, "not a number");
        }
        if let Some(value) = argument(Role::AttributeValue) {
            self.attribute_value(number, value);
        }
    }

    /// Checks a comparison of an attribute with a fixed value, which some component has to have.
    pub(super) fn compared_attribute(&mut self, left: &'a Expr, right: &'a Expr) {
        let attribute_of = |side: &Expr| {
            let ExprKind::Property(_, name) = &side.kind else { return None };
            self.known
                .layout
                .attributes
                .iter()
                .position(|known| **known == **name && self.known.is_attribute_only(name))
        };
        match (attribute_of(left), attribute_of(right)) {
            (Some(attribute), None) => self.attribute_value(attribute, right),
            (None, Some(attribute)) => self.attribute_value(attribute, left),
            _ => {}
        }
    }

    /// Checks a fixed value that an attribute is compared with: some face of the game has to have it.
    fn attribute_value(&mut self, attribute: usize, value: &'a Expr) {
        let layout = self.known.layout;
        let name = &layout.attributes[attribute];
        let (sort, shown) = match &value.kind {
            ExprKind::Text(text) => (layout.expect_texts(attribute, text), format!("\"{text}\"")),
            ExprKind::Number(number) => (layout.expect_numbers(attribute), number.to_string()),
            _ => return,
        };
        if let Err(fault) = sort {
            self.report_sort_mismatch(from_fault(&fault).with_code(codes::NEVER_EQUAL), value.at, "of another sort");
            return;
        }
        let has_value = |layout: &Layout| {
            let Some(attribute) = layout.attributes.iter().position(|known| known == name) else { return false };
            match &value.kind {
                ExprKind::Text(text) => layout.texts_of(attribute).contains(&&**text),
                ExprKind::Number(number) => layout.numbers_of(attribute).contains(number),
                _ => true,
            }
        };
        // In a game without components, every value would be reported.
        if self.known.layouts().any(has_value) || layout.definition.components.is_empty() {
            return;
        }
        let error = Diagnostic::new(message!("no component has {shown} as its `{name}`")).with_code(codes::NEVER_EQUAL);
        let help: Help = match &value.kind {
            ExprKind::Text(text) => {
                let texts = layout.texts_of(attribute);
                did_you_mean(text, texts.iter().copied())
                    .unwrap_or_else(|| known_names_sentence("value", texts.iter().copied()).into())
            }
            _ => match (layout.numbers_of(attribute).iter().min(), layout.numbers_of(attribute).iter().max()) {
                (Some(lowest), Some(highest)) => message!("its numbers go from {lowest} to {highest}").into(),
                _ => "it has no numbers".into(),
            },
        };
        self.report_sort_mismatch(error.help(help), value.at, "no such value");
    }
}

/// The number of a literal, perhaps a negative one; `None` for any other expression.
fn literal_number(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Number(number) => Some(*number),
        ExprKind::Negative(one) => Some(literal_number(one)?.saturating_neg()),
        _ => None,
    }
}
