//! The check of SVG pictures: everything that is not known to be harmless is refused.

use super::picture::PictureError;
use crate::sorted::{SortedMap, SortedSet};
use roxmltree::{Attribute, Document, Node, ParsingOptions};

/// Most elements that an SVG may draw, each counted as often as `use` repeats it.
const MAX_DRAWN_ELEMENTS: u64 = 100_000;

/// Most attributes of an element of an SVG.
const MAX_ATTRIBUTES: usize = 300;

/// Longest chain of `use` elements in an SVG.
const MAX_USE_CHAIN: usize = 64;

const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";
const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// What an SVG may have, in lines of words, of which the first says what the others are.
const ALLOWED_NAMES: &str = include_str!("svg.txt");

/// Beginnings of the namespaces of data that only an editor reads.
const EDITOR_NAMESPACES: [&str; 11] = [
    "http://creativecommons.org/ns#",
    "http://krita.org/namespaces/svg/",
    "http://ns.adobe.com/",
    "http://purl.org/dc/",
    "http://sodipodi.sourceforge.net/",
    "http://vectornator.io",
    "http://web.resource.org/cc/",
    "http://www.bohemiancoding.com/sketch/",
    "http://www.inkscape.org/namespaces/",
    "http://www.serif.com/",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
];

/// Checks that the text of an SVG is harmless.
///
/// # Errors
/// The text is no SVG, or one that is not known to be harmless.
pub(super) fn check_svg(text: &str) -> Result<(), PictureError> {
    let written = text.trim_start_matches('\u{feff}');
    if !written.trim_start().starts_with('<') {
        return Err(PictureError::new("it is not an SVG"));
    }
    if !is_read_as_utf8(written) {
        return Err(PictureError::new("it says that it is not UTF-8"));
    }
    // The parser compares each attribute of an element, and each namespace around it, with all others; no value of an
    // attribute has a `<` in it.
    let is_long = |tag: &str| tag.matches('=').count() > MAX_ATTRIBUTES;
    if text.split('<').any(is_long) || text.matches("xmlns").count() > MAX_ATTRIBUTES {
        return Err(PictureError::new("it has too many attributes or namespaces"));
    }
    let options = ParsingOptions { allow_dtd: has_known_type(text), ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        PictureError::new(match error {
            roxmltree::Error::DtdDetected => "it has a document type of its own, `<!DOCTYPE …>`",
            _ => "it is not well-formed XML",
        })
    })?;
    if !document.root_element().has_tag_name((SVG, "svg")) {
        return Err(PictureError::new("its root is not `svg` with `xmlns=\"http://www.w3.org/2000/svg\"`"));
    }
    let known = AllowedNames::default();
    for node in document.descendants() {
        known.judge(node)?;
    }
    if count_drawn_elements(&document) > MAX_DRAWN_ELEMENTS {
        return Err(PictureError::new("its parts use each other too often"));
    }
    Ok(())
}

/// Whether a text has no document type except those that editors write, which declare nothing in the text.
fn has_known_type(text: &str) -> bool {
    text.split("<!DOCTYPE").skip(1).all(|rest| {
        let declared: Vec<&str> = rest.split('>').next().unwrap_or_default().split_whitespace().collect();
        let declared = declared.join(" ");
        ALLOWED_NAMES.lines().any(|line| line.strip_prefix("type ") == Some(&*declared))
    })
}

/// Whether the XML declaration of a text, if any, names no other encoding than UTF-8.
fn is_read_as_utf8(text: &str) -> bool {
    let Some((declaration, _)) = text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")) else { return true };
    let declared = declaration.replace('\'', "\"").to_ascii_lowercase();
    let known = ["version=\"1.0\"", "encoding=\"utf-8\"", "standalone=\"yes\"", "standalone=\"no\""];
    declared.split_whitespace().all(|part| known.contains(&part))
}

/// The names that an SVG may have: elements, attributes with values to be checked, other attributes, CSS functions.
struct AllowedNames {
    elements: SortedSet<&'static str>,
    values: SortedSet<&'static str>,
    words: SortedSet<&'static str>,
    functions: SortedSet<&'static str>,
}

impl Default for AllowedNames {
    fn default() -> Self {
        let lines = ALLOWED_NAMES.lines().filter_map(|line| line.split_once(' '));
        let all =
            |kind: &str| lines.clone().filter(|(of, _)| *of == kind).flat_map(|(_, words)| words.split(' ')).collect();
        Self { elements: all("element"), values: all("value"), words: all("word"), functions: all("function") }
    }
}

