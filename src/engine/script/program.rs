//! The abstract syntax tree of rules: the result of reading scripts, which is checked, compiled and shown.
//!
//! A [`Program`] does not depend on the parser that it came from. Every name in it is resolved: a local name is a slot
//! of its function, a global name one of [`Global`], a call the number of a function. A name that could not be resolved
//! stays in the tree as it was written, and the check reports it. A closure never outlives the call of the word that it
//! is given to, so its names are slots of the function around it, and a captured name is simply the same slot.

mod parts;
mod reach;

pub use parts::{Part, Piece};
pub use reach::OutsideEffect;

use crate::table::event::ScriptPoint;
use std::sync::Arc;

/// Index of a local variable in its function; parameters come first.
pub type Slot = u16;

/// Index of a function in [`Program::functions`], and among the ruleset's function infos.
pub type FunctionId = u16;

/// The functions of all layers of a ruleset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The functions, lower layers first.
    pub functions: Vec<Function>,
}

/// A function of the scripts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// The name of each slot. A name that is declared twice has two slots.
    pub names: Vec<Arc<str>>,
    /// Number of parameters, which are the first slots.
    pub arity: u16,
    /// The body; the value of its last statement is the result.
    pub body: Block,
}

/// A block of statements. Its value is that of the last one, with or without a semicolon, and `()` if the block is
/// empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block(pub Vec<Statement>);

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Where the statement begins.
    pub at: ScriptPoint,
    /// Whether stepping stops before the statement: it follows a brace or a semicolon. The only expression of a
    /// closure or case is no step, nor is the `if` behind an `else`.
    pub is_step: bool,
    /// The kind.
    pub kind: StatementKind,
}

/// The kinds of statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `let x = …`
    Let(Slot, Expr),
    /// `x = …`, `p.score += …`, `list[i] = …`
    Set {
        /// The left side.
        target: Target,
        /// The operator of a compound assignment such as `+=`; `None` for `=`.
        operator: Option<Binary>,
        /// The value on the right side.
        value: Expr,
        /// Where the operator is.
        at: ScriptPoint,
    },
    /// `if … { … } else { … }`; without `else` the second block is empty.
    If(Expr, Block, Block),
    /// `switch … { … }`
    Switch(Box<Switch>),
    /// `while … { … }`, or `loop { … }` without a condition.
    While(Option<Expr>, Block),
    /// `for item in … { … }`
    For(Box<For>),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return …`; in a closure, it returns from the closure.
    Return(Option<Expr>),
    /// `throw …`
    Throw(Option<Expr>),
    /// An expression for its effect, or for its value at the end of a block.
    Expr(Expr),
    /// `{ … }`
    Block(Block),
}

/// The left side of an assignment.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A local name.
    Local(Slot, ScriptPoint),
    /// A property: only declared variables can be set.
    Property {
        /// The value that has the property.
        of: Expr,
        /// Name of the property.
        name: Arc<str>,
        /// Where the name is.
        at: ScriptPoint,
    },
    /// An entry of a list that a local name holds.
    Entry(Slot, Expr, ScriptPoint),
    /// Something that cannot be set; the reading has reported it, or the check will.
    Other(Expr),
}

/// `switch value { 1 | 2 => …, "up" if … => …, _ => … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// The value to compare.
    pub value: Expr,
    /// The cases in the order of the script.
    pub cases: Vec<Case>,
    /// The result of `_`; `None` where there is no such case.
    pub default: Option<Expr>,
}

/// One case of a `switch`.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The values that the case matches, sorted, because the tree does not keep the order of the script.
    pub literals: Vec<Literal>,
    /// The condition after `if`; `None` where there is none.
    pub condition: Option<Expr>,
    /// The result.
    pub value: Expr,
}

/// A value that a case can match.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Literal {
    /// `3`
    Number(i64),
    /// `true`
    Truth(bool),
    /// `"up"`
    Text(Arc<str>),
}

