//! A language server for games and variants, over standard input and output.
//!
//! The server is thin: it keeps the documents as the client has them, and passes questions to a [`Workspace`], which
//! knows the rules. Requests are answered in order, each from the state after the messages before it; a [background
//! thread](checker) does longer checks.
//!
//! Messages are read and written as plain JSON, with the specification's field names: a crate of the protocol's types
//! would bring hundreds for the few that are used.

mod answers;
mod checker;
mod commands;
mod copies;
mod documents;

use crate::catalogue::{said, spoken};
use crate::definition::Library;
use crate::host::frames::{self, Frame};
use crate::host::output::Output;
use crate::host::threads::locked;
use crate::sorted::SortedMap;
use crate::workspace::{TestResults, Workspace};
use checker::{Checker, Task};
use copies::Copies;
use documents::{Document, Encoding, path_of};
use serde_json::{Value as Json, json};
use std::collections::VecDeque;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

/// Serves a client over standard output until it exits. Gives whether it asked to shut down before.
///
/// # Errors
/// The input cannot be read, or no thread can be started.
pub fn serve(input: impl Read + Send + 'static, library: Library) -> io::Result<bool> {
    let wire = Wire(Arc::new(Mutex::new(Output::default())));
    let mut inbox = Inbox::start(input, wire.clone())?;
    let mut server = loop {
        let Some(message) = inbox.next()? else { return Ok(false) };
        match message["method"].as_str() {
            Some("initialize") => {
                let server = Server::new(library, &message["params"], wire.clone());
                wire.answer(&message["id"], Ok(server.capabilities()));
                break server;
            }
            Some("exit") => return Ok(false),
            _ if is_request(&message) => {
                let why = said("the first request has to be `initialize`").to_owned();
                wire.answer(&message["id"], Err(Refusal { code: codes::NOT_INITIALIZED, message: why }));
            }
            _ => {}
        }
    };
    let ended_well = server.run(&mut inbox)?;
    server.checker.close();
    Ok(ended_well)
}

/// Error codes of the protocol.
mod codes {
    pub const PARSE_ERROR: i64 = -32700;
    pub const INVALID_REQUEST: i64 = -32600;
    pub const METHOD_NOT_FOUND: i64 = -32601;
    pub const NOT_INITIALIZED: i64 = -32002;
    pub const REQUEST_CANCELLED: i64 = -32800;
    pub const REQUEST_FAILED: i64 = -32803;
}

/// The queue of messages from the client. A thread reads them, so that cancellations are seen while a request is
/// answered.
struct Inbox {
    incoming: mpsc::Receiver<io::Result<Frame>>,
    waiting: VecDeque<io::Result<Frame>>,
    wire: Wire,
}

impl Inbox {
    fn start(input: impl Read + Send + 'static, wire: Wire) -> io::Result<Self> {
        let (sender, incoming) = mpsc::channel();
        thread::Builder::new().name("messages".to_owned()).spawn(move || {
            let mut input = BufReader::new(input);
            while let Some(frame) = frames::read(&mut input).transpose() {
                let is_last = frame.is_err();
                if sender.send(frame).is_err() || is_last {
                    return;
                }
            }
        })?;
        Ok(Self { incoming, waiting: VecDeque::new(), wire })
    }

    /// The next message; `None` when the client has gone. Malformed messages are reported to the client.
    fn next(&mut self) -> io::Result<Option<Json>> {
        loop {
            let Some(frame) = self.waiting.pop_front().or_else(|| self.incoming.recv().ok()) else { return Ok(None) };
            self.waiting.extend(self.incoming.try_iter());
            match frame? {
                Frame::Message(message) => return Ok(Some(message)),
                Frame::Malformed(message) => {
                    let message = message.told().into_owned();
                    self.wire.answer(&Json::Null, Err(Refusal { code: codes::PARSE_ERROR, message }));
                }
            }
        }
    }

    /// Whether a request was cancelled while it waited.
    fn has_cancelled(&self, id: &Json) -> bool {
        self.waiting.iter().any(|frame| match frame {
            Ok(Frame::Message(note)) => note["method"] == "$/cancelRequest" && note["params"]["id"] == *id,
            _ => false,
        })
    }
}

/// Whether a message is a request, which wants an answer.
fn is_request(message: &Json) -> bool {
    message.get("id").is_some() && message.get("method").is_some()
}

/// The abilities of the client that matter to the server.
#[derive(Clone, Copy, Debug, Default)]
struct ClientAbilities {
    /// Whether completions may be snippets with tab stops.
    snippets: bool,
    /// Whether diagnostics may have related places.
    relates: bool,
    /// Whether document symbols may be nested.
    nests_symbols: bool,
    /// Whether the client can report changes of files by other programs.
    watches: bool,
    /// Whether the client can be asked to refresh its code lenses.
    refreshes_lenses: bool,
    opens_pages: bool,
    /// Whether the client has a command to debug.
    debugs: bool,
}

