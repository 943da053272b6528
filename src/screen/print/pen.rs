//! Drawing in millimetres: lines, areas, signs, and texts fitted into their room.
//!
//! The fonts of the reader's browser are unknown, so the widths of texts are estimated generously.

use crate::definition::COLORS;
use crate::definition::sign::Sign;
use crate::diagnostic::visible;
use crate::prose::Stress;
use crate::screen::html::escape;
use crate::screen::style;

/// Estimated widths of letters relative to their height: wide ones, narrow ones and capitals; the constants below have
/// all others, and those that take two columns of a terminal.
const LETTERS: [(&str, f64); 3] =
    [("mwMW@%&—…", 0.98), ("iljtfrI.,:;'!|()[]-· ", 0.4), ("ABCDEFGHJKLNOPQRSTUVXYZ+=<>#", 0.75)];
const OTHER_LETTER: f64 = 0.62;
const WIDE_LETTER: f64 = 1.02;
/// The distance from the middle of a line to the baseline, relative to the height of its letters.
const BASELINE_OFFSET: f64 = 0.355;

/// The font stack.
pub(super) const FONTS: &str = "'Noto Sans','Noto Sans CJK JP','Noto Sans JP','Hiragino Sans','Yu Gothic',Meiryo,'Segoe UI',Roboto,Helvetica,Arial,'DejaVu Sans',sans-serif";

/// The colour of black ink.
const DARK: &str = "#1b1f24";
/// The colour of faint print.
pub(super) const FAINT: &str = "#6b7178";

/// The restrictions on ink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ink {
    /// Whether areas are outlined instead of filled.
    pub is_low: bool,
    /// Whether to print without colours.
    pub is_grey: bool,
}

/// The colours of areas, in the order of [`COLORS`].
const FILLS: [&str; 16] = [
    "#222222", "#c62828", "#2e7d32", "#f2c230", "#1f5fbf", "#7b2a99", "#00767f", "#f5f5f5", "#666666", "#ff8a80",
    "#8bd17c", "#fff176", "#90b8f8", "#f48fb1", "#80deea", "#ffffff",
];

/// The colours of letters on paper, which have to be darker than areas, in the order of [`COLORS`].
const INKS: [&str; 16] = [
    DARK, "#b3261e", "#1b6e2c", "#7a5b00", "#1a4fb4", "#7b2a99", "#006a75", DARK, "#555555", "#b3261e", "#1b6e2c",
    "#7a5b00", "#1a4fb4", "#a0256b", "#006a75", DARK,
];

impl Ink {
    /// The colour of an area.
    pub(super) fn fill(self, color: &str) -> String {
        self.shade(COLORS.iter().position(|known| *known == color).map_or("#ffffff", |place| FILLS[place]))
    }

    /// The colour of letters and signs on paper.
    pub(super) fn on_paper(self, color: Option<&str>) -> String {
        let place = color.and_then(|color| COLORS.iter().position(|known| *known == color));
        self.shade(place.map_or(DARK, |place| INKS[place]))
    }

    /// The colour of letters and signs on an area of a colour.
    pub(super) fn on_fill(self, color: &str) -> String {
        let dark = luminance(&self.fill(color)) > 140;
        (if dark { DARK } else { "#ffffff" }).to_owned()
    }

    /// A colour as printed: in grey where there are no colours.
    fn shade(self, color: &str) -> String {
        if !self.is_grey {
            return color.to_owned();
        }
        let grey = luminance(color);
        format!("#{grey:02x}{grey:02x}{grey:02x}")
    }
}

/// The luminance of a colour, from 0 to 255.
fn luminance(color: &str) -> u32 {
    let part = |from: usize| color.get(from..from + 2).and_then(|hex| u32::from_str_radix(hex, 16).ok()).unwrap_or(0);
    (part(1) * 299 + part(3) * 587 + part(5) * 114) / 1000
}

/// The alignment of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
}

/// A drawing in progress.
pub(super) struct Pen {
    pub(super) ink: Ink,
    pub(super) out: String,
}

/// The estimated width of a text with height 1.
pub(super) fn breadth(text: &str) -> f64 {
    let one = |letter: char| match style::width(letter.encode_utf8(&mut [0; 4])) {
        0 => 0.0,
        2 => WIDE_LETTER,
        _ => LETTERS.iter().find(|(letters, _)| letters.contains(letter)).map_or(OTHER_LETTER, |(_, width)| *width),
    };
    visible(text).chars().map(one).sum()
}

/// A text broken into lines within `width` at letters of height `size`. A word that is too wide gets its own line.
pub(super) fn lines(text: &str, width: f64, size: f64) -> Vec<String> {
    let mut lines = Vec::new();
    // Line breaks in the text are kept.
    for line in text.lines() {
        let mut now = String::new();
        for word in line.split_whitespace() {
            for (number, piece) in style::pieces(word).into_iter().enumerate() {
                let gap = if number == 0 && !now.is_empty() { " " } else { "" };
                if !now.is_empty() && breadth(&[&now, gap, piece].concat()) * size > width {
                    lines.push(std::mem::take(&mut now));
                } else {
                    now.push_str(gap);
                }
                now.push_str(piece);
            }
        }
        lines.push(now);
    }
    lines
}

