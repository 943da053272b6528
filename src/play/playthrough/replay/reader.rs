//! Reads saved games: what a file must have, and what is told of one that lacks it.

use super::file::{ReplayFile, ReplaySpans};
use super::playtest_text::{WrittenPlaytest, playtest_of};
use super::{FORMAT, MAX_BYTES, MAX_REPORTED_ERRORS, Replay, ReplayResult};
use crate::definition::keys::keys_of;
use crate::definition::{RuleFile, is_id, tree};
use crate::diagnostic::{Diagnostic, Diagnostics, MAX_SOURCE_BYTES, Message, Place, Source, first_of, message};
use crate::files::{Files, path_name};
use crate::playthrough::campaign;
use crate::playthrough::entry_text::{FORMAT_WITH_LABELS, entry_from_toml};
use crate::playthrough::log::{Entry, deduplicated};
use crate::playthrough::mail;
use crate::playthrough::playtest::Playtest;
use crate::ruleset::Selection;
use serde::Deserialize;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use toml::Spanned;

/// Help on how to make a saved game.
const HOW_TO_SAVE: &str = "`save FILE` in a game writes a saved game";

/// The most log entries read from a file.
const MAX_ENTRIES: usize = 100_000;

/// The most rule texts in a file.
const MAX_RULE_TEXTS: usize = 200;

/// The known sections of a file.
const SECTIONS: [&str; 5] = ["replay", "result", "playtest", "rules", "check"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Checked first, before the rest is read.
    format: i64,
    game: Spanned<String>,
    #[serde(default)]
    variants: Vec<Spanned<String>>,
    #[serde(default)]
    set: Vec<Spanned<String>>,
    players: Spanned<usize>,
    seed: u64,
    ruleset: String,
    log: Vec<Spanned<toml::Value>>,
    result: Option<ReplayResult>,
    playtest: Option<Spanned<WrittenPlaytest>>,
    #[serde(default)]
    rules: Vec<Rule>,
    check: Option<Check>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    path: Spanned<String>,
    text: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    hash: String,
}

impl Replay {
    /// Reads a replay from a file.
    ///
    /// # Errors
    /// The file cannot be read, is not TOML, has an unknown format number, or lacks something; with the place in the
    /// file.
    pub fn read(files: &dyn Files, path: &Path) -> Result<ReplayFile, Diagnostics> {
        let source = files.read_up_to(path, &path_name(path), MAX_BYTES).map_err(|error| match files.exists(path) {
            true => error,
            false => error.help(HOW_TO_SAVE),
        });
        Self::parse(&source?)
    }

