//! Tables and pages of a ladder of agents.

use super::NOTHING;
use super::figures::{Row, counted, folded, number, range, range_beside, told_apart};
use super::plot::number::{Unit, count, decimals_beside, decimals_of_mark};
use super::plot::page::{Block, Page, Section, Table};
use super::plot::{Curve, CurveSeries, Forest, ForestRow};
use super::simulation::rules_in_words;
use super::style::{Label, Line, wrapped};
use crate::catalogue::{said, say};
use crate::lab::ladder::{LadderReport, Match, Split, sum};
use crate::lab::measures::Unit as Measured;
use crate::lab::statistics::Interval;

/// The maximum length of a bar, in columns.
const MAX_BAR_COLUMNS: f64 = 7.0;

/// The ladders of one or several rulesets, as tables.
pub fn ladders(reports: &[LadderReport], columns: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let highest = reports.iter().filter_map(|report| report.depth).map(|depth| depth.estimate).fold(1.0, f64::max);
    for report in reports {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(ladder(report, highest, columns));
    }
    if let [one, other] = reports {
        lines.push(Line::default());
        lines.extend(wrapped(&beside(one, other), columns));
    }
    lines.push(Line::default());
    let seating = seating(reports);
    let legend = say!(
        "{seating} Elo is how much stronger an agent is than its opponent, and 400 Elo are ten times the odds; \
         \"in all\" and the bars add up the steps from the weakest."
    );
    lines.extend(wrapped(&legend, columns).into_iter().map(|line| line.restyled(Label::Faint)));
    lines.into_iter().map(|line| line.cut(columns)).collect()
}

/// A sentence on how agents are seated.
fn seating(reports: &[LadderReport]) -> &'static str {
    if reports.iter().any(|report| report.by_teams) {
        said("A stronger agent plays all seats of a team against weaker ones, each team once for each seed.")
    } else {
        said("A stronger agent sits alone among weaker ones, in every seat once for each seed.")
    }
}

fn ladder(report: &LadderReport, highest: f64, columns: usize) -> Vec<Line> {
    let plan = &report.plan;
    let players = counted(plan.players as u64, "player");
    let rest = say!(" · {players} · {} seeds from {}", plan.games, plan.seed);
    let mut lines = vec![Line::strong(rules_in_words(plan)).with(rest, Label::Faint), Line::default()];
    let head = Row::head([
        said("agent"),
        said("against"),
        said("wins"),
        said("95 % interval"),
        "Elo",
        said("95 % interval"),
        said("in all"),
        "",
    ]);
    let mut height = Some(0.0);
    let rows = report.rungs.iter().map(|rung| {
        height = height.zip(rung.elo).map(|(height, elo)| height + elo.estimate);
        let bars = height.map_or(0.0, |height| (height / highest * MAX_BAR_COLUMNS).round());
        let bars = bars.clamp(0.0, MAX_BAR_COLUMNS) as usize;
        Row(vec![
            Line::plain(&rung.strong),
            Line::faint(&rung.weak),
            Line::of(number(rung.wins.estimate, Measured::Share, rung.wins.half_width()), Label::Number),
            Line::faint(range_beside(&rung.wins, Measured::Share, &[rung.equal])),
            Line::of(signed(rung.elo.map(|elo| elo.estimate)), Label::Number),
            Line::faint(elo_range(rung.elo)),
            Line::of(signed(height), Label::Number),
            Line::faint("█".repeat(bars)),
        ])
    });
    lines.extend(folded(std::iter::once(head).chain(rows).collect(), &[0, 1, 7], columns));
    lines.extend(wrapped(&equal_share(&report.rungs), columns));
    let left_out = left_out(report).into_iter().flat_map(|words| wrapped(&words, columns));
    lines.extend(left_out.map(|line| line.restyled(Label::Error)));
    lines.push(Line::default());
    lines.extend(wrapped(&depth(report), columns));
    lines.extend(wrapped(&decides(report), columns));
    lines
}

/// A sentence on the share of wins of an agent that is as good as its opponents.
fn equal_share(rungs: &[Match]) -> String {
    let unit = Unit::share();
    let decimals = |rung: &Match| decimals_of_mark(rung.equal, [&rung.wins], &unit, 0);
    let most = rungs.iter().map(decimals).max().unwrap_or_default();
    let mut shares: Vec<String> = rungs.iter().map(|rung| unit.value(rung.equal, most)).collect();
    shares.dedup();
    say!(
        "An equal share of the wins is {}: an agent that wins more plays better than its opponents.",
        shares.join(said(", "))
    )
}

