//! The page of a simulation.

use super::{DISTRIBUTIONS, INTERVALS, exact, facts, histogram, section};
use crate::catalogue::{said, say};
use crate::definition::Language;
use crate::lab::distribution::Distribution;
use crate::lab::measures::{MEASURES, Unit as Measured, columns, plotted};
use crate::lab::report::{EventFrequency, Figure, SimReport};
use crate::lab::shard::PlanFacts;
use crate::lab::tally::Tally;
use crate::screen::few_games::{
    few_games_blocks, few_games_means, hint_at_bounds, name_of, place_in_words, remarks_on_trust,
};
use crate::screen::figures::{counted, measure, range_of_same};
use crate::screen::plot::number::{self, Unit};
use crate::screen::plot::page::{Block, Page, Section, Table};
use crate::screen::plot::{Forest, ForestRow, Mark};
use crate::screen::simulation::{
    Wording, cut_off, endings_in_words, equal_share, order_spread, rules_in_words, seat_spread, team_led_by,
    without_scores,
};
use crate::table::value::{Seat, Seats};
use std::cmp::Reverse;

/// Most rows of a table of events.
const MAX_EVENT_TABLE_ROWS: usize = 60;

/// The page of a simulation.
pub fn simulation_page(report: &SimReport, tally: &Tally, language: Language) -> Page {
    let plan = &report.plan;
    let wording = Wording { words: &plan.words, language };
    let mut sections = Vec::new();
    let wrong = endings_in_words(report).into_iter().map(Block::Warning).collect();
    sections.extend(section(said("What went wrong"), wrong));
    let of_seats = |id: &str| -> Vec<&Figure> {
        let suffix = format!(".{id}");
        let of_all: Vec<&Figure> =
            report.figures.iter().filter(|figure| figure.seat.is_some() && figure.id.ends_with(&suffix)).collect();
        one_of_each_team(of_all, plan)
    };
    let wins = of_seats("win");
    if !wins.is_empty() {
        let equal = equal_share(report);
        let decimals = number::decimals_of_mark(equal, wins.iter().map(|wins| &wins.interval), &Unit::share(), 1);
        let shown = Unit::share().value(equal, decimals);
        let words = say!("an equal share: {}", shown);
        let title = said("Share of games won");
        let mut blocks = vec![forest(plan, title, Measured::Share, &wins, Some((equal, words.clone())))];
        blocks.extend(seat_spread(report).map(Block::Text));
        if let Some(order) = report.varying_order() {
            let of_places = |id: &str| -> Vec<&Figure> {
                let suffix = format!(".{id}");
                order.figures.iter().filter(|figure| figure.id.ends_with(&suffix)).collect()
            };
            let title = said("Share of games won, by the order of play");
            blocks.push(forest(plan, title, Measured::Share, &of_places("win"), Some((equal, words))));
            blocks.extend(order_spread(report).map(Block::Text));
        }
        let scores = of_seats("score");
        if scores.iter().any(|figure| !figure.is_constant()) {
            blocks.push(forest(plan, said("Score at the end"), Measured::Points, &scores, None));
        }
        sections.push(Section { title: said("Who wins").to_owned(), blocks });
    }
    let whole = || report.figures.iter().filter(|figure| figure.seat.is_none());
    let shares: Vec<&Figure> = whole().filter(|figure| figure.unit == Measured::Share).collect();
    let parts: Vec<&Figure> = whole().filter(|figure| figure.unit == Measured::Percent).collect();
    let mut course = Vec::new();
    if !shares.is_empty() {
        course.push(forest(plan, said("Share of games with"), Measured::Share, &shares, None));
    }
    if !parts.is_empty() {
        course.push(forest(plan, said("Part of a game, on average"), Measured::Percent, &parts, None));
    }
    let all = columns(Seats::all(report.plan.players));
    let distributions: Vec<(String, &Distribution, i64)> =
        all.iter().zip(&tally.columns).map(|(column, values)| (column.id(), values, column.measure.scale)).collect();
    let mut drawn = Vec::new();
    for figure in
        plotted(DISTRIBUTIONS).into_iter().filter_map(|id| report.figure(id)).filter(|figure| !figure.is_constant())
    {
        if let Some((_, values, scale)) = distributions.iter().find(|(id, _, _)| *id == figure.id) {
            drawn.push(Block::Histogram(histogram(figure, &[("", values)], *scale)));
        }
    }
    for figure in report.metrics.iter().filter(|figure| !figure.is_constant()) {
        if let Some(values) = tally.metrics.get(&figure.id) {
            let mut values = values.clone();
            values.count(0, tally.finished.saturating_sub(values.len()));
            drawn.push(Block::Histogram(histogram(figure, &[("", &values)], 1)));
        }
    }
    sections.extend(section(said("How games go"), course));
    sections.extend(section(said("How far games are apart"), drawn));
    let of_order = report.varying_order().into_iter().flat_map(|order| &order.figures);
    let measured: Vec<&Figure> = report.figures.iter().chain(of_order).chain(&report.metrics).collect();
    if !measured.is_empty() {
        let mut blocks = vec![Block::Table(figures_table(&measured))];
        blocks.extend(few_games_blocks(&few_games_means(report), hint_at_bounds(report)));
        blocks.push(Block::Table(definitions(&measured)));
        sections.push(Section { title: said("All measures").to_owned(), blocks });
    }
    let happened = [
        often_table(said("Functions of the rules"), said("function"), &report.functions, None, false),
        often_table(said("Points"), said("points for"), &report.awards, Some(wording), true),
        often_table(said("Events"), said("event"), &report.events, None, false),
        questions_table(report, wording),
    ];
    sections.extend(section(said("What happened, and how often"), happened.into_iter().flatten().collect()));
    Page {
        title: format!("{}: {}", rules_in_words(&report.plan), counted(report.games.played, "game")),
        lead: String::new(),
        facts: facts(report),
        sections,
        notes: std::iter::once(said(INTERVALS).to_owned())
            .chain(without_scores(report))
            .chain(cut_off(report))
            .chain(remarks_on_trust(report))
            .collect(),
    }
}

