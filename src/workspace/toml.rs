//! TOML as it is being edited: keys and values with their places, even in a file that does not parse.
//!
//! Each line is understood by itself as far as possible, so that an incomplete one does not hide the others.

use std::ops::Range;

/// A key with its value, or the header of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TomlItem {
    /// The path of keys from the top of the file. Elements of arrays have their index in it.
    pub path: Vec<String>,
    /// The byte range of the last key.
    pub key: Range<usize>,
    /// The byte ranges of all keys written here.
    pub keys: Vec<Range<usize>>,
    /// The byte range of the value.
    pub value: Range<usize>,
    /// The kind of item.
    pub kind: ItemKind,
    /// Whether a string has its closing quotes.
    pub is_closed: bool,
}

/// The kind of a TOML item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// The header of a table: `[head]`.
    Head,
    /// The header of an element of an array of tables: `[[head]]`.
    ArrayHead,
    /// A string: the length of its quotes in characters, and whether it can have escapes.
    Text(usize, bool),
    /// An array; its elements are separate items.
    Array,
    /// An inline table; its keys are separate items.
    Table,
    /// Anything else: a number, a boolean, or nothing yet.
    Plain,
}

impl TomlItem {
    /// The byte range between the quotes of a string; empty for other items.
    pub fn inside(&self) -> Range<usize> {
        match self.kind {
            ItemKind::Text(quotes, _) => {
                let closing = if self.is_closed { quotes } else { 0 };
                self.value.start + quotes..self.value.end - closing
            }
            _ => self.value.end..self.value.end,
        }
    }
}

/// A TOML file, split into items.
#[derive(Clone, Debug, Default)]
pub struct TomlText {
    /// The items, in order.
    pub items: Vec<TomlItem>,
    /// The byte ranges of comments.
    pub comments: Vec<Range<usize>>,
}

impl TomlText {
    /// Splits a TOML file into items.
    pub fn new(text: &str) -> Self {
        let mut reader = Reader { text, at: 0, found: Self::default(), table: Vec::new(), counts: Vec::new() };
        reader.file();
        reader.found
    }

    /// The item at a path.
    pub fn get(&self, path: &[&str]) -> Option<&TomlItem> {
        self.items.iter().find(|item| item.path.iter().map(String::as_str).eq(path.iter().copied()))
    }

    /// The innermost item whose value or key contains a byte.
    pub fn at(&self, offset: usize) -> Option<&TomlItem> {
        let has = |item: &&TomlItem| {
            item.value.start <= offset && offset <= item.value.end
                || item.keys.iter().any(|key| key.start <= offset && offset <= key.end)
        };
        self.items.iter().rev().filter(has).min_by_key(|item| item.value.len() + item.key.len())
    }

