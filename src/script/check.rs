//! What holds scripts to the language of rules, before anything runs.
//!
//! One reading of the flat tree finds every name that nobody knows (functions, properties, variables, attributes,
//! component groups), and everything that the language has and rules may not use: functions kept as values, object
//! maps, `this`, `try`, floats, characters, assignment to what is fixed. What the definition of a game decides
//! (zones, attributes) is asked of a library's function only if the game can come to call it, because a library
//! serves several games.

use crate::diagnostic::{Diagnostic, Place, did_you_mean};
use crate::ruleset::{Role, Ruleset};
use crate::script::layering::{FunctionInfo, settings_name, written_name};
use crate::script::trouble::why_not_available;
use crate::script::vocabulary::{Form, Word, now_called, script_point, words};
use crate::table::layout::Layout;
use rhai::{AST, ASTFlags, ASTNode, Expr, FnCallExpr, FnPtr, Position, Stmt, StmtBlock};
use std::collections::{BTreeMap, BTreeSet};

/// Most errors that one look reports: after so many, nobody reads on.
pub const MAX_ERRORS: usize = 20;

/// Everything in a tree that rules may not do, or that cannot be meant; and what is worth a warning.
///
/// # Errors
/// What rules may not do.
pub fn check(
    ast: &AST,
    functions: &[FunctionInfo],
    globals: &[String],
    layout: &Layout,
    ruleset: &Ruleset,
) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let known = Known::new(ast, functions, globals, layout, ruleset);
    let mut errors = known.missing_functions();
    let readings: Vec<Reading> = functions.iter().map(|function| Reader::read(&known, function)).collect();
    let reached = known.reached(&readings);
    let warnings = known.uncalled(&readings);
    for (reading, reached) in readings.into_iter().zip(reached) {
        for finding in reading.findings {
            let matters = reached || finding.everywhere;
            if matters && !errors.contains(&finding.error) {
                errors.push(finding.error);
            }
        }
    }
    errors.truncate(MAX_ERRORS);
    if errors.is_empty() { Ok(warnings) } else { Err(errors) }
}

/// Every name that scripts can use, and where it comes from.
struct Known<'a> {
    functions: &'a [FunctionInfo],
    globals: &'a [String],
    layout: &'a Layout,
    ruleset: &'a Ruleset,
    /// The statements of each function and closure of the tree, by flat name and number of parameters.
    bodies: BTreeMap<(String, usize), Body>,
    properties: BTreeSet<&'a str>,
    /// Names of the parts of options, as scripts give them.
    parts: BTreeSet<String>,
}

/// A function as the interpreter has it: the parameters of a closure begin with what it captures.
pub(super) struct Body {
    pub(super) parameters: Vec<String>,
    pub(super) statements: Vec<Stmt>,
}

/// What the reading of one function found.
struct Reading {
    findings: Vec<Finding>,
    /// The functions that it calls or hands on, by name and number of arguments.
    calls: BTreeSet<(String, usize)>,
}

struct Finding {
    error: Diagnostic,
    /// False where another game could make it right: then it matters only if the function is reached.
    everywhere: bool,
}

impl<'a> Known<'a> {
    fn new(
        ast: &AST,
        functions: &'a [FunctionInfo],
        globals: &'a [String],
        layout: &'a Layout,
        ruleset: &'a Ruleset,
    ) -> Self {
        let definition = &layout.definition;
        let word_properties = words().filter(|word| word.form == Form::Property).map(|word| word.name);
        let zones = definition.zones.iter().filter(|zone| zone.per_seat).map(|zone| zone.id.as_str());
        let variables = definition.variables.iter().map(|variable| variable.id.as_str());
        let attributes = layout.attributes.iter().map(String::as_str);
        let properties = word_properties.chain(zones).chain(variables).chain(attributes).chain(layout.data.keys());
        Self {
            functions,
            globals,
            layout,
            ruleset,
            bodies: bodies(ast),
            properties: properties.collect(),
            parts: parts_of_options(ast),
        }
    }

    fn place(&self, at: Position, label: impl Into<String>) -> Option<Place> {
        self.ruleset.place(script_point(at), label)
    }

