//! The Rhai parser with limits, which cannot run anything.

use crate::definition::{Edition, ScriptText};
use crate::diagnostic::{Diagnostic, Diagnostics, Message, Place, Source, message};
use crate::ruleset::{MAX_LINES, Ruleset, word_end};
use crate::script::functions::{FunctionHead, FunctionInfo, comment_before};
use crate::script::layering::{self, JoinedScripts};
use crate::script::masked_script;
use crate::script::parse_errors::script_point;
use crate::script::program::{Function, Global, Program};
use crate::script::read::{self, Names, Read};
use crate::script::token_tap::TokenTap;
use crate::script::vocabulary::old::{OLD_NAMES, OldName};
use crate::script::{MAX_EXPRESSION, MAX_LIST_ENTRIES, MAX_TEXT, TYPED_SOURCE, parse_errors};
use crate::sorted::SortedMap;
use crate::table::event::ScriptPoint;
use crate::table::layout::Layout;
use crate::work::Work;
use rhai::{Engine, EvalAltResult, OptimizationLevel, Scope, Token};
use std::ops::Range;
use std::sync::Arc;

/// Maximum nesting of expressions.
const MAX_DEPTH: usize = 64;

/// A parser of scripts and expressions. It is bound to its thread, and cheap to make.
pub struct Parser {
    engine: Engine,
    tap: TokenTap,
    work: Arc<Work>,
}

/// All scripts of a ruleset, parsed and joined.
pub struct Scripts {
    /// All layers as one program.
    pub program: Program,
    /// Every function definition, lower layers first, in the order of [`Program::functions`].
    pub functions: Vec<FunctionInfo>,
    /// Errors for parts of the language that rules may not use.
    pub refused: Vec<Diagnostic>,
    /// Warnings about functions that replace those of another layer without calling `super`.
    pub warnings: Vec<Diagnostic>,
    /// Where scripts of an earlier edition use a word by its old name.
    pub old_names: Vec<(ScriptPoint, &'static OldName)>,
}

impl Parser {
    /// A parser that gives up when `work` is stopped.
    pub fn new(work: Arc<Work>) -> Self {
        let mut engine = Engine::new_raw();
        limit(&mut engine);
        let tap = TokenTap::new(work.clone());
        tap.install(&mut engine);
        Self { engine, tap, work }
    }

    /// Reads every script of a ruleset.
    ///
    /// # Errors
    /// Everything that does not parse, and every misuse of names, of all layers at once; or somebody stopped the work.
    pub fn scripts(
        &self,
        ruleset: &Ruleset,
        layout: &Layout,
        globals: &SortedMap<String, Global>,
    ) -> Result<Scripts, Diagnostics> {
        let joined = layering::join(&self.engine, &self.tap, ruleset, layout, None);
        // A parse that was stopped halfway fails with errors that say nothing about the script.
        self.work.check_stopped()?;
        let JoinedScripts { ast, functions, warnings, tokens, old_names } = joined?;
        let place = |at: ScriptPoint, label: &'static str| ruleset.place(at, label);
        let names =
            Names { functions: &functions, globals, tokens: &tokens, lines_before: 0, place: &place, work: &self.work };
        let Read { read: program, refused } = read::program(&ast, &names);
        self.work.check_stopped()?;
        Ok(Scripts { program, functions, refused, warnings, old_names })
    }

    /// The functions of a script outside any ruleset, as far as it parses.
    pub fn function_heads(&self, script: &str) -> Vec<FunctionHead> {
        // A script that does not parse gives the tokens before the error.
        let (_, tokens) = self.tap.collect(|| self.engine.compile(script));
        let head = |at: usize| {
            let (Token::Identifier(name), position) = tokens.get(at)? else { return None };
            let before = |count: usize| at.checked_sub(count).and_then(|at| tokens.get(at)).map(|(token, _)| token);
            let lines = comment_before(script, position.line()?.saturating_sub(1));
            let words = lines.into_iter().map(|line| line.trim().trim_start_matches('/').trim());
            matches!(before(1), Some(Token::Fn)).then(|| FunctionHead {
                name: name.to_string(),
                parameters: layering::parameters_after(tokens.get(at + 1..).unwrap_or_default()),
                comment: words.collect::<Vec<_>>().join(" "),
                is_private: matches!(before(2), Some(Token::Private)),
            })
        };
        (0..tokens.len()).filter_map(head).collect()
    }

