//! What is found in the parser's tree: the bodies of functions, closures, and where the text of a node begins. What it
//! means in a program is not known here.

use crate::sorted::SortedMap;
use crate::work::Work;
use rhai::{AST, ASTNode, Expr as Node, FnCallExpr, FnPtr, Position, Stmt};

/// Maximum number of tree nodes to walk in search of the statements of functions. A script has fewer nodes than bytes,
/// but the walk visits the result of a case once for each of its values, and multiplies that for nested cases.
const MAX_WALKED_NODES: usize = 1 << 23;

/// A function of Rhai's tree; the parameters of a closure begin with the names that it captures.
#[derive(Clone, Default)]
pub(super) struct Body {
    pub(super) parameters: Vec<String>,
    pub(super) statements: Vec<Stmt>,
}

/// The statements of every function of the tree, by name and arity. Rhai gives access to them only in a walk, one
/// function at a time, so they are copied. If the walk takes too long, the second value is the `switch` that it has
/// come to.
pub(super) fn bodies(ast: &AST, work: &Work) -> (SortedMap<(String, usize), Body>, Option<Position>) {
    let mut bodies = SortedMap::new();
    let (mut walked, mut too_large) = (0, None);
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
            walked += 1;
            if walked > MAX_WALKED_NODES {
                too_large = too_large.or_else(|| innermost_switch(path));
            }
            walked <= MAX_WALKED_NODES && !work.is_stopped()
        });
        let parameters = function.params.iter().map(|name| name.to_string()).collect();
        bodies.insert((name.to_owned(), arity), Body { parameters, statements });
    }
    (bodies, too_large)
}

/// Position of the innermost `switch` on a path through the tree; `None` where there is none.
fn innermost_switch(path: &[ASTNode<'_>]) -> Option<Position> {
    path.iter().rev().find_map(|node| match node {
        ASTNode::Stmt(statement @ Stmt::Switch(..)) => Some(statement.position()),
        _ => None,
    })
}

/// The parser's name of a closure, the number of names that it captures, and its position; `None` if `node` is no
/// closure.
///
/// A closure that captures is a block in the tree, which shares the captured names and curries the function.
pub(super) fn closure(node: &Node) -> Option<(String, usize, Position)> {
    match node {
        Node::DynamicConstant(value, at) => {
            let function = value.read_lock::<FnPtr>()?;
            Some((function.fn_name().to_owned(), 0, *at))
        }
        Node::Stmt(block) => {
            let [Stmt::Share(_), curried] = block.statements() else { return None };
            let call = match curried {
                Stmt::FnCall(call, _) => call,
                Stmt::Expr(expression) => match &**expression {
                    Node::FnCall(call, _) => call,
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

/// Position of the first name or value of a statement: the tree puts a node at its operator.
pub(super) fn first_of(statement: &Stmt) -> Position {
    match statement {
        Stmt::Expr(expression) => first_in(expression),
        Stmt::Assignment(parts) => first_in(&parts.1.lhs),
        Stmt::FnCall(call, at) => first_in_call(call, *at),
        other => other.position(),
    }
}

/// Position of the first name or value of an expression.
pub(super) fn first_in(node: &Node) -> Position {
    match node {
        Node::FnCall(call, at) => first_in_call(call, *at),
        Node::Dot(pair, ..) | Node::Index(pair, ..) => first_in(&pair.lhs),
        Node::And(list, at) | Node::Or(list, at) | Node::Coalesce(list, at) => list.first().map_or(*at, first_in),
        other => other.position(),
    }
}

/// The first position in a call, operands included: `a in b` is a call with its operands the other way round.
fn first_in_call(call: &FnCallExpr, at: Position) -> Position {
    let is_operator = call.is_operator_call() || call.name == "contains";
    call.args.iter().filter(|_| is_operator).map(first_in).fold(at, Position::min)
}
