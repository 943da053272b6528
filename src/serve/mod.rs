//! The server of the live table: [`hub`] handles everything done at the table, one thing after the other; [`server`]
//! speaks the table protocol over HTTP; [`links`] keeps the secrets that open the faces.

pub mod hub;
mod links;
mod server;
