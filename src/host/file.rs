//! Atomic writing of files, which never overwrites files of other programs.
//!
//! A person may mistype a name. So an existing file is overwritten only if Houserule wrote it in the same format, if
//! the person allowed it, or if it is empty (a shell may just have made it for `>`). Symbolic links are followed and
//! stay. Pipes and devices are opened and written to.

use super::output::Output;
use super::reason;
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::{FileFormat, OverwritePolicy, WriteError, WriteTarget, path_name};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::NamedTempFile;

/// The prefix of a temporary file's name, and the number of random letters and digits behind it.
const TEMPORARY: (&str, usize) = (".houserule-", 6);

/// Age from which a temporary file counts as left behind by a killed program.
pub(crate) const MIN_STALE_AGE: Duration = Duration::from_secs(60);

/// Most symbolic links followed one after the other.
const MAX_LINKS: usize = 40;

/// A file being written. Readers see the old content or the new, never a part: the draft of a regular file is a
/// temporary file until [`finish`](Draft::finish) renames it, and is deleted if dropped before that.
pub struct Draft(DraftOutput);

enum DraftOutput {
    /// A temporary file, which will be renamed to `target`.
    File {
        draft: BufWriter<NamedTempFile>,
        target: PathBuf,
        old: Option<Box<Metadata>>,
    },
    Stream(BufWriter<Box<dyn Write + Send>>),
}

/// Writes a file with this content, whole or not at all.
///
/// # Errors
/// The same as of [`Draft::new`] and [`Draft::finish`].
pub fn write_whole(
    path: &Path,
    content: &str,
    may: OverwritePolicy,
    stop: &AtomicBool,
) -> Result<WriteTarget, WriteError> {
    let mut draft = Draft::new(path, may, stop)?;
    let written = draft.write_all(content.as_bytes()).and_then(|()| draft.finish());
    written.map_err(|error| WriteError::Failed(cannot_be_written(path, &error).into()))
}

/// Writes several files, which may exist already. Each is tried before any is put in place: a folder that may not be
/// written to leaves them all as they were. Calls `wrote` with each path once its file is written.
///
/// # Errors
/// The same as of [`write_whole`]. The help says so where some files are written already.
pub fn write_together(
    files: &[(PathBuf, String)],
    stop: &AtomicBool,
    wrote: &mut dyn FnMut(&Path),
) -> Result<(), Diagnostics> {
    let with_help = |error, help: &'static str| Diagnostic { help: vec![help.into()], ..error };
    for (path, content) in files {
        // It is closed at once: a system has fewer files open than a project may have.
        let draft = Draft::new(path, OverwritePolicy::Anything, stop).map_err(Diagnostics::from);
        let written = draft.and_then(|mut draft| {
            let written = draft.write_all(content.as_bytes()).and_then(|()| draft.flush());
            written.map_err(|error| cannot_be_written(path, &error).into())
        });
        written
            .map_err(|errors| errors.map(|error| with_help(error, "nothing was written; mend this, and try again")))?;
    }
    for (number, (path, content)) in files.iter().enumerate() {
        if let Err(error) = write_whole(path, content, OverwritePolicy::Anything, stop) {
            let help =
                "the files before it are written, this one and those behind it are not; mend this, and try again";
            let truly = |error| if number > 0 { with_help(error, help) } else { error };
            return Err(Diagnostics::from(error).map(truly));
        }
        wrote(path);
    }
    Ok(())
}

/// Writes a new file and makes the missing folders above it.
///
/// # Errors
/// The same as of [`write_new_together`].
pub fn write_new(path: &Path, content: &str) -> Result<(), Diagnostics> {
    write_new_together(&[(path.to_owned(), content)])
}

