//! Diagnostics as text, in the style of rustc.

use super::place::floor_boundary;
use super::visible::{classify_chars, picture, visible};
use super::{Diagnostic, Place, Severity};
use crate::catalogue::said;
use annotate_snippets::{AnnotationKind, Element, Level, Message, Renderer, Snippet};
use std::ops::Range;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Most characters of a message or label that are shown: they quote names, and a name can be as long as its file.
const MAX_MESSAGE_CHARS: usize = 300;
/// Most characters of a help sentence that are shown: it may list what exists.
const MAX_HELP_CHARS: usize = 1_000;
/// Most characters of a place with carets; the constant below is the most columns of a line where no terminal sets a
/// width.
const MAX_SPAN_CHARS: usize = 60;
const MAX_LINE_WIDTH: usize = 120;
/// Least width of messages, in columns, also for narrower terminals.
const MIN_LINE_WIDTH: usize = 40;

impl Diagnostic {
    /// The whole diagnostic as text, in the style of rustc, without a line end after its last line.
    ///
    /// `color` adds escape codes; nothing that came from a file can add any.
    pub fn render(&self, color: bool) -> String {
        self.render_within(color, None)
    }

    /// The whole diagnostic as text, like [`render`](Diagnostic::render), for a terminal with this number of columns:
    /// sentences are wrapped, and source lines cut around their place. Only paths stay whole, so that they can be
    /// copied.
    pub fn render_within(&self, color: bool, columns: Option<usize>) -> String {
        // A long label would reach beyond the edge beside its caret, so it becomes a note.
        let is_too_wide = |columns| {
            let drawn = self.laid_out(false, Some(columns), true);
            drawn.lines().any(|line| line.width() > columns && !is_a_path(line))
        };
        let columns = columns.map(|columns| columns.max(MIN_LINE_WIDTH));
        let with_labels = columns.is_none_or(|columns| !is_too_wide(columns));
        self.laid_out(color, columns, with_labels)
    }

    fn laid_out(&self, color: bool, columns: Option<usize>, with_labels: bool) -> String {
        let places = self.place.iter().map(|place| (AnnotationKind::Primary, place));
        let related = self.related.iter().map(|place| (AnnotationKind::Context, place));
        let places = places.chain(related);
        let digits = places.clone().map(|(_, place)| place.position().0.to_string().len()).max().unwrap_or(0);
        let width = columns.unwrap_or(MAX_LINE_WIDTH);
        let most = MAX_SPAN_CHARS.min(width / 2);
        let wrap = |text: String, lead: usize| match columns {
            Some(columns) => wrap_lines(&text, columns.saturating_sub(lead)),
            None => text,
        };
        let mut elements: Vec<Element<'_>> = Vec::new();
        let mut notes: Vec<String> = Vec::new();
        for (kind, place) in places {
            let path = clipped(&place.source.name, MAX_MESSAGE_CHARS);
            let excerpt = Excerpt::of(place, most);
            let mut label = (!place.label.is_empty()).then(|| clipped(&place.label.told(), MAX_MESSAGE_CHARS));
            if !with_labels {
                notes.extend(label.take());
            }
            let annotation = kind.span(excerpt.span).label(label);
            let snippet = Snippet::source(excerpt.text).path(path).line_start(place.position().0);
            elements.push(snippet.annotation(annotation).into());
        }
        // In front of notes and help are ` = note: ` and, before that, the width of the line numbers.
        let (note, help) = (said("note"), said("help"));
        let lead = digits + " = : ".len() + note.width().max(help.width()) + 1;
        for text in notes {
            let message: Message<'_> = Level::NOTE.with_name(note).message(wrap(text, lead));
            elements.push(message.into());
        }
        for text in &self.help {
            let text = clipped(&text.text.told(), MAX_HELP_CHARS);
            let message: Message<'_> = Level::HELP.with_name(help).message(wrap(text, lead));
            elements.push(message.into());
        }
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let severity = said(self.severity.name());
        let head = severity.width().max("warning".len()) + ": ".len() + self.code.map_or(0, |code| code.name.len() + 2);
        let message = clipped(&self.message.told(), MAX_MESSAGE_CHARS);
        let title = level.with_name(severity).primary_title(wrap(message, head));
        let title = match self.code {
            Some(code) => title.id(code.name),
            None => title,
        };
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        renderer.term_width(width).render(&[title.elements(elements)])
    }
}

