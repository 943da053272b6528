//! Decisions: what a player is asked, what may be answered, and who answers.

use crate::diagnostic::Message;
use crate::table::Table;
use crate::table::bits::Bits;
use crate::table::choices::{Choices, sort_of_option};
use crate::table::event::ScriptPoint;
use crate::table::value::{Component, Seat, Value, Zone};
use std::collections::HashSet;
use std::sync::Arc;

/// The public part of a question, which everybody at the table hears: all but its options.
#[derive(Clone, Debug, PartialEq)]
pub struct PublicQuestion {
    /// The seat that is asked; `None` where the question is who acts.
    pub seat: Option<Seat>,
    /// The prompt: `play_card`.
    pub prompt: String,
    /// The purpose of the choice, where one prompt serves several rules.
    pub purpose: Option<String>,
    /// The key of the setting that is asked for, in the layer that is the purpose.
    pub setting: Option<String>,
    /// The number of the simultaneous choice that the question belongs to, if any.
    pub together: Option<u32>,
    /// Whether nobody but the asked seat learns what is chosen.
    pub is_secret: bool,
}

impl PublicQuestion {
    /// The public part of a question that `table` puts.
    pub fn of(table: &Table, question: &Question<'_>) -> Self {
        Self {
            seat: question.seat,
            prompt: question.prompt.to_owned(),
            purpose: question.purpose.map(str::to_owned),
            setting: question.setting.map(str::to_owned),
            together: table.together(),
            is_secret: question.secret,
        }
    }
}

/// A question on its way to the answerer: borrowed, so that asking costs nothing in simulations.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The seat that is asked; `None` in real-time decisions about who acts.
    pub seat: Option<Seat>,
    /// The prompt: `play_card`.
    pub prompt: &'a str,
    /// The purpose of the question, where one prompt serves several rules.
    pub purpose: Option<&'a str>,
    /// The key of the setting that is asked for, in the layer that is the purpose.
    pub setting: Option<&'a str>,
    /// Whether nobody but the asked seat learns what is chosen, until the rules show it.
    pub secret: bool,
    /// In real time, the position of the option that the clock would choose.
    pub by_clock: Option<usize>,
    /// On the virtual clock, the time until which the question is open, in milliseconds since the game began. The last
    /// option is the result when nobody has answered by then.
    pub deadline: Option<i64>,
    /// The legal options.
    pub options: Options<'a>,
    /// Fewest options to choose.
    pub min: usize,
    /// Most options to choose.
    pub max: usize,
    /// The options that are refused, each with the reason that the rules gave.
    pub refused: &'a [(Value, Arc<str>)],
}

impl<'a> Question<'a> {
    /// A question that is answered with one of the options.
    pub fn of(seat: Option<Seat>, prompt: &'a str, options: Options<'a>) -> Self {
        Self {
            seat,
            prompt,
            purpose: None,
            setting: None,
            secret: false,
            by_clock: None,
            deadline: None,
            options,
            min: 1,
            max: 1,
            refused: &[],
        }
    }
}

