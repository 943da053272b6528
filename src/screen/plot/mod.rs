//! Plots as plain data: the estimates to draw, with their unit. [`page`] draws them as SVG in HTML, and gives everything
//! drawn in words and numbers.

pub mod number;
pub mod page;
mod svg;
pub mod terminal;

use crate::catalogue::said;
use crate::lab::statistics::Interval;
pub use number::Unit;

/// A forest plot: estimates below each other on one axis, each with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    /// The quantity that is estimated: `Share of games won`.
    pub title: String,
    /// The unit of all rows.
    pub unit: Unit,
    /// The rows, one per estimate.
    pub rows: Vec<ForestRow>,
    /// A value to compare the rows with: 0 for differences, an equal share for wins.
    pub reference: Option<Mark>,
}

/// A row of a forest plot.
#[derive(Clone, Debug, PartialEq)]
pub struct ForestRow {
    /// The subject of the estimate: `seat 1`.
    pub label: String,
    /// The estimate with its interval; `None` where no game gave a value.
    pub interval: Option<Interval>,
    /// A remark behind the numbers: `shown higher`. May be empty.
    pub note: String,
}

impl Forest {
    /// The estimate and the interval of a row as text, with the decimals of the most precise row.
    fn numbers(&self, row: &ForestRow) -> (String, String) {
        let decimals = self.rows.iter().filter_map(|row| row.interval).filter(|interval| interval.half_width() > 0.0);
        let decimals = decimals.map(|interval| self.unit.decimals(&interval)).max().unwrap_or(0);
        let marks: Vec<f64> = self.reference.iter().map(|mark| mark.at).collect();
        match &row.interval {
            Some(interval) => {
                (self.unit.value(interval.estimate, decimals), self.unit.range_beside(interval, decimals, &marks))
            }
            None => (said(number::UNKNOWN).to_owned(), String::new()),
        }
    }
}

/// A histogram: the distribution of a value, under one ruleset or two.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The quantity that was measured: `Decisions in a game`.
    pub title: String,
    /// The unit of the quantity.
    pub unit: Unit,
    /// The bins, in rising order and without gaps.
    pub bins: Vec<Bin>,
    /// The number of games in each bin: one series, or two to compare. Each is as long as `bins`.
    pub series: Vec<HistogramSeries>,
    /// Values to mark, such as mean and median.
    pub marks: Vec<Mark>,
}

/// A bin of a histogram: the values from one number to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The smallest value in the bin. The first bin may also count smaller ones.
    pub least: f64,
    /// The largest value in the bin. The last bin may also count larger ones.
    pub most: f64,
    /// Whether smaller values are counted here too.
    pub is_first: bool,
    /// Whether larger values are counted here too.
    pub is_last: bool,
}

/// The counts of a histogram under one ruleset.
#[derive(Clone, Debug, PartialEq)]
pub struct HistogramSeries {
    /// The name of the ruleset: `with greenhorn`. Empty if there is only one.
    pub name: String,
    /// The number of games in each bin.
    pub counts: Vec<u64>,
}

/// A curve: an estimate at several steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The quantity that is estimated.
    pub title: String,
    /// The unit of the quantity.
    pub unit: Unit,
    /// What the steps are: `iterations of search`.
    pub steps_title: String,
    /// The names of the steps, drawn at equal distances.
    pub steps: Vec<String>,
    /// The lines of the curve; at most three can be told apart.
    pub series: Vec<CurveSeries>,
    /// A value to compare the estimates with.
    pub reference: Option<Mark>,
}

/// A line of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveSeries {
    /// The subject of the estimates. Empty if there is only one.
    pub name: String,
    /// The estimate at each step; `None` where it is unknown.
    pub points: Vec<Option<Interval>>,
}

/// A named value on an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The value.
    pub at: f64,
    /// The name: `mean`, `equal for all seats`.
    pub label: String,
}

/// Most bins of a histogram on a page: more would be too thin on a phone.
pub const MAX_PAGE_BINS: usize = 36;

impl Histogram {
    /// The histogram of values with their counts, in bins of equal, round width, about `most_bins` at most. A raw
    /// number is divided by `scale` to get the unit: 1000 for thousandths. All series are counted in the same bins. Up
    /// to a thousandth of the games at either end, which would make all bins wide, is counted in the first and last
    /// bin.
    pub fn of(title: &str, unit: Unit, scale: u64, most_bins: usize, series: &[(&str, &[(i64, u64)])]) -> Self {
        let scale = scale.max(1) as f64;
        let ends = series.iter().filter_map(|(_, counts)| Some((outer(counts.iter())?, outer(counts.iter().rev())?)));
        let ends = ends.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        let mut histogram =
            Self { title: title.to_owned(), unit, bins: Vec::new(), series: Vec::new(), marks: Vec::new() };
        let Some((least, most)) = ends.map(|(least, most)| (least as f64 / scale, most as f64 / scale)) else {
            return histogram;
        };
        let is_whole =
            series.iter().all(|(_, counts)| counts.iter().all(|(value, _)| (*value as f64 / scale).fract() == 0.0));
        let span = most - least + if is_whole { 1.0 } else { 0.0 };
        let step = number::step(span / most_bins.max(1) as f64).max(if is_whole { 1.0 } else { 0.0 });
        let step = if step > 0.0 { step } else { 1.0 };
        // Bins of a single number start there, wider ones at round numbers.
        let start = (least / step).floor() * step;
        let count = (((most - start) / step).floor() as usize + 1).min(most_bins.max(1) * 2);
        let gap = if is_whole { 1.0 } else { 0.0 };
        histogram.bins = (0..count)
            .map(|bin| {
                let least = start + bin as f64 * step;
                Bin { least, most: least + step - gap, is_first: false, is_last: false }
            })
            .collect();
        for (name, values) in series {
            let mut counts = vec![0u64; count];
            for (value, games) in *values {
                let place = (*value as f64 / scale - start) / step;
                let bin = (place.max(0.0) as usize).min(count - 1);
                if let Some(info) = histogram.bins.get_mut(bin) {
                    info.is_first |= place < 0.0;
                    info.is_last |= place >= count as f64;
                }
                if let Some(bin) = counts.get_mut(bin) {
                    *bin = bin.saturating_add(*games);
                }
            }
            histogram.series.push(HistogramSeries { name: (*name).to_owned(), counts });
        }
        histogram
    }
}

