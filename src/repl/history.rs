//! The input history across sessions, in a file of the state folder.
//!
//! The file outlives crashes, full disks and other programs. If it is damaged, it is set aside, its readable lines are
//! kept, and a message says so: a silent loss of history is noticed too late.

use crate::catalogue::{Message, message};
use crate::diagnostic::Diagnostic;
use crate::files::path_name;
use crate::host::reason;
use crate::repl::interactive::TextEditor;
use rustyline::error::ReadlineError;
use std::io;
use std::path::{Path, PathBuf};

/// The file of the input history.
pub(super) struct History {
    /// `None` where no history can be kept.
    file: Option<PathBuf>,
}

impl History {
    /// Loads the history into the editor. The diagnostic reports trouble with the file.
    pub(super) fn open(editor: &mut TextEditor) -> (Self, Option<Diagnostic>) {
        let Some(folder) = super::state_folder() else { return (Self { file: None }, None) };
        let file = folder.join("history.txt");
        let opened = std::fs::create_dir_all(&folder).and_then(|()| read(&file)).and_then(|damage| {
            match editor.load_history(&file) {
                // The first session finds no file.
                Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(damage),
                Err(error) => Err(io::Error::other(error)),
                Ok(()) => Ok(damage),
            }
        });
        match opened {
            Ok(damage) => (Self { file: Some(file) }, damage),
            Err(error) => (Self { file: None }, Some(not_kept(&file, &reason(&error)))),
        }
    }

    /// Appends the last input to the file at once, because a closed window gives no warning. Gives a diagnostic the
    /// first time that fails.
    pub(super) fn keep(&mut self, editor: &mut TextEditor) -> Option<Diagnostic> {
        let file = self.file.as_ref()?;
        let error = editor.append_history(file).err()?;
        let trouble = not_kept(file, &Message::foreign(error.to_string()));
        self.file = None;
        Some(trouble)
    }
}

fn not_kept(file: &Path, reason: &Message) -> Diagnostic {
    Diagnostic::warning(message!("what you type is not kept for the next session: `{}`: {reason}", path_name(file)))
}

/// Checks that a file can be read as history. A damaged one is set aside, and replaced by its sound lines.
fn read(file: &Path) -> io::Result<Option<Diagnostic>> {
    match std::fs::metadata(file) {
        // Reading from a pipe could block for ever.
        Ok(found) if !found.is_file() => return Err(io::Error::other(Message::from("it is not a file"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Ok(_) => {}
        Err(error) => return Err(error),
    }
    let bytes = std::fs::read(file)?;
    let sound: Vec<&str> = bytes.split(|byte| *byte == b'\n').filter_map(typed_line).collect();
    if sound.len() == bytes.split(|byte| *byte == b'\n').count() {
        return Ok(None);
    }
    let aside = file.with_extension("damaged.txt");
    std::fs::rename(file, &aside)?;
    // The first line gives the format's version, and may be the damaged one.
    let version = "#V2";
    let lines = sound.iter().filter(|line| **line != version && !line.is_empty());
    let text: String = std::iter::once(&version).chain(lines).map(|line| format!("{line}\n")).collect();
    std::fs::write(file, text)?;
    let message = "the history of what you typed was damaged; the readable part is kept";
    Ok(Some(Diagnostic::warning(message).help(message!("`{}` is the file as it was", path_name(&aside)))))
}

/// A line of history that a person can have typed; `None` where it is not UTF-8 or has control characters.
fn typed_line(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line).ok()?;
    (!line.chars().any(|letter| letter.is_control() && letter != '\t')).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_is_set_aside_and_its_sound_lines_go_on() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("history.txt");
        assert_eq!(read(&file)?, None, "there is none yet");
        std::fs::write(&file, "#V2\nauto 5\nsave a.toml\n")?;
        assert_eq!(read(&file)?, None);
        let damaged = b"#V\xff\nauto 5\n\0\0\0\0\nsave \xe3\x81.toml\nundo";
        std::fs::write(&file, damaged)?;
        assert!(read(&file)?.is_some_and(|said| said.message.contains("damaged")));
        assert_eq!(std::fs::read_to_string(&file)?, "#V2\nauto 5\nundo\n");
        assert_eq!(std::fs::read(folder.path().join("history.damaged.txt"))?, damaged);
        assert_eq!(read(&file)?, None, "from now on it is sound");
        Ok(())
    }
}
