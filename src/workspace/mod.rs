//! Editor services for rules: findings, hover, completion, references and more, while a file is being edited.
//!
//! A [`Workspace`] reads files with unsaved texts over them. It answers plain questions with plain data: paths, and
//! byte ranges of their texts. Incomplete code is understood as far as possible: functions by their tokens, TOML line
//! by line; the declarations are those of the last state that could be loaded. It has no disk, thread or clock; an
//! editor's server, a prompt and a page are thin layers over it.

mod actions;
mod calls;
mod code;
mod complete;
mod context;
mod findings;
mod hover;
mod infer;
mod keys;
mod lenses;
mod links;
pub mod manual;
mod members;
mod outline;
mod recipes;
mod references;
mod rename;
mod saved;
mod symbols;
mod tests;
mod toml;

pub use actions::{Fix, TextChange};
pub use calls::{Caller, Calls};
pub use complete::{Completion, CompletionKind};
pub use findings::FileFinding;
pub use hover::{Hover, Signature};
pub use lenses::{Lens, LensAction};
pub use links::Link;
pub use members::{Game, attribute_in_words, who_sees};
pub use outline::{Fold, InlayHint, OutlineItem, OutlineKind, SemanticKind, SemanticToken};
pub use references::Location;
pub use rename::RenameError;
pub use tests::TestResults;

use crate::definition::{ANY_GAME, Language, Library, RULEBOOK_FILE};
use crate::diagnostic::{MAX_SOURCE_BYTES, Source};
use crate::files::{BUILT_IN, OverlaidFiles, canonical_path_or_new, path_name};
use crate::ruleset::Selection;
use crate::scenario::FOLDER;
use crate::script::tokens::is_in_name;
use crate::sorted::SortedMap;
use code::Code;
use context::Context;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use toml::TomlText;

/// Files with unsaved texts over them, and what is known about them.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The files without the unsaved texts.
    below: Library,
    library: Library,
    texts: SortedMap<PathBuf, Arc<Source>>,
    /// The context of each open file, with the value of `changes` when it was computed.
    contexts: SortedMap<PathBuf, (u64, Option<Arc<Context>>)>,
    changes: u64,
    /// The language of names.
    pub language: Language,
}

/// The role of a file in rules.
#[derive(Clone, Debug, PartialEq)]
enum FileRole {
    /// Part of a layer that these rules use.
    Layer(Selection),
    /// A library that no local game uses.
    Unused,
    /// A scenario, with its rules.
    Scenario(Selection),
    /// A saved game.
    Saved,
    /// A pack.
    Pack,
    /// An unknown kind of file.
    Other,
}

/// A piece of a file in the rules' language.
#[derive(Clone, Debug)]
struct Piece {
    code: Code,
    /// The byte of the file where it begins.
    start: usize,
    /// The byte of the file for each byte of the piece, where escapes make them differ.
    map: Option<Vec<usize>>,
    /// Whether it is a script of functions, and not a single expression.
    is_script: bool,
}

/// A file with its current text.
struct FileText {
    path: PathBuf,
    source: Arc<Source>,
    toml: Option<TomlText>,
    pieces: Vec<Piece>,
}

impl Piece {
    /// The byte of the file for a byte of the piece.
    fn in_file(&self, at: usize) -> usize {
        match &self.map {
            Some(map) => map.get(at).or(map.last()).copied().unwrap_or(self.start),
            None => self.start + at,
        }
    }

    fn span_in_file(&self, span: &Range<usize>) -> Range<usize> {
        self.in_file(span.start)..self.in_file(span.end)
    }

    /// The byte of the piece for a byte of the file.
    fn of_file(&self, offset: usize) -> Option<usize> {
        match &self.map {
            Some(map) => {
                let is_inside =
                    map.first().is_some_and(|first| *first <= offset) && map.last().is_some_and(|last| offset <= *last);
                is_inside.then(|| map.partition_point(|at| *at < offset))
            }
            None => offset.checked_sub(self.start).filter(|at| *at <= self.code.text.len()),
        }
    }
}

