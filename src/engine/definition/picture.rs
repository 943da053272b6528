//! Pictures that `[looks]` names: found beside the file that names them, and checked.
//!
//! A picture is only ever shown as an image, which runs nothing and loads nothing. A file that could do either is
//! refused all the same, so that nobody hands it on to a place where it does: an SVG with anything that is not known to
//! be harmless. How well a picture is drawn is not checked.

use super::{Icon, Layer, PICTURE_EXTENSIONS, svg};
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use crate::files::Files;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Largest size of a picture, in bytes.
pub const MAX_BYTES: usize = 256 * 1024;

/// Largest width and height of a PNG, in pixels.
const MAX_PNG_SIDE_PIXELS: u32 = 4096;

/// The first bytes of every PNG.
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A picture that can be shown and handed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Media type: `image/png`.
    pub kind: &'static str,
    /// Content of the file.
    pub bytes: Vec<u8>,
}

/// Why a file is no picture that can be shown and handed on, and which of its bytes are to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureError {
    /// The reason, as the end of a sentence.
    pub why: &'static str,
    /// The bytes to blame; empty where the file is not text.
    pub at: Range<usize>,
}

impl PictureError {
    pub(super) fn new(why: &'static str) -> Self {
        Self { why, at: 0..0 }
    }

    /// The error about the picture `name`, whose text is `source`.
    pub fn to_diagnostic(&self, name: &str, source: &Arc<Source>) -> Diagnostic {
        let why = Message::from(self.why);
        let error = Diagnostic::new(message!("`{name}` cannot be used as a picture: {why}"));
        let error = if self.at.is_empty() { error } else { error.at(Place::new(source, self.at.clone(), "here")) };
        error.help("save it as a plain SVG, with its letters as paths and its pictures in it, or as a PNG")
    }
}

impl Layer {
    /// Reads a picture that the looks of this layer name: the file of that name beside the layer's own, and no other.
    ///
    /// # Errors
    /// The file is missing, lies elsewhere, or is no picture that can be shown and handed on. The error shows where it
    /// is named.
    pub fn picture(&self, name: &str, icon: &Icon, files: &dyn Files) -> Result<Picture, Diagnostics> {
        let named = || icon.place.with_label("named here");
        let refused =
            |message: Message, help: &'static str| Err(Diagnostic::new(message).at(named()).help(help).into());
        if !Icon::is_picture(name) {
            return refused(
                message!("there is no sign `{name}`"),
                "`icon` names a sign, or a file that ends in `.svg` or `.png`",
            );
        }
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.starts_with('.') || name.contains("..") || !name.chars().all(is_plain) {
            return refused(
                message!("`{name}` cannot be the name of a picture"),
                "it is a file beside the one that names it, such as `crown.svg`",
            );
        }
        let Some(folder) = self.origin.path().parent() else {
            return refused(message!("`{name}` is not there"), "a picture lies beside the file that names it");
        };
        let path = folder.join(name);
        let shown = files.name_of(&path);
        let bytes = files.bytes_up_to(&path, &shown, MAX_BYTES as u64).map_err(|errors| {
            let there: Vec<String> = if files.exists(&path) { Vec::new() } else { pictures_in(folder, files) };
            let help = "a picture lies beside the file that names it: put it there, or name another one";
            errors.map(|error| error.at(named()).near_or(name, there.iter().map(String::as_str), help))
        })?;
        if !files.canonical_path(&path).starts_with(files.canonical_path(folder)) {
            return refused(
                message!("`{name}` is a link that leads elsewhere"),
                "a picture lies beside the file that names it: put a copy there",
            );
        }
        match check_picture(name, &bytes) {
            Ok(kind) => Ok(Picture { kind, bytes }),
            Err(unfit) => {
                let text = Source::new(shown, String::from_utf8_lossy(&bytes));
                let error = unfit.to_diagnostic(name, &text);
                Err(if error.place.is_some() { error.related(named()) } else { error.at(named()) }.into())
            }
        }
    }
}

fn pictures_in(folder: &Path, files: &dyn Files) -> Vec<String> {
    let names = files.list(folder).into_iter().filter_map(|listed| Some(listed.path.file_name()?.to_str()?.to_owned()));
    names.filter(|name| PICTURE_EXTENSIONS.iter().any(|ending| name.ends_with(ending))).collect()
}

