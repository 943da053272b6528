//! Games in play: playthroughs, agents, inspection, scenarios and the lab.
//!
//! A package of its own, as the [engine](houserule_engine) is. Nothing here knows a disk, a terminal, a thread or a clock. The
//! book of the crate `houserule` tells what each room is for.

#![deny(clippy::disallowed_methods, clippy::disallowed_types, clippy::iter_over_hash_type)]
#![allow(rustdoc::private_intra_doc_links, reason = "who reads this reads the source")]
#![allow(missing_docs, reason = "the crate `houserule` says what it shows of this, and documents that")]

pub mod agent;
pub mod inspect;
pub mod lab;
pub mod playthrough;
pub mod prose;
pub mod scenario;

// The rooms below, under the names that they have in their package.
use houserule_engine::{catalogue, definition, diagnostic, files, json, ruleset, script, table, work};

#[cfg(test)]
#[path = "../../tests/unit/games.rs"]
mod games;
