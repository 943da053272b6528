//! What is said to a person when something is wrong: where, what was expected, how to go on.
//!
//! Every part of the host reports trouble as a [`Diagnostic`]: plain data that names a file, a place in it and the
//! words for it. Only [`Diagnostic::render`] turns one into text, so all of them look alike and none of them lets a
//! control character of a stranger's file reach the terminal.

use annotate_snippets::{AnnotationKind, Element, Level, Message, Renderer, Snippet};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The largest file that is read: parsing a bigger script could take seconds, and no rulebook is that long.
pub const MAX_SOURCE_BYTES: usize = 64 * 1024;

/// A text that diagnostics can quote: one file, or what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// How the text is called in messages: a path relative to where the person works, `--set`, or `eval`.
    pub name: String,
    /// The text itself, with `\n` line ends and without a byte order mark.
    pub text: String,
    /// How many lines of the file stand before the text; 0 where the text is the whole file.
    pub lines_before: usize,
}

/// One piece of trouble, told with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// One sentence, in lower case, without a full stop.
    pub message: String,
    /// The place that is to blame, with a few words to stand at the caret.
    pub place: Option<Place>,
    /// Further places: the chain of calls, the other half of a conflict.
    pub related: Vec<Place>,
    /// What was expected, the nearest name, what to do next; a sentence each.
    pub help: Vec<String>,
    /// What kind of finding it is, where it is one of those that [`codes`](crate::script::codes) explain.
    pub code: Option<&'static Code>,
}

/// A kind of finding.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Its name, which stays the same.
    pub name: &'static str,
    /// Whether rules with it are refused.
    pub is_error: bool,
    /// What it is, in one sentence.
    pub title: &'static str,
    /// What is behind it, and what to do.
    pub explanation: &'static str,
    /// Rules that it is found in: lines of a script, of a TOML file, or both, each behind a line that says where.
    pub example: &'static str,
    /// The same as it should be.
    pub instead: &'static str,
}

/// A stretch of a source with a few words about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The text that the place lies in.
    pub source: Arc<Source>,
    /// Bytes of the text; empty where only a point is known.
    pub span: Range<usize>,
    /// Words to stand at the caret; may be empty.
    pub label: String,
}

impl Source {
    /// A source of this name and text; the text is [cleaned](Source::clean).
    pub fn new(name: impl Into<String>, text: impl AsRef<str>) -> Arc<Source> {
        Arc::new(Source { name: name.into(), text: Source::clean(text.as_ref()).into_owned(), lines_before: 0 })
    }

    /// A text that stands in a file behind so many lines, character for character.
    pub fn within(name: impl Into<String>, lines_before: usize, text: impl Into<String>) -> Arc<Source> {
        Arc::new(Source { name: name.into(), text: text.into(), lines_before })
    }

