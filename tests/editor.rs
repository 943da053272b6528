//! An editor with the language server beside it, and the questions that it asks of a [`Workspace`].
//!
//! Sessions go over standard input and output of the program itself; texts that are broken in every way are asked about in this
//! process, where there can be many.

use crate::shared::surroundings::at_home;
use houserule::{Language, Library, Memory, Work, Workspace, built_in};
use serde_json::{Value as Json, json};
use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const GAME: &str = r#"id = "stake"
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

const RULES: &str = r#"/// The whole game.
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
const VARIANT: &str = "id = \"double\"\nhouserule = \"0.1\"\ngame = \"stake\"\nname = { en = \"Double\", ja = \"倍🎴\" }\n\n[script]\nrhai = '''\n/// 倍にする。\nfn gain(p, card) {\n    /* 日本🎴 */ super(p, card);\n    p.award(card.number, \"play\");\n}\n'''\n";

/// A folder with a game and a variant, gone when the story is over.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
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

    fn uri(&self, file: &str) -> String {
        format!("file://{}", self.0.join(file).display())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// An editor.
struct Client {
    child: Child,
    out: BufReader<ChildStdout>,
    number: i64,
    /// What the server sent while an answer was waited for.
    notes: VecDeque<Json>,
    capabilities: Json,
}

impl Client {
    fn connect(folder: &Folder) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
        at_home(&mut command, &folder.0.join("home"));
        command.arg("lsp").current_dir(&folder.0).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out, number: 0, notes: VecDeque::new(), capabilities: Json::Null }
    }

    fn start(folder: &Folder, encodings: &[&str], play: bool) -> Self {
        let mut client = Self::connect(folder);
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
            },
            "initializationOptions": { "play": play, "findings": "https://example.org/findings.md" },
        });
        client.capabilities = client.ask("initialize", params)["capabilities"].clone();
        client.tell("initialized", json!({}));
        client
    }

    fn send(&mut self, message: &Json) {
        let text = message.to_string();
        let input = self.child.stdin.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Json) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn begin(&mut self, method: &str, params: Json) -> i64 {
        self.number += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.number, "method": method, "params": params }));
        self.number
    }

    fn read(&mut self) -> Option<Json> {
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
    fn answer(&mut self, id: i64) -> Json {
        self.answer_to(&id.into())
    }

    fn answer_to(&mut self, id: &Json) -> Json {
        loop {
            let message = self.read().expect("an answer");
            if message["id"] == *id && message.get("method").is_none() {
                return message;
            }
            self.notes.push_back(message);
        }
    }

    fn ask(&mut self, method: &str, params: Json) -> Json {
        let id = self.begin(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Asks about a place of a document.
    fn at(&mut self, method: &str, uri: &str, place: (usize, usize), more: Json) -> Json {
        let mut params =
            json!({ "textDocument": { "uri": uri }, "position": { "line": place.0, "character": place.1 } });
        params.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        self.ask(&format!("textDocument/{method}"), params)
    }

    fn open(&mut self, uri: &str, text: &str) {
        self.tell(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "toml", "version": 1, "text": text } }),
        );
    }

    fn change(&mut self, uri: &str, version: i64, changes: Json) {
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes }),
        );
    }

    /// The findings of a document that are about this change of it.
    fn findings(&mut self, uri: &str, version: i64) -> Vec<Json> {
        let is_meant = |note: &Json| note["params"]["uri"] == uri && note["params"]["version"] == version;
        if let Some(at) = self.notes.iter().position(is_meant) {
            let note = self.notes.remove(at).unwrap();
            return note["params"]["diagnostics"].as_array().unwrap().clone();
        }
        loop {
            let note = self.read().expect("findings");
            if is_meant(&note) {
                return note["params"]["diagnostics"].as_array().unwrap().clone();
            }
            self.notes.push_back(note);
        }
    }

    fn end(mut self) -> i32 {
        assert_eq!(self.ask("shutdown", Json::Null), Json::Null);
        self.tell("exit", Json::Null);
        self.child.wait().unwrap().code().unwrap()
    }
}

