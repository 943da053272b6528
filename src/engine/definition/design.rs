//! `[looks]`: the printed design of components. Looks are no rules: play is the same without them.

use super::Text;
use super::attributes::declared_attributes;
use super::keys::KeyInfo;
use super::keys::table::{component, design, overlaid, part};
use super::measure::{Size, card_size};
use super::schema::{Checker, Field, Fields};
use super::sign::{SIGNS, Sign};
use super::templates::{TemplatePart, parts};
use super::tree::Value;
use crate::catalogue::message;
use crate::diagnostic::{Diagnostic, Place, listed, unknown};
use crate::sorted::SortedMap;

/// Longest text on a component, in characters.
const MAX_CHARS: usize = 1_000;

/// File name extensions of pictures: first a text format, then a binary one.
pub const PICTURE_EXTENSIONS: [&str; 2] = [".svg", ".png"];

/// The printed design of the components of a group; what is `None` follows their faces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Design {
    /// Where the attribute value is written, in the design for one value; `None` in the design of a whole group.
    pub place: Option<Place>,
    /// Size of the components, and where it is written.
    pub size: Option<(Size, Place)>,
    /// Text at the top. In all texts of a design, names of attributes may stand in braces.
    pub title: Option<Text>,
    /// The text below the title.
    pub text: Option<Text>,
    /// Text in the corners.
    pub corner: Option<Text>,
    /// Text in the lower corner, if it differs.
    pub corner_below: Option<Text>,
    /// The sign or picture in the middle.
    pub icon: Option<Icon>,
    /// Text on the back.
    pub back: Option<Text>,
    /// Designs for single attribute values: attribute, value, design. Later ones override earlier ones, and all of them
    /// override the fields above.
    pub of: Vec<(String, String, Design)>,
}

/// The name of a sign of the program, or of the designer's own picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Icon {
    /// The name as written, with names of attributes in braces.
    pub written: String,
    /// Where the name is written in the file.
    pub place: Place,
}

impl Icon {
    /// Whether `name` is that of a file, not of a sign.
    pub fn is_picture(name: &str) -> bool {
        name.contains('.')
    }
}

/// Reads `[looks]`. `all` are the tables that declare the components.
pub(super) fn read_designs(groups: &Fields<'_>, all: &Fields<'_>, checker: &mut Checker) -> SortedMap<String, Design> {
    let declared = declared_attributes(all);
    let components = all.read(&mut Checker::new(true), &overlaid::COMPONENTS);
    let known: Vec<&str> = components.iter().flat_map(|groups| groups.table.keys()).collect();
    let mut read = SortedMap::new();
    for (group, field) in groups.each() {
        if !checker.partial && !checker.is_full() && !known.contains(&group) {
            let place = field.key.with_label("no such components");
            checker.report(unknown("group of components", group, known.iter().copied()).at(place));
        }
        let Some(fields) = field.section(checker, &design::SECTION) else { continue };
        let reader = Reader { declared: &declared };
        let mut read_group = reader.design(&fields, checker);
        read_group.size = read_size(&fields, checker);
        read_group.back = reader.text(fields.find(&design::BACK), checker);
        read.insert(group.to_owned(), read_group);
    }
    read
}

/// Reads the size of a group's components; `None` where it gives none.
fn read_size(fields: &Fields<'_>, checker: &mut Checker) -> Option<(Size, Place)> {
    let (written, place) = fields.read_at(checker, &design::SIZE)?;
    match card_size(written) {
        Ok(size) => Some((size, place)),
        Err(errors) => {
            errors.at(place).into_iter().for_each(|error| checker.report(error));
            None
        }
    }
}

/// Reads the keys that a group and a part of it share.
struct Reader<'a> {
    declared: &'a [&'a str],
}

