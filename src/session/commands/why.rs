//! The commands `why` and `why not`: the causes of a value, and the reasons against an option.

use super::arguments::{Extent, Shape, Signature, flag, word};
use super::shapes::{as_typed, component_id, components, variables, zone_id, zones};
use super::{Candidate, Command, Flow};
use crate::catalogue::{message, say};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::inspect::why::{self, Observer, Subject};
use crate::playthrough::spelling::Certainty;
use crate::screen;
use crate::screen::style::Line;
use crate::session::Session;
use crate::session::answer::{number, place};

/// Most events told of a long history, from its end.
const MAX_EVENTS_TOLD: usize = 20;

/// The subject of a `why`.
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

/// An option that cannot be chosen.
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
           with their values; then the section of the rulebook that tells it, with its first sentence, if there is one. A \
           number is what is called so; `why not #2` asks about option 2.",
    examples: &["why p1.score", "why last"],
    signatures: &[
        &Signature((SUBJECT, flag("all", "from the beginning")), |session, (subject, all)| {
            let found = observer(session).why(subject, all)?;
            let most = if all { usize::MAX } else { MAX_EVENTS_TOLD };
            Ok(Flow::Page(screen::why(&session.scene(), &found, most)))
        }),
        &Signature((word("not", "why an option is not there"), REFUSED), |session, ((), option)| {
            why_not(session, &option)
        }),
    ],
    ..super::look::LOOKING
};

/// The session's viewer, as an observer of the position.
fn observer(session: &Session) -> Observer<'_> {
    Observer { loaded: session.playthrough.loaded(), position: session.position(), viewer: session.viewer }
}

/// The name of what is asked about: a thing with that name, else the option at that place. Where a number can be both,
/// also a hint on how to ask about the other.
///
/// # Errors
/// Several things have that name.
fn asked_about(session: &Session, typed: &str) -> Result<(String, Option<String>), Diagnostics> {
    if let (Some(place), Some(open)) = (place(typed), &session.position().open)
        && !(1..=open.options.len()).contains(&place)
    {
        let error = Diagnostic::new(message!("there is no option #{place}"));
        return Err(error.help(message!("options 1 to {} are offered; `table` shows them", open.options.len())).into());
    }
    let situation = session.situation();
    let number = number::<usize>(typed);
    let at_place = number.map(|number| situation.label_meant(&format!("#{number}"), Certainty::Named)).transpose()?;
    let at_place = number.zip(at_place.flatten());
    let in_list = |error: Diagnostics| match &at_place {
        Some((number, label)) => error.map(|error| error.help(message!("`#{number}` is the option there: {label}"))),
        None => error,
    };
    let named = match situation.label_meant(typed, Certainty::Named).map_err(in_list)? {
        Some(label) => Some(label),
        // A component means the option that has it, if there is one.
        None => match situation.label_meant(typed, Certainty::Contained).map_err(in_list)? {
            Some(label) => Some(label),
            None => component_id(session, typed).or_else(|_| zone_id(session, typed)).ok(),
        },
    };
    Ok(match (named, at_place) {
        (Some(named), Some((number, label))) if named != label => {
            let remark = say!("`why not #{number}` asks about option {number}: {label}");
            (named, Some(remark))
        }
        (Some(named), _) => (named, None),
        (None, Some((number, label))) => {
            let remark = say!("{number} is read as option {number} of the list");
            (label, Some(remark))
        }
        (None, None) => {
            let hinted = situation.label_meant(typed, Certainty::Hinted)?;
            (hinted.unwrap_or_else(|| typed.to_owned()), None)
        }
    })
}

fn why_not(session: &mut Session, option: &str) -> Result<Flow, Diagnostics> {
    if !session.shows_options() {
        return Err(session.hidden_options().into());
    }
    let (option, remark) = asked_about(session, option)?;
    let found = why::why_not(&session.playthrough, session.viewer, &option)?;
    let mut lines = screen::why_not(&session.scene(), &found);
    lines.extend(remark.map(|remark| Line::faint(remark).cut(session.width)));
    lines.extend(super::rulebook::chapter_of_function(session, &found));
    Ok(Flow::Show(lines))
}
