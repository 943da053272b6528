//! Gathering the pieces to print of a game, and their faces, each once.

use super::board::DrawnBoard;
use super::face::{Face, OverflowingElement, back, die};
use super::layout::{Backs, Piece};
use super::measure::{MM, Size};
use super::picture::Pictures;
use super::{Part, PrintOptions};
use crate::catalogue::{Message, message};
use crate::definition::{ComponentGroup, ComponentKind, Icon};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::Files;
use crate::playthrough::Playable;
use crate::sorted::SortedMap;
use crate::table::knowledge::Front;
use crate::table::looks::{ComponentDesign, fronts};
use crate::table::names::Names;

/// The size of a token.
const TOKEN: Size = Size::of(20 * MM, 20 * MM);
/// The size of a sticker for the side of a die.
const STICKER: Size = Size::of(14 * MM, 14 * MM);
/// Most misfits reported.
const MAX_REPORTED_MISFITS: usize = 10;

/// The purpose for which an edition of a game is gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edition {
    /// To print all of it.
    Printed,
    /// To print what differs from an earlier edition.
    Compared,
    /// The earlier edition, which was printed before.
    Earlier,
}

/// A piece with its name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NamedPiece {
    pub(super) name: String,
    pub(super) part: Part,
    pub(super) piece: Piece,
}

/// Everything to print of a game.
#[derive(Default)]
pub(super) struct PrintContent {
    /// The drawing of each face, by index.
    pub(super) faces: Vec<String>,
    pub(super) pictures: Pictures,
    pub(super) pieces: Vec<NamedPiece>,
    pub(super) boards: Vec<DrawnBoard>,
    /// The pages of the rulebook's booklet.
    pub(super) booklet: Vec<String>,
    /// The parts that could not be made; the warnings tell why.
    pub(super) left_out: Vec<Part>,
    /// Warnings about parts that were left out, but not explicitly asked for.
    pub(super) warnings: Vec<Diagnostic>,
    known: SortedMap<String, usize>,
}

impl PrintContent {
    /// Gathers all wanted pieces of a game.
    pub(super) fn of(
        loaded: &Playable,
        files: &dyn Files,
        options: &PrintOptions,
        edition: Edition,
    ) -> Result<Self, Diagnostics> {
        let is_drawn = [Part::Cards, Part::Tokens].iter().any(|part| options.parts.contains(part));
        let troubles = if is_drawn { loaded.layout.definition.wrong_looks.clone() } else { Vec::new() };
        let gathered = Self::default();
        let mut gatherer = Gatherer { loaded, files, options, edition, gathered, troubles, backs: Vec::new() };
        let mut first = 0;
        for group in &loaded.layout.definition.components {
            gatherer.group(group, first);
            first += group.members.len();
        }
        let Gatherer { gathered, mut troubles, .. } = gatherer;
        troubles.truncate(MAX_REPORTED_MISFITS);
        Diagnostics::refuse(troubles)?;
        Ok(gathered)
    }

    /// The index of a drawn face, added if it is new.
    pub(super) fn face(&mut self, drawn: String) -> usize {
        let next = self.faces.len();
        let number = *self.known.entry(drawn.clone()).or_insert(next);
        if number == next {
            self.faces.push(drawn);
        }
        number
    }
}

struct Gatherer<'a> {
    loaded: &'a Playable,
    files: &'a dyn Files,
    options: &'a PrintOptions,
    edition: Edition,
    gathered: PrintContent,
    troubles: Vec<Diagnostic>,
    /// The backs so far, in order; the index determines the pattern.
    backs: Vec<&'a str>,
}