impl Reader<'_> {
    fn design(&self, fields: &Fields<'_>, checker: &mut Checker) -> Design {
        Design {
            title: self.text(fields.find(&design::TITLE), checker),
            text: self.text(fields.find(&design::TEXT), checker),
            corner: self.text(fields.find(&design::CORNER), checker),
            corner_below: self.text(fields.find(&design::CORNER_BELOW), checker),
            icon: fields.find(&design::ICON).and_then(|field| self.icon(&field, checker)),
            of: self.parts(fields, checker),
            ..Design::default()
        }
    }

    /// Reads the designs for single attribute values.
    fn parts(&self, fields: &Fields<'_>, checker: &mut Checker) -> Vec<(String, String, Design)> {
        let mut parts = Vec::new();
        for (attribute, field) in fields.read(checker, &design::OF).iter().flat_map(Fields::each) {
            let is_known = attribute == component::ID.name() || self.declared.binary_search(&attribute).is_ok();
            if !checker.partial && !checker.is_full() && !is_known {
                let place = field.key.with_label("no component has it");
                checker.report(unknown("attribute", attribute, self.declared.iter().copied()).at(place));
            }
            for (value, field) in field.table(checker).iter().flat_map(Fields::each) {
                let Some(fields) = field.section(checker, &part::SECTION) else { continue };
                let part = Design { place: Some(field.key.clone()), ..self.design(&fields, checker) };
                parts.push((attribute.to_owned(), value.to_owned(), part));
            }
        }
        parts
    }

    /// Reads a text in which attributes may be named.
    fn text(&self, field: Option<Field<'_>>, checker: &mut Checker) -> Option<Text> {
        let field = field?;
        let text = field.words(checker)?;
        for (_, said) in text.all() {
            if said.chars().nth(MAX_CHARS).is_some() {
                return field.refuse(checker, message!("at most {MAX_CHARS} characters long"));
            }
            self.check_places(&field, said, checker);
        }
        Some(text)
    }

    /// Checks that braces contain only names of declared attributes.
    fn check_places(&self, field: &Field<'_>, said: &str, checker: &mut Checker) {
        let node = super::tree::Node { value: Value::Text(said.to_owned()), ..field.node.clone() };
        let field = Field::new(field.path.clone(), field.key, &node);
        let Some(parts) = parts(&field, checker) else { return };
        if checker.partial {
            return;
        }
        let is_known = |name: &str| name == "id" || self.declared.binary_search(&name).is_ok();
        for part in parts {
            let TemplatePart::Braced(name) = part else { continue };
            if !is_known(name) && !checker.is_full() {
                let names = || self.declared.iter().copied().chain(["id"]);
                let trouble =
                    Diagnostic::new(message!("`{}` names an attribute `{name}` that is not there", field.path))
                        .at(field.node.place(message!("no attribute `{name}`")))
                        .near(name, names());
                checker.report(trouble.help(message!("braces may hold {}", listed(names()))));
            }
        }
    }

    /// Reads the name of a sign, or of a file beside the one that names it.
    fn icon(&self, field: &Field<'_>, checker: &mut Checker) -> Option<Icon> {
        let written = field.text(checker)?;
        self.check_places(field, written, checker);
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.{}".contains(letter);
        if Icon::is_picture(written) {
            let is_picture = PICTURE_EXTENSIONS.iter().any(|ending| written.ends_with(ending));
            if !is_picture || written.starts_with('.') || !written.chars().all(is_plain) {
                let trouble = field.mismatch_error("the name of an SVG or PNG file");
                let help = "such as `crown.svg`, a file beside this one; its name has letters without accents, digits, `-`, `_` and `.`";
                return checker.refuse(trouble.help(help));
            }
        } else if !written.contains('{') && Sign::named(written).is_none() {
            if checker.is_full() {
                return field.refuse(checker, "the name of a sign");
            }
            let names = || SIGNS.iter().map(|sign| sign.name);
            let trouble = Diagnostic::new(message!("there is no sign `{written}`")).at(field.node.place("not a sign"));
            let trouble = trouble.near(written, names()).help(message!("the signs are {}", listed(names())));
            return checker
                .refuse(trouble.help("a picture of your own is a file beside this one: `crown.svg` or `crown.png`"));
        }
        Some(Icon { written: written.to_owned(), place: field.node.place("") })
    }
}
