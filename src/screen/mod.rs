//! Drawing a game in play: the table, the open decision, the end, the record.
//!
//! Everything is drawn from data: the definition says how zones are ordered and who sees into them, how faces look and
//! what things are called. A [`Scene`] is what is drawn from; what comes of it are [`Line`]s, never wider than the scene
//! (from [`LEAST_WIDTH`] columns on). What the viewer of the scene does not see, is not drawn: no face, no mark or note
//! that a script made of hidden faces, no score that may rest on them. Nothing here writes to the terminal.

mod board;
mod compare;
mod contest;
mod debug;
mod decision;
mod design;
mod few;
mod figures;
pub mod html;
mod ladder;
pub mod markdown;
mod pack;
mod pages;
pub mod picture;
pub mod plot;
pub mod print;
mod record;
pub mod rulebook;
mod script;
mod simulation;
mod table;
mod timeline;
// With a real game, and no game's name stands in the source.
pub mod style;
#[cfg(test)]
#[path = "../../tests/unit/screen.rs"]
mod tests;
mod why;
mod words;

pub use compare::{comparison, side};
pub use contest::{rulesets_compared, running_comparison, running_sweep, selection_in_words, sweep};
pub use debug::{function, layer, locals, reason, stack, stop};
pub use decision::{Listing, decision, option_columns};
pub use design::printed_on;
pub use ladder::{ladders, ladders_page};
pub use pack::changes as rule_changes;
pub use pages::{comparison_page, simulation_page, sweep_page};
pub use record::{change, entry_at, history, log, log_line, misfit};
pub use simulation::{running_answer, simulation};
pub use table::{look, table};
pub use timeline::{bookmarks, tree};
pub use why::{why, why_not};

use crate::catalogue::Speaking;
use crate::definition::{ComponentKind, Language, Visibility, ZoneOrder};
use crate::playthrough::{Playthrough, Position};
use crate::ruleset::Ruleset;
use crate::screen::style::{Label, Line, Span, Style, color_named};
use crate::table::knowledge::{Appearance, Front, ObservedPosition, Viewer, is_uncounted};
use crate::table::layout::Layout;
use crate::table::names::{Names, Piece};
use crate::table::value::{Component, Value, Zone};
use record::story_line;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use words::{Words, fill, words};

/// The narrowest terminal that is drawn for.
pub const LEAST_WIDTH: usize = 40;

/// Beyond this width a drawing does not become better by being wider.
const MOST_WIDTH: usize = 120;

/// The back of a component.
const BACK: &str = "▒▒";

/// Stands where nothing is.
const NOTHING: &str = "–";

/// Stands for what the viewer cannot know.
const UNKNOWN: &str = "?";

/// A game in play as somebody looks at it.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The rules in play.
    pub ruleset: &'a Ruleset,
    /// The fixed part of their table.
    pub layout: &'a Layout,
    /// Where the game stands.
    pub position: &'a Position,
    /// Through whose eyes the scene is drawn.
    pub viewer: Viewer,
    /// The language of all words.
    pub language: Language,
    /// How many columns there are.
    pub width: usize,
    /// How many rows there are, where that is known.
    pub height: Option<usize>,
    /// The number of the move, as the header shows it.
    pub move_number: usize,
    /// The seed of chance.
    pub seed: u64,
    /// Whether whoever looks has commands and the files of the rules: else neither is named.
    pub has_commands: bool,
}

impl<'a> Scene<'a> {
    /// A game as it stands, in so many columns and as many rows as it takes.
    pub fn of(game: &'a Playthrough, viewer: Viewer, language: Language, width: usize) -> Self {
        let (loaded, position) = (game.loaded(), game.position());
        let (ruleset, layout) = (&*loaded.ruleset, &*loaded.layout);
        let (move_number, seed) = (game.timeline().cursor() + 1, game.seed);
        let (height, has_commands) = (None, true);
        Self { ruleset, layout, position, viewer, language, width, height, move_number, seed, has_commands }
    }

    /// What the viewer may know of it.
    pub fn eyes(&self) -> ObservedPosition<'a> {
        self.position.eyes(self.layout, self.viewer)
    }
}

/// Who plays with whom, by the numbers of the seats: `p1 + p3, p2 + p4`.
pub fn teams_in_words(teams: &[Vec<usize>]) -> String {
    teams.iter().map(|team| team_in_words(team)).collect::<Vec<_>>().join(", ")
}

/// `p1 + p3`
fn team_in_words(team: &[usize]) -> String {
    team.iter().map(|number| format!("p{number}")).collect::<Vec<_>>().join(" + ")
}

/// A component as the table shows it.
pub fn face(layout: &Layout, front: Front, language: Language) -> Span {
    match (Names { layout, language }).face(front) {
        Some(piece) => span(&piece),
        None => Span::new(UNKNOWN, Label::Faint),
    }
}

/// A piece of a name in its colour.
fn span(piece: &Piece<'_>) -> Span {
    Span::new(&*piece.text, Style { label: Label::Plain, color: piece.color.and_then(color_named) })
}

