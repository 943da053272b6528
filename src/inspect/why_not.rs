//! Why an option cannot be chosen: the reason that the rules gave, or the lines of the script that left it out, with the
//! values in them.
//!
//! The log is run again with somebody watching, up to the open decision. There the script that asks is read, and the
//! expressions in it are looked at with the names that are known at that moment.

use crate::definition::Language;
use crate::diagnostic::{Diagnostic, did_you_mean, visible};
use crate::inspect::debugger::Watched;
use crate::playthrough::Playthrough;
use crate::playthrough::run::{Request, Until, run};
use crate::script::stepping::{Asked, Frame, Seen, Stepper, Written};
use crate::script::{Entry as Start, Rules};
use crate::table::Recording;
use crate::table::decision::Decision;
use crate::table::event::ScriptPoint;
use crate::table::layout::Layout;
use crate::table::value::{Component, Seats, Value, Zone};
use std::sync::Arc;

/// How many functions deep an answer follows the calls of the script.
const DEPTH: usize = 3;

/// Why something is not among the options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyNot {
    /// In one sentence.
    pub sentence: String,
    /// The lines of the script that it comes from, the one that asks first.
    pub lines: Vec<ScriptLine>,
}

/// A line of a script with the values in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptLine {
    /// Where it stands.
    pub at: ScriptPoint,
    /// Expressions of the line, with what they come to.
    pub values: Vec<(String, String)>,
}

/// Why an option of the open decision cannot be chosen, with reasons in a language.
///
/// # Errors
/// No decision is open; nothing in the game is called so; the interpreter crashed.
pub fn why_not(
    watched: &Watched,
    playthrough: &Playthrough,
    typed: &str,
    language: Language,
) -> Result<WhyNot, Diagnostic> {
    let Some(open) = playthrough.position().open.clone() else {
        return Err(Diagnostic::new("no decision is open").help("`undo` goes back to one"));
    };
    if open.options.iter().any(|option| option.label == typed) {
        let sentence = format!("{typed} can be chosen");
        return Ok(WhyNot { sentence, lines: vec![ScriptLine { at: open.at, values: Vec::new() }] });
    }
    let refused = open.refused.iter().find(|(option, _)| option.label == typed).cloned();
    let layout = &playthrough.loaded().layout;
    let value = match &refused {
        Some((option, _)) => Some(option.value.clone()),
        None => value_named(layout, playthrough, typed),
    };
    if value.is_none() && !could_be_an_option(&open) {
        return Err(unknown(layout, &open, typed));
    }
    let reason = refused.map(|(_, reason)| {
        let text = layout.definition.text(&reason);
        visible(text.map_or(&*reason, |text| text.get(language))).into_owned()
    });
    let question = Question { open, typed: typed.to_owned(), value, reason };
    let (seed, log) = (playthrough.seed, playthrough.timeline().log().to_vec());
    watched.call(move |stepper| {
        let request = Request {
            start: Start::Game,
            seed,
            log,
            resolved: Vec::new(),
            agent: None,
            until: Until::LogEnds,
            recording: Some(Recording::default()),
        };
        let _ = run(stepper, request);
        stepper.work().refuse_stopped()?;
        Ok(question.answer(stepper))
    })?
}

struct Question {
    open: Arc<Decision>,
    typed: String,
    value: Option<Value>,
    reason: Option<String>,
}

/// Most lines of the script that an answer shows.
const MOST_LINES: usize = 6;

/// Most values that are told of one line.
const MOST_VALUES: usize = 10;

/// What is known where an expression is looked at: a call of the run, and names beside it.
struct Known<'a> {
    frame: &'a Frame,
    names: Vec<(String, Value)>,
    /// Statements to stand before an expression: the parameters of a function that the run has left.
    before: String,
}

