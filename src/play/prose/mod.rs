//! The written rulebook of a game: its sections merged with those of the variants, placeholders filled from the rules,
//! and checks for outdated or missing text.
//!
//! The designer writes the prose; this module only assembles it, independent of pages and terminals. A section becomes
//! a list of [`Passage`]s for layout.

mod check;
mod example;
mod fill;
mod markup;

pub use check::{BLANK, findings, functions_for_rulebook};
pub use example::{Example, Examples};
pub use fill::{Filler, span};
pub use markup::{Passage, Piece, Stress, first_sentence};

use crate::catalogue::message;
use crate::definition::{Layer, Position, Prose, ProseSection, Text};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::playthrough::Playthrough;
use crate::ruleset::Ruleset;
use crate::sorted::SortedMap;

/// The rulebook of a ruleset.
#[derive(Debug, Default)]
pub struct Book {
    /// The chapters, in order.
    pub chapters: Vec<Chapter>,
    /// The rulebook's names of things, by path: `data.hand_size`.
    pub names: SortedMap<String, Text>,
}

/// A section, with the additions of variants.
#[derive(Debug)]
pub struct Chapter {
    /// The id of the section.
    pub id: String,
    /// The section and its additions, in order; never empty.
    pub parts: Vec<Part>,
    /// Parts that a variant has replaced, the oldest first.
    pub replaced: Vec<Part>,
}

/// A section of one layer.
#[derive(Clone, Debug)]
pub struct Part {
    /// The section's content.
    pub section: ProseSection,
    /// The id of the layer.
    pub layer: String,
    /// The index of the variant that contributes it, from 0; `None` for the game.
    pub by: Option<usize>,
}

impl Book {
    /// The rulebook of a ruleset; without chapters where none was written.
    ///
    /// # Errors
    /// As [`Layer::prose`].
    pub fn of(ruleset: &Ruleset) -> Result<Self, Diagnostics> {
        let mut book = Self::default();
        let below = ruleset.bases.iter().chain([&ruleset.game]).map(|layer| (layer, None));
        let variants = ruleset.variants.iter().enumerate().map(|(number, layer)| (layer, Some(number)));
        for (layer, by) in below.chain(variants) {
            book.lay(layer, by)?;
        }
        Ok(book)
    }

    /// The chapter with that id.
    pub fn chapter(&self, id: &str) -> Option<&Chapter> {
        self.chapters.iter().find(|chapter| chapter.id == id)
    }

    /// The error for a section placed relative to one that does not exist.
    fn misplaced_section_error(&self, section: &ProseSection) -> Option<Diagnostic> {
        let (_, id, place) = section.position.as_ref().filter(|(_, id, _)| self.chapter(id).is_none())?;
        let known = self.chapters.iter().map(|chapter| &*chapter.id).filter(|known| *known != section.id);
        let message = message!("the section `{}` goes to one that is not there: `{id}`", section.id);
        Some(Diagnostic::new(message).at(place.clone()).near(id, known))
    }

    /// Rejects sections placed relative to ones that do not exist.
    ///
    /// # Errors
    /// Such sections exist.
    pub fn refuse_misplaced_sections(&self) -> Result<(), Diagnostics> {
        let parts = self.chapters.iter().flat_map(|chapter| &chapter.parts);
        Diagnostics::refuse(parts.filter_map(|part| self.misplaced_section_error(&part.section)).collect())
    }

    /// The chapter that explains a function; of several, the one of the highest layer.
    pub fn chapter_of_function(&self, function: &str) -> Option<&Chapter> {
        let tells = |part: &Part| part.section.tells.iter().any(|(told, _)| told == function);
        let layer = |chapter: &Chapter| chapter.parts.iter().filter(|part| tells(part)).map(|part| part.by).max();
        let telling = self.chapters.iter().filter(|chapter| chapter.parts.iter().any(tells));
        // `max_by_key` returns the last of equals, and the first is wanted.
        telling.rev().max_by_key(|chapter| layer(chapter))
    }

    /// The chapter about the current decision: that of the innermost function on the call stack that a section
    /// explains.
    pub fn chapter_of_decision(&self, game: &Playthrough) -> Option<&Chapter> {
        game.position().open.as_ref()?;
        let frames = game.track().run()?.frames();
        let functions = &game.loaded().functions;
        let at_work = (0..frames.len()).rev().filter_map(|depth| functions.get(usize::from(frames.function(depth)?.0)));
        at_work.into_iter().find_map(|function| self.chapter_of_function(&function.name))
    }

    fn lay(&mut self, layer: &Layer, by: Option<usize>) -> Result<(), Diagnostics> {
        let Prose { sections, names } = layer.prose()?;
        self.names.extend(names.into_iter().map(|(path, (name, _))| (path, name)));
        for section in sections {
            let place = |id: &str| self.chapters.iter().position(|chapter| chapter.id == id);
            let known = place(&section.id);
            let target = section.position.as_ref().and_then(|(position, id, _)| Some((*position, place(id)?)));
            let part = Part { section, layer: layer.id.clone(), by };
            let id = part.section.id.clone();
            match (known, target) {
                (Some(known), _) => {
                    if let Some(chapter) = self.chapters.get_mut(known) {
                        chapter.replaced.extend(std::mem::replace(&mut chapter.parts, vec![part]));
                    }
                }
                (None, Some((Position::AddsTo, target))) => {
                    if let Some(chapter) = self.chapters.get_mut(target) {
                        chapter.parts.push(part);
                    }
                }
                (None, target) => {
                    let at = match target {
                        Some((Position::Before, target)) => target,
                        Some((_, target)) => target + 1,
                        None => self.chapters.len(),
                    };
                    self.chapters.insert(at, Chapter { id, parts: vec![part], replaced: Vec::new() });
                }
            }
        }
        Ok(())
    }
}
