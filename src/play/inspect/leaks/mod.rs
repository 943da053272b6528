//! Whether a seat can tell, from what it sees, is told and is asked, what it does not know.
//!
//! A game of random choices is played twice. The first time everything is written down. The second time the table is
//! another one before each decision: faces that the asked seat does not know are swapped, and dice that it does not see
//! show something else, so that the rules go on from a table that is the same to that seat. The seat must then see the
//! same, be told the same and be asked the same. When it has answered, the table is put back as it was the first time.
//!
//! Faces are swapped *late*, after the last change before a decision, so that nothing but the question can rest on
//! them; or *early*, as soon as the decision before has been answered, so that all that happens in between can. Points
//! tell everybody something about the cards that they are for, so where some were awarded nothing is swapped early.
//!
//! Then single secret choices are made otherwise, and who is asked next must not notice. Last, the marks, notes and
//! standings that the table shows must be the same on a table that is the same to a seat.

mod choices;
mod first;
mod swapped;
mod texts;

use crate::agent::Random;
use crate::definition::Visibility;
use crate::diagnostic::Diagnostics;
use crate::script::rules::Rules;
use crate::script::{End, Start};
use crate::table::Recording;
use crate::table::chance::Stream;
use crate::table::event::ScriptPoint;
use crate::table::knowledge::Clue;
use crate::table::value::Seat;
use first::{FirstGame, Moment, Recorder};
use std::cell::RefCell;
use std::ops::AddAssign;
use std::rc::Rc;
use swapped::{SwappedAgent, Swaps};

/// Longer games are looked at as far as this.
const MOST_DECISIONS: usize = 1_500;

/// Of a game, so many secret choices are made otherwise, and the texts of so many moments are compared.
const MOST_SAMPLES: usize = 8;

/// How much was compared without a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeakCounts {
    /// Whether anything in the game is hidden from anybody.
    pub has_secrets: bool,
    /// How often a table and the same with swapped faces were looked at by a seat.
    pub views: usize,
    /// How many decisions were reached with faces swapped right after the decision before.
    pub early: usize,
    /// How many with faces swapped right after the last change before the decision.
    pub late: usize,
    /// How many secret choices were made otherwise.
    pub choices: usize,
    /// How many moments had their marks, notes and standings compared.
    pub texts: usize,
}

impl AddAssign for LeakCounts {
    fn add_assign(&mut self, other: Self) {
        self.has_secrets |= other.has_secrets;
        self.views += other.views;
        self.early += other.early;
        self.late += other.late;
        self.choices += other.choices;
        self.texts += other.texts;
    }
}

/// Something by which a seat can tell what it does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// The seat that can tell.
    pub seat: Seat,
    /// The number of the decision at which it can.
    pub decision: usize,
    /// What is asked there.
    pub prompt: String,
    /// What differs.
    pub what: Clue,
    /// Where in the rules it comes from; line 0 where it has no place.
    pub at: ScriptPoint,
}

impl std::fmt::Display for Leak {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { seat, decision, prompt, what: Clue { kind, was, would_be }, .. } = self;
        let verb = if matches!(*kind, "question" | "log" | "view") { "is" } else { "are" };
        let kind = if *kind == "texts" { "texts on the table" } else { kind };
        write!(
            f,
            "{seat} can tell what {seat} does not know: at move {decision}, {prompt}, the {kind} {verb} {was}, "
        )?;
        write!(f, "and would be {would_be} if what is hidden were different")
    }
}

/// Why a game could not be compared to its end.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// A seat can tell what it does not know.
    Leak(Box<Leak>),
    /// The rules could not go on.
    Failed(Diagnostics),
}

/// Plays a game of random choices, and gives what was compared or the first difference.
///
/// # Errors
/// A seat can tell what it does not know; the rules fail.
pub fn hunt(rules: &Rules, seed: u64) -> Result<LeakCounts, Trouble> {
    let layout = rules.layout().clone();
    let record = Rc::new(RefCell::new(FirstGame::default()));
    let stream = Stream::named(seed, "views", 0);
    let mut writer = Recorder { agent: Random::new(seed), record: record.clone(), stream, told: 0 };
    ended(rules.play(&Start::Game, seed, &mut writer, Some(Recording::default())).1)?;
    let FirstGame { moments, views, leak } = record.take();
    found(leak)?;
    let moments: Rc<[Moment]> = moments.into();
    let is_hidden = |visible| visible != Visibility::All;
    let has_secrets = layout.zones.iter().any(|zone| is_hidden(zone.visible))
        || layout.definition.variables.iter().any(|variable| is_hidden(variable.visible))
        || moments.iter().any(|moment| moment.asked.heard.is_secret || moment.asked.heard.together.is_some());
    let mut compared = LeakCounts { has_secrets, views, ..LeakCounts::default() };

    let swaps = Rc::new(RefCell::new(Swaps::new(moments.clone(), Stream::named(seed, "early", 0).below(2) == 1)));
    let stream = Stream::named(seed, "swapped faces", 0);
    let mut swapper = SwappedAgent { agent: Random::new(seed), swaps: swaps.clone(), stream };
    let (_, end) = rules.play(&Start::Game, seed, &mut swapper, Some(Recording::default()));
    let swaps = swaps.take();
    found(swaps.leak)?;
    ended(end)?;
    (compared.early, compared.late) = (swaps.early, swaps.late);

    compared.choices = choices::hunt(rules, seed, &moments)?;
    compared.texts = texts::hunt(rules, seed, &moments)?;
    Ok(compared)
}

fn found(leak: Option<Leak>) -> Result<(), Trouble> {
    leak.map_or(Ok(()), |leak| Err(Trouble::Leak(Box::new(leak))))
}

fn ended(end: End) -> Result<(), Trouble> {
    match end {
        End::Finished | End::Halted(_) => Ok(()),
        End::Failed(diagnostic) | End::Endless(diagnostic) => Err(Trouble::Failed(diagnostic)),
    }
}
