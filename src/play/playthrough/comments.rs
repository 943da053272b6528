//! Preserves the comments of a TOML file that the program rewrites: each comment stays with its subject.
//!
//! The subject is a key, an entry of a list or a section: the one on the comment's line, or else the next one after it.

use crate::sorted::SortedMap;

/// The subject of a comment: a section (by index, 0 before all headers), a key in it, and an entry of the key's list.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Subject {
    section: usize,
    key: String,
    /// Number of the list entry, from 1; 0 for the key itself.
    entry: usize,
}

/// The entry number that stands for the end of a list.
const END: usize = usize::MAX;

/// A line of a file.
#[derive(Debug)]
struct Row<'t> {
    text: &'t str,
    /// The subjects that begin on this line.
    subjects: Vec<Subject>,
    /// Where the comment begins, as a byte offset.
    comment: Option<usize>,
    /// Whether a multi-line string goes on after the line.
    is_in_text: bool,
}

struct Comment<'t> {
    subject: Subject,
    text: &'t str,
    /// Whether the comment follows its subject on the same line, rather than on a line of its own before.
    is_behind: bool,
}

/// The comments of a file, except that of the first line, which names the file format.
pub fn of(text: &str) -> impl Iterator<Item = &str> {
    comments(text).into_iter().map(|comment| comment.text)
}

/// The new text `now` of a file with the comments of its old text `before`, except that of the first line, which names
/// the file format.
pub(super) fn kept(before: &str, now: &str) -> String {
    let rows = rows(now);
    // Sections may have been added or removed before others.
    let (old_names, new_names) = (section_names(before), section_names(now));
    let section_now = |old: usize| {
        let name = old_names.get(old)?;
        new_names.iter().position(|other| other == name)
    };
    let begin = rows.iter().enumerate().flat_map(|(number, row)| row.subjects.iter().map(move |one| (one, number)));
    let places: SortedMap<&Subject, usize> = begin.collect();
    let near = |subject: &Subject| {
        let key = Subject { entry: 0, ..subject.clone() };
        let (first, place) = places.range_from(&&key).next()?;
        ((first.section, &first.key) == (key.section, &key.key)).then_some(*place)
    };
    let (mut above, mut behind) = (vec![Vec::new(); rows.len() + 1], vec![Vec::new(); rows.len()]);
    for Comment { mut subject, text, is_behind } in comments(before) {
        subject.section = section_now(subject.section).unwrap_or(END);
        let exact = places.get(&subject).copied();
        match exact.filter(|place| is_behind && !rows[*place].is_in_text) {
            Some(place) => behind[place].push(text),
            // Comments on something that is gone go to the end.
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

/// The names of the sections of a text, the one before all headers first: the header, the `path` key that distinguishes
/// sections with the same header, and a number where both are the same.
fn section_names(text: &str) -> Vec<(String, String, usize)> {
    let mut names = vec![(String::new(), String::new())];
    for row in rows(text) {
        // Spaces do not matter: `[ result ]`, `path  = "a"`.
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

/// The comments of a text, except that of the first line.
fn comments(text: &str) -> Vec<Comment<'_>> {
    let mut found: Vec<Comment> = Vec::new();
    // The comments from this index on still lack a subject.
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

/// The state of a line-by-line reader of TOML.
#[derive(Default)]
struct Reader {
    /// The current section, key and number of list entries begun.
    at: Subject,
    /// The quotes that end the current string.
    quotes: Option<&'static str>,
    /// The number of open brackets.
    depth: usize,
    /// Whether the next token begins a list entry.
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
        // Only strings in triple quotes go on after the end of a line.
        self.quotes = self.quotes.filter(|quotes| quotes.len() == 3);
        row.is_in_text = self.quotes.is_some();
        row
    }

    /// Reads the section header or key that a line begins with. Returns the byte offset behind it.
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

    /// Reads one token, `letter` or a longer one. Returns its length in bytes.
    fn step(&mut self, rest: &str, letter: char, row: &mut Row<'_>) -> usize {
        if let Some(quotes) = self.quotes {
            return match letter {
                '\\' if quotes.starts_with('"') => 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
                _ if rest.starts_with(quotes) => {
                    self.quotes = None;
                    // A string may end in quotes of its own, right before the closing quotes.
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