    /// Checks that a script outside any ruleset parses.
    ///
    /// # Errors
    /// The script does not parse.
    pub fn check_syntax(&self, script: &ScriptText) -> Result<(), Diagnostics> {
        layering::refuse_lexical_errors(script)?;
        let (parsed, tokens) = self.tap.collect(|| self.engine.compile(&script.text));
        let place = |at: ScriptPoint, label: &'static str| {
            let place = script.place(usize::from(at.line), usize::from(at.column).max(1), label);
            Some(Place { span: place.span.start..word_end(&place.source.text, place.span.start), ..place })
        };
        parsed.map(drop).map_err(|error| parse_errors::in_script(&error, &tokens, &place, |_| script.start).into())
    }

    /// Whether two scripts differ only in blanks and comments.
    pub fn has_same_tokens(&self, one: &str, other: &str) -> bool {
        let tokens = |script: &str| {
            let (_, tokens) = self.tap.collect(|| self.engine.compile(script));
            // `( )` is `()`.
            let tokens = tokens.into_iter().flat_map(|(token, _)| match token {
                Token::Unit => vec![Token::LeftParen, Token::RightParen],
                other => vec![other],
            });
            tokens.collect::<Vec<_>>()
        };
        tokens(one) == tokens(other)
    }

    /// The byte ranges where an expression of an earlier edition uses a word by its old name.
    pub fn old_names(&self, expression: &str, edition: Edition) -> Vec<(Range<usize>, &'static OldName)> {
        if !OLD_NAMES.iter().any(|old| edition < old.since && expression.contains(old.name)) {
            return Vec::new();
        }
        layering::old_names_of_expression(&self.engine, expression, edition)
    }

    /// Where the scripts of a ruleset use words by old names, each script judged by its own edition.
    ///
    /// # Errors
    /// The scripts do not parse.
    pub fn old_names_of(&self, ruleset: &Ruleset) -> Result<Vec<(Place, &'static OldName)>, Diagnostics> {
        let layout = Layout::new(ruleset.definition.clone(), &ruleset.settings, ruleset.definition.players.0);
        let scripts = self.scripts(ruleset, &layout, &read::globals(&layout))?;
        let names = scripts.old_names.into_iter();
        Ok(names.filter_map(|(at, old)| Some((ruleset.place(at, "")?, old))).collect())
    }

    /// An expression of an earlier edition, rewritten with the current names of words.
    pub fn with_current_names(&self, expression: &str, edition: Edition) -> String {
        let mut current = expression.to_owned();
        for (span, old) in self.old_names(expression, edition).into_iter().rev() {
            current.replace_range(span, old.now);
        }
        current
    }

    /// The functions of the script with index `script`, each with its tokens as text, without blanks and comments. The
    /// other scripts are not parsed. Over all scripts, the functions come in the order of [`Scripts::functions`].
    ///
    /// # Errors
    /// The script does not parse, or somebody stopped the work.
    pub fn words(&self, ruleset: &Ruleset, script: usize) -> Result<Vec<(FunctionInfo, Vec<String>)>, Diagnostics> {
        let words = layering::words_of_functions(&self.engine, &self.tap, ruleset, script);
        self.work.check_stopped()?;
        words
    }