    /// The text of a file of at most so many bytes, which is called `name` in messages.
    ///
    /// # Errors
    ///
    /// If there are more bytes, or they are not UTF-8.
    pub fn from_bytes(name: &str, bytes: Vec<u8>, most: u64) -> Result<Arc<Source>, Diagnostic> {
        if bytes.len() as u64 > most {
            return Err(Source::too_large(name, most));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Source::new(name, text)),
            Err(error)
                if error.as_bytes().starts_with(&[0xff, 0xfe]) || error.as_bytes().starts_with(&[0xfe, 0xff]) =>
            {
                Err(Diagnostic::new(format!("`{name}` is UTF-16 text")).help("save it as UTF-8"))
            }
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                Err(Diagnostic::new(format!(
                    "`{name}` is not UTF-8 text: the byte at offset {offset} fits no character"
                ))
                .help("save it as UTF-8"))
            }
        }
    }

    /// That a file has more than so many bytes.
    pub(crate) fn too_large(name: &str, most: u64) -> Diagnostic {
        Diagnostic::new(format!("`{name}` is larger than {} KiB", most / 1024))
    }

    /// The text as every part of the host wants it: no byte order mark at its start, and `\n` for `\r\n`.
    pub fn clean(text: &str) -> Cow<'_, str> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.contains("\r\n") { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) }
    }

    /// Line and column of a byte, both counted from 1; the column counts characters.
    ///
    /// A byte beyond the end stands for the end, a byte within a character for that character.
    pub fn position(&self, byte: usize) -> (usize, usize) {
        let before = &self.text[..floor_boundary(&self.text, byte)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        (self.lines_before + line, before[line_start..].chars().count() + 1)
    }

    /// The byte at a line and column, both counted from 1: the opposite of [`position`](Source::position).
    ///
    /// A column beyond its line stands for the line's end, a line beyond the text for the text's end.
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let Some(start) = self.line_start(line) else { return self.text.len() };
        let line = self.line(line);
        start + line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(byte, _)| byte)
    }

    /// The text of a line, counted from 1, without its line end; empty where there is no such line.
    pub fn line(&self, line: usize) -> &str {
        let rest = self.line_start(line).map_or("", |start| &self.text[start..]);
        rest.split('\n').next().unwrap_or("")
    }

    /// The byte at which a line, counted from 1, starts.
    fn line_start(&self, line: usize) -> Option<usize> {
        match line.saturating_sub(self.lines_before) {
            0 | 1 => Some(0),
            line => self.text.match_indices('\n').nth(line - 2).map(|(newline, _)| newline + 1),
        }
    }
}

impl Code {
    /// `error` or `warning`.
    pub fn severity(&self) -> &'static str {
        if self.is_error { "error" } else { "warning" }
    }

    /// All that there is to say of it.
    pub fn in_words(&self) -> String {
        let mut text = format!("{} ({}): {}\n\n{}\n", self.name, self.severity(), self.title, self.explanation);
        for (head, rules) in [("Such rules have it:", self.example), ("These do not:", self.instead)] {
            if !rules.is_empty() {
                let lines: Vec<String> = rules.lines().map(|line| format!("    {line}")).collect();
                text.push_str(&format!("\n{head}\n\n{}\n", lines.join("\n")));
            }
        }
        text.truncate(text.trim_end().len());
        text
    }
}

impl Place {
    /// A place in `source`, with words to stand at the caret.
    pub fn new(source: &Arc<Source>, span: Range<usize>, label: impl Into<String>) -> Place {
        Place { source: Arc::clone(source), span, label: label.into() }
    }

    /// Line and column, both counted from 1, at which the place starts.
    pub fn position(&self) -> (usize, usize) {
        self.source.position(self.span.start)
    }
}

impl Diagnostic {
    /// Trouble without a place yet. `message` is one sentence, in lower case, without a full stop.
    pub fn new(message: impl Into<String>) -> Diagnostic {
        Diagnostic { message: message.into(), place: None, related: Vec::new(), help: Vec::new(), code: None }
    }

    /// Names the place that is to blame.
    #[must_use]
    pub fn at(mut self, place: Place) -> Diagnostic {
        self.place = Some(place);
        self
    }

    /// Says what kind of finding it is, unless that has been said.
    #[must_use]
    pub fn coded(mut self, code: &'static Code) -> Diagnostic {
        self.code.get_or_insert(code);
        self
    }

