//! The walls of the house, which `src/lib.rs` states: who may know whom, and what stands in one place alone. What the
//! core may not touch of a computer is held elsewhere: by its build without the host, and by lints (`clippy.toml`).

use houserule::Language;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Every room with those that it may know, from the ground up. A room stands below all that know it.
const ROOMS: [(&str, &[&str]); 29] = [
    (COLLECTIONS, &[]),
    ("compressed", &[]),
    ("catalogue", &["compressed"]),
    ("diagnostic", &["catalogue"]),
    ("json", &["diagnostic"]),
    ("files", &["diagnostic"]),
    ("work", &["diagnostic"]),
    ("definition", &["catalogue", "diagnostic", "files"]),
    ("table", &["diagnostic", "definition"]),
    ("ruleset", &["diagnostic", "definition", "table"]),
    ("script", &["diagnostic", "work", "definition", "table", "ruleset"]),
    ("playthrough", &["diagnostic", "files", "work", "definition", "table", "ruleset", "script"]),
    ("agent", &["diagnostic", "work", "table", "script", "playthrough"]),
    ("scenario", &["diagnostic", "files", "work", "definition", "table", "ruleset", "script", "playthrough", "agent"]),
    (
        "prose",
        &["catalogue", "diagnostic", "work", "definition", "table", "ruleset", "script", "playthrough", "scenario"],
    ),
    (
        "inspect",
        &[
            "catalogue",
            "diagnostic",
            "json",
            "files",
            "work",
            "definition",
            "table",
            "ruleset",
            "script",
            "playthrough",
            "agent",
            "prose",
        ],
    ),
    (
        "lab",
        &[
            "diagnostic",
            "files",
            "work",
            "definition",
            "table",
            "ruleset",
            "script",
            "playthrough",
            "agent",
            "inspect",
            "scenario",
        ],
    ),
    (
        "screen",
        &[
            "catalogue",
            "diagnostic",
            "files",
            "definition",
            "table",
            "ruleset",
            "script",
            "playthrough",
            "prose",
            "inspect",
            "lab",
        ],
    ),
    (
        "share",
        &[
            "catalogue",
            "diagnostic",
            "files",
            "work",
            "definition",
            "ruleset",
            "script",
            "playthrough",
            "agent",
            "inspect",
            "scenario",
        ],
    ),
    ("shipped", &["compressed", "diagnostic", "files", "definition"]),
    (
        "workspace",
        &[
            "catalogue",
            "diagnostic",
            "files",
            "work",
            "definition",
            "table",
            "ruleset",
            "script",
            "playthrough",
            "inspect",
            "scenario",
            "lab",
            "share",
            "screen",
        ],
    ),
    (
        "session",
        &[
            "catalogue",
            "diagnostic",
            "files",
            "work",
            "definition",
            "table",
            "ruleset",
            "script",
            "playthrough",
            "agent",
            "prose",
            "inspect",
            "scenario",
            "lab",
            "screen",
            "workspace",
        ],
    ),
    ("live", &["catalogue", "diagnostic", "files", "definition", "table", "playthrough", "screen", "session"]),
    ("host", &["catalogue", "diagnostic", "files", "work", "definition", "share", "shipped", "screen", "session"]),
    ("serve", &["catalogue", "diagnostic", "definition", "table", "screen", "session", "live"]),
    (
        "repl",
        &[
            "catalogue",
            "diagnostic",
            "files",
            "definition",
            "playthrough",
            "screen",
            "session",
            "work",
            "host",
            "serve",
        ],
    ),
    (
        "dap",
        &[
            "catalogue",
            "diagnostic",
            "work",
            "definition",
            "files",
            "table",
            "ruleset",
            "script",
            "playthrough",
            "agent",
            "inspect",
            "scenario",
            "screen",
            "session",
            "host",
        ],
    ),
    ("lsp", &["catalogue", "definition", "diagnostic", "files", "host", "ruleset", "script", "work", "workspace"]),
    (
        "cli",
        &[
            "catalogue",
            "diagnostic",
            "json",
            "files",
            "work",
            "definition",
            "table",
            "ruleset",
            "script",
            "playthrough",
            "agent",
            "inspect",
            "scenario",
            "lab",
            "share",
            "shipped",
            "screen",
            "session",
            "host",
            "repl",
            "dap",
            "lsp",
        ],
    ),
];

