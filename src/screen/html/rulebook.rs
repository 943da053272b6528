//! A rulebook as a page, to read and to print.

use super::parts::Pictures;
use super::table::{DRAWING, Drawer, Slot, is_empty, line, skeleton, slots};
use super::{Frame, escape};
use crate::catalogue::message;
use crate::definition::Language;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::FileFormat;
use crate::playthrough::Playthrough;
use crate::prose::{Passage, Piece};
use crate::screen::rulebook::markdown::start_scene;
use crate::screen::rulebook::prose::{example_scene, tag};
use crate::screen::rulebook::{Block, DrawnExample, Faces, Fact, LocalText, Row, Rule, Rulebook, Table, words};
use crate::screen::{Scene, Sight, fill};
use crate::table::names::Names;

/// The file format of a rulebook's page.
pub const RULEBOOK: FileFormat =
    FileFormat { name: "a page of a rulebook", beginning: "<!doctype html>\n<!-- houserule: rulebook -->" };

/// The maximum size of a page in bytes.
const MAX_BYTES: usize = 16 << 20;

/// The width of lines laid out as in a terminal, in columns; it fits on a phone.
const COLUMNS: usize = 44;

const STYLE: &str = include_str!("rulebook.css");

/// Makes the page of a rulebook.
///
/// # Errors
/// The page would be too large.
pub fn page(book: &Rulebook) -> Result<String, Diagnostics> {
    let mut writer = Writer { book, pictures: Pictures::default() };
    let body = writer.body();
    if body.len() > MAX_BYTES {
        let message = message!("the rulebook would be larger than {} MiB", MAX_BYTES >> 20);
        return Err(Diagnostic::new(message).help("shorten the texts and data of the game").into());
    }
    let names = Names { layout: &book.start.loaded().layout, language: book.language };
    let body = format!("{}{body}", writer.pictures.symbols(names));
    let style = format!("{DRAWING}{STYLE}");
    let frame = Frame {
        format: RULEBOOK,
        language: book.language,
        title: &book.title,
        style: &style,
        script: None,
        is_live: false,
    };
    Ok(frame.around(&body))
}

struct Writer<'a> {
    book: &'a Rulebook,
    pictures: Pictures,
}

