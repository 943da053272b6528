//! Standard output that reports every failure, also where it was closed from the start.

mod closed;

use std::io::{self, Write};

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
