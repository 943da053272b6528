//! Commands for the timeline: going back, forward and to other branches.

use super::arguments::{Extent, OneOf, Optional, Shape, Signature, word};
use super::shapes::{MOVE, NAME, POINT, bookmarks, branches, number};
use super::{Command, Flow, USUAL};
use crate::catalogue::{said, say};
use crate::diagnostic::Diagnostics;
use crate::playthrough::Misfit;
use crate::screen;
use crate::screen::style::Line;
use crate::session::Session;
use crate::session::fair::Undo;
use std::sync::Arc;

/// The common properties of commands about the timeline.
const TIMELINE: Command = Command { group: "Going back and elsewhere", ..USUAL };

const STEPS: Shape<usize> = number("N", "a whole number of steps");

/// The modes of undo.
const UNDOS: [(&str, &str, Undo); 2] =
    [("fair", "only until something is revealed", Undo::Fair), ("free", "any move, for designing", Undo::Free)];

/// The branch to rename.
const OLD: Shape<String> =
    Shape { name: "OLD", extent: Extent::Word, complete: |session, _| branches(session).collect(), ..NAME };

/// A bookmark or branch to forget, except the current branch.
const FORGOTTEN: Shape<String> = Shape {
    complete: |session, _| {
        let current = &session.playthrough.timeline().current().name;
        bookmarks(session).chain(branches(session)).filter(|candidate| candidate.text != *current).collect()
    },
    ..POINT
};

pub(super) const UNDO: Command = Command {
    name: "undo",
    combined: &["goto"],
    aliases: &["z"],
    about: "undo the last N choices or changes; default 1",
    help: "It takes back choices, manual changes and changes of the rules. Coming random results stay the same; \
           `reroll` redraws them. If agents play, it goes back to the last decision of a person.\n\n\
           `undo fair` is for playing, like `--undo fair` of `houserule play`: you can no longer undo a move after \
           something random was drawn or something hidden was revealed, and undo tells you what it was. `goto` and \
           branches do not go back past such a moment either, and commands for designing, such as `set`, `with`, \
           `reroll` and `eval`, are refused. `undo free` works only before the first move.",
    examples: &["undo", "undo 3"],
    signatures: &[
        &Signature((Optional(STEPS),), |session, (count,)| repeated(session, count, true, Session::undo)),
        &Signature((OneOf(UNDOS),), |session, (undo,)| set_undo(session, undo)),
    ],
    ..TIMELINE
};

fn set_undo(session: &mut Session, undo: Undo) -> Result<Flow, Diagnostics> {
    session.take_back(undo)?;
    let told = match undo {
        Undo::Fair => said("undo is fair from here on: what is revealed stays revealed"),
        Undo::Free => said("undo is free: any move can be taken back"),
    };
    Ok(Flow::Show(Line::plain(told).broken(session.width)))
}

pub(super) const REDO: Command = Command {
    name: "redo",
    combined: &["goto"],
    aliases: &["y"],
    about: "redo what was undone",
    examples: &["redo"],
    steps: true,
    signatures: &[&Signature((Optional(STEPS),), |session, (count,)| repeated(session, count, false, Session::redo))],
    ..TIMELINE
};

pub(super) const REROLL: Command = Command {
    name: "reroll",
    about: "redraw everything random since your last choice, or redeal",
    help: "The old line stays as a branch.",
    examples: &["reroll"],
    is_for_designing: true,
    signatures: &[&Signature((), |session, ()| {
        // A player must not learn whether a hidden thing was drawn.
        let seen = |session: &Session| {
            let all = || session.playthrough.position().table.clone();
            (session.scene().observed_position().visible, (!session.viewer.is_limited()).then(all))
        };
        let before = seen(session);
        session.playthrough.reroll()?;
        let mut lines = Vec::new();
        if seen(session) == before {
            lines.push(Line::faint(said("nothing was drawn since the last choice; what comes next is redrawn")));
        }
        lines.extend(session.look());
        Ok(Flow::Show(lines))
    })],
    ..TIMELINE
};

