//! What differs on purpose between the product and the reference, each with its reason.

use crate::differential::sides::{Disagreement, Ending, Run, Trouble};
use houserule::ruleset::Ruleset;
use houserule::script::vocabulary::{Form, words};
use houserule::table::event::{EventData, ScriptPoint};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A difference that is meant to be.
pub struct Purpose {
    /// What differs and why.
    pub why: &'static str,
    /// Takes the difference away from two runs.
    pub level: fn(&Ruleset, &mut Run, &mut Run),
}

/// Every one of them.
pub const PURPOSES: &[Purpose] = &[
    Purpose {
        why: "the point of a word with a function is where it stands; the reference may have it turned, receiver behind",
        level: points_of_turned_words,
    },
    Purpose { why: "what is no list is told by its sort", level: what_is_no_list },
    Purpose { why: "an index of another sort is shown at itself, not at its bracket", level: places_of_indexes },
    Purpose {
        why: "numbers have no bits and texts no letters: `5[0]` is an error, which the reference evaluates",
        level: bits_and_letters,
    },
    Purpose { why: "a property that is not there is shown at its name, not at the dot before", level: places_of_dots },
    Purpose { why: "a variable of nobody is told as one that cannot be set", level: variables_of_nobody },
    Purpose { why: "a loop with nothing in it goes through what it is given all the same", level: empty_loops },
    Purpose {
        why: "a text is joined with texts alone, and nothing is taken out of one; a range has two ends",
        level: texts_and_nothing,
    },
    Purpose { why: "what is captured and not true or false is told by its sort", level: sorts_of_conditions },
    Purpose { why: "what is not true or false is shown where it begins", level: places_of_conditions },
    Purpose {
        why: "a property that data does not have is no key that is looked for in a list",
        level: properties_of_data,
    },
    Purpose {
        why: "a property that zones do not have is no place that is looked for among them",
        level: properties_of_zones,
    },
    Purpose {
        why: "the name of a loop can be set; the reference has it fixed where an entry came from a global name in a block",
        level: names_of_loops,
    },
    Purpose {
        why: "a function can be named in a closure before it is defined; the reference looks for a variable to capture",
        level: names_of_functions,
    },
    Purpose {
        why: "the remainder that is too large to be worked out is told as such, not as a division by zero",
        level: remainder_of_the_smallest,
    },
    Purpose {
        why: "lists stand in each other only so deeply; the reference bounds what they hold alone",
        level: depth_of_lists,
    },
    Purpose {
        why: "a limit is reached elsewhere: each counts in units of its own, and the reference looks at the clock too",
        level: limits,
    },
];

