//! The record of one game, as far as measures need it.

use crate::table::Table;
use crate::table::value::{Seat, Seats};

/// The most moments at which standings of a game are kept. Of longer games, every second, fourth … moment is kept.
const MAX_KEPT_MOMENTS: usize = 512;

/// The record of one game. All values are whole numbers, so that everything computed from them is the same on every
/// machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// The final score of each seat.
    pub scores: Vec<i64>,
    /// Whether the rules give no points and nobody has any.
    pub is_without_scores: bool,
    /// The seats by rank; those with equal rank are together.
    pub ranking: Vec<Vec<Seat>>,
    /// The winners: the seats that rank first, or none.
    pub winners: Vec<Seat>,
    /// The team number of each seat; a seat without entry plays alone.
    pub teams: Vec<u8>,
    /// The number of decisions of each seat.
    pub decisions_of: Vec<u64>,
    /// The number of decisions by players; who acts next in real time does not count.
    pub decisions: u64,
    /// The number of decisions with a single answer.
    pub forced: u64,
    /// The number of options of all decisions.
    pub options: u64,
    /// The number of options of decisions with more than one answer.
    pub free_options: u64,
    /// The number of decisions with more than one answer; simultaneous ones count once.
    pub thoughts: u64,
    /// The number of turns begun.
    pub turns: u64,
    /// The number of rounds counted.
    pub rounds: u64,
    /// The time on the virtual clock at the end of a game in real time, in milliseconds.
    pub clock: i64,
    /// The standings over the course of the game.
    pub standings: Course,
}

/// The standings of a game, moment by moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// The number of the decision, from 0, before which each moment was taken.
    decisions: Vec<u64>,
    /// What each seat would score at each moment, concatenated.
    points: Vec<i64>,
    seats: usize,
    /// One of this many moments is kept.
    every: usize,
    /// The number of moments so far.
    moments: usize,
}

impl Course {
    /// An empty course for a number of seats.
    pub fn new(seats: usize) -> Self {
        Self { seats: seats.max(1), every: 1, ..Self::default() }
    }

    /// Notes what each seat would score before decision number `decision`, from 0.
    pub fn note(&mut self, decision: u64, points: &[i64]) {
        let is_kept = self.moments.is_multiple_of(self.every);
        self.moments += 1;
        if !is_kept || points.len() != self.seats {
            return;
        }
        self.decisions.push(decision);
        self.points.extend(points);
        if self.decisions.len() == MAX_KEPT_MOMENTS {
            self.thin_out();
        }
    }

    /// Drops every second moment.
    fn thin_out(&mut self) {
        self.every *= 2;
        let keep = |place: usize| place.is_multiple_of(2);
        self.decisions =
            self.decisions.iter().copied().enumerate().filter(|(place, _)| keep(*place)).map(|(_, d)| d).collect();
        let moments = self.points.chunks(self.seats).enumerate();
        self.points = moments.filter(|(place, _)| keep(*place)).flat_map(|(_, points)| points.to_vec()).collect();
    }

    /// Whether the next moment would be kept; otherwise its standings need not be computed.
    pub fn wants_next(&self) -> bool {
        self.moments.is_multiple_of(self.every)
    }

    /// Counts a moment without standings.
    pub fn skip(&mut self) {
        self.moments += 1;
    }

    /// All kept moments: the number of decisions before, and the score of each seat.
    pub fn moments(&self) -> impl DoubleEndedIterator<Item = (u64, &[i64])> + ExactSizeIterator {
        self.decisions.iter().copied().zip(self.points.chunks(self.seats.max(1)))
    }
}

impl GameRecord {
    /// Records the end of a game; `has_scores` says whether the rules can give points.
    pub fn end(&mut self, table: &Table, has_scores: bool) {
        self.scores = Seats::all(table.layout().seats).into_iter().map(|seat| table.score(seat)).collect();
        self.is_without_scores = !has_scores && self.scores.iter().all(|score| *score == 0);
        self.ranking = table.ranking();
        self.winners = table.winners();
        self.teams.clone_from(&table.state().teams);
        self.turns = table.turns() as u64;
        self.rounds = u64::try_from(table.round()).unwrap_or(0);
        self.clock = table.clock().now();
    }

    /// The sole winner; of a team that won, its first seat.
    pub fn winner(&self) -> Option<Seat> {
        self.winners.first().copied().filter(|_| self.winning_teams() == 1)
    }

    /// The number of teams that share the first place; a seat without partners is a team of one.
    pub fn winning_teams(&self) -> usize {
        let first = &self.winners;
        let is_new = |place: usize| {
            !first.iter().take(place).any(|seat| self.team(seat.index()) == self.team(first[place].index()))
        };
        (0..first.len()).filter(|place| is_new(*place)).count()
    }

    fn team(&self, seat: usize) -> usize {
        self.teams.get(seat).map_or(seat, |team| usize::from(*team))
    }

