//! Numbered files that one program holds at a time, each by a lock that ends with the program.

use super::file::{MIN_STALE_AGE, renamed, sweep};
use crate::catalogue::Message;
use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file that this program holds by a lock.
#[derive(Debug)]
pub struct LockedFile {
    path: PathBuf,
    file: File,
}

/// A file that no other program held, with its content when it was opened.
pub struct OpenedFile {
    pub held: LockedFile,
    /// The time of the last change.
    pub when: SystemTime,
    /// The content, up to the limit that was asked for.
    pub bytes: Vec<u8>,
}

impl LockedFile {
    /// Writes a new file atomically, under the lowest free number of a folder, at most `greatest`, and holds it.
    ///
    /// # Errors
    /// The file cannot be written, or no number is free.
    pub fn begin(folder: &Path, greatest: usize, text: &str) -> io::Result<LockedFile> {
        Self::write(free_place(folder, greatest)?, folder, text)
    }

    /// Replaces the content of the file atomically.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn replace(&mut self, text: &str) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("")).to_owned();
        *self = Self::write(self.path.clone(), &folder, text)?;
        Ok(())
    }

    fn write(path: PathBuf, folder: &Path, text: &str) -> io::Result<LockedFile> {
        sweep(folder);
        let mut draft = tempfile::Builder::new().prefix(".houserule-").tempfile_in(folder)?;
        // Locked before it is renamed, because other programs see it from then on.
        draft.as_file().lock()?;
        draft.write_all(text.as_bytes())?;
        let file = renamed(draft, &path)?;
        Ok(LockedFile { path, file })
    }

    /// Opens and holds the file of a number, and reads at most `most` bytes of it; `None` where there is no such file.
    ///
    /// # Errors
    /// Another program holds the file, or it cannot be read.
    pub fn open(folder: &Path, number: usize, most: u64) -> io::Result<Option<OpenedFile>> {
        let path = folder.join(name_of(number));
        let Ok(file) = File::options().read(true).append(true).open(&path) else { return Ok(None) };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(io::Error::other(Message::from("a session has it open"))),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let found = file.metadata()?;
        // An empty file: another program has just claimed this number and is about to write.
        if found.len() == 0 {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        (&file).take(most).read_to_end(&mut bytes)?;
        Ok(Some(OpenedFile { held: LockedFile { path, file }, when: found.modified()?, bytes }))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a text.
    ///
    /// # Errors
    /// The file cannot be written, or only in part.
    pub fn append(&mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes())
    }

    /// Deletes the file.
    ///
    /// # Errors
    /// The file cannot be deleted.
    pub fn delete(self) -> io::Result<()> {
        std::fs::remove_file(&self.path)
    }
}

fn name_of(number: usize) -> String {
    format!("{number}.jsonl")
}

/// Makes an empty file under the lowest free number, which claims the number.
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

/// Whether a program claimed this number and was killed before it wrote anything.
fn is_left_empty(path: &Path) -> bool {
    let age = |found: std::fs::Metadata| found.modified().ok()?.elapsed().ok();
    let found = std::fs::metadata(path).ok().filter(|found| found.len() == 0);
    found.and_then(age).is_some_and(|age| age >= MIN_STALE_AGE)
}
