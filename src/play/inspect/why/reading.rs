//! Reads scripts for explanations: the open question, the expressions of a function, the calls in an expression.

use crate::script::program::{
    Block, Call, Callee, Expr, ExprKind, FunctionValue, Global, Part, Slot, Statement, StatementKind, WordCall,
};
use crate::table::event::ScriptPoint;

/// The words that ask a player.
const PROMPT_WORDS: [&str; 7] =
    ["choose", "choose_secretly", "choose_some", "choose_within", "first_to", "next_to_act", "may"];

/// The expression of a question's options, and the function that refuses options.
pub(super) fn pieces(question: &WordCall) -> (Option<&Expr>, Option<&FunctionValue>) {
    let arguments = &question.arguments;
    let options = match (&*question.name, arguments.len()) {
        // `next_to_act` has an optional prompt before the players, and an optional time after them.
        ("next_to_act", 3) => arguments.get(1),
        ("next_to_act", _) => arguments.iter().find(|argument| !matches!(argument.kind, ExprKind::Text(_))),
        // Players come first, and the options are yes and no.
        ("first_to", _) => None,
        // All others begin with a player and a prompt.
        _ => arguments.get(2),
    };
    let refuses = arguments.iter().skip(3).find_map(|argument| match &argument.kind {
        ExprKind::Function(function) => Some(&**function),
        _ => None,
    });
    (options, refuses)
}

/// Finds the question asked at a point. The parameters of the closures around it are added to `known`.
pub(super) fn find_question<'p>(block: &'p Block, at: ScriptPoint, known: &mut Vec<Slot>) -> Option<&'p WordCall> {
    block.0.iter().find_map(|statement| {
        let mut parts = Vec::new();
        statement.parts(&mut |part| parts.push(part));
        parts.into_iter().find_map(|part| find_in_part(part, at, known))
    })
}

fn find_in_part<'p>(part: Part<'p>, at: ScriptPoint, known: &mut Vec<Slot>) -> Option<&'p WordCall> {
    let expression = match part {
        Part::Block(block) => return find_question(block, at, known),
        Part::Expr(expression) => expression,
    };
    if let ExprKind::Word(word) = &expression.kind
        && expression.at == at
        && PROMPT_WORDS.contains(&&*word.name)
    {
        return Some(word);
    }
    let mut parts = Vec::new();
    expression.parts(&mut |part| parts.push(part));
    let found = parts.into_iter().find_map(|part| find_in_part(part, at, known))?;
    if let ExprKind::Function(function) = &expression.kind
        && let FunctionValue::Closure(parameters, _) = &**function
    {
        known.extend_from_slice(parameters);
    }
    Some(found)
}

/// The only expression of a function's body; `None` where it has more or none.
pub(super) fn only(body: &Block) -> Option<&Expr> {
    match body.0.as_slice() {
        [Statement { kind: StatementKind::Expr(only) | StatementKind::Return(Some(only)), .. }] => Some(only),
        [Statement { kind: StatementKind::Block(inner), .. }] => self::only(inner),
        _ => None,
    }
}

/// The expressions of statements in order, each with the variable it initialises; expressions with side effects are
/// skipped.
pub(super) fn statements<'p>(list: &'p [Statement], found: &mut Vec<(Option<Slot>, &'p Expr)>) {
    for statement in list {
        match &statement.kind {
            StatementKind::Let(slot, value) => piece(Some(*slot), value, found),
            StatementKind::Expr(value) | StatementKind::Return(Some(value)) => piece(None, value, found),
            StatementKind::If(condition, then, otherwise) => {
                piece(None, condition, found);
                statements(&then.0, found);
                statements(&otherwise.0, found);
            }
            StatementKind::Switch(switch) => {
                piece(None, &switch.value, found);
                switch.cases.iter().for_each(|case| piece(None, &case.value, found));
                switch.default.iter().for_each(|default| piece(None, default, found));
            }
            StatementKind::For(parts) => piece(None, &parts.list, found),
            StatementKind::Set { value, .. } => piece(None, value, found),
            StatementKind::Block(block) => statements(&block.0, found),
            _ => {}
        }
    }
}