impl<'a> Gatherer<'a> {
    fn names(&self) -> Names<'a> {
        Names { layout: &self.loaded.layout, language: self.options.language }
    }

    fn group(&mut self, group: &'a ComponentGroup, first: usize) {
        let part = match group.kind {
            ComponentKind::Card => Part::Cards,
            ComponentKind::Die => Part::Dice,
            ComponentKind::Token => Part::Tokens,
        };
        // The backs of all groups are counted, so that they look the same whatever is printed.
        let number_of_back = self.backs.iter().position(|back| *back == group.back).unwrap_or_else(|| {
            self.backs.push(&group.back);
            self.backs.len() - 1
        });
        if !self.options.parts.contains(&part) || group.members.is_empty() {
            return;
        }
        let size = self.size(group);
        let is_round = part == Part::Tokens;
        let is_single = part == Part::Dice;
        let design = self.loaded.layout.definition.looks.get(&group.name);
        let language = self.options.language;
        let title = design.and_then(|design| design.back.as_ref()).unwrap_or(&self.loaded.ruleset.game.name);
        let of_group = back(title.get(language), number_of_back, size, is_round, self.bleed(part), self.options.ink);
        let of_group = of_group.unwrap_or_else(|cut| {
            // The game's name is the default title, and is cut if it is too long.
            let is_given = design.is_some_and(|design| design.back.is_some());
            if part == Part::Cards && is_given && self.edition != Edition::Earlier {
                let message = message!("what stands on the back of `{}` has no room there", group.name);
                self.troubles.push(self.no_room(&group.name, message));
            }
            cut
        });
        let mut back_face = None;
        for (place, member) in group.members.iter().enumerate() {
            let fronts = fronts(&self.loaded.layout, first + place);
            let sides: Vec<Option<usize>> = fronts.map(|front| self.side(front, size, part)).collect();
            let Some(sides) = sides.into_iter().collect::<Option<Vec<usize>>>() else { continue };
            let mut add = |front: usize, back: Option<usize>| {
                let piece = Piece { size, front, back, is_round };
                self.gathered.pieces.push(NamedPiece { name: member.id.clone(), part, piece });
            };
            match (&sides[..], is_single) {
                (sides, true) => sides.iter().for_each(|side| add(*side, None)),
                ([front], false) => {
                    // A token with one side needs no back.
                    let back = match part {
                        Part::Cards => {
                            let number = back_face.unwrap_or_else(|| self.gathered.face(of_group.clone()));
                            back_face = Some(number);
                            Some(number)
                        }
                        _ => None,
                    };
                    let piece = Piece { size, front: *front, back, is_round };
                    self.gathered.pieces.push(NamedPiece { name: member.id.clone(), part, piece });
                }
                // Two sides are printed on both sides of a piece; more take several pieces. Without printed backs, each
                // side is a piece to be glued together.
                (sides, false) if self.options.backs == Backs::None => sides.iter().for_each(|side| add(*side, None)),
                (sides, false) => sides.chunks(2).for_each(|pair| {
                    if let Some(front) = pair.first() {
                        add(*front, pair.get(1).copied());
                    }
                }),
            }
        }
    }

    /// The size of the pieces of a group.
    fn size(&self, group: &ComponentGroup) -> Size {
        let given = self.loaded.layout.definition.looks.get(&group.name).and_then(|design| design.size.as_ref());
        given.map_or_else(
            || match group.kind {
                ComponentKind::Card => self.options.card,
                ComponentKind::Die => STICKER,
                ComponentKind::Token => TOKEN,
            },
            |(size, _)| *size,
        )
    }

    /// The bleed over the edges of a part's pieces, in millimetres.
    fn bleed(&self, part: Part) -> f64 {
        if part == Part::Cards { self.options.bleed as f64 / MM as f64 } else { 0.0 }
    }

    /// The index of the drawn face of a side; `None` with an error where it does not fit.
    fn side(&mut self, front: Front, size: Size, part: Part) -> Option<usize> {
        let names = self.names();
        if part == Part::Dice {
            let side = size.width.min(size.height) as f64 / MM as f64;
            let drawn = die(names, front, side, self.options.ink);
            return Some(self.gathered.face(drawn));
        }
        let looks = ComponentDesign::of(names, front);
        let picture = match &looks.icon {
            Some((name, icon)) if looks.sign().is_none() => Some(self.picture(name, icon)?),
            _ => None,
        };
        let kind = if part == Part::Cards { ComponentKind::Card } else { ComponentKind::Token };
        match Face::of(names, front, &looks, picture).drawn(kind, size, self.bleed(part), self.options.ink) {
            Ok(drawn) => Some(self.gathered.face(drawn)),
            // A card of an earlier edition that does not fit equals no current card.
            Err(_) if self.edition == Edition::Earlier => Some(self.gathered.face(format!("{front:?}"))),
            Err(no_room) => {
                let id = self.loaded.layout.faces.get(front.face).map_or("", |info| &info.id);
                let message = match no_room {
                    OverflowingElement::Title => message!("the title of `{id}` has no room on it"),
                    OverflowingElement::Text => {
                        message!("the text of `{id}` has no room on it, even in the smallest letters")
                    }
                    OverflowingElement::Corner => message!("what stands in the corners of `{id}` has no room there"),
                };
                let groups = self.loaded.layout.definition.components.iter().zip(&self.loaded.layout.groups);
                let mut groups = groups.filter(|(_, (_, members))| members.contains(&(front.face as u16)));
                let group = groups.next().map_or("", |(group, _)| group.name.as_str());
                self.troubles.push(self.no_room(group, message));
                None
            }
        }
    }

    /// The id of a picture named in looks; `None` with an error where it cannot be used.
    fn picture(&mut self, name: &str, icon: &Icon) -> Option<String> {
        match self.gathered.pictures.id(name, icon, self.loaded, self.files) {
            Ok(id) => Some(id),
            Err(errors) => {
                let is_new = |error: &Diagnostic| self.troubles.iter().all(|known| known.message != error.message);
                let new: Vec<Diagnostic> = errors.into_iter().filter(is_new).collect();
                self.troubles.extend(new);
                None
            }
        }
    }

    /// An error that something does not fit, with the place of the group's looks.
    fn no_room(&self, group: &str, message: Message) -> Diagnostic {
        let layers = self.loaded.ruleset.all_layers();
        let place = layers.filter_map(|layer| layer.place_of(&["looks", group], "printed like this")).next_back();
        let error = Diagnostic::new(message).at_maybe(place);
        error.help("make it shorter, or the card larger: `--card tarot`, or `size` in its looks")
    }
}
