//! Who may know what: the one place where that is asked.
//!
//! A table keeps for each component which seats know its face, which know the side that is up or what a die shows, and
//! to whom it was shown where it lies ([`Knowledge`]). An event keeps who could tell what it happened to and what came of
//! it ([`Witnesses`]). Whoever draws, tells or answers anything asks [`Eyes`], which looks at a position as one
//! [`Viewer`]. Whatever a seat does not know cannot change what its eyes give: `check --leaks` permutes it and compares.

use crate::definition::Visibility;
use crate::table::decision::{Decision, OptionShown};
use crate::table::event::{Content, Event, Field, Role, What};
use crate::table::layout::Layout;
use crate::table::value::{Component, Seat, Value, Zone};
use crate::table::{Fault, State, Table};
use std::sync::Arc;

/// What stands for something that a viewer is not told.
const UNKNOWN: &str = "?";

/// Who looks at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// The person at the sandbox, who may see everything.
    Everything,
    /// A player, with what lies open to that seat now.
    Seat(Seat),
    /// A player who remembers everything that seat has ever seen.
    Memory(Seat),
}

impl Viewer {
    /// Whose eyes these are; nobody's where everything is seen.
    pub fn seat(self) -> Option<Seat> {
        match self {
            Self::Everything => None,
            Self::Seat(seat) | Self::Memory(seat) => Some(seat),
        }
    }

    /// Whether something may be hidden from the viewer.
    pub fn is_limited(self) -> bool {
        self != Self::Everything
    }

    /// Whether the viewer belongs to a set of seats; who sees everything belongs to all.
    fn is_among(self, seats: u16) -> bool {
        self.seat().is_none_or(|seat| seats & seat.bit() != 0)
    }

    /// Whether the viewer is told the options of a decision, and may answer it: players only their own.
    pub fn may_answer(self, asked: Option<Seat>) -> bool {
        match (self.seat(), asked) {
            (Some(own), Some(asked)) => own == asked,
            _ => true,
        }
    }
}

/// What the seats know of the components and of secret choices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knowledge {
    /// Of each component.
    pub components: Vec<Known>,
    /// The last choice that each seat made in secret for each prompt.
    pub choices: Vec<SecretChoice>,
}

/// What the seats know of a component; each is a set of seats, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Who knows its face.
    pub face: u16,
    /// Who knows which side is up, or what it shows as a die.
    pub side: u16,
    /// To whom it was shown where it lies now.
    pub shown: u16,
}

/// A choice that was made in secret, and who knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretChoice {
    /// The number of the decision.
    pub decision: usize,
    /// Who chose.
    pub seat: Option<Seat>,
    /// What was asked.
    pub prompt: Arc<str>,
    /// The seats that know what was chosen, as bits.
    pub known: u16,
}

impl Knowledge {
    /// Of so many components out of play, which nobody has seen yet.
    pub(super) fn new(components: usize) -> Self {
        Self { components: vec![Known::default(); components], choices: Vec::new() }
    }

    /// Nobody has seen any component.
    pub(super) fn forget_components(&mut self) {
        self.components.fill(Known::default());
    }

    /// What is known of a component.
    pub fn of(&self, component: Component) -> Known {
        self.components.get(component.index()).copied().unwrap_or_default()
    }

    #[inline]
    fn of_mut(&mut self, component: Component) -> &mut Known {
        &mut self.components[component.index()]
    }
}

impl Known {
    fn learn(&mut self, seats: u16) {
        self.face |= seats;
        self.side |= seats;
    }

    /// Who is not among these seats cannot tell any more.
    fn forget_but(&mut self, seats: u16) {
        self.face &= seats;
        self.side &= seats;
    }
}

/// The seats that could tell what happened when an event happened, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Witnesses {
    /// Those that could tell which component it happened to.
    pub which: u16,
    /// Those that saw what came of it: which side is up, what a die shows.
    pub what: u16,
}

impl Witnesses {
    /// What happens in the open.
    pub(crate) const EVERYBODY: Self = Self { which: u16::MAX, what: u16::MAX };

