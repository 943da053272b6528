//! File access for games, scenarios and saved games: on a disk, or in memory.
//!
//! Code that reads games, scenarios and saved games does so through [`Files`]. The host implements it for a disk; a
//! test, a page in a browser or a notebook uses [`MemoryFiles`].

use crate::diagnostic::{Diagnostic, Diagnostics, MAX_SOURCE_BYTES, Source, message};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;

/// Virtual folder of the rules that ship with the program. No ordinary folder has such a name.
pub const BUILT_IN: &str = "<built in>";

/// A path as messages, commands and JSON show it: with `/` between its parts on every system.
pub fn path_name(path: &Path) -> String {
    let name = path.to_string_lossy();
    if MAIN_SEPARATOR == '/' { name.into_owned() } else { name.replace(MAIN_SEPARATOR, "/") }
}

/// A read-only tree of files, addressed by their paths.
pub trait Files: fmt::Debug + Send + Sync {
    /// Reads the text file at `path`, of at most `most` bytes; messages call it `name`.
    ///
    /// # Errors
    /// The file does not exist, is larger than `most` bytes, or is not text.
    fn read_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Arc<Source>, Diagnostics>;

    /// Reads the file at `path`, of at most `most` bytes, which need not be text: a picture, for example.
    ///
    /// # Errors
    /// The file does not exist, or is larger than `most` bytes.
    fn bytes_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Vec<u8>, Diagnostics> {
        Ok(self.read_up_to(path, name, most)?.text.clone().into_bytes())
    }

    /// The kind of entry at `path`; `None` where there is none.
    fn kind(&self, path: &Path) -> Option<FileKind>;

    /// The entries of `folder`; empty where there is no such folder, and where it [may not be listed](Self::is_closed).
    fn list(&self, folder: &Path) -> Vec<FolderEntry>;

    /// Whether there is a folder at this path whose entries may not be listed.
    fn is_closed(&self, _folder: &Path) -> bool {
        false
    }

    /// The name of `path` in messages.
    fn name_of(&self, path: &Path) -> String;

    /// The canonical form of `path`: the same for all paths that lead to one folder.
    fn canonical_path(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }

    /// Whether `path` leads into a file that contains other files. Its content came from a stranger, and names no
    /// files.
    fn is_packed(&self, _path: &Path) -> bool {
        false
    }

    /// The text that ships with the program at `path`, relative to the root of a library; `None` where there is none.
    fn shipped(&self, _path: &str) -> Option<&'static str> {
        None
    }

    /// Reads a text of rules, of at most [`MAX_SOURCE_BYTES`].
    ///
    /// # Errors
    /// The file does not exist, is larger than [`MAX_SOURCE_BYTES`], or is not text.
    fn read(&self, path: &Path, name: &str) -> Result<Arc<Source>, Diagnostics> {
        self.read_up_to(path, name, MAX_SOURCE_BYTES as u64)
    }

    /// Whether anything but a broken link lies at `path`.
    fn exists(&self, path: &Path) -> bool {
        self.kind(path).is_some_and(|kind| kind != FileKind::BrokenLink)
    }

    /// Whether a folder lies at a path.
    fn is_folder(&self, path: &Path) -> bool {
        self.kind(path) == Some(FileKind::Folder)
    }

    /// The TOML files below a folder, sorted.
    fn toml_files_below(&self, folder: &Path) -> Vec<PathBuf> {
        self.files_below(folder, &["toml"])
    }

    /// The files below `folder` whose extension is one of `endings`, sorted. Links to folders are not followed: they
    /// could form a cycle. A folder that may not be listed is returned itself, so that reading it reports the error.
    fn files_below(&self, folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            if self.is_closed(&folder) {
                found.push(folder);
                continue;
            }
            for FolderEntry { path, is_folder } in self.list(&folder) {
                if is_folder {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| endings.iter().any(|ending| extension == *ending)) {
                    found.push(path);
                }
            }
        }
        found.sort();
        found
    }
}

/// The kind of entry at a path, after links are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    File,
    Folder,
    /// A pipe or a device, not a text file.
    Stream,
    /// A link that leads nowhere.
    BrokenLink,
}

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    /// Path of the entry, beginning with the path of the folder.
    pub path: PathBuf,
    /// Whether the entry is a folder; false for a link to one.
    pub is_folder: bool,
}

