//! A ladder of increasingly strong agents, to measure how much skill a game rewards.

use super::coverage::CallCounts;
use super::distribution::Distribution;
use super::measures::{Column, WHOLE_WIN};
use super::play::{Ending, GameTracker, Plan};
use super::report::interval_to_json;
use super::shard::PlanFacts;
use super::statistics::estimate::estimate;
use super::statistics::special::t_quantile;
use super::statistics::{Interval, Level, interval};
use crate::agent::AgentSpec;
use crate::definition::Bounds;
use crate::diagnostic::{Message, message};
use crate::work::Workers;
use serde_json::{Value as Json, json};
use std::ops::Range;

/// The number of groups of seeds, for the jackknife.
const JACKKNIFE_GROUPS: usize = 20;

/// The number of seeds that a worker plays at once.
const SEEDS_PER_PIECE: u64 = 2;

/// The scale of Elo: ten times the odds are 400 points.
const ELO_SCALE: f64 = 400.0;

/// The agents, weakest first, and the plan they play.
pub struct Ladder {
    /// The rules and seeds; the agents change from game to game.
    pub plan: Plan,
    /// The agents; at least two.
    pub rungs: Vec<AgentSpec>,
}

/// A match of two agents: a single stronger one among weaker ones, in every seat once for each seed. In rules with
/// teams, the stronger one plays all seats of a team, each team in turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The agent in the single seat.
    pub strong: String,
    /// The agent in all other seats.
    pub weak: String,
    /// The number of seeds with all games finished.
    pub seeds: u64,
    /// The number of games played, including failed ones.
    pub played: u64,
    /// The number of games that failed.
    pub failed: u64,
    /// The share of games that the stronger agent or its team won, from 0 to 1. The interval is over seeds, since games
    /// of a seed have the same deal.
    pub wins: Interval,
    /// The share that it would win with equal strength: an equal part of all wins.
    pub equal: f64,
    /// The difference in strength in Elo; an end is infinite where nothing was lost or nothing won. `None` where no game
    /// tells who is stronger.
    pub elo: Option<Interval>,
    /// The shares of seat, skill and luck in the results.
    pub split: Option<Split>,
}

/// The shares of the variance of wins due to seat, skill and luck, from 0 to 1.
///
/// An analysis of variance: the agents sit in every seat equally often, so seat and skill are told apart. Shares are ω²
/// (Hays 1963), which corrects for what chance alone would give; intervals come from leaving out a twentieth of the seeds
/// at a time (jackknife; Tukey 1958).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The seat.
    pub seat: Interval,
    /// The agent.
    pub skill: Interval,
    /// Everything else: the deal, the dice, and what the others do.
    pub luck: Interval,
}

/// The results of a ladder.
#[derive(Clone, Debug)]
pub struct LadderReport {
    /// The facts of the plan.
    pub plan: PlanFacts,
    /// Each agent against the next weaker one.
    pub rungs: Vec<Match>,
    /// The strongest agent against the weakest.
    pub ends: Match,
    /// The Elo difference between the weakest and the strongest agent: the sum over the rungs; `None` if one is unknown.
    pub depth: Option<Interval>,
    /// Whether an agent plays all seats of a team, rather than one seat.
    pub by_teams: bool,
    /// The number of games of the whole ladder.
    pub games: u64,
    /// The number of games not played because of a stop or the time limit.
    pub unplayed: u64,
    /// Whether the time limit was the reason.
    pub is_out_of_time: bool,
}

/// Counts of the games of two agents.
#[derive(Clone, Debug, PartialEq)]
struct MatchCounts {
    /// The distribution of the stronger agent's wins over all games of a seed.
    wins: Distribution,
    played: u64,
    failed: u64,
    groups: Vec<Group>,
}

/// Sums over the games of some seeds, for the analysis of variance; wins are counted in units of 1/[`WHOLE_WIN`].
#[derive(Clone, Debug, PartialEq)]
struct Group {
    games: i128,
    squares: i128,
    by_seat: Vec<i128>,
    strong: i128,
    all: i128,
}

