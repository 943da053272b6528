//! Pages of HTML that stand by themselves: what is around them, and what is drawn on them.
//!
//! A page is one file. Nothing is loaded from elsewhere, no text of a game can become markup, and no script runs but the
//! page's own, which the page names by its hash. It is read on a phone, on paper, in the dark and by screen readers, and
//! nothing is told by colour alone. Equal input gives equal bytes.

pub mod coverage;
pub mod live;
#[cfg(test)]
#[path = "../../../tests/unit/markup.rs"]
pub(super) mod markup;
mod parting;
mod parts;
pub mod replay;
pub mod rulebook;
mod table;
mod words;

use crate::definition::Language;
use crate::files::Format;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

pub use crate::diagnostic::visible_in_html as escape;
pub use parting::parting;

/// How every page looks. Plots take their colours from here too.
const STYLE: &str = include_str!("page.css");

/// What is around a page.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// What such a file is, and how it begins.
    pub format: Format,
    /// The language that most of it is in.
    pub language: Language,
    /// Its heading, and its name in lists of pages.
    pub title: &'a str,
    /// How it looks, beyond what all pages have in common.
    pub style: &'a str,
    /// The one script that runs in it.
    pub script: Option<&'static str>,
    /// Whether the script talks to the server that the page came from.
    pub is_live: bool,
}

impl Frame<'_> {
    /// The whole page; `body` is what stands below its heading.
    pub fn around(&self, body: &str) -> String {
        self.allowing("", body)
    }

    /// The same of a body in which there are pictures, each with all its data.
    pub fn with_pictures(&self, body: &str) -> String {
        self.allowing("; img-src data:", body)
    }

    /// The whole page, on which more is allowed than nothing.
    fn allowing(&self, more: &str, body: &str) -> String {
        let Self { format, language, title, style, script, is_live } = *self;
        let connects = if is_live { " connect-src 'self';" } else { "" };
        let title = escape(title);
        let policy = match script {
            // The hash lets this script run, and nothing that a text might smuggle in.
            Some(script) => format!(
                "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}';{connects} base-uri 'none'; form-action 'none'",
                BASE64_STANDARD.encode(Sha256::digest(script))
            ),
            None => "default-src 'none'; style-src 'unsafe-inline'".to_owned(),
        };
        let script = script.map_or_else(String::new, |script| format!("<script>{script}</script>\n"));
        format!(
            "{}\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta name=\"generator\" content=\"Houserule\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}{more}\">\n\
             <title>{title}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
             {body}</main>\n{script}</body>\n</html>\n",
            format.beginning,
            language.code(),
        )
    }
}

/// Adds to a page.
pub fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // A text refuses nothing.
    let _ = out.write_fmt(text);
}
