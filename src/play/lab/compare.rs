//! Paired comparison of rulesets on the same seeds.
//!
//! Random numbers are keyed, so a seed gives every ruleset the same deal. Differences are taken game by game, which
//! cancels the influence of the deal on both sides (common random numbers).

use super::coverage::CallCounts;
use super::distribution::Distribution;
use super::measures::{Column, Unit, columns};
use super::order::{ByOrder, BySeat, by_place, count_row};
use super::play::{Ending, Game, GameTracker, Plan};
use super::report::{Figure, SimReport, estimated, few_to_json, interval_to_json};
use super::shard::PlanFacts;
use super::simulate::{Batches, Continuation};
use super::statistics::estimate::estimate;
use super::statistics::{Estimate, FewGames, Interval, Level, Pairs, Verdict, interval, sequence, verdict};
use super::tally::{Tally, keep_first};
use crate::definition::Bounds;
use crate::sorted::{SortedMap, sort_by};
use crate::table::value::{Seat, Seats};
use crate::work::Workers;
use serde_json::{Value as Json, json};
use std::ops::Range;

/// Plans to play on the same seeds. The first is the base that the others are compared with.
pub struct Contest {
    /// The plans, all for the same number of seats.
    pub plans: Vec<Plan>,
}

/// The results of a plan, paired with those of the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The plan's own games.
    pub tally: Tally,
    /// The number of pairs in which both games finished.
    pub pairs: u64,
    /// Pairs in which a game did not finish; they count for no difference.
    pub left_out: ExcludedPairs,
    /// The number of pairs with equal values in every measure.
    pub equal: u64,
    /// The distributions of plan minus base, one for each column, in units of the measure's scale.
    pub differences: Vec<Distribution>,
    /// The same for the seats' columns, by the order of play in the two games.
    pub by_order: ByOrder,
    /// The same for the metrics that the rules define.
    pub metrics: SortedMap<String, Distribution>,
    /// Whether the plan is still played.
    pub is_in_play: bool,
}

/// Pairs in which a game failed or did not end, by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExcludedPairs {
    /// Pairs where only the base's game did.
    pub only_base: u64,
    /// Pairs where only the other game did.
    pub only_other: u64,
    /// Pairs where both games did.
    pub both: u64,
}

impl Contest {
    /// Plays those plans that are in play on the same seeds. `look` is called with the counts so far from time to time,
    /// and may take sides out of play.
    pub fn play(
        &self,
        workers: &dyn Workers,
        games: Range<u64>,
        mut look: impl FnMut(&mut [Side]) -> Continuation,
    ) -> Vec<Side> {
        let columns = self.plans.first().map_or_else(Vec::new, Plan::columns);
        let mut sides = vec![Side::new(&columns); self.plans.len()];
        let mut batches = Batches::of(games);
        loop {
            let pieces = batches.pieces(workers.threads());
            if pieces.is_empty() {
                return sides;
            }
            let in_play: Vec<bool> = sides.iter().map(|side| side.is_in_play).collect();
            let played = workers.map_with(
                &pieces,
                || Self { plans: self.plans.iter().map(Plan::unshared).collect() },
                |contest, piece| Some(contest.play_piece(piece, &columns, &in_play)),
            );
            let mut is_whole = played.len() == pieces.len();
            for (parts, piece_is_whole) in played {
                sides.iter_mut().zip(&parts).for_each(|(side, part)| side.add(&columns, part));
                // Games after a gap do not count.
                if !piece_is_whole {
                    is_whole = false;
                    break;
                }
            }
            if look(&mut sides) == Continuation::Stop || !is_whole {
                return sides;
            }
        }
    }

