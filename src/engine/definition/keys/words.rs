//! The closed sets among the values of keys: each word, its meaning and a remark.

use super::kind::WordSet;
use crate::definition::{COLORS, ComponentKind, DeclaredType, VariableSharing, Visibility, ZoneOrder};

impl WordSet for ComponentKind {
    type Meaning = Self;
    const WORDS: &'static [(&'static str, Self, &'static str)] =
        &[("card", Self::Card, ""), ("die", Self::Die, ""), ("token", Self::Token, "")];
}

impl WordSet for ZoneOrder {
    type Meaning = Self;
    const WORDS: &'static [(&'static str, Self, &'static str)] = &[
        ("pile", Self::Pile, "only the top and the size are drawn"),
        ("row", Self::Row, ""),
        ("ring", Self::Ring, ""),
        ("hand", Self::Hand, "drawn sorted"),
        ("trick", Self::Trick, "with who played what"),
    ];
}

/// Who sees the faces in a zone.
impl WordSet for Visibility {
    type Meaning = Self;
    const WORDS: &'static [(&'static str, Self, &'static str)] = &[
        ("all", Self::All, ""),
        ("owner", Self::Owner, ""),
        ("others", Self::Others, "all but the owner"),
        ("top", Self::Top, "everybody, but only the top one"),
        ("none", Self::None, ""),
        ("once", Self::Once, "everybody, until the next arrives"),
    ];
}

/// Who can read a variable.
pub enum VariableVisibility {}

impl WordSet for VariableVisibility {
    type Meaning = Visibility;
    const WORDS: &'static [(&'static str, Visibility, &'static str)] = &[
        ("all", Visibility::All, ""),
        ("owner", Visibility::Owner, "of a player's variable"),
        ("none", Visibility::None, ""),
    ];
}

/// The owner of a zone: each seat has one where true, the table where false.
pub enum ZoneScope {}

impl WordSet for ZoneScope {
    type Meaning = bool;
    const WORDS: &'static [(&'static str, bool, &'static str)] =
        &[("seat", true, "each player has one"), ("table", false, "one for all")];
}

/// The owner of a variable: each seat, each team, or the table.
pub enum VariableScope {}

impl WordSet for VariableScope {
    type Meaning = VariableSharing;
    const WORDS: &'static [(&'static str, VariableSharing, &'static str)] = &[
        ("seat", VariableSharing::Seat, "each player has one"),
        ("team", VariableSharing::Team, "each team has one, shared by its players"),
        ("table", VariableSharing::Table, "one for all"),
    ];
}

/// Who answers a setting that is asked for: true where it is drawn by lot.
pub enum SettingAnswerer {}

impl WordSet for SettingAnswerer {
    type Meaning = bool;
    const WORDS: &'static [(&'static str, bool, &'static str)] =
        &[("first", false, "the first player"), ("lot", true, "nobody: it is drawn by lot")];
}

/// What a variable holds, for types that no default can express.
pub enum VariableTypeName {}

impl WordSet for VariableTypeName {
    type Meaning = DeclaredType;
    const WORDS: &'static [(&'static str, DeclaredType, &'static str)] = &[
        ("player", DeclaredType::Player, "`nobody` at the start"),
        ("component", DeclaredType::Component, "`()` at the start, which is none"),
        ("zone", DeclaredType::Zone, "`()` at the start"),
        ("players", DeclaredType::Players, "none at the start"),
        ("components", DeclaredType::Components, "none at the start"),
        ("zones", DeclaredType::Zones, "none at the start"),
        ("list", DeclaredType::List, "any values; empty at the start"),
    ];
}

/// The colours that every terminal has.
pub enum Color {}

impl WordSet for Color {
    type Meaning = &'static str;
    const WORDS: &'static [(&'static str, &'static str, &'static str)] = &{
        let mut words = [("", "", ""); COLORS.len()];
        let mut number = 0;
        while number < COLORS.len() {
            words[number] = (COLORS[number], COLORS[number], "");
            number += 1;
        }
        words
    };
}
