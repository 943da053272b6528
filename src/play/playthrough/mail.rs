//! Saved games sent by mail: written in lines that no mail program breaks, and found again among the words around them.
//!
//! Mail programs quote lines, wrap long ones, double line ends, and strip spaces. Each of these is undone on trial, and
//! the game's checksum tells whether the result is right. So nothing is guessed: a text that matches in none of these
//! ways is read as it is, and reported as changed.

use super::replay::{FILE, Replay, ReplayFile};
use crate::diagnostic::{Diagnostic, Diagnostics, Source, message, visible, wrap_lines};

/// The longest line written, in characters; some mail programs break longer ones.
const COLUMNS: usize = 72;

/// The prefix of a checksum.
const HASH: &str = "blake3:";

/// The number of hexadecimal digits of a checksum.
const HASH_DIGITS: usize = 64;

/// The most saved games looked for in a text, counted from its end.
const MAX_GAMES_IN_TEXT: usize = 20;

/// The most possible ends tried for each saved game.
const MAX_ENDS_PER_GAME: usize = 4;

/// The largest text, in bytes, whose broken lines are rejoined, since that takes many trials.
const MAX_REJOINED_BYTES: usize = 256 << 10;

/// The advice for a text that a mail has changed.
const RESEND_HELP: &str = "ask for the file that `bug FILE` writes, attached to the mail";

/// TOML with its lines broken to fit a mail where TOML allows it. It must hold no multi-line strings.
pub(super) fn narrow(toml: &str) -> String {
    toml.lines().map(|line| broken(line) + "\n").collect()
}

/// A comment, wrapped to fit a mail.
pub(super) fn remark(text: &str) -> String {
    let text = visible(text);
    let bare = text.trim();
    if bare.is_empty() {
        return "#\n".to_owned();
    }
    let indent = (text.trim_end().len() - bare.len()).min(COLUMNS / 2);
    let lines = wrap_lines(bare, COLUMNS - "# ".len() - indent);
    lines.lines().map(|line| format!("# {:indent$}{line}", "").trim_end().to_owned() + "\n").collect()
}

/// Reads the saved game in a received text, whatever stands around it; the last intact one, if there are several. A
/// text without one is read as if it was one itself.
///
/// # Errors
/// As [`Replay::parse`]; or the end of the game is missing.
pub(super) fn read(text: &str, name: &str) -> Result<ReplayFile, Diagnostics> {
    let mut text = text.replace("\r\n", "\n").replace('\r', "\n");
    if !text.contains(FILE.beginning) {
        text = text.replace('\u{a0}', " ");
    }
    let lines: Vec<&str> = text.lines().collect();
    let starts = starts(&lines);
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let found = starts.iter().zip(ends).filter_map(|(start, end)| Some((*start, lines.get(*start..end)?)));
    let mut read: Vec<Result<ReplayFile, Diagnostics>> =
        found.map(|(start, lines)| PastedGame::new(lines, start, name).read()).collect();
    let is_whole = |one: &Result<ReplayFile, Diagnostics>| one.as_ref().is_ok_and(|file| file.warnings.is_empty());
    let best = read.iter().rposition(is_whole).or_else(|| read.iter().rposition(Result::is_ok));
    let count = read.len();
    let Some(best) = best.or(count.checked_sub(1)) else { return Replay::parse(&Source::new(name, &text)) };
    let mut file = read.remove(best)?;
    let is_same = |one: &ReplayFile| one.replay == file.replay;
    let (before, later) = read.split_at(best);
    // A broken game was sent again, if it comes first.
    if !before.iter().flatten().all(is_same) || !later.iter().all(|one| one.as_ref().is_ok_and(is_same)) {
        let line = starts.get(best).map_or(1, |start| start + 1);
        let message =
            message!("there are {count} saved games in this text; the one that begins in line {line} is used");
        file.warnings.push(Diagnostic::warning(message).help("paste one of them alone to use another"));
    }
    Ok(file)
}

/// A line of TOML, broken to fit a mail: lists after a comma, checksums before their digits.
fn broken(line: &str) -> String {
    if line.chars().count() <= COLUMNS {
        return line.to_owned();
    }
    if let Some((before, rest)) = line.split_once("\"blake3:")
        && let Some(digits) = rest.strip_suffix('"')
        && digits.len() == HASH_DIGITS
    {
        return format!("{before}\"\"\"{HASH}\\\n  {digits}\"\"\"");
    }
    let (mut lines, mut used) = (String::new(), 0);
    for piece in pieces(line) {
        if used > 0 && used + piece.trim_end().chars().count() > COLUMNS {
            lines.truncate(lines.trim_end().len());
            lines.push_str("\n    ");
            used = 4;
        }
        lines.push_str(piece);
        used += piece.chars().count();
    }
    lines
}

