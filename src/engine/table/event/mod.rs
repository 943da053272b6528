//! What happened, in order.
//!
//! Every kind of event is one row of [`kinds`]: what it keeps, what it is called, and its [`Field`]s, each with a role.
//! Traces, patterns, `why` and whoever tells events in words work from these, so that a new kind is known to all of them.

mod kinds;

use crate::table::decision::OptionShown;
use crate::table::knowledge::Witnesses;
use crate::table::layout::Layout;
use crate::table::value::{Component, Seat, Value, Zone};
use smallvec::SmallVec;
use std::sync::Arc;

pub use kinds::{KINDS, What};

/// A point in the rules: the line and column of the ruleset's joined scripts, from 1; line 0 where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub struct ScriptPoint {
    /// Line in the joined scripts; the ruleset knows which file and line that is.
    pub line: u16,
    /// Column in characters.
    pub column: u16,
}

impl ScriptPoint {
    /// What brings into a game what the one before it in a campaign has kept.
    pub const GAME_BEFORE: Self = Self { line: 0, column: 1 };

    /// The declaration of a setting that is asked for, by its number among those of the game.
    pub fn of_setting(number: usize) -> Self {
        let column = u16::try_from(number).unwrap_or(u16::MAX).saturating_add(Self::GAME_BEFORE.column + 1);
        Self { column, ..Self::GAME_BEFORE }
    }

    /// The number of the setting whose declaration it is, if it is one.
    pub fn setting(self) -> Option<usize> {
        let before = Self::GAME_BEFORE;
        (self.line == before.line && self.column > before.column).then(|| usize::from(self.column - before.column) - 1)
    }
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// What it was.
    pub what: What,
    /// The move that caused it: how many choices and changes by hand there had been, itself included.
    pub moves: usize,
    /// Where in the rules it was caused.
    pub at: ScriptPoint,
    /// Who could tell what it happened to, and what came of it.
    pub witnesses: Witnesses,
}

impl Event {
    /// About how much memory it holds, in bytes.
    pub fn bytes(&self) -> usize {
        let held = match &self.what {
            What::Choice { decision, chosen, before, .. } => {
                decision.bytes() + chosen.len() * 8 + before.as_ref().map_or(0, |table| table.bytes())
            }
            what => what.fields().iter().map(|field| field.content.bytes()).sum(),
        };
        size_of::<Self>() + held
    }
}

/// What holds for all events of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventKind {
    /// What it is called in patterns, and where it is told in short. Kinds of one name are one to a pattern.
    pub name: &'static str,
    /// What happens, with examples of patterns; nothing for a kind that no pattern means by itself.
    pub about: &'static str,
    /// The sorts of thing that a pattern can name of it.
    pub named: &'static [Nameable],
    /// The type of its line in a trace, and for marks and chance what it is of that type.
    pub trace: &'static [&'static str],
    /// Who hears of it at all.
    pub audience: Audience,
}

/// Who hears of an event. How much of it each of them is told is decided field by field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everybody at the table, also where some do not see what it happened to.
    Everybody,
    /// Those who may read the variable.
    Readers,
    /// Those who can tell to which component it happened.
    Witnesses,
    /// Nobody at the table, only whoever studies the game.
    Analysts,
}

/// A sort of thing that patterns name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nameable {
    /// A seat: `p1`.
    Seat,
    /// A component, by its id or as it is called.
    Component,
    Zone,
    Variable,
    /// Words of the rules' own, which nobody can know beforehand.
    Word,
}

/// A part of what happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field<'a> {
    /// Its name in traces; nothing for what no trace has.
    pub name: Option<&'static str>,
    /// What it has to do with the event.
    pub role: Role,
    pub content: Content<'a>,
}

/// What a field has to do with its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// What it happened to.
    What,
    /// Who did it, or is concerned.
    Who,
    /// Where it came from.
    From,
    /// Where it went, or to whom.
    To,
    For,
    /// What began, was drawn or was said. Nothing else tells of what sort it is.
    Itself,
    /// The result, which only those who saw the event know: what a die shows, which side is up.
    Outcome,
    /// More about how it happened.
    Detail,
    /// The place in an order that a component got, which a table shows and nobody says.
    Position,
}

impl Role {
    /// Whether the event happened to what has this role.
    pub fn is_subject(self) -> bool {
        matches!(self, Self::What | Self::Who | Self::From | Self::To)
    }

