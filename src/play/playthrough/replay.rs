//! Replays: a playthrough as a TOML file that a person can read and compare line by line.
//!
//! A replay holds the inputs of the game (rules by name with their hash, seats, seed, log). Of what follows from them,
//! it holds only the scores and how they came about, which can be checked. Every rule that did not come with the
//! program is included as text, so that one file is enough on another machine. Choices are stored by value, so a
//! reordered list of options still fits. A checksum shows whether the file was changed; what still fits is played all
//! the same.

use crate::definition::keys::keys_of;
use crate::definition::{Library, RuleFile, SavedRules, is_id, is_path};
use crate::diagnostic::{Diagnostic, Diagnostics, MAX_SOURCE_BYTES, Place, Source};
use crate::files::{FileFormat, Files, path_name};
use crate::playthrough::Playthrough;
use crate::playthrough::campaign;
use crate::playthrough::comments;
use crate::playthrough::entry_text::{FIRST_FORMAT_WITH_PURPOSES, FORMAT_WITH_LABELS, entry_from_toml, entry_to_text};
use crate::playthrough::history::History;
use crate::playthrough::log::{CLOCK, Entry, LogEntry, Purpose, deduplicated};
use crate::playthrough::long_text::{self, quoted};
use crate::playthrough::mail;
use crate::playthrough::playtest::{
    MAX_MARKS, MAX_REMARK_CHARS, MAX_THINKING_MILLISECONDS, Mark, Playtest, ThinkingTime,
};
use crate::ruleset::{Ruleset, Selection, SelectionPart};
use crate::table::event::{Event, ScriptPoint};
use crate::table::layout::Layout;
use crate::table::value::Value;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use toml::Spanned;

/// The current format number. Earlier formats are read too: format 2 lacks the purposes of choices, and format 1 also
/// lacks rules and stores choices as labels. Format 4 adds playtest data; a game without any is written in format 3.
pub const FORMAT: i64 = 4;

/// Help on how to make a saved game.
const HOW_TO_SAVE: &str = "`save FILE` in a game writes a saved game";

/// The first format with playtest data.
const FIRST_FORMAT_WITH_PLAYTEST: i64 = 4;

/// The most log entries read from a file.
const MAX_ENTRIES: usize = 100_000;

/// The most changes of scores written to a file; of more, the first.
const MAX_SCORE_CHANGES: usize = 20_000;

/// The most errors of a file reported at once.
const MAX_REPORTED_ERRORS: usize = 5;

/// The most rule texts in a file.
const MAX_RULE_TEXTS: usize = 200;

/// The size limit of a replay, in bytes.
pub const MAX_BYTES: u64 = 8 << 20;

/// The file format of saved games.
pub const FILE: FileFormat = FileFormat { name: "a saved game", beginning: "# A game saved by houserule " };

/// The content of a replay file.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The selected game, variants and settings, by name.
    pub selection: Selection,
    /// The hash of the rules that the game was played with.
    pub ruleset: String,
    /// The number of seats.
    pub players: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    pub log: Vec<LogEntry>,
    /// The result when the game was saved.
    pub result: Option<ReplayResult>,
    /// Playtest data of the people who played.
    pub playtest: Playtest,
    /// The rule texts in the file.
    pub rules: Vec<RuleFile>,
}

/// The result stored in a saved game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayResult {
    /// Whether the game was over.
    pub over: bool,
    /// Scores in seat order.
    pub scores: Vec<i64>,
    /// Every change of a score, in order; `None` in files of earlier versions, which did not store it.
    pub course: Option<Vec<SeatScore>>,
}

/// A score after it changed; in a file `[12, 2, 30]`: with move 12, p2 came to 30.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "(usize, usize, i64)")]
pub struct SeatScore {
    /// The number of the move that caused the change; 0 before the first.
    pub moves: usize,
    /// The number of the seat, from 1.
    pub seat: usize,
    /// The score from then on.
    pub score: i64,
}

impl From<(usize, usize, i64)> for SeatScore {
    fn from((moves, seat, score): (usize, usize, i64)) -> Self {
        Self { moves, seat, score }
    }
}

/// A parsed replay, with warnings about its file.
#[derive(Clone, Debug)]
pub struct ReplayFile {
    pub replay: Replay,
    /// The format number of the file.
    pub format: i64,
    /// Warnings, such as that the file was changed after it was saved.
    pub warnings: Vec<Diagnostic>,
    /// The spans of its parts in the file.
    pub places: ReplaySpans,
}

/// The spans of a replay's parts in its file, for error messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplaySpans {
    source: Arc<Source>,
    game: Range<usize>,
    variants: Vec<Range<usize>>,
    set: Vec<Range<usize>>,
    players: Range<usize>,
    log: Vec<Range<usize>>,
    rules: Vec<Range<usize>>,
}

