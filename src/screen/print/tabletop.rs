//! Cards for a virtual table: sheets of faces and backs with sizes in whole pixels, and the file with the decks in the
//! format of Tabletop Simulator.
//!
//! A sheet has at most ten columns and seven rows, and its last slot is the hidden face that others see. A card is
//! identified by the numbers of its sheet and slot.

use super::face::{back, in_mm};
use super::gather::{Edition, PrintContent};
use super::measure::Size;
use super::pen::FONTS;
use super::{Part, PrintOptions};
use crate::catalogue::message;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::{FileFormat, Files};
use crate::playthrough::Playable;
use crate::table::layout::Layout;
use crate::table::looks::{ComponentDesign, fronts};
use crate::table::names::Names;
use serde_json::{Value, json};

/// The file format of a sheet of cards.
pub const CARD_SHEET: FileFormat = FileFormat {
    name: "a sheet of cards",
    beginning: "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"houserule-cards\"",
};

/// The file format of decks for Tabletop Simulator.
pub const DECKS: FileFormat =
    FileFormat { name: "decks for Tabletop Simulator", beginning: "{\"GameMode\":\"Houserule\"," };

/// The minimum and maximum number of columns and rows of a sheet.
const SHEET_COLUMNS: [usize; 2] = [2, 10];
const SHEET_ROWS: [usize; 2] = [2, 7];
/// The maximum width and height of a sheet in pixels.
const MAX_SHEET_PIXELS: f64 = 4096.0;
/// Pixels per millimetre of a card as sharp as in print: 300 dpi.
const PIXELS_PER_MM: f64 = 300.0 / 25.4;
/// The distance between decks, in the units of the virtual table.
const DECK_DISTANCE: f64 = 3.0;

/// Decks with their sheets.
#[derive(Debug)]
pub struct Tabletop {
    /// The JSON of the file with the decks.
    pub saved: Value,
    /// The sheets that the file refers to.
    pub sheets: Vec<CardSheet>,
    /// The number of decks.
    pub decks: usize,
    /// The number of cards in all decks.
    pub cards: usize,
}

/// A drawing of cards in a grid.
#[derive(Debug)]
pub struct CardSheet {
    /// The name: `faces-1`.
    pub name: String,
    /// The drawing as SVG.
    pub svg: String,
    /// The width and height in pixels.
    pub dots: [usize; 2],
}

/// Cards of the same size with the same back, or with a second side each.
struct Deck {
    size: Size,
    /// The index of the common back; `None` for cards with two sides.
    back: Option<usize>,
    /// The distinct cards in the order of the slots: the indexes of the face and of what is behind it.
    slots: Vec<(usize, usize)>,
    /// The cards: the index of the slot, and the id.
    cards: Vec<(usize, String)>,
}

/// Makes the decks of a game. `address` gives the URL of the picture of a sheet by name.
///
/// # Errors
/// The game has no cards, looks do not fit on a card, or a picture cannot be used.
pub fn tabletop(
    (loaded, files): (&Playable, &dyn Files),
    options: &PrintOptions,
    address: &dyn Fn(&str) -> String,
) -> Result<Tabletop, Diagnostics> {
    let mut gathered = PrintContent::of(loaded, files, options, Edition::Printed)?;
    let decks = decks(&gathered, &loaded.layout);
    if decks.is_empty() {
        let error = Diagnostic::new(message!("`{}` has no cards", loaded.ruleset.game.id));
        return Err(error
            .help("only cards are made into decks; without `--for`, all that a game has is printed")
            .into());
    }
    let game = loaded.ruleset.game.name.get(options.language);
    let (mut sheets, mut objects): (Vec<CardSheet>, Vec<Value>) = (Vec::new(), Vec::new());
    let mut number_of_sheet = 0;
    for (place, deck) in decks.iter().enumerate() {
        let hidden = match deck.back {
            Some(back) => back,
            None => gathered.face(back(game, place, deck.size, false, 0.0, options.ink).unwrap_or_else(|cut| cut)),
        };
        let back_name = format!("back-{}", place + 1);
        if deck.back.is_some() {
            sheets.push(drawn(&gathered, back_name.clone(), deck.size, [1, 1], &[(0, hidden)]));
        }
        let most = SHEET_COLUMNS[1] * SHEET_ROWS[1] - 1;
        let mut described: Vec<Value> = Vec::new();
        for slots in deck.slots.chunks(most) {
            number_of_sheet += 1;
            let grid = grid(deck.size, slots.len() + 1);
            let last = grid[0] * grid[1] - 1;
            let laid = |side: fn(&(usize, usize)) -> usize| {
                slots.iter().map(side).enumerate().chain([(last, hidden)]).collect::<Vec<_>>()
            };
            let name = format!("faces-{number_of_sheet}");
            let behind = if deck.back.is_some() { back_name.clone() } else { format!("backs-{number_of_sheet}") };
            described.push(json!({
                "FaceURL": address(&name),
                "BackURL": address(&behind),
                "NumWidth": grid[0],
                "NumHeight": grid[1],
                "BackIsHidden": false,
                "UniqueBack": deck.back.is_none(),
            }));
            sheets.push(drawn(&gathered, name, deck.size, grid, &laid(|slot| slot.0)));
            if deck.back.is_none() {
                sheets.push(drawn(&gathered, behind, deck.size, grid, &laid(|slot| slot.1)));
            }
        }
        let first = number_of_sheet - described.len() + 1;
        objects.push(object(deck, (first, &described), place, (game, loaded, options)));
    }
    let saved = json!({
        "GameMode": "Houserule",
        "LuaScript": "",
        "LuaScriptState": "",
        "Note": "",
        "ObjectStates": objects,
        "Rules": "",
        "SaveName": game,
        "Sky": "",
        "Table": "",
        "XmlUI": "",
    });
    let cards = decks.iter().map(|deck| deck.cards.len()).sum();
    Ok(Tabletop { saved, sheets, decks: decks.len(), cards })
}

