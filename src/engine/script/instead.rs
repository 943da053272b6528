//! Hints for words of other languages and of earlier versions: what rules write instead, for each sort of value.

use crate::diagnostic::Message;
use crate::script::sorts::{Sort, without};

/// A hint about a word that rules do not have.
struct Hint {
    names: &'static [&'static str],
    fits: HintTarget,
    help: &'static str,
}

/// The values that a hint is for.
enum HintTarget {
    All,
    /// Values of these sorts.
    Sorts(&'static [Sort]),
    /// Values whose sort has at least one of these words.
    Words(&'static [&'static str]),
}
use HintTarget::{All, Sorts, Words};

const HINTS: &[Hint] = &[
    Hint { names: &["eval"], fits: All, help: "rules cannot run text as a script; write a function" },
    Hint {
        names: &["import", "export"],
        fits: All,
        help: "there is no import; a game names libraries of scripts/ in `uses`",
    },
    Hint { names: &["print", "debug"], fits: All, help: "write `note(text)` to put a remark into the log" },
    Hint { names: &["sleep", "timestamp"], fits: All, help: "rules have no clock" },
    Hint {
        names: &["type_of", "is_def_fn", "is_def_var", "is_shared"],
        fits: All,
        help: "rules know the sorts of their values; ask `is_empty`, `contains` or an attribute",
    },
    Hint {
        names: &["sort", "sort_by", "sort_desc"],
        fits: Words(&["sorted", "sorted_by"]),
        help: "write `cards.sorted(attribute)`, `list.sorted`, or `sorted_by(|x| …)`: each gives a sorted copy",
    },
    Hint {
        names: &["pop", "remove", "shift", "drain", "splice", "truncate"],
        fits: Sorts(&[Sort::List]),
        help: "`list - [entry]` is the list without it, and `where(|x| …)` keeps what you want",
    },
    Hint {
        names: &["pop", "remove", "shift", "drain", "splice", "truncate"],
        fits: Sorts(&[Sort::Components]),
        help: "`cards - card` is the list without it, and `where(|x| …)` keeps what you want",
    },
    Hint {
        names: &["pop", "remove", "shift", "drain", "splice", "truncate"],
        fits: Sorts(&[Sort::Zone]),
        help: "a component leaves a zone for another one: `zone.top.move_to(deck)`, or `card.take_out()`",
    },
    Hint {
        names: &["pop", "remove", "shift", "drain", "splice", "truncate"],
        fits: Words(&["where"]),
        help: "`where(|x| …)` keeps what you want",
    },
    Hint {
        names: &["enumerate"],
        fits: Sorts(&[Sort::Zone, Sort::Components, Sort::Zones, Sort::Players, Sort::List, Sort::Data]),
        help: "write `for (card, place) in p.hand { … }`",
    },
    Hint { names: &["str", "to_str"], fits: All, help: "put the value into a text: `${value}`, in backticks" },
    Hint { names: &["filter", "retain"], fits: Words(&["where"]), help: "write `where(|x| …)`" },
    Hint { names: &["reduce", "fold"], fits: Words(&["sum_of"]), help: "write `sum_of(|x| …)`" },
    Hint {
        names: &["flat_map", "flatMap"],
        fits: Words(&["options"]),
        help: "write `options(|x| …)` for the options of each, or `map(|x| …)` for a list of what each has",
    },
    Hint { names: &["some"], fits: Words(&["any"]), help: "write `any(|x| …)`" },
    Hint { names: &["every"], fits: Words(&["all"]), help: "write `all(|x| …)`" },
    Hint { names: &["includes"], fits: Words(&["contains"]), help: "write `contains(value)`, or `value in list`" },
    Hint { names: &["index_of", "indexOf"], fits: Words(&["position_of"]), help: "write `position_of(entry)`" },
    Hint { names: &["size"], fits: Sorts(&[Sort::Zones]), help: "`size` of several zones is now called `len`" },
    Hint { names: &["length", "size"], fits: Words(&["len"]), help: "`.len` is how many there are" },
    Hint {
        names: &["append", "add", "insert"],
        fits: Sorts(&[Sort::List]),
        help: "write `list.push(entry)`, or `list + [entry]`",
    },
    Hint {
        names: &["append", "add", "insert", "push"],
        fits: Sorts(&[Sort::Components]),
        help: "write `cards + card`",
    },
    Hint {
        names: &["append", "add", "insert", "push"],
        fits: Sorts(&[Sort::Zone, Sort::Zones]),
        help: "a component comes into a zone by moving: `card.move_to(zone)`",
    },
    Hint {
        names: &["append", "add", "insert", "push"],
        fits: Sorts(&[Sort::Options]),
        help: "add each by itself: `options + \"draw\" + \"pass\"`",
    },
    Hint {
        names: &["draw", "draw_card", "draw_cards"],
        fits: Words(&["deal"]),
        help: "write `deck.deal(2, p.hand)`, or `deck.top.move_to(p.hand)` for a single card",
    },
    Hint {
        names: &["ask", "prompt", "input", "select"],
        fits: Words(&["choose"]),
        help: "write `p.choose(\"prompt\", options)`, with the prompt's words in `[text]`",
    },
    Hint { names: &["find"], fits: Words(&["first"]), help: "write `where(|x| …)`, and `.first` of it" },
    Hint { names: &["range"], fits: All, help: "write `0..10`" },
    Hint {
        names: &["Fn", "call", "curry"],
        fits: All,
        help: "a function can be used only where a word takes one, such as `players.any(|p| …)`",
    },
    Hint {
        names: &["rand", "random", "randint", "random_int", "rnd", "dice", "roll_dice"],
        fits: All,
        help: "chance is in dice and lots: `die.roll()`, `draw_number(\"lot\", 1, 6)`, `pick`, and `zone.shuffle()`",
    },
    Hint {
        names: &["assert"],
        fits: All,
        help: "`throw \"…\"` ends the rules with a message; to test a result, write a scenario",
    },
];