/// Line and unit of UTF-16 of the first time that a text has another in it, behind so many bytes of that.
fn place(text: &str, part: &str, behind: usize) -> (usize, usize) {
    let at = text.find(part).unwrap_or_else(|| panic!("no {part}")) + behind;
    let before = &text[..at];
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count(), before[line..].encode_utf16().count())
}

fn labels(completion: &Json) -> Vec<&str> {
    completion["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect()
}

fn starts(locations: &Json) -> Vec<(String, u64, u64)> {
    let start = |one: &Json| {
        let file = one["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        let start = &one["range"]["start"];
        (file, start["line"].as_u64().unwrap(), start["character"].as_u64().unwrap())
    };
    locations.as_array().unwrap().iter().map(start).collect()
}

#[test]
fn a_variant_is_written_with_the_server_looking_on() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, &[], false);
    assert_eq!(client.capabilities["positionEncoding"], "utf-16");
    let uri = folder.uri("variants/stake/double.toml");
    client.open(&uri, VARIANT);
    assert_eq!(client.findings(&uri, 1), Vec::<Json>::new());

    // What `super` calls lies in the game, and who overrides that, here.
    let at_super = place(VARIANT, "super", 1);
    assert_eq!(at_super.1, 4 + "/* 日本🎴 */ s".encode_utf16().count());
    let rules = ("rules.rhai".to_owned(), 14, 3);
    let own = ("double.toml".to_owned(), 8, 3);
    let found = client.at("definition", &uri, at_super, json!({}));
    assert_eq!(starts(&found), std::slice::from_ref(&rules));
    let found = client.at("implementation", &folder.uri("games/stake/rules.rhai"), (14, 4), json!({}));
    assert_eq!(starts(&found), [rules.clone(), own.clone()]);
    let hover = client.at("hover", &uri, place(VARIANT, "fn gain", 4), json!({}));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("倍にする。") && text.contains("variant double → game stake"), "{text}");

    // What a parameter is, is told by its callers in the game.
    let found = client.at("completion", &uri, place(VARIANT, "card.number", 5), json!({}));
    assert_eq!(labels(&found)[..2], ["color", "number"], "{found}");
    let word = client.at("hover", &uri, place(VARIANT, "award", 2), json!({}));
    assert!(word["contents"]["value"].as_str().unwrap().contains("player.award("), "{word}");

    // An unknown word, in the middle of a line with characters of several units.
    let (line, unit) = place(VARIANT, "super", 0);
    let range = json!({ "start": { "line": line, "character": unit }, "end": { "line": line, "character": unit + 5 } });
    client.change(&uri, 2, json!([{ "range": range, "text": "gian(p, card); super" }]));
    let found = client.findings(&uri, 2);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&json!("unknown-function"), &json!(1)));
    assert_eq!(found[0]["range"]["start"], json!({ "line": line, "character": unit }));
    assert_eq!(found[0]["range"]["end"]["character"], json!(unit + 4));
    assert_eq!(found[0]["codeDescription"]["href"], "https://example.org/findings.md#unknown-function");
    let asked =
        json!({ "textDocument": { "uri": uri }, "range": found[0]["range"], "context": { "diagnostics": found } });
    let actions = client.ask("textDocument/codeAction", asked);
    assert_eq!((&actions[0]["title"], &actions[0]["isPreferred"]), (&json!("write `gain`"), &json!(true)));
    assert_eq!(actions[0]["edit"]["changes"][&uri][0]["newText"], "gain");
    assert_eq!(actions[0]["diagnostics"][0]["code"], "unknown-function");

    // A function of the game is called otherwise: everywhere.
    client.change(&uri, 3, json!([{ "text": VARIANT }]));
    let renamed = client.at("rename", &uri, place(VARIANT, "fn gain", 4), json!({ "newName": "earn" }));
    let changes = renamed["changes"].as_object().unwrap();
    let counted: Vec<usize> = changes.values().map(|edits| edits.as_array().unwrap().len()).collect();
    assert_eq!((changes.len(), counted.iter().sum::<usize>()), (2, 3), "{renamed}");
    for (name, why) in [("turn", ""), ("1x", "cannot be a name"), ("game", "already"), ("super", "cannot be a name")] {
        let params =
            json!({ "textDocument": { "uri": uri }, "position": { "line": 8, "character": 4 }, "newName": name });
        let id = client.begin("textDocument/rename", params);
        let answer = client.answer(id);
        let is_refused = answer["error"]["message"].as_str().is_some_and(|message| message.contains(why));
        assert!(is_refused || why.is_empty(), "{name}: {answer}");
    }
    assert_eq!(client.end(), 0);
}

