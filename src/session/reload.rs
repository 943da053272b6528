//! Reloading rules that were edited while they are in play: read, tried on the game, and reported.
//!
//! Rules are compared by their hash, so rewriting the same content is no change. Noticing that a file was written is up
//! to the host.

use crate::catalogue::{said, say};
use crate::definition::Layer;
use crate::diagnostic::Diagnostics;
use crate::diagnostic::{Diagnostic, Source};
use crate::inspect::changes::Changes;
use crate::playthrough::log::LogEntry;
use crate::playthrough::rerun::Rule;
use crate::playthrough::{Misfit, Playable, RulesTrial};
use crate::prose::Book;
use crate::ruleset::Ruleset;
use crate::screen;
use crate::screen::style::Line;
use crate::session::{Session, in_lines};
use crate::sorted::SortedSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The state of watching the rules' files.
#[derive(Default)]
pub(super) struct WatchState {
    /// The hash of the rules last read from the files, so that each version is tried once.
    read: Option<String>,
    /// The last message about unusable files, so that it is shown once.
    said: Option<String>,
    /// Edited rules that do not fit the game, waiting for `keep`.
    offered: Option<Playable>,
    /// Warnings about the files already shown, such as that another file of the same name now takes precedence.
    warned: Vec<Diagnostic>,
    /// The errors of the rulebook when it was last read.
    unread: Vec<Diagnostic>,
}

/// The report on files that were written.
pub enum ReloadReport {
    /// The rules are unchanged.
    None,
    /// A file of the rules is missing or empty at the moment.
    Gone,
    /// The rules changed or cannot be used.
    Lines(Vec<Line>),
}

impl Session {
    /// Whether the rules' files are watched.
    pub fn is_watching(&self) -> bool {
        self.watching.is_some()
    }

    /// Starts watching the rules' files.
    pub fn start_watching(&mut self) {
        self.watching.get_or_insert_default();
    }

    /// Stops watching the rules' files.
    pub fn stop_watching(&mut self) {
        self.watching = None;
    }

    /// Reads the rules again, and puts them into play if the game fits.
    pub fn after_save(&mut self, is_patient: bool) -> ReloadReport {
        let report = self.read_saved(is_patient);
        if let ReloadReport::Lines(lines) = &report {
            self.announce(lines);
            self.tell_change();
        }
        report
    }

    fn read_saved(&mut self, is_patient: bool) -> ReloadReport {
        if !self.is_watching() {
            return ReloadReport::None;
        }
        let selection = self.playthrough.loaded().ruleset.selection.clone();
        let ruleset = match Ruleset::load(&self.library_in_play(), &selection) {
            Ok(ruleset) => ruleset,
            Err(errors) if is_patient && self.is_a_file_away(&errors) => return ReloadReport::Gone,
            Err(errors) => return self.report_errors(&errors),
        };
        // The rulebook is no part of the rules: its errors are told before whatever becomes of these, and the game goes on.
        let unread: Vec<Diagnostic> = Book::of(&ruleset).err().into_iter().flatten().collect();
        let width = self.width;
        let told = match &mut self.watching {
            Some(watching) if watching.unread != unread => {
                watching.unread = unread;
                match watching.unread.as_slice() {
                    [] => vec![Line::plain(said("saved: the rulebook can be read again"))],
                    errors => in_lines(errors, width),
                }
            }
            _ => Vec::new(),
        };
        match self.put_into_play(ruleset) {
            ReloadReport::Lines(lines) => ReloadReport::Lines(told.into_iter().chain(lines).collect()),
            _ if !told.is_empty() => ReloadReport::Lines(told),
            report => report,
        }
    }

