//! Commands for looking: the table, another viewer, the log.

use super::arguments::{Optional, Signature, flag, word};
use super::shapes::{SEAT, number};
use super::{Availability, Command, Flow, USUAL, invite};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::screen;
use crate::screen::style::Line;
use crate::session::Session;
use crate::session::seats::PUBLIC;
use crate::session::table_face::Face;
use crate::table::knowledge::Viewer;

/// The common properties of commands for looking, which also work in the debugger.
pub(super) const LOOKING: Command = Command { group: "Looking", works: Availability::Always, ..USUAL };

/// Events rendered between two checks for Ctrl-C.
const EVENTS_PER_CHECK: usize = 500;

/// The default number of log lines.
const LOG_LINES: usize = 20;

pub(super) const TABLE: Command = Command {
    name: "table",
    aliases: &["t", "look"],
    about: "draw the table and the open decision",
    help: "It draws the whole table, even if it is taller than the screen. After each move, the table is fitted to \
           the screen: players are drawn side by side, and the rows of others are only counted. `table browser` gives a \
           link to a page that shows this session, and does what you can do here.",
    examples: &["table", "table browser"],
    signatures: &[
        &Signature((), |session, ()| Ok(Flow::Show(session.look_at_all()))),
        &Signature((word("browser", "as a page, from which it can be played too"),), |session, _| {
            invite::invite(session, Face::Designer).map(Flow::Show)
        }),
    ],
    ..LOOKING
};

pub(super) const AS: Command = Command {
    name: "as",
    about: "see the table as one player sees it",
    help: "With `memory`, you see everything that a player who forgets nothing would know. `as all` shows everything, \
           `as public` what a screen shows that all players look at. If agents play, you see the table as the person at it does, until you use `as`. While you look as a \
           player, you learn nothing that this player may not know: you cannot choose for others, and commands that \
           look at everything, such as `eval`, `debug`, `diff` and `move`, need `as all`.",
    examples: &["as p2", "as p1 memory", "as public", "as all"],
    signatures: &[
        &Signature((SEAT, flag("memory", "with all that was ever seen")), |session, (seat, memory)| {
            set_viewer(session, if memory { Viewer::Memory(seat) } else { Viewer::Seat(seat) })
        }),
        &Signature((word("all", "everything"),), |session, _| set_viewer(session, Viewer::Everything)),
        &Signature((word(PUBLIC, "what every player may see"),), |session, _| {
            set_viewer(session, Viewer::Public(session.playthrough.seats))
        }),
    ],
    ..LOOKING
};

pub(super) const LOG: Command = Command {
    name: "log",
    aliases: &["l"],
    about: "show the latest choices, moves and awards",
    examples: &["log", "log 5", "log all"],
    signatures: &[
        &Signature((Optional(number::<usize>("N", "a whole number of lines")),), |session, (count,)| {
            last_lines(session, count.unwrap_or(LOG_LINES))
        }),
        &Signature((word("all", "from the beginning"),), |session, _| last_lines(session, usize::MAX)),
    ],
    ..LOOKING
};

fn set_viewer(session: &mut Session, viewer: Viewer) -> Result<Flow, Diagnostics> {
    if viewer.is_limited() && session.debugger.is_some() {
        return Err(Diagnostic::new("the debugger shows what no player may know")
            .help("leave it with `done` first")
            .into());
    }
    session.set_viewer(viewer);
    Ok(Flow::Show(session.look()))
}

/// Shows the last `count` lines of the log.
///
/// # Errors
/// The work was stopped.
fn last_lines(session: &Session, count: usize) -> Result<Flow, Diagnostics> {
    let (scene, work) = (session.scene(), session.work());
    let (mut stretches, mut lines) = (Vec::new(), 0);
    let mut older = session.position().events.stretches_backwards();
    while lines < count
        && let Some(mut events) = older.next()
    {
        while lines < count
            && let Some(first) = events.get(events.len().saturating_sub(EVENTS_PER_CHECK))
        {
            work.check_stopped()?;
            // Events of one move are told together, so the split lies between moves.
            let (before, stretch) = events.split_at(events.partition_point(|event| event.moves < first.moves));
            let told = screen::log(&scene, stretch);
            lines += told.len();
            stretches.push(told);
            events = before;
        }
    }
    let mut told: Vec<Line> = stretches.into_iter().rev().flatten().collect();
    Ok(Flow::Page(told.split_off(told.len().saturating_sub(count))))
}
