//! The trace: one game as JSON Lines, for other programs.
//!
//! The format is a contract (number [`FORMAT`]): within a number, fields may be added but never changed. Keys have a
//! fixed order, so that equal runs give equal bytes.

use crate::catalogue::Message;
use crate::definition::ComponentKind;
use crate::files::FileFormat;
use crate::json;
use crate::playthrough::run::Outcome;
use crate::ruleset::Ruleset;
use crate::script::End;
use crate::table::decision::{Decision, OptionShown};
use crate::table::event::{Content, EventData, Field, Role};
use crate::table::layout::{FaceValue, Layout};
use crate::table::value::{Back, Component, Seat, Seats, Value};
use crate::table::{Recording, State, Table};
use serde_json::{Map, Value as Json, json};
use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of the trace format.
pub const FORMAT: u32 = 1;

/// The file format of traces.
pub const FILE: FileFormat = FileFormat { name: "a trace", beginning: "{\"type\":\"start\",\"format\":" };

/// Writes a trace while the game is played: one JSON object a line. Only the current line is held in memory.
pub struct Trace<W> {
    out: W,
    layout: Arc<Layout>,
    with_tables: bool,
    /// The result of writing so far.
    written: io::Result<()>,
}

impl<W: Write + Send + 'static> Trace<W> {
    /// Writes the first line of a trace. With `with_tables`, every decision and the end include the whole table.
    pub fn begin(out: W, ruleset: &Ruleset, layout: &Arc<Layout>, seed: u64, with_tables: bool) -> Self {
        let mut trace = Self { out, layout: layout.clone(), with_tables, written: Ok(()) };
        trace.line(&start(ruleset, layout, seed));
        trace
    }

    /// Runs `play` with a recording that writes the events, then writes the last line.
    ///
    /// # Errors
    /// Writing failed; the game was ended there.
    pub fn follow(self, play: impl FnOnce(Recording) -> Outcome) -> io::Result<(W, End)> {
        let with_tables = self.with_tables;
        let trace = Arc::new(Mutex::new(self));
        let writer = trace.clone();
        let mut outcome = play(Recording::with_listener(with_tables, move |event, faces| {
            let mut trace = writer.lock().unwrap_or_else(PoisonError::into_inner);
            trace.event(&event.what, faces);
            trace.written.is_ok()
        }));
        // Dropping the recording releases its reference to the trace.
        let _ = outcome.run.table.finish();
        let trace =
            Arc::into_inner(trace).ok_or_else(|| io::Error::other(Message::from("the game is still being played")))?;
        let mut trace = trace.into_inner().unwrap_or_else(PoisonError::into_inner);
        trace.end(&outcome);
        trace.written.map(|()| (trace.out, outcome.end))
    }

    fn event(&mut self, what: &EventData, faces: &[u16]) {
        let layout = self.layout.clone();
        Names { layout: &layout, faces }.write_event(what, &mut |line| self.line(&line));
    }

    fn end(&mut self, outcome: &Outcome) {
        let layout = self.layout.clone();
        let end = Names { layout: &layout, faces: outcome.run.table.faces() }.end(outcome, self.with_tables);
        self.line(&end);
    }

    fn line(&mut self, line: &Json) {
        if self.written.is_ok() {
            self.written = json::write(&mut self.out, line).and_then(|()| self.out.write_all(b"\n"));
        }
    }
}

