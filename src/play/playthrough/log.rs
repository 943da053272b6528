//! The log: what the players chose and what the person intervened with, in order.

use crate::definition::{Definition, Held, Plain};
use crate::playthrough::campaign;
use crate::playthrough::chosen::Chosen;
use crate::table::Fault;
use crate::table::Table;
use crate::table::decision::{Decision, Question};
use crate::table::event::{ScriptPoint, What};
use crate::table::knowledge::Viewer;
use crate::table::value::{Component, NOBODY, NOTHING, Seat, Value, Zone};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// One entry of a log. Logs are kept, compared and handed on as a whole, so that a choice is cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A player chose.
    Choice {
        /// Who chose; nobody where the clock decides.
        seat: Option<Seat>,
        /// What was asked.
        prompt: Arc<str>,
        /// What it was asked for.
        purpose: Purpose,
        /// What was chosen.
        chosen: Arc<[Chosen]>,
    },
    /// The next chance event of a stream is fixed: `shuffle face_down`, `roll die-1`, `lot start`.
    Rig {
        /// Name of the stream.
        stream: String,
        /// What it gives: components from the top, a value, an option.
        result: Vec<String>,
    },
    /// Everything that chance gives from here on is drawn anew.
    Reroll(u32),
    /// A variable, or what a component shows and whose it is, got a value by hand; or the clock went on to a moment.
    Set {
        /// The variable: `p1.score`; or of a component `tile-1.side`, `die-3.value`, `die-3.owner`; or [`CLOCK`].
        variable: String,
        value: Plain,
    },
    /// A component was moved by hand.
    Move {
        /// The id of its face.
        component: String,
        /// The zone; nothing for out of play.
        to: Option<String>,
        /// The position there, from 0; the top where absent.
        position: Option<usize>,
    },
    /// What lay in two zones changed places by hand.
    Swap {
        /// A zone.
        one: String,
        other: String,
    },
    /// The table was cleared and laid anew by hand.
    Lay {
        /// What the person called it: the id of a scenario.
        name: String,
        /// What lies on it from then on.
        given: TableSetup,
    },
    /// The game goes on from an earlier one of its campaign. It stands first in its log.
    Campaign {
        /// What the variables that are kept had at the end of that one: `p1.scars`.
        kept: BTreeMap<String, Chosen>,
    },
}

/// An entry as logs hold it. The log of a game is held several times: what it says is not.
pub type LogEntry = Arc<Entry>;

/// So far back an entry of a log is looked for that is like the next.
const ALIKE_WITHIN: usize = 256;

/// An entry that is to follow others, the latest of which come first: one of them, where that is equal.
pub fn deduplicated<'l>(latest: impl Iterator<Item = &'l LogEntry>, entry: LogEntry) -> LogEntry {
    latest.take(ALIKE_WITHIN).find(|earlier| **earlier == entry).cloned().unwrap_or(entry)
}

/// What a choice was for: without it, two questions of one prompt could not be told apart when the rules change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A file of an earlier format, which did not tell it. The rules tell it as soon as they have run.
    Untold,
    /// The prompt says all.
    Plain,
    /// The purpose that the rules gave.
    Given(Arc<str>),
    /// A setting that was asked for, with its layer: `two-colors.lucky`.
    Setting(Arc<str>),
}

impl Purpose {
    /// The purpose of a question.
    pub fn of(purpose: Option<&str>, setting: Option<&str>) -> Self {
        match (purpose, setting) {
            (Some(layer), Some(key)) => Self::Setting(setting_named(layer, key).into()),
            (Some(purpose), None) => Self::Given(purpose.into()),
            (None, _) => Self::Plain,
        }
    }

    /// The purpose of an open decision.
    pub fn of_decision(decision: &Decision) -> Self {
        Self::of(decision.purpose.as_deref(), decision.setting.as_deref())
    }

    /// Whether it can be that of a question.
    fn is_of(&self, question: &Question<'_>) -> bool {
        match self {
            Self::Untold => true,
            Self::Plain => question.purpose.is_none(),
            // Most questions have none, so nothing is put together for them.
            _ => question.purpose.is_some() && *self == Self::of(question.purpose, question.setting),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Untold | Self::Plain => 0,
            Self::Given(text) | Self::Setting(text) => 16 + text.len(),
        }
    }
}

/// How a setting is called: `two-colors.lucky`.
fn setting_named(layer: &str, key: &str) -> String {
    format!("{layer}.{key}")
}

