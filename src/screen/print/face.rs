//! Printed cards, tokens and sides of dice, from their faces and from `[looks]`.

use super::measure::{MM, Size};
use super::pen::{Anchor, FAINT, Ink, MIN_LETTER_HEIGHT, Pen, breadth, cut, fitting, lines, number, underlined};
use crate::definition::ComponentKind;
use crate::definition::sign::Sign;
use crate::screen::html::parts::{PIPS, color_of};
use crate::screen::style;
use crate::table::knowledge::Front;
use crate::table::looks::ComponentDesign;
use crate::table::names::{FacePart, Names};

/// The maximum length of a number in a corner, in columns.
const MAX_CORNER_NUMBER_COLUMNS: usize = 4;
/// The maximum length of a word in a corner, in columns.
const MAX_CORNER_WORD_COLUMNS: usize = 2;

/// The maximum height of a card's text, and the step to smaller ones.
const TEXT: (f64, f64) = (4.0, 0.1);

/// The main element in the middle of a face.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum MainElement {
    Text(String),
    Sign(&'static Sign),
    /// The designer's picture, by its id on the page.
    Picture(String),
    Nothing,
}

/// The elements printed on one side of a component.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Face {
    pub(super) corner: String,
    /// The text in the lower corner.
    pub(super) corner_below: String,
    /// Whether `[looks]` gives the corners, so that they must not be cut.
    pub(super) corner_is_given: bool,
    /// A sign beside or below the text in the corner.
    pub(super) corner_sign: Option<&'static Sign>,
    pub(super) main: MainElement,
    /// The colour, by its name in definitions.
    pub(super) color: Option<&'static str>,
    /// The displayed name of the colour, if bands of the card have it.
    pub(super) band: Option<String>,
    pub(super) title: String,
    pub(super) text: String,
}

/// The sign that stands for an attribute's value, if any.
fn sign_of(part: &FacePart<'_>) -> Option<&'static Sign> {
    Sign::written(&part.short).filter(|_| part.is_value)
}

/// The text if it is short enough for a corner; otherwise empty.
fn for_corner(text: &str) -> String {
    let has_digit = text.chars().any(|letter| letter.is_ascii_digit());
    let most = if has_digit { MAX_CORNER_NUMBER_COLUMNS } else { MAX_CORNER_WORD_COLUMNS };
    if style::width(text) <= most { text.to_owned() } else { String::new() }
}

fn joined<'p>(parts: impl Iterator<Item = &'p FacePart<'p>>) -> String {
    parts.map(|part| part.short.trim()).filter(|short| !short.is_empty()).collect::<Vec<_>>().join(" ")
}

impl Face {
    /// The elements from the face, overridden by its looks. `picture` is the id of the looks' picture.
    pub(super) fn of(names: Names<'_>, front: Front, looks: &ComponentDesign<'_>, picture: Option<String>) -> Self {
        let mut face = Self::plain(&names.parts_of_face(front));
        if let Some(corner) = &looks.corner {
            face.corner.clone_from(corner);
        }
        face.corner_below = looks.corner_below.clone().unwrap_or_else(|| face.corner.clone());
        face.corner_is_given = looks.corner.is_some() || looks.corner_below.is_some();
        if let Some(picture) = picture {
            face.main = MainElement::Picture(picture);
        } else if let Some(sign) = looks.sign() {
            face.main = MainElement::Sign(sign);
            // If the corner showed the colour, it still does.
            if face.band.is_none() {
                face.corner_sign = Some(sign);
            }
        }
        face.title = looks.title.clone().unwrap_or_default();
        face.text = looks.text.clone().unwrap_or_default();
        face
    }

