//! Numbers and intervals as text, and tables of them.

use super::plot::number::{self, MAX_DECIMALS, UNKNOWN, decimals_beside, decimals_for};
use super::style::Line;
use crate::catalogue::{Message, said, say};
use crate::lab::measures::{MEASURES, Unit};
use crate::lab::statistics::Interval;

/// The space between two columns.
const GAP: usize = 2;

/// The minimum width of a column of words.
const MIN_WORD_COLUMNS: usize = 24;

/// The interval of a value that was the same in every game, or just `in every game`: a finite interval says little
/// after few games, except for a share.
pub(super) fn range_of_same(interval: &Interval, unit: Unit) -> String {
    let is_told = unit != Unit::Share && interval.half_width().is_finite();
    if is_told { said("in every game").to_owned() } else { range(interval, unit) }
}

/// An interval in words: `1.2 to 3.4`.
pub(super) fn range(interval: &Interval, unit: Unit) -> String {
    range_beside(interval, unit, &[])
}

/// An interval in words, with enough decimals to show on which side of some marks its ends lie.
pub(super) fn range_beside(interval: &Interval, unit: Unit, marks: &[f64]) -> String {
    let [low, high] = [interval.low, interval.high].map(|end| end_of(end, interval, unit, marks));
    match (interval.low.is_finite(), interval.high.is_finite()) {
        (true, true) => say!("{} to {}", low.trim_end_matches(" %"), high),
        (true, false) => say!("{low} or more"),
        (false, true) => say!("{high} or less"),
        (false, false) => said(UNKNOWN).to_owned(),
    }
}

/// The precision for showing an estimate: half its interval, the distance of the only finite end, or a tenth of the
/// value.
pub(super) fn precision(interval: &Interval) -> f64 {
    let (below, above) = (interval.estimate - interval.low, interval.high - interval.estimate);
    match (below.is_finite(), above.is_finite()) {
        (true, true) => interval.half_width(),
        (true, false) => below,
        (false, true) => above,
        (false, false) if interval.estimate == 0.0 => 1.0,
        (false, false) => interval.estimate.abs() / 10.0,
    }
}

/// An end of an interval, with enough decimals to show on which side of the marks, of 0 and of 100 % it lies.
pub(super) fn end_of(end: f64, interval: &Interval, unit: Unit, marks: &[f64]) -> String {
    let (factor, sign) = shown_as(unit);
    let marks: Vec<f64> =
        marks.iter().copied().chain([0.0]).chain((factor > 1.0).then_some(1.0)).map(|mark| mark * factor).collect();
    let decimals = decimals_of(precision(interval), factor);
    format!("{}{sign}", number::number(end * factor, decimals_beside(end * factor, &marks, decimals)))
}

/// A value with as many decimals as its precision justifies.
pub(super) fn number(value: f64, unit: Unit, precision: f64) -> String {
    let (factor, sign) = shown_as(unit);
    format!("{}{sign}", number::number(value * factor, decimals_of(precision, factor)))
}

/// A value and a precision with the same decimals; with more where they would look equal and are not.
pub(super) fn told_apart(value: f64, precision: f64) -> [String; 2] {
    let marks = [value.abs(), precision];
    let decimals = decimals_beside(precision, &marks, decimals_for(precision).min(MAX_DECIMALS));
    [value, precision].map(|value| number::number(value, decimals))
}

/// The factor and the sign for showing values of a unit.
fn shown_as(unit: Unit) -> (f64, &'static str) {
    match unit {
        Unit::Share | Unit::Percent => (100.0, " %"),
        Unit::Number | Unit::Points | Unit::Minutes => (1.0, ""),
    }
}

fn decimals_of(precision: f64, factor: f64) -> usize {
    if precision.is_finite() { decimals_for(precision * factor).min(MAX_DECIMALS) } else { 0 }
}

/// The precision for showing a number that is known exactly.
pub(super) fn exactness(value: f64) -> f64 {
    if value.fract() == 0.0 { 1.0 } else { 0.01 }
}

/// A share as a whole percentage, with more decimals where it is small.
pub(super) fn percent(share: f64) -> String {
    let precision = if share > 0.0 && share < 0.01 { 0.000_1 } else { 0.01 };
    number(share, Unit::Share, precision)
}

/// A number with a noun: `12,345 games`.
pub(super) fn counted(number: u64, what: &'static str) -> String {
    Message::counted_as(number::count(number), number == 1, what).told().into_owned()
}

/// The translated name of a measure; metrics of rules keep their own names.
pub(super) fn measure(name: &str) -> &str {
    // Rules cannot use a name of a built-in measure for a metric.
    MEASURES.iter().find(|measure| measure.name == name).map_or(name, |measure| said(measure.name))
}

/// The cells of a row.
pub(super) struct Row(pub Vec<Line>);

impl Row {
    /// A row of column heads.
    pub(super) fn head<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        Self(words.into_iter().map(Line::faint).collect())
    }
}