impl FileText {
    fn new(path: PathBuf, source: Arc<Source>) -> Self {
        let text = &source.text;
        if path.extension().is_some_and(|extension| extension == "rhai") {
            let piece = Piece { code: Code::new(text), start: 0, map: None, is_script: true };
            return Self { path, toml: None, pieces: vec![piece], source };
        }
        let toml = TomlText::new(text);
        let pieces = toml.items.iter().filter_map(|item| {
            let path: Vec<&str> = item.path.iter().map(String::as_str).collect();
            // Expressions whose results a test expects; they are keys.
            if let [.., "gives", _] = path[..]
                && let Some(raw) =
                    text.get(item.key.clone()).filter(|raw| raw.len() > 1 && raw.starts_with(['"', '\'']))
                && !raw.contains('\\')
            {
                let code = Code::new(raw.trim_matches(['"', '\'']));
                return Some(Piece { code, start: item.key.start + 1, map: None, is_script: false });
            }
            let is_script = path == ["script", "rhai"];
            let is_call = matches!(path[..], ["when", "call"] | ["cases", _, "call"]);
            let (toml::ItemKind::Text(quotes, has_escapes), true) = (item.kind, is_script || is_call) else {
                return None;
            };
            let mut inside = item.inside();
            // TOML drops a line end right behind three quotes.
            let drops = quotes == 3 && text.get(inside.clone()).is_some_and(|text| text.starts_with('\n'));
            inside.start += usize::from(drops);
            let raw = text.get(inside.clone())?;
            let (code, map) = match has_escapes {
                true => unescaped(raw, inside.start),
                false => (raw.to_owned(), None),
            };
            Some(Piece { code: Code::new(&code), start: inside.start, map, is_script })
        });
        let pieces = pieces.collect();
        Self { path, toml: Some(toml), pieces, source }
    }

    /// The piece that contains a byte of the file, and the byte within it.
    fn piece_at(&self, offset: usize) -> Option<(&Piece, usize)> {
        self.pieces.iter().find_map(|piece| Some((piece, piece.of_file(offset)?)))
    }

    fn is_toml(&self) -> bool {
        self.toml.is_some()
    }
}

/// A TOML string with its escapes resolved, and the byte of the file for each byte of the result.
fn unescaped(raw: &str, start: usize) -> (String, Option<Vec<usize>>) {
    let (mut text, mut map) = (String::new(), Vec::new());
    let mut letters = raw.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let meant = match (letter, letters.peek().map(|(_, next)| *next)) {
            ('\\', Some(escaped)) => {
                letters.next();
                match escaped {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'u' | 'U' | 'x' => {
                        let length = match escaped {
                            'u' => 4,
                            'U' => 8,
                            _ => 2,
                        };
                        let digits: String = letters.by_ref().take(length).map(|(_, digit)| digit).collect();
                        u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')
                    }
                    other => other,
                }
            }
            _ => letter,
        };
        text.push(meant);
        map.resize(text.len(), start + at);
    }
    map.push(start + raw.len());
    (text, Some(map))
}

impl Workspace {
    /// A workspace of these files, without unsaved texts.
    pub fn new(library: Library, language: Language) -> Self {
        Self {
            library: library.clone(),
            below: library,
            texts: SortedMap::new(),
            contexts: SortedMap::new(),
            changes: 0,
            language,
        }
    }

    /// Sets the unsaved text of a file; `None` removes it.
    pub fn set(&mut self, path: &Path, text: Option<&str>) {
        match text {
            Some(text) => {
                let source = Source::new(self.below.files().name_of(path), text);
                self.texts.insert(path.to_owned(), source);
            }
            None => {
                self.texts.remove(path);
                self.contexts.remove(path);
            }
        }
        self.changed();
    }

    /// Notes that files may have changed on disk.
    pub fn changed(&mut self) {
        self.changes += 1;
        let texts = self.texts.iter().map(|(path, source)| (path.clone(), source.clone())).collect::<Vec<_>>();
        self.library =
            self.below.with_roots(|files| Arc::new(OverlaidFiles::new(files, texts)), self.below.roots().to_vec());
    }

