//! What a person changes by hand: hands that change places, lots, a table as a scenario gives it.

use super::*;
use houserule::definition::Scalar;
use houserule::playthrough::log::{Entry, TableSetup};
use houserule::playthrough::{Playable, Playthrough};
use houserule::ruleset::{Ruleset, Selection};
use houserule::table::value::Value;
use std::sync::Arc;

/// A table in the middle of a game.
pub const CORNER: &str = r#"
id      = "corner"
title   = "Little is left"
game    = "up-or-down"
players = 2

[given]
ring         = [10, 20, 30]
p1.hand      = [15, 25]
p2.hand      = [16]
p2.columns.2 = [40, 41]
face_down    = [7, 8]
p1.score     = 4

[when]
call = "turn(p1)"

[[then]]
asks = "p1 play_card"
"#;

/// A game of up-or-down for two with seed 7, in this process.
fn game() -> Playthrough {
    let library = houserule::Disk::library(vec![root()]);
    let selection = Selection { game: "up-or-down".to_owned(), ..Selection::default() };
    let ruleset = Arc::new(Ruleset::load(&library, &selection).unwrap());
    let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
    Playthrough::start(loaded, 2, 7, Vec::new()).unwrap().0
}

/// What lies in a zone.
fn held(game: &Playthrough, zone: &str) -> Vec<String> {
    let layout = &game.loaded().layout;
    let number = layout.zones.iter().position(|info| &*info.id == zone).unwrap();
    let zone = &game.position().table.zones[number];
    zone.iter().map(|&component| layout.label(&game.position().table.faces, &Value::Component(component))).collect()
}

fn swap(one: &str, other: &str) -> Entry {
    Entry::Swap { one: one.to_owned(), other: other.to_owned() }
}

#[test]
fn two_zones_change_places_in_their_order() {
    let mut game = game();
    let (one, other, pile) = (held(&game, "p1.hand"), held(&game, "p2.hand"), held(&game, "face_up"));
    assert!(one != other && one.len() == 3 && pile.len() > 9);
    game.intervene(swap("p1.hand", "p2.hand")).unwrap();
    assert_eq!((held(&game, "p1.hand"), held(&game, "p2.hand")), (other.clone(), one.clone()));
    let options = &game.position().open.as_ref().unwrap().options;
    assert!(options.iter().all(|option| other.contains(&option.label)), "asked of the new hand: {options:?}");
    game.intervene(swap("face_up", "p1.hand")).unwrap();
    assert_eq!((held(&game, "face_up"), held(&game, "p1.hand")), (other.clone(), pile.clone()));
    game.undo().unwrap();
    assert_eq!((held(&game, "face_up"), held(&game, "p1.hand")), (pile, other.clone()));
    game.undo().unwrap();
    assert_eq!(held(&game, "p1.hand"), one);
    game.redo().unwrap();
    assert_eq!(held(&game, "p1.hand"), other);
}

#[test]
fn who_gets_the_cards_of_another_knows_them_and_the_other_remembers() {
    let mut game = game();
    let before = game.position().table.clone();
    game.intervene(swap("p1.hand", "p2.hand")).unwrap();
    let layout = game.loaded().layout.clone();
    let zone = layout.zones.iter().position(|info| &*info.id == "p1.hand").unwrap();
    let after = &game.position().table;
    for card in before.zones[zone].iter().chain(&after.zones[zone]) {
        let at = layout
            .faces
            .iter()
            .position(|face| *face.id == layout.label(&after.faces, &Value::Component(*card)))
            .unwrap();
        assert_eq!(after.known.components[at].face, 0b11, "both have seen {}", layout.faces[at].id);
    }
}

