//! Judges seats and options that always win, in games of random players and of players who try to win.

use super::case::{Case, Lineup, Tail, shortened};
use super::fairness::{Unfairness, WinCounts};
use super::play::{PlayOptions, play_until};
use super::search::Search;
use super::{Find, FindKind, HuntContext};
use crate::agent::AgentSpec;
use crate::agent::search::Budget;
use crate::diagnostic::{Diagnostic, Message, message};
use crate::work::Workers;

/// The number of games played to confirm that a seat or an option always wins.
const CONFIRMING_GAMES: u64 = 64;

/// The fewest games of players who try to win that count.
const MIN_GAMES_OF_AGENTS: u64 = 16;

/// The first seed of games of players who try to win; different from the seeds of confirming games.
const FIRST_SEED_OF_AGENTS: u64 = 1_001;

/// The agents that try to win, where the plan names none.
const COMPETITIVE_AGENTS: [AgentSpec; 2] = [AgentSpec::Greedy, AgentSpec::Search(Budget::Iterations(50))];

/// The computing budget of each agent that tries to win: the decisions made in all games of the hunt, times this
/// factor. It applies where the plan names no agents.
const AGENT_BUDGET_FACTOR: u64 = 4;

/// The largest factor by which games of players who try to win may be longer than random games; longer ones are not
/// judged.
const MAX_LENGTH_RATIO: u64 = 4;

/// Games of the same rules by the same players.
struct PlayedGames {
    case: Case,
    games: WinCounts,
    /// The most decisions of a game that is judged.
    longest: Option<usize>,
}

impl Search {
    /// Reports seats and options that always win, with the fewest variants under which they do.
    pub(super) fn judge_fairness(&mut self, workers: &dyn Workers, ground: &HuntContext<'_>) {
        // Rules with the fewest variants come first; more variants add nothing.
        let fair = std::mem::take(&mut self.fair);
        let at_random = fair.into_iter().map(|((_, variants, players), games)| PlayedGames {
            case: Case { tail: Tail::Random(1), ..Case::of(&variants, &ground.plan.set, players) },
            games,
            longest: ground.plan.longest,
        });
        let mut all: Vec<PlayedGames> = at_random.collect();
        let tried = self.games_by_agents(workers, ground, &all);
        let looked_at = all.iter().chain(&tried).map(|played| played.games.looked_at()).sum::<usize>();
        let random = all.len();
        all.extend(tried);
        let mut told: Vec<(Unfairness, Case)> = Vec::new();
        for PlayedGames { case, games, longest } in &all {
            for unfair in games.unfair(looked_at) {
                let same = |(known, less): &(Unfairness, Case)| {
                    std::mem::discriminant(known) == std::mem::discriminant(&unfair)
                        && less.variants.iter().all(|variant| case.variants.contains(variant))
                        && known.concerns() == unfair.concerns()
                };
                if told.iter().any(same) || ground.is_late() {
                    continue;
                }
                let Some((case, found)) = ground.reduce_unfair(workers, case, *longest, &unfair) else { continue };
                let mut error = Diagnostic::new(message!("with {} players, {}", case.players, found.in_words()));
                error = match case.tail {
                    Tail::Agents(company, _) => {
                        error.help(message!("counted where everybody plays as `{}`", company.others))
                    }
                    _ => error.help(
                        "counted with random choices; if all were equal, chance would do this once in a thousand hunts",
                    ),
                };
                // The results of players who try to win, for comparison.
                for other in all.iter().skip(random).filter(|_| matches!(case.tail, Tail::Random(_))) {
                    if let (Tail::Agents(company, _), true) = (other.case.tail, other.case.players == case.players)
                        && let Some(words) = found.statistic_in_words(&other.games)
                    {
                        error = error.help(message!("where everybody plays as `{}`: {words}", company.others));
                    }
                }
                let kind = if matches!(found, Unfairness::OptionWins(..)) { FindKind::Option } else { FindKind::Seat };
                told.push((unfair, case.clone()));
                let times = found.games();
                let counted = Some((case.everybody(), CONFIRMING_GAMES));
                self.report.finds.push(Find { counted, ..Find::of(kind, error.into(), times, Some((case, 0))) });
            }
        }
    }

