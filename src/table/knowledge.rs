//! Who may know what: the one place where that is asked.
//!
//! A table keeps for each component which seats know its face, which know the side that is up or what a die shows, and
//! to whom it was shown where it lies ([`Knowledge`]). An event keeps who could tell what it happened to and what came of
//! it ([`Witnesses`]). Whoever draws, tells or answers anything asks [`Eyes`], which looks at a position as one
//! [`Viewer`]. Whatever a seat does not know cannot change what its eyes give: `check --leaks` permutes it and compares.

use crate::definition::{Visibility, ZoneOrder};
use crate::table::decision::{Decision, OptionShown};
use crate::table::event::{Event, What};
use crate::table::layout::Layout;
use crate::table::value::{Component, MAX_SEATS, Seat, Value, Zone};
use crate::table::{Fault, State, Table};
use std::sync::Arc;

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
    fn is_among(self, seats: u32) -> bool {
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

/// What the seats know of the components and of secret choices, as bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knowledge {
    /// For each component the seats that know its face.
    pub faces: Vec<u32>,
    /// For each component the seats that know which side is up, or what it shows as a die.
    pub sides: Vec<u32>,
    /// For each component the seats that it was shown to where it lies now.
    pub shown: Vec<u32>,
    /// The last choice that each seat made in secret for each prompt.
    pub choices: Vec<SecretChoice>,
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
    pub known: u32,
}

impl Knowledge {
    /// Of so many components out of play, which nobody has seen yet.
    pub(super) fn new(components: usize) -> Self {
        let nobody = vec![0; components];
        Self { faces: nobody.clone(), sides: nobody.clone(), shown: nobody, choices: Vec::new() }
    }

    /// Nobody has seen any component.
    pub(super) fn forget_components(&mut self) {
        self.faces.fill(0);
        self.sides.fill(0);
        self.shown.fill(0);
    }

    fn learn(&mut self, component: Component, seats: u32) {
        self.faces[component.index()] |= seats;
        self.sides[component.index()] |= seats;
    }

