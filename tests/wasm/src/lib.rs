//! The core behind three functions that take and give numbers, as a page in a browser can call them.
//!
//! A request is one JSON object, given byte by byte; [`answer`] answers it, and the answer is taken byte by byte:
//!
//! | request | answer |
//! |---|---|
//! | `{"built_in":true}` | the games that come with the core: `id`, and the fewest and most `players` |
//! | `{"files":{PATH:TEXT,…}}` | the same of games in files, and of no others |
//! | `{"start":GAME,"players":N,"seed":N}` | where the game stands |
//! | `{"choose":[LABEL,…]}` | where the game stands then |
//! | `{"auto":SEED}` | where the game stands when the random agent has played it to its end |
//! | `{"trace":GAME,"players":N,"seed":N}` | the trace of a random game, as `houserule trace` writes it |
//! | `{"test":GAME}` | how many scenarios of the game passed, and what the others said |
//!
//! What is wrong is answered as `{"error":TEXT}`.

use houserule::parts::{Request, run};
use houserule::{
    Diagnostics, Library, MemoryFiles, Playable, Playthrough, Random, Ruleset, Scenario, Selection, Start, Trace,
    Until, built_in, find_scenarios,
};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// What a page holds.
struct Page {
    request: Vec<u8>,
    /// The answer, from its end.
    answer: Vec<u8>,
    library: Option<Library>,
    game: Option<Playthrough>,
}

static PAGE: Mutex<Page> = Mutex::new(Page { request: Vec::new(), answer: Vec::new(), library: None, game: None });

fn with_page<T>(work: impl FnOnce(&mut Page) -> T) -> T {
    work(&mut PAGE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Takes the next byte of a request.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn give(byte: u32) {
    with_page(|page| page.request.push(byte as u8));
}

/// Answers the request.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn answer() {
    with_page(|page| {
        let request = std::mem::take(&mut page.request);
        let answered = match serde_json::from_slice(&request) {
            Ok(request) => page.answered(&request),
            Err(error) => Err(error.to_string()),
        };
        let text = answered.unwrap_or_else(|error| json!({ "error": error }).to_string());
        page.answer = text.into_bytes();
        page.answer.reverse();
    });
}

/// Gives the next byte of the answer, or -1 behind its end.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn take() -> i32 {
    with_page(|page| page.answer.pop().map_or(-1, i32::from))
}

impl Page {
    fn answered(&mut self, request: &Value) -> Result<String, String> {
        let handed_in = request["files"].as_object().map(|files| {
            let files = files.iter().map(|(path, text)| (path, text.as_str().unwrap_or_default()));
            Library::of(Arc::new(MemoryFiles::new(files)), vec![PathBuf::new()])
        });
        if let Some(library) = handed_in.or_else(|| (request["built_in"] == true).then(built_in)) {
            let library = self.library.insert(library);
            let games = library.games().into_iter().map(|game| {
                let ruleset = Ruleset::load(library, &Selection::of(&game.id)).map_err(told)?;
                let (least, most) = ruleset.definition.players;
                Ok(json!({ "id": game.id, "players": [least, most] }))
            });
            return Ok(Value::Array(games.collect::<Result<_, String>>()?).to_string());
        }
        if request["start"].is_string() {
            let (loaded, players, seed) = self.loaded(&request["start"], request)?;
            let (game, _) = Playthrough::start(loaded, players, seed, Vec::new()).map_err(told)?;
            self.game = Some(game);
            return self.stands();
        }
        if let Some(labels) = request["choose"].as_array() {
            let labels: Vec<String> = labels.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            self.game.as_mut().ok_or("no game is open")?.choose(&labels).map_err(told)?;
            return self.stands();
        }
        if let Some(seed) = request["auto"].as_u64() {
            let game = self.game.as_mut().ok_or("no game is open")?;
            game.advance(Box::new(Random::new(seed)), Until::End).map_err(told)?;
            return self.stands();
        }
        if request["trace"].is_string() {
            let (loaded, _, seed) = self.loaded(&request["trace"], request)?;
            let trace = Trace::begin(Vec::new(), &loaded.ruleset, &loaded.layout, seed, false);
            let mut agent = Random::new(seed);
            let written = trace.follow(|recording| {
                let agent = Some((&mut agent as _, &Until::End));
                run(&loaded.rules, Request { start: &Start::Game, seed, log: &[], agent, recording: Some(recording) })
            });
            let (bytes, _) = written.map_err(|error| error.to_string())?;
            return String::from_utf8(bytes).map_err(|error| error.to_string());
        }
        if let Some(game) = request["test"].as_str() {
            return self.tested(game);
        }
        Err("this is no request".to_owned())
    }

    fn library(&self) -> Result<&Library, String> {
        self.library.as_ref().ok_or_else(|| "there are no files".to_owned())
    }

    /// A game of a library, for so many players, with a seed.
    fn loaded(&self, game: &Value, request: &Value) -> Result<(Playable, usize, u64), String> {
        let selection = Selection { game: game.as_str().unwrap_or_default().to_owned(), ..Selection::default() };
        let ruleset = Ruleset::load(self.library()?, &selection).map_err(told)?;
        let players = request["players"].as_u64().unwrap_or(0) as usize;
        ruleset.check_players(players).map_err(told)?;
        let loaded = Playable::compile(Arc::new(ruleset), players, Arc::default()).map_err(told)?;
        Ok((loaded, players, request["seed"].as_u64().unwrap_or(0)))
    }

    /// Where the game stands: what is asked, and what may be answered.
    fn stands(&self) -> Result<String, String> {
        let position = self.game.as_ref().ok_or("no game is open")?.position();
        if let Some(failed) = &position.failed {
            return Err(told(failed.clone()));
        }
        let asked = position.open.as_ref().map(|open| {
            json!({
                "seat": open.seat.map(|seat| seat.to_string()),
                "prompt": &*open.prompt,
                "min": open.min,
                "max": open.max,
                "options": open.options.iter().map(|option| &*option.label).collect::<Vec<_>>(),
            })
        });
        Ok(json!({ "scores": position.scores, "asked": asked }).to_string())
    }

    /// Runs the scenarios of a game.
    fn tested(&self, game: &str) -> Result<String, String> {
        let library = self.library()?;
        let mut passed = 0;
        let mut failed = Vec::new();
        for path in find_scenarios(&[], library) {
            let scenario = Scenario::read(library.files(), &path).map_err(told)?;
            if scenario.game() != game {
                continue;
            }
            match scenario.run(library).result {
                Ok(()) => passed += 1,
                Err(errors) => failed.push(told(errors)),
            }
        }
        Ok(json!({ "passed": passed, "failed": failed }).to_string())
    }
}

fn told(errors: Diagnostics) -> String {
    errors.to_string()
}