struct Server {
    workspace: Workspace,
    /// The open documents, by URI.
    documents: SortedMap<String, Document>,
    /// The URI of the last changed document.
    last: String,
    encoding: Encoding,
    client: ClientAbilities,
    plays: bool,
    explained: String,
    copies: Copies,
    wire: Wire,
    checker: Checker,
    /// The test results, until something changes.
    tested: SharedTestResults,
    /// The file opened or saved since the last check.
    saved: Option<PathBuf>,
    /// Whether the client has asked to shut down.
    is_ending: bool,
}

/// Test results, shared with the background threads.
type SharedTestResults = Arc<Mutex<TestResults>>;

/// The stream of messages to the client. Write errors are ignored: a client that has gone is noticed by the end of its
/// input.
#[derive(Clone)]
pub struct Wire(Arc<Mutex<Output>>);

impl Wire {
    /// Sends a notification.
    pub fn notify(&self, method: &str, params: Json) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request whose answer does not matter.
    fn ask(&self, id: &str, method: &str, params: Json) {
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    fn answer(&self, id: &Json, answer: Result<Json, Refusal>) {
        self.send(match answer {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(Refusal { code, message }) => {
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
            }
        });
    }

    fn send(&self, message: Json) {
        let mut output = locked(&self.0);
        let _ = frames::write(&mut *output, &message);
    }
}

/// The error response to a request.
struct Refusal {
    code: i64,
    message: String,
}

impl Server {
    fn new(library: Library, params: &Json, wire: Wire) -> Self {
        let client = &params["capabilities"];
        let offered = client["general"]["positionEncodings"].as_array();
        let has_utf8 = offered.is_some_and(|offered| offered.iter().any(|name| name == "utf-8"));
        let options = &params["initializationOptions"];
        let documents = &client["textDocument"];
        let mut workspace = Workspace::new(library, spoken());
        let folders =
            params["workspaceFolders"].as_array().into_iter().flatten().filter_map(|folder| folder["uri"].as_str());
        for uri in folders.chain(params["rootUri"].as_str()) {
            let Some(path) = path_of(uri) else { continue };
            let inside = workspace.root_above(&path.join("file"));
            inside.into_iter().for_each(|root| workspace.add_root(&root));
        }
        Self {
            workspace,
            documents: SortedMap::new(),
            last: String::new(),
            encoding: if has_utf8 { Encoding::Utf8 } else { Encoding::Utf16 },
            client: ClientAbilities {
                snippets: documents["completion"]["completionItem"]["snippetSupport"] == true,
                relates: documents["publishDiagnostics"]["relatedInformation"] == true,
                nests_symbols: documents["documentSymbol"]["hierarchicalDocumentSymbolSupport"] == true,
                opens_pages: client["window"]["showDocument"]["support"] == true,
                debugs: options["debug"] == true,
                refreshes_lenses: client["workspace"]["codeLens"]["refreshSupport"] == true,
                watches: client["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"] == true,
            },
            plays: options["play"] != false,
            explained: options["findings"].as_str().unwrap_or_default().to_owned(),
            copies: Copies::new(),
            checker: Checker::start(wire.clone()),
            wire,
            tested: SharedTestResults::default(),
            saved: None,
            is_ending: false,
        }
    }

