//! Warnings about texts that people read while they play, and about the names of metrics.

use super::known::RulesContext;
use super::{Lint, PlayerText};
use crate::definition::{Language, is_identifier};
use crate::diagnostic::{Diagnostic, Help, Message, QuickFix, message, toml_string};
use crate::script::codes;
use crate::sorted::SortedSet;
use crate::table::is_name_of_measure;

/// Placeholder for a text that somebody has to write.
const OPEN_WORDS: &str = "\"…\"";

impl RulesContext<'_> {
    /// Warnings about metrics with the name of a measure that every game has, once for each name.
    pub(super) fn shadowing_metrics<'s>(&self, measured: impl Iterator<Item = &'s PlayerText>) -> Vec<Lint> {
        let mut names: SortedSet<&str> = SortedSet::new();
        let mut taken = Vec::new();
        for PlayerText { text, at, .. } in measured.filter(|said| is_name_of_measure(&said.text)) {
            if names.insert(text) {
                let warning = Diagnostic::new(message!("`{text}` is measured for every game"))
                    .at_maybe(self.place(*at, "the name of a measure"))
                    .help(message!("this metric is `metric.{text}` in tables and goals; give it its own name"));
                taken.push(Lint { warning: warning.with_code(codes::METRIC_TAKEN), layer: None });
            }
        }
        taken
    }

    /// Warnings about bounds of something that neither the rules nor every game measures.
    pub(super) fn unmeasured_bounds<'s>(&self, measured: impl Iterator<Item = &'s PlayerText>) -> Vec<Lint> {
        let own = |text: &str| if is_name_of_measure(text) { format!("metric.{text}") } else { text.to_owned() };
        let known: SortedSet<String> = measured.map(|said| own(&said.text)).chain(["score".to_owned()]).collect();
        let unknown = self.layout.definition.bounds.keys().filter(|name| !known.contains(*name));
        let lint = |name: &String| {
            let warning = Diagnostic::new(message!("nothing measures `{name}`"))
                .at_maybe(self.declared_at(&["bounds", name], "bounds of nothing"))
                .near(name, known.iter().map(String::as_str))
                .help("bounds are for `score` and for what a script measures with `metric`");
            Lint { warning: warning.with_code(codes::UNMEASURED_BOUNDS), layer: None }
        };
        unknown.map(lint).collect()
    }

    /// Warnings about names in braces in the text of an act that are no part of any option: people would read them as
    /// written.
    pub(super) fn unknown_placeholders<'s>(&self, said: impl Iterator<Item = &'s PlayerText>) -> Vec<Lint> {
        let acts: SortedSet<&str> = said.filter(|said| said.what == "act").map(|said| said.text.as_str()).collect();
        let mut found = Vec::new();
        for act in acts {
            let Some(words) = self.layout.definition.text.get(act) else { continue };
            let names: SortedSet<&str> = words.all().flat_map(|(_, text)| names_in_braces(text)).collect();
            for name in names.into_iter().filter(|name| !self.parts.contains(*name)) {
                let warning = Diagnostic::new(message!("no option has a part `{name}`"))
                    .at_maybe(self.declared_at(&["text", act], "a name in braces"))
                    .near(name, self.parts.iter().map(String::as_str))
                    .help("a name in braces stands for the part of that name: `and(\"card\", …)`");
                found.push(Lint { warning: warning.with_code(codes::UNKNOWN_PART), layer: None });
            }
        }
        found
    }

    /// Warnings about remarks with another number of values than their text has gaps for.
    pub(super) fn unfitting_remarks<'s>(&self, said: impl Iterator<Item = &'s PlayerText>) -> Vec<Lint> {
        let unfitting = said.filter_map(|PlayerText { text, at, values, .. }| {
            let values = (*values)?;
            let texts: Vec<(Language, &str)> = match self.layout.definition.text.get(text) {
                Some(texts) => texts.all().collect(),
                None => vec![(Language::English, text)],
            };
            let (language, words) = texts.into_iter().find(|(_, words)| gaps_in(words) != values)?;
            let (has, gaps) = (Message::counted(values, "value"), Message::counted(gaps_in(words), "gap"));
            let language = language.called();
            let warning = Diagnostic::new(message!("the remark `{text}` has {has}, and its {language} text {gaps}"))
                .at_maybe(self.place(*at, "a remark"))
                .related_maybe(self.declared_at(&["text", text], "its text"))
                .help(match words.contains("${") {
                    true => "`${…}` is filled in texts between backticks alone".into(),
                    false => message!("its text is `{words}`; each `{{}}` in it takes a value"),
                });
            Some(Lint { warning: warning.with_code(codes::UNFITTING_REMARK), layer: None })
        });
        unfitting.collect()
    }

    /// Warnings about texts that people read and `[text]` does not have, once for each key, at its first use.
    pub(super) fn missing_texts<'s>(&self, said: impl Iterator<Item = &'s PlayerText>) -> Vec<Diagnostic> {
        let said = said.map(|PlayerText { what, text, at, .. }| (*what, text, self.place(*at, with_article(what))));
        let asked = self.layout.definition.asked.iter().filter(|asked| !asked.ask.by_lot).map(|asked| {
            let layer = self.ruleset.layers().find(|layer| layer.id == asked.layer);
            let place = layer.and_then(|layer| layer.place_of(&["settings", &asked.key, "ask"], "a prompt"));
            ("prompt", &asked.ask.prompt, place)
        });
        let texts = &self.layout.definition.text;
        // Rules in one language are complete; where any text has two, one without the second was forgotten.
        let is_translated = |language: &Language| texts.values().any(|words| words.in_language(*language).is_some());
        let languages: Vec<Language> = Language::translations().filter(is_translated).collect();
        let form = |words: &str| match languages.is_empty() {
            true => words.to_owned(),
            false => {
                let others = languages.iter().map(|language| format!(", {} = {OPEN_WORDS}", language.code()));
                format!("{{ en = {words}{} }}", others.collect::<String>())
            }
        };
        let mut keys: SortedSet<&str> = SortedSet::new();
        let mut untold = Vec::new();
        for (what, text, place) in said.chain(asked) {
            let known = texts.get(text);
            let lacking =
                languages.iter().find(|language| known.is_some_and(|words| words.in_language(**language).is_none()));
            if known.is_some() && lacking.is_none() || !keys.insert(text) {
                continue;
            }
            let key = match is_identifier(text) {
                true => text.clone(),
                false => toml_string(text),
            };
            let line = format!("{key} = {}", form(OPEN_WORDS));
            let kind = Message::from(what);
            let place = place.filter(|_| known.is_none());
            let place = place.or_else(|| self.declared_at(&["text", text], "in English only"));
            let warning = match lacking {
                None => {
                    let warning = Diagnostic::new(message!("the {kind} `{text}` has no words in `[text]`"));
                    let whole = format!("{key} = {}", form(&toml_string(&text.replace('_', " "))));
                    let help = Help::from(message!("add `{line}` to `[text]`")).with_fix(QuickFix::AddText(whole));
                    warning.near(text, texts.keys().map(String::as_str)).help(help)
                }
                Some(language) => Diagnostic::new(message!("the {kind} `{text}` has no {} words", language.called()))
                    .help(message!("write `{line}`")),
            };
            untold.push(warning.at_maybe(place).with_code(codes::UNTOLD));
        }
        untold
    }
}

