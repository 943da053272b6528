//! Means that depend on few games, with statistics beside them; and remarks on bounds.

use super::figures::{Row, counted, exactness, folded, measure, number, range};
use super::plot::number::count;
use super::plot::page::{Block, Table};
use super::style::{Label, Line, wrapped};
use crate::catalogue::{said, say};
use crate::lab::compare::ComparedMeasure;
use crate::lab::measures::Unit;
use crate::lab::report::{Figure, SimReport};
use crate::lab::statistics::FewGames;
use crate::lab::statistics::estimate::MIN_GAMES;
use crate::table::value::Seat;

/// A mean that depends on few games.
pub(super) struct FewGamesMean {
    name: String,
    unit: Unit,
    games: u64,
    few: FewGames,
}

/// A place in the turn order: `1st to play`.
pub(super) fn place_in_words(place: usize) -> String {
    match place {
        1 => said("1st to play").to_owned(),
        2 => said("2nd to play").to_owned(),
        3 => said("3rd to play").to_owned(),
        place => say!("{place}th to play"),
    }
}

/// The name of a figure with its seat or place in the turn order: `p1 score`.
pub(super) fn name_of(name: &str, seat: Option<Seat>, place: Option<usize>) -> String {
    let of = seat.map(|seat| seat.to_string()).or(place.map(place_in_words));
    of.map_or_else(|| measure(name).to_owned(), |of| format!("{of} {}", measure(name)))
}

/// The means in a report that depend on few games.
pub(super) fn few_games_means(report: &SimReport) -> Vec<FewGamesMean> {
    let of_order = report.varying_order().into_iter().flat_map(|order| &order.figures);
    let few = |figure: &Figure| {
        let name = name_of(&figure.name, figure.seat, figure.place);
        Some(FewGamesMean { name, unit: figure.unit, games: figure.games, few: figure.few? })
    };
    report.figures.iter().chain(of_order).chain(&report.metrics).filter_map(few).collect()
}

/// The differences that depend on few pairs of games.
pub(super) fn few_games_differences(rows: &[(String, &ComparedMeasure)]) -> Vec<FewGamesMean> {
    let few = |(name, row): &(String, &ComparedMeasure)| {
        Some(FewGamesMean { name: name.clone(), unit: row.unit, games: row.pairs, few: row.few? })
    };
    rows.iter().filter_map(few).collect()
}

impl FewGamesMean {
    /// The cells of a row: the name, the median with its interval, the trimmed mean, and how many games make half of
    /// the spread.
    fn cells(&self) -> Vec<String> {
        let FewGames { median, middle, games } = self.few;
        let half = median.half_width();
        let exact = if half.is_finite() && half > 0.0 { half } else { exactness(median.estimate) };
        let told = number(median.estimate, self.unit, exact);
        let around = if median.low == median.high { told.clone() } else { range(&median, self.unit) };
        let middle = number(middle, self.unit, exact.min(0.1_f64.max(middle.abs() / 100.0)));
        let games = say!("{} of {}", count(games), count(self.games));
        vec![self.name.clone(), told, around, middle, games]
    }
}

fn heads() -> [&'static str; 5] {
    ["", said("median"), said("95 % interval"), said("middle 80 %"), said("half of the spread")]
}

const WHY: &str = "A few games make most of the spread of these means, so only bounds give them an interval. The median can \
                   be trusted. \"Middle 80 %\" is the mean without the lowest and the highest tenth of the games; \
                   \"half of the spread\" counts the games that make it.";

/// A table of these means with explanations; empty where there are none.
pub(super) fn few_games_table(all: &[FewGamesMean], hint: Option<String>, columns: usize) -> Vec<Line> {
    if all.is_empty() {
        return Vec::new();
    }
    let row = |one: &FewGamesMean| Row(one.cells().into_iter().map(Line::plain).collect());
    let rows = std::iter::once(Row::head(heads())).chain(all.iter().map(row));
    let mut lines = vec![Line::default(), Line::strong(said("Made by few games"))];
    lines.extend(folded(rows.collect(), &[0], columns));
    lines.extend(wrapped(said(WHY), columns).into_iter().map(|line| line.restyled(Label::Faint)));
    lines.extend(hint.into_iter().flat_map(|words| wrapped(&words, columns)));
    lines
}

/// A table of these means with explanations, for a page; empty where there are none.
pub(super) fn few_games_blocks(all: &[FewGamesMean], hint: Option<String>) -> Vec<Block> {
    if all.is_empty() {
        return Vec::new();
    }
    let columns = heads().iter().enumerate().map(|(place, name)| ((*name).to_owned(), place > 0)).collect();
    let rows = all.iter().map(FewGamesMean::cells).collect();
    let table = Table { title: said("Made by few games").to_owned(), columns, rows };
    let words = std::iter::once(said(WHY).to_owned()).chain(hint);
    std::iter::once(Block::Table(table)).chain(words.map(Block::Text)).collect()
}

/// A sentence on which figures depend on few games, for one ruleset; `None` where none do.
pub(super) fn few_in_words<'a>(rules: &str, figures: impl IntoIterator<Item = &'a Figure>) -> Option<String> {
    let few = figures.into_iter().filter(|figure| figure.few.is_some());
    let names: Vec<String> = few.map(|figure| name_of(&figure.name, figure.seat, figure.place)).collect();
    (!names.is_empty()).then(|| {
        say!("Under {rules}, few games make the means of: {}. `houserule sim` shows more.", names.join(said(", ")))
    })
}

/// Remarks on too few games, and on bounds that games exceeded.
pub(super) fn remarks_on_trust(report: &SimReport) -> Vec<String> {
    let finished = report.games.finished;
    let too_few = (1..MIN_GAMES).contains(&finished).then(|| {
        let games = counted(finished, "game");
        match finished {
            1 => say!("{games} is too few for an interval of a mean without bounds: it takes {MIN_GAMES}."),
            _ => say!("{games} are too few for an interval of a mean without bounds: it takes {MIN_GAMES}."),
        }
    });
    let broken = (!report.broken_bounds.is_empty()).then(|| {
        let names = report.broken_bounds.join(said(", "));
        say!("A game went beyond the bounds that the rules give for {names}: they are not used.")
    });
    too_few.into_iter().chain(broken).collect()
}

/// A hint on how rules declare bounds for a figure that depends on few games; `None` where that is not needed.
pub(super) fn hint_at_bounds(report: &SimReport) -> Option<String> {
    let scores = report.figures.iter().filter(|figure| figure.id.ends_with(".score")).map(|figure| (figure, "score"));
    let metrics = report.metrics.iter().map(|figure| (figure, figure.id.as_str()));
    let is_unbounded =
        |(figure, name): &(&Figure, &str)| figure.few.is_some() && !report.plan.bounds.contains_key(*name);
    let (_, name) = scores.chain(metrics).find(is_unbounded)?;
    let name = if name.contains('.') { format!("{name:?}") } else { name.to_owned() };
    let key = format!("bounds.{name} = {{ min = 0, max = 100 }}");
    Some(say!("If no game can go beyond some value, write that into the game's TOML: `{key}`."))
}
