//! The framing of JSON messages behind a `Content-Length` header, as editors use it with language servers and debug
//! adapters.

use crate::catalogue::{Message, message};
use serde_json::Value;
use std::io::{self, BufRead, Read as _, Write};

/// Most bytes of a message. The longest legitimate one carries the text of a file.
const MAX_MESSAGE_BYTES: usize = 64 * 1024 * 1024;

/// Most bytes of a header line.
const MAX_HEADER_LINE_BYTES: u64 = 4 * 1024;

/// A message read from the client.
pub enum Frame {
    Message(Value),
    /// A message that cannot be understood, with the reason. The next message is read as usual.
    Malformed(Message),
}

/// Reads the next message; `None` at the end of the input.
///
/// # Errors
/// The input cannot be read, or a message is too long to skip.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Frame>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(MAX_HEADER_LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        match (line.trim(), length) {
            // Text between messages is skipped: the next header is found behind it.
            ("", None) => {}
            ("", Some(length)) => return body(input, length),
            (line, _) => {
                let Some((name, value)) = line.split_once(':') else { continue };
                // Behind skipped text, a header need not begin its line.
                if name.trim_end().to_ascii_lowercase().ends_with("content-length") {
                    let Ok(number) = value.trim().parse::<usize>() else {
                        return Ok(Some(Frame::Malformed(message!(
                            "`{}` is not the length of a message",
                            value.trim()
                        ))));
                    };
                    length = Some(number);
                }
            }
        }
    }
}

fn body(input: &mut impl BufRead, length: usize) -> io::Result<Option<Frame>> {
    if length > MAX_MESSAGE_BYTES {
        return Err(io::Error::other(message!("a message of {length} bytes is longer than any that is read")));
    }
    let mut bytes = Vec::new();
    if input.by_ref().take(length as u64).read_to_end(&mut bytes)? < length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&bytes) {
        Ok(message) => Frame::Message(message),
        Err(error) => Frame::Malformed(message!("this is not JSON: {error}")),
    }))
}

/// Writes a message with its header.
///
/// # Errors
/// The client has closed the stream, or it cannot be written.
pub fn write(output: &mut dyn Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    let header = format!("Content-Length: {}", text.len());
    output.write_all(&[header.as_bytes(), b"\r\n\r\n", text.as_bytes()].concat())?;
    output.flush()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Each message in `bytes` as text, up to the end or the first error.
    pub fn read_all(bytes: &[u8]) -> Vec<String> {
        let mut input = bytes;
        let mut found = Vec::new();
        loop {
            match read(&mut input) {
                Ok(Some(Frame::Message(message))) => found.push(message.to_string()),
                Ok(Some(Frame::Malformed(why))) => found.push(why.to_string()),
                Ok(None) => return found,
                Err(error) => {
                    found.push(format!("ends: {error}"));
                    return found;
                }
            }
        }
    }

    #[test]
    fn frames_are_read_one_by_one() {
        let two = b"Content-Length: 7\r\n\r\n{\"a\":1}Content-Length: 2\r\nContent-Type: any\r\n\r\n{}";
        assert_eq!(read_all(two), ["{\"a\":1}", "{}"]);
        assert_eq!(read_all("Content-Length: 8\n\n{\"a\":あ".as_bytes()).len(), 1, "the length counts bytes");
    }

    #[test]
    fn what_is_no_frame_is_passed_over_or_told() {
        assert_eq!(read_all(b"hello\r\n\r\ncontent-length:2\r\n\r\n{}"), ["{}"]);
        assert_eq!(read_all(b"Content-Length: -3\r\n\r\nContent-Length: 2\r\n\r\n{}").len(), 2);
        assert_eq!(read_all(b"Content-Length: -3\r\n\r\n{}Content-Length: 2\r\n\r\n{}")[1..], ["{}"]);
        let broken = read_all(b"Content-Length: 3\r\n\r\n{a}Content-Length: 2\r\n\r\n{}");
        assert!(broken[0].starts_with("this is not JSON") && broken[1] == "{}", "{broken:?}");
        assert_eq!(read_all(b"Content-Length: 20\r\n\r\n{}"), [""; 0], "the client went in the middle of a message");
        assert!(read_all(b"Content-Length: 99999999999\r\n\r\n{}")[0].starts_with("ends: "));
        assert_eq!(read_all(&[b'x'; 10_000]), [""; 0]);
    }
}