fn start(ruleset: &Ruleset, layout: &Arc<Layout>, seed: u64) -> Json {
    let mut settings = Map::new();
    for (layer, values) in &ruleset.settings {
        for (key, value) in values {
            settings.insert(format!("{layer}.{key}"), from_toml(value));
        }
    }
    for (path, value) in &ruleset.overridden {
        settings.insert(path.clone(), from_toml(value));
    }
    let components: Map<String, Json> = layout
        .faces
        .iter()
        .enumerate()
        .map(|(number, face)| {
            let mut shown = Map::new();
            shown.insert("kind".to_owned(), json!(kind_name(face.kind)));
            for (attribute, name) in layout.attributes.iter().enumerate() {
                let value = match layout.value_of(attribute, number) {
                    FaceValue::Absent => continue,
                    FaceValue::Number(number) => json!(number),
                    FaceValue::Word(word) => json!(&*layout.words[usize::from(word)]),
                };
                shown.insert(name.clone(), value);
            }
            (face.id.to_string(), Json::Object(shown))
        })
        .collect();
    let mut start = json!({
        "type": "start",
        "format": FORMAT,
        "game": ruleset.game.id,
        "variants": ruleset.variant_ids().collect::<Vec<_>>(),
        "settings": settings,
        "players": layout.seats,
        "seed": seed,
        "ruleset": ruleset.hash,
        "houserule": env!("CARGO_PKG_VERSION"),
        "components": components,
    });
    let teams = Table::new(layout.clone(), seed).teams(Seats::all(layout.seats));
    if teams.len() < layout.seats {
        let numbers = |team: &Seats| team.into_iter().map(Seat::number).collect::<Vec<_>>();
        start["teams"] = json!(teams.iter().map(numbers).collect::<Vec<_>>());
    }
    start
}

/// How explicit an option's value is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Telling {
    /// Parts as name or number alone.
    Short,
    /// Parts with their sorts.
    Sorts,
    /// Values of several parts marked as such.
    All,
}

/// Gives things their names in traces.
struct Names<'a> {
    layout: &'a Layout,
    faces: &'a [u16],
}

