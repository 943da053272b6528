//! Houserule.
pub mod agent;
pub mod cli;
pub mod definition;
pub mod diagnostic;
pub mod file;
pub mod inspect;
pub mod playthrough;
pub mod repl;
pub mod ruleset;
pub mod scenario;
pub mod script;
pub mod table;
pub mod terminal;
