//! A report as a self-contained HTML page without scripts, so it can be sent to a friend and opened in ten years. It
//! can be read on a phone, on paper, in dark mode and with screen readers; every plot comes with a table of the same
//! numbers, and nothing is told by colour alone.

use super::number::{self, UNKNOWN};
use super::{Curve, Forest, Histogram, Mark, svg};
use crate::catalogue::{said, spoken};
use crate::files::FileFormat;
use crate::screen::html::Frame;

pub use crate::screen::html::escape;

/// The file format of a report.
pub const REPORT: FileFormat =
    FileFormat { name: "a report", beginning: "<!doctype html>\n<!-- houserule: report -->" };

/// The content of a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// The title, in one line.
    pub title: String,
    /// The question, in a sentence or two. May be empty.
    pub lead: String,
    /// The facts that the report is based on: `Games`, `10,000`.
    pub facts: Vec<(String, String)>,
    /// The sections, in order.
    pub sections: Vec<Section>,
    /// The notes at the end, which explain the numbers.
    pub notes: Vec<String>,
}

/// A section of a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// The blocks, in order.
    pub blocks: Vec<Block>,
}

/// A block of a report.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// A paragraph with a warning.
    Warning(String),
    /// Preformatted text from rules, as a terminal would show it.
    Code(String),
    /// A table of text and numbers.
    Table(Table),
    /// A forest plot.
    Forest(Forest),
    /// A histogram.
    Histogram(Histogram),
    /// A curve.
    Curve(Curve),
}

/// A table of text and numbers. The first column names the row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The title. May be empty.
    pub title: String,
    /// The names of the columns, and whether they contain numbers.
    pub columns: Vec<(String, bool)>,
    /// The rows, each with one cell per column.
    pub rows: Vec<Vec<String>>,
}

/// The report as an HTML file.
pub fn html(page: &Page) -> String {
    let frame =
        Frame { format: REPORT, language: spoken(), title: &page.title, style: "", script: None, is_live: false };
    frame.around(&body(page))
}

/// The report without its frame and title, to embed in another page. It contains ids of plots, so a page can embed only
/// one.
pub fn body(page: &Page) -> String {
    let mut out = String::new();
    if !page.lead.is_empty() {
        out.push_str(&format!("<p class=\"lead\">{}</p>\n", escape(&page.lead)));
    }
    if !page.facts.is_empty() {
        out.push_str("<dl>\n");
        for (name, value) in &page.facts {
            out.push_str(&format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name), escape(value)));
        }
        out.push_str("</dl>\n");
    }
    let mut plots = 0;
    for section in &page.sections {
        out.push_str(&format!("<section>\n<h2>{}</h2>\n", escape(&section.title)));
        for block in &section.blocks {
            put_block(&mut out, block, &mut plots);
        }
        out.push_str("</section>\n");
    }
    if !page.notes.is_empty() {
        out.push_str("<footer>\n");
        for note in &page.notes {
            out.push_str(&format!("<p>{}</p>\n", escape(note)));
        }
        out.push_str("</footer>\n");
    }
    out
}

fn put_block(out: &mut String, block: &Block, plots: &mut usize) {
    *plots += 1;
    let id = format!("plot{plots}");
    match block {
        Block::Text(text) => out.push_str(&format!("<p>{}</p>\n", escape(text))),
        Block::Warning(text) => {
            out.push_str(&format!("<p class=\"warning\"><strong>{}</strong> {}</p>\n", said("Note:"), escape(text)))
        }
        Block::Code(text) => {
            // Line ends are kept.
            let lines: Vec<String> = text.lines().map(escape).collect();
            out.push_str(&format!("<pre tabindex=\"0\">{}</pre>\n", lines.join("\n")));
        }
        Block::Table(table) => put_table(out, table),
        Block::Forest(forest) => put_forest(out, forest),
        Block::Histogram(histogram) => {
            figure(out, &histogram.title, histogram.series.iter().map(|series| &*series.name), true, None);
            out.push_str(&svg::histogram(histogram, &id));
            details(out, &histogram_table(histogram));
        }
        Block::Curve(curve) => {
            figure(out, &curve.title, curve.series.iter().map(|series| &*series.name), false, curve.reference.as_ref());
            out.push_str(&svg::curve(curve, &id));
            details(out, &curve_table(curve));
        }
    }
}

/// The beginning of a figure, with a legend if there are several series or a reference.
fn figure<'a>(
    out: &mut String,
    title: &str,
    series: impl ExactSizeIterator<Item = &'a str>,
    is_histogram: bool,
    reference: Option<&Mark>,
) {
    out.push_str(&format!("<figure>\n<figcaption>{}</figcaption>\n", escape(title)));
    let mut samples = Vec::new();
    if series.len() > 1 {
        samples.extend(series.enumerate().map(|(number, name)| (svg::sample(number, is_histogram), name)));
    }
    samples.extend(reference.map(|mark| (svg::reference_sample(!is_histogram), &*mark.label)));
    put_legend(out, &samples);
}

