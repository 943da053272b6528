//! Names of other systems for keys that have another name here: boardgame.io, Tabletop Simulator, Cockatrice and Magic
//! Set Editor, nanDECK, Squib, Ludii, VASSAL, and cards that somebody keeps in YAML, JSON or a spreadsheet.

use super::table::{
    component, layer, looks, players, replay, scenario, series, setting, step, variable, variant, when, words, zone,
};
use super::{SECTIONS, Section};

/// A hint where to write what a key of another system means; `None` where the key is not known. `what` is the name of
/// its table in messages.
pub fn foreign(what: &str, key: &str) -> Option<&'static str> {
    let is = |section: &Section| section.called == what;
    let plain: String =
        key.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect();
    let word = plain.as_str();
    if is(&layer::SECTION) || is(&variant::SECTION) {
        of_rules(word)
    } else if is(&component::SECTION) {
        of_components(word)
    } else if is(&series::SECTION) {
        of_series(word)
    } else if is(&looks::SECTION) {
        of_looks(word)
    } else if is(&zone::SECTION) {
        of_zone(word)
    } else if is(&variable::SECTION) {
        of_variable(word)
    } else if is(&setting::SECTION) {
        of_setting(word)
    } else if is(&players::SECTION) {
        of_players(word)
    } else if is(&words::SECTION) {
        of_text(word)
    } else if is(&scenario::SECTION) {
        of_scenario(word)
    } else if is(&when::SECTION) {
        of_when(word)
    } else if is(&step::SECTION) {
        of_step(word)
    } else {
        None
    }
}

/// The sections that have a key, among those of the same sort of file with another name in messages than `what`.
pub fn sections_with<'k>(what: &str, key: &'k str) -> impl Iterator<Item = &'static Section> + use<'k> {
    let place = |called: &str| SECTIONS.iter().position(|section| section.called == called);
    // 0 for rules, 1 for scenarios, 2 for what the program writes, in which nobody looks for a key.
    let file = move |called: &str| {
        let ends = [&scenario::SECTION, &replay::SECTION].map(|section| place(section.called));
        ends.iter().take_while(|end| place(called) >= **end).count()
    };
    let own = place(what).map(|_| file(what)).filter(|file| *file < 2);
    let others = SECTIONS.iter().copied().filter({
        let what = what.to_owned();
        move |section| section.called != what && Some(file(section.called)) == own
    });
    others.filter(move |section| section.has(key))
}

