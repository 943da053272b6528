//! Components as they lay when something happened to them, as far as the viewer knows: later, they may show other
//! sides.

use super::{ShownSide, Sight};
use crate::playthrough::history::SidesShown;
use crate::screen::style::Line;
use crate::sorted::SortedMap;
use crate::table::event::{Event, EventData};
use crate::table::knowledge::Front;
use crate::table::sides::side_at_start;
use crate::table::value::Component;
use std::collections::HashMap;

impl Sight<'_> {
    /// The face of a component at the time of an event, if the viewer knows which component it was.
    pub(super) fn component_at(&self, event: &Event, component: Component) -> Line {
        self.component(event, component, self.eyes.saw_component(event, component))
    }

    /// The face of a component at the time of an event, if `is_seen`.
    pub(super) fn component(&self, event: &Event, component: Component, is_seen: bool) -> Line {
        match is_seen {
            true => self.face(Front { side: self.side_at(event, component), ..self.front(component) }),
            false => self.unknown(),
        }
    }

    /// The side that a component showed right after an event, as far as the viewer knows; it may show another side now.
    fn side_at(&self, event: &Event, component: Component) -> Option<u8> {
        if let Some((_, side)) = event.what.side_shown().filter(|(shown, _)| *shown == component) {
            return Some(side).filter(|_| self.eyes.saw_result(event, component));
        }
        let at_start = || Some(self.layout.faces.get(self.front(component).face).map_or(0, side_at_start));
        let last = |turned: &HashMap<Component, Vec<ShownSide>>, place: usize| {
            let turned = turned.get(&component)?;
            turned[..turned.partition_point(|(number, _)| *number <= place)].last().map(|(_, side)| *side)
        };
        let history = &self.scene.position.events;
        let (recent, shown_before) = history.at_hand();
        let place = place_of(recent, event);
        if let Some(place) = place {
            let turned = self.turned.get_or_init(|| self.turned_in(recent, shown_before));
            if let Some(side) = last(turned, place) {
                return side;
            }
            let Some(shown) = shown_before.and_then(|shown| shown.get(&component)) else { return at_start() };
            // Usually, everybody saw it.
            if let Some((_, side)) = shown.what.side_shown().filter(|_| self.eyes.saw_result(shown, component)) {
                return Some(side);
            }
        }
        // Events tried on a copy of the table are not part of the game, and no events exist if the history is not held.
        if place.is_none() && !history.is_held() {
            return self.eyes.front(component).side;
        }
        let [older, _] = history.since(0);
        let Some(place) = place.map(|_| older.len()).or_else(|| place_of(older, event)) else {
            return self.eyes.front(component).side;
        };
        let turned = self.turned_before.get_or_init(|| self.turned_in(older, None));
        last(turned, place).unwrap_or_else(at_start)
    }

    /// For each component that was turned or rolled, the indexes of these events with the side shown after each, as far
    /// as the viewer knows. `shown` has the sides from earlier events.
    fn turned_in(&self, events: &[Event], shown: Option<&SidesShown>) -> HashMap<Component, Vec<ShownSide>> {
        let mut turned: HashMap<Component, Vec<ShownSide>> = HashMap::new();
        // The true sides, whoever knows them.
        let before = shown.into_iter().flat_map(SortedMap::values);
        let mut shown: HashMap<Component, u8> = before.filter_map(|event| event.what.side_shown()).collect();
        for (number, event) in events.iter().enumerate() {
            if let EventData::Move { component, .. } = event.what
                && self.eyes.saw_laid_open(event, component)
                && let Some(&side) = shown.get(&component)
            {
                turned.entry(component).or_default().push((number, Some(side)));
            }
            let Some((component, side)) = event.what.side_shown() else { continue };
            shown.insert(component, side);
            let side = Some(side).filter(|_| self.eyes.saw_result(event, component));
            // A viewer who is not shown the side still knows the earlier one.
            if side.is_some() || matches!(event.what, EventData::Roll { .. } | EventData::Side { .. }) {
                turned.entry(component).or_default().push((number, side));
            }
        }
        turned
    }
}

/// The index of an event among events; `None` if it is not one of them.
pub(super) fn place_of(events: &[Event], event: &Event) -> Option<usize> {
    let from = events.partition_point(|earlier| earlier.moves < event.moves);
    let mut same_move = events[from..].iter().take_while(|other| other.moves == event.moves);
    same_move.position(|other| std::ptr::eq(other, event)).map(|place| from + place)
}
