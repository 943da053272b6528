//! Compressing texts that are put into the program; part of the build scripts of two packages.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

/// How hard the compressor tries, of 10. More makes it hardly smaller.
const LEVEL: u8 = 8;

/// Adds every text with one of these extensions below a folder, by its path below the root with slashes.
pub fn add_texts(
    root: &Path,
    folder: &Path,
    extensions: &[&str],
    texts: &mut BTreeMap<String, String>,
) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            add_texts(root, &path, extensions, texts)?;
        } else if path.extension().is_some_and(|extension| extensions.iter().any(|text| *text == extension)) {
            let names: Vec<_> = path.strip_prefix(root)?.iter().map(|name| name.to_string_lossy()).collect();
            let text = fs::read_to_string(&path)?;
            // As the program reads texts from a disk, whatever line ends a checkout gave them.
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n");
            if text.contains('\0') {
                return Err(format!("{} has a zero character, which separates texts", path.display()).into());
            }
            texts.insert(names.join("/"), text);
        }
    }
    Ok(())
}

/// All texts as one DEFLATE stream: paths and texts in turn, each followed by a zero character.
pub fn compressed(texts: &BTreeMap<String, String>) -> Vec<u8> {
    let joined: String = texts.iter().flat_map(|(path, text)| [path.as_str(), "\0", text, "\0"]).collect();
    miniz_oxide::deflate::compress_to_vec(joined.as_bytes(), LEVEL)
}
