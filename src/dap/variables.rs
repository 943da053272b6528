//! The variables that a client sees at a stop: the names of a call, and the table as a tree, both limited to what the
//! viewer may know.

use crate::catalogue::said;
use crate::inspect::debugger::{Call, Stop};
use crate::ruleset::Ruleset;
use crate::script::paused::Local;
use crate::table::knowledge::{ComponentView, View, Viewer};
use crate::table::layout::{FaceValue, Layout};
use crate::table::value::{Component, Seats, Value as Held, Zone};
use serde_json::{Value, json};

/// Most components of a zone named in its summary.
const MAX_NAMED_COMPONENTS: usize = 8;

/// The value shown for what the viewer may not know.
const UNKNOWN: &str = "?";

/// A node of the variable tree, which has children.
#[derive(Clone, Debug)]
enum Node {
    /// The names in a call, by its index in the call stack.
    Locals(usize),
    /// The whole table.
    Table,
    /// The variables and zones of one player, by seat number.
    Seat(usize),
    /// A zone, by index.
    Zone(usize),
    /// A component, by the index of its zone and its place there.
    Component(usize, usize),
    /// The variables shared by all players.
    Shared,
    /// The settings of all layers; `Layer` has those of one.
    Settings,
    Layer(usize),
    /// The open decision.
    Question,
    /// A value of a variable in a script.
    Held(Held),
}

/// A child of a node, as the client shows it.
struct Row {
    name: String,
    value: String,
    /// The node of its own children.
    node: Option<Node>,
    /// An expression for it that is valid anywhere.
    expression: Option<String>,
    /// Whether the client may set it.
    settable: bool,
}

impl Row {
    fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into(), node: None, expression: None, settable: false }
    }

    fn with(self, node: Node) -> Self {
        Self { node: Some(node), ..self }
    }

    fn called(self, expression: impl Into<String>) -> Self {
        Self { expression: Some(expression.into()), ..self }
    }

    fn settable(self) -> Self {
        Self { settable: true, ..self }
    }
}

/// The variable tree of a stop. Each node gets a number, valid until the rules run on.
pub(super) struct VariableTree {
    view: View,
    nodes: Vec<Node>,
}

/// The state that the tree shows.
#[derive(Clone, Copy)]
pub(super) struct VisibleState<'a> {
    pub ruleset: &'a Ruleset,
    pub layout: &'a Layout,
    pub stop: &'a Stop,
    pub viewer: Viewer,
}

impl VariableTree {
    /// The tree of a stop.
    pub fn of(seen: VisibleState<'_>) -> Self {
        let position = &seen.stop.position;
        let asked: Vec<_> = position.open.as_deref().into_iter().collect();
        let view = View::of((seen.layout, &position.table), &asked, &position.past([&[], &[]]), seen.viewer);
        Self { view, nodes: Vec::new() }
    }

    fn number(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len()
    }

    /// The top nodes of the tree, with the names of `call` if one is given.
    pub fn scopes(&mut self, call: Option<usize>) -> Value {
        let mut scopes = Vec::new();
        if let Some(call) = call {
            let locals = self.number(Node::Locals(call));
            let name = said("names of this call");
            scopes.push(
                json!({ "name": name, "presentationHint": "locals", "variablesReference": locals, "expensive": false }),
            );
        }
        let table = self.number(Node::Table);
        scopes.push(json!({ "name": said("table"), "variablesReference": table, "expensive": false }));
        scopes.into()
    }

    /// The children of a node, by its number; `None` where the number is not valid any more.
    pub fn variables(&mut self, reference: usize, seen: VisibleState<'_>) -> Option<Value> {
        let node = self.nodes.get(reference.checked_sub(1)?)?.clone();
        let rows = self.rows(&node, seen);
        let told = |row: Row| {
            let reference = row.node.map_or(0, |node| self.number(node));
            let mut told = json!({ "name": row.name, "value": row.value, "variablesReference": reference });
            if let Some(expression) = row.expression {
                told["evaluateName"] = expression.into();
            }
            if !row.settable {
                told["presentationHint"] = json!({ "attributes": ["readOnly"] });
            }
            told
        };
        Some(rows.into_iter().map(told).collect())
    }

    /// The name by which `set` changes a child of a node; `None` where that is impossible.
    pub fn name_to_set(&self, reference: usize, name: &str) -> Option<String> {
        match self.nodes.get(reference.checked_sub(1)?)? {
            Node::Seat(seat) => Some(format!("p{seat}.{name}")),
            Node::Shared => Some(name.to_owned()),
            &Node::Component(zone, place) => {
                let face = self.view.zones.get(zone)?.components.get(place)?.face.as_deref()?;
                Some(format!("{face}.{name}"))
            }
            _ => None,
        }
    }

