//! Regression check of a saved game: whether it has the same result under the current rules, and if not, where it first
//! differs and which line of which script causes that.

use crate::diagnostic::{Diagnostics, Message, message};
use crate::playthrough::replay::{Replay, ReplayResult, SeatScore, course};
use crate::playthrough::{Misfit, Playable, Playthrough, SkippedEntries, number_in_log};
use crate::ruleset::Ruleset;
use crate::table::event::ScriptPoint;

/// The result of running a saved game again.
#[derive(Clone, Debug)]
pub struct Rerun {
    /// How the result compares with the saved one.
    pub outcome: RerunOutcome,
    /// Whether the game was saved under the very same rules.
    pub same_rules: bool,
    /// Log entries left out because they answer settings that are not asked.
    pub left_out: SkippedEntries,
    /// The number of log entries played.
    pub played: usize,
    /// The scores now.
    pub scores: Vec<i64>,
    /// Whether the game is over.
    pub over: bool,
}

/// How a saved game compares under the current rules.
#[derive(Clone, Debug)]
pub enum RerunOutcome {
    /// The result is the same.
    Equal,
    /// Every move is still possible, but the scores or the end differ.
    OtherScores {
        /// The first difference, where the file has the course of the scores.
        first: Option<Difference>,
    },
    /// A move is no longer possible.
    NoLongerFits {
        /// The move's log entry, and why it does not fit.
        misfit: Misfit,
        /// The line of the rules that asks something else.
        asked: Option<Rule>,
    },
    /// The rules failed.
    Failed {
        /// The error.
        reason: Diagnostics,
        /// The number of moves made before.
        moves: usize,
    },
}

/// The first point at which the course of the scores differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub moves: usize,
    /// The number of the seat whose score differs, from 1.
    pub seat: usize,
    /// The score in the saved game; `None` where it did not change at this point then.
    pub was: Option<i64>,
    /// The score now; `None` where it does not change at this point now.
    pub is: Option<i64>,
    /// The line that changes the score now; `None` where there is no change, or one by hand.
    pub rule: Option<Rule>,
}

/// A line of a script, with its layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// File and line: `games/x/rules.rhai:31`.
    pub line: String,
    /// The layer: `game`, `variant double`.
    pub layer: Message,
}

impl Rerun {
    /// Runs a saved game under the rules `loaded`.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn on(replay: &Replay, loaded: Playable) -> Result<Self, Diagnostics> {
        Self::with_game(replay, loaded).map(|(rerun, _)| rerun)
    }

    /// As [`on`](Self::on), and returns the game at its end too.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn with_game(replay: &Replay, loaded: Playable) -> Result<(Self, Playthrough), Diagnostics> {
        let ruleset = loaded.ruleset.clone();
        let layout = loaded.layout.clone();
        let (playthrough, misfit) = Playthrough::start(loaded, replay.players, replay.seed, replay.log.clone())?;
        let (position, left_out) = (playthrough.position(), playthrough.left_out());
        let over = position.open.is_none() && position.failed.is_none();
        let rule = |at| Rule::at(&ruleset, at);
        let outcome = if let Some(misfit) = misfit {
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
            outcome,
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
    /// The line at a point of the scripts; `None` for a change by hand.
    pub fn at(ruleset: &Ruleset, at: ScriptPoint) -> Option<Self> {
        Some(Self { line: ruleset.file_line(at)?, layer: ruleset.layer_in_words(at)? })
    }
}

/// The first difference of two courses. If only one of them has a change at some move and seat, the difference is the
/// earlier change.
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
        // In the same move another seat comes next, so the saved change is gone.
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

impl From<&Difference> for Message {
    fn from(difference: &Difference) -> Self {
        let comes = match (difference.was, difference.is) {
            (Some(was), Some(is)) => message!("comes to {is} instead of {was}"),
            (None, Some(is)) => message!("comes to {is}, and scored nothing there before"),
            (was, None) => message!("came to {}, and scores nothing there now", was.unwrap_or_default()),
        };
        let begins = message!("with move {} p{} ", difference.moves, difference.seat);
        let rule = difference.rule.as_ref().map(|rule| message!(", by {rule}"));
        Self::joined([begins, comes].into_iter().chain(rule))
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Message::from(self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(list: &[(usize, usize, i64)]) -> Vec<SeatScore> {
        list.iter().copied().map(SeatScore::from).collect()
    }

    /// The difference in words; the line of each change stands for its rule.
    fn told(saved: &[(usize, usize, i64)], now: &[(usize, usize, i64)]) -> String {
        let now = scored(now).into_iter().zip(1..).map(|(scored, line)| (scored, ScriptPoint { line, column: 1 }));
        let rule = |at: ScriptPoint| Some(Rule { line: format!("a:{}", at.line), layer: "game".into() });
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
