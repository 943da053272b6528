//! Joins the scripts of all layers into one syntax tree: late binding and `super`.
//!
//! Every function is a place that a higher layer may override by defining a function of the same name and arity. The
//! highest definition keeps its name, so that calls from any layer reach it; each lower one is renamed while its layer
//! is parsed (`score` becomes `score__0`), and `super` inside a function becomes the name one layer down. A `private`
//! function overrides nothing and cannot be overridden: it gets a name that only calls in its own script are renamed
//! to. The result is one flat syntax tree. Each layer is parsed with the line numbers of the joined scripts, so
//! positions keep their file.

use crate::definition::{Edition, ScriptText};
use crate::diagnostic::{Diagnostic, Diagnostics, Help, Place, Source, did_you_mean};
use crate::ruleset::{Role, Ruleset, ScriptLayer, word_end};
use crate::script::codes;
use crate::script::masked_script;
use crate::script::parse_errors::{self, script_point};
use crate::script::sorts::Sort;
use crate::script::vocabulary::old::{OLD_NAMES, OldForm, OldName};
use crate::script::vocabulary::{Word, words, words_named};
use crate::table::event::ScriptPoint;
use crate::table::layout::Layout;
use crate::work::Work;
use rhai::{AST, Engine, EvalAltResult, Position, Scope, Token};
use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// Separates a function's name from the number of its layer; names in scripts cannot contain it.
pub const SEPARATOR: &str = "__";

/// The internal name of `_` in typed expressions: the value of the previous expression.
pub const LAST_VALUE: &str = "last__value";

/// A definition of a function in one layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionInfo {
    /// The name as written.
    pub name: String,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// Index of the script that defines the function.
    pub script: usize,
    /// Where the name is in the definition.
    pub at: ScriptPoint,
    /// Line of the closing brace, counted over the joined scripts.
    pub last_line: u16,
    /// The name in the flat tree.
    pub flat_name: String,
    /// Whether only the function's own script can call it.
    pub is_private: bool,
    /// Whether a call by name reaches this definition: it is that of the highest layer, and not private.
    pub is_highest: bool,
}

impl FunctionInfo {
    /// Whether a call of `name` reaches this definition, with the name as written or as in the flat tree.
    pub fn is_reached_by(&self, name: &str) -> bool {
        self.flat_name == name || self.is_highest && self.name == name
    }

    /// The `///` lines right above the function, in the ruleset that it belongs to.
    pub fn comment<'r>(&self, ruleset: &'r Ruleset) -> Vec<&'r str> {
        let Some(script) = ruleset.script_at(self.at) else { return Vec::new() };
        let before = usize::from(self.at.line).saturating_sub(script.lines_before + 1);
        comment_before(&script.script.text, before)
    }
}

/// The `///` lines right above the line of a script that has `before` lines above it.
fn comment_before(script: &str, before: usize) -> Vec<&str> {
    let lines: Vec<&str> = script.lines().take(before).collect();
    let count = lines.iter().rev().take_while(|line| line.trim_start().starts_with("///")).count();
    lines.into_iter().rev().take(count).rev().collect()
}

/// The head of a function for documentation: its name, parameters and comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionHead {
    /// The name.
    pub name: String,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// The text of the `///` lines right above the function, on one line.
    pub comment: String,
    /// Whether only the function's own script can call it.
    pub is_private: bool,
}

/// The scripts of a ruleset, joined into one syntax tree.
pub struct JoinedScripts {
    /// The flat syntax tree.
    pub ast: AST,
    /// Every function definition, lower layers first.
    pub functions: Vec<FunctionInfo>,
    /// Warnings about functions that replace those of another layer without calling `super`.
    pub warnings: Vec<Diagnostic>,
    /// The tokens of all scripts, in order.
    pub tokens: Vec<(Token, Position)>,
    /// Where scripts of an earlier edition use a word by its old name.
    pub old_names: Vec<(ScriptPoint, &'static OldName)>,
}

/// A change to the tokens of a script before they are parsed; `None` leaves them as they are.
pub type TokenRewrite = Option<fn(&mut [Token])>;

/// A tap on the tokens of an engine, which are collected or renamed on their way to the parser.
#[derive(Clone, Default)]
pub struct TokenTap(Rc<RefCell<TapState>>);

#[derive(Default)]
struct TapState {
    work: Arc<Work>,
    collecting: bool,
    tokens: Vec<(Token, Position)>,
    replaced: HashMap<Position, Token>,
}

impl TokenTap {
    /// A tap that ends the parsing when `work` is stopped.
    pub fn new(work: Arc<Work>) -> Self {
        Self(Rc::new(RefCell::new(TapState { work, ..TapState::default() })))
    }

