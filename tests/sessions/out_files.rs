//! Files that commands write: pages, tables, packs, traces. Whatever writes one takes the same paths.

use super::*;
use std::fs::File;

/// Every command that writes a file, up to the path; and what such a file begins with.
const WRITERS: [(&[&str], &str); 12] = [
    (&["replay", "g.toml", "--html"], "<!doctype html>\n<!-- houserule: game -->"),
    (&["doc", "pig", "--html"], "<!doctype html>\n<!-- houserule: rulebook -->"),
    (&["doc", "pig", "--md"], "<!-- houserule: rulebook -->"),
    (&["print", "pig", "--only", "dice", "-o"], "<!doctype html>\n<!-- houserule: sheets -->"),
    (&["sim", "pig", "-n", "3", "--html"], "<!doctype html>\n<!-- houserule: report -->"),
    (&["sim", "pig", "-n", "3", "--csv"], "seed,ending,"),
    (&["sim", "pig", "-n", "3", "--out"], "{\"houserule-part\":"),
    (&["sim", "pig", "-n", "3", "--coverage", "--lcov"], "TN:houserule"),
    (&["compare", "pig", "-n", "3", "--set", "pig.target=50", "--html"], "<!doctype html>\n<!-- houserule: report -->"),
    (&["pack", "pig", "--unchecked", "-o"], "# A pack of rules"),
    (&["trace", "pig", "-s", "1", "--out"], "{\"type\":\"start\""),
    (&["play", "pig", "--picture"], "<svg"),
];

/// With a saved game in it.
fn folder() -> Folder {
    let folder = Folder::new();
    says(&told_in(&folder, &["play", "pig", "-s", "1"], "auto 3\nsave g.toml\n"), 0, &["saved 3 moves"]);
    folder
}

/// The exit code and standard error of a command whose standard output is a file.
fn into_file(folder: &Folder, args: &[&str], file: &str) -> (i32, String) {
    let mut command = program(folder);
    command.args(args).stdin(Stdio::null()).stderr(Stdio::piped());
    let output = command.stdout(File::create(folder.0.join(file)).unwrap()).output().unwrap();
    (output.status.code().unwrap_or(-1), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn an_empty_file_may_be_written_to_and_no_other() {
    let folder = folder();
    for (args, beginning) in WRITERS {
        let to = |file| [args, &[file]].concat();
        folder.write("out", "");
        let told = told_in(&folder, &to("out"), "");
        assert!(
            told.code == 0 && folder.read("out").starts_with(beginning),
            "{args:?}: {}{}",
            told.stdout,
            told.stderr
        );
        // Its own it writes again, and a diary never.
        assert_eq!(told_in(&folder, &to("out"), "").code, 0, "{args:?}");
        folder.write("diary", "Dear diary");
        let told = told_in(&folder, &to("diary"), "");
        assert!(told.code == 2 && told.stderr.contains("already exists"), "{args:?}: {}", told.stderr);
        assert!(told.stderr.contains("--force") && folder.read("diary") == "Dear diary", "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn no_file_is_where_standard_output_goes() {
    let folder = folder();
    for (args, _) in WRITERS {
        let (code, told) = into_file(&folder, &[args, &["same"]].concat(), "same");
        assert!(code == 2 && told.contains("`same` is where standard output goes"), "{args:?}: {code} {told}");
    }
}

#[test]
fn a_dash_is_standard_output_which_the_file_has_for_itself() {
    let folder = folder();
    for (args, beginning) in WRITERS {
        let args = [args, &["-"]].concat();
        let told = told_in(&folder, &args, "");
        assert!(told.code == 0 && told.stdout.starts_with(beginning), "{args:?}: {}{}", told.stdout, told.stderr);
        for other in ["wrote ", "games of pig", "The game is over"] {
            assert!(!told.stdout.contains(other), "{args:?}: {other} in {}", told.stdout);
        }
        // What else is said goes to standard error.
        if args[0] == "sim" || args[0] == "compare" {
            assert!(told.stderr.contains("3 games"), "{args:?}: {}", told.stderr);
        }
        assert!(!folder.0.join("-").exists(), "{args:?}");
    }
    let twice = told_in(&folder, &["sim", "pig", "-n", "3", "--csv", "-", "--coverage", "--lcov", "/dev/stdout"], "");
    assert!(twice.code == 2 && twice.stderr.contains("standard output is named twice"), "{}", twice.stderr);
}

/// `houserule replay g.toml --html > g.html`: the shell has just made the file that the page is to go to.
#[test]
fn a_page_goes_where_the_shell_sends_it() {
    let folder = folder();
    for (args, beginning) in
        [WRITERS[0], WRITERS[1], WRITERS[2], (&["pack", "pig", "--unchecked"], "# A pack of rules")]
    {
        for file in ["g.html", "page", "pig.html", "pig.md", "pig.pack.toml"] {
            let (code, error) = into_file(&folder, args, file);
            let page = folder.read(file);
            assert!(code == 0 && page.starts_with(beginning) && page.len() > 500, "{args:?} > {file}: {error}\n{page}");
            assert!(!page.contains("wrote "), "{args:?} > {file}: {page}");
            std::fs::remove_file(folder.0.join(file)).unwrap();
        }
        let left = |name: &str| folder.0.join(name).exists();
        assert!(!left("g.html") && !left("pig.html") && !left("pig.md") && !left("pig.pack.toml"), "{args:?}");
    }
    // Where two files are asked for, none is the one that is meant.
    let (code, _) = into_file(&folder, &["doc", "pig", "--html", "--md"], "log");
    assert!(code == 0 && folder.read("log").contains("wrote pig.html") && folder.read("log").contains("wrote pig.md"));
}
