//! Events: what happened in a game, in order.
//!
//! Every kind of event is one row of [`kinds`]: what it keeps, its name, and its [`Field`]s, each with a role. Traces,
//! patterns, `why` and code that tells events in words work from these, so that a new kind is known to all of them.

mod kinds;

use crate::table::decision::OptionShown;
use crate::table::knowledge::Witnesses;
use crate::table::layout::Layout;
use crate::table::value::{Component, Seat, Value, Zone};
use smallvec::SmallVec;
use std::sync::Arc;

pub use kinds::{EventData, KINDS};

/// A point in the rules: the line and column of the ruleset's joined scripts, from 1; line 0 where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub struct ScriptPoint {
    /// Line in the joined scripts; the ruleset knows which file and line that is.
    pub line: u16,
    /// Column in characters.
    pub column: u16,
}

impl ScriptPoint {
    /// The pseudo-point for values that the game before in a campaign has kept.
    pub const GAME_BEFORE: Self = Self { line: 0, column: 1 };

    /// The pseudo-point for the declaration of a setting that is asked for, by the index of the setting in the game.
    pub fn of_setting(number: usize) -> Self {
        let column = u16::try_from(number).unwrap_or(u16::MAX).saturating_add(Self::GAME_BEFORE.column + 1);
        Self { column, ..Self::GAME_BEFORE }
    }

    /// The index of the setting whose declaration this is the pseudo-point of; `None` for other points.
    pub fn setting(self) -> Option<usize> {
        let before = Self::GAME_BEFORE;
        (self.line == before.line && self.column > before.column).then(|| usize::from(self.column - before.column) - 1)
    }
}

/// Something that happened in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Kind of the event, with its data.
    pub what: EventData,
    /// Number of the move that caused it: the choices and changes by hand so far, including this one.
    pub moves: usize,
    /// The point in the rules that caused it.
    pub at: ScriptPoint,
    /// The seats that could tell what it happened to, and what the result was.
    pub witnesses: Witnesses,
}

impl Event {
    /// Approximate size in bytes.
    pub fn bytes(&self) -> usize {
        let held = match &self.what {
            EventData::Choice { decision, chosen, before, .. } => {
                decision.bytes() + chosen.len() * 8 + before.as_ref().map_or(0, |table| table.bytes())
            }
            what => what.fields().iter().map(|field| field.content.bytes()).sum(),
        };
        size_of::<Self>() + held
    }
}

/// What all events of a kind have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventKind {
    /// Name in patterns and in short lists. Kinds of the same name are one kind to a pattern.
    pub name: &'static str,
    /// What happens, with examples of patterns; empty for a kind that shares its patterns or has none.
    pub about: &'static str,
    /// The sorts of thing that a pattern can name in such an event.
    pub named: &'static [Nameable],
    /// Type of the line in a trace; for marks and chance followed by a subtype.
    pub trace: &'static [&'static str],
    /// Who hears of such an event at all.
    pub audience: Audience,
}

/// Who hears of an event. How much of it each viewer is told is decided field by field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everybody at the table, including those who do not see what it happened to.
    Everybody,
    /// Everybody who may read the variable.
    Readers,
    /// Everybody who can tell which component it happened to.
    Witnesses,
    /// Nobody at the table, only people who study the game.
    Analysts,
}

/// A sort of thing that patterns can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nameable {
    /// A seat: `p1`.
    Seat,
    /// A component, by its id or its name.
    Component,
    Zone,
    Variable,
    /// A word that the rules make up, which is not known beforehand.
    Word,
}

/// A part of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field<'a> {
    /// Name of the field in traces; `None` where traces leave it out.
    pub name: Option<&'static str>,
    /// The role of the field in the event.
    pub role: Role,
    pub content: Content<'a>,
}

/// The role of a field in its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The thing that the event happened to.
    EventData,
    /// The seat that did it, or that it concerns.
    Who,
    /// The place that something came from.
    From,
    /// The place or seat that something went to.
    To,
    For,
    /// What began, was drawn or was said, where no other field tells what sort of thing it is.
    Itself,
    /// The result, which only those who saw the event know: what a die shows, which side is up.
    Outcome,
    /// More about how it happened.
    Detail,
    /// The position that a component got in an order: a table shows it, and nobody says it.
    Position,
}

impl Role {
    /// Whether the event happened to the content of a field with this role.
    pub fn is_subject(self) -> bool {
        matches!(self, Self::EventData | Self::Who | Self::From | Self::To)
    }

    /// Whether a pattern can name the content of a field with this role.
    pub fn is_named(self) -> bool {
        self.is_subject() || matches!(self, Self::For | Self::Itself)
    }
}

