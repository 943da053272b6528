//! What has become of a saved game: whether it still comes out the same under the rules of today, and if not, where it
//! first goes another way and which line of which script says so.

use crate::diagnostic::Diagnostics;
use crate::playthrough::replay::{Replay, ReplayResult, SeatScore, course};
use crate::playthrough::{LeftOut, Misfit, Playable, Playthrough, number_in_log};
use crate::ruleset::Ruleset;
use crate::table::event::ScriptPoint;

/// A saved game that was run again.
#[derive(Clone, Debug)]
pub struct Rerun {
    /// What has become of it.
    pub fate: RerunOutcome,
    /// Whether it was saved under these very rules.
    pub same_rules: bool,
    /// What of its log was left out, because it answers settings that are not asked for.
    pub left_out: LeftOut,
    /// How many entries of its log were played.
    pub played: usize,
    /// The scores that it comes to.
    pub scores: Vec<i64>,
    /// Whether it is over.
    pub over: bool,
}

/// What has become of a saved game.
#[derive(Clone, Debug)]
pub enum RerunOutcome {
    /// It comes out as it did.
    Equal,
    /// Every move is still possible, and the scores or the end are others.
    OtherScores {
        /// Where the scores first differ, where the file tells how they came about.
        first: Option<Difference>,
    },
    /// A move is no longer possible.
    NoLongerFits {
        /// The move.
        misfit: Misfit,
        /// Where something else is asked instead.
        asked: Option<Rule>,
    },
    /// The rules could not go on.
    Failed {
        /// What the rules failed with.
        reason: Diagnostics,
        /// After how many moves.
        moves: usize,
    },
}

/// Where the course of the scores goes another way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub moves: usize,
    /// The number of the seat whose score differs.
    pub seat: usize,
    /// What it was in the saved game; nothing where it had not changed then.
    pub was: Option<i64>,
    /// What it is; nothing where it does not change now.
    pub is: Option<i64>,
    /// What makes it so; nothing where it does not change now, or was changed by hand.
    pub rule: Option<Rule>,
}

/// A line of a script, and the layer that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// `games/x/rules.rhai:31`.
    pub line: String,
    /// `game`, `variant double`.
    pub layer: String,
}

impl Rerun {
    /// Runs a saved game again.
    ///
    /// # Errors
    /// Somebody stopped the run.
    pub fn on(replay: &Replay, loaded: Playable) -> Result<Self, Diagnostics> {
        Self::with_game(replay, loaded).map(|(rerun, _)| rerun)
    }

    /// The same, with the game where it stands then.
    ///
    /// # Errors
    /// Somebody stopped the run.
    pub fn with_game(replay: &Replay, loaded: Playable) -> Result<(Self, Playthrough), Diagnostics> {
        let ruleset = loaded.ruleset.clone();
        let layout = loaded.layout.clone();
        let (playthrough, misfit) = Playthrough::start(loaded, replay.players, replay.seed, replay.log.clone())?;
        let (position, left_out) = (playthrough.position(), playthrough.left_out());
        let over = position.open.is_none() && position.failed.is_none();
        let rule = |at| Rule::at(&ruleset, at);
        let fate = if let Some(misfit) = misfit {
            let asked = misfit.at.and_then(rule);
            RerunOutcome::NoLongerFits { misfit, asked }
        } else if let Some(reason) = position.failed.clone() {
            RerunOutcome::Failed { reason, moves: position.events.last().map_or(0, |event| event.moves) }
        } else {
            let numbered = |(scored, at): (SeatScore, ScriptPoint)| {
                (SeatScore { moves: number_in_log(left_out, scored.moves), ..scored }, at)
            };
            let now: Vec<(SeatScore, ScriptPoint)> =
                course(&layout, &position.events).into_iter().map(numbered).collect();
            let saved = replay.result.as_ref();
            let first = saved.and_then(|result| first_difference(result.course.as_deref()?, &now, rule));
            let same = |result: &ReplayResult| result.over == over && result.scores == position.scores;
            let is_equal = first.is_none() && saved.is_none_or(same);
            if is_equal { RerunOutcome::Equal } else { RerunOutcome::OtherScores { first } }
        };
        let rerun = Self {
            fate,
            same_rules: ruleset.hash == replay.ruleset,
            left_out: left_out.to_vec(),
            played: playthrough.timeline().cursor(),
            scores: position.scores.clone(),
            over,
        };
        Ok((rerun, playthrough))
    }
}

