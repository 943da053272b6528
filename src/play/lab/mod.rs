//! Statistics over thousands of games of a ruleset: simulation, comparison, coverage, and search for faults.
//!
//! This module is pure computation; the host provides threads, files and progress displays. All counts are whole
//! numbers, so that games can be played in any order, on any number of threads and machines, with the same sum to the
//! last digit.

pub mod compare;
pub mod course;
pub mod coverage;
pub mod distribution;
pub mod goal;
pub mod hunt;
pub mod ladder;
pub mod measures;
pub mod occurrences;
pub mod order;
pub mod play;
pub mod report;
pub mod shard;
pub mod simulate;
pub mod statistics;
pub mod sweep;
pub mod tally;