impl Ladder {
    /// Plays `seeds` seeds for each pair of neighbours, and for the two ends. If the work is stopped, the report covers
    /// the games played; `None` without any.
    pub fn play(&self, workers: &dyn Workers, seeds: u64, mut look: impl FnMut(&Message)) -> Option<LadderReport> {
        let mut rungs: Vec<Match> = Vec::new();
        let work = self.plan.loaded.rules.work();
        let efforts = self.matches().into_iter().map(|(strong, weak)| strong.effort().max(weak.effort()));
        let whole = efforts.sum::<u64>().saturating_mul(seeds).saturating_mul(self.plan.teams().len() as u64);
        work.count_effort(usize::try_from(whole).unwrap_or(usize::MAX));
        for (number, pair) in self.rungs.windows(2).enumerate() {
            let [weak, strong] = pair else { continue };
            let before = rungs.iter().map(|rung| format!("{} {:.0} %", rung.strong, rung.wins.estimate * 100.0));
            let now = message!("{strong} against {weak}, {} of {}", number + 1, self.matches().len());
            look(&Message::list(before.map(Message::verbatim).chain([now]), ", "));
            let rung = self.play_match(workers, seeds, *strong, *weak);
            if rung.played > 0 {
                rungs.push(rung);
            }
            if self.is_stopped() {
                break;
            }
        }
        let (ends, is_apart) = match rungs.as_slice() {
            [] => return None,
            [only] => (only.clone(), false),
            [.., last] if self.is_stopped() => (last.clone(), false),
            _ => (self.play_match(workers, seeds, *self.rungs.last()?, *self.rungs.first()?), true),
        };
        let played = rungs.iter().map(|rung| rung.played).sum::<u64>() + if is_apart { ends.played } else { 0 };
        let games = self.games(seeds);
        Some(LadderReport {
            plan: PlanFacts::of(&self.plan, seeds),
            depth: sum(rungs.iter().map(|rung| rung.elo)),
            rungs,
            ends,
            by_teams: self.plan.teams().len() < self.plan.seats(),
            games,
            unplayed: games.saturating_sub(played),
            is_out_of_time: false,
        })
    }

    fn is_stopped(&self) -> bool {
        self.plan.loaded.rules.work().is_stopped()
    }

    /// The number of games of a whole ladder with this number of seeds.
    pub fn games(&self, seeds: u64) -> u64 {
        let matches = self.matches().len() as u64;
        seeds.saturating_mul(self.plan.teams().len() as u64).saturating_mul(matches)
    }

    /// The matches, stronger agent first: neighbours, and the two ends.
    fn matches(&self) -> Vec<(AgentSpec, AgentSpec)> {
        let neighbours = self.rungs.windows(2).filter_map(|pair| Some((*pair.get(1)?, *pair.first()?)));
        let ends = self.rungs.last().copied().zip(self.rungs.first().copied()).filter(|_| self.rungs.len() > 2);
        neighbours.chain(ends).collect()
    }

    fn play_match(&self, workers: &dyn Workers, seeds: u64, strong: AgentSpec, weak: AgentSpec) -> Match {
        let teams = self.plan.teams();
        let tables: Vec<Plan> = teams
            .iter()
            .map(|team| {
                let mut plan = self.plan.clone();
                let agent = |seat: usize| if team.contains(&seat) { strong } else { weak };
                plan.agents = (0..self.plan.seats()).map(agent).collect();
                plan
            })
            .collect();
        let effort = strong.effort().max(weak.effort());
        let columns = self.plan.columns();
        let pieces: Vec<Range<u64>> = (0..seeds.div_ceil(SEEDS_PER_PIECE))
            .map(|piece| piece * SEEDS_PER_PIECE..seeds.min((piece + 1) * SEEDS_PER_PIECE))
            .collect();
        let parts = workers.map_with(
            &pieces,
            || tables.iter().map(Plan::unshared).collect::<Vec<_>>(),
            |tables, piece| play_seeds(tables, &teams, piece, &columns, effort),
        );
        let mut counted = MatchCounts::new(teams.len());
        parts.iter().for_each(|part| counted.add(part));
        counted.told(strong, weak, teams.len())
    }
}

