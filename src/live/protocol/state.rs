//! What a face is sent: everything it shows, and the changes since it was last sent.

use super::{COLUMNS, PROTOCOL, may_answer, may_choose, viewer};
use crate::catalogue::speak;
use crate::definition::{Layer, Setting};
use crate::playthrough::log::LogEntry;
use crate::screen::Scene;
use crate::screen::html;
use crate::screen::html::live::{self, EventMarkup, TableDrawing, decision_key, happened};
use crate::screen::html::replay::title;
use crate::session::Session;
use crate::session::table_face::Face;
use crate::table::decision::{Decision, OptionShown};
use crate::table::knowledge::Viewer;
use crate::table::value::Seat;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;

/// The most log lines sent to a face.
const MAX_LOG_LINES: usize = 200;

/// How far the game is. Log lines are only ever added while the epoch stays the same; undo or new rules start another
/// epoch.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    epoch: u64,
    rules: String,
    log: Vec<LogEntry>,
}

impl Progress {
    /// Updates to the session's current position. Whether a new epoch began.
    pub fn follow(&mut self, session: &Session) -> bool {
        let (log, rules) = (session.playthrough.timeline().log(), &session.playthrough.loaded().ruleset.hash);
        if self.rules != *rules || !log.starts_with(&self.log) {
            self.epoch += 1;
            self.rules.clone_from(rules);
            self.log = log.to_vec();
            return true;
        }
        self.log.extend_from_slice(&log[self.log.len()..]);
        false
    }
}

/// A seat as listed on the designer's page.
#[derive(Clone, Debug)]
pub struct SeatStatus {
    /// The seat.
    pub seat: Seat,
    /// Whether a link opens the seat.
    pub has_link: bool,
    /// The number of clients that watch through the link.
    pub watching: usize,
}

/// The state of one face: everything it shows.
pub struct FaceState {
    face: Face,
    viewer: Viewer,
    epoch: u64,
    drawing: TableDrawing,
    /// The latest log lines, at most [`MAX_LOG_LINES`], and the number of earlier ones left out in this epoch.
    log: VecDeque<EventMarkup>,
    left_out: usize,
    /// The number of events that the log covers.
    events: usize,
    title: String,
    place: String,
    time: Value,
    rules: Value,
    people: Value,
    announced: u64,
    said: String,
    /// The latest plots, as markup.
    figures: Option<Arc<str>>,
    /// Markup of where the game parted when its rules last changed.
    divergence: Option<Arc<str>>,
    /// Hashes of the rules before and after that change.
    parted: Option<[String; 2]>,
    view: Arc<Value>,
}

/// The form in which a client wants the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateFormat {
    /// Markup for the page.
    Drawing,
    /// Structured data, for other programs.
    View,
}

impl FaceState {
    /// The current state of a face; `before` is the state last sent, if any.
    pub fn of(
        session: &Session,
        face: Face,
        progress: &Progress,
        people: &[SeatStatus],
        before: Option<&Self>,
    ) -> Self {
        speak(session.language);
        let (game, language) = (&session.playthrough, session.language);
        let viewer = viewer(session, face);
        let asked = game.asked();
        let asked: Vec<&Decision> = asked.iter().map(|decision| &**decision).collect();
        let may = |decision: &Decision, option: &OptionShown| may_choose(session, face, decision, option);
        let is_designer = face == Face::Designer;
        let scene = Scene { has_commands: is_designer, ..Scene::of(game, viewer, language, live::COLUMNS) };
        let drawing = live::table_drawing(&scene, &asked, &may);
        let events = &game.position().events;
        let known = before.filter(|before| {
            before.epoch == progress.epoch && before.viewer == viewer && before.events <= events.len()
        });
        let (mut log, mut left_out, told) =
            known.map_or_else(Default::default, |before| (before.log.clone(), before.left_out, before.events));
        log.extend(events.since(told).into_iter().flat_map(|events| happened(&scene, events)));
        let over = log.len().saturating_sub(MAX_LOG_LINES);
        log.drain(..over);
        left_out += over;
        let announced = session.announced();
        let divergence = session.divergence().filter(|_| is_designer);
        let parted = divergence.map(|(before, after, _)| [before, after].map(|rules| rules.ruleset.hash.clone()));
        let divergence = match before.filter(|before| before.parted == parted && before.viewer == viewer) {
            Some(before) => before.divergence.clone(),
            None => divergence.and_then(|(before, after, log)| {
                let scene = Scene::of(game, viewer, language, COLUMNS);
                html::divergence(&scene, [before, after], log).map(Arc::from)
            }),
        };
        Self {
            face,
            viewer,
            epoch: progress.epoch,
            drawing,
            log,
            left_out,
            events: events.len(),
            title: title(&game.loaded().ruleset, language),
            place: live::place_at_table(viewer, language),
            time: if is_designer { time(session) } else { Value::Null },
            rules: match before {
                _ if !is_designer => Value::Null,
                Some(before) if before.epoch == progress.epoch => before.rules.clone(),
                _ => rules(session),
            },
            people: if is_designer { self::people(session, people) } else { Value::Null },
            announced: announced.count,
            said: if is_designer { live::lines(&announced.lines) } else { String::new() },
            figures: announced.figures.clone().filter(|_| is_designer),
            divergence,
            parted,
            view: Arc::new(view(session, face, &asked)),
        }
    }