/// For teams, only the figures of each team's first player if all partners have the same; otherwise all figures.
fn one_of_each_team<'a>(figures: Vec<&'a Figure>, plan: &PlanFacts) -> Vec<&'a Figure> {
    let first = |figure: &Figure| {
        let seat = figure.seat?;
        let number = plan.team_of(seat).first().copied().unwrap_or(seat.number());
        figures.iter().find(|one| one.seat.is_some_and(|seat| seat.number() == number)).map(|one| one.interval)
    };
    if figures.iter().any(|figure| first(figure) != Some(figure.interval)) {
        return figures;
    }
    figures.into_iter().filter(|figure| figure.seat.is_some_and(|seat| team_led_by(plan, seat).is_some())).collect()
}

/// A forest plot of figures; a figure that stands for all players of a team has the team's name.
fn forest(
    plan: &PlanFacts,
    title: &str,
    unit: Measured,
    figures: &[&Figure],
    reference: Option<(f64, String)>,
) -> Block {
    let stands_alone = |seat: Seat| {
        let is_partner = |other: Seat| other != seat && plan.team_of(seat).contains(&other.number());
        !figures.iter().filter_map(|figure| figure.seat).any(is_partner)
    };
    let who = |seat: Seat| team_led_by(plan, seat).filter(|_| stands_alone(seat)).unwrap_or_else(|| seat.to_string());
    let rows = figures.iter().map(|figure| ForestRow {
        label: match figure.place {
            Some(place) => place_in_words(place),
            None => figure.seat.map_or_else(|| measure(&figure.name).to_owned(), who),
        },
        interval: Some(figure.interval),
        note: match figure.is_constant() {
            true if figure.unit == Measured::Share && figure.range.1 == 0.0 => said("in no game").to_owned(),
            true => said("in every game").to_owned(),
            false => String::new(),
        },
    });
    Block::Forest(Forest {
        title: title.to_owned(),
        unit: unit.into(),
        rows: rows.collect(),
        reference: reference.map(|(at, label)| Mark { at, label }),
    })
}

