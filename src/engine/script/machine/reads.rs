//! Records what a run reads of a table, to tell whether it would give the same result again.
//!
//! A function of rules gives the same result on two tables where everything that it read is the same. The record may
//! hold more than is needed, and never less: a step or a word that is unknown here reads everything.

use super::code::{Code, Getter, LoopKind, Step};
use super::hooks::Hook;
use super::run::{form_of, operand};
use super::value::RegisterValue;
use super::words::{Arguments, NativeWord};
use crate::script::sorts::Sort;
use crate::table::Table;
use crate::table::layout::Layout;
use crate::table::value::{Component, Seat, Value, Zone};
use smallvec::SmallVec;

/// Words whose result depends only on their arguments: on the contents of zones, and the faces of components.
const ARGUMENT_ONLY_WORDS: &[&str] = &[
    "!=",
    "+",
    "-",
    "==",
    "[]",
    "above",
    "abs",
    "after",
    "attribute",
    "below",
    "between",
    "can_sum_to",
    "contains",
    "count",
    "count_distinct",
    "count_of",
    "distinct",
    "empty",
    "entries",
    "entry_or_last",
    "except",
    "filled",
    "first",
    "first_missing",
    "get",
    "groups",
    "has",
    "having",
    "id",
    "is_empty",
    "largest_group",
    "last",
    "len",
    "longest_distinct_run",
    "max",
    "min",
    "not_sharing",
    "number",
    "numbers",
    "one_of_each",
    "opponents",
    "partners",
    "position_of",
    "reversed",
    "runs",
    "sharing",
    "side_name",
    "sorted",
    "sum",
    "team",
    "top",
    "trend",
    "up_to",
    "without",
];

/// Words whose result also depends on the owners of components.
const OWNER_DEPENDENT_WORDS: &[&str] = &["is_owned", "owned_by", "owner"];

/// Whether a word depends only on the contents of an argument of this sort, or on what no game changes.
fn is_plain(sort: Option<Sort>) -> bool {
    let plain = [
        Sort::Number,
        Sort::Truth,
        Sort::Text,
        Sort::Component,
        Sort::Components,
        Sort::Zone,
        Sort::Zones,
        Sort::Player,
        Sort::Players,
        Sort::List,
        Sort::Data,
    ];
    sort.is_none_or(|sort| plain.contains(&sort))
}

/// What the result of a word depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependency {
    /// The arguments.
    Given,
    /// The arguments, and the owners of components.
    Owners,
    /// The receiver, and not the other arguments.
    Receiver,
    /// The score of the player who is the receiver.
    Score,
    /// Everything on the table.
    Everything,
}

impl Dependency {
    /// What the word of a name that takes these sorts depends on.
    pub fn of(name: &str, takes: &[Option<Sort>]) -> Self {
        let is_component_list = |sort| matches!(sort, Some(Sort::Components | Sort::Zone | Sort::Zones));
        match (name, takes) {
            ("award", _) => Self::Score,
            // Components come to lie on top, whatever is in the zone.
            ("move_to", [of, Some(Sort::Zone)]) if is_component_list(*of) => Self::Receiver,
            ("components", [Some(Sort::Zone | Sort::Zones | Sort::List)]) => Self::Given,
            _ if !takes.iter().copied().all(is_plain) => Self::Everything,
            _ if ARGUMENT_ONLY_WORDS.contains(&name) => Self::Given,
            _ if OWNER_DEPENDENT_WORDS.contains(&name) => Self::Owners,
            _ => Self::Everything,
        }
    }
}

/// A record of what a run has read.
#[derive(Debug, Default)]
pub struct ReadSet {
    /// Whether the run may have read anything on the table.
    everything: bool,
    /// Whether the run has read faces of components, or teams.
    components: bool,
    /// Whether the run has read owners of components.
    owners: bool,
    zones: Vec<Zone>,
    variables: Vec<usize>,
}

impl ReadSet {
    /// Empties the record.
    pub fn clear(&mut self) {
        self.everything = false;
        self.components = false;
        self.owners = false;
        self.zones.clear();
        self.variables.clear();
    }

    fn zone(&mut self, zone: Zone) {
        if !self.zones.contains(&zone) {
            self.zones.push(zone);
        }
    }

    fn variable(&mut self, variable: usize) {
        if !self.variables.contains(&variable) {
            self.variables.push(variable);
        }
    }

    /// Records that the zones in a value were looked into.
    #[inline]
    fn value(&mut self, value: &RegisterValue) {
        if !matches!(
            value,
            RegisterValue::Nothing
                | RegisterValue::Number(_)
                | RegisterValue::Truth(_)
                | RegisterValue::StaticText(_)
                | RegisterValue::Player(_)
                | RegisterValue::Nobody
        ) {
            self.record_contents(value);
        }
    }

