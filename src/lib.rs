//! Houserule: a sandbox for tabletop rules.
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
//! A run is data: the table and the call stack. It can be paused at any step, cloned, and resumed on any thread. So what two
//! logs share is run once, and a search tries a move on a copy.
//!
//! This is the program's library, for whoever wants games in a page, a notebook, an editor or a program of their own.
//! Without the feature `host` it touches no disk, terminal, thread or clock.
//!
//! # Load
//!
//! Texts come from [`Files`]: a disk, or [`MemoryFiles`]. A [`Library`] finds games and variants in them, a
//! [`Selection`] names what is played, and a [`Ruleset`] is that, laid over each other. [`Playable`] is a ruleset
//! compiled for so many players. Whatever fails says why in [`Diagnostics`]: with file, line and what to do next.
//!
//! ```
//! use houserule::{Library, MemoryFiles, Playable, Ruleset, Selection};
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), houserule::Diagnostics> {
//! let files = MemoryFiles::new([
//!     ("games/stake/game.toml", "id = 'stake'\nname = 'Stake'\nplayers = { min = 2, max = 4 }\n"),
//!     ("games/stake/rules.rhai", r#"fn game() { for p in players { if p.may("stake") { p.award(1, "stake"); } } }"#),
//! ]);
//! let library = Library::of(Arc::new(files), vec!["".into()]);
//! let ruleset = Ruleset::load(&library, &Selection::of("stake"))?;
//! let loaded = Playable::compile(Arc::new(ruleset), 3, Arc::default())?;
//! assert!(loaded.warnings.is_empty());
//! assert!(Ruleset::load(&library, &Selection::of("stak")).unwrap_err().to_string().contains("did you mean `stake`?"));
//! # Ok(())
//! # }
//! ```
//!
//! In the examples from here on, `stake()` is a library in memory with another game of that name, a variant of it, and
//! a scenario.
//!
//! # Check
//!
//! [`Findings`] are what is wrong with rules, and what is allowed but probably not meant. Each is a [`Diagnostic`] with a
//! [`Severity`] and a [`Code`] that stays the same; [`CODES`] explains them all.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shared/stake.rs"));
//! # fn main() {
//! let mut findings = houserule::Findings::default();
//! findings.check_game(&houserule::SingleThread, &stake(), &Default::default(), "stake");
//! assert_eq!(findings.summary(), "2 rulesets checked, 0 forbidden pairs refused; 0 errors, 0 warnings");
//! # }
//! ```
//!
//! # Play
//!
//! A [`Playthrough`] is one game in play. Its [`Position`] says what lies on the table and what is asked; it is answered by
//! labels, or by an [`Agent`]; it goes back and forth, to other branches, and over to other rules.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shared/stake.rs"));
//! use houserule::{Greedy, Playable, Playthrough, Replay, Ruleset, Selection, Until};
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), houserule::Diagnostics> {
//! let library = stake();
//! let load = |selection: &Selection| Playable::compile(Arc::new(Ruleset::load(&library, selection)?), 3, Arc::default());
//! let (mut game, _) = Playthrough::start(load(&Selection::of("stake"))?, 3, 42, Vec::new())?;
//!
//! game.choose(&["2".to_owned()])?;
//! let open = game.position().open.clone().expect("the second player is asked");
//! let labels: Vec<&str> = open.options.iter().map(|option| option.label.as_str()).collect();
//! assert_eq!(labels, ["1", "3"], "what was staked just now is refused");
//!
//! game.advance(Box::new(Greedy::new(1)), Until::End)?;
//! assert_eq!(game.position().scores, [8, 7, 8]);
//!
//! // The same choices under another rule.
//! game.change_rules(load(&Selection::of("stake").with("double"))?)?;
//! assert_eq!(game.position().scores, [16, 14, 16]);
//!
//! game.undo()?;
//! assert_eq!(game.position().scores, [8, 7, 8]);
//! assert!(Replay::of(&game).to_toml().starts_with("# A game saved by houserule"));
//! # Ok(())
//! # }
//! ```
//!
//! # Fork
//!
//! Below that are [`Rules`], which never change, and a [`Run`] of them, which is data: a search copies it and goes on with
//! the copy. An [`Answerer`] answers for the seats; the run ends at a decision that it leaves open.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shared/stake.rs"));
//! use houserule::{End, Halt, NoAnswerer, Playable, Random, Ruleset, Selection, Start};
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), houserule::Diagnostics> {
//! let ruleset = Ruleset::load(&stake(), &Selection::of("stake"))?;
//! let rules = Playable::compile(Arc::new(ruleset), 2, Arc::default())?.rules;
//!
//! let (run, end) = rules.play(&Start::Game, 1, &mut NoAnswerer, None);
//! assert_eq!(end, End::Halted(Halt::Open));
//! let best = (0..20).map(|seed| {
//!     let mut copy = run.clone();
//!     rules.resume(&mut copy, &mut Random::new(seed));
//!     copy.table.ranking()[0].clone()
//! });
//! println!("twenty games from here: {:?}", best.collect::<Vec<_>>());
//! # Ok(())
//! # }
//! ```
//!
//! # Look
//!
//! A [`Trace`] tells a game event by event to other programs. An [`Observer`] says what
//! brought something about ([`Why`]), and [`why_not`] why an option is not there; a [`Comparison`] sets two games beside each other; a [`Debugger`] steps through the rules,
//! backwards too. A [`Scene`] is [drawn](mod@draw) for a person's eyes.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shared/stake.rs"));
//! use houserule::parts::{Subject, Verdict, Viewer};
//! use houserule::{Observer, Playable, Playthrough, Ruleset, Selection, Why, why_not};
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), houserule::Diagnostics> {
//! let ruleset = Ruleset::load(&stake(), &Selection::of("stake"))?;
//! let loaded = Playable::compile(Arc::new(ruleset), 2, Arc::default())?;
//! let (mut game, _) = Playthrough::start(loaded, 2, 1, Vec::new())?;
//! game.choose(&["2".to_owned()])?;
//!
//! let found = why_not(&game, Viewer::Everything, "2")?;
//! assert_eq!(found.verdict, Verdict::Refused(Some("just_staked".into())));
//! assert_eq!(found.lines[0].cause.as_ref().unwrap().place, "games/stake/rules.rhai:7");
//!
//! let observer = Observer { loaded: game.loaded(), position: game.position(), viewer: Viewer::Everything };
//! let Why::LastChoice(steps) = observer.why(Subject::LastChoice, false)? else { unreachable!() };
//! assert!(steps[0].cause.as_ref().unwrap().place.starts_with("games/stake/rules.rhai"));
//! # Ok(())
//! # }
//! ```
//!
//! # Talk
//!
//! A [`Session`] is a game with a person in front of it: it understands lines as the program's prompt does. What it needs of a
//! computer it asks of its [`Surroundings`]; [`NoSurroundings`] is none at all. Where lines are not enough, a
//! [`View`](parts::View) is what one viewer sees now, as data, and [`Playthrough::choose_as`] answers for a seat, also
//! where several choose at the same time. An [`Analysis`] says what names mean and what can be typed next.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shared/stake.rs"));
//! use houserule::parts::{Flow, Viewer};
//! use houserule::{Language, NoSurroundings, Playable, Playthrough, Ruleset, Selection, Session, draw};
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), houserule::Diagnostics> {
//! let library = stake();
//! let ruleset = Ruleset::load(&library, &Selection::of("stake"))?;
//! let loaded = Playable::compile(Arc::new(ruleset), 2, Arc::default())?;
//! let (game, _) = Playthrough::start(loaded, 2, 1, Vec::new())?;
//! let mut session = Session::new(game, library, Language::English, Arc::default(), Arc::new(NoSurroundings));
//!
//! let Flow::Show(lines) = session.line("2")? else { unreachable!() };
//! println!("{}", draw::render(&lines, false));
//! session.viewer = Viewer::Everything;
//! assert_eq!(session.view(0).asked[0].seat, Some(2));
//! # Ok(())
//! # }
//! ```
//!
//! # Edit
//!
//! A [`Workspace`] has files with unsaved texts over them, and answers what an editor asks: what is wrong, what can stand here, what
//! is this, who refers to it. Places are bytes of the texts.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shared/stake.rs"));
//! use houserule::{Language, Workspace};
//! use std::path::Path;
//!
//! # fn main() {
//! let mut workspace = Workspace::new(stake(), Language::English);
//! let rules = Path::new("games/stake/rules.rhai");
//! let text = "fn game() { for p in players { p. } }";
//! workspace.set(rules, Some(text));
//! let place = text.find("p.").unwrap() + 2;
//! assert!(workspace.complete(rules, place).iter().any(|one| one.label == "may"));
//! let found = workspace.findings(rules, &Default::default());
//! assert_eq!(found[0].diagnostic.code.unwrap().name, "syntax");
//! # }
//! ```
//!
//! # Test
//!
//! A [`Scenario`] is a test of rules: given a table, when the rules are called, then this is so.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shared/stake.rs"));
//! use houserule::{Scenario, find_scenarios};
//!
//! # fn main() -> Result<(), houserule::Diagnostics> {
//! let library = stake();
//! for path in find_scenarios(&[], &library) {
//!     let report = Scenario::read(library.files(), &path)?.run(&library);
//!     assert!(report.result.is_ok(), "{} {}", report.id, report.title);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # A thousand games
//!
//! Rules can be shared by threads, and a game of so and so many seeds is the same in each of them.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shared/stake.rs"));
//! use houserule::{End, Playable, Random, Ruleset, Selection, Start};
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), houserule::Diagnostics> {
//! let ruleset = Ruleset::load(&stake(), &Selection::of("stake"))?;
//! let rules = Playable::compile(Arc::new(ruleset), 2, Arc::default())?.rules;
//! let first_wins = (0..1_000).filter(|&seed| {
//!     let (run, end) = rules.play(&Start::Game, seed, &mut Random::new(seed), None);
//!     assert_eq!(end, End::Finished);
//!     run.table.ranking()[0][0].number() == 1
//! });
//! println!("of 1000 games the first player wins {}", first_wins.count());
//! # Ok(())
//! # }
//! ```
//!
//! What these are made of can be named in [`parts`].
//!
//! # The house, for whoever changes it
//!
//! Four packages make it, so that what games run through is compiled for speed, and the rest quickly: `houserule-engine` has the
//! rooms up to `script`, `houserule-play` those from `playthrough` to `lab`, `houserule-screen` is the room `screen`, and this
//! one has the others.
//!
//! These are the rooms, from the ground up. A room knows only rooms that stand before it here. Outside of the crate none
//! of them can be named; what the book above needs of them is exported one by one.
//!
//! `sorted` has maps and sets as sorted lists, which every room uses in place of the standard library's trees.
//!
//! `compressed` reads texts that lie compressed in the program.
//!
//! `catalogue` has the texts of the host in other languages. Nothing is looked up because it is shown: who shows a text of
//! the host says so, and texts of games, source and commands are none.
//!
//! `diagnostic` is what is said to a person when something is wrong: where, what was expected, how to go on. Every
//! other room reports trouble in this form, and one function turns it into text.
//!
//! `json` writes JSON.
//!
//! `files` is where texts come from: whoever reads games, scenarios and saved games asks it, and does not know whether
//! they lie on a disk or in memory.
//!
//! `work` is the wire between a person who waits and the rules at work: Ctrl-C in the one direction, how far they are
//! in the other.
//!
//! `definition` reads TOML into typed definitions, finds games and variants among files, and lays variants over a game.
//! Each value keeps the place it was written at, and each key that a file may have is declared (`definition::keys`) once.
//! No script is understood here.
//!
//! `table` is what lies before the players: components with their sides and owners, zones, variables, chance, the
//! virtual clock of real-time games, who knows what, and the record of what happened. Every change of the table is one
//! of its methods.
//!
//! `ruleset` puts the layers together, in order, with their settings and a hash of all that. It is plain data.
//!
//! `script` is the language of rules. Its layers are merged, with `super`, and parsed (`script::parser`); the tree is
//! read into a `Program`, plain data with every name resolved (`script::read`); the program
//! is checked (`script::check`) and compiled to steps that a `machine` of our own runs on a table. `script::format` lays out
//! scripts and TOML files.
//! The words that scripts can use stand in one table, `script::vocabulary`. The rest of the house meets it as
//! `Rules`, which never change, and `Run`, which is data. The parser's own
//! evaluator is the reference in tests that our scripts mean what they mean in its language; the program does not have it.
//!
//! `playthrough` is one game in play: the run along a log, decisions, the timeline with its branches, saved games, and
//! what becomes of a game when its rules change.
//!
//! `agent` answers for a seat when no person does.
//!
//! `scenario` reads and runs tests of rules: given a table, when the rules are called, then this is so.
//!
//! `prose` is the rulebook that people have written: its sections with those of the variants in their places, what stands in
//! braces filled from the rules, examples, and what of it is no longer so.
//!
//! `inspect` looks at a game from outside: whether its rules fit together; its trace, event by event, for other
//! programs; two runs of it beside each other; why an option is not there; and the script debugger. All of it is the log
//! run again with somebody watching.
//!
//! `lab` plays thousands of games and says what the rules do to them: what is counted, what is measured, how sure one can
//! be of it, two rulesets beside each other, and the hunt for what breaks rules.
//!
//! `screen` is what a person is shown: the table, the open decision, the record, a comparison, where the debugger
//! stands, in lines of styled text; plots, in characters and as a page of HTML (`screen::plot`); a game as a page to
//! step through (`screen::html`); and the rulebook (`screen::rulebook`). It knows no terminal; whoever has one turns the
//! lines into characters.
//!
//! `share` puts rules into one file to send, with what they rest on and what they change, and reads such files from
//! strangers.
//!
//! `shipped` has the games, variants, libraries and scenarios that come with the program, as files of the last folder in
//! which it looks.
//!
//! `workspace` is what an editor asks: what is wrong with a file while somebody writes it, what stands at a place, what can stand
//! there, who refers to it. It looks at files with unsaved texts over them, and understands what is whole of a text that is broken.
//!
//! `session` is a playthrough with a person in front of it: what a line means, the commands, help and completion, and who
//! sits where. What it needs of a computer it asks for (`session::surroundings`): a terminal, a page, an editor each bring
//! their own.
//!
//! `live` is the table protocol: what a page, a phone or a screen before the same game asks, and what it is told.
//!
//! This was the core. It touches no disk, terminal, thread, clock, environment or allocator, and is built without the
//! feature `host` too, also for browsers. What is left is the host, which a program on somebody's computer has:
//!
//! `host` is that computer: its disk, standard output, the terminal. It writes files whole or not at all, and never
//! over somebody else's.
//!
//! `serve` speaks the table protocol to browsers: links that open a seat, one place where everything comes to that is done, and
//! what holds strangers off.
//!
//! `repl` is a session at a terminal, or as a script from a pipe: the prompt, the pager, the rules' files watched for edits,
//! and the journal that keeps the game if the session is killed.
//!
//! `dap` is a session in an editor: its debugger by the Debug Adapter Protocol, with the editor's console for a prompt.
//!
//! `lsp` is a language server: it has the documents as an editor has them, and asks `workspace`.
//!
//! `cli` is the command line: what may be said on it, what each command does, and the exit codes.
//!
//! ## What is not there, and what sees to it
//!
//! * No room knows one above it, and the core no host: `tests/walls.rs` reads who names whom, and the core is built and
//!   tested without the feature.
//! * No code knows a game: under `src/`, names of games are found in examples and tests alone. A new game
//!   needs no Rust. (`tests/walls.rs`)
//! * No run of a game begins in its middle but from a copy that a run left there: only `script::rules` can make a
//!   `Run`, from the beginning.
//! * No clock, thread order, hash order or global decides a game: the lints of `clippy.toml` keep them out of the core,
//!   `tests/walls.rs` the globals, and tests compare runs of each game in several threads. What ends a script is a count
//!   of its steps.
//! * No file, network, clock, environment or evaluation of text is within a script's reach: the machine knows the words
//!   of `script::vocabulary` only, which `tests/vocabulary.txt` lists, and the room that it stands in has none of these.
//! * Nothing behind `script::read` knows the parser's tree, and nothing in `definition` and `table` knows scripts.
//!   (`tests/walls.rs`)
//! * No output is written but by `host`, the line editor of `repl`, the wire of `lsp` and the usage messages of `cli`.
//!   (`tests/walls.rs`)

#![deny(clippy::disallowed_methods, clippy::disallowed_types, clippy::iter_over_hash_type)]
// Some of the core is there for the host's rooms alone.
#![cfg_attr(not(feature = "host"), allow(dead_code, unused_imports))]

// The rooms of the packages below, under the names that they have there; and the rooms of this one. They are private: for tests
// and benchmarks of this crate alone, which look into them, they can be named.
#[cfg(not(feature = "reference"))]
use houserule_engine::{
    catalogue, compressed, definition, diagnostic, files, json, ruleset, script, sorted, table, work,
};
#[cfg(not(feature = "reference"))]
use houserule_play::{agent, inspect, lab, playthrough, prose, scenario};
#[cfg(not(feature = "reference"))]
use houserule_screen::screen;
#[cfg(feature = "reference")]
#[doc(hidden)]
pub use {
    houserule_engine::{
        catalogue, compressed, definition, diagnostic, files, json, ruleset, script, sorted, table, work,
    },
    houserule_play::{agent, inspect, lab, playthrough, prose, scenario},
    houserule_screen::screen,
};

/// Declares rooms.
macro_rules! rooms {
    ($($(#[$attribute:meta])* $room:ident)*) => {
        $(
            $(#[$attribute])*
            #[cfg(not(feature = "reference"))]
            mod $room;
            $(#[$attribute])*
            #[cfg(feature = "reference")]
            #[doc(hidden)]
            pub mod $room;
        )*
    };
}

rooms! {
    live
    session
    share
    shipped
    workspace
}

#[cfg(feature = "host")]
rooms! {
    #[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "these are the host's")]
    cli
    #[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "these are the host's")]
    dap
    #[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "these are the host's")]
    host
    #[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "these are the host's")]
    lsp
    #[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "these are the host's")]
    repl
    #[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "these are the host's")]
    serve
}

// What a macro declares `cargo fmt` does not find: this list is for it alone.
#[cfg(any())]
#[path = "."]
mod formatted {
    mod cli;
    mod dap;
    mod host;
    mod live;
    mod lsp;
    mod repl;
    mod serve;
    mod session;
    mod share;
    mod shipped;
    mod workspace;
}

#[cfg(test)]
#[path = "../tests/unit/games.rs"]
mod games;

// Load.
#[doc(inline)]
pub use crate::catalogue::{Message, speak};
#[doc(inline)]
pub use crate::definition::{Language, Library};
#[doc(inline)]
pub use crate::diagnostic::{Code, Diagnostic, Diagnostics, Place, Severity, Source};
#[doc(inline)]
pub use crate::files::{Files, MemoryFiles};
#[doc(inline)]
pub use crate::playthrough::Playable;
#[doc(inline)]
pub use crate::ruleset::{Ruleset, Selection};
#[doc(inline)]
pub use crate::shipped::{BuiltIn, library as built_in};
#[doc(inline)]
pub use crate::work::{SingleThread, Work, Workers};

// Edit.
#[doc(inline)]
pub use crate::workspace::Workspace;

// Check.
#[doc(inline)]
pub use crate::inspect::check::Findings;
#[doc(inline)]
pub use crate::script::codes::CODES;

// Play.
#[doc(inline)]
pub use crate::agent::{AgentSpec, Greedy, Random, Search, SeatedAgents};
#[doc(inline)]
pub use crate::playthrough::observation::{Agent, Observation};
#[doc(inline)]
pub use crate::playthrough::replay::Replay;
#[doc(inline)]
pub use crate::playthrough::rerun::Rerun;
#[doc(inline)]
pub use crate::playthrough::run::Until;
#[doc(inline)]
pub use crate::playthrough::saved_game::SavedGame;
#[doc(inline)]
pub use crate::playthrough::{Playthrough, Position};
#[doc(inline)]
pub use crate::table::decision::Decision;

// Fork.
#[doc(inline)]
pub use crate::script::rules::{Rules, Run};
#[doc(inline)]
pub use crate::script::{End, Start};
#[doc(inline)]
pub use crate::table::Table;
#[doc(inline)]
pub use crate::table::decision::{Answerer, Halt, NoAnswerer};

// Look.
#[doc(inline)]
pub use crate::inspect::compare::Comparison;
#[doc(inline)]
pub use crate::inspect::debugger::Debugger;
#[doc(inline)]
pub use crate::inspect::trace::Trace;
#[doc(inline)]
pub use crate::inspect::why::{Observer, Why, WhyNot, why_not};
#[doc(inline)]
pub use crate::screen::Scene;

// Talk.
#[doc(inline)]
pub use crate::session::Session;
#[doc(inline)]
pub use crate::session::analysis::Analysis;
#[doc(inline)]
pub use crate::session::surroundings::{NoSurroundings, Surroundings};

// Share.
#[doc(inline)]
pub use crate::share::{MountedPacks, Pack, PackFile};

// What games show.
#[doc(inline)]
pub use crate::lab::statistics;
#[doc(inline)]
pub use crate::screen::plot;

// Test.
#[doc(inline)]
pub use crate::scenario::{Report, Scenario, find as find_scenarios};

/// What the types of the first page are made of. It is read more often than named.
pub mod parts {
    #[doc(inline)]
    pub use crate::agent::search::{Advice, Budget, Estimate};
    #[doc(inline)]
    pub use crate::agent::{AgentKind, KINDS as AGENTS};
    #[doc(inline)]
    pub use crate::definition::COLORS;
    #[doc(inline)]
    pub use crate::definition::keys::{KeyInfo, Requirement, SECTIONS, Section};
    #[doc(inline)]
    pub use crate::definition::{
        Attribute, Board, BoardCell, ComponentDefinition, ComponentGroup, ComponentKind, Definition, Layer, LayerEntry,
        LayerKind, Looks, Origin, Scalar, ScriptText, Setting, Shape, Text, VariableDefinition, VariableValue,
        Visibility, ZoneDefinition, ZoneOrder,
    };
    #[doc(inline)]
    pub use crate::diagnostic::MAX_SOURCE_BYTES;
    #[doc(inline)]
    pub use crate::files::{FileFormat, FileKind, FolderEntry, OverwritePolicy, WriteError, WriteTarget};
    #[doc(inline)]
    pub use crate::inspect::compare::{MoveDifference, OptionsChange, Side};
    #[doc(inline)]
    pub use crate::inspect::debugger::{Breakpoint, Call, Places, Reason, Stop, Target};
    #[doc(inline)]
    pub use crate::inspect::leaks::{Leak, hunt};
    #[doc(inline)]
    pub use crate::inspect::pattern::Pattern;
    #[doc(inline)]
    pub use crate::inspect::review::{Moment, Review};
    #[doc(inline)]
    pub use crate::inspect::why::{Cause, Ending, ScriptLine, Step, Subject, Verdict};
    #[doc(inline)]
    pub use crate::lab::coverage::{CallCounts, Coverage, StepCounts};
    #[doc(inline)]
    pub use crate::playthrough::change::Change;
    #[doc(inline)]
    pub use crate::playthrough::chosen_value::ChosenValue;
    #[doc(inline)]
    pub use crate::playthrough::hidden_choices::HiddenChoices;
    #[doc(inline)]
    pub use crate::playthrough::history::History;
    #[doc(inline)]
    pub use crate::playthrough::log::{Entry, LogEntry, TableSetup};
    #[doc(inline)]
    pub use crate::playthrough::observation::Fork;
    #[doc(inline)]
    pub use crate::playthrough::replay::{ReplayFile, ReplayResult, SeatScore};
    #[doc(inline)]
    pub use crate::playthrough::rerun::{Difference, RerunOutcome, Rule};
    #[doc(inline)]
    pub use crate::playthrough::rules_cache::RulesCache;
    #[doc(inline)]
    pub use crate::playthrough::run::{Outcome, Request, run};
    #[doc(inline)]
    pub use crate::playthrough::timeline::{Bookmark, Branch, Timeline};
    #[doc(inline)]
    pub use crate::playthrough::{Caption, Misfit, RulesTrial};
    #[doc(inline)]
    pub use crate::ruleset::{Role, ScriptLayer, SelectionPart};
    #[doc(inline)]
    pub use crate::scenario::ScenarioRun;
    #[doc(inline)]
    pub use crate::script::check::Lint;
    #[doc(inline)]
    pub use crate::script::codes::find as code_named;
    #[doc(inline)]
    pub use crate::script::format::{format_rhai, format_toml};
    #[doc(inline)]
    pub use crate::script::functions::FunctionInfo;
    #[doc(inline)]
    pub use crate::script::{Evaluation, EvaluationError};
    #[doc(inline)]
    pub use crate::session::analysis::Candidate;
    #[doc(inline)]
    pub use crate::session::commands::{Flow, Question as Confirmation};
    #[doc(inline)]
    pub use crate::table::chance::Stream;
    #[doc(inline)]
    pub use crate::table::decision::{OptionShown, Options, Play, Question};
    #[doc(inline)]
    pub use crate::table::event::{Content, Event, EventData, EventKind, Field, ScriptPoint};
    #[doc(inline)]
    pub use crate::table::knowledge::{
        Appearance, ComponentView, DecisionView, EventView, ObservedPosition, OptionView, VariableView, View, Viewer,
        ZoneView,
    };
    #[doc(inline)]
    pub use crate::table::layout::{FaceInfo, Layout, VariableInfo, ZoneInfo};
    #[doc(inline)]
    pub use crate::table::value::{Component, MAX_SEATS, Seat, Seats, Value, Zone};
    #[doc(inline)]
    pub use crate::table::{Metric, Recording, State};
    #[doc(inline)]
    pub use crate::workspace::{
        Caller, Calls, Completion, CompletionKind, FileFinding, Fix, Fold, Hover, InlayHint, Lens, LensAction, Link,
        Location, OutlineItem, OutlineKind, RenameError, SemanticKind, SemanticToken, Signature, TestResults,
        TextChange,
    };
}

/// A game in lines of text, for a person's eyes.
pub mod draw {
    #[doc(inline)]
    pub use crate::screen::style::{Label, Line, render};
    #[doc(inline)]
    pub use crate::screen::{
        Listing, bookmarks, change, comparison, history, locals, log, look, misfit, side, stack, stop, table, tree,
        why, why_not,
    };
}

/// The pages of the documentation that are made from the program, as Markdown.
pub mod pages {
    #[doc(inline)]
    pub use crate::definition::keys::page::page as files;
    #[doc(inline)]
    pub use crate::lab::measures::page as measures;
    #[doc(inline)]
    pub use crate::script::codes::page as codes;
    #[doc(inline)]
    pub use crate::script::vocabulary::page::reference as vocabulary;
    #[doc(inline)]
    pub use crate::session::commands::reference as commands;
    #[doc(inline)]
    pub use crate::sorted::{SortedMap, SortedSet};
}

// The program itself.
#[cfg(feature = "host")]
pub use crate::cli::run as command_line;
#[cfg(feature = "host")]
pub use crate::host::computer::ThisComputer;
#[cfg(feature = "host")]
pub use crate::host::disk::Disk;
#[cfg(feature = "host")]
pub use crate::host::threads::Threads;
