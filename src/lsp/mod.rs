//! A language server for games and variants, over standard input and output.
//!
//! It is thin: messages come in, documents are kept as the client has them, and questions go to a [`Workspace`]. Nothing of rules is
//! known here. Requests are answered in their order, each from the state that the messages before it made; what takes longer is
//! looked for by a [thread](checker).

mod answers;
mod checker;
mod copies;
mod documents;

use crate::catalogue::{said, spoken};
use crate::definition::Library;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::workspace::Workspace;
use checker::{Checker, Task};
use copies::Copies;
use documents::{Document, Encoding, path_of};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::thread;

/// Serves a client until it says that this is the end; whether it ended as it should.
///
/// # Errors
/// What came is no message of the protocol.
pub fn serve(library: Library) -> Result<bool, Diagnostics> {
    let (connection, threads) = Connection::stdio();
    let broken = |why: String| Diagnostic::new("the editor's message cannot be read").help(why);
    let (id, params) = match connection.initialize_start() {
        Ok(begun) => begun,
        Err(error) => {
            drop(connection);
            let read = threads.join();
            return match (error.channel_is_disconnected(), read) {
                (_, Err(error)) => Err(broken(error.to_string()).into()),
                (true, _) => Ok(false),
                (false, _) => Err(broken(error.to_string()).into()),
            };
        }
    };
    let mut server = Server::new(library, &params, &connection);
    if connection.initialize_finish(id, server.capabilities()).is_err() {
        drop((server, connection));
        return threads.join().map(|()| false).map_err(|error| broken(error.to_string()).into());
    }
    server.watch_files(&params);
    let Connection { sender, receiver } = connection;
    // The wire hands over one message at a time; here they wait together, so that one that is called off is seen.
    let (forward, incoming) = mpsc::channel();
    let forwarder = thread::Builder::new().name("messages".to_owned()).spawn(move || {
        while let Ok(message) = receiver.recv() {
            if forward.send(message).is_err() {
                return;
            }
        }
    });
    let ended_well = server.run(&incoming);
    // Whoever can still send keeps the wire open.
    let Server { checker, wire, .. } = server;
    checker.close();
    drop((wire, sender, incoming));
    let read = threads.join();
    drop(forwarder);
    match read {
        Err(error) if !ended_well => Err(broken(error.to_string()).into()),
        _ => Ok(ended_well),
    }
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
    /// Whether the client has said that it will end.
    is_ending: bool,
}

/// What messages to the client go through. A client that does not listen any more is told by the end of what it sends, and
/// needs no answer.
#[derive(Clone)]
pub struct Wire(Arc<dyn Fn(Message) + Send + Sync>);

impl Wire {
    /// Sends a message.
    pub fn send(&self, message: impl Into<Message>) {
        (self.0)(message.into());
    }
}

/// Why a request is not answered.
struct Refusal {
    code: ErrorCode,
    message: String,
}

