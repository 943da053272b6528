//! Going back and elsewhere: the timeline.

use super::{Candidate, Command, Flow, nothing, number, usage_of};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::Misfit;
use crate::playthrough::travel::unknown_point;
use crate::repl::fair::Undo;
use crate::repl::{Session, split_word};
use crate::screen;
use crate::screen::style::Line;
use std::sync::Arc;

const GROUP: &str = "Going back and elsewhere";

pub(super) const UNDO: Command = Command {
    name: "undo",
    aliases: &["z"],
    usage: "undo [N|fair|free]",
    about: "take back the last N things; one if N is not given",
    help: "Choices, changes by hand, and changes of the rules are taken back. The chance that comes stays the same; \
           `reroll` draws it anew. Where agents play, it goes back to the decision of a person.\n\n\
           `undo fair` is for playing, as is `--undo fair` of `houserule play`: from then on nothing is taken back once \
           chance was drawn or something hidden came out, and undo says which. Neither `goto` nor another branch leads \
           behind such a moment, and what is for designing, such as `set`, `with`, `reroll` and `eval`, is refused. \
           `undo free` works before the first move.",
    examples: &["undo", "undo 3"],
    group: GROUP,
    steps: false,
    complete: |_, before| match before {
        "" => vec![
            Candidate::new("fair", "only until something came out"),
            Candidate::new("free", "any move, for designing"),
        ],
        _ => Vec::new(),
    },
    run: |session, arguments| match arguments {
        "fair" => set_undo(session, Undo::Fair, "undo is fair from here on: what came out stays out"),
        "free" => set_undo(session, Undo::Free, "undo is free: any move can be taken back"),
        _ => repeated(session, arguments, "took back", true, Session::undo),
    },
};

fn set_undo(session: &mut Session, undo: Undo, told: &str) -> Result<Flow, Diagnostics> {
    session.take_back(undo)?;
    Ok(Flow::Show(vec![Line::plain(told).cut(session.width)]))
}

pub(super) const REDO: Command = Command {
    name: "redo",
    aliases: &["y"],
    usage: "redo [N]",
    about: "do again what was taken back",
    help: "",
    examples: &["redo"],
    group: GROUP,
    steps: true,
    complete: nothing,
    run: |session, arguments| repeated(session, arguments, "did again", false, Session::redo),
};

pub(super) const REROLL: Command = Command {
    name: "reroll",
    aliases: &[],
    usage: "reroll",
    about: "draw the chance after the last choice anew, or deal anew",
    help: "What was before stays as a branch.",
    examples: &["reroll"],
    group: GROUP,
    steps: false,
    complete: nothing,
    run: |session, _| {
        // A player is not told whether something that lies hidden was drawn.
        let seen = |session: &Session| {
            let all = || session.playthrough.position().table.clone();
            (session.scene().eyes().view, (!session.viewer.is_limited()).then(all))
        };
        let before = seen(session);
        session.playthrough.reroll()?;
        let mut lines = Vec::new();
        if seen(session) == before {
            lines.push(Line::faint("nothing was drawn since the last choice; what comes will be drawn anew"));
        }
        lines.extend(session.look());
        Ok(Flow::Show(lines))
    },
};

pub(super) const GOTO: Command = Command {
    name: "goto",
    aliases: &["g"],
    usage: "goto MOVE|start|end|BOOKMARK|BRANCH",
    about: "go to a move, to a bookmark, or to the end of a branch",
    help: "`goto 17` stands right before move 17, as `history` numbers them. A bookmark on another branch leads to that \
           branch.",
    examples: &["goto 2", "goto end", "goto main"],
    group: GROUP,
    steps: false,
    complete: |session, before| {
        if !before.is_empty() {
            return Vec::new();
        }
        let ends = [Candidate::new("start", "the first decision"), Candidate::new("end", "the end of the branch")];
        ends.into_iter().chain(bookmarks(session)).chain(branches(session)).collect()
    },
    run: |session, arguments| {
        let timeline = session.playthrough.timeline();
        let entries = match arguments {
            "" => return Err(usage_of(&GOTO).into()),
            "start" => 0,
            "end" => timeline.current().log.len(),
            text if text.parse::<i64>().is_ok() => {
                let last = timeline.current().log.len() + 1;
                let wanted = number(text, "move")?;
                if !(1..=last).contains(&wanted) {
                    return Err(Diagnostic::new(format!("there is no move {wanted} on this branch"))
                        .help(format!("give a number from 1 to {last}, or `goto end`; `history` lists the moves"))
                        .into());
                }
                wanted - 1
            }
            name => {
                session.may_go_to(name)?;
                let misfit = session.playthrough.go_to_named(name)?;
                return Ok(arrived(session, misfit));
            }
        };
        session.may_go_back(entries)?;
        let misfit = session.playthrough.go_to(entries)?;
        Ok(arrived(session, misfit))
    },
};