    /// Parses an expression that a person typed, as a function whose parameters are the names in `known`. Its points
    /// lie behind the last line that scripts can have.
    ///
    /// # Errors
    /// The expression is too long, does not parse, or uses what rules may not.
    pub fn typed(
        &self,
        text: &str,
        ruleset: &Ruleset,
        functions: &[FunctionInfo],
        globals: &SortedMap<String, Global>,
        known: &[String],
    ) -> Result<Function, Diagnostics> {
        if text.len() > MAX_EXPRESSION {
            return Err(Diagnostic::new(message!("an expression has at most {MAX_EXPRESSION} bytes")).into());
        }
        let source = Source::new(TYPED_SOURCE, text);
        Diagnostics::refuse(masked_script::lexical_errors(&source.text, &source, 0))?;
        let place = |at: ScriptPoint, label: &'static str| typed_place(&source, at, label);
        let parsed = layering::compile_typed(&self.engine, &self.tap, &Scope::new(), text, functions, ruleset, None);
        let ast = parsed.map_err(|error| match *error {
            EvalAltResult::ErrorParsing(kind, at) => {
                parse_errors::in_words(&kind, place(below(script_point(at)), "here"), 0)
            }
            other => Diagnostic::new(Message::verbatim(other.to_string())),
        })?;
        let names = Names { functions, globals, tokens: &[], lines_before: MAX_LINES, place: &place, work: &self.work };
        let Read { read: function, refused } = read::expression(&ast, &names, known);
        match refused.into_iter().next() {
            Some(error) => Err(error.into()),
            None => Ok(function),
        }
    }
}

/// Sets every limit that the parser has, and disables the words that rules may not use.
pub(super) fn limit(engine: &mut Engine) {
    engine.set_optimization_level(OptimizationLevel::None);
    engine.set_max_expr_depths(MAX_DEPTH, MAX_DEPTH);
    engine.set_max_functions(512);
    engine.set_max_variables(256);
    engine.set_max_string_size(MAX_TEXT);
    engine.set_max_array_size(MAX_LIST_ENTRIES);
    engine.set_max_map_size(MAX_LIST_ENTRIES);
    for word in ["eval", "Fn", "call", "curry", "is_def_fn", "is_def_var", "is_shared", "print", "debug", "type_of"] {
        engine.disable_symbol(word);
    }
}

/// Moves a point of a typed expression far below every script, so that it cannot be taken for a point of the scripts.
fn below(at: ScriptPoint) -> ScriptPoint {
    ScriptPoint { line: at.line + MAX_LINES as u16, ..at }
}

