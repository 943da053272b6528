//! Plots as SVG. Horizontal lengths are percentages of the width, vertical ones pixels, so a plot fills a phone and a
//! wide window alike, with text in the size of the page's. All texts are escaped.

use super::page::escape;
use super::{Axis, Curve, Forest, ForestRow, Histogram, Unit, number};
use crate::catalogue::{said, say};
use crate::lab::statistics::Interval;

/// The height of the drawing area.
const HEIGHT: f64 = 180.0;
/// The space above the drawing area, for the names of marks.
const ABOVE: f64 = 22.0;
/// The space below the drawing area, for the axis and its title.
const BELOW: f64 = 40.0;
/// The offset of every other name where names are long.
const STAGGER: f64 = 15.0;
/// The width of the numbers on the left, in percent.
const LEFT: f64 = 12.0;
/// The right end of the drawing area, in percent; half a number fits beyond it.
const RIGHT: f64 = 97.0;
/// The ends of a row's track, in percent, so that marks at its ends are complete.
const TRACK: (f64, f64) = (3.0, 97.0);

/// The common axis of all rows of a forest plot.
pub fn forest_axis(forest: &Forest) -> Axis {
    let ends = forest.rows.iter().filter_map(|row| row.interval);
    let ends = ends.flat_map(|interval| [interval.low, interval.estimate, interval.high]);
    Axis::over(ends.chain(forest.reference.iter().map(|mark| mark.at)), 5)
}

/// The drawing of a row: its interval as a line with ends, its estimate as a dot, hollow if the interval contains the
/// reference. The table beside it has the numbers.
pub fn track(forest: &Forest, axis: &Axis, row: &ForestRow) -> String {
    let mut svg =
        String::from("<svg class=\"track\" width=\"100%\" height=\"26\" aria-hidden=\"true\" focusable=\"false\">");
    let x = |value: f64| TRACK.0 + axis.place(value) * (TRACK.1 - TRACK.0);
    for tick in &axis.ticks {
        line(&mut svg, "grid", (x(*tick), 0.0), (x(*tick), 26.0));
    }
    if let Some(mark) = &forest.reference {
        line(&mut svg, "reference", (x(mark.at), 0.0), (x(mark.at), 26.0));
    }
    if let Some(interval) = row.interval {
        let (low, high) = (x(interval.low), x(interval.high));
        line(&mut svg, "interval", (low, 13.0), (high, 13.0));
        for (end, at) in [(interval.low, low), (interval.high, high)] {
            if end.is_finite() {
                line(&mut svg, "interval", (at, 8.0), (at, 18.0));
            }
        }
        let is_open = forest.reference.as_ref().is_some_and(|mark| interval.covers(mark.at));
        let class = if is_open { "dot open" } else { "dot" };
        svg.push_str(&format!("<circle class=\"{class}\" cx=\"{:.2}%\" cy=\"13\" r=\"5\"/>", x(interval.estimate)));
    }
    svg + "</svg>"
}

/// The axis of a forest plot.
pub fn scale(axis: &Axis, unit: &Unit) -> String {
    let mut svg =
        String::from("<svg class=\"track\" width=\"100%\" height=\"18\" aria-hidden=\"true\" focusable=\"false\">");
    let decimals = axis.decimals(unit);
    let widest = axis.ticks.len() - 1;
    for (number, tick) in axis.ticks.iter().enumerate() {
        let (at, anchor) = match number {
            0 => (0.0, "start"),
            number if number == widest => (100.0, "end"),
            _ => (TRACK.0 + axis.place(*tick) * (TRACK.1 - TRACK.0), "middle"),
        };
        let text = escape(&unit.bare(*tick, decimals));
        svg.push_str(&format!("<text x=\"{at:.2}%\" y=\"13\" text-anchor=\"{anchor}\">{text}</text>"));
    }
    svg + "</svg>"
}