/// The pieces of a line of TOML between which it may be broken: after the commas of lists.
fn pieces(line: &str) -> Vec<&str> {
    let (mut pieces, mut open, mut start, mut at) = (Vec::new(), Vec::new(), 0, 0);
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let letter = rest.chars().next().unwrap_or_default();
        match letter {
            '[' | '{' => open.push(letter),
            ']' | '}' => drop(open.pop()),
            _ => {}
        }
        at += if matches!(letter, '"' | '\'') { string_length(rest) } else { letter.len_utf8() };
        if rest.starts_with(", ") && open.last() == Some(&'[') {
            at += 1;
            pieces.extend(line.get(start..at));
            start = at;
        }
    }
    pieces.extend(line.get(start..));
    pieces
}

/// The length in bytes of the string that a text begins with.
fn string_length(text: &str) -> usize {
    for quotes in ["\"\"\"", "'''"] {
        if let Some(inside) = text.strip_prefix(quotes) {
            return inside.find(quotes).map_or(text.len(), |end| end + 2 * quotes.len());
        }
    }
    let mut letters = text.char_indices();
    let quote = letters.next().map(|(_, quote)| quote);
    while let Some((at, letter)) = letters.next() {
        if Some(letter) == quote {
            return at + 1;
        }
        if letter == '\\' && quote == Some('"') {
            letters.next();
        }
    }
    text.len()
}

/// The lines at which saved games begin. A line that only mentions the beginning does not count.
fn starts(lines: &[&str]) -> Vec<usize> {
    let marked: Vec<usize> =
        lines.iter().enumerate().filter(|(_, line)| line.contains(FILE.beginning)).map(|(at, _)| at).collect();
    let ends = marked.iter().skip(1).copied().chain([lines.len()]);
    let has_format = |(start, end): &(usize, usize)| {
        lines.get(*start..*end).is_some_and(|lines| lines.iter().any(|line| format_in(line).is_some()))
    };
    let found: Vec<usize> = marked.iter().copied().zip(ends).filter(has_format).map(|(start, _)| start).collect();
    let found = if found.is_empty() { marked.into_iter().next_back().into_iter().collect() } else { found };
    let beyond = found.len().saturating_sub(MAX_GAMES_IN_TEXT);
    found.into_iter().skip(beyond).collect()
}

/// The margin of a line that holds the key `format`; `None` where more than quote marks stands before the key.
fn format_in(line: &str) -> Option<&str> {
    let (before, behind) = line.split_once("format")?;
    (is_margin(before) && behind.trim_start().starts_with('=')).then_some(before)
}

/// Whether a mail program may have put `text` before a line.
fn is_margin(text: &str) -> bool {
    text.chars().all(|letter| letter.is_whitespace() || matches!(letter, '>' | '|'))
}

/// A part of a text in which a saved game begins.
struct PastedGame<'a> {
    name: &'a str,
    /// The number of lines before the part.
    before: usize,
    /// The lines of the part without margin; above the key `format`, only comments are kept.
    lines: Vec<String>,
}

impl<'a> PastedGame<'a> {
    fn new(lines: &[&str], before: usize, name: &'a str) -> Self {
        let first = lines.first().copied().unwrap_or_default();
        let margin = first.split(FILE.beginning).next().filter(|margin| is_margin(margin));
        let margin = margin.or_else(|| lines.iter().find_map(|line| format_in(line))).unwrap_or_default();
        let mut lines: Vec<String> = lines.iter().map(|line| without(line, margin).to_owned()).collect();
        let head = lines.iter().position(|line| format_in(line).is_some()).unwrap_or(0);
        // Wrapped comments, and text before the game on its first line, are no part of the game.
        for line in lines.iter_mut().take(head) {
            match line.find(FILE.beginning) {
                Some(start) => *line = line.split_off(start),
                None if line.trim_start().starts_with('#') => {}
                None => line.clear(),
            }
        }
        Self { name, before, lines }
    }