/// Rows as lines: numbers aligned to the right, and the columns `of_words` to the left. Words too long for their column
/// are wrapped.
fn table(rows: Vec<Row>, of_words: &[usize], widths: &[usize]) -> Vec<Line> {
    let lines = |row: Row| {
        let cells: Vec<Vec<Line>> = row
            .0
            .into_iter()
            .zip(widths)
            .enumerate()
            .map(|(column, (cell, wide))| match column {
                0 => hanging(cell, *wide),
                _ => cell.broken(*wide),
            })
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let line = |number: usize| {
            let mut line = Line::default();
            for (column, (cell, wide)) in cells.iter().zip(widths).enumerate() {
                if column > 0 {
                    line.blanks(GAP);
                }
                let part = cell.get(number).cloned().unwrap_or_default();
                line.append(if of_words.contains(&column) { part.padded(*wide) } else { part.right(*wide) });
            }
            line.trim_end();
            line
        };
        (0..height).map(line).collect::<Vec<_>>()
    };
    rows.into_iter().flat_map(lines).collect()
}

/// The name of a row, wrapped with hanging indentation so that its continuation does not look like another row.
fn hanging(name: Line, columns: usize) -> Vec<Line> {
    if name.width() <= columns {
        return vec![name];
    }
    let text = name.text();
    let indent = text.chars().count() - text.trim_start().chars().count() + GAP;
    let lines = name.broken(columns.saturating_sub(indent)).into_iter().enumerate();
    lines.map(|(number, line)| if number == 0 { line } else { Line::of_blanks(indent).then(line) }).collect()
}

/// A table within `columns`; the columns `of_words` contain words. If it is too wide, words are wrapped; if it still
/// is, it is split into several tables below each other, each with the first column.
pub(super) fn folded(rows: Vec<Row>, of_words: &[usize], columns: usize) -> Vec<Line> {
    let count = rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
    // The heads of columns of numbers may be wrapped, too.
    let natural = |column: usize| {
        let wide = rows.iter().map(|row| row.0.get(column).map_or(0, Line::width)).enumerate();
        let is_name = |row: usize| row == 0 && !of_words.contains(&column);
        wide.map(|(row, wide)| if is_name(row) { wide.min(MIN_WORD_COLUMNS) } else { wide }).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..count).map(natural).collect();
    let whole = |widths: &[usize]| widths.iter().sum::<usize>() + GAP * count.saturating_sub(1);
    while whole(&widths) > columns {
        let widest =
            of_words.iter().copied().filter(|column| widths.get(*column).is_some_and(|wide| *wide > MIN_WORD_COLUMNS));
        let Some(widest) = widest.max_by_key(|column| widths[*column]) else { break };
        widths[widest] -= 1;
    }
    if whole(&widths) <= columns {
        return table(rows, of_words, &widths);
    }
    // In split tables, words get more room again.
    let wide = |column: usize| {
        let most = if of_words.contains(&column) { MIN_WORD_COLUMNS.max(columns / 2) } else { usize::MAX };
        natural(column).min(most)
    };
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
    let mut lines = Vec::new();
    for group in groups {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        let cells = |row: &Row| Row(group.iter().filter_map(|column| row.0.get(*column).cloned()).collect());
        let of_words: Vec<usize> = (0..group.len()).filter(|place| of_words.contains(&group[*place])).collect();
        let widths: Vec<usize> = group.iter().map(|column| wide(*column)).collect();
        lines.extend(table(rows.iter().map(cells).collect(), &of_words, &widths));
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
    fn what_is_shown_does_not_look_like_what_it_is_not() {
        let interval = Interval { estimate: 0.012, low: 0.0003, high: 0.024 };
        assert_eq!(range(&interval, Unit::Share), "0.03 to 2 %");
        assert_eq!(range(&Interval { low: -0.0003, ..interval }, Unit::Share), "−0.03 to 2 %");
        assert_eq!(range(&Interval { low: 0.0, ..interval }, Unit::Share), "0 to 2 %");
        let ties = Interval { estimate: 0.26, low: 0.12, high: 0.3998 };
        assert_eq!(range_beside(&ties, Unit::Share, &[0.4]), "12 to 39.98 %");
        assert_eq!(told_apart(-12.4, 12.3), ["−12.4", "12.3"]);
        assert_eq!(told_apart(80.4, 12.3), ["80", "12"]);
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

    #[test]
    fn long_names_go_on_in_the_next_line_and_no_figure_is_lost() {
        let name = "first-variant + second-variant + third-variant.setting=12";
        let cells = |words: [&str; 4]| Row(words.iter().map(|word| Line::plain(*word)).collect());
        let rows = || {
            vec![
                cells(["rules", "seat spread", "margin", "ties"]),
                cells([name, "0.1 to 2.3 %", "12.3 ±0.4", "4.5 ±1.2"]),
            ]
        };
        let told = |columns: usize| folded(rows(), &[0], columns).iter().map(Line::text).collect::<Vec<_>>();
        assert_eq!(
            told(60),
            [
                "rules                       seat spread     margin      ties",
                "first-variant +            0.1 to 2.3 %  12.3 ±0.4  4.5 ±1.2",
                "  second-variant + third-",
                "  variant.setting=12",
            ]
        );
        for columns in [40, 50, 70, 80, 100] {
            let told = told(columns);
            assert!(told.iter().all(|line| line.chars().count() <= columns), "{told:#?}");
            let words = told.join(" ");
            assert!(["0.1 to 2.3 %", "12.3 ±0.4", "4.5 ±1.2"].iter().all(|word| words.contains(word)), "{told:#?}");
            // However the name is wrapped, it stays complete.
            assert!(words.replace(' ', "").contains("setting=12"), "{told:#?}");
        }
    }
}
