//! Proven outcomes of two-player games without hidden information and randomness, under perfect play (Winands,
//! Björnsson, Saito 2008, *Monte-Carlo Tree Search Solver*).
//!
//! A game that ended within the tree is known. A player with a winning option has won; where every option is known, the
//! best one counts. So proofs grow from the ends of the tree towards its root, while mean results would take very many
//! iterations to converge.

use crate::agent::search::tree::{Child, Node, Tree};
use crate::table::value::Seat;

/// The proven outcome of a game for one of two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Proof {
    Lost,
    Drawn,
    Won,
}

impl Proof {
    /// The outcome for a seat with this share of the win.
    pub(super) fn of(share: f64) -> Self {
        match share {
            0.0 => Self::Lost,
            1.0 => Self::Won,
            _ => Self::Drawn,
        }
    }

    /// The outcome for the opponent.
    fn other(self) -> Self {
        match self {
            Self::Lost => Self::Won,
            Self::Drawn => Self::Drawn,
            Self::Won => Self::Lost,
        }
    }

    /// The share of the win: 0, 1/2 or 1.
    pub(super) fn share(self) -> f64 {
        match self {
            Self::Lost => 0.0,
            Self::Drawn => 0.5,
            Self::Won => 1.0,
        }
    }
}

/// The option to choose. Of the unproven ones that is the most visited. A proven one is taken instead if it is a win,
/// or a draw and the unproven one has not been shown to be better.
pub(super) fn best<'a>(children: &[&'a Child]) -> Option<&'a Child> {
    let (known, unknown): (Vec<_>, Vec<_>) = children.iter().copied().partition(|child| child.proof.is_some());
    let by_value = |one: &&Child, other: &&Child| one.mean().total_cmp(&other.mean());
    let known = known.into_iter().max_by(|one, other| one.proof.cmp(&other.proof).then(by_value(one, other)));
    let unknown = unknown.into_iter().max_by(|one, other| one.visits.cmp(&other.visits).then(by_value(one, other)));
    let (Some(safe), Some(open)) = (known, unknown) else { return known.or(unknown) };
    let is_better = match safe.proof {
        Some(Proof::Won) => false,
        Some(Proof::Drawn) => open.is_shown_above(Proof::Drawn.share()),
        Some(Proof::Lost) | None => true,
    };
    Some(if is_better { open } else { safe })
}

impl Node {
    /// The proven outcome for the seat that decides here; `None` if unknown.
    pub(super) fn proof(&self) -> Option<Proof> {
        let proofs = || self.children.iter().map(|child| child.proof);
        if proofs().any(|proof| proof == Some(Proof::Won)) {
            return Some(Proof::Won);
        }
        // An unproven option leaves the outcome open.
        proofs().max().flatten().filter(|_| self.is_solved())
    }

    /// Whether every option is proven.
    fn is_solved(&self) -> bool {
        self.there == self.children.len() && self.children.iter().all(|child| child.proof.is_some())
    }
}

impl Tree {
    /// Records that this iteration's game certainly ends with `proof` for a seat, and what follows for the decisions on
    /// the way.
    pub(super) fn prove(&mut self, seat: Option<Seat>, proof: Proof) {
        let mut known = (seat, proof);
        for step in self.steps.iter().rev() {
            let Some(node) = self.nodes.get_mut(step.node as usize) else { return };
            let own = if step.seat == known.0 { known.1 } else { known.1.other() };
            let Some(child) = node.children.get_mut(step.child as usize) else { return };
            child.proof = Some(own);
            let Some(proof) = node.proof() else { return };
            known = (step.seat, proof);
        }
    }

    /// Whether every option of the first decision is proven.
    pub(super) fn is_solved(&self) -> bool {
        self.first().is_some_and(Node::is_solved)
    }
}