/// A histogram: bars for the first series, and a line along the tops for a second.
pub fn histogram(histogram: &Histogram, id: &str) -> String {
    let totals: Vec<f64> = histogram.series.iter().map(|series| series.counts.iter().sum::<u64>() as f64).collect();
    let share = |series: usize, count: u64| count as f64 / totals.get(series).copied().unwrap_or(1.0).max(1.0);
    let shares = histogram.series.iter().enumerate();
    let shares = shares.flat_map(|(number, series)| series.counts.iter().map(move |count| share(number, *count)));
    let up = Axis::over(shares.chain([0.0]), 4);
    let mut svg = opened(&histogram.title, &described(histogram), id, 0.0);
    let count = histogram.bins.len().max(1) as f64;
    let left = |bin: f64| LEFT + bin / count * (RIGHT - LEFT);
    let y = |share: f64| ABOVE + HEIGHT * (1.0 - up.place(share));
    rows(&mut svg, &up, &Unit::share(), y);
    let gap = if count > 24.0 { 0.1 } else { 0.4 };
    for (number, series) in histogram.series.iter().enumerate() {
        for (bin, games) in series.counts.iter().enumerate() {
            let (from, to, top) = (left(bin as f64), left(bin as f64 + 1.0), y(share(number, *games)));
            let info = histogram.bins.get(bin).map_or(String::new(), |bin| bin_name(histogram, bin));
            let percent = Unit::share().value(share(number, *games), 1);
            let title = escape(&say!("{info}: {} games, {percent}", number::count(*games)));
            match number {
                0 if *games > 0 => svg.push_str(&format!(
                        "<rect class=\"bar\" x=\"{:.2}%\" y=\"{top:.1}\" width=\"{:.2}%\" height=\"{:.1}\"><title>{title}</title></rect>",
                        from + gap / 2.0,
                        to - from - gap,
                        (ABOVE + HEIGHT - top).max(1.0)
                    )),
                0 => {}
                _ => {
                    let before = bin.checked_sub(1).and_then(|bin| series.counts.get(bin)).copied().unwrap_or(0);
                    line(&mut svg, "second", (from, y(share(number, before))), (from, top));
                    line(&mut svg, "second", (from, top), (to, top));
                    if bin + 1 == series.counts.len() {
                        line(&mut svg, "second", (to, top), (to, y(0.0)));
                    }
                }
            }
        }
    }
    bin_names(&mut svg, histogram, left);
    // The name of the smallest mark goes to its left, so that it does not overlap with the next.
    let least = histogram.marks.iter().map(|mark| mark.at).fold(f64::INFINITY, f64::min);
    let is_several = histogram.marks.len() > 1;
    for (number, mark) in histogram.marks.iter().enumerate() {
        let Some(at) = bin_place(histogram, mark.at) else { continue };
        let at = left(at);
        let is_left = is_several && mark.at == least && !histogram.marks.iter().take(number).any(|one| one.at == least);
        line(&mut svg, "mark", (at, ABOVE - 4.0), (at, ABOVE + HEIGHT));
        let (shift, anchor) = if is_left || !is_several && at > 75.0 { (-0.6, "end") } else { (0.6, "start") };
        let label = escape(&mark.label);
        let at = at + shift;
        svg.push_str(&format!("<text class=\"mark\" x=\"{at:.2}%\" y=\"14\" text-anchor=\"{anchor}\">{label}</text>"));
    }
    let unit = histogram.unit.name();
    title_below(&mut svg, &escape(if unit.is_empty() { &histogram.title } else { unit }), 0.0);
    svg + "</svg>"
}

