//! What a game that was tried is worth to each seat: a number from 0 to 1.
//!
//! A result is one half the share of the win, where equals share it, and one half how far the seat is ahead of the best
//! of the others or behind the first. So an agent plays to win, and where it cannot, for what it can get. How much a
//! point of lead counts goes by the leads that were met before in the same search: a lead of the mean size counts three
//! quarters of the way from a tie to as much as possible.

use crate::playthrough::observation::{Fork, Tried, lead};
use crate::table::value::{MAX_SEATS, Seat, Seats};

/// After so many results the size of leads is known.
const MEASURED: u32 = 64;

/// After so many equal ones nothing else is expected at the near end.
const QUIET: u32 = 16;

/// Judges the ends of one search.
pub(super) struct Judge {
    seats: Seats,
    worths: Vec<i64>,
    results: [f64; MAX_SEATS],
    leads: [f64; MAX_SEATS],
    /// The sizes of the leads that were met, as far as they are measured, and how many.
    sizes: f64,
    measured: u32,
    /// The lead of the seat at the near end, as long as it was always the same, and how often it was met.
    near: Option<f64>,
    listened: u32,
}

impl Judge {
    pub(super) fn new(seats: usize) -> Self {
        Self {
            seats: Seats::all(seats),
            worths: Vec::new(),
            results: [0.0; MAX_SEATS],
            leads: [0.0; MAX_SEATS],
            sizes: 0.0,
            measured: 0,
            near: None,
            listened: 0,
        }
    }

    /// For each seat its result, from 0 to 1.
    pub(super) fn results(&self) -> &[f64; MAX_SEATS] {
        &self.results
    }

    /// For each seat by how much it is ahead of the best of the others.
    pub(super) fn leads(&self) -> &[f64; MAX_SEATS] {
        &self.leads
    }

    /// Takes note of what was judged last, at the near end.
    pub(super) fn listen(&mut self, seat: Option<Seat>) {
        let lead = self.leads[seat.map_or(0, Seat::index) % MAX_SEATS];
        if self.listened == 0 {
            self.near = Some(lead);
        }
        self.near = self.near.filter(|known| *known == lead);
        self.listened += 1;
    }

    /// Whether it makes no difference at the near end what is chosen.
    pub(super) fn is_quiet(&self) -> bool {
        self.listened >= QUIET && self.near.is_some()
    }

    /// Another iteration begins.
    pub(super) fn begin(&mut self) {
        self.results = [0.0; MAX_SEATS];
        self.leads = [0.0; MAX_SEATS];
    }

    /// Looks at where a game ended that was tried. Where the rules failed it is worth nothing to anybody.
    pub(super) fn judge(&mut self, fork: &Fork<'_>, tried: Tried, weight: f64) {
        if weight == 0.0 {
            return;
        }
        let table = fork.table();
        let shares = match tried {
            Tried::Fails => return,
            Tried::Over => {
                self.worths.clear();
                self.worths.extend(self.seats.into_iter().map(|seat| table.score(seat)));
                let first = table.winners();
                self.shares(|seat| first.contains(&Seats::all(MAX_SEATS).as_slice()[seat]))
            }
            Tried::Asks => {
                fork.worths(&mut self.worths);
                let best = self.worths.iter().max().copied().unwrap_or_default();
                self.shares(|seat| self.worths.get(seat) == Some(&best))
            }
        };
        let mut leads = [0.0; MAX_SEATS];
        for seat in self.seats {
            leads[seat.index()] = lead(table, &self.worths, seat) as f64;
        }
        if self.measured < MEASURED {
            self.measured += 1;
            self.sizes += leads.iter().take(self.seats.len()).map(|lead| lead.abs()).sum::<f64>()
                / self.seats.len() as f64;
        }
        let usual = self.sizes / f64::from(self.measured);
        for seat in self.seats.into_iter().map(|seat| seat.index()) {
            let lead: f64 = leads[seat];
            let ahead = if lead == 0.0 { 0.0 } else { lead / (lead.abs() + usual) };
            self.results[seat] += weight * (0.5 * shares[seat] + 0.5 * (0.5 + 0.5 * ahead));
            self.leads[seat] += weight * lead;
        }
    }

    /// The win shared among those who are first.
    fn shares(&self, is_first: impl Fn(usize) -> bool) -> [f64; MAX_SEATS] {
        let mut shares = [0.0; MAX_SEATS];
        let first = || (0..self.seats.len()).filter(|&seat| is_first(seat));
        let count = first().count().max(1);
        first().for_each(|seat| shares[seat] = 1.0 / count as f64);
        shares
    }
}