/// The cards of a game as decks. Cards that look the same share a slot.
fn decks(gathered: &PrintContent, layout: &Layout) -> Vec<Deck> {
    let mut decks: Vec<Deck> = Vec::new();
    for named in gathered.pieces.iter().filter(|named| named.part == Part::Cards) {
        let face = layout.faces.iter().find(|info| *info.id == *named.name);
        let has_sides = face.is_some_and(|info| info.sides.len() > 1);
        let (size, front) = (named.piece.size, named.piece.front);
        // The last of an odd number of sides has itself on the back.
        let behind = named.piece.back.unwrap_or(front);
        let back = Some(behind).filter(|_| !has_sides);
        let found = decks.iter().position(|deck| (deck.size, deck.back) == (size, back));
        let found = found.unwrap_or_else(|| {
            decks.push(Deck { size, back, slots: Vec::new(), cards: Vec::new() });
            decks.len() - 1
        });
        let deck = &mut decks[found];
        let slot = deck.slots.iter().position(|known| *known == (front, behind)).unwrap_or_else(|| {
            deck.slots.push((front, behind));
            deck.slots.len() - 1
        });
        deck.cards.push((slot, named.name.clone()));
    }
    decks
}

/// The grid for at least `count` cards in which they are largest; among equals, the one with the fewest slots.
fn grid(size: Size, count: usize) -> [usize; 2] {
    let all = (SHEET_COLUMNS[0]..=SHEET_COLUMNS[1])
        .flat_map(|columns| (SHEET_ROWS[0]..=SHEET_ROWS[1]).map(move |rows| [columns, rows]));
    let fitting = all.filter(|[columns, rows]| columns * rows >= count);
    let dots = |grid: &[usize; 2]| card_dots(size, *grid)[0];
    fitting
        .max_by_key(|grid| (dots(grid), std::cmp::Reverse(grid[0] * grid[1])))
        .unwrap_or([SHEET_COLUMNS[1], SHEET_ROWS[1]])
}

/// The size of a card in pixels on a sheet with this grid.
fn card_dots(size: Size, [columns, rows]: [usize; 2]) -> [usize; 2] {
    let (width, height) = in_mm(size);
    let scale =
        (MAX_SHEET_PIXELS / (columns as f64 * width)).min(MAX_SHEET_PIXELS / (rows as f64 * height)).min(PIXELS_PER_MM);
    [width, height].map(|side| (side * scale) as usize)
}