/// A curve: a line through the estimates of each series, with a band for the intervals.
pub fn curve(curve: &Curve, id: &str) -> String {
    let points = || curve.series.iter().flat_map(|series| &series.points).flatten();
    let ends = points().flat_map(|interval| [interval.low, interval.estimate, interval.high]);
    let up = Axis::over(ends.chain(curve.reference.iter().map(|mark| mark.at)), 4);
    let mut svg = opened(&curve.title, &describe_curve(curve), id, if is_staggered(curve) { STAGGER } else { 0.0 });
    let gaps = curve.steps.len().max(1) as f64;
    let x = |step: usize| LEFT + (step as f64 + 0.5) / gaps * (RIGHT - LEFT);
    let y = |value: f64| ABOVE + HEIGHT * (1.0 - up.place(value));
    rows(&mut svg, &up, &curve.unit, y);
    if let Some(mark) = &curve.reference {
        line(&mut svg, "reference", (LEFT, y(mark.at)), (RIGHT, y(mark.at)));
    }
    let height = ABOVE + HEIGHT;
    for (number, series) in curve.series.iter().enumerate() {
        let class = ["first", "second", "third"].get(number).copied().unwrap_or("third");
        // Polygons cannot use percentages, so they are drawn in 100 × height and stretched.
        svg.push_str(&format!(
            "<svg width=\"100%\" height=\"{height}\" viewBox=\"0 0 100 {height}\" preserveAspectRatio=\"none\">"
        ));
        for run in unbroken(&series.points) {
            let tops = run.iter().map(|(step, interval)| (x(*step), y(interval.high)));
            let bottoms = run.iter().rev().map(|(step, interval)| (x(*step), y(interval.low)));
            let corners = corners(tops.chain(bottoms));
            svg.push_str(&format!("<polygon class=\"band {class}\" points=\"{corners}\"/>"));
            let along = self::corners(run.iter().map(|(step, interval)| (x(*step), y(interval.estimate))));
            svg.push_str(&format!("<polyline class=\"line {class}\" points=\"{along}\"/>"));
        }
        svg.push_str("</svg>");
        for (step, interval) in series.points.iter().enumerate() {
            let Some(interval) = interval else { continue };
            line(&mut svg, class, (x(step), y(interval.low)), (x(step), y(interval.high)));
            let name = curve.steps.get(step).map_or("", |name| &**name);
            let title = escape(&format!("{} {name}: {}", series.name, curve.unit.estimate(interval)));
            dot(&mut svg, number, class, (x(step), y(interval.estimate)), title.trim());
        }
    }
    for (step, name) in curve.steps.iter().enumerate() {
        let shift = if is_staggered(curve) && step % 2 == 1 { STAGGER } else { 0.0 };
        let (at, below) = (x(step), ABOVE + HEIGHT + 16.0 + shift);
        svg.push_str(&format!("<text x=\"{at:.2}%\" y=\"{below}\" text-anchor=\"middle\">{}</text>", escape(name)));
    }
    title_below(&mut svg, &escape(&curve.steps_title), if is_staggered(curve) { STAGGER } else { 0.0 });
    svg + "</svg>"
}

/// A point of a series. The shape differs by series, so that they can be told apart without colour.
fn dot(svg: &mut String, number: usize, class: &str, (x, y): (f64, f64), title: &str) {
    match number {
        0 => svg.push_str(&format!(
            "<circle class=\"dot {class}\" cx=\"{x:.2}%\" cy=\"{y:.1}\" r=\"4.5\"><title>{title}</title></circle>"
        )),
        // Shapes cannot be placed by percentages, but nested drawings can.
        _ => {
            let shape = if number == 1 { "M-4-4h8v8h-8z" } else { "M0-5l5 9h-10z" };
            svg.push_str(&format!(
                    "<svg x=\"{x:.2}%\" y=\"{y:.1}\"><path class=\"dot {class}\" d=\"{shape}\"><title>{title}</title></path></svg>"
                ));
        }
    }
}

/// A sample of a series' drawing, for the legend.
pub fn sample(number: usize, is_histogram: bool) -> String {
    let class = ["first", "second", "third"].get(number).copied().unwrap_or("third");
    let mut svg =
        String::from("<svg class=\"sample\" width=\"28\" height=\"14\" aria-hidden=\"true\" focusable=\"false\">");
    match (is_histogram, number) {
        (true, 0) => svg.push_str("<rect class=\"bar\" x=\"4\" y=\"2\" width=\"20\" height=\"11\"/>"),
        (true, _) => svg.push_str("<path class=\"second\" d=\"M2 13V4h12v5h12v4\" fill=\"none\"/>"),
        (false, _) => {
            svg.push_str(&format!("<path class=\"line {class}\" d=\"M0 7h28\"/>"));
            dot(&mut svg, number, class, (50.0, 7.0), "");
        }
    }
    svg + "</svg>"
}

