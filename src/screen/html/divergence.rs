//! The first difference between two rulesets in the same log: both tables side by side.

use super::escape;
use super::parts::Pictures;
use super::table::{Drawer, Slot, line, skeleton, slots};
use crate::inspect::compare::{Comparison, Row, Side};
use crate::playthrough::log::LogEntry;
use crate::playthrough::{DryRun, Playable};
use crate::screen::{Scene, Sight, fill, misfit, side};

/// The prefixes of the picture ids of each side.
const SIDES: [&str; 2] = ["before-", "after-"];

/// The tables of a log under the old and the new rules, at the first difference. `None` where both are the same or the
/// work was stopped. The scene gives the viewer of both.
pub fn divergence(scene: &Scene<'_>, rules: [&Playable; 2], log: &[LogEntry]) -> Option<String> {
    let run = |log: &[LogEntry]| -> Option<[DryRun; 2]> {
        let [before, after] = rules.map(|loaded| loaded.follow(scene.seed, log).ok());
        before.zip(after).map(<[DryRun; 2]>::from)
    };
    let whole = run(log)?;
    let reason = whole.iter().find_map(|run| run.misfit.as_ref());
    let reason = reason.map(|found| misfit(scene, found).iter().map(line).collect::<Vec<_>>().join(" "));
    // Where a move does not fit, both are compared before it: later positions would not belong together.
    let misfit = whole.iter().filter_map(|run| run.misfit.as_ref()).map(|found| found.number).min();
    let runs = match misfit {
        Some(number) => run(log.get(..number.saturating_sub(1))?)?,
        None => whole,
    };
    let [before, after] = [0, 1].map(|number: usize| {
        let run = &runs[number];
        side(scene, rules[number], &run.log, &run.position, (None, &run.left_out))
    });
    let comparison = Comparison::of(before, after, None);
    if comparison.is_nothing() && misfit.is_none() {
        return None;
    }
    let first = comparison.moves.first();
    let is_told = first.is_some_and(|first| first.rows.iter().any(|row| matches!(row, Row::Other(..))));
    // A difference in events shows after the move, one in options before it.
    let number = match first {
        Some(first) if is_told => first.number,
        Some(first) => first.number.saturating_sub(1),
        None => comparison.common,
    };
    let parted = run(log.get(..number)?)?;
    let words = &scene.language.words().live;
    let mut out = format!("<h2>{}</h2>\n", escape(&fill(words.divergence, &[&(number + 1)])));
    if let Some(reason) = reason {
        out.push_str(&format!("<p class=\"warning\">{reason}</p>\n"));
    }
    out.push_str("<div class=\"sides\">\n");
    for (place, name) in [words.before, words.after].into_iter().enumerate() {
        let told = first.filter(|_| is_told).map(|first| own_lines(&comparison.sides[place], &first.rows, place));
        let here = Scene { move_number: number + 1, ..scene.under(rules[place], &parted[place].position) };
        out.push_str(&format!(
            "<div class=\"side\"><h3>{}</h3>\n<ul class=\"own-lines\">{}</ul>\n{}</div>\n",
            escape(name),
            told.unwrap_or_default(),
            drawn(&here, SIDES[place])
        ));
    }
    Some(out + "</div>\n")
}

/// The log lines of the move that only this side has.
fn own_lines(side: &Side<'_>, rows: &[Row], place: usize) -> String {
    let own = rows.iter().filter_map(|row| match row {
        Row::Other(before, after) => side.told.get([*before, *after][place]?),
        Row::Same(..) => None,
    });
    own.map(|told| format!("<li>{}</li>", escape(&told.seen))).collect()
}

/// The table of one side, with pictures of its own.
fn drawn(scene: &Scene<'_>, prefix: &'static str) -> String {
    let sight = Sight::of(scene);
    let mut pictures = Pictures::with_prefix(prefix);
    let plan: Vec<Slot> = slots(sight.layout).into_iter().filter(|slot| !matches!(slot, Slot::Ending(_))).collect();
    let contents =
        plan.iter().map(|slot| Drawer { sight: &sight, pictures: &mut pictures, has_places: true }.content(*slot));
    let contents: Vec<String> = contents.collect();
    let content = |wanted: Slot| {
        let number = plan.iter().position(|slot| *slot == wanted)?;
        Some((number, contents.get(number)?.clone()))
    };
    pictures.symbols(sight.names()) + skeleton(&sight, &content, true, false).as_str()
}
