//! Settings that a player is asked for, or lots are drawn for, unless somebody has set them.

use crate::shared::small_game;
use houserule::diagnostic::Diagnostics;
use houserule::playthrough::{Playable, Playthrough};
use houserule::ruleset::{Ruleset, Selection};
use std::sync::Arc;

const GAME: &str = "id = \"asked\"\nname = \"Asked\"\nplayers = { min = 2, max = 2 }\n";

const SETTINGS: &str = r#"
[settings.warm]
ask = "name"
choices = ["red", "blue"]
variable = "hue"
name = "warm colour"

[settings.cold]
ask = "name"
choices = ["blue", "red", "green"]
unlike = "warm"

[variables.hue]
shown = false
"#;

const RULES: &str = "fn game() { note(`${table.hue} ${table.cold}`); players[2].may(\"go\"); p_ask(); note(table.hue); }\nfn p_ask() { }";

/// The game, with something set.
fn started(settings: &str, rules: &str, set: &[&str]) -> Result<Playthrough, Diagnostics> {
    let set = set.iter().map(|set| (*set).to_owned()).collect();
    let selection = Selection { set, ..Selection::of("asked") };
    let definition = format!("{GAME}{settings}");
    let files = [("games/asked/game.toml", definition.as_bytes()), ("games/asked/rules.rhai", rules.as_bytes())];
    let loaded = Playable::compile(small_game::ruleset(&selection, &files)?, 2, Arc::default())?;
    Ok(Playthrough::start(loaded, 2, 1, Vec::new())?.0)
}

/// What is asked now, and what can be answered.
fn open(game: &Playthrough) -> String {
    let Some(open) = &game.position().open else { return format!("{:?}", game.position().failed) };
    let labels: Vec<&str> = open.options.iter().map(|option| option.label.as_str()).collect();
    let purpose = open.purpose.as_deref().unwrap_or("nothing");
    format!("{:?} {} for {purpose}: {}", open.seat, open.prompt, labels.join(" "))
}

fn variable(game: &Playthrough, name: &str) -> String {
    let table = &game.position().table;
    let layout = game.loaded().layout.clone();
    let number = layout.variables.iter().position(|known| &*known.id == name).unwrap();
    format!("{:?}", table.variables[number])
}

#[test]
fn they_are_asked_for_before_the_game_in_the_order_of_the_file() {
    let mut game = started(SETTINGS, RULES, &[]).unwrap();
    assert!(open(&game).ends_with("name for asked: red blue"), "{}", open(&game));
    game.choose(&["blue".to_owned()]).unwrap();
    assert!(open(&game).ends_with("name for asked: red green"), "{}", open(&game));
    game.choose(&["red".to_owned()]).unwrap();
    assert!(open(&game).contains("go for nothing"), "{}", open(&game));
    assert_eq!([variable(&game, "hue"), variable(&game, "cold")], ["Text(\"blue\")", "Text(\"red\")"]);
    game.undo().unwrap();
    assert!(open(&game).ends_with("name for asked: red green"), "{}", open(&game));
}

#[test]
fn a_script_reads_the_answer_and_not_the_setting() {
    let rules = RULES.replace("fn p_ask() { }", "fn p_ask() { if settings.warm == \"red\" { note(\"x\"); } }");
    let errors = started(SETTINGS, &rules, &[]).map(|_| ()).unwrap_err();
    let error = errors.first();
    assert_eq!(error.message, "`settings.warm` is `ask` unless somebody sets it");
    assert_eq!(error.help, ["the answer, or what was set, is `table.hue`"]);
}

#[test]
fn rules_say_when_and_ask_once() {
    let rules = RULES.replace("fn p_ask() { }", "fn p_ask() { ask_settings(); ask_settings(); }");
    let mut game = started(SETTINGS, &rules, &["asked.cold=green"]).unwrap();
    assert!(open(&game).contains("go for nothing"), "{}", open(&game));
    game.choose(&["yes".to_owned()]).unwrap();
    assert!(open(&game).ends_with("name for asked: red blue"), "{}", open(&game));
    game.choose(&["red".to_owned()]).unwrap();
    assert!(game.position().open.is_none() && game.position().failed.is_none(), "{}", open(&game));
    assert_eq!([variable(&game, "hue"), variable(&game, "cold")], ["Text(\"red\")", "Text(\"green\")"]);
}