#[test]
fn what_only_a_game_shows_is_told_after_a_pause() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, &[], true);
    let uri = folder.uri("games/stake/rules.rhai");
    client.open(
        &uri,
        &RULES
            .replace("gain(p, card);\n", "gain(p, card);\n    let none = players[9];\n    none.award(1, \"play\");\n"),
    );
    let read = client.findings(&uri, 1);
    assert!(read.iter().all(|found| found["source"] == "houserule"), "{read:?}");
    let played = client.findings(&uri, 1);
    let found = played.iter().find(|found| found["code"] == "fails-in-play").unwrap_or_else(|| panic!("{played:?}"));
    assert_eq!(found["source"], "houserule play");
    assert_eq!(found["range"]["start"]["line"], 12);
    assert_eq!(client.end(), 0);
}

#[test]
fn documents_are_laid_out_with_their_line_ends() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, &[], false);
    assert_eq!(client.capabilities["documentFormattingProvider"], true);
    let mut format = |file: &str, text: &str| {
        let uri = folder.uri(file);
        client.open(&uri, text);
        let options = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 2, "insertSpaces": false } });
        client.ask("textDocument/formatting", options)
    };
    let (rules, variant) = ("games/stake/rules.rhai", "variants/stake/double.toml");
    let loose = VARIANT.replace("super(p, card);", "super( p,card );").replace('\n', "\r\n");
    let found = format(variant, &loose);
    assert_eq!(found[0]["range"]["start"], json!({ "line": 0, "character": 0 }));
    assert_eq!(found[0]["range"]["end"], json!({ "line": loose.matches('\n').count(), "character": 0 }));
    let text = found[0]["newText"].as_str().unwrap();
    assert!(text.contains("/* 日本🎴 */ super(p, card);\r\n") && !text.replace("\r\n", "").contains('\n'), "{text}");
    assert_eq!(format(variant, text), json!([]), "what is laid out stays");
    let found = format(rules, "// 日本\nfn game()\n{\n  f( 1 );\n}\n");
    assert_eq!(found[0]["newText"], "// 日本\nfn game() {\n    f(1);\n}\n");
    for (file, broken) in [(rules, "fn game( {"), (variant, "id = "), (variant, "pack = 1\na=1\n")] {
        assert_eq!(format(file, broken), Json::Null, "{broken}");
    }
    assert_eq!(client.end(), 0);
}

