//! Code lenses over the lines of a file.

use super::code::FunctionSpan;
use super::context::Context;
use super::references::Location;
use super::tests::TestResults;
use super::{FileRole, FileText, Workspace};
use crate::catalogue::{counted, said, say};
use crate::ruleset::{Role, Selection};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Most names listed in a title.
const MAX_NAMES: usize = 4;

/// A code lens: a title shown over a line, with an action.
#[derive(Clone, Debug, PartialEq)]
pub struct Lens {
    /// The byte range that it belongs to.
    pub span: Range<usize>,
    /// The title to show.
    pub title: String,
    /// The action of a click.
    pub action: LensAction,
}

/// The action of a code lens.
#[derive(Clone, Debug, PartialEq)]
pub enum LensAction {
    /// Shows these places.
    Show(Vec<Location>),
    /// Runs these tests.
    Test(Vec<PathBuf>),
    /// Plays these rules.
    Play(Selection),
    /// Plays on from the final position of a test.
    PlayFrom(PathBuf),
    /// Debugs the rules of a file, up to a function where one is named.
    Debug(PathBuf, Option<String>),
    /// Compares a game with and without variants.
    Compare(Selection),
    /// Makes a pack of a variant.
    Pack(PathBuf),
}

impl Workspace {
    /// The code lenses of a file, with known test results.
    pub fn lenses(&mut self, path: &Path, tests: &TestResults) -> Vec<Lens> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let mut found = self.of_whole_file(&file, tests);
        let Some(context) = self.context(path) else { return found };
        let is_library = context
            .script_in(path)
            .and_then(|script| context.scripts.get(script))
            .is_some_and(|script| script.role == Role::Library);
        let family = self.family(&context, is_library);
        let around = self.tests_around(path);
        let are_run = !around.is_empty() && around.iter().all(|test| tests.outcomes.contains_key(test));
        for piece in file.pieces.iter().filter(|piece| piece.is_script) {
            for function in &piece.code.functions {
                let span = piece.span_in_file(&function.name_span);
                let mut add = |title, action| found.push(Lens { span: span.clone(), title, action });
                if !function.is_private {
                    for (places, title) in other_layers(&context, &family, path, function) {
                        add(title, LensAction::Show(places));
                    }
                }
                let Some(reached) = tests.of(&file, &function.name, function.parameters.len()) else { continue };
                let (calls, count) = (reached.calls, reached.tests.len());
                if let Some(first) = reached.tests.first() {
                    let title = say!("ran {} in {}", counted(calls as usize, "time"), counted(count, "test"));
                    add(tests.beside(title, &reached.tests), LensAction::Test(reached.tests.clone()));
                    add(said("debug").to_owned(), LensAction::Debug(first.clone(), Some(function.name.clone())));
                } else if are_run {
                    add(said("no test runs it").to_owned(), LensAction::Test(around.clone()));
                }
            }
        }
        found
    }

    fn of_whole_file(&self, file: &FileText, results: &TestResults) -> Vec<Lens> {
        let mut found = Vec::new();
        let mut add = |title: String, action| found.push(Lens { span: 0..0, title, action });
        let path = file.path.clone();
        match self.role(&path, &self.library_for(&path)) {
            FileRole::Scenario(_) => {
                let own = vec![path.clone()];
                add(results.beside(said("run this test").to_owned(), &own), LensAction::Test(own));
                add(said("debug").to_owned(), LensAction::Debug(path.clone(), None));
                add(said("play from here").to_owned(), LensAction::PlayFrom(path));
            }
            FileRole::Layer(selection) if file.is_toml() => {
                // A name that is no game's must not get into a command.
                if self.library.game(&selection.game).is_err() {
                    return found;
                }
                let tests = self.tests_around(&path);
                let is_variant = !selection.variants.is_empty();
                add(said("play").to_owned(), LensAction::Play(selection.clone()));
                if is_variant {
                    add(said("compare with the plain game").to_owned(), LensAction::Compare(selection));
                    add(said("pack").to_owned(), LensAction::Pack(path));
                }
                if !tests.is_empty() {
                    add(results.beside(say!("run {}", counted(tests.len(), "test")), &tests), LensAction::Test(tests));
                }
            }
            _ => {}
        }
        found
    }
}

/// The definitions of a function in layers below and in layers above, each group with a title.
fn other_layers(
    context: &Context,
    family: &[FileText],
    path: &Path,
    function: &FunctionSpan,
) -> Vec<(Vec<Location>, String)> {
    let mut others: Vec<(Location, String)> = Vec::new();
    for other in family.iter().filter(|other| other.path != *path) {
        for piece in other.pieces.iter().filter(|piece| piece.is_script) {
            let same = piece.code.functions.iter().filter(|one| {
                one.name == function.name && one.parameters.len() == function.parameters.len() && !one.is_private
            });
            others.extend(same.map(|one| {
                let place = Location { path: other.path.clone(), span: piece.span_in_file(&one.name_span) };
                (place, layer_name(&other.path))
            }));
        }
    }
    let below = context.script_in(path).unwrap_or(usize::MAX);
    let is_below = |place: &Location| context.script_in(&place.path).is_some_and(|script| script < below);
    let (lower, higher): (Vec<_>, Vec<_>) = others.into_iter().partition(|(place, _)| is_below(place));
    let told = [(lower, true), (higher, false)].into_iter().filter(|(places, _)| !places.is_empty());
    let told = told.map(|(places, is_below)| {
        let (places, mut names): (Vec<Location>, Vec<String>) = places.into_iter().unzip();
        let more = if names.len() > MAX_NAMES { " …" } else { "" };
        names.truncate(MAX_NAMES);
        let title = match is_below {
            true => say!("overrides {}", names.join(", ")),
            false => say!("overridden by {}{more}", names.join(", ")),
        };
        (places, title)
    });
    told.collect()
}

/// The name of the game or variant that a file of rules belongs to.
fn layer_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    match &*stem {
        "rules" => path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned(),
        _ => stem.into_owned(),
    }
}
