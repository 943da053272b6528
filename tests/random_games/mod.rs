//! Random games of every game on disk, over all numbers of players and any variants that go together.
//!
//! Three questions are asked of each: does it come to an end, does the table keep the rules of the game as its
//! rulebook has them ([`referee`]), and can a player learn from what is asked what that seat does not know ([`leaks`])?
//! `HOUSERULE_RANDOM_GAMES=10000 cargo test --release --test all random_games -- --nocapture` plays so many games of each,
//! and tells how long they were. What goes wrong is named by the command that plays the same game again.

pub mod case;
mod enemy_anemone;
mod ftw;
mod hearts;
mod overflow;
mod playme;
mod referee;
mod up_or_down;

use case::{Case, games};
use houserule::agent::Random;
use houserule::inspect::leaks::{self, LeakCounts, LeakTestStop};
use houserule::playthrough::Playable;
use houserule::ruleset::Selection;
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use houserule::table::Table;
use houserule::table::decision::{Answerer, Halt, Question};
use referee::{Referee, Verdict, referee, table_is_sound};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// How many games of each game are played, unless the environment says otherwise.
const GAMES: usize = 40;

/// Most games that are played by the same compiled rules.
const GAMES_BY_RULESET: usize = 10;

/// Where games are long, compiled rules play fewer of them: they stop after so many decisions for each game wanted.
const DECISIONS_BY_GAME: usize = 500;

#[test]
fn every_game_ends_and_keeps_its_rules() {
    let wanted = number_of_games();
    let each = (wanted / 25).clamp(1, GAMES_BY_RULESET);
    for game in games() {
        let start = Instant::now();
        let jobs: Vec<Job> = jobs_of(game.clone(), wanted.div_ceil(each)).collect();
        let played = in_two_threads(&jobs, |job| play_some(job, each));
        let sum = |number: fn(&Played) -> usize| played.iter().map(number).sum::<usize>();
        let (games, decisions) = (sum(|played| played.games), sum(|played| played.decisions));
        let longest = played.iter().map(|played| played.longest).max().unwrap_or(0);
        let rulesets = jobs.len();
        let time = start.elapsed();
        println!(
            "{game}: {games} games by {rulesets} rulesets, {decisions} decisions, at most {longest} in one, {time:.1?}"
        );
    }
}

/// Games whose rules are chosen so that they soon come to what random rules seldom come to.
#[test]
fn late_rules_are_kept() {
    let wanted = number_of_games();
    let start = Instant::now();
    let played = in_two_threads(&playme::LATE, |(players, variants)| {
        let variants = variants.iter().map(|variant| (*variant).to_owned()).collect();
        let selection = Selection { game: "playme".to_owned(), variants, set: Vec::new() };
        let (case, loaded) = Case::of(selection, 1, *players)?;
        (0..wanted).try_fold(0, |decisions, number| Ok(decisions + play_one(&case.with_seed(number as u64), &loaded)?))
    });
    let decisions: usize = played.iter().sum();
    println!("{wanted} games by {} rulesets, {decisions} decisions, {:.1?}", played.len(), start.elapsed());
}

#[test]
fn nobody_is_asked_what_only_others_know() {
    let rulesets = (number_of_games() / 3).clamp(5, 500);
    for game in games() {
        let jobs: Vec<Job> = jobs_of(game.clone(), rulesets).collect();
        let start = Instant::now();
        let found = in_two_threads(&jobs, |job| {
            let (case, loaded) = Case::load(&job.game, job.number)?;
            // Of short games, more than one.
            let mut found = LeakCounts::default();
            for seed in case.seed..case.seed + 20 {
                found += leaks::hunt(&loaded.rules, seed).map_err(|trouble| match trouble {
                    LeakTestStop::Leak(leak) => format!("{}: {leak}", case.with_seed(seed)),
                    LeakTestStop::Failed(diagnostic) => format!("{}: {diagnostic}", case.with_seed(seed)),
                })?;
                if found.views >= 100 {
                    break;
                }
            }
            Ok(found)
        });
        let mut sum = LeakCounts::default();
        found.into_iter().for_each(|compared| sum += compared);
        let found = sum;
        println!("{game}: {rulesets} rulesets, {found:?}, {:.1?}", start.elapsed());
        assert!(found.views > 10 * rulesets, "{game}: {found:?}: too few views were compared to say anything");
        match found.has_secrets {
            // What is chosen together is the only secret of some games.
            true if found.choices > 0 && found.early + found.late == 0 => {}
            true => assert!(
                found.early.min(found.late) > 10 * rulesets,
                "{game}: {found:?}: too few decisions were compared to say anything"
            ),
            false => assert_eq!((found.early, found.late), (0, 0), "{game}: nothing is hidden, and faces were swapped"),
        }
    }
}

