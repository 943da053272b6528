//! Games written in plain Rust, as fast as their rules allow: the limit that scripted rules are measured against.
//!
//! Nothing here knows tables, zones or questions. What a game shares with its script is the deal and the choices: the
//! same seed gives the same cards, the same options in the same order, and so the same scores.

pub mod ftw;
pub mod up_or_down;

use houserule::table::chance::Stream;

/// A game for a fixed number of seats.
pub trait Hardcoded {
    /// Plays one game with random choices, and gives the number of its decisions. Memory is kept for the next game.
    fn play(&mut self, seed: u64) -> usize;

    /// The scores of the last game, in seat order.
    fn scores(&self) -> &[i64];
}

/// Chooses exactly as [`houserule::agent::Random`] does.
struct RandomChoices {
    stream: Stream,
    made: usize,
}

impl RandomChoices {
    fn new(seed: u64) -> Self {
        Self { stream: Stream::named(seed, "random agent", 0), made: 0 }
    }

    /// One of so many options; a forced choice is a decision too.
    fn choose(&mut self, options: usize) -> usize {
        self.made += 1;
        self.stream.below(options)
    }

    /// Exactly `count` of the options, which come to stand first.
    fn choose_some<'o, T>(&mut self, options: &'o mut [T], count: usize) -> &'o [T] {
        self.made += 1;
        self.stream.shuffle(options);
        &options[..count]
    }
}
