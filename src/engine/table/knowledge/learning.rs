//! What the seats know, and how that changes while the rules run.

use crate::definition::Visibility;
use crate::table::event::What;
use crate::table::value::{Component, Seat, Zone};
use crate::table::{Fault, Table};
use std::sync::Arc;

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
    pub(in crate::table) fn new(components: usize) -> Self {
        Self { components: vec![Known::default(); components], choices: Vec::new() }
    }

    /// Nobody has seen any component.
    pub(in crate::table) fn forget_components(&mut self) {
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
    pub const EVERYBODY: Self = Self { which: u16::MAX, what: u16::MAX };

    /// Those who could tell both.
    pub(in crate::table) fn of(seats: u16) -> Self {
        Self { which: seats, what: seats }
    }
}

impl Table {
    /// Whether a seat knows a component's face.
    pub fn knows(&self, seat: Seat, component: Component) -> bool {
        self.state.known.of(component).face & seat.bit() != 0
    }

    /// Whether everybody knows everything: of what lies on the table each face, and which side is up, and all that was
    /// chosen.
    pub fn is_open(&self) -> bool {
        let everybody = self.everybody();
        if self.state.known.choices.iter().any(|choice| choice.known & everybody != everybody) {
            return false;
        }
        let placed = (0..self.state.faces.len()).map(|handle| Component(handle as u16));
        placed.filter(|&component| self.place(component).is_some()).all(|component| {
            let known = self.state.known.of(component);
            known.face & known.side & everybody == everybody
        })
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
        self.takes(64 * self.state.known.choices.len());
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
    pub(in crate::table) fn seeing(&self, component: Component) -> u16 {
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
    pub(in crate::table) fn learn(
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
    pub(in crate::table) fn leave(&mut self, component: Component, saw: u16, from: Option<Zone>) {
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
        self.takes(8 * self.zone(from).len());
        self.state.known.of_mut(component).forget_but(saw);
        for position in 0..self.zone(from).len() {
            let left = self.zone(from)[position];
            let seen = saw | self.seeing(left);
            self.state.known.of_mut(left).forget_but(seen);
        }
    }

    /// Whether a zone is a pile that shows its top.
    pub(in crate::table) fn shows_top(&self, zone: Zone) -> bool {
        self.layout.sights[zone.index()].visible == Visibility::Top
    }

    /// Everybody learns the top of a pile that shows it.
    pub(in crate::table) fn reveal_top(&mut self, zone: Zone) {
        if self.shows_top(zone)
            && let Some(&top) = self.zone(zone).last()
        {
            let everybody = self.everybody();
            self.state.known.of_mut(top).learn(everybody);
        }
    }

    /// Everybody learns what comes to light where a component is about to leave a pile that shows its top.
    pub(in crate::table) fn reveal_below(&mut self, component: Component, zone: Option<Zone>) {
        let Some(zone) = zone.filter(|zone| self.shows_top(*zone)) else { return };
        if let Some(&top) = self.zone(zone).iter().rev().find(|&&held| held != component) {
            let everybody = self.everybody();
            self.state.known.of_mut(top).learn(everybody);
        }
    }

    /// The lowest components of a zone were shuffled: whoever does not see into it forgets what was where.
    pub(in crate::table) fn forget(&mut self, zone: Zone, count: usize) {
        let sight = &self.layout.sights[zone.index()];
        let seeing = match sight.visible {
            Visibility::All | Visibility::Owner => sight.seats,
            Visibility::Top | Visibility::None | Visibility::Once => 0,
        };
        for &component in self.state.zones.held(zone).iter().take(count) {
            *self.state.known.of_mut(component) = Known { face: seeing, side: seeing, shown: 0 };
        }
    }

    /// A die was rolled: to whom it was shown before, it was shown as it lay then.
    pub(in crate::table) fn has_rolled(&mut self, component: Component) -> Witnesses {
        self.state.known.of_mut(component).shown = 0;
        self.has_turned(component)
    }

    /// A component has another side up: who does not see it does not know which.
    pub(in crate::table) fn has_turned(&mut self, component: Component) -> Witnesses {
        // What is out of play is turned behind no screen.
        let lies_open = self.place(component).is_none();
        let seeing = if lies_open { self.everybody() } else { self.seeing(component) };
        let known = self.state.known.of_mut(component);
        known.side = seeing;
        Witnesses { which: known.face | seeing, what: seeing }
    }

    /// A secret choice was made.
    pub(in crate::table) fn keep_secret(&mut self, decision: usize, seat: Option<Seat>, prompt: &str) {
        let known = seat.map_or(0, Seat::bit);
        self.takes(64 * self.state.known.choices.len());
        let choices = &mut self.state.known.choices;
        match choices.iter_mut().find(|choice| choice.seat == seat && *choice.prompt == *prompt) {
            Some(choice) => (choice.decision, choice.known) = (decision, known),
            None => choices.push(SecretChoice { decision, seat, prompt: prompt.into(), known }),
        }
    }

    pub(in crate::table) fn everybody(&self) -> u16 {
        self.layout.everybody
    }
}
