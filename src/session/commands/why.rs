//! Asking where something came from, and why something cannot be done.

use super::arguments::{Extent, Shape, Signature, flag, word};
use super::shapes::{as_typed, component_id, components, variables, zone_id, zones};
use super::{Candidate, Command, Flow};
use crate::diagnostic::Diagnostics;
use crate::inspect::why::{self, Observer, Subject};
use crate::screen;
use crate::session::Session;

/// How many events of a long story are told, the last ones.
const TOLD: usize = 20;

/// What can be asked about.
const SUBJECT: Shape<Subject> = Shape {
    name: "VARIABLE|COMPONENT|ZONE|last",
    what: "a variable, a component or a zone",
    lead: "",
    extent: Extent::Name,
    read: |session, text| Ok(observer(session).subject(text)?),
    complete: |session, _| {
        let last = Candidate::new("last", "all that the last choice caused");
        let named = variables(session).into_iter().chain(zones(session)).chain(components(session));
        std::iter::once(last).chain(named).collect()
    },
};

/// What cannot be chosen.
const REFUSED: Shape<String> = Shape {
    name: "OPTION",
    what: "an option",
    lead: "",
    extent: Extent::Rest,
    read: as_typed,
    complete: |session, _| {
        let open = session.position().open.iter().filter(|_| session.shows_options());
        let refused = open.flat_map(|open| &open.refused);
        let refused = refused.map(|(option, reason)| Candidate::new(option.label.clone(), reason.to_string()));
        refused.chain(components(session)).collect()
    },
};

pub(super) const WHY: Command = Command {
    name: "why",
    about: "explain where something came from, or why an option is missing",
    help: "`why p2.score` lists the awards so far, and the awards if the game ended now. For a component, it lists \
           every zone it has been in; for a zone, how each component got there; `why last` shows everything that the \
           last choice caused. Each line names the move, the script line, and its layer. Only the end of a long list \
           is shown; `all` shows the rest.\n\n\
           `why not 33` gives the rules' reason for not offering 33, or the lines of the script that left it out, \
           with their values; then the section of the rulebook that tells it, if there is one.",
    examples: &["why p1.score", "why last"],
    signatures: &[
        &Signature((SUBJECT, flag("all", "from the beginning")), |session, (subject, all)| {
            let found = observer(session).why(subject, all)?;
            let most = if all { usize::MAX } else { TOLD };
            Ok(Flow::Page(screen::why(&session.scene(), &found, most)))
        }),
        &Signature((word("not", "why an option is not there"), REFUSED), |session, ((), option)| {
            why_not(session, &option)
        }),
    ],
    ..super::look::LOOKING
};

/// Whoever looks at the game.
fn observer(session: &Session) -> Observer<'_> {
    Observer { loaded: session.playthrough.loaded(), position: session.position(), viewer: session.viewer }
}

fn why_not(session: &mut Session, option: &str) -> Result<Flow, Diagnostics> {
    if !session.shows_options() {
        return Err(session.hidden_options().into());
    }
    let option = match session.label_meant(option)? {
        Some(label) => label,
        None => component_id(session, option).or_else(|_| zone_id(session, option)).unwrap_or(option.to_owned()),
    };
    let found = why::why_not(&session.playthrough, session.viewer, &option)?;
    let mut lines = screen::why_not(&session.scene(), &found);
    lines.extend(super::rulebook::telling(session, &found));
    Ok(Flow::Show(lines))
}
