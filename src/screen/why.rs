//! Explanations of why something is as it is: the events line by line, each with the script that caused it.

use super::{Scene, Sight, UNKNOWN, event_line};
use crate::catalogue::{Message, said, say};
use crate::diagnostic::visible;
use crate::inspect::why::{Cause, Ending, ScriptLine, Step, Verdict, Why, WhyNot};
use crate::screen::style::{self, Label, Line};
use crate::table::event::{Event, EventData, ScriptPoint};
use crate::table::names::text_of;
use crate::table::value::{Value, Zone};

/// The indentation of an event's cause on a separate line.
const INDENT: usize = 9;

/// Most offered options named.
const MAX_OFFERED_NAMED: usize = 10;

/// The answer to a question why: what is known of the subject, and its history. Of a long history, only the last `most`
/// events.
pub fn why(scene: &Scene<'_>, why: &Why<'_>, most: usize) -> Vec<Line> {
    let sight = Sight::of(scene);
    match why {
        Why::Variable { variable, value, steps, ending } => {
            let name = sight.variable_called(*variable);
            let mut lines = vec![Line::strong(say!("{name} is {}", sight.variable_value(value).text()))];
            lines.extend(sight.changes(steps, ending.as_ref()));
            lines
        }
        Why::Component { component, zone, steps } => {
            let front = sight.eyes.front(*component);
            let (face, print) = (sight.face(front).text(), sight.layout.prints.get(front.face));
            let id = sight.eyes.label(&Value::Component(*component));
            // As in a list of options, the id distinguishes components that look the same.
            let is_alone = sight.layout.prints.iter().filter(|known| Some(*known) == print).count() == 1;
            let name = if is_alone || face == id { face } else { format!("{face} {id}") };
            headed(sight.lies(&name, *zone), sight.stories(steps, most))
        }
        Why::Zone { zone, count, steps } => {
            let name = sight.place(Some(*zone));
            let holds = match count {
                None => say!("{name} is not counted"),
                Some(0) => say!("{name} is empty"),
                Some(count) => say!("{name} holds {count}"),
            };
            headed(holds, sight.stories(steps, most))
        }
        Why::LastChoice(steps) => sight.stories(steps, usize::MAX),
    }
}

/// The answer to a question why not: a sentence, then the responsible lines of the script.
pub fn why_not(scene: &Scene<'_>, found: &WhyNot) -> Vec<Line> {
    let sight = Sight::of(scene);
    let mut lines = Line::strong(sight.verdict(found)).broken(scene.width);
    lines.extend(found.elsewhere.map(|(_, zone)| Line::plain(sight.lies(&found.option, zone))));
    if scene.has_commands {
        let mut above = None;
        for line in &found.lines {
            // One heading for lines of one function that follow each other.
            let function = line.cause.as_ref().map(|cause| (&cause.function, &cause.layer));
            let is_headed = function.is_none() || std::mem::replace(&mut above, function) != function;
            lines.extend(script_line(line, is_headed, scene.width));
        }
        lines.extend(found.is_cut.then(|| Line::faint(format!("{:>8}", "…"))));
    }
    lines.into_iter().map(|line| line.cut(scene.width)).collect()
}

fn headed(heading: String, lines: Vec<Line>) -> Vec<Line> {
    std::iter::once(Line::strong(heading)).chain(lines).collect()
}

/// The cause of something that no rule did.
fn other_cause(at: ScriptPoint) -> &'static str {
    said(if at == ScriptPoint::GAME_BEFORE { "kept from the game before" } else { "by hand" })
}

/// The layer of a cause as told to players: only variants, because a game's own rules are no news.
fn layer_for_players(layer: &Message) -> Message {
    if layer.starts_with("variant ") { layer.clone() } else { Message::default() }
}

/// The script, function and layer that caused a step; a path that is too long is cut at the front.
fn cause_of(scene: &Scene<'_>, step: &Step<'_>, room: usize) -> Line {
    match (&step.cause, step.events.first()) {
        (None, Some(event)) => Line::faint(other_cause(event.at)),
        (Some(cause), _) if !scene.has_commands => Line::faint(layer_for_players(&cause.layer).told()).cut(room),
        (caused, _) => cause(caused.as_ref(), room),
    }
}