/// The figures of measures, in numbers.
fn figures_table(figures: &[&Figure]) -> Table {
    let names = [
        said("measure"),
        said("mean"),
        said("95 % interval"),
        said("least"),
        said("5 % below"),
        said("median"),
        said("95 % below"),
        said("most"),
        said("games"),
    ];
    let columns = names.iter().enumerate().map(|(place, name)| ((*name).to_owned(), place > 0)).collect();
    let rows = figures.iter().map(|figure| {
        let unit = Unit::from(figure.unit);
        let decimals = if figure.is_whole() { 0 } else { unit.decimals(&figure.interval) };
        let value = |value: f64| unit.bare(value, decimals);
        let name = name_of(&figure.name, figure.seat, figure.place);
        let mean = if figure.is_constant() { exact(&unit, figure.range.0) } else { unit.estimate(&figure.interval) };
        let mut row = vec![name, mean];
        row.push(match figure.is_constant() {
            true => range_of_same(&figure.interval, figure.unit),
            false => unit.range(&figure.interval),
        });
        if figure.unit == Measured::Share {
            row.extend(std::iter::repeat_n(String::new(), 5));
        } else {
            let [low, middle, high] = figure.quantiles;
            row.extend([figure.range.0, low, middle, high, figure.range.1].map(value));
        }
        row.push(number::count(figure.games));
        row
    });
    Table { title: String::new(), columns, rows: rows.collect() }
}

/// The definition of each measure, and who made it.
fn definitions(figures: &[&Figure]) -> Table {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for figure in figures.iter().filter(|figure| !figure.about.is_empty()) {
        // Only measures of the program have a definition.
        let about = MEASURES.iter().map(|measure| measure.about).find(|about| *about == figure.about);
        let about = about.map_or_else(|| figure.about.clone(), |about| said(about).to_owned());
        let row = vec![measure(&figure.name).to_owned(), about, said(figure.source).to_owned()];
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    let columns = [said("measure"), said("what it is"), said("after")].map(|name| (name.to_owned(), false)).to_vec();
    Table { title: said("What is measured").to_owned(), columns, rows }
}

/// What happened in the games, the most frequent first; `None` where nothing did.
fn often_table(
    title: &str,
    what: &str,
    all: &[EventFrequency],
    wording: Option<Wording<'_>>,
    has_points: bool,
) -> Option<Block> {
    let mut sorted: Vec<&EventFrequency> = all.iter().collect();
    sorted.sort_by_key(|one| Reverse(one.frequency.times));
    let mut columns = vec![
        (what.to_owned(), false),
        (said("in games").to_owned(), true),
        (said("95 % interval").to_owned(), true),
        (said("times").to_owned(), true),
    ];
    if has_points {
        columns.push((said("points each").to_owned(), true));
    }
    let rows = sorted.iter().take(MAX_EVENT_TABLE_ROWS).map(|one| {
        let unit = Unit::share();
        let mut row = vec![
            wording.map_or_else(|| one.name.clone(), |wording| wording.with_id(&one.name).text()),
            unit.estimate(&one.share),
            unit.range(&one.share),
            number::count(one.frequency.times),
        ];
        if has_points {
            let each = one.frequency.amount as f64 / one.frequency.times.max(1) as f64;
            row.push(number::number(each, 1));
        }
        row
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let more = sorted.len().saturating_sub(MAX_EVENT_TABLE_ROWS);
    let title = if more > 0 {
        say!("{title}: the {MAX_EVENT_TABLE_ROWS} most frequent of {}", sorted.len())
    } else {
        title.to_owned()
    };
    (!rows.is_empty()).then_some(Block::Table(Table { title, columns, rows }))
}

/// The decisions of the games, and what was chosen; `None` without any.
fn questions_table(report: &SimReport, wording: Wording<'_>) -> Option<Block> {
    let columns = vec![
        (said("asked").to_owned(), false),
        (said("in games").to_owned(), true),
        (said("times").to_owned(), true),
        (said("chosen").to_owned(), false),
        (said("never chosen").to_owned(), false),
    ];
    let rows = report.questions.iter().map(|question| {
        let all: u64 = question.chosen.iter().map(|one| one.frequency.times).sum();
        let chosen = question.chosen.iter().take(MAX_EVENT_TABLE_ROWS).map(|one| {
            format!(
                "{} {}",
                wording.of(&one.name),
                Unit::share().value(one.frequency.times as f64 / all.max(1) as f64, 1)
            )
        });
        vec![
            wording.with_id(&question.asked.name).text(),
            Unit::share().estimate(&question.asked.share),
            number::count(question.asked.frequency.times),
            chosen.collect::<Vec<_>>().join(said(", ")),
            question.never.iter().map(|name| wording.of(name)).collect::<Vec<_>>().join(said(", ")),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let title = said("Decisions").to_owned();
    (!rows.is_empty()).then_some(Block::Table(Table { title, columns, rows }))
}