/// Plays each seed once with the stronger agent in each team's seats; `None` where the work was stopped. The wins of a
/// team are those of its first player.
fn play_seeds(
    tables: &[Plan],
    teams: &[Vec<usize>],
    seeds: &Range<u64>,
    columns: &[Column],
    effort: u64,
) -> Option<MatchCounts> {
    let mut counted = MatchCounts::new(tables.len());
    for seed in seeds.clone() {
        let mut won = 0;
        let mut results: Vec<Vec<i64>> = Vec::new();
        for (seat, plan) in tables.iter().enumerate() {
            let game =
                plan.play(seed, columns, &mut CallCounts::new(&plan.loaded.rules), &mut GameTracker::default())?;
            plan.loaded.rules.work().finish_part();
            plan.loaded.rules.work().add_done_effort(usize::try_from(effort).unwrap_or(usize::MAX));
            counted.played += 1;
            if game.ending != Ending::Finished {
                counted.failed += 1;
                continue;
            }
            let of_team = |team: &Vec<usize>| game.values.get(*team.first()?).copied().flatten();
            let wins: Vec<i64> = teams.iter().map(|team| of_team(team).unwrap_or(0)).collect();
            won += wins.get(seat).copied().unwrap_or(0);
            results.push(wins);
        }
        // A seed counts for seats only if all of them were played.
        if results.len() < tables.len() {
            continue;
        }
        counted.wins.count(won, 1);
        if let Some(group) = counted.groups.get_mut((seed % JACKKNIFE_GROUPS as u64) as usize) {
            results.iter().enumerate().for_each(|(seat, wins)| group.count(seat, wins));
        }
    }
    Some(counted)
}

impl MatchCounts {
    fn new(seats: usize) -> Self {
        let group = Group { games: 0, squares: 0, by_seat: vec![0; seats], strong: 0, all: 0 };
        Self { wins: Distribution::default(), played: 0, failed: 0, groups: vec![group; JACKKNIFE_GROUPS] }
    }

    fn add(&mut self, other: &Self) {
        self.wins.add(&other.wins);
        self.played += other.played;
        self.failed += other.failed;
        self.groups.iter_mut().zip(&other.groups).for_each(|(own, others)| own.add(others));
    }

    fn told(&self, strong: AgentSpec, weak: AgentSpec, seats: usize) -> Match {
        let whole = WHOLE_WIN as f64 * seats as f64;
        let equal = self.equal_share(seats);
        let nothing = Interval { estimate: equal, low: 0.0, high: 1.0 };
        let counts: Vec<(i64, u64)> = self.wins.values().collect();
        let moments = self.wins.moments();
        let by_seeds = estimate(&counts, &moments, whole, Bounds::default(), Level::NINETY_FIVE)
            .map(|wins| wins.once.times(1.0 / whole))
            .filter(|wins| wins.half_width().is_finite());
        // With few seeds, the bound for an all-or-nothing share is used; a share varies less.
        let found = by_seeds.or_else(|| interval::fraction(&moments, whole as u64, Level::NINETY_FIVE));
        let found = found.unwrap_or(nothing);
        let wins = Interval { low: found.low.max(0.0), high: found.high.min(1.0), ..found };
        Match {
            strong: strong.to_string(),
            weak: weak.to_string(),
            seeds: self.wins.len(),
            played: self.played,
            failed: self.failed,
            wins,
            equal,
            elo: elo(&wins, self.wins.len() * seats as u64, equal),
            split: self.split(),
        }
    }

    /// A seat's mean share of wins: one divided by the number of seats or teams, less where some games have no winner.
    fn equal_share(&self, seats: usize) -> f64 {
        let (all, games) =
            self.groups.iter().fold((0, 0), |(all, games), group| (all + group.all, games + group.games));
        if games == 0 { 1.0 / seats as f64 } else { all as f64 / WHOLE_WIN as f64 / (games as f64 * seats as f64) }
    }

