//! Styled text as data: what is shown to a person, before it meets the terminal.
//!
//! Whoever draws makes [`Line`]s of [`Span`]s and labels them by what they are, not by how they look; [`render`] alone
//! turns them into characters, with colour or without. A span makes every character visible that could move the cursor
//! or reorder text, so nothing that came from a file can reach the terminal as it was. Widths are columns of the
//! terminal: a wide character takes two, and text is only ever cut between whole characters as people see them.

use crate::catalogue::say;
use crate::definition::COLORS;
use crate::diagnostic::visible;
use anstyle::AnsiColor;
use std::time::Duration;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// What stands where text was cut off.
const ELLIPSIS: &str = "…";

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Label {
    /// Text like any other.
    #[default]
    Plain,
    /// What the eye should find first: the game's name, a score.
    Strong,
    /// What is there for whoever looks for it: names of zones, notes, counts.
    Faint,
    /// What a person is asked.
    Prompt,
    /// What went wrong, or is gone.
    Error,
    /// Whose turn it is.
    Turn,
    /// The number of an option.
    Number,
    /// What is new, or better than before.
    Gain,
}

/// What a piece of text is, with the colour that a definition gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Style {
    /// What it is.
    pub label: Label,
    /// A colour of its own, such as that of a suit.
    pub color: Option<AnsiColor>,
}

/// A piece of text in one style, without anything that could disturb a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    text: String,
    style: Style,
}

/// One line of styled text.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Line {
    spans: Vec<Span>,
    /// Whether it is code, which people copy.
    is_code: bool,
}

/// The colour of that name among [`COLORS`].
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

/// The lines as text, each with its line end; with escape sequences for colours or without.
pub fn render(lines: &[Line], color: bool) -> String {
    let mut text = String::new();
    for line in lines {
        for span in &line.spans {
            let style = if color { span.style.rendered() } else { anstyle::Style::new() };
            // An unstyled span is written without any escape.
            text.push_str(&format!("{style}{}{style:#}", span.text));
        }
        text.push('\n');
    }
    text
}

/// How many columns of a terminal a text takes.
pub fn width(text: &str) -> usize {
    // Most texts are, and where whole characters begin need not be found out.
    if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_control()) {
        return text.len();
    }
    text.graphemes(true).map(|character| character.width()).sum()
}

/// The text, cut to a number of columns; `…` stands for what was cut off.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(1) else { return String::new() };
    start(text, room).trim_end().to_owned() + ELLIPSIS
}

/// As many characters from the start of a text as fit into a number of columns.
fn start(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let beyond = text.grapheme_indices(true).find(|(_, character)| {
        used += character.width();
        used > columns
    });
    beyond.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// The end of a path that is too long, from a folder on: the file and the line matter most.
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

/// The text with blanks behind it, so that it is that wide once it is shown.
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", blanks_beside(text, columns))
}

/// The text with blanks before it, so that it ends at that column once it is shown.
pub fn pad_left(text: &str, columns: usize) -> String {
    format!("{}{text}", blanks_beside(text, columns))
}

fn blanks_beside(text: &str, columns: usize) -> String {
    " ".repeat(columns.saturating_sub(width(&visible(text))))
}

/// A text in a style with its escape sequences, for places that take no lines.
pub fn styled(text: &str, style: impl Into<Style>) -> String {
    let style = style.into().rendered();
    format!("{style}{}{style:#}", visible(text))
}

/// A text in lines of whole words; a word that no line has room for is cut. Between wide characters a line may end
/// too, for they are written without blanks.
pub fn wrapped(text: &str, columns: usize) -> Vec<Line> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match words.last_mut() {
            // A number keeps its unit.
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

/// Paragraphs in lines, with an empty line between them.
pub fn paragraphs(text: &str, columns: usize) -> Vec<Line> {
    let paragraphs: Vec<Vec<Line>> = text.split("\n\n").map(|paragraph| wrapped(paragraph, columns)).collect();
    paragraphs.join(&Line::default())
}

/// Signs that no line begins with.
const NEVER_AT_LINE_START: &str = "、。，．・：；？！）」』】〉》〕”’ーぁぃぅぇぉっゃゅょァィゥェォッャュョ…";
/// Signs that no line ends with.
const OPENING: &str = "（「『【〈《〔“‘";

/// The parts of a word between which a line may end: behind each wide character, unless that would tear a sign off.
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

/// A text in pieces that fit into a number of columns, broken behind a blank where there is one. Nothing is lost.
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

/// Lines of items one after the other, with blanks between; an item that no line has room for is cut.
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

/// Lines for a screen of so many columns: one that is wider goes on below, between words, but for code.
pub fn within(lines: Vec<Line>, columns: usize) -> Vec<Line> {
    lines.into_iter().flat_map(|line| if line.is_code { vec![line] } else { line.broken(columns) }).collect()
}

/// The lines with something before the first, and as many blanks before the others.
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

/// Two blocks side by side, the right one beginning at a column.
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
    /// A text in a style. Control characters and whatever reorders text become visible.
    pub fn new(text: impl AsRef<str>, style: impl Into<Style>) -> Self {
        Self { text: visible(text.as_ref()).into_owned(), style: style.into() }
    }

    /// The text as it is shown.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its style.
    pub fn style(&self) -> Style {
        self.style
    }

    /// How many columns it takes.
    pub fn width(&self) -> usize {
        width(&self.text)
    }
}