/// A difference that is meant to be and that generated programs keep clear of, with a program that shows it.
pub struct Order {
    /// What differs and why.
    pub why: &'static str,
    /// The body of a function.
    pub shown_by: &'static str,
    /// What it comes to with the product and with the reference.
    pub gives: [&'static str; 2],
}

/// Every one of them.
pub const ORDERS: &[Order] = &[
    Order {
        why: "what stands before a dot is worked out before the arguments, as it is read; the reference does it behind",
        shown_by: "let seen = \"\"; ({ seen += \"a\"; [1] }).contains({ seen += \"b\"; 1 }); seen",
        gives: ["\"ab\"", "\"ba\""],
    },
    Order {
        why: "the links of a chain are worked out one after the other; the reference begins with all their arguments",
        shown_by: "let seen = \"\"; [3, 1].where(|x| { seen += \"w\"; true }).contains({ seen += \"c\"; 1 }); seen",
        gives: ["\"wwc\"", "\"cww\""],
    },
    Order {
        why: "a name is read where it stands; the reference reads a name that is the first argument behind the others",
        shown_by: "let x = 1; max(x, { x = 5; 0 })",
        gives: ["1", "5"],
    },
];

/// Where two runs differ, and not on purpose; what is on purpose is counted.
pub fn difference(
    ruleset: &Ruleset,
    product: &Run,
    reference: &Run,
    counted: &mut BTreeMap<&'static str, usize>,
) -> Option<Disagreement> {
    let mut what = product.difference(reference)?;
    let (mut product, mut reference) = (product.clone(), reference.clone());
    for purpose in PURPOSES {
        let before = (product.clone(), reference.clone());
        (purpose.level)(ruleset, &mut product, &mut reference);
        if before != (product.clone(), reference.clone()) {
            *counted.entry(purpose.why).or_default() += 1;
        }
        what = product.difference(&reference)?;
    }
    Some(what)
}

/// The reference's word with a function stands where its receiver begins, and what stands before the word two tokens
/// later than it is written: two for each such word of a chain.
fn points_of_turned_words(ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    for (one, other) in product.events.iter_mut().zip(&mut reference.events) {
        if one.at != other.at && is_turned(ruleset, one.at, other.at) {
            other.at = one.at;
            if let (EventData::Choice { decision: one, .. }, EventData::Choice { decision: other, .. }) =
                (&one.what, &mut other.what)
            {
                Arc::make_mut(other).at = one.at;
            }
        }
    }
    if let (Some(one), Some(other)) = (&product.open, &mut reference.open)
        && is_turned(ruleset, one.at, other.at)
    {
        Arc::make_mut(other).at = one.at;
    }
    if let Some([one, other]) = both_failed(product, reference)
        && let [Some(at), Some(turned)] = [&*one, &*other].map(|trouble| point_of(ruleset, trouble))
        && is_turned(ruleset, at, turned)
    {
        other.place.clone_from(&one.place);
    }
}

fn is_turned(ruleset: &Ruleset, at: ScriptPoint, turned: ScriptPoint) -> bool {
    let place = |at| ruleset.place(at, "");
    let (Some(at), Some(turned)) = (place(at), place(turned)) else { return false };
    let text = &at.source.text;
    let is_word = |name: &str| words().any(|word| word.form == Form::Callback && word.name == name);
    let between = text.get(at.span.start..turned.span.start).unwrap_or_default();
    let behind = &text[at.span.start..];
    let names = |text: &'_ str| text.split(['.', '(', ' ']).filter(|name| is_word(name)).count();
    let of_chain = behind.lines().next().map_or(0, names).max(1);
    is_word(&text[at.span.clone()]) || (1..=2 * of_chain).contains(&tokens(between)) && names(behind) > 0
}

/// How many tokens a text has, roughly: names, numbers, texts, and each sign by itself but for `()`.
fn tokens(text: &str) -> usize {
    let mut count = 0;
    let mut letters = text.chars().peekable();
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    while let Some(letter) = letters.next() {
        match letter {
            '"' | '`' => while letters.next().is_some_and(|next| next != letter) {},
            '(' => drop(letters.next_if_eq(&')')),
            letter if is_word(letter) => while letters.next_if(|next| is_word(*next)).is_some() {},
            letter if letter.is_whitespace() => continue,
            _ => {}
        }
        count += 1;
    }
    count
}

/// What went wrong in both.
fn both_failed<'r>(product: &'r mut Run, reference: &'r mut Run) -> Option<[&'r mut Trouble; 2]> {
    match (&mut product.end, &mut reference.end) {
        (Ending::Failed(one), Ending::Failed(other)) => Some([one, other]),
        _ => None,
    }
}

/// The point of the joined scripts that is to blame.
fn point_of(ruleset: &Ruleset, trouble: &Trouble) -> Option<ScriptPoint> {
    let (file, line, column) = trouble.place.as_ref()?;
    let script = ruleset.scripts.iter().find(|script| script.script.source.name == *file)?;
    Some(ScriptPoint { line: (script.lines_before + line) as u16, column: *column as u16 })
}

/// The product says what it is that cannot be gone through.
fn what_is_no_list(_ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    if let Some([one, other]) = both_failed(product, reference)
        && one.message.starts_with("`for` goes through a list, not ")
        && other.message == "`for` goes through a list, and this is not one"
    {
        other.clone_from(one);
    }
    if let Some([one, other]) = both_failed(product, reference)
        && one.message.starts_with("`for` goes through a list, not ")
        && one.message == other.message
    {
        other.clone_from(one);
    }
}

/// An index of another sort is shown where it begins, not at its bracket.
fn places_of_indexes(ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    if let Some([one, other]) = both_failed(product, reference)
        && one.message == other.message
        && let [Some(at), Some(bracket)] = [&*one, &*other].map(|trouble| point_of(ruleset, trouble))
        && let [Some(at), Some(bracket)] = [at, bracket].map(|at| ruleset.place(at, ""))
        && at.source.text[bracket.span.start..].starts_with('[')
        && at.span.start == bracket.span.start + 1
    {
        other.place.clone_from(&one.place);
    }
}

fn bits_and_letters(_ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    let refused = ["`[…]` cannot follow a number", "`[…]` cannot follow a text"];
    if let Ending::Failed(trouble) = &product.end
        && refused.contains(&trouble.message.as_str())
    {
        reference.clone_from(product);
    }
}

fn properties_of_data(_ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    if let Some([one, other]) = both_failed(product, reference)
        && one.message.starts_with("data has no `")
        && (other.message.starts_with("a list has no `") || other.message.starts_with("there is no data `"))
    {
        other.clone_from(one);
    }
}

fn properties_of_zones(_ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    let is_of_places = |told: &str| {
        let ends = [" is not a cell of a board", "without a zone there is no board"];
        told.starts_with("there is no place `") || ends.iter().any(|end| told.ends_with(end))
    };
    if let Some([one, other]) = both_failed(product, reference)
        && one.message.starts_with("zones have no `")
        && is_of_places(&other.message)
    {
        other.clone_from(one);
    }
}

fn places_of_dots(ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    if let Some([one, other]) = both_failed(product, reference)
        && let [Some(at), Some(dot)] = [&*one, &*other].map(|trouble| point_of(ruleset, trouble))
        && let Some(place) = ruleset.place(dot, "")
        && place.source.text[place.span.start..].starts_with('.')
        && at == (ScriptPoint { column: dot.column + 1, ..dot })
    {
        other.place.clone_from(&one.place);
    }
}

fn variables_of_nobody(_ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    if let Some([one, other]) = both_failed(product, reference)
        && one.message.ends_with(" cannot be set")
        && other.message.starts_with("no writable property ")
    {
        other.message.clone_from(&one.message);
    }
}

/// The reference does not say what a name holds that a closure shares.
fn sorts_of_conditions(_ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    if let Some([one, other]) = both_failed(product, reference)
        && other.message == "true or false is needed here"
        && one.message.starts_with(&other.message)
    {
        other.message.clone_from(&one.message);
    }
}

fn places_of_conditions(ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    if let Some([one, other]) = both_failed(product, reference)
        && one.message == other.message
        && one.message.starts_with("true or false is needed here")
        && point_of(ruleset, one) < point_of(ruleset, other)
    {
        other.place.clone_from(&one.place);
    }
}

fn empty_loops(_ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    let refused =
        ["a list was expected, and this is a table", "a list of plain values was expected, and this one holds lists"];
    if let Ending::Failed(trouble) = &product.end
        && refused.contains(&trouble.message.as_str())
    {
        reference.clone_from(product);
    }
}

/// The check refuses to set what is fixed, so that no run of the product says this.
fn names_of_loops(_ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    if let Ending::Failed(trouble) = &reference.end
        && trouble.message.ends_with("` is fixed and cannot be set")
    {
        reference.clone_from(product);
    }
}

fn names_of_functions(ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    let is_function = |name: &str| {
        let head = format!("fn {name}(");
        ruleset.scripts.iter().any(|script| script.script.source.text.contains(&head))
    };
    if let Ending::Failed(trouble) = &reference.end
        && let Some(name) = trouble.message.strip_prefix("there is no `").and_then(|rest| rest.strip_suffix("` here"))
        && is_function(name)
    {
        reference.clone_from(product);
    }
}

fn remainder_of_the_smallest(_ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    let told = |trouble: &Trouble, what: &str| trouble.message == format!("{what}: {} % -1", i64::MIN);
    if let Some([one, other]) = both_failed(product, reference)
        && told(one, "the number is too large")
        && told(other, "division by zero")
    {
        other.message.clone_from(&one.message);
    }
}

fn depth_of_lists(_ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    if let Ending::Failed(trouble) = &product.end
        && trouble.message == "lists are nested too deeply"
    {
        reference.clone_from(product);
    }
}

/// How the messages of limits begin: of calls, and of what takes time and room.
const LIMITS: [&[&str]; 2] = [
    &["the functions call each other too deeply"],
    &[
        "the rules ran for more than ",
        "the record of this game takes more than ",
        "a list grew too long",
        "a list can hold ",
        "a text grew too long",
    ],
];

/// As far as both came, the same has happened.
fn limits(_ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    let is_one = |limits: &[&str], trouble: &Trouble| limits.iter().any(|limit| trouble.message.starts_with(limit));
    if let Some([one, other]) = both_failed(product, reference)
        && LIMITS.iter().any(|limits| is_one(limits, one) && is_one(limits, other))
        && product.events.iter().zip(&reference.events).all(|(one, other)| one == other)
    {
        reference.clone_from(product);
    }
}

fn texts_and_nothing(_ruleset: &Ruleset, product: &mut Run, reference: &mut Run) {
    let refused = [
        "`+` needs a value on both sides, and there is nothing on its right",
        "`+` needs a value on both sides, and there is nothing on its left",
        "`-` works on numbers, not on a text and a text",
        "`..` needs a value on both sides, and there is nothing on its right",
    ];
    if let Ending::Failed(trouble) = &product.end
        && refused.contains(&trouble.message.as_str())
    {
        reference.clone_from(product);
    }
}
