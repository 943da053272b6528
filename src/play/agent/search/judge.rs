//! What a game that was tried is worth to each seat: a number from 0 to 1.
//!
//! Where it is over, that is who has won, shared among equals; a fifth is left for how far the seat is ahead of the best of
//! the others or behind the first. So an agent plays to win, and where it cannot, for what it can get. Where it could go on,
//! one half is who is first now, and one half the lead; and it is never worth as much as a win, or as little as a loss.
//!
//! How much a point of lead counts goes by the leads that were met before in the same search: a lead of the mean size
//! counts three quarters of the way from as far behind as possible to as far ahead. Leads where it is over have a mean of
//! their own, for there they are points, and elsewhere what rules may count in something else.

use crate::agent::search::proof::Proof;
use crate::playthrough::observation::{Fork, TrialPosition, lead};
use crate::table::Table;
use crate::table::value::{MAX_SEATS, Seat, Seats};

/// After so many results the size of leads is known.
const MEASURED: u32 = 64;

/// How much of a result is the lead, where the game is over.
const LEAD_AT_END: f64 = 0.2;

/// How much of a result is the lead, where it could go on.
const LEAD_BEFORE: f64 = 0.5;

/// How near to 0 and 1 a result comes where the game could go on.
const UNDECIDED: f64 = 0.05;

/// After so many equal ones nothing else is expected at the near end.
const QUIET: u32 = 16;

/// How large leads are, as far as they are measured.
#[derive(Default)]
struct Sizes {
    sum: f64,
    measured: u32,
}

/// Judges the ends of one search.
pub(super) struct Judge {
    seats: Seats,
    worths: Vec<i64>,
    results: [f64; MAX_SEATS],
    leads: [f64; MAX_SEATS],
    /// What share of the win each seat has where it was looked at last.
    shares: [f64; MAX_SEATS],
    /// How large leads are where it could go on, and where it is over.
    before: Sizes,
    at_end: Sizes,
    /// The lead of the seat at the near end, as long as it was always the same, and how often it was met.
    near: Option<f64>,
    listened: u32,
}

impl Sizes {
    /// Their mean, with those of all seats where it was looked at last.
    fn usual(&mut self, leads: &[f64]) -> f64 {
        if self.measured < MEASURED {
            self.measured += 1;
            self.sum += leads.iter().map(|lead| lead.abs()).sum::<f64>() / leads.len().max(1) as f64;
        }
        self.sum / f64::from(self.measured)
    }
}

impl Judge {
    pub(super) fn new(seats: usize) -> Self {
        Self {
            seats: Seats::all(seats),
            worths: Vec::new(),
            results: [0.0; MAX_SEATS],
            leads: [0.0; MAX_SEATS],
            shares: [0.0; MAX_SEATS],
            before: Sizes::default(),
            at_end: Sizes::default(),
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

    /// Looks at where a game ended that was tried. Where the rules failed, it counts as it stood there: a fault is no
    /// reason to play otherwise.
    pub(super) fn judge(&mut self, fork: &Fork<'_>, tried: TrialPosition, weight: f64) {
        if weight == 0.0 {
            return;
        }
        let table = fork.table();
        let shares = match tried {
            TrialPosition::Over => {
                self.worths.clear();
                self.worths.extend(self.seats.into_iter().map(|seat| table.score(seat)));
                let first = table.winners();
                self.shares(table, |seat| first.contains(&Seats::all(MAX_SEATS).as_slice()[seat]))
            }
            TrialPosition::Asks | TrialPosition::Fails => {
                fork.worths(&mut self.worths);
                let best = self.worths.iter().max().copied().unwrap_or_default();
                self.shares(table, |seat| self.worths.get(seat) == Some(&best))
            }
        };
        let mut leads = [0.0; MAX_SEATS];
        for seat in self.seats {
            leads[seat.index()] = lead(table, &self.worths, seat) as f64;
        }
        let sizes = if tried == TrialPosition::Over { &mut self.at_end } else { &mut self.before };
        let usual = sizes.usual(leads.get(..self.seats.len()).unwrap_or_default());
        for seat in self.seats.into_iter().map(Seat::index) {
            let lead: f64 = leads[seat];
            let ahead = if lead == 0.0 { 0.5 } else { 0.5 + 0.5 * lead / (lead.abs() + usual) };
            let mixed = |part: f64| (1.0 - part) * shares[seat] + part * ahead;
            let result = match tried {
                TrialPosition::Over => mixed(LEAD_AT_END),
                _ => UNDECIDED + (1.0 - 2.0 * UNDECIDED) * mixed(LEAD_BEFORE),
            };
            self.results[seat] += weight * result;
            self.leads[seat] += weight * lead;
        }
        self.shares = shares;
    }

    /// How it ended for a seat of two, where it is over; nothing where nobody has won, for then what one loses is not what
    /// the other wins.
    pub(super) fn proof(&self, seat: Option<Seat>) -> Option<Proof> {
        let share = self.shares[seat.map_or(0, Seat::index) % MAX_SEATS];
        (self.shares.iter().sum::<f64>() == 1.0).then(|| Proof::of(share))
    }

    /// The win shared among the teams that are first: each of the partners has what the team has.
    fn shares(&self, table: &Table, is_first: impl Fn(usize) -> bool) -> [f64; MAX_SEATS] {
        let mut shares = [0.0; MAX_SEATS];
        let first = || self.seats.into_iter().filter(|seat| is_first(seat.index()));
        let is_new =
            |seat: &Seat| !first().take_while(|other| other != seat).any(|other| table.are_partners(*seat, other));
        let teams = first().filter(is_new).count().max(1);
        first().for_each(|seat| shares[seat.index()] = 1.0 / teams as f64);
        shares
    }
}