/// A file format that Houserule writes, and recognises by the beginning of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileFormat {
    /// What a file of this format is, in words: `a saved game`.
    pub name: &'static str,
    /// The text with which every file of this format begins.
    pub beginning: &'static str,
}

/// Files in memory. A folder exists as long as a file lies in it.
///
/// ```
/// use houserule_engine::definition::Library;
/// use houserule_engine::files::MemoryFiles;
/// use std::sync::Arc;
///
/// let definition = "id = 'draw'\nname = 'Draw'\nplayers = { min = 2, max = 4 }\n";
/// let files = [("games/draw/game.toml", definition), ("games/draw/rules.rhai", "fn game() {}")];
/// let library = Library::of(Arc::new(MemoryFiles::new(files)), vec!["".into()]);
/// assert_eq!(library.games().iter().map(|game| &*game.id).collect::<Vec<_>>(), ["draw"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryFiles {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl MemoryFiles {
    /// Creates the files from pairs of a path and a content.
    pub fn new<P: AsRef<Path>, T: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, T)>) -> MemoryFiles {
        MemoryFiles { files: files.into_iter().map(|(path, content)| (plain(path.as_ref()), content.into())).collect() }
    }
}

impl Files for MemoryFiles {
    fn read_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Arc<Source>, Diagnostics> {
        match self.files.get(&plain(path)) {
            Some(bytes) => Source::from_bytes(name, bytes.clone(), most),
            None if self.is_folder(path) => Err(Diagnostic::new(message!("`{name}` is a folder, not a file")).into()),
            None => Err(Diagnostic::new(message!("cannot read `{name}`: there is no such file")).into()),
        }
    }

    fn bytes_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Vec<u8>, Diagnostics> {
        match self.files.get(&plain(path)) {
            Some(bytes) if bytes.len() as u64 <= most => Ok(bytes.clone()),
            Some(_) => Err(Source::too_large(name, most).into()),
            // `read_up_to` has the usual message for a missing file.
            None => self.read_up_to(path, name, most).map(|source| source.text.clone().into_bytes()),
        }
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        let path = plain(path);
        // In sorted order, the content of a folder follows directly after the folder.
        let (first, _) = self.files.range(path.clone()..).next()?;
        if *first == path {
            return Some(FileKind::File);
        }
        first.starts_with(&path).then_some(FileKind::Folder)
    }

    fn list(&self, folder: &Path) -> Vec<FolderEntry> {
        let plain_folder = plain(folder);
        let inside =
            self.files.range(plain_folder.clone()..).map_while(|(path, _)| path.strip_prefix(&plain_folder).ok());
        let mut listed: Vec<FolderEntry> = inside
            .filter_map(|path| {
                let mut names = path.components();
                let path = folder.join(names.next()?);
                Some(FolderEntry { path, is_folder: names.next().is_some() })
            })
            .collect();
        listed.dedup();
        listed
    }

    fn name_of(&self, path: &Path) -> String {
        path_name(&plain(path))
    }
}

/// [`Files`] with texts laid over them: each text replaces the file at its path, or adds one.
#[derive(Clone, Debug)]
pub struct OverlaidFiles {
    below: Arc<dyn Files>,
    texts: BTreeMap<PathBuf, Arc<Source>>,
}

impl OverlaidFiles {
    /// Lays `texts` over `below`, each at its path.
    pub fn new(below: Arc<dyn Files>, texts: impl IntoIterator<Item = (PathBuf, Arc<Source>)>) -> Self {
        let texts = texts.into_iter().map(|(path, text)| (canonical_path_or_new(&*below, &path), text)).collect();
        Self { below, texts }
    }

    fn text(&self, path: &Path) -> Option<&Arc<Source>> {
        self.texts.get(&canonical_path_or_new(&*self.below, path))
    }
}