/// The number of an event, and the side that it left a component on, as far as the viewer knows.
type Turned = (usize, Option<u8>);

/// What is drawn with at every step: a scene and what its viewer sees.
struct Sight<'a> {
    /// What the host says around a game is in the language of the drawing, as long as it is drawn.
    #[expect(dead_code, reason = "it is there to be dropped")]
    speaking: Speaking,
    scene: &'a Scene<'a>,
    layout: &'a Layout,
    eyes: ObservedPosition<'a>,
    words: &'static Words,
    /// The width of the drawing.
    width: usize,
    /// Whether an answer is told with the id of what was chosen, where others look the same.
    tells_copies: bool,
    /// For each component that was turned or rolled, at which of the events that are at hand, and what it showed then as far as
    /// the viewer knows; once something is told of one.
    turned: OnceCell<HashMap<Component, Vec<Turned>>>,
    /// The same of the events that are not at hand.
    turned_before: OnceCell<HashMap<Component, Vec<Turned>>>,
    /// Which zones anything ever came to, once somebody has asked.
    used: OnceCell<BTreeSet<Zone>>,
}

impl<'a> Sight<'a> {
    fn of(scene: &'a Scene<'a>) -> Self {
        Self {
            speaking: Speaking::of(scene.language),
            scene,
            layout: scene.layout,
            eyes: scene.eyes(),
            words: words(scene.language),
            width: scene.width.clamp(LEAST_WIDTH, MOST_WIDTH),
            tells_copies: true,
            turned: OnceCell::new(),
            turned_before: OnceCell::new(),
            used: OnceCell::new(),
        }
    }

