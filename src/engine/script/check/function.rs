//! Checks one function, statement by statement: infers the sorts of values, and reports what cannot be right.
//!
//! Only certain sorts count: a parameter, or a name that is set again, may be of any sort, and fits everywhere.

use super::known::{RulesContext, called_words};
use super::{Finding, FunctionFindings, OfferedPart, PlayerText};
use crate::diagnostic::{Diagnostic, Message, message};
use crate::script::codes;
use crate::script::program::{
    Binary, Block, Expr, ExprKind, Function, FunctionId, FunctionValue, Global, Piece, Slot, Statement, StatementKind,
    Switch, Target,
};
use crate::script::sorts::{self, Sort};
use crate::script::vocabulary::ResultSort;
use crate::sorted::{SortedMap, SortedSet};
use crate::table::event::ScriptPoint;
use std::sync::Arc;

/// How the execution of statements ends.
#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    /// With a value, whose sort may be certain.
    Value(Option<Sort>),
    /// Before their end: they return, throw or leave a loop.
    Elsewhere,
}

impl Outcome {
    /// The outcome where either of two branches runs.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Elsewhere, other) | (other, Self::Elsewhere) => other,
            (Self::Value(one), Self::Value(other)) => Self::Value(one.filter(|_| one == other)),
        }
    }

    fn sort(self) -> Option<Sort> {
        match self {
            Self::Value(sort) => sort,
            Self::Elsewhere => None,
        }
    }
}

/// The state while one function is checked.
pub(super) struct Reader<'a> {
    pub(super) known: &'a RulesContext<'a>,
    /// Names of the slots.
    pub(super) names: &'a [Arc<str>],
    /// The sort of each slot, where it is certain and never changes.
    sorts: Vec<Option<Sort>>,
    scope: Vec<Slot>,
    set_again: ReassignedSlots,
    /// The loops through a range that do the same with each number, by the slot that counts.
    pub(super) counted: SortedMap<Slot, CountingLoop<'a>>,
    /// The slots that hold zones of which there is always one.
    pub(super) always_zones: SortedSet<Slot>,
    pub(super) findings: Vec<Finding>,
    pub(super) calls: SortedSet<FunctionId>,
    pub(super) said: Vec<PlayerText>,
    pub(super) measured: Vec<PlayerText>,
    pub(super) offered: Vec<OfferedPart>,
    /// The outcome of all `return` outside closures, whose `return` ends only the closure.
    returned: Outcome,
    closures: usize,
}

/// A loop through the numbers of a range.
#[derive(Clone, Copy)]
pub(super) struct CountingLoop<'a> {
    /// The first and the last end of the range.
    pub(super) sides: &'a [Expr; 2],
    /// Whether the last end is one of the numbers, as in `..=`.
    pub(super) is_closed: bool,
    /// Whether nothing in the loop can change the length of anything.
    pub(super) is_still: bool,
}

/// Slots that are set again somewhere in the function, in whatever block.
#[derive(Default)]
struct ReassignedSlots {
    /// Slots that are set by `=`.
    anew: SortedSet<Slot>,
    /// Slots that are set by a compound assignment such as `+=`.
    changed: SortedSet<Slot>,
}

impl<'a> Reader<'a> {
    /// Reads a function; `parameters` are the sorts of its first parameters, as far as they are certain.
    pub(super) fn read(known: &'a RulesContext<'a>, function: &'a Function, parameters: &[Sort]) -> FunctionFindings {
        let mut sorts = vec![None; function.names.len()];
        sorts.iter_mut().zip(parameters).for_each(|(known, sort)| *known = Some(*sort));
        let mut reader = Self {
            known,
            names: &function.names,
            sorts,
            scope: (0..function.arity).collect(),
            set_again: ReassignedSlots::of(&function.body),
            counted: SortedMap::new(),
            always_zones: SortedSet::new(),
            findings: Vec::new(),
            calls: SortedSet::new(),
            said: Vec::new(),
            measured: Vec::new(),
            offered: Vec::new(),
            returned: Outcome::Elsewhere,
            closures: 0,
        };
        let last = reader.block(&function.body);
        let result = last.or(reader.returned).sort();
        let Self { findings, calls, said, measured, offered, .. } = reader;
        FunctionFindings { findings, calls, said, measured, offered, result }
    }

