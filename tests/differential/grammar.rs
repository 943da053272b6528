//! Makes small programs from the grammar of rules.
//!
//! Most are calm: what stands somewhere is of the sort that is needed there, so that they run to their end. The others
//! slip now and then: a value of any sort stands there, which no check can foresee, because a function gives it.
//!
//! What the machine and the reference do in another order on purpose is not made here: the receiver of a chain and its
//! arguments never both do something, and no argument changes a variable that stands before it in the same call.

use crate::differential::fixture::VALUES;
use crate::differential::node::{Function, Kind, Node, Program, Way};
use crate::differential::signature::{Signature, Sort};
use houserule::script::sorts;
use houserule::script::vocabulary::{Form, ParameterSort};
use houserule::table::chance::Stream;
use std::sync::Arc;

/// So deep expressions and statements stand inside each other.
const DEPTH: usize = 5;

/// So many pieces a program may have.
const PIECES: usize = 36;

/// So often a piece may be run over and over by the loops around it and the functions that call its own.
const REPEATED: usize = 300;

/// What makes an expression of a sort, where that can be.
type Make = fn(&mut Generator, Sort) -> Option<Node>;

/// What makes a statement, where that can be.
type MakeStatement = fn(&mut Generator) -> Option<Node>;

/// Every construct that gives a value, and how often it is tried.
const EXPRESSIONS: &[(&str, usize, Make)] = &[
    ("a value as it stands", 6, |it, sort| Some(it.leaf(sort))),
    ("a word", 14, Generator::word_giving),
    ("a local name", 8, Generator::local),
    ("a zone of a player", 3, Generator::zone_of_a_player),
    ("a variable", 4, Generator::variable),
    ("an attribute", 3, Generator::attribute),
    ("a setting", 2, Generator::setting),
    ("something from the data", 3, Generator::datum),
    ("a part of an option", 2, Generator::part),
    ("an entry of a list", 3, Generator::entry),
    ("arithmetic", 6, Generator::arithmetic),
    ("a minus sign", 2, |it, sort| it.prefix(sort, Sort::Number, "-@")),
    ("a negation", 3, |it, sort| it.prefix(sort, Sort::Truth, "!@")),
    ("a comparison", 6, Generator::comparison),
    ("an `&&`", 3, |it, sort| it.junction(sort, "&&")),
    ("an `||`", 3, |it, sort| it.junction(sort, "||")),
    ("an `in`", 3, Generator::is_in),
    ("a sum of texts", 2, |it, sort| it.joined(sort, "@ + @")),
    ("a text with values in it", 3, Generator::interpolated),
    ("a list of values", 4, Generator::list),
    ("a list of lists", 1, Generator::list_of_lists),
    ("an `if` that gives a value", 4, Generator::if_value),
    ("a `switch` that gives a value", 4, Generator::switch_value),
    ("a block that gives a value", 3, Generator::block_value),
    ("a call of a function", 5, Generator::call),
    ("a value of any sort", 1, |it, _| it.is_wild().then(|| it.any_value())),
];

/// Every construct that does something, and how often it is tried.
const STATEMENTS: &[(&str, usize, MakeStatement)] = &[
    ("a `let`", 10, Generator::let_name),
    ("a `let` that shadows", 3, Generator::shadow),
    ("an `=`", 6, Generator::assign),
    ("an assignment with an operator", 6, Generator::assign_by),
    ("an entry added with an operator", 3, Generator::add_entry),
    ("an entry set", 3, |it| it.set_entry("=")),
    ("an entry set with an operator", 2, |it| it.set_entry("+=")),
    ("a variable set", 5, |it| it.set_variable(false)),
    ("a variable set with an operator", 3, |it| it.set_variable(true)),
    ("an `if`", 5, |it| Some(it.if_statement(false))),
    ("an `if` with `else`", 4, |it| Some(it.if_statement(true))),
    ("an `else if`", 2, |it| Some(it.else_if())),
    ("a `switch`", 4, Generator::switch_statement),
    ("a `while`", 3, Generator::while_loop),
    ("a `loop`", 3, Generator::endless_loop),
    ("a `for`", 7, |it| it.for_loop(false)),
    ("a `for` with a counter", 3, |it| it.for_loop(true)),
    ("a `for` over a range", 4, Generator::for_range),
    ("a block", 2, |it| Some(Node::statement("@", vec![it.block(2)]))),
    ("a `break`", 3, |it| it.leave_loop("break;")),
    ("a `continue`", 3, |it| it.leave_loop("continue;")),
    ("a `return`", 2, Generator::return_value),
    ("a `return` without a value", 1, Generator::return_nothing),
    ("a `throw`", 1, Generator::throw),
    ("a word that does something", 12, Generator::act),
    ("a remark", 6, Generator::remark),
    ("an expression for nothing", 2, Generator::expression_statement),
];

/// What else has to come up, beside the constructs above and the words.
const SPECIAL: &[&str] = &[
    "a closure with an expression",
    "a closure with statements",
    "a closure that captures",
    "a closure that sets what it captures",
    "a function handed on by its name",
    "a call with arguments that set names",
    "a function that calls itself",
    "`super`",
    "a private function",
    "a negative position",
    "a case with a condition",
    "a `switch` without `_`",
    "a last statement with a semicolon",
    "a range with its end",
    "a return from a closure",
];

/// Every construct that programs have to show.
pub fn constructs() -> impl Iterator<Item = &'static str> {
    let expressions = EXPRESSIONS.iter().map(|(name, ..)| *name);
    expressions.chain(STATEMENTS.iter().map(|(name, ..)| *name)).chain(SPECIAL.iter().copied())
}

/// The sorts that a program keeps in names of its own.
const KEPT: [Sort; 17] = [
    Sort::Number,
    Sort::Number,
    Sort::Number,
    Sort::Truth,
    Sort::Text,
    Sort::List,
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
    Sort::Any,
];

const TEXTS: [&str; 6] = ["\"\"", "\"red\"", "\"blue\"", "\"a b\"", "\"ö…\"", "`x`"];

/// A name of a function's own.
#[derive(Clone)]
struct Local {
    name: String,
    sort: Sort,
    /// Counters of loops stay as they are, so that every loop ends.
    is_fixed: bool,
    /// How deep in closures it was made.
    closures: usize,
}

/// A function that can be called.
#[derive(Clone)]
struct Callable {
    name: String,
    parameters: Vec<Sort>,
    result: Sort,
    /// How often it runs a piece of its own.
    repeats: usize,
    acts: bool,
    /// Whether only the game's own script can call it.
    is_private: bool,
}

/// Makes one program after the other.
pub struct Generator {
    words: Arc<[Signature]>,
    chance: Stream,
    /// How many of a hundred pieces slip.
    slips: usize,
    pieces: usize,
    depth: usize,
    scope: Vec<Local>,
    callable: Vec<Callable>,
    names: usize,
    /// How often what is made now is run.
    repeated: usize,
    /// Loops of the function or closure around.
    loops: usize,
    closures: usize,
    /// What may not change anything is made.
    looking: usize,
    /// What may not set a name is made.
    quiet: usize,
    /// What the function gives that is made.
    result: Sort,
    /// The script that it stands in.
    layer: usize,
    asks: bool,
    acts: bool,
    /// Whether the function that is made lies above another of its name and parameters.
    lies_above: Option<Callable>,
}

impl Generator {
    pub fn new(words: &Arc<[Signature]>, seed: u64, number: u32) -> Self {
        let mut chance = Stream::named(seed, "small programs", number);
        let slips = [0, 0, 0, 4, 15][chance.below(5)];
        Self {
            words: words.clone(),
            chance,
            slips,
            pieces: 0,
            depth: 0,
            scope: Vec::new(),
            callable: Vec::new(),
            names: 0,
            repeated: 1,
            loops: 0,
            closures: 0,
            looking: 0,
            quiet: 0,
            result: Sort::Any,
            layer: 0,
            asks: false,
            acts: false,
            lies_above: None,
        }
    }

