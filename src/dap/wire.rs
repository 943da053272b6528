//! Messages to and from the client.

use crate::host::frames;
use serde_json::{Value, json};
use std::io::Write;

/// The requests that a person makes explicitly, whose failure the editor should show.
const USER_REQUESTS: [&str; 8] =
    ["launch", "attach", "restart", "setVariable", "setExpression", "goto", "restartFrame", "pause"];

/// The stream of messages to the client, numbered in order. After the client has gone, messages are dropped.
pub(super) struct Outbox<'o> {
    output: &'o mut dyn Write,
    number: u64,
    /// Whether the client has gone.
    pub is_closed: bool,
}

impl<'o> Outbox<'o> {
    pub fn new(output: &'o mut dyn Write) -> Self {
        Self { output, number: 0, is_closed: false }
    }

    /// Sends an event.
    pub fn event(&mut self, event: &str, body: Value) {
        self.send(json!({ "type": "event", "event": event, "body": body }));
    }

    /// Sends a successful response to a request.
    pub fn respond(&mut self, request: &Request, body: Value) {
        self.send(json!({
            "type": "response", "request_seq": request.number, "success": true, "command": request.command, "body": body,
        }));
    }

    /// Sends the refusal of a request, in short and in full. The editor shows only refusals of explicit requests, not
    /// of ones that it makes by itself, such as for the value under the pointer.
    pub fn refuse(&mut self, request: &Request, short: &str, full: &str) {
        self.send(json!({
            "type": "response", "request_seq": request.number, "success": false, "command": request.command,
            "message": short,
            "body": { "error": { "id": 1, "format": full, "showUser": USER_REQUESTS.contains(&&*request.command) } },
        }));
    }

    fn send(&mut self, mut message: Value) {
        self.number += 1;
        if let Some(message) = message.as_object_mut() {
            message.insert("seq".to_owned(), self.number.into());
        }
        self.is_closed |= frames::write(self.output, &message).is_err();
    }
}

/// A request of the client.
pub(super) struct Request {
    /// The sequence number, which the response repeats.
    pub number: i64,
    /// The name of the request in the protocol.
    pub command: String,
    /// The arguments, unchecked.
    pub arguments: Value,
}

impl Request {
    /// A message as a request; `None` for any other message, such as a stray response.
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
    use crate::host::frames::tests::read_all;

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