#[test]
fn what_came_of_a_test_stands_over_it_until_anything_changes() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, &[], false);
    let uri = folder.uri("tests/scenarios/stake/a.toml");
    let good = "houserule = \"0.1\"\nid = \"a\"\ntitle = \"a\"\ngame = \"stake\"\nplayers = 2\n\n[when]\ncall = \"table.pot += 1\"\n\n[[then]]\nvariables.pot = 1\n";
    let titles = |client: &mut Client| {
        let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
        lenses
            .as_array()
            .unwrap()
            .iter()
            .map(|lens| lens["command"]["title"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let run = |client: &mut Client| {
        client.ask("workspace/executeCommand", json!({ "command": "houserule.test", "arguments": [uri] }));
        while client.notes.pop_front().or_else(|| client.read()).unwrap()["method"] != "window/showMessage" {}
    };
    std::fs::create_dir_all(folder.0.join("tests/scenarios/stake")).unwrap();
    std::fs::write(folder.0.join("tests/scenarios/stake/a.toml"), good).unwrap();
    client.open(&uri, good);
    assert_eq!(titles(&mut client), ["run this test"]);
    run(&mut client);
    assert_eq!(titles(&mut client), ["run this test (passed)"]);
    client.change(&uri, 2, json!([{ "text": good.replace("pot = 1", "pot = 2") }]));
    assert_eq!(titles(&mut client), ["run this test"]);
    run(&mut client);
    let failed = titles(&mut client);
    assert!(failed[0].starts_with("run this test (") && failed[0].contains("pot"), "{failed:?}");
    assert_eq!(client.end(), 0);
}

#[test]
fn positions_are_bytes_where_both_sides_like_that() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, &["utf-16", "utf-8"], false);
    assert_eq!(client.capabilities["positionEncoding"], "utf-8");
    let uri = folder.uri("variants/stake/double.toml");
    client.open(&uri, &VARIANT.replace("super(p, card)", "super(p, crad)"));
    let found = client.findings(&uri, 1);
    assert_eq!(found[0]["code"], "unknown-name");
    assert_eq!(found[0]["range"]["start"]["character"], "    /* 日本🎴 */ super(p, ".len());
    assert_eq!(client.end(), 0);
}

#[test]
fn a_client_that_goes_wrong_is_answered() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, &[], false);
    let uri = folder.uri("variants/stake/double.toml");
    // What nobody opened, what is no file, and places that are nowhere.
    client.change(&uri, 7, json!([{ "text": "x" }]));
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": "untitled:1" } }));
    client.tell("textDocument/didOpen", json!({ "textDocument": { "uri": 3 } }));
    client.tell("$/nobody/knows", json!([1]));
    for uri in ["untitled:1", "file:///nowhere/at/all.toml", "file://%ff", ""] {
        for method in ["hover", "completion", "definition", "references", "documentSymbol", "codeLens", "foldingRange"]
        {
            assert_eq!(client.at(method, uri, (3, 4), json!({})), Json::Null, "{method} of {uri}");
        }
    }
    client.open(&uri, VARIANT);
    for place in [(0, 99_999), (99_999, 0), (usize::MAX, usize::MAX), (8, 0)] {
        for method in ["hover", "completion", "definition", "signatureHelp", "documentHighlight"] {
            client.at(method, &uri, place, json!({}));
        }
    }
    // What is no JSON is answered, and the next message is read.
    let input = client.child.stdin.as_mut().unwrap();
    input.write_all(b"Content-Length: 5\r\n\r\n{\"a\":").unwrap();
    assert_eq!(client.answer_to(&Json::Null)["error"]["code"], -32700);
    client.send(&json!([1, "x"]));
    client.send(&json!({ "id": 99_999, "result": null }));
    let id = client.begin("textDocument/nobodyKnows", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(client.answer(id)["error"]["code"], -32601);
    // Versions out of order: the order on the wire counts.
    client.change(&uri, 9, json!([{ "text": "" }]));
    client.change(&uri, 5, json!([{ "text": VARIANT.replace("gain", "gane") }, { "range": { "start": { "line": 99 }, "end": { "line": 0, "character": 99 } }, "text": "" }, {}]));
    client.change(&uri, 10, json!([{ "text": VARIANT }]));
    assert_eq!(client.findings(&uri, 10), Vec::<Json>::new());
    // A file that is no text, and one that is gone.
    let other = folder.uri("games/stake/rules.rhai");
    std::fs::write(folder.0.join("games/stake/rules.rhai"), b"fn game() { \xff }").unwrap();
    client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": other, "type": 2 }] }));
    let found = client.findings(&uri, 10);
    assert_eq!((found.len(), &found[0]["range"]["start"]), (1, &json!({ "line": 0, "character": 0 })), "{found:?}");
    assert!(found[0]["message"].as_str().unwrap().contains("not UTF-8"), "{found:?}");
    std::fs::remove_file(folder.0.join("games/stake/rules.rhai")).unwrap();
    client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    assert!(client.findings(&uri, 10)[0]["message"].as_str().unwrap().contains("has no script"));
    // What was called off before its turn came.
    client.open(&other, RULES);
    let first = client.begin(
        "textDocument/references",
        json!({ "textDocument": { "uri": other }, "position": { "line": 1, "character": 4 }, "context": {} }),
    );
    let second = client.begin(
        "textDocument/hover",
        json!({ "textDocument": { "uri": other }, "position": { "line": 1, "character": 4 } }),
    );
    client.tell("$/cancelRequest", json!({ "id": second }));
    client.answer(first);
    let answer = client.answer(second);
    assert!(answer["error"]["code"] == -32800 || answer.get("result").is_some(), "{answer}");
    assert_eq!(client.end(), 0);
}