impl Pen {
    pub(super) fn new(ink: Ink) -> Self {
        Self { ink, out: String::new() }
    }

    /// A rectangle with an edge.
    pub(super) fn rect(&mut self, [x, y, width, height]: [f64; 4], round: f64, style: &str) {
        let round = if round > 0.0 { format!(" rx=\"{}\"", number(round)) } else { String::new() };
        let [x, y, width, height] = [x, y, width, height].map(number);
        self.out.push_str(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{round} style=\"{style}\"/>"
        ));
    }

    pub(super) fn circle(&mut self, [x, y]: [f64; 2], radius: f64, style: &str) {
        let [x, y, radius] = [x, y, radius].map(number);
        self.out.push_str(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" style=\"{style}\"/>"));
    }

    pub(super) fn path(&mut self, path: &str, style: &str) {
        self.out.push_str(&format!("<path d=\"{path}\" style=\"{style}\"/>"));
    }

    pub(super) fn line(&mut self, [from_x, from_y, x, y]: [f64; 4], style: &str) {
        let [from_x, from_y, x, y] = [from_x, from_y, x, y].map(number);
        self.path(&format!("M{from_x} {from_y}L{x} {y}"), style);
    }

    /// A sign in a square around a point.
    pub(super) fn sign(&mut self, sign: &Sign, [x, y]: [f64; 2], side: f64, color: &str) {
        let [x, y] = [x - side / 2.0, y - side / 2.0].map(number);
        self.out.push_str(&format!(
            "<path transform=\"translate({x} {y}) scale({})\" d=\"{}\" style=\"fill:{color};fill-rule:evenodd\"/>",
            (side * 10.0).round() / 1000.0,
            sign.path
        ));
    }

    /// A line of text, vertically centred.
    pub(super) fn text(&mut self, text: &str, [x, y]: [f64; 2], size: f64, anchor: Anchor, style: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
        };
        let [x, y, size] = [x, y + size * BASELINE_OFFSET, size].map(number);
        self.out.push_str(&format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor} style=\"{style}\">{}</text>",
            escape(text)
        ));
    }

    /// A line of text in spans with different stress, vertically centred.
    pub(super) fn stressed(&mut self, stretches: &[(Stress, String)], [x, y]: [f64; 2], size: f64, style: &str) {
        let said = stretches.iter().map(|(stress, text)| match stress {
            Stress::None => escape(text),
            Stress::Emphasis => format!("<tspan font-style=\"italic\">{}</tspan>", escape(text)),
            Stress::Strong => format!("<tspan font-weight=\"700\">{}</tspan>", escape(text)),
        });
        let said: String = said.collect();
        let [x, y, size] = [x, y + size * BASELINE_OFFSET, size].map(number);
        self.out.push_str(&format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" style=\"{style}\">{said}</text>"));
    }

    /// A centred line of text, as large as it fits, cut where even the smallest letters do not fit. Gives whether it is
    /// complete.
    pub(super) fn fitted(&mut self, text: &str, at: [f64; 2], [most, width]: [f64; 2], style: &str) -> bool {
        let size = fitting(text, most, width);
        let fits = cut(text, size, width);
        self.text(&fits, at, size, Anchor::Middle, style);
        fits == text.trim()
    }

    /// A large number or word. Numbers that read differently upside down are underlined.
    pub(super) fn main_text(&mut self, text: &str, at: [f64; 2], most: [f64; 2], style: &str) {
        self.fitted(text, at, most, &format!("{style}{}", underlined(text)));
    }

    /// Draws something upside down around a point.
    pub(super) fn upside_down(&mut self, [x, y]: [f64; 2], draw: impl FnOnce(&mut Self)) {
        let [x, y] = [x, y].map(number);
        self.out.push_str(&format!("<g transform=\"rotate(180 {x} {y})\">"));
        draw(self);
        self.out.push_str("</g>");
    }
}

/// The style that underlines numbers that read differently upside down: 6, 9, 68.
pub(super) fn underlined(text: &str) -> &'static str {
    let is_turned = text.chars().all(|digit| "01689".contains(digit)) && text.contains(['6', '9']);
    let turned: String = text
        .chars()
        .rev()
        .map(|digit| {
            if digit == '6' {
                '9'
            } else if digit == '9' {
                '6'
            } else {
                digit
            }
        })
        .collect();
    if is_turned && turned != text { ";text-decoration:underline" } else { "" }
}

/// The height of the smallest readable letters.
pub(super) const MIN_LETTER_HEIGHT: f64 = 1.9;

/// The height at which a text fits into `width`, at most `most`.
pub(super) fn fitting(text: &str, most: f64, width: f64) -> f64 {
    (width / breadth(text.trim()).max(0.01)).min(most).max(MIN_LETTER_HEIGHT.min(most))
}

/// The part of a text that fits at this height of letters.
pub(super) fn cut(text: &str, size: f64, width: f64) -> String {
    let mut text = text.trim().to_owned();
    while breadth(&text) * size > width * 1.02 && style::width(&text) > 1 {
        text = style::cut(&text, style::width(&text) - 1);
    }
    text
}

/// A number with only the visible decimals.
pub(super) fn number(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
