//! What is done with bytes that anybody could have written: as a definition, as rules, as a saved game, as a pack, and as
//! lines that are typed.
//!
//! A target panics where the program breaks a promise: it panics itself, two runs of the same differ, a text does not come
//! back as it was written, or what is told holds a character that could hide or reorder other text. Errors are fine.

mod decoder;
pub mod definition;
pub mod line;
pub mod pack;
pub mod replay;
pub mod script;

use houserule::catalogue::speak;
use houserule::diagnostic::{Diagnostic, visible};
use houserule::playthrough::Playthrough;
use houserule::screen::style::render;
use houserule::table::knowledge::Viewer;
use houserule::table::value::Seats;
use houserule::{Language, Library, MemoryFiles, Replay, Scene, draw};
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

/// Something that bytes are given to.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, and that of its folder of inputs and of its dictionary.
    pub name: &'static str,
    /// Takes the bytes, and panics where the program breaks a promise.
    pub run: fn(&[u8]),
}

/// Every target.
pub const TARGETS: [Target; 5] = [definition::TARGET, script::TARGET, replay::TARGET, pack::TARGET, line::TARGET];

/// A game of cards, with every file that it has.
const MARKET: [(&str, &str); 3] = [
    ("games/market/game.toml", include_str!("../../saves/games/market/game.toml")),
    ("games/market/rules.rhai", include_str!("../../saves/games/market/rules.rhai")),
    ("variants/market/nuts.toml", include_str!("../../saves/variants/market/nuts.toml")),
];

/// A library of files in memory.
fn library<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Library {
    Library::of(Arc::new(MemoryFiles::new(files)), vec![PathBuf::new()])
}

/// The library in which [`MARKET`] lies, with more files beside it.
fn market<'f>(more: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Library {
    library(MARKET.iter().map(|(path, text)| (*path, text.as_bytes())).chain(more))
}

/// What is told in a language. Afterwards English is spoken again, also where telling it panics.
fn told_in<T>(language: Language, tell: impl FnOnce() -> T) -> T {
    struct English;
    impl Drop for English {
        fn drop(&mut self) {
            speak(Language::English);
        }
    }
    let _after = English;
    speak(language);
    tell()
}

/// Tells errors in every way there is.
fn tell(errors: &[Diagnostic]) -> String {
    assert!(!errors.is_empty(), "something fails, and nobody says why");
    let told = |error: &Diagnostic| {
        harmless(&error.render_within(false, Some(40)));
        harmless(&error.to_json().to_string());
        error.render(true);
        harmless(&error.render(false)).to_owned()
    };
    let told = errors.iter().flat_map(|error| Language::ALL.map(|language| told_in(language, || told(error))));
    told.collect::<Vec<_>>().join("\n")
}

/// A text that is shown to a person: no character of it may hide or reorder other text.
fn harmless(text: &str) -> &str {
    for line in text.split('\n') {
        assert!(matches!(visible(line), Cow::Borrowed(_)), "a treacherous character is shown: {:?}", visible(line));
    }
    text
}

/// The table as everybody may see it, in both languages, wide and narrow.
fn look(game: &Playthrough) -> String {
    let mut seen = String::new();
    let seats = Seats::all(game.seats).into_iter().take(2);
    for viewer in seats.map(Viewer::Seat).chain([Viewer::Everything]) {
        for (language, width) in [(Language::English, 80), (Language::Japanese, 24)] {
            told_in(language, || {
                let scene = Scene::of(game, viewer, language, width);
                for lines in [draw::look(&scene), draw::log(&scene, &game.position().events.clone().into_vec())] {
                    render(&lines, true);
                    seen.push_str(harmless(&render(&lines, false)));
                }
            });
        }
    }
    for errors in game.position().failed.iter() {
        seen.push_str(&tell(errors));
    }
    game.position().undrawn.iter().for_each(|error| seen.push_str(&tell(std::slice::from_ref(error))));
    seen
}

/// The game as it would be saved, which has to be read again as it is.
fn save(game: &Playthrough) -> String {
    let replay = Replay::of(game);
    let text = replay.to_toml();
    match Replay::parse(&houserule::Source::new("saved.toml", &text)) {
        Ok(read) => {
            assert_eq!(read.replay, replay, "a saved game comes back as another one");
            assert!(read.warnings.is_empty(), "a saved game is not as it was written");
        }
        Err(errors) => panic!("a saved game cannot be read:\n{text}\n{}", tell(&errors)),
    }
    text
}