    /// Adds a root that takes precedence over all others. A root known under another path is renamed to this one.
    pub fn add_root(&mut self, root: &Path) {
        if self.below.roots().iter().any(|known| known == root) {
            return;
        }
        let files = self.below.files();
        let real = files.canonical_path(root);
        let others = self.below.roots().iter().filter(|known| files.canonical_path(known) != real).cloned();
        let roots = std::iter::once(root.to_owned()).chain(others).collect();
        self.below = self.below.with_roots(|files| files, roots);
        self.changed();
    }

    /// The canonical path of a file in the workspace: of several that lead to it, the one below a root.
    pub fn canonical_path(&self, path: PathBuf) -> PathBuf {
        match self.below_root(&path) {
            Some((root, parts)) => root.join(parts.iter().collect::<PathBuf>()),
            None => path,
        }
    }

    /// The nearest folder at or above a path that has games or variants.
    pub fn root_above(&self, path: &Path) -> Option<PathBuf> {
        let files = self.below.files();
        path.ancestors()
            .skip(1)
            .find(|folder| files.is_folder(&folder.join("games")) || files.is_folder(&folder.join("variants")))
            .map(Path::to_owned)
    }

    /// The files with the unsaved texts over them.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The paths of the files with unsaved texts.
    pub fn open(&self) -> impl Iterator<Item = &Path> {
        self.texts.keys().map(PathBuf::as_path)
    }

    /// The current text of a file.
    pub fn text(&self, path: &Path) -> Option<Arc<Source>> {
        let files = self.library.files();
        files.read_up_to(path, &files.name_of(path), MAX_SOURCE_BYTES as u64).ok()
    }

    fn file(&self, path: &Path) -> Option<FileText> {
        Some(FileText::new(path.to_owned(), self.text(path)?))
    }

    /// The root that contains a file, and the components of the path below it.
    fn below_root(&self, path: &Path) -> Option<(PathBuf, Vec<String>)> {
        let files = self.below.files();
        let plain = |path: PathBuf| path.components().filter(|part| *part != Component::CurDir).collect::<PathBuf>();
        let real = plain(canonical_path_or_new(files, path));
        self.below.roots().iter().find_map(|root| {
            let rest = real.strip_prefix(plain(files.canonical_path(root))).ok()?;
            Some((
                root.clone(),
                rest.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect(),
            ))
        })
    }

    /// The library with the root of a file first, so that no other file of the same name takes its place.
    fn library_for(&self, path: &Path) -> Library {
        match self.below_root(path) {
            Some((root, _)) if self.library.roots().first() != Some(&root) => {
                let others = self.library.roots().iter().filter(|other| **other != root).cloned();
                let roots = std::iter::once(root.clone()).chain(others).collect();
                self.library.with_roots(|files| files, roots)
            }
            _ => self.library.clone(),
        }
    }

    fn role(&self, path: &Path, library: &Library) -> FileRole {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let parts = self.below_root(path).map(|(_, parts)| parts).unwrap_or_default();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        match parts[..] {
            ["games", game, "game.toml" | "rules.rhai" | RULEBOOK_FILE] => FileRole::Layer(Selection::of(game)),
            ["variants", ANY_GAME, _] => {
                let fits = |game: &String| library.variants(game).iter().any(|variant| variant.id == stem);
                let game = library.games().into_iter().map(|game| game.id).find(fits);
                game.map_or(FileRole::Unused, |game| FileRole::Layer(Selection::of(&game).with(&stem)))
            }
            ["variants", game, _] => FileRole::Layer(Selection::of(game).with(&stem)),
            ["scripts", _] => self.role_of_library(&stem, library),
            _ if path.extension().is_some_and(|extension| extension == "toml") => self.role_of_toml(path),
            _ if path.extension().is_some_and(|extension| extension == "rhai") => match path.with_extension("toml") {
                beside if library.files().exists(&beside) => self.role_of_toml(&beside),
                _ => FileRole::Other,
            },
            _ => FileRole::Other,
        }
    }

