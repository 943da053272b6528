//! Tests for information leaks: whether a seat can infer hidden information from what it sees, is told and is asked.
//!
//! A game of random choices is played twice. The first game is recorded. In the second, hidden information is changed
//! before each decision: faces unknown to the asked seat are swapped, and hidden dice are turned, so that the rules go
//! on from a table that looks the same to that seat. The seat must then see, be told and be asked the same. After its
//! answer, the table is restored to that of the first game.
//!
//! Faces are swapped *late*, after the last change before a decision, so that only the question can depend on them; or
//! *early*, right after the previous answer, so that everything in between can. Points tell everybody something about
//! the cards they are for, so nothing is swapped early where points were awarded.
//!
//! Then single secret choices are changed, which the seat asked next must not notice. Finally, marks, notes and
//! standings on the table must be the same on tables that look the same to a seat.

mod choices;
mod first;
mod swapped;
mod texts;

use crate::agent::Random;
use crate::catalogue::{Message, message};
use crate::definition::Visibility;
use crate::diagnostic::Diagnostics;
use crate::script::rules::Rules;
use crate::script::{End, Start};
use crate::table::Recording;
use crate::table::chance::Stream;
use crate::table::event::ScriptPoint;
use crate::table::knowledge::InformationLeak;
use crate::table::value::Seat;
use first::Recorder;
use std::ops::AddAssign;
use swapped::SwappedAgent;

/// The most decisions of a game that are tested.
const MAX_TESTED_DECISIONS: usize = 1_500;

/// The most secret choices changed in a game, and the most moments whose texts are compared.
const MAX_SAMPLES_PER_GAME: usize = 8;

/// The numbers of comparisons without a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeakCounts {
    /// Whether anything in the game is hidden from anybody.
    pub has_secrets: bool,
    /// The number of comparisons of a seat's view of a table with and without swapped faces.
    pub views: usize,
    /// The number of decisions reached with faces swapped right after the previous decision.
    pub early: usize,
    /// The number of decisions reached with faces swapped right after the last change before them.
    pub late: usize,
    /// The number of secret choices changed.
    pub choices: usize,
    /// The number of moments at which marks, notes and standings were compared.
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

/// An information leak: a difference by which a seat can infer what it does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// The seat that can tell.
    pub seat: Seat,
    /// The number of the decision at which it can.
    pub decision: usize,
    /// The prompt of that decision.
    pub prompt: String,
    /// The difference.
    pub what: InformationLeak,
    /// The place in the rules that causes it; line 0 where there is none.
    pub at: ScriptPoint,
}

impl From<&Leak> for Message {
    fn from(leak: &Leak) -> Self {
        let Leak { seat, decision, prompt, what: InformationLeak { kind, was, would_be }, .. } = leak;
        let verb: Message = if matches!(*kind, "question" | "log" | "view") { "is" } else { "are" }.into();
        let kind: Message = if *kind == "texts" { "texts on the table" } else { kind }.into();
        Self::joined([
            message!(
                "{seat} can tell what {seat} does not know: at move {decision}, {prompt}, the {kind} {verb} {was}, "
            ),
            message!("and would be {would_be} if what is hidden were different"),
        ])
    }
}

impl std::fmt::Display for Leak {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Message::from(self).fmt(f)
    }
}

/// Why a leak test ended early.
#[derive(Clone, Debug, PartialEq)]
pub enum LeakTestStop {
    /// A leak was found.
    Leak(Box<Leak>),
    /// The rules failed.
    Failed(Diagnostics),
}

/// Tests a game of random choices for leaks, and returns the numbers of comparisons.
///
/// # Errors
/// A leak was found, or the rules failed.
pub fn hunt(rules: &Rules, seed: u64) -> Result<LeakCounts, LeakTestStop> {
    let layout = rules.layout().clone();
    let (agent, stream) = (Random::new(seed), Stream::named(seed, "views", 0));
    let mut writer = Recorder { agent, moments: Vec::new(), views: 0, leak: None, stream, told: 0 };
    end_result(rules.play(&Start::Game, seed, &mut writer, Some(Recording::default())).1)?;
    let Recorder { moments, views, leak, .. } = writer;
    leak_result(leak)?;
    let is_hidden = |visible| visible != Visibility::All;
    let has_secrets = layout.zones.iter().any(|zone| is_hidden(zone.visible))
        || layout.definition.variables.iter().any(|variable| is_hidden(variable.visible))
        || moments.iter().any(|moment| moment.asked.heard.is_secret || moment.asked.heard.together.is_some());
    let mut compared = LeakCounts { has_secrets, views, ..LeakCounts::default() };

    let mut swapper = SwappedAgent::new(seed, &moments);
    let (_, end) = rules.play(&Start::Game, seed, &mut swapper, Some(Recording::default()));
    leak_result(swapper.leak)?;
    end_result(end)?;
    (compared.early, compared.late) = (swapper.early, swapper.late);

    compared.choices = choices::hunt(rules, seed, &moments)?;
    compared.texts = texts::hunt(rules, seed, &moments)?;
    Ok(compared)
}

fn leak_result(leak: Option<Leak>) -> Result<(), LeakTestStop> {
    leak.map_or(Ok(()), |leak| Err(LeakTestStop::Leak(Box::new(leak))))
}

fn end_result(end: End) -> Result<(), LeakTestStop> {
    match end {
        End::Finished | End::Halted(_) => Ok(()),
        End::Failed(diagnostic) | End::Endless(diagnostic) => Err(LeakTestStop::Failed(diagnostic)),
    }
}