    /// Script functions of a name, the highest definition of each arity only.
    fn forms<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'b FunctionInfo> {
        self.functions.iter().filter(move |function| function.flat_name == name)
    }

    fn defines(&self, name: &str, arity: usize) -> bool {
        self.forms(name).any(|function| function.parameters.len() == arity)
    }

    /// What scripts call the shared zones and the other global names; the host's numbering of settings is not shown.
    fn global_names(&self) -> impl Iterator<Item = &str> {
        self.globals.iter().map(|name| written_name(name))
    }

    fn variables(&self, per_seat: bool) -> impl Iterator<Item = &str> {
        let variables = self.layout.definition.variables.iter();
        variables.filter(move |variable| variable.per_seat == per_seat).map(|variable| variable.id.as_str())
    }

    /// The functions that the host itself calls, where the ruleset has none of them.
    fn missing_functions(&self) -> Vec<Diagnostic> {
        let mut missing = Vec::new();
        if !self.defines("game", 0) {
            missing.push(self.missing_game());
        }
        let definition = &self.layout.definition;
        let called = definition.standing.iter().map(|name| ("standing".to_owned(), name, "player")).chain(
            definition.zones.iter().flat_map(|zone| {
                let marks = zone.mark.iter().map(|name| (format!("zones.{}.mark", zone.id), name, "zone"));
                marks.chain(zone.note.iter().map(|name| (format!("zones.{}.note", zone.id), name, "zone")))
            }),
        );
        for (path, name, argument) in called {
            if self.defines(name, 1) {
                continue;
            }
            let message = format!("`{path}` names `{name}`, and there is no `fn {name}({argument})`");
            let error = Diagnostic::new(message).at_maybe(self.declared_at(&path));
            missing.push(match self.forms(name).next() {
                Some(other) => error
                    .help(format!("the host calls it with one {argument} and nothing else"))
                    .related_maybe(self.ruleset.place(other.at, "this one does not take one argument")),
                None => match did_you_mean(name, self.functions.iter().map(|function| function.name.as_str())) {
                    Some(help) => error.help(help),
                    None => error.help("define it in the script, or leave the key out"),
                },
            });
        }
        missing
    }

    /// Functions of a game or variant that nothing calls: most likely one was to take the place of another, and its name
    /// or the number of its parameters is not right.
    fn uncalled(&self, readings: &[Reading]) -> Vec<Diagnostic> {
        let definition = &self.layout.definition;
        let by_host = |name: &str| {
            let captions = definition.zones.iter().flat_map(|zone| zone.mark.iter().chain(&zone.note));
            name == "game" || captions.chain(&definition.standing).any(|called| called == name)
        };
        let is_called = |function: &FunctionInfo| {
            let call = (function.name.clone(), function.parameters.len());
            by_host(&function.name) || readings.iter().any(|reading| reading.calls.contains(&call))
        };
        let in_question = self.functions.iter().filter(|function| {
            function.flat_name == function.name && self.ruleset.scripts[function.script].role != Role::Library
        });
        let warn = |function: &FunctionInfo| {
            let below = || self.functions.iter().filter(|other| other.script < function.script);
            let other_form = below().find(|other| other.name == function.name);
            let near = did_you_mean(&function.name, below().map(|other| other.name.as_str()));
            // A game may define what only its variants call.
            let is_variant = matches!(self.ruleset.scripts[function.script].role, Role::Variant(_));
            if other_form.is_none() && near.is_none() && !is_variant {
                return None;
            }
            let warning = Diagnostic::new(format!("nothing calls `{}`", function.name))
                .at_maybe(self.ruleset.place(function.at, "never used"));
            Some(match (other_form, near) {
                (Some(other), _) => warning
                    .help(format!("`{}({})` is what is called", other.name, other.parameters.join(", ")))
                    .related_maybe(self.ruleset.place(other.at, "this one")),
                (None, Some(near)) => warning.help(near),
                (None, None) => warning.help("call it, or take it away"),
            })
        };
        in_question.filter(|function| !is_called(function)).filter_map(warn).collect()
    }

    fn missing_game(&self) -> Diagnostic {
        let error = Diagnostic::new("the rules have no `fn game()`: a game begins there")
            .help("write `fn game() { … }` with the whole game in it, from top to bottom");
        if let Some(other) = self.functions.iter().find(|function| function.name == "game") {
            return error.at_maybe(self.ruleset.place(other.at, "this one takes arguments, and the host gives none"));
        }
        let script = self.ruleset.scripts.iter().find(|script| script.role == Role::Game);
        match script {
            Some(script) => error.at(script.script.place(1, 1, "nowhere in this script")),
            None => error.at(Place::new(&self.ruleset.game.source, 0..0, "this game has no script")),
        }
    }

    /// Where a key of the definition was written, in the highest layer that has it.
    fn declared_at(&self, path: &str) -> Option<Place> {
        use crate::definition::tree;
        let layers = std::iter::once(&self.ruleset.game).chain(&self.ruleset.variants).rev();
        layers.into_iter().find_map(|layer| {
            let mut table = &layer.tables;
            let mut keys = path.split('.').peekable();
            while let Some(key) = keys.next() {
                let node = table.get(key)?;
                match (&node.value, keys.peek()) {
                    (_, None) => return Some(node.place("no such function")),
                    (tree::Value::Table(inner), Some(_)) => table = inner,
                    _ => return None,
                }
            }
            None
        })
    }

    /// For each function whether the game can come to call it; every function of a game or variant counts.
    fn reached(&self, readings: &[Reading]) -> Vec<bool> {
        let is_library = |function: &FunctionInfo| self.ruleset.scripts[function.script].role == Role::Library;
        let mut reached: Vec<bool> = self.functions.iter().map(|function| !is_library(function)).collect();
        let mut open: Vec<usize> = (0..reached.len()).filter(|&index| reached[index]).collect();
        while let Some(caller) = open.pop() {
            for (name, arity) in &readings[caller].calls {
                for (index, function) in self.functions.iter().enumerate() {
                    let is_called = function.flat_name == *name && function.parameters.len() == *arity;
                    if is_called && !reached[index] {
                        reached[index] = true;
                        open.push(index);
                    }
                }
            }
        }
        reached
    }
}