/// The test above is worth nothing if it overlooks a rule that peeks.
#[test]
fn a_rule_that_peeks_is_noticed() {
    // The cards are the same ones, and their order tells something about the neighbour's hand.
    let peeking = "fn takeable(p, card) {
        let cards = super(p, card);
        if p.next.hand.sum(\"number\") % 2 == 0 { cards } else { cards.reversed }
    }";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("peeking.toml");
    let text = format!("id = 'peeking'\ngame = 'up-or-down'\nname = 'x'\n[script]\nrhai = '''\n{peeking}\n'''\n");
    std::fs::write(&path, text).unwrap();
    let variants = vec![path.to_str().unwrap().to_owned()];
    let selection = Selection { game: "up-or-down".to_owned(), variants, set: Vec::new() };
    let (_, loaded) = Case::of(selection, 1, 0).unwrap();
    let found = leaks::hunt(&loaded.rules, 1);
    let Err(LeakTestStop::Leak(leak)) = found else { panic!("{found:?}") };
    assert_eq!((leak.prompt.as_str(), leak.what.kind), ("take_neighbour", "options"), "{leak}");
}

fn number_of_games() -> usize {
    match std::env::var("HOUSERULE_RANDOM_GAMES") {
        Ok(number) => number.parse().expect("HOUSERULE_RANDOM_GAMES is a number"),
        Err(_) => GAMES,
    }
}

/// A ruleset to play by, of those that [`Case::load`] numbers.
struct Job {
    game: String,
    number: u32,
}

fn jobs_of(game: String, rulesets: usize) -> impl Iterator<Item = Job> {
    (0..rulesets as u32).map(move |number| Job { game: game.clone(), number })
}

/// What was played by one compiled ruleset.
#[derive(Default)]
struct Played {
    games: usize,
    decisions: usize,
    /// Decisions of the longest game.
    longest: usize,
}

/// Plays up to so many games by one ruleset, or says what is wrong with which.
fn play_some(job: &Job, most: usize) -> Result<Played, String> {
    let (case, loaded) = Case::load(&job.game, job.number)?;
    let mut played = Played::default();
    while played.games < most && played.decisions < most * DECISIONS_BY_GAME {
        let decisions = play_one(&case.with_seed(case.seed + played.games as u64), &loaded)?;
        played.games += 1;
        played.decisions += decisions;
        played.longest = played.longest.max(decisions);
    }
    Ok(played)
}

/// Plays the game of a case by its rules; what is wrong is told with the case.
fn play_one(case: &Case, loaded: &Playable) -> Result<usize, String> {
    play(&loaded.rules, case).map_err(|what| format!("{case}: {what}"))
}

/// Plays a game to its end and gives the number of its decisions, or what is wrong.
fn play(rules: &Rules, case: &Case) -> Result<usize, String> {
    let watch = Rc::new(RefCell::new(Watch { referee: referee(case), trouble: None }));
    let mut watching = Watching { agent: Random::new(case.seed), watch: watch.clone() };
    let (run, end) = rules.play(&Start::Game, case.seed, &mut watching, None);
    let mut watch = watch.borrow_mut();
    let table = &run.table;
    match (watch.trouble.take(), end) {
        (Some(trouble), _) => Err(trouble),
        (None, End::Finished) => {
            table_is_sound(table, None)?;
            watch.referee.end(table).map_err(|what| format!("at the end: {what}"))?;
            Ok(table.decisions())
        }
        (None, End::Failed(diagnostic) | End::Endless(diagnostic)) => Err(diagnostic.to_string()),
        (None, End::Halted(halt)) => Err(format!("{halt:?}")),
    }
}

/// A random player with a referee looking on.
struct Watching {
    agent: Random,
    watch: Rc<RefCell<Watch>>,
}

struct Watch {
    referee: Box<dyn Referee>,
    trouble: Option<String>,
}

impl Answerer for Watching {
    fn begin(&mut self, table: &mut Table) {
        self.agent.begin(table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        self.agent.answer(table, question, chosen)?;
        let mut watch = self.watch.borrow_mut();
        let verdict: Verdict = (|| {
            // A close look takes longer than the decision; now and then is enough to find what is wrong in general.
            if table.decisions() % 64 < 4 {
                table_is_sound(table, Some(question))?;
            }
            watch.referee.decision(table, question, chosen)
        })();
        verdict.map_err(|what| {
            watch.trouble = Some(format!("decision {}, {}: {what}", table.decisions(), question.prompt));
            Halt::Open
        })
    }
}

/// Does all jobs, whichever thread is free the next, and gives the results in order, or panics with all troubles.
fn in_two_threads<Job: Sync, Done: Send>(
    jobs: &[Job],
    work: impl Fn(&Job) -> Result<Done, String> + Sync,
) -> Vec<Done> {
    let next = AtomicUsize::new(0);
    let work_on = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(number) else { return done };
            done.push((number, work(job)));
        }
    };
    let mut done = std::thread::scope(|scope| {
        let other = scope.spawn(work_on);
        let mut done = work_on();
        done.extend(other.join().unwrap());
        done
    });
    done.sort_by_key(|(number, _)| *number);
    let results = done.into_iter().map(|(_, result)| result);
    let (done, troubles): (Vec<_>, Vec<_>) = results.partition(Result::is_ok);
    let troubles: Vec<String> = troubles.into_iter().filter_map(Result::err).collect();
    assert!(troubles.is_empty(), "{} of {} went wrong:\n{}", troubles.len(), jobs.len(), troubles.join("\n"));
    done.into_iter().filter_map(Result::ok).collect()
}