/// Reads a picture that the looks of one of these layers name.
///
/// # Errors
/// The icon is of none of these layers; or as for [`Layer::picture`].
pub fn read<'l>(
    name: &str,
    icon: &Icon,
    layers: impl IntoIterator<Item = &'l Layer>,
    files: &dyn Files,
) -> Result<Picture, Diagnostics> {
    let layer = layers.into_iter().find(|layer| Arc::ptr_eq(&layer.source, &icon.place.source));
    let nowhere = || Diagnostic::new(message!("`{name}` is not there")).at(icon.place.clone());
    layer.ok_or_else(nowhere)?.picture(name, icon, files)
}

/// Checks a picture and gives its media type.
///
/// # Errors
/// The bytes are no picture, or one that is not known to be harmless.
pub fn check_picture(name: &str, bytes: &[u8]) -> Result<&'static str, PictureError> {
    if bytes.len() > MAX_BYTES {
        return Err(PictureError::new("it is larger than 256 KiB"));
    }
    if name.ends_with(".png") {
        return check_png(bytes).map(|()| "image/png").map_err(PictureError::new);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| PictureError::new("it is not text, as an SVG is"))?;
    svg::check_svg(text).map(|()| "image/svg+xml")
}

/// Checks a PNG chunk by chunk, up to the last one, after which the file must end.
fn check_png(bytes: &[u8]) -> Result<(), &'static str> {
    let number = |at: usize| bytes.get(at..at + 4).and_then(|bytes| Some(u32::from_be_bytes(bytes.try_into().ok()?)));
    if !bytes.starts_with(PNG_SIGNATURE) || number(8) != Some(13) || bytes.get(12..16) != Some(b"IHDR") {
        return Err("it is not a PNG");
    }
    let is_size = |at: usize| number(at).is_some_and(|dots| (1..=MAX_PNG_SIDE_PIXELS).contains(&dots));
    if !is_size(16) || !is_size(20) {
        return Err("it is wider or higher than 4096 dots, or has none");
    }
    let (mut rest, mut has_dots) = (&bytes[PNG_SIGNATURE.len()..], false);
    // A chunk has its length, its kind, that many bytes, and a checksum.
    while let Some((&[a, b, c, d, ref kind @ ..], behind)) = rest.split_first_chunk::<8>() {
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        let Some(next) = length.checked_add(4).and_then(|length| behind.get(length..)) else { break };
        match kind {
            b"IEND" if length > 0 || !has_dots => break,
            b"IEND" if next.is_empty() => return Ok(()),
            b"IEND" => return Err("something else stands behind its end"),
            b"IDAT" => has_dots = true,
            _ => {}
        }
        rest = next;
    }
    Err("it breaks off in the middle")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_png_is_read_up_to_its_end() {
        let chunk = |kind: &[u8], data: &[u8]| [&(data.len() as u32).to_be_bytes()[..], kind, data, &[0; 4]].concat();
        let png = |width: u32| {
            let header = [&width.to_be_bytes()[..], &9_u32.to_be_bytes(), b"\x08\x02\0\0\0"].concat();
            [PNG_SIGNATURE, &chunk(b"IHDR", &header), &chunk(b"IDAT", b"dots IEND"), &chunk(b"IEND", b"")].concat()
        };
        let why = |bytes: &[u8]| check_picture("a.png", bytes).map_err(|unfit| unfit.why);
        assert_eq!(why(&png(9)), Ok("image/png"));
        assert_eq!(why(&png(0)), Err("it is wider or higher than 4096 dots, or has none"));
        assert_eq!(why(&png(5000)), Err("it is wider or higher than 4096 dots, or has none"));
        assert_eq!(why(b"GIF89a"), Err("it is not a PNG"));
        assert_eq!(why(&[&png(9)[..], b"<script>"].concat()), Err("something else stands behind its end"));
        for length in 0..png(9).len() {
            assert!(why(&png(9)[..length]).is_err(), "{length}");
        }
        let no_dots = [&png(9)[..33], &chunk(b"IEND", b"")].concat();
        assert_eq!(why(&no_dots), Err("it breaks off in the middle"));
        let long = [&png(9)[..33], b"\xff\xff\xff\xffIDAT"].concat();
        assert_eq!(why(&long), Err("it breaks off in the middle"));
        assert_eq!(why(&vec![0; MAX_BYTES + 1]), Err("it is larger than 256 KiB"));
    }
}
