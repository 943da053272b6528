//! Where the texts of games come from: a disk, or memory.
//!
//! Whoever reads games, scenarios and saved games asks [`Files`]. The host has a disk; a test, a page in a browser or a
//! notebook has [`Memory`].

use crate::diagnostic::{Diagnostic, Diagnostics, MAX_SOURCE_BYTES, Source};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;

/// The folder under which lies what came with the program. Its name is none that somebody gives a folder.
pub const BUILT_IN: &str = "<built in>";

/// A path in messages, commands and JSON: the same on every system, with slashes, which every system reads.
pub fn path_name(path: &Path) -> String {
    let name = path.to_string_lossy();
    if MAIN_SEPARATOR == '/' { name.into_owned() } else { name.replace(MAIN_SEPARATOR, "/") }
}

/// A place in which files lie under paths.
pub trait Files: fmt::Debug + Send + Sync {
    /// Reads a text of at most so many bytes, which is called `name` in messages.
    ///
    /// # Errors
    /// There is no such text, it is too large, or it is no text.
    fn read_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Arc<Source>, Diagnostics>;

    /// Reads a file of at most so many bytes that need not be text, such as a picture.
    ///
    /// # Errors
    /// There is no such file, or it is too large.
    fn bytes_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Vec<u8>, Diagnostics> {
        Ok(self.read_up_to(path, name, most)?.text.clone().into_bytes())
    }

    /// What lies at a path, if anything does.
    fn kind(&self, path: &Path) -> Option<FileKind>;

    /// What lies in a folder; nothing where there is no such folder.
    fn list(&self, folder: &Path) -> Vec<Listed>;

    /// How a path is called in messages.
    fn name_of(&self, path: &Path) -> String;

    /// The one path of a folder to which several paths lead.
    fn real(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }

    /// Whether a path leads into a file that holds others: what lies there came from a stranger, and names no files.
    fn is_packed(&self, _path: &Path) -> bool {
        false
    }

    /// The text with this path below a folder of the library that came with the program, so that everybody who has the
    /// program has it.
    fn shipped(&self, _path: &str) -> Option<&'static str> {
        None
    }

    /// Reads a text of rules.
    ///
    /// # Errors
    /// As [`read_up_to`](Files::read_up_to), with [`MAX_SOURCE_BYTES`].
    fn read(&self, path: &Path, name: &str) -> Result<Arc<Source>, Diagnostics> {
        self.read_up_to(path, name, MAX_SOURCE_BYTES as u64)
    }

    /// Whether anything lies at a path.
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

    /// The files with these endings below a folder, sorted. Links to folders are left alone: they could lead round in
    /// circles.
    fn files_below(&self, folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for Listed { path, is_folder } in self.list(&folder) {
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

/// What can lie at a path, links being followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    File,
    Folder,
    /// A pipe or a device, which is no text.
    Stream,
    /// A link that leads nowhere.
    BrokenLink,
}

/// What lies in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its path, which begins with that of the folder.
    pub path: PathBuf,
    /// Whether it is a folder itself, and no link to one.
    pub is_folder: bool,
}

/// A format that Houserule writes, and knows again by how a file begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// What a file of it is, in words: `a saved game`.
    pub name: &'static str,
    /// What every file of it begins with.
    pub beginning: &'static str,
}

/// Files in memory. A folder is there as long as something lies in it.
///
/// ```
/// use houserule_engine::definition::Library;
/// use houserule_engine::files::Memory;
/// use std::sync::Arc;
///
/// let definition = "id = 'draw'\nname = 'Draw'\nplayers = { min = 2, max = 4 }\n";
/// let files = [("games/draw/game.toml", definition), ("games/draw/rules.rhai", "fn game() {}")];
/// let library = Library::of(Arc::new(Memory::new(files)), vec!["".into()]);
/// assert_eq!(library.games().iter().map(|game| &*game.id).collect::<Vec<_>>(), ["draw"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Memory {
    /// These files: each path with what stands in the file.
    pub fn new<P: AsRef<Path>, T: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, T)>) -> Memory {
        Memory { files: files.into_iter().map(|(path, content)| (plain(path.as_ref()), content.into())).collect() }
    }
}

impl Files for Memory {
    fn read_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Arc<Source>, Diagnostics> {
        match self.files.get(&plain(path)) {
            Some(bytes) => Source::from_bytes(name, bytes.clone(), most),
            None if self.is_folder(path) => Err(Diagnostic::new(format!("`{name}` is a folder, not a file")).into()),
            None => Err(Diagnostic::new(format!("cannot read `{name}`: there is no such file")).into()),
        }
    }

    fn bytes_up_to(&self, path: &Path, name: &str, most: u64) -> Result<Vec<u8>, Diagnostics> {
        match self.files.get(&plain(path)) {
            Some(bytes) if bytes.len() as u64 <= most => Ok(bytes.clone()),
            Some(_) => Err(Source::too_large(name, most).into()),
            // It says in the usual words that there is no such file.
            None => self.read_up_to(path, name, most).map(|source| source.text.clone().into_bytes()),
        }
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        let path = plain(path);
        // What lies in a folder stands right behind it.
        let (first, _) = self.files.range(path.clone()..).next()?;
        if *first == path {
            return Some(FileKind::File);
        }
        first.starts_with(&path).then_some(FileKind::Folder)
    }

    fn list(&self, folder: &Path) -> Vec<Listed> {
        let plain_folder = plain(folder);
        let inside =
            self.files.range(plain_folder.clone()..).map_while(|(path, _)| path.strip_prefix(&plain_folder).ok());
        let mut listed: Vec<Listed> = inside
            .filter_map(|path| {
                let mut names = path.components();
                let path = folder.join(names.next()?);
                Some(Listed { path, is_folder: names.next().is_some() })
            })
            .collect();
        listed.dedup();
        listed
    }

