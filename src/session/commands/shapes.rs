//! The shapes of arguments that several commands share.

use super::Candidate;
use super::arguments::{ArgumentError, BeforeCursor, Extent, Shape};
use crate::catalogue::{message, said, say};
use crate::diagnostic::{Diagnostic, Diagnostics, unknown_or};
use crate::playthrough::travel::unknown_point;
use crate::script::masked_script::in_half_width_code;
use crate::session::Session;
use crate::table::knowledge::Front;
use crate::table::names;
use crate::table::value::{Component, Seat};
use std::str::FromStr;

/// A whole number. `what` says what it counts: `a whole number of steps`.
pub(super) const fn number<N: FromStr>(name: &'static str, what: &'static str) -> Shape<N> {
    let read = |_: &Session, text: &str| text.parse().map_err(|_| ArgumentError::Other);
    Shape { name, what, lead: "", extent: Extent::Word, read, complete: nothing }
}

/// A move of this branch, or the next one; read as the number of moves before it.
pub(super) const MOVE: Shape<usize> = Shape {
    name: "MOVE",
    what: "a move",
    lead: "",
    extent: Extent::Word,
    read: |session, text| {
        let last = session.playthrough.timeline().current().log.len() + 1;
        let wanted: i64 = text.parse().map_err(|_| ArgumentError::Other)?;
        match usize::try_from(wanted) {
            Ok(wanted) if (1..=last).contains(&wanted) => Ok(wanted - 1),
            _ => Err(Diagnostic::new(message!("there is no move {wanted} on this branch"))
                .help(message!("give a number from 1 to {last}; `history` lists the moves"))
                .into()),
        }
    },
    complete: nothing,
};

/// A player.
pub(super) const SEAT: Shape<Seat> = Shape {
    name: "pN",
    what: "a player",
    lead: "",
    extent: Extent::Word,
    read: |session, text| {
        let seats = session.playthrough.seats;
        let number = text.strip_prefix('p').unwrap_or(text).parse().ok();
        let seat = number.filter(|number| (1..=seats).contains(number)).and_then(Seat::from_number);
        Ok(seat.ok_or_else(|| unknown_or("player", text, [], message!("write p1 to p{seats}")))?)
    },
    complete: |session, _| seats(session).collect(),
};

/// The id of a zone.
pub(super) const ZONE: Shape<String> = Shape {
    name: "ZONE",
    what: "a zone",
    lead: "",
    extent: Extent::Name,
    read: |session, text| Ok(zone_id(session, text)?),
    complete: |session, _| zones(session),
};

/// The id of a component.
pub(super) const COMPONENT: Shape<String> = Shape {
    name: "COMPONENT",
    what: "a component",
    lead: "",
    extent: Extent::Name,
    read: |session, text| Ok(component_id(session, text)?),
    complete: |session, _| components(session),
};

/// An existing bookmark or branch.
pub(super) const POINT: Shape<String> = Shape {
    name: "BOOKMARK|BRANCH",
    what: "a bookmark or a branch",
    lead: "",
    extent: Extent::Word,
    read: |session, text| {
        let timeline = session.playthrough.timeline();
        let is_known = timeline.log_up_to(text).is_some();
        is_known.then(|| text.to_owned()).ok_or_else(|| unknown_point(timeline, text).into())
    },
    complete: |session, _| bookmarks(session).chain(branches(session)).collect(),
};

/// A new name.
pub(super) const NAME: Shape<String> =
    Shape { name: "NAME", what: "a name", lead: "", extent: Extent::Name, read: as_typed, complete: nothing };

/// An expression of the rules' language.
pub(super) const EXPRESSION: Shape<String> = Shape {
    name: "EXPRESSION",
    what: "an expression",
    lead: "",
    extent: Extent::Expression,
    read: |_, text| Ok(in_half_width_code(text)),
    complete: |session, _| session.analysis().roots(),
};

/// No completions.
pub(super) fn nothing(_: &Session, _: &BeforeCursor<'_>) -> Vec<Candidate> {
    Vec::new()
}

/// Reads an argument as its text.
pub(super) fn as_typed(_: &Session, text: &str) -> Result<String, ArgumentError> {
    Ok(text.to_owned())
}

/// The seat whose zones and variables need no prefix: the one that is asked.
pub(super) fn asked(session: &Session) -> Option<Seat> {
    session.position().open.as_ref().and_then(|open| open.seat)
}

pub(super) fn zone_id(session: &Session, name: &str) -> Result<String, Diagnostics> {
    let layout = &session.playthrough.loaded().layout;
    names::zone(layout, asked(session), name).map(|zone| layout.zones[zone.index()].id.to_string())
}

pub(super) fn component_id(session: &Session, name: &str) -> Result<String, Diagnostics> {
    let layout = &session.playthrough.loaded().layout;
    names::component(layout, Some(&session.position().table), name).map(|face| layout.faces[face].id.to_string())
}

/// Every player, as completions.
pub(super) fn seats(session: &Session) -> impl Iterator<Item = Candidate> {
    (1..=session.playthrough.seats).map(|number| Candidate::new(format!("p{number}"), said("a player")))
}

/// Every zone by its id, as completions.
pub(super) fn zones(session: &Session) -> Vec<Candidate> {
    let layout = &session.playthrough.loaded().layout;
    let name = |definition: usize| layout.definition.zones[definition].name.get(session.language).to_owned();
    layout.zones.iter().map(|zone| Candidate::new(&*zone.id, name(zone.definition))).collect()
}

/// Every variable by its id, as completions.
pub(super) fn variables(session: &Session) -> Vec<Candidate> {
    let layout = &session.playthrough.loaded().layout;
    let name = |definition: usize| layout.definition.variables[definition].name.get(session.language).to_owned();
    layout.variables.iter().map(|variable| Candidate::new(&*variable.id, name(variable.definition))).collect()
}

/// Every component by its id, as completions.
pub(super) fn components(session: &Session) -> Vec<Candidate> {
    let layout = &session.playthrough.loaded().layout;
    let names = names::Names { layout, language: session.language };
    let table = &session.position().table;
    let component = |handle: usize| {
        let front = Front::of(table, Component(handle as u16));
        let face = names.face(front).map_or_else(String::new, |face| face.text.into_owned());
        Some(Candidate::new(
            &*layout.faces.get(front.face)?.id,
            format!("{face} {}", names.attribute_words(front)).trim(),
        ))
    };
    (0..table.faces.len()).filter_map(component).collect()
}

/// Every branch with its length, as completions.
pub(super) fn branches(session: &Session) -> impl Iterator<Item = Candidate> {
    let branches = session.playthrough.timeline().branches().iter();
    branches.map(|branch| Candidate::new(branch.name.clone(), say!("branch of {} moves", branch.log.len())))
}

/// Every bookmark with its move, as completions.
pub(super) fn bookmarks(session: &Session) -> impl Iterator<Item = Candidate> {
    session.playthrough.timeline().bookmarks().map(|(branch, bookmark)| {
        let about = say!("bookmark at move {} of {}", bookmark.entries + 1, branch.name);
        Candidate::new(bookmark.name.clone(), about)
    })
}