#[test]
fn hands_change_places_by_the_names_of_the_players() {
    let folder = Folder::new();
    let told = Session::within(&folder).lines(["auto 2", "swap p1 p2", "history", "save game.toml"]).run().fine();
    told.shows(["swap p1.hand p2.hand", "saved 3 moves"]);
    assert!(folder.read("game.toml").contains("[\"swap\", \"p1.hand\", \"p2.hand\"],"), "{}", folder.read("game.toml"));
    let again = Session::within(&folder).lines(["load game.toml", "undo", "redo", "save two.toml"]).run().fine();
    again.shows(["took back: swap p1.hand p2.hand", "did again: swap p1.hand p2.hand"]);
    assert_eq!(folder.read("game.toml"), folder.read("two.toml"));
    let replay = program(&folder).args(["replay", "game.toml"]).output().unwrap();
    assert_eq!(replay.status.code(), Some(0), "{}", String::from_utf8_lossy(&replay.stdout));
}

#[test]
fn a_swap_that_means_nothing_is_refused() {
    Session::new().lines(["swap p1.hand"]).run().refused(["swap ZONE|pN ZONE|pN", "swap p1.hand p2.hand"]);
    Session::new().lines(["swap p1.hand p2.hnad"]).run().refused(["no zone `p2.hnad`", "did you mean `p2.hand`?"]);
    Session::new().lines(["swap p1 p9"]).run().refused(["there is no player `p9`", "write p1 to p2"]);
    let pig = |line: &str| {
        let args = ["play", "pig", "-s", "1"].map(str::to_owned).to_vec();
        Session { args, ..Session::new() }.lines([line]).run()
    };
    // The name that is wrong is told before what the other one has not.
    pig("swap p1 p9").refused(["there is no player `p9`"]);
    pig("swap p1 p2").refused(["p1 has no zone"]);
    Session::new().lines(["swap p1 p1"]).run().refused(["p1.hand cannot be swapped with itself"]);
    Session::new()
        .lines(["swap p1 p2 p3"])
        .run()
        .refused(["`swap p1 p2` takes nothing after it", "write `swap ZONE|pN ZONE|pN`"]);
    // Where no zone is a hand, there has to be one alone.
    let folder = Folder::with_rules();
    folder.edit("games/up-or-down/game.toml", "order   = \"hand\"", "order   = \"row\"");
    Session::within(&folder)
        .lines(["swap p1 p2"])
        .run()
        .refused(["p1 can mean p1.hand, p1.columns.1", "swap ZONE ZONE"]);
}

#[test]
fn what_is_so_already_is_told_in_one_line() {
    const GAME: [&str; 3] = ["up-or-down", "-s", "7"];
    let same = "set p1.score 0: it is so already, and nothing was changed\n";
    assert_eq!(last(&GAME, &[KNOWN, "set p1.score 0"]), same);
    assert!(!last(&GAME, &[KNOWN, "set p1.score 0", "history"]).contains("set p1.score"), "it is no move");
    let told = last(&GAME, &[KNOWN, "move 10 p1.hand 0"]);
    assert!(told.starts_with("move 10 p1.hand 0: it is so already"), "{told}");
    // Another order in a zone is a change that the table may not show.
    let told = last(&GAME, &[KNOWN, "move 10 p1.hand"]);
    assert!(told.starts_with("10 was in p1.hand already, and is the last there now\n"), "{told}");
    let told = last(&GAME, &[KNOWN, "move 10 p1.hand 1"]);
    assert!(told.starts_with("10 was in p1.hand already, and is at position 1 now\n"), "{told}");
    assert!(!last(&GAME, &[KNOWN, "move 10 box"]).contains("already"), "what changes is shown as ever");
}

#[test]
fn a_setting_is_proposed_where_its_layer_was_left_out() {
    let pig = |line: &str| {
        let args = ["play", "pig", "-s", "1"].map(str::to_owned).to_vec();
        Session { args, ..Session::new() }.lines([line]).run()
    };
    pig("set target 20").refused(["there is no variable `target`", "`set pig.target VALUE` changes it in the rules"]);
    pig("set pig.target 20").fine();
    // Whoever is not at the table has nothing, whatever name is near.
    pig("set p9.score 3").refused(["there is no variable `p9.score`", "write p1 to p2"]);
}