/// The statements of every function of the tree. The tree hands them out only while it is walked, one function at a
/// time, so they are copied.
pub(super) fn bodies(ast: &AST) -> BTreeMap<(String, usize), Body> {
    let mut bodies = BTreeMap::new();
    for function in ast.iter_fn_def() {
        let (name, arity) = (function.name.as_str(), function.params.len());
        // Not `clone_functions_only_filtered`: it forgets its filter in Rhai 1.27.0.
        let mut alone = ast.clone_functions_only();
        alone.retain_functions(|_, _, other, parameters| (other, parameters) == (name, arity));
        let mut statements = Vec::new();
        alone.walk(&mut |path| {
            if let [ASTNode::Stmt(statement)] = path {
                statements.push((*statement).clone());
            }
            true
        });
        let parameters = function.params.iter().map(|name| name.to_string()).collect();
        bodies.insert((name.to_owned(), arity), Body { parameters, statements });
    }
    bodies
}

/// The names that options' parts can have: the texts that stand where a word asks for a `part`; if any of these is
/// worked out at run time, every text of the scripts.
pub(super) fn parts_of_options(ast: &AST) -> BTreeSet<String> {
    let mut given = BTreeSet::from(["act".to_owned()]);
    let mut texts = BTreeSet::new();
    let mut all_known = true;
    ast.walk(&mut |path| {
        let call = match path.last() {
            Some(ASTNode::Expr(Expr::StringConstant(text, _))) => {
                texts.insert(text.to_string());
                None
            }
            Some(ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _))) => Some((call, false)),
            Some(ASTNode::Expr(Expr::MethodCall(call, _))) => Some((call, true)),
            _ => None,
        };
        if let Some((call, as_method)) = call {
            for (position, argument) in call.args.iter().enumerate() {
                if parameter_names(&call.name, call.args.len(), as_method, position).any(|name| name == "part") {
                    match argument {
                        Expr::StringConstant(text, _) => drop(given.insert(text.to_string())),
                        _ => all_known = false,
                    }
                }
            }
        }
        true
    });
    if all_known { given } else { given.into_iter().chain(texts).collect() }
}

/// How the words of a name and a number of arguments call the argument at a position; nothing for a receiver.
fn parameter_names<'w>(
    name: &'w str,
    arguments: usize,
    as_method: bool,
    position: usize,
) -> impl Iterator<Item = &'static str> + 'w {
    called_words(name, arguments, as_method).filter_map(move |word| {
        let receiver = usize::from(!word.receivers.is_empty());
        // `a.max(b)` is `max(a, b)`: what stands before the dot is the first argument.
        let position = position + usize::from(as_method);
        let (parameter, _) = word.parameters.get(position.checked_sub(receiver)?)?;
        Some(*parameter)
    })
}

/// The words that a call can mean.
fn called_words(name: &str, arguments: usize, as_method: bool) -> impl Iterator<Item = &'static Word> {
    let arity = arguments + usize::from(as_method);
    words().filter(move |word| is_callable(word) && word.name == name && word.arity() == arity)
}

fn is_callable(word: &Word) -> bool {
    !matches!(word.form, Form::Property | Form::Operator)
}

/// How many arguments a word of the name gives the function that it takes at a position; nothing if it takes none there.
fn gives_function(name: &str, arguments: usize, as_method: bool, position: usize) -> Option<usize> {
    called_words(name, arguments, as_method).find_map(|word| {
        let receiver = usize::from(!word.receivers.is_empty());
        let parameter = (position + usize::from(as_method)).checked_sub(receiver)?;
        match word.parameters.get(parameter)? {
            (_, "function") => Some(1),
            (_, "function of two") => Some(2),
            _ => None,
        }
    })
}

/// What a chain of `.` and `[]` does at one of its links.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    Dot,
    Index,
}