    /// A program whose functions have names that begin so.
    pub fn program(mut self, name: &str) -> Program {
        let mut functions = Vec::new();
        for number in 0..self.chance.below(4) {
            let helper = format!("{name}_{number}");
            match self.chance.below(5) {
                0 => functions.push(self.recursive(helper)),
                1 => functions.extend(self.layered(helper)),
                2 => functions.push(self.function(helper, 0, true)),
                _ => functions.push(self.function(helper, 0, false)),
            }
        }
        let main = self.function_of(name.to_owned(), 0, false, vec![("n".to_owned(), Sort::Number)], PIECES);
        functions.insert(0, main);
        // To read a typed expression takes longer than to run one of these programs.
        let (way, arguments) = match (self.asks, self.chance.below(8)) {
            (true, _) | (_, 0) => (Way::Played, 1),
            (_, 1) => (Way::Evaluated, 1),
            _ => (Way::Evaluation, 1 + self.chance.below(3)),
        };
        let arguments = [1, 0, 3].into_iter().take(arguments).collect();
        Program { functions, way, arguments, is_calm: self.slips == 0 }
    }

    /// A program that does nothing but to use one word.
    pub fn drill(mut self, name: &str, word: &Signature) -> Program {
        self.slips /= 2;
        self.result = Sort::Any;
        self.pieces = 20;
        self.scope.push(Local { name: "n".to_owned(), sort: Sort::Number, is_fixed: true, closures: 0 });
        self.depth = DEPTH - 2;
        let body = match (word.name, word.result) {
            ("push", _) => {
                let pushed = Node::statement("list.push(@);", vec![self.leaf(Sort::Any)]).showing(&word.usage);
                vec![
                    Node::statement("let list = @;", vec![self.leaf(Sort::List)]),
                    pushed,
                    Node::statement("list", Vec::new()),
                ]
            }
            ("show_choice", _) => {
                self.asks = true;
                let bids = "players[1].choose_secretly(\"bid\", [1, 2]); players[1].may(\"ask\");";
                let call = self.call_word(word).showing(&word.usage);
                vec![Node::statement(bids, Vec::new()), Node::statement("@;", vec![call])]
            }
            (_, Sort::Nothing) => vec![Node::statement("@;", vec![self.call_word(word).showing(&word.usage)])],
            _ => {
                let call = self.call_word(word).showing(&word.usage);
                vec![Node::statement("let got = @;", vec![call]), Node::statement("got", Vec::new())]
            }
        };
        let function = Function {
            layer: 0,
            name: name.to_owned(),
            parameters: vec!["n".to_owned()],
            is_private: false,
            body: Node::block(body),
        };
        let way = if self.asks { Way::Played } else { Way::Evaluation };
        Program { functions: vec![function], way, arguments: vec![1], is_calm: self.slips == 0 }
    }

    // Functions

    fn function(&mut self, name: String, layer: usize, is_private: bool) -> Function {
        let parameters = (0..self.chance.below(4)).map(|number| (format!("a{number}"), self.kept())).collect();
        self.function_of(name, layer, is_private, parameters, PIECES / 4)
    }

    fn function_of(
        &mut self,
        name: String,
        layer: usize,
        is_private: bool,
        parameters: Vec<(String, Sort)>,
        pieces: usize,
    ) -> Function {
        self.pieces = pieces;
        self.acts = false;
        self.layer = layer;
        self.result = self.kept();
        self.scope = parameters
            .iter()
            .map(|(name, sort)| Local { name: name.clone(), sort: *sort, is_fixed: name == "n", closures: 0 })
            .collect();
        let length = 2 + self.chance.below(5);
        let mut body = self.statements(length);
        body.push(self.last_statement(self.result));
        let mut body = Node::block(body);
        if is_private {
            body = body.showing("a private function");
        }
        let callable = Callable {
            name: name.clone(),
            parameters: parameters.iter().map(|(_, sort)| *sort).collect(),
            result: self.result,
            repeats: 4,
            acts: self.acts,
            is_private,
        };
        self.callable.push(callable);
        let parameters = parameters.into_iter().map(|(name, _)| name).collect();
        Function { layer, name, parameters, is_private, body }
    }

    /// A function that calls itself with a smaller number.
    fn recursive(&mut self, name: String) -> Function {
        let sort = self.kept();
        self.pieces = PIECES / 6;
        self.layer = 0;
        self.acts = false;
        self.result = sort;
        self.scope = vec![Local { name: "n".to_owned(), sort: Sort::Number, is_fixed: true, closures: 0 }];
        let end = self.expression(sort);
        let mut body = vec![Node::statement("if n <= 0 || n > 4 { return @; }", vec![end])];
        body.extend(self.statements(1));
        let again = Node::expression(&format!("{name}(n - 1)"), Vec::new()).showing("a function that calls itself");
        body.push(Node::statement("let below = @;", vec![again]));
        self.scope.push(Local { name: "below".to_owned(), sort, is_fixed: false, closures: 0 });
        body.extend(self.statements(1));
        body.push(self.last_statement(sort));
        self.callable.push(Callable {
            name: name.clone(),
            parameters: vec![Sort::Number],
            result: sort,
            repeats: 20,
            acts: self.acts,
            is_private: false,
        });
        Function { layer: 0, name, parameters: vec!["n".to_owned()], is_private: false, body: Node::block(body) }
    }

    /// A function of two or three layers, those above with `super`.
    fn layered(&mut self, name: String) -> Vec<Function> {
        let mut functions = vec![self.function(name, 0, false)];
        for layer in [1, 2] {
            if layer == 2 && self.chance.below(2) == 0 {
                break;
            }
            let Some(below) = self.callable.pop() else { break };
            let parameters = functions[0].parameters.iter().cloned().zip(below.parameters.iter().copied()).collect();
            self.lies_above = Some(below.clone());
            let mut above = self.function_of(functions[0].name.clone(), layer, false, parameters, PIECES / 4);
            self.lies_above = None;
            // Of several layers the highest is called, and what it gives may be of another sort.
            if let Some(callable) = self.callable.last_mut() {
                callable.repeats += below.repeats;
                callable.acts |= below.acts;
            }
            if self.chance.below(3) == 0 {
                let arguments = above.parameters.join(", ");
                let beneath = Node::statement(&format!("let beneath = super({arguments});"), Vec::new());
                above.body.parts.insert(0, beneath.showing("`super`"));
            }
            functions.push(above);
        }
        functions
    }

    // Chance

