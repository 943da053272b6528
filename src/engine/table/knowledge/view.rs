//! A game as one viewer sees it now, as data: owned, and serialisable for pages, agents and other programs.

use super::{Appearance, ObservedPosition, ShownSecretChoice, Viewer};
use crate::table::State;
use crate::table::decision::{Decision, OptionShown};
use crate::table::event::Event;
use crate::table::layout::Layout;
use crate::table::value::{Component, Seat, Value, Zone};
use serde::Serialize;

/// What one viewer sees of a game now. Nothing in it tells more than the viewer may know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// The phase, where the rules have named one.
    pub phase: Option<String>,
    /// The round, from 1; 0 where the rules count none.
    pub round: i64,
    /// Number of the seat whose turn it is, from 1.
    pub turn: Option<usize>,
    /// Every zone of the table, the shared ones first, then each seat's.
    pub zones: Vec<ZoneView>,
    /// Every variable that the viewer may read.
    pub variables: Vec<VariableView>,
    /// The decisions that are open now; without options for a viewer who may not see them.
    pub asked: Vec<DecisionView>,
    /// The events since the number that was asked for, in order.
    pub events: Vec<EventView>,
    /// Number of events so far, from which on to ask next time.
    pub events_so_far: usize,
}

/// A zone, and what the viewer sees in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ZoneView {
    /// Id of the zone, such as `p1.hand`.
    pub id: String,
    /// Number of the seat that it belongs to, from 1; `None` for a shared zone.
    pub seat: Option<usize>,
    /// Number of components in it; `None` where the viewer is not told.
    pub count: Option<usize>,
    /// What is seen of the components, from bottom or left. Where `count` is `None`, only the top one.
    pub components: Vec<ComponentView>,
}

/// A component, as far as it is seen: all fields are `None` for one that lies face down.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ComponentView {
    /// Id of the face; for a player, of copies that the player cannot tell apart, that of the first.
    pub face: Option<String>,
    /// The side that is up, from 1, or the value of a die; `None` where that is not known, 0 for what has no sides.
    pub side: Option<u8>,
    /// Number of the seat that owns it, from 1.
    pub owner: Option<usize>,
}

/// A variable with its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariableView {
    /// Id of the variable, such as `p1.score`.
    pub id: String,
    /// The value as it is written in logs and files; `None` where it names something that the viewer may not know.
    pub value: Option<String>,
}

/// An open decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecisionView {
    /// Number of the seat that is asked, from 1; `None` in a real-time decision about who acts.
    pub seat: Option<usize>,
    /// The prompt, such as `play_card`.
    pub prompt: String,
    /// The purpose of the decision, where one prompt serves several rules.
    pub purpose: Option<String>,
    /// Fewest options to choose.
    pub min: usize,
    /// Most options to choose.
    pub max: usize,
    /// The legal options; `None` for a viewer who may not see them.
    pub options: Option<Vec<OptionView>>,
}

/// An option of a decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OptionView {
    /// The label that names the option in answers.
    pub label: String,
    /// The places of the components that the option names: the zone's id, and the position from 0.
    pub places: Vec<(String, usize)>,
}

/// An event, as far as the viewer is told of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventView {
    /// Number of the move that the event belongs to, from 1; 0 before the first.
    #[serde(rename = "move")]
    pub move_number: usize,
    /// Kind and fields of the event in plain words, with `?` for what the viewer is not told.
    pub text: String,
}

/// The past of a game, as far as a view tells of it.
#[derive(Clone, Debug, Default)]
pub struct VisiblePast<'a> {
    /// The secret choices that were shown to somebody.
    pub shown: Vec<ShownSecretChoice>,
    /// The latest events, which the view tells, in two stretches.
    pub told: [&'a [Event]; 2],
    /// Number of events in all.
    pub events_so_far: usize,
}

impl View {
    /// The game as `viewer` sees it: a table on which decisions may be open, and what happened before.
    pub fn of((layout, table): (&Layout, &State), asked: &[&Decision], past: &VisiblePast<'_>, viewer: Viewer) -> Self {
        let eyes = ObservedPosition::of(layout, table, asked.first().copied(), &past.shown, viewer);
        let look = ViewBuilder { layout, table, eyes: &eyes };
        let variables = layout.variables.iter().zip(&table.variables).enumerate();
        let variables = variables.filter(|(number, _)| eyes.may_read(*number)).map(|(_, (info, value))| VariableView {
            id: info.id.to_string(),
            value: eyes.may_tell_value(value).then(|| eyes.label(value)),
        });
        Self {
            phase: table.phase.as_deref().map(str::to_owned),
            round: table.round,
            turn: table.turn.map(Seat::number),
            zones: (0..layout.zones.len()).map(|number| look.zone(Zone(number as u16))).collect(),
            variables: variables.collect(),
            asked: asked.iter().map(|decision| look.decision(decision)).collect(),
            events: past.told.iter().copied().flatten().map(|event| look.event(event)).collect(),
            events_so_far: past.events_so_far,
        }
    }
}

/// A table and the viewer's position, from which the parts of a view are made.
struct ViewBuilder<'a> {
    layout: &'a Layout,
    table: &'a State,
    eyes: &'a ObservedPosition<'a>,
}

impl ViewBuilder<'_> {
    fn zone(&self, zone: Zone) -> ZoneView {
        let info = &self.layout.zones[zone.index()];
        let is_uncounted = super::is_uncounted(self.layout, self.eyes.viewer, zone);
        let seen = self.eyes.seen(zone);
        ZoneView {
            id: info.id.to_string(),
            seat: info.seat.map(Seat::number),
            count: (!is_uncounted).then_some(seen.len()),
            components: seen.iter().map(|seen| self.component(*seen)).collect(),
        }
    }

    fn component(&self, seen: Appearance) -> ComponentView {
        match seen {
            Appearance::Back => ComponentView::default(),
            Appearance::Face(front) => ComponentView {
                face: self.layout.faces.get(front.face).map(|face| face.id.to_string()),
                side: front.side,
                owner: front.owner.map(Seat::number),
            },
        }
    }

    fn decision(&self, decision: &Decision) -> DecisionView {
        let may_see = self.eyes.may_see_options_of(decision.seat);
        DecisionView {
            seat: decision.seat.map(Seat::number),
            prompt: decision.prompt.to_string(),
            purpose: decision.purpose.as_deref().map(str::to_owned),
            min: decision.min,
            max: decision.max,
            options: may_see.then(|| decision.options.iter().map(|option| self.option(option)).collect()),
        }
    }

    fn option(&self, option: &OptionShown) -> OptionView {
        let places = option.value.components().into_iter().filter_map(|component| self.place(component, &option.value));
        OptionView { label: option.label.clone(), places: places.collect() }
    }

    /// The place of a component of an option, where the viewer sees it there, or the option tells it by its place.
    fn place(&self, component: Component, option: &Value) -> Option<(String, usize)> {
        let zone = self.table.zones.place(component)?;
        let is_back = !option.any_component(&mut |named| named == component);
        if !is_back && !self.eyes.sees(component) || super::is_uncounted(self.layout, self.eyes.viewer, zone) {
            return None;
        }
        let position = self.eyes.position_seen(component)?;
        Some((self.layout.zones[zone.index()].id.to_string(), position))
    }

    fn event(&self, event: &Event) -> EventView {
        let name = |component: Component| self.eyes.label(&Value::Component(component));
        EventView { move_number: event.moves, text: self.eyes.in_words(event, &name) }
    }
}
