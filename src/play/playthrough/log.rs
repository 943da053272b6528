//! The log of a game: the players' choices and the person's interventions, in order.

use crate::definition::{DeclaredType, Definition, Scalar};
use crate::diagnostic::{Message, message};
use crate::playthrough::campaign;
use crate::playthrough::chosen_value::ChosenValue;
use crate::sorted::SortedMap;
use crate::table::Fault;
use crate::table::Table;
use crate::table::decision::{Decision, Question};
use crate::table::event::{EventData, ScriptPoint};
use crate::table::knowledge::Viewer;
use crate::table::layout::Layout;
use crate::table::value::{Component, NOBODY, NOTHING, Seat, Value, Zone};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// One entry of a log. Logs are kept, compared and handed on as a whole, so entries are cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A choice of a player.
    Choice {
        /// The seat that chose; `None` where the clock decides.
        seat: Option<Seat>,
        /// The prompt of the decision.
        prompt: Arc<str>,
        /// The purpose of the decision.
        purpose: Purpose,
        /// The chosen values.
        chosen: Arc<[ChosenValue]>,
    },
    /// Fixes the next random event of a stream: `shuffle face_down`, `roll die-1`, `lot start`.
    Rig {
        /// The name of the stream.
        stream: String,
        /// The fixed result: components from the top, a value, or an option.
        result: Vec<String>,
    },
    /// Draws all random numbers anew from here on; the number selects a new sequence.
    Reroll(u32),
    /// Sets a variable, or the side, value or owner of a component, by hand; or advances the clock.
    Set {
        /// A variable `p1.score`; a component's `tile-1.side`, `die-3.value` or `die-3.owner`; or [`CLOCK`].
        variable: String,
        value: Scalar,
    },
    /// Moves a component by hand.
    Move {
        /// The id of the component's face.
        component: String,
        /// The target zone; `None` for out of play.
        to: Option<String>,
        /// The position in the zone, from 0; `None` for the top.
        position: Option<usize>,
    },
    /// Swaps the contents of two zones by hand.
    Swap {
        /// The id of one zone.
        one: String,
        other: String,
    },
    /// Clears the table and lays it out anew by hand.
    Lay {
        /// The name that the person gave: the id of a scenario.
        name: String,
        /// The new setup.
        given: TableSetup,
    },
    /// Continues an earlier game of a campaign; always the first entry of its log.
    Campaign {
        /// The kept variables and their values at the end of the earlier game: `p1.scars`.
        kept: SortedMap<String, ChosenValue>,
    },
}

/// A shared log entry. The same game's log is held several times; its texts are not.
pub type LogEntry = Arc<Entry>;

/// How far back in a log, in entries, an equal entry is looked for.
const MAX_LOOKBACK_ENTRIES: usize = 256;

/// `entry`, or an equal earlier one to share memory with; `latest` are the entries before, the latest first.
pub fn deduplicated<'l>(latest: impl Iterator<Item = &'l LogEntry>, entry: LogEntry) -> LogEntry {
    latest.take(MAX_LOOKBACK_ENTRIES).find(|earlier| **earlier == entry).cloned().unwrap_or(entry)
}

