//! Numbers with what is known of them, bars of text, and tables.

use super::style::Line;
use crate::lab::measures::Unit;
use crate::lab::statistics::Interval;

/// Heights of the bars of a sparkline.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Between two columns.
const GAP: usize = 2;

/// Between what the truth lies.
pub(super) fn range(interval: &Interval, unit: Unit) -> String {
    if !interval.half_width().is_finite() {
        return "not known".to_owned();
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
    let (value, precision) = (value * factor, precision * factor);
    let decimals = if precision.is_finite() && precision > 0.0 { (-precision.log10()).ceil().clamp(0.0, 4.0) } else { 0.0 };
    let text = format!("{value:.*}", decimals as usize);
    // There is no zero below zero.
    let text = if text.trim_start_matches('-').chars().all(|digit| matches!(digit, '0' | '.')) { text.trim_start_matches('-').to_owned() } else { text };
    format!("{}{sign}", text.replace('-', "−"))
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

/// `12,345`
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `12,345 games`
pub(super) fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// Bars of text, so many at most: as high as the numbers, the highest a whole line; nothing for nothing. Where there are
/// more numbers, neighbours share a bar.
pub(super) fn sparkline(numbers: &[u64], most_bars: usize) -> String {
    let shared = numbers.len().div_ceil(most_bars.max(1)).max(1);
    let numbers: Vec<u64> = numbers.chunks(shared).map(|some| some.iter().sum()).collect();
    let most = numbers.iter().max().copied().unwrap_or(0).max(1);
    let bar = |number: &u64| match number {
        0 => ' ',
        number => {
            let eighth = (u128::from(*number) * 8).div_ceil(u128::from(most)).clamp(1, 8) - 1;
            BARS.get(eighth as usize).copied().unwrap_or('█')
        }
    };
    numbers.iter().map(bar).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_many_decimals_as_are_known() {
        assert_eq!(number(0.331_2, Unit::Share, 0.009), "33.1 %");
        assert_eq!(number(12.345, Unit::Points, 0.13), "12.3");
        assert_eq!(number(-0.001, Unit::Points, 0.13), "0.0");
        assert_eq!(number(-2.0, Unit::Points, 3.0), "−2");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }

    #[test]
    fn what_happened_is_seen_however_seldom() {
        assert_eq!(sparkline(&[0, 1, 500, 1_000], 8), " ▁▄█");
        assert_eq!(sparkline(&[], 8), "");
        assert_eq!(sparkline(&[1, 1, 4, 4, 1], 3), "▂█▁");
    }
}
