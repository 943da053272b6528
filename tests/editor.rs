//! An editor with the language server beside it, over standard input and output of the program itself.

mod attack;
mod calls;
mod client;
mod lenses;
mod questions;
mod recipes;
mod rename;
mod saved;

use client::{Client, Folder, RULES, VARIANT, labels, place, starts};
use serde_json::{Value as Json, json};
use std::io::Write as _;

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
    assert_eq!(titles(&mut client), ["run this test", "play from here"]);
    run(&mut client);
    assert_eq!(titles(&mut client), ["run this test (passed)", "play from here"]);
    client.change(&uri, 2, json!([{ "text": good.replace("pot = 1", "pot = 2") }]));
    assert_eq!(titles(&mut client), ["run this test", "play from here"]);
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
