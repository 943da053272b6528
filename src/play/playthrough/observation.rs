//! The game as the asked agent sees it, and forks of it to search in. What its seat knows of the table is decided in
//! [`knowledge`](crate::table::knowledge).

use crate::playthrough::belief::DealSampler;
use crate::playthrough::determinize::GameSampler;
use crate::playthrough::hidden_choices::HiddenChoices;
use crate::script::End;
use crate::script::appraisal::Appraiser;
use crate::script::rules::{Rules, Run};
use crate::table::Table;
use crate::table::chance::Stream;
use crate::table::decision::{Answerer, Decision, Halt, Question};
use crate::table::knowledge::{View, Viewer, VisiblePast};
use crate::table::layout::Layout;
use crate::table::value::{Seat, Seats};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// An agent: a program that answers decisions for seats. It lives as long as it is asked to play on, and may keep
/// state.
pub trait Agent: Send {
    /// Called before decision number `_decision`, from 0. The agent reseeds its random numbers here, so that its choice
    /// does not depend on earlier calls.
    fn begin(&mut self, _decision: usize) {}

    /// Whether the agent searches in [forks](Observation::fork) for a seat. Others' hidden choices then have to be
    /// sampled, which costs a replay of the game so far.
    fn looks_ahead(&self, _seat: Option<Seat>) -> bool {
        true
    }

    /// The positions of the chosen options: as many as the decision allows, each once.
    fn choose(&mut self, game: &Observation<'_>) -> Vec<usize>;
}

/// A game that waits for an agent's answer: what the seat may know of it, and forks to try moves in.
pub struct Observation<'a> {
    rules: &'a Rules,
    run: &'a Run,
    decision: &'a Decision,
    past: Option<&'a HiddenChoices>,
    /// The run without recorded events, which forks copy; made for the first fork.
    bare: OnceCell<Run>,
    /// Samples of the other players' hidden choices, where there are any; set up for the first fork.
    worlds: OnceCell<Option<RefCell<GameSampler>>>,
    /// The seat's belief about hidden components, where the rules define `fn doubt(p)`.
    deals: Option<RefCell<DealSampler>>,
    /// Evaluates the rules' functions for agents.
    appraiser: RefCell<Appraiser>,
}

/// A copy of a game for an agent to try moves in. Everything the seat does not know is random in it: faces of hidden
/// components, hidden dice, hidden choices of others, and all random numbers from here on.
pub struct Fork<'a> {
    game: &'a Observation<'a>,
    run: Run,
}

impl Clone for Fork<'_> {
    fn clone(&self) -> Self {
        Self { game: self.game, run: self.run.clone() }
    }

    /// Reuses the allocated memory.
    fn clone_from(&mut self, of: &Self) {
        self.game = of.game;
        self.run.clone_from(&of.run);
    }
}

/// The state of a fork after it was played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialPosition {
    Over,
    /// A decision is open.
    Asks,
    /// The rules failed, or the work was stopped.
    Fails,
}

impl<'a> Observation<'a> {
    /// Observes a run at a decision, without hidden choices of others; see [`after`](Self::after) for those.
    pub fn new(rules: &'a Rules, run: &'a Run, decision: &'a Decision) -> Self {
        let deals = || Some(RefCell::new(DealSampler::new(decision.seat?, run.table.chance.seed(), decision.number)));
        let deals = rules.defines_doubt().then(deals).flatten();
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

    /// Adds the choices that the seat may not know.
    #[must_use]
    pub fn after(self, past: &'a HiddenChoices) -> Self {
        Self { past: Some(past), ..self }
    }

    /// Judges tables by an appraiser that may have judged others of the same rules.
    #[must_use]
    pub fn appraised_by(self, appraiser: Appraiser) -> Self {
        Self { appraiser: RefCell::new(appraiser), ..self }
    }

    /// The appraiser, for the next decision.
    pub fn into_appraiser(self) -> Appraiser {
        self.appraiser.into_inner()
    }

    /// The open decision and its options.
    pub fn decision(&self) -> &'a Decision {
        self.decision
    }

