//! The live page of a game in play: the table in slots as one viewer sees them, with options as buttons that refer to
//! places on the table.
//!
//! The page around the table, with its script, is sent once; a move then sends only the slots that it changed.

use super::parts::Pictures;
use super::table::{DRAWING, Drawer, Slot, line, skeleton, slots};
use super::{Frame, escape, words};
use crate::definition::Language;
use crate::files::FileFormat;
use crate::screen::decision::{Listing, decision};
use crate::screen::record::log_lines;
use crate::screen::style::Line;
use crate::screen::{Scene, Sight, fill};
use crate::table::decision::{Decision, OptionShown};
use crate::table::event::Event;
use crate::table::knowledge::Viewer;
use crate::table::value::{Seat, Value};
use std::sync::Arc;

/// The file format of a live page.
const LIVE: FileFormat = FileFormat { name: "a live table", beginning: "<!doctype html>\n<!-- houserule: table -->" };

/// The width of lines laid out as in a terminal, in columns; it fits on a phone.
pub const COLUMNS: usize = 44;

const STYLE: &str = include_str!("live.css");

const SCRIPT: &str = include_str!("live.js");

/// The table as one viewer sees it, in pieces that can be sent separately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableDrawing {
    /// The markup around the slots, which changes only with the rules.
    pub skeleton: String,
    /// The content of each slot, in the order of their numbers (`data-slot`).
    pub slots: Vec<String>,
    /// The symbols of the pictures that the slots refer to.
    pub pictures: String,
}

/// A predicate: whether the viewer may answer a decision with an option on this page.
pub type OptionFilter<'a> = &'a dyn Fn(&Decision, &OptionShown) -> bool;

/// Draws the table with the decisions that are open now.
pub fn table_drawing(scene: &Scene<'_>, asked: &[&Decision], may_choose: OptionFilter<'_>) -> TableDrawing {
    let sight = Sight::of(scene);
    let mut pictures = Pictures::default();
    let plan: Vec<Slot> = slots(sight.layout).into_iter().filter(|slot| !matches!(slot, Slot::Ending(_))).collect();
    let contents = plan.iter().map(|slot| match slot {
        Slot::Question => question(&sight, asked, may_choose),
        slot => Drawer { sight: &sight, pictures: &mut pictures, has_places: true }.content(*slot),
    });
    let contents: Vec<String> = contents.collect();
    let number = |wanted: Slot| Some((plan.iter().position(|slot| *slot == wanted)?, String::new()));
    TableDrawing {
        skeleton: skeleton(&sight, &number, true, true),
        slots: contents,
        pictures: pictures.symbols(sight.names()),
    }
}

/// An event as a line of markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventMarkup {
    /// The number of the event's move; 0 before the first.
    pub moves: usize,
    /// The line, as markup.
    pub markup: Arc<str>,
    /// The component or variable that the event is about, by id, to ask why.
    pub subject: Option<Arc<str>>,
}

/// Events as the viewer may know them.
pub fn happened(scene: &Scene<'_>, events: &[Event]) -> Vec<EventMarkup> {
    let (layout, eyes) = (scene.layout, scene.observed_position());
    let subject = |event: &Event| -> Option<Arc<str>> {
        if let Some(component) = event.what.component().filter(|component| eyes.saw_component(event, *component)) {
            return layout.faces.get(eyes.front(component).face).map(|face| face.id.clone());
        }
        let (variable, _) = event.what.sets(layout).filter(|(variable, _)| eyes.may_read(*variable))?;
        layout.variables.get(variable).map(|variable| variable.id.clone())
    };
    let told = log_lines(scene, events);
    let happened = told.iter().map(|told_line| EventMarkup {
        moves: told_line.events.first().map_or(0, |event| event.moves),
        markup: line(&told_line.line).into(),
        subject: told_line.events.first().and_then(subject),
    });
    happened.collect()
}

