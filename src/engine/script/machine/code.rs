//! The bytecode that a program is compiled to: steps over registers.

use super::dependencies::Dependencies;
use super::runtime_error::RuntimeError;
use super::value::{RegisterValue, TextTable};
use super::words::NativeWord;
use crate::script::program::{Binary, FunctionId};
use crate::script::sorts::Sort;
use crate::table::event::ScriptPoint;
use std::sync::Arc;

/// Index of a register of a function.
pub type Register = u16;

/// Where a step finds a value: a register, or if the top bit is set, a constant.
pub type Operand = u16;

/// The bit that marks an operand as a constant.
pub const CONSTANT: Operand = 0x8000;

/// Maximum number of arguments of a word, the receiver included.
pub const MAX_ARGUMENTS: usize = 6;

/// Number of sorts of values.
pub const SORTS: usize = 24;

/// Index of a step in its function, to which jumps go.
pub type Place = u16;

/// One step (instruction). It reads everything before it writes.
#[allow(missing_docs, reason = "each kind says what its fields are for")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Copies a value.
    Move { to: Register, from: Operand },
    /// Jumps forwards.
    Jump { to: Place },
    /// Jumps backwards, and counts units: more for a longer way.
    Back { to: Place, units: u16 },
    /// Jumps if a truth is as wanted.
    JumpIf { value: Operand, to: Place, want: bool },
    /// Jumps if a comparison comes out as wanted.
    JumpCompared { how: Comparison, left: Operand, right: Operand, to: Place },
    /// Jumps if a comparison with a small number on the right comes out as wanted.
    JumpSmall { how: Comparison, left: Register, right: i16, to: Place },
    /// Jumps if a value is the literal of a case, or if it is not, as wanted.
    JumpCase { value: Operand, literal: Operand, to: Place, want: bool },
    /// Calls a function.
    Call { site: u16, to: Register },
    /// Returns from a function.
    Return { value: Operand },
    /// Calls a word.
    Word { site: u16, to: Register },
    /// Reads a property.
    Get { site: u16, to: Register, from: Operand },
    /// Sets a variable of a player or of the table.
    Set { site: u16, of: Operand, value: Operand },
    /// Applies a binary operator to two values.
    Work { operator: Binary, to: Register, left: Operand, right: Operand },
    /// `x += …`: adds to the value in a register; a list takes a value that is no list as one more entry.
    Increase { to: Register, by: Operand },
    /// Adds a small number.
    Add { to: Register, left: Operand, right: i16 },
    /// Negates a truth.
    Not { to: Register, from: Operand },
    /// Negates a number.
    Negative { to: Register, from: Operand },
    /// Makes a list of consecutive registers.
    List { to: Register, base: Register, count: u16 },
    /// Makes a text of consecutive registers.
    Join { to: Register, base: Register, count: u16 },
    /// Makes a range.
    Range { to: Register, from: Operand, last: Operand, with_end: bool },
    /// Reads an entry.
    Entry { to: Register, of: Operand, index: Operand },
    /// Sets an entry of a list.
    SetEntry { list: Register, index: Operand, value: Operand },
    /// Puts an entry at the end of a list.
    Push { list: Register, value: Operand },
    /// Fails with the message that the rules give to `throw`.
    Throw { value: Operand },
    /// Fails with an error that was known when the code was compiled.
    Fail { number: u16 },
    /// Begins a walk through something: see [`Walk`].
    Begin { walk: Register, of: Operand, how: LoopKind },
    /// Begins to count: the first register of the walk holds the next number, the second one the last number.
    Count { walk: Register, from: Operand, last: Operand, with_end: bool },
    /// Takes the next number, or jumps to the end.
    NextNumber { walk: Register, item: Register, end: Place },
    /// Takes the next item of a walk, or jumps to the end.
    Next { walk: Register, item: Register, end: Place },
    /// Jumps if the result of the function, which has to be a truth, is as wanted.
    Test { walk: Register, to: Place, want: bool },
    /// Adds the result of the function, which has to be a number.
    Sum { walk: Register, sum: Register },
    /// Adds the result of the function to a list, as an entry.
    Gather { walk: Register, list: Register },
    /// Adds the result of the function to options.
    Extend { walk: Register, options: Register },
    /// Makes an empty list of the sort that the walk goes through.
    Empty { to: Register, walk: Register },
    /// Keeps an item of the walk.
    Keep { kept: Register, item: Register },
    /// Makes a list of all kept items, of the sort that the walk goes through.
    Kept { to: Register, kept: Register, walk: Register },
    /// Compares the result of the function, which is the rank of an item, with the best so far; `best` holds the best
    /// rank, and the register behind it the best item.
    Better { walk: Register, best: Register, item: Register, highest: bool },
    /// Takes the best item; fails if there is none.
    Best { to: Register, best: Register, highest: bool },
    /// Adds the result of the function, which has to be a rank, to a list.
    Rank { walk: Register, ranks: Register },
    /// Sorts the items of the walk by their ranks.
    Sorted { to: Register, walk: Register, ranks: Register },
    /// Begins a choice of several players at the same time.
    BeginTogether,
    /// Ends a choice of several players at the same time.
    EndTogether,
    /// Adds the choice of a player, which is the result of a function that may only ask, to a list.
    Chosen { walk: Register, list: Register },
    /// Finds the choice of a player, by the walk in which the players were asked.
    ChoiceOf { to: Register, walk: Register, seat: Register },
    /// Prepares the options of a question: see [`Question`].
    Offer { question: Register, from: Operand, filtered: bool, secretly: bool },
    /// Jumps if nobody will read why an option is not allowed. Otherwise sets the meter aside until
    /// [`Self::EndReasons`], because a run must not depend on who reads.
    JumpUnlessRead { to: Place, question: Register },
    /// Ends the code for the reasons, and puts the meter back.
    EndReasons,
    /// Makes the options that are not allowed, for somebody who may read why.
    Others { to: Register, from: Operand, question: Register },
    /// Allows or refuses an option, by the result of the function.
    Fits { walk: Register, question: Register, item: Register },
    /// Refuses an option, with the result of the function as the reason.
    Refuse { walk: Register, question: Register, item: Register },
    /// Asks the question, and takes the choice.
    Ask { to: Register, question: Register, secretly: bool },
}