    /// Installs the tap in the parser of an engine.
    pub fn install(&self, engine: &mut Engine) {
        let tap = self.0.clone();
        // Deprecated means volatile here: the pinned version of the interpreter has it.
        #[allow(deprecated)]
        engine.on_parse_token(move |token, position, _| {
            let mut tap = tap.borrow_mut();
            if tap.work.is_stopped() {
                return Token::EOF;
            }
            let replaced = tap.replaced.get(&position).cloned();
            if tap.collecting {
                tap.tokens.push((replaced.as_ref().unwrap_or(&token).clone(), position));
            }
            if let Some(other) = replaced {
                return other;
            }
            // While collecting, `super` passes as a name, so that the parser goes on.
            match token {
                Token::Reserved(word) if **word == *"super" => Token::Identifier(word),
                other => other,
            }
        });
    }
}

/// Parses every script of a ruleset and joins them.
///
/// # Errors
/// Everything that does not parse, and every misuse of names, of all layers at once.
pub fn join(
    engine: &Engine,
    tap: &TokenTap,
    ruleset: &Ruleset,
    layout: &Layout,
    rewrite: TokenRewrite,
) -> Result<JoinedScripts, Diagnostics> {
    let mut trouble = Vec::new();
    let mut scans = Vec::new();
    let padded: Vec<String> = ruleset.scripts.iter().map(|script| padded(script, &script.script.text)).collect();
    for (number, (script, text)) in ruleset.scripts.iter().zip(&padded).enumerate() {
        match scan(engine, tap, ruleset, (number, script.role), text) {
            Ok(scan) => scans.push(scan),
            Err(errors) => trouble.extend(errors),
        }
    }
    Diagnostics::refuse(std::mem::take(&mut trouble))?;
    let mut functions: Vec<FunctionInfo> = scans.iter().flat_map(|scan| scan.functions.clone()).collect();
    name_layers(&mut functions);
    let is_zone = |name: &str| ruleset.definition.zones.iter().any(|zone| !zone.per_seat && zone.id == name);
    let mut old_names = Vec::new();
    let mut replaced = HashMap::new();
    for function in &functions {
        replaced.insert(position_of(function.at), identifier(&function.flat_name));
    }
    for scan in &scans {
        for call in &scan.supers {
            match super_target(&functions, scan.script, call) {
                Some(target) => {
                    replaced.insert(call.at, identifier(&target));
                }
                None => trouble.push(no_super_error(ruleset, &functions, scan.script, call)),
            }
        }
        let renamed = renamed_for(&functions, scan.script);
        for (at, flat_name) in uses_of_renamed(&scan.tokens, &renamed, is_zone) {
            replaced.insert(at, identifier(flat_name));
        }
        let edition = ruleset.scripts[scan.script].edition;
        for (at, old) in old_names_in(&scan.tokens, edition, &functions, |name| layout.declares(name)) {
            if let Entry::Vacant(place) = replaced.entry(at) {
                place.insert(identifier(old.now));
                old_names.push((point_of(at), old));
            }
        }
        for (at, layer) in &scan.settings {
            replaced.insert(*at, identifier(&settings_name(*layer)));
        }
    }
    for (scan, rewrite) in scans.iter().flat_map(|scan| rewrite.map(|rewrite| (scan, rewrite))) {
        let written = scan.tokens.iter().map(|(token, at)| replaced.get(at).unwrap_or(token).clone());
        let written: Vec<Token> = written.collect();
        let mut turned = written.clone();
        rewrite(&mut turned);
        let changed = scan.tokens.iter().zip(written).zip(turned).filter(|((_, written), turned)| written != turned);
        replaced.extend(changed.map(|(((_, at), _), turned)| (*at, turned)));
    }
    let mut ast = AST::empty();
    {
        let mut tap = tap.0.borrow_mut();
        tap.collecting = false;
        tap.replaced = replaced;
    }
    for text in &padded {
        match engine.compile(text) {
            Ok(layer) => {
                ast.combine(layer);
            }
            Err(error) => trouble.push(parse_errors::from_parse_error(ruleset, &error, &[])),
        }
    }
    tap.0.borrow_mut().replaced.clear();
    Diagnostics::refuse(trouble)?;
    let warnings = overrides_without_super(ruleset, &functions, &scans);
    let tokens = scans.into_iter().flat_map(|scan| scan.tokens).collect();
    Ok(JoinedScripts { ast, functions, warnings, tokens, old_names })
}

/// The functions of the script with index `number`, each with its tokens as text, without blanks and comments. Over all
/// scripts, the functions come in the order of [`JoinedScripts::functions`].
///
/// # Errors
/// Every syntax error and misuse of names in the script.
pub fn words_of_functions(
    engine: &Engine,
    tap: &TokenTap,
    ruleset: &Ruleset,
    number: usize,
) -> Result<Vec<(FunctionInfo, Vec<String>)>, Diagnostics> {
    let Some(script) = ruleset.scripts.get(number) else { return Ok(Vec::new()) };
    let text = padded(script, &script.script.text);
    let ScriptScan { functions, spans, tokens, .. } = scan(engine, tap, ruleset, (number, script.role), &text)?;
    let words = spans.into_iter().map(|span| {
        let tokens = tokens.get(span).unwrap_or_default();
        tokens.iter().map(|(token, _)| word(token)).collect()
    });
    Ok(functions.into_iter().zip(words).collect())
}

/// A token as text that differs from the text of every other token.
fn word(token: &Token) -> String {
    match token {
        Token::StringConstant(text) => format!("\"{text}"),
        Token::InterpolatedString(text) => format!("`{text}"),
        Token::CharConstant(letter) => format!("'{letter}"),
        other => other.to_string(),
    }
}

/// Compiles an expression that a person typed, which can call `functions`. `_` is the value of the previous expression;
/// `settings` are those of the layer that `settings_of` gives for a key.
///
/// # Errors
/// The expression does not parse.
pub fn compile_typed(
    engine: &Engine,
    tap: &TokenTap,
    scope: &Scope<'_>,
    text: &str,
    functions: &[FunctionInfo],
    settings_of: impl Fn(&str) -> Option<usize>,
    rewrite: TokenRewrite,
) -> Result<AST, Box<EvalAltResult>> {
    tap.0.borrow_mut().replaced = typed_names(engine, text, functions, settings_of);
    let (parsed, tokens) = collect(tap, || engine.compile_with_scope(scope, text));
    if let Err(error) = parsed {
        tap.0.borrow_mut().replaced.clear();
        return Err(error.into());
    }
    if let Some(rewrite) = rewrite {
        let mut turned: Vec<Token> = tokens.iter().map(|(token, _)| token.clone()).collect();
        rewrite(&mut turned);
        let changed = tokens.into_iter().zip(turned).filter(|((written, _), turned)| written != turned);
        tap.0.borrow_mut().replaced.extend(changed.map(|((_, at), turned)| (at, turned)));
    }
    let compiled = engine.compile_with_scope(scope, text);
    tap.0.borrow_mut().replaced.clear();
    Ok(compiled?)
}

/// The tokens that replace `_`, `settings`, and functions with the name of a word in a typed expression, by position.
fn typed_names(
    engine: &Engine,
    text: &str,
    functions: &[FunctionInfo],
    settings_of: impl Fn(&str) -> Option<usize>,
) -> HashMap<Position, Token> {
    // The lexer repeats the end token without end.
    let tokens: Vec<(Token, Position)> = engine.lex(&[text]).0.take_while(|(token, _)| *token != Token::EOF).collect();
    let renamed: Vec<&FunctionInfo> =
        functions.iter().filter(|function| function.is_highest && function.flat_name != function.name).collect();
    let uses = uses_of_renamed(&tokens, &renamed, |_| false);
    let mut names: HashMap<Position, Token> = uses.into_iter().map(|(at, name)| (at, identifier(name))).collect();
    for (index, (token, at)) in tokens.iter().enumerate() {
        let next = |ahead: usize| tokens.get(index + ahead).map(|(token, _)| token);
        match (token, next(1), next(2)) {
            // The last case of a `switch`.
            (Token::Underscore, Some(Token::DoubleArrow), _) => {}
            (Token::Underscore, ..) => {
                names.insert(*at, identifier(LAST_VALUE));
            }
            (Token::Identifier(name), Some(Token::Period), Some(Token::Identifier(key))) if **name == *"settings" => {
                names.extend(settings_of(key).map(|layer| (*at, identifier(&settings_name(layer)))));
            }
            _ => {}
        }
    }
    names
}

/// The internal name of the `settings` of a layer, by the index of the layer in the ruleset.
pub fn settings_name(layer: usize) -> String {
    format!("settings{SEPARATOR}{layer}")
}

/// The name of a function as its author wrote it, from its name in the flat tree.
pub fn written_name(flat: &str) -> &str {
    flat.split_once(SEPARATOR).map_or(flat, |(name, _)| name)
}

/// The findings of one pass over the tokens of a script.
struct ScriptScan {
    script: usize,
    functions: Vec<FunctionInfo>,
    /// For each function, the range of its tokens from `fn` to its closing brace.
    spans: Vec<Range<usize>>,
    supers: Vec<SuperCall>,
    settings: Vec<(Position, usize)>,
    tokens: Vec<(Token, Position)>,
}

struct SuperCall {
    at: Position,
    name: String,
    arity: usize,
}

fn scan(
    engine: &Engine,
    tap: &TokenTap,
    ruleset: &Ruleset,
    (number, role): (usize, Role),
    text: &str,
) -> Result<ScriptScan, Diagnostics> {
    if let Some(layer) = ruleset.scripts.get(number) {
        refuse_lexical_errors(&layer.script)?;
    }
    let (parsed, tokens) = collect(tap, || engine.compile(text));
    let ast = parsed.map_err(|error| parse_errors::from_parse_error(ruleset, &error, &tokens))?;
    if let Some(statement) = ast.statements().first() {
        let place = ruleset.place(point_of(statement.position()), "outside any function");
        let is_fixed =
            tokens.iter().any(|(token, at)| *at == statement.position() && matches!(token, Token::Const | Token::Let));
        let help = match is_fixed {
            true => {
                "put a number of the rulebook into `[data]` of the TOML file, and read it as `data.NAME`; put one that \
                 people may set into `[settings]`"
            }
            false => "put this into a function; the host calls `game()`",
        };
        let error = Diagnostic::new("a rules script contains only functions").help(help).with_code(codes::SYNTAX);
        return Err(error.at_maybe(place).into());
    }
    scan_tokens(ruleset, number, role, &tokens)
}

/// Refuses mistakes that the parser does not report.
fn refuse_lexical_errors(ScriptText { text, source, start, .. }: &ScriptText) -> Result<(), Diagnostics> {
    let misread = masked_script::lexical_errors(text, source, *start).into_iter();
    Diagnostics::refuse(misread.map(|error| error.with_code(codes::SYNTAX)).collect())
}

/// Checks that a script outside any ruleset parses.
///
/// # Errors
/// The script does not parse.
pub fn check_syntax(engine: &Engine, tap: &TokenTap, script: &ScriptText) -> Result<(), Diagnostics> {
    refuse_lexical_errors(script)?;
    let (parsed, tokens) = collect(tap, || engine.compile(&script.text));
    let place = |at: ScriptPoint, label: &str| {
        let place = script.place(usize::from(at.line), usize::from(at.column).max(1), label);
        Some(Place { span: place.span.start..word_end(&place.source.text, place.span.start), ..place })
    };
    parsed.map(drop).map_err(|error| parse_errors::in_script(&error, &tokens, &place, |_| script.start).into())
}

/// Whether two scripts give the parser the same tokens: they differ only in blanks and comments.
pub fn has_same_tokens(engine: &Engine, tap: &TokenTap, one: &str, other: &str) -> bool {
    let tokens = |script: &str| {
        let (_, tokens) = collect(tap, || engine.compile(script));
        // `( )` is `()`.
        let tokens = tokens.into_iter().flat_map(|(token, _)| match token {
            Token::Unit => vec![Token::LeftParen, Token::RightParen],
            other => vec![other],
        });
        tokens.collect::<Vec<_>>()
    };
    tokens(one) == tokens(other)
}

/// Runs `parse`, and returns its result with the tokens that the parser read.
fn collect<T>(tap: &TokenTap, parse: impl FnOnce() -> T) -> (T, Vec<(Token, Position)>) {
    {
        let mut tap = tap.0.borrow_mut();
        tap.collecting = true;
        tap.tokens.clear();
    }
    let parsed = parse();
    let mut tap = tap.0.borrow_mut();
    tap.collecting = false;
    (parsed, std::mem::take(&mut tap.tokens))
}

/// Finds definitions, `super`, `settings` and forbidden names in one pass over the tokens of a script.
fn scan_tokens(
    ruleset: &Ruleset,
    number: usize,
    role: Role,
    tokens: &[(Token, Position)],
) -> Result<ScriptScan, Diagnostics> {
    let mut scan = ScriptScan {
        script: number,
        functions: Vec::new(),
        spans: Vec::new(),
        supers: Vec::new(),
        settings: Vec::new(),
        tokens: tokens.to_vec(),
    };
    let mut trouble = Vec::new();
    let mut current: Option<usize> = None;
    let mut depth = 0_usize;
    let mut header = false;
    for (index, (token, position)) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &tokens[before].0);
        match token {
            Token::Fn => header = true,
            Token::Identifier(name) if header && matches!(before, Some(Token::Fn)) => {
                let parameters = parameters_after(&tokens[index + 1..]);
                scan.functions.push(FunctionInfo {
                    name: name.to_string(),
                    parameters,
                    script: number,
                    at: point_of(*position),
                    last_line: 0,
                    flat_name: name.to_string(),
                    is_highest: false,
                    is_private: matches!(index.checked_sub(2).map(|before| &tokens[before].0), Some(Token::Private)),
                });
                scan.spans.push(index - 1..index + 1);
                current = Some(scan.functions.len() - 1);
            }
            // `${` of an interpolated string counts as an opening brace too.
            Token::LeftBrace | Token::MapStart | Token::InterpolatedString(_) => {
                if matches!(token, Token::LeftBrace | Token::MapStart) {
                    depth += 1;
                }
                header = false;
            }
            Token::RightBrace => {
                depth = depth.saturating_sub(1);
                if depth == 0
                    && let Some(function) = current.take()
                {
                    scan.functions[function].last_line = position.line().unwrap_or(0) as u16;
                    scan.spans[function].end = index + 1;
                }
            }
            Token::Reserved(word) if **word == *"super" => {
                let called = matches!(tokens.get(index + 1), Some((Token::LeftParen | Token::Unit, _)));
                let method = matches!(before, Some(Token::Period));
                match current.filter(|_| called && !method) {
                    Some(function) if scan.functions[function].is_private => {
                        let place = ruleset.place(point_of(*position), "in a private function");
                        let name = &scan.functions[function].name;
                        let error = Diagnostic::new(format!("`{name}` is private, so it cannot override a function"))
                            .help("leave `private` out to override the function of the layer below")
                            .with_code(codes::WRONG_SUPER);
                        trouble.push(error.at_maybe(place));
                    }
                    Some(function) => scan.supers.push(SuperCall {
                        at: *position,
                        name: scan.functions[function].name.clone(),
                        arity: scan.functions[function].parameters.len(),
                    }),
                    None => {
                        let place = ruleset.place(point_of(*position), "not a call inside a function");
                        let error = Diagnostic::new("`super` can only be called: `super(…)`")
                            .help("it calls the definition that the function around it has in the layer below")
                            .with_code(codes::WRONG_SUPER);
                        trouble.push(error.at_maybe(place));
                    }
                }
            }
            _ => {}
        }
        if let Token::Identifier(name) = token {
            if name.contains(SEPARATOR) {
                let place = ruleset.place(point_of(*position), "this name");
                let error = Diagnostic::new(format!("`{name}` has a double underscore"))
                    .help("names with `__` belong to the host; use a single one")
                    .with_code(codes::RESERVED_NAME);
                trouble.push(error.at_maybe(place));
            }
            if name.as_str() == "settings" && !matches!(before, Some(Token::Period)) {
                match role {
                    Role::Base(number) => scan.settings.push((*position, number)),
                    Role::Game => scan.settings.push((*position, ruleset.game_number())),
                    Role::Variant(variant) => scan.settings.push((*position, ruleset.game_number() + 1 + variant)),
                    Role::Library => {
                        let place = ruleset.place(point_of(*position), "in a library");
                        let error = Diagnostic::new("a library has no settings of its own")
                            .help("let the game or variant that uses it pass the value as an argument")
                            .with_code(codes::RESERVED_NAME);
                        trouble.push(error.at_maybe(place));
                    }
                }
            }
        }
    }
    Diagnostics::refuse(trouble)?;
    Ok(scan)
}

