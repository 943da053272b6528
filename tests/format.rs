//! Scripts and TOML files in the style of the house: the same to the parser, the same again, and as they are shipped.

use crate::differential::made_up_scripts;
use crate::shared::hostile_files;
use houserule::diagnostic::{Diagnostics, Source};
use houserule::parts::{format_rhai, format_toml};
use houserule::script::parser::Parser;
use houserule::script::tokens::{TokenKind, tokens};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// What is laid out in this project.
const SHIPPED: [&str; 6] = ["games", "variants", "scripts", "tests/scenarios", "docs/templates", "tests/designers"];

fn format(name: &str, text: &str) -> Result<String, Diagnostics> {
    if name.ends_with(".rhai") { format_rhai(name, text) } else { format_toml(name, text) }
}

#[track_caller]
fn formatted(name: &str, text: &str) -> String {
    format(name, text).unwrap_or_else(|errors| panic!("{text}\n{}", errors.render(false)))
}

/// The files with these endings below folders of this project.
fn files(folders: &[&str], endings: &[&str]) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut waiting: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).collect();
    let mut found = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if endings.iter().any(|ending| path.extension().is_some_and(|found| found == *ending))
            && let Ok(text) = fs::read_to_string(&path)
        {
            found.push((path.strip_prefix(root).unwrap().display().to_string(), Source::clean(&text).into_owned()));
        }
    }
    found.sort();
    found
}

/// What is between the tokens of a script, comments apart, made another: blanks doubled, lines moved to the left or right.
fn scrambled(script: &str) -> String {
    let mut column = 0;
    let written = pieces(script).into_iter().map(|(kind, text)| match kind {
        TokenKind::Blank if column == 0 => " ".repeat(text.len() % 3),
        TokenKind::Blank => {
            column += 1;
            format!(" {text}")
        }
        TokenKind::LineEnd => {
            column = 0;
            " \t\n".to_owned()
        }
        _ => {
            column += 1;
            text.to_owned()
        }
    });
    written.collect()
}

fn is_blank(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Blank | TokenKind::LineEnd)
}

/// The tokens of a script, as they are written.
fn pieces(script: &str) -> Vec<(TokenKind, &str)> {
    tokens(script).into_iter().map(|token| (token.kind, &script[token.span()])).collect()
}

/// The comments of a script.
fn comments(script: &str) -> Vec<&str> {
    let is_comment = |kind: TokenKind| kind.is_between() && !is_blank(kind);
    pieces(script).into_iter().filter(|(kind, _)| is_comment(*kind)).map(|(_, text)| text.trim_end()).collect()
}

/// Lays out a script, with everything that always holds.
#[track_caller]
fn lay_out(script: &str) -> String {
    let after = formatted("a.rhai", script);
    assert!(Parser::new(Arc::default()).has_same_tokens(script, &after), "not the same script:\n{script}\n{after}");
    assert_eq!(comments(script), comments(&after), "comments are lost");
    assert_eq!(formatted("a.rhai", &after), after, "not the same again");
    after
}

#[test]
fn what_is_shipped_stays_as_it_is() {
    for (name, text) in files(&SHIPPED, &["rhai", "toml"]) {
        assert_eq!(formatted(&name, &text), text, "{name}: `houserule fmt` lays it out");
    }
}

#[test]
fn what_is_shipped_comes_back_from_other_blanks() {
    for (name, script) in files(&SHIPPED, &["rhai"]) {
        assert_eq!(formatted(&name, &scrambled(&script)), script, "{name}");
        assert_eq!(formatted(&name, &format!("\n\n{}\n\n", script.replace("\n\n", "\n\n\n"))), script, "{name}");
    }
}

#[test]
fn everything_means_the_same_and_is_the_same_again() {
    let mut laid_out = 0;
    for (name, text) in files(&["docs", "games", "scripts", "tests", "variants"], &["rhai", "toml"]) {
        let Ok(after) = format(&name, &text) else { continue };
        laid_out += 1;
        assert_eq!(formatted(&name, &after), after, "{name}");
        if name.ends_with(".rhai") {
            lay_out(&text);
            lay_out(&scrambled(&text));
        } else {
            let values = |text: &str| text.parse::<toml::Table>();
            // A number that is too large is one of TOML all the same.
            let (Ok(mut before), Ok(mut after)) = (values(&text), values(&after)) else { continue };
            same_rules(&mut before, &mut after, &name);
            assert_eq!(before.to_string(), after.to_string(), "{name}");
        }
    }
    assert!(laid_out > 1_000, "{laid_out}");
}

