//! Asking a player: what is asked, what may be answered, and who answers.

use crate::table::Table;
use crate::table::bits::Bits;
use crate::table::choices::{Choices, sort_of_option};
use crate::table::event::ScriptPoint;
use crate::table::value::{Component, Seat, Value, Zone};
use std::collections::HashSet;
use std::sync::Arc;

/// What everybody at the table hears of a question: all but its options.
#[derive(Clone, Debug, PartialEq)]
pub struct HeardQuestion {
    /// Who is asked; nobody where it is who acts.
    pub seat: Option<Seat>,
    /// What is asked.
    pub prompt: String,
    /// What the choice is for.
    pub purpose: Option<String>,
    /// The key of the setting that is asked for, in the layer that is the purpose.
    pub setting: Option<String>,
    /// The number of the choice that players make at the same time, if it is one of these.
    pub together: Option<u32>,
    /// Whether nobody else learns what is chosen.
    pub is_secret: bool,
}

impl HeardQuestion {
    /// As the table puts it.
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

/// A question on its way to whoever answers for the seat: borrowed, so that asking costs nothing in simulation.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Who is asked; nobody in real-time decisions about who acts.
    pub seat: Option<Seat>,
    /// What is asked: `play_card`.
    pub prompt: &'a str,
    /// What the question is for, where one prompt serves several rules.
    pub purpose: Option<&'a str>,
    /// The key of the setting that is asked for, in the layer that is the purpose.
    pub setting: Option<&'a str>,
    /// Whether nobody else is to know what is chosen, until the rules show it.
    pub secret: bool,
    /// In real time, the position of the option that the clock would choose.
    pub by_clock: Option<usize>,
    /// On the virtual clock, the moment until which it is open, in milliseconds since the game began. The
    /// last option is what comes of it when nobody has answered by then.
    pub deadline: Option<i64>,
    /// What may be answered.
    pub options: Options<'a>,
    /// Fewest options to choose.
    pub min: usize,
    /// Most options to choose.
    pub max: usize,
    /// What may not be answered, with the reason the rules gave.
    pub refused: &'a [(Value, Arc<str>)],
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

    /// True where there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The positions of an option that stands there twice, if one does: it could be chosen in two ways that mean the
    /// same.
    pub fn twins(&self) -> Option<(usize, usize)> {
        let second = match self {
            Self::Components(list) => first_repeated(list, |component| component.index()),
            Self::Zones(list) => first_repeated(list, |zone| zone.index()),
            Self::Seats(list) => first_repeated(list, |seat| seat.index()),
            Self::YesNo => None,
            Self::Choices(choices) => return choices.twins(),
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

    /// Of what sort the option at a position is, where its options are of several: see [`sort_of_option`].
    pub fn sort(&self, position: usize) -> Option<&str> {
        match self {
            Self::YesNo => Some(if position == 0 { "yes" } else { "no" }),
            Self::Choices(choices) => choices.sort(position),
            Self::Values(list) => sort_of_option(list.get(position)?),
            Self::Components(_) | Self::Zones(_) | Self::Seats(_) => None,
        }
    }

    /// Tells of what sorts the options are, each at least once, in their order.
    pub fn each_sort(&self, tell: &mut dyn FnMut(&str)) {
        match self {
            Self::YesNo => ["yes", "no"].into_iter().for_each(tell),
            Self::Choices(choices) => choices.each_sort(tell),
            Self::Values(list) => list.iter().filter_map(sort_of_option).for_each(tell),
            Self::Components(_) | Self::Zones(_) | Self::Seats(_) => {}
        }
    }

    /// Whether a component in one of them is such a one.
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

/// The position of the first number that stands there a second time.
fn first_repeated<T: Copy + PartialOrd>(list: &[T], number: impl Fn(T) -> usize) -> Option<usize> {
    // Most lists rise.
    if list.windows(2).all(|pair| pair[0] < pair[1]) {
        return None;
    }
    let mut seen = Bits::default();
    list.iter().position(|&one| !seen.insert(number(one)))
}

/// A question written down: open on the table, or answered in the record.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Its number in the game, from 1.
    pub number: usize,
    /// Who is asked.
    pub seat: Option<Seat>,
    /// What is asked.
    pub prompt: Arc<str>,
    /// What for, where one prompt serves several rules.
    pub purpose: Option<Arc<str>>,
    /// The key of the setting that is asked for, in the layer that is the purpose.
    pub setting: Option<Arc<str>>,
    /// Number of the simultaneous choice that it belongs to, from 1.
    pub together: Option<u32>,
    /// Whether nobody else is to know what was chosen, until the rules show it.
    pub secret: bool,
    /// In real time, the position of the option that the clock would choose.
    pub by_clock: Option<usize>,
    /// On the virtual clock, the moment until which it is open. The last option is what comes of it when nobody has
    /// answered by then.
    pub deadline: Option<i64>,
    /// Every legal option.
    pub options: Vec<OptionShown>,
    /// Fewest options to choose.
    pub min: usize,
    /// Most options to choose.
    pub max: usize,
    /// What may not be answered, with the reason that the rules gave.
    pub refused: Vec<(OptionShown, Arc<str>)>,
    /// Where in the rules it is asked.
    pub at: ScriptPoint,
}

impl Decision {
    /// About how much memory it holds, in bytes.
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
    /// `33`, `yes`, `extend 2`: unique among the options of a decision, those refused included.
    pub label: String,
    /// What it stands for.
    pub value: Value,
}

/// Why a run of the rules ended before its end.
#[derive(Clone, Debug, PartialEq)]
pub enum Halt {
    /// A decision is open and nobody has answered it.
    Open,
    /// The run stops before the decision, to be copied and gone on with: nothing is open, and the same question comes.
    Paused,
    /// The run has to begin again, because an intervention belongs earlier than it was met.
    Again,
    /// The log's next entry does not fit the decision.
    Misfit,
    /// Whoever watches the rules has seen enough.
    Watched,
    /// Somebody asked the rules to stop, in the middle of something.
    Stopped,
    /// The rules have ended the game.
    Over,
    /// One of the limits was reached.
    Limit(String),
}

/// Who answers for the seats: a log, a person, a bot.
pub trait Answers {
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

    /// About how much memory is kept of the answers, in bytes.
    fn kept_bytes(&self) -> usize {
        0
    }

    /// Called after an answer took effect, and after the word that lets the table's alarm go off: the moment for
    /// interventions, and for setting the alarm.
    fn intervene(&mut self, _table: &mut Table) {}
}

/// A table in play, with whoever answers for the seats: what the words are handed that ask somebody.
pub struct Play<'a> {
    pub table: &'a mut Table,
    pub answers: &'a mut dyn Answers,
}

/// Answers nothing: for tables that are only looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Answers for Nobody {
    fn answer(&mut self, _table: &Table, _question: &Question<'_>, _chosen: &mut Vec<usize>) -> Result<(), Halt> {
        Err(Halt::Open)
    }
}
