//! Watching the rules' files: an edit is loaded and reported as soon as it is saved, while the prompt waits.
//!
//! Editors save in many ways: in place, in two steps, or under another name that then replaces the old one. So folders
//! are watched, not files, and only the content of the settled files counts: rewriting the same content is no change.
//!
//! The system reports nothing about files behind a symbolic link, other hard links of a file, or a link on the way to a
//! file that is redirected. So the files of the rules in play are also polled.

use crate::catalogue::{message, speak, spoken};
use crate::definition::OriginKind;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::{Files as _, path_name};
use crate::host::disk::Disk;
use crate::host::threads::locked;
use crate::screen::style::{Line, within};
use crate::session::Session;
use crate::session::reload::ReloadReport;
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// How long files must be unchanged before the rules are read: an editor that saves in steps is done by then.
const QUIET_TIME: Duration = Duration::from_millis(8);

/// The longest wait for unchanged files, so that a program that keeps writing does not hold up the rules.
const MAX_WAIT_FOR_QUIET: Duration = Duration::from_millis(60);

/// How long a file may be missing before it counts as deleted: some editors delete a file before they write it again.
const MAX_MISSING_TIME: Duration = Duration::from_millis(250);

/// The interval at which the files of the rules in play are polled.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The file watcher of a session at a terminal.
pub(super) struct Files {
    watcher: RecommendedWatcher,
    folders: Vec<PathBuf>,
}

impl Files {
    /// Starts watching. `tell` gets the report on each change, with the prompt that is right after it.
    ///
    /// # Errors
    /// The system cannot watch files.
    pub(super) fn watch(
        session: Arc<Mutex<Session>>,
        tell: impl FnMut(Vec<Line>, String) + Send + 'static,
    ) -> Result<Self, Diagnostics> {
        let (written, news): (Sender<()>, Receiver<()>) = channel();
        let cannot = |error: String| {
            Diagnostic::new(message!("files cannot be watched here: {error}")).help("`reload` reads the rules again")
        };
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // Reading a file does not change it.
            if event.is_ok_and(|event| !event.kind.is_access() || is_end_of_writing(event.kind)) {
                let _ = written.send(());
            }
        });
        let watcher = watcher.map_err(|error| cannot(error.to_string()))?;
        let language = spoken();
        let body = move || {
            speak(language);
            listen(&session, &news, tell);
        };
        thread::Builder::new().name("watch".to_owned()).spawn(body).map_err(|error| cannot(error.to_string()))?;
        Ok(Self { watcher, folders: Vec::new() })
    }

    /// Watches the folders of the rules in play, which may have changed since the last call.
    ///
    /// # Errors
    /// A folder cannot be watched.
    pub(super) fn follow(&mut self, session: &Session) -> Result<(), Diagnostics> {
        let folders = folders(session);
        for old in self.folders.iter().filter(|old| !folders.contains(old)) {
            let _ = self.watcher.unwatch(old);
        }
        for new in folders.iter().filter(|new| !self.folders.contains(new)) {
            self.watcher.watch(new, RecursiveMode::Recursive).map_err(|error| {
                Diagnostic::new(message!("{} cannot be watched: {error}", path_name(new)))
                    .help("`reload` reads the rules again")
            })?;
        }
        self.folders = folders;
        Ok(())
    }
}

/// The folders of the files that make up the rules in play.
fn folders(session: &Session) -> Vec<PathBuf> {
    let roots = session.library.roots().iter();
    let mut folders: Vec<PathBuf> =
        roots.flat_map(|root| ["games", "variants", "scripts"].map(|part| root.join(part))).collect();
    let by_path = session.playthrough.loaded().ruleset.variants.iter().filter_map(|layer| match layer.origin.found() {
        OriginKind::Path => layer.origin.path().parent(),
        OriginKind::Root(_) | OriginKind::Saved => None,
    });
    folders.extend(by_path.map(|folder| match folder.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => folder.to_owned(),
    }));
    // A pack is a folder only to the library.
    folders.retain(|folder| Disk.is_folder(folder));
    folders.sort();
    folders.dedup();
    folders
}

fn is_end_of_writing(kind: notify::EventKind) -> bool {
    use notify::event::{AccessKind, AccessMode};
    kind == notify::EventKind::Access(AccessKind::Close(AccessMode::Write))
}

/// Metadata that changes when a file is written or replaced. Symbolic links are followed.
#[derive(PartialEq)]
struct Stamp {
    written: Option<SystemTime>,
    bytes: u64,
    /// The device and inode numbers, where the system has them.
    file: Option<(u64, u64)>,
}

impl Stamp {
    fn of(file: &Path) -> Option<Self> {
        let found = std::fs::metadata(file).ok()?;
        #[cfg(unix)]
        let file = Some((std::os::unix::fs::MetadataExt::dev(&found), std::os::unix::fs::MetadataExt::ino(&found)));
        #[cfg(not(unix))]
        let file = None;
        Some(Self { written: found.modified().ok(), bytes: found.len(), file })
    }

    /// The stamps of all files of the rules in play; `None` for a missing file.
    fn of_rules(session: &Mutex<Session>) -> Vec<Option<Self>> {
        let files = locked(session).rule_files();
        files.iter().map(|file| Self::of(file)).collect()
    }
}

/// Waits until written files have settled, and reports what they change. Ends with the watcher.
fn listen(session: &Mutex<Session>, news: &Receiver<()>, mut tell: impl FnMut(Vec<Line>, String)) {
    let mut gone_since: Option<Instant> = None;
    // The first comparison finds what was written before it.
    let mut stamps = Vec::new();
    loop {
        let wait = gone_since.map_or(POLL_INTERVAL, |since| MAX_MISSING_TIME.saturating_sub(since.elapsed()));
        match news.recv_timeout(wait) {
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) if gone_since.is_none() && Stamp::of_rules(session) == stamps => continue,
            Ok(()) | Err(RecvTimeoutError::Timeout) => {}
        }
        let first = Instant::now();
        while first.elapsed() < MAX_WAIT_FOR_QUIET && news.recv_timeout(QUIET_TIME).is_ok() {}
        stamps = Stamp::of_rules(session);
        let is_patient = gone_since.is_none_or(|since| since.elapsed() < MAX_MISSING_TIME);
        let mut session = locked(session);
        match session.after_save(is_patient) {
            ReloadReport::Gone => {
                gone_since.get_or_insert_with(Instant::now);
            }
            ReloadReport::None => gone_since = None,
            ReloadReport::Lines(lines) => {
                gone_since = None;
                let (prompt, width) = (session.prompt(), session.width);
                drop(session);
                tell(within(lines, width), prompt);
            }
        }
    }
}
