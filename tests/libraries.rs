//! Libraries that bring declarations: the lowest layers, over which games and variants change what they like.

use crate::shared::small_game;
use houserule::definition::{Language, Library};
use houserule::diagnostic::Diagnostics;
use houserule::files::MemoryFiles;
use houserule::playthrough::replay::Replay;
use houserule::playthrough::{Playable, Playthrough};
use houserule::ruleset::{Ruleset, Selection};
use std::path::PathBuf;
use std::sync::Arc;

const DECK: &str = r#"
id = "deck"
about = { en = "A small deck.", ja = "小さな山札。" }
data.suits = ["red", "blue"]
data.spare = 1
text = { draw = { en = "draw a card", ja = "カードを引く" }, spare = "spare" }
zones.deck = { name = { en = "deck", ja = "山札" }, order = "pile", visible = "none" }

[components.card]
kind = "card"
id   = "{suit}-{rank}"
attributes = { suit = "data.suits", rank = { from = 1, to = 3 } }

[attributes.suit]
red  = { en = "red", ja = "赤", color = "red" }
blue = { en = "blue", ja = "青" }
"#;

const GAME: &str = r#"
id = "g"
name = { en = "G", ja = "G" }
players = { min = 2, max = 4 }
uses = ["deck"]
"#;

const RULES: &str = "fn game() { fill(); for p in players { p.may(\"draw\"); } }";

/// What is selected from a project of the library and a game, with other files in their place and beside them.
fn load(files: &[(&str, &str)], variants: &[&str]) -> Result<Arc<Ruleset>, Diagnostics> {
    let all = [
        ("games/g/game.toml", GAME),
        ("games/g/rules.rhai", RULES),
        ("scripts/deck.toml", DECK),
        ("scripts/deck.rhai", "fn fill() { components(\"card\").move_to(deck); }"),
    ];
    let others = all.iter().filter(|(path, _)| !files.iter().any(|(other, _)| other == path));
    let files: Vec<(&str, &[u8])> = others.chain(files).map(|(path, text)| (*path, text.as_bytes())).collect();
    let variants = variants.iter().map(|id| (*id).to_owned()).collect();
    small_game::ruleset(&Selection { game: "g".to_owned(), variants, set: Vec::new() }, &files)
}

fn game(more: &str) -> String {
    format!("{GAME}{more}\n")
}

fn cards(ruleset: &Ruleset) -> Vec<&str> {
    ruleset.definition.components.iter().flat_map(|group| &group.members).map(|member| &*member.id).collect()
}

/// What is wrong, with its place.
fn told(files: &[(&str, &str)], variants: &[&str]) -> String {
    let errors = load(files, variants).expect_err("it loads");
    let first = errors.first();
    let place = first.place.as_ref().map_or("nowhere".to_owned(), |place| {
        let (line, column) = place.position();
        format!("{}:{line}:{column}", place.source.name)
    });
    format!("{place} {}", first.message)
}

#[test]
fn a_library_brings_components_zones_texts_and_looks() {
    let ruleset = load(&[], &[]).unwrap();
    assert_eq!(cards(&ruleset), ["red-1", "red-2", "red-3", "blue-1", "blue-2", "blue-3"]);
    let definition = &ruleset.definition;
    assert_eq!(definition.zones.iter().map(|zone| &*zone.id).collect::<Vec<_>>(), ["deck"]);
    assert_eq!(definition.text("draw").unwrap().in_language(Language::Japanese), Some("カードを引く"));
    assert_eq!(definition.attributes["suit"]["red"].color.as_deref(), Some("red"));
    let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
    // A library offers more than each game needs.
    assert!(loaded.warnings.is_empty() && loaded.lints.is_empty(), "{:?} {:?}", loaded.warnings, loaded.lints);
}

#[test]
fn a_game_and_its_variants_change_what_a_library_declares() {
    let more = "remove = [\"text.spare\"]\n\"data.suits+\" = [\"green\"]\ncomponents.card.attributes.rank.to = 1";
    let variant = "id = \"v\"\ngame = \"g\"\nname = \"V\"\nzones.deck.visible = \"all\"\n\"data.suits+\" = [\"white\"]";
    let ruleset =
        load(&[("games/g/game.toml", &game(more)), ("variants/g/v.toml", variant)], &["v"]).expect("it goes together");
    assert_eq!(cards(&ruleset), ["red-1", "blue-1", "green-1", "white-1"]);
    assert!(ruleset.definition.text("spare").is_none());
    assert!(ruleset.warnings.is_empty(), "{:?}", ruleset.warnings);
}

/// The library of a variant lies below the game, too: the game's values win.
#[test]
fn a_variant_brings_a_library_of_its_own() {
    let extra = "id = \"extra\"\ndata.suits = [\"black\"]\nvariables.pot = { default = 3 }";
    let variant = "id = \"v\"\ngame = \"g\"\nname = \"V\"\nuses = [\"extra\"]";
    let more = "data.suits = [\"grey\"]";
    let files = [("scripts/extra.toml", extra), ("variants/g/v.toml", variant), ("games/g/game.toml", &game(more))];
    let ruleset = load(&files, &["v"]).unwrap();
    assert_eq!(cards(&ruleset), ["grey-1", "grey-2", "grey-3"]);
    assert_eq!(ruleset.definition.variables.iter().filter(|variable| variable.id == "pot").count(), 1);
    assert!(load(&files, &[]).unwrap().definition.variables.iter().all(|variable| variable.id != "pot"));
}