/// A table as a scenario gives it: every other zone is empty, every other variable has its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableSetup {
    /// Zones with their components, from bottom or left.
    pub zones: BTreeMap<String, Vec<String>>,
    /// Variables, and what components show and whose they are, named as for [`Entry::Set`].
    pub set: BTreeMap<String, Plain>,
}

impl Entry {
    /// About how much memory it costs, in bytes: a log is copied on its way through runs, and told in words.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Choice { prompt, purpose, chosen, .. } => {
                let chosen: usize = chosen.iter().map(Chosen::bytes).sum();
                size_of::<Self>() + 32 + 3 * prompt.len() + purpose.bytes() + chosen
            }
            _ => size_of::<Self>(),
        }
    }

    /// Whether it is an answer that is not asked for: under these rules somebody has set that setting, lots are drawn for it,
    /// or there is none of that name.
    pub fn is_settled(&self, definition: &Definition) -> bool {
        let Self::Choice { purpose: Purpose::Setting(name), .. } = self else { return false };
        let mut asked = definition.asked.iter().filter(|setting| setting.is_question());
        !asked.any(|setting| setting_named(&setting.layer, &setting.key) == **name)
    }

    /// Whether it can follow the answer of a setting that is asked for before it: it does not answer that setting itself.
    pub(super) fn waits_for(&self, asked: Option<Seat>, in_words: &str, setting: &Purpose) -> bool {
        let Purpose::Setting(_) = setting else { return false };
        match self {
            Self::Choice { seat, prompt, purpose: Purpose::Untold, .. } => *seat != asked || **prompt != *in_words,
            Self::Choice { purpose, .. } => purpose != setting,
            _ => true,
        }
    }

    /// Whether it answers a question, whatever its options are: it is of the same seat and prompt, for the same purpose.
    pub(super) fn answers(&self, question: &Question<'_>) -> bool {
        match self {
            Self::Choice { seat, prompt, purpose, .. } => {
                *seat == question.seat && **prompt == *question.prompt && purpose.is_of(question)
            }
            _ => false,
        }
    }

    /// Whether the person at the sandbox did it, not a player.
    pub fn is_intervention(&self) -> bool {
        !matches!(self, Self::Choice { .. })
    }

    /// The entry as a viewer is told it who may not know everything: what others chose is left out, because whether it
    /// was seen shows in the record only.
    pub fn told_to(&self, viewer: Viewer) -> Self {
        let mut entry = self.clone();
        if let Self::Choice { seat, chosen, .. } = &mut entry
            && !viewer.may_answer(*seat)
        {
            *chosen = vec![Chosen::Name(UNKNOWN.to_owned()); chosen.len()].into();
        }
        entry
    }

    /// The same in words; of changes by hand to what may lie hidden, only what was done.
    pub fn in_words(&self, viewer: Viewer) -> String {
        let words = self.told_to(viewer).to_string();
        if viewer.is_limited() { in_short(&words).into_owned() } else { words }
    }

    /// Whether it has to wait for the table to stand as the person saw it. Chance is changed for what comes, and a
    /// campaign before anything happens, so they need not wait.
    pub fn waits(&self) -> bool {
        !matches!(self, Self::Choice { .. } | Self::Rig { .. } | Self::Reroll(_) | Self::Campaign { .. })
    }

    /// Does an intervention to the table.
    ///
    /// # Errors
    /// Says why it does not fit.
    pub fn intervene(&self, table: &mut Table) -> Result<(), String> {
        // Nothing in the rules caused it.
        table.set_point(ScriptPoint::default());
        let entry = match self {
            // The values are told by the events behind it, to whom they may be told.
            Self::Campaign { .. } => campaign::WORD.to_owned(),
            _ => self.to_string(),
        };
        table.push_event(What::Intervention { entry: entry.into() });
        match self {
            Self::Choice { .. } => Ok(()),
            Self::Rig { stream, result } => {
                let result = rigged(table, stream, result)?;
                table.chance.rig(stream, result);
                Ok(())
            }
            Self::Reroll(number) => {
                table.chance.reroll(*number);
                Ok(())
            }
            Self::Set { variable, value } => set(table, variable, value),
            Self::Move { component, to, position } => {
                let component = component_named(table, component)?;
                let moved = match to {
                    Some(id) => table.move_to(component, zone_named(table, id)?, *position),
                    None => table.take_out(component),
                };
                moved.map_err(|fault| fault.to_string())
            }
            Self::Swap { one, other } => {
                let (one, other) = (zone_named(table, one)?, zone_named(table, other)?);
                table.swap(one, other).map_err(|fault| fault.to_string())
            }
            Self::Lay { given, .. } => {
                table.clear().map_err(|fault| fault.to_string())?;
                given.lay(table)
            }
            Self::Campaign { kept } => {
                table.set_point(ScriptPoint::GAME_BEFORE);
                campaign::begin(table, kept)
            }
        }
    }
}