/// A sample of the reference's drawing, for the legend: a horizontal or vertical line.
pub fn reference_sample(is_across: bool) -> String {
    let path = if is_across { "M0 7h28" } else { "M14 0v14" };
    format!(
        "<svg class=\"sample\" width=\"28\" height=\"14\" aria-hidden=\"true\" focusable=\"false\">\
         <path class=\"reference\" d=\"{path}\"/></svg>"
    )
}

/// Runs of consecutive steps with a finite interval.
fn unbroken(points: &[Option<Interval>]) -> Vec<Vec<(usize, Interval)>> {
    let mut runs: Vec<Vec<(usize, Interval)>> = vec![Vec::new()];
    for (step, point) in points.iter().enumerate() {
        match (point, runs.last_mut()) {
            (Some(interval), Some(run)) => run.push((step, *interval)),
            (None, Some(run)) if !run.is_empty() => runs.push(Vec::new()),
            _ => {}
        }
    }
    runs.retain(|run| run.len() > 1);
    runs
}

fn corners(points: impl Iterator<Item = (f64, f64)>) -> String {
    points.map(|(x, y)| format!("{x:.2},{y:.1}")).collect::<Vec<_>>().join(" ")
}

/// The position of a value on the axis of a histogram, in bins.
fn bin_place(histogram: &Histogram, value: f64) -> Option<f64> {
    let (first, last) = (histogram.bins.first()?, histogram.bins.last()?);
    let step = histogram.bins.get(1).map_or(first.most - first.least + 1.0, |second| second.least - first.least);
    // A whole number is in the middle of its bin.
    let middle = if first.most - first.least < step { (step - (first.most - first.least)) / 2.0 } else { 0.0 };
    let place = (value - first.least + middle) / step;
    (place >= 0.0 && value <= last.most + step).then(|| place.min(histogram.bins.len() as f64))
}

/// The name of a bin: `12`, `20 – 29`, `100 or more`.
pub fn bin_name(histogram: &Histogram, bin: &super::Bin) -> String {
    let step =
        histogram.bins.get(1).zip(histogram.bins.first()).map_or(1.0, |(second, first)| second.least - first.least);
    let decimals = number::decimals_for(step * histogram.unit.factor());
    let text = |value: f64| histogram.unit.bare(value, decimals);
    match bin {
        bin if bin.is_first && bin.is_last => said("all").to_owned(),
        bin if bin.is_first => say!("{} or less", text(bin.most)),
        bin if bin.is_last => say!("{} or more", text(bin.least)),
        bin if bin.most > bin.least => format!("{} – {}", text(bin.least), text(bin.most)),
        bin => text(bin.least),
    }
}

/// The numbers below the bars, so few that they do not touch on a phone.
fn bin_names(svg: &mut String, histogram: &Histogram, left: impl Fn(f64) -> f64) {
    let bins = &histogram.bins;
    let Some(first) = bins.first() else { return };
    let step = bins.get(1).map_or(1.0, |second| second.least - first.least);
    let decimals = number::decimals_for(step * histogram.unit.factor());
    let longest = bins.iter().map(|bin| histogram.unit.bare(bin.least, decimals).chars().count()).max().unwrap_or(1);
    // At about 7 pixels per digit, with two digits of space, on 300 pixels.
    let fits = (300 / (7 * (longest + 2))).max(2);
    let every = number::step((bins.len() as f64 / fits as f64).max(1.0)) as usize;
    let is_whole_bin = first.most < first.least + step;
    let offset = (0..every)
        .find(|bin| bins.get(*bin).is_some_and(|bin| ((bin.least / (step * every as f64)).fract()).abs() < 1e-9));
    for (number, bin) in bins.iter().enumerate().skip(offset.unwrap_or(0)).step_by(every.max(1)) {
        // A bin of a single number is labelled in its middle, a wider one at its left end.
        let is_one = is_whole_bin && bin.most == bin.least;
        let at = left(number as f64 + if is_one { 0.5 } else { 0.0 });
        let text = escape(&histogram.unit.bare(bin.least, decimals));
        let below = ABOVE + HEIGHT + 16.0;
        svg.push_str(&format!("<text x=\"{at:.2}%\" y=\"{below}\" text-anchor=\"middle\">{text}</text>"));
    }
}

