//! Plots in text characters: blocks and lines of single width. They are drawn in files too.

use super::number::Unit;
use super::{Axis, Forest, ForestRow, Histogram, svg};
use crate::screen::style::{Label, Line, cut, pad_left, width};

/// Blocks that fill a character from below, by eighths.
const RISING: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Blocks that fill a character from the left, by eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// The maximum length of a bar; a longer one shows no more.
const MAX_BAR_LENGTH: usize = 50;

/// The maximum width of a row's name.
const MAX_NAME_COLUMNS: usize = 28;

/// A sparkline of counts: `▁▂▅█▆▃▁`. Zero is a blank. If there are more counts than columns, neighbours are added up.
pub fn sparkline(counts: &[u64], columns: usize) -> String {
    let each = counts.len().div_ceil(columns.max(1)).max(1);
    let counts: Vec<u64> =
        counts.chunks(each).map(|part| part.iter().fold(0u64, |sum, count| sum.saturating_add(*count))).collect();
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let block = |count: u64| match count {
        0 => ' ',
        count => {
            let eighths = (u128::from(count) * 8).div_ceil(u128::from(most)) as usize;
            RISING.get(eighths.saturating_sub(1)).copied().unwrap_or('█')
        }
    };
    counts.into_iter().map(block).collect()
}

/// A bar for each bin and series, with its share of the games.
pub fn histogram(histogram: &Histogram, columns: usize) -> Vec<Line> {
    let names: Vec<String> = histogram.bins.iter().map(|bin| svg::bin_name(histogram, bin)).collect();
    let widest = names.iter().map(|name| width(name)).max().unwrap_or(0);
    let totals: Vec<f64> =
        histogram.series.iter().map(|series| series.counts.iter().sum::<u64>().max(1) as f64).collect();
    let share = |series: usize, bin: usize| {
        let count = histogram.series.get(series).and_then(|series| series.counts.get(bin)).copied().unwrap_or(0);
        count as f64 / totals.get(series).copied().unwrap_or(1.0)
    };
    let bins = || 0..histogram.bins.len();
    let most = (0..totals.len()).flat_map(|series| bins().map(move |bin| (series, bin)));
    let most = most.map(|(series, bin)| share(series, bin)).fold(0.0, f64::max);
    // The widths of the name, two blanks, a blank and `100.0 %`.
    let room = columns.saturating_sub(widest + 10).clamp(4, MAX_BAR_LENGTH);
    let unit = if histogram.unit.name().is_empty() { String::new() } else { format!(" ({})", histogram.unit.name()) };
    let mut lines = vec![Line::strong(&histogram.title).with(unit, Label::Faint)];
    if histogram.series.len() > 1 {
        let names: Vec<String> = histogram
            .series
            .iter()
            .enumerate()
            .map(|(number, series)| format!("{} {}", sample(number), series.name))
            .collect();
        lines.push(Line::faint(names.join("   ")));
    }
    for bin in bins() {
        for series in 0..totals.len() {
            let name = names.get(bin).filter(|_| series == 0).map_or("", |name| &**name);
            let share = share(series, bin);
            let part = if most > 0.0 { share / most } else { 0.0 };
            let drawn = bar(part, room, series);
            let percent = if share > 0.0 { Unit::share().value(share, 1) } else { String::new() };
            let line = Line::faint(pad_left(name, widest)).with("  ", Label::Plain).with(drawn, style(series));
            lines.push(if percent.is_empty() { line } else { line.with(format!(" {percent}"), Label::Faint) });
        }
    }
    let marks: Vec<&str> = histogram.marks.iter().map(|mark| &*mark.label).collect();
    if !marks.is_empty() {
        lines.push(Line::of_blanks(widest + 2).with(marks.join(", "), Label::Faint));
    }
    lines.into_iter().map(|line| line.cut(columns)).collect()
}

fn style(series: usize) -> Label {
    if series == 0 { Label::Number } else { Label::Plain }
}

fn sample(series: usize) -> &'static str {
    if series == 0 { "█" } else { "░" }
}

/// A bar that fills a part of the room. Anything above zero is visible.
fn bar(part: f64, room: usize, series: usize) -> String {
    let eighths = (part.clamp(0.0, 1.0) * room as f64 * 8.0).round() as usize;
    let eighths = if part > 0.0 { eighths.max(1) } else { 0 };
    match series {
        0 => "█".repeat(eighths / 8) + EIGHTHS.get(eighths % 8).copied().unwrap_or(""),
        _ => sample(series).repeat(eighths.div_ceil(8)),
    }
}