impl Question {
    fn answer(&self, stepper: &mut Stepper) -> WhyNot {
        let who = self.open.seat.map_or_else(String::new, |seat| format!("{seat} "));
        let unread =
            |sentence: String| WhyNot { sentence, lines: vec![ScriptLine { at: self.open.at, values: Vec::new() }] };
        let not_offered = format!("{} is not among what {who}can choose for {}", self.typed, self.open.prompt);
        let with_reason = self.reason.as_ref().map(|reason| format!("{} is not allowed: {reason}", self.typed));
        let at = stepper.table().open().map_or(self.open.at, |open| stepper.original(open.at));
        // The innermost call is the one that asks.
        let frames = stepper.frames();
        let (Some(frame), Some(asked)) = (frames.last(), stepper.asked(at)) else {
            return unread(with_reason.unwrap_or(not_offered));
        };
        let mut names = Vec::new();
        if let (Some(player), Some(seat)) = (&asked.player, self.open.seat) {
            names.push((player.clone(), Value::Seat(seat)));
        }
        let known = Known { frame, names, before: String::new() };
        self.explain(stepper, &asked, known, with_reason).unwrap_or_else(|| unread(not_offered))
    }

    fn explain(
        &self,
        stepper: &Stepper,
        asked: &Asked,
        known: Known<'_>,
        with_reason: Option<String>,
    ) -> Option<WhyNot> {
        let at = asked.at;
        let mut lines = Vec::new();
        let offered = asked.options.as_ref().map(|options| known.labels(stepper, options));
        let was_offered = offered.as_ref().is_some_and(|labels| labels.contains(&self.typed));
        if let (Some((parameter, body)), Some(value), true) =
            (&asked.refuses, &self.value, was_offered || with_reason.is_some())
        {
            let frame = known.frame;
            let mut names = known.names;
            names.push((parameter.clone(), value.clone()));
            let known = Known { frame, names, before: String::new() };
            let mut values = known.values(stepper, body);
            values.insert(0, (body.shown.clone(), known.value(stepper, &body.text)));
            lines.push(ScriptLine { at, values });
            known.follow(stepper, body, DEPTH, &mut lines);
            let sentence = with_reason.unwrap_or_else(|| format!("{} is not allowed: the rules say no", self.typed));
            return Some(WhyNot { sentence, lines });
        }
        let options = asked.options.as_ref()?;
        let labels = offered.unwrap_or_default();
        let sentence = with_reason.unwrap_or_else(|| {
            let few = if labels.is_empty() { "nothing".to_owned() } else { some(&labels) };
            format!("{} is not among the options: {} gives {few}", self.typed, options.shown)
        });
        lines.push(ScriptLine { at, values: known.values(stepper, options) });
        known.follow(stepper, options, DEPTH, &mut lines);
        Some(WhyNot { sentence, lines })
    }
}