    fn one_in(&mut self, number: usize) -> bool {
        self.chance.below(number) == 0
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.chance.below(list.len())].clone()
    }

    fn kept(&mut self) -> Sort {
        self.pick(&KEPT)
    }

    fn is_wild(&self) -> bool {
        self.slips > 0
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    // Statements

    fn statements(&mut self, count: usize) -> Vec<Node> {
        (0..count).map(|_| self.statement()).collect()
    }

    fn block(&mut self, most: usize) -> Node {
        let outside = self.scope.len();
        let count = self.chance.below(most + 1);
        let statements = self.statements(count);
        self.scope.truncate(outside);
        Node::block(statements)
    }

    fn repeated<T>(&mut self, times: usize, make: impl FnOnce(&mut Self) -> T) -> T {
        self.repeated *= times;
        let made = make(self);
        self.repeated /= times;
        made
    }

    fn statement(&mut self) -> Node {
        if self.depth >= DEPTH || self.pieces == 0 {
            return self.remark().unwrap_or_else(|| Node::statement("();", Vec::new()));
        }
        self.pieces -= 1;
        self.depth += 1;
        let made = loop {
            let all = STATEMENTS.iter().map(|(_, weight, _)| weight).sum();
            let (name, make) =
                drawn(self.chance.below(all), STATEMENTS.iter().map(|(name, weight, make)| (*weight, (*name, *make))));
            if let Some(made) = make(self) {
                break made.showing(name);
            }
        };
        self.depth -= 1;
        made
    }

    /// What a function or closure gives: its last statement, with or without a semicolon.
    fn last_statement(&mut self, sort: Sort) -> Node {
        let value = self.expression(sort);
        match self.chance.below(5) {
            0 => Node::statement("@;", vec![value]).showing("a last statement with a semicolon"),
            1 => Node::statement("return @;", vec![value]),
            _ => Node::statement("@", vec![value]),
        }
    }

    fn begin(&mut self, name: String, sort: Sort) {
        let closures = self.closures;
        self.scope.push(Local { name, sort, is_fixed: false, closures });
    }

    fn let_name(&mut self) -> Option<Node> {
        let sort = self.kept();
        let value = self.expression(sort);
        let name = self.fresh();
        let made = Node::statement(&format!("let {name} = @;"), vec![value]);
        self.begin(name, sort);
        Some(made)
    }

    fn shadow(&mut self) -> Option<Node> {
        let names: Vec<Local> = self.scope.iter().filter(|local| !local.is_fixed).cloned().collect();
        let name = (!names.is_empty()).then(|| self.pick(&names))?.name;
        let sort = self.kept();
        let value = self.expression(sort);
        let made = Node::statement(&format!("let {name} = @;"), vec![value]);
        self.begin(name, sort);
        Some(made)
    }

    /// A name that may be set here.
    fn settable(&mut self, fits: impl Fn(Sort) -> bool) -> Option<Local> {
        if self.quiet > 0 {
            return None;
        }
        let names: Vec<Local> =
            self.visible().into_iter().filter(|local| !local.is_fixed && fits(local.sort)).collect();
        let local = (!names.is_empty()).then(|| self.pick(&names))?;
        Some(local)
    }

    /// The names that can be used here, those left out that others shadow.
    fn visible(&self) -> Vec<Local> {
        let mut seen: Vec<Local> = Vec::new();
        for local in self.scope.iter().rev() {
            if !seen.iter().any(|known| known.name == local.name) {
                seen.push(local.clone());
            }
        }
        seen
    }

    /// A statement that sets a name, told apart where it is one of the function around a closure.
    fn sets(&self, local: &Local, made: Node) -> Node {
        if local.closures < self.closures {
            return Node::statement(
                "@",
                vec![Node::expression("@", vec![made]).showing("a closure that sets what it captures")],
            );
        }
        made
    }

    fn assign(&mut self) -> Option<Node> {
        let local = self.settable(|_| true)?;
        let value = self.expression(local.sort);
        let made = Node::statement(&format!("{} = @;", local.name), vec![value]);
        Some(self.sets(&local, made))
    }

    fn assign_by(&mut self) -> Option<Node> {
        let local = self.settable(|sort| {
            matches!(sort, Sort::Number | Sort::Text | Sort::List | Sort::Components | Sort::Zones | Sort::Options)
        })?;
        let operator = match local.sort {
            Sort::Number => self.pick(&["+=", "-=", "*=", "%=", "/="]),
            Sort::Components => self.pick(&["+=", "-="]),
            _ => "+=",
        };
        // A long list that is added to itself in loops would soon fill the machine.
        if !matches!(local.sort, Sort::Number) && self.repeated > 30 {
            return None;
        }
        let value = match (operator, local.sort) {
            ("%=" | "/=", _) => self.divisor(),
            (_, Sort::Text) => Node::expression(self.pick(&TEXTS), Vec::new()),
            (_, sort) => self.expression(sort),
        };
        let made = Node::statement(&format!("{} {operator} @;", local.name), vec![value]);
        Some(self.sets(&local, made))
    }

    /// What is no list itself becomes an entry of the list that it is added to.
    fn add_entry(&mut self) -> Option<Node> {
        let list = self.settable(|sort| sort == Sort::List).filter(|_| self.repeated <= 30)?;
        let sort = self.kept();
        let value = self.expression(sort);
        Some(self.sets(&list, Node::statement(&format!("{} += @;", list.name), vec![value])))
    }

    fn set_entry(&mut self, operator: &str) -> Option<Node> {
        let Local { name, .. } = self.settable(|sort| sort == Sort::List)?;
        let filled = format!("if {name}.is_empty {{ {name}.push(1); }}");
        let (position, value) = (self.position(), self.expression(Sort::Number));
        Some(match operator {
            "=" => Node::statement(&format!("{filled} {name}[@] = @;"), vec![position, value]),
            _ => Node::statement(&format!("{filled} {name}[0] = 1; {name}[0] {operator} @;"), vec![value]),
        })
    }

    fn set_variable(&mut self, by_operator: bool) -> Option<Node> {
        if self.looking > 0 {
            return None;
        }
        self.acts = true;
        let (name, of_player, sort) = self.pick(&VARIABLES);
        let owner = if of_player { self.owner() } else { Node::expression("table", Vec::new()) };
        let operator = match (by_operator, sort) {
            (false, _) => "=",
            (true, Sort::Number) => self.pick(&["+=", "-=", "*="]),
            (true, Sort::Text) if self.repeated < 30 => "+=",
            _ => return None,
        };
        let value = match (sort, operator) {
            (Sort::Player, _) if self.one_in(4) => Node::expression("nobody", Vec::new()),
            (Sort::Text, "+=") => Node::expression(self.pick(&TEXTS), Vec::new()),
            _ => self.expression(sort),
        };
        Some(Node::statement(&format!("@.{name} {operator} @;"), vec![owner, value]))
    }

    /// What a statement decides by, which a block follows.
    fn condition(&mut self) -> Node {
        self.expression(Sort::Truth).before_a_block()
    }

    /// A player whose variable is set: only what begins with a name can stand there.
    fn owner(&mut self) -> Node {
        let player = match self.local(Sort::Player).filter(|_| self.chance.below(2) == 0) {
            Some(local) => local,
            None => {
                Node::expression(self.pick(&["players[1]", "players[2]", "players.last", "table.leader"]), Vec::new())
            }
        };
        if self.one_in(4) { Node::expression("@.next", vec![player]) } else { player }
    }

    fn if_statement(&mut self, with_else: bool) -> Node {
        let condition = self.condition();
        let then = self.block(3);
        match with_else {
            true => Node::statement("if @ @ else @", vec![condition, then, self.block(2)]),
            false => Node::statement("if @ @", vec![condition, then]),
        }
    }

    fn else_if(&mut self) -> Node {
        let first = self.condition();
        let then = self.block(2);
        let second = self.condition();
        Node::statement("if @ @ else if @ @ else @", vec![first, then, second, self.block(2), self.block(2)])
    }

    /// What is switched over. As the entry of a list it may be of any sort, so that no case is refused as one that is
    /// never taken.
    fn switched(&mut self, sort: Sort) -> Node {
        let value = self.expression(sort);
        Node::expression("[@][0]", vec![value])
    }

    fn switch_statement(&mut self) -> Option<Node> {
        let (sort, cases) = self.pick(&SWITCHES);
        let mut parts = vec![self.switched(sort)];
        let mut text = String::from("switch @ { ");
        let conditional = self.one_in(3);
        for (number, case) in cases.iter().enumerate() {
            let condition = if conditional && number == 0 {
                parts.push(self.condition().closed());
                "if @ "
            } else {
                ""
            };
            text.push_str(&format!("{case} {condition}=> @, "));
            parts.push(self.block(2));
        }
        if self.one_in(3) {
            text.truncate(text.len() - 2);
        } else {
            text.push_str("_ => @");
            parts.push(self.block(2));
        }
        text.push_str(" }");
        Some(Node::statement(&text, parts))
    }

    fn while_loop(&mut self) -> Option<Node> {
        self.looped(|it, name, most| {
            it.begin_counter(name);
            it.loops -= 1;
            let condition = it.expression(Sort::Truth);
            it.loops += 1;
            let body = it.loop_body(&format!("{name} += 1;"));
            let text = format!("let {name} = 0; while {name} < {most} && @ @");
            Node::statement(&text, vec![condition.closed(), body])
        })
    }

    fn endless_loop(&mut self) -> Option<Node> {
        self.looped(|it, name, most| {
            it.begin_counter(name);
            let body = it.loop_body(&format!("{name} += 1; if {name} > {most} {{ break; }}"));
            Node::statement(&format!("let {name} = 0; loop @"), vec![body])
        })
    }

    fn begin_counter(&mut self, name: &str) {
        let closures = self.closures;
        self.scope.push(Local { name: name.to_owned(), sort: Sort::Number, is_fixed: true, closures });
    }

    fn loop_body(&mut self, first: &str) -> Node {
        let mut body = self.block(3);
        body.parts.insert(0, Node::statement(first, Vec::new()));
        body
    }

    /// Something that runs a few times.
    fn looped(&mut self, make: impl FnOnce(&mut Self, &str, usize) -> Node) -> Option<Node> {
        let most = 1 + self.chance.below(4);
        if self.repeated * most > REPEATED || self.quiet > 0 {
            return None;
        }
        let name = self.fresh();
        let outside = self.scope.len();
        self.loops += 1;
        let made = self.repeated(most, |it| make(it, &name, most));
        self.loops -= 1;
        self.scope.truncate(outside);
        Some(made)
    }

    fn for_loop(&mut self, with_counter: bool) -> Option<Node> {
        let sorts = [Sort::Zone, Sort::Components, Sort::Zones, Sort::Players, Sort::List, Sort::Data, Sort::Range];
        let sort = self.pick(&sorts);
        if self.repeated * 5 > REPEATED {
            return None;
        }
        let list = self.expression(sort).before_a_block();
        let item = self.fresh();
        let counter = with_counter.then(|| self.fresh());
        self.looped(|it, _, _| {
            it.begin(item.clone(), sort.element().unwrap_or(Sort::Any));
            let names = match &counter {
                Some(counter) => {
                    it.begin(counter.clone(), Sort::Number);
                    format!("({item}, {counter})")
                }
                None => item.clone(),
            };
            let body = it.repeated(4, |it| it.block(3));
            Node::statement(&format!("for {names} in @ @"), vec![list, body])
        })
    }

    fn for_range(&mut self) -> Option<Node> {
        let list = self.range();
        let item = self.fresh();
        self.looped(|it, _, _| {
            it.begin(item.clone(), Sort::Number);
            let body = it.repeated(3, |it| it.block(3));
            Node::statement(&format!("for {item} in @ @"), vec![list, body])
        })
    }

    fn range(&mut self) -> Node {
        let (low, high) = (self.small_number(), self.small_number());
        match self.one_in(2) {
            true => Node::expression("@..=@", vec![low, high]).showing("a range with its end"),
            false => Node::expression("@..@", vec![low, high]),
        }
    }

    fn leave_loop(&mut self, how: &str) -> Option<Node> {
        (self.loops > 0).then(|| {
            let condition = self.condition();
            Node::statement(&format!("if @ {{ {how} }}"), vec![condition])
        })
    }

    fn return_value(&mut self) -> Option<Node> {
        let (condition, value) = (self.condition(), self.expression(self.result));
        let made = Node::statement("if @ { return @; }", vec![condition, value]);
        Some(if self.closures > 0 {
            Node::statement("@", vec![Node::expression("@", vec![made]).showing("a return from a closure")])
        } else {
            made
        })
    }

    fn return_nothing(&mut self) -> Option<Node> {
        (self.closures == 0 && self.result == Sort::Any).then(|| {
            let condition = self.condition();
            Node::statement("if @ { return; }", vec![condition])
        })
    }

    fn throw(&mut self) -> Option<Node> {
        if !self.is_wild() && !self.one_in(4) {
            return None;
        }
        let condition = self.condition();
        let sort = self.pick(&[Sort::Text, Sort::Number, Sort::Player]);
        Some(Node::statement("if @ { throw @; }", vec![condition, self.expression(sort)]))
    }

    fn act(&mut self) -> Option<Node> {
        let all = self.words.clone();
        let words: Vec<&Signature> = all.iter().filter(|word| word.result == Sort::Nothing).collect();
        let word = self.pick(&words);
        if word.name == "push" {
            let local = self.settable(|sort| sort == Sort::List)?;
            let value = self.leaf(Sort::Any);
            let made = Node::statement(&format!("{}.push(@);", local.name), vec![value]);
            let made = self.sets(&local, made);
            return Some(Node::statement("@", vec![Node::expression("@", vec![made]).showing(&word.usage)]));
        }
        let call = self.use_word(word)?;
        Some(Node::statement("@;", vec![call]))
    }

    /// What shows up in the record.
    fn remark(&mut self) -> Option<Node> {
        if self.looking > 0 {
            return None;
        }
        self.acts = true;
        let sort = self.pick(&[Sort::Number, Sort::Truth, Sort::Text, Sort::Component, Sort::Player, Sort::Zone]);
        let value = self.leaf(sort);
        Some(Node::statement("note(\"so far\", [@]);", vec![value]))
    }

    fn expression_statement(&mut self) -> Option<Node> {
        let sort = self.kept();
        Some(Node::statement("@;", vec![self.expression(sort)]))
    }

    // Expressions

    fn expression(&mut self, sort: Sort) -> Node {
        if self.chance.below(100) < self.slips {
            return self.any_value();
        }
        if self.depth >= DEPTH || self.pieces == 0 {
            return self.leaf(sort);
        }
        self.pieces -= 1;
        self.depth += 1;
        let wanted = if sort == Sort::Any { self.kept() } else { sort };
        let mut tries = 0;
        let made = loop {
            tries += 1;
            let all = EXPRESSIONS.iter().map(|(_, weight, _)| weight).sum();
            let choices = EXPRESSIONS.iter().map(|(name, weight, make)| (*weight, (*name, *make)));
            let (name, make) = drawn(self.chance.below(all), choices);
            if let Some(made) = make(self, wanted) {
                break Node::expression("@", vec![made]).showing(name);
            }
            if tries > 60 {
                break self.leaf(sort);
            }
        };
        self.depth -= 1;
        made
    }

    /// What gives itself: a number, the name of a zone.
    fn leaf(&mut self, sort: Sort) -> Node {
        if self.chance.below(5) < 2
            && let Some(local) = self.local(sort)
        {
            return local;
        }
        if sort == Sort::Range {
            return self.range();
        }
        let texts: &[&str] = match sort {
            Sort::Nothing => &["()"],
            Sort::Number => &["0", "1", "2", "3", "-1", "7", "12"],
            Sort::Truth => &["true", "false"],
            Sort::Text => &TEXTS,
            Sort::Component => {
                &["row.first", "row.last", "players[1].hand.first", "players[2].hand.last", "tray.first", "deck[0]"]
            }
            Sort::Components => {
                &["components()", "row.components", "components(\"card\")", "players[3].hand.components"]
            }
            Sort::Zone => {
                &["deck", "row", "bare", "tray", "cup", "players[1].hand", "players[2].won", "piles[2]", "board[4]"]
            }
            Sort::Zones => &["piles", "players[1].columns", "players[3].columns", "piles.empty", "board"],
            Sort::Player => &["players[1]", "players[2]", "players.last", "table.leader"],
            Sort::Nobody => &["nobody"],
            Sort::PlayerOrNobody => &["players[2]", "nobody"],
            Sort::Players => &["players", "players.except(players[1])", "players.reversed"],
            Sort::Option => &["one_option(\"left\")", "one_option(\"right\")"],
            Sort::Options => {
                &["act(\"pass\")", "options()", "acts(\"take\", \"card\", row)", "options(\"seat\", players)"]
            }
            Sort::List => {
                &["[]", "[1, 2, 3]", "[3, -1, 3]", "[\"red\", 2, true]", "[row.first, nobody]", "[[1], [2, 3]]"]
            }
            Sort::Data => &["data.numbers", "data.colors", "data.empty"],
            Sort::Any | Sort::Range => {
                return if self.is_wild() {
                    self.any_value()
                } else {
                    let sort = self.kept_plain();
                    self.leaf(sort)
                };
            }
        };
        Node::expression(self.pick(texts), Vec::new())
    }

    fn kept_plain(&mut self) -> Sort {
        self.pick(&[Sort::Number, Sort::Text, Sort::Truth, Sort::Component, Sort::Player, Sort::Zone])
    }

    fn any_value(&mut self) -> Node {
        Node::expression(&format!("any_value({})", self.chance.below(VALUES)), Vec::new())
    }

    fn local(&mut self, sort: Sort) -> Option<Node> {
        let names: Vec<Local> =
            self.visible().into_iter().filter(|local| local.sort == sort || sort == Sort::Any).collect();
        let local = (!names.is_empty()).then(|| self.pick(&names))?;
        let made = Node::expression(&local.name, Vec::new());
        Some(if local.closures < self.closures { made.showing("a closure that captures") } else { made })
    }

    fn small_number(&mut self) -> Node {
        match self.one_in(3) {
            true => self.local_counter().unwrap_or_else(|| Node::expression("2", Vec::new())),
            false => Node::expression(self.pick(&["0", "1", "3", "4", "(-2)"]), Vec::new()),
        }
    }

    /// A number that is not large, because it counts a loop.
    fn local_counter(&mut self) -> Option<Node> {
        let names: Vec<Local> = self.visible().into_iter().filter(|local| local.is_fixed).collect();
        (!names.is_empty()).then(|| Node::expression(&self.pick(&names).name, Vec::new()))
    }

    fn zone_of_a_player(&mut self, sort: Sort) -> Option<Node> {
        let zones: &[&str] = match sort {
            Sort::Zone => &["hand", "won"],
            Sort::Zones => &["columns"],
            _ => return None,
        };
        let name = self.pick(zones);
        Some(Node::expression(&format!("@.{name}"), vec![self.expression(Sort::Player).closed()]))
    }

    fn variable(&mut self, sort: Sort) -> Option<Node> {
        let fitting: Vec<(&str, bool, Sort)> = VARIABLES
            .iter()
            .copied()
            .chain([("score", true, Sort::Number)])
            .filter(|(.., held)| *held == sort && *held != Sort::Player)
            .collect();
        let (name, of_player, _) = (!fitting.is_empty()).then(|| self.pick(&fitting))?;
        let owner =
            if of_player { self.expression(Sort::Player).closed() } else { Node::expression("table", Vec::new()) };
        Some(Node::expression(&format!("@.{name}"), vec![owner]))
    }

    fn attribute(&mut self, sort: Sort) -> Option<Node> {
        let names: &[&str] = match sort {
            Sort::Number => &["number"],
            Sort::Text => &["color", "shape"],
            _ => return None,
        };
        let (name, cards) = (self.pick(names), ["row.first", "row.last", "deck.first", "players[1].hand.first"]);
        let card = match self.is_wild() && self.one_in(3) {
            true => self.expression(Sort::Component).closed(),
            false => Node::expression(self.pick(&cards), Vec::new()),
        };
        Some(Node::expression(&format!("@.{name}"), vec![card]))
    }

    fn setting(&mut self, sort: Sort) -> Option<Node> {
        let name = match (sort, self.layer) {
            (Sort::Number, 0) => "settings.bonus",
            (Sort::Truth, 0) => "settings.open",
            (Sort::Text, 0) => "settings.mode",
            (Sort::Data, 0) => "settings.steps",
            (Sort::Number, 1) => "settings.limit",
            (Sort::Text, 2) => "settings.name",
            _ => return None,
        };
        Some(Node::expression(name, Vec::new()))
    }

    fn datum(&mut self, sort: Sort) -> Option<Node> {
        let texts: &[&str] = match sort {
            Sort::Number => {
                &["data.hand_size", "data.prices.red", "data.prices[2]", "data.numbers[1]", "data.nested[0][1]"]
            }
            Sort::Text => &["data.colors[0]", "data.colors[2]"],
            Sort::Data => &["data.numbers", "data.colors", "data.nested[0]"],
            _ => return None,
        };
        Some(Node::expression(self.pick(texts), Vec::new()))
    }

    fn part(&mut self, sort: Sort) -> Option<Node> {
        let name = match sort {
            Sort::Text => "side",
            Sort::Any => self.pick(&["side", "act"]),
            _ => return None,
        };
        Some(Node::expression(&format!("@.{name}"), vec![self.leaf(Sort::Option).closed()]))
    }

    fn position(&mut self) -> Node {
        match self.chance.below(4) {
            0 => Node::expression("-1", Vec::new()).showing("a negative position"),
            1 if self.is_wild() => Node::expression(self.pick(&["-2", "5", "-9", "9223372036854775807"]), Vec::new()),
            _ => Node::expression("0", Vec::new()),
        }
    }

    fn entry(&mut self, sort: Sort) -> Option<Node> {
        let (list, position) = match sort {
            Sort::Number | Sort::Any => (Node::expression("[7, 5, @]", vec![self.leaf(Sort::Number)]), self.position()),
            Sort::Component => (self.leaf(Sort::Components), self.position()),
            Sort::Player => (self.leaf(Sort::Players), Node::expression("1", Vec::new())),
            Sort::Zone => {
                (Node::expression("piles", Vec::new()), Node::expression("@", vec![Node::expression("2", Vec::new())]))
            }
            _ => return None,
        };
        Some(Node::expression("@[@]", vec![list.closed(), position]))
    }

    fn divisor(&mut self) -> Node {
        match self.is_wild() {
            true => self.expression(Sort::Number),
            false => Node::expression(self.pick(&["2", "3", "-2"]), Vec::new()),
        }
    }

    fn arithmetic(&mut self, sort: Sort) -> Option<Node> {
        if sort != Sort::Number {
            return None;
        }
        let operator = self.pick(&["+", "-", "*", "/", "%"]);
        let left = self.expression(Sort::Number).closed();
        let right = if matches!(operator, "/" | "%") { self.divisor() } else { self.expression(Sort::Number) };
        Some(Node::expression(&format!("@ {operator} @"), vec![left, right.closed()]))
    }

    fn prefix(&mut self, sort: Sort, wanted: Sort, text: &str) -> Option<Node> {
        (sort == wanted).then(|| Node::expression(text, vec![self.expression(wanted).closed()]))
    }

    fn comparison(&mut self, sort: Sort) -> Option<Node> {
        if sort != Sort::Truth {
            return None;
        }
        let compared = self.pick(&[
            Sort::Number,
            Sort::Number,
            Sort::Number,
            Sort::Text,
            Sort::Truth,
            Sort::Component,
            Sort::Player,
            Sort::Zone,
            Sort::List,
            Sort::Components,
            Sort::Zones,
            Sort::Players,
        ]);
        let operators: &[&str] = match compared {
            Sort::Number | Sort::Text => &["==", "!=", "<", "<=", ">", ">="],
            _ => &["==", "!="],
        };
        let operator = self.pick(operators);
        let left = self.expression(compared).closed();
        let right = match compared {
            Sort::Player if self.one_in(3) => Node::expression("nobody", Vec::new()),
            _ => self.expression(compared).closed(),
        };
        Some(Node::expression(&format!("@ {operator} @"), vec![left, right]))
    }

    fn junction(&mut self, sort: Sort, operator: &str) -> Option<Node> {
        (sort == Sort::Truth).then(|| {
            let (left, right) = (self.expression(sort).closed(), self.expression(sort).closed());
            Node::expression(&format!("@ {operator} @"), vec![left, right])
        })
    }

    /// Which of the two sides is worked out first is another matter, so one of them has nothing to work out.
    fn is_in(&mut self, sort: Sort) -> Option<Node> {
        if sort != Sort::Truth {
            return None;
        }
        let (held, list) = self.pick(&[
            (Sort::Number, Sort::List),
            (Sort::Text, Sort::List),
            (Sort::Number, Sort::Data),
            (Sort::Text, Sort::Data),
            (Sort::Component, Sort::Zone),
            (Sort::Component, Sort::Components),
            (Sort::Player, Sort::Players),
            (Sort::Zone, Sort::Zones),
        ]);
        let value = self.leaf(held).closed();
        let list = self.leaf(list).closed();
        Some(Node::expression("@ in @", vec![value, list]))
    }

    fn joined(&mut self, sort: Sort, text: &str) -> Option<Node> {
        (sort == Sort::Text).then(|| {
            let (left, right) = (self.expression(sort).closed(), self.expression(sort).closed());
            Node::expression(text, vec![left, right])
        })
    }

    fn interpolated(&mut self, sort: Sort) -> Option<Node> {
        if sort != Sort::Text {
            return None;
        }
        let one = self.kept();
        let parts = vec![self.expression(one), self.expression(Sort::Number)];
        Some(Node::expression("`a ${@} b ${@}`", parts))
    }

    fn list(&mut self, sort: Sort) -> Option<Node> {
        (sort == Sort::List).then(|| {
            let held = self.kept();
            let parts: Vec<Node> = (0..self.chance.below(4)).map(|_| self.expression(held)).collect();
            Node::expression(&format!("[{}]", vec!["@"; parts.len()].join(", ")), parts)
        })
    }

    fn list_of_lists(&mut self, sort: Sort) -> Option<Node> {
        (sort == Sort::List).then(|| {
            let parts = vec![self.expression(Sort::List), self.expression(Sort::Any)];
            Node::expression("[@, [], @]", parts)
        })
    }

    /// Statements that give a value of a sort.
    fn giving_block(&mut self, sort: Sort) -> Node {
        let outside = self.scope.len();
        let count = self.chance.below(2);
        let mut statements = self.statements(count);
        let value = self.expression(sort);
        statements.push(match self.one_in(3) {
            true => Node::statement("@;", vec![value]).showing("a last statement with a semicolon"),
            false => Node::statement("@", vec![value]),
        });
        self.scope.truncate(outside);
        Node::block(statements)
    }

    fn if_value(&mut self, sort: Sort) -> Option<Node> {
        let condition = self.condition();
        Some(Node::expression("if @ @ else @", vec![condition, self.giving_block(sort), self.giving_block(sort)]))
    }

    fn switch_value(&mut self, sort: Sort) -> Option<Node> {
        let (switched, cases) = self.pick(&SWITCHES);
        let mut parts = vec![self.switched(switched)];
        let mut text = String::from("switch @ { ");
        let conditional = self.one_in(3);
        for (number, case) in cases.iter().enumerate() {
            if conditional && number == 0 {
                text.push_str(&format!("{case} if @ => @, "));
                parts.push(self.expression(Sort::Truth).closed().showing("a case with a condition"));
            } else {
                text.push_str(&format!("{case} => @, "));
            }
            parts.push(self.expression(sort));
        }
        // Without `_` it gives nothing where no case fits.
        let is_whole = sort != Sort::Any || self.one_in(2);
        if is_whole {
            text.push_str("_ => @ }");
            parts.push(self.expression(sort));
            return Some(Node::expression(&text, parts));
        }
        text.truncate(text.len() - 2);
        text.push_str(" }");
        Some(Node::expression("@", vec![Node::expression(&text, parts).showing("a `switch` without `_`")]))
    }

    fn block_value(&mut self, sort: Sort) -> Option<Node> {
        Some(Node::expression("@", vec![self.giving_block(sort)]))
    }

    fn call(&mut self, sort: Sort) -> Option<Node> {
        let looking = self.looking > 0;
        let repeated = self.repeated;
        let fitting: Vec<Callable> = self
            .callable
            .iter()
            .chain(&self.lies_above)
            .filter(|callable| {
                (callable.result == sort || callable.result == Sort::Any || sort == Sort::Any)
                    && !(looking && callable.acts)
                    && !(callable.is_private && self.layer > 0)
                    && callable.repeats * repeated <= REPEATED
            })
            .cloned()
            .collect();
        let callable = (!fitting.is_empty()).then(|| self.pick(&fitting))?;
        self.acts |= callable.acts;
        let is_super = self.lies_above.as_ref().is_some_and(|below| below.name == callable.name);
        let name = if is_super { "super" } else { &callable.name };
        // A first argument that is a plain name is read last of all by the reference.
        let arguments = self.arguments(&callable.parameters);
        let text = format!("{name}({})", vec!["@"; arguments.len()].join(", "));
        let made = Node::expression(&text, arguments);
        Some(if is_super { Node::expression("@", vec![made.showing("`super`")]) } else { made })
    }

    fn arguments(&mut self, sorts: &[Sort]) -> Vec<Node> {
        let mut arguments = Vec::new();
        let mut sets = false;
        for (number, &sort) in sorts.iter().enumerate() {
            let argument = match number {
                0 => self.expression(sort),
                _ if arguments.first().is_some_and(is_name) => self.quietly(|it| it.expression(sort)),
                _ => {
                    sets = sets || self.quiet == 0;
                    self.expression(sort)
                }
            };
            arguments.push(argument);
        }
        if sets && let Some(last) = arguments.last_mut() {
            let inner = std::mem::replace(last, Node::expression("()", Vec::new()));
            *last = Node::expression("@", vec![inner]).showing("a call with arguments that set names");
        }
        arguments
    }

    fn quietly<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        self.quiet += 1;
        let made = make(self);
        self.quiet -= 1;
        made
    }

    // Words

    fn word_giving(&mut self, sort: Sort) -> Option<Node> {
        let all = self.words.clone();
        let words: Vec<&Signature> =
            all.iter().filter(|word| word.result == sort || word.result == Sort::Any && self.is_wild()).collect();
        let word = (!words.is_empty()).then(|| self.pick(&words))?;
        self.use_word(word)
    }

    fn use_word(&mut self, word: &Signature) -> Option<Node> {
        let is_allowed = !(word.acts() && self.looking > 0 || word.asks() && self.closures > 0)
            && !(word.name == "together" && (self.closures > 0 || self.loops > 1))
            && self.repeated * 8 <= REPEATED
            && !matches!(word.name, "push" | "take_out" | "begin_phase" | "show_choice");
        is_allowed.then(|| self.call_word(word).showing(&word.usage))
    }

    /// The call of a word with arguments of the sorts that it takes.
    fn call_word(&mut self, word: &Signature) -> Node {
        self.asks |= word.asks();
        self.acts |= word.acts();
        let mut receiver = word.receiver.map(|sort| self.quietly(|it| it.receiver(word, sort)).closed());
        // `a == b` is worked out from left to right by both.
        let is_chain = !matches!(word.form, Form::Operator) || word.name == "[]";
        let takes_component =
            word.parameters.iter().any(|(_, takes)| *takes == ParameterSort::Sort(sorts::Sort::Component));
        if is_chain
            && takes_component
            && receiver.as_ref().is_some_and(|receiver| steadiness(receiver) == Steadiness::Wild)
        {
            receiver = word.receiver.map(|sort| self.harmless(sort).closed());
        }
        let receiver_is = receiver.as_ref().filter(|_| is_chain).map_or(Steadiness::Steady, steadiness);
        let element = match word.receiver {
            Some(Sort::Options) => Some(Sort::Option),
            Some(sort) => sort.element(),
            None => None,
        };
        let mut parts: Vec<Node> = receiver.into_iter().collect();
        for (name, takes) in &word.parameters {
            let sort = match takes {
                ParameterSort::Function(parameters) => {
                    parts.push(self.function_value(word, element.unwrap_or(Sort::Any), *parameters));
                    continue;
                }
                ParameterSort::Sort(sort) => Sort::of(*sort),
                ParameterSort::Value | ParameterSort::ValueOrNothing => Sort::Any,
                ParameterSort::Held | ParameterSort::Named => {
                    self.pick(&[Sort::Component, Sort::Player, Sort::Zone, Sort::Text])
                }
                ParameterSort::Several if word.parameters.len() > 3 => {
                    self.pick(&[Sort::Components, Sort::Players, Sort::Range])
                }
                ParameterSort::Several | ParameterSort::Offered => {
                    self.pick(&[Sort::Components, Sort::List, Sort::Players, Sort::Zones, Sort::Zone, Sort::Range])
                }
            };
            // The others of a choice are worked out only where somebody may read why they are not allowed.
            let is_lazy = *name == "others";
            self.looking += usize::from(receiver_is == Steadiness::Safe);
            let part = match receiver_is {
                _ if is_lazy => self.harmless(sort),
                Steadiness::Wild => self.plain(word, name, sort),
                _ => self.quietly(|it| it.argument(word, name, sort)),
            };
            self.looking -= usize::from(receiver_is == Steadiness::Safe);
            parts.push(part);
        }
        let holes = |count: usize| vec!["@"; count].join(", ");
        let text = match (word.form, word.receiver.is_some()) {
            (Form::Property, _) => format!("@.{}", word.name),
            (Form::Operator, _) if word.name == "[]" => "@[@]".to_owned(),
            (Form::Operator, _) => {
                if let Some(last) = parts.pop() {
                    parts.push(last.closed());
                }
                format!("@ {} @", word.name)
            }
            (_, true) => format!("@.{}({})", word.name, holes(parts.len() - 1)),
            (_, false) => format!("{}({})", word.name, holes(parts.len())),
        };
        Node::expression(&text, parts)
    }

    /// What a word is asked of.
    fn receiver(&mut self, word: &Signature, sort: Sort) -> Node {
        if word.asks() && sort == Sort::Player && !self.one_in(5) {
            return self.settled(sort);
        }
        let texts: &[&str] = match (word.name, sort) {
            ("roll" | "pick_up", Sort::Component) => &["cup.first", "tray.first"],
            ("roll" | "pick_up", Sort::Zone) => &["cup"],
            ("roll" | "pick_up", Sort::Zones) => &["(cup + bare)"],
            ("roll" | "pick_up", Sort::Components) => &["components(\"die\")", "cup.components"],
            ("value", Sort::Component) => &["cup.first", "tray.first"],
            ("turn_to" | "flip" | "side" | "side_name", Sort::Component) => &["tray.last"],
            ("turn_to", Sort::Zone) => &["cup"],
            ("turn_to", Sort::Components) => &["components(\"tile\")"],
            ("owner", Sort::Component) => &["row.first"],
            ("owner" | "number", Sort::Zone) => &["players[1].columns[1]", "players[2].columns[2]"],
            ("show_choice", _) => &["players[1]"],
            ("is_owned", Sort::Component) => &["row.first", "deck.last"],
            ("last" | "first", Sort::Zone | Sort::Components) => &["row", "players[1].hand", "row.components"],
            ("pick" | "max_by" | "min_by" | "[]", Sort::Zone) => &["row", "deck"],
            ("pick" | "max_by" | "min_by" | "[]", Sort::Components) => &["row.components", "components(\"card\")"],
            ("[]", Sort::Zones)
                if word.parameters.iter().any(|(_, kind)| *kind == ParameterSort::Sort(sorts::Sort::Text)) =>
            {
                &["board", "board.except(board[5])"]
            }
            ("first" | "last" | "pick" | "max_by" | "min_by" | "[]", Sort::Zones) => &["piles", "players[2].columns"],
            ("first" | "last" | "pick" | "max_by" | "min_by" | "[]", Sort::Players) => &["players"],
            ("[]", Sort::Data)
                if word.parameters.iter().any(|(_, kind)| *kind == ParameterSort::Sort(sorts::Sort::Text)) =>
            {
                &["data.prices"]
            }
            ("get" | "has", Sort::Data)
                if word.parameters.iter().any(|(_, kind)| *kind == ParameterSort::Sort(sorts::Sort::Text)) =>
            {
                &["data.prices"]
            }
            ("entries", Sort::Data) => &["data.numbers", "data.colors", "data.nested"],
            ("sorted" | "sum" | "max" | "min", Sort::List) => &["[4, 2, 4]", "[3]"],
            ("first" | "last" | "pick", Sort::List) => &["[4, 2, 4]", "[\"a\", players[1]]"],
            ("components", Sort::List) => &["[row, deck]", "[row.first, row.components]"],
            ("position_of", Sort::List) => &["[\"red\", 3]", "[\"a\", \"red\", \"red\"]"],
            ("max_by" | "min_by" | "[]" | "entry_or_last", Sort::Data) => &["data.numbers", "data.colors"],
            ("max_by" | "min_by", Sort::List) => &["[4, 2, 4]", "[\"a\", players[1]]"],
            ("max_by" | "min_by", Sort::Options) => &["acts(\"take\", \"card\", row)"],
            ("contains", Sort::Data) => &["data.numbers", "data.colors"],
            (_, Sort::Data) if word.form == Form::Callback => &["data.numbers", "data.colors", "data.nested"],
            ("neighbours" | "around" | "column" | "row" | "rays", Sort::Zone) if word.parameters.is_empty() => {
                &["board[5]", "board.first"]
            }
            ("step" | "line", Sort::Zone) => &["board[5]", "board.last"],
            ("between", Sort::Zone) if word.parameters.len() == 1 => &["board[5]", "board.last"],
            (
                "at" | "region" | "neighbours" | "around" | "rows" | "columns" | "lines" | "connected_groups"
                | "connected_to",
                Sort::Zones,
            ) => &["board", "board.except(board[5])", "board.empty"],
            ("neighbours" | "up_to" | "after" | "position_of", Sort::Zone) => &["row"],
            ("neighbours" | "up_to" | "after" | "position_of", Sort::Components) => &["row.components"],
            _ if !word.name.is_empty() && self.looks_at_faces(word) => match sort {
                Sort::Zone => &["row", "deck", "players[1].hand", "players[2].columns[1]"],
                Sort::Zones => &["players[2].columns", "(row + deck)"],
                Sort::Components => &["row.components", "deck.components"],
                _ => &[],
            },
            _ => &[],
        };
        if texts.is_empty() || self.is_wild() && self.one_in(2) {
            return self.expression(sort);
        }
        Node::expression(self.pick(texts), Vec::new())
    }

    fn looks_at_faces(&self, word: &Signature) -> bool {
        word.parameters.iter().any(|(name, _)| *name == "attribute")
    }

    /// An argument that fits a word.
    fn argument(&mut self, word: &Signature, name: &str, sort: Sort) -> Node {
        match sort {
            Sort::Text | Sort::Number => self.plain(word, name, sort),
            Sort::Any if word.name == "position_of" => Node::expression("\"red\"", Vec::new()),
            Sort::Component if matches!(word.name, "neighbours" | "up_to" | "after" | "position_of") => {
                Node::expression("row.first", Vec::new())
            }
            Sort::List if word.name == "note" => {
                let parts = vec![self.leaf(Sort::Number), self.leaf(Sort::Component)];
                Node::expression("[@, @]", parts)
            }
            Sort::Components
            | Sort::Zone
            | Sort::Zones
            | Sort::Players
            | Sort::Options
            | Sort::Data
            | Sort::List
            | Sort::Range
                if word.asks() =>
            {
                self.choosable(sort)
            }
            Sort::Any if matches!(name, "values" | "with") => {
                let sort = self.pick(&[Sort::Zone, Sort::Components, Sort::Players, Sort::List, Sort::Number]);
                if sort == Sort::List {
                    Node::expression("[1, \"two\", players[1]]", Vec::new())
                } else {
                    self.expression(sort)
                }
            }
            Sort::Any => {
                let sort = self.kept_plain();
                self.expression(sort)
            }
            sort => self.expression(sort),
        }
    }

    /// What is not empty, has no two equal entries, and can be chosen from.
    fn choosable(&mut self, sort: Sort) -> Node {
        let texts: &[&str] = match sort {
            Sort::Components => &["row.components", "deck.components", "components(\"card\")"],
            Sort::Zone => &["row", "deck", "players[1].hand"],
            Sort::Zones => &["piles", "players[1].columns"],
            Sort::Players => &["players", "players.except(players[2])"],
            Sort::Options => &[
                "acts(\"take\", \"card\", row)",
                "act(\"pass\")",
                "acts(\"take\", \"card\", row)",
                "acts(\"give\", \"to\", players) + act(\"none\")",
            ],
            Sort::Data => &["data.colors", "data.nested[0]"],
            Sort::Range => &["1..=3", "2..6"],
            _ => &["[1, 2, 3]", "[\"x\", players[1], row.first]", "[true, false]"],
        };
        if self.is_wild() && self.one_in(3) {
            return self.expression(sort);
        }
        Node::expression(self.pick(texts), Vec::new())
    }

    /// An argument that fits a word and has nothing to be worked out.
    fn plain(&mut self, word: &Signature, name: &str, sort: Sort) -> Node {
        let texts: &[&str] = match (sort, name) {
            (Sort::Text, "attribute") => match word.name {
                "sum"
                | "between"
                | "above"
                | "below"
                | "first_missing"
                | "can_sum_to"
                | "trend"
                | "max"
                | "min"
                | "move_in_order"
                | "carries_on"
                | "carried_on_by"
                | "longest_distinct_run"
                | "runs"
                | "top_by" => &["\"number\""],
                "sharing" | "not_sharing" => &["\"number\"", "\"color\""],
                _ if word
                    .parameters
                    .iter()
                    .any(|(name, kind)| *name == "value" && *kind == ParameterSort::Sort(sorts::Sort::Text)) =>
                {
                    &["\"color\""]
                }
                _ if word.parameters.iter().any(|(name, _)| *name == "value") => &["\"number\""],
                _ => &["\"number\"", "\"color\""],
            },
            (Sort::Text, "within") => &["\"color\""],
            (Sort::Text, "counted") => &["\"coins\"", "\"lives\""],
            (Sort::Text, "group") if word.name == "make" => &["\"spark\""],
            (Sort::Text, "group") => &["\"card\"", "\"die\"", "\"tile\""],
            (Sort::Text, "value" | "key") => &["\"red\""],
            (Sort::Text, "part") => &["\"card\"", "\"side\"", "\"seat\""],
            (Sort::Text, "prompt") if word.name == "show_choice" => &["\"bid\""],
            (Sort::Text, "prompt") => &["\"ask\"", "\"bid\""],
            (Sort::Text, "side") => &["\"day\"", "\"night\""],
            (Sort::Text, _) if word.name == "[]" && word.receiver == Some(Sort::Zones) => &["\"b2\"", "\"c3\""],
            (Sort::Text, _) if word.name == "region" => &["\"home\""],
            (Sort::Text, _) if word.name == "zone_named" => &["\"deck\"", "\"p1.hand\""],
            (Sort::Text, _) => &["\"red\"", "\"two words\""],
            (Sort::Number, "position" | "number") if word.form == Form::Operator => match word.receiver {
                Some(Sort::Zones | Sort::Players) => &["1", "2", "n"],
                _ => &["0", "1"],
            },
            (Sort::Number, "side") => &["1", "2"],
            (Sort::Number, "column" | "row" | "length") => &["1", "2", "3"],
            (Sort::Number, "right" | "up") => &["-1", "0", "1", "1"],
            (Sort::Number, "value") => &["0", "1", "3", "4"],
            (Sort::Number, "min") => &["0", "1"],
            (Sort::Number, "max") => &["1", "2"],
            (Sort::Number, "low") => &["0", "1", "2"],
            (Sort::Number, "high") => &["3", "4", "12"],
            (Sort::Number, "time") => &["0", "500", "1200"],
            (Sort::Number, "count" | "position") => &["0", "1", "2"],
            _ => &[],
        };
        if texts.is_empty() {
            return self.settled(sort);
        }
        let text = self.pick(texts);
        let is_unknown = text == "n" && !self.visible().iter().any(|local| local.name == "n");
        Node::expression(if is_unknown { "1" } else { text }, Vec::new())
    }

    /// Something of a sort that there is nothing to be worked out for: a name, a number.
    fn settled(&mut self, sort: Sort) -> Node {
        if let Some(local) = self.local(sort).filter(|_| self.chance.below(2) == 0) {
            return local;
        }
        let texts: &[&str] = match sort {
            Sort::Number => &["0", "1", "2", "3", "12"],
            Sort::Truth => &["true", "false"],
            Sort::Text => &TEXTS,
            Sort::Zone => &["deck", "row", "bare", "tray", "cup", "players[1].hand", "players[2].won", "piles[2]"],
            Sort::Zones => &["piles", "players[1].columns"],
            Sort::Player => &["players[1]", "players[2]", "players.last"],
            Sort::Nobody => &["nobody"],
            Sort::Players => &["players", "players.reversed"],
            Sort::Data => &["data.numbers", "data.colors"],
            Sort::Components => &["components()", "components(\"card\")"],
            Sort::List => &["[]", "[1, 2, 3]"],
            Sort::Options => &["options()", "act(\"pass\")"],
            Sort::Any => &["1", "\"red\"", "players[2]", "deck"],
            Sort::Component => &["one_card()"],
            Sort::Option => &["one_option(\"left\")"],
            Sort::Range => &["1..=3", "2..6"],
            Sort::Nothing => &["()"],
            Sort::PlayerOrNobody => &["players[1]", "nobody"],
        };
        Node::expression(self.pick(texts), Vec::new())
    }

    /// Something of a sort that cannot fail, whatever lies on the table.
    fn harmless(&mut self, sort: Sort) -> Node {
        match sort {
            Sort::Components => Node::expression(self.pick(&["row.components", "components(\"card\")"]), Vec::new()),
            sort => self.settled(sort),
        }
    }

    /// The function that a word takes: in place, or by its name.
    fn function_value(&mut self, word: &Signature, element: Sort, parameters: usize) -> Node {
        let wanted = match word.name {
            "any" | "all" | "count_if" | "where" => Sort::Truth,
            "sum_of" | "max_by" | "min_by" | "sorted_by" => Sort::Number,
            "choose" | "choose_secretly" if word.parameters.len() == 3 => Sort::Truth,
            "choose" | "choose_secretly" => Sort::Text,
            "together" if parameters == 1 => Sort::Truth,
            "options" => Sort::Options,
            "pass_on" => Sort::Zone,
            _ => Sort::Any,
        };
        let may_act = word.name == "for_each" || parameters == 2;
        let looking = self.looking > 0;
        let named: Vec<Callable> = self
            .callable
            .iter()
            .filter(|callable| {
                callable.parameters.len() == parameters
                    && (self.is_wild() || [element, Sort::Any].contains(&callable.parameters[0]))
                    && (callable.result == wanted || wanted == Sort::Any)
                    && !(callable.acts && (looking || !may_act))
                    && !(callable.is_private && self.layer > 0)
                    && callable.repeats * 4 * self.repeated <= REPEATED
            })
            .cloned()
            .collect();
        if !named.is_empty() && !self.one_in(4) {
            let callable = self.pick(&named);
            self.acts |= callable.acts;
            return Node::expression(&callable.name, Vec::new()).showing("a function handed on by its name");
        }
        let outside = self.scope.len();
        let names: Vec<String> = (0..parameters).map(|_| self.fresh()).collect();
        let (loops, result) = (std::mem::take(&mut self.loops), self.result);
        self.result = wanted;
        self.closures += 1;
        self.looking += usize::from(!may_act);
        for (number, name) in names.iter().enumerate() {
            self.begin(name.clone(), if number == 0 { element } else { Sort::Any });
        }
        let mut body = self.repeated(4, |it| it.closure_body(word, wanted));
        if word.name.starts_with("choose") && wanted == Sort::Truth && !self.is_wild() && body.kind == Kind::Expression
        {
            body = Node::expression("if @ { true } else { @ }", vec![body.before_a_block(), self.pick_objection()]);
        }
        self.looking -= usize::from(!may_act);
        self.closures -= 1;
        (self.loops, self.result) = (loops, result);
        self.scope.truncate(outside);
        let shown = if body.kind == Kind::Block { "a closure with statements" } else { "a closure with an expression" };
        Node::expression(&format!("|{}| @", names.join(", ")), vec![body]).showing(shown)
    }

    /// What the filter of a choice gives for what it does not like, with something left to choose.
    fn pick_objection(&mut self) -> Node {
        let names: Vec<String> = self.scope.last().map(|local| local.name.clone()).into_iter().collect();
        let text = match names.first().filter(|_| self.one_in_two()) {
            Some(name) => format!("`not ${{{name}}}`"),
            None => "true".to_owned(),
        };
        Node::expression(&text, Vec::new())
    }

    fn one_in_two(&mut self) -> bool {
        self.one_in(2)
    }

    fn closure_body(&mut self, word: &Signature, wanted: Sort) -> Node {
        if word.name == "together" && wanted == Sort::Truth {
            let player = self.scope.last().map_or_else(String::new, |local| local.name.clone());
            return Node::expression(&format!("{player}.may(\"ask\")"), Vec::new());
        }
        if self.one_in(2) || self.pieces == 0 {
            return self.expression(wanted);
        }
        let outside = self.scope.len();
        let count = 1 + self.chance.below(2);
        let mut statements = self.statements(count);
        statements.push(self.last_statement(wanted));
        self.scope.truncate(outside);
        Node::block(statements)
    }
}