    /// The team of the seat with the most points; `None` where seats of several teams share the lead.
    fn sole_leader(&self, points: &[i64]) -> Option<usize> {
        let most = points.iter().max()?;
        let mut ahead = (0..points.len()).filter(|seat| points[*seat] == *most).map(|seat| self.team(seat));
        let first = ahead.next()?;
        ahead.all(|other| other == first).then_some(first)
    }

    /// The highest score of a team's seats.
    fn best_of_team(&self, team: usize, points: &[i64]) -> Option<i64> {
        points.iter().enumerate().filter(|(seat, _)| self.team(*seat) == team).map(|(_, points)| *points).max()
    }

    /// The team that is the sole winner.
    fn winning_team(&self) -> Option<usize> {
        self.winner().map(|seat| self.team(seat.index()))
    }

    /// `None` in games without points.
    fn scored(&self) -> Option<()> {
        (!self.is_without_scores).then_some(())
    }

    /// The standings over the course of the game; `None` in games without points.
    fn followed(&self) -> Option<&Course> {
        self.scored().map(|()| &self.standings)
    }

    /// The final score of a seat; `None` in games without points.
    pub fn score_of(&self, seat: Seat) -> Option<i64> {
        self.scored()?;
        self.scores.get(seat.index()).copied()
    }

    fn score(&self, seat: Seat) -> i64 {
        self.scores.get(seat.index()).copied().unwrap_or(0)
    }

    /// The best scores of the first-placed team and of the next, which are equal for a shared first place; `None` in
    /// games without points.
    pub fn best_two(&self) -> Option<(i64, i64)> {
        self.scored()?;
        let best = self.winners.iter().map(|seat| self.score(*seat)).max().unwrap_or(0);
        let second = self.winning_team().and_then(|team| {
            let others = self.ranking.iter().map(|seats| seats.iter().filter(|seat| self.team(seat.index()) != team));
            others.map(|seats| seats.map(|seat| self.score(*seat)).max()).find(Option::is_some).flatten()
        });
        Some((best, second.unwrap_or(best)))
    }

    /// The number of times the lead passed from one team to another; a seat without partners is a team of one. A shared
    /// lead does not count.
    pub fn lead_changes(&self) -> Option<u64> {
        let standings = self.followed()?;
        let leaders = standings.moments().filter_map(|(_, points)| self.sole_leader(points)).chain(self.winning_team());
        let mut changes = 0;
        let mut last = None;
        for leader in leaders {
            changes += u64::from(last.is_some_and(|last| last != leader));
            last = Some(leader);
        }
        Some(changes)
    }

    /// Whether the winner was behind when half of the decisions were made; `None` without a sole winner.
    pub fn is_comeback(&self) -> Option<bool> {
        let winner = self.winning_team()?;
        let (_, points) = self.followed()?.moments().rfind(|(decision, _)| decision * 2 <= self.decisions)?;
        Some(points.iter().max().copied() > self.best_of_team(winner, points))
    }

    /// The winner's mean distance behind the leader over all moments, in thousandths of a point.
    pub fn drama(&self) -> Option<i64> {
        let winner = self.winning_team()?;
        let moments = self.followed()?.moments();
        let count = i64::try_from(moments.len()).ok().filter(|count| *count > 0)?;
        let behind = moments.map(|(_, points)| {
            let own = self.best_of_team(winner, points).unwrap_or(0);
            i128::from(points.iter().copied().max().unwrap_or(own)) - i128::from(own)
        });
        Some(i64::try_from(behind.sum::<i128>() * 1_000 / i128::from(count)).unwrap_or(i64::MAX))
    }