/// What to write instead of a word that rules do not have; `None` where no hint fits. For a `receiver` of a known sort,
/// the hint names words that such a value has.
pub fn hint_for_unknown_word(name: &str, receiver: Option<Sort>) -> Option<Message> {
    let hints = || HINTS.iter().filter(|hint| hint.names.contains(&name));
    if let Some(hint) = hints().find(|hint| receiver.is_none_or(|sort| hint.is_for(sort))) {
        return Some(hint.help.into());
    }
    // What rules call the word, and which values have it.
    let called = hints().find_map(|hint| match hint.fits {
        Words(words) => words.first(),
        All | Sorts(_) => None,
    });
    without(receiver?, called?)
}

impl Hint {
    fn is_for(&self, sort: Sort) -> bool {
        match self.fits {
            All => true,
            Sorts(sorts) => sorts.contains(&sort),
            Words(names) => names.iter().any(|name| sort.has(name)),
        }
    }
}

/// The hint for a word that another language has for a part of a script; `None` for any other word.
pub fn hint_for_foreign_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "and" => "write `&&` for “and”",
        "or" => "write `||` for “or”",
        "not" => "write `!` for “not”",
        "elif" | "elsif" | "elseif" => "write `else if`",
        "def" | "function" | "func" | "proc" | "sub" => "a function begins with `fn`",
        "var" | "auto" | "local" => "a new name begins with `let`",
        "foreach" => "write `for card in p.hand { … }`",
        "null" | "nil" | "undefined" | "None" => {
            "there is no such value; ask `is_empty` or `contains` before, or keep a number or text that means “none”"
        }
        "match" | "case" => "write `switch value { 1 => …, 2 => …, _ => … }`",
        "begin" | "end" | "then" => "put blocks in braces: `if … { … }`",
        "new" | "class" | "struct" => "rules cannot make objects; declare what there is in the definition",
        "lambda" => "a function in place is written `|x| …`",
        "global" => "variables of the table and of players are declared in `[variables]`: `table.round`, `p.coins`",
        "goto" => "rules have loops and functions instead",
        "is" => "write `==` for “is”",
        "isnt" => "write `!=` for “is not”",
        "unless" => "write `if !condition { … }`",
        "int" | "integer" | "float" | "double" | "bool" | "boolean" | "string" | "str" | "char" => {
            "a new name begins with `let`, and has no type: `let x = 3;`"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::vocabulary::{Form, words};

    /// Every sort that a value before a dot can have.
    const SORTS: [Sort; 15] = [
        Sort::Number,
        Sort::Truth,
        Sort::Text,
        Sort::Component,
        Sort::Components,
        Sort::Zone,
        Sort::Zones,
        Sort::Player,
        Sort::Nobody,
        Sort::Players,
        Sort::Option,
        Sort::Options,
        Sort::List,
        Sort::Data,
        Sort::Range,
    ];

    #[test]
    fn what_is_proposed_is_there() {
        for hint in HINTS {
            let Words(names) = hint.fits else { continue };
            for name in names {
                assert!(words().any(|word| word.name == *name && word.form != Form::Operator), "{name}");
                assert!(hint.help.contains(name), "{}", hint.help);
            }
        }
    }

    #[test]
    fn nothing_is_told_to_write_what_it_does_not_have() {
        let mut told = 0;
        for name in HINTS.iter().flat_map(|hint| hint.names) {
            for sort in SORTS {
                let Some(help) = hint_for_unknown_word(name, Some(sort)) else { continue };
                told += 1;
                for written in help.split('`').skip(1).step_by(2) {
                    let word = written.trim_start_matches('.').split('(').next().unwrap_or_default();
                    let is_word = words().any(|word| word.name == written.trim_start_matches('.'));
                    let is_call = written.contains("(|") && !word.contains('.');
                    if (is_word && help.starts_with("write")) || is_call {
                        assert!(sort.has(word), "{} has no `{word}`: {name}: {help}", sort.named());
                    }
                }
            }
        }
        assert!(told > 100, "{told}");
    }

    #[test]
    fn what_has_no_such_word_is_told_what_it_is_for() {
        let told = |name, sort| hint_for_unknown_word(name, Some(sort)).unwrap_or_default();
        assert!(told("filter", Sort::Range).starts_with("a range is for counting"), "{}", told("filter", Sort::Range));
        assert!(told("filter", Sort::Player).contains("`where` works on"), "{}", told("filter", Sort::Player));
        assert!(told("sort", Sort::Zone).contains("sorted"));
        assert!(told("remove", Sort::Zone).contains("move_to"));
        assert_eq!(
            hint_for_unknown_word("remove", Some(Sort::Number)).as_deref(),
            Some("`where` works on zone, zones, components, players, options, list, data")
        );
        assert_eq!(hint_for_unknown_word("filter", None).as_deref(), Some("write `where(|x| …)`"));
        assert_eq!(hint_for_unknown_word("banana", None), None);
    }
}