/// Variables that programs set: their names, whether each player has one, what they hold.
const VARIABLES: [(&str, bool, Sort); 12] = [
    ("total", false, Sort::Number),
    ("word", false, Sort::Text),
    ("leader", false, Sort::Player),
    ("open", false, Sort::Truth),
    ("lives", true, Sort::Number),
    ("seen", false, Sort::Components),
    ("others", true, Sort::Players),
    ("places", false, Sort::Zones),
    ("notes", false, Sort::List),
    ("mark", true, Sort::Text),
    ("rival", true, Sort::Player),
    ("done", true, Sort::Truth),
];

/// What is switched over, with cases of that sort and of others.
const SWITCHES: [(Sort, &[&str]); 5] = [
    (Sort::Number, &["0", "1", "3"]),
    (Sort::Number, &["-1", "2", "\"red\""]),
    (Sort::Text, &["\"red\"", "\"\"", "1"]),
    (Sort::Truth, &["true", "false"]),
    (Sort::Any, &["1", "\"red\"", "false"]),
];

/// Whether a node is no more than a name.
fn is_name(node: &Node) -> bool {
    match &*node.text {
        "@" | "(@)" => node.parts.first().is_some_and(is_name),
        text => text.chars().all(|letter| letter.is_alphanumeric() || letter == '_'),
    }
}