    fn name_of(&self, path: &Path) -> String {
        path_name(&plain(path))
    }
}

/// Other files with some texts in place of what lies there, or where nothing lies yet.
#[derive(Clone, Debug)]
pub struct Edited {
    below: Arc<dyn Files>,
    texts: BTreeMap<PathBuf, Arc<Source>>,
}

impl Edited {
    /// These files, with texts under these paths.
    pub fn new(below: Arc<dyn Files>, texts: impl IntoIterator<Item = (PathBuf, Arc<Source>)>) -> Self {
        let texts = texts.into_iter().map(|(path, text)| (real_or_new(&*below, &path), text)).collect();
        Self { below, texts }
    }

    fn text(&self, path: &Path) -> Option<&Arc<Source>> {
        self.texts.get(&real_or_new(&*self.below, path))
    }
}

/// The one path of what may not be there yet: of its nearest folder that is, with the rest behind it.
pub fn real_or_new(files: &dyn Files, path: &Path) -> PathBuf {
    let is_there = |folder: &&Path| !folder.as_os_str().is_empty() && files.kind(folder).is_some();
    let real = match path.ancestors().find(is_there) {
        Some(there) => {
            let rest = path.strip_prefix(there).unwrap_or(Path::new(""));
            // Joined with nothing, a path gets a separator at its end.
            if rest.as_os_str().is_empty() { files.real(there) } else { files.real(there).join(rest) }
        }
        None => path.to_owned(),
    };
    plain(&real)
}

impl Files for Edited {
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
            let path = real_or_new(&*self.below, path);
            let is_inside = |text: &&PathBuf| text.starts_with(&path);
            let inside = self.texts.keys().find(is_inside)?;
            Some(if *inside == path { FileKind::File } else { FileKind::Folder })
        })
    }

    fn list(&self, folder: &Path) -> Vec<Listed> {
        let mut listed = self.below.list(folder);
        let real = real_or_new(&*self.below, folder);
        for rest in self.texts.keys().filter_map(|path| path.strip_prefix(&real).ok()) {
            let mut names = rest.components();
            let Some(name) = names.next() else { continue };
            if listed.iter().all(|known| known.path.file_name() != Some(name.as_os_str())) {
                listed.push(Listed { path: folder.join(name), is_folder: names.next().is_some() });
            }
        }
        listed
    }

    fn name_of(&self, path: &Path) -> String {
        self.below.name_of(path)
    }

    fn real(&self, path: &Path) -> PathBuf {
        self.below.real(path)
    }

    fn is_packed(&self, path: &Path) -> bool {
        self.below.is_packed(path)
    }

    fn shipped(&self, path: &str) -> Option<&'static str> {
        self.below.shipped(path)
    }
}

/// A path without the parts that lead nowhere.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// What may be there already, where a file is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MayReplace {
    /// A file of this format, or nothing.
    Only(Format),
    /// Any file: the person said so.
    Anything,
}

/// Why a file was not written. Nothing that was there has changed.
#[derive(Clone, Debug, PartialEq)]
pub enum NotWritten {
    /// Another file is there, which only the person can give up.
    Occupied(Diagnostics),
    /// It cannot be written.
    Failed(Diagnostics),
}

impl From<NotWritten> for Diagnostics {
    fn from(not_written: NotWritten) -> Self {
        match not_written {
            NotWritten::Occupied(diagnostic) | NotWritten::Failed(diagnostic) => diagnostic,
        }
    }
}

/// What was written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// A file, which keeps it.
    File,
    /// A pipe or a device: where it went from there is not known.
    Stream,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(files: &Memory, folder: &str) -> Vec<String> {
        let shown =
            |Listed { path, is_folder }: Listed| format!("{}{}", path.display(), if is_folder { "/" } else { "" });
        files.list(Path::new(folder)).into_iter().map(shown).collect()
    }

    #[test]
    fn files_in_memory_lie_in_folders() {
        let files = Memory::new([("a/b/c.toml", "c"), ("a/b.toml", "b"), ("a/bc/d", "d"), ("./e.toml", "e")]);
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

    #[test]
    fn a_text_over_files_may_be_new() {
        let below = Arc::new(Memory::new([("a/b.toml", "b")]));
        let source = |text: &str| Source::new("text", text);
        let texts = [("a/b.toml", "other"), ("a/c.toml", "new"), ("a/d/e.toml", "newer")];
        let files = Edited::new(below, texts.map(|(path, text)| (path.into(), source(text))));
        assert_eq!(files.toml_files_below(Path::new("a")), ["a/b.toml", "a/c.toml", "a/d/e.toml"].map(PathBuf::from));
        assert_eq!(files.kind(Path::new("a/d")), Some(FileKind::Folder));
        assert_eq!(files.kind(Path::new("a/c.toml")), Some(FileKind::File));
        let read = |path: &str| files.read(Path::new(path), path).map(|source| source.text.clone());
        assert_eq!((read("a/b.toml"), read("a/c.toml")), (Ok("other".to_owned()), Ok("new".to_owned())));
    }

    #[test]
    fn what_is_no_text_in_memory_is_refused() {
        let files =
            Memory::new([("a/plain", &b"\xef\xbb\xbfa\r\nb"[..]), ("a/latin1", b"ab\xe9"), ("a/wide", b"\xff\xfea\0")]);
        let read = |path: &str, most| {
            let read = files.read_up_to(Path::new(path), path, most);
            read.map_or_else(|error| error.first().message.clone(), |source| source.text.clone())
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
