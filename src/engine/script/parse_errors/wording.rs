//! The wording of the parser's errors: for each kind, a message and what rules write instead.

use super::context::ParserErrorContext;
use crate::diagnostic::{Message, is_quote, message};
use crate::script::error_messages::lower_first;
use crate::script::instead::hint_for_unknown_word;
use crate::script::masked_script::MaskedScript;
use crate::script::tokens::is_in_name;
use rhai::{LexError, ParseErrorType};

const FOR_HEAD: &str = "a `for` has no parentheses: it goes through a list or a range";

/// The end of a message about a missing token.
pub(super) const IS_MISSING: &str = "is missing here";

pub(super) fn missing_here(token: &str) -> Message {
    let message = message!("`{token}` is missing here");
    debug_assert!(message.ends_with(IS_MISSING));
    message
}

fn told(message: impl Into<Message>, help: impl Into<Message>) -> (Message, Option<Message>) {
    (message.into(), Some(help.into()))
}

pub(super) fn message_and_help(kind: &ParseErrorType, near: &ParserErrorContext) -> (Message, Option<Message>) {
    let at = near.at.as_str();
    let say_no_more = |message: Message| (message, None);
    if let (Some(help), ParseErrorType::MissingToken(..) | ParseErrorType::Reserved(_)) = (near.foreign(), kind) {
        let word = if near.is_at_foreign() { at } else { &near.before };
        return told(message!("rules do not know `{word}`"), help);
    }
    match kind {
        ParseErrorType::UnexpectedEOF => {
            let what = Message::from(if near.is_typed { "expression" } else { "script" });
            let help = match near.sign_before.filter(|sign| !"([{".contains(*sign)) {
                Some(sign) => message!("a value is missing after `{sign}`"),
                None => "a `{`, `(` or quote before this is not closed".into(),
            };
            told(message!("the {what} ends in the middle of something"), help)
        }
        ParseErrorType::BadInput(error) => lexical(error, near),
        ParseErrorType::UnknownOperator(sign) => unknown_sign(sign),
        ParseErrorType::MissingToken(token, purpose) => missing(token, purpose, near),
        ParseErrorType::MissingSymbol(_) => say_no_more(message!("`{at}` does not belong here")),
        ParseErrorType::MalformedIndexExpr(_) => told(
            "a position is a whole number",
            "a list has entries at 0, 1, 2 …; a table in the data has keys, which are texts",
        ),
        ParseErrorType::DuplicatedVariable(name) => say_no_more(message!("`{name}` is here twice")),
        ParseErrorType::WrongSwitchIntegerCase => told(
            "a case before this one is a range",
            "a range cannot be a case of a `switch`: write `if … { … } else if … { … }`",
        ),
        ParseErrorType::WrongSwitchDefaultCase => {
            told("`_` is for everything else, but more cases follow it", "put `_ => …` last")
        }
        ParseErrorType::WrongSwitchCaseCondition => {
            told("this case cannot have a condition", "put an `if` into what the case does")
        }
        ParseErrorType::PropertyExpected if at == "call" || at == "curry" => {
            (message!("rules have no `{at}`"), hint_for_unknown_word(at, None))
        }
        ParseErrorType::PropertyExpected => {
            told("a name is missing after the dot", "such as `p.hand` or `card.move_to(zone)`")
        }
        ParseErrorType::VariableExpected if near.is_in_head_of_for() => told(FOR_HEAD, "write `for i in 0..3 { … }`"),
        ParseErrorType::VariableExpected if near.before == "for" => {
            told("a name is missing after `for`", "such as `for card in p.hand { … }`")
        }
        ParseErrorType::VariableExpected if near.before == "let" && at == "=" => {
            told("a name is missing after `let`", "such as `let card = p.hand.top;`")
        }
        ParseErrorType::VariableExpected if near.before == "let" && matches!(at, "(" | "[" | "{") => {
            told("`let` takes one name", "take the parts one by one: `let a = list[0]; let b = list[1];`")
        }
        ParseErrorType::VariableExpected => told(message!("`{at}` is not a name"), name_help(at)),
        ParseErrorType::ForbiddenVariable(name) => told(message!("`{name}` cannot be used as a name"), name_help(name)),
        ParseErrorType::Reserved(word) => reserved(word),
        ParseErrorType::MismatchedType(wanted, found) => mismatched(wanted, found),
        ParseErrorType::ExprExpected(_) if near.before == "if" || near.before == "while" || near.before == "until" => {
            told(
                message!("the condition of `{}` is missing", near.before),
                message!("such as `{} p.hand.is_empty {{ … }}`", near.before),
            )
        }
        ParseErrorType::ExprExpected(_) if at == "{" => told(
            "a value is missing before this block",
            "such as `for card in p.hand { … }`, `switch choice.act { … }`",
        ),
        ParseErrorType::ExprExpected(_) if at == ";" => told(
            "`;` does not belong between the cases of a `switch`",
            "cases are separated by commas: `1 => …, 2 => …`",
        ),
        ParseErrorType::ExprExpected(_) if matches!(at, "default" | "else" | "otherwise") => {
            told(message!("`{at}` is not a case of a `switch`"), "for everything else write `_ => …` as the last case")
        }
        ParseErrorType::ExprExpected(_) if matches!(at, "case" | "when") => {
            told(message!("`{at}` does not belong here"), "a case is written `1 => …`")
        }
        ParseErrorType::ExprExpected(_) => told(
            "a fixed number or text is needed here",
            "a case of a `switch` is a number, a text, `true` or `false`: `1 => …`, `2 | 3 => …`, `\"up\" => …`, `_ => …`",
        ),
        ParseErrorType::WrongDocComment => {
            told("a `///` comment can only be before a function", "other comments begin with `//`")
        }
        ParseErrorType::WrongFnDefinition => {
            told("a function cannot be inside another one", "a `}` is missing before it, or it belongs outside")
        }
        ParseErrorType::FnDuplicatedDefinition(name, parameters) => {
            let counted = if *parameters == 1 { "one parameter".into() } else { message!("{parameters} parameters") };
            told(
                message!("this script defines `{name}` with {counted} twice"),
                "remove one of the two, or give it another name",
            )
        }
        ParseErrorType::FnMissingName => told("a function has a name", "such as `fn score(p) { … }`"),
        ParseErrorType::FnMissingParams(name) => told(
            message!("the parameters of `{name}` are missing"),
            message!("write `fn {name}() {{ … }}`, with the names between the parentheses"),
        ),
        ParseErrorType::FnDuplicatedParam(_, parameter) => {
            say_no_more(message!("two parameters are called `{parameter}`"))
        }
        ParseErrorType::FnMissingBody(name) if name.is_empty() => {
            told("the function has no body", "such as `|card| card.number > 3`")
        }
        ParseErrorType::FnMissingBody(name) => {
            told(message!("`{name}` has no body"), message!("write `fn {name}(…) {{ … }}`"))
        }
        ParseErrorType::WrongExport => told("rules export nothing", "every function can be used by the layers above"),
        ParseErrorType::AssignmentToConstant(name) if !name.is_empty() => {
            told(message!("`{name}` is a constant and keeps its value"), message!("make it with `let {name} = …`"))
        }
        ParseErrorType::AssignmentToConstant(_) | ParseErrorType::AssignmentToInvalidLHS(_) => told(
            "this cannot be set",
            "what can be set: a name made with `let`, an entry of a list, a declared variable",
        ),
        ParseErrorType::ExprTooDeep => told(
            "the script is nested too deeply",
            "put the inner part into a function of its own, or keep it with `let`",
        ),
        ParseErrorType::TooManyFunctions => say_no_more("the script has too many functions".into()),
        ParseErrorType::LiteralTooLarge(what, most) => {
            let what = Message::from(if what.to_lowercase().contains("string") { "this text" } else { "this list" });
            say_no_more(message!("{what} is longer than {most}"))
        }
        ParseErrorType::LoopBreak => told(message!("`{at}` is outside any loop"), "in a function, `return` ends it"),
        // The other kinds belong to parts of the language that are switched off.
        other => say_no_more(Message::verbatim(lower_first(&other.to_string()))),
    }
}

