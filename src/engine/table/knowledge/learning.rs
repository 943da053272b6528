//! What the seats know, and how that changes while the rules run.

use crate::definition::Visibility;
use crate::diagnostic::message;
use crate::table::decision::Question;
use crate::table::event::EventData;
use crate::table::layout::Layout;
use crate::table::value::{Back, Component, Seat, Value, Zone};
use crate::table::{Fault, Table};
use std::ops::Range;
use std::sync::Arc;

/// What the seats know of the components and of secret choices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knowledge {
    /// What is known of each component, by its index.
    pub components: Vec<ComponentKnowledge>,
    /// For each print that has copies, the seats that have lost sight of one of them, one bit each: from then on they
    /// cannot tell which of the copies is which. Empty where all components are printed differently.
    pub mistaken: Vec<u16>,
    /// The last choice that each seat made in secret for each prompt, sorted by both.
    pub choices: Vec<SecretChoice>,
}

/// What the seats know of a component; each field is a set of seats, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComponentKnowledge {
    /// The seats that know its face.
    pub face: u16,
    /// The seats that know which side is up, or the value of a die.
    pub side: u16,
    /// The seats that it was shown to where it lies now.
    pub shown: u16,
}

/// A secret choice, and the seats that know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretChoice {
    /// Number of the decision.
    pub decision: usize,
    /// The seat that chose.
    pub seat: Option<Seat>,
    /// The prompt of the choice.
    pub prompt: Arc<str>,
    /// The seats that know what was chosen, one bit each.
    pub known: u16,
}

impl Knowledge {
    /// Becomes a copy of another one, in the memory that is allocated already.
    pub(in crate::table) fn become_copy(&mut self, of: &Self) {
        let Self { components, mistaken, choices } = of;
        self.components.clone_from(components);
        self.mistaken.clone_from(mistaken);
        self.choices.clone_from(choices);
    }

    /// The knowledge at the start: `components` are out of play, and nobody has seen any of them.
    pub(in crate::table) fn new(components: usize, have_copies: bool) -> Self {
        let mistaken = if have_copies { vec![0; components] } else { Vec::new() };
        Self { components: vec![ComponentKnowledge::default(); components], mistaken, choices: Vec::new() }
    }

    /// The face that `seats`, one bit each, take a face for: for copies that one of them cannot tell apart, the face of
    /// the first.
    #[inline]
    pub fn apparent_face(&self, layout: &Layout, seats: u16, face: u16) -> u16 {
        let print = layout.prints[usize::from(face)];
        let is_mistaken = self.mistaken.get(usize::from(print)).is_some_and(|mistaken| mistaken & seats != 0);
        if is_mistaken { print } else { face }
    }

    /// Removes what is known of components: nobody has seen any.
    pub(in crate::table) fn forget_components(&mut self) {
        self.components.fill(ComponentKnowledge::default());
    }

    pub fn of(&self, component: Component) -> ComponentKnowledge {
        self.components.get(component.index()).copied().unwrap_or_default()
    }

    #[inline]
    fn of_mut(&mut self, component: Component) -> &mut ComponentKnowledge {
        &mut self.components[component.index()]
    }
}

impl ComponentKnowledge {
    fn learn(&mut self, seats: u16) {
        self.face |= seats;
        self.side |= seats;
    }

    /// Removes the knowledge of all seats that are not among these.
    fn forget_but(&mut self, seats: u16) {
        self.face &= seats;
        self.side &= seats;
    }
}

/// The seats that could tell what happened at the time of an event, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Witnesses {
    /// The seats that could tell which component it happened to.
    pub which: u16,
    /// The seats that saw the result: which side is up, what a die shows.
    pub what: u16,
}

impl Witnesses {
    /// The witnesses of what happens in the open: every seat.
    pub const EVERYBODY: Self = Self { which: u16::MAX, what: u16::MAX };

    /// Witnesses of which each could tell which component it was, and saw the result.
    pub(in crate::table) fn of(seats: u16) -> Self {
        Self { which: seats, what: seats }
    }
}

impl Table {
    /// Whether a seat knows a component's face.
    pub fn knows(&self, seat: Seat, component: Component) -> bool {
        self.state.known.of(component).face & seat.bit() != 0
    }

    /// Whether a player is told what a component is that the rules name: the player knows it, and does not have to
    /// remember it. Out of play, every component is told.
    pub fn may_name(&self, seat: Seat, component: Component) -> bool {
        let Some(zone) = self.place(component) else { return true };
        match self.layout.sights[zone.index()].visible {
            Visibility::None | Visibility::Once => self.seats_seeing(component) & seat.bit() != 0,
            _ => self.knows(seat, component),
        }
    }

