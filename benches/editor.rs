//! What somebody waits for who writes rules in an editor: from a key stroke to the findings, to completion and to help.
//!
//! In the largest game that comes with the program, in its longest variant, and in a workspace with two hundred variants of that game.
//! Times are those of the processor, and what is told is the median of the rounds: `cargo bench --bench editor`.
#![allow(missing_docs, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use cpu_time::ThreadTime;
use houserule::files::MemoryFiles;
use houserule::{Language, Library, Workspace, built_in};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const ROUNDS: usize = 25;

fn main() {
    let library = built_in();
    let size = |path: &Path| library.files().read(path, "file").map_or(0, |source| source.text.len());
    let rules = |id: &str| PathBuf::from(houserule::files::BUILT_IN).join("games").join(id).join("rules.rhai");
    let games = library.games();
    let largest = games.iter().max_by_key(|game| size(&rules(&game.id))).expect("there are games");
    let variants = library.variants(&largest.id);
    let variant = variants.iter().max_by_key(|variant| size(variant.origin.path())).expect("it has variants");
    measure(&format!("{}, {} bytes", largest.id, size(&rules(&largest.id))), library.clone(), &rules(&largest.id));
    measure(&format!("{} {}", largest.id, variant.id), library.clone(), variant.origin.path());

    let read = |path: &Path| library.files().read(path, "file").expect("it is there").text.clone();
    let mut files = vec![
        (format!("games/{}/game.toml", largest.id), read(largest.origin.path())),
        (format!("games/{}/rules.rhai", largest.id), read(&rules(&largest.id))),
    ];
    for layer in library.rule_libraries() {
        let folder = PathBuf::from(houserule::files::BUILT_IN).join("scripts");
        for ending in ["rhai", "toml"] {
            let path = folder.join(format!("{}.{ending}", layer.id));
            if library.files().exists(&path) {
                files.push((format!("scripts/{}.{ending}", layer.id), read(&path)));
            }
        }
    }
    let text = read(variant.origin.path());
    for number in 0..200 {
        let id = format!("{}-{number}", variant.id);
        let text = text.replacen(&format!("\"{}\"", variant.id), &format!("\"{id}\""), 1);
        files.push((format!("variants/{}/{id}.toml", largest.id), text));
    }
    let path = PathBuf::from(format!("variants/{}/{}-7.toml", largest.id, variant.id));
    measure("a workspace with 200 variants", Library::of(Arc::new(MemoryFiles::new(files)), vec!["".into()]), &path);
}

fn measure(name: &str, library: Library, path: &Path) {
    let mut workspace = Workspace::new(library, Language::English);
    let text = workspace.text(path).expect("it is there").text.clone();
    let place = text.rfind("p.").expect("a player is named") + 2;
    let (mut findings, mut completion, mut hover) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        // A key stroke: a letter more in a comment at the end.
        let typed = if path.extension().is_some_and(|ending| ending == "rhai") {
            format!("{text}// {round}\n")
        } else {
            format!("{text}# {round}\n")
        };
        workspace.set(path, Some(&typed));
        findings.push(timed(|| drop(workspace.findings(path, &Arc::default()))));
        completion.push(timed(|| assert!(!workspace.complete(path, place).is_empty())));
        hover.push(timed(|| drop(workspace.hover(path, place))));
    }
    println!("{name}: findings {:?}, completion {:?}, help {:?}", median(findings), median(completion), median(hover));
}

fn timed(what: impl FnOnce()) -> Duration {
    let begun = ThreadTime::now();
    what();
    begun.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
