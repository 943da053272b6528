//! Pictures of cards, dice and tokens, drawn from their attributes with the colours and short names in the definition.

use super::escape;
use crate::definition::sign::Sign;
use crate::definition::{COLORS, ComponentKind};
use crate::screen::style;
use crate::sorted::SortedSet;
use crate::table::knowledge::Front;
use crate::table::looks::ComponentDesign;
use crate::table::names::{FacePart, Names};

/// The maximum length of a text printed on a component, in columns.
const MAX_PRINTED_COLUMNS: usize = 14;

/// The pips of a die: for each number, the occupied places in a grid of three by three.
pub(in crate::screen) const PIPS: [&[usize]; 6] =
    [&[4], &[2, 6], &[2, 4, 6], &[0, 2, 6, 8], &[0, 2, 4, 6, 8], &[0, 2, 3, 5, 6, 8]];

/// The pictures that a page needs, each defined once.
#[derive(Default)]
pub(super) struct Pictures {
    /// The prefix of the pictures' ids, for a page with several tables.
    prefix: &'static str,
    used: SortedSet<(usize, Option<u8>)>,
    has_backs: bool,
    has_hidden_dice: bool,
}

impl Pictures {
    /// A collection whose ids have a prefix, so that several can be used on one page.
    pub(super) fn with_prefix(prefix: &'static str) -> Self {
        Self { prefix, ..Self::default() }
    }

    /// A reference to the picture of a component's face.
    pub(super) fn face(&mut self, names: Names<'_>, front: Front) -> String {
        self.used.insert((front.face, shown(names, front)));
        // The text printed on the component, as a tooltip.
        let text = ComponentDesign::of(names, front).text;
        let text = text.map_or_else(String::new, |text| format!("<title>{}</title>", escape(&text)));
        format!(
            "<svg class=\"{}\" role=\"img\" aria-label=\"{}\">{text}<use href=\"#{}{}\"/></svg>",
            class(kind(names, front)),
            escape(&told(names, front)),
            self.prefix,
            id(names, front)
        )
    }

    /// Whether a component shows its value in the corner, so that cards can overlap.
    pub(super) fn has_corner(names: Names<'_>, front: Front) -> bool {
        kind(names, front) == ComponentKind::Card && names.parts_of_face(front).iter().any(is_sign)
    }

    /// A reference to the picture of a component's back.
    pub(super) fn back(&mut self, label: &str) -> String {
        self.has_backs = true;
        let (prefix, label) = (self.prefix, escape(label));
        format!("<svg class=\"card\" role=\"img\" aria-label=\"{label}\"><use href=\"#{prefix}card-back\"/></svg>")
    }

    /// A reference to the picture of a die whose side is hidden.
    pub(super) fn hidden_die(&mut self, label: &str) -> String {
        self.has_hidden_dice = true;
        let (prefix, label) = (self.prefix, escape(label));
        format!("<svg class=\"die\" role=\"img\" aria-label=\"{label}\"><use href=\"#{prefix}hidden-die\"/></svg>")
    }

    /// The definitions of all pictures used, for the beginning of the page.
    pub(super) fn symbols(&self, names: Names<'_>) -> String {
        let mut out = String::from("<svg class=\"symbols\" aria-hidden=\"true\" width=\"0\" height=\"0\">\n");
        if self.has_backs {
            out.push_str(&self.named(BACK));
        }
        if self.has_hidden_dice {
            out.push_str(&self.named(HIDDEN_DIE));
        }
        for &(face, side) in &self.used {
            let front = Front { face, side, owner: None };
            let kind = kind(names, front);
            let height = if kind == ComponentKind::Card { 70 } else { 50 };
            out.push_str(&format!("<symbol id=\"{}{}\" viewBox=\"0 0 50 {height}\">", self.prefix, id(names, front)));
            match kind {
                ComponentKind::Card => card(&mut out, names, front),
                ComponentKind::Die => die(&mut out, names, front),
                ComponentKind::Token => token(&mut out, names, front),
            }
            out.push_str("</symbol>\n");
        }
        out + "</svg>\n"
    }

    fn named(&self, symbol: &str) -> String {
        symbol.replacen("id=\"", &format!("id=\"{}", self.prefix), 1)
    }
}

const BACK: &str = "<symbol id=\"card-back\" viewBox=\"0 0 50 70\"><rect class=\"paper\" x=\"1\" y=\"1\" width=\"48\" height=\"68\" rx=\"5\"/>\
    <rect class=\"back\" x=\"5\" y=\"5\" width=\"40\" height=\"60\" rx=\"3\"/>\
    <path class=\"hatch\" d=\"M5 25L25 5M5 45L45 5M5 65L45 25M25 65L45 45M25 5L45 25M5 5L45 45M5 25L45 65M5 45L25 65\"/></symbol>\n";

