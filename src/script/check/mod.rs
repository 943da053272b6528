//! What holds scripts to the language of rules, before anything runs.
//!
//! One reading of the flat tree finds every name that nobody knows (functions, properties, variables, attributes,
//! component groups), and everything that the language has and rules may not use: functions kept as values, object
//! maps, `this`, `try`, floats, characters, assignment to what is fixed. What the definition of a game decides
//! (zones, attributes) is asked of a library's function only if the game can come to call it, because a library
//! serves several games.

mod values;

use crate::diagnostic::{Diagnostic, Place, did_you_mean};
use crate::ruleset::{Role, Ruleset};
use crate::script::layering::{FunctionInfo, written_name};
use crate::script::sorts::{self, Sort};
use crate::script::syntax::{self, script_point};
use crate::script::trouble::why_not_available;
use crate::script::vocabulary::{Form, Role as Part, Takes, Word, now_called, words};
use crate::table::layout::Layout;
use rhai::{AST, ASTFlags, ASTNode, Expr, FnCallExpr, FnPtr, Position, Stmt, StmtBlock};
use std::cell::OnceCell;
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
) -> Result<Checked, Vec<Diagnostic>> {
    let known = Known::new(ast, functions, globals, layout, ruleset);
    let mut errors = known.missing_functions();
    let readings: Vec<Reading> = functions.iter().map(|function| Reader::read(&known, function)).collect();
    let reached = known.reached(&readings);
    let warnings = known.uncalled(&readings);
    let said = readings.iter().zip(&reached).filter(|(_, reached)| **reached).flat_map(|(reading, _)| &reading.said);
    let untold = known.untold(said);
    for (reading, reached) in readings.into_iter().zip(reached) {
        for finding in reading.findings {
            let matters = reached || finding.everywhere;
            if matters && !errors.contains(&finding.error) {
                errors.push(finding.error);
            }
        }
    }
    errors.truncate(MAX_ERRORS);
    if errors.is_empty() { Ok(Checked { warnings, untold }) } else { Err(errors) }
}

/// What there is to say about scripts without an error.
pub struct Checked {
    /// What is most likely a mistake.
    pub warnings: Vec<Diagnostic>,
    /// What people read while they play, and the game has no words for.
    pub untold: Vec<Diagnostic>,
}

/// Every name that scripts can use, and where it comes from.
struct Known<'a> {
    /// What the game is without its variants, where they change what attributes can be.
    plain: OnceCell<Option<Layout>>,
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
    /// Texts that people read: what they are, and where they stand.
    said: Vec<Said>,
}

/// A text of a script that people read while they play.
struct Said {
    /// What it is to them: `prompt`.
    what: &'static str,
    text: String,
    at: Position,
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
            plain: OnceCell::new(),
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
            let error = Diagnostic::new(message).at_maybe(self.declared_at(&path, "no such function"));
            let private = self.functions.iter().find(|other| other.is_private && other.name == *name);
            missing.push(match self.forms(name).next().or(private) {
                Some(other) if other.is_private => error
                    .help("leave `private` out: the host sees what every layer sees")
                    .related_maybe(self.ruleset.place(other.at, "this one is private")),
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
            let call = (function.flat_name.clone(), function.parameters.len());
            (by_host(&function.name) && !function.is_private)
                || readings.iter().any(|reading| reading.calls.contains(&call))
        };
        let in_question = self.functions.iter().filter(|function| {
            (function.flat_name == function.name || function.is_private)
                && self.ruleset.scripts[function.script].role != Role::Library
        });
        let warn = |function: &FunctionInfo| {
            let below = || self.functions.iter().filter(|other| other.script < function.script && !other.is_private);
            let other_form = below().find(|other| other.name == function.name);
            let near = did_you_mean(&function.name, below().map(|other| other.name.as_str()));
            // A game may define what only its variants call.
            let is_variant = matches!(self.ruleset.scripts[function.script].role, Role::Variant(_));
            if other_form.is_none() && near.is_none() && !is_variant && !function.is_private {
                return None;
            }
            let warning = Diagnostic::new(format!("nothing calls `{}`", function.name))
                .at_maybe(self.ruleset.place(function.at, "never used"));
            Some(match (other_form, near) {
                _ if function.is_private => {
                    warning.help("it is private: only the script that it stands in can call it")
                }
                (Some(other), _) => warning
                    .help(format!("`{}({})` is what is called", other.name, other.parameters.join(", ")))
                    .related_maybe(self.ruleset.place(other.at, "this one")),
                (None, Some(near)) => warning.help(near),
                (None, None) => warning.help("call it, or take it away"),
            })
        };
        in_question.filter(|function| !is_called(function)).filter_map(warn).collect()
    }

