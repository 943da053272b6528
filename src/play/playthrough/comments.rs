//! The comments of a file in TOML, for when the program writes the file again: each stays with what it is about.
//!
//! What a comment is about is a key, an entry of a list or a section: the one on its line, or the next one behind it.

use std::collections::BTreeMap;

/// What a comment can be about: a section (how many begin before it), a key in it, an entry of the key's list.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Subject {
    section: usize,
    key: String,
    /// From 1; 0 for the key itself.
    entry: usize,
}

/// The number of what ends a list.
const END: usize = usize::MAX;

/// A line of a file.
#[derive(Debug)]
struct Row<'t> {
    text: &'t str,
    /// What begins on it.
    subjects: Vec<Subject>,
    /// From where on it is a comment.
    comment: Option<usize>,
    /// Whether a text of many lines goes on behind it.
    is_in_text: bool,
}

/// A comment, with what it is about.
struct Comment<'t> {
    subject: Subject,
    text: &'t str,
    /// Whether it stands behind that on its line, or on a line of its own before it.
    is_behind: bool,
}

/// The comments of a file, without that of its first line, which says what the file is.
pub fn of(text: &str) -> impl Iterator<Item = &str> {
    comments(text).into_iter().map(|comment| comment.text)
}

/// A file's text as it is written now, with the comments of the file as it was; without that of its first line, which
/// says what the file is.
pub(super) fn kept(before: &str, now: &str) -> String {
    let rows = rows(now);
    // Sections can come and go before others.
    let (old_names, new_names) = (section_names(before), section_names(now));
    let section_now = |old: usize| {
        let name = old_names.get(old)?;
        new_names.iter().position(|other| other == name)
    };
    let begin = rows.iter().enumerate().flat_map(|(number, row)| row.subjects.iter().map(move |one| (one, number)));
    let places: BTreeMap<&Subject, usize> = begin.collect();
    let near = |subject: &Subject| {
        let key = Subject { entry: 0, ..subject.clone() };
        let (first, place) = places.range::<&Subject, _>(&key..).next()?;
        ((first.section, &first.key) == (key.section, &key.key)).then_some(*place)
    };
    let (mut above, mut behind) = (vec![Vec::new(); rows.len() + 1], vec![Vec::new(); rows.len()]);
    for Comment { mut subject, text, is_behind } in comments(before) {
        subject.section = section_now(subject.section).unwrap_or(END);
        let exact = places.get(&subject).copied();
        match exact.filter(|place| is_behind && !rows[*place].is_in_text) {
            Some(place) => behind[place].push(text),
            // Below everything stands what was about something that is gone.
            None => above[exact.or_else(|| near(&subject)).unwrap_or(rows.len())].push(text),
        }
    }
    let mut text = String::with_capacity(before.len().max(now.len()));
    for ((row, above), behind) in rows.iter().zip(&above).zip(&behind) {
        let indent =
            if row.text.starts_with(']') { "  " } else { &row.text[..row.text.len() - row.text.trim_start().len()] };
        above.iter().for_each(|comment| text.extend([indent, comment, "\n"]));
        text.push_str(row.text);
        behind.iter().for_each(|comment| text.extend(["  ", comment]));
        text.push('\n');
    }
    above[rows.len()].iter().for_each(|comment| text.extend([comment, "\n"]));
    text
}

/// What the sections of a text are called, the one before all headers first: the header, and the path that one of several
/// with that header gives; with a number where that is the same.
fn section_names(text: &str) -> Vec<(String, String, usize)> {
    let mut names = vec![(String::new(), String::new())];
    for row in rows(text) {
        // Blanks make no other section of it: `[ result ]`, `path  = "a"`.
        let code: String = row.text[..row.comment.unwrap_or(row.text.len())].split_whitespace().collect();
        for subject in row.subjects.iter().filter(|subject| subject.entry == 0) {
            match (&*subject.key, names.last_mut()) {
                ("", _) => names.push((code.clone(), String::new())),
                ("path", Some((_, path))) => path.clone_from(&code),
                _ => {}
            }
        }
    }
    let count = |end: usize| names[..end].iter().filter(|name| **name == names[end]).count();
    names.iter().enumerate().map(|(at, (header, path))| (header.clone(), path.clone(), count(at))).collect()
}