    /// Those who could tell both.
    pub(super) fn of(seats: u16) -> Self {
        Self { which: seats, what: seats }
    }
}

// What happens to knowledge while the rules run

impl Table {
    /// Whether a seat knows a component's face.
    pub fn knows(&self, seat: Seat, component: Component) -> bool {
        self.state.known.of(component).face & seat.bit() != 0
    }

    /// Shows everybody a component.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn reveal(&mut self, component: Component) -> Result<(), Fault> {
        self.show(component, self.everybody());
        let side = self.side(component);
        self.happened(|| What::Reveal { component, side })
    }

    /// Shows one player a component.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn show_to(&mut self, component: Component, seat: Seat) -> Result<(), Fault> {
        self.show(component, seat.bit());
        let (seen, side) = (self.seeing(component), self.side(component));
        self.happened_before(Witnesses::of(seen), || What::Show { component, side, seat })
    }

    fn show(&mut self, component: Component, seats: u16) {
        let known = self.state.known.of_mut(component);
        known.learn(seats);
        known.shown |= seats;
    }

    /// Shows everybody, or one player, what somebody chose in secret the last time that he was asked this.
    ///
    /// # Errors
    /// No secret choice was made; too many changes in one game.
    pub fn show_choice(&mut self, seat: Seat, prompt: &str, to: Option<Seat>) -> Result<(), Fault> {
        let seats = to.map_or_else(|| self.everybody(), Seat::bit);
        let made = |choice: &&mut SecretChoice| choice.seat == Some(seat) && *choice.prompt == *prompt;
        let Some(choice) = self.state.known.choices.iter_mut().find(made) else {
            return Err(Fault::Rule {
                message: format!("{seat} has chosen nothing in secret for {prompt}"),
                help: Some(
                    "`choose_secretly` makes a choice secret, or `secret = true` beside the prompt's text".into(),
                ),
            });
        };
        choice.known |= seats;
        let (decision, known) = (choice.decision, choice.known);
        self.happened_before(Witnesses::of(known), || What::ShowChoice { seat, prompt: prompt.into(), decision, to })
    }

    /// The seats that see a component where it lies, as bits; nobody sees what is out of play.
    #[inline]
    pub(super) fn seeing(&self, component: Component) -> u16 {
        let known = self.state.known.of(component);
        let Some(zone) = self.place(component) else { return known.shown };
        let sight = &self.layout.sights[zone.index()];
        let seen = match sight.visible {
            Visibility::All | Visibility::Owner => sight.seats,
            // Of several that were lifted together, nobody saw what lay between.
            Visibility::Top | Visibility::Once if self.zone(zone).last() == Some(&component) => {
                known.face & sight.seats
            }
            Visibility::Top | Visibility::Once | Visibility::None => 0,
        };
        seen | known.shown
    }

    /// A component has come from a place where these seats saw it to a position of a zone. Gives who saw it move.
    #[inline]
    pub(super) fn learn(
        &mut self,
        component: Component,
        saw: u16,
        from: Option<Zone>,
        zone: Zone,
        position: usize,
    ) -> u16 {
        let sight = &self.layout.sights[zone.index()];
        let learned = match sight.visible {
            Visibility::Top if position + 1 < self.zone(zone).len() => 0,
            _ => sight.seats,
        };
        self.state.known.of_mut(component).learn(learned);
        self.leave(component, saw | learned, from);
        saw | learned
    }

    /// A component has left a zone before the eyes of some seats. Cards in a hand have no order, so who did not see
    /// which one went cannot tell any more what is left there and what went.
    #[inline]
    pub(super) fn leave(&mut self, component: Component, saw: u16, from: Option<Zone>) {
        self.state.known.of_mut(component).shown = 0;
        if saw & self.everybody() != self.everybody()
            && let Some(from) = from.filter(|from| self.layout.sights[from.index()].is_hand)
        {
            self.mix(component, saw, from);
        }
    }

    /// A component has left a hand, and these seats alone saw which.
    fn mix(&mut self, component: Component, saw: u16, from: Zone) {
        if self.zone(from).is_empty() {
            return;
        }
        self.state.known.of_mut(component).forget_but(saw);
        for position in 0..self.zone(from).len() {
            let left = self.zone(from)[position];
            let seen = saw | self.seeing(left);
            self.state.known.of_mut(left).forget_but(seen);
        }
    }

    /// Whether a zone is a pile that shows its top.
    pub(super) fn shows_top(&self, zone: Zone) -> bool {
        self.layout.sights[zone.index()].visible == Visibility::Top
    }

    /// Everybody learns the top of a pile that shows it.
    pub(super) fn reveal_top(&mut self, zone: Zone) {
        if self.shows_top(zone)
            && let Some(&top) = self.zone(zone).last()
        {
            let everybody = self.everybody();
            self.state.known.of_mut(top).learn(everybody);
        }
    }

    /// Everybody learns what comes to light where a component is about to leave a pile that shows its top.
    pub(super) fn reveal_below(&mut self, component: Component, zone: Option<Zone>) {
        let Some(zone) = zone.filter(|zone| self.shows_top(*zone)) else { return };
        if let Some(&top) = self.zone(zone).iter().rev().find(|&&held| held != component) {
            let everybody = self.everybody();
            self.state.known.of_mut(top).learn(everybody);
        }
    }

    /// The lowest components of a zone were shuffled: whoever does not see into it forgets what was where.
    pub(super) fn forget(&mut self, zone: Zone, count: usize) {
        let sight = &self.layout.sights[zone.index()];
        let seeing = match sight.visible {
            Visibility::All | Visibility::Owner => sight.seats,
            Visibility::Top | Visibility::None | Visibility::Once => 0,
        };
        for &component in self.state.zones.held(zone).iter().take(count) {
            *self.state.known.of_mut(component) = Known { face: seeing, side: seeing, shown: 0 };
        }
    }

    /// A component has another side up: who does not see it does not know which.
    pub(super) fn has_turned(&mut self, component: Component) -> Witnesses {
        // What is out of play is turned behind no screen.
        let lies_open = self.place(component).is_none();
        let seeing = if lies_open { self.everybody() } else { self.seeing(component) };
        let known = self.state.known.of_mut(component);
        known.side = seeing;
        Witnesses { which: known.face | seeing, what: seeing }
    }

    /// A secret choice was made.
    pub(super) fn keep_secret(&mut self, decision: usize, seat: Option<Seat>, prompt: &str) {
        let known = seat.map_or(0, Seat::bit);
        let choices = &mut self.state.known.choices;
        match choices.iter_mut().find(|choice| choice.seat == seat && *choice.prompt == *prompt) {
            Some(choice) => (choice.decision, choice.known) = (decision, known),
            None => choices.push(SecretChoice { decision, seat, prompt: prompt.into(), known }),
        }
    }

    pub(super) fn everybody(&self) -> u16 {
        self.layout.everybody
    }
}