#[test]
fn rules_that_never_come_to_ask_are_asked_before() {
    let rules = format!("{RULES}\nfn never() {{ ask_settings(); }}");
    let game = started(SETTINGS, &rules, &[]).unwrap();
    assert!(open(&game).ends_with("name for asked: red blue"), "{}", open(&game));
}

#[test]
fn what_was_set_is_not_asked_for_and_not_offered_again() {
    let game = started(SETTINGS, RULES, &["asked.cold=blue"]).unwrap();
    assert!(open(&game).ends_with("name for asked: red"), "the other colour is set: {}", open(&game));
    let game = started(SETTINGS, RULES, &["asked.cold=ask", "asked.warm=red"]).unwrap();
    assert!(open(&game).ends_with("name for asked: blue green"), "{}", open(&game));
    let game = started(SETTINGS, RULES, &["asked.cold=red", "asked.warm=red"]).unwrap();
    assert!(open(&game).contains("`warm` and `cold` of `asked` have to differ, and both are `red`"), "{}", open(&game));
}

#[test]
fn no_answers_leave_a_later_setting_without_a_value() {
    let setting = |key: &str, choices: &str, unlike: &str| {
        let unlike = if unlike.is_empty() { String::new() } else { format!("unlike = \"{unlike}\"\n") };
        format!("[settings.{key}]\nask = \"name\"\nchoices = [{choices}]\n{unlike}")
    };
    let two = "\"red\", \"blue\"";
    let rules = "fn game() { note(`${table.a} ${table.b} ${table.c}`); players[1].may(\"go\"); }";
    let all = |a: &str, b: &str, c: &str| [setting("a", a, "c"), setting("b", b, "c"), setting("c", c, "")].concat();
    let left = |settings: &str, set: &[&str]| started(settings, rules, set).map(|game| open(&game));
    // Two that differ from a third can take both of its values.
    let error = left(&all(two, two, two), &[]).unwrap_err().to_string();
    let told = "no value is left for `asked.settings.c` if `a` is `red`, `b` is `blue`";
    assert!(error.contains(told) && error.contains("game.toml:12:1\n"), "{error}");
    assert!(left(&all(two, two, "\"red\", \"blue\", \"green\""), &[]).is_ok());
    assert!(left(&all(two, "\"red\"", two), &[]).unwrap_err().to_string().contains("`a` is `blue`, `b` is `red`"));
    assert!(left(&all("\"red\"", "\"red\"", two), &[]).is_ok());
    // What is set of the third is not offered to the others, and what is set of these leaves a value.
    assert!(left(&all(two, two, two), &["asked.c=red"]).unwrap().ends_with("name for asked: blue"));
    assert!(left(&all(two, two, two), &["asked.a=red", "asked.b=red"]).unwrap().ends_with("name for asked: blue"));
    // As many as there can be, with as many choices, and one more.
    let many = |count: usize| {
        let choices: Vec<String> = (0..count).map(|number| format!("\"c{number}\"")).collect();
        let keys = (0..15).map(|key| setting(&format!("s{key}"), &choices.join(", "), "last"));
        let settings: String = keys.chain([setting("last", &choices.join(", "), "")]).collect();
        started(&settings, "fn game() { players[1].may(\"go\"); }", &[]).map(|_| ())
    };
    assert!(many(15).unwrap_err().to_string().contains("no value is left for `asked.settings.last`"));
    assert!(many(16).is_ok());
}

#[test]
fn lots_are_drawn_in_place_of_a_question() {
    let drawn = |seed| {
        let settings = SETTINGS.replace("ask = \"name\"", "ask = \"name\"\nby = \"lot\"");
        let definition = format!("{GAME}{settings}");
        let files = [("games/asked/game.toml", definition.as_bytes()), ("games/asked/rules.rhai", RULES.as_bytes())];
        let ruleset = small_game::ruleset(&Selection::of("asked"), &files).unwrap();
        let loaded = Playable::compile(ruleset, 2, Arc::default()).unwrap();
        let game = Playthrough::start(loaded, 2, seed, Vec::new()).unwrap().0;
        assert!(open(&game).contains("go for nothing"), "{}", open(&game));
        [variable(&game, "hue"), variable(&game, "cold")]
    };
    let all: Vec<[String; 2]> = (1..20).map(drawn).collect();
    assert!(all.iter().all(|[warm, cold]| warm != cold), "{all:?}");
    assert!(all.iter().any(|lots| *lots != all[0]), "{all:?}");
    assert_eq!(drawn(3), drawn(3));
}

