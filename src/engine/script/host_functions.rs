//! Optional functions of the rules that the host calls: `invariant`, `value`, `policy` and `doubt`.
//!
//! To add one, add a row to [`HOST_FUNCTIONS`]; the check, the help and the reference page are made from it.

/// A function that the host calls if the rules define it.
#[derive(Debug)]
pub struct HostFunction {
    /// Name of the function.
    pub name: &'static str,
    /// Names of the parameters.
    pub parameters: &'static [&'static str],
    /// The purpose in a few words.
    pub about: &'static str,
    /// The result and when the host calls the function, in Markdown; the first paragraph is one sentence.
    pub doc: &'static str,
    /// An example definition in Rhai.
    pub example: &'static str,
}

/// Name of the function that tells whether the table is in a valid state.
pub const INVARIANT: &str = "invariant";

/// Name of the function that rates the table for a player.
pub const VALUE: &str = "value";

/// Name of the function that tells which options are worth trying.
pub const POLICY: &str = "policy";

/// Name of the function that tells how badly the hidden cards of a player fit what the player did.
pub const DOUBT: &str = "doubt";

/// Every function that the host calls if the rules define it.
pub const HOST_FUNCTIONS: &[HostFunction] = &[
    HostFunction {
        name: INVARIANT,
        parameters: &[],
        about: "whether the table is in a valid state",
        doc: "Gives `true` if all is well, otherwise `false` or a sentence that says what is wrong.\n\n`houserule \
                hunt` calls it at every decision and at the end of each game, and shows you the shortest way to a \
                table where it does not give `true`. It runs on a copy of the table, so it changes nothing. If a \
                variant has one, it calls the one below with `super()`.",
        example: "fn invariant() {\n    if deck.len + players.sum_of(|p| p.hand.len) != 52 { return \"cards are missing\"; }\n    \
              true\n}",
    },
    HostFunction {
        name: VALUE,
        parameters: &["p"],
        about: "how good the table is for a player",
        doc: "Gives a number: the higher, the better the table is for the player.\n\n`greedy` and `search` use it \
                where a simulated game is not over. Without it, they use the score plus what `standing` of game.toml \
                adds, or only the score.",
        example: "fn value(p) { p.score + 2 * p.hand.len }",
    },
    HostFunction {
        name: POLICY,
        parameters: &["p", "prompt", "options"],
        about: "which options of a decision are worth trying",
        doc: "Gives one of the options, which agents that search then choose most of the time in their simulated \
                games; or a list with a weight for each option, from 0: an option of weight 6 is tried twice as often \
                as one of weight 3, and at its own decision an agent prefers no option more than 16 times over another. \
                An empty list, or one of zeros, means at random.\n\nIt is called very often, so keep it short. It \
                only guides the search: the agent starts from these options, and chooses another when enough \
                simulated games show it to be better. All players go by it in those, so bad advice makes the agent \
                weaker. It sees the whole table, but in a simulated game, what the player does not know is drawn at \
                random.",
        example: "fn policy(p, prompt, options) {\n    if prompt == \"play_card\" { options.min(\"rank\") } else { [] }\n}",
    },
    HostFunction {
        name: DOUBT,
        parameters: &["p"],
        about: "how badly the cards of a player fit what that player did",
        doc: "Gives a number: 0 if what the player holds fits everything that the player did so far; the worse it \
                fits, the higher.\n\nAn agent that searches draws at random what it cannot know. If the rules have \
                this function, it then swaps hidden components and rolls hidden dice as long as that lowers the \
                numbers of the other players. So it knows what an attentive player knows: a player who asks for a rank has a card of it, \
                one who does not follow suit has none. The rules keep what everybody could see in variables. It is \
                called very often, so keep it short.",
        example: "fn doubt(p) { p.hand.where(|card| p.voids.contains(card.suit)).len }",
    },
];

impl HostFunction {
    /// The call as written, with parameter names: `value(p)`.
    pub fn usage(&self) -> String {
        format!("{}({})", self.name, self.parameters.join(", "))
    }
}

/// The entry of [`HOST_FUNCTIONS`] with a name; `None` where there is none.
pub fn host_function(name: &str) -> Option<&'static HostFunction> {
    HOST_FUNCTIONS.iter().find(|asked| asked.name == name)
}
