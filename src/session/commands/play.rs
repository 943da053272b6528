//! Commands for moving forward: answers by name, and play by agents or chance.

use super::arguments::{Extent, OneOf, Optional, Shape, Signature, flag};
use super::debug::{CONDITION, PLACE, after_moves};
use super::shapes::{EXPRESSION, as_typed, number};
use super::{Availability, Candidate, Command, Flow, USUAL};
use crate::agent::Random;
use crate::catalogue::{message, said, say};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::observation::Agent;
use crate::playthrough::run::Until;
use crate::playthrough::spelling::Certainty;
use crate::screen::style::{self, Line};
use crate::session::answer::Answer;
use crate::session::expression::is_name;
use crate::session::{Session, split_word};

/// The common properties of commands that move forward.
pub(super) const FORWARD: Command = Command { group: "Going forward", ..USUAL };

/// Most events logged line by line after automatic play.
const MAX_SHOWN_EVENTS: usize = 40;

/// The named ends of `until`.
const ENDS: [(&str, &str, Until); 4] = [
    ("turn", "until another turn begins", Until::Turn),
    ("round", "until another round begins", Until::Round),
    ("phase", "until another phase begins", Until::Phase),
    ("end", "until the game is over", Until::End),
];

/// An answer to the open decision.
const ANSWER: Shape<String> = Shape {
    name: "OPTION…",
    what: "an option",
    lead: "",
    extent: Extent::Rest,
    read: as_typed,
    complete: |session, _| {
        let open = session.playthrough.position().open.iter().filter(|_| session.shows_options());
        open.flat_map(|open| &open.options).map(|option| Candidate::new(option.label.clone(), "")).collect()
    },
};

pub(super) const CHOOSE: Command = Command {
    name: "choose",
    about: "answer the open decision",
    help: "You can leave out `choose`: type the number of an option, any text in its line, in English or Japanese, \
           the beginning of its name, or the component in it if only one option has it. `#2` is always option 2 of the list, and `=2` is always the option named 2. A \
           plain number means the option with that name, or else the position in the list. If the two could be \
           confused, the list shows `#2`. Separate several options with spaces; all are read the same way: `#2 6 7` \
           means three positions, `=2 6 7` three names, and `none` chooses nothing. An option, or the beginning of \
           its name, takes precedence over the short name of a command: `y` means yes if yes is an option, and `:y` \
           is always `redo`. Full-width letters, digits and signs of a Japanese keyboard are read as half-width ones \
           everywhere, unless an option has them in its name.",
    examples: &["choose #1"],
    signatures: &[&Signature((ANSWER,), |session, (typed,)| {
        if session.playthrough.position().open.is_none() || !session.shows_options() {
            return session.choose(&[]);
        }
        let answered = |sure| session.situation().answered(&typed, sure);
        let ways = [Certainty::Named, Certainty::Hinted, Certainty::Contained].into_iter().map(answered);
        let meant = { ways }.find(|answer| !matches!(answer, Answer::None)).unwrap_or(Answer::None);
        match meant {
            Answer::Options(positions, understood) => session.answer_with(&positions, understood),
            Answer::Ambiguous(error) => Err(error),
            Answer::None => {
                let error = Diagnostic::new(message!("{typed} is not among the options"));
                Err(session.situation().no_option(&typed, error.into()))
            }
        }
    })],
    ..FORWARD
};

pub(super) const CLOCK: Command = Command {
    name: "clock",
    about: "in real time, let the clock decide who acts, or let a deadline pass",
    help: "The options mark the player whom the clock proposes; you can choose any other instead. An empty line does \
           the same as `clock`. A decision with a deadline shows how long it stays open: `clock` lets that time pass \
           and takes the option for it, which is the last one.",
    signatures: &[&Signature((), |session, ()| {
        let open = session.playthrough.position().open.as_ref();
        let proposed = open.and_then(|open| match open.by_clock {
            Some(position) => open.options.get(position),
            None => open.deadline.and(open.options.last()),
        });
        match proposed.map(|option| option.label.clone()) {
            Some(label) => session.choose(&[label]),
            None => Err(Diagnostic::new("nobody is waiting for the clock")
                .help("`clock` answers who acts next, where players act at the same time, and what has a deadline")
                .into()),
        }
    })],
    ..FORWARD
};

pub(super) const AUTO: Command = Command {
    name: "auto",
    aliases: &["a"],
    about: "answer the next N decisions at random; default 1",
    help: "The choices go into the log like any others, so `undo` takes them back one by one. Agents answer for their \
           seats. An empty line repeats the command, unless the clock is to decide.",
    examples: &["auto", "auto 5"],
    steps: true,
    combined: &["until"],
    signatures: &[&Signature((Optional(number::<usize>("N", "a whole number of decisions")),), |session, (count,)| {
        advance(session, Until::Decisions(count.unwrap_or(1)))
    })],
    ..FORWARD
};

