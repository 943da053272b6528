//! What `houserule check` can find, each kind with a name that stays the same.
//!
//! The name stands in the head of the message, `houserule check --explain NAME` and the page of the documentation tell
//! more of it, and other programs can tell findings apart by it.

use crate::definition::keys::page::with_contents;
use crate::diagnostic::{Code, Severity};

macro_rules! codes {
    ($(
        $constant:ident $name:literal $severity:ident $title:literal
        $explanation:literal
        $example:literal
        $instead:literal
    )*) => {
        $(
            #[doc = $title]
            pub const $constant: &Code = &Code {
                name: $name,
                severity: Severity::$severity,
                title: $title,
                explanation: $explanation,
                example: $example,
                instead: $instead,
            };
        )*

        /// Every kind of finding.
        pub const CODES: &[&Code] = &[$($constant),*];
    };
}

codes! {
    DEFINITION "definition" Error
    "A TOML file has something that a game or variant cannot have."
    "A key that means nothing, a value of another kind, something that is named and not there. The message says what was expected; the files themselves are described in docs/files.md."
    "# game.toml
zones.discard = { name = \"Discard\", order = \"heap\", visible = \"all\" }"
    "# game.toml
zones.discard = { name = \"Discard\", order = \"pile\", visible = \"all\" }"

    SYNTAX "syntax" Error
    "A script cannot be read."
    "A bracket, a comma or a semicolon is missing, or something stands where it does not belong. A script holds functions, and nothing outside them."
    "let n = (1 + 2;
note(`${n}`);"
    "let n = (1 + 2);
note(`${n}`);"

    NOT_IN_RULES "not-in-rules" Error
    "Rules do without this part of the language."
    "Rules are written in a part of Rhai: whole numbers, texts, lists, functions, `if`, `switch`, `while`, `loop` and `for`. The rest is left out because it hides mistakes, or because a game could not be repeated or stopped with it."
    "let half = 2.5;
note(`${half}`);"
    "let halves = 5;
note(`${halves / 2}`);"

    WRONG_SUPER "wrong-super" Error
    "`super` has nothing to call."
    "`super(…)` calls the definition of the same function in the layer below: one of the same name, with as many parameters, that is not private. It stands only as a call inside such a function."
    "fn game() { score(players.first); }
fn score(p) { super(p); }"
    "fn game() { score(players.first); }
fn score(p) { p.award(1, \"a turn\"); }"

    RESERVED_NAME "reserved-name" Error
    "A name belongs to the host or to the vocabulary."
    "A function with the name of a word would be called in its place, also by the layers below. Names with `__` are those that the host makes itself, and a library, which serves several games, has no `settings`."
    "fn game() { shuffle(deck); }
fn shuffle(zone) { note(\"shuffled\"); }"
    "fn game() { mix(deck); }
fn mix(zone) { zone.shuffle(); }"

    MISSING_FUNCTION "missing-function" Error
    "The host would call a function that is not there."
    "A game begins in `fn game()`. Keys of the definition such as `standing`, `mark` and `note` name functions that the host calls with one player or zone."
    "fn play() { note(\"nobody calls this\"); }"
    "fn game() { note(\"a game begins here\"); }"

    UNKNOWN_NAME "unknown-name" Error
    "Nothing has this name here."
    "A function sees its parameters, what it makes with `let`, the zones of the table, `players`, `table`, `nobody`, `data` and `settings`. Zones and variables of a player are asked of the player: `p.hand`."
    "hand.shuffle();"
    "players.first.hand.shuffle();"

    UNKNOWN_PROPERTY "unknown-property" Error
    "A value has no such property."
    "Behind a dot stand words of the vocabulary, a player's zones and variables, a component's attributes, entries of the data and settings, and the parts of options. Which of them are there depends on what stands before the dot."
    "let n = deck.size;
note(`${n}`);"
    "let n = deck.len;
note(`${n}`);"

    UNKNOWN_FUNCTION "unknown-function" Error
    "No function and no word is called so with these many arguments."
    "Functions are told apart by their name and the number of their arguments. Words are called behind a dot, functions of the scripts without one."
    "deck.mix();"
    "deck.shuffle();"

    UNKNOWN_ATTRIBUTE "unknown-attribute" Error
    "No component has such an attribute."
    "Words such as `sorted`, `sum` and `having` take the name of an attribute that `[components]` declares; `side` and `value` are there in every game."
    "deck.sorted(\"numbr\").move_to(deck);"
    "deck.sorted(\"number\").move_to(deck);"

    UNKNOWN_GROUP "unknown-group" Error
    "There is no such group of components."
    "A group is a table `[components.NAME]` of the definition."
    "components(\"cards\").move_to(deck);"
    "components(\"card\").move_to(deck);"

    UNKNOWN_ZONE "unknown-zone" Error
    "There is no such zone."
    "`zone_named` finds a zone by its id: `deck`, `p1.hand`, `p1.columns.2`."
    "zone_named(\"dekc\").shuffle();"
    "zone_named(\"deck\").shuffle();"

    UNKNOWN_SIDE "unknown-side" Error
    "No component has a side of that name."
    "Sides have the names that `sides` gives them in the definition of the components."
    "components(\"tile\").turn_to(\"nihgt\");"
    "components(\"tile\").turn_to(\"night\");"

    WRONG_VALUE "wrong-value" Error
    "A value of another sort is needed here."
    "A condition is true or false, a position is a number, `for` goes through a list, and a variable keeps the sort of its default. What a function of the scripts gives is known where all its ends agree."
    "if players.len { note(\"somebody is here\"); }"
    "if players.len > 0 { note(\"somebody is here\"); }"

    WRONG_ARGUMENT "wrong-argument" Error
    "No word of this name takes such arguments."
    "The vocabulary says what each word takes; `help WORD` shows it."
    "deck.deal(\"3\", players.first.hand);"
    "deck.deal(3, players.first.hand);"

    WRONG_OPERAND "wrong-operand" Error
    "An operator does not work on these values."
    "Signs of arithmetic stand between numbers, `+` also between texts, lists, components, zones and options of the same sort. Values come into a text by `${…}` in backticks."
    "note(\"players: \" + players.len);"
    "note(`players: ${players.len}`);"

    NEVER_EQUAL "never-equal" Error
    "Two values are compared that are never equal."
    "Values of different sorts are never equal, and an attribute never has a value that no component was given. A `switch` compares too."
    "if players.first == 1 { note(\"the first\"); }"
    "if players.first.number == 1 { note(\"the first\"); }"

    CANNOT_BE_SET "cannot-be-set" Error
    "Something is set that is not a variable."
    "What can be set: names made with `let`, entries of a list, and variables that the definition declares, of a player or of the table. Zones change by moving components."
    "deck = 3;"
    "let deck_size = 3;
note(`${deck_size}`);"

    MISPLACED_FUNCTION "misplaced-function" Error
    "A function stands where a value is expected."
    "A function stands only where a word takes one, written in place or by its name. It cannot be kept, returned or handed to a function of the scripts."
    "let twice = |n| n * 2;"
    "note(`${[1, 2].map(|n| n * 2)}`);"

    WRONG_FUNCTION "wrong-function" Error
    "A word takes another function here."
    "A word gives its function a fixed number of arguments: mostly one, `together` gives its second function two."
    "players.for_each(|p, n| p.award(n, \"turn\"));"
    "players.for_each(|p| p.award(1, \"turn\"));"

    METRIC_NAME "metric-name" Error
    "A figure of the rules' own cannot have this name."
    "What rules measure with `metric` stands in tables, files and goals under its name: letters, digits, `-`, `_` and `.`, at most 40 of them."
    "metric(\"cards wasted\", 1);"
    "metric(\"cards-wasted\", 1);"

    METRIC_TAKEN "metric-taken" Warning
    "A figure of the rules' own is called like one that every game has."
    "Tables, files and goals have measures such as `ties`, `score` and `turns` of every game. What rules measure with `metric` under such a name stands there as `metric.ties`, and a goal such as `ties < 10%` is about the measure."
    "metric(\"ties\", 1);"
    "metric(\"tied-tricks\", 1);"

    REASON_CHANGES "reason-changes" Error
    "What tells why something is not allowed changes the game."
    "What stands in a choice for the options that are not allowed, and the function that says why, are worked out only where somebody may read the reasons. The game has to go the same way elsewhere, so they and the functions that they call ask nobody, move and set nothing outside themselves, and draw no lots; and they do not go on elsewhere with `return`, `break` or `throw`."
    "let seen = 0;
players.first.choose(\"card\", deck, players.last.hand, |card| { seen += 1; \"another's\" });
note(`${seen}`);"
    "components(\"card\").move_to(deck);
players.first.choose(\"card\", deck, players.last.hand, |card| \"another's\");"

    FAILS_IN_PLAY "fails-in-play" Error
    "The rules cannot go on when they are played."
    "`check` plays a game of each choice of rules with the fewest and the most players, chooses at random, and stops where the game has gone on for long. What is found so is told with the command that comes to the same place. That nothing was found does not mean that nothing can fail."
    "let shares = 0;
for p in players { shares += p.hand.len; }
note(`${12 / shares}`);"
    "let shares = 0;
for p in players { shares += p.hand.len; }
if shares > 0 { note(`${12 / shares}`); }"

    UNCALLED "uncalled" Warning
    "Nothing calls a function."
    "Neither the rules nor the host call it. In a variant, its name or the number of its parameters is most likely not that of the function that it was to take the place of. A function of a game counts as called if one of the game's variants calls it."
    "fn game() { note(\"begin\"); }
fn finish() { note(\"end\"); }"
    "fn game() { note(\"begin\"); finish(); }
fn finish() { note(\"end\"); }"

    UNUSED_NAME "unused-name" Warning
    "A name is made with `let` and never read."
    "Either another name was meant where it should be read, or it can go. A name that begins with `_` is left alone."
    "let first = players.first;
note(\"begin\");"
    "let first = players.first;
note(`${first} begins`);"

    UNUSED_VARIABLE "unused-variable" Warning
    "A declared variable is never read."
    "Nothing uses it, or scripts only set it and no player may see it. Points come to `score` by themselves."
    "# game.toml
variables.pot = { default = 0 }"
    "# game.toml
variables.pot = { default = 0 }
# rules.rhai
table.pot += 1;"

    UNUSED_SETTING "unused-setting" Warning
    "A setting is declared and never read."
    "Whoever changes it changes nothing. A script reads the settings of its own layer as `settings.NAME`."
    "# game.toml
settings.rounds.default = 3"
    "# game.toml
settings.rounds.default = 3
# rules.rhai
for round in 1..=settings.rounds { begin_round(); }"

    UNUSED_DATA "unused-data" Warning
    "An entry of the data is never used."
    "Neither a script reads it as `data.NAME`, nor a component is made of it."
    "# game.toml
data.hand_size = 5"
    "# game.toml
data.hand_size = 5
# rules.rhai
deck.deal(data.hand_size, players.first.hand);"

    UNUSED_TEXT "unused-text" Warning
    "A text has words and is never shown."
    "No script gives its key as a prompt, an act, a reason, a phase or a remark. Most likely the key is written in another way there."
    "# game.toml
text.finsh = \"The end\""
    "# game.toml
text.finish = \"The end\"
# rules.rhai
note(\"finish\");"

    UNTOLD "untold" Warning
    "People read a name of the script because `[text]` has no words for it."
    "What players read while they play (prompts, acts, reasons for points, phases, remarks) is a key of `[text]`. Where the game has words in two languages, each text should."
    "# game.toml
text.win = \"victory\"
# rules.rhai
players.first.award(1, \"going_out\");
players.last.award(1, \"win\");"
    "# game.toml
text.win = \"victory\"
text.going_out = \"going out\"
# rules.rhai
players.first.award(1, \"going_out\");
players.last.award(1, \"win\");"

    LOST_RULE "lost-rule" Warning
    "A variant replaces a function of another variant without calling `super`."
    "The lower variant's rule has no effect then. Let the upper one call `super`, or declare that the two do not go together: `conflicts`."
    "# rules.rhai
score(players.first);
# one.rhai
fn score(p) { super(p); p.award(1, \"one\"); }
# two.rhai
fn score(p) { p.award(2, \"two\"); }"
    "# rules.rhai
score(players.first);
# one.rhai
fn score(p) { super(p); p.award(1, \"one\"); }
# two.rhai
fn score(p) { super(p); p.award(2, \"two\"); }"

    LOST_VALUE "lost-value" Warning
    "A variant replaces a value that another variant has set."
    "The lower variant's value has no effect. A list can be added to instead of being replaced; two variants that cannot both be right should declare `conflicts`."
    "# one.toml
data.hand_size = 5
# two.toml
data.hand_size = 6"
    "# one.toml
data.hand_size = 5"

    OTHER_RESULT "other-result" Warning
    "A function gives another sort of value than the one that it takes the place of."
    "Whoever calls it relies on the value that the lower layer's definition gives. Mostly a `super(…)` stands in the middle, and what it gives is lost."
    "# rules.rhai
note(`points: ${score(players.first)}`);
# one.rhai
fn score(p) { super(p); note(\"scored\"); }"
    "# rules.rhai
note(`points: ${score(players.first)}`);
# one.rhai
fn score(p) { note(\"scored\"); super(p) }"

    ORDER "order" Warning
    "It matters in which order two variants lie over each other."
    "Both change the same function, and random games go differently one way round and the other. A variant that needs another below it says so with `requires`."
    ""
    ""

    ASKS_NOBODY "asks-nobody" Warning
    "A game is over before anybody was asked anything."
    "A loop that should ask never begins: look at its condition."
    "note(\"over\");"
    "players.first.may(\"begin\");"

    NOT_DRAWN "not-drawn" Warning
    "A function that the host calls to draw the table fails."
    "Standings, marks and notes of zones are worked out while a game waits for an answer, also at its beginning, when zones may be empty."
    "# game.toml
standing = \"standing\"
# rules.rhai
players.first.may(\"begin\");
# functions
fn standing(p) { p.award(1 / p.number - 1 / p.score, \"points\"); }"
    "# game.toml
standing = \"standing\"
# rules.rhai
players.first.may(\"begin\");
# functions
fn standing(p) { p.award(1, \"points\"); }"

    ASKED_FAILS "asked-fails" Warning
    "A function that agents or a hunt go by fails, or gives something that is of no use to them."
    "`value`, `policy` and `invariant` are asked for by the host where rules have them. Where one fails, asks a player or goes on for long, or gives something else than it should, agents do as if it were not there. `check` tries them at the first decision of a game, for each number of players; `sim`, `compare`, `ladder`, `hunt`, `hint` and `analyze` tell what they come upon."
    "# rules.rhai
players.first.may(\"begin\");
# functions
fn value(p) { `${p.score} points` }"
    "# rules.rhai
players.first.may(\"begin\");
# functions
fn value(p) { p.score }"
}

/// The kind of that name.
pub fn find(name: &str) -> Option<&'static Code> {
    CODES.iter().copied().find(|code| code.name == name)
}

/// The page of the documentation about all of them, as Markdown.
pub fn page() -> String {
    let mut text = String::from(INTRODUCTION);
    for (heading, severity) in [("Errors", Severity::Error), ("Warnings", Severity::Warning)] {
        text.push_str(&format!("\n## {heading}\n"));
        for code in CODES.iter().filter(|code| code.severity == severity) {
            text.push_str(&format!("\n### `{}`\n\n{} {}\n", code.name, code.title, code.explanation));
            for (head, rules) in [("Such rules have it:", code.example), ("These do not:", code.instead)] {
                if !rules.is_empty() {
                    text.push_str(&format!("\n{head}\n\n```text\n{rules}\n```\n"));
                }
            }
        }
    }
    with_contents(&text)
}

const INTRODUCTION: &str = "\
# What `check` finds

`houserule check` finds mistakes in rules before anybody plays them. Each kind of finding has a name, which stands in the
head of the message: `error[unknown-name]: …`. `houserule check --explain NAME` and `help NAME` in the REPL show what
this page says of it, and `houserule check --json` gives it as `code`. Rules with an error are refused; a warning tells
of what is allowed and most likely not meant. This page is made from the program.
";