    /// Plays some games under every plan in play. Returns the results, and whether all games were played.
    fn play_piece(&self, piece: &Range<u64>, columns: &[Column], in_play: &[bool]) -> (Vec<Side>, bool) {
        let mut sides = vec![Side::new(columns); self.plans.len()];
        let mut calls: Vec<CallCounts> = self.plans.iter().map(|plan| CallCounts::new(&plan.loaded.rules)).collect();
        let mut lookouts: Vec<GameTracker> = self.plans.iter().map(|_| GameTracker::default()).collect();
        let mut is_whole = true;
        'seeds: for number in piece.clone() {
            let mut games = Vec::with_capacity(self.plans.len());
            let hands = calls.iter_mut().zip(&mut lookouts);
            for ((plan, is_in_play), (calls, lookout)) in self.plans.iter().zip(in_play).zip(hands) {
                calls.begin_game();
                let game = if *is_in_play { plan.play(number, columns, calls, lookout) } else { None };
                if *is_in_play && game.is_none() {
                    is_whole = false;
                    break 'seeds;
                }
                games.push(game);
            }
            for ((calls, lookout), game) in calls.iter_mut().zip(&mut lookouts).zip(&games) {
                if game.is_some() {
                    calls.end_game();
                    lookout.occurrences.end_game();
                }
            }
            let base = games.first().and_then(Option::as_ref);
            for (side, game) in sides.iter_mut().zip(&games) {
                if let (Some(game), Some(base)) = (game, base) {
                    side.count(columns, base, game);
                }
            }
            if let Some(plan) = self.plans.first() {
                plan.loaded.rules.work().finish_part();
            }
        }
        for ((side, lookout), (plan, calls)) in sides.iter_mut().zip(lookouts).zip(self.plans.iter().zip(&calls)) {
            side.tally.count_calls(plan, calls);
            side.tally.count_occurrences(lookout.occurrences);
        }
        (sides, is_whole)
    }
}

impl Side {
    fn new(columns: &[Column]) -> Self {
        Self {
            tally: Tally::new(columns),
            pairs: 0,
            left_out: ExcludedPairs::default(),
            equal: 0,
            differences: vec![Distribution::default(); columns.len()],
            by_order: ByOrder::new(),
            metrics: SortedMap::new(),
            is_in_play: true,
        }
    }

    fn count(&mut self, columns: &[Column], base: &Game, game: &Game) {
        self.tally.count(columns, game);
        match (base.ending == Ending::Finished, game.ending == Ending::Finished) {
            (true, true) => {}
            (false, true) => return self.left_out.only_base += 1,
            (true, false) => return self.left_out.only_other += 1,
            (false, false) => return self.left_out.both += 1,
        }
        self.pairs += 1;
        self.equal += u64::from(base.values == game.values && base.metrics == game.metrics);
        let differences = |base: &[Option<i64>], own: &[Option<i64>]| -> Vec<Option<i64>> {
            base.iter().zip(own).map(|(base, own)| Some((*own)?.saturating_sub((*base)?))).collect()
        };
        let order = (base.order == game.order).then_some(&*game.order);
        let before = BySeat { columns: &self.differences, products: &[] };
        self.by_order.count(columns, before, order, || {
            let [base, own] = [base, game].map(|game| by_place(columns, &game.values, &game.order));
            differences(&base, &own)
        });
        count_row(columns, &differences(&base.values, &game.values), &mut self.differences, &mut []);
        let value_in = |game: &Game, name: &str| {
            game.metrics.iter().find(|(known, _)| known == name).map_or(0, |(_, value)| *value)
        };
        let mut names: Vec<&String> = base.metrics.iter().chain(&game.metrics).map(|(name, _)| name).collect();
        sort_by(&mut names, Ord::cmp);
        names.dedup();
        for name in names {
            let difference = value_in(game, name).saturating_sub(value_in(base, name));
            self.metrics.entry(name.clone()).or_default().count(difference, 1);
        }
        keep_first(&mut self.metrics);
    }

    fn add(&mut self, columns: &[Column], other: &Self) {
        self.tally.add(&other.tally);
        let [own, others] = [&self.differences, &other.differences].map(|columns| BySeat { columns, products: &[] });
        self.by_order.add(columns, own, &other.by_order, others);
        self.pairs += other.pairs;
        self.left_out.add(other.left_out);
        self.equal += other.equal;
        self.differences.iter_mut().zip(&other.differences).for_each(|(own, others)| own.add(others));
        for (name, difference) in &other.metrics {
            self.metrics.entry(name.clone()).or_default().add(difference);
        }
        keep_first(&mut self.metrics);
    }
}