impl Server {
    fn new(library: Library, params: &Json, connection: &Connection) -> Self {
        let client = &params["capabilities"];
        let offered = client["general"]["positionEncodings"].as_array();
        let has_utf8 = offered.is_some_and(|offered| offered.iter().any(|name| name == "utf-8"));
        let options = &params["initializationOptions"];
        let sender = connection.sender.clone();
        let wire = Wire(Arc::new(move |message| drop(sender.send(message))));
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
            },
            plays: options["play"] != false,
            explained: options["findings"].as_str().unwrap_or_default().to_owned(),
            copies: Copies::new(),
            checker: Checker::start(wire.clone()),
            wire,
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
                "codeActionProvider": { "codeActionKinds": ["quickfix"] },
                "codeLensProvider": {},
                "inlayHintProvider": true,
                "semanticTokensProvider": {
                    "legend": { "tokenTypes": answers::token_types(), "tokenModifiers": [] },
                    "full": true,
                },
                "executeCommandProvider": { "commands": answers::COMMANDS },
                "workspace": { "workspaceFolders": { "supported": true } },
            },
            "serverInfo": { "name": "houserule", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    /// Asks the client to tell of files that others change.
    fn watch_files(&self, params: &Json) {
        if params["capabilities"]["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"] != true {
            return;
        }
        let watched = json!({ "watchers": [{ "globPattern": "**/*.{rhai,toml}" }] });
        let registration = json!({
            "registrations": [{ "id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": watched }],
        });
        let id = RequestId::from("watch".to_owned());
        self.wire.send(Request::new(id, "client/registerCapability".to_owned(), registration));
    }

    /// Answers until the client ends; whether it said so before.
    fn run(&mut self, incoming: &mpsc::Receiver<Message>) -> bool {
        let mut waiting: VecDeque<Message> = VecDeque::new();
        loop {
            let message = match waiting.pop_front() {
                Some(message) => message,
                None => match incoming.recv() {
                    Ok(message) => message,
                    Err(_) => return false,
                },
            };
            waiting.extend(incoming.try_iter());
            match message {
                Message::Request(request) => {
                    let is_cancelled = |message: &Message| match message {
                        Message::Notification(note) => {
                            note.method == "$/cancelRequest" && is_id(&note.params["id"], &request.id)
                        }
                        _ => false,
                    };
                    let answer = match waiting.iter().any(is_cancelled) {
                        true => Err(Refusal { code: ErrorCode::RequestCanceled, message: "cancelled".to_owned() }),
                        false => self.request(&request),
                    };
                    self.wire.send(match answer {
                        Ok(result) => Response::new_ok(request.id, result),
                        Err(Refusal { code, message }) => Response::new_err(request.id, code as i32, message),
                    });
                }
                Message::Notification(note) if note.method == "exit" => return self.is_ending,
                Message::Notification(note) => self.notification(&note),
                Message::Response(_) => {}
            }
        }
    }

    fn request(&mut self, request: &Request) -> Result<Json, Refusal> {
        if self.is_ending {
            return Err(Refusal { code: ErrorCode::InvalidRequest, message: said("the server is ending").to_owned() });
        }
        if request.method == "shutdown" {
            self.is_ending = true;
            return Ok(Json::Null);
        }
        self.answer(&request.method, &request.params)
    }

    fn notification(&mut self, note: &Notification) {
        let params = &note.params;
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        match note.method.as_str() {
            "textDocument/didOpen" => {
                let document = &params["textDocument"];
                let (Some(path), Some(text)) = (path_of(uri), document["text"].as_str()) else { return };
                let version = document["version"].as_i64().unwrap_or(0);
                let path = self.copies.original(path);
                let near = self.workspace.root_above(&path).filter(|_| !self.workspace.is_fixed(&path));
                near.into_iter().for_each(|root| self.workspace.add_root(&root));
                let document = Document { uri: uri.to_owned(), path, version, text: text.to_owned() };
                self.lay(document);
            }
            "textDocument/didChange" => {
                // Only what is open can be changed.
                let Some(mut document) = self.documents.remove(uri) else { return };
                for change in params["contentChanges"].as_array().into_iter().flatten() {
                    document.change(change, self.encoding);
                }
                document.version = params["textDocument"]["version"].as_i64().unwrap_or(document.version);
                self.lay(document);
            }
            "textDocument/didSave" => {
                self.workspace.changed();
                if self.documents.contains_key(uri) {
                    uri.clone_into(&mut self.last);
                }
                self.check();
            }
            "textDocument/didClose" => {
                let Some(document) = self.documents.remove(uri) else { return };
                self.workspace.set(&document.path, None);
                let nothing = json!({ "uri": uri, "diagnostics": [] });
                self.wire.send(Notification::new("textDocument/publishDiagnostics".to_owned(), nothing));
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
    fn check(&self) {
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
        });
    }

    /// The document of a request, by its address; also one that is not open.
    fn path(&self, params: &Json) -> Option<PathBuf> {
        let uri = params["textDocument"]["uri"].as_str()?;
        self.documents
            .get(uri)
            .map(|document| document.path.clone())
            .or_else(|| path_of(uri).map(|path| self.copies.original(path)))
    }
}

/// Whether a value of JSON is the number or name of a request.
fn is_id(value: &Json, id: &RequestId) -> bool {
    let id_of = match (value.as_i64(), value.as_str()) {
        (Some(number), _) => i32::try_from(number).ok().map(RequestId::from),
        (_, Some(name)) => Some(RequestId::from(name.to_owned())),
        _ => None,
    };
    id_of.as_ref() == Some(id)
}

/// That there is no such request.
fn unknown_method(method: &str) -> Refusal {
    Refusal { code: ErrorCode::MethodNotFound, message: format!("{}: {method}", said("there is no such request")) }
}