/// Compares the scripts in two files of TOML, and takes them out.
#[track_caller]
fn same_rules(before: &mut toml::Table, after: &mut toml::Table, name: &str) {
    for (table, key) in [("script", "rhai"), ("when", "call")] {
        let rules = [&mut *before, &mut *after].map(|file| file.get_mut(table)?.as_table_mut()?.remove(key));
        if let [Some(toml::Value::String(before)), Some(toml::Value::String(after))] = rules {
            assert!(Parser::new(Arc::default()).has_same_tokens(&before, &after), "{name}");
        }
    }
}

#[test]
fn programs_that_are_made_up_mean_the_same() {
    for script in made_up_scripts(150) {
        let after = lay_out(&script);
        assert_eq!(lay_out(&scrambled(&script)), after);
        // On as few lines as there can be, and each token on a line of its own; `()` is one to the parser.
        let pieces = pieces(&script).into_iter().filter(|(kind, _)| !is_blank(*kind));
        let pieces: Vec<&str> = pieces.map(|(_, text)| text).collect();
        for between in [" ", "\n"] {
            lay_out(&pieces.join(between).replace(&format!("({between})"), "()"));
        }
    }
}

#[test]
fn scripts_are_laid_out_in_the_style_of_the_house() {
    for (before, after) in [
        ("", ""),
        ("\n\n// only a comment", "// only a comment\n"),
        ("fn f( ){ }fn g (a,b){a+b}", "fn f() {}\nfn g(a, b) { a + b }\n"),
        (
            "private   fn f(p)\n{\n\n\np.x=-1;\n\n\n\np.y=- -p.x;\n\n}\n\n\n",
            "private fn f(p) {\n    p.x = -1;\n\n    p.y = - -p.x;\n}\n",
        ),
        ("fn f() { a(); b();\nc() }", "fn f() {\n    a();\n    b();\n    c()\n}\n"),
        (
            "fn f() {\nif a{\nb}\nelse if c{d}\nelse{e}\n}",
            "fn f() {\n    if a {\n        b\n    } else if c { d }\n    else { e }\n}\n",
        ),
        (
            "fn f(p) {\nlet x=players\n.where(|q|q!=p&&\n!q.out)\n.map(| q,i|{\nq });\nx\n}",
            "fn f(p) {\n    let x = players\n        .where(|q| q != p &&\n            !q.out)\n        .map(|q, i| {\n            q\n        });\n    x\n}\n",
        ),
        (
            "fn f(x) {\nswitch x{1|2=>a(),-3..=4 if x>1=>{b();} _=>\nc(),\n}\n}",
            "fn f(x) {\n    switch x {\n        1 | 2 => a(),\n        -3..=4 if x > 1 => { b(); }\n        _ =>\n            c(),\n    }\n}\n",
        ),
        ("fn f(l) { l [0]=[ 1,2 , ] ;f ( l )  [1] }", "fn f(l) { l[0] = [1, 2,]; f(l)[1] }\n"),
        ("fn f() { if a { 1 } else { 2 } - 1; if a { } -1 }", "fn f() { if a { 1 } else { 2 } - 1; if a {} -1 }\n"),
        (
            "fn f() { g(||1,||{ 2 }); // why\n/* a\n   b */ let x=`  ${ 1+1 }  `; /* c */ x }",
            "fn f() {\n    g(|| 1, || { 2 }); // why\n    /* a\n   b */ let x = `  ${ 1+1 }  `; /* c */ x\n}\n",
        ),
        ("fn f() { \"手札 ,;{\" + '}'+`」`+\"a\"\"b\" }", "fn f() { \"手札 ,;{\" + '}' + `」` + \"a\"\"b\" }\n"),
        ("fn f() {\n    // first\n\n    // last\n}", "fn f() {\n    // first\n\n    // last\n}\n"),
        (
            "fn f() { for i in 0 .. n{x+=1 ;} while x<1{ } loop{ break } return }",
            "fn f() { for i in 0..n { x += 1; } while x < 1 {} loop { break } return }\n",
        ),
        ("fn f(x) {\nif x\n&& y\n{ a\n}\n}", "fn f(x) {\n    if x\n        && y {\n        a\n    }\n}\n"),
        (
            "fn f(x) {\nlet y =\nif x {\n1 } else {\n2 };\n}",
            "fn f(x) {\n    let y =\n        if x {\n            1\n        } else {\n            2\n        };\n}\n",
        ),
    ] {
        assert_eq!(lay_out(before), after, "{before}");
        // Windows.
        assert_eq!(
            formatted("a.rhai", &before.replace('\n', "\r\n")),
            if before.contains('\n') { after.replace('\n', "\r\n") } else { after.to_owned() }
        );
    }
    assert_eq!(formatted("a.rhai", "\u{feff}fn f(){}"), "\u{feff}fn f() {}\n");
}

