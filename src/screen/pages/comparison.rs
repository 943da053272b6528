//! The page of two rulesets beside each other.

use super::{DISTRIBUTIONS, INTERVALS, exact, facts, histogram, section};
use crate::catalogue::{said, say};
use crate::lab::compare::{CompareReport, ComparedMeasure, Side};
use crate::lab::measures::{Unit as Measured, columns, plotted};
use crate::lab::report::SimReport;
use crate::lab::statistics::{Interval, Verdict};
use crate::screen::contest::{compared, is_never_different, layers_in_words, left_out};
use crate::screen::few_games::{few_games_blocks, few_games_differences, hint_at_bounds, remarks_on_trust};
use crate::screen::figures::range_of_same;
use crate::screen::plot::number::{self, Unit};
use crate::screen::plot::page::{Block, Page, Section, Table};
use crate::screen::plot::{Forest, ForestRow, Mark};
use crate::screen::simulation::endings_in_words;
use crate::table::value::Seats;

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
    sections.extend(section(said("What went wrong"), wrong));
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
    sections.extend(section(said("How far games are apart"), drawn.collect()));
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

/// What is shown of a difference, or how many games would show it.
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

/// Every measure under both rulesets.
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