/// Reads one function, with the names that are local where it has come to.
struct Reader<'a> {
    known: &'a Known<'a>,
    locals: Vec<String>,
    findings: Vec<Finding>,
    calls: BTreeSet<(String, usize)>,
    /// Closures that are being read, so that none is read inside itself.
    depth: usize,
}

/// Closures inside closures; the parser's limit on nesting is lower.
const MAX_CLOSURES: usize = 64;

impl<'a> Reader<'a> {
    fn read(known: &'a Known<'a>, function: &FunctionInfo) -> Reading {
        let mut reader = Self { known, locals: Vec::new(), findings: Vec::new(), calls: BTreeSet::new(), depth: 0 };
        if let Some(body) = known.bodies.get(&(function.flat_name.clone(), function.parameters.len())) {
            reader.locals.extend(body.parameters.iter().cloned());
            reader.statements(&body.statements);
        }
        Reading { findings: reader.findings, calls: reader.calls }
    }

    /// Something wrong in every game.
    fn wrong(&mut self, error: Diagnostic) {
        self.findings.push(Finding { error, everywhere: true });
    }

    /// A name that this game does not have.
    fn unknown_here(&mut self, error: Diagnostic) {
        self.findings.push(Finding { error, everywhere: false });
    }

    fn is_local(&self, name: &str) -> bool {
        self.locals.iter().any(|local| local == name)
    }

    // Statements

    fn statements(&mut self, statements: &[Stmt]) {
        let outside = self.locals.len();
        for statement in statements {
            self.statement(statement);
        }
        self.locals.truncate(outside);
    }