/// A sentence on the Elo between the weakest and the strongest agent.
fn depth(report: &LadderReport) -> String {
    let (lowest, top) = (report.weakest(), report.strongest());
    match report.depth {
        Some(depth) => say!(
            "{} Elo lie between {lowest} and {top} ({}).",
            signed(Some(depth.estimate)).trim_start_matches('+'),
            elo_range(report.depth)
        ),
        None => say!("How many Elo lie between {lowest} and {top} is not known."),
    }
}

/// A sentence on how much skill, seat and luck decide in games of an expert among beginners.
fn decides(report: &LadderReport) -> String {
    let ends = &report.ends;
    let table = if report.by_teams {
        say!("a team of {} against {}", ends.strong, ends.weak)
    } else {
        say!("one {} among {} {}", ends.strong, report.plan.players.saturating_sub(1), ends.weak)
    };
    let share = |interval: &Interval| {
        let value = number(interval.estimate, Measured::Share, 0.01);
        format!("{value} ({})", range(interval, Measured::Share))
    };
    match &ends.split {
        Some(Split { seat, skill, luck }) => {
            say!("What decides with {table}: skill {}, seat {}, luck {}.", share(skill), share(seat), share(luck))
        }
        None => say!(
            "It takes 20 seeds or more to tell how much skill, seat and luck decide; of {} all games ended.",
            count(ends.seeds)
        ),
    }
}

/// A sentence that compares the depth of two ladders.
fn beside(one: &LadderReport, other: &LadderReport) -> String {
    let depths = one.depth.zip(other.depth).map(|(one, other)| {
        let [half, other_half] = [one, other].map(|depth| depth.half_width());
        (one.estimate - other.estimate, (half * half + other_half * other_half).sqrt())
    });
    let [one, other] = [one, other].map(|report| rules_in_words(&report.plan));
    let Some((difference, together)) = depths.filter(|(_, together)| together.is_finite()) else {
        return say!("{one} and {other} cannot be compared yet: play more seeds, or rungs that lie closer together.");
    };
    let [apart, together_shown] = told_apart(difference, together);
    let sign = if difference > 0.0 { "+" } else { "" };
    let found = format!("{sign}{apart} Elo (±{together_shown})");
    match difference.abs() > together {
        true if difference > 0.0 => say!("{one} rewards more skill than {other}: {found}."),
        true => say!("{one} rewards less skill than {other}: {found}."),
        false => say!("No difference in skill is shown between {one} and {other}: {found}."),
    }
}

/// Remarks on games that were not played, failed or did not end.
fn left_out(report: &LadderReport) -> Vec<String> {
    let failed: u64 = report.rungs.iter().map(|rung| rung.failed).sum();
    let unplayed = || {
        let unplayed = say!("{} of {} were not played", count(report.unplayed), counted(report.games, "game"));
        if report.is_out_of_time { say!("{unplayed}: the time was up") } else { unplayed }
    };
    let sim = report.plan.command();
    let wrong = || say!("{} went wrong: `{sim}` shows how. Their seeds do not count.", counted(failed, "game"));
    (report.unplayed > 0).then(unplayed).into_iter().chain((failed > 0).then(wrong)).collect()
}

fn signed(elo: Option<f64>) -> String {
    let Some(elo) = elo else { return NOTHING.to_owned() };
    let text = number(elo, Measured::Number, 1.0);
    if elo > 0.0 { format!("+{text}") } else { text }
}

/// The only finite end of an interval, with its sign.
fn signed_end(elo: f64) -> String {
    let text = Unit::number("").bare(elo, decimals_beside(elo, &[0.0], 0));
    if elo > 0.0 { format!("+{text}") } else { text }
}

fn elo_range(elo: Option<Interval>) -> String {
    let Some(elo) = elo else { return said("not known").to_owned() };
    match (elo.low.is_finite(), elo.high.is_finite()) {
        (true, true) => range(&elo, Measured::Number),
        (true, false) => say!("{} at least", signed_end(elo.low)),
        (false, true) => say!("{} at most", signed_end(elo.high)),
        (false, false) => said("not known").to_owned(),
    }
}

