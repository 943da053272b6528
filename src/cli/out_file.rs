//! An output file of a command: a page, a table, a pack.
//!
//! The file is created before any game is played for it, so that an unwritable path is reported at once. `-` is
//! standard output, which then takes nothing else: all other output of the command goes to standard error.

use super::{Context, Failure};
use crate::catalogue::message;
use crate::diagnostic::Diagnostic;
use crate::files::path_name;
use crate::files::{FileFormat, OverwritePolicy, WriteError};
use crate::host::file::{Draft, cannot_be_written, is_standard_output, real_path};
use crate::host::output;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The path that stands for standard output.
const STANDARD_OUTPUT: &str = "-";

/// An output file being written.
pub(super) struct OutFile {
    target: Target,
    draft: Draft,
}

/// The destination of an output file.
#[derive(Clone)]
pub(super) struct Target {
    path: PathBuf,
    is_standard_output: bool,
}

/// The default destination: standard output where that is an empty file, as with `> page.html`; else a file of this
/// name.
pub(super) fn default_path(name: PathBuf) -> PathBuf {
    if is_sent_by_shell() { PathBuf::from(STANDARD_OUTPUT) } else { name }
}

/// Whether standard output is an empty file, as with `> page.html`.
pub(super) fn is_sent_by_shell() -> bool {
    output::is_new_file()
}

/// Refuses two paths to the same file: the later output would overwrite the earlier.
pub(super) fn refuse_shared<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    let mut seen: Vec<PathBuf> = Vec::new();
    let mut has_standard_output = false;
    for path in paths {
        if is_standard_output(path) {
            if has_standard_output {
                return Err(named_twice());
            }
            has_standard_output = true;
            continue;
        }
        let real = real_path(path);
        // Several outputs can go to the same device, such as `/dev/null`; `/dev/shm` has files.
        if seen.contains(&real) && (!real.starts_with("/dev") || real.is_file() || !real.exists()) {
            let error = Diagnostic::new(message!("`{}` is named twice, and would be overwritten", path_name(path)));
            return Err(Failure::wrong(error.help("give each file its own path")));
        }
        seen.push(real);
    }
    Ok(())
}

fn named_twice() -> Failure {
    let error = Diagnostic::new("standard output is named twice, and takes one file only");
    Failure::wrong(error.help("give each file its own path"))
}

impl OutFile {
    /// Creates an output file. Only a file of the same format is overwritten, unless `force` is set.
    ///
    /// # Errors
    /// The file cannot be written, a file of another kind exists there, or another file has standard output already.
    pub(super) fn begin(path: &Path, format: FileFormat, force: bool, context: &Context) -> Result<Self, Failure> {
        let target = Target { path: path.to_owned(), is_standard_output: is_standard_output(path) };
        if target.is_standard_output && !output::take() {
            return Err(named_twice());
        }
        if !target.is_standard_output && output::goes_to(path) {
            let error = message!("`{}` is where standard output goes, and would be overwritten", path_name(path));
            return Err(Failure::wrong(Diagnostic::new(error).help("give each file its own path")));
        }
        let may = if force { OverwritePolicy::Anything } else { OverwritePolicy::Only(format) };
        let draft = match target.is_standard_output {
            true => Draft::to_standard_output(),
            false => Draft::new(path, may, context.work.flag())?,
        };
        Ok(Self { target, draft })
    }

    /// The destination of the file.
    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    /// Writes the whole text, and moves the file into place.
    ///
    /// # Errors
    /// The file cannot be written, for example because the disk is full. An old file stays untouched.
    pub(super) fn write(mut self, context: &Context, text: &str) -> Result<(), Failure> {
        self.fill(context, text)?;
        self.finish(context)
    }

    /// Writes the whole text, but leaves an old file in place until the new one is [finished](Self::finish): of several
    /// files that belong together, all are filled first.
    ///
    /// # Errors
    /// The same as of [`Self::write`].
    pub(super) fn fill(&mut self, context: &Context, text: &str) -> Result<(), Failure> {
        let filled = self.draft.write_all(text.as_bytes()).and_then(|()| self.draft.flush());
        filled.map_err(|error| self.target.failed(context, &error))
    }

    /// Writes what is buffered, and moves the file into place.
    ///
    /// # Errors
    /// The same as of [`Self::write`].
    pub(super) fn finish(self, context: &Context) -> Result<(), Failure> {
        self.draft.finish().map(drop).map_err(|error| self.target.failed(context, &error))
    }
}

impl Target {
    /// The name of the file; `None` for standard output, whose reader knows it.
    pub(super) fn name(&self) -> Option<String> {
        (!self.is_standard_output).then(|| path_name(&self.path))
    }

    /// The failure to write the file. If the reader of a pipe has gone, the program ends without a message.
    pub(super) fn failed(&self, context: &Context, error: &io::Error) -> Failure {
        if self.is_standard_output || error.kind() == io::ErrorKind::BrokenPipe {
            context.terminal.exit_on_output_failure(error);
        }
        Failure::wrong(cannot_be_written(&self.path, error))
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.draft.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.draft.flush()
    }
}

impl From<WriteError> for Failure {
    /// The failure, with advice on how to overwrite the file where that is possible.
    fn from(not_written: WriteError) -> Self {
        Self::wrong(match not_written {
            WriteError::Occupied(errors) => errors.help("`--force` overwrites it; or give another path"),
            WriteError::Failed(errors) => errors,
        })
    }
}
