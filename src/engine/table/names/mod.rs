//! Names: what things are called when they are drawn, in each language, and what a person means who writes a name.
//!
//! A component has an id (`spade-12`), a face (`♠Q`) and words for what is on the face (`spades`, `queen`). A person
//! may write any of them, in any of the languages: whatever can be read on the screen can be typed. Only this module
//! decides what is meant, for answers, commands and scenarios alike.

mod resolve;

use crate::definition::{ComponentKind, Language, Looks, Shape};
use crate::table::State;
use crate::table::choices::ACT;
use crate::table::knowledge::Front;
use crate::table::layout::{Cell, FaceInfo, FaceValue, Layout};
use crate::table::value::{Back, NOBODY, NOTHING, Parts, Seat, Value, Zone};
use std::borrow::Cow;
use std::sync::Arc;

pub use resolve::{
    NameMatch, ambiguous, best_fits, component, components, plain, player, some, unknown_in, variable, zone,
};

/// The name of a side that is hidden.
const UNKNOWN: &str = "?";

/// The name of the value of a die that shows nothing.
const NOT_ROLLED: &str = "□";

/// The names of things in one language.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// The things that have names.
    pub layout: &'a Layout,
    pub language: Language,
}

/// A name or a part of one, with the colour that the definition gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    pub text: Cow<'a, str>,
    /// Name of the colour; `None` where the definition gives none.
    pub color: Option<&'a str>,
}

impl<'a> Piece<'a> {
    fn plain(text: impl Into<Cow<'a, str>>) -> Self {
        Self { text: text.into(), color: None }
    }
}

/// A part of a face as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacePart<'a> {
    /// The text as the face shows it: `♠`, `y`.
    pub short: String,
    /// The whole name: `spades`, `yellow`.
    pub long: String,
    /// Name of the colour; `None` where the definition gives none.
    pub color: Option<&'a str>,
    /// Whether the part is the value of an attribute, and not text of the template around the values.
    pub is_value: bool,
}