    /// Finds and reads a saved game in a received text such as a mail, whatever stands around it and whatever a mail
    /// program has done to its lines.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn pasted(source: &Source) -> Result<ReplayFile, Diagnostics> {
        mail::read(&source.text, &source.name)
    }

    /// Parses a replay.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(source: &Arc<Source>) -> Result<ReplayFile, Diagnostics> {
        check_format(source)?;
        let file: File = toml::from_str(&source.text).map_err(|error| worded(source, &error))?;
        let at = |span: Range<usize>, label: &'static str| Place::new(source, span, label);
        let mut trouble = Vec::new();
        let mut log = Vec::with_capacity(file.log.len().min(MAX_ENTRIES));
        for (index, written) in file.log.iter().take(MAX_ENTRIES).enumerate() {
            match entry_from_toml(written.get_ref(), file.format) {
                Ok(Entry::Campaign { .. }) if index > 0 => trouble.push(
                    Diagnostic::new(message!("entry {} of the log cannot be a `{}`", index + 1, campaign::WORD))
                        .at(at(written.span(), "this entry"))
                        .help("what an earlier game has kept comes first in the log"),
                ),
                Ok(entry) => {
                    let entry = deduplicated(log.iter().rev(), entry.into());
                    log.push(entry);
                }
                Err(reason) => trouble.push(
                    Diagnostic::new(message!("entry {} of the log is not valid: {reason}", index + 1))
                        .at(at(written.span(), "this entry")),
                ),
            }
        }
        if let Some(beyond) = file.log.get(MAX_ENTRIES) {
            let message = message!("the log has more than {MAX_ENTRIES} entries");
            trouble.push(Diagnostic::new(message).at(at(beyond.span(), "the first too many")));
        }
        let mut rules: Vec<RuleFile> = Vec::new();
        for Rule { path, text } in file.rules.iter().take(MAX_RULE_TEXTS) {
            let is_twice = rules.iter().any(|rule| rule.path == *path.get_ref());
            match wrong_rule(path.get_ref(), text.get_ref(), is_twice) {
                None => rules.push(RuleFile { path: path.get_ref().clone(), text: text.get_ref().clone() }),
                Some((message, help)) => trouble.push(Diagnostic::new(message).at(at(path.span(), "")).help(help)),
            }
        }
        if let Some(beyond) = file.rules.get(MAX_RULE_TEXTS) {
            let message = message!("there are more than {MAX_RULE_TEXTS} texts of rules");
            trouble.push(Diagnostic::new(message).at(at(beyond.path.span(), "the first too many")));
        }
        Diagnostics::refuse(first_of(trouble, MAX_REPORTED_ERRORS))?;
        let (span_of_players, players) = (file.players.span(), file.players.into_inner());
        let playtest = match file.playtest {
            Some(written) => playtest_of(written, (file.format, players), &log, source)?,
            None => Playtest::default(),
        };
        let spans = |list: &[Spanned<String>]| list.iter().map(Spanned::span).collect();
        let places = ReplaySpans {
            source: Arc::clone(source),
            game: file.game.span(),
            variants: spans(&file.variants),
            set: spans(&file.set),
            players: span_of_players,
            log: file.log.iter().map(Spanned::span).collect(),
            rules: file.rules.iter().map(|rule| rule.text.span()).collect(),
        };
        let texts = |list: Vec<Spanned<String>>| list.into_iter().map(Spanned::into_inner).collect();
        let (game, variants, set) = (file.game.into_inner(), texts(file.variants), texts(file.set));
        let replay = Self {
            selection: Selection { game, variants, set },
            ruleset: file.ruleset,
            players,
            seed: file.seed,
            log,
            result: file.result,
            playtest,
            rules,
        };
        let mut warnings = Vec::new();
        if file.check.as_ref().is_none_or(|check| check.hash != replay.checksum(file.format)) {
            warnings.push(
                Diagnostic::warning(message!("`{}` was changed since it was saved", source.name))
                    .help("what fits is played; save it again to make it whole"),
            );
        }
        Ok(ReplayFile { replay, format: file.format, warnings, places })
    }
}

/// Checks the format number before anything else, because other formats may be written in another way.
fn check_format(source: &Arc<Source>) -> Result<(), Diagnostics> {
    #[derive(Deserialize)]
    struct Head {
        format: Spanned<i64>,
    }
    let head: Head = toml::from_str(&source.text).map_err(|error| worded(source, &error))?;
    let format = *head.format.get_ref();
    if (FORMAT_WITH_LABELS..=FORMAT).contains(&format) {
        return Ok(());
    }
    let newer =
        if format > FORMAT { "a newer houserule wrote it; update to read it" } else { "this is not such a number" };
    Err(Diagnostic::new(message!("this saved game has format {format}, and formats 1 to {FORMAT} can be read"))
        .at(Place::new(source, head.format.span(), "the number of the format"))
        .help(newer)
        .into())
}

/// An error of the TOML library in plain words, without echoing the file's text by itself.
fn worded(source: &Arc<Source>, error: &toml::de::Error) -> Diagnostic {
    // What is no TOML is told as it is for every file.
    if let Err(errors) = tree::check_syntax(source) {
        let first = errors.first().clone();
        let message = &first.message;
        return Diagnostic { message: message!("not a saved game: {message}"), ..first };
    }
    let message = error.message().lines().next().unwrap_or("this is not a saved game");
    let place = Place::new(source, error.span().unwrap_or(0..0), "here");
    let told = |message: Message| Diagnostic::new(message!("not a saved game: {message}")).at(place.clone());
    let quoted = |before: &str| message.strip_prefix(before).and_then(|rest| rest.split('`').next());
    if let Some(number) = quoted("invalid value: integer `") {
        return told(message!("`{number}` cannot be here")).help("write a whole number from 0");
    }
    let keys = SECTIONS.iter().flat_map(|section| keys_of(section)).map(|key| key.name());
    match quoted("unknown field `") {
        Some(unknown) => told(Message::verbatim(message)).near(unknown, keys),
        None => told(Message::verbatim(message)).help(HOW_TO_SAVE),
    }
}