/// The functions of a script outside any ruleset, as far as it parses.
pub fn function_heads(engine: &Engine, tap: &TokenTap, script: &str) -> Vec<FunctionHead> {
    // A script that does not parse gives the tokens before the error.
    let (_, tokens) = collect(tap, || engine.compile(script));
    let head = |at: usize| {
        let (Token::Identifier(name), position) = tokens.get(at)? else { return None };
        let before = |count: usize| at.checked_sub(count).and_then(|at| tokens.get(at)).map(|(token, _)| token);
        let lines = comment_before(script, position.line()?.saturating_sub(1));
        let words = lines.into_iter().map(|line| line.trim().trim_start_matches('/').trim());
        matches!(before(1), Some(Token::Fn)).then(|| FunctionHead {
            name: name.to_string(),
            parameters: parameters_after(tokens.get(at + 1..).unwrap_or_default()),
            comment: words.collect::<Vec<_>>().join(" "),
            is_private: matches!(before(2), Some(Token::Private)),
        })
    };
    (0..tokens.len()).filter_map(head).collect()
}

fn identifier(name: &str) -> Token {
    Token::Identifier(Box::new(name.into()))
}

fn parameters_after(tokens: &[(Token, Position)]) -> Vec<String> {
    // `()` is one token of its own.
    if matches!(tokens.first(), Some((Token::Unit, _))) {
        return Vec::new();
    }
    tokens
        .iter()
        .take_while(|(token, _)| !matches!(token, Token::RightParen))
        .filter_map(|(token, _)| match token {
            Token::Identifier(name) => Some(name.to_string()),
            _ => None,
        })
        .collect()
}

