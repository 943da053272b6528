//! Zones: places where components lie, as a game declares them.

use super::board::{Board, PLACE, read_board};
use super::keys::KeyInfo;
use super::keys::table::zone;
use super::names::is_identifier;
use super::schema::{Checker, Field, Fields};
use super::{MAX_SEATS, Text};
use crate::catalogue::{Message, message};
use crate::diagnostic::Diagnostic;
use crate::sorted::SortedSet;
use std::sync::Arc;

/// Most zones that can be declared.
const MAX_ZONE_DECLARATIONS: usize = 64;

/// Most zones of a table with as many players as there can be: indices of zones have 16 bits.
const MAX_ZONES_IN_ALL: usize = 32_768;

/// A place where components lie.
#[derive(Clone, Debug, PartialEq)]
pub struct ZoneDefinition {
    /// Id of the zone: `hand`, `ring`.
    pub id: String,
    /// The name that people read.
    pub name: Text,
    /// Whether each seat has such a zone; otherwise the table has one.
    pub per_seat: bool,
    /// Number of such zones, where there are several; scripts number them from 1.
    pub count: Option<usize>,
    /// The board that the zones form, where they are the cells of one.
    pub board: Option<Arc<Board>>,
    /// Pattern of the ids of cells, with [`PLACE`] for the name of the cell. Where `None`, an id is the zone's, a point
    /// and the name.
    pub ids: Option<String>,
    /// Who sees the faces in the zone.
    pub visible: Visibility,
    /// How the zone is ordered and drawn.
    pub order: ZoneOrder,
    /// Script function that gives a mark to draw before the zone.
    pub mark: Option<String>,
    /// Script function that gives a note to draw after the zone.
    pub note: Option<String>,
}

impl ZoneDefinition {
    /// The id of a cell or place of this zone, without its owner.
    pub fn id_of_cell(&self, cell: &str) -> String {
        match &self.ids {
            Some(pattern) => pattern.replace(PLACE, cell),
            None => format!("{}.{cell}", self.id),
        }
    }

    /// How rules write one of several zones: `limit["red"]`, `p.columns[1]`; `None` for a zone that is alone.
    pub fn written(&self, owner: &str) -> Option<String> {
        self.count?;
        let first = self.board.as_ref().and_then(|board| board.cells.first());
        Some(self.written_at(owner, &first.map_or("1".to_owned(), |cell| format!("{:?}", cell.name))))
    }

    /// How rules write the cell or place with this id or name; `None` where the zone has no such cell.
    pub(super) fn written_cell(&self, name: &str) -> Option<String> {
        let board = self.board.as_ref()?;
        let by_id = board.cells.iter().find(|cell| self.id_of_cell(&cell.name) == name).map(|cell| &*cell.name);
        let cell = by_id.or_else(|| board.named(name).map(|_| name))?;
        Some(self.written_at("p", &format!("{cell:?}")))
    }

    fn written_at(&self, owner: &str, entry: &str) -> String {
        if self.per_seat { format!("{owner}.{}[{entry}]", self.id) } else { format!("{}[{entry}]", self.id) }
    }
}

/// Who sees the faces of the components in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Everybody sees the faces.
    All,
    /// The seat that the zone belongs to.
    Owner,
    /// Every seat but the one that the zone belongs to.
    Others,
    /// Everybody sees the top component, nobody the rest.
    Top,
    /// Nobody sees the faces.
    None,
    /// Everybody sees a component until the next one arrives (in a seat's zone, its owner); later it has to be
    /// remembered.
    Once,
}

/// How a zone is ordered and drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneOrder {
    /// A stack; only its top and its size are drawn.
    Pile,
    /// Side by side, from left to right.
    Row,
    /// In a circle, clockwise.
    Ring,
    /// Cards held by a player.
    Hand,
    /// Cards played one after the other by different seats.
    Trick,
}

