//! Houserule: a sandbox for tabletop rules. This page is the map of the house.
//!
//! Rules are written in Rhai and TOML. A *game* is a folder of the project; a *variant* is a file that is laid over a
//! game. Everything rests on one idea:
//!
//! > **A game in play is a pure function of (ruleset, seats, seed, log).**
//!
//! The log holds what the players chose and what a person changed by hand. The rules run from the top; whenever they
//! ask somebody something, the answer comes from the log; where the log ends, the run stops and the decision is open.
//! To answer is to append to the log and to go on. To undo, to load, to branch, to change a rule and to step are other
//! logs and other rulesets under the same function, so there is no second copy of a rule anywhere.
//!
//! A run is data: the table, and the frames of the calls that stand in each other. It can be stopped at any step, copied
//! and gone on with, by any number of hands. So what two logs share is run once, and a search tries a move on a copy.
//!
//! ```
//! use houserule::agent::Random;
//! use houserule::definition::Library;
//! use houserule::files::Memory;
//! use houserule::playthrough::run::Until;
//! use houserule::playthrough::{Loaded, Playthrough};
//! use houserule::ruleset::{Ruleset, Selection};
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), houserule::diagnostic::Diagnostics> {
//! let files = Memory::new([
//!     ("games/stake/game.toml", "id = 'stake'\nname = 'Stake'\nplayers = { min = 2, max = 4 }\n"),
//!     ("games/stake/rules.rhai", r#"fn game() { for p in players { if p.may("stake") { p.award(1, "stake"); } } }"#),
//! ]);
//! let library = Library::of(Arc::new(files), vec!["".into()]);
//! let ruleset = Ruleset::load(&library, &Selection { game: "stake".to_owned(), ..Selection::default() })?;
//!
//! let (players, seed) = (3, 42);
//! let loaded = Loaded::compile(Arc::new(ruleset), players, Arc::default())?;
//! let (mut game, _) = Playthrough::start(loaded, players, seed, Vec::new())?;
//! game.advance(Box::new(Random::new(seed)), Until::End)?;
//!
//! assert!(game.position().open.is_none(), "the game is over");
//! println!("scores: {:?}", game.position().scores);
//! # Ok(())
//! # }
//! ```
//!
//! # The rooms, from the ground up
//!
//! A room knows only rooms that stand before it here.
//!
//! [`diagnostic`] is what is said to a person when something is wrong: where, what was expected, how to go on. Every
//! other room reports trouble in this form, and one function turns it into text.
//!
//! [`json`] writes JSON.
//!
//! [`files`] is where texts come from: whoever reads games, scenarios and saved games asks it, and does not know whether
//! they lie on a disk or in memory.
//!
//! [`work`] is the wire between a person who waits and the rules at work: Ctrl-C in the one direction, how far they are
//! in the other.
//!
//! [`definition`] reads TOML into typed definitions, finds games and variants among files, and lays variants over a game.
//! Each value keeps the place it was written at, and each key that a file may have is [declared](definition::keys) once.
//! No script is understood here.
//!
//! [`table`] is what lies before the players: components with their sides and owners, zones, variables, chance, the
//! virtual clock of real-time games, who knows what, and the record of what happened. Every change of the table is one
//! of its methods.
//!
//! [`ruleset`] puts the layers together, in order, with their settings and a hash of all that. It is plain data.
//!
//! [`script`] is the language of rules. Its layers are merged, with `super`, and parsed ([`script::parser`]); the tree is
//! read into a [`Program`](script::program::Program), plain data with every name resolved ([`script::read`]); the program
//! is checked ([`script::check`]) and compiled to steps that a [`machine`](script::machine) of our own runs on a table.
//! The words that scripts can use stand in one table, [`script::vocabulary`]. The rest of the house meets it as
//! [`Rules`](script::rules::Rules), which never change, and [`Run`](script::rules::Run), which is data. The parser's own
//! evaluator is the reference in tests that our scripts mean what they mean in its language; the program does not have it.
//!
//! [`playthrough`] is one game in play: the run along a log, decisions, the timeline with its branches, saved games, and
//! what becomes of a game when its rules change.
//!
//! [`agent`] answers for a seat when no person does.
//!
//! [`inspect`] looks at a game from outside: whether its rules fit together; its trace, event by event, for other
//! programs; two runs of it beside each other; why an option is not there; and the script debugger. All of it is the log
//! run again with somebody watching.
//!
//! [`scenario`] reads and runs tests of rules: given a table, when the rules are called, then this is so.
//!
//! [`screen`] is what a person is shown: the table, the open decision, the record, a comparison, where the debugger
//! stands, in lines of styled text. It knows no terminal; whoever has one turns the lines into characters.
//!
//! This was the core. It touches no disk, terminal, thread, clock, environment or allocator, and is built without the
//! feature `host` too, also for browsers. What is left is the host, which a program on somebody's computer has:
//!
//! [`host`] is that computer: its disk, standard output, the terminal. It writes files whole or not at all, and never
//! over somebody else's.
//!
//! [`repl`] is a playthrough with a person in front of it: commands, completion, the rules' files watched for edits, and
//! the journal that keeps the game if the session is killed.
//!
//! [`cli`] is the command line: what may be said on it, what each command does, and the exit codes.
//!
//! # What is not there, and what sees to it
//!
//! * No room knows one above it, and the core no host: `tests/walls.rs` reads who names whom, and the core is built and
//!   tested without the feature.
//! * No code knows a game: under `src/`, names of games are found in examples and tests alone. A new game
//!   needs no Rust. (`tests/walls.rs`)
//! * No run of a game begins in its middle but from a copy that a run left there: only [`script::rules`] can make a
//!   [`Run`](script::rules::Run), from the beginning.
//! * No clock, thread order, hash order or global decides a game: the lints of `clippy.toml` keep them out of the core,
//!   `tests/walls.rs` the globals, and tests compare runs of each game in several threads. What ends a script is a count
//!   of its steps.
//! * No file, network, clock, environment or evaluation of text is within a script's reach: the machine knows the words
//!   of [`script::vocabulary`] only, which `tests/vocabulary.txt` lists, and the room that it stands in has none of these.
//! * Nothing behind [`script::read`] knows the parser's tree, and nothing in [`definition`] and [`table`] knows scripts.
//!   (`tests/walls.rs`)
//! * No output is written but by [`host`], the line editor of [`repl`] and the usage messages of [`cli`].
//!   (`tests/walls.rs`)

#![deny(clippy::disallowed_methods, clippy::disallowed_types, clippy::iter_over_hash_type)]

pub mod agent;
#[cfg(feature = "host")]
#[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "these are the host's")]
pub mod cli;
pub mod definition;
pub mod diagnostic;
pub mod files;
#[cfg(test)]
#[path = "../tests/unit/games.rs"]
mod games;
#[cfg(feature = "host")]
#[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "these are the host's")]
pub mod host;
pub mod inspect;
pub mod json;
pub mod playthrough;
#[cfg(feature = "host")]
#[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "these are the host's")]
pub mod repl;
pub mod ruleset;
pub mod scenario;
pub mod screen;
pub mod script;
pub mod table;
pub mod work;