impl Replay {
    /// The replay of a playthrough: its current branch, up to where it stands. Rules that did not come with this
    /// version of the program are included.
    pub fn of(playthrough: &Playthrough) -> Self {
        let ruleset = &playthrough.loaded().ruleset;
        let position = playthrough.position();
        Self {
            selection: ruleset.selection.clone(),
            ruleset: ruleset.hash.clone(),
            players: playthrough.seats,
            seed: playthrough.seed,
            log: playthrough.timeline().log().to_vec(),
            result: position.failed.is_none().then(|| ReplayResult {
                over: position.open.is_none(),
                scores: position.scores.clone(),
                course: Some(
                    course(&playthrough.loaded().layout, &position.events)
                        .into_iter()
                        .map(|(scored, _)| scored)
                        .collect(),
                ),
            }),
            playtest: playthrough.playtest.along(playthrough.timeline().log()),
            rules: ruleset.files(false),
        }
    }

    /// The text of the file.
    pub fn to_toml(&self) -> String {
        let mut text =
            format!("{}{}.\nformat   = {}\n", FILE.beginning, env!("CARGO_PKG_VERSION"), self.format_number());
        text.push_str(&self.facts());
        text.push_str(&self.rules_to_toml());
        text.push_str(&format!("\n[check]\nhash = \"{}\"\n", self.checksum(self.format_number())));
        text
    }

    /// As [`to_toml`](Self::to_toml), with `remarks` as comments for the reader, and in lines short enough for a mail
    /// where TOML allows it.
    pub fn to_toml_with(&self, remarks: impl IntoIterator<Item = impl AsRef<str>>) -> String {
        let remarks: String = remarks.into_iter().map(|text| mail::remark(text.as_ref())).collect();
        let text = self.to_toml();
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let (facts, rules, check) = (self.facts(), self.rules_to_toml(), rest.rsplit_once("\n[check]\n"));
        let check = check.map(|(_, hash)| format!("\n[check]\n{}", mail::narrow(hash))).unwrap_or_default();
        let narrow =
            format!("{first}\n{remarks}format   = {}\n{}{rules}{check}", self.format_number(), mail::narrow(&facts));
        // Lines are broken only if the text still reads as the same game.
        match Self::parse(&Source::new("", &narrow)) {
            Ok(read) if read.warnings.is_empty() => narrow,
            _ => format!("{first}\n{remarks}{rest}"),
        }
    }

    /// The format number to write. Data that an earlier format lacked stays absent until the game has been played, so
    /// that format is kept.
    fn format_number(&self) -> i64 {
        let is_untold = |entry: &LogEntry| matches!(**entry, Entry::Choice { purpose: Purpose::Untold, .. });
        match () {
            () if self.log.iter().any(is_untold) => FIRST_FORMAT_WITH_PURPOSES - 1,
            () if self.playtest.is_empty() && !self.log.iter().any(sets_clock) => FIRST_FORMAT_WITH_PURPOSES,
            () => FIRST_FORMAT_WITH_PLAYTEST,
        }
    }

    /// The checksum of a file in a format. From format 3 on it covers the format number, because an earlier number
    /// would change how choices are read.
    fn checksum(&self, format: i64) -> String {
        let number = if format >= FIRST_FORMAT_WITH_PURPOSES { format!("format = {format}\n") } else { String::new() };
        checksum(&format!("{number}{}{}", self.facts(), self.rules_to_toml()))
    }

    /// Everything except the rules, as TOML; no string in it spans lines.
    fn facts(&self) -> String {
        let strings = |list: &[String]| list.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ");
        let mut text = format!(
            "game     = {}\nvariants = [{}]\nset      = [{}]\nplayers  = {}\nseed     = {}\nruleset  = {}\nlog = [\n",
            quoted(&self.selection.game),
            strings(&self.selection.variants),
            strings(&self.selection.set),
            self.players,
            self.seed,
            quoted(&self.ruleset),
        );
        for entry in &self.log {
            text.push_str("  ");
            text.push_str(&entry_to_text(entry));
            text.push_str(",\n");
        }
        text.push_str("]\n");
        if let Some(ReplayResult { over, scores, course }) = &self.result {
            text.push_str(&format!("\n[result]\nover   = {over}\nscores = {scores:?}\n"));
            course.iter().for_each(|course| text.push_str(&course_to_toml(course)));
        }
        if self.format_number() == FIRST_FORMAT_WITH_PLAYTEST {
            text.push_str(&playtest_to_toml(&self.playtest));
        }
        text
    }