const _: () = assert!(size_of::<Step>() == 8);

/// The registers of a walk, as offsets from the first one.
pub struct Walk;

impl Walk {
    /// The value that the walk goes through.
    pub const LIST: usize = 0;
    /// Number of items that have been taken.
    pub const TAKEN_COUNT: usize = 1;
    /// Number of changes to the table before the walk.
    pub const CHANGES_BEFORE: usize = 2;
    /// The result of the function for the item that was taken last.
    pub const RESULT: usize = 3;
    /// Number of registers of a walk.
    pub const REGISTERS: u16 = 4;
}

/// The registers of a question, as offsets from the first one.
pub struct Question;

impl Question {
    /// The asked seat.
    pub const SEAT: usize = 0;
    /// The prompt.
    pub const PROMPT: usize = 1;
    /// The allowed options.
    pub const ALLOWED: usize = 2;
    /// The refused options, with the reasons.
    pub const REFUSED: usize = 3;
    /// Number of changes to the table before the refused options were computed.
    pub const CHANGES_BEFORE: usize = 4;
    /// Number of registers of a question.
    pub const REGISTERS: u16 = 5;
}

/// The kind of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum LoopKind {
    /// A `for` loop over the current items.
    Loop,
    /// A word whose function may change the table, over the current items.
    Each,
    /// A word whose function only looks at the table.
    Look(ReadOnlyWord),
    /// The options that `choose` offers to a player, or with `true`, those of `choose_secretly`.
    Offered(bool),
    /// The players in seat order, for `together`, whose first function only asks.
    Asking,
}

/// The words whose functions only look at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum ReadOnlyWord {
    Any,
    All,
    CountIf,
    Where,
    MaxBy,
    MinBy,
    SortedBy,
    SumOf,
    Map,
    Options,
    PassOn,
    Choose,
    ChooseSecretly,
}

impl ReadOnlyWord {
    /// The name of the word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::All => "all",
            Self::CountIf => "count_if",
            Self::Where => "where",
            Self::MaxBy => "max_by",
            Self::MinBy => "min_by",
            Self::SortedBy => "sorted_by",
            Self::SumOf => "sum_of",
            Self::Map => "map",
            Self::Options => "options",
            Self::PassOn => "pass_on",
            Self::Choose => "choose",
            Self::ChooseSecretly => "choose_secretly",
        }
    }
}

/// A comparison that decides a jump: the operator, and in the top bit the result for which the jump is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Comparison(u8);

impl Comparison {
    /// The jump is taken where the operator gives `want`.
    pub fn new(operator: Binary, want: bool) -> Self {
        Self(operator as u8 | u8::from(want) << 7)
    }

    /// The operator.
    #[inline]
    pub fn operator(self) -> Binary {
        Binary::ALL[usize::from(self.0 & 15) % Binary::ALL.len()]
    }

    /// The result for which the jump is taken.
    #[inline]
    pub fn want(self) -> bool {
        self.0 & 0x80 != 0
    }
}