#[test]
fn a_text_that_goes_on_behind_a_line_stays_with_its_script() {
    // How many blanks of the second line belong to the text depends on the column of its quote.
    let script = "fn f() {\nlet  x  =  \"a\\\n                    b\"; }";
    assert_eq!(lay_out(script), script);
}

#[test]
fn toml_is_laid_out_in_the_style_of_the_house() {
    for (before, after) in [
        ("", ""),
        ("\n\n  # a\n\n\n  # b  \n", "# a\n\n# b\n"),
        ("a=1\nbcd  =  2", "a = 1\nbcd = 2\n"),
        ("id    = 1\nname = 2\nabout = 3\nat = 4\n", "id    = 1\nname  = 2\nabout = 3\nat = 4\n"),
        // A column stays one, however long its keys get; who writes several blanks wants one.
        ("id   = 1\nlonger    = 2\nat  = 3\n", "id     = 1\nlonger = 2\nat     = 3\n"),
        ("houserule = '0.1'\nid    = 1\n# c\nabout = 2 # d\n", "houserule = '0.1'\nid    = 1\n# c\nabout = 2 # d\n"),
        ("'名前'   = 1\n'a'    = 2\n", "'名前' = 1\n'a'    = 2\n"),
        ("a = 1\n[ x . y ]\nb = 2\n\n\n\n[[ z ]] # w\n", "a = 1\n\n[x.y]\nb = 2\n\n[[z]] # w\n"),
        (
            "a = [1,2 ,\n 3 ,# c\n\n\n[ 4,\n5 ] ]\nb={x=1,y . z=[ ],}\nc={ }",
            "a = [1, 2,\n    3, # c\n\n    [4,\n        5]]\nb = { x = 1, y.z = [], }\nc = {}\n",
        ),
        ("d = 1979-05-27 07:32:00.5\ne = -1.5e3\n", "d = 1979-05-27 07:32:00.5\ne = -1.5e3\n"),
        ("t = '''\n  a  =  1\n'''\n", "t = '''\n  a  =  1\n'''\n"),
        // Rules in texts.
        ("[script]\nrhai = '''fn f( ){1}fn g(){}'''", "[script]\nrhai = '''\nfn f() { 1 }\nfn g() {}\n'''\n"),
        ("script.rhai = \"fn f( ){}\"\n", "script.rhai = \"fn f() {}\"\n"),
        ("script = { rhai = 'fn f( ){}' }\n", "script = { rhai = 'fn f() {}' }\n"),
        ("script.rhai = \"fn f( ){\\\"}\\\"}\"\n", "script.rhai = \"fn f( ){\\\"}\\\"}\"\n"),
        ("[when]\ncall = ' turn( p1 );turn(p2) '\n", "[when]\ncall = 'turn(p1); turn(p2)'\n"),
        ("[when]\ncall = '''\n turn( p1 );\nturn(p2)\n'''\n", "[when]\ncall = '''\nturn(p1);\nturn(p2)\n'''\n"),
        (
            "[[then]]\ngives = { 'f( p1 )' = '1+1', \"g( )\"=2 }\n",
            "[[then]]\ngives = { 'f(p1)' = '1+1', \"g()\" = 2 }\n",
        ),
        ("[then.gives]\n'f( 1,2 )'=1\n", "[then.gives]\n'f(1, 2)' = 1\n"),
        // What only looks like rules stays.
        ("[text]\ncall = 'ring -  ring'\nrhai = 'a,b'\n", "[text]\ncall = 'ring -  ring'\nrhai = 'a,b'\n"),
    ] {
        assert_eq!(formatted("a.toml", before), after, "{before}");
        assert_eq!(formatted("a.toml", after), after, "{before}");
        let on_windows = before.replace('\n', "\r\n");
        assert_eq!(formatted("a.toml", &on_windows).contains("\r\n"), before.contains('\n'), "{before}");
        assert_eq!(formatted("a.toml", &on_windows).replace("\r\n", "\n"), after, "{before}");
    }
}