/// Hints for keys at the top of a game or a variant.
fn of_rules(word: &str) -> Option<&'static str> {
    Some(match word {
        "prompt" | "prompts" | "message" | "messages" | "string" | "strings" | "labels" | "translation"
        | "translations" | "locale" | "locales" | "i18n" | "lang" | "language" | "languages" | "words" | "texts"
        | "dialogs" | "help" => {
            "prompts and other words are in `[text]`: `play_card = { en = \"play a card\", ja = \"…\" }`"
        }
        "card" | "cards" | "deck" | "decks" | "customdeck" | "die" | "dice" | "token" | "tokens" | "piece"
        | "pieces" | "pieceslot" | "prototype" | "prototypes" | "tile" | "tiles" | "equipment" | "items"
        | "objects" | "objectstates" | "component" | "entities" => {
            "cards, dice and tokens are in `[components]`: `card = { kind = \"card\", id = \"{number}\", … }`"
        }
        "board" | "boards" | "map" | "maps" | "hand" | "hands" | "pile" | "piles" | "area" | "areas" | "place"
        | "places" | "location" | "locations" | "container" | "containers" | "region" | "regions" | "tableau"
        | "discard" | "slot" | "slots" | "spaces" | "cells" | "grid" | "zone" | "playmat" | "snappoints" | "stock"
        | "drawpile" => {
            "every place for components is in `[zones]`: `deck = { name = \"deck\", order = \"pile\", visible = \"none\" }`"
        }
        "state" | "globals" | "vars" | "variable" | "counter" | "counters" | "resource" | "resources" | "score"
        | "scores" | "stats" | "properties" | "globalproperty" | "flags" | "tracks" | "track" | "g" => {
            "what the table keeps is in `[variables]`: `coins = { per = \"seat\", default = 0 }`; `p.score` is always there"
        }
        "options" | "config" | "configuration" | "parameters" | "params" | "preferences" | "setting" | "houserules" => {
            "what people can set is in `[settings]`: `rounds = { default = 3, min = 1, max = 9 }`"
        }
        "constant" | "constants" | "table" | "tables" | "numbers" | "values" => {
            "the numbers of the rules are in `[data]`: `hand_size = 3`, in scripts `data.hand_size`"
        }
        "rules" | "rule" | "moves" | "actions" | "action" | "phase" | "phases" | "stage" | "stages" | "turn"
        | "turns" | "turnorder" | "turntracker" | "setup" | "start" | "end" | "endif" | "onbegin" | "onend"
        | "play" | "events" | "triggers" | "effects" | "abilities" | "logic" | "scoring" | "win" | "victory"
        | "winner" | "functions" | "code" | "scripts" | "lua" | "luascript" | "rhai" | "hooks" => {
            "what happens in the game is the script: rules.rhai beside this file, or `rhai = '''fn game() { … }'''` in \
             `[script]`"
        }
        "minplayers" | "maxplayers" | "playercount" | "numplayers" | "numberofplayers" | "playersmin"
        | "playersmax" | "player" | "seats" | "seat" | "minplayer" | "maxplayer" => {
            "write `players = { min = 2, max = 4 }`"
        }
        "title" | "label" | "nickname" | "displayname" => "what people call it is `name`",
        "description" | "summary" | "blurb" | "notes" | "comment" => "a sentence or two about it is `about`",
        "authors" | "designer" | "designers" | "creator" | "publisher" | "credits" => "who made it is `author`",
        "copyright" => "what others may do with it is `licence`",
        "extends" | "inherits" | "parent" | "basedon" | "template" => {
            "a game is based on another with `base`; a variant names the game that it changes with `game`"
        }
        "import" | "imports" | "include" | "includes" | "library" | "libraries" | "dependencies" | "lib" | "libs" => {
            "libraries of `scripts/` are named in `uses`: `uses = [\"trick\"]`"
        }
        "suits" | "suit" | "ranks" | "rank" | "colors" | "colours" | "symbols" | "icons" | "styles" => {
            "how the values of an attribute are called and drawn is in `[attributes]`: `color.red = { en = \"red\", short = \"r\", color = \"red\" }`"
        }
        "test" | "tests" | "scenario" | "scenarios" | "examples" => {
            "tests are files of their own: `houserule new scenario GAME ID` begins one"
        }
        "campaign" | "legacy" | "persist" | "persistent" | "carryover" => {
            "what carries over to the next game is in `[keeps]`: `scars = true`"
        }
        "overrides" | "override" | "changes" | "change" | "replace" | "replaces" | "patch" | "add" | "modify"
        | "set" => {
            "a variant writes what it changes where the game has it: `[data]`, `[zones.deck]`, a function of the script"
        }
        "incompatible" | "excludes" | "conflictswith" => {
            "variants that it cannot be combined with are in `[conflicts]`"
        }
        "needs" | "depends" | "dependson" => "variants that must be below it are in `requires`",
        "image" | "images" | "art" | "artwork" | "faceurl" | "backurl" | "picture" | "fonts" | "font" | "layout"
        | "cardsize" | "dpi" | "width" | "height" => NO_PICTURES,
        "ai" | "bot" | "bots" | "agents" | "enumerate" => {
            "agents know every game; a function `value(p)` in the rules tells them how a player stands"
        }
        "seed" => "chance is no part of the rules: `houserule play GAME --seed 7`",
        _ => return None,
    })
}

const NO_PICTURES: &str = "components are drawn as text, as `face` says; how they look on paper, with pictures, is in `[looks]`: `looks.card.icon = \"crown.svg\"`";

