//! Pictures of the designer's: read, judged, and put into the page as they are.
//!
//! A picture is only ever shown as an image, which runs nothing and loads nothing. What could do either is refused all the
//! same, so that nobody hands on a file that does it elsewhere.

use crate::definition::Icon;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::Files;
use crate::playthrough::Playable;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A picture is no larger than this, in bytes.
pub const MAX_BYTES: u64 = 256 * 1024;

/// The widest and highest that a picture of dots can be.
const MOST_DOTS: u32 = 4096;

/// What every PNG begins with.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The pictures of a page, each once.
#[derive(Default)]
pub(super) struct Pictures {
    /// Where each was found, and what it is known by.
    found: BTreeMap<PathBuf, String>,
    /// The data of each as an address.
    data: BTreeMap<String, String>,
}

impl Pictures {
    /// What pages know a picture by that looks name: the same for the same picture, so that a card is the same card in
    /// another edition.
    pub(super) fn id(
        &mut self,
        name: &str,
        icon: &Icon,
        loaded: &Playable,
        files: &dyn Files,
    ) -> Result<String, Diagnostics> {
        let at = |error: Diagnostic| {
            error.at({
                let mut place = icon.place.clone();
                place.label = "named here".to_owned();
                place
            })
        };
        let refused = |message: String, help: &str| Err(at(Diagnostic::new(message)).help(help).into());
        if !Icon::is_picture(name) {
            return refused(
                format!("there is no sign `{name}`"),
                "`icon` names a sign, or a file that ends in `.svg` or `.png`",
            );
        }
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.starts_with('.') || name.contains("..") || !name.chars().all(is_plain) {
            return refused(
                format!("`{name}` cannot be the name of a picture"),
                "it is a file beside the one that names it, such as `crown.svg`",
            );
        }
        let layer = loaded.ruleset.all_layers().find(|layer| Arc::ptr_eq(&layer.source, &icon.place.source));
        let Some(folder) = layer.and_then(|layer| layer.origin.path().parent()) else {
            return refused(format!("`{name}` is not there"), "a picture lies beside the file that names it");
        };
        let path = folder.join(name);
        if let Some(id) = self.found.get(&path) {
            return Ok(id.clone());
        }
        let shown = files.name_of(&path);
        let bytes = files.bytes_up_to(&path, &shown, MAX_BYTES).map_err(|errors| {
            errors.map(|error| {
                error.related({
                    let mut place = icon.place.clone();
                    place.label = "named here".to_owned();
                    place
                })
            })
        })?;
        let kind = judged(name, &bytes).map_err(|why| {
            let error = at(Diagnostic::new(format!("`{name}` cannot be printed: {why}")));
            error.help("save it as a plain SVG, with its letters as paths and its pictures in it, or as a PNG")
        })?;
        let hash = Sha256::digest(&bytes);
        let id = hash.iter().take(8).fold("p".to_owned(), |id, byte| format!("{id}{byte:02x}"));
        self.data.insert(id.clone(), format!("data:{kind};base64,{}", BASE64_STANDARD.encode(&bytes)));
        self.found.insert(path, id.clone());
        Ok(id)
    }

    /// All of them, to be used by what they are known by.
    pub(super) fn written(&self) -> String {
        let image = |(id, address): (&String, &String)| {
            format!("<image id=\"{id}\" width=\"100\" height=\"100\" href=\"{address}\"/>\n")
        };
        self.data.iter().map(image).collect()
    }
}

/// What sort of picture bytes are.
///
/// # Errors
/// They are none, or one that could act or that no printer needs: why.
pub fn judged(name: &str, bytes: &[u8]) -> Result<&'static str, &'static str> {
    if name.ends_with(".png") {
        return judged_png(bytes).map(|()| "image/png");
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not text, as an SVG is")?;
    judged_svg(text).map(|()| "image/svg+xml")
}

fn judged_png(bytes: &[u8]) -> Result<(), &'static str> {
    if !bytes.starts_with(PNG) || bytes.get(12..16) != Some(b"IHDR") {
        return Err("it is not a PNG");
    }
    let number = |at: usize| bytes.get(at..at + 4).and_then(|bytes| Some(u32::from_be_bytes(bytes.try_into().ok()?)));
    let (Some(width), Some(height)) = (number(16), number(20)) else { return Err("it is not a PNG") };
    if !(1..=MOST_DOTS).contains(&width) || !(1..=MOST_DOTS).contains(&height) {
        return Err("it is wider or higher than 4096 dots, or has none");
    }
    if !bytes.windows(4).any(|window| window == b"IEND") {
        return Err("it breaks off in the middle");
    }
    Ok(())
}

