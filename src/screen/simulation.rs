//! The results of many games, as tables.

use super::few_games::{few_games_means, few_games_table, hint_at_bounds, place_in_words, remarks_on_trust};
use super::figures::{
    Row, counted, end_of, exactness, folded, measure, number, percent, precision, range_beside, range_of_same,
};
use super::plot::number::count;
use super::plot::terminal::sparkline;
use super::rulebook::template;
use super::style::{Label, Line, flow, wrapped};
use super::{team_in_words, teams_in_words};
use crate::catalogue::{said, say};
use crate::definition::{Language, Text};
use crate::lab::measures::Unit;
use crate::lab::report::{DecisionFrequency, Endings, EventFrequency, Figure, SimReport};
use crate::lab::shard::PlanFacts;
use crate::lab::tally::Trouble;
use crate::sorted::SortedMap;
use crate::table::value::Seat;
use std::cmp::Reverse;
use std::ops::Range;

/// Most lines of a table of events.
const MAX_EVENT_TABLE_LINES: usize = 12;

/// The head of the table of points.
const POINTS: &str = "points for";

/// The head of the table of functions.
const FUNCTION: &str = "function";

/// The width of the table of measures without its bars.
const MEASURES_WIDTH: usize = 72;

/// The game's words for the things counted.
#[derive(Clone, Copy)]
pub(super) struct Wording<'a> {
    pub(super) words: &'a SortedMap<String, Text>,
    pub(super) language: Language,
}

impl Wording<'_> {
    /// The words for an id, with placeholders as in a rulebook; the id itself where the game has no words.
    pub(super) fn of(self, id: &str) -> String {
        self.words.get(id).map_or_else(|| id.to_owned(), |text| template(text.get(self.language), self.language))
    }

    /// The words for an id, followed by the id as it is in the rules.
    pub(super) fn with_id(self, id: &str) -> Line {
        match self.of(id) {
            words if words == id => Line::plain(id),
            words => Line::plain(words).with(format!(" ({id})"), Label::Faint),
        }
    }
}

/// A line on the wins of each seat so far. Its intervals hold however often they are checked.
pub fn running_answer(report: &SimReport) -> String {
    let wins = report.figures.iter().filter(|figure| figure.unit == Unit::Share && figure.seat.is_some());
    let words: Vec<String> = wins
        .filter_map(|figure| {
            let share = number(figure.anytime.estimate, figure.unit, figure.anytime.half_width());
            let half = number(figure.anytime.half_width(), figure.unit, figure.anytime.half_width());
            Some(format!("{} {share} ±{half}", team_led_by(&report.plan, figure.seat?)?))
        })
        .collect();
    say!("wins {}", words.join(" "))
}

/// The results of a simulation, as lines.
pub fn simulation(report: &SimReport, columns: usize, language: Language) -> Vec<Line> {
    let wording = Wording { words: &report.plan.words, language };
    let mut lines = headline(report, &rules_in_words(&report.plan), &teams_in_words(&report.plan.teams), columns);
    lines.extend(endings(report, columns));
    if report.games.finished > 0 {
        lines.push(Line::default());
        lines.extend(seats(report, columns));
        lines.extend(seat_spread(report).into_iter().flat_map(|words| wrapped(&words, columns)));
        lines.extend(order(report, columns));
        lines.extend(order_spread(report).into_iter().flat_map(|words| wrapped(&words, columns)));
        lines.push(Line::default());
        lines.extend(figures(report, columns));
        let remarks = without_scores(report).into_iter().chain(cut_off(report)).chain(remarks_on_trust(report));
        let remarks: Vec<Line> = remarks.flat_map(|words| wrapped(&words, columns)).collect();
        lines.extend(few_games_table(&few_games_means(report), hint_at_bounds(report), columns));
        lines.extend(remarks);
    }
    let parts = [
        questions(&report.questions, wording, columns),
        frequency_table(said(POINTS), &report.awards, Some(wording), columns),
        frequency_table(said("event"), &report.events, None, columns),
        frequency_table(said(FUNCTION), &report.functions, None, columns),
    ];
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        lines.push(Line::default());
        lines.extend(part);
    }
    lines.into_iter().map(|line| line.cut(columns)).collect()
}

