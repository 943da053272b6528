//! The layout of a table: what a definition gives for a number of seats, with an index for every face, zone and
//! variable.
//!
//! A layout never changes during a game, so all tables of one ruleset share it.

use crate::definition::{
    Attribute, Bank, Board, BoardCell, ComponentKind, DeclaredType, Definition, VariableDefinition, VariableValue,
    Visibility, ZoneDefinition, ZoneOrder,
};
use crate::diagnostic::Message;
use crate::sorted::{SortedMap, SortedSet, sort_by, sort_by_key};
use crate::table::attributes::AttributeSort;
use crate::table::chance::StreamName;
use crate::table::data::DataTree;
use crate::table::decision::NOT_ALLOWED;
use crate::table::value::{Component, NOBODY, Seat, Seats, Value, Zone, Zones};
use crate::table::versions::VersionRanges;
use std::ops::Range;
use std::sync::Arc;

/// The layout, which is the fixed part of a table.
#[derive(Debug)]
pub struct Layout {
    /// The definition it was made from.
    pub definition: Arc<Definition>,
    /// The rulebook's data, and the settings of each layer.
    pub data: DataTree,
    /// Number of seats.
    pub seats: usize,
    /// Which versions of what lies on a table are taken.
    pub(super) versions: VersionRanges,
    /// Every face: at the start, the face with index `n` is on the component with index `n`.
    pub faces: Vec<FaceInfo>,
    /// Indices of the zones in the order of their ids, for binary search.
    zones_by_id: Vec<u16>,
    /// Indices of the words with their [prefixes](prefix_of), in the order of the prefixes.
    words_by_prefix: Vec<(u64, u16)>,
    /// Names of component groups, with the indices of the faces that belong to them.
    pub groups: Vec<(String, Range<u16>)>,
    /// For each face, the index of its back: faces with the same one cannot be told apart from behind.
    pub backs: Vec<u16>,
    /// For each face, the index of the first face that is printed alike: they are copies that nobody can tell apart.
    pub prints: Vec<u16>,
    /// Whether there are zones that somebody does not see into.
    pub(crate) has_secret_zones: bool,
    /// Whether some faces are printed alike.
    pub has_copies: bool,
    /// Names of attributes, in order of declaration; `side` and `value` are always among them.
    pub attributes: Vec<String>,
    /// The types of each attribute's values, over all faces.
    pub(crate) attribute_sorts: Vec<AttributeSort>,
    /// Index of the attribute `side`: the side of a component that is up.
    pub side: usize,
    /// Index of the attribute `value`: the value that a die shows.
    pub value: usize,
    /// Words that attributes have as values.
    pub words: Vec<Arc<str>>,
    /// Value of each attribute on each face: `values[attribute][face]`.
    pub values: Vec<Vec<FaceValue>>,
    /// For each attribute, the rank of its value on each face among all its values, from 1; 0 where there is none.
    ranks: Vec<Vec<u16>>,
    /// Every zone: the shared ones first, then each seat's.
    pub zones: Vec<ZoneInfo>,
    /// The seats that see into each zone.
    pub sights: Vec<ZoneVisibility>,
    /// For each zone, the random stream that it is shuffled with.
    pub(crate) shuffles: Vec<StreamName>,
    /// For each face, the random stream that it is rolled with; `None` for what is no die.
    pub(crate) rolls: Vec<Option<StreamName>>,
    /// For each seat, its team at the start: the index of the team's first seat. A seat that plays alone is a team by
    /// itself.
    pub teams: Vec<u8>,
    /// Every seat, one bit each.
    pub everybody: u16,
    /// For each zone definition, the index of its first zone.
    zone_starts: Vec<u16>,
    /// For each zone definition, whether it has cells, and no other definition has one of the same name.
    bare_cells: Vec<bool>,
    /// Every variable: the shared ones first, then each seat's.
    pub variables: Vec<VariableInfo>,
    /// For each setting that is asked for, the index of the variable that holds the answer.
    pub answers: Vec<usize>,
    variable_starts: Vec<usize>,
    /// Index of the first seat's `score`.
    score: usize,
    /// Indices of the first seat's variables that decide between equal scores.
    tie_breaks: Vec<usize>,
}

