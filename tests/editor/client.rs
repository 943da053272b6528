//! An editor that talks to the language server, and the folder that it has open.

use crate::shared::surroundings::at_home;
use serde_json::{Value as Json, json};
use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

pub const GAME: &str = r#"id = "stake"
houserule = "0.1"
name = { en = "Stake", ja = "賭け" }
players = { min = 2, max = 4 }

[data]
limit = 3

[components.card]
kind = "card"
id = "{color}-{number}"
attributes = { number = { from = 1, to = 20 }, color = ["red", "blue"] }

[zones.deck]
name = "deck"
order = "pile"
visible = "none"

[zones.hand]
name = "hand"
per = "seat"
order = "hand"
visible = "owner"

[variables.pot]
name = "pot"
default = 0

[text]
play = { en = "play a card", ja = "カードを出す" }
"#;

pub const RULES: &str = r#"/// The whole game.
fn game() {
    components("card").move_to(deck); deck.shuffle();
    for p in players { turn(p); }
}

/// One turn.
fn turn(p) {
    deck.deal(data.limit, p.hand);
    let card = p.choose("play", p.hand);
    table.pot += card.number;
    gain(p, card);
}

fn gain(p, card) { p.award(card.number, "play"); }
"#;

/// A variant whose script stands behind Japanese text, also on the line that it begins in.
pub const VARIANT: &str = "id = \"double\"\nhouserule = \"0.1\"\ngame = \"stake\"\nname = { en = \"Double\", ja = \"倍🎴\" }\n\n[script]\nrhai = '''\n/// 倍にする。\nfn gain(p, card) {\n    /* 日本🎴 */ super(p, card);\n    p.award(card.number, \"play\");\n}\n'''\n";

/// A folder with a game and a variant, gone when the story is over.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("houserule-editor-{}-{number}", std::process::id()));
        for folder in ["home", "games/stake", "variants/stake"] {
            std::fs::create_dir_all(path.join(folder)).unwrap();
        }
        let folder = Self(path.canonicalize().unwrap());
        for (file, text) in [
            ("games/stake/game.toml", GAME),
            ("games/stake/rules.rhai", RULES),
            ("variants/stake/double.toml", VARIANT),
        ] {
            std::fs::write(folder.0.join(file), text).unwrap();
        }
        folder
    }

    pub fn uri(&self, file: &str) -> String {
        format!("file://{}", self.0.join(file).display())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// An editor.
pub struct Client {
    pub child: Child,
    pub out: BufReader<ChildStdout>,
    pub number: i64,
    /// What the server sent while an answer was waited for.
    pub notes: VecDeque<Json>,
    pub capabilities: Json,
}

impl Client {
    pub fn connect(folder: &Folder) -> Self {
        Self::connect_by(folder, &["lsp"])
    }

    pub fn connect_by(folder: &Folder, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
        at_home(&mut command, &folder.0.join("home"));
        command.args(arguments).current_dir(&folder.0).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out, number: 0, notes: VecDeque::new(), capabilities: Json::Null }
    }

    pub fn start(folder: &Folder, encodings: &[&str], play: bool) -> Self {
        let options = json!({ "play": play, "findings": "https://example.org/findings.md" });
        Self::initialized(Self::connect(folder), folder, encodings, options)
    }

    pub fn start_with(folder: &Folder, arguments: &[&str], options: Json) -> Self {
        Self::initialized(Self::connect_by(folder, arguments), folder, &[], options)
    }

    fn initialized(mut client: Self, folder: &Folder, encodings: &[&str], options: Json) -> Self {
        let params = json!({
            "processId": null,
            "rootUri": folder.uri(""),
            "capabilities": {
                "general": { "positionEncodings": encodings },
                "textDocument": {
                    "completion": { "completionItem": { "snippetSupport": true } },
                    "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
                    "publishDiagnostics": { "relatedInformation": true },
                },
                "window": { "showDocument": { "support": true } },
                "workspace": { "codeLens": { "refreshSupport": true } },
            },
            "initializationOptions": options,
        });
        client.capabilities = client.ask("initialize", params)["capabilities"].clone();
        client.tell("initialized", json!({}));
        client
    }

    /// The next message of the server, or one that came before, that is meant.
    pub fn wait_for(&mut self, is_meant: impl Fn(&Json) -> bool) -> Json {
        if let Some(at) = self.notes.iter().position(&is_meant) {
            return self.notes.remove(at).unwrap();
        }
        loop {
            let note = self.read().expect("a message");
            if is_meant(&note) {
                return note;
            }
            self.notes.push_back(note);
        }
    }

    pub fn send(&mut self, message: &Json) {
        let text = message.to_string();
        let input = self.child.stdin.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    pub fn tell(&mut self, method: &str, params: Json) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    pub fn begin(&mut self, method: &str, params: Json) -> i64 {
        self.number += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.number, "method": method, "params": params }));
        self.number
    }

    pub fn read(&mut self) -> Option<Json> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.out.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut text = vec![0; length];
        self.out.read_exact(&mut text).unwrap();
        Some(serde_json::from_slice(&text).unwrap())
    }

    /// The whole answer to a request: a result or an error.
    pub fn answer(&mut self, id: i64) -> Json {
        self.answer_to(&id.into())
    }

    pub fn answer_to(&mut self, id: &Json) -> Json {
        loop {
            let message = self.read().expect("an answer");
            if message["id"] == *id && message.get("method").is_none() {
                return message;
            }
            self.notes.push_back(message);
        }
    }

    pub fn ask(&mut self, method: &str, params: Json) -> Json {
        let id = self.begin(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Asks about a place of a document.
    pub fn at(&mut self, method: &str, uri: &str, place: (usize, usize), more: Json) -> Json {
        let mut params =
            json!({ "textDocument": { "uri": uri }, "position": { "line": place.0, "character": place.1 } });
        params.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        self.ask(&format!("textDocument/{method}"), params)
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        self.tell(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "toml", "version": 1, "text": text } }),
        );
    }

    pub fn change(&mut self, uri: &str, version: i64, changes: Json) {
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes }),
        );
    }

    /// The findings of a document that are about this change of it.
    pub fn findings(&mut self, uri: &str, version: i64) -> Vec<Json> {
        let note = self.wait_for(|note| note["params"]["uri"] == uri && note["params"]["version"] == version);
        note["params"]["diagnostics"].as_array().unwrap().clone()
    }

    pub fn end(mut self) -> i32 {
        assert_eq!(self.ask("shutdown", Json::Null), Json::Null);
        self.tell("exit", Json::Null);
        self.child.wait().unwrap().code().unwrap()
    }
}

/// Line and unit of UTF-16 of the first time that a text has another in it, behind so many bytes of that.
pub fn place(text: &str, part: &str, behind: usize) -> (usize, usize) {
    let at = text.find(part).unwrap_or_else(|| panic!("no {part}")) + behind;
    let before = &text[..at];
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count(), before[line..].encode_utf16().count())
}

pub fn labels(completion: &Json) -> Vec<&str> {
    completion["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect()
}

pub fn starts(locations: &Json) -> Vec<(String, u64, u64)> {
    let start = |one: &Json| {
        let file = one["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        let start = &one["range"]["start"];
        (file, start["line"].as_u64().unwrap(), start["character"].as_u64().unwrap())
    };
    locations.as_array().unwrap().iter().map(start).collect()
}
