//! The layout of scripts: blanks, line ends and indentation.
//!
//! Lines end where their author ended them. This module decides everything within and around a line: blanks between
//! tokens, indentation, at most one empty line. Only braces affect line ends: `{` and `else` stay on the line of what
//! they belong to, and a block that does not fit on one line has its braces at the ends of lines, with a line for each
//! statement. So short functions stay short, and what is laid out once stays as it is.

use crate::script::tokens::{TokenKind, tokens};

/// The indentation inside brackets, in blanks.
const INDENT: usize = 4;

/// The kind of text that is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A script: functions, each on lines of its own.
    Script,
    /// An expression or a few statements, which may be on one line.
    Expression,
}

/// The role of a token for its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A name or a value.
    Operand,
    Keyword,
    /// An operator before its only operand.
    Prefix,
    /// An operator between two operands.
    Infix,
    /// A sign that joins two names or numbers without blanks.
    Joint,
    Comma,
    Semicolon,
    Colon,
    Open(Bracket),
    Close(Bracket),
    /// The `|` before the parameters of a closure.
    BarOpen,
    /// The `|` behind the parameters of a closure.
    BarClose,
    /// A comment, and whether it takes the rest of its line.
    Comment {
        is_line: bool,
    },
}

/// The content of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bracket {
    /// Statements.
    Block,
    /// The cases of a `switch`.
    Cases,
    /// An object map.
    Map,
    /// Parameters, arguments, an index.
    Attached,
    /// An expression in parentheses, a list.
    Free,
}

impl Bracket {
    fn is_brace(self) -> bool {
        matches!(self, Self::Block | Self::Cases | Self::Map)
    }
}

/// A token with its role and place.
struct Piece<'t> {
    text: &'t str,
    role: Role,
    /// Number of line ends before the token.
    line_ends: usize,
    /// Index of the matching bracket.
    partner: Option<usize>,
    /// Index of the bracket around the token.
    within: Option<usize>,
    /// For a brace, whether its content takes several lines.
    is_broken: bool,
}

/// Lays out a script, which need not parse. Line ends are `\n`.
pub fn lay_out(script: &str, extent: Extent) -> String {
    let mut pieces = pieces(script);
    join_lines(&mut pieces);
    break_braces(&mut pieces, extent);
    let mut text = write(&pieces);
    if extent == Extent::Script && !text.is_empty() {
        text.push('\n');
    }
    text
}

/// The tokens of a script without blanks, each with its role.
fn pieces(script: &str) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let mut reader = Reader::default();
    let (mut line_ends, mut has_blank) = (0, false);
    let mut coming = tokens(script).into_iter().peekable();
    while let Some(token) = coming.next() {
        let text = &script[token.span()];
        match token.kind {
            TokenKind::LineEnd => line_ends += 1,
            TokenKind::Blank => has_blank = true,
            kind => {
                let has_blank_before = has_blank || line_ends > 0;
                let is_behind_blank = coming.peek().is_none_or(|next| {
                    matches!(next.kind, TokenKind::Blank | TokenKind::LineEnd | TokenKind::BlockComment)
                });
                let is_line = matches!(kind, TokenKind::Comment | TokenKind::Doc);
                let role = match kind {
                    _ if kind.is_between() => Role::Comment { is_line },
                    _ => reader.role(kind, text, has_blank_before, is_behind_blank),
                };
                let text = if is_line { text.trim_end() } else { text };
                pieces.push(Piece { text, role, line_ends, partner: None, within: None, is_broken: false });
                (line_ends, has_blank) = (0, false);
            }
        }
    }
    let mut open: Vec<usize> = Vec::new();
    for at in 0..pieces.len() {
        if matches!(pieces[at].role, Role::Close(_))
            && let Some(opener) = open.pop()
        {
            (pieces[opener].partner, pieces[at].partner) = (Some(at), Some(opener));
        }
        pieces[at].within = open.last().copied();
        if matches!(pieces[at].role, Role::Open(_)) {
            open.push(at);
        }
    }
    pieces
}

