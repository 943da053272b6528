//! The catalogue of texts: everything that the program says to a person is in it, in each language, and nothing else.

use houserule::Language;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Texts of the sources with several words that nobody reads as such: code, markup, names of files.
const UNSAID: &str = include_str!("unsaid.txt");

/// A text in the sources.
struct Written {
    place: String,
    text: String,
}

/// Every file of Rust below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("build.rs") {
            found.push(path);
        }
    }
}

/// The texts of a file in quotation marks, each with what stands before it; nothing of comments.
fn texts(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(letter) = code[at..].chars().next() {
        let rest = &code[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if letter == '\'' {
            at += character(rest).unwrap_or(1);
        } else if let Some((marks, from)) =
            raw(rest).filter(|_| !code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_'))
        {
            let end = format!("\"{}", "#".repeat(marks));
            let to = rest[from..].find(&end).unwrap() + from;
            found.push((at, rest[from..to].to_owned()));
            at += to + end.len();
        } else if letter == '"' {
            let mut to = 1;
            while !rest[to..].starts_with('"') {
                let skipped = if rest[to..].starts_with('\\') { 2 } else { 1 };
                to += rest[to..].chars().take(skipped).map(char::len_utf8).sum::<usize>();
            }
            found.push((at, read(&rest[1..to])));
            at += to + 1;
        } else {
            at += letter.len_utf8();
        }
    }
    found
}

/// How long the character is that a text begins with, in its marks; a lifetime is none.
fn character(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    let end = match inside.strip_prefix('\\') {
        Some(escaped) => escaped.char_indices().skip(1).find(|(_, letter)| *letter == '\'')?.0 + 1,
        None => inside.chars().next()?.len_utf8(),
    };
    inside[end..].starts_with('\'').then_some(end + 2)
}

/// How many marks a raw text has, and where it begins.
fn raw(rest: &str) -> Option<(usize, usize)> {
    let behind = rest.strip_prefix('b').unwrap_or(rest).strip_prefix('r')?;
    let marks = behind.chars().take_while(|letter| *letter == '#').count();
    behind[marks..].starts_with('"').then(|| (marks, rest.len() - behind.len() + marks + 1))
}

/// What a text in quotation marks stands for.
fn read(written: &str) -> String {
    let mut text = String::new();
    let mut letters = written.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            text.push(letter);
            continue;
        }
        match letters.next().unwrap() {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            '0' => text.push('\0'),
            '\n' => while letters.next_if(|letter| letter.is_whitespace()).is_some() {},
            'u' => {
                let code: String = letters.by_ref().skip(1).take_while(|letter| *letter != '}').collect();
                text.push(char::from_u32(u32::from_str_radix(&code, 16).unwrap()).unwrap());
            }
            'x' => {
                let code: String = letters.by_ref().take(2).collect();
                text.push(char::from(u8::from_str_radix(&code, 16).unwrap()));
            }
            other => text.push(other),
        }
    }
    text
}

/// The words of a text, without what stands in holes and in backticks.
fn words(text: &str) -> usize {
    let mut plain = String::new();
    let mut is_code = false;
    let mut depth = 0;
    for letter in text.chars() {
        match letter {
            '`' => is_code = !is_code,
            '{' => depth += 1,
            '}' => depth = 0,
            _ if !is_code && depth == 0 => plain.push(letter),
            _ => plain.push(' '),
        }
    }
    plain.split(|letter: char| !letter.is_ascii_alphabetic() && letter != '\'').filter(|word| !word.is_empty()).count()
}

/// Whether a text is one that a person could read: several words.
fn is_sentence(text: &str) -> bool {
    text.contains(' ') && words(text) >= 2
}

/// What is never said to a person who uses the program: why a test or the program itself is wrong.
fn is_for_programmers(before: &str) -> bool {
    let Some((call, arguments)) = before.rsplit_once('(') else { return false };
    let names = ["expect", "unreachable!", "panic!", "assert!", "assert_eq!", "assert_ne!", "include_str!"];
    !arguments.contains('"') && names.iter().any(|name| call.ends_with(name))
}

