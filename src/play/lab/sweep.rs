//! Parameter sweeps: many rulesets compared, for values of a setting or sets of variants.

use super::compare::{CompareReport, Side};
use super::goal::{Goal, GoalStatus};
use super::shard::PlanFacts;
use super::simulate::Continuation;
use crate::diagnostic::{Diagnostic, Diagnostics, Message, message};
use crate::ruleset::Selection;
use serde_json::{Value as Json, json};
use std::str::FromStr;

/// The most rulesets in one sweep.
pub const MAX_RULESETS_PER_SWEEP: usize = 256;

/// One dimension of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// All values of a setting.
    Setting {
        /// The setting, as typed: `double.bonus`.
        key: String,
        /// The values, as typed.
        values: Vec<String>,
    },
    /// All subsets of these variants, including the empty one.
    Variants(Vec<String>),
}

impl Sweep {
    /// The first of `others` with a value or variant of the sweep that none of `tried` has; `None` where `tried` covers
    /// the sweep.
    pub fn first_untried<'s>(&self, tried: &[Selection], others: &'s [Selection]) -> Option<&'s Selection> {
        let first = |has: &dyn Fn(&Selection) -> bool| match tried.iter().any(has) {
            true => None,
            false => others.iter().find(|other| has(other)),
        };
        match self {
            Self::Setting { key, values } => {
                values.iter().find_map(|value| first(&|selection| selection.set.contains(&format!("{key}={value}"))))
            }
            Self::Variants(names) => names.iter().find_map(|name| first(&|tried| tried.variants.contains(name))),
        }
    }
}

impl FromStr for Sweep {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        let usage = "give what to try and its values: `LAYER.KEY=0..5`, `LAYER.KEY=0..20/5`, `LAYER.KEY=1,3,9` or `variants=A,B`";
        let (key, values) = text.split_once('=').ok_or(usage)?;
        let (key, values) = (key.trim(), values.trim());
        if key.is_empty() || values.is_empty() {
            return Err(usage.into());
        }
        let twice = |values: &[String]| {
            let found = values.iter().enumerate().find(|(place, value)| values[..*place].contains(value));
            found.map(|(_, value)| message!("`{value}` is named twice"))
        };
        let list = || values.split(',').map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        if key == "variants" {
            let variants: Vec<String> = list().collect();
            return twice(&variants).map_or(Ok(Self::Variants(variants)), Err);
        }
        let values = match values.split_once("..") {
            Some((from, to)) => range(from, to)?,
            None => list().collect(),
        };
        if let Some(twice) = twice(&values) {
            return Err(twice);
        }
        Ok(Self::Setting { key: key.to_owned(), values })
    }
}

/// Parses a range of whole numbers, both ends included, with an optional step after `/`.
fn range(from: &str, to: &str) -> Result<Vec<String>, Message> {
    let (to, step) = to.split_once('/').unwrap_or((to, "1"));
    let number = |text: &str| {
        text.trim().trim_start_matches('=').parse::<i64>().map_err(|_| message!("`{text}` is not a whole number"))
    };
    let (from, to, step) = (number(from)?, number(to)?, number(step)?);
    if step < 1 {
        return Err(message!("the step after `/` is 1 or more, not {step}"));
    }
    if from > to {
        return Err(message!("{from} is more than {to}; write the smaller number first: `{to}..{from}`"));
    }
    let count = (i128::from(to) - i128::from(from)) / i128::from(step) + 1;
    if count > MAX_RULESETS_PER_SWEEP as i128 {
        return Err(message!(
            "{count} values are too many: try {MAX_RULESETS_PER_SWEEP} at most, for instance `{from}..{to}/{}`",
            count / 16
        ));
    }
    let step = usize::try_from(step).unwrap_or(usize::MAX);
    Ok((from..=to).step_by(step).map(|value| value.to_string()).collect())
}

