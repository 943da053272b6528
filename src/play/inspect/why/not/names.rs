//! What a name can mean in a game where an option is asked about.

use crate::catalogue::message;
use crate::diagnostic::Diagnostic;
use crate::playthrough::{Playable, Playthrough};
use crate::script::program::{Expr, ExprKind, Piece};
use crate::sorted::SortedSet;
use crate::table::decision::{Decision, OptionShown};
use crate::table::layout::Layout;
use crate::table::names;
use crate::table::value::{Component, Seats, Value};

/// The value that a label means in this game.
pub(super) fn value_named(layout: &Layout, playthrough: &Playthrough, label: &str) -> Option<Value> {
    if let Some(face) = layout.face_named(label) {
        let faces = &playthrough.position().table.faces;
        let handle = faces.iter().position(|&number| number == face.0)?;
        return Some(Value::Component(Component(handle as u16)));
    }
    if let Some(zone) = layout.zone_named(label) {
        return Some(Value::Zone(zone));
    }
    if let Some(seat) = Seats::all(layout.seats).into_iter().find(|seat| seat.to_string() == label) {
        return Some(Value::Seat(seat));
    }
    label.parse().ok().map(Value::Number)
}

/// Whether a label without meaning in the game can mean an option: where options have parts, or are words of the rules,
/// and each word of the label is in an option, in the rules or their data, or names something.
pub(super) fn could_be_an_option(playthrough: &Playthrough, open: &Decision, typed: &str) -> bool {
    let has_words = |option: &OptionShown| matches!(option.value, Value::Parts(_) | Value::Text(_));
    if !open.options.iter().any(has_words) {
        return false;
    }
    let Playable { layout, rules, .. } = playthrough.loaded();
    let of_attributes = (0..layout.attributes.len()).flat_map(|number| layout.texts_of(number));
    let mut known: SortedSet<&str> = of_attributes.collect();
    known.extend(open.options.iter().flat_map(|option| option.label.split_whitespace()));
    layout.definition.data.values().for_each(|value| add_texts(value, &mut known));
    for function in &rules.program().functions {
        function.body.walk(&mut |piece| {
            if let Piece::Expr(Expr { kind: ExprKind::Text(text), .. }) = piece {
                known.insert(text);
            }
        });
    }
    let is_known = |word: &str| known.contains(word) || value_named(layout, playthrough, word).is_some();
    // A move from cell to cell is written with `-`.
    let is_move = |word: &str| word.split('-').all(|cell| names::zone(layout, open.seat, cell).is_ok());
    is_known(typed) || typed.split_whitespace().all(|word| is_known(word) || is_move(word))
}

fn add_texts<'d>(value: &'d toml::Value, known: &mut SortedSet<&'d str>) {
    match value {
        toml::Value::String(text) => drop(known.insert(text)),
        toml::Value::Array(list) => list.iter().for_each(|value| add_texts(value, known)),
        toml::Value::Table(table) => {
            known.extend(table.keys().map(String::as_str));
            table.values().for_each(|value| add_texts(value, known));
        }
        _ => {}
    }
}

/// The error that nothing has this name.
pub(super) fn unknown(layout: &Layout, open: &Decision, typed: &str) -> Diagnostic {
    let error = Diagnostic::new(message!("nothing is called `{typed}` here"));
    let options = open.options.iter().map(|option| option.label.as_str());
    let known =
        options.chain(layout.faces.iter().map(|face| &*face.id)).chain(layout.zones.iter().map(|zone| &*zone.id));
    error.near_or(typed, known, "write it like the name of an option: a component, a zone, a player, a number")
}