    /// The header of the table that contains a byte.
    pub fn head_before(&self, offset: usize) -> Option<&TomlItem> {
        let is_head = |item: &&TomlItem| matches!(item.kind, ItemKind::Head | ItemKind::ArrayHead);
        self.items.iter().rev().filter(is_head).find(|item| item.value.start <= offset)
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    found: TomlText,
    /// The path of the current table.
    table: Vec<String>,
    /// The number of elements of each array of tables so far.
    counts: Vec<(Vec<String>, usize)>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn file(&mut self) {
        loop {
            self.blank(true);
            if self.rest().is_empty() {
                return;
            }
            if self.rest().starts_with('[') {
                self.head();
            } else {
                let table = self.table.clone();
                self.pair(&table, false);
            }
            // The rest of the line is not understood.
            let line = self.rest().find('\n').unwrap_or(self.rest().len());
            let left = self.at..self.at + line;
            if let Some(comment) = self.text[left.clone()].find('#') {
                self.found.comments.push(left.start + comment..left.end);
            }
            self.at += line;
        }
    }

    /// Skips blanks; with `lines`, also line ends and comments.
    fn blank(&mut self, lines: bool) {
        loop {
            let rest = self.rest();
            let blanks = rest.len()
                - rest.trim_start_matches(|letter: char| letter.is_whitespace() && (lines || letter != '\n')).len();
            self.at += blanks;
            if !lines || !self.rest().starts_with('#') {
                return;
            }
            let line = self.rest().find('\n').unwrap_or(self.rest().len());
            self.found.comments.push(self.at..self.at + line);
            self.at += line;
        }
    }

    fn head(&mut self) {
        let start = self.at;
        let is_array = self.rest().starts_with("[[");
        self.at += 1 + usize::from(is_array);
        let (mut path, keys) = self.keys();
        while self.rest().starts_with(']') {
            self.at += 1;
        }
        // A table within an array of tables belongs to its last element.
        let mut whole: Vec<String> = Vec::new();
        for (number, key) in path.drain(..).enumerate() {
            whole.push(key);
            let is_last = number + 1 == keys.len();
            let count = self.counts.iter_mut().find(|(path, _)| *path == whole);
            match count {
                Some((_, count)) if is_last && is_array => *count += 1,
                Some(_) => {}
                None if is_last && is_array => self.counts.push((whole.clone(), 1)),
                None => continue,
            }
            let count = self.counts.iter().find(|(path, _)| *path == whole).map_or(0, |(_, count)| count - 1);
            whole.push(count.to_string());
        }
        let kind = if is_array { ItemKind::ArrayHead } else { ItemKind::Head };
        let key = keys.last().cloned().unwrap_or(self.at..self.at);
        self.table.clone_from(&whole);
        self.found.items.push(TomlItem { path: whole, key, keys, value: start..self.at, kind, is_closed: false });
    }

    /// Reads keys with dots between them.
    fn keys(&mut self) -> (Vec<String>, Vec<Range<usize>>) {
        let (mut names, mut spans) = (Vec::new(), Vec::new());
        loop {
            self.blank(false);
            let start = self.at;
            match self.rest().chars().next() {
                Some(quote @ ('"' | '\'')) => {
                    let length = one_line(self.rest(), quote);
                    self.at += length;
                    names.push(self.text[start..self.at].trim_matches(quote).to_owned());
                }
                _ => {
                    let is_in_key = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '+');
                    let length = self.rest().find(|letter: char| !is_in_key(letter)).unwrap_or(self.rest().len());
                    self.at += length;
                    names.push(self.text[start..self.at].to_owned());
                }
            }
            spans.push(start..self.at);
            self.blank(false);
            if !self.rest().starts_with('.') {
                return (names, spans);
            }
            self.at += 1;
        }
    }

    /// Reads a key and its value.
    fn pair(&mut self, table: &[String], is_inline: bool) {
        let (names, keys) = self.keys();
        let path: Vec<String> = table.iter().cloned().chain(names).collect();
        let key = keys.last().cloned().unwrap_or(self.at..self.at);
        let place = self.found.items.len();
        self.found.items.push(TomlItem {
            path: path.clone(),
            key,
            keys,
            value: self.at..self.at,
            kind: ItemKind::Plain,
            is_closed: false,
        });
        if !self.rest().starts_with('=') {
            return;
        }
        self.at += 1;
        self.blank(false);
        let start = self.at;
        let kind = self.value(&path, is_inline);
        self.set(place, start, kind);
    }

    /// Sets the value of the item with index `place` to the text from `start` up to here.
    fn set(&mut self, place: usize, start: usize, kind: ItemKind) {
        let text = &self.text[start..self.at];
        if let Some(item) = self.found.items.get_mut(place) {
            item.value = start..self.at;
            item.kind = kind;
            item.is_closed = match kind {
                ItemKind::Text(quotes, _) => text.len() >= 2 * quotes && text.ends_with(&text[..quotes]),
                _ => false,
            };
        }
    }

    fn value(&mut self, path: &[String], is_inline: bool) -> ItemKind {
        let rest = self.rest();
        for quotes in ["'''", "\"\"\""] {
            if rest.starts_with(quotes) {
                let length = several_lines(rest, quotes);
                let has_escapes = quotes == "\"\"\"" && rest[..length].contains('\\');
                self.at += length;
                return ItemKind::Text(3, has_escapes);
            }
        }
        match rest.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let length = one_line(rest, quote);
                let has_escapes = quote == '"' && rest[..length].contains('\\');
                self.at += length;
                ItemKind::Text(1, has_escapes)
            }
            Some('[') => {
                self.at += 1;
                let mut number = 0;
                self.elements(']', &mut |reader| {
                    let start = reader.at;
                    let path: Vec<String> = path.iter().cloned().chain([number.to_string()]).collect();
                    number += 1;
                    let place = reader.found.items.len();
                    reader.found.items.push(TomlItem {
                        path: path.clone(),
                        key: start..start,
                        keys: Vec::new(),
                        value: start..start,
                        kind: ItemKind::Plain,
                        is_closed: false,
                    });
                    let kind = reader.value(&path, true);
                    reader.set(place, start, kind);
                });
                ItemKind::Array
            }
            Some('{') => {
                self.at += 1;
                self.elements('}', &mut |reader| reader.pair(path, true));
                ItemKind::Table
            }
            _ => {
                let ends: &[char] = if is_inline { &[',', ']', '}', '#', '\n'] } else { &['#', '\n'] };
                let length = rest.find(ends).unwrap_or(rest.len());
                self.at += rest[..length].trim_end().len();
                ItemKind::Plain
            }
        }
    }

    /// Reads elements between commas up to `close`. An unclosed array ends at a line that begins with a key or a
    /// header.
    fn elements(&mut self, close: char, element: &mut dyn FnMut(&mut Self)) {
        loop {
            let before = self.at;
            self.blank(true);
            let rest = self.rest();
            let is_next_line = self.text[before..self.at].contains('\n');
            if rest.is_empty() || is_next_line && close == ']' && begins_anew(rest) {
                // The line belongs to another item.
                self.at = before;
                return;
            }
            if rest.starts_with(close) {
                self.at += 1;
                return;
            }
            if rest.starts_with(',') {
                self.at += 1;
                continue;
            }
            let start = self.at;
            element(self);
            if self.at == start {
                // No element can begin here.
                if is_next_line || rest_is_closed(self.rest(), close) {
                    self.at = if is_next_line { before } else { self.at };
                    return;
                }
                self.at += self.rest().chars().next().map_or(1, char::len_utf8);
            }
        }
    }
}