    fn block(&mut self, block: &StmtBlock) {
        self.statements(block.statements());
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::If(flow, _) => {
                self.expression(&flow.expr);
                self.block(&flow.body);
                self.block(&flow.branch);
            }
            Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
                self.expression(&flow.expr);
                self.block(&flow.body);
            }
            Stmt::Switch(switch, _) => {
                self.expression(&switch.0);
                for case in &switch.1.expressions {
                    self.expression(&case.lhs);
                    self.expression(&case.rhs);
                }
            }
            Stmt::For(parts, _) => {
                let (item, counter, flow) = &**parts;
                self.expression(&flow.expr);
                let outside = self.locals.len();
                self.locals.push(item.name.to_string());
                self.locals.extend(counter.iter().map(|counter| counter.name.to_string()));
                self.block(&flow.body);
                self.locals.truncate(outside);
            }
            Stmt::Var(parts, ..) => {
                self.expression(&parts.1);
                self.locals.push(parts.0.name.to_string());
            }
            Stmt::Assignment(parts) => {
                self.assignment(&parts.1.lhs, parts.0.position());
                self.expression(&parts.1.rhs);
            }
            Stmt::FnCall(call, at) => self.call(call, *at),
            Stmt::Block(block) => self.block(block),
            Stmt::TryCatch(flow, at) => {
                let error = Diagnostic::new("rules do not catch errors")
                    .at_maybe(self.known.place(*at, "`try` stands here"))
                    .help("ask before, with `is_empty` or `contains`: what fails is shown to whoever wrote it");
                self.wrong(error);
                self.block(&flow.body);
            }
            Stmt::Expr(expression) => self.expression(expression),
            Stmt::BreakLoop(Some(expression), ..) | Stmt::Return(Some(expression), ..) => self.expression(expression),
            // Nothing to read: no statement of the others holds an expression.
            _ => {}
        }
    }

    fn assignment(&mut self, target: &Expr, at: Position) {
        match target {
            Expr::Variable(variable, _, at) => {
                let name = variable.1.as_str();
                if self.is_local(name) {
                    return;
                }
                if self.known.globals.iter().any(|global| global == name) {
                    let error = Diagnostic::new(format!("`{}` is fixed and cannot be set", written_name(name)))
                        .at_maybe(self.known.place(*at, "this name belongs to the table"))
                        .help("move components to change a zone; keep a value of your own with `let`");
                    self.wrong(error);
                } else {
                    self.variable(name, *at);
                }
            }
            Expr::Dot(..) | Expr::Index(..) => {
                let links = self.chain(target);
                let (root, last) = (links.root, links.last);
                match last {
                    Some((Step::Dot, Expr::Property(property, at))) => {
                        self.settable(root, property.2.as_str(), *at, links.length);
                    }
                    Some((Step::Index, _)) if matches!(root, Expr::Variable(variable, ..) if self.is_local(&variable.1)) =>
                        {}
                    _ => self.not_settable(at),
                }
            }
            other => {
                self.expression(other);
                self.not_settable(at);
            }
        }
    }

    fn not_settable(&mut self, at: Position) {
        let error = Diagnostic::new("this cannot be set")
            .at_maybe(self.known.place(at, "what stands before it is no variable"))
            .help("what can be set: a name made with `let`, an entry of a list, a declared variable");
        self.wrong(error);
    }

    /// A property on the left of `=`: only declared variables can stand there.
    fn settable(&mut self, root: &Expr, property: &str, at: Position, length: usize) {
        let of_table = length == 1
            && matches!(root, Expr::Variable(variable, ..) if variable.1 == "table" && !self.is_local("table"));
        let can_be_set = |per_seat| self.known.variables(per_seat).any(|name| name == property);
        if can_be_set(false) || (can_be_set(true) && !of_table) {
            return;
        }
        let owner = if of_table { "table" } else { "p" };
        let mut error = Diagnostic::new(format!("`{property}` cannot be set"))
            .at_maybe(self.known.place(at, "not a declared variable"));
        if of_table && can_be_set(true) {
            error = error.help(format!("`{property}` belongs to a player: `p.{property}`"));
        } else if let Some(help) = did_you_mean(property, self.known.variables(!of_table)) {
            error = error.help(help);
        }
        let names: Vec<String> =
            self.known.variables(!of_table).take(8).map(|name| format!("`{owner}.{name}`")).collect();
        error = error.help(match names.is_empty() {
            true => format!("declare it: `[variables.{property}]` with a `default`"),
            false => format!("what can be set here: {}", names.join(", ")),
        });
        self.unknown_here(error);
    }

    // Expressions

    fn expression(&mut self, expression: &Expr) {
        if let Some((_, _, at)) = closure(expression) {
            self.wrong(misplaced_function(self.known, at, "a function"));
            return;
        }
        match expression {
            Expr::Variable(variable, _, at) => self.variable(&variable.1, *at),
            Expr::FnCall(call, at) => self.call(call, *at),
            Expr::Dot(..) | Expr::Index(..) => drop(self.chain(expression)),
            Expr::And(list, _) | Expr::Or(list, _) | Expr::Coalesce(list, _) => {
                list.iter().for_each(|item| self.expression(item));
            }
            Expr::InterpolatedString(list, _) | Expr::Array(list, _) => {
                list.iter().for_each(|item| self.expression(item));
            }
            Expr::Stmt(block) => self.block(block),
            Expr::Map(map, at) => {
                let error = Diagnostic::new("rules have no object maps")
                    .at_maybe(self.known.place(*at, "`#{ … }`"))
                    .help("keep values in declared variables, fixed tables in `[data]`, options with parts in `acts`");
                self.wrong(error);
                map.0.iter().for_each(|(_, value)| self.expression(value));
            }
            Expr::ThisPtr(at) => {
                let error = Diagnostic::new("there is no `this` in rules")
                    .at_maybe(self.known.place(*at, "here"))
                    .help("functions get everything as parameters");
                self.wrong(error);
            }
            Expr::FloatConstant(number, at) => {
                let error = Diagnostic::new("numbers in rules are whole")
                    .at_maybe(self.known.place(*at, "a fraction"))
                    .help(format!(
                        "count in smaller units, so that {number} becomes a whole number; `/` rounds towards 0"
                    ));
                self.wrong(error);
            }
            Expr::CharConstant(letter, at) => {
                let error = Diagnostic::new("texts stand in double quotes")
                    .at_maybe(self.known.place(*at, "a single character"))
                    .help(format!("write `\"{letter}\"`"));
                self.wrong(error);
            }
            Expr::MethodCall(call, at) => self.method(call, *at),
            // Constants, and what is read as part of a chain.
            _ => {}
        }
    }

    /// A name that stands for a value.
    fn variable(&mut self, name: &str, at: Position) {
        if self.is_local(name) || self.known.globals.iter().any(|global| global == name) {
            return;
        }
        if self.known.forms(name).next().is_some() {
            self.wrong(misplaced_function(self.known, at, &format!("the function `{name}`")));
            return;
        }
        let error =
            Diagnostic::new(format!("there is no `{name}` here")).at_maybe(self.known.place(at, "unknown name"));
        let definition = &self.known.layout.definition;
        let is_setting = || self.known.ruleset.settings.iter().any(|(_, settings)| settings.contains_key(name));
        let help = if definition.zones.iter().any(|zone| zone.id == name && zone.per_seat)
            || self.known.variables(true).any(|variable| variable == name)
        {
            format!("`{name}` belongs to a player: `p.{name}`")
        } else if self.known.variables(false).any(|variable| variable == name) {
            format!("`{name}` is a variable of the table: `table.{name}`")
        } else if definition.data.contains_key(name) {
            format!("`{name}` stands in the data: `data.{name}`")
        } else if is_setting() {
            format!("`{name}` is a setting: `settings.{name}`")
        } else if let Some(help) =
            did_you_mean(name, self.locals.iter().map(String::as_str).chain(self.known.global_names()))
        {
            help
        } else {
            "functions see their parameters, what they make with `let`, the zones, `players`, `table`, `data` and \
             `settings`"
                .to_owned()
        };
        self.unknown_here(error.help(help));
    }

    /// A chain of `.` and `[]`: `players[1].hand.where(…)`. Gives what it begins with and what it ends with.
    fn chain<'e>(&mut self, expression: &'e Expr) -> Chain<'e> {
        let mut step = Step::Dot;
        let mut node = expression;
        let mut root = None;
        let mut ended = false;
        let mut length = 0;
        loop {
            let (next_step, pair, flags) = match node {
                Expr::Dot(pair, flags, _) if !ended => (Step::Dot, pair, flags),
                Expr::Index(pair, flags, _) if !ended => (Step::Index, pair, flags),
                last => {
                    let root = root.unwrap_or(expression);
                    self.link(step, last, (length == 1).then_some(root));
                    return Chain { root, last: Some((step, last)), length };
                }
            };
            match root {
                None => {
                    self.expression(&pair.lhs);
                    root = Some(&pair.lhs);
                }
                Some(root) => self.link(step, &pair.lhs, (length == 1).then_some(root)),
            }
            step = next_step;
            node = &pair.rhs;
            ended = flags.contains(ASTFlags::BREAK);
            length += 1;
        }
    }

    /// One link of a chain; `root` is what stands right before it, if that is the beginning.
    fn link(&mut self, step: Step, link: &Expr, root: Option<&Expr>) {
        match (step, link) {
            (Step::Dot, Expr::Property(property, at)) => self.property(&property.2, *at, root),
            (Step::Dot, Expr::MethodCall(call, at) | Expr::FnCall(call, at)) => self.method(call, *at),
            (_, other) => self.expression(other),
        }
    }

    fn property(&mut self, name: &str, at: Position, root: Option<&Expr>) {
        if let Some(Expr::Variable(variable, ..)) = root
            && !self.is_local(&variable.1)
            && let Some(known) = self.entries_of(&variable.1)
        {
            if !known.contains(&name) {
                let owner = written_name(&variable.1);
                let sort = match owner {
                    "table" => "declared variable of the table",
                    "data" => "entry of the data",
                    _ => "setting of this layer",
                };
                let error = Diagnostic::new(format!("`{owner}.{name}` does not exist"))
                    .at_maybe(self.known.place(at, format!("no {sort}")));
                let belongs = owner == "table" && self.known.variables(true).any(|variable| variable == name);
                let error = match did_you_mean(name, known.iter().copied()) {
                    _ if belongs => error.help(format!("`{name}` belongs to a player: `p.{name}`")),
                    Some(help) => error.help(help),
                    None if known.is_empty() => error.help(format!("this ruleset has no {sort}")),
                    None => error.help(format!("there are {}", quoted(known.iter().copied()))),
                };
                self.unknown_here(error);
            }
            return;
        }
        if self.known.properties.contains(name) || self.known.parts.contains(name) {
            return;
        }
        let error = Diagnostic::new(format!("nothing has a property `{name}`"))
            .at_maybe(self.known.place(at, "unknown property"));
        let help = if let Some(now) = now_called(name) {
            now.to_owned()
        } else if let Some(word) = words().find(|word| word.name == name && is_callable(word)) {
            format!("`{name}` is called: `{}`", word.usage())
        } else if self.known.forms(name).next().is_some() {
            format!("`{name}` is a function of the scripts: call it as `{}`", self.written_call(name))
        } else if self.known.globals.iter().any(|global| global == name) {
            format!("`{name}` belongs to the table and stands alone: `{name}`")
        } else {
            let known = self.known.properties.iter().copied().chain(self.known.parts.iter().map(String::as_str));
            match did_you_mean(name, known) {
                Some(help) => help,
                None => "known are the words of the vocabulary, zones and variables of a player, attributes, entries \
                         of the data, and the parts of options"
                    .to_owned(),
            }
        };
        self.unknown_here(error.help(help));
    }

    /// What the global names `table`, `data` and `settings` have, where the name is one of these.
    fn entries_of(&self, global: &str) -> Option<Vec<&'a str>> {
        let known = self.known;
        match global {
            "table" => Some(known.variables(false).collect()),
            "data" => {
                let words = words().filter(|word| word.form == Form::Property && word.receivers.contains(&"data"));
                let keys = known.layout.definition.data.keys().map(String::as_str);
                Some(keys.chain(words.map(|word| word.name)).collect())
            }
            _ => {
                let mut layers = known.ruleset.settings.iter().enumerate();
                let (_, (_, settings)) = layers.find(|(layer, _)| settings_name(*layer) == global)?;
                Some(settings.keys().map(String::as_str).collect())
            }
        }
    }

    // Calls

    fn call(&mut self, call: &FnCallExpr, at: Position) {
        let (name, arguments) = (call.name.as_str(), call.args.len());
        if !call.is_operator_call() {
            if self.known.defines(name, arguments) {
                self.calls.insert((name.to_owned(), arguments));
            } else if called_words(name, arguments, false).next().is_none() {
                let error = self.unknown_function(name, arguments, false, at);
                self.wrong(error);
            }
        }
        self.arguments(call, false);
    }

    fn method(&mut self, call: &FnCallExpr, at: Position) {
        let (name, arguments) = (call.name.as_str(), call.args.len());
        if called_words(name, arguments, true).next().is_none() {
            let error = self.unknown_function(name, arguments, true, at);
            self.wrong(error);
        }
        self.arguments(call, true);
    }

    fn arguments(&mut self, call: &FnCallExpr, as_method: bool) {
        let (name, arguments) = (call.name.as_str(), call.args.len());
        for (position, argument) in call.args.iter().enumerate() {
            let given = gives_function(name, arguments, as_method, position).filter(|_| !call.is_operator_call());
            if let Some(given) = given {
                self.function_argument(name, argument, given);
                continue;
            }
            if let Expr::StringConstant(text, at) = argument
                && !call.is_operator_call()
            {
                self.named_thing(name, arguments, as_method, position, text, *at);
            }
            self.expression(argument);
        }
    }

    /// A text that names an attribute or a component group.
    fn named_thing(
        &mut self,
        name: &str,
        arguments: usize,
        as_method: bool,
        position: usize,
        text: &str,
        at: Position,
    ) {
        let mut called = parameter_names(name, arguments, as_method, position);
        let Some(first) = called.next() else { return };
        if !called.all(|other| other == first) || self.known.defines(name, arguments) {
            return;
        }
        drop(called);
        let layout = self.known.layout;
        let (sort, all): (&str, Vec<&str>) = match first {
            "attribute" => ("attribute", layout.attributes.iter().map(String::as_str).collect()),
            "group" => ("component group", layout.groups.iter().map(|(group, _)| group.as_str()).collect()),
            _ => return,
        };
        if all.contains(&text) {
            return;
        }
        let error = Diagnostic::new(format!("there is no {sort} `{text}`")).at_maybe(self.known.place(at, "unknown"));
        let help = did_you_mean(text, all.iter().copied()).unwrap_or_else(|| match all.is_empty() {
            true => format!("this game has no {sort}"),
            false => format!("there are {}", quoted(all.iter().copied())),
        });
        self.unknown_here(error.help(help));
    }

    /// An argument where a word takes a function: a closure or the name of a function, of as many parameters as given.
    fn function_argument(&mut self, word: &str, argument: &Expr, given: usize) {
        if let Some((name, captured, at)) = closure(argument) {
            self.closure(word, &name, (captured, given), at);
            return;
        }
        match argument {
            Expr::Variable(variable, _, at) if !self.is_local(&variable.1) => {
                let name = variable.1.as_str();
                if self.known.defines(name, given) {
                    self.calls.insert((name.to_owned(), given));
                } else if let Some(other) = self.known.forms(name).next() {
                    let takes = other.parameters.len();
                    let message = format!("`{word}` gives {}, and `{name}` takes {takes}", arguments_in_words(given));
                    let error = Diagnostic::new(message)
                        .at_maybe(self.known.place(*at, "this function"))
                        .related_maybe(self.known.ruleset.place(other.at, "defined here"))
                        .help(format!("wrap it: `|x| {}`", self.written_call(name)));
                    self.wrong(error);
                } else if words().any(|word| word.name == name && is_callable(word)) {
                    let error = Diagnostic::new(format!("the word `{name}` does not stand alone"))
                        .at_maybe(self.known.place(*at, "not called"))
                        .help(format!("wrap it: `|x| {name}(x)`"));
                    self.wrong(error);
                } else {
                    self.variable(name, *at);
                }
            }
            other => {
                let error = Diagnostic::new(format!("`{word}` takes a function here"))
                    .at_maybe(self.known.place(other.start_position(), "this is none"))
                    .help(format!("write it in place: `{} …`, or give the name of one", closure_head(given)));
                self.wrong(error);
                self.expression(other);
            }
        }
    }

    fn closure(&mut self, word: &str, name: &str, (captured, given): (usize, usize), at: Position) {
        let known = self.known;
        let mut named = known.bodies.range((name.to_owned(), 0)..=(name.to_owned(), usize::MAX));
        let Some((_, body)) = named.next() else { return };
        let own = body.parameters.get(captured..).unwrap_or_default();
        if own.len() != given {
            let given_in_words = arguments_in_words(given);
            let message = format!("`{word}` gives its function {given_in_words}, and this takes {}", own.len());
            let error = Diagnostic::new(message).at_maybe(self.known.place(at, "this function"));
            self.wrong(error.help(format!("write `{} …`", closure_head(given))));
        }
        if self.depth >= MAX_CLOSURES {
            return;
        }
        self.depth += 1;
        let outside = self.locals.len();
        // What it captures is found among the names outside, as it stands there.
        self.locals.extend(own.iter().cloned());
        self.statements(&body.statements);
        self.locals.truncate(outside);
        self.depth -= 1;
    }

    fn unknown_function(&self, name: &str, arguments: usize, as_method: bool, at: Position) -> Diagnostic {
        let known = self.known;
        let counted = match arguments {
            0 => "without arguments".to_owned(),
            1 => "with one argument".to_owned(),
            more => format!("with {more} arguments"),
        };
        let error = Diagnostic::new(format!("there is no `{name}` {counted}")).at_maybe(known.place(at, "unknown"));
        if known.forms(name).next().is_some() {
            let error = match as_method && known.defines(name, arguments + 1) {
                true => error.help(format!("call it as `{}`", self.written_call(name))),
                false => error.help(format!("the scripts define `{}`", self.written_call(name))),
            };
            let other = known.forms(name).next().and_then(|other| known.ruleset.place(other.at, "defined here"));
            return error.related_maybe(other);
        }
        if let Some(property) = words().find(|word| word.name == name && word.form == Form::Property) {
            return error.help(format!("write it without parentheses: `{}`", property.usage()));
        }
        if known.properties.contains(name) {
            return error.help(format!("`{name}` is not called; write it without parentheses"));
        }
        let forms: BTreeSet<String> =
            words().filter(|word| word.name == name && is_callable(word)).map(Word::usage).collect();
        if !forms.is_empty() {
            return error.help(format!("the vocabulary has {}", quoted(forms.iter().map(String::as_str).take(4))));
        }
        if let Some(help) = why_not_available(name).or_else(|| now_called(name)) {
            return error.help(help);
        }
        let scripts = known.functions.iter().map(|function| function.name.as_str());
        let callable = words().filter(|word| is_callable(word)).map(|word| word.name);
        match did_you_mean(name, scripts.chain(callable)) {
            Some(help) => error.help(help),
            None => error.help("`help words` lists the vocabulary; other functions have to be defined in the scripts"),
        }
    }

    /// A script function as it is called, with its own parameter names.
    fn written_call(&self, name: &str) -> String {
        let forms: Vec<String> = self
            .known
            .forms(name)
            .map(|function| format!("{}({})", function.name, function.parameters.join(", ")))
            .collect();
        forms.join("` or `")
    }
}