pub(super) const UNTIL: Command = Command {
    name: "until",
    aliases: &["u"],
    about: "answer at random until the next turn, round, phase, or more",
    help: "`until p1.hand.is_empty` continues to the first decision at which the expression is true. `p1.score` is \
           the current score of p1; the standing on the table is the score if the game ended now.\n\n\
           In the debugger, `until WHERE` continues to a line, a function or an event, and `until back WHERE` goes \
           back to it. See `help break` for WHERE.",
    examples: &["until turn", "until end", "until players.any(|p| p.hand.is_empty)"],
    works: Availability::Always,
    signatures: &[
        &Signature((OneOf(ENDS),), |session, (until,)| advance(session, until)),
        &Signature((EXPRESSION,), |session, (expression,)| until_true(session, &expression)),
    ],
    signatures_in_debugger: &[&Signature(
        (flag("back", "back to it"), PLACE, Optional(CONDITION)),
        |session, (back, target, condition)| super::debug::until(session, back, target, condition),
    )],
    ..FORWARD
};

fn advance(session: &mut Session, until: Until) -> Result<Flow, Diagnostics> {
    let before = stands(session);
    play_on(session, until)?;
    Ok(Flow::Show(after_moves(session, before, |session| output_since(session, before.1))))
}

/// The number of moves and the number of events so far.
fn stands(session: &Session) -> (usize, usize) {
    (session.playthrough.timeline().cursor(), session.playthrough.position().events.len())
}

/// Lets agents, or chance without any, answer up to `until`.
fn play_on(session: &mut Session, until: Until) -> Result<(), Diagnostics> {
    if session.playthrough.position().open.is_none() {
        return Err(Diagnostic::new("no decision is open").help("`undo` goes back to one").into());
    }
    let decision = session.playthrough.timeline().cursor();
    let agent: Box<dyn Agent> = match session.seated_agents() {
        Some(seated_agents) => Box::new(seated_agents),
        None => Box::new(Random::from_decision(session.playthrough.seed, decision)),
    };
    session.playthrough.advance(agent, until)?;
    session.play_agents()
}

/// The output after the first `events` events: the events or, after a long stretch, the table.
pub(super) fn output_since(session: &Session, events: usize) -> Vec<Line> {
    let now = session.playthrough.position().events.len();
    if now <= events + MAX_SHOWN_EVENTS {
        return session.events_and_table(events);
    }
    let words = say!("{} events, too many to show here: `log` shows the last, `log all` all", now - events);
    let mut lines = Line::faint(words).broken(session.width);
    lines.push(Line::default());
    lines.extend(session.look());
    lines
}

/// Lets chance answer until an expression is true at a decision, or the game is over.
fn until_true(session: &mut Session, expression: &str) -> Result<Flow, Diagnostics> {
    session.needs_everything("`until EXPRESSION`")?;
    session.is_fair_to_evaluate()?;
    // A single unknown word was probably meant as a named end.
    let (first, rest) = split_word(expression);
    if ENDS.iter().any(|(end, ..)| *end == first) {
        let help =
            message!("`until {first}` goes on to the next one; `{first} N` is for scenarios, `goto N` for moves");
        return Err(Diagnostic::new(message!("`until {first}` takes nothing after it")).help(help).into());
    }
    if first == "back" && !rest.is_empty() {
        return Err(Diagnostic::new("`until back` works in the debugger")
            .help("`debug` opens it; `undo` takes moves back")
            .into());
    }
    if is_name(expression) && !session.is_known(expression) {
        let error = Diagnostic::new(message!("there is nothing called `{expression}` here"));
        let error = match session.nearest(expression, &ENDS.map(|(end, ..)| end)) {
            Some(help) => error.help(help),
            None => error,
        };
        return Err(error.help(message!("write `{}`", UNTIL.usage())).into());
    }
    session.playthrough.parse(expression)?;
    let holds = |session: &Session| -> Result<bool, Diagnostics> {
        let tried = session.playthrough.look_at(expression)?;
        tried.result.parse().map_err(|_| {
            Diagnostic::new(message!("`{expression}` is {}, neither true nor false", tried.result))
                .help("write a condition, such as `until p1.score > 3`, or one of turn, round, phase, end")
                .into()
        })
    };
    // An invalid expression is refused before anything is played.
    holds(session)?;
    let before = stands(session);
    let work = session.work();
    let is_given_late = expression.contains("score") && !session.playthrough.position().standings.is_empty();
    let mut is_so = false;
    while session.playthrough.position().open.is_some() && !is_so && !work.is_stopped() {
        play_on(session, Until::Decisions(1))?;
        is_so = session.playthrough.position().failed.is_none() && holds(session)?;
    }
    let happened = |session: &Session| {
        let mut lines = output_since(session, before.1);
        if !is_so && session.playthrough.position().open.is_none() {
            let is_over = session.playthrough.position().failed.is_none();
            let how = if is_over { said("the game is over") } else { said("the game was stopped by an error") };
            let words = Line::plain(say!("{how}, and `{expression}` was never true"));
            lines.splice(0..0, words.broken(session.width));
        }
        if is_given_late && session.playthrough.position().open.is_none() {
            let late = said("these rules give points late; until then, the standing on the table is not in `score`");
            lines.extend(style::wrapped(late, session.width));
        }
        lines
    };
    Ok(Flow::Show(after_moves(session, before, happened)))
}
