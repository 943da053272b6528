//! Reads TOML into a tree, and says in the words of this program what is no TOML.

use super::{Node, TomlTable, Value};
use crate::catalogue::{Message, message};
use crate::definition::schema::MAX_ERRORS_PER_FILE;
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source, first_of, is_quote, strays};
use crate::sorted::sort_by_key;
use std::ops::Range;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};
use toml_parser::lexer::TokenKind;

/// Checks that a text is TOML, whatever it says.
///
/// # Errors
///
/// If the text is not TOML.
pub fn check_syntax(source: &Arc<Source>) -> Result<(), Diagnostics> {
    Diagnostics::refuse(syntax_errors(source, &DeTable::parse_recoverable(&source.text).1))
}

/// Reads a TOML file into a tree.
///
/// # Errors
///
/// If the text is no TOML, or says a date, an integer beyond 64 bits, or a number that is not whole.
pub fn parse(source: &Arc<Source>) -> Result<TomlTable, Diagnostics> {
    let (table, errors) = DeTable::parse_recoverable(&source.text);
    let mut troubles = syntax_errors(source, &errors);
    Diagnostics::refuse(std::mem::take(&mut troubles))?;
    let table = Reader { source, shift: 0, troubles: &mut troubles }.table(table.get_ref());
    Diagnostics::refuse(first_of(troubles, MAX_ERRORS_PER_FILE))?;
    Ok(table)
}

/// Reads the single TOML value that stands at `span` of a source.
///
/// # Errors
///
/// If the text is not one TOML value, or as for [`parse`].
pub fn parse_value(source: &Arc<Source>, span: Range<usize>) -> Result<Node, Diagnostics> {
    let text = source.text.get(span.clone()).unwrap_or("");
    let (value, errors) = DeValue::parse_recoverable(text);
    let mut troubles = syntax_errors(source, &errors);
    for place in troubles.iter_mut().filter_map(|trouble| trouble.place.as_mut()) {
        place.span = place.span.start + span.start..place.span.end + span.start;
    }
    Diagnostics::refuse(std::mem::take(&mut troubles))?;
    let value = Reader { source, shift: span.start, troubles: &mut troubles }.value(value.get_ref(), value.span());
    Diagnostics::refuse(troubles)?;
    value.ok_or_else(|| Diagnostic::new("there is no value").at(Place::new(source, span, "")).into())
}

/// The conversion of what the TOML parser gave into nodes.
struct Reader<'a> {
    source: &'a Arc<Source>,
    /// Byte of the source at which the parsed text starts.
    shift: usize,
    troubles: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn table(&mut self, table: &DeTable<'_>) -> TomlTable {
        // The parser sorts by name; where the key stands in the file is the order of declaration.
        let mut entries: Vec<_> = table.iter().collect();
        sort_by_key(&mut entries, |(key, _)| key.span().start);
        let read = entries.into_iter().filter_map(|(key, value)| {
            let node = self.value(value.get_ref(), value.span())?;
            Some((key.get_ref().to_string(), self.place(key.span(), ""), node))
        });
        read.collect()
    }

    fn value(&mut self, value: &DeValue<'_>, span: Range<usize>) -> Option<Node> {
        let value = match value {
            DeValue::String(text) => Value::Text(text.to_string()),
            DeValue::Boolean(truth) => Value::Truth(*truth),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Value::Number(number),
                Err(error) => {
                    let is_empty = *error.kind() == std::num::IntErrorKind::Empty;
                    let (least, most) = (i64::MIN, i64::MAX);
                    let help = message!("integers go from {least} to {most}");
                    return match is_empty {
                        true => self.refuse(span, "this integer has no digits", "expected digits", help),
                        false => self.refuse(span, "this integer is too large", "does not fit into 64 bits", help),
                    };
                }
            },
            DeValue::Float(_) => {
                let help = "count in smaller units, 15 for 1.5; write it in quotes if it is a text".into();
                return self.refuse(span, "numbers in rules are whole", "not a whole number", help);
            }
            DeValue::Datetime(_) => {
                let help = "rules have no dates; write it in quotes if it is a text".into();
                return self.refuse(span, "a date cannot be used here", "a date", help);
            }
            DeValue::Array(values) => {
                Value::List(values.iter().filter_map(|value| self.value(value.get_ref(), value.span())).collect())
            }
            DeValue::Table(table) => Value::Table(self.table(table)),
        };
        let place = self.place(span, "");
        Some(Node { value, source: place.source, span: place.span })
    }

    fn refuse(
        &mut self,
        span: Range<usize>,
        message: &'static str,
        label: &'static str,
        help: Message,
    ) -> Option<Node> {
        let place = self.place(span, label);
        self.troubles.push(Diagnostic::new(message).at(place).help(help));
        None
    }

    fn place(&self, span: Range<usize>, label: &'static str) -> Place {
        Place::new(self.source, span.start + self.shift..span.end + self.shift, label)
    }
}