impl ExcludedPairs {
    /// The number of pairs left out.
    pub fn count(self) -> u64 {
        self.only_base + self.only_other + self.both
    }

    fn add(&mut self, other: Self) {
        self.only_base += other.only_base;
        self.only_other += other.only_other;
        self.both += other.both;
    }

    fn to_json(self) -> Json {
        json!({"only_base": self.only_base, "only_other": self.only_other, "both": self.both})
    }
}

/// The comparison of a ruleset with the base.
#[derive(Clone, Debug)]
pub struct CompareReport {
    /// The results of the base.
    pub base: SimReport,
    /// The results of the other ruleset.
    pub other: SimReport,
    /// The number of pairs in which both games finished.
    pub pairs: u64,
    /// Pairs that count for no difference.
    pub left_out: ExcludedPairs,
    /// The number of pairs with equal values in every measure.
    pub equal: u64,
    /// The comparison of each measure.
    pub rows: Vec<ComparedMeasure>,
}

/// A measure under two rulesets.
#[derive(Clone, Debug)]
pub struct ComparedMeasure {
    /// The id in files and goals: `p1.win`, `turns`.
    pub id: String,
    /// The name in tables.
    pub name: String,
    /// The seat; `None` for the whole game.
    pub seat: Option<Seat>,
    /// The place in the order of play, from 1; `None` where the row is not by order.
    pub place: Option<usize>,
    /// The unit of the values.
    pub unit: Unit,
    /// The base's value.
    pub base: Interval,
    /// The other ruleset's value.
    pub other: Interval,
    /// The other ruleset's value minus the base's.
    pub difference: Interval,
    /// The difference with an interval that holds at every look (anytime-valid).
    pub anytime: Interval,
    /// What can be said where few pairs differ.
    pub few: Option<FewGames>,
    /// Whether a difference is shown.
    pub verdict: Verdict,
    /// Whether all pairs differ by the same amount.
    pub is_constant: bool,
    /// The number of pairs with values for the measure.
    pub pairs: u64,
    /// The factor by which more games would be needed without pairing; `None` where there is no spread.
    pub saving: Option<f64>,
    /// The approximate number of pairs needed to show a difference of this size; `None` where none was found.
    pub pairs_to_show: Option<u64>,
}

impl CompareReport {
    /// Compares two sides; the base comes first.
    pub fn of(base: (PlanFacts, &Side), other: (PlanFacts, &Side)) -> Self {
        let level = Level::default();
        let columns = columns(Seats::all(base.0.players));
        let (base_side, side) = (base.1, other.1);
        let base = SimReport::of(base.0, &base_side.tally);
        let other = SimReport::of(other.0, &side.tally);
        let mut rows = Vec::new();
        for (place, column) in columns.iter().enumerate() {
            let [Some(before), Some(after)] = [&base, &other].map(|report| report.figure(&column.id())) else {
                continue;
            };
            let spread = |side: &Side| side.tally.columns.get(place).and_then(|values| values.moments().variance());
            let apart = spread(base_side).zip(spread(side)).map(|(one, other)| one + other);
            let Some(differences) = side.differences.get(place) else { continue };
            let scale = column.measure.scale;
            rows.extend(ComparedMeasure::of((before, after), differences, (column.measure.unit, scale), apart, level));
        }
        rows.extend(by_order(&columns, side, [&base, &other], level));
        for (name, differences) in &side.metrics {
            // Pairs in which neither side measured anything have a difference of 0.
            let mut differences = differences.clone();
            differences.count(0, side.pairs.saturating_sub(differences.len()));
            let [Some(before), Some(after)] = [&base, &other].map(|report| report.metric(name)) else { continue };
            rows.extend(ComparedMeasure::of((&before, &after), &differences, (Unit::Number, 1), None, level));
        }
        Self { base, other, pairs: side.pairs, left_out: side.left_out, equal: side.equal, rows }
    }

    /// The row with that id.
    pub fn row(&self, id: &str) -> Option<&ComparedMeasure> {
        self.rows.iter().find(|row| row.id == id)
    }

