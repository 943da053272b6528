//! The kinds of findings of `houserule check`, each with a name that stays the same.
//!
//! The name is in the head of the message, `houserule check --explain NAME` and the documentation page explain it, and
//! other programs can tell findings apart by it.

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
    "An unknown key, a value of the wrong kind, or a name that does not exist. The message says what was expected; docs/files.md describes the files."
    "# game.toml
zones.discard = { name = \"Discard\", order = \"heap\", visible = \"all\" }"
    "# game.toml
zones.discard = { name = \"Discard\", order = \"pile\", visible = \"all\" }"

    SYNTAX "syntax" Error
    "A script cannot be read."
    "A bracket, a comma or a semicolon is missing, or something is in the wrong place. A script contains only functions."
    "let n = (1 + 2;
note(`${n}`);"
    "let n = (1 + 2);
note(`${n}`);"

    NOT_IN_RULES "not-in-rules" Error
    "Rules cannot use this part of the language."
    "Rules are written in a subset of Rhai: whole numbers, texts, lists, functions, `if`, `switch`, `while`, `loop` and `for`. The rest is left out because it hides mistakes, or because a game that uses it could not be repeated or stopped."
    "let half = 2.5;
note(`${half}`);"
    "let halves = 5;
note(`${halves / 2}`);"

    WRONG_SUPER "wrong-super" Error
    "`super` has nothing to call."
    "`super(…)` calls the definition of the same function in the layer below: one with the same name and number of parameters that is not private. You can use it only as a call inside such a function."
    "fn game() { score(players.first); }
fn score(p) { super(p); }"
    "fn game() { score(players.first); }
fn score(p) { p.award(1, \"a turn\"); }"

    RESERVED_NAME "reserved-name" Error
    "A name belongs to the host."
    "Names with `__` are for the host. A library has no `settings`, because it serves several games."
    "let the__number = 2;
note(`${the__number}`);"
    "let the_number = 2;
note(`${the_number}`);"

    MISSING_FUNCTION "missing-function" Error
    "The host would call a function that is not there."
    "A game begins in `fn game()`. Keys of the definition such as `standing`, `mark` and `note` name functions that the host calls with one player or zone."
    "fn play() { note(\"nobody calls this\"); }"
    "fn game() { note(\"a game begins here\"); }"

    UNKNOWN_NAME "unknown-name" Error
    "Nothing has this name here."
    "A function sees its parameters, the names that it makes with `let`, the zones of the table, `players`, `table`, `nobody`, `data` and `settings`. Get the zones and variables of a player from the player: `p.hand`."
    "hand.shuffle();"
    "players.first.hand.shuffle();"

    UNKNOWN_PROPERTY "unknown-property" Error
    "A value has no such property."
    "After a dot, you can write words of the vocabulary, a player's zones and variables, a component's attributes, entries of the data and settings, and the parts of options. Which of them exist depends on what is before the dot."
    "let n = deck.length;
note(`${n}`);"
    "let n = deck.len;
note(`${n}`);"

    UNKNOWN_FUNCTION "unknown-function" Error
    "There is no function or word with this name and number of arguments."
    "A function is identified by its name and its number of arguments. Words are called after a dot, functions of the scripts without one."
    "deck.mix();"
    "deck.shuffle();"

    UNKNOWN_ATTRIBUTE "unknown-attribute" Error
    "No component has such an attribute."
    "Words such as `sorted`, `sum` and `having` take the name of an attribute that `[components]` declares; `side` and `value` exist in every game."
    "deck.sorted(\"numbr\").move_to(deck);"
    "deck.sorted(\"number\").move_to(deck);"

    UNKNOWN_GROUP "unknown-group" Error
    "There is no such group of components."
    "A group is a table `[components.NAME]` of the definition."
    "components(\"cards\").move_to(deck);"
    "components(\"card\").move_to(deck);"

    UNKNOWN_ZONE "unknown-zone" Error
    "There is no such zone."
    "`zone_named` finds a zone by its id: `deck`, `p1.hand`, `p1.columns.2`; `land[\"port\"]` one of a kind by its name in `list`."
    "zone_named(\"dekc\").shuffle();"
    "zone_named(\"deck\").shuffle();"

    UNKNOWN_SIDE "unknown-side" Error
    "No component has a side of that name."
    "Sides have the names that `sides` gives them in the definition of the components."
    "components(\"tile\").turn_to(\"nihgt\");"
    "components(\"tile\").turn_to(\"night\");"

    WRONG_VALUE "wrong-value" Error
    "A value of another sort is needed here."
    "A condition is true or false, a position is a number, `for` goes through a list, and a variable keeps the sort of its default. The sort of what a function of the scripts gives is known if all its ends agree."
    "if players.len { note(\"somebody is here\"); }"
    "if players.len > 0 { note(\"somebody is here\"); }"

    WRONG_ARGUMENT "wrong-argument" Error
    "No word of this name takes such arguments."
    "The vocabulary says what each word takes; `help WORD` shows it."
    "deck.deal(\"3\", players.first.hand);"
    "deck.deal(3, players.first.hand);"

    WRONG_OPERAND "wrong-operand" Error
    "An operator does not work on these values."
    "Arithmetic works on numbers; `+` also joins texts, lists, components, zones and options of the same sort. Put values into a text with `${…}`, in backticks."
    "note(\"players: \" + players.len);"
    "note(`players: ${players.len}`);"

    NEVER_EQUAL "never-equal" Error
    "Two values are compared that are never equal."
    "Values of different sorts are never equal, and an attribute never has a value that no component was given. A `switch` compares too."
    "if players.first == 1 { note(\"the first\"); }"
    "if players.first.number == 1 { note(\"the first\"); }"

    NEVER_EMPTY "never-empty" Error
    "Several zones are asked whether they are empty."
    "`is_empty` of several zones is true if there is no zone, and of zones that the definition declares there is always one. `components` are what lies in them, `filled` are those in which something lies."
    "# game.toml
zones.pile = { name = \"Pile\", count = 2, order = \"pile\", visible = \"all\" }
# rules.rhai
if pile.is_empty { note(\"nothing left\"); }"
    "# game.toml
zones.pile = { name = \"Pile\", count = 2, order = \"pile\", visible = \"all\" }
# rules.rhai
if pile.filled.is_empty { note(\"nothing left\"); }"

    CANNOT_BE_SET "cannot-be-set" Error
    "Something is set that is not a variable."
    "You can set names made with `let`, entries of a list, and variables of a player or of the table that the definition declares. To change a zone, move components."
    "deck = 3;"
    "let deck_size = 3;
note(`${deck_size}`);"

    MISPLACED_FUNCTION "misplaced-function" Error
    "A function is used where a value is expected."
    "You can use a function only where a word takes one, written in place or by its name. You cannot keep it, return it or pass it to a function of the scripts."
    "let twice = |n| n * 2;"
    "note(`${[1, 2].map(|n| n * 2)}`);"

    WRONG_FUNCTION "wrong-function" Error
    "A word takes another function here."
    "A word calls its function with a fixed number of arguments: usually one; `together` calls its second function with two."
    "players.for_each(|p, n| p.award(n, \"turn\"));"
    "players.for_each(|p| p.award(1, \"turn\"));"

    METRIC_NAME "metric-name" Error
    "A metric of the rules cannot have this name."
    "What rules measure with `metric` appears in tables, files and goals under its name. A name has at most 40 letters, digits, `-`, `_` and `.`."
    "metric(\"cards wasted\", 1);"
    "metric(\"cards-wasted\", 1);"

    NO_GAME "no-game" Warning
    "A variant is for a game that is not there."
    "No `game.toml` has the id that `game` or `games` names, or no script of `scripts/` has the name behind `games_using`. Nobody can play the variant with that game, so check the spelling, or install the game."
    "# any.toml
games = [\"small\", \"smalll\"]"
    "# any.toml
games = [\"small\"]"

    METRIC_TAKEN "metric-taken" Warning
    "A metric of the rules has the name of a measure that every game has."
    "Tables, files and goals have measures such as `ties`, `score` and `turns` for every game. A metric of the rules with such a name appears there as `metric.ties`; a goal such as `ties < 10%` is about the measure."
    "metric(\"ties\", 1);"
    "metric(\"tied-tricks\", 1);"

    UNMEASURED_BOUNDS "unmeasured-bounds" Warning
    "Bounds are given for something that no rule measures."
    "`bounds` says between what values `score`, or what rules measure with `metric`, lie in one game. Other measures have no bounds of their own. A metric with the name of a measure is called `metric.NAME`, in quotes. If a script makes the name of its metric as it runs, ignore this warning."
    "# game.toml
bounds.prise = { min = 0, max = 9 }
# rules.rhai
metric(\"prize\", 3);"
    "# game.toml
bounds.prize = { min = 0, max = 9 }
# rules.rhai
metric(\"prize\", 3);"

    REASON_CHANGES "reason-changes" Error
    "The code that says why something is not allowed changes the game."
    "The list of options that a choice does not allow, and the function that says why, are computed only when somebody may read the reasons. The game must be the same without them. So they and the functions that they call cannot ask anybody, move anything, set anything outside themselves or draw lots, and they cannot leave with `return`, `break` or `throw`."
    "let seen = 0;
players.first.choose(\"card\", deck, players.last.hand, |card| { seen += 1; \"another's\" });
note(`${seen}`);"
    "components(\"card\").move_to(deck);
players.first.choose(\"card\", deck, players.last.hand, |card| \"another's\");"

    FAILS_IN_PLAY "fails-in-play" Error
    "The rules fail when they are played."
    "`check` plays a random game of each ruleset with the fewest and the most players, and stops a game that goes on for long. It reports a failure with the command that leads to the same place. If it finds nothing, the rules can still fail elsewhere."
    "let shares = 0;
for p in players { shares += p.hand.len; }
note(`${12 / shares}`);"
    "let shares = 0;
for p in players { shares += p.hand.len; }
if shares > 0 { note(`${12 / shares}`); }"

    UNCALLED "uncalled" Warning
    "Nothing calls a function."
    "Neither the rules nor the host call it. In a variant, its name or its number of parameters most likely differs from the function that it should override. A function of a game counts as called if one of the game's variants calls it."
    "fn game() { note(\"begin\"); }
fn finish() { note(\"end\"); }"
    "fn game() { note(\"begin\"); finish(); }
fn finish() { note(\"end\"); }"

    UNUSED_NAME "unused-name" Warning
    "A name is made with `let` and never read."
    "Either you wrote another name where this one should be read, or you can delete it. Names that begin with `_` are not reported."
    "let first = players.first;
note(\"begin\");"
    "let first = players.first;
note(`${first} begins`);"

    UNUSED_VARIABLE "unused-variable" Warning
    "A declared variable is never read."
    "Nothing uses it, or scripts only set it and no player may see it. Awards add to `score` by themselves."
    "# game.toml
variables.pot = { default = 0 }"
    "# game.toml
variables.pot = { default = 0 }
# rules.rhai
table.pot += 1;"

    UNUSED_SETTING "unused-setting" Warning
    "A setting is declared and never read."
    "Changing it has no effect. A script reads the settings of its own layer as `settings.NAME`."
    "# game.toml
settings.rounds.default = 3"
    "# game.toml
settings.rounds.default = 3
# rules.rhai
for round in 1..=settings.rounds { begin_round(); }"

    UNUSED_DATA "unused-data" Warning
    "An entry of the data is never used."
    "No script reads it as `data.NAME`, and no component is made from it."
    "# game.toml
data.hand_size = 5"
    "# game.toml
data.hand_size = 5
# rules.rhai
deck.deal(data.hand_size, players.first.hand);"

    UNFITTING_REMARK "unfitting-remark" Warning
    "A remark has more or fewer values than its text has gaps."
    "Each `{}` in a text of `[text]` takes the next value of `note`, and `{1}` the second. Values beyond them are not shown; with too few, the game fails when the remark is written, or a gap stays empty."
    "# game.toml
text.cards_left = \"{} has cards left\"
# rules.rhai
note(\"cards_left\", [players.first, players.first.hand.len]);"
    "# game.toml
text.cards_left = \"{} has {} cards left\"
# rules.rhai
note(\"cards_left\", [players.first, players.first.hand.len]);"

    UNUSED_TEXT "unused-text" Warning
    "A text has words and is never shown."
    "No script uses its key as a prompt, an act, a reason, a phase or a remark. Most likely the script spells the key differently."
    "# game.toml
text.finsh = \"The end\""
    "# game.toml
text.finish = \"The end\"
# rules.rhai
note(\"finish\");"

    UNASKED_PROMPT "unasked-prompt" Warning
    "`policy` looks for a prompt that nothing asks."
    "That part of `policy` never runs, so agents play as if it were not there. Most likely the prompt is spelt differently where the rules ask."
    "# functions
fn policy(p, prompt, options) { if prompt == \"crad\" { options.first } else { [] } }
# rules.rhai
players.first.choose(\"card\", [1, 2]);"
    "# functions
fn policy(p, prompt, options) { if prompt == \"card\" { options.first } else { [] } }
# rules.rhai
players.first.choose(\"card\", [1, 2]);"

    UNOFFERED_ACT "unoffered-act" Warning
    "Rules look for an act that no option has."
    "What stands behind it never runs. Most likely the act is spelt differently where the options are made."
    "# rules.rhai
let choice = players.first.choose(\"move\", act(\"load\") + act(\"burn\"));
if choice.act == \"lod\" { players.first.award(1, \"load\"); }"
    "# rules.rhai
let choice = players.first.choose(\"move\", act(\"load\") + act(\"burn\"));
if choice.act == \"load\" { players.first.award(1, \"load\"); }"

    UNKNOWN_PART "unknown-part" Warning
    "The text of an act has a name in braces that no option fills."
    "In the text of an act, `{card}` is where the part `card` of the option is told. Players read any other name as it stands."
    "# game.toml
text.bid = \"{cuont} dice\"
# rules.rhai
players.first.choose(\"bid\", acts(\"bid\", \"count\", [1, 2]));"
    "# game.toml
text.bid = \"{count} dice\"
# rules.rhai
players.first.choose(\"bid\", acts(\"bid\", \"count\", [1, 2]));"

    UNTOLD "untold" Warning
    "Players see a name of the script because `[text]` has no words for it."
    "What players read while they play (prompts, acts, reasons for points, refusals, phases, lots, remarks) is a key of `[text]`. If the game has words in two languages, each text should have both."
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

    UNTOLD_RULE "untold-rule" Warning
    "A function asks a player, gives points or ends the game, and the rulebook does not tell it; or a section says nothing yet."
    "A game or variant that has a rulebook tells there whatever players have to know. `tells` of a section names the functions that it tells. A private function is a part of what calls it. A section says nothing as long as its heading or its text is `…`, as `houserule new rulebook` writes it. Files without a rulebook get no such warning."
    "# game.toml
[[rulebook]]
id = \"turn\"
title = \"Your turn\"
text = \"You may begin.\"
# rules.rhai
players.first.may(\"begin\");"
    "# game.toml
[[rulebook]]
id = \"turn\"
title = \"Your turn\"
text = \"You may begin.\"
tells = [\"game\"]
# rules.rhai
players.first.may(\"begin\");"

    STALE_RULEBOOK "stale-rulebook" Warning
    "The rulebook names something that is not there."
    "`tells` names functions of the script, `examples` scenarios, `before`, `after` and `adds_to` sections, `[names]` components, attributes and data; what stands in braces is filled from the rules. If one of them has gone or has another name, the rulebook tells rules that are no longer so."
    "# game.toml
[[rulebook]]
id = \"aim\"
title = \"Aim\"
text = \"Have the most cards of the {zones.dekc}.\""
    "# game.toml
[[rulebook]]
id = \"aim\"
title = \"Aim\"
text = \"Have the most cards of the {zones.deck}.\""

    WRITTEN_NUMBER "written-number" Warning
    "A number of the rules is written out in the rulebook."
    "If a variant or a setting changes the number, the rulebook still has the old one. Write its place in braces: `{data.hand_size}`. Numbers up to 6, and those that two entries of the data have, are not looked at. If the number only happens to be the same, write it in braces: `{7}`."
    "# game.toml
data = { hand_size = 7 }
[[rulebook]]
id = \"deal\"
title = \"Deal\"
text = \"Everybody has 7 cards.\"
# rules.rhai
deck.deal(data.hand_size, players.first.hand);"
    "# game.toml
data = { hand_size = 7 }
[[rulebook]]
id = \"deal\"
title = \"Deal\"
text = \"Everybody has {data.hand_size} cards.\"
# rules.rhai
deck.deal(data.hand_size, players.first.hand);"

    UNTRANSLATED_RULEBOOK "untranslated-rulebook" Warning
    "A section of the rulebook lacks a language that others have."
    "Who reads the rulebook in that language gets this section in English. A rulebook that is in one language alone gets no such warning."
    "# game.toml
[[rulebook]]
id = \"aim\"
title = { en = \"Aim\", ja = \"目的\" }
text = \"Have the most cards.\""
    "# game.toml
[[rulebook]]
id = \"aim\"
title = { en = \"Aim\", ja = \"目的\" }
text = { en = \"Have the most cards.\", ja = \"カードを一番多く集めます。\" }"

    UNUSED_LOOKS "unused-looks" Warning
    "Looks are given for a value that no component of the group has."
    "What stands under `of` is for the components with that value. If the value is misspelled or has gone, nothing is printed like this. Only the looks that the checked layer gives itself are looked at."
    "# game.toml
[looks.card.of.number.9]
icon = \"star\""
    "# game.toml
[looks.card.of.number.1]
icon = \"star\""

    HIDES_WORD "hides-word" Warning
    "A function has the name of a word, and is called instead of it."
    "What a script defines goes before what the vocabulary has, so that a word that comes later breaks no rules. The layers below the function still mean the word. A word that is written behind a dot, `zone.shuffle()`, is never hidden. If the function was not meant to take the place of the word, give it another name."
    "# functions
fn draw_number(lot, low, high) { high }
# rules.rhai
note(`${draw_number(\"a number\", 1, 6)}`);"
    "# functions
fn highest(low, high) { high }
# rules.rhai
note(`${highest(1, 6)}`);"

    OLD_NAME "old-name" Warning
    "A file of an earlier edition uses the name that a word had then."
    "The file keeps working: the name means what it meant. `houserule upgrade FILE` writes the name of today, and the edition, into the file."
    "let different = players.first.hand.distinct(\"number\");
note(`${different}`);"
    "let different = players.first.hand.count_distinct(\"number\");
note(`${different}`);"

    LOST_RULE "lost-rule" Warning
    "A variant replaces a function of another variant, or a library one of another library, without calling `super`."
    "The lower rule has no effect then. Let the upper one call `super`, or declare with `conflicts` that the two cannot be combined."
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

    UNKNOWN_CONFLICT "unknown-conflict" Warning
    "`[conflicts]` names a variant that there is not, and another has nearly that name."
    "Most likely the name is misspelt, and the two variants can still be combined."
    "# one.toml
conflicts.tow = \"both set the size of hands\"
# two.toml
data.hand_size = 6"
    "# one.toml
conflicts.two = \"both set the size of hands\"
# two.toml
data.hand_size = 6"

    LOST_VALUE "lost-value" Warning
    "A variant replaces a value that another variant has set, or a library one of another library."
    "The lower value has no effect. You can add to a list instead of replacing it; if the two variants contradict each other, declare `conflicts`."
    "# one.toml
data.hand_size = 5
# two.toml
data.hand_size = 6"
    "# one.toml
data.hand_size = 5"

    OTHER_RESULT "other-result" Warning
    "A function gives another sort of value than the one that it overrides."
    "Its callers rely on the value that the lower layer's definition gives. Usually a `super(…)` is in the middle, so its value is lost."
    "# rules.rhai
note(`points: ${score(players.first)}`);
# one.rhai
fn score(p) { super(p); note(\"scored\"); }"
    "# rules.rhai
note(`points: ${score(players.first)}`);
# one.rhai
fn score(p) { note(\"scored\"); super(p) }"

    ORDER "order" Warning
    "The order of two variants matters."
    "Both change the same function, and random games differ between the two orders. If a variant needs the other one below it, declare that with `requires`."
    ""
    ""

    ASKS_NOBODY "asks-nobody" Warning
    "A game is over before anybody is asked anything."
    "A loop that should ask never begins: look at its condition."
    "note(\"over\");"
    "players.first.may(\"begin\");"

    NOT_DRAWN "not-drawn" Warning
    "A function that the host calls to draw the table fails."
    "Standings, marks and notes of zones are computed while a game waits for an answer, even at the start, when zones may be empty."
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
    "A function that agents or `hunt` use fails, or gives something that they cannot use."
    "The host calls `value`, `policy`, `doubt` and `invariant` if the rules have them. If one fails, asks a player, runs for too long or gives the wrong thing, agents ignore it. `check` tries them at the first 50 decisions of a random game, for each number of players; `sim`, `compare`, `ladder`, `hunt`, `trace`, `hint`, `analyze` and a session in which agents play report what they find."
    "# rules.rhai
players.first.may(\"begin\");
# functions
fn value(p) { `${p.score} points` }"
    "# rules.rhai
players.first.may(\"begin\");
# functions
fn value(p) { p.score }"
}

/// The kind of finding with a name; `None` where there is none.
pub fn find(name: &str) -> Option<&'static Code> {
    CODES.iter().copied().find(|code| code.name == name)
}

/// The documentation page about all kinds of findings, as Markdown.
pub fn page() -> String {
    let mut text = String::from(INTRODUCTION);
    for (heading, severity) in [("Errors", Severity::Error), ("Warnings", Severity::Warning)] {
        text.push_str(&format!("\n## {heading}\n"));
        for code in CODES.iter().filter(|code| code.severity == severity) {
            text.push_str(&format!("\n### `{}`\n\n{} {}\n", code.name, code.title, code.explanation));
            for (head, rules) in [("These rules have it:", code.example), ("These do not:", code.instead)] {
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

`houserule check` finds mistakes in rules before anybody plays them. Each kind of finding has a name, which you see at
the start of the message: `error[unknown-name]: …`. `houserule check --explain NAME` and `help NAME` in the REPL show
what this page says about it; in `houserule check --json`, it is the `code`. Rules with an error are refused; a
warning is about something that is allowed but most likely not intended. This page is made from the program.
";