/// Whether a word of the vocabulary is called by this name. Where both could be meant, a function of a script is
/// preferred to a word, so that a new word takes no function away: `at(x, y)` is the function, `board.at(x, y)` the
/// word.
fn is_word(name: &str) -> bool {
    words_named(name).any(Word::is_called)
}

/// The functions whose uses in a script are renamed: its own private ones, and those with the name of a word. A layer
/// below every definition of such a function means the word.
fn renamed_for(functions: &[FunctionInfo], script: usize) -> Vec<&FunctionInfo> {
    let is_defined_for = |function: &FunctionInfo| {
        let mut same = functions.iter().filter(|other| !other.is_private && other.name == function.name);
        same.any(|other| other.parameters.len() == function.parameters.len() && other.script <= script)
    };
    let is_renamed = |function: &&FunctionInfo| match function.is_private {
        true => function.script == script,
        false => function.is_highest && function.flat_name != function.name && is_defined_for(function),
    };
    // A private function is preferred to one that all layers share.
    let (private, shared): (Vec<_>, Vec<_>) =
        functions.iter().filter(is_renamed).partition(|function| function.is_private);
    private.into_iter().chain(shared).collect()
}

/// The uses of renamed functions in a script: calls with the right number of arguments, and names passed to a word. A
/// name that `is_zone` knows is a zone where it stands alone.
fn uses_of_renamed<'f>(
    tokens: &[(Token, Position)],
    renamed: &[&'f FunctionInfo],
    is_zone: impl Fn(&str) -> bool,
) -> Vec<(Position, &'f str)> {
    let mut uses = Vec::new();
    for (index, (token, at)) in tokens.iter().enumerate() {
        let Token::Identifier(name) = token else { continue };
        let before = index.checked_sub(1).map(|before| &tokens[before].0);
        // `p.name` is a property, and `let name`, `|name|` and `fn f(name)` begin a name of their own.
        if matches!(before, Some(Token::Period | Token::Fn | Token::Let | Token::Const)) {
            continue;
        }
        let rest = &tokens[index + 1..];
        let is_handed = matches!(before, Some(Token::LeftParen | Token::Comma))
            && matches!(rest.first(), Some((Token::RightParen | Token::Comma, _)))
            && !is_zone(name);
        let arguments = arguments_of(rest);
        let found = renamed.iter().find(|function| {
            let fits = match arguments {
                Some(count) => function.parameters.len() == count,
                None => is_handed && !function.parameters.is_empty(),
            };
            function.name == name.as_str() && fits
        });
        // A local name hides the function, as everywhere.
        if let Some(function) = found
            && (arguments.is_some() || !is_own_name(&tokens[..index], name))
        {
            uses.push((*at, function.flat_name.as_str()));
        }
    }
    uses
}

