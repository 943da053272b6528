//! Compresses the catalogue of each language: `ja.deflate` in the output folder is what lies in `catalogue/ja`.

#[path = "compressed/writer.rs"]
mod writer;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=catalogue");
    for entry in fs::read_dir("catalogue")? {
        let folder = entry?.path();
        if let Some(code) = folder.file_name().filter(|_| folder.is_dir()) {
            let mut texts = BTreeMap::new();
            writer::add_texts(&folder, &folder, &["toml"], &mut texts)?;
            let stream = PathBuf::from(env::var("OUT_DIR")?).join(Path::new(code).with_extension("deflate"));
            fs::write(stream, writer::compressed(&texts))?;
        }
    }
    Ok(())
}