#[test]
fn chance_is_rigged_only_with_what_can_happen() {
    let line = |game: &str, line: &str| {
        let args = ["play", game, "-s", "1"].map(str::to_owned).to_vec();
        Session { args, ..Session::new() }.lines([line]).run()
    };
    line("pig", "rig roll die-1 9").refused(["die-1 cannot show 9", "its values go from 1 to 6"]);
    line("pig", "rig roll die-1 0").refused(["die-1 cannot show 0"]);
    line("pig", "rig roll die-1 6").fine();
    line("hearts", "rig roll spades-1 3").refused(["there is no"]);
    line("hearts", "rig shuffle deck clubs-2 clubs-3 clubs-2").refused(["`clubs-2` is named twice"]);
}

#[test]
fn draw_is_another_word_for_lot() {
    let play = |line: &'static str| {
        let args = ["play", "overflow", "-p", "3", "--seed", "1"].map(str::to_owned).to_vec();
        Session { args, ..Session::new() }.lines([line, "log all", "rig", "history"]).run().fine()
    };
    for (seat, rig) in
        [("p1", "rig draw start_player p1"), ("p2", "rig draw start_player p2"), ("p3", "rig lot start_player p3")]
    {
        let drawn = format!("→ {seat}");
        play(rig).shows(["start_player", &drawn, "no rig is waiting", &format!("rig lot start_player {seat}")]);
    }
}

#[test]
fn a_rig_that_has_not_come_is_listed_and_a_misspelt_one_refused() {
    Session::new().lines(["rig"]).run().fine().shows(["no rig is waiting"]);
    let told =
        Session::new().lines(["auto 3", "rig shuffle box 4", "rig shuffle face_down 14 33", "rig", "undo 2", "rig"]);
    let told = told.run().fine();
    told.shows(["rig shuffle box 4: not used yet", "rig shuffle face_down 14 33: not used yet", "no rig is waiting"]);
    Session::new()
        .lines(["rig draw storm 4"])
        .run()
        .refused(["no lot of these rules is called `storm`", "there is no lot at all"]);
    let args = ["play", "overflow", "-p", "3", "--seed", "1"].map(str::to_owned).to_vec();
    let session = Session { args, ..Session::new() };
    session.lines(["rig draw start_palyer p1"]).run().refused(["start_palyer", "did you mean `start_player`?"]);
}

#[test]
fn a_table_is_laid_as_a_scenario_gives_it() {
    let folder = Folder::new();
    folder.write("corner.toml", CORNER);
    let told = Session::within(&folder)
        .lines(["auto 4", "set p2.score 9", "lay corner.toml", "why p2.score", "history", "save game.toml", "=16"])
        .run()
        .fine();
    told.shows(["10", "20", "30", "p2 score is 0", "lay corner", "saved 6 moves"]);
    let saved = folder.read("game.toml");
    let entry = "[\"lay\", \"corner\", { zones = { \"face_down\" = [\"7\", \"8\"], \"p1.hand\" = [\"15\", \"25\"], \
                 \"p2.columns.2\" = [\"40\", \"41\"], \"p2.hand\" = [\"16\"], \"ring\" = [\"10\", \"20\", \"30\"] }, \
                 set = { \"p1.score\" = 4 } }],";
    assert!(saved.contains(entry), "{saved}");
    // The game needs the file no more.
    std::fs::remove_file(folder.0.join("corner.toml")).unwrap();
    let told =
        Session::within(&folder).lines(["load game.toml", "undo", "redo", "why p1.score", "save two.toml"]).run();
    told.fine().shows(["took back: lay corner", "did again: lay corner", "p1 score is 4"]);
    assert_eq!(saved, folder.read("two.toml"));
    let replay = program(&folder).args(["replay", "game.toml"]).output().unwrap();
    assert_eq!(replay.status.code(), Some(0), "{}", String::from_utf8_lossy(&replay.stdout));
}