impl Known<'_> {
    fn see(&self, stepper: &Stepper, text: &str) -> Option<Seen> {
        let expression = stepper.expression(&format!("{}{text}", self.before)).ok()?;
        Some(stepper.see_with(self.frame, &self.names, &expression))
    }

    fn value(&self, stepper: &Stepper, text: &str) -> String {
        match self.see(stepper, text) {
            Some(Seen::Value(value)) => value.shown,
            Some(Seen::Unknown(why) | Seen::Fails(why)) => format!("({why})"),
            Some(Seen::Changes) => "(it changes the table)".to_owned(),
            None => "(it cannot be read)".to_owned(),
        }
    }

    fn labels(&self, stepper: &Stepper, written: &Written) -> Vec<String> {
        match self.see(stepper, &written.text) {
            Some(Seen::Value(value)) => value.labels,
            _ => Vec::new(),
        }
    }

    /// The values of the expressions inside one, those that cannot be read left out.
    fn values(&self, stepper: &Stepper, written: &Written) -> Vec<(String, String)> {
        written.inside.iter().filter_map(|both| self.value_of(stepper, both)).collect()
    }

    /// An expression as it is shown, with its value; nothing where it cannot be read.
    fn value_of(&self, stepper: &Stepper, (shown, text): &(String, String)) -> Option<(String, String)> {
        match self.see(stepper, text)? {
            Seen::Value(value) => Some((shown.clone(), value.shown)),
            _ => None,
        }
    }

    /// Goes into the functions that an expression calls.
    fn follow(&self, stepper: &Stepper, written: &Written, depth: usize, lines: &mut Vec<ScriptLine>) {
        for (call, (function, arguments)) in written.calls.iter().enumerate() {
            let Some(at) = stepper.functions().get(*function).map(|info| info.at) else { continue };
            if depth == 0 || lines.len() >= MOST_LINES || lines.iter().any(|line| line.at == at) {
                return;
            }
            let Some((parameters, body)) = stepper.expressions_of(*function) else { continue };
            // All arguments are worked out before a parameter hides a name that one of them needs.
            let mut before = self.before.clone();
            for (number, argument) in arguments.iter().enumerate() {
                before.push_str(&format!("let given_{depth}_{call}_{number} = {argument}; "));
            }
            for (number, parameter) in parameters.iter().enumerate() {
                before.push_str(&format!("let {parameter} = given_{depth}_{call}_{number}; "));
            }
            let known = Known { frame: self.frame, names: self.names.clone(), before };
            // What rests on a name that the function made for itself has no value here.
            if known.see(stepper, "true").is_none_or(|seen| !matches!(seen, Seen::Value(_))) {
                continue;
            }
            let mut values: Vec<(String, String)> = Vec::new();
            for written in &body {
                let whole = (written.shown.clone(), written.text.clone());
                let own = known.value_of(stepper, &whole).filter(|_| body.len() > 1);
                for value in own.into_iter().chain(known.values(stepper, written)) {
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
            }
            values.truncate(MOST_VALUES);
            lines.push(ScriptLine { at, values });
            body.iter().for_each(|written| known.follow(stepper, written, depth - 1, lines));
        }
    }
}

/// The value that a label stands for in this game.
fn value_named(layout: &Layout, playthrough: &Playthrough, label: &str) -> Option<Value> {
    if let Some(face) = layout.face_named(label) {
        let faces = &playthrough.position().table.faces;
        let handle = faces.iter().position(|&number| number == face.0)?;
        return Some(Value::Component(Component(handle as u16)));
    }
    if let Some(zone) =
        (0..layout.zones.len()).map(|number| Zone(number as u16)).find(|zone| &*layout.zones[zone.index()].id == label)
    {
        return Some(Value::Zone(zone));
    }
    if let Some(seat) = Seats::all(layout.seats).into_iter().find(|seat| seat.to_string() == label) {
        return Some(Value::Seat(seat));
    }
    label.parse().ok().map(Value::Number)
}

/// Whether a label that names nothing of the game can be meant: where options have parts, or are words of the rules.
fn could_be_an_option(open: &Decision) -> bool {
    open.options.iter().any(|option| matches!(option.value, Value::Parts(_) | Value::Text(_)))
}

fn unknown(layout: &Layout, open: &Decision, typed: &str) -> Diagnostic {
    let error = Diagnostic::new(format!("nothing is called `{typed}` here"));
    let options = open.options.iter().map(|option| option.label.as_str());
    let known =
        options.chain(layout.faces.iter().map(|face| &*face.id)).chain(layout.zones.iter().map(|zone| &*zone.id));
    match did_you_mean(typed, known) {
        Some(help) => error.help(help),
        None => error.help("write it as an option would be called: a component, a zone, a player, a number"),
    }
}

/// The first of many.
fn some(labels: &[String]) -> String {
    const FEW: usize = 10;
    match labels.len().checked_sub(FEW) {
        Some(more) if more > 0 => format!("{} and {more} more", labels[..FEW].join(", ")),
        _ => labels.join(", "),
    }
}
