//! What no client should send, and files as no project should have them.

use super::client::{Client, Folder, GAME, RULES, VARIANT, place, starts};
use super::questions::stake;
use houserule::Workspace;
use houserule::parts::{LensAction, TestResults};
use serde_json::{Value as Json, json};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

/// Numbers that look like chance, the same each time.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    pub fn of<T: Clone>(&mut self, some: &[T]) -> T {
        some[self.roll(some.len())].clone()
    }

    fn junk(&mut self, depth: usize) -> Json {
        let plain = [
            json!(null),
            json!(true),
            json!(-1),
            json!(u64::MAX),
            json!(1e300),
            json!(""),
            json!("file:///"),
            json!([]),
            json!({}),
        ];
        match self.roll(6) {
            0 if depth < 4 => (0..self.roll(4)).map(|_| self.junk(depth + 1)).collect(),
            1 if depth < 4 => {
                let keys = [
                    "uri",
                    "line",
                    "start",
                    "end",
                    "position",
                    "range",
                    "textDocument",
                    "context",
                    "item",
                    "arguments",
                ];
                let entries = (0..self.roll(5)).map(|_| (self.of(&keys).to_owned(), self.junk(depth + 1)));
                Json::Object(entries.collect())
            }
            _ => self.of(&plain),
        }
    }

    fn position(&mut self) -> Json {
        match self.roll(4) {
            0 => json!({ "line": self.roll(1 << 30), "character": self.roll(1 << 30) }),
            1 => self.junk(2),
            _ => json!({ "line": self.roll(40), "character": self.roll(60) }),
        }
    }
}

#[test]
fn whatever_is_asked_and_changed_is_answered() {
    const METHODS: [&str; 20] = [
        "hover",
        "completion",
        "definition",
        "implementation",
        "references",
        "documentHighlight",
        "prepareRename",
        "rename",
        "documentSymbol",
        "foldingRange",
        "formatting",
        "codeAction",
        "codeLens",
        "inlayHint",
        "semanticTokens/full",
        "signatureHelp",
        "documentLink",
        "prepareCallHierarchy",
        "nobodyKnows",
        "",
    ];
    const OTHERS: [&str; 5] = [
        "workspace/symbol",
        "workspace/executeCommand",
        "callHierarchy/incomingCalls",
        "callHierarchy/outgoingCalls",
        "x",
    ];
    let texts = [
        "", "x", "\n", "\r\n", "\r", "🎴", "日本", "\0", "'''", "{", "}", "\"", "[", "fn ", "p.", "super(", "\u{feff}",
        "\\u",
    ];
    let folder = Folder::new();
    for seed in 1..4 {
        let mut client = Client::start(&folder, if seed == 1 { &["utf-8"] } else { &[] }, false);
        let mut dice = Dice(seed);
        let files = [
            ("games/stake/game.toml", GAME),
            ("games/stake/rules.rhai", RULES),
            ("variants/stake/double.toml", VARIANT),
        ];
        let uris = files.map(|(file, _)| folder.uri(file));
        files.iter().zip(&uris).for_each(|((_, text), uri)| client.open(uri, text));
        for round in 0..150 {
            let at = dice.roll(3);
            let uri = &uris[at];
            match dice.roll(10) {
                0..3 => {
                    let change = json!({ "range": { "start": dice.position(), "end": dice.position() }, "text": dice.of(&texts) });
                    client.change(uri, round, json!([change, dice.junk(0)]));
                }
                3 => client.change(uri, round, json!([{ "text": files[at].1 }])),
                4 => client.tell(
                    dice.of(&["textDocument/didSave", "workspace/didChangeWorkspaceFolders", "$/x"]),
                    dice.junk(0),
                ),
                _ => {
                    let params = json!({
                        "textDocument": { "uri": uri }, "position": dice.position(),
                        "range": { "start": dice.position(), "end": dice.position() },
                        "newName": dice.of(&["a", "", "日本", "fn"]), "context": dice.junk(0), "query": "g",
                        "item": { "uri": uri, "selectionRange": { "start": dice.position() } },
                        "command": "houserule.explain", "arguments": dice.junk(0),
                    });
                    let params = if dice.roll(5) == 0 { dice.junk(0) } else { params };
                    let method = match dice.roll(6) {
                        0 => dice.of(&OTHERS).to_owned(),
                        _ => format!("textDocument/{}", dice.of(&METHODS)),
                    };
                    let id = client.begin(&method, params);
                    let answer = client.answer(id);
                    assert!(answer.get("result").is_some() != answer.get("error").is_some(), "{method}: {answer}");
                }
            }
        }
        assert_eq!(client.end(), 0);
    }
}