    /// The rule texts, as TOML.
    fn rules_to_toml(&self) -> String {
        let mut text = String::new();
        for RuleFile { path, text: rules } in &self.rules {
            text.push_str(&format!("\n[[rules]]\npath = {}\ntext = {}\n", quoted(path), long_text::to_toml(rules)));
        }
        text
    }

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
        let at = |span: Range<usize>, label: &str| Place::new(source, span, label);
        let mut trouble = Vec::new();
        let mut log = Vec::with_capacity(file.log.len().min(MAX_ENTRIES));
        for (index, written) in file.log.iter().take(MAX_ENTRIES).enumerate() {
            match entry_from_toml(written.get_ref(), file.format) {
                Ok(Entry::Campaign { .. }) if index > 0 => trouble.push(
                    Diagnostic::new(format!("entry {} of the log cannot be a `{}`", index + 1, campaign::WORD))
                        .at(at(written.span(), "this entry"))
                        .help("what an earlier game has kept comes first in the log"),
                ),
                Ok(entry) => {
                    let entry = deduplicated(log.iter().rev(), entry.into());
                    log.push(entry);
                }
                Err(reason) => trouble.push(
                    Diagnostic::new(format!("entry {} of the log is not valid: {reason}", index + 1))
                        .at(at(written.span(), "this entry")),
                ),
            }
        }
        if let Some(beyond) = file.log.get(MAX_ENTRIES) {
            let message = format!("the log has more than {MAX_ENTRIES} entries");
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
            let message = format!("there are more than {MAX_RULE_TEXTS} texts of rules");
            trouble.push(Diagnostic::new(message).at(at(beyond.path.span(), "the first too many")));
        }
        trouble.truncate(MAX_REPORTED_ERRORS);
        Diagnostics::refuse(trouble)?;
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
                Diagnostic::warning(format!("`{}` was changed since it was saved", source.name))
                    .help("what fits is played; save it again to make it whole"),
            );
        }
        Ok(ReplayFile { replay, format: file.format, warnings, places })
    }
}

impl ReplayFile {
    /// The rules that the game was saved with: those in the file, and the others from disk; with the library that they
    /// come from. Where all rules in the file are the same on disk, the files on disk are used, so that they can be
    /// edited while the game is open.
    ///
    /// # Errors
    /// The rules have errors, or do not exist; with the place in the file.
    pub fn rules(&self, library: &Library, path: &Path) -> Result<(Ruleset, Library), Diagnostics> {
        let library = library.with_saved_rules(Some(self.inside(path)));
        let mut selection = self.selection_on_disk(library.files(), path)?;
        for variant in selection.variants.iter_mut().filter(|variant| is_path(variant)) {
            // Inside the file, variants have ids rather than paths; the id is the name of the variant's file.
            let id = Path::new(&*variant).file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let inside = format!("variants/{}/{id}.toml", selection.game);
            if self.replay.rules.iter().any(|rule| rule.path == inside) {
                *variant = id;
            }
        }
        let ruleset = Ruleset::load_for(&library, &selection, &|part| self.places.of(part))?;
        match self.rules_on_disk(&library, path) {
            Ok(on_disk) if on_disk.0.hash == ruleset.hash => Ok(on_disk),
            _ => Ok((ruleset, library)),
        }
    }

    /// The rules of the same names as they are on disk, regardless of the rules in the file.
    ///
    /// # Errors
    /// As [`rules`](Self::rules).
    pub fn rules_on_disk(&self, library: &Library, path: &Path) -> Result<(Ruleset, Library), Diagnostics> {
        let library = library.with_saved_rules(None);
        let selection = self.selection_on_disk(library.files(), path)?;
        let ruleset = Ruleset::load_for(&library, &selection, &|part| self.places.of(part))?;
        Ok((ruleset, library))
    }

    /// How the rules on disk differ from those in the file, in a few words; `None` where they do not differ, or the
    /// file holds no rules.
    pub fn other_on_disk(&self, inside: &Ruleset, library: &Library, path: &Path) -> Option<String> {
        if self.replay.rules.is_empty() {
            return None;
        }
        let on_disk = match self.rules_on_disk(library, path) {
            Ok((on_disk, _)) => on_disk,
            Err(errors) => return Some(format!("those on disk cannot be used: {}", errors.first().message)),
        };
        let (inside, on_disk) = (inside.files(true), on_disk.files(true));
        let is_both = |file: &&RuleFile| inside.contains(file) && on_disk.contains(file);
        let differing: BTreeSet<&str> =
            inside.iter().chain(&on_disk).filter(|file| !is_both(file)).map(|file| &*file.path).collect();
        let list = || differing.iter().copied().collect::<Vec<_>>().join(", ");
        (!differing.is_empty()).then(|| format!("those on disk are different: {}", list()))
    }

