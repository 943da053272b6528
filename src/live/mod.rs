//! The live table: one session with several faces. A page on this computer, phones of players, and a screen that all look at
//! show the same game as the prompt does, each as much as its viewer may know, and what is chosen on one appears on all.
//!
//! [`protocol`] is what a face asks and is told. It needs no computer: `serve` speaks it over HTTP, and a page with the core
//! inside can speak it to itself. `docs/formats.md` tells it to other programs.

pub mod protocol;
