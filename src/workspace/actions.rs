//! Quick fixes for findings that have an obvious remedy.

use super::findings::FileFinding;
use super::hover::Schema;
use super::toml::ItemKind;
use super::{FileText, Location, Workspace};
use crate::catalogue::{said, say};
use crate::definition::Language;
use crate::diagnostic::QuickFix;
use crate::script::codes;
use crate::work::Work;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A quick fix: a change of texts that resolves a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// A title that says what the fix does.
    pub title: String,
    /// The finding that it resolves; `None` for a fix that is only an addition.
    pub found: Option<FileFinding>,
    /// The text changes to make.
    pub changes: Vec<TextChange>,
    /// Whether it is most likely the intended remedy.
    pub is_preferred: bool,
}

/// A replacement of part of a file's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextChange {
    /// The file to change.
    pub path: PathBuf,
    /// The byte range to replace.
    pub span: Range<usize>,
    /// The new text.
    pub text: String,
}

impl Workspace {
    /// The quick fixes for findings in a range of a file.
    pub fn fixes(&mut self, path: &Path, range: &Range<usize>) -> Vec<Fix> {
        let Some(file) = self.file(path) else { return Vec::new() };
        if self.is_fixed(path) {
            return Vec::new();
        }
        let found = self.findings(path, &Arc::new(Work::default()));
        let touched = found.into_iter().filter(|found| found.span.start <= range.end && range.start <= found.span.end);
        let mut fixes: Vec<Fix> = touched.flat_map(|found| self.fixes_of(&file, &found)).collect();
        // Any text may get words in the other languages.
        if let Some(schema) = Schema::of(self, &file) {
            for item in file.toml.iter().flat_map(|toml| &toml.items) {
                let is_touched = item.key.start <= range.end && range.start <= item.value.end;
                if !is_touched || item.keys.is_empty() || !schema.is_text(&item.path) {
                    continue;
                }
                let change = other_languages(&file, &item.path);
                let change = change.filter(|(_, change)| fixes.iter().all(|fix| !fix.changes.contains(change)));
                fixes.extend(change.map(|(title, change)| Fix {
                    title,
                    found: None,
                    changes: vec![change],
                    is_preferred: false,
                }));
            }
        }
        fixes
    }

    fn fixes_of(&mut self, file: &FileText, found: &FileFinding) -> Vec<Fix> {
        let diagnostic = &found.diagnostic;
        let mut fixes = Vec::new();
        let mut add = |title: String, changes: Vec<TextChange>, is_preferred| {
            fixes.push(Fix { title, found: Some(found.clone()), changes, is_preferred });
        };
        let change = |span: Range<usize>, text: String| TextChange { path: file.path.clone(), span, text };
        let is = |code: &crate::diagnostic::Code| diagnostic.code.is_some_and(|own| *own == *code);
        for remedy in diagnostic.help.iter().filter_map(|help| help.remedy.as_ref()) {
            match remedy {
                QuickFix::Rename(meant) => {
                    if let Some(span) = name_in(file, &found.span) {
                        // A name that nothing reads is usually to be removed.
                        add(say!("write `{meant}`"), vec![change(span, meant.clone())], !is(codes::UNUSED_NAME));
                    }
                }
                QuickFix::AddText(line) => {
                    if let Some(change) = self.line_in_table(file, "text", line) {
                        add(say!("add `{line}` to `[text]`"), vec![change], true);
                    }
                }
                QuickFix::Require(id) => {
                    if let Some((at, text)) = requirement(file, id) {
                        add(say!("require `{id}`"), vec![change(at..at, text)], false);
                    }
                }
            }
        }
        if is(codes::UNTOLD)
            && let Some(item) = file.toml.as_ref().and_then(|toml| toml.at(found.span.start))
            && let Some((title, change)) = item.path.get(..2).and_then(|path| other_languages(file, path))
        {
            add(title, vec![change], true);
        }
        if is(codes::HIDES_WORD)
            && let Some(name) = name_in(file, &found.span).and_then(|span| file.source.text.get(span))
        {
            // Calls in all layers refer to this function, so they are renamed too.
            let own = format!("own_{name}");
            if let Ok(places) = self.rename(&file.path, found.span.start, &own) {
                let changes =
                    places.into_iter().map(|Location { path, span }| TextChange { path, span, text: own.clone() });
                add(say!("call it `{own}` everywhere"), changes.collect(), false);
            }
        }
        let is_unused =
            [codes::UNUSED_TEXT, codes::UNUSED_SETTING, codes::UNUSED_DATA, codes::UNUSED_VARIABLE].into_iter().any(is);
        if is_unused && let Some(span) = whole_entry(file, found.span.start) {
            add(said("remove it").to_owned(), vec![change(span, String::new())], false);
        }
        if (is(codes::UNCALLED) || is(codes::UNUSED_NAME))
            && let Some((piece, at)) = file.piece_at(found.span.start)
            && let Some(function) = piece.code.functions.iter().find(|function| function.name_span.contains(&at))
        {
            let end = piece.in_file(function.span.end);
            let newline = usize::from(file.source.text.get(end..).is_some_and(|rest| rest.starts_with('\n')));
            let whole = piece.in_file(function.comment_start)..end + newline;
            add(said("remove the function").to_owned(), vec![change(whole, String::new())], false);
        }
        fixes
    }

