//! Files are written whole or not at all, and found below folders.

use crate::diagnostic::Diagnostic;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a file: into a temporary one beside it, synced, then renamed into place. Whoever reads the file finds the old
/// content or the new, whatever happens meanwhile.
///
/// # Errors
/// The folder does not exist, the disk is full, or whatever else the system says; the old file is untouched then.
pub fn write_whole(path: &Path, content: &str) -> Result<(), Diagnostic> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || -> std::io::Result<()> {
        if path.is_dir() {
            return Err(std::io::Error::other("it is a folder"));
        }
        let mut file = tempfile::Builder::new().prefix(".houserule-").tempfile_in(folder)?;
        file.write_all(content.as_bytes())?;
        file.as_file().sync_all()?;
        // A temporary file is private; a saved game is as readable as any other file.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(path).map_or(0o644, |old| old.permissions().mode());
            file.as_file().set_permissions(std::fs::Permissions::from_mode(mode))?;
        }
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|error| {
        // The error names the temporary file, which means nothing to a person.
        let reason = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such folder".to_owned(),
            std::io::ErrorKind::Other => error.to_string(),
            kind => kind.to_string(),
        };
        Diagnostic::new(format!("`{}` cannot be written: {reason}", path.display()))
            .help("nothing was written; give another path, or make room")
    })
}

/// The TOML files below a folder, sorted. Links to folders are left alone: they could lead round in circles.
pub fn toml_files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                _ if path.extension().is_some_and(|extension| extension == "toml") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("game.toml");
        write_whole(&path, "old")?;
        assert!(write_whole(&path.join("below"), "new").is_err());
        assert!(write_whole(folder.path(), "new").is_err());
        let nowhere = write_whole(&folder.path().join("nowhere/game.toml"), "new").err().unwrap_or(Diagnostic::new(""));
        assert!(nowhere.message.ends_with("cannot be written: there is no such folder"), "{nowhere}");
        assert_eq!(std::fs::read_to_string(&path)?, "old");
        write_whole(&path, "new")?;
        assert_eq!(std::fs::read_to_string(&path)?, "new");
        assert_eq!(std::fs::read_dir(folder.path())?.count(), 1, "no temporary file is left");
        Ok(())
    }
}
