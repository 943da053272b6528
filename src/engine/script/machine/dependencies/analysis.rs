//! Finds in the code of functions what their results depend on, before anything runs.
//!
//! A list of dependencies may hold more than is needed, and never less: a step or a word that is unknown here can depend
//! on anything.

use super::{Dependencies, MAX_PLAIN_ARGUMENTS, Places};
use crate::script::machine::code::{
    CONSTANT, Code, Getter, LoopKind, MAX_ARGUMENTS, Operand, PropertySite, Register, Step, Walk, WordSite,
};
use crate::script::machine::value::RegisterValue;
use crate::script::machine::words::NativeWord;
use crate::script::program::FunctionId;
use crate::script::sorts::Sort;
use crate::table::layout::Layout;
use crate::table::value::{Seat, Value, Zone};

/// Words whose result depends only on their arguments: on the contents of zones, and on the faces, sides and owners of
/// components. Zones among the result are among the arguments.
const ARGUMENT_ONLY_WORDS: &[&str] = &[
    "!=",
    "+",
    "-",
    "==",
    "[]",
    "above",
    "abs",
    "act",
    "acts",
    "after",
    "and",
    "attribute",
    "below",
    "between",
    "can_sum_to",
    "carried_on_by",
    "carries_on",
    "column",
    "columns",
    "connected_groups",
    "connected_to",
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
    "is_owned",
    "largest_group",
    "last",
    "len",
    "lines",
    "longest_distinct_run",
    "max",
    "min",
    "next",
    "next_after",
    "not_sharing",
    "number",
    "numbers",
    "of",
    "one_of_each",
    "opponents",
    "options",
    "owned_by",
    "owner",
    "partners",
    "position_of",
    "previous",
    "reversed",
    "row",
    "rows",
    "runs",
    "sharing",
    "side_name",
    "sorted",
    "starting_with",
    "sum",
    "team",
    "teams",
    "top",
    "trend",
    "up_to",
    "within",
    "without",
];

/// Maximum number of dependencies of a function, and of a value in it; where there are more, it depends on anything.
const MAX_DEPENDENCIES: usize = 16;

/// Maximum number of times that the steps of a function are gone through.
const MAX_PASSES: usize = 8;

/// Maximum depth of calls that are followed.
const MAX_DEPTH: u16 = 32;

/// Something that the result of a function depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dependency {
    /// What lies in a zone.
    Zone(Zone),
    /// A variable, by its index in the layout.
    Variable(u16),
    /// What lies in a zone of the player who is this argument; `first` is the number of the first player's zone.
    ZoneOf { argument: u16, first: u16 },
    /// What lies in several zones of the player who is this argument, by the index of the property that they are.
    ZonesOf { argument: u16, property: u16 },
    /// A variable of the player who is this argument; `first` is the index of the first player's variable.
    VariableOf { argument: u16, first: u16 },
    /// An argument: what lies in the zones that it is, and the components that it is.
    Argument(u16),
}

/// For each seat, the zones that a property of players is; none for other properties.
fn zones_of_seats(property: Option<&PropertySite>) -> &[RegisterValue] {
    match property.map(|property| &property.getters[Sort::Player as usize]) {
        Some(Some(Getter::SeatZones(zones))) => zones,
        _ => &[],
    }
}

/// What all functions of some code depend on, by their ids.
pub(in crate::script::machine) fn dependencies(code: &Code, layout: &Layout) -> Vec<Dependencies> {
    let mut analysis = Analysis { code, layout, found: vec![Progress::Unseen; code.functions.len()] };
    let functions = 0..code.functions.len() as FunctionId;
    let all: Vec<Found> = functions.map(|function| analysis.function(function, 0)).collect();
    all.iter().map(|found| analysis.places(found)).collect()
}

/// A set of dependencies, as bits by their positions among those that a function has to do with.
type Set = u64;

