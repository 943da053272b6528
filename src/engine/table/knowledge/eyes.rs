//! What somebody may be told of a position of a game, and of what happened before it.

use super::visible::seen_in;
use super::{Appearance, Front, Viewer, VisibleZones};
use crate::definition::Visibility;
use crate::table::State;
use crate::table::decision::{Decision, OptionShown};
use crate::table::event::{Audience, Content, Event, Field, Role, What};
use crate::table::layout::Layout;
use crate::table::value::{Component, Seat, Value, Zone};
use std::borrow::Cow;

/// What stands for something that a viewer is not told.
const UNKNOWN: &str = "?";

/// A position of a game, as somebody looks at it.
pub struct ObservedPosition<'a> {
    pub viewer: Viewer,
    /// What is seen in each zone.
    pub visible: VisibleZones,
    layout: &'a Layout,
    table: &'a State,
    /// Which face is on each component, as far as the viewer can tell: of copies that it cannot tell apart, the first.
    faces: Cow<'a, [u16]>,
    open: Option<&'a Decision>,
    /// The numbers of the secret decisions that were shown to the viewer.
    shown: Vec<usize>,
}

/// That a secret choice was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownChoice {
    /// The number of the decision.
    decision: usize,
    /// Those who saw it, a bit for each seat.
    to: u16,
}

impl ShownChoice {
    /// What an event shows; nothing where it is of another kind.
    pub fn of(event: &Event) -> Option<Self> {
        match event.what {
            What::ShowChoice { decision, .. } => Some(Self { decision, to: event.witnesses.what }),
            _ => None,
        }
    }
}

impl<'a> ObservedPosition<'a> {
    /// Looks at a table on which a decision may be open, and before which secret choices were shown.
    pub fn of(
        layout: &'a Layout,
        table: &'a State,
        open: Option<&'a Decision>,
        shown: &[ShownChoice],
        viewer: Viewer,
    ) -> Self {
        let shown = shown.iter().filter(|shown| viewer.is_among(shown.to)).map(|shown| shown.decision);
        let (visible, shown) = (VisibleZones::of(layout, table, viewer), shown.collect());
        let faces = match viewer.seats().filter(|_| layout.has_copies) {
            Some(seats) => {
                Cow::Owned(table.faces.iter().map(|&face| table.known.taken_for(layout, seats, face)).collect())
            }
            None => Cow::Borrowed(&table.faces[..]),
        };
        Self { viewer, visible, layout, table, faces, open, shown }
    }

    /// What a value is called in front of the viewer, who may know it: copies that it cannot tell apart have one name.
    pub fn label(&self, value: &Value) -> String {
        self.layout.label(&self.faces, value)
    }

    /// What an option of a seat is called in front of the viewer, who may know it. Whoever was asked read its label.
    pub fn option_label(&self, option: &OptionShown, asked: Option<Seat>) -> String {
        let mut is_mistaken =
            |component: Component| self.faces.get(component.index()) != self.table.faces.get(component.index());
        if self.viewer.may_answer(asked) || !option.value.any_component(&mut is_mistaken) {
            return option.label.clone();
        }
        self.label(&option.value)
    }

    /// A component as it is, but as the first of those from which the viewer cannot tell it apart.
    pub fn front(&self, component: Component) -> Front {
        let face = self.faces.get(component.index()).copied().map_or(0, usize::from);
        Front { face, ..Front::of(self.table, component) }
    }