pub(super) const GOTO: Command = Command {
    name: "goto",
    aliases: &["g"],
    about: "go to a move, to a bookmark, or to the end of a branch",
    help: "`goto 17` goes to the point just before move 17; `history` shows the numbers. A bookmark on another branch \
           takes you to that branch.",
    examples: &["goto 2", "goto end", "goto main"],
    signatures: &[
        &Signature((MOVE,), |session, (entries,)| go_to(session, entries)),
        &Signature(
            (OneOf([("start", "the first decision", 0), ("end", "the end of the branch", usize::MAX)]),),
            |session, (entries,)| {
                let last = session.playthrough.timeline().current().log.len();
                go_to(session, entries.min(last))
            },
        ),
        &Signature((POINT,), |session, (point,)| go_to_named(session, &point)),
    ],
    ..TIMELINE
};

pub(super) const BOOKMARK: Command = Command {
    name: "bookmark",
    aliases: &["mark"],
    about: "name this point, or list the named points",
    help: "`goto NAME` goes there from anywhere. A bookmark stays with its moves, whatever happens to the branch. Use \
           the same name again to move it here; `forget NAME` deletes it.",
    examples: &["bookmark", "bookmark opening"],
    signatures: &[
        &Signature((), |session, ()| {
            let lines = screen::bookmarks(&session.scene(), session.playthrough.timeline());
            let none = || vec![Line::faint(said("no point has a name; `bookmark NAME` gives this one a name"))];
            Ok(Flow::Show(if lines.is_empty() { none() } else { lines }))
        }),
        &Signature((Shape { complete: |session, _| bookmarks(session).collect(), ..NAME },), |session, (name,)| {
            let point = |session: &Session| {
                let (branch, bookmark) = session.playthrough.timeline().bookmark_named(&name)?;
                Some((branch.name.clone(), bookmark.entries))
            };
            let before = point(session);
            session.playthrough.bookmark(&name)?;
            let here = session.playthrough.timeline().cursor() + 1;
            let line = match before {
                before if before == point(session) => say!("{name} marks this point already"),
                Some((branch, entries)) => {
                    say!("{name} now marks move {here}, and no longer move {} of {branch}", entries + 1)
                }
                None => say!("{name} marks move {here}; `goto {name}` comes back here"),
            };
            Ok(Flow::Show(Line::plain(line).broken(session.width)))
        }),
    ],
    ..TIMELINE
};

pub(super) const BRANCH: Command = Command {
    name: "branch",
    aliases: &["b"],
    about: "go to a branch, start one here, or rename one",
    help: "If you choose differently after `undo`, the old moves stay as a separate branch with a number: `branch \
           rename 2 bold` gives it a name. `forget NAME` deletes a branch.",
    examples: &["branch", "branch bold", "branch main", "branch rename main first"],
    signatures: &[
        &Signature((), |session, ()| Ok(tree(session))),
        &Signature((Shape { complete: |session, _| branches(session).collect(), ..NAME },), |session, (name,)| {
            let timeline = session.playthrough.timeline();
            if timeline.current().name == name {
                return Ok(Flow::Show(vec![Line::plain(say!("this is branch {name}"))]));
            }
            if timeline.branch_named(&name).is_some() {
                return go_to_named(session, &name);
            }
            session.playthrough.branch(&name)?;
            Ok(Flow::Show(vec![Line::plain(say!("branch {name} starts here"))]))
        }),
        &Signature(
            (word("rename", "give a branch another name"), OLD, NAME.called("NEW")),
            |session, ((), old, new)| {
                session.playthrough.rename_branch(&old, &new)?;
                Ok(Flow::Show(vec![Line::plain(say!("branch {old} is called {new} now"))]))
            },
        ),
    ],
    ..TIMELINE
};

pub(super) const FORGET: Command = Command {
    name: "forget",
    about: "delete a bookmark, or a branch other than the current one",
    help: "This is the only command that deletes moves.",
    examples: &["forget bold"],
    signatures: &[&Signature((FORGOTTEN,), |session, (name,)| {
        let branch = session.playthrough.timeline().branch_named(&name).map(|branch| branch.log.len());
        let lost = session.playthrough.forget(&name)?;
        let mut lines = vec![Line::plain(match branch {
            Some(moves) => say!("branch {name} is forgotten, with its {moves} moves"),
            None => say!("the bookmark {name} is forgotten; the moves are still there"),
        })];
        if !lost.is_empty() {
            let words = say!("the bookmarks on it are gone too: {}", lost.join(said(", ")));
            lines.extend(Line::plain(words).broken(session.width));
        }
        Ok(Flow::Show(lines))
    })],
    ..TIMELINE
};

