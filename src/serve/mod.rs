//! The server of the live table: [`hub`] is the one place that what is done comes to, one after the other; [`server`] speaks
//! the table protocol over HTTP, and [`links`] has the secrets that open the faces.

pub mod hub;
mod links;
mod server;
