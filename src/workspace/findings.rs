//! Errors and warnings in a file.

use super::code::{Code, FunctionSpan};
use super::{FileRole, FileText, Workspace, widened};
use crate::diagnostic::{Diagnostic, Severity};
use crate::inspect::check::Findings;
use crate::ruleset::Selection;
use crate::scenario::Scenario;
use crate::script::codes;
use crate::work::Work;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Most functions of a file blanked out one after the other to find more errors.
const MAX_BLANKED_FUNCTIONS: usize = 12;

/// The id of a stand-in game for a library that no game uses.
const NO_GAME: &str = "no-game-uses-this";

/// A finding of `check` or of a test in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileFinding {
    /// The byte range in the file.
    pub span: Range<usize>,
    /// The error or warning.
    pub diagnostic: Diagnostic,
    /// Whether rules had to be run to find it.
    pub is_played: bool,
}

impl Workspace {
    /// The static findings in the current text of a file. A function that does not parse does not hide the findings in
    /// others.
    pub fn findings(&self, path: &Path, work: &Arc<Work>) -> Vec<FileFinding> {
        let Some(file) = self.file(path) else { return self.unreadable(path) };
        let library = self.library_for(path);
        let found = match self.role(path, &library) {
            FileRole::Layer(selection) => self.of_layer(&file, &selection, work),
            FileRole::Scenario(selection) => match Scenario::parse(&file.source, path) {
                Err(errors) => errors.into_iter().map(|error| error.with_code(codes::DEFINITION)).collect(),
                Ok(_) => {
                    let mut findings = Findings::default();
                    findings.read_alone(&library, work, selection);
                    findings.errors
                }
            },
            FileRole::Unused => self.of_unused(&file, work),
            FileRole::Saved => self.of_saved(&file, &library),
            FileRole::Pack => self.of_pack(&file, &library, work),
            FileRole::Other => Vec::new(),
        };
        self.placed(&file, found, false)
    }

    /// The findings from playing games or running tests. This takes time; `work` can stop it.
    pub fn play_findings(&self, path: &Path, work: &Arc<Work>) -> Vec<FileFinding> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let library = self.library_for(path);
        let found = match self.role(path, &library) {
            FileRole::Layer(selection) => {
                let mut read = Findings::default();
                read.read_alone(&library, work, selection.clone());
                if !read.errors.is_empty() {
                    return Vec::new();
                }
                let mut played = Findings::default();
                played.check_alone(&library, work, selection);
                let is_new = |found: &Diagnostic| !read.warnings.contains(found);
                played.errors.into_iter().chain(played.warnings).filter(is_new).collect()
            }
            FileRole::Scenario(_) => match Scenario::parse(&file.source, path) {
                Ok(scenario) => scenario.run(&library).result.err().into_iter().flatten().collect(),
                Err(_) => Vec::new(),
            },
            FileRole::Saved => self.of_moves(&file, &library, work),
            FileRole::Unused | FileRole::Pack | FileRole::Other => Vec::new(),
        };
        if work.is_stopped() {
            return Vec::new();
        }
        self.placed(&file, found, true)
    }

    fn of_layer(&self, file: &FileText, selection: &Selection, work: &Arc<Work>) -> Vec<Diagnostic> {
        let mut errors: Vec<Diagnostic> = Vec::new();
        let mut workspace = self.clone();
        let mut text = file.source.text.clone();
        for hole in 0..=MAX_BLANKED_FUNCTIONS {
            let mut findings = Findings::default();
            findings.read_alone(&workspace.library_for(&file.path), work, selection.clone());
            let has_hole = hole > 0;
            let blank = findings.errors.iter().find_map(|error| {
                let place = error.place.as_ref().filter(|place| place.source.name == file.source.name)?;
                let is_hole = error.code.is_some_and(|code| *code == *codes::SYNTAX);
                is_hole.then(|| without_function(file, &text, place.span.start)).flatten()
            });
            let span = |error: &Diagnostic| error.place.as_ref().map(|place| place.span.clone());
            for error in findings.errors {
                // Each round finds the same errors again, in a text with more functions blanked out.
                if errors.iter().all(|known| known.message != error.message || span(known) != span(&error)) {
                    errors.push(error);
                }
            }
            match blank {
                Some(blank) if hole < MAX_BLANKED_FUNCTIONS => {
                    workspace.set(&file.path, Some(&blank));
                    text = blank;
                }
                _ => {
                    // With a function blanked out, what seems unused may be used in it.
                    let is_certain = |warning: &Diagnostic| !has_hole || !warning.code.is_some_and(is_about_the_whole);
                    errors.extend(findings.warnings.into_iter().filter(is_certain));
                    break;
                }
            }
        }
        // Byte positions are the same as in the original text, which replaces the blanked one.
        for error in &mut errors {
            for place in error.place.iter_mut().chain(&mut error.related) {
                if place.source.name == file.source.name && place.source.text.len() == file.source.text.len() {
                    place.source = file.source.clone();
                }
            }
        }
        errors
    }

    /// The findings in a library that no game uses yet, under a stand-in game without anything else. Errors located in
    /// other files are dropped.
    fn of_unused(&self, file: &FileText, work: &Arc<Work>) -> Vec<Diagnostic> {
        let Some((root, _)) = self.below_root(&file.path) else { return Vec::new() };
        let name = file.path.file_stem().unwrap_or_default().to_string_lossy();
        let mut workspace = self.clone();
        let folder = root.join("games").join(NO_GAME);
        let definition =
            format!("id = \"{NO_GAME}\"\nname = \"-\"\nplayers = {{ min = 2, max = 2 }}\nuses = [\"{name}\"]\n");
        workspace.set(&folder.join("game.toml"), Some(&definition));
        workspace.set(&folder.join("rules.rhai"), Some("fn game() { }\n"));
        let mut found = workspace.of_layer(file, &Selection::of(NO_GAME), work);
        found.retain(|one| one.place.as_ref().is_some_and(|place| place.source.name == file.source.name));
        found
    }

    fn unreadable(&self, path: &Path) -> Vec<FileFinding> {
        let files = self.library.files();
        let errors = files.read(path, &files.name_of(path)).err();
        let found = |diagnostic: Diagnostic| FileFinding {
            span: 0..0,
            diagnostic: diagnostic.with_code(codes::DEFINITION),
            is_played: false,
        };
        errors.into_iter().flatten().map(found).collect()
    }

    /// Locates findings in a file. An error elsewhere is put at the top of the file, with its place in the message.
    pub(super) fn placed(&self, file: &FileText, found: Vec<Diagnostic>, is_played: bool) -> Vec<FileFinding> {
        let is_here = |diagnostic: &Diagnostic| {
            diagnostic.place.as_ref().is_some_and(|place| place.source.name == file.source.name)
        };
        let has_own = found.iter().any(|one| is_here(one) && one.severity == Severity::Error);
        let matters = |one: &Diagnostic| is_here(one) || one.severity == Severity::Error && !has_own;
        let placed = found.into_iter().filter(matters).map(|mut diagnostic| {
            let span = match diagnostic.place.take() {
                Some(place) if place.source.name == file.source.name => {
                    // An embedded text, such as an expression, has byte positions of its own.
                    let start = match place.source.text.len() == file.source.text.len() {
                        true => place.span.clone(),
                        false => {
                            let (line, column) = place.position();
                            let start = file.source.offset(line, column);
                            start..start + place.span.len()
                        }
                    };
                    let span = widened(&file.source.text, &start);
                    diagnostic.place = Some(place);
                    span
                }
                Some(place) => {
                    diagnostic.related.insert(0, place);
                    0..0
                }
                None => 0..0,
            };
            FileFinding { span, diagnostic, is_played }
        });
        placed.collect()
    }
}

