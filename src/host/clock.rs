//! The time that passes on this computer.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);

/// How long it is since somebody asked first.
pub fn now() -> Duration {
    FIRST.elapsed()
}
