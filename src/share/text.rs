//! The text format of packs: writing and parsing.

use super::paths::{PATH_HELP, bytes_of, is_picture_path, wrong};
use super::{FILE, FORMAT, MAX_BYTES, MAX_FILES, MAX_REQUIRED, Pack, PackRequirement, RecommendedGame, fits};
use crate::catalogue::message;
use crate::definition::keys::table::{check, pack, packed, recommended, required};
use crate::definition::picture;
use crate::definition::schema::{Checker, Field, Fields};
use crate::definition::tree::{self, Node, Value};
use crate::definition::{RuleFile, is_id};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source, toml_string};
use crate::files::Files;
use crate::playthrough::{comments, long_text};
use crate::ruleset::{Selection, hash_of, shell_quoted};
use crate::sorted::{SortedMap, SortedSet};
use std::path::Path;
use std::sync::Arc;

/// Longest name, author or licence, in characters.
const MAX_CREDIT_CHARS: usize = 200;

/// Most overridden functions that a pack can record for one layer.
const MAX_OVERRIDDEN_FUNCTIONS: usize = 1_000;

/// The end of a pack's first line, behind the version of the program that made it.
const END_OF_FIRST_LINE: &str = ". `houserule show FILE` tells what they change,";

/// The second line of a pack, which goes on to say what can be done with it.
const SECOND_LINE: &str = "# `houserule play FILE` plays them, `houserule install FILE` keeps them.";

/// A pack with the text that it was read from.
#[derive(Clone, Debug)]
pub struct PackFile {
    /// The pack.
    pub pack: Pack,
    /// Whether the checksum matches the text, so that nobody changed it.
    pub is_whole: bool,
    source: Arc<Source>,
    /// The place of each text; empty in a pack not yet written.
    texts: Vec<Node>,
    /// Source names for the texts of a pack not yet written, by their paths in it.
    names: SortedMap<String, String>,
}

impl Pack {
    /// The text of the pack's file.
    pub fn to_toml(&self) -> String {
        let body = self.body();
        let (beginning, version) = (FILE.beginning, env!("CARGO_PKG_VERSION"));
        let head = format!("{beginning}{version}{END_OF_FIRST_LINE}\n{SECOND_LINE}\n");
        format!("{head}pack      = {FORMAT}\n{body}\n[check]\nhash = \"{}\"\n", hash_of([&*body]))
    }

    /// The hash of the pack's whole content.
    pub fn hash(&self) -> String {
        hash_of([&*self.body()])
    }

    /// The part of the file that the checksum covers.
    fn body(&self) -> String {
        let strings = |list: &[String]| list.iter().map(|text| toml_string(text)).collect::<Vec<_>>().join(", ");
        let mut text = format!("id        = {}\nname      = {}\n", toml_string(&self.id), toml_string(&self.name));
        let version = self.version.as_ref().map(ToString::to_string);
        for (key, value) in [("version", &version), ("author", &self.author), ("licence", &self.licence)] {
            if let Some(value) = value {
                text.push_str(&format!("{key:<9} = {}\n", toml_string(value)));
            }
        }
        text.push_str(&format!("houserule = {}\n", toml_string(&self.houserule.to_string())));
        let RecommendedGame { selection, players, seed } = &self.play;
        text.push_str(&format!(
            "\n[play]\ngame      = {}\nvariants  = [{}]\nset       = [{}]\nplayers   = {players}\nseed      = {seed}\n",
            toml_string(&selection.game),
            strings(&selection.variants),
            strings(&selection.set),
        ));
        for PackRequirement { path, version, hash, functions } in &self.rests_on {
            text.push_str(&format!("\n[[rests_on]]\npath      = {}\n", toml_string(path)));
            if let Some(version) = version {
                text.push_str(&format!("version   = {}\n", toml_string(&version.to_string())));
            }
            text.push_str(&format!("hash      = {}\n", toml_string(hash)));
            if !functions.is_empty() {
                text.push_str("functions = {");
                let entries =
                    functions.iter().map(|(name, hash)| format!(" {} = {}", toml_string(name), toml_string(hash)));
                text.push_str(&entries.collect::<Vec<_>>().join(","));
                text.push_str(" }\n");
            }
        }
        for RuleFile { path, text: content } in &self.files {
            text.push_str(&format!(
                "\n[[files]]\npath = {}\ntext = {}\n",
                toml_string(path),
                long_text::to_toml(content)
            ));
        }
        text
    }

