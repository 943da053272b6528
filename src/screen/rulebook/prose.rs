//! Authored chapters of a rulebook, for a page and for a terminal.

use super::gather::Gatherer;
use super::words::words;
use super::{Block, DrawnExample, LocalText, Section};
use crate::definition::{Language, Text};
use crate::diagnostic::{Diagnostics, Place};
use crate::playthrough::Playthrough;
use crate::prose::{Chapter, Example, Examples, Filler, Part, Passage, Piece, Stress};
use crate::screen::record::log_without_copies;
use crate::screen::style::{Label, Line, wrapped};
use crate::screen::{Scene, fill, table};
use crate::table::knowledge::Viewer;

/// The width of a drawn table, in columns.
const COLUMNS: usize = 78;

impl Gatherer<'_> {
    /// The chapters; for a leaflet of changes, only the chapters with changes, reduced to these.
    pub(super) fn chapters(&self) -> Result<Vec<Section>, Diagnostics> {
        self.prose.refuse_misplaced_sections()?;
        let mut sections = Vec::new();
        for chapter in &self.prose.chapters {
            let section = self.chapter(chapter)?;
            if !section.blocks.is_empty() {
                sections.push(section);
            }
        }
        Ok(sections)
    }

    fn chapter(&self, chapter: &Chapter) -> Result<Section, Diagnostics> {
        let filler = self.filler();
        let first = chapter.parts.first();
        let by = first.and_then(|part| part.by);
        let mut blocks = Vec::new();
        if let Some(replaced) = chapter.replaced.last().and_then(|part| part.section.title.as_ref()) {
            let title = replaced.text.get(self.language);
            blocks.push(Block::Text(fill(self.words.replaces, &[&title])));
        }
        for part in &chapter.parts {
            let passages = passages(filler, part)?;
            let language = language_of(&part.section.text.text, self.language);
            let added = part.by.filter(|own| Some(*own) != by);
            let is_shown = |passage: &Passage| !self.extent.changes || part.by.is_some() || is_changed(passage);
            for passage in passages.into_iter().filter(is_shown) {
                match passage {
                    Passage::Faces(group) => blocks.extend(self.faces(group).map(Block::Faces)),
                    passage => blocks.push(Block::Prose(passage, added, language)),
                }
            }
            for example in part.section.examples.iter().filter(|_| !self.extent.changes || part.by.is_some()) {
                let played = self.extent.examples.play(example)?;
                let drawn = played.map(|played| drawn(played, filler, &part.layer, &example.2)).transpose()?;
                blocks.extend(drawn.map(|drawn| Block::Example(Box::new(drawn))));
            }
        }
        let title = match first.and_then(|part| Some((part, part.section.title.as_ref()?))) {
            Some((part, title)) => LocalText {
                text: filler
                    .line(&title.text, &part.layer)
                    .map_err(|(_, errors)| errors.map(|error| error.at(part.section.place.clone())))?,
                language: language_of(&title.text, self.language),
            },
            None => self.said(chapter.id.clone()),
        };
        let has_page = chapter.parts.iter().any(|part| part.section.has_page);
        let mut told = chapter.parts.iter().flat_map(|part| &part.section.tells);
        let is_looked_up = told.any(|(function, _)| self.looked_up.contains(&**function));
        let (id, by) = (format!("rule-{}", chapter.id), by.into_iter().collect());
        Ok(Section { id, title, blocks, by, has_page, is_looked_up })
    }
}

/// The language of a text for a reader of `language`.
fn language_of(text: &Text, language: Language) -> Language {
    if text.in_language(language).is_some() { language } else { Language::English }
}

/// The passages of a part, with the values in braces filled in.
///
/// # Errors
/// A name in braces is unknown.
fn passages(filler: Filler<'_>, part: &Part) -> Result<Vec<Passage>, Diagnostics> {
    let text = &part.section.text;
    filler
        .passages(&text.text, &part.layer)
        .map_err(|(place, errors)| errors.map(|error| error.at(text.place(filler.language, &format!("{{{place}"), ""))))
}

fn is_changed(passage: &Passage) -> bool {
    let any = |pieces: &Vec<Piece>| pieces.iter().any(|piece| !piece.by.is_empty());
    match passage {
        Passage::Paragraph(pieces) | Passage::Heading(pieces) => any(pieces),
        Passage::List { items, .. } => items.iter().any(any),
        Passage::Table(rows) => rows.iter().flatten().any(any),
        Passage::Faces(_) => false,
    }
}

/// An example with its texts. All components are open, because learning needs more than playing.
fn drawn(example: Example, filler: Filler<'_>, layer: &str, place: &Place) -> Result<DrawnExample, Diagnostics> {
    let language = filler.language;
    let words = words(language);
    let told =
        example.events().into_iter().map(|(game, events)| log_without_copies(&example_scene(game, language), &events));
    let story = told.flatten().collect();
    let title =
        filler.line(&example.title, layer).map_err(|(_, errors)| errors.map(|error| error.at(place.clone())))?;
    let before = example.before.into_iter().next().map(|game| (words.before, game));
    let head = if before.is_some() { words.after } else { words.so_it_lies };
    Ok(DrawnExample {
        title: LocalText { text: title, language: language_of(&example.title, language) },
        before,
        story,
        after: (head, example.after),
    })
}