    /// Reports an error that holds in every game.
    pub(super) fn report_error(&mut self, error: Diagnostic) {
        self.findings.push(Finding { error, everywhere: true });
    }

    /// Reports an error that another game could make right, such as an unknown name.
    pub(super) fn report_unknown(&mut self, error: Diagnostic) {
        self.findings.push(Finding { error, everywhere: false });
    }

    /// Reports a value of a sort that does not fit, at a place.
    pub(super) fn report_sort_mismatch(&mut self, error: Diagnostic, at: ScriptPoint, label: impl Into<Message>) {
        let place = self.known.place(at, label);
        self.report_unknown(error.at_maybe(place));
    }

    /// Records that a function of the scripts is called or passed to a word.
    pub(super) fn calls(&mut self, function: FunctionId) {
        self.calls.insert(function);
    }

    /// The local names in scope.
    pub(super) fn locals(&self) -> impl Iterator<Item = &'a str> {
        let names = self.names;
        self.scope.iter().map(move |slot| &*names[usize::from(*slot)])
    }

    /// Declares a local name with the sort of its value, unless a later assignment may change the sort.
    fn begin(&mut self, slot: Slot, sort: Option<Sort>) {
        let keeps_sort = |sort: &Sort| {
            matches!(sort, Sort::Number | Sort::Text | Sort::List | Sort::Options | Sort::Components | Sort::Zones)
                || !self.set_again.changed.contains(&slot)
        };
        let sort = sort.filter(keeps_sort).filter(|_| !self.set_again.anew.contains(&slot));
        self.sorts[usize::from(slot)] = sort;
        self.scope.push(slot);
    }

    // Statements

    fn block(&mut self, block: &'a Block) -> Outcome {
        let outside = self.scope.len();
        let mut last = Outcome::Value(Some(Sort::Nothing));
        let mut ends = false;
        for statement in &block.0 {
            last = self.statement(statement);
            ends |= last == Outcome::Elsewhere;
        }
        self.scope.truncate(outside);
        if ends { Outcome::Elsewhere } else { last }
    }

    fn statement(&mut self, statement: &'a Statement) -> Outcome {
        match &statement.kind {
            StatementKind::Expr(expr) => return self.outcome(expr),
            StatementKind::Block(block) => return self.block(block),
            StatementKind::If(condition, one, other) => {
                self.condition(condition);
                let one = self.block(one);
                return one.or(self.block(other));
            }
            StatementKind::Switch(switch) => return self.switch(switch),
            StatementKind::While(condition, body) => {
                condition.iter().for_each(|condition| self.condition(condition));
                self.block(body);
                if condition.is_none() && !can_be_left(body) {
                    return Outcome::Elsewhere;
                }
            }
            StatementKind::For(each) => {
                let list = self.expression(&each.list);
                if let Some(list) = list.filter(|list| !list.can_be_looped()) {
                    self.report_sort_mismatch(
                        sorts::no_loop_error(list).with_code(codes::WRONG_VALUE),
                        each.list.start(),
                        list.named(),
                    );
                }
                let element = list.and_then(Sort::gives);
                let outside = self.scope.len();
                if let ExprKind::Range(sides, is_closed) = &each.list.kind
                    && !self.set_again.has(each.item)
                    && !decides(&each.body)
                {
                    let counted = CountingLoop { sides, is_closed: *is_closed, is_still: !self.changes(&each.body) };
                    self.counted.insert(each.item, counted);
                }
                self.begin(each.item, element);
                each.counter.iter().for_each(|&counter| self.begin(counter, Some(Sort::Number)));
                self.block(&each.body);
                self.scope.truncate(outside);
            }
            StatementKind::Let(slot, value) => {
                let sort = self.expression(value);
                self.begin(*slot, sort);
                let keeps =
                    self.sorts[usize::from(*slot)] == Some(Sort::Zones) && !self.set_again.changed.contains(slot);
                if keeps && self.is_always_a_zone(value) {
                    self.always_zones.insert(*slot);
                }
            }
            StatementKind::Set { target, operator, value, at } => self.set(target, *operator, value, *at),
            StatementKind::Return(value) => {
                let outcome = value.as_ref().map_or(Outcome::Value(Some(Sort::Nothing)), |value| self.outcome(value));
                if self.closures == 0 {
                    self.returned = self.returned.or(outcome);
                }
                return Outcome::Elsewhere;
            }
            StatementKind::Throw(value) => {
                self.all(value.iter());
                return Outcome::Elsewhere;
            }
            StatementKind::Break | StatementKind::Continue => return Outcome::Elsewhere,
        }
        Outcome::Value(Some(Sort::Nothing))
    }

    fn switch(&mut self, switch: &'a Switch) -> Outcome {
        let value = self.expression(&switch.value);
        let mut outcome = Outcome::Elsewhere;
        for case in &switch.cases {
            if let Some(value) = value {
                case.literals.iter().for_each(|literal| self.case(literal, value, switch.value.start()));
            }
            case.condition.iter().for_each(|condition| self.condition(condition));
            outcome = outcome.or(self.outcome(&case.value));
        }
        match &switch.default {
            Some(default) => outcome.or(self.outcome(default)),
            None => outcome.or(Outcome::Value(Some(Sort::Nothing))),
        }
    }

    /// Checks an expression that has to be true or false.
    fn condition(&mut self, expr: &'a Expr) {
        self.need(expr, Sort::Truth);
    }

    /// Checks an expression that has to be of a sort.
    fn need(&mut self, expr: &'a Expr, wanted: Sort) {
        if let Some(sort) = self.expression(expr).filter(|sort| *sort != wanted) {
            let error = sorts::sort_needed_error(wanted.named(), sort).with_code(codes::WRONG_VALUE);
            self.report_sort_mismatch(error, expr.start(), sort.named());
        }
    }

    fn set(&mut self, target: &'a Target, operator: Option<Binary>, value: &'a Expr, at: ScriptPoint) {
        match target {
            Target::Local(slot, _) => {
                let value = self.expression(value);
                let held = self.sorts[usize::from(*slot)];
                // A list takes any further entry.
                if let Some(operator) = operator.filter(|_| held != Some(Sort::List)) {
                    self.operator(operator, (held, value), at);
                }
            }
            Target::Property { of, name, at: name_at } => {
                let owner = self.expression(of);
                let value = self.expression(value);
                let held = self.check_assignable(of, owner, name, *name_at);
                match (operator, held, value) {
                    (Some(operator), held, value) => drop(self.operator(operator, (held, value), at)),
                    // An empty list has no sort of entries.
                    (None, Some(Sort::Players | Sort::Components | Sort::Zones), Some(Sort::List)) => {}
                    (None, Some(held), Some(value)) if !value.may_be(held) => {
                        let error = Diagnostic::new(message!("`{name}` holds {}, not {}", held.named(), value.named()));
                        self.report_sort_mismatch(error.with_code(codes::WRONG_VALUE), *name_at, "");
                    }
                    _ => {}
                }
            }
            Target::Entry(slot, index, _) => {
                let owner = self.sorts[usize::from(*slot)];
                self.index(index, owner, &|other| matches!(other.kind, ExprKind::Local(other) if other == *slot));
                self.expression(value);
            }
            Target::Other(expr) => {
                self.report_not_assignable(expr, at);
                self.expression(value);
            }
        }
    }

    // Expressions

    /// Checks an expression; returns the sort of its value, where that is certain.
    pub(super) fn expression(&mut self, expr: &'a Expr) -> Option<Sort> {
        self.outcome(expr).sort()
    }

    fn all(&mut self, list: impl IntoIterator<Item = &'a Expr>) {
        for expr in list {
            self.expression(expr);
        }
    }

    fn outcome(&mut self, expr: &'a Expr) -> Outcome {
        let sort = match &expr.kind {
            ExprKind::Block(block) => return self.block(block),
            ExprKind::Nothing => Some(Sort::Nothing),
            ExprKind::Number(_) => Some(Sort::Number),
            ExprKind::Truth(_) => Some(Sort::Truth),
            ExprKind::Text(_) => Some(Sort::Text),
            ExprKind::Joined(list) => {
                self.all(list);
                Some(Sort::Text)
            }
            ExprKind::List(list) => {
                self.all(list);
                Some(Sort::List)
            }
            ExprKind::Local(slot) => self.sorts[usize::from(*slot)],
            ExprKind::Global(global) => Some(self.known.sort_of_global(global)),
            ExprKind::Property(of, name) => {
                let owner = self.expression(of);
                match &of.kind {
                    ExprKind::Global(global @ (Global::Table | Global::Data | Global::Settings(_))) => {
                        self.entry(global, name, expr.at)
                    }
                    _ if &**name == "is_empty" && owner == Some(Sort::Zones) && self.is_always_a_zone(of) => {
                        self.report_never_empty(expr.at);
                        Some(Sort::Truth)
                    }
                    _ => self.property(name, expr.at, owner),
                }
            }
            ExprKind::Index(of, index) => {
                let owner = self.expression(of);
                self.index(index, owner, &|other| is_same_place(of, other))
            }
            ExprKind::Call(call) => {
                self.calls(call.function);
                self.all(&call.arguments);
                self.known.results[usize::from(call.function)]
            }
            ExprKind::Word(call) => self.word(call, expr.at),
            ExprKind::Not(one) => self.prefix("!", one, Sort::Truth, expr.at),
            ExprKind::Negative(one) => self.prefix("-", one, Sort::Number, expr.at),
            ExprKind::Binary(operator, sides) => {
                let [left, right] = &**sides;
                let given = (self.expression(left), self.expression(right));
                if matches!(operator, Binary::Equal | Binary::Unequal) {
                    self.compared_attribute(left, right);
                }
                let found = self.findings.len();
                let result = self.operator(*operator, given, expr.at);
                self.add_setting_defaults(found, &sides[..]);
                result
            }
            ExprKind::Range(sides, _) => {
                let [from, to] = &**sides;
                let given = (self.expression(from), self.expression(to));
                let found = self.findings.len();
                self.range(given, expr.at);
                self.add_setting_defaults(found, &sides[..]);
                Some(Sort::Range)
            }
            ExprKind::And(list) | ExprKind::Or(list) => {
                list.iter().for_each(|item| self.condition(item));
                Some(Sort::Truth)
            }
            ExprKind::Function(function) => {
                let what = match &**function {
                    FunctionValue::Closure(..) => "a function".into(),
                    FunctionValue::Named(name) => message!("the function `{name}`"),
                };
                self.misplaced_function(what, expr.at);
                None
            }
            ExprKind::Unknown(name) => {
                self.unknown_name(name, expr.at);
                None
            }
            ExprKind::Refused => None,
        };
        Outcome::Value(sort)
    }

    /// Checks `[…]` behind a value; returns the sort of the entry, where that is certain.
    fn index(&mut self, index: &'a Expr, owner: Option<Sort>, is_owner: &dyn Fn(&Expr) -> bool) -> Option<Sort> {
        match owner {
            Some(Sort::Zones) => {
                if let ExprKind::Text(name) = &index.kind {
                    self.place_name(name, index.at);
                } else if let Some(sort) = self.expression(index)
                    && !matches!(sort, Sort::Text | Sort::Number)
                {
                    let error =
                        sorts::sort_needed_error("a number or the name of a place", sort).with_code(codes::WRONG_VALUE);
                    self.report_sort_mismatch(error, index.start(), sort.named());
                }
                self.check_index(index, Sort::Zones, is_owner);
            }
            Some(owner @ (Sort::List | Sort::Zone | Sort::Components | Sort::Players)) => {
                self.need(index, Sort::Number);
                self.check_index(index, owner, is_owner);
            }
            None | Some(Sort::Data | Sort::Option) => drop(self.expression(index)),
            Some(owner) => {
                self.expression(index);
                self.report_sort_mismatch(
                    sorts::no_entries_error(owner).with_code(codes::WRONG_VALUE),
                    index.start(),
                    "",
                );
            }
        }
        owner?.element()
    }

    /// Whether statements may change how long a list or zone is, or which one a name means.
    fn changes(&self, body: &Block) -> bool {
        let holds_no_list =
            |slot: Slot| matches!(self.sorts[usize::from(slot)], Some(Sort::Number | Sort::Truth | Sort::Text));
        body.any(|piece| match piece {
            Piece::Statement(Statement { kind: StatementKind::Set { target, .. }, .. }) => match target {
                Target::Entry(..) => false,
                Target::Local(slot, _) => !holds_no_list(*slot),
                Target::Property { .. } | Target::Other(_) => true,
            },
            Piece::Statement(_) => false,
            Piece::Expr(Expr { kind: ExprKind::Word(call), .. }) => called_words(&call.name, call.arguments.len())
                .any(|word| word.result == ResultSort::Sort(Sort::Nothing)),
            Piece::Expr(expr) => matches!(expr.kind, ExprKind::Call(_)),
        })
    }

    /// Checks the body of a closure, whose first parameter has the sort `element`.
    pub(super) fn closure(&mut self, parameters: &'a [Slot], body: &'a Block, element: Option<Sort>) {
        let outside = self.scope.len();
        self.closures += 1;
        for (position, &slot) in parameters.iter().enumerate() {
            self.begin(slot, element.filter(|_| position == 0));
        }
        self.block(body);
        self.closures -= 1;
        self.scope.truncate(outside);
    }
}