    /// Reads a pack from a file. A pack that somebody changed is read too, and marked so.
    ///
    /// # Errors
    /// The file cannot be read; otherwise the same as of [`parse`](Self::parse).
    pub fn read(files: &dyn Files, path: &Path) -> Result<PackFile, Diagnostics> {
        Self::parse(&files.read_up_to(path, &files.name_of(path), MAX_BYTES)?)
    }

    /// Parses the text of a pack.
    ///
    /// # Errors
    /// The text is no pack or has another format, something is missing, or something is not allowed: a path that leads
    /// out of the pack, two texts with the same path, more than a pack can hold. Errors have places.
    pub fn parse(source: &Arc<Source>) -> Result<PackFile, Diagnostics> {
        if source.text.len() as u64 > MAX_BYTES {
            return Err(Source::too_large(&source.name, MAX_BYTES).into());
        }
        let whole = tree::parse(source)?;
        let fields = Fields { path: String::new(), place: Place::new(source, 0..0, ""), table: &whole };
        check_format(&fields, source)?;
        let mut checker = Checker::new(false);
        let read = read_pack(&fields, &mut checker);
        let (read, hash, texts) = checker.finish(read)?;
        let is_whole = hash == read.hash();
        if is_whole {
            read.check_head(source)?;
        }
        Ok(PackFile { pack: read, is_whole, source: source.clone(), texts, names: SortedMap::new() })
    }
}

impl PackFile {
    /// A pack not yet written, whose texts are named by their paths in it.
    pub fn unsaved(pack: Pack) -> Self {
        let source = Source::new(pack.file_name(), "");
        Self { source, pack, is_whole: true, texts: Vec::new(), names: SortedMap::new() }
    }

    /// The same pack with source names for its texts, by their paths in it.
    #[must_use]
    pub fn called(self, names: SortedMap<String, String>) -> Self {
        Self { names, ..self }
    }

    /// A pack to be written in place of this one, with the same texts, which keep their places in this one.
    pub fn with_same_texts(&self, pack: Pack) -> Self {
        let place = |file: &RuleFile| self.pack.files.iter().position(|known| known.path == file.path);
        let texts = pack.files.iter().filter_map(|file| self.texts.get(place(file)?).cloned()).collect();
        Self { source: self.source.clone(), pack, is_whole: true, texts, names: self.names.clone() }
    }

    /// Whether the file has comments beyond those of every pack.
    pub fn has_comments(&self) -> bool {
        let first = self.source.text.lines().next().unwrap_or_default();
        !first.ends_with(END_OF_FIRST_LINE) || comments::of(&self.source.text).any(|comment| comment != SECOND_LINE)
    }

    /// Each text with its path, as a source with its lines in the pack.
    pub fn texts(&self) -> impl Iterator<Item = (&str, Arc<Source>)> {
        self.pack.files.iter().enumerate().map(|(number, file)| {
            let Some(node) = self.texts.get(number) else {
                let name = self.names.get(&file.path).unwrap_or(&file.path);
                return (&*file.path, Source::new(name.clone(), file.text.clone()));
            };
            let written = self.source.text.get(node.span.clone()).unwrap_or_default();
            let line = self.source.position(node.span.start).0;
            let lines_before = line - usize::from(!long_text::begins_below(written));
            (&*file.path, Source::within(self.source.name.clone(), lines_before, file.text.clone()))
        })
    }

    /// The unsafe or broken pictures, with their lines in the pack. Rules work without pictures, so this does not
    /// prevent playing; but an unsafe picture must not be handed on or written to a file.
    pub fn unfit_pictures(&self) -> impl Iterator<Item = Diagnostic> {
        self.texts().filter_map(|(path, source)| unfit_picture(path, &source))
    }

    /// The pack, if it is unchanged.
    ///
    /// # Errors
    /// Somebody changed the pack, or it was damaged on its way.
    pub fn whole(&self) -> Result<&Pack, Diagnostics> {
        if self.is_whole {
            return Ok(&self.pack);
        }
        let error =
            Diagnostic::new(message!("`{}` is not as it was made: its checksum is different", self.source.name));
        let error = error.help("it was damaged on its way, or somebody changed it: ask for it again");
        Err(error
            .help(message!(
                "if you changed it yourself, `houserule pack {}` makes a new pack of it",
                shell_quoted(&self.source.name)
            ))
            .into())
    }
}

