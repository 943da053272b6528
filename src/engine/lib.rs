//! The engine: definitions of games, the table, the language of rules and its interpreter.
//!
//! The engine is a package of its own so that hot code is compiled for speed and the rest of the program quickly.
//! Nothing here uses a disk, a terminal, a thread or a clock. The documentation of the crate `houserule` describes each
//! module.

#![deny(clippy::disallowed_methods, clippy::disallowed_types, clippy::iter_over_hash_type)]
#![allow(rustdoc::private_intra_doc_links, reason = "who reads this reads the source")]
#![allow(missing_docs, reason = "the crate `houserule` says what it shows of this, and documents that")]

pub mod catalogue;
pub mod compressed;
pub mod definition;
pub mod diagnostic;
pub mod files;
pub mod json;
pub mod ruleset;
pub mod script;
pub mod sorted;
pub mod table;
pub mod work;

#[cfg(test)]
#[path = "../../tests/unit/games.rs"]
mod games;
