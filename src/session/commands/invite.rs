//! Commands for other faces of the session: links for the designer's page, for remote players, and for a public screen.

use super::arguments::{Extent, Shape, Signature, flag};
use super::shapes::seats;
use super::{Availability, Candidate, Command, Flow, USUAL};
use crate::catalogue::{message, said, say};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::screen::style::{self, Label, Line};
use crate::session::Session;
use crate::session::seats::{PUBLIC, seats_named};
use crate::session::table_face::{Face, FaceLink};
use crate::table::value::Seat;

/// The common properties of commands about faces.
const FACES: Command = Command { group: "Looking", works: Availability::Always, ..USUAL };

/// The faces that a link is for.
const FACE: Shape<Vec<Face>> = Shape {
    name: "pN|all|public|browser",
    what: "a seat",
    lead: "",
    extent: Extent::Word,
    read: |session, text| Ok(faces_named(text, session.playthrough.seats)?),
    complete: |session, _| {
        let others = [
            Candidate::new("all", said("every seat")),
            Candidate::new(PUBLIC, said("a screen that all look at")),
            Candidate::new(BROWSER, said("this session as a page")),
        ];
        seats(session).chain(others).collect()
    },
};

/// The name of the designer's page in commands.
const BROWSER: &str = "browser";

/// The faces meant by `p2`, `all`, `public` or `browser`.
///
/// # Errors
/// There is no such face.
pub(crate) fn faces_named(typed: &str, seats: usize) -> Result<Vec<Face>, Diagnostics> {
    match typed {
        PUBLIC => Ok(vec![Face::Screen]),
        BROWSER => Ok(vec![Face::Designer]),
        seat => seats_named(seat, seats).map(|seats| seats.into_iter().map(Face::Player).collect()).map_err(|errors| {
            errors.map(|error| error.help(message!("`{PUBLIC}` is a screen, `{BROWSER}` your page")))
        }),
    }
}

/// The name of a face in commands.
fn name(face: Face) -> String {
    match face {
        Face::Designer => BROWSER.to_owned(),
        other => other.to_string(),
    }
}

pub(super) const INVITE: Command = Command {
    name: "invite",
    about: "give a seat to somebody by a link; alone, list the links",
    help: "The link opens the table as that seat may see it, in any browser: whoever has it plays the seat. `all` stands \
           for every seat, each with a link of its own; `public` is a screen that all may look at, and `browser` the page \
           of this session, as with `table browser`. Links work on this computer; with `lan`, also on phones and \
           computers in the same network, where nothing is encrypted; the page of this session stays on this computer. \
           What is chosen there appears here. `revoke` makes a link void.",
    examples: &["invite", "invite p2", "invite public"],
    signatures: &[
        &Signature((), |session, ()| {
            let links = session.table_server()?.links();
            if links.is_empty() {
                return Ok(Flow::Show(vec![Line::faint(said("there are no links; `invite p2` makes one"))]));
            }
            let rows = links.iter().map(|link| {
                let watching = match link.watching {
                    0 => said("nobody looks").to_owned(),
                    1 => said("1 looks").to_owned(),
                    several => say!("{several} look"),
                };
                lead(link).with(format!("  {watching}"), Label::Faint)
            });
            Ok(Flow::Show(rows.collect()))
        }),
        &Signature(
            (FACE, flag("lan", "reachable in the network that this computer is in")),
            |session, (faces, lan)| {
                if lan {
                    session.table_server()?.reach_network(true)?;
                }
                let mut lines = Vec::new();
                for face in faces {
                    lines.extend(invite(session, face)?);
                }
                Ok(Flow::Show(lines))
            },
        ),
    ],
    ..FACES
};

pub(super) const REVOKE: Command = Command {
    name: "revoke",
    about: "make a link void",
    help: "Whoever looks at the table by that link sees no more of it. `all` stands for every seat, and leaves the links of \
           `public` and `browser` as they are. `invite` makes another.",
    examples: &["revoke p2"],
    signatures: &[&Signature((FACE,), |session, (faces,)| {
        let mut lines = Vec::new();
        for face in faces {
            let was_there = session.table_server()?.revoke(face);
            if let Face::Player(seat) = face {
                session.set_elsewhere(seat, false);
            }
            let face = name(face);
            lines.push(Line::plain(match was_there {
                true => say!("the link of {face} is void"),
                false => say!("{face} had no link"),
            }));
        }
        Ok(Flow::Show(lines))
    })],
    ..FACES
};

/// Makes the link of a face; a player's link also gives the seat to a remote person.
pub(super) fn invite(session: &mut Session, face: Face) -> Result<Vec<Line>, Diagnostics> {
    let link = session.table_server()?.link(face)?;
    if let Face::Player(seat) = face {
        give(session, seat)?;
    }
    let mut lines = vec![lead(&link)];
    if face == Face::Designer {
        let how = said("open it in a browser on this computer: it shows this session, and does what you do here");
        lines.extend(style::wrapped(how, session.width));
    }
    let fits = link.picture.first().is_some_and(|row| row.chars().count() <= session.width);
    if fits {
        lines.extend(link.picture.iter().map(Line::plain));
    }
    Ok(lines)
}

/// Gives a seat to a remote person.
fn give(session: &mut Session, seat: Seat) -> Result<(), Diagnostics> {
    if session.agent_of(seat).is_some() {
        if session.playthrough.position().open.is_none() {
            return Err(Diagnostic::new("the game is over, and nobody is asked any more").into());
        }
        session.seat(&[(vec![seat], None)])?;
    }
    session.set_elsewhere(seat, true);
    Ok(())
}

/// A line `p2  http://…`. It is never cut, because part of a link is useless.
fn lead(link: &FaceLink) -> Line {
    Line::of(format!("{}  ", name(link.face)), Label::Turn).with(&*link.address, Label::Strong)
}
