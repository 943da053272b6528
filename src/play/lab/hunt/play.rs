//! Plays a test case and observes it.

use super::FindKind;
use super::case::{Case, Choice, Tail, kept, last, meant, simplest};
use super::compiled::{CompiledRules, mix_text};
use crate::agent::search::mix;
use crate::agent::{GameSize, Random, SeatedAgents};
use crate::diagnostic::{Diagnostic, Diagnostics, message};
use crate::lab::coverage::StepCounts;
use crate::playthrough::campaign;
use crate::playthrough::driver::{self, DecidedBy, Players};
use crate::playthrough::hidden_choices::HiddenChoices;
use crate::playthrough::log::{Entry, LogEntry};
use crate::playthrough::observation::Agent as _;
use crate::playthrough::run::choice_made;
use crate::script::appraisal::Appraiser;
use crate::script::host_functions::{INVARIANT, host_function};
use crate::script::machine::counts::RunHook;
use crate::script::rules::{Rules, Run};
use crate::script::{End, Start};
use crate::sorted::SortedSet;
use crate::table::Table;
use crate::table::decision::{Answerer as _, Halt, Options, Question};
use crate::table::value::{Seat, Value};

/// The most decisions of one playout of an agent, since rules under test may never end.
const MAX_DECISIONS_IN_A_PLAYOUT: usize = 1_000;

/// The most decisions of a campaign game played before the case's game.
const MAX_EARLIER_DECISIONS: usize = 4_000;

/// What to observe while a case is played, and when to end it.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlayOptions {
    /// The number of tail decisions after which a game goes on at random, since players with other tails may go round
    /// forever.
    pub by_ending: Option<usize>,
    /// The number of decisions after which the game is cut; `None` for the limit of the rules.
    pub most: Option<usize>,
    /// Whether a game that was cut counts as endless.
    pub cut_is_endless: bool,
    /// Whether to record what was reached.
    pub reached: bool,
    /// Whether to record who won, and the players' choices.
    pub outcome: bool,
    /// Whether to record where an endless game begins to repeat itself.
    pub asked: bool,
    /// Whether to keep the log.
    pub log: bool,
}

/// The result of playing a case.
#[derive(Debug, Default)]
pub struct CaseResult {
    /// The fault, if one occurred.
    pub fault: Option<Fault>,
    /// The number of decisions made.
    pub moves: usize,
    /// The number of decisions after which only recurring questions were asked, if recorded.
    pub progress: usize,
    /// All choices made.
    pub choices: Vec<Choice>,
    /// Hashes of everything reached; comparable between rulesets.
    pub reached: Vec<u64>,
    /// The outcome of a finished game, if recorded.
    pub outcome: Option<Outcome>,
    /// The log, if kept.
    pub log: Vec<LogEntry>,
    /// Whether the game was cut.
    pub is_cut: bool,
    /// Whether the work was stopped, or time ran out.
    pub is_stopped: bool,
}

/// A fault of the rules.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FindKind,
    /// A key that identifies the fault among those of its kind.
    pub key: String,
    /// The message.
    pub diagnostics: Diagnostics,
}

/// The outcome of a finished game.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The seats in the first place, one bit each.
    pub winners: u16,
    /// The size of the game.
    pub size: GameSize,
    /// The options chosen in the first half of the game where there was a choice, each with the seats that chose it, as
    /// bits.
    pub chosen: Vec<(String, u16)>,
}

pub fn play(compiled: &CompiledRules, case: &Case, looks: PlayOptions) -> CaseResult {
    play_until(compiled, case, looks, &|| false)
}