impl<'a> Names<'a> {
    /// The word for yes or no.
    pub fn truth(self, truth: bool) -> &'static str {
        let words = self.language.words();
        if truth { words.yes } else { words.no }
    }

    /// The text of the definition for a key, or else the key with blanks.
    pub fn text(self, key: &str) -> String {
        let known = self.layout.definition.text(key);
        known.map_or_else(|| key.replace('_', " "), |text| text.get(self.language).to_owned())
    }

    /// A word of the rules: its text in `[text]`, or its name as the value of an attribute.
    pub fn word(self, word: &str) -> Piece<'a> {
        if self.layout.definition.text(word).is_some() {
            return Piece::plain(self.text(word));
        }
        let Some(looks) = self.layout.definition.attributes.values().find_map(|values| values.get(word)) else {
            return Piece::plain(word.replace('_', " "));
        };
        Piece { text: self.long(word, Some(looks)).to_owned().into(), color: looks.color.as_deref() }
    }

    /// The word for no player or no component: its text in `[text]`, or else one in the person's language.
    fn none(self, word: &str) -> Piece<'a> {
        let none = self.language.words().none.filter(|_| self.layout.definition.text(word).is_none());
        none.map_or_else(|| self.word(word), Piece::plain)
    }

    /// The name of a zone, with its number where there are several; for a cell, its place on the board.
    pub fn zone(self, zone: Zone) -> String {
        let name = self.layout.zone_definition(zone).name.get(self.language);
        if let Some(cell) = self.layout.cell(zone) {
            let cell = self.cell(cell);
            return if self.layout.is_bare_cell(zone) { cell } else { format!("{name} {cell}") };
        }
        let number = self.layout.zones.get(zone.index()).and_then(|info| info.number);
        number.map_or_else(|| name.to_owned(), |number| format!("{name} {number}"))
    }

    /// The name of a cell on its board: `c4`; for a place of a map, its text in `[text]` or its name as the value of an
    /// attribute.
    pub fn cell(self, cell: Cell<'_>) -> String {
        let name = &cell.info().name;
        if cell.board.shape != Shape::Map {
            return name.clone();
        }
        if let Some(text) = self.layout.definition.text(name) {
            return text.get(self.language).to_owned();
        }
        let looks = self.layout.definition.attributes.values().find_map(|values| values.get(name));
        looks.map_or(name.as_str(), |looks| self.long(name, Some(looks))).to_owned()
    }

    /// The name of a zone for a player, with the owner before it if that is somebody else.
    pub fn zone_for(self, zone: Zone, asked: Option<Seat>) -> String {
        let owner = self.layout.zones.get(zone.index()).and_then(|info| info.seat);
        match owner.filter(|owner| asked != Some(*owner)) {
            Some(owner) => format!("{owner} {}", self.zone(zone)),
            None => self.zone(zone),
        }
    }

    /// The name of a component that lies face down, for a player: the zone, and the place in it.
    pub fn back(self, back: Back, asked: Option<Seat>) -> String {
        format!("{} {}", self.zone_for(back.zone, asked), back.number)
    }

    /// A component as the table shows it: the template of its face with the values of attributes in short, in the first
    /// colour that one of them has.
    pub fn face(self, front: Front) -> Option<Piece<'a>> {
        let info = self.layout.faces.get(front.face)?;
        let mut text = String::new();
        for piece in template(&info.template) {
            match piece {
                Template::Plain(plain) => text.push_str(plain),
                Template::Attribute(name) => match attribute_of(self.layout, front, name) {
                    Some((value, looks)) => text.push_str(self.short(&value, looks)),
                    None => text.push_str(name),
                },
            }
        }
        if text.trim().is_empty() {
            text = info.id.to_string();
        }
        Some(Piece { text: text.into(), color: face_color(self.layout, front) })
    }

    /// The parts of a face, in the order of its template, without empty ones.
    pub fn parts_of_face(self, front: Front) -> Vec<FacePart<'a>> {
        let Some(info) = self.layout.faces.get(front.face) else { return Vec::new() };
        let plain = |text: &str| FacePart { short: text.into(), long: text.into(), color: None, is_value: false };
        let parts = template(&info.template).into_iter().map(|piece| match piece {
            Template::Plain(text) => plain(text),
            Template::Attribute(name) => match attribute_of(self.layout, front, name) {
                Some((value, looks)) => FacePart {
                    short: self.short(&value, looks).to_owned(),
                    long: self.long(&value, looks).to_owned(),
                    color: looks.and_then(|looks| looks.color.as_deref()),
                    is_value: true,
                },
                None => plain(name),
            },
        });
        let parts: Vec<FacePart<'a>> = parts.filter(|part| !part.short.trim().is_empty()).collect();
        if parts.is_empty() { vec![plain(&info.id)] } else { parts }
    }

    /// The words for values of attributes that the face itself shows shortened. A die is told by its id, because dice
    /// show the same numbers.
    pub fn attribute_words(self, front: Front) -> String {
        let Some(info) = self.layout.faces.get(front.face) else { return String::new() };
        if info.kind == ComponentKind::Die {
            return info.id.to_string();
        }
        let face = self.face(front).map_or(Cow::Borrowed(""), |face| face.text);
        let named = self.layout.attributes.iter().filter_map(|name| {
            let (value, looks) = attribute_of(self.layout, front, name)?;
            let name = self.long(&value, looks);
            (value.parse::<i64>().is_err() && !face.contains(name)).then(|| name.to_owned())
        });
        named.collect::<Vec<_>>().join(" ")
    }

    /// A value as people say it, piece by piece; zones and components by name alone.
    pub fn value(self, table: &State, value: &'a Value) -> Vec<Piece<'a>> {
        match value {
            Value::Number(number) => vec![Piece::plain(number.to_string())],
            Value::Truth(truth) => vec![Piece::plain(self.truth(*truth))],
            Value::Text(text) => vec![self.word(text)],
            Value::Component(component) => self.face(Front::of(table, *component)).into_iter().collect(),
            Value::Back(back) => vec![Piece::plain(self.back(*back, None))],
            Value::Seat(seat) => vec![Piece::plain(seat.to_string())],
            Value::Nobody => vec![self.none(NOBODY)],
            Value::Nothing => vec![self.none(NOTHING)],
            Value::Zone(zone) => vec![Piece::plain(self.zone(*zone))],
            Value::Parts(parts) if self.text_with_names(parts).is_some() => self.act(table, parts, None),
            Value::Parts(parts) => {
                let between = |before: Option<&Value>, part: &Value| self.layout.between_parts(before, part);
                self.joined(table, parts.0.iter().map(|(_, part)| part), between)
            }
            Value::List(list) => self.joined(table, list.iter(), |_, _| " + "),
        }
    }

    fn joined(
        self,
        table: &State,
        values: impl Iterator<Item = &'a Value>,
        between: impl Fn(Option<&Value>, &Value) -> &'static str,
    ) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        let mut before = None;
        for value in values {
            if !pieces.is_empty() {
                pieces.push(Piece::plain(between(before, value)));
            }
            before = Some(value);
            pieces.extend(self.value(table, value));
        }
        pieces
    }

    /// An option as it is drawn for the seat that is asked, piece by piece.
    pub fn option(self, table: &State, option: &'a Value, asked: Option<Seat>) -> Vec<Piece<'a>> {
        match option {
            Value::Zone(zone) => vec![Piece::plain(self.zone_for(*zone, asked))],
            Value::Back(back) => vec![Piece::plain(self.back(*back, asked))],
            Value::Parts(parts) => self.act(table, parts, asked),
            value => self.value(table, value),
        }
    }

    /// The text of an act that names its parts in braces, `bid = "{count} {face}s"`; `None` for other options.
    fn text_with_names(self, parts: &Parts) -> Option<&'a str> {
        let (name, Value::Text(act)) = parts.0.first()? else { return None };
        let text = self.layout.definition.text(act).filter(|_| **name == *ACT)?.get(self.language);
        first_named(text, parts).map(|_| text)
    }

    /// An act with what it is done with: `extend column 2`, or in the words of the act's text.
    fn act(self, table: &State, parts: &'a Parts, asked: Option<Seat>) -> Vec<Piece<'a>> {
        let mut pieces: Vec<Piece<'a>> = Vec::new();
        let mut left: Vec<&NamedPart> = parts.0.iter().collect();
        if let Some(text) = self.text_with_names(parts) {
            left.retain(|(name, _)| **name != *ACT);
            let mut rest = text;
            while let Some((before, part, after)) = first_named(rest, parts) {
                left.retain(|(name, _)| *name != part.0);
                pieces.push(Piece::plain(before.to_owned()));
                let part = self.part(table, part, &pieces, asked);
                pieces.extend(part);
                rest = after;
            }
            pieces.push(Piece::plain(rest.to_owned()));
        }
        let mut before = None;
        for part in left {
            if !pieces.is_empty() {
                pieces.push(Piece::plain(self.layout.between_parts(before, &part.1)));
            }
            before = Some(&part.1);
            let part = self.part(table, part, &pieces, asked);
            pieces.extend(part);
        }
        pieces
    }

    /// A part of an option, after the pieces before it. A number may have a text of its own: `"count 2" = "two"`.
    fn part(
        self,
        table: &State,
        (name, value): &'a NamedPart,
        before: &[Piece<'_>],
        asked: Option<Seat>,
    ) -> Vec<Piece<'a>> {
        match value {
            Value::Zone(zone) => {
                let number = self.number_alone(*zone, &text_of(before), asked);
                vec![Piece::plain(number.unwrap_or_else(|| self.zone_for(*zone, asked)))]
            }
            Value::Back(back) => vec![Piece::plain(self.back(*back, asked))],
            Value::Number(number) if let Some(text) = self.layout.definition.text(&format!("{name} {number}")) => {
                vec![Piece::plain(text.get(self.language).to_owned())]
            }
            value => self.value(table, value),
        }
    }

    /// The number of one of several zones that are shared or the asked seat's own, where the words before have named
    /// the zone.
    fn number_alone(self, zone: Zone, before: &str, asked: Option<Seat>) -> Option<String> {
        let info = self.layout.zones.get(zone.index()).filter(|info| info.seat.is_none() || info.seat == asked)?;
        if self.layout.cell(zone).is_some() {
            return None;
        }
        let name = self.layout.zone_definition(zone).name.get(self.language);
        let is_named = before.to_lowercase().contains(&name.to_lowercase());
        is_named.then(|| info.number.map(|number| number.to_string()).unwrap_or_default())
    }

    /// The short name of the value of an attribute.
    pub fn short<'v>(self, value: &'v str, looks: Option<&'v Looks>) -> &'v str {
        match looks {
            Some(Looks { short: Some(short), .. }) => short.get(self.language),
            _ => self.long(value, looks),
        }
    }

    /// The whole name of the value of an attribute.
    pub fn long<'v>(self, value: &'v str, looks: Option<&'v Looks>) -> &'v str {
        let name = looks.map(|looks| looks.name.get(self.language)).filter(|name| !name.is_empty());
        name.unwrap_or(value)
    }
}

