//! Drawing of two runs of a game side by side, from the first difference on.

use super::change::{MAX_LISTED_ENTRIES, difference, score_change};
use super::entries::misfit;
use super::record::log_lines;
use super::{Scene, fill, fitted, words};
use crate::catalogue::Message;
use crate::inspect::compare::{Comparison, LogLine, MoveDifference, OptionsChange, Row, Side};
use crate::playthrough::log::LogEntry;
use crate::playthrough::{Misfit, Playable, Position, number_in_log};
use crate::screen::style::{Label, Line, cut, ending, flow, hang, width, wrapped};
use crate::table::knowledge::{ObservedPosition, Viewer};
use crate::table::names::Names;

/// Most differing moves shown unless all are wanted.
const MAX_SHOWN_MOVES: usize = 5;

/// The number of equal lines shown before and after a differing one.
const CONTEXT_LINES: usize = 2;

/// The minimum width of columns side by side.
const MIN_COLUMN_WIDTH: usize = 38;

/// The separator between two columns.
const BETWEEN: &str = " │ ";

/// One side of a comparison, with its events as lines of the log.
pub fn side<'a>(
    scene: &Scene<'_>,
    loaded: &'a Playable,
    log: &'a [LogEntry],
    position: &'a Position,
    (misfit, left_out): (Option<&'a Misfit>, &'a [(usize, LogEntry)]),
) -> Side<'a> {
    let here = scene.under(loaded, position);
    let everything = Scene { viewer: Viewer::Everything, ..here };
    let told = |events| log_lines(&here, events).into_iter().zip(log_lines(&everything, events));
    let told = position.events.since(0).into_iter().flat_map(told).filter_map(|(seen, known)| {
        let first = known.events.first()?;
        let words = |line: &Line| line.text().trim().to_owned();
        let moves = number_in_log(left_out, first.moves);
        Some(LogLine { moves, words: words(&known.line), seen: words(&seen.line), at: first.at })
    });
    let told = told.collect();
    Side { loaded, log, position, left_out, misfit, told }
}

/// The differences between two runs with the given names, as far as the viewer may know both.
pub fn comparison(scene: &Scene<'_>, comparison: &Comparison<'_>, names: [&str; 2], all: bool) -> Vec<Line> {
    let words = words(scene.language);
    let page = Page { scene, comparison, names, column: (scene.width - BETWEEN.chars().count()) / 2 };
    if comparison.is_nothing() {
        // Rules that fail alike on both sides are still rules that fail.
        let failures = names.iter().zip(&comparison.sides).flat_map(|(name, side)| page.failure(name, side));
        return fitted(std::iter::once(Line::faint(words.unchanged)).chain(failures).collect(), scene.width);
    }
    let mut lines = Vec::new();
    let moves: Vec<&MoveDifference> = comparison.moves.iter().filter(|differing| page.is_shown(differing)).collect();
    let same = moves.first().map_or(Some(comparison.common), |first| first.number.checked_sub(1));
    lines.extend(same.filter(|&same| same > 0).map(|same| Line::faint(fill(words.same_up_to, &[&same]))));
    let shown = if all { moves.len() } else { MAX_SHOWN_MOVES };
    if !moves.is_empty() {
        let [left, right] = names.map(|name| vec![Line::strong(cut(name, page.column))]);
        lines.extend(page.row(left, right, Some("−"), Some("+")));
    }
    for differing in moves.iter().take(shown) {
        lines.extend(page.differing(differing));
    }
    let left_out = moves.len().saturating_sub(shown);
    if left_out > 0 {
        lines.push(Line::faint(fill(words.more_moves, &[&left_out])));
    }
    lines.extend(page.end());
    fitted(lines, scene.width)
}

struct Page<'a> {
    scene: &'a Scene<'a>,
    comparison: &'a Comparison<'a>,
    names: [&'a str; 2],
    /// The width of each of two columns.
    column: usize,
}

