//! Looks for what breaks rules, and makes what it finds as small as it gets.
//!
//! Games are played over random sets of variants that may stand together, settings within their declared ranges, numbers of
//! players, seeds and agents. What a game reaches (ways through the scripts, and situations of the table) guides the choice
//! of the next: cases that reached something new are kept, and others are made of them, as fuzzers do that are guided by
//! coverage (Zalewski, *American Fuzzy Lop*, 2013).
//!
//! What is found is an error of the rules, a game without an end, a broken `invariant`, a leak of what is hidden, a seat or an
//! option that always wins, a rule that never fires, or variants whose order matters. Each is [reduced](reduce) and told once.
//!
//! Cases are made in rounds of a fixed size and merged in their order, so that the same seed and number of games finds the
//! same, whoever's hands play them.

mod case;
mod compiled;
mod fairness;
mod generate;
mod play;
mod reduce;

pub use case::{Case, Tail};

use crate::definition::Library;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::inspect::leaks::{self, Trouble};
use crate::inspect::order;
use crate::lab::coverage::Coverage;
use crate::playthrough::Playable;
use crate::playthrough::replay::Replay;
use crate::script::trouble::is_thrown;
use crate::work::{Hands, Work};
use case::Choice;
use compiled::{Compiled, Rack, Refusal};
use fairness::{Games, Unfair};
use generate::{Corpus, KEEP, Pool, Task};
use play::{Fault, Looks, Outcome, place_of, play};
use reduce::{Reduction, Shown};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// So many cases are one round: they are made of the same knowledge, and played at the same time.
const ROUND: u64 = 32;

/// A layer has to be part of so many games before it is told that something in it never fires.
const LEAST_RUNS: u64 = 100;

/// So many games show again whether a seat or an option always wins.
const FAIR_GAMES: u64 = 64;

/// Most sorts of things of one kind that are made smaller; what else is found of it is counted.
const MOST_OF_A_KIND: usize = 12;

/// What to hunt in.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game.
    pub game: String,
    /// Variants that are part of every game: ids, or paths to files.
    pub variants: Vec<String>,
    /// What is set in every game: `double.bonus=2`.
    pub set: Vec<String>,
    /// The number of players; any that the rules allow if not given.
    pub players: Option<usize>,
    /// Whether other variants of the game are added at random.
    pub adds: bool,
    /// The seed of everything that is chosen.
    pub seed: u64,
    /// How many games are played at most.
    pub games: u64,
    /// After so many decisions a game counts as one that does not end; the rules' own limit if not given.
    pub longest: Option<usize>,
}

/// What sort of thing was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Variants that may stand together do not compile together.
    Rules,
    /// The rules cannot go on.
    Error,
    /// The game does not end.
    Endless,
    /// The rules' own `invariant` does not hold.
    Invariant,
    /// A seat can tell what it does not know.
    Leak,
    /// It matters in which order two variants lie.
    Order,
    /// A seat wins every game, or none.
    Seat,
    /// Who chooses an option wins.
    Option,
    /// A rule that never fires.
    Unused,
}

impl Kind {
    /// What it is called, in reports and in the names of files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Error => "error",
            Self::Endless => "endless",
            Self::Invariant => "invariant",
            Self::Leak => "leak",
            Self::Order => "order",
            Self::Seat => "seat",
            Self::Option => "option",
            Self::Unused => "unused",
        }
    }
}

/// One thing that was found.
#[derive(Clone, Debug)]
pub struct Find {
    /// What sort of thing.
    pub kind: Kind,
    /// What is said about it: what, and where.
    pub diagnostics: Diagnostics,
    /// In how many games it came up.
    pub times: u64,
    /// The smallest case that shows it, and after how many moves it does.
    pub case: Option<(Case, usize)>,
    /// A saved game that stands there.
    pub replay: Option<Replay>,
}

/// What a hunt found, and how much it saw.
#[derive(Clone, Debug, Default)]
pub struct HuntReport {
    /// How many games were played.
    pub games: u64,
    /// How many different choices of rules and players.
    pub rulesets: usize,
    /// How many choices of variants and settings could not be put together, which is no fault.
    pub refused: u64,
    /// How many ways through the scripts and situations of the table were seen.
    pub situations: usize,
    /// What of the scripts was reached.
    pub coverage: Coverage,
    /// What was found, the worst first.
    pub finds: Vec<Find>,
    /// How many more sorts of things were found that were not looked at closely.
    pub more: usize,
}

