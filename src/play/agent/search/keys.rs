//! Keys by which decisions and options are recognised from one iteration to the next, though hidden faces differ.
//!
//! A component is identified by what its seat knows: its print, its zone, side and owner, or its handle where the seat
//! does not know the face. So two cards with the same print in a hand are one option, and a face-down card is the same
//! option whatever it turns out to be.

use crate::table::Table;
use crate::table::choices::Part;
use crate::table::decision::{Options, Question};
use crate::table::knowledge::Viewer;
use crate::table::layout::Layout;
use crate::table::value::{Back, Component, Seat, Value};

/// Stands for unknown information.
const UNKNOWN: u64 = 0x51;

/// Tables of which faces look the same, and in which zones position matters.
pub(super) struct AppearanceTable {
    /// For each face, the first one with the same print.
    alike: Vec<u16>,
    /// For each zone, whether positions in it matter.
    has_places: Vec<bool>,
}

/// An option, split into its components and everything else.
#[derive(Clone, Debug, Default)]
pub(super) struct OptionParts {
    /// The key of everything except the components.
    pub rest: u64,
    /// The components, in order.
    pub components: Vec<Component>,
}

/// Mixes two keys (the finalizer of SplitMix64: Steele, Lea and Flood 2014).
#[inline]
pub(crate) fn mix(one: u64, other: u64) -> u64 {
    let mut key = one.rotate_left(23) ^ other.wrapping_add(0x9e37_79b9_7f4a_7c15);
    key = (key ^ (key >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ (key >> 31)
}

#[inline]
pub(super) fn of_text(text: &str) -> u64 {
    let pieces = text.as_bytes().chunks(8).map(|piece| piece.iter().fold(0, |key, &byte| key << 8 | u64::from(byte)));
    pieces.fold(text.len() as u64, mix)
}

/// The key of a question: its seat, prompt and purpose.
pub(super) fn of_question(question: &Question<'_>) -> u64 {
    let seat = question.seat.map_or(0, |seat| 1 + seat.index() as u64);
    let key = mix(seat, of_text(question.prompt));
    question.purpose.map_or(key, |purpose| mix(key, of_text(purpose)))
}

impl AppearanceTable {
    pub(super) fn new(layout: &Layout) -> Self {
        let group_of = |face: usize| {
            layout.groups.iter().position(|(_, members)| members.contains(&(face as u16))).unwrap_or(usize::MAX)
        };
        let print = |face: usize| {
            let values = (0..layout.attributes.len()).map(|attribute| layout.value_of(attribute, face));
            (group_of(face), values.collect::<Vec<_>>())
        };
        let mut prints = crate::sorted::SortedMap::new();
        let alike = (0..layout.faces.len()).map(|face| *prints.entry(print(face)).or_insert(face as u16)).collect();
        let has_places = (0..layout.zones.len()).map(|zone| !layout.sights[zone].is_hand).collect();
        Self { alike, has_places }
    }

    /// The key of the print of a component.
    #[inline]
    fn print(&self, table: &Table, component: Component) -> u64 {
        table.faces().get(component.index()).map_or(UNKNOWN, |&face| u64::from(self.alike[usize::from(face)]) + 0x100)
    }

    /// The key of a component as `seat` can tell it from others before it chooses.
    pub(super) fn component(&self, table: &Table, seat: Option<Seat>, component: Component) -> u64 {
        if seat.is_some_and(|seat| !table.knows(seat, component)) {
            return mix(UNKNOWN, component.index() as u64);
        }
        let state = table.state();
        let knows_side = seat.is_none_or(|seat| state.known.of(component).side & seat.bit() != 0);
        let side = if knows_side { u64::from(state.sides[component.index()]) } else { UNKNOWN };
        let owner = state.owners[component.index()].map_or(0, |owner| 1 + owner.index() as u64);
        let key = mix(self.print(table, component), side << 8 | owner);
        match table.place(component) {
            None => key,
            Some(zone) => {
                let place = match self.has_places[zone.index()] {
                    true => table.zone(zone).iter().position(|&held| held == component).unwrap_or_default() as u64,
                    false => 0,
                };
                mix(key, place << 16 | zone.index() as u64)
            }
        }
    }

    /// The key of a component as `seat` sees it after somebody chose it.
    pub(super) fn seen(&self, table: &Table, seat: Option<Seat>, component: Component) -> u64 {
        match seat {
            Some(seat) if !table.knows(seat, component) => UNKNOWN,
            _ => self.print(table, component),
        }
    }

    /// The key of the variables that a seat can read: what it was told besides choices, such as a clue.
    pub(super) fn read(&self, table: &Table, seat: Option<Seat>, described: &mut OptionParts) -> u64 {
        let viewer = seat.map_or(Viewer::Everything, Viewer::Memory);
        let variables = table.state().variables.iter().enumerate();
        variables.filter(|(number, _)| viewer.may_read(table.layout(), *number)).fold(0, |key, (number, value)| {
            described.be(value);
            let components = described.components.iter();
            let rest = mix(described.rest, number as u64);
            mix(key, components.fold(rest, |key, &component| mix(key, self.seen(table, seat, component))))
        })
    }

    /// The key of an option as the asked seat can tell it from others.
    pub(super) fn option(&self, table: &Table, seat: Option<Seat>, described: &OptionParts) -> u64 {
        described
            .components
            .iter()
            .fold(described.rest, |key, &component| mix(key, self.component(table, seat, component)))
    }
}

impl OptionParts {
    /// Describes the option at a position.
    pub(super) fn describe(&mut self, options: &Options<'_>, position: usize) {
        self.rest = 0;
        self.components.clear();
        match options {
            Options::Components(list) => self.components.push(list[position]),
            Options::Zones(list) => self.value(&Value::Zone(list[position])),
            Options::Seats(list) => self.value(&Value::Seat(list[position])),
            Options::YesNo => self.value(&Value::Truth(position == 0)),
            Options::Values(list) => self.value(&list[position]),
            Options::Choices(choices) => choices.each_part(position, &mut |name, part| {
                self.rest = mix(self.rest, of_text(name));
                match part {
                    Part::Act(act) => self.rest = mix(self.rest, of_text(act)),
                    Part::Value(value) => self.value(&value),
                }
            }),
        }
    }

    /// Describes a value other than an option.
    fn be(&mut self, value: &Value) {
        self.rest = 0;
        self.components.clear();
        self.value(value);
    }

    fn value(&mut self, value: &Value) {
        let key = match value {
            Value::Number(number) => mix(1, *number as u64),
            Value::Truth(truth) => mix(2, u64::from(*truth)),
            Value::Text(text) => mix(3, of_text(text)),
            Value::Component(component) | Value::Back(Back { component, .. }) => {
                self.components.push(*component);
                4
            }
            Value::Seat(seat) => mix(5, seat.index() as u64),
            Value::Nobody => 6,
            Value::Nothing => 10,
            Value::Zone(zone) => mix(7, zone.index() as u64),
            Value::Parts(parts) => {
                for (name, part) in parts.0.iter() {
                    self.rest = mix(self.rest, of_text(name));
                    self.value(part);
                }
                8
            }
            Value::List(list) => {
                list.iter().for_each(|item| self.value(item));
                mix(9, list.len() as u64)
            }
        };
        self.rest = mix(self.rest, key);
    }
}
