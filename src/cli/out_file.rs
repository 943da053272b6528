//! A file that a command writes: a page, a table, a pack. Where it goes is decided here.
//!
//! It is begun before anything is played for it: a path that cannot be written shows before an hour of games. `-` is
//! standard output, which it then has for itself: everything else that the command says goes to standard error.

use super::{Context, Failure};
use crate::diagnostic::Diagnostic;
use crate::files::path_name;
use crate::files::{Format, MayReplace, NotWritten};
use crate::host::file::{Draft, cannot_be_written, is_standard_output};
use crate::host::output;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Names standard output.
const STANDARD_OUTPUT: &str = "-";

/// A file on its way.
pub(super) struct OutFile {
    target: Target,
    draft: Draft,
}

/// Where a file goes.
#[derive(Clone)]
pub(super) struct Target {
    path: PathBuf,
    is_standard_output: bool,
}

/// Where a file goes that nobody has named: to standard output where that is a new file, as behind `> page.html`; else to
/// one of this name.
pub(super) fn default_path(name: PathBuf) -> PathBuf {
    if is_sent_by_shell() { PathBuf::from(STANDARD_OUTPUT) } else { name }
}

/// Whether standard output is a new file, as behind `> page.html`.
pub(super) fn is_sent_by_shell() -> bool {
    output::is_new_file()
}

impl OutFile {
    /// Begins a file. Only another of its format is overwritten, unless somebody said so.
    ///
    /// # Errors
    /// It cannot be written; a file of another kind is there; another file has standard output already.
    pub(super) fn begin(path: &Path, format: Format, force: bool, context: &Context) -> Result<Self, Failure> {
        let target = Target { path: path.to_owned(), is_standard_output: is_standard_output(path) };
        if target.is_standard_output && !output::take() {
            let error = Diagnostic::new("standard output is named twice, and takes one file only");
            return Err(Failure::wrong(error.help("give each file its own path")));
        }
        let may = if force { MayReplace::Anything } else { MayReplace::Only(format) };
        let draft = match target.is_standard_output {
            true => Draft::to_standard_output(),
            false => Draft::new(path, may, context.work.flag())?,
        };
        Ok(Self { target, draft })
    }

    /// Where it goes.
    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    /// Writes all of it, and puts it in its place.
    ///
    /// # Errors
    /// It cannot be written: the disk is full, for example. What was there before is as it was.
    pub(super) fn write(mut self, context: &Context, text: &str) -> Result<(), Failure> {
        self.fill(context, text)?;
        self.finish(context)
    }

    /// Writes all of it, and leaves what is in its place as it is, until it is [finished](Self::finish): of several files
    /// that belong together, all are filled first.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub(super) fn fill(&mut self, context: &Context, text: &str) -> Result<(), Failure> {
        let filled = self.draft.write_all(text.as_bytes()).and_then(|()| self.draft.flush());
        filled.map_err(|error| self.target.failed(context, &error))
    }

    /// Writes what is left, and puts the file in its place.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub(super) fn finish(self, context: &Context) -> Result<(), Failure> {
        self.draft.finish().map(drop).map_err(|error| self.target.failed(context, &error))
    }
}

impl Target {
    /// The file in words; nothing where that is standard output, since whoever reads it knows.
    pub(super) fn name(&self) -> Option<String> {
        (!self.is_standard_output).then(|| path_name(&self.path))
    }

    /// What is said where it cannot be written. Where a reader has gone away, the program ends without a word.
    pub(super) fn failed(&self, context: &Context, error: &io::Error) -> Failure {
        if self.is_standard_output || error.kind() == io::ErrorKind::BrokenPipe {
            context.terminal.give_up(error);
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

impl From<NotWritten> for Failure {
    /// Why a file is not written, and how to write it all the same where that is possible.
    fn from(not_written: NotWritten) -> Self {
        Self::wrong(match not_written {
            NotWritten::Occupied(errors) => errors.help("`--force` overwrites it; or give another path"),
            NotWritten::Failed(errors) => errors,
        })
    }
}
