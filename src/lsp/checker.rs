//! The background thread that checks the open files while somebody types.
//!
//! There is one slot for the next task, and the newest task takes it, so tasks never pile up. Findings of static checks
//! are sent right after the last keystroke; findings that need games to be played follow after a pause.

use super::documents::{Document, Encoding, Lines, uri_of};
use super::{SharedTestResults, Wire};
use crate::catalogue::{said, speak, spoken};
use crate::diagnostic::{Diagnostic, Severity, Source, visible};
use crate::host::threads::locked;
use crate::sorted::SortedSet;
use crate::work::Work;
use crate::workspace::{FileFinding, Workspace};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The time without a keystroke after which the rules are read.
const READ_DELAY: Duration = Duration::from_millis(15);

/// The time without a keystroke after which games are played.
const PLAY_DELAY: Duration = Duration::from_millis(800);

/// A task of the checker: a snapshot of the files to check.
pub struct Task {
    /// The files, with the texts of open documents over them.
    pub workspace: Workspace,
    /// The open documents, the last changed first.
    pub documents: Vec<Document>,
    /// The client's unit of positions.
    pub encoding: Encoding,
    /// Whether games may be played in a pause.
    pub plays: bool,
    /// The URL prefix of explanations; the name of a finding's code follows it.
    pub explained: String,
    /// Whether the client supports related places in diagnostics.
    pub relates: bool,
    /// The file that was opened or saved, whose tests are to run after a pause.
    pub saved: Option<PathBuf>,
    /// The store for test results.
    pub tested: SharedTestResults,
    /// Whether the client supports a request to refresh its code lenses.
    pub refreshes_lenses: bool,
}

#[derive(Default)]
struct Place {
    task: Option<Task>,
    /// The current work, which a newer task stops.
    work: Option<Arc<Work>>,
    is_closed: bool,
}

