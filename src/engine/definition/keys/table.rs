//! The table of keys: a line for each, in the section that it belongs to.

use super::kind::{
    Anything, EditionNumber, FunctionName, Id, Integer, List, ListOrPath, LocalizedText, OneOf, OptionAnswer, Str,
    SubTable, Truth, VersionNumber, VersionRange,
};
use super::words::{Color, SettingAnswerer, VariableScope, VariableTypeName, VariableVisibility, ZoneScope};
use super::{Key, Requirement::*, Section};
use crate::definition::board::MAX_SIDE;
use crate::definition::{ComponentKind, MAX_SEATS, MAX_ZONES_PER_DECLARATION, Visibility, ZoneOrder};

/// Any integer.
type Number = Integer<{ i64::MIN }, { i64::MAX }>;

/// Every section, in the order of the page.
pub const SECTIONS: &[&Section] = &[
    &layer::SECTION,
    &own::SECTION,
    &overlaid::SECTION,
    &variant::SECTION,
    &library::SECTION,
    &players::SECTION,
    &script::SECTION,
    &book::SECTION,
    &chapter::SECTION,
    &example::SECTION,
    &book_names::SECTION,
    &setting::SECTION,
    &component::SECTION,
    &member::SECTION,
    &series::SECTION,
    &looks::SECTION,
    &design::SECTION,
    &part::SECTION,
    &zone::SECTION,
    &grid::SECTION,
    &variable::SECTION,
    &bound::SECTION,
    &words::SECTION,
    &prompt::SECTION,
    &scenario::SECTION,
    &when::SECTION,
    &case::SECTION,
    &step::SECTION,
    &replay::SECTION,
    &result::SECTION,
    &rules::SECTION,
    &check::SECTION,
    &pack::SECTION,
    &recommended::SECTION,
    &required::SECTION,
    &packed::SECTION,
];

