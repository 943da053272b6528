//! Looking at a game from outside: its trace, and why things happened.

pub mod trace;
