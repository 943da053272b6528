//! Rules as plain data: what the reading of the scripts gives, and what is checked, compiled and shown.
//!
//! A [`Program`] knows nothing of the parser that it came from. Every name in it is resolved: a local name is a slot of
//! its function, a global name one of [`Global`], a call the number of a function. What could not be resolved stands in
//! the tree as it was written, for the check to speak of. A closure never outlives the call of the word that it is given
//! to, so its names are slots of the function around it, and a captured name is simply the same slot.

mod parts;
mod reach;

pub use parts::{Part, Piece};
pub use reach::Reach;

use crate::table::event::ScriptPoint;
use std::sync::Arc;

/// The number of a local name in its function; parameters come first.
pub type Slot = u16;

/// The number of a function: its place in [`Program::functions`], and among the ruleset's function infos.
pub type FunctionId = u16;

/// The functions of all layers of a ruleset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The functions, lower layers first.
    pub functions: Vec<Function>,
}

/// One function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// The name of each slot. A name that is used for two things has two slots.
    pub names: Vec<Arc<str>>,
    /// How many of the slots are parameters; they come first.
    pub arity: u16,
    /// What it does; the value of its last statement is what it gives.
    pub body: Block,
}

/// Statements between braces. Its value is that of the last one, with or without a semicolon; nothing if it is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block(pub Vec<Statement>);

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Where it begins.
    pub at: ScriptPoint,
    /// Whether somebody who steps through the rules stops before it: it stands behind a brace or a semicolon. The only
    /// expression of a closure or case does not, nor the `if` behind an `else`.
    pub is_step: bool,
    /// What it does.
    pub kind: StatementKind,
}

/// The kinds of statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `let x = …`
    Let(Slot, Expr),
    /// `x = …`, `p.score += …`, `list[i] = …`; `at` is where the operator stands.
    Set {
        /// What is set.
        target: Target,
        /// The operator of `+=` and its like.
        operator: Option<Binary>,
        /// The value.
        value: Expr,
        /// Where the operator stands.
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
    /// `return …`; of a closure where it stands in one.
    Return(Option<Expr>),
    /// `throw …`
    Throw(Option<Expr>),
    /// An expression for its effect, or for its value at the end of a block.
    Expr(Expr),
    /// `{ … }`
    Block(Block),
}

/// What can be set.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A local name.
    Local(Slot, ScriptPoint),
    /// A property: only declared variables can be set.
    Property {
        /// Of what.
        of: Expr,
        /// Its name.
        name: Arc<str>,
        /// Where the name stands.
        at: ScriptPoint,
    },
    /// An entry of a list that a local name holds.
    Entry(Slot, Expr, ScriptPoint),
    /// Something that cannot be set; the reading has said so, or the check will.
    Other(Expr),
}

/// `switch value { 1 | 2 => …, "up" if … => …, _ => … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// The value.
    pub value: Expr,
    /// The cases in the order in which they stand.
    pub cases: Vec<Case>,
    /// What `_` gives.
    pub default: Option<Expr>,
}

/// One case of a `switch`.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What the value can be, in the order of the literals: the tree does not keep that of the script.
    pub literals: Vec<Literal>,
    /// What else has to be true.
    pub condition: Option<Expr>,
    /// What it gives.
    pub value: Expr,
}

/// What a case can be.
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
    /// What it goes through.
    pub list: Expr,
    /// The name of the entry.
    pub item: Slot,
    /// The name of its number, from 0.
    pub counter: Option<Slot>,
    /// What is done for each.
    pub body: Block,
}

/// One expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Where an error in it is shown: the name of a property or call, the sign of an operator, else where it begins.
    pub at: ScriptPoint,
    /// What it is.
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
    /// `` `…${…}…` ``: texts and what stands between them.
    Joined(Vec<Expr>),
    /// `[…, …]`
    List(Vec<Expr>),
    /// A local name.
    Local(Slot),
    /// A name that the whole ruleset knows.
    Global(Global),
    /// A property: `p.hand`.
    Property(Box<Expr>, Arc<str>),
    /// `list[i]`
    Index(Box<Expr>, Box<Expr>),
    /// A call of a function of the scripts. `super` is one, of the layer below.
    Call(Call),
    /// A call of a word.
    Word(WordCall),
    /// `!x`
    Not(Box<Expr>),
    /// `-x`
    Negative(Box<Expr>),
    /// `a + b`
    Binary(Binary, Box<[Expr; 2]>),
    /// `a..b`, with the end where the truth says so.
    Range(Box<[Expr; 2]>, bool),
    /// `a && b`
    And(Vec<Expr>),
    /// `a || b`
    Or(Vec<Expr>),
    /// Statements that give a value: `if … { 1 } else { 2 }`.
    Block(Block),
    /// A function as it is given to a word.
    Function(Box<FunctionValue>),
    /// A name that nobody knows here.
    Unknown(Arc<str>),
    /// What rules may not use; the reading has said so.
    Refused,
}

/// A call of a function of the scripts.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Which function.
    pub function: FunctionId,
    /// As many arguments as it has parameters.
    pub arguments: Vec<Expr>,
    /// Whether it is written `super(…)`.
    pub is_super: bool,
}

/// A call of a word, or of what nobody knows under that name.
#[derive(Clone, Debug, PartialEq)]
pub struct WordCall {
    /// Its name as written.
    pub name: Arc<str>,
    /// The arguments, the receiver first.
    pub arguments: Vec<Expr>,
    /// How it is written.
    pub form: Callee,
}

/// How a word is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// `begin_turn(p)`
    Function,
    /// `p.choose(…)`: the receiver stands before the dot.
    Method,
    /// `value in list`: the arguments are the list and the value, and the value is worked out first.
    In,
}

/// A function as it is given to a word.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionValue {
    /// `|card| …`: its parameters are slots of the function around it.
    Closure(Vec<Slot>, Block),
    /// A function of the scripts by its name: the highest of each number of parameters, which the word decides.
    Named(Arc<str>),
}

/// A name that the whole ruleset knows.
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
    /// `settings` of a layer: the game's is number 0.
    Settings(usize),
    /// A zone of the table, or several of a kind, by the number of the definition.
    Zone(usize),
}

/// An operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, towards 0.
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
    /// Every operator, in the order of its numbers.
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

    /// How it is written.
    pub fn sign(self) -> &'static str {
        ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">="][self as usize]
    }

    /// The operator that is written so.
    pub fn of_sign(sign: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operator| operator.sign() == sign)
    }

    /// Whether it compares.
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

    /// Where the last of its names and values begins.
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