    /// The comparison as JSON.
    pub fn to_json(&self) -> Json {
        json!({
            "pairs": self.pairs,
            "pairs_left_out": self.left_out.to_json(),
            "equal_pairs": self.equal,
            "differences": self.rows.iter().map(ComparedMeasure::to_json).collect::<Vec<_>>(),
            "base": self.base.to_json(),
            "other": self.other.to_json(),
        })
    }
}

/// The seats' measures by the order of play; empty where that is the same in all games of both sides.
fn by_order(columns: &[Column], side: &Side, [base, other]: [&SimReport; 2], level: Level) -> Vec<ComparedMeasure> {
    let ByOrder::Mixed { columns: differences, .. } = &side.by_order else { return Vec::new() };
    let row = |(column, differences): (&Column, &Distribution)| {
        let id = column.id_of_place(column.seat?.number());
        let sides = (base.figure(&id)?, other.figure(&id)?);
        ComparedMeasure::of(sides, differences, (column.measure.unit, column.measure.scale), None, level)
    };
    columns.iter().zip(differences).filter_map(row).collect()
}

impl ComparedMeasure {
    fn of(
        (before, after): (&Figure, &Figure),
        differences: &Distribution,
        (unit, scale): (Unit, i64),
        apart: Option<f64>,
        level: Level,
    ) -> Option<Self> {
        let moments = differences.moments();
        let pairs = moments.count();
        let bounds = after.bounds.difference(before.bounds);
        let Estimate { once: difference, anytime, few } = difference_estimate(differences, unit, scale, bounds, level)?;
        let paired = moments.variance().filter(|paired| *paired > 0.0);
        Some(Self {
            id: before.id.clone(),
            name: before.name.clone(),
            seat: before.seat,
            place: before.place,
            unit,
            base: before.interval,
            other: after.interval,
            difference,
            anytime,
            few,
            verdict: Verdict::of(&difference),
            is_constant: differences.range().is_some_and(|(least, most)| least == most),
            pairs,
            // Few games make an unreliable ratio of spreads.
            saving: paired.zip(apart).filter(|_| few.is_none()).map(|(paired, apart)| apart / paired),
            pairs_to_show: verdict::games_to_show(&difference, pairs, level),
        })
    }

    fn to_json(&self) -> Json {
        let mut json = json!({
            "id": self.id, "name": self.name, "seat": self.seat.map(|seat| seat.to_string()), "unit": self.unit.name(),
            "base": interval_to_json(self.base), "other": interval_to_json(self.other),
            "difference": interval_to_json(self.difference), "anytime": interval_to_json(self.anytime),
            "verdict": self.verdict.name(), "constant": self.is_constant, "pairs": self.pairs, "saving": self.saving,
            "pairs_to_show": self.pairs_to_show, "few": self.few.map(few_to_json),
        });
        if let Some(place) = self.place {
            json["place"] = place.into();
        }
        json
    }
}

/// The mean difference of pairs with its intervals; bounds are in units of the scale.
fn difference_estimate(
    differences: &Distribution,
    unit: Unit,
    scale: i64,
    bounds: Bounds,
    level: Level,
) -> Option<Estimate> {
    if unit != Unit::Share {
        return estimated(differences, unit, scale, bounds, level);
    }
    let counts: Vec<(i64, u64)> = differences.values().collect();
    let part = 1.0 / scale as f64;
    let once = if scale == 1 {
        let count = |wanted: i64| counts.iter().find(|(value, _)| *value == wanted).map_or(0, |(_, count)| *count);
        let pairs = Pairs { both: count(0), neither: 0, only_first: count(-1), only_second: count(1) };
        interval::difference_of_paired_shares(&pairs, level)?
    } else {
        let found = estimate(&counts, &differences.moments(), scale as f64, bounds, level)?.once.times(part);
        Interval { low: found.low.max(-1.0), high: found.high.min(1.0), ..found }
    };
    Some(Estimate::plain((once, sequence::bounded(&counts, bounds, level)?.times(part))))
}