/// Whether `rest` begins with the other kind of closing bracket, which closes something around.
fn rest_is_closed(rest: &str, close: char) -> bool {
    rest.starts_with(if close == ']' { '}' } else { ']' })
}

/// Whether a line begins with a key and `=`.
fn begins_anew(rest: &str) -> bool {
    let line = rest.lines().next().unwrap_or("");
    let name = line.trim_start_matches(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.'));
    name.len() < line.len() && name.trim_start().starts_with('=')
}

/// The length of the single-line string at the beginning of `rest`.
fn one_line(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            _ if letter == quote => return at + letter.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// The length of the multi-line string at the beginning of `rest`.
fn several_lines(rest: &str, quotes: &str) -> usize {
    let mut from = 3;
    while let Some(found) = rest.get(from..).and_then(|inside| inside.find(quotes)) {
        let at = from + found;
        let slashes = rest[..at].bytes().rev().take_while(|byte| *byte == b'\\').count();
        if quotes == "'''" || slashes % 2 == 0 {
            // A fourth and a fifth quote belong to the text.
            let more = rest[at + 3..].chars().take_while(|letter| quotes.starts_with(*letter)).take(2).count();
            return at + 3 + more;
        }
        from = at + 1;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, &str)> {
        TomlText::new(text).items.into_iter().map(|item| (item.path.join("."), &text[item.value])).collect()
    }

    #[test]
    fn keys_and_values_keep_their_places() {
        let text = "id = 'a' # b\n[zones.deck]\nname = { en = \"D\", ja = '山' }\nx.y = [1, \"b\"]\n[[then]]\na = 1\n[[then]]\n";
        let found: Vec<(String, &str)> = read(text);
        let expected = [
            ("id", "'a'"),
            ("zones.deck", "[zones.deck]"),
            ("zones.deck.name", "{ en = \"D\", ja = '山' }"),
            ("zones.deck.name.en", "\"D\""),
            ("zones.deck.name.ja", "'山'"),
            ("zones.deck.x.y", "[1, \"b\"]"),
            ("zones.deck.x.y.0", "1"),
            ("zones.deck.x.y.1", "\"b\""),
            ("then.0", "[[then]]"),
            ("then.0.a", "1"),
            ("then.1", "[[then]]"),
        ];
        assert_eq!(found, expected.map(|(path, value)| (path.to_owned(), value)));
    }

    #[test]
    fn a_line_that_is_half_written_hides_no_other() {
        let text = "a = [1,\nb = \"open\nc = { d = \n\n[e\nf = '''x\ny'''\ng =";
        let paths: Vec<String> = read(text).into_iter().map(|(path, _)| path).collect();
        for path in ["a", "b", "c", "c.d"] {
            assert!(paths.contains(&path.to_owned()), "{path}: {paths:?}");
        }
    }

    #[test]
    fn no_text_is_too_broken() {
        let text = "a.'b c'.\"d\" = [ { x = 'é' }, '''\n日本''' ]\n[[t.u]]\nz = \"\"\"\\\"\"\"\"\n#c\nk = { q = [1, 2";
        for start in (0..=text.len()).filter(|&start| text.is_char_boundary(start)) {
            for end in (start..=text.len()).filter(|&end| text.is_char_boundary(end)) {
                let read = TomlText::new(&text[start..end]);
                read.at(end - start);
            }
        }
    }
}