    /// A value of an option as the asked seat is shown it: a component that the player may not know is told by its
    /// place.
    pub fn shown_to(&self, seat: Option<Seat>, value: &Value) -> Value {
        let Some(seat) = seat else { return value.clone() };
        value.with_components(&mut |component| match self.place(component) {
            Some(zone) if !self.may_name(seat, component) => {
                let held = self.zone(zone).iter().take_while(|held| **held != component);
                let has_order = self.layout.has_order_for(zone, seat.bit());
                let before = held.filter(|held| has_order || !self.may_name(seat, **held)).count();
                Value::Back(Back { component, zone, number: before as u16 + 1 })
            }
            _ => Value::Component(component),
        })
    }

    /// The order in which the options of a question are put, as positions, where it differs from the order of the
    /// rules; otherwise `None`. The order of the rules could tell of faces that lie face down before the asked seat,
    /// and of places in another player's hand. So options that differ only in such components are put in the order of
    /// their places; of a hand, the components that the player knows come first, by their faces.
    pub(in crate::table) fn order_by_places(&self, question: &Question<'_>) -> Option<Vec<usize>> {
        let seat = question.seat.filter(|_| self.layout.has_secret_zones)?;
        let lies_hidden = |component: Component| {
            let place = self.place(component);
            place.filter(|zone| !self.layout.has_order_for(*zone, seat.bit()) || !self.may_name(seat, component))
        };
        if !question.options.any_component(&mut |component| lies_hidden(component).is_some()) {
            return None;
        }
        let mut alike: Vec<(Value, Vec<usize>)> = Vec::new();
        let mut places = Vec::new();
        for (position, value) in question.options.values().iter().enumerate() {
            let mut place = Vec::new();
            let pattern = value.with_components(&mut |component| {
                let Some(zone) = lies_hidden(component) else { return Value::Component(component) };
                let is_known = self.may_name(seat, component);
                let print = if is_known { self.layout.prints[self.face(component)] } else { u16::MAX };
                place.push((zone, print, self.zone(zone).iter().position(|held| *held == component)));
                Value::Nothing
            });
            places.push(place);
            match alike.iter_mut().find(|(known, _)| *known == pattern) {
                Some((_, positions)) => positions.push(position),
                None => alike.push((pattern, vec![position])),
            }
        }
        let mut order: Vec<usize> = (0..places.len()).collect();
        for (_, positions) in alike {
            let mut sorted = positions.clone();
            sorted.sort_by_key(|&position| &places[position]);
            positions.into_iter().zip(sorted).for_each(|(position, placed)| order[position] = placed);
        }
        Some(order).filter(|order| !order.is_sorted())
    }

