//! Tests whether the order of two variants of a game matters.
//!
//! Where both override the same function, the same games are played in both orders, with the same random numbers and
//! choices, for the fewest and the most players. Only what players notice counts: the questions, their options, and how
//! the game ends. The order of questions and of awards does not count. Elements that both add to a list are not compared.

use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::log::LogEntry;
use crate::playthrough::observation::{Agent, Observation};
use crate::playthrough::run::Until;
use crate::playthrough::{Playable, Playthrough, Position};
use crate::ruleset::{Role, Ruleset};
use crate::script::codes;
use crate::script::functions::FunctionInfo;
use crate::sorted::{SortedMap, sort_by, sort_by_key};
use crate::table::chance::Stream;
use crate::table::value::Seat;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of games played for each number of players.
const GAMES: u64 = 4;

/// A function that two variants override, with both definitions; `None` where there is none.
pub fn overridden_by_both<'a>(
    loaded: &'a Playable,
    one: &str,
    other: &str,
) -> Option<(&'a FunctionInfo, &'a FunctionInfo)> {
    let is_of = |function: &FunctionInfo, id: &str| {
        let script = loaded.ruleset.scripts.get(function.script);
        !function.is_private && script.is_some_and(|script| script.id == id && matches!(script.role, Role::Variant(_)))
    };
    loaded.functions.iter().filter(|function| is_of(function, one)).find_map(|function| {
        let same = |found: &&FunctionInfo| {
            found.name == function.name && found.parameters.len() == function.parameters.len() && is_of(found, other)
        };
        Some((function, loaded.functions.iter().find(same)?))
    })
}

/// A difference between games with the same layers in two orders, and the same random numbers and choices.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The difference in words.
    pub words: Message,
    /// The seed of the game.
    pub seed: u64,
    /// The choices up to the first different question or choice; those of the whole game where only its end differs.
    pub log: Vec<LogEntry>,
}

/// The difference between two orders of the same layers; `None` where a few games show none.
///
/// # Errors
/// The run was stopped, or the rules fail in both orders in the same way.
pub fn difference(one: &Playable, other: &Playable, players: usize) -> Result<Option<Difference>, Diagnostics> {
    let orders = [one, other].map(|loaded| {
        let variants = loaded.ruleset.variant_ids().map(|id| format!("-v {id}")).collect::<Vec<_>>();
        format!("`{}`", variants.join(" "))
    });
    for seed in 1..=GAMES {
        let play = |loaded: &Playable| -> Result<(Playthrough, Vec<Question>), Diagnostics> {
            let (mut game, _) = Playthrough::start(loaded.clone(), players, seed, Vec::new())?;
            let questions = Arc::<Mutex<Vec<Question>>>::default();
            let agent = OrderBlindAgent { seed, asked: SortedMap::new(), questions: questions.clone() };
            game.advance(Box::new(agent), Until::End)?;
            let mut questions = std::mem::take(&mut *questions.lock().unwrap_or_else(PoisonError::into_inner));
            sort_by(&mut questions, Ord::cmp);
            Ok((game, questions))
        };
        let ((one, asked_one), (other, asked_other)) = (play(one)?, play(other)?);
        if let Some(found) = between((one.position(), &asked_one), (other.position(), &asked_other), &orders) {
            let words = message!("with {} and seed {seed}, {found}", Message::counted(players, "player"));
            let pairs = one.timeline().log().iter().zip(other.timeline().log());
            let log = pairs.take_while(|(entry, other)| entry == other).map(|(entry, _)| entry.clone()).collect();
            return Ok(Some(Difference { words, seed, log }));
        }
        if let Some(failed) = &one.position().failed {
            let way =
                message!("with {} and seed {seed}, the rules fail in both orders", Message::counted(players, "player"));
            return Err(failed.clone().help(way).with_code(codes::FAILS_IN_PLAY));
        }
    }
    Ok(None)
}

/// Chooses at random, but the same whenever the same question with the same options comes up again, regardless of other
/// questions in between and of the order of options.
struct OrderBlindAgent {
    seed: u64,
    /// The number of times each question was asked.
    asked: SortedMap<String, u32>,
    /// All questions so far.
    questions: Arc<Mutex<Vec<Question>>>,
}

/// A question that players notice: its seat, its prompt, the labels of its options, sorted, and how many of them are to be
/// chosen at least and at most.
type Question = (Option<Seat>, Arc<str>, Vec<String>, [usize; 2]);