impl std::fmt::Debug for Comparison {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.want() { "" } else { "not " }, self.operator().sign())
    }
}

/// A compiled function.
#[derive(Clone, Debug, Default)]
pub struct FunctionCode {
    /// The name as written.
    pub name: Arc<str>,
    /// Number of parameters, which are in the first registers.
    pub arity: u16,
    /// Number of registers.
    pub registers: u16,
    /// Number of units that a call counts.
    pub units: u16,
    /// Whether the results of calls are worth to be remembered, and can be.
    pub is_cached: bool,
    /// The steps.
    pub steps: Vec<Step>,
    /// The point in the rules of each step.
    pub points: Vec<ScriptPoint>,
    /// The statements, in the order of their first steps.
    pub statements: Vec<StatementCode>,
    /// For each step, the number of the first statement that begins with it, from 1; 0 where none does.
    pub begins: Vec<u16>,
    /// The conditions that steps decide, in the order of those steps.
    pub conditions: Vec<ConditionCode>,
    /// The name of each slot; slot and register are the same number.
    pub names: Vec<Arc<str>>,
}

/// A condition, or a part of one, that a step decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConditionCode {
    /// Index of the step.
    pub place: Place,
    /// Where the first name or value of the condition is.
    pub first: ScriptPoint,
    /// Where the last name or value begins.
    pub last: ScriptPoint,
    /// Whether the condition is true where the step finds something false, as in `!…`.
    pub is_negated: bool,
}

/// A statement in the compiled code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementCode {
    /// Where the statement begins.
    pub at: ScriptPoint,
    /// Index of the first step.
    pub place: Place,
    /// Index of the step behind the last one; statements inside this one end before that.
    pub end: Place,
    /// The slots whose names are known at the statement, in the order in which they became known.
    pub known: Vec<u16>,
}

/// A call of a function.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The called function.
    pub function: FunctionId,
    /// The operands of the arguments.
    pub arguments: Box<[Operand]>,
}

/// A call of a word.
#[derive(Clone, Debug)]
pub struct WordSite {
    /// The name as written.
    pub name: Arc<str>,
    /// The operands of the arguments.
    pub arguments: [Operand; MAX_ARGUMENTS],
    /// Number of arguments.
    pub count: u8,
    /// The forms of the word by the sort of the first argument.
    pub forms: Arc<WordForms>,
}

/// The forms of a word with some number of arguments.
#[derive(Debug, Default)]
pub struct WordForms {
    /// For each sort of the first argument, the form that can take it; `None` where there is none, or more than one.
    only: [Option<&'static NativeWord>; SORTS],
    /// For each sort of the first argument that several forms can take, those forms, the most exact first.
    several: [Vec<&'static NativeWord>; SORTS],
}

impl WordForms {
    /// Makes the forms from those that can take each sort of the first argument, the most exact first.
    pub fn new(by_first: [Vec<&'static NativeWord>; SORTS]) -> Self {
        let mut forms = Self { only: [None; SORTS], several: by_first };
        for (only, several) in forms.only.iter_mut().zip(&mut forms.several) {
            if let [one] = several.as_slice() {
                *only = Some(one);
                several.clear();
            }
        }
        forms
    }

    /// The form that takes a first argument of this sort; `None` where there is none, or more than one. The body of the
    /// form checks the other arguments itself.
    #[inline(always)]
    pub fn only(&self, first: Sort) -> Option<&'static NativeWord> {
        self.only[first as usize % SORTS]
    }

    /// All forms; some of them more than once.
    pub fn all(&self) -> impl Iterator<Item = &'static NativeWord> {
        self.only.iter().flatten().chain(self.several.iter().flatten()).copied()
    }

    /// The form that takes arguments of these sorts; `None` where there is none.
    #[inline]
    pub fn find(&self, first: Sort, key: impl FnOnce() -> u32) -> Option<&'static NativeWord> {
        self.only(first).or_else(|| {
            let (key, several) = (key(), &self.several[first as usize % SORTS]);
            several.iter().find(|native| native.takes(key)).copied()
        })
    }
}

/// The sorts of arguments packed into one number, with five bits for each.
#[inline]
pub fn key_of(sorts: impl Iterator<Item = Sort>) -> u32 {
    sorts.enumerate().fold(0, |key, (position, sort)| key | (sort as u32 + 1) << (5 * position))
}

/// A property of a name, for each sort of owner.
#[derive(Clone, Debug)]
pub struct PropertySite {
    /// The name.
    pub name: Arc<str>,
    /// How the property is read, for each sort of owner; `None` where there is no such property.
    pub getters: [Option<Getter>; SORTS],
}