    /// Puts rules that were read from the files into play if they are others, and the game fits.
    fn put_into_play(&mut self, ruleset: Ruleset) -> ReloadReport {
        let known = &self.playthrough.loaded().warnings;
        let Some(watching) = &mut self.watching else { return ReloadReport::None };
        let is_new = |warning: &&Diagnostic| !known.contains(warning) && !watching.warned.contains(warning);
        let warned = in_lines(ruleset.warnings.iter().filter(is_new), self.width);
        watching.warned.clone_from(&ruleset.warnings);
        let no_other_news = || if warned.is_empty() { ReloadReport::None } else { ReloadReport::Lines(warned.clone()) };
        // Rules that were tried before are not reported again, even after an undo.
        let is_read = watching.read.replace(ruleset.hash.clone()).as_ref() == Some(&ruleset.hash);
        if is_read && watching.said.is_none() {
            return no_other_news();
        }
        if ruleset.hash == self.playthrough.loaded().ruleset.hash {
            let was_other = watching.said.take().is_some() | watching.offered.take().is_some();
            let line = || Line::plain(said("saved: these rules are already in play"));
            return if was_other { ReloadReport::Lines(vec![line()]) } else { no_other_news() };
        }
        let loaded = match Playable::compile(Arc::new(ruleset), self.playthrough.seats, self.work()) {
            Ok(loaded) => loaded,
            Err(errors) => return self.report_errors(&errors),
        };
        match self.try_saved(loaded) {
            Ok(lines) => ReloadReport::Lines(lines),
            Err(error) => self.report_errors(&error),
        }
    }

    /// Replays the game under edited rules: puts them into play if it fits, and offers them if not.
    fn try_saved(&mut self, loaded: Playable) -> Result<Vec<Line>, Diagnostics> {
        if let Some(watching) = &mut self.watching {
            (watching.said, watching.offered) = (None, None);
        }
        let saved = Line::strong(saved(&self.playthrough.loaded().ruleset, &loaded.ruleset)).cut(self.width);
        let mut lines = in_lines(&*loaded.warnings, self.width);
        match self.playthrough.try_rules(loaded)? {
            RulesTrial::Fits(change) => {
                lines.push(saved);
                lines.extend(screen::change(&self.scene(), &change));
                lines.extend(self.after_change_of_rules());
                if change.is_nothing() {
                    lines.extend(self.edited_in_words());
                } else {
                    lines.push(Line::default());
                    lines.extend(self.look());
                }
                self.go_on(lines)
            }
            RulesTrial::Fails(failed) => Ok(match self.report_errors(&self.visible_failure(&failed)) {
                ReloadReport::Lines(told) => lines.into_iter().chain(told).collect(),
                ReloadReport::None | ReloadReport::Gone => lines,
            }),
            RulesTrial::Misfits(loaded, misfit) => {
                lines.push(saved);
                lines.extend(self.misfit_in_words(&loaded, &misfit));
                if let Some(watching) = &mut self.watching {
                    watching.offered = Some(*loaded);
                }
                Ok(lines)
            }
        }
    }

    /// What the last change of rules edited, for one that shows nowhere yet; `None` where no rule is another.
    fn edited_in_words(&self) -> Option<Line> {
        let (old, _) = self.playthrough.rules_before()?;
        let new = self.playthrough.loaded();
        let [before, now] = [old, new].map(|rules| rules.ruleset.all_layers().map(Layer::path).collect());
        let edited = Changes::between(&[(old, &before)], &[(new, &now)]);
        let functions = edited.functions.into_iter().map(|function| function.usage);
        let names: SortedSet<String> = functions.chain(edited.values.into_iter().map(|value| value.path)).collect();
        let names: Vec<String> = names.into_iter().collect();
        (!names.is_empty()).then(|| Line::faint(say!("edited: {}", names.join(", "))).cut(self.width))
    }

    fn misfit_in_words(&self, loaded: &Playable, misfit: &Misfit) -> Vec<Line> {
        let number = misfit.number;
        let mut lines = screen::misfit(&self.scene(), misfit);
        if let Some(rule) = misfit.at.and_then(|at| Rule::at(&loaded.ruleset, at)) {
            lines.push(Line::faint(say!("  asked at {rule}")).cut(self.width));
        }
        let keep = if self.is_option("keep") { ":keep" } else { "keep" };
        lines.push(Line::plain(say!(
            "`{keep}` continues under the new rules before move {number}; until then, nothing changes"
        )));
        lines
    }

