//! Styled text as data, before it is written to the terminal.
//!
//! Drawing functions make [`Line`]s of [`Span`]s and label them by meaning, not by looks; only [`render`] turns them
//! into characters, with or without colour. A span makes every character visible that could move the cursor or reorder
//! text, so no text from a file reaches the terminal unchanged. Widths are terminal columns: a wide character takes
//! two, and text is only cut between grapheme clusters.

mod blocks;
mod columns;

pub use blocks::{beside, flow, hang, paragraphs, within, wrapped};
pub(super) use columns::pieces;
pub use columns::{cut, ending, folded, pad, pad_left, width};

use crate::definition::COLORS;
use crate::diagnostic::visible;
use anstyle::AnsiColor;
use columns::{ELLIPSIS, stand_apart, start};

/// The meaning of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Label {
    /// Ordinary text.
    #[default]
    Plain,
    /// The most important text: the game's name, a score.
    Strong,
    /// Secondary text: names of zones, notes, counts.
    Faint,
    /// A question to a person.
    Prompt,
    /// An error, or something removed.
    Error,
    /// The player whose turn it is.
    Turn,
    /// The number of an option.
    Number,
    /// Something new, or an improvement.
    Gain,
}

/// The style of a piece of text: its meaning, with the colour that a definition gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Style {
    /// The meaning.
    pub label: Label,
    /// A specific colour, such as that of a suit.
    pub color: Option<AnsiColor>,
}

/// A piece of text in one style, without control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    text: String,
    style: Style,
    /// Width of the text in columns, which is measured once.
    width: usize,
}

/// One line of styled text.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Line {
    spans: Vec<Span>,
    /// Whether it is code, which must stay whole to be copied.
    is_code: bool,
}

/// The terminal colour for a name in [`COLORS`].
pub fn color_named(name: &str) -> Option<AnsiColor> {
    const IN_ORDER: [AnsiColor; COLORS.len()] = [
        AnsiColor::Black,
        AnsiColor::Red,
        AnsiColor::Green,
        AnsiColor::Yellow,
        AnsiColor::Blue,
        AnsiColor::Magenta,
        AnsiColor::Cyan,
        AnsiColor::White,
        AnsiColor::BrightBlack,
        AnsiColor::BrightRed,
        AnsiColor::BrightGreen,
        AnsiColor::BrightYellow,
        AnsiColor::BrightBlue,
        AnsiColor::BrightMagenta,
        AnsiColor::BrightCyan,
        AnsiColor::BrightWhite,
    ];
    let position = COLORS.iter().position(|known| *known == name)?;
    IN_ORDER.get(position).copied()
}

/// The lines as text, each with its line end, with or without escape sequences for colours.
pub fn render(lines: &[Line], color: bool) -> String {
    let mut text = String::new();
    for line in lines {
        for span in &line.spans {
            let style = if color { span.style.rendered() } else { anstyle::Style::new() };
            // An unstyled span has no escape sequences.
            text.push_str(&format!("{style}{}{style:#}", span.text));
        }
        text.push('\n');
    }
    text
}

/// A styled text with escape sequences, for places that do not take lines.
pub fn styled(text: &str, style: impl Into<Style>) -> String {
    let style = style.into().rendered();
    format!("{style}{}{style:#}", visible(text))
}

impl Style {
    fn rendered(self) -> anstyle::Style {
        let style = match self.label {
            Label::Plain => anstyle::Style::new(),
            Label::Strong | Label::Prompt => anstyle::Style::new().bold(),
            Label::Faint => anstyle::Style::new().dimmed(),
            Label::Error => AnsiColor::Red.on_default().bold(),
            Label::Turn => AnsiColor::Cyan.on_default().bold(),
            Label::Number => AnsiColor::Cyan.on_default(),
            Label::Gain => AnsiColor::Green.on_default(),
        };
        match self.color {
            Some(color) => style.fg_color(Some(color.into())),
            None => style,
        }
    }
}

impl From<Label> for Style {
    fn from(label: Label) -> Self {
        Self { label, color: None }
    }
}

impl Span {
    /// A text in a style. Control and reordering characters become visible.
    pub fn new(text: impl AsRef<str>, style: impl Into<Style>) -> Self {
        Self::of_visible(visible(text.as_ref()).into_owned(), style.into())
    }

    /// A text that has no control or reordering characters.
    fn of_visible(text: String, style: Style) -> Self {
        Self { width: width(&text), text, style }
    }

    /// The text, as it is shown.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The style.
    pub fn style(&self) -> Style {
        self.style
    }

    /// The width in columns.
    pub fn width(&self) -> usize {
        self.width
    }

    fn append(&mut self, other: &Span) {
        let stands_apart = stand_apart(&self.text, &other.text);
        self.text.push_str(&other.text);
        self.width = if stands_apart { self.width + other.width } else { width(&self.text) };
    }

    fn trim_end(&mut self) {
        let trimmed = self.text.trim_end().len();
        if trimmed < self.text.len() {
            self.text.truncate(trimmed);
            self.width = width(&self.text);
        }
    }
}

impl Line {
    /// A line with a single text in one style.
    pub fn of(text: impl AsRef<str>, style: impl Into<Style>) -> Self {
        Self::from(Span::new(text, style))
    }

    /// A line of ordinary text.
    pub fn plain(text: impl AsRef<str>) -> Self {
        Self::of(text, Label::Plain)
    }

