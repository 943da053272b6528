//! Tables of several rulesets compared after many games.

use super::few_games::{
    few_games_differences, few_games_table, few_in_words, hint_at_bounds, name_of, remarks_on_trust,
};
use super::figures::{Row, counted, exactness, folded, measure, number, precision, range, range_beside, range_of_same};
use super::plot::number::count;
use super::simulation::{cut_off, headline, team_led_by, unplayed_in_words};
use super::style::{Label, Line, wrapped};
use super::teams_in_words;
use crate::catalogue::{said, say};
use crate::lab::compare::{CompareReport, ComparedMeasure, ExcludedPairs};
use crate::lab::goal::GoalStatus;
use crate::lab::measures::{Measure, Unit, in_sweeps};
use crate::lab::report::{Endings, SimReport};
use crate::lab::shard::PlanFacts;
use crate::lab::statistics::{Interval, Verdict};
use crate::lab::sweep::{SweepReport, SweptRuleset};
use crate::ruleset::Selection;
use crate::table::value::Seat;

/// Most differences named while games are being played.
const MAX_NAMED_DIFFERENCES: usize = 3;

/// A line on the differences shown so far. Its intervals hold however often they are checked.
pub fn running_comparison(report: &CompareReport) -> String {
    let shown = compared(report).into_iter().filter(|(_, row)| Verdict::of(&row.anytime) != Verdict::NotShown);
    let words: Vec<String> = shown
        .take(MAX_NAMED_DIFFERENCES)
        .map(|(name, row)| format!("{name} {}", signed(row.anytime.estimate, row.unit, row.anytime.half_width())))
        .collect();
    if words.is_empty() { said("no difference is shown yet").to_owned() } else { words.join(said(", ")) }
}

/// The teams, of both rulesets where they differ.
fn teams_beside(report: &CompareReport) -> String {
    let [base, other] = [&report.base, &report.other].map(|report| match report.plan.teams.as_slice() {
        [] => said("no teams").to_owned(),
        teams => teams_in_words(teams),
    });
    match (base == other, report.base.plan.teams.is_empty()) {
        (true, true) => String::new(),
        (true, false) => base,
        (false, _) => say!("{other} beside {base}"),
    }
}

/// A comparison of two rulesets, as lines.
pub fn rulesets_compared(report: &CompareReport, columns: usize) -> Vec<Line> {
    let [base, other] = [&report.base, &report.other].map(|report| layers_in_words(&report.plan));
    let title = say!("{}: {other} beside {base}", report.base.plan.game);
    let mut lines = headline(&report.base, &title, &teams_beside(report), columns);
    lines.extend(unplayed_in_words(&report.base).into_iter().flat_map(|words| wrapped(&words, columns)));
    lines.extend(failed_games_note(&report.base, columns));
    lines.extend(failed_games_note(&report.other, columns));
    lines.extend(left_out(report, [&base, &other]).into_iter().flat_map(|words| wrapped(&words, columns)));
    for side in [&report.base, &report.other] {
        let words = cut_off(side).map(|words| format!("{}: {words}", layers_in_words(&side.plan)));
        lines.extend(words.into_iter().flat_map(|words| wrapped(&words, columns)));
    }
    if report.pairs == 0 {
        return lines;
    }
    if report.equal == report.pairs {
        lines.push(Line::plain(said("Every game is the same under both: nothing that is measured ever differs.")));
        return lines;
    }
    if report.equal > 0 {
        let words = say!("{} of {} came out the same under both.", counted(report.equal, "game"), report.pairs);
        lines.push(Line::faint(words));
    }
    let (shown, rest): (Vec<_>, Vec<_>) =
        compared(report).into_iter().partition(|(_, row)| row.verdict != Verdict::NotShown);
    let (same, not_shown): (Vec<_>, Vec<_>) = rest.into_iter().partition(|(_, row)| is_never_different(row));
    lines.push(Line::default());
    lines.push(Line::strong(said("Shown to be different")));
    lines.extend(rows(&shown, [&base, &other], columns));
    if !not_shown.is_empty() {
        lines.push(Line::default());
        lines.push(Line::strong(said("Not shown to be different")));
        lines.extend(rows(&not_shown, [&base, &other], columns));
    }
    lines.extend(few_games_table(&few_games_differences(&compared(report)), hint_at_bounds(&report.other), columns));
    for side in [&report.base, &report.other] {
        let words = remarks_on_trust(side).into_iter().map(|words| format!("{}: {words}", layers_in_words(&side.plan)));
        lines.extend(words.flat_map(|words| wrapped(&words, columns)));
    }
    if !same.is_empty() {
        let names: Vec<String> = same.into_iter().map(|(name, _)| name).collect();
        lines.push(Line::default());
        lines.extend(wrapped(&say!("The same in every game: {}.", names.join(said(", "))), columns));
    }
    lines.push(Line::default());
    let legend = said(
        "Each seed is played under both, and differences are taken game by game; \"saves\" says how many \
        times as many games it would take otherwise. A difference counts only the seeds where both games have the \
        measure, so it need not be the difference of the two columns. Of 20 measures that are the same, one is shown \
        to be different by chance.",
    );
    lines.extend(wrapped(legend, columns).into_iter().map(|line| line.restyled(Label::Faint)));
    lines.into_iter().map(|line| line.cut(columns)).collect()
}

