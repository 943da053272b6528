//! What designers write, and what they are told: one line of expectation for each trouble.

use super::*;
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::files::MemoryFiles;
use std::path::Path;

/// The least that a game must say; tests add to it from line 5 on.
const GAME: &str = "id = 'g'\nname = 'G'\nplayers = { min = 2, max = 4 }\nscript.rhai = 'fn game() {}'\n";

fn layer(text: &str) -> Result<Layer, Diagnostics> {
    let is_variant = text.contains("game = ");
    let name = if is_variant { "v.toml" } else { "game.toml" };
    parse(name, text)
}

/// A file that lies somewhere by itself.
fn parse(name: &str, text: &str) -> Result<Layer, Diagnostics> {
    let origin = Origin::new(&MemoryFiles::default(), OriginKind::Path, Path::new("/nowhere/at/all").join(name));
    Layer::parse(Source::new(name, text), origin, &|_| None)
}

/// A game of [`GAME`] and more.
#[track_caller]
fn game(more: &str) -> Layer {
    match layer(&format!("{GAME}{more}")) {
        Ok(layer) => layer,
        Err(troubles) => unreachable!("{}", told(&troubles)),
    }
}

/// A variant of that game.
#[track_caller]
fn variant(id: &str, more: &str) -> Layer {
    match layer(&format!("id = '{id}'\ngame = 'g'\nname = '{id}'\n{more}")) {
        Ok(layer) => layer,
        Err(troubles) => unreachable!("{}", told(&troubles)),
    }
}

#[track_caller]
fn definition(more: &str) -> Definition {
    match overlay(&[], &[], &game(more), &[], &[]) {
        Ok(overlaid) => overlaid.definition,
        Err(troubles) => unreachable!("{}", told(&troubles)),
    }
}