/// The sources, each with its path below `src/` and without its tests.
fn sources() -> Vec<(String, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    files(&source, &mut paths);
    let read = |path: &PathBuf| {
        let code = std::fs::read_to_string(path).unwrap();
        let name = path.strip_prefix(&source).unwrap().to_string_lossy().into_owned();
        (name, code.split("mod tests {\n").next().unwrap().to_owned())
    };
    paths.iter().map(read).collect()
}

/// Every text of several words under `src/`, but for tests, attributes, markup, and the catalogue itself.
fn written() -> Vec<Written> {
    let mut found = Vec::new();
    for (name, code) in sources() {
        // Rhai's own evaluator is no part of the program.
        let is_known = ["engine/catalogue/", "engine/script/reference/"].iter().any(|folder| name.starts_with(folder));
        if name.contains("/tests/") || name.ends_with("tests.rs") || is_known {
            continue;
        }
        for (at, text) in texts(&code) {
            let line = code[..at].rsplit('\n').next().unwrap();
            let is_attribute = line.trim_start().starts_with("#[") || line.trim_start().starts_with("#![");
            let is_markup = text.trim_start().starts_with('<') || text.contains("</");
            if is_sentence(&text) && !is_attribute && !is_markup && !is_for_programmers(&code[..at]) {
                let number = code[..at].matches('\n').count() + 1;
                found.push(Written { place: format!("src/{name}:{number}"), text });
            }
        }
    }
    assert!(found.len() > 2_000, "{} texts", found.len());
    found
}

/// The entries of every language's catalogue: the room, the English text and its translation.
fn entries() -> impl Iterator<Item = (String, String, String)> {
    Language::translations().flat_map(Language::entries)
}

/// The texts that a catalogue lacks, each with the code of the language.
fn lacking(texts: impl IntoIterator<Item = (String, String)>) -> Vec<String> {
    let texts: Vec<(String, String)> = texts.into_iter().collect();
    let of = |language: Language| {
        let known: BTreeSet<String> = language.entries().map(|(_, english, _)| english).collect();
        let missing = texts.iter().filter(move |(_, text)| !known.contains(text));
        missing.map(move |(place, text)| format!("{}: {place}: {}", language.code(), on_one_line(text)))
    };
    Language::translations().flat_map(of).collect()
}

/// A text on one line, as the list of what is not said has it.
fn on_one_line(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

/// The names of the holes of a text.
fn holes(text: &str) -> Vec<String> {
    let text = text.replace("{{", "").replace("}}", "");
    let mut unnamed = 0;
    let mut names = Vec::new();
    for part in text.split('{').skip(1) {
        let Some((inside, _)) = part.split_once('}') else { continue };
        let (name, format) = inside.split_once(':').unwrap_or((inside, ""));
        if format.contains(' ') || !name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
            continue;
        }
        names.push(if name.is_empty() { unnamed.to_string() } else { name.to_owned() });
        unnamed += usize::from(name.is_empty());
    }
    names.sort();
    // A text may say a thing twice, and its translation once.
    names.dedup();
    names
}

#[test]
fn everything_that_is_said_is_in_the_catalogue() {
    let unsaid: BTreeSet<&str> = UNSAID.lines().collect();
    let mut said = written();
    said.retain(|one| !unsaid.contains(&*on_one_line(&one.text)));
    let missing = lacking(said.into_iter().map(|one| (one.place, one.text)));
    assert!(
        missing.is_empty(),
        "{} texts have no translation in src/engine/catalogue, and are not in tests/unsaid.txt:\n{}",
        missing.len(),
        missing.join("\n")
    );
}