/// The canonical path of a file that may not exist yet: that of its nearest existing folder, with the rest appended.
pub fn canonical_path_or_new(files: &dyn Files, path: &Path) -> PathBuf {
    let is_there = |folder: &&Path| !folder.as_os_str().is_empty() && files.kind(folder).is_some();
    let real = match path.ancestors().find(is_there) {
        Some(there) => {
            let rest = path.strip_prefix(there).unwrap_or(Path::new(""));
            files.canonical_path(there).join(rest)
        }
        None => path.to_owned(),
    };
    plain(&real)
}

impl Files for OverlaidFiles {
    fn read_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Arc<Source>, Diagnostics> {
        match self.text(path) {
            Some(text) => Ok(text.clone()),
            None => self.below.read_up_to(path, name, most),
        }
    }

    fn bytes_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Vec<u8>, Diagnostics> {
        match self.text(path) {
            Some(text) => Ok(text.text.clone().into_bytes()),
            None => self.below.bytes_up_to(path, name, most),
        }
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        let below = self.below.kind(path).filter(|kind| *kind != FileKind::BrokenLink);
        below.or_else(|| {
            let path = canonical_path_or_new(&*self.below, path);
            let is_inside = |text: &&PathBuf| text.starts_with(&path);
            let inside = self.texts.keys().find(is_inside)?;
            Some(if *inside == path { FileKind::File } else { FileKind::Folder })
        })
    }

    fn list(&self, folder: &Path) -> Vec<FolderEntry> {
        let mut listed = self.below.list(folder);
        let real = canonical_path_or_new(&*self.below, folder);
        for rest in self.texts.keys().filter_map(|path| path.strip_prefix(&real).ok()) {
            let mut names = rest.components();
            let Some(name) = names.next() else { continue };
            if listed.iter().all(|known| known.path.file_name() != Some(name.as_os_str())) {
                listed.push(FolderEntry { path: folder.join(name), is_folder: names.next().is_some() });
            }
        }
        listed
    }

    fn is_closed(&self, folder: &Path) -> bool {
        self.below.is_closed(folder)
    }

    fn name_of(&self, path: &Path) -> String {
        self.below.name_of(path)
    }

    fn canonical_path(&self, path: &Path) -> PathBuf {
        self.below.canonical_path(path)
    }

    fn is_packed(&self, path: &Path) -> bool {
        self.below.is_packed(path)
    }

    fn shipped(&self, path: &str) -> Option<&'static str> {
        self.below.shipped(path)
    }
}

/// A path without its `.` parts.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// Which existing file may be replaced when a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverwritePolicy {
    /// Only a file of this format.
    Only(FileFormat),
    /// Any file, because the person said so.
    Anything,
}

/// Why a file was not written. An existing file is unchanged.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteError {
    /// Another file is there, and only the person can decide to replace it.
    Occupied(Diagnostics),
    /// The write failed.
    Failed(Diagnostics),
}

impl From<WriteError> for Diagnostics {
    fn from(not_written: WriteError) -> Self {
        match not_written {
            WriteError::Occupied(diagnostic) | WriteError::Failed(diagnostic) => diagnostic,
        }
    }
}