/// The first value before which at most a thousandth of the games lies.
fn outer<'a>(counts: impl Iterator<Item = &'a (i64, u64)> + Clone) -> Option<i64> {
    let games = counts.clone().fold(0u64, |games, (_, count)| games.saturating_add(*count));
    let mut beyond = 0u64;
    let mut counts = counts.filter(|(_, count)| *count > 0);
    counts
        .find(|(_, count)| {
            beyond = beyond.saturating_add(*count);
            beyond > games / 1000
        })
        .map(|(value, _)| *value)
}

/// An axis that covers some values: its ends, and the ticks at round numbers.
#[derive(Clone, Debug, PartialEq)]
struct Axis {
    low: f64,
    high: f64,
    ticks: Vec<f64>,
}

impl Axis {
    /// An axis over the finite ones of some values. If all are equal, it extends a little to both sides.
    fn over(values: impl IntoIterator<Item = f64>, ticks: u32) -> Self {
        let ends = values.into_iter().filter(|value| value.is_finite());
        let ends = ends.map(|value| (value, value)).reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        let (least, most) = ends.unwrap_or((0.0, 1.0));
        let spread = if most > least { most - least } else { least.abs().max(1.0) * 0.1 };
        let step = number::step(spread / f64::from(ticks.max(1)));
        let low = (least / step).floor() * step;
        let count = ((most - low) / step).ceil().clamp(1.0, 100.0) as usize;
        let count = if most == least { count + 1 } else { count };
        let ticks: Vec<f64> = (0..=count).map(|tick| low + tick as f64 * step).collect();
        Self { low, high: low + count as f64 * step, ticks }
    }

    /// The position of a value, from 0 at the low end to 1 at the high end; values outside are clamped.
    fn place(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// The number of decimals that distinguishes the ticks.
    fn decimals(&self, unit: &Unit) -> usize {
        let step = self.ticks.get(1).zip(self.ticks.first()).map_or(1.0, |(second, first)| second - first);
        number::decimals_for(step * unit.factor())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(counts: &[(i64, u64)]) -> Vec<(f64, f64, u64)> {
        let histogram = Histogram::of("", Unit::number(""), 1, MAX_PAGE_BINS, &[("", counts)]);
        let games = histogram.series.iter().flat_map(|series| &series.counts);
        histogram.bins.iter().zip(games).map(|(bin, count)| (bin.least, bin.most, *count)).collect()
    }

    #[test]
    fn few_whole_values_have_a_bin_each_and_many_share_round_ones() {
        assert_eq!(of(&[(3, 5), (5, 1)]), [(3.0, 3.0, 5), (4.0, 4.0, 0), (5.0, 5.0, 1)]);
        assert_eq!(of(&[(7, 9)]), [(7.0, 7.0, 9)]);
        let wide: Vec<(i64, u64)> = (37..=301).map(|value| (value, 1)).collect();
        let bins = of(&wide);
        assert_eq!((bins[0], bins[1], bins.len()), ((30.0, 39.0, 3), (40.0, 49.0, 10), 28));
        assert_eq!(bins.iter().map(|(_, _, count)| count).sum::<u64>(), 265);
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[(i64::MIN, 1), (i64::MAX, 1)]).iter().map(|(_, _, count)| count).sum::<u64>(), 2);
    }

    #[test]
    fn outliers_are_counted_in_the_last_bin() {
        let mut counts: Vec<(i64, u64)> = (1..=10).map(|value| (value, 1000)).collect();
        counts.push((100_000, 3));
        let histogram = Histogram::of("", Unit::number(""), 1, MAX_PAGE_BINS, &[("", &counts)]);
        assert_eq!(histogram.bins.len(), 10);
        assert_eq!(histogram.series[0].counts[9], 1003);
        assert!(histogram.bins[9].is_last && !histogram.bins[0].is_first);
    }

    #[test]
    fn an_axis_shows_all_at_round_numbers() {
        assert_eq!(Axis::over([0.23, 0.31], 4).ticks.len(), 6);
        let one = Axis::over([5.0], 4);
        assert!(one.low <= 5.0 && one.high > 5.0, "{one:?}");
        let none = Axis::over([f64::NAN, f64::INFINITY], 4);
        assert_eq!((none.low, none.place(f64::INFINITY)), (0.0, 1.0));
    }
}