/// The options of a question, in the form in which the rules hold them.
#[derive(Clone, Copy, Debug)]
pub enum Options<'a> {
    /// Cards, dice, tokens.
    Components(&'a [Component]),
    Zones(&'a [Zone]),
    /// Players.
    Seats(&'a [Seat]),
    /// Yes or no, in this order.
    YesNo,
    /// Options that the rules have put together.
    Choices(&'a Choices),
    /// Anything else.
    Values(&'a [Value]),
}

impl Options<'_> {
    pub fn len(&self) -> usize {
        match self {
            Self::Components(list) => list.len(),
            Self::Zones(list) => list.len(),
            Self::Seats(list) => list.len(),
            Self::YesNo => 2,
            Self::Choices(choices) => choices.len(),
            Self::Values(list) => list.len(),
        }
    }

    /// Whether there are no options.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The positions of two equal options, which could be chosen in two ways that mean the same; `None` where all
    /// differ.
    pub fn equal_pair(&self) -> Option<(usize, usize)> {
        let second = match self {
            Self::Components(list) => first_repeated(list, |component| component.index()),
            Self::Zones(list) => first_repeated(list, |zone| zone.index()),
            Self::Seats(list) => first_repeated(list, |seat| seat.index()),
            Self::YesNo => None,
            Self::Choices(choices) => return choices.equal_pair(),
            Self::Values(list) if list.len() <= MAX_COMPARED_BY_PAIRS => {
                (1..list.len()).find(|&position| list[..position].contains(&list[position]))
            }
            Self::Values(list) => {
                let mut seen = HashSet::with_capacity(list.len());
                list.iter().position(|value| !seen.insert(value))
            }
        }?;
        let value = self.value(second);
        let first = (0..second).find(|&position| self.value(position) == value)?;
        Some((first, second))
    }

    /// The option at a position below [`len`](Self::len).
    pub fn value(&self, position: usize) -> Value {
        match self {
            Self::Components(list) => Value::Component(list[position]),
            Self::Zones(list) => Value::Zone(list[position]),
            Self::Seats(list) => Value::Seat(list[position]),
            Self::YesNo => Value::Truth(position == 0),
            Self::Choices(choices) => choices.value(position),
            Self::Values(list) => list[position].clone(),
        }
    }

    /// The sort of the option at a position, where the options are of several sorts: see [`sort_of_option`].
    pub fn sort(&self, position: usize) -> Option<&str> {
        match self {
            Self::YesNo => Some(if position == 0 { "yes" } else { "no" }),
            Self::Choices(choices) => choices.sort(position),
            Self::Values(list) => sort_of_option(list.get(position)?),
            Self::Components(_) | Self::Zones(_) | Self::Seats(_) => None,
        }
    }

    /// Tells the sorts of the options, each at least once, in order.
    pub fn each_sort(&self, tell: &mut dyn FnMut(&str)) {
        match self {
            Self::YesNo => ["yes", "no"].into_iter().for_each(tell),
            Self::Choices(choices) => choices.each_sort(tell),
            Self::Values(list) => list.iter().filter_map(sort_of_option).for_each(tell),
            Self::Components(_) | Self::Zones(_) | Self::Seats(_) => {}
        }
    }

    /// Whether `is_it` is true of any component in the options.
    pub fn any_component(&self, is_it: &mut impl FnMut(Component) -> bool) -> bool {
        match self {
            Self::Components(list) => list.iter().any(|&component| is_it(component)),
            Self::Zones(_) | Self::Seats(_) | Self::YesNo => false,
            Self::Choices(choices) => choices.any_component(is_it),
            Self::Values(list) => list.iter().any(|value| value.any_component(is_it)),
        }
    }

    /// Every option, written out.
    pub fn values(&self) -> Vec<Value> {
        match self {
            Self::Choices(choices) => choices.iter().collect(),
            Self::Values(list) => list.to_vec(),
            others => (0..others.len()).map(|position| others.value(position)).collect(),
        }
    }
}

/// Most values that are compared pair by pair, which needs no memory.
const MAX_COMPARED_BY_PAIRS: usize = 32;

/// The position of the first element whose number occurred before.
fn first_repeated<T: Copy + PartialOrd>(list: &[T], number: impl Fn(T) -> usize) -> Option<usize> {
    // Most lists are in ascending order.
    if list.windows(2).all(|pair| pair[0] < pair[1]) {
        return None;
    }
    let mut seen = Bits::default();
    list.iter().position(|&one| !seen.insert(number(one)))
}

/// A question that is kept: open on the table, or answered in the record.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Number of the decision in the game, from 1.
    pub number: usize,
    /// The seat that is asked; `None` in real-time decisions about who acts.
    pub seat: Option<Seat>,
    /// The prompt: `play_card`.
    pub prompt: Arc<str>,
    /// The purpose of the question, where one prompt serves several rules.
    pub purpose: Option<Arc<str>>,
    /// The key of the setting that is asked for, in the layer that is the purpose.
    pub setting: Option<Arc<str>>,
    /// The number of the simultaneous choice that the decision belongs to, from 1, if any.
    pub together: Option<u32>,
    /// Whether nobody but the asked seat learns what was chosen, until the rules show it.
    pub secret: bool,
    /// In real time, the position of the option that the clock would choose.
    pub by_clock: Option<usize>,
    /// On the virtual clock, the time until which the question is open, in milliseconds since the game began. The last
    /// option is the result when nobody has answered by then.
    pub deadline: Option<i64>,
    /// Every legal option.
    pub options: Vec<OptionShown>,
    /// Fewest options to choose.
    pub min: usize,
    /// Most options to choose.
    pub max: usize,
    /// The options that are refused, each with the reason that the rules gave.
    pub refused: Vec<(OptionShown, Arc<str>)>,
    /// The point in the rules that asks.
    pub at: ScriptPoint,
}

impl Decision {
    /// Approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let of_option = |option: &OptionShown| option.label.len() + option.value.bytes() + 48;
        let options: usize = self.options.iter().map(of_option).sum();
        let refused: usize = self.refused.iter().map(|(option, reason)| of_option(option) + reason.len() + 32).sum();
        let of_text = |text: &Option<Arc<str>>| text.as_ref().map_or(0, |text| text.len());
        let texts = self.prompt.len() + of_text(&self.purpose) + of_text(&self.setting);
        size_of::<Self>() + 96 + texts + options + refused
    }
}

/// An option with the label that names it in drawings and answers.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionShown {
    /// The label: `33`, `yes`, `extend 2`. It is unique among the options of a decision, including the refused ones.
    pub label: String,
    /// The value that the option stands for.
    pub value: Value,
}