    fn read(&self) -> Result<ReplayFile, Diagnostics> {
        let checks = self.lines.iter().enumerate().filter(|(_, line)| line.trim() == "[check]").map(|(at, _)| at);
        let ends: Vec<(usize, Option<String>)> =
            checks.map(|at| (at, self.lines.get(at + 1..).and_then(digits))).collect();
        let with_hash = ends.iter().filter(|(_, digits)| digits.is_some()).take(MAX_ENDS_PER_GAME);
        let mut ends: Vec<&(usize, Option<String>)> = with_hash.chain(ends.first()).collect();
        ends.dedup();
        let mut best: Option<Result<ReplayFile, Diagnostics>> = None;
        for (end, digits) in ends {
            match self.read_to(*end, digits.as_deref()) {
                Ok(whole) if whole.warnings.is_empty() => return Ok(whole),
                read if best.as_ref().is_none_or(|best| best.is_err() && read.is_ok()) => best = Some(read),
                _ => {}
            }
        }
        best.unwrap_or_else(|| self.read_to(self.lines.len(), None).map_err(|_| self.cut_off().into()))
    }

    /// Parses the first `end` lines as the game, with `digits` as its checksum.
    fn read_to(&self, end: usize, digits: Option<&str>) -> Result<ReplayFile, Diagnostics> {
        let lines = self.lines.get(..end).unwrap_or_default();
        let check = digits.map(|digits| format!("[check]\nhash = \"{HASH}{digits}\"\n")).unwrap_or_default();
        let parse = |lines: &[String]| {
            let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>() + check.as_str();
            Replay::parse(&Source::within(self.name, self.before, text))
        };
        let mut best = parse(lines);
        if best.as_ref().is_ok_and(|file| file.warnings.is_empty()) {
            return best;
        }
        let plain: Vec<String> = lines.iter().map(|line| line.replace('\u{a0}', " ").trim_end().to_owned()).collect();
        // Every second line is dropped, if all of those are empty.
        let is_doubled = plain.len() > 4 && plain.iter().skip(1).step_by(2).all(String::is_empty);
        let single: Option<Vec<String>> = is_doubled.then(|| plain.iter().step_by(2).cloned().collect());
        for lines in [Some(&plain), single.as_ref()].into_iter().flatten() {
            match parse(lines) {
                Ok(file) if file.warnings.is_empty() => return Ok(file),
                read if best.is_err() => best = read,
                _ => {}
            }
        }
        let all = single.as_deref().unwrap_or(&plain);
        let joined = ways_to_join(lines, all).into_iter().filter_map(|lines| parse(&lines).ok());
        if let Some(whole) = joined.into_iter().find(|file| file.warnings.is_empty()) {
            return Ok(whole);
        }
        best.map_err(|errors| self.changed(errors))
    }

    /// Adds to the errors of a changed text what its author can do.
    fn changed(&self, errors: Diagnostics) -> Diagnostics {
        let is_broken = errors.first().message.starts_with("not a saved game");
        let Some(place) = errors.first().place.as_ref().filter(|_| is_broken) else { return errors };
        let line = place.position().0;
        let help = message!("the mail has broken or changed line {line}, or the one before it");
        errors.help(help).help(RESEND_HELP)
    }

    fn cut_off(&self) -> Diagnostic {
        let line = self.before + 1;
        let error =
            Diagnostic::new(message!("the saved game that begins in line {line} has no end: `[check]` and its hash"));
        error.help("copy all of it").help(RESEND_HELP)
    }
}

/// A line without the margin that the mail has put before it.
fn without<'l>(line: &'l str, margin: &str) -> &'l str {
    let bare = margin.trim_end();
    if let Some(line) = line.strip_prefix(margin) {
        line
    } else if bare.starts_with(line.trim_end()) {
        // Before an empty line, the margin loses its trailing spaces.
        ""
    } else {
        line.strip_prefix(bare).unwrap_or(line)
    }
}

/// The digits of the checksum in the lines below `[check]`; `None` where some are missing.
fn digits(lines: &[String]) -> Option<String> {
    let mut lines = lines.iter().skip_while(|line| line.trim().is_empty()).take(6).peekable();
    lines.peek().filter(|line| line.trim_start().starts_with("hash"))?;
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    let behind = text.split_once(HASH)?.1.chars();
    let digits = behind.filter(|letter| !letter.is_whitespace() && *letter != '\\').take(HASH_DIGITS);
    let digits: String = digits.take_while(char::is_ascii_hexdigit).collect();
    (digits.len() == HASH_DIGITS).then_some(digits)
}

