//! The order of variants: each lies above those that it requires.

use crate::definition::{Layer, Library, MAX_VARIANTS};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, message};
use std::collections::VecDeque;

/// The variants of a selection in the order of their layers, each above those that it requires.
pub(super) struct OrderedVariants {
    pub(super) names: Vec<String>,
    pub(super) variants: Vec<Layer>,
    pub(super) notes: Vec<Diagnostic>,
}

/// Puts variants above those that they require, and adds required variants that nobody asked for.
pub(super) fn order_variants(
    library: &Library,
    game: &Layer,
    given: Vec<(String, Layer)>,
) -> Result<OrderedVariants, Diagnostics> {
    let mut stacking =
        VariantSorter { library, game, given: given.into(), open: Vec::new(), placed: Vec::new(), notes: Vec::new() };
    while let Some((name, variant)) = stacking.given.pop_front() {
        stacking.place(name, variant)?;
    }
    let (names, variants) = stacking.placed.into_iter().unzip();
    Ok(OrderedVariants { names, variants, notes: stacking.notes })
}

struct VariantSorter<'a> {
    library: &'a Library,
    game: &'a Layer,
    /// Variants that are still to be placed.
    given: VecDeque<(String, Layer)>,
    /// Variants that wait for those that they require, with where each requirement is written.
    open: Vec<(String, Place)>,
    placed: Vec<(String, Layer)>,
    notes: Vec<Diagnostic>,
}

impl VariantSorter<'_> {
    fn place(&mut self, name: String, variant: Layer) -> Result<(), Diagnostics> {
        for (id, place) in &variant.requires {
            if self.placed.iter().any(|(_, placed)| placed.id == *id) {
                continue;
            }
            self.open.push((variant.id.clone(), place.clone()));
            if let Some(first) = self.open.iter().position(|(open, _)| open == id) {
                return Err(requirement_cycle_error(&self.open[first..]).into());
            }
            if self.open.len() > MAX_VARIANTS {
                let message = message!("`{id}` is required by too long a chain of variants");
                return Err(Diagnostic::new(message).at(place.clone()).into());
            }
            let needs = message!("`{}` needs `{id}`", variant.id);
            let (below, note) = match self.given.iter().position(|(_, given)| given.id == *id) {
                Some(later) => (self.given.remove(later), message!("{needs}, so `{id}` is below it")),
                None => {
                    let found = self
                        .library
                        .variant(&self.game.id, id)
                        .map_err(|errors| errors.asked_for_at(Some(place.clone())))?;
                    (Some((id.clone(), found)), message!("{needs}, so `{id}` is in play too"))
                }
            };
            if let Some((name, below)) = below {
                self.place(name, below)?;
                self.notes.push(Diagnostic::note(note));
            }
            self.open.pop();
        }
        self.placed.push((name, variant));
        Ok(())
    }
}

/// The error for variants that require each other in a circle.
fn requirement_cycle_error(circle: &[(String, Place)]) -> Diagnostic {
    let names: Vec<String> = circle.iter().chain(circle.first()).map(|(id, _)| format!("`{id}`")).collect();
    let mut places = circle.iter().map(|(_, place)| place.clone());
    let trouble = Diagnostic::new(message!("variants require each other: {}", names.join(" → ")));
    let trouble = trouble.help("a required variant is below the other, so one of them must not require the other");
    let trouble = trouble.at_maybe(places.next_back());
    places.fold(trouble, Diagnostic::related)
}
