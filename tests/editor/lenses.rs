//! What stands over lines, what a click on it does, and the tests that run after each save.

use super::client::{Client, Folder, RULES, VARIANT};
use serde_json::{Value as Json, json};
use std::path::PathBuf;

const TEST: &str = "houserule = \"0.1\"\nid = \"a\"\ntitle = \"a gain\"\ngame = \"stake\"\nplayers = 2\n\n[given]\np1.hand = [\"red-5\"]\n\n[when]\ncall = \"gain(p1, p1.hand.first)\"\n\n[[then]]\nover = true\nvariables.p1.score = 5\n";

/// The titles over a file, each with its command.
fn titles(client: &mut Client, uri: &str) -> Vec<(String, String)> {
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let text = |value: &Json| value.as_str().unwrap().to_owned();
    let title = |lens: &Json| (text(&lens["command"]["title"]), text(&lens["command"]["command"]));
    lenses.as_array().unwrap().iter().map(title).collect()
}

/// What is published of a file next.
fn published(client: &mut Client, uri: &str) -> Vec<Json> {
    let is_meant = |note: &Json| note["method"] == "textDocument/publishDiagnostics" && note["params"]["uri"] == uri;
    let note = client.wait_for(is_meant);
    note["params"]["diagnostics"].as_array().unwrap().clone()
}

fn message(client: &mut Client) -> String {
    let note = client.wait_for(|note| note["method"] == "window/showMessage");
    note["params"]["message"].as_str().unwrap().to_owned()
}

fn with_test() -> (Folder, PathBuf) {
    let folder = Folder::new();
    let test = folder.0.join("tests/scenarios/stake/a.toml");
    std::fs::create_dir_all(test.parent().unwrap()).unwrap();
    std::fs::write(&test, TEST).unwrap();
    (folder, test)
}

#[test]
fn a_save_runs_the_tests_and_counts_what_they_reach() {
    let (folder, test) = with_test();
    let mut client = Client::start_with(&folder, &["lsp"], json!({ "play": true, "debug": true }));
    let (rules, test_uri) = (folder.uri("games/stake/rules.rhai"), folder.uri("tests/scenarios/stake/a.toml"));
    client.open(&rules, RULES);
    // Opened: the tests run, and say how often each function was called.
    client.wait_for(|note| note["method"] == "workspace/codeLens/refresh");
    let over = titles(&mut client, &rules);
    let has = |over: &[(String, String)], title: &str, command: &str| {
        assert!(over.contains(&(title.to_owned(), command.to_owned())), "{title}: {over:?}");
    };
    has(&over, "ran 1 time in 1 test (passed)", "houserule.test");
    has(&over, "no test runs it", "houserule.test");
    has(&over, "debug", "houserule.debug");
    has(&over, "overridden by double", "houserule.showReferences");
    assert_eq!(over.iter().filter(|(title, _)| title.starts_with("ran")).count(), 1, "{over:?}");

    // Saved with a mistake: the test that nobody has open says at its line what is otherwise.
    let broken = RULES.replace("p.award(card.number, \"play\")", "p.award(card.number + 1, \"play\")");
    client.change(&rules, 2, json!([{ "text": broken }]));
    assert!(titles(&mut client, &rules).iter().all(|(title, _)| !title.starts_with("ran")));
    std::fs::write(folder.0.join("games/stake/rules.rhai"), &broken).unwrap();
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": rules } }));
    // Editors tell of the file that they saved, too.
    client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": rules, "type": 2 }] }));
    let found = published(&mut client, &test_uri);
    assert_eq!((found.len(), &found[0]["range"]["start"]["line"]), (1, &json!(14)), "{found:?}");
    assert!(found[0]["message"].as_str().unwrap().contains('6'), "{found:?}");
    client.wait_for(|note| note["method"] == "workspace/codeLens/refresh");
    has(&titles(&mut client, &rules), "ran 1 time in 1 test (`p1.score` has another value: found 6)", "houserule.test");

    // Mended: nothing is left of it.
    std::fs::write(folder.0.join("games/stake/rules.rhai"), RULES).unwrap();
    client.change(&rules, 3, json!([{ "text": RULES }]));
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": rules } }));
    assert_eq!(published(&mut client, &test_uri), Vec::<Json>::new());
    client.wait_for(|note| note["method"] == "workspace/codeLens/refresh");

    // Over the test itself.
    client.open(&test_uri, TEST);
    client.wait_for(|note| note["method"] == "workspace/codeLens/refresh");
    let over = titles(&mut client, &test_uri);
    for (title, command) in [
        ("run this test (passed)", "houserule.test"),
        ("debug", "houserule.debug"),
        ("play from here", "houserule.play"),
    ] {
        has(&over, title, command);
    }
    let line = client.ask("workspace/executeCommand", json!({ "command": "houserule.play", "arguments": [test] }));
    assert_eq!(line, format!("houserule play {}", test.display()));
    assert_eq!(client.end(), 0);
}