/// Where a script of an earlier edition uses a word by its old name. A name that the definition declares or a script
/// defines is preferred to the word.
fn old_names_in(
    tokens: &[(Token, Position)],
    edition: Edition,
    functions: &[FunctionInfo],
    is_declared: impl Fn(&str) -> bool,
) -> Vec<(Position, &'static OldName)> {
    let is_text = |name: &str| {
        tokens.iter().any(|(token, _)| matches!(token, Token::StringConstant(text) if text.as_str() == name))
    };
    let mut found = Vec::new();
    for (index, (token, at)) in tokens.iter().enumerate() {
        let Token::Identifier(name) = token else { continue };
        let is_method = matches!(index.checked_sub(1).map(|before| &tokens[before].0), Some(Token::Period));
        let arguments = arguments_of(&tokens[index + 1..]);
        let form = match (arguments, is_method) {
            (None, true) if !is_declared(name) && !is_text(name) => OldForm::Property,
            (Some(count), true) => OldForm::Called(count),
            // A function call has the receiver as the first argument.
            (Some(count), false) if count > 0 => {
                if functions.iter().any(|function| function.name == name.as_str() && function.parameters.len() == count)
                {
                    continue;
                }
                OldForm::Called(count - 1)
            }
            _ => continue,
        };
        let old = OLD_NAMES.iter().find(|old| old.name == name.as_str() && old.form == form && edition < old.since);
        found.extend(old.map(|old| (*at, old)));
    }
    found
}