/// All combinations of the sweeps, on top of what is selected anyway.
///
/// # Errors
/// There are too many.
pub fn candidates(chosen: &Selection, sweeps: &[Sweep]) -> Result<Vec<Selection>, Diagnostics> {
    let mut candidates = vec![chosen.clone()];
    let mut keys: Vec<&str> = Vec::new();
    for sweep in sweeps {
        let new: Vec<&str> = match sweep {
            Sweep::Setting { key, .. } => vec![key],
            Sweep::Variants(variants) => variants.iter().map(String::as_str).collect(),
        };
        let is_chosen = |name: &&&str| {
            let is_set = |set: &String| set.split('=').next().is_some_and(|key| key.trim() == **name);
            keys.contains(name) || chosen.variants.iter().any(|id| id == **name) || chosen.set.iter().any(is_set)
        };
        if let Some(name) = new.iter().find(is_chosen) {
            let error = Diagnostic::new(message!("`{name}` is given twice: it is swept, and chosen already"));
            return Err(error.help("leave it out in one of the two places").into());
        }
        keys.extend(new);
        let ways = match sweep {
            Sweep::Setting { values, .. } => values.len(),
            Sweep::Variants(variants) => 1_usize.checked_shl(variants.len() as u32).unwrap_or(usize::MAX),
        };
        if candidates.len().saturating_mul(ways) > MAX_RULESETS_PER_SWEEP {
            let error = Diagnostic::new(message!("more than {MAX_RULESETS_PER_SWEEP} rulesets would be tried"));
            return Err(error.help("try fewer values or variants at a time").into());
        }
        let each = |way: usize| {
            candidates.iter().map(move |candidate| {
                let mut candidate = candidate.clone();
                match sweep {
                    Sweep::Setting { key, values } => {
                        candidate.set.extend(values.get(way).map(|value| format!("{key}={value}")));
                    }
                    Sweep::Variants(variants) => {
                        let is_in = |(place, _): &(usize, &String)| way >> place & 1 == 1;
                        let added = variants.iter().enumerate().filter(is_in).map(|(_, variant)| variant.clone());
                        candidate.variants.extend(added);
                    }
                }
                candidate
            })
        };
        candidates = (0..ways).flat_map(each).collect();
    }
    // The empty set of variants is the plain game, which serves as base.
    candidates.retain(|candidate| sweeps.is_empty() || *candidate != Selection::of(&chosen.game));
    Ok(candidates)
}

/// The results of a sweep.
#[derive(Clone, Debug)]
pub struct SweepReport {
    /// The goals that rulesets are judged by.
    pub goals: Vec<Goal>,
    /// The rulesets, base first.
    pub tried: Vec<SweptRuleset>,
}

/// A ruleset of a sweep.
#[derive(Clone, Debug)]
pub struct SweptRuleset {
    /// The comparison with the base; for the base, with itself.
    pub report: CompareReport,
    /// The status of each goal.
    pub goals: Vec<GoalStatus>,
    /// The combined status of all goals.
    pub standing: GoalStatus,
}

impl SweepReport {
    /// The results of the sides; the base is the first.
    pub fn of(facts: &[PlanFacts], sides: &[Side], goals: &[Goal]) -> Self {
        let Some((base_facts, base)) = facts.iter().zip(sides).next() else {
            return Self { goals: goals.to_vec(), tried: Vec::new() };
        };
        let tried = facts.iter().zip(sides).map(|(facts, side)| {
            let report = CompareReport::of((base_facts.clone(), base), (facts.clone(), side));
            let standings: Vec<GoalStatus> = goals.iter().map(|goal| goal.standing(&report.other)).collect();
            let standing = standings.iter().max().copied().unwrap_or(GoalStatus::Open);
            SweptRuleset { report, goals: standings, standing }
        });
        Self { goals: goals.to_vec(), tried: tried.collect() }
    }

    /// Takes rulesets whose goals are decided out of play, except the base, which the comparison needs.
    pub fn drop_decided(&self, sides: &mut [Side]) -> Continuation {
        for (tried, side) in self.tried.iter().zip(sides.iter_mut()).skip(1) {
            side.is_in_play = side.is_in_play && tried.standing == GoalStatus::Open;
        }
        if sides.iter().skip(1).any(|side| side.is_in_play) { Continuation::GoOn } else { Continuation::Stop }
    }

