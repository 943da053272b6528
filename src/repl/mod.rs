//! The REPL: a session at a terminal, or a script from a pipe.
//!
//! At a terminal, lines are typed at a prompt, with completion, hints, history and a pager. Otherwise they are read as
//! a script, which ends at the first line that fails. The [`session`](crate::session) interprets the lines. This module
//! also watches the rules' files, and keeps the journal that preserves a game whose session is killed.

mod complete;
mod history;
mod interactive;
pub mod journal;
mod pager;
pub mod piped;
#[cfg(unix)]
mod signals;
mod watch;

use crate::diagnostic::Diagnostics;
use crate::host::terminal::Terminal;
use crate::host::threads::locked;
use crate::screen::style::Line;
use crate::serve::hub::{Echo, Table};
use crate::session::Session;
use crate::session::commands::Flow;
use crate::session::table_face::{Face, TableReach};
use etcetera::BaseStrategy as _;
use journal::Journal;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// The person left, or the script ended.
    Well,
    /// A line of the script failed, or the rules had failed before its first line.
    Failed,
    /// The line editor cannot use the terminal.
    Unusable,
    /// The terminal was closed.
    HungUp,
    /// The person stopped a line of the script.
    Interrupted,
}

/// Runs a session until the person leaves or the script ends. `journal` preserves an unsaved game. Input and output of
/// a script are added to `transcript`; a session at a terminal leaves it untouched.
pub fn run(
    session: Session,
    terminal: Terminal,
    journal: Option<Journal>,
    transcript: Option<&mut Vec<Line>>,
    opening: &TableOpening,
) -> SessionEnd {
    if std::io::stdin().is_terminal() {
        interactive::run(session, terminal, journal, opening)
    } else {
        piped::run(session, &mut std::io::stdin().lock(), terminal, journal, transcript, opening)
    }
}

/// Options for the live table that opens with a session.
#[derive(Clone, Debug, Default)]
pub struct TableOpening {
    /// The reach of the table once a seat is invited; `None` for the same reach as before the session was killed.
    pub reach: Option<TableReach>,
    /// The commands run at the beginning, as if they had been typed: `table browser`, `invite p2`.
    pub first_lines: Vec<String>,
}

impl TableOpening {
    /// Whether the session outlives the end of its input, for people who play elsewhere.
    fn stays_open(&self) -> bool {
        !self.first_lines.is_empty()
    }

    /// Gives the session a live table and runs the first lines. Their output is added to `shown`, up to the first
    /// failure.
    ///
    /// # Errors
    /// The table cannot be opened, or a seat cannot be invited.
    fn open(&self, session: &Arc<Mutex<Session>>, echo: Echo, shown: &mut Vec<Line>) -> Result<(), Diagnostics> {
        let before = locked(session).seating();
        let reach = self.reach.clone().or(before.reach).unwrap_or_default();
        let mut table = Table::new(session, reach, echo)?;
        let mut session = locked(session);
        let found = table.restore_links(&before.links, session.playthrough.seats)?;
        session.set_table_server(Box::new(table));
        for face in &found {
            if let Face::Player(seat) = face {
                session.set_elsewhere(*seat, true);
            }
        }
        let links = (!found.is_empty()).then(|| "invite".to_owned());
        for line in links.iter().chain(&self.first_lines) {
            if let Flow::Show(lines) = session.line(line)? {
                shown.extend(lines);
            }
        }
        Ok(())
    }
}

/// Writes the session's changes to the journal, if there is one.
///
/// # Errors
/// The journal cannot be written.
fn keep(session: &Session, journal: &Mutex<Option<Journal>>) -> Result<(), Diagnostics> {
    locked(journal).as_mut().map_or(Ok(()), |journal| journal.write(session))
}

/// The program's folder in the place where the platform keeps application state.
fn state_folder() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.state_dir().unwrap_or_else(|| base.data_dir()).join("houserule"))
}
