//! Makes rules from bytes: each byte chooses what comes next, so that a byte that changes changes one piece of them.
//!
//! What a word needs stands where it is needed, most of the time: else nothing would compile. Where the bytes are used up,
//! every choice is the first one, which is the simplest.

use crate::shared::programs::VALUES;
use houserule::script::sorts::Sort;
use houserule::script::vocabulary::{Form, ParameterSort, Word, words};

/// So deep pieces stand inside each other.
const DEPTH: usize = 6;

/// So many statements a block has at most, and so many functions the rules.
const STATEMENTS: usize = 6;
const FUNCTIONS: usize = 4;

/// The sorts that names of the rules' own have.
const KEPT: [Sort; 13] = [
    Sort::Number,
    Sort::Truth,
    Sort::Text,
    Sort::List,
    Sort::Component,
    Sort::Components,
    Sort::Zone,
    Sort::Zones,
    Sort::Player,
    Sort::Players,
    Sort::Option,
    Sort::Options,
    Sort::Data,
];

/// Variables and other places that can be set, with what they hold.
const PLACES: [(&str, Sort); 13] = [
    ("table.total", Sort::Number),
    ("table.word", Sort::Text),
    ("table.leader", Sort::Player),
    ("table.open", Sort::Truth),
    ("table.lead", Sort::Component),
    ("table.notes", Sort::List),
    ("table.seen", Sort::Components),
    ("table.places", Sort::Zones),
    ("players[1].lives", Sort::Number),
    ("players[2].mark", Sort::Text),
    ("players[3].rival", Sort::PlayerOrNobody),
    ("players[1].coins", Sort::Number),
    ("players[2].others", Sort::Players),
];

/// Rules with a function `fuzz(n)`, which may call others.
pub(super) fn rules(bytes: &[u8]) -> String {
    let mut decoder =
        Decoder { bytes: bytes.iter(), depth: 0, names: 0, scope: Vec::new(), functions: Vec::new(), loops: 0 };
    let mut rules = String::new();
    for number in 0..decoder.below(FUNCTIONS) {
        let name = format!("fuzz_{number}");
        let sort = decoder.pick(&KEPT);
        rules.push_str(&decoder.function(&name, sort));
        decoder.functions.push((name, sort));
    }
    rules.push_str(&decoder.function("fuzz", Sort::Number));
    rules
}

struct Decoder<'b> {
    bytes: std::slice::Iter<'b, u8>,
    depth: usize,
    names: usize,
    /// What can be named, with its sort.
    scope: Vec<(String, Sort)>,
    functions: Vec<(String, Sort)>,
    loops: usize,
}