#[test]
fn a_laid_table_is_all_that_is_there() {
    let mut game = game();
    let zones = [("p1.hand", vec!["15", "25"]), ("ring", vec!["10"])];
    let given = TableSetup {
        zones: zones.map(|(zone, held)| (zone.to_owned(), held.into_iter().map(str::to_owned).collect())).into(),
        set: [("p2.score".to_owned(), Scalar::Number(3))].into(),
    };
    let before = game.position().table.clone();
    game.intervene(Entry::Lay { name: "little".to_owned(), given }).unwrap();
    assert_eq!((held(&game, "p1.hand"), held(&game, "ring")), (vec!["15".into(), "25".into()], vec!["10".into()]));
    let table = &game.position().table;
    assert_eq!(table.zones.iter().map(<[_]>::len).sum::<usize>(), 3, "everything else is out of play");
    assert_eq!(game.position().scores, [0, 3]);
    let known = table.known.components.iter().filter(|known| known.face != 0).count();
    assert_eq!(known, 3, "what was known of other cards is forgotten");
    let options: Vec<_> = game.position().open.as_ref().unwrap().options.iter().map(|option| &option.label).collect();
    assert_eq!(options, ["15", "25"]);
    assert_eq!((table.turns, &table.phase), (before.turns, &before.phase), "the rules go on from where they are");
    game.undo().unwrap();
    assert_eq!(game.position().table, before);
}

#[test]
fn a_scenario_that_does_not_fit_is_refused_with_its_place() {
    let folder = Folder::new();
    folder.write("corner.toml", CORNER);
    std::fs::create_dir(folder.0.join("several")).unwrap();
    for id in ["one", "two"] {
        folder.write(&format!("several/{id}.toml"), CORNER.replace("\"corner\"", &format!("\"{id}\"")));
    }
    folder.write("several/other.toml", CORNER.replace("\"up-or-down\"", "\"ftw\""));
    folder.write("zone.toml", CORNER.replace("ring  ", "rign  "));
    folder.write("card.toml", CORNER.replace("[7, 8]", "[7, 999]"));
    folder.write("twice.toml", CORNER.replace("[7, 8]", "[7, 10]"));
    folder.write("variable.toml", CORNER.replace("p1.score ", "p1.scroe "));
    folder.write("whole.toml", "id = \"w\"\ntitle = \"w\"\ngame = \"up-or-down\"\n[[then]]\nover = false\n");
    folder.write("letter.toml", "dear friend");
    let refused = |line: &'static str, words: &[&str]| {
        let told = Session::within(&folder).lines([line]).run().refused(["line 1"]);
        words.iter().for_each(|word| assert!(told.stderr.contains(word), "{line}: no {word} in\n{}", told.stderr));
    };
    refused("lay", &["lay FILE [ID]", "lay corner.toml"]);
    refused("lay nowhere.toml", &["nowhere.toml"]);
    refused("lay letter.toml", &["letter.toml"]);
    refused("lay corner.toml crner", &["no scenario `crner`", "did you mean `corner`?"]);
    refused("lay several", &["2 scenarios of this game", "`lay several one`", "one, two"]);
    refused("lay several/other.toml", &["corner is for ftw", "other.toml:4", "not up-or-down"]);
    refused("lay zone.toml", &["no zone `rign`", "zone.toml:8", "did you mean `ring`?", "the table is as it was"]);
    refused("lay card.toml", &["no component `999`", "card.toml:12"]);
    refused("lay twice.toml", &["`10` is in two places", "twice.toml:"]);
    refused("lay variable.toml", &["p1.scroe", "variable.toml:13"]);
    refused("lay whole.toml", &["sets up no table"]);
    for line in ["lay corner.toml corner", "lay several two", "lay several one"] {
        Session::within(&folder).lines([line, "history"]).run().fine().shows(["lay "]);
    }
    let told = Session::within(&folder).args(["-p", "3"]).lines(["lay corner.toml"]).run().fine();
    told.shows(["corner is for 2 players, and this game has 3"]);
}

