//! The answers to requests.

use super::documents::{Lines, uri_of};
use super::{Refusal, Server, codes, unknown_method};
use crate::catalogue::Message;
use crate::diagnostic::{Source, visible};
use crate::script::format::{format_rhai, format_toml};
use crate::workspace::{Caller, Completion, CompletionKind, Location, OutlineItem, OutlineKind, SemanticKind};
use serde_json::{Value as Json, json};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The protocol's names of the kinds of semantic tokens.
pub const TOKEN_TYPES: [(SemanticKind, &str); 12] = [
    (SemanticKind::Keyword, "keyword"),
    (SemanticKind::Function, "function"),
    (SemanticKind::Word, "method"),
    (SemanticKind::Parameter, "parameter"),
    (SemanticKind::Local, "variable"),
    (SemanticKind::Zone, "enumMember"),
    (SemanticKind::Property, "property"),
    (SemanticKind::Global, "namespace"),
    (SemanticKind::Number, "number"),
    (SemanticKind::Text, "string"),
    (SemanticKind::Comment, "comment"),
    (SemanticKind::Sign, "operator"),
];

/// A file and a position in it that a request is about.
struct DocumentPosition {
    path: PathBuf,
    source: Arc<Source>,
    offset: usize,
}

impl Server {
    /// Answers a request.
    pub(super) fn answer(&mut self, method: &str, params: &Json) -> Result<Json, Refusal> {
        match method {
            "workspace/symbol" => return Ok(self.workspace_symbols(params)),
            "workspace/executeCommand" => return self.execute(params),
            // The client sends back the item of a function as it got it; its range starts at the name.
            "callHierarchy/incomingCalls" | "callHierarchy/outgoingCalls" => {
                let item = &params["item"];
                let place =
                    json!({ "textDocument": { "uri": item["uri"] }, "position": item["selectionRange"]["start"] });
                return Ok(self
                    .asked(&place)
                    .map_or(Json::Null, |asked| self.calls(&asked, method.ends_with("incomingCalls"))));
            }
            _ => {}
        }
        let is_known = method.starts_with("textDocument/");
        let Some(asked) = self.asked(params) else {
            return if is_known { Ok(Json::Null) } else { Err(unknown_method(method)) };
        };
        let DocumentPosition { path, source, offset } = &asked;
        let lines = self.lines(path, source);
        let range = |server: &Self| {
            let lines = server.lines(path, source);
            lines.offset(&params["range"]["start"])..lines.offset(&params["range"]["end"])
        };
        Ok(match method {
            "textDocument/completion" => {
                let found = self.workspace.complete(path, *offset);
                let items: Vec<Json> =
                    found.iter().enumerate().map(|(number, one)| self.completion(one, number, &lines)).collect();
                json!({ "isIncomplete": false, "items": items })
            }
            "textDocument/hover" => match self.workspace.hover(path, *offset) {
                Some(hover) => json!({ "contents": markdown(&hover.markdown), "range": lines.range(&hover.span) }),
                None => Json::Null,
            },
            "textDocument/signatureHelp" => match self.workspace.signature(path, *offset) {
                Some(signature) => {
                    let forms = signature.forms.iter().map(|(label, parameters, about)| {
                        let parameters: Vec<Json> =
                            parameters.iter().map(|parameter| json!({ "label": parameter })).collect();
                        json!({ "label": label, "parameters": parameters, "documentation": markdown(about) })
                    });
                    let forms: Vec<Json> = forms.collect();
                    json!({ "signatures": forms, "activeSignature": signature.form, "activeParameter": signature.parameter })
                }
                None => Json::Null,
            },
            "textDocument/definition" => {
                let found = self.workspace.definition(path, *offset);
                self.locations(&found)
            }
            "textDocument/implementation" => {
                let found = self.workspace.implementations(path, *offset);
                self.locations(&found)
            }
            "textDocument/references" => {
                let found = self.workspace.references(path, *offset, params["context"]["includeDeclaration"] == true);
                self.locations(&found)
            }
            "textDocument/documentHighlight" => {
                let found = self.workspace.highlights(path, *offset);
                found.iter().map(|span| json!({ "range": lines.range(span) })).collect()
            }
            "textDocument/prepareRename" => match self.workspace.prepare_rename(path, *offset) {
                Ok(span) => lines.range(&span),
                Err(why) => return Err(refused(why)),
            },
            "textDocument/rename" => {
                let name = params["newName"].as_str().unwrap_or_default().to_owned();
                let places = self.workspace.rename(path, *offset, &name).map_err(refused)?;
                let edits = places.into_iter().map(|Location { path, span }| (path, span, name.clone()));
                self.edit(edits.collect())
            }
            "textDocument/documentSymbol" => {
                let outline = self.workspace.outline(path);
                if self.client.nests_symbols {
                    outline.iter().map(|one| symbol(one, &lines)).collect()
                } else {
                    let flat = outline.iter().flat_map(|one| std::iter::once(one).chain(&one.children));
                    let uri = self.uri(path);
                    flat.map(|one| json!({ "name": one.name, "kind": kind_of(one.kind), "location": { "uri": uri, "range": lines.range(&one.span) } })).collect()
                }
            }
            "textDocument/foldingRange" => {
                let folds = self.workspace.folds(path).into_iter().map(|fold| {
                    let (start, end) = (lines.line_and_unit(fold.span.start).0, lines.line_and_unit(fold.span.end).0);
                    let kind = if fold.is_comment { "comment" } else { "region" };
                    json!({ "startLine": start, "endLine": end, "kind": kind })
                });
                folds.collect()
            }
            "textDocument/documentLink" => {
                let found = self.workspace.links(path).into_iter().filter_map(|link| {
                    Some(json!({ "range": lines.range(&link.span), "target": self.uri_to_open(&link.path)? }))
                });
                found.collect()
            }
            "textDocument/prepareCallHierarchy" => match self.workspace.caller_at(path, *offset) {
                Some(caller) => json!([self.caller(&caller)]),
                None => Json::Null,
            },
            "textDocument/formatting" => self.formatted(path, source, &lines),
            "textDocument/codeAction" => {
                let range = range(self);
                self.actions(path, &range, &params["context"]["diagnostics"], &lines)
            }
            "textDocument/codeLens" => {
                let found = self.lenses(path);
                found.into_iter().filter_map(|lens| self.lens(&lens, &lines)).collect()
            }
            "textDocument/inlayHint" => {
                let range = range(self);
                let found = self.workspace.hints(path, &range).into_iter();
                found.map(|hint| json!({ "position": lines.position(hint.at), "label": hint.text, "kind": 1, "paddingLeft": !hint.text.starts_with(':') })).collect()
            }
            "textDocument/semanticTokens/full" => {
                let found = self.workspace.semantic_tokens(path);
                json!({ "data": encoded(&found.iter().map(|token| (token.span.clone(), token.kind)).collect::<Vec<_>>(), &source.text, &lines) })
            }
            _ => return Err(unknown_method(method)),
        })
    }