    /// The shares of variance, with jackknife intervals over the groups.
    fn split(&self) -> Option<Split> {
        let all = shares(self.groups.iter())?;
        let without: Vec<[f64; 3]> = (0..self.groups.len())
            .filter_map(|out| {
                shares(self.groups.iter().enumerate().filter(|(place, _)| *place != out).map(|(_, group)| group))
            })
            .collect();
        let count = without.len() as f64;
        let interval = |which: usize| {
            let estimate = all.get(which).copied().unwrap_or(0.0);
            let values = || without.iter().filter_map(|shares| shares.get(which).copied());
            let mean = values().sum::<f64>() / count;
            let variance = (count - 1.0) / count * values().map(|value| (value - mean) * (value - mean)).sum::<f64>();
            // If no group differs, the interval covers what unseen games might show.
            let open = interval::share(0, self.wins.len(), Level::NINETY_FIVE).map_or(1.0, |none| none.high);
            let half = (t_quantile(0.025, count - 1.0) * variance.sqrt()).max(open);
            Interval { estimate, low: (estimate - half).max(0.0), high: (estimate + half).min(1.0) }
        };
        (self.groups.iter().all(|group| group.games > 0)).then(|| Split {
            seat: interval(0),
            skill: interval(1),
            luck: interval(2),
        })
    }
}

impl Group {
    /// Counts a game with the stronger agent in a seat.
    fn count(&mut self, strong: usize, wins: &[i64]) {
        self.games += 1;
        for (seat, (sum, won)) in self.by_seat.iter_mut().zip(wins).enumerate() {
            let won = i128::from(*won);
            *sum += won;
            self.all += won;
            self.squares += won * won;
            self.strong += if seat == strong { won } else { 0 };
        }
    }

    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.squares += other.squares;
        self.strong += other.strong;
        self.all += other.all;
        self.by_seat.iter_mut().zip(&other.by_seat).for_each(|(own, others)| *own += others);
    }
}

/// The shares of seat, skill and everything else in the variance of wins; `None` without variance.
fn shares<'a>(groups: impl Iterator<Item = &'a Group>) -> Option<[f64; 3]> {
    let mut all: Option<Group> = None;
    groups.for_each(|group| match &mut all {
        Some(all) => all.add(group),
        None => all = Some(group.clone()),
    });
    let all = all?;
    let (games, seats, whole) = (all.games as f64, all.by_seat.len() as f64, WHOLE_WIN as f64);
    let (count, mean) = (games * seats, all.all as f64 / whole / (games * seats));
    let total = all.squares as f64 / (whole * whole) - count * mean * mean;
    let part = |sum: i128, count: f64| {
        let distance = sum as f64 / whole / count - mean;
        count * distance * distance
    };
    let seat: f64 = all.by_seat.iter().map(|sum| part(*sum, games)).sum();
    let skill = part(all.strong, games) + part(all.all - all.strong, games * (seats - 1.0));
    let freedom = count - 1.0 - (seats - 1.0) - 1.0;
    if total <= 0.0 || freedom <= 0.0 {
        return None;
    }
    let error = (total - seat - skill).max(0.0) / freedom;
    let share = |part: f64, freedom: f64| ((part - freedom * error) / (total + error)).clamp(0.0, 1.0);
    let (seat, skill) = (share(seat, seats - 1.0), share(skill, 1.0));
    Some([seat, skill, (1.0 - seat - skill).max(0.0)])
}

/// The Elo advantage of a player with a share of wins against equal opponents: from Plackett and Luce's strengths (Luce
/// 1959; for two players Elo 1978), `share = r / (r + others)` and `Elo = 400 log₁₀ r`. The number of opponents follows
/// from the share under equal strength; partners of a team count as one. `None` where strengths cannot be compared:
/// without games, or if everybody or nobody wins.
fn elo(wins: &Interval, games: u64, equal: f64) -> Option<Interval> {
    if games == 0 || equal <= 0.0 || equal >= 1.0 {
        return None;
    }
    let others = 1.0 / equal - 1.0;
    let of = |share: f64| ELO_SCALE * libm::log10(share * others / (1.0 - share));
    // Ten wins of ten may mean any strength, so a game between equals is added for unseen results.
    let games = games as f64;
    let estimate = of((wins.estimate * games + equal) / (games + 1.0));
    Some(Interval { estimate, low: of(wins.low).min(estimate), high: of(wins.high).max(estimate) })
}

