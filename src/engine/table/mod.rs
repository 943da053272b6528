//! The table: components, zones, variables, chance, knowledge, events. Knows no script.
//!
//! A [`Table`] is everything that lies on it at one moment of a game, and how the game came there. It is plain data: it
//! can be copied at any moment, sent to another thread, and continued from there. The answerer of the seats is no part
//! of it; words that ask get a [`Play`](decision::Play) of both.
//!
//! Rules change a table only through its methods: a component moves in one operation, so it can be neither lost nor
//! doubled; chance is keyed; and everything that happens is recorded if somebody reads the record: each kind of event
//! is a row in [`event`]. Who may know what of all this is decided in [`knowledge`]. The [`words`] that scripts use are
//! thin layers over these methods.

mod asking;
pub mod attributes;
pub mod bits;
pub mod chance;
pub mod choices;
mod clear;
pub mod clock;
pub mod counts;
pub mod data;
pub mod decision;
pub mod event;
mod fault;
pub mod knowledge;
mod labels;
pub mod layout;
pub mod looks;
mod lots;
mod marks;
mod metrics;
mod moving;
pub mod names;
mod placement;
mod progress;
mod record;
mod results;
pub mod sides;
mod state;
mod teams;
pub mod value;
mod variables;
mod versions;
pub mod words;

use chance::Chance;
use layout::Layout;
use std::sync::Arc;
use value::{Component, Zone};
use versions::Versions;

pub use fault::Fault;
pub use metrics::MEASURES;
pub use metrics::Metric;
pub use metrics::is_name_of_measure;
pub use progress::Progress;
pub use record::{MAX_RECORD_BYTES, Record, Recording};
pub use results::Verdict;
pub use state::State;

/// A table in play: its state at one moment, how far the game has come, and the record of it.
///
/// A copy continues by itself and keeps what the record holds; a listener is told the events of both.
#[derive(Debug)]
pub struct Table {
    layout: Arc<Layout>,
    state: State,
    progress: Progress,
    /// Keyed chance, including rigged results.
    pub chance: Chance,
    record: Record,
    versions: Versions,
}

impl Clone for Table {
    fn clone(&self) -> Self {
        Self {
            layout: self.layout.clone(),
            state: self.state.clone(),
            progress: self.progress.clone(),
            chance: self.chance.clone(),
            record: self.record.clone(),
            versions: self.versions.clone(),
        }
    }

    /// Copies into the memory that is allocated already.
    fn clone_from(&mut self, of: &Self) {
        let Self { layout: _, state: _, progress, chance: _, record, versions: _ } = of;
        self.become_copy(of);
        self.progress.clone_from(progress);
        self.record.clone_from(record);
    }
}

impl Table {
    /// A table with nothing on it: every component is out of play.
    pub fn new(layout: Arc<Layout>, seed: u64) -> Self {
        let state = State::at_start(&layout);
        Self {
            versions: Versions::new(layout.zones.len(), layout.variables.len()),
            layout,
            state,
            progress: Progress::default(),
            chance: Chance::new(seed),
            record: Record::default(),
        }
    }

    /// The layout, which is the fixed part of the table.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The state of the table at this moment.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// A copy of the state of the table at this moment.
    pub fn snapshot(&self) -> State {
        self.state.clone()
    }

    /// Replaces the state of the table, for instance by that before rules were tried out.
    pub fn restore(&mut self, state: State) {
        self.state = state;
        self.everything_has_changed();
    }

    /// Approximate size of a copy in bytes, without its record.
    pub fn bytes(&self) -> usize {
        let values: usize = self.state.variables.iter().map(value::Value::bytes).sum();
        size_of::<Self>() + self.state.bytes() + values + self.chance.bytes()
    }

    /// A table with the same state and the same chance to come, for trying rules out: its progress and its record begin
    /// as in a new game.
    pub fn copy(&self) -> Self {
        Self {
            layout: self.layout.clone(),
            state: self.state.clone(),
            progress: Progress::default(),
            chance: self.chance.clone(),
            record: Record::default(),
            versions: self.versions.clone(),
        }
    }

    /// Becomes a [`copy`](Self::copy) of another table, in the memory that is allocated already.
    pub fn become_copy(&mut self, of: &Self) {
        let Self { layout, state, progress: _, chance, record: _, versions } = of;
        if Arc::ptr_eq(&self.layout, layout) {
            self.versions.become_copy(versions);
        } else {
            self.layout = layout.clone();
            self.versions = versions.clone();
        }
        self.state.become_copy(state);
        self.progress = Progress::default();
        self.chance.become_copy(chance);
        self.record = Record::default();
    }

    /// The components in a zone, from bottom or left.
    pub fn zone(&self, zone: Zone) -> &[Component] {
        self.state.zones.held(zone)
    }

    /// The zone that a component lies in; `None` if it is out of play.
    pub fn place(&self, component: Component) -> Option<Zone> {
        self.state.zones.place(component)
    }

    /// The id of a component's face: `14`.
    pub fn label(&self, component: Component) -> &Arc<str> {
        &self.layout.faces[self.face(component)].id
    }

    /// The component that has the face with this id.
    pub fn component_named(&self, id: &str) -> Option<Component> {
        let face = self.layout.face_named(id)?;
        self.state.faces.iter().position(|&number| number == face.0).map(|handle| Component(handle as u16))
    }

    /// Index of the face on each component.
    pub fn faces(&self) -> &[u16] {
        &self.state.faces
    }

    pub fn face(&self, component: Component) -> usize {
        usize::from(self.state.faces[component.index()])
    }
}