    /// The file and the position that a request is about.
    fn asked(&self, params: &Json) -> Option<DocumentPosition> {
        let path = self.path(params)?;
        let source = self.workspace.text(&path)?;
        let offset = self.lines(&path, &source).offset(&params["position"]);
        Some(DocumentPosition { path, source, offset })
    }

    /// The lines of a file, counted in the client's way.
    fn lines<'t>(&self, path: &Path, source: &'t Source) -> Lines<'t> {
        match self.documents.values().find(|document| document.path == path) {
            Some(document) => document.lines(&source.text, self.encoding),
            None => Lines::new(&source.text, self.encoding),
        }
    }

    fn completion(&self, one: &Completion, number: usize, lines: &Lines<'_>) -> Json {
        let kind = match one.kind {
            CompletionKind::Function => 3,
            CompletionKind::Method => 2,
            CompletionKind::Property => 10,
            CompletionKind::Variable => 6,
            CompletionKind::Zone => 20,
            CompletionKind::Keyword => 14,
            CompletionKind::Value => 12,
            CompletionKind::Text => 1,
            CompletionKind::Key => 5,
            CompletionKind::File => 17,
            CompletionKind::Snippet => 15,
        };
        let is_snippet = one.is_snippet && self.client.snippets;
        let text = if one.is_snippet && !is_snippet { without_places(&one.text) } else { one.text.clone() };
        let mut item = json!({
            "label": one.label,
            "kind": kind,
            "sortText": format!("{number:05}"),
            "filterText": one.label.strip_prefix("fn ").unwrap_or(&one.label),
            "insertTextFormat": if is_snippet { 2 } else { 1 },
            "textEdit": { "range": lines.range(&one.span), "newText": text },
        });
        if !one.detail.is_empty() {
            item["detail"] = visible(&one.detail).into();
        }
        if !one.documentation.is_empty() {
            item["documentation"] = markdown(&one.documentation);
        }
        item
    }

    /// The URI of a file: the client's own spelling if the file is open.
    pub(super) fn uri(&self, path: &Path) -> String {
        let open = self.documents.values().find(|document| document.path == path);
        match open {
            Some(document) => document.uri.clone(),
            None => uri_of(&self.copies.place(path)),
        }
    }

    /// A URI that the client can open. A built-in file is written to a copy for that; `None` where this fails.
    fn uri_to_open(&self, path: &Path) -> Option<String> {
        if self.workspace.is_fixed(path) {
            let source = self.workspace.text(path)?;
            self.copies.write(path, &source.text)?;
        }
        Some(self.uri(path))
    }

    pub(super) fn locations(&self, places: &[Location]) -> Json {
        let found = places.iter().filter_map(|place| {
            let source = self.workspace.text(&place.path)?;
            let range = self.lines(&place.path, &source).range(&place.span);
            Some(json!({ "uri": self.uri_to_open(&place.path)?, "range": range }))
        });
        found.collect()
    }

    /// A function as an item of a call hierarchy; `None` where its file cannot be opened.
    fn caller(&self, caller: &Caller) -> Option<Json> {
        let source = self.workspace.text(&caller.path)?;
        let lines = self.lines(&caller.path, &source);
        let kind = if caller.layer.is_empty() { FILE_KIND } else { kind_of(OutlineKind::Function) };
        Some(json!({
            "name": visible(&caller.name),
            "kind": kind,
            "detail": visible(&caller.layer),
            "uri": self.uri_to_open(&caller.path)?,
            "range": lines.range(&caller.span),
            "selectionRange": lines.range(&caller.name_span),
        }))
    }

    /// The callers of a function, or the functions that it calls. The ranges are in the calling file.
    fn calls(&mut self, asked: &DocumentPosition, is_incoming: bool) -> Json {
        let DocumentPosition { path, source, offset } = asked;
        let (found, end) = match is_incoming {
            true => (self.workspace.incoming(path, *offset), "from"),
            false => (self.workspace.outgoing(path, *offset), "to"),
        };
        let found = found.iter().filter_map(|calls| {
            let calling = if is_incoming { self.workspace.text(&calls.caller.path)? } else { source.clone() };
            let lines = self.lines(if is_incoming { &calls.caller.path } else { path }, &calling);
            let ranges: Json = calls.places.iter().map(|place| lines.range(place)).collect();
            Some(json!({ end: self.caller(&calls.caller)?, "fromRanges": ranges }))
        });
        found.collect()
    }

    /// Text edits as a workspace edit of the protocol.
    fn edit(&self, changes: Vec<(PathBuf, Range<usize>, String)>) -> Json {
        let mut edits = json!({});
        for (path, span, text) in changes {
            let Some(source) = self.workspace.text(&path) else { continue };
            let edit = json!({ "range": self.lines(&path, &source).range(&span), "newText": text });
            match edits[self.uri(&path)].as_array_mut() {
                Some(list) => list.push(edit),
                None => edits[self.uri(&path)] = json!([edit]),
            }
        }
        json!({ "changes": edits })
    }

    fn actions(&mut self, path: &Path, range: &Range<usize>, known: &Json, lines: &Lines<'_>) -> Json {
        let fixes = self.workspace.fixes(path, range);
        let actions = fixes.into_iter().map(|fix| {
            let mut answered: Vec<&Json> = Vec::new();
            if let Some(found) = &fix.found {
                let place = lines.range(&found.span);
                let code = found.diagnostic.code.map_or("", |code| code.name);
                let known = known.as_array().into_iter().flatten();
                answered.extend(known.filter(|known| known["range"] == place && known["code"] == code));
            }
            let kind = if fix.found.is_some() { "quickfix" } else { "refactor.rewrite" };
            let changes = fix.changes.into_iter().map(|change| (change.path, change.span, change.text));
            json!({
                "title": fix.title,
                "kind": kind,
                "isPreferred": fix.is_preferred,
                "diagnostics": answered,
                "edit": self.edit(changes.collect()),
            })
        });
        actions.collect()
    }

    /// A file formatted, as a single edit, or none if the format is right already; null for a file that does not parse,
    /// because its findings tell why.
    fn formatted(&self, path: &Path, source: &Source, lines: &Lines<'_>) -> Json {
        let open = self.documents.values().find(|document| document.path == path);
        // The client's text, with its line ends.
        let text = open.map_or(&source.text, |document| &document.text);
        let format = if path.extension().is_some_and(|ending| ending == "rhai") { format_rhai } else { format_toml };
        match format(&source.name, text) {
            Err(_) => Json::Null,
            Ok(laid_out) if laid_out == *text => json!([]),
            Ok(laid_out) => json!([{ "range": lines.range(&(0..source.text.len())), "newText": laid_out }]),
        }
    }

    fn workspace_symbols(&mut self, params: &Json) -> Json {
        let found = self.workspace.find(params["query"].as_str().unwrap_or_default());
        let symbols = found.iter().filter_map(|(path, one)| {
            let source = self.workspace.text(path)?;
            let range = self.lines(path, &source).range(&one.name_span);
            Some(json!({ "name": one.name, "kind": kind_of(one.kind), "location": { "uri": self.uri(path), "range": range } }))
        });
        symbols.collect()
    }
}