/// The content of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content<'a> {
    Component(Component),
    /// A zone; `None` for out of play.
    Zone(Option<Zone>),
    /// A seat; `None` for nobody in particular.
    Seat(Option<Seat>),
    /// A variable, by its index in the layout.
    Variable(usize),
    Number(i64),
    /// A text, or the key of one.
    Text(&'a str),
    /// A value of the rules.
    Value(&'a Value),
    /// Several values of the rules.
    Values(&'a [Value]),
    /// An option of a decision.
    Option(&'a OptionShown),
}

impl<'a> Content<'a> {
    /// The components that the content names.
    pub fn components(self) -> Vec<Component> {
        match self {
            Self::Component(component) => vec![component],
            Self::Value(value) | Self::Option(OptionShown { value, .. }) => value.components(),
            Self::Values(values) => values.iter().flat_map(Value::components).collect(),
            Self::Zone(_) | Self::Seat(_) | Self::Variable(_) | Self::Number(_) | Self::Text(_) => Vec::new(),
        }
    }

    fn bytes(self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Value(value) => value.bytes(),
            Self::Values(values) => values.iter().map(Value::bytes).sum(),
            // The size of a decision includes its options.
            Self::Option(_) => 0,
            Self::Component(_) | Self::Zone(_) | Self::Seat(_) | Self::Variable(_) | Self::Number(_) => 0,
        }
    }
}

macro_rules! content_from {
    ($($from:ty, $given:ident => $content:expr;)*) => {
        $(impl<'a> From<&'a $from> for Content<'a> {
            fn from($given: &'a $from) -> Self {
                $content
            }
        })*
    };
}

content_from! {
    Component, component => Self::Component(*component);
    Zone, zone => Self::Zone(Some(*zone));
    Option<Zone>, zone => Self::Zone(*zone);
    Seat, seat => Self::Seat(Some(*seat));
    Option<Seat>, seat => Self::Seat(*seat);
    i64, number => Self::Number(*number);
    u8, number => Self::Number(i64::from(*number));
    usize, number => Self::Number(*number as i64);
    Arc<str>, text => Self::Text(text);
    Value, value => Self::Value(value);
    Vec<Value>, values => Self::Values(values);
    OptionShown, option => Self::Option(option);
}

/// The fields of an event, in the order in which traces have them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields<'a>(SmallVec<[Field<'a>; 5]>);

impl<'a> std::ops::Deref for Fields<'a> {
    type Target = [Field<'a>];

    fn deref(&self) -> &[Field<'a>] {
        &self.0
    }
}

/// Builder methods with which a row of [`kinds`] lists its fields: the role, the name in traces, the value.
impl<'a> Fields<'a> {
    fn push(mut self, role: Role, name: Option<&'static str>, content: impl Into<Content<'a>>) -> Self {
        self.0.push(Field { name, role, content: content.into() });
        self
    }

    fn with(self, role: Role, name: &'static str, content: impl Into<Content<'a>>) -> Self {
        self.push(role, Some(name), content)
    }

    /// Adds a field for each of the contents, which may be none.
    fn each(self, role: Role, name: &'static str, contents: impl IntoIterator<Item: Into<Content<'a>>>) -> Self {
        contents.into_iter().fold(self, |fields, content| fields.with(role, name, content))
    }

    /// Adds fields that traces leave out, one for each of the contents.
    fn untraced(self, role: Role, contents: impl IntoIterator<Item: Into<Content<'a>>>) -> Self {
        contents.into_iter().fold(self, |fields, content| fields.push(role, None, content))
    }
}

impl EventData {
    /// The component that the event happened to, where there is one.
    pub fn component(&self) -> Option<Component> {
        self.fields().iter().find_map(|field| match field {
            Field { role: Role::EventData, content: Content::Component(component), .. } => Some(*component),
            _ => None,
        })
    }

    /// Whether the event happened to a component, or with it.
    pub fn is_about(&self, component: Component) -> bool {
        let fields = self.fields();
        let mut subjects = fields.iter().filter(|field| field.role.is_subject());
        subjects.any(|field| field.content.components().contains(&component))
    }

    /// Whether the event happened to a zone, or to something on its way to or from the zone.
    pub fn touches(&self, zone: Zone) -> bool {
        let of_zone = Content::Zone(Some(zone));
        self.fields().iter().any(|field| field.role.is_subject() && field.content == of_zone)
    }

    /// The points that the event gave a player; `None` where it gave none.
    pub fn points_of(&self, player: Seat) -> Option<i64> {
        match self {
            Self::Award { seat, points, .. } if *seat == player => Some(*points),
            _ => None,
        }
    }

    /// The component whose side the event told, and that side; `None` for other events.
    pub fn side_shown(&self) -> Option<(Component, u8)> {
        match *self {
            Self::Roll { die, value } => Some((die, value)),
            Self::Side { component, side } | Self::Reveal { component, side } | Self::Show { component, side, .. } => {
                Some((component, side))
            }
            _ => None,
        }
    }

    /// The variable that the event gave a value, and the value: points change a score, which is a variable too.
    pub fn sets(&self, layout: &Layout) -> Option<(usize, Value)> {
        match self {
            Self::Set { variable, value } => Some((*variable, value.clone())),
            Self::Award { seat, score, .. } => Some((layout.score_of(*seat), Value::Number(*score))),
            _ => None,
        }
    }
}