/// `for (item, counter) in list { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct For {
    /// The value to loop over.
    pub list: Expr,
    /// Slot of the entry.
    pub item: Slot,
    /// Slot of the position of the entry, from 0; `None` where there is none.
    pub counter: Option<Slot>,
    /// The loop body.
    pub body: Block,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Where an error in the expression is shown: at the name of a property or call, at the sign of an operator, or else
    /// at its beginning.
    pub at: ScriptPoint,
    /// The kind.
    pub kind: ExprKind,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `()`
    Nothing,
    /// A whole number.
    Number(i64),
    /// `true` or `false`.
    Truth(bool),
    /// A text without values in it.
    Text(Arc<str>),
    /// `` `…${…}…` ``: the texts and the values between them.
    Joined(Vec<Expr>),
    /// `[…, …]`
    List(Vec<Expr>),
    /// A local name.
    Local(Slot),
    /// A global name.
    Global(Global),
    /// A property: `p.hand`.
    Property(Box<Expr>, Arc<str>),
    /// `list[i]`
    Index(Box<Expr>, Box<Expr>),
    /// A call of a function of the scripts; `super(…)` calls the one of the layer below.
    Call(Call),
    /// A call of a word.
    Word(WordCall),
    /// `!x`
    Not(Box<Expr>),
    /// `-x`
    Negative(Box<Expr>),
    /// `a + b`
    Binary(Binary, Box<[Expr; 2]>),
    /// `a..b`, or `a..=b` if the flag is true.
    Range(Box<[Expr; 2]>, bool),
    /// `a && b`
    And(Vec<Expr>),
    /// `a || b`
    Or(Vec<Expr>),
    /// Statements that give a value: `if … { 1 } else { 2 }`.
    Block(Block),
    /// A function passed to a word.
    Function(Box<FunctionValue>),
    /// An unknown name.
    Unknown(Arc<str>),
    /// A part of the language that rules may not use; the reading has reported it.
    Refused,
}

/// A call of a function of the scripts.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The called function.
    pub function: FunctionId,
    /// The arguments, one for each parameter.
    pub arguments: Vec<Expr>,
    /// Whether the call is written `super(…)`.
    pub is_super: bool,
}

/// A call of a word of the vocabulary, or of an unknown name.
#[derive(Clone, Debug, PartialEq)]
pub struct WordCall {
    /// The name as written.
    pub name: Arc<str>,
    /// The arguments, the receiver first.
    pub arguments: Vec<Expr>,
    /// How the call is written.
    pub form: Callee,
}

/// How a call of a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// `begin_turn(p)`
    Function,
    /// `p.choose(…)`: the receiver is before the dot.
    Method,
    /// `value in list`: the arguments are the list and the value, and the value is evaluated first.
    In,
}

/// A function passed to a word.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionValue {
    /// `|card| …`: its parameters are slots of the function around it.
    Closure(Vec<Slot>, Block),
    /// A function of the scripts by its name: the highest definition with as many parameters as the word needs.
    Named(Arc<str>),
}

/// A name that is known in the whole ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Global {
    /// `players`
    Players,
    /// `table`
    Table,
    /// `nobody`
    Nobody,
    /// `data`
    Data,
    /// `settings` of a layer, by the index of the layer in the ruleset.
    Settings(usize),
    /// A zone of the table, or several of a kind, by the index of its definition.
    Zone(usize),
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, which rounds towards 0.
    Divide,
    /// `%`
    Remainder,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Binary {
    /// Every operator, in the order of the discriminants.
    pub const ALL: [Self; 11] = [
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::Remainder,
        Self::Equal,
        Self::Unequal,
        Self::Less,
        Self::LessOrEqual,
        Self::Greater,
        Self::GreaterOrEqual,
    ];

    /// The operator as written.
    pub fn sign(self) -> &'static str {
        ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">="][self as usize]
    }

    /// The operator that is written as `sign`; `None` where there is none.
    pub fn of_sign(sign: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operator| operator.sign() == sign)
    }

    /// Whether this is a comparison, `==` and `!=` included.
    pub fn compares(self) -> bool {
        self as u8 >= Self::Equal as u8
    }
}

impl Expr {
    /// Where the expression begins, which is before `at` for a chain of calls or an operator.
    pub fn start(&self) -> ScriptPoint {
        match &self.kind {
            ExprKind::Property(of, _) | ExprKind::Index(of, _) => of.start(),
            ExprKind::Binary(_, sides) | ExprKind::Range(sides, _) => sides[0].start(),
            ExprKind::And(list) | ExprKind::Or(list) => list.first().map_or(self.at, Self::start),
            ExprKind::Word(WordCall { arguments, form: Callee::Method, .. }) => {
                arguments.first().map_or(self.at, Self::start)
            }
            ExprKind::Word(WordCall { arguments, form: Callee::In, .. }) => {
                arguments.last().map_or(self.at, Self::start)
            }
            _ => self.at,
        }
    }

    /// Where the last name or value in the expression begins.
    pub fn last(&self) -> ScriptPoint {
        let mut last = self.at;
        self.walk(&mut |piece| {
            last = last.max(match piece {
                Piece::Statement(statement) => statement.at,
                Piece::Expr(expression) => expression.at,
            });
        });
        last
    }
}
