//! Games laid over games, variants for several games, and what is taken away.

use crate::shared::small_game;
use houserule::agent::Random;
use houserule::definition::Library;
use houserule::diagnostic::Diagnostics;
use houserule::files::MemoryFiles;
use houserule::ruleset::{Ruleset, Selection};
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use houserule::table::value::Seat;
use std::path::PathBuf;
use std::sync::Arc;

const BELOW: &str = r#"
id = "below"
name = { en = "Below" }
players = { min = 2, max = 4 }
uses = ["points"]
settings.bonus.default = 1
data = { hand = 3 }
variables.pot = { default = 4 }
zones.deck = { name = { en = "deck" }, order = "pile", visible = "none" }
zones.market = { name = { en = "market" }, order = "row", visible = "all" }
components.card = { kind = "card", id = "{number}", attributes = { number = { from = 1, to = 9 } } }
text = { total = "total" }
"#;

const BELOW_RULES: &str = "
fn game() { players[1].award(worth() + settings.bonus, \"total\"); }
fn worth() { data.hand * 10 }
";

const ABOVE: &str = r#"
id = "above"
name = { en = "Above" }
base = "below"
players.max = 3
data.hand = 5
remove = ["zones.market"]
settings.extra.default = 200
"#;

const ABOVE_RULES: &str = "fn worth() { super() + settings.extra }";

/// What the first player has at the end.
fn score(files: &[(&str, &str)], game: &str, variants: &[&str], set: &[&str]) -> Result<i64, Diagnostics> {
    let ruleset = load(files, game, variants, set)?;
    let rules = Rules::new(ruleset, 2, Arc::default())?;
    let (run, end) = rules.play(&Start::Game, 1, &mut Random::new(1), None);
    assert_eq!(end, End::Finished);
    Ok(run.table.score(Seat::from_number(1).unwrap()))
}

fn load(files: &[(&str, &str)], game: &str, variants: &[&str], set: &[&str]) -> Result<Arc<Ruleset>, Diagnostics> {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let selection = Selection { game: game.to_owned(), variants: owned(variants), set: owned(set) };
    let all = [
        ("games/below/game.toml", BELOW),
        ("games/below/rules.rhai", BELOW_RULES),
        ("games/above/game.toml", ABOVE),
        ("games/above/rules.rhai", ABOVE_RULES),
        ("scripts/points.rhai", "fn point() { 1 }"),
        (
            "variants/below/double.toml",
            "id = \"double\"\nname = \"Double\"\ngame = \"below\"\n[script]\nrhai = 'fn worth() { 2 * super() }'",
        ),
    ];
    let files: Vec<(&str, &[u8])> = all
        .iter()
        .filter(|(path, _)| !files.iter().any(|(other, _)| other == path))
        .chain(files)
        .map(|(path, text)| (*path, text.as_bytes()))
        .collect();
    small_game::ruleset(&selection, &files)
}

#[test]
fn a_game_has_all_of_the_game_below_that_it_does_not_change() {
    assert_eq!(score(&[], "below", &[], &[]).unwrap(), 31);
    assert_eq!(score(&[], "above", &[], &[]).unwrap(), 251);
    let ruleset = load(&[], "above", &[], &[]).unwrap();
    assert_eq!((&*ruleset.game.id, ruleset.definition.players, &*ruleset.definition.game), ("above", (2, 3), "above"));
    let zones: Vec<&str> = ruleset.definition.zones.iter().map(|zone| &*zone.id).collect();
    assert_eq!(zones, ["deck"]);
}

/// Each layer reads its own settings, and all of them can be set.
#[test]
fn settings_belong_to_the_game_that_declares_them() {
    assert_eq!(score(&[], "above", &[], &["below.bonus=7", "above.extra=0"]).unwrap(), 57);
}

#[test]
fn variants_of_the_game_below_go_with_the_game_above() {
    assert_eq!(score(&[], "above", &["double"], &[]).unwrap(), 501);
    let library = |files: &[(&'static str, &'static str)]| {
        let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
        Library::of(Arc::new(MemoryFiles::new(files)), vec![PathBuf::new()])
    };
    let files = [
        ("games/below/game.toml", BELOW),
        ("games/below/rules.rhai", BELOW_RULES),
        ("games/above/game.toml", ABOVE),
        ("variants/below/double.toml", "id = \"double\"\nname = \"Double\"\ngame = \"below\"\n"),
        ("variants/above/own.toml", "id = \"own\"\nname = \"Own\"\ngame = \"above\"\n"),
        ("variants/any/points.toml", "id = \"points\"\nname = \"Points\"\ngames_using = \"points\"\n"),
        ("variants/any/other.toml", "id = \"other\"\nname = \"Other\"\ngames = [\"elsewhere\"]\n"),
    ];
    let ids = |game: &str| -> Vec<String> { library(&files).variants(game).into_iter().map(|one| one.id).collect() };
    assert_eq!(ids("above"), ["double", "own", "points"]);
    assert_eq!(ids("below"), ["double", "points"]);
}

#[test]
fn one_variant_goes_with_several_games_or_with_all_that_use_a_library() {
    let rules = "[script]\nrhai = 'fn worth() { 1000 + super() }'";
    for fits in ["games = [\"below\"]", "games = [\"above\"]", "games_using = \"points\""] {
        let text = format!("id = \"more\"\nname = \"More\"\n{fits}\n{rules}");
        assert_eq!(score(&[("variants/any/more.toml", &text)], "above", &["more"], &[]).unwrap(), 1251, "{fits}");
    }
    let text = format!("id = \"more\"\nname = \"More\"\ngames = [\"above\"]\n{rules}");
    let error = score(&[("variants/any/more.toml", &text)], "below", &["more"], &[]).unwrap_err();
    assert_eq!(error.first().message, "`more` is not a variant of `below`");
    assert_eq!(error.first().place.as_ref().unwrap().label, "a variant of `above`");
}

/// The rules that a saved game carries have every game that lies below.
#[test]
fn the_games_below_are_part_of_the_rules() {
    let ruleset = load(&[], "above", &["double"], &[]).unwrap();
    let paths: Vec<String> = ruleset.files(true).into_iter().map(|file| file.path).collect();
    for path in
        ["games/below/game.toml", "games/below/rules.rhai", "games/above/game.toml", "variants/below/double.toml"]
    {
        assert!(paths.iter().any(|known| known == path), "{path} in {paths:?}");
    }
    let changed = BELOW_RULES.replace("* 10", "* 11");
    let other = load(&[("games/below/rules.rhai", &changed)], "above", &["double"], &[]).unwrap();
    assert_ne!(ruleset.hash, other.hash);
}

fn told(files: &[(&str, &str)], game: &str, variants: &[&str]) -> String {
    let error = load(files, game, variants, &[]).unwrap_err();
    let first = error.first();
    let label = first.place.as_ref().map_or("nowhere", |place| &place.label);
    format!("{} ({label}) {}", first.message, first.help.join("; "))
}

#[test]
fn what_cannot_be_is_told() {
    let above = |line: &str| ABOVE.replace("base = \"below\"", line);
    assert!(
        told(&[("games/above/game.toml", &above("base = \"belwo\""))], "above", &[])
            .starts_with("there is no game `belwo`")
    );
    assert_eq!(
        told(&[("games/above/game.toml", &above("base = \"above\""))], "above", &[]),
        "`above` is based on itself (based on this one) "
    );
    let circle = format!("base = \"above\"\n{BELOW}");
    assert_eq!(
        told(&[("games/below/game.toml", &circle)], "above", &[]),
        "`above` is based on itself (based on this one) "
    );
    let gone = ABOVE.replace("zones.market", "zones.markt");
    assert_eq!(
        told(&[("games/above/game.toml", &gone)], "above", &[]),
        "`zones` has no `markt` to take away (removed here) did you mean `market`?"
    );
    let both = "id = \"both\"\nname = \"Both\"\ngame = \"below\"\ngames = [\"below\"]\n";
    assert!(
        told(&[("variants/below/both.toml", both)], "below", &["both"])
            .starts_with("a variant is for one `game`, or for several")
    );
    let any = "id = \"any-one\"\nname = \"Any\"\ngame = \"any\"\n";
    let said = told(&[("variants/below/any-one.toml", any)], "below", &["any-one"]);
    assert!(said.starts_with("`any` is no game (one game is named here) a variant for several games names"), "{said}");
    let lost = "id = \"lost\"\nname = \"Lost\"\ngames = [\"below\"]\n";
    assert_eq!(
        told(&[("variants/below/lost.toml", lost)], "below", &["lost"]),
        "`lost` is among the variants of `below` (a variant of `below`) a variant for several games belongs in `variants/any/`"
    );
}