/// Only looks at what could act: whether the rest is well drawn, whoever looks at it sees.
fn judged_svg(text: &str) -> Result<(), &'static str> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let lower = text.to_ascii_lowercase();
    let has_root = lower
        .match_indices("<svg")
        .any(|(at, _)| lower[at + 4..].starts_with(|next: char| next.is_whitespace() || next == '>' || next == '/'));
    if !lower.starts_with('<') || !has_root {
        return Err("it is not an SVG");
    }
    if lower.contains("<!doctype") && lower.contains('[') || lower.contains("<!entity") {
        return Err("it declares entities");
    }
    for (element, why) in [
        ("<script", "it has a script in it"),
        ("<foreignobject", "it has a page in it"),
        ("<iframe", "it has a page in it"),
        ("<?xml-stylesheet", "it loads a style from elsewhere"),
        ("@import", "it loads a style from elsewhere"),
        ("javascript:", "it has a script in it"),
    ] {
        if lower.contains(element) {
            return Err(why);
        }
    }
    // A namespace before the name hides none of it.
    for tag in lower.split('<').skip(1) {
        let name = tag.split(|letter: char| letter.is_whitespace() || letter == '>' || letter == '/').next();
        match name.map(|name| name.rsplit(':').next().unwrap_or(name)) {
            Some("script") => return Err("it has a script in it"),
            Some("foreignobject" | "iframe" | "object" | "embed") => return Err("it has a page in it"),
            _ => {}
        }
        let inside = tag.split('>').next().unwrap_or_default();
        if has_handler(inside) {
            return Err("it has a script in it");
        }
    }
    if refers_elsewhere(&lower) {
        return Err("it refers to something outside of it");
    }
    Ok(())
}

/// Whether a tag has an attribute such as `onload`.
fn has_handler(tag: &str) -> bool {
    let mut before = ' ';
    for (at, letter) in tag.char_indices() {
        if (before.is_whitespace() || "\"'/".contains(before)) && tag[at..].starts_with("on") {
            let name = tag[at..].find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(tag.len() - at);
            if name > 2 && tag[at + name..].trim_start().starts_with('=') {
                return true;
            }
        }
        before = letter;
    }
    false
}

/// Whether `href` or `url(…)` name anything but a part of the same picture or a picture of dots within it.
fn refers_elsewhere(text: &str) -> bool {
    let is_inside = |address: &str| {
        let address = address.trim_start();
        address.starts_with('#') || ["data:image/png;", "data:image/jpeg;"].iter().any(|kind| address.starts_with(kind))
    };
    let hrefs = text.match_indices("href").any(|(at, _)| {
        let Some(value) = text[at + 4..].trim_start().strip_prefix('=') else { return false };
        let value = value.trim_start().trim_start_matches(['"', '\'']);
        !is_inside(value)
    });
    let urls = text.match_indices("url(").any(|(at, _)| {
        let address = text[at + 4..].trim_start();
        // Quotation marks can be written by their names.
        let address = address.trim_start_matches(['"', '\'']);
        let address = address.strip_prefix("&quot;").or_else(|| address.strip_prefix("&apos;")).unwrap_or(address);
        !is_inside(address)
    });
    let sources = text.match_indices("src").any(|(at, _)| text[at + 3..].trim_start().starts_with('='));
    hrefs || urls || sources
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn what_could_act_is_no_picture() {
        let plain = "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><defs><path id=\"a\" d=\"M0 0\"/></defs><use href=\"#a\" fill=\"url(#b)\"/></svg>";
        assert_eq!(judged("a.svg", plain.as_bytes()), Ok("image/svg+xml"));
        let with = |inside: &str| judged("a.svg", format!("<svg>{inside}</svg>").as_bytes()).unwrap_err();
        assert_eq!(with("<script>alert(1)</script>"), "it has a script in it");
        assert_eq!(with("<x:ScRipt/>"), "it has a script in it");
        assert_eq!(with("<g onLoad = 'x'/>"), "it has a script in it");
        assert_eq!(with("<g id=\"a\"onload='x'/>"), "it has a script in it");
        assert_eq!(with("<a href=' javascript:x'/>"), "it has a script in it");
        assert_eq!(with("<foreignObject/>"), "it has a page in it");
        assert_eq!(with("<image xlink:href=\"https://example.org/a.png\"/>"), "it refers to something outside of it");
        assert_eq!(with("<image href='data:image/svg+xml,x'/>"), "it refers to something outside of it");
        assert_eq!(with("<g style='fill:url( \"http://a\")'/>"), "it refers to something outside of it");
        assert_eq!(with("<style>@import 'a'</style>"), "it loads a style from elsewhere");
        assert_eq!(judged("a.svg", b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>"), Err("it declares entities"));
        assert_eq!(judged("a.svg", b"<html></html>"), Err("it is not an SVG"));
        assert_eq!(judged("a.svg", b"\xff\xfe"), Err("it is not text, as an SVG is"));
    }

    #[test]
    fn a_png_is_known_by_its_first_bytes() {
        let png = |width: u32| {
            let mut bytes = PNG.to_vec();
            bytes.extend_from_slice(b"\0\0\0\rIHDR");
            bytes.extend_from_slice(&width.to_be_bytes());
            bytes.extend_from_slice(&9_u32.to_be_bytes());
            bytes.extend_from_slice(b"\x08\x02\0\0\0IEND");
            bytes
        };
        assert_eq!(judged("a.png", &png(9)), Ok("image/png"));
        assert_eq!(judged("a.png", &png(0)), Err("it is wider or higher than 4096 dots, or has none"));
        assert_eq!(judged("a.png", b"GIF89a"), Err("it is not a PNG"));
        assert_eq!(judged("a.png", &png(9)[..20]), Err("it is not a PNG"));
        assert_eq!(judged("a.png", &png(9)[..28]), Err("it breaks off in the middle"));
    }
}