/// What is printed on a component.
#[derive(Clone, Debug)]
pub struct FaceInfo {
    /// Id of the face: `14`, `club-7`.
    pub id: Arc<str>,
    /// Card, die or token.
    pub kind: ComponentKind,
    /// Template of the drawing, with attributes in braces.
    pub template: String,
    /// Names of the sides, from side 1; empty for a component with only one side.
    pub sides: Arc<[String]>,
}

/// The value of an attribute on one face, as the table compares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaceValue {
    /// The face has no such attribute.
    Absent,
    Number(i64),
    /// A word, by its index in [`Layout::words`].
    Word(u16),
}

/// A zone of the layout.
#[derive(Clone, Debug)]
pub struct ZoneInfo {
    /// Id of the zone: `ring`, `p1.hand`, `p1.columns.2`.
    pub id: Arc<str>,
    /// Index of the definition.
    pub definition: usize,
    /// The seat that has the zone; `None` for a shared one.
    pub seat: Option<Seat>,
    /// Number among several zones, from 1, for the cells of a board row by row; `None` for a zone that is alone.
    pub number: Option<usize>,
    /// Who sees the faces in the zone.
    pub visible: Visibility,
}

/// Who sees into a zone, in the form that every move looks up.
#[derive(Clone, Copy, Debug)]
pub struct ZoneVisibility {
    /// The seats that see into the zone, or see its top where only that is seen, one bit each.
    pub seats: u16,
    /// The visibility of the zone's definition.
    pub visible: Visibility,
    /// Whether the zone is a hand, in which cards have no order.
    pub is_hand: bool,
}

/// A variable of the layout.
#[derive(Clone, Debug)]
pub struct VariableInfo {
    /// Id of the variable: `special_color`, `p1.score`.
    pub id: Arc<str>,
    /// Index of the definition.
    pub definition: usize,
    /// The seat that has the variable; `None` for a shared one.
    pub seat: Option<Seat>,
    /// The value at the start.
    pub default: Value,
    /// Whether a number is limited: it has a lowest value, a highest value or a bank, or is a bank.
    pub is_limited: bool,
}