/// What the value of a receiver rests on, when its arguments are worked out before it or behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Steadiness {
    /// Always the same: its arguments may do what they like.
    Steady,
    /// It cannot fail, but may be another when its arguments change the table.
    Safe,
    /// It may fail, or change something: its arguments must not notice.
    Wild,
}

fn steadiness(node: &Node) -> Steadiness {
    let text = match &*node.text {
        "@" | "(@)" => return node.parts.first().map_or(Steadiness::Wild, steadiness),
        _ if !node.parts.is_empty() => return Steadiness::Wild,
        text => text,
    };
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    const STEADY: [&str; 9] = [
        "players[1]",
        "players[2]",
        "players.last",
        "players.reversed",
        "players[1].hand",
        "players[2].won",
        "piles[2]",
        "players[1].columns",
        "data.colors",
    ];
    const SAFE: [&str; 8] = [
        "row.components",
        "deck.components",
        "table.leader",
        "piles.empty",
        "components(\"card\")",
        "components(\"die\")",
        "components()",
        "data.numbers",
    ];
    match text {
        text if text.chars().all(is_word) || text.starts_with('"') || STEADY.contains(&text) => Steadiness::Steady,
        text if SAFE.contains(&text) => Steadiness::Safe,
        _ => Steadiness::Wild,
    }
}

/// The one of several that a number falls on.
fn drawn<T>(mut number: usize, mut choices: impl Iterator<Item = (usize, T)>) -> T {
    loop {
        let (weight, choice) = choices.next().unwrap_or_else(|| panic!("a number beyond all weights"));
        if number < weight {
            return choice;
        }
        number -= weight;
    }
}