    /// For each layer and library shipped with the program, and so left out of the file, the path of its first text;
    /// empty where other rules are missing too. If the rules differ, another version of the program has some of these
    /// texts otherwise.
    pub fn left_out(&self, ruleset: &Ruleset) -> Vec<String> {
        let is_inside = |files: &[RuleFile]| files.iter().all(|file| self.replay.rules.contains(file));
        let outside: Vec<Vec<RuleFile>> =
            ruleset.texts().map(|(files, _)| files).filter(|files| !is_inside(files)).collect();
        if !outside.iter().all(|files| ruleset.are_shipped(files)) {
            return Vec::new();
        }
        outside.into_iter().filter_map(|files| Some(files.into_iter().next()?.path)).collect()
    }

    /// The sorted paths of rule texts in the file that differ from those found on disk, or are not found there.
    ///
    /// # Errors
    /// As [`rules`](Self::rules); or the game is not for this number of players.
    pub fn own_rules(&self, library: &Library, path: &Path) -> Result<Vec<String>, Diagnostics> {
        let (inside, _) = self.rules(library, path)?;
        self.check_rules(&inside)?;
        let files = library.files();
        let is_own = |rule: &&RuleFile| {
            let found = library.roots().iter().map(|root| root.join(&rule.path)).find(|place| files.exists(place));
            let text = found.and_then(|place| files.read(&place, &rule.path).ok());
            text.is_none_or(|found| found.text != rule.text)
        };
        let own: BTreeSet<&str> = self.replay.rules.iter().filter(is_own).map(|rule| &*rule.path).collect();
        Ok(own.into_iter().map(str::to_owned).collect())
    }

    /// Rejects rules that the game cannot have been played under.
    ///
    /// # Errors
    /// The rules are not for this number of players; or the log sets the clock in a format without clock, and the rules
    /// have no variable of that name. With the place in the file.
    pub fn check_rules(&self, ruleset: &Ruleset) -> Result<(), Diagnostics> {
        let is_variable = || ruleset.definition.variables.iter().any(|variable| variable.id == CLOCK);
        let clock = self
            .replay
            .log
            .iter()
            .position(sets_clock)
            .filter(|_| self.format < FIRST_FORMAT_WITH_PLAYTEST && !is_variable());
        if let Some(index) = clock {
            let error = Diagnostic::new(format!("a saved game of format {} does not set the clock", self.format));
            let help = format!("format {FIRST_FORMAT_WITH_PLAYTEST} is the first that does");
            return Err(error.at_maybe(self.entry(index + 1)).help(help).into());
        }
        ruleset.check_players(self.replay.players).map_err(|errors| {
            errors.map(|mut error| {
                // The original help is for somebody who can choose another number.
                error.help = vec!["the file or the rules were changed since the game was saved".into()];
                error.at(self.places.at(&self.places.players, "so many played"))
            })
        })
    }

    /// The text of the file when its game is saved again as it stands now. Comments are kept, and so is the text of all
    /// rules where the file had them all.
    pub fn saved_again(&self, game: &Playthrough) -> String {
        let mut replay = Replay::of(game);
        let all = game.loaded().ruleset.files(true);
        if all.iter().all(|rule| self.replay.rules.iter().any(|was| was.path == rule.path)) {
            replay.rules = all;
        }
        let before = &self.places.source.text;
        let now = comments::kept(before, &replay.to_toml());
        // The first line holds the program's version; a person's text after that moves to a line of its own.
        let first = before.lines().next().and_then(|line| line.strip_prefix(FILE.beginning));
        match first.and_then(|first| first.split_once(". ")) {
            Some((_, words)) => now.replacen('\n', &format!("\n# {}\n", words.trim()), 1),
            None => now,
        }
    }

    /// The place of a log entry in the file, by its number from 1.
    pub fn entry(&self, number: usize) -> Option<Place> {
        let span = self.places.log.get(number.checked_sub(1)?)?;
        Some(self.places.at(span, "this entry"))
    }

