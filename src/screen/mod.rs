//! Drawing a game in play: the table, the open decision, the result, the log.
//!
//! Everything is drawn from data: the definition says how zones are ordered, who sees into them, how faces look and
//! what things are called. A [`Scene`] is the input; the output are [`Line`]s, never wider than the scene (from
//! [`MIN_WIDTH`] columns on). What the viewer of the scene does not see is not drawn: no face, no mark or note that a
//! script made of hidden faces, no score that may depend on them. Nothing here writes to the terminal.

mod board;
mod change;
mod compare;
mod contest;
mod debug;
mod decision;
mod design;
pub mod duration;
mod entries;
mod few_games;
mod figures;
pub mod html;
mod ladder;
pub mod markdown;
mod pack;
mod pages;
mod past_sides;
pub mod picture;
pub mod plot;
pub mod print;
mod record;
pub mod rulebook;
mod script;
mod simulation;
mod table;
mod timeline;
// The tests use a real game, so that no game's name is needed in the source.
pub mod style;
#[cfg(test)]
#[path = "../../tests/unit/screen.rs"]
mod tests;
mod why;

pub use change::change;
pub use compare::{comparison, side};
pub use contest::{rulesets_compared, running_comparison, running_sweep, selection_in_words, sweep};
pub use debug::{function, layer, locals, reason, stack, stop};
pub use decision::{Listing, decision, option_columns};
pub use design::printed_on;
pub use entries::{entry_at, history, misfit};
pub use ladder::{ladders, ladders_page};
pub use pack::changes as rule_changes;
pub use pages::{comparison_page, simulation_page, sweep_page};
pub use record::{log, log_line};
pub use simulation::{running_answer, simulation};
pub use table::{look, table};
pub use timeline::{bookmarks, tree};
pub use why::{why, why_not};

use crate::catalogue::{LanguageGuard, ScreenWords, fill};
use crate::definition::{ComponentKind, Language, Visibility, ZoneOrder};
use crate::playthrough::{Playable, Playthrough, Position};
use crate::ruleset::Ruleset;
use crate::screen::style::{Label, Line, Span, Style, color_named};
use crate::sorted::SortedSet;
use crate::table::knowledge::{Appearance, Front, ObservedPosition, Viewer, is_uncounted};
use crate::table::layout::Layout;
use crate::table::names::{Names, Piece};
use crate::table::value::{Component, Value, Zone};
use record::event_line;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;

/// The minimum width of a drawing, in columns.
pub const MIN_WIDTH: usize = 40;

/// The maximum width of a drawing, in columns: wider ones are no better.
const MAX_WIDTH: usize = 120;

/// The drawing of a component's back.
const BACK: &str = "▒▒";

/// The drawing of an empty place or value.
const NOTHING: &str = "–";

/// The drawing of what the viewer cannot know.
const UNKNOWN: &str = "?";

/// The input of a drawing: a game in play, its viewer, and the size of the screen.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The rules in play.
    pub ruleset: &'a Ruleset,
    /// The layout of the table under these rules.
    pub layout: &'a Layout,
    /// The position to draw.
    pub position: &'a Position,
    /// The viewer of the scene.
    pub viewer: Viewer,
    /// The language of all words.
    pub language: Language,
    /// The number of columns.
    pub width: usize,
    /// The number of rows; `None` where it is unknown.
    pub height: Option<usize>,
    /// The number of the current move, for the header.
    pub move_number: usize,
    /// The random seed.
    pub seed: u64,
    /// Whether the viewer has commands and the files of the rules; else texts mention neither.
    pub has_commands: bool,
}

impl<'a> Scene<'a> {
    /// The current position of a game, with `width` columns and any number of rows.
    pub fn of(game: &'a Playthrough, viewer: Viewer, language: Language, width: usize) -> Self {
        let (loaded, position) = (game.loaded(), game.position());
        let (ruleset, layout) = (&*loaded.ruleset, &*loaded.layout);
        let (move_number, seed) = (game.timeline().cursor() + 1, game.seed);
        let (height, has_commands) = (None, true);
        Self { ruleset, layout, position, viewer, language, width, height, move_number, seed, has_commands }
    }