    /// Updates the debugger and breakpoints for other rules in play, with messages about both.
    pub(super) fn after_change_of_rules(&mut self) -> Vec<Line> {
        let mut lines = Vec::new();
        self.stopped = None;
        if self.debugger.take().is_some() {
            lines.push(Line::plain(said(
                "the debugger is closed because the rules have changed; `debug` opens it again",
            )));
        }
        if self.breakpoints.is_empty() {
            return lines;
        }
        let places = self.places();
        for point in self.breakpoints.iter().filter(|point| !places.has(&point.target)) {
            let words = say!("breakpoint {} is kept, but {} is not in these rules", point.number, point.target);
            lines.extend(Line::plain(words).broken(self.width));
        }
        lines
    }

    /// Takes the edited rules that do not fit the game; `None` where none are waiting.
    pub(super) fn take_offered(&mut self) -> Option<Playable> {
        self.watching.as_mut()?.offered.take()
    }

    /// The rules before and after the last change of rules, or the edited rules that do not fit, with the log played
    /// under both. `None` once other moves were made.
    pub fn divergence(&self) -> Option<(&Playable, &Playable, &[LogEntry])> {
        let game = &self.playthrough;
        if let Some(offered) = self.watching.as_ref().and_then(|watching| watching.offered.as_ref()) {
            return Some((game.loaded(), offered, game.timeline().log()));
        }
        let (before, log) = game.rules_before().filter(|_| game.undoes_rules())?;
        Some((before, game.loaded(), log))
    }

    /// Reports errors of the files, unless they were reported last.
    fn report_errors(&mut self, errors: &[Diagnostic]) -> ReloadReport {
        let mut text: String = errors.iter().map(|error| error.render(false) + "\n").collect();
        text.push_str(said("the game continues under the old rules"));
        let Some(watching) = &mut self.watching else { return ReloadReport::None };
        if watching.said.as_ref() == Some(&text) {
            return ReloadReport::None;
        }
        watching.said = Some(text);
        let plain: String = errors.iter().map(|error| error.render_within(false, Some(self.width)) + "\n").collect();
        let lines = plain.lines().map(Line::plain);
        ReloadReport::Lines(lines.chain([Line::plain(said("the game continues under the old rules"))]).collect())
    }

    /// Whether a file of the rules is missing, or was read while it was still empty: editors remove it, or cut it off,
    /// before they write it anew.
    fn is_a_file_away(&self, errors: &Diagnostics) -> bool {
        let files = self.library.files();
        let was_empty = |error: &Diagnostic| error.place.as_ref().is_some_and(|place| place.source.text.is_empty());
        errors.iter().any(was_empty) || self.rule_files().iter().any(|file| !files.exists(file))
    }

    /// The files that the rules in play were read from.
    pub fn rule_files(&self) -> Vec<PathBuf> {
        let beside = |origin: &Path, source: &Source| {
            let name = Path::new(&source.name).file_name()?;
            // A text within the layer's file, or in a pack, has no file of its own.
            let is_within = origin.ancestors().any(|above| above.file_name() == Some(name));
            origin.parent().filter(|_| !is_within).map(|folder| folder.join(name))
        };
        let layers = self.playthrough.loaded().ruleset.all_layers();
        let files = layers.flat_map(|layer| {
            let origin = layer.origin.path();
            layer.sources().filter_map(move |source| beside(origin, source)).chain([origin.to_owned()])
        });
        files.collect()
    }
}

/// A line with the names of all changed files.
fn saved(old: &Ruleset, new: &Ruleset) -> String {
    let sources = |ruleset: &Ruleset| ruleset.all_layers().flat_map(Layer::sources).cloned().collect::<Vec<_>>();
    let old = sources(old);
    let is_new = |source: &Arc<Source>| !old.iter().any(|other| other.name == source.name && other.text == source.text);
    let mut names: Vec<String> = Vec::new();
    for source in sources(new).into_iter().filter(is_new) {
        if !names.contains(&source.name) {
            names.push(source.name.clone());
        }
    }
    say!("saved {}", names.join(", "))
}
