//! What things are called when they are drawn, in each language; and the thing that somebody means who writes a name.
//!
//! A component has an id (`spade-12`), a face (`♠Q`) and words for what is on the face (`spades`, `queen`). A person may
//! write any of them, in any of the languages: whatever can be read on the screen can be typed. Only this room decides
//! what is meant, for answers, commands and scenarios alike.

use crate::definition::{ComponentKind, Language, Looks, Text};
use crate::diagnostic::{Diagnostic, Diagnostics, unknown};
use crate::table::State;
use crate::table::knowledge::Front;
use crate::table::layout::{FaceInfo, FaceValue, Layout};
use crate::table::value::{Component, NOBODY, Parts, Seat, Seats, Value, Zone};
use std::borrow::Cow;

/// The languages that names can be written in.
pub const LANGUAGES: [Language; 2] = [Language::English, Language::Japanese];

/// The side of what lies hidden.
const UNKNOWN: &str = "?";

/// A die that shows nothing.
const NOT_ROLLED: &str = "□";

/// Most names that a message lists.
const MOST_LISTED: usize = 12;

/// The names of one language.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// The things that have names.
    pub layout: &'a Layout,
    /// The language.
    pub language: Language,
}

/// A name or a part of one, with the colour that the definition gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// The name of its colour.
    pub color: Option<&'a str>,
}

impl<'a> Piece<'a> {
    fn plain(text: impl Into<Cow<'a, str>>) -> Self {
        Self { text: text.into(), color: None }
    }
}