    /// The same view of a position under other rules.
    fn under(self, loaded: &'a Playable, position: &'a Position) -> Self {
        Self { ruleset: &loaded.ruleset, layout: &loaded.layout, position, ..self }
    }

    /// The viewer's knowledge of the position.
    pub fn observed_position(&self) -> ObservedPosition<'a> {
        self.position.observed_position(self.layout, self.viewer)
    }
}

/// Teams in words, by seat numbers: `p1 + p3, p2 + p4`.
pub fn teams_in_words(teams: &[Vec<usize>]) -> String {
    teams.iter().map(|team| team_in_words(team)).collect::<Vec<_>>().join(", ")
}

/// A team in words: `p1 + p3`.
fn team_in_words(team: &[usize]) -> String {
    team.iter().map(|number| format!("p{number}")).collect::<Vec<_>>().join(" + ")
}

/// The words of a language around a game.
fn words(language: Language) -> &'static ScreenWords {
    &language.words().screen
}

/// The face of a component, as the table shows it.
pub fn face(layout: &Layout, front: Front, language: Language) -> Span {
    match (Names { layout, language }).face(front) {
        Some(piece) => span(&piece),
        None => Span::new(UNKNOWN, Label::Faint),
    }
}

/// A piece of a name, with its colour.
fn span(piece: &Piece<'_>) -> Span {
    Span::new(&*piece.text, Style { label: Label::Plain, color: piece.color.and_then(color_named) })
}

/// The number of an event, and the side that a component showed after it, if the viewer knows.
type ShownSide = (usize, Option<u8>);

/// A scene with everything derived from it for drawing.
struct Sight<'a> {
    /// Sets the language of the program's messages to that of the scene until dropped.
    #[expect(dead_code, reason = "it is there to be dropped")]
    speaking: LanguageGuard,
    scene: &'a Scene<'a>,
    layout: &'a Layout,
    eyes: ObservedPosition<'a>,
    words: &'static ScreenWords,
    /// The width of the drawing.
    width: usize,
    /// Whether the id of a chosen component is added where others look the same.
    tells_copies: bool,
    /// For each component that was turned or rolled, the recent events that did so with the side shown after each;
    /// computed when first needed.
    turned: OnceCell<HashMap<Component, Vec<ShownSide>>>,
    /// The older events that turned or rolled components; computed when first needed.
    turned_before: OnceCell<HashMap<Component, Vec<ShownSide>>>,
    /// The zones that ever held a component; computed when first needed.
    used: OnceCell<SortedSet<Zone>>,
}

impl<'a> Sight<'a> {
    fn of(scene: &'a Scene<'a>) -> Self {
        Self {
            speaking: LanguageGuard::of(scene.language),
            scene,
            layout: scene.layout,
            eyes: scene.observed_position(),
            words: words(scene.language),
            width: scene.width.clamp(MIN_WIDTH, MAX_WIDTH),
            tells_copies: true,
            turned: OnceCell::new(),
            turned_before: OnceCell::new(),
            used: OnceCell::new(),
        }
    }

