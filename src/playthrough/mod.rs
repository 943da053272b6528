//! One game in play: run, log, decisions, timeline and branches, replay files, reload.

pub mod log;
pub mod run;
