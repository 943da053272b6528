//! Goals of a designer for a game, as bounds on figures: `seat-spread < 2%`.

use super::measures::{Column, Unit, columns};
use super::report::{Figure, SimReport};
use super::statistics::Interval;
use crate::diagnostic::{Diagnostic, Diagnostics, Message, message, unknown};
use crate::table::value::{Seat, Seats};
use std::fmt;
use std::str::FromStr;

/// The figure for the difference in wins between the best and the worst seat.
pub const SEAT_SPREAD: &str = "seat-spread";

/// The figure for the difference in wins between the best and the worst place in the order of play.
pub const ORDER_SPREAD: &str = "order-spread";

/// A bound on a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The id of the figure: `minutes`, `p1.win`, `order1.win`, `seat-spread`, or a metric that the rules define.
    pub figure: String,
    /// Whether the figure should be below the value, rather than above.
    below: bool,
    /// Whether the figure may equal the value.
    or_equal: bool,
    /// The value; shares and percentages are from 0 to 1.
    pub value: f64,
    /// Whether the value was given as a percentage.
    is_percentage: bool,
    /// The goal as it was typed.
    text: String,
}

/// The status of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GoalStatus {
    /// Statistically shown to be met.
    Met,
    /// Not decided by the games so far.
    Open,
    /// Statistically shown not to be met.
    Missed,
}

impl GoalStatus {
    /// The status in words, for files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Open => "not known yet",
            Self::Missed => "missed",
        }
    }
}

impl FromStr for Goal {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        let place = text.find(['<', '>']).ok_or("a goal is a measure, `<` or `>`, and a number: `seat-spread < 2%`")?;
        let (figure, rest) = text.split_at(place);
        let (below, or_equal) = (rest.starts_with('<'), rest[1..].starts_with('='));
        let number = rest[1 + usize::from(or_equal)..].trim();
        let (digits, factor) = match number.strip_suffix('%') {
            Some(digits) => (digits.trim(), 0.01),
            None => (number, 1.0),
        };
        let value: f64 = digits.parse().map_err(|_| message!("`{number}` is not a number: `seat-spread < 2%`"))?;
        // People write `seat spread`, too.
        let figure = figure.trim().to_lowercase().replace(' ', "-");
        if figure.is_empty() || !value.is_finite() {
            return Err("a goal is a measure, `<` or `>`, and a number: `seat-spread < 2%`".into());
        }
        Ok(Self {
            figure,
            below,
            or_equal,
            value: value * factor,
            is_percentage: factor != 1.0,
            text: text.trim().to_owned(),
        })
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Goal {
    /// Rejects a goal whose figure does not exist for this number of seats. Metrics of the rules are unknown before
    /// games are played, so an unknown name counts as a metric unless it is close to a measure.
    ///
    /// # Errors
    /// The name is unknown but close to that of a measure.
    pub fn check(&self, seats: usize) -> Result<(), Diagnostics> {
        let columns = columns(Seats::all(seats));
        let of_place = |column: &Column| column.seat.map(|seat| column.id_of_place(seat.number()));
        let found = columns.iter().find(|column| {
            self.means(&column.id(), column.measure.name, column.seat)
                || of_place(column).is_some_and(|id| self.figure == id)
        });
        let is_share =
            self.is_spread() || found.is_some_and(|column| matches!(column.measure.unit, Unit::Share | Unit::Percent));
        if is_share && !self.is_percentage && self.value.abs() > 1.0 {
            let error =
                Diagnostic::new(message!("`{}` is a share: {} would be more than all", self.figure, self.value));
            return Err(error.help(message!("write `{}%`", self.text)).into());
        }
        if found.is_some() {
            return Ok(());
        }
        let known: Vec<String> = columns.iter().map(Column::id).chain(columns.iter().filter_map(of_place)).collect();
        let known = || known.iter().map(String::as_str).chain([SEAT_SPREAD, ORDER_SPREAD]);
        let error: Diagnostic = unknown("measure", &self.figure, known());
        if known().any(|known| known == self.figure) || crate::diagnostic::did_you_mean(&self.figure, known()).is_none()
        {
            return Ok(());
        }
        Err(error.into())
    }

    /// The figure that the goal is about, with its anytime-valid interval.
    pub fn interval(&self, report: &SimReport) -> Option<(Interval, Unit)> {
        if self.figure == SEAT_SPREAD {
            return Some((report.seat_spread_anytime?, Unit::Share));
        }
        let of_order = report.order.as_ref();
        if self.figure == ORDER_SPREAD {
            return Some((of_order?.spread_anytime?, Unit::Share));
        }
        if let Some(figure) = of_order.and_then(|order| order.figures.iter().find(|one| one.id == self.figure)) {
            return Some((figure.anytime, figure.unit));
        }
        let is_meant = |figure: &&Figure| self.means(&figure.id, &figure.name, figure.seat);
        let own = || report.metrics.iter().find(|figure| self.means_own(figure));
        let figure = report.figures.iter().find(is_meant).or_else(own).cloned();
        // A metric that the rules never recorded is 0 in every game.
        let figure = figure.or_else(|| report.metric(&self.figure))?;
        Some((figure.anytime, figure.unit))
    }

    /// Whether the goal is about the difference between the best and the worst.
    fn is_spread(&self) -> bool {
        [SEAT_SPREAD, ORDER_SPREAD].contains(&&*self.figure)
    }

    /// Whether the goal names this figure, by its id or by its name in tables.
    fn means(&self, id: &str, name: &str, seat: Option<Seat>) -> bool {
        let name = name.to_lowercase().replace(' ', "-");
        let in_tables = seat.map_or_else(|| name.clone(), |seat| format!("{seat}-{name}"));
        self.figure == id.to_lowercase() || self.figure == in_tables
    }

    /// Whether the goal names this metric of the rules, with or without the prefix `metric.`.
    fn means_own(&self, figure: &Figure) -> bool {
        let own = self.figure.strip_prefix("metric.");
        self.means(&figure.id, &figure.name, None) || own.is_some_and(|own| own == figure.name.to_lowercase())
    }

    /// Whether no report has the goal's figure.
    pub fn is_never_measured<'a>(&self, reports: impl IntoIterator<Item = &'a SimReport>) -> bool {
        !self.is_spread()
            && !reports.into_iter().any(|report| {
                report.figures.iter().any(|figure| self.means(&figure.id, &figure.name, figure.seat))
                    || report.metrics.iter().any(|figure| self.means_own(figure))
                    || report.order.iter().flat_map(|order| &order.figures).any(|figure| figure.id == self.figure)
            })
    }

    /// The status of the goal by the games of a report.
    pub fn standing(&self, report: &SimReport) -> GoalStatus {
        let Some((interval, _)) = self.interval(report) else { return GoalStatus::Open };
        let Interval { low, high, .. } = interval;
        let is_good = |end: f64| match (self.below, self.or_equal) {
            (true, false) => end < self.value,
            (true, true) => end <= self.value,
            (false, false) => end > self.value,
            (false, true) => end >= self.value,
        };
        match (is_good(low), is_good(high)) {
            (true, true) => GoalStatus::Met,
            (false, false) => GoalStatus::Missed,
            _ => GoalStatus::Open,
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
        assert!(check("close finishes > 10%").is_ok() && check("p1 wins < 0.5").is_ok());
        assert!(check("ties < 10").unwrap_err().to_string().contains("write `ties < 10%`"));
        assert!(check("p3.win < 50%").is_ok() && check("tokens_left > 2").is_ok());
    }
}
