//! Whether the program was started without standard output.
//!
//! The language's runtime opens the null device in the place of a closed standard stream, before any code of this
//! program runs. From then on every write succeeds, and the output is lost. So the stream is checked before the runtime
//! starts.

#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed when the program started.
pub fn was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}

// SAFETY: the loader calls what this section points to once, before `main`, with arguments that the function does not
// look at. It makes one system call and writes one atomic: no heap, no lock, nothing that the runtime has to set up.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = look;

// SAFETY: as above.
#[cfg(target_vendor = "apple")]
#[used]
#[unsafe(link_section = "__DATA,__mod_init_func")]
static BEFORE_MAIN: extern "C" fn() = look;

#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd", target_vendor = "apple"))]
extern "C" fn look() {
    let is_open = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_ok();
    WAS_CLOSED.store(!is_open, Ordering::Relaxed);
}