impl<'a> Names<'a> {
    /// Yes or no.
    pub fn truth(self, truth: bool) -> &'static str {
        match (self.language, truth) {
            (Language::English, true) => "yes",
            (Language::English, false) => "no",
            (Language::Japanese, true) => "はい",
            (Language::Japanese, false) => "いいえ",
        }
    }

    /// The words of the definition for a key, or the key itself with blanks.
    pub fn text(self, key: &str) -> String {
        let known = self.layout.definition.text(key);
        known.map_or_else(|| key.replace('_', " "), |text| text.get(self.language).to_owned())
    }

    /// A word of the rules: as `[text]` says it, or as the value of an attribute is called.
    pub fn word(self, word: &str) -> Piece<'a> {
        if self.layout.definition.text(word).is_some() {
            return Piece::plain(self.text(word));
        }
        let Some(looks) = self.layout.definition.attributes.values().find_map(|values| values.get(word)) else {
            return Piece::plain(word.replace('_', " "));
        };
        Piece { text: self.long(word, Some(looks)).to_owned().into(), color: looks.color.as_deref() }
    }

    /// What a zone is called, with its number where there are several.
    pub fn zone(self, zone: Zone) -> String {
        let name = self.layout.zone_definition(zone).name.get(self.language);
        let number = self.layout.zones.get(zone.index()).and_then(|info| info.number);
        number.map_or_else(|| name.to_owned(), |number| format!("{name} {number}"))
    }

    /// What a zone is called for somebody: with its owner before it, if it is another's.
    pub fn zone_for(self, zone: Zone, asked: Option<Seat>) -> String {
        let owner = self.layout.zones.get(zone.index()).and_then(|info| info.seat);
        match owner.filter(|owner| asked != Some(*owner)) {
            Some(owner) => format!("{owner} {}", self.zone(zone)),
            None => self.zone(zone),
        }
    }

    /// A component as the table shows it: the template of its face with the values of attributes in short, in the first
    /// colour that one of them has.
    pub fn face(self, front: Front) -> Option<Piece<'a>> {
        let info = self.layout.faces.get(front.face)?;
        let mut text = String::new();
        for piece in template(info) {
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

    /// The words that stand for something on a face, where the face itself shows them shortened. Dice show the same
    /// numbers, so each is told by its id.
    pub fn words_on(self, front: Front) -> String {
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
            Value::Seat(seat) => vec![Piece::plain(seat.to_string())],
            Value::Nobody => vec![self.word(NOBODY)],
            Value::Zone(zone) => vec![Piece::plain(self.zone(*zone))],
            Value::Parts(parts) => self.joined(table, parts.0.iter().map(|(_, part)| part), " "),
            Value::List(list) => self.joined(table, list.iter(), " + "),
        }
    }

    fn joined(self, table: &State, values: impl Iterator<Item = &'a Value>, between: &'static str) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        for value in values {
            if !pieces.is_empty() {
                pieces.push(Piece::plain(between));
            }
            pieces.extend(self.value(table, value));
        }
        pieces
    }

    /// What an option of a seat is called where it is drawn.
    pub fn option(self, table: &State, option: &'a Value, asked: Option<Seat>) -> Vec<Piece<'a>> {
        match option {
            Value::Zone(zone) => vec![Piece::plain(self.zone_for(*zone, asked))],
            Value::Parts(parts) => self.act(table, parts, asked),
            value => self.value(table, value),
        }
    }

    /// An act with what it is done with: `extend column 2`.
    fn act(self, table: &State, parts: &'a Parts, asked: Option<Seat>) -> Vec<Piece<'a>> {
        let mut pieces: Vec<Piece<'a>> = Vec::new();
        for (_, value) in parts.0.iter() {
            let part = match value {
                Value::Zone(zone) => {
                    let number = self.number_alone(*zone, &text_of(&pieces), asked);
                    vec![Piece::plain(number.unwrap_or_else(|| self.zone_for(*zone, asked)))]
                }
                value => self.value(table, value),
            };
            if !pieces.is_empty() {
                pieces.push(Piece::plain(" "));
            }
            pieces.extend(part);
        }
        pieces
    }

    /// The number of one of several own zones, where the words before have named the zone already.
    fn number_alone(self, zone: Zone, before: &str, asked: Option<Seat>) -> Option<String> {
        let info = self.layout.zones.get(zone.index()).filter(|info| info.seat.is_none() || info.seat == asked)?;
        let name = self.layout.zone_definition(zone).name.get(self.language);
        let is_named = before.to_lowercase().contains(&name.to_lowercase());
        is_named.then(|| info.number.map(|number| number.to_string()).unwrap_or_default())
    }

    fn short(self, value: &'a str, looks: Option<&'a Looks>) -> &'a str {
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

/// Pieces as one text.
pub fn text_of(pieces: &[Piece<'_>]) -> String {
    pieces.iter().map(|piece| &*piece.text).collect()
}

/// The colour of a face: the first that one of its attributes gives it.
pub fn face_color(layout: &Layout, front: Front) -> Option<&str> {
    let looks = layout.attributes.iter().filter_map(|name| attribute_of(layout, front, name)?.1);
    looks.filter_map(|looks| looks.color.as_deref()).next()
}

/// The value of an attribute on a face, with how the definition says it looks.
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

/// The name of the side that is up, or what a die shows.
fn shown_side<'a>(info: &'a FaceInfo, side: Option<u8>, name: &str) -> Option<&'a str> {
    let is_die = info.kind == ComponentKind::Die;
    if info.sides.is_empty() || name != if is_die { "value" } else { "side" } {
        return None;
    }
    let Some(side) = side else { return Some(UNKNOWN) };
    Some(usize::from(side).checked_sub(1).and_then(|index| info.sides.get(index)).map_or(NOT_ROLLED, String::as_str))
}

/// A piece of what a face is drawn from.
enum Template<'a> {
    Plain(&'a str),
    Attribute(&'a str),
}

fn template(info: &FaceInfo) -> Vec<Template<'_>> {
    let mut pieces = Vec::new();
    let mut rest = info.template.as_str();
    while let Some((before, (name, behind))) =
        rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        pieces.extend([Template::Plain(before), Template::Attribute(name)]);
        rest = behind;
    }
    pieces.push(Template::Plain(rest));
    pieces
}

// Finding

/// A text as names are compared: small letters, and no difference between the ways to write a gap or a wide letter.
/// A gap counts only where two words or two numbers would run into each other without it.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut is_gap = false;
    for letter in text.chars().flat_map(char::to_lowercase) {
        let letter = match letter {
            // The wide forms of ASCII, as they are typed in Japanese.
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter),
            '\u{3000}' | '·' | '・' | '_' => ' ',
            other => other,
        };
        if letter.is_whitespace() {
            is_gap = true;
            continue;
        }
        if is_gap && plain.chars().next_back().is_some_and(|before| run(before) == run(letter)) {
            plain.push(' ');
        }
        is_gap = false;
        plain.push(letter);
    }
    plain
}

/// Letters of one kind run into each other.
fn run(letter: char) -> u8 {
    match letter {
        letter if letter.is_numeric() => 0,
        letter if letter.is_alphabetic() => 1,
        _ => 2,
    }
}

/// How well a name fits a component; the better comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It is its id.
    Id,
    /// It is its face, or says the whole of it in words: `♠4`, `spades 4`, `4♠`.
    Whole,
    /// It says a part of what is on it: `spades`, `4`.
    Part,
}