#[test]
fn nothing_is_in_the_catalogue_that_is_not_said() {
    let written: BTreeSet<String> = written().into_iter().map(|one| one.text).collect();
    let stale = |(room, english, _): &(String, String, String)| {
        let is_sources = !["catalogue", "parsers", "command_line", "words", "vocabulary"].contains(&room.as_str());
        is_sources && is_sentence(english) && !written.contains(english)
    };
    let stale: Vec<String> = entries().filter(stale).map(|(room, english, _)| format!("{room}: {english}")).collect();
    assert!(stale.is_empty(), "{} texts of the catalogue are said nowhere:\n{}", stale.len(), stale.join("\n"));
    let written: BTreeSet<String> = written.iter().map(|text| on_one_line(text)).collect();
    let stale: Vec<&str> = UNSAID.lines().filter(|line| !written.contains(*line)).collect();
    assert!(stale.is_empty(), "{} lines of tests/unsaid.txt stand nowhere:\n{}", stale.len(), stale.join("\n"));
}

/// Whether a text is the first thing given to something of these names: `said("…")`, `say!(\n "…", …)`.
fn is_given_to(before: &str, names: &[&str]) -> bool {
    let before = before.trim_end().strip_suffix('(').unwrap_or_default();
    names.iter().any(|name| before.ends_with(name))
}

/// Drawing looks nothing up, so that no text of a game is ever translated: what the host says is `said` before.
#[test]
fn what_is_drawn_is_said() {
    let drawing =
        ["Line::plain", "Line::faint", "Line::strong", "Line::of", ".with", "wrapped", "paragraphs", "out.line"];
    let mut unsaid = Vec::new();
    for (name, code) in sources() {
        if !["screen/", "session/", "repl/", "cli/", "host/"].iter().any(|room| name.starts_with(room)) {
            continue;
        }
        for (at, text) in texts(&code) {
            let before = code[..at].trim_end();
            let outer = before.strip_suffix("format!(").map(|before| before.trim_end().trim_end_matches('&'));
            let is_drawn = is_given_to(outer.unwrap_or(before), &drawing);
            if is_drawn && words(&text) >= 1 && is_word(&text) {
                unsaid.push(format!("src/{name}:{}: {text}", code[..at].matches('\n').count() + 1));
            }
        }
    }
    assert!(unsaid.is_empty(), "say these with `said` or `say!`:\n{}", unsaid.join("\n"));
}

/// Whether a person reads something in a text: no option, place or name alone.
fn is_word(text: &str) -> bool {
    let plain: String = text.split('`').step_by(2).collect();
    let plain = plain.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest)).collect::<String>();
    plain.split(' ').any(|word| word.len() > 2 && word.chars().all(|letter| letter.is_ascii_alphabetic()))
}

#[test]
fn what_is_said_has_a_translation() {
    let mut said = Vec::new();
    for (name, code) in sources().into_iter().filter(|(name, _)| !name.starts_with("engine/catalogue/")) {
        for (at, text) in texts(&code) {
            let is_said = is_given_to(&code[..at], &["said", "say!"]);
            if is_said && text.chars().any(|letter| letter.is_ascii_alphabetic()) {
                said.push((format!("src/{name}:{}", code[..at].matches('\n').count() + 1), text));
            }
        }
    }
    let missing = lacking(said);
    assert!(missing.is_empty(), "src/engine/catalogue lacks:\n{}", missing.join("\n"));
}

/// The arguments of a macro behind its text, which ends at the beginning of `rest`.
fn arguments(rest: &str) -> Vec<&str> {
    let (mut found, mut begin, mut depth, mut at) = (Vec::new(), 0, 0, 0);
    while let Some(letter) = rest[at..].chars().next() {
        match letter {
            '\'' => at += character(&rest[at..]).map_or(0, |length| length - 1),
            '"' => {
                let text = rest[at + 1..].replace("\\\\", "__").replace("\\\"", "__");
                at += 1 + text.find('"').unwrap();
            }
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(rest[begin..at].trim());
                begin = at + 1;
            }
            _ => {}
        }
        at += letter.len_utf8();
    }
    found.push(rest[begin..at].trim());
    found
}