    /// The expression to watch for changes of a child of a node; `None` where that is impossible.
    pub fn name_to_watch(&self, reference: usize, name: &str) -> Option<String> {
        match self.nodes.get(reference.checked_sub(1)?)? {
            Node::Seat(seat) => Some(format!("p{seat}.{name}")),
            Node::Shared => Some(format!("table.{name}")),
            Node::Table | Node::Locals(_) => Some(name.to_owned()),
            _ => None,
        }
    }

    fn rows(&self, node: &Node, seen: VisibleState<'_>) -> Vec<Row> {
        match node {
            Node::Locals(call) => {
                let locals = seen.stop.calls.get(*call).map(|call: &Call| call.locals.as_slice()).unwrap_or_default();
                locals.iter().map(|local| self.local(local, seen)).collect()
            }
            Node::Table => self.table(seen),
            Node::Seat(seat) => self.of_seat(*seat, seen),
            Node::Zone(zone) => self.components(*zone),
            &Node::Component(zone, place) => self.component(zone, place, seen.layout),
            Node::Shared => self.variables_of(None, seen),
            Node::Settings => {
                let layers = seen.ruleset.settings.iter().enumerate().filter(|(_, (_, settings))| !settings.is_empty());
                layers.map(|(number, (layer, _))| Row::new(layer, "").with(Node::Layer(number))).collect()
            }
            Node::Layer(number) => {
                let settings = seen.ruleset.settings.get(*number).into_iter().flat_map(|(_, settings)| settings);
                settings.map(|(key, value)| Row::new(key, value.to_string())).collect()
            }
            Node::Question => {
                let asked = self.view.asked.first();
                let options = asked.and_then(|asked| asked.options.as_deref()).unwrap_or_default();
                options.iter().zip(1..).map(|(option, place)| Row::new(format!("#{place}"), &option.label)).collect()
            }
            Node::Held(held) => self.parts(held, seen),
        }
    }

    fn table(&self, seen: VisibleState<'_>) -> Vec<Row> {
        let view = &self.view;
        let mut rows = Vec::new();
        if let Some(asked) = view.asked.first() {
            let who = asked.seat.map_or_else(String::new, |seat| format!("p{seat} "));
            rows.push(Row::new(said("asked"), format!("{who}{}", asked.prompt)).with(Node::Question));
        }
        for seat in Seats::all(seen.layout.seats) {
            let score = seen.stop.position.scores.get(seat.index()).filter(|_| seen.stop.position.has_scores);
            let words = score.map_or_else(String::new, |score| format!("score {score}"));
            rows.push(Row::new(seat.to_string(), words).with(Node::Seat(seat.number())));
        }
        rows.extend(self.zones_of(None));
        if view.variables.iter().any(|variable| !is_of_a_seat(&variable.id, seen.layout)) {
            rows.push(Row::new(said("variables"), "").with(Node::Shared));
        }
        rows.push(Row::new(said("settings"), "").with(Node::Settings));
        let turn = view.turn.map(|seat| format!("p{seat}"));
        rows.extend(turn.map(|turn| Row::new(said("turn"), turn)));
        rows.extend((view.round > 0).then(|| Row::new(said("round"), view.round.to_string())));
        rows.extend(view.phase.as_ref().map(|phase| Row::new(said("phase"), phase)));
        rows
    }

    fn of_seat(&self, seat: usize, seen: VisibleState<'_>) -> Vec<Row> {
        self.variables_of(Some(seat), seen).into_iter().chain(self.zones_of(Some(seat))).collect()
    }

    /// The variables of a seat, or the shared ones for `None`.
    fn variables_of(&self, seat: Option<usize>, seen: VisibleState<'_>) -> Vec<Row> {
        let row = |variable: &crate::table::knowledge::VariableView| {
            let value = variable.value.as_deref().unwrap_or(UNKNOWN);
            match (seat.map(|seat| format!("p{seat}.")), is_of_a_seat(&variable.id, seen.layout)) {
                (Some(own), true) => {
                    let name = variable.id.strip_prefix(&own)?;
                    Some(Row::new(name, value).called(&variable.id).settable())
                }
                (None, false) => {
                    Some(Row::new(&variable.id, value).called(format!("table.{}", variable.id)).settable())
                }
                _ => None,
            }
        };
        self.view.variables.iter().filter_map(row).collect()
    }

    fn zones_of(&self, seat: Option<usize>) -> Vec<Row> {
        let own = seat.map(|seat| format!("p{seat}."));
        let zones = self.view.zones.iter().enumerate().filter(|(_, zone)| zone.seat == seat);
        let row = |(number, zone): (usize, &crate::table::knowledge::ZoneView)| {
            let name = own.as_deref().and_then(|own| zone.id.strip_prefix(own)).unwrap_or(&zone.id);
            let row = Row::new(name, self.zone_in_words(number)).with(Node::Zone(number));
            // A zone that is one of several of its kind has another expression.
            let is_single = !name.contains('.');
            if is_single { row.called(&zone.id) } else { row }
        };
        zones.map(row).collect()
    }