/// What is set where the clock goes on to a moment, in milliseconds: no variable of that name is needed.
pub const CLOCK: &str = "clock";

/// The moment that an entry in words sets the clock to; nothing where it does something else.
pub fn clock_in_words(entry: &str) -> Option<i64> {
    entry.strip_prefix("set clock ")?.parse().ok()
}

/// What stands for what a viewer may not know.
const UNKNOWN: &str = "?";

/// A change by hand without what it may tell of hidden things; anything else as it is.
pub fn in_short(entry: &str) -> Cow<'_, str> {
    match entry.split_once(' ') {
        // Everybody at the table knows how late it is.
        _ if clock_in_words(entry).is_some() => entry.into(),
        Some((verb @ ("move" | "rig" | "set" | campaign::WORD), _)) => format!("{verb} …").into(),
        _ => entry.into(),
    }
}

impl TableSetup {
    /// Lays it on a table with nothing on it. Everybody sees what comes to lie open, and nobody what does not.
    fn lay(&self, table: &mut Table) -> Result<(), String> {
        for (zone, labels) in &self.zones {
            let zone = zone_named(table, zone)?;
            let components: Vec<Component> =
                labels.iter().map(|label| component_named(table, label)).collect::<Result<_, _>>()?;
            table.move_all(&components, zone).map_err(|fault| fault.to_string())?;
        }
        // What one gives back to a bank another may have.
        let (more, less): (Vec<_>, Vec<_>) = self.set.iter().partition(|(name, value)| wants_more(table, name, value));
        less.into_iter().chain(more).try_for_each(|(name, value)| set(table, name, value))
    }
}

/// Whether a number is to become greater than it is.
pub fn wants_more(table: &Table, name: &str, value: &Plain) -> bool {
    let before = table.layout().variable_named(name).map(|number| table.variable(number));
    matches!((value, before), (Plain::Number(now), Some(Value::Number(before))) if now > before)
}

pub(super) fn zone_named(table: &Table, id: &str) -> Result<Zone, String> {
    let known = || table.layout().zones.iter().map(|zone| &*zone.id);
    table.layout().zone_named(id).ok_or_else(|| Fault::unknown("zone", id, known()).to_string())
}

pub(super) fn component_named(table: &Table, id: &str) -> Result<Component, String> {
    table.component_named(id).ok_or_else(|| no_component(table, id))
}

fn no_component(table: &Table, id: &str) -> String {
    Fault::unknown("component", id, table.layout().faces.iter().map(|face| &*face.id)).to_string()
}

/// Sets a variable, or what a component shows or whose it is.
fn set(table: &mut Table, name: &str, value: &Plain) -> Result<(), String> {
    let Some(number) = table.layout().variable_named(name) else {
        return match value {
            Plain::Number(moment) if name == CLOCK => table.set_clock(*moment).map_err(|fault| fault.to_string()),
            _ => set_component(table, name, value),
        };
    };
    let value = match table.held_in(number) {
        None => value.into(),
        Some(held) => named_value(table, name, held, value)?,
    };
    table.set_variable(number, value).map_err(|fault| fault.to_string())
}

/// What a variable is to hold, by the name that people and files write for it.
fn named_value(table: &Table, holder: &str, held: Held, written: &Plain) -> Result<Value, String> {
    let text = match written {
        Plain::Text(text) => text.clone(),
        plain => plain.to_string(),
    };
    let one = |name: &str| match held {
        Held::Player | Held::Players => {
            let seat = player_named(table, holder, name)?;
            Ok(seat.map_or(Value::Nobody, Value::Seat))
        }
        Held::Component | Held::Components => component_named(table, name).map(Value::Component),
        Held::Zone | Held::Zones => zone_named(table, name).map(Value::Zone),
        Held::List => entry_named(table, name),
    };
    match held {
        Held::Component | Held::Zone if text == NOTHING => Ok(Value::Nothing),
        Held::Player | Held::Component | Held::Zone => one(&text),
        _ if text.is_empty() || text == NOTHING || text == "[]" => Ok(Value::List([].into())),
        _ => {
            // An id may have spaces in it.
            let between = if text.contains(',') { ',' } else { ' ' };
            let names = text.trim_matches(['[', ']']).split(between).map(str::trim).filter(|name| !name.is_empty());
            names.map(one).collect::<Result<Vec<Value>, String>>().map(|list| Value::List(list.into()))
        }
    }
}

