//! Resolution of names: what a person means who writes one.

use super::{Names, Template, attribute_of, template};
use crate::definition::{Language, Text};
use crate::diagnostic::{
    Diagnostic, Diagnostics, Message, half_width, known_names_sentence, message, unknown, unknown_or,
};
use crate::sorted::sort_by;
use crate::table::State;
use crate::table::knowledge::Front;
use crate::table::layout::Layout;
use crate::table::value::{Component, Seat, Seats, Zone};

/// Most names that a message lists.
const MAX_LISTED_NAMES: usize = 12;

/// A text in the form in which names are compared: small letters, and no difference between the ways to write a gap or
/// a wide letter. A gap counts only where two words or two numbers would run into each other without it.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut is_gap = false;
    for letter in text.chars().flat_map(char::to_lowercase) {
        let letter = match half_width(letter) {
            '·' | '・' | '_' => ' ',
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

/// The class of a letter: letters of one class run into each other without a gap.
fn run(letter: char) -> u8 {
    match letter {
        letter if letter.is_numeric() => 0,
        letter if letter.is_alphabetic() => 1,
        _ => 2,
    }
}

/// How well a name fits a component; the better fit is the lesser value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameMatch {
    /// The name equals the component's id.
    Id,
    /// The name is the face, or all of it in words: `♠4`, `spades 4`, `4♠`.
    Whole,
    /// The name is a part of what is on the component: `spades`, `4`.
    Part,
}

/// How well a name fits a component with this front; `None` where it does not.
pub fn fit(layout: &Layout, front: Front, name: &str) -> Option<NameMatch> {
    let info = layout.faces.get(front.face)?;
    if *info.id == *name {
        return Some(NameMatch::Id);
    }
    let name = plain(name);
    if name.is_empty() {
        return None;
    }
    let faces = Language::ALL.iter().filter_map(|&language| Names { layout, language }.face(front));
    if plain(&info.id) == name || faces.into_iter().any(|face| plain(&face.text) == name) {
        return Some(NameMatch::Whole);
    }
    let template = template(&info.template);
    let is_drawn =
        |name: &str| template.iter().any(|piece| matches!(piece, Template::Attribute(drawn) if *drawn == name));
    let words = layout.attributes.iter().filter_map(|attribute| {
        let (value, looks) = attribute_of(layout, front, attribute)?;
        let mut words = vec![plain(&value)];
        for language in Language::ALL {
            let names = Names { layout, language };
            words.extend([plain(names.short(&value, looks)), plain(names.long(&value, looks))]);
        }
        words.retain(|word| !word.is_empty());
        sort_by(&mut words, Ord::cmp);
        words.dedup();
        Some(FaceWord { words, is_drawn: is_drawn(attribute) })
    });
    let mut words: Vec<FaceWord> = words.collect();
    // Text on every such face beside the values may be left out.
    words.extend(template.iter().filter_map(|piece| match piece {
        Template::Plain(text) if !plain(text).is_empty() => {
            Some(FaceWord { words: vec![plain(text)], is_drawn: false })
        }
        _ => None,
    }));
    let mut saying = NameReader { words: &words, used: vec![false; words.len()], tries: MAX_READINGS_TRIED };
    if !saying.consists_of_words(&name) {
        return None;
    }
    let is_whole = words.iter().zip(saying.used).all(|(word, is_said)| is_said || !word.is_drawn);
    Some(if is_whole { NameMatch::Whole } else { NameMatch::Part })
}

/// Something on a face, with every name that it has.
struct FaceWord {
    words: Vec<String>,
    is_drawn: bool,
}

/// Most ways to read a name that are tried: a face could have dozens of words with the same beginning.
const MAX_READINGS_TRIED: usize = 2_000;

/// A search for the words of a face that a name consists of.
struct NameReader<'a> {
    words: &'a [FaceWord],
    /// Which of the words the name has used.
    used: Vec<bool>,
    tries: usize,
}

impl NameReader<'_> {
    /// Whether a name consists of some of the words and nothing else: each at most once, in any order.
    fn consists_of_words(&mut self, name: &str) -> bool {
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
            if word
                .words
                .iter()
                .filter_map(|word| name.strip_prefix(word.as_str()))
                .any(|rest| self.consists_of_words(rest))
            {
                return true;
            }
            self.used[position] = false;
        }
        false
    }
}