fn put_legend(out: &mut String, samples: &[(String, &str)]) {
    if !samples.is_empty() {
        let samples: String =
            samples.iter().map(|(sample, name)| format!("<span>{sample} {}</span> ", escape(name))).collect();
        out.push_str(&format!("<p class=\"legend\">{}</p>\n", samples.trim_end()));
    }
}

fn details(out: &mut String, table: &Table) {
    out.push_str(&format!("\n<details><summary>{}</summary>\n", said("As a table")));
    put_table(out, table);
    out.push_str("</details>\n</figure>\n");
}

fn histogram_table(histogram: &Histogram) -> Table {
    let mut columns = vec![(column_title(histogram.unit.name(), said("value")), false)];
    for series in &histogram.series {
        columns.push((column_title(&series.name, said("games")), true));
        columns.push((said("share").to_owned(), true));
    }
    let rows = histogram.bins.iter().enumerate().map(|(number, bin)| {
        let mut row = vec![svg::bin_name(histogram, bin)];
        for series in &histogram.series {
            let games = series.counts.get(number).copied().unwrap_or(0);
            let all = series.counts.iter().sum::<u64>().max(1);
            row.push(number::count(games));
            row.push(number::Unit::share().value(games as f64 / all as f64, 1));
        }
        row
    });
    Table { title: String::new(), columns, rows: rows.collect() }
}

fn curve_table(curve: &Curve) -> Table {
    let mut columns = vec![(column_title(&curve.steps_title, said("step")), false)];
    for series in &curve.series {
        columns.push((column_title(&series.name, said("estimate")), true));
        columns.push((said("95 % interval").to_owned(), true));
    }
    let rows = curve.steps.iter().enumerate().map(|(step, name)| {
        let mut row = vec![name.clone()];
        for series in &curve.series {
            let point = series.points.get(step).copied().flatten();
            row.push(point.map_or(said(UNKNOWN).to_owned(), |interval| curve.unit.estimate(&interval)));
            row.push(point.map_or(String::new(), |interval| curve.unit.range(&interval)));
        }
        row
    });
    Table { title: String::new(), columns, rows: rows.collect() }
}

fn column_title(name: &str, otherwise: &str) -> String {
    if name.is_empty() { otherwise.to_owned() } else { name.to_owned() }
}

