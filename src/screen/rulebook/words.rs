//! The words of rulebooks.

use crate::catalogue::RulebookWords;
use crate::definition::{Language, Visibility, ZoneOrder};

pub(in crate::screen) fn words(language: Language) -> &'static RulebookWords {
    &language.words().rulebook
}

/// The arrangement of components in a zone.
pub(super) fn order(words: &RulebookWords, order: ZoneOrder) -> &'static str {
    match order {
        ZoneOrder::Pile => words.in_pile,
        ZoneOrder::Row => words.in_row,
        ZoneOrder::Ring => words.in_ring,
        ZoneOrder::Hand => words.in_hand,
        ZoneOrder::Trick => words.in_trick,
    }
}

/// The players who can see into a zone, or read a variable.
pub(super) fn visible(words: &RulebookWords, visible: Visibility, per_seat: bool) -> &'static str {
    match (visible, per_seat) {
        (Visibility::All, _) | (Visibility::Others, false) => words.everybody,
        (Visibility::Owner, true) => words.its_player,
        (Visibility::Others, true) => words.all_but_its_player,
        (Visibility::Owner | Visibility::None, _) => words.nobody,
        (Visibility::Top, _) => words.top,
        (Visibility::Once, true) => words.once_its_player,
        (Visibility::Once, false) => words.once_everybody,
    }
}
