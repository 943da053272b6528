//! Code coverage of the rules: hit counts of statements, branches and functions of each layer.
//!
//! [`StepCounts`] counts the steps of the compiled rules while games are played; [`Coverage`] maps them to lines of the
//! scripts. Coverages of different rulesets of a game can be merged, since a line is the same whatever layers are
//! combined. All counts are exact, so the order of games and merges does not matter.
//!
//! Not all code runs while a game is played. What the table shows (standings, marks, notes) and reasons for refused
//! options are computed only when somebody looks, and code replaced by a variant never runs. So each function and
//! statement has a [`Purpose`], and only those with [`Purpose::Play`] count in totals.

mod lcov;
mod scenarios;
mod sites;

pub use crate::script::machine::counts::{CallCounts, GameCounters, StepCounts};
pub use lcov::{LCOV, lcov};
pub use scenarios::{coverage as of_scenarios, run_counted};

use crate::diagnostic::{Message, Place, Source, message};
use crate::ruleset::Role;
use crate::script::rules::Rules;
use crate::sorted::{SortedMap, sort_by_key};
use serde::{Deserialize, Serialize};

/// The coverage of some games under some rulesets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// The number of games and other runs.
    pub runs: u64,
    /// The scripts, in the order of reports.
    pub scripts: Vec<ScriptCoverage>,
}

/// The kind of layer that a script belongs to, in the order of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LayerSort {
    Game,
    Variant,
    Library,
}

/// The coverage of one script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptCoverage {
    pub sort: LayerSort,
    /// The id of the layer.
    pub layer: String,
    /// The path of its file, as messages show it.
    pub file: String,
    /// The text of the whole file; a variant's script may be embedded in its TOML.
    pub text: String,
    /// The number of games and other runs that included it.
    pub runs: u64,
    /// The first and last line of the script in the file, from 1.
    pub lines: (usize, usize),
    /// The functions, in the order of the script.
    pub functions: Vec<FunctionCoverage>,
}

/// A place in a file: line and column, both from 1.
pub type FilePoint = (usize, usize);

/// When a piece of the rules runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Never: it is not called in these rules, or was replaced by a layer above.
    Unused,
    /// When somebody looks at the table, or asks why an option is refused.
    Look,
    /// While a game is played.
    Play,
}

/// The coverage of one function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCoverage {
    pub name: String,
    /// The number of parameters.
    pub parameters: usize,
    /// The place of its name.
    pub at: FilePoint,
    /// When it runs, in any of the merged rulesets.
    pub purpose: Purpose,
    /// The number of calls.
    pub calls: u64,
    /// The number of games, or other runs, that called it.
    pub games: u64,
    /// Its statements, in order.
    pub statements: Vec<StatementCoverage>,
    /// Its branches, in order.
    pub branches: Vec<BranchCoverage>,
}

/// The coverage of one statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementCoverage {
    /// The place where it begins.
    pub at: FilePoint,
    /// When it runs.
    pub purpose: Purpose,
    /// The number of times it was executed.
    pub hits: u64,
}

/// The coverage of one branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchCoverage {
    /// The place; branches at one place are distinguished by `number`.
    pub at: FilePoint,
    /// The index among the branches at the same place, from 0.
    pub number: usize,
    /// For a condition, the places where its first and its last part begin.
    pub condition: Option<(FilePoint, FilePoint)>,
    /// What is decided at the branch.
    pub kind: BranchKind,
    /// When it is decided.
    pub purpose: Purpose,
    /// The number of times each way was taken: true and false, another iteration and the end, the case and other cases.
    /// Of a case, only the first counts.
    pub ways: [u64; 2],
}

/// The kinds of branches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BranchKind {
    /// A condition, or an operand of `&&` or `||`.
    Condition,
    /// A `for` loop.
    Loop,
    /// A case of a `switch`, with its value.
    Case(String),
}

/// A number of things, and how many of them were reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoverageCount {
    /// The number reached at least once.
    pub reached: usize,
    /// The number that games can reach.
    pub all: usize,
}