fn piece<'p>(slot: Option<Slot>, expression: &'p Expr, found: &mut Vec<(Option<Slot>, &'p Expr)>) {
    if let ExprKind::Block(block) = &expression.kind {
        statements(&block.0, found);
    }
    if slot.is_some() || !matches!(expression.kind, ExprKind::Block(_)) {
        found.push((slot, expression));
    }
}

/// The variables that are reassigned after their declaration.
pub(super) fn changed_names(block: &Block) -> Vec<Slot> {
    let mut changed = Vec::new();
    block.walk(&mut |piece| changed.extend(piece.sets().map(|(slot, _)| slot)));
    changed
}

/// The innermost object of a chain (of `p.hand.first`, `p`); index expressions on the way are added to `links`.
fn root<'p>(expression: &'p Expr, links: &mut Vec<&'p Expr>) -> &'p Expr {
    let of = match &expression.kind {
        ExprKind::Property(of, _) => of,
        ExprKind::Index(of, index) => {
            let end = root(of, links);
            links.push(index);
            return end;
        }
        ExprKind::Word(WordCall { arguments, form: Callee::Method, .. }) => match arguments.as_slice() {
            [of, given @ ..] => {
                let end = root(of, links);
                links.extend(given);
                return end;
            }
            [] => return expression,
        },
        _ => return expression,
    };
    root(of, links)
}

/// The informative parts of an expression: names, chains and calls. Closures are left out, because they are followed
/// with the values passed to them.
pub(super) fn informative_parts<'p>(expression: &'p Expr, found: &mut Vec<&'p Expr>) {
    match &expression.kind {
        ExprKind::Local(_) | ExprKind::Global(Global::Players | Global::Table | Global::Zone(_)) => {
            found.push(expression)
        }
        ExprKind::Property(..) | ExprKind::Index(..) | ExprKind::Word(WordCall { form: Callee::Method, .. }) => {
            found.push(expression);
            let mut links = Vec::new();
            informative_parts(root(expression, &mut links), found);
            links.into_iter().for_each(|link| informative_parts(link, found));
        }
        ExprKind::Call(_) | ExprKind::Word(_) => {
            found.push(expression);
            directly_in(expression).into_iter().for_each(|inner| informative_parts(inner, found));
        }
        ExprKind::Function(_) | ExprKind::Block(_) => {}
        _ => directly_in(expression).into_iter().for_each(|inner| informative_parts(inner, found)),
    }
}

/// The script functions that an expression calls directly, not within the arguments of other calls.
pub(super) fn called<'p>(expression: &'p Expr, found: &mut Vec<&'p Call>) {
    match &expression.kind {
        ExprKind::Call(call) => found.push(call),
        ExprKind::Function(_) | ExprKind::Block(_) => {}
        _ => directly_in(expression).into_iter().for_each(|inner| called(inner, found)),
    }
}

/// The words in an expression that take a closure, each with the list it goes through.
pub(super) fn with_functions<'p>(expression: &'p Expr, found: &mut Vec<(&'p WordCall, &'p Expr, &'p FunctionValue)>) {
    if let ExprKind::Word(word) = &expression.kind
        && let [list, Expr { kind: ExprKind::Function(function), .. }] = word.arguments.as_slice()
    {
        found.push((word, list, function));
    }
    match &expression.kind {
        ExprKind::Function(_) | ExprKind::Block(_) => {}
        _ => directly_in(expression).into_iter().for_each(|inner| with_functions(inner, found)),
    }
}

/// The direct subexpressions of an expression.
fn directly_in(expression: &Expr) -> Vec<&Expr> {
    let mut inner = Vec::new();
    expression.parts(&mut |part| {
        if let Part::Expr(expression) = part {
            inner.push(expression);
        }
    });
    inner
}