    /// The elements from the face alone.
    fn plain(parts: &[FacePart<'_>]) -> Self {
        let color = color_of(parts);
        let values = || parts.iter().filter(|part| part.is_value);
        let empty = Self {
            corner: String::new(),
            corner_below: String::new(),
            corner_is_given: false,
            corner_sign: None,
            main: MainElement::Nothing,
            color,
            band: None,
            title: String::new(),
            text: String::new(),
        };
        if let Some(part) = values().find(|part| sign_of(part).is_some()) {
            // Like printed cards with suits: the value in the corner, and the suit in the middle.
            let sign = sign_of(part);
            let corner = joined(values().filter(|other| !std::ptr::eq(*other, part)));
            return Self {
                corner,
                corner_sign: sign,
                main: sign.map_or(MainElement::Nothing, MainElement::Sign),
                ..empty
            };
        }
        let all = || parts.iter().map(|part| part.short.as_str()).collect::<String>().trim().to_owned();
        if let Some(sign) = Sign::written(&all()) {
            return Self { main: MainElement::Sign(sign), ..empty };
        }
        let Some((part, color)) = values().find(|part| part.color.is_some()).zip(color) else {
            let main = all();
            let corner = for_corner(&main);
            return Self { corner, main: MainElement::Text(main), ..empty };
        };
        let sign = Sign::of_color(color);
        let others = joined(values().filter(|other| !std::ptr::eq(*other, part)));
        let (corner, main) = match others.is_empty() {
            true => (part.short.trim().to_owned(), sign.map_or(MainElement::Nothing, MainElement::Sign)),
            false => (others.clone(), MainElement::Text(others)),
        };
        Self { corner: for_corner(&corner), corner_sign: sign, main, band: Some(part.long.trim().to_owned()), ..empty }
    }

    /// Draws the face in millimetres, extended by `bleed` over its edges.
    ///
    /// # Errors
    /// An element of the looks does not fit.
    pub(super) fn drawn(
        &self,
        kind: ComponentKind,
        size: Size,
        bleed: f64,
        ink: Ink,
    ) -> Result<String, OverflowingElement> {
        let (width, height) = in_mm(size);
        let mut pen = Pen::new(ink);
        match kind {
            ComponentKind::Card => self.card(&mut pen, width, height, bleed)?,
            ComponentKind::Die | ComponentKind::Token => self.token(&mut pen, width.min(height) / 2.0),
        }
        Ok(pen.out)
    }

    fn card(&self, pen: &mut Pen, width: f64, height: f64, bleed: f64) -> Result<(), OverflowingElement> {
        // The scale relative to a poker card.
        let scale = (width / 63.5).min(height / 88.9);
        let margin = 4.0 * scale;
        let area = [-bleed, -bleed, width + 2.0 * bleed, height + 2.0 * bleed];
        pen.rect(area, 0.0, "fill:#fff");
        let band = self.band.as_ref().zip(self.color);
        let (highest, wide) = corner_room(width, scale, band.is_some());
        let is_cut = |corner: &&String| cut(corner, fitting(corner, highest, wide), wide) != corner.trim();
        if self.corner_is_given && [&self.corner, &self.corner_below].iter().any(is_cut) {
            return Err(OverflowingElement::Corner);
        }
        // The space above and below the middle.
        let edge = if self.has_corner() || band.is_some() { 12.0 * scale } else { margin };
        if let Some((_, color)) = band {
            self.bands(pen, width, height, bleed, color, edge - 1.5 * scale);
        } else {
            self.corners(pen, width, height, scale, margin);
        }
        let inner = width - 2.0 * margin;
        let (mut top, mut bottom) = (edge + 1.5 * scale, height - edge - 1.5 * scale);
        let ink = pen.ink.on_paper(None);
        // Without bands, corners reach further down than the title between them.
        let title_width =
            if band.is_some() || !self.has_corner() { inner } else { width - 2.0 * (margin + 12.0 * scale) };
        if !self.title.is_empty() {
            let in_corners = band.is_none() && self.has_corner();
            if in_corners {
                top = margin;
            }
            // Two lines in a readable size are better than one in a small size.
            let sizes =
                (0..).map(|step| (5.2 - 0.2 * f64::from(step)) * scale).take_while(|size| *size >= MIN_LETTER_HEIGHT);
            let set = sizes.map(|size| (size, lines(&self.title, title_width, size)));
            let fits = |(size, titles): &(f64, Vec<String>)| {
                titles.len() <= 2 && titles.iter().all(|line| breadth(line) * size <= title_width)
            };
            let Some((size, titles)) = { set }.find(fits) else { return Err(OverflowingElement::Title) };
            for line in &titles {
                pen.text(
                    line,
                    [width / 2.0, top + size * 0.6],
                    size,
                    Anchor::Middle,
                    &format!("fill:{ink};font-weight:700"),
                );
                top += size * 1.2;
            }
            top = if in_corners { top.max(edge + 7.0 * scale) } else { top + 1.0 * scale };
        }
        if !self.text.is_empty() {
            // The text keeps clear of the corner, however deep that is.
            if band.is_none() && self.has_corner() {
                let corner = if self.corner_below.is_empty() { 0.0 } else { 8.5 * scale };
                let sign = if self.corner_sign.is_some() { 6.5 * scale } else { 0.0 };
                bottom = height - (margin + corner + sign).max(edge) - 0.5 * scale;
            }
            bottom = self.text_below(pen, [margin, inner], [top, bottom], scale)?;
        }
        // A title that contains the name of the colour is enough.
        if let Some((name, color)) = band.filter(|(name, _)| !self.title.contains(name.as_str())) {
            let size = 4.4 * scale;
            bottom -= size;
            let style = format!("fill:{};font-weight:600", pen.ink.on_paper(Some(color)));
            pen.fitted(name, [width / 2.0, bottom + size * 0.3], [size, inner], &style);
            bottom -= size * 0.3;
        }
        self.middle(pen, [width / 2.0, (top + bottom) / 2.0], [inner, bottom - top], scale);
        Ok(())
    }

    fn has_corner(&self) -> bool {
        !self.corner.is_empty() || !self.corner_below.is_empty() || self.corner_sign.is_some()
    }

    /// Bands of the colour above and below, with the corners on them.
    fn bands(&self, pen: &mut Pen, width: f64, height: f64, bleed: f64, color: &str, high: f64) {
        let scale = (width / 63.5).min(height / 88.9);
        let band = |pen: &mut Pen, corner: &str| {
            let (fill, on) = match pen.ink.is_low {
                true => ("none".to_owned(), pen.ink.on_paper(Some(color))),
                false => (pen.ink.fill(color), pen.ink.on_fill(color)),
            };
            pen.rect([-bleed, -bleed, width + 2.0 * bleed, high + bleed], 0.0, &format!("fill:{fill}"));
            let edge = if pen.ink.is_low { pen.ink.on_paper(Some(color)) } else { "#0003".to_owned() };
            pen.line(
                [-bleed, high, width + bleed, high],
                &format!("stroke:{edge};stroke-width:{}", number(0.5 * scale)),
            );
            let mut x = 4.0 * scale;
            if !corner.is_empty() {
                let (highest, wide) = corner_room(width, scale, true);
                let size = fitting(corner, highest, wide);
                let corner = &cut(corner, size, wide);
                let style = format!("fill:{on};font-weight:700{}", underlined(corner));
                pen.text(corner, [x, high / 2.0], size, Anchor::Start, &style);
                x += breadth(corner) * size + 1.5 * scale;
            }
            if let Some(sign) = self.corner_sign {
                pen.sign(sign, [x + 2.5 * scale, high / 2.0], 5.0 * scale, &on);
                pen.sign(sign, [width - 6.5 * scale, high / 2.0], 5.0 * scale, &on);
            }
        };
        band(pen, &self.corner);
        pen.upside_down([width / 2.0, height / 2.0], |pen| band(pen, &self.corner_below));
    }

    /// The text and sign in two of the corners.
    fn corners(&self, pen: &mut Pen, width: f64, height: f64, scale: f64, margin: f64) {
        let color = pen.ink.on_paper(self.color);
        let corner = |pen: &mut Pen, said: &str| {
            let mut y = margin;
            if !said.is_empty() {
                let (highest, wide) = corner_room(width, scale, false);
                let size = fitting(said, highest, wide);
                let said = &cut(said, size, wide);
                let style = format!("fill:{color};font-weight:700{}", underlined(said));
                let x = margin + (breadth(said) * size / 2.0).max(3.0 * scale);
                pen.text(said, [x, y + size * 0.45], size, Anchor::Middle, &style);
                y += size;
            }
            if let Some(sign) = self.corner_sign {
                pen.sign(sign, [margin + 3.0 * scale, y + 3.2 * scale], 5.4 * scale, &color);
            }
        };
        corner(pen, &self.corner);
        pen.upside_down([width / 2.0, height / 2.0], |pen| corner(pen, &self.corner_below));
    }

    /// Draws the text in the lower part, and gives its upper edge.
    fn text_below(
        &self,
        pen: &mut Pen,
        [left, width]: [f64; 2],
        [top, bottom]: [f64; 2],
        scale: f64,
    ) -> Result<f64, OverflowingElement> {
        let share = if self.main == MainElement::Nothing { 1.0 } else { 0.6 };
        let room = (bottom - top) * share - 2.0 * scale;
        let mut size = (TEXT.0 * scale).max(MIN_LETTER_HEIGHT);
        let found = loop {
            let found = lines(&self.text, width, size);
            let is_whole = found.iter().all(|line| breadth(line) * size <= width * 1.05);
            if is_whole && found.len() as f64 * size * 1.3 <= room {
                break found;
            }
            size -= TEXT.1;
            if size < MIN_LETTER_HEIGHT {
                return Err(OverflowingElement::Text);
            }
        };
        let begin = bottom - found.len() as f64 * size * 1.3;
        let rule = begin - 1.2 * scale;
        if self.main != MainElement::Nothing {
            let style = format!("stroke:{FAINT};stroke-width:{}", number(0.2 * scale));
            pen.line([left, rule, left + width, rule], &style);
        }
        let style = format!("fill:{}", pen.ink.on_paper(None));
        for (number, line) in found.iter().enumerate() {
            let y = begin + (number as f64 + 0.5) * size * 1.3;
            pen.text(line, [left + width / 2.0, y], size, Anchor::Middle, &style);
        }
        Ok(rule - 0.8 * scale)
    }

    /// Draws the main element, as large as it fits.
    fn middle(&self, pen: &mut Pen, [x, y]: [f64; 2], [width, height]: [f64; 2], scale: f64) {
        let color = if self.band.is_some() { None } else { self.color };
        match &self.main {
            MainElement::Text(text) => {
                let most = (height * 0.9).min(26.0 * scale);
                // Words need not be as large as numbers to be readable.
                let is_word =
                    style::width(text) > MAX_CORNER_WORD_COLUMNS && !text.chars().any(|letter| letter.is_ascii_digit());
                let most = if is_word || style::width(text) > MAX_CORNER_NUMBER_COLUMNS {
                    most.min(10.0 * scale)
                } else {
                    most
                };
                let style = format!("fill:{};font-weight:700", pen.ink.on_paper(color));
                pen.main_text(text, [x, y], [most, width], &style);
            }
            MainElement::Sign(sign) => {
                let side = (height * 0.8).min(width * 0.7).min(30.0 * scale);
                let color = pen.ink.on_paper(self.color);
                match pen.ink.is_low {
                    true => {
                        let side_mm = side / 100.0;
                        let transform = format!(
                            "translate({} {}) scale({})",
                            number(x - side / 2.0),
                            number(y - side / 2.0),
                            (side_mm * 1000.0).round() / 1000.0
                        );
                        pen.out.push_str(&format!(
                            "<path transform=\"{transform}\" d=\"{}\" style=\"fill:none;stroke:{color};stroke-width:4\"/>",
                            sign.path
                        ));
                    }
                    false => {
                        // Letters are darker than areas of the same colour, and a large sign counts as an area.
                        let fill =
                            self.band.as_ref().and(self.color).map_or(color.clone(), |color| pen.ink.fill(color));
                        pen.sign(sign, [x, y], side, &format!("{fill};stroke:{color};stroke-width:1.5"));
                    }
                }
            }
            MainElement::Picture(picture) => {
                let side = height.min(width).max(0.1);
                let [left, top] = [x - side / 2.0, y - side / 2.0].map(number);
                pen.out.push_str(&format!(
                    "<use href=\"#{picture}\" transform=\"translate({left} {top}) scale({})\"/>",
                    (side * 10.0).round() / 1000.0
                ));
            }
            MainElement::Nothing => {}
        }
    }

    /// Draws the face of a round token or a sticker.
    fn token(&self, pen: &mut Pen, radius: f64) {
        let middle = [radius, radius];
        let (fill, on) = match self.color {
            Some(color) if !pen.ink.is_low => (pen.ink.fill(color), pen.ink.on_fill(color)),
            color => ("#fff".to_owned(), pen.ink.on_paper(color)),
        };
        pen.circle(middle, radius - 0.05, &format!("fill:{fill};stroke:{FAINT};stroke-width:.1"));
        match &self.main {
            MainElement::Text(text) => {
                pen.fitted(text, middle, [radius, radius * 1.6], &format!("fill:{on};font-weight:700"));
            }
            MainElement::Sign(sign) => pen.sign(sign, middle, radius * 1.15, &on),
            main @ (MainElement::Picture(_) | MainElement::Nothing) => {
                let picture = Self { main: main.clone(), ..self.clone() };
                picture.middle(pen, middle, [radius * 1.4, radius * 1.4], 1.0);
            }
        }
    }
}

/// The element that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OverflowingElement {
    Title,
    Text,
    Corner,
}

