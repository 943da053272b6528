//! What a viewer may be told of a position of a game, and of the events before it.

use super::visible::seen_in;
use super::{Appearance, Front, Viewer, VisibleZones};
use crate::definition::Visibility;
use crate::table::State;
use crate::table::decision::{Decision, OptionShown};
use crate::table::event::{Audience, Content, Event, EventData, Field, Role};
use crate::table::layout::Layout;
use crate::table::value::{Component, Seat, Value, Zone};
use std::borrow::Cow;

/// The text in place of something that a viewer is not told.
const UNKNOWN: &str = "?";

/// A position of a game, as a viewer sees it.
pub struct ObservedPosition<'a> {
    pub viewer: Viewer,
    /// What the viewer sees in each zone.
    pub visible: VisibleZones,
    layout: &'a Layout,
    table: &'a State,
    /// The face on each component, as far as the viewer can tell: for copies that it cannot tell apart, the face of the
    /// first.
    faces: Cow<'a, [u16]>,
    open: Option<&'a Decision>,
    /// Numbers of the secret decisions that were shown to the viewer.
    shown: Vec<usize>,
}

/// The fact that a secret choice was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownSecretChoice {
    /// Number of the decision.
    decision: usize,
    /// The seats that saw the choice, one bit each.
    to: u16,
}

impl ShownSecretChoice {
    /// The secret choice that an event shows; `None` for an event of another kind.
    pub fn of(event: &Event) -> Option<Self> {
        match event.what {
            EventData::ShowChoice { decision, .. } => Some(Self { decision, to: event.witnesses.what }),
            _ => None,
        }
    }
}

impl<'a> ObservedPosition<'a> {
    /// The position of a table as `viewer` sees it. A decision may be open, and `shown` are the secret choices that
    /// were shown before.
    pub fn of(
        layout: &'a Layout,
        table: &'a State,
        open: Option<&'a Decision>,
        shown: &[ShownSecretChoice],
        viewer: Viewer,
    ) -> Self {
        let shown = shown.iter().filter(|shown| viewer.is_among(shown.to)).map(|shown| shown.decision);
        let (visible, shown) = (VisibleZones::of(layout, table, viewer), shown.collect());
        let faces = match viewer.seats().filter(|_| layout.has_copies) {
            Some(seats) => {
                Cow::Owned(table.faces.iter().map(|&face| table.known.apparent_face(layout, seats, face)).collect())
            }
            None => Cow::Borrowed(&table.faces[..]),
        };
        Self { viewer, visible, layout, table, faces, open, shown }
    }

    /// The label of a value in front of the viewer, who may know it: copies that the viewer cannot tell apart have one
    /// label.
    pub fn label(&self, value: &Value) -> String {
        self.layout.label(&self.faces, value)
    }

    /// The label of an option in front of the viewer, who may know it. The seat that was asked gets the label that it
    /// read.
    pub fn option_label(&self, option: &OptionShown, asked: Option<Seat>) -> String {
        let mut is_mistaken =
            |component: Component| self.faces.get(component.index()) != self.table.faces.get(component.index());
        if self.viewer.may_answer(asked) || !option.value.any_component(&mut is_mistaken) {
            return option.label.clone();
        }
        self.label(&option.value)
    }

    /// The front of a component, with the face of the first of those components that the viewer cannot tell apart.
    pub fn front(&self, component: Component) -> Front {
        let face = self.faces.get(component.index()).copied().map_or(0, usize::from);
        Front { face, ..Front::of(self.table, component) }
    }

