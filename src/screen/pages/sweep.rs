//! The page of many rulesets beside each other.

use super::{INTERVALS, facts, section};
use crate::catalogue::said;
use crate::lab::goal::GoalStatus;
use crate::lab::measures::{Plot, plotted};
use crate::lab::statistics::Verdict;
use crate::lab::sweep::{SweepReport, SweptRuleset};
use crate::screen::contest::{
    LEFT_OUT_OF_SWEEP, failed_games_in_words, few_of_sweep, goal_groups, layers_in_words, sweep_title,
};
use crate::screen::figures::measure;
use crate::screen::plot::number::{self, Unit};
use crate::screen::plot::page::{Block, Page, Section, Table};
use crate::screen::plot::{Forest, ForestRow};

/// The page of a comparison of many rulesets.
pub fn sweep_page(report: &SweepReport) -> Page {
    let Some(base) = report.tried.first() else { return Page::default() };
    let mut sections = Vec::new();
    let of_ruleset = |tried: &SweptRuleset| failed_games_in_words(&tried.report.other);
    let mut wrong: Vec<Block> = report.tried.iter().filter_map(of_ruleset).map(Block::Warning).collect();
    if report.tried.iter().any(|tried| tried.report.left_out.count() > 0) {
        wrong.push(Block::Text(said(LEFT_OUT_OF_SWEEP).to_owned()));
    }
    sections.extend(section(said("What went wrong"), wrong));
    if !report.goals.is_empty() {
        sections.extend(
            goal_groups(report)
                .map(|(title, tried)| Section { title: title.to_owned(), blocks: vec![goals_table(report, &tried)] }),
        );
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
        title: sweep_title(report, &base.report.base.plan),
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

/// How far rulesets meet the goals.
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
