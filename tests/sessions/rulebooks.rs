//! `houserule doc`: what it writes, what it overwrites, and what bad input gets.

use super::*;

#[test]
fn a_rulebook_overwrites_nothing_but_rulebooks() {
    let folder = Folder::new();
    let run = |args: &[&str]| {
        let output = program(&folder).arg("doc").args(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    };
    let (code, told, _) = run(&["hearts", "-v", "black-lady", "--html", "--md"]);
    assert_eq!(code, 0);
    assert!(told.starts_with("wrote hearts.html: ") && told.contains("wrote hearts.md: "), "{told}");
    assert!(folder.read("hearts.html").contains("Black Lady") && folder.read("hearts.md").contains("Black Lady"));
    // Beside each other in both languages, and again over what it wrote itself.
    assert_eq!(run(&["hearts", "--html", "--lang", "ja"]).0, 0);
    assert!(folder.read("hearts.ja.html").contains("<html lang=\"ja\">"));
    assert_eq!(run(&["hearts", "--html", "-p", "4"]).0, 0);
    assert!(
        !folder.read("hearts.html").contains("Black Lady") && folder.read("hearts.html").contains("with 4 players")
    );

    folder.write("mine.md", "mine");
    // Neither a file of another hand nor a page of another kind.
    for (args, file) in [(["hearts", "--md", "mine.md"], "mine.md"), (["hearts", "--md", "hearts.html"], "hearts.html")]
    {
        let before = folder.read(file);
        let (code, _, error) = run(&args);
        assert_eq!((code, folder.read(file)), (2, before), "{error}");
        assert!(error.contains(file), "{error}");
    }
    assert_eq!(run(&["hearts", "--md", "mine.md", "--force"]).0, 0);
    assert!(folder.read("mine.md").contains("# Hearts"));

    let (code, _, error) = run(&["hearts"]);
    assert_eq!(code, 2);
    assert!(error.contains("--html") && error.contains("--md"), "{error}");
    for (args, words) in [
        (vec!["heart", "--html"], "hearts"),
        (vec!["hearts", "-v", "black-lad", "--html"], "black-lady"),
        (vec!["hearts", "-p", "9", "--html"], "3 to 6"),
        (vec!["hearts", "--html", "nowhere/at/all.html"], "nowhere"),
    ] {
        let (code, _, error) = run(&args);
        assert_eq!(code, 2, "{args:?}");
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn of_dice_that_are_alike_the_sides_of_one_are_shown() {
    let folder = Folder::new();
    let run = |line: &str| program_at(&folder.0, &folder).args(line.split(' ')).output().unwrap().status.success();
    assert!(run("new game farkle --kind dice --dir ."));
    assert!(run("doc farkle --md --dir ."));
    let told = folder.read("farkle.md");
    assert!(told.contains("**2 dice, with 6 sides**\n\n1, 2, 3, 4, 5, 6\n"), "{told}");
    assert!(told.contains("| kept | a reason for points, see 1.2 |"), "{told}");
}