/// The compiler makes a literal a part of the text that it fills, which is then another text than that of the catalogue.
#[test]
fn no_hole_is_filled_with_a_literal() {
    let is_literal = |argument: &str| {
        let is_text = argument.starts_with('"') && argument.ends_with('"');
        is_text || argument.parse::<f64>().is_ok() || argument.starts_with("env!")
    };
    let mut filled = Vec::new();
    for (name, code) in sources() {
        for (at, _) in texts(&code).into_iter().filter(|(at, _)| is_given_to(&code[..*at], &["message!", "say!"])) {
            let behind = code[at..].replacen("\\\"", "__", usize::MAX);
            let end = 1 + behind[1..].find('"').unwrap() + 1;
            let arguments = arguments(&behind[end..]);
            let literal = arguments
                .iter()
                .map(|one| one.split_once(" = ").map_or(*one, |(_, value)| value))
                .find(|one| is_literal(one));
            filled.extend(literal.map(|literal| format!("src/{name}: {literal} in {}", &behind[..end])));
        }
    }
    assert!(filled.is_empty(), "{}", filled.join("\n"));
}

/// Words alone are said somewhere too: as a text of the sources, or as what is counted.
#[test]
fn no_word_of_the_catalogue_is_left_over() {
    let mut written: BTreeSet<String> = BTreeSet::new();
    for (_, code) in sources().into_iter().filter(|(name, _)| !name.starts_with("engine/catalogue/")) {
        written.extend(texts(&code).into_iter().map(|(_, text)| text));
    }
    let is_counted = |english: &str| {
        let what = english
            .strip_prefix("1 ")
            .or_else(|| english.strip_prefix("{} "))
            .or_else(|| english.strip_prefix("{count} "));
        what.is_some_and(|what| written.contains(what) || written.contains(what.trim_end_matches('s')))
    };
    // What the system says, in lower case; and what is put together of a word and its article or its plural.
    let is_of_system =
        |english: &str| english.contains("directory") || english.contains("file ") || english == "permission denied";
    let is_put_together = |english: &str| {
        let bare = english.trim_start_matches("a ").trim_start_matches("an ");
        written.contains(bare)
            || written.contains(bare.trim_end_matches('s'))
            || written.contains(&bare.replace("ies", "y"))
    };
    let stale = |(room, english, _): &(String, String, String)| {
        room == "words"
            && !written.contains(english)
            && !is_counted(english)
            && !is_of_system(english)
            && !is_put_together(english)
    };
    let stale: Vec<String> = entries().filter(stale).map(|(_, english, _)| english).collect();
    assert!(stale.is_empty(), "{} words are said nowhere:\n{}", stale.len(), stale.join("\n"));
}

/// The program leaves out a file that it cannot read, with all its texts.
#[test]
fn every_file_of_the_catalogue_can_be_read() {
    for language in Language::translations() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine/catalogue").join(language.code());
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            let read: Result<toml::Table, _> = std::fs::read_to_string(&path).unwrap().parse();
            assert!(read.is_ok(), "{}: {}", path.display(), read.unwrap_err());
        }
    }
}

#[test]
fn a_translation_has_the_holes_of_its_text() {
    for language in Language::translations() {
        let mut places: BTreeMap<String, String> = BTreeMap::new();
        for (room, english, told) in language.entries() {
            assert_eq!(holes(&english), holes(&told), "{room}: {english}\n{told}");
            assert!(!told.trim().is_empty(), "{room}: {english}");
            let before = places.insert(english.clone(), room.clone());
            assert!(before.is_none(), "in {room} and {}: {english}", before.unwrap_or_default());
        }
    }
}

#[test]
fn every_word_of_the_vocabulary_is_explained() {
    let told: BTreeSet<String> = houserule::script::vocabulary::words().flat_map(|word| word.paragraphs()).collect();
    let missing = lacking(told.iter().map(|text| ("vocabulary.toml".to_owned(), text.clone())));
    assert!(missing.is_empty(), "src/engine/catalogue lacks {}:\n{missing:#?}", missing.len());
    let stale = |(room, english, _): &(String, String, String)| room == "vocabulary" && !told.contains(english);
    let stale: Vec<_> = entries().filter(stale).collect();
    assert!(stale.is_empty(), "{stale:#?}");
}