impl Decoder<'_> {
    /// A number below this one; 0 where no bytes are left.
    fn below(&mut self, bound: usize) -> usize {
        let byte = usize::from(*self.bytes.next().unwrap_or(&0));
        // There are more words of some sorts than a byte has values.
        let wide = if bound > 256 { byte << 8 | usize::from(*self.bytes.next().unwrap_or(&0)) } else { byte };
        wide % bound.max(1)
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn is_used_up(&self) -> bool {
        self.bytes.len() == 0 || self.depth >= DEPTH
    }

    fn name(&mut self, sort: Sort) -> String {
        self.names += 1;
        let name = format!("x{}", self.names);
        self.scope.push((name.clone(), sort));
        name
    }

    fn function(&mut self, name: &str, sort: Sort) -> String {
        self.scope = vec![("n".to_owned(), Sort::Number)];
        self.loops = 0;
        let statements = self.statements();
        let last = self.expression(sort);
        format!("fn {name}(n) {{ {statements} {last} }}\n")
    }

    fn statements(&mut self) -> String {
        let count = self.below(STATEMENTS);
        (0..count).map(|_| self.statement() + "\n").collect()
    }

    fn block(&mut self) -> String {
        let outside = self.scope.len();
        self.depth += 1;
        let statements = self.statements();
        self.depth -= 1;
        self.scope.truncate(outside);
        format!("{{ {statements} }}")
    }

    fn looped(&mut self) -> String {
        self.loops += 1;
        let block = self.block();
        self.loops -= 1;
        block
    }

    fn statement(&mut self) -> String {
        if self.is_used_up() {
            return "();".to_owned();
        }
        match self.below(16) {
            0 => {
                let sort = self.pick(&KEPT);
                let value = self.expression(sort);
                format!("let {} = {value};", self.name(sort))
            }
            1..=5 => {
                let acts: Vec<&Word> = words().filter(|word| of(word, None) == Some(Sort::Nothing)).collect();
                let act = self.pick(&acts);
                self.word(act) + ";"
            }
            6 => {
                let (place, sort) = self.pick(&PLACES);
                let operator = self.pick(&["=", "=", "+=", "-=", "*=", "/=", "%="]);
                format!("{place} {operator} {};", self.expression(sort))
            }
            7 => {
                let which = self.below(self.scope.len());
                let Some((name, sort)) = self.scope.get(which).cloned() else { return "();".to_owned() };
                let operator = self.pick(&["=", "=", "+=", "-=", "*="]);
                format!("{name} {operator} {};", self.expression(sort))
            }
            8 => {
                let condition = self.expression(Sort::Truth);
                format!("if {condition} {} else {}", self.block(), self.block())
            }
            9 => {
                let (sort, element) = self.pick(&[
                    (Sort::Components, Sort::Component),
                    (Sort::Zone, Sort::Component),
                    (Sort::Players, Sort::Player),
                    (Sort::Zones, Sort::Zone),
                    (Sort::List, Sort::Number),
                    (Sort::Range, Sort::Number),
                ]);
                let through = self.expression(sort);
                let outside = self.scope.len();
                let name = self.name(element);
                let block = self.looped();
                self.scope.truncate(outside);
                format!("for {name} in {through} {block}")
            }
            10 => {
                let condition = self.expression(Sort::Truth);
                format!("while {condition} {}", self.looped())
            }
            11 => {
                let sort = self.pick(&KEPT);
                let value = self.expression(sort);
                let (case, other) = (self.leaf(sort), self.leaf(sort));
                let is_literal = |text: &str| !text.contains(['(', '.']) && !text.starts_with('x');
                match is_literal(&case) && is_literal(&other) && sort != Sort::List {
                    true => format!("switch {value} {{ {case} | {other} => {}, _ => {} }}", self.block(), self.block()),
                    false => format!("loop {} ", self.looped()),
                }
            }
            12 => match self.loops {
                0 => format!("if {} {{ return 0; }}", self.expression(Sort::Truth)),
                _ => self.pick(&["break;", "continue;"]).to_owned(),
            },
            13 => self.block(),
            _ => {
                let sort = self.pick(&KEPT);
                self.expression(sort) + ";"
            }
        }
    }

    /// An expression that gives this sort, most of the time.
    fn expression(&mut self, sort: Sort) -> String {
        if self.is_used_up() {
            return self.leaf(sort);
        }
        self.depth += 1;
        let made = match self.below(16) {
            0 | 1 => self.leaf(sort),
            2 => match self.scope.iter().rfind(|(_, kept)| *kept == sort) {
                Some((name, _)) => name.clone(),
                None => self.leaf(sort),
            },
            // What no check can foresee.
            3 => format!("any_value({})", self.below(VALUES)),
            4 => match self.functions.iter().rfind(|(_, gives)| *gives == sort).cloned() {
                Some((name, _)) => format!("{name}({})", self.expression(Sort::Number)),
                None => self.leaf(sort),
            },
            5 => self.composed(sort),
            _ => {
                let giving = |word: &&Word| match sort {
                    Sort::PlayerOrNobody => of(word, None) == Some(Sort::Player),
                    _ => of(word, word.receivers.first().copied()).is_none_or(|gives| gives == sort),
                };
                let giving: Vec<&Word> = words().filter(giving).collect();
                match giving.as_slice() {
                    [] => self.leaf(sort),
                    giving => {
                        let word = self.pick(giving);
                        self.word(word)
                    }
                }
            }
        };
        self.depth -= 1;
        made
    }

    /// What is put together without words.
    fn composed(&mut self, sort: Sort) -> String {
        match sort {
            Sort::Number => {
                let operator = self.pick(&["+", "-", "*", "/", "%", "**"]);
                format!("({} {operator} {})", self.expression(Sort::Number), self.expression(Sort::Number))
            }
            Sort::Truth => {
                let both = self.pick(&KEPT);
                let operator = self.pick(&["==", "!=", "<", ">=", "&&", "||", "in"]);
                let both = if operator.contains(['&', '|']) { Sort::Truth } else { both };
                format!("({} {operator} {})", self.expression(both), self.expression(both))
            }
            Sort::Text => {
                let inside = self.pick(&KEPT);
                format!("`a${{{}}}b`", self.expression(inside))
            }
            Sort::List => {
                let inside = self.pick(&KEPT);
                format!("[{}, {}]", self.expression(inside), self.expression(inside))
            }
            _ => format!(
                "if {} {{ {} }} else {{ {} }}",
                self.expression(Sort::Truth),
                self.expression(sort),
                self.expression(sort)
            ),
        }
    }

    /// A use of a word.
    fn word(&mut self, word: &Word) -> String {
        self.depth += 1;
        let receiver = match word.receivers.len() {
            0 => None,
            count => Some(word.receivers[self.below(count)]),
        };
        let on = receiver.map(|sort| self.expression(sort));
        let on = on.map(|text| if text.starts_with(['i', '-', '`']) { format!("({text})") } else { text });
        let element = receiver.and_then(Sort::element).unwrap_or(Sort::Number);
        let arguments: Vec<String> = word.parameters.iter().map(|one| self.argument(one.takes, element)).collect();
        self.depth -= 1;
        let (name, arguments) = (word.name, arguments.join(", "));
        match (word.form, on) {
            (Form::Property, Some(on)) => format!("{on}.{name}"),
            (Form::Operator, Some(on)) if name == "[]" => format!("{on}[{arguments}]"),
            (Form::Operator, Some(on)) => format!("({on} {name} {arguments})"),
            (_, Some(on)) => format!("{on}.{name}({arguments})"),
            (_, None) => format!("{name}({arguments})"),
        }
    }

    fn argument(&mut self, takes: ParameterSort, element: Sort) -> String {
        match takes {
            ParameterSort::Sort(sort) => self.expression(sort),
            ParameterSort::Held | ParameterSort::Named | ParameterSort::Value | ParameterSort::ValueOrNothing => {
                let sort = self.pick(&KEPT);
                self.expression(sort)
            }
            ParameterSort::Several | ParameterSort::Offered => {
                let sort =
                    self.pick(&[Sort::Components, Sort::List, Sort::Players, Sort::Zones, Sort::Zone, Sort::Range]);
                self.expression(sort)
            }
            ParameterSort::Function(parameters) => {
                let outside = self.scope.len();
                let names: Vec<String> = (0..parameters).map(|_| self.name(element)).collect();
                let result = self.pick(&[Sort::Truth, Sort::Number, Sort::Text]);
                let body = match self.below(4) {
                    0 => format!("{{ {} {} }}", self.block(), self.expression(result)),
                    _ => self.expression(result),
                };
                self.scope.truncate(outside);
                format!("|{}| {body}", names.join(", "))
            }
        }
    }

    /// The simplest that gives this sort.
    fn leaf(&mut self, sort: Sort) -> String {
        let texts: &[&str] = match sort {
            Sort::Number => &["1", "0", "2", "-1", "3", "9223372036854775807", "n"],
            Sort::Truth => &["true", "false"],
            Sort::Text => &[
                "\"red\"",
                "\"\"",
                "\"number\"",
                "\"color\"",
                "\"card\"",
                "\"bid\"",
                "\"a b\"",
                "\"day\"",
                "\"ö\u{202e}\"",
            ],
            Sort::Component => {
                &["row.first", "players[1].hand.last", "cup.first", "tray.first", "deck[0]", "table.lead"]
            }
            Sort::Components => &["row.components", "components(\"card\")", "components(\"die\")", "components()"],
            Sort::Zone => &["row", "deck", "bare", "cup", "tray", "players[1].hand", "piles[2]", "board.at(2, 2)"],
            Sort::Zones => &["piles", "players[1].columns", "board"],
            Sort::Player | Sort::PlayerOrNobody => &["players[1]", "players.last", "table.leader"],
            Sort::Nobody => &["nobody"],
            Sort::Players => &["players", "players.reversed"],
            Sort::Option => &["one_option(\"left\")"],
            Sort::Options => &["act(\"pass\")", "options()", "acts(\"take\", \"card\", row)"],
            Sort::List => &["[1, 2, 3]", "[]", "[\"red\", 2]", "[[1], [2, 3]]"],
            Sort::Data => &["data.numbers", "data.colors", "data.prices", "data.empty", "data.nested"],
            Sort::Range => &["0..3", "0..=2", "3..0"],
            _ => &["()"],
        };
        self.pick(texts).to_owned()
    }
}

/// What a word gives, where that is certain.
fn of(word: &Word, receiver: Option<Sort>) -> Option<Sort> {
    word.result.of(receiver)
}
