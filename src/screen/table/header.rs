//! The header of the table: which rules are played, for whom it is drawn, and how far the game is.

use super::GAP;
use crate::screen::style::{Label, Line, ending, flow};
use crate::screen::{Sight, fill, seconds, teams_in_words};
use crate::table::knowledge::Viewer;
use crate::table::value::{Seat, Seats};

/// The maximum width of a game's or variant's path in the header.
const MAX_ORIGIN_COLUMNS: usize = 36;

impl Sight<'_> {
    /// The header: the game with its variants, and the progress.
    pub(super) fn header(&self) -> Vec<Line> {
        let (scene, words) = (self.scene, self.words);
        let ruleset = scene.ruleset;
        let with_origin = |line: Line, layer| match ruleset.unusual_origin(layer) {
            Some(origin) if origin.is_built_in() => line.with(format!(" ({})", words.built_in), Label::Faint),
            Some(origin) => line.with(format!(" ({})", ending(&origin.to_string(), MAX_ORIGIN_COLUMNS)), Label::Faint),
            None => line,
        };
        let game = Line::of(ruleset.game.name.get(scene.language), Label::Strong);
        let mut rules = vec![with_origin(game, &ruleset.game)];
        rules.extend(ruleset.variants.iter().map(|layer| with_origin(Line::of(&*layer.id, Label::Plain), layer)));
        let players = match self.layout.seats {
            1 => words.one_player.to_owned(),
            seats => fill(words.players, &[&seats]),
        };
        let mut players = Line::of(players, Label::Faint);
        if let Some(teams) = self.teams() {
            players = players.with(format!(" ({teams})"), Label::Faint);
        }
        rules.push(players);
        rules.push(Line::of(fill(words.seed, &[&scene.seed]), Label::Faint));
        rules.extend(match scene.viewer {
            Viewer::Everything => None,
            Viewer::Seat(seat) => Some(Line::of(fill(words.seen_by, &[&seat]), Label::Turn)),
            Viewer::Memory(seat) => Some(Line::of(fill(words.remembered_by, &[&seat]), Label::Turn)),
            Viewer::Public(_) => Some(Line::of(words.seen_by_each, Label::Turn)),
        });
        let mut progress = self.progress();
        progress.push(fill(words.moves, &[&scene.move_number]));
        let progress = Line::of(progress.join(" · "), Label::Plain);
        let mut lines = dotted(rules, self.width);
        match lines.last_mut() {
            Some(last) if last.width() + GAP + progress.width() <= self.width => {
                let room = self.width.saturating_sub(last.width());
                last.append(progress.right(room));
            }
            _ => lines.push(Line::of_blanks(1).then(progress)),
        }
        lines
    }

    /// The progress: phase, round and turn.
    pub(in crate::screen) fn progress(&self) -> Vec<String> {
        let (table, words) = (&self.scene.position.table, self.words);
        let mut progress = Vec::new();
        if let Some(phase) = &table.phase {
            progress.push(self.text(phase));
        }
        if table.round > 0 {
            progress.push(fill(words.round, &[&table.round]));
        }
        if table.turns > 0 {
            progress.push(fill(words.turn, &[&table.turns]));
        }
        if table.clock.now() > 0 {
            progress.push(fill(words.clock, &[&seconds(table.clock.now())]));
        }
        progress
    }

    /// The teams: `p1 + p3, p2 + p4`; `None` without teams.
    fn teams(&self) -> Option<String> {
        let table = &self.scene.position.table;
        let seats = || Seats::all(self.layout.seats).into_iter();
        let is_first = |seat: &Seat| seats().find(|other| table.are_partners(*seat, *other)) == Some(*seat);
        let team = |seat: Seat| -> Vec<usize> {
            seats().filter(|other| table.are_partners(seat, *other)).map(Seat::number).collect()
        };
        let teams: Vec<Vec<usize>> = seats().filter(is_first).map(team).collect();
        (teams.len() < self.layout.seats).then(|| teams_in_words(&teams))
    }
}

/// Items separated by dots, in as many lines as needed.
fn dotted(items: Vec<Line>, columns: usize) -> Vec<Line> {
    let last = items.len().saturating_sub(1);
    let items = items.into_iter().enumerate().map(|(number, item)| {
        let item = item.cut(columns.saturating_sub(2));
        if number < last { item.with(" ·", Label::Faint) } else { item }
    });
    flow(items, 1, columns)
}