/// The byte ranges where an expression of an earlier edition uses a word by its old name.
pub fn old_names_of_expression(engine: &Engine, text: &str, edition: Edition) -> Vec<(Range<usize>, &'static OldName)> {
    let tokens: Vec<(Token, Position)> = engine.lex(&[text]).0.take_while(|(token, _)| *token != Token::EOF).collect();
    let source = Source::new("", text);
    // The declarations of the rules are unknown here, so any property may be one of them.
    let found = old_names_in(&tokens, edition, &[], |_| true).into_iter();
    found
        .map(|(at, old)| {
            let point = point_of(at);
            let start = source.offset(usize::from(point.line), usize::from(point.column));
            (start..start + old.name.len(), old)
        })
        .collect()
}

/// Number of arguments of the call whose parentheses begin here; `None` if this is no call.
fn arguments_of(tokens: &[(Token, Position)]) -> Option<usize> {
    match tokens.first()?.0 {
        Token::Unit => return Some(0),
        Token::LeftParen => {}
        _ => return None,
    }
    let (mut depth, mut commas, mut is_empty) = (0_usize, 0, true);
    for (token, _) in tokens {
        match token {
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace | Token::MapStart => depth += 1,
            Token::RightParen | Token::RightBracket | Token::RightBrace => depth = depth.saturating_sub(1),
            Token::Comma if depth == 1 => commas += 1,
            _ => {}
        }
        match depth {
            0 if is_empty => return Some(0),
            0 => return Some(commas + 1),
            _ => is_empty &= *token == Token::LeftParen && depth == 1,
        }
    }
    None
}