/// A quoted line of a source.
///
/// Every character stands for one character of the line, so that the renderer counts columns rightly; it also expands
/// tabs, and cuts a line that is too long around the place.
struct Excerpt {
    text: String,
    /// Range of bytes in `text` under which the carets stand.
    span: Range<usize>,
}

impl Excerpt {
    /// The line in which the place starts, with carets under at most `most` characters. Of a place of several lines,
    /// only the first is quoted.
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

/// A text in lines of at most `columns` columns. It is broken between words, and within a word that is too long for a
/// line or written without blanks.
pub fn wrap_lines(text: &str, columns: usize) -> String {
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
    let harmless = |(character, is_treacherous)| match character {
        '\t' => '\t',
        '\0'..='\x1f' | '\x7f' => picture(character),
        _ if is_treacherous => char::REPLACEMENT_CHARACTER,
        _ => character,
    };
    classify_chars(text).map(harmless).collect()
}

/// The visible form of a text, of at most `max_chars` characters; a cut is shown as `…`.
fn clipped(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", visible(&text[..end])),
        None => visible(text).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Message;
    use crate::diagnostic::Source;

    #[track_caller]
    fn check(diagnostic: &Diagnostic, expected: &str) {
        let actual = diagnostic.render(false);
        assert_eq!(actual.trim_end(), expected.trim(), "\n{actual}");
    }

    fn place(text: &str, wanted: &str, label: &'static str) -> Place {
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
        assert!(diagnostic.clone().as_warning().render(false).starts_with("warning: unknown key"));
        assert!(diagnostic.render(true).contains("\u{1b}["));
        let json = diagnostic.to_json();
        assert_eq!(
            json.to_string(),
            r#"{"message":"unknown key `coler`","file":"game.toml","line":2,"column":2,"label":"not a key of a zone","help":["did you mean `color`?","a zone has `name` and `order`"],"related":[{"file":"game.toml","line":1,"column":1,"label":"declared here"}],"severity":"error"}"#
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
                let place = Place::new(&source, start..start + length, Message::verbatim(label));
                let rendered = Diagnostic::new("x").at(place.clone()).related(place).render(false);
                assert!(rendered.lines().all(|line| line.chars().count() < 130 + label.len().min(400)), "{rendered}");
            }
        }
    }

    #[test]
    fn nothing_from_a_file_reaches_the_terminal_raw() {
        let nasty = "\u{1b}[2J\u{202e}\u{9b}\r\u{7}\u{2066}";
        let source = Source::new(format!("f{nasty}"), format!("x{nasty}y\n"));
        let place = Place::new(&source, 0..1, Message::verbatim(format!("l{nasty}\n")));
        let rendered = Diagnostic::new(nasty).at(place.clone()).related(place).help(nasty).render(false);
        assert!(
            !classify_chars(&rendered).any(|(character, is_treacherous)| character != '\n' && is_treacherous),
            "{rendered:?}"
        );
        assert!(rendered.contains("␛[2J\\u{202e}\\u{9b}␍␇\\u{2066}"), "{rendered}");
        assert_eq!(visible("a\tb\nc\u{7f}"), "a␉b␊c␡");
        assert_eq!(visible("👩‍👩‍👧 日本"), "👩‍👩‍👧 日本");
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
        assert_eq!(wrap_lines("one two three", 7), "one two\nthree");
        assert_eq!(wrap_lines("one twothreefour five", 7), "one two\nthreefo\nur five");
        assert_eq!(wrap_lines("一二三四五", 4), "一二\n三四\n五");
        assert_eq!(wrap_lines("", 4), "");
    }
}