#[test]
fn what_is_broken_is_refused_where_it_is_broken() {
    let refused = |name: &str, text: &str| {
        let errors = format(name, text).unwrap_err();
        let place = errors.first().place.as_ref().map(|place| place.position());
        (place, errors.first().message.clone())
    };
    assert_eq!(refused("a.rhai", "fn f() {\n    let x = ;\n}\n").0, Some((2, 13)));
    assert_eq!(refused("a.rhai", "fn f() { /* a\n").1, "a comment is not closed");
    assert_eq!(refused("a.toml", "[script]\nrhai = '''\nfn f() {}\nfn g( {}\n'''\n").0, Some((4, 6)));
    assert_eq!(refused("a.toml", "[when]\ncall = 'turn(p1'\n").0.map(|place| place.0), Some(2));
    assert_eq!(refused("a.toml", "a = 1\nb = \n").0.map(|place| place.0), Some(2));
    for deep in [
        ("a.rhai", format!("fn f() {{ {}1{} }}", "(".repeat(20_000), ")".repeat(20_000))),
        ("a.toml", format!("a = {}{}", "[".repeat(20_000), "]".repeat(20_000))),
    ] {
        assert!(format(deep.0, &deep.1).is_err());
    }
}

/// Half-written and hostile texts.
#[test]
fn nothing_makes_it_panic() {
    for (name, text) in files(&["games/playme", "variants/hearts", "tests/scenarios/pig"], &["rhai", "toml"]) {
        for (at, _) in text.char_indices().step_by(37) {
            drop(format(&name, &text[..at]));
            drop(format("a.toml", &text[at..]));
        }
    }
    for path in ["rhai", "toml"].iter().flat_map(|ending| hostile_files::files(ending)) {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        drop(format(&path.display().to_string(), &text));
    }
}

/// Runs `houserule fmt` in a folder: its exit code, and what it says on both ways.
fn fmt(folder: &Path, arguments: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    crate::shared::surroundings::at_home(&mut command, folder);
    command.current_dir(folder).arg("fmt").args(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Who reads no input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(input);
    let done = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (done.status.code(), text(done.stdout), text(done.stderr))
}

#[test]
fn files_are_checked_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &[u8]| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let read = |path: &str| fs::read(folder.path().join(path)).unwrap();
    let here = |arguments: &[&str]| fmt(folder.path(), arguments, b"");
    write("games/x/game.toml", b"id='x'\r\nname = 'X'\r\n");
    write("games/x/rules.rhai", b"fn game(){}");
    write("games/x/README.md", b"fn  a");
    write("Cargo.toml", b"[package]\nname='x'\n");
    write("games/x/saved.toml", b"format=1\nid='x'\n");
    let told = "games/x/game.toml\n@@ 1 @@\n-id='x'\n+id = 'x'\n\
        games/x/rules.rhai\n@@ 1 @@\n-fn game(){}\n\\ no line end at the end of the file\n+fn game() {}\n\
        files that would change: 2 of 2; `houserule fmt` writes them\n";
    assert_eq!(here(&["--check"]), (Some(1), told.to_owned(), String::new()));
    assert_eq!(here(&["--check", "."]), (Some(1), told.to_owned(), String::new()));
    assert_eq!(read("games/x/rules.rhai"), b"fn game(){}");
    assert_eq!(here(&[]), (Some(0), "wrote games/x/game.toml\nwrote games/x/rules.rhai\n".to_owned(), String::new()));
    assert_eq!(read("games/x/game.toml"), b"id = 'x'\r\nname = 'X'\r\n");
    assert_eq!(read("games/x/rules.rhai"), b"fn game() {}\n");
    assert_eq!(here(&["--check"]), (Some(0), "everything is laid out already (files: 2)\n".to_owned(), String::new()));
    // A file that is broken stays as it is, and the others are laid out.
    write("games/x/rules.rhai", b"fn  game( {}");
    write("games/x/more.rhai", b"fn  more(){}");
    let (code, out, error) = here(&["games"]);
    assert_eq!((code, &*out), (Some(2), "wrote games/x/more.rhai\n"));
    assert!(error.contains("games/x/rules.rhai:1:10"), "{error}");
    assert_eq!(read("games/x/rules.rhai"), b"fn  game( {}");
    write("latin.rhai", b"// \xe9");
    for (arguments, message) in [
        (&["latin.rhai"][..], "`latin.rhai` is not UTF-8 text"),
        (&["games/x/README.md"], "is neither a script nor a file of TOML"),
        (&["games/x/saved.toml"], "is a saved game, which Houserule writes with a checksum"),
        (&["gone.rhai"], "cannot read `gone.rhai`"),
        (&["-", "latin.rhai"], "goes with no other path"),
    ] {
        let (code, out, error) = here(arguments);
        assert!(code == Some(2) && out.is_empty() && error.contains(message), "{arguments:?} {out}{error}");
    }
    // What lies beside the rules of a project is not looked through, nor is a folder without any; nor is anything written
    // that is not to be.
    write("notes/stray.rhai", b"fn  stray(){}");
    write("games/x/rules.rhai", b"fn  game(){}");
    let kept = folder.path().join("games/x/rules.rhai");
    let mut permissions = fs::metadata(&kept).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&kept, permissions).unwrap();
    let (code, _, error) = here(&["."]);
    assert!(code == Some(2) && error.contains("`games/x/rules.rhai` is read-only"), "{error}");
    assert_eq!(read("games/x/rules.rhai"), b"fn  game(){}");
    assert_eq!(read("notes/stray.rhai"), b"fn  stray(){}");
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("a.rhai"), "fn  a(){}").unwrap();
    let (code, _, error) = here(&[&elsewhere.path().display().to_string()]);
    assert!(code == Some(2) && error.contains("there are no games, variants or libraries around"), "{error}");
    assert_eq!(fs::read(elsewhere.path().join("a.rhai")).unwrap(), b"fn  a(){}");
    let empty = tempfile::tempdir().unwrap();
    let (code, _, error) = fmt(empty.path(), &[], b"");
    assert!(code == Some(2) && error.contains("there is no file of rules to lay out"), "{error}");
}

