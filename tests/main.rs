//! All integration tests of the program, as one: it is linked once, and what one test has compiled another can use. Those
//! of the core without its host stand beside it (`core.rs`).
//!
//! Each module is a subject; `cargo test --test all sessions::watching` runs those of one. Tests that need the program
//! run the one that was built beside them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test that goes wrong says so by panicking"
)]

mod agents;
mod asked;
mod backs;
mod bases;
mod boards;
mod calls;
mod campaigns;
mod catalogue;
mod cookbook;
mod copies;
mod coverage;
mod dap;
mod designers;
mod diff;
mod differential;
mod docs;
mod editions;
mod editor;
mod editors;
mod effort;
mod endings;
mod examples;
mod findings;
mod format;
mod fuzz;
mod golden;
mod hostile;
mod hunt;
mod keys;
mod lab;
mod language;
mod leaks;
mod libraries;
mod lists;
mod live;
mod long;
mod machine;
mod messages;
mod options;
mod properties;
mod random_games;
mod reactions;
mod rhai;
mod rulebooks;
mod scenarios;
mod schemas;
mod sessions;
mod shared;
mod silence;
mod stepping;
mod supplies;
mod table;
mod teams;
mod trace;
mod twins;
mod variables;
mod walls;
mod words;
