//! What a program is compiled to: steps over registers.

use super::trouble::Trouble;
use super::value::{Texts, V};
use super::words::Native;
use crate::script::program::{Binary, FunctionId};
use crate::script::sorts::Sort;
use crate::table::event::ScriptPoint;
use std::sync::Arc;

/// The number of a register of a function.
pub type Register = u16;

/// Where a step finds a value: a register, or with the top bit a constant.
pub type Operand = u16;

/// The bit of an operand that is a constant.
pub const CONSTANT: Operand = 0x8000;

/// Most arguments of a word, the receiver included.
pub const MAX_ARGUMENTS: usize = 6;

/// How many sorts of values there are.
pub const SORTS: usize = 24;

/// The step of a function that a jump goes to.
pub type Place = u16;

/// One step. It reads everything before it writes.
#[allow(missing_docs, reason = "each kind says what its fields are for")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Copies a value.
    Move { to: Register, from: Operand },
    /// Goes on somewhere further down.
    Jump { to: Place },
    /// Goes on further up, which counts so many units: a longer way more.
    Back { to: Place, units: u16 },
    /// Goes on elsewhere where a truth is as wanted.
    JumpIf { value: Operand, to: Place, want: bool },
    /// Goes on elsewhere where a comparison comes out as wanted.
    JumpCompared { how: Comparison, left: Operand, right: Operand, to: Place },
    /// The same with a small number on the right.
    JumpSmall { how: Comparison, left: Register, right: i16, to: Place },
    /// Goes on elsewhere where it is as wanted whether a value is the literal of a case.
    JumpCase { value: Operand, literal: Operand, to: Place, want: bool },
    /// Calls a function.
    Call { site: u16, to: Register },
    /// Ends a function.
    Return { value: Operand },
    /// Calls a word.
    Word { site: u16, to: Register },
    /// Reads a property.
    Get { site: u16, to: Register, from: Operand },
    /// Sets a variable of a player or of the table.
    Set { site: u16, of: Operand, value: Operand },
    /// Works two values out.
    Work { operator: Binary, to: Register, left: Operand, right: Operand },
    /// `x += …`: adds to what a register holds; a list takes what is no list as one more entry.
    Increase { to: Register, by: Operand },
    /// Adds a small number.
    Add { to: Register, left: Operand, right: i16 },
    /// Turns a truth around.
    Not { to: Register, from: Operand },
    /// Takes a number from 0.
    Negative { to: Register, from: Operand },
    /// Makes a list of registers that stand one after the other.
    List { to: Register, base: Register, count: u16 },
    /// Makes a text of them.
    Join { to: Register, base: Register, count: u16 },
    /// Makes a range.
    Range { to: Register, from: Operand, last: Operand, with_end: bool },
    /// Reads an entry.
    Entry { to: Register, of: Operand, index: Operand },
    /// Sets an entry of a list.
    SetEntry { list: Register, index: Operand, value: Operand },
    /// Puts an entry at the end of a list.
    Push { list: Register, value: Operand },
    /// Ends the run with what the rules say.
    Throw { value: Operand },
    /// What cannot be done, and is found out only when it is to be done.
    Fail { number: u16 },
    /// Begins to go through something: see [`Walk`].
    Begin { walk: Register, of: Operand, how: LoopKind },
    /// Begins to count: the next number stands in the first register of the walk, the last in the second.
    Count { walk: Register, from: Operand, last: Operand, with_end: bool },
    /// The next number, or on to the end.
    NextNumber { walk: Register, item: Register, end: Place },
    /// The next one, or on to the end.
    Next { walk: Register, item: Register, end: Place },
    /// What a function gave is to be true or false; goes on elsewhere where it is as wanted.
    Test { walk: Register, to: Place, want: bool },
    /// What a function gave is to be a number, and is added.
    Sum { walk: Register, sum: Register },
    /// What a function gave becomes an entry of a list.
    Gather { walk: Register, list: Register },
    /// What a function gave is put behind the options.
    Extend { walk: Register, options: Register },
    /// An empty list of the sort that is gone through.
    Empty { to: Register, walk: Register },
    /// One of what is gone through is kept.
    Keep { kept: Register, item: Register },
    /// All that was kept, as a list of the sort that was gone through.
    Kept { to: Register, kept: Register, walk: Register },
    /// What a function gave decides whether this is the best so far, which stands behind its rank.
    Better { walk: Register, best: Register, item: Register, highest: bool },
    /// The best, if there is one.
    Best { to: Register, best: Register, highest: bool },
    /// What a function gave is a rank, and becomes an entry of a list.
    Rank { walk: Register, ranks: Register },
    /// What was gone through, by ranks.
    Sorted { to: Register, walk: Register, ranks: Register },
    /// Several players choose at the same time.
    BeginTogether,
    /// They have chosen.
    EndTogether,
    /// What a function gave is what a player chose; it only asked.
    Chosen { walk: Register, list: Register },
    /// What this player chose, by the walk in which they were asked.
    ChoiceOf { to: Register, walk: Register, seat: Register },
    /// Makes the values that are offered ready: see [`Question`].
    Offer { question: Register, from: Operand, filtered: bool, secretly: bool },
    /// Goes on elsewhere where nobody will read why something is not allowed; else what finding that out costs is set
    /// aside, because a run must not depend on who reads.
    JumpUnlessRead { to: Place, question: Register },
    /// The reasons have been found.
    EndReasons,
    /// The others that are not allowed, for somebody who may read why.
    Others { to: Register, from: Operand, question: Register },
    /// Whether one of the options is allowed, by what a function gave.
    Fits { walk: Register, question: Register, item: Register },
    /// Why one of the others is not allowed, by what a function gave.
    Refuse { walk: Register, question: Register, item: Register },
    /// Asks, and gives what was chosen.
    Ask { to: Register, question: Register, secretly: bool },
}