/// The handle of the checker's thread.
pub struct Checker {
    place: Arc<(Mutex<Place>, Condvar)>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Checker {
    /// Starts the thread, which sends its findings through `wire`.
    pub fn start(wire: Wire) -> Self {
        let place: Arc<(Mutex<Place>, Condvar)> = Arc::default();
        let shared = place.clone();
        let language = spoken();
        let thread = thread::Builder::new().name("checker".to_owned()).spawn(move || {
            speak(language);
            look(&shared, &wire);
        });
        let thread = thread.ok();
        Self { place, thread }
    }

    /// Gives the thread a new task, which replaces any waiting or running one.
    pub fn look_at(&self, task: Task) {
        let mut place = locked(&self.place.0);
        if let Some(work) = &place.work {
            work.stop();
        }
        place.task = Some(match place.task.take() {
            Some(before) => task.after(&before),
            None => task,
        });
        self.place.1.notify_all();
    }

    /// Ends the thread and waits for it.
    pub fn close(mut self) {
        {
            let mut place = locked(&self.place.0);
            place.is_closed = true;
            if let Some(work) = &place.work {
                work.stop();
            }
            self.place.1.notify_all();
        }
        // The thread has nothing more to report.
        let _ = self.thread.take().map(thread::JoinHandle::join);
    }
}

fn look(shared: &(Mutex<Place>, Condvar), wire: &Wire) {
    // The tests with findings whose files are not open.
    let mut failing = SortedSet::new();
    let Some(mut task) = next(shared) else { return };
    loop {
        // More keystrokes may follow.
        while let Some(newer) = newer(shared, READ_DELAY) {
            let Some(newer) = newer else { return };
            task = newer.after(&task);
        }
        let work = Arc::new(Work::default());
        set_work(shared, Some(work.clone()));
        let read = publish_findings(&task, &work, wire);
        set_work(shared, None);
        if !work.is_stopped() && task.plays {
            if let Some(newer) = newer(shared, PLAY_DELAY) {
                let Some(newer) = newer else { return };
                task = newer.after(&task);
                continue;
            }
            set_work(shared, Some(work.clone()));
            play(&task, read, &work, wire);
            if !work.is_stopped() {
                run_tests(&task, &work, &mut failing, wire);
            }
            set_work(shared, None);
            if !work.is_stopped() {
                task.saved = None;
            }
        }
        let Some(newer) = next(shared) else { return };
        task = newer.after(&task);
    }
}

/// Sends the static findings of each open document.
fn publish_findings(task: &Task, work: &Arc<Work>, wire: &Wire) -> Vec<Vec<FileFinding>> {
    let mut read = Vec::new();
    for document in &task.documents {
        let found = task.workspace.findings(&document.path, work);
        if work.is_stopped() {
            break;
        }
        publish(task, document, &found, wire);
        read.push(found);
    }
    read
}

/// Sends the findings that need games to be played, together with the static ones.
fn play(task: &Task, read: Vec<Vec<FileFinding>>, work: &Arc<Work>, wire: &Wire) {
    for (document, mut found) in task.documents.iter().zip(read) {
        let played = task.workspace.play_findings(&document.path, work);
        if work.is_stopped() {
            return;
        }
        if !played.is_empty() {
            found.extend(played);
            publish(task, document, &found, wire);
        }
    }
}

impl Task {
    /// This task, which replaces `before`; it takes over tests that have not run yet.
    fn after(mut self, before: &Self) -> Self {
        // A file that has changed since it was saved is tested when it is saved again.
        let is_same = |path: &PathBuf| {
            before.workspace.text(path).zip(self.workspace.text(path)).is_some_and(|(a, b)| a.text == b.text)
        };
        if self.saved.is_none() {
            self.saved = before.saved.clone().filter(is_same);
        }
        self
    }
}

/// Runs the tests around the saved file. Findings in open files were already sent; those in others are sent here.
fn run_tests(task: &Task, work: &Arc<Work>, failing: &mut SortedSet<PathBuf>, wire: &Wire) {
    let Some(saved) = &task.saved else { return };
    let tests = task.workspace.tests_around(saved);
    if tests.is_empty() {
        return;
    }
    let Some((results, found)) = task.workspace.run_tests(&tests, work) else { return };
    for (path, found) in found {
        let is_open = task.documents.iter().any(|document| document.path == path);
        let is_told = failing.remove(&path);
        if is_open || task.workspace.is_fixed(&path) || found.is_empty() && !is_told {
            continue;
        }
        let text = String::new();
        publish(
            task,
            &Document { uri: uri_of(&path), path: path.clone(), version: None, text, has_mark: false },
            &found,
            wire,
        );
        if !found.is_empty() {
            failing.insert(path);
        }
    }
    locked(&task.tested).extend(results);
    if task.refreshes_lenses {
        wire.ask("lenses", "workspace/codeLens/refresh", Json::Null);
    }
}

/// Waits for the next task; `None` when the thread should end.
fn next(shared: &(Mutex<Place>, Condvar)) -> Option<Task> {
    let mut place = locked(&shared.0);
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

/// A task that arrives within `time`; `Some(None)` where the thread should end.
#[allow(clippy::option_option, reason = "nothing came, or the end came")]
fn newer(shared: &(Mutex<Place>, Condvar), time: Duration) -> Option<Option<Task>> {
    let place = locked(&shared.0);
    let waited = shared.1.wait_timeout_while(place, time, |place| place.task.is_none() && !place.is_closed);
    let (mut place, _) = waited.unwrap_or_else(PoisonError::into_inner);
    if place.is_closed {
        return Some(None);
    }
    place.task.take().map(Some)
}

fn set_work(shared: &(Mutex<Place>, Condvar), work: Option<Arc<Work>>) {
    let mut place = locked(&shared.0);
    // A newer task has arrived meanwhile and makes this work obsolete.
    if let Some(work) = work.as_ref().filter(|_| place.task.is_some() || place.is_closed) {
        work.stop();
    }
    place.work = work;
}

fn publish(task: &Task, document: &Document, found: &[FileFinding], wire: &Wire) {
    let Some(source) = task.workspace.text(&document.path).or_else(|| {
        // A file that is not text has findings without positions.
        found.first().map(|_| Source::new("", ""))
    }) else {
        return;
    };
    let lines = document.lines(&source.text, task.encoding);
    let diagnostics: Vec<Json> = found.iter().map(|found| in_json(task, document, found, &lines)).collect();
    let mut params = json!({ "uri": document.uri, "diagnostics": diagnostics });
    if let Some(version) = document.version {
        params["version"] = version.into();
    }
    wire.notify("textDocument/publishDiagnostics", params);
}

/// A finding as a diagnostic of the protocol. Its data is kept for quick fixes.
fn in_json(task: &Task, document: &Document, found: &FileFinding, lines: &Lines<'_>) -> Json {
    let FileFinding { span, diagnostic, is_played } = found;
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
                // An embedded text numbers its own lines; the client needs those of the file.
                let (line, column) = place.position();
                let text = place.source.line(line);
                let unit = Lines::new(text, task.encoding)
                    .units(&(0..text.char_indices().nth(column - 1).map_or(text.len(), |(at, _)| at)));
                let start = json!({ "line": line - 1, "character": unit });
                let words = if place.label.is_empty() { said("here").into() } else { place.label.told() };
                place.source.name.contains(['.', '/']).then(|| {
                    json!({ "location": { "uri": uri, "range": { "start": start, "end": start } }, "message": words })
                })
            })
            .collect();
        if !related.is_empty() {
            whole["relatedInformation"] = related.into();
        }
    }
    whole
}

/// The message of a finding, with its label and help.
pub fn in_words(diagnostic: &Diagnostic) -> String {
    let mut text = diagnostic.message.told().into_owned();
    if let Some(place) = diagnostic.place.as_ref().filter(|place| !place.label.is_empty()) {
        text.push_str(&format!(" ({})", place.label.told()));
    }
    for help in &diagnostic.help {
        text.push_str(&format!("\n{}", help.text.told()));
    }
    text.lines().map(visible).collect::<Vec<_>>().join("\n")
}
