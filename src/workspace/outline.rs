//! The structure of a file: its outline, foldable ranges, semantic tokens and inlay hints.

use super::hover::in_words;
use super::infer::View;
use super::references::script_of;
use super::symbols::{Symbol, resolve};
use super::toml::ItemKind;
use super::{FileText, Workspace};
use crate::catalogue::say;
use crate::script::tokens::TokenKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// An item in the outline of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineItem {
    /// The item's name.
    pub name: String,
    /// A short description beside the name.
    pub detail: String,
    /// The kind of the item.
    pub kind: OutlineKind,
    /// The byte range of the whole item.
    pub span: Range<usize>,
    /// The byte range of its name.
    pub name_span: Range<usize>,
    /// The items within it.
    pub children: Vec<OutlineItem>,
}

/// The kind of an item in an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlineKind {
    /// A function of a script.
    Function,
    /// A TOML table.
    Table,
    /// A TOML key with a value.
    Key,
}

/// A foldable range of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The byte range of the lines.
    pub span: Range<usize>,
    /// Whether the lines are a comment.
    pub is_comment: bool,
}

/// The kind of a token of a script, for highlighting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemanticKind {
    /// A keyword of the language.
    Keyword,
    /// A function of the scripts.
    Function,
    /// A word of the vocabulary.
    Word,
    /// A parameter of a function.
    Parameter,
    /// A local variable.
    Local,
    /// A zone of the game.
    Zone,
    /// A variable, a setting or a data value.
    Property,
    /// A global name, such as `table`.
    Global,
    /// A number literal.
    Number,
    /// A string literal.
    Text,
    /// A comment.
    Comment,
    /// An operator or other sign.
    Sign,
}

/// A token of a script with its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// The byte range of the token.
    pub span: Range<usize>,
    /// The kind of the token.
    pub kind: SemanticKind,
}

/// An inlay hint, shown within a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// The byte behind which the hint is shown.
    pub at: usize,
    /// The text of the hint.
    pub text: String,
}

impl Workspace {
    /// The outline of a file.
    pub fn outline(&self, path: &Path) -> Vec<OutlineItem> {
        self.file(path).map(|file| outline_of(&file)).unwrap_or_default()
    }

    /// The items of all files related to open ones whose names contain the letters of `query` in order.
    pub fn find(&mut self, query: &str) -> Vec<(PathBuf, OutlineItem)> {
        let open: Vec<PathBuf> = self.open().map(Path::to_owned).collect();
        let mut files: Vec<FileText> = Vec::new();
        for path in open {
            let Some(context) = self.context(&path) else { continue };
            for file in self.family(&context, false) {
                if files.iter().all(|known| known.path != file.path) && !self.is_fixed(&file.path) {
                    files.push(file);
                }
            }
        }
        let mut found = Vec::new();
        for file in &files {
            for outlined in outline_of(file) {
                for child in &outlined.children {
                    found.push((file.path.clone(), child.clone()));
                }
                found.push((file.path.clone(), outlined));
            }
        }
        let query = query.to_lowercase();
        found.retain(|(_, one)| {
            let name = one.name.to_lowercase();
            let mut letters = name.chars();
            query.chars().all(|letter| letters.any(|own| own == letter))
        });
        found.truncate(500);
        found
    }

