//! The kinds of agents, and agents as a person types them.

use crate::agent::search::{Budget, MAX_ITERATIONS, MAX_MILLISECONDS};
use crate::agent::{Greedy, Random, Search};
use crate::diagnostic::{Diagnostic, Diagnostics, Message, message, unknown};
use crate::playthrough::observation::Agent;
use crate::work::Clock;
use std::fmt;
use std::time::Duration;

/// A kind of agent: its name, for lists, help and completion, and its budgets.
#[derive(Debug)]
pub struct AgentKind {
    /// The name that a person types.
    pub name: &'static str,
    /// The way it plays, in a few words.
    pub about: &'static str,
    /// Examples of budgets with their meaning; empty for an agent without budget.
    pub budgets: &'static [(&'static str, &'static str)],
    /// Parses an agent of this kind. A budget is passed only if [`budgets`](Self::budgets) has some.
    read: ReadAgent,
}

impl AgentKind {
    /// Whether it searches, and so estimates the value of options; agents with a budget do.
    pub fn searches(&self) -> bool {
        !self.budgets.is_empty()
    }
}

/// Parses an agent of a kind: the whole text, the budget in it, and a clock where times are allowed.
type ReadAgent = fn(&str, Option<&str>, Option<Clock>) -> Result<AgentSpec, Diagnostics>;

/// All kinds of agents, the weakest first.
pub const KINDS: &[AgentKind] = &[RANDOM, GREEDY, SEARCH];

const RANDOM: AgentKind = AgentKind {
    name: "random",
    about: "chooses at random, every option with the same chance",
    budgets: &[],
    read: |_, _, _| Ok(AgentSpec::Random),
};

const GREEDY: AgentKind = AgentKind {
    name: "greedy",
    about: "tries each option to the end of the turn, and takes the one after which its seat stands best",
    budgets: &[],
    read: |_, _, _| Ok(AgentSpec::Greedy),
};

const SEARCH: AgentKind = AgentKind {
    name: "search",
    about: "simulates the game over and over, and takes the option that it came back to most",
    budgets: &[
        ("search:500", "500 tries for each decision, as `search` alone; the same on every computer"),
        ("search:50ms", "50 milliseconds for each decision; what it chooses depends on the computer"),
    ],
    read: |text, budget, clock| match budget {
        Some(budget) => read_budget(text, budget, clock).map(AgentSpec::Search),
        None => Ok(AgentSpec::Search(Budget::Iterations(DEFAULT_ITERATIONS))),
    },
};

/// The default number of iterations of `search`.
const DEFAULT_ITERATIONS: u32 = 500;

/// The time `greedy` takes for a decision, in decisions of `random`.
const GREEDY_EFFORT: u64 = 10;

/// The size of a game, to estimate the time agents need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameSize {
    /// The number of decisions.
    pub decisions: u64,
    /// The total number of options in decisions with a choice.
    pub options: u64,
    /// The number of turns.
    pub turns: u64,
}

/// An agent as a person names it: its kind, with the budget if it takes one.
#[derive(Clone, Copy, Debug)]
pub enum AgentSpec {
    /// The random agent.
    Random,
    /// The greedy agent, which looks to the end of the turn.
    Greedy,
    /// The search agent.
    Search(Budget),
}

impl AgentSpec {
    /// Parses `random`, `greedy`, `search`, `search:500` or, with a clock, `search:50ms`. Without a clock, results are
    /// the same on every computer.
    ///
    /// # Errors
    /// The agent is unknown (with the nearest one); the budget is invalid or too large; or it is a time without a
    /// clock.
    pub fn parse(text: &str, clock: Option<Clock>) -> Result<Self, Diagnostics> {
        let (name, budget) = match text.split_once(':') {
            Some((name, budget)) => (name.trim(), Some(budget.trim())),
            None => (text.trim(), None),
        };
        let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else {
            return Err(unknown_agent(text, &[]).into());
        };
        if budget.is_some() && kind.budgets.is_empty() {
            let error = Diagnostic::new(message!("`{name}` takes no budget"));
            let help = message!("write `{name}` alone; `search:500` has a number of tries for each decision");
            return Err(error.help(help).into());
        }
        (kind.read)(text, budget, clock)
    }

