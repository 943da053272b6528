//! Bytes as rules: as they stand, or, where the first of them is no letter, as [a program](super::decoder) that they make.

use super::{Target, decoder, library, tell};
use crate::shared::programs::{GAME, RULES, SEATS, VARIANTS};
use houserule::table::Recording;
use houserule::{Random, Rules, Ruleset, Selection, Start, Work};
use std::sync::Arc;

pub const TARGET: Target = Target { name: "script", run };

/// The first byte of what a program is made of.
const MADE: u8 = 0x80;

/// The numbers that the function of a program is called with.
const ARGUMENTS: [i64; 2] = [1, -3];

fn run(bytes: &[u8]) {
    match bytes.first() {
        Some(&first) if first >= MADE => {
            let program = decoder::rules(&bytes[1..]);
            both(format!("{RULES}{program}").as_bytes(), true);
        }
        _ => both(bytes, false),
    }
}

/// Plays rules twice.
fn both(rules: &[u8], is_made: bool) {
    let [once, again] = [1, 2].map(|_| played(rules, is_made));
    assert!(once == again, "two runs of the same differ:\n{once}\n\n{again}\n\n{}", String::from_utf8_lossy(rules));
}

fn played(rules: &[u8], is_made: bool) -> String {
    let variants = VARIANTS.map(|(id, text)| (format!("variants/programs/{id}.toml"), text));
    let game = [("games/programs/game.toml", GAME.as_bytes()), ("games/programs/rules.rhai", rules)];
    let library = library(game.into_iter().chain(variants.iter().map(|(path, text)| (path.as_str(), text.as_bytes()))));
    let ruleset = match Ruleset::load(&library, &Selection::of("programs").with("first")) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(errors) => return tell(&errors),
    };
    let work = Arc::new(Work::default());
    let rules = match Rules::new(ruleset, SEATS, work.clone()) {
        Ok(rules) => rules,
        Err(errors) => return tell(&errors),
    };
    rules.warnings().iter().chain(rules.missing_texts()).for_each(|warning| drop(tell(std::slice::from_ref(warning))));
    // Whoever was told to stop goes on for one slice of units: that is all that there is time for here.
    work.stop();
    let mut seen = String::new();
    let mut play = |start: &Start| {
        let (mut run, end) = rules.play(start, 1, &mut Random::new(1), Some(Recording::default()));
        if let houserule::End::Failed(errors) | houserule::End::Endless(errors) = &end {
            seen.push_str(&tell(errors));
        }
        let recorded = run.table.finish();
        seen.push_str(&format!("{end:?} after {} units: {recorded:?}\n", run.units()));
        run.table.snapshot()
    };
    let laid = play(&Start::Game);
    if is_made {
        for argument in ARGUMENTS {
            play(&Start::Call { expression: format!("fuzz({argument})"), table: Box::new(laid.clone()) });
        }
    }
    seen
}
