//! Notes which rules come with this version: saved games leave those out.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../..");
    let mut hashes: Vec<[u8; 32]> = Vec::new();
    for folder in ["games", "variants", "scripts"] {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
        add_files(&root, &root.join(folder), &mut hashes)?;
    }
    hashes.sort_unstable();
    let mut code = "/// Hashes of path and text.\npub static HASHES: &[[u8; 32]] = &[\n".to_owned();
    for hash in hashes {
        writeln!(code, "    {hash:?},")?;
    }
    code.push_str("];\n");
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("shipped.rs"), code)?;
    Ok(())
}

/// Adds the hash of every rules file below a folder, as `RuleFile::is_shipped` makes it.
fn add_files(root: &Path, folder: &Path, hashes: &mut Vec<[u8; 32]>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            add_files(root, &path, hashes)?;
        } else if path.extension().is_some_and(|extension| extension == "toml" || extension == "rhai") {
            let names = path.strip_prefix(root)?.iter().map(|name| name.to_string_lossy()).collect::<Vec<_>>();
            let text = fs::read_to_string(&path)?;
            // Texts are compared as the program reads them, whatever line ends a checkout gave them.
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n");
            hashes.push(*blake3::hash(format!("{}\0{text}", names.join("/")).as_bytes()).as_bytes());
        }
    }
    Ok(())
}