#[test]
fn a_client_that_ends_without_a_word_leaves_no_server() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, &[], false);
    client.tell("exit", Json::Null);
    assert_eq!(client.child.wait().unwrap().code(), Some(1));
    // Nothing is answered before the first request, and that is not one of the others.
    let mut client = Client::connect(&folder);
    client.tell("initialized", json!({}));
    let id = client.begin("textDocument/hover", json!({}));
    assert_eq!(client.answer(id)["error"]["code"], -32002);
    client.tell("exit", Json::Null);
    assert_eq!(client.child.wait().unwrap().code(), Some(1));
    let mut client = Client::start(&folder, &[], false);
    drop(client.child.stdin.take());
    assert_eq!(client.child.wait().unwrap().code(), Some(1));
}

/// Whatever a file has come to at a key stroke, it is understood, and the functions around the hole are.
#[test]
fn every_prefix_of_every_shipped_file_is_understood() {
    let library = built_in();
    let mut files: Vec<PathBuf> = Vec::new();
    for game in library.games() {
        files.push(game.origin.path().to_owned());
        files.push(game.origin.path().with_file_name("rules.rhai"));
        files.extend(library.variants(&game.id).into_iter().map(|variant| variant.origin.path().to_owned()));
    }
    files.extend(library.rule_libraries().into_iter().map(|library| library.origin.path().to_owned()));
    let scenarios = houserule::find_scenarios(&[], &library);
    files.extend(scenarios.into_iter().step_by(20));
    assert!(files.len() > 50);
    let mut workspace = Workspace::new(library, Language::English);
    for (number, path) in files.iter().enumerate() {
        let Some(source) = workspace.text(path) else { continue };
        // Every file has its own places, so that over all of them there are places of every sort.
        let ends = (number % 97..source.text.len()).step_by(701).filter(|&end| source.text.is_char_boundary(end));
        for end in ends {
            let text = &source.text[..end];
            workspace.set(path, Some(text));
            workspace.complete(path, end);
            workspace.hover(path, end.saturating_sub(2));
            workspace.signature(path, end);
            workspace.definition(path, end.saturating_sub(1));
            workspace.semantic_tokens(path);
            workspace.hints(path, &(0..end));
            workspace.folds(path);
            workspace.outline(path);
            if end % 5 == 0 {
                for found in workspace.findings(path, &Arc::new(Work::default())) {
                    assert!(
                        found.span.start <= found.span.end && text.get(found.span.clone()).is_some(),
                        "{path:?} {end}: {found:?}"
                    );
                }
                workspace.fixes(path, &(0..end));
            }
        }
        workspace.set(path, None);
    }
}

fn stake(rules: &str) -> Workspace {
    let files =
        [("games/stake/game.toml", GAME), ("games/stake/rules.rhai", rules), ("variants/stake/double.toml", VARIANT)];
    Workspace::new(Library::of(Arc::new(Memory::new(files)), vec!["".into()]), Language::English)
}

/// What is offered where `‸` stands in the rules.
#[track_caller]
fn offered(rules: &str) -> Vec<String> {
    offered_in("games/stake/rules.rhai", rules)
}

