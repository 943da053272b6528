//! What a designer wants of a game, in figures: `seat-spread < 2%`.

use super::measures::{Unit, columns};
use super::report::SimReport;
use super::statistics::Interval;
use crate::diagnostic::{Diagnostic, Diagnostics, unknown};
use crate::table::value::Seats;
use std::fmt;
use std::str::FromStr;

/// The difference between the seat that wins most and the one that wins least, beside the measures.
pub const SEAT_SPREAD: &str = "seat-spread";

/// A figure, and on which side of a value it should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The id of the figure: `minutes`, `p1.win`, `seat-spread`, or a name that the rules measure themselves.
    pub figure: String,
    /// Whether it should be below the value, rather than above.
    below: bool,
    /// Whether the value itself is as good.
    or_equal: bool,
    /// The value; shares and percentages from 0 to 1.
    pub value: f64,
    /// As it was given.
    text: String,
}

/// Whether a goal is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It is shown to be met.
    Met,
    /// Nobody can tell yet.
    Open,
    /// It is shown not to be met.
    Missed,
}

impl Standing {
    /// In a word, for files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Open => "not known yet",
            Self::Missed => "missed",
        }
    }
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let place = text.find(['<', '>']).ok_or("a goal is a measure, `<` or `>`, and a number: `seat-spread < 2%`")?;
        let (figure, rest) = text.split_at(place);
        let (below, or_equal) = (rest.starts_with('<'), rest[1..].starts_with('='));
        let number = rest[1 + usize::from(or_equal)..].trim();
        let (digits, factor) = match number.strip_suffix('%') {
            Some(digits) => (digits.trim(), 0.01),
            None => (number, 1.0),
        };
        let value: f64 = digits.parse().map_err(|_| format!("`{number}` is not a number: `seat-spread < 2%`"))?;
        // As people say it: `seat spread`.
        let figure = figure.trim().to_lowercase().replace(' ', "-");
        if figure.is_empty() || !value.is_finite() {
            return Err("a goal is a measure, `<` or `>`, and a number: `seat-spread < 2%`".to_owned());
        }
        Ok(Self { figure, below, or_equal, value: value * factor, text: text.trim().to_owned() })
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Goal {
    /// Refuses a goal whose measure no game with these seats has. What rules measure themselves shows only when it is
    /// measured, so a name without a near one is taken for that.
    ///
    /// # Errors
    /// The name is near that of a measure, and none.
    pub fn check(&self, seats: usize) -> Result<(), Diagnostics> {
        let known: Vec<String> = columns(Seats::all(seats)).iter().map(|column| column.id()).collect();
        let known = || known.iter().map(String::as_str).chain([SEAT_SPREAD]);
        let error: Diagnostic = unknown("measure", &self.figure, known());
        if known().any(|known| known == self.figure) || crate::diagnostic::did_you_mean(&self.figure, known()).is_none() {
            return Ok(());
        }
        Err(error.into())
    }

    /// The figure of a report that the goal is about, by an interval that holds however often one looks.
    pub fn interval(&self, report: &SimReport) -> Option<(Interval, Unit)> {
        if self.figure == SEAT_SPREAD {
            return Some((report.seat_spread_anytime?, Unit::Share));
        }
        let figure = report.figure(&self.figure)?;
        Some((figure.anytime, figure.unit))
    }

    /// Whether the games show that the goal is met, or that it is not.
    pub fn standing(&self, report: &SimReport) -> Standing {
        let Some((interval, _)) = self.interval(report) else { return Standing::Open };
        let Interval { low, high, .. } = interval;
        let is_good = |end: f64| match (self.below, self.or_equal) {
            (true, false) => end < self.value,
            (true, true) => end <= self.value,
            (false, false) => end > self.value,
            (false, true) => end >= self.value,
        };
        match (is_good(low), is_good(high)) {
            (true, true) => Standing::Met,
            (false, false) => Standing::Missed,
            _ => Standing::Open,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read_as_people_write_them() {
        let goal: Goal = "Seat spread < 2%".parse().unwrap();
        assert_eq!((goal.figure.as_str(), goal.value, goal.below, goal.or_equal), ("seat-spread", 0.02, true, false));
        let goal: Goal = "minutes>=20.5".parse().unwrap();
        assert_eq!((goal.figure.as_str(), goal.value, goal.below, goal.or_equal), ("minutes", 20.5, false, true));
        for nonsense in ["minutes", "minutes < ", "< 3", "minutes < many", "minutes < inf"] {
            assert!(nonsense.parse::<Goal>().is_err(), "{nonsense}");
        }
    }

    #[test]
    fn a_misspelt_measure_is_refused_and_one_of_the_rules_is_not() {
        let check = |text: &str| text.parse::<Goal>().unwrap().check(3);
        assert!(check("minuts < 3").unwrap_err().to_string().contains("did you mean `minutes`?"));
        assert!(check("p3.win < 50%").is_ok() && check("tokens_left > 2").is_ok());
    }
}