/// Finds the roles of tokens, one by one.
#[derive(Default)]
struct Reader {
    /// Role and text of the token before, comments skipped.
    before: Option<(Role, String)>,
    /// The levels of the open brackets, and the level outside of all.
    open: Vec<Level>,
    outside: Level,
}

/// The state within a bracket.
#[derive(Clone, Copy, Default)]
struct Level {
    bracket: Option<Bracket>,
    /// Whether a `switch` waits for its cases.
    is_switch: bool,
    /// Whether the parameters of a closure are open.
    has_bar: bool,
}

impl Reader {
    fn level(&mut self) -> &mut Level {
        self.open.last_mut().unwrap_or(&mut self.outside)
    }

    fn role(&mut self, kind: TokenKind, text: &str, has_blank_before: bool, has_blank_behind: bool) -> Role {
        // After the `}` of a block, a statement can begin or an expression can go on; the author's blanks tell which.
        let is_behind_block = self.before.as_ref().is_some_and(|(role, _)| is_end_of_block(*role));
        let is_behind_operand = match &self.before {
            Some((Role::Operand | Role::Close(_), _)) => !is_behind_block || has_blank_behind,
            _ => false,
        };
        let is_attached = is_behind_operand_strictly(self.before.as_ref()) || is_behind_block && !has_blank_before;
        let level = *self.level();
        let role = match (kind, text) {
            (TokenKind::Keyword, "switch") => {
                self.level().is_switch = true;
                Role::Keyword
            }
            (TokenKind::Keyword, "in") | (_, "!in") => Role::Infix,
            (TokenKind::Keyword, "true" | "false" | "super") => Role::Operand,
            (TokenKind::Keyword, _) if !self.is_behind_dot() => Role::Keyword,
            (TokenKind::Name | TokenKind::Keyword | TokenKind::Number | TokenKind::Text | TokenKind::Template, _) => {
                Role::Operand
            }
            (_, ",") => Role::Comma,
            (_, ";") => Role::Semicolon,
            (_, ":") => Role::Colon,
            (_, "." | "?." | ".." | "..=" | "::") => Role::Joint,
            (_, "#{") => Role::Open(Bracket::Map),
            (_, "{") if level.is_switch => {
                self.level().is_switch = false;
                Role::Open(Bracket::Cases)
            }
            (_, "{") => Role::Open(Bracket::Block),
            (_, "?[") => Role::Open(Bracket::Attached),
            (_, "(" | "[") if is_attached => Role::Open(Bracket::Attached),
            (_, "(" | "[") => Role::Open(Bracket::Free),
            (_, ")" | "]" | "}") => {
                let closed = self.open.pop().and_then(|level| level.bracket);
                let otherwise = if text == "}" { Bracket::Block } else { Bracket::Free };
                Role::Close(closed.unwrap_or(otherwise))
            }
            (_, "|") if level.has_bar => {
                self.level().has_bar = false;
                Role::BarClose
            }
            (_, "|") if !is_behind_operand => {
                self.level().has_bar = true;
                Role::BarOpen
            }
            // A closure without parameters.
            (_, "||") if !is_behind_operand => Role::BarClose,
            (_, "!") if is_behind_operand_strictly(self.before.as_ref()) && !has_blank_before => Role::Joint,
            (_, "-" | "+" | "!") if !is_behind_operand => Role::Prefix,
            _ => Role::Infix,
        };
        if let Role::Open(bracket) = role {
            self.open.push(Level { bracket: Some(bracket), ..Level::default() });
        }
        self.before = Some((role, text.to_owned()));
        role
    }

    fn is_behind_dot(&self) -> bool {
        self.before.as_ref().is_some_and(|(_, text)| text == "." || text == "?.")
    }
}