/// Lines of a terminal as markup that keeps their columns.
pub fn lines(lines: &[Line]) -> String {
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A key of a decision for answers to refer to. It stays the same while the decision is open, whoever else chooses
/// meanwhile, and differs from that of any other decision.
pub fn decision_key(decision: &Decision) -> String {
    let mut hasher = blake3::Hasher::new();
    let seat = decision.seat.map_or(0, Seat::number);
    hasher.update(format!("{} {seat} {}", decision.number, decision.prompt).as_bytes());
    for option in &decision.options {
        hasher.update(b"\0");
        hasher.update(option.label.as_bytes());
    }
    hasher.finalize().to_hex().chars().take(16).collect()
}

/// The open decisions, with buttons for the options that the viewer may choose.
fn question(sight: &Sight<'_>, asked: &[&Decision], may_choose: OptionFilter<'_>) -> String {
    if asked.is_empty() {
        let lines: Vec<String> = match sight.scene.position.open {
            // This viewer has answered, and others have not yet.
            Some(_) => vec![escape(words(sight.scene.language).waiting)],
            None => decision(sight.scene).iter().map(line).collect(),
        };
        return format!("<p class=\"lines\" tabindex=\"0\">{}</p>", lines.join("\n"));
    }
    asked.iter().map(|decision| asked_decision(sight, decision, may_choose)).collect()
}

fn asked_decision(sight: &Sight<'_>, open: &Decision, may_choose: OptionFilter<'_>) -> String {
    let question: Vec<String> = sight.question(open).iter().map(line).collect();
    let text = format!("<p class=\"question\">{}</p>", question.join(" "));
    let is_mine = open.options.iter().any(|option| may_choose(open, option));
    if !is_mine || !sight.eyes.may_see_options_of(open.seat) {
        return format!("<div class=\"decision\">{text}</div>");
    }
    let words = words(sight.scene.language);
    let mut out = format!(
        "<form class=\"decision mine\" data-key=\"{}\" data-seat=\"{}\" data-min=\"{}\" data-max=\"{}\">{text}<ul class=\"options\">",
        decision_key(open),
        open.seat.map_or_else(String::new, |seat| seat.to_string()),
        open.min,
        open.max
    );
    let listing = Listing::of(sight.layout, &sight.scene.position.table, open);
    let listed = listing.order.iter().filter_map(|position| open.options.get(*position));
    for option in listed.filter(|option| may_choose(open, option)) {
        let is_several = (open.min, open.max) != (1, 1);
        let pressed = if is_several { " aria-pressed=\"false\"" } else { "" };
        out.push_str(&format!(
            "<li><button type=\"button\" data-label=\"{}\" data-points=\"{}\"{pressed}>{}</button></li>",
            escape(&option.label),
            escape(&points(sight, option)),
            option_text(sight, open, option)
        ));
    }
    out.push_str("</ul>");
    if !open.refused.is_empty() {
        out.push_str(&format!("<details class=\"refused\"><summary>{}</summary><ul>", escape(words.not_now)));
        for (option, reason) in &open.refused {
            out.push_str(&format!(
                "<li data-points=\"{}\">{}: {}</li>",
                escape(&points(sight, option)),
                option_text(sight, open, option),
                escape(&sight.text(reason))
            ));
        }
        out.push_str("</ul></details>");
    }
    out + "</form>"
}

fn option_text(sight: &Sight<'_>, open: &Decision, option: &OptionShown) -> String {
    let (name, detail) = sight.option_lines(&option.value, open.seat);
    let detail = if detail.is_empty() { String::new() } else { format!(" <small>{}</small>", line(&detail)) };
    format!("{}{detail}", line(&name))
}

/// The places on the table that an option refers to: `zone@place` for a component, the id of a zone, `p2` for a seat.
fn points(sight: &Sight<'_>, option: &OptionShown) -> String {
    let mut found: Vec<String> = Vec::new();
    point_at(sight, &option.value, &mut found);
    found.join(" ")
}

fn point_at(sight: &Sight<'_>, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Zone(zone) => found.extend(sight.layout.zones.get(zone.index()).map(|info| info.id.to_string())),
        Value::Seat(seat) => found.push(seat.to_string()),
        Value::List(list) => list.iter().for_each(|one| point_at(sight, one, found)),
        Value::Parts(parts) => parts.0.iter().for_each(|(_, part)| point_at(sight, part, found)),
        value => {
            for component in value.components() {
                let named = Value::Component(component);
                // A hidden card that the option itself shows by its back may be pointed at: everybody sees where it
                // lies.
                let is_shown =
                    sight.eyes.sees(component) || !value.any_component(&mut |one| Value::Component(one) == named);
                let zone = sight.scene.position.table.zones.place(component).filter(|_| is_shown);
                let info = zone.and_then(|zone| sight.layout.zones.get(zone.index()));
                if let (Some(info), Some(place)) = (info, sight.eyes.position_seen(component)) {
                    found.push(format!("{}@{place}", info.id));
                }
            }
        }
    }
}