impl Layout {
    /// The layout of `definition` for a number of seats, which the definition is expected to allow; `settings` has the
    /// effective settings of each layer, the game's first.
    pub fn new(
        definition: Arc<Definition>,
        settings: &[(String, SortedMap<String, toml::Value>)],
        seats: usize,
    ) -> Self {
        let data = DataTree::new(&definition.data, settings.iter().map(|(_, values)| values));
        let mut faces = Vec::new();
        let mut groups = Vec::new();
        let mut attributes: Vec<String> = Vec::new();
        let mut words: Vec<Arc<str>> = Vec::new();
        let mut values: Vec<Vec<FaceValue>> = Vec::new();
        let total: usize = definition.components.iter().map(|group| group.members.len()).sum();
        for group in &definition.components {
            let start = faces.len() as u16;
            for member in &group.members {
                for (name, value) in &member.attributes {
                    let attribute = attributes.iter().position(|known| known == name).unwrap_or_else(|| {
                        attributes.push(name.clone());
                        values.push(vec![FaceValue::Absent; total]);
                        attributes.len() - 1
                    });
                    values[attribute][faces.len()] = match value {
                        Attribute::Number(number) => FaceValue::Number(*number),
                        Attribute::Word(word) => FaceValue::Word(intern(&mut words, word)),
                    };
                }
                faces.push(FaceInfo {
                    id: member.id.as_str().into(),
                    kind: group.kind,
                    template: member.face.clone(),
                    sides: member.sides.clone(),
                });
            }
            let members = start..faces.len() as u16;
            groups.push((group.name.clone(), members));
        }
        let mut built_in = |name: &str| {
            attributes.iter().position(|known| known == name).unwrap_or_else(|| {
                attributes.push(name.to_owned());
                values.push(vec![FaceValue::Absent; total]);
                attributes.len() - 1
            })
        };
        let (side, value) = (built_in("side"), built_in("value"));
        let mut attribute_sorts: Vec<AttributeSort> = values.iter().map(|values| AttributeSort::of(values)).collect();
        for shown in [side, value] {
            attribute_sorts[shown].numbers = true;
        }
        let (zones, zone_starts) = lay_zones(&definition.zones, seats);
        let everybody = Seats::all(seats).into_iter().fold(0, |all, seat| all | seat.bit());
        let sight = |zone: &ZoneInfo| ZoneVisibility {
            seats: match (zone.visible, zone.seat) {
                (Visibility::None, _) | (Visibility::Owner, None) => 0,
                (Visibility::Owner | Visibility::Once, Some(seat)) => seat.bit(),
                (Visibility::Others, owner) => everybody & !owner.map_or(0, Seat::bit),
                (Visibility::All | Visibility::Top, _) | (Visibility::Once, None) => everybody,
            },
            visible: zone.visible,
            // A player who holds cards with their faces to the others knows them by their places.
            is_hand: definition.zones[zone.definition].order == ZoneOrder::Hand && zone.visible != Visibility::Others,
        };
        let sights = zones.iter().map(sight).collect();
        let shuffles = zones.iter().map(|zone| StreamName::new(format!("shuffle {}", zone.id))).collect();
        let roll =
            |face: &FaceInfo| (face.kind == ComponentKind::Die).then(|| StreamName::new(format!("roll {}", face.id)));
        let rolls = faces.iter().map(roll).collect();
        let (variables, variable_starts) = lay_variables(&definition.variables, seats);
        let of_each_seat = |name: &str| {
            let found = definition.variables.iter().position(|variable| variable.per_seat && variable.id == name);
            found.map(|position| variable_starts[position])
        };
        let score = of_each_seat("score").unwrap_or(0);
        let tie_breaks = definition.tie_breaks.iter().filter_map(|name| of_each_seat(name)).collect();
        let teams = seat_teams(definition.teams.get(&seats).map_or(&[], Vec::as_slice), seats);
        let (backs, prints) = (backs(&definition), prints(&definition));
        let bare_cells = bare_cells(&definition.zones);
        let zones_by_id = in_order(zones.len(), |zone| &*zones[zone].id);
        let number = |id: &str| variables.iter().position(|known: &VariableInfo| *known.id == *id);
        let answers = definition.asked.iter().filter_map(|setting| number(&setting.ask.variable)).collect();
        let mut words_by_prefix: Vec<(u64, u16)> = words.iter().map(|word| prefix_of(word)).zip(0..).collect();
        sort_by(&mut words_by_prefix, Ord::cmp);
        Self {
            zones_by_id,
            words_by_prefix,
            definition,
            data,
            seats,
            faces,
            groups,
            backs,
            has_secret_zones: zones.iter().any(|zone| zone.visible != Visibility::All),
            has_copies: prints.iter().enumerate().any(|(face, &print)| face != usize::from(print)),
            prints,
            attributes,
            attribute_sorts,
            side,
            value,
            words,
            ranks: values.iter().map(|values| ranked(values)).collect(),
            values,
            zones,
            sights,
            shuffles,
            rolls,
            teams,
            everybody,
            zone_starts,
            bare_cells,
            variables,
            answers,
            variable_starts,
            score,
            tie_breaks,
            versions: VersionRanges::default(),
        }
    }

    /// Whether the definition gives this name to something that scripts reach with a dot: an attribute, a zone of a player,
    /// a variable, an entry of the data or a setting.
    pub fn declares(&self, name: &str) -> bool {
        self.attributes.iter().any(|attribute| attribute == name)
            || self.definition.zones.iter().any(|zone| zone.per_seat && zone.id == name)
            || self.definition.variables.iter().any(|variable| variable.id == name)
            || self.data.keys().any(|key| key == name)
    }

    /// The value of an attribute on a face, by their indices.
    pub fn value_of(&self, attribute: usize, face: usize) -> FaceValue {
        self.values[attribute][face]
    }

    /// The rank of an attribute's value on each face; `None` for `side` and `value`, which can change.
    pub fn ranks(&self, attribute: usize) -> Option<&[u16]> {
        (attribute != self.side && attribute != self.value).then(|| self.ranks[attribute].as_slice())
    }