/// The script, function and layer of a cause; a path that is too long is cut at the front.
fn cause(cause: Option<&Cause>, room: usize) -> Line {
    let Some(cause) = cause else { return Line::faint(other_cause(ScriptPoint::default())) };
    let function = cause.function.as_ref().map_or(String::new(), |name| format!("  {name}"));
    let behind = format!("{function}  {}", cause.layer.told());
    let place = style::ending(&cause.place, room.saturating_sub(style::width(&behind)));
    Line::plain(place).with(behind, Label::Faint).cut(room)
}

/// A line of a script: its place where it `is_headed` by it, the source, and the values in it.
fn script_line(line: &ScriptLine, is_headed: bool, columns: usize) -> Vec<Line> {
    let heading = || Line::of_blanks(2).then(cause(line.cause.as_ref(), columns.saturating_sub(2)));
    let mut lines: Vec<Line> = is_headed.then(heading).into_iter().collect();
    if let Some((number, text)) = &line.source {
        lines.push(Line::of(format!("{number:>6} │ "), Label::Faint).with(text, Label::Plain));
    }
    let width = line.values.iter().map(|(shown, _)| style::width(shown)).max().unwrap_or(0).min(columns / 2);
    lines.extend(line.values.iter().map(|(shown, value)| {
        Line::of_blanks(INDENT)
            .then(Line::of(style::pad(&style::cut(shown, width), width), Label::Faint))
            .with(" = ", Label::Faint)
            .with(value, Label::Plain)
    }));
    lines
}

/// A change of a variable, as a row of a table.
pub(super) struct Row {
    pub(super) amount: String,
    pub(super) what: String,
    pub(super) place: String,
    /// The layer, and the move after which it happened.
    behind: String,
}