/// How a property is read.
#[derive(Clone, Debug)]
pub enum Getter {
    /// A zone of a player, by the number of the first player's zone.
    SeatZone(u16),
    /// Several zones of a player: a list for each player.
    SeatZones(Arc<Vec<RegisterValue>>),
    /// A variable of a player, by the number of the first player's variable.
    SeatVariable(u16),
    /// A variable of the table, by its number.
    Variable(u16),
    /// An attribute of a component, by its number.
    Attribute(u16),
    /// An entry of the data.
    Datum,
    /// An entry of the data with the name of the property, or else a word.
    DatumOr(&'static NativeWord),
    /// A part of an option.
    Part,
    /// A word.
    Word(&'static NativeWord),
}

/// The compiled rules, which never change while they run.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The functions, by the ids that they have in the program.
    pub functions: Vec<Arc<FunctionCode>>,
    /// Values that are known at compile time.
    pub constants: Vec<RegisterValue>,
    /// Texts that are known at compile time.
    pub texts: TextTable,
    /// The texts that attributes can have as values, as registers hold them.
    pub attribute_words: Vec<RegisterValue>,
    /// The calls of functions.
    pub calls: Vec<CallSite>,
    /// The calls of words.
    pub words: Vec<WordSite>,
    /// The properties that are read or set.
    pub properties: Vec<PropertySite>,
    /// The errors of [`Step::Fail`].
    pub failures: Vec<RuntimeError>,
    /// The words behind operators, by the number of the operator.
    pub operators: Vec<Arc<WordForms>>,
    /// The words behind `[…]`.
    pub entries: Option<Arc<WordForms>>,
    /// The words behind `${…}`.
    pub to_text: Option<Arc<WordForms>>,
    /// What the functions depend on, by their ids; empty until all are compiled.
    pub dependencies: Arc<Vec<Dependencies>>,
}

impl Code {
    /// The same code with its own copies of values, which are not counted together with those of this one.
    pub fn unshared(&self) -> Self {
        let unshared = |values: &[RegisterValue]| values.iter().map(RegisterValue::unshared).collect();
        let mut properties = self.properties.clone();
        for getter in properties.iter_mut().flat_map(|site| &mut site.getters).flatten() {
            if let Getter::SeatZones(zones) = getter {
                *zones = Arc::new(unshared(zones));
            }
        }
        Self {
            constants: unshared(&self.constants),
            texts: self.texts.unshared(),
            attribute_words: unshared(&self.attribute_words),
            properties,
            ..self.clone()
        }
    }
}

#[cfg(test)]
#[allow(clippy::panic)]
mod tests {
    use super::*;
    use crate::games::shipped;
    use crate::ruleset::{Ruleset, Selection};
    use crate::script::rules::Rules;

    /// The values of some code that are known at compile time.
    fn values(code: &Code) -> impl Iterator<Item = &RegisterValue> {
        let getters = code.properties.iter().flat_map(|site| &site.getters).flatten();
        let zones = getters.filter_map(|getter| match getter {
            Getter::SeatZones(zones) => Some(&zones[..]),
            _ => None,
        });
        code.constants.iter().chain(&code.attribute_words).chain(zones.flatten())
    }

    #[test]
    fn code_of_its_own_counts_no_copies_with_others() {
        let library = shipped();
        let mut counted = 0;
        for game in library.games() {
            let ruleset = Ruleset::load(&library, &Selection::of(&game.id));
            let rules = ruleset.and_then(|ruleset| {
                let fewest = ruleset.definition.players.0;
                Rules::new(Arc::new(ruleset), fewest, Arc::default())
            });
            let rules = rules.unwrap_or_else(|errors| panic!("{}", errors.render(false)));
            let (code, own) = (rules.code(), rules.unshared());
            for (value, own) in values(code).zip(values(own.code())) {
                assert_eq!(format!("{value:?}"), format!("{own:?}"), "{}", game.id);
                assert!(
                    value.shared_address().is_none() || value.shared_address() != own.shared_address(),
                    "{}: {value:?}",
                    game.id
                );
                counted += usize::from(value.shared_address().is_some());
            }
            assert_eq!(values(code).count(), values(own.code()).count());
            let texts = |code: &Code| -> Vec<Arc<str>> {
                (0..).map_while(|number| code.texts.text(&RegisterValue::known(number)).cloned()).collect()
            };
            let (texts, own) = (texts(code), texts(own.code()));
            assert_eq!(texts, own);
            assert!(texts.iter().zip(&own).all(|(text, own)| !Arc::ptr_eq(text, own)), "{}", game.id);
        }
        assert!(counted > 9, "{counted}");
    }
}