#[test]
fn a_variant_is_compared_and_packed_from_its_first_line() {
    let (folder, _) = with_test();
    let mut client = Client::start_with(&folder, &["lsp"], json!({ "play": false }));
    let (file, uri) = (folder.0.join("variants/stake/double.toml"), folder.uri("variants/stake/double.toml"));
    client.open(&uri, VARIANT);
    let over = titles(&mut client, &uri);
    let commands: Vec<&str> = over.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(commands, ["play", "compare with the plain game", "pack", "overrides stake"], "{over:?}");
    client.ask("workspace/executeCommand", json!({ "command": "houserule.pack", "arguments": [file] }));
    assert!(message(&mut client).contains("wrote double.pack.toml"));
    assert!(folder.0.join("double.pack.toml").is_file());
    // What does not go is said.
    let run = |client: &mut Client, command: &str, arguments: Json| {
        client.ask("workspace/executeCommand", json!({ "command": command, "arguments": arguments }));
        message(client)
    };
    assert!(run(&mut client, "houserule.compare", json!(["stake", "none"])).contains("there is no variant `none`"));
    assert!(run(&mut client, "houserule.pack", json!(["nowhere.toml"])).contains("nowhere.toml"));
    for (command, arguments) in [
        ("houserule.compare", json!(["stake"])),
        ("houserule.pack", json!([])),
        ("houserule.pack", json!(null)),
        ("houserule.play", json!([3])),
        ("houserule.none", json!([])),
        ("", json!({})),
    ] {
        let id = client.begin("workspace/executeCommand", json!({ "command": command, "arguments": arguments }));
        assert!(client.answer(id)["error"]["message"].is_string(), "{command} {arguments}");
    }
    assert_eq!(client.end(), 0);
}

#[test]
fn a_comparison_opens_its_page() {
    let (folder, _) = with_test();
    let mut client = Client::start_with(&folder, &["lsp"], json!({ "play": false }));
    let arguments = json!(["stake", folder.0.join("variants/stake/double.toml")]);
    client.ask("workspace/executeCommand", json!({ "command": "houserule.compare", "arguments": arguments }));
    let asked = client.wait_for(|note| note["method"] == "window/showDocument");
    assert_eq!(asked["params"]["external"], true);
    let page = asked["params"]["uri"].as_str().unwrap().strip_prefix("file://").unwrap().to_owned();
    let text = std::fs::read_to_string(&page).unwrap();
    std::fs::remove_file(&page).unwrap();
    assert!(text.contains("<html") && text.contains("double"));
    assert_eq!(client.end(), 0);
}

#[test]
fn findings_are_told_in_the_language_that_was_asked_for() {
    let folder = Folder::new();
    let mut client = Client::start_with(&folder, &["--lang", "ja", "lsp"], json!({ "play": false }));
    let uri = folder.uri("variants/stake/double.toml");
    client.open(&uri, &VARIANT.replace("super(p, card)", "super(p, crad)"));
    let found = client.findings(&uri, 1);
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.contains("crad") && !message.is_ascii(), "{message}");
    assert_eq!(titles(&mut client, &uri)[0].0, "遊ぶ");
    client.ask("workspace/executeCommand", json!({ "command": "houserule.pack", "arguments": ["nowhere.toml"] }));
    assert!(!self::message(&mut client).is_ascii());
    assert_eq!(client.end(), 0);
}