#[test]
fn a_script_may_have_a_function_of_that_name() {
    let rules = "fn game() { ask_settings(3); players[1].may(\"go\"); }\nfn ask_settings(n) { note(\"mine\"); }";
    assert!(open(&started("", rules, &[]).unwrap()).contains("go for nothing"));
    let rules = "fn game() { ask_settings(); players[1].may(\"go\"); }\nfn ask_settings() { note(\"mine\"); }";
    let game = started(SETTINGS, rules, &[]).unwrap();
    assert!(open(&game).ends_with("name for asked: red blue"), "the word was never called: {}", open(&game));
}

#[test]
fn what_is_wrong_in_the_file_is_told_at_its_place() {
    for (settings, told) in [
        ("[settings.a]\nask = \"x\"", "6:1 `settings.a` is asked for, and has no `choices`"),
        ("[settings.a]\nask = \"x\"\nchoices = [\"ask\", \"red\"]", "`ask` is not a choice of `settings.a`"),
        ("[settings.a]\nask = \"x\"\nchoices = [\"red\", \"red\"]", "`settings.a` has the choice `red` twice"),
        ("[settings.a]\nask = \"x\"\nchoices = [1, 2]", "must be a string"),
        ("[settings.a]\nask = 3\nchoices = [\"red\"]", "`settings.a.ask` must be a string"),
        ("[settings.a]\nask = \"x\"\nchoices = [\"red\"]\ndefault = \"blue\"", "`settings.a.default` cannot be `blue`"),
        ("[settings.a]\nask = \"x\"\nchoices = [\"red\"]\nmin = 3", "`settings.a.min` does not limit an integer"),
        ("[settings.a]\nask = \"x\"\nchoices = [\"red\"]\nby = \"p1\"", "`settings.a.by`"),
        (
            "[settings.a]\nask = \"x\"\nchoices = [\"red\"]\nvariable = \"two words\"",
            "cannot be the name of a variable",
        ),
        ("[settings.a]\nask = \"x\"\nchoices = []", "`settings.a` is asked for, and has no `choices`"),
        (
            "[settings.a]\nask = \"x\"\nchoices = [\"red\"]\nvariable = \"v\"\n[settings.b]\nask = \"x\"\nchoices = [\"red\"]\nvariable = \"v\"",
            "have their answers in one variable, `v`",
        ),
        (
            "[settings.a]\nask = \"x\"\nchoices = [\"red\"]\nby = \"lot\"\n[variables.a]\nvisible = \"none\"",
            "is drawn before everybody, and `a` is not for all to see",
        ),
        (
            "[settings.a]\nask = \"x\"\nchoices = [\"red\"]\n[variables.a]\ndefault = \"red\"",
            "the variable `a` has to begin as `\"\"`",
        ),
        (
            "[settings.a]\nask = \"x\"\nchoices = [\"red\"]\n[variables.a]\nper = \"seat\"",
            "there is no variable `a` of the table",
        ),
        ("[settings.a]\nask = \"x\"\nchoices = [\"red\"]\nunlike = \"a\"", "`a` is no other setting"),
        ("[settings.a]\ndefault = 1\nunlike = \"b\"", "`settings.a.unlike` is for a setting that is asked for"),
        ("[settings.a]\nhelp = \"nothing\"", "`default` of `settings.a` is missing"),
        (
            "[settings.a]\nask = \"x\"\nchoices = [\"red\"]\nunlike = \"bb\"\n[settings.b]\nask = \"x\"\nchoices = [\"red\"]",
            "did you mean `b`?",
        ),
    ] {
        let error = started(settings, RULES, &[]).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(told.trim_start_matches("6:1 ")), "{settings}: {error}");
        assert!(error.contains("game.toml:"), "{settings}: {error}");
    }
    let many: String = (0..17).map(|n| format!("[settings.s{n}]\nask = \"x\"\nchoices = [\"red\"]\n")).collect();
    let error = started(&many, RULES, &[]).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("17 settings are asked for in one game: at most 16"), "{error}");
    let error = started(SETTINGS, RULES, &["asked.warm=pink"]).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("expected `ask`, `red` or `blue`"), "{error}");
}

const LISTED: &str = r#"
[data]
hues = ["red", "blue"]
most = 2
words = { few = ["one"] }

[settings.warm]
ask = "name"
choices = "data.hues"

[settings.plain]
default = "red"
choices = "data.hues"

[settings.several]
default = []
choices = "data.hues"
"#;