/// A line on the goals of many rulesets so far.
pub fn running_sweep(report: &SweepReport) -> String {
    let count = |standing| report.tried.iter().skip(1).filter(|tried| tried.standing == standing).count();
    say!(
        "{} meet the goals, {} do not, {} not known yet",
        count(GoalStatus::Met),
        count(GoalStatus::Missed),
        count(GoalStatus::Open)
    )
}

/// The title of a comparison of many rulesets with the one of `plan`.
pub(super) fn sweep_title(report: &SweepReport, plan: &PlanFacts) -> String {
    say!("{}: {} beside {}", plan.game, counted(report.tried.len() as u64 - 1, "ruleset"), layers_in_words(plan))
}

/// A comparison of many rulesets, as lines.
pub fn sweep(report: &SweepReport, columns: usize) -> Vec<Line> {
    let Some(base) = report.tried.first() else { return Vec::new() };
    let title = sweep_title(report, &base.report.base.plan);
    let mut lines = headline(&base.report.base, &title, &teams_in_words(&base.report.base.plan.teams), columns);
    // Rulesets that are known well enough are played no further; only where the time was up is that worth a remark.
    let unplayed = Some(&base.report.base).filter(|report| report.is_out_of_time).and_then(unplayed_in_words);
    lines.extend(unplayed.into_iter().flat_map(|words| wrapped(&words, columns)));
    lines.push(Line::default());
    for tried in &report.tried {
        lines.extend(failed_games_note(&tried.report.other, columns));
    }
    let are_left_out = report.tried.iter().any(|tried| tried.report.left_out.count() > 0);
    lines.extend(are_left_out.then(|| wrapped(said(LEFT_OUT_OF_SWEEP), columns)).into_iter().flatten());
    let few = report.tried.iter().filter_map(few_of_sweep);
    lines.extend(few.flat_map(|words| wrapped(&words, columns)));
    if report.goals.is_empty() {
        lines.extend(by_figures(report, columns));
    } else {
        lines.extend(by_goals(report, columns));
    }
    lines.into_iter().map(|line| line.cut(columns)).collect()
}

/// The variants and settings of a selection, or the game's id if there are none.
pub fn selection_in_words(selection: &Selection) -> String {
    let over: Vec<&str> = selection.variants.iter().chain(&selection.set).map(String::as_str).collect();
    if over.is_empty() { selection.game.clone() } else { over.join(" + ") }
}

/// A sentence on which figures of a ruleset are made by few games; `None` if there are none.
pub(super) fn few_of_sweep(tried: &SweptRuleset) -> Option<String> {
    let own = &tried.report.other;
    let shown = in_sweeps().into_iter().filter_map(|measure| own.figure(measure.id));
    few_in_words(&layers_in_words(&own.plan), shown.chain(&own.metrics))
}

/// A table of the rulesets with the most common figures.
fn by_figures(report: &SweepReport, columns: usize) -> Vec<Line> {
    let shown = in_sweeps();
    let names = shown.iter().map(|shown| measure(shown.name));
    let head = Row::head([said("rules"), said("seat spread")].into_iter().chain(names));
    let is_shown =
        |tried: &SweptRuleset, id: &str| tried.report.row(id).is_some_and(|row| row.verdict != Verdict::NotShown);
    let is_any_shown = |id: &str| report.tried.iter().any(|tried| is_shown(tried, id));
    let rows = report.tried.iter().map(|tried| {
        let own = &tried.report.other;
        let mut cells = vec![Line::plain(layers_in_words(&own.plan))];
        // The spread cannot be negative, so its interval is not symmetric.
        let spread = own.seat_spread.map_or_else(String::new, |spread| range(&spread, Unit::Share));
        cells.push(Line::plain(spread));
        for Measure { id, .. } in &shown {
            let words = own.figure(id).map_or_else(String::new, |figure| with_half(&figure.interval, figure.unit));
            let verdict = tried.report.row(id).map_or(Verdict::NotShown, |row| row.verdict);
            cells.push(match verdict {
                Verdict::NotShown if is_any_shown(id) => Line::plain(words + "  "),
                Verdict::NotShown => Line::plain(words),
                Verdict::Higher | Verdict::Lower => Line::strong(words + " *"),
            });
        }
        Row(cells)
    });
    let mut lines = folded(std::iter::once(head).chain(rows).collect(), &[0], columns);
    lines.push(Line::default());
    let legend = said("Values with a * are shown to differ from the first line, game by game on the same seeds.");
    lines.extend(wrapped(legend, columns).into_iter().map(|line| line.restyled(Label::Faint)));
    lines
}