#[track_caller]
fn offered_in(path: &str, text: &str) -> Vec<String> {
    let at = text.find('‸').expect("a place is marked");
    let mut workspace = stake(RULES);
    let path = Path::new(path);
    workspace.set(path, Some(&text.replace('‸', "")));
    workspace.complete(path, at).into_iter().map(|one| one.label).collect()
}

#[test]
fn completion_works_inside_a_function_that_is_broken() {
    let has = |rules: &str, name: &str| {
        let found = offered(rules);
        assert!(found.iter().any(|one| one == name), "{rules}: no {name} in {found:?}");
    };
    let before = "fn game() { for p in players { turn(p); } }\nfn other(c) { c }\n";
    has(&format!("{before}fn turn(p) {{ if p.‸\nfn next() {{ }}"), "hand");
    has(&format!("{before}fn turn(p) {{ p.hand.‸ }}"), "shuffle");
    has(&format!("{before}fn turn(p) {{ let h = p.hand; if (h.‸"), "top");
    has(&format!("{before}fn turn(p) {{ for c in p.hand {{ c.‸"), "number");
    has(&format!("{before}fn turn(p) {{ players.any(|q| q.‸"), "hand");
    has(&format!("{before}fn turn(p) {{ let card = p.choose(\"play\", p.hand); card.‸"), "color");
    has(&format!("{before}fn turn(p) {{ table.‸"), "pot");
    has(&format!("{before}fn turn(p) {{ data.‸"), "limit");
    has(&format!("{before}fn turn(p) {{ p.choose(\"‸"), "play");
    has(&format!("{before}fn turn(p) {{ p.hand.having(\"‸"), "color");
    has(&format!("{before}fn turn(p) {{ p.hand.having(\"color\", \"‸"), "blue");
    has(&format!("{before}fn turn(p) {{ p.hand.any(|c| c.color == \"‸"), "red");
    has(&format!("{before}fn turn(p) {{ de‸"), "deck");
    has(&format!("{before}fn turn(p) {{ let own = 1; ‸"), "own");
    has(&format!("{before}fn turn(p) {{ oth‸"), "other");
    has(&format!("{before}‸"), "fn value");
    for nothing in ["// p.‸", "let ‸", "fn turn(p) { let x = 12‸", "fn turn(p) { note(`p.‸`)"] {
        assert_eq!(offered(&format!("{before}fn game() {{ {nothing}")), [""; 0], "{nothing}");
    }
}

#[test]
fn completion_knows_what_toml_files_may_have() {
    let variant = "variants/stake/double.toml";
    let has = |text: &str, name: &str| {
        let found = offered_in(variant, text);
        assert!(found.iter().any(|one| one == name), "{text}: no {name} in {found:?}");
    };
    let head = "id = \"double\"\ngame = \"stake\"\nname = \"Double\"\n";
    has(&format!("{head}req‸"), "requires");
    has(&format!("{head}game = \"‸\""), "stake");
    has(&format!("{head}[zo‸"), "zones");
    has(&format!("{head}[zones.‸"), "hand");
    has(&format!("{head}[zones.deck]\nvis‸"), "visible");
    has(&format!("{head}[zones.deck]\nvisible = \"‸\""), "owner");
    has(&format!("{head}[zones.deck]\nvisible = \"ow‸\n"), "owner");
    has(&format!("{head}[script]\nrhai = '''\nfn gain(p, card) {{ p.‸"), "hand");
    has(&format!("{head}zones.deck = {{ ord‸"), "order");
    has(&format!("{head}[text]\n‸"), "play");
    has(&format!("{head}[data]\n‸"), "limit");
    has(&format!("{head}standing = \"‸\""), "turn");
    has(&format!("{head}[script]\nrhai = '''\nfn ‸\n'''"), "turn");
    has(&format!("{head}[script]\nrhai = '''\nfn gain(p, card) {{ su‸ }}\n'''"), "super");
    assert!(
        !offered_in(variant, &format!("{head}‸")).contains(&"game".to_owned()),
        "what is there is not offered again"
    );
}

