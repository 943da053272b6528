//! The thread that looks for what is wrong while somebody types.
//!
//! There is one place for what is to be looked at, and the newest takes it: whatever comes in between is never looked at, so nothing
//! piles up. What is found without playing is told right after the last key; games are played when there was a pause.

use super::Wire;
use super::documents::{Document, Encoding, Lines, uri_of};
use crate::catalogue::told;
use crate::diagnostic::{Diagnostic, Severity, Source, visible};
use crate::work::Work;
use crate::workspace::{Found, Workspace};
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// So long after the last key the rules are read.
const AFTER_A_KEY: Duration = Duration::from_millis(15);

/// So long after the last key games are played.
const AFTER_A_PAUSE: Duration = Duration::from_millis(800);

/// Files to look at, as they are now.
pub struct Task {
    /// The files with the texts over them.
    pub workspace: Workspace,
    /// The open documents, the one that was changed last before all others.
    pub documents: Vec<Document>,
    /// What positions count.
    pub encoding: Encoding,
    /// Whether games are played in a pause.
    pub plays: bool,
    /// Where explanations are: an address that ends where the name of a finding begins.
    pub explained: String,
    /// Whether the client takes related places.
    pub relates: bool,
}

#[derive(Default)]
struct Place {
    task: Option<Task>,
    /// The work of the thread, which a newer task ends.
    work: Option<Arc<Work>>,
    is_closed: bool,
}

/// The thread.
pub struct Checker {
    place: Arc<(Mutex<Place>, Condvar)>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Checker {
    /// Begins a thread that sends what it finds.
    pub fn start(wire: Wire) -> Self {
        let place: Arc<(Mutex<Place>, Condvar)> = Arc::default();
        let shared = place.clone();
        let thread = thread::Builder::new().name("checker".to_owned()).spawn(move || look(&shared, &wire)).ok();
        Self { place, thread }
    }

    /// Looks at these files as soon as can be, and no more at what was to be looked at before.
    pub fn look_at(&self, task: Task) {
        let mut place = self.place.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(work) = &place.work {
            work.stop();
        }
        place.task = Some(task);
        self.place.1.notify_all();
    }

    /// Ends the thread.
    pub fn close(mut self) {
        {
            let mut place = self.place.0.lock().unwrap_or_else(PoisonError::into_inner);
            place.is_closed = true;
            if let Some(work) = &place.work {
                work.stop();
            }
            self.place.1.notify_all();
        }
        // It has nothing to say any more.
        let _ = self.thread.take().map(thread::JoinHandle::join);
    }
}

fn look(shared: &(Mutex<Place>, Condvar), wire: &Wire) {
    loop {
        let Some(mut task) = next(shared) else { return };
        // The last key may not have been the last.
        while let Some(newer) = newer(shared, AFTER_A_KEY) {
            let Some(newer) = newer else { return };
            task = newer;
        }
        let work = Arc::new(Work::default());
        set_work(shared, Some(work.clone()));
        let mut read: Vec<Vec<Found>> = Vec::new();
        for document in &task.documents {
            let found = task.workspace.findings(&document.path, &work);
            if work.is_stopped() {
                break;
            }
            publish(&task, document, &found, wire);
            read.push(found);
        }
        set_work(shared, None);
        if read.len() < task.documents.len() || !task.plays {
            continue;
        }
        if let Some(newer) = newer(shared, AFTER_A_PAUSE) {
            let Some(newer) = newer else { return };
            put_back(shared, newer);
            continue;
        }
        set_work(shared, Some(work.clone()));
        for (document, mut found) in task.documents.iter().zip(read) {
            let played = task.workspace.played(&document.path, &work);
            if work.is_stopped() {
                break;
            }
            if !played.is_empty() {
                found.extend(played);
                publish(&task, document, &found, wire);
            }
        }
        set_work(shared, None);
    }
}

/// The next task; nothing when the thread should end.
fn next(shared: &(Mutex<Place>, Condvar)) -> Option<Task> {
    let mut place = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if place.is_closed {
            return None;
        }
        if let Some(task) = place.task.take() {
            return Some(task);
        }
        place = shared.1.wait(place).unwrap_or_else(PoisonError::into_inner);
    }
}