/// The reason for a refused option where the rules give none.
pub const NOT_ALLOWED: &str = "the rules do not allow it";

/// Why a run of the rules stopped before its end.
#[derive(Clone, Debug, PartialEq)]
pub enum Halt {
    /// A decision is open and nobody has answered it.
    Open,
    /// The run stops before the decision, to be copied and continued: nothing is open, and the same question comes
    /// again.
    Paused,
    /// The run has to begin again, because an intervention belongs to an earlier point than where it was met.
    Again,
    /// The log's next entry does not fit the decision.
    Misfit,
    /// An observer of the rules has seen enough.
    Watched,
    /// Somebody asked the rules to stop while they were running.
    Stopped,
    /// The rules have ended the game.
    Over,
    /// A limit was reached; the text says which.
    Limit(Message),
}

/// The answerer of the seats: a log, a person, a bot.
pub trait Answerer {
    /// Called before the rules run.
    fn begin(&mut self, _table: &mut Table) {}

    /// Puts the positions of the chosen options into `chosen`, or ends the run.
    ///
    /// # Errors
    /// A [`Halt`] ends the run at this decision.
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt>;

    /// Whether the next question will be left open for a person, who may want to know why something is not allowed.
    fn wants_reasons(&self, _table: &Table) -> bool {
        false
    }

    /// Approximate size in bytes of what is kept of the answers.
    fn kept_bytes(&self) -> usize {
        0
    }

    /// Called after an answer took effect, and after the word that lets the table's alarm go off: the moment for
    /// interventions, and for setting the alarm.
    fn intervene(&mut self, _table: &mut Table) {}
}

/// A table in play with its answerer: the context of words that ask somebody.
pub struct Play<'a> {
    pub table: &'a mut Table,
    pub answers: &'a mut dyn Answerer,
}

/// An answerer that answers nothing: for tables that are only looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoAnswerer;

impl Answerer for NoAnswerer {
    fn answer(&mut self, _table: &Table, _question: &Question<'_>, _chosen: &mut Vec<usize>) -> Result<(), Halt> {
        Err(Halt::Open)
    }
}
