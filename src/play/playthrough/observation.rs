//! The game as an agent sees it who is asked, and games that it may try. What its seat knows of the table is decided in
//! [`knowledge`](crate::table::knowledge).

use crate::playthrough::belief::Deals;
use crate::playthrough::determinize::Worlds;
use crate::playthrough::hidden_choices::HiddenChoices;
use crate::script::End;
use crate::script::appraisal::Appraiser;
use crate::script::rules::{Rules, Run};
use crate::table::Table;
use crate::table::chance::Stream;
use crate::table::decision::{Answers, Decision, Halt, Question};
use crate::table::knowledge::{Past, View, Viewer};
use crate::table::layout::Layout;
use crate::table::value::{Seat, Seats};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// Somebody who answers for seats. An agent lives as long as it is asked to play on, and may remember.
pub trait Agent: Send {
    /// The game stands before the decision of this number, from 0. What chance the agent has begins anew there, so that
    /// its choice is the same whether it was asked before or not.
    fn begin(&mut self, _decision: usize) {}

    /// Whether it tries things in [forks](Observation::fork) for a seat, for which others' secrets have to be made
    /// otherwise: that costs a run of the game so far.
    fn looks_ahead(&self, _seat: Option<Seat>) -> bool {
        true
    }

    /// The positions of the options that it chooses: as many as the decision allows, each once.
    fn choose(&mut self, game: &Observation<'_>) -> Vec<usize>;
}

/// A game that waits for an agent's answer: what the seat may know of it, and a way to try what would come.
pub struct Observation<'a> {
    rules: &'a Rules,
    run: &'a Run,
    decision: &'a Decision,
    past: Option<&'a HiddenChoices>,
    /// The run without what was recorded, of which forks are copies; made with the first of them.
    bare: OnceCell<Run>,
    /// Where the seat does not know all choices, games in which they are others; found out with the first fork.
    worlds: OnceCell<Option<RefCell<Worlds>>>,
    /// What the seat thinks that others hold, where the rules say how much speaks against it.
    deals: Option<RefCell<Deals>>,
    /// Where the rules are asked about tables.
    appraiser: RefCell<Appraiser>,
}

/// A game that an agent tries. Whatever the seat does not know is in it by chance: the faces of hidden components, the
/// dice that it does not see, what others chose and it was not told, and everything that chance gives from here on.
pub struct Fork<'a> {
    game: &'a Observation<'a>,
    run: Run,
}

impl Clone for Fork<'_> {
    fn clone(&self) -> Self {
        Self { game: self.game, run: self.run.clone() }
    }

    /// In the memory that it has.
    fn clone_from(&mut self, of: &Self) {
        self.game = of.game;
        self.run.clone_from(&of.run);
    }
}

/// Where a game stands that an agent has tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialPosition {
    Over,
    /// Somebody is asked, and it could go on.
    Asks,
    /// The rules fail there, or somebody stopped the work.
    Fails,
}

impl<'a> Observation<'a> {
    /// A run that has stopped at a decision, and in which nobody has chosen anything that the seat does not know; see
    /// [`after`](Self::after) where somebody has.
    pub fn new(rules: &'a Rules, run: &'a Run, decision: &'a Decision) -> Self {
        let deals = || Some(RefCell::new(Deals::new(decision.seat?, run.table.chance.seed(), decision.number)));
        let deals = rules.have_doubts().then(deals).flatten();
        Self {
            rules,
            run,
            decision,
            past: None,
            bare: OnceCell::new(),
            worlds: OnceCell::new(),
            deals,
            appraiser: RefCell::default(),
        }
    }

