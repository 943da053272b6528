//! What a person is shown: drawings in lines of text, pages, rulebooks and print.
//!
//! A package of its own, like the [engine](houserule_engine), so that an edit of a drawing builds and tests this alone.
//! Nothing here uses a disk, a terminal, a thread or a clock. The documentation of the crate `houserule` describes the module.

#![deny(clippy::disallowed_methods, clippy::disallowed_types, clippy::iter_over_hash_type)]
#![allow(rustdoc::private_intra_doc_links, reason = "who reads this reads the source")]
#![allow(missing_docs, reason = "the crate `houserule` says what it shows of this, and documents that")]

// The package has this room alone, so both lie in one folder.
#[path = "mod.rs"]
pub mod screen;

// The modules of the packages below, under their own names.
use houserule_engine::{catalogue, definition, diagnostic, files, ruleset, script, sorted, table};
use houserule_play::{inspect, lab, playthrough, prose};

#[cfg(test)]
use houserule_play::agent;

#[cfg(test)]
#[path = "../../tests/unit/games.rs"]
mod games;
