//! What several rooms of tests need.

pub mod golden_games;
pub mod hostile_files;
pub mod places;
pub mod programs;
pub mod small_game;
pub mod surroundings;
pub mod threads;
