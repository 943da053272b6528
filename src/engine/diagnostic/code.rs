//! Kinds of finding, with stable names and explanations.

use super::Severity;
use crate::catalogue::said;

/// A kind of finding.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Name of the kind, which stays the same between versions.
    pub name: &'static str,
    /// Severity of such a finding.
    pub severity: Severity,
    /// Description in one sentence.
    pub title: &'static str,
    /// The reason behind such a finding, and what to do.
    pub explanation: &'static str,
    /// Rules with such a finding: lines of a script, of a TOML file, or both, each after a line that says where.
    pub example: &'static str,
    /// The rules of the example without the finding.
    pub instead: &'static str,
}

impl Code {
    /// The full explanation with its examples, as text.
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
