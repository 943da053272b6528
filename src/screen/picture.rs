//! Styled lines as an SVG picture of a terminal, which loads nothing.
//!
//! A picture has to look right with any monospaced font, so each piece of text is placed at its own column and
//! stretched to the width that a terminal gives it.

use super::style::{Label, Line, Span};
use crate::diagnostic::visible_in_html;
use crate::files::FileFormat;
use anstyle::AnsiColor;

/// The width of a column, the height of a row and the font size, in pixels.
const COLUMN: f64 = 8.4;
const ROW: f64 = 19.0;
const LETTERS: f64 = 14.0;
/// The margin around the text, in pixels.
const MARGIN: f64 = 14.0;
/// The minimum width of a picture, in columns.
const MIN_COLUMNS: usize = 40;

/// The file format of a picture.
pub const PICTURE: FileFormat = FileFormat { name: "a picture of a session", beginning: HEAD };

/// The beginning of every picture.
const HEAD: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"houserule-session\"";

/// The colours for light and dark pages, all with enough contrast to the ground.
const COLORS: &str = "\
.ground{fill:#fbfbf8;stroke:#d8d8d0}text{fill:#24292f}.faint{fill:#5f6670}.strong{font-weight:700}\
.error{fill:#b3261e;font-weight:700}.turn{fill:#0b6a7a;font-weight:700}.number{fill:#0b6a7a}.gain{fill:#1a6b2f}\
.red{fill:#b3261e}.green{fill:#1a6b2f}.yellow{fill:#7a5600}.blue{fill:#1f4fb5}.magenta{fill:#8a2a86}.cyan{fill:#0b6a7a}\
.dim{fill:#5f6670}\
@media(prefers-color-scheme:dark){.ground{fill:#16181c;stroke:#33373e}text{fill:#e4e6ea}.faint{fill:#a0a6b0}\
.error{fill:#ff8a80}.turn{fill:#6fd3e3}.number{fill:#6fd3e3}.gain{fill:#86d993}.red{fill:#ff8a80}.green{fill:#86d993}\
.yellow{fill:#e6c068}.blue{fill:#8fb4ff}.magenta{fill:#e79be3}.cyan{fill:#6fd3e3}.dim{fill:#a0a6b0}}";

/// The picture of some lines; `title` is its text alternative.
pub fn picture(lines: &[Line], title: &str) -> String {
    let columns = lines.iter().map(Line::width).max().unwrap_or(0).max(MIN_COLUMNS);
    let width = COLUMN * as_number(columns) + 2.0 * MARGIN;
    let height = ROW * as_number(lines.len()) + 2.0 * MARGIN;
    let mut text = format!(
        "{HEAD} viewBox=\"0 0 {width:.1} {height:.1}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">\n\
         <title>{}</title>\n<style>text{{font:{LETTERS}px ui-monospace,SFMono-Regular,Menlo,Consolas,\
         'DejaVu Sans Mono','Noto Sans Mono CJK JP',monospace;white-space:pre}}{COLORS}</style>\n\
         <rect class=\"ground\" x=\".5\" y=\".5\" width=\"{:.1}\" height=\"{:.1}\" rx=\"8\"/>\n",
        visible_in_html(title),
        width - 1.0,
        height - 1.0,
    );
    for (number, line) in lines.iter().enumerate() {
        let y = MARGIN + ROW * as_number(number) + LETTERS;
        let mut column = 0;
        for span in line.spans() {
            text.push_str(&pieces(span, &mut column, y));
        }
    }
    text.push_str("</svg>\n");
    text
}

/// A span of text, placed word by word so that none drifts from its column.
fn pieces(span: &Span, column: &mut usize, y: f64) -> String {
    let class = class(span);
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let mut text = String::new();
    for piece in span.text().split_inclusive(' ') {
        let word = piece.trim_end();
        if !word.is_empty() {
            let (x, length) = (MARGIN + COLUMN * as_number(*column), COLUMN * as_number(super::style::width(word)));
            text.push_str(&format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\" lengthAdjust=\"spacingAndGlyphs\"{class}>{}</text>\n",
                visible_in_html(word)
            ));
        }
        *column += super::style::width(piece);
    }
    text
}

/// The CSS classes of a span.
fn class(span: &Span) -> String {
    let label = match span.style().label {
        Label::Plain => "",
        Label::Strong | Label::Prompt => "strong",
        Label::Faint => "faint",
        Label::Error => "error",
        Label::Turn => "turn",
        Label::Number => "number",
        Label::Gain => "gain",
    };
    let color = span.style().color.map_or("", |color| match color {
        AnsiColor::Red | AnsiColor::BrightRed => "red",
        AnsiColor::Green | AnsiColor::BrightGreen => "green",
        AnsiColor::Yellow | AnsiColor::BrightYellow => "yellow",
        AnsiColor::Blue | AnsiColor::BrightBlue => "blue",
        AnsiColor::Magenta | AnsiColor::BrightMagenta => "magenta",
        AnsiColor::Cyan | AnsiColor::BrightCyan => "cyan",
        AnsiColor::White | AnsiColor::BrightWhite | AnsiColor::Black | AnsiColor::BrightBlack => "dim",
    });
    format!("{label} {color}").trim().to_owned()
}

/// A count of columns or rows, which is far too small to lose precision.
#[allow(clippy::cast_precision_loss, reason = "a screen has some hundreds of columns and rows")]
fn as_number(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_stands_at_its_column_and_strangers_add_no_markup() {
        let line = Line::strong("p1 ").with("列 <b>&\u{1b}", Label::Faint);
        let drawn = picture(&[line], "a \"game\"");
        assert!(drawn.starts_with(PICTURE.beginning));
        assert!(drawn.contains("<title>a &quot;game&quot;</title>"), "{drawn}");
        assert!(drawn.contains("<text x=\"14.0\" y=\"28.0\" textLength=\"16.8\" lengthAdjust=\"spacingAndGlyphs\" class=\"strong\">p1</text>"));
        assert!(drawn.contains("<text x=\"39.2\" y=\"28.0\" textLength=\"16.8\" lengthAdjust=\"spacingAndGlyphs\" class=\"faint\">列</text>"));
        assert!(drawn.contains(">&lt;b&gt;&amp;␛</text>"), "{drawn}");
        assert!(!drawn.contains("<b>") && !drawn.contains("http://") || drawn.matches("http").count() == 1);
    }
}