    /// The zones of a definition: all of the table's, or those of one seat.
    pub fn zones_of(&self, definition: usize, seat: Option<Seat>) -> Zones {
        let count = self.definition.zones[definition].count.unwrap_or(1) as u16;
        let before = seat.map_or(0, |seat| seat.index() as u16 * count);
        let first = self.zone_starts[definition] + before;
        Zones((first..first + count).map(Zone).collect())
    }

    /// The first or only zone of a definition: the table's, or that of one seat.
    pub fn zone_of(&self, definition: usize, seat: Option<Seat>) -> Zone {
        let count = self.definition.zones[definition].count.unwrap_or(1) as u16;
        Zone(self.zone_starts[definition] + seat.map_or(0, |seat| seat.index() as u16 * count))
    }

    /// Index of the variable of a definition: the table's, or that of one seat.
    pub fn variable_of(&self, definition: usize, seat: Option<Seat>) -> usize {
        self.variable_starts[definition] + seat.map_or(0, Seat::index)
    }

    /// Index of a seat's `score`.
    pub fn score_of(&self, seat: Seat) -> usize {
        self.score + seat.index()
    }

    /// Indices of a seat's variables that decide between equal scores, the most important first.
    pub fn tie_breaks_of(&self, seat: Seat) -> impl Iterator<Item = usize> {
        self.tie_breaks.iter().map(move |first| first + seat.index())
    }

    /// The zone with this id: `ring`, `p1.columns.2`.
    pub fn zone_named(&self, id: &str) -> Option<Zone> {
        let found = self.zones_by_id.binary_search_by(|zone| (*self.zones[usize::from(*zone)].id).cmp(id)).ok()?;
        Some(Zone(self.zones_by_id[found]))
    }

    /// The cell that its name alone identifies: `c4`.
    pub(crate) fn cell_named(&self, name: &str) -> Option<Zone> {
        let zones = self.definition.zones.iter().enumerate();
        let mut boards = zones.filter(|(number, zone)| self.bare_cells[*number] && !zone.per_seat);
        boards.find_map(|(number, zone)| {
            let position = zone.board.as_ref()?.named(name)?;
            Some(Zone(self.zone_starts[number] + position as u16))
        })
    }

    /// Index of the variable with this id: `special_color`, `p1.score`.
    pub fn variable_named(&self, id: &str) -> Option<usize> {
        self.variables.iter().position(|variable| &*variable.id == id)
    }

    /// The reason why an option is refused, for people: the words of its key in `[text]`, or what the script says itself.
    pub fn refusal(&self, reason: &str) -> Message {
        match self.definition.text(reason) {
            Some(text) => text.into(),
            None if reason == NOT_ALLOWED => NOT_ALLOWED.into(),
            None => Message::verbatim(reason),
        }
    }

    /// The player with this label: `p2`. `Some(None)` for `nobody`, and `None` for a player who is not at the table.
    pub fn player_named(&self, label: &str) -> Option<Option<Seat>> {
        if label == NOBODY {
            return Some(None);
        }
        Seats::all(self.seats).into_iter().find(|seat| seat.to_string() == label).map(Some)
    }

    /// The component that has the face with this id, `14` or `club-7`, at the start of a game.
    pub fn face_named(&self, id: &str) -> Option<Component> {
        self.faces.iter().position(|face| &*face.id == id).map(|position| Component(position as u16))
    }

    /// A word as the value of an attribute; `None` where no face has it.
    pub fn word(&self, word: &str) -> Option<FaceValue> {
        let prefix = prefix_of(word);
        let first = self.words_by_prefix.partition_point(|(known, _)| *known < prefix);
        let alike = self.words_by_prefix[first..].iter().take_while(|(known, _)| *known == prefix);
        let mut numbers = alike.map(|(_, number)| *number);
        let found = numbers.find(|number| word.len() < size_of::<u64>() || *self.words[usize::from(*number)] == *word);
        found.map(FaceValue::Word)
    }

