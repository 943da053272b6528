//! Rulebooks that people have written: what they say of a stack of rules, what of them is found to be wrong, and that they
//! change no rule.

use houserule::definition::{Language, Library};
use houserule::files::MemoryFiles;
use houserule::playthrough::Playable;
use houserule::playthrough::change::running_score;
use houserule::prose::{Book, Examples, Filler, Passage, Piece, findings};
use houserule::ruleset::{Ruleset, Selection};
use houserule::scenario::Scenario;
use houserule::table::value::Seats;
use std::path::Path;
use std::sync::Arc;

const GAME: &str = "id = 'small'\nname = 'Small'\nplayers = { min = 2, max = 3 }\ndata.hand_size = 7\n\
    data.goal = { 2 = 20, 3 = 15 }\nzones.deck = { name = { en = 'deck', ja = '山札' }, order = 'pile', visible = 'none' }\n\
    components.card = { kind = 'card', id = 'c{copy}', copies = 9 }\n";

const RULES: &str = "fn game() { for p in players { turn(p); } }\nfn turn(p) { if p.may(\"go\") { pay(p); } }\n\
    private fn pay(p) { p.award(data.hand_size, \"going\"); }\n";

const BOOK: &str = "[[rulebook]]\nid = 'turn'\ntitle = { en = 'Your turn', ja = '手番' }\ntells = ['turn']\n\
    text.en = 'Take {data.hand_size} of the {zones.deck}.'\ntext.ja = '{zones.deck}から{data.hand_size}枚取る。'\n\n\
    [[rulebook]]\nid = 'end'\ntitle = { en = 'The end', ja = '終わり' }\ntext.en = '{data.goal}'\ntext.ja = '{data.goal}'\n\n\
    [names.data]\ngoal = { en = 'Goal', ja = '目標' }\n";

fn library(files: &[(&str, &str)]) -> Library {
    let own = [("games/small/game.toml", GAME), ("games/small/rules.rhai", RULES)];
    let kept = own.iter().filter(|(path, _)| files.iter().all(|(other, _)| other != path));
    Library::of(Arc::new(MemoryFiles::new(kept.chain(files).copied())), vec!["".into()])
}

