//! Boards: cells by column and row, steps and lines, neighbours, and connected groups.

use crate::definition::Shape;
use crate::diagnostic::message;
use crate::sorted::SortedMap;
use crate::table::bits::Bits;
use crate::table::layout::Cell;
use crate::table::value::{Component, Zone, Zones};
use crate::table::{Fault, Table};

/// One cell or a list of cells that are looked at together.
pub trait Cells {
    /// The cells, in their order.
    fn cells(&self) -> &[Zone];
}

impl Cells for Zone {
    fn cells(&self) -> &[Zone] {
        std::slice::from_ref(self)
    }
}

impl Cells for [Zone] {
    fn cells(&self) -> &[Zone] {
        self
    }
}

impl Table {
    fn cell(&self, zone: Zone) -> Result<Cell<'_>, Fault> {
        self.layout().cell(zone).ok_or_else(|| {
            Fault::rule(message!("{} is not a cell of a board", self.layout().zones[zone.index()].id))
                .help("give the zone a `grid`, or a `list` of places, where it is declared")
        })
    }

    /// A zone as a cell of a grid, which has a column and a row.
    fn cell_of_grid(&self, zone: Zone) -> Result<Cell<'_>, Fault> {
        let cell = self.cell(zone)?;
        match cell.board.shape {
            Shape::Map => {
                Err(Fault::rule(message!("{} is a place of a map, which has no columns and rows", cell.info().name))
                    .help("ask for `neighbours`"))
            }
            Shape::Square | Shape::Hex => Ok(cell),
        }
    }

    /// The column of a cell, from 1.
    ///
    /// # Errors
    /// The zone is no cell of a grid.
    pub fn column(&self, zone: Zone) -> Result<i64, Fault> {
        Ok(self.cell_of_grid(zone)?.info().column)
    }

    /// The row of a cell, from 1.
    ///
    /// # Errors
    /// The zone is no cell of a grid.
    pub fn row(&self, zone: Zone) -> Result<i64, Fault> {
        Ok(self.cell_of_grid(zone)?.info().row)
    }

    /// The first of the zones as a cell, to tell which board is meant.
    fn board_of(&self, zones: &[Zone]) -> Result<Cell<'_>, Fault> {
        zones.first().map_or_else(|| Err(Fault::rule("without a zone there is no board")), |zone| self.cell(*zone))
    }

    /// The cell in a column and row of the board that the zones belong to.
    ///
    /// # Errors
    /// The board has no such cell, or the zones are no cells of a grid.
    pub fn cell_at(&self, zones: &[Zone], column: i64, row: i64) -> Result<Zone, Fault> {
        let one = self.board_of(zones)?;
        if let Shape::Map = one.board.shape {
            self.cell_of_grid(one.zone(one.position as u16))?;
        }
        one.board.at(column, row).map(|position| one.zone(position)).ok_or_else(|| {
            Fault::rule(message!("the board has no cell in column {column}, row {row}")).help(message!(
                "its cells go {}; `step` gives a list that is empty where there is none",
                one.board.extent()
            ))
        })
    }

    /// The zone among these with this name: a cell, `c4`, or a place of a map.
    ///
    /// # Errors
    /// There is no such zone, in which case the error has the nearest; or the zones are no cells of a board.
    pub fn called(&self, zones: &[Zone], name: &str) -> Result<Zone, Fault> {
        self.board_of(zones)?;
        if name.is_empty() {
            return Err(Fault::rule("a place is asked for by an empty name")
                .help("a variable that begins with `\"\"` has no value yet"));
        }
        let cells = || zones.iter().filter_map(|zone| Some((&*self.layout().cell(*zone)?.info().name, *zone)));
        let found = cells().find(|(cell, _)| *cell == name);
        found.map(|(_, zone)| zone).ok_or_else(|| Fault::unknown("place", name, cells().map(|(cell, _)| cell)))
    }

    /// The cells of a region of the board that the zones belong to.
    ///
    /// # Errors
    /// There is no such region, or the zones are no cells of a board.
    pub fn region(&self, zones: &[Zone], name: &str) -> Result<Zones, Fault> {
        let one = self.board_of(zones)?;
        let region = one.board.regions.get(name);
        let region =
            region.ok_or_else(|| Fault::unknown("region", name, one.board.regions.keys().map(String::as_str)))?;
        Ok(Zones(one.zones(region).collect()))
    }

    /// The cell `right` columns to the right and `up` rows up, as a list of one; empty beyond the edge.
    ///
    /// # Errors
    /// The zone is no cell of a grid.
    pub fn step(&self, zone: Zone, right: i64, up: i64) -> Result<Zones, Fault> {
        Ok(Zones(self.cell_of_grid(zone)?.step((right, up)).into_iter().collect()))
    }

    /// The cells of a straight line: those that the same step leads to again and again, nearest first.
    ///
    /// # Errors
    /// The zone is no cell of a grid, or the step is 0 columns and 0 rows.
    pub fn line(&self, zone: Zone, right: i64, up: i64) -> Result<Zones, Fault> {
        let cell = self.cell_of_grid(zone)?;
        if (right, up) == (0, 0) {
            return Err(Fault::rule("a line goes somewhere: 0 columns and 0 rows is not a direction"));
        }
        Ok(Zones(self.ray(cell, (right, up)).collect()))
    }

    fn ray<'t>(&'t self, from: Cell<'t>, step: (i64, i64)) -> impl Iterator<Item = Zone> + 't {
        let next = move |zone: &Zone| self.layout().cell(*zone)?.step(step);
        std::iter::successors(from.step(step), next)
    }

    /// The lines from a cell to the edge in every direction, without empty ones.
    ///
    /// # Errors
    /// The zone is no cell of a grid.
    pub fn rays(&self, zone: Zone) -> Result<Vec<Zones>, Fault> {
        let cell = self.cell_of_grid(zone)?;
        let rays = cell.board.shape.directions().iter().map(|step| Zones(self.ray(cell, *step).collect()));
        Ok(rays.filter(|ray| !ray.is_empty()).collect())
    }

    /// The cells between two cells on a straight line; empty where they are neighbours, or on no line.
    ///
    /// # Errors
    /// One is no cell of a grid.
    pub fn cells_between(&self, one: Zone, other: Zone) -> Result<Zones, Fault> {
        let cell = self.cell_of_grid(one)?;
        self.cell_of_grid(other)?;
        let found = cell.board.shape.directions().iter().find_map(|step| {
            let ray: Vec<Zone> = self.ray(cell, *step).collect();
            let end = ray.iter().position(|zone| *zone == other)?;
            Some(ray[..end].to_vec())
        });
        Ok(Zones(found.unwrap_or_default()))
    }

    /// The cells that share a side with one of these, or with `around` a corner too; without these themselves.
    ///
    /// # Errors
    /// One is not a cell of a board.
    pub fn cells_beside(&self, zones: &[Zone], around: bool) -> Result<Zones, Fault> {
        let mut seen = Bits::of(zones.iter().map(|zone| zone.index()));
        let mut found = Vec::new();
        for zone in zones {
            let cell = self.cell(*zone)?;
            let beside = if around { cell.board.around(cell.position) } else { cell.board.neighbours(cell.position) };
            found.extend(cell.zones(beside).filter(|zone| seen.insert(zone.index())));
        }
        Ok(Zones(found))
    }

    /// The cells grouped by row, or by column, the lowest first.
    ///
    /// # Errors
    /// One is no cell of a grid.
    pub fn ranks_of_cells(&self, zones: &[Zone], by_row: bool) -> Result<Vec<Zones>, Fault> {
        let mut ranks: SortedMap<i64, Vec<Zone>> = SortedMap::new();
        for zone in zones {
            let info = self.cell_of_grid(*zone)?.info();
            ranks.entry(if by_row { info.row } else { info.column }).or_default().push(*zone);
        }
        Ok(ranks.into_values().map(Zones).collect())
    }

    /// Every straight line of `length` cells that are all among these.
    ///
    /// # Errors
    /// A zone is no cell of a grid, or the length is below 1.
    pub fn lines(&self, zones: &[Zone], length: i64) -> Result<Vec<Zones>, Fault> {
        let Some(length) = usize::try_from(length).ok().filter(|length| *length > 0) else {
            return Err(Fault::rule(message!("a line has 1 cell or more, not {length}")));
        };
        let set = Bits::of(zones.iter().map(|zone| zone.index()));
        let mut lines = Vec::new();
        for zone in zones {
            let cell = self.cell_of_grid(*zone)?;
            // Of the two directions along each line, one is enough.
            let directions = cell.board.shape.directions().iter().filter(|step| **step > (0, 0));
            for step in directions.take(if length == 1 { 1 } else { usize::MAX }) {
                let ray = std::iter::once(*zone).chain(self.ray(cell, *step));
                let line: Vec<Zone> = ray.take(length).take_while(|zone| set.contains(zone.index())).collect();
                if line.len() == length {
                    lines.push(Zones(line));
                }
            }
        }
        Ok(lines)
    }

    /// The cells among these that are connected to `from` through neighbours, itself included; empty if it is not among
    /// them.
    ///
    /// # Errors
    /// One is not a cell of a board.
    pub fn connected_to(&self, zones: &[Zone], from: Zone) -> Result<Zones, Fault> {
        let mut left = Bits::of(zones.iter().map(|zone| zone.index()));
        zones.iter().try_for_each(|zone| self.cell(*zone).map(drop))?;
        self.cell(from)?;
        Ok(Zones(self.reached(from, &mut left)))
    }

    /// The connected groups of cells, in the order of the first cell of each.
    ///
    /// # Errors
    /// One is not a cell of a board.
    pub fn groups_of_cells(&self, zones: &[Zone]) -> Result<Vec<Zones>, Fault> {
        let mut left = Bits::of(zones.iter().map(|zone| zone.index()));
        zones.iter().try_for_each(|zone| self.cell(*zone).map(drop))?;
        let groups = zones.iter().map(|zone| Zones(self.reached(*zone, &mut left)));
        Ok(groups.filter(|group| !group.is_empty()).collect())
    }

    /// The cells that are reached from a cell through those in `left`; they are removed from it.
    fn reached(&self, from: Zone, left: &mut Bits) -> Vec<Zone> {
        let mut reached = Vec::new();
        if left.remove(from.index()) {
            reached.push(from);
        }
        let mut looked_at = 0;
        while let Some(cell) = reached.get(looked_at).and_then(|zone| self.layout().cell(*zone)) {
            looked_at += 1;
            let beside = cell.zones(cell.board.neighbours(cell.position));
            reached.extend(beside.filter(|zone| left.remove(zone.index())));
        }
        reached
    }

    /// The zones that components lie in, in the order of the first component of each; components out of play have none.
    pub fn zones_holding(&self, list: &[Component]) -> Zones {
        let mut seen = Bits::default();
        let places = list.iter().filter_map(|component| self.place(*component));
        Zones(places.filter(|zone| seen.insert(zone.index())).collect())
    }

    /// The zones that are among others, or those that are not, by `among`.
    pub fn zones_among(&self, zones: &[Zone], others: &[Zone], among: bool) -> Zones {
        let set = Bits::of(others.iter().map(|zone| zone.index()));
        Zones(zones.iter().copied().filter(|zone| set.contains(zone.index()) == among).collect())
    }
}