/// The kind of target that was written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteTarget {
    /// A file, which keeps the content.
    File,
    /// A pipe or a device: where the content went from there is unknown.
    Stream,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Library;
    use crate::diagnostic::Message;

    fn listed(files: &MemoryFiles, folder: &str) -> Vec<String> {
        let shown = |FolderEntry { path, is_folder }: FolderEntry| {
            format!("{}{}", path.display(), if is_folder { "/" } else { "" })
        };
        files.list(Path::new(folder)).into_iter().map(shown).collect()
    }

    #[test]
    fn files_in_memory_lie_in_folders() {
        let files = MemoryFiles::new([("a/b/c.toml", "c"), ("a/b.toml", "b"), ("a/bc/d", "d"), ("./e.toml", "e")]);
        assert_eq!(listed(&files, ""), ["a/", "e.toml"]);
        assert_eq!(listed(&files, "./a"), ["./a/b/", "./a/b.toml", "./a/bc/"]);
        assert_eq!(listed(&files, "a/b"), ["a/b/c.toml"]);
        assert!(listed(&files, "a/b.toml").is_empty() && listed(&files, "z").is_empty());
        let kinds = ["", "a", "a/b", "a/b.toml", "a/b.tom", "a/bc", "e.toml", "./e.toml", "z"];
        let kinds = kinds.map(|path| files.kind(Path::new(path)));
        let (file, folder) = (Some(FileKind::File), Some(FileKind::Folder));
        assert_eq!(kinds, [folder, folder, folder, file, None, folder, file, file, None]);
        let below: Vec<PathBuf> = files.toml_files_below(Path::new(""));
        assert_eq!(below, ["a/b/c.toml", "a/b.toml", "e.toml"].map(PathBuf::from));
    }

    /// Files in memory, of which one folder may not be listed.
    #[derive(Debug)]
    struct OneClosed(MemoryFiles, &'static str);

    impl Files for OneClosed {
        fn read_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Arc<Source>, Diagnostics> {
            self.0.read_up_to(path, name, most)
        }

        fn kind(&self, path: &Path) -> Option<FileKind> {
            self.0.kind(path)
        }

        fn list(&self, folder: &Path) -> Vec<FolderEntry> {
            if self.is_closed(folder) { Vec::new() } else { self.0.list(folder) }
        }

        fn is_closed(&self, folder: &Path) -> bool {
            folder == Path::new(self.1)
        }

        fn name_of(&self, path: &Path) -> String {
            self.0.name_of(path)
        }
    }

    #[test]
    fn a_folder_that_may_not_be_listed_is_told() {
        let files = || MemoryFiles::new([("variants/draw/a.toml", "a"), ("variants/draw.md", "b"), ("b.toml", "c")]);
        let closed = OneClosed(files(), "variants/draw");
        assert_eq!(closed.toml_files_below(Path::new("")), ["b.toml", "variants/draw"].map(PathBuf::from));
        for folder in ["variants", "variants/draw"] {
            let library = Library::of(Arc::new(OneClosed(files(), folder)), vec!["".into()]);
            let told: Vec<Message> = library.stray_warnings().into_iter().map(|warning| warning.message).collect();
            assert_eq!(told, [format!("nothing in `{folder}` is found, because that folder may not be listed")]);
        }
    }

    #[test]
    fn a_text_over_files_may_be_new() {
        let below = Arc::new(MemoryFiles::new([("a/b.toml", "b")]));
        let source = |text: &str| Source::new("text", text);
        let texts = [("a/b.toml", "other"), ("a/c.toml", "new"), ("a/d/e.toml", "newer")];
        let files = OverlaidFiles::new(below, texts.map(|(path, text)| (path.into(), source(text))));
        assert_eq!(files.toml_files_below(Path::new("a")), ["a/b.toml", "a/c.toml", "a/d/e.toml"].map(PathBuf::from));
        assert_eq!(files.kind(Path::new("a/d")), Some(FileKind::Folder));
        assert_eq!(files.kind(Path::new("a/c.toml")), Some(FileKind::File));
        let read = |path: &str| files.read(Path::new(path), path).map(|source| source.text.clone());
        assert_eq!((read("a/b.toml"), read("a/c.toml")), (Ok("other".to_owned()), Ok("new".to_owned())));
    }

    #[test]
    fn what_is_no_text_in_memory_is_refused() {
        let files = MemoryFiles::new([
            ("a/plain", &b"\xef\xbb\xbfa\r\nb"[..]),
            ("a/latin1", b"ab\xe9"),
            ("a/wide", b"\xff\xfea\0"),
        ]);
        let read = |path: &str, most| {
            let read = files.read_up_to(Path::new(path), path, most);
            read.map_or_else(|error| error.first().message.to_string(), |source| source.text.clone())
        };
        assert_eq!(read("a/plain", 99), "a\nb");
        assert_eq!(read("a/plain", 3), "`a/plain` is larger than 0 KiB");
        assert_eq!(
            read("a/latin1", 99),
            "`a/latin1` is not UTF-8 text: the byte at offset 2 is not part of a valid character"
        );
        assert_eq!(read("a/wide", 99), "`a/wide` is UTF-16 text");
        assert_eq!(read("a", 99), "`a` is a folder, not a file");
        assert_eq!(read("b", 99), "cannot read `b`: there is no such file");
    }
}
