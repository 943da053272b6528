//! The results of many games, as pages of plots and tables.

mod comparison;
mod simulation;
mod sweep;

pub use comparison::comparison_page;
pub use simulation::simulation_page;
pub use sweep::sweep_page;

use super::figures::measure;
use super::plot::number::{self, Unit};
use super::plot::page::{Block, Section};
use super::plot::{Histogram, MAX_PAGE_BINS, Mark};
use super::simulation::seeds;
use super::teams_in_words;
use crate::catalogue::{said, say};
use crate::lab::distribution::Distribution;
use crate::lab::measures::{Plot, Unit as Measured};
use crate::lab::report::{Figure, SimReport};

/// The plots of distributions.
const DISTRIBUTIONS: &[Plot] = &[Plot::Length, Plot::Points];

/// The explanation of confidence intervals.
const INTERVALS: &str = "An interval is computed so that it covers the truth in 95 of 100 such runs. The truth is what \
                         endlessly many games of the same rules and the same players would give.";

/// A section of a page; `None` where there is nothing in it.
fn section(title: &str, blocks: Vec<Block>) -> Option<Section> {
    (!blocks.is_empty()).then(|| Section { title: title.to_owned(), blocks })
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

/// A histogram of a figure, with its mean and median marked.
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
pub(super) fn title_case(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A value that is known exactly.
fn exact(unit: &Unit, value: f64) -> String {
    unit.value(value, if value.fract() == 0.0 { 0 } else { 2 })
}
