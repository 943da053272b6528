//! Trials of cases, and tests whether a case reproduces a fault.

use super::case::{Case, Choice, Tail};
use super::compiled::{CompiledRules, Refusal};
use super::generate::{KEEP_PLAYERS, Task};
use super::play::{CaseResult, Fault, Outcome, PlayOptions, play_until};
use super::reduce::Reproduction;
use super::{FindKind, HuntContext};
use crate::diagnostic::{Diagnostic, Diagnostics, Message};
use crate::inspect::leaks::{self, LeakTestStop};
use crate::script::error_messages::is_thrown;
use std::sync::atomic::Ordering;

/// The number of decisions after which a tail of first or last options goes on at random.
const MAX_UNIFORM_TAIL_DECISIONS: usize = 400;

/// The number of decisions after which a tail of agents goes on at random, since each costs as much as many random
/// ones.
const MAX_AGENT_TAIL_DECISIONS: usize = 32;

/// The result of a task.
#[derive(Default)]
pub(super) struct TrialResult {
    pub(super) case: Case,
    pub(super) refusal: Option<Refusal>,
    pub(super) fault: Option<Fault>,
    pub(super) moves: usize,
    pub(super) choices: Vec<Choice>,
    /// The number of choices after which only recurring questions were asked.
    pub(super) progress: usize,
    pub(super) reached: Vec<u64>,
    pub(super) outcome: Option<Outcome>,
    /// A leak with its game and the number of moves.
    pub(super) leak: Option<(Fault, Case, usize)>,
    pub(super) is_cut: bool,
}