fn of_components(word: &str) -> Option<&'static str> {
    Some(match word {
        "title" | "text" | "icon" | "corner" | "cornerbelow" => {
            "what is drawn is `face`; titles, texts and icons for paper are in `[looks]`: `looks.card.title = \"{number}\"`"
        }
        "label" | "name" | "display" | "template" | "front" | "print" | "symbol" | "glyph" | "nickname"
        | "cardname" => "what is drawn is `face`: `face = \"{number}·{color}\"`; what is printed is in `attributes`",
        "count" | "quantity" | "qty" | "number" | "amount" | "num" | "copy" | "duplicates" | "times" => {
            "how many of each there are is `copies`"
        }
        "property" | "properties" | "props" | "prop" | "fields" | "values" | "stats" | "traits" | "data" | "cost"
        | "power" | "suit" | "suits" | "rank" | "ranks" | "color" | "colors" | "colour" | "value" | "range"
        | "points" | "rarity" | "manacost" | "cmc" | "keywords" | "tags" | "effect" | "effects" | "ability"
        | "abilities" => {
            "what is printed on components is in `attributes`: `attributes = { color = [\"red\", \"blue\"], number = { from = 1, to = 9 } }`"
        }
        "type" | "sort" | "class" | "maintype" => {
            "what sort of object they are is `kind`: \"card\", \"die\" or \"token\""
        }
        "faces" | "pips" | "side" => "the sides are `sides`: how many, or their names",
        "image" | "images" | "art" | "artwork" | "picture" | "faceurl" | "backurl" | "font" | "width" | "height"
        | "size" | "png" | "svg" | "layout" => NO_PICTURES,
        "card" | "cards" | "items" | "entries" | "each" | "elements" | "pieces" | "dice" | "tokens" | "special" => {
            "single components are in `list`: `list = [{ id = \"joker\", color = \"red\" }]`"
        }
        "zone" | "location" | "deck" | "hand" | "position" | "start" | "owner" => {
            "where components lie is up to the rules: `components(\"card\").move_to(deck)`"
        }
        _ => return None,
    })
}

fn of_series(word: &str) -> Option<&'static str> {
    Some(match word {
        "min" | "max" | "start" | "end" | "first" | "last" | "step" | "low" | "high" | "range" => {
            "a range is `{ from = 1, to = 9 }`"
        }
        "values" | "list" | "items" | "options" | "choices" | "of" | "enum" => {
            "one component for each value is a list: `color = [\"red\", \"blue\"]`"
        }
        _ => return None,
    })
}

fn of_looks(word: &str) -> Option<&'static str> {
    Some(match word {
        "label" | "name" | "title" | "text" | "long" => "what people call the value is `en`, in Japanese `ja`",
        "symbol" | "icon" | "abbreviation" | "abbr" | "glyph" | "sign" | "letter" | "display" => {
            "one or two letters for the table are `short`"
        }
        "colour" | "fg" | "foreground" | "style" => "the colour of a value is `color`",
        _ => return None,
    })
}

fn of_zone(word: &str) -> Option<&'static str> {
    Some(match word {
        "label" | "title" | "text" | "nickname" | "display" => "what people call it is `name`",
        "owner" | "perseat" | "perplayer" | "player" | "players" | "owned" | "seat" | "seats" | "scope" | "each" => {
            "for one of each player write `per = \"seat\"`"
        }
        "visibility" | "hidden" | "secret" | "faceup" | "facedown" | "public" | "private" | "access" | "shown"
        | "face" | "view" | "visibleto" | "seenby" | "open" => {
            "who sees the faces in it is `visible`: \"all\", \"owner\", \"top\", \"none\" or \"once\""
        }
        "type" | "kind" | "layout" | "shape" | "style" | "arrangement" | "sort" | "sorted" | "ordered" | "stack" => {
            "how it is ordered and drawn is `order`: \"pile\", \"row\", \"ring\", \"hand\" or \"trick\""
        }
        "number" | "amount" | "copies" | "quantity" | "qty" | "times" | "num" => "several of a kind are `count = 3`",
        "size" | "capacity" | "limit" | "max" | "min" => {
            "a zone holds any number; the rules see to a limit: `if p.hand.len > 5 { … }`"
        }
        "cards" | "card" | "contents" | "content" | "components" | "component" | "initial" | "start" | "deck"
        | "holds" | "containedobjects" | "fill" => {
            "what lies in it is up to the rules: `components(\"card\").move_to(deck)`"
        }
        "columns" | "rows" | "width" | "height" | "cols" | "board" | "squares" => {
            "the squares of a board are `grid = [8, 8]`"
        }
        "hexgrid" | "hexes" | "hex" | "hexagon" => "the cells of a board of hexagons are `grid = { hex = [7, 7] }`",
        "cells" | "spaces" | "places" | "nodes" | "points" | "locations" | "slots" | "vertices" => {
            "the places of a map are `list = [\"harbour\", \"market\"]`"
        }
        "links" | "connections" | "adjacency" | "adjacent" | "neighbours" | "neighbors" | "paths" | "routes"
        | "roads" => "which places of `list` are next to each other is `edges`",
        "areas" | "groups" | "sites" => "cells under a name are `regions`",
        "position" | "x" | "y" | "pos" | "rotation" | "color" | "colour" => {
            "the program lays the table out itself, in the order of the zones in this file"
        }
        _ => return None,
    })
}

