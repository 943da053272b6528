//! The order of play: which seat begins, and which follow. It may differ from game to game, and then figures by seat do
//! not show an advantage of the first player.

use super::distribution::{Distribution, digits_of_list};
use super::measures::{Column, WHOLE_WIN};
use crate::table::counts::FirstTimes;
use crate::table::value::Seat;
use serde::{Deserialize, Serialize};

/// The seat, from 0, at each place in the order of play: by first turns or, in rules without turns, by first decisions
/// that were not simultaneous. Seats that had none before the game ended follow in seating order after the last that
/// played.
pub fn order_of_play(turns: &FirstTimes, decisions: &FirstTimes, seats: usize) -> Vec<u8> {
    let known = if turns.seats().is_empty() { decisions } else { turns };
    let mut order: Vec<u8> = known.seats().iter().map(|seat| seat.0).collect();
    let last = order.last().map_or(seats, |last| usize::from(*last) + 1);
    let rest = (last..last + seats).filter_map(|seat| Seat::from_number(seat % seats.max(1) + 1));
    order.extend(rest.filter(|seat| !known.contains(*seat)).map(|seat| seat.0));
    order
}

/// Counts by the place in the order of play, kept only where they differ from counts by seat.
///
/// While all games have the same order, each place is one seat, and counts by seat suffice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ByOrder {
    /// The order was not recorded, in data of an earlier version.
    #[default]
    Unknown,
    /// All games so far had this order; empty before the first game.
    Same(Vec<u8>),
    /// The order differs between games.
    Mixed {
        /// One distribution for each column of the seats; those of the whole game are empty.
        columns: Vec<Distribution>,
        /// For each pair of places, the product of their wins, summed over all games, row by row; may be empty.
        #[serde(with = "digits_of_list")]
        products: Vec<i128>,
    },
}

/// Counts by seat.
#[derive(Clone, Copy)]
pub struct BySeat<'a> {
    /// The distributions of the [`columns`](super::measures::columns).
    pub columns: &'a [Distribution],
    /// For each pair of seats, the product of their wins, summed, row by row; may be empty.
    pub products: &'a [i128],
}

impl ByOrder {
    /// No game counted yet.
    pub fn new() -> Self {
        Self::Same(Vec::new())
    }

    /// Whether the order was not recorded; such a value is left out of files.
    pub fn is_unknown(&self) -> bool {
        *self == Self::Unknown
    }

    /// Counts a game; `before` are the counts by seat before it. `order` is `None` where a game and the one it is
    /// compared with have different orders. `by_place` gives the value of each column, with places in place of seats.
    pub fn count(
        &mut self,
        columns: &[Column],
        before: BySeat<'_>,
        order: Option<&[u8]>,
        by_place: impl FnOnce() -> Vec<Option<i64>>,
    ) {
        match (&mut *self, order) {
            (Self::Unknown, _) => return,
            (Self::Same(known), Some(order)) if known.is_empty() => return known.extend(order),
            (Self::Same(known), Some(order)) if known == order => return,
            (Self::Same(known), _) => *self = Self::mixed(columns, before, known),
            (Self::Mixed { .. }, _) => {}
        }
        if let Self::Mixed { columns: counted, products } = self {
            count_row(columns, &by_place(), counted, products);
        }
    }

    /// Adds other counts; each with its counts by seat.
    pub fn add(&mut self, columns: &[Column], own: BySeat<'_>, other: &Self, others: BySeat<'_>) {
        match (&mut *self, other) {
            (Self::Unknown, _) => {}
            (_, Self::Unknown) => *self = Self::Unknown,
            (Self::Same(known), Self::Same(other)) if known.is_empty() => known.clone_from(other),
            (Self::Same(_), Self::Same(other)) if other.is_empty() => {}
            (Self::Same(known), Self::Same(other)) if known == other => {}
            _ => {
                let Some((mut sum, mut products)) = self.by_place(columns, own) else { return };
                let Some((more, other_products)) = other.by_place(columns, others) else { return };
                sum.iter_mut().zip(&more).for_each(|(sum, more)| sum.add(more));
                products.iter_mut().zip(&other_products).for_each(|(sum, more)| *sum += more);
                *self = Self::Mixed { columns: sum, products };
            }
        }
    }

    /// The columns and products by place, even where they equal those by seat; `None` where the order was not recorded.
    pub fn by_place(&self, columns: &[Column], of_seats: BySeat<'_>) -> Option<(Vec<Distribution>, Vec<i128>)> {
        match self {
            Self::Unknown => None,
            Self::Same(order) => match Self::mixed(columns, of_seats, order) {
                Self::Mixed { columns, products } => Some((columns, products)),
                _ => None,
            },
            Self::Mixed { columns, products } => Some((columns.clone(), products.clone())),
        }
    }

    /// The counts by place, where all games had the same order.
    fn mixed(columns: &[Column], of_seats: BySeat<'_>, order: &[u8]) -> Self {
        let by_place = |source: Option<usize>| source.and_then(|source| of_seats.columns.get(source)).cloned();
        let seats = of_seats.products.len().isqrt();
        let seat = |place: usize| order.get(place).map_or(place, |seat| usize::from(*seat));
        let product = |number: usize| {
            let (one, other) = (number / seats.max(1), number % seats.max(1));
            of_seats.products.get(seat(one) * seats + seat(other)).copied().unwrap_or(0)
        };
        Self::Mixed {
            columns: sources(columns, order).map(|source| by_place(source).unwrap_or_default()).collect(),
            products: (0..seats * seats).map(product).collect(),
        }
    }
}

