//! Type inference for expressions from tokens alone, which works in half-written code.
//!
//! Nothing is evaluated, so no hidden facts are revealed and inference is quick. `None` stands for an unknown type.

use super::code::{Code, FunctionSpan};
use super::context::{Context, Script};
use super::members::{ExprValue, Game, entries, entry_of, members, result, sort_of_zone};
use crate::script::sorts::Sort;
use crate::script::tokens::TokenKind;
use crate::script::vocabulary::{Form, words};
use crate::sorted::SortedMap;
use crate::table::value::Seats;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Most names followed from one to the next.
const MAX_FOLLOWED_NAMES: usize = 9;

/// A cache of inferred types of parameters: by function name, number of parameters, and index of the parameter.
pub(super) type Parameters = Mutex<SortedMap<(String, usize, usize), Option<ExprValue>>>;

/// A piece of code in the context of its rules.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    /// The declarations of the game.
    pub game: Game<'a>,
    /// The scripts of all layers.
    pub scripts: &'a [Script],
    pub code: &'a Code,
    /// The cache of inferred parameters.
    pub known: Option<&'a Parameters>,
}

/// A link of a member chain such as `p1.hand.sorted("number")[0]`.
#[derive(Debug, PartialEq)]
pub(super) struct Link {
    /// The index of the token of its name.
    pub token: usize,
    /// The number of arguments; `None` without a call.
    pub arguments: Option<usize>,
    /// The number of index brackets behind it.
    pub indexes: usize,
}

/// A local name of a function: a variable or a parameter.
pub(super) struct Local {
    /// The byte range of its declaration.
    pub declared: Range<usize>,
    /// The inferred type; `None` where it is unknown.
    pub value: Option<ExprValue>,
}

impl<'a> View<'a> {
    /// A view of a piece of code in a context.
    pub fn new(context: &'a Context, code: &'a Code, language: crate::definition::Language) -> Self {
        let game = Game { layout: &context.layout, ruleset: &context.ruleset, language };
        Self { game, scripts: &context.scripts, code, known: Some(&context.parameters) }
    }

    /// The type of the chain that ends before a token.
    pub fn value_before(self, end: usize) -> Option<ExprValue> {
        self.chain_value(end, MAX_FOLLOWED_NAMES).map(|(value, _)| value)
    }

    /// The local name visible at a token.
    pub fn local(self, name: &str, at: usize) -> Option<Local> {
        self.find_local(name, at, MAX_FOLLOWED_NAMES)
    }