impl Rule {
    /// The line at a point; nothing for what was done by hand.
    pub fn at(ruleset: &Ruleset, at: ScriptPoint) -> Option<Self> {
        Some(Self { line: ruleset.file_line(at)?, layer: ruleset.layer_in_words(at)? })
    }
}

/// The first place at which two courses differ. Where one has more changes than the other, that is the earlier of the
/// two that stand there.
fn first_difference(
    saved: &[SeatScore],
    now: &[(SeatScore, ScriptPoint)],
    rule: impl Fn(ScriptPoint) -> Option<Rule>,
) -> Option<Difference> {
    let same = saved.iter().zip(now).take_while(|(was, (is, _))| *was == is).count();
    let (was, is) = (saved.get(same).copied(), now.get(same).copied());
    let place = |scored: SeatScore| (scored.moves, scored.seat);
    let gone = |was: SeatScore| {
        Some(Difference { moves: was.moves, seat: was.seat, was: Some(was.score), is: None, rule: None })
    };
    match (was, is) {
        (None, None) => None,
        (Some(was), None) => gone(was),
        // At the same move another seat comes next: what came first then is gone.
        (Some(was), Some((is, _))) if place(was) != place(is) && was.moves <= is.moves => gone(was),
        (was, Some((is, at))) => {
            let was = was.filter(|was| place(*was) == place(is)).map(|was| was.score);
            Some(Difference { moves: is.moves, seat: is.seat, was, is: Some(is.score), rule: rule(at) })
        }
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.line, self.layer)
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "with move {} p{} ", self.moves, self.seat)?;
        match (self.was, self.is) {
            (Some(was), Some(is)) => write!(f, "comes to {is} instead of {was}")?,
            (None, Some(is)) => write!(f, "comes to {is}, and scored nothing there before")?,
            (was, None) => write!(f, "came to {}, and scores nothing there now", was.unwrap_or_default())?,
        }
        self.rule.as_ref().map_or(Ok(()), |rule| write!(f, ", by {rule}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(list: &[(usize, usize, i64)]) -> Vec<SeatScore> {
        list.iter().copied().map(SeatScore::from).collect()
    }

    /// The difference in words; each point's line stands for its rule.
    fn told(saved: &[(usize, usize, i64)], now: &[(usize, usize, i64)]) -> String {
        let now = scored(now).into_iter().zip(1..).map(|(scored, line)| (scored, ScriptPoint { line, column: 1 }));
        let rule = |at: ScriptPoint| Some(Rule { line: format!("a:{}", at.line), layer: "game".to_owned() });
        let difference = first_difference(&scored(saved), &now.collect::<Vec<_>>(), rule);
        difference.map_or_else(|| "none".to_owned(), |difference| difference.to_string())
    }

    #[test]
    fn the_first_difference_is_told() {
        let saved = [(3, 1, 2), (9, 1, 4), (9, 2, 1)];
        assert_eq!(told(&saved, &saved), "none");
        let other = [(3, 1, 2), (9, 1, 5), (9, 2, 2)];
        assert_eq!(told(&saved, &other), "with move 9 p1 comes to 5 instead of 4, by a:2 (game)");
        assert_eq!(told(&saved, &saved[..1]), "with move 9 p1 came to 4, and scores nothing there now");
        assert_eq!(told(&saved, &[saved[0], saved[2]]), "with move 9 p1 came to 4, and scores nothing there now");
        let more = [(3, 1, 2), (5, 2, 7), (9, 1, 4)];
        let words = "with move 5 p2 comes to 7, and scored nothing there before, by a:2 (game)";
        assert_eq!(told(&saved, &more), words);
        assert_eq!(told(&saved[..1], &more), words);
    }
}
