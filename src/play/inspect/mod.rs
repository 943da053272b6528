//! Looking at a game from outside: whether its rules fit together, its trace, two runs of it beside each other, the script debugger, and why things
//! happened.

pub mod check;
pub mod compare;
pub mod debugger;
pub mod leaks;
pub mod order;
pub mod pattern;
pub mod review;
pub mod trace;
pub mod trial;
pub mod why;