    /// Adds a sentence that helps on.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn related(mut self, place: Place) -> Diagnostic {
        self.related.push(place);
        self
    }

    /// Names the place that is to blame, where it is known.
    #[must_use]
    pub fn at_maybe(self, place: Option<Place>) -> Diagnostic {
        match place {
            Some(place) => self.at(place),
            None => self,
        }
    }

    /// Adds a further place, where it is known.
    #[must_use]
    pub fn related_maybe(self, place: Option<Place>) -> Diagnostic {
        match place {
            Some(place) => self.related(place),
            None => self,
        }
    }

    /// Asks whether the one of `known` was meant that is [near](nearest) to `name`, if any is.
    #[must_use]
    pub fn near<'a>(mut self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        self.help.extend(did_you_mean(name, known));
        self
    }

    /// As [`near`](Diagnostic::near), and helps on otherwise where none is.
    #[must_use]
    pub fn near_or<'a>(
        self,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
        otherwise: impl Into<String>,
    ) -> Diagnostic {
        let help = did_you_mean(name, known).unwrap_or_else(|| otherwise.into());
        self.help(help)
    }

    /// Names the place where somebody asked for what is wrong: the place to blame where there is no other, and in place
    /// of what was typed there, otherwise one more place.
    #[must_use]
    pub fn asked_for_at(mut self, asked: Option<Place>) -> Diagnostic {
        let Some(mut asked) = asked else { return self };
        let Some(place) = &self.place else { return self.at(asked) };
        let Some(typed) = asked.source.text.get(asked.span.clone()) else { return self };
        match typed.find(&place.source.text) {
            // What was typed stands in the file character for character, so the very part of it can be shown.
            Some(found) if !place.source.text.is_empty() => {
                let start = asked.span.start + found;
                asked.span = start + place.span.start..start + place.span.end;
                asked.label.clone_from(&place.label);
                self.place = Some(asked);
                self
            }
            _ => self.related(asked),
        }
    }

    /// The whole diagnostic as text, in the style of rustc, without a line end after its last line.
    ///
    /// `color` adds escape codes; nothing that came from a file can add any.
    pub fn render(&self, color: bool) -> String {
        self.render_as(Level::ERROR, color, None)
    }

    /// As [`render`](Diagnostic::render), for a terminal of so many columns: sentences are wrapped, and source lines cut
    /// around their place. Only paths stay whole, so that they can be copied.
    pub fn render_within(&self, color: bool, columns: Option<usize>) -> String {
        self.render_as(Level::ERROR, color, columns)
    }

    /// As [`render`](Diagnostic::render), for what is allowed but probably not meant.
    pub fn render_warning(&self, color: bool) -> String {
        self.render_as(Level::WARNING, color, None)
    }

    /// As [`render`](Diagnostic::render), for what was done and is as it should be.
    pub fn render_note(&self, color: bool) -> String {
        self.render_as(Level::NOTE, color, None)
    }

    /// As [`render_within`](Diagnostic::render_within), for what is allowed but probably not meant.
    pub fn render_warning_within(&self, color: bool, columns: Option<usize>) -> String {
        self.render_as(Level::WARNING, color, columns)
    }

    fn render_as(&self, level: Level<'_>, color: bool, columns: Option<usize>) -> String {
        // Beside its caret a long label would hang over the edge, so it becomes a note.
        let is_too_wide = |columns| {
            let drawn = self.laid_out(level.clone(), false, Some(columns), true);
            drawn.lines().any(|line| line.width() > columns && !is_a_path(line))
        };
        let columns = columns.map(|columns| columns.max(LEAST_LINE_WIDTH));
        let with_labels = columns.is_none_or(|columns| !is_too_wide(columns));
        self.laid_out(level, color, columns, with_labels)
    }

    fn laid_out(&self, level: Level<'_>, color: bool, columns: Option<usize>, with_labels: bool) -> String {
        let places = self.place.iter().map(|place| (AnnotationKind::Primary, place));
        let related = self.related.iter().map(|place| (AnnotationKind::Context, place));
        let places = places.chain(related);
        let digits = places.clone().map(|(_, place)| place.position().0.to_string().len()).max().unwrap_or(0);
        let width = columns.unwrap_or(MAX_LINE_WIDTH);
        let most = MAX_SPAN_CHARS.min(width / 2);
        let wrap = |text: String, lead: usize| match columns {
            Some(columns) => wrapped(&text, columns.saturating_sub(lead)),
            None => text,
        };
        let mut elements: Vec<Element<'_>> = Vec::new();
        let mut notes: Vec<String> = Vec::new();
        for (kind, place) in places {
            let path = clipped(&place.source.name, MAX_MESSAGE_CHARS);
            let excerpt = Excerpt::of(place, most);
            let mut label = (!place.label.is_empty()).then(|| clipped(&place.label, MAX_MESSAGE_CHARS));
            if !with_labels {
                notes.extend(label.take());
            }
            let annotation = kind.span(excerpt.span).label(label);
            let snippet = Snippet::source(excerpt.text).path(path).line_start(place.position().0);
            elements.push(snippet.annotation(annotation).into());
        }
        // ` = note: ` stands before them, and the number of the line before that.
        let lead = digits + " = help: ".len() + 1;
        for note in notes {
            let message: Message<'_> = Level::NOTE.message(wrap(note, lead));
            elements.push(message.into());
        }
        for help in &self.help {
            let message: Message<'_> = Level::HELP.message(wrap(clipped(help, MAX_HELP_CHARS), lead));
            elements.push(message.into());
        }
        let head = "warning: ".len() + self.code.map_or(0, |code| code.name.len() + 2);
        let title = level.primary_title(wrap(clipped(&self.message, MAX_MESSAGE_CHARS), head));
        let title = match self.code {
            Some(code) => title.id(code.name),
            None => title,
        };
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        renderer.term_width(width).render(&[title.elements(elements)])
    }

    /// The diagnostic for other programs: `message`, `file`, `line`, `column`, `label`, `help`, `related`, and
    /// the `code` of what `check` finds.
    ///
    /// Where no place is known, `file`, `line`, `column` and `label` are null.
    pub fn to_json(&self) -> serde_json::Value {
        let mut object = serde_json::Map::new();
        object.insert("message".into(), visible(&self.message).into());
        object.extend(place_fields(self.place.as_ref()));
        object.insert("help".into(), self.help.iter().map(|help| visible(help).into_owned()).collect());
        let related = self.related.iter().map(|place| serde_json::Value::Object(place_fields(Some(place)).collect()));
        object.insert("related".into(), related.collect());
        object.extend(self.code.map(|code| ("code".to_owned(), code.name.into())));
        serde_json::Value::Object(object)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.render(false))
    }
}