/// The game with its variants and settings: `game + variant`.
pub(super) fn rules_in_words(plan: &PlanFacts) -> String {
    let over = plan.variants.iter().chain(&plan.set).map(|one| format!(" + {one}"));
    format!("{}{}", plan.game, over.collect::<String>())
}

/// The seed of the first game; if several separate ranges were played, the seeds of each range.
pub(super) fn seeds(report: &SimReport) -> Result<u64, String> {
    let seed = |number: u64| report.plan.seed.wrapping_add(number);
    let stretch = |played: &Range<u64>| format!("{}–{}", seed(played.start), seed(played.end.saturating_sub(1)));
    match report.played.as_slice() {
        [] => Ok(report.plan.seed),
        [all] => Ok(seed(all.start)),
        several => Err(several.iter().map(stretch).collect::<Vec<_>>().join(", ")),
    }
}

/// The heading: the rules, players, agents, number of games and seeds.
pub(super) fn headline(report: &SimReport, rules: &str, teams: &str, columns: usize) -> Vec<Line> {
    let plan = &report.plan;
    let seeds = match seeds(report) {
        Ok(first) => say!("from seed {first}"),
        Err(several) => say!("with the seeds {several}"),
    };
    let mut agents = plan.agents.clone();
    agents.dedup();
    let mut players = counted(plan.players as u64, "player");
    if !teams.is_empty() {
        players.push_str(&format!(" ({teams})"));
    }
    let rest = say!(
        "· {players} · {} ·{} {} {seeds}",
        agents.join(said(", ")),
        if plan.kept.is_some() { said(" next game of a campaign ·") } else { "" },
        counted(report.games.played, "game"),
    );
    let words =
        |text: &str, label: Label| text.split_whitespace().map(|word| Line::of(word, label)).collect::<Vec<_>>();
    flow(words(rules, Label::Strong).into_iter().chain(words(&rest, Label::Faint)), 1, columns)
}

fn endings(report: &SimReport, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    lines.extend(left_in_words(report).into_iter().flat_map(|words| wrapped(&words, columns)));
    for (trouble, at) in failures_in_words(report) {
        lines.push(Line::of(trouble, Label::Error));
        lines.push(Line::faint(format!("  {at}")));
    }
    lines
}

/// Remarks on games that were not played, failed or did not end.
pub(super) fn endings_in_words(report: &SimReport) -> Vec<String> {
    let troubles = failures_in_words(report).into_iter().map(|(trouble, at)| format!("{trouble} ({at})"));
    left_in_words(report).into_iter().chain(troubles).collect()
}

/// Remarks on the games that the figures leave out.
fn left_in_words(report: &SimReport) -> Vec<String> {
    let unplayed = unplayed_in_words(report);
    let Endings { played, finished, .. } = report.games;
    let unlike = (finished > 0 && finished < played).then(|| {
        let games = counted(finished, "game");
        say!(
            "Figures are from the {games} that ended; those that did not may be different. What is counted of \
             questions, awards, events and functions is from all games."
        )
    });
    unplayed.into_iter().chain(unlike).collect()
}

/// A remark that there are no scores; `None` if any game had some.
pub(super) fn without_scores(report: &SimReport) -> Option<String> {
    let is_without = report.games.finished > 0 && report.figure("winning-score").is_none();
    is_without.then(|| {
        said("No rule gives points: there are no measures by score, such as margin, close finishes and lead changes.")
            .to_owned()
    })
}

/// A remark on figures that are inexact, because games exceeded the countable range; `None` if there are none.
pub(super) fn cut_off(report: &SimReport) -> Option<String> {
    let figures = report.figures.iter().chain(&report.metrics).filter(|figure| figure.is_cut_off);
    let names: Vec<&str> = figures.map(|figure| figure.id.as_str()).collect();
    (!names.is_empty()).then(|| {
        let names = names.join(said(", "));
        say!(
            "Cut off: {names}. A game counts up to {} either way; values beyond that are left out of the figure.",
            i64::MAX
        )
    })
}

/// A remark on how many games were not played; `None` if all were.
pub(super) fn unplayed_in_words(report: &SimReport) -> Option<String> {
    let left = report.plan.games.saturating_sub(report.games.played);
    (left > 0).then(|| {
        let unplayed = say!("{} of {} were not played", count(left), count(report.plan.games));
        if report.is_out_of_time { say!("{unplayed}: the time was up") } else { unplayed }
    })
}

