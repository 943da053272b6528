//! Kinds of finding, by stable names.

use super::Severity;
use crate::catalogue::said;

/// A kind of finding.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Its name, which stays the same.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What it is, in one sentence.
    pub title: &'static str,
    /// What is behind it, and what to do.
    pub explanation: &'static str,
    /// Rules that it is found in: lines of a script, of a TOML file, or both, each behind a line that says where.
    pub example: &'static str,
    /// The same as it should be.
    pub instead: &'static str,
}

impl Code {
    /// All that there is to say of it.
    pub fn in_words(&self) -> String {
        let (severity, title) = (said(self.severity.name()), said(self.title));
        let mut text = format!("{} ({severity}): {title}\n\n{}\n", self.name, said(self.explanation));
        for (head, rules) in [("These rules have it:", self.example), ("These do not:", self.instead)] {
            if !rules.is_empty() {
                let lines: Vec<String> = rules.lines().map(|line| format!("    {line}")).collect();
                text.push_str(&format!("\n{}\n\n{}\n", said(head), lines.join("\n")));
            }
        }
        text.truncate(text.trim_end().len());
        text
    }
}