    /// The number of decisions made before this one.
    pub fn decisions_before(&self) -> usize {
        self.decision.number.saturating_sub(1)
    }

    /// The fixed part of the table.
    pub fn layout(&self) -> &'a Arc<Layout> {
        self.run.table.layout()
    }

    /// The score of a seat; scores are public.
    pub fn score(&self, seat: Seat) -> i64 {
        self.run.table.score(seat)
    }

    /// The table as the asked seat sees it, with all that it has ever seen; `None` where only the clock is asked.
    /// Unlike in a [fork](Self::fork), nothing in it is sampled.
    pub fn view(&self) -> Option<View> {
        let viewer = Viewer::Memory(self.decision.seat?);
        Some(View::of((self.layout(), self.run.table.state()), &[self.decision], &VisiblePast::default(), viewer))
    }

    /// The teams, which are public; a player without partners is a team of one.
    pub fn teams(&self) -> Vec<Seats> {
        self.run.table.teams(Seats::all(self.layout().seats))
    }

    /// Fills `weights` with the value of trying each option of a question, by the rules' own `fn policy(p, prompt,
    /// options)`. `false` where the function gives none.
    pub fn weights(&self, table: &Table, question: &Question<'_>, weights: &mut Vec<usize>) -> bool {
        self.rules.weights(table, question, &mut self.appraiser.borrow_mut(), weights)
    }

    /// Whether the work was stopped; a long search ends then.
    pub fn is_stopped(&self) -> bool {
        self.rules.work().is_stopped()
    }

    /// A fork of the game, with everything that the asked seat may not know drawn from `chance`.
    ///
    /// `None` where others made hidden choices and no game was found that is consistent with what the seat could tell:
    /// an agent that searched in the real game would know too much.
    pub fn fork(&self, chance: &mut Stream) -> Option<Fork<'_>> {
        let mut fork = None;
        self.fork_into(&mut fork, chance);
        fork
    }

    /// As [`fork`](Self::fork), reusing the memory of an earlier fork.
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

    /// As [`fork_into`](Self::fork_into), but other players' hidden components fit their choices, as far as the rules'
    /// own `fn doubt(p)` measures that.
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

    /// Whether a [fork](Self::fork) can be made.
    pub fn can_be_tried(&self) -> bool {
        self.is_stopped() || self.fork(&mut Stream::named(0, "whether it can be tried", 0)).is_some()
    }

    /// The sampler of other players' hidden choices; `None` where the seat knows all choices.
    fn worlds(&self) -> Option<&RefCell<GameSampler>> {
        let worlds = || self.past?.worlds(self.rules, self.run, self.decision.seat?).map(RefCell::new);
        self.worlds.get_or_init(worlds).as_ref()
    }

    /// Whether a hidden choice was made that nobody noted.
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
    /// Plays on as far as `answers` answers.
    pub fn go_on(&mut self, answers: &mut dyn Answerer) -> TrialPosition {
        match self.game.rules.resume(&mut self.run, answers) {
            End::Finished => TrialPosition::Over,
            End::Halted(Halt::Stopped) | End::Failed(_) | End::Endless(_) => TrialPosition::Fails,
            End::Halted(_) => TrialPosition::Asks,
        }
    }

    /// Answers the open decision with the options at `positions`, or else at random, and plays on at random until turn
    /// number `turn` has begun, as counted by [`Table::turns`].
    pub fn play_to_turn(&mut self, turn: usize, positions: Option<&[usize]>, chance: &mut Stream) -> TrialPosition {
        self.go_on(&mut FirstThenRandom { given: positions, turn: Some(turn), chance })
    }

    /// Answers the open decision with the options at `positions`, and plays on at random to the end. `false` where the
    /// rules fail.
    pub fn play_out(&mut self, positions: &[usize], chance: &mut Stream) -> bool {
        self.go_on(&mut FirstThenRandom { given: Some(positions), turn: None, chance }) != TrialPosition::Fails
    }

    /// The table of the fork.
    pub fn table(&self) -> &Table {
        &self.run.table
    }

    /// Fills `worths` with the value of the table for each seat, in order: by the rules' own `fn value(p)`, or else the
    /// score plus what the function named as `standing` would add, or else the score.
    pub fn worths(&self, worths: &mut Vec<i64>) {
        self.game.rules.seat_values(&self.run.table, &mut self.game.appraiser.borrow_mut(), worths);
    }

    /// The lead of the asked seat over the best opponent, in points.
    pub fn lead(&self) -> i64 {
        let table = &self.run.table;
        let scores: Vec<i64> = Seats::all(table.layout().seats).into_iter().map(|seat| table.score(seat)).collect();
        self.game.decision.seat.map_or(0, |seat| lead(table, &scores, seat))
    }
}