impl Names<'_> {
    fn write_event(&self, what: &EventData, write: &mut impl FnMut(Json)) {
        if let EventData::Choice { decision, chosen, clock, before } = what {
            return write(self.decision(decision, chosen, *clock, before.as_deref()));
        }
        let mut line = Map::new();
        for (key, tag) in ["type", "what"].into_iter().zip(what.kind().trace) {
            line.insert(key.to_owned(), json!(tag));
        }
        for field in &*what.fields() {
            if let Some(name) = field.name {
                line.insert(name.to_owned(), self.field(field));
            }
        }
        write(line.into());
        // A changed variable always gets a line of its own.
        if let (EventData::Award { .. }, Some((variable, value))) = (what, what.sets(self.layout)) {
            write(json!({"type": "set", "variable": self.variable(variable), "value": self.part(&value)}));
        }
    }

    fn field(&self, field: &Field<'_>) -> Json {
        match field.content {
            Content::Component(component) => json!(self.component(component)),
            Content::Zone(zone) => json!(zone.map(|zone| self.zone(zone.index()))),
            Content::Seat(Some(seat)) if field.role == Role::Itself => self.value(&Value::Seat(seat)),
            Content::Seat(seat) => json!(seat.map(Seat::number)),
            Content::Variable(number) => json!(self.variable(number)),
            Content::Number(number) => json!(number),
            Content::Text(text) => json!(text),
            Content::Value(value) if field.role == Role::Itself => self.value(value),
            Content::Value(value) => self.part(value),
            Content::Values(values) => values.iter().map(|value| self.value(value)).collect(),
            Content::Option(option) => self.value(&option.value),
        }
    }

    fn decision(&self, decision: &Decision, chosen: &[usize], clock: i64, before: Option<&State>) -> Json {
        let seat = decision.seat.map(Seat::number);
        let mut line = json!({"type": "decision", "n": decision.number, "seat": seat, "prompt": &*decision.prompt});
        if let Some(purpose) = &decision.purpose {
            line["for"] = json!(&**purpose);
        }
        if let Some(together) = decision.together {
            line["together"] = json!(together);
        }
        if decision.secret {
            line["secret"] = json!(true);
        }
        if decision.by_clock.is_some() || decision.deadline.is_some() {
            line["clock"] = seconds(clock);
        }
        if let Some(deadline) = decision.deadline {
            line["deadline"] = seconds(deadline);
        }
        line["min"] = json!(decision.min);
        line["max"] = json!(decision.max);
        let options = decision.options.iter().zip(self.distinct(&decision.options));
        line["options"] = options.map(|(option, value)| json!({"label": option.label, "value": value})).collect();
        line["chosen"] = json!(chosen);
        if let Some(before) = before {
            line["state"] = self.state(before);
        }
        line
    }

    fn end(&self, outcome: &Outcome, with_tables: bool) -> Json {
        let (reason, error) = match &outcome.end {
            End::Finished => ("finished", None),
            End::Failed(diagnostic) => ("error", Some(diagnostic.first().message.to_string())),
            End::Endless(diagnostic) => ("limit", Some(diagnostic.first().message.to_string())),
            End::Halted(_) => ("error", Some("a decision is open and nobody answers it".to_owned())),
        };
        let mut line = json!({"type": "end", "reason": reason});
        if let Some(error) = error {
            line["error"] = json!(error);
        }
        let table = &outcome.run.table;
        let scores: Vec<i64> = Seats::all(table.layout().seats).into_iter().map(|seat| table.score(seat)).collect();
        line["scores"] = json!(scores);
        // A game that did not finish has no winner.
        if outcome.end == End::Finished {
            let ranking: Vec<Vec<usize>> =
                table.ranking().iter().map(|group| group.iter().map(|seat| seat.number()).collect()).collect();
            let winners: Vec<usize> = table.winners().iter().map(|seat| seat.number()).collect();
            line["ranking"] = json!(ranking);
            line["winners"] = json!(winners);
        }
        if with_tables {
            line["state"] = self.state(table.state());
        }
        line
    }

    fn state(&self, table: &State) -> Json {
        let zones: Map<String, Json> = table
            .zones
            .iter()
            .enumerate()
            .map(|(number, held)| (self.zone(number), held.iter().map(|&one| json!(self.component(one))).collect()))
            .collect();
        let variables: Map<String, Json> = table
            .variables
            .iter()
            .enumerate()
            .map(|(number, value)| (self.variable(number), self.part(value)))
            .collect();
        let owned = table.owners.iter().enumerate().filter_map(|(handle, owner)| Some((handle, (*owner)?)));
        let owners: Map<String, Json> =
            owned.map(|(handle, owner)| (self.component(Component(handle as u16)), json!(owner.number()))).collect();
        json!({
            "phase": table.phase.as_deref(),
            "round": table.round,
            "turn": table.turn.map(Seat::number),
            "clock": seconds(table.clock.now()),
            "zones": zones,
            "sides": self.shown(table, |kind| kind != ComponentKind::Die),
            "values": self.shown(table, |kind| kind == ComponentKind::Die),
            "owners": owners,
            "vars": variables,
        })
    }

    /// The sides, or shown values, of components with sides, of the kinds meant.
    fn shown(&self, table: &State, is_meant: impl Fn(ComponentKind) -> bool) -> Map<String, Json> {
        let faces = table.faces.iter().map(|&face| &self.layout.faces[usize::from(face)]);
        let sides = faces.zip(&table.sides).filter(|(face, _)| !face.sides.is_empty() && is_meant(face.kind));
        sides.map(|(face, side)| (face.id.to_string(), json!(side))).collect()
    }

    fn component(&self, component: Component) -> String {
        self.layout.label(self.faces, &Value::Component(component))
    }

    fn zone(&self, number: usize) -> String {
        self.layout.zones[number].id.to_string()
    }

    fn variable(&self, number: usize) -> String {
        self.layout.variables[number].id.to_string()
    }

    /// The values of options. Where two would be written alike, all values include the sorts of their parts, and if
    /// that is not enough, mark which ones have parts.
    fn distinct(&self, options: &[OptionShown]) -> Vec<Json> {
        let values = |telling| options.iter().map(|option| self.told(&option.value, telling)).collect::<Vec<_>>();
        let are_distinct = |values: &[Json]| {
            let mut seen = HashSet::with_capacity(values.len());
            values.iter().all(|value| seen.insert(value.to_string()))
        };
        let composed = |option: &OptionShown| matches!(option.value, Value::Parts(_) | Value::List(_));
        let short = values(Telling::Short);
        if !options.iter().any(composed) || are_distinct(&short) {
            return short;
        }
        let with_sorts = values(Telling::Sorts);
        if are_distinct(&with_sorts) { with_sorts } else { values(Telling::All) }
    }

    /// A value by itself, with its sort.
    fn value(&self, value: &Value) -> Json {
        self.told(value, Telling::Short)
    }

    fn told(&self, value: &Value, telling: Telling) -> Json {
        match value {
            Value::Number(number) => json!(number),
            Value::Truth(truth) => json!(truth),
            Value::Text(text) => json!(&**text),
            Value::Component(component) | Value::Back(Back { component, .. }) => {
                let face = &self.layout.faces[usize::from(self.faces[component.index()])];
                json!({kind_name(face.kind): &*face.id})
            }
            Value::Seat(seat) => json!({"seat": seat.number()}),
            Value::Nobody => json!({"seat": 0}),
            Value::Nothing => Json::Null,
            Value::Zone(zone) => json!({"zone": self.zone(zone.index())}),
            Value::Parts(parts) => {
                let part = |part| match telling {
                    Telling::Short => self.part(part),
                    Telling::Sorts | Telling::All => self.told(part, telling),
                };
                let parts: Map<_, _> = parts.0.iter().map(|(name, value)| (name.to_string(), part(value))).collect();
                if telling == Telling::All { json!({ "parts": parts }) } else { parts.into() }
            }
            Value::List(list) => list.iter().map(|item| self.told(item, telling)).collect(),
        }
    }

    /// The value of a part or variable: its name tells the sort, so the id is enough.
    fn part(&self, value: &Value) -> Json {
        match value {
            Value::Component(component) | Value::Back(Back { component, .. }) => json!(self.component(*component)),
            Value::Seat(seat) => json!(seat.number()),
            Value::Nobody => json!(0),
            // A list of one sort needs only ids.
            Value::List(list) if are_of_one_sort(list) => list.iter().map(|item| self.part(item)).collect(),
            Value::Zone(zone) => match (self.layout.cell(*zone), self.layout.zones[zone.index()].number) {
                (Some(cell), _) => json!(cell.info().name),
                (None, Some(number)) => json!(number),
                (None, None) => json!(self.zone(zone.index())),
            },
            other => self.value(other),
        }
    }
}