/// The sum of independent estimates; `None` if one of them is unknown.
pub fn sum(parts: impl Iterator<Item = Option<Interval>>) -> Option<Interval> {
    let parts: Vec<Interval> = parts.collect::<Option<_>>()?;
    let estimate = parts.iter().map(|part| part.estimate).sum::<f64>();
    let side = |distance: fn(&Interval) -> f64| parts.iter().map(distance).map(|part| part * part).sum::<f64>().sqrt();
    let (below, above) = (side(|part| part.estimate - part.low), side(|part| part.high - part.estimate));
    Some(Interval { estimate, low: estimate - below, high: estimate + above })
}

impl LadderReport {
    /// The name of the weakest agent.
    pub fn weakest(&self) -> &str {
        &self.rungs.first().unwrap_or(&self.ends).weak
    }

    /// The name of the strongest agent.
    pub fn strongest(&self) -> &str {
        &self.rungs.last().unwrap_or(&self.ends).strong
    }

    /// The report as JSON.
    pub fn to_json(&self) -> Json {
        json!({
            "plan": self.plan.to_json(),
            "by_teams": self.by_teams,
            "depth": self.depth.map(interval_to_json),
            "rungs": self.rungs.iter().map(Match::to_json).collect::<Vec<_>>(),
            "ends": self.ends.to_json(),
            "games": self.games,
            "unplayed": self.unplayed,
            "out_of_time": self.is_out_of_time,
        })
    }
}

impl Match {
    fn to_json(&self) -> Json {
        let split = self.split.map(|split| {
            json!({"seat": interval_to_json(split.seat), "skill": interval_to_json(split.skill), "luck": interval_to_json(split.luck)})
        });
        json!({
            "strong": self.strong, "weak": self.weak, "seeds": self.seeds, "failed": self.failed,
            "wins": interval_to_json(self.wins), "equal_share": self.equal, "elo": self.elo.map(interval_to_json), "split": split,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_is_what_the_odds_say() {
        let of = |share: f64, seats| {
            elo(&Interval { estimate: share, low: share, high: share }, u64::MAX / 2, 1.0 / f64::from(seats))
                .map_or(f64::NAN, |elo| elo.estimate)
        };
        assert!(of(0.5, 2).abs() < 1e-6 && of(0.25, 4).abs() < 1e-6);
        assert!((of(10.0 / 11.0, 2) - 400.0).abs() < 1e-6 && (of(10.0 / 13.0, 4) - 400.0).abs() < 1e-6);
        let all_won = elo(&Interval { estimate: 1.0, low: 0.9, high: 1.0 }, 50, 0.5);
        assert!(all_won.is_some_and(|elo| elo.estimate.is_finite() && elo.high.is_infinite()));
    }

    #[test]
    fn equals_are_equal_after_any_number_of_games() {
        for seats in [2, 4, 16] {
            let equal = 1.0 / f64::from(seats);
            let wins = Interval { estimate: equal, low: 0.0, high: 1.0 };
            for games in [1, 3, 50] {
                assert!(elo(&wins, games, equal).is_some_and(|elo| elo.estimate.abs() < 1e-6), "{seats} {games}");
            }
            assert_eq!(elo(&wins, 0, equal), None, "no game says who is stronger");
        }
    }

    #[test]
    fn the_variance_is_split_by_what_decides() {
        let counted = |winner: &dyn Fn(u64, usize) -> usize| {
            let mut counted = MatchCounts::new(2);
            for seed in 0..400 {
                for strong in 0..2 {
                    let mut wins = [0, 0];
                    wins[winner(seed, strong)] = WHOLE_WIN;
                    counted.groups[(seed % 20) as usize].count(strong, &wins);
                }
            }
            counted
                .split()
                .map(|split| [split.seat, split.skill, split.luck].map(|share| (share.estimate * 100.0).round()))
        };
        assert_eq!(counted(&|_, strong| strong), Some([0.0, 100.0, 0.0]));
        assert_eq!(counted(&|_, _| 0), Some([100.0, 0.0, 0.0]));
        assert_eq!(counted(&|seed, _| (seed % 2) as usize), Some([0.0, 0.0, 100.0]));
        // The stronger agent wins half of the games, and the first seat the others: a quarter of the variance each.
        assert_eq!(counted(&|seed, strong| if seed % 2 == 0 { strong } else { 0 }), Some([25.0, 25.0, 50.0]));
    }
}
