//! The functions of a tree of the parser.

use rhai::{AST, ASTNode, Expr, FnPtr, Position, Stmt};
use std::collections::BTreeMap;

/// A function as the interpreter has it: the parameters of a closure begin with what it captures.
pub(super) struct Body {
    pub(super) parameters: Vec<String>,
    pub(super) statements: Vec<Stmt>,
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
