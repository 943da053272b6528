//! The live table: one session with several faces. A page on this computer, phones of players, and a screen that all look at
//! show the same game as the prompt does, each as much as its viewer may know, and what is chosen on one appears on all.
//!
//! [`protocol`] is what a face asks and is told, and needs no computer; [`hub`] is the one place that what is done comes to, one
//! after the other; [`server`] speaks it over HTTP, and [`links`] has the secrets that open the faces.
//!
//! `docs/formats.md` tells the protocol to other programs.

pub mod protocol;

#[cfg(feature = "host")]
#[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "these are the host's")]
pub mod hub;
#[cfg(feature = "host")]
mod links;
#[cfg(feature = "host")]
#[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "these are the host's")]
mod server;
