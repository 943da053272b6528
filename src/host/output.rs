//! Standard output that reports every failure, also where it was closed from the start.

mod closed;

use std::io::{self, Write};

/// Standard output.
#[derive(Debug, Default)]
pub struct Output(());

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if closed::was_closed() {
            return Err(io::Error::other("it is closed"));
        }
        io::stdout().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}