/// How well a name fits a component that shows a front.
pub fn fit(layout: &Layout, front: Front, name: &str) -> Option<Fit> {
    let info = layout.faces.get(front.face)?;
    if *info.id == *name {
        return Some(Fit::Id);
    }
    let name = plain(name);
    if name.is_empty() {
        return None;
    }
    let faces = LANGUAGES.iter().filter_map(|&language| Names { layout, language }.face(front));
    if plain(&info.id) == name || faces.into_iter().any(|face| plain(&face.text) == name) {
        return Some(Fit::Whole);
    }
    let template = template(info);
    let is_drawn =
        |name: &str| template.iter().any(|piece| matches!(piece, Template::Attribute(drawn) if *drawn == name));
    let words = layout.attributes.iter().filter_map(|attribute| {
        let (value, looks) = attribute_of(layout, front, attribute)?;
        let mut words = vec![plain(&value)];
        for language in LANGUAGES {
            let names = Names { layout, language };
            words.extend([plain(names.short(&value, looks)), plain(names.long(&value, looks))]);
        }
        words.retain(|word| !word.is_empty());
        words.sort_unstable();
        words.dedup();
        Some(Word { words, is_drawn: is_drawn(attribute) })
    });
    let mut words: Vec<Word> = words.collect();
    // What stands on every such face beside the values may be left out.
    words.extend(template.iter().filter_map(|piece| match piece {
        Template::Plain(text) if !plain(text).is_empty() => Some(Word { words: vec![plain(text)], is_drawn: false }),
        _ => None,
    }));
    let mut saying = Saying { words: &words, used: vec![false; words.len()], tries: MOST_TRIES };
    if !saying.says(&name) {
        return None;
    }
    let is_whole = words.iter().zip(saying.used).all(|(word, is_said)| is_said || !word.is_drawn);
    Some(if is_whole { Fit::Whole } else { Fit::Part })
}

/// Something on a face, with every way to say it.
struct Word {
    words: Vec<String>,
    is_drawn: bool,
}

/// Most ways to read a name that are tried: a face could have dozens of words that begin alike.
const MOST_TRIES: usize = 2_000;

/// A name on its way through the things that it may say.
struct Saying<'a> {
    words: &'a [Word],
    /// Which of them it has said.
    used: Vec<bool>,
    tries: usize,
}

impl Saying<'_> {
    /// Whether a name says some of the things and nothing else: each at most once, in any order.
    fn says(&mut self, name: &str) -> bool {
        let name = name.trim_start();
        if name.is_empty() || self.tries == 0 {
            return name.is_empty();
        }
        self.tries -= 1;
        let words = self.words;
        for (position, word) in words.iter().enumerate() {
            if self.used[position] {
                continue;
            }
            self.used[position] = true;
            if word.words.iter().filter_map(|word| name.strip_prefix(word.as_str())).any(|rest| self.says(rest)) {
                return true;
            }
            self.used[position] = false;
        }
        false
    }
}

/// The fronts that a name fits best.
pub fn best_fits<T>(layout: &Layout, fronts: impl Iterator<Item = (T, Front)>, name: &str) -> (Option<Fit>, Vec<T>) {
    let mut fronts: Vec<(T, Front)> = fronts.collect();
    // Nothing fits better than an id, so whoever writes ids is not looked for by what is on the faces.
    let has_id = |front: Front| layout.faces.get(front.face).is_some_and(|info| *info.id == *name);
    if fronts.iter().any(|(_, front)| has_id(*front)) {
        fronts.retain(|(_, front)| has_id(*front));
    }
    let mut best: Option<Fit> = None;
    let mut found = Vec::new();
    for (thing, front) in fronts {
        let Some(fit) = fit(layout, front, name) else { continue };
        if best.is_none_or(|best| fit < best) {
            best = Some(fit);
            found.clear();
        }
        if best == Some(fit) {
            found.push(thing);
        }
    }
    (best, found)
}

/// The components that a name can mean, by the numbers of their faces: of several that it fits, those it fits best.
pub fn components(layout: &Layout, table: Option<&State>, name: &str) -> Vec<usize> {
    best_fits(layout, fronts(layout, table).map(|front| (front.face, front)), name).1
}

/// Every component as it lies; without a table, as if nothing were turned or rolled.
fn fronts<'a>(layout: &'a Layout, table: Option<&'a State>) -> impl Iterator<Item = Front> + 'a {
    (0..layout.faces.len()).map(move |number| match table {
        Some(table) => Front::of(table, Component(number as u16)),
        None => Front { face: number, side: Some(0), owner: None },
    })
}

