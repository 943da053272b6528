//! Which statements, branches and functions of each layer were reached, and how often.
//!
//! [`StepCounts`] counts the steps of the compiled rules while games are played; [`Coverage`] says what that means for the
//! lines of the scripts. Coverages of different rulesets of a game can be merged: a line is the same line whatever lies
//! over it. All counts are exact, so it does not matter in which order games were played or merged.
//!
//! Not everything in a script runs while a game is played. What the table shows (standings, marks, notes) and why an
//! option is refused is worked out only when somebody looks, and what a variant has replaced is not run at all. So each
//! function and statement has a [`Purpose`], and only those of [`Purpose::Play`] count in totals.

mod lcov;
mod scenarios;
mod sites;

pub use crate::script::machine::counts::{CallCounts, Counts, StepCounts};
pub use lcov::{LCOV, lcov};
pub use scenarios::{coverage as of_scenarios, run_counted};

use crate::diagnostic::{Place, Source};
use crate::ruleset::Role;
use crate::script::rules::Rules;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What was reached, over some games of some rulesets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// How many games were played, and other runs of the rules.
    pub runs: u64,
    /// The scripts, in the order in which reports have them.
    pub scripts: Vec<ScriptCoverage>,
}

/// What sort of layer a script is of. Reports have them in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LayerSort {
    Game,
    Variant,
    Library,
}

/// One script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptCoverage {
    pub sort: LayerSort,
    /// The id of the layer.
    pub layer: String,
    /// Its file, as messages name it.
    pub file: String,
    /// The text of the whole file: scripts of variants may stand within their TOML.
    pub text: String,
    /// How many games, and other runs, it was a part of.
    pub runs: u64,
    /// The lines of the file that are script, the first and the last, counted from 1.
    pub lines: (usize, usize),
    /// The functions, in the order in which they stand there.
    pub functions: Vec<FunctionCoverage>,
}

/// A place in a file: line and column, both counted from 1.
pub type FilePoint = (usize, usize);

/// When something of the rules runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Never: nothing calls it in these rules, or a layer above has replaced it.
    Unused,
    /// When somebody looks: at the table, or at why an option is refused.
    Look,
    /// While a game is played.
    Play,
}

/// One function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCoverage {
    pub name: String,
    /// How many parameters it has.
    pub parameters: usize,
    /// Where its name stands.
    pub at: FilePoint,
    /// When it runs, in any of the rulesets that were merged.
    pub purpose: Purpose,
    /// How often it was called.
    pub calls: u64,
    /// In how many games, or other runs.
    pub games: u64,
    /// Its statements, in their order.
    pub statements: Vec<StatementCoverage>,
    /// Its branches, in their order.
    pub branches: Vec<BranchCoverage>,
}

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementCoverage {
    /// Where it begins.
    pub at: FilePoint,
    /// When it runs.
    pub purpose: Purpose,
    /// How often it was begun.
    pub hits: u64,
}

/// A point at which the rules go one way or another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchCoverage {
    /// Where it stands; several at one point are told apart by their order.
    pub at: FilePoint,
    /// Which of those at one point it is, from 0.
    pub number: usize,
    /// For a condition: where its first part stands, and where its last part begins.
    pub condition: Option<(FilePoint, FilePoint)>,
    /// What decides.
    pub kind: BranchKind,
    /// When it is decided.
    pub purpose: Purpose,
    /// How often each of the two ways was taken: true and false, one more and the end, the case and not. Of a case only
    /// the first counts: what else there is are other cases.
    pub ways: [u64; 2],
}

/// What decides at a branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BranchKind {
    /// A condition, or a part of one beside `&&` or `||`.
    Condition,
    /// A `for` loop.
    Loop,
    /// A case of a `switch`, with its value.
    Case(String),
}

/// How many there are of something, and how many of these were reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Those that were reached at least once.
    pub reached: usize,
    /// All that can be reached while a game is played.
    pub all: usize,
}

/// Something that can be reached while a game is played, and was not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed<'a> {
    pub script: &'a ScriptCoverage,
    /// The function that it stands in.
    pub function: &'a FunctionCoverage,
    /// The line in the file.
    pub line: usize,
    /// The column in that line, counted from 1.
    pub column: usize,
    /// Whether nothing of it was reached, and not only one of its ways.
    pub is_whole: bool,
    /// What never happened there, as a sentence without a subject: `never called`.
    pub what: String,
}

impl Missed<'_> {
    /// Its place, to be shown.
    pub fn place(&self) -> Option<Place> {
        let source = Source::new(self.script.file.clone(), &self.script.text);
        let line = source.line(self.line).trim_end();
        let start = source.offset(self.line, self.column);
        let end = source.offset(self.line, line.chars().count() + 1);
        (start < end).then(|| Place::new(&source, start..end, &*self.what))
    }
}

impl Coverage {
    /// What was counted, by the lines of the scripts.
    pub fn of(rules: &Rules, counts: &StepCounts) -> Self {
        sites::coverage(rules, counts)
    }

    /// Adds another, of the same or of other rulesets of the same files.
    pub fn merge(&mut self, other: Self) {
        self.runs += other.runs;
        for script in other.scripts {
            let key = |script: &ScriptCoverage| (script.sort, script.layer.clone(), script.file.clone());
            match self.scripts.binary_search_by_key(&key(&script), key) {
                Ok(known) => self.scripts[known].merge(script),
                Err(place) => self.scripts.insert(place, script),
            }
        }
    }