impl std::error::Error for Diagnostic {}

/// The text with every character made visible that could move the cursor, hide or reorder other text.
///
/// Control characters become their pictures (`␛` for ESC, `␊` for a line end), bidirectional overrides and other
/// invisible characters become `\u{202e}`. Whatever comes from a file passes through here before it is shown.
pub fn visible(text: &str) -> Cow<'_, str> {
    made_visible(text, false)
}

/// As [`visible`], but line ends stay line ends: for texts that are meant to have several lines.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    made_visible(text, true)
}

/// The one of `names` that was probably meant by `wanted`, if any is near.
///
/// Letter case does not count. Of several equally near names the first in alphabetical order is taken, so that the
/// answer does not depend on the order of the names.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    let length = wanted.chars().count();
    // Comparing takes time by length times length, and nobody mistypes so much.
    if length == 0 || length > MAX_NAME_CHARS {
        return None;
    }
    let distance = |name: &str| {
        let name = name.to_lowercase();
        let longer = name.chars().count().max(length);
        if longer > MAX_NAME_CHARS {
            return None;
        }
        let distance = strsim::damerau_levenshtein(&wanted, &name);
        let is_typo = distance < longer && distance <= (longer / 3).max(1);
        let is_beginning = length >= 3 && name.starts_with(&wanted);
        // The beginning of a name is a weaker sign than a slip of the finger, so it counts from behind all of those.
        if is_typo { Some(distance) } else { is_beginning.then_some(MAX_NAME_CHARS + distance) }
    };
    let near = names.into_iter().filter_map(|name| Some((distance(name)?, name)));
    near.min().map(|(_, name)| name)
}

/// "did you mean `x`?", if one of `names` is [near](nearest) to `wanted`.
pub fn did_you_mean<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(wanted, names).map(|name| format!("did you mean `{name}`?"))
}

/// That there is no `what` with this name: with the nearest of those that there are, or else the first of them.
pub fn unknown<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    let known: Vec<&str> = known.into_iter().collect();
    let others = there_are(what, known.iter().copied());
    unknown_or(what, name, known, others)
}

