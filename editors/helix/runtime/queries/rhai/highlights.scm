; Colours of scripts, by the grammar that languages.toml names. The first pattern that fits decides.

(comment_line_doc) @comment.line
(comment_block_doc) @comment.block
(str_template_expr) @embedded
(lit_str) @string
[(lit_int) (lit_float)] @constant.numeric
(lit_bool) @constant.builtin.boolean

["fn" "private" "let" "const"] @keyword.storage.type
["if" "else" "switch"] @keyword.control.conditional
["while" "for" "in" "loop" "break" (ExprContinue)] @keyword.control.repeat
["return"] @keyword.control.return
["throw" "try" "catch"] @keyword.control.exception

((ident) @variable.builtin (#match? @variable.builtin "^(players|table|data|settings|super|p[1-9])$"))
((ident) @constant.builtin (#eq? @constant.builtin "nobody"))

(ExprFn fn_name: (FnDeclName (ident) @function))
(Param (ident) @variable.parameter)
(ExprCall fn_name: (Expr (ExprPath (Path (ident) @function))))
(ExprCall fn_name: (Expr (ExprDotAccess (_) (Expr (ExprPath (Path (ident) @function.method))))))
(ExprDotAccess (_) (Expr (ExprPath (Path (ident) @variable.other.member))))
(ident) @variable

(binop) @operator
["!" "+" "-" "=>"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";" "." "|"] @punctuation.delimiter