    fn record_contents(&mut self, value: &RegisterValue) {
        match value {
            RegisterValue::Zone(zone) => self.zone(zone.get()),
            RegisterValue::Component(_) | RegisterValue::Few(_) | RegisterValue::Components(_) => {
                self.components = true
            }
            RegisterValue::Table => self.everything = true,
            RegisterValue::List(list) => list.entries().iter().for_each(|entry| self.value(entry)),
            value => {
                if let Some(zones) = value.zones() {
                    zones.iter().for_each(|zone| self.zone(*zone));
                }
            }
        }
    }

    fn word<'a>(&mut self, native: &NativeWord, layout: &Layout, mut given: impl Iterator<Item = &'a RegisterValue>) {
        match native.dependency {
            Dependency::Given => given.for_each(|value| self.value(value)),
            Dependency::Owners => {
                given.for_each(|value| self.value(value));
                self.owners = true;
            }
            Dependency::Receiver => given.take(1).for_each(|value| self.value(value)),
            Dependency::Score => match given.next() {
                Some(RegisterValue::Player(seat)) => self.variable(layout.score_of(seat.get())),
                _ => self.everything = true,
            },
            Dependency::Everything => self.everything = true,
        }
        // Points may be shared by a team.
        self.components = true;
    }

    fn property(&mut self, getter: Option<&Getter>, of: &RegisterValue, layout: &Layout) {
        match (getter, of) {
            // The contents of a zone are recorded at the step that looks into it.
            (Some(Getter::SeatZone(_) | Getter::SeatZones(_) | Getter::Datum | Getter::Part), _) => {}
            (Some(Getter::SeatVariable(first)), RegisterValue::Player(seat)) => {
                self.variable(usize::from(*first) + seat.get().index());
            }
            (Some(Getter::Variable(number)), _) => self.variable(usize::from(*number)),
            (Some(Getter::Attribute(_)), _) => self.components = true,
            (Some(Getter::Word(native) | Getter::DatumOr(native)), of) => {
                self.word(native, layout, std::iter::once(of));
            }
            _ => self.everything = true,
        }
    }

    /// Records that a variable was set, which may have limits that depend on other values.
    fn set(&mut self, getter: Option<&Getter>, of: &RegisterValue, layout: &Layout) {
        let variable = match (getter, of) {
            (Some(Getter::SeatVariable(first)), RegisterValue::Player(seat)) => {
                usize::from(*first) + seat.get().index()
            }
            (Some(Getter::Variable(number)), _) => usize::from(*number),
            _ => return self.everything = true,
        };
        self.everything |= layout.variables.get(variable).is_none_or(|variable| variable.is_limited);
        self.variable(variable);
        self.components = true;
    }
}

impl Hook for ReadSet {
    const READS: bool = true;

    #[inline]
    fn reads(&mut self, step: Step, code: &Code, registers: &[RegisterValue], table: &Table) {
        // Most steps read nothing, and need no call to find that out.
        if !reads_nothing(step) {
            self.note(step, code, registers, table.layout());
        }
    }
}

/// Whether a step uses only numbers, truths, and values that were recorded when they were put into a register.
#[inline]
fn reads_nothing(step: Step) -> bool {
    matches!(
        step,
        Step::Move { .. }
            | Step::Jump { .. }
            | Step::Back { .. }
            | Step::JumpIf { .. }
            | Step::JumpCase { .. }
            | Step::Call { .. }
            | Step::Return { .. }
            | Step::Add { .. }
            | Step::Not { .. }
            | Step::Negative { .. }
            | Step::List { .. }
            | Step::Range { .. }
            | Step::SetEntry { .. }
            | Step::Push { .. }
            | Step::Count { .. }
            | Step::NextNumber { .. }
            // What a walk goes through was recorded where the walk began.
            | Step::Next { .. }
            | Step::Test { .. }
            | Step::Sum { .. }
            | Step::Gather { .. }
            | Step::Empty { .. }
            | Step::Keep { .. }
            | Step::Kept { .. }
            | Step::Better { .. }
            | Step::Best { .. }
            | Step::Rank { .. }
            | Step::Sorted { .. }
    )
}