    /// The foldable ranges of a file.
    pub fn folds(&self, path: &Path) -> Vec<Fold> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let mut found = Vec::new();
        for piece in &file.pieces {
            let code = &piece.code;
            for token in (0..code.tokens.len()).filter(|&token| code.bracket(token) == 1) {
                let close = code.closing(token, code.tokens.len());
                if let Some(end) = code.tokens.get(close) {
                    found.push(Fold {
                        span: piece.span_in_file(&(code.tokens[token].start..end.start)),
                        is_comment: false,
                    });
                }
            }
            let mut comments = code.comments.iter().peekable();
            while let Some(first) = comments.next() {
                let mut last = first;
                while let Some(next) = comments.peek().filter(|next| {
                    code.text
                        .get(last.end..next.start)
                        .is_some_and(|between| between.trim().is_empty() && between.matches('\n').count() < 2)
                }) {
                    last = next;
                    comments.next();
                }
                found.push(Fold { span: piece.span_in_file(&(first.start..last.end)), is_comment: true });
            }
        }
        let items = file.toml.iter().flat_map(|toml| &toml.items);
        let heads: Vec<_> =
            items.clone().filter(|item| matches!(item.kind, ItemKind::Head | ItemKind::ArrayHead)).collect();
        for (number, head) in heads.iter().enumerate() {
            let end = heads.get(number + 1).map_or(file.source.text.len(), |next| next.value.start);
            let end =
                head.value.start + file.source.text.get(head.value.start..end).map_or(0, |text| text.trim_end().len());
            found.push(Fold { span: head.value.start..end, is_comment: false });
        }
        found.extend(
            items
                .filter(|item| matches!(item.kind, ItemKind::Array | ItemKind::Table | ItemKind::Text(3, _)))
                .map(|item| Fold { span: item.value.clone(), is_comment: false }),
        );
        found.retain(|fold| file.source.text.get(fold.span.clone()).is_some_and(|text| text.contains('\n')));
        found
    }

    /// The semantic tokens of the scripts in a file, in order.
    pub fn semantic_tokens(&mut self, path: &Path) -> Vec<SemanticToken> {
        let (Some(file), context) = (self.file(path), self.context(path)) else { return Vec::new() };
        let mut found = Vec::new();
        for piece in &file.pieces {
            let code = &piece.code;
            for (number, token) in code.tokens.iter().enumerate() {
                let symbol = || {
                    let context = context.as_ref()?;
                    let view = View::new(context, code, self.language);
                    Some(resolve(context, view, script_of(context, &file, piece), number)?.0)
                };
                let kind = match token.kind {
                    TokenKind::Keyword => SemanticKind::Keyword,
                    TokenKind::Number => SemanticKind::Number,
                    TokenKind::Text | TokenKind::Template => SemanticKind::Text,
                    TokenKind::Sign => SemanticKind::Sign,
                    _ if token.kind.is_between() => SemanticKind::Comment,
                    _ => match symbol() {
                        Some(Symbol::Function(..) | Symbol::Super(..)) => SemanticKind::Function,
                        Some(Symbol::Local(_, declared)) => {
                            let is_parameter = code
                                .functions
                                .iter()
                                .any(|function| function.parameters.iter().any(|(_, span)| *span == declared));
                            if is_parameter { SemanticKind::Parameter } else { SemanticKind::Local }
                        }
                        Some(Symbol::Zone(_)) => SemanticKind::Zone,
                        Some(Symbol::Words(_)) => SemanticKind::Word,
                        Some(Symbol::Global(_)) => SemanticKind::Global,
                        Some(_) => SemanticKind::Property,
                        None => SemanticKind::Local,
                    },
                };
                found.push(SemanticToken { span: piece.span_in_file(&token.span()), kind });
            }
            found.extend(
                code.comments.iter().map(|token| SemanticToken {
                    span: piece.span_in_file(&token.span()),
                    kind: SemanticKind::Comment,
                }),
            );
        }
        found.sort_by_key(|token| token.span.start);
        found
    }

    /// The inlay hints in a range of a file: the types of local variables, and the sizes of groups of components.
    pub fn hints(&mut self, path: &Path, range: &Range<usize>) -> Vec<InlayHint> {
        let (Some(file), Some(context)) = (self.file(path), self.context(path)) else { return Vec::new() };
        let mut found = Vec::new();
        for piece in &file.pieces {
            let code = &piece.code;
            let view = View::new(&context, code, self.language);
            for (number, token) in code.tokens.iter().enumerate() {
                let at = piece.in_file(token.end);
                if token.kind != TokenKind::Name || !range.contains(&at) || !view.declares(number) {
                    continue;
                }
                let value = view.local(code.word(number), number).and_then(|local| local.value);
                found.extend(value.map(|value| InlayHint { at, text: format!(": {}", in_words(&value)) }));
            }
        }
        for item in file
            .toml
            .iter()
            .flat_map(|toml| &toml.items)
            .filter(|item| item.path.len() == 2 && item.path.first().is_some_and(|key| key == "components"))
        {
            let group = context.definition().components.iter().find(|group| Some(&group.name) == item.path.last());
            if let Some(group) = group.filter(|_| range.contains(&item.key.end)) {
                found.push(InlayHint { at: item.key.end, text: say!("{} components", group.members.len()) });
            }
        }
        found
    }
}

fn outline_of(file: &FileText) -> Vec<OutlineItem> {
    let mut found: Vec<OutlineItem> = Vec::new();
    let text = &file.source.text;
    for item in file.toml.iter().flat_map(|toml| &toml.items) {
        let is_head = matches!(item.kind, ItemKind::Head | ItemKind::ArrayHead);
        if item.keys.is_empty() || item.key.is_empty() {
            continue;
        }
        let name = match is_head {
            true => item.path.join("."),
            false => {
                text.get(item.keys.first().map_or(0, |key| key.start)..item.key.end).unwrap_or_default().to_owned()
            }
        };
        let start = if is_head { item.value.start } else { item.keys.first().map_or(item.key.start, |key| key.start) };
        let outlined = OutlineItem {
            detail: String::new(),
            kind: if is_head { OutlineKind::Table } else { OutlineKind::Key },
            span: start..item.value.end.max(item.key.end),
            name_span: item.key.clone(),
            children: Vec::new(),
            name,
        };
        // Keys within an inline value get no item.
        let is_inside =
            |one: &OutlineItem| one.kind == OutlineKind::Key && one.span.start < start && start < one.span.end;
        match found.last_mut() {
            Some(last) if last.kind == OutlineKind::Table && !is_head => {
                if !last.children.last().is_some_and(is_inside) {
                    last.span.end = outlined.span.end;
                    last.children.push(outlined);
                }
            }
            Some(last) if is_inside(last) => {}
            _ => found.push(outlined),
        }
    }
    for piece in file.pieces.iter().filter(|piece| piece.is_script) {
        let functions = piece.code.functions.iter().map(|function| OutlineItem {
            name: function.name.clone(),
            detail: function.call().strip_prefix(&*function.name).unwrap_or_default().to_owned(),
            kind: OutlineKind::Function,
            span: piece.in_file(function.comment_start)..piece.in_file(function.span.end),
            name_span: piece.span_in_file(&function.name_span),
            children: Vec::new(),
        });
        let functions: Vec<OutlineItem> = functions.collect();
        // The functions of a script in TOML go below the item that contains it.
        let around = found.iter_mut().find(|one| {
            functions.first().is_some_and(|first| one.span.start <= first.span.start && first.span.end <= one.span.end)
        });
        match around {
            Some(table) => table.children.extend(functions),
            None => found.extend(functions),
        }
    }
    found
}