/// The parser's errors in the words of this program. Errors after the first one in a broken text mostly follow from it,
/// so only duplicate keys, which break nothing, are all reported.
fn syntax_errors(source: &Arc<Source>, errors: &[toml::de::Error]) -> Vec<Diagnostic> {
    let Some(first) = errors.first() else { return Vec::new() };
    let strays = strays_before(source, first.span().map_or(0, |span| span.end));
    if !strays.is_empty() {
        return strays;
    }
    let is_duplicate = |error: &toml::de::Error| error.message() == "duplicate key";
    let duplicates = errors.iter().take_while(|error| is_duplicate(error)).count();
    first_of(errors.iter().take(duplicates + 1).map(|error| syntax_error(source, error)).collect(), MAX_ERRORS_PER_FILE)
}

/// Errors for characters of other keyboards outside of texts and comments, up to the line where the parser gave up.
/// They are no TOML, and the parser does not say why.
fn strays_before(source: &Arc<Source>, end: usize) -> Vec<Diagnostic> {
    let text = &source.text;
    let line_end = text.get(end..).and_then(|rest| rest.find('\n')).map_or(text.len(), |length| end + length);
    let code = code_of(text);
    let strays = strays(text, |at| code.get(at).is_some_and(|is_code| *is_code));
    // A key in another alphabet may be meant, and needs quotes.
    let strays = strays.iter().filter(|stray| stray.at < line_end && !stray.is_of_words());
    strays.map(|stray| stray.told(source, 0)).collect()
}

/// For each byte of a TOML file, whether it is outside of texts and comments.
fn code_of(text: &str) -> Vec<bool> {
    let mut code = vec![true; text.len()];
    for token in toml_parser::Source::new(text).lex() {
        let is_code = !matches!(
            token.kind(),
            TokenKind::Comment
                | TokenKind::BasicString
                | TokenKind::LiteralString
                | TokenKind::MlBasicString
                | TokenKind::MlLiteralString
        );
        let bytes = code.get_mut(token.span().start()..token.span().end());
        bytes.into_iter().for_each(|bytes| bytes.fill(is_code));
    }
    code
}

/// Whether a text is several values of TOML with blanks between them.
fn is_several_values(text: Option<&str>) -> bool {
    let mut values = text.unwrap_or_default().split_whitespace();
    values.clone().count() > 1 && values.all(|value| DeValue::parse(value).is_ok())
}

/// Whether a comma stands between two digits.
fn is_in_number(text: &str, at: usize) -> bool {
    let is_digit = |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at)).is_some_and(u8::is_ascii_digit);
    text.as_bytes().get(at) == Some(&b',') && is_digit(at.checked_sub(1)) && is_digit(at.checked_add(1))
}