    /// Creates the agent, with a seed for its own random numbers.
    pub fn agent(&self, seed: u64) -> Box<dyn Agent> {
        match *self {
            Self::Random => Box::new(Random::new(seed)),
            Self::Greedy => Box::new(Greedy::new(seed)),
            Self::Search(budget) => Box::new(Search::new(seed, budget)),
        }
    }

    fn kind(&self) -> &'static AgentKind {
        match self {
            Self::Random => &RANDOM,
            Self::Greedy => &GREEDY,
            Self::Search(_) => &SEARCH,
        }
    }

    /// The way it plays, in a few words.
    pub fn about(&self) -> &'static str {
        self.kind().about
    }

    /// The approximate time for a decision, in decisions of `random`.
    pub fn effort(&self) -> u64 {
        match self {
            Self::Random => 1,
            Self::Greedy => GREEDY_EFFORT,
            Self::Search(Budget::Iterations(tries)) => u64::from(*tries).max(GREEDY_EFFORT),
            Self::Search(Budget::Time(..)) => 1_000,
        }
    }

    /// The approximate number of decisions it makes and tries in a game of that size.
    pub fn effort_in(&self, game: GameSize) -> u64 {
        let GameSize { decisions, options, turns } = game;
        match self {
            Self::Random => decisions,
            // Each option is tried eight times to the end of the turn.
            Self::Greedy => options.saturating_mul(8).saturating_mul(decisions / turns.max(1)),
            // Each iteration plays to the end of the game, half a game on average.
            Self::Search(Budget::Iterations(tries)) => (decisions * decisions / 2).saturating_mul(u64::from(*tries)),
            Self::Search(Budget::Time(..)) => u64::MAX,
        }
    }

    /// Whether it chooses at random, and so can answer without seeing the game.
    pub fn is_random(&self) -> bool {
        matches!(self, Self::Random)
    }

    /// The search budget; `None` for agents that do not search.
    pub fn budget(&self) -> Option<Budget> {
        match self {
            Self::Random | Self::Greedy => None,
            Self::Search(budget) => Some(*budget),
        }
    }

    /// Whether its choices depend on the computer's speed.
    pub fn is_timed(&self) -> bool {
        matches!(self.budget(), Some(Budget::Time(..)))
    }
}

/// The error for an unknown agent, with the nearest known one or the nearest of `others`.
pub fn unknown_agent(text: &str, others: &[&str]) -> Diagnostic {
    let suffix = text.find(':').map_or("", |colon| &text[colon..]);
    let kinds = KINDS.iter().map(|kind| match kind.budgets {
        [] => kind.name.to_owned(),
        _ => format!("{}{suffix}", kind.name),
    });
    let known: Vec<String> = kinds.chain(others.iter().map(|&other| other.to_owned())).collect();
    unknown("agent", text, known.iter().map(String::as_str))
}