    /// The same with the choices that the seat may not know.
    #[must_use]
    pub fn after(self, past: &'a HiddenChoices) -> Self {
        Self { past: Some(past), ..self }
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

    /// The table as the seat sees it that is asked, with all that it has ever seen; `None` where nobody is asked, but the clock.
    /// Unlike in a [fork](Self::fork), nothing in it is imagined.
    pub fn view(&self) -> Option<View> {
        let viewer = Viewer::Memory(self.decision.seat?);
        Some(View::of((self.layout(), self.run.table.state()), &[self.decision], &Past::default(), viewer))
    }

    /// Who plays together, which is open to all: the players by teams, whoever plays alone being one.
    pub fn teams(&self) -> Vec<Seats> {
        self.run.table.teams(Seats::all(self.layout().seats))
    }

    /// Puts into `weights` how much the options of a question are worth trying by the rules' own
    /// `fn policy(p, prompt, options)`; false where it has nothing to say about them.
    pub fn weights(&self, table: &Table, question: &Question<'_>, weights: &mut Vec<usize>) -> bool {
        self.rules.weights(table, question, &mut self.appraiser.borrow_mut(), weights)
    }

    /// Whether somebody has asked the work to stop: an agent that tries for long ends there.
    pub fn is_stopped(&self) -> bool {
        self.rules.work().is_stopped()
    }

    /// The game to try things in. All that the seat that is asked may not know is drawn from `chance`.
    ///
    /// Nothing where the seat does not know what others chose, and no game was found in which they chose otherwise and
    /// everything that the seat could tell is the same: an agent that tried the game as it is would know too much.
    pub fn fork(&self, chance: &mut Stream) -> Option<Fork<'_>> {
        let mut fork = None;
        self.fork_into(&mut fork, chance);
        fork
    }

    /// As [`fork`](Self::fork), in the memory of an earlier fork if there is one.
    pub fn fork_into<'f, 'm>(
        &'f self,
        memory: &'m mut Option<Fork<'f>>,
        chance: &mut Stream,
    ) -> Option<&'m mut Fork<'f>> {
        let earlier = memory.take();
        let fork = match self.worlds() {
            Some(worlds) => self.copy_of(&worlds.borrow_mut().draw(self.rules, chance)?.run, earlier),
            None if self.is_blind() => return None,
            None => self.copy_of(self.bare(), earlier),
        };
        let fork = memory.insert(fork);
        fork.run.table.imagine(self.decision.seat, chance);
        Some(fork)
    }

    fn copy_of<'f>(&'f self, run: &Run, earlier: Option<Fork<'f>>) -> Fork<'f> {
        match earlier {
            Some(mut fork) => {
                fork.game = self;
                fork.run.clone_from(run);
                fork
            }
            None => Fork { game: self, run: run.clone() },
        }
    }

    /// As [`fork_into`](Self::fork_into), but what others hold is not any deal that could be: it fits what they have done,
    /// as far as the rules' own `fn doubt(p)` says how well it does.
    pub fn likely_fork_into<'f, 'm>(
        &'f self,
        memory: &'m mut Option<Fork<'f>>,
        chance: &mut Stream,
    ) -> Option<&'m mut Fork<'f>> {
        let fork = self.fork_into(memory, chance)?;
        if let Some(deals) = &self.deals {
            deals.borrow_mut().lay(self.rules, &mut self.appraiser.borrow_mut(), &mut fork.run.table, chance);
        }
        Some(fork)
    }

    /// Whether there is a game to try things in: see [`fork`](Self::fork).
    pub fn can_be_tried(&self) -> bool {
        self.is_stopped() || self.fork(&mut Stream::named(0, "whether it can be tried", 0)).is_some()
    }

    /// The games in which others chose otherwise, where the seat does not know all choices.
    fn worlds(&self) -> Option<&RefCell<Worlds>> {
        let worlds = || self.past?.worlds(self.rules, self.run, self.decision.seat?).map(RefCell::new);
        self.worlds.get_or_init(worlds).as_ref()
    }

    /// Whether somebody chose what the seat does not know and nobody noted it.
    fn is_blind(&self) -> bool {
        let Some(seat) = self.decision.seat.filter(|_| self.past.is_none()) else { return false };
        let choices = &self.run.table.state().known.choices;
        choices.iter().any(|choice| choice.known & seat.bit() == 0)
    }

