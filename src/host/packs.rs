//! Installed packs: one file each, in a folder of the user's data.
//!
//! A pack is installed as the one file that it is. So it is written whole or not at all, replaced atomically, and
//! removed by deleting it: a killed program leaves the old file or the new. Changing the folder takes a lock, so that
//! two programs do not interfere.

use super::file::write_whole;
use super::{disk, reason};
use crate::catalogue::message;
use crate::definition::Library;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::OverwritePolicy;
use crate::files::{Files as _, path_name};
use crate::share::{ENDING, FILE, MountedPacks, Pack, PackFile};
use etcetera::BaseStrategy as _;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Most installed packs that are read.
const MAX_PACKS: usize = 500;

/// The name of the lock file: its holder may change the folder.
const LOCK: &str = ".lock";

/// An installed pack.
pub struct InstalledPack {
    /// The pack's file.
    pub path: PathBuf,
    /// The pack, or why it cannot be used.
    pub read: Result<PackFile, Diagnostics>,
}

/// The exclusive right to change the folder of installed packs, until dropped.
pub struct LockedFolder {
    folder: PathBuf,
    _lock: File,
}

/// The folder of installed packs; `None` where the user has no home folder.
pub fn folder() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.data_dir().join("houserule").join("packs"))
}

impl InstalledPack {
    /// The installed pack at a path.
    pub fn at(path: PathBuf) -> Self {
        Self { read: usable(&path), path }
    }

    /// The installed pack with the id of `pack`; `None` where there is none.
    pub fn like(pack: &Pack) -> Option<Self> {
        let path = folder()?.join(pack.file_name());
        std::fs::symlink_metadata(&path).is_ok().then(|| Self::at(path))
    }
}

/// All installed packs, by file name. One that is damaged, or has a file name that is not its own, is listed with the
/// reason.
pub fn installed() -> Vec<InstalledPack> {
    places().into_iter().take(MAX_PACKS).map(InstalledPack::at).collect()
}

/// Checks that the folder of installed packs can be listed: otherwise it is unknown what is installed.
///
/// # Errors
/// The folder is not a folder, or the person may not read it.
pub fn check_folder() -> Result<(), Diagnostics> {
    let Some(folder) = folder() else { return Ok(()) };
    match std::fs::read_dir(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            let message = message!("the installed packs cannot be read: `{}`: {}", path_name(&folder), reason(&error));
            Err(Diagnostic::new(message).help("packs are installed in this folder; make it readable").into())
        }
        _ => Ok(()),
    }
}

/// Refuses to install more packs than are read: one more would never be found.
///
/// # Errors
/// As many packs are installed as are allowed.
pub fn has_room() -> Result<(), Diagnostics> {
    if places().len() < MAX_PACKS {
        return Ok(());
    }
    let error = Diagnostic::new(message!("{MAX_PACKS} packs are installed, and no more can be"));
    Err(error.help("`houserule uninstall ID` removes one; `houserule list --installed` shows them").into())
}

/// The files of the installed packs, in order of name.
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

/// Reads a pack from disk, and checks that it is undamaged and has its proper file name.
fn usable(path: &Path) -> Result<PackFile, Diagnostics> {
    let read = Pack::read(&disk::Disk, path)?;
    let name = read.whole()?.file_name();
    if path.file_name().is_none_or(|own| *own != *name) {
        let error =
            Diagnostic::new(message!("`{}` is the pack `{}`, which has another name", path_name(path), read.pack.id));
        return Err(error.help(message!("call the file `{name}`, or delete it")).into());
    }
    Ok(read)
}

/// `library` with packs added: the `given` ones before all its folders, the installed ones behind its folders but
/// before the built-in games.
pub fn mounted(library: &Library, given: &[(PathBuf, PackFile)]) -> Library {
    let packs: Vec<(PathBuf, &PackFile)> = given.iter().map(|(path, pack)| (path.clone(), pack)).collect();
    let roots = packs.iter().map(|(path, _)| path.clone()).chain(library.roots().iter().cloned()).collect();
    library.with_roots(|files| Arc::new(MountedPacks::new(files, packs)), roots)
}

impl LockedFolder {
    /// Waits for the lock on the folder of installed packs. Makes the folder if it does not exist.
    ///
    /// # Errors
    /// The folder does not exist and cannot be made, or it cannot be locked.
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
            Err(error) => Err(Diagnostic::new(message!(
                "nothing can be installed in `{}`: {}",
                path_name(&folder),
                reason(&error)
            ))
            .into()),
        }
    }

    /// The path under which a pack is installed.
    pub fn place_of(&self, pack: &Pack) -> PathBuf {
        self.folder.join(pack.file_name())
    }

    /// Installs a pack, and replaces an older one with the same file name.
    ///
    /// # Errors
    /// The file cannot be written; an old one stays untouched.
    pub fn keep(&self, pack: &Pack) -> Result<PathBuf, Diagnostics> {
        let path = self.place_of(pack);
        write_whole(&path, &pack.to_toml(), OverwritePolicy::Only(FILE), &AtomicBool::new(false))?;
        Ok(path)
    }

    /// Removes an installed pack.
    ///
    /// # Errors
    /// The file cannot be deleted.
    pub fn remove(&self, path: &Path) -> Result<(), Diagnostics> {
        if path.is_dir() && !path.is_symlink() {
            let error = Diagnostic::new(message!("`{}` is a folder, not a pack", path_name(path)));
            return Err(error.help("nothing of Houserule's is in it: delete or rename it yourself").into());
        }
        std::fs::remove_file(path).map_err(|error| {
            Diagnostic::new(message!("`{}` cannot be deleted: {}", path_name(path), reason(&error))).into()
        })
    }
}
