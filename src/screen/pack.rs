//! The changes that rules make, drawn for a person who decides whether to play them.

use super::script::script;
use super::style::{self, Label, Line};
use crate::catalogue::{said, say};
use crate::definition::keys::SECTIONS;
use crate::inspect::changes::{Changes, FunctionChange, ValueChange};

/// Changes as lines. `before` and `after` label the old and the new text of a function.
pub fn changes(changes: &Changes, (before, after): (&str, &str), width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    if !changes.functions.is_empty() {
        lines.push(Line::faint(said("functions")));
    }
    for function in &changes.functions {
        lines.extend(one_function(function, (before, after)));
    }
    let mut section = "";
    for value in &changes.values {
        if value.section() != section {
            section = value.section();
            lines.push(Line::faint(section_in_words(section)));
        }
        lines.extend(one_value(value, width));
    }
    lines
}

/// The translated name of a top-level table: `zones`.
fn section_in_words(section: &str) -> &str {
    let mut keys = SECTIONS.iter().filter(|table| table.path.is_empty()).flat_map(|table| table.keys);
    keys.find(|key| key.name() == section).map_or(section, |key| said(key.name()))
}

fn one_function(function: &FunctionChange, (before, after): (&str, &str)) -> Vec<Line> {
    let head = match (&function.was, &function.now) {
        (Some(stood), Some(_)) => {
            let does = if function.calls_super { said("  extends   ") } else { said("  replaces  ") };
            let of = say!(" of {}", stood.layer.told());
            Line::plain(does).with(&function.usage, Label::Strong).with(of, Label::Plain)
        }
        (Some(_), None) => Line::plain(said("  takes away ")).with(&function.usage, Label::Strong),
        (None, _) => Line::plain(said("  adds      ")).with(&function.usage, Label::Strong),
    };
    let mut lines = vec![head];
    let labels = [before, after].into_iter().map(style::width).fold(4, usize::max);
    let mut show = |what: &str, place: &str, text: &str, label: Label| {
        lines.push(
            Line::of(format!("    {}", style::pad(what, labels)), label).with(format!("  {place}"), Label::Faint),
        );
        lines.extend(script(text).into_iter().map(|line| Line::of("    │ ", label).then(line)));
    };
    if let Some(stood) = &function.was {
        show(before, &stood.place, &stood.text, Label::Error);
    }
    if let Some(text) = &function.now {
        show(after, &function.place, text, Label::Gain);
    }
    lines
}

fn one_value(value: &ValueChange, width: usize) -> Vec<Line> {
    let name = value.path.split_once('.').map_or(value.path.as_str(), |(_, rest)| rest);
    let lead = Line::plain("  ").with(name, Label::Strong).with("  ", Label::Plain);
    let room = width.saturating_sub(lead.width()).max(20);
    let body = match (&value.was, &value.now) {
        (Some(was), Some(now)) => format!("{was} → {now}"),
        (None, Some(now)) => say!("new: {now}"),
        (Some(was), None) => say!("gone: {was}"),
        (None, None) => said("gone").to_owned(),
    };
    style::hang(lead, style::wrapped(&body, room))
}