    fn bare(&self) -> &Run {
        self.bare.get_or_init(|| {
            let mut run = self.run.clone();
            run.table.finish();
            run
        })
    }
}

impl Fork<'_> {
    /// Goes on as far as somebody answers.
    pub fn go_on(&mut self, answers: &mut dyn Answers) -> TrialPosition {
        match self.game.rules.go_on(&mut self.run, answers) {
            End::Finished => TrialPosition::Over,
            End::Halted(Halt::Stopped) | End::Failed(_) | End::Endless(_) => TrialPosition::Fails,
            End::Halted(_) => TrialPosition::Asks,
        }
    }

    /// Answers the open decision with the options at these positions, or else at random, and plays on at random until the
    /// turn of this number has begun, as in [`Table::turns`].
    pub fn play_to_turn(&mut self, turn: usize, positions: Option<&[usize]>, chance: &mut Stream) -> TrialPosition {
        self.go_on(&mut FirstThenRandom { given: positions, turn: Some(turn), chance })
    }

    /// Answers the open decision with the options at these positions, and plays on at random to the end; false where the
    /// rules fail on the way.
    pub fn play_out(&mut self, positions: &[usize], chance: &mut Stream) -> bool {
        self.go_on(&mut FirstThenRandom { given: Some(positions), turn: None, chance }) != TrialPosition::Fails
    }

    /// The table as it stands there.
    pub fn table(&self) -> &Table {
        &self.run.table
    }

    /// What the table is worth to each seat, in their order: by the rules' own `fn value(p)`, or else by the score with
    /// what the function would add that the definition names as `standing`, or else by the score.
    pub fn worths(&self, worths: &mut Vec<i64>) {
        self.game.rules.worths(&self.run.table, &mut self.game.appraiser.borrow_mut(), worths);
    }

    /// By how much the seat is ahead of the best of the others, in points.
    pub fn lead(&self) -> i64 {
        let table = &self.run.table;
        let scores: Vec<i64> = Seats::all(table.layout().seats).into_iter().map(|seat| table.score(seat)).collect();
        self.game.decision.seat.map_or(0, |seat| lead(table, &scores, seat))
    }
}

/// By how much a seat is ahead of the best of those who do not play with it.
pub fn lead(table: &Table, worths: &[i64], seat: Seat) -> i64 {
    let own = worths.get(seat.index()).copied().unwrap_or_default();
    let others =
        Seats::all(worths.len()).into_iter().zip(worths).filter(|(other, _)| !table.are_partners(seat, *other));
    own.saturating_sub(others.map(|(_, worth)| *worth).max().unwrap_or_default())
}

/// Answers once as was given, and then at random.
struct FirstThenRandom<'a> {
    given: Option<&'a [usize]>,
    /// It ends as this turn has begun; none to go on to the end of the game.
    turn: Option<usize>,
    chance: &'a mut Stream,
}

impl Answers for FirstThenRandom<'_> {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        if let Some(given) = self.given.take() {
            chosen.extend_from_slice(given);
            return Ok(());
        }
        if self.turn.is_some_and(|turn| table.turns() >= turn) {
            return Err(Halt::Paused);
        }
        let count = (question.options.len(), question.min, question.max);
        choose_at_random(count, question.by_clock, self.chance, chosen);
        Ok(())
    }
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

