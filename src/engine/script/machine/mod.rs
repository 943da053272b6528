//! A register machine for the rules: compiles a [`Program`](super::program::Program) and runs it on a table.
//!
//! A run is data: it can be stopped at any step, copied, sent to another thread, dropped, and continued. The machine
//! knows no clock, file or terminal, and does not use the host's call stack; how far it has come is in its own frames,
//! and what it has used is counted step by step.

pub mod call_cache;
pub mod code;
pub mod compile;
pub mod counts;
pub mod dependencies;
pub mod hooks;
mod live;
pub mod meter;
mod operators;
pub mod packed;
mod questions;
pub mod run;
pub mod runtime_error;
pub mod value;
mod walks;
pub mod words;
