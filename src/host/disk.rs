//! Files on disk, and the folders in which the program looks for games.

use super::reason;
use crate::catalogue::message;
use crate::definition::Library;
use crate::diagnostic::{Diagnostic, Diagnostics, MAX_SOURCE_BYTES, Source};
use crate::files::{BUILT_IN, FileKind, Files, FolderEntry, path_name};
use crate::share::{MountedPacks, PackFile};
use crate::shipped::{self, BuiltIn};
use etcetera::BaseStrategy as _;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files on disk, as a source of texts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    /// Only regular files are read: opening a pipe could block for ever.
    fn read_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Arc<Source>, Diagnostics> {
        Source::from_bytes(name, bytes_up_to(path, name, most)?, most)
    }

    fn bytes_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Vec<u8>, Diagnostics> {
        let bytes = bytes_up_to(path, name, most)?;
        if bytes.len() as u64 > most { Err(Source::too_large(name, most).into()) } else { Ok(bytes) }
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Some(FileKind::Folder),
            Ok(found) if found.is_file() => Some(FileKind::File),
            Ok(_) => Some(FileKind::Stream),
            Err(_) => fs::symlink_metadata(path).ok().map(|_| FileKind::BrokenLink),
        }
    }

    fn list(&self, folder: &Path) -> Vec<FolderEntry> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let listed = entries.map(|entry| {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            FolderEntry { path: entry.path(), is_folder }
        });
        listed.collect()
    }

    fn is_closed(&self, folder: &Path) -> bool {
        let is_there =
            |error: io::Error| !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
        fs::read_dir(folder).is_err_and(is_there)
    }

    /// The path relative to the working directory where the file lies below it, otherwise the absolute path.
    fn name_of(&self, path: &Path) -> String {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let here = std::env::current_dir().ok();
        let below = here.as_ref().and_then(|here| absolute.strip_prefix(here).ok());
        let below = below.map(|below| if below.as_os_str().is_empty() { Path::new(".") } else { below });
        path_name(below.unwrap_or(&absolute))
    }

    fn shipped(&self, path: &str) -> Option<&'static str> {
        shipped::text_at(path)
    }

    /// The canonical path. An empty path stands for the working directory.
    fn canonical_path(&self, path: &Path) -> PathBuf {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }
}

/// Most neighbouring files searched for a name like a missing file's.
const MAX_SEARCHED_NEIGHBORS: usize = 1_000;

/// The bytes of a regular file: up to `most`, or one more where the file grew while it was read.
fn bytes_up_to(path: &Path, name: &str, most: u64) -> Result<Vec<u8>, Diagnostics> {
    let unreadable = |error: io::Error| {
        let told = Diagnostic::new(message!("cannot read `{name}`: {}", reason(&error)));
        // Beside a link to nothing, the nearest name is its own.
        if let Ok(target) = fs::read_link(path)
            && error.kind() == io::ErrorKind::NotFound
        {
            return told.help(message!("it is a link to `{}`, which is not there", path_name(&target)));
        }
        let (folder, file) = (path.parent().unwrap_or(Path::new("")), path.file_name().unwrap_or_default());
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let beside = fs::read_dir(folder).into_iter().flatten().filter(|_| error.kind() == io::ErrorKind::NotFound);
        let beside = beside.take(MAX_SEARCHED_NEIGHBORS).filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        told.near(&file.to_string_lossy(), beside.collect::<Vec<_>>().iter().map(String::as_str))
    };
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if metadata.is_dir() {
        fs::read_dir(path).map_err(unreadable)?;
        return Err(Diagnostic::new(message!("`{name}` is a folder, not a file")).into());
    }
    if !metadata.is_file() {
        return Err(Diagnostic::new(message!("`{name}` is a device or a pipe, not a file")).into());
    }
    if metadata.len() > most {
        return Err(Source::too_large(name, most).into());
    }
    // The file may have grown since it was looked at, so the limit is held while reading too.
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    Ok(bytes)
}

