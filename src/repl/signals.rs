//! Handling of signals that end a session at a terminal: its window is closed, or the system shuts down.

use rustix::stdio::stdin;
use rustix::termios::{Action, OptionalActions, Termios, tcflow, tcgetattr, tcgetpgrp, tcsetattr};
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::iterator::Signals;
use std::thread;

/// Turns off bracketed paste, which the line editor turned on outside the terminal's settings.
const DISABLE_BRACKETED_PASTE: &[u8] = b"\x1b[?2004l\r\n";

/// From now on, these signals restore the terminal's settings and end the program with an exit code that names them.
/// The game need not be written: the journal has it already.
pub(super) fn leave_properly() {
    let found = tcgetattr(stdin()).ok();
    // If the signals cannot be watched, the system ends the program without a message.
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

/// Whether this program is in the foreground; the system stops programs that change a terminal from the background.
fn is_in_foreground() -> bool {
    tcgetpgrp(stdin()).is_ok_and(|group| group == rustix::process::getpgrp())
}

fn restore(found: &Termios) {
    // These calls fail without harm on a terminal that has gone.
    let _ = tcsetattr(stdin(), OptionalActions::Now, found);
    // Output that the person paused with Ctrl-S would block for ever.
    let _ = tcflow(stdin(), Action::OOn);
    let _ = rustix::io::write(rustix::stdio::stdout(), DISABLE_BRACKETED_PASTE);
}