/// Writes several new files and makes the missing folders above them: all of them or none, so that a failed attempt
/// leaves nothing in the way of the next.
///
/// # Errors
/// A file exists already, or the system refuses to write one. Files and folders made before the failure are removed.
pub fn write_new_together<T: AsRef<[u8]>>(files: &[(PathBuf, T)]) -> Result<(), Diagnostics> {
    let (mut folders, mut written) = (Vec::new(), Vec::new());
    let failed = files.iter().find_map(|(path, content)| {
        let made = make_folders(folder_of(path), &mut folders);
        let wrote = made.and_then(|()| create(path, content.as_ref()));
        written.extend(wrote.is_ok().then_some(path));
        let help = "nothing was written; allow yourself to write there, or name another folder with `--dir FOLDER`";
        wrote.err().map(|error| not_written(path, &error, help))
    });
    let Some(error) = failed else { return Ok(()) };
    written.into_iter().for_each(|path| drop(std::fs::remove_file(path)));
    // A folder that another program has put a file into meanwhile stays.
    folders.iter().rev().for_each(|folder| drop(std::fs::remove_dir(folder)));
    Err(error.into())
}

/// Makes a folder with its missing ancestors, and adds each new folder to `made`, the outermost first.
fn make_folders(folder: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let missing: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
    for folder in missing.into_iter().rev() {
        match std::fs::create_dir(folder) {
            Ok(()) => made.push(folder.to_owned()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes a new file atomically; fails if the file exists.
fn create(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut draft = temporary_beside(path)?;
    draft.write_all(content)?;
    draft.as_file().sync_all()?;
    draft.persist_noclobber(path)?;
    Ok(())
}

/// Turns the signal for exceeding the file size limit (`SIGXFSZ`) into an ordinary write error, which is reported. By
/// default, the system would end the program without a message.
#[cfg(unix)]
pub fn tell_of_too_large_files() {
    // If the signal cannot be caught, the system's default applies.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Does nothing: this system has no signal for exceeding a file size limit.
#[cfg(not(unix))]
pub fn tell_of_too_large_files() {}

/// Checks that files can be made in a folder, which need not exist yet, before there is anything to write. Leaves
/// nothing behind.
///
/// # Errors
/// A file is in the way of the folder, or the system refuses.
pub fn can_be_filled(folder: &Path) -> Result<(), Diagnostics> {
    let refused = |error: io::Error| Diagnostics::from(cannot_be_written(folder, &error));
    let mut place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    loop {
        match std::fs::metadata(place) {
            Ok(found) if found.is_dir() => break,
            Ok(_) if place == folder => {
                return Err(refused(io::Error::other(Message::from("it is a file, not a folder"))));
            }
            Ok(_) => return Err(refused(io::Error::other(message!("`{}` is a file", path_name(place))))),
            // A dangling symbolic link is in the way of a folder.
            Err(error) if error.kind() == io::ErrorKind::NotFound && std::fs::symlink_metadata(place).is_err() => {
                place = folder_of(place);
            }
            Err(error) => return Err(refused(error)),
        }
    }
    temporary_beside(&place.join("any")).map(drop).map_err(refused)
}

impl Draft {
    /// Begins to write a file. A FIFO without a reader is waited for until `stop` is set.
    ///
    /// # Errors
    /// The existing file may not be replaced, its folder does not exist, or the system refuses.
    pub fn new(path: &Path, may: OverwritePolicy, stop: &AtomicBool) -> Result<Self, WriteError> {
        let failed = |error: io::Error| WriteError::Failed(cannot_be_written(path, &error).into());
        let out = match FileTarget::of(path).map_err(failed)? {
            FileTarget::Stream(number) => DraftOutput::Stream(BufWriter::new(opened(number, path).map_err(failed)?)),
            FileTarget::Special(target) => {
                DraftOutput::Stream(BufWriter::new(Box::new(open_special(&target, stop).map_err(failed)?)))
            }
            FileTarget::File { target, old } => {
                if let (Some(_), OverwritePolicy::Only(format)) = (&old, may)
                    && !is_of(&target, format).map_err(failed)?
                {
                    let message =
                        message!("`{}` already exists, and is not {}", path_name(path), Message::from(format.name));
                    return Err(WriteError::Occupied(Diagnostic::new(message).into()));
                }
                DraftOutput::File { draft: BufWriter::new(temporary_beside(&target).map_err(failed)?), target, old }
            }
        };
        Ok(Self(out))
    }

    /// A draft that writes straight to standard output.
    pub fn to_standard_output() -> Self {
        Self(DraftOutput::Stream(BufWriter::new(Box::new(Output::default()))))
    }

    /// Flushes what is buffered, and moves the file into place.
    ///
    /// # Errors
    /// The disk is full, or the system refuses otherwise; an old file stays untouched.
    pub fn finish(self) -> io::Result<WriteTarget> {
        match self.0 {
            DraftOutput::File { draft, target, old } => put(draft.into_inner()?, &target, old),
            DraftOutput::Stream(mut stream) => stream.flush().map(|()| WriteTarget::Stream),
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            DraftOutput::File { draft, .. } => draft.write(bytes),
            DraftOutput::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            DraftOutput::File { draft, .. } => draft.flush(),
            DraftOutput::Stream(stream) => stream.flush(),
        }
    }
}

/// A message that a file cannot be written, with the system's reason.
pub fn cannot_be_written(path: &Path, error: &io::Error) -> Diagnostic {
    not_written(path, error, "nothing was overwritten; give another path")
}

/// A message that a file was not written, with `otherwise` as advice where the kind of error suggests none.
fn not_written(path: &Path, error: &io::Error, otherwise: &'static str) -> Diagnostic {
    // The error's own text may name a temporary file, which means nothing to a person.
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".into(),
        io::ErrorKind::StorageFull => "no space left on device".into(),
        kind if kind == io::ErrorKind::Other || error.raw_os_error().is_some() => reason(error),
        kind => Message::foreign(kind.to_string()),
    };
    let help = match error.kind() {
        io::ErrorKind::StorageFull => "nothing was overwritten; make room, or give another path",
        io::ErrorKind::AlreadyExists => "nothing was written; take another name, or remove that file first",
        io::ErrorKind::FileTooLarge => {
            "nothing was overwritten; the system limits how large a file may be (`ulimit -f`)"
        }
        _ => otherwise,
    };
    Diagnostic::new(message!("`{}` cannot be written: {reason}", path_name(path))).help(help)
}

/// The kind of file that a path leads to.
enum FileTarget {
    /// A stream that is open already, by its file descriptor.
    Stream(u32),
    /// A pipe or a device.
    Special(PathBuf),
    /// A regular file, or none yet.
    File { target: PathBuf, old: Option<Box<Metadata>> },
}

impl FileTarget {
    fn of(path: &Path) -> io::Result<Self> {
        let mut target = path.to_owned();
        for _ in 0..MAX_LINKS {
            if let Some(number) = descriptor(&target) {
                return Ok(Self::Stream(number));
            }
            match std::fs::symlink_metadata(&target) {
                Ok(found) if found.is_symlink() => {
                    let link = std::fs::read_link(&target)?;
                    target = folder_of(&target).join(link);
                }
                Ok(found) if found.is_dir() => return Err(io::Error::other(Message::from("it is a folder"))),
                Ok(found) if found.is_file() => return Ok(Self::File { target, old: Some(Box::new(found)) }),
                Ok(_) => return Ok(Self::Special(target)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::File { target, old: None }),
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other(Message::from("its links form a loop")))
    }
}

/// A writer to an open stream of this program, by its file descriptor; `path` leads to the stream.
fn opened(number: u32, path: &Path) -> io::Result<Box<dyn Write + Send>> {
    Ok(match number {
        1 => Box::new(Output::default()),
        2 => Box::new(io::stderr()),
        _ => Box::new(OpenOptions::new().append(true).open(path)?),
    })
}

/// Whether a path is `-` or leads to standard output, as `/dev/stdout` does.
pub fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-" || matches!(FileTarget::of(path), Ok(FileTarget::Stream(1)))
}

/// The path of the file that would be written, behind all links, also where the file does not exist yet. Two paths lead
/// to the same file if these are the same.
pub fn real_path(path: &Path) -> PathBuf {
    let target = match FileTarget::of(path) {
        Ok(FileTarget::File { target, .. } | FileTarget::Special(target)) => target,
        Ok(FileTarget::Stream(_)) | Err(_) => path.to_owned(),
    };
    let in_folder = || Some(std::fs::canonicalize(folder_of(&target)).ok()?.join(target.file_name()?));
    let known = std::fs::canonicalize(&target).ok().or_else(in_folder);
    known.or_else(|| std::path::absolute(&target).ok()).unwrap_or(target)
}

/// The file descriptor that a path such as `/dev/stdout` stands for on Linux. The path looks like a link to a file,
/// but replacing that file would not reach the process that opened it.
fn descriptor(path: &Path) -> Option<u32> {
    let own = std::fs::canonicalize("/proc/self/fd").ok()?;
    let is_own = std::fs::canonicalize(folder_of(path)).is_ok_and(|folder| folder == own);
    path.file_name().filter(|_| is_own)?.to_str()?.parse().ok()
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn is_of(path: &Path, format: FileFormat) -> io::Result<bool> {
    let mut beginning = Vec::new();
    File::open(path)?.take(format.beginning.len() as u64).read_to_end(&mut beginning)?;
    Ok(beginning.is_empty() || beginning == format.beginning.as_bytes())
}

/// Opens a pipe or a device for writing. A plain `open` of a FIFO without a reader would block for ever.
#[cfg(unix)]
fn open_special(path: &Path, stop: &AtomicBool) -> io::Result<File> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
    use std::sync::atomic::Ordering;
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_socket() {
        return Err(io::Error::other(Message::from("it is a socket")));
    }
    loop {
        match OpenOptions::new().write(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path) {
            Ok(file) => {
                fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
                return Ok(file);
            }
            Err(error) if kind.is_fifo() && error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => {
                if stop.load(Ordering::Relaxed) {
                    return Err(io::Error::other(Message::from("nobody reads from it")));
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(not(unix))]
fn open_special(path: &Path, _: &AtomicBool) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

/// A new temporary file that can be renamed to `target`. Its lock marks it as in use.
fn temporary_beside(target: &Path) -> io::Result<NamedTempFile> {
    let folder = folder_of(target);
    sweep(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).rand_bytes(TEMPORARY.1);
    // Give it the permissions of an ordinary new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder)?;
    // If files cannot be locked here, only its age protects it from being swept.
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// Renames a temporary file to `target`, with the old file's permissions and owner.
fn put(draft: NamedTempFile, target: &Path, old: Option<Box<Metadata>>) -> io::Result<WriteTarget> {
    if let Some(old) = old {
        draft.as_file().set_permissions(old.permissions())?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            // Only root may change the owner; for anyone else there is nothing to change.
            let _ = std::os::unix::fs::fchown(draft.as_file(), Some(old.uid()), Some(old.gid()));
        }
    }
    draft.as_file().sync_all()?;
    renamed(draft, target)?;
    Ok(WriteTarget::File)
}

/// Renames a temporary file and keeps it open. The target may be open too, as a journal is in this program: Windows
/// then replaces it only through `std::fs::rename`.
pub(super) fn renamed(draft: NamedTempFile, target: &Path) -> io::Result<File> {
    let (file, temporary) = draft.keep()?;
    std::fs::rename(&temporary, target).inspect_err(|_| drop(std::fs::remove_file(&temporary)))?;
    Ok(file)
}

/// Deletes the temporary files in a folder that killed programs left behind. Those being written are locked and young.
pub fn sweep(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY.0));
        let is_ours = random.is_some_and(|random| {
            random.len() == TEMPORARY.1 && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        let is_left = || {
            let found = entry.metadata().ok()?;
            let age = found.modified().ok()?.elapsed().ok()?;
            let is_old = found.is_file() && age >= MIN_STALE_AGE;
            is_old.then(|| File::open(entry.path()).ok()?.try_lock().ok()).flatten()
        };
        if is_ours && is_left().is_some() {
            // A file that may not be deleted stays, without a message.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn a_folder_is_tried_before_there_is_anything_to_put_in_it() -> Outcome {
        let folder = tempfile::tempdir()?;
        let at = |path: &str| folder.path().join(path);
        std::fs::write(at("file"), "x")?;
        std::fs::create_dir(at("folder"))?;
        for path in ["", "folder", "new", "new/newer", "folder/new"] {
            assert_eq!(can_be_filled(&at(path)), Ok(()), "{path}");
        }
        assert_eq!(names(folder.path())?, ["file", "folder"], "nothing is left behind");
        for (path, why) in [("file", "it is a file, not a folder"), ("file/new", "cannot be written")] {
            let refused = can_be_filled(&at(path)).err().ok_or(path)?;
            assert!(refused.first().message.contains(why), "{refused:?}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("nowhere"), at("link"))?;
            assert!(can_be_filled(&at("link")).is_err());
        }
        Ok(())
    }

    #[test]
    fn several_new_files_are_written_or_none_and_no_empty_folder_is_left() -> Outcome {
        let folder = tempfile::tempdir()?;
        let at = |path: &str| folder.path().join(path);
        let files = |paths: &[&str]| paths.iter().map(|path| (at(path), format!("{path}\n"))).collect::<Vec<_>>();
        write_new_together(&files(&["own/a", "own/deep/b", "c"]))?;
        assert_eq!(std::fs::read_to_string(at("own/deep/b"))?, "own/deep/b\n");
        assert_eq!(names(folder.path())?, ["c", "own"]);
        // An existing file is in the way, and so is a file where a folder is needed.
        for last in ["own/a", "c/d"] {
            let refused = write_new_together(&files(&["new/deep/x", "own/y", "other/z", last])).err().ok_or(last)?;
            assert!(refused.first().message.contains(&format!("{last}` cannot be written")), "{refused:?}");
            assert_eq!(names(folder.path())?, ["c", "own"], "{last}");
            assert_eq!(names(&at("own"))?, ["a", "deep"], "{last}, and no temporary file is left");
            assert_eq!(std::fs::read_to_string(at("own/a"))?, "own/a\n");
        }
        Ok(())
    }

    #[test]
    fn several_files_are_replaced_or_none() -> Outcome {
        let folder = tempfile::tempdir()?;
        let at = |path: &str| folder.path().join(path);
        let files = |paths: &[&str]| paths.iter().map(|path| (at(path), "new".to_owned())).collect::<Vec<_>>();
        let read = || ["a", "b"].map(|path| std::fs::read_to_string(at(path)).unwrap_or_default());
        let stop = AtomicBool::new(false);
        std::fs::write(at("a"), "old")?;
        std::fs::write(at("b"), "old")?;
        std::fs::create_dir(at("folder"))?;
        let mut wrote = Vec::new();
        let mut note = |path: &Path| wrote.push(path.to_owned());
        assert!(write_together(&files(&["a", "b", "folder"]), &stop, &mut note).is_err());
        assert_eq!(read(), ["old", "old"]);
        assert_eq!(names(folder.path())?, ["a", "b", "folder"], "no temporary file is left");
        assert_eq!(write_together(&files(&["a", "b"]), &stop, &mut note), Ok(()));
        assert_eq!(wrote, [at("a"), at("b")]);
        assert_eq!(read(), ["new", "new"]);
        // What comes in the way only after the first file is written is told as it is.
        let mut block = |_: &Path| drop(std::fs::remove_file(at("b")).and_then(|()| std::fs::create_dir(at("b"))));
        let refused = write_together(&files(&["a", "b"]), &stop, &mut block).err().ok_or("it is in the way")?;
        assert!(refused.first().help[0].to_string().starts_with("the files before it are written"), "{refused:?}");
        Ok(())
    }

    const DIARY: FileFormat = FileFormat { name: "a diary", beginning: "Dear diary" };

    fn write(path: &Path, content: &str, may: OverwritePolicy) -> Result<WriteTarget, WriteError> {
        write_whole(path, content, may, &AtomicBool::new(false))
    }

    fn names(folder: &Path) -> io::Result<Vec<String>> {
        let mut names: Vec<String> = std::fs::read_dir(folder)?
            .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
            .collect::<Result<_, _>>()?;
        names.sort();
        Ok(names)
    }

    #[test]
    fn a_failed_write_leaves_the_old_file() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("game.toml");
        let anything = |path: &Path, content| write(path, content, OverwritePolicy::Anything);
        assert_eq!(anything(&path, "old"), Ok(WriteTarget::File));
        assert!(anything(&path.join("below"), "new").is_err());
        assert!(anything(folder.path(), "new").is_err());
        let nowhere = anything(&folder.path().join("nowhere/game.toml"), "new").err().map(Diagnostics::from);
        let nowhere = nowhere.map(|nowhere| nowhere.first().message.clone()).unwrap_or_default();
        assert!(nowhere.ends_with("cannot be written: there is no such folder"), "{nowhere}");
        assert_eq!(std::fs::read_to_string(&path)?, "old");
        assert_eq!(anything(&path, "new"), Ok(WriteTarget::File));
        assert_eq!(std::fs::read_to_string(&path)?, "new");
        assert_eq!(names(folder.path())?, ["game.toml"], "no temporary file is left");
        Ok(())
    }

    #[test]
    fn only_a_file_of_the_same_format_gives_way() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("today");
        let may = OverwritePolicy::Only(DIARY);
        assert_eq!(write(&path, "Dear diary, one", may), Ok(WriteTarget::File));
        assert_eq!(write(&path, "Dear diary, two", may), Ok(WriteTarget::File));
        // A shell makes an empty file for `>` before the program begins: overwriting it loses nothing.
        std::fs::write(&path, "")?;
        assert_eq!(write(&path, "Dear diary, two", may), Ok(WriteTarget::File));
        for other in ["Dear reader", "Dear", "\n"] {
            std::fs::write(&path, other)?;
            assert!(matches!(write(&path, "Dear diary", may), Err(WriteError::Occupied(_))), "{other}");
            assert_eq!(std::fs::read_to_string(&path)?, other);
        }
        assert_eq!(write(&path, "Dear diary, three", OverwritePolicy::Anything), Ok(WriteTarget::File));
        assert_eq!(std::fs::read_to_string(&path)?, "Dear diary, three");
        Ok(())
    }

    #[test]
    fn a_draft_that_is_not_finished_leaves_nothing_behind() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("today");
        std::fs::write(&path, "Dear diary, old")?;
        let mut draft =
            Draft::new(&path, OverwritePolicy::Only(DIARY), &AtomicBool::new(false)).map_err(Diagnostics::from)?;
        draft.write_all(b"Dear diary, half")?;
        draft.flush()?;
        assert_eq!(names(folder.path())?.len(), 2);
        drop(draft);
        assert_eq!(names(folder.path())?, ["today"]);
        assert_eq!(std::fs::read_to_string(&path)?, "Dear diary, old");
        Ok(())
    }

    #[test]
    fn what_a_kill_left_is_swept_away_and_nothing_else() -> Outcome {
        let folder = tempfile::tempdir()?;
        let old = std::time::SystemTime::now() - 2 * MIN_STALE_AGE;
        let mut locked = Vec::new();
        for name in [".houserule-aB3xYz", ".houserule-locked", ".houserule-young1", ".houserule-rc", "houserule-aB3xYz"]
        {
            let file = File::create_new(folder.path().join(name))?;
            if name != ".houserule-young1" {
                file.set_modified(old)?;
            }
            if name == ".houserule-locked" {
                file.try_lock()?;
                locked.push(file);
            }
        }
        write(&folder.path().join("today"), "Dear diary", OverwritePolicy::Only(DIARY)).map_err(Diagnostics::from)?;
        let left = [".houserule-locked", ".houserule-rc", ".houserule-young1", "houserule-aB3xYz", "today"];
        assert_eq!(names(folder.path())?, left);
        Ok(())
    }

    /// A kill in the middle leaves only a temporary file, which is swept away later.
    #[test]
    fn a_new_file_is_there_whole_or_not_at_all() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("today");
        let text = "Dear diary\n".repeat(2_000_000);
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                let mut seen = Vec::new();
                while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                    seen.extend(std::fs::metadata(&path).map(|found| found.len()));
                }
                seen
            });
            let written = write_new(&path, &text);
            is_done.store(true, std::sync::atomic::Ordering::Relaxed);
            assert_eq!(written, Ok(()));
            let seen = watcher.join().unwrap_or_default();
            assert!(seen.iter().all(|length| *length == text.len() as u64), "{seen:?}");
        });
        assert!(write_new(&path, "other").is_err(), "it is never overwritten");
        assert_eq!(std::fs::metadata(&path)?.len(), text.len() as u64);
        assert_eq!(names(folder.path())?, ["today"]);
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_stay() -> Outcome {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("books"))?;
        std::fs::write(at("books/diary"), "Dear diary, old")?;
        std::fs::set_permissions(at("books/diary"), std::fs::Permissions::from_mode(0o640))?;
        symlink("books/diary", at("near"))?;
        symlink("near", at("far"))?;
        symlink("books/new", at("dangling"))?;
        symlink("round", at("round"))?;
        let may = OverwritePolicy::Only(DIARY);
        assert_eq!(write(&at("far"), "Dear diary, new", may), Ok(WriteTarget::File));
        assert_eq!(write(&at("dangling"), "Dear diary, first", may), Ok(WriteTarget::File));
        assert!(at("far").is_symlink() && at("near").is_symlink() && at("dangling").is_symlink());
        assert_eq!(std::fs::read_to_string(at("books/diary"))?, "Dear diary, new");
        assert_eq!(std::fs::metadata(at("books/diary"))?.permissions().mode() & 0o777, 0o640);
        assert_eq!(std::fs::read_to_string(at("books/new"))?, "Dear diary, first");
        let round = write(&at("round"), "Dear diary", may).err().map(Diagnostics::from);
        assert!(round.is_some_and(|round| round.first().message.contains("form a loop")));
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_written_to() -> Outcome {
        let folder = tempfile::tempdir()?;
        let fifo = folder.path().join("fifo");
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0)?;
        // Nobody reads the FIFO, and the person has stopped the waiting.
        let stopped = write_whole(&fifo, "Dear reader", OverwritePolicy::Only(DIARY), &AtomicBool::new(true));
        let stopped = stopped.err().map(Diagnostics::from);
        assert!(stopped.is_some_and(|stopped| stopped.first().message.contains("nobody reads from it")));
        let reader = std::thread::spawn({
            let fifo = fifo.clone();
            move || std::fs::read_to_string(fifo)
        });
        assert_eq!(write(&fifo, "Dear reader", OverwritePolicy::Only(DIARY)), Ok(WriteTarget::Stream));
        assert_eq!(reader.join().ok().transpose()?.as_deref(), Some("Dear reader"));
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket"))?;
        assert!(write(&folder.path().join("socket"), "Dear reader", OverwritePolicy::Anything).is_err());
        assert_eq!(names(folder.path())?, ["fifo", "socket"]);
        Ok(())
    }
}