/// Code that games can reach, but did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreachedCode<'a> {
    pub script: &'a ScriptCoverage,
    /// The function that contains it.
    pub function: &'a FunctionCoverage,
    /// The line in the file.
    pub line: usize,
    /// The column in that line, from 1.
    pub column: usize,
    /// Whether it was not reached at all, rather than only one way of it.
    pub is_whole: bool,
    /// What never happened there, as a sentence without subject: `never called`.
    pub what: Message,
}

impl UnreachedCode<'_> {
    /// The place of the missed code, for a message.
    pub fn place(&self) -> Option<Place> {
        let source = Source::new(self.script.file.clone(), &self.script.text);
        let line = source.line(self.line).trim_end();
        let start = source.offset(self.line, self.column);
        let end = source.offset(self.line, line.chars().count() + 1);
        (start < end).then(|| Place::new(&source, start..end, self.what.clone()))
    }
}

impl Coverage {
    /// The coverage computed from step counts.
    pub fn of(rules: &Rules, counts: &StepCounts) -> Self {
        sites::coverage(rules, counts)
    }

    /// Adds another coverage, of the same or other rulesets of the same files.
    pub fn merge(&mut self, other: Self) {
        self.runs += other.runs;
        let key = |script: &ScriptCoverage| (script.sort, script.layer.clone(), script.file.clone());
        merge_by(&mut self.scripts, other.scripts, key, ScriptCoverage::merge);
    }

    /// All code that games could reach but did not: for a function never called, only the function, and nothing nested
    /// in a statement that never ran.
    pub fn missed(&self) -> Vec<UnreachedCode<'_>> {
        self.scripts.iter().flat_map(ScriptCoverage::missed).collect()
    }
}

/// Merges one list into another by a key; both are sorted by it.
fn merge_by<T, K: Ord>(own: &mut Vec<T>, other: Vec<T>, key: impl Fn(&T) -> K, merge: impl Fn(&mut T, T)) {
    for one in other {
        match own.binary_search_by_key(&key(&one), &key) {
            Ok(known) => merge(&mut own[known], one),
            Err(place) => own.insert(place, one),
        }
    }
}

impl ScriptCoverage {
    fn merge(&mut self, other: Self) {
        self.runs += other.runs;
        merge_by(&mut self.functions, other.functions, |function| function.at, FunctionCoverage::merge);
    }

    /// The hit count of each line with a statement of [`Purpose::Play`]: the largest of its statements' counts.
    pub fn line_hits(&self) -> SortedMap<usize, u64> {
        let played = self.functions.iter().filter(|function| function.purpose == Purpose::Play);
        let statements = played.flat_map(|function| &function.statements);
        let mut lines: SortedMap<usize, u64> = SortedMap::new();
        for statement in statements.filter(|one| one.purpose == Purpose::Play) {
            let hits = lines.entry(statement.at.0).or_default();
            *hits = (*hits).max(statement.hits);
        }
        lines
    }

    /// The number of statements, reached and in all.
    pub fn statements(&self) -> CoverageCount {
        self.functions.iter().map(FunctionCoverage::statements).sum()
    }

    /// The number of ways of branches, taken and in all.
    pub fn ways(&self) -> CoverageCount {
        self.functions.iter().map(FunctionCoverage::ways).sum()
    }

    /// The number of functions, called and in all.
    pub fn called(&self) -> CoverageCount {
        let functions = self.functions.iter().filter(|function| function.purpose == Purpose::Play);
        functions.map(|function| CoverageCount::one(function.calls)).sum()
    }

    fn missed(&self) -> Vec<UnreachedCode<'_>> {
        let functions = self.functions.iter().filter(|function| function.purpose == Purpose::Play);
        let mut missed: Vec<UnreachedCode<'_>> = functions.flat_map(|function| self.missed_in(function)).collect();
        sort_by_key(&mut missed, |one| one.line);
        missed
    }

    /// The code of one function that games could reach but did not.
    pub fn missed_in<'a>(&'a self, function: &'a FunctionCoverage) -> Vec<UnreachedCode<'a>> {
        let mut missed = Vec::new();
        let mut miss = |(line, column): FilePoint, is_whole: bool, what: Message| {
            missed.push(UnreachedCode { script: self, function, line, column, is_whole, what });
        };
        if function.calls == 0 {
            miss(function.at, true, "never called".into());
            return missed;
        }
        let statements = function.statements.iter().filter(|one| one.purpose == Purpose::Play);
        let mut told = None;
        for (number, statement) in statements.enumerate() {
            // Of a stretch that never ran, only the first line is reported.
            let follows = number > 0 && told == Some(number - 1);
            if statement.hits == 0 {
                told = Some(number);
                if !follows {
                    miss(statement.at, true, "never reached".into());
                }
            }
        }
        for branch in function.branches.iter().filter(|branch| branch.purpose == Purpose::Play) {
            // If nothing reached the branch, that is reported already.
            if branch.ways.iter().any(|&way| way > 0) {
                branch.never().into_iter().for_each(|never| miss(branch.at, false, never));
            }
        }
        missed
    }
}