const _: () = assert!(size_of::<Step>() == 8);

/// The registers of a walk, from the first on.
pub struct Walk;

impl Walk {
    /// What is gone through.
    pub const LIST: usize = 0;
    /// How many have been taken.
    pub const TAKEN: usize = 1;
    /// How many changes there had been before.
    pub const CHANGES: usize = 2;
    /// What a function gave for the one that was taken last.
    pub const GIVEN: usize = 3;
    /// How many registers a walk has.
    pub const REGISTERS: u16 = 4;
}

/// The registers of a question, from the first on.
pub struct Question;

impl Question {
    /// Who is asked.
    pub const SEAT: usize = 0;
    /// What is asked.
    pub const PROMPT: usize = 1;
    /// What may be answered.
    pub const LEGAL: usize = 2;
    /// What may not, and why.
    pub const REFUSED: usize = 3;
    /// How many changes there had been before the others were worked out.
    pub const CHANGES: usize = 4;
    /// How many registers a question has.
    pub const REGISTERS: u16 = 5;
}

/// How something is gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum LoopKind {
    /// By `for`: as it is now.
    Loop,
    /// By a word whose function may change the table: as it is now.
    Each,
    /// By a word whose function only looks.
    Look(LookingWord),
    /// As it is offered to a player, by `choose`, or with the truth by `choose_secretly`.
    Offered(bool),
    /// Players in seat order, by `together`, whose first function only asks.
    Asking,
}

/// The words whose functions only look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum LookingWord {
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

impl LookingWord {
    /// Its name.
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

/// A comparison that decides a jump: the operator, and in the top bit how it is to come out.
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

    /// How it is to come out.
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

/// A function as steps.
#[derive(Clone, Debug, Default)]
pub struct FunctionCode {
    /// Its name as written.
    pub name: Arc<str>,
    /// How many parameters it has; they stand in the first registers.
    pub arity: u16,
    /// How many registers it needs.
    pub registers: u16,
    /// What a call of it counts.
    pub units: u16,
    /// What it does.
    pub steps: Vec<Step>,
    /// Where in the rules each step stands.
    pub points: Vec<ScriptPoint>,
    /// The statements, in the order of their first steps.
    pub statements: Vec<StatementCode>,
    /// For each step the number of the statement that begins with it, from 1; 0 where none does.
    pub begins: Vec<u16>,
    /// The conditions that steps decide, in the order of those steps.
    pub conditions: Vec<ConditionCode>,
    /// The name of each slot; slot and register are the same number.
    pub names: Vec<Arc<str>>,
}

/// The condition, or the part of one, that a step decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConditionCode {
    /// The step.
    pub place: Place,
    /// Where the first name or value of the condition stands.
    pub first: ScriptPoint,
    /// Where the last one begins.
    pub last: ScriptPoint,
    /// Whether it is true where the step finds something false: `!…`.
    pub is_negated: bool,
}

/// A statement in the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementCode {
    /// Where it begins.
    pub at: ScriptPoint,
    /// Its first step.
    pub place: Place,
    /// The step behind its last one; statements inside it end before that.
    pub end: Place,
    /// The slots whose names are known there, in the order in which they became known.
    pub known: Vec<u16>,
}

/// Where a function is called.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// Which function.
    pub function: FunctionId,
    /// Where its arguments are.
    pub arguments: Box<[Operand]>,
}