impl Line {
    /// A line of one text in one style.
    pub fn of(text: impl AsRef<str>, style: impl Into<Style>) -> Self {
        Self::from(Span::new(text, style))
    }

    /// A line of text like any other.
    pub fn plain(text: impl AsRef<str>) -> Self {
        Self::of(text, Label::Plain)
    }

    /// A line of code: it stays whole however narrow the screen is, for half a line is not what people want to copy.
    pub fn code(text: impl AsRef<str>) -> Self {
        Self { is_code: true, ..Self::plain(text) }
    }

    /// A line that the eye should find first.
    pub fn strong(text: impl AsRef<str>) -> Self {
        Self::of(text, Label::Strong)
    }

    /// A line for whoever looks for it.
    pub fn faint(text: impl AsRef<str>) -> Self {
        Self::of(text, Label::Faint)
    }

    /// A line of blanks.
    pub fn of_blanks(count: usize) -> Self {
        let mut line = Self::default();
        line.blanks(count);
        line
    }

    /// The line in pieces that fit into so many columns, broken between words; a longer word is broken where it has to be.
    #[must_use]
    pub fn broken(self, columns: usize) -> Vec<Line> {
        if self.width() <= columns {
            return vec![self];
        }
        let columns = columns.max(1);
        let mut lines = vec![Line::default()];
        for span in self.spans {
            let words = span.text.split_inclusive(' ');
            // Paths and what is set are broken where their parts are.
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

    /// The line with a text behind it.
    #[must_use]
    pub fn with(mut self, text: impl AsRef<str>, style: impl Into<Style>) -> Self {
        self.push(Span::new(text, style));
        self
    }

    /// The line with another behind it.
    #[must_use]
    pub fn then(mut self, other: Line) -> Self {
        self.append(other);
        self
    }

    /// Puts a span behind the line.
    pub fn push(&mut self, span: Span) {
        match self.spans.last_mut() {
            _ if span.text.is_empty() => {}
            Some(last) if last.style == span.style => last.text.push_str(&span.text),
            _ => self.spans.push(span),
        }
    }

    /// Puts another line behind the line.
    pub fn append(&mut self, other: Line) {
        other.spans.into_iter().for_each(|span| self.push(span));
    }

    /// Puts blanks behind the line.
    pub fn blanks(&mut self, count: usize) {
        self.push(Span { text: " ".repeat(count), style: Style::default() });
    }

    /// Puts blanks behind the line until it is that wide.
    pub fn pad(&mut self, columns: usize) {
        self.blanks(columns.saturating_sub(self.width()));
    }

    /// The line with blanks behind it, so that it is that wide.
    #[must_use]
    pub fn padded(mut self, columns: usize) -> Self {
        self.pad(columns);
        self
    }

    /// The line with blanks before it, so that it ends at that column.
    #[must_use]
    pub fn right(self, columns: usize) -> Self {
        Self::of_blanks(columns.saturating_sub(self.width())).then(self)
    }

    /// The line in one style, as for what is no longer in effect.
    #[must_use]
    pub fn restyled(self, style: impl Into<Style>) -> Self {
        Self::of(self.text(), style)
    }

    /// The line, cut to a number of columns, without blanks at its end.
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

    /// Takes blanks away from the end.
    pub fn trim_end(&mut self) {
        while let Some(span) = self.spans.last_mut() {
            span.text.truncate(span.text.trim_end().len());
            if !span.text.is_empty() {
                return;
            }
            self.spans.pop();
        }
    }

    /// How many columns it takes.
    pub fn width(&self) -> usize {
        self.spans.iter().map(Span::width).sum()
    }

    /// True where nothing is on it.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The pieces it is made of.
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

/// About how long: `40 s`, `3 min`, `2 h 10 min`, `15 h`.
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