    /// Games by players who try to win, under the given rules. Where the plan names no agents, the games take about as
    /// long as the rest of the hunt.
    fn games_by_agents(
        &self,
        workers: &dyn Workers,
        ground: &HuntContext<'_>,
        at_random: &[PlayedGames],
    ) -> Vec<PlayedGames> {
        let plan = ground.plan;
        // Players who try to win might play forever where a game can.
        if self.found.keys().any(|(kind, _)| *kind == FindKind::Endless) {
            return Vec::new();
        }
        let asked = at_random.iter().filter(|played| played.case.variants == plan.variants);
        let mut agents: Vec<AgentSpec> = Vec::new();
        for agent in if plan.agents.is_empty() { &COMPETITIVE_AGENTS[..] } else { &plan.agents } {
            if !agent.is_random() && !agents.contains(agent) {
                agents.push(*agent);
            }
        }
        let mut tried = Vec::new();
        for agent in agents {
            let mut left = self.decisions.saturating_mul(AGENT_BUDGET_FACTOR);
            for PlayedGames { case, games, .. } in asked.clone() {
                let size = games.mean_size();
                let cost = agent.effort_in(size);
                let longest = usize::try_from(size.decisions.saturating_mul(MAX_LENGTH_RATIO)).ok();
                let affordable = if plan.agents.is_empty() { left / cost.max(1) } else { CONFIRMING_GAMES };
                let count = affordable.min(CONFIRMING_GAMES);
                if count < MIN_GAMES_OF_AGENTS {
                    continue;
                }
                left = left.saturating_sub(count.saturating_mul(cost));
                let case =
                    Case { seed: FIRST_SEED_OF_AGENTS, tail: Tail::Agents(Lineup::of(agent), 1), ..case.clone() };
                if let Some(games) = ground.fair_games(workers, &case, longest, count) {
                    tried.push(PlayedGames { case: Case { seed: 1, ..case }, games, longest });
                }
            }
        }
        tried
    }
}

impl HuntContext<'_> {
    /// Repeats an unfair result in other games, with the fewest variants; `None` where it does not repeat.
    fn reduce_unfair(
        &self,
        workers: &dyn Workers,
        case: &Case,
        longest: Option<usize>,
        unfair: &Unfairness,
    ) -> Option<(Case, Unfairness)> {
        let shows = |case: &Case| {
            let games = self.fair_games(workers, case, longest, CONFIRMING_GAMES)?;
            let found = games.unfair(games.looked_at());
            found.into_iter().find(|found| found.concerns() == unfair.concerns())
        };
        let found = shows(case)?;
        let remove = |case: &mut Case, place| drop(case.variants.remove(place));
        Some(shortened((case.clone(), found), |case| case.variants.len(), remove, shows))
    }

    /// Plays `count` games of one case's rules, from the case's seed on, to count wins; `None` where there is not
    /// enough time for all of them.
    fn fair_games(&self, workers: &dyn Workers, case: &Case, most: Option<usize>, count: u64) -> Option<WinCounts> {
        let compiled = self.compiled(case).ok()?;
        let seeds: Vec<u64> = (case.seed..case.seed + count).collect();
        let outcomes = workers.map(&seeds, |&seed| {
            let tail = match case.tail {
                Tail::Agents(company, _) => Tail::Agents(company, seed),
                _ => Tail::Random(seed),
            };
            let case = Case { seed, choices: Vec::new(), tail, ..case.clone() };
            let looks = PlayOptions { most, outcome: true, ..PlayOptions::default() };
            let played = play_until(&compiled, &case, looks, self.until.is_late);
            Some(played.outcome).filter(|_| !self.is_late())
        });
        if self.is_late() {
            return None;
        }
        let mut games = WinCounts::default();
        outcomes.iter().flatten().for_each(|outcome| games.add(case.players, outcome));
        Some(games)
    }
}

impl Unfairness {
    /// The name of the seat or option.
    fn concerns(&self) -> String {
        match self {
            Self::SeatWins(seat, _) | Self::SeatLoses(seat, _) => format!("p{seat}"),
            Self::OptionWins(option, _) => option.clone(),
        }
    }

    fn games(&self) -> u64 {
        match self {
            Self::SeatWins(_, games) | Self::SeatLoses(_, games) | Self::OptionWins(_, games) => u64::from(*games),
        }
    }

    fn in_words(&self) -> Message {
        match self {
            Self::SeatWins(seat, games) => message!("p{seat} wins all of {games} games"),
            Self::SeatLoses(seat, games) => message!("p{seat} wins none of {games} games"),
            Self::OptionWins(option, games) => {
                message!("who chooses `{option}` in the first half of a game wins: all of {games} games")
            }
        }
    }

    /// The same statistic in other games, in words; `None` where these have no data for it.
    fn statistic_in_words(&self, games: &WinCounts) -> Option<Message> {
        match self {
            Self::SeatWins(seat, _) | Self::SeatLoses(seat, _) => {
                let (won, all) = games.won_by(*seat)?;
                Some(message!("p{seat} wins {won} of {all} games"))
            }
            Self::OptionWins(option, _) => Some(match games.won_with(option) {
                Some((won, all)) => message!("who chooses it wins {won} of {all} games in which not all did"),
                None => "all choose it early, or nobody does".into(),
            }),
        }
    }
}