    /// What was never reached, though a game can come to it: of a function that was never called that alone, and of what
    /// was never begun not what stands within it.
    pub fn missed(&self) -> Vec<Missed<'_>> {
        self.scripts.iter().flat_map(ScriptCoverage::missed).collect()
    }

    /// Functions that no ruleset here can call while a game is played: with the script and when they run.
    pub fn aside(&self) -> impl Iterator<Item = (&ScriptCoverage, &FunctionCoverage)> {
        let functions = self.scripts.iter().flat_map(|script| script.functions.iter().map(move |one| (script, one)));
        functions.filter(|(_, function)| function.purpose != Purpose::Play)
    }
}

/// Adds entries of one list to those of another that is in the same order by a key.
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

    /// How often each line was reached that has a statement of [`Purpose::Play`]: as often as the one of its statements
    /// that was reached most.
    pub fn line_hits(&self) -> BTreeMap<usize, u64> {
        let played = self.functions.iter().filter(|function| function.purpose == Purpose::Play);
        let statements = played.flat_map(|function| &function.statements);
        let mut lines: BTreeMap<usize, u64> = BTreeMap::new();
        for statement in statements.filter(|one| one.purpose == Purpose::Play) {
            let hits = lines.entry(statement.at.0).or_default();
            *hits = (*hits).max(statement.hits);
        }
        lines
    }

    /// Its statements, reached and all.
    pub fn statements(&self) -> Reached {
        self.functions.iter().map(FunctionCoverage::statements).sum()
    }

    /// The ways of its branches, taken and all.
    pub fn ways(&self) -> Reached {
        self.functions.iter().map(FunctionCoverage::ways).sum()
    }

    /// Its functions, called and all.
    pub fn called(&self) -> Reached {
        let functions = self.functions.iter().filter(|function| function.purpose == Purpose::Play);
        functions.map(|function| Reached::one(function.calls)).sum()
    }

    fn missed(&self) -> Vec<Missed<'_>> {
        let functions = self.functions.iter().filter(|function| function.purpose == Purpose::Play);
        let mut missed: Vec<Missed<'_>> = functions.flat_map(|function| self.missed_in(function)).collect();
        missed.sort_by_key(|one| one.line);
        missed
    }

    /// What was never reached of one of its functions.
    pub fn missed_in<'a>(&'a self, function: &'a FunctionCoverage) -> Vec<Missed<'a>> {
        let mut missed = Vec::new();
        let mut miss = |(line, column): FilePoint, is_whole: bool, what: String| {
            missed.push(Missed { script: self, function, line, column, is_whole, what });
        };
        if function.calls == 0 {
            miss(function.at, true, "never called".to_owned());
            return missed;
        }
        let statements = function.statements.iter().filter(|one| one.purpose == Purpose::Play);
        let mut told = None;
        for (number, statement) in statements.enumerate() {
            // Of a stretch that was never begun its first line says enough.
            let follows = number > 0 && told == Some(number - 1);
            if statement.hits == 0 {
                told = Some(number);
                if !follows {
                    miss(statement.at, true, "never reached".to_owned());
                }
            }
        }
        for branch in function.branches.iter().filter(|branch| branch.purpose == Purpose::Play) {
            // Where nobody came, that is told already.
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

    /// How it is called: `score(p)` has one parameter, so `score/1`.
    pub fn signature(&self) -> String {
        format!("{}/{}", self.name, self.parameters)
    }

    /// Its statements that a game can come to, reached and all.
    pub fn statements(&self) -> Reached {
        let statements = self.statements.iter().filter(|one| one.purpose == Purpose::Play);
        statements.map(|statement| Reached::one(statement.hits)).sum()
    }

    /// The ways of its branches that a game can come to, taken and all.
    pub fn ways(&self) -> Reached {
        let branches = self.branches.iter().filter(|one| one.purpose == Purpose::Play);
        branches.flat_map(BranchCoverage::counted).map(|&way| Reached::one(way)).sum()
    }
}

impl BranchCoverage {
    /// Where what decides begins: a condition stands around its point, which is that of an operator or a word.
    pub fn begins(&self) -> FilePoint {
        self.condition.map_or(self.at, |(first, _)| first)
    }

    /// The ways that count.
    pub fn counted(&self) -> &[u64] {
        if matches!(self.kind, BranchKind::Case(_)) { &self.ways[..1] } else { &self.ways }
    }

    /// What never happened there, in words.
    pub fn never(&self) -> Option<String> {
        let never = match (&self.kind, self.ways) {
            (_, [one, other]) if one > 0 && other > 0 => return None,
            (_, [0, 0]) => "never decided".to_owned(),
            (BranchKind::Condition, [0, _]) => format!("never true in column {}", self.begins().1),
            (BranchKind::Condition, _) => format!("never false in column {}", self.begins().1),
            (BranchKind::Loop, [0, _]) => "the loop has never had an entry".to_owned(),
            (BranchKind::Loop, _) => "the loop has never come to its end".to_owned(),
            (BranchKind::Case(value), [0, _]) => format!("never {value}"),
            (BranchKind::Case(_), _) => return None,
        };
        Some(never)
    }
}

impl Reached {
    fn one(hits: u64) -> Self {
        Self { reached: usize::from(hits > 0), all: 1 }
    }

    /// `5/8`.
    pub fn fraction(self) -> String {
        format!("{}/{}", self.reached, self.all)
    }
}

impl std::iter::Sum for Reached {
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
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Variant => "variant",
            Self::Library => "library",
        }
    }
}