    /// The local names visible at a token, the nearest first.
    pub fn locals(self, at: usize) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for token in (self.start_of_function(at)..at.min(self.code.tokens.len())).rev() {
            let name = self.code.word(token);
            if self.code.kind(token) == Some(TokenKind::Name)
                && self.declares(token)
                && !found.iter().any(|known| known == name)
            {
                found.push(name.to_owned());
            }
        }
        let parameters = self.function_around(at).into_iter().flat_map(|function| &function.parameters);
        found.extend(parameters.map(|(name, _)| name.clone()));
        found.dedup();
        found
    }

    /// The function that contains a token.
    pub fn function_around(self, token: usize) -> Option<&'a FunctionSpan> {
        self.code.functions.iter().find(|function| function.tokens.start <= token && token <= function.tokens.end)
    }

    fn start_of_function(self, token: usize) -> usize {
        self.function_around(token).map_or(0, |function| function.tokens.start)
    }

    /// Whether the name at a token is declared there.
    pub fn declares(self, token: usize) -> bool {
        let code = self.code;
        let in_pipes = |before: &str, after: &[&str]| {
            code.is_behind(token, before) && after.iter().any(|sign| code.is(token + 1, sign))
        };
        code.is_behind(token, "let")
            || code.is_behind(token, "const")
            || code.is_behind(token, "for")
            || code.is_behind(token, "(") && token >= 2 && code.is(token - 2, "for")
            || code.is_behind(token, ",") && code.is(token + 1, ")") && code.is(token + 2, "in")
            || in_pipes("|", &["|", ","]) && !self.is_value(token.wrapping_sub(2))
            || in_pipes(",", &["|"])
    }

    /// Whether a token ends a value, so that `|` behind it is an operator.
    fn is_value(self, token: usize) -> bool {
        match self.code.kind(token) {
            Some(TokenKind::Sign) => self.code.is(token, ")") || self.code.is(token, "]"),
            Some(TokenKind::Keyword) | None => false,
            Some(_) => true,
        }
    }

    fn find_local(self, name: &str, at: usize, steps: usize) -> Option<Local> {
        let code = self.code;
        let start = self.start_of_function(at);
        // A name is visible behind its declaration, and can also be looked up at the declaration itself.
        for token in (start..(at + 1).min(code.tokens.len())).rev() {
            if code.word(token) != name || code.kind(token) != Some(TokenKind::Name) || !self.declares(token) {
                continue;
            }
            let declared = code.tokens[token].span();
            return Some(Local { declared, value: self.declared_value(token, steps) });
        }
        let function = self.function_around(at)?;
        let position = function.parameters.iter().position(|(parameter, _)| parameter == name)?;
        let (_, declared) = &function.parameters[position];
        Some(Local { declared: declared.clone(), value: self.parameter(function, position, steps) })
    }

    /// The type of a local variable, from its declaration.
    fn declared_value(self, token: usize, steps: usize) -> Option<ExprValue> {
        let steps = steps.checked_sub(1)?;
        let code = self.code;
        let last = self.function_around(token).map_or(code.tokens.len(), |function| function.tokens.end);
        if code.is_behind(token, "let") || code.is_behind(token, "const") {
            let start = code.is(token + 1, "=").then_some(token + 2)?;
            return self.expression(start..self.end_of_expression(start, last, &[";"]), steps);
        }
        if let Some(keyword) = (token..(token + 5).min(last)).find(|&next| code.is(next, "in"))
            && !code.is_behind(token, "|")
        {
            if code.is_behind(token, ",") {
                return Some(ExprValue::Of(Sort::Number));
            }
            let list = self.expression(keyword + 1..self.end_of_expression(keyword + 1, last, &["{"]), steps)?;
            return element(&list);
        }
        // A parameter of a closure: an element of what the method around it iterates over.
        let mut pipe = token;
        while pipe > 0 && !code.is(pipe, "|") {
            pipe -= 1;
        }
        let (open, _) = code.call_around(pipe, self.start_of_function(token))?;
        let name = open.checked_sub(1)?;
        if code.is_behind(name, ".") && words().any(|word| word.form == Form::Callback && word.name == code.word(name))
        {
            return element(&self.chain_value(name - 1, steps)?.0);
        }
        // The options precede the closure among the arguments.
        let before = code.arguments(open, last).into_iter().rfind(|argument| argument.end <= pipe)?;
        element(&self.expression(before, steps)?)
    }

    /// The type of a parameter, from the first call whose argument has a known type.
    fn parameter(self, function: &FunctionSpan, position: usize, steps: usize) -> Option<ExprValue> {
        let key = (function.name.clone(), function.parameters.len(), position);
        let known = || self.known.map(|known| known.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(value) = known().and_then(|known| known.get(&key).cloned()) {
            return value;
        }
        let value = self.given(function, position, steps);
        // A type left unknown by the limit of steps is not cached.
        if (value.is_some() || steps + 1 >= MAX_FOLLOWED_NAMES)
            && let Some(mut known) = known()
        {
            known.insert(key, value.clone());
        }
        value
    }

    fn given(self, function: &FunctionSpan, position: usize, steps: usize) -> Option<ExprValue> {
        let steps = steps.checked_sub(1)?;
        let (name, count) = (&function.name, function.parameters.len());
        for script in self.scripts {
            let code = &script.code;
            for token in 0..code.tokens.len() {
                let is_call = code.word(token) == name
                    && code.is(token + 1, "(")
                    && !code.is_behind(token, ".")
                    && !code.is_behind(token, "fn");
                if !is_call {
                    continue;
                }
                let arguments = code.arguments(token + 1, code.tokens.len());
                let Some(argument) = arguments.get(position).filter(|_| arguments.len() == count) else { continue };
                // A recursive call that passes the parameter on gives no type.
                if let Some(value) = (View { code, ..self }).expression(argument.clone(), steps) {
                    return Some(value);
                }
            }
        }
        let definition = &self.game.layout.definition;
        if definition.zones.iter().any(|zone| [&zone.mark, &zone.note].into_iter().flatten().any(|marks| marks == name))
        {
            return Some(ExprValue::Of(Sort::Zone));
        }
        // By convention, `p` is a player.
        let (parameter, _) = function.parameters.get(position)?;
        (definition.standing.as_ref() == Some(name) || parameter == "p").then_some(ExprValue::Of(Sort::Player))
    }

    /// The result type of a script function, from its last expression or its first `return`.
    fn function_result(self, name: &str, count: usize, steps: usize) -> Option<ExprValue> {
        let steps = steps.checked_sub(1)?;
        let found = self.scripts.iter().rev().find_map(|script| {
            let function =
                script.code.functions.iter().find(|one| one.name == name && one.parameters.len() == count)?;
            Some((script, function))
        });
        let (script, function) = found?;
        let view = View { code: &script.code, ..self };
        let code = view.code;
        let open = (function.tokens.clone()).find(|&token| code.is(token, "{"))?;
        let close = function.tokens.end - usize::from(function.is_closed);
        let (mut depth, mut start) = (0_i32, open + 1);
        for token in open + 1..close {
            depth += code.bracket(token);
            if depth == 0 && (code.is(token, ";") || code.is(token, "}")) {
                start = token + 1;
            }
        }
        let start = if code.is(start, "return") { start + 1 } else { start };
        if start < close {
            return view.expression(start..close, steps);
        }
        let returns = function.tokens.clone().find(|&token| code.is(token, "return"))?;
        view.expression(returns + 1..view.end_of_expression(returns + 1, close, &[";"]), steps)
    }

    /// The end of an expression: the first of some signs outside of its brackets.
    fn end_of_expression(self, start: usize, last: usize, signs: &[&str]) -> usize {
        let mut depth = 0_i32;
        for token in start..last.min(self.code.tokens.len()) {
            if depth == 0 && signs.iter().any(|sign| self.code.is(token, sign)) {
                return token;
            }
            depth += self.code.bracket(token);
            if depth < 0 {
                return token;
            }
        }
        last.min(self.code.tokens.len())
    }

    fn expression(self, tokens: Range<usize>, steps: usize) -> Option<ExprValue> {
        let steps = steps.checked_sub(1)?;
        let code = self.code;
        let (start, end) = (tokens.start, tokens.end.min(code.tokens.len()));
        if start >= end || code.is(start, "if") || code.is(start, "switch") {
            return None;
        }
        let (mut depth, mut number, mut plus) = (0_i32, false, None);
        for token in start..end {
            let word = code.word(token);
            if depth == 0 && matches!(code.kind(token), Some(TokenKind::Sign | TokenKind::Keyword)) {
                match word {
                    "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" | "in" => {
                        return Some(ExprValue::Of(Sort::Truth));
                    }
                    ".." | "..=" => return Some(ExprValue::Of(Sort::Range)),
                    "*" | "/" | "%" => number = true,
                    "-" if token > start => number = true,
                    "+" if token > start => plus = plus.or(Some(token)),
                    _ => {}
                }
            }
            depth += code.bracket(token);
        }
        if let Some(plus) = plus {
            return Some(match self.expression(start..plus, steps)? {
                ExprValue::Of(Sort::Zone | Sort::Component) => ExprValue::Of(Sort::Components),
                other => other,
            });
        }
        if number || code.is(start, "-") {
            return Some(ExprValue::Of(Sort::Number));
        }
        let whole = |sort| (end == start + 1).then_some(ExprValue::Of(sort));
        match code.kind(start)? {
            TokenKind::Number => return whole(Sort::Number),
            TokenKind::Text => return whole(Sort::Text),
            TokenKind::Template => return Some(ExprValue::Of(Sort::Text)),
            TokenKind::Keyword if code.is(start, "true") || code.is(start, "false") => return whole(Sort::Truth),
            TokenKind::Sign if code.is(start, "!") => return Some(ExprValue::Of(Sort::Truth)),
            TokenKind::Sign if code.is(start, "[") && code.closing(start, end) + 1 == end => {
                return Some(ExprValue::Of(Sort::List));
            }
            TokenKind::Sign if code.is(start, "(") && code.closing(start, end) + 1 == end => {
                return self.expression(start + 1..end - 1, steps);
            }
            _ => {}
        }
        self.chain_value(end, steps).filter(|(_, first)| *first == start).map(|(value, _)| value)
    }

    /// The member chain that ends before a token, and the index of its first token.
    pub fn chain(self, end: usize) -> Option<(Vec<Link>, usize)> {
        let code = self.code;
        let mut at = end;
        let mut links = Vec::new();
        loop {
            let (mut arguments, mut indexes) = (None, 0);
            while at > 0 && (code.is(at - 1, ")") || code.is(at - 1, "]")) {
                let open = code.opening(at - 1)?;
                if code.is(at - 1, "]") {
                    indexes += 1;
                } else {
                    arguments = Some(code.arguments(open, at).len());
                }
                at = open;
            }
            let name = at.checked_sub(1)?;
            if !matches!(code.kind(name), Some(TokenKind::Name)) {
                return None;
            }
            links.push(Link { token: name, arguments, indexes });
            if !code.is_behind(name, ".") {
                links.reverse();
                return Some((links, name));
            }
            at = name - 1;
        }
    }

    fn chain_value(self, end: usize, steps: usize) -> Option<(ExprValue, usize)> {
        let (links, start) = self.chain(end)?;
        let mut links = links.iter();
        let first = links.next()?;
        let mut value = entries(self.root(first, steps)?, first.indexes)?;
        for link in links {
            let name = self.code.word(link.token);
            let is_called = link.arguments.is_some();
            let found = members(self.game, &value).into_iter().find(|member| {
                member.name == name && (!matches!(value, ExprValue::Of(_)) || member.text.contains('(') == is_called)
            })?;
            value = entries(found.sort?, link.indexes)?;
        }
        Some((value, start))
    }

    /// The type of the first link of a chain.
    fn root(self, link: &Link, steps: usize) -> Option<ExprValue> {
        let layout = self.game.layout;
        let name = self.code.word(link.token);
        if let Some(count) = link.arguments {
            let is_own = self.scripts.iter().any(|script| {
                script.code.functions.iter().any(|one| one.name == name && one.parameters.len() == count)
            });
            if is_own {
                return self.function_result(name, count, steps);
            }
            let word = words().find(|word| word.form == Form::Function && word.name == name)?;
            return result(word, &ExprValue::Of(Sort::Nothing));
        }
        if let Some(local) = link.token.checked_sub(1).and_then(|before| self.find_local(name, before, steps)) {
            return local.value;
        }
        self.global(name).or_else(|| {
            let is_seat = Seats::all(layout.seats).into_iter().any(|seat| seat.to_string() == name);
            is_seat.then_some(ExprValue::Of(Sort::Player))
        })
    }

    /// The type of a global name.
    pub fn global(self, name: &str) -> Option<ExprValue> {
        match name {
            "players" => Some(ExprValue::Of(Sort::Players)),
            "nobody" => Some(ExprValue::Of(Sort::Nobody)),
            "table" => Some(ExprValue::Table),
            "data" => Some(ExprValue::Data(Vec::new())),
            "settings" => Some(ExprValue::Settings),
            _ => {
                let zones = &self.game.layout.definition.zones;
                zones.iter().find(|zone| !zone.per_seat && zone.id == name).map(sort_of_zone)
            }
        }
    }
}

/// The type of the elements of an iterable value.
fn element(value: &ExprValue) -> Option<ExprValue> {
    match value {
        ExprValue::Of(Sort::Range) => Some(ExprValue::Of(Sort::Number)),
        other => entry_of(other),
    }
}