/// Whether the function at the end of these tokens has a parameter or variable called `name`.
fn is_own_name(tokens: &[(Token, Position)], name: &str) -> bool {
    let start = tokens.iter().rposition(|(token, _)| *token == Token::Fn).unwrap_or(0);
    tokens[start..].windows(2).any(|pair| match pair {
        [(before, _), (Token::Identifier(own), _)] => {
            own.as_str() == name && matches!(before, Token::Let | Token::Const | Token::For | Token::Pipe)
        }
        _ => false,
    }) || parameters_after(tokens.get(start + 2..).unwrap_or_default()).iter().any(|own| own == name)
}

/// Gives every function its name in the flat tree. The highest definition keeps its name, unless a word has the same;
/// those below are numbered from the lowest. A private function gets the number of its script.
fn name_layers(functions: &mut [FunctionInfo]) {
    let mut definitions: BTreeMap<(String, usize), Vec<usize>> = BTreeMap::new();
    for (index, function) in functions.iter_mut().enumerate() {
        if function.is_private {
            function.flat_name = format!("{}{SEPARATOR}private{}", function.name, function.script);
            continue;
        }
        definitions.entry((function.name.clone(), function.parameters.len())).or_default().push(index);
    }
    for indexes in definitions.values() {
        for (rank, &index) in indexes.iter().enumerate() {
            let function = &mut functions[index];
            function.is_highest = rank + 1 == indexes.len();
            if !function.is_highest {
                function.flat_name = format!("{}{SEPARATOR}{rank}", function.name);
            } else if is_word(&function.name) {
                function.flat_name = format!("{}{SEPARATOR}own", function.name);
            }
        }
    }
}

