//! Standard output that reports every failure, also where it was closed from the start.

mod closed;

use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a file that somebody asked for goes to standard output: then nothing else does.
static FILE_ON_STDOUT: AtomicBool = AtomicBool::new(false);

/// Takes standard output for a file; false where another has it already.
pub fn take() -> bool {
    !FILE_ON_STDOUT.swap(true, Ordering::Relaxed)
}

/// Whether a file has standard output.
pub fn is_taken() -> bool {
    FILE_ON_STDOUT.load(Ordering::Relaxed)
}

/// Whether standard output is a file with nothing in it yet, as behind `> page.html`.
pub fn is_new_file() -> bool {
    #[cfg(unix)]
    let own = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned();
    #[cfg(windows)]
    let own = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned();
    let found = own.and_then(|own| File::from(own).metadata());
    found.is_ok_and(|found| found.is_file() && found.len() == 0)
}

/// What Windows says of a pipe whose reader has gone, where it says neither of the two things that Rust takes for that.
const PIPE_NOT_CONNECTED: i32 = 233;

/// Standard output.
#[derive(Debug, Default)]
pub struct Output(());

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if closed::was_closed() {
            return Err(io::Error::other("it is closed"));
        }
        io::stdout().write(bytes).map_err(without_reader)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush().map_err(without_reader)
    }
}

/// An error of a pipe without a reader as that, on any system.
fn without_reader(error: io::Error) -> io::Error {
    let is_gone = cfg!(windows) && error.raw_os_error() == Some(PIPE_NOT_CONNECTED);
    if is_gone { io::ErrorKind::BrokenPipe.into() } else { error }
}