/// The rulesets in groups with titles: those that meet the goals, those that are still open, and those that do not meet
/// them. Empty groups are left out.
pub(super) fn goal_groups(report: &SweepReport) -> impl Iterator<Item = (&'static str, Vec<&SweptRuleset>)> {
    let groups = [
        (GoalStatus::Met, said("Meet the goals")),
        (GoalStatus::Open, said("Nobody can tell yet")),
        (GoalStatus::Missed, said("Do not meet the goals")),
    ];
    let of = |standing| report.tried.iter().filter(move |tried| tried.standing == standing).collect::<Vec<_>>();
    groups.into_iter().map(move |(standing, title)| (title, of(standing))).filter(|(_, tried)| !tried.is_empty())
}

fn by_goals(report: &SweepReport, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for (title, tried) in goal_groups(report) {
        lines.push(Line::strong(title));
        let goals: Vec<String> = report.goals.iter().map(ToString::to_string).collect();
        let head = Row::head(["", said("games")].into_iter().chain(goals.iter().map(String::as_str)));
        let rows = tried.iter().map(|tried| {
            let own = &tried.report.other;
            let games = own.games.played;
            let mut cells =
                vec![Line::plain(format!("  {}", layers_in_words(&own.plan))), Line::faint(games.to_string())];
            for (goal, standing) in report.goals.iter().zip(&tried.goals) {
                let words = goal.interval(own).map_or_else(
                    || said("never measured").to_owned(),
                    |(interval, unit)| range_beside(&interval, unit, &[goal.value]),
                );
                let label = match standing {
                    GoalStatus::Met => Label::Gain,
                    GoalStatus::Open => Label::Plain,
                    GoalStatus::Missed => Label::Faint,
                };
                cells.push(Line::of(words, label));
            }
            Row(cells)
        });
        lines.extend(folded(std::iter::once(head).chain(rows).collect(), &[0], columns));
        lines.push(Line::default());
    }
    let legend = said(
        "Intervals hold with 95 % for each ruleset, no matter how often you look; decided rulesets are played no \
         further.",
    );
    lines.extend(wrapped(legend, columns).into_iter().map(|line| line.restyled(Label::Faint)));
    lines
}

fn rows(rows: &[(String, &ComparedMeasure)], [base, other]: [&str; 2], columns: usize) -> Vec<Line> {
    if rows.is_empty() {
        return vec![Line::faint(said("nothing"))];
    }
    let short = |name: &str| super::style::cut(name, NAME_WIDTH);
    let (base, other) = (short(base), short(other));
    // Long names can begin alike.
    let (base, other) =
        if base == other { (said("base").to_owned(), said("changed").to_owned()) } else { (base, other) };
    let head = Row::head(["", base.as_str(), other.as_str(), said("difference"), said("95 % interval"), said("saves")]);
    let body = rows.iter().map(|(name, row)| {
        let exactness = if row.is_constant { exactness(row.difference.estimate) } else { precision(&row.difference) };
        let value = |interval: &Interval| Line::plain(number(interval.estimate, row.unit, exactness));
        let saving = row.saving.map_or_else(String::new, |saving| {
            format!("{}×", number(saving, Unit::Number, if saving < 10.0 { 0.1 } else { 1.0 }))
        });
        Row(vec![
            Line::plain(name.as_str()),
            value(&row.base),
            value(&row.other),
            Line::of(signed(row.difference.estimate, row.unit, exactness), Label::Number),
            Line::faint(match row.is_constant {
                true => range_of_same(&row.difference, row.unit),
                false => range(&row.difference, row.unit),
            }),
            Line::faint(saving),
        ])
    });
    folded(std::iter::once(head).chain(body).collect(), &[0], columns)
}

/// The maximum width of a ruleset's name as a column head.
const NAME_WIDTH: usize = 10;

