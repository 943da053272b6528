//! Looking at a game from outside: its trace, and two runs of it beside each other.

pub mod compare;
pub mod trace;