impl Agent for OrderBlindAgent {
    fn looks_ahead(&self, _seat: Option<Seat>) -> bool {
        false
    }

    fn choose(&mut self, game: &Observation<'_>) -> Vec<usize> {
        let decision = game.decision();
        let mut labels: Vec<_> = decision.options.iter().map(|option| option.label.clone()).collect();
        sort_by(&mut labels, Ord::cmp);
        let question = (decision.seat, decision.prompt.clone(), labels, [decision.min, decision.max]);
        self.questions.lock().unwrap_or_else(PoisonError::into_inner).push(question);
        if let Some(position) = decision.by_clock {
            return vec![position];
        }
        let seat = decision.seat.map_or(0, Seat::number);
        let key = format!("{seat} {} {}", decision.prompt, decision.purpose.as_deref().unwrap_or_default());
        let times = self.asked.entry(key.clone()).or_default();
        let mut chance = Stream::named(self.seed, &key, *times);
        *times = times.wrapping_add(1);
        let mut positions: Vec<usize> = (0..decision.options.len()).collect();
        sort_by_key(&mut positions, |&position| &decision.options[position].label);
        let wanted = decision.min + chance.below(decision.max - decision.min + 1);
        chance.shuffle(&mut positions);
        positions.truncate(wanted);
        positions
    }
}

/// A difference that players notice between two games, each with all its questions, sorted.
fn between(
    (one, asked): (&Position, &[Question]),
    (other, asked_other): (&Position, &[Question]),
    [in_one, in_other]: &[String; 2],
) -> Option<Message> {
    match (&one.failed, &other.failed) {
        (Some(failed), None) => return Some(message!("the rules fail with {in_one} only: {}", failed.first().message)),
        (None, Some(failed)) => {
            return Some(message!("the rules fail with {in_other} only: {}", failed.first().message));
        }
        (Some(failed), Some(other)) if failed.first().message != other.first().message => {
            let (one, other) = (&failed.first().message, &other.first().message);
            return Some(message!("the rules fail with {in_one}: {one}; with {in_other}: {other}"));
        }
        // What it had come to is no result.
        (Some(_), Some(_)) => return None,
        (None, None) => {}
    }
    if one.scores != other.scores {
        let (scores, others) = (&one.scores, &other.scores);
        return Some(message!("the scores are {scores:?} with {in_one}, {others:?} with {in_other}"));
    }
    if (&one.ranking, &one.winners) != (&other.ranking, &other.winners) {
        return Some("the ranking is not the same".into());
    }
    let differing = || asked.iter().zip(asked_other).find(|(left, right)| left != right);
    (asked != asked_other).then(|| match differing() {
        Some(((_, prompt, labels, _), (_, other, others, _))) if prompt == other && labels == others => {
            message!("{prompt} asks for another number of options")
        }
        Some(((_, prompt, ..), (_, other, ..))) if prompt == other => {
            message!("the options of {prompt} are not the same")
        }
        _ => "other questions are asked".into(),
    })
}

/// The warning that the order of two variants matters.
pub fn warning(ruleset: &Ruleset, (one, other): (&FunctionInfo, &FunctionInfo), difference: &Difference) -> Diagnostic {
    let id = |function: &FunctionInfo| ruleset.scripts.get(function.script).map_or("", |script| &*script.id).to_owned();
    let (below, above) = (id(one), id(other));
    let message = message!("the order of `{below}` and `{above}` matters: both change `{}`", one.name);
    Diagnostic::new(message)
        .at_maybe(ruleset.place(other.at, message!("`{above}` has it")))
        .related_maybe(ruleset.place(one.at, message!("and `{below}`")))
        .help(difference.words.clone())
        .help(message!("the later one comes first: `-v {below} -v {above}`, or the other way round"))
}

/// The warning that `above` can lie over `below`, and that the other order gives an error.
pub fn misfit([below, above]: [&str; 2], error: &Diagnostic) -> Diagnostic {
    let message = message!("the order of `{below}` and `{above}` matters: they fit together in one order only");
    Diagnostic::warning(message)
        .at_maybe(error.place.clone())
        .help(message!("with `-v {above} -v {below}`: {}", error.message))
        .help(message!("write `-v {below} -v {above}`"))
        .with_code(codes::ORDER)
}