/// What a value in a register can be or refer to, wherever it came from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Origin {
    /// The player that it can be.
    seat: SeatOrigin,
    /// What lies in the zones that it can be, or around the components.
    holds: Set,
    /// Whether it can be anything.
    is_unknown: bool,
}

/// Which player a value can be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum SeatOrigin {
    /// None.
    #[default]
    Nobody,
    /// The one who is this argument.
    Argument(u16),
    /// Any.
    Anybody,
}

impl Origin {
    fn anybody() -> Self {
        Self { seat: SeatOrigin::Anybody, ..Self::default() }
    }

    fn unknown() -> Self {
        Self { seat: SeatOrigin::Anybody, holds: 0, is_unknown: true }
    }

    fn zones(holds: Set) -> Self {
        Self { holds, ..Self::default() }
    }

    fn join(&mut self, other: &Self) {
        self.seat = match (self.seat, other.seat) {
            (one, other) if one == other => one,
            (SeatOrigin::Nobody, seat) | (seat, SeatOrigin::Nobody) => seat,
            _ => SeatOrigin::Anybody,
        };
        self.holds |= other.holds;
        self.is_unknown |= other.is_unknown;
    }

    /// An entry of the value.
    fn entry(mut self) -> Self {
        if self.seat != SeatOrigin::Nobody {
            self.seat = SeatOrigin::Anybody;
        }
        self
    }
}

/// What is known of a function when it has been analysed.
#[derive(Clone, Debug, Default)]
struct Found {
    /// `None` where the function can depend on anything.
    list: Option<Vec<Dependency>>,
    is_pure: bool,
    depth: u16,
    result: Origin,
    /// What the bits of `result.holds` stand for.
    known: Vec<Dependency>,
}

#[derive(Clone, Debug)]
enum Progress {
    Unseen,
    Open,
    Done(Found),
}

struct Analysis<'a> {
    code: &'a Code,
    layout: &'a Layout,
    found: Vec<Progress>,
}

/// The analysis of one function.
struct FunctionAnalysis {
    registers: Vec<Origin>,
    result: Origin,
    /// What the function has to do with.
    known: Vec<Dependency>,
    /// What it depends on.
    depends_on: Set,
    /// Whether it can depend on anything.
    is_unknown: bool,
    is_pure: bool,
    /// The depth of the calls that the function can make, and of those that led to it.
    depth: u16,
    outer_depth: u16,
    /// Whether the last pass through the steps has found anything new.
    is_new: bool,
}

impl FunctionAnalysis {
    fn write(&mut self, register: impl Into<usize>, origin: &Origin) {
        let Some(place) = self.registers.get_mut(register.into()) else { return };
        let before = *place;
        place.join(origin);
        self.is_new |= *place != before;
    }

    fn read(&self, register: impl Into<usize>) -> Origin {
        self.registers.get(register.into()).copied().unwrap_or_else(Origin::unknown)
    }

    /// The set of a dependency, or of some. Where there are too many, the function can depend on anything.
    fn set_of(&mut self, all: impl IntoIterator<Item = Dependency>) -> Set {
        let mut set = 0;
        for one in all {
            let place = self.known.iter().position(|known| *known == one).unwrap_or_else(|| {
                self.known.push(one);
                self.known.len() - 1
            });
            self.is_unknown |= place >= Set::BITS as usize;
            set |= 1_u64.checked_shl(place as u32).unwrap_or(0);
        }
        set
    }

    /// The function does something, and can depend on anything.
    fn acts(&mut self) {
        self.is_pure = false;
        self.is_unknown = true;
    }

    /// The function looks into a value: at what lies in a zone, at what is on a component.
    fn look(&mut self, into: &Origin) {
        self.is_unknown |= into.is_unknown;
        self.depends_on |= into.holds;
    }
}