impl AllowedNames {
    fn judge(&self, node: Node<'_, '_>) -> Result<(), PictureError> {
        let refused = |why| Err(PictureError { why, at: node.range() });
        if node.is_pi() {
            return refused("it tells programs what to do, `<?…?>`");
        }
        if !node.is_element() {
            return Ok(());
        }
        let name = node.tag_name();
        match name.namespace() {
            Some(SVG) => match name.name() {
                "script" => return refused("it has a script in it"),
                "foreignObject" => return refused("it has a page in it"),
                name if !self.elements.contains(name) => {
                    return refused("it has an element that no printed picture needs");
                }
                "style" => {
                    let rules: String =
                        node.children().filter(Node::is_text).filter_map(|inner| inner.text()).collect();
                    self.judge_css(&rules).map_err(|why| PictureError { why, at: node.range() })?;
                }
                _ => {}
            },
            Some(space) if is_editor_namespace(space) => return Ok(()),
            _ => return refused("it has an element of another language"),
        }
        node.attributes().try_for_each(|attribute| {
            let judged = self.judge_attribute(name.name(), &attribute);
            judged.map_err(|why| PictureError { why, at: attribute.range() })
        })
    }

    fn judge_attribute(&self, element: &str, attribute: &Attribute<'_, '_>) -> Result<(), &'static str> {
        let name = attribute.name();
        match attribute.namespace() {
            None | Some(XLINK) if name == "href" => {
                let address = attribute.value().trim();
                let is_inside = address.starts_with('#') || element == "image" && is_image_within(address);
                if is_inside { Ok(()) } else { Err(EXTERNAL_REFERENCE) }
            }
            None if name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("on")) => Err("it has a script in it"),
            None if self.words.contains(name) || name.starts_with("data-") || name.starts_with("aria-") => Ok(()),
            None if self.values.contains(name) => self.judge_css(attribute.value()),
            Some(XML) if matches!(name, "id" | "lang" | "space") => Ok(()),
            Some(XLINK) if matches!(name, "actuate" | "show" | "title" | "type") => Ok(()),
            Some(space) if is_editor_namespace(space) => Ok(()),
            _ => Err("it has an attribute that no printed picture needs"),
        }
    }

    /// Checks CSS for what could load something: rules with `@`, functions, and anything hidden by an escape.
    fn judge_css(&self, css: &str) -> Result<(), &'static str> {
        if css.contains('\\') {
            return Err("it has an escape in its style");
        }
        if css.contains('@') {
            return Err("it has a rule with `@` in its style");
        }
        for (at, _) in css.match_indices('(') {
            let (before, behind) = (css.get(..at).unwrap_or_default(), css.get(at + 1..).unwrap_or_default());
            let is_of_name = |letter: char| letter.is_alphanumeric() || "-_".contains(letter) || !letter.is_ascii();
            let start = before.trim_end_matches(is_of_name).len();
            let name = before.get(start..).unwrap_or_default().to_ascii_lowercase();
            if !name.is_empty() && !self.functions.contains(&*name) {
                return Err("it has a function in its style that no printed picture needs");
            }
            let address = behind.trim_start().trim_start_matches(['"', '\'']);
            if name == "url" && !address.starts_with('#') && !is_image_within(address) {
                return Err(EXTERNAL_REFERENCE);
            }
        }
        Ok(())
    }
}

const EXTERNAL_REFERENCE: &str = "it refers to something outside of it";

/// Whether an address contains a PNG or JPEG picture itself.
fn is_image_within(address: &str) -> bool {
    let start = address.get(..22).unwrap_or_default().to_ascii_lowercase();
    ["data:image/png;base64,", "data:image/jpeg;base64"].contains(&&*start)
}

/// Whether a namespace is that of data that only an editor reads.
fn is_editor_namespace(namespace: &str) -> bool {
    EDITOR_NAMESPACES.iter().any(|editor| namespace.starts_with(editor))
}

