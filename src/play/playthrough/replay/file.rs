//! A saved game as a file: the rules in it and those beside it, the places of its parts, and what is written when the
//! game is saved again. What is in the game itself is a [`Replay`].

use super::{FILE, FIRST_FORMAT_WITH_PLAYTEST, Replay, sets_clock};
use crate::definition::{Library, RuleFile, SavedRules, is_path};
use crate::diagnostic::{Diagnostic, Diagnostics, Message, Place, Source, message};
use crate::files::{Files, path_name};
use crate::playthrough::Playthrough;
use crate::playthrough::comments;
use crate::playthrough::log::CLOCK;
use crate::playthrough::long_text;
use crate::ruleset::{Ruleset, Selection, SelectionPart};
use crate::sorted::SortedSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A parsed replay, with warnings about its file.
#[derive(Clone, Debug)]
pub struct ReplayFile {
    pub replay: Replay,
    /// The format number of the file.
    pub format: i64,
    /// Warnings, such as that the file was changed after it was saved.
    pub warnings: Vec<Diagnostic>,
    /// The spans of its parts in the file.
    pub(super) places: ReplaySpans,
}

/// The spans of a replay's parts in its file, for error messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReplaySpans {
    pub(super) source: Arc<Source>,
    pub(super) game: Range<usize>,
    pub(super) variants: Vec<Range<usize>>,
    pub(super) set: Vec<Range<usize>>,
    pub(super) players: Range<usize>,
    pub(super) log: Vec<Range<usize>>,
    pub(super) rules: Vec<Range<usize>>,
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
            if let Some(id) = self.id_inside(variant) {
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
    pub fn other_on_disk(&self, inside: &Ruleset, library: &Library, path: &Path) -> Option<Message> {
        if self.replay.rules.is_empty() {
            return None;
        }
        let on_disk = match self.rules_on_disk(library, path) {
            Ok((on_disk, _)) => on_disk,
            Err(errors) => return Some(message!("those on disk cannot be used: {}", errors.first().message)),
        };
        let (inside, on_disk) = (inside.files(true), on_disk.files(true));
        let is_both = |file: &&RuleFile| inside.contains(file) && on_disk.contains(file);
        let differing: SortedSet<&str> =
            inside.iter().chain(&on_disk).filter(|file| !is_both(file)).map(|file| &*file.path).collect();
        let list = || differing.iter().copied().collect::<Vec<_>>().join(", ");
        (!differing.is_empty()).then(|| message!("those on disk are different: {}", list()))
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
        let own: SortedSet<&str> = self.replay.rules.iter().filter(is_own).map(|rule| &*rule.path).collect();
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
            let error = Diagnostic::new(message!("a saved game of format {} does not set the clock", self.format));
            let help = message!("format {FIRST_FORMAT_WITH_PLAYTEST} is the first that does");
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
            Diagnostic::new(message!("a pack names no file outside it, and `{named}` is one"))
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
                let error = || outside(variant, SelectionPart::Variant(number)).into();
                return self.id_inside(variant).ok_or_else(error);
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

    /// The id of the variant that the game names by the path of its file, if the rules of the variant are in the saved
    /// game. There, variants have ids rather than paths; the id is the name of the variant's file.
    fn id_inside(&self, path: &str) -> Option<String> {
        let id = Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let inside = format!("variants/{}/{id}.toml", self.replay.selection.game);
        self.replay.rules.iter().any(|rule| rule.path == inside).then_some(id)
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

    fn at(&self, span: &Range<usize>, label: &'static str) -> Place {
        Place::new(&self.source, span.clone(), label)
    }
}
