//! Sides and owners: which side of a component is up, what dice show, and which seats components belong to.

use crate::definition::ComponentKind;
use crate::diagnostic::message;
use crate::table::event::EventData;
use crate::table::knowledge::Witnesses;
use crate::table::layout::{FaceInfo, FaceValue};
use crate::table::value::{Component, Seat};
use crate::table::{Fault, Table};

/// The side at the start: cards and tokens with sides lie on the first; 0 for a die, which shows nothing until it is
/// rolled.
pub fn side_at_start(face: &FaceInfo) -> u8 {
    u8::from(face.kind != ComponentKind::Die && !face.sides.is_empty())
}

impl Table {
    /// The side that is up, from 1; 0 for what has no sides and for a die that shows nothing.
    pub fn side(&self, component: Component) -> u8 {
        self.state.sides[component.index()]
    }

    /// The seat that a component belongs to; `None` for nobody.
    pub fn owner(&self, component: Component) -> Option<Seat> {
        self.state.owners[component.index()]
    }

    /// The value of the attribute `side` or `value` that a component shows; absent where it has none.
    #[cold]
    pub(super) fn shown_value(&self, component: Component, attribute: usize) -> FaceValue {
        let layout = self.layout();
        let face = &layout.faces[self.face(component)];
        let is_die = face.kind == ComponentKind::Die;
        if !face.sides.is_empty() && (attribute == layout.side || attribute == layout.value && is_die) {
            FaceValue::Number(i64::from(self.side(component)))
        } else {
            FaceValue::Absent
        }
    }

    /// Turns a component to a side, from 1.
    ///
    /// # Errors
    /// A side that it does not have; too many changes in one game.
    pub fn turn_to(&mut self, component: Component, side: i64) -> Result<(), Fault> {
        let sides = self.layout.faces[self.face(component)].sides.len();
        match u8::try_from(side) {
            Ok(side) if side > 0 && usize::from(side) <= sides => self.turn(component, side),
            _ => {
                let has = match sides {
                    0 => "only one side".into(),
                    sides => message!("sides 1 to {sides}"),
                };
                Err(Fault::rule(message!("{} has {has}, and was turned to {side}", self.label(component))))
            }
        }
    }

    /// Turns a component to the side with this name.
    ///
    /// # Errors
    /// No such side, with the nearest name; too many changes in one game.
    pub fn turn_to_named(&mut self, component: Component, name: &str) -> Result<(), Fault> {
        let face = &self.layout.faces[self.face(component)];
        let side = face.sides.iter().position(|side| side == name);
        let unknown = || Fault::unknown(message!("side of {}", face.id), name, face.sides.iter().map(String::as_str));
        let side = side.ok_or_else(unknown)?;
        self.turn(component, side as u8 + 1)
    }

    /// The name of the side that is up.
    ///
    /// # Errors
    /// A component with one side; a die that shows nothing.
    pub fn side_name(&self, component: Component) -> Result<String, Fault> {
        let face = &self.layout.faces[self.face(component)];
        let name = usize::from(self.side(component)).checked_sub(1).and_then(|index| face.sides.get(index));
        name.cloned().ok_or_else(|| Fault::rule(message!("{} has no side up that has a name", face.id)))
    }

    /// Turns a component to its next side, from the last to the first.
    ///
    /// # Errors
    /// A component with one side; a die that shows nothing; too many changes in one game.
    pub fn flip(&mut self, component: Component) -> Result<(), Fault> {
        let sides = self.layout.faces[self.face(component)].sides.len();
        let side = usize::from(self.side(component));
        if side == 0 {
            return Err(Fault::rule(message!("{} has no side up that could be flipped", self.label(component))));
        }
        self.turn(component, (side % sides.max(1)) as u8 + 1)
    }

    /// Takes a die up from the table: it shows nothing until it is rolled again.
    ///
    /// # Errors
    /// Not a die; too many changes in one game.
    pub fn pick_up(&mut self, component: Component) -> Result<(), Fault> {
        self.sides_of_die(component)?;
        self.turn(component, 0)
    }

    /// Rolls a die; each has a random stream of its own, `roll die-1`.
    ///
    /// # Errors
    /// Not a die; a rigged number that the die does not have; too many changes in one game.
    pub fn roll(&mut self, component: Component) -> Result<(), Fault> {
        let sides = self.sides_of_die(component)?;
        let Some(stream_name) = &self.layout.rolls[self.face(component)] else {
            return Err(self.no_die(component));
        };
        let mut value = self.chance.stream_of(stream_name).below(sides) as u8 + 1;
        let stream_name = &stream_name.name;
        if let Some([wanted, ..]) = self.chance.take_rigged(stream_name).as_deref() {
            let shown = self.option_label(wanted);
            value = shown.parse().ok().filter(|value| (1..=sides).contains(&usize::from(*value))).ok_or_else(|| {
                Fault::rule(message!("the {stream_name} was rigged with {shown}, which is not from 1 to {sides}"))
            })?;
        }
        self.state.sides[component.index()] = value;
        self.component_has_changed(component);
        let witnesses = self.has_rolled(component);
        self.record_witnessed_event(witnesses, || EventData::Roll { die: component, value })
    }

    /// Sets the owner of a component, wherever it lies.
    ///
    /// # Errors
    /// Too many changes in one game.
    pub fn set_owner(&mut self, component: Component, owner: Option<Seat>) -> Result<(), Fault> {
        if std::mem::replace(&mut self.state.owners[component.index()], owner) == owner {
            return Ok(());
        }
        self.component_has_changed(component);
        // Needed only for the record, and it would take time at every change of owner.
        let which = if self.recording().is_some() { self.seats_seeing(component) } else { 0 };
        self.record_witnessed_event(Witnesses::of(which), || EventData::Owner { component, owner })
    }

    pub(super) fn turn(&mut self, component: Component, side: u8) -> Result<(), Fault> {
        if std::mem::replace(&mut self.state.sides[component.index()], side) == side {
            return Ok(());
        }
        self.component_has_changed(component);
        let witnesses = self.has_turned(component);
        self.record_witnessed_event(witnesses, || EventData::Side { component, side })
    }

    fn sides_of_die(&self, component: Component) -> Result<usize, Fault> {
        let face = &self.layout.faces[self.face(component)];
        if face.kind == ComponentKind::Die {
            return Ok(face.sides.len());
        }
        Err(self.no_die(component))
    }

    #[cold]
    fn no_die(&self, component: Component) -> Fault {
        Fault::rule(message!("{} is not a die", self.label(component)))
    }
}
