//! Going back and elsewhere: the timeline.

use super::{Candidate, Command, Flow, nothing, number, usage_of};
use crate::diagnostic::Diagnostic;
use crate::repl::style::Line;
use crate::repl::{Session, draw};

const GROUP: &str = "Going back and elsewhere";

pub(super) const UNDO: Command = Command {
    name: "undo",
    aliases: &["z"],
    usage: "undo [N]",
    about: "take back the last N things; one if N is not given",
    help: "Choices, changes by hand, and changes of the rules are taken back. The chance that comes stays the same; \
           `reroll` draws it anew. Where agents play, it goes back to the decision of a person.",
    examples: &["undo", "undo 3"],
    group: GROUP,
    steps: true,
    complete: nothing,
    run: |session, arguments| repeated(session, arguments, "took back", true, Session::undo),
};

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
    about: "draw the chance after the last choice anew; at the beginning, deal anew",
    help: "What was before stays as a branch.",
    examples: &["reroll"],
    group: GROUP,
    steps: false,
    complete: nothing,
    run: |session, _| {
        let before = session.playthrough.position().table.clone();
        session.playthrough.reroll()?;
        let mut lines = Vec::new();
        if session.playthrough.position().table == before {
            lines.push(Line::faint("nothing was drawn since the last choice; what comes will be drawn anew"));
        }
        lines.extend(session.look());
        Ok(Flow::Show(lines))
    },
};

pub(super) const GOTO: Command = Command {
    name: "goto",
    aliases: &["g"],
    usage: "goto MOVE|start|end",
    about: "go to a move of this branch, as `history` numbers them",
    help: "`goto 17` stands right before move 17.",
    examples: &["goto 2", "goto end"],
    group: GROUP,
    steps: false,
    complete: |_, _| {
        vec![Candidate::new("start", "the first decision"), Candidate::new("end", "the end of the branch")]
    },
    run: |session, arguments| {
        let entries = match arguments {
            "start" => 0,
            "end" => session.playthrough.timeline().current().log.len(),
            "" => return Err(usage_of(&GOTO)),
            text => {
                let last = session.playthrough.timeline().current().log.len() + 1;
                let wanted = number(text, "move")?;
                if !(1..=last).contains(&wanted) {
                    return Err(Diagnostic::new(format!("there is no move {wanted} on this branch"))
                        .help(format!("give a number from 1 to {last}, or `goto end`; `history` lists the moves")));
                }
                wanted - 1
            }
        };
        session.playthrough.go_to(entries)?;
        Ok(Flow::Show(session.look()))
    },
};

pub(super) const BRANCH: Command = Command {
    name: "branch",
    aliases: &["b"],
    usage: "branch [NAME]",
    about: "list the branches, go to one, or start one here",
    help: "Going on in another way after `undo` keeps what was left as a branch of its own.",
    examples: &["branch", "branch bold", "branch main"],
    group: GROUP,
    steps: false,
    complete: |session, _| {
        let branches = session.playthrough.timeline().branches().iter();
        branches.map(|branch| Candidate::new(branch.name.clone(), format!("{} moves", branch.log.len()))).collect()
    },
    run: |session, arguments| {
        let timeline = session.playthrough.timeline();
        if arguments.is_empty() {
            let current = timeline.current().name.clone();
            let lines = timeline.branches().iter().map(|branch| {
                let mark = if branch.name == current { "►" } else { " " };
                Line::plain(format!("{mark} {}  {} moves", branch.name, branch.log.len()))
            });
            return Ok(Flow::Show(lines.collect()));
        }
        if timeline.current().name == arguments {
            return Ok(Flow::Show(vec![Line::plain(format!("this is branch {arguments}"))]));
        }
        if timeline.branches().iter().any(|branch| branch.name == arguments) {
            session.playthrough.switch(arguments)?;
            return Ok(Flow::Show(session.look()));
        }
        session.playthrough.branch(arguments)?;
        Ok(Flow::Show(vec![Line::plain(format!("branch {arguments} starts here"))]))
    },
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
    run: |session, _| Ok(Flow::Show(draw::history(&session.scene(), session.playthrough.timeline()))),
};

/// Most steps that are told one by one.
const SHOWN_STEPS: usize = 6;

/// Does a step once or several times; what was done before an obstacle stays done.
fn repeated(
    session: &mut Session,
    arguments: &str,
    words: &str,
    backwards: bool,
    step: fn(&mut Session) -> Result<String, Diagnostic>,
) -> Result<Flow, Diagnostic> {
    let count = if arguments.is_empty() { 1 } else { number(arguments, "number of steps")? };
    let mut steps = Vec::new();
    let mut obstacle = None;
    while steps.len() < count && obstacle.is_none() {
        let log = &session.playthrough.timeline().current().log;
        let entry = session.step(backwards).and_then(|place| log.get(place));
        // Others' choices are not told to who looks as a player.
        let told = entry.filter(|entry| !entry.is_intervention()).map(|entry| draw::told(entry, session.viewer));
        match step(session) {
            Ok(what) => steps.push(format!("{words}: {}", told.map_or(what, |entry| entry.to_string()))),
            Err(error) if steps.is_empty() => return Err(error),
            Err(error) => obstacle = Some(error.message),
        }
    }
    // Where it was long, its end is what counts.
    let left_out = steps.len().saturating_sub(SHOWN_STEPS);
    let mut lines = Vec::new();
    if left_out > 0 {
        lines.push(Line::faint(format!("{words}: {left_out} things, then")));
    }
    lines.extend(steps.drain(left_out..).map(|step| Line::faint(step).cut(session.width)));
    lines.extend(obstacle.map(Line::faint));
    lines.push(Line::default());
    lines.extend(session.look());
    Ok(Flow::Show(lines))
}