    fn capabilities(&self) -> Json {
        json!({
            "capabilities": {
                "positionEncoding": self.encoding.name(),
                "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
                "completionProvider": { "triggerCharacters": [".", "\"", "'"], "resolveProvider": false },
                "hoverProvider": true,
                "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
                "definitionProvider": true,
                "implementationProvider": true,
                "referencesProvider": true,
                "documentHighlightProvider": true,
                "renameProvider": { "prepareProvider": true },
                "documentFormattingProvider": true,
                "documentSymbolProvider": true,
                "workspaceSymbolProvider": true,
                "foldingRangeProvider": true,
                "documentLinkProvider": { "resolveProvider": false },
                "callHierarchyProvider": true,
                "codeActionProvider": { "codeActionKinds": ["quickfix", "refactor.rewrite"] },
                "codeLensProvider": {},
                "inlayHintProvider": true,
                "semanticTokensProvider": {
                    "legend": { "tokenTypes": answers::TOKEN_TYPES.map(|(_, name)| name), "tokenModifiers": [] },
                    "full": true,
                },
                "executeCommandProvider": { "commands": commands::COMMANDS },
                "workspace": { "workspaceFolders": { "supported": true } },
            },
            "serverInfo": { "name": "houserule", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    /// Asks the client to report changes of rules' files by other programs.
    fn watch_files(&self) {
        let watched = json!({ "watchers": [{ "globPattern": "**/*.{rhai,toml}" }] });
        let one = json!({ "id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": watched });
        let params = json!({ "registrations": [one] });
        self.wire
            .send(json!({ "jsonrpc": "2.0", "id": "watch", "method": "client/registerCapability", "params": params }));
    }

    /// Answers messages until the client exits. Gives whether it asked to shut down before.
    fn run(&mut self, inbox: &mut Inbox) -> io::Result<bool> {
        while let Some(message) = inbox.next()? {
            // Responses of the client do not matter.
            let Some(method) = message["method"].as_str() else { continue };
            if is_request(&message) {
                let id = &message["id"];
                let answer = match inbox.has_cancelled(id) {
                    true => Err(Refusal { code: codes::REQUEST_CANCELLED, message: "cancelled".to_owned() }),
                    false => self.request(method, &message["params"]),
                };
                self.wire.answer(id, answer);
            } else if method == "exit" {
                return Ok(self.is_ending);
            } else {
                self.notification(method, &message["params"]);
            }
        }
        Ok(false)
    }

    fn request(&mut self, method: &str, params: &Json) -> Result<Json, Refusal> {
        if self.is_ending {
            let message = said("the server is ending").to_owned();
            return Err(Refusal { code: codes::INVALID_REQUEST, message });
        }
        if method == "shutdown" {
            self.is_ending = true;
            return Ok(Json::Null);
        }
        self.answer(method, params)
    }

    fn notification(&mut self, method: &str, params: &Json) {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        match method {
            "initialized" if self.client.watches => self.watch_files(),
            "textDocument/didOpen" => {
                let document = &params["textDocument"];
                let (Some(path), Some(text)) = (path_of(uri), document["text"].as_str()) else { return };
                let version = document["version"].as_i64();
                let path = self.copies.original(path);
                let near = self.workspace.root_above(&path).filter(|_| !self.workspace.is_fixed(&path));
                // A path that leads into a known root through a link is not a root of its own.
                if self.workspace.canonical_path(path.clone()) == path {
                    near.into_iter().for_each(|root| self.workspace.add_root(&root));
                }
                let path = self.workspace.canonical_path(path);
                let mut document =
                    Document { uri: uri.to_owned(), path, version, text: String::new(), has_mark: false };
                document.take_text(text);
                self.saved = Some(document.path.clone());
                self.store_document(document);
            }
            "textDocument/didChange" => {
                // Only an open document can be changed.
                let Some(mut document) = self.documents.remove(uri) else { return };
                for change in params["contentChanges"].as_array().into_iter().flatten() {
                    document.change(change, self.encoding);
                }
                document.version = params["textDocument"]["version"].as_i64().or(document.version);
                self.store_document(document);
            }
            "textDocument/didSave" => {
                self.workspace.changed();
                if let Some(document) = self.documents.get(uri) {
                    self.saved = Some(document.path.clone());
                    uri.clone_into(&mut self.last);
                }
                self.check();
            }
            "textDocument/didClose" => {
                let Some(document) = self.documents.remove(uri) else { return };
                self.workspace.set(&document.path, None);
                let nothing = json!({ "uri": uri, "diagnostics": [] });
                self.wire.notify("textDocument/publishDiagnostics", nothing);
                self.check();
            }
            "workspace/didChangeWatchedFiles" | "workspace/didChangeConfiguration" => {
                self.workspace.changed();
                self.check();
            }
            "workspace/didChangeWorkspaceFolders" => {
                for folder in params["event"]["added"].as_array().into_iter().flatten() {
                    let Some(path) = folder["uri"].as_str().and_then(path_of) else { continue };
                    self.workspace
                        .root_above(&path.join("file"))
                        .into_iter()
                        .for_each(|root| self.workspace.add_root(&root));
                }
                self.check();
            }
            _ => {}
        }
    }

    /// Stores a document and lays its text over its file.
    fn store_document(&mut self, document: Document) {
        // The copy of a built-in file is only for reading.
        if !self.workspace.is_fixed(&document.path) {
            self.workspace.set(&document.path, Some(&document.text));
        }
        self.last.clone_from(&document.uri);
        self.documents.insert(document.uri.clone(), document);
        self.check();
    }

    /// Starts a check of the open documents, the last changed first.
    fn check(&mut self) {
        // Tests that are still running use the texts from before.
        self.tested = SharedTestResults::default();
        let (first, others): (Vec<&Document>, Vec<&Document>) = self
            .documents
            .values()
            .filter(|document| !self.workspace.is_fixed(&document.path))
            .partition(|document| document.uri == self.last);
        let documents = first.into_iter().chain(others).cloned().collect();
        self.checker.look_at(Task {
            workspace: self.workspace.clone(),
            documents,
            encoding: self.encoding,
            plays: self.plays,
            explained: self.explained.clone(),
            relates: self.client.relates,
            saved: self.saved.take(),
            tested: self.tested.clone(),
            refreshes_lenses: self.client.refreshes_lenses,
        });
    }

    /// The path of the document that a request names; it need not be open.
    fn path(&self, params: &Json) -> Option<PathBuf> {
        self.path_of_document(params["textDocument"]["uri"].as_str()?)
    }

    fn path_of_document(&self, uri: &str) -> Option<PathBuf> {
        self.documents
            .get(uri)
            .map(|document| document.path.clone())
            .or_else(|| path_of(uri).map(|path| self.workspace.canonical_path(self.copies.original(path))))
    }
}

/// The refusal of a request with an unknown method.
fn unknown_method(method: &str) -> Refusal {
    Refusal { code: codes::METHOD_NOT_FOUND, message: format!("{}: {method}", said("there is no such request")) }
}
