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

use crate::host::terminal::Terminal;
use crate::screen::style::Line;
use crate::session::Session;
use etcetera::BaseStrategy as _;
use journal::Journal;
use std::io::IsTerminal;
use std::path::PathBuf;

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
) -> Leaving {
    if std::io::stdin().is_terminal() {
        interactive::run(session, terminal, journal)
    } else {
        piped::run(session, terminal, journal, transcript)
    }
}

/// Where the platform keeps state, a folder of our own.
fn state_folder() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.state_dir().unwrap_or_else(|| base.data_dir()).join("houserule"))
}
