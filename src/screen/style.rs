//! Styled text as data, before it is written to the terminal.
//!
//! Drawing functions make [`Line`]s of [`Span`]s and label them by meaning, not by looks; only [`render`] turns them
//! into characters, with or without colour. A span makes every character visible that could move the cursor or reorder
//! text, so no text from a file reaches the terminal unchanged. Widths are terminal columns: a wide character takes
//! two, and text is only cut between grapheme clusters.

use crate::catalogue::say;
use crate::definition::COLORS;
use crate::diagnostic::visible;
use anstyle::AnsiColor;
use std::time::Duration;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// The mark for text that was cut off.
const ELLIPSIS: &str = "…";

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

/// The width of a text in terminal columns.
pub fn width(text: &str) -> usize {
    // Fast path: most texts are ASCII, without grapheme clusters to find.
    if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_control()) {
        return text.len();
    }
    text.graphemes(true).map(|character| character.width()).sum()
}

/// The text, cut to a number of columns; `…` replaces what was cut off.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(1) else { return String::new() };
    start(text, room).trim_end().to_owned() + ELLIPSIS
}

/// The longest prefix of a text that fits into a number of columns.
fn start(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let beyond = text.grapheme_indices(true).find(|(_, character)| {
        used += character.width();
        used > columns
    });
    beyond.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// The end of a path that is too long, cut before a folder: the file and the line matter most.
pub fn ending(path: &str, room: usize) -> String {
    let mut rest = path;
    while width(rest) + 2 > room && width(path) > room {
        match rest.split_once('/') {
            Some((_, behind)) => rest = behind,
            None => break,
        }
    }
    if rest.len() == path.len() { path.to_owned() } else { format!("…/{rest}") }
}

/// The text padded with blanks on the right, to a width in columns.
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", blanks_beside(text, columns))
}

/// The text padded with blanks on the left, to a width in columns.
pub fn pad_left(text: &str, columns: usize) -> String {
    format!("{}{text}", blanks_beside(text, columns))
}

fn blanks_beside(text: &str, columns: usize) -> String {
    " ".repeat(columns.saturating_sub(width(&visible(text))))
}

/// A styled text with escape sequences, for places that do not take lines.
pub fn styled(text: &str, style: impl Into<Style>) -> String {
    let style = style.into().rendered();
    format!("{style}{}{style:#}", visible(text))
}

/// A text wrapped at words; a word that is too long is cut. Lines may also end between wide characters, which are
/// written without blanks.
pub fn wrapped(text: &str, columns: usize) -> Vec<Line> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match words.last_mut() {
            // A number stays with its unit.
            Some(number) if word.starts_with('%') && number.ends_with(|last: char| last.is_ascii_digit()) => {
                number.extend([" ", word]);
            }
            _ => words.push(word.to_owned()),
        }
    }
    let mut lines: Vec<Line> = Vec::new();
    for word in &words {
        for (number, piece) in pieces(word).into_iter().enumerate() {
            let gap = usize::from(number == 0);
            let piece = Line::from(Span { text: visible(piece).into_owned(), style: Style::default() });
            match lines.last_mut() {
                Some(line) if line.width() + gap + piece.width() <= columns => {
                    line.blanks(gap);
                    line.append(piece);
                }
                _ => lines.push(piece.cut(columns)),
            }
        }
    }
    lines
}

/// Paragraphs, wrapped, with an empty line between them.
pub fn paragraphs(text: &str, columns: usize) -> Vec<Line> {
    let paragraphs: Vec<Vec<Line>> = text.split("\n\n").map(|paragraph| wrapped(paragraph, columns)).collect();
    paragraphs.join(&Line::default())
}

/// Characters that must not begin a line.
const NEVER_AT_LINE_START: &str = "、。，．・：；？！）」』】〉》〕”’ーぁぃぅぇぉっゃゅょァィゥェォッャュョ…";
/// Characters that must not end a line.
const OPENING: &str = "（「『【〈《〔“‘";