/// The failures, each with its place and seeds.
fn failures_in_words(report: &SimReport) -> Vec<(String, String)> {
    let in_words = |(place, trouble): &(String, Trouble)| {
        let seeds: Vec<String> = trouble.seeds.iter().map(u64::to_string).collect();
        let (games, message, seeds) = (counted(trouble.games, "game"), trouble.message.told(), seeds.join(", "));
        let words = match trouble.is_endless {
            true => say!("{games} did not end: {message}"),
            false => say!("{games} failed: {message}"),
        };
        (words, if trouble.message == *place { say!("seed {}", seeds) } else { say!("at {place}, seed {seeds}") })
    };
    report.troubles.iter().map(in_words).collect()
}

/// The team `p1 + p3` for its first seat, and `None` for the partners; the seat itself in a game without teams.
pub(super) fn team_led_by(plan: &PlanFacts, seat: Seat) -> Option<String> {
    match plan.team_of(seat) {
        [] => Some(seat.to_string()),
        [first, ..] if *first != seat.number() => None,
        team => Some(team_in_words(team)),
    }
}

/// A table of the seats. A figure that is the same for all players of a team is in a row of the team, before theirs.
fn seats(report: &SimReport, columns: usize) -> Vec<Line> {
    let of_seats = || report.figures.iter().filter(|figure| figure.seat.is_some());
    let mut names: Vec<&str> = of_seats().map(|figure| figure.name.as_str()).collect();
    names.dedup();
    let mut rows = vec![Row::head(
        [said("seat")].into_iter().chain(names.iter().flat_map(|name| [measure(name), said("95 % interval")])),
    )];
    let equal = equal_share(report);
    let figure = |seat: Seat, name: &str| of_seats().find(|one| one.seat == Some(seat) && one.name == name);
    let cells = |figure: Option<&Figure>| match figure {
        Some(figure) if figure.unit == Unit::Share => estimate(figure, &[equal]),
        Some(figure) => estimate(figure, &[]),
        None => [Line::default(), Line::default()],
    };
    let row = |name: String, figures: Vec<Option<&Figure>>| {
        Row(std::iter::once(Line::plain(name)).chain(figures.into_iter().flat_map(cells)).collect())
    };
    let alone: Vec<Vec<usize>> = (1..=report.plan.players).map(|seat| vec![seat]).collect();
    let teams = if report.plan.teams.is_empty() { &alone } else { &report.plan.teams };
    for team in teams {
        let seats: Vec<Seat> = team.iter().filter_map(|number| Seat::from_number(*number)).collect();
        let all_have = |name: &str| -> Option<&Figure> {
            let mut all = seats.iter().map(|seat| figure(*seat, name));
            let first = all.next()??;
            all.all(|one| one.is_some_and(|one| one.interval == first.interval)).then_some(first)
        };
        let shared: Vec<Option<&Figure>> = names.iter().map(|name| all_have(name)).collect();
        let own: Vec<&str> =
            names.iter().zip(&shared).filter(|(_, one)| one.is_none()).map(|(name, _)| *name).collect();
        rows.push(row(team_in_words(team), shared));
        for seat in seats.iter().filter(|_| seats.len() > 1 && !own.is_empty()) {
            let figures = names.iter().map(|name| figure(*seat, name).filter(|_| own.contains(name)));
            rows.push(row(format!("  {seat}"), figures.collect()));
        }
    }
    folded(rows, &[0], columns)
}

/// A table of the places in the turn order, if that tells more than the seats; otherwise empty.
fn order(report: &SimReport, columns: usize) -> Vec<Line> {
    let Some(order) = report.varying_order() else { return Vec::new() };
    let mut names: Vec<&str> = order.figures.iter().map(|figure| figure.name.as_str()).collect();
    names.dedup();
    let head =
        [said("turn order")].into_iter().chain(names.iter().flat_map(|name| [measure(name), said("95 % interval")]));
    let equal = equal_share(report);
    let row = |place: usize| {
        let figures = order.figures.iter().filter(|figure| figure.place == Some(place));
        let cells = figures.flat_map(|figure| match figure.unit {
            Unit::Share => estimate(figure, &[equal]),
            _ => estimate(figure, &[]),
        });
        Row(std::iter::once(Line::plain(place_in_words(place))).chain(cells).collect())
    };
    let rows = std::iter::once(Row::head(head)).chain((1..=report.plan.players).map(row));
    std::iter::once(Line::default()).chain(folded(rows.collect(), &[0], columns)).collect()
}

