//! Durations in words, for people who wait.

use crate::catalogue::say;
use std::time::Duration;

/// An approximate duration: `40 s`, `3 min`, `2 h 10 min`, `15 h`.
pub fn time_in_words(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..90 => say!("{seconds} s"),
        seconds @ 90..5_400 => say!("{} min", (seconds + 30) / 60),
        seconds @ 5_400..36_000 => {
            let minutes = (seconds + 30) / 60;
            say!("{} h {} min", minutes / 60, minutes % 60)
        }
        seconds => say!("{} h", (seconds + 1_800) / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_as_exactly_as_anybody_wants() {
        let times = [0, 89, 90, 200, 5_399, 5_400, 13_849, 36_000, 52_000];
        let told = times.map(|seconds| time_in_words(Duration::from_secs(seconds)));
        let expected = ["0 s", "89 s", "2 min", "3 min", "90 min", "1 h 30 min", "3 h 51 min", "10 h", "14 h"];
        assert_eq!(told, expected);
    }
}
