//! Analysis of games from outside: checks of rules, traces, comparison of runs, the script debugger, tests for leaks,
//! and explanations of why things happened.

pub mod changes;
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