pub(super) fn refused(why: impl Into<Message>) -> Refusal {
    Refusal { code: codes::REQUEST_FAILED, message: why.into().told().into_owned() }
}

/// A text as Markdown content, with control characters made visible.
fn markdown(text: &str) -> Json {
    let lines: Vec<_> = text.lines().map(visible).collect();
    json!({ "kind": "markdown", "value": lines.join("\n") })
}

/// The text of a snippet without its tab stops, for a client that does not support them.
fn without_places(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['$', '\\']) {
        plain.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        if rest[at..].starts_with('\\') {
            let next = behind.chars().next().map_or(0, char::len_utf8);
            plain.push_str(&behind[..next]);
            rest = &behind[next..];
        } else if let Some(inside) = behind.strip_prefix('{') {
            let (place, after) = inside.split_once('}').unwrap_or((inside, ""));
            plain.push_str(place.split_once(':').map_or("", |(_, name)| name));
            rest = after;
        } else {
            rest = behind.trim_start_matches(|letter: char| letter.is_ascii_digit());
        }
    }
    plain + rest
}

/// The protocol's number of the kind of symbol `File`.
const FILE_KIND: u8 = 1;

fn kind_of(kind: OutlineKind) -> u8 {
    match kind {
        OutlineKind::Function => 12,
        OutlineKind::Table => 2,
        OutlineKind::Key => 7,
    }
}

