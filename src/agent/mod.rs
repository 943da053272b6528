//! Who answers for a seat when no person does: so far, somebody who chooses at random.

pub mod random;

pub use random::Random;
