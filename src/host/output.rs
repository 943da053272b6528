//! Standard output that reports every failure, even where it was closed when the program started.

mod closed;

use crate::catalogue::Message;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a file that the person asked for goes to standard output, which then takes nothing else.
static FILE_ON_STDOUT: AtomicBool = AtomicBool::new(false);

/// Reserves standard output for a file; `false` where another file has it already.
pub fn take() -> bool {
    !FILE_ON_STDOUT.swap(true, Ordering::Relaxed)
}

/// Whether standard output is reserved for a file.
pub fn is_taken() -> bool {
    FILE_ON_STDOUT.load(Ordering::Relaxed)
}

/// Whether standard output is redirected to an empty file, as with `> page.html`.
pub fn is_new_file() -> bool {
    metadata().is_ok_and(|found| found.is_file() && found.len() == 0)
}

/// Whether standard output is redirected to this file. Always `false` where the system does not tell.
pub fn goes_to(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let of = |found: std::fs::Metadata| found.is_file().then(|| (found.dev(), found.ino()));
        metadata().ok().and_then(of).is_some_and(|own| std::fs::metadata(path).ok().and_then(of) == Some(own))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// What the system tells of standard output.
fn metadata() -> io::Result<std::fs::Metadata> {
    #[cfg(unix)]
    let own = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned();
    #[cfg(windows)]
    let own = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned();
    own.and_then(|own| File::from(own).metadata())
}

/// Windows' error code for a pipe whose reader has gone that Rust does not map to `BrokenPipe`.
const PIPE_NOT_CONNECTED: i32 = 233;

/// A writer to standard output that reports every failure.
#[derive(Debug, Default)]
pub struct Output(());

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if closed::was_closed() {
            return Err(io::Error::other(Message::from("it is closed")));
        }
        io::stdout().write(bytes).map_err(without_reader)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush().map_err(without_reader)
    }
}

/// The error, as `BrokenPipe` on every system where the pipe's reader has gone.
fn without_reader(error: io::Error) -> io::Error {
    let is_gone = cfg!(windows) && error.raw_os_error() == Some(PIPE_NOT_CONNECTED);
    if is_gone { io::ErrorKind::BrokenPipe.into() } else { error }
}
