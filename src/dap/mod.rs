//! A debug adapter: the debugger of a session for editors, by the Debug Adapter Protocol.
//!
//! The adapter is thin. What is stepped, looked at and changed belongs to a [`Session`](crate::session::Session), as at the
//! prompt; the adapter reads requests, has the session do them, and tells in the protocol's terms where the rules stand.
//! What is typed into the editor's console is a line of the session.
//!
//! One thread reads, so that a request to pause is heard while rules run; everything else happens on the calling thread,
//! request by request. When the client goes, what runs is stopped and the adapter ends.
//!
//! The protocol's messages are read and written as JSON here. It has types for a hundred of them; the adapter needs a few
//! fields of thirty, so a crate of types would be a larger thing to keep than what it saves.

mod adapter;
mod breakpoints;
mod launch;
mod moving;
mod sources;
mod variables;
mod wire;

pub use launch::Surface;

use crate::host::frames::{self, Frame};
use crate::host::output::Output;
use adapter::Adapter;
use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;
use wire::{Outbox, Request};

/// Most messages that wait while rules run.
const WAITING: usize = 64;

/// What ends a run that is going on.
const INTERRUPTS: [&str; 4] = ["pause", "terminate", "disconnect", "restart"];

/// What the reading thread hands over.
enum Received {
    Request(Request),
    Malformed(String),
    /// The input cannot be read any more.
    Broken(io::Error),
}

/// Serves one client, over standard output, until it goes, or ends the session.
///
/// # Errors
/// The input cannot be read, or no thread can be had.
pub fn serve(input: impl Read + Send + 'static, surface: Surface) -> io::Result<()> {
    let (sender, receiver) = sync_channel(WAITING);
    let work = surface.work.clone();
    // How many requests wait that are to end the run before them.
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
                        Received::Request(request)
                    }
                    None => continue,
                },
                Ok(Some(Frame::Malformed(why))) => Received::Malformed(why),
                Ok(None) => {
                    interrupt();
                    return;
                }
                Err(error) => {
                    interrupt();
                    let _ = sender.send(Received::Broken(error));
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
            Received::Request(request) => {
                if INTERRUPTS.contains(&&*request.command) {
                    interrupts.fetch_sub(1, Ordering::SeqCst);
                }
                adapter.answer(request);
            }
            Received::Malformed(why) => adapter.tell_malformed(&why),
            Received::Broken(error) => return Err(error),
        }
        if adapter.is_done() {
            break;
        }
    }
    Ok(())
}
