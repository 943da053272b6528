//! The results of many games, as pages of plots and tables.

use super::contest::{
    LEFT_OUT_OF_SWEEP, compared, failed_games_in_words, few_of_sweep, is_never_different, layers_in_words, left_out,
};
use super::few_games::{
    few_games_blocks, few_games_differences, few_games_means, hint_at_bounds, name_of, place_in_words, remarks_on_trust,
};
use super::figures::{counted, measure, range_of_same};
use super::plot::number::{self, Unit};
use super::plot::page::{Block, Page, Section, Table};
use super::plot::{Forest, ForestRow, Histogram, MAX_PAGE_BINS, Mark};
use super::simulation::{
    Wording, cut_off, endings_in_words, equal_share, order_spread, rules_in_words, seat_spread, seeds, team_led_by,
    without_scores,
};
use super::teams_in_words;
use crate::catalogue::{said, say, told};
use crate::definition::Language;
use crate::lab::compare::{CompareReport, ComparedMeasure, Side};
use crate::lab::distribution::Distribution;
use crate::lab::goal::GoalStatus;
use crate::lab::measures::{Plot, Unit as Measured, columns, plotted};
use crate::lab::report::{EventFrequency, Figure, SimReport};
use crate::lab::shard::PlanFacts;
use crate::lab::statistics::{Interval, Verdict};
use crate::lab::sweep::{SweepReport, SweptRuleset};
use crate::lab::tally::Tally;
use crate::table::value::{Seat, Seats};
use std::cmp::Reverse;

/// Most rows of a table of events.
const MAX_EVENT_TABLE_ROWS: usize = 60;

/// The plots of distributions.
const DISTRIBUTIONS: &[Plot] = &[Plot::Length, Plot::Points];

/// The explanation of confidence intervals.
const INTERVALS: &str = "An interval is computed so that it covers the truth in 95 of 100 such runs. The truth is what \
                         endlessly many games of the same rules and the same players would give.";