/// The fronts that a name fits best, and how well it fits them; `None` where it fits none.
pub fn best_fits<T>(
    layout: &Layout,
    fronts: impl Iterator<Item = (T, Front)>,
    name: &str,
) -> (Option<NameMatch>, Vec<T>) {
    let mut fronts: Vec<(T, Front)> = fronts.collect();
    // Nothing fits better than an id, so a name that is an id is not compared with what is on the faces.
    let has_id = |front: Front| layout.faces.get(front.face).is_some_and(|info| *info.id == *name);
    if fronts.iter().any(|(_, front)| has_id(*front)) {
        fronts.retain(|(_, front)| has_id(*front));
    }
    let mut best: Option<NameMatch> = None;
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

/// The indices of the faces of the components that a name can mean: of several that it fits, those it fits best.
pub fn components(layout: &Layout, table: Option<&State>, name: &str) -> Vec<usize> {
    best_fits(layout, fronts(layout, table).map(|front| (front.face, front)), name).1
}

/// The fronts of all components; without a table, as if nothing were turned or rolled.
fn fronts<'a>(layout: &'a Layout, table: Option<&'a State>) -> impl Iterator<Item = Front> + 'a {
    (0..layout.faces.len()).map(move |number| match table {
        Some(table) => Front::of(table, Component(number as u16)),
        None => Front { face: number, side: Some(0), owner: None },
    })
}

/// The component that a person means, by the index of its face: a name is its id, its face as it is drawn, or words for
/// what is on it, in any language. Without a table, sides and dice show nothing.
///
/// # Errors
/// There is none, in which case the error has the nearest; or there are several, in which case it has their names.
pub fn component(layout: &Layout, table: Option<&State>, name: &str) -> Result<usize, Diagnostics> {
    match components(layout, table, name).as_slice() {
        [face] => Ok(*face),
        [] => {
            let ids = || layout.faces.iter().map(|face| &*face.id);
            let drawn = Language::ALL.iter().flat_map(|&language| {
                let face = move |front| Some(Names { layout, language }.face(front)?.text.into_owned());
                fronts(layout, table).filter_map(face)
            });
            let drawn: Vec<String> = drawn.collect();
            let known = ids().chain(drawn.iter().map(String::as_str));
            Err(unknown_or("component", name, known, known_names_sentence("component", ids())).into())
        }
        several => {
            Err(ambiguous(name, several.iter().filter_map(|&face| layout.faces.get(face)).map(|face| &*face.id)).into())
        }
    }
}

/// The zone that a person means: a name is its id or its name in any language, and may lack the owner where that is
/// `own`.
///
/// # Errors
/// There is none, in which case the error has the nearest; or there are several, in which case it has their ids.
pub fn zone(layout: &Layout, own: Option<Seat>, name: &str) -> Result<Zone, Diagnostics> {
    if let Some(zone) = layout.zone_named(name) {
        return Ok(zone);
    }
    let typed = plain(name);
    let zones = || (0..layout.zones.len()).map(|number| Zone(number as u16));
    let is_meant = |zone: &Zone, asked: Option<Seat>| {
        Language::ALL.iter().any(|&language| plain(&Names { layout, language }.zone_for(*zone, asked)) == typed)
    };
    let mut found: Vec<Zone> = zones().filter(|zone| is_meant(zone, None)).collect();
    if found.is_empty() && own.is_some() {
        found = zones().filter(|zone| layout.zones[zone.index()].seat == own && is_meant(zone, own)).collect();
    }
    let ids = layout.zones.iter().map(|zone| &*zone.id);
    match found.as_slice() {
        [zone] => Ok(*zone),
        [] => Err(unknown_in(layout, "zone", name, ids).into()),
        several => Err(ambiguous(name, several.iter().map(|zone| &*layout.zones[zone.index()].id)).into()),
    }
}

/// Index of the variable that a person means: a name is its id or its name in any language, and may lack the owner
/// where that is `own`.
///
/// # Errors
/// There is none, in which case the error has the nearest; or there are several, in which case it has their ids.
pub fn variable(layout: &Layout, own: Option<Seat>, name: &str) -> Result<usize, Diagnostics> {
    if let Some(variable) = layout.variable_named(name) {
        return Ok(variable);
    }
    // Rules write a variable of the table in this way.
    if let Some(variable) = name.strip_prefix("table.").and_then(|name| layout.variable_named(name)) {
        return Ok(variable);
    }
    let typed = plain(name);
    let called = |text: &Text, seat: Option<Seat>| {
        Language::ALL.iter().any(|&language| {
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
        [] => Err(unknown_in(layout, "variable", name, ids).into()),
        several => Err(ambiguous(name, several.iter().map(|&number| &*layout.variables[number].id)).into()),
    }
}

/// The player with this name: `p2`.
pub fn player(layout: &Layout, name: &str) -> Option<Seat> {
    Seats::all(layout.seats).into_iter().find(|seat| plain(&seat.to_string()) == plain(name))
}

/// The error that there is no zone or variable with this name: where it is that of a player who is not at the table, with
/// those who are; else with the nearest of `known`.
pub fn unknown_in<'a>(
    layout: &Layout,
    what: &'static str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let owner = name.split_once('.').and_then(|(owner, _)| owner.strip_prefix('p')?.parse::<usize>().ok());
    let seats = layout.seats;
    match owner.filter(|owner| !(1..=seats).contains(owner)) {
        Some(_) => unknown_or(what, name, [], message!("write p1 to p{seats}")),
        None => unknown(what, name, known),
    }
}

/// The error that a name can mean several things.
pub fn ambiguous<'a>(name: &str, meant: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::new(message!("`{name}` can mean {}", some(meant))).help("write which of them you mean")
}

/// The first names of a list as they are typed, and how many more there are.
pub fn some<'n>(names: impl Iterator<Item = &'n str>) -> Message {
    let mut names: Vec<&str> = names.collect();
    let more = names.len().saturating_sub(MAX_LISTED_NAMES);
    names.truncate(MAX_LISTED_NAMES);
    let listed = Message::list(names.into_iter().map(Message::verbatim), ", ");
    if more == 0 { listed } else { message!("{listed} and {more} more") }
}