    /// The share of decisions made after the winner took the lead for good, in millionths.
    pub fn decided(&self) -> Option<i64> {
        let winner = self.winning_team()?;
        let moments = self.followed()?.moments();
        let mut since = self.decisions;
        for (decision, points) in moments.rev() {
            if self.sole_leader(points) != Some(winner) {
                break;
            }
            since = decision;
        }
        let left = u128::from(self.decisions.saturating_sub(since)) * 1_000_000;
        i64::try_from(left / u128::from(self.decisions.max(1))).ok()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    /// A two-player game of eight decisions, with the given standings before decisions 0, 2, 4 and 6; the second seat
    /// wins 9 to 5.
    fn course(standings: [[i64; 2]; 4]) -> GameRecord {
        let seats: Vec<Seat> = [1, 2].into_iter().filter_map(Seat::from_number).collect();
        let mut noted = Course::new(2);
        for (number, points) in standings.iter().enumerate() {
            noted.note(2 * number as u64, points);
        }
        GameRecord {
            scores: vec![5, 9],
            ranking: vec![vec![seats[1]], vec![seats[0]]],
            winners: vec![seats[1]],
            decisions: 8,
            standings: noted,
            ..GameRecord::default()
        }
    }

    /// Four seats in two teams that do not share scores: the third seat always leads, and its partner is second.
    #[test]
    fn partners_do_not_take_the_lead_from_each_other() {
        let seats: Vec<Seat> = (1..=4).filter_map(Seat::from_number).collect();
        let mut noted = Course::new(4);
        for (number, points) in [[0, 0, 0, 0], [9, 0, 10, 0], [10, 1, 10, 0], [28, 2, 30, 0]].iter().enumerate() {
            noted.note(2 * number as u64, points);
        }
        let course = GameRecord {
            scores: vec![36, 3, 40, 0],
            ranking: vec![vec![seats[2]], vec![seats[0]], vec![seats[1]], vec![seats[3]]],
            winners: vec![seats[0], seats[2]],
            teams: vec![0, 1, 0, 1],
            decisions: 8,
            standings: noted,
            ..GameRecord::default()
        };
        assert_eq!(course.best_two(), Some((40, 3)), "the next is of the other team");
        assert_eq!(course.lead_changes(), Some(0));
        assert_eq!((course.is_comeback(), course.drama()), (Some(false), Some(0)));
        assert_eq!(course.decided(), Some(750_000), "from the second decision to the eighth");
    }

    #[test]
    fn the_lead_goes_from_one_to_another() {
        // The leaders: nobody, first, nobody, first; then the second seat wins.
        assert_eq!(course([[0, 0], [2, 0], [2, 2], [4, 2]]).lead_changes(), Some(1));
        assert_eq!(course([[1, 0], [0, 1], [1, 0], [0, 1]]).lead_changes(), Some(3));
        assert_eq!(course([[0, 0], [0, 1], [0, 2], [0, 3]]).lead_changes(), Some(0));
    }

    #[test]
    fn a_comeback_is_a_win_from_behind_at_half_time() {
        assert_eq!(course([[0, 0], [2, 0], [3, 2], [0, 9]]).is_comeback(), Some(true));
        assert_eq!(course([[9, 0], [9, 0], [2, 2], [9, 0]]).is_comeback(), Some(false));
    }

    #[test]
    fn drama_is_how_far_the_winner_was_behind() {
        assert_eq!(course([[0, 0], [2, 0], [3, 2], [0, 9]]).drama(), Some((2 + 1) * 1_000 / 4));
        assert_eq!(course([[0, 0], [0, 1], [0, 1], [0, 9]]).drama(), Some(0));
    }

    #[test]
    fn it_is_decided_when_the_winner_leads_for_good() {
        assert_eq!(course([[0, 1], [1, 0], [0, 1], [0, 2]]).decided(), Some(500_000));
        assert_eq!(course([[0, 1], [0, 1], [0, 1], [1, 1]]).decided(), Some(0));
        assert_eq!(course([[0, 1], [0, 1], [0, 1], [0, 1]]).decided(), Some(1_000_000));
    }

    #[test]
    fn where_nobody_wins_alone_nobody_came_back() {
        let tie = GameRecord {
            ranking: vec![Seat::from_number(1).into_iter().chain(Seat::from_number(2)).collect()],
            winners: Seat::from_number(1).into_iter().chain(Seat::from_number(2)).collect(),
            ..course([[0, 0], [1, 0], [1, 1], [1, 1]])
        };
        assert_eq!((tie.is_comeback(), tie.drama(), tie.decided()), (None, None, None));
        assert_eq!((tie.lead_changes(), tie.best_two()), (Some(0), Some((9, 9))));
    }

    #[test]
    fn where_nobody_can_get_points_nobody_is_ahead_by_any() {
        let without = GameRecord { scores: vec![0, 0], is_without_scores: true, ..course([[0, 0]; 4]) };
        assert_eq!((without.best_two(), without.score_of(without.winners[0])), (None, None));
        assert_eq!(
            (without.lead_changes(), without.is_comeback(), without.drama(), without.decided()),
            (None, None, None, None)
        );
        assert_eq!(without.winner(), Seat::from_number(2), "who wins is known all the same");
    }

    #[test]
    fn a_long_game_keeps_a_few_hundred_moments_spread_over_all_of_it() {
        let mut noted = Course::new(2);
        for number in 0..100_000 {
            if noted.wants_next() { noted.note(number, &[number as i64, 0]) } else { noted.skip() }
        }
        let decisions: Vec<u64> = noted.moments().map(|(decision, _)| decision).collect();
        assert!((MAX_KEPT_MOMENTS / 2..MAX_KEPT_MOMENTS).contains(&decisions.len()), "{}", decisions.len());
        assert!(decisions.windows(2).all(|pair| pair[1] - pair[0] == decisions[1]), "{decisions:?}");
        assert!(decisions.last().unwrap() + decisions[1] >= 99_999);
        assert!(noted.moments().all(|(decision, points)| points == [decision as i64, 0]));
    }
}
