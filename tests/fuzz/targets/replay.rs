//! Bytes as a saved game.

use super::{Target, harmless, look, market, save, tell};
use houserule::parts::{ChosenValue, Entry, LogEntry};
use houserule::playthrough::Playthrough;
use houserule::{Replay, SavedGame, Source};
use std::path::Path;
use std::sync::Arc;

pub const TARGET: Target = Target { name: "replay", run };

/// Where the game lies.
const PATH: &str = "saved.toml";

fn run(bytes: &[u8]) {
    let source = match Source::from_bytes(PATH, bytes.to_vec(), 1 << 20) {
        Ok(source) => source,
        Err(errors) => return drop(tell(&errors)),
    };
    let read = match Replay::parse(&source) {
        Ok(read) => read,
        Err(errors) => return drop(tell(&errors)),
    };
    read.warnings.iter().for_each(|warning| drop(tell(std::slice::from_ref(warning))));

    let text = read.replay.to_toml();
    // Labels, as an old format has them, become values when the rules run; nobody writes them before that.
    let has_labels = |entry: &LogEntry| match &**entry {
        Entry::Choice { chosen, .. } => chosen.iter().any(|one| matches!(one, ChosenValue::Label(_))),
        _ => false,
    };
    let is_as_written = !read.replay.log.iter().any(has_labels);
    match Replay::parse(&Source::new(PATH, &text)) {
        Ok(again) if is_as_written => {
            assert_eq!(again.replay, read.replay, "what was written is read as another game:\n{text}");
            assert!(again.warnings.is_empty(), "what was written is not whole:\n{text}");
        }
        Ok(_) => {}
        Err(errors) => panic!("what was written cannot be read:\n{text}\n{}", tell(&errors)),
    }

    for under_disk in [false, true] {
        let [once, again] = [1, 2].map(|_| opened(bytes, under_disk));
        assert!(once == again, "one saved game, two games:\n{once}\n\n{again}");
    }
}

fn opened(bytes: &[u8], under_disk: bool) -> String {
    let library = market([(PATH, bytes)]);
    match SavedGame::open(Path::new(PATH), &library, under_disk, Arc::default()) {
        Err(errors) => tell(&errors),
        Ok(opened) => {
            for line in &opened.told {
                harmless(line);
            }
            saved_again(bytes, &opened.playthrough);
            [opened.told.join("\n"), look(&opened.playthrough), save(&opened.playthrough)].concat()
        }
    }
}

/// The file as it is saved again, with its comments: it is the same game, and so it is once more.
fn saved_again(bytes: &[u8], game: &Playthrough) {
    let read = |text: &str| {
        Replay::parse(&Source::new(PATH, text)).unwrap_or_else(|errors| panic!("{}\n{text}", tell(&errors)))
    };
    let text = read(&String::from_utf8_lossy(bytes)).saved_again(game);
    let again = read(&text);
    assert!(again.warnings.is_empty(), "what was saved again is not whole:\n{text}");
    assert_eq!(again.replay.log, game.timeline().log(), "what was saved again is another game:\n{text}");
    assert_eq!(again.saved_again(game), text, "what was saved again becomes another file");
}
