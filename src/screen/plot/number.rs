//! Numbers for people, with only meaningful digits.

use crate::catalogue::{said, say};
use crate::lab::measures::Unit as Measured;
use crate::lab::statistics::Interval;

/// The unit of a measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    is_share: bool,
    name: String,
}

/// The text for an unknown number.
pub const UNKNOWN: &str = "not known";

/// The maximum number of decimals shown.
pub(in crate::screen) const MAX_DECIMALS: usize = 4;

/// The maximum number of decimals shown to distinguish a value from one that it does not reach.
const MAX_DISTINGUISHING_DECIMALS: usize = 9;

impl From<Measured> for Unit {
    fn from(unit: Measured) -> Self {
        match unit {
            Measured::Share | Measured::Percent => Self::share(),
            Measured::Number => Self::number(""),
            Measured::Points => Self::number(said("points")),
            Measured::Minutes => Self::number(said("minutes")),
        }
    }
}

impl Unit {
    /// The unit of differences between values of a measure.
    pub fn of_differences(unit: Measured) -> Self {
        match unit {
            Measured::Share | Measured::Percent => Self::share_points(),
            _ => Self::from(unit),
        }
    }

    /// A share from 0 to 1, shown as 0 % to 100 %.
    pub fn share() -> Self {
        Self { is_share: true, name: "%".to_owned() }
    }

    /// A difference of shares, shown in percentage points.
    pub fn share_points() -> Self {
        Self { is_share: true, name: "pp".to_owned() }
    }

    /// A plain number with a unit name that may be empty: `points`, `decisions`.
    pub fn number(name: &str) -> Self {
        Self { is_share: false, name: name.to_owned() }
    }

    /// The name of the unit, such as `%` or `decisions`; may be empty.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn factor(&self) -> f64 {
        if self.is_share { 100.0 } else { 1.0 }
    }

    /// A value with its unit, rounded to `decimals`.
    pub fn value(&self, value: f64, decimals: usize) -> String {
        let text = number(value * self.factor(), decimals);
        if self.name.is_empty() || !value.is_finite() { text } else { format!("{text} {}", self.name) }
    }

    /// A value without the name of the unit, rounded to `decimals`.
    pub fn bare(&self, value: f64, decimals: usize) -> String {
        number(value * self.factor(), decimals)
    }

    /// The number of meaningful decimals of an estimate: up to the first digit of half its interval.
    pub fn decimals(&self, interval: &Interval) -> usize {
        let half = interval.half_width() * self.factor();
        decimals_for(if half.is_finite() { half } else { interval.estimate * self.factor() / 10.0 }).min(MAX_DECIMALS)
    }

    /// An estimate with meaningful decimals: `52.1 %`.
    pub fn estimate(&self, interval: &Interval) -> String {
        self.value(interval.estimate, self.decimals(interval))
    }

    /// The ends of an interval with meaningful decimals: `51.2 to 53.0`.
    pub fn range(&self, interval: &Interval) -> String {
        self.range_beside(interval, self.decimals(interval), &[])
    }

    /// The ends of an interval with at least `decimals`, so that several can be aligned; with more where an end would
    /// otherwise look equal to 0, to 100 % or to one of `marks`, and is not.
    pub fn range_beside(&self, interval: &Interval, decimals: usize, marks: &[f64]) -> String {
        let whole = (self.name == "%").then_some(1.0);
        let marks: Vec<f64> =
            marks.iter().copied().chain([0.0]).chain(whole).map(|mark| mark * self.factor()).collect();
        let [low, high] = [interval.low, interval.high]
            .map(|end| self.bare(end, decimals_beside(end * self.factor(), &marks, decimals)));
        match (interval.low.is_finite(), interval.high.is_finite()) {
            (false, false) => said(UNKNOWN).to_owned(),
            (true, false) => say!("{low} or more"),
            (false, true) => say!("{high} or less"),
            (true, true) => format!("{low} to {high}"),
        }
    }
}

/// A rounded number with `,` between thousands and a true minus sign: `−12,345.6`.
pub fn number(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return match value {
            f64::INFINITY => "∞".to_owned(),
            f64::NEG_INFINITY => "−∞".to_owned(),
            _ => said(UNKNOWN).to_owned(),
        };
    }
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) =
        text.split_once('.').map_or((&*text, String::new()), |(whole, rest)| (whole, format!(".{rest}")));
    let is_zero = text.chars().all(|digit| matches!(digit, '0' | '.'));
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    format!("{sign}{}{rest}", grouped(whole))
}

