//! Warnings about functions that hide a word, and about old names of words.

use super::Lint;
use super::function::Reader;
use super::known::RulesContext;
use crate::diagnostic::{Diagnostic, message};
use crate::script::codes;
use crate::script::program::{Binary, Expr, ExprKind, Global};
use crate::script::vocabulary::{Form, Word, words_named};

impl RulesContext<'_> {
    /// Warnings about functions that hide a word which is called alone, such as `end_game()`. A word behind a dot, such
    /// as `zone.shuffle()`, is never hidden.
    pub(super) fn hidden_words(&self) -> impl Iterator<Item = Lint> {
        let shared = self.scripts.functions.iter().filter(|function| !function.is_private);
        shared.filter_map(|function| {
            let is_hidden =
                |word: &&Word| word.form == Form::Function && word.parameters.len() == function.parameters.len();
            let word = words_named(&function.name).find(is_hidden)?;
            let message = message!("`{}` hides the word `{}`", function.name, word.usage());
            let warning = Diagnostic::new(message)
                .at_maybe(self.place(function.at, "is called instead, here and in the layers above"))
                .help("give the function another name, unless this is meant")
                .with_code(codes::HIDES_WORD);
            Some(Lint { warning, layer: None })
        })
    }

    /// Warnings about old names of words in files of an earlier edition.
    pub(super) fn old_names(&self) -> impl Iterator<Item = Lint> {
        self.scripts.old_names.iter().map(|(at, old)| {
            let warning = Diagnostic::new(old.told)
                .at_maybe(self.place(*at, "as in an earlier edition"))
                .help("it means what it meant; `houserule upgrade FILE` writes the name of today")
                .with_code(codes::OLD_NAME);
            Lint { warning, layer: None }
        })
    }
}

impl Reader<'_> {
    /// Whether an expression gives zones of which there is always one: declared zones, and sums with such zones.
    pub(super) fn is_always_a_zone(&self, expression: &Expr) -> bool {
        match &expression.kind {
            ExprKind::Global(global) => matches!(global, Global::Zone(_)),
            ExprKind::Property(_, name) => {
                self.known.layout.definition.zones.iter().any(|zone| zone.per_seat && *zone.id == **name)
            }
            ExprKind::Binary(Binary::Add, sides) => sides.iter().any(|side| self.is_always_a_zone(side)),
            ExprKind::Local(slot) => self.always_zones.contains(slot),
            _ => false,
        }
    }
}