fn lexical(error: &LexError, near: &ParserErrorContext) -> (Message, Option<Message>) {
    match error {
        LexError::UnexpectedInput(sign) if sign == ">" && near.before.is_empty() => unknown_sign("<>"),
        LexError::UnexpectedInput(sign) => match sign.as_str() {
            "let" | "const" => {
                told(message!("`{sign}` is a statement and gives no value"), "a comparison is written `==`")
            }
            "fn" => told("a function is here", "in place, a function is written `|x| …`"),
            "throw" | "return" | "break" | "continue" | "while" | "for" | "do" | "loop" => {
                told(message!("`{sign}` is a statement and gives no value"), "a new statement begins after a `;`")
            }
            "else" => without_if(near),
            "=" if matches!(near.sign_before, Some('+' | '-' | '*' | '/' | '%')) => {
                let sign = near.sign_before.unwrap_or('+');
                told(message!("`{sign} =` is not one sign"), message!("write `{sign}=`, without a space"))
            }
            "=" => told("`=` is in the middle of a value", "compare with `==`; set one name in each statement"),
            sign if sign.chars().all(|letter| letter.is_control()) => told(
                message!("there is an invisible character here: U+{:04X}", sign.chars().next().map_or(0, u32::from)),
                "remove it",
            ),
            ";" | "," | ")" | "]" | "}" if near.sign_before.is_some_and(|before| !(before == '{' && sign == "}")) => {
                let before = near.sign_before.unwrap_or(',');
                told(
                    message!("a value is missing after `{before}`"),
                    message!("a number, a name or a call belongs between it and `{sign}`"),
                )
            }
            "," => told("a value is missing before `,`", "entries and arguments are separated by commas"),
            "}" => told("this `}` is one too many", "no `{` is open here"),
            "." if near.signs.chars().nth(1).is_some_and(|next| next.is_ascii_digit()) => {
                told("numbers in rules are whole", "count in smaller units; `/` rounds towards 0")
            }
            "*" | "/" | "%" | "<" | ">" | "==" | "!=" | "<=" | ">=" | "&&" | "||" | "." | ".." | "..=" | "in" => {
                told(message!("a value is missing before `{sign}`"), "a number, a name or a call belongs there")
            }
            sign => told(message!("unexpected `{sign}`"), "something before it is missing, or it is too much"),
        },
        LexError::UnterminatedString => {
            let ended = near.rest_of_line.chars().find(|letter| is_quote(*letter));
            let is_open = MaskedScript::of(&near.script_before).open.iter().any(|open| open.sign == '$');
            let help = match ended {
                Some(quote) => {
                    message!("`{quote}` does not close it: write `{}`", near.signs.chars().next().unwrap_or('"'))
                }
                None if is_open => "the `${` before it needs a `}`".into(),
                None => "a text in double quotes ends on its line; one in backticks can have several lines".into(),
            };
            told("a text is not closed", help)
        }
        LexError::MalformedEscapeSequence(sequence) => told(
            message!("`{sequence}` is not a sign for a special character"),
            "there are `\\n`, `\\t`, `\\\"`, `\\\\` and `\\u263a`; for a backslash write two",
        ),
        // A sign before `0x`; everything else that is no number is found before the script is parsed.
        LexError::MalformedNumber(number) => {
            told(message!("`-0{number}` is not a number"), message!("write `-(0{number})`, or the number in decimal"))
        }
        LexError::MalformedChar(text) => told("texts are in double quotes", message!("write `\"{text}\"`")),
        LexError::MalformedIdentifier(name) => {
            told(message!("`{name}` is not a name"), "a name has letters, digits and `_`, and not only `_`")
        }
        LexError::ImproperSymbol(sign, _) if sign == "=" => {
            told("`=` sets something, and a condition compares", "write `==`")
        }
        LexError::ImproperSymbol(word, _) if hint_for_unknown_word(word, None).is_some() => {
            (message!("rules have no `{word}`"), hint_for_unknown_word(word, None))
        }
        LexError::ImproperSymbol(sign, _) => unknown_sign(sign),
        LexError::StringTooLong(most) => (message!("this text is longer than {most} bytes"), None),
        LexError::Runtime(reason) => (Message::verbatim(lower_first(reason)), None),
        other => (Message::verbatim(lower_first(&other.to_string())), None),
    }
}

