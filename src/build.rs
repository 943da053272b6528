//! Compresses the games, variants, libraries and scenarios: `shipped.deflate` in the output folder.

#[path = "engine/compressed/writer.rs"]
mod writer;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The folders of a library, below the folder of the package.
const FOLDERS: [&str; 4] = ["games", "scripts", "tests/scenarios", "variants"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut texts = BTreeMap::new();
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
        writer::add_texts(Path::new(""), Path::new(folder), &["toml", "rhai", "md"], &mut texts)?;
    }
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("shipped.deflate"), writer::compressed(&texts))?;
    Ok(())
}