/// An error of the parser in the words of this program.
fn syntax_error(source: &Arc<Source>, error: &toml::de::Error) -> Diagnostic {
    let message = error.message();
    let (wrong, expected) = message.split_once(", expected ").unwrap_or((message, ""));
    let at = |label: Message| Place::new(source, error.span().unwrap_or(0..0), label);
    let start = error.span().map_or(0, |span| span.start);
    let line_start = source.text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
    let line = source.text.get(line_start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let is_end_of_text = matches!(expected, "`\"`" | "`'`");
    // In a table on one line, the parser takes a key without a value for the beginning of a text.
    let quotes = line.get(..start - line_start).unwrap_or_default().matches(expected.trim_matches('`')).count();
    let wrong = match wrong {
        "invalid basic string" | "invalid literal string" if is_end_of_text && quotes % 2 == 0 => "key with no value",
        wrong => wrong,
    };
    let comma = match wrong {
        "unexpected key or value" => Some(start),
        "unexpected leading zero" => start.checked_sub(1),
        "key with no value" => line.find(',').map(|comma| line_start + comma),
        _ => None,
    };
    if let Some(comma) = comma.filter(|comma| is_in_number(&source.text, *comma)) {
        return Diagnostic::new("a number has no commas")
            .at(Place::new(source, comma..comma + 1, "in a number"))
            .help("write 1000, or 1_000; several values stand in a list: [1, 0]");
    }
    match wrong {
        "invalid multi-line basic string" | "invalid multi-line literal string" if is_end_of_text => {
            let begun =
                source.text.get(..start).and_then(|before| before.rfind(expected.trim_matches('`').repeat(3).as_str()));
            let begun = begun.map(|begun| Place::new(source, begun..begun + 3, "it begins here"));
            Diagnostic::new("a text is not closed")
                .at(at(message!("expected {}", Message::foreign(expected))))
                .related_maybe(begun)
        }
        "invalid basic string" | "invalid literal string" if is_end_of_text => {
            let help = match line.chars().find(|letter| is_quote(*letter)) {
                Some(quote) => message!("`{quote}` does not close it: write {expected}"),
                None => "a text in quotes ends on its line; between three quotes it can have several lines".into(),
            };
            Diagnostic::new("a text is not closed")
                .at(at(message!("expected {}", Message::foreign(expected))))
                .help(help)
        }
        "key with no value" => {
            // The parser stops at a colon that stands alone, and behind one that stands with its key.
            let colon = match line.get(start - line_start..) {
                Some(rest) if rest.starts_with(':') => Some(start - line_start),
                _ => {
                    let key = line.get(..start - line_start).unwrap_or_default().trim_end();
                    key.strip_suffix(':').map(str::len)
                }
            };
            let is_comment = ["//", "/*"].iter().any(|start| line.trim_start().starts_with(start));
            let (place, help) = match colon.map(|at| line_start + at) {
                _ if is_comment => (at("expected `=`".into()), "a comment begins with `#`"),
                Some(colon) => (Place::new(source, colon..colon + 1, "expected `=`"), "write `=` in place of `:`"),
                None => (at("expected `=`".into()), "write `key = value`; a key of several words needs quotes"),
            };
            Diagnostic::new("a key without a value").at(place).help(help)
        }
        "duplicate key" => Diagnostic::new("this key is given twice").at(at("the second time".into())),
        "string values must be quoted" if is_several_values(source.text.get(error.span().unwrap_or(0..0))) => {
            Diagnostic::new("there are several values without commas")
                .at(at("expected one value".into()))
                .help("a list is written with commas: [1, 2]")
        }
        // The parser takes a word that begins with t, f, n or i for `true`, `false`, `nan` or `inf`.
        "string values must be quoted" | "invalid boolean" | "invalid float" => {
            Diagnostic::new("a value is missing or lacks its quotes")
                .at(at("expected a value".into()))
                .help("put text in quotes: name = \"ring\"")
        }
        "invalid unquoted key" => Diagnostic::new("this key needs quotes")
            .at(at("only letters, digits, `-` and `_` need no quotes".into()))
            .help("write it in quotes: \"日本\" = 1"),
        "recursion limit" => Diagnostic::new("a key is nested too deeply").at(Place::new(source, 0..0, "in this file")),
        "cannot recurse further; max recursion depth met" => {
            Diagnostic::new("a value is nested too deeply").at(at("here".into()))
        }
        "unexpected leading zero" => {
            Diagnostic::new("a number does not begin with 0").at(at("".into())).help("write 3, not 03")
        }
        _ => {
            let label = if matches!(expected, "" | "nothing") {
                "".into()
            } else {
                message!("expected {}", Message::foreign(expected))
            };
            Diagnostic::new(message!("this is not TOML: {}", Message::foreign(wrong))).at(at(label))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let source = Source::new("f.toml", text);
        let outcome = match parse(&source) {
            Ok(table) => table.to_toml().to_string().trim().to_owned(),
            Err(troubles) => {
                let told = troubles.iter().map(|trouble| {
                    let place = trouble.place.as_ref();
                    let (position, label) =
                        place.map_or(((0, 0), ""), |place| (place.position(), place.label.as_str()));
                    format!("{}:{} {} ({label})", position.0, position.1, trouble.message)
                });
                told.collect::<Vec<_>>().join("; ")
            }
        };
        assert_eq!(outcome, expected, "{text}");
    }

    #[test]
    fn toml_is_read_or_refused_in_our_words() {
        check("a = 1\nb = 'x'", "a = 1\nb = \"x\"");
        check("a = 0x1F\nb = 1_000", "a = 31\nb = 1000");
        check("a = ", "1:5 a value is missing or lacks its quotes (expected a value)");
        check(
            "a = 1\na = 2\na = 3",
            "2:1 this key is given twice (the second time); 3:1 this key is given twice (the second time)",
        );
        check("a\n", "1:2 a key without a value (expected `=`)");
        check("日 = 1", "1:1 this key needs quotes (only letters, digits, `-` and `_` need no quotes)");
        check("a = [1", "1:7 this is not TOML: unclosed array (expected `]`)");
        check("a = 9223372036854775808", "1:5 this integer is too large (does not fit into 64 bits)");
        check("a = 0x", "1:5 this integer has no digits (expected digits)");
        check(
            "a = 1.5\nb = [1, { c = -inf }]\nd = nan",
            "1:5 numbers in rules are whole (not a whole number); 2:15 numbers in rules are whole (not a whole number); 3:5 \
             numbers in rules are whole (not a whole number)",
        );
        check("a = 1e400", "1:5 numbers in rules are whole (not a whole number)");
        check("a = 1979-05-27", "1:5 a date cannot be used here (a date)");
        check(&format!("a = {}", "[".repeat(10_000)), "1:85 a value is nested too deeply (here)");
        check(&format!("{} = 1", vec!["a"; 10_000].join(".")), "1:1 a key is nested too deeply (in this file)");
    }

    #[test]
    fn characters_of_other_keyboards_are_told_of() {
        for (text, expected) in [
            ("a = “x” # “", "1:5 `“` is not `\"` (here)"),
            ("a　= 1", "1:2 this is not an ordinary space (here)"),
            ("ａ ＝ １２", "1:1 `ａ` is not `a` (here); 1:3 `＝` is not `=` (here); 1:5 `１２` is not `12` (here)"),
            ("a = [1，2、3]", "1:7 `，` is not `,` (here); 1:9 `、` is not `,` (here)"),
            ("a = –1", "1:5 `–` is not `-` (here)"),
            ("a = 1\u{a0}", "1:6 this is not an ordinary space (here)"),
            ("a = 1 \u{200b}", "1:7 there is an invisible character here: U+200B (here)"),
            ("［a］", "1:1 `［` is not `[` (here); 1:3 `］` is not `]` (here)"),
            ("a = \"x”", "1:8 a text is not closed (expected `\"`)"),
            ("a = 'x\nb = 1", "1:7 a text is not closed (expected `'`)"),
            ("名 = 1", "1:1 this key needs quotes (only letters, digits, `-` and `_` need no quotes)"),
            ("a = b\nc = “x”", "1:5 a value is missing or lacks its quotes (expected a value)"),
            ("a = [1 2]", "1:6 there are several values without commas (expected one value)"),
            ("a = 1,000", "1:6 a number has no commas (in a number)"),
            ("a = [10,000, 2]", "1:8 a number has no commas (in a number)"),
            ("a = { b = 1,000 }", "1:12 a number has no commas (in a number)"),
            ("a = { b = \"p:q\", c }", "1:20 a key without a value (expected `=`)"),
            ("\"a: b\"", "1:7 a key without a value (expected `=`)"),
            ("a = 03", "1:5 a number does not begin with 0 ()"),
            ("a = turn(p1)", "1:5 a value is missing or lacks its quotes (expected a value)"),
            ("a = infinite", "1:5 a value is missing or lacks its quotes (expected a value)"),
            ("a = '''x\n", "2:1 a text is not closed (expected `'`)"),
            ("a: 1", "1:2 a key without a value (expected `=`)"),
            ("a : 1", "1:3 a key without a value (expected `=`)"),
            ("a = '“　１；'\nb = '“' # ；", "a = \"“　１；\"\nb = \"“\""),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn order_of_declaration_is_kept() {
        let source = Source::new("f.toml", "[z]\nb = 1\na.x = 2\n[a]\n[m]");
        let table = parse(&source).unwrap_or_default();
        assert_eq!(table.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["z", "a", "m"]);
        let inner = table.table("z").map(|inner| inner.iter().map(|(key, _)| key).collect::<Vec<_>>());
        assert_eq!(inner, Some(vec!["b", "a"]));
    }
}