/// A part of an option with its name.
type NamedPart = (Arc<str>, Value);

/// The first name of a part in braces in a text: the text before it, the part, and the text behind it.
fn first_named<'t, 'p>(text: &'t str, parts: &'p Parts) -> Option<(&'t str, &'p NamedPart, &'t str)> {
    text.match_indices('{').find_map(|(at, _)| {
        let (name, after) = text[at + 1..].split_once('}')?;
        let part = parts.0.iter().find(|(part, _)| **part == *name)?;
        Some((&text[..at], part, after))
    })
}

/// The text of all pieces together.
pub fn text_of(pieces: &[Piece<'_>]) -> String {
    pieces.iter().map(|piece| &*piece.text).collect()
}

/// The colour of a face: the first that one of its attributes gives it.
pub fn face_color(layout: &Layout, front: Front) -> Option<&str> {
    let looks = layout.attributes.iter().filter_map(|name| attribute_of(layout, front, name)?.1);
    looks.filter_map(|looks| looks.color.as_deref()).next()
}

/// The value of an attribute on a face, with its looks where the definition has some.
pub fn attribute_of<'a>(layout: &'a Layout, front: Front, name: &str) -> Option<(Cow<'a, str>, Option<&'a Looks>)> {
    let attribute = layout.attributes.iter().position(|known| known == name)?;
    let value: Cow<'_, str> = match layout.values.get(attribute)?.get(front.face)? {
        FaceValue::Absent => shown_side(layout.faces.get(front.face)?, front.side, name)?.into(),
        FaceValue::Number(number) => number.to_string().into(),
        FaceValue::Word(word) => (&**layout.words.get(usize::from(*word))?).into(),
    };
    let looks = layout.definition.attributes.get(name).and_then(|values| values.get(&*value));
    Some((value, looks))
}

/// The name of the side that is up, or the value of a die; `None` where `name` is not the attribute for that.
fn shown_side<'a>(info: &'a FaceInfo, side: Option<u8>, name: &str) -> Option<&'a str> {
    let is_die = info.kind == ComponentKind::Die;
    if info.sides.is_empty() || name != if is_die { "value" } else { "side" } {
        return None;
    }
    let Some(side) = side else { return Some(UNKNOWN) };
    Some(usize::from(side).checked_sub(1).and_then(|index| info.sides.get(index)).map_or(NOT_ROLLED, String::as_str))
}

/// A piece of a face's template.
pub(super) enum Template<'a> {
    Plain(&'a str),
    Attribute(&'a str),
}

/// The pieces of a text with names of attributes in braces.
pub(super) fn template(text: &str) -> Vec<Template<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, (name, behind))) =
        rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        pieces.extend([Template::Plain(before), Template::Attribute(name)]);
        rest = behind;
    }
    pieces.push(Template::Plain(rest));
    pieces
}