    /// What people read and no `[text]` has words for, each key once, at its first use.
    fn untold<'s>(&self, said: impl Iterator<Item = &'s Said>) -> Vec<Diagnostic> {
        let mut keys: BTreeSet<&str> = BTreeSet::new();
        let mut untold = Vec::new();
        // Rules in one language are whole; where any text has two, one without the second was forgotten.
        let is_bilingual = self.layout.definition.text.values().any(|words| words.ja.is_some());
        let form = if is_bilingual { "{ en = \"…\", ja = \"…\" }" } else { "\"…\"" };
        for Said { what, text, at } in said {
            let known = self.layout.definition.text.get(text);
            if known.is_some_and(|words| words.ja.is_some() || !is_bilingual) || !keys.insert(text) {
                continue;
            }
            let key = match crate::definition::is_identifier(text) {
                true => text.clone(),
                false => format!("{text:?}"),
            };
            let place = self.place(*at, format!("a {what}")).filter(|_| known.is_none());
            let place = place.or_else(|| self.declared_at(&format!("text.{text}"), "in English only"));
            let warning = match known {
                None => Diagnostic::new(format!("the {what} `{text}` has no words in `[text]`"))
                    .help(format!("add `{key} = {form}` to `[text]`")),
                Some(_) => Diagnostic::new(format!("the {what} `{text}` has no Japanese words"))
                    .help(format!("write `{key} = {form}`")),
            };
            untold.push(warning.at_maybe(place));
        }
        untold
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
    fn declared_at(&self, path: &str, label: &str) -> Option<Place> {
        use crate::definition::tree;
        let layers = std::iter::once(&self.ruleset.game).chain(&self.ruleset.variants).rev();
        layers.into_iter().find_map(|layer| {
            let mut table = &layer.tables;
            let mut keys = path.split('.').peekable();
            while let Some(key) = keys.next() {
                let node = table.get(key)?;
                match (&node.value, keys.peek()) {
                    (_, None) => return Some(node.place(label)),
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
                if roles(&call.name, call.args.len(), as_method, position).any(|role| role == Part::Part) {
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

/// What the argument at a position stands for in the words of a name and a number of arguments.
fn roles<'w>(name: &'w str, arguments: usize, as_method: bool, position: usize) -> impl Iterator<Item = Part> + 'w {
    // `a.max(b)` is `max(a, b)`: what stands before the dot is the first argument.
    let position = position + usize::from(as_method);
    called_words(name, arguments, as_method).filter_map(move |word| word.parameter(position)?.role)
}

/// The words that a call can mean.
fn called_words(name: &str, arguments: usize, as_method: bool) -> impl Iterator<Item = &'static Word> {
    let arity = arguments + usize::from(as_method);
    words().filter(move |word| word.is_called() && word.name == name && word.arity() == arity)
}

/// How many arguments a word of the name gives the function that it takes at a position; nothing if it takes none there.
fn gives_function(name: &str, arguments: usize, as_method: bool, position: usize) -> Option<usize> {
    called_words(name, arguments, as_method).find_map(|word| {
        match word.parameter(position + usize::from(as_method))?.takes {
            Takes::Function(parameters) => Some(parameters),
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

/// A name of a function's own.
struct Local {
    name: String,
    /// What it holds, where that never changes.
    sort: Option<Sort>,
}

/// Names that are set again somewhere in a function, whatever block they stand in.
#[derive(Default)]
struct SetAgain {
    /// By `=`.
    anew: BTreeSet<String>,
    /// By `+=` and its like.
    changed: BTreeSet<String>,
}

/// Reads one function, with the names that are local where it has come to.
struct Reader<'a> {
    known: &'a Known<'a>,
    locals: Vec<Local>,
    set_again: SetAgain,
    findings: Vec<Finding>,
    calls: BTreeSet<(String, usize)>,
    said: Vec<Said>,
    /// Closures that are being read, so that none is read inside itself.
    depth: usize,
}

/// Closures inside closures; the parser's limit on nesting is lower.
const MAX_CLOSURES: usize = 64;

impl<'a> Reader<'a> {
    fn read(known: &'a Known<'a>, function: &FunctionInfo) -> Reading {
        let mut reader = Self {
            known,
            locals: Vec::new(),
            set_again: SetAgain::default(),
            findings: Vec::new(),
            calls: BTreeSet::new(),
            said: Vec::new(),
            depth: 0,
        };
        if let Some(body) = known.bodies.get(&(function.flat_name.clone(), function.parameters.len())) {
            find_set_again(known, &body.statements, &mut reader.set_again, 0);
            body.parameters.iter().for_each(|name| reader.begin_local(name, None));
            reader.statements(&body.statements);
        }
        Reading { findings: reader.findings, calls: reader.calls, said: reader.said }
    }

    /// Something wrong in every game.
    fn wrong(&mut self, error: Diagnostic) {
        self.findings.push(Finding { error, everywhere: true });
    }

    /// A name that this game does not have.
    fn unknown_here(&mut self, error: Diagnostic) {
        self.findings.push(Finding { error, everywhere: false });
    }

    /// A value of a sort that does not fit, at a place.
    fn misfit(&mut self, error: Diagnostic, at: Position, label: &str) {
        let place = self.known.place(at, label);
        self.unknown_here(error.at_maybe(place));
    }

    fn is_local(&self, name: &str) -> bool {
        self.locals.iter().any(|local| local.name == name)
    }

    /// A name begins that holds a value of that sort, if it keeps it.
    fn begin_local(&mut self, name: &str, sort: Option<Sort>) {
        let keeps_sort = |sort: &Sort| {
            matches!(sort, Sort::Number | Sort::Text | Sort::List | Sort::Options | Sort::Components | Sort::Zones)
                || !self.set_again.changed.contains(name)
        };
        let sort = sort.filter(keeps_sort).filter(|_| !self.set_again.anew.contains(name));
        self.locals.push(Local { name: name.to_owned(), sort });
    }

    // Statements

    /// Reads statements; gives the sort of the value of the last.
    fn statements(&mut self, statements: &[Stmt]) -> Option<Sort> {
        let outside = self.locals.len();
        let mut last = None;
        for statement in statements {
            last = self.statement(statement);
        }
        self.locals.truncate(outside);
        last
    }

    fn block(&mut self, block: &StmtBlock) -> Option<Sort> {
        self.statements(block.statements())
    }

    fn statement(&mut self, statement: &Stmt) -> Option<Sort> {
        match statement {
            Stmt::If(flow, _) => {
                self.condition(&flow.expr);
                let one = self.block(&flow.body);
                let other = self.block(&flow.branch);
                return one.filter(|_| one == other);
            }
            Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
                // A `loop` has no condition.
                if !matches!(flow.expr, Expr::Unit(_)) {
                    self.condition(&flow.expr);
                }
                self.block(&flow.body);
            }
            Stmt::Switch(switch, _) => {
                self.expression(&switch.0);
                for case in &switch.1.expressions {
                    self.condition(&case.lhs);
                    self.expression(&case.rhs);
                }
            }
            Stmt::For(parts, _) => {
                let (item, counter, flow) = &**parts;
                let list = self.expression(&flow.expr);
                if let Some(list) = list.filter(|list| !list.can_be_looped()) {
                    self.misfit(sorts::no_loop(list), flow.expr.start_position(), list.named());
                }
                let outside = self.locals.len();
                let element =
                    list.and_then(|list| if list == Sort::Range { Some(Sort::Number) } else { list.element() });
                self.begin_local(&item.name, element);
                counter.iter().for_each(|counter| self.begin_local(&counter.name, Some(Sort::Number)));
                self.block(&flow.body);
                self.locals.truncate(outside);
            }
            Stmt::Var(parts, ..) => {
                let sort = self.expression(&parts.1);
                self.begin_local(&parts.0.name, sort);
            }
            Stmt::Assignment(parts) => {
                let value = self.expression(&parts.1.rhs);
                let operator = parts.0.get_op_assignment_info().map(|(.., operator)| operator);
                self.assignment(&parts.1.lhs, operator, value, parts.0.position());
            }
            Stmt::FnCall(call, at) => return self.call(call, *at),
            Stmt::Block(block) => return self.block(block),
            Stmt::TryCatch(flow, at) => {
                let error = Diagnostic::new("rules do not catch errors")
                    .at_maybe(self.known.place(*at, "`try` stands here"))
                    .help("ask before, with `is_empty` or `contains`: what fails is shown to whoever wrote it");
                self.wrong(error);
                self.block(&flow.body);
            }
            Stmt::Expr(expression) => return self.expression(expression),
            Stmt::BreakLoop(Some(expression), ..) | Stmt::Return(Some(expression), ..) => {
                self.expression(expression);
            }
            // Nothing to read: no statement of the others holds an expression.
            _ => {}
        }
        None
    }

    /// What has to be true or false.
    fn condition(&mut self, expression: &Expr) {
        if let Some(sort) = self.expression(expression).filter(|sort| *sort != Sort::Truth) {
            self.misfit(sorts::needed(Sort::Truth.named(), sort), expression.start_position(), sort.named());
        }
    }

    fn assignment(&mut self, target: &Expr, operator: Option<&str>, value: Option<Sort>, at: Position) {
        match target {
            Expr::Variable(variable, _, name_at) => {
                let name = variable.1.as_str();
                if self.is_local(name) {
                    let held = self.variable(name, *name_at);
                    // A list takes any further entry.
                    if let Some(operator) = operator.filter(|_| held != Some(Sort::List)) {
                        self.operator(operator, (held, value), at);
                    }
                } else if self.known.globals.iter().any(|global| global == name) {
                    let error = Diagnostic::new(format!("`{}` is fixed and cannot be set", written_name(name)))
                        .at_maybe(self.known.place(*name_at, "this name belongs to the table"))
                        .help("move components to change a zone; keep a value of your own with `let`");
                    self.wrong(error);
                } else {
                    self.variable(name, *name_at);
                }
            }
            Expr::Dot(..) | Expr::Index(..) => {
                let links = self.chain(target);
                match links.last {
                    Some((Step::Dot, Expr::Property(property, property_at))) => {
                        let name = property.2.as_str();
                        let held = self.settable(&links, name, *property_at);
                        match (operator, held, value) {
                            (Some(operator), held, value) => {
                                self.operator(operator, (held, value), at);
                            }
                            (None, Some(held), Some(value)) if !value.may_be(held) => {
                                let error =
                                    Diagnostic::new(format!("`{name}` holds {}, not {}", held.named(), value.named()));
                                self.misfit(error, *property_at, "");
                            }
                            _ => {}
                        }
                    }
                    Some((Step::Index, _)) if matches!(links.root, Expr::Variable(variable, ..) if self.is_local(&variable.1)) =>
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

    /// A property on the left of `=`: only declared variables can stand there. Gives what the variable holds.
    fn settable(&mut self, links: &Chain<'_>, property: &str, at: Position) -> Option<Sort> {
        let of_table = links.length == 1
            && matches!(links.root, Expr::Variable(variable, ..) if variable.1 == "table" && !self.is_local("table"));
        let can_be_set = |per_seat| self.known.variables(per_seat).any(|name| name == property);
        if of_table && can_be_set(false) {
            return self.known.sort_of_variable(property, false);
        }
        if can_be_set(true) && !of_table {
            match links.owner {
                None | Some(Sort::Player | Sort::PlayerOrNobody) => return self.known.sort_of_variable(property, true),
                Some(owner) => {
                    let error = match owner {
                        Sort::Component => {
                            Diagnostic::new(format!("`{property}` of a component is printed on it and cannot be set"))
                        }
                        _ => Diagnostic::new(format!("`{property}` of {} cannot be set", owner.named())),
                    };
                    let help = format!("the variable `{property}` belongs to a player: `p.{property}`");
                    self.misfit(error.help(help), at, &format!("of {}", owner.named()));
                    return None;
                }
            }
        }
        if can_be_set(false) && links.owner.is_none() {
            return self.known.sort_of_variable(property, false);
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
        None
    }

    // Expressions

    /// Reads an expression; gives the sort of its value, where that is certain.
    fn expression(&mut self, expression: &Expr) -> Option<Sort> {
        if let Some((_, _, at)) = closure(expression) {
            self.wrong(misplaced_function(self.known, at, "a function"));
            return None;
        }
        match expression {
            Expr::Variable(variable, _, at) => return self.variable(&variable.1, *at),
            Expr::FnCall(call, at) => return self.call(call, *at),
            Expr::Dot(..) | Expr::Index(..) => return self.chain(expression).sort,
            Expr::And(list, _) | Expr::Or(list, _) => {
                list.iter().for_each(|item| self.condition(item));
                return Some(Sort::Truth);
            }
            Expr::Coalesce(list, _) => list.iter().for_each(|item| {
                self.expression(item);
            }),
            Expr::InterpolatedString(list, _) => {
                list.iter().for_each(|item| {
                    self.expression(item);
                });
                return Some(Sort::Text);
            }
            Expr::Array(list, _) => {
                list.iter().for_each(|item| {
                    self.expression(item);
                });
                return Some(Sort::List);
            }
            Expr::IntegerConstant(..) => return Some(Sort::Number),
            Expr::BoolConstant(..) => return Some(Sort::Truth),
            Expr::StringConstant(..) => return Some(Sort::Text),
            Expr::Unit(_) => return Some(Sort::Nothing),
            Expr::Stmt(block) => return self.block(block),
            Expr::Map(map, at) => {
                let error = Diagnostic::new("rules have no object maps")
                    .at_maybe(self.known.place(*at, "`#{ … }`"))
                    .help("keep values in declared variables, fixed tables in `[data]`, options with parts in `acts`");
                self.wrong(error);
                map.0.iter().for_each(|(_, value)| {
                    self.expression(value);
                });
            }
            Expr::ThisPtr(at) => {
                let error = Diagnostic::new("there is no `this` in rules")
                    .at_maybe(self.known.place(*at, "here"))
                    .help("functions get everything as parameters");
                self.wrong(error);
            }
            // What is too large for a whole number is read as a fraction.
            Expr::FloatConstant(number, at) if number.abs() >= i64::MAX as f64 => {
                let error = Diagnostic::new("the number is too large")
                    .at_maybe(self.known.place(*at, "here"))
                    .help(format!("numbers go from {} to {}", i64::MIN, i64::MAX));
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
            Expr::MethodCall(call, at) => return self.method(call, *at, None),
            // Constants, and what is read as part of a chain.
            _ => {}
        }
        None
    }

    /// A name that stands for a value.
    fn variable(&mut self, name: &str, at: Position) -> Option<Sort> {
        if let Some(local) = self.locals.iter().rfind(|local| local.name == name) {
            return local.sort;
        }
        if self.known.globals.iter().any(|global| global == name) {
            return self.known.sort_of_global(name);
        }
        if self.known.forms(name).next().is_some() {
            self.wrong(misplaced_function(self.known, at, &format!("the function `{name}`")));
            return None;
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
            did_you_mean(name, self.locals.iter().map(|local| local.name.as_str()).chain(self.known.global_names()))
        {
            help
        } else if let Some(help) = syntax::foreign(name) {
            help.to_owned()
        } else if matches!(name.strip_prefix('p').map(str::parse::<usize>), Some(Ok(_))) {
            "a script names players by `players[1]`, `p.next`, or the name of a parameter".to_owned()
        } else {
            "functions see their parameters, what they make with `let`, the zones, `players`, `table`, `data` and \
             `settings`"
                .to_owned()
        };
        self.unknown_here(error.help(help));
        None
    }

    /// A chain of `.` and `[]`: `players[1].hand.where(…)`. Gives what it begins with and what it ends with.
    fn chain<'e>(&mut self, expression: &'e Expr) -> Chain<'e> {
        let mut step = Step::Dot;
        let mut node = expression;
        let mut root = None;
        let mut ended = false;
        let mut length = 0;
        let mut owner = None;
        loop {
            let (next_step, pair, flags) = match node {
                Expr::Dot(pair, flags, _) if !ended => (Step::Dot, pair, flags),
                Expr::Index(pair, flags, _) if !ended => (Step::Index, pair, flags),
                last => {
                    let root = root.unwrap_or(expression);
                    let sort = self.link((step, last), (length == 1).then_some(root), owner);
                    return Chain { root, last: Some((step, last)), length, owner, sort };
                }
            };
            match root {
                None => {
                    owner = self.expression(&pair.lhs);
                    root = Some(&pair.lhs);
                }
                Some(root) => owner = self.link((step, &pair.lhs), (length == 1).then_some(root), owner),
            }
            step = next_step;
            node = &pair.rhs;
            ended = flags.contains(ASTFlags::BREAK);
            length += 1;
        }
    }

    /// One link of a chain; `root` is what stands right before it, if that is the beginning, and `owner` the sort of it.
    fn link(&mut self, (step, link): (Step, &Expr), root: Option<&Expr>, owner: Option<Sort>) -> Option<Sort> {
        match (step, link) {
            (Step::Dot, Expr::Property(property, at)) => self.property(&property.2, *at, root, owner),
            (Step::Dot, Expr::MethodCall(call, at) | Expr::FnCall(call, at)) => self.method(call, *at, owner),
            (Step::Dot, other) => self.expression(other),
            (Step::Index, index) => self.index(index, owner),
        }
    }

    /// `[…]` behind something.
    fn index(&mut self, index: &Expr, owner: Option<Sort>) -> Option<Sort> {
        let sort = self.expression(index);
        let owner = owner?;
        match owner {
            Sort::List | Sort::Zone | Sort::Components | Sort::Zones | Sort::Players => {
                if let Some(sort) = sort.filter(|sort| *sort != Sort::Number) {
                    self.misfit(sorts::needed(Sort::Number.named(), sort), index.start_position(), sort.named());
                }
            }
            Sort::Data | Sort::Option => {}
            _ => self.misfit(sorts::no_entries(owner), index.start_position(), ""),
        }
        owner.element()
    }

    fn property(&mut self, name: &str, at: Position, root: Option<&Expr>, owner: Option<Sort>) -> Option<Sort> {
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
            return self.sort_of_entry(&variable.1, name);
        }
        if self.known.properties.contains(name) || self.known.parts.contains(name) {
            let Some(owner) = owner else { return self.known.sort_of_property(name) };
            let found = self.known.property_of(owner, name);
            if found.is_none() {
                let error = sorts::has_no(owner, name);
                let error = if error.help.is_empty() { error.help(self.owners_of(name)) } else { error };
                self.misfit(error, at, &format!("of {}", owner.named()));
            }
            return found.flatten();
        }
        let error = Diagnostic::new(format!("nothing has a property `{name}`"))
            .at_maybe(self.known.place(at, "unknown property"));
        let help = if let Some(now) = now_called(name).or_else(|| why_not_available(name)) {
            now.to_owned()
        } else if let Some(word) = words().find(|word| word.name == name && word.is_called()) {
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
        None
    }

    // Calls

    fn call(&mut self, call: &FnCallExpr, at: Position) -> Option<Sort> {
        let (name, arguments) = (call.name.as_str(), call.args.len());
        if call.is_operator_call() {
            let given = self.arguments(call, None);
            return match given[..] {
                // `value in list` is `list.contains(value)`.
                [list, value] if name == "contains" => {
                    self.words_call(call, &[list, value], false, at);
                    Some(Sort::Truth)
                }
                [one] => self.prefix(name, one, at),
                [left, right] => {
                    self.compared_attribute(name, &call.args);
                    let found = self.findings.len();
                    let result = self.operator(name, (left, right), at);
                    self.tell_of_settings(found, &call.args);
                    result
                }
                _ => None,
            };
        }
        let is_defined = self.known.defines(name, arguments);
        if is_defined {
            self.calls.insert((name.to_owned(), arguments));
        } else if called_words(name, arguments, false).next().is_none() {
            let error = self.unknown_function(name, arguments, false, at);
            self.wrong(error);
        }
        let given = self.arguments(call, None);
        if is_defined {
            return None;
        }
        let found = self.findings.len();
        let result = self.words_call(call, &given, false, at);
        self.tell_of_settings(found, &call.args);
        result
    }

    fn method(&mut self, call: &FnCallExpr, at: Position, owner: Option<Sort>) -> Option<Sort> {
        let (name, arguments) = (call.name.as_str(), call.args.len());
        if called_words(name, arguments, true).next().is_none() {
            let error = self.unknown_function(name, arguments, true, at);
            self.wrong(error);
        }
        let mut given = self.arguments(call, Some(owner));
        given.insert(0, owner);
        let found = self.findings.len();
        let result = self.words_call(call, &given, true, at);
        self.tell_of_settings(found, &call.args);
        result
    }

    /// Reads the arguments of a call, and gives their sorts. `owner` is what stands before the dot of a method.
    fn arguments(&mut self, call: &FnCallExpr, owner: Option<Option<Sort>>) -> Vec<Option<Sort>> {
        let (name, arguments, as_method) = (call.name.as_str(), call.args.len(), owner.is_some());
        let mut sorts: Vec<Option<Sort>> = Vec::with_capacity(arguments);
        for (position, argument) in call.args.iter().enumerate() {
            let given = gives_function(name, arguments, as_method, position).filter(|_| !call.is_operator_call());
            if let Some(given) = given {
                // What it goes through is the receiver; a choice goes through its options, which stand before it.
                let list = match (name, owner) {
                    ("choose", _) => {
                        sorts.last().copied().flatten().filter(|_| arguments + usize::from(as_method) == 4)
                    }
                    (_, Some(owner)) => owner,
                    (_, None) => sorts.first().copied().flatten(),
                };
                self.function_argument(name, argument, given, list.and_then(Sort::element));
                sorts.push(Some(Sort::Function));
                continue;
            }
            if let Expr::StringConstant(text, at) = argument
                && !call.is_operator_call()
            {
                self.named_thing(name, arguments, as_method, position, text, *at);
                self.said(name, arguments, as_method, position, text, *at);
            }
            sorts.push(self.expression(argument));
        }
        sorts
    }

    /// A text that people read.
    fn said(&mut self, name: &str, arguments: usize, as_method: bool, position: usize, text: &str, at: Position) {
        if self.known.defines(name, arguments) {
            return;
        }
        let what = roles(name, arguments, as_method, position).find_map(|role| match role {
            Part::Prompt => Some("prompt"),
            Part::Purpose => Some("purpose of a choice"),
            Part::Reason => Some("reason for points"),
            Part::Act => Some("act"),
            Part::Phase => Some("phase"),
            Part::Remark => Some("remark"),
            _ => None,
        });
        if let Some(what) = what.filter(|_| !text.is_empty()) {
            self.said.push(Said { what, text: text.to_owned(), at });
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
        let Some(role) = roles(name, arguments, as_method, position).next() else { return };
        if self.known.defines(name, arguments) {
            return;
        }
        let layout = self.known.layout;
        let (sort, all): (&str, Vec<&str>) = match role {
            Part::Attribute | Part::Numbers => ("attribute", layout.attributes.iter().map(String::as_str).collect()),
            Part::Group => ("component group", layout.groups.iter().map(|(group, _)| group.as_str()).collect()),
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
    fn function_argument(&mut self, word: &str, argument: &Expr, given: usize, element: Option<Sort>) {
        if let Some((name, captured, at)) = closure(argument) {
            self.closure(word, &name, (captured, given, element), at);
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
                } else if words().any(|word| word.name == name && word.is_called()) {
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

    fn closure(
        &mut self,
        word: &str,
        name: &str,
        (captured, given, element): (usize, usize, Option<Sort>),
        at: Position,
    ) {
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
        for (position, name) in own.iter().enumerate() {
            self.begin_local(name, element.filter(|_| position == 0));
        }
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
            return error.help(format!("write it without parentheses: `.{}`", property.name));
        }
        if known.properties.contains(name) {
            return error.help(format!("`{name}` is not called; write it without parentheses"));
        }
        let forms: BTreeSet<String> =
            words().filter(|word| word.name == name && word.is_called()).map(Word::usage).collect();
        if !forms.is_empty() {
            return error.help(format!("the vocabulary has {}", quoted(forms.iter().map(String::as_str).take(4))));
        }
        if let Some(help) = why_not_available(name).or_else(|| now_called(name)) {
            return error.help(help);
        }
        let scripts = known.functions.iter().map(|function| function.name.as_str());
        let callable = words().filter(|word| word.is_called()).map(|word| word.name);
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
    /// The sort of what its last link is asked of.
    owner: Option<Sort>,
    /// The sort of all of it.
    sort: Option<Sort>,
}

/// The names that are set again in statements, and in the closures that stand in them.
fn find_set_again(known: &Known<'_>, statements: &[Stmt], set_again: &mut SetAgain, depth: usize) {
    let mut closures = Vec::new();
    for statement in statements {
        statement.walk(&mut Vec::new(), &mut |path: &[ASTNode]| {
            match path.last() {
                Some(ASTNode::Stmt(Stmt::Assignment(parts))) => {
                    if let Expr::Variable(variable, ..) = &parts.1.lhs {
                        let names =
                            if parts.0.is_op_assignment() { &mut set_again.changed } else { &mut set_again.anew };
                        names.insert(variable.1.to_string());
                    }
                }
                Some(ASTNode::Expr(expression)) => closures.extend(closure(expression).map(|(name, ..)| name)),
                _ => {}
            }
            true
        });
    }
    if depth >= MAX_CLOSURES {
        return;
    }
    for name in closures {
        let mut named = known.bodies.range((name.clone(), 0)..=(name, usize::MAX));
        if let Some((_, body)) = named.next() {
            find_set_again(known, &body.statements, set_again, depth + 1);
        }
    }
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