/// Whether an operand certainly ends with the token before.
fn is_behind_operand_strictly(before: Option<&(Role, String)>) -> bool {
    before.is_some_and(|(role, _)| match role {
        Role::Operand => true,
        Role::Close(_) => !is_end_of_block(*role),
        _ => false,
    })
}

fn is_end_of_block(role: Role) -> bool {
    matches!(role, Role::Close(Bracket::Block | Bracket::Cases))
}

/// Moves tokens that cannot begin a line to the line of what they belong to: `{`, `,`, `;`, and `else` after a block of
/// several lines. After a block on a single line, `else` may begin the next line, so that cases stand below each other.
fn join_lines(pieces: &mut [Piece<'_>]) {
    for at in 1..pieces.len() {
        let (before, piece) = (&pieces[at - 1], &pieces[at]);
        let belongs = match piece.role {
            Role::Comma | Role::Semicolon => !matches!(before.role, Role::Comment { .. }),
            Role::Open(Bracket::Block | Bracket::Cases) => match before.role {
                Role::Operand | Role::BarClose => true,
                Role::Close(bracket) => !bracket.is_brace(),
                Role::Keyword => matches!(before.text, "else" | "loop" | "do"),
                Role::Infix => before.text == "=>",
                _ => false,
            },
            _ => false,
        };
        if belongs {
            pieces[at].line_ends = 0;
        }
    }
    let lines = lines(pieces);
    for at in 1..pieces.len() {
        let goes_on = is_else(&pieces[at]) && is_end_of_block(pieces[at - 1].role);
        let Some(opener) = pieces[at - 1].partner.filter(|_| goes_on) else { continue };
        let has_one_line = lines[opener] == lines[at - 1];
        pieces[at].line_ends = usize::from(has_one_line && pieces[at].line_ends > 0);
    }
}

/// Whether a token continues a statement after the `}` of a block.
fn is_else(piece: &Piece<'_>) -> bool {
    piece.role == Role::Keyword && piece.text == "else"
}

/// For each token, the number of tokens up to it that begin a line.
fn lines(pieces: &[Piece<'_>]) -> Vec<usize> {
    let mut begun = 0;
    let count = |piece: &Piece<'_>| {
        begun += usize::from(piece.line_ends > 0);
        begun
    };
    pieces.iter().map(count).collect()
}

/// Finds the braces whose content takes several lines, and gives each of its statements a line.
fn break_braces(pieces: &mut [Piece<'_>], extent: Extent) {
    let lines = lines(pieces);
    for at in 0..pieces.len() {
        if let (Role::Open(bracket), Some(end)) = (pieces[at].role, pieces[at].partner) {
            pieces[at].is_broken = bracket.is_brace() && lines[end] > lines[at];
        }
    }
    for at in 1..pieces.len() {
        let (before, piece) = (&pieces[at - 1], &pieces[at]);
        let is_comment = matches!(piece.role, Role::Comment { .. });
        let around = piece.within.map(|opener| (pieces[opener].role, pieces[opener].is_broken));
        let has_cases = around == Some((Role::Open(Bracket::Cases), true));
        let has_statements = match around {
            Some(around) => around == (Role::Open(Bracket::Block), true),
            None => extent == Extent::Script,
        };
        let begins_line = match (before.role, piece.role) {
            (_, Role::Close(_)) => piece.partner.is_some_and(|opener| pieces[opener].is_broken),
            (Role::Open(_), _) => before.is_broken && !is_comment,
            (Role::Semicolon, _) => has_statements && !is_comment,
            (Role::Comma, _) => has_cases && !is_comment,
            (Role::Close(Bracket::Block | Bracket::Cases), Role::Operand) => has_statements || has_cases,
            (Role::Close(Bracket::Block | Bracket::Cases), Role::Keyword) => {
                has_statements && !matches!(piece.text, "else" | "while" | "until")
            }
            _ => false,
        };
        if begins_line && piece.line_ends == 0 {
            pieces[at].line_ends = 1;
        }
    }
}

/// The indentation of lines within a bracket.
#[derive(Clone, Copy, Default)]
struct Frame {
    /// The indentation of the closing bracket.
    outer: usize,
    /// The indentation of the line on which the head of the next block begins.
    head: usize,
    /// Whether the next token begins a statement, an argument, or another part.
    is_at_start: bool,
    /// Whether the current part begins a line.
    has_own_line: bool,
}

/// Writes the tokens with their blanks.
fn write(pieces: &[Piece<'_>]) -> String {
    let mut text = String::new();
    let mut open: Vec<Frame> = Vec::new();
    let mut outside = Frame { is_at_start: true, ..Frame::default() };
    let mut indent = 0;
    let mut last: Option<&Piece<'_>> = None;
    for (at, piece) in pieces.iter().enumerate() {
        let closed = if matches!(piece.role, Role::Close(_)) { open.pop() } else { None };
        let is_inside = !open.is_empty();
        let frame = open.last_mut().unwrap_or(&mut outside);
        let before = at.checked_sub(1).and_then(|before| pieces.get(before));
        let begins_line = before.is_some() && piece.line_ends > 0;
        if begins_line || before.is_none() {
            indent = match closed {
                Some(closed) => closed.outer,
                None => {
                    let inner = if is_inside { frame.outer + INDENT } else { 0 };
                    let goes_on = match piece.role {
                        _ if is_else(piece) => false,
                        Role::Infix | Role::Joint => true,
                        _ => !frame.is_at_start && !last.is_some_and(|last| is_end_of_block(last.role)),
                    };
                    if goes_on && (frame.has_own_line || !is_inside) { inner + INDENT } else { inner }
                }
            };
        }
        if let Some(before) = before {
            if begins_line {
                let is_at_edge = matches!(before.role, Role::Open(_)) || matches!(piece.role, Role::Close(_));
                text.push_str(if piece.line_ends > 1 && !is_at_edge { "\n\n" } else { "\n" });
            } else if has_blank(before, piece) {
                text.push(' ');
            }
        }
        if begins_line || before.is_none() {
            text.extend(std::iter::repeat_n(' ', indent));
        }
        text.push_str(piece.text);
        if matches!(piece.role, Role::Comment { .. }) {
            continue;
        }
        last = Some(piece);
        if frame.is_at_start {
            frame.has_own_line = begins_line;
        }
        if frame.is_at_start || closed.is_some() || begins_line && piece.role == Role::Keyword {
            frame.head = indent;
        }
        frame.is_at_start = matches!(piece.role, Role::Comma | Role::Semicolon);
        if let Role::Open(bracket) = piece.role {
            let outer = if bracket.is_brace() { frame.head } else { indent };
            open.push(Frame { outer, head: outer, is_at_start: true, has_own_line: false });
        }
    }
    text
}

/// Whether a blank belongs between two tokens of a line.
fn has_blank(before: &Piece<'_>, piece: &Piece<'_>) -> bool {
    match (before.role, piece.role) {
        (_, Role::Comma | Role::Semicolon | Role::Colon | Role::BarClose) if piece.text != "||" => false,
        (Role::Open(_), Role::Close(_)) => false,
        (Role::Open(bracket), _) | (_, Role::Close(bracket)) => bracket.is_brace(),
        (Role::BarOpen, _) | (_, Role::Open(Bracket::Attached)) => false,
        (Role::Infix | Role::Keyword | Role::Comma | Role::Semicolon | Role::Comment { .. }, _)
        | (_, Role::Comment { .. }) => true,
        // `- -1` is two signs, and `--` would be another.
        (Role::Prefix, Role::Prefix) => before.text == piece.text,
        (Role::Prefix | Role::Joint, _) | (_, Role::Joint) => false,
        _ => true,
    }
}