/// The place of a point in a typed expression; `None` for a point of the scripts.
pub fn typed_place(source: &Arc<Source>, at: ScriptPoint, label: impl Into<Message>) -> Option<Place> {
    let line = usize::from(at.line).checked_sub(MAX_LINES).filter(|line| *line > 0)?;
    let start = source.offset(line, usize::from(at.column).max(1));
    Some(Place::new(source, start..word_end(&source.text, start), label))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::games::small;
    use crate::script::pretty::Writer;

    const GAME: &str = r#"
id = "small"
name = "Small"
players = { min = 2, max = 2 }
zones.deck = { name = "Deck", order = "pile", visible = "all" }
zones.hand = { name = "Hand", per = "seat", order = "hand", visible = "all" }
variables.bid = { name = "Bid", per = "seat", default = 0 }
"#;

    struct Small {
        ruleset: Arc<Ruleset>,
        layout: Layout,
        scripts: Scripts,
    }

    /// A game of two players with a script, and perhaps a variant of it.
    fn read(script: &str, variant: Option<&str>) -> Small {
        let over = variant
            .map(|script| format!("id = 'over'\ngame = 'small'\nname = 'Over'\n[script]\nrhai = '''\n{script}\n'''\n"));
        let ruleset = match &over {
            Some(over) => small(GAME, script, &[("over.toml", over)], &["over.toml"]),
            None => small(GAME, script, &[], &[]),
        };
        let layout = Layout::new(ruleset.definition.clone(), &ruleset.settings, 2);
        let scripts = Parser::new(Arc::default()).scripts(&ruleset, &layout, &read::globals(&layout)).unwrap();
        Small { ruleset, layout, scripts }
    }

    impl Small {
        /// A function as it is written, statement by statement.
        fn written(&self, number: usize) -> String {
            let function = &self.scripts.program.functions[number];
            let zones = |definition: usize| self.layout.definition.zones[definition].id.clone();
            let writer = Writer { function, functions: &self.scripts.functions, zones: &zones };
            let statements: Vec<String> = function.body.0.iter().map(|one| writer.statement(one)).collect();
            statements.join("; ")
        }

        fn refused(&self) -> Vec<&str> {
            self.scripts.refused.iter().map(|error| error.message.as_str()).collect()
        }
    }

    /// Text that is read and written again stays as it was: nothing of the tree was lost or read otherwise.
    #[track_caller]
    fn assert_stays(body: &str) {
        let small = read(&format!("fn game() {{ f(players.first, 1); }}\nfn f(p, n) {{ {body} }}\n"), None);
        assert_eq!(small.refused(), [""; 0], "{body}");
        assert_eq!(small.written(1), body);
    }

    #[test]
    fn every_shape_of_the_tree_is_read() {
        for body in [
            "()",
            "let a = -3; a += n * (n + 1) % 2 - 7 / n; a = a - (n - 1)",
            "p.bid = 3; p.bid -= n; players[1].bid += p.hand.len",
            "let l = [1, [\"a\", true], ()]; l[0] = l[1][0]; l[n - 1] += 2; l.push(n)",
            "if n > 1 && !(p == players.first || n == 2) { p.bid = 1 } else if n < 0 { p.bid = 2 } else { return }",
            "let a = if n == 1 { 2 } else { -n }; a",
            "for card in p.hand { card.move_to(deck) }; for (q, i) in players { q.award(i, \"x\") }",
            "for i in 0..n { continue }; for i in 1..=3 { break }",
            "while n > 0 { n -= 1 }; loop { if n == 0 { break } }",
            "let t = switch n { 1 => \"one\", 2 if p == players.first => \"two\", _ => `n is ${n}, ${p.hand.len + 1}.` }; t",
            "switch p.bid { 1 => { p.bid = 2 }, -2 => (), \"x\" => { return }, true => n }",
            "switch p.bid { 1 | 3 | true => { p.bid = 2 }, 3 | \"x\" | \"y\" if n > 1 => (), -2 | -1 => n, _ => { return } }",
            "players.any(|q| q != p && q.hand.is_empty) || n in [1, 2] && !(p in players)",
            "players.for_each(|q| { let m = n; q.award(m, \"x\") })",
            "players.together(|q| q.choose(\"bid\", q.hand), |q, card| card.move_to(q.hand))",
            "p.hand.max_by(|card| [card.side, p.hand.position_of(card)]).move_to(deck)",
            "players.where(g).len; f(p, n); -p.bid.max(2); (-n).max(2)",
            "throw \"no\"; throw; return n; { let a = 1; a }",
            "table.len; data.len; nobody == p; deck.len; n.max(2).min(3); min(n, 2)",
        ] {
            let game = body.contains("where(g)");
            if game {
                let script =
                    format!("fn game() {{ f(players.first, 1); }}\nfn f(p, n) {{ {body} }}\nfn g(p) {{ true }}");
                assert_eq!(read(&script, None).written(1), body);
            } else {
                assert_stays(body);
            }
        }
    }

    #[test]
    fn names_are_slots_and_a_closure_shares_those_around_it() {
        let small =
            read("fn game() { let n = 0; players.for_each(|p| { let m = n; n += p.bid; }); let n = n + 1; }", None);
        let game = &small.scripts.program.functions[0];
        assert_eq!(game.names.iter().map(|name| &**name).collect::<Vec<_>>(), ["n", "p", "m", "n"]);
        assert_eq!(small.written(0), "let n = 0; players.for_each(|p| { let m = n; n += p.bid }); let n = n + 1");
    }

    #[test]
    fn super_is_the_function_one_layer_down() {
        let small = read(
            "fn game() { score(players.first); }\nfn score(p) { p.award(1, \"x\"); }",
            Some("fn score(p) { super(p); p.award(helper(2), \"y\"); }\nprivate fn helper(n) { n }"),
        );
        assert_eq!(small.written(2), "super(p); p.award(helper(2), \"y\")");
        let ExprKind::Call(call) = statement_value(&small.scripts.program.functions[2].body.0[0]) else { panic!() };
        assert_eq!(call.function, 1);
        let ExprKind::Call(call) = statement_value(&small.scripts.program.functions[0].body.0[0]) else { panic!() };
        assert_eq!(call.function, 2, "the highest is what all layers call");
    }

    use crate::script::program::{ExprKind, Statement, StatementKind};

    fn statement_value(statement: &Statement) -> &ExprKind {
        let StatementKind::Expr(expression) = &statement.kind else { panic!("{statement:?}") };
        &expression.kind
    }

    #[test]
    fn what_rules_may_not_use_is_refused_at_its_place_with_what_to_write_instead() {
        for (body, message) in [
            ("p.bid «?? 1", "rules do not know `??`"),
            ("p«?.bid", "rules do not know `?.`"),
            ("«do { n += 1; } while n < 3;", "rules have no `do` loops"),
            ("let a = loop { «break 3; };", "`break` gives no value in rules"),
            ("«switch n { 1..3 => 1, _ => 2 }", "a range cannot be a case of a `switch`"),
            ("n «& 1", "rules do not know `&`"),
            ("n «|= 1;", "rules do not know `|`"),
            ("n «<< 1", "rules do not know `<<`"),
            ("2 «** n", "rules do not know `**`"),
            ("let l = [[1]]; l[0][«0] = 2;", "only the entries of a list that has a name can be set"),
            ("let l = [[1]]; l[0].«push(2);", "`push` changes a list that has a name"),
            ("«try { n } catch { 1 }", "rules do not catch errors"),
            ("«#{ a: 1 }", "rules have no object maps"),
            ("«this", "there is no `this` in rules"),
            ("«1.5", "numbers in rules are whole"),
            ("«'a'", "texts are in double quotes"),
            ("«+p.bid", "rules do not know `+` before a value"),
        ] {
            let before = "fn game() { f(players.first, 1); }\nfn f(p, n) { ";
            let script = format!("{before}{body} }}\n");
            let at = script.find('«').expect("a place is marked");
            let small = read(&script.replace('«', ""), None);
            assert_eq!(small.refused(), [message], "{body}");
            let error = &small.scripts.refused[0];
            let place = error.place.as_ref().map(Place::position);
            assert_eq!(place, Some((2, at - before.rfind('\n').unwrap_or_default())), "{error}");
            assert!(!error.help.is_empty(), "{error:?}");
        }
    }

    #[test]
    fn a_typed_expression_knows_the_names_that_it_is_given() {
        let small = read("fn game() { f(players.first, 1); }\nfn f(p, n) { p }\n", None);
        let globals = read::globals(&small.layout);
        let parser = Parser::new(Arc::default());
        let known = ["p1".to_owned(), "n".to_owned()];
        let typed = |text: &str| parser.typed(text, &small.ruleset, &small.scripts.functions, &globals, &known);
        let function = typed("f(p1, n).hand.any(|card| card in deck) && q").unwrap();
        let zones = |definition: usize| small.layout.definition.zones[definition].id.clone();
        let writer = Writer { function: &function, functions: &small.scripts.functions, zones: &zones };
        assert_eq!(writer.statement(&function.body.0[0]), "f(p1, n).hand.any(|card| card in deck) && q");
        assert_eq!(function.arity, 2);
        let error = typed("p1.hand[").unwrap_err();
        assert!(
            error.first().place.as_ref().is_some_and(|place| place.source.name == TYPED_SOURCE),
            "its own text is shown"
        );
        let error = typed("p1.bid + 1.5").unwrap_err();
        assert_eq!(error.first().message, "numbers in rules are whole");
        assert_eq!(error.first().place.as_ref().map(Place::position), Some((1, 10)));
    }
}