    /// Whether everybody knows everything: each face and each side that lies on the table, and all choices.
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
        self.record_open_event(|| EventData::Reveal { component, side })
    }

    /// Shows one player a component.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn show_to(&mut self, component: Component, seat: Seat) -> Result<(), Fault> {
        self.show(component, seat.bit());
        let (seen, side) = (self.seats_seeing(component), self.side(component));
        self.record_witnessed_event(Witnesses::of(seen), || EventData::Show { component, side, seat })
    }

    fn show(&mut self, component: Component, seats: u16) {
        let place = self.place(component);
        self.take_for_copies(component, seats & !self.seats_seeing(component), place);
        let known = self.state.known.of_mut(component);
        known.learn(seats);
        known.shown |= seats;
    }

    /// Shows everybody, or one player, the last secret choice of `seat` for `prompt`.
    ///
    /// # Errors
    /// The seat has made no such choice; too many changes in one game.
    pub fn show_choice(&mut self, seat: Seat, prompt: &str, to: Option<Seat>) -> Result<(), Fault> {
        let seats = to.map_or_else(|| self.everybody(), Seat::bit);
        let place = self.find_secret_choice(Some(seat), prompt).ok();
        let Some(choice) = place.and_then(|place| self.state.known.choices.get_mut(place)) else {
            return Err(Fault::rule(message!("{seat} has chosen nothing in secret for {prompt}"))
                .help("`choose_secretly` makes a choice secret, or `secret = true` beside the prompt's text"));
        };
        choice.known |= seats;
        let (decision, known) = (choice.decision, choice.known);
        self.record_witnessed_event(Witnesses::of(known), || EventData::ShowChoice {
            seat,
            prompt: prompt.into(),
            decision,
            to,
        })
    }

    /// The seats that see a component where it lies, one bit each; out of play, only those that it was shown to.
    #[inline]
    pub(in crate::table) fn seats_seeing(&self, component: Component) -> u16 {
        let known = self.state.known.of(component);
        let Some(zone) = self.place(component) else { return known.shown };
        let sight = &self.layout.sights[zone.index()];
        let seen = match sight.visible {
            Visibility::All | Visibility::Owner | Visibility::Others => sight.seats,
            // Of several components that were lifted together, nobody saw the ones in between.
            Visibility::Top | Visibility::Once if self.zone(zone).last() == Some(&component) => {
                known.face & sight.seats
            }
            Visibility::Top | Visibility::Once | Visibility::None => 0,
        };
        seen | known.shown
    }

    /// Updates what is known of a component that has come to a position of a zone, from a place where the seats `saw`
    /// saw it. Gives the seats that saw it move.
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
        self.take_for_copies(component, learned & !saw, from);
        self.state.known.of_mut(component).learn(learned);
        self.update_after_leaving(component, saw | learned, from);
        saw | learned
    }

    /// Updates what seats know that see a component which has come out of a zone, or was shown there, and that they did
    /// not see before. A hand has no order: a seat that knows of copies in it cannot tell whether this component is one
    /// of them. So it takes this one for the copy that it knows best, and what it knew of this one is all that it knows
    /// of that copy from then on.
    #[inline]
    fn take_for_copies(&mut self, component: Component, seats: u16, zone: Option<Zone>) {
        if self.layout.has_copies
            && let Some(zone) = zone.filter(|zone| self.layout.sights[zone.index()].is_hand)
        {
            let seats = seats & self.everybody();
            self.lose_sight(component, seats);
            (0..self.layout.seats).filter(|seat| seats & 1 << seat != 0).for_each(|seat| {
                self.take_for_copy(component, 1 << seat, zone);
            });
        }
    }

    #[cold]
    fn take_for_copy(&mut self, component: Component, seat: u16, zone: Zone) {
        let known = |known: ComponentKnowledge| (known.face & seat != 0, known.side & seat != 0);
        let state = &self.state;
        let front = |one: Component| {
            let print = self.layout.prints[usize::from(state.faces[one.index()])];
            (print, state.owners[one.index()])
        };
        let side = |one: Component| state.sides[one.index()];
        let could_be = |&other: &Component| {
            let (knows_face, knows_side) = known(state.known.of(other));
            let is_alike = front(other) == front(component) && (!knows_side || side(other) == side(component));
            other != component && knows_face && is_alike && self.seats_seeing(other) & seat == 0
        };
        let copies = self.zone(zone).iter().copied().filter(could_be);
        let Some(copy) = copies.max_by_key(|&copy| known(state.known.of(copy))) else { return };
        let (own, (face, side)) = (known(state.known.of(component)), known(state.known.of(copy)));
        if own < (face, side) {
            let set = |seats: u16, knows: bool| if knows { seats | seat } else { seats & !seat };
            let ComponentKnowledge { face, side, shown } = state.known.of(copy);
            *self.state.known.of_mut(copy) =
                ComponentKnowledge { face: set(face, own.0), side: set(side, own.1), shown };
        }
    }

    /// Updates what is known where a component has left a zone and the seats `saw` saw which one. Cards in a hand have
    /// no order, so the other seats cannot tell any more what is left there and what went.
    #[inline]
    pub(in crate::table) fn update_after_leaving(&mut self, component: Component, saw: u16, from: Option<Zone>) {
        self.state.known.of_mut(component).shown = 0;
        if from.is_none() {
            // Out of play nothing has a place either.
            self.forget_but(component, saw);
        }
        if saw & self.everybody() != self.everybody()
            && let Some(from) = from.filter(|from| self.layout.sights[from.index()].is_hand)
        {
            self.update_mixed_hand(component, saw, from);
        }
    }

    /// Updates what is known of a hand that a component has left, where only the seats `saw` saw which one.
    fn update_mixed_hand(&mut self, component: Component, saw: u16, from: Zone) {
        if self.zone(from).is_empty() {
            return;
        }
        self.add_effort(8 * self.zone(from).len());
        self.forget_but(component, saw);
        for position in 0..self.zone(from).len() {
            let left = self.zone(from)[position];
            let seen = saw | self.seats_seeing(left);
            self.forget_but(left, seen);
        }
    }

    /// Removes what all seats that are not among these know of a component.
    fn forget_but(&mut self, component: Component, seats: u16) {
        let known = self.state.known.of(component);
        self.state.known.of_mut(component).forget_but(seats);
        self.lose_sight(component, known.face & !seats);
    }

    /// Records that these seats have lost sight of a component, or of one with the same print.
    #[inline]
    fn lose_sight(&mut self, component: Component, seats: u16) {
        if self.layout.has_copies && seats != 0 {
            let print = self.layout.prints[self.face(component)];
            if let Some(mistaken) = self.state.known.mistaken.get_mut(usize::from(print)) {
                *mistaken |= seats;
            }
        }
    }

    /// Whether a zone is a pile that shows its top.
    pub(in crate::table) fn shows_top(&self, zone: Zone) -> bool {
        self.layout.sights[zone.index()].visible == Visibility::Top
    }

    /// Lets everybody know the top component of a pile that shows its top.
    pub(in crate::table) fn reveal_top(&mut self, zone: Zone) {
        if self.shows_top(zone)
            && let Some(&top) = self.zone(zone).last()
        {
            let everybody = self.everybody();
            self.state.known.of_mut(top).learn(everybody);
        }
    }

    /// Lets everybody know the component that becomes the top when `component` leaves a pile that shows its top.
    pub(in crate::table) fn reveal_below(&mut self, component: Component, zone: Option<Zone>) {
        let Some(zone) = zone.filter(|zone| self.shows_top(*zone)) else { return };
        if let Some(&top) = self.zone(zone).iter().rev().find(|&&held| held != component) {
            let everybody = self.everybody();
            self.state.known.of_mut(top).learn(everybody);
        }
    }

    /// Updates what is known after some positions of a zone were shuffled: seats that do not see into the zone forget
    /// what was where.
    pub(in crate::table) fn forget(&mut self, zone: Zone, part: Range<usize>) {
        let sight = &self.layout.sights[zone.index()];
        let seeing = match sight.visible {
            Visibility::All | Visibility::Owner | Visibility::Others => sight.seats,
            Visibility::Top | Visibility::None | Visibility::Once => 0,
        };
        for position in part {
            let component = self.zone(zone)[position];
            let known = std::mem::replace(
                self.state.known.of_mut(component),
                ComponentKnowledge { face: seeing, side: seeing, shown: 0 },
            );
            self.lose_sight(component, known.face & !seeing);
        }
    }

    /// Updates what is known of a die after a roll: nothing that was shown before counts. Gives the witnesses of the
    /// roll.
    pub(in crate::table) fn has_rolled(&mut self, component: Component) -> Witnesses {
        self.state.known.of_mut(component).shown = 0;
        self.has_turned(component)
    }

    /// Updates what is known of a component that has another side up: seats that do not see it do not know which. Gives
    /// the witnesses of the turn.
    pub(in crate::table) fn has_turned(&mut self, component: Component) -> Witnesses {
        // What is out of play is turned in the open.
        let lies_open = self.place(component).is_none();
        let seeing = if lies_open { self.everybody() } else { self.seats_seeing(component) };
        let known = self.state.known.of_mut(component);
        known.side = seeing;
        Witnesses { which: known.face | seeing, what: seeing }
    }

    /// Records a secret choice, which only the seat knows.
    pub(in crate::table) fn keep_secret(&mut self, decision: usize, seat: Option<Seat>, prompt: &str) {
        let known = seat.map_or(0, Seat::bit);
        match self.find_secret_choice(seat, prompt) {
            Ok(place) => {
                let choice = &mut self.state.known.choices[place];
                (choice.decision, choice.known) = (decision, known);
            }
            Err(place) => {
                self.state.known.choices.insert(place, SecretChoice { decision, seat, prompt: prompt.into(), known });
            }
        }
    }

    /// Index of the last choice that `seat` made in secret for `prompt`; where there is none, the index that it would
    /// have. Counts as effort, by the choices that there are: each may be copied and looked at afterwards.
    fn find_secret_choice(&mut self, seat: Option<Seat>, prompt: &str) -> Result<usize, usize> {
        self.add_effort(64 * self.state.known.choices.len());
        let key = |choice: &SecretChoice| (choice.seat, &*choice.prompt).cmp(&(seat, prompt));
        self.state.known.choices.binary_search_by(key)
    }

    pub(in crate::table) fn everybody(&self) -> u16 {
        self.layout.everybody
    }
}