fn of_variable(word: &str) -> Option<&'static str> {
    Some(match word {
        "value" | "initial" | "init" | "start" | "initialvalue" | "startvalue" => "the value at the start is `default`",
        "scope" | "owner" | "perplayer" | "perseat" | "player" | "seat" | "each" => {
            "for one of each player write `per = \"seat\"`"
        }
        "label" | "title" | "description" | "text" | "display" => "what people call it is `name`",
        "values" | "options" | "enum" | "oneof" | "allowed" => "the possible values of a text are `choices`",
        "kind" | "sort" | "holds" | "of" => "what it holds is `type`, unless a `default` says it",
        "hidden" | "secret" | "visibility" | "private" | "public" | "seenby" => {
            "who can read it is `visible`: \"all\", \"owner\" or \"none\""
        }
        "supply" | "stock" | "pool" | "limit" | "total" => "how many there are for all together is `bank`",
        "keep" | "keeps" | "persist" | "persistent" | "campaign" => {
            "what carries over to the next game is in `[keeps]`: `scars = true`"
        }
        _ => return None,
    })
}

fn of_setting(word: &str) -> Option<&'static str> {
    Some(match word {
        "value" | "initial" | "init" => "the value unless somebody sets it is `default`",
        "values" | "options" | "enum" | "oneof" | "allowed" => "the possible values are `choices`",
        "label" | "title" | "description" | "about" | "text" | "prompt" | "display" => "what it does is `help`",
        "type" | "kind" | "sort" => "its `default` says of what type it is",
        _ => return None,
    })
}

fn of_players(word: &str) -> Option<&'static str> {
    Some(match word {
        "from" | "to" | "minimum" | "maximum" | "least" | "most" | "count" | "number" | "fewest" | "low" | "high" => {
            "write `players = { min = 2, max = 4 }`"
        }
        _ => return None,
    })
}

fn of_text(word: &str) -> Option<&'static str> {
    Some(match word {
        "text" | "label" | "prompt" | "english" | "message" | "name" | "default" | "title" | "words" => {
            "a text has the languages `en` and `ja`"
        }
        "japanese" | "jp" | "jpn" => "Japanese is `ja`",
        "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ru" | "zh" | "ko" => {
            "texts are in English, `en`, and in Japanese, `ja`"
        }
        "hidden" | "private" => "a prompt whose answers nobody sees says `secret = true`",
        _ => return None,
    })
}

fn of_scenario(word: &str) -> Option<&'static str> {
    Some(match word {
        "name" | "description" | "label" | "summary" | "about" => "what is tested, in a sentence, is `title`",
        "setup" | "table" | "state" | "start" | "before" | "initial" | "fixture" | "zones" | "variables" | "hands"
        | "position" | "arrange" | "background" => "the table at the start is in `[given]`: `p1.hand = [5, 80]`",
        "expect" | "expects" | "expected" | "assert" | "asserts" | "check" | "checks" | "after" | "result"
        | "results" | "outcome" | "verify" | "steps" | "step" | "moves" | "actions" | "play" | "choices" | "choose"
        | "answers" | "options" | "log" => {
            "what is expected and what is chosen is in `[[then]]`, one step after the other: `asks`, `options`, `choose`, \
             `over` …"
        }
        "call" | "run" | "act" | "do" | "action" | "script" => "what is called is in `[when]`: `call = \"turn(p1)\"`",
        "rig" | "dice" | "rolls" | "chance" | "random" => {
            "fixed random results are in `[when]`: `rig = [\"roll die-1 5\"]`"
        }
        "rules" | "variant" | "with" => "the variants in play are `variants = [\"double\"]`",
        "settings" | "setting" | "config" => "what is set is `set = [\"double.bonus=2\"]`",
        "numplayers" | "playercount" | "numberofplayers" | "seats" => "how many play is `players = 3`",
        "examples" | "tests" | "parameters" | "case" => "many cases of one rule are `[[cases]]`",
        _ => return None,
    })
}

