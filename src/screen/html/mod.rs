//! Self-contained HTML pages: the frame, and the drawings in them.
//!
//! A page is a single file. It loads nothing from elsewhere, no text of a game can become markup, and only the page's
//! own script runs, which the page names by its hash. It can be read on a phone, on paper, in dark mode and with screen
//! readers, and nothing is told by colour alone. Equal input gives equal bytes.

pub mod coverage;
mod divergence;
pub mod live;
#[cfg(test)]
#[path = "../../../tests/unit/markup.rs"]
pub(super) mod markup;
pub(super) mod parts;
pub mod replay;
pub mod rulebook;
mod table;

use crate::catalogue::PageWords;
use crate::definition::Language;
use crate::files::FileFormat;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use sha2::{Digest as _, Sha256};

pub use crate::diagnostic::visible_in_html as escape;
pub use divergence::divergence;

/// The style of all pages, with the colours of plots.
const STYLE: &str = include_str!("page.css");

fn words(language: Language) -> &'static PageWords {
    &language.words().pages
}

/// The frame of a page.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The file format, whose beginning the page has.
    pub format: FileFormat,
    /// The main language of the page.
    pub language: Language,
    /// The title and heading.
    pub title: &'a str,
    /// The additional style of this kind of page.
    pub style: &'a str,
    /// The only script of the page.
    pub script: Option<&'static str>,
    /// Whether the script may connect to the server that the page came from.
    pub is_live: bool,
}

impl Frame<'_> {
    /// The whole page, with `body` below its heading.
    pub fn around(&self, body: &str) -> String {
        self.allowing("", body)
    }

    /// The whole page, with `body` below its heading, where `body` may contain pictures in `data:` URLs.
    pub fn with_pictures(&self, body: &str) -> String {
        self.allowing("; img-src data:", body)
    }

    /// The whole page, with `more` added to its content security policy.
    fn allowing(&self, more: &str, body: &str) -> String {
        let Self { format, language, title, style, script, is_live } = *self;
        let connects = if is_live { " connect-src 'self';" } else { "" };
        let title = escape(title);
        let policy = match script {
            // Only this script runs, and none that a text might inject.
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