/// The drawing of a sheet with faces in some of its slots.
fn drawn(gathered: &PrintContent, name: String, size: Size, grid: [usize; 2], slots: &[(usize, usize)]) -> CardSheet {
    let card = card_dots(size, grid);
    let dots = [card[0] * grid[0], card[1] * grid[1]];
    let (width, height) = in_mm(size);
    let mut used: Vec<usize> = slots.iter().map(|(_, face)| *face).collect();
    used.sort_unstable();
    used.dedup();
    let face = |face: usize| gathered.faces.get(face).map_or("", String::as_str);
    let faces: String = used.iter().map(|number| format!("<g id=\"f{number}\">{}</g>\n", face(*number))).collect();
    let pictures = gathered.pictures.written(|id| faces.contains(&format!("\"#{id}\"")));
    let placed = slots.iter().map(|(slot, face)| {
        let [x, y] = [slot % grid[0] * card[0], slot / grid[0] * card[1]];
        format!(
            "<svg x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\"><use href=\"#f{face}\"/></svg>\n",
            card[0], card[1]
        )
    });
    let placed: String = placed.collect();
    let [wide, high] = dots;
    let svg = format!(
        "{} width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" font-family=\"{FONTS}\">\n<defs>\n{pictures}{faces}</defs>\n<rect width=\"{wide}\" height=\"{high}\" fill=\"#fff\"/>\n{placed}</svg>\n",
        CARD_SHEET.beginning
    );
    CardSheet { name, svg, dots }
}

/// A deck as an object on the table, face down; a single card is an object of its own. `sheets` are the descriptions of
/// its sheets, numbered from `first`.
fn object(
    deck: &Deck,
    (first, sheets): (usize, &[Value]),
    place: usize,
    (game, loaded, options): (&str, &Playable, &PrintOptions),
) -> Value {
    let names = Names { layout: &loaded.layout, language: options.language };
    let most = SHEET_COLUMNS[1] * SHEET_ROWS[1] - 1;
    let transform = json!({
        "posX": DECK_DISTANCE * place as f64, "posY": 1.0, "posZ": 0.0,
        "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0,
        "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0,
    });
    let number = |slot: usize| first + slot / most;
    let id = |slot: usize| number(slot) * 100 + slot % most;
    let described = |number: usize| (number.to_string(), sheets.get(number - first).cloned().unwrap_or_default());
    let card = |(slot, name): &(usize, String)| {
        let [nickname, description] = words(names, name);
        json!({
            "Name": "Card",
            "Transform": transform.clone(),
            "Nickname": nickname,
            "Description": description,
            "CardID": id(*slot),
            "CustomDeck": Value::Object([described(number(*slot))].into_iter().collect()),
            // The name of a card that is face down stays hidden.
            "HideWhenFaceDown": true,
            "Hands": true,
            "SidewaysCard": false,
        })
    };
    if let [only] = &deck.cards[..] {
        return card(only);
    }
    let ids: Vec<usize> = deck.cards.iter().map(|(slot, _)| id(*slot)).collect();
    let cards: Vec<Value> = deck.cards.iter().map(card).collect();
    json!({
        "Name": "DeckCustom",
        "Transform": transform,
        "Nickname": game,
        "Description": "",
        "DeckIDs": ids,
        "CustomDeck": Value::Object((first..first + sheets.len()).map(described).collect()),
        "ContainedObjects": cards,
        "HideWhenFaceDown": false,
        "Hands": false,
        "SidewaysCard": false,
    })
}

/// The name and the text of a card, of all its sides.
fn words(names: Names<'_>, id: &str) -> [String; 2] {
    let Some(face) = names.layout.faces.iter().position(|info| *info.id == *id) else { return Default::default() };
    let (mut titles, mut texts) = (Vec::new(), Vec::new());
    for front in fronts(names.layout, face) {
        let looks = ComponentDesign::of(names, front);
        let plain = || names.face(front).map(|face| face.text.trim().to_owned()).unwrap_or_default();
        titles.push(looks.title.unwrap_or_else(plain));
        texts.extend(looks.text);
    }
    // Sides may have the same name.
    titles.dedup();
    [titles.join(" / "), texts.join("\n\n")]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::print::measure::MM;

    #[test]
    fn sheets_have_room_for_their_cards_and_no_more_dots_than_a_picture_can_have() {
        for size in [[63_500, 88_900], [44 * MM, 68 * MM], [70 * MM, 70 * MM], [400 * MM, 10 * MM]] {
            let size = Size::of(size[0], size[1]);
            for count in 2..=70 {
                let grid = grid(size, count);
                let card = card_dots(size, grid);
                assert!(grid[0] * grid[1] >= count && (2..=10).contains(&grid[0]) && (2..=7).contains(&grid[1]));
                assert!(
                    card.iter().zip(grid).all(|(dots, slots)| *dots > 0 && dots * slots <= 4096),
                    "{grid:?} {card:?}"
                );
            }
        }
        let poker = Size::of(63_500, 88_900);
        assert_eq!((grid(poker, 70), card_dots(poker, [10, 7])), ([10, 7], [409, 573]));
        assert_eq!((grid(poker, 3), card_dots(poker, [2, 2])), ([2, 2], [750, 1050]));
    }
}
