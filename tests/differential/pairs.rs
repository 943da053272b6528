//! Operators between values of all sorts, and whatever else can be done with a value of any sort, one by one.

use crate::differential::fixture::VALUES;
use crate::differential::node::{Function, Node, Program, Way};
use crate::differential::programs::{self, Compared};
use crate::shared::threads::in_threads;
use houserule::script::vocabulary::{Form, words};

/// The operators between two values.
const OPERATORS: [&str; 14] = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in", "&&", "||"];

/// The operators that change the value of a name.
const CHANGES: [&str; 5] = ["+=", "-=", "*=", "/=", "%="];

/// One value of each sort, and numbers at their limits, of those that `any_value` knows.
const SAMPLES: [usize; 24] = [0, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 17, 21, 22, 24, 27, 30, 32, 34, 36, 39, 40, 42];

/// What is done with one value; the value stands for `x`.
const ALONE: [&str; 23] = [
    "-x",
    "!x",
    "`${x}`",
    "[x]",
    "x[0]",
    "x[1]",
    "x[-1]",
    "x[\"red\"]",
    "if x { 1 } else { 2 }",
    "switch x { 0 => 1, \"red\" => 2, true => 3, _ => 4 }",
    "{ let sum = 0; for y in x { sum += 1; } sum }",
    "{ let last = 0; for (y, n) in x { last = [n, y]; } last }",
    "{ let y = x; y += 1; y }",
    "{ let y = x; y += y; y }",
    "{ let y = [x]; y[0] = 3; y.push(x); y }",
    "{ for n in 0..x { return n; } }",
    "x.map(|y| y)",
    "x.where(|y| true)",
    "x.sorted_by(|y| 1)",
    "x.max_by(|y| 1)",
    "[x, x, -1].sum_of(|y| y)",
    "x.contains(3)",
    "throw x",
];

fn program(name: String, body: &str, arguments: Vec<i64>) -> Program {
    let body = Node::block(vec![Node::statement(body, Vec::new())]);
    let parameters = vec!["n".to_owned()];
    let function = Function { layer: 0, name, parameters, is_private: false, body };
    Program { functions: vec![function], way: Way::Evaluation, arguments, is_calm: false }
}

/// Programs for each value or pair of values, by themselves: where one fails, the next is run all the same.
fn compare(bodies: &[String], numbers: &[i64]) {
    let jobs: Vec<Vec<Program>> = bodies
        .chunks(bodies.len().div_ceil(4))
        .enumerate()
        .map(|(chunk, bodies)| {
            let named =
                |(number, body): (usize, &String)| program(format!("p{chunk}x{number}"), body, numbers.to_vec());
            bodies.iter().enumerate().map(named).collect()
        })
        .collect();
    let mut all = Compared::default();
    in_threads(&jobs, |programs| Compared::of(programs.clone())).into_iter().for_each(|part| all.add(part));
    let told: Vec<String> =
        all.different.values().map(|program| programs::small(program.clone()).to_string()).collect();
    assert!(told.is_empty(), "{} sorts of difference\n\n{}", told.len(), told.join("\n\n"));
    assert!(all.refused.is_empty(), "{}", all.refused[0].1);
}

#[test]
fn operators_between_all_sorts() {
    let numbers: Vec<i64> =
        SAMPLES.iter().flat_map(|one| SAMPLES.iter().map(move |other| (one * VALUES + other) as i64)).collect();
    let both = |operator| format!("any_value(n / {VALUES}) {operator} any_value(n % {VALUES})");
    let changed = |operator| {
        format!("let x = any_value(n / {VALUES}); let same = x; x {operator} any_value(n % {VALUES}); [x, same]")
    };
    let bodies: Vec<String> = OPERATORS.iter().map(both).chain(CHANGES.iter().map(changed)).collect();
    compare(&bodies, &numbers);
}

/// The machine has steps of their own for numbers as they are written.
#[test]
fn operators_with_written_numbers() {
    let numbers: Vec<i64> = (0..VALUES as i64).collect();
    let compared = OPERATORS.iter().filter(|operator| !["in", "&&", "||"].contains(operator));
    let bodies = compared.flat_map(|operator| {
        ["0", "1", "-1", "40000"].iter().flat_map(move |written| {
            [
                format!("any_value(n) {operator} {written}"),
                format!("{written} {operator} any_value(n)"),
                format!("if any_value(n) {operator} {written} {{ 1 }} else {{ 2 }}"),
                format!("let x = any_value(n); while x {operator} {written} {{ return 1; }} 2"),
            ]
        })
    });
    let changed = CHANGES.iter().flat_map(|operator| {
        ["0", "1", "-1", "40000"].map(|written| format!("let x = any_value(n); x {operator} {written}; x"))
    });
    compare(&bodies.chain(changed).collect::<Vec<_>>(), &numbers);
}

#[test]
fn values_of_all_sorts_by_themselves() {
    let numbers: Vec<i64> = (0..VALUES as i64).collect();
    let mut properties: Vec<&str> = words()
        .filter(|word| word.form == Form::Property)
        .map(|word| word.name)
        .chain(["hand", "lives", "score", "color"])
        .collect();
    properties.sort_unstable();
    properties.dedup();
    let alone = ALONE.iter().map(|body| format!("let x = any_value(n); {body}"));
    let properties = properties.iter().map(|name| format!("any_value(n).{name}"));
    compare(&alone.chain(properties).collect::<Vec<_>>(), &numbers);
}
