//! Who answers for a seat when no person does.
//!
//! Every sort of agent stands in [`KINDS`]. From there come the command that seats them, its completion, and the command
//! line.

mod company;
mod lookahead;
mod random;

pub use company::Company;
pub use lookahead::Lookahead;
pub use random::Random;

use crate::diagnostic::{Diagnostics, unknown};
use crate::playthrough::observation::Agent;

/// A sort of agent.
#[derive(Debug)]
pub struct AgentKind {
    /// What it is called where one is chosen.
    pub name: &'static str,
    /// How it plays, in a few words.
    pub about: &'static str,
    /// One with a seed for its own chance.
    pub new: fn(seed: u64) -> Box<dyn Agent>,
}

/// Every sort of agent.
pub const KINDS: &[AgentKind] = &[
    AgentKind {
        name: "random",
        about: "chooses at random, every option with the same chance",
        new: |seed| Box::new(Random::new(seed)),
    },
    AgentKind {
        name: "lookahead",
        about: "tries each option to the end of the turn, and takes the one that scores best",
        new: |seed| Box::new(Lookahead::new(seed)),
    },
];

/// The sort of agent of that name.
///
/// # Errors
/// There is none, with the nearest, or all of them.
pub fn named(name: &str) -> Result<&'static AgentKind, Diagnostics> {
    let found = KINDS.iter().find(|kind| kind.name == name);
    found.ok_or_else(|| unknown("agent", name, KINDS.iter().map(|kind| kind.name)).into())
}