/// Counts the values of a game's columns, and the products of the wins of each pair of seats or places, if `products` has
/// some.
pub(super) fn count_row(
    columns: &[Column],
    values: &[Option<i64>],
    counted: &mut [Distribution],
    products: &mut [i128],
) {
    for (counted, value) in counted.iter_mut().zip(values) {
        if let Some(value) = value {
            counted.count(*value, 1);
        }
    }
    if !products.is_empty() {
        let wins = columns.iter().zip(values).filter(|(column, _)| column.measure.scale == WHOLE_WIN);
        let wins: Vec<i128> = wins.map(|(_, value)| value.map_or(0, i128::from)).collect();
        let both = wins.iter().flat_map(|one| wins.iter().map(move |other| one * other));
        products.iter_mut().zip(both).for_each(|(sum, product)| *sum += product);
    }
}

/// For each seat column, understood as the column of a place, the index of the column of the seat at that place.
fn sources<'a>(columns: &'a [Column], order: &'a [u8]) -> impl Iterator<Item = Option<usize>> + 'a {
    columns.iter().enumerate().map(|(number, column)| {
        let place = column.seat?.index();
        let seat = order.get(place).map_or(place, |seat| usize::from(*seat));
        Some((number + seat).saturating_sub(place))
    })
}

/// The values of a game's columns with places in place of seats; `None` for columns of the whole game.
pub fn by_place(columns: &[Column], values: &[Option<i64>], order: &[u8]) -> Vec<Option<i64>> {
    sources(columns, order).map(|source| values.get(source?).copied().flatten()).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::measures::columns;
    use super::*;
    use crate::table::value::Seats;

    fn first_times(seats: &[usize]) -> FirstTimes {
        let mut noted = FirstTimes::default();
        seats.iter().filter_map(|seat| Seat::from_number(*seat)).for_each(|seat| noted.note(seat));
        noted
    }

    #[test]
    fn turns_tell_the_order_and_decisions_where_there_are_none() {
        let of = |turns: &[usize], decisions: &[usize]| {
            order_of_play(&first_times(turns), &first_times(decisions), 4)
                .iter()
                .map(|seat| seat + 1)
                .collect::<Vec<_>>()
        };
        assert_eq!(of(&[3, 4, 3, 1, 2], &[1, 2]), [3, 4, 1, 2]);
        assert_eq!(of(&[3], &[1, 2]), [3, 4, 1, 2], "the rest follow as they sit");
        assert_eq!(of(&[], &[2, 1, 2]), [2, 1, 3, 4]);
        assert_eq!(of(&[], &[]), [1, 2, 3, 4]);
    }

    /// A row of values for each game, with its order.
    type Rows = Vec<(Vec<u8>, Vec<Option<i64>>)>;

    fn counted(columns: &[Column], rows: &Rows) -> (ByOrder, Vec<Distribution>, Vec<i128>) {
        let mut by_order = ByOrder::new();
        let (mut of_seats, mut products) = (vec![Distribution::default(); columns.len()], vec![0; 9]);
        for (order, values) in rows {
            let before = BySeat { columns: &of_seats, products: &products };
            by_order.count(columns, before, Some(order), || by_place(columns, values, order));
            of_seats.iter_mut().zip(values).for_each(|(column, value)| column.count(value.unwrap(), 1));
            for (number, product) in products.iter_mut().enumerate() {
                *product += i128::from(values[number / 3].unwrap()) * i128::from(values[number % 3].unwrap());
            }
        }
        (by_order, of_seats, products)
    }

    #[test]
    fn parts_give_the_whole_whatever_orders_they_have() {
        let columns = columns(Seats::all(3));
        let rows: Rows = (0..60_i64)
            .map(|game| {
                let order = if game < 20 { [1, 2, 0] } else { [[0, 1, 2], [2, 0, 1], [1, 2, 0]][(game % 3) as usize] };
                let values = (0..columns.len() as i64).map(|column| Some((game * 7 + column * 3) % 11)).collect();
                (order.to_vec(), values)
            })
            .collect();
        let (whole, of_seats, products) = counted(&columns, &rows);
        let ByOrder::Mixed { columns: by_order, .. } = &whole else { unreachable!("{whole:?}") };
        assert_ne!(by_order[0], of_seats[0]);
        for cut in [0, 1, 10, 20, 21, 59, 60] {
            let (one, other) = rows.split_at(cut);
            let (mut sum, own, own_products) = counted(&columns, &one.to_vec());
            let (more, others, other_products) = counted(&columns, &other.to_vec());
            sum.add(
                &columns,
                BySeat { columns: &own, products: &own_products },
                &more,
                BySeat { columns: &others, products: &other_products },
            );
            assert_eq!(sum, whole, "{cut}");
        }
        let same = counted(&columns, &rows[..20].to_vec());
        assert_eq!(same.0, ByOrder::Same(vec![1, 2, 0]));
        let mut unknown = whole.clone();
        let of_seats = BySeat { columns: &of_seats, products: &products };
        unknown.add(&columns, of_seats, &ByOrder::Unknown, of_seats);
        assert!(unknown.is_unknown());
    }
}