/// A note on games that did not end, for a comparison of many rulesets.
pub(super) const LEFT_OUT_OF_SWEEP: &str = "The figures of each ruleset are from its games that ended; what is shown \
    to differ is from the seeds where both that game and the one of the first line ended.";

fn failed_games_note(report: &SimReport, columns: usize) -> Vec<Line> {
    let words = failed_games_in_words(report);
    let lines = words.into_iter().flat_map(|words| wrapped(&words, columns));
    lines.map(|line| line.restyled(Label::Error)).collect()
}

/// A sentence on how many games of a ruleset did not end, and why; `None` if all did.
pub(super) fn failed_games_in_words(report: &SimReport) -> Option<String> {
    let Endings { played, failed, endless, .. } = report.games;
    let (rules, sim) = (layers_in_words(&report.plan), report.plan.command());
    let parts = [(failed, said("failed")), (endless, said("had no end and were cut off"))];
    let told: Vec<String> =
        parts.iter().filter(|(games, _)| *games > 0).map(|(games, how)| format!("{} {how}", count(*games))).collect();
    (!told.is_empty())
        .then(|| say!("Under {rules}, of {} {}: `{sim}` shows how.", counted(played, "game"), told.join(said(", "))))
}

/// A sentence on which pairs of games are left out because a game did not end; `None` if none are.
pub(super) fn left_out(report: &CompareReport, [base, other]: [&str; 2]) -> Option<String> {
    let ExcludedPairs { only_base, only_other, both } = report.left_out;
    let all = report.left_out.count();
    if all == 0 {
        return None;
    }
    let sides = [
        (only_base, say!("under {base} alone")),
        (only_other, say!("under {other} alone")),
        (both, said("under both").to_owned()),
    ];
    let sides: Vec<String> =
        sides.iter().filter(|(pairs, _)| *pairs > 0).map(|(pairs, side)| format!("{} {side}", count(*pairs))).collect();
    let rest = match report.pairs {
        0 => said("No pair is left to compare.").to_owned(),
        pairs => say!("Differences are from the other {}; those that are left out may be different.", count(pairs)),
    };
    Some(say!(
        "{} of {} pairs have a game that did not come to its end: {}. {rest}",
        count(all),
        count(all + report.pairs),
        sides.join(said(", "))
    ))
}

/// Whether no pair of games ever differed.
pub(super) fn is_never_different(row: &ComparedMeasure) -> bool {
    row.is_constant && row.difference.estimate == 0.0
}

/// The compared figures with their names. A figure that is the same for all players of a team is listed once, for the
/// team.
pub(super) fn compared(report: &CompareReport) -> Vec<(String, &ComparedMeasure)> {
    let (base, other) = (&report.base.plan, &report.other.plan);
    let who = |row: &ComparedMeasure, seat: Seat| -> Option<String> {
        let is_alike = |number: &usize| {
            let is_partners =
                |one: &&ComparedMeasure| one.name == row.name && one.seat.is_some_and(|seat| seat.number() == *number);
            report
                .rows
                .iter()
                .find(is_partners)
                .is_some_and(|one| (one.base, one.other, one.difference) == (row.base, row.other, row.difference))
        };
        let is_of_all = base.teams == other.teams && base.team_of(seat).iter().all(is_alike);
        if is_of_all { team_led_by(base, seat) } else { Some(seat.to_string()) }
    };
    let name = |row: &ComparedMeasure| match row.seat {
        Some(seat) => who(row, seat).map(|who| format!("{who} {}", measure(&row.name))),
        None => Some(name_of(&row.name, None, row.place)),
    };
    report.rows.iter().filter_map(|row| Some((name(row)?, row))).collect()
}

/// The variants and settings of a plan, or `plain game` if there are none.
pub(super) fn layers_in_words(plan: &PlanFacts) -> String {
    let over: Vec<&str> = plan.variants.iter().chain(&plan.set).map(String::as_str).collect();
    if over.is_empty() { said("plain game").to_owned() } else { over.join(" + ") }
}

/// A difference with its sign.
fn signed(value: f64, unit: Unit, precision: f64) -> String {
    let text = number(value, unit, precision);
    if value > 0.0 { format!("+{text}") } else { text }
}

/// A value with its half-width: `12.3 ±0.2`.
fn with_half(interval: &Interval, unit: Unit) -> String {
    let half = interval.half_width();
    let value = number(interval.estimate, unit, precision(interval));
    if half.is_finite() { format!("{} ±{}", value.trim_end_matches(" %"), number(half, unit, half)) } else { value }
}
