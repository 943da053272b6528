//! The game as an agent sees it who is asked, and games that it may try. What its seat knows of the table is decided in
//! [`knowledge`](crate::table::knowledge).

use crate::script::End;
use crate::script::rules::{Rules, Run};
use crate::table::Table;
use crate::table::chance::Stream;
use crate::table::decision::{Answers, Decision, Halt, Question};
use crate::table::layout::Layout;
use crate::table::value::{Seat, Seats};
use std::sync::Arc;

/// Somebody who answers for seats. An agent lives as long as it is asked to play on, and may remember.
pub trait Agent: Send {
    /// The game stands before the decision of this number, from 0. What chance the agent has begins anew there, so that
    /// its choice is the same whether it was asked before or not.
    fn begin(&mut self, _decision: usize) {}

    /// The positions of the options that it chooses: as many as the decision allows, each once.
    fn choose(&mut self, game: &Observation<'_>) -> Vec<usize>;
}

/// A game that waits for an agent's answer: what the seat may know of it, and a way to try what would come.
pub struct Observation<'a> {
    rules: &'a Rules,
    run: &'a Run,
    decision: &'a Decision,
}

/// A game that an agent tries. Whatever the seat does not know is in it by chance: the faces of hidden components, the
/// dice that it does not see, and everything that chance gives from here on.
#[derive(Clone)]
pub struct Fork<'a> {
    rules: &'a Rules,
    run: Run,
    seat: Option<Seat>,
}

impl<'a> Observation<'a> {
    /// A run that has stopped at a decision.
    pub(super) fn new(rules: &'a Rules, run: &'a Run, decision: &'a Decision) -> Self {
        Self { rules, run, decision }
    }

    /// What is asked, and what may be answered.
    pub fn decision(&self) -> &'a Decision {
        self.decision
    }

    /// How many decisions were made before this one.
    pub fn decisions_before(&self) -> usize {
        self.decision.number.saturating_sub(1)
    }

    /// The fixed part of the table.
    pub fn layout(&self) -> &'a Arc<Layout> {
        self.run.table.layout()
    }

    /// The score of a seat, which is open to all.
    pub fn score(&self, seat: Seat) -> i64 {
        self.run.table.score(seat)
    }

    /// The game to try things in. All that the seat that is asked may not know is drawn from `chance`.
    pub fn fork(&self, chance: &mut Stream) -> Fork<'a> {
        let mut run = self.run.clone();
        run.table.imagine(self.decision.seat, chance);
        Fork { rules: self.rules, run, seat: self.decision.seat }
    }
}

impl Fork<'_> {
    /// Answers the open decision with the options at these positions, and plays on at random until the next turn begins;
    /// false where the rules fail there.
    pub fn play_turn(&mut self, positions: &[usize], chance: &mut Stream) -> bool {
        let turns = Some(self.run.table.turns());
        self.play(Trying { given: Some(positions), turns, chance })
    }

    /// Answers the open decision with the options at these positions, and plays on at random to the end; false where the
    /// rules fail on the way.
    pub fn play_out(&mut self, positions: &[usize], chance: &mut Stream) -> bool {
        self.play(Trying { given: Some(positions), turns: None, chance })
    }

    fn play(&mut self, mut trying: Trying<'_>) -> bool {
        let end = self.rules.go_on(&mut self.run, &mut trying);
        matches!(end, End::Finished | End::Halted(_))
    }

    /// By how much the seat is ahead of the best of the others.
    pub fn lead(&self) -> i64 {
        let table = &self.run.table;
        let score = |seat: Seat| table.score(seat);
        let others = Seats::all(table.layout().seats).into_iter().filter(|seat| Some(*seat) != self.seat);
        let best = others.map(score).max().unwrap_or(0);
        self.seat.map_or(0, score).saturating_sub(best)
    }
}

/// Answers once as was given, and then at random.
struct Trying<'a> {
    given: Option<&'a [usize]>,
    /// The turn that it ends with; none to go on to the end of the game.
    turns: Option<usize>,
    chance: &'a mut Stream,
}

impl Answers for Trying<'_> {
    fn begin(&mut self, _table: &mut Table) {}

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        if let Some(given) = self.given.take() {
            chosen.extend_from_slice(given);
            return Ok(());
        }
        if self.turns.is_some_and(|turns| table.turns() != turns) {
            return Err(Halt::Paused);
        }
        let count = (question.options.len(), question.min, question.max);
        choose_at_random(count, question.by_clock, self.chance, chosen);
        Ok(())
    }

    fn intervene(&mut self, _table: &mut Table) {}
}

