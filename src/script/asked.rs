//! Functions that rules may have, for the host to ask.
//!
//! To add one, add a row; the check, the help and the reference page read it here.

use crate::script::rules::VALUE;

/// A function that the host calls where the rules have it.
#[derive(Debug)]
pub struct AskedFunction {
    /// Its name.
    pub name: &'static str,
    /// What it is called with.
    pub parameters: &'static [&'static str],
    /// What it is for, in a few words.
    pub about: &'static str,
    /// What it gives and when it is called; the first paragraph is a sentence of its own.
    pub doc: &'static str,
    /// One, as it is written.
    pub example: &'static str,
}

/// Says whether the table is as it always has to be.
pub const INVARIANT: &str = "invariant";

/// Every such function.
pub const ASKED: &[AskedFunction] = &[
    AskedFunction {
    name: INVARIANT,
    parameters: &[],
    about: "whether the table is as it always has to be",
    doc: "Gives `true` while all is well, and else `false` or a sentence that says what is wrong.\n\n`houserule hunt` asks it \
          at every decision and at the end of each game, and tells you the shortest way to a table where it does not give \
          `true`. It only looks: what it changes, it changes on a copy. A variant that has one asks the layer below with \
          `super()`.",
    example: "fn invariant() {\n    if deck.len + players.sum_of(|p| p.hand.len) != 52 { return \"cards are missing\"; }\n    \
              true\n}",
    },
    AskedFunction {
        name: VALUE,
        parameters: &["p"],
        about: "how good the table is for a player",
        doc: "Gives a number: the higher, the better the table is for the player.\n\nAgents that look ahead go by it where \
              they cannot play to the end. Without it they go by what `standing` of game.toml adds to the score, or by the \
              score.",
        example: "fn value(p) { p.score + 2 * p.hand.len }",
    },
];

impl AskedFunction {
    /// How it is written: `invariant()`.
    pub fn usage(&self) -> String {
        format!("{}({})", self.name, self.parameters.join(", "))
    }
}

/// The function of that name that the host asks.
pub fn asked(name: &str) -> Option<&'static AskedFunction> {
    ASKED.iter().find(|asked| asked.name == name)
}