/// The maximum height of a corner's letters, and their maximum total width; both are larger on a band.
fn corner_room(width: f64, scale: f64, is_on_area: bool) -> (f64, f64) {
    if is_on_area { (7.0 * scale, width * 0.4) } else { (8.5 * scale, 11.0 * scale) }
}

/// A side of a die, as a sticker with sides of `side` millimetres.
pub(super) fn die(names: Names<'_>, front: Front, side: f64, ink: Ink) -> String {
    let parts = names.parts_of_face(front);
    let color = color_of(&parts);
    let mut pen = Pen::new(ink);
    let (fill, on) = match color {
        Some(color) if !ink.is_low => (ink.fill(color), ink.on_fill(color)),
        color => ("#fff".to_owned(), ink.on_paper(color)),
    };
    pen.rect([0.0, 0.0, side, side], 0.0, &format!("fill:{fill}"));
    // A colour is shown by its sign, too.
    if let Some(sign) = color.and_then(Sign::of_color) {
        pen.sign(sign, [side * 0.85, side * 0.15], side * 0.16, &on);
    }
    let sides = names.layout.faces.get(front.face).map(|info| &*info.sides).unwrap_or_default();
    let shown = front.side.and_then(|side| sides.get(usize::from(side).checked_sub(1)?));
    let number_shown = shown.and_then(|name| name.parse::<usize>().ok());
    let pips = number_shown.and_then(|number| PIPS.get(number.checked_sub(1)?));
    let is_plain = parts.iter().all(|part| !part.is_value || sides.contains(&part.short));
    if let Some(pips) = pips.filter(|_| is_plain && sides.len() == PIPS.len()) {
        for place in *pips {
            let at = |step: usize| side * (0.5 + 0.25 * (step as f64 - 1.0));
            pen.circle([at(place % 3), at(place / 3)], side * 0.09, &format!("fill:{on}"));
        }
        return pen.out;
    }
    let printed: String = parts.iter().map(|part| part.short.as_str()).collect();
    pen.main_text(&printed, [side / 2.0, side * 0.56], [side * 0.5, side * 0.8], &format!("fill:{on};font-weight:700"));
    pen.out
}