/// Hunts, until the games are played, `is_over` says that there is no more time, or somebody stops the work. What was found
/// before that is told.
///
/// # Errors
/// The game, a variant or something that was set cannot be used.
pub fn hunt(
    hands: &impl Hands,
    library: &Library,
    work: &Arc<Work>,
    plan: &Plan,
    is_over: &dyn Fn() -> bool,
) -> Result<HuntReport, Diagnostics> {
    let pool = Pool::new(library, &plan.game, &plan.variants, &plan.set, plan.adds)?;
    let ground = Ground { library, work, plan, rack: Rack::default(), longest_ended: AtomicUsize::new(0) };
    // Rules as they were asked for have to be there at least.
    let asked = Case {
        variants: plan.variants.clone(),
        set: plan.set.clone(),
        players: 0,
        seed: 1,
        choices: Vec::new(),
        tail: Tail::First,
    };
    let ruleset = ground.rack.ruleset(library, &asked, &plan.game)?;
    let players = plan.players.unwrap_or(ruleset.definition.players.0);
    ruleset.check_players(players)?;
    if let Err(Refusal::Scripts(errors)) = ground.compiled(&Case { players, ..asked }) {
        return Err(errors);
    }
    let mut search = Search::default();
    let mut number = 0;
    while number < plan.games && !is_over() && !work.is_stopped() {
        let last = (number + ROUND).min(plan.games);
        let tasks: Vec<Task> = (number..last).map(|number| pool.task(plan.seed, number, &search.corpus)).collect();
        let tried = hands.all(&tasks, |task| ground.tried(task));
        for (task, tried) in tasks.iter().zip(tried) {
            search.add(task, tried, number);
            number += 1;
        }
        work.count_parts(search.report.games as usize, usize::try_from(plan.games).unwrap_or(usize::MAX));
        ground.longest_ended.store(search.longest_ended, Ordering::Relaxed);
        search.reduce(hands, &ground);
        search.report.coverage.merge(ground.rack.put_away(false));
        if number < last {
            break;
        }
    }
    search.check_orders(hands, &ground, &pool);
    search.judge_fairness(hands, &ground);
    search.report.coverage.merge(ground.rack.put_away(true));
    search.never_fired();
    Ok(search.told())
}

/// What a hunt works with.
struct Ground<'a> {
    library: &'a Library,
    work: &'a Arc<Work>,
    plan: &'a Plan,
    rack: Rack,
    /// How many decisions the longest game had that came to its end, in the rounds before.
    longest_ended: AtomicUsize,
}

/// What came of one task.
struct Tried {
    case: Case,
    refusal: Option<Refusal>,
    fault: Option<Fault>,
    moves: usize,
    choices: Vec<Choice>,
    reached: Vec<u64>,
    outcome: Option<Outcome>,
    leak: Option<(Fault, Case)>,
    is_cut: bool,
}

