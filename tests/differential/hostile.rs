//! What strangers' files may hold: both refuse the same, and fail in the same way.

use crate::differential::programs::call;
use crate::differential::purpose;
use crate::differential::sides::{Side, Trouble};
use crate::shared::hostile_files::{GOOD_RULES, SEATS, SMALL_GAME, files, name_of};
use crate::shared::small_game;
use crate::shared::threads::in_threads;
use houserule::script::Start;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[test]
fn hostile_files_come_to_the_same() {
    let began = Instant::now();
    let jobs: Vec<PathBuf> = ["rhai", "toml"].into_iter().flat_map(files).collect();
    let mut refused = 0;
    let mut on_purpose: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut different = Vec::new();
    for (path, compared) in jobs.iter().zip(in_threads(&jobs, |path| compare(path))) {
        match compared {
            Ok(compared) => {
                refused += usize::from(compared.is_refused);
                compared.on_purpose.into_iter().for_each(|(why, count)| *on_purpose.entry(why).or_default() += count);
            }
            Err(what) => different.push(format!("{}\n{what}", name_of(path))),
        }
    }
    let count = jobs.len();
    println!("{count} files, {refused} refused, {:.1?}; on purpose {on_purpose:?}", began.elapsed());
    assert!(different.is_empty(), "{} of {count}:\n{}", different.len(), different.join("\n\n"));
    assert!(refused > 0 && refused * 4 < count * 3, "{refused} of {count} refused");
}

/// What was compared.
#[derive(Default)]
struct Compared {
    is_refused: bool,
    on_purpose: BTreeMap<&'static str, usize>,
}

fn compare(path: &Path) -> Result<Compared, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let is_script = path.extension().is_some_and(|ending| ending == "rhai");
    let [definition, rules] = if is_script { [SMALL_GAME, &text] } else { [&text, GOOD_RULES] };
    let mut compared = Compared { is_refused: true, ..Compared::default() };
    // What is no ruleset comes to neither.
    let Ok(ruleset) = small_game::game("hostile", definition, rules) else { return Ok(compared) };
    let play = |side: Side| {
        let played =
            side.start(&ruleset, SEATS).map(|rules| call(&rules, |rules| rules.play(&Start::Game, 1, usize::MAX)));
        played.map_err(|errors| errors.iter().map(Trouble::of).collect::<Vec<_>>())
    };
    match (play(Side::Product), play(Side::Reference)) {
        (Ok(product), Ok(reference)) => {
            compared.is_refused = false;
            let difference = purpose::difference(&ruleset, &product, &reference, &mut compared.on_purpose);
            difference.map_or(Ok(compared), |what| Err(what.to_string()))
        }
        (product, reference) => {
            let [product, reference] = [product, reference].map(Result::err);
            let told = format!("{product:?}\nand the reference\n{reference:?}");
            if product == reference { Ok(compared) } else { Err(told) }
        }
    }
}