/// The parts of a word between which a line may end: behind wide characters, except around punctuation.
pub(super) fn pieces(word: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut begin = 0;
    let mut before: Option<&str> = None;
    for (place, letter) in word.grapheme_indices(true) {
        let may_end = before.is_some_and(|before| {
            (before.width() == 2 || letter.width() == 2)
                && !OPENING.contains(before)
                && !NEVER_AT_LINE_START.contains(letter)
        });
        if may_end {
            pieces.push(&word[begin..place]);
            begin = place;
        }
        before = Some(letter);
    }
    pieces.push(&word[begin..]);
    pieces
}

/// A text split into pieces that fit into a number of columns, at blanks where possible. Nothing is lost.
pub fn folded(text: &str, columns: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while width(rest) > columns {
        let fitting = start(rest, columns);
        let blank = fitting.rfind(' ').filter(|&blank| !fitting[..blank].trim().is_empty());
        let (piece, behind) = rest.split_at(blank.map_or(fitting.len(), |blank| blank + 1));
        if piece.is_empty() {
            break;
        }
        pieces.push(piece);
        rest = behind;
    }
    pieces.push(rest);
    pieces
}

/// Items one after the other, wrapped to lines with `gap` blanks between; an item that is too wide is cut.
pub fn flow(items: impl IntoIterator<Item = Line>, gap: usize, columns: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line.width() + gap + item.width() <= columns => {
                line.blanks(gap);
                line.append(item);
            }
            _ => lines.push(item.cut(columns)),
        }
    }
    lines
}

/// Lines wrapped to a screen's width, except for code.
pub fn within(lines: Vec<Line>, columns: usize) -> Vec<Line> {
    lines.into_iter().flat_map(|line| if line.is_code { vec![line] } else { line.broken(columns) }).collect()
}

/// Lines behind a lead, with hanging indentation.
pub fn hang(lead: Line, body: Vec<Line>) -> Vec<Line> {
    let indent = lead.width();
    let mut lines = vec![lead];
    for (number, text) in body.into_iter().enumerate() {
        if number > 0 {
            lines.push(Line::of_blanks(indent));
        }
        if let Some(line) = lines.last_mut() {
            line.append(text);
        }
    }
    lines
}