/// Puts the positions of as many options into `chosen` as may be chosen, at random. Who acts in real time is for the
/// clock to say.
pub fn choose_at_random(
    (options, min, max): (usize, usize, usize),
    by_clock: Option<usize>,
    stream: &mut Stream,
    chosen: &mut Vec<usize>,
) {
    if let Some(position) = by_clock {
        chosen.push(position);
        return;
    }
    if (min, max) == (1, 1) {
        chosen.push(stream.below(options));
        return;
    }
    let wanted = min + stream.below(max - min + 1);
    let mut positions: Vec<usize> = (0..options).collect();
    stream.shuffle(&mut positions);
    chosen.extend(positions.into_iter().take(wanted));
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::agent::KINDS;
    use crate::games::shipped;
    use crate::ruleset::{Ruleset, Selection};
    use crate::script::Start;

    /// Chooses at random for a while, and leaves the next decision of a seat open.
    struct ForAWhile {
        left: usize,
        chance: Stream,
    }

    impl Answers for ForAWhile {
        fn begin(&mut self, _table: &mut Table) {}

        fn answer(&mut self, _table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
            if self.left == 0 && question.seat.is_some() {
                return Err(Halt::Open);
            }
            self.left = self.left.saturating_sub(1);
            let count = (question.options.len(), question.min, question.max);
            choose_at_random(count, question.by_clock, &mut self.chance, chosen);
            Ok(())
        }

        fn intervene(&mut self, _table: &mut Table) {}
    }

    /// What lies hidden may be permuted under an agent, and it chooses the same.
    #[test]
    fn no_agent_can_tell_what_its_seat_may_not_know() {
        let library = shipped();
        let mut permuted = 0;
        for game in library.games() {
            let selection = Selection { game: game.id.clone(), ..Selection::default() };
            let ruleset = Arc::new(Ruleset::load(&library, &selection).unwrap());
            let seats = ruleset.definition.players.0.max(3).min(ruleset.definition.players.1);
            let rules = Rules::new(ruleset, seats, Arc::default()).unwrap();
            for seed in 0..6 {
                let mut run = rules.begin(&Start::Game, seed);
                let left = 3 + 5 * seed as usize;
                let mut asked = ForAWhile { left, chance: Stream::named(seed, "for a while", 0) };
                if rules.go_on(&mut run, &mut asked) != End::Halted(Halt::Open) {
                    continue;
                }
                let open = run.table.open().unwrap().clone();
                let mut other = run.clone();
                other.table.determinize(open.seat.unwrap(), &mut Stream::named(seed, "otherwise", 0));
                permuted += usize::from(other.table.faces() != run.table.faces());
                for kind in KINDS {
                    let choose = |run: &Run| (kind.new)(seed).choose(&Observation::new(&rules, run, &open));
                    assert_eq!(choose(&run), choose(&other), "{} {} --seed {seed}", kind.name, game.id);
                }
            }
        }
        assert!(permuted > 10, "{permuted} tables had something to permute");
    }

    /// The run that is tried in is another one: the game stands where it stood.
    #[test]
    fn what_is_tried_leaves_the_game_alone() {
        let library = shipped();
        let selection = Selection { game: library.games()[0].id.clone(), ..Selection::default() };
        let ruleset = Arc::new(Ruleset::load(&library, &selection).unwrap());
        let rules = Rules::new(ruleset.clone(), ruleset.definition.players.0, Arc::default()).unwrap();
        let mut run = rules.begin(&Start::Game, 1);
        let mut asked = ForAWhile { left: 4, chance: Stream::named(1, "for a while", 0) };
        assert_eq!(rules.go_on(&mut run, &mut asked), End::Halted(Halt::Open));
        let (before, open) = (run.table.snapshot(), run.table.open().unwrap().clone());
        let mut chance = Stream::named(1, "trying", 0);
        let mut fork = Observation::new(&rules, &run, &open).fork(&mut chance);
        assert!(fork.play_turn(&[0], &mut chance));
        assert_eq!(before, run.table.snapshot());
        assert_ne!(before, fork.run.table.snapshot());
    }
}
