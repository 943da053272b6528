//! A register machine for the rules: compiles a [`Program`](super::program::Program) and runs it on a table.
//!
//! A run is data: it can be stopped at any step, copied, sent to another thread, dropped, and gone on with. The machine
//! knows no clock, file or terminal, and needs no stack of its own; how far it has come stands in its frames, and what
//! it has used is counted step by step.

pub mod code;
pub mod compile;
pub mod counts;
pub mod hooks;
mod live;
pub mod meter;
mod operators;
pub mod packed;
mod questions;
pub mod reads;
pub mod run;
pub mod trouble;
pub mod value;
mod walks;
pub mod words;