/// The share of wins if all seats won equally often. A team's win counts for each of its players, and a game without a
/// winner for none.
pub(super) fn equal_share(report: &SimReport) -> f64 {
    let wins = report.figures.iter().filter(|figure| figure.seat.is_some() && figure.unit == Unit::Share);
    wins.map(|wins| wins.interval.estimate).sum::<f64>() / report.plan.players.max(1) as f64
}

/// A remark on whether the seat matters; `None` where that is unknown.
pub(super) fn seat_spread(report: &SimReport) -> Option<String> {
    let spread = report.seat_spread?;
    if report.plan.agents.windows(2).any(|pair| pair[0] != pair[1]) {
        return Some(said("Different agents play the seats, so this does not show what a seat is worth.").to_owned());
    }
    let value = number(spread.estimate, Unit::Share, spread.half_width());
    let [low, high] = [spread.low, spread.high].map(|end| end_of(end, &spread, Unit::Share, &[]));
    Some(match spread.low > 0.0 {
        true if report.plan.teams.is_empty() => {
            say!("The seat matters: the best wins {value} more of the games than the worst ({low} to {high}).")
        }
        true => say!("The team matters: the best wins {value} more of the games than the worst ({low} to {high})."),
        false if report.plan.teams.is_empty() => {
            say!("No seat is shown to win more than another: {value} between best and worst, at most {high}.")
        }
        false => say!("No team is shown to win more than another: {value} between best and worst, at most {high}."),
    })
}

/// A remark on whether the turn order matters, if it varies between games; `None` where that is unknown.
pub(super) fn order_spread(report: &SimReport) -> Option<String> {
    let spread = report.varying_order()?.spread?;
    // If agents differ, the better one may be more often first.
    if report.plan.agents.windows(2).any(|pair| pair[0] != pair[1]) {
        return None;
    }
    let value = number(spread.estimate, Unit::Share, spread.half_width());
    let [low, high] = [spread.low, spread.high].map(|end| end_of(end, &spread, Unit::Share, &[]));
    Some(match spread.low > 0.0 {
        true => say!(
            "The order of play matters: the best place in it wins {value} more of the games than the worst ({low} to {high})."
        ),
        false => say!(
            "No place in the order of play is shown to win more than another: {value} between best and worst, at most {high}."
        ),
    })
}

/// A table of the measures of the whole game.
fn figures(report: &SimReport, columns: usize) -> Vec<Line> {
    let room = columns.saturating_sub(MEASURES_WIDTH).clamp(8, 24);
    let head =
        Row::head(["", said("mean"), said("95 % interval"), said("low"), said("median"), said("high"), said("games")]);
    let figures = report.figures.iter().filter(|figure| figure.seat.is_none()).chain(&report.metrics);
    let rows = figures.map(|figure| {
        let mut cells = vec![Line::plain(measure(&figure.name))];
        cells.extend(estimate(figure, &[]));
        if figure.unit == Unit::Share || figure.is_constant() {
            cells.extend([Line::default(), Line::default(), Line::default(), Line::default()]);
        } else {
            let exactness = if figure.is_whole() { 1.0 } else { precision(&figure.interval).max(0.01) };
            cells.extend(figure.quantiles.map(|value| Line::faint(number(value, figure.unit, exactness))));
            let games: Vec<u64> = figure.bars.iter().map(|bar| bar.games).collect();
            cells.push(Line::faint(sparkline(&games, room)));
        }
        Row(cells)
    });
    let mut lines = folded(std::iter::once(head).chain(rows).collect(), &[0, 6], columns);
    let legend = said(
        "One game in 20 is below low, and one in 20 is above high. Each bar counts games, from the lowest \
         value to the highest.",
    );
    lines.extend(wrapped(legend, columns).into_iter().map(|line| line.restyled(Label::Faint)));
    lines
}

