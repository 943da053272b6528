//! Coverage as one HTML page over the scripts. The page needs no other file, script or network.

use super::lcov::line_hits;
use super::{Coverage, Purpose, Reached, ScriptCoverage};
use crate::diagnostic::visible_in_html;
use crate::files::Format;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What such a file is, and how it begins.
pub const PAGE: Format =
    Format { name: "a page of coverage", beginning: "<!doctype html>\n<!-- houserule: coverage -->" };

/// The page. What a line was is told by a word and a border, too, not by its colour alone.
pub fn page(coverage: &Coverage) -> String {
    let mut text = String::new();
    // Writing to a text cannot fail.
    let _ = write_page(&mut text, coverage);
    text
}

const STYLE: &str = include_str!("page.css");

fn write_page(text: &mut String, coverage: &Coverage) -> std::fmt::Result {
    write!(
        text,
        "{}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Coverage of the rules</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>Coverage of the rules</h1>\n",
        PAGE.beginning
    )?;
    let runs = if coverage.runs == 1 { "1 run".to_owned() } else { format!("{} runs", coverage.runs) };
    writeln!(
        text,
        "<p>What {runs} of the rules reached. Beside a line stands how often it was; <b>never</b> and a double edge mark what \
         a game could have reached and did not; <b>partly</b> and a dashed edge, that one of its ways was never taken. Lines \
         without a word are no statements, or nothing that runs while a game is played.</p>"
    )?;
    writeln!(
        text,
        "<div class=\"wide\" tabindex=\"0\"><table>\n<tr><th scope=\"col\">Layer</th><th scope=\"col\">Functions</th><th scope=\"col\">Statements</th><th scope=\"col\">Ways</th></tr>"
    )?;
    for (number, script) in coverage.scripts.iter().enumerate() {
        let name = format!("{} {}", script.sort.name(), script.layer);
        write!(text, "<tr><td><a href=\"#script-{number}\">{}</a></td>", escaped(&name))?;
        for reached in [script.called(), script.statements(), script.ways()] {
            write!(text, "<td>{}</td>", share(reached))?;
        }
        writeln!(text, "</tr>")?;
    }
    writeln!(text, "</table></div>")?;
    for (number, script) in coverage.scripts.iter().enumerate() {
        write_script(text, number, script, coverage)?;
    }
    text.push_str("</main>\n</body>\n</html>\n");
    Ok(())
}

fn write_script(text: &mut String, number: usize, script: &ScriptCoverage, coverage: &Coverage) -> std::fmt::Result {
    writeln!(
        text,
        "<h2 id=\"script-{number}\">{} {}</h2>\n<p>{}</p>",
        script.sort.name(),
        escaped(&script.layer),
        escaped(&script.file)
    )?;
    writeln!(
        text,
        "<div class=\"wide\" tabindex=\"0\"><table>\n<tr><th scope=\"col\">Function</th><th scope=\"col\">Calls</th><th scope=\"col\">Runs</th><th scope=\"col\">Statements</th><th scope=\"col\">Ways</th></tr>"
    )?;
    for function in &script.functions {
        let line = function.at.0;
        let name = escaped(&function.signature());
        write!(text, "<tr><td><a href=\"#l-{number}-{line}\">{name}</a></td>")?;
        match function.purpose {
            Purpose::Play => writeln!(
                text,
                "<td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                function.calls,
                function.games,
                share(function.statements()),
                share(function.ways())
            )?,
            Purpose::Look => writeln!(text, "<td colspan=\"4\" class=\"note\">only when somebody looks</td></tr>")?,
            Purpose::Unused => writeln!(text, "<td colspan=\"4\" class=\"note\">not used by these rules</td></tr>")?,
        }
    }
    writeln!(text, "</table></div>\n<div class=\"wide\" tabindex=\"0\"><table class=\"source\">")?;
    let hits = line_hits(script.functions.iter().filter(|function| function.purpose == Purpose::Play));
    let missed = coverage.missed();
    let mut notes: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for one in missed.iter().filter(|one| std::ptr::eq(one.script, script)) {
        notes.entry(one.line).or_default().push(&one.what);
    }
    let (first, last) = script.lines;
    for (line, source) in script.text.lines().enumerate().map(|(before, source)| (before + 1, source)) {
        if line < first || line > last {
            continue;
        }
        let notes = notes.get(&line).map_or(&[][..], Vec::as_slice);
        let (class, word) = match hits.get(&line) {
            None if notes.is_empty() => ("", String::new()),
            None => ("part", String::new()),
            Some(0) => ("miss", "never".to_owned()),
            Some(hits) if notes.is_empty() => ("hit", format!("{hits}×")),
            Some(hits) => ("part", format!("partly {hits}×")),
        };
        write!(
            text,
            "<tr id=\"l-{number}-{line}\" class=\"{class}\"><td class=\"n\">{line}</td><td class=\"h\">{word}</td><td>{}",
            escaped(source)
        )?;
        if !notes.is_empty() && class != "miss" {
            write!(text, "  <span class=\"note\">← {}</span>", escaped(&notes.join("; ")))?;
        }
        writeln!(text, "</td></tr>")?;
    }
    writeln!(text, "</table></div>")
}

/// `5/8 (62 %)`.
fn share(reached: Reached) -> String {
    if reached.all == 0 {
        return "–".to_owned();
    }
    // Rounded down, so that 100 % is all.
    format!("{} ({} %)", reached.fraction(), reached.reached * 100 / reached.all)
}

/// A text of the rules as HTML shows it.
fn escaped(text: &str) -> String {
    visible_in_html(&text.replace('\t', "    "))
}
