//! Asking where something came from, and why something cannot be done.

use super::{Candidate, Command, Flow, component_id, usage_of, zone_id};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::inspect::why::{self, Observer};
use crate::repl::{Session, split_word};
use crate::screen;

const GROUP: &str = super::look::GROUP;

/// How many events of a long story are told, the last ones.
const TOLD: usize = 20;

pub(super) const WHY: Command = Command {
    name: "why",
    aliases: &[],
    usage: "why VARIABLE|COMPONENT|ZONE|last [all] | why not OPTION",
    about: "where something came from, or why an option is not there",
    help: "`why p2.score` lists what the rules have awarded so far and what they would award if the game ended now. Of a \
           component it tells the whole way through the table, of a zone how each thing in it came there, and `why last` \
           all that the last choice caused. Each line names the move, the script that did it, and the layer it belongs \
           to. Of a long story the end is told; `all` tells the rest.\n\n\
           `why not 33` gives the reason that the rules gave for not offering 33, or the lines of the script that left \
           it out, with the values in them.",
    examples: &["why p1.score", "why last"],
    group: GROUP,
    steps: false,
    complete: |session, before| {
        if before == "not" {
            let open = session.position().open.iter().filter(|_| session.shows_options());
            let refused = open.flat_map(|open| &open.refused);
            let refused = refused.map(|(option, reason)| Candidate::new(option.label.clone(), reason.to_string()));
            return refused.chain(super::components(session)).collect();
        }
        if !before.is_empty() {
            return vec![Candidate::new("all", "from the beginning")];
        }
        let fixed = [("last", "all that the last choice caused"), ("not", "why an option is not there")];
        let fixed = fixed.into_iter().map(|(text, about)| Candidate::new(text, about));
        fixed.chain(super::variables(session)).chain(super::zones(session)).chain(super::components(session)).collect()
    },
    run: |session, arguments| {
        match split_word(arguments) {
            ("", _) => Err(usage_of(&WHY).into()),
            ("not", option) if option.trim().is_empty() => {
                Err(Diagnostic::new("say which option: `why not 33`").into())
            }
            ("not", option) => why_not(session, option.trim()),
            // Names can have blanks in them.
            _ => match arguments.strip_suffix(" all") {
                Some(name) => tell(session, name.trim_end(), usize::MAX),
                None => tell(session, arguments, TOLD),
            },
        }
    },
};

/// The story of something by its name.
fn tell(session: &Session, name: &str, most: usize) -> Result<Flow, Diagnostics> {
    let (loaded, position) = (session.playthrough.loaded(), session.position());
    let observer = Observer { loaded, position, viewer: session.viewer };
    let found = observer.why(observer.subject(name)?, most == usize::MAX)?;
    Ok(Flow::Page(screen::why(&session.scene(), &found, most)))
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
    Ok(Flow::Show(screen::why_not(&session.scene(), &found)))
}