impl Ground<'_> {
    fn compiled(&self, case: &Case) -> Result<Arc<Compiled>, Refusal> {
        self.rack.compiled(self.library, case, &self.plan.game, self.work)
    }

    /// Tries one; nothing where somebody stopped the work.
    fn tried(&self, task: &Task) -> Option<Tried> {
        let mut case = task.case.clone();
        let refused = |case: Case, refusal: Refusal| Tried {
            case,
            refusal: Some(refusal),
            fault: None,
            moves: 0,
            choices: Vec::new(),
            reached: Vec::new(),
            outcome: None,
            leak: None,
            is_cut: false,
        };
        let ruleset = match self.rack.ruleset(self.library, &case, &self.plan.game) {
            Ok(ruleset) => ruleset,
            Err(_) => return Some(refused(case, Refusal::Layers)),
        };
        let (fewest, most) = ruleset.definition.players;
        case.players = match (self.plan.players, task.players) {
            (Some(players), _) => players,
            (None, KEEP) => case.players.clamp(fewest, most),
            (None, number) => fewest + number % (most - fewest + 1),
        };
        if ruleset.check_players(case.players).is_err() {
            return Some(refused(case, Refusal::Layers));
        }
        let compiled = match self.compiled(&case) {
            Ok(compiled) => compiled,
            Err(_) if self.work.is_stopped() => return None,
            Err(refusal) => return Some(refused(case, refusal)),
        };
        // Only choices at random show that a game has no end: others may go round for ever because players want to.
        let is_random = matches!(case.tail, Tail::Random(_));
        let looks = Looks {
            most: if is_random { self.plan.longest } else { Some(case.choices.len() + self.bound()) },
            cut_is_endless: is_random && self.plan.longest.is_some(),
            reached: true,
            outcome: task.is_plain,
            asked: true,
            log: false,
        };
        let mut played = play(&compiled, &case, looks);
        if played.is_cut && played.fault.is_none() {
            let mut choices = played.choices.clone();
            choices.truncate(played.progress);
            let rest = Case { choices, tail: Tail::Random(1), ..case.clone() };
            let looks = Looks { most: self.plan.longest, cut_is_endless: true, ..Looks::default() };
            played.fault = play(&compiled, &rest, looks).fault.filter(|fault| fault.kind == Kind::Endless);
        }
        if played.is_stopped || self.work.is_stopped() {
            return None;
        }
        // Rules that refuse what was set before anybody is asked do what they are there for.
        let sets = case.set.iter().any(|set| !self.plan.set.contains(set));
        let is_refusal = |fault: &Fault| sets && played.moves == 0 && is_thrown(&fault.diagnostics);
        if played.fault.as_ref().is_some_and(is_refusal) {
            return Some(refused(case, Refusal::Layers));
        }
        let leak = task.leaks.then(|| self.leak(&compiled, &case)).flatten();
        let play::Played { fault, moves, mut choices, reached, outcome, is_cut, progress, .. } = played;
        if is_cut || fault.as_ref().is_some_and(|fault| fault.kind == Kind::Endless) {
            choices.truncate(progress);
        }
        Some(Tried { case, refusal: None, fault, moves, choices, reached, outcome, leak, is_cut })
    }

    /// Looks for a leak in a game of random choices.
    fn leak(&self, compiled: &Compiled, case: &Case) -> Option<(Fault, Case)> {
        let case = Case { choices: Vec::new(), tail: Tail::Random(case.seed), ..case.clone() };
        let (fault, _) = leak_of(compiled, case.seed)?;
        Some((fault, case))
    }

    /// Whether a case shows what was found, within so many moves.
    fn shows(&self, kind: Kind, key: &str, case: &Case, most: usize) -> Option<Shown> {
        // What was reached so far is small enough for somebody who does not want to wait.
        if self.work.is_stopped() {
            return None;
        }
        let compiled = self.compiled(case).ok()?;
        let same = |fault: &Fault| fault.kind == kind && fault.key == key;
        match kind {
            Kind::Leak => {
                if !case.choices.is_empty() || case.tail != Tail::Random(case.seed) {
                    return None;
                }
                let (fault, decision) = leak_of(&compiled, case.seed)?;
                (same(&fault) && decision <= most).then_some(Shown { moves: decision, written: None })
            }
            Kind::Endless => {
                // Whatever is chosen from there on: first options alone may go round where players need not.
                if !matches!(case.tail, Tail::Random(_)) {
                    return None;
                }
                let moves = self.endless_from(&compiled, case)?;
                let choices = moves.1;
                let rest = Case { choices: choices.clone(), tail: Tail::Random(1), ..case.clone() };
                let is_written = rest.choices == case.choices && rest.tail == case.tail;
                let holds = is_written || self.endless_from(&compiled, &rest).is_some();
                holds.then_some(Shown { moves: moves.0, written: Some((choices, Tail::Random(1))) })
            }
            _ => {
                let most = Some(most).filter(|most| *most != usize::MAX).or(self.plan.longest);
                let played = play(&compiled, case, Looks { most, ..Looks::default() });
                let fault = played.fault?;
                same(&fault).then_some(Shown { moves: played.moves, written: Some((played.choices, Tail::First)) })
            }
        }
    }

    /// Where a case comes to questions that come again and again without an end: after how many moves, with the choices up
    /// to there. Nothing where the game ends.
    fn endless_from(&self, compiled: &Compiled, case: &Case) -> Option<(usize, Vec<Choice>)> {
        let most = Some(self.bound());
        let played = play(compiled, case, Looks { most, cut_is_endless: true, asked: true, ..Looks::default() });
        if played.fault?.kind != Kind::Endless {
            return None;
        }
        let mut choices = played.choices;
        choices.truncate(played.progress);
        Some((played.progress, choices))
    }

    /// A game that is longer counts as one without an end while cases are compared: much longer than any that ended.
    fn bound(&self) -> usize {
        let ended = self.longest_ended.load(Ordering::Relaxed);
        (8 * ended).max(4_000).min(self.plan.longest.unwrap_or(usize::MAX))
    }

    /// What was found, as small as it gets.
    fn reduced(&self, hands: &impl Hands, known: &Known) -> Find {
        let Known { kind, key, fault, case, moves, choices, .. } = known;
        let shows = |case: &Case, most: usize| self.shows(*kind, key, case, most);
        let plain = |choices: &[Choice]| Case { choices: choices.to_vec(), tail: Tail::First, ..case.clone() };
        let starts = match kind {
            Kind::Endless => vec![Case { choices: choices.clone(), tail: Tail::Random(1), ..case.clone() }],
            Kind::Leak => Vec::new(),
            _ => vec![plain(choices)],
        };
        let (case, moves) = Reduction::new(hands, &shows, case.clone(), *moves, starts).reduced();
        let diagnostics = self.told_again(&case, *kind, key, moves).unwrap_or_else(|| fault.diagnostics.clone());
        let replay = self.replay(&case, moves);
        Find { kind: *kind, diagnostics, times: known.times, case: Some((case, moves)), replay }
    }

    /// What the smallest case says of itself: players and moves are others than in the first.
    fn told_again(&self, case: &Case, kind: Kind, key: &str, moves: usize) -> Option<Diagnostics> {
        let compiled = self.compiled(case).ok()?;
        let fault = match kind {
            Kind::Leak => leak_of(&compiled, case.seed)?.0,
            Kind::Endless => {
                let looks = Looks { most: self.plan.longest, cut_is_endless: true, ..Looks::default() };
                play(&compiled, case, looks).fault?
            }
            _ => play(&compiled, case, Looks { most: Some(moves), ..Looks::default() }).fault?,
        };
        (fault.kind == kind && (kind == Kind::Endless || fault.key == key)).then_some(fault.diagnostics)
    }

    /// A saved game that stands where the case shows it.
    fn replay(&self, case: &Case, moves: usize) -> Option<Replay> {
        let compiled = self.compiled(case).ok()?;
        let played = play(&compiled, case, Looks { most: Some(moves), log: true, ..Looks::default() });
        let ruleset = &compiled.playable.ruleset;
        Some(Replay {
            selection: ruleset.selection.clone(),
            ruleset: ruleset.hash.clone(),
            players: case.players,
            seed: case.seed,
            log: played.log,
            result: None,
            rules: ruleset.files(false),
        })
    }

    /// Games of one choice of rules with choices at random, for who wins them.
    fn fair_games(&self, hands: &impl Hands, case: &Case) -> Option<Games> {
        let compiled = self.compiled(case).ok()?;
        let seeds: Vec<u64> = (1..=FAIR_GAMES).collect();
        let outcomes = hands.all(&seeds, |&seed| {
            let case = Case { seed, choices: Vec::new(), tail: Tail::Random(seed), ..case.clone() };
            let looks = Looks { most: self.plan.longest, outcome: true, ..Looks::default() };
            Some(play(&compiled, &case, looks).outcome).filter(|_| !self.work.is_stopped())
        });
        let mut games = Games::default();
        outcomes.iter().flatten().for_each(|outcome| games.add(case.players, outcome));
        Some(games)
    }
}