/// The text in these bytes, with line ends and byte order mark unchanged.
fn as_written(name: &str, bytes: Vec<u8>) -> Result<String, Diagnostics> {
    match String::from_utf8(bytes) {
        Ok(text) if text.len() <= MAX_SOURCE_BYTES => Ok(text),
        Ok(_) => Err(Source::too_large(name, MAX_SOURCE_BYTES as u64).into()),
        Err(error) => {
            let refused = Source::from_bytes(name, error.into_bytes(), MAX_SOURCE_BYTES as u64);
            refused.map(|source| source.text.clone())
        }
    }
}

/// The text of rules on standard input, up to its end, with line ends unchanged.
///
/// # Errors
/// Standard input cannot be read, is larger than a source file may be, or is not UTF-8.
pub fn standard_input_as_written() -> Result<String, Diagnostics> {
    as_written("standard input", standard_input_bytes(MAX_SOURCE_BYTES as u64)?)
}

fn standard_input_bytes(most: u64) -> Result<Vec<u8>, Diagnostics> {
    let mut bytes = Vec::new();
    let read = io::stdin().take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| Diagnostic::new(message!("cannot read standard input: {}", reason(&error))))?;
    Ok(bytes)
}

/// All of standard input, as a source. Bytes that are not UTF-8 are shown as such: a pasted game may stand between
/// them.
///
/// # Errors
/// Standard input cannot be read, is larger than `most` bytes, or is UTF-16.
pub fn standard_input(most: u64) -> Result<Arc<Source>, Diagnostics> {
    let bytes = standard_input_bytes(most)?;
    let is_wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    if is_wide || bytes.len() as u64 > most {
        return Source::from_bytes("standard input", bytes, most);
    }
    Ok(Source::new("standard input", String::from_utf8_lossy(&bytes)))
}

impl Disk {
    /// The text of a file, with line ends and byte order mark unchanged.
    ///
    /// # Errors
    /// The same as of [`Files::read`].
    pub fn as_written(&self, path: &Path, name: &str) -> Result<String, Diagnostics> {
        as_written(name, bytes_up_to(path, name, MAX_SOURCE_BYTES as u64)?)
    }

    /// A library of these roots on disk, the most important first. Duplicate roots count once.
    pub fn library(roots: Vec<PathBuf>) -> Library {
        Library::of(Arc::new(Disk), roots)
    }

    /// The library of this run. Its roots are, in order: the folder `flag`, or else the one in `HOUSERULE_DIR`; the
    /// nearest folder above the working directory that has `games/` or `variants/`; the user's data folder; the
    /// installed packs; and the built-in games.
    pub fn discover(flag: Option<&Path>) -> Library {
        let named = named_folder(flag);
        let project = std::env::current_dir().ok().and_then(|here| nearest_ancestor(&here, has_either));
        let mut roots: Vec<PathBuf> = named.into_iter().chain(project).collect();
        let common = Disk::common();
        roots.extend(common.roots().iter().cloned());
        common.with_roots(|files| files, roots)
    }

    /// The roots that every working directory shares: the user's data folder, the installed packs, and the built-in
    /// games.
    pub fn common() -> Library {
        let user = etcetera::choose_base_strategy().ok().map(|folders| folders.data_dir().join("houserule"));
        let installed = super::packs::installed();
        let usable = installed.iter().filter_map(|one| Some((one.path.clone(), one.read.as_ref().ok()?)));
        let packs: Vec<(PathBuf, &PackFile)> = usable.collect();
        let built_in = PathBuf::from(BUILT_IN);
        let roots = user.into_iter().chain(packs.iter().map(|(path, _)| path.clone())).chain([built_in]).collect();
        Library::of(Arc::new(MountedPacks::new(Arc::new(BuiltIn::among(Arc::new(Disk))), packs)), roots)
    }

    /// The nearest folder above `file` that has `games/` or `variants/`; `None` where there is none.
    pub fn folder_of_rules(file: &Path) -> Option<PathBuf> {
        nearest_ancestor(std::path::absolute(file).ok()?.parent()?, has_either)
    }