/// The component that a person means: its id, its face as it is drawn, or words for what is on it, in any language.
/// Without a table, sides and dice show nothing. Gives the number of its face.
///
/// # Errors
/// There is none, with the nearest; there are several, with their names.
pub fn component(layout: &Layout, table: Option<&State>, name: &str) -> Result<usize, Diagnostics> {
    match components(layout, table, name).as_slice() {
        [face] => Ok(*face),
        [] => {
            let ids = layout.faces.iter().map(|face| &*face.id);
            let drawn = LANGUAGES.iter().flat_map(|&language| {
                let face = move |front| Some(Names { layout, language }.face(front)?.text.into_owned());
                fronts(layout, table).filter_map(face)
            });
            let drawn: Vec<String> = drawn.collect();
            Err(unknown("component", name, ids.chain(drawn.iter().map(String::as_str))).into())
        }
        several => {
            Err(ambiguous(name, several.iter().filter_map(|&face| layout.faces.get(face)).map(|face| &*face.id)).into())
        }
    }
}

/// The zone that a person means: its id, or what it is called, in any language; of an own zone the owner may be left out.
///
/// # Errors
/// There is none, with the nearest; there are several, with their ids.
pub fn zone(layout: &Layout, own: Option<Seat>, name: &str) -> Result<Zone, Diagnostics> {
    if let Some(zone) = layout.zone_named(name) {
        return Ok(zone);
    }
    let typed = plain(name);
    let zones = || (0..layout.zones.len()).map(|number| Zone(number as u16));
    let is_meant = |zone: &Zone, asked: Option<Seat>| {
        LANGUAGES.iter().any(|&language| plain(&Names { layout, language }.zone_for(*zone, asked)) == typed)
    };
    let mut found: Vec<Zone> = zones().filter(|zone| is_meant(zone, None)).collect();
    if found.is_empty() && own.is_some() {
        found = zones().filter(|zone| layout.zones[zone.index()].seat == own && is_meant(zone, own)).collect();
    }
    let ids = layout.zones.iter().map(|zone| &*zone.id);
    match found.as_slice() {
        [zone] => Ok(*zone),
        [] => Err(unknown("zone", name, ids).into()),
        several => Err(ambiguous(name, several.iter().map(|zone| &*layout.zones[zone.index()].id)).into()),
    }
}

/// The variable that a person means: its id, or what it is called, in any language; of an own one the owner may be left
/// out. Gives its number.
///
/// # Errors
/// There is none, with the nearest; there are several, with their ids.
pub fn variable(layout: &Layout, own: Option<Seat>, name: &str) -> Result<usize, Diagnostics> {
    if let Some(variable) = layout.variable_named(name) {
        return Ok(variable);
    }
    // As rules write a variable of the table.
    if let Some(variable) = name.strip_prefix("table.").and_then(|name| layout.variable_named(name)) {
        return Ok(variable);
    }
    let typed = plain(name);
    let called = |text: &Text, seat: Option<Seat>| {
        LANGUAGES.iter().any(|&language| {
            let name = text.get(language);
            plain(&seat.map_or_else(|| name.to_owned(), |seat| format!("{seat} {name}"))) == typed
        })
    };
    let name_of = |definition: usize| layout.definition.variables.get(definition).map(|variable| &variable.name);
    let is_meant = |number: &usize, asked: Option<Seat>| {
        let info = &layout.variables[*number];
        name_of(info.definition).is_some_and(|text| called(text, info.seat.filter(|seat| asked != Some(*seat))))
    };
    let numbers = || 0..layout.variables.len();
    let mut found: Vec<usize> = numbers().filter(|number| is_meant(number, None)).collect();
    if found.is_empty() && own.is_some() {
        found = numbers().filter(|&number| layout.variables[number].seat == own && is_meant(&number, own)).collect();
    }
    let ids = layout.variables.iter().map(|variable| &*variable.id);
    match found.as_slice() {
        [number] => Ok(*number),
        [] => Err(unknown("variable", name, ids).into()),
        several => Err(ambiguous(name, several.iter().map(|&number| &*layout.variables[number].id)).into()),
    }
}

/// The player of that name: `p2`.
pub fn player(layout: &Layout, name: &str) -> Option<Seat> {
    Seats::all(layout.seats).into_iter().find(|seat| plain(&seat.to_string()) == plain(name))
}

/// That a name means several things.
pub fn ambiguous<'a>(name: &str, meant: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::new(format!("`{name}` can mean {}", some(meant))).help("write which of them you mean")
}

/// Names of a list as they are typed, and how many more there are.
pub fn some<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut names: Vec<&str> = names.collect();
    let more = names.len().saturating_sub(MOST_LISTED);
    names.truncate(MOST_LISTED);
    let listed = names.join(", ");
    if more == 0 { listed } else { format!("{listed} and {more} more") }
}
