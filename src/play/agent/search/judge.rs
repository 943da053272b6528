//! The evaluation of positions at the end of an iteration: for each seat a result from 0 to 1.
//!
//! In a finished game, four fifths of the result are the win, shared among equals; one fifth depends on the lead over
//! the best opponent, or the distance behind. So an agent plays to win, and where it cannot, for the best score. In an
//! open game, half of the result is being first and half the lead; it never counts as much as a win, or as little as a
//! loss.
//!
//! Leads are scaled by those met before in the same search: a lead of the mean size is three quarters of the way from
//! the worst to the best. Finished games have a mean of their own, because leads are points there, and elsewhere a
//! value that rules may count in other units.

use crate::agent::search::proof::Proof;
use crate::playthrough::observation::{Fork, TrialPosition, lead};
use crate::table::Table;
use crate::table::value::{MAX_SEATS, Seat, Seats};

/// The number of samples from which the mean lead is estimated.
const LEAD_SAMPLES: u32 = 64;

/// The weight of the lead in the result of a finished game.
const FINISHED_LEAD_WEIGHT: f64 = 0.2;

/// The weight of the lead in the result of an open game.
const OPEN_LEAD_WEIGHT: f64 = 0.5;

/// The margin to 0 and 1 in the result of an open game.
const OPEN_RESULT_MARGIN: f64 = 0.05;

/// After this many equal leads at the near end, no difference is expected there.
const QUIET_SAMPLES: u32 = 16;

/// A running mean of the sizes of leads.
#[derive(Default)]
struct MeanLeadSize {
    sum: f64,
    measured: u32,
}

/// Evaluates the ends of one search's iterations.
pub(super) struct Judge {
    seats: Seats,
    worths: Vec<i64>,
    /// The result of each seat, from 0 to 1.
    pub(super) results: [f64; MAX_SEATS],
    /// The lead of each seat over the best opponent.
    pub(super) leads: [f64; MAX_SEATS],
    /// The share of the win of each seat at the last evaluation.
    shares: [f64; MAX_SEATS],
    /// The sizes of leads in open games, and in finished ones.
    before: MeanLeadSize,
    at_end: MeanLeadSize,
    /// The seat's lead at the near end while it is always the same, and the number of times it was met.
    near: Option<f64>,
    listened: u32,
}

impl MeanLeadSize {
    /// The mean size, after adding the leads of all seats at the last evaluation.
    fn usual(&mut self, leads: &[f64]) -> f64 {
        if self.measured < LEAD_SAMPLES {
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
            before: MeanLeadSize::default(),
            at_end: MeanLeadSize::default(),
            near: None,
            listened: 0,
        }
    }

    /// Notes the last evaluation as one at the near end.
    pub(super) fn listen(&mut self, seat: Option<Seat>) {
        let lead = self.leads[seat.map_or(0, Seat::index) % MAX_SEATS];
        if self.listened == 0 {
            self.near = Some(lead);
        }
        self.near = self.near.filter(|known| *known == lead);
        self.listened += 1;
    }

    /// Whether choices make no difference at the near end.
    pub(super) fn is_quiet(&self) -> bool {
        self.listened >= QUIET_SAMPLES && self.near.is_some()
    }

    /// Resets the results for a new iteration.
    pub(super) fn begin(&mut self) {
        self.results = [0.0; MAX_SEATS];
        self.leads = [0.0; MAX_SEATS];
    }

    /// Evaluates the end of an iteration, adding with `weight`. Where the rules failed, the table counts as it stands,
    /// because an error is no reason to play otherwise.
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
                TrialPosition::Over => mixed(FINISHED_LEAD_WEIGHT),
                _ => OPEN_RESULT_MARGIN + (1.0 - 2.0 * OPEN_RESULT_MARGIN) * mixed(OPEN_LEAD_WEIGHT),
            };
            self.results[seat] += weight * result;
            self.leads[seat] += weight * lead;
        }
        self.shares = shares;
    }

    /// The outcome of a finished two-player game for a seat; `None` where nobody has won, because then one player's
    /// loss is not the other's win.
    pub(super) fn proof(&self, seat: Option<Seat>) -> Option<Proof> {
        let share = self.shares[seat.map_or(0, Seat::index) % MAX_SEATS];
        (self.shares.iter().sum::<f64>() == 1.0).then(|| Proof::of(share))
    }

    /// The win, shared among the teams that are first; each partner gets the share of the team.
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
