//! A debug adapter: the session's debugger for editors, over the Debug Adapter Protocol.
//!
//! The adapter is thin. A [`Session`](crate::session::Session) steps, inspects and changes the game, as at the prompt;
//! the adapter reads requests, passes them to the session, and reports in the protocol's terms where the rules have
//! stopped. Input in the editor's console is a line of the session.
//!
//! One thread reads, so that a pause request is noticed while rules run; everything else happens on the calling thread,
//! request by request. When the client goes, the run is stopped and the adapter ends.
//!
//! The protocol's messages are read and written as plain JSON. The protocol has a hundred message types; the adapter
//! needs a few fields of thirty, so a crate of types would cost more than it saves.

mod adapter;
mod breakpoints;
mod launch;
mod moving;
mod sources;
mod variables;
mod wire;

pub use launch::AdapterEnvironment;

use crate::catalogue::Message;
use crate::host::frames::{self, Frame};
use crate::host::output::Output;
use adapter::Adapter;
use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;
use wire::{Outbox, Request};

/// Most messages waiting while rules run.
const MAX_QUEUED_MESSAGES: usize = 64;

/// The requests that interrupt a run.
const INTERRUPTS: [&str; 4] = ["pause", "terminate", "disconnect", "restart"];

/// A message from the reading thread.
enum IncomingMessage {
    Request(Request),
    Malformed(Message),
    /// The input cannot be read any more, for this reason.
    Broken(io::Error),
}

/// Serves one client over standard output, until it goes or ends the session.
///
/// # Errors
/// The input cannot be read, or no thread can be started.
pub fn serve(input: impl Read + Send + 'static, surface: AdapterEnvironment) -> io::Result<()> {
    let (sender, receiver) = sync_channel(MAX_QUEUED_MESSAGES);
    let work = surface.work.clone();
    // The number of waiting requests that interrupt the run.
    let interrupts = Arc::new(AtomicUsize::new(0));
    let counted = interrupts.clone();
    thread::Builder::new().name("requests".to_owned()).spawn(move || {
        let mut input = BufReader::new(input);
        let interrupt = || {
            counted.fetch_add(1, Ordering::SeqCst);
            work.stop();
        };
        loop {
            let received = match frames::read(&mut input) {
                Ok(Some(Frame::Message(message))) => match Request::of(message) {
                    Some(request) => {
                        if INTERRUPTS.contains(&&*request.command) {
                            interrupt();
                        }
                        IncomingMessage::Request(request)
                    }
                    None => continue,
                },
                Ok(Some(Frame::Malformed(why))) => IncomingMessage::Malformed(why),
                Ok(None) => {
                    interrupt();
                    return;
                }
                Err(error) => {
                    interrupt();
                    let _ = sender.send(IncomingMessage::Broken(error));
                    return;
                }
            };
            if sender.send(received).is_err() {
                return;
            }
        }
    })?;
    let mut output = Output::default();
    let mut adapter = Adapter::new(Outbox::new(&mut output), surface, interrupts.clone());
    for received in receiver {
        match received {
            IncomingMessage::Request(request) => {
                if INTERRUPTS.contains(&&*request.command) {
                    interrupts.fetch_sub(1, Ordering::SeqCst);
                }
                adapter.answer(request);
            }
            IncomingMessage::Malformed(why) => adapter.tell_malformed(&why),
            IncomingMessage::Broken(error) => return Err(error),
        }
        if adapter.is_done() {
            break;
        }
    }
    Ok(())
}