/// The error in a text that should be a picture; `None` where it is fine or no picture.
pub(super) fn unfit_picture(path: &str, source: &Arc<Source>) -> Option<Diagnostic> {
    let bytes = Some(path).filter(|path| is_picture_path(path)).map(|path| bytes_of(Path::new(path), &source.text))?;
    let unfit = picture::check_picture(path, &bytes).err()?;
    let error = unfit.to_diagnostic(path, source);
    Some(if error.place.is_some() { error } else { error.at(Place::new(source, 0..0, "")) })
}

/// Checks the format before anything else: a later one may have other keys.
fn check_format(fields: &Fields<'_>, source: &Arc<Source>) -> Result<(), Diagnostics> {
    let Some(Field { node, .. }) = fields.find(&pack::PACK) else {
        let error = Diagnostic::new(message!("`{}` is not a pack: it has no key `pack`", source.name));
        return Err(error.help("`houserule pack` makes packs").into());
    };
    match node.value {
        Value::Number(FORMAT) => Ok(()),
        Value::Number(number) if number > FORMAT => {
            let error = Diagnostic::new(message!("this pack has format {number}, and format {FORMAT} can be read"));
            Err(error
                .at(node.place("the number of the format"))
                .help("a newer Houserule made it; update to read it")
                .into())
        }
        _ => {
            Err(Diagnostic::new("this is not a format of packs").at(node.place(message!("expected {}", FORMAT))).into())
        }
    }
}

type PackParts = (Pack, String, Vec<Node>);

fn read_pack(fields: &Fields<'_>, checker: &mut Checker) -> Option<PackParts> {
    fields.report_unknown_keys(checker, pack::SECTION.called, pack::SECTION.keys);
    let mut words = |key| {
        let text: &str = fields.read(checker, key)?;
        if text.chars().count() > MAX_CREDIT_CHARS {
            let place = fields.find(key).map(|field| field.node.place("too long"));
            let error = Diagnostic::new(message!(
                "`{}` is longer than {MAX_CREDIT_CHARS} characters",
                crate::definition::keys::KeyInfo::name(key)
            ));
            checker.report(error.at_maybe(place));
            return None;
        }
        Some(text.to_owned())
    };
    let (id, name) = (words(&pack::ID), words(&pack::NAME));
    let (author, licence) = (words(&pack::AUTHOR), words(&pack::LICENCE));
    if let (Some(id), Some(field)) = (&id, fields.find(&pack::ID))
        && !(id.split('/').count() <= 2 && id.split('/').all(is_id))
    {
        let error = Diagnostic::new(message!("`{id}` cannot be the id of a pack"));
        checker.report(
            error.at(field.node.place("not an id")).help("a game, or a game and a variant: `high-card/double`"),
        );
    }
    let version = fields.read(checker, &pack::VERSION);
    let houserule = fields.read(checker, &pack::HOUSERULE);
    let play = fields.read(checker, &pack::PLAY).and_then(|play| read_play(&play, checker));
    let rests_on = fields.read(checker, &pack::RESTS_ON).unwrap_or_default();
    if let Some(beyond) = rests_on.get(MAX_REQUIRED) {
        let error = Diagnostic::new(message!("the pack rests on more than {MAX_REQUIRED} others"));
        checker.report(error.at(beyond.node.place("the first too many")));
    }
    let rests_on = rests_on.iter().take(MAX_REQUIRED).filter_map(|one| read_required(one, checker)).collect();
    let (files, texts) = read_files(fields, checker);
    let check = fields.read(checker, &pack::CHECK).and_then(|check| {
        check.report_unknown_keys(checker, check::SECTION.called, check::SECTION.keys);
        check.read(checker, &check::HASH).map(str::to_owned)
    });
    let read =
        Pack { id: id?, name: name?, version, author, licence, houserule: houserule?, play: play?, rests_on, files };
    Some((read, check?, texts))
}