    /// From now on these seats know a component and nobody else.
    fn know_alone(&mut self, component: Component, seats: u32) {
        self.faces[component.index()] = seats;
        self.sides[component.index()] = seats;
        self.shown[component.index()] = 0;
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

    /// Those who could tell both. There are no more seats than bits, and a recording holds many events.
    pub(super) fn of(seats: u32) -> Self {
        Self { which: seats as u16, what: seats as u16 }
    }
}

// What happens to knowledge while the rules run

impl Table {
    /// Whether a seat knows a component's face.
    pub fn knows(&self, seat: Seat, component: Component) -> bool {
        self.state.known.faces[component.index()] & seat.bit() != 0
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

    fn show(&mut self, component: Component, seats: u32) {
        self.state.known.learn(component, seats);
        self.state.known.shown[component.index()] |= seats;
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
    pub(super) fn seeing(&self, component: Component) -> u32 {
        let Some(zone) = self.state.places[component.index()] else { return self.state.known.shown[component.index()] };
        let is_on_top = self.state.zones[zone.index()].last() == Some(&component);
        let info = &self.layout.zones[zone.index()];
        let known = self.state.known.faces[component.index()];
        let seen = match info.visible {
            Visibility::All => self.everybody(),
            Visibility::Owner => info.seat.map_or(0, Seat::bit),
            // Of several that were lifted together, nobody saw what lay between.
            Visibility::Top if is_on_top => known,
            Visibility::Once if is_on_top => known & info.seat.map_or_else(|| self.everybody(), Seat::bit),
            Visibility::Top | Visibility::Once | Visibility::None => 0,
        };
        seen | self.state.known.shown[component.index()]
    }

    /// A component has come from a place where these seats saw it to a position of a zone. Gives who saw it move.
    pub(super) fn learn(
        &mut self,
        component: Component,
        saw: u32,
        from: Option<Zone>,
        zone: Zone,
        position: usize,
    ) -> u32 {
        let info = &self.layout.zones[zone.index()];
        let learned = match info.visible {
            Visibility::All => self.everybody(),
            Visibility::Once => info.seat.map_or_else(|| self.everybody(), Seat::bit),
            Visibility::Owner => info.seat.map_or(0, Seat::bit),
            Visibility::Top if position + 1 == self.state.zones[zone.index()].len() => self.everybody(),
            Visibility::Top | Visibility::None => 0,
        };
        self.state.known.learn(component, learned);
        self.leave(component, saw | learned, from);
        saw | learned
    }

    /// A component has left a zone before the eyes of some seats. Cards in a hand have no order, so who did not see
    /// which one went cannot tell any more what is left there and what went.
    pub(super) fn leave(&mut self, component: Component, saw: u32, from: Option<Zone>) {
        self.state.known.shown[component.index()] = 0;
        let Some(from) = from.filter(|_| saw & self.everybody() != self.everybody()) else { return };
        if self.layout.zone_definition(from).order != ZoneOrder::Hand || self.state.zones[from.index()].is_empty() {
            return;
        }
        self.state.known.faces[component.index()] &= saw;
        self.state.known.sides[component.index()] &= saw;
        for &left in &self.state.zones[from.index()] {
            let seen = saw | self.seeing(left);
            self.state.known.faces[left.index()] &= seen;
            self.state.known.sides[left.index()] &= seen;
        }
    }

    /// Everybody learns the top of a pile that shows it.
    pub(super) fn reveal_top(&mut self, zone: Zone) {
        if self.layout.zones[zone.index()].visible == Visibility::Top
            && let Some(&top) = self.state.zones[zone.index()].last()
        {
            let everybody = self.everybody();
            self.state.known.learn(top, everybody);
        }
    }

    /// The lowest components of a zone were shuffled: whoever does not see into it forgets what was where.
    pub(super) fn forget(&mut self, zone: Zone, count: usize) {
        let info = &self.layout.zones[zone.index()];
        let seeing = match info.visible {
            Visibility::All => self.everybody(),
            Visibility::Owner => info.seat.map_or(0, Seat::bit),
            Visibility::Top | Visibility::None | Visibility::Once => 0,
        };
        for &component in self.state.zones[zone.index()].iter().take(count) {
            self.state.known.know_alone(component, seeing);
        }
    }

    /// A component has another side up: who does not see it does not know which.
    pub(super) fn has_turned(&mut self, component: Component) -> Witnesses {
        // What is out of play is turned behind no screen.
        let lies_open = self.state.places[component.index()].is_none();
        let seeing = if lies_open { self.everybody() } else { self.seeing(component) };
        self.state.known.sides[component.index()] = seeing;
        Witnesses { which: (self.state.known.faces[component.index()] | seeing) as u16, what: seeing as u16 }
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

    pub(super) fn everybody(&self) -> u32 {
        debug_assert!(self.layout.seats <= MAX_SEATS);
        (1 << self.layout.seats) - 1
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
    let knows = |seats: &[u32]| seats[component.index()] & seat.bit() != 0;
    let lies_open = match info.visible {
        Visibility::All => true,
        Visibility::Owner => info.seat == Some(seat),
        Visibility::Top => on_top,
        // Shuffled, even the top one has to be seen anew.
        Visibility::Once => on_top && info.seat.is_none_or(|owner| owner == seat) && knows(&table.known.faces),
        Visibility::None => false,
    };
    let remembers = matches!(viewer, Viewer::Memory(_)) && knows(&table.known.faces);
    if lies_open {
        Seen::Face(front)
    } else if remembers || knows(&table.known.shown) {
        Seen::Face(Front { side: front.side.filter(|_| knows(&table.known.sides)), ..front })
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
            What::ShowChoice { decision, .. } if viewer.is_among(event.witnesses.what.into()) => Some(decision),
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
        self.viewer.is_among(event.witnesses.what.into())
    }

    /// Whether a component was shown to the viewer, a player, where it lies now.
    pub fn was_shown(&self, component: Component) -> bool {
        self.viewer.is_limited()
            && self.viewer.is_among(self.table.known.shown.get(component.index()).copied().unwrap_or(0))
    }

    /// Whether the viewer has come to know a component, whatever has to be remembered.
    pub fn knows(&self, component: Component) -> bool {
        self.viewer.is_among(self.table.known.faces.get(component.index()).copied().unwrap_or(0))
    }

    /// Whether the viewer is told what a component is that something happened to: a seat not, if it lies face down now.
    pub fn may_name(&self, component: Component) -> bool {
        self.knows(component) && !self.is_forgotten(component, self.place(component))
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
        self.viewer.is_among(event.witnesses.what.into()) && self.saw_which(event, component)
    }

    /// Whether the viewer is told which component an event happened to. What was only learned later does not count, or
    /// it would tell which of the hidden ones it had been.
    pub fn saw_which(&self, event: &Event, component: Component) -> bool {
        self.viewer.is_among(event.witnesses.which.into())
            && match &event.what {
                // What a seat saw go face down is told to a perfect memory alone, unless all had seen it before.
                What::Move { from, to, .. } => !self.is_forgotten(component, *to) || self.is_open(*from),
                What::Reveal { .. } | What::Show { .. } => true,
                _ => !self.is_forgotten(component, self.place(component)),
            }
    }

    /// Whether the viewer could tell at the time that an event had to do with a component.
    /// `then` is how the component moved next.
    pub fn could_tell(&self, event: &Event, component: Component, then: Option<&Event>) -> bool {
        match &event.what {
            What::Choice { decision, .. } => {
                self.may_know_choice(decision) && self.saw_chosen(component, decision.seat, then)
            }
            _ => self.viewer.is_among(event.witnesses.which.into()),
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

    fn place(&self, component: Component) -> Option<Zone> {
        let zone = self.table.zones.iter().position(|held| held.contains(&component))?;
        Some(Zone(zone as u16))
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