    /// The selection to look for on disk. Paths of variant files may be relative to the replay; a game in a pack is
    /// looked for by name alone.
    ///
    /// # Errors
    /// The replay is in a pack, and names a file outside it.
    fn selection_on_disk(&self, files: &dyn Files, path: &Path) -> Result<Selection, Diagnostics> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let selection = &self.replay.selection;
        let is_packed = files.is_packed(path);
        let outside = |named: &str, part: SelectionPart| {
            Diagnostic::new(format!("a pack names no file outside it, and `{named}` is one"))
                .at_maybe(self.places.of(part))
                .help("save the game again under rules that are in the pack")
        };
        if is_packed && is_path(&selection.game) {
            return Err(outside(&selection.game, SelectionPart::Game).into());
        }
        let found = |(number, variant): (usize, &String)| {
            if !is_path(variant) {
                return Ok(variant.clone());
            }
            if is_packed {
                let id = Path::new(variant).file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let inside = format!("variants/{}/{id}.toml", selection.game);
                let is_inside = self.replay.rules.iter().any(|rule| rule.path == inside);
                return if is_inside { Ok(id) } else { Err(outside(variant, SelectionPart::Variant(number)).into()) };
            }
            let there = folder.join(variant);
            Ok(match !files.exists(Path::new(variant)) && files.exists(&there) {
                true => path_name(&there),
                false => variant.clone(),
            })
        };
        let variants: Result<Vec<String>, Diagnostics> = selection.variants.iter().enumerate().map(found).collect();
        Ok(Selection { variants: variants?, ..selection.clone() })
    }

    /// The rule texts in the file, each with its line numbers there.
    fn inside(&self, path: &Path) -> SavedRules {
        let ReplaySpans { source, rules: spans, .. } = &self.places;
        let files = self.replay.rules.iter().zip(spans).map(|(rule, span)| {
            let written = source.text.get(span.clone()).unwrap_or_default();
            let lines_before = source.position(span.start).0 - usize::from(!long_text::begins_below(written));
            (rule.path.clone(), Source::within(source.name.clone(), lines_before, rule.text.clone()))
        });
        SavedRules { path: path.to_owned(), files: files.collect() }
    }
}

impl ReplaySpans {
    /// The place of a part of the selection.
    fn of(&self, part: SelectionPart) -> Option<Place> {
        let (span, label) = match part {
            SelectionPart::Game => (self.game.clone(), "the game of this file"),
            SelectionPart::Variants => {
                (self.variants.first()?.start..self.variants.last()?.end, "the variants of this file")
            }
            SelectionPart::Variant(number) => (self.variants.get(number)?.clone(), "a variant of this file"),
            SelectionPart::Set(number) => (self.set.get(number)?.clone(), "set in this file"),
        };
        Some(self.at(&span, label))
    }

    fn at(&self, span: &Range<usize>, label: &str) -> Place {
        Place::new(&self.source, span.clone(), label)
    }
}

