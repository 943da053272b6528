//! Signals that end a session at a terminal: its window is closed, or the system shuts down.

use rustix::stdio::stdin;
use rustix::termios::{Action, OptionalActions, Termios, tcflow, tcgetattr, tcgetpgrp, tcsetattr};
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::iterator::Signals;
use std::thread;

/// Turns off what the line editor turned on, as far as the settings of a terminal do not hold it: pasting in brackets.
const UNDO: &[u8] = b"\x1b[?2004l\r\n";

/// From now on these signals leave the terminal as it was found, and give an exit code that names them. What was played
/// need not be written: the journal has it already.
pub(super) fn leave_properly() {
    let found = tcgetattr(stdin()).ok();
    // Where they cannot be watched, the system ends the program without a word.
    let Ok(mut signals) = Signals::new([SIGTERM, SIGHUP]) else { return };
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            if let Some(found) = found.filter(|_| is_in_foreground()) {
                restore(&found);
            }
            std::process::exit(128 + signal);
        }
    };
    let _ = thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

/// Whoever touches a terminal from the background is stopped by it.
fn is_in_foreground() -> bool {
    tcgetpgrp(stdin()).is_ok_and(|group| group == rustix::process::getpgrp())
}

fn restore(found: &Termios) {
    // A terminal that is gone takes none of this, and needs none of it.
    let _ = tcsetattr(stdin(), OptionalActions::Now, found);
    // Output that the person had stopped would wait for ever.
    let _ = tcflow(stdin(), Action::OOn);
    let _ = rustix::io::write(rustix::stdio::stdout(), UNDO);
}
