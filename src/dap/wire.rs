//! The wire to a client: frames of JSON, each behind a header that says how long it is.

use serde_json::{Value, json};
use std::io::{self, BufRead, Read as _, Write};

/// Most bytes of a message; the longest that a client has reason to send is the list of breakpoints of a file.
const MAX_MESSAGE: usize = 1024 * 1024;

/// Most bytes of a line of a header.
const MAX_HEADER: u64 = 4 * 1024;

/// What a person asks an editor for, and is told of if it cannot be done.
const ASKED_FOR: [&str; 8] =
    ["launch", "attach", "restart", "setVariable", "setExpression", "goto", "restartFrame", "pause"];

/// What came from the client.
pub(super) enum Frame {
    /// A message.
    Message(Value),
    /// One that cannot be understood, and why. What follows it is read as usual.
    Malformed(String),
}

/// The next frame; nothing at the end of the input.
///
/// # Errors
/// The input cannot be read, or a frame is too long to be passed over.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Frame>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        match (line.trim(), length) {
            // Whatever stands around frames is none: the next header is found behind it.
            ("", None) => {}
            ("", Some(length)) => return body(input, length),
            (line, _) => {
                let Some((name, value)) = line.split_once(':') else { continue };
                if name.trim().eq_ignore_ascii_case("content-length") {
                    let Ok(number) = value.trim().parse::<usize>() else {
                        return Ok(Some(Frame::Malformed(format!(
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
    if length > MAX_MESSAGE {
        return Err(io::Error::other(format!("a message of {length} bytes is longer than any that is read")));
    }
    let mut bytes = Vec::new();
    if input.by_ref().take(length as u64).read_to_end(&mut bytes)? < length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&bytes) {
        Ok(message) => Frame::Message(message),
        Err(error) => Frame::Malformed(format!("this is not JSON: {error}")),
    }))
}

/// What goes to the client, numbered in its order. When the client has gone, the rest goes nowhere.
pub(super) struct Outbox<'o> {
    output: &'o mut dyn Write,
    number: u64,
    /// Whether nobody reads any more.
    pub is_closed: bool,
}

impl<'o> Outbox<'o> {
    pub fn new(output: &'o mut dyn Write) -> Self {
        Self { output, number: 0, is_closed: false }
    }

    /// Tells the client that something happened.
    pub fn event(&mut self, event: &str, body: Value) {
        self.send(json!({ "type": "event", "event": event, "body": body }));
    }

    /// Answers a request.
    pub fn respond(&mut self, request: &Request, body: Value) {
        self.send(json!({
            "type": "response", "request_seq": request.number, "success": true, "command": request.command, "body": body,
        }));
    }

    /// Refuses a request: in a few words, and in full. What the person has not asked for in so many words, such as the value
    /// of what the pointer rests on, is no news to the person.
    pub fn refuse(&mut self, request: &Request, short: &str, full: &str) {
        self.send(json!({
            "type": "response", "request_seq": request.number, "success": false, "command": request.command,
            "message": short,
            "body": { "error": { "id": 1, "format": full, "showUser": ASKED_FOR.contains(&&*request.command) } },
        }));
    }

    fn send(&mut self, mut message: Value) {
        self.number += 1;
        if let Some(message) = message.as_object_mut() {
            message.insert("seq".to_owned(), self.number.into());
        }
        let text = message.to_string();
        let header = format!("Content-Length: {}", text.len());
        let written = self.output.write_all(&[header.as_bytes(), b"\r\n\r\n", text.as_bytes()].concat());
        if written.and_then(|()| self.output.flush()).is_err() {
            self.is_closed = true;
        }
    }
}

/// A request of the client.
pub(super) struct Request {
    /// Its number, which the answer names.
    pub number: i64,
    /// What is wanted.
    pub command: String,
    /// How, as it came.
    pub arguments: Value,
}

impl Request {
    /// A message as a request; nothing where it is something else, such as the answer to what the adapter never asked.
    pub fn of(mut message: Value) -> Option<Self> {
        let command = message.get("command")?.as_str()?.to_owned();
        if message.get("type").and_then(Value::as_str) != Some("request") {
            return None;
        }
        let number = message.get("seq").and_then(Value::as_i64).unwrap_or_default();
        let arguments = message.get_mut("arguments").map(Value::take).unwrap_or_default();
        Some(Self { number, command, arguments })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;

    /// What is read from bytes, up to their end or to what cannot be read.
    fn read_all(bytes: &[u8]) -> Vec<String> {
        let mut input = bytes;
        let mut found = Vec::new();
        loop {
            match read(&mut input) {
                Ok(Some(Frame::Message(message))) => found.push(message.to_string()),
                Ok(Some(Frame::Malformed(why))) => found.push(why),
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
        let broken = read_all(b"Content-Length: 3\r\n\r\n{a}Content-Length: 2\r\n\r\n{}");
        assert!(broken[0].starts_with("this is not JSON") && broken[1] == "{}", "{broken:?}");
        assert_eq!(read_all(b"Content-Length: 20\r\n\r\n{}"), [""; 0], "the client went in the middle of a message");
        assert!(read_all(b"Content-Length: 99999999999\r\n\r\n{}")[0].starts_with("ends: "));
        assert_eq!(read_all(&[b'x'; 10_000]), [""; 0]);
    }

    #[test]
    fn messages_are_numbered() {
        let mut bytes = Vec::new();
        let mut out = Outbox::new(&mut bytes);
        let request = Request::of(json!({ "seq": 4, "type": "request", "command": "launch" })).unwrap();
        out.event("initialized", json!({}));
        out.refuse(&request, "no", "there is no {game}");
        let found = read_all(&bytes);
        assert!(found[0].contains("\"seq\":1") && found[1].contains("\"seq\":2"), "{found:?}");
        assert!(found[1].contains("\"request_seq\":4") && found[1].contains("there is no {game}"), "{found:?}");
        assert!(Request::of(json!({ "type": "response", "command": "launch" })).is_none());
        assert!(Request::of(json!([1])).is_none() && Request::of(json!({ "type": "request" })).is_none());
    }
}
