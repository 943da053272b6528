//! Formatter for scripts and TOML files: the same tokens and comments, laid out in one style.
//!
//! Only what can be parsed is formatted. What is formatted already stays as it is, byte for byte.

mod scripts;
mod toml;

use super::parser::Parser;
use crate::definition::{ScriptText, toml_text, tree};
use crate::diagnostic::{Diagnostic, Diagnostics, Message, Source, message};
use scripts::Extent;
use std::ops::Range;
use std::sync::Arc;

/// Formats a script and keeps its line ends. In errors, the script is called `name`.
///
/// # Errors
/// The script does not parse.
pub fn format_rhai(name: &str, text: &str) -> Result<String, Diagnostics> {
    let script = ScriptText::of_file(Source::new(name, text));
    let laid_out = laid_out(&Parser::new(Arc::default()), &script, Extent::Script)?;
    Ok(with_ends_of(text, &laid_out))
}

/// Formats a TOML file and the rules in it, and keeps its line ends. In errors, the file is called `name`.
///
/// # Errors
/// The file or the rules in it do not parse; or the file has a checksum of its bytes.
pub fn format_toml(name: &str, text: &str) -> Result<String, Diagnostics> {
    let source = Source::new(name, text);
    tree::check_syntax(&source)?;
    if let Some(kind) = written_by_houserule(&source.text).map(Message::from) {
        let error = Diagnostic::new(message!("`{name}` is {kind}, which Houserule writes with a checksum"));
        return Err(error.help("leave it as it is").into());
    }
    let parser = Parser::new(Arc::default());
    let mut errors = Vec::new();
    let mut rules = |span: Range<usize>, extent| match laid_out(&parser, &script_at(&source, span), extent) {
        Ok(laid_out) => Some(laid_out),
        Err(found) => {
            errors.extend(found);
            None
        }
    };
    let laid_out = toml::lay_out(&source.text, &mut rules);
    Diagnostics::refuse(errors)?;
    Ok(with_ends_of(text, &laid_out))
}

/// The kind of a TOML file that Houserule writes with a checksum of its bytes; `None` for any other file.
pub fn written_by_houserule(text: &str) -> Option<&'static str> {
    let kinds = [("format", "a saved game"), ("pack", "a pack")];
    kinds.into_iter().find(|(key, _)| toml_text::has_key(text, key)).map(|(_, kind)| kind)
}

/// A text with the byte order mark and the line ends of `file`.
pub fn with_ends_of(file: &str, text: &str) -> String {
    let mark = if file.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    match file.contains("\r\n") {
        true => format!("{mark}{}", text.replace('\n', "\r\n")),
        false => format!("{mark}{text}"),
    }
}

fn script_at(source: &Arc<Source>, span: Range<usize>) -> ScriptText {
    let text = source.text.get(span.clone()).unwrap_or_default().to_owned();
    let first_line = source.position(span.start).0 - 1;
    ScriptText { source: source.clone(), first_line, start: span.start, text }
}

/// Lays out a script. If that would change the tokens, the script stays as it is: what continues a text behind `\` at
/// the end of a line depends on where that text began.
fn laid_out(parser: &Parser, script: &ScriptText, extent: Extent) -> Result<String, Diagnostics> {
    parser.check_syntax(script)?;
    let laid_out = scripts::lay_out(&script.text, extent);
    let is_same = parser.has_same_tokens(&script.text, &laid_out);
    Ok(if is_same { laid_out } else { script.text.clone() })
}