/// The purpose of a choice. It distinguishes questions with the same prompt when the rules change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Unknown, from a file in an earlier format; filled in once the rules have run.
    Untold,
    /// No purpose besides the prompt.
    Plain,
    /// A purpose that the rules gave.
    Given(Arc<str>),
    /// A setting to be answered, with its layer: `two-colors.lucky`.
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

    /// Whether a question has this purpose.
    fn is_of(&self, question: &Question<'_>) -> bool {
        match self {
            Self::Untold => true,
            Self::Plain => question.purpose.is_none(),
            // Most questions have no purpose, so nothing is built for them.
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

/// The full name of a setting: `two-colors.lucky`.
fn setting_named(layer: &str, key: &str) -> String {
    format!("{layer}.{key}")
}

/// The setup of a table in a scenario: every other zone is empty, every other variable has its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableSetup {
    /// Zones and their components, from the bottom or left.
    pub zones: SortedMap<String, Vec<String>>,
    /// Variables and component properties, named as in [`Entry::Set`].
    pub set: SortedMap<String, Scalar>,
}

impl Entry {
    /// Approximate memory cost in bytes, with the copies that runs and messages make.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Choice { prompt, purpose, chosen, .. } => {
                let chosen: usize = chosen.iter().map(ChosenValue::bytes).sum();
                size_of::<Self>() + 32 + 3 * prompt.len() + purpose.bytes() + chosen
            }
            _ => size_of::<Self>(),
        }
    }

    /// The choice of those options of a decision that have these labels.
    pub fn choice_of<'l>(
        layout: &Layout,
        faces: &[u16],
        decision: &Decision,
        labels: impl Iterator<Item = &'l String>,
    ) -> Self {
        let options = || decision.options.iter();
        let named = labels.filter_map(|label| options().find(|option| option.label == *label));
        let all = || options().map(|option| &option.value);
        let chosen = named.map(|option| ChosenValue::of(layout, faces, &option.value, all())).collect();
        let (seat, prompt, purpose) = (decision.seat, decision.prompt.clone(), Purpose::of_decision(decision));
        Self::Choice { seat, prompt, purpose, chosen }
    }

    /// Whether the entry answers a setting that these rules do not ask: it is fixed, drawn by lot, or does not exist.
    pub fn is_settled(&self, definition: &Definition) -> bool {
        let Self::Choice { purpose: Purpose::Setting(name), .. } = self else { return false };
        let mut asked = definition.asked.iter().filter(|setting| setting.is_question());
        !asked.any(|setting| setting_named(&setting.layer, &setting.key) == **name)
    }

    /// Whether the entry can follow the answer to the open setting, that is, does not answer the setting itself.
    pub(super) fn waits_for(&self, asked: Option<Seat>, in_words: &str, setting: &Purpose) -> bool {
        let Purpose::Setting(_) = setting else { return false };
        match self {
            Self::Choice { seat, prompt, purpose: Purpose::Untold, .. } => *seat != asked || **prompt != *in_words,
            Self::Choice { purpose, .. } => purpose != setting,
            _ => true,
        }
    }

    /// Whether the entry answers a question by seat, prompt and purpose, whatever the options are.
    pub(super) fn answers(&self, question: &Question<'_>) -> bool {
        match self {
            Self::Choice { seat, prompt, purpose, .. } => {
                *seat == question.seat && **prompt == *question.prompt && purpose.is_of(question)
            }
            _ => false,
        }
    }

    /// Whether a person at the sandbox made the entry, rather than a player.
    pub fn is_intervention(&self) -> bool {
        !matches!(self, Self::Choice { .. })
    }

    /// The entry as `viewer` may know it. Choices of others are masked, because only the record of the game says
    /// whether they were seen.
    pub fn told_to(&self, viewer: Viewer) -> Self {
        let mut entry = self.clone();
        if let Self::Choice { seat, chosen, .. } = &mut entry
            && !viewer.may_answer(*seat)
        {
            *chosen = vec![ChosenValue::Name(UNKNOWN.to_owned()); chosen.len()].into();
        }
        entry
    }

    /// The entry in words for `viewer`; from changes by hand, details are removed that may tell of hidden things.
    pub fn in_words(&self, viewer: Viewer) -> String {
        let words = self.told_to(viewer).to_string();
        if viewer.is_limited() { in_short(&words).into_owned() } else { words }
    }

    /// Whether the entry has to wait for the table to stand as the person saw it. Rigged chance affects only later
    /// events, and a campaign entry comes before all events, so these need not wait.
    pub fn waits(&self) -> bool {
        !matches!(self, Self::Choice { .. } | Self::Rig { .. } | Self::Reroll(_) | Self::Campaign { .. })
    }

    /// Applies an intervention to the table.
    ///
    /// # Errors
    /// The intervention does not fit; the message says why.
    pub fn intervene(&self, table: &mut Table) -> Result<(), Message> {
        // No line of the rules caused this.
        table.set_point(ScriptPoint::default());
        let entry = match self {
            // The events that follow reveal the values, to whoever may know them.
            Self::Campaign { .. } => campaign::WORD.to_owned(),
            _ => self.to_string(),
        };
        table.push_event(EventData::Intervention { entry: entry.into() });
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
                moved.map_err(Message::from)
            }
            Self::Swap { one, other } => {
                let (one, other) = (zone_named(table, one)?, zone_named(table, other)?);
                table.swap(one, other).map_err(Message::from)
            }
            Self::Lay { given, .. } => {
                table.clear().map_err(Message::from)?;
                given.lay(table)
            }
            Self::Campaign { kept } => {
                table.set_point(ScriptPoint::GAME_BEFORE);
                campaign::begin(table, kept)
            }
        }
    }
}