/// A row for each estimate: `seat 1  ├──●──┤  27.1 %  26.3 to 28.0`. Without room for the drawing, only the numbers are
/// shown. The dot is hollow if the interval contains the reference.
pub fn forest(forest: &Forest, columns: usize) -> Vec<Line> {
    let axis = svg::forest_axis(forest);
    let cells: Vec<(String, String)> = forest.rows.iter().map(|row| forest.numbers(row)).collect();
    let names = forest.rows.iter().map(|row| width(&row.label)).max().unwrap_or(0).min(MAX_NAME_COLUMNS);
    let widest =
        |cell: fn(&(String, String)) -> &String| cells.iter().map(|cells| width(cell(cells))).max().unwrap_or(0);
    let (estimates, ranges) = (widest(|cells| &cells.0), widest(|cells| &cells.1));
    let notes = forest.rows.iter().map(|row| width(&row.note)).max().unwrap_or(0);
    let taken = names + 2 + 2 + estimates + 2 + ranges + if notes > 0 { 2 + notes } else { 0 };
    let room = columns.saturating_sub(taken).min(MAX_BAR_LENGTH);
    let mut lines = vec![Line::strong(&forest.title)];
    for (row, (estimate, range)) in forest.rows.iter().zip(&cells) {
        let mut line = Line::plain(cut(&row.label, names)).padded(names + 2);
        if room >= 9 {
            line.append(track(forest, &axis, row, room));
            line.blanks(2);
        }
        line.append(Line::strong(estimate).right(estimates));
        line.blanks(2);
        line.append(Line::faint(range).padded(if row.note.is_empty() { 0 } else { ranges + 2 }));
        line.append(Line::plain(&row.note));
        lines.push(line);
    }
    if room >= 9 {
        let decimals = axis.decimals(&forest.unit);
        let (low, high) = (forest.unit.bare(axis.low, decimals), forest.unit.bare(axis.high, decimals));
        let between = room.saturating_sub(width(&low));
        lines.push(Line::of_blanks(names + 2).then(Line::faint(low)).then(Line::faint(high).right(between)));
    }
    if let Some(mark) = &forest.reference {
        lines.push(Line::of_blanks(names + 2).with(format!("┊ {}", mark.label), Label::Faint));
    }
    lines.into_iter().map(|line| line.cut(columns)).collect()
}

/// The drawing of an interval in `columns` characters.
fn track(forest: &Forest, axis: &Axis, row: &ForestRow, columns: usize) -> Line {
    let at = |value: f64| (axis.place(value) * columns.saturating_sub(1) as f64).round() as usize;
    let reference = forest.reference.as_ref().map(|mark| at(mark.at));
    let mut line = Line::default();
    for column in 0..columns {
        let drawn = row.interval.and_then(|interval| {
            let (low, high) = (at(interval.low), at(interval.high));
            let is_open = forest.reference.as_ref().is_some_and(|mark| interval.covers(mark.at));
            match column {
                column if column == at(interval.estimate) => Some(if is_open { "○" } else { "●" }),
                column if column == low && interval.low.is_finite() => Some("├"),
                column if column == high && interval.high.is_finite() => Some("┤"),
                column if (low..=high).contains(&column) => Some("─"),
                _ => None,
            }
        });
        match drawn {
            Some(drawn) => line.append(Line::of(drawn, Label::Number)),
            None if reference == Some(column) => line.append(Line::faint("┊")),
            None => line.blanks(1),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::super::{ForestRow, Mark};
    use super::*;
    use crate::lab::statistics::Interval;

    fn texts(lines: Vec<Line>) -> Vec<String> {
        lines.iter().map(|line| line.text().trim_end().to_owned()).collect()
    }

    #[test]
    fn a_line_of_blocks_shows_how_often() {
        assert_eq!(sparkline(&[0, 1, 4, 8, 16, 15], 10), " ▁▂▄██");
        assert_eq!(sparkline(&[1, 1, 2, 2], 2), "▄█");
        assert_eq!(sparkline(&[], 5), "");
        assert_eq!(sparkline(&[u64::MAX, 1, 0], 5), "█▁ ");
        assert_eq!(sparkline(&[3, 3], 0), "█");
        assert_eq!(sparkline(&[1, 1, 4, 4, 1], 3), "▂█▁");
    }

    #[test]
    fn bars_are_as_long_as_their_shares() {
        let counts = [(3, 25), (4, 100), (5, 0), (6, 1)];
        let drawn = Histogram::of("Rounds", Unit::number("rounds"), 1, 16, &[("", &counts)]);
        assert_eq!(
            texts(super::histogram(&drawn, 25)),
            ["Rounds (rounds)", "3  ███▌ 19.8 %", "4  ██████████████ 79.4 %", "5", "6  ▏ 0.8 %"]
        );
        let two = Histogram::of("Rounds", Unit::number(""), 1, 16, &[("old", &counts), ("new", &[(4, 1)])]);
        assert_eq!(texts(super::histogram(&two, 25))[1..4], ["█ old   ░ new", "3  ██▊ 19.8 %", ""]);
    }

    #[test]
    fn intervals_are_drawn_where_there_is_room() {
        let interval =
            |estimate: f64, half: f64| Some(Interval { estimate, low: estimate - half, high: estimate + half });
        let row = |label: &str, interval, note: &str| ForestRow { label: label.into(), interval, note: note.into() };
        let drawn = Forest {
            title: "Wins".into(),
            unit: Unit::share(),
            rows: vec![
                row("seat 1", interval(0.6, 0.05), "shown higher"),
                row("クク", interval(0.5, f64::INFINITY), ""),
                row("p3", None, ""),
            ],
            reference: Some(Mark { at: 0.5, label: "equal".into() }),
        };
        assert_eq!(
            texts(super::forest(&drawn, 72)),
            [
                "Wins",
                "seat 1  ┊      ├──────●─────┤              60 %  55 to 65   shown higher",
                "クク    ○───────────────────────────       50 %  not known",
                "p3      ┊                             not known",
                "        50                        70",
                "        ┊ equal",
            ]
        );
        assert_eq!(texts(super::forest(&drawn, 40))[1], "seat 1       60 %  55 to 65   shown hig…");
    }
}