    /// A zone as a cell of its board; `None` where it is none.
    pub fn cell(&self, zone: Zone) -> Option<Cell<'_>> {
        let info = self.zones.get(zone.index())?;
        let board = self.definition.zones.get(info.definition)?.board.as_deref()?;
        let position = info.number?.checked_sub(1)?;
        Some(Cell { board, position, first: zone.0.checked_sub(position as u16)? })
    }

    /// The name of a cell on its board, `c4`, where that is shared and no other board has cells of the same name.
    pub(crate) fn cell_alone(&self, zone: Zone) -> Option<&str> {
        let name = &self.cell(zone)?.info().name;
        (self.is_bare_cell(zone) && !self.zone_definition(zone).per_seat).then_some(name)
    }

    /// Whether a cell's name tells it from the cells of all other boards, together with its owner if it has one.
    pub(crate) fn is_bare_cell(&self, zone: Zone) -> bool {
        self.zones.get(zone.index()).is_some_and(|info| self.bare_cells[info.definition])
    }

    /// Whether all of these seats, one bit each, can tell the places in a zone apart. That is not so in a hand that one
    /// of them does not see into.
    pub fn has_order_for(&self, zone: Zone, seats: u16) -> bool {
        let sight = &self.sights[zone.index()];
        !sight.is_hand || sight.seats & seats == seats
    }

    /// The definition that a zone came from.
    pub fn zone_definition(&self, zone: Zone) -> &ZoneDefinition {
        &self.definition.zones[self.zones[zone.index()].definition]
    }
}

/// A zone as a cell of its board.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    pub board: &'a Board,
    /// Index of the cell among those of the board.
    pub position: usize,
    /// Index of the zone that is the board's first cell.
    first: u16,
}

impl<'a> Cell<'a> {
    /// Name, column and row of the cell.
    pub fn info(self) -> &'a BoardCell {
        &self.board.cells[self.position]
    }

    /// The zone of the board's cell with this index.
    pub fn zone(self, position: u16) -> Zone {
        Zone(self.first + position)
    }

    /// The zones of the board's cells with these indices.
    pub fn zones(self, positions: &'a [u16]) -> impl Iterator<Item = Zone> + 'a {
        positions.iter().map(move |position| self.zone(*position))
    }

    /// The zone `step.0` columns to the right and `step.1` rows up; `None` where there is none.
    pub fn step(self, step: (i64, i64)) -> Option<Zone> {
        self.board.step(self.position, step).map(|position| self.zone(position))
    }
}

/// For each zone definition, whether it has cells whose names no other definition has.
fn bare_cells(definitions: &[ZoneDefinition]) -> Vec<bool> {
    let mut known: SortedMap<&str, usize> = SortedMap::new();
    for cell in definitions.iter().filter_map(|zone| zone.board.as_ref()).flat_map(|board| &board.cells) {
        *known.entry(&cell.name).or_default() += 1;
    }
    let is_bare = |zone: &ZoneDefinition| {
        let mut cells = zone.board.iter().flat_map(|board| &board.cells);
        zone.board.is_some() && cells.all(|cell| known.get(cell.name.as_str()) == Some(&1))
    };
    definitions.iter().map(is_bare).collect()
}

/// The rank of each value among all of them, from 1; 0 for an absent value.
fn ranked(values: &[FaceValue]) -> Vec<u16> {
    let present = values.iter().copied().filter(|value| *value != FaceValue::Absent);
    let known: Vec<FaceValue> = present.collect::<SortedSet<_>>().into_iter().collect();
    values.iter().map(|value| known.binary_search(value).map_or(0, |rank| rank as u16 + 1)).collect()
}

/// The first seven bytes of a word and its length as one number, for a quick comparison. Words of less than eight bytes
/// have different numbers.
fn prefix_of(word: &str) -> u64 {
    let length = word.len().min(255) as u64;
    word.bytes().take(7).fold(length, |prefix, byte| prefix << 8 | u64::from(byte))
}

/// The numbers below `count` in the order of their names; of equal names, only the lowest.
fn in_order<'a>(count: usize, name: impl Fn(usize) -> &'a str) -> Vec<u16> {
    let mut order: Vec<u16> = (0..count as u16).collect();
    sort_by_key(&mut order, |number| name(usize::from(*number)));
    order.dedup_by_key(|number| name(usize::from(*number)));
    order
}