/// What a chain begins and ends with, and how many links it has behind its beginning.
struct Chain<'e> {
    root: &'e Expr,
    last: Option<(Step, &'e Expr)>,
    length: usize,
}

/// A closure: the name that the parser gave it, how many names it captures, and where it stands.
///
/// One that captures stands in the tree as a block that shares the captured names and curries the function.
pub(super) fn closure(expression: &Expr) -> Option<(String, usize, Position)> {
    match expression {
        Expr::DynamicConstant(value, at) => {
            let function = value.read_lock::<FnPtr>()?;
            Some((function.fn_name().to_owned(), 0, *at))
        }
        Expr::Stmt(block) => {
            let [Stmt::Share(_), curried] = block.statements() else { return None };
            let call = match curried {
                Stmt::FnCall(call, _) => call,
                Stmt::Expr(expression) => match &**expression {
                    Expr::FnCall(call, _) => call,
                    _ => return None,
                },
                _ => return None,
            };
            let (name, _, at) = closure(call.args.first()?)?;
            Some((name, call.args.len() - 1, at))
        }
        _ => None,
    }
}

fn arguments_in_words(count: usize) -> &'static str {
    if count == 1 { "one argument" } else { "two arguments" }
}

/// How a function of so many parameters begins that is written in place.
fn closure_head(parameters: usize) -> &'static str {
    if parameters == 1 { "|x|" } else { "|x, y|" }
}

fn misplaced_function(known: &Known<'_>, at: Position, what: &str) -> Diagnostic {
    Diagnostic::new(format!("{what} stands where a value is expected"))
        .at_maybe(known.place(at, "not handed to a word"))
        .help("a function stands only where a word takes one, such as `players.any(|p| …)`; elsewhere it has to be called")
}

fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
