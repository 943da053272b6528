//! Who answers for a seat when no person does.
//!
//! Every sort of agent stands in [`KINDS`], and [`AgentSpec`] reads what a person types for one: `random`, `search:500`.
//! From there come the command that seats them, its completion, and the command line.

mod greedy;
mod random;
pub mod search;
mod seated;
mod spec;

pub use greedy::Greedy;
pub use random::Random;
pub use search::Search;
pub use seated::SeatedAgents;
pub use spec::{AgentKind, AgentSpec, GameSize, KINDS, unknown_agent};