/// Reads the zones, in order of declaration.
pub(super) fn read_zones(
    zones: &Fields<'_>,
    players: Option<(usize, usize)>,
    data: Option<&Fields<'_>>,
    checker: &mut Checker,
) -> Vec<ZoneDefinition> {
    if let Some((_, field)) = zones.each().nth(MAX_ZONE_DECLARATIONS) {
        checker.report_too_many("zones", MAX_ZONE_DECLARATIONS, field.key);
        return Vec::new();
    }
    let seats = players.map_or(MAX_SEATS, |(_, max)| max);
    let (mut read, mut in_all) = (Vec::new(), 0);
    let mut ids: SortedSet<String> = zones.each().map(|(id, _)| id.to_owned()).collect();
    for (id, field) in zones.each() {
        let Some(zone) = read_zone(id, &field, data, checker) else { continue };
        if zone.ids.is_some() {
            check_place_ids(&zone, &field, &mut ids, checker);
        }
        in_all += zone.count.unwrap_or(1) * if zone.per_seat { seats } else { 1 };
        if in_all > MAX_ZONES_IN_ALL {
            let place = field.key.with_label(message!("with this, a table of {seats} players has {in_all}"));
            let trouble = Diagnostic::new(message!("a table can have {MAX_ZONES_IN_ALL} zones"));
            checker.report(trouble.at(place).help("give it fewer cells, or one for all instead of one for each seat"));
            return Vec::new();
        }
        read.push(zone);
    }
    read
}

fn read_zone(id: &str, field: &Field<'_>, data: Option<&Fields<'_>>, checker: &mut Checker) -> Option<ZoneDefinition> {
    let named = field.has_table_name(checker, id, "a zone");
    let fields = field.section(checker, &zone::SECTION)?;
    let name = fields.read(checker, &zone::NAME);
    let per_seat = fields.read(checker, &zone::PER);
    let board = read_board(&fields, data, checker).map(Arc::new);
    let count = fields.read(checker, &zone::COUNT).and_then(|count| usize::try_from(count).ok());
    let count = board.as_ref().map(|board| board.cells.len()).or(count);
    let ids = fields.read(checker, &zone::ID).map(str::to_owned);
    let order = fields.read(checker, &zone::ORDER);
    let visible = fields.read(checker, &zone::VISIBLE);
    check_owner(&fields, &zone::VISIBLE, visible, per_seat, checker);
    let mark = fields.read(checker, &zone::MARK);
    let note = fields.read(checker, &zone::NOTE);
    let (name, per_seat, order, visible) = (name?, per_seat?, order?, visible?);
    named.then(|| ZoneDefinition { id: id.to_owned(), name, per_seat, count, board, ids, visible, order, mark, note })
}

/// Checks the ids that a pattern gives to places: no other zone may have one of them.
fn check_place_ids(zone: &ZoneDefinition, field: &Field<'_>, known: &mut SortedSet<String>, checker: &mut Checker) {
    let (Some(pattern), Some(board)) = (&zone.ids, &zone.board) else { return };
    let Some(written) = field.section(&mut Checker::new(true), &zone::SECTION).and_then(|keys| keys.find(&zone::ID))
    else {
        return;
    };
    let refuse = |message: Message, label: &'static str| {
        let such =
            message!("such as `{}_{PLACE}`; without it a place is `{}.{}`", zone.id, zone.id, board.cells[0].name);
        Diagnostic::new(message).at(written.node.place(label)).help(such)
    };
    if pattern.matches(PLACE).count() != 1 || !is_identifier(&pattern.replace(PLACE, "x")) {
        let message = message!("`{pattern}` is no pattern for the ids of zones");
        return checker.report(refuse(message, "not a name with the place in it"));
    }
    let mut ids = board.cells.iter().map(|cell| pattern.replace(PLACE, &cell.name));
    if let Some(id) = ids.find(|id| !known.insert(id.clone())) {
        checker.report(refuse(message!("there are two zones of the id `{id}`"), "the same as another"));
    }
}

/// Checks that nothing of the table is shown to its owner alone, or to all others: it has no owner.
pub(super) fn check_owner(
    fields: &Fields<'_>,
    key: &dyn KeyInfo,
    visible: Option<Visibility>,
    per_seat: Option<bool>,
    checker: &mut Checker,
) {
    let Some(field) = fields.find(key).filter(|_| !checker.partial) else { return };
    if matches!(visible, Some(Visibility::Owner | Visibility::Others)) && per_seat == Some(false) {
        checker.report(
            Diagnostic::new(message!("`{}` is the table's and has no owner", fields.path))
                .at(field.node.place("it has no owner"))
                .help("give each seat one with per = \"seat\", or show it to `all` or `none`"),
        );
    }
}