    /// A line of code, which is never broken, because people copy it.
    pub fn code(text: impl AsRef<str>) -> Self {
        Self { is_code: true, ..Self::plain(text) }
    }

    /// A line of important text.
    pub fn strong(text: impl AsRef<str>) -> Self {
        Self::of(text, Label::Strong)
    }

    /// A line of secondary text.
    pub fn faint(text: impl AsRef<str>) -> Self {
        Self::of(text, Label::Faint)
    }

    /// A line of blanks.
    pub fn of_blanks(count: usize) -> Self {
        let mut line = Self::default();
        line.blanks(count);
        line
    }

    /// The line with a text appended.
    #[must_use]
    pub fn with(mut self, text: impl AsRef<str>, style: impl Into<Style>) -> Self {
        self.push(Span::new(text, style));
        self
    }

    /// The line with another appended.
    #[must_use]
    pub fn then(mut self, other: Line) -> Self {
        self.append(other);
        self
    }

    /// Appends a span.
    pub fn push(&mut self, span: Span) {
        match self.spans.last_mut() {
            _ if span.text.is_empty() => {}
            Some(last) if last.style == span.style => last.append(&span),
            _ => self.spans.push(span),
        }
    }

    /// Appends another line.
    pub fn append(&mut self, other: Line) {
        other.spans.into_iter().for_each(|span| self.push(span));
    }

    /// Appends blanks.
    pub fn blanks(&mut self, count: usize) {
        self.push(Span { text: " ".repeat(count), style: Style::default(), width: count });
    }

    /// Appends blanks up to a width.
    pub fn pad(&mut self, columns: usize) {
        self.blanks(columns.saturating_sub(self.width()));
    }

    /// The line padded with blanks on the right to a width.
    #[must_use]
    pub fn padded(mut self, columns: usize) -> Self {
        self.pad(columns);
        self
    }

    /// The line padded with blanks on the left to a width.
    #[must_use]
    pub fn right(self, columns: usize) -> Self {
        Self::of_blanks(columns.saturating_sub(self.width())).then(self)
    }

    /// The whole line in one style, for example for what is no longer in effect.
    #[must_use]
    pub fn restyled(self, style: impl Into<Style>) -> Self {
        Self::of(self.text(), style)
    }

    /// The line, cut to a number of columns, without trailing blanks.
    #[must_use]
    pub fn cut(self, columns: usize) -> Self {
        let is_cut = self.width() > columns;
        let mut room = if is_cut { columns.saturating_sub(1) } else { columns };
        let mut line = Self::default();
        let mut style = Style::default();
        for span in self.spans {
            style = span.style;
            if span.width() > room {
                line.push(Span::of_visible(start(&span.text, room).to_owned(), style));
                break;
            }
            room -= span.width();
            line.push(span);
        }
        line.trim_end();
        if is_cut && columns > 0 {
            line.push(Span::new(ELLIPSIS, style));
        }
        line
    }

    /// Removes trailing blanks.
    pub fn trim_end(&mut self) {
        while let Some(span) = self.spans.last_mut() {
            span.trim_end();
            if !span.text.is_empty() {
                return;
            }
            self.spans.pop();
        }
    }

    /// The width in columns.
    pub fn width(&self) -> usize {
        self.spans.iter().map(Span::width).sum()
    }

    /// Whether the line has no text.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The spans of the line.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The text without styles.
    pub fn text(&self) -> String {
        self.spans.iter().map(Span::text).collect()
    }
}

impl From<Span> for Line {
    fn from(span: Span) -> Self {
        let mut line = Self::default();
        line.push(span);
        line
    }
}

impl FromIterator<Line> for Line {
    fn from_iter<I: IntoIterator<Item = Line>>(lines: I) -> Self {
        lines.into_iter().fold(Self::default(), Line::then)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_across_its_spans() {
        let line = Line::of("ring ", Label::Faint).with("14·r", Label::Plain).with(" 33·b", Label::Strong);
        assert_eq!(line.clone().cut(14).text(), "ring 14·r 33·b");
        assert_eq!(line.clone().cut(10).text(), "ring 14·r…");
        assert_eq!(line.clone().cut(9).text(), "ring 14·…");
        for columns in 0..20 {
            assert!(line.clone().cut(columns).width() <= columns);
        }
    }

    #[test]
    fn an_ellipsis_that_was_there_stays() {
        assert_eq!(Line::of("and so on…", Label::Plain).cut(10).text(), "and so on…");
    }

    #[test]
    fn strangers_cannot_reach_the_terminal() {
        let line = Line::of("\u{1b}[31mred\u{202e}\n", Label::Strong);
        assert_eq!(line.text(), "␛[31mred\\u{202e}␊");
        assert_eq!(render(&[line], false), "␛[31mred\\u{202e}␊\n");
    }

    #[test]
    fn colours_stand_around_the_text() {
        let line = Line::of("a ", Label::Plain).with("b", Style { label: Label::Plain, color: color_named("red") });
        assert_eq!(render(&[line], true), "a \u{1b}[31mb\u{1b}[0m\n");
    }

    #[test]
    fn every_colour_of_a_definition_is_known() {
        assert!(COLORS.iter().all(|name| color_named(name).is_some()));
        assert_eq!(color_named("bright-cyan"), Some(AnsiColor::BrightCyan));
        assert_eq!(color_named("teal"), None);
    }
}