// What somebody sees

/// A table as somebody sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// For each zone of the layout what is seen in it, from bottom or left.
    pub zones: Vec<Vec<Seen>>,
}

/// A component as somebody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Its face.
    Face(Front),
    /// Only that it is there.
    Back,
}

/// What is to be seen of a component that lies open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Front {
    /// Its face, by its number in the layout.
    pub face: usize,
    /// Which side is up, or what a die shows; 0 for what has no sides and for a die not rolled. Nothing where the viewer
    /// knows the face alone.
    pub side: Option<u8>,
    /// Whose it is.
    pub owner: Option<Seat>,
}

impl Front {
    /// A component of a table as it is.
    pub fn of(table: &State, component: Component) -> Self {
        let index = component.index();
        let side = Some(table.sides[index]);
        Self { face: usize::from(table.faces[index]), side, owner: table.owners[index] }
    }
}

impl View {
    /// The table as `viewer` sees it.
    pub fn of(layout: &Layout, table: &State, viewer: Viewer) -> Self {
        let zones = table.zones.iter().enumerate().map(|(number, held)| {
            let zone = Zone(number as u16);
            let below = if is_uncounted(layout, viewer, zone) { held.len().saturating_sub(1) } else { 0 };
            let seen =
                held.iter().enumerate().skip(below).map(|(position, &component)| {
                    seen(layout, table, viewer, zone, component, position + 1 == held.len())
                });
            seen.collect()
        });
        Self { zones: zones.collect() }
    }
}