/// As [`choose_at_random`] with weights for the options; those of weight 0 come last.
pub fn choose_by_weight(
    (min, max): (usize, usize),
    weights: &mut [usize],
    stream: &mut Stream,
    chosen: &mut Vec<usize>,
) {
    let wanted = min + stream.below(max - min + 1);
    while chosen.len() < wanted {
        let total: usize = weights.iter().sum();
        let mut drawn = stream.below(total);
        let by_weight = weights.iter().position(|&weight| {
            let is_drawn = drawn < weight;
            drawn = drawn.saturating_sub(weight);
            is_drawn
        });
        let position = by_weight.or_else(|| (0..weights.len()).find(|position| !chosen.contains(position)));
        let Some(position) = position else { return };
        weights[position] = 0;
        chosen.push(position);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::agent::AgentSpec;
    use crate::games::shipped;
    use crate::ruleset::{Ruleset, Selection};
    use crate::script::Start;
    use std::collections::BTreeMap;

    /// Chooses at random for a while, and leaves the next decision of a seat open, or the next at which the seat does not
    /// know all choices.
    struct RandomOpening {
        left: usize,
        is_for_secrets: bool,
        chance: Stream,
        past: HiddenChoices,
    }

    impl RandomOpening {
        fn new(seed: u64, left: usize, is_for_secrets: bool) -> Self {
            Self { left, is_for_secrets, chance: Stream::named(seed, "for a while", 0), past: HiddenChoices::default() }
        }

        fn play(&mut self, rules: &Rules, run: &mut Run) -> End {
            loop {
                match rules.go_on(run, self) {
                    End::Halted(Halt::Paused) => self.past.begin(run),
                    end => return end,
                }
            }
        }
    }

    impl Answers for RandomOpening {
        fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
            if self.past.wants_copy(table, question) {
                return Err(Halt::Paused);
            }
            let is_meant = |seat| !self.is_for_secrets || self.past.hides_from(seat, table);
            if self.left == 0 && question.seat.is_some_and(is_meant) {
                return Err(Halt::Open);
            }
            self.left = self.left.saturating_sub(1);
            let count = (question.options.len(), question.min, question.max);
            choose_at_random(count, question.by_clock, &mut self.chance, chosen);
            self.past.note(table, question, chosen);
            Ok(())
        }
    }

    /// Which component has which face, within those of one back, is for nobody to see: with other components the same
    /// game is played, and an agent chooses the same, though hidden faces are others in it.
    #[test]
    fn no_agent_can_tell_which_component_lies_where() {
        let library = shipped();
        let mut renamed = 0;
        for game in library.games() {
            let selection = Selection { game: game.id.clone(), ..Selection::default() };
            let ruleset = Arc::new(Ruleset::load(&library, &selection).unwrap());
            let seats = ruleset.definition.players.0.max(3).min(ruleset.definition.players.1);
            let rules = Rules::new(ruleset, seats, Arc::default()).unwrap();
            for seed in 0..3 {
                let mut stream = Stream::named(seed, "other components", 0);
                let mut play = |with_others: bool| {
                    let mut run = rules.begin(&Start::Game, seed);
                    if with_others {
                        let mut table = run.table.snapshot();
                        rename_components(rules.layout(), &mut table, &mut stream);
                        run.table.restore(table);
                    }
                    let mut asked = RandomOpening::new(seed, 3 + 5 * seed as usize, false);
                    (asked.play(&rules, &mut run) == End::Halted(Halt::Open)).then_some((run, asked.past))
                };
                let (Some((run, past)), Some((mut other, other_past))) = (play(false), play(true)) else { continue };
                let open = run.table.open().unwrap().clone();
                let labels = |run: &Run| -> Vec<String> {
                    run.table.open().unwrap().options.iter().map(|option| option.label.clone()).collect()
                };
                assert_eq!(labels(&run), labels(&other), "{} --seed {seed}", game.id);
                other.table.determinize(open.seat.unwrap(), &mut stream);
                renamed += usize::from(other.table.state().zones != run.table.state().zones);
                for agent in ["greedy", "search:40"] {
                    let agent = AgentSpec::parse(agent, None).unwrap();
                    let choose = |run: &Run, past: &HiddenChoices| {
                        let open = run.table.open().unwrap().clone();
                        agent.agent(seed).choose(&Observation::new(&rules, run, &open).after(past))
                    };
                    assert_eq!(choose(&run, &past), choose(&other, &other_past), "{agent} {} --seed {seed}", game.id);
                }
            }
        }
        assert!(renamed > 20, "{renamed} tables had other components");
    }

    /// Puts each face of a table on which nothing lies yet on another component with the same back.
    fn rename_components(layout: &Layout, table: &mut crate::table::State, stream: &mut Stream) {
        let mut handles: Vec<usize> = (0..layout.faces.len()).collect();
        stream.shuffle(&mut handles);
        handles.sort_by_key(|&handle| layout.backs[handle]);
        let (faces, sides) = (table.faces.clone(), table.sides.clone());
        let mut by_back: Vec<usize> = (0..layout.faces.len()).collect();
        by_back.sort_by_key(|&face| layout.backs[face]);
        for (handle, face) in handles.into_iter().zip(by_back) {
            (table.faces[handle], table.sides[handle]) = (faces[face], sides[face]);
        }
    }

    /// What lies hidden and what was chosen in secret may be permuted under an agent, and it chooses the same.
    #[test]
    fn no_agent_can_tell_what_its_seat_may_not_know() {
        let library = shipped();
        let (mut permuted, mut with_secrets) = (0, BTreeMap::new());
        for game in library.games() {
            let selection = Selection { game: game.id.clone(), ..Selection::default() };
            let ruleset = Arc::new(Ruleset::load(&library, &selection).unwrap());
            let seats = ruleset.definition.players.0.max(3).min(ruleset.definition.players.1);
            let rules = Rules::new(ruleset, seats, Arc::default()).unwrap();
            for seed in 0..12 {
                let mut run = rules.begin(&Start::Game, seed);
                let mut asked = RandomOpening::new(seed, 3 + 5 * (seed as usize % 6), seed >= 6);
                if asked.play(&rules, &mut run) != End::Halted(Halt::Open) {
                    continue;
                }
                let open = run.table.open().unwrap().clone();
                let seat = open.seat.unwrap();
                let stream = &mut Stream::named(seed, "otherwise", 0);
                let (mut other, mut past) = (run.clone(), asked.past.clone());
                if let Some(mut worlds) = asked.past.worlds(&rules, &run, seat) {
                    let world = worlds.draw(&rules, stream).expect(&game.id);
                    (other, past) = (world.run.clone(), world.past.clone());
                    *with_secrets.entry(game.id.clone()).or_insert(0) += usize::from(!past.is_like(&asked.past));
                } else {
                    other.table.determinize(seat, stream);
                }
                permuted += usize::from(other.table.faces() != run.table.faces());
                for agent in ["random", "greedy", "search:40"] {
                    let agent = AgentSpec::parse(agent, None).unwrap();
                    let choose = |run: &Run, past: &HiddenChoices| {
                        let open = run.table.open().unwrap().clone();
                        agent.agent(seed).choose(&Observation::new(&rules, run, &open).after(past))
                    };
                    assert_eq!(choose(&run, &asked.past), choose(&other, &past), "{agent} {} --seed {seed}", game.id);
                }
            }
        }
        assert!(permuted > 10, "{permuted} tables had something to permute");
        let other = with_secrets.values().filter(|count| **count > 2).count();
        assert!(other >= 2, "other choices were made in secret: {with_secrets:?}");
    }

    /// The run that is tried in is another one: the game stands where it stood.
    #[test]
    fn what_is_tried_leaves_the_game_alone() {
        let library = shipped();
        let selection = Selection { game: library.games()[0].id.clone(), ..Selection::default() };
        let ruleset = Arc::new(Ruleset::load(&library, &selection).unwrap());
        let rules = Rules::new(ruleset.clone(), ruleset.definition.players.0, Arc::default()).unwrap();
        let mut run = rules.begin(&Start::Game, 1);
        assert_eq!(RandomOpening::new(1, 4, false).play(&rules, &mut run), End::Halted(Halt::Open));
        let (before, open) = (run.table.snapshot(), run.table.open().unwrap().clone());
        let mut chance = Stream::named(1, "trying", 0);
        let game = Observation::new(&rules, &run, &open);
        let mut fork = game.fork(&mut chance).unwrap();
        assert_eq!(fork.play_to_turn(fork.table().turns() + 1, Some(&[0]), &mut chance), TrialPosition::Asks);
        assert_eq!(before, run.table.snapshot());
        assert_ne!(before, fork.run.table.snapshot());
    }
}