/// Converts milliseconds to seconds.
fn seconds(time: i64) -> Json {
    json!(time as f64 / 1000.0)
}

fn kind_name(kind: ComponentKind) -> &'static str {
    match kind {
        ComponentKind::Card => "card",
        ComponentKind::Die => "die",
        ComponentKind::Token => "token",
    }
}

fn from_toml(value: &toml::Value) -> Json {
    match value {
        toml::Value::String(text) => json!(text),
        toml::Value::Integer(number) => json!(number),
        toml::Value::Float(number) => json!(number),
        toml::Value::Boolean(truth) => json!(truth),
        toml::Value::Datetime(moment) => json!(moment.to_string()),
        toml::Value::Array(list) => list.iter().map(from_toml).collect(),
        toml::Value::Table(table) => {
            table.iter().map(|(key, value)| (key.clone(), from_toml(value))).collect::<Map<_, _>>().into()
        }
    }
}

/// Whether a list holds only components, only players, or only zones.
fn are_of_one_sort(list: &[Value]) -> bool {
    let all = |is: fn(&Value) -> bool| list.iter().all(is);
    all(|value| matches!(value, Value::Component(_) | Value::Back(_)))
        || all(|value| matches!(value, Value::Seat(_)))
        || all(|value| matches!(value, Value::Zone(_)))
}