#[test]
fn messages_that_are_none_end_nothing() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, &[], false);
    let mut raw = |bytes: &[u8]| {
        let input = client.child.stdin.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        assert_eq!(client.answer_to(&Json::Null)["error"]["code"], -32700);
    };
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    raw(format!("Content-Length: {}\r\n\r\n{deep}", deep.len()).as_bytes());
    raw(b"Content-Length: 4\r\n\r\n\"\xff\xfe\"");
    raw(b"Content-Length: -1\r\n\r\n{}");
    for message in
        [json!(null), json!([]), json!({ "id": 1 }), json!({ "method": 3, "id": [] }), json!({ "method": "x" })]
    {
        client.send(&message);
    }
    let id = client.begin("textDocument/hover", json!("x"));
    assert_eq!(client.answer(id)["result"], Json::Null);
    assert_eq!(client.end(), 0);
}

#[cfg(unix)]
#[test]
fn a_file_is_the_same_by_whatever_path_it_is_reached() {
    let folder = Folder::new();
    let link = folder.0.join("home/link");
    std::os::unix::fs::symlink(&folder.0, &link).unwrap();
    // What is no file, or leads round in a circle, is passed over.
    std::os::unix::fs::symlink("..", folder.0.join("games/up")).unwrap();
    std::os::unix::fs::symlink("self", folder.0.join("variants/self")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.0.join("variants/stake/zero.toml")).unwrap();
    let linked = format!("file://{}/variants/stake/double.toml", link.display());
    let mut client = Client::start(&folder, &[], false);
    client.open(&linked, VARIANT);
    assert_eq!(client.findings(&linked, 1), Vec::<Json>::new());
    let found = client.at("definition", &linked, place(VARIANT, "super", 1), json!({}));
    assert_eq!(starts(&found), [("rules.rhai".to_owned(), 14, 3)]);
    let renamed = client.at("rename", &linked, place(VARIANT, "fn gain", 4), json!({ "newName": "earn" }));
    let files: Vec<&String> = renamed["changes"].as_object().unwrap().keys().collect();
    assert_eq!(files, [&folder.uri("games/stake/rules.rhai"), &linked].map(|uri| uri));
    assert_eq!(client.end(), 0);
    // A folder that is opened by a link is called by it.
    let mut client = Client::connect(&folder);
    let root = format!("file://{}", link.display());
    client.ask("initialize", json!({ "rootUri": root, "capabilities": {} }));
    client.open(&linked, VARIANT);
    let found = client.at("definition", &linked, place(VARIANT, "super", 1), json!({}));
    assert_eq!(found[0]["uri"], format!("{root}/games/stake/rules.rhai"));
    assert_eq!(client.end(), 0);
}

