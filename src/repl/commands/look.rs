//! Looking: the table, somebody's eyes, the log.

use super::{Candidate, Command, Flow, nothing, number, usage_of};
use crate::diagnostic::{Diagnostic, Diagnostics, unknown_or};
use crate::repl::Session;
use crate::screen;
use crate::screen::style::Line;
use crate::table::knowledge::Viewer;
use crate::table::value::Seat;

pub(super) const GROUP: &str = "Looking";

/// So many events are put into words before somebody is listened to who does not want to wait.
const EVENTS_AT_ONCE: usize = 500;

/// How many lines of the log are shown unless said otherwise.
const LOG_LINES: usize = 20;

pub(super) const TABLE: Command = Command {
    name: "table",
    aliases: &["t", "look"],
    usage: "table",
    about: "draw the table and the open decision",
    help: "Everything is drawn, however high the screen is. After each move the table is made to fit the screen: players \
           side by side, and what others have in rows only counted.",
    examples: &["table"],
    group: GROUP,
    steps: false,
    complete: nothing,
    run: |session, _| Ok(Flow::Show(session.look_at_all())),
};

pub(super) const AS: Command = Command {
    name: "as",
    aliases: &[],
    usage: "as pN [memory]|all",
    about: "see the table as one player sees it",
    help: "With `memory`, everything shows that a player who forgets nothing would know. `as all` shows everything. Where \
           agents play, the table is drawn as the person sees it, until `as` says otherwise. While you look as a player, \
           nothing tells you what that player may not know: the options of others cannot be chosen, and commands that \
           look at everything, such as `eval`, `debug`, `diff` and `move`, wait for `as all`.",
    examples: &["as p2", "as p1 memory", "as all"],
    group: GROUP,
    steps: false,
    complete: |session, before| {
        if !before.is_empty() {
            return vec![Candidate::new("memory", "with all that was ever seen")];
        }
        let seats = (1..=session.playthrough.seats).map(|number| Candidate::new(format!("p{number}"), "a player"));
        std::iter::once(Candidate::new("all", "everything")).chain(seats).collect()
    },
    run: |session, arguments| {
        let (who, rest) = crate::repl::split_word(arguments);
        let viewer = match (who, rest.trim()) {
            ("", _) => return Err(usage_of(&AS).into()),
            ("all", "") => Viewer::Everything,
            (who, "") => Viewer::Seat(seat(who, session.playthrough.seats)?),
            (who, "memory") => Viewer::Memory(seat(who, session.playthrough.seats)?),
            _ => return Err(usage_of(&AS).into()),
        };
        if viewer.is_limited() && session.debugger.is_some() {
            return Err(Diagnostic::new("the debugger shows what no player may know")
                .help("leave it with `done` first")
                .into());
        }
        session.look_as(viewer);
        Ok(Flow::Show(session.look()))
    },
};

pub(super) const LOG: Command = Command {
    name: "log",
    aliases: &["l"],
    usage: "log [N|all]",
    about: "what happened last: choices, moves, awards",
    help: "",
    examples: &["log", "log 5", "log all"],
    group: GROUP,
    steps: false,
    complete: |_, _| vec![Candidate::new("all", "from the beginning")],
    run: |session, arguments| {
        let count = match arguments {
            "" => LOG_LINES,
            "all" => usize::MAX,
            text => number(text, "number of lines")?,
        };
        let mut lines = last_lines(session, count)?;
        let skipped = lines.len().saturating_sub(count);
        Ok(Flow::Page(lines.split_off(skipped)))
    },
};

/// At least so many of the last lines of the log, if there are as many.
///
/// # Errors
/// Somebody stopped the work.
fn last_lines(session: &Session, count: usize) -> Result<Vec<Line>, Diagnostics> {
    let (scene, work) = (session.scene(), session.work());
    let mut events = session.position().events.as_slice();
    let (mut stretches, mut lines) = (Vec::new(), 0);
    while lines < count
        && let Some(first) = events.get(events.len().saturating_sub(EVENTS_AT_ONCE))
    {
        work.refuse_stopped()?;
        // What is told together happened in one move.
        let (before, stretch) = events.split_at(events.partition_point(|event| event.moves < first.moves));
        let told = screen::log(&scene, stretch);
        lines += told.len();
        stretches.push(told);
        events = before;
    }
    Ok(stretches.into_iter().rev().flatten().collect())
}

/// A seat that was typed as `p2` or `2`.
fn seat(typed: &str, seats: usize) -> Result<Seat, Diagnostics> {
    let number = typed.strip_prefix('p').unwrap_or(typed).parse().ok();
    let seat = number.filter(|number| (1..=seats).contains(number)).and_then(Seat::from_number);
    seat.ok_or_else(|| unknown_or("player", typed, [], format!("write p1 to p{seats}")).into())
}