impl ReassignedSlots {
    fn has(&self, slot: Slot) -> bool {
        self.anew.contains(&slot) || self.changed.contains(&slot)
    }

    fn of(body: &Block) -> Self {
        let mut found = Self::default();
        body.walk(&mut |piece| {
            if let Piece::Statement(Statement { kind: StatementKind::Set { target, operator, .. }, .. }) = piece
                && let Target::Local(slot, _) = target
            {
                let slots = if operator.is_some() { &mut found.changed } else { &mut found.anew };
                slots.insert(*slot);
            }
        });
        found
    }
}

/// Whether two expressions are the same name, or the same property of the same owner.
fn is_same_place(one: &Expr, other: &Expr) -> bool {
    match (&one.kind, &other.kind) {
        (ExprKind::Local(one), ExprKind::Local(other)) => one == other,
        (ExprKind::Global(one), ExprKind::Global(other)) => one == other,
        (ExprKind::Property(one, name), ExprKind::Property(other, other_name)) => {
            name == other_name && is_same_place(one, other)
        }
        _ => false,
    }
}

/// Whether statements may treat some numbers of a loop differently from others.
fn decides(body: &Block) -> bool {
    use StatementKind::{Break, Continue, If, Return, Switch, Throw, While};
    body.any(|piece| match piece {
        Piece::Statement(statement) => {
            matches!(statement.kind, If(..) | Switch(_) | While(..) | Break | Continue | Return(_) | Throw(_))
        }
        Piece::Expr(expr) => matches!(expr.kind, ExprKind::And(_) | ExprKind::Or(_)),
    })
}

/// Whether a `break` may end a loop with this body.
fn can_be_left(body: &Block) -> bool {
    body.any(|piece| matches!(piece, Piece::Statement(Statement { kind: StatementKind::Break, .. })))
}
