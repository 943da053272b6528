//! The effects of changed rules on the same game.

use super::entries::{left_out, misfit};
use super::{NOTHING, Scene, Sight, fill, fitted};
use crate::diagnostic::visible;
use crate::playthrough::change::Change;
use crate::screen::style::{Label, Line, flow, hang};
use crate::table::knowledge::is_uncounted;
use crate::table::value::Value;

/// Most entries listed; the rest is only counted.
pub(super) const MAX_LISTED_ENTRIES: usize = 12;

/// The effects of changed rules on the same game; of zones hidden from the viewer, only the numbers of components.
pub fn change(scene: &Scene<'_>, change: &Change) -> Vec<Line> {
    let sight = Sight::of(scene);
    let mut lines: Vec<Line> =
        change.left_out.iter().flat_map(|(number, entry)| left_out(scene, *number, entry)).collect();
    lines.extend(change.misfit.iter().flat_map(|found| misfit(scene, found)));
    if change.waiting > 0 {
        let moves = if change.waiting == 1 { sight.words.one_move } else { sight.words.many_moves };
        let moves = fill(moves, &[&change.waiting]);
        lines.push(Line::faint(fill(sight.words.waiting, &[&moves])));
    }
    lines.extend(change.kept_on.iter().map(|branch| Line::faint(fill(sight.words.kept_on, &[branch]))));
    let mut parts: Vec<(String, Vec<Line>)> = Vec::new();
    let scores = change.scores.iter().filter(|(seat, ..)| sight.eyes.sees_standing_of(*seat));
    parts.extend(scores.map(|(seat, was, is)| (format!("{seat}.score"), score_change(*was, *is))));
    // It may be unknown which components the variable held before.
    let holds_components = |number: usize| {
        let value = scene.position.table.variables.get(number);
        matches!(value, Some(Value::Component(_) | Value::List(_) | Value::Nothing))
    };
    let may_read = |id: &str| {
        let number = sight.layout.variable_named(id);
        number.is_none_or(|number| {
            sight.eyes.may_read(number) && !(scene.viewer.is_limited() && holds_components(number))
        })
    };
    for (id, was, is) in change.variables.iter().filter(|(id, ..)| may_read(id)) {
        let shown = |text: &str| if text.is_empty() { NOTHING.to_owned() } else { text.to_owned() };
        let new = Line::of(format!("{} → ", shown(was)), Label::Plain).with(shown(is), Label::Strong);
        parts.push((id.clone(), vec![new]));
    }
    parts.extend(change.zones.iter().filter_map(|(id, was, is)| Some((id.clone(), sight.zone_change(id, was, is)?))));
    // Before the change, another player may have been asked.
    let may_see_removed = sight.eyes.may_see_options_of(change.asked_before);
    let removed = if may_see_removed { &*change.options_removed } else { &[] };
    let added = if sight.eyes.may_see_options() { &*change.options_added } else { &[] };
    let options = difference(removed, added);
    let reasons = change.reasons.iter().filter(|_| may_see_removed && sight.eyes.may_see_options());
    parts.extend(reasons.map(|(label, was, is)| {
        let [was, is] =
            [was, is].map(|reason| visible(&sight.layout.refusal(reason).told_in(scene.language)).into_owned());
        (label.clone(), vec![Line::of(format!("{was} → "), Label::Plain).with(is, Label::Strong)])
    }));
    let left_out = parts.len().saturating_sub(MAX_LISTED_ENTRIES);
    parts.truncate(MAX_LISTED_ENTRIES);
    if left_out > 0 {
        parts.push((fill(sight.words.more, &[&left_out]), Vec::new()));
    }
    if !options.is_empty() {
        parts.push((sight.words.options.to_owned(), options));
    }
    let column = parts.iter().map(|(name, _)| Line::of(name, Label::Faint).width()).max().unwrap_or(0);
    let column = column.min(sight.width / 3);
    for (name, items) in parts {
        let lead = Line::of_blanks(1).then(Line::of(name, Label::Faint).cut(column)).padded(column + 3);
        let room = sight.width.saturating_sub(lead.width());
        lines.extend(hang(lead, flow(items, 1, room)));
    }
    if lines.is_empty() {
        lines.push(Line::of(sight.words.unchanged, Label::Faint));
    }
    fitted(lines, sight.width)
}

pub(super) fn score_change(was: i64, is: i64) -> Vec<Line> {
    let label = if is < was { Label::Error } else { Label::Gain };
    let difference = format!("({:+})", i128::from(is) - i128::from(was));
    vec![Line::of(format!("{was} → "), Label::Plain).with(is.to_string(), Label::Strong), Line::of(difference, label)]
}

/// The removed items with `−`, and the new ones with `+`.
pub(super) fn difference(gone: &[String], new: &[String]) -> Vec<Line> {
    let gone = gone.iter().map(|label| Line::of(format!("−{label}"), Label::Error));
    let new = new.iter().map(|label| Line::of(format!("+{label}"), Label::Gain));
    gone.chain(new).collect()
}

impl Sight<'_> {
    /// The differences in a zone; `None` if they are hidden from the viewer.
    fn zone_change(&self, id: &str, was: &[String], is: &[String]) -> Option<Vec<Line>> {
        let zone = self.layout.zone_named(id)?;
        if is_uncounted(self.layout, self.scene.viewer, zone) {
            return None;
        }
        if !self.eyes.may_list(zone) {
            let counts = Line::of(format!("{} → {}", was.len(), is.len()), Label::Plain);
            return (was.len() != is.len()).then(|| vec![counts]);
        }
        let gone: Vec<String> = was.iter().filter(|label| !is.contains(label)).cloned().collect();
        let new: Vec<String> = is.iter().filter(|label| !was.contains(label)).cloned().collect();
        let left_out = (gone.len() + new.len()).saturating_sub(MAX_LISTED_ENTRIES * 2);
        let mut items = difference(&gone, &new);
        items.truncate(MAX_LISTED_ENTRIES * 2);
        if items.is_empty() {
            items.push(Line::of(self.words.reordered, Label::Faint));
        }
        if left_out > 0 {
            items.push(Line::of(fill(self.words.more, &[&left_out]), Label::Faint));
        }
        Some(items)
    }
}
