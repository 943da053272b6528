//! Bytes as a pack of rules.

use super::{MARKET, Target, harmless, library, look, tell};
use houserule::inspect::changes::{Changes, SelectedLayers};
use houserule::playthrough::run::Until;
use houserule::screen::rule_changes;
use houserule::screen::style::render;
use houserule::share::contents::PackContents;
use houserule::share::{contents_summary, fit, repack};
use houserule::{
    Files, Library, MemoryFiles, MountedPacks, Pack, PackFile, Playable, Playthrough, Random, Ruleset, Source,
};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

pub const TARGET: Target = Target { name: "pack", run };

/// Where the pack lies.
const PATH: &str = "fuzzed.pack.toml";

/// What is said where a pack says of itself what its rules do not say; that is looked at in whole packs alone.
const HEADS: [&str; 2] = ["the head of the pack gives", "the pack is called"];

/// As many moves are made.
const MOVES: usize = 5;

fn run(bytes: &[u8]) {
    let source = match Source::from_bytes(PATH, bytes.to_vec(), 1 << 20) {
        Ok(source) => source,
        Err(errors) => return drop(tell(&errors)),
    };
    let file = match Pack::parse(&source) {
        Ok(file) => file,
        Err(errors) => return drop(tell(&errors)),
    };
    if let Err(errors) = file.whole().and_then(Pack::check_houserule) {
        tell(&errors);
    }
    let whole = comes_back(&file);
    stays_inside(&file);
    harmless(&contents_summary(&file.pack));

    let below = library(MARKET.iter().map(|(path, text)| (*path, text.as_bytes())));
    for folders in [vec![PATH, ""], vec![PATH]] {
        let roots = folders.into_iter().map(PathBuf::from).collect();
        let library =
            below.with_roots(|files| Arc::new(MountedPacks::new(files, [(PathBuf::from(PATH), &file)])), roots);
        let [once, again] = [1, 2].map(|_| played(&library, &file.pack));
        assert!(once == again, "two games of the same pack differ:\n{once}\n\n{again}");
        // Hardly any input has the right checksum; whoever means harm puts it in.
        if whole {
            is_shown(&library, &file.pack);
        }
    }
}

/// What is written is what was read. Gives whether it is a pack that can be used: its checksum is right now, and it says of
/// itself what its rules say.
fn comes_back(file: &PackFile) -> bool {
    let text = file.pack.to_toml();
    // Rules may be indented by tabs.
    harmless(&text.replace('\t', " "));
    match Pack::parse(&Source::new(PATH, &text)) {
        Ok(again) => {
            assert_eq!(again.pack, file.pack, "what was written is read as another pack:\n{text}");
            assert!(again.is_whole, "what was written is not whole:\n{text}");
            true
        }
        Err(errors) => {
            let is_of_the_head = HEADS.iter().any(|head| errors[0].message.starts_with(head));
            assert!(is_of_the_head && !file.is_whole, "what was written cannot be read:\n{text}\n{}", tell(&errors));
            false
        }
    }
}

/// Everything that a pack holds is shown, or the pack is refused; and it is all in the pack that is made of it anew.
fn is_shown(library: &Library, pack: &Pack) {
    let contents = PackContents::of(pack, Path::new(PATH), library, &Arc::default());
    let rules = match contents.all() {
        Ok(rules) => rules,
        Err(errors) => return drop(tell(&errors)),
    };
    let is_of_rules = |path: &str| ["games/", "variants/", "scripts/"].iter().any(|folder| path.starts_with(folder));
    for file in pack.files.iter().filter(|file| is_of_rules(&file.path)) {
        assert!(rules.iter().any(|(_, paths)| paths.contains(&file.path)), "{:?} is not shown", file.path);
    }
    rules.iter().for_each(|rules| functions_are_shown(*rules));
    assert!(Changes::between(&rules, &rules).is_nothing(), "a pack is another one than itself");
    match repack(&PackFile::unsaved(pack.clone()), &contents) {
        Ok(made) => {
            for file in &pack.files {
                assert!(made.pack.files.contains(file), "{:?} is lost where the pack is made anew", file.path);
            }
        }
        Err(errors) => drop(tell(&errors)),
    }
}

/// Every function of a layer or a library that is shown is shown.
fn functions_are_shown(rules: SelectedLayers<'_>) {
    let (loaded, paths) = rules;
    let changes = Changes::of(rules);
    harmless(&render(&rule_changes(&changes, ("was", "now"), 80), false));
    for function in loaded.functions.iter() {
        let script = &loaded.ruleset.scripts[function.script];
        let path = script.origin.path().strip_prefix(PATH).ok().and_then(Path::to_str);
        let usage = format!("{}({})", function.name, function.parameters.join(", "));
        let is_there = changes.functions.iter().any(|shown| shown.layer == script.id && shown.usage == usage);
        assert!(is_there || !path.is_some_and(|path| paths.contains(path)), "{usage} of {} is not shown", script.id);
    }
}

/// No path leads out of the pack, and what lies in it is found below it.
fn stays_inside(file: &PackFile) {
    let mounted = MountedPacks::new(Arc::new(MemoryFiles::default()), [(PathBuf::from(PATH), file)]);
    for inside in &file.pack.files {
        let path = Path::new(&inside.path);
        let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
        assert!(is_plain && !inside.path.contains(['\\', ':', '\0']), "{:?} leads out of the pack", inside.path);
        let found = mounted.read_up_to(&Path::new(PATH).join(path), "it", 1 << 30);
        assert!(found.is_ok_and(|found| found.text == inside.text), "{:?} is another text", inside.path);
    }
}

fn played(library: &Library, pack: &Pack) -> String {
    let mut seen = String::new();
    for error in fit::differences(pack, library, &Arc::default()) {
        seen.push_str(&tell(&[error]));
    }
    for game in library.games() {
        seen.push_str(&game.id);
        library.variants(&game.id).iter().for_each(|variant| seen.push_str(&variant.id));
    }
    let ruleset = match Ruleset::load(library, &pack.play.selection) {
        Ok(ruleset) => ruleset,
        Err(errors) => return [seen, tell(&errors)].concat(),
    };
    if let Err(errors) = ruleset.check_players(pack.play.players) {
        return [seen, tell(&errors)].concat();
    }
    let loaded = match Playable::compile(Arc::new(ruleset), pack.play.players, Arc::default()) {
        Ok(loaded) => loaded,
        Err(errors) => return [seen, tell(&errors)].concat(),
    };
    let started = Playthrough::start(loaded, pack.play.players, pack.play.seed, Vec::new());
    let went = started.and_then(|(mut game, _)| {
        game.advance(Box::new(Random::new(1)), Until::Decisions(MOVES))?;
        Ok(look(&game))
    });
    [seen, went.unwrap_or_else(|errors| tell(&errors))].concat()
}
