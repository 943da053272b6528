//! Names that words had in earlier editions of the language.
//!
//! A file of an earlier edition keeps the old names: while its script is read, each becomes the current name. `check`
//! warns about them, and `houserule upgrade` writes the current names into the file. To rename a word, or to give one
//! of its meanings a name of its own, change its row in the table of words and add one here.

use crate::definition::Edition;

/// An old name of a word.
#[derive(Debug)]
pub struct OldName {
    /// The old name.
    pub name: &'static str,
    /// How the word was used.
    pub form: OldForm,
    /// The current name of the word.
    pub now: &'static str,
    /// The first edition in which the word has its current name.
    pub since: Edition,
    /// A one-sentence explanation of the replacement for messages.
    pub told: &'static str,
}

/// How a word was used under an old name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OldForm {
    /// `zones.size`
    Property,
    /// `cards.distinct("color")`: called with this number of arguments, the receiver not counted.
    Called(usize),
}

/// The first edition that files could name.
const FIRST: Edition = Edition::CURRENT;

/// Every old name of a word.
pub const OLD_NAMES: &[OldName] = &[
    OldName {
        name: "size",
        form: OldForm::Property,
        now: "len",
        since: FIRST,
        told: "`size` of several zones is now called `len`",
    },
    OldName {
        name: "at_most",
        form: OldForm::Called(1),
        now: "entry_or_last",
        since: FIRST,
        told: "`at_most` is now called `entry_or_last`",
    },
    OldName {
        name: "distinct",
        form: OldForm::Called(1),
        now: "count_distinct",
        since: FIRST,
        told: "`distinct` of components is now called `count_distinct`",
    },
    OldName {
        name: "between",
        form: OldForm::Called(1),
        now: "cells_between",
        since: FIRST,
        told: "`between` of a cell is now called `cells_between`",
    },
];

/// The entry of [`OLD_NAMES`] for a name that was used in a form; `None` where there is none.
pub fn find_old_name(name: &str, form: OldForm) -> Option<&'static OldName> {
    OLD_NAMES.iter().find(|old| old.name == name && old.form == form)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::vocabulary::{Form, words_named};

    #[test]
    fn an_old_name_stands_for_a_word_of_today_and_is_free_in_its_form() {
        for old in OLD_NAMES {
            let is_of_form = |name: &str| {
                words_named(name).any(|word| match old.form {
                    OldForm::Property => word.form == Form::Property,
                    OldForm::Called(arguments) => word.is_called() && word.parameters.len() == arguments,
                })
            };
            assert!(is_of_form(old.now) && !is_of_form(old.name), "{old:?}");
        }
    }
}