impl Writer<'_> {
    fn body(&mut self) -> String {
        let book = self.book;
        let words = words(book.language);
        let mut out = String::new();
        if !book.variants.is_empty() {
            let all: Vec<usize> = (0..book.variants.len()).collect();
            out.push_str(&format!("<p class=\"with\">{}</p>\n", self.marks(&all)));
        }
        out.push_str(&format!("<p class=\"lead\">{}</p>\n<dl>\n", escape(&book.about)));
        for (name, value) in &book.facts {
            out.push_str(&format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name), escape(value)));
        }
        out.push_str(&format!(
            "</dl>\n<nav aria-labelledby=\"contents\">\n<h2 id=\"contents\">{}</h2>\n<ol class=\"contents\">\n",
            words.contents
        ));
        for section in &book.sections {
            out.push_str(&format!("<li><a href=\"#{}\">{}</a></li>\n", section.id, self.said(&section.title)));
        }
        out.push_str("</ol>\n</nav>\n");
        for section in &book.sections {
            let class = if section.has_page { "chapter page" } else { "chapter" };
            let (id, title, marks) = (&section.id, self.said(&section.title), self.marks(&section.by));
            out.push_str(&format!("<section class=\"{class}\">\n<h2 id=\"{id}\">{title}{marks}</h2>\n"));
            for block in &section.blocks {
                self.block(&mut out, block);
            }
            out.push_str("</section>\n");
        }
        out.push_str(&format!("<footer><p>{}</p></footer>\n", escape(words.made_with)));
        out
    }

    fn block(&mut self, out: &mut String, block: &Block) {
        match block {
            Block::Text(text) => out.push_str(&format!("<p>{}</p>\n", escape(text))),
            Block::Variants => {
                out.push_str("<dl class=\"variants\">\n");
                for (number, variant) in self.book.variants.iter().enumerate() {
                    let made = variant.made.join(" · ");
                    let made =
                        if made.is_empty() { made } else { format!(" <span class=\"note\">{}</span>", escape(&made)) };
                    out.push_str(&format!(
                        "<div><dt>{}</dt><dd>{}{made}</dd></div>\n",
                        self.marks(&[number]),
                        escape(&variant.about)
                    ));
                }
                out.push_str("</dl>\n");
            }
            Block::Faces(faces) => self.faces(out, faces),
            Block::Table(table) => self.table(out, table),
            Block::Rules(rules) => rules.iter().for_each(|rule| self.rule(out, rule)),
            Block::Start(about) => self.start(out, about),
            Block::Prose(passage, by, language) => self.passage(out, passage, *by, *language),
            Block::Example(example) => self.example(out, example),
        }
    }

    /// Labels with the names of variants that contribute to something.
    fn marks(&self, by: &[usize]) -> String {
        by.iter()
            .map(|number| format!(" <span class=\"by-variant\">{}</span>", escape(self.book.variant(*number))))
            .collect()
    }

    fn said(&self, said: &LocalText) -> String {
        let text = escape(&said.text);
        match said.language == self.book.language {
            true => text,
            false => format!("<span lang=\"{}\">{text}</span>", said.language.code()),
        }
    }

    fn faces(&mut self, out: &mut String, faces: &Faces) {
        let names = Names { layout: &self.book.start.loaded().layout, language: self.book.language };
        let marks = self.marks(&faces.by);
        out.push_str(&format!("<h3>{}{marks}</h3>\n<ul class=\"deck\">\n", escape(&faces.title)));
        for (fronts, count) in &faces.fronts {
            let count = if *count > 1 { format!("<span class=\"count\">×{count}</span>") } else { String::new() };
            let sides: Vec<String> = fronts.iter().map(|front| self.pictures.face(names, *front)).collect();
            out.push_str(&format!("<li>{}{count}</li>\n", sides.join("<span class=\"or\">/</span>")));
        }
        if faces.more > 0 {
            let more = fill(words(self.book.language).more, &[&faces.more]);
            out.push_str(&format!("<li>{}</li>\n", escape(&more)));
        }
        out.push_str("</ul>\n");
    }

    fn pieces(&self, pieces: &[Piece]) -> String {
        let said = pieces.iter().map(|Piece { text, stress, by }| {
            let text = match tag(*stress) {
                Some(tag) => format!("<{tag}>{}</{tag}>", escape(text)),
                None => escape(text),
            };
            match by.is_empty() {
                true => text,
                false => format!("<span class=\"changed\">{text}</span>{}", self.marks(by)),
            }
        });
        said.collect()
    }

    /// A passage of prose, marked if the variant `by` adds it to another layer's chapter.
    fn passage(&self, out: &mut String, passage: &Passage, by: Option<usize>, language: Language) {
        let lang = match language == self.book.language {
            true => String::new(),
            false => format!(" lang=\"{}\"", language.code()),
        };
        let mark = self.book.mark_of(passage, by);
        let mark = mark.map(|by| format!("{} ", self.marks(&[by]).trim())).unwrap_or_default();
        let class = if by.is_some() { " class=\"changed-rule\"" } else { "" };
        match passage {
            Passage::Paragraph(pieces) => {
                out.push_str(&format!("<p{class}{lang}>{mark}{}</p>\n", self.pieces(pieces)));
            }
            Passage::Heading(pieces) => out.push_str(&format!("<h3{lang}>{}</h3>\n", self.pieces(pieces))),
            Passage::List { is_numbered, items } => {
                let tag = if *is_numbered { "ol" } else { "ul" };
                out.push_str(&format!("<{tag} class=\"prose\"{lang}>\n"));
                for item in items {
                    out.push_str(&format!("<li>{mark}{}</li>\n", self.pieces(item)));
                }
                out.push_str(&format!("</{tag}>\n"));
            }
            Passage::Table(rows) => {
                out.push_str(&format!("<div class=\"wide\" tabindex=\"0\"><table class=\"plain\"{lang}>\n"));
                for (number, row) in rows.iter().enumerate() {
                    out.push_str("<tr>");
                    for (column, cell) in row.iter().enumerate() {
                        let cell = self.pieces(cell);
                        match (number, column) {
                            (0, _) => out.push_str(&format!("<th scope=\"col\">{cell}</th>")),
                            (_, 0) => out.push_str(&format!("<th scope=\"row\">{cell}</th>")),
                            _ => out.push_str(&format!("<td>{cell}</td>")),
                        }
                    }
                    out.push_str("</tr>\n");
                }
                out.push_str("</table></div>\n");
            }
            // On a page, faces are drawn as components.
            Passage::Faces(_) => {}
        }
    }

    /// A scenario: the table, the choices and their results, and the table afterwards.
    fn example(&mut self, out: &mut String, example: &DrawnExample) {
        let words = words(self.book.language);
        let title = self.said(&example.title);
        out.push_str(&format!(
            "<figure class=\"example\">\n<figcaption><strong>{}</strong> {title}</figcaption>\n",
            words.example
        ));
        if let Some((head, game)) = &example.before {
            self.moment(out, head, game);
        }
        if !example.story.is_empty() {
            let story: String = example.story.iter().map(|told| format!("<li>{}</li>", line(told))).collect();
            out.push_str(&format!("<ul class=\"prose\">{story}</ul>\n"));
        }
        let (head, game) = &example.after;
        self.moment(out, head, game);
        out.push_str("</figure>\n");
    }

    /// The table of an example, without its open decision, which the text describes.
    fn moment(&mut self, out: &mut String, head: &str, game: &Playthrough) {
        let scene = example_scene(game, self.book.language);
        out.push_str(&format!("<p class=\"note\">{head}</p>\n"));
        self.drawn_table(out, &scene, |slot| !matches!(slot, Slot::Progress | Slot::Question));
    }

    fn table(&self, out: &mut String, table: &Table) {
        out.push_str("<div class=\"wide\" tabindex=\"0\"><table class=\"facts\">\n");
        if !table.title.is_empty() {
            out.push_str(&format!("<caption>{}</caption>\n", escape(&table.title)));
        }
        let heads: String = table.heads.iter().map(|head| format!("<th scope=\"col\">{}</th>", escape(head))).collect();
        out.push_str(&format!("<thead><tr>{heads}</tr></thead>\n<tbody>\n"));
        for Row { cells, by } in &table.rows {
            let class = if by.is_empty() { "" } else { " class=\"changed-row\"" };
            out.push_str(&format!("<tr{class}>"));
            for (number, (cell, head)) in cells.iter().zip(&table.heads).enumerate() {
                let said = self.said(cell);
                match number {
                    0 => out.push_str(&format!("<th scope=\"row\">{said}{}</th>", self.marks(by))),
                    _ => out.push_str(&format!("<td data-head=\"{}\">{said}</td>", escape(head))),
                }
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody>\n</table></div>\n");
    }

    fn rule(&self, out: &mut String, rule: &Rule) {
        let number = format!("<span class=\"number-of\">{}</span>", rule.number);
        let tag = (rule.depth + 2).clamp(3, 5);
        out.push_str(&format!("<div class=\"rule depth-{}\">\n", rule.depth));
        if !rule.number.is_empty() {
            let name = if rule.name.is_empty() { String::new() } else { format!(" {}", escape(&rule.name)) };
            out.push_str(&format!("<h{tag}>{number}{name}</h{tag}>\n"));
        }
        for text in &rule.texts {
            let mark = text.by.map(|by| format!("{} ", self.marks(&[by]).trim())).unwrap_or_default();
            let said = self.said(&text.said);
            match text.is_replaced {
                true => {
                    let instead = escape(words(self.book.language).instead);
                    out.push_str(&format!("<p class=\"replaced\">{mark}{instead}: <del>{said}</del></p>\n"));
                }
                false if text.by.is_some() => out.push_str(&format!("<p class=\"changed-rule\">{mark}{said}</p>\n")),
                false => out.push_str(&format!("<p>{said}</p>\n")),
            }
        }
        if !rule.facts.is_empty() {
            out.push_str("<ul class=\"steps-of-rule\">\n");
            for Fact { kind, text, options, by } in &rule.facts {
                let options: String =
                    options.iter().map(|option| format!(" <span class=\"option\">{}</span>", escape(option))).collect();
                let mark = by.map(|by| self.marks(&[by])).unwrap_or_default();
                out.push_str(&format!(
                    "<li><span class=\"kind\">{}:</span> <strong>{}</strong>{options}{mark}</li>\n",
                    kind.words(self.book.language),
                    escape(text)
                ));
            }
            out.push_str("</ul>\n");
        }
        out.push_str("</div>\n");
    }

    /// The table at the first decision, as the first player sees it.
    fn start(&mut self, out: &mut String, about: &str) {
        let scene = Scene { width: COLUMNS, ..start_scene(self.book) };
        out.push_str(&format!("<figure>\n<figcaption>{}</figcaption>\n", escape(about)));
        self.drawn_table(out, &scene, |_| true);
        out.push_str("</figure>\n");
    }

    /// A table with the selected slots that have content.
    fn drawn_table(&mut self, out: &mut String, scene: &Scene<'_>, is_shown: impl Fn(Slot) -> bool) {
        let sight = Sight::of(scene);
        let plan: Vec<Slot> = slots(sight.layout).into_iter().filter(|slot| is_shown(*slot)).collect();
        let contents = plan.iter().map(|slot| {
            let is_cell = matches!(slot, Slot::Zone(zone) if sight.layout.cell(*zone).is_some());
            let content = Drawer { sight: &sight, pictures: &mut self.pictures, has_places: false }.content(*slot);
            (is_cell || !is_empty(&content)).then_some(content)
        });
        let contents: Vec<Option<String>> = contents.collect();
        let of_slot = |wanted| {
            let number = plan.iter().position(|slot| *slot == wanted)?;
            Some((number, contents.get(number)?.clone()?))
        };
        out.push_str(&skeleton(&sight, &of_slot, false, false));
    }
}