impl Sight<'_> {
    /// A sentence on where something lies.
    fn lies(&self, name: &str, zone: Option<Zone>) -> String {
        match zone {
            Some(_) => say!("{name} lies in {}", self.place(zone)),
            None => say!("{name} is out of play"),
        }
    }

    fn verdict(&self, found: &WhyNot) -> String {
        let WhyNot { option, verdict, .. } = found;
        match verdict {
            Verdict::Offered => say!("{option} can be chosen"),
            Verdict::Refused(Some(reason)) => {
                let reason = self.layout.refusal(reason);
                let reason = visible(&reason.told_in(self.scene.language)).into_owned();
                say!("{option} is not allowed: {reason}")
            }
            Verdict::Refused(None) => say!("{option} is not allowed: the rules say no"),
            Verdict::Missing { written, options } if self.scene.has_commands => {
                let given = match options.get(..MAX_OFFERED_NAMED) {
                    Some(few) if options.len() > MAX_OFFERED_NAMED => {
                        say!("{} and {} more", few.join(", "), options.len() - MAX_OFFERED_NAMED)
                    }
                    _ if options.is_empty() => said("nothing").to_owned(),
                    _ => options.join(", "),
                };
                say!("{option} is not among the options: {written} gives {given}")
            }
            Verdict::Missing { .. } | Verdict::NotOffered => {
                let open = self.scene.position.open.as_deref();
                let who = open.and_then(|open| open.seat).map_or_else(String::new, |seat| format!("{seat} "));
                let prompt = open.map_or("", |open| &open.prompt);
                say!("{option} is not among what {who}can choose for {prompt}")
            }
        }
    }

    /// Events, each with the script that caused it; of many, the last `most`.
    fn stories(&self, steps: &[Step<'_>], most: usize) -> Vec<Line> {
        let width = self.scene.width;
        let told = steps.iter().filter_map(|step| Some((event_line(self.scene, &step.events)?, step)));
        let mut rows: Vec<(Line, &Step<'_>)> = told.collect();
        if rows.is_empty() {
            return vec![Line::plain(said("  nothing has happened to it since the game began"))];
        }
        let mut lines = Vec::new();
        let left_out = rows.len().saturating_sub(most);
        if left_out > 0 {
            lines.push(Line::faint(match self.scene.has_commands {
                true => say!("  {left_out} earlier; `all` after the command shows them"),
                false => say!("  {left_out} earlier"),
            }));
            rows.drain(..left_out);
        }
        let widest = rows.iter().map(|(words, _)| words.width()).max().unwrap_or(0).min(width / 2);
        for (words, step) in rows {
            let room = width.saturating_sub(widest.max(words.width()) + 2);
            let cause = cause_of(self.scene, step, width.saturating_sub(INDENT));
            if cause.is_empty() {
                lines.extend(words.broken(width));
            } else if cause.width() <= room {
                lines.push(words.padded(widest + 2).then(cause));
            } else {
                lines.push(words.cut(width));
                lines.push(Line::of_blanks(INDENT).then(cause));
            }
        }
        lines
    }

    /// The changes of a variable, and its value if the game ended here, in columns.
    fn changes(&self, steps: &[Step<'_>], ending: Option<&Ending<'_>>) -> Vec<Line> {
        let rows = |steps: &[Step<'_>], with_move| -> Vec<Row> {
            steps.iter().filter_map(|step| self.change(step, with_move)).collect()
        };
        let mut made = rows(steps, true);
        let mut expected = match ending {
            Some(Ending::Score(_, steps)) => rows(steps, false),
            Some(Ending::Hidden) | None => Vec::new(),
        };
        let widest =
            |text: fn(&Row) -> &str| made.iter().chain(&expected).map(|row| style::width(text(row))).max().unwrap_or(0);
        let (amount, what, behind) = (widest(|row| &row.amount), widest(|row| &row.what), widest(|row| &row.behind));
        // Of a path that is too long, the file and the line matter most.
        let room = self.scene.width.saturating_sub(amount + what + behind + 8);
        for row in made.iter_mut().chain(&mut expected) {
            row.place = if self.scene.has_commands { style::ending(&row.place, room) } else { String::new() };
        }
        let place = made.iter().chain(&expected).map(|row| style::width(&row.place)).max().unwrap_or(0);
        let line = |row: &Row| match self.scene.has_commands {
            true => row.line(amount, what, place).cut(self.scene.width),
            // A page wraps lines that are too long.
            false => row.line(amount, what, place),
        };
        let mut lines: Vec<Line> = made.iter().map(line).collect();
        if made.is_empty() {
            lines.push(Line::plain(said("  it has had this value since the game began")));
        }
        match ending {
            Some(Ending::Score(score, _)) if !expected.is_empty() => {
                lines.push(Line::strong(say!("if the game ended now it would be {score}")));
            }
            Some(Ending::Hidden) => {
                lines.push(Line::faint(said("this view does not show what it would be if the game ended now")));
            }
            Some(Ending::Score(..)) | None => {}
        }
        lines.extend(expected.iter().map(line));
        lines
    }

    /// The change of a variable by an event; `None` if there is none.
    pub(super) fn change(&self, step: &Step<'_>, with_move: bool) -> Option<Row> {
        let event: &Event = step.events.first()?;
        let (amount, what) = match &event.what {
            EventData::Award { points, reason, source, .. } => {
                let words = self.text(reason);
                // The source of a change may be hidden from the viewer.
                let source = source.as_ref().filter(|source| self.eyes.may_tell_value(source));
                let source = source.map(|source| text_of(&self.names().value(&self.scene.position.table, source)));
                let what = match source {
                    // "column" adds nothing to "column 2".
                    Some(source) if source.starts_with(&words) => source,
                    Some(source) => format!("{words}, {source}"),
                    None => words,
                };
                (format!("{points:+}"), what)
            }
            what => {
                let (_, value) = what.sets(self.layout)?;
                let is_told = self.eyes.saw_drawn(event, &value);
                let value = if is_told { self.value(&value).text() } else { UNKNOWN.to_owned() };
                (format!("= {value}"), said("set").to_owned())
            }
        };
        let place = step.cause.as_ref().map_or_else(|| other_cause(event.at).to_owned(), |cause| cause.place.clone());
        let layer = step.cause.as_ref().map_or_else(Message::default, |cause| cause.layer.clone());
        let layer = if self.scene.has_commands { layer } else { layer_for_players(&layer) };
        let after =
            if with_move && event.moves > 0 { format!("  {}", say!("move {}", event.moves)) } else { String::new() };
        Some(Row { amount, what, place, behind: format!("{}{after}", layer.told()) })
    }
}

impl Row {
    fn line(&self, amount: usize, what: usize, place: usize) -> Line {
        let (change, what) = (style::pad_left(&self.amount, amount), style::pad(&self.what, what));
        let place = if place == 0 { String::new() } else { format!("{}  ", style::pad(&self.place, place)) };
        let text = format!("  {change}  {what}  {place}{}", self.behind);
        Line::plain(text.trim_end())
    }
}