/// Whether the viewer is not told how many components lie in a zone: only the last that arrived is to be seen there.
pub fn is_uncounted(layout: &Layout, viewer: Viewer, zone: Zone) -> bool {
    layout.zones[zone.index()].visible == Visibility::Once && matches!(viewer, Viewer::Seat(_))
}

fn seen(layout: &Layout, table: &State, viewer: Viewer, zone: Zone, component: Component, on_top: bool) -> Seen {
    let info = &layout.zones[zone.index()];
    let front = Front::of(table, component);
    let Some(seat) = viewer.seat() else { return Seen::Face(front) };
    let known = table.known.of(component);
    let knows = |seats: u16| seats & seat.bit() != 0;
    let lies_open = match info.visible {
        Visibility::All => true,
        Visibility::Owner => info.seat == Some(seat),
        Visibility::Top => on_top,
        // Shuffled, even the top one has to be seen anew.
        Visibility::Once => on_top && info.seat.is_none_or(|owner| owner == seat) && knows(known.face),
        Visibility::None => false,
    };
    let remembers = matches!(viewer, Viewer::Memory(_)) && knows(known.face);
    if lies_open {
        Seen::Face(front)
    } else if remembers || knows(known.shown) {
        Seen::Face(Front { side: front.side.filter(|_| knows(known.side)), ..front })
    } else {
        Seen::Back
    }
}

/// A position of a game, as somebody looks at it.
pub struct Eyes<'a> {
    /// Who looks.
    pub viewer: Viewer,
    /// What is seen in each zone.
    pub view: View,
    layout: &'a Layout,
    table: &'a State,
    open: Option<&'a Decision>,
    /// The numbers of the secret decisions that were shown to the viewer.
    shown: Vec<usize>,
}

impl<'a> Eyes<'a> {
    /// Looks at a table on which a decision may be open, after some events.
    pub fn of(
        layout: &'a Layout,
        table: &'a State,
        open: Option<&'a Decision>,
        events: &[Event],
        viewer: Viewer,
    ) -> Self {
        let shown = events.iter().filter_map(|event| match event.what {
            What::ShowChoice { decision, .. } if viewer.is_among(event.witnesses.what) => Some(decision),
            _ => None,
        });
        let (view, shown) = (View::of(layout, table, viewer), shown.collect());
        Self { viewer, view, layout, table, open, shown }
    }