    fn role_of_library(&self, name: &str, library: &Library) -> FileRole {
        let games = library.games();
        let uses = |uses: &[String]| uses.iter().any(|used| used == name);
        if let Some(game) = games.iter().find(|game| game.layer.as_ref().is_ok_and(|layer| uses(&layer.uses))) {
            return FileRole::Layer(Selection::of(&game.id));
        }
        let selection = games.iter().find_map(|game| {
            let variants = library.variants(&game.id);
            let user = variants.iter().find(|variant| variant.layer.as_ref().is_ok_and(|layer| uses(&layer.uses)))?;
            Some(Selection::of(&game.id).with(&user.id))
        });
        selection.map_or(FileRole::Unused, FileRole::Layer)
    }

    /// The role of a TOML file outside the usual folders, from its keys.
    fn role_of_toml(&self, path: &Path) -> FileRole {
        let Some(file) = self.file(path) else { return FileRole::Other };
        let toml = file.toml.as_ref();
        let text_of = |item: &toml::TomlItem| file.source.text.get(item.inside()).unwrap_or("").to_owned();
        let has = |key: &str| {
            toml.is_some_and(|toml| toml.items.iter().any(|item| item.path.first().is_some_and(|first| first == key)))
        };
        // Files of other programs may have one of these keys, but not the others.
        if has("pack") && ["files", "play", "rests_on", "check"].into_iter().any(has) {
            return FileRole::Pack;
        }
        let is_numbered =
            toml.and_then(|toml| toml.get(&["format"])).is_some_and(|item| item.kind == toml::ItemKind::Plain);
        if is_numbered && ["ruleset", "log", "seed"].into_iter().any(has) {
            return FileRole::Saved;
        }
        let (_, parts) = self.below_root(path).unwrap_or_default();
        let is_among_tests = path_name(&parts.iter().collect::<PathBuf>()).starts_with(&format!("{FOLDER}/"));
        let game = toml.and_then(|toml| toml.get(&["game"])).map(text_of).filter(|game| !game.is_empty());
        let Some(game) = game.or_else(|| is_among_tests.then(String::new)) else {
            return FileRole::Other;
        };
        let several = |key: &str| -> Vec<String> {
            let items = toml.iter().flat_map(|toml| &toml.items);
            items.filter(|item| item.path.len() == 2 && item.path[0] == key).map(text_of).collect()
        };
        if is_among_tests || has("then") || has("when") || has("cases") || has("given") || has("title") {
            return FileRole::Scenario(Selection { game, variants: several("variants"), set: several("set") });
        }
        FileRole::Layer(Selection::of(&game).with(&path.to_string_lossy()))
    }

    /// Whether a file is built in or packed, so that it cannot be edited.
    pub fn is_fixed(&self, path: &Path) -> bool {
        path.starts_with(BUILT_IN) || self.below.files().is_packed(path)
    }
}

/// The range of the word or character at an empty span, because some diagnostics have only a starting point.
fn widened(text: &str, span: &Range<usize>) -> Range<usize> {
    if !span.is_empty() {
        return span.clone();
    }
    let rest = text.get(span.start..).unwrap_or_default();
    let word = rest.find(|letter: char| !is_in_name(letter)).unwrap_or(rest.len());
    let length =
        if word > 0 { word } else { rest.chars().next().filter(|letter| *letter != '\n').map_or(0, char::len_utf8) };
    span.start..span.start + length
}

/// The members that can follow the last dot of an expression, and the byte where the member's name begins. `None`
/// without a dot, or if the type of the owner is unknown.
pub fn members_at_the_end(game: Game<'_>, text: &str) -> Option<(usize, Vec<members::Member>)> {
    let start = text.trim_end_matches(is_in_name).len();
    let begun = text.get(start..)?;
    let code = Code::new(text.get(..start)?);
    let dot = code.tokens.len().checked_sub(1).filter(|&last| code.is(last, ".") && code.tokens[last].end == start)?;
    let view = infer::View { game, scripts: &[], code: &code, known: None };
    let found = members::members(game, &view.value_before(dot)?).into_iter();
    Some((start, found.filter(|member| member.text.starts_with(begun)).collect()))
}