/// A leak in a game of random choices, and after how many moves it can be seen.
fn leak_of(compiled: &Compiled, seed: u64) -> Option<(Fault, usize)> {
    let rules = &compiled.playable.rules;
    let Err(Trouble::Leak(leak)) = leaks::hunt(rules, seed) else { return None };
    let ruleset = rules.ruleset();
    let place = ruleset.place(leak.at, leak.what.kind);
    let error = Diagnostic::new(leak.to_string()).at_maybe(place).help(
        "a rule may only tell, ask or let happen what rests on what everybody concerned knows: let it show first what it goes \
         by (`reveal`, `show_to`, `show_choice`), or ask otherwise",
    );
    let diagnostics: Diagnostics = error.into();
    let key = format!("{} at {}", leak.what.kind, ruleset.file_line(leak.at).unwrap_or_else(|| leak.prompt.clone()));
    Some((Fault { kind: Kind::Leak, key, diagnostics }, leak.decision.saturating_sub(1)))
}

/// What a hunt knows so far.
#[derive(Default)]
struct Search {
    corpus: Corpus,
    seen: BTreeSet<u64>,
    longest_ended: usize,
    rules: BTreeSet<(Vec<String>, Vec<String>, usize)>,
    pairs: BTreeSet<(String, String)>,
    found: BTreeMap<(Kind, String), Known>,
    /// Those that are new in this round, in the order in which they came.
    new: Vec<(Kind, String)>,
    fair: BTreeMap<(usize, Vec<String>, usize), Games>,
    report: HuntReport,
}