impl Page<'_> {
    fn is_wide(&self) -> bool {
        self.column >= MIN_COLUMN_WIDTH
    }

    /// Two cells side by side, or one below the other with a mark before each.
    fn row(&self, left: Vec<Line>, right: Vec<Line>, minus: Option<&str>, plus: Option<&str>) -> Vec<Line> {
        if self.is_wide() {
            let count = left.len().max(right.len());
            let (mut left, mut right) = (left.into_iter(), right.into_iter());
            let line = |_| {
                let left = left.next().unwrap_or_default().padded(self.column);
                let mut line = left.with(BETWEEN, Label::Faint).then(right.next().unwrap_or_default());
                line.trim_end();
                line
            };
            return (0..count).map(line).collect();
        }
        let marked = |mark: Option<&str>, label: Label, cell: Vec<Line>| match cell.is_empty() {
            true => Vec::new(),
            false => hang(Line::of(format!("{} ", mark.unwrap_or(" ")), label), cell),
        };
        let mut lines = marked(minus, Label::Error, left);
        lines.extend(marked(plus, Label::Gain, right));
        lines
    }

    /// The width of a cell's text.
    fn room(&self) -> usize {
        if self.is_wide() { self.column } else { self.scene.width.saturating_sub(2) }
    }

    fn differing(&self, differing: &MoveDifference) -> Vec<Line> {
        let words = words(self.scene.language);
        let title = match differing.number {
            0 => words.beginning.to_owned(),
            number => fill(words.moves, &[&number]),
        };
        let mut lines = vec![Line::of(title, Label::Number)];
        let is_other = |row: &Row| matches!(row, Row::Other(..));
        let has_other_within = |place: usize, lines: usize| {
            let from = place.saturating_sub(lines);
            differing.rows.iter().skip(from).take(place - from + lines + 1).any(is_other)
        };
        // A single line is shown instead of counted.
        let is_far = |place: usize| place < differing.rows.len() && !has_other_within(place, CONTEXT_LINES);
        let is_near = |place: usize| !is_far(place) || !is_far(place + 1) && (place == 0 || !is_far(place - 1));
        let [left_side, right_side] = &self.comparison.sides;
        let cell = |side: &Side<'_>, told: Option<usize>| {
            let told = told.and_then(|told| side.told.get(told));
            told.map_or_else(Vec::new, |told| wrapped(&told.seen, self.room()))
        };
        let mut alike = 0;
        let tell_alike = |lines: &mut Vec<Line>, alike: &mut usize| {
            if *alike > 0 {
                lines.push(Line::faint(format!("  … {}", fill(words.alike, &[alike]))));
            }
            *alike = 0;
        };
        for (place, row) in differing.rows.iter().enumerate() {
            match *row {
                Row::Same(..) if !is_near(place) => alike += 1,
                Row::Same(left, right) => {
                    tell_alike(&mut lines, &mut alike);
                    let faint = |cell: Vec<Line>| cell.into_iter().map(|line| line.restyled(Label::Faint)).collect();
                    let left: Vec<Line> = faint(cell(left_side, Some(left)));
                    let right = if self.is_wide() { faint(cell(right_side, Some(right))) } else { Vec::new() };
                    lines.extend(self.row(left, right, None, None));
                }
                Row::Other(left, right) => {
                    tell_alike(&mut lines, &mut alike);
                    lines.extend(self.row(cell(left_side, left), cell(right_side, right), Some("−"), Some("+")));
                }
            }
        }
        tell_alike(&mut lines, &mut alike);
        if let Some(options) = differing.options.as_ref().filter(|options| self.may_see(options)) {
            lines.extend(self.options(options));
        }
        let [left, right] = self.comparison.places(differing).map(|places| {
            let cells = places.iter().flat_map(|place| self.place(place));
            cells.collect::<Vec<_>>()
        });
        lines.extend(self.row(left, right, Some("−"), Some("+")));
        lines
    }

    /// Whether the viewer may know the options of that player.
    fn may_see(&self, options: &OptionsChange) -> bool {
        self.scene.viewer.may_answer(options.seat)
    }

    /// Whether anything of a differing move may be shown.
    fn is_shown(&self, differing: &MoveDifference) -> bool {
        differing.rows.iter().any(|row| matches!(row, Row::Other(..)))
            || differing.options.as_ref().is_some_and(|options| self.may_see(options))
    }

    /// A place in the rules, and its layer.
    fn place(&self, (file, layer): &(String, Message)) -> Vec<Line> {
        let room = self.room();
        let words = [ending(file, room), layer.told().into_owned()];
        let lines = flow(words.into_iter().map(Line::faint), 1, room);
        lines.into_iter().map(|line| line.restyled(Label::Faint)).collect()
    }

    /// The ends of both runs: why the log stopped fitting, the open decision, and the scores.
    fn end(&self) -> Vec<Line> {
        let words = words(self.scene.language);
        let mut lines = Vec::new();
        for (number, name) in self.names.iter().enumerate() {
            let side = &self.comparison.sides[number];
            let here = self.scene.under(side.loaded, side.position);
            let lead = || self.lead(name);
            if let Some(found) = side.misfit {
                let narrow = Scene { width: self.scene.width.saturating_sub(lead().width()), ..here };
                let mut body = misfit(&narrow, found);
                if let Some((file, layer)) = found.at.and_then(|at| side.place(at)) {
                    let room = narrow.width.saturating_sub(width(&fill(words.asked_at, &[&""])));
                    let file = ending(&file, room);
                    let at = Line::faint(fill(words.asked_at, &[&file]));
                    body.extend(flow([at, Line::faint(layer.told())], 1, narrow.width));
                }
                lines.extend(hang(lead(), body));
            }
            lines.extend(self.failure(name, side));
            if side.moves() > self.comparison.common && !self.comparison.played_on {
                let name = cut(name, self.scene.width / 2);
                lines.push(Line::faint(fill(words.goes_on, &[&name, &side.moves()])));
            }
        }
        if self.comparison.played_on {
            lines.extend(wrapped(&fill(words.played_on, &[&self.comparison.common]), self.scene.width));
        }
        lines.extend(self.asked());
        lines.extend(self.scores());
        lines
    }

    /// The name of a side before what is said of it.
    fn lead(&self, name: &str) -> Line {
        Line::strong(cut(name, self.scene.width / 2)).with(": ", Label::Plain)
    }

    /// Why the rules of a side failed, if they did.
    fn failure(&self, name: &str, side: &Side<'_>) -> Vec<Line> {
        let Some(failed) = &side.position.failed else { return Vec::new() };
        let place = failed.first().place.as_ref();
        let at = place.map(|place| format!("{}:{}", place.source.name, place.position().0)).unwrap_or_default();
        let lead = self.lead(name);
        let body = wrapped(&format!("{} {at}", failed.first().message.told()), self.scene.width - lead.width());
        hang(lead, body)
    }

    /// The open decisions of both sides, or the differences between the options of the same decision.
    fn asked(&self) -> Vec<Line> {
        let words = words(self.scene.language);
        let questions = self.comparison.questions();
        if questions[0] != questions[1] {
            let ends = self.comparison.sides.each_ref().map(|side| match side.position.failed {
                Some(_) => words.failed,
                None => words.over,
            });
            let [left, right] = [0, 1].map(|number| {
                let layout = &self.comparison.sides[number].loaded.layout;
                let asked = questions[number].map(|(seat, prompt)| {
                    let prompt = Names { layout, language: self.scene.language }.text(prompt);
                    let who = seat.map_or_else(|| words.anybody.to_owned(), |seat| seat.to_string());
                    Line::of(who, Label::Turn).with(format!("{}{prompt}", words.asks), Label::Plain)
                });
                vec![asked.unwrap_or_else(|| Line::plain(ends[number])).cut(self.room())]
            });
            return self.row(left, right, Some("−"), Some("+"));
        }
        match self.comparison.open_options() {
            Some(options) if self.scene.observed_position().may_see_options() => self.options(&options),
            _ => Vec::new(),
        }
    }

    /// The options that only one side has, or a note that only their order differs.
    fn options(&self, change: &OptionsChange) -> Vec<Line> {
        let words = words(self.scene.language);
        let mut options = difference(&change.left, &change.right);
        if change.is_order() {
            options.push(Line::plain(words.other_order));
        }
        let left_out = options.len().saturating_sub(MAX_LISTED_ENTRIES * 2);
        options.truncate(MAX_LISTED_ENTRIES * 2);
        if left_out > 0 {
            options.push(Line::faint(fill(words.more, &[&left_out])));
        }
        self.listed(words.options, 1, options)
    }

    /// The scores on both sides, of each seat whose score the viewer may know.
    fn scores(&self) -> Vec<Line> {
        let words = words(self.scene.language);
        if !self.comparison.sides.iter().any(|side| side.position.has_scores) {
            return Vec::new();
        }
        let sides = self.comparison.sides.iter();
        let eyes: Vec<ObservedPosition<'_>> =
            sides.map(|side| self.scene.under(side.loaded, side.position).observed_position()).collect();
        let seen = self.comparison.scores().filter(|(seat, ..)| eyes.iter().all(|eyes| eyes.sees_standing_of(*seat)));
        let items = seen.map(|(seat, left, right)| {
            let who = Line::of(format!("{seat} "), Label::Turn);
            if left == right {
                return who.with(left.to_string(), Label::Plain);
            }
            let parts = score_change(left, right).into_iter().map(|part| part.with(" ", Label::Plain));
            let mut line = who.then(parts.collect());
            line.trim_end();
            line
        });
        let items: Vec<Line> = items.collect();
        let is_over = self.comparison.sides.iter().all(|side| side.position.open.is_none());
        let name = if is_over { words.scores } else { words.scores_so_far };
        if items.is_empty() { Vec::new() } else { self.listed(name, 3, items) }
    }

    /// A list of items behind a name.
    fn listed(&self, name: &str, gap: usize, items: Vec<Line>) -> Vec<Line> {
        let lead = Line::faint(name).with("  ", Label::Plain);
        let room = self.scene.width.saturating_sub(lead.width());
        hang(lead, flow(items, gap, room))
    }
}