    /// The report as JSON.
    pub fn to_json(&self) -> Json {
        let tried = self.tried.iter().map(|tried| {
            let goals = self.goals.iter().zip(&tried.goals);
            let goals: Vec<Json> =
                goals.map(|(goal, standing)| json!({"goal": goal.to_string(), "standing": standing.name()})).collect();
            let mut json = tried.report.to_json();
            if let Some(report) = json.as_object_mut() {
                // The base is included only once.
                report.remove("base");
                report.insert("goals".to_owned(), goals.into());
                report.insert("standing".to_owned(), tried.standing.name().into());
            }
            json
        });
        json!({"goals": self.goals.iter().map(ToString::to_string).collect::<Vec<_>>(), "tried": tried.collect::<Vec<_>>()})
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_lists_and_ranges() {
        let values = |text: &str| match text.parse::<Sweep>() {
            Ok(Sweep::Setting { values, .. }) => values,
            other => panic!("{other:?}"),
        };
        assert_eq!(values("double.bonus=0..3"), ["0", "1", "2", "3"]);
        assert_eq!(values("double.bonus = 0..10/5"), ["0", "5", "10"]);
        assert_eq!(values("double.mode=a, b"), ["a", "b"]);
        for doubled in ["variants=a,b,a", "double.bonus=1,2,1"] {
            assert!(doubled.parse::<Sweep>().unwrap_err().contains("is named twice"), "{doubled}");
        }
        let said = |text: &str| text.parse::<Sweep>().unwrap_err();
        assert_eq!(said("a.b=3..1"), "3 is more than 1; write the smaller number first: `1..3`");
        assert_eq!(said("a.b=1..9/0"), "the step after `/` is 1 or more, not 0");
        for nonsense in ["double.bonus", "=3", "a.b=", "a.b=3..1", "a.b=1..9/0", "a.b=1..x", "a.b=0..100000"] {
            assert!(nonsense.parse::<Sweep>().is_err(), "{nonsense}");
        }
    }

    #[test]
    fn sets_of_variants_are_tried_without_the_empty_one() {
        let sweeps = ["variants=a,b".parse().unwrap()];
        let tried = candidates(&Selection::of("g"), &sweeps).unwrap();
        let sets: Vec<&[String]> = tried.iter().map(|selection| &*selection.variants).collect();
        assert_eq!(sets, [&["a".to_owned()][..], &["b".to_owned()], &["a".to_owned(), "b".to_owned()]]);
        let all = ["variants=a,b,c,d,e,f,g,h,i".parse().unwrap()];
        assert!(candidates(&Selection::of("g"), &all).unwrap_err().to_string().contains("more than 256"));
    }

    #[test]
    fn what_is_chosen_already_is_not_swept() {
        let sweep = |text: &str| vec![text.parse::<Sweep>().unwrap()];
        let told = |chosen: &Selection, sweeps: &[Sweep]| candidates(chosen, sweeps).unwrap_err().to_string();
        assert!(told(&Selection::of("g").with("a"), &sweep("variants=b,a")).contains("`a` is given twice"));
        let set = Selection { set: vec!["x.k=1".to_owned()], ..Selection::of("g") };
        assert!(told(&set, &sweep("x.k=1,2")).contains("`x.k` is given twice"));
        let both = [sweep("x.k=1,2"), sweep("x.k=3,4")].concat();
        assert!(told(&Selection::of("g"), &both).contains("`x.k` is given twice"));
    }

    #[test]
    fn what_no_ruleset_tries_is_found() {
        let plain = Selection::of("g");
        let sweep: Sweep = "variants=a,nope".parse().unwrap();
        let others = [plain.clone().with("nope"), plain.clone().with("a").with("nope")];
        assert_eq!(sweep.first_untried(&[plain.clone().with("a")], &others), Some(&others[0]));
        // Variants that exclude each other are no error.
        assert_eq!(sweep.first_untried(&[plain.clone().with("a"), plain.clone().with("nope")], &others[1..]), None);
        let sweep: Sweep = "x.k=1..2".parse().unwrap();
        let set = |set: &str| Selection { set: vec![set.to_owned()], ..Selection::of("g") };
        assert_eq!(sweep.first_untried(&[set("x.k=1")], &[set("x.k=2")]), Some(&set("x.k=2")));
        assert_eq!(sweep.first_untried(&[set("x.k=1"), set("x.k=2")], &[]), None);
    }

    #[test]
    fn combinations_are_tried() {
        let sweeps = ["x.k=1,2".parse().unwrap(), "y.l=5..6".parse().unwrap()];
        let tried = candidates(&Selection::of("g"), &sweeps).unwrap();
        let sets: Vec<String> = tried.iter().map(|selection| selection.set.join(" ")).collect();
        assert_eq!(sets, ["x.k=1 y.l=5", "x.k=2 y.l=5", "x.k=1 y.l=6", "x.k=2 y.l=6"]);
    }
}