    /// Whether a pattern can name what has this role.
    pub fn is_named(self) -> bool {
        self.is_subject() || matches!(self, Self::For | Self::Itself)
    }
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content<'a> {
    Component(Component),
    /// A zone; nothing for what is out of play.
    Zone(Option<Zone>),
    /// A seat; nothing for nobody in particular.
    Seat(Option<Seat>),
    /// A variable, by its number in the layout.
    Variable(usize),
    Number(i64),
    /// A text, or the key of one.
    Text(&'a str),
    /// A value of the rules.
    Value(&'a Value),
    /// Several.
    Values(&'a [Value]),
    /// An option of a decision.
    Option(&'a OptionShown),
}

impl<'a> Content<'a> {
    /// The components that are in it.
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
            // A decision keeps its options.
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

/// With these a row of [`kinds`] says what its fields are: the role, the name in traces, the value.
impl<'a> Fields<'a> {
    fn with(mut self, role: Role, name: Option<&'static str>, content: impl Into<Content<'a>>) -> Self {
        self.0.push(Field { name, role, content: content.into() });
        self
    }

    fn what(self, name: &'static str, content: impl Into<Content<'a>>) -> Self {
        self.with(Role::What, Some(name), content)
    }

    fn variable(self, name: &'static str, number: &usize) -> Self {
        self.with(Role::What, Some(name), Content::Variable(*number))
    }

    fn who(self, name: &'static str, content: impl Into<Content<'a>>) -> Self {
        self.with(Role::Who, Some(name), content)
    }

    fn from(self, name: &'static str, content: impl Into<Content<'a>>) -> Self {
        self.with(Role::From, Some(name), content)
    }

    fn to(self, name: &'static str, content: impl Into<Content<'a>>) -> Self {
        self.with(Role::To, Some(name), content)
    }

    fn purpose(self, name: &'static str, content: impl Into<Content<'a>>) -> Self {
        self.with(Role::For, Some(name), content)
    }

    fn itself(self, name: &'static str, content: impl Into<Content<'a>>) -> Self {
        self.with(Role::Itself, Some(name), content)
    }

    fn outcome(self, name: &'static str, content: impl Into<Content<'a>>) -> Self {
        self.with(Role::Outcome, Some(name), content)
    }

    fn detail(self, name: &'static str, content: impl Into<Content<'a>>) -> Self {
        self.with(Role::Detail, Some(name), content)
    }

    fn position(self, name: &'static str, content: impl Into<Content<'a>>) -> Self {
        self.with(Role::Position, Some(name), content)
    }

    /// Some fields, or none.
    fn each(self, role: Role, name: &'static str, contents: impl IntoIterator<Item: Into<Content<'a>>>) -> Self {
        contents.into_iter().fold(self, |fields, content| fields.with(role, Some(name), content))
    }

    /// Fields that no trace has.
    fn untraced(self, role: Role, contents: impl IntoIterator<Item: Into<Content<'a>>>) -> Self {
        contents.into_iter().fold(self, |fields, content| fields.with(role, None, content))
    }
}

impl What {
    /// The component that it happened to, where there is one.
    pub fn component(&self) -> Option<Component> {
        self.fields().iter().find_map(|field| match field {
            Field { role: Role::What, content: Content::Component(component), .. } => Some(*component),
            _ => None,
        })
    }

    /// Whether it happened to a component, or with it.
    pub fn is_about(&self, component: Component) -> bool {
        let fields = self.fields();
        let mut subjects = fields.iter().filter(|field| field.role.is_subject());
        subjects.any(|field| field.content.components().contains(&component))
    }

    /// Whether it happened to a zone, or to something on its way to or from there.
    pub fn touches(&self, zone: Zone) -> bool {
        let of_zone = Content::Zone(Some(zone));
        self.fields().iter().any(|field| field.role.is_subject() && field.content == of_zone)
    }

    /// The points that it gave a player.
    pub fn points_of(&self, player: Seat) -> Option<i64> {
        match self {
            Self::Award { seat, points, .. } if *seat == player => Some(*points),
            _ => None,
        }
    }

    /// The component whose side it told of, and the side.
    pub fn side_shown(&self) -> Option<(Component, u8)> {
        match *self {
            Self::Roll { die, value } => Some((die, value)),
            Self::Side { component, side } | Self::Reveal { component, side } | Self::Show { component, side, .. } => {
                Some((component, side))
            }
            _ => None,
        }
    }

    /// The variable that it gave a value, and the value: points change a score, which is a variable too.
    pub fn sets(&self, layout: &Layout) -> Option<(usize, Value)> {
        match self {
            Self::Set { variable, value } => Some((*variable, value.clone())),
            Self::Award { seat, score, .. } => Some((layout.score_of(*seat), Value::Number(*score))),
            _ => None,
        }
    }
}
