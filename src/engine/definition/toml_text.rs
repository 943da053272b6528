//! Questions about the text of a TOML file that need no tree of it: the file may be damaged, or has to stay as it is
//! written.

use std::borrow::Cow;
use toml_parser::lexer::{Token, TokenKind};

/// Whether a TOML file has a key at its top; where the file is damaged, whether a line begins with the key and `=`.
pub fn has_key(text: &str, key: &str) -> bool {
    match text.parse::<toml::Table>() {
        Ok(table) => table.contains_key(key),
        Err(_) => text.lines().any(|line| {
            let behind = line.strip_prefix(key).map(str::trim_start);
            behind.is_some_and(|behind| behind.starts_with('='))
        }),
    }
}

/// A TOML file without some of the tables at its top, wherever parts of them stand, and without the empty lines and
/// comments right above each: the file as it was before they were written.
pub fn without_tables<'t>(text: &'t str, tables: &[&str]) -> Cow<'t, str> {
    // Most files have none of them, and need no parsing.
    if !tables.iter().any(|table| text.contains(table)) {
        return Cow::Borrowed(text);
    }
    let tokens: Vec<Token> = toml_parser::Source::new(text).lex().collect();
    // A line end within brackets ends neither the head of a table nor a key with its value.
    let mut depth = 0_usize;
    let statements = tokens.split_inclusive(|token| {
        match token.kind() {
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => depth += 1,
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && token.kind() == TokenKind::Newline
    });
    let mut kept = String::with_capacity(text.len());
    // Empty lines and comments that belong to the next statement.
    let mut waiting = String::new();
    let (mut at, mut is_at_top, mut is_out) = (0, true, false);
    for statement in statements {
        let end = statement.last().map_or(at, |token| token.span().end());
        let written = text.get(at..end).unwrap_or_default();
        at = end;
        let is_blank =
            |kind| matches!(kind, TokenKind::Whitespace | TokenKind::Comment | TokenKind::Newline | TokenKind::Eof);
        let Some(first) = statement.iter().find(|token| !is_blank(token.kind())) else {
            waiting.push_str(written);
            continue;
        };
        let is_meant = || first_key(text, statement).is_some_and(|key| tables.contains(&key));
        if first.kind() == TokenKind::LeftSquareBracket {
            is_at_top = false;
            is_out = is_meant();
        } else if is_at_top {
            is_out = is_meant();
        }
        if is_out {
            waiting.clear();
        } else {
            kept.push_str(&std::mem::take(&mut waiting));
            kept.push_str(written);
        }
    }
    // Empty lines after the last table belong to it, where it is left out.
    if !(is_out && waiting.trim().is_empty()) {
        kept.push_str(&waiting);
    }
    if kept.len() == text.len() { Cow::Borrowed(text) } else { Cow::Owned(kept) }
}

/// The first key in the head of a table, or of a key with its value. A key that is written with escapes is not
/// recognized.
fn first_key<'t>(text: &'t str, statement: &[Token]) -> Option<&'t str> {
    statement.iter().find_map(|token| {
        let (start, end) = (token.span().start(), token.span().end());
        match token.kind() {
            TokenKind::Atom => text.get(start..end),
            TokenKind::BasicString | TokenKind::LiteralString => text.get(start + 1..end.checked_sub(1)?),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    #[test]
    fn a_file_without_a_table_is_as_it_was_before() {
        let plain = "id = 'a'\nnote = '''\n[looks.card]\n'''\n\n[data]\nlist = [\n  [1],\n]\n\n# Of the zones.\n[zones.a]\nlooks = 3\n";
        assert!(matches!(without_tables(plain, &["looks"]), Cow::Borrowed(text) if text == plain));
        let ways = [
            plain.replace("[data]", "# How cards look.\n[looks.card] # cards\ntext = \"\"\"\n\n[data]\n\"\"\"\nof.color.red = {\n  icon = 'star' }\n\n[data]"),
            format!("{plain}\n\n[looks.card]\ntitle = 'x'\n\n# Those of the dice.\n[ \"looks\" . die]\ntitle = 'y'\n"),
            plain.replace("id = 'a'\n", "id = 'a'\nlooks.card.title = 'x'\n'looks' . die.title = '''\n[data]'''\n"),
            format!("looks = {{ card = {{ title = \"#\" }} }}\n{plain}"),
            // Up to two quotes before the three that close a text belong to it.
            plain.replace("[data]", "[looks.card]\ntitle = \"\"\"say \"go\"\"\"\" # \\\n\n[data]"),
        ];
        for text in ways {
            assert!(text.parse::<toml::Table>().is_ok(), "{text}");
            assert_eq!(without_tables(&text, &["looks"]), plain, "{text}");
        }
    }

    /// The texts are drawn from what opens and closes texts, tables and remarks, so that whatever mistakes a part of
    /// one for something else leaves too much or too little out.
    #[test]
    fn a_file_without_tables_says_the_rest_of_what_it_said() {
        const LOOKS: [&str; 2] = ["looks", "names"];
        const KEYS: [&str; 8] =
            ["looks", "data", "'looks'", "\"names\"", "names", "\"'looks'\"", "zones", "\"l\\u006foks\""];
        const PIECES: [&str; 16] = [
            "\"",
            "'",
            "\"\"",
            "''",
            "\\",
            "\\\"",
            "#",
            "[",
            "]",
            "{",
            "}",
            "\n",
            "\n[looks]\n",
            "\n[data]\n",
            "\nlooks = 1\n",
            "日",
        ];
        const QUOTES: [&str; 4] = ["\"", "'", "\"\"\"", "\'\'\'"];
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let text = |random: &mut ChaCha8Rng| {
            let quote = QUOTES[random.random_range(0..4)];
            let inside: String = (0..random.random_range(0..5)).map(|_| PIECES[random.random_range(0..16)]).collect();
            format!("{quote}{inside}{quote}")
        };
        let (mut read, mut cut) = (0, 0);
        for _ in 0..20_000 {
            let mut file = String::new();
            for number in 0..random.random_range(1..5) {
                let key = KEYS[random.random_range(0..8)];
                let (one, other) = (text(&mut random), text(&mut random));
                file.push_str(&match random.random_range(0..7) {
                    0 => format!("{key}.k{number} = {one}\n"),
                    1 => format!("[{key}.t{number}] # {other}\na = [{one},\n  # {other}\n  {other}\n]\n"),
                    2 => format!("[[ {key} ]]\n'looks' = {one}\n\nnames.x = {{ y = {other} }} # {one}"),
                    3 => format!("{key} = {{ a = {one},\n looks = {other} }}\n"),
                    4 => format!("# {one}\n\n[ {key} . t{number} ]\n{key} = {other}"),
                    5 => format!("{key} = [{one}, [{other}]]\r\n"),
                    _ => format!("a{number} = {one}\n"),
                });
            }
            let Ok(mut whole) = file.parse::<toml::Table>() else { continue };
            let kept = without_tables(&file, &LOOKS);
            let rest: Result<toml::Table, _> = kept.parse();
            assert!(rest.is_ok(), "{file}\n---\n{kept}\n{rest:?}");
            let mut rest = rest.unwrap_or_default();
            // A key that is written with escapes stays.
            for table in LOOKS {
                let gone = whole.remove(table).is_some() && !rest.contains_key(table);
                rest.remove(table);
                cut += usize::from(gone);
            }
            assert_eq!(rest, whole, "{file}\n---\n{kept}");
            assert_eq!(without_tables(&kept, &LOOKS), kept, "{file}");
            read += 1;
        }
        assert!(read > 2000 && cut > 1000, "{read} files, {cut} tables");
    }
}