/// The lines as they may have been before a mail program wrapped them, for each plausible width.
fn ways_to_join(lines: &[String], plain: &[String]) -> Vec<Vec<String>> {
    if plain.iter().map(String::len).sum::<usize>() > MAX_REJOINED_BYTES {
        return Vec::new();
    }
    let longest = plain.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let widths = [longest].into_iter().chain((COLUMNS - 12..=COLUMNS + 8).rev().filter(|width| *width != longest));
    let mut ways: Vec<Vec<String>> = Vec::new();
    for width in widths {
        let blank = |_: &str| " ";
        let blank_but_behind_hyphens = |before: &str| if before.ends_with('-') { "" } else { " " };
        // Where trailing spaces were left, they show which line breaks are wraps.
        let nothing = |_: &str| "";
        let tried = [
            joined(plain, width, &blank),
            joined(plain, width, &blank_but_behind_hyphens),
            joined(lines, width, &nothing),
        ];
        ways.extend(tried.into_iter().flatten());
    }
    ways.dedup();
    ways
}

/// The beginnings of lines that hold a key of a saved game.
const KEYS: [&str; 14] = [
    "format   = ",
    "game     = ",
    "variants = ",
    "set      = ",
    "players  = ",
    "seed     = ",
    "ruleset  =",
    "log = [",
    "over   = ",
    "scores = [",
    "course = [",
    "path = ",
    "text = ",
    "hash = ",
];

