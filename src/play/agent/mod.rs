//! Agents: programs that play for a seat.
//!
//! [`KINDS`] lists all kinds of agents, and [`AgentSpec`] parses what a person types: `random`, `search:500`. The
//! command that seats agents, its completion, and the command line are derived from these.

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