impl HuntContext<'_> {
    /// Tries a case; `None` where the work was stopped or time ran out.
    pub(super) fn tried(&self, task: &Task) -> Option<TrialResult> {
        let mut case = task.case.clone();
        let refused = |case: Case, refusal: Refusal| TrialResult { case, refusal: Some(refusal), ..Default::default() };
        let ruleset = match self.cache.ruleset(self.library, &case, &self.plan.game) {
            Ok(ruleset) => ruleset,
            Err(_) => return Some(refused(case, Refusal::Layers)),
        };
        let (fewest, most) = ruleset.definition.players;
        case.players = match (self.plan.players, task.players) {
            (Some(players), _) => players,
            (None, KEEP_PLAYERS) => case.players.clamp(fewest, most),
            (None, number) => fewest + number % (most - fewest + 1),
        };
        if ruleset.check_players(case.players).is_err() {
            return Some(refused(case, Refusal::Layers));
        }
        let compiled = match self.compiled(&case) {
            Ok(compiled) => compiled,
            Err(_) if self.work.is_stopped() => return None,
            Err(refusal) => return Some(refused(case, refusal)),
        };
        if !compiled.keeps {
            case.before = 0;
        }
        // Only random choices prove that a game has no end, so every tail finally becomes random.
        let by_ending = match case.tail {
            Tail::Random(_) => None,
            Tail::First | Tail::Last => Some(MAX_UNIFORM_TAIL_DECISIONS),
            Tail::Agents(..) => Some(MAX_AGENT_TAIL_DECISIONS),
        };
        let looks = PlayOptions {
            by_ending,
            most: self.plan.longest.map(|longest| longest + case.choices.len() + by_ending.unwrap_or_default()),
            cut_is_endless: self.plan.longest.is_some(),
            reached: true,
            outcome: task.is_plain,
            asked: true,
            log: false,
        };
        let played = play_until(&compiled, &case, looks, self.until.is_over);
        if played.is_stopped || self.work.is_stopped() {
            return None;
        }
        if played.fault.as_ref().is_some_and(|fault| self.refuses(&case, played.moves, &fault.diagnostics)) {
            return Some(refused(case, Refusal::Layers));
        }
        let leak = task.leaks.then(|| self.leak(&compiled, &case)).flatten().filter(|_| !self.work.is_stopped());
        let CaseResult { fault, moves, choices, reached, outcome, is_cut, progress, .. } = played;
        // Repetition is useless for mutation.
        let is_endless = is_cut || fault.as_ref().is_some_and(|fault| fault.kind == FindKind::Endless);
        let progress = if is_endless { progress } else { choices.len() };
        Some(TrialResult { case, refusal: None, fault, moves, choices, progress, reached, outcome, leak, is_cut })
    }

    /// Whether rules that failed after `moves` moves did so on purpose: they refused a setting of the hunt before
    /// anybody was asked.
    pub(super) fn refuses(&self, case: &Case, moves: usize, errors: &Diagnostics) -> bool {
        moves == 0 && is_thrown(errors) && case.set.iter().any(|set| !self.plan.set.contains(set))
    }

    /// Tests a game of random choices for a leak.
    fn leak(&self, compiled: &CompiledRules, case: &Case) -> Option<(Fault, Case, usize)> {
        let case = Case { before: 0, choices: Vec::new(), tail: Tail::Random(case.seed), ..case.clone() };
        let (fault, moves) = leak_of(compiled, case.seed)?;
        Some((fault, case, moves))
    }

    /// Tests whether a case reproduces a fault within `most` moves; `None` after a stop, since a game that was broken
    /// off proves nothing.
    pub(super) fn shows(&self, kind: FindKind, key: &str, case: &Case, most: usize) -> Option<Reproduction> {
        let is_late = || self.is_late();
        if is_late() { None } else { self.is_shown(kind, key, case, most).filter(|_| !is_late()) }
    }

    fn is_shown(&self, kind: FindKind, key: &str, case: &Case, most: usize) -> Option<Reproduction> {
        let compiled = self.compiled(case).ok()?;
        let same = |fault: &Fault| fault.kind == kind && fault.key == key;
        match kind {
            FindKind::Leak => {
                if !case.choices.is_empty() || case.tail != Tail::Random(case.seed) {
                    return None;
                }
                let (fault, decision) = leak_of(&compiled, case.seed)?;
                self.spent.fetch_add(decision as u64, Ordering::Relaxed);
                (same(&fault) && decision <= most).then_some(Reproduction { moves: decision, written: None })
            }
            FindKind::Endless => {
                // It must be endless with random choices too: with first options alone, players may go round without
                // need.
                if !matches!(case.tail, Tail::Random(_)) {
                    return None;
                }
                let (moves, choices) = self.endless_from(&compiled, case)?;
                let rest = Case { choices: choices.clone(), tail: Tail::Random(1), ..case.clone() };
                let is_written = rest.choices == case.choices && rest.tail == case.tail;
                let holds = is_written || self.endless_from(&compiled, &rest).is_some();
                holds.then_some(Reproduction { moves, written: Some((choices, Tail::Random(1))) })
            }
            _ => {
                let most = Some(most).filter(|most| *most != usize::MAX).or(self.plan.longest);
                let played =
                    play_until(&compiled, case, PlayOptions { most, ..PlayOptions::default() }, self.until.is_late);
                self.spent.fetch_add(played.moves as u64, Ordering::Relaxed);
                let fault = played.fault?;
                same(&fault)
                    .then_some(Reproduction { moves: played.moves, written: Some((played.choices, Tail::First)) })
            }
        }
    }

    /// The point from which a case repeats questions without end: the number of moves, and the choices up to there.
    /// `None` where the game ends.
    fn endless_from(&self, compiled: &CompiledRules, case: &Case) -> Option<(usize, Vec<Choice>)> {
        let most = Some(self.bound());
        let looks = PlayOptions { most, cut_is_endless: true, asked: true, ..PlayOptions::default() };
        let played = play_until(compiled, case, looks, self.until.is_late);
        self.spent.fetch_add(played.moves as u64, Ordering::Relaxed);
        if played.fault?.kind != FindKind::Endless {
            return None;
        }
        let mut choices = played.choices;
        choices.truncate(played.progress);
        Some((played.progress, choices))
    }

    /// The length above which a game counts as endless while cases are compared: much longer than any that ended.
    pub(super) fn bound(&self) -> usize {
        let ended = self.longest_ended.load(Ordering::Relaxed);
        (8 * ended).max(4_000).min(self.plan.longest.unwrap_or(usize::MAX))
    }
}

/// The leak of a game of random choices, and the number of moves after which it shows.
pub(super) fn leak_of(compiled: &CompiledRules, seed: u64) -> Option<(Fault, usize)> {
    let rules = &compiled.playable.rules;
    let Err(LeakTestStop::Leak(leak)) = leaks::hunt(rules, seed) else { return None };
    let ruleset = rules.ruleset();
    let place = ruleset.place(leak.at, leak.what.kind);
    let error = Diagnostic::new(Message::from(&*leak)).at_maybe(place).help(
        "a rule may show, ask or do only what depends on things that everybody concerned knows: let it first show what \
         it depends on (`reveal`, `show_to`, `show_choice`), or ask in another way",
    );
    let diagnostics: Diagnostics = error.into();
    let key = format!("{} at {}", leak.what.kind, ruleset.file_line(leak.at).unwrap_or_else(|| leak.prompt.clone()));
    Some((Fault { kind: FindKind::Leak, key, diagnostics }, leak.decision.saturating_sub(1)))
}