    /// What things are called in the language of the scene.
    fn names(&self) -> Names<'a> {
        Names { layout: self.layout, language: self.scene.language }
    }

    /// The words of the definition for a key, or the key itself with blanks.
    fn text(&self, key: &str) -> String {
        self.names().text(key)
    }

    /// What a zone is called, with its number where there are several.
    fn zone_name(&self, zone: Zone) -> String {
        self.names().zone(zone)
    }

    fn seen(&self, zone: Zone) -> &[Appearance] {
        self.eyes.seen(zone)
    }

    /// Whether dice lie in a zone whose viewer sees none of them: behind a screen, dice can be counted.
    fn are_hidden_dice(&self, zone: Zone) -> bool {
        let held = self.scene.position.table.zones.get(zone.index()).unwrap_or_default();
        let is_die = |component: &Component| {
            let info = self.layout.faces.get(self.front(*component).face);
            info.is_some_and(|info| info.kind == ComponentKind::Die)
        };
        !held.is_empty() && held.iter().all(is_die) && self.seen(zone).iter().all(|seen| *seen == Appearance::Back)
    }

    /// The mark before a zone and the note behind it; empty where they could tell of hidden faces.
    fn caption(&self, zone: Zone) -> (String, String) {
        let caption = self.scene.position.captions.iter().find(|caption| caption.zone == zone);
        let said = |value: &Option<Value>| value.as_ref().map(|value| self.said(value)).unwrap_or_default();
        let known = caption.filter(|_| self.eyes.sees_all(zone));
        known.map_or_else(Default::default, |caption| (said(&caption.mark), said(&caption.note)))
    }

    /// What the rules say of a zone, in words where it is a key of `[text]`. In a list, a text with `{}` takes the
    /// entries behind it.
    fn said(&self, value: &Value) -> String {
        let entries = match value {
            Value::List(list) => list,
            one => std::slice::from_ref(one),
        };
        let mut entries = entries.iter().map(|entry| match entry {
            Value::Text(text) => {
                let known = self.layout.definition.text(text);
                known.map_or(&**text, |known| known.get(self.scene.language)).to_owned()
            }
            other => self.value(other).text(),
        });
        let mut said: Vec<String> = Vec::new();
        while let Some(text) = entries.next() {
            let things: Vec<String> = entries.by_ref().take(text.matches("{}").count()).collect();
            let things: Vec<&dyn std::fmt::Display> = things.iter().map(|thing| thing as _).collect();
            said.push(fill(&text, &things));
        }
        said.join(self.words.and)
    }

    fn face(&self, front: Front) -> Line {
        face(self.layout, front, self.scene.language).into()
    }

    /// What lies in a zone, side by side; of hidden components in a row only how many. A hand is drawn sorted, in the
    /// order in which the definition declares the faces.
    fn faces(&self, zone: Zone) -> Vec<Line> {
        let mut seen = Cow::Borrowed(self.seen(zone));
        if self.layout.sights[zone.index()].is_hand {
            seen.to_mut().sort_by_key(|seen| match seen {
                Appearance::Face(front) => front.face,
                Appearance::Back => usize::MAX,
            });
        }
        let is_run =
            |left: &Appearance, right: &Appearance| matches!((left, right), (Appearance::Back, Appearance::Back));
        let is_trick = self.layout.zone_definition(zone).order == ZoneOrder::Trick;
        let are_dice = self.are_hidden_dice(zone);
        let mut before = None;
        let runs = seen.chunk_by(is_run).map(|run| match run {
            [Appearance::Face(front), ..] if is_trick => {
                // Who played it stands once before what a player has played.
                let owner = front.owner.filter(|owner| before != Some(*owner));
                before = front.owner;
                let owner = owner.map_or_else(Line::default, |owner| Line::of(format!("{owner} "), Label::Faint));
                owner.then(self.face(*front))
            }
            [Appearance::Face(front), ..] => self.marked(*front, zone),
            hidden if are_dice => Line::of(vec![UNKNOWN; hidden.len()].join(" "), Label::Faint),
            [_] => Line::of(BACK, Label::Faint),
            _ => Line::of(format!("{BACK}×{}", run.len()), Label::Faint),
        });
        runs.collect()
    }

    /// A face, with its owner behind it where that is not the one before whom it lies.
    fn marked(&self, front: Front, zone: Zone) -> Line {
        let holder = self.layout.zones.get(zone.index()).and_then(|info| info.seat);
        let face = self.face(front);
        match front.owner.filter(|owner| holder != Some(*owner)) {
            Some(owner) => face.with(format!("·{owner}"), Label::Faint),
            None => face,
        }
    }

    /// How many components are in a pile, and its top if that lies open.
    fn pile(&self, zone: Zone) -> Vec<Line> {
        let seen = self.seen(zone);
        let count = if is_uncounted(self.layout, self.scene.viewer, zone) {
            Line::of(UNKNOWN, Label::Faint)
        } else {
            Line::of(seen.len().to_string(), Label::Plain)
        };
        let mut pile = vec![count];
        if let Some(Appearance::Face(top)) = seen.last()
            && self.shows_top(zone)
        {
            pile.push(Line::of("▲ ", Label::Faint).then(self.marked(*top, zone)));
        }
        pile
    }

    /// Whether the top of a pile is drawn, if it is seen.
    fn shows_top(&self, zone: Zone) -> bool {
        let visible = self.layout.zones.get(zone.index()).map(|info| info.visible);
        let lies_open = match visible {
            Some(Visibility::All | Visibility::Top | Visibility::Once) => true,
            // What a player remembers of a hidden pile is worth showing; what the sandbox could look up is not.
            Some(Visibility::None) => matches!(self.scene.viewer, Viewer::Memory(_)),
            Some(Visibility::Others) => self.eyes.sees_all(zone),
            Some(Visibility::Owner) | None => false,
        };
        let held = self.scene.position.table.zones.get(zone.index()).and_then(|held| held.last());
        lies_open || held.is_some_and(|top| self.eyes.was_shown(*top))
    }

    /// What is to be seen of a zone, in the way of its order.
    fn contents(&self, zone: Zone) -> Vec<Line> {
        let seen = self.seen(zone);
        match self.layout.zone_definition(zone).order {
            _ if self.are_hidden_dice(zone) => self.faces(zone),
            ZoneOrder::Pile => self.pile(zone),
            ZoneOrder::Hand if !seen.is_empty() && seen.iter().all(|seen| *seen == Appearance::Back) => self.pile(zone),
            _ if seen.is_empty() => vec![Line::of(NOTHING, Label::Faint)],
            _ => self.faces(zone),
        }
    }

    /// A component of the table as it is, whoever may see it.
    fn front(&self, component: Component) -> Front {
        self.eyes.front(component)
    }

    /// A value as people say it; zones and components by name alone.
    fn value(&self, value: &Value) -> Line {
        match value {
            Value::Text(text) if text.is_empty() => Line::of(NOTHING, Label::Faint),
            Value::Nobody | Value::Nothing => Line::of(NOTHING, Label::Faint),
            value => self.pieces(&self.names().value(&self.scene.position.table, value)),
        }
    }

    /// What a variable holds; of components that the viewer may not know, only that they are there.
    fn variable_value(&self, value: &Value) -> Line {
        match value {
            Value::Component(_) if !self.eyes.may_say(value) => Line::of(UNKNOWN, Label::Faint),
            Value::List(list) if list.is_empty() => Line::of(NOTHING, Label::Faint),
            Value::List(list) => {
                let mut line = Line::default();
                for (position, entry) in list.iter().enumerate() {
                    if position > 0 {
                        line = line.with(" ", Label::Plain);
                    }
                    line = line.then(self.variable_value(entry));
                }
                line
            }
            value if self.eyes.may_say(value) => self.value(value),
            _ => Line::of(UNKNOWN, Label::Faint),
        }
    }

    fn pieces(&self, pieces: &[Piece<'_>]) -> Line {
        let mut line = Line::default();
        pieces.iter().for_each(|piece| line.push(span(piece)));
        line
    }
}

/// Thousandths of a second as seconds.
fn seconds(time: i64) -> String {
    format!("{}.{:03}", time / 1000, time % 1000)
}

/// Cuts what is wider than the drawing. Everything is laid out to fit; this is the promise that it does.
fn fitted(lines: Vec<Line>, width: usize) -> Vec<Line> {
    lines.into_iter().map(|line| line.cut(width)).collect()
}