/// A game of an example, to be drawn.
pub(in crate::screen) fn example_scene(game: &Playthrough, language: Language) -> Scene<'_> {
    Scene::of(game, Viewer::Everything, language, COLUMNS)
}

/// A chapter as lines, with its examples played. An example that fails shows its error.
///
/// # Errors
/// A name in braces is unknown.
pub fn lines(
    filler: Filler<'_>,
    chapter: &Chapter,
    examples: &Examples<'_>,
    width: usize,
) -> Result<Vec<Line>, Diagnostics> {
    let words = words(filler.language);
    let title = filler.title(chapter);
    let mark = |by: Option<usize>| {
        let variant = by.and_then(|by| filler.loaded.ruleset.variants.get(by));
        variant.map_or_else(String::new, |variant| format!("  [{}]", variant.name.get(filler.language)))
    };
    let mut lines = vec![Line::strong(title).with(mark(chapter.parts.first().and_then(|part| part.by)), Label::Faint)];
    for part in &chapter.parts {
        for passage in passages(filler, part)? {
            lines.push(Line::default());
            lines.extend(of_passage(&passage, filler, width));
        }
        for example in &part.section.examples {
            let played = examples
                .play(example)
                .and_then(|played| played.map(|played| drawn(played, filler, &part.layer, &example.2)).transpose());
            lines.push(Line::default());
            match played {
                Ok(Some(example)) => lines.extend(of_example(&example, filler.language, width)),
                Ok(None) => drop(lines.pop()),
                Err(errors) => {
                    let told = format!("{} {}: {}", words.example, example.0, errors.first().message.told());
                    lines.extend(wrapped(&told, width).into_iter().map(|line| line.restyled(Label::Error)));
                }
            }
        }
    }
    Ok(lines)
}

/// An example as lines: the table, the choices and their results, and the table afterwards.
fn of_example(example: &DrawnExample, language: Language, width: usize) -> Vec<Line> {
    let title = format!("{}: {}", words(language).example, example.title.text);
    let mut lines: Vec<Line> = wrapped(&title, width).into_iter().map(|line| line.restyled(Label::Strong)).collect();
    let moment = |lines: &mut Vec<Line>, (head, game): &(&str, Playthrough)| {
        lines.push(Line::faint(format!("{head}:")));
        let scene = Scene::of(game, Viewer::Everything, language, width);
        lines.extend(without_head(table(&scene)).into_iter().filter(|line| !line.is_empty()));
    };
    example.before.iter().for_each(|before| moment(&mut lines, before));
    for told in &example.story {
        let body = told.clone().broken(width.saturating_sub(2));
        lines.extend(crate::screen::style::hang(Line::plain("* "), body));
    }
    moment(&mut lines, &example.after);
    lines
}

/// A drawn table without the header of a game in play, which precedes the first empty line.
pub(in crate::screen) fn without_head(mut lines: Vec<Line>) -> Vec<Line> {
    let head = lines.iter().position(Line::is_empty).map_or(0, |head| head + 1);
    lines.split_off(head)
}

fn of_passage(passage: &Passage, filler: Filler<'_>, width: usize) -> Vec<Line> {
    match passage {
        Passage::Paragraph(pieces) => wrapped(&text(pieces), width),
        Passage::Heading(pieces) => vec![Line::strong(text(pieces))],
        Passage::List { is_numbered, items } => {
            let mut lines = Vec::new();
            for (number, item) in items.iter().enumerate() {
                let lead = if *is_numbered { format!("{:>2}. ", number + 1) } else { "  * ".to_owned() };
                let body = wrapped(&text(item), width.saturating_sub(lead.len()));
                lines.extend(crate::screen::style::hang(Line::plain(lead), body));
            }
            lines
        }
        Passage::Table(rows) => {
            let cells: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| text(cell)).collect()).collect();
            let columns = cells.iter().map(Vec::len).max().unwrap_or(0);
            let widest = |column: usize| {
                let cells = cells.iter().filter_map(|row| row.get(column));
                cells.map(|cell| crate::screen::style::width(cell)).max().unwrap_or(0)
            };
            let widths: Vec<usize> = (0..columns).map(widest).collect();
            let mut lines = Vec::new();
            for (number, row) in cells.iter().enumerate() {
                let padded = row.iter().zip(&widths).map(|(cell, width)| crate::screen::style::pad(cell, *width));
                let line = Line::plain(padded.collect::<Vec<_>>().join("  "));
                let line = if number == 0 { line.restyled(Label::Strong) } else { line };
                // Lines too wide for the screen are broken.
                lines.extend(line.broken(width));
            }
            lines
        }
        Passage::Faces(group) => {
            let group = filler.loaded.layout.definition.components.get(*group);
            group.map_or_else(Vec::new, |group| vec![Line::plain(filler.group(group))])
        }
    }
}

/// The text of pieces, without stress.
fn text(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| &*piece.text).collect()
}

/// The HTML tag for a stress.
pub(in crate::screen) fn tag(stress: Stress) -> Option<&'static str> {
    match stress {
        Stress::None => None,
        Stress::Emphasis => Some("em"),
        Stress::Strong => Some("strong"),
    }
}
