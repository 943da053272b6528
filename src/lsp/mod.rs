//! A language server for games and variants, over standard input and output.
//!
//! It is thin: messages come in, documents are kept as the client has them, and questions go to a [`Workspace`]. Nothing of rules is
//! known here. Requests are answered in their order, each from the state that the messages before it made; what takes longer is
//! looked for by a [thread](checker).
//!
//! Messages are read and written as JSON here, with the names of fields that the specification has; a crate of the protocol's types
//! would bring all of them for the few that are used.

mod answers;
mod checker;
mod commands;
mod copies;
mod documents;

use crate::catalogue::{said, spoken};
use crate::definition::Library;
use crate::host::frames::{self, Frame};
use crate::host::output::Output;
use crate::workspace::{TestResults, Workspace};
use checker::{Checker, Task};
use copies::Copies;
use documents::{Document, Encoding, path_of};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufReader, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

/// Serves a client over standard output until it says that this is the end; whether it ended as it should.
///
/// # Errors
/// The input cannot be read, or no thread can be had.
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

/// Why a request is not answered, by the protocol's numbers.
mod codes {
    pub const PARSE_ERROR: i64 = -32700;
    pub const INVALID_REQUEST: i64 = -32600;
    pub const METHOD_NOT_FOUND: i64 = -32601;
    pub const NOT_INITIALIZED: i64 = -32002;
    pub const REQUEST_CANCELLED: i64 = -32800;
    pub const REQUEST_FAILED: i64 = -32803;
}

/// What has come from the client. A thread reads, so that a request is seen to be called off while another is answered.
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

    /// The next message; nothing when the client has gone. What is no message is told to the client.
    fn next(&mut self) -> io::Result<Option<Json>> {
        loop {
            let Some(frame) = self.waiting.pop_front().or_else(|| self.incoming.recv().ok()) else { return Ok(None) };
            self.waiting.extend(self.incoming.try_iter());
            match frame? {
                Frame::Message(message) => return Ok(Some(message)),
                Frame::Malformed(message) => {
                    self.wire.answer(&Json::Null, Err(Refusal { code: codes::PARSE_ERROR, message }));
                }
            }
        }
    }

    /// Whether a request was called off before its turn came.
    fn has_cancelled(&self, id: &Json) -> bool {
        self.waiting.iter().any(|frame| match frame {
            Ok(Frame::Message(note)) => note["method"] == "$/cancelRequest" && note["params"]["id"] == *id,
            _ => false,
        })
    }
}

/// Whether a message wants an answer.
fn is_request(message: &Json) -> bool {
    message.get("id").is_some() && message.get("method").is_some()
}

/// What a client can do, as far as it matters.
#[derive(Clone, Copy, Debug, Default)]
struct ClientAbilities {
    /// Completions with places to go on typing at.
    snippets: bool,
    /// Related places of a finding.
    relates: bool,
    /// Symbols in each other.
    nests_symbols: bool,
    /// It tells of files that others change, when it is asked to.
    watches: bool,
    /// It asks for what stands over lines again, when it is told to.
    refreshes_lenses: bool,
    opens_pages: bool,
    /// It has a command that debugs.
    debugs: bool,
}

struct Server {
    workspace: Workspace,
    /// The open documents by their addresses.
    documents: BTreeMap<String, Document>,
    /// The address of the one that was changed last.
    last: String,
    encoding: Encoding,
    client: ClientAbilities,
    plays: bool,
    explained: String,
    copies: Copies,
    wire: Wire,
    checker: Checker,
    /// What came of tests, until anything is changed.
    tested: SharedTestResults,
    /// The file that was opened or saved since the files were looked at.
    saved: Option<PathBuf>,
    /// Whether the client has said that it will end.
    is_ending: bool,
}

/// What came of tests.
type SharedTestResults = Arc<Mutex<TestResults>>;

/// What messages to the client go through. A client that does not listen any more is told by the end of what it sends, and
/// needs no answer.
#[derive(Clone)]
pub struct Wire(Arc<Mutex<Output>>);

impl Wire {
    /// Tells the client something.
    pub fn notify(&self, method: &str, params: Json) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks the client for something. What it answers is of no interest.
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
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = frames::write(&mut *output, &message);
    }
}

/// Why a request is not answered.
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
            documents: BTreeMap::new(),
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
                    "legend": { "tokenTypes": answers::token_types(), "tokenModifiers": [] },
                    "full": true,
                },
                "executeCommandProvider": { "commands": commands::COMMANDS },
                "workspace": { "workspaceFolders": { "supported": true } },
            },
            "serverInfo": { "name": "houserule", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    /// Asks the client to tell of files that others change.
    fn watch_files(&self) {
        let watched = json!({ "watchers": [{ "globPattern": "**/*.{rhai,toml}" }] });
        let one = json!({ "id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": watched });
        let params = json!({ "registrations": [one] });
        self.wire
            .send(json!({ "jsonrpc": "2.0", "id": "watch", "method": "client/registerCapability", "params": params }));
    }

    /// Answers until the client ends; whether it said so before.
    fn run(&mut self, inbox: &mut Inbox) -> io::Result<bool> {
        while let Some(message) = inbox.next()? {
            // What the client answers to is of no interest.
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
                // Below a root that is known, a path that leads there through a link is no root of its own.
                if self.workspace.known_as(path.clone()) == path {
                    near.into_iter().for_each(|root| self.workspace.add_root(&root));
                }
                let path = self.workspace.known_as(path);
                let mut document =
                    Document { uri: uri.to_owned(), path, version, text: String::new(), has_mark: false };
                document.take_text(text);
                self.saved = Some(document.path.clone());
                self.lay(document);
            }
            "textDocument/didChange" => {
                // Only what is open can be changed.
                let Some(mut document) = self.documents.remove(uri) else { return };
                for change in params["contentChanges"].as_array().into_iter().flatten() {
                    document.change(change, self.encoding);
                }
                document.version = params["textDocument"]["version"].as_i64().or(document.version);
                self.lay(document);
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

    /// Lays the text of a document over its file.
    fn lay(&mut self, document: Document) {
        // A copy of what is in the program is there to be looked at.
        if !self.workspace.is_fixed(&document.path) {
            self.workspace.set(&document.path, Some(&document.text));
        }
        self.last.clone_from(&document.uri);
        self.documents.insert(document.uri.clone(), document);
        self.check();
    }

    /// Has the open documents looked at, the last one first.
    fn check(&mut self) {
        // Tests that still run have the texts from before.
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

    /// The document of a request, by its address; also one that is not open.
    fn path(&self, params: &Json) -> Option<PathBuf> {
        self.path_of_document(params["textDocument"]["uri"].as_str()?)
    }

    fn path_of_document(&self, uri: &str) -> Option<PathBuf> {
        self.documents
            .get(uri)
            .map(|document| document.path.clone())
            .or_else(|| path_of(uri).map(|path| self.workspace.known_as(self.copies.original(path))))
    }
}

/// That there is no such request.
fn unknown_method(method: &str) -> Refusal {
    Refusal { code: codes::METHOD_NOT_FOUND, message: format!("{}: {method}", said("there is no such request")) }
}
