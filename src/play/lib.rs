//! Games in play: playthroughs, agents, inspection, scenarios and the lab.
//!
//! A package of its own, like the [engine](houserule_engine). Nothing here uses a disk, a terminal, a thread or a
//! clock. The documentation of the crate `houserule` describes each module.

#![deny(clippy::disallowed_methods, clippy::disallowed_types, clippy::iter_over_hash_type)]
#![allow(rustdoc::private_intra_doc_links, reason = "who reads this reads the source")]
#![allow(missing_docs, reason = "the crate `houserule` says what it shows of this, and documents that")]

pub mod agent;
pub mod inspect;
pub mod lab;
pub mod playthrough;
pub mod prose;
pub mod scenario;

// The modules of the engine, under their own names.
use houserule_engine::{catalogue, definition, diagnostic, files, json, ruleset, script, sorted, table, work};

#[cfg(test)]
#[path = "../../tests/unit/games.rs"]
mod games;