    /// What the viewer sees in a zone.
    pub fn seen(&self, zone: Zone) -> &[Appearance] {
        self.visible.zones.get(zone.index()).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether the viewer sees every face in a zone.
    pub fn sees_all(&self, zone: Zone) -> bool {
        self.seen(zone).iter().all(|seen| matches!(seen, Appearance::Face(Front { side: Some(_), .. })))
    }

    /// Whether the viewer sees all that a seat's standing may rest on: the zones of the seat, and those of its partners
    /// where they score together.
    pub fn sees_standing_of(&self, seat: Seat) -> bool {
        let score = self.layout.variables.get(self.layout.score_of(seat));
        let by_team = score.is_some_and(|score| self.layout.definition.variables[score.definition].by_team);
        let counts = |owner: Seat| owner == seat || by_team && self.table.are_partners(seat, owner);
        let zones = self.layout.zones.iter().enumerate().filter(|(_, info)| info.seat.is_some_and(counts));
        zones.into_iter().all(|(number, _)| self.sees_all(Zone(number as u16)))
    }

    /// Whether the viewer may read the whole content of a zone in its order, where the program lists it.
    pub fn may_list(&self, zone: Zone) -> bool {
        let Some(info) = self.layout.zones.get(zone.index()) else { return false };
        match (self.viewer, info.visible) {
            (Viewer::Everything, _) | (_, Visibility::All) => true,
            (Viewer::Seat(seat) | Viewer::Memory(seat), Visibility::Owner) => info.seat == Some(seat),
            (Viewer::Seat(seat) | Viewer::Memory(seat), Visibility::Others) => info.seat != Some(seat),
            _ => false,
        }
    }

    /// Whether the viewer sees the face of a component where it lies now. Out of play, only a viewer of everything
    /// does.
    pub fn sees(&self, component: Component) -> bool {
        !self.viewer.is_limited() || matches!(self.seen_now(component), Some(Appearance::Face(_)))
    }

    fn seen_now(&self, component: Component) -> Option<Appearance> {
        let zone = self.table.zones.place(component)?;
        let mut seen = seen_in(self.layout, self.table, self.viewer, zone).into_iter();
        Some(seen.find(|(one, _)| *one == component).map_or(Appearance::Back, |(_, appearance)| appearance))
    }

    /// The position of a component in what the viewer sees of its zone; `None` where the viewer sees nothing of it
    /// there.
    pub fn position_seen(&self, component: Component) -> Option<usize> {
        let zone = self.table.zones.place(component)?;
        seen_in(self.layout, self.table, self.viewer, zone).iter().position(|(one, _)| *one == component)
    }

    /// Whether the viewer saw the result of an event: what was shown.
    pub fn saw_shown_result(&self, event: &Event) -> bool {
        self.viewer.is_among(event.witnesses.what)
    }

    /// Whether a component was shown to the viewer where it lies now; false for a viewer of everything.
    pub fn was_shown(&self, component: Component) -> bool {
        self.viewer.is_limited() && self.viewer.is_among(self.table.known.of(component).shown)
    }

    /// Whether the viewer has learned the face of a component at some time, also where it has to be remembered.
    pub fn knows(&self, component: Component) -> bool {
        self.viewer.is_among(self.table.known.of(component).face)
    }

    /// Whether the viewer is told which component something happened to. A seat is not, if the component now lies face
    /// down.
    pub fn may_name(&self, component: Component) -> bool {
        self.knows(component) && !self.is_forgotten(component, self.table.zones.place(component))
    }

    /// Whether a value can be told in full, because the viewer may know all components that it names.
    pub fn may_tell_value(&self, value: &Value) -> bool {
        !value.any_component(&mut |component| !self.may_name(component))
    }

    /// Whether the viewer may read a variable.
    pub fn may_read(&self, variable: usize) -> bool {
        self.viewer.may_read(self.layout, variable)
    }

    /// Whether the viewer is told the options of the open decision.
    pub fn may_see_options(&self) -> bool {
        self.may_see_options_of(self.open.and_then(|open| open.seat))
    }

    /// Whether the viewer is told the options of a decision for which this seat is asked.
    pub fn may_see_options_of(&self, asked: Option<Seat>) -> bool {
        self.viewer.may_answer(asked)
    }

    /// Whether the viewer is told the result of an event: what a die shows, which side is up.
    pub fn saw_result(&self, event: &Event, component: Component) -> bool {
        self.viewer.is_among(event.witnesses.what) && self.saw_component(event, component)
    }

    /// Whether the viewer is told which component an event happened to. What the viewer learned only later does not
    /// count, or it would tell which of the hidden components it had been.
    pub fn saw_component(&self, event: &Event, component: Component) -> bool {
        self.viewer.is_among(event.witnesses.which)
            && match &event.what {
                // A seat that saw a component go face down is told so by a perfect memory alone, unless all had seen it
                // before.
                EventData::Move { from, to, .. } => !self.is_forgotten(component, *to) || self.is_open(*from),
                EventData::Reveal { .. } | EventData::Show { .. } => true,
                _ => !self.is_forgotten(component, self.table.zones.place(component)),
            }
    }

    /// Whether a move laid a component where everybody sees its side.
    pub fn saw_laid_open(&self, event: &Event, component: Component) -> bool {
        let EventData::Move { to: Some(to), .. } = event.what else { return false };
        let is_open = self.layout.zones.get(to.index()).is_some_and(|info| info.visible == Visibility::All);
        is_open && self.saw_component(event, component)
    }

    /// Whether the viewer is told the value that a lot gave or that a variable was set to; it may name components.
    pub fn saw_drawn(&self, event: &Event, value: &Value) -> bool {
        match value {
            Value::Component(component) => self.saw_component(event, *component),
            value => self.viewer.is_among(event.witnesses.which) && self.may_tell_value(value),
        }
    }

    /// Whether the viewer hears of an event, by the [`Audience`] of its kind.
    pub fn hears_of(&self, event: &Event) -> bool {
        match event.what.kind().audience {
            Audience::Everybody => true,
            Audience::Readers => event.what.fields().iter().all(|field| match field.content {
                Content::Variable(variable) => self.may_read(variable),
                _ => true,
            }),
            Audience::Witnesses => event.what.component().is_none_or(|component| self.saw_component(event, component)),
            Audience::Analysts => !self.viewer.is_limited(),
        }
    }

    /// Whether the viewer is told a field of an event.
    pub fn is_told(&self, event: &Event, field: &Field<'_>) -> bool {
        match (field.content, &event.what) {
            _ if event.what.kind().audience == Audience::Analysts => self.hears_of(event),
            (Content::Value(value), EventData::Set { variable, .. }) => {
                self.may_read(*variable) && self.saw_drawn(event, value)
            }
            (Content::Component(component), _) => self.saw_component(event, component),
            (Content::Value(Value::Component(component)), _) => self.saw_component(event, *component),
            (Content::Value(value), EventData::Lot { .. }) => self.saw_drawn(event, value),
            (Content::Variable(variable), _) => self.may_read(variable),
            (Content::Option(option), EventData::Choice { decision, .. }) => {
                self.may_know_choice(decision) && self.may_tell_value(&option.value)
            }
            (Content::Value(value), _) | (Content::Option(OptionShown { value, .. }), _) => self.may_tell_value(value),
            (
                Content::Zone(_) | Content::Seat(_) | Content::Number(_) | Content::Text(_) | Content::Values(_),
                what,
            ) => {
                field.role != Role::Outcome
                    || what.component().is_none_or(|component| self.saw_result(event, component))
            }
        }
    }

    /// An event in plain words, as far as the viewer is told of it: its kind, and its fields in their order.
    pub fn in_words(&self, event: &Event, name: &dyn Fn(Component) -> String) -> String {
        let mut words = event.what.kind().name.to_owned();
        for field in &*event.what.fields() {
            let Some(label) = field.name.filter(|_| field.role != Role::Position) else { continue };
            let content = match (field.content, &event.what) {
                (Content::Option(option), EventData::Choice { decision, .. }) => {
                    Some(self.option_label(option, decision.seat))
                }
                (content, _) => self.named(content, name),
            };
            let Some(content) = content else { continue };
            match field.role {
                Role::From => words += " from",
                Role::To => words += " to",
                Role::Detail => words = format!("{words} {label}"),
                _ => {}
            }
            words += " ";
            words += if self.is_told(event, field) { &content } else { UNKNOWN };
        }
        words
    }

    /// The content of a field by its ids and labels; `None` where there is nobody to name.
    pub fn named(&self, content: Content<'_>, name: &dyn Fn(Component) -> String) -> Option<String> {
        let value = |value: &Value| match value {
            Value::Component(component) => name(*component),
            value => self.label(value),
        };
        Some(match content {
            Content::Component(component) => name(component),
            Content::Zone(None) => "out of play".to_owned(),
            Content::Zone(Some(zone)) => self.layout.zones.get(zone.index())?.id.to_string(),
            Content::Seat(seat) => seat?.to_string(),
            Content::Variable(number) => self.layout.variables.get(number)?.id.to_string(),
            Content::Number(number) => number.to_string(),
            Content::Text(text) => text.to_owned(),
            Content::Value(one) => value(one),
            Content::Values(values) => values.iter().map(value).collect::<Vec<_>>().join(", "),
            Content::Option(option) => option.label.clone(),
        })
    }

    /// Whether the viewer could tell at the time that an event had to do with a component. `then` is the next move of
    /// the component.
    pub fn could_identify(&self, event: &Event, component: Component, then: Option<&Event>) -> bool {
        match &event.what {
            EventData::Choice { decision, .. } => {
                self.may_know_choice(decision) && self.saw_chosen(component, decision.seat, then)
            }
            _ => self.viewer.is_among(event.witnesses.which),
        }
    }

    /// Whether the viewer is told that a component was chosen. Its own choice is told, unless the component then went
    /// where it has to be remembered; another player's choice is told if the viewer saw where the component went.
    /// `then` is the next move of the component.
    pub fn saw_chosen(&self, component: Component, asked: Option<Seat>, then: Option<&Event>) -> bool {
        let is_own = self.viewer.may_answer(asked);
        match then {
            _ if !self.viewer.is_limited() => true,
            Some(event @ Event { what: EventData::Move { to, .. }, .. }) if !is_own || self.must_be_remembered(*to) => {
                self.saw_component(event, component)
            }
            _ => is_own || self.knows(component),
        }
    }

    /// Whether the viewer may be told anything of a choice: not while others still choose at the same time, and not of
    /// a secret choice that was not shown to that seat.
    pub fn may_know_choice(&self, decision: &Decision) -> bool {
        if !self.viewer.is_limited() || self.viewer.seat().is_some_and(|own| decision.seat == Some(own)) {
            return true;
        }
        if decision.secret {
            return self.shown.contains(&decision.number);
        }
        let is_asked_now = |together| self.open.is_some_and(|open| open.together == Some(together));
        !decision.together.is_some_and(is_asked_now)
    }

    /// How much the viewer is told of an option that was chosen; `is_told` says whether it is told a component.
    pub fn disclosure_of<'o>(&self, option: &'o OptionShown, is_told: impl Fn(Component) -> bool) -> Disclosure<'o> {
        let is_told_of = |value: &Value| !value.any_component(&mut |component| !is_told(component));
        match &option.value {
            value if is_told_of(value) => Disclosure::Whole,
            Value::Parts(parts) => {
                Disclosure::Parts(parts.0.iter().map(|(_, part)| (part, is_told_of(part))).collect())
            }
            _ => Disclosure::Nothing,
        }
    }

    /// Whether the viewer would have to remember a component that lies in a zone, or went there, and is not told it.
    fn is_forgotten(&self, component: Component, zone: Option<Zone>) -> bool {
        matches!(self.viewer, Viewer::Seat(_) | Viewer::Public(_))
            && self.must_be_remembered(zone)
            && !self.sees(component)
    }

    /// Whether players are not told what lies in a zone, although they saw it go there.
    fn must_be_remembered(&self, zone: Option<Zone>) -> bool {
        let info = zone.and_then(|zone| self.layout.zones.get(zone.index()));
        info.is_some_and(|info| matches!(info.visible, Visibility::None | Visibility::Once))
    }

    fn is_open(&self, zone: Option<Zone>) -> bool {
        let info = zone.and_then(|zone| self.layout.zones.get(zone.index()));
        info.is_some_and(|info| matches!(info.visible, Visibility::All | Visibility::Top))
    }
}

/// How much of a chosen option a viewer is told.
pub enum Disclosure<'o> {
    /// The whole option.
    Whole,
    /// The parts of the option, each with whether it is told.
    Parts(Vec<(&'o Value, bool)>),
    /// Only that something was chosen.
    Nothing,
}
