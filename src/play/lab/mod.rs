//! Thousands of games of a ruleset: played, counted, compared, and searched for what breaks the rules.
//!
//! Everything here is data and arithmetic: who plays the games at the same time, writes files and shows how far it is,
//! is the host's affair. What is counted is counted in whole numbers, so that the games can be played in any order, by any
//! number of threads and machines, and the sum is the same to the last digit.

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