/// The comments of a text, but for that of its first line.
fn comments(text: &str) -> Vec<Comment<'_>> {
    let mut found: Vec<Comment> = Vec::new();
    // What the comments from this one on stand before is not known yet.
    let mut waiting = 0;
    let mut last = Subject::default();
    for (number, row) in rows(text).into_iter().enumerate() {
        if let Some(first) = row.subjects.first() {
            found[waiting..].iter_mut().for_each(|comment| comment.subject.clone_from(first));
            waiting = found.len();
        }
        last = row.subjects.into_iter().next_back().unwrap_or(last);
        let Some((code, text)) = row.comment.filter(|_| number > 0).map(|at| row.text.split_at(at)) else { continue };
        let (text, is_behind) = (text.trim_end(), !code.trim().is_empty());
        let subject = if is_behind { last.clone() } else { Subject { section: END, ..Subject::default() } };
        found.push(Comment { subject, text, is_behind });
        if is_behind {
            waiting = found.len();
        }
    }
    found
}

/// The lines of a text in TOML.
fn rows(text: &str) -> Vec<Row<'_>> {
    let mut reader = Reader::default();
    text.lines().map(|line| reader.row(line)).collect()
}

/// Where in a text in TOML a reader is.
#[derive(Default)]
struct Reader {
    /// The section and the key that it is in, and how many entries of that have begun.
    at: Subject,
    /// What ends the quotation that it is in.
    quotes: Option<&'static str>,
    /// How many brackets are open.
    depth: usize,
    /// Whether an entry begins with whatever comes next.
    awaits_entry: bool,
}