#[test]
fn a_saved_table_that_no_longer_fits_says_so() {
    let folder = Folder::new();
    folder.write("corner.toml", CORNER);
    Session::within(&folder).lines(["auto 2", "lay corner.toml", "save game.toml"]).run().fine();
    let saved = folder.read("game.toml");
    for (old, new, words) in [
        ("\"face_down\" =", "\"face_dwon\" =", "there is no zone `face_dwon`"),
        ("[\"7\", \"8\"]", "[\"7\", \"x\"]", "there is no component `x`"),
        ("\"p1.score\" = 4", "\"p1.scroe\" = 4", "there is no variable `p1.scroe`"),
    ] {
        assert!(saved.contains(old), "no {old} in {saved}");
        folder.write("bad.toml", saved.replace(old, new));
        Session::within(&folder).lines(["load bad.toml"]).run().fine().shows(["2 of 3 moves still fit", words]);
    }
    for (old, new, words) in [
        ("{ zones =", "{ zoness =", "not with `zoness`"),
        ("[\"7\", \"8\"]", "7", "needs a list"),
        ("\"p1.score\" = 4", "\"p1.score\" = 4.5", "is not a number, a truth or a text"),
    ] {
        folder.write("bad.toml", saved.replace(old, new));
        Session::within(&folder).lines(["load bad.toml"]).run().refused([words]);
    }
}

/// What can stand next, after a command and what was typed behind it, in a game for three that draws lots.
fn offered(folder: &Folder, command: &str, before: &str) -> Vec<String> {
    use houserule::session::Session as Game;
    let library = houserule::Disk::library(vec![folder.0.clone()]);
    let selection = Selection { game: "overflow".to_owned(), ..Selection::default() };
    let ruleset = Arc::new(Ruleset::load(&library, &selection).unwrap());
    let loaded = Playable::compile(ruleset, 3, Arc::default()).unwrap();
    let (playthrough, _) = Playthrough::start(loaded, 3, 7, Vec::new()).unwrap();
    let language = houserule::definition::Language::English;
    let game = Game::new(
        playthrough,
        library,
        language,
        Arc::default(),
        Arc::new(houserule::session::surroundings::NoSurroundings),
    );
    let (_, found) = game.candidates(&format!("{command} {before} "));
    found.into_iter().map(|candidate| candidate.text).collect()
}

#[test]
fn what_can_stand_next_is_offered() {
    let folder = Folder::with_rules();
    let scenarios = folder.0.join("tests/scenarios");
    std::fs::create_dir_all(&scenarios).unwrap();
    folder.write("tests/scenarios/corner.toml", CORNER);
    folder.write("tests/scenarios/edge.toml", CORNER.replace("up-or-down", "overflow").replace("corner", "edge"));
    let has = |command: &str, before: &str, wanted: &[&str]| {
        let found = offered(&folder, command, before);
        wanted.iter().for_each(|word| assert!(found.iter().any(|text| text == word), "{command} {before}: {found:?}"));
        found
    };
    for before in ["", "p1.hand"] {
        assert!(!has("swap", before, &["p1", "p3", "p1.hand", "p3.hand"]).contains(&"p4".to_owned()));
    }
    assert_eq!(offered(&folder, "swap", "p1 p2"), [""; 0]);
    has("rig", "", &["shuffle", "roll", "draw"]);
    for word in ["draw", "lot"] {
        assert_eq!(offered(&folder, "rig", word), ["start_player"], "what was drawn so far");
    }
    assert_eq!(offered(&folder, "lay", "").len(), 1, "scenarios of this game");
    assert!(offered(&folder, "lay", "")[0].ends_with("edge.toml"));
    assert_eq!(offered(&folder, "lay", scenarios.to_str().unwrap()), ["edge"]);
    has("seat", "", &["p1", "p2", "p3", "all"]);
    assert_eq!(
        has("seat", "p2", &["random", "person"]).len(),
        houserule::agent::KINDS.iter().map(|kind| 1 + kind.budgets.len()).sum::<usize>() + 1
    );
    assert_eq!(offered(&folder, "seat", "p2 random"), [""; 0]);
    has("help", "", &["undo", "cookbook", "rhai", "worker placement", "co-op", "auction sealed"]);
    assert_eq!(offered(&folder, "help", "worker"), ["placement"]);
    assert_eq!(offered(&folder, "help", "auction"), ["open", "sealed"]);
    has("help", "cookbook", &["trump", "worker placement"]);
    has("help", "rhai", &["loops", "limits"]);
    has("help", "files", &["zones"]);
}