/// An entry of a list of any values, as labels write it where nothing else tells its sort.
fn entry_named(table: &Table, name: &str) -> Result<Value, String> {
    if let Ok(number) = name.parse() {
        return Ok(Value::Number(number));
    }
    match name.split_once(':') {
        Some(("component", id)) => component_named(table, id).map(Value::Component),
        Some(("zone", id)) => zone_named(table, id).map(Value::Zone),
        Some(("player", id)) => Ok(player_named(table, "an entry", id)?.map_or(Value::Nobody, Value::Seat)),
        _ if name == "true" || name == "false" => Ok(Value::Truth(name == "true")),
        _ => Ok(Value::Text(name.trim_matches('"').into())),
    }
}

/// Sets what a component shows or whose it is: `die-3.value`, `tile-1.side`, `die-3.owner`.
fn set_component(table: &mut Table, name: &str, value: &Plain) -> Result<(), String> {
    let known = || table.layout().variables.iter().map(|variable| &*variable.id);
    let unknown = || Fault::unknown("variable", name, known()).to_string();
    let (id, property) = name.rsplit_once('.').ok_or_else(unknown)?;
    let component = table.component_named(id).ok_or_else(unknown)?;
    let set = match (property, value) {
        ("value", Plain::Number(0)) => table.pick_up(component),
        ("value" | "side", Plain::Number(side)) => table.turn_to(component, *side),
        ("owner", Plain::Text(seat)) => {
            let owner = player_named(table, name, seat)?;
            table.set_owner(component, owner)
        }
        _ => return Err(format!("a component has `side`, `value` and `owner`: {name} cannot be {value}")),
    };
    set.map_err(|fault| fault.to_string())
}

/// A player at the table, or nobody, for what holds one.
pub(super) fn player_named(table: &Table, holder: &str, label: &str) -> Result<Option<Seat>, String> {
    let unknown = || format!("{holder} is a player at the table or `{NOBODY}`, not {label}");
    table.layout().player_named(label).ok_or_else(unknown)
}

/// Shuffles are rigged with components; everything else with the label of an option or a number.
fn rigged(table: &Table, stream: &str, result: &[String]) -> Result<Vec<Value>, String> {
    let value = |text: &String| {
        if stream.starts_with("shuffle ") {
            let face = table.layout().face_named(text);
            face.map(Value::Component).ok_or_else(|| no_component(table, text))
        } else {
            Ok(text.parse().map_or_else(|_| Value::Text(text.as_str().into()), Value::Number))
        }
    };
    result.iter().map(value).collect()
}

/// What was chosen, as messages tell it.
pub fn in_words(chosen: &[Chosen]) -> String {
    chosen.iter().map(Chosen::to_string).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Entry {
    /// As `history` and messages show it; interventions as they are typed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Choice { seat, prompt, chosen, .. } => {
                seat.map_or(Ok(()), |seat| write!(f, "{seat} "))?;
                write!(f, "{prompt} {}", in_words(chosen))
            }
            Self::Rig { stream, result } => write!(f, "rig {stream} {}", result.join(" ")),
            Self::Reroll(number) => write!(f, "reroll {number}"),
            Self::Set { variable, value } => write!(f, "set {variable} {value}"),
            Self::Move { component, to, position } => {
                write!(f, "move {component} {}", to.as_deref().unwrap_or("nowhere"))?;
                position.map_or(Ok(()), |position| write!(f, " {position}"))
            }
            Self::Swap { one, other } => write!(f, "swap {one} {other}"),
            Self::Lay { name, .. } => write!(f, "lay {name}"),
            Self::Campaign { kept } => {
                f.write_str(campaign::WORD)?;
                let mut between = " ";
                kept.iter()
                    .try_for_each(|(name, value)| write!(f, "{}{name} {value}", std::mem::replace(&mut between, ", ")))
            }
        }
    }
}
