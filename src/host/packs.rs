//! The packs that a person has installed: one file each, in a folder of the user's.
//!
//! A pack is installed as the file that it is. So it is written whole or not at all, replaced at one blow, and taken
//! away by deleting it: whoever is killed in the middle of it leaves the old or the new. Who changes the folder holds a
//! lock meanwhile, so that two programs do not decide on what the other one is about to change.

use super::file::write_whole;
use super::{disk, reason};
use crate::definition::Library;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::MayReplace;
use crate::files::{Files as _, path_name};
use crate::share::{ENDING, FILE, Mounted, Pack, PackFile};
use etcetera::BaseStrategy as _;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Most packs that are looked at.
const MAX_PACKS: usize = 500;

/// Whoever holds this file may change the folder.
const LOCK: &str = ".lock";

/// A pack that is installed.
pub struct Installed {
    /// Its file.
    pub path: PathBuf,
    /// What is in it, or why it cannot be used.
    pub read: Result<PackFile, Diagnostics>,
}

/// The right to change the folder of installed packs, as long as it lives.
pub struct LockedFolder {
    folder: PathBuf,
    _lock: File,
}

/// The folder of installed packs; nothing where the user has no home.
pub fn folder() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.data_dir().join("houserule").join("packs"))
}

impl Installed {
    /// What is installed at a place.
    pub fn at(path: PathBuf) -> Self {
        Self { read: usable(&path), path }
    }

    /// What is installed under the id of a pack, however many others are.
    pub fn like(pack: &Pack) -> Option<Self> {
        let path = folder()?.join(pack.file_name());
        std::fs::symlink_metadata(&path).is_ok().then(|| Self::at(path))
    }
}

/// What is installed, by the names of the files. A pack that is damaged, or lies there under a name that is not its own,
/// is there with the reason.
pub fn installed() -> Vec<Installed> {
    places().into_iter().take(MAX_PACKS).map(Installed::at).collect()
}

/// Refuses a folder of installed packs that cannot be looked into: nobody knows then what is installed.
///
/// # Errors
/// Something else is in its place, or the person may not read it.
pub fn check_folder() -> Result<(), Diagnostics> {
    let Some(folder) = folder() else { return Ok(()) };
    match std::fs::read_dir(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            let message = format!("the installed packs cannot be read: `{}`: {}", path_name(&folder), reason(&error));
            Err(Diagnostic::new(message).help("packs are installed in this folder; make it readable").into())
        }
        _ => Ok(()),
    }
}

/// Refuses one pack more than are looked at: it would be installed, and nobody would find it.
///
/// # Errors
/// As many packs are installed as may be.
pub fn has_room() -> Result<(), Diagnostics> {
    if places().len() < MAX_PACKS {
        return Ok(());
    }
    let error = Diagnostic::new(format!("{MAX_PACKS} packs are installed, and no more can be"));
    Err(error.help("`houserule uninstall ID` removes one; `houserule list --installed` shows them").into())
}

/// The files of the packs that are installed, in order.
pub fn places() -> Vec<PathBuf> {
    let Some(folder) = folder() else { return Vec::new() };
    let mut paths: Vec<PathBuf> = disk::Disk.list(&folder).into_iter().map(|listed| listed.path).collect();
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(ENDING) && !name.starts_with('.')
    });
    paths.sort();
    paths
}

/// A pack on disk that is as it was made and called as it should be.
fn usable(path: &Path) -> Result<PackFile, Diagnostics> {
    let read = Pack::read(&disk::Disk, path)?;
    let name = read.whole()?.file_name();
    if path.file_name().is_none_or(|own| *own != *name) {
        let error =
            Diagnostic::new(format!("`{}` is the pack `{}`, which has another name", path_name(path), read.pack.id));
        return Err(error.help(format!("call the file `{name}`, or delete it")).into());
    }
    Ok(read)
}

/// A library that looks into packs too: into those that are given before all else, and into those that are installed
/// behind the folders that it has, but for what came with the program.
pub fn mounted(library: &Library, given: &[(PathBuf, PackFile)]) -> Library {
    let packs: Vec<(PathBuf, &PackFile)> = given.iter().map(|(path, pack)| (path.clone(), pack)).collect();
    let roots = packs.iter().map(|(path, _)| path.clone()).chain(library.roots().iter().cloned()).collect();
    library.among(|files| Arc::new(Mounted::new(files, packs)), roots)
}

impl LockedFolder {
    /// Waits until nobody else changes the folder of installed packs, and makes it where there is none.
    ///
    /// # Errors
    /// There is no such folder and none can be made; it cannot be locked.
    pub fn take() -> Result<Self, Diagnostics> {
        let Some(folder) = folder() else {
            let error = Diagnostic::new("you have no folder that packs could be installed in");
            return Err(error.help("set HOME, or XDG_DATA_HOME").into());
        };
        let locked = || {
            std::fs::create_dir_all(&folder)?;
            let lock = OpenOptions::new().write(true).create(true).truncate(false).open(folder.join(LOCK))?;
            lock.lock()?;
            Ok(lock)
        };
        match locked() {
            Ok(lock) => Ok(Self { folder, _lock: lock }),
            Err(error) => Err(Diagnostic::new(format!(
                "nothing can be installed in `{}`: {}",
                path_name(&folder),
                reason(&error)
            ))
            .into()),
        }
    }

    /// Where a pack is kept.
    pub fn place_of(&self, pack: &Pack) -> PathBuf {
        self.folder.join(pack.file_name())
    }

    /// Puts a pack into its place, in which an older one may lie.
    ///
    /// # Errors
    /// It cannot be written; what was there is untouched.
    pub fn keep(&self, pack: &Pack) -> Result<PathBuf, Diagnostics> {
        let path = self.place_of(pack);
        write_whole(&path, &pack.to_toml(), MayReplace::Only(FILE), &AtomicBool::new(false))?;
        Ok(path)
    }

    /// Takes a pack away.
    ///
    /// # Errors
    /// The system does not let it go.
    pub fn remove(&self, path: &Path) -> Result<(), Diagnostics> {
        if path.is_dir() && !path.is_symlink() {
            let error = Diagnostic::new(format!("`{}` is a folder, not a pack", path_name(path)));
            return Err(error.help("nothing of Houserule's is in it: delete or rename it yourself").into());
        }
        std::fs::remove_file(path).map_err(|error| {
            Diagnostic::new(format!("`{}` cannot be deleted: {}", path_name(path), reason(&error))).into()
        })
    }
}