/// The page of a simulation.
pub fn simulation_page(report: &SimReport, tally: &Tally, language: Language) -> Page {
    let plan = &report.plan;
    let wording = Wording { words: &plan.words, language };
    let mut sections = Vec::new();
    let troubles = troubles(report);
    if !troubles.is_empty() {
        sections.push(Section { title: said("What went wrong").to_owned(), blocks: troubles });
    }
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
    for (title, blocks) in [(said("How games go"), course), (said("How far games are apart"), drawn)] {
        if !blocks.is_empty() {
            sections.push(Section { title: title.to_owned(), blocks });
        }
    }
    let of_order = report.varying_order().into_iter().flat_map(|order| &order.figures);
    let measured: Vec<&Figure> = report.figures.iter().chain(of_order).chain(&report.metrics).collect();
    if !measured.is_empty() {
        let mut blocks = vec![Block::Table(figures_table(&measured))];
        blocks.extend(few_games_blocks(&few_games_means(report), hint_at_bounds(report)));
        blocks.push(Block::Table(definitions(&measured)));
        sections.push(Section { title: said("All measures").to_owned(), blocks });
    }
    let happened: Vec<Block> = [
        often_table(said("Functions of the rules"), said("function"), &report.functions, None, false),
        often_table(said("Points"), said("points for"), &report.awards, Some(wording), true),
        often_table(said("Events"), said("event"), &report.events, None, false),
        questions_table(report, wording),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !happened.is_empty() {
        sections.push(Section { title: said("What happened, and how often").to_owned(), blocks: happened });
    }
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

/// The page of a comparison of two rulesets, whose sides are those of the report.
pub fn comparison_page(report: &CompareReport, [base, other]: [&Side; 2]) -> Page {
    let names = [&report.base, &report.other].map(|report| layers_in_words(&report.plan));
    let mut sections = Vec::new();
    let of_side = |(name, side): (&String, &SimReport)| {
        let told = endings_in_words(side).into_iter();
        told.map(|words| Block::Warning(format!("{name}: {words}"))).collect::<Vec<_>>()
    };
    let mut wrong: Vec<Block> = names.iter().zip([&report.base, &report.other]).flat_map(of_side).collect();
    wrong.extend(left_out(report, [&names[0], &names[1]]).map(Block::Warning));
    if !wrong.is_empty() {
        sections.push(Section { title: said("What went wrong").to_owned(), blocks: wrong });
    }
    let mut blocks = vec![Block::Text(difference_in_words(report))];
    let groups = [
        (said("Shares and parts"), &[Measured::Share, Measured::Percent][..]),
        (said("Points"), &[Measured::Points]),
        (said("Numbers"), &[Measured::Number]),
        (said("Minutes"), &[Measured::Minutes]),
    ];
    for (title, units) in groups {
        let all = compared(report).into_iter();
        let rows: Vec<(String, &ComparedMeasure)> =
            all.filter(|(_, row)| units.contains(&row.unit) && !is_never_different(row)).collect();
        if let Some((_, first)) = rows.first() {
            let unit = Unit::of_differences(first.unit);
            let rows = rows.into_iter().map(|(label, row)| ForestRow {
                label,
                interval: Some(row.difference),
                note: verdict_in_words(row),
            });
            blocks.push(Block::Forest(Forest {
                title: say!("{title}: how much more with {}", names[1]),
                unit,
                rows: rows.collect(),
                reference: Some(Mark { at: 0.0, label: said("no difference").to_owned() }),
            }));
        }
    }
    sections.push(Section { title: said("What is different").to_owned(), blocks });
    let all = columns(Seats::all(report.base.plan.players));
    let drawn = plotted(DISTRIBUTIONS).into_iter().filter_map(|id| {
        let place = all.iter().position(|column| column.id() == id)?;
        let scale = all.get(place)?.measure.scale;
        let figure = report.base.figure(id)?;
        let sides = [base.tally.columns.get(place)?, other.tally.columns.get(place)?];
        let is_same = report.row(id).is_some_and(is_never_different);
        (!is_same).then(|| {
            let mut drawn = histogram(figure, &[(&names[0], sides[0]), (&names[1], sides[1])], scale);
            drawn.marks.clear();
            Block::Histogram(drawn)
        })
    });
    let drawn: Vec<Block> = drawn.collect();
    if !drawn.is_empty() {
        sections.push(Section { title: said("How far games are apart").to_owned(), blocks: drawn });
    }
    let mut blocks = vec![Block::Table(compared_table(report, &names))];
    blocks.extend(few_games_blocks(&few_games_differences(&compared(report)), hint_at_bounds(&report.other)));
    sections.push(Section { title: said("All measures").to_owned(), blocks });
    Page {
        title: say!("{}: {} beside {}", report.base.plan.game, names[1], names[0]),
        lead: String::new(),
        facts: facts(&report.base),
        sections,
        notes: vec![
            said("Each seed was played under both rules, and differences were taken game by game. \"Saves\" says how many \
             times as many games it would take without that.")
                .to_owned(),
            said("Of 20 measures that are the same, one is shown to be different by chance.").to_owned(),
            said(INTERVALS).to_owned(),
        ]
        .into_iter()
        .chain(remarks_on_trust(&report.other))
        .collect(),
    }
}

/// The page of a comparison of many rulesets.
pub fn sweep_page(report: &SweepReport) -> Page {
    let Some(base) = report.tried.first() else { return Page::default() };
    let plan = &base.report.base.plan;
    let mut sections = Vec::new();
    let of_ruleset = |tried: &SweptRuleset| {
        let own = &tried.report.other;
        failed_games_in_words(own)
    };
    let mut wrong: Vec<Block> = report.tried.iter().filter_map(of_ruleset).map(Block::Warning).collect();
    if report.tried.iter().any(|tried| tried.report.left_out.count() > 0) {
        wrong.push(Block::Text(said(LEFT_OUT_OF_SWEEP).to_owned()));
    }
    if !wrong.is_empty() {
        sections.push(Section { title: said("What went wrong").to_owned(), blocks: wrong });
    }
    let groups = [
        (GoalStatus::Met, said("Meet the goals")),
        (GoalStatus::Open, said("Nobody can tell yet")),
        (GoalStatus::Missed, said("Do not meet the goals")),
    ];
    if !report.goals.is_empty() {
        for (standing, title) in groups {
            let tried: Vec<&SweptRuleset> = report.tried.iter().filter(|tried| tried.standing == standing).collect();
            if !tried.is_empty() {
                sections.push(Section { title: title.to_owned(), blocks: vec![goals_table(report, &tried)] });
            }
        }
    }
    let mut blocks: Vec<Block> = report.tried.iter().filter_map(few_of_sweep).map(Block::Text).collect();
    let spread = report.tried.iter().map(|tried| ForestRow {
        label: layers_in_words(&tried.report.other.plan),
        interval: tried.report.other.seat_spread,
        note: String::new(),
    });
    blocks.push(Block::Forest(Forest {
        title: said("Seat spread: how much more the best seat wins than the worst").to_owned(),
        unit: Unit::share_points(),
        rows: spread.collect(),
        reference: None,
    }));
    for id in plotted(&[Plot::Length, Plot::Points, Plot::Course]) {
        let Some(figure) = base.report.other.figure(id) else { continue };
        let rows = report.tried.iter().map(|tried| {
            let verdict = tried.report.row(id).map_or(Verdict::NotShown, |row| row.verdict);
            let note = if verdict == Verdict::NotShown { "" } else { said(verdict.words()) };
            let interval = tried.report.other.figure(id).map(|figure| figure.interval);
            ForestRow { label: layers_in_words(&tried.report.other.plan), interval, note: note.to_owned() }
        });
        let rows: Vec<ForestRow> = rows.collect();
        if rows.iter().any(|row| row.interval != Some(figure.interval)) {
            let (title, unit) = (measure(&figure.name).to_owned(), Unit::from(figure.unit));
            blocks.push(Block::Forest(Forest { title, unit, rows, reference: None }));
        }
    }
    sections.push(Section { title: said("Beside each other").to_owned(), blocks });
    Page {
        title: say!(
            "{}: {} beside {}",
            plan.game,
            counted(report.tried.len() as u64 - 1, "ruleset"),
            layers_in_words(plan)
        ),
        lead: String::new(),
        facts: facts(&base.report.base),
        sections,
        notes: vec![
            said("Values shown as higher or lower differ from the first row, game by game on the same seeds.")
                .to_owned(),
            said(
                "Goals are judged by intervals that hold no matter how often you look; decided rulesets are played no \
             further.",
            )
            .to_owned(),
            said(INTERVALS).to_owned(),
        ],
    }
}

/// The facts that the figures are based on: game, agents, seeds and so on.
fn facts(report: &SimReport) -> Vec<(String, String)> {
    let plan = &report.plan;
    let seeds = match seeds(report) {
        Ok(first) => (said("First seed"), first.to_string()),
        Err(several) => (said("Seeds"), several),
    };
    let mut agents = plan.agents.clone();
    agents.dedup();
    let teams = teams_in_words(&plan.teams);
    let teams = if teams.is_empty() { teams } else { format!(" ({teams})") };
    let players = format!("{}{teams}", plan.players);
    let rows = [
        (said("Game"), plan.game.clone()),
        (said("Variants"), plan.variants.join(said(", "))),
        (said("Settings"), plan.set.join(said(", "))),
        (said("Players"), players),
        (said("Who plays"), agents.join(said(", "))),
        (said("Games"), number::count(report.games.played)),
        seeds,
        (said("Ruleset"), plan.ruleset.split(':').next_back().unwrap_or_default().chars().take(12).collect()),
        ("Houserule", plan.version.clone()),
    ];
    let given = rows.into_iter().filter(|(_, value)| !value.is_empty());
    given.map(|(name, value)| (name.to_owned(), value)).collect()
}

fn troubles(report: &SimReport) -> Vec<Block> {
    endings_in_words(report).into_iter().map(Block::Warning).collect()
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

fn histogram(figure: &Figure, series: &[(&str, &Distribution)], scale: i64) -> Histogram {
    let counts: Vec<(&str, Vec<(i64, u64)>)> =
        series.iter().map(|(name, values)| (*name, values.classes().collect())).collect();
    let counts: Vec<(&str, &[(i64, u64)])> = counts.iter().map(|(name, counts)| (*name, &**counts)).collect();
    let unit = match figure.unit {
        Measured::Number => Unit::number(measure(&figure.name)),
        unit => unit.into(),
    };
    let scale = u64::try_from(scale).unwrap_or(1);
    let mut histogram = Histogram::of(&title_case(measure(&figure.name)), unit.clone(), scale, MAX_PAGE_BINS, &counts);
    let decimals = unit.decimals(&figure.interval);
    histogram.marks = vec![
        Mark { at: figure.interval.estimate, label: say!("mean {}", unit.bare(figure.interval.estimate, decimals)) },
        Mark {
            at: figure.quantiles[1],
            label: say!("median {}", unit.bare(figure.quantiles[1], if figure.is_whole() { 0 } else { decimals })),
        },
    ];
    histogram
}

/// A text with its first letter capitalised.
fn title_case(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

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

/// A value that is known exactly.
fn exact(unit: &Unit, value: f64) -> String {
    unit.value(value, if value.fract() == 0.0 { 0 } else { 2 })
}

/// The definition of each measure, and who made it.
fn definitions(figures: &[&Figure]) -> Table {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for figure in figures.iter().filter(|figure| !figure.about.is_empty()) {
        let row =
            vec![measure(&figure.name).to_owned(), told(&figure.about).into_owned(), told(figure.source).into_owned()];
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    let columns = [said("measure"), said("what it is"), said("after")].map(|name| (name.to_owned(), false)).to_vec();
    Table { title: said("What is measured").to_owned(), columns, rows }
}

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

/// The result of a comparison, in a sentence or two.
fn difference_in_words(report: &CompareReport) -> String {
    if report.pairs == 0 {
        return said("No pair of games came to its end.").to_owned();
    }
    if report.equal == report.pairs {
        return said("Every game is the same under both: nothing that is measured ever differs.").to_owned();
    }
    let shown: Vec<String> = compared(report)
        .into_iter()
        .filter(|(_, row)| row.verdict != Verdict::NotShown)
        .map(|(name, row)| match row.verdict {
            Verdict::Higher => say!("{} higher", name),
            _ => say!("{} lower", name),
        })
        .collect();
    let shown = match shown.as_slice() {
        [] => said("No difference is shown.").to_owned(),
        shown => say!("Shown: {}.", shown.join(said(", "))),
    };
    if report.equal == 0 {
        return shown;
    }
    let equal = Unit::share().value(report.equal as f64 / report.pairs as f64, 1);
    say!("{shown} {equal} of {} pairs of games came out the same under both.", number::count(report.pairs))
}

fn verdict_in_words(row: &ComparedMeasure) -> String {
    match (row.verdict, row.pairs_to_show) {
        (Verdict::NotShown, Some(pairs)) if pairs > row.pairs => {
            say!("not shown; about {} pairs would show this much", number::count(rounded(pairs)))
        }
        (verdict, _) => said(verdict.words()).to_owned(),
    }
}

/// A number rounded up to two significant digits.
fn rounded(count: u64) -> u64 {
    let mut unit = 1u64;
    while count / unit >= 100 {
        unit = unit.saturating_mul(10);
    }
    count.div_ceil(unit).saturating_mul(unit)
}

fn compared_table(report: &CompareReport, names: &[String; 2]) -> Table {
    let columns = vec![
        (said("measure").to_owned(), false),
        (names[0].clone(), true),
        (names[1].clone(), true),
        (said("difference").to_owned(), true),
        (said("95 % interval").to_owned(), true),
        (said("verdict").to_owned(), false),
        (said("saves").to_owned(), true),
    ];
    let rows = compared(report).into_iter().map(|(name, row)| {
        let (unit, differences) = (Unit::from(row.unit), Unit::of_differences(row.unit));
        let value = |interval: &Interval| match row.is_constant {
            true => exact(&unit, interval.estimate),
            false => unit.value(interval.estimate, differences.decimals(&row.difference)),
        };
        let difference = match row.is_constant {
            true => exact(&differences, row.difference.estimate),
            false => differences.estimate(&row.difference),
        };
        let range = match row.is_constant {
            true => range_of_same(&row.difference, row.unit),
            false => differences.range(&row.difference),
        };
        let verdict =
            if is_never_different(row) { said("the same in every game").to_owned() } else { verdict_in_words(row) };
        let saving = row.saving.map_or_else(String::new, |saving| {
            format!("{}×", number::number(saving, if saving < 10.0 { 1 } else { 0 }))
        });
        vec![name, value(&row.base), value(&row.other), difference, range, verdict, saving]
    });
    Table { title: String::new(), columns, rows: rows.collect() }
}

fn goals_table(report: &SweepReport, tried: &[&SweptRuleset]) -> Block {
    let mut columns = vec![(said("rules").to_owned(), false), (said("games").to_owned(), true)];
    columns.extend(report.goals.iter().map(|goal| (goal.to_string(), true)));
    let rows = tried.iter().map(|tried| {
        let own = &tried.report.other;
        let mut row = vec![layers_in_words(&own.plan), number::count(own.games.played)];
        row.extend(report.goals.iter().zip(&tried.goals).map(|(goal, standing)| {
            let range = goal.interval(own).map_or_else(
                || said("never measured").to_owned(),
                |(interval, unit)| {
                    let unit = Unit::from(unit);
                    let range = unit.range_beside(&interval, unit.decimals(&interval), &[goal.value]);
                    format!("{range} {}", unit.name())
                },
            );
            let words = match standing {
                GoalStatus::Met => said("met"),
                GoalStatus::Open => said("not known yet"),
                GoalStatus::Missed => said("not met"),
            };
            format!("{} ({words})", range.trim_end())
        }));
        row
    });
    Block::Table(Table { title: String::new(), columns, rows: rows.collect() })
}