/// For each face, the index of its back.
fn backs(definition: &Definition) -> Vec<u16> {
    let mut known: Vec<(ComponentKind, &str)> = Vec::new();
    let mut backs = Vec::new();
    for group in &definition.components {
        let back = (group.kind, group.back.as_str());
        let number = known.iter().position(|known| *known == back).unwrap_or_else(|| {
            known.push(back);
            known.len() - 1
        });
        backs.extend(std::iter::repeat_n(number as u16, group.members.len()));
    }
    backs
}

/// For each face, the index of the first that is printed alike: drawn in the same way, with the same sides and
/// attributes, in one group.
fn prints(definition: &Definition) -> Vec<u16> {
    let mut known = SortedMap::new();
    let mut prints = Vec::new();
    for (number, group) in definition.components.iter().enumerate() {
        for member in &group.members {
            let print = (number, &member.face, &member.sides, &member.attributes);
            let first = *known.entry(print).or_insert(prints.len() as u16);
            prints.push(first);
        }
    }
    prints
}

fn intern(words: &mut Vec<Arc<str>>, word: &str) -> u16 {
    let position = words.iter().position(|known| &**known == word).unwrap_or_else(|| {
        words.push(word.into());
        words.len() - 1
    });
    position as u16
}

fn lay_zones(definitions: &[ZoneDefinition], seats: usize) -> (Vec<ZoneInfo>, Vec<u16>) {
    let mut zones = Vec::new();
    let mut starts = vec![0; definitions.len()];
    for per_seat in [false, true] {
        for (definition, zone) in definitions.iter().enumerate().filter(|(_, zone)| zone.per_seat == per_seat) {
            starts[definition] = zones.len() as u16;
            for seat in owners(per_seat, seats) {
                for number in 1..=zone.count.unwrap_or(1) {
                    let number = zone.count.map(|_| number);
                    let owner = seat.map_or(String::new(), |seat| format!("{seat}."));
                    let cell = zone.board.as_ref().and_then(|board| board.cells.get(number?.checked_sub(1)?));
                    let own = match (cell, number) {
                        (Some(cell), _) => zone.id_of_cell(&cell.name),
                        (None, Some(number)) => format!("{}.{number}", zone.id),
                        (None, None) => zone.id.clone(),
                    };
                    let id = format!("{owner}{own}");
                    zones.push(ZoneInfo { id: id.into(), definition, seat, number, visible: zone.visible });
                }
            }
        }
    }
    (zones, starts)
}

fn lay_variables(definitions: &[VariableDefinition], seats: usize) -> (Vec<VariableInfo>, Vec<usize>) {
    let mut variables = Vec::new();
    let mut starts = vec![0; definitions.len()];
    for per_seat in [false, true] {
        for (definition, variable) in definitions.iter().enumerate().filter(|(_, item)| item.per_seat == per_seat) {
            starts[definition] = variables.len();
            for seat in owners(per_seat, seats) {
                let id = seat.map_or(variable.id.clone(), |seat| format!("{seat}.{}", variable.id));
                let default = match &variable.default {
                    VariableValue::Plain(plain) => plain.into(),
                    VariableValue::Nothing(DeclaredType::Player) => Value::Nobody,
                    VariableValue::Nothing(DeclaredType::Component | DeclaredType::Zone) => Value::Nothing,
                    VariableValue::Nothing(_) => Value::List([].into()),
                };
                let is_limited = variable.limits != (None, None) || variable.bank != Bank::None;
                variables.push(VariableInfo { id: id.into(), definition, seat, default, is_limited });
            }
        }
    }
    (variables, starts)
}

/// For each seat, its team: the index of the team's first seat.
fn seat_teams(teams: &[Vec<usize>], seats: usize) -> Vec<u8> {
    let team = |seat: usize| {
        let own = teams.iter().find(|team| team.contains(&(seat + 1)));
        own.and_then(|team| team.iter().min()).map_or(seat, |first| first - 1) as u8
    };
    (0..seats).map(team).collect()
}

/// `None` alone for something shared, otherwise each seat in turn.
fn owners(per_seat: bool, seats: usize) -> impl Iterator<Item = Option<Seat>> {
    let count = if per_seat { seats } else { 1 };
    (0..count).map(move |index| per_seat.then_some(Seat(index as u8)))
}