#[test]
fn files_that_cannot_be_read_are_told_and_the_others_laid_out() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &[u8]| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let long = |text: &str| format!("{text}\n{}", "# Long.\n".repeat(10_000));
    write("games/x/game.toml", b"id='x'\n");
    write("variants/x/latin.toml", b"id='latin'\ngame='x'\nname='\xe9'\n");
    write("variants/x/long.toml", long("id='long'").as_bytes());
    // Of other programs, or of Houserule itself.
    write("games/x/other.toml", long("[package]\nname='x'").as_bytes());
    write("games/x/saved.toml", long("format=1\nid='x'").as_bytes());
    for arguments in [&["--check"][..], &["--check", "."], &["--check", "variants/x"], &[]] {
        let (code, out, error) = fmt(folder.path(), arguments, b"");
        assert_eq!(code, Some(2), "{arguments:?} {out}{error}");
        assert!(!out.contains("laid out already"), "{arguments:?} {out}");
        assert!(error.contains("`variants/x/latin.toml` is not UTF-8 text"), "{arguments:?} {error}");
        assert!(error.contains("`variants/x/long.toml` is larger than 64 KiB"), "{arguments:?} {error}");
        assert_eq!(error.matches("error: ").count(), 2, "{arguments:?} {error}");
    }
    assert_eq!(fs::read(folder.path().join("games/x/game.toml")).unwrap(), b"id = 'x'\n");
}

#[test]
fn standard_input_is_laid_out_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let piped = |arguments: &[&str], input: &[u8]| fmt(folder.path(), arguments, input);
    assert_eq!(piped(&["-"], b"fn f( ){}\r\n"), (Some(0), "fn f() {}\r\n".to_owned(), String::new()));
    assert_eq!(piped(&["-"], b"// a\nfn f( ){}"), (Some(0), "// a\nfn f() {}\n".to_owned(), String::new()));
    assert_eq!(piped(&["-"], b"a=1"), (Some(0), "a = 1\n".to_owned(), String::new()));
    assert_eq!(piped(&["-"], b""), (Some(0), String::new(), String::new()));
    assert_eq!(
        piped(&["--check", "-"], b"a=1\n"),
        (Some(1), "standard input\n@@ 1 @@\n-a=1\n+a = 1\n".to_owned(), String::new())
    );
    assert_eq!(piped(&["--check", "-"], b"a = 1\n"), (Some(0), String::new(), String::new()));
    let (code, out, error) = piped(&["-"], b"fn f( {}");
    assert!(code == Some(2) && out.is_empty() && error.contains("standard input:1:6"), "{error}");
    let (code, out, error) = piped(&["-"], b"// \xff");
    assert!(code == Some(2) && out.is_empty() && error.contains("not UTF-8"), "{error}");
}