/// As [`unknown`], for what is too much to be listed: `otherwise` says how to go on where nothing is near.
pub fn unknown_or<'a>(
    what: &str,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: impl Into<String>,
) -> Diagnostic {
    Diagnostic::new(format!("there is no {what} `{name}`")).near_or(name, known, otherwise)
}

/// What there is of `what`, by name; of many the first.
pub fn there_are<'a>(what: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut known = known.into_iter();
    let first: Vec<&str> = known.by_ref().take(MOST_LISTED).collect();
    match (first.as_slice(), known.count()) {
        ([], _) => format!("there is no {what} at all"),
        ([only], 0) => format!("there is only `{only}`"),
        (several, 0) => format!("there are {}", listed(several.iter().copied())),
        (several, more) => {
            let several: Vec<String> = several.iter().map(|name| format!("`{name}`")).collect();
            format!("there are {} and {more} more", several.join(", "))
        }
    }
}

/// `a`, `b` and `c`.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    joined(names, "and")
}

/// `a`, `b` or `c`.
pub fn either<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    joined(names, "or")
}

fn joined<'a>(names: impl IntoIterator<Item = &'a str>, last: &str) -> String {
    let mut names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match (names.pop(), names.is_empty()) {
        (None, _) => "none".to_owned(),
        (Some(only), true) => only,
        (Some(end), false) => format!("{} {last} {end}", names.join(", ")),
    }
}

/// How many of what there is are named to somebody who named something else.
const MOST_LISTED: usize = 12;
/// Longer messages and labels are cut when shown: they quote names, and a name can be as long as its file.
const MAX_MESSAGE_CHARS: usize = 300;
/// Help lists what exists, which may take more room.
const MAX_HELP_CHARS: usize = 1_000;
/// Longest name that is compared with others.
const MAX_NAME_CHARS: usize = 64;
/// How much of a place is quoted, and how wide a line with its number may be.
const MAX_SPAN_CHARS: usize = 60;
const MAX_LINE_WIDTH: usize = 120;
/// Narrower terminals get messages of this width.
const LEAST_LINE_WIDTH: usize = 40;

/// One line of a source as it is quoted.
///
/// Every character stands for one character of the line, so that the renderer counts columns rightly; it also expands
/// tabs, and cuts a line that is too long around the place.
struct Excerpt {
    text: String,
    /// Bytes of `text` under which the carets stand.
    span: Range<usize>,
}

impl Excerpt {
    /// The line in which the place starts, with carets under at most so many characters. Of a place of several lines only
    /// the first is quoted.
    fn of(place: &Place, most: usize) -> Excerpt {
        let text = &place.source.text;
        let start = floor_boundary(text, place.span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
        let end = floor_boundary(text, place.span.end).clamp(start, line_end);

        let mut excerpt = quoted(&text[line_start..start]);
        let span_start = excerpt.len();
        let marked = text[start..end].char_indices().nth(most).map_or(end, |(beyond, _)| start + beyond);
        excerpt.push_str(&quoted(&text[start..marked]));
        let span = span_start..excerpt.len();
        excerpt.push_str(&quoted(&text[marked..line_end]));
        Excerpt { text: excerpt, span }
    }
}

/// Whether a rendered line names a file.
fn is_a_path(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("--> ") || line.starts_with("::: ")
}

/// A text in lines of so many columns. It is broken between words, and within what is too long for a line or written
/// without blanks.
fn wrapped(text: &str, columns: usize) -> String {
    let mut lines = String::with_capacity(text.len() + 8);
    let mut used = 0;
    for (number, word) in text.split(' ').enumerate() {
        let blank = usize::from(number > 0);
        let is_breakable = word.width() > columns || word.chars().any(|character| character.width() == Some(2));
        if used + blank + word.width() <= columns {
            lines.extend(std::iter::repeat_n(' ', blank));
            lines.push_str(word);
            used += blank + word.width();
            continue;
        }
        if is_breakable && used + blank + 2 <= columns {
            lines.extend(std::iter::repeat_n(' ', blank));
            used += blank;
        } else {
            lines.push('\n');
            used = 0;
        }
        for character in word.chars() {
            let width = character.width().unwrap_or(0);
            if used + width > columns && used > 0 {
                lines.push('\n');
                used = 0;
            }
            lines.push(character);
            used += width;
        }
    }
    lines
}

/// A part of a line with every treacherous character replaced by one harmless character.
fn quoted(text: &str) -> String {
    let harmless = |character| match character {
        '\t' => '\t',
        '\0'..='\x1f' | '\x7f' => picture(character),
        _ if is_treacherous(character) => char::REPLACEMENT_CHARACTER,
        _ => character,
    };
    text.chars().map(harmless).collect()
}

/// What JSON says of a place.
fn place_fields(place: Option<&Place>) -> impl Iterator<Item = (String, serde_json::Value)> + use<> {
    use serde_json::Value;
    let fields = match place {
        Some(place) => {
            let (line, column) = place.position();
            [visible(&place.source.name).into(), line.into(), column.into(), visible(&place.label).into()]
        }
        None => [Value::Null, Value::Null, Value::Null, Value::Null],
    };
    ["file", "line", "column", "label"].map(str::to_owned).into_iter().zip(fields)
}

/// The visible form of a text that may be cut; a cut is shown as `…`.
fn clipped(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", visible(&text[..end])),
        None => visible(text).into_owned(),
    }
}

