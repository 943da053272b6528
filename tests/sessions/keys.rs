//! Whoever writes a file asks in a session what may stand in it.

use super::*;

const GAME: [&str; 5] = ["up-or-down", "-p", "2", "-s", "2"];

#[test]
fn help_tells_which_keys_files_have() {
    let told = last(&GAME, &["help files"]);
    assert!(told.starts_with("files  what files can contain\n"), "{told}");
    assert!(told.contains("\n  zones       name per count "), "{told}");
    assert!(told.contains("\n  when        call rig\n"), "{told}");
}

#[test]
fn help_tells_what_a_key_may_be() {
    let told = last(&GAME, &["help files variables"]);
    assert!(told.starts_with("variables  the keys of a variable in a file\n"), "{told}");
    assert!(told.contains("  shown    `false` keeps it out of the drawn table"), "{told}");
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("internal bookkeeping · `true` or `false` · `true` if absent visible who can read it"),
        "{told}"
    );
    // What nothing in the game is called needs no `files` before it.
    assert_eq!(last(&GAME, &["help zones"]), last(&GAME, &["help files zones"]));
    let told = last(&GAME, &["help requires"]);
    assert!(told.contains("requires  a key in files") && told.contains("a variant"), "{told}");
    let told = last(&GAME, &["help files min"]);
    assert!(["`players`", "a setting"].iter().all(|table| told.contains(table)), "{told}");
    let told = fails(&GAME, &["help files zonse"]);
    assert!(told.contains("there is no help on `files zonse`"), "{told}");
    assert!(fails(&GAME, &["help fiels"]).contains("did you mean `files`?"));
}