/// `line:column message | label | help | help`, a line for each trouble.
fn told(troubles: &[Diagnostic]) -> String {
    let lines = troubles.iter().map(|trouble| {
        let place = trouble.place.as_ref().map(|place| {
            let (line, column) = place.position();
            (format!("{line}:{column} "), place.label.clone())
        });
        let (position, label) = place.unwrap_or_default();
        let related = trouble.related.iter().map(|place| format!("{}: {}", place.source.name, place.label));
        let parts = [format!("{position}{}", trouble.message), label.to_string()].into_iter().chain(related);
        parts
            .chain(trouble.help.iter().map(|help| help.text.to_string()))
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" | ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check<T>(outcome: Result<T, Diagnostics>, expected: &str) {
    let actual = outcome.err().map_or_else(|| "fine".to_owned(), |troubles| told(&troubles));
    let expected = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    assert_eq!(actual, expected, "\n{actual}\n");
}

/// What is told of a game with these lines added from line 5 on.
#[track_caller]
fn check_game(more: &str, expected: &str) {
    check(layer(&format!("{GAME}{more}")), expected);
}

fn ids(definition: &Definition) -> Vec<&str> {
    definition.components.iter().flat_map(|group| &group.members).map(|member| member.id.as_str()).collect()
}

mod layers {
    use super::*;

    #[test]
    fn a_game_is_read_whole() {
        let game = game(
            "about = { en = 'about', ja = '説明' }\nuses = ['trick', 'deal']\nstanding = 'score'\n[settings.open]\ndefault = false\n",
        );
        assert_eq!((game.id.as_str(), game.is_variant()), ("g", false));
        assert_eq!((game.about.get(Language::Japanese), game.name.get(Language::Japanese)), ("説明", "G"));
        assert_eq!(game.uses, ["trick", "deal"]);
        assert_eq!(game.settings["open"].default, toml::Value::Boolean(false));
        assert_eq!(game.tables.keys().collect::<Vec<_>>(), ["players", "standing"]);
    }

    #[test]
    fn troubles_are_told_where_they_stand() {
        check(
            layer(""),
            "1:1 `id` is missing | this file lacks it | such as `id = \"high-card\"`
             1:1 `name` is missing | this file lacks it | such as `name = \"High Card\"`
             1:1 `players` is missing | this file lacks it | such as `players = { min = 2, max = 4 }`
             1:1 the game has no script | no script in this file, and none beside it | write its rules in `rules.rhai` beside this file, or here: [script] rhai = '''…'''",
        );
        check_game(
            "nmae = 1",
            "5:1 unknown key `nmae` | not a key of a game | did you mean `name`? | the keys of a game are `id`, `houserule`, `name`, `about`, `version`, `author`, `licence`, `uses`, `settings`, `script`, `rulebook`, `names`, `base`, `remove`, `players`, `teams`, `standing`, `tie_breaks`, `data`, `components`, `attributes`, `looks`, `zones`, `variables`, `bounds`, `keeps` and `text`",
        );
        check_game("uses = ['../x', 'a', 'a', 3]", "5:9 `../x` cannot be an id | not an id | ids consist of lower-case letters and digits, with single `-` between them: `high-card`
             5:22 `uses` names `a` twice | already named
             5:27 `uses[3]` must be a string that is not empty | this is 3");
        check_game(
            "about = { ja = 'x', fr = 'y' }",
            "5:21 unknown key `about.fr` | not a key of a text | texts are in English, `en`, and in Japanese, `ja`
             5:1 `en` of `about` is missing | `en` is missing | such as `en = \"ring\"`",
        );
        check_game(
            "standing = 'Score'",
            "5:12 `standing` must be the name of a function of the script | this is a string | names consist of lower-case letters, digits and single `_`, and start with a letter: `face_down`",
        );
        check(layer("id = 'G G'\nname = 3\nplayers = { min = 3, max = 2 }\nscript.rhai = 'x'"), "1:6 `G G` cannot be an id | not an id | ids consist of lower-case letters and digits, with single `-` between them: `high-card`
             2:8 `name` must be a string, or a table with `en` and `ja` | this is 3
             3:19 `players.min` is more than `players.max` | more than `max`, which is 2");
        check(
            layer("id = 'g'\nplayers.max = 99\nname = ''\nscript = 1"),
            "3:8 `name` must be a string that is not empty | this is empty
             2:1 `min` of `players` is missing | `min` is missing | such as `min = 2`
             2:15 `players.max` must be an integer from 1 to 16 | this is 99
             4:10 `script` must be a table | this is 1",
        );
        check(
            layer("id = 'v'\ngame = 'g'\nname = 'V'\nconflicts = ['w']"),
            "4:13 `conflicts` must be a table | this is an array | such as `conflicts = { other-variant = \"both change the deck\" }`",
        );
        check(layer("id = 'v'\ngame = 'g'\nname = 'V'\nzones.ring = { ordr = 'row', visible = 'al' }"), "4:16 unknown key `zones.ring.ordr` | not a key of a zone | did you mean `order`? | the keys of a zone are `name`, `per`, `count`, `grid`, `list`, `id`, `edges`, `regions`, `order`, `visible`, `mark` and `note`
             4:40 `zones.ring.visible` cannot be `al` | expected `all`, `owner`, `others`, `top`, `none` or `once` | did you mean `all`?");
        let unmarked = parse("x.toml", "id = 'x'");
        check(
            unmarked,
            "1:1 this is neither a game nor a variant | neither `game` nor `players` is given | a variant names its game: game = \"high-card\" | a game says how many can play: players = { min = 2, max = 6 }",
        );
        let many = (0..20).map(|number| format!("x{number} = 1\n")).collect::<String>();
        assert_eq!(layer(&format!("{GAME}{many}")).err().map(|troubles| troubles.len()), Some(10));
    }

    #[test]
    fn a_layer_says_its_version_author_and_licence() -> Result<(), Diagnostics> {
        let read = layer(&format!("version = '1.2.0-draft'\nauthor = 'Ada'\nlicence = 'MIT'\n{GAME}"))?;
        assert_eq!(read.version.map(|version| version.to_string()).as_deref(), Some("1.2.0-draft"));
        assert_eq!((read.author.as_deref(), read.licence.as_deref()), (Some("Ada"), Some("MIT")));
        for (key, expected) in [
            ("version = '1.2'", "1:11 `1.2` cannot be a version | not a version | did you mean `1.2.0`?"),
            ("version = 'v2'", "1:11 `v2` cannot be a version | not a version | did you mean `2.0.0`?"),
            ("version = '01.2.3'", "1:11 `01.2.3` cannot be a version | not a version | did you mean `1.2.3`?"),
            (
                "version = 'new'",
                "1:11 `new` cannot be a version | not a version | a version has three numbers with dots between: `1.0.0`, or `1.1.0-draft`",
            ),
            ("version = 1", "1:11 `version` must be a string that is not empty | this is 1"),
        ] {
            check(layer(&format!("{key}\n{GAME}")), expected);
        }
        let american = layer(&format!("license = 'MIT'\n{GAME}")).err();
        assert!(american.is_some_and(|troubles| told(&troubles).contains("did you mean `licence`?")));
        Ok(())
    }

    #[test]
    fn a_trouble_is_drawn_like_this() {
        let troubles =
            layer(&format!("{GAME}[zones.ring]\nname    = '共通'\nordr    = 'ring'\nvisible = 'all'\n")).err();
        assert_eq!(
            troubles.iter().flatten().map(Diagnostic::to_string).collect::<Vec<_>>().join("\n\n"),
            "\
error: unknown key `zones.ring.ordr`
 --> game.toml:7:1
  |
7 | ordr    = 'ring'
  | ^^^^ not a key of a zone
  |
  = help: did you mean `order`?
  = help: the keys of a zone are `name`, `per`, `count`, `grid`, `list`, `id`, `edges`, `regions`, `order`, `visible`, `mark` and `note`

error: `order` of `zones.ring` is missing
 --> game.toml:5:8
  |
5 | [zones.ring]
  |        ^^^^ `order` is missing
  |
  = help: such as `order = \"row\"`"
        );
    }

    #[test]
    fn a_script_inside_keeps_its_lines() {
        let cases = [
            ("[script]\nrhai = '''\nfn a() {}\nfn b() {}\n'''", Some((6, "fn a() {}\nfn b() {}\n"))),
            ("[script]\nrhai = '''fn a() {}'''", Some((5, "fn a() {}"))),
            ("[script]\nrhai = \"\"\"\n\nfn a() {}\"\"\"", Some((6, "\nfn a() {}"))),
            ("[script]\nrhai = \"fn a() {}\"", Some((5, "fn a() {}"))),
            ("[script]\nrhai = \"fn a() {\\n}\"", None),
            ("[script]\nrhai = \"\"\"\nfn a() { \\\n }\"\"\"", None),
        ];
        for (text, expected) in cases {
            let header = GAME.replace("script.rhai = 'fn game() {}'\n", "");
            let outcome = layer(&format!("{header}\n{text}"));
            let script = outcome.as_ref().ok().and_then(|layer| layer.script.as_ref());
            assert_eq!(script.map(|script| (script.first_line, script.text.as_str())), expected, "{text}");
            match script {
                Some(script) => {
                    let place = script.place(1, 4, "");
                    assert_eq!(place.span.start, script.start + script.text.lines().next().unwrap_or("").len().min(3));
                }
                None => check(
                    outcome,
                    "6:8 a script cannot have TOML escapes in it | this string has escapes | put it between ''' and ''', which keep a script as it is, so that messages can name its lines",
                ),
            }
        }
    }

    #[test]
    fn settings_hold_their_own_defaults() {
        check_game(
            "[settings]\na = { default = 3, min = 1, max = 5 }\nb = { default = ['x'], choices = ['x', 'y'], help = 'h' }\nc = { default = [], choices = [1] }",
            "fine",
        );
        check_game(
            "[settings]\na = { default = 9, min = 1, max = 5 }",
            "6:17 `settings.a.default` must be an integer from 1 to 5 | this is 9",
        );
        check_game(
            "[settings]\na = { default = 'z', choices = ['xx', 'yy'] }",
            "6:17 `settings.a.default` cannot be `z` | expected `xx` or `yy`",
        );
        check_game(
            "[settings]\na = { default = 1.5 }",
            "6:17 numbers in rules are whole | not a whole number | count in smaller units, 15 for 1.5; write it in quotes if it is a text",
        );
        check_game(
            "[data]\nshare = 1.5\nrates = { low = [1, inf] }\n[settings]\na = { default = [], choices = [0.5] }\n[variables]\nb = { default = 2e3 }",
            "6:9 numbers in rules are whole | not a whole number | count in smaller units, 15 for 1.5; write it in quotes if it is a text
             7:21 numbers in rules are whole | not a whole number | count in smaller units, 15 for 1.5; write it in quotes if it is a text
             9:32 numbers in rules are whole | not a whole number | count in smaller units, 15 for 1.5; write it in quotes if it is a text
             11:17 numbers in rules are whole | not a whole number | count in smaller units, 15 for 1.5; write it in quotes if it is a text",
        );
        check_game(
            "[settings]\na = { default = { b = 1 } }",
            "6:17 `settings.a.default` must be an integer, a boolean, a string, or an array of one of these | this is a table | for an empty array `choices` say what its elements may be",
        );
        check_game(
            "[settings]\na = { choices = [1] }",
            "6:1 `default` of `settings.a` is missing | `default` is missing | such as `default = 1`",
        );
        check_game(
            "[settings]\na = { default = true, min = 1, choices = [1] }",
            "6:43 `settings.a.choices[0]` must be `true` or `false` | this is 1
             6:23 `settings.a.min` does not limit an integer | only integers have limits",
        );
        check_game("[settings]\na__b = { default = 1 }\nlet = { default = 1 }", "6:1 `a__b` cannot be the name of a setting | not a name | names consist of lower-case letters, digits and single `_`, and start with a letter: `face_down`
             7:1 a setting cannot be called `let` | a word of the script language | names consist of lower-case letters, digits and single `_`, and start with a letter: `face_down`");
    }
}

mod tables {
    use super::*;

    #[test]
    fn components_are_made_by_product_cycle_copies_and_list() {
        let made = |group: &str| {
            let data = "[data]\ncolors = ['r', 'b']\nsize = { small = 2 }\n";
            ids(&definition(&format!("{data}[components.c]\nkind = 'card'\n{group}"))).join(" ")
        };
        for (group, expected) in [
            ("id = '{n}'\nattributes = { n = { from = 1, to = 3 } }", "1 2 3"),
            ("id = '{z}{a}'\nattributes = { z = ['x', 'y'], a = { from = 1, to = 2 } }", "x1 x2 y1 y2"),
            ("id = '{c}{n}'\nattributes = { n = { from = 1, to = 3 }, c = { cycle = 'data.colors' } }", "r1 b2 r3"),
            (
                "id = '{c}{n}'\nattributes = { n = { from = 1, to = 'data.size.small' }, c = 'data.colors' }",
                "r1 b1 r2 b2",
            ),
            ("id = '{c}{copy}'\ncopies = 2\nattributes = { c = { each = 'data.colors' } }", "r1 r2 b1 b2"),
            ("id = '{k}-{n}'\nattributes = { k = 'squid', n = { from = -1, to = 0 } }", "squid--1 squid-0"),
            ("id = 'd{copy}'\ncopies = 3", "d1 d2 d3"),
            ("list = [{ id = 'joker', n = 1 }, { id = 'fool{copy}', copies = 2 }]", "joker fool1 fool2"),
            ("id = 'n{n}'\nattributes = { n = [1] }\nlist = [{ n = 7 }]", "n1 n7"),
            ("id = 'x'\ncopies = 0", ""),
        ] {
            assert_eq!(made(group), expected, "{group}");
        }
        let cards = definition(
            "[components.c]\nkind = 'card'\nid = '{n}'\nface = '{n}·{id}·{copy}'\nattributes = { n = [7] }\nlist = [{ id = 'joker' }, { id = 'x', n = 8 }]",
        );
        let faces: Vec<&str> =
            cards.components.iter().flat_map(|group| &group.members).map(|card| card.face.as_str()).collect();
        assert_eq!(faces, ["{n}·7·1", "joker", "{n}·x·1"]);
        assert_eq!(cards.components[0].members[0].attributes, [("n".to_owned(), Attribute::Number(7))]);
    }

    #[test]
    fn components_that_make_no_sense_are_refused() {
        let check = |group: &str, expected: &str| {
            check_game(&format!("[data]\ncolors = ['r']\n[components.c]\nkind = 'card'\n{group}"), expected)
        };
        check(
            "id = 'x'\ncopies = 2",
            "9:6 two components have the id `x` | gives `x` more than once | tell copies apart by `{copy}` in the id",
        );
        check(
            "id = '{n}'\nattributes = { n = [1, 2], m = [1, 2] }",
            "9:6 two components have the id `1` | gives `1` more than once | put every attribute that tells them apart into the id",
        );
        check(
            "list = [{ id = 'a' }]\n[components.d]\nkind = 'die'\nid = 'a'",
            "12:6 two components have the id `a` | `a` again | game.toml: `a` for the first time",
        );
        check(
            "id = '{nmber}'\nattributes = { number = [1] }",
            "9:6 `components.c.id` names an attribute `nmber` that is not there | no attribute `nmber` | did you mean `number`? | braces may hold `number` and `copy`",
        );
        check(
            "id = '{n'\nattributes = { n = [1] }",
            "9:6 `components.c.id` has one brace too many | a brace without its other half",
        );
        check(
            "id = '{c}'\nattributes = { c = 'data.colours' }",
            "10:20 there is no `data.colours` | `data` has no `colours` | did you mean `colors`?",
        );
        check(
            "id = '{c}'\nattributes = { c = { from = 1 } }",
            "10:16 `to` of `components.c.attributes.c` is missing | `to` is missing | such as `to = 9`",
        );
        check(
            "id = '{c}'\nattributes = { c = { from = 1, to = 2, each = [1] } }",
            "10:20 `components.c.attributes.c` must be one of a range, `each` or `cycle` | this is a table | a range is { from = 1, to = 9 }; `each` multiplies the deck; `cycle` goes round with it",
        );
        check(
            "id = '{c}'\nattributes = { c = { from = 3, to = 2 } }",
            "10:20 the range `components.c.attributes.c` is empty | from 3 to 2",
        );
        check(
            "id = '{c}'\nattributes = { c = { from = -9223372036854775808, to = 9223372036854775807 } }",
            "10:20 the range `components.c.attributes.c` has more than 4096 numbers | from -9223372036854775808 to 9223372036854775807",
        );
        check(
            "id = '{a}-{b}'\nattributes = { a = { from = 1, to = 99 }, b = { from = 1, to = 99 } }",
            "7:13 there are more than 4096 components | makes 9801",
        );
        check(
            "id = '{c}'\nattributes = { c = [], d = true }",
            "10:20 `components.c.attributes.c` must be an array that is not empty | this is empty",
        );
        check("id = '{id}'\nattributes = { id = [1], a__b = 1 }", "10:16 an attribute cannot be called `id` | every component has it
             10:26 `a__b` cannot be the name of an attribute | not a name | names consist of lower-case letters, digits and single `_`, and start with a letter: `face_down`");
        check(
            "id = 'a b'",
            "9:6 `a b` cannot be the id of a component | this makes the id | ids are typed as answers, so they have no spaces and no commas",
        );
        check(
            "list = [{ n = 1 }]",
            "9:9 `components.c.list[0]` has no id | `id` is missing | give it one, or give `components.c` an `id` for all of its list",
        );
        let huge = format!("id = '{}'\nattributes = {{ c = '{}' }}", "{c}".repeat(50), "x".repeat(60));
        check(&huge, "9:6 an id is longer than 64 characters | this makes the id");
    }

    #[test]
    fn looks_name_what_components_have() {
        let cards =
            "[components.c]\nkind = 'card'\nid = '{color}'\nattributes = { color = ['red', 'blue'] }\n[attributes]\n";
        let read = definition(&format!(
            "{cards}color.red = {{ ja = '赤', short = 'r', color = 'bright-red' }}\ncolor.blue = 'Blue'"
        ));
        let red = &read.attributes["color"]["red"];
        assert_eq!((red.name.get(Language::English), red.name.get(Language::Japanese)), ("red", "赤"));
        assert_eq!(
            (red.color.as_deref(), read.attributes["color"]["blue"].name.en.as_str()),
            (Some("bright-red"), "Blue")
        );
        check_game(
            &format!("{cards}color.red = {{ color = 'brightred' }}"),
            "10:23 `attributes.color.red.color` cannot be `brightred` | expected `black`, `red`, `green`, `yellow`, `blue`, `magenta`, `cyan`, `white`, `bright-black`, `bright-red`, `bright-green`, `bright-yellow`, `bright-blue`, `bright-magenta`, `bright-cyan` or `bright-white` | did you mean `bright-red`?",
        );
        check_game(
            &format!("{cards}colour.red = 'Red'"),
            "10:1 there is no attribute `colour` | no component has it | did you mean `color`?",
        );
    }

    #[test]
    fn a_text_is_written_with_its_languages_and_read_again() -> Result<(), serde_json::Error> {
        let text = Text::from("ring".to_owned()).translated(|language| Some(language.code()));
        let written = serde_json::to_string(&text)?;
        assert!(written.starts_with(r#"{"en":"ring","ja":"ja""#), "{written}");
        assert_eq!(serde_json::from_str::<Text>(&written)?, text);
        let plain: Text = serde_json::from_str(r#"{"en":"ring"}"#)?;
        assert_eq!((plain.in_language(Language::Japanese), plain.get(Language::Japanese)), (None, "ring"));
        for (wrong, told) in [(r#"{"ja":"x"}"#, "missing field `en`"), (r#"{"en":"x","xx":"y"}"#, "unknown field `xx`")]
        {
            let error = serde_json::from_str::<Text>(wrong).map_err(|error| error.to_string());
            assert!(error.as_ref().is_err_and(|error| error.starts_with(told)), "{error:?}");
        }
        Ok(())
    }

    #[test]
    fn zones_and_variables_are_read_in_order() {
        let read = definition(
            "[zones.ring]\nname = 'ring'\norder = 'ring'\nvisible = 'all'\n[zones.columns]\nname = 'column'\nper = 'seat'\ncount = 3\norder = 'row'\nvisible = 'owner'\nmark = 'column_mark'\n[variables]\nspecial_color = { default = 'none' }\nbid = { per = 'seat', default = 0, name = 'bid' }\nscore = { name = 'points' }\n",
        );
        assert_eq!(
            read.zones.iter().map(|zone| (zone.id.as_str(), zone.per_seat, zone.count)).collect::<Vec<_>>(),
            [("ring", false, None), ("columns", true, Some(3))]
        );
        assert_eq!(
            (read.zones[1].order, read.zones[1].visible, read.zones[1].mark.as_deref()),
            (ZoneOrder::Row, Visibility::Owner, Some("column_mark"))
        );
        let variables: Vec<_> = read
            .variables
            .iter()
            .map(|variable| (variable.id.as_str(), variable.name.en.as_str(), variable.per_seat))
            .collect();
        assert_eq!(
            variables,
            [("score", "points", true), ("special_color", "special color", false), ("bid", "bid", true)]
        );
    }

    #[test]
    fn zones_and_variables_that_make_no_sense_are_refused() {
        let zone = |id: &str, more: &str| format!("[zones.{id}]\nname = 'z'\norder = 'row'\nvisible = 'all'\n{more}\n");
        check_game(
            &zone("hand", "count = 1001"),
            "9:9 `zones.hand.count` must be an integer from 1 to 1000 | this is 1001",
        );
        check_game(
            "[zones.hand]\nname = 'z'\norder = 'row'\nvisible = 'owner'",
            "8:11 `zones.hand` is the table's and has no owner | it has no owner | give each seat one with per = \"seat\", or show it to `all` or `none`",
        );
        check_game(&zone("players", ""), "5:8 a zone cannot be called `players` | it means something else in scripts");
        check_game(
            &format!("{}[variables]\nhand = {{ per = 'seat', default = 0 }}", zone("hand", "per = 'seat'")),
            "5:8 `hand` is both a zone and a variable | the zone | game.toml: the variable",
        );
        check_game(&format!("{}[variables]\nhand = {{ default = 0 }}", zone("hand", "per = 'seat'")), "fine");
        check_game(
            &zone("score", "per = 'seat'"),
            "5:8 `score` is both a zone and a variable | the zone | each seat always has a variable `score`",
        );
        check_game(
            "[variables]\nscore = { default = 1 }",
            "6:11 unknown key `variables.score.default` | not a key of `score`, which is always there | the keys of `score`, which is always there are `name` and `per`",
        );
        check_game(
            "[variables]\na = { type = 'player', default = 1 }\nb = { type = 'seat' }\nc = { type = 'player' }",
            "6:34 `variables.a` has a `type`, so it cannot have a `default` | leave this out | it begins with `nobody`; the rules give it a player
             7:14 `variables.b.type` cannot be `seat` | expected `player`, `component`, `zone`, `players`, `components`, `zones` or `list`",
        );
        check_game(
            "[variables]\na = { default = [1] }\nb = {}",
            "6:17 `variables.a.default` must be an integer, a boolean or a string | this is an array
             7:1 `default` of `variables.b` is missing | `default` is missing | such as `default = 0`",
        );
        let many = (0..65).map(|number| zone(&format!("z{number}"), "")).collect::<String>();
        check_game(&many, "325:8 there are more than 64 zones | one too many");
    }
}

mod overlays {
    use super::*;

    fn base() -> Layer {
        game(
            "[settings.open]\ndefault = false\n[data]\nhand_size = 3\nrate = 15\npoints = { a = [1], b = 2 }\n[components.c]\nkind = 'card'\nid = '{n}'\nattributes = { n = { from = 1, to = 9 } }\n[zones.hand]\nname = 'hand'\nper = 'seat'\norder = 'hand'\nvisible = 'owner'\n",
        )
    }

    #[test]
    fn a_variant_changes_what_it_names_and_nothing_else() -> Result<(), Diagnostics> {
        let open = variant(
            "open",
            "zones.hand.visible = 'all'\ndata.points.a = [2, 3]\ndata.extra = true\nzones.fresh = { name = 'n', order = 'row', visible = 'all' }\n",
        );
        let short = variant("short", "components.c.attributes.n.to = 3\n");
        let overlaid = overlay(&[], &[], &base(), &[open, short], &[])?;
        assert_eq!(ids(&overlaid.definition), ["1", "2", "3"]);
        assert_eq!(
            overlaid.definition.zones.iter().map(|zone| (zone.id.as_str(), zone.visible)).collect::<Vec<_>>(),
            [("hand", Visibility::All), ("fresh", Visibility::All)]
        );
        assert_eq!(
            overlaid.definition.data.to_string().trim(),
            "extra = true\nhand_size = 3\nrate = 15\n\n[points]\na = [2, 3]\nb = 2"
        );
        assert_eq!(overlaid.settings.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["g", "open", "short"]);
        assert!(overlaid.warnings.is_empty());

        let primes = variant("primes", "components.c.attributes.n.each = [2, 3, 5]\n");
        assert_eq!(ids(&overlay(&[], &[], &base(), &[primes], &[])?.definition), ["2", "3", "5"]);
        Ok(())
    }

    #[test]
    fn a_wrong_value_is_shown_in_the_layer_it_came_from() {
        let outcome = overlay(&[], &[], &base(), &[variant("v", "components.c.attributes.n.to = 0\n")], &[]);
        check(outcome, "14:20 the range `components.c.attributes.n` is empty | from 1 to 0");
        let outcome = overlay(&[], &[], &base(), &[variant("v", "zones.hand.per = 'table'\n")], &[]);
        check(
            outcome,
            "19:11 `zones.hand` is the table's and has no owner | it has no owner | give each seat one with per = \"seat\", or show it to `all` or `none`",
        );
        let outcome = overlay(&[], &[], &base(), &[variant("v", "zones.ring = { order = 'row' }\n")], &[]);
        check(
            outcome,
            "4:7 `name` of `zones.ring` is missing | `name` is missing | such as `name = \"ring\"`\n4:7 `visible` of `zones.ring` is missing | `visible` is missing | such as `visible = \"all\"`",
        );
    }

    #[test]
    fn two_variants_that_disagree_are_reported() -> Result<(), Diagnostics> {
        let (a, b) = (
            variant("a", "data = { hand_size = 4, rate = 20 }\n"),
            variant("b", "data = { hand_size = 5, rate = 20 }\n"),
        );
        let overlaid = overlay(&[], &[], &base(), &[a, b], &[])?;
        assert_eq!(
            told(&overlaid.warnings),
            "4:22 two variants give `data.hand_size` different values | this one wins, because it comes later | v.toml: this one is lost"
        );
        assert_eq!(overlaid.definition.data["hand_size"].as_integer(), Some(5));
        Ok(())
    }

    #[test]
    fn variants_must_belong_to_the_game_and_go_together() {
        let (a, b) = (variant("a", ""), variant("b", "conflicts.a = { en = 'both change the deck' }\n"));
        let message =
            "4:15 `b` and `a` cannot be combined: both change the deck | `b` says so | leave out one of `b` and `a`";
        check(overlay(&[], &[], &base(), &[a.clone(), b.clone()], &[]), message);
        check(overlay(&[], &[], &base(), &[b, a.clone()], &[]), message);
        check(overlay(&[], &[], &base(), &[a.clone(), a.clone()], &[]), "the variant `a` is given twice");
        check(overlay(&[], &[], &base(), &[base()], &[]), "1:1 `g` is a game, not a variant | this is a game");
        check(overlay(&[], &[], &a, &[], &[]), "1:1 `a` is a variant, not a game | this is a variant");
        check(overlay(&[], &[], &base(), &vec![a; 33], &[]), "33 variants at once are too many: at most 32");
        let foreign = layer("id = 'f'\ngame = 'other'\nname = 'F'");
        let outcome = foreign.and_then(|foreign| overlay(&[], &[], &base(), &[foreign], &[]));
        check(outcome, "2:8 `f` is not a variant of `g` | a variant of `other`");
    }

    #[track_caller]
    fn set(typed: &str) -> Result<Overlay, Diagnostics> {
        let greenhorn = variant(
            "greenhorn",
            "data.green_points = [0, 1]\n[settings]\nlevel = { default = 1, min = 1, max = 3 }\nstyle = { default = 'calm', choices = ['calm', 'wild'] }\n",
        );
        overlay(&[], &[], &base(), &[greenhorn], &[Override::parse(typed)?])
    }

    #[test]
    fn a_person_can_set_settings_and_anything_that_is_there() -> Result<(), Diagnostics> {
        let setting = |typed: &str, layer: usize, key: &str| {
            set(typed).map(|overlaid| overlaid.settings[layer].1[key].to_string())
        };
        assert_eq!(setting("greenhorn.level=3", 1, "level")?, "3");
        assert_eq!(setting("greenhorn.style=wild", 1, "style")?, "\"wild\"");
        assert_eq!(setting(" g . open = true ", 0, "open")?, "true");
        let data = |typed: &str| {
            set(typed).map(|overlaid| toml::to_string(&overlaid.definition.data).unwrap_or_default().replace('\n', " "))
        };
        assert_eq!(
            data("greenhorn.green_points=[5, 6]")?,
            "green_points = [5, 6] hand_size = 3 rate = 15  [points] a = [1] b = 2 "
        );
        assert_eq!(
            data("greenhorn.data.points.b=7")?,
            "green_points = [0, 1] hand_size = 3 rate = 15  [points] a = [1] b = 7 "
        );
        assert_eq!(data("g.rate=20")?, "green_points = [0, 1] hand_size = 3 rate = 20  [points] a = [1] b = 2 ");
        assert_eq!(set("g.zones.hand.visible=none")?.definition.zones[0].visible, Visibility::None);
        assert_eq!(set("g.players.\"max\"=2")?.definition.players, (2, 2));
        Ok(())
    }

    #[test]
    fn a_setting_that_fits_nothing_is_refused() {
        let form = "settings are given as LAYER.KEY=VALUE: double.bonus=[0,1]";
        check(set("greenhorn"), &format!("1:10 this is not a setting | expected `=` and a value | {form}"));
        check(
            set("level=3"),
            &format!("1:6 this is not a setting | expected a layer, a dot and a key before `=` | {form}"),
        );
        check(set("greenhorn.=3"), &format!("1:11 this is not a setting | a name is missing | {form}"));
        check(
            set("greenhorn.level="),
            "1:17 a value is missing or lacks its quotes | expected a value | put text in quotes: name = \"ring\"",
        );
        check(
            set("greenhron.level=3"),
            "1:1 there is no layer `greenhron` | neither the game nor an active variant | did you mean `greenhorn`?",
        );
        check(
            set("data.hand_size=4"),
            "1:1 there is no layer `data` | neither the game nor an active variant | there are `g` and `greenhorn` | a path begins with a layer: `g.data.hand_size`",
        );
        check(
            set("greenhorn.levle=3"),
            "1:11 `greenhorn` has no setting `levle` | not a setting | did you mean `level`? | `greenhorn` can be set at `level`, `style` and `green_points`. | anything of the game can be set by its path, such as `greenhorn.data.hand_size` or `greenhorn.zones.hand.visible`",
        );
        check(
            set("g.rats=4"),
            "1:3 `g` has no setting `rats` | not a setting | did you mean `rate`? | `g` can be set at `open`, `hand_size`, `points` and `rate`. | anything of the game can be set by its path, such as `g.data.rate` or `g.zones.hand.visible`",
        );
        // Only paths that the game has are proposed.
        let bare = |typed: &str| Override::parse(typed).and_then(|given| overlay(&[], &[], &game(""), &[], &[given]));
        check(bare("g.level=3"), "1:3 `g` has no setting `level` | not a setting");
        check(set("greenhorn.level=9"), "1:17 `greenhorn.level` must be an integer from 1 to 3 | this is 9");
        check(set("greenhorn.level=high"), "1:17 `greenhorn.level` must be an integer | this is a string");
        check(
            set("greenhorn.style=wlid"),
            "1:17 `greenhorn.style` cannot be `wlid` | expected `calm` or `wild` | did you mean `wild`?",
        );
        check(set("greenhorn.green_points=[0,1"), "1:28 this is not TOML: unclosed array | expected `]`");
        check(
            set("greenhorn.green_points=99999999999999999999"),
            "1:24 this integer is too large | does not fit into 64 bits | integers go from -9223372036854775808 to 9223372036854775807",
        );
        check(set("g.data.hand_sise=4"), "1:8 `data` has no `hand_sise` | not there | did you mean `hand_size`?");
        check(
            set("g.data.hand_size=four"),
            "1:18 `data.hand_size` must stay an integer | this is a string | game.toml: as it is declared",
        );
        check(set("g.data.hand_size.x=4"), "1:8 `data.hand_size` has no parts | this is an integer");
        check(
            set("g.zones.hand.visible=al"),
            "1:22 `zones.hand.visible` cannot be `al` | expected `all`, `owner`, `others`, `top`, `none` or `once` | did you mean `all`?",
        );
        check(
            set("g.components.c.attributes.n.to=9999"),
            "14:20 the range `components.c.attributes.n` has more than 4096 numbers | from 1 to 9999",
        );
    }
}

mod libraries {
    use super::*;
    use crate::games::shipped;
    use std::path::PathBuf;
    use std::sync::Arc;

    #[test]
    fn rules_inside_a_saved_game_stay_when_its_file_has_gone() {
        let files =
            [("games/g/game.toml", GAME)].map(|(path, text)| (path.to_owned(), Source::new("saved.toml", text)));
        let inside = SavedRules { path: "saved.toml".into(), files: files.into() };
        let none = Library::of(Arc::new(MemoryFiles::default()), vec!["".into()]);
        let library = none.with_saved_rules(Some(inside));
        let kept =
            library.games().into_iter().map(|game| (format!("games/{}/game.toml", game.id), game.origin)).collect();
        let session = library.with_kept_layers(kept);
        assert_eq!(session.game("g").map(|game| game.id), Ok("g".to_owned()));
        let told = session.with_saved_rules(None).game("g").err().map(|errors| errors.to_string()).unwrap_or_default();
        assert!(told.contains("`g` is gone"), "{told}");
    }

    /// Two roots, of which the first hides what the second calls the same; and what else lies in them.
    fn roots(more: &[(&str, &str)]) -> Library {
        let header = GAME.replace("script.rhai = 'fn game() {}'\n", "");
        let other = GAME.replace("'g'", "'h'");
        let files = [
            ("one/games/g/game.toml", &*header),
            ("one/games/g/rules.rhai", "fn game() {}\n"),
            ("one/games/bad/game.toml", "id = "),
            ("one/games/Bad Name/game.toml", ""),
            ("one/games/empty/notes.txt", ""),
            ("one/variants/g/calm.toml", "id = 'calm'\ngame = 'g'\nname = 'Calm'\n"),
            ("one/variants/g/calm.rhai", "fn x() {}\n"),
            ("one/variants/g/renamed.toml", "id = 'calm'\ngame = 'g'\nname = 'Calm'\n"),
            ("one/variants/g/.hidden.toml", ""),
            ("two/games/g/game.toml", "id = 'hidden'"),
            ("two/games/h/game.toml", &other),
            ("two/variants/g/wild.toml", "id = 'wild'\ngame = 'g'\nname = 'Wild'\nscript.rhai = ''' '''\n"),
            ("two/variants/g/lost.toml", "id = 'lost'\ngame = 'h'\nname = 'Lost'\n"),
            ("two/scripts/trick.rhai", "fn trick() {}\n"),
        ];
        let files = MemoryFiles::new(files.iter().chain(more).copied());
        Library::of(Arc::new(files), ["one", "two", "one", "three"].map(PathBuf::from).to_vec())
    }

    #[test]
    fn what_is_there_is_found_and_a_broken_file_hides_no_other() {
        let library = roots(&[]);
        assert_eq!(library.roots().len(), 3);
        let status = |id: String, layer: Result<Layer, Diagnostics>| {
            let message = layer.err().map_or_else(|| "fine".to_owned(), |troubles| troubles[0].message.to_string());
            format!("{id}: {message}")
        };
        let games: Vec<String> = library.games().into_iter().map(|game| status(game.id, game.layer)).collect();
        assert_eq!(
            games,
            [
                "Bad Name: a game's folder cannot be called `Bad Name`",
                "bad: a value is missing or lacks its quotes",
                "g: fine",
                "h: fine"
            ]
        );
        let variants: Vec<String> =
            library.variants("g").into_iter().map(|variant| status(variant.id, variant.layer)).collect();
        assert_eq!(
            variants,
            [
                "calm: fine",
                "lost: `lost` is not a variant of `g`",
                "renamed: `calm` is in a file called `renamed`",
                "wild: `script.rhai` must be a string that is not empty"
            ]
        );

        let script = library.game("g").ok().and_then(|game| game.script);
        assert_eq!(
            script.map(|script| (script.first_line, script.source.name == "one/games/g/rules.rhai")),
            Some((0, true))
        );
        let calm = library.variant("g", "one/variants/g/calm.toml");
        assert_eq!(calm.ok().and_then(|calm| calm.script).map(|script| script.text), Some("fn x() {}\n".to_owned()));
        assert_eq!(
            library.rule_library("trick", None).map(|layer| layer.source.text.clone()),
            Ok("fn trick() {}\n".to_owned())
        );
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is() {
        let library = roots(&[]);
        check(
            library.game("gg"),
            "there is no game `gg` | did you mean `g`? | looked in `one/games`, `two/games` and `three/games` | `houserule new game gg` begins one",
        );
        check(
            library.variant("g", "clam"),
            "there is no variant `clam` of `g` | did you mean `calm`? | looked in `one/variants/g`, `two/variants/g` and `three/variants/g`",
        );
        check(
            library.variant("h", "calm"),
            "there is no variant `calm` of `h` | there is no variant of `h` at all | looked in `one/variants/h`, `two/variants/h` and `three/variants/h`",
        );
        check(
            library.variant("../g", "calm").map(|_| ()),
            "there is no variant `calm` of `../g` | there is no variant of `../g` at all | looked in `one/variants`, `two/variants` and `three/variants`",
        );
        for id in ["../g", "..", "a\0b", "", "/etc"] {
            assert!(library.game(id).is_err() && library.rule_library(id, None).is_err(), "{id}");
        }
        let missing = library.variant("g", "/nowhere/x.toml");
        assert_eq!(
            told(missing.err().as_deref().unwrap_or_default()),
            "cannot read `/nowhere/x.toml`: there is no such file"
        );
    }

    #[test]
    fn the_shipped_games_can_be_read() {
        let games = shipped().games();
        assert!(!games.is_empty());
        for game in games {
            if let Err(troubles) = &game.layer {
                unreachable!("{}: {}", game.id, told(troubles));
            }
        }
    }

    #[test]
    fn a_script_in_two_places_is_refused() {
        let twice = "id = 'wild'\ngame = 'g'\nname = 'W'\nscript.rhai = 'fn x() {}'\n";
        let library = roots(&[("two/variants/g/wild.rhai", "fn x() {}\n"), ("two/variants/g/wild.toml", twice)]);
        check(
            library.variant("g", "wild"),
            "4:8 the script is given twice | one script is here | the other is in `wild.rhai` beside this file; keep one of them",
        );
        let without = "id = 'wild'\ngame = 'g'\nname = 'W'\n";
        let library = roots(&[("two/variants/g/wild.rhai/x", ""), ("two/variants/g/wild.toml", without)]);
        let told = told(library.variant("g", "wild").err().as_deref().unwrap_or_default());
        assert_eq!(told, "`two/variants/g/wild.rhai` is a folder, not a file");
    }
}