/// A task that comes within a time; the inner nothing says that the thread should end.
#[allow(clippy::option_option, reason = "nothing came, or the end came")]
fn newer(shared: &(Mutex<Place>, Condvar), time: Duration) -> Option<Option<Task>> {
    let place = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
    let waited = shared.1.wait_timeout_while(place, time, |place| place.task.is_none() && !place.is_closed);
    let (mut place, _) = waited.unwrap_or_else(PoisonError::into_inner);
    if place.is_closed {
        return Some(None);
    }
    place.task.take().map(Some)
}

fn put_back(shared: &(Mutex<Place>, Condvar), task: Task) {
    let mut place = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
    if place.task.is_none() {
        place.task = Some(task);
    }
}

fn set_work(shared: &(Mutex<Place>, Condvar), work: Option<Arc<Work>>) {
    let mut place = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
    // A task that came since stops what it could not know of.
    if let Some(work) = work.as_ref().filter(|_| place.task.is_some() || place.is_closed) {
        work.stop();
    }
    place.work = work;
}

fn publish(task: &Task, document: &Document, found: &[Found], wire: &Wire) {
    let Some(source) = task.workspace.text(&document.path).or_else(|| {
        // What is no text has no places.
        found.first().map(|_| Source::new("", ""))
    }) else {
        return;
    };
    let lines = Lines::new(&source.text, task.encoding);
    let diagnostics: Vec<Json> = found.iter().map(|found| in_json(task, document, found, &lines)).collect();
    let params = json!({ "uri": document.uri, "version": document.version, "diagnostics": diagnostics });
    wire.notify("textDocument/publishDiagnostics", params);
}

/// A finding, as the protocol has it. What it is told by is kept for the fixes.
fn in_json(task: &Task, document: &Document, found: &Found, lines: &Lines<'_>) -> Json {
    let Found { span, diagnostic, is_played } = found;
    let severity = match diagnostic.severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Note => 3,
    };
    let mut whole = json!({
        "range": lines.range(span),
        "severity": severity,
        "source": if *is_played { "houserule play" } else { "houserule" },
        "message": in_words(diagnostic),
    });
    if let Some(code) = diagnostic.code {
        whole["code"] = code.name.into();
        if !task.explained.is_empty() {
            whole["codeDescription"] = json!({ "href": format!("{}#{}", task.explained, code.name) });
        }
        if code.name.starts_with("unused") || code.name == "uncalled" {
            whole["tags"] = json!([1]);
        }
        if code.name == "old-name" {
            whole["tags"] = json!([2]);
        }
    }
    if task.relates {
        let related: Vec<Json> = diagnostic
            .related
            .iter()
            .filter_map(|place| {
                let is_own = task.workspace.text(&document.path).is_some_and(|own| own.name == place.source.name);
                let uri = if is_own { document.uri.clone() } else { uri_of(Path::new(&place.source.name)) };
                // A text inside a file has its own lines: its places are those of the file.
                let (line, column) = place.position();
                let text = place.source.line(line);
                let unit = Lines::new(text, task.encoding).units(&(0..text.char_indices().nth(column - 1).map_or(text.len(), |(at, _)| at)));
                let start = json!({ "line": line - 1, "character": unit });
                let words = if place.label.is_empty() { "here" } else { &place.label };
                place.source.name.contains(['.', '/']).then(|| {
                    json!({ "location": { "uri": uri, "range": { "start": start, "end": start } }, "message": told(words) })
                })
            })
            .collect();
        if !related.is_empty() {
            whole["relatedInformation"] = related.into();
        }
    }
    whole
}

/// What a finding says, with what helps on.
pub fn in_words(diagnostic: &Diagnostic) -> String {
    let mut text = told(&diagnostic.message).into_owned();
    let label = diagnostic.place.as_ref().map_or("", |place| place.label.as_str());
    if !label.is_empty() {
        text.push_str(&format!(" ({})", told(label)));
    }
    for help in &diagnostic.help {
        text.push_str(&format!("\n{}", told(help)));
    }
    text.lines().map(visible).collect::<Vec<_>>().join("\n")
}