fn symbol(one: &OutlineItem, lines: &Lines<'_>) -> Json {
    let children: Vec<Json> = one.children.iter().map(|child| symbol(child, lines)).collect();
    json!({
        "name": one.name,
        "detail": one.detail,
        "kind": kind_of(one.kind),
        "range": lines.range(&one.span),
        "selectionRange": lines.range(&one.name_span),
        "children": children,
    })
}

/// Tokens in the protocol's encoding, each relative to the one before; a token of several lines is split.
fn encoded(tokens: &[(Range<usize>, SemanticKind)], text: &str, lines: &Lines<'_>) -> Vec<usize> {
    let mut numbers = Vec::new();
    let (mut last_line, mut last_unit) = (0, 0);
    for (span, kind) in tokens {
        let number = TOKEN_TYPES.iter().position(|(known, _)| known == kind).unwrap_or(0);
        let mut start = span.start;
        for part in text.get(span.clone()).unwrap_or_default().split_inclusive('\n') {
            let end = start + part.trim_end_matches('\n').len();
            let (line, unit) = lines.line_and_unit(start);
            if end > start {
                let from = if line == last_line { last_unit } else { 0 };
                numbers.extend([line - last_line, unit - from, lines.units(&(start..end)), number, 0]);
                (last_line, last_unit) = (line, unit);
            }
            start += part.len();
        }
    }
    numbers
}

/// A client without snippet support gets plain text.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_a_text_without_its_places() {
        assert_eq!(without_places("fn ${1:f}(${2:p}) {\n    $0\n} \\$x"), "fn f(p) {\n    \n} $x");
    }
}
