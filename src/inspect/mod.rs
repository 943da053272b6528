//! Looking at a game from outside: its trace, the script debugger, and why things happened.

pub mod debugger;
pub mod pattern;
pub mod trace;
pub mod why_not;