/// How many values the gaps of a text take: `{}` the next one, `{1}` the second.
fn gaps_in(text: &str) -> usize {
    let (mut next, mut most) = (0, 0);
    for hole in text.split('{').skip(1).filter_map(|piece| Some(piece.split_once('}')?.0)) {
        let taken = hole.parse().map_or(next, |number: usize| number);
        next += usize::from(hole.parse::<usize>().is_err());
        most = most.max(taken.saturating_add(1));
    }
    most
}

fn names_in_braces(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('{').filter_map(|(at, _)| {
        let (name, _) = text[at + 1..].split_once('}')?;
        is_identifier(name).then_some(name)
    })
}

/// What a text is, with its article.
fn with_article(what: &str) -> &'static str {
    match what {
        "act" => "an act",
        "lot" => "a lot",
        "phase" => "a phase",
        "purpose of a choice" => "a purpose of a choice",
        "reason for points" => "a reason for points",
        "refusal" => "a refusal",
        "remark" => "a remark",
        _ => "a prompt",
    }
}

#[cfg(test)]
mod tests {
    use super::gaps_in;

    #[test]
    fn gaps_take_the_next_value_or_the_one_of_their_number() {
        for (text, gaps) in
            [("none", 0), ("{} of {}", 2), ("{1}枚のうち{0}枚", 2), ("{0} and {0}", 1), ("{2}", 3), ("} {open", 0)]
        {
            assert_eq!(gaps_in(text), gaps, "{text}");
        }
    }
}
