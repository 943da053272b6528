//! The script of a layer, as text: inside its file, or in one beside it.

use super::keys::table::{layer, script};
use super::schema::{Checker, Field, Fields};
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use crate::files::Files;
use std::path::Path;
use std::sync::Arc;

/// A script as text, with the place it came from so that its lines can be named.
#[derive(Clone, Debug)]
pub struct ScriptText {
    /// The file the text stands in: the `.rhai` file, or the TOML file of an inline script.
    pub source: Arc<Source>,
    /// Number of lines of that file before the script's first line; 0 for a file of its own on disk.
    pub first_line: usize,
    /// Byte of that file at which the script starts; 0 for a file of its own. The script stands there as it is.
    pub start: usize,
    /// The script itself.
    pub text: String,
}

impl ScriptText {
    /// A script that fills a file of its own.
    pub fn of_file(source: Arc<Source>) -> ScriptText {
        ScriptText { text: source.text.clone(), first_line: source.lines_before, start: 0, source }
    }

    /// The place in the file of a line and column of the script, both counted from 1.
    ///
    /// The span is empty: a script engine knows where trouble starts, not where it ends.
    pub fn place(&self, line: usize, column: usize, label: impl Into<Message>) -> Place {
        let (_, first_column) = self.source.position(self.start);
        let column = if line <= 1 { column.max(1) + first_column - 1 } else { column };
        let offset = self.source.offset(line.max(1) + self.first_line, column);
        Place::new(&self.source, offset..offset, label)
    }
}

/// Gives the text of an adjacent file by its name; `None` where there is no such file.
pub type AdjacentFiles<'a> = dyn Fn(&str) -> Option<Result<Arc<Source>, Diagnostics>> + 'a;

/// Reads a file beside another one. An entry that is no file (a folder, a pipe, a broken link) is read too, so that it
/// is refused and not ignored.
pub(super) fn read_adjacent_file(
    files: &dyn Files,
    path: &Path,
    name: &str,
    file: &str,
) -> Option<Result<Arc<Source>, Diagnostics>> {
    let path = path.with_file_name(file);
    files.kind(&path)?;
    let name = match name.rsplit_once(['/', '\\']) {
        Some((folder, _)) => format!("{folder}/{file}"),
        None => file.to_owned(),
    };
    Some(files.read(&path, &name))
}

/// Reads the script of a layer, from inside its file or from beside it.
pub(super) fn read_script(
    fields: &Fields<'_>,
    source: &Arc<Source>,
    script_file: &str,
    beside: &AdjacentFiles<'_>,
    may_have_none: bool,
    checker: &mut Checker,
) -> Option<ScriptText> {
    let beside = beside(script_file);
    if let Some(inline) = fields.read(checker, &layer::SCRIPT) {
        inline.report_unknown_keys(checker, script::SECTION.called, script::SECTION.keys);
        inline.read(checker, &script::RHAI)?;
        let field = inline.find(&script::RHAI)?;
        if beside.is_some() {
            checker.report(
                Diagnostic::new("the script is given twice")
                    .at(Place::new(&field.key.source, field.key.span.clone(), "one script is here"))
                    .help(message!("the other is in `{script_file}` beside this file; keep one of them")),
            );
        }
        return inline_script(&field, source, checker);
    }
    if let Some(script) = beside {
        return match script {
            Ok(source) => Some(ScriptText::of_file(source)),
            Err(trouble) => checker.refuse(trouble),
        };
    }
    if !may_have_none && !fields.has(&layer::SCRIPT) {
        checker.report(
            Diagnostic::new("the game has no script")
                .at(Place::new(source, 0..0, "no script in this file, and none beside it"))
                .help(message!(
                    "write its rules in `{script_file}` beside this file, or here: [script] rhai = '''…'''"
                )),
        );
    }
    None
}

/// Reads a script inside TOML. It must be written there character for character, so that its places are places of the
/// file.
fn inline_script(field: &Field<'_>, source: &Arc<Source>, checker: &mut Checker) -> Option<ScriptText> {
    let text = field.text(checker)?;
    let span = &field.node.span;
    let raw = source.text.get(span.clone()).unwrap_or("");
    let quote = ["'''", "\"\"\"", "'", "\""].into_iter().find(|quote| raw.starts_with(quote)).unwrap_or("");
    let inside = raw.strip_prefix(quote).and_then(|raw| raw.strip_suffix(quote)).unwrap_or("");
    // TOML drops a line end that follows three quotes.
    let dropped = usize::from(quote.len() == 3 && inside.starts_with('\n'));
    if inside.get(dropped..) != Some(text) {
        return checker.refuse(
            Diagnostic::new("a script cannot have TOML escapes in it")
                .at(field.node.place("this string has escapes"))
                .help("put it between ''' and ''', which keep a script as it is, so that messages can name its lines"),
        );
    }
    let start = span.start + quote.len() + dropped;
    let first_line = source.position(start).0 - 1;
    Some(ScriptText { source: Arc::clone(source), first_line, start, text: text.to_owned() })
}