#[test]
fn functions_to_override_are_written_with_super() {
    let mut workspace = stake(RULES);
    let path = Path::new("variants/stake/double.toml");
    let text = VARIANT.replace("fn gain(p, card)", "\nfn gain(p, card)");
    let at = text.find("\n\nfn gain").unwrap() + 1;
    workspace.set(path, Some(&text));
    let found = workspace.complete(path, at);
    let turn = found.iter().find(|one| one.label == "fn turn").unwrap();
    assert_eq!(turn.text, "/// One turn.\nfn turn(p) {\n    super(p);\n    $0\n}");
    assert!(found.iter().all(|one| one.label != "fn gain"), "what is overridden already is not offered");
}

/// A file with everything done that is offered about its findings, and the other files that change by that.
fn mended(workspace: &mut Workspace, path: &str, text: &str) -> Vec<(PathBuf, String)> {
    let path = Path::new(path);
    workspace.set(path, Some(text));
    let mut changes: Vec<_> = workspace.fixes(path, &(0..text.len())).into_iter().flat_map(|fix| fix.changes).collect();
    changes.sort_by_key(|change| std::cmp::Reverse(change.span.start));
    let mut files = std::collections::BTreeMap::new();
    for change in changes {
        let text =
            files.entry(change.path.clone()).or_insert_with(|| workspace.text(&change.path).unwrap().text.clone());
        text.replace_range(change.span, &change.text);
    }
    files.into_iter().collect()
}

#[test]
fn a_variant_comes_to_require_what_it_sets() {
    let path = "variants/stake/other.toml";
    let head = "id = \"other\"\ngame = \"stake\"\nname = \"Other\"\n";
    for (before, after) in [
        ("", "game = \"stake\"\nrequires = [\"double\"]\n"),
        ("requires = []\n", "requires = [\"double\"]\n"),
        ("requires = [\"x\"]\n", "requires = [\"x\", \"double\"]\n"),
    ] {
        let text = format!("{head}{before}\n[with.double]\nn = 2\n");
        let found = mended(&mut stake(RULES), path, &text);
        assert!(found.len() == 1 && found[0].1.contains(after), "{before}: {found:?}");
    }
}

#[test]
fn a_function_that_hides_a_word_gets_a_name_of_its_own_everywhere() {
    let variant = VARIANT.replace("super(p, card);", "super(p, card); draw_number(\"play\", 1, 2);");
    let rules = format!("{RULES}\nfn draw_number(lot, low, high) {{ high }}\n");
    let mut workspace = stake(RULES);
    workspace.set(Path::new("variants/stake/double.toml"), Some(&variant));
    let rules = rules.replace("fn gain(p, card) { p", "fn gain(p, card) { draw_number(\"play\", 1, 6); p");
    let found = mended(&mut workspace, "games/stake/rules.rhai", &rules);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0].1, rules.replace("draw_number", "own_draw_number"));
    assert_eq!(found[1].1, variant.replace("draw_number", "own_draw_number"));
}

#[test]
fn holes_hide_nothing_of_what_is_whole() {
    let workspace = |rules: &str| {
        let mut workspace = stake(RULES);
        workspace.set(Path::new("games/stake/rules.rhai"), Some(rules));
        let found = workspace.findings(Path::new("games/stake/rules.rhai"), &Arc::default());
        found
            .into_iter()
            .map(|one| (one.diagnostic.code.unwrap().name, rules[..one.span.start].matches('\n').count() + 1))
            .collect::<Vec<_>>()
    };
    let broken = RULES
        .replace("let card = p.choose(\"play\", p.hand);", "let card = p.choose(\"play\", ;")
        .replace("p.award(card.number, \"play\")", "p.awrad(card.number, \"play\")");
    assert_eq!(workspace(&broken), [("syntax", 10), ("unknown-function", 15)]);
    // Two holes, one of them a head.
    let broken =
        broken.replace("for p in players { turn(p); }", "for p in { turn(p); }").replace("fn turn(p) {", "fn turn(p {");
    let found = workspace(&broken);
    assert!(
        found.iter().filter(|(code, _)| *code == "syntax").count() >= 2 && found.contains(&("unknown-function", 15)),
        "{found:?}"
    );
    // What is missing of a hole makes nothing else unused.
    assert_eq!(workspace(&RULES.replace("gain(p, card);\n", "gain(p, card\n")).len(), 1);
}

