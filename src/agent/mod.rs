//! Who answers for a seat when no person does.

pub mod random;

pub use random::Random;