/// Plays a case, and breaks off at a decision where `is_late` returns `true`.
pub fn play_until(
    compiled: &CompiledRules,
    case: &Case,
    looks: PlayOptions,
    is_late: &(dyn Fn() -> bool + Sync),
) -> CaseResult {
    let rules = &*compiled.playable.rules;
    let (mut run, kept) = begin_later_game(rules, case.before, case.seed);
    let mut player = Player::new(compiled, case, looks, is_late);
    player.log.extend(kept.filter(|_| looks.log).map(LogEntry::from));
    let mut counts = looks.reached.then(|| StepCounts::new(rules));
    if let Some(counts) = &mut counts {
        counts.begin_game();
    }
    let past = player.agents.is_some().then(HiddenChoices::default);
    let hook = counts.as_mut().map(|counts| counts as &mut dyn RunHook);
    let end = driver::play(rules, &mut run, &mut player, past, hook);
    let mut played = CaseResult { moves: player.choices.len(), ..CaseResult::default() };
    played.fault = match end {
        End::Failed(errors) => Some(Fault { kind: FindKind::Error, key: place_of(&errors), diagnostics: errors }),
        End::Endless(errors) => {
            let (kind, key) = (FindKind::Endless, format!("asks {}", player.prompt));
            Some(Fault { kind, key, diagnostics: errors })
        }
        End::Halted(Halt::Stopped) => {
            played.is_stopped = true;
            None
        }
        End::Halted(_) if player.is_cut && looks.cut_is_endless => {
            let message = message!("the game has not come to its end after {} decisions", played.moves);
            let point = rules.ruleset().place(run.table.point(), "asked last");
            let error = Diagnostic::new(message).at_maybe(point);
            let error = error.help("a game that goes on for ever has no end condition that can be met");
            Some(Fault { kind: FindKind::Endless, key: format!("asks {}", player.prompt), diagnostics: error.into() })
        }
        End::Halted(_) => player.broken.take(),
        End::Finished => {
            let broken = compiled.has_invariant.then(|| invariant_fault(rules, &run.table)).flatten();
            broken.or_else(|| campaign_fault(rules, &run.table))
        }
    };
    (played.progress, played.is_cut) = (player.progress(), player.is_cut);
    if played.fault.is_none() && looks.outcome && player.is_over(&run.table) {
        played.outcome = Some(player.outcome(&run.table));
    }
    if let Some(mut counts) = counts {
        counts.end_game();
        let mut reached = std::mem::take(&mut player.situations);
        compiled.keep(&counts, &mut |way| reached.push(way));
        reached.sort_unstable();
        reached.dedup();
        played.reached = reached;
    }
    (played.choices, played.log) = (player.choices, player.log);
    played
}

/// Begins a later game of a campaign after `games` random games; a first game where the rules keep nothing, or an
/// earlier game fails or does not end. Also returns the first log entry.
fn begin_later_game(rules: &Rules, games: usize, seed: u64) -> (Run, Option<Entry>) {
    let mut entry: Option<Entry> = None;
    for number in 0..=games as u64 {
        let is_last = number == games as u64;
        // The last game has the given seed, whatever was before it.
        let seed = if is_last { seed } else { seed ^ ((number + 1) << 40) };
        let mut run = rules.begin(&Start::Game, seed);
        if entry.as_ref().is_some_and(|entry| entry.intervene(&mut run.table).is_err()) {
            break;
        }
        if is_last {
            return (run, entry);
        }
        run.table.limit_decisions(MAX_EARLIER_DECISIONS);
        let end = rules.resume(&mut run, &mut Random::new(seed));
        entry = match campaign::next(&run.table) {
            Ok(Some(entry)) if end == End::Finished => Some(entry),
            _ => break,
        };
    }
    (rules.begin(&Start::Game, seed), None)
}

/// The fault of a table that breaks the rules' own invariant.
fn invariant_fault(rules: &Rules, table: &Table) -> Option<Fault> {
    match rules.broken_invariant(table) {
        Ok(None) => None,
        Ok(Some(sentence)) => {
            let place = host_function(INVARIANT).and_then(|asked| rules.place_of_host_function(asked));
            let key = without_numbers(&sentence);
            let error = Diagnostic::new(message!("the invariant is broken: {sentence}")).at_maybe(place);
            Some(Fault { kind: FindKind::Invariant, key, diagnostics: error.into() })
        }
        Err(errors) => Some(Fault { kind: FindKind::Error, key: place_of(&errors), diagnostics: errors }),
    }
}

/// The fault where no game of the campaign can follow one that ended with this table.
fn campaign_fault(rules: &Rules, table: &Table) -> Option<Fault> {
    let errors = match campaign::next(table) {
        Ok(None) => return None,
        Ok(Some(entry)) => {
            let mut next = rules.begin(&Start::Game, 0);
            let reason = entry.intervene(&mut next.table).err()?;
            Diagnostic::new(message!("what was kept does not fit these rules: {reason}")).into()
        }
        Err(errors) => errors,
    };
    Some(Fault { kind: FindKind::Error, key: place_of(&errors), diagnostics: errors })
}

