//! Numbered files, each of which one program holds at a time: it is locked until the program lets go of it, or is
//! killed.

use super::file::{MIN_STALE_AGE, renamed, sweep};
use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file that this program holds.
#[derive(Debug)]
pub struct LockedFile {
    path: PathBuf,
    file: File,
}

/// A file that nobody held, as it was found.
pub struct Find {
    pub held: LockedFile,
    /// When it was written last.
    pub when: SystemTime,
    /// What stands in it.
    pub bytes: Vec<u8>,
}

impl LockedFile {
    /// Begins a file under the lowest free number of a folder, up to the greatest; whole or not at all.
    ///
    /// # Errors
    /// It cannot be written; no number is free.
    pub fn begin(folder: &Path, greatest: usize, text: &str) -> io::Result<LockedFile> {
        Self::write(free_place(folder, greatest)?, folder, text)
    }

    /// Puts another text in the place of what the file holds; whole or not at all.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn replace(&mut self, text: &str) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("")).to_owned();
        *self = Self::write(self.path.clone(), &folder, text)?;
        Ok(())
    }

    fn write(path: PathBuf, folder: &Path, text: &str) -> io::Result<LockedFile> {
        sweep(folder);
        let mut draft = tempfile::Builder::new().prefix(".houserule-").tempfile_in(folder)?;
        // Locked before it has its name: from then on others see it.
        draft.as_file().lock()?;
        draft.write_all(text.as_bytes())?;
        let file = renamed(draft, &path)?;
        Ok(LockedFile { path, file })
    }

    /// Holds the file of a number, up to so many bytes of it; nothing where there is none.
    ///
    /// # Errors
    /// Another program holds it; it cannot be read.
    pub fn open(folder: &Path, number: usize, most: u64) -> io::Result<Option<Find>> {
        let path = folder.join(name_of(number));
        let Ok(file) = File::options().read(true).append(true).open(&path) else { return Ok(None) };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(io::Error::other("a session has it open")),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let found = file.metadata()?;
        // Somebody has just taken this number, and writes in a moment.
        if found.len() == 0 {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        (&file).take(most).read_to_end(&mut bytes)?;
        Ok(Some(Find { held: LockedFile { path, file }, when: found.modified()?, bytes }))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a text behind what it holds.
    ///
    /// # Errors
    /// It cannot be written, or not to its end.
    pub fn append(&mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes())
    }

    /// Deletes it.
    ///
    /// # Errors
    /// It cannot be deleted.
    pub fn delete(self) -> io::Result<()> {
        std::fs::remove_file(&self.path)
    }
}

fn name_of(number: usize) -> String {
    format!("{number}.jsonl")
}

/// Makes an empty file with the lowest number that is free.
fn free_place(folder: &Path, greatest: usize) -> io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    for number in 1..=greatest {
        let path = folder.join(name_of(number));
        match File::create_new(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && !is_left_empty(&path) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(path),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::from(io::ErrorKind::QuotaExceeded))
}

/// Whether a program took this number and was killed before it wrote anything.
fn is_left_empty(path: &Path) -> bool {
    let age = |found: std::fs::Metadata| found.modified().ok()?.elapsed().ok();
    let found = std::fs::metadata(path).ok().filter(|found| found.len() == 0);
    found.and_then(age).is_some_and(|age| age >= MIN_STALE_AGE)
}