/// The error in a rule text and its help; `None` where the text is fine.
fn wrong_rule(path: &str, text: &str, is_twice: bool) -> Option<(Message, &'static str)> {
    let is_file = |file: &str| file.strip_suffix(".toml").or(file.strip_suffix(".rhai")).is_some_and(is_id);
    let is_rule_path = match path.split('/').collect::<Vec<_>>()[..] {
        ["games", game, "game.toml" | "rules.rhai"] => is_id(game),
        ["variants", game, file] => is_id(game) && is_file(file),
        ["scripts", file] => is_file(file),
        _ => false,
    };
    if !is_rule_path {
        let help =
            "rules have paths like games/high-card/rules.rhai, variants/high-card/double.toml, scripts/trick.rhai";
        return Some((message!("`{path}` is not a path of rules"), help));
    }
    if text.len() > MAX_SOURCE_BYTES {
        return Some((message!("`{path}` is larger than {} KiB", MAX_SOURCE_BYTES / 1024), "rules may not be larger"));
    }
    is_twice.then(|| (message!("`{path}` is in the file twice"), "leave out one of them"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playthrough::replay::tests::example;

    /// Whatever one flipped byte does to a file, it is reported: the file is unreadable, or was changed.
    #[test]
    fn every_flipped_byte_is_noticed() {
        let text = example().to_toml();
        let body_starts = text.find("game ").unwrap_or(0);
        for position in 0..text.len() {
            for flip in [0x01, 0x20] {
                let mut bytes = text.clone().into_bytes();
                bytes[position] ^= flip;
                let Ok(changed) = String::from_utf8(bytes) else { continue };
                match Replay::parse(&Source::new("a.toml", &changed)) {
                    Err(errors) => assert!(!errors.is_empty()),
                    Ok(read) => {
                        let harmless = read.replay == example() || position < body_starts;
                        assert!(harmless || !read.warnings.is_empty(), "byte {position} of\n{changed}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_cut_file_is_refused_or_noticed() {
        let text = example().to_toml();
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            if let Ok(read) = Replay::parse(&Source::new("a.toml", &text[..end])) {
                assert!(!read.warnings.is_empty() || read.replay == example(), "cut at {end}");
            }
        }
    }

    /// The errors of a file: `line:column message`.
    fn told(text: String) -> Vec<String> {
        let errors = Replay::parse(&Source::new("a.toml", text)).err();
        let told = |error: &Diagnostic| {
            let (line, column) = error.place.as_ref().map_or((0, 0), Place::position);
            format!("{line}:{column} {}", error.message)
        };
        errors.iter().flat_map(|errors| errors.iter()).map(told).collect()
    }

    #[test]
    fn another_format_is_named() {
        let text = example().to_toml().replace("format   = 4", "format   = 5");
        assert_eq!(told(text), ["2:12 this saved game has format 5, and formats 1 to 4 can be read"]);
    }

    #[test]
    fn the_first_text_of_rules_that_is_too_many_is_shown() {
        let mut replay = example();
        let path = |number: usize| format!("scripts/library-{number}.rhai");
        replay.rules =
            (0..=MAX_RULE_TEXTS).map(|number| RuleFile { path: path(number), text: String::new() }).collect();
        let text = replay.to_toml();
        let line =
            text.lines().position(|line| line.ends_with(&format!("{:?}", path(MAX_RULE_TEXTS)))).unwrap_or_default();
        assert_eq!(told(text), [format!("{}:8 there are more than {MAX_RULE_TEXTS} texts of rules", line + 1)]);
    }
}
