//! Metrics: what the rules measure of themselves, with `metric`.

use crate::diagnostic::message;
use crate::table::event::EventData;
use crate::table::{Fault, Table};
use std::sync::Arc;

/// Most measures of different names in one game.
const MAX_METRICS: usize = 64;

/// Most characters of the name of a measure.
const MAX_METRIC_NAME: usize = 40;

/// The names of figures that every game has, as they are compared: small letters, and `-` for blanks.
pub const MEASURES: [&str; 26] = [
    "win",
    "wins",
    "score",
    "ties",
    "winning-score",
    "margin",
    "close",
    "close-finishes",
    "decisions",
    "turns",
    "rounds",
    "minutes",
    "options",
    "options-a-decision",
    "choices",
    "options-a-choice",
    "forced",
    "forced-decisions",
    "lead-changes",
    "comebacks",
    "drama",
    "decided",
    "decided-early",
    "own-decisions",
    "seat-spread",
    "order-spread",
];

/// Whether a name is that of a figure which every game has, so that a metric of this name appears as `metric.NAME`.
pub fn is_name_of_measure(name: &str) -> bool {
    let own = name.to_lowercase().replace(' ', "-");
    // `p1.win` is the figure of a seat, and `order1.win` that of who begins.
    let is_of_one = |text: &str| {
        let number = text.strip_prefix("order").or_else(|| text.strip_prefix('p'));
        number.is_some_and(|number| number.parse::<u8>().is_ok())
    };
    let of_seat = own.split_once('.').filter(|(seat, _)| is_of_one(seat));
    let bare = of_seat.map_or(&*own, |(_, bare)| bare);
    MEASURES.contains(&bare) || own.starts_with("metric.")
}

/// The measurements under one name in one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metric {
    pub name: Arc<str>,
    /// Number of measurements.
    pub count: u64,
    /// The exact sum of the measurements, which is the game's figure.
    pub sum: i128,
}

impl Table {
    /// The metrics of this run so far, in the order in which their names came up. A copy of the run continues them.
    pub fn metrics(&self) -> &[Metric] {
        &self.record.metrics
    }

    /// Adds a measurement of the rules.
    ///
    /// # Errors
    /// The name cannot stand in a table of figures; too many names; too many changes in one game.
    pub fn measure(&mut self, name: &str, value: i64) -> Result<(), Fault> {
        let known = self.record.metrics.iter_mut().find(|metric| *metric.name == *name);
        let name = match known {
            Some(metric) => {
                metric.count += 1;
                metric.sum += i128::from(value);
                metric.name.clone()
            }
            None => self.new_metric(name, value)?,
        };
        self.record_open_event(|| EventData::Metric { name, value })
    }

    /// Checks that rules may measure under a name.
    ///
    /// # Errors
    /// The name could not stand in a table of figures.
    pub fn expect_metric_name(name: &str) -> Result<(), Fault> {
        let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
        let length = name.chars().count();
        if length > 0 && length <= MAX_METRIC_NAME && name.chars().all(is_name) {
            return Ok(());
        }
        let shown: String = name.chars().take(MAX_METRIC_NAME).collect();
        Err(Fault::rule(message!("{shown:?} cannot be the name of a metric"))
            .help(message!("use letters, digits, `-`, `_` and `.`, at most {MAX_METRIC_NAME} of them")))
    }

    fn new_metric(&mut self, name: &str, value: i64) -> Result<Arc<str>, Fault> {
        Self::expect_metric_name(name)?;
        if self.record.metrics.len() == MAX_METRICS {
            return Err(Fault::rule(message!("more than {MAX_METRICS} metrics in one game"))
                .help("give one name to what you want to see as one figure"));
        }
        let name: Arc<str> = name.into();
        self.record.metrics.push(Metric { name: name.clone(), count: 1, sum: i128::from(value) });
        Ok(name)
    }
}
