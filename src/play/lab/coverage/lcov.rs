//! Coverage in the format of lcov's tracefiles (`man geninfo`, section FILES), which editors and services read.

use super::{Coverage, Purpose, ScriptCoverage};
use crate::diagnostic::visible;
use crate::files::FileFormat;
use std::fmt::Write;

/// The file format of lcov tracefiles; ours begin with the name of the test.
pub const LCOV: FileFormat = FileFormat { name: "coverage of rules", beginning: "TN:houserule\nSF:" };

/// The coverage as an lcov tracefile: for each script its functions (`FN`, `FNDA`), branches (`BRDA`) and lines (`DA`),
/// each with its hit count. Code that games cannot reach is left out.
pub fn lcov(coverage: &Coverage) -> String {
    let mut text = String::new();
    for script in &coverage.scripts {
        // Writing to a string cannot fail.
        let _ = write_script(&mut text, script);
    }
    text
}

fn write_script(text: &mut String, script: &ScriptCoverage) -> std::fmt::Result {
    let functions = || script.functions.iter().filter(|function| function.purpose == Purpose::Play);
    if functions().next().is_none() {
        return Ok(());
    }
    // A newline in a file name would begin another record.
    writeln!(text, "TN:houserule\nSF:{}", visible(&script.file))?;
    for function in functions() {
        writeln!(text, "FN:{},{}", function.at.0, function.signature())?;
    }
    for function in functions() {
        writeln!(text, "FNDA:{},{}", function.calls, function.signature())?;
    }
    let called = script.called();
    writeln!(text, "FNF:{}\nFNH:{}", called.all, called.reached)?;
    let branches = functions().flat_map(|function| &function.branches);
    for (block, branch) in branches.filter(|branch| branch.purpose == Purpose::Play).enumerate() {
        let is_decided = branch.ways.iter().any(|&way| way > 0);
        for (number, way) in branch.counted().iter().enumerate() {
            let taken = if is_decided { way.to_string() } else { "-".to_owned() };
            writeln!(text, "BRDA:{},{block},{number},{taken}", branch.at.0)?;
        }
    }
    let ways = script.ways();
    writeln!(text, "BRF:{}\nBRH:{}", ways.all, ways.reached)?;
    let lines = script.line_hits();
    for (line, hits) in &lines {
        writeln!(text, "DA:{line},{hits}")?;
    }
    let reached = lines.values().filter(|&&hits| hits > 0).count();
    writeln!(text, "LF:{}\nLH:{reached}\nend_of_record", lines.len())
}
