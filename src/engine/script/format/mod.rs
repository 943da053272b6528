//! Scripts and TOML files in the style of the house: the same tokens with the same comments, laid out alike by everybody.
//!
//! Only what can be parsed is laid out. What is laid out already stays as it is, byte for byte.

mod scripts;
mod toml;

use super::parser::Parser;
use crate::definition::{ScriptText, tree};
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use scripts::Extent;
use std::ops::Range;
use std::sync::Arc;

/// A script in the style of the house, with the line ends that it has. In errors it is called `name`.
///
/// # Errors
/// It does not parse.
pub fn format_rhai(name: &str, text: &str) -> Result<String, Diagnostics> {
    let script = ScriptText::of_file(Source::new(name, text));
    let laid_out = laid_out(&Parser::new(Arc::default()), &script, Extent::Script)?;
    Ok(with_ends_of(text, &laid_out))
}

/// A file of TOML in the style of the house, with the rules that are in it, and with the line ends that it has. In errors it
/// is called `name`.
///
/// # Errors
/// It does not parse, or rules in it do not; or its bytes have a checksum.
pub fn format_toml(name: &str, text: &str) -> Result<String, Diagnostics> {
    let source = Source::new(name, text);
    tree::check_syntax(&source)?;
    if let Some(kind) = written_by_houserule(&source.text) {
        let error = Diagnostic::new(format!("`{name}` is {kind}, which Houserule writes with a checksum"));
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

/// What a file of TOML is that Houserule writes with a checksum of its bytes.
pub fn written_by_houserule(text: &str) -> Option<&'static str> {
    let kinds = [("format", "a saved game"), ("pack", "a pack")];
    kinds.into_iter().find(|(key, _)| tree::has_key(text, key)).map(|(_, kind)| kind)
}

/// A text with the byte order mark and the line ends of the file that it was read from.
pub fn with_ends_of(file: &str, text: &str) -> String {
    let mark = if file.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    match file.contains("\r\n") {
        true => format!("{mark}{}", text.replace('\n', "\r\n")),
        false => format!("{mark}{text}"),
    }
}

/// The script at some bytes of a file.
fn script_at(source: &Arc<Source>, span: Range<usize>) -> ScriptText {
    let text = source.text.get(span.clone()).unwrap_or_default().to_owned();
    let first_line = source.position(span.start).0 - 1;
    ScriptText { source: source.clone(), first_line, start: span.start, text }
}

/// A script laid out. One that would become another by that stays as it is: what continues a text behind `\` at the end of a
/// line depends on where that text began.
fn laid_out(parser: &Parser, script: &ScriptText, extent: Extent) -> Result<String, Diagnostics> {
    parser.check_syntax(script)?;
    let laid_out = scripts::lay_out(&script.text, extent);
    let is_same = parser.has_same_tokens(&script.text, &laid_out);
    Ok(if is_same { laid_out } else { script.text.clone() })
}