fn read_budget(text: &str, budget: &str, clock: Option<Clock>) -> Result<Budget, Diagnostics> {
    let examples = "write a number of tries, such as `search:500`, or milliseconds, such as `search:50ms`";
    let not_a_budget = || Diagnostic::new(message!("`{budget}` in `{text}` is not a budget")).help(examples);
    let (number, unit) = budget.split_at(budget.find(|c: char| !c.is_ascii_digit()).unwrap_or(budget.len()));
    let unit = unit.trim();
    if number.is_empty() || !["", "ms"].contains(&unit) {
        return Err(not_a_budget().into());
    }
    let most = if unit.is_empty() { MAX_ITERATIONS } else { MAX_MILLISECONDS };
    let what = Message::from(if unit.is_empty() { "tries" } else { "milliseconds" });
    // A number with too many digits to parse is too large.
    let number = match number.parse::<u32>() {
        Ok(0) => {
            let error = Diagnostic::new(message!("`{text}` gives no {what} to search in"));
            return Err(error.help("write at least 1; `random` does not search").into());
        }
        Ok(number) if number <= most => number,
        _ => {
            let error = Diagnostic::new(message!("`{text}` asks for too many {what}"));
            return Err(error.help(message!("at most {most} for each decision")).into());
        }
    };
    match (unit, clock) {
        ("", _) => Ok(Budget::Iterations(number)),
        (_, Some(clock)) => Ok(Budget::Time(Duration::from_millis(number.into()), clock)),
        (_, None) => Err(Diagnostic::new(message!("`{text}` depends on how fast the computer is"))
            .help("figures that can be repeated need a number of tries, such as `search:500`")
            .into()),
    }
}

impl fmt::Display for AgentSpec {
    /// The form that a person types, with the budget.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random | Self::Greedy => f.write_str(self.kind().name),
            Self::Search(Budget::Iterations(count)) => write!(f, "{}:{count}", SEARCH.name),
            Self::Search(Budget::Time(time, _)) => write!(f, "{}:{}ms", SEARCH.name, time.as_millis()),
        }
    }
}

impl PartialEq for AgentSpec {
    /// Agents written alike are equal, whatever their clocks.
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for AgentSpec {}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn clock() -> Duration {
        Duration::ZERO
    }

    #[test]
    fn agents_are_read_and_written_alike() {
        let pairs = [
            ("random", "random"),
            ("greedy", "greedy"),
            ("search", "search:500"),
            ("search:7", "search:7"),
            (" search : 50 ms ", "search:50ms"),
            ("search:1000000", "search:1000000"),
        ];
        for (typed, written) in pairs {
            let read = AgentSpec::parse(typed, Some(clock)).unwrap();
            assert_eq!(read.to_string(), written);
            assert_eq!(AgentSpec::parse(written, Some(clock)).unwrap(), read);
        }
    }

    #[test]
    fn what_is_no_agent_is_refused_with_what_to_write() {
        let cases = [
            ("serach:5", "there is no agent `serach:5`", "did you mean `search:5`?"),
            ("gredy", "there is no agent `gredy`", "did you mean `greedy`?"),
            ("", "there is no agent ``", "there are `random`, `greedy` and `search`"),
            ("search:0", "`search:0` gives no tries to search in", "at least 1"),
            ("search:0ms", "gives no milliseconds", "at least 1"),
            ("search:x", "`x` in `search:x` is not a budget", "`search:500`"),
            ("search:", "`` in `search:` is not a budget", "`search:500`"),
            ("search:-5", "`-5` in `search:-5` is not a budget", "`search:500`"),
            ("search:5s", "`5s` in `search:5s` is not a budget", "`search:50ms`"),
            ("search:1.5", "is not a budget", "`search:500`"),
            ("search:5:6", "`5:6` in", "`search:500`"),
            ("search:1000001", "asks for too many tries", "at most 1000000"),
            ("search:99999999999999999999", "asks for too many tries", "at most"),
            ("search:600001ms", "asks for too many milliseconds", "at most 600000"),
            ("random:5", "`random` takes no budget", "write `random` alone"),
            ("search:五", "is not a budget", "`search:500`"),
        ];
        for (typed, message, help) in cases {
            let told = AgentSpec::parse(typed, Some(clock)).unwrap_err().to_string();
            assert!(told.contains(message) && told.contains(help), "{typed}: {told}");
        }
        let told = AgentSpec::parse("search:50ms", None).unwrap_err().to_string();
        assert!(told.contains("how fast the computer is") && told.contains("search:500"), "{told}");
    }
}