    /// The changes since `before` as JSON, or `None` without any; the whole state where `before` is `None`.
    pub fn news(&self, before: Option<&Self>, wanted: StateFormat) -> Option<Value> {
        if wanted == StateFormat::View {
            let is_new = before.is_none_or(|before| before.view != self.view);
            return is_new.then(|| json!({ "protocol": PROTOCOL, "view": *self.view }));
        }
        let mut news = json!({});
        let mut put = |key: &str, value: Value| news[key] = value;
        let is_new = before.is_none_or(|before| before.drawing.skeleton != self.drawing.skeleton);
        if is_new {
            put("face", self.face.to_string().into());
            put("skeleton", self.drawing.skeleton.as_str().into());
        }
        let before_slots = before.filter(|_| !is_new).map(|before| &before.drawing.slots);
        let slots = self.drawing.slots.iter().enumerate();
        let changed = slots.filter(|(number, slot)| {
            before_slots.is_none_or(|before| before.get(*number) != Some(slot)) && (!is_new || !slot.is_empty())
        });
        let changed: serde_json::Map<String, Value> =
            changed.map(|(number, slot)| (number.to_string(), slot.as_str().into())).collect();
        if !changed.is_empty() {
            put("slots", Value::Object(changed));
        }
        if before.is_none_or(|before| before.drawing.pictures != self.drawing.pictures) {
            put("pictures", self.drawing.pictures.as_str().into());
        }
        let goes_on = before.filter(|before| before.epoch == self.epoch && before.viewer == self.viewer);
        let told = goes_on.map(|before| before.left_out + before.log.len()).filter(|told| *told >= self.left_out);
        let lines = self.log.iter().skip(told.map_or(0, |told| told - self.left_out));
        let lines: Vec<Value> = lines.map(|line| json!([line.moves, &*line.markup, line.subject.as_deref()])).collect();
        if told.is_none() || !lines.is_empty() {
            put("log", json!({ "reset": told.is_none(), "lines": lines }));
        }
        let texts: [(&str, Value, Option<Value>); 5] = [
            ("title", self.title.as_str().into(), before.map(|before| before.title.as_str().into())),
            ("place", self.place.as_str().into(), before.map(|before| before.place.as_str().into())),
            ("time", self.time.clone(), before.map(|before| before.time.clone())),
            ("rules", self.rules.clone(), before.map(|before| before.rules.clone())),
            ("people", self.people.clone(), before.map(|before| before.people.clone())),
        ];
        for (key, now, was) in texts {
            if !now.is_null() && was.as_ref() != Some(&now) {
                put(key, now);
            }
        }
        let drawn = |drawn: &Option<Arc<str>>| drawn.as_deref().unwrap_or_default().to_owned();
        if drawn(&self.figures) != before.map_or_else(String::new, |before| drawn(&before.figures)) {
            news["figures"] = drawn(&self.figures).into();
        }
        if drawn(&self.divergence) != before.map_or_else(String::new, |before| drawn(&before.divergence)) {
            news["parting"] = drawn(&self.divergence).into();
        }
        if before.is_some_and(|before| before.announced != self.announced) && !self.said.is_empty() {
            news["said"] = self.said.as_str().into();
        }
        if news.as_object().is_none_or(serde_json::Map::is_empty) {
            return None;
        }
        news["protocol"] = PROTOCOL.into();
        Some(news)
    }
}

