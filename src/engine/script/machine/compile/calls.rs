//! Compiles calls of functions and words, and properties.

use super::{CompileResult, Compiler, numbered};
use crate::script::machine::code::{
    CallSite, Getter, MAX_ARGUMENTS, Operand, PropertySite, Register, SORTS, Step, WordSite,
};
use crate::script::machine::runtime_error::RuntimeError;
use crate::script::machine::value::RegisterValue;
use crate::script::machine::words::natives;
use crate::script::program::{Call, Callee, ExprKind, FunctionId, WordCall};
use crate::script::sorts::Sort;
use crate::table::event::ScriptPoint;
use crate::table::value::{Seat, Seats};
use std::sync::Arc;

impl Compiler<'_> {
    pub(super) fn call(&mut self, call: &Call, to: Register, at: ScriptPoint) -> CompileResult<()> {
        let arguments = self.all_operands(&call.arguments)?;
        self.call_site(call.function, arguments, to, at)
    }

    pub(super) fn call_site(
        &mut self,
        function: FunctionId,
        arguments: Vec<Operand>,
        to: Register,
        at: ScriptPoint,
    ) -> CompileResult<()> {
        let site = numbered(self.code.calls.len(), at)?;
        self.code.calls.push(CallSite { function, arguments: arguments.into() });
        self.emit(Step::Call { site, to }, at)?;
        Ok(())
    }

    pub(super) fn word(&mut self, call: &WordCall, to: Register, at: ScriptPoint) -> CompileResult<()> {
        if let [receiver, given @ ..] = call.arguments.as_slice()
            && given.iter().any(|argument| matches!(argument.kind, ExprKind::Function(_)))
        {
            return self.word_with_function(call, receiver, given, to, at);
        }
        let arguments = match (call.form, call.arguments.as_slice()) {
            (Callee::In, [list, value]) => {
                let [value, list] = self.operands([value, list])?;
                vec![list, value]
            }
            (_, arguments) => self.all_operands(arguments)?,
        };
        if let ("push", [list, value], Some(ExprKind::Local(_))) =
            (&*call.name, arguments.as_slice(), call.arguments.first().map(|list| &list.kind))
        {
            self.emit(Step::Push { list: *list, value: *value }, at)?;
            return self.nothing(to, at);
        }
        self.word_site(&call.name, &arguments, to, at)
    }

    /// Emits a call of a word whose arguments are already evaluated.
    pub(super) fn word_site(
        &mut self,
        name: &str,
        arguments: &[Operand],
        to: Register,
        at: ScriptPoint,
    ) -> CompileResult<()> {
        let mut places = [0; MAX_ARGUMENTS];
        let Some(room) = places.get_mut(..arguments.len()) else {
            let given = vec![Sort::Nothing; arguments.len()];
            return self.fail(RuntimeError::NoWord { name: name.into(), given }, at);
        };
        room.copy_from_slice(arguments);
        let site = numbered(self.code.words.len(), at)?;
        let forms = natives().forms(name, arguments.len());
        let count = arguments.len() as u8;
        self.code.words.push(WordSite { name: name.into(), arguments: places, count, forms });
        self.emit(Step::Word { site, to }, at)?;
        Ok(())
    }

    /// The index of the property with a name, with its getter for every sort of owner.
    pub(super) fn property_site(&mut self, name: &Arc<str>, at: ScriptPoint) -> CompileResult<u16> {
        if let Some(&known) = self.properties.get(name) {
            return Ok(known);
        }
        let mut getters: [Option<Getter>; SORTS] = Default::default();
        for (sort, native) in natives().properties(name) {
            getters[sort as usize] = Some(Getter::Word(native));
        }
        let (layout, first) = (self.layout, Seat(0));
        let of_player = Sort::Player as usize;
        for (definition, zone) in layout.definition.zones.iter().enumerate() {
            if zone.per_seat && *zone.id == **name {
                getters[of_player] = Some(match zone.count {
                    None => Getter::SeatZone(layout.zone_of(definition, Some(first)).0),
                    Some(_) => {
                        let of = |seat| RegisterValue::of_zones(&layout.zones_of(definition, Some(seat)).0);
                        Getter::SeatZones(Arc::new(Seats::all(layout.seats).into_iter().map(of).collect()))
                    }
                });
            }
        }
        for (definition, variable) in layout.definition.variables.iter().enumerate() {
            if *variable.id == **name {
                let number = |seat| numbered(layout.variable_of(definition, seat), at);
                if variable.per_seat {
                    getters[of_player] = Some(Getter::SeatVariable(number(Some(first))?));
                } else {
                    getters[Sort::Table as usize] = Some(Getter::Variable(number(None)?));
                }
            }
        }
        if let Some(attribute) = layout.attributes.iter().position(|known| **known == **name) {
            getters[Sort::Component as usize] = Some(Getter::Attribute(numbered(attribute, at)?));
        }
        let of_data = &mut getters[Sort::Data as usize];
        if layout.data.keys().any(|key| *key == **name) {
            *of_data = Some(match of_data {
                Some(Getter::Word(native)) => Getter::DatumOr(native),
                _ => Getter::Datum,
            });
        }
        getters[Sort::Option as usize] = Some(Getter::Part);
        let number = numbered(self.code.properties.len(), at)?;
        self.code.properties.push(PropertySite { name: name.clone(), getters });
        self.properties.insert(name.clone(), number);
        Ok(number)
    }
}