/// Message and help for an `else` without its `if`.
fn without_if(near: &ParserErrorContext) -> (Message, Option<Message>) {
    if near.is_in_if() {
        return told(missing_here("}"), "it closes the block of the `if` before `else`");
    }
    let help = "`else` follows the `}` of an `if` at once, and an `if` has one `else`";
    told("this `else` has no `if`", help)
}

/// Message and help for a sign that rules do not have.
fn unknown_sign(sign: &str) -> (Message, Option<Message>) {
    let help = match sign {
        "===" => "write `==`",
        "!==" | "<>" | "~=" => "write `!=`",
        "++" => "write `x += 1`",
        "--" => "write `x -= 1`; a comment begins with `//`",
        "?" => "write `if … { … } else { … }`, which gives a value too",
        "=>" => "a function in place is written `|x| …`",
        "->" => "what a value has follows a dot, a case is `1 => …`, and a function in place is written `|x| …`",
        "<-" | ":=" => "write `=`",
        "::" | "::<" => "there are no modules; functions of every layer are called by their name",
        "#" | "# {" => "a comment begins with `//`",
        "(*" | "*)" => "a comment begins with `//`, or is between `/*` and `*/`",
        "~" => "write `!` for “not”",
        _ => "the signs that rules know are those of numbers, comparisons, `&&`, `||` and `!`",
    };
    told(message!("rules do not know `{sign}`"), help)
}