fn read_play(play: &Fields<'_>, checker: &mut Checker) -> Option<RecommendedGame> {
    play.report_unknown_keys(checker, recommended::SECTION.called, recommended::SECTION.keys);
    let game = play.read(checker, &recommended::GAME);
    let ids = play.read(checker, &recommended::VARIANTS).unwrap_or_default();
    let variants = ids.iter().filter_map(|variant| variant.id(checker)).collect();
    let set = play.read(checker, &recommended::SET).unwrap_or_default();
    let set = set.iter().filter_map(|set| set.text(checker)).map(str::to_owned).collect();
    let players = play.read(checker, &recommended::PLAYERS);
    let seed = play.read(checker, &recommended::SEED);
    let selection = Selection { game: game?, variants, set };
    Some(RecommendedGame { selection, players: usize::try_from(players?).ok()?, seed: u64::try_from(seed?).ok()? })
}

fn read_required(field: &Field<'_>, checker: &mut Checker) -> Option<PackRequirement> {
    let fields = field.section(checker, &required::SECTION)?;
    let path = fields.read(checker, &required::PATH);
    let path = path.filter(|path| {
        let wrong = wrong(path);
        refuse_path(&fields, path, wrong, checker);
        wrong.is_none()
    });
    let version = fields.read(checker, &required::VERSION);
    let hash = fields.read(checker, &required::HASH);
    let mut functions = SortedMap::new();
    let named = fields.read(checker, &required::FUNCTIONS);
    if let Some((_, beyond)) = named.as_ref().and_then(|named| named.each().nth(MAX_OVERRIDDEN_FUNCTIONS)) {
        let error =
            Diagnostic::new(message!("the pack rests on more than {MAX_OVERRIDDEN_FUNCTIONS} functions of one other"));
        checker.report(error.at(beyond.node.place("the first too many")));
    }
    for (name, hash) in named.iter().flat_map(Fields::each).take(MAX_OVERRIDDEN_FUNCTIONS) {
        functions.extend(hash.text(checker).map(|hash| (name.to_owned(), hash.to_owned())));
    }
    Some(PackRequirement { path: path?.to_owned(), version, hash: hash?.to_owned(), functions })
}

fn read_files(fields: &Fields<'_>, checker: &mut Checker) -> (Vec<RuleFile>, Vec<Node>) {
    let (mut files, mut texts, mut seen) = (Vec::new(), Vec::new(), SortedSet::new());
    let listed = fields.read(checker, &pack::FILES).unwrap_or_default();
    if let Some(beyond) = listed.get(MAX_FILES) {
        let error = Diagnostic::new(message!("there are more than {MAX_FILES} texts in the pack"));
        checker.report(error.at(beyond.node.place("the first too many")));
    }
    for file in listed.iter().take(MAX_FILES) {
        let Some(file) = file.section(checker, &packed::SECTION) else { continue };
        let path = file.read(checker, &packed::PATH);
        let Some(text) = file.read(checker, &packed::TEXT) else {
            file.report_missing(checker, &packed::TEXT);
            continue;
        };
        let Value::Text(content) = &text.node.value else {
            checker.report(text.mismatch_error("a string"));
            continue;
        };
        let Some(path) = path else { continue };
        // Some systems do not distinguish upper and lower case in file names.
        let wrong =
            wrong(path).or_else(|| (!seen.insert(path.to_lowercase())).then_some("another text has it already"));
        refuse_path(&file, path, wrong, checker);
        if !fits(path, content) {
            let place = file.find(&packed::PATH).map(|field| field.node.place("this one"));
            checker.report(Diagnostic::new(message!("`{path}` is longer than a text of rules may be")).at_maybe(place));
        }
        if wrong.is_none() {
            files.push(RuleFile { path: path.to_owned(), text: content.clone() });
            texts.push(text.node.clone());
        }
    }
    (files, texts)
}

fn refuse_path(fields: &Fields<'_>, path: &str, wrong: Option<&'static str>, checker: &mut Checker) {
    let Some(wrong) = wrong else { return };
    let place = fields.find(&packed::PATH).map(|field| field.node.place(wrong));
    let short: String = path.chars().take(100).collect();
    checker.report(Diagnostic::new(message!("`{short}` cannot be a path in a pack")).at_maybe(place).help(PATH_HELP));
}