pub(super) const BOOKMARK: Command = Command {
    name: "bookmark",
    aliases: &["mark"],
    usage: "bookmark [NAME]",
    about: "give this point a name, or list the points that have one",
    help: "`goto NAME` goes there, from anywhere. A bookmark stays on its moves, whatever becomes of the branch; given \
           again it moves here, and `forget NAME` takes it away.",
    examples: &["bookmark", "bookmark opening"],
    group: GROUP,
    steps: false,
    complete: |session, before| if before.is_empty() { bookmarks(session).collect() } else { Vec::new() },
    run: |session, arguments| {
        if arguments.is_empty() {
            let lines = screen::bookmarks(&session.scene(), session.playthrough.timeline());
            let none = || vec![Line::faint("no point has a name; `bookmark NAME` gives this one a name")];
            return Ok(Flow::Show(if lines.is_empty() { none() } else { lines }));
        }
        let point = |session: &Session| {
            let (branch, bookmark) = session.playthrough.timeline().bookmark_named(arguments)?;
            Some((branch.name.clone(), bookmark.entries))
        };
        let before = point(session);
        session.playthrough.bookmark(arguments)?;
        let here = session.playthrough.timeline().cursor() + 1;
        let line = match before {
            before if before == point(session) => format!("{arguments} marks this point already"),
            Some((branch, entries)) => {
                format!("{arguments} now marks move {here}, and no longer move {} of {branch}", entries + 1)
            }
            None => format!("{arguments} marks move {here}; `goto {arguments}` comes back here"),
        };
        Ok(Flow::Show(vec![Line::plain(line).cut(session.width)]))
    },
};

pub(super) const BRANCH: Command = Command {
    name: "branch",
    aliases: &["b"],
    usage: "branch [NAME | rename OLD NEW]",
    about: "go to a branch, start one here, or give one another name",
    help: "Going on in another way after `undo` keeps what was left as a branch of its own, called by a number: \
           `branch rename 2 bold` calls it by a name. `forget NAME` takes a branch away.",
    examples: &["branch", "branch bold", "branch main", "branch rename main first"],
    group: GROUP,
    steps: false,
    complete: |session, before| match before {
        "" => {
            let rename = Candidate::new("rename", "give a branch another name");
            branches(session).chain(std::iter::once(rename)).collect()
        }
        "rename" => branches(session).collect(),
        _ => Vec::new(),
    },
    run: |session, arguments| {
        let timeline = session.playthrough.timeline();
        if arguments.is_empty() {
            return (TREE.run)(session, "");
        }
        if let ("rename", names) = split_word(arguments) {
            let (old, new) = split_word(names.trim());
            if new.trim().is_empty() {
                return Err(Diagnostic::new("write `branch rename OLD NEW`")
                    .help("for example `branch rename 2 bold`")
                    .into());
            }
            session.playthrough.rename_branch(old, new.trim())?;
            return Ok(Flow::Show(vec![Line::plain(format!("branch {old} is called {} now", new.trim()))]));
        }
        if timeline.current().name == arguments {
            return Ok(Flow::Show(vec![Line::plain(format!("this is branch {arguments}"))]));
        }
        if timeline.branch_named(arguments).is_some() {
            session.may_go_to(arguments)?;
            let misfit = session.playthrough.go_to_named(arguments)?;
            return Ok(arrived(session, misfit));
        }
        session.playthrough.branch(arguments)?;
        Ok(Flow::Show(vec![Line::plain(format!("branch {arguments} starts here"))]))
    },
};

pub(super) const FORGET: Command = Command {
    name: "forget",
    aliases: &[],
    usage: "forget BOOKMARK|BRANCH",
    about: "take away a bookmark, or a branch that the game is not on",
    help: "Nothing but this takes moves away that were played.",
    examples: &["forget bold"],
    group: GROUP,
    steps: false,
    complete: |session, before| {
        if !before.is_empty() {
            return Vec::new();
        }
        let current = &session.playthrough.timeline().current().name;
        bookmarks(session).chain(branches(session)).filter(|candidate| candidate.text != *current).collect()
    },
    run: |session, arguments| {
        if arguments.is_empty() {
            return Err(usage_of(&FORGET).into());
        }
        let timeline = session.playthrough.timeline();
        if timeline.log_up_to(arguments).is_none() {
            return Err(unknown_point(timeline, arguments).into());
        }
        let branch = timeline.branch_named(arguments).map(|branch| branch.log.len());
        let lost = session.playthrough.forget(arguments)?;
        let mut lines = vec![Line::plain(match branch {
            Some(moves) => format!("branch {arguments} is forgotten, with its {moves} moves"),
            None => format!("the bookmark {arguments} is forgotten; the moves are still there"),
        })];
        if !lost.is_empty() {
            lines
                .push(Line::plain(format!("the bookmarks on it are gone too: {}", lost.join(", "))).cut(session.width));
        }
        Ok(Flow::Show(lines))
    },
};