impl Analysis<'_> {
    /// What a function depends on, as indices of versions.
    fn places(&self, Found { list, is_pure, depth, .. }: &Found) -> Dependencies {
        let of_zone = |zone: u16| u32::from(zone);
        let of_variable = |number: u16| self.layout.zones.len() as u32 + 1 + u32::from(number);
        let places = list.as_ref().and_then(|list| {
            let (mut fixed, mut looks) = (Vec::new(), [false; MAX_PLAIN_ARGUMENTS]);
            let mut of_seats: [Vec<Vec<u32>>; MAX_PLAIN_ARGUMENTS] =
                std::array::from_fn(|_| vec![Vec::new(); self.layout.seats]);
            for dependency in list {
                let mut for_each_seat = |argument: u16, of: &dyn Fn(u16) -> Vec<u32>| {
                    let seats = of_seats.get_mut(usize::from(argument))?;
                    seats.iter_mut().zip(0..).for_each(|(places, seat)| places.extend(of(seat)));
                    Some(())
                };
                match *dependency {
                    Dependency::Zone(zone) => fixed.push(of_zone(zone.0)),
                    Dependency::Variable(number) => fixed.push(of_variable(number)),
                    Dependency::Argument(number) => *looks.get_mut(usize::from(number))? = true,
                    Dependency::ZoneOf { argument, first } => {
                        for_each_seat(argument, &|seat| vec![of_zone(first + seat)])?;
                    }
                    Dependency::VariableOf { argument, first } => {
                        for_each_seat(argument, &|seat| vec![of_variable(first + seat)])?;
                    }
                    Dependency::ZonesOf { argument, property } => {
                        let all = zones_of_seats(self.code.properties.get(usize::from(property)));
                        for_each_seat(argument, &|seat| {
                            let zones = all.get(usize::from(seat)).and_then(RegisterValue::zones);
                            zones.iter().flat_map(|zones| zones.iter()).map(|zone| of_zone(zone.0)).collect()
                        })?;
                    }
                }
            }
            let of_seats = of_seats.map(|seats| seats.into_iter().map(Vec::into_boxed_slice).collect());
            Some(Places { fixed: fixed.into(), of_seats, looks })
        });
        Dependencies { places, is_pure: *is_pure, depth: *depth }
    }

    fn function(&mut self, number: FunctionId, depth: u16) -> Found {
        let place = usize::from(number);
        match self.found.get(place) {
            Some(Progress::Done(found)) => return found.clone(),
            Some(Progress::Unseen) if depth < MAX_DEPTH => {}
            _ => return Found { result: Origin::unknown(), ..Found::default() },
        }
        self.found[place] = Progress::Open;
        let code = self.code;
        let function = &code.functions[place];
        let mut state = FunctionAnalysis {
            registers: vec![Origin::default(); usize::from(function.registers)],
            result: Origin::default(),
            known: Vec::new(),
            depends_on: 0,
            is_unknown: false,
            is_pure: true,
            depth: 0,
            outer_depth: depth,
            is_new: true,
        };
        for number in 0..function.arity {
            let holds = state.set_of([Dependency::Argument(number)]);
            state.write(number, &Origin { seat: SeatOrigin::Argument(number), holds, is_unknown: false });
        }
        let mut passes = 0;
        while std::mem::take(&mut state.is_new) && !state.is_unknown {
            passes += 1;
            state.is_unknown = passes > MAX_PASSES;
            function.steps.iter().for_each(|step| self.step(step, &mut state));
        }
        let FunctionAnalysis { mut result, known, depends_on, is_unknown, is_pure, depth, .. } = state;
        let is_unknown = is_unknown || depends_on.count_ones() as usize > MAX_DEPENDENCIES;
        if is_unknown {
            // Whoever calls it depends on anything, too.
            result = Origin::unknown();
        }
        let list = (!is_unknown).then(|| members(&known, depends_on).collect());
        let found = Found { list, is_pure, depth, result, known };
        self.found[place] = Progress::Done(found.clone());
        found
    }

    fn operand(&self, at: Operand, state: &mut FunctionAnalysis) -> Origin {
        if at & CONSTANT == 0 {
            return state.read(at);
        }
        let constant = self.code.constants.get(usize::from(at & !CONSTANT));
        constant.map_or_else(Origin::unknown, |value| match value {
            RegisterValue::Player(_) | RegisterValue::Players(_) => Origin::anybody(),
            RegisterValue::Zone(zone) => Origin::zones(state.set_of([Dependency::Zone(zone.get())])),
            RegisterValue::Table
            | RegisterValue::Component(_)
            | RegisterValue::Few(_)
            | RegisterValue::Components(_)
            | RegisterValue::List(_)
            | RegisterValue::Options(_)
            | RegisterValue::Option(_)
            | RegisterValue::Chosen(_)
            | RegisterValue::Refused(_) => Origin::unknown(),
            value => match value.zones() {
                Some(zones) if zones.len() > MAX_DEPENDENCIES => Origin::unknown(),
                Some(zones) => Origin::zones(state.set_of(zones.iter().map(|&zone| Dependency::Zone(zone)))),
                None => Origin::default(),
            },
        })
    }

    fn is_table(&self, at: Operand) -> bool {
        at & CONSTANT != 0 && matches!(self.code.constants.get(usize::from(at & !CONSTANT)), Some(RegisterValue::Table))
    }

    fn step(&mut self, step: &Step, state: &mut FunctionAnalysis) {
        let none = Origin::default();
        let at = |register: Register, offset: usize| usize::from(register) + offset;
        match *step {
            Step::Move { to, from } => {
                let value = self.operand(from, state);
                state.write(to, &value);
            }
            Step::Jump { .. }
            | Step::Back { .. }
            | Step::JumpIf { .. }
            | Step::JumpCase { .. }
            | Step::NextNumber { .. }
            | Step::Count { .. }
            | Step::Test { .. }
            | Step::Sum { .. }
            | Step::Rank { .. }
            | Step::Throw { .. }
            | Step::Fail { .. } => {}
            Step::Add { to, .. }
            | Step::Not { to, .. }
            | Step::Negative { to, .. }
            | Step::Range { to, .. }
            | Step::Empty { to, .. } => state.write(to, &none),
            Step::JumpSmall { left, .. } => self.looks([left], state),
            Step::JumpCompared { left, right, .. } => self.looks([left, right], state),
            Step::Work { operator, to, left, right } => {
                self.looks([left, right], state);
                let mut value = none;
                if !operator.compares() {
                    value.join(&self.operand(left, state));
                    value.join(&self.operand(right, state));
                }
                state.write(to, &value.entry());
            }
            Step::Increase { to, by } => {
                self.looks([to, by], state);
                let by = self.operand(by, state);
                state.write(to, &by.entry());
            }
            Step::Return { value } => {
                let value = self.operand(value, state);
                state.result.join(&value);
            }
            Step::Call { site, to } => self.call(usize::from(site), to, state),
            Step::Word { site, to } => match self.code.words.get(usize::from(site)) {
                Some(site) => self.word(site, to, state),
                None => state.is_unknown = true,
            },
            Step::Get { site, to, from } => self.property(site, to, from, state),
            Step::Set { site, of, value: _ } => self.set(site, of, state),
            Step::List { to, base, count } => {
                for register in base..base + count {
                    let entry = state.read(register);
                    state.write(to, &entry);
                }
            }
            Step::Entry { to, of, index } => {
                self.looks([of, index], state);
                let of = self.operand(of, state);
                state.write(to, &of.entry());
            }
            Step::SetEntry { list, value, .. } | Step::Push { list, value } => {
                let value = self.operand(value, state);
                state.write(list, &value);
            }
            Step::Begin { how: LoopKind::Offered(_) | LoopKind::Asking, .. } => state.acts(),
            Step::Begin { walk, of, .. } => {
                self.looks([of], state);
                let of = self.operand(of, state);
                state.write(at(walk, Walk::LIST), &of);
            }
            Step::Next { walk, item, .. } => {
                let list = state.read(at(walk, Walk::LIST));
                state.write(item, &list.entry());
            }
            Step::Gather { walk, list: kept } | Step::Extend { walk, options: kept } => {
                let given = state.read(at(walk, Walk::RESULT));
                state.look(&given);
                state.write(kept, &given);
            }
            Step::Keep { kept: to, item: from } | Step::Kept { to, kept: from, .. } => {
                let from = state.read(from);
                state.write(to, &from);
            }
            Step::Better { best, item, .. } => {
                let item = state.read(item);
                state.write(at(best, 1), &item);
            }
            Step::Best { to, best, .. } => {
                let best = state.read(at(best, 1));
                state.write(to, &best);
            }
            Step::Sorted { to, walk, .. } => {
                let list = state.read(at(walk, Walk::LIST));
                state.write(to, &list.entry());
            }
            Step::Join { .. }
            | Step::BeginTogether
            | Step::EndTogether
            | Step::Chosen { .. }
            | Step::ChoiceOf { .. }
            | Step::Offer { .. }
            | Step::JumpUnlessRead { .. }
            | Step::EndReasons
            | Step::Others { .. }
            | Step::Fits { .. }
            | Step::Refuse { .. }
            | Step::Ask { .. } => state.acts(),
        }
    }

    /// The function looks into some values.
    fn looks<const COUNT: usize>(&self, into: [Operand; COUNT], state: &mut FunctionAnalysis) {
        for at in into {
            let value = self.operand(at, state);
            state.look(&value);
        }
    }

    fn call(&mut self, site: usize, to: Register, state: &mut FunctionAnalysis) {
        let Some(site) = self.code.calls.get(site) else { return state.acts() };
        let Found { list, is_pure, depth, result, known } = self.function(site.function, state.outer_depth + 1);
        let arguments: Vec<Origin> = site.arguments.iter().map(|&at| self.operand(at, state)).collect();
        state.is_pure &= is_pure;
        state.depth = state.depth.max(depth + 1);
        let Some(list) = &list else { return state.is_unknown = true };
        let all = self.for_arguments(list.iter().copied(), &arguments, state);
        state.look(&all);
        let mut value = self.for_arguments(members(&known, result.holds), &arguments, state);
        value.is_unknown |= result.is_unknown;
        value.seat = match result.seat {
            SeatOrigin::Argument(number) => {
                arguments.get(usize::from(number)).map_or(SeatOrigin::Anybody, |argument| argument.seat)
            }
            seat => seat,
        };
        state.write(to, &value);
    }

    /// Dependencies of a function, seen from a call of it.
    fn for_arguments(
        &self,
        list: impl Iterator<Item = Dependency>,
        arguments: &[Origin],
        state: &mut FunctionAnalysis,
    ) -> Origin {
        let mut all = Origin::default();
        let given = |number: u16| arguments.get(usize::from(number)).copied().unwrap_or_else(Origin::unknown);
        for dependency in list {
            all.holds |= match dependency {
                Dependency::Zone(_) | Dependency::Variable(_) => state.set_of([dependency]),
                Dependency::ZoneOf { argument, first } => self.zone_of(given(argument).seat, first, state),
                Dependency::VariableOf { argument, first } => self.variable_of(given(argument).seat, first, state),
                Dependency::ZonesOf { argument, property } => self.zones_of(given(argument).seat, property, state),
                Dependency::Argument(number) => {
                    all.is_unknown |= given(number).is_unknown;
                    given(number).holds
                }
            };
        }
        all
    }

    fn zone_of(&self, seat: SeatOrigin, first: u16, state: &mut FunctionAnalysis) -> Set {
        match seat {
            SeatOrigin::Nobody => 0,
            SeatOrigin::Argument(argument) => state.set_of([Dependency::ZoneOf { argument, first }]),
            SeatOrigin::Anybody => {
                state.set_of((0..self.layout.seats as u16).map(|seat| Dependency::Zone(Zone(first + seat))))
            }
        }
    }

    fn variable_of(&self, seat: SeatOrigin, first: u16, state: &mut FunctionAnalysis) -> Set {
        match seat {
            SeatOrigin::Nobody => 0,
            SeatOrigin::Argument(argument) => state.set_of([Dependency::VariableOf { argument, first }]),
            SeatOrigin::Anybody => {
                state.set_of((0..self.layout.seats as u16).map(|seat| Dependency::Variable(first + seat)))
            }
        }
    }

    fn zones_of(&self, seat: SeatOrigin, property: u16, state: &mut FunctionAnalysis) -> Set {
        match seat {
            SeatOrigin::Nobody => 0,
            SeatOrigin::Argument(argument) => state.set_of([Dependency::ZonesOf { argument, property }]),
            SeatOrigin::Anybody => {
                let all = zones_of_seats(self.code.properties.get(usize::from(property))).iter();
                let zones = all.filter_map(RegisterValue::zones).flat_map(|zones| zones.to_vec());
                state.set_of(zones.map(Dependency::Zone))
            }
        }
    }

    fn word(&self, site: &WordSite, to: Register, state: &mut FunctionAnalysis) {
        let count = usize::from(site.count);
        let mut given = [Origin::default(); MAX_ARGUMENTS];
        for (origin, &at) in given.iter_mut().zip(&site.arguments[..count]) {
            *origin = self.operand(at, state);
        }
        site.forms.all().for_each(|native| self.native(native, &given[..count], to, state));
    }

    /// A word with these arguments.
    fn native(&self, native: &NativeWord, given: &[Origin], to: Register, state: &mut FunctionAnalysis) {
        if native.takes.iter().zip(given).any(|(sort, origin)| sort.is_some_and(|sort| !can_be(origin, sort as usize)))
        {
            return;
        }
        match native.effect {
            WordEffect::None => given.iter().for_each(|origin| state.look(origin)),
            WordEffect::Moves => {
                state.is_pure = false;
                given.iter().take(1).for_each(|origin| state.look(origin));
            }
            WordEffect::Scores => {
                state.is_pure = false;
                let seat = given.first().map_or(SeatOrigin::Anybody, |origin| origin.seat);
                let scores = self.variable_of(seat, self.layout.score_of(Seat(0)) as u16, state);
                state.depends_on |= scores;
            }
            WordEffect::Any => return state.acts(),
        }
        let value = match native.result {
            Some(
                Sort::Nothing
                | Sort::Number
                | Sort::Truth
                | Sort::Text
                | Sort::Component
                | Sort::Components
                | Sort::Data
                | Sort::Range
                | Sort::Letter,
            ) => Origin::default(),
            Some(Sort::Player | Sort::Players | Sort::Nobody | Sort::PlayerOrNobody) => Origin::anybody(),
            _ => {
                let mut all = Origin::default();
                given.iter().for_each(|origin| all.join(origin));
                all.entry()
            }
        };
        state.write(to, &value);
    }

    fn property(&self, number: u16, to: Register, from: Operand, state: &mut FunctionAnalysis) {
        let Some(site) = self.code.properties.get(usize::from(number)) else { return state.acts() };
        let (of, is_table) = (self.operand(from, state), self.is_table(from));
        let getters = site.getters.iter().enumerate().filter_map(|(sort, getter)| Some((sort, getter.as_ref()?)));
        for (sort, getter) in getters {
            let fits = if is_table { sort == Sort::Table as usize } else { can_be(&of, sort) };
            if !fits {
                continue;
            }
            let value = match getter {
                Getter::SeatZone(first) => Origin::zones(self.zone_of(of.seat, *first, state)),
                Getter::SeatZones(_) => Origin::zones(self.zones_of(of.seat, number, state)),
                Getter::SeatVariable(first) => {
                    state.depends_on |= self.variable_of(of.seat, *first, state);
                    self.held_in(usize::from(*first))
                }
                Getter::Variable(number) => {
                    state.depends_on |= state.set_of([Dependency::Variable(*number)]);
                    self.held_in(usize::from(*number))
                }
                Getter::Attribute(_) => {
                    state.look(&of);
                    Origin::default()
                }
                Getter::Datum => Origin::default(),
                Getter::Part => of.entry(),
                Getter::DatumOr(native) | Getter::Word(native) => {
                    self.native(native, &[of], to, state);
                    continue;
                }
            };
            state.write(to, &value);
        }
    }

    /// What a variable can hold.
    fn held_in(&self, variable: usize) -> Origin {
        match self.layout.variables.get(variable).map(|info| &info.default) {
            Some(Value::Number(_) | Value::Truth(_) | Value::Text(_)) => Origin::default(),
            Some(Value::Seat(_) | Value::Nobody) => Origin::anybody(),
            _ => Origin::unknown(),
        }
    }

    /// A variable is set, which may have limits that depend on other values.
    fn set(&self, site: u16, of: Operand, state: &mut FunctionAnalysis) {
        state.is_pure = false;
        let Some(site) = self.code.properties.get(usize::from(site)) else { return state.acts() };
        let seat = self.operand(of, state).seat;
        let sort = if self.is_table(of) { Sort::Table } else { Sort::Player };
        let (first, set) = match &site.getters[sort as usize] {
            Some(Getter::SeatVariable(first)) => (*first, self.variable_of(seat, *first, state)),
            Some(Getter::Variable(number)) => (*number, state.set_of([Dependency::Variable(*number)])),
            _ => return state.acts(),
        };
        state.is_unknown |= self.layout.variables.get(usize::from(first)).is_none_or(|variable| variable.is_limited);
        state.depends_on |= set;
    }
}

