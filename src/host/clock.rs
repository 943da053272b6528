//! The host's monotonic clock.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The time since the first call of this function.
pub fn now() -> Duration {
    FIRST.elapsed()
}
