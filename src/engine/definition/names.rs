//! Names that layers and what they declare may have.

/// Longest name of a zone, variable, attribute or setting, and longest id of a layer, in characters.
const MAX_NAME_CHARS: usize = 64;

/// The keywords of the script language, including the reserved ones.
pub(super) const KEYWORDS: &[&str] = &[
    "as",
    "async",
    "await",
    "break",
    "call",
    "case",
    "catch",
    "const",
    "continue",
    "curry",
    "debug",
    "default",
    "do",
    "else",
    "eval",
    "exit",
    "export",
    "false",
    "fn",
    "for",
    "global",
    "go",
    "goto",
    "if",
    "import",
    "in",
    "is",
    "is_def_fn",
    "is_def_var",
    "is_shared",
    "let",
    "loop",
    "match",
    "module",
    "new",
    "nil",
    "null",
    "package",
    "print",
    "private",
    "protected",
    "public",
    "return",
    "shared",
    "spawn",
    "static",
    "super",
    "switch",
    "sync",
    "this",
    "thread",
    "throw",
    "true",
    "try",
    "type_of",
    "until",
    "use",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Names that scripts already have beside the zones and variables of the table.
pub(super) const TABLE_WORDS: &[&str] = &["data", "nobody", "players", "settings", "table"];

/// Explains how names in scripts are written.
pub(super) const IDENTIFIER_HELP: &str =
    "names consist of lower-case letters, digits and single `_`, and start with a letter: `face_down`";

/// Explains how ids are written.
pub const ID_HELP: &str = "ids consist of lower-case letters and digits, with single `-` between them: \
    `high-card`";

/// Whether a text can be the id of a layer or library, and so of a file: `high-card`. Only ids become part of paths on
/// disk.
pub fn is_id(text: &str) -> bool {
    let is_part =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    text.len() <= MAX_NAME_CHARS && text.split('-').all(is_part)
}

/// Whether a text can be a name in a script: `face_down`. A double underscore is reserved for the host.
pub fn is_identifier(text: &str) -> bool {
    text.len() <= MAX_NAME_CHARS
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        && !text.contains("__")
}