impl FunctionCoverage {
    fn merge(&mut self, other: Self) {
        self.purpose = self.purpose.max(other.purpose);
        self.calls += other.calls;
        self.games += other.games;
        merge_by(
            &mut self.statements,
            other.statements,
            |one| one.at,
            |own, other| {
                own.purpose = own.purpose.max(other.purpose);
                own.hits += other.hits;
            },
        );
        merge_by(
            &mut self.branches,
            other.branches,
            |one| (one.at, one.number),
            |own, other| {
                own.purpose = own.purpose.max(other.purpose);
                own.ways.iter_mut().zip(other.ways).for_each(|(own, other)| *own += other);
            },
        );
    }

    /// The name with the number of parameters: `score/1` for `score(p)`.
    pub fn signature(&self) -> String {
        format!("{}/{}", self.name, self.parameters)
    }

    /// The number of statements that games can reach, reached and in all.
    pub fn statements(&self) -> CoverageCount {
        let statements = self.statements.iter().filter(|one| one.purpose == Purpose::Play);
        statements.map(|statement| CoverageCount::one(statement.hits)).sum()
    }

    /// The number of ways of branches that games can reach, taken and in all.
    pub fn ways(&self) -> CoverageCount {
        let branches = self.branches.iter().filter(|one| one.purpose == Purpose::Play);
        branches.flat_map(BranchCoverage::counted).map(|&way| CoverageCount::one(way)).sum()
    }
}

impl BranchCoverage {
    /// The place where the branch begins; a condition extends around its point, which is that of an operator or a word.
    pub fn begins(&self) -> FilePoint {
        self.condition.map_or(self.at, |(first, _)| first)
    }

    /// The counts of the ways that matter.
    pub fn counted(&self) -> &[u64] {
        if matches!(self.kind, BranchKind::Case(_)) { &self.ways[..1] } else { &self.ways }
    }

    /// What never happened at the branch, in words; `None` where all ways were taken.
    pub fn never(&self) -> Option<Message> {
        let never = match (&self.kind, self.ways) {
            (_, [one, other]) if one > 0 && other > 0 => return None,
            (_, [0, 0]) => "never decided".into(),
            (BranchKind::Condition, [0, _]) => message!("never true in column {}", self.begins().1),
            (BranchKind::Condition, _) => message!("never false in column {}", self.begins().1),
            (BranchKind::Loop, [0, _]) => "the loop has never had an entry".into(),
            (BranchKind::Loop, _) => "the loop has never come to its end".into(),
            (BranchKind::Case(value), [0, _]) => message!("never {value}"),
            (BranchKind::Case(_), _) => return None,
        };
        Some(never)
    }
}

impl CoverageCount {
    fn one(hits: u64) -> Self {
        Self { reached: usize::from(hits > 0), all: 1 }
    }

    /// As a fraction: `5/8`.
    pub fn fraction(self) -> String {
        format!("{}/{}", self.reached, self.all)
    }
}

impl std::iter::Sum for CoverageCount {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self { reached: sum.reached + one.reached, all: sum.all + one.all })
    }
}

impl From<Role> for LayerSort {
    fn from(role: Role) -> Self {
        match role {
            Role::Base(_) | Role::Game => Self::Game,
            Role::Variant(_) => Self::Variant,
            Role::Library => Self::Library,
        }
    }
}

impl LayerSort {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Variant => "variant",
            Self::Library => "library",
        }
    }
}