/// A table of the questions, each with its answers.
fn questions(questions: &[DecisionFrequency], wording: Wording<'_>, columns: usize) -> Vec<Line> {
    if questions.is_empty() {
        return Vec::new();
    }
    let head = Row::head([said("asked"), said("games"), said("per game"), said("chosen")]);
    let rows = questions.iter().map(|question| {
        let chosen: u64 = question.chosen.iter().map(|one| one.frequency.times).sum();
        // If several options can be chosen at once, there are more answers than questions.
        let all = chosen.max(question.asked.frequency.times);
        let mut words: Vec<String> = question
            .chosen
            .iter()
            .take(MAX_EVENT_TABLE_LINES)
            .map(|one| format!("{} {}", wording.of(&one.name), percent(one.frequency.times as f64 / all.max(1) as f64)))
            .collect();
        words.extend(question.never.iter().map(|name| say!("{} never", wording.of(name))));
        let [share, times] = shares(&question.asked);
        Row(vec![wording.with_id(&question.asked.name), share, times, Line::faint(words.join(", "))])
    });
    folded(std::iter::once(head).chain(rows).collect(), &[0, 3], columns)
}

/// A table of the most frequent events of a kind.
fn frequency_table(what: &str, all: &[EventFrequency], wording: Option<Wording<'_>>, columns: usize) -> Vec<Line> {
    if all.is_empty() {
        return Vec::new();
    }
    let has_points = what == said(POINTS);
    let points: &[&str] = if has_points { &[said("points each")] } else { &[] };
    let head = Row::head([what, said("games"), said("per game")].into_iter().chain(points.iter().copied()));
    let mut sorted: Vec<&EventFrequency> = all.iter().collect();
    sorted.sort_by_key(|one| Reverse(one.frequency.times));
    // Functions that hardly ever run are the interesting ones.
    if what == said(FUNCTION) {
        sorted.reverse();
    }
    let (sorted, never): (Vec<&EventFrequency>, Vec<&EventFrequency>) =
        sorted.into_iter().partition(|one| one.frequency.times > 0);
    // A line that says that there is one more is as long as that one.
    let shown = if sorted.len() == MAX_EVENT_TABLE_LINES + 1 { sorted.len() } else { MAX_EVENT_TABLE_LINES };
    let rows = sorted.iter().take(shown).map(|one| {
        let [share, times] = shares(one);
        let name = wording.map_or_else(|| Line::plain(&one.name), |wording| wording.with_id(&one.name));
        let mut cells = vec![name, share, times];
        if has_points {
            let each = one.frequency.amount as f64 / one.frequency.times.max(1) as f64;
            cells.push(Line::plain(number(each, Unit::Points, 0.05)));
        }
        Row(cells)
    });
    let mut lines = folded(std::iter::once(head).chain(rows).collect(), &[0], columns);
    if sorted.len() > shown {
        lines.push(Line::faint(say!("and {} more: `--json` has them all", sorted.len() - shown)));
    }
    if !never.is_empty() {
        let names: Vec<&str> = never.iter().map(|one| one.name.as_str()).collect();
        lines.extend(wrapped(&say!("Never: {}", names.join(said(", "))), columns));
    }
    lines
}

/// The share of games with the event, and its mean number per game.
fn shares(often: &EventFrequency) -> [Line; 2] {
    let games = often.frequency.games as f64 / often.share.estimate.max(f64::MIN_POSITIVE);
    let a_game = often.frequency.times as f64 / games.max(1.0);
    [Line::plain(percent(often.share.estimate)), Line::plain(number(a_game, Unit::Number, 0.05))]
}

/// An estimate and its interval, to be compared with some marks.
fn estimate(figure: &Figure, marks: &[f64]) -> [Line; 2] {
    if figure.is_constant() {
        let value = number(figure.interval.estimate, figure.unit, exactness(figure.interval.estimate));
        return [Line::of(value, Label::Number), Line::faint(range_of_same(&figure.interval, figure.unit))];
    }
    [
        Line::of(end_of(figure.interval.estimate, &figure.interval, figure.unit, &[]), Label::Number),
        Line::faint(range_beside(&figure.interval, figure.unit, marks)),
    ]
}
