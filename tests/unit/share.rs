//! Packs: every text comes back byte for byte, nothing leads out of one, and what they rest on is looked at.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::contents::PackContents;
use super::paths::wrong;
use super::*;
use crate::definition::Library;
use crate::files::{Files, MemoryFiles};
use crate::games::shipped;
use crate::inspect::changes::{Changes, fingerprints, functions_at};
use crate::playthrough::Playable;
use crate::ruleset::Ruleset;
use crate::sorted::SortedSet;
use crate::table::chance::Stream;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const GAME: &str = "id = 'small'\nname = 'Small'\nversion = '1.2.0'\nplayers = { min = 2, max = 4 }\ndata.prize = 3\ntext.prize = 'prize'\n";
const RULES: &str =
    "/// All of it.\nfn game() { for p in players { gain(p); } }\n\nfn gain(p) { p.award(data.prize, \"prize\"); }\n";
const VARIANT: &str = "id = 'more'\ngame = 'small'\nname = 'More'\nversion = '1.0.0'\nauthor = 'Ada'\nlicence = 'CC0-1.0'\n\
                       data.prize = 4\n[script]\nrhai = '''\nfn gain(p) { super(p); super(p); }\n'''\n";

fn library(files: &[(&str, &str)]) -> Library {
    Library::of(Arc::new(MemoryFiles::new(files.iter().copied())), vec![PathBuf::new()])
}

fn small(game: &str, rules: &str) -> Library {
    library(&[
        ("games/small/game.toml", game),
        ("games/small/rules.rhai", rules),
        ("variants/small/more.toml", VARIANT),
    ])
}