pub(super) const TREE: Command = Command {
    name: "tree",
    about: "draw every line of the game, with branches and bookmarks",
    help: "Each branch is shown where it diverges from its parent, with the choice made there. A number is that of \
           the next move: `goto` goes to it.",
    examples: &["tree"],
    signatures: &[&Signature((), |session, ()| Ok(tree(session)))],
    ..TIMELINE
};

pub(super) const HISTORY: Command = Command {
    name: "history",
    aliases: &["hist"],
    about: "list the moves of this branch, and mark the current one",
    examples: &["history"],
    signatures: &[&Signature((), |session, ()| {
        Ok(Flow::Page(screen::history(&session.scene(), session.playthrough.timeline())))
    })],
    ..TIMELINE
};

/// Goes to the position after the first `entries` of this branch.
fn go_to(session: &mut Session, entries: usize) -> Result<Flow, Diagnostics> {
    session.may_go_back(entries)?;
    let misfit = session.playthrough.go_to(entries)?;
    Ok(arrived(session, misfit))
}

/// Goes to a bookmark or a branch.
fn go_to_named(session: &mut Session, name: &str) -> Result<Flow, Diagnostics> {
    session.may_go_to(name)?;
    let misfit = session.playthrough.go_to_named(name)?;
    Ok(arrived(session, misfit))
}

fn tree(session: &Session) -> Flow {
    Flow::Page(screen::tree(&session.scene(), session.playthrough.timeline()))
}

/// The output after going somewhere: the table, and before it a misfit where changed rules no longer fit every move.
fn arrived(session: &Session, misfit: Option<Misfit>) -> Flow {
    let mut lines = misfit.map_or_else(Vec::new, |misfit| screen::misfit(&session.scene(), &misfit));
    lines.extend(session.look());
    Flow::Show(lines)
}

/// Most undone or redone steps listed one by one.
const MAX_SHOWN_STEPS: usize = 6;

/// Undoes or redoes one or several steps; those before a failure stay done.
fn repeated(
    session: &mut Session,
    count: Option<usize>,
    backwards: bool,
    step: fn(&mut Session) -> Result<String, Diagnostics>,
) -> Result<Flow, Diagnostics> {
    let count = count.unwrap_or(1);
    // Steps that are not listed need not be taken one by one.
    let skipped = session.skip(count, MAX_SHOWN_STEPS, backwards)?;
    let count = count - skipped;
    let mut steps = Vec::new();
    let mut obstacle = None;
    while steps.len() < count && obstacle.is_none() {
        // A limited viewer sees others' choices as they looked when they were made.
        let place = session.step(backwards);
        let entry_told = |session: &Session| {
            let timeline = session.playthrough.timeline();
            Some(screen::entry_at(&session.scene(), timeline, &timeline.current().log, place?)?.text())
        };
        let before = entry_told(session).filter(|_| backwards);
        let rules = session.playthrough.loaded().ruleset.clone();
        match step(session) {
            Ok(what) => {
                // A change of the rules leaves the log entry as it is.
                let entry_told = before
                    .or_else(|| entry_told(session))
                    .filter(|_| Arc::ptr_eq(&rules, &session.playthrough.loaded().ruleset));
                let what = entry_told.unwrap_or(what);
                steps.push(if backwards { say!("took back: {what}") } else { say!("did again: {what}") });
            }
            Err(error) if steps.is_empty() && skipped == 0 => return Err(error),
            Err(error) => obstacle = Some(error.first().message.told().into_owned()),
        }
    }
    // Of many steps, the last ones matter.
    let left_out = steps.len().saturating_sub(MAX_SHOWN_STEPS);
    let mut lines = Vec::new();
    if left_out + skipped > 0 {
        let count = left_out + skipped;
        lines.push(Line::faint(match backwards {
            true => say!("took back: {count} things, then"),
            false => say!("did again: {count} things, then"),
        }));
    }
    lines.extend(steps.drain(left_out..).map(|step| Line::faint(step).cut(session.width)));
    lines.extend(obstacle.map(Line::faint));
    lines.push(Line::default());
    lines.extend(session.look());
    Ok(Flow::Show(lines))
}
