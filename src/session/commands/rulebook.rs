//! Commands for reading the game's rulebook.

use super::arguments::{Extent, Shape, Signature, word};
use super::{Candidate, Command, Flow};
use crate::catalogue::{message, say, spoken};
use crate::definition::Language;
use crate::diagnostic::{Diagnostic, Diagnostics, unknown};
use crate::inspect::why::WhyNot;
use crate::prose::{Book, Chapter, Examples, Filler, Passage, first_sentence};
use crate::ruleset::Ruleset;
use crate::screen::html::live::book_button;
use crate::screen::rulebook::prose::lines;
use crate::screen::style::{Label, Line, wrapped};
use crate::session::Session;

/// Most lines of a rulebook sentence shown behind `why not`.
const MAX_SENTENCE_LINES: usize = 4;

/// A section of the rulebook, by id or heading.
const SECTION: Shape<String> = Shape {
    name: "SECTION",
    what: "a section of the rulebook",
    lead: "",
    extent: Extent::Rest,
    read: |session, text| {
        let book = book(session)?;
        let filler = filler(session, &book);
        let in_all = Language::ALL.map(|language| Filler { language, ..filler });
        let is_meant = |chapter: &&Chapter| {
            chapter.id == text
                || in_all.iter().any(|filler| filler.title(chapter).to_lowercase() == text.to_lowercase())
        };
        let found = book.chapters.iter().find(is_meant).map(|chapter| chapter.id.clone());
        let known = || book.chapters.iter().map(|chapter| &*chapter.id);
        Ok(found.ok_or_else(|| unknown("section", text, known()))?)
    },
    complete: |session, _| {
        let book = book(session).unwrap_or_default();
        let filler = Filler { language: spoken(), ..filler(session, &book) };
        book.chapters.iter().map(|chapter| Candidate::new(chapter.id.clone(), filler.title(chapter))).collect()
    },
};

pub(super) const RULES: Command = Command {
    name: "rules",
    about: "read the rulebook: what tells what is asked now, or a section",
    help: "Without a name, it shows the section that tells what is asked now; if nothing is asked, the list of sections. \
           `houserule doc` writes the whole rulebook as a page, with examples.",
    examples: &["rules", "rules all"],
    signatures: &[
        &Signature((), |session, ()| now(session)),
        &Signature((word("all", "the whole rulebook"),), |session, _| whole(session, &book(session)?)),
        &Signature((SECTION,), |session, (id,)| {
            let book = book(session)?;
            let chapter = book.chapter(&id);
            let chapter = chapter.ok_or_else(|| Diagnostics::from(unknown("section", &id, [])))?;
            Ok(Flow::Page(shown(session, &book, chapter)?))
        }),
    ],
    ..super::look::LOOKING
};

/// The rulebook of the rules in play.
///
/// # Errors
/// There is no rulebook, or it has errors.
fn book(session: &Session) -> Result<Book, Diagnostics> {
    let ruleset = &session.playthrough.loaded().ruleset;
    // Edits of the rulebook do not change the rules, so they are shown without reloading.
    let now = Ruleset::load(&session.library, &ruleset.selection).ok().filter(|now| now.hash == ruleset.hash);
    let book = Book::of(now.as_ref().unwrap_or(ruleset))?;
    if book.chapters.is_empty() {
        let id = &ruleset.game.id;
        let error = Diagnostic::new(message!("nobody has written a rulebook for `{id}`"));
        return Err(error
            .help(message!("`houserule doc {id} --html` makes one of the comments in its rules"))
            .help("`help files` tells how to write one")
            .into());
    }
    Ok(book)
}

fn filler<'a>(session: &'a Session, book: &'a Book) -> Filler<'a> {
    let loaded = session.playthrough.loaded();
    Filler { loaded, book, language: session.language, players: Some(session.playthrough.seats) }
}

/// A section as lines.
fn shown(session: &Session, book: &Book, chapter: &Chapter) -> Result<Vec<Line>, Diagnostics> {
    let examples = Examples::of(session.playthrough.loaded(), &session.library);
    lines(filler(session, book), chapter, &examples, session.width)
}

/// All sections as lines.
fn whole(session: &Session, book: &Book) -> Result<Flow, Diagnostics> {
    let mut all = Vec::new();
    for chapter in &book.chapters {
        if !all.is_empty() {
            all.push(Line::default());
        }
        all.extend(shown(session, book, chapter)?);
    }
    Ok(Flow::Page(all))
}

/// The section about the open decision; else the list of sections, or all of them for a viewer who cannot open one.
fn now(session: &Session) -> Result<Flow, Diagnostics> {
    let book = book(session)?;
    if let Some(chapter) = book.chapter_of_decision(&session.playthrough) {
        return Ok(Flow::Page(shown(session, &book, chapter)?));
    }
    if !session.has_commands {
        return whole(session, &book);
    }
    let width = book.chapters.iter().map(|chapter| chapter.id.len()).max().unwrap_or(0);
    let filler = filler(session, &book);
    let line = |chapter: &Chapter| {
        let title = filler.title(chapter);
        Line::plain(format!("{:<width$}  ", chapter.id)).with(title, Label::Faint).cut(session.width)
    };
    Ok(Flow::Show(book.chapters.iter().map(line).collect()))
}

/// The heading and first sentence of the section that explains why an option is refused.
pub(super) fn chapter_of_function(session: &Session, found: &WhyNot) -> Vec<Line> {
    let Ok(book) = book(session) else { return Vec::new() };
    let told = found.lines.iter().rev().filter_map(|line| line.cause.as_ref()?.function.as_ref());
    let told = told.into_iter().find_map(|function| book.chapter_of_function(function));
    let Some(chapter) = told.or_else(|| book.chapter_of_decision(&session.playthrough)) else { return Vec::new() };
    let filler = filler(session, &book);
    let title = filler.title(chapter);
    let head = Line::of(say!("the rulebook, {title}:"), Label::Faint).cut(session.width);
    let first = sentence(filler, chapter, session.width);
    let is_asked = || book.chapter_of_decision(&session.playthrough).is_some_and(|asked| asked.id == chapter.id);
    let more = match session.has_commands {
        true => Some(say!("`rules {}` shows the section", chapter.id)),
        // On a page, a button opens the section about the open decision.
        false => is_asked().then(|| say!("*{}* shows the section", book_button(session.language))),
    };
    let more = more.iter().flat_map(|more| wrapped(more, session.width)).map(|line| line.restyled(Label::Faint));
    std::iter::once(head).chain(first).chain(more).collect()
}

/// The first sentence of a section. If it only introduces a list, the first item is added.
fn sentence(filler: Filler<'_>, chapter: &Chapter, width: usize) -> Vec<Line> {
    let passages = chapter.parts.iter().filter_map(|part| filler.passages(&part.section.text.text, &part.layer).ok());
    let texts = passages.flatten().filter_map(|passage| match passage {
        Passage::Paragraph(pieces) => Some(pieces),
        Passage::List { items, .. } => items.into_iter().next(),
        Passage::Heading(_) | Passage::Table(_) | Passage::Faces(_) => None,
    });
    let mut said = String::new();
    for pieces in texts {
        let sentence: String = first_sentence(&pieces).into_iter().map(|piece| piece.text).collect();
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(sentence.trim());
        if !said.ends_with([':', '：']) {
            break;
        }
    }
    wrapped(&said, width).into_iter().take(MAX_SENTENCE_LINES).collect()
}