#[test]
fn a_name_in_a_file_is_no_option_of_a_command() {
    let mut workspace = stake(RULES);
    let path = Path::new("elsewhere/x.toml");
    for game in ["--html=/etc/passwd", "-o", "none"] {
        workspace.set(path, Some(&format!("id = \"x\"\ngame = \"{game}\"\nname = \"X\"\n")));
        assert_eq!(workspace.lenses(path, &TestResults::default()), [], "{game}");
    }
    workspace.set(path, Some("id = \"x\"\ngame = \"stake\"\nname = \"X\"\n"));
    let lenses = workspace.lenses(path, &TestResults::default());
    assert!(lenses.iter().any(|lens| matches!(lens.action, LensAction::Compare(_))), "{lenses:?}");
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = Folder::new();
    let alone = folder.0.join("home/alone");
    std::fs::create_dir_all(&alone).unwrap();
    let mut client = Client::start(&folder, &[], false);
    for (file, text) in [("Cargo.toml", "[package]\nname = 3\n"), ("a.toml", "a = \n"), ("b.rhai", "fn f( {")] {
        let uri = format!("file://{}", alone.join(file).display());
        client.open(&uri, text);
        assert_eq!(client.findings(&uri, 1), Vec::<Json>::new(), "{file}");
        assert_eq!(client.at("hover", &uri, (0, 1), json!({})), Json::Null);
    }
    assert_eq!(client.end(), 0);
}

/// Others write into the folder: what appears there is known, what has another name then is known by that, what vanishes is not.
#[test]
fn files_that_come_and_go_are_noticed() {
    let folder = Folder::new();
    let uri = folder.uri("games/stake/rules.rhai");
    let mut client = Client::start(&folder, &[], false);
    client.open(&uri, RULES);
    let over = |client: &mut Client| {
        client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
        let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
        lenses.as_array().unwrap().iter().map(|lens| lens["command"]["title"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(over(&mut client), ["\"overridden by double\""]);
    let file = |name: &str| folder.0.join("variants/stake").join(name);
    std::fs::write(file("third.toml"), VARIANT.replace("\"double\"", "\"third\"")).unwrap();
    assert_eq!(over(&mut client), ["\"overridden by double, third\""]);
    std::fs::rename(file("third.toml"), file("thrice.toml")).unwrap();
    assert_eq!(over(&mut client), ["\"overridden by double, thrice\""]);
    std::fs::remove_file(file("thrice.toml")).unwrap();
    std::fs::remove_file(file("double.toml")).unwrap();
    assert_eq!(over(&mut client), [""; 0]);
    assert_eq!(client.end(), 0);
}

#[test]
fn two_servers_look_at_one_folder() {
    let folder = Folder::new();
    let uri = folder.uri("variants/stake/double.toml");
    let mut clients = [Client::start(&folder, &[], true), Client::start(&folder, &[], true)];
    clients[0].open(&uri, &VARIANT.replace("super(p, card)", "super(p, crad)"));
    clients[1].open(&uri, VARIANT);
    assert_eq!(clients[0].findings(&uri, 1).len(), 1);
    assert_eq!(clients[1].findings(&uri, 1).len(), 0);
    for client in clients {
        assert_eq!(client.end(), 0);
    }
}

/// Every change that a key makes is understood, whatever it makes of the text.
pub fn ask_everything(workspace: &mut Workspace, path: &Path, at: usize) {
    workspace.complete(path, at);
    workspace.hover(path, at.saturating_sub(2));
    workspace.signature(path, at);
    workspace.definition(path, at.saturating_sub(1));
    workspace.semantic_tokens(path);
    workspace.hints(path, &(0..at));
    workspace.folds(path);
    workspace.outline(path);
    workspace.links(path);
    workspace.caller_at(path, at);
    workspace.outgoing(path, at);
    let _ = workspace.prepare_rename(path, at);
}

/// Findings and fixes, whose places have to lie in the text.
pub fn find_everything(workspace: &mut Workspace, path: &Path, text: &str) {
    for found in workspace.findings(path, &Arc::default()) {
        let is_inside = found.span.start <= found.span.end && text.get(found.span.clone()).is_some();
        assert!(is_inside, "{path:?}: {found:?}");
    }
    for change in workspace.fixes(path, &(0..text.len())).into_iter().flat_map(|fix| fix.changes) {
        let target = workspace.text(&change.path).unwrap();
        assert!(target.text.get(change.span.clone()).is_some(), "{path:?}: {change:?}");
    }
}