impl Reader {
    fn row<'t>(&mut self, text: &'t str) -> Row<'t> {
        let mut row = Row { text, subjects: Vec::new(), comment: None, is_in_text: false };
        let mut at = if self.quotes.is_none() && self.depth == 0 { self.begin(text, &mut row) } else { 0 };
        while let Some(letter) = text[at..].chars().next() {
            if self.quotes.is_none() && letter == '#' {
                row.comment = Some(at);
                break;
            }
            at += self.step(&text[at..], letter, &mut row);
        }
        // Only quotations of three quotes go on behind the end of a line.
        self.quotes = self.quotes.filter(|quotes| quotes.len() == 3);
        row.is_in_text = self.quotes.is_some();
        row
    }

    /// Reads what a line begins with: a section's name or a key. Gives where it goes on.
    fn begin(&mut self, line: &str, row: &mut Row<'_>) -> usize {
        let begun = line.trim_start();
        if begun.is_empty() || begun.starts_with('#') {
            return 0;
        }
        if begun.starts_with('[') {
            self.at = Subject { section: self.at.section + 1, ..Subject::default() };
            row.subjects.push(self.at.clone());
            return line.find('#').unwrap_or(line.len());
        }
        let Some(equals) = line.find('=') else { return 0 };
        let key = line[..equals].trim().trim_matches(['"', '\'']).to_owned();
        self.at = Subject { section: self.at.section, key, entry: 0 };
        row.subjects.push(self.at.clone());
        equals + 1
    }

    /// Reads one letter, or as many as belong together; gives how long they are.
    fn step(&mut self, rest: &str, letter: char, row: &mut Row<'_>) -> usize {
        if let Some(quotes) = self.quotes {
            return match letter {
                '\\' if quotes.starts_with('"') => 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
                _ if rest.starts_with(quotes) => {
                    self.quotes = None;
                    // A text may end in quotes of its own, which stand before those that end it.
                    let run = rest.len() - rest.trim_start_matches(letter).len();
                    if quotes.len() == 3 { run } else { 1 }
                }
                _ => letter.len_utf8(),
            };
        }
        let is_entry = self.depth == 1 && self.awaits_entry && !letter.is_whitespace() && !",]}".contains(letter);
        if is_entry {
            self.awaits_entry = false;
            self.at.entry += 1;
            row.subjects.push(self.at.clone());
        }
        match letter {
            '"' | '\'' => {
                let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| rest.starts_with(quotes));
                self.quotes = quotes;
                return quotes.map_or(1, str::len);
            }
            '[' | '{' => {
                self.awaits_entry = self.depth == 0;
                self.depth += 1;
            }
            ']' | '}' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    row.subjects.push(Subject { entry: END, ..self.at.clone() });
                }
            }
            ',' if self.depth == 1 => self.awaits_entry = true,
            _ => {}
        }
        letter.len_utf8()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "# now\nformat = 2\nset = []\nlog = [\n  [1, \"a\", \"#\"],\n  [2, \"b\", 3],\n]\n\n[result]\nover = true\n\
                       course = [\n  [1, 1, 4],\n]\n\n[[rules]]\npath = \"x\"\ntext = '''\n# no comment\n'''\n\n[check]\nhash = \"y\"\n";

    #[track_caller]
    fn becomes(before: &str, after: &str) {
        assert_eq!(kept(before, NOW), after);
        assert_eq!(kept(after, NOW), after, "once more");
    }

    #[test]
    fn a_comment_stays_with_what_it_is_about() {
        let before = "# before\n# from Ada\nformat = 1 # old\nset = [] # none\nlog = [ # moves\n  # a mistake\n\
                      [1, \"a\", \"#\"], [2, \"b\",\n 3], # why?\n  # the end\n]\n\n# it came to this\n[result] # so far\n\
                      over = false\ncourse = [\n  # nothing\n]\n[[rules]]\n# a path\npath = \"x\" # mine\ntext = \"\"\"\n\
                      # nothing \\\"\"\"\" # mine too\n[check]\nhash = \"z\" # wrong\n# bye\n";
        let after = "# now\n# from Ada\nformat = 2  # old\nset = []  # none\nlog = [  # moves\n  # a mistake\n  \
                     [1, \"a\", \"#\"],\n  [2, \"b\", 3],  # why?\n  # the end\n]\n\n# it came to this\n[result]  # so far\n\
                     over = true\ncourse = [\n  [1, 1, 4],\n  # nothing\n]\n\n[[rules]]\n# a path\npath = \"x\"  # mine\n\
                     # mine too\ntext = '''\n# no comment\n'''\n\n[check]\nhash = \"y\"  # wrong\n# bye\n";
        becomes(before, after);
    }

    #[test]
    fn a_section_that_comes_or_goes_takes_no_comment_of_another() {
        let before =
            "# before\nformat = 1\n# of b\n[[ rules ]]\npath   = \"b\" # b\n\n[check]\nhash = \"z\" # the sum\n";
        let now = "# now\nformat = 2\n\n[result]\nover = true\n\n[[rules]]\npath = \"a\"\n\n[[rules]]\npath = \"b\"\n\n\
                   [check]\nhash = \"y\"\n";
        let after = "# now\nformat = 2\n\n[result]\nover = true\n\n[[rules]]\npath = \"a\"\n\n# of b\n[[rules]]\n\
                     path = \"b\"  # b\n\n[check]\nhash = \"y\"  # the sum\n";
        assert_eq!(kept(before, now), after);
        let without = "# without\nformat = 2\n\n[[rules]]\npath = \"b\"\n\n[check]\nhash = \"z\"\n";
        let back =
            "# without\nformat = 2\n\n# of b\n[[rules]]\npath = \"b\"  # b\n\n[check]\nhash = \"z\"  # the sum\n";
        assert_eq!(kept(after, without), back);
    }

    #[test]
    fn what_a_comment_was_about_may_be_gone() {
        let before =
            "# before\nlog = [\n  [1], # one\n  [2],\n  [3], # three\n]\n[a]\n[b]\n[c]\n[d]\n# of e\n[e]\nf = 1 # f\n";
        let after = kept(before, NOW);
        for comment in ["  [1, \"a\", \"#\"],  # one\n", "# three\n", "# of e\n", "# f\n"] {
            assert!(after.contains(comment), "no {comment:?} in\n{after}");
        }
        assert_eq!(after.parse::<toml::Table>(), NOW.parse::<toml::Table>());
    }

    #[test]
    fn a_file_without_comments_is_as_it_is_written() {
        becomes("", NOW);
        becomes("# before\nformat = 1\n\n\n", NOW);
        becomes(NOW, NOW);
    }
}