/// Something that was found, as it came up first.
struct Known {
    kind: Kind,
    key: String,
    fault: Fault,
    case: Case,
    moves: usize,
    choices: Vec<Choice>,
    times: u64,
    find: Option<Find>,
}

impl Search {
    fn add(&mut self, task: &Task, tried: Tried, number: u64) {
        let Tried { case, refusal, fault, moves, choices, reached, outcome, leak, is_cut } = tried;
        match refusal {
            Some(Refusal::Layers) => {
                self.report.refused += 1;
                return;
            }
            Some(Refusal::Scripts(diagnostics)) => {
                let fault = Fault { kind: Kind::Rules, key: place_of(&diagnostics), diagnostics };
                self.note(fault, &case, 0, &[]);
                return;
            }
            None => {}
        }
        self.report.games += 1;
        if fault.is_none() && !is_cut {
            self.longest_ended = self.longest_ended.max(moves);
        }
        self.rules.insert((case.variants.clone(), case.set.clone(), case.players));
        for (place, one) in case.variants.iter().enumerate() {
            for other in &case.variants[place + 1..] {
                self.pairs.insert((one.min(other).clone(), one.max(other).clone()));
            }
        }
        let before = self.seen.len();
        self.seen.extend(reached);
        if let (true, Some(outcome)) = (task.is_plain, outcome) {
            let key = (case.variants.len(), case.variants.clone(), case.players);
            self.fair.entry(key).or_default().add(case.players, &outcome);
        }
        if let Some(fault) = fault {
            self.note(fault, &case, moves, &choices);
        }
        if let Some((fault, case)) = leak {
            self.note(fault, &case, 0, &[]);
        }
        if self.seen.len() > before {
            self.corpus.keep(case, choices, number);
        }
    }

    fn note(&mut self, fault: Fault, case: &Case, moves: usize, choices: &[Choice]) {
        let key = (fault.kind, fault.key.clone());
        if let Some(known) = self.found.get_mut(&key) {
            known.times += 1;
            return;
        }
        self.new.push(key.clone());
        let (case, choices) = (case.clone(), choices.to_vec());
        let known = Known { kind: key.0, key: key.1.clone(), fault, case, moves, choices, times: 1, find: None };
        self.found.insert(key, known);
    }

    /// Makes what is new as small as it gets.
    fn reduce(&mut self, hands: &impl Hands, ground: &Ground<'_>) {
        for key in std::mem::take(&mut self.new) {
            let of_kind = self.found.range((key.0, String::new())..).take_while(|(other, _)| other.0 == key.0);
            let done = of_kind.filter(|(_, known)| known.find.is_some()).count();
            let Some(known) = self.found.get_mut(&key).filter(|_| done < MOST_OF_A_KIND) else { continue };
            let find = match known.kind {
                Kind::Rules => ground.fewest_rules(known),
                _ => ground.reduced(hands, known),
            };
            known.find = Some(find);
        }
    }