/// The lines, each joined to the one before if its first word had no room there; `None` where none is joined.
fn joined(lines: &[String], width: usize, between: &dyn Fn(&str) -> &'static str) -> Option<Vec<String>> {
    let mut whole: Vec<String> = Vec::with_capacity(lines.len());
    let mut used = 0;
    for line in lines {
        let word = line.split(' ').next().unwrap_or_default().chars().count();
        let begins_anew =
            word == 0 || line.starts_with('\t') || used == 0 || KEYS.iter().any(|key| line.starts_with(key));
        match whole.last_mut().filter(|_| !begins_anew && used + 1 + word > width) {
            Some(before) => {
                let between = between(before);
                before.push_str(between);
                before.push_str(line);
            }
            None => whole.push(line.clone()),
        }
        used = line.trim_end().chars().count();
    }
    (whole.len() < lines.len()).then_some(whole)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::definition::RuleFile;
    use crate::playthrough::chosen_value::ChosenValue;
    use crate::playthrough::log::{Entry, LogEntry, Purpose};
    use crate::playthrough::replay::ReplayResult;
    use crate::ruleset::Selection;

    /// A game with long lines of every kind, and with rules.
    fn example(seed: u64) -> Replay {
        let labels = (0..30).map(|number| ChosenValue::Name(format!("card \"{number}\", of [hearts]"))).collect();
        let text = "// nine and twenty words that stand in one line of a script which no mail program leaves alone\n\
                    fn turn(p) {\n    p.award(2, \"lucky\"); // and one that is indented, which is longer than a mail is wide\n\n}\n";
        Replay {
            selection: Selection {
                game: "high-card".to_owned(),
                variants: (0..9).map(|number| format!("variant-{number}")).collect(),
                set: vec!["double.bonus=a\u{202e}b".to_owned(), "x.y={ a = [1, 2], b = 'c, d' }".repeat(2)],
            },
            ruleset: format!("{HASH}{}", "0123456789abcdef".repeat(4)),
            players: 3,
            seed,
            log: [
                Entry::Choice { seat: None, prompt: "discard".into(), purpose: Purpose::Plain, chosen: labels },
                Entry::Rig { stream: "shuffle face_down".to_owned(), result: vec!["14".to_owned(); 40] },
            ]
            .map(LogEntry::from)
            .to_vec(),
            result: Some(ReplayResult { over: false, scores: vec![1, 2, 3], course: None }),
            playtest: Default::default(),
            rules: vec![RuleFile { path: "scripts/lucky.rhai".to_owned(), text: text.to_owned() }],
        }
    }

    fn mailed(replay: &Replay) -> String {
        replay.to_toml_with(["rules  high-card", &"remark ".repeat(20), "  | ^^^ here", "", &"x".repeat(200)])
    }

    /// The lines as a mail program wraps them at a width.
    fn wrapped_at(text: &str, width: usize) -> String {
        let broken = |line: &str| {
            let (mut lines, mut used) = (String::new(), 0);
            for (number, word) in line.split(' ').enumerate() {
                let length = word.chars().count();
                if number > 0 && used + 1 + length > width && !lines.trim().is_empty() {
                    lines.push('\n');
                    used = 0;
                } else if number > 0 {
                    lines.push(' ');
                    used += 1;
                }
                lines.push_str(word);
                used += length;
            }
            lines + "\n"
        };
        text.lines().map(broken).collect()
    }

    fn each(text: &str, change: impl Fn(&str) -> String) -> String {
        text.lines().map(|line| change(line) + "\n").collect()
    }

    #[track_caller]
    fn is_read(mail: &str, replay: &Replay) {
        let file = read(mail, "mail").unwrap_or_else(|errors| unreachable!("{errors}\n{mail}"));
        assert!(file.warnings.is_empty(), "{:?}\n{mail}", file.warnings);
        assert_eq!(file.replay, *replay, "{mail}");
    }

    #[test]
    fn every_line_of_a_mailed_game_is_narrow_where_toml_allows_it() {
        let replay = example(7);
        let text = mailed(&replay);
        let (facts, rules) = text.split_once("[[rules]]").unwrap_or_default();
        let check = rules.split_once("[check]").unwrap_or_default().1;
        for line in facts.lines().chain(check.lines()) {
            assert!(line.chars().count() <= COLUMNS, "{line}\n{text}");
        }
        assert!(text.chars().all(|letter| letter != '\u{202e}'), "{text}");
        is_read(&text, &replay);
        let small = Replay { rules: Vec::new(), selection: Selection::of("pig"), log: Vec::new(), ..replay };
        assert_eq!(small.to_toml_with(["rules  pig"]).lines().nth(1), Some("# rules  pig"));
    }

    #[test]
    fn a_saved_game_is_found_in_what_a_mail_makes_of_it() {
        let replay = example(7);
        for text in [mailed(&replay), replay.to_toml()] {
            for mail in [
                text.clone(),
                format!("Hi,\nsee below.\n\n{text}\nPS: the line\n[check]\nhash = \"none\"\nis odd, too. Ada\n"),
                each(&text, |line| format!("> {line}").trim_end().to_owned() + "\r"),
                each(&text, |line| format!("    {line}")),
                each(&text, |line| format!(">{line}")),
                each(&text, |line| format!("> > {line}   ")),
                each(&text, |line| format!("{line}  \u{a0}")),
                each(&text, |line| line.replace(' ', "\u{a0}")),
                text.replace('\n', "\n\n"),
                text.replace('\n', "\r"),
                format!("I saw: {text}"),
                format!("> I saw: {}", each(&text, |line| format!("> {line}")).trim_start_matches("> ")),
                format!("It begins with # A game saved by houserule 0.1.0. See:\n\n{text}"),
                text.replace("[check]\n", "[check]\n\n"),
                format!("{} see you\n", text.trim_end()),
                format!("caf\u{fffd}\n{text}\u{fffd}"),
                format!("{text}\n\nOn Monday Bob wrote:\n{}", each(&text, |line| format!("> {line}"))),
                format!("{}\nsorry, again:\n\n{text}", &text[..text.find("log = ").unwrap_or(0)]),
            ] {
                is_read(&mail, &replay);
            }
            for width in [66, 72, 76, 78] {
                is_read(&wrapped_at(&text, width), &replay);
                is_read(&each(&wrapped_at(&text, width), |line| format!("> {line}")), &replay);
            }
        }
    }

    #[test]
    fn of_several_games_the_last_whole_one_is_used_and_that_is_said() {
        let (one, two) = (example(1), example(2));
        let (first, second) = (mailed(&one), mailed(&two));
        let cut = &second[..second.find("log = ").unwrap_or(0)];
        for (mail, wanted) in [(format!("{first}\n{second}"), &two), (format!("{first}\n{cut}"), &one)] {
            let file = read(&mail, "mail").unwrap_or_else(|errors| unreachable!("{errors}"));
            assert_eq!(file.replay, *wanted);
            let said: Vec<&str> = file.warnings.iter().map(|warning| &*warning.message).collect();
            assert!(matches!(said[..], [said] if said.starts_with("there are 2 saved games in this text")), "{said:?}");
        }
    }

    #[test]
    fn what_cannot_be_mended_is_told_with_its_line() {
        let text = mailed(&example(7));
        let told = |mail: &str| read(mail, "mail").map(|_| ()).map_err(|errors| errors.to_string()).unwrap_err();
        let cut = told(&format!("Hi,\n{}", &text[..text.find("log = ").unwrap_or(0)]));
        assert!(cut.contains("the saved game that begins in line 2 has no end"), "{cut}");
        let mail = format!("Hi,\n{}", text.replace("players  = 3", "players  = \u{201d}3"));
        let line = mail.lines().position(|line| line.contains('\u{201d}')).unwrap_or(0) + 1;
        let broken = told(&mail);
        assert!(broken.contains(&format!("mail:{line}:")), "{broken}");
        assert!(broken.contains(&format!("the mail has broken or changed line {line}")), "{broken}");
        assert!(told("hello\n").contains("mail:1:"));
        for odd in ["", "# A game saved by houserule ", &"# A game saved by houserule 0\n".repeat(10_000)] {
            told(odd);
        }
    }
}