/// A whole number with `,` between thousands.
pub fn count(value: u64) -> String {
    grouped(&value.to_string())
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The smallest of 1, 2, 5, 10, 20, … (and 0.5, 0.2, 0.1, …) that is not below `least`.
pub(super) fn step(least: f64) -> f64 {
    if !least.is_finite() || least <= 0.0 {
        return 1.0;
    }
    let mut power = 1.0;
    while power < least && power < 1e300 {
        power *= 10.0;
    }
    while power / 10.0 >= least && power > 1e-300 {
        power /= 10.0;
    }
    let smaller = [power / 5.0, power / 2.0];
    smaller.into_iter().find(|step| *step >= least).unwrap_or(power)
}

/// The number of decimals that distinguishes multiples of `step`.
pub(in crate::screen) fn decimals_for(step: f64) -> usize {
    let mut size = step.abs();
    let mut decimals = 0;
    // A decimal is enough once a step is at least one unit of it, apart from rounding.
    while size < 0.999_999 && size > 0.0 && decimals < 9 {
        size *= 10.0;
        decimals += 1;
    }
    decimals
}

/// The number of decimals, at least `decimals`, that distinguishes a number from all marks that it does not equal.
pub(in crate::screen) fn decimals_beside(value: f64, marks: &[f64], decimals: usize) -> usize {
    // Sums of equal parts differ by rounding.
    let is_other = |mark: f64| (value - mark).abs() > 1e-12 * mark.abs();
    let looks_alike = |decimals: usize| {
        let text = number(value, decimals);
        marks.iter().any(|mark| is_other(*mark) && number(*mark, decimals) == text)
    };
    (decimals..MAX_DISTINGUISHING_DECIMALS)
        .find(|decimals| !looks_alike(*decimals))
        .unwrap_or(MAX_DISTINGUISHING_DECIMALS)
}

/// The number of decimals, at least `least`, that distinguishes a mark from the ends of the intervals compared with it.
pub(in crate::screen) fn decimals_of_mark<'a>(
    mark: f64,
    intervals: impl IntoIterator<Item = &'a Interval>,
    unit: &Unit,
    least: usize,
) -> usize {
    let ends = intervals.into_iter().flat_map(|interval| [interval.low, interval.high]);
    let needed = ends.map(|end| decimals_beside(end * unit.factor(), &[mark * unit.factor()], least));
    needed.max().unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_an_interval_shows_on_which_side_of_a_mark_it_lies() {
        let interval = |low: f64, high: f64| Interval { estimate: (low + high) / 2.0, low, high };
        let points = Unit::number("points");
        assert_eq!(points.range(&interval(0.03, 2.4)), "0.03 to 2");
        assert_eq!(points.range(&interval(-0.0004, 2.4)), "−0.0004 to 2");
        assert_eq!(points.range(&interval(0.0, 2.4)), "0 to 2");
        assert_eq!(Unit::share().range(&interval(0.9, 0.9996)), "90 to 99.96");
        let share = Unit::share();
        assert_eq!(share.range_beside(&interval(0.334, 0.4), 0, &[1.0 / 3.0]), "33.4 to 40");
        assert_eq!(share.range_beside(&interval(1.0 / 3.0, 0.4), 0, &[1.0 - 2.0 / 3.0]), "33 to 40");
        assert_eq!(share.range_beside(&interval(0.1, 0.39996), 0, &[0.4]), "10 to 39.996");
        assert_eq!(decimals_of_mark(1.0 / 3.0, [&interval(0.331, 0.4)], &share, 0), 1);
        assert_eq!(decimals_of_mark(1.0 / 3.0, [&interval(0.3, 0.4)], &share, 0), 0);
    }

    #[test]
    fn numbers_are_written_as_people_read_them() {
        assert_eq!(number(-12345.64, 1), "−12,345.6");
        assert_eq!(number(-0.04, 1), "0.0");
        assert_eq!(number(999.0, 0), "999");
        assert_eq!((number(f64::NEG_INFINITY, 2), number(f64::NAN, 2)), ("−∞".to_owned(), UNKNOWN.to_owned()));
        assert_eq!(count(1_000_000), "1,000,000");
    }

    #[test]
    fn an_interval_has_as_many_digits_as_it_is_precise() {
        let interval = |estimate: f64, half: f64| Interval { estimate, low: estimate - half, high: estimate + half };
        let share = Unit::share();
        assert_eq!(share.estimate(&interval(0.52134, 0.0098)), "52.1 %");
        assert_eq!(share.range(&interval(0.52134, 0.0098)), "51.2 to 53.1");
        assert_eq!(share.estimate(&interval(0.52134, 0.1)), "52 %");
        let points = Unit::number("points");
        assert_eq!(points.estimate(&interval(-1234.6, 77.0)), "−1,235 points");
        assert_eq!(points.range(&interval(20.0, f64::INFINITY)), UNKNOWN);
        assert_eq!(points.range(&Interval { estimate: 2.0, low: 1.0, high: f64::INFINITY }), "1.0 or more");
        assert_eq!(points.estimate(&interval(20.0, 0.0)), "20 points");
    }

    #[test]
    fn steps_are_round() {
        for (least, expected) in
            [(0.7, 1.0), (1.0, 1.0), (1.1, 2.0), (3.0, 5.0), (6.0, 10.0), (0.03, 0.05), (150.0, 200.0), (0.0, 1.0)]
        {
            assert!((step(least) / expected - 1.0).abs() < 1e-9, "{least}: {}", step(least));
        }
        assert_eq!([1.0, 0.5, 0.2, 0.05, 20.0, 0.0].map(decimals_for), [0, 1, 1, 2, 0, 0]);
    }
}