/// The members of a set.
fn members(known: &[Dependency], set: Set) -> impl Iterator<Item = Dependency> {
    known.iter().enumerate().filter(move |(place, _)| set >> place & 1 == 1).map(|(_, one)| *one)
}

/// Whether a value can be of a sort.
fn can_be(origin: &Origin, sort: usize) -> bool {
    let is_one_of = |sorts: [Sort; 2]| sorts.iter().any(|&one| one as usize == sort);
    if is_one_of([Sort::Player, Sort::Players]) {
        origin.is_unknown || origin.seat != SeatOrigin::Nobody
    } else if is_one_of([Sort::Zone, Sort::Zones]) {
        origin.is_unknown || origin.holds != 0
    } else {
        // No call whose arguments hold the table itself is remembered.
        origin.is_unknown || sort != Sort::Table as usize
    }
}

/// What a word does, and what it depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordEffect {
    /// It only gives a value, and depends on its arguments.
    None,
    /// It moves the receiver, and depends on that alone.
    Moves,
    /// It changes the score of the receiver.
    Scores,
    /// It can do anything, and depend on anything.
    Any,
}

impl WordEffect {
    /// The effect of the word of a name that takes these sorts.
    pub fn of(name: &str, takes: &[Option<Sort>]) -> Self {
        let moves = |sort| matches!(sort, Some(Sort::Component | Sort::Components | Sort::Zone | Sort::Zones));
        match (name, takes) {
            ("award", _) => Self::Scores,
            // Components come to lie on top, whatever is in the zone.
            ("move_to", [of, Some(Sort::Zone)]) if moves(*of) => Self::Moves,
            ("components", [Some(Sort::Zone | Sort::Zones | Sort::List)]) => Self::None,
            _ if takes.contains(&Some(Sort::Table)) => Self::Any,
            _ if ARGUMENT_ONLY_WORDS.contains(&name) => Self::None,
            _ => Self::Any,
        }
    }
}