/// What every room may use, as it uses the standard library.
const COLLECTIONS: &str = "sorted";

/// The packages below the program, from the ground up, with their rooms.
const PACKAGES: [(&str, &[&str]); 3] = [
    (
        "engine",
        &[
            COLLECTIONS,
            "compressed",
            "catalogue",
            "diagnostic",
            "json",
            "files",
            "work",
            "definition",
            "table",
            "ruleset",
            "script",
        ],
    ),
    ("play", &["playthrough", "agent", "inspect", "prose", "scenario", "lab"]),
    ("screen", &["screen"]),
];

/// The rooms that only a program on somebody's computer has.
const HOST: [&str; 6] = ["cli", "dap", "host", "lsp", "repl", "serve"];

/// Where Rhai's evaluator runs the same rules for tests.
const REFERENCE: &str = "script/reference/";

/// A file below `src/`: its path there or in its package, what stands in it apart from comments and tests, and its tests.
struct File {
    path: String,
    code: String,
    tests: String,
}

impl File {
    fn room(&self) -> &str {
        self.path.split('/').next().unwrap().trim_end_matches(".rs")
    }

    fn is_core(&self) -> bool {
        let room = self.room();
        !HOST.contains(&room) && ROOMS.iter().any(|(name, _)| *name == room) && !self.path.starts_with(REFERENCE)
    }
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every file below `src/`, in order.
fn files() -> Vec<File> {
    let mut folders = vec![source()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(source()).unwrap().to_string_lossy().replace('\\', "/");
                let Some(name) = in_its_package(&name) else { continue };
                let text = fs::read_to_string(&path).unwrap();
                let tests = text.split_once("mod tests {\n").map_or("", |(_, tests)| tests).to_owned();
                files.push(File { path: name.to_owned(), code: code_of(&text), tests });
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    assert!(files.len() > 100, "{} files", files.len());
    files
}

/// The path of a file in its package; `None` for what a package has beside its rooms.
fn in_its_package(path: &str) -> Option<&str> {
    let below = PACKAGES.iter().find_map(|(package, rooms)| {
        let within = path.strip_prefix(package)?.strip_prefix('/')?;
        let is_a_room = **rooms == [*package];
        Some((within, if is_a_room { path } else { within }))
    });
    match below {
        Some((within, path)) => (!["build.rs", "lib.rs"].contains(&within)).then_some(path),
        None => (path != "build.rs").then_some(path),
    }
}

/// A file without its comments and without the tests at its end.
fn code_of(text: &str) -> String {
    let lines = text.lines().take_while(|line| !line.ends_with("mod tests {"));
    lines.filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// The names that follow a path such as `crate::`, also where several stand between braces.
fn names_behind<'a>(code: &'a str, path: &'a str) -> impl Iterator<Item = &'a str> {
    let name = |text: &'a str| {
        let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
        &text[..end]
    };
    code.match_indices(path).flat_map(move |(at, _)| {
        let rest = &code[at + path.len()..];
        match rest.strip_prefix('{') {
            Some(list) => list[..list.find("};").unwrap()].split(',').map(|part| name(part.trim())).collect(),
            None => vec![name(rest)],
        }
    })
}

#[track_caller]
fn assert_none(found: Vec<String>, what: &str) {
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

#[test]
fn every_room_knows_only_rooms_below_it() {
    let mut below = BTreeSet::new();
    for (room, may_know) in ROOMS {
        let unknown: Vec<_> = may_know.iter().filter(|known| !below.contains(*known)).collect();
        assert!(unknown.is_empty(), "{room} stands below {unknown:?}");
        below.insert(room);
    }
    let rooms: BTreeMap<&str, &[&str]> = ROOMS.into_iter().collect();
    let mut wrong = Vec::new();
    let mut known: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for file in files().iter().filter(|file| !["lib.rs", "main.rs"].contains(&&*file.path)) {
        let Some((&room, may_know)) = rooms.get_key_value(file.room()) else {
            wrong.push(format!("{} is in no room that is listed here", file.path));
            continue;
        };
        for name in names_behind(&file.code, "crate::").filter(|name| ![room, COLLECTIONS].contains(name)) {
            known.entry(room).or_default().insert(name.to_owned());
            if !may_know.contains(&name) {
                wrong.push(format!("{} knows `{name}`", file.path));
            }
        }
        // From the root of a room `super` is the house, and there is one way to name a room.
        let is_root = !file.path.contains('/') || file.path.ends_with(&format!("{room}/mod.rs"));
        if is_root && file.path.matches('/').count() < 2 && file.code.contains("super::") {
            wrong.push(format!("{} names a room by `super::`", file.path));
        }
    }
    assert_none(wrong, "rooms that know what they may not");
    // What is allowed is needed: the list is no longer than the truth.
    for (room, may_know) in ROOMS {
        let needed = known.remove(room).unwrap_or_default();
        let idle: Vec<_> = may_know.iter().filter(|name| !needed.contains(**name)).collect();
        assert!(idle.is_empty(), "{room} may know {idle:?}, and does not");
    }
}

#[test]
fn the_map_shows_every_room_in_this_order() {
    let map = fs::read_to_string(source().join("lib.rs")).unwrap();
    let at = |room: &str| {
        map.find(&format!("\n//! `{room}` ")).unwrap_or_else(|| panic!("no paragraph begins with `{room}`"))
    };
    let places: Vec<usize> = ROOMS.iter().map(|(room, _)| at(room)).collect();
    assert!(places.is_sorted(), "{places:?}");
    let lists = map.split("\nrooms! {\n").skip(1).map(|list| &list[..list.find("\n}\n").unwrap()]);
    let declared: BTreeSet<&str> =
        lists.flat_map(str::lines).map(str::trim).filter(|line| !line.starts_with('#')).collect();
    let below: BTreeSet<&str> = PACKAGES.iter().flat_map(|(_, rooms)| rooms.iter().copied()).collect();
    let all: BTreeSet<&str> = ROOMS.iter().map(|(room, _)| *room).collect();
    assert_eq!(declared, &all - &below);
    for (package, rooms) in PACKAGES {
        let root = fs::read_to_string(source().join(package).join("lib.rs")).unwrap();
        let there: BTreeSet<&str> =
            root.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
        assert_eq!(there, rooms.iter().copied().collect(), "{package}");
    }
    let (_, formatted) = map.split_once("\nmod formatted {\n").unwrap();
    let formatted = formatted.lines().take_while(|line| *line != "}");
    let formatted = formatted.map(|line| line.trim().trim_start_matches("mod ").trim_end_matches(';')).collect();
    assert_eq!(declared, formatted, "`cargo fmt` finds every room");
}

#[test]
fn the_readme_shows_every_room_from_the_roof_down() {
    let readme = fs::read_to_string(source().with_file_name("README.md")).unwrap();
    let (_, map) = readme.split_once("\n## The map of the source\n").unwrap();
    let rows = map.lines().filter_map(|line| line.strip_prefix("| `")).filter(|row| !row.starts_with("src/"));
    let name = |part: &str| part.trim_matches([' ', '`']).trim_end_matches(".rs").trim_end_matches('/').to_owned();
    let shown: Vec<String> = rows.flat_map(|row| row.split(" | ").next().unwrap().split(", ")).map(name).collect();
    let rooms = ROOMS.iter().rev().map(|(room, _)| (*room).to_owned());
    assert_eq!(shown, std::iter::once("main".to_owned()).chain(rooms).collect::<Vec<_>>());
}

#[test]
fn only_what_reads_scripts_knows_the_parsers_tree() {
    let readers = [
        "script/layering.rs",
        "script/layering/name_uses.rs",
        "script/layering/scan.rs",
        "script/layering/typed.rs",
        "script/parse_errors.rs",
        "script/parse_errors/wording.rs",
        "script/parser.rs",
        "script/read.rs",
        "script/read/parser_tree.rs",
        "script/token_tap.rs",
    ];
    let knows = |file: &&File| file.code.contains("rhai::") || file.code.contains("use rhai;");
    let all = files();
    let known: Vec<&str> = all.iter().filter(knows).map(|file| &*file.path).collect();
    let known: Vec<&str> = known.into_iter().filter(|path| !path.starts_with(REFERENCE)).collect();
    assert_eq!(known, readers);
}

/// What differs between languages is in their rows in the catalogue, and the keys of their texts are in the table of keys.
#[test]
fn no_code_knows_a_language_but_english() {
    let mut found = Vec::new();
    for file in files().iter().filter(|file| file.room() != "catalogue" && file.path != "definition/keys/table.rs") {
        for language in Language::translations() {
            let names = [format!("Language::{language:?}"), format!("{:?}", language.code())];
            found.extend(
                names.iter().filter(|name| file.code.contains(*name)).map(|name| format!("{}: {name}", file.path)),
            );
        }
    }
    assert_none(found, "code that names a language");
}

#[test]
fn no_code_knows_a_game() {
    let games = fs::read_dir(source().with_file_name("games")).unwrap();
    let games: Vec<String> = games.map(|game| game.unwrap().file_name().into_string().unwrap()).collect();
    assert!(games.len() > 3, "{games:?}");
    let mut found = Vec::new();
    for file in files() {
        // The examples of a command are run by a test, in a real game.
        let lines = file.code.lines().filter(|line| !line.trim_start().starts_with("examples: "));
        for (line, game) in lines.flat_map(|line| games.iter().map(move |game| (line, game))) {
            let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
            let is_named = line.match_indices(&**game).any(|(at, _)| {
                !is_part(line[..at].chars().next_back()) && !is_part(line[at + game.len()..].chars().next())
            });
            if is_named {
                found.push(format!("{}: {line}", file.path));
            }
        }
    }
    assert_none(found, "code that names a game");
}

#[test]
fn output_is_written_in_one_place() {
    let doors = ["host/file.rs", "host/output.rs", "host/terminal.rs", "host/terminal/counter.rs"];
    // Whether somebody reads there, and how the terminal is put back where a signal ends the session.
    let others = ["host/output/closed.rs", "repl/signals.rs"];
    let all = files();
    let writes =
        |file: &&File| ["::stdout()", "::stderr()", "print!", "println!"].iter().any(|word| file.code.contains(word));
    let mut known: Vec<&str> = [&doors[..], &others[..]].concat();
    known.sort_unstable();
    assert_eq!(all.iter().filter(writes).map(|file| &*file.path).collect::<Vec<_>>(), known);
}

/// Whoever runs a command writes what it gives; a command counts on the terminal how far it is, and no more. `play` and
/// `trace` go on with what writes for itself, a file can go to standard output, and what is wrong with a line is told before there is a command.
#[test]
fn commands_return_what_they_have_to_say() {
    let writers = [
        "cli/choose.rs",
        "cli/mod.rs",
        "cli/out_file.rs",
        "cli/play.rs",
        "cli/printout.rs",
        "cli/trace.rs",
        "cli/usage.rs",
    ];
    let mut found = Vec::new();
    for file in files().iter().filter(|file| file.path.starts_with("session/commands/") || file.room() == "cli") {
        let used =
            file.code.match_indices("terminal.").filter(|(at, _)| !file.code[*at..].starts_with("terminal.counter("));
        let is_known = file.path.starts_with("session/") && file.code.contains("host::terminal");
        let writes = used.count() > 0 || file.code.contains("host::output");
        if writes && !writers.contains(&&*file.path) || is_known {
            found.push(file.path.clone());
        }
    }
    assert_none(found, "commands that write");
}

#[test]
fn nothing_in_the_core_outlasts_a_run_and_changes() {
    let mut found = Vec::new();
    // In what language a person is told of a game decides nothing of it.
    let is_meant = |file: &&File| file.is_core() && file.room() != "catalogue";
    for file in files().iter().filter(is_meant) {
        for line in file.code.lines() {
            let is_static = line.trim_start().trim_start_matches("pub ").starts_with("static ");
            let changes = ["Atomic", "Mutex", "RwLock", "Cell", "Once", "mut "].iter().any(|word| line.contains(word));
            if is_static && changes || line.contains("thread_local") || line.contains("global_allocator") {
                found.push(format!("{}: {line}", file.path));
            }
        }
    }
    assert_none(found, "globals that change");
}

#[test]
fn whatever_fails_says_why_in_one_way() {
    let others = ["Box<Diagnostic>", "Result<(), Diagnostic>", ", Vec<Diagnostic>>", "Err(vec!["];
    let mut found = Vec::new();
    for file in files() {
        let lines = file.code.lines().filter(|line| {
            others.iter().any(|other| line.contains(other))
                || line.contains("Result<") && line.contains(", Diagnostic>")
        });
        found.extend(lines.map(|line| format!("{}: {}", file.path, line.trim())));
    }
    assert_none(found, "what fails with other than `Diagnostics`, which is never empty");
}

/// They run in the build without the host too.
#[test]
fn tests_in_the_core_need_no_host() {
    let host = ["Disk::library(", "Disk::discover(", "tempfile", "crate::host", "crate::repl", "crate::cli"];
    let needs = |file: &File| host.iter().find(|word| file.tests.contains(**word)).copied();
    let found = files().into_iter().filter(File::is_core).filter_map(|file| Some((needs(&file)?, file)));
    let found = found.map(|(word, file)| format!("{}: `{word}`; games for tests are in `crate::games`", file.path));
    assert_none(found.collect(), "tests of the core that need the host");
}

/// The lints hold what they hold only as long as nobody switches them off, and the core is what is built without the
/// host only as long as it is the same there.
#[test]
fn what_holds_the_core_is_switched_off_nowhere_in_it() {
    let mut off = BTreeSet::new();
    let mut by_feature = BTreeSet::new();
    for file in files() {
        if file.code.contains("clippy::disallowed") || file.code.contains("iter_over_hash_type") {
            off.insert(file.path.clone());
        }
        // What the reference needs is no part of the product.
        let is_host = |line: &str| line.contains("feature = \"host\"") && !line.contains("feature = \"reference\"");
        if file.code.lines().any(is_host) {
            by_feature.insert(file.path.clone());
        }
    }
    assert_eq!(Vec::from_iter(off), ["catalogue/reader.rs", "lib.rs", "script/mod.rs", "script/read.rs"]);
    assert_eq!(Vec::from_iter(by_feature), ["lib.rs"]);
    let map = fs::read_to_string(source().join("lib.rs")).unwrap();
    assert_eq!(map.matches("#[allow(").count(), HOST.len());
    let (_, host) = map.split_once("#[cfg(feature = \"host\")]\nrooms! {\n").unwrap();
    let lines: Vec<&str> = host.lines().map(str::trim).take_while(|line| *line != "}").collect();
    let rooms: Vec<&str> = lines.iter().copied().skip(1).step_by(2).collect();
    assert_eq!(rooms, HOST);
    let allowed = lines.iter().step_by(2).all(|line| line.starts_with("#[allow(clippy::disallowed_methods"));
    assert!(allowed && lines.len() == 2 * HOST.len(), "{lines:?}");
}
