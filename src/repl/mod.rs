//! A session at a terminal, or as a script from a pipe.
//!
//! With a terminal, lines are typed at a prompt, with completion, hints, history and a pager; without one they are read as a
//! script, and the first that fails ends it. What a line means is the [`session`](crate::session)'s affair. Here too are
//! the watch over the rules' files, and the journal that keeps a game whose session is killed.

mod complete;
mod history;
mod interactive;
pub mod journal;
mod pager;
mod piped;
#[cfg(unix)]
mod signals;
mod watch;

use crate::diagnostic::Diagnostics;
use crate::host::terminal::Terminal;
use crate::screen::style::Line;
use crate::serve::hub::{Echo, Table};
use crate::session::Session;
use crate::session::commands::Flow;
use crate::session::table_face::{Face, TableReach};
use etcetera::BaseStrategy as _;
use journal::Journal;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// The person left, or the script came to its end.
    Well,
    /// A line of the script failed, or the rules did and nobody mended them.
    Failed,
    /// There is no way to talk to the person.
    Unusable,
    /// The terminal went away.
    HungUp,
    /// Somebody cut a line of the script short.
    Interrupted,
}

/// Runs a session until the person leaves. An unsaved game is kept in `journal`. What a script types and is shown is added to
/// `transcript`; at a terminal nothing is.
pub fn run(
    session: Session,
    terminal: Terminal,
    journal: Option<Journal>,
    transcript: Option<&mut Vec<Line>>,
    opening: &TableOpening,
) -> Leaving {
    if std::io::stdin().is_terminal() {
        interactive::run(session, terminal, journal, opening)
    } else {
        piped::run(session, terminal, journal, transcript, opening)
    }
}

/// How the live table is opened with a session.
#[derive(Clone, Debug, Default)]
pub struct TableOpening {
    /// Where it can be reached, once somebody wants a link; where nobody says it, as before it was killed.
    pub reach: Option<TableReach>,
    /// The lines that are done at the beginning, as if they had been typed: `table browser`, `invite p2`.
    pub first_lines: Vec<String>,
}

impl TableOpening {
    /// Whether the session goes on where nothing more is typed, for those who play elsewhere.
    fn stays_open(&self) -> bool {
        !self.first_lines.is_empty()
    }

    /// Lets the session have a table. What the first lines show comes to `shown`, as far as they go.
    ///
    /// # Errors
    /// The table cannot be opened; a seat that is invited cannot be given away.
    fn open(&self, session: &Arc<Mutex<Session>>, echo: Echo, shown: &mut Vec<Line>) -> Result<(), Diagnostics> {
        let before = session.lock().unwrap_or_else(PoisonError::into_inner).seating();
        let reach = self.reach.clone().or(before.reach).unwrap_or_default();
        let mut table = Table::new(session, reach, echo)?;
        let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
        let found = table.go_on_with(&before.links, session.playthrough.seats)?;
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

/// Writes down where the game stands, if it is kept.
///
/// # Errors
/// The journal cannot be written.
fn keep(session: &Session, journal: &Mutex<Option<Journal>>) -> Result<(), Diagnostics> {
    journal.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map_or(Ok(()), |journal| journal.write(session))
}

/// Where the platform keeps state, a folder of our own.
fn state_folder() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.state_dir().unwrap_or_else(|| base.data_dir()).join("houserule"))
}