    /// The change that adds a line to a table of a layer's TOML file.
    fn line_in_table(&mut self, file: &FileText, table: &str, line: &str) -> Option<TextChange> {
        let path = match file.is_toml() {
            true => file.path.clone(),
            false => {
                let context = self.context(&file.path)?;
                let script = context.script_in(&file.path).and_then(|script| context.scripts.get(script))?;
                let name = if file.path.file_name().is_some_and(|name| name == "rules.rhai") {
                    "game".to_owned()
                } else {
                    script.layer.clone()
                };
                file.path.with_file_name(name).with_extension("toml")
            }
        };
        if self.is_fixed(&path) {
            return None;
        }
        let target = self.file(&path)?;
        let text = &target.source.text;
        let toml = target.toml.as_ref()?;
        let head = toml.items.iter().find(|item| item.kind == ItemKind::Head && item.path == [table]);
        if let Some(head) = head {
            // Behind the last line of the table.
            let last = toml
                .items
                .iter()
                .filter(|item| {
                    item.path.first().is_some_and(|first| first == table) && item.value.start > head.value.start
                })
                .map(|item| item.value.end)
                .max();
            let end = last.unwrap_or(head.value.end);
            let at = text.get(end..)?.find('\n').map_or(text.len(), |newline| end + newline);
            return Some(TextChange { path, span: at..at, text: format!("\n{line}") });
        }
        // A new table, before the script where the file contains it.
        let script = toml.items.iter().find(|item| item.kind == ItemKind::Head && item.path == ["script"]);
        Some(match script {
            Some(script) => TextChange {
                path,
                span: script.value.start..script.value.start,
                text: format!("[{table}]\n{line}\n\n"),
            },
            None => {
                let newline = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
                TextChange { path, span: text.len()..text.len(), text: format!("{newline}\n[{table}]\n{line}\n") }
            }
        })
    }
}

/// The change that adds a placeholder in the other languages to a text that lacks them, and what it is called. The author
/// has to fill it in.
fn other_languages(file: &FileText, path: &[String]) -> Option<(String, TextChange)> {
    let toml = file.toml.as_ref()?;
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let item = toml.get(&path)?;
    let value = file.source.text.get(item.value.clone())?;
    let of = |language: Language| toml.get(&[&path[..], &[language.code()]].concat());
    let lacking: Vec<Language> = Language::translations().filter(|language| of(*language).is_none()).collect();
    let names = lacking.iter().map(|language| said(language.name())).collect::<Vec<_>>().join(said(", "));
    let blanks: String = lacking.iter().map(|language| format!(", {} = \"…\"", language.code())).collect();
    let (span, text) = match item.kind {
        ItemKind::Text(..) if item.is_closed => (item.value.clone(), format!("{{ en = {value}{blanks} }}")),
        ItemKind::Table if !lacking.is_empty() => {
            let end = of(Language::English)?.value.end;
            (end..end, blanks)
        }
        _ => return None,
    };
    Some((say!("add {names} words"), TextChange { path: file.path.clone(), span, text }))
}

/// The byte at which to add a required variant to a variant's file, and the text to add: another entry, or a new line
/// behind that of the game.
fn requirement(file: &FileText, id: &str) -> Option<(usize, String)> {
    let toml = file.toml.as_ref()?;
    let Some(list) = toml.get(&["requires"]) else {
        let game = toml.get(&["game"])?;
        return Some((game.value.end, format!("\nrequires = [\"{id}\"]")));
    };
    let last =
        toml.items.iter().rfind(|item| item.path.len() == 2 && item.path.first().is_some_and(|key| key == "requires"));
    match last {
        Some(last) => Some((last.value.end, format!(", \"{id}\""))),
        None => (list.kind == ItemKind::Array).then(|| (list.value.start + 1, format!("\"{id}\""))),
    }
}

/// The range of the name within a finding's span: a string without its quotes, or a key alone.
fn name_in(file: &FileText, span: &Range<usize>) -> Option<Range<usize>> {
    let text = file.source.text.get(span.clone())?;
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''));
    if let Some(quote) = quote {
        let inside = text.get(1..)?.find(quote)?;
        return Some(span.start + 1..span.start + 1 + inside);
    }
    let is_in_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
    let end = text.find(|letter: char| !is_in_name(letter)).unwrap_or(text.len());
    (end > 0).then(|| span.start..span.start + end)
}

/// The range of whole lines of the key or table that begins at a byte.
fn whole_entry(file: &FileText, at: usize) -> Option<Range<usize>> {
    let text = &file.source.text;
    let toml = file.toml.as_ref()?;
    let item = toml.items.iter().find(|item| item.keys.iter().any(|key| key.start <= at && at <= key.end))?;
    let start = item.keys.first()?.start;
    let line = text.get(..start)?.rfind('\n').map_or(0, |newline| newline + 1);
    let is_head = matches!(item.kind, ItemKind::Head | ItemKind::ArrayHead);
    // Only an entry with no other text on its lines.
    if is_head || !text.get(line..start)?.trim().is_empty() {
        return None;
    }
    let rest = text.get(item.value.end..)?;
    let end = rest.find('\n').map_or(text.len(), |newline| item.value.end + newline + 1);
    text.get(item.value.end..end)?.trim().is_empty().then_some(line..end)
}
