//! The context of a file: the declarations of the rules around it, and the functions of all their layers.

use super::code::{Code, FunctionSpan};
use super::infer::Parameters;
use super::{FileRole, FileText, Workspace};
use crate::catalogue::say;
use crate::definition::{Definition, Layer, OriginKind};
use crate::diagnostic::Source;
use crate::ruleset::{Role, Ruleset, Selection};
use crate::table::layout::Layout;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A loaded ruleset, with the scripts of all its layers.
#[derive(Debug)]
pub(super) struct Context {
    /// The ruleset, as it could last be loaded.
    pub ruleset: Arc<Ruleset>,
    /// The layout for the most players.
    pub layout: Arc<Layout>,
    /// The scripts, from the lowest layer up.
    pub scripts: Vec<Script>,
    /// The TOML files of the layers, from the lowest up.
    pub files: Vec<(PathBuf, Arc<Source>)>,
    /// A cache of inferred types of parameters.
    pub parameters: Parameters,
}

/// The script of a layer.
#[derive(Clone, Debug)]
pub(super) struct Script {
    /// The file that contains it.
    pub path: PathBuf,
    /// The byte of the file where it begins.
    pub start: usize,
    /// The text with its tokens.
    pub code: Code,
    /// The id of its layer.
    pub layer: String,
    /// The role of its layer in the rules.
    pub role: Role,
}

impl Script {
    /// The layer in words: `game`, `variant double`.
    pub fn layer_in_words(&self) -> String {
        match self.role {
            Role::Library => say!("library {}", self.layer),
            Role::Base(_) | Role::Game => say!("game {}", self.layer),
            Role::Variant(_) => say!("variant {}", self.layer),
        }
    }
}

impl Context {
    fn new(ruleset: Ruleset) -> Self {
        let seats = ruleset.definition.players.1;
        let layout = Arc::new(Layout::new(ruleset.definition.clone(), &ruleset.settings, seats));
        let scripts = ruleset.scripts.iter().map(|script| {
            let path = path_of(script.origin.path(), &script.script.source);
            Script {
                path,
                start: script.script.start,
                code: Code::new(&script.script.text),
                layer: script.id.clone(),
                role: script.role,
            }
        });
        let scripts = scripts.collect();
        let has_own =
            |layer: &&Layer| *layer.origin.found() != OriginKind::Saved && !layer.source.name.ends_with(".rhai");
        let files = ruleset
            .all_layers()
            .filter(has_own)
            .map(|layer| (path_of(layer.origin.path(), &layer.source), layer.source.clone()));
        let files = files.collect();
        Self { layout, scripts, files, ruleset: Arc::new(ruleset), parameters: Parameters::default() }
    }

    /// The definition of the game.
    pub fn definition(&self) -> &Definition {
        &self.layout.definition
    }

    /// The index of the script in a file.
    pub fn script_in(&self, path: &Path) -> Option<usize> {
        self.scripts.iter().position(|script| script.path == path)
    }

    /// The definitions of a function from the lowest layer up: each as the index of its script and its index there.
    /// `None` as the number of parameters means any.
    pub fn definitions(&self, name: &str, arity: Option<usize>) -> Vec<(usize, usize)> {
        let scripts = self.scripts.iter().enumerate();
        let found = scripts.flat_map(|(number, script)| {
            script.code.functions.iter().enumerate().map(move |(at, one)| (number, at, one))
        });
        let is_meant = |one: &FunctionSpan| one.name == name && arity.is_none_or(|arity| one.parameters.len() == arity);
        found.filter(|(_, _, one)| is_meant(one)).map(|(number, at, _)| (number, at)).collect()
    }

    /// The same context with the current text of one file's script.
    fn with(&self, file: &FileText) -> Self {
        let mut context = Self {
            ruleset: self.ruleset.clone(),
            layout: self.layout.clone(),
            scripts: self.scripts.clone(),
            files: self.files.clone(),
            parameters: Parameters::default(),
        };
        if let Some(piece) = file.pieces.iter().find(|piece| piece.is_script) {
            match context.script_in(&file.path) {
                Some(number) => {
                    if let Some(script) = context.scripts.get_mut(number) {
                        script.code = piece.code.clone();
                        script.start = piece.start;
                    }
                }
                None => context.scripts.push(Script {
                    path: file.path.clone(),
                    start: piece.start,
                    code: piece.code.clone(),
                    layer: file.path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
                    role: Role::Variant(usize::MAX),
                }),
            }
        }
        if file.is_toml() {
            match context.files.iter_mut().find(|(path, _)| *path == file.path) {
                Some((_, source)) => *source = file.source.clone(),
                None => context.files.push((file.path.clone(), file.source.clone())),
            }
        }
        context
    }
}

/// The file of a source: `origin` itself, or a file beside it.
fn path_of(origin: &Path, source: &Source) -> PathBuf {
    let name = source.name.rsplit(['/', '\\']).next().unwrap_or_default();
    match origin.file_name() {
        Some(own) if own != name && !name.is_empty() => origin.with_file_name(name),
        _ => origin.to_owned(),
    }
}

impl Workspace {
    /// The context of a file. Where the rules cannot be loaded now, it is based on the last that could.
    pub(super) fn context(&mut self, path: &Path) -> Option<Arc<Context>> {
        if let Some((change, context)) = self.contexts.get(path)
            && *change == self.changes
        {
            return context.clone();
        }
        let library = self.library_for(path);
        let file = self.file(path)?;
        let selection = match self.role(path, &library) {
            FileRole::Layer(selection) | FileRole::Scenario(selection) => Some(selection),
            FileRole::Unused | FileRole::Saved | FileRole::Pack | FileRole::Other => None,
        };
        let load = |selection: &Selection| Ruleset::load(&library, selection).ok().map(Context::new);
        // The rules as saved on disk.
        let saved = |selection: &Selection| Ruleset::load(&self.below, selection).ok().map(Context::new);
        let known = self.contexts.get(path).and_then(|(_, context)| context.clone());
        let context = selection.and_then(|selection| {
            load(&selection)
                .or_else(|| known.as_ref().map(|known| known.with(&file)))
                .or_else(|| saved(&selection).map(|saved| saved.with(&file)))
                .or_else(|| load(&Selection::of(&selection.game)).map(|below| below.with(&file)))
        });
        let context = context.map(Arc::new);
        // Only open files are cached, because they are asked about repeatedly.
        if self.texts.contains_key(path) {
            self.contexts.insert(path.to_owned(), (self.changes, context.clone()));
        }
        context
    }
}