/// Expressions of a test stand in strings with escapes, and in keys: what they name is found there, and renamed there.
#[test]
fn code_in_strings_with_escapes_is_at_its_place() {
    let mut workspace = stake(RULES);
    let path = Path::new("tests/scenarios/stake/a.toml");
    let text = "id = \"a\"\ntitle = \"日本\"\ngame = \"stake\"\nplayers = 2\n\n[when]\ncall = \"note(\\\"日\\u672c🎴\\\"); turn(p1)\"\n\n[[then]]\ngives = { \"value_of(p1)\" = 1 }\nzones.p1.hand = []\n";
    let rules = RULES.to_owned() + "\nfn value_of(p) { p.hand.len }\n";
    workspace.set(Path::new("games/stake/rules.rhai"), Some(&rules));
    workspace.set(path, Some(text));
    for (name, defined) in [("turn(p1)", "fn turn"), ("value_of(p1)", "fn value_of")] {
        let found = workspace.definition(path, text.find(name).unwrap() + 1);
        let expected = rules.find(defined).unwrap() + 3;
        assert_eq!(found.iter().map(|one| one.span.start).collect::<Vec<_>>(), [expected], "{name}");
        let places = workspace.rename(Path::new("games/stake/rules.rhai"), expected, "other").unwrap();
        let here = places.iter().find(|place| place.path == path).unwrap_or_else(|| panic!("{places:?}"));
        assert_eq!(text.get(here.span.clone()), name.split('(').next());
    }
    let zone = workspace.hover(path, text.find("hand").unwrap()).unwrap();
    assert!(zone.markdown.contains("only its player sees it"), "{zone:?}");
}

#[test]
fn a_library_that_no_game_uses_is_looked_at_by_itself() {
    let mut workspace = stake(RULES);
    let path = Path::new("scripts/own.rhai");
    workspace.set(path, Some("/// Deals.\nfn deal_all(n) { decks.deal(n, players); }\nfn half(n) { n / ; }\n"));
    let found = workspace.findings(path, &Arc::default());
    let found: Vec<_> = found.iter().map(|one| (one.diagnostic.code.unwrap().name, one.span.start > 60)).collect();
    assert_eq!(found.first(), Some(&("syntax", true)), "{found:?}");
    // What is no part of any rules is nobody's business; what cannot be read is told.
    workspace.set(Path::new("notes.toml"), Some("a = \n"));
    assert!(workspace.findings(Path::new("notes.toml"), &Arc::default()).is_empty());
    workspace.set(Path::new("notes.toml"), None);
    assert_eq!(workspace.findings(Path::new("notes.toml"), &Arc::default()).len(), 1);
}

#[test]
fn ten_thousand_changes_leave_nothing_behind() {
    let mut workspace = stake(RULES);
    let rules = Path::new("games/stake/rules.rhai");
    let mut size = 0;
    for round in 0..10_000_usize {
        let end = RULES.len() - round % 40;
        workspace.set(rules, Some(&RULES[..end]));
        if round % 100 == 0 {
            workspace.complete(rules, end);
            workspace.hover(rules, end / 2);
            // Everything that is kept can be seen in it.
            let shown = format!("{workspace:?}").len();
            assert!(round < 200 || shown <= size, "{round}: {shown} after {size}");
            size = size.max(shown) + usize::from(round < 200) * 2_000;
        }
    }
    workspace.set(rules, None);
    assert_eq!(workspace.open().count(), 0);
}