    /// Looks whether it matters in which order those variants lie that were part of a game together.
    fn check_orders(&mut self, hands: &impl Hands, ground: &Ground<'_>, pool: &Pool) {
        // Every pair is as much as a few games.
        let most = usize::try_from(self.report.games / 4).unwrap_or(usize::MAX);
        let pairs: Vec<&(String, String)> = self.pairs.iter().take(most).collect();
        let found = hands.all(&pairs, |(one, other)| {
            if ground.work.is_stopped() {
                return None;
            }
            let case = |variants: [&String; 2]| Case {
                variants: variants.map(String::clone).to_vec(),
                set: pool.set.clone(),
                players: 0,
                seed: 1,
                choices: Vec::new(),
                tail: Tail::First,
            };
            Some(ground.order_matters(case([one, other]), case([other, one])))
        });
        for (diagnostic, case) in found.into_iter().flatten() {
            let find = Find { kind: Kind::Order, diagnostics: diagnostic.into(), times: 1, case: Some((case, 0)), replay: None };
            self.report.finds.push(find);
        }
    }

    /// Tells seats and options that always win, with the fewest variants where they do.
    fn judge_fairness(&mut self, hands: &impl Hands, ground: &Ground<'_>) {
        let looked_at = self.fair.values().map(Games::looked_at).sum::<usize>();
        let mut told: Vec<(Unfair, Vec<String>)> = Vec::new();
        // Those with the fewest variants come first, and more variants tell nothing new.
        for ((_, variants, players), games) in &self.fair {
            for unfair in games.unfair(looked_at) {
                let same = |(known, less): &(Unfair, Vec<String>)| {
                    std::mem::discriminant(known) == std::mem::discriminant(&unfair)
                        && less.iter().all(|variant| variants.contains(variant))
                        && known.concerns() == unfair.concerns()
                };
                if told.iter().any(same) || ground.work.is_stopped() {
                    continue;
                }
                let mut case = Case {
                    variants: variants.clone(),
                    set: ground.plan.set.clone(),
                    players: *players,
                    seed: 1,
                    choices: Vec::new(),
                    tail: Tail::Random(1),
                };
                // Played anew, so that it is not the luck of those games; and with fewer variants.
                let shows = |case: &Case| {
                    let games = ground.fair_games(hands, case);
                    games.and_then(|games| {
                        let found = games.unfair(games.looked_at());
                        found.into_iter().find(|found| found.concerns() == unfair.concerns())
                    })
                };
                let Some(mut found) = shows(&case) else { continue };
                let mut place = 0;
                while place < case.variants.len() {
                    let mut fewer = case.clone();
                    fewer.variants.remove(place);
                    match shows(&fewer) {
                        Some(still) => (case, found) = (fewer, still),
                        None => place += 1,
                    }
                }
                let kind = if matches!(found, Unfair::OptionWins(..)) { Kind::Option } else { Kind::Seat };
                let error = Diagnostic::new(format!("with {players} players, {}", found.in_words()));
                let error = error.help("counted with choices at random; where all are equal, chance does this once in a thousand hunts");
                told.push((unfair, case.variants.clone()));
                let (times, case) = (found.games(), Some((case, 0)));
                self.report.finds.push(Find { kind, diagnostics: error.into(), times, case, replay: None });
            }
        }
    }

    /// Tells functions and statements that no game reached.
    fn never_fired(&mut self) {
        let coverage = std::mem::take(&mut self.report.coverage);
        let mut told: BTreeSet<(String, String)> = BTreeSet::new();
        let missed = coverage.missed();
        let whole = || missed.iter().filter(|missed| missed.is_whole && missed.script.runs >= LEAST_RUNS);
        // Where a line is never reached that calls a function, that line is the cause.
        let is_called_from_missed = |name: &str| {
            let call = format!("{name}(");
            let mut lines = whole().filter(|missed| missed.function.calls > 0);
            lines.any(|missed| missed.place().is_some_and(|place| place.source.text[place.span].contains(&call)))
        };
        for missed in whole() {
            if missed.function.calls == 0 && is_called_from_missed(&missed.function.name) {
                continue;
            }
            // Of a function its first line is enough.
            if !told.insert((missed.script.file.clone(), missed.function.signature())) {
                continue;
            }
            let of = missed.function.signature();
            let message = match missed.function.calls {
                0 => format!("`{of}` is never called"),
                _ => format!("line {} of `{of}` is never reached", missed.line),
            };
            let runs = missed.script.runs;
            let error = Diagnostic::warning(message).at_maybe(missed.place()).help(format!(
                "in {runs} games of which this layer was a part; it may have a condition that cannot be met, or need better play than most of these games have"
            ));
            self.report.finds.push(Find { kind: Kind::Unused, diagnostics: error.into(), times: runs, case: None, replay: None });
        }
        self.report.coverage = coverage;
    }

