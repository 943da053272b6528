//! A page on the coverage of scripts.

use super::{Frame, escape};
use crate::catalogue::{said, say, spoken};
use crate::files::FileFormat;
use crate::lab::coverage::{Coverage, CoverageCount, FunctionCoverage, Purpose, ScriptCoverage};
use crate::sorted::SortedMap;

/// The file format of a coverage page.
pub const COVERAGE: FileFormat =
    FileFormat { name: "a page of coverage", beginning: "<!doctype html>\n<!-- houserule: coverage -->" };

/// The additional style of a coverage page.
const STYLE: &str = include_str!("coverage.css");

/// The coverage page. The state of a line is shown by a word and a border too, not by colour alone.
pub fn page(coverage: &Coverage) -> String {
    let mut out = String::new();
    let runs = if coverage.runs == 1 { said("1 run").to_owned() } else { say!("{} runs", coverage.runs) };
    let lead = say!(
        "What {runs} of the rules reached. Beside each line is how often it was reached. \"never\" and a double edge mark \
         what a game could have reached and did not; \"partly\" and a dashed edge mark a line of which one way was never \
         taken. A line without a word is not a statement, or does not run while a game is played."
    );
    out.push_str(&format!("<p class=\"lead\">{}</p>\n", escape(&lead)));
    let rows = coverage.scripts.iter().enumerate().map(|(number, script)| {
        let name = format!("<a href=\"#script-{number}\">{}</a>", escape(&title(script)));
        let shares = [script.called(), script.statements(), script.ways()].map(|reached| number_cell(&share(reached)));
        format!("<tr><td>{name}</td>{}</tr>\n", shares.concat())
    });
    let rows: String = rows.collect();
    table(&mut out, &[said("layer"), said("functions"), said("statements"), said("ways")], &rows);
    for (number, script) in coverage.scripts.iter().enumerate() {
        out.push_str(&format!("<h2 id=\"script-{number}\">{}</h2>\n", escape(&title(script))));
        out.push_str(&format!("<p>{}</p>\n", escape(&script.file)));
        let rows: String = script.functions.iter().map(|function| function_row(number, function)).collect();
        let heads = [said("function"), said("calls"), said("runs"), said("statements"), said("ways")];
        table(&mut out, &heads, &rows);
        source(&mut out, number, script, coverage);
    }
    let title = said("Coverage of the rules");
    Frame { format: COVERAGE, language: spoken(), title, style: STYLE, script: None, is_live: false }.around(&out)
}

/// The layer of a script in words: `game go-fish`.
fn title(script: &ScriptCoverage) -> String {
    format!("{} {}", said(script.sort.name()), script.layer)
}

/// A table whose columns contain numbers, except the first.
fn table(out: &mut String, heads: &[&str], rows: &str) {
    let heads: String = heads
        .iter()
        .enumerate()
        .map(|(at, head)| {
            let class = if at > 0 { " class=\"number\"" } else { "" };
            format!("<th scope=\"col\"{class}>{}</th>", escape(head))
        })
        .collect();
    out.push_str(&format!(
        "<div class=\"wide\" tabindex=\"0\"><table class=\"reached\">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n\
             {rows}</tbody>\n</table></div>\n"
    ));
}

fn function_row(script: usize, function: &FunctionCoverage) -> String {
    let line = function.at.0;
    let name = format!("<td><a href=\"#l-{script}-{line}\">{}</a></td>", escape(&function.signature()));
    let note = |text: &str| format!("<td colspan=\"4\" class=\"note\">{}</td>", escape(text));
    let cells = match function.purpose {
        Purpose::Play => {
            let counts = [function.calls, function.games].map(|count| count.to_string());
            let shares = [function.statements(), function.ways()].map(share);
            counts.iter().chain(&shares).map(|text| number_cell(text)).collect()
        }
        Purpose::Look => note(said("only when somebody looks")),
        Purpose::Unused => note(said("not used by these rules")),
    };
    format!("<tr>{name}{cells}</tr>\n")
}

/// The lines of a script, each with its number of hits and what was missed on it.
fn source(out: &mut String, number: usize, script: &ScriptCoverage, coverage: &Coverage) {
    let hits = script.line_hits();
    let mut notes: SortedMap<usize, Vec<String>> = SortedMap::new();
    for one in coverage.missed().iter().filter(|one| std::ptr::eq(one.script, script)) {
        notes.entry(one.line).or_default().push(one.what.told().into_owned());
    }
    out.push_str("<div class=\"wide\" tabindex=\"0\"><table class=\"source\">\n");
    let (first, last) = script.lines;
    let lines = script.text.lines().enumerate().map(|(before, source)| (before + 1, source));
    for (line, source) in lines.filter(|(line, _)| (first..=last).contains(line)) {
        let notes = notes.get(&line).map_or(&[][..], Vec::as_slice);
        let (class, word) = match hits.get(&line) {
            None if notes.is_empty() => ("", String::new()),
            None => ("part", String::new()),
            Some(0) => ("miss", said("never").to_owned()),
            Some(hits) if notes.is_empty() => ("hit", format!("{hits}×")),
            Some(hits) => ("part", say!("partly {hits}×")),
        };
        let note = match notes {
            [_, ..] if class != "miss" => {
                format!("  <span class=\"note\">← {}</span>", escape(&notes.join(said(", "))))
            }
            _ => String::new(),
        };
        let source = escape(&source.replace('\t', "    "));
        out.push_str(&format!(
            "<tr id=\"l-{number}-{line}\" class=\"{class}\"><td class=\"n\">{line}</td><td class=\"h\">{}</td>\
                 <td>{source}{note}</td></tr>\n",
            escape(&word)
        ));
    }
    out.push_str("</table></div>\n");
}

fn number_cell(text: &str) -> String {
    format!("<td class=\"number\">{}</td>", escape(text))
}

/// A fraction with its percentage: `5/8 (62 %)`.
fn share(reached: CoverageCount) -> String {
    if reached.all == 0 {
        return "–".to_owned();
    }
    // Rounded down, so that 100 % means all.
    format!("{} ({} %)", reached.fraction(), reached.reached * 100 / reached.all)
}