impl ReadSet {
    /// Records what a step is about to read.
    fn note(&mut self, step: Step, code: &Code, registers: &[RegisterValue], layout: &Layout) {
        let value = |at| operand(registers, &code.constants, at);
        match step {
            Step::JumpSmall { left, .. } => self.value(value(left)),
            Step::JumpCompared { left, right, .. } | Step::Work { left, right, .. } => {
                self.value(value(left));
                self.value(value(right));
            }
            Step::Increase { to, by } => {
                self.value(value(to));
                self.value(value(by));
            }
            Step::Entry { of, index, .. } => {
                self.value(value(of));
                self.value(value(index));
            }
            Step::Begin { how: LoopKind::Offered(_) | LoopKind::Asking, .. } => self.everything = true,
            Step::Begin { of, .. } => self.value(value(of)),
            Step::Get { site, from, .. } => {
                let (site, of) = (&code.properties[usize::from(site)], value(from));
                self.property(site.getters[of.sort() as usize].as_ref(), of, layout);
            }
            Step::Set { site, of, .. } => {
                let (site, of) = (&code.properties[usize::from(site)], value(of));
                self.set(site.getters[of.sort() as usize].as_ref(), of, layout);
            }
            Step::Word { site, .. } => {
                let site = &code.words[usize::from(site)];
                let given =
                    Arguments { registers, constants: &code.constants, at: &site.arguments, texts: &code.texts };
                match form_of(site, &given) {
                    Some(native) => {
                        let count = usize::from(site.count);
                        self.word(native, layout, (0..count).map(|number| given.get(number)));
                    }
                    None => self.everything = true,
                }
            }
            _ => self.everything = true,
        }
    }
}

/// The values that a run read of a table, to be compared with those of later tables.
#[derive(Debug, Default)]
pub struct ReadSnapshot {
    /// False where everything was read, or nothing is remembered.
    is_known: bool,
    /// The zones, each with the end of its contents in `components`.
    zones: SmallVec<[(Zone, usize); 4]>,
    variables: SmallVec<[(usize, Value); 4]>,
    /// The components in the zones, and behind them those in the variables: a run meets no others.
    components: Vec<Component>,
    /// For each component of the table, its face and its upper side; `None` where none were read.
    fronts: Option<(Vec<u16>, Vec<u8>)>,
    /// The teams of the seats, where they may have been read.
    teams: SmallVec<[u8; 8]>,
    /// The owners of the components in `components`; `None` where none were read.
    owners: Option<Vec<Option<Seat>>>,
}

impl ReadSnapshot {
    /// Forgets all values.
    pub fn forget(&mut self) {
        self.is_known = false;
    }

    /// Remembers the values that were read of a table.
    pub fn snapshot(&mut self, reads: &ReadSet, table: &Table) {
        let Self { is_known, zones, variables, components, fronts, teams, owners } = self;
        *is_known = !reads.everything;
        if !*is_known {
            return;
        }
        let state = table.state();
        zones.clear();
        variables.clear();
        components.clear();
        for zone in &reads.zones {
            components.extend_from_slice(table.zone(*zone));
            zones.push((*zone, components.len()));
        }
        for variable in &reads.variables {
            let value = table.variable(*variable);
            components.extend(value.components());
            variables.push((*variable, value.clone()));
        }
        match reads.components {
            true => {
                let (faces, sides) = fronts.get_or_insert_default();
                faces.clone_from(&state.faces);
                sides.clone_from(&state.sides);
            }
            false => *fronts = None,
        }
        *owners = reads.owners.then(|| components.iter().map(|component| state.owners[component.index()]).collect());
        teams.clear();
        if reads.components {
            teams.extend_from_slice(&state.teams);
        }
    }

    /// Whether all remembered values are the same on another table.
    pub fn is_same(&self, table: &Table) -> bool {
        let Self { is_known, zones, variables, components, fronts, teams, owners } = self;
        let state = table.state();
        let mut begin = 0;
        let mut lies_there = |(zone, end): &(Zone, usize)| {
            let held = components.get(std::mem::replace(&mut begin, *end)..*end);
            held == Some(table.zone(*zone))
        };
        let each = || components.iter();
        *is_known
            && zones.iter().all(&mut lies_there)
            && variables.iter().all(|(variable, value)| table.variable(*variable) == value)
            && fronts.as_ref().is_none_or(|(faces, sides)| {
                // Comparing all is faster than looking up each of a few, and usually all are the same.
                let are_all_same = || *faces == state.faces && *sides == state.sides;
                let is_same =
                    |one: usize| faces.get(one) == state.faces.get(one) && sides.get(one) == state.sides.get(one);
                teams[..] == state.teams && (are_all_same() || each().all(|one| is_same(one.index())))
            })
            && owners
                .as_ref()
                .is_none_or(|owners| each().zip(owners).all(|(one, known)| state.owners[one.index()] == *known))
    }
}