/// The place of the first error, which identifies a fault better than its words.
pub fn place_of(errors: &Diagnostics) -> String {
    let first = errors.first();
    match &first.place {
        Some(place) => {
            let (line, column) = place.position();
            format!("{}:{line}:{column}", place.source.name)
        }
        None => without_numbers(&first.message),
    }
}

/// A sentence with all numbers replaced by `#`, so that numbers do not distinguish faults.
fn without_numbers(sentence: &str) -> String {
    let mut plain = String::with_capacity(sentence.len());
    for letter in sentence.chars() {
        match letter.is_ascii_digit() {
            true if plain.ends_with('#') => {}
            true => plain.push('#'),
            false => plain.push(letter),
        }
    }
    plain
}

/// The size class of a number; each class is twice as wide as the one before.
fn class(number: u64) -> u64 {
    u64::from(64 - number.leading_zeros())
}

/// One of this many games calls the functions for agents at each decision.
const GAMES_PER_TRIAL: u64 = 8;

/// The number of situations remembered to avoid immediate repetition.
const MAX_REMEMBERED_SITUATIONS: usize = 1 << 10;

/// Answers according to a case, and observes the table.
struct Player<'a> {
    compiled: &'a CompiledRules,
    case: &'a Case,
    looks: PlayOptions,
    is_late: &'a (dyn Fn() -> bool + Sync),
    random: Random,
    choices: Vec<Choice>,
    prompt: String,
    /// The agents of the tail, if it has any.
    agents: Option<SeatedAgents>,
    is_cut: bool,
    broken: Option<Fault>,
    situations: Vec<u64>,
    remembered: Vec<u64>,
    /// The choices made where there were several options: number of the decision, seat, and option.
    chosen: Vec<(usize, Seat, String)>,
    /// The total number of options at decisions with a choice.
    options: u64,
    /// A hash of each question asked.
    asked: Vec<u64>,
    log: Vec<LogEntry>,
}

impl<'a> Player<'a> {
    fn new(
        compiled: &'a CompiledRules,
        case: &'a Case,
        looks: PlayOptions,
        is_late: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        let random = match case.tail {
            Tail::Random(seed) | Tail::Agents(_, seed) => Random::new(seed),
            Tail::First | Tail::Last => Random::new(case.seed),
        };
        let agents = match case.tail {
            Tail::Agents(company, seed) => Some(SeatedAgents::new(seed, &company.seats(case.players, seed))),
            Tail::First | Tail::Last | Tail::Random(_) => None,
        };
        Self {
            compiled,
            case,
            looks,
            is_late,
            random,
            choices: Vec::new(),
            prompt: String::new(),
            agents,
            is_cut: false,
            broken: None,
            situations: Vec::new(),
            remembered: if looks.reached { vec![0; MAX_REMEMBERED_SITUATIONS] } else { Vec::new() },
            chosen: Vec::new(),
            options: 0,
            asked: Vec::new(),
            log: Vec::new(),
        }
    }

    /// The number of decisions after which only questions were asked that also came in the second half of the game.
    fn progress(&self) -> usize {
        let again: SortedSet<u64> = self.asked.iter().skip(self.asked.len() / 2).copied().collect();
        self.asked.iter().rposition(|asked| !again.contains(asked)).map_or(0, |last| last + 1)
    }

    fn is_over(&self, table: &Table) -> bool {
        !self.is_cut && self.broken.is_none() && table.open().is_none()
    }

    fn outcome(&self, table: &Table) -> Outcome {
        let winners = table.winners().iter().fold(0, |all, seat| all | seat.bit());
        let half = self.choices.len() / 2;
        let mut chosen: Vec<(String, u16)> = Vec::new();
        for (_, seat, option) in self.chosen.iter().filter(|(number, ..)| *number < half) {
            match chosen.iter_mut().find(|(known, _)| known == option) {
                Some((_, seats)) => *seats |= seat.bit(),
                None => chosen.push((option.clone(), seat.bit())),
            }
        }
        let size =
            GameSize { decisions: self.choices.len() as u64, options: self.options, turns: table.turns() as u64 };
        Outcome { winners, size, chosen }
    }