fn reserved(word: &str) -> (Message, Option<Message>) {
    if let Some(help) = hint_for_unknown_word(word, None) {
        return told(message!("rules have no `{word}`"), help);
    }
    if !word.chars().all(is_in_name) {
        return unknown_sign(word);
    }
    told(message!("`{word}` is a reserved word and cannot be a name"), name_help(word))
}

fn name_help(word: &str) -> Message {
    match word.chars().next() {
        Some(first) if first.is_alphabetic() => message!("take another name, such as `the_{word}`"),
        _ => "a name begins with a letter, such as `card`".into(),
    }
}

fn mismatched(wanted: &str, found: &str) -> (Message, Option<Message>) {
    let found = match found {
        "()" => "nothing",
        "a string" => "a text",
        "an array" => "a list",
        "a boolean" => "true or false",
        "a floating-point number" => "a fraction",
        "a character" => "a single letter",
        other => other,
    };
    if wanted.contains("iterable") {
        let help = match found {
            "a number" => "to count, write a range: `for n in 0..5`, or `1..=5` with the 5",
            _ => "zones, components, players, lists, data and ranges can be gone through",
        };
        let found = Message::foreign(found);
        return told(message!("`for` goes through a list, not {found}"), help);
    }
    let help = (found == "a number").then(|| "compare it: `n > 0`".into());
    (message!("true or false is needed here, not {}", Message::foreign(found)), help)
}