    /// The folder for new games and variants: `flag`, or else `HOUSERULE_DIR`, the nearest folder above the working
    /// directory that has `games/` or `variants/`, or the working directory.
    pub fn project(flag: Option<&Path>) -> PathBuf {
        let here = std::env::current_dir().unwrap_or_default();
        let folder = named_folder(flag).or_else(|| nearest_ancestor(&here, has_either)).unwrap_or_default();
        folder.strip_prefix(&here).map(Path::to_owned).unwrap_or(folder)
    }
}

/// The folder that the flag names, or else the environment variable `HOUSERULE_DIR`.
fn named_folder(flag: Option<&Path>) -> Option<PathBuf> {
    let variable = || std::env::var_os("HOUSERULE_DIR").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    flag.map(Path::to_owned).or_else(variable)
}

/// Whether a folder has `games/` or `variants/` in it.
fn has_either(folder: &Path) -> bool {
    folder.join("games").is_dir() || folder.join("variants").is_dir()
}

fn nearest_ancestor(start: &Path, is_root: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    start.ancestors().find(|folder| is_root(folder)).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_readable_text_files_are_read() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let check = |name: &str, bytes: Option<&[u8]>, expected: &str| -> io::Result<()> {
            let path = folder.path().join(name);
            if let Some(bytes) = bytes {
                fs::write(&path, bytes)?;
            }
            let outcome = Disk
                .read(&path, name)
                .map_or_else(|error| error.first().message.to_string(), |source| source.text.clone());
            assert_eq!(outcome, expected, "{name}");
            Ok(())
        };
        check("plain", Some(b"a\r\nb"), "a\nb")?;
        check("missing", None, "cannot read `missing`: no such file or directory")?;
        let near =
            Disk.read(&folder.path().join("plian"), "plian").map(|_| ()).map_err(|error| error.first().help.clone());
        assert_eq!(near.err().map(|help| help.join(" ")).as_deref(), Some("did you mean `plain`?"));
        check(".", None, "`.` is a folder, not a file")?;
        check("large", Some(&[b'a'; MAX_SOURCE_BYTES + 1]), "`large` is larger than 64 KiB")?;
        check(
            "latin1",
            Some(b"ab\xe9"),
            "`latin1` is not UTF-8 text: the byte at offset 2 is not part of a valid character",
        )?;
        check("wide", Some(b"\xff\xfea\0"), "`wide` is UTF-16 text")?;
        if cfg!(unix) {
            let device = Disk.read(Path::new("/dev/zero"), "zero").map_err(|error| error.first().message.clone());
            assert_eq!(device.err().as_deref(), Some("`zero` is a device or a pipe, not a file"));
        }
        Ok(())
    }

    #[test]
    fn what_lies_on_disk_is_told_apart() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("games/inner"))?;
        for name in ["b.toml", "games/a.toml", "games/inner/c.toml", "games/notes.txt"] {
            fs::write(at(name), "")?;
        }
        assert_eq!(Disk.toml_files_below(folder.path()), ["b.toml", "games/a.toml", "games/inner/c.toml"].map(at));
        let kinds = |names: [&str; 3]| names.map(|name| Disk.kind(&at(name)));
        assert_eq!(kinds(["b.toml", "games", "nothing"]), [Some(FileKind::File), Some(FileKind::Folder), None]);
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink("games", at("linked"))?;
            symlink("nothing", at("broken"))?;
            assert_eq!(
                kinds(["linked", "broken", "/dev/null"]),
                [FileKind::Folder, FileKind::BrokenLink, FileKind::Stream].map(Some)
            );
            assert!(Disk.is_folder(&at("linked")) && !Disk.exists(&at("broken")));
            assert_eq!(Disk.toml_files_below(folder.path()).len(), 3);
            let broken = Disk.read(&at("broken"), "broken").err().map(|error| error.first().help.clone());
            let told = broken.map(|help| help.join(" "));
            assert_eq!(told.as_deref(), Some("it is a link to `nothing`, which is not there"));
            // The same folder counts once, also behind a symbolic link.
            let library = Disk::library(vec![at("games"), at("linked"), folder.path().to_owned()]);
            assert_eq!(library.roots(), [at("games"), folder.path().to_owned()]);
        }
        Ok(())
    }
}