fn playable(library: &Library, selection: &Selection) -> Playable {
    let ruleset = Ruleset::load(library, selection).unwrap_or_else(|errors| panic!("{errors}"));
    let players = ruleset.definition.players.0;
    Playable::compile(Arc::new(ruleset), players, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

fn packed(library: &Library, selection: Selection) -> Pack {
    let loaded = playable(library, &selection);
    let gathered = PackInput {
        rules_are_wanted: true,
        wanted: selection.variants.clone(),
        players: loaded.ruleset.definition.players.0,
        seed: 7,
        set: selection.set,
        texts: SortedMap::from([(folder_of_scenarios(&selection.game) + "one.toml", "id = '1'\n".to_owned())]),
        loaded: &loaded,
        files: library.files(),
    };
    gathered.pack().unwrap_or_else(|errors| panic!("{errors}"))
}

fn read(text: &str) -> Result<PackFile, Diagnostics> {
    Pack::parse(&Source::new("some.pack.toml", text))
}

/// The pack of `more`, with the game in it, as neither came with the program.
fn more() -> Pack {
    packed(&small(GAME, RULES), Selection::of("small").with("more"))
}

/// What is left of a function when blanks and comments do not count.
fn fingerprint_of(loaded: &Playable, name: &str) -> String {
    let number = loaded.functions.iter().position(|function| function.name == name).unwrap();
    fingerprints(loaded).swap_remove(number)
}

/// Some paths.
fn paths(paths: &[&str]) -> SortedSet<String> {
    paths.iter().map(|&path| path.to_owned()).collect()
}

/// A pack with more texts in it.
fn with(mut pack: Pack, files: &[(&str, &str)]) -> Pack {
    pack.files.extend(files.iter().map(|&(path, text)| RuleFile { path: path.to_owned(), text: text.to_owned() }));
    pack.files.sort_by(|one, other| one.path.cmp(&other.path));
    pack
}

/// Everything that a pack holds, where the game is that it is for.
fn reach_of(pack: &Pack) -> PackContents {
    let (path, file) = (PathBuf::from("some.pack.toml"), PackFile::unsaved(pack.clone()));
    let roots = vec![path.clone(), PathBuf::new()];
    let below = library(&[("games/small/game.toml", GAME), ("games/small/rules.rhai", RULES)]);
    let library = below.with_roots(|files| Arc::new(MountedPacks::new(files, [(path.clone(), &file)])), roots);
    PackContents::of(pack, &path, &library, &Arc::default())
}

/// The pack of `more`, as one would look whose game had come with the program: the game is not in it.
fn more_alone() -> Pack {
    let mut pack = more();
    let (game, files) = pack.files.into_iter().partition(|file| file.path.starts_with("games/"));
    let game: Vec<RuleFile> = game;
    let loaded = playable(&small(GAME, RULES), &Selection::of("small"));
    let was = fingerprint_of(&loaded, "gain");
    pack.files = files;
    pack.rests_on = vec![PackRequirement {
        path: "games/small/game.toml".to_owned(),
        version: Some(VersionReq::parse("^1.2.0").unwrap()),
        hash: gather::hash_of_texts(&game),
        functions: SortedMap::from([("gain/1".to_owned(), was)]),
    }];
    pack
}

#[test]
fn every_game_and_variant_that_is_shipped_comes_back_from_its_pack_byte_for_byte() {
    let library = shipped();
    let mut count = 0;
    for game in library.games() {
        let plain = Selection::of(&game.id);
        let variants = library.variants(&game.id).into_iter().map(|variant| plain.clone().with(&variant.id));
        for selection in std::iter::once(plain.clone()).chain(variants) {
            let name = selection.command("pack");
            let pack = packed(&library, selection);
            let text = pack.to_toml();
            let file = read(&text).unwrap_or_else(|errors| panic!("{name}: {errors}"));
            assert!(file.is_whole, "{name}");
            assert_eq!(file.pack, pack, "{name}");
            assert_eq!(file.pack.to_toml(), text, "{name}");
            let principal = pack.principal();
            let original = library.files().read(Path::new(&principal), "").unwrap();
            assert_eq!(file.pack.files.iter().find(|inside| inside.path == principal).unwrap().text, original.text);
            count += 1;
        }
    }
    assert!(count > 60, "only {count} were packed");
}

#[test]
fn a_pack_holds_what_was_asked_for_and_all_below_it_that_did_not_come_with_the_program() {
    let paths = |pack: &Pack| pack.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>();
    let scenario = "tests/scenarios/small/one.toml";
    assert_eq!(
        paths(&more()),
        ["games/small/game.toml", "games/small/rules.rhai", scenario, "variants/small/more.toml"]
    );
    assert!(more().rests_on.is_empty());
    let shipped = packed(&crate::shipped::library(), Selection::of("hearts").with("black-lady"));
    assert!(shipped.files.iter().all(|file| !file.path.starts_with("games/")), "{:?}", paths(&shipped));
    let rests_on: Vec<&str> = shipped.rests_on.iter().map(|required| &*required.path).collect();
    assert!(rests_on.contains(&"games/hearts/game.toml"), "{rests_on:?}");
}

#[test]
fn a_pack_says_of_itself_what_its_upmost_rules_say() {
    let pack = more();
    assert_eq!((&*pack.id, &*pack.name, &*pack.title()), ("small/more", "More", "small/more 1.0.0"));
    assert_eq!((pack.author.as_deref(), pack.licence.as_deref()), (Some("Ada"), Some("CC0-1.0")));
    assert_eq!(pack.file_name(), "small+more.pack.toml");
    // Who changes the head and the checksum too is found out all the same.
    let mut other = pack;
    other.author = Some("Somebody else".to_owned());
    let said = |pack: &Pack| read(&pack.to_toml()).unwrap_err()[0].message.clone();
    assert_eq!(
        said(&other),
        "the head of the pack gives the author `Somebody else`, and `variants/small/more.toml` in it `Ada`"
    );
    let name = Pack { name: "Harmless".to_owned(), ..more() };
    let lie = "the head of the pack gives the name `Harmless`, and `variants/small/more.toml` in it `More`";
    assert_eq!(said(&name), lie);
    // What a pack is called after is what it plays.
    let mut hidden = with(more(), &[("variants/small/evil.toml", EVIL)]);
    hidden.id = "small/evil".to_owned();
    let lie =
        "the pack is called `small/evil`, but the game that it recommends does not use `variants/small/evil.toml`";
    assert_eq!(said(&hidden), lie);
    let of_game = Pack { id: "small".to_owned(), ..more_alone() };
    assert_eq!(said(&of_game), "the pack is called `small`, and has no `games/small/game.toml` in it");
}

/// A variant that changes more than it says.
const EVIL: &str = "id = 'evil'\ngame = 'small'\nname = 'Evil'\ndata.prize = 100\n[script]\nrhai = '''\n\
                    fn gain(p) { note(\"super(p)\"); p.award(data.prize, \"prize\"); }\n'''\n";

#[test]
fn everything_that_a_pack_holds_is_shown_also_what_it_does_not_recommend() {
    let user = EVIL.replace("'small'\n", "'small'\nuses = ['tool']\n").replace("data.prize, ", "twice(1), ");
    let library = [("variants/small/evil.toml", &*user), ("scripts/tool.rhai", "fn twice(n) { n + n }\n")];
    for (files, layers) in [
        (&[][..], &["more"][..]),
        (&[("variants/small/evil.toml", EVIL)][..], &["more", "evil"][..]),
        (&library[..], &["more", "tool", "evil"][..]),
    ] {
        let pack = with(more_alone(), files);
        let contents = reach_of(&pack);
        assert!(contents.misnamed.is_none());
        let rules = contents.all().unwrap_or_else(|errors| panic!("{errors}"));
        let functions: Vec<_> = rules.iter().flat_map(|rules| Changes::of(*rules).functions).collect();
        let shown: Vec<&str> = functions.iter().map(|function| &*function.layer).collect();
        assert_eq!(shown, layers, "{files:?}");
        assert!(functions.iter().all(|function| function.calls_super == (function.layer == "more")), "{functions:?}");
        let values: Vec<_> = rules.iter().flat_map(|rules| Changes::of(*rules).values).collect();
        assert_eq!(values.len(), if files.is_empty() { 1 } else { 2 }, "{values:?}");
    }
}

#[test]
fn what_no_rules_of_a_pack_can_have_in_them_is_refused() {
    let nothing_uses = "which nothing in it uses";
    for (path, text, message) in [
        ("scripts/idle.rhai", "fn f() { }\n", nothing_uses),
        ("variants/small/idle.rhai", "fn f() { }\n", nothing_uses),
        ("games/small/rules.rhai", "fn game() { }\n", nothing_uses),
        ("variants/small/broken.toml", "id = 'broken'\ngame = 'small'\n", "`name`"),
        ("variants/small/evil.toml", "id = 'evil'\ngame = 'small'\nname = 'E'\nscript.rhai = 'fn f() { x }'\n", "`x`"),
        ("variants/other/evil.toml", "id = 'evil'\ngame = 'other'\nname = 'Evil'\n", "no game `other`"),
        ("variants/any/evil.toml", "id = 'evil'\ngames = ['other']\nname = 'Evil'\n", "is not a variant of `small`"),
        ("games/empty/game.toml", "id = 'empty'\nname = 'Empty'\nplayers = { min = 2, max = 2 }\n", "script"),
    ] {
        let pack = with(more_alone(), &[(path, text)]);
        let contents = reach_of(&pack);
        let told = contents.all().err().unwrap_or_else(|| panic!("{path} is not refused")).to_string();
        assert!(told.contains(message), "{path}: {told}");
        assert_eq!(repack(&PackFile::unsaved(pack.clone()), &contents).unwrap_err().to_string(), told);
    }
}

#[test]
fn a_pack_that_was_changed_is_made_anew_with_every_text_that_it_has() {
    let more_of_it = [
        ("variants/small/evil.toml", EVIL),
        ("tests/scenarios/small/two.toml", "id = '2'\n"),
        ("tests/scenarios/other/one.toml", "id = 'another 1'\n"),
        ("saves/one.toml", "format = 1\n"),
    ];
    for pack in [more(), more_alone(), with(more(), &more_of_it), with(more_alone(), &more_of_it)] {
        let made =
            repack(&PackFile::unsaved(pack.clone()), &reach_of(&pack)).unwrap_or_else(|errors| panic!("{errors}")).pack;
        assert_eq!(made, pack);
    }
    let saved = with(more(), &[("saves/game.toml", "format = 1\n"), ("tests/scenarios/small/game.toml", "id = '2'\n")]);
    assert_eq!(contents_summary(&saved), "1 game, 1 variant, 2 scenarios, 1 saved game");
    // What it says of itself is read from its rules again.
    let old = Pack { name: "Old".to_owned(), author: None, ..more_alone() };
    assert_eq!(repack(&PackFile::unsaved(old.clone()), &reach_of(&old)).unwrap().pack, more_alone());
}

#[test]
fn blanks_and_comments_alone_do_not_change_a_function() {
    let fingerprint = |body: &str| {
        let rules = format!("fn game() {{ for p in players {{ gain(p); }} }}\n\nfn gain(p) {{ {body}\n}}\n");
        fingerprint_of(&playable(&small(GAME, &rules), &Selection::of("small")), "gain")
    };
    let plain = r#"p.award(1, "prize");"#;
    for same in [
        "p.award( 1 ,\n    \"prize\" );",
        "// A prize.\n    p.award(1, \"prize\"); // and no more",
        "/* A prize\n   // of one. */ p.award(1, /* \" */ \"prize\");",
    ] {
        assert_eq!(fingerprint(same), fingerprint(plain), "{same}");
    }
    for (one, other) in [
        (r#"note("a  b");"#, r#"note("a b");"#),
        (r#"note("\"//a");"#, r#"note("\"//b");"#),
        (r#"note("/*a*/");"#, r#"note("/*b*/");"#),
        ("note(`a\n  b`);", "note(`a\nb`);"),
        ("note(`${1} a`);", "note(`${1}  a`);"),
        (r#"p.award(1, "prize");"#, r#"p.award(2, "prize");"#),
    ] {
        assert_ne!(fingerprint(one), fingerprint(other), "{one}");
    }
}

#[test]
fn every_change_of_the_text_is_noticed() {
    let text = more().to_toml();
    let start = text.find("id ").unwrap();
    for (at, letter) in text.char_indices().filter(|(at, _)| *at >= start) {
        let other = if letter == 'x' { 'y' } else { 'x' };
        let changed = format!("{}{other}{}", &text[..at], &text[at + letter.len_utf8()..]);
        let is_noticed = read(&changed).map_or(true, |file| file.whole().is_err());
        assert!(is_noticed, "{letter:?} at {at} as {other:?}:\n{changed}");
    }
    let file = read(&text.replace("data.prize = 4", "data.prize = 5")).unwrap();
    let told = file.whole().unwrap_err().to_string();
    assert!(told.contains("is not as it was made") && told.contains("houserule pack some.pack.toml"), "{told}");
}

#[test]
fn no_path_leads_out_of_a_pack_or_means_something_to_a_system() {
    for path in [
        "games/small/game.toml",
        "games/small/rules.rhai",
        "variants/small/more.toml",
        "variants/small/more.rhai",
        "scripts/trick.rhai",
        "tests/scenarios/small/U11.one_two-three.toml",
        "saves/last.toml",
    ] {
        assert_eq!(wrong(path), None, "{path}");
    }
    for path in [
        "/etc/passwd",
        "../game.toml",
        "games/../../game.toml",
        "games/./small/game.toml",
        "games//game.toml",
        "games/small/game.toml/",
        "games\\small\\game.toml",
        "C:/games/small/game.toml",
        "games/small/rules.rhai:stream",
        "games/small/other.toml",
        "games/Small/game.toml",
        "games/con/game.toml",
        "scripts/com1.rhai",
        "tests/scenarios/small/nul.toml",
        "tests/scenarios/small/.hidden.toml",
        "tests/scenarios/small/a b.toml",
        "tests/scenarios/small/a.toml\0",
        "tests/scenarios/small/dot..toml",
        "tests/scenarios/small/\u{202e}lmot.toml",
        "saves/deep/last.toml",
        "saves/last.rhai",
        "tests/unit.rs",
        ".git/config",
        "games/ｓmall/game.toml",
    ] {
        let wrong = wrong(path).unwrap_or_else(|| panic!("{path:?} is a path in a pack"));
        let mut pack = more();
        pack.files.push(RuleFile { path: path.to_owned(), text: String::new() });
        let errors = read(&pack.to_toml()).unwrap_err();
        assert!(errors.iter().any(|error| error.render(false).contains(wrong)), "{path:?}: {errors}");
    }
}

#[test]
fn two_texts_of_one_path_are_refused_also_where_their_case_alone_differs() {
    let mut pack = more();
    for path in ["saves/last.toml", "saves/LAST.toml"] {
        pack.files.push(RuleFile { path: path.to_owned(), text: "x".to_owned() });
    }
    let errors = read(&pack.to_toml()).unwrap_err();
    assert!(errors.to_string().contains("another text has it already"), "{errors}");
}

#[test]
fn a_pack_is_bounded() {
    let with = |count: usize, text: &str| {
        let mut pack = more();
        let path = |number| format!("scripts/s{number}.rhai");
        pack.files.extend((0..count).map(|number| RuleFile { path: path(number), text: text.to_owned() }));
        read(&pack.to_toml())
    };
    assert!(with(MAX_FILES - 4, "").is_ok());
    assert!(with(MAX_FILES - 3, "").unwrap_err().to_string().contains("more than 300 texts"));
    assert!(with(1, &"x".repeat(MAX_SOURCE_BYTES + 1)).unwrap_err().to_string().contains("longer than"));
    let large = "x".repeat(MAX_SOURCE_BYTES - 1);
    assert!(with(MAX_BYTES as usize / large.len() + 1, &large).unwrap_err().to_string().contains("larger than"));
}

#[test]
fn another_format_and_what_is_no_pack_are_told() {
    let text = more().to_toml();
    let said = |text: &str| read(text).unwrap_err().to_string();
    assert!(said(&text.replace("pack      = 1", "pack      = 2")).contains("a newer Houserule made it"));
    assert!(said(&text.replace("pack      = 1", "pack      = 'one'")).contains("this is not a format of packs"));
    assert!(said("x = 1\n").contains("is not a pack: it has no key `pack`"));
    let mut later = more();
    later.houserule = VersionReq::parse("^99.0").unwrap();
    let told = read(&later.to_toml()).unwrap().pack.check_houserule().unwrap_err().to_string();
    assert!(told.contains("this pack is for Houserule ^99.0, and this is "), "{told}");
}

/// Texts of letters that mean something to TOML, in every field that takes any.
#[test]
fn whatever_texts_a_pack_has_come_back() {
    let letters = "'\"\\\n\r\ta\0\u{7f}\u{202e}\u{feff}\u{ad}\u{fe0f}\u{e0041}日#[=".chars().collect::<Vec<_>>();
    let mut stream = Stream::named(11, "texts", 0);
    for _ in 0..300 {
        let mut text = |most| {
            let length = stream.below(most);
            (0..length).map(|_| letters[stream.below(letters.len())]).collect::<String>()
        };
        let mut pack = more_alone();
        pack.name = text(20);
        // The head says what the rules say.
        let own = format!("name = {}", crate::diagnostic::toml_string(&pack.name));
        let variant = pack.files.iter_mut().find(|file| file.path == "variants/small/more.toml").unwrap();
        variant.text = variant.text.replace("name = 'More'", &own);
        pack.play.selection.set = vec![format!("{}x", text(20)), format!("x{}", text(3))];
        pack.rests_on[0].hash = format!("x{}", text(5));
        pack.files.push(RuleFile { path: "scripts/a.rhai".to_owned(), text: text(60) });
        pack.files.push(RuleFile { path: "scripts/b.rhai".to_owned(), text: text(4) });
        let written = pack.to_toml();
        let is_harmless = |(character, hides): (char, bool)| "\n\t".contains(character) || !hides;
        assert!(crate::diagnostic::classify_chars(&written).all(is_harmless), "{written:?}");
        // A name has to say something; the others may be anything.
        if !pack.name.trim().is_empty() {
            let file = read(&written).unwrap_or_else(|errors| panic!("{errors}\n{written}"));
            assert_eq!(file.pack, pack);
        }
    }
}

#[test]
fn a_library_looks_into_packs_and_errors_name_the_line_of_the_pack() {
    let mut pack = more();
    for file in &mut pack.files {
        file.text = file.text.replace("super(p); super(p);", "super(p); supper(p);");
    }
    let text = pack.to_toml();
    let file = read(&text).unwrap();
    let path = PathBuf::from("mail/some.pack.toml");
    let files: Arc<dyn Files> = Arc::new(MountedPacks::new(Arc::new(MemoryFiles::default()), [(path.clone(), &file)]));
    assert_eq!(
        files.list(&path.join("games")).iter().map(|one| &*one.path).collect::<Vec<_>>(),
        [path.join("games/small")]
    );
    assert!(!files.exists(&path.join("games/other/game.toml")) && !files.exists(Path::new("games/small/game.toml")));
    let library = Library::of(files, vec![path]);
    let ruleset = Ruleset::load(&library, &Selection::of("small").with("more")).unwrap();
    let errors = Playable::compile(Arc::new(ruleset), 2, Arc::default()).err().unwrap();
    let line = text.lines().position(|line| line.contains("supper")).unwrap() + 1;
    assert!(errors[0].render(false).contains(&format!("some.pack.toml:{line}:")), "{errors}");
}

#[test]
fn a_pack_tells_what_it_changes_beside_what_stood_there() {
    let library = small(GAME, RULES);
    let loaded = playable(&library, &Selection::of("small").with("more"));
    let changes = Changes::of((&loaded, &paths(&["variants/small/more.toml"])));
    let [function] = &changes.functions[..] else { panic!("{changes:?}") };
    assert_eq!((&*function.usage, function.calls_super), ("gain(p)", true));
    assert_eq!(function.now.as_deref(), Some("fn gain(p) { super(p); super(p); }"));
    let stood = function.was.as_ref().unwrap();
    assert_eq!((&*stood.layer, &*stood.text), ("game", "fn gain(p) { p.award(data.prize, \"prize\"); }"));
    let [value] = &changes.values[..] else { panic!("{changes:?}") };
    assert_eq!((&*value.path, value.was.as_deref(), value.now.as_deref()), ("data.prize", Some("3"), Some("4")));
}

#[test]
fn two_versions_of_a_pack_differ_in_functions_and_values() {
    let selection = Selection::of("small").with("more");
    let more = paths(&["variants/small/more.toml"]);
    let old = playable(&small(GAME, RULES), &selection);
    let newer = VARIANT.replace("super(p); super(p);", "super(p);").replace("data.prize = 4", "text.hello = 'hello'");
    let newer = format!("{newer}\n").replace("'''\nfn gain", "'''\nfn other() { }\nfn gain");
    let files =
        [("games/small/game.toml", GAME), ("games/small/rules.rhai", RULES), ("variants/small/more.toml", &newer)];
    let new = playable(&library(&files), &selection);
    let changes = Changes::between(&[(&old, &more)], &[(&new, &more)]);
    let functions: Vec<(&str, bool)> =
        changes.functions.iter().map(|function| (&*function.usage, function.was.is_some())).collect();
    assert_eq!(functions, [("gain(p)", true), ("other()", false)]);
    let values: Vec<(&str, Option<&str>, Option<&str>)> =
        changes.values.iter().map(|value| (&*value.path, value.was.as_deref(), value.now.as_deref())).collect();
    assert_eq!(values, [("text.hello", None, Some("\"hello\"")), ("data.prize", Some("4"), None)]);
    assert!(Changes::between(&[(&old, &more)], &[(&old, &more)]).is_nothing());
    // Blanks in a text are a part of it.
    let spaced = |text: &str| GAME.replace("'prize'", text);
    let game = paths(&["games/small/game.toml"]);
    let [one, other] = ["'a  b'", "'a b'"].map(|text| playable(&small(&spaced(text), RULES), &Selection::of("small")));
    assert_eq!(Changes::between(&[(&one, &game)], &[(&other, &game)]).values.len(), 1);
}

#[test]
fn a_pack_made_for_other_rules_says_function_by_function_what_no_longer_fits() {
    let pack = more_alone();
    let said = |library: Library| -> Vec<String> {
        let told = fit::differences(&pack, &library, &Arc::default());
        told.into_iter().map(|one| one.message.to_string()).collect()
    };
    let rules = |text: &str| said(small(GAME, text));
    assert!(rules(RULES).is_empty());
    assert_eq!(
        rules(&RULES.replace("award(data.prize, \"prize\")", "award(2 * data.prize, \"prize\")")),
        ["`gain(p)` of the game `small` has changed since the pack was made"]
    );
    // Comments and blanks are no change of a function, though they are one of the file.
    assert_eq!(
        rules(&RULES.replace("fn gain(p) { p", "fn gain(p) {\n    // A prize.\n    p")),
        ["the game `small` has changed since the pack was made"]
    );
    assert_eq!(
        rules("fn game() { for p in players { gain(p, 1); } }\nfn gain(p, count) { p.award(count, \"prize\"); }\n"),
        ["the pack overrides `gain` with 1 parameters, and the game `small` has `gain(p, count)` now"]
    );
    assert_eq!(
        rules("fn game() { for p in players { p.award(1, \"prize\"); } }\n"),
        ["the pack overrides `gain` with 1 parameters, which the game `small` does not have any more"]
    );
    assert_eq!(
        said(small(&GAME.replace("1.2.0", "2.0.0"), RULES)),
        ["the pack is for the game `small` in version ^1.2.0, and the one here is version 2.0.0"]
    );
    assert_eq!(said(library(&[])), ["the pack rests on the game `small`, which is not here"]);
}

#[test]
fn what_a_pack_overrides_is_compared_wherever_the_rules_can_be_read() {
    const TRICK: &str = "fn gain(p) { p.award(data.prize, \"prize\"); }\n";
    let game = format!("{GAME}uses = ['trick']\n");
    let rules = "fn game() { for p in players { gain(p); } }\nfn gain(p) { super(p); super(p); }\n";
    let path = "scripts/trick.rhai";
    let whole = library(&[("games/small/game.toml", &game), ("games/small/rules.rhai", rules), (path, TRICK)]);
    let mut pack = packed(&whole, Selection::of("small"));
    // The library stays at home, as if it had come with the program.
    let (trick, files): (Vec<RuleFile>, Vec<RuleFile>) = pack.files.into_iter().partition(|file| file.path == path);
    let functions = functions_at(&playable(&whole, &Selection::of("small")).ruleset, path, &Arc::default()).unwrap();
    let functions = functions.into_iter().map(|(_, fingerprint)| ("gain/1".to_owned(), fingerprint)).collect();
    pack.files = files;
    let hash = gather::hash_of_texts(&trick);
    pack.rests_on = vec![PackRequirement { path: path.to_owned(), version: None, hash, functions }];
    let of_library = |text: &str| told_of(&pack, library(&[(path, text)]));
    assert!(of_library(TRICK).is_empty());
    let others = of_library(&TRICK.replace("data.prize,", "9,"));
    assert_eq!(
        others,
        ["`gain(p)` of the library `trick` has changed since the pack was made: \
        the pack overrides it: check whether it still means the same"]
    );
    let same =
        "the library `trick` has changed since the pack was made: no function that the pack overrides has changed";
    assert_eq!(of_library(&format!("// It is new.\n{TRICK}")), [same]);
    // Whether the rules around it compile says nothing about a function.
    assert_eq!(of_library(&format!("{TRICK}fn other() {{ nowhere(); }}\n")), [same]);
    let not_known = "the library `trick` has changed since the pack was made: the rules here cannot be read, so it is \
        not known whether a function that the pack overrides has changed";
    assert_eq!(of_library(&TRICK.replace("}", "")), [not_known]);

    let of_game = |text: &str| told_of(&more_alone(), small(GAME, text));
    let broken = RULES.replace("{ gain(p); }", "{ gain(p); nowhere(); }");
    assert_eq!(of_game(&broken), [same.replace("library `trick`", "game `small`")]);
    assert!(of_game(&broken.replace("data.prize,", "9,"))[0].starts_with("`gain(p)` of the game `small` has changed"));
    assert_eq!(
        of_game(&RULES.replace("fn game()", "fn game(")),
        [not_known.replace("library `trick`", "game `small`")]
    );
}

/// What is told of a pack where these rules are, each thing with its help.
fn told_of(pack: &Pack, below: Library) -> Vec<String> {
    let (path, file) = (PathBuf::from("some.pack.toml"), PackFile::unsaved(pack.clone()));
    let roots = std::iter::once(path.clone()).chain(below.roots().iter().cloned()).collect();
    let library = below.with_roots(|files| Arc::new(MountedPacks::new(files, [(path.clone(), &file)])), roots);
    let told = fit::differences(pack, &library, &Arc::default());
    told.into_iter().map(|one| format!("{}: {}", one.message, one.help.join(": "))).collect()
}