    /// What is seen in a zone.
    pub fn seen(&self, zone: Zone) -> &[Seen] {
        self.view.zones.get(zone.index()).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether the viewer sees every face in a zone.
    pub fn sees_all(&self, zone: Zone) -> bool {
        self.seen(zone).iter().all(|seen| matches!(seen, Seen::Face(Front { side: Some(_), .. })))
    }

    /// Whether nothing that a seat has is hidden from the viewer.
    pub fn sees_all_of(&self, seat: Seat) -> bool {
        let zones = self.layout.zones.iter().enumerate().filter(|(_, info)| info.seat == Some(seat));
        zones.into_iter().all(|(number, _)| self.sees_all(Zone(number as u16)))
    }

    /// Whether the viewer may read what lies in a zone of which somebody tells the whole content, with its order.
    pub fn may_list(&self, zone: Zone) -> bool {
        let Some(info) = self.layout.zones.get(zone.index()) else { return false };
        match (self.viewer.seat(), info.visible) {
            (None, _) | (_, Visibility::All) => true,
            (Some(seat), Visibility::Owner) => info.seat == Some(seat),
            (Some(_), Visibility::Top | Visibility::None | Visibility::Once) => false,
        }
    }

    /// Whether the viewer sees a component where it lies now; what is out of play is not hidden.
    pub fn sees(&self, component: Component) -> bool {
        !self.viewer.is_limited() || matches!(self.seen_now(component), Some(Seen::Face(_)))
    }

    fn seen_now(&self, component: Component) -> Option<Seen> {
        let mut zones = self.table.zones.iter().zip(&self.view.zones);
        // What is not counted lies below, so both are gone through from the top.
        zones.find_map(|(held, seen)| {
            let position = held.iter().rev().position(|&held| held == component)?;
            Some(seen.iter().rev().nth(position).copied().unwrap_or(Seen::Back))
        })
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
        value.components().into_iter().all(|component| self.may_name(component))
    }

    /// Whether the viewer may read a variable.
    pub fn may_read(&self, variable: usize) -> bool {
        let Some(seat) = self.viewer.seat() else { return true };
        let info = self.layout.variables.get(variable);
        let definition = info.and_then(|info| self.layout.definition.variables.get(info.definition));
        match (info, definition.map(|definition| definition.visible)) {
            (Some(info), Some(Visibility::Owner)) => info.seat == Some(seat),
            (_, Some(Visibility::All)) => true,
            _ => false,
        }
    }

    /// Whether the viewer is told the options of the open decision.
    pub fn may_see_options(&self) -> bool {
        self.viewer.may_answer(self.open.and_then(|open| open.seat))
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

    /// Whether the viewer is told a part of what happened.
    pub fn is_told(&self, event: &Event, field: &Field<'_>) -> bool {
        match (field.content, &event.what) {
            (Content::Component(component), _) => self.saw_which(event, component),
            (Content::Value(Value::Component(component)), _) => self.saw_which(event, *component),
            (Content::Variable(variable), _) => self.may_read(variable),
            (Content::Value(_), What::Set { variable, .. }) => self.may_read(*variable),
            (Content::Value(value), _) => self.may_say(value),
            (_, what) if field.role == Role::Outcome => {
                what.component().is_none_or(|component| self.saw_what(event, component))
            }
            _ => true,
        }
    }

    /// An event in plain words, as far as the viewer is told of it: its kind, and its fields in their order.
    pub fn in_words(&self, event: &Event, name: &dyn Fn(Component) -> String) -> String {
        let mut words = event.what.kind().name.to_owned();
        for field in &*event.what.fields() {
            let Some(label) = field.name.filter(|_| field.role != Role::Position) else { continue };
            let Some(content) = self.named(field.content, name) else { continue };
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
            value => self.layout.label(&self.table.faces, value),
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
        if self.viewer.seat().is_none_or(|own| decision.seat == Some(own)) {
            return true;
        }
        if decision.secret {
            return self.shown.contains(&decision.number);
        }
        let is_asked_now = |together| self.open.is_some_and(|open| open.together == Some(together));
        !decision.together.is_some_and(is_asked_now)
    }

    /// The parts of an option that the viewer is told, where it was chosen.
    pub fn told_of<'o>(&self, option: &'o OptionShown, is_told: impl Fn(Component) -> bool) -> Told<'o> {
        match &option.value {
            value if value.components().into_iter().all(&is_told) => Told::Whole,
            Value::Parts(parts) => Told::Parts(
                parts.0.iter().map(|(_, part)| (part, part.components().into_iter().all(&is_told))).collect(),
            ),
            _ => Told::Nothing,
        }
    }

    /// Whether a seat has to remember what a component is that lies, or went, there.
    fn is_forgotten(&self, component: Component, zone: Option<Zone>) -> bool {
        matches!(self.viewer, Viewer::Seat(_)) && self.must_be_remembered(zone) && !self.sees(component)
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
pub enum Told<'o> {
    /// All of it.
    Whole,
    /// Of several parts, each with whether it is told.
    Parts(Vec<(&'o Value, bool)>),
    /// Only that something was chosen.
    Nothing,
}