/// The drawing of a back, with a pattern that depends on its number.
///
/// # Errors
/// The title does not fit; the error contains the back with the title cut.
pub(super) fn back(
    title: &str,
    number_of_back: usize,
    size: Size,
    is_round: bool,
    bleed: f64,
    ink: Ink,
) -> Result<String, String> {
    let (width, height) = in_mm(size);
    let mut pen = Pen::new(ink);
    let color = ["blue", "red", "green", "magenta", "cyan", "bright-black"][number_of_back % 6];
    let line = ink.on_paper(Some(color));
    if is_round {
        let radius = width.min(height) / 2.0;
        pen.circle([radius, radius], radius - 0.05, &format!("fill:#fff;stroke:{FAINT};stroke-width:.1"));
        pen.circle([radius, radius], radius * 0.8, &format!("fill:none;stroke:{line};stroke-width:.3"));
        let is_whole = pen.fitted(title, [radius, radius], [radius * 0.5, radius * 1.4], &format!("fill:{line}"));
        return if is_whole { Ok(pen.out) } else { Err(pen.out) };
    }
    let scale = (width / 63.5).min(height / 88.9);
    let area = [-bleed, -bleed, width + 2.0 * bleed, height + 2.0 * bleed];
    pen.rect(area, 0.0, "fill:#fff");
    let margin = 4.0 * scale;
    let frame = [margin, margin, width - 2.0 * margin, height - 2.0 * margin];
    let fill = if ink.is_low { "none".to_owned() } else { ink.fill(color) };
    pen.rect(frame, 2.0 * scale, &format!("fill:{fill};stroke:{line};stroke-width:{}", number(0.5 * scale)));
    let hatch = if ink.is_low { &line } else { "#ffffff" };
    let stroke = format!("fill:none;stroke:{hatch};stroke-opacity:.45;stroke-width:{}", number(0.35 * scale));
    pen.path(&hatching(frame, 6.0 * scale, number_of_back), &stroke);
    // Clear paper around the title.
    let size = fitting(title, 7.0 * scale, frame[2] - 8.0 * scale);
    let found = lines(title, frame[2] - 6.0 * scale, size);
    let mut is_whole = found.len() <= 4;
    let found = &found[..found.len().min(4)];
    let widest = found.iter().map(|line| breadth(line) * size).fold(0.0, f64::max).min(frame[2] - 4.0 * scale);
    let high = found.len() as f64 * size * 1.25;
    let (x, y) = (width / 2.0, height / 2.0);
    if !found.is_empty() {
        let plate =
            [x - widest / 2.0 - 2.0 * scale, y - high / 2.0 - 1.5 * scale, widest + 4.0 * scale, high + 3.0 * scale];
        pen.rect(plate, 1.5 * scale, "fill:#fff");
    }
    for (row, text) in found.iter().enumerate() {
        let y = y - high / 2.0 + (row as f64 + 0.5) * size * 1.25;
        is_whole &= pen.fitted(text, [x, y], [size, frame[2] - 4.0 * scale], &format!("fill:{line};font-weight:700"));
    }
    if is_whole { Ok(pen.out) } else { Err(pen.out) }
}