/// A module for each section, with a constant for each key:
///
/// ```text
/// /// What the section is.
/// module "name" "what messages call one" at "where one stands" [or "what else may stand there"] [, open] {
///     CONSTANT "key": Kind, Need, "what it is for" [, example "how it is written"] [, value "what it may be"];
/// }
/// ```
macro_rules! keys {
    ($(
        $(#[$about:meta])*
        $module:ident $name:literal $called:literal at $path:literal $(or $or:literal)* $(, $open:ident)? {
            $($constant:ident $key:literal: $kind:ty, $need:expr, $text:literal $(, $more:ident $said:literal)*;)*
        }
    )*) => {
        $(
            $(#[$about])*
            pub mod $module {
                use super::*;

                $(
                    #[doc = $text]
                    pub const $constant: Key<$kind> = Key::new($key, $need, $text)$(.$more($said))*;
                )*

                /// The section with these keys.
                pub const SECTION: Section = Section {
                    name: $name,
                    called: $called,
                    path: $path,
                    or: &[$($or),*],
                    is_open: !concat!($(stringify!($open))?).is_empty(),
                    keys: &[$(&$constant),*],
                };
            }
        )*
    };
}

keys! {
    /// Keys that a game and a variant share.
    layer "game" "a game" at "" {
        ID "id": Id, Required, "the name of its folder; for a variant, the name of its file", example "id = \"high-card\"";
        HOUSERULE "houserule": EditionNumber, Means("a file from before this key"),
            "the [edition](#editions) of the language that it is written in", example "houserule = \"0.1\"";
        NAME "name": LocalizedText, Required, "what people call it", example "name = \"High Card\"";
        ABOUT "about": LocalizedText, Optional, "one or two sentences for `list` and `show`";
        VERSION "version": VersionNumber, Optional, "its version; use a new one each time you share it",
            example "version = \"1.0.0\"";
        AUTHOR "author": Str, Optional, "who made it", example "author = \"Ada Example\"";
        LICENCE "licence": Str, Optional, "what others may do with it: the short name of a licence, or a sentence",
            example "licence = \"CC-BY-4.0\"";
        USES "uses": List<Id>, Optional, "libraries of `scripts/` that it builds on, lowest first";
        SETTINGS "settings": SubTable, Optional, "what you can set for one game", value "a table of settings";
        SCRIPT "script": SubTable, Means("the file beside it"), "the rules, if they are in this file";
        RULEBOOK "rulebook": List<SubTable>, Means("of a game, the file beside it"),
            "the sections of its [rulebook](#the-rulebook), if they are in this file", value "an array of tables";
        NAMES "names": SubTable, Optional, "what its [rulebook](#the-rulebook) calls components, attributes and data",
            value "a table of tables";
    }

    /// Keys that only a game has.
    own "game" "a game" at "" {
        BASE "base": Id, Optional, "the game that this one is based on: it inherits everything that it does not change",
            example "base = \"high-card\"";
        REMOVE "remove": List<Str>, Optional, "what this takes away from that game, or from libraries", value "an array of paths";
    }

    /// Keys that a game declares, and a variant may change.
    overlaid "game" "a game" at "" {
        PLAYERS "players": SubTable, Required, "how many can play", example "players = { min = 2, max = 4 }",
            value "a table";
        TEAMS "teams": SubTable, Optional, "who plays together, for each number of players", example "teams.4 = [[1, 3], [2, 4]]",
            value "a table of teams";
        STANDING "standing": FunctionName, Optional,
            "scores one player: the program runs it on a copy of the table to show running points";
        TIE_BREAKS "tie_breaks": List<Str>, Optional,
            "player variables with numbers that decide between equal scores: the highest number is best, and earlier variables decide first",
            value "an array of names";
        DATA "data": SubTable, Optional, "the numbers and tables of the rulebook", example "data = { hand_size = 3 }",
            value "a table";
        COMPONENTS "components": SubTable, Optional, "cards, dice and tokens",
            example "components.card = { kind = \"card\", id = \"{number}\", attributes = { number = { from = 1, to = 20 } } }",
            value "a table of groups";
        ATTRIBUTES "attributes": SubTable, Optional, "how values of attributes are named and drawn",
            value "a table of looks";
        LOOKS "looks": SubTable, Optional, "how components look where they are [printed](print.md): no rule, and no part of the hash of the rules",
            example "looks.card = { title = \"{number}\" }", value "a table of groups";
        ZONES "zones": SubTable, Optional, "the places where components lie",
            example "zones.deck = { name = \"deck\", order = \"pile\", visible = \"none\" }", value "a table of zones";
        VARIABLES "variables": SubTable, Optional, "values that the table keeps", example "variables.pot = { default = 0 }",
            value "a table of variables";
        BOUNDS "bounds": SubTable, Optional,
            "the lowest and the highest value in one game, for `score` and for what rules measure with `metric`: [figures](lab.md#means-that-few-games-make) use them where few games make a mean",
            example "bounds.score = { min = 0, max = 100 }", value "a table of bounds";
        KEEPS "keeps": SubTable, Optional,
            "variables that carry over from one game of a [campaign](#campaigns) to the next; `false` removes one again",
            example "keeps = { score = true }", value "a table of `true` and `false`";
        TEXT "text": SubTable, Optional,
            "the words of prompts, acts, phases, reasons and remarks; `check` reports what a script uses and no layer gives, in one language or in both",
            example "text = { play_card = \"play a card\" }", value "a table of texts";
    }

    /// Keys that only a variant has.
    variant "variant" "a variant" at "" {
        GAME "game": Id, Unless("there is `games` or `games_using`"), "the game that it changes, along with the games based on that one",
            example "game = \"high-card\"";
        GAMES "games": List<Id>, Optional, "the games that it works with; its file is in `variants/any/`";
        GAMES_USING "games_using": Id, Optional, "it works with every game that uses this library of `scripts/`; its file is in `variants/any/`";
        REMOVE "remove": List<Str>, Optional,
            "what this takes away from the game: `[\"zones.market\", \"components.joker\"]`", value "an array of paths";
        REQUIRES "requires": List<Id>, Optional, "variants that must be below it: `[\"nuts\"]`";
        WITH "with": SubTable, Optional, "values for the settings of the variants that it requires, and of its game";
        CONFLICTS "conflicts": SubTable, Optional, "variants that it cannot be combined with, each with the reason: `greenhorn = \"one pays, the other charges\"`",
            example "conflicts = { other-variant = \"both change the deck\" }", value "a table of texts";
    }

    /// Keys of a library, beside those that it declares as games do.
    library "library" "a library" at "" {
        ID "id": Id, Required, "the name of its file", example "id = \"cards\"";
        HOUSERULE "houserule": EditionNumber, Means("a file from before this key"),
            "the [edition](#editions) of the language that it is written in", example "houserule = \"0.1\"";
        ABOUT "about": LocalizedText, Optional, "one or two sentences for `list` and `help`; without it, what its script says at the top";
        VERSION "version": VersionNumber, Optional, "its version; use a new one each time you share it",
            example "version = \"1.0.0\"";
        AUTHOR "author": Str, Optional, "who made it", example "author = \"Ada Example\"";
        LICENCE "licence": Str, Optional, "what others may do with it: the short name of a licence, or a sentence",
            example "licence = \"CC-BY-4.0\"";
        SCRIPT "script": SubTable, Means("the file beside it, or none"), "its functions, if they are in this file", value "a table";
    }

    /// The numbers of players that a game allows.
    players "players" "`players`" at "players" {
        MIN "min": Integer<1, { MAX_SEATS as i64 }>, Required, "the fewest", example "min = 2";
        MAX "max": Integer<1, { MAX_SEATS as i64 }>, Required, "the most", example "max = 4";
    }

    /// A script within the file.
    script "script" "`[script]`" at "script" {
        RHAI "rhai": Str, Required, "the rules, between `'''` and `'''`", example "rhai = '''fn game() { }'''";
    }

    /// The file of a game's rulebook.
    book "book" "a rulebook" at "" {
        HOUSERULE "houserule": EditionNumber, Means("a file from before this key"),
            "the [edition](#editions) of the language that it is written in", example "houserule = \"0.1\"";
        RULEBOOK "rulebook": List<SubTable>, Optional, "its sections, in order", value "an array of tables";
        NAMES "names": SubTable, Optional, "what it calls components, attributes and data", value "a table of tables";
    }

    /// A section of a rulebook.
    chapter "rulebook" "a section of a rulebook" at "rulebook" {
        ID "id": Id, Required, "its name in `rules NAME` and for variants; a variant's section with an id that is there already replaces that section",
            example "id = \"turn\"";
        TITLE "title": LocalizedText, Unless("`adds_to` is given"), "its heading", example "title = { en = \"Your turn\", ja = \"手番\" }";
        TEXT "text": LocalizedText, Required, "what it says, with [marks and places](#what-a-section-can-say)",
            example "text = \"Draw {data.draws} cards.\"";
        TELLS "tells": List<Str>, Optional, "the functions of the script that it tells", value "an array of functions";
        EXAMPLES "examples": List<Anything>, Optional,
            "[scenarios](#scenarios) by their ids; each is drawn before and after, and `scenario` with `text` gives it a heading",
            value "an array of strings, or of tables with `scenario` and `text`";
        BEFORE "before": Id, Optional, "of a new section, the one that it stands before";
        AFTER "after": Id, Optional, "of a new section, the one that it stands behind";
        ADDS_TO "adds_to": Id, Optional, "the section that it is added to; it has no heading of its own then";
        PAGE "page": Truth, Default("false"), "whether it begins on a page of its own when it is printed";
    }

    /// A scenario that a section of a rulebook shows.
    example "examples" "an example of a rulebook" at "rulebook.examples" or "string" {
        SCENARIO "scenario": Str, Required, "the id of the scenario", example "scenario = \"U1\"";
        TEXT "text": LocalizedText, Means("the title of the scenario"), "what it shows";
    }

    /// Names in a rulebook for things that have no readable name elsewhere.
    book_names "names" "`names`" at "names" {
        COMPONENTS "components": SubTable, Optional, "groups of components", value "a table of texts",
            example "components = { card = { en = \"card\", ja = \"カード\" } }";
        ATTRIBUTES "attributes": SubTable, Optional, "attributes", value "a table of texts";
        DATA "data": SubTable, Optional, "entries of `[data]`", value "a table of texts";
    }

    /// A setting: a value that a person may choose for a game.
    setting "settings" "a setting" at "settings.rounds" {
        DEFAULT "default": Anything, Unless("there is `ask`"), "the value unless somebody sets it; its type is the setting's type",
            example "default = 1", value "an integer, a boolean, a string, or an array of one of these";
        CHOICES "choices": ListOrPath<Anything>, Optional,
            "the possible values; for an array, the possible elements; a path such as `\"data.colors\"` leads to a list of them in the data of all layers";
        MIN "min": Number, Optional, "the lowest integer, also for the elements of an array";
        MAX "max": Number, Optional, "the highest";
        HELP "help": LocalizedText, Optional, "what it does";
        ASK "ask": Str, Optional, "asks for one of the `choices`, with this prompt, unless somebody sets one; without a `default`, that is `ask`";
        BY "by": OneOf<SettingAnswerer>, Default("first"), "with `ask`: who answers";
        VARIABLE "variable": Str, Means("the key itself"), "with `ask`: the variable that holds the answer, or what was set";
        NAME "name": LocalizedText, Means("the key itself"), "with `ask`: what people call that variable";
        UNLIKE "unlike": Str, Optional, "with `ask`: another such setting, whose value this one cannot have";
    }

    /// A group of components that are declared together.
    component "components" "a group of components" at "components.card" {
        KIND "kind": OneOf<ComponentKind>, Required, "what sort of object they are", example "kind = \"card\"";
        ID "id": Str, Unless("all are listed"),
            "the name of each, filled in from its attributes: `\"{color}-{number}\"`; unique in the game",
            example "id = \"{color}-{number}\"";
        FACE "face": Str, Means("the id"), "how it is drawn: `\"{number}·{color}\"`";
        BACK "back": Str, Means("one of its own"), "what is on the back: groups with the same back look alike face down";
        SIDES "sides": Anything, Means("one; for dice, 6"), "how many sides each has, or the names of the sides: `[\"day\", \"night\"]`; for dice, only how many",
            value "an integer, or an array of strings";
        COPIES "copies": Anything, Default("1"), "how many of each; `{copy}` in the id tells them apart", value "an integer";
        ATTRIBUTES "attributes": SubTable, Optional, "what is printed on them";
        LIST "list": List<SubTable>, Optional, "single components, after the others";
    }

    /// A single component of a group. Its other keys are attributes.
    member "list" "a component of a list" at "components.card.list", open {
        ID "id": Str, Unless("the group has one"), "its name", example "id = \"joker\"";
        FACE "face": Str, Means("as the group says"), "how it is drawn";
        COPIES "copies": Anything, Means("as the group says"), "how many of it", value "an integer";
    }

    /// The values of an attribute over a group of components.
    series "series" "an attribute" at "components.card.attributes.number"
        or "array" or "string" or "integer" or "boolean"
    {
        FROM "from": Anything, Unless("`each` or `cycle` is there"), "the first number of a range: one component for each number", example "from = 1",
            value "an integer";
        TO "to": Anything, Unless("`each` or `cycle` is there"), "the last number of a range", example "to = 9",
            value "an integer";
        EACH "each": Anything, Optional, "one component for each element", value "an array";
        CYCLE "cycle": Anything, Optional, "no additional components: the values repeat in turn", value "an array";
    }

    /// The name of a value of an attribute, and how it is drawn.
    looks "attributes" "the looks of a value" at "attributes.color.red" {
        EN "en": Str, Means("the value itself"), "what people call the value";
        JA "ja": Str, Optional, "the same in Japanese";
        SHORT "short": LocalizedText, Means("the name"), "one or two letters for the table";
        COLOR "color": OneOf<Color>, Optional, "a colour of the terminal";
    }

    /// How the components of a group are printed.
    design "looks" "the looks of a group" at "looks.card" {
        SIZE "size": Str, Means("as `--card` says"), "how large they are: `poker`, `bridge`, `mini`, `tarot`, `square`, or `60x90` in millimetres";
        TITLE "title": LocalizedText, Optional, "what stands at the top: `\"{number} of {suit}\"`";
        TEXT "text": LocalizedText, Optional, "what stands below";
        CORNER "corner": LocalizedText, Means("as the face says"), "what stands in the corners: `\"{number}\"`";
        CORNER_BELOW "corner_below": LocalizedText, Means("the same as in the other corner"), "what stands in the lower corner, upside down";
        ICON "icon": Str, Means("as the face says"), "what is in the middle: the name of a [sign](print.md#signs), or a file beside this one, `\"crown.svg\"` or `\"{suit}.png\"`",
            example "icon = \"star\"";
        BACK "back": LocalizedText, Means("the name of the game"), "what stands on the back";
        OF "of": SubTable, Optional, "how those with one value of an attribute look, over all this: `of.color.red = { icon = \"heart\" }`",
            value "a table of attributes";
    }

    /// How the components of a group that have one value of an attribute are printed.
    part "of" "the looks of a part" at "looks.card.of.color.red" {
        TITLE "title": LocalizedText, Optional, "what stands at the top";
        TEXT "text": LocalizedText, Optional, "what stands below";
        CORNER "corner": LocalizedText, Optional, "what stands in the corners";
        CORNER_BELOW "corner_below": LocalizedText, Optional, "what stands in the lower corner";
        ICON "icon": Str, Optional, "what is in the middle", example "icon = \"star\"";
        OF "of": SubTable, Optional, "how those of them with one value of another attribute look", value "a table of attributes";
    }

    /// A place where components lie.
    zone "zones" "a zone" at "zones.ring" {
        NAME "name": LocalizedText, Required, "what people call it", example "name = \"ring\"";
        PER "per": OneOf<ZoneScope>, Default("table"), "whose it is";
        COUNT "count": Integer<1, MAX_ZONES_PER_DECLARATION>, Means("one zone"), "several of them: `p.columns` are all, `p.columns[1]` is the first";
        GRID "grid": Anything, Optional, "the cells of a board, each its own zone: squares in columns and rows; `hex` is for hexagons, with each row half a cell further to the right; `hexagon` is for a hexagonal board with six equal sides",
            example "grid = [8, 8]", value "`[columns, rows]`, `{ hex = [columns, rows] }` or `{ hexagon = side }`";
        LIST "list": ListOrPath<Str>, Optional, "the names of places, each its own zone: `limit[\"red\"]` is that of the place `red`. A path such as `\"data.colors\"` leads to a list in the data",
            example "list = [\"red\", \"blue\"]";
        ID "id": Str, Means("the zone's own, a point and the place"), "the id of each place of `list`", example "id = \"limit_{place}\"";
        EDGES "edges": List<List<Str>>, Optional, "which places of `list` are next to each other: `[[\"harbour\", \"market\"]]`";
        REGIONS "regions": SubTable, Optional, "cells under a name: `regions.home = [\"a1:h2\", \"d3\"]`", value "a table of arrays of cells";
        ORDER "order": OneOf<ZoneOrder>, Required, "how it is ordered and drawn", example "order = \"row\"";
        VISIBLE "visible": OneOf<Visibility>, Required, "who sees the faces in it", example "visible = \"all\"";
        MARK "mark": FunctionName, Optional, "takes the zone; its result is drawn before it";
        NOTE "note": FunctionName, Optional, "takes the zone; its result is drawn after it";
    }

    /// A grid of hexagons.
    grid "grid" "a grid" at "zones.board.grid" or "array" {
        HEX "hex": List<Number>, Optional, "columns and rows of hexagons";
        HEXAGON "hexagon": Integer<1, MAX_SIDE>, Optional, "how many hexagons each of the six sides has";
    }

    /// A value that the table keeps.
    variable "variables" "a variable" at "variables.pot" {
        NAME "name": LocalizedText, Means("the key itself"), "what people call it";
        PER "per": OneOf<VariableScope>, Default("table"), "whose it is";
        TYPE "type": OneOf<VariableTypeName>, Optional, "what the variable holds, if no default can express it; players who may not know a component in it see `?`";
        DEFAULT "default": Anything, Unless("there is a `type`"),
            "the value at the start; its type is the variable's type", example "default = 0",
            value "an integer, a boolean or a string";
        CHOICES "choices": ListOrPath<Str>, Optional, "for a text: the possible values; any other value is an error. A path such as `\"data.colors\"` leads to a list in the data. An empty `default` means none yet",
            example "choices = [\"red\", \"blue\"]";
        MIN "min": Number, Optional, "for a number: the lowest value; with a `bank`, the default is 0";
        MAX "max": Number, Optional, "for a number: the highest value";
        BANK "bank": Integer<0, { i64::MAX }>, Optional,
            "for a number that each seat or team has: how many the bank has at the start. What a player gains comes from the bank, and what a player loses goes back to it";
        SHOWN "shown": Truth, Default("true"),
            "`false` keeps it out of the drawn table and the log, for internal bookkeeping";
        VISIBLE "visible": OneOf<VariableVisibility>, Default("all"), "who can read it while looking as a player";
    }

    /// The bounds of a measure.
    bound "bounds" "the bounds of a measure" at "bounds.score" {
        MIN "min": Number, Optional, "the lowest value that one game can have";
        MAX "max": Number, Optional, "the highest value that one game can have";
    }

    /// A text in each language.
    words "text" "a text" at "about" or "string" {
        EN "en": Str, Required, "English", example "en = \"ring\"";
        JA "ja": Str, Means("English is shown"), "Japanese";
    }

    /// What the text of a prompt may say beside its words.
    prompt "text" "a text" at "text.play_card" or "string" {
        SECRET "secret": Truth, Default("false"), "for a prompt: whether its answers are secret";
    }

    /// A test of rules.
    scenario "scenario" "a scenario" at "" {
        ID "id": Str, Required, "what it is called in lists", example "id = \"U1\"";
        TITLE "title": Str, Required, "what is tested, in words that are clear on their own",
            example "title = \"The highest card wins\"";
        HOUSERULE "houserule": EditionNumber, Means("a file from before this key"),
            "the [edition](#editions) of the language that it is written in", example "houserule = \"0.1\"";
        GAME "game": Str, Required, "the game", example "game = \"high-card\"";
        VARIANTS "variants": List<Str>, Optional, "the variants, as on the command line";
        SET "set": List<Str>, Optional, "what is set, as on the command line: `\"double.bonus=2\"`";
        PLAYERS "players": Integer<1, { MAX_SEATS as i64 }>, Means("the fewest that the game allows"), "how many play";
        SEED "seed": Integer<0, { i64::MAX }>, Default("1"), "the seed of chance";
        GIVEN "given": SubTable, Optional,
            "the components in each zone and the values of variables, by name: `p1.hand = [5, 80]`, `p2.lives = 1`; every other zone is empty. `components.die-3 = { value = 5, owner = \"p2\" }` sets the value, owner or `side` of a component";
        WHEN "when": SubTable, Means("the whole game is played"), "what is called; `given` requires it";
        THEN "then": List<SubTable>, Unless("there are `cases`"), "steps: each first checks, then answers",
            example "then = [{ over = true }]";
        CASES "cases": List<SubTable>, Optional,
            "many cases of one rule: the scenario runs once for each, with the `given` of the case merged into the scenario's, and the step of the case after those of `then`";
    }

    /// The call of a scenario, and its fixed random results.
    when "when" "`[when]`" at "when" {
        CALL "call": Str, Unless("there is a `rig`"), "an expression of the rules", example "call = \"turn(p1)\"";
        RIG "rig": List<Str>, Optional,
            "fixed random results: `[\"roll die-3 5\", \"lot start p2\", \"shuffle deck 14 3\"]`, a shuffle from the top down; a result with spaces needs quotes, `'lot start \"go first\"'`";
    }

    /// One of the cases of a scenario. Its other keys are those of a step.
    case "cases" "a case" at "cases", open {
        NAME "name": Str, Means("its number"), "its name in the message when it fails";
        GIVEN "given": SubTable, Optional, "what this case adds to the scenario's `given`, or replaces in it";
        CALL "call": Str, Means("as `[when]` says"), "what is called";
    }

    /// A step of a scenario: checks of the table, then an answer.
    step "then" "a step of `then`" at "then" {
        ASKS "asks": Str, Optional, "who is asked what: `\"p1 play_card\"`, `\"p1 name_color for take-any\"`";
        OPTIONS "options": List<OptionAnswer>, Optional, "exactly these are the options";
        LACKS "lacks": List<OptionAnswer>, Optional, "these are not among the options";
        REFUSES "refuses": SubTable, Optional, "these are refused, with this as part of the reason, or of its words in `[text]`: `{ 14 = \"too low\" }`";
        ZONES "zones": SubTable, Optional, "the components in each zone, in order";
        COUNTS "counts": SubTable, Optional, "how many components each zone has";
        VARIABLES "variables": SubTable, Optional, "values: `{ p1.score = 12, winner = \"p2\" }`";
        COMPONENTS "components": SubTable, Optional,
            "side, value or owner of components: `{ die-3 = { value = 5, owner = \"nobody\" } }`";
        SEES "sees": SubTable, Optional,
            "what a player sees in a zone now, `?` for a back: `{ p2.deck = [\"?\", \"?\"], p2.p1.hand = [\"?\"] }`";
        GIVES "gives": SubTable, Optional,
            "values of expressions of the rules: `{ \"points(p1)\" = 12, \"legal(p2)\" = [7, 33] }`; they do not change the table";
        AWARDS "awards": List<Str>, Optional, "all awards so far, in order: `[\"p1 27 column\"]`";
        RANKING "ranking": List<List<Str>>, Optional, "seats by rank, equal ones together: `[[\"p2\"], [\"p1\", \"p3\"]]`";
        OVER "over": Truth, Optional, "whether the rules have ended";
        TURNS "turns": Integer<0, { u32::MAX as i64 }>, Optional, "how many turns have begun";
        FAILS "fails": Str, Optional, "the rules fail with this in the message";
        CHOOSE "choose": Anything, Optional, "the answer: one option, or several", value "a string, or an array of strings";
        ANSWERS "answers": List<Anything>, Optional,
            "several answers, one after the other: `[\"5\", \"yes\", [\"a\", \"b\"]]`; the next step checks after all of them",
            value "an array of answers";
        RIG "rig": List<Str>, Optional, "fixed random results after the answer, as in `when`";
        PLAY_UNTIL "play_until": Str, Optional,
            "answers at random until `end`, `next turn`, `next round`, `next phase`, `turn 43`, `round 2`, `phase scoring`, `decision 12`";
    }

    /// A saved game.
    replay "replay" "a saved game" at "" {
        FORMAT "format": Integer<1, 4>, Required,
            "3, or 4 where people played on a live table; files of format 2, which do not say what a choice was for, and of format 1, which have labels for choices and no rules, still open",
            example "format = 3";
        GAME "game": Str, Required, "the game, as on the command line", example "game = \"high-card\"";
        VARIANTS "variants": List<Str>, Optional, "the variants, as on the command line";
        SET "set": List<Str>, Optional, "what is set, as on the command line";
        PLAYERS "players": Integer<1, { MAX_SEATS as i64 }>, Required, "how many play", example "players = 2";
        SEED "seed": Integer<0, { i64::MAX }>, Required, "the seed of chance", example "seed = 1";
        RULESET "ruleset": Str, Required, "a hash of the rules that were played", example "ruleset = \"\"";
        LOG "log": List<Anything>, Required, "one entry per line", example "log = []";
        RESULT "result": SubTable, Optional, "what `replay` compares with";
        PLAYTEST "playtest": SubTable, Optional, "what is told of the people who played";
        RULES "rules": List<SubTable>, Optional, "the text of every rule that did not come with your version of Houserule";
        CHECK "check": SubTable, Optional, "a checksum; a changed file still plays, with a warning";
    }

    /// The result of a saved game.
    result "result" "`[result]`" at "result" {
        OVER "over": Truth, Required, "whether the game was over", example "over = true";
        SCORES "scores": List<Number>, Required, "the scores", example "scores = [0, 0]";
        COURSE "course": List<List<Number>>, Optional,
            "every change of a score: `[12, 2, 30]` means that move 12 brought player 2 to 30; files of earlier versions have none";
    }

    /// Records about the people who played: their thinking times and marks.
    playtest "playtest" "`[playtest]`" at "playtest" {
        THINKING "thinking": List<List<Number>>, Optional,
            "how long people thought: `[12, 2, 3400]` means that player 2 thought about entry 12 of the log for 3.4 seconds";
        MARKS "marks": List<List<Anything>>, Optional,
            "what players marked: `[12, 2, \"unclear\", \"why?\"]` after 12 entries of the log; also `fun` and `slow`; the words may be empty";
    }

    /// A text of rules in a saved game.
    rules "rules" "`[[rules]]`" at "rules" {
        PATH "path": Str, Required, "the path of the text within a folder with rules",
            example "path = \"games/high-card/game.toml\"";
        TEXT "text": Str, Required, "the exact text", example "text = \"\"";
    }

    /// The checksum of a saved game.
    check "check" "`[check]`" at "check" {
        HASH "hash": Str, Required, "the checksum", example "hash = \"\"";
    }

    /// A pack: rules in one file to share.
    pack "pack" "a pack" at "" {
        PACK "pack": Integer<1, 1>, Required, "the number of the format", example "pack = 1";
        ID "id": Str, Required, "the game, or the game and the variant that it is named after",
            example "id = \"high-card/double\"";
        NAME "name": Str, Required, "what people call it", example "name = \"Double\"";
        VERSION "version": VersionNumber, Optional, "the version of that variant or game";
        AUTHOR "author": Str, Optional, "who made it";
        LICENCE "licence": Str, Optional, "what others may do with it";
        HOUSERULE "houserule": VersionRange, Required, "the versions of Houserule that it is for",
            example "houserule = \"^0.1.0\"";
        PLAY "play": SubTable, Required, "the game that its author recommends",
            example "play = { game = \"high-card\", players = 3, seed = 1 }";
        RESTS_ON "rests_on": List<SubTable>, Optional, "what it rests on but does not contain";
        FILES "files": List<SubTable>, Required, "its texts, sorted by path", example "files = []";
        CHECK "check": SubTable, Required, "the content hash; a pack that was changed is refused",
            example "check = { hash = \"blake3:0\" }";
    }

    /// The game that the author of a pack recommends.
    recommended "play" "`[play]`" at "play" {
        GAME "game": Id, Required, "the game", example "game = \"high-card\"";
        VARIANTS "variants": List<Id>, Optional, "the variants, lowest first";
        SET "set": List<Str>, Optional, "what is set, as on the command line";
        PLAYERS "players": Integer<1, { MAX_SEATS as i64 }>, Required, "how many play", example "players = 3";
        SEED "seed": Integer<0, { i64::MAX }>, Required, "the seed of chance", example "seed = 1";
    }

    /// A text of rules that a pack rests on but does not contain.
    required "rests_on" "`[[rests_on]]`" at "rests_on" {
        PATH "path": Str, Required, "its path within a folder with rules",
            example "path = \"games/high-card/game.toml\"";
        VERSION "version": VersionRange, Optional, "the versions of it that fit, if it has one";
        HASH "hash": Str, Required, "the hash of its texts when the pack was made", example "hash = \"blake3:0\"";
        FUNCTIONS "functions": SubTable, Optional, "the functions of it that the pack overrides, each with a hash of the original",
            value "a table of hashes";
    }

    /// A text in a pack.
    packed "files" "`[[files]]`" at "files" {
        PATH "path": Str, Required, "its path within a folder with rules", example "path = \"scripts/trick.rhai\"";
        TEXT "text": Anything, Required, "the exact text", example "text = \"\"", value "a string";
    }
}
