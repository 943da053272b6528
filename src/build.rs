//! Puts the games, variants, libraries and scenarios into the program: `shipped.rs` in the output folder.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The folders of a library, below the folder of the package.
const FOLDERS: [&str; 4] = ["games", "scripts", "tests/scenarios", "variants"];

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let mut texts = BTreeMap::new();
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
        add_texts(&root, &root.join(folder), &mut texts)?;
    }
    let mut code = "static TEXTS: &[(&str, &str)] = &[\n".to_owned();
    for (path, text) in texts {
        writeln!(code, "    ({path:?}, {text:?}),")?;
    }
    code.push_str("];\n");
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("shipped.rs"), code)?;
    Ok(())
}

/// Adds every text below a folder, by its path below the root.
fn add_texts(root: &Path, folder: &Path, texts: &mut BTreeMap<String, String>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            add_texts(root, &path, texts)?;
        } else if path.extension().is_some_and(|extension| ["toml", "rhai", "md"].iter().any(|text| *text == extension))
        {
            let names: Vec<_> = path.strip_prefix(root)?.iter().map(|name| name.to_string_lossy()).collect();
            let text = fs::read_to_string(&path)?;
            // As the program reads texts from a disk, whatever line ends a checkout gave them.
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n");
            texts.insert(names.join("/"), text);
        }
    }
    Ok(())
}