fn of_when(word: &str) -> Option<&'static str> {
    Some(match word {
        "run" | "do" | "function" | "action" | "script" | "expression" | "eval" | "rhai" => {
            "what is called is in `[when]`: `call = \"turn(p1)\"`"
        }
        "dice" | "rolls" | "roll" | "chance" | "random" | "seed" | "shuffle" => {
            "fixed random results are in `[when]`: `rig = [\"roll die-1 5\"]`"
        }
        _ => return None,
    })
}

fn of_step(word: &str) -> Option<&'static str> {
    Some(match word {
        "choice" | "answer" | "pick" | "play" | "move" | "action" | "chosen" | "select" | "input" | "chooses" => {
            "the answer is `choose`, several one after the other are `answers`"
        }
        "prompt" | "question" | "decision" | "player" | "asked" | "ask" | "turn" => {
            "who is asked what is `asks = \"p1 play_card\"`"
        }
        "score" | "scores" | "points" | "vars" | "state" | "values" | "variable" => {
            "values are in `variables`: `{ p1.score = 12 }`"
        }
        "allowed" | "legal" | "offers" | "moves" | "choices" | "option" => "what can be chosen is `options`",
        "notoptions" | "missing" | "excludes" | "without" | "absent" => "what is no option is `lacks`",
        "illegal" | "forbidden" | "rejects" | "refused" | "reasons" => {
            "what the rules refuse is in `refuses`, each with the reason: `{ 14 = \"too low\" }`"
        }
        "hand" | "hands" | "zone" | "contains" | "cards" => {
            "what lies in a zone is in `zones`: `{ p1.hand = [5, 80] }`"
        }
        "count" | "sizes" | "size" | "len" => "how many components a zone has is in `counts`: `{ deck = 12 }`",
        "error" | "fail" | "throws" | "raises" | "failure" => {
            "that the rules fail is `fails`, with a part of the message"
        }
        "ended" | "end" | "gameover" | "finished" | "done" => "whether the rules have ended is `over`",
        "winner" | "winners" | "rank" | "order" | "places" => {
            "seats by rank are `ranking = [[\"p2\"], [\"p1\", \"p3\"]]`"
        }
        "expect" | "expects" | "equals" | "eval" | "value" | "returns" | "assert" | "is" => {
            "values of expressions are in `gives`: `{ \"points(p1)\" = 12 }`"
        }
        "until" | "auto" => "to answer at random until a moment is `play_until = \"next turn\"`",
        "dice" | "rolls" | "roll" | "chance" | "random" => {
            "fixed random results after the answer are `rig = [\"roll die-1 5\"]`"
        }
        "events" | "awarded" => "all awards so far are in `awards`: `[\"p1 27 column\"]`",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_key_here_is_no_foreign_word() {
        for section in SECTIONS {
            for key in section.names() {
                assert_eq!(foreign(section.called, key), None, "{key} of {}", section.called);
            }
        }
    }

    #[test]
    fn a_key_of_another_table_is_found_in_files_of_the_same_sort_alone() {
        let called = |what: &str, key: &str| sections_with(what, key).map(|section| section.called).collect::<Vec<_>>();
        assert_eq!(called("a zone", "face"), ["a group of components", "a component of a list"]);
        assert_eq!(called("a game", "requires"), ["a variant"]);
        assert_eq!(called("a scenario", "asks"), ["a step of `then`"]);
        assert!(called("a zone", "asks").is_empty() && called("a pack", "face").is_empty());
        assert!(called("a saved game", "name").is_empty() && called("nothing", "name").is_empty());
    }
}