fn missing(token: &str, purpose: &str, near: &ParserErrorContext) -> (Message, Option<Message>) {
    let at = near.at.as_str();
    if near.is_in_head_of_for() {
        return told(FOR_HEAD, "write `for i in 0..3 { … }`");
    }
    if token == "in" && at == "=" {
        return told("`in` is missing here", "write `for i in 0..3 { … }`");
    }
    if token == ";" && near.signs == "==" && near.is_behind_let() {
        return told("`==` compares, and `let` sets a name", "write `=`");
    }
    if at == "=" && near.signs == "=<" || near.at == "=>" && token == "{" {
        let sign = &near.signs;
        return told(message!("rules do not know `{sign}`"), if sign == "=<" { "write `<=`" } else { "write `>=`" });
    }
    if at == "=" {
        let help = match token {
            ";" => "set one name in each statement: `b = 3; a = b;`",
            _ => "compare with `==`",
        };
        return told("`=` is in the middle of a value", help);
    }
    let help = match token {
        _ if near.signs == "::" => return unknown_sign("::"),
        ";" if at == ":" && near.is_behind_let() => {
            return told("a name has no type", "write `let x = 3;`: a name holds whatever it is given");
        }
        "," | ")" if at == ":" && purpose.contains("function call") => {
            return told("arguments have no names", "write the values alone, in the order of the parameters");
        }
        "{" | ";" if at == ")" || at == "]" => {
            return (
                message!("this `{at}` is one too many"),
                Some(message!("no `{}` is open here", if at == ")" { '(' } else { '[' })),
            );
        }
        ";" if at == "if" && !near.line_before.is_empty() => {
            return told("write `if` before what it decides about", "write `if condition { … }`");
        }
        ";" if at == "else" => return without_if(near),
        ";" if near.is_behind_let() && at == "," => {
            return told("`let` takes one name", "write `let a = 1; let b = 1;`");
        }
        ";" if near.is_behind_let() => return told("`=` is missing here", "write `let x = 3;`"),
        ";" if at == "," => {
            return told(
                "`,` is outside brackets",
                "statements end with `;`, a list is `[1, 2]`, and in numbers `_` separates digits: `1_000`",
            );
        }
        ";" if at == ":" => {
            return told(
                "rules have no object maps",
                "keep values in declared variables, fixed tables in `[data]`, options with parts in `acts`",
            );
        }
        ";" if at == "=>" && near.ends_with_switch() => {
            return told("a value is missing after `switch`", "such as `switch choice.act { … }`");
        }
        ";" if at == "=>" => return unknown_sign(at),
        ";" if at == "{" => {
            return told(
                "a block does not belong here",
                "a block follows `if`, `else`, a loop or `fn name(…)`; a function in place is written `|x| …`",
            );
        }
        ";" if matches!(at, "\"" | "`") && near.before.starts_with(char::is_alphabetic) => {
            return told("`(` is missing here", "arguments are in parentheses, such as `note(\"x\")`");
        }
        ";" if near.is_right_behind_a_value() => return told("`.` is missing here", "such as `p.hand`"),
        ";" => "every statement ends with `;`",
        "{" => "the body of an `if`, a loop or a function is in braces, even if it is one statement",
        "}" => "the block that began before is not closed",
        ")" if at == "," => "the `(` before is not closed; a list is in brackets: `[1, 2]`",
        ")" => "the `(` before is not closed",
        "]" => "the `[` before is not closed",
        "," if purpose.contains("anonymous function") => {
            return told("`|` is missing here", "a function in place is written `|x| …`");
        }
        "," if purpose.contains("switch") => "cases are separated by commas: `1 => …, 2 => …`",
        "," if at == "=>" => return unknown_sign(at),
        // The statement ends here, so its closing bracket is missing, and not a further argument.
        "," if matches!(at, ";" | "}") && purpose.contains("function call") => return missing(")", purpose, near),
        "," if matches!(at, ";" | "}") && purpose.contains("array") => return missing("]", purpose, near),
        "," => "entries and arguments are separated by commas",
        "in" if at == "," => "with their places: `for (card, place) in p.hand { … }`",
        "in" => "such as `for card in p.hand { … }`",
        "=>" if at == "," => "a case of several values is written `1 | 2 => …`",
        "=>" => "a case is written `1 => …`",
        "|" => "a function in place is written `|x| …`",
        "while" => "`do { … } while condition`",
        "catch" => "rules do not catch errors; ask before, with `is_empty` or `contains`",
        _ => return (missing_here(token), None),
    };
    (missing_here(token), Some(help.into()))
}