/// The lead of a seat over the best of those who are not its partners.
pub fn lead(table: &Table, worths: &[i64], seat: Seat) -> i64 {
    let own = worths.get(seat.index()).copied().unwrap_or_default();
    let others =
        Seats::all(worths.len()).into_iter().zip(worths).filter(|(other, _)| !table.are_partners(seat, *other));
    own.saturating_sub(others.map(|(_, worth)| *worth).max().unwrap_or_default())
}

/// Gives one fixed answer, then random ones.
struct FirstThenRandom<'a> {
    given: Option<&'a [usize]>,
    /// The turn to stop at once it has begun; `None` to play to the end.
    turn: Option<usize>,
    chance: &'a mut Stream,
}

impl Answerer for FirstThenRandom<'_> {
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

/// Fills `chosen` with random options, as many as the limits allow; with `by_clock` where the clock decides who acts.
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

/// As [`choose_at_random`] with weights for the options; options of weight 0 come last.
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
    use crate::definition::Library;
    use crate::games::shipped;
    use crate::ruleset::{Ruleset, Selection};
    use crate::script::Start;
    use crate::sorted::SortedMap;

    /// Chooses at random for a while, then leaves open the next decision of a seat, or the next at which the seat does
    /// not know all choices.
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
                match rules.resume(run, self) {
                    End::Halted(Halt::Paused) => self.past.begin(run),
                    end => return end,
                }
            }
        }
    }

    impl Answerer for RandomOpening {
        fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
            if self.past.needs_checkpoint(table, question) {
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

    /// The rules of a game for a number of players, or the next that it allows.
    fn rules_of(library: &Library, game: &str, players: usize) -> Rules {
        let ruleset = Arc::new(Ruleset::load(library, &Selection::of(game)).unwrap());
        let (least, most) = ruleset.definition.players;
        Rules::new(ruleset, players.max(least).min(most), Arc::default()).unwrap()
    }

    /// Hidden faces of one back can be permuted among its components without changing the game or what an agent
    /// chooses.
    #[test]
    fn no_agent_can_tell_which_component_lies_where() {
        let library = shipped();
        let mut renamed = 0;
        for game in library.games() {
            let rules = rules_of(&library, &game.id, 3);
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

    /// Permutes the faces of an empty table among components with the same back.
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

    /// Hidden components and secret choices may be permuted without changing what an agent chooses.
    #[test]
    fn no_agent_can_tell_what_its_seat_may_not_know() {
        let library = shipped();
        let (mut permuted, mut with_secrets) = (0, SortedMap::new());
        for game in library.games() {
            let rules = rules_of(&library, &game.id, 3);
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

    /// A fork is another run: the game itself does not move.
    #[test]
    fn what_is_tried_leaves_the_game_alone() {
        let library = shipped();
        let rules = rules_of(&library, &library.games()[0].id, 0);
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