/// The viewer of a page, in words for its heading.
pub fn place_at_table(viewer: Viewer, language: Language) -> String {
    let words = words(language);
    match viewer {
        Viewer::Everything => words.seen_by_all.to_owned(),
        Viewer::Seat(seat) | Viewer::Memory(seat) => fill(words.seen_by, &[&seat]),
        Viewer::Public(_) => words.seen_by_each.to_owned(),
    }
}

/// The label of the button that opens the rulebook at the current question.
pub fn book_button(language: Language) -> &'static str {
    language.words().live.book
}

/// The page of a live table, which its script fills with what the server sends. `face` determines the controls beside
/// the table.
pub fn live_page(title: &str, face: LiveFace, language: Language) -> String {
    let words = words(language);
    let live = &language.words().live;
    let tools = match face {
        LiveFace::Designer => format!(
            "<section id=\"time\" aria-label=\"{steps}\" class=\"steps-bar\"><output id=\"here\"></output>\
             <button type=\"button\" data-line=\"undo\">{undo}</button><input type=\"range\" id=\"range\" min=\"0\" max=\"0\" aria-label=\"{steps}\">\
             <button type=\"button\" data-line=\"redo\">{redo}</button></section>\n\
             <section aria-labelledby=\"said-title\"><h2 id=\"said-title\">{commands}</h2>\
             <form id=\"command\"><label for=\"line\" class=\"told\">{type_here}</label>\
             <input id=\"line\" autocomplete=\"off\" autocapitalize=\"off\" spellcheck=\"false\" placeholder=\"{type_here}\"><button>{send}</button></form>\
             <pre id=\"said\" tabindex=\"0\" aria-live=\"polite\"></pre></section>\n\
             <section id=\"parting\" class=\"drawn\" hidden><button type=\"button\">{close}</button><div></div></section>\n\
             <section id=\"figures\" class=\"drawn\" hidden><button type=\"button\">{close}</button><div tabindex=\"0\" role=\"region\" aria-label=\"{figures}\"></div></section>\n\
             <details id=\"branches\"><summary>{branches}</summary><div></div></details>\n\
             <details id=\"rules\"><summary>{rules}</summary><p class=\"buttons\">\
             <button type=\"button\" data-line=\"test\">{test}</button>\
             <button type=\"button\" data-line=\"sim 1000 &amp;\">{simulate}</button></p><div></div></details>\n\
             <details id=\"people\"><summary>{people}</summary><div></div></details>\n",
            steps = escape(words.steps),
            undo = escape(live.undo),
            redo = escape(live.redo),
            commands = escape(live.commands),
            type_here = escape(live.type_here),
            send = escape(live.send),
            branches = escape(live.branches),
            rules = escape(words.rules),
            people = escape(live.people),
            test = escape(live.test),
            simulate = escape(live.simulate),
            figures = escape(live.figures),
            close = escape(live.close),
        ),
        LiveFace::Player => format!(
            "<section id=\"marks\" aria-labelledby=\"marks-title\"><h2 id=\"marks-title\">{title}</h2>\
             <p class=\"buttons\"><button type=\"button\" data-mark=\"unclear\">{unclear}</button>\
             <button type=\"button\" data-mark=\"fun\">{fun}</button><button type=\"button\" data-mark=\"slow\">{slow}</button></p>\
             <label for=\"words-of-mark\">{word}</label> <input id=\"words-of-mark\" maxlength=\"200\" autocomplete=\"off\"></section>\n\
             <pre id=\"said\" tabindex=\"0\" aria-live=\"polite\"></pre>\n",
            title = escape(live.marks),
            unclear = escape(live.unclear),
            fun = escape(live.fun),
            slow = escape(live.slow),
            word = escape(live.word),
        ),
        LiveFace::Screen => String::new(),
    };
    let ask = match face {
        LiveFace::Screen => String::new(),
        _ => format!(
            "<button type=\"button\" id=\"ask\" aria-pressed=\"false\">{}</button> <button type=\"button\" id=\"book\">{}</button>",
            escape(live.ask),
            escape(live.book)
        ),
    };
    let body = format!(
        "<p id=\"status\" role=\"status\">{connecting}</p>\n<p class=\"who\"><span id=\"place\"></span> {ask}<span id=\"hint\" role=\"status\"></span></p>\n\
         <h2 class=\"told\">{table}</h2>\n<div id=\"drawing\"></div>\n<div id=\"pictures\"></div>\n\
         <div id=\"bar\" hidden><output></output><button type=\"button\" id=\"confirm\">{confirm}</button></div>\n\
         <dialog id=\"choice\" aria-labelledby=\"choice-text\"><form method=\"dialog\"><div id=\"choice-text\"></div><div class=\"buttons\"></div><button>{close}</button></form></dialog>\n{tools}\
         <h2 id=\"happened\">{log}</h2>\n<ol id=\"log\" aria-labelledby=\"happened\" tabindex=\"0\"></ol>\n\
         <p id=\"told\" class=\"told\" aria-live=\"polite\"></p>\n",
        connecting = escape(live.connecting),
        table = escape(words.table),
        confirm = escape(live.confirm),
        close = escape(live.close),
        log = escape(words.log),
    );
    let said = [
        ("connected", live.connected),
        ("lost", live.lost),
        ("closed", live.closed),
        ("failed", live.failed),
        ("position", words.position),
        ("start", words.start),
        ("chosen", live.chosen),
        ("thanks", live.thanks),
        ("find", live.find),
        ("which", live.which),
        ("moves", live.move_number),
        ("asking", live.asking),
        ("on", live.on),
        ("bookmarks", live.bookmarks),
        ("seatHere", live.here),
        ("seatLink", live.by_link),
        ("watching", live.watching),
    ];
    let said: serde_json::Map<String, serde_json::Value> =
        said.iter().map(|(key, text)| ((*key).to_owned(), (*text).into())).collect();
    // The data must not contain `</script>`.
    let said = serde_json::Value::Object(said).to_string().replace('<', "\\u003c");
    let body = format!("{body}<script type=\"application/json\" id=\"words\">{said}</script>\n");
    let replay = include_str!("replay.css");
    let style = format!("{DRAWING}{replay}{STYLE}");
    Frame { format: LIVE, language, title, style: &style, script: Some(SCRIPT), is_live: true }.around(&body)
}

/// The controls of a live page beside the table, by its user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveFace {
    /// The designer: everything that a session can do.
    Designer,
    /// A player: the options of one seat, and marks for the playtest record.
    Player,
    /// A public screen: nothing.
    Screen,
}
