//! Houserule.
pub mod agent;
pub mod definition;
pub mod diagnostic;
pub mod playthrough;
pub mod ruleset;
pub mod script;
pub mod table;
