//! The id and the face of each component, from the templates of its group with names in braces.

use super::Attribute;
use super::schema::{Checker, Field};
use crate::catalogue::message;
use crate::diagnostic::{Diagnostic, listed};
use std::sync::Arc;

/// Longest value of an attribute and longest id, in characters.
pub(super) const MAX_WORD_CHARS: usize = 64;
/// Longest face, in characters.
pub(super) const MAX_FACE_CHARS: usize = 256;

/// A component while it is made.
pub(super) struct Draft {
    pub(super) attributes: Vec<(String, Attribute)>,
    /// Number of the copy, from 1.
    pub(super) copy: usize,
    pub(super) has_copies: bool,
    pub(super) sides: Arc<[String]>,
}

impl Draft {
    /// The id, with everything in braces filled in.
    pub(super) fn id(&self, template: &Field<'_>, checker: &mut Checker) -> Option<String> {
        let mut id = String::new();
        for part in parts(template, checker)? {
            match part {
                TemplatePart::Plain(text) => id.push_str(text),
                TemplatePart::Braced("copy") => id.push_str(&self.copy.to_string()),
                TemplatePart::Braced(name) => match self.attribute(name) {
                    Some(Attribute::Number(number)) => id.push_str(&number.to_string()),
                    Some(Attribute::Word(word)) => id.push_str(word),
                    None => return self.refuse_part(template, name, &["copy"], checker),
                },
            }
            // Checked at every part, so that a long template cannot become a far longer id.
            if id.chars().nth(MAX_WORD_CHARS).is_some() {
                let message = message!("an id is longer than {MAX_WORD_CHARS} characters");
                return checker.refuse(Diagnostic::new(message).at(template.node.place("this makes the id")));
            }
        }
        let is_bad = |character: char| character.is_whitespace() || character.is_control() || character == ',';
        if id.is_empty() || id.contains(is_bad) {
            return checker.refuse(
                Diagnostic::new(message!("`{id}` cannot be the id of a component"))
                    .at(template.node.place("this makes the id"))
                    .help("ids are typed as answers, so they have no spaces and no commas"),
            );
        }
        Some(id)
    }

    /// The face, in which attributes stay in braces: the table knows how to draw their values.
    pub(super) fn face(&self, template: &Field<'_>, id: &str, checker: &mut Checker) -> Option<String> {
        let mut face = String::new();
        for part in parts(template, checker)? {
            match part {
                TemplatePart::Plain(text) => face.push_str(text),
                TemplatePart::Braced("copy") => face.push_str(&self.copy.to_string()),
                TemplatePart::Braced("id") => face.push_str(id),
                TemplatePart::Braced(name @ ("side" | "value")) if !self.sides.is_empty() => {
                    face.extend(["{", name, "}"])
                }
                TemplatePart::Braced(name) if self.attribute(name).is_some() => face.extend(["{", name, "}"]),
                TemplatePart::Braced(name) => return self.refuse_part(template, name, &["copy", "id"], checker),
            }
            if face.chars().nth(MAX_FACE_CHARS).is_some() {
                let message = message!("a face is longer than {MAX_FACE_CHARS} characters");
                return checker.refuse(Diagnostic::new(message).at(template.node.place("this makes the face")));
            }
        }
        Some(face)
    }

    fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|(attribute, _)| attribute == name).map(|(_, value)| value)
    }

    fn refuse_part(&self, template: &Field<'_>, name: &str, others: &[&str], checker: &mut Checker) -> Option<String> {
        let names = || self.attributes.iter().map(|(name, _)| name.as_str()).chain(others.iter().copied());
        let trouble = Diagnostic::new(message!("`{}` names an attribute `{name}` that is not there", template.path))
            .at(template.node.place(message!("no attribute `{name}`")))
            .near(name, names());
        checker.refuse(trouble.help(message!("braces may hold {}", listed(names()))))
    }
}

pub(super) enum TemplatePart<'a> {
    Plain(&'a str),
    /// A name in braces.
    Braced(&'a str),
}

/// Splits a template at its braces.
pub(super) fn parts<'a>(template: &Field<'a>, checker: &mut Checker) -> Option<Vec<TemplatePart<'a>>> {
    let mut rest = template.text(checker)?;
    let mut parts = Vec::new();
    while let Some(brace) = rest.find(['{', '}']) {
        let (plain, braced) = rest.split_at(brace);
        let inside = braced.strip_prefix('{').and_then(|inside| inside.split_once('}'));
        let Some((name, after)) = inside.filter(|(name, _)| !name.contains('{')) else {
            let place = template.node.place("a brace without its other half");
            return checker.refuse(Diagnostic::new(message!("`{}` has one brace too many", template.path)).at(place));
        };
        parts.extend([TemplatePart::Plain(plain), TemplatePart::Braced(name)]);
        rest = after;
    }
    parts.push(TemplatePart::Plain(rest));
    Some(parts)
}