/// Two blocks side by side, the right one starting at a column.
pub fn beside(left: Vec<Line>, column: usize, right: Vec<Line>) -> Vec<Line> {
    let count = left.len().max(right.len());
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let row = |_| {
        let mut line = left.next().unwrap_or_default();
        if let Some(text) = right.next() {
            line.pad(column);
            line.append(text);
        }
        line
    };
    (0..count).map(row).collect()
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
        Self { text: visible(text.as_ref()).into_owned(), style: style.into() }
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
        width(&self.text)
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

    /// The line broken into pieces within `columns`, between words; a longer word is broken where necessary.
    #[must_use]
    pub fn broken(self, columns: usize) -> Vec<Line> {
        if self.width() <= columns {
            return vec![self];
        }
        let columns = columns.max(1);
        let mut lines = vec![Line::default()];
        for span in self.spans {
            let words = span.text.split_inclusive(' ');
            // Paths and settings are broken between their parts.
            let parts = words.flat_map(|word| match width(word.trim_end()) > columns {
                true => word.split_inclusive(['.', '=', '/', '-']).collect(),
                false => vec![word],
            });
            for piece in parts.flat_map(|part| folded(part, columns)) {
                let is_full = |line: &Line| line.width() + width(piece.trim_end()) > columns;
                if lines.last().is_some_and(|line| is_full(line) && !line.is_empty()) {
                    lines.push(Line::default());
                }
                if let Some(line) = lines.last_mut() {
                    line.push(Span { text: piece.to_owned(), style: span.style });
                }
            }
        }
        lines.iter_mut().for_each(Line::trim_end);
        lines
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
            Some(last) if last.style == span.style => last.text.push_str(&span.text),
            _ => self.spans.push(span),
        }
    }

    /// Appends another line.
    pub fn append(&mut self, other: Line) {
        other.spans.into_iter().for_each(|span| self.push(span));
    }

    /// Appends blanks.
    pub fn blanks(&mut self, count: usize) {
        self.push(Span { text: " ".repeat(count), style: Style::default() });
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
                line.push(Span { text: start(&span.text, room).to_owned(), style });
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
            span.text.truncate(span.text.trim_end().len());
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

/// An approximate duration: `40 s`, `3 min`, `2 h 10 min`, `15 h`.
pub fn time_in_words(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..90 => say!("{seconds} s"),
        seconds @ 90..5_400 => say!("{} min", (seconds + 30) / 60),
        seconds @ 5_400..36_000 => {
            let minutes = (seconds + 30) / 60;
            say!("{} h {} min", minutes / 60, minutes % 60)
        }
        seconds => say!("{} h", (seconds + 1_800) / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_between_whole_characters() {
        assert_eq!(cut("columns", 7), "columns");
        assert_eq!(cut("columns", 5), "colu…");
        assert_eq!(cut("捨て札の山", 7), "捨て札…");
        assert_eq!(cut("捨て札の山", 6), "捨て…");
        assert_eq!(cut("👨‍👩‍👧 family", 3), "👨‍👩‍👧…");
        assert_eq!(cut("anything", 1), "…");
        assert_eq!(cut("anything", 0), "");
    }

    #[test]
    fn texts_of_plain_letters_are_as_wide_as_their_characters() {
        for pair in (0..1 << 14).map(|number: u16| [(number >> 7) as u8, (number & 127) as u8]) {
            let text = String::from_utf8_lossy(&pair);
            assert_eq!(
                width(&text),
                text.graphemes(true).map(|character| character.width()).sum::<usize>(),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_number_keeps_its_unit() {
        let text =
            |columns| wrapped("seat 0 % (0 to 16 %), luck 61 %", columns).iter().map(Line::text).collect::<Vec<_>>();
        assert_eq!(text(20), ["seat 0 % (0 to", "16 %), luck 61 %"]);
        assert_eq!(text(6), ["seat", "0 % (0", "to", "16 %),", "luck", "61 %"]);
    }

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

    #[test]
    fn padding_counts_what_will_be_shown() {
        assert_eq!(pad("列", 4), "列  ");
        assert_eq!(pad_left("12", 4), "  12");
        assert_eq!(Line::plain(pad("\u{202e}", 10)).width(), 10);
    }

    #[test]
    fn a_folded_text_loses_nothing() {
        assert_eq!(folded("let card = one", 8), ["let ", "card = ", "one"]);
        assert_eq!(folded("    abcdefgh", 6), ["    ab", "cdefgh"]);
        assert_eq!(folded("列列", 1), ["列列"]);
        assert_eq!(folded("", 4), [""]);
    }

    #[test]
    fn what_is_wider_than_the_screen_is_broken_between_words_but_code_is_not() {
        let lines = vec![Line::plain("delete what does not matter"), Line::code("    x = { a = 1, b = 2 }")];
        let texts: Vec<String> = within(lines.clone(), 18).iter().map(Line::text).collect();
        assert_eq!(texts, ["delete what does", "not matter", "    x = { a = 1, b = 2 }"]);
        assert_eq!(within(lines.clone(), 80), lines);
    }

    #[test]
    fn items_flow_from_line_to_line() {
        let items = ["4·k", "11·p", "20·r"].map(|text| Line::of(text, Label::Plain));
        let texts = |columns| flow(items.clone(), 1, columns).iter().map(Line::text).collect::<Vec<_>>();
        assert_eq!(texts(13), ["4·k 11·p 20·r"]);
        assert_eq!(texts(12), ["4·k 11·p", "20·r"]);
        assert_eq!(texts(3), ["4·k", "11…", "20…"]);
    }

    #[test]
    fn times_are_told_as_exactly_as_anybody_wants() {
        let times = [0, 89, 90, 200, 5_399, 5_400, 13_849, 36_000, 52_000];
        let told = times.map(|seconds| time_in_words(Duration::from_secs(seconds)));
        let expected = ["0 s", "89 s", "2 min", "3 min", "90 min", "1 h 30 min", "3 h 51 min", "10 h", "14 h"];
        assert_eq!(told, expected);
    }
}