/// The error in a rule text and its help; `None` where the text is fine.
fn wrong_rule(path: &str, text: &str, is_twice: bool) -> Option<(String, &'static str)> {
    let is_rule_path = match path.split('/').collect::<Vec<_>>()[..] {
        ["games", game, "game.toml" | "rules.rhai"] => is_id(game),
        ["variants", game, file] => {
            is_id(game) && file.strip_suffix(".toml").or(file.strip_suffix(".rhai")).is_some_and(is_id)
        }
        ["scripts", file] => file.strip_suffix(".toml").or(file.strip_suffix(".rhai")).is_some_and(is_id),
        _ => false,
    };
    if !is_rule_path {
        let help =
            "rules have paths like games/high-card/rules.rhai, variants/high-card/double.toml, scripts/trick.rhai";
        return Some((format!("`{path}` is not a path of rules"), help));
    }
    if text.len() > MAX_SOURCE_BYTES {
        return Some((format!("`{path}` is larger than {} KiB", MAX_SOURCE_BYTES / 1024), "rules may not be larger"));
    }
    is_twice.then(|| (format!("`{path}` is in the file twice"), "leave out one of them"))
}

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
struct WrittenPlaytest {
    #[serde(default)]
    thinking: Vec<Spanned<ThinkingTime>>,
    #[serde(default)]
    marks: Vec<Spanned<Mark>>,
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

/// The known sections of a file.
const SECTIONS: [&str; 5] = ["replay", "result", "playtest", "rules", "check"];

/// Every change of a score among `events`, with the place in the rules that caused it.
pub(super) fn course(layout: &Layout, events: &History) -> Vec<(SeatScore, ScriptPoint)> {
    let scored = |event: &Event| {
        let (variable, Value::Number(score)) = event.what.sets(layout)? else { return None };
        let seat = layout.variables.get(variable)?.seat.filter(|seat| layout.score_of(*seat) == variable)?;
        Some((SeatScore { moves: event.moves, seat: seat.number(), score }, event.at))
    };
    let mut course = Vec::new();
    events.for_each(|event| {
        if course.len() < MAX_SCORE_CHANGES {
            course.extend(scored(event));
        }
    });
    course
}

/// The course of the scores as TOML, with one line for the changes of one seat in one move.
fn course_to_toml(course: &[SeatScore]) -> String {
    if course.is_empty() {
        return "course = []\n".to_owned();
    }
    let mut text = "course = [\n".to_owned();
    for together in course.chunk_by(|one, next| (one.moves, one.seat) == (next.moves, next.seat)) {
        let scored = together.iter().map(|scored| format!("[{}, {}, {}]", scored.moves, scored.seat, scored.score));
        text.push_str(&format!("  {},\n", scored.collect::<Vec<_>>().join(", ")));
    }
    text.push_str("]\n");
    text
}

/// Validates the playtest data of a file.
///
/// # Errors
/// The format has no playtest data; a seat, choice or time is impossible; or there is more data than is kept.
fn playtest_of(
    written: Spanned<WrittenPlaytest>,
    (format, players): (i64, usize),
    log: &[LogEntry],
    source: &Arc<Source>,
) -> Result<Playtest, Diagnostics> {
    let at = |span: Range<usize>, label: &str| Place::new(source, span, label);
    if format < FIRST_FORMAT_WITH_PLAYTEST {
        let error = Diagnostic::new(format!("a saved game of format {format} tells nothing of those who played"));
        let place = at(written.span(), "told here");
        return Err(error.at(place).help(format!("format {FIRST_FORMAT_WITH_PLAYTEST} is the first that does")).into());
    }
    let WrittenPlaytest { thinking, marks } = written.into_inner();
    let wrong_seat = |seat: usize| {
        let message = format!("there is no player {seat} in a game of {players} players");
        (!(1..=players).contains(&seat)).then_some(message)
    };
    let in_line = |wrong: String, span: Range<usize>| {
        Diagnostic::new(wrong).at(at(span, "in this line")).help("the game is the same without this line")
    };
    let mut trouble = Vec::new();
    let mut before = 0;
    for written in &thinking {
        let ThinkingTime { entry, seat, milliseconds } = *written.get_ref();
        let is_choice = |by: usize| match entry.checked_sub(1).and_then(|place| log.get(place)).map(|entry| &**entry) {
            Some(Entry::Choice { seat, .. }) => seat.is_none_or(|seat| seat.number() == by),
            _ => false,
        };
        let wrong = wrong_seat(seat)
            .or_else(|| (!is_choice(seat)).then(|| format!("entry {entry} of the log is no choice of player {seat}")))
            .or_else(|| (entry <= before).then(|| format!("entry {entry} is told of behind entry {before}")))
            .or_else(|| {
                (milliseconds > MAX_THINKING_MILLISECONDS).then(|| "nobody thinks for longer than a year".to_owned())
            });
        before = entry;
        trouble.extend(wrong.map(|wrong| in_line(wrong, written.span())));
        if trouble.len() == MAX_REPORTED_ERRORS {
            break;
        }
    }
    for written in marks.iter().take(MAX_MARKS) {
        let Mark { entries, seat, words, .. } = written.get_ref();
        let wrong = wrong_seat(*seat)
            .or_else(|| (*entries > log.len()).then(|| format!("the log has fewer than {entries} entries")))
            .or_else(|| {
                words.chars().nth(MAX_REMARK_CHARS).map(|_| format!("a mark has at most {MAX_REMARK_CHARS} characters"))
            });
        trouble.extend(wrong.map(|wrong| in_line(wrong, written.span())));
    }
    if let Some(beyond) = marks.get(MAX_MARKS) {
        let message = format!("there are more than {MAX_MARKS} marks");
        trouble.push(Diagnostic::new(message).at(at(beyond.span(), "the first too many")));
    }
    trouble.truncate(MAX_REPORTED_ERRORS);
    Diagnostics::refuse(trouble)?;
    Ok(Playtest {
        thinking: thinking.into_iter().map(Spanned::into_inner).collect(),
        marks: marks.into_iter().map(Spanned::into_inner).collect(),
    })
}

fn playtest_to_toml(playtest: &Playtest) -> String {
    let mut text = String::new();
    if playtest.is_empty() {
        return text;
    }
    text.push_str("\n[playtest]\n");
    if !playtest.thinking.is_empty() {
        text.push_str("thinking = [\n");
        for ThinkingTime { entry, seat, milliseconds } in &playtest.thinking {
            text.push_str(&format!("  [{entry}, {seat}, {milliseconds}],\n"));
        }
        text.push_str("]\n");
    }
    if !playtest.marks.is_empty() {
        text.push_str("marks = [\n");
        for Mark { entries, seat, kind, words } in &playtest.marks {
            text.push_str(&format!("  [{entries}, {seat}, {}, {}],\n", quoted(kind.name()), quoted(words)));
        }
        text.push_str("]\n");
    }
    text
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
    Err(Diagnostic::new(format!("this saved game has format {format}, and formats 1 to {FORMAT} can be read"))
        .at(Place::new(source, head.format.span(), "the number of the format"))
        .help(newer)
        .into())
}

/// An error of the TOML library in plain words, without echoing the file's text by itself.
fn worded(source: &Arc<Source>, error: &toml::de::Error) -> Diagnostic {
    let message = error.message().lines().next().unwrap_or("this is not a saved game");
    let place = Place::new(source, error.span().unwrap_or(0..0), "here");
    let told = |message: &str| Diagnostic::new(format!("not a saved game: {message}")).at(place.clone());
    let quoted = |before: &str| message.strip_prefix(before).and_then(|rest| rest.split('`').next());
    if let Some(number) = quoted("invalid value: integer `") {
        return told(&format!("`{number}` cannot be here")).help("write a whole number from 0");
    }
    let keys = SECTIONS.iter().flat_map(|section| keys_of(section)).map(|key| key.name());
    match quoted("unknown field `") {
        Some(unknown) => told(message).near(unknown, keys),
        None => told(message).help(HOW_TO_SAVE),
    }
}

/// Whether an entry sets the clock, or a variable of that name.
fn sets_clock(entry: &LogEntry) -> bool {
    matches!(&**entry, Entry::Set { variable, .. } if variable == CLOCK)
}

fn checksum(body: &str) -> String {
    format!("blake3:{}", blake3::hash(body.as_bytes()).to_hex())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Scalar;
    use crate::playthrough::chosen_value::ChosenValue;
    use crate::playthrough::chosen_value::NamedKind;
    use crate::playthrough::log::TableSetup;
    use crate::playthrough::playtest::MarkKind;
    use crate::table::value::Seat;

    fn example() -> Replay {
        let choice = |seat, chosen| Entry::Choice {
            seat: Seat::from_number(seat),
            prompt: "play_card".into(),
            purpose: Purpose::Plain,
            chosen: [chosen].into(),
        };
        let for_what = |purpose| Entry::Choice {
            seat: None,
            prompt: "name \"it\"".into(),
            purpose,
            chosen: [ChosenValue::Parts(vec![("for".to_owned(), ChosenValue::Number(1))])].into(),
        };
        let name = |name: &str| ChosenValue::Name(name.to_owned());
        let marked = |sort, name: &str| ChosenValue::Marked(sort, name.to_owned());
        Replay {
            selection: Selection {
                game: "high-card".to_owned(),
                variants: vec!["double".to_owned()],
                set: vec!["double.bonus=[0, 1]".to_owned()],
            },
            ruleset: "blake3:00".to_owned(),
            players: 3,
            seed: 42,
            log: [
                Entry::Campaign {
                    kept: [
                        ("p1.scars", ChosenValue::Number(2)),
                        ("title", name("zone:of \"war\"")),
                        (
                            "p2.pack",
                            ChosenValue::List(vec![marked(NamedKind::Text, "7"), marked(NamedKind::Player, "p2")]),
                        ),
                    ]
                    .map(|(variable, value)| (variable.to_owned(), value))
                    .into(),
                },
                Entry::Rig { stream: "shuffle face_down".to_owned(), result: vec!["14".to_owned()] },
                choice(1, name("14")),
                for_what(Purpose::Given("say \"what\"".into())),
                for_what(Purpose::Setting("two-colors.lucky".into())),
                choice(2, ChosenValue::Number(-14)),
                choice(3, ChosenValue::Truth(true)),
                choice(3, marked(NamedKind::Text, "say \"14\"")),
                choice(3, marked(NamedKind::Component, "14")),
                choice(3, name("zone:ring")),
                choice(3, name("\"\"")),
                Entry::Set { variable: "p1.score".to_owned(), value: Scalar::Number(-3) },
                Entry::Set { variable: "color".to_owned(), value: Scalar::Text("a \"b\" \u{7}".to_owned()) },
                Entry::Move { component: "7".to_owned(), to: Some("ring".to_owned()), position: Some(2) },
                Entry::Move { component: "8".to_owned(), to: None, position: None },
                Entry::Reroll(2),
                Entry::Swap { one: "p1.hand".to_owned(), other: "p2.hand".to_owned() },
                Entry::Lay {
                    name: "a \"corner\"".to_owned(),
                    given: TableSetup {
                        zones: [("ring", vec!["7", "14"]), ("p1.hand", vec![])]
                            .map(|(zone, labels)| (zone.to_owned(), labels.into_iter().map(str::to_owned).collect()))
                            .into(),
                        set: [
                            ("p1.score".to_owned(), Scalar::Number(4)),
                            ("color".to_owned(), Scalar::Text("\u{7}\n".to_owned())),
                            ("is_open".to_owned(), Scalar::Truth(true)),
                        ]
                        .into(),
                    },
                },
                Entry::Lay { name: "nothing".to_owned(), given: TableSetup::default() },
                choice(
                    2,
                    ChosenValue::Parts(
                        [
                            ("act", name("extend")),
                            ("a part", ChosenValue::List(vec![name("7"), marked(NamedKind::Zone, "8")])),
                        ]
                        .map(|(part, value)| (part.to_owned(), value))
                        .to_vec(),
                    ),
                ),
            ]
            .map(LogEntry::from)
            .to_vec(),
            result: Some(ReplayResult {
                over: false,
                scores: vec![1, -2, 3],
                course: Some([(2, 1, 4), (2, 1, 1), (2, 2, -2), (7, 3, 3)].map(SeatScore::from).to_vec()),
            }),
            playtest: Playtest {
                thinking: [(3, 1, 4_200), (6, 2, 90)].map(ThinkingTime::from).to_vec(),
                marks: vec![Mark::from((6, 3, MarkKind::Unclear, "why \"this\"\n?".to_owned()))],
            },
            rules: [("variants/high-card/double.toml", TOML), ("variants/high-card/double.rhai", "fn x() {}\n")]
                .map(|(path, text)| RuleFile { path: path.to_owned(), text: text.to_owned() })
                .to_vec(),
        }
    }

    const TOML: &str = "id = 'double'\ngame = 'high-card'\nname = \"Double\"\ntext.a = '''\\d \"\"\" '''\n";

    #[test]
    fn writing_and_reading_is_the_identity() {
        let replay = example();
        let read = Replay::parse(&Source::new("a.toml", replay.to_toml())).map_err(|errors| errors[0].to_string());
        let read = read.map(|read| (read.replay, read.warnings.len()));
        assert_eq!(read, Ok((replay, 0)));
    }

    /// Playtest data is validated before use, however it came into the file.
    #[test]
    fn a_playtest_that_cannot_be_is_refused_where_it_stands() {
        #[track_caller]
        fn check(from: &str, to: &str, message: &str, line: usize) {
            let text = example().to_toml();
            let changed = text.replace(from, to);
            assert_ne!(text, changed, "{from}");
            let errors = Replay::parse(&Source::new("a.toml", changed)).err();
            let first = errors.as_ref().map(Diagnostics::first);
            let place = first.and_then(|error| error.place.as_ref()).map(|place| place.position().0);
            assert_eq!((first.map(|error| &*error.message), place), (Some(message), Some(line)), "{to}");
        }
        let text = example().to_toml();
        let line = |of: &str| text.lines().position(|line| line.contains(of)).map_or(0, |line| line + 1);
        let (thinking, mark) = (line("[3, 1, 4200]"), line("\"unclear\""));
        for format in [2, 3] {
            let told = format!("a saved game of format {format} tells nothing of those who played");
            check("format   = 4", &format!("format   = {format}"), &told, line("[playtest]"));
        }
        check("[3, 1, 4200]", "[3, 4, 4200]", "there is no player 4 in a game of 3 players", thinking);
        check("[3, 1, 4200]", "[3, 0, 4200]", "there is no player 0 in a game of 3 players", thinking);
        check("[3, 1, 4200]", "[3, 2, 4200]", "entry 3 of the log is no choice of player 2", thinking);
        check("[3, 1, 4200]", "[0, 1, 4200]", "entry 0 of the log is no choice of player 1", thinking);
        check("[3, 1, 4200]", "[2, 1, 4200]", "entry 2 of the log is no choice of player 1", thinking);
        check("[3, 1, 4200]", "[9000, 1, 4200]", "entry 9000 of the log is no choice of player 1", thinking);
        check("[3, 1, 4200],\n", "[3, 1, 4200],\n[3, 1, 1],\n", "entry 3 is told of behind entry 3", thinking + 1);
        check("4200", "9223372036854775807", "nobody thinks for longer than a year", thinking);
        check("[6, 3, \"unclear\"", "[6, 4, \"unclear\"", "there is no player 4 in a game of 3 players", mark);
        check("[6, 3, \"unclear\"", "[99, 3, \"unclear\"", "the log has fewer than 99 entries", mark);
        let long = format!("[6, 3, \"fun\", \"{}\"],\n  [6, 3, \"unclear\"", "a".repeat(MAX_REMARK_CHARS + 1));
        check("[6, 3, \"unclear\"", &long, "a mark has at most 200 characters", mark);
        let many = format!("{}[6, 3, \"unclear\"", "[6, 3, \"fun\", \"\"],\n".repeat(MAX_MARKS));
        check("[6, 3, \"unclear\"", &many, "there are more than 1000 marks", mark + MAX_MARKS);
        // As many thinking times as a file has room for are rejected at once.
        check("[3, 1, 4200],\n", &"[3, 1, 1],".repeat(800_000), "entry 3 is told of behind entry 3", thinking);
    }

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

    #[test]
    fn a_file_without_the_course_of_scores_reads_as_before() {
        let mut replay = example();
        replay.result = Some(ReplayResult { over: true, scores: vec![1, 2, 3], course: None });
        let text = replay.to_toml();
        assert!(!text.contains("course"), "{text}");
        let read = Replay::parse(&Source::new("a.toml", text)).map_err(|errors| errors[0].to_string());
        assert_eq!(read.map(|read| (read.replay, read.warnings.len())), Ok((replay, 0)));
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