    fn told(mut self) -> HuntReport {
        let mut finds: Vec<Find> = Vec::new();
        for known in self.found.into_values() {
            let find = match known.find {
                Some(find) => Find { times: known.times, ..find },
                None if finds.iter().filter(|find| find.kind == known.kind).count() >= MOST_OF_A_KIND => {
                    self.report.more += 1;
                    continue;
                }
                None => Find {
                    kind: known.kind,
                    diagnostics: known.fault.diagnostics,
                    times: known.times,
                    case: Some((known.case, known.moves)),
                    replay: None,
                },
            };
            // Two that come to the same smallest case are one.
            match finds.iter_mut().find(|other| other.kind == find.kind && other.case == find.case && find.case.is_some()) {
                Some(same) => same.times += find.times,
                None => finds.push(find),
            }
        }
        finds.append(&mut self.report.finds);
        finds.sort_by_key(|find| find.kind);
        self.report.finds = finds;
        self.report.rulesets = self.rules.len();
        self.report.situations = self.seen.len();
        self.report
    }
}

impl Ground<'_> {
    /// Rules that do not compile together, with the fewest variants and settings.
    fn fewest_rules(&self, known: &Known) -> Find {
        let same = |case: &Case| match self.compiled(case) {
            Err(Refusal::Scripts(errors)) if place_of(&errors) == known.key => Some(errors),
            _ => None,
        };
        let (mut case, mut diagnostics) = (known.case.clone(), known.fault.diagnostics.clone());
        let mut place = 0;
        while place < case.variants.len() {
            let mut fewer = case.clone();
            let gone = fewer.variants.remove(place);
            fewer.set.retain(|set| !set.starts_with(&format!("{gone}.")));
            match same(&fewer) {
                Some(errors) => (case, diagnostics) = (fewer, errors),
                None => place += 1,
            }
        }
        place = 0;
        while place < case.set.len() {
            let mut fewer = case.clone();
            fewer.set.remove(place);
            match same(&fewer) {
                Some(errors) => (case, diagnostics) = (fewer, errors),
                None => place += 1,
            }
        }
        Find { kind: Kind::Rules, diagnostics, times: known.times, case: Some((case, 0)), replay: None }
    }

    /// Whether it matters in which order two variants lie, and what is said then.
    fn order_matters(&self, mut one: Case, mut other: Case) -> Option<(Diagnostic, Case)> {
        let load = |case: &Case| self.rack.ruleset(self.library, case, &self.plan.game).ok();
        let [ruleset, turned] = [load(&one)?, load(&other)?];
        // Where one needs the other there is one order alone.
        if ruleset.selection.variants == turned.selection.variants {
            return None;
        }
        let (fewest, most) = ruleset.definition.players;
        let (fewest, most) = self.plan.players.map_or((fewest, most), |players| (players, players));
        for players in if fewest == most { vec![fewest] } else { vec![fewest, most] } {
            (one.players, other.players) = (players, players);
            let compile = |ruleset: &Arc<_>| Playable::compile(Arc::clone(ruleset), players, self.work.clone()).ok();
            let left = compile(&ruleset)?;
            let [below, above] = [one.variants.first()?, one.variants.last()?];
            let functions = order::overridden_by_both(&left, below, above)?;
            if let Ok(Some(found)) = order::difference(&left, &compile(&turned)?, players) {
                return Some((order::warning(&left.ruleset, functions, &found), one));
            }
        }
        None
    }
}

impl Unfair {
    /// The seat or option.
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

    fn in_words(&self) -> String {
        match self {
            Self::SeatWins(seat, games) => format!("p{seat} wins all of {games} games"),
            Self::SeatLoses(seat, games) => format!("p{seat} wins none of {games} games"),
            Self::OptionWins(option, games) => {
                format!("who chooses `{option}` in the first half of a game wins: all of {games} games")
            }
        }
    }
}