/// The table as data, with the decisions and options that the face may choose.
fn view(session: &Session, face: Face, asked: &[&Decision]) -> Value {
    let game = &session.playthrough;
    let viewer = viewer(session, face);
    let view = game.view(viewer, game.position().events.len().saturating_sub(MAX_LOG_LINES));
    let mut value = serde_json::to_value(&view).unwrap_or(Value::Null);
    if let Some(decisions) = value.get_mut("asked").and_then(Value::as_array_mut) {
        for (decision, shown) in asked.iter().zip(decisions) {
            if !may_answer(session, face, decision) {
                continue;
            }
            shown["decision"] = decision_key(decision).into();
            if let Some(options) = shown.get_mut("options").and_then(Value::as_array_mut) {
                let mut offered = decision.options.iter().map(|option| may_choose(session, face, decision, option));
                options.retain(|_| offered.next().unwrap_or(false));
            }
        }
    }
    let ruleset = &game.loaded().ruleset;
    value["game"] = ruleset.game.id.as_str().into();
    value["variants"] = ruleset.variant_ids().collect::<Vec<_>>().into();
    value["rules"] = ruleset.hash.as_str().into();
    value["players"] = game.seats.into();
    value["viewer"] = face.to_string().into();
    value["move"] = (game.timeline().cursor() + 1).into();
    let is_over = game.position().open.is_none() && game.position().failed.is_none();
    value["over"] = is_over.into();
    value["failed"] = game.position().failed.is_some().into();
    if is_over {
        let rank = |seats: &Vec<Seat>| seats.iter().map(|seat| seat.number()).collect::<Vec<_>>();
        value["ranking"] = game.position().ranking.iter().map(rank).collect::<Vec<_>>().into();
        value["scores"] = game.position().scores.clone().into();
    }
    value
}

/// The timeline as JSON: cursor, branches and bookmarks.
fn time(session: &Session) -> Value {
    let timeline = session.playthrough.timeline();
    let branches: Vec<Value> = timeline
        .branches()
        .iter()
        .enumerate()
        .map(|(number, branch)| {
            json!({ "name": branch.name, "length": branch.log.len(), "now": number == timeline.place_of_current() })
        })
        .collect();
    let bookmarks: Vec<Value> =
        timeline.bookmarks().map(|(_, mark)| json!({ "name": mark.name, "move": mark.entries + 1 })).collect();
    json!({
        "cursor": timeline.cursor(), "length": timeline.current().log.len(), "branches": branches, "bookmarks": bookmarks,
    })
}

/// The game's variants and the settings of the rules in play, as JSON.
fn rules(session: &Session) -> Value {
    let ruleset = &session.playthrough.loaded().ruleset;
    let language = session.language;
    let settings = |layer: &Layer| -> Value {
        let values = ruleset.settings.iter().find(|(id, _)| *id == layer.id).map(|(_, values)| values);
        let shown = layer.settings.iter().filter_map(|(key, setting)| {
            Some(setting_shown(&layer.id, key, setting, &values?.get(key)?.to_string(), setting.help.get(language)))
        });
        shown.collect()
    };
    let mut variants: Vec<Value> = Vec::new();
    for layer in &ruleset.variants {
        variants.push(json!({
            "id": layer.id, "name": layer.name.get(language), "about": layer.about.get(language), "on": true,
            "settings": settings(layer),
        }));
    }
    for entry in session.library.variants(&ruleset.game.id) {
        if ruleset.variant_ids().any(|id| id == entry.id) {
            continue;
        }
        let Ok(layer) = &entry.layer else { continue };
        variants.push(json!({
            "id": entry.id, "name": layer.name.get(language), "about": layer.about.get(language), "on": false,
            "settings": [],
        }));
    }
    json!({ "variants": variants, "settings": settings(&ruleset.game) })
}

fn setting_shown(layer: &str, key: &str, setting: &Setting, value: &str, help: &str) -> Value {
    let text = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let choices: Vec<String> = setting.choices.iter().map(text).collect();
    let is_list = setting.default.is_array();
    let mut shown = json!({ "key": format!("{layer}.{key}"), "help": help, "value": value });
    if !choices.is_empty() && !is_list {
        shown["choices"] = choices.into();
    }
    if let (Some(min), Some(max)) = (setting.min, setting.max)
        && !is_list
    {
        (shown["min"], shown["max"]) = (min.into(), max.into());
    }
    shown
}

fn people(session: &Session, people: &[SeatStatus]) -> Value {
    let shown = people.iter().map(|status| {
        json!({
            "seat": status.seat.to_string(), "agent": session.agent_of(status.seat), "link": status.has_link,
            "watching": status.watching,
        })
    });
    shown.collect()
}