/// The name under which [`Entry::Set`] advances the clock, to a time in milliseconds. Needs no variable.
pub const CLOCK: &str = "clock";

/// The time in milliseconds to which an entry in words sets the clock; `None` for other entries.
pub fn clock_in_words(entry: &str) -> Option<i64> {
    entry.strip_prefix("set clock ")?.parse().ok()
}

/// Placeholder for a choice that a viewer may not know.
const UNKNOWN: &str = "?";

/// A change by hand without details that may tell of hidden things; other entries unchanged.
pub fn in_short(entry: &str) -> Cow<'_, str> {
    match entry.split_once(' ') {
        // Everybody at the table knows the time.
        _ if clock_in_words(entry).is_some() => entry.into(),
        Some((verb @ ("move" | "rig" | "set" | campaign::WORD), _)) => format!("{verb} …").into(),
        _ => entry.into(),
    }
}

impl TableSetup {
    /// Lays the setup on an empty table. Everybody sees what lies open, and nobody what does not.
    fn lay(&self, table: &mut Table) -> Result<(), Message> {
        for (zone, labels) in &self.zones {
            let zone = zone_named(table, zone)?;
            let components: Vec<Component> =
                labels.iter().map(|label| component_named(table, label)).collect::<Result<_, _>>()?;
            table.move_all(&components, zone).map_err(Message::from)?;
        }
        // Decreases come first, because another player may take what one gives back to a bank.
        let (more, less): (Vec<_>, Vec<_>) = self.set.iter().partition(|(name, value)| wants_more(table, name, value));
        less.into_iter().chain(more).try_for_each(|(name, value)| set(table, name, value))
    }
}

/// Whether setting the variable `name` to `value` would increase it.
pub fn wants_more(table: &Table, name: &str, value: &Scalar) -> bool {
    let before = table.layout().variable_named(name).map(|number| table.variable(number));
    matches!((value, before), (Scalar::Number(now), Some(Value::Number(before))) if now > before)
}

pub(super) fn zone_named(table: &Table, id: &str) -> Result<Zone, Message> {
    let known = || table.layout().zones.iter().map(|zone| &*zone.id);
    table.layout().zone_named(id).ok_or_else(|| Fault::unknown("zone", id, known()).into())
}

pub(super) fn component_named(table: &Table, id: &str) -> Result<Component, Message> {
    table.component_named(id).ok_or_else(|| no_component(table, id))
}

fn no_component(table: &Table, id: &str) -> Message {
    Fault::unknown("component", id, table.layout().faces.iter().map(|face| &*face.id)).into()
}

/// Sets a variable, or the side, value or owner of a component.
fn set(table: &mut Table, name: &str, value: &Scalar) -> Result<(), Message> {
    let Some(number) = table.layout().variable_named(name) else {
        return match value {
            Scalar::Number(moment) if name == CLOCK => table.set_clock(*moment).map_err(Message::from),
            _ => set_component(table, name, value),
        };
    };
    let value = match table.held_in(number) {
        None => value.into(),
        Some(held) => named_value(table, name, held, value)?,
    };
    table.set_variable(number, value).map_err(Message::from)
}