fn put_table(out: &mut String, table: &Table) {
    out.push_str("<div class=\"wide\" tabindex=\"0\"><table>\n");
    if !table.title.is_empty() {
        out.push_str(&format!("<caption>{}</caption>\n", escape(&table.title)));
    }
    out.push_str("<thead><tr>");
    for (name, is_number) in &table.columns {
        match name.is_empty() {
            true => out.push_str("<td></td>"),
            false => out.push_str(&format!("<th scope=\"col\"{}>{}</th>", number_class(*is_number), escape(name))),
        }
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (place, cell) in row.iter().enumerate() {
            let class = number_class(table.columns.get(place).is_some_and(|(_, is_number)| *is_number));
            let (open, close) = if place == 0 { ("th scope=\"row\"", "th") } else { ("td", "td") };
            out.push_str(&format!("<{open}{class}>{}</{close}>", escape(cell)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
}

fn number_class(is_number: bool) -> &'static str {
    if is_number { " class=\"number\"" } else { "" }
}

/// A forest plot as a table with the drawings in one column. Explicit roles keep it a table even where a narrow screen
/// shows the cells below each other.
fn put_forest(out: &mut String, forest: &Forest) {
    let axis = svg::forest_axis(forest);
    let title = escape(&forest.title);
    out.push_str(&format!(
        "<figure>\n<figcaption>{title}</figcaption>\n<table class=\"forest\" role=\"table\" aria-label=\"{title}\">\n"
    ));
    out.push_str("<colgroup><col class=\"of\"><col><col class=\"estimate\"><col class=\"between\"></colgroup>\n");
    out.push_str(&format!(
            "<thead role=\"rowgroup\"><tr role=\"row\"><td role=\"cell\"></td>\
             <td role=\"cell\" aria-hidden=\"true\"></td><th role=\"columnheader\" scope=\"col\" class=\"number\">{}</th>\
             <th role=\"columnheader\" scope=\"col\">{}</th></tr></thead>\n<tbody role=\"rowgroup\">\n",
            said("estimate"),
            said("95 % interval")
        ));
    for row in &forest.rows {
        let (estimate, range) = forest.numbers(row);
        let note = if row.note.is_empty() { String::new() } else { format!(" <em>{}</em>", escape(&row.note)) };
        out.push_str(&format!(
            "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\">{}</th><td role=\"cell\" class=\"drawn\">{}</td>\
                 <td role=\"cell\" class=\"number\">{}</td><td role=\"cell\" class=\"range\">{}{note}</td></tr>\n",
            escape(&row.label),
            svg::track(forest, &axis, row),
            escape(&estimate),
            escape(&range)
        ));
    }
    out.push_str(&format!(
            "<tr role=\"row\" aria-hidden=\"true\" class=\"scale\"><td></td><td class=\"drawn\">{}</td><td></td><td></td></tr>\n</tbody>\n</table>\n",
            svg::scale(&axis, &forest.unit)
        ));
    let reference = forest.reference.iter().map(|mark| (svg::reference_sample(false), &*mark.label));
    put_legend(out, &Vec::from_iter(reference));
    out.push_str("</figure>\n");
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{Bin, CurveSeries, ForestRow, HistogramSeries, Unit};
    use super::*;
    use crate::lab::statistics::Interval;

    /// A text that a stranger may have written into a name.
    const HOSTILE: &str = "</title><script>alert(1)</script> \" onload='x' & \u{202e}\u{1b}[2J]]> {{";

    /// A page with this text in every place that takes one.
    fn page(text: &str) -> Page {
        let text = || text.to_owned();
        let interval = Some(Interval { estimate: 0.4, low: 0.3, high: 0.5 });
        let open = Some(Interval { estimate: 0.4, low: f64::NEG_INFINITY, high: f64::INFINITY });
        let reference = || Some(Mark { at: 0.5, label: text() });
        let row = |interval| ForestRow { label: text(), interval, note: text() };
        let bin = |least| Bin { least, most: least, is_first: false, is_last: false };
        let counts = |count| HistogramSeries { name: text(), counts: vec![count, 3, 0] };
        let points = |name: &str| CurveSeries { name: name.to_owned(), points: vec![interval, None, open] };
        let unit = Unit::number(&text());
        let blocks = vec![
            Block::Text(text()),
            Block::Warning(text()),
            Block::Code(format!("{}\nsecond line", text())),
            Block::Table(Table { title: text(), columns: vec![(text(), true)], rows: vec![vec![text(), text()]] }),
            Block::Forest(Forest {
                title: text(),
                unit: unit.clone(),
                rows: vec![row(interval), row(open), row(None)],
                reference: reference(),
            }),
            Block::Histogram(Histogram {
                title: text(),
                unit: unit.clone(),
                bins: vec![bin(1.0), bin(2.0), bin(3.0)],
                series: vec![counts(1), counts(2)],
                marks: reference().into_iter().collect(),
            }),
            Block::Curve(Curve {
                title: text(),
                unit,
                steps_title: text(),
                steps: vec![text(), text(), text()],
                series: vec![points(&text()), points("b"), points("c"), points("d")],
                reference: reference(),
            }),
            Block::Forest(Forest { title: text(), unit: Unit::share(), rows: Vec::new(), reference: None }),
            Block::Histogram(Histogram::of(&text(), Unit::share(), 1, 9, &[])),
        ];
        let sections = vec![Section { title: text(), blocks }];
        Page { title: text(), lead: text(), facts: vec![(text(), text())], sections, notes: vec![text()] }
    }

    /// The tags of a page, in order, without the content between them.
    fn tags(html: &str) -> Vec<String> {
        html.split('<').skip(1).map(|tag| tag.split(['>', ' ', '\n']).next().unwrap().to_owned()).collect()
    }

    #[test]
    fn no_text_can_say_anything_but_itself() {
        let (plain, hostile) = (html(&page("plain")), html(&page(HOSTILE)));
        assert_eq!(tags(&plain), tags(&hostile));
        assert!(!hostile.contains(['\u{202e}', '\u{1b}']), "what hides and reorders is visible");
        assert!(hostile.contains("\\u{202e}␛[2J"), "{hostile}");
        assert_eq!(hostile.matches("<script").count(), 0);
    }

    #[test]
    fn nothing_is_loaded_and_every_tag_is_closed() {
        let page = html(&page("plain"));
        for outside in ["http:", "https:", "src=", "href=", "url(", "@import", "<script", "onload=", "onclick="] {
            assert!(!page.contains(outside), "{outside}");
        }
        let mut open = Vec::new();
        let is_void = |tag: &str| ["meta", "col", "!doctype", "!--"].contains(&tag);
        for tag in page.split('<').skip(1) {
            let name = tag.split(['>', ' ', '\n', '/']).find(|name| !name.is_empty()).unwrap();
            match tag.split('>').next().unwrap() {
                tag if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "{tag}"),
                tag if tag.ends_with('/') || is_void(name) => {}
                _ => open.push(name),
            }
        }
        assert_eq!(open, Vec::<&str>::new());
        assert!(!page.contains("NaN") && !page.contains("inf%"), "numbers that are none");
    }

    #[test]
    fn every_plot_is_told_in_words_and_numbers() {
        let page = html(&page("plain"));
        let plots = page.matches("class=\"plot\"").count();
        assert_eq!(plots, 3);
        assert_eq!(page.matches("role=\"img\" aria-labelledby=").count(), plots);
        assert_eq!(page.matches("<desc").count(), plots);
        assert_eq!(page.matches("As a table").count(), plots);
        assert!(page.contains("0.4 plain") && page.contains("0.3 to 0.5"), "{page}");
    }
}
