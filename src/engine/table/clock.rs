//! The virtual clock of real-time games: who is busy until when, and who acts next.
//!
//! Time is counted in milliseconds from the beginning of the game and passes only here, so equal games take equal time.
//! The clock proposes who acts; a person may choose otherwise.

use crate::diagnostic::message;
use crate::table::choices::Choices;
use crate::table::decision::{Options, Play, Question};
use crate::table::value::{MAX_SEATS, NOTHING, Seat, Seats, Value};
use crate::table::{Fault, Table};

/// The random stream that decides which of several free seats acts.
const STREAM: &str = "next to act";

/// The latest time of the clock, in milliseconds: some 35 years.
const MAX_CLOCK_MILLISECONDS: i64 = 1 << 40;

/// The virtual time, and when each seat is free: at the beginning of a game, all are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    now: i64,
    free_at: [i64; MAX_SEATS],
}

/// The progress of a word that asks more than once, or that waits: the interpreter begins such a word again at each
/// question that was left open.
#[derive(Clone, Debug, Default)]
pub(super) struct WordProgress {
    /// The time until which the word waits, in milliseconds since the game began.
    until: i64,
    /// Number of seats that were asked.
    asked: usize,
    /// The seats that said yes.
    willing: Vec<Seat>,
}

impl Clock {
    /// The time in milliseconds since the game began.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// For how long a seat is still busy, in milliseconds; 0 where it is free.
    pub fn busy(&self, seat: Seat) -> i64 {
        (self.free_at[seat.index()] - self.now).max(0)
    }

    /// The moment `time` milliseconds from now; `None` where that has passed, or is later than any game.
    fn after(&self, time: i64) -> Option<i64> {
        self.now.checked_add(time).filter(|until| time >= 0 && *until <= MAX_CLOCK_MILLISECONDS)
    }
}

impl Table {
    /// The virtual clock.
    pub fn clock(&self) -> &Clock {
        &self.state.clock
    }

    /// Lets time pass until `moment`, in milliseconds since the game began: players who act in real time tell how late
    /// it is.
    ///
    /// # Errors
    /// `moment` has passed, or is later than any game.
    pub fn set_clock(&mut self, moment: i64) -> Result<(), Fault> {
        let now = self.state.clock.now;
        if !(now..=MAX_CLOCK_MILLISECONDS).contains(&moment) {
            return Err(Fault::rule(message!("the clock stands at {now} milliseconds and cannot be set to {moment}")));
        }
        self.state.clock.now = moment;
        Ok(())
    }

    /// Keeps a seat busy for `time` milliseconds from now on; 0 makes it free.
    ///
    /// # Errors
    /// `time` is negative, or longer than any game.
    pub fn busy_for(&mut self, seat: Seat, time: i64) -> Result<(), Fault> {
        let until = self
            .state
            .clock
            .after(time)
            .ok_or_else(|| Fault::rule(message!("nobody can be busy for {time} milliseconds")))?;
        self.state.clock.free_at[seat.index()] = until;
        // A change like any other: a function that is only asked something may not spend time.
        self.count_change()
    }

    /// The progress of the word that waits: from its beginning, or from where it was left.
    ///
    /// # Errors
    /// `time` is negative, or longer than any game; or nobody can be asked at present.
    fn word_progress(&mut self, what: &str, time: i64) -> Result<WordProgress, Fault> {
        if self.progress.is_silent {
            return Err(Fault::rule(message!("{what} cannot be asked here: nobody plays")));
        }
        if let Some(waiting) = self.progress.waiting.take() {
            return Ok(waiting);
        }
        let until = self.state.clock.after(time).ok_or_else(|| {
            Fault::rule(message!("{what} cannot wait for {time} milliseconds")).help(if time < 0 {
                "that time has passed: ask `clock()` before"
            } else {
                "wait for less"
            })
        })?;
        Ok(WordProgress { until, ..WordProgress::default() })
    }

    fn refuse_together(&self) -> Result<(), Fault> {
        match self.progress.together {
            None => Ok(()),
            Some(_) => Err(Fault::rule("nobody acts in real time while all choose together")),
        }
    }

    /// Lets time pass until `moment`; in a simultaneous choice only when all have chosen, so that nobody sees how long
    /// another one took.
    fn advance_until(&mut self, moment: i64) -> Result<(), Fault> {
        if self.progress.together.is_some() {
            self.progress.together_until = self.progress.together_until.max(moment);
            return Ok(());
        }
        self.state.clock.now = self.state.clock.now.max(moment);
        self.count_change()
    }