/// The value of a variable that holds `held`, from its written name.
fn named_value(table: &Table, holder: &str, held: DeclaredType, written: &Scalar) -> Result<Value, Message> {
    let text = match written {
        Scalar::Text(text) => text.clone(),
        plain => plain.to_string(),
    };
    let one = |name: &str| match held {
        DeclaredType::Player | DeclaredType::Players => {
            let seat = player_named(table, &holder, name)?;
            Ok(seat.map_or(Value::Nobody, Value::Seat))
        }
        DeclaredType::Component | DeclaredType::Components => component_named(table, name).map(Value::Component),
        DeclaredType::Zone | DeclaredType::Zones => zone_named(table, name).map(Value::Zone),
        DeclaredType::List => entry_named(table, name),
    };
    match held {
        DeclaredType::Component | DeclaredType::Zone if text == NOTHING => Ok(Value::Nothing),
        DeclaredType::Player | DeclaredType::Component | DeclaredType::Zone => one(&text),
        _ if text.is_empty() || text == NOTHING || text == "[]" => Ok(Value::List([].into())),
        _ => {
            // Ids may contain spaces.
            let between = if text.contains(',') { ',' } else { ' ' };
            let names = text.trim_matches(['[', ']']).split(between).map(str::trim).filter(|name| !name.is_empty());
            names.map(one).collect::<Result<Vec<Value>, Message>>().map(|list| Value::List(list.into()))
        }
    }
}

/// An entry of a list without declared sort, in the prefixed form that labels use.
fn entry_named(table: &Table, name: &str) -> Result<Value, Message> {
    if let Ok(number) = name.parse() {
        return Ok(Value::Number(number));
    }
    match name.split_once(':') {
        Some(("component", id)) => component_named(table, id).map(Value::Component),
        Some(("zone", id)) => zone_named(table, id).map(Value::Zone),
        Some(("player", id)) => {
            Ok(player_named(table, &Message::from("an entry"), id)?.map_or(Value::Nobody, Value::Seat))
        }
        _ if name == "true" || name == "false" => Ok(Value::Truth(name == "true")),
        _ => Ok(Value::Text(name.trim_matches('"').into())),
    }
}

/// Sets the side, value or owner of a component: `die-3.value`, `tile-1.side`, `die-3.owner`.
fn set_component(table: &mut Table, name: &str, value: &Scalar) -> Result<(), Message> {
    let known = || table.layout().variables.iter().map(|variable| &*variable.id);
    let unknown = || Fault::unknown("variable", name, known());
    let (id, property) = name.rsplit_once('.').ok_or_else(unknown)?;
    let component = table.component_named(id).ok_or_else(unknown)?;
    let set = match (property, value) {
        ("value", Scalar::Number(0)) => table.pick_up(component),
        ("value" | "side", Scalar::Number(side)) => table.turn_to(component, *side),
        ("owner", Scalar::Text(seat)) => {
            let owner = player_named(table, &name, seat)?;
            table.set_owner(component, owner)
        }
        _ => return Err(message!("a component has `side`, `value` and `owner`: {name} cannot be {value}")),
    };
    set.map_err(Message::from)
}

/// The player with a label, or `None` for nobody; `holder` is named in the error.
pub(super) fn player_named(table: &Table, holder: &dyn fmt::Display, label: &str) -> Result<Option<Seat>, Message> {
    let unknown = || message!("{holder} is a player at the table or `{NOBODY}`, not {label}");
    table.layout().player_named(label).ok_or_else(unknown)
}

/// The rigged result of a stream: components for shuffles, otherwise numbers or labels of options.
fn rigged(table: &Table, stream: &str, result: &[String]) -> Result<Vec<Value>, Message> {
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

/// Chosen values in words, for messages.
pub fn in_words(chosen: &[ChosenValue]) -> String {
    chosen.iter().map(ChosenValue::to_string).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Entry {
    /// The form used by `history` and messages; interventions as they are typed.
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