fn loaded(library: &Library, variants: &[&str]) -> Playable {
    let selection = variants.iter().fold(Selection::of("small"), |selection, variant| selection.with(variant));
    let ruleset = Ruleset::load(library, &selection).unwrap_or_else(|errors| panic!("{errors}"));
    Playable::compile(Arc::new(ruleset), 2, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// What is found of the topmost layer, each by its kind and its words.
fn found(files: &[(&str, &str)], variants: &[&str]) -> Vec<String> {
    let library = library(files);
    let found = findings(&loaded(&library, variants), &library).unwrap_or_else(|errors| panic!("{errors}"));
    found.iter().map(|one| format!("{}: {}", one.code.map_or("", |code| code.name), one.message)).collect()
}

/// The chapters of a stack in a language, as text; behind what variants changed, their numbers.
fn read(files: &[(&str, &str)], variants: &[&str], language: Language, players: Option<usize>) -> String {
    let library = library(files);
    let loaded = loaded(&library, variants);
    let book = Book::of(&loaded.ruleset).unwrap_or_else(|errors| panic!("{errors}"));
    let filler = Filler { loaded: &loaded, book: &book, language, players };
    let text =
        |pieces: &[Piece]| pieces.iter().map(|piece| format!("{}{:?}", piece.text, piece.by)).collect::<String>();
    let mut out = String::new();
    for chapter in &book.chapters {
        out.push_str(&format!("# {}\n", filler.title(chapter)));
        for part in &chapter.parts {
            for passage in filler.passages(&part.section.text.text, &part.layer).unwrap() {
                out.push_str(&match passage {
                    Passage::Paragraph(pieces) | Passage::Heading(pieces) => text(&pieces),
                    Passage::List { items, .. } => items.iter().map(|item| text(item)).collect(),
                    Passage::Table(rows) => rows.iter().flatten().map(|cell| text(cell) + "|").collect(),
                    Passage::Faces(group) => format!("faces {group}"),
                });
                out.push('\n');
            }
        }
    }
    out.replace("[]", "")
}

#[test]
fn places_are_filled_from_the_rules_and_changes_are_marked() {
    let files = [
        ("games/small/rulebook.toml", BOOK),
        ("variants/small/long.toml", "id = 'long'\ngame = 'small'\nname = 'Long'\ndata.hand_size = 9\n"),
    ];
    let english = "# Your turn\nTake 7 of the deck.\n# The end\nPlayers|2|3|Goal|20|15|\n";
    assert_eq!(read(&files, &[], Language::English, None), english);
    let japanese = "# 手番\n山札から7枚取る。\n# 終わり\n目標：15\n";
    assert_eq!(read(&files, &[], Language::Japanese, Some(3)), japanese);
    let long = read(&files, &["long"], Language::English, None);
    assert!(long.contains("Take 9[0] of the deck."), "{long}");
    // What players have is meant, not what is left of it in the bank.
    let rich = "id = 'rich'\ngame = 'small'\nname = 'Rich'\n\
        variables.coins = { per = 'seat', default = 2, bank = 40, name = 'gold' }\n\n\
        [[rulebook]]\nid = 'more'\nadds_to = 'turn'\ntext = 'Pay {variables.coins}.'\n";
    let files = [("games/small/rulebook.toml", BOOK), ("variants/small/rich.toml", rich)];
    let rich = read(&files, &["rich"], Language::English, None);
    assert!(rich.contains("Pay gold") && !rich.contains("bank"), "{rich}");
}

#[test]
fn a_variant_replaces_adds_to_and_puts_in_sections() {
    let variant = "id = 'other'\ngame = 'small'\nname = 'Other'\n\n\
        [[rulebook]]\nid = 'end'\ntitle = 'Never'\ntext = 'It never ends.'\n\n\
        [[rulebook]]\nid = 'more'\nadds_to = 'turn'\ntext = 'And one more.'\n\n\
        [[rulebook]]\nid = 'first'\nbefore = 'turn'\ntitle = 'First'\ntext = 'Sit down.'\n\n\
        [[rulebook]]\nid = 'then'\nafter = 'turn'\ntitle = 'Then'\ntext = 'Stand up.'\n\n\
        [[rulebook]]\nid = 'last'\ntitle = 'Last'\ntext = 'Go.'\n";
    let files = [("games/small/rulebook.toml", BOOK), ("variants/small/other.toml", variant)];
    assert_eq!(
        read(&files, &["other"], Language::English, None),
        "# First\nSit down.\n# Your turn\nTake 7 of the deck.\nAnd one more.\n# Then\nStand up.\n# Never\nIt never ends.\n\
         # Last\nGo.\n"
    );
    let library = library(&files);
    let book = Book::of(&loaded(&library, &["other"]).ruleset).unwrap();
    assert_eq!(book.chapter("end").unwrap().replaced.len(), 1);
    assert_eq!(book.chapter_of_function("turn").unwrap().id, "turn");
    assert_eq!(found(&files, &["other"]), Vec::<String>::new());
}

#[test]
fn prose_has_no_part_in_the_hash_wherever_it_stands() {
    let hash = |files: &[(&str, &str)], variants: &[&str]| loaded(&library(files), variants).ruleset.hash.clone();
    let plain = hash(&[], &[]);
    assert_eq!(hash(&[("games/small/rulebook.toml", BOOK)], &[]), plain);
    assert_eq!(hash(&[("games/small/game.toml", &format!("{GAME}\n\n{BOOK}"))], &[]), plain);

    let variant = |text: &str| hash(&[("variants/small/v.toml", text)], &["v"]);
    let head = "id = 'v'\ngame = 'small'\nname = 'V'\n";
    let tail = "# More.\n[data]\nextra = 1\n\n[text]\n# [[rulebook]]\nwhy = '''\n[[rulebook]]\n'''\n";
    let plain = variant(&format!("{head}\n{tail}"));
    let between = "[[rulebook]]\nid = 'a'\ntitle = 'A'\ntext = '''\n[data]\n# No table.\n'''\n\n[names.data]\nextra = 'Extra'\n\n";
    assert_eq!(variant(&format!("{head}\n{between}{tail}")), plain);
    assert_eq!(variant(&format!("{head}\n{tail}\n{between}")), plain);
    assert_ne!(variant(&format!("{head}\n{tail}more = 'x'\n")), plain);
}

#[test]
fn what_rots_is_found_and_a_game_without_a_rulebook_is_left_alone() {
    let of = |book: &str| found(&[("games/small/rulebook.toml", book)], &[]);
    assert_eq!(found(&[], &[]), Vec::<String>::new());
    assert_eq!(of(BOOK), Vec::<String>::new());
    let with = |old: &str, new: &str| {
        assert!(BOOK.contains(old), "{old}");
        of(&BOOK.replacen(old, new, 1))
    };
    assert_eq!(
        with("tells = ['turn']", "tells = []"),
        [
            "untold-rule: `turn` asks a player, and no section of the rulebook tells it",
            "untold-rule: `pay` gives points, and no section of the rulebook tells it",
        ]
    );
    assert_eq!(
        with("['turn']", "['turn', 'trun']"),
        ["stale-rulebook: the section `turn` tells a function that is not there: `trun`"]
    );
    assert_eq!(
        with("tells = ['turn']", "tells = ['turn']\nexamples = ['X1']"),
        ["stale-rulebook: there is no scenario `X1`"]
    );
    assert_eq!(with("{zones.deck}.", "{zones.dekc}."), ["stale-rulebook: there is no zone `dekc`"]);
    assert_eq!(with("{zones.deck}.", "{zones.deck."), ["stale-rulebook: the brace of `{zones.deck.` is not closed"]);
    assert_eq!(with("{zones.deck}.", "{data}."), ["stale-rulebook: `{data}` is no place of the rules"]);
    // The book ends with the names of entries of the data.
    for (name, said) in [
        ("hnad_size", "there is no entry of the data `hnad_size`"),
        ("\n[names.attributes]\ncolour", "there is no attribute `colour`"),
        ("\n[names.components]\ncards", "there is no group of components `cards`"),
    ] {
        assert_eq!(of(&format!("{BOOK}{name} = 'Name'\n")), [format!("stale-rulebook: {said}")]);
    }
    assert_eq!(with("{zones.deck}.", "{zones.deck} { and {{x."), Vec::<String>::new());
    assert_eq!(
        with("id = 'end'", "id = 'end'\nafter = 'nowhere'"),
        ["stale-rulebook: the section `end` goes to one that is not there: `nowhere`"]
    );
    assert_eq!(with("id = 'end'", "id = 'end'\nadds_to = 'turn'"), ["stale-rulebook: the title of `end` is not shown"]);
    let written = "written-number: 7 is written out, and `data.hand_size` has it";
    assert_eq!(with("Take {data.hand_size}", "Take 7"), [written]);
    assert_eq!(of(&BOOK.replace("{data.hand_size}", "{7}")), Vec::<String>::new());
    let only = "untranslated-rulebook: `{data.hand_size}` is only in the English text of `turn`";
    assert_eq!(with("{data.hand_size}枚", "何枚か"), [only]);
    let of_lists = |en: &str, ja: &str| {
        let ends = "text.en = '{data.goal}'\ntext.ja = '{data.goal}'\n";
        with(ends, &format!("text.en = \"\"\"\n{en}\"\"\"\ntext.ja = \"\"\"\n{ja}\"\"\"\n"))
    };
    let shorter = "untranslated-rulebook: `end` has 2 numbered items in English and 1 in Japanese";
    assert_eq!(of_lists("1. a\n2. b\n", "1. a\n"), [shorter]);
    assert_eq!(of_lists("- a\n- b\n", "- a\n"), Vec::<String>::new());
    let lacking = "untranslated-rulebook: the section `end` has no text in Japanese";
    assert_eq!(with("text.ja = '{data.goal}'\n", ""), [lacking]);
}

#[test]
fn a_rulebook_that_is_broken_stops_no_game() {
    let two = "[[rulebook]]\nid = 'a'\ntitle = 'A'\ntext = 'a'\n";
    for (book, words) in [
        ("[[rulebook]]\nid = 'a'\n", "`title` of `rulebook[0]` is missing"),
        ("rulebook = 3\n", "`rulebook` must be an array"),
        (&*two.repeat(2), "two sections"),
        (&*format!("{two}before = 'b'\nafter = 'c'\n"), "one place alone"),
        ("[[rulebook]\n", "not TOML"),
        ("colour = 'red'\n", "unknown key `colour`"),
    ] {
        let library = library(&[("games/small/rulebook.toml", book)]);
        let loaded = loaded(&library, &[]);
        let errors = findings(&loaded, &library).unwrap_err().to_string();
        assert!(errors.contains(words), "{words}\n{errors}");
    }
}

#[test]
fn what_a_section_lacks_is_told_at_that_section() {
    let book = "[[rulebook]]\nid = 'a'\ntitle = 'A'\ntext = 'a'\n\n[[rulebook]]\nid = 'b'\ntitle = 'B'\n";
    let library = library(&[("games/small/rulebook.toml", book)]);
    let errors = findings(&loaded(&library, &[]), &library).unwrap_err();
    let place = errors.first().place.clone().unwrap();
    assert_eq!(place.source.position(place.span.start).0, 6, "{errors}");
}

#[test]
fn an_example_that_is_not_so_is_refused() {
    let book = BOOK.replacen("tells = ['turn']", "tells = ['turn']\nexamples = ['S1']", 1);
    for (score, is_so) in [(7, true), (8, false)] {
        let scenario = format!(
            "id = 'S1'\ntitle = 'It pays'\ngame = 'small'\nplayers = 2\n[when]\ncall = 'turn(p1)'\n[[then]]\nchoose = 'yes'\n\
             [[then]]\nvariables.p1.score = {score}\n"
        );
        let files = [("games/small/rulebook.toml", &*book), ("tests/scenarios/small/s1.toml", &scenario)];
        let library = library(&files);
        let loaded = loaded(&library, &[]);
        let prose = Book::of(&loaded.ruleset).unwrap();
        let example = &prose.chapter("turn").unwrap().parts[0].section.examples[0];
        match Examples::of(&loaded, &library).play(example) {
            Ok(played) => {
                let played = played.unwrap();
                assert!(is_so);
                assert_eq!(played.before.len(), 1);
                assert_eq!(played.after.position().scores, [7, 0]);
            }
            Err(errors) => assert!(!is_so && errors.to_string().contains("the example S1"), "{errors}"),
        }
    }
}

#[test]
fn an_example_is_shown_under_the_rules_that_were_chosen_or_not_at_all() {
    let book = BOOK.replacen("tells = ['turn']", "tells = ['turn']\nexamples = ['S1', 'S2']", 1);
    let head = "game = 'small'\nplayers = 2\n[when]\ncall = 'turn(p1)'\n[[then]]\nchoose = 'yes'\n[[then]]\n";
    let pays = format!("id = 'S1'\ntitle = 'It pays'\n{head}variables.p1.score = 7\n");
    let ends = format!("id = 'S2'\ntitle = 'It ends'\n{head}over = true\n");
    let files = [
        ("games/small/rulebook.toml", &*book),
        ("tests/scenarios/small/s1.toml", &*pays),
        ("tests/scenarios/small/s2.toml", &*ends),
        ("variants/small/long.toml", "id = 'long'\ngame = 'small'\nname = 'Long'\ndata.hand_size = 9\n"),
    ];
    let library = library(&files);
    let shown = |variants: &[&str]| {
        let loaded = loaded(&library, variants);
        let prose = Book::of(&loaded.ruleset).unwrap();
        let examples = Examples::of(&loaded, &library);
        let all = prose.chapter("turn").unwrap().parts[0].section.examples.iter();
        let played = all.map(|example| examples.play(example).unwrap_or_else(|errors| panic!("{errors}")));
        played.map(|played| played.map(|played| played.after.position().scores[0])).collect::<Vec<_>>()
    };
    assert_eq!(shown(&[]), [Some(7), Some(7)]);
    assert_eq!(shown(&["long"]), [None, Some(9)]);
}

#[test]
fn a_rule_that_came_to_its_end_leaves_the_standing_unless_it_gave_the_same_points() {
    let game = format!("standing = 'count'\n{GAME}");
    let rules = format!("{RULES}fn count(p) {{ p.award(5, \"cards\"); }}\n");
    let scores = |call: &str| {
        let scenario = format!("id = 'S1'\ntitle = 'S'\ngame = 'small'\nplayers = 2\n[when]\ncall = '{call}'\n");
        let step = if call.contains("turn") { "choose = 'yes'" } else { "over = true" };
        let scenario = format!("{scenario}[[then]]\n{step}\n");
        let files = [
            ("games/small/game.toml", &*game),
            ("games/small/rules.rhai", &*rules),
            ("tests/scenarios/small/s1.toml", &*scenario),
        ];
        let library = library(&files);
        let scenario = Scenario::read(library.files(), Path::new("tests/scenarios/small/s1.toml")).unwrap();
        let (game, failed) = scenario.open(&library, None, &Arc::default()).unwrap_or_else(|errors| panic!("{errors}"));
        assert!(failed.is_none(), "{failed:?}");
        let position = game.position();
        [1, 2].map(|seat| running_score(position, Seats::all(2).into_iter().nth(seat - 1).unwrap()))
    };
    assert_eq!(scores("turn(p1)"), [12, 5]);
    assert_eq!(scores("count(p1)"), [5, 0]);
}

/// Every game that comes with the program, and every variant of it, has a rulebook in both languages.
#[test]
fn all_that_comes_with_the_program_has_a_rulebook_in_both_languages() {
    let library = houserule::built_in();
    for game in library.games() {
        let variants = library.variants(&game.id);
        let layers = std::iter::once(game.layer).chain(variants.into_iter().map(|variant| variant.layer));
        for layer in layers.map(|layer| layer.unwrap_or_else(|errors| panic!("{errors}"))) {
            let prose = layer.prose().unwrap_or_else(|errors| panic!("{errors}"));
            assert!(!prose.sections.is_empty(), "{} of {} has no rulebook", layer.id, game.id);
            for section in &prose.sections {
                let mut texts = section.title.iter().chain([&section.text]);
                assert!(
                    texts.all(|text| text.text.in_language(Language::Japanese).is_some()),
                    "{} {}",
                    layer.id,
                    section.id
                );
            }
        }
    }
}