    /// What is seen in a zone.
    pub fn seen(&self, zone: Zone) -> &[Appearance] {
        self.visible.zones.get(zone.index()).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether the viewer sees every face in a zone.
    pub fn sees_all(&self, zone: Zone) -> bool {
        self.seen(zone).iter().all(|seen| matches!(seen, Appearance::Face(Front { side: Some(_), .. })))
    }

    /// Whether nothing is hidden from the viewer that a seat's standing may rest on: what the seat has, and what its
    /// partners have where they score together.
    pub fn sees_standing_of(&self, seat: Seat) -> bool {
        let score = self.layout.variables.get(self.layout.score_of(seat));
        let by_team = score.is_some_and(|score| self.layout.definition.variables[score.definition].by_team);
        let counts = |owner: Seat| owner == seat || by_team && self.table.are_partners(seat, owner);
        let zones = self.layout.zones.iter().enumerate().filter(|(_, info)| info.seat.is_some_and(counts));
        zones.into_iter().all(|(number, _)| self.sees_all(Zone(number as u16)))
    }

    /// Whether the viewer may read what lies in a zone of which somebody tells the whole content, with its order.
    pub fn may_list(&self, zone: Zone) -> bool {
        let Some(info) = self.layout.zones.get(zone.index()) else { return false };
        match (self.viewer, info.visible) {
            (Viewer::Everything, _) | (_, Visibility::All) => true,
            (Viewer::Seat(seat) | Viewer::Memory(seat), Visibility::Owner) => info.seat == Some(seat),
            (Viewer::Seat(seat) | Viewer::Memory(seat), Visibility::Others) => info.seat != Some(seat),
            _ => false,
        }
    }

    /// Whether the viewer sees a component where it lies now; what is out of play is not hidden.
    pub fn sees(&self, component: Component) -> bool {
        !self.viewer.is_limited() || matches!(self.seen_now(component), Some(Appearance::Face(_)))
    }

    fn seen_now(&self, component: Component) -> Option<Appearance> {
        let zone = self.table.zones.place(component)?;
        let mut seen = seen_in(self.layout, self.table, self.viewer, zone).into_iter();
        Some(seen.find(|(one, _)| *one == component).map_or(Appearance::Back, |(_, appearance)| appearance))
    }

    /// The position of a component among what the viewer sees in its zone.
    pub fn position_seen(&self, component: Component) -> Option<usize> {
        let zone = self.table.zones.place(component)?;
        seen_in(self.layout, self.table, self.viewer, zone).iter().position(|(one, _)| *one == component)
    }

    /// Whether the viewer is told what was shown by an event.
    pub fn was_told(&self, event: &Event) -> bool {
        self.viewer.is_among(event.witnesses.what)
    }

    /// Whether a component was shown to the viewer, a player, where it lies now.
    pub fn was_shown(&self, component: Component) -> bool {
        self.viewer.is_limited() && self.viewer.is_among(self.table.known.of(component).shown)
    }

    /// Whether the viewer has come to know a component, whatever has to be remembered.
    pub fn knows(&self, component: Component) -> bool {
        self.viewer.is_among(self.table.known.of(component).face)
    }

    /// Whether the viewer is told what a component is that something happened to: a seat not, if it lies face down now.
    pub fn may_name(&self, component: Component) -> bool {
        self.knows(component) && !self.is_forgotten(component, self.table.zones.place(component))
    }

    /// Whether a value can be told in full: it names no component that the viewer may not know.
    pub fn may_say(&self, value: &Value) -> bool {
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

    /// Whether the viewer is told what somebody could choose.
    pub fn may_see_options_of(&self, asked: Option<Seat>) -> bool {
        self.viewer.may_answer(asked)
    }

    /// Whether the viewer is told what came of an event: what a die shows, which side is up.
    pub fn saw_what(&self, event: &Event, component: Component) -> bool {
        self.viewer.is_among(event.witnesses.what) && self.saw_which(event, component)
    }

    /// Whether the viewer is told which component an event happened to. What was only learned later does not count, or
    /// it would tell which of the hidden ones it had been.
    pub fn saw_which(&self, event: &Event, component: Component) -> bool {
        self.viewer.is_among(event.witnesses.which)
            && match &event.what {
                // What a seat saw go face down is told to a perfect memory alone, unless all had seen it before.
                What::Move { from, to, .. } => !self.is_forgotten(component, *to) || self.is_open(*from),
                What::Reveal { .. } | What::Show { .. } => true,
                _ => !self.is_forgotten(component, self.table.zones.place(component)),
            }
    }

    /// Whether a move laid a component where everybody sees its side.
    pub fn saw_laid_open(&self, event: &Event, component: Component) -> bool {
        let What::Move { to: Some(to), .. } = event.what else { return false };
        let is_open = self.layout.zones.get(to.index()).is_some_and(|info| info.visible == Visibility::All);
        is_open && self.saw_which(event, component)
    }

    /// Whether the viewer is told what a lot gave or a variable was set to: a value that may hold components.
    pub fn saw_drawn(&self, event: &Event, value: &Value) -> bool {
        match value {
            Value::Component(component) => self.saw_which(event, *component),
            value => self.viewer.is_among(event.witnesses.which) && self.may_say(value),
        }
    }

    /// Whether the viewer hears that something happened, by the [`Audience`] of its kind.
    pub fn hears_of(&self, event: &Event) -> bool {
        match event.what.kind().audience {
            Audience::Everybody => true,
            Audience::Readers => event.what.fields().iter().all(|field| match field.content {
                Content::Variable(variable) => self.may_read(variable),
                _ => true,
            }),
            Audience::Witnesses => event.what.component().is_none_or(|component| self.saw_which(event, component)),
            Audience::Analysts => !self.viewer.is_limited(),
        }
    }

    /// Whether the viewer is told a part of what happened.
    pub fn is_told(&self, event: &Event, field: &Field<'_>) -> bool {
        match (field.content, &event.what) {
            _ if event.what.kind().audience == Audience::Analysts => self.hears_of(event),
            (Content::Value(value), What::Set { variable, .. }) => {
                self.may_read(*variable) && self.saw_drawn(event, value)
            }
            (Content::Component(component), _) => self.saw_which(event, component),
            (Content::Value(Value::Component(component)), _) => self.saw_which(event, *component),
            (Content::Value(value), What::Lot { .. }) => self.saw_drawn(event, value),
            (Content::Variable(variable), _) => self.may_read(variable),
            (Content::Option(option), What::Choice { decision, .. }) => {
                self.may_know_choice(decision) && self.may_say(&option.value)
            }
            (Content::Value(value), _) | (Content::Option(OptionShown { value, .. }), _) => self.may_say(value),
            (
                Content::Zone(_) | Content::Seat(_) | Content::Number(_) | Content::Text(_) | Content::Values(_),
                what,
            ) => {
                field.role != Role::Outcome || what.component().is_none_or(|component| self.saw_what(event, component))
            }
        }
    }

    /// An event in plain words, as far as the viewer is told of it: its kind, and its fields in their order.
    pub fn in_words(&self, event: &Event, name: &dyn Fn(Component) -> String) -> String {
        let mut words = event.what.kind().name.to_owned();
        for field in &*event.what.fields() {
            let Some(label) = field.name.filter(|_| field.role != Role::Position) else { continue };
            let content = match (field.content, &event.what) {
                (Content::Option(option), What::Choice { decision, .. }) => {
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

    /// What is called by its id; nothing where there is nobody to name.
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

    /// Whether the viewer could tell at the time that an event had to do with a component.
    /// `then` is how the component moved next.
    pub fn could_tell(&self, event: &Event, component: Component, then: Option<&Event>) -> bool {
        match &event.what {
            What::Choice { decision, .. } => {
                self.may_know_choice(decision) && self.saw_chosen(component, decision.seat, then)
            }
            _ => self.viewer.is_among(event.witnesses.which),
        }
    }

    /// Whether the viewer is told that a component was chosen: its own choice, unless it then went where it has to be
    /// remembered; another's, if the viewer saw where it went. `then` is how it moved next.
    pub fn saw_chosen(&self, component: Component, asked: Option<Seat>, then: Option<&Event>) -> bool {
        let is_own = self.viewer.may_answer(asked);
        match then {
            _ if !self.viewer.is_limited() => true,
            Some(event @ Event { what: What::Move { to, .. }, .. }) if !is_own || self.must_be_remembered(*to) => {
                self.saw_which(event, component)
            }
            _ => is_own || self.knows(component),
        }
    }

    /// Whether the viewer may be told anything of what was chosen: not while others still choose at the same time, and
    /// not of a secret choice that was not shown to that seat.
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

    /// The parts of an option that the viewer is told, where it was chosen.
    pub fn told_of<'o>(&self, option: &'o OptionShown, is_told: impl Fn(Component) -> bool) -> Disclosure<'o> {
        let is_told_of = |value: &Value| !value.any_component(&mut |component| !is_told(component));
        match &option.value {
            value if is_told_of(value) => Disclosure::Whole,
            Value::Parts(parts) => {
                Disclosure::Parts(parts.0.iter().map(|(_, part)| (part, is_told_of(part))).collect())
            }
            _ => Disclosure::Nothing,
        }
    }

    /// Whether a seat has to remember what a component is that lies, or went, there.
    fn is_forgotten(&self, component: Component, zone: Option<Zone>) -> bool {
        matches!(self.viewer, Viewer::Seat(_) | Viewer::Public(_))
            && self.must_be_remembered(zone)
            && !self.sees(component)
    }

    /// Whether players are not told what lies in a zone, though they saw it go there.
    fn must_be_remembered(&self, zone: Option<Zone>) -> bool {
        let info = zone.and_then(|zone| self.layout.zones.get(zone.index()));
        info.is_some_and(|info| matches!(info.visible, Visibility::None | Visibility::Once))
    }

    fn is_open(&self, zone: Option<Zone>) -> bool {
        let info = zone.and_then(|zone| self.layout.zones.get(zone.index()));
        info.is_some_and(|info| matches!(info.visible, Visibility::All | Visibility::Top))
    }
}

/// How much of an option that was chosen somebody is told.
pub enum Disclosure<'o> {
    /// The whole option.
    Whole,
    /// Of several parts, each with whether it is told.
    Parts(Vec<(&'o Value, bool)>),
    /// Only that something was chosen.
    Nothing,
}