/// Hatching over an area, with a pattern for each back.
fn hatching([left, top, width, height]: [f64; 4], step: f64, number_of_back: usize) -> String {
    let mut path = String::new();
    let mut line = |from: [f64; 2], to: [f64; 2]| {
        let [x, y, to_x, to_y] = [from[0] + left, from[1] + top, to[0] + left, to[1] + top].map(number);
        path.push_str(&format!("M{x} {y}L{to_x} {to_y}"));
    };
    let slanted = |line: &mut dyn FnMut([f64; 2], [f64; 2]), is_mirrored: bool| {
        let mut at = step;
        while at < width + height {
            let from = if at < height { [0.0, at] } else { [at - height, height] };
            let to = if at < width { [at, 0.0] } else { [width, at - width] };
            let mirrored = |[x, y]: [f64; 2]| if is_mirrored { [width - x, y] } else { [x, y] };
            line(mirrored(from), mirrored(to));
            at += step;
        }
    };
    match number_of_back % 5 {
        0 => {
            slanted(&mut line, false);
            slanted(&mut line, true);
        }
        1 => slanted(&mut line, false),
        pattern => {
            let (mut x, mut y) = (step / 2.0, step / 2.0);
            while x < width && pattern != 3 {
                line([x, 0.0], [x, height]);
                x += step;
            }
            while y < height && pattern != 4 {
                line([0.0, y], [width, y]);
                y += step;
            }
        }
    }
    path
}

/// A size in millimetres, for drawing.
pub(super) fn in_mm(size: Size) -> (f64, f64) {
    (size.width as f64 / MM as f64, size.height as f64 / MM as f64)
}
