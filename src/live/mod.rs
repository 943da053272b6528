//! The live table: one session with several faces. A page on this computer, the players' phones and a shared screen
//! show the same game as the prompt, each with what its viewer may know. A choice made on one appears on all.
//!
//! [`protocol`] defines what a face asks and is sent. It needs no operating system: `serve` speaks it over HTTP, and a
//! page with the engine inside can speak it to itself. `docs/formats.md` describes it for other programs.

pub mod protocol;