const HIDDEN_DIE: &str = "<symbol id=\"hidden-die\" viewBox=\"0 0 50 50\"><rect class=\"paper\" x=\"3\" y=\"3\" width=\"44\" height=\"44\" rx=\"8\"/>\
    <text class=\"ink\" x=\"25\" y=\"35\" font-size=\"28\" text-anchor=\"middle\">?</text></symbol>\n";

/// The text alternative of a component's picture.
pub(super) fn told(names: Names<'_>, front: Front) -> String {
    let parts = names.parts_of_face(front);
    let words: Vec<&str> = parts.iter().filter(|part| part.is_value).map(|part| part.long.trim()).collect();
    let said = if words.is_empty() { parts.iter().map(|part| part.short.trim()).collect() } else { words.join(" ") };
    match ComponentDesign::of(names, front).title {
        Some(title) if !said.contains(&title) => format!("{title}: {said}"),
        _ => said,
    }
}

fn kind(names: Names<'_>, front: Front) -> ComponentKind {
    names.layout.faces.get(front.face).map_or(ComponentKind::Card, |info| info.kind)
}

fn class(kind: ComponentKind) -> &'static str {
    match kind {
        ComponentKind::Card => "card",
        ComponentKind::Die => "die",
        ComponentKind::Token => "token",
    }
}

/// The side of a component that its picture shows; `None` where it is unknown.
fn shown(names: Names<'_>, front: Front) -> Option<u8> {
    let has_sides = names.layout.faces.get(front.face).is_some_and(|info| !info.sides.is_empty());
    if has_sides { front.side } else { Some(0) }
}

fn id(names: Names<'_>, front: Front) -> String {
    let has_sides = names.layout.faces.get(front.face).is_some_and(|info| !info.sides.is_empty());
    match front.side {
        _ if !has_sides => format!("f{}", front.face),
        Some(side) => format!("f{}-{side}", front.face),
        None => format!("f{}-x", front.face),
    }
}

