//! Figures in a line and in tables of text.

use super::plot::number::{self, MOST_DECIMALS, UNKNOWN, decimals_for};
use super::style::Line;
use crate::lab::measures::Unit;
use crate::lab::statistics::Interval;

/// Between two columns.
const GAP: usize = 2;

/// Between what the truth lies.
pub(super) fn range(interval: &Interval, unit: Unit) -> String {
    if !interval.half_width().is_finite() {
        return UNKNOWN.to_owned();
    }
    let [low, high] = [interval.low, interval.high].map(|end| number(end, unit, interval.half_width()));
    format!("{} to {high}", low.trim_end_matches(" %"))
}

/// A value with as many decimals as its precision has a meaning for.
pub(super) fn number(value: f64, unit: Unit, precision: f64) -> String {
    let (factor, sign) = match unit {
        Unit::Share | Unit::Percent => (100.0, " %"),
        Unit::Number | Unit::Points | Unit::Minutes => (1.0, ""),
    };
    let decimals = if precision.is_finite() { decimals_for(precision * factor).min(MOST_DECIMALS) } else { 0 };
    format!("{}{sign}", number::number(value * factor, decimals))
}

/// How exactly a number has to be told that is known exactly.
pub(super) fn exactness(value: f64) -> f64 {
    if value.fract() == 0.0 { 1.0 } else { 0.01 }
}

/// A share as a whole percentage, or more exactly where it is small.
pub(super) fn percent(share: f64) -> String {
    let precision = if share > 0.0 && share < 0.01 { 0.000_1 } else { 0.01 };
    number(share, Unit::Share, precision)
}

/// `12,345 games`
pub(super) fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", number::count(number), if number == 1 { "" } else { "s" })
}

/// The cells of a row.
pub(super) struct Row(pub Vec<Line>);

impl Row {
    /// Names of columns.
    pub(super) fn head<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        Self(words.into_iter().map(Line::faint).collect())
    }
}

/// Cells below each other: numbers to the right, and words, in the columns that are named, to the left.
pub(super) fn table(rows: Vec<Row>, of_words: &[usize]) -> Vec<Line> {
    let count = rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count)
        .map(|column| rows.iter().filter_map(|row| row.0.get(column)).map(Line::width).max().unwrap_or(0))
        .collect();
    let line = |row: Row| {
        let mut line = Line::default();
        for (column, (cell, wide)) in row.0.into_iter().zip(&widths).enumerate() {
            if column > 0 {
                line.blanks(GAP);
            }
            line.append(if of_words.contains(&column) { cell.padded(*wide) } else { cell.right(*wide) });
        }
        line.trim_end();
        line
    };
    rows.into_iter().map(line).collect()
}

/// A [`table`] within so many columns: what does not fit beside the first column stands in tables of its own below, so
/// that nothing is lost.
pub(super) fn folded(rows: Vec<Row>, of_words: &[usize], columns: usize) -> Vec<Line> {
    let count = rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
    let wide = |column: usize| rows.iter().filter_map(|row| row.0.get(column)).map(Line::width).max().unwrap_or(0);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut width = usize::MAX;
    for column in 1..count {
        let needed = GAP + wide(column);
        if width.saturating_add(needed) > columns {
            groups.push(vec![0]);
            width = wide(0);
        }
        if let Some(group) = groups.last_mut() {
            group.push(column);
        }
        width += needed;
    }
    if groups.len() < 2 {
        return table(rows, of_words);
    }
    let mut lines = Vec::new();
    for group in groups {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        let cells = |row: &Row| Row(group.iter().filter_map(|column| row.0.get(*column).cloned()).collect());
        let of_words: Vec<usize> = (0..group.len()).filter(|place| of_words.contains(&group[*place])).collect();
        lines.extend(table(rows.iter().map(cells).collect(), &of_words));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_many_decimals_as_are_known() {
        assert_eq!(number(0.331_2, Unit::Share, 0.009), "33.1 %");
        assert_eq!(number(12.345, Unit::Points, 0.13), "12.3");
        assert_eq!(number(-0.001, Unit::Points, 0.13), "0.0");
        assert_eq!(number(-2.0, Unit::Points, 3.0), "−2");
    }

    #[test]
    fn what_does_not_fit_stands_below() {
        let rows = || {
            let cells = |words: [&str; 4]| Row(words.iter().map(|word| Line::plain(*word)).collect());
            vec![cells(["", "first", "second", "third"]), cells(["a name", "1", "2", "3"])]
        };
        let told = |columns: usize| folded(rows(), &[0], columns).iter().map(Line::text).collect::<Vec<_>>();
        assert_eq!(told(28), ["        first  second  third", "a name      1       2      3"]);
        assert_eq!(told(27), ["        first  second", "a name      1       2", "", "        third", "a name      3"]);
        assert_eq!(told(3).len(), 8, "one beside each other at least");
    }
}