/// The ladders of one or several rulesets, as a page: the curve of skill, and the shares of skill, seat and luck.
pub fn ladders_page(reports: &[LadderReport]) -> Page {
    let Some(first) = reports.first() else { return Page::default() };
    let names: Vec<String> = reports.iter().map(|report| rules_in_words(&report.plan)).collect();
    let steps = std::iter::once(first.weakest().to_owned()).chain(first.rungs.iter().map(|rung| rung.strong.clone()));
    let curve = Curve {
        title: said("How strong each agent is").to_owned(),
        unit: Unit::number("Elo"),
        steps_title: said("agents, the weakest first").to_owned(),
        steps: steps.collect(),
        series: reports.iter().zip(&names).map(|(report, name)| climb(report, name, reports.len())).collect(),
        reference: None,
    };
    let mut skill = vec![Block::Curve(curve)];
    for (report, name) in reports.iter().zip(&names) {
        skill.push(Block::Text(format!("{name}{}{}", said(": "), depth(report))));
        skill.push(Block::Table(rungs(report, if reports.len() > 1 { name } else { "" })));
        skill.extend(left_out(report).into_iter().map(Block::Text));
    }
    if let [one, other] = reports {
        skill.push(Block::Text(beside(one, other)));
    }
    let mut decides_blocks = Vec::new();
    for (report, name) in reports.iter().zip(&names) {
        decides_blocks.push(Block::Text(format!("{name}: {}", decides(report))));
        if let Some(split) = &report.ends.split {
            let rows = [(said("skill"), split.skill), (said("seat"), split.seat), (said("luck"), split.luck)];
            let row = |(label, interval): (&str, Interval)| ForestRow {
                label: label.to_owned(),
                interval: Some(interval),
                note: String::new(),
            };
            decides_blocks.push(Block::Forest(Forest {
                title: said("Share of the variance of wins").to_owned(),
                unit: Unit::share(),
                rows: rows.map(row).to_vec(),
                reference: None,
            }));
        }
    }
    Page {
        title: say!("{}: how much skill decides", names.join(said(" beside "))),
        lead: say!("Stronger and stronger agents play against each other. {}", seating(reports)),
        facts: vec![
            (said("Players").to_owned(), first.plan.players.to_string()),
            (said("Seeds").to_owned(), first.plan.games.to_string()),
            (said("First seed").to_owned(), first.plan.seed.to_string()),
            ("Houserule".to_owned(), first.plan.version.clone()),
        ],
        sections: vec![
            Section { title: said("Skill").to_owned(), blocks: skill },
            Section { title: said("What decides").to_owned(), blocks: decides_blocks },
        ],
        notes: vec![
            said("400 Elo are ten times the odds of winning.").to_owned(),
            said("If an agent won every game, its lead can be anything above the minimum that is shown.").to_owned(),
        ],
    }
}

/// The Elo of each agent above the lowest.
fn climb(report: &LadderReport, name: &str, of: usize) -> CurveSeries {
    let ground = Some(Interval { estimate: 0.0, low: 0.0, high: 0.0 });
    let heights = (0..report.rungs.len()).map(|rung| sum(report.rungs.iter().take(rung + 1).map(|rung| rung.elo)));
    let points = std::iter::once(ground).chain(heights).collect();
    CurveSeries { name: if of > 1 { name.to_owned() } else { String::new() }, points }
}

fn rungs(report: &LadderReport, title: &str) -> Table {
    let columns = [
        (said("agent"), false),
        (said("against"), false),
        (said("wins"), true),
        (said("95 % interval"), true),
        ("Elo", true),
        (said("95 % interval"), true),
    ];
    let row = |rung: &Match| {
        vec![
            rung.strong.clone(),
            rung.weak.clone(),
            Unit::share().estimate(&rung.wins),
            Unit::share().range_beside(&rung.wins, Unit::share().decimals(&rung.wins), &[rung.equal]),
            signed(rung.elo.map(|elo| elo.estimate)),
            elo_range(rung.elo),
        ]
    };
    Table {
        title: title.to_owned(),
        columns: columns.map(|(name, is_number)| (name.to_owned(), is_number)).to_vec(),
        rows: report.rungs.iter().map(row).collect(),
    }
}