    /// Records the situation of the table: question and zone sizes, and the values of variables.
    fn look(&mut self, table: &Table, question: &Question<'_>) {
        let asked = mix_text(3, question.prompt);
        self.note(mix(asked, class(question.options.len() as u64)));
        let compiled = self.compiled;
        for (zone, held) in compiled.zones.iter().zip(table.state().zones.iter()) {
            self.note(mix(mix(asked, *zone), class(held.len() as u64)));
        }
        for (variable, value) in compiled.variables.iter().zip(&table.state().variables) {
            let class = match value {
                Value::Number(number) => 2 * class(number.unsigned_abs()) + u64::from(*number < 0),
                Value::Truth(truth) => u64::from(*truth),
                Value::Text(text) => mix_text(4, text),
                Value::Seat(_) => 1,
                _ => 0,
            };
            self.note(mix(*variable, class));
        }
    }

    fn note(&mut self, situation: u64) {
        let place = (situation % MAX_REMEMBERED_SITUATIONS as u64) as usize;
        if let Some(known) = self.remembered.get_mut(place)
            && *known != situation
        {
            *known = situation;
            self.situations.push(situation);
        }
    }

    /// Records a choice in a form comparable between games: prompt and name of the option.
    fn note_choice(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) {
        let Some(seat) = question.seat.filter(|_| question.by_clock.is_none() && question.options.len() > 1) else {
            return;
        };
        for &position in chosen {
            let value = question.options.value(position);
            let name = match (&value, question.options) {
                (Value::Parts(parts), _) => match parts.get("act") {
                    Some(Value::Text(act)) => act.to_string(),
                    _ => continue,
                },
                // Seats, and zones with them, are not comparable between games.
                (_, Options::Seats(_) | Options::Zones(_)) => continue,
                (value, _) => table.option_label(value),
            };
            self.chosen.push((self.choices.len(), seat, format!("{}: {name}", question.prompt)));
        }
    }
}

impl Players for Player<'_> {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<DecidedBy, Halt> {
        if (self.is_late)() {
            return Err(Halt::Stopped);
        }
        if self.prompt != question.prompt {
            question.prompt.clone_into(&mut self.prompt);
        }
        if self.compiled.has_invariant {
            self.broken = invariant_fault(&self.compiled.playable.rules, table);
            if self.broken.is_some() {
                return Err(Halt::Open);
            }
        }
        if self.looks.most.is_some_and(|most| self.choices.len() >= most) {
            self.is_cut = true;
            return Err(Halt::Open);
        }
        if self.looks.reached {
            self.look(table, question);
            if self.case.seed.is_multiple_of(GAMES_PER_TRIAL) && question.by_clock.is_none() {
                self.compiled.playable.rules.try_host_functions(table, question);
            }
        }
        let made = self.choices.len();
        let is_random = self.looks.by_ending.is_some_and(|most| made >= self.case.choices.len() + most);
        match (self.case.choices.get(made), self.case.tail) {
            (Some(choice), _) => meant(choice, question, chosen),
            (None, Tail::Random(_)) => self.random.answer(table, question, chosen)?,
            (None, _) if is_random => self.random.answer(table, question, chosen)?,
            (None, Tail::First) => simplest(question, chosen),
            (None, Tail::Last) => last(question, chosen),
            (None, Tail::Agents(..)) => {
                let looks_ahead = self.agents.as_ref().is_some_and(|agents| agents.looks_ahead(question.seat));
                if looks_ahead && question.by_clock.is_none() {
                    return Ok(DecidedBy::Agent);
                }
                self.random.answer(table, question, chosen)?;
            }
        }
        Ok(DecidedBy::Players)
    }

    fn ask_agent(
        &mut self,
        rules: &Rules,
        run: &Run,
        past: &HiddenChoices,
        appraiser: &mut Appraiser,
    ) -> Option<Vec<usize>> {
        let most = self.looks.most.unwrap_or(usize::MAX).min(MAX_DECISIONS_IN_A_PLAYOUT);
        let mut bounded = run.clone();
        bounded.table.limit_decisions(most);
        self.agents.as_mut().and_then(|agents| agents.ask_agent(rules, &bounded, past, appraiser))
    }

    fn answered(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) {
        if self.looks.outcome {
            self.note_choice(table, question, chosen);
            self.options += if question.options.len() > 1 { question.options.len() as u64 } else { 0 };
        }
        if self.looks.log {
            self.log.push(choice_made(table, question, chosen).into());
        }
        if self.looks.asked {
            let (at, seat) = (table.point(), question.seat.map_or(0, |seat| seat.number() as u64));
            let point = mix(u64::from(at.line), u64::from(at.column));
            self.asked.push(mix_text(mix(point, seat), question.prompt));
        }
        self.choices.push(kept(question, chosen));
    }
}