#[test]
fn two_libraries_that_disagree_are_reported() {
    let rules = "fn fill() { } fn other() { }";
    let other = "id = \"other\"\ndata.spare = 2\ndata.suits = [\"red\", \"blue\"]";
    let files = [
        ("scripts/other.toml", other),
        ("scripts/other.rhai", rules),
        ("games/g/game.toml", &*GAME.replace("[\"deck\"]", "[\"deck\", \"other\"]")),
    ];
    let loaded = Playable::compile(load(&files, &[]).unwrap(), 2, Arc::default()).unwrap();
    let told: Vec<&str> = loaded.warnings.iter().map(|warning| &*warning.message).collect();
    assert_eq!(
        told,
        ["two libraries give `data.spare` different values", "other replaces `fill` of deck without calling `super`"]
    );
    let place = loaded.warnings[0].place.as_ref().unwrap();
    assert_eq!((&*place.source.name, place.position().0), ("scripts/other.toml", 2));
    assert_eq!(loaded.warnings[0].related[0].source.name, "scripts/deck.toml");
}

#[test]
fn what_is_wrong_is_shown_in_the_file_that_says_so() {
    let deck = |line: &str| format!("{DECK}{line}\n");
    for (line, told_of) in [
        (
            "green = { en = \"green\", clour = \"red\" }",
            "scripts/deck.toml:17:25 unknown key `attributes.suit.green.clour`",
        ),
        ("[zones.pile]\norder = \"row\"", "scripts/deck.toml:17:8 `name` of `zones.pile` is missing"),
        ("[sones]", "scripts/deck.toml:17:2 unknown key `sones`"),
        ("[settings.many]\ndefault = 1", "scripts/deck.toml:17:2 unknown key `settings`"),
        ("[script]\nrhai = 'fn x() { }'", "scripts/deck.toml:18:1 the script is given twice"),
    ] {
        assert_eq!(told(&[("scripts/deck.toml", &deck(line))], &[]), told_of);
    }
    let renamed = DECK.replace("id = \"deck\"", "id = \"dekc\"");
    assert_eq!(
        told(&[("scripts/deck.toml", &renamed)], &[]),
        "scripts/deck.toml:2:6 `dekc` is in a file called `deck`"
    );
    let nameless = DECK.replace("id = \"deck\"", "");
    assert_eq!(told(&[("scripts/deck.toml", &nameless)], &[]), "scripts/deck.toml:1:1 `id` is missing");
    // The value of the library, where the game makes it wrong.
    let empty = game("components.card.attributes.rank.from = 4");
    assert!(
        told(&[("games/g/game.toml", &empty)], &[]).ends_with("the range `components.card.attributes.rank` is empty")
    );
    let without = GAME.replace("players = { min = 2, max = 4 }", "");
    assert_eq!(told(&[("games/g/game.toml", &without)], &[]), "games/g/game.toml:1:1 `players` is missing");
    assert_eq!(
        told(&[("games/g/game.toml", &GAME.replace("\"deck\"", "\"dek\""))], &[]),
        "games/g/game.toml:5:8 there is no library `dek`"
    );
}

#[test]
fn the_texts_of_a_library_are_part_of_the_rules() {
    let ruleset = load(&[], &[]).unwrap();
    let paths: Vec<String> = ruleset.files(true).into_iter().map(|file| file.path).collect();
    assert_eq!(paths, ["games/g/game.toml", "games/g/rules.rhai", "scripts/deck.toml", "scripts/deck.rhai"]);
    let other = load(&[("scripts/deck.toml", &DECK.replace("to = 3", "to = 4"))], &[]).unwrap();
    assert_ne!(ruleset.hash, other.hash);

    // A saved game carries them, and is played by them where they are not.
    let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
    let (mut playing, _) = Playthrough::start(loaded, 2, 1, Vec::new()).unwrap();
    playing.choose(&["yes".to_owned()]).unwrap();
    let saved = Replay::of(&playing).to_toml();
    assert!(
        saved.contains("path = \"scripts/deck.toml\"") && saved.contains("path = \"scripts/deck.rhai\""),
        "{saved}"
    );
    let library = Library::of(Arc::new(MemoryFiles::new([("saved.toml", &*saved)])), vec![PathBuf::new()]);
    let read = Replay::read(library.files(), "saved.toml".as_ref()).unwrap();
    let (again, _) = read.rules(&library, "saved.toml".as_ref()).unwrap();
    assert_eq!((again.libraries.len(), &again.hash), (1, &playing.loaded().ruleset.hash));
}

/// What has no definition, and what has no script.
#[test]
fn either_file_may_be_left_out() {
    let fill = "fn fill() { }";
    let whole = game("zones.deck = { name = { en = \"deck\" }, order = \"pile\", visible = \"none\" }");
    let files = [("scripts/only.rhai", fill), ("games/g/game.toml", &*whole.replace("\"deck\"]", "\"only\"]"))];
    let ruleset = load(&files, &[]).unwrap();
    assert_eq!((ruleset.libraries[0].path(), ruleset.scripts.len()), ("scripts/only.rhai".to_owned(), 2));
    let inline = "id = \"only\"\n[script]\nrhai = 'fn fill() { note(1); }'";
    let ruleset = load(&[("scripts/only.toml", inline), files[1]], &[]).unwrap();
    assert_eq!((ruleset.libraries[0].path(), ruleset.scripts.len()), ("scripts/only.toml".to_owned(), 2));
    let bare = [("scripts/only.toml", "id = \"only\""), files[1], ("games/g/rules.rhai", "fn game() { }")];
    assert_eq!(load(&bare, &[]).unwrap().scripts.len(), 1);
}