/// The horizontal grid lines with their numbers.
fn rows(svg: &mut String, up: &Axis, unit: &Unit, y: impl Fn(f64) -> f64) {
    let decimals = up.decimals(unit);
    for tick in &up.ticks {
        let at = y(*tick);
        line(svg, "grid", (LEFT, at), (RIGHT, at));
        let text = escape(&unit.bare(*tick, decimals));
        let is_percent = unit.name() == "%";
        let text = if is_percent { format!("{text} %") } else { text };
        svg.push_str(&format!(
            "<text x=\"{:.2}%\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
            LEFT - 1.2,
            at + 4.0
        ));
    }
}

/// Whether the names of steps would touch on a phone, so that every other one goes lower.
fn is_staggered(curve: &Curve) -> bool {
    let longest = curve.steps.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    (longest + 2) * curve.steps.len() * 7 > 310
}

fn title_below(svg: &mut String, title: &str, shift: f64) {
    let (middle, at) = ((LEFT + RIGHT) / 2.0, ABOVE + HEIGHT + BELOW - 6.0 + shift);
    svg.push_str(&format!("<text class=\"title\" x=\"{middle}%\" y=\"{at}\" text-anchor=\"middle\">{title}</text>"));
}

/// The beginning of a plot, with its text alternative.
fn opened(title: &str, description: &str, id: &str, more: f64) -> String {
    let (title, description, id) = (escape(title), escape(description), escape(id));
    let height = ABOVE + HEIGHT + BELOW + more;
    format!(
        "<svg class=\"plot\" width=\"100%\" height=\"{height}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\
         <title id=\"{id}-title\">{title}</title><desc id=\"{id}-desc\">{description}</desc>"
    )
}

fn described(histogram: &Histogram) -> String {
    let mut words = Vec::new();
    for series in &histogram.series {
        let most = series.counts.iter().zip(&histogram.bins).max_by_key(|(count, _)| **count);
        let games = series.counts.iter().sum::<u64>();
        let name = if series.name.is_empty() { String::new() } else { format!("{}: ", series.name) };
        if let Some((_, bin)) = most {
            let bin = bin_name(histogram, bin);
            words.push(say!("{name}{} games, most of them at {bin} {}.", number::count(games), histogram.unit.name()));
        }
    }
    words.extend(histogram.marks.iter().map(|mark| format!("{}.", mark.label)));
    words.push(said("The numbers are in the table below.").to_owned());
    words.join(" ")
}

fn describe_curve(curve: &Curve) -> String {
    let series = curve.series.iter().filter_map(|series| {
        let mut known = series.points.iter().zip(&curve.steps).filter_map(|(point, step)| Some((step, (*point)?)));
        let first = known.next()?;
        let (step, last) = known.next_back().unwrap_or(first);
        let name = if series.name.is_empty() { String::new() } else { format!("{}: ", series.name) };
        let (from, to) = (curve.unit.estimate(&first.1), curve.unit.estimate(&last));
        Some(say!("{name}from {from} at {} to {to} at {step}.", first.0))
    });
    series.chain([said("The numbers are in the table below.").to_owned()]).collect::<Vec<_>>().join(" ")
}

/// A line between two points.
fn line(svg: &mut String, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    svg.push_str(&format!("<line class=\"{class}\" x1=\"{x1:.2}%\" y1=\"{y1:.1}\" x2=\"{x2:.2}%\" y2=\"{y2:.1}\"/>"));
}