    fn zone_in_words(&self, zone: usize) -> String {
        let Some(zone) = self.view.zones.get(zone) else { return String::new() };
        let count = zone.count.map_or_else(|| UNKNOWN.to_owned(), |count| count.to_string());
        let named: Vec<&str> = zone.components.iter().take(MAX_NAMED_COMPONENTS).map(face).collect();
        let more = if zone.components.len() > MAX_NAMED_COMPONENTS { " …" } else { "" };
        if named.is_empty() { count } else { format!("{count}: {}{more}", named.join(" ")) }
    }

    fn components(&self, zone: usize) -> Vec<Row> {
        let components = self.view.zones.get(zone).map(|zone| zone.components.as_slice()).unwrap_or_default();
        let row = |(place, component): (usize, &ComponentView)| {
            let row = Row::new(format!("[{place}]"), face(component));
            if component.face.is_some() { row.with(Node::Component(zone, place)) } else { row }
        };
        components.iter().enumerate().map(row).collect()
    }

    fn component(&self, zone: usize, place: usize, layout: &Layout) -> Vec<Row> {
        let Some(component) = self.view.zones.get(zone).and_then(|zone| zone.components.get(place)) else {
            return Vec::new();
        };
        let face = layout.faces.iter().position(|face| Some(&*face.id) == component.face.as_deref());
        let attributes = face.into_iter().flat_map(|face| {
            layout.attributes.iter().enumerate().filter_map(move |(number, name)| {
                Some(Row::new(
                    name,
                    match layout.value_of(number, face) {
                        FaceValue::Absent => return None,
                        FaceValue::Number(value) => value.to_string(),
                        FaceValue::Word(word) => format!("{:?}", layout.words.get(usize::from(word))?),
                    },
                ))
            })
        });
        let side = component.side.filter(|side| *side > 0).map(|side| Row::new("side", side.to_string()).settable());
        let owner = component.owner.map(|seat| Row::new("owner", format!("p{seat}")).settable());
        attributes.chain(side).chain(owner).collect()
    }

    /// A name in a call. A limited viewer gets its value only where the player may know it.
    fn local(&self, local: &Local, seen: VisibleState<'_>) -> Row {
        let row = match (&local.held, seen.viewer.is_limited()) {
            (_, false) => Row::new(&local.name, &local.value),
            (Some(held), true) => Row::new(&local.name, self.told(held, seen)),
            (None, true) => Row::new(&local.name, UNKNOWN),
        };
        let row = row.called(&local.name);
        match local.held.as_ref().filter(|held| self.has_parts(held)) {
            Some(held) => row.with(Node::Held(held.clone())),
            None => row,
        }
    }

    fn told(&self, held: &Held, seen: VisibleState<'_>) -> String {
        let eyes = seen.stop.position.observed_position(seen.layout, seen.viewer);
        if eyes.may_tell_value(held) { eyes.label(held) } else { UNKNOWN.to_owned() }
    }

    fn has_parts(&self, held: &Held) -> bool {
        match held {
            Held::List(list) => !list.is_empty(),
            Held::Zone(_) | Held::Seat(_) | Held::Component(_) => true,
            _ => false,
        }
    }

    fn parts(&self, held: &Held, seen: VisibleState<'_>) -> Vec<Row> {
        match held {
            Held::List(list) => {
                let row = |(place, part): (usize, &Held)| {
                    let row = Row::new(format!("[{place}]"), self.told(part, seen));
                    if self.has_parts(part) { row.with(Node::Held(part.clone())) } else { row }
                };
                list.iter().enumerate().map(row).collect()
            }
            Held::Seat(seat) => self.of_seat(seat.number(), seen),
            Held::Zone(zone) => self.components(zone.index()),
            Held::Component(component) => self.component_place_rows(*component, seen),
            _ => Vec::new(),
        }
    }

    /// The children of a component held by a script: its place, where the viewer sees it.
    fn component_place_rows(&self, component: Component, seen: VisibleState<'_>) -> Vec<Row> {
        let eyes = seen.stop.position.observed_position(seen.layout, seen.viewer);
        let zone: Option<Zone> = seen.stop.position.table.zones.place(component).filter(|_| eyes.sees(component));
        let place = zone.zip(eyes.position_seen(component));
        place.map_or_else(Vec::new, |(zone, place)| {
            let mut rows = self.component(zone.index(), place, seen.layout);
            let id = self.view.zones.get(zone.index()).map(|zone| zone.id.as_str()).unwrap_or_default();
            rows.push(Row::new("zone", id).with(Node::Zone(zone.index())));
            rows
        })
    }
}

fn is_of_a_seat(id: &str, layout: &Layout) -> bool {
    layout.variables.iter().any(|variable| *variable.id == *id && variable.seat.is_some())
}

fn face(component: &ComponentView) -> &str {
    component.face.as_deref().unwrap_or(UNKNOWN)
}