    /// The names of things in the language of the scene.
    fn names(&self) -> Names<'a> {
        Names { layout: self.layout, language: self.scene.language }
    }

    /// The text of a key in `[text]`, or the key itself with blanks.
    fn text(&self, key: &str) -> String {
        self.names().text(key)
    }

    /// The name of a zone, with its number where there are several.
    fn zone_name(&self, zone: Zone) -> String {
        self.names().zone(zone)
    }

    fn seen(&self, zone: Zone) -> &[Appearance] {
        self.eyes.seen(zone)
    }

    /// Whether a zone contains only dice whose sides the viewer does not see: unlike cards, hidden dice are drawn one
    /// by one.
    fn are_hidden_dice(&self, zone: Zone) -> bool {
        let held = self.scene.position.table.zones.get(zone.index()).unwrap_or_default();
        let is_die = |component: &Component| {
            let info = self.layout.faces.get(self.front(*component).face);
            info.is_some_and(|info| info.kind == ComponentKind::Die)
        };
        !held.is_empty() && held.iter().all(is_die) && self.seen(zone).iter().all(|seen| *seen == Appearance::Back)
    }

    /// The mark before a zone and the note behind it; empty where they could reveal hidden faces.
    fn caption(&self, zone: Zone) -> (String, String) {
        let caption = self.scene.position.captions.iter().find(|caption| caption.zone == zone);
        let said = |value: &Option<Value>| value.as_ref().map(|value| self.said(value)).unwrap_or_default();
        let known = caption.filter(|_| self.eyes.sees_all(zone));
        known.map_or_else(Default::default, |caption| (said(&caption.mark), said(&caption.note)))
    }

    /// A caption as text; keys of `[text]` are replaced by their texts. In a list, a text with `{}` is filled with the
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

    /// The components of a zone, one by one; of hidden ones in a row, only their number. A hand is sorted in the order
    /// in which the definition declares the faces.
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
                // Consecutive components with the same owner name the owner once.
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

    /// A face, followed by its owner where that is not the holder of the zone.
    fn marked(&self, front: Front, zone: Zone) -> Line {
        let holder = self.layout.zones.get(zone.index()).and_then(|info| info.seat);
        let face = self.face(front);
        match front.owner.filter(|owner| holder != Some(*owner)) {
            Some(owner) => face.with(format!("·{owner}"), Label::Faint),
            None => face,
        }
    }

    /// The number of components in a pile, and its top if that is shown.
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

    /// Whether the top of a pile is drawn if the viewer sees it.
    fn shows_top(&self, zone: Zone) -> bool {
        let visible = self.layout.zones.get(zone.index()).map(|info| info.visible);
        let lies_open = match visible {
            Some(Visibility::All | Visibility::Top | Visibility::Once) => true,
            // The remembered top of a hidden pile is worth drawing; what the sandbox could look up is not.
            Some(Visibility::None) => matches!(self.scene.viewer, Viewer::Memory(_)),
            Some(Visibility::Others) => self.eyes.sees_all(zone),
            Some(Visibility::Owner) | None => false,
        };
        let held = self.scene.position.table.zones.get(zone.index()).and_then(|held| held.last());
        lies_open || held.is_some_and(|top| self.eyes.was_shown(*top))
    }

    /// The content of a zone, drawn according to the zone's order.
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

    /// The true face of a component, whoever may see it.
    fn front(&self, component: Component) -> Front {
        self.eyes.front(component)
    }

    /// A value in words; zones and components by their names.
    fn value(&self, value: &Value) -> Line {
        match value {
            Value::Text(text) if text.is_empty() => Line::of(NOTHING, Label::Faint),
            Value::Nobody | Value::Nothing => Line::of(NOTHING, Label::Faint),
            value => self.pieces(&self.names().value(&self.scene.position.table, value)),
        }
    }

    /// The value of a variable; components that the viewer may not know are only counted.
    fn variable_value(&self, value: &Value) -> Line {
        match value {
            Value::Component(_) if !self.eyes.may_tell_value(value) => Line::of(UNKNOWN, Label::Faint),
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
            value if self.eyes.may_tell_value(value) => self.value(value),
            _ => Line::of(UNKNOWN, Label::Faint),
        }
    }

    fn pieces(&self, pieces: &[Piece<'_>]) -> Line {
        let mut line = Line::default();
        pieces.iter().for_each(|piece| line.push(span(piece)));
        line
    }
}

/// Milliseconds as seconds with three decimals.
fn seconds(time: i64) -> String {
    format!("{}.{:03}", time / 1000, time % 1000)
}

/// Cuts lines at the width of the drawing. Everything is laid out to fit; this guarantees it.
fn fitted(lines: Vec<Line>, width: usize) -> Vec<Line> {
    lines.into_iter().map(|line| line.cut(width)).collect()
}