/// The colour of a component, by its name in definitions.
pub(in crate::screen) fn color_of(parts: &[FacePart<'_>]) -> Option<&'static str> {
    let given = parts.iter().find_map(|part| part.color)?;
    COLORS.into_iter().find(|known| *known == given)
}

/// Whether an attribute is shown by a symbol, such as `♠`, and not by letters.
fn is_sign(part: &FacePart<'_>) -> bool {
    part.is_value && part.short.chars().count() == 1 && part.short.chars().all(|sign| !sign.is_alphanumeric())
}

/// A text of at most `most` units in height, shrunk to `room` units in width.
fn text(out: &mut String, class: &str, [x, y]: [f64; 2], [most, room]: [f64; 2], text: &str) {
    let text = style::cut(text.trim(), MAX_PRINTED_COLUMNS);
    let width = style::width(&text).max(1) as f64;
    // The approximate width of a column relative to the height of a letter.
    let size = (room / (width * 0.6)).min(most).floor().max(5.0);
    // A smaller text is centred in the same place.
    let y = (y - (most - size) * 0.35).round();
    out.push_str(&format!(
        "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"middle\">{}</text>",
        escape(&text)
    ));
}

/// One of the program's signs, around a point.
fn sign(out: &mut String, class: &str, sign: &Sign, [x, y]: [f64; 2], side: f64) {
    out.push_str(&format!(
        "<path class=\"{class}\" fill-rule=\"evenodd\" transform=\"translate({} {}) scale({})\" d=\"{}\"/>",
        x - side / 2.0,
        y - side / 2.0,
        side / 100.0,
        sign.path
    ));
}

fn card(out: &mut String, names: Names<'_>, front: Front) {
    let own = ComponentDesign::of(names, front).sign();
    let parts = names.parts_of_face(front);
    let color = color_of(&parts);
    let ink = color.map_or_else(|| "ink".to_owned(), |color| format!("ink i-{color}"));
    out.push_str("<rect class=\"paper\" x=\"1\" y=\"1\" width=\"48\" height=\"68\" rx=\"5\"/>");
    let values: Vec<&FacePart<'_>> = parts.iter().filter(|part| part.is_value).collect();
    if let Some(sign) = values.iter().find(|part| is_sign(part)) {
        // Like printed cards with suits: the value in the corner, and the suit in the middle.
        let others: String = values.iter().filter(|part| !is_sign(part)).map(|part| part.short.as_str()).collect();
        text(out, &ink, [12.0, 19.0], [18.0, 20.0], &others);
        text(out, &ink, [12.0, 34.0], [14.0, 18.0], &sign.short);
        text(out, &ink, [31.0, 61.0], [32.0, 32.0], &sign.short);
        return;
    }
    let band = values.iter().find(|part| part.color.is_some());
    let main: String = parts
        .iter()
        .filter(|part| part.is_value && band.is_none_or(|band| !std::ptr::eq(*band, *part)))
        .map(|part| part.short.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    let all = || parts.iter().map(|part| part.short.as_str()).collect::<String>();
    match (band, color) {
        (Some(band), Some(color)) => {
            out.push_str(&format!(
                "<path class=\"fill c-{color}\" d=\"M1 47h48v17a5 5 0 0 1-5 5h-38a5 5 0 0 1-5-5z\"/>"
            ));
            // A colour is shown by its sign, too.
            let mut middle = [25.0, 44.0];
            if let Some(known) = Sign::of_color(color) {
                sign(out, &format!("on-{color}"), known, [9.0, 58.0], 9.0);
                middle = [30.0, 34.0];
            }
            text(out, &format!("on-{color}"), [middle[0], 63.0], [13.0, middle[1]], &band.long);
            if let Some(known) = own {
                sign(out, "ink", known, [25.0, 25.0], 28.0);
            } else if main.is_empty() {
                out.push_str(&format!("<circle class=\"fill c-{color}\" cx=\"25\" cy=\"25\" r=\"14\"/>"));
                text(out, &format!("on-{color}"), [25.0, 31.0], [18.0, 24.0], &band.short);
            } else {
                text(out, "ink", [25.0, 35.0], [30.0, 42.0], &main);
            }
        }
        _ => match own {
            Some(known) => sign(out, &ink, known, [25.0, 35.0], 32.0),
            None => text(out, &ink, [25.0, 44.0], [28.0, 42.0], &if main.is_empty() { all() } else { main }),
        },
    }
}

fn die(out: &mut String, names: Names<'_>, front: Front) {
    let parts = names.parts_of_face(front);
    let color = color_of(&parts);
    let fill = color.map_or_else(|| "paper".to_owned(), |color| format!("paper c-{color}"));
    let ink = color.map_or_else(|| "ink".to_owned(), |color| format!("on-{color}"));
    out.push_str(&format!("<rect class=\"{fill}\" x=\"3\" y=\"3\" width=\"44\" height=\"44\" rx=\"8\"/>"));
    let sides = names.layout.faces.get(front.face).map(|info| &*info.sides).unwrap_or_default();
    let number = |name: &String| name.parse::<usize>().ok().filter(|number| (1..=PIPS.len()).contains(number));
    let shown = front.side.and_then(|side| sides.get(usize::from(side).checked_sub(1)?));
    let is_plain = parts.iter().all(|part| !part.is_value || sides.contains(&part.short));
    if is_plain
        && sides.len() == PIPS.len()
        && let Some(number) = shown.and_then(number)
    {
        for place in PIPS.get(number - 1).into_iter().copied().flatten() {
            let (x, y) = (13 + place % 3 * 12, 13 + place / 3 * 12);
            out.push_str(&format!("<circle class=\"pip {ink}\" cx=\"{x}\" cy=\"{y}\" r=\"4.5\"/>"));
        }
        return;
    }
    let printed: String = parts.iter().map(|part| part.short.as_str()).collect();
    text(out, &ink, [25.0, 35.0], [28.0, 38.0], &printed);
}

fn token(out: &mut String, names: Names<'_>, front: Front) {
    let parts = names.parts_of_face(front);
    let color = color_of(&parts);
    let printed: String = parts.iter().map(|part| part.short.as_str()).collect();
    let is_one_of = |signs: &str| !printed.is_empty() && printed.chars().all(|sign| signs.contains(sign));
    let (fill, ink) = match color {
        Some(color) => (format!("c-{color}"), format!("on-{color}")),
        None if is_one_of("●◆■▲★") => ("dark".to_owned(), "on-dark".to_owned()),
        None => (String::new(), "ink".to_owned()),
    };
    out.push_str(&format!("<circle class=\"paper {fill}\" cx=\"25\" cy=\"25\" r=\"21\"/>"));
    // A disc already looks like one; only another mark is drawn on it.
    if color.is_some() || !is_one_of("●○•") {
        text(out, &ink, [25.0, 35.0], [28.0, 34.0], &printed);
    } else {
        out.push_str(&format!("<circle class=\"edge {ink}\" cx=\"25\" cy=\"25\" r=\"15\"/>"));
    }
}