/// Number of elements that are drawn, each as often as `use` repeats it; above [`MAX_DRAWN_ELEMENTS`] where that has no
/// end.
fn count_drawn_elements(document: &Document<'_>) -> u64 {
    // The numbers of nodes grow in the order in which they are written.
    let all: Vec<Node<'_, '_>> = document.descendants().collect();
    let ids: SortedMap<&str, usize> =
        all.iter().rev().filter_map(|node| Some((node.attribute("id")?, node.id().get_usize()))).collect();
    let used: Vec<Option<usize>> = all
        .iter()
        .map(|node| {
            let is_href = |attribute: &Attribute<'_, '_>| attribute.name() == "href";
            let href = node.attributes().find(is_href).filter(|_| node.has_tag_name((SVG, "use")))?;
            ids.get(href.value().trim().strip_prefix('#')?).copied()
        })
        .collect();
    let mut counts = vec![1_u64; all.len()];
    for _ in 0..MAX_USE_CHAIN {
        let before = counts.clone();
        let mut within = vec![0_u64; all.len()];
        for (number, node) in all.iter().enumerate().rev() {
            let used = used[number].map_or(0, |used| counts[used]);
            counts[number] = (1 + within[number] + used).min(MAX_DRAWN_ELEMENTS + 1);
            if let Some(parent) = node.parent() {
                within[parent.id().get_usize()] += counts[number];
            }
        }
        if counts == before {
            return counts[0];
        }
    }
    MAX_DRAWN_ELEMENTS + 1
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::definition::picture::check_picture;

    const TYPE: &str = "svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\"";

    fn svg(inside: &str) -> String {
        format!("<svg xmlns=\"{SVG}\" xmlns:xlink=\"{XLINK}\" viewBox=\"0 0 9 9\">{inside}</svg>")
    }

    #[track_caller]
    fn refused(inside: &str, why: &str) {
        let unfit = check_picture("a.svg", svg(inside).as_bytes());
        assert_eq!(unfit.map_err(|unfit| unfit.why), Err(why), "{:.200}", inside);
    }

    #[test]
    fn what_could_act_is_no_picture() {
        const SCRIPT: &str = "it has a script in it";
        const ELEMENT: &str = "it has an element that no printed picture needs";
        const ATTRIBUTE: &str = "it has an attribute that no printed picture needs";
        const LANGUAGE: &str = "it has an element of another language";
        const ESCAPE: &str = "it has an escape in its style";
        const STYLE: &str = "it has a rule with `@` in its style";
        const FUNCTION: &str = "it has a function in its style that no printed picture needs";
        for (inside, why) in [
            ("<script>alert(1)</script>", SCRIPT),
            ("<x:script xmlns:x='http://www.w3.org/2000/svg'/>", SCRIPT),
            ("<g onload='x'/>", SCRIPT),
            ("<g id='a>b' onLoad = 'x'/>", SCRIPT),
            ("<ScRipt/>", ELEMENT),
            ("<a href=' javascript:x'/>", ELEMENT),
            ("<set attributeName='href' to='java&#115;cript:alert(1)'/>", ELEMENT),
            ("<animate/>", ELEMENT),
            ("<foreignObject/>", "it has a page in it"),
            ("<script xmlns='http://www.w3.org/1999/xhtml'>alert(1)</script>", LANGUAGE),
            ("<g xmlns=''/>", LANGUAGE),
            ("<x:script xmlns:x='http://www.serif.com/'><script/></x:script>", SCRIPT),
            ("<g><?xml-stylesheet href='a.css'?></g>", "it tells programs what to do, `<?…?>`"),
            ("<image xlink:href=\"https://example.org/a.png\"/>", EXTERNAL_REFERENCE),
            ("<image href='data:image/svg+xml;base64,x'/>", EXTERNAL_REFERENCE),
            ("<use href='data:image/png;base64,x'/>", EXTERNAL_REFERENCE),
            ("<use href='&#104;ttp://example.org/a.svg#a'/>", EXTERNAL_REFERENCE),
            ("<g style='fill:url( \"http://a\")'/>", EXTERNAL_REFERENCE),
            ("<g fill='URL(//a)'/>", EXTERNAL_REFERENCE),
            ("<g fill='u\\72l(//a)'/>", ESCAPE),
            ("<style>g{fill:u\\72l(//a)}</style>", ESCAPE),
            ("<style>@\\69mport '//a'</style>", ESCAPE),
            ("<style>@<!-- -->import '//a'</style>", STYLE),
            ("<style><![CDATA[@import '//a']]></style>", STYLE),
            ("<style>g{background:image-set('//a' 1x)}</style>", FUNCTION),
            ("<g style='width:expression(alert(1))'/>", FUNCTION),
            ("<g xml:base='http://a/'/>", ATTRIBUTE),
            ("<g src='a'/>", ATTRIBUTE),
            ("<g x:onload='a' xmlns:x='http://www.w3.org/2001/xml-events'/>", ATTRIBUTE),
            ("<g>", "it is not well-formed XML"),
            ("<g a='1' a='2'/>", "it is not well-formed XML"),
            ("&a;", "it is not well-formed XML"),
        ] {
            refused(inside, why);
        }
        for (text, why) in [
            (
                format!("<!DOCTYPE svg SYSTEM 'file:///etc/passwd'>{}", svg("")),
                "it has a document type of its own, `<!DOCTYPE …>`",
            ),
            (
                format!("<!DOCTYPE svg [<!ENTITY a 'b'>]>{}", svg("&a;")),
                "it has a document type of its own, `<!DOCTYPE …>`",
            ),
            (
                format!("<!--<!DOCTYPE {}>--><!DOCTYPE {} [<!ENTITY a 'b'>]>{}", TYPE, TYPE, svg("&a;")),
                "it has a document type of its own, `<!DOCTYPE …>`",
            ),
            (format!("<?xml version='1.0' encoding='UTF-7'?>{}", svg("")), "it says that it is not UTF-8"),
            (
                format!("<?xml version='1.0' x='utf-8' encoding='ISO-2022-JP'?>{}", svg("")),
                "it says that it is not UTF-8",
            ),
            (
                "<html xmlns='http://www.w3.org/1999/xhtml'/>".to_owned(),
                "its root is not `svg` with `xmlns=\"http://www.w3.org/2000/svg\"`",
            ),
            ("<svg/>".to_owned(), "its root is not `svg` with `xmlns=\"http://www.w3.org/2000/svg\"`"),
            ("GIF89a".to_owned(), "it is not an SVG"),
            (String::new(), "it is not an SVG"),
        ] {
            assert_eq!(check_picture("a.svg", text.as_bytes()).unwrap_err().why, why, "{text}");
        }
        assert_eq!(check_picture("a.svg", b"\xff\xfe").unwrap_err().why, "it is not text, as an SVG is");
    }

    #[test]
    fn what_is_plainly_harmless_is_a_picture() {
        for inside in [
            "<defs><path id='a' d='M0 0'/></defs><use xlink:href='#a' fill='url(#b)' style=\"fill:url( '#b' )\"/>",
            "<style type='text/css'><![CDATA[.a:not(.b){fill:#fff;transform:rotate(3deg)}]]></style>",
            "<title>A (small) crown: a &lt; b @ home \\</title><g data-name='x(1)' class='a' aria-label='it (b)'/>",
            "<image width='1' height='1' href='data:image/png;base64,iVBORw0KGgo='/>",
            "<sodipodi:namedview xmlns:sodipodi='http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd' pagecolor='#fff'/>",
            "<g xmlns:inkscape='http://www.inkscape.org/namespaces/inkscape' inkscape:label='C:\\a' xml:space='preserve'/>",
        ] {
            let text = format!(
                "\u{feff}<?xml version=\"1.0\" encoding='UTF-8'?>\n<!-- made by hand -->\n<!DOCTYPE\n{}>\n{}\n",
                TYPE,
                svg(inside)
            );
            assert_eq!(check_picture("a.svg", text.as_bytes()), Ok("image/svg+xml"), "{text}");
        }
    }

    #[test]
    fn a_picture_that_would_never_be_drawn_is_refused_at_once() {
        let doubled = |depth: usize| {
            let level = |n: usize| format!("<g id='a{}'><use href='#a{n}'/><use href='#a{n}'/></g>", n + 1);
            format!("<g id='a0'/>{}", (0..depth).map(level).collect::<String>())
        };
        assert_eq!(check_picture("a.svg", svg(&doubled(9)).as_bytes()), Ok("image/svg+xml"));
        refused(&doubled(40), "its parts use each other too often");
        refused("<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>", "its parts use each other too often");
        let deep = format!("{}{}", "<g>".repeat(30_000), "</g>".repeat(30_000));
        assert_eq!(check_picture("a.svg", svg(&deep).as_bytes()), Ok("image/svg+xml"));
        let within = format!("{}{}", "<style>".repeat(15_000), "</style>".repeat(15_000));
        assert_eq!(check_picture("a.svg", svg(&within).as_bytes()), Ok("image/svg+xml"));
        let wide: String = (0..14_000).map(|number| format!(" data-{number}=''")).collect();
        refused(&format!("<g{wide}/>"), "it has too many attributes or namespaces");
        let named = |number: usize| {
            format!("<a:g xmlns:a='http://ns.adobe.com/{number}' xmlns:b{number}='http://ns.adobe.com/b'>")
        };
        let spaces: String = (0..2_800).map(named).collect();
        refused(&format!("{spaces}{}", "</a:g>".repeat(2_800)), "it has too many attributes or namespaces");
    }
}