/// A ruleset of such a game, with a variant that is laid over it and something set.
fn listed(game: &str, variant: &str, set: &[&str]) -> Result<Arc<Ruleset>, Diagnostics> {
    let set = set.iter().map(|set| (*set).to_owned()).collect();
    let selection = Selection { set, ..Selection::of("asked").with("more") };
    let game = format!("{GAME}{game}");
    let variant = format!("id = \"more\"\ngame = \"asked\"\nname = \"More\"\n{variant}");
    let rules = "fn game() { note(`${settings.plain} ${settings.several.len}`); players[1].may(\"go\"); }";
    let files = [
        ("games/asked/game.toml", game.as_bytes()),
        ("games/asked/rules.rhai", rules.as_bytes()),
        ("variants/asked/more.toml", variant.as_bytes()),
    ];
    small_game::ruleset(&selection, &files)
}

#[test]
fn choices_that_stand_in_the_data_are_those_of_all_layers() {
    let more = "\"data.hues+\" = [\"green\"]";
    for set in [&["asked.plain=green", "asked.several=[\"green\"]"][..], &["asked.data.hues=[\"red\", \"green\"]"]] {
        let ruleset = listed(LISTED, more, set).unwrap();
        let shown = ruleset.game.settings["plain"].choices.len();
        let game = Playthrough::start(Playable::compile(ruleset, 2, Arc::default()).unwrap(), 2, 1, Vec::new());
        let mut game = game.unwrap().0;
        let expected = if shown == 3 { "red blue green" } else { "red green" };
        assert!(open(&game).ends_with(expected), "{}", open(&game));
        game.choose(&["green".to_owned()]).unwrap();
        assert_eq!(variable(&game, "warm"), "Text(\"green\")");
    }
    // What is set of the data goes before what is set of a setting, in whichever order they are given.
    assert!(listed(LISTED, more, &["asked.plain=pink", "asked.data.hues=[\"red\", \"pink\"]"]).is_ok());
    let with = format!("{more}\n[with.asked]\nplain = \"green\"\nwarm = \"green\"");
    assert!(listed(LISTED, &with, &[]).is_ok());
    // A variant looks them up in the data of its game, and a variable does so as a setting does.
    let own = "[settings.own]\nask = \"name\"\nchoices = \"data.hues\"\n[variables]\nhue = { default = \"red\", choices = \"data.hues\" }";
    let ruleset = listed(LISTED, own, &["more.own=blue"]).unwrap();
    let hue = ruleset.definition.variables.iter().find(|variable| variable.id == "hue").unwrap();
    assert_eq!(hue.choices, ["red", "blue"]);
}

#[test]
fn a_path_to_what_are_no_choices_is_told() {
    let of = |choices: &str| LISTED.replacen("\"data.hues\"", choices, 1);
    for (game, more, set, told) in [
        (of("\"data.hue\""), "", None, "games/asked/game.toml:12:11"),
        (of("\"data.hue\""), "", None, "did you mean `hues`?"),
        (of("\"data.words.fw\""), "", None, "did you mean `few`?"),
        (of("\"data.most\""), "", None, "`data.most` must be an array"),
        (of("\"data.words\""), "", None, "it is referred to here"),
        (of("\"hues\""), "", None, "`settings.warm.choices` must be an array, or a path to one in `[data]`"),
        (LISTED.to_owned(), "\"data.hues+\" = [\"ask\"]", None, "`ask` is not a choice of `settings.warm`"),
        (LISTED.to_owned(), "\"data.hues+\" = [\"red\"]", None, "`settings.warm` has the choice `red` twice"),
        (LISTED.to_owned(), "\"data.hues+\" = [3]", None, "`data.hues[2]` must be a string"),
        (LISTED.to_owned(), "data.hues = []", None, "`data.hues` must be an array that is not empty"),
        (LISTED.to_owned(), "data.hues = [\"blue\"]", None, "`settings.plain.default` cannot be `red`"),
        (LISTED.to_owned(), "", Some("asked.warm=bluw"), "did you mean `blue`?"),
        (LISTED.to_owned(), "remove = [\"data.hues\"]", None, "there is no `data.hues`"),
        (LISTED.to_owned(), "variables.v = { default = \"\", choices = \"data.hes\" }", None, "did you mean `hues`?"),
    ] {
        let set: Vec<&str> = set.into_iter().collect();
        let error = listed(&game, more, &set).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(told), "{told}: {error}");
    }
}