/// Where a word is called.
#[derive(Clone, Debug)]
pub struct WordSite {
    /// Its name as written.
    pub name: Arc<str>,
    /// Where its arguments are.
    pub arguments: [Operand; MAX_ARGUMENTS],
    /// How many there are.
    pub count: u8,
    /// The forms of the word by the sort of the first argument.
    pub forms: Arc<Forms>,
}

/// The forms of a word with so many arguments.
#[derive(Debug, Default)]
pub struct Forms {
    /// For each sort of the first argument the only form that can take it.
    only: [Option<&'static Native>; SORTS],
    /// Where there are several, all of them, the more exact first.
    several: [Vec<&'static Native>; SORTS],
}

impl Forms {
    /// Of each sort of the first argument the forms that can take it, the more exact first.
    pub fn new(by_first: [Vec<&'static Native>; SORTS]) -> Self {
        let mut forms = Self { only: [None; SORTS], several: by_first };
        for (only, several) in forms.only.iter_mut().zip(&mut forms.several) {
            if let [one] = several.as_slice() {
                *only = Some(one);
                several.clear();
            }
        }
        forms
    }

    /// The form that takes a first argument of this sort, where there is only one. Its body looks at the other arguments
    /// itself.
    #[inline(always)]
    pub fn only(&self, first: Sort) -> Option<&'static Native> {
        self.only[first as usize % SORTS]
    }

    /// The form that takes arguments of these sorts.
    #[inline]
    pub fn find(&self, first: Sort, key: impl FnOnce() -> u32) -> Option<&'static Native> {
        self.only(first).or_else(|| {
            let (key, several) = (key(), &self.several[first as usize % SORTS]);
            several.iter().find(|native| native.takes(key)).copied()
        })
    }
}

/// The sorts of arguments as one number.
#[inline]
pub fn key_of(sorts: impl Iterator<Item = Sort>) -> u32 {
    sorts.enumerate().fold(0, |key, (position, sort)| key | (sort as u32 + 1) << (5 * position))
}

/// A property as one name has it, for each sort of owner.
#[derive(Clone, Debug)]
pub struct PropertySite {
    /// The name.
    pub name: Arc<str>,
    /// How it is read.
    pub getters: [Option<Getter>; SORTS],
}

/// How a property is read.
#[derive(Clone, Debug)]
pub enum Getter {
    /// A zone of a player, by the number of the first player's.
    SeatZone(u16),
    /// Several zones of a player, for each player.
    SeatZones(Arc<Vec<V>>),
    /// A variable of a player, by the number of the first player's.
    SeatVariable(u16),
    /// A variable of the table, by its number.
    Variable(u16),
    /// An attribute of a component, by its number.
    Attribute(u16),
    /// What stands in the data.
    Datum,
    /// What stands in the data under that name, or else a word.
    DatumOr(&'static Native),
    /// A part of an option.
    Part,
    /// A word.
    Word(&'static Native),
}

/// The rules as steps; nothing in it changes as they run.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The functions, with the numbers that the program gives them.
    pub functions: Vec<Arc<FunctionCode>>,
    /// Values that were known before anything ran.
    pub constants: Vec<V>,
    /// Texts that were known before anything ran.
    pub texts: Texts,
    /// The words that attributes can have as values, as registers hold them.
    pub attribute_words: Vec<V>,
    /// Where functions are called.
    pub calls: Vec<CallSite>,
    /// Where words are called.
    pub words: Vec<WordSite>,
    /// The properties that are read or set.
    pub properties: Vec<PropertySite>,
    /// What cannot be done.
    pub failures: Vec<Trouble>,
    /// The words behind operators, by their numbers.
    pub operators: Vec<Arc<Forms>>,
    /// The words behind `[…]`.
    pub entries: Option<Arc<Forms>>,
    /// The words behind `${…}`.
    pub to_text: Option<Arc<Forms>>,
}

impl Code {
    /// The same code with values of its own, whose copies are not counted with those of this one.
    pub fn unshared(&self) -> Self {
        let unshared = |values: &[V]| values.iter().map(V::unshared).collect();
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

    /// The values of some code that are there before anything runs.
    fn values(code: &Code) -> impl Iterator<Item = &V> {
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
                assert!(value.shares().is_none() || value.shares() != own.shares(), "{}: {value:?}", game.id);
                counted += usize::from(value.shares().is_some());
            }
            assert_eq!(values(code).count(), values(own.code()).count());
            let texts = |code: &Code| -> Vec<Arc<str>> {
                (0..).map_while(|number| code.texts.text(&V::known(number)).cloned()).collect()
            };
            let (texts, own) = (texts(code), texts(own.code()));
            assert_eq!(texts, own);
            assert!(texts.iter().zip(&own).all(|(text, own)| !Arc::ptr_eq(text, own)), "{}", game.id);
        }
        assert!(counted > 9, "{counted}");
    }
}
