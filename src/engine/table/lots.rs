//! Lots: drawing a number, an option or an order at random.

use crate::diagnostic::message;
use crate::table::decision::Options;
use crate::table::event::EventData;
use crate::table::knowledge::Witnesses;
use crate::table::value::Value;
use crate::table::{Fault, Table};

impl Table {
    /// Draws a number from `low` to `high`, both included, or gives the rigged one.
    ///
    /// # Errors
    /// The range is empty; a rigged number is outside of it; too many changes in one game.
    pub fn draw_number(&mut self, name: &str, low: i64, high: i64) -> Result<i64, Fault> {
        let span = high.checked_sub(low).and_then(|span| usize::try_from(span).ok()?.checked_add(1));
        let span = span.ok_or_else(|| Fault::rule(message!("there is no number from {low} to {high} for {name}")))?;
        let stream_name = format!("lot {name}");
        let mut drawn = low.wrapping_add_unsigned(self.chance.stream(&stream_name).below(span) as u64);
        if let Some([wanted, ..]) = self.chance.take_rigged(&stream_name).as_deref() {
            drawn = match wanted {
                Value::Number(wanted) if (low..=high).contains(wanted) => *wanted,
                wanted => {
                    let wanted = self.option_label(wanted);
                    let message =
                        message!("the lot {name} was rigged with {wanted}, which is not from {low} to {high}");
                    return Err(Fault::rule(message));
                }
            };
        }
        self.record_open_event(|| EventData::Lot { stream: name.into(), value: Value::Number(drawn) })?;
        Ok(drawn)
    }

    /// Draws one of the options by lot, or takes the rigged one, and gives its position.
    ///
    /// # Errors
    /// There are no options; too many changes in one game.
    pub fn draw_lots(&mut self, name: &str, options: Options<'_>) -> Result<usize, Fault> {
        if options.is_empty() {
            return Err(Fault::rule(message!("there is nothing to draw lots from for {name}")));
        }
        let stream_name = format!("lot {name}");
        let mut stream = self.chance.stream(&stream_name);
        let mut drawn = stream.below(options.len());
        if let Some([wanted, ..]) = self.chance.take_rigged(&stream_name).as_deref() {
            drawn = self.rigged_lot(name, &options, &self.option_label(wanted))?;
        }
        let witnesses = match options {
            Options::Zones(_) | Options::Seats(_) => Witnesses::EVERYBODY,
            _ => self.witnesses_of(&options.value(drawn)),
        };
        self.record_witnessed_event(witnesses, || EventData::Lot { stream: name.into(), value: options.value(drawn) })?;
        Ok(drawn)
    }

    /// Draws an order of values by lot, and gives their positions in it. Rigged values come first.
    ///
    /// # Errors
    /// A rigged value that is not among them; too many changes in one game.
    pub fn draw_order(&mut self, name: &str, values: &[Value]) -> Result<Vec<usize>, Fault> {
        let stream_name = format!("lot {name}");
        let mut order: Vec<usize> = (0..values.len()).collect();
        self.chance.stream(&stream_name).shuffle(&mut order);
        self.add_effort(32 * order.len());
        for (place, wanted) in self.chance.take_rigged(&stream_name).unwrap_or_default().iter().enumerate() {
            let rest: Vec<Value> =
                order.iter().skip(place).filter_map(|&position| values.get(position)).cloned().collect();
            let found = self.rigged_lot(name, &Options::Values(&rest), &self.option_label(wanted))?;
            if let Some(from) = order.get_mut(place..=place + found) {
                from.rotate_right(1);
            }
        }
        let drawn = || order.iter().filter_map(|&position| values.get(position)).cloned().collect();
        let drawn = Value::List(drawn());
        self.record_witnessed_event(self.witnesses_of(&drawn), || EventData::Lot {
            stream: name.into(),
            value: drawn,
        })?;
        Ok(order)
    }

    /// The seats that can tell what a value is: those that see every component in it.
    pub(super) fn witnesses_of(&self, value: &Value) -> Witnesses {
        match value.components() {
            components if components.is_empty() => Witnesses::EVERYBODY,
            components => Witnesses::of(
                components.into_iter().fold(self.everybody(), |seats, component| seats & self.seats_seeing(component)),
            ),
        }
    }

    /// The position of the option that a lot was rigged with, by its label.
    fn rigged_lot(&self, name: &str, options: &Options<'_>, wanted: &str) -> Result<usize, Fault> {
        let values = options.values();
        let labels = self.option_labels(values.iter());
        let called = |position: &usize| self.option_label(&values[*position]) == wanted;
        let found: Vec<usize> = match labels.iter().position(|label| label == wanted) {
            Some(position) => vec![position],
            None => (0..values.len()).filter(called).collect(),
        };
        match found[..] {
            [position] => Ok(position),
            [] => Err(Fault::rule(message!("the lot {name} was rigged with {wanted}, which is not in it"))),
            _ => {
                let meant: Vec<&str> = found.iter().map(|&position| labels[position].as_str()).collect();
                let meant = meant.join(" or ");
                Err(Fault::rule(message!("the lot {name} was rigged with {wanted}, which can mean {meant}")))
            }
        }
    }
}
