//! Files that a file names, and who calls whom.

use super::client::{Client, Folder, RULES, VARIANT, place};
use super::questions::stake;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

/// The names that are links in a file, each with the file it stands for.
fn links(path: &str, text: &str) -> Vec<(String, PathBuf)> {
    let mut workspace = stake(RULES);
    workspace.set(Path::new("scripts/own.rhai"), Some("fn half(n) { n / 2 }\n"));
    workspace.set(Path::new(path), Some(text));
    let found = workspace.links(Path::new(path)).into_iter();
    found.map(|link| (text[link.span].to_owned(), link.path)).collect()
}

#[test]
fn names_of_files_are_links() {
    let game = ("stake".to_owned(), PathBuf::from("games/stake/game.toml"));
    let variant = ("double".to_owned(), PathBuf::from("variants/stake/double.toml"));
    let library = ("own".to_owned(), PathBuf::from("scripts/own.rhai"));
    let text = "id = \"x\"\ngame = \"stake\"\nuses = [\"own\", \"none\"]\nrequires = ['double']\nwith.double = {}\n\
                [conflicts]\ndouble = \"stake\"\n";
    assert_eq!(
        links("variants/stake/x.toml", text),
        [game.clone(), library, variant.clone(), variant.clone(), variant.clone()]
    );
    let test =
        "id = \"a\"\ntitle = \"stake\"\ngame = \"stake\"\nvariants = [\"double\"]\n[[then]]\nchoose = \"double\"\n";
    assert_eq!(links("tests/scenarios/stake/a.toml", test), [game.clone(), variant.clone()]);
    let pack = "pack = 1\n[play]\ngame = \"stake\"\nvariants = [\"double\"]\n[[files]]\npath = \"variants/stake/double.toml\"\n\
                [[rests_on]]\npath = \"games/none/game.toml\"\n";
    let file = ("variants/stake/double.toml".to_owned(), variant.1.clone());
    assert_eq!(links("a.toml", pack), [game.clone(), variant.clone(), file.clone()]);
    let saved =
        "format = 3\ngame = \"stake\"\nvariants = [\"double\"]\n[[rules]]\npath = \"variants/stake/double.toml\"\n";
    assert_eq!(links("saved.toml", saved), [game, variant, file]);
    assert_eq!(links("games/stake/rules.rhai", RULES), []);
}

/// Calls as words: `turn(p) of game stake: 1`.
fn in_words(calls: &Json, end: &str) -> Vec<String> {
    let one = |calls: &Json| {
        let (name, detail) = (&calls[end]["name"], &calls[end]["detail"]);
        let count = calls["fromRanges"].as_array().unwrap().len();
        format!("{} of {}: {count}", name.as_str().unwrap(), detail.as_str().unwrap())
    };
    calls.as_array().unwrap().iter().map(one).collect()
}

#[test]
fn calls_go_through_layers() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("tests/scenarios/stake")).unwrap();
    let test = "id = \"a\"\ntitle = \"a\"\ngame = \"stake\"\n\n[when]\ncall = \"gain(p1, p1.hand.first)\"\n\n[[then]]\nover = true\n";
    std::fs::write(folder.0.join("tests/scenarios/stake/a.toml"), test).unwrap();
    let mut client = Client::start(&folder, &[], false);
    assert_eq!(client.capabilities["callHierarchyProvider"], true);
    let (variant, rules) = (folder.uri("variants/stake/double.toml"), folder.uri("games/stake/rules.rhai"));
    client.open(&variant, VARIANT);
    let prepared =
        |client: &mut Client, uri: &str, at| client.at("prepareCallHierarchy", uri, at, json!({}))[0].clone();
    let incoming = |client: &mut Client, item: &Json| {
        in_words(&client.ask("callHierarchy/incomingCalls", json!({ "item": item })), "from")
    };
    let outgoing = |client: &mut Client, item: &Json| {
        in_words(&client.ask("callHierarchy/outgoingCalls", json!({ "item": item })), "to")
    };
    // The variant's function is called by name, and calls that of the game.
    let own = prepared(&mut client, &variant, place(VARIANT, "fn gain", 4));
    assert_eq!((&own["name"], &own["detail"]), (&json!("gain(p, card)"), &json!("variant double")));
    assert_eq!(incoming(&mut client, &own), ["turn(p) of game stake: 1", "a of : 1"]);
    assert_eq!(outgoing(&mut client, &own), ["gain(p, card) of game stake: 1"]);
    // What `super` reaches is called by it, and by whoever names it where no variant is over it.
    let below = prepared(&mut client, &variant, place(VARIANT, "super", 1));
    assert_eq!((&below["uri"], &below["detail"]), (&json!(rules), &json!("game stake")));
    assert_eq!(
        incoming(&mut client, &below),
        ["turn(p) of game stake: 1", "gain(p, card) of variant double: 1", "a of : 1"]
    );
    let game = prepared(&mut client, &rules, place(RULES, "fn game", 4));
    assert_eq!(incoming(&mut client, &game), [""; 0]);
    assert_eq!(outgoing(&mut client, &game), ["turn(p) of game stake: 1"]);
    // What is no function has none.
    assert_eq!(client.at("prepareCallHierarchy", &rules, place(RULES, "award", 2), json!({})), Json::Null);
    for item in [json!(null), json!({ "uri": rules }), json!({ "uri": "file:///nowhere", "selectionRange": 7 })] {
        for method in ["incomingCalls", "outgoingCalls"] {
            let found = client.ask(&format!("callHierarchy/{method}"), json!({ "item": item }));
            assert!(found.is_null() || found == json!([]), "{item}: {found}");
        }
    }
    assert_eq!(client.end(), 0);
}