pub(super) const TREE: Command = Command {
    name: "tree",
    aliases: &[],
    usage: "tree",
    about: "draw every way the game went, with branches and bookmarks",
    help: "Each branch stands at the move that is another than on the branch it leaves, with what was chosen there. A \
           number is that of the move that comes next: `goto` leads to it.",
    examples: &["tree"],
    group: GROUP,
    steps: false,
    complete: nothing,
    run: |session, _| Ok(Flow::Page(screen::tree(&session.scene(), session.playthrough.timeline()))),
};

pub(super) const HISTORY: Command = Command {
    name: "history",
    aliases: &["hist"],
    usage: "history",
    about: "the moves of this branch, and where the game stands",
    help: "",
    examples: &["history"],
    group: GROUP,
    steps: false,
    complete: nothing,
    run: |session, _| Ok(Flow::Page(screen::history(&session.scene(), session.playthrough.timeline()))),
};

/// The table after going somewhere; where the rules have changed and not every move fits any more, that first.
fn arrived(session: &Session, misfit: Option<Misfit>) -> Flow {
    let mut lines = misfit.map_or_else(Vec::new, |misfit| screen::misfit(&session.scene(), &misfit));
    lines.extend(session.look());
    Flow::Show(lines)
}

/// Every branch by name, with its length.
pub(super) fn branches(session: &Session) -> impl Iterator<Item = Candidate> {
    let branches = session.playthrough.timeline().branches().iter();
    branches.map(|branch| Candidate::new(branch.name.clone(), format!("branch of {} moves", branch.log.len())))
}

/// Every bookmark by name, with where it is.
pub(super) fn bookmarks(session: &Session) -> impl Iterator<Item = Candidate> {
    session.playthrough.timeline().bookmarks().map(|(branch, bookmark)| {
        let about = format!("bookmark at move {} of {}", bookmark.entries + 1, branch.name);
        Candidate::new(bookmark.name.clone(), about)
    })
}

/// Most steps that are told one by one.
const SHOWN_STEPS: usize = 6;

/// Does a step once or several times; what was done before an obstacle stays done.
fn repeated(
    session: &mut Session,
    arguments: &str,
    words: &str,
    backwards: bool,
    step: fn(&mut Session) -> Result<String, Diagnostics>,
) -> Result<Flow, Diagnostics> {
    let count = if arguments.is_empty() { 1 } else { number(arguments, "number of steps")? };
    // What is not told need not be gone through one by one.
    let skipped = session.skip(count, SHOWN_STEPS, backwards)?;
    let count = count - skipped;
    let mut steps = Vec::new();
    let mut obstacle = None;
    while steps.len() < count && obstacle.is_none() {
        let log = &session.playthrough.timeline().current().log;
        let entry = session.step(backwards).and_then(|place| log.get(place));
        // Others' choices are not told to who looks as a player.
        let told = entry.map(|entry| entry.in_words(session.viewer));
        let rules = session.playthrough.loaded().ruleset.clone();
        match step(session) {
            Ok(what) => {
                // A change of the rules leaves the entry where it is.
                let told = told.filter(|_| Arc::ptr_eq(&rules, &session.playthrough.loaded().ruleset));
                steps.push(format!("{words}: {}", told.unwrap_or(what)));
            }
            Err(error) if steps.is_empty() && skipped == 0 => return Err(error),
            Err(error) => obstacle = Some(error.first().message.clone()),
        }
    }
    // Where it was long, its end is what counts.
    let left_out = steps.len().saturating_sub(SHOWN_STEPS);
    let mut lines = Vec::new();
    if left_out + skipped > 0 {
        lines.push(Line::faint(format!("{words}: {} things, then", left_out + skipped)));
    }
    lines.extend(steps.drain(left_out..).map(|step| Line::faint(step).cut(session.width)));
    lines.extend(obstacle.map(Line::faint));
    lines.push(Line::default());
    lines.extend(session.look());
    Ok(Flow::Show(lines))
}