    /// Lets the time pass that the slowest player took for a simultaneous choice.
    pub(super) fn advance_by_slowest(&mut self) {
        let until = std::mem::take(&mut self.progress.together_until);
        self.state.clock.now = self.state.clock.now.max(until);
    }

    /// The time from which on a seat can act.
    fn free_from(&self, seat: Seat) -> i64 {
        let clock = &self.state.clock;
        clock.free_at[seat.index()].max(clock.now)
    }
}

impl Play<'_> {
    /// Asks who acts now, after the time until the first of the seats is free. The clock proposes that seat, or by
    /// chance one of several.
    ///
    /// # Errors
    /// There are no seats, or the answerer stops the run with a [`Halt`](crate::table::decision::Halt).
    pub fn next_to_act(&mut self, prompt: &str, seats: Seats) -> Result<Seat, Fault> {
        if seats.is_empty() {
            return Err(Fault::rule(message!("nobody could act for {prompt}"))
                .help("ask only while somebody can act, or say how long to wait: `next_to_act(list, 1000)`"));
        }
        let acts = self.first_of(prompt, seats, None)?;
        // Without a deadline, somebody acts.
        acts.ok_or_else(|| Fault::rule(message!("nobody acts for {prompt}")))
    }

    /// Asks who acts within `time` milliseconds from now; `None` where nobody does, and that much time has passed.
    /// Where there are no seats, nothing is asked.
    ///
    /// # Errors
    /// `time` is negative, or the answerer stops the run with a [`Halt`](crate::table::decision::Halt).
    pub fn next_to_act_within(&mut self, prompt: &str, seats: Seats, time: i64) -> Result<Option<Seat>, Fault> {
        self.table.refuse_together()?;
        let waiting = self.table.word_progress(prompt, time)?;
        if seats.is_empty() {
            self.table.advance_until(waiting.until)?;
            return Ok(None);
        }
        self.table.progress.waiting = Some(waiting.clone());
        let acts = self.first_of(prompt, seats, Some(waiting.until))?;
        self.table.progress.waiting = None;
        Ok(acts)
    }

    /// The seat that acts first; `None` where none acts before the deadline `until`.
    fn first_of(&mut self, prompt: &str, seats: Seats, until: Option<i64>) -> Result<Option<Seat>, Fault> {
        self.table.refuse_together()?;
        let seats = seats.as_slice();
        let table = &mut *self.table;
        let first = seats.iter().map(|seat| table.free_from(*seat)).min().unwrap_or_default();
        let free = (0..seats.len()).filter(|&position| table.free_from(seats[position]) == first);
        let free: Vec<usize> = if until.is_some_and(|until| first > until) { Vec::new() } else { free.collect() };
        let lot = if free.len() > 1 { table.chance.stream(STREAM).below(free.len()) } else { 0 };
        let options: Vec<Value> = seats.iter().copied().map(Value::Seat).chain(until.map(|_| Value::Nobody)).collect();
        table.state.clock.now = until.map_or(first, |until| first.min(until));
        let options = if until.is_some() { Options::Values(&options) } else { Options::Seats(seats) };
        let question = Question {
            // Where nobody is free in time, the clock proposes that nobody acts.
            by_clock: free.get(lot).copied().or(Some(seats.len())),
            deadline: until,
            ..Question::of(None, prompt, options)
        };
        let chosen = match self.decide(&question) {
            // An answer to this question has one position.
            Ok(chosen) => chosen.first().copied().unwrap_or(0),
            Err(fault) => {
                // The same question, put again, has to draw the same lot.
                if free.len() > 1 {
                    self.table.chance.undo_last_use(STREAM);
                }
                return Err(fault);
            }
        };
        let acts = seats.get(chosen).copied();
        if let (None, Some(until)) = (acts, until) {
            self.table.advance_until(until)?;
        }
        Ok(acts)
    }

    /// Asks a player who has `time` milliseconds for it, and gives the position of the chosen option; `None` where the
    /// time has passed. A player who is busy for longer is not asked.
    ///
    /// # Errors
    /// There is no legal option, or one called `nothing`; `time` is negative; or the answerer stops the run with a
    /// [`Halt`](crate::table::decision::Halt).
    pub fn choose_within(
        &mut self,
        question: &Question<'_>,
        seat: Seat,
        options: &Choices,
        time: i64,
    ) -> Result<Option<usize>, Fault> {
        if options.is_empty() {
            return Err(self.table.undecidable(question));
        }
        // The answer when the time is up has this name; nobody could tell the two apart.
        if options.iter().any(|option| self.table.option_label(&option) == NOTHING) {
            let message = message!("`{NOTHING}` cannot be an option of {}: it stands for no answer", question.prompt);
            let help = "give the option another name; its words in `[text]` may be any";
            return Err(Fault::rule(message).help(help));
        }
        let waiting = self.table.word_progress(question.prompt, time)?;
        let (until, begins) = (waiting.until, self.table.free_from(seat));
        if begins > until {
            self.table.advance_until(until)?;
            return Ok(None);
        }
        if self.table.progress.together.is_none() {
            self.table.state.clock.now = begins;
        }
        self.table.progress.waiting = Some(waiting);
        let with_none = options.with(&Choices::values(Value::Nothing));
        let question = Question { deadline: Some(until), options: Options::Choices(&with_none), ..*question };
        let chosen = self.decide(&question)?.first().copied().filter(|&position| position < options.len());
        self.table.progress.waiting = None;
        self.table.advance_until(if chosen.is_some() { begins } else { until })?;
        Ok(chosen)
    }

    /// Asks seats, one after the other, whether they do something, and gives the first that does; `None` where none
    /// does. Seats that have won or lost are not asked.
    ///
    /// # Errors
    /// The answerer stops the run with a [`Halt`](crate::table::decision::Halt).
    pub fn first_to(&mut self, prompt: &str, seats: Seats) -> Result<Option<Seat>, Fault> {
        let mut waiting = self.table.word_progress(prompt, 0)?;
        let seats = self.table.playing(seats);
        while let Some(&seat) = seats.as_slice().get(waiting.asked) {
            self.table.progress.waiting = Some(waiting.clone());
            let is_willing = self.says_yes(seat, prompt, None)?;
            self.table.progress.waiting = None;
            if is_willing {
                return Ok(Some(seat));
            }
            waiting.asked += 1;
        }
        Ok(None)
    }

    /// Asks seats at the same time whether they do something within `time` milliseconds. Of those that do, gives the
    /// first by the clock; `None` where none does. Seats that have won or lost, or are busy for longer, are not asked.
    ///
    /// # Errors
    /// `time` is negative; there is a simultaneous choice already; or the answerer stops the run with a
    /// [`Halt`](crate::table::decision::Halt).
    pub fn first_to_within(&mut self, prompt: &str, seats: Seats, time: i64) -> Result<Option<Seat>, Fault> {
        let is_new = self.table.progress.waiting.is_none();
        let mut waiting = self.table.word_progress(prompt, time)?;
        let until = waiting.until;
        let mut seats: Vec<Seat> = self.table.playing(seats).into_iter().collect();
        seats.retain(|seat| self.table.free_from(*seat) <= until);
        // Asked in seat order: the clock says who is the first.
        seats.sort_unstable();
        if is_new && !seats.is_empty() {
            self.table.begin_together()?;
        }
        while let Some(&seat) = seats.get(waiting.asked) {
            self.table.progress.waiting = Some(waiting.clone());
            if self.says_yes(seat, prompt, Some(until))? {
                waiting.willing.push(seat);
            }
            waiting.asked += 1;
        }
        if !seats.is_empty() {
            self.table.end_together();
        }
        let first = match waiting.willing.as_slice() {
            [] => {
                self.table.advance_until(until)?;
                None
            }
            [only] => {
                self.table.advance_until(self.table.free_from(*only))?;
                Some(*only)
            }
            several => {
                let several = several.iter().copied().collect();
                self.table.progress.waiting = Some(waiting.clone());
                self.first_of(prompt, several, None)?
            }
        };
        self.table.progress.waiting = None;
        Ok(first)
    }

    fn says_yes(&mut self, seat: Seat, prompt: &str, deadline: Option<i64>) -> Result<bool, Fault> {
        let question = Question { deadline, ..Question::of(Some(seat), prompt, Options::YesNo) };
        Ok(self.decide(&question)?.first() == Some(&0))
    }
}