fn made_visible(text: &str, keep_line_ends: bool) -> Cow<'_, str> {
    if !text.chars().any(is_treacherous) {
        return Cow::Borrowed(text);
    }
    let mut seen = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '\n' if keep_line_ends => seen.push('\n'),
            '\0'..='\x1f' | '\x7f' => seen.push(picture(character)),
            _ if is_treacherous(character) => seen.extend(character.escape_unicode()),
            _ => seen.push(character),
        }
    }
    Cow::Owned(seen)
}

/// The picture of a control character: `␛` for ESC.
fn picture(character: char) -> char {
    match character {
        '\0'..='\x1f' => char::from_u32(0x2400 + character as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7f' => '\u{2421}',
        _ => character,
    }
}

/// Whether a character can move the cursor, hide or reorder other text. The joiners that emoji are made with cannot.
pub(crate) fn is_treacherous(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{2060}' | '\u{feff}'
            | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// The last character boundary at or before `byte`.
fn floor_boundary(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(diagnostic: &Diagnostic, expected: &str) {
        let actual = diagnostic.render(false);
        assert_eq!(actual.trim_end(), expected.trim(), "\n{actual}");
    }

    fn place(text: &str, wanted: &str, label: &str) -> Place {
        let source = Source::new("game.toml", text);
        let start = source.text.find(wanted).unwrap_or(source.text.len());
        Place::new(&source, start..start + wanted.len(), label)
    }

    #[test]
    fn a_diagnostic_shows_place_label_relatives_and_help() {
        let diagnostic = Diagnostic::new("unknown key `coler`")
            .at(place("[a]\n\tcoler = '日本'\n", "coler", "not a key of a zone"))
            .related(place("color = 1", "color", "declared here"))
            .help("did you mean `color`?")
            .help("a zone has `name` and `order`");
        check(
            &diagnostic,
            "
error: unknown key `coler`
 --> game.toml:2:2
  |
2 |     coler = '日本'
  |     ^^^^^ not a key of a zone
  |
 ::: game.toml:1:1
  |
1 | color = 1
  | ----- declared here
  |
  = help: did you mean `color`?
  = help: a zone has `name` and `order`",
        );
        check(&Diagnostic::new("no place"), "error: no place");
        assert!(diagnostic.render_warning(false).starts_with("warning: unknown key"));
        assert!(diagnostic.render(true).contains("\u{1b}["));
        let json = diagnostic.to_json();
        assert_eq!(
            json.to_string(),
            r#"{"message":"unknown key `coler`","file":"game.toml","line":2,"column":2,"label":"not a key of a zone","help":["did you mean `color`?","a zone has `name` and `order`"],"related":[{"file":"game.toml","line":1,"column":1,"label":"declared here"}]}"#
        );
    }

    #[test]
    fn carets_stand_under_wide_characters_ends_and_empty_files() {
        check(
            &Diagnostic::new("x").at(place("a = '日本' 'b'", "'b'", "")),
            "
error: x
 --> game.toml:1:10
  |
1 | a = '日本' 'b'
  |            ^^^",
        );
        check(
            &Diagnostic::new("x").at(Place::new(&Source::new("f", "ab"), 2..2, "here")),
            "
error: x
 --> f:1:3
  |
1 | ab
  |   ^ here",
        );
        for text in ["", "\n", "é", "\n\n日\n"] {
            let source = Source::new("f", text);
            for start in 0..9 {
                for end in 0..9 {
                    Diagnostic::new("x").at(Place::new(&source, start..end, "y")).render(false);
                }
            }
        }
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{} wrong {}", "a ".repeat(30_000), "b ".repeat(100));
        let rendered = Diagnostic::new("x").at(place(&text, "wrong", "here")).render(false);
        assert!(rendered.contains("game.toml:1:60002"), "{rendered}");
        assert!(
            rendered.contains("... a a ") && rendered.contains(" wrong b") && rendered.contains("b ..."),
            "{rendered}"
        );
        let source = Source::new("f", &text);
        for start in [0, 1, 500, 60_000, 60_199, 60_208] {
            for (length, label) in [(0, ""), (1, "here"), (70_000, "long"), (5, &*"label ".repeat(10_000))] {
                let place = Place::new(&source, start..start + length, label);
                let rendered = Diagnostic::new("x").at(place.clone()).related(place).render(false);
                assert!(rendered.lines().all(|line| line.chars().count() < 130 + label.len().min(400)), "{rendered}");
            }
        }
    }

    #[test]
    fn nothing_from_a_file_reaches_the_terminal_raw() {
        let nasty = "\u{1b}[2J\u{202e}\u{9b}\r\u{7}\u{2066}";
        let source = Source::new(format!("f{nasty}"), format!("x{nasty}y\n"));
        let place = Place::new(&source, 0..1, format!("l{nasty}\n"));
        let rendered = Diagnostic::new(nasty).at(place.clone()).related(place).help(nasty).render(false);
        assert!(!rendered.chars().any(|character| character != '\n' && is_treacherous(character)), "{rendered:?}");
        assert!(rendered.contains("␛[2J\\u{202e}\\u{9b}␍␇\\u{2066}"), "{rendered}");
        assert_eq!(visible("a\tb\nc\u{7f}"), "a␉b␊c␡");
        assert_eq!(visible_lines("a\nb\r"), "a\nb␍");
        assert_eq!(visible("👩‍👩‍👧 日本"), "👩‍👩‍👧 日本");
    }

    #[test]
    fn positions_and_offsets_are_opposites() {
        let source = Source::new("f", "\u{feff}aé\r\n日本\n");
        assert_eq!(source.text, "aé\n日本\n");
        for (byte, position) in
            [(0, (1, 1)), (1, (1, 2)), (3, (1, 3)), (4, (2, 1)), (7, (2, 2)), (10, (2, 3)), (11, (3, 1))]
        {
            assert_eq!(source.position(byte), position, "byte {byte}");
            assert_eq!(source.offset(position.0, position.1), byte, "position {position:?}");
        }
        assert_eq!((source.position(99), source.offset(1, 99), source.offset(99, 1)), ((3, 1), 3, 11));
        assert_eq!((source.line(2), source.line(3), source.line(9), source.offset(0, 0)), ("日本", "", "", 0));
        let inner = Source::within("f", 7, source.text.clone());
        for byte in 0..=source.text.len() {
            let (line, column) = source.position(byte);
            assert_eq!(inner.position(byte), (line + 7, column));
            assert_eq!(inner.offset(line + 7, column), source.offset(line, column));
            assert_eq!(inner.line(line + 7), source.line(line));
        }
    }

    #[test]
    fn the_nearest_name_is_what_was_meant() {
        let names = ["ring", "hand", "columns", "discard", "p1", "p2", "green_points"];
        for (wanted, meant) in [
            ("rnig", Some("ring")),
            ("HAND", Some("hand")),
            ("column", Some("columns")),
            ("disc", Some("discard")),
            ("p3", Some("p1")),
            ("green", Some("green_points")),
            ("x", None),
            ("", None),
            ("banana", None),
        ] {
            assert_eq!(nearest(wanted, names), meant, "{wanted}");
        }
        assert_eq!(did_you_mean("rign", names).as_deref(), Some("did you mean `ring`?"));
        assert_eq!(nearest(&"a".repeat(100_000), names), None);
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is() {
        let said = |name, known: &[&'static str]| {
            let error = unknown("zone", name, known.iter().copied());
            format!("{} | {}", error.message, error.help.join(" | "))
        };
        assert_eq!(said("rnig", &["hand", "ring"]), "there is no zone `rnig` | did you mean `ring`?");
        assert_eq!(said("x", &["hand", "ring", "box"]), "there is no zone `x` | there are `hand`, `ring` and `box`");
        assert_eq!(said("x", &["hand"]), "there is no zone `x` | there is only `hand`");
        assert_eq!(said("x", &[]), "there is no zone `x` | there is no zone at all");
        assert!(said("x", &["hand"; 14]).ends_with("`hand` and 2 more"));
        let error = unknown_or("command", "x", ["play"], "`help` lists the commands");
        assert_eq!(error.help, ["`help` lists the commands"]);
    }

    #[test]
    fn messages_keep_to_the_width_of_a_terminal() {
        let line = "    let drawn = \"山札から引いたカード山札から引いたカード\"; score(p, crads, drawn); // and so on, and so on";
        let told = Diagnostic::new("there is no `crads` here, nor anywhere else in the rules that are in play")
            .at(place(line, "crads", "no function, parameter, zone or variable has this name"))
            .help("did you mean `cards`? functions see their parameters, and the zones, `players`, `table`, `data`")
            .help("山札から引いたカードの名前を変数に入れる前に、その変数を宣言してください");
        let drawn = told.render_within(false, Some(44));
        assert_eq!(
            drawn.trim_end(),
            "\
error: there is no `crads` here, nor
       anywhere else in the rules that are
       in play
 --> game.toml:1:50
  |
1 | ... \"; score(p, crads, drawn); // and...
  |                 ^^^^^
  |
  = note: no function, parameter, zone or
          variable has this name
  = help: did you mean `cards`? functions
          see their parameters, and the
          zones, `players`, `table`, `data`
  = help: 山札から引いたカードの名前を変数
          に入れる前に、その変数を宣言して
          ください",
            "\n{drawn}"
        );
        for columns in 40..140 {
            let drawn = told.render_within(false, Some(columns));
            assert!(drawn.lines().all(|line| line.width() <= columns), "{columns}:\n{drawn}");
            let source = drawn.lines().find(|line| line.starts_with("1 |")).unwrap_or_default();
            let carets = drawn.lines().find(|line| line.contains("^^^^^")).unwrap_or_default();
            let before = |line: &str, word: &str| line.split(word).next().map_or(0, |before| before.width());
            assert_eq!(before(source, "crads"), before(carets, "^^^^^"), "{columns}:\n{drawn}");
        }
        assert!(told.render(false).contains("^^^^^ no function"), "{}", told.render(false));
    }

    #[test]
    fn a_word_longer_than_a_line_is_broken() {
        assert_eq!(wrapped("one two three", 7), "one two\nthree");
        assert_eq!(wrapped("one twothreefour five", 7), "one two\nthreefo\nur five");
        assert_eq!(wrapped("一二三四五", 4), "一二\n三四\n五");
        assert_eq!(wrapped("", 4), "");
    }
}