fn super_target(functions: &[FunctionInfo], script: usize, call: &SuperCall) -> Option<String> {
    let below = functions.iter().rfind(|function| {
        !function.is_private
            && function.name == call.name
            && function.parameters.len() == call.arity
            && function.script < script
    });
    below.map(|function| function.flat_name.clone())
}

fn no_super_error(ruleset: &Ruleset, functions: &[FunctionInfo], script: usize, call: &SuperCall) -> Diagnostic {
    let place = ruleset.place(point_of(call.at), "nothing below to call");
    let counted = match call.arity {
        0 => "without arguments".to_owned(),
        1 => "with one argument".to_owned(),
        more => format!("with {more} arguments"),
    };
    let message = format!("no layer below defines `{}` {counted}", call.name);
    let error = Diagnostic::new(message).at_maybe(place).with_code(codes::WRONG_SUPER);
    let below = || functions.iter().filter(|function| function.script < script && !function.is_private);
    if let Some(other) = below().find(|function| function.name == call.name) {
        return error
            .help(format!("below, it is `{}({})`", other.name, other.parameters.join(", ")))
            .related_maybe(ruleset.place(other.at, "this one has other parameters"));
    }
    // Functions with as many parameters first: one of them was most likely meant.
    let same_arity = below().filter(|function| function.parameters.len() == call.arity);
    let near = did_you_mean(&call.name, same_arity.map(|function| function.name.as_str()))
        .or_else(|| did_you_mean(&call.name, below().map(|function| function.name.as_str())));
    match near {
        Some(near) => error.help(near),
        None => error.help("`super` needs a lower definition with the same name and number of parameters"),
    }
}

/// Warnings about functions that two variants or two libraries define, the upper one without `super`, so that the lower
/// one has no effect.
fn overrides_without_super(ruleset: &Ruleset, functions: &[FunctionInfo], scans: &[ScriptScan]) -> Vec<Diagnostic> {
    let are_rivals = |upper: usize, lower: usize| {
        let roles = [upper, lower].map(|script| ruleset.scripts[script].role);
        matches!(roles, [Role::Variant(_), Role::Variant(_)] | [Role::Library, Role::Library])
    };
    let mut warnings = Vec::new();
    for upper in functions.iter().filter(|function| !function.is_private) {
        let lower = functions.iter().rev().find(|lower| {
            !lower.is_private
                && lower.name == upper.name
                && lower.parameters.len() == upper.parameters.len()
                && lower.script < upper.script
                && are_rivals(upper.script, lower.script)
        });
        let Some(lower) = lower else { continue };
        let calls_super = scans
            .iter()
            .filter(|scan| scan.script == upper.script)
            .any(|scan| scan.supers.iter().any(|call| call.name == upper.name && call.arity == upper.parameters.len()));
        if calls_super {
            continue;
        }
        let (above, below) = (&ruleset.scripts[upper.script].id, &ruleset.scripts[lower.script].id);
        let warning = Diagnostic::new(format!("{above} replaces `{}` of {below} without calling `super`", upper.name))
            .help(format!("{below}'s rule has no effect here; call `super` or leave one of the two out"))
            .with_code(codes::LOST_RULE)
            .at_maybe(ruleset.place(upper.at, "this definition wins"))
            .related_maybe(ruleset.place(lower.at, "and this one is never reached"));
        warnings.push(warning);
    }
    warnings
}

/// The text of a script after as many empty lines as the joined scripts have before it.
fn padded(script: &ScriptLayer, text: &str) -> String {
    let mut padded = "\n".repeat(script.lines_before);
    padded.push_str(text);
    padded
}

fn point_of(position: Position) -> ScriptPoint {
    script_point(position)
}

fn position_of(point: ScriptPoint) -> Position {
    Position::new(point.line, point.column)
}

/// A hint with the nearest name among the functions of the scripts and the words whose first value can have the sort
/// `first`; `None` where none is near.
pub fn nearest_function(functions: &[FunctionInfo], name: &str, first: Option<Sort>) -> Option<Help> {
    let is_meant = |word: &&Word| first.is_none_or(|sort| word.receivers.is_empty() || sort.has(word.name));
    let words = words().filter(is_meant).map(|word| word.name);
    did_you_mean(name, functions.iter().map(|function| function.name.as_str()).chain(words))
}
