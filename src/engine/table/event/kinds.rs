//! The kinds of event: to add one, add a row here, and let a method of the table cause it.

use super::{Audience, Content, EventKind, Fields, Nameable, Role};
use crate::table::State;
use crate::table::decision::Decision;
use crate::table::value::{Component, Seat, Value, Zone};
use std::sync::Arc;

/// Makes [`EventData`], [`KINDS`] and the fields of each kind from rows:
///
/// ```text
/// /// What happened.
/// Variant {
///     /// What of that is kept.
///     component: Component,
/// } is {
///     name: "in patterns", about: "what happens: `with an example`", named: [what a pattern can name],
///     trace: ["type of the line in traces"], told: WhoHearsOfIt,
///     fields: with(Role::EventData, "name in traces", component)
/// }
/// ```
macro_rules! kinds {
    ($(
        $(#[$about:meta])*
        $variant:ident { $($(#[$meaning:meta])* $kept:ident: $sort:ty,)* } is {
            name: $name:literal, about: $help:literal, named: [$($named:ident),*], trace: [$($trace:literal),+], told: $audience:ident,
            fields: $($fields:tt)+
        }
    )*) => {
        /// What happened in an event, as the table keeps it.
        #[derive(Clone, Debug, PartialEq)]
        pub enum EventData {
            $($(#[$about])* $variant { $($(#[$meaning])* $kept: $sort,)* },)*
        }

        /// Every kind of event.
        pub const KINDS: &[EventKind] = &[$(EventKind {
            name: $name,
            about: $help,
            named: &[$(Nameable::$named),*],
            trace: &[$($trace),+],
            audience: Audience::$audience,
        },)*];

        /// The kinds as indices.
        enum Number {
            $($variant,)*
        }

        impl EventData {
            /// The index of the event's kind in [`KINDS`].
            #[inline]
            pub fn number(&self) -> usize {
                match self {
                    $(Self::$variant { .. } => Number::$variant as usize,)*
                }
            }

            pub fn kind(&self) -> &'static EventKind {
                &KINDS[self.number()]
            }

            /// Everything that can be told of the event, in the order of traces.
            #[allow(unused_variables, reason = "some is kept that nobody is told")]
            pub fn fields(&self) -> Fields<'_> {
                match self {
                    $(Self::$variant { $($kept),* } => Fields::default().$($fields)+,)*
                }
            }
        }
    };
}

// In the order of their names, which is the order in which the kinds are offered.
kinds! {
    /// A player scored.
    Award {
        /// The player concerned.
        seat: Seat,
        /// Number of points; may be negative.
        points: i64,
        /// The reason for the points.
        reason: Arc<str>,
        /// The score after the award.
        score: i64,
        /// The zone, the component or another thing that the points are for, where the rules say so.
        source: Option<Value>,
        /// Whether these points are the share of a player whose partner was given them.
        is_shared: bool,
    } is {
        name: "award", about: "points: `award p1`, `award column`", named: [Seat, Word],
        trace: ["award"], told: Everybody,
        fields: with(Role::Who, "seat", seat).with(Role::Outcome, "points", points).with(Role::For, "reason", reason)
            .untraced(Role::Detail, source)
    }

    /// The person at the sandbox changed something by hand.
    Intervention {
        /// The entry as it stands in the log.
        entry: Arc<str>,
    } is {
        name: "by hand", about: "", named: [],
        trace: ["intervention"], told: Everybody,
        fields: with(Role::Itself, "entry", entry)
    }

    /// A player chose.
    Choice {
        /// The question, with every option.
        decision: Arc<Decision>,
        /// Positions of the chosen options.
        chosen: Vec<usize>,
        /// The time on the virtual clock, in milliseconds.
        clock: i64,
        /// The table before the choice took effect, where the recording keeps it.
        before: Option<Box<State>>,
    } is {
        name: "choice", about: "an answer: `choice p2`", named: [Seat, Component, Word],
        // A trace has the whole decision there.
        trace: ["decision"], told: Everybody,
        fields: with(Role::Who, "seat", &decision.seat).with(Role::For, "prompt", &decision.prompt)
            .each(Role::EventData, "chosen", chosen.iter().filter_map(|&position| decision.options.get(position)))
    }

    /// Lots were drawn.
    Lot {
        /// Name of the stream.
        stream: Arc<str>,
        /// The value that was drawn.
        value: Value,
    } is {
        name: "lot", about: "a draw: `lot start`", named: [Word],
        trace: ["chance", "lot"], told: Everybody,
        fields: with(Role::EventData, "lot", stream).with(Role::Itself, "value", value)
    }

    /// The rules measured something.
    Metric {
        /// The name of the measure.
        name: Arc<str>,
        /// The measured value.
        value: i64,
    } is {
        name: "metric", about: "a measurement: `metric waste`", named: [Word],
        trace: ["metric"], told: Analysts,
        fields: with(Role::Itself, "name", name).with(Role::Outcome, "value", value)
    }

    /// A component went from one place to another.
    Move {
        /// The component that moved.
        component: Component,
        /// The zone where it lay; `None` for a component that was not in play.
        from: Option<Zone>,
        /// The zone where it lies now; `None` for a component that was taken out of play.
        to: Option<Zone>,
        /// Position in that zone, from 0 at the bottom or left.
        position: usize,
    } is {
        name: "move", about: "a component moves: `move 33`, `move box`", named: [Component, Zone],
        trace: ["move"], told: Everybody,
        fields: with(Role::EventData, "component", component).with(Role::From, "from", from).with(Role::To, "to", to).with(Role::Position, "at", position)
    }

    /// The rules remarked something.
    Note {
        /// A key of `[text]`, or the text itself.
        text: Arc<str>,
        /// The values that fill each `{}` of the text.
        values: Vec<Value>,
    } is {
        name: "note", about: "a remark", named: [Word],
        trace: ["note"], told: Everybody,
        fields: with(Role::Itself, "text", text).each(Role::Detail, "values", Some(values).filter(|values| !values.is_empty()))
    }

    /// A component belongs to another player than before, or to nobody.
    Owner {
        /// The component that changed hands.
        component: Component,
        /// The new owner; `None` for nobody.
        owner: Option<Seat>,
    } is {
        name: "owner", about: "a component changes hands", named: [Component, Seat],
        trace: ["owner"], told: Witnesses,
        fields: with(Role::EventData, "component", component).with(Role::To, "seat", owner)
    }

    /// A phase began.
    Phase {
        name: Arc<str>,
    } is {
        name: "phase", about: "a phase begins", named: [Word],
        trace: ["mark", "phase"], told: Everybody,
        fields: with(Role::Itself, "value", name)
    }

    /// The rules said that a player has won or lost.
    Result {
        /// The player concerned.
        seat: Seat,
        /// Whether that player has won.
        won: bool,
        /// Why the player has won or lost.
        reason: Arc<str>,
    } is {
        name: "result", about: "a player wins or loses: `result p2`", named: [Seat, Word],
        trace: ["result"], told: Everybody,
        fields: with(Role::Who, "seat", seat).with(Role::Itself, "result", Content::Text(if *won { "won" } else { "lost" })).with(Role::For, "reason", reason)
    }

    /// Everybody was shown a component.
    Reveal {
        /// The component that was shown.
        component: Component,
        /// The side that was up, or what the die showed; 0 for what has no sides and for a die not rolled.
        side: u8,
    } is {
        name: "reveal", about: "a component is shown", named: [Component],
        trace: ["reveal"], told: Everybody,
        fields: with(Role::EventData, "component", component).untraced(Role::Outcome, Some(side))
    }

    /// A die was rolled.
    Roll {
        die: Component,
        /// The value that the die shows now.
        value: u8,
    } is {
        name: "roll", about: "a die is rolled", named: [Component],
        trace: ["chance", "roll"], told: Everybody,
        fields: with(Role::EventData, "die", die).with(Role::Outcome, "value", value)
    }

    /// A round began.
    Round {
        /// Number of the round, from 1.
        number: i64,
    } is {
        name: "round", about: "a round begins", named: [Word],
        trace: ["mark", "round"], told: Everybody,
        fields: with(Role::Itself, "value", number)
    }

    /// A variable got a value.
    Set {
        /// The variable, by its index in the layout.
        variable: usize,
        /// The new value of the variable.
        value: Value,
    } is {
        name: "set", about: "a variable changes: `set p1.score`", named: [Variable],
        trace: ["set"], told: Readers,
        fields: with(Role::EventData, "variable", Content::Variable(*variable)).with(Role::Outcome, "value", value)
    }

    /// One player was shown a component.
    Show {
        /// The component that was shown.
        component: Component,
        /// The side that was up, as for [`EventData::Reveal`].
        side: u8,
        /// The player who sees it.
        seat: Seat,
    } is {
        name: "show", about: "a component or a choice is shown: `show p2`", named: [Component, Seat],
        trace: ["show"], told: Everybody,
        fields: with(Role::EventData, "component", component).with(Role::To, "to", seat).untraced(Role::Outcome, Some(side))
    }

    /// A choice that was made in secret was shown.
    ShowChoice {
        /// The seat that made the choice.
        seat: Seat,
        /// The prompt of the choice.
        prompt: Arc<str>,
        /// The number of the decision.
        decision: usize,
        /// The seat that it was shown to; `None` for everybody.
        to: Option<Seat>,
    } is {
        name: "show", about: "", named: [],
        trace: ["show"], told: Everybody,
        fields: with(Role::Detail, "decision", decision).with(Role::Who, "seat", seat).with(Role::For, "prompt", prompt).with(Role::To, "to", to)
    }

    /// A zone was shuffled.
    Shuffle {
        zone: Zone,
        /// Number of lowest components that were shuffled, if not all.
        bottom: Option<usize>,
        /// Number of topmost components that were shuffled, if not all.
        top: Option<usize>,
    } is {
        name: "shuffle", about: "a zone is shuffled", named: [Zone],
        trace: ["chance", "shuffle"], told: Everybody,
        fields: with(Role::EventData, "zone", zone).each(Role::Detail, "bottom", bottom).each(Role::Detail, "top", top)
    }

    /// A component was turned to another side by hand, not by chance.
    Side {
        /// The component that was turned.
        component: Component,
        /// The side that is up now; 0 for a die that shows nothing.
        side: u8,
    } is {
        name: "side", about: "a component is turned", named: [Component],
        trace: ["turn"], told: Everybody,
        fields: with(Role::EventData, "component", component).with(Role::Outcome, "side", side)
    }

    /// A turn began.
    Turn {
        /// The seat whose turn began.
        seat: Seat,
    } is {
        name: "turn", about: "a turn begins: `turn p2`", named: [Seat],
        trace: ["mark", "turn"], told: Everybody,
        fields: with(Role::Itself, "value", seat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::event::Content;

    #[test]
    fn kinds_stand_in_the_order_of_their_names() {
        assert!(KINDS.is_sorted_by_key(|kind| kind.name));
    }

    /// Otherwise, a reader of traces could not tell the kinds apart.
    #[test]
    fn kinds_of_different_names_have_lines_of_different_types() {
        for (number, kind) in KINDS.iter().enumerate() {
            let same = KINDS[..number].iter().find(|other| other.trace == kind.trace);
            assert!(same.is_none_or(|other| other.name == kind.name), "{kind:?}");
        }
    }

    /// A pattern names what the fields of its events say.
    #[test]
    fn a_pattern_can_name_the_subjects_of_an_event() {
        let (component, seat, zone) = (Component(0), Seat::from_number(1), Some(Zone(0)));
        let events = [
            EventData::Move { component, from: zone, to: zone, position: 0 },
            EventData::Owner { component, owner: seat },
            EventData::Roll { die: component, value: 1 },
            EventData::Set { variable: 0, value: Value::Number(1) },
            EventData::Shuffle { zone: Zone(0), bottom: None, top: None },
        ];
        for event in events {
            let fields = event.fields();
            let named = fields.iter().filter(|field| field.role.is_named()).map(|field| match field.content {
                Content::Component(_) => Nameable::Component,
                Content::Seat(_) => Nameable::Seat,
                Content::Variable(_) => Nameable::Variable,
                Content::Zone(_) => Nameable::Zone,
                _ => Nameable::Word,
            });
            let mut named: Vec<Nameable> = named.collect();
            named.dedup();
            assert_eq!(named, event.kind().named, "{event:?}");
        }
    }
}