/// Whether a finding says that something is unused or missing in the rules as a whole.
fn is_about_the_whole(code: &'static crate::diagnostic::Code) -> bool {
    let all = [
        codes::UNCALLED,
        codes::UNUSED_NAME,
        codes::UNUSED_VARIABLE,
        codes::UNUSED_SETTING,
        codes::UNUSED_DATA,
        codes::UNUSED_TEXT,
        codes::UNASKED_PROMPT,
        codes::UNOFFERED_ACT,
        codes::UNMEASURED_BOUNDS,
        codes::LOST_RULE,
        codes::MISSING_FUNCTION,
    ];
    all.contains(&code)
}

/// The text with the body of the function at byte `at` blanked out. All byte positions stay the same.
fn without_function(file: &FileText, text: &str, at: usize) -> Option<String> {
    let piece = file.pieces.iter().find(|piece| piece.is_script && piece.of_file(at).is_some())?;
    let end = piece.start + piece.code.text.len();
    let code = Code::new(text.get(piece.start..end)?);
    let at = at - piece.start;
    let is_empty = |function: &FunctionSpan| {
        let body = function.body.clone().unwrap_or(0..0);
        function.is_closed && code.text.get(body).is_some_and(|body| body.trim().is_empty())
    };
    let before = || code.functions.iter().rev().filter(|function| function.span.start <= at);
    // A missing end of a function is noticed only where the next one begins.
    let open = before().take(2).find(|function| !function.is_closed);
    let function = open.or_else(|| before().next())?;
    let span = function.span.clone();
    let mut blank = String::with_capacity(code.text.len());
    blank.push_str(code.text.get(..span.start)?);
    // The head of the function stays, unless it is broken itself or leaves no room for braces.
    let head_end = function.body.as_ref().map(|body| body.start);
    let keeps = head_end.filter(|start| span.end > *start && *start <= at && !is_empty(function));
    let from = match keeps {
        Some(start) => {
            blank.push_str(code.text.get(span.start..start)?);
            start
        }
        None => span.start,
    };
    let to = if keeps.is_some() { span.end - 1 } else { span.end };
    let inside = code.text.get(from..)?.char_indices().map(|(offset, letter)| (from + offset, letter));
    for (_, letter) in inside.take_while(|(offset, _)| *offset < to) {
        match letter {
            '\n' => blank.push('\n'),
            _ => (0..letter.len_utf8()).for_each(|_| blank.push(' ')),
        }
    }
    let blank_end = blank.len();
    let last = code.text.get(to..span.end).unwrap_or("");
    if keeps.is_some() {
        // If the last character has more bytes than the brace, blanks fill up.
        let rest = span.end.checked_sub(blank_end)?;
        blank.push_str(&" ".repeat(rest.checked_sub(1)?));
        blank.push('}');
    } else {
        blank.push_str(&" ".repeat(last.len()));
    }
    blank.push_str(code.text.get(span.end..)?);
    let whole = format!("{}{blank}{}", text.get(..piece.start)?, text.get(end..)?);
    (whole != text && whole.len() == text.len()).then_some(whole)
}
