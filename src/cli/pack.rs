//! `houserule pack`: rules as one file, to be sent to somebody.

use super::file_kind::{Openable, openable};
use super::packs::is_pack;
use super::{Context, FINE, Failure, Outcome, Over, Printout, Rules};
use crate::definition::{Library, is_path};
use crate::diagnostic::{Diagnostic, Diagnostics, unknown_or, visible};
use crate::host::file::{Draft, MayReplace, write_whole};
use crate::host::packs::{installed, mounted};
use crate::inspect::check::{Findings, counted};
use crate::playthrough::Playable;
use crate::playthrough::replay::{MAX_BYTES as MOST_OF_A_SAVE, Replay};
use crate::playthrough::shelf::Shelf;
use crate::ruleset::{Ruleset, Selection};
use crate::scenario::{FOLDER, Scenario};
use crate::share::{ENDING, FILE, Gathered, Pack, PackFile, SAVES, add_named, contents, scenarios};
use clap::Args;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Pack rules into one file to send: with scripts, scenarios, and a game to start with
#[derive(Debug, Args)]
pub(super) struct PackCommand {
    /// What to pack: the id of a game or a variant, or the file of a variant, a scenario or a saved game; repeat for more
    #[arg(required = true, value_name = "GAME|VARIANT|FILE")]
    what: Vec<String>,

    #[command(flatten)]
    over: Over,

    /// Number of players of the game that you recommend; default: the fewest that the game allows
    #[arg(short, long, value_name = "N")]
    players: Option<usize>,

    /// Seed of the game that you recommend
    #[arg(short, long, value_name = "SEED", value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,

    /// Where to write; `-` is standard output; default: VARIANT.pack.toml in this folder
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Pack even if `check` or a scenario fails
    #[arg(long)]
    unchecked: bool,

    /// Overwrite the file even if it is not a pack
    #[arg(long)]
    force: bool,
}

/// What is to be packed.
#[derive(Default)]
struct Wanted {
    game: Option<String>,
    variants: Vec<String>,
    scenarios: Vec<(PathBuf, String)>,
    saves: Vec<(PathBuf, String)>,
    /// The rules of the first saved game, where nothing else says which.
    saved: Option<(Selection, Library, usize, u64)>,
}

impl PackCommand {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let packed = match self.what.as_slice() {
            [one] => self.of_pack(context, one, out)?,
            _ => None,
        };
        let packed = match packed {
            Some(pack) => pack,
            None => self.gather(context)?,
        };
        if !self.unchecked {
            let path = PathBuf::from(packed.file_name());
            let passed =
                check(&PackFile::unwritten(packed.clone()), &path, context, out).map_err(|failure| Failure {
                    diagnostics: failure.diagnostics.help("nothing was written; `--unchecked` packs it all the same"),
                    ..failure
                })?;
            if self.out.as_deref() != Some(Path::new("-")) {
                out.line(&passed);
            }
        }
        self.write(&packed, context, out)?;
        Ok(FINE)
    }

    /// A pack of a pack: one that is as it was made gives itself; one that was changed by hand is made anew.
    fn of_pack(&self, context: &Context, what: &str, out: &mut Printout) -> Result<Option<Pack>, Failure> {
        let files = context.library.files();
        let is_known = is_path(what) || context.library.game(what).is_ok();
        let of_installed = || {
            let found = installed().into_iter().find(|one| one.read.as_ref().is_ok_and(|file| file.pack.id == what));
            found.and_then(|one| Some((one.path, one.read.ok()?)))
        };
        let (path, file) = if is_pack(what, files) {
            (PathBuf::from(what), Pack::read(files, Path::new(what)).map_err(Failure::wrong)?)
        } else if let Some(found) = Some(what).filter(|_| !is_known || what.contains('/')).and_then(|_| of_installed())
        {
            found
        } else {
            return Ok(None);
        };
        if self.over.is_given() || self.players.is_some() || self.seed.is_some() {
            let error = Diagnostic::new(format!("`{}` is a pack, which says itself what is in it", visible(what)));
            return Err(Failure::wrong(
                error.help("`-v`, `--set`, `-p` and `-s` are for packs that are made of rules"),
            ));
        }
        if file.is_whole {
            return Ok(Some(file.pack));
        }
        out.tell([&Diagnostic::note(format!("`{}` was changed by hand: it is packed anew", visible(what)))]);
        Ok(Some(anew(&file, &path, context)?))
    }

    fn gather(&self, context: &Context) -> Result<Pack, Failure> {
        let wanted = self.wanted(context)?;
        let (selection, library, rules_are_wanted, players, seed) = match (wanted.game, wanted.saved) {
            (Some(game), saved) => {
                let variants = wanted.variants.iter().chain(&self.over.variants).cloned().collect();
                let selection = Selection { game, variants, set: self.over.set.clone() };
                let (players, seed) = saved.map(|(_, _, players, seed)| (players, seed)).unzip();
                (selection, context.library.clone(), true, players, seed)
            }
            (None, Some((selection, library, players, seed))) => (selection, library, false, Some(players), Some(seed)),
            (None, None) => return Err(Failure::wrong(Diagnostic::new("there is nothing to pack"))),
        };
        let ruleset = Ruleset::load(&library, &selection).map_err(Failure::wrong)?;
        let players = self.players.or(players).unwrap_or(ruleset.definition.players.0);
        ruleset.check_players(players).map_err(Failure::wrong)?;
        let loaded = Playable::compile(Arc::new(ruleset), players, context.work.clone()).map_err(Failure::wrong)?;
        let ruleset = &loaded.ruleset;
        // The ids of what was asked for by id or by path; what that requires goes along without being named.
        let asked = selection.variants.iter().map(|asked| stem(asked));
        let ids: Vec<String> = ruleset.variant_ids().map(str::to_owned).collect();
        let asked: Vec<String> = asked.filter(|id| ids.contains(id)).collect();
        let layers = ruleset.variants.iter().filter(|layer| asked.contains(&layer.id));
        let mut folders: Vec<PathBuf> =
            layers.chain(Some(&ruleset.game).filter(|_| asked.is_empty())).filter_map(folder_of).collect();
        folders.push(context.folder.clone());
        let mut texts = match rules_are_wanted {
            true => scenarios(&library, &folders, &selection.game, &ids, &asked).map_err(Failure::wrong)?,
            false => BTreeMap::new(),
        };
        let mut saves = BTreeMap::new();
        for (found, given) in [(&mut texts, &wanted.scenarios), (&mut saves, &wanted.saves)] {
            for (path, text) in given {
                add_named(found, path, text).map_err(Failure::wrong)?;
            }
        }
        let gathered = Gathered {
            loaded: &loaded,
            rules_are_wanted,
            wanted: asked,
            players,
            seed: self.seed.or(seed).unwrap_or(1),
            set: selection.set,
            scenarios: texts,
            saves,
        };
        gathered.pack().map_err(Failure::wrong)
    }

    fn wanted(&self, context: &Context) -> Result<Wanted, Failure> {
        let library = &context.library;
        let mut wanted = Wanted::default();
        for what in &self.what {
            if !is_path(what) {
                if library.game(what).is_ok() {
                    wanted.game_is(what)?;
                    continue;
                }
                let game = game_of_variant(what, library)?;
                wanted.game_is(&game)?;
                wanted.variants.push(what.clone());
                continue;
            }
            let (path, files) = (Path::new(what), library.files());
            if is_pack(what, files) {
                let error = Diagnostic::new(format!("`{}` is a pack, and a pack holds no other", visible(what)));
                return Err(Failure::wrong(
                    error.help("`houserule unpack` makes files of it, which can be packed with others"),
                ));
            }
            if let Ok(scenario) = Scenario::read(files, path) {
                wanted.game_is(scenario.game())?;
                let own: Vec<String> = scenario.variants().map(str::to_owned).collect();
                wanted.variants.extend(own.into_iter().filter(|id| !wanted.variants.contains(id)).collect::<Vec<_>>());
                let text = files.read(path, what).map_err(Failure::wrong)?;
                wanted.scenarios.push((path.to_owned(), text.text.clone()));
                continue;
            }
            match openable(what, library).map_err(Failure::wrong)? {
                Openable::Game(game) => wanted.game_is(&game)?,
                Openable::Variant(game) => {
                    wanted.game_is(&game)?;
                    wanted.variants.push(what.clone());
                }
                Openable::Saved => {
                    let read = Replay::read(files, path).map_err(Failure::wrong)?;
                    let (ruleset, found_in) = read.rules(library, path).map_err(Failure::wrong)?;
                    let Replay { players, seed, .. } = read.replay;
                    let text = files.read_up_to(path, what, MOST_OF_A_SAVE).map_err(Failure::wrong)?;
                    wanted.saves.push((path.to_owned(), text.text.clone()));
                    wanted.saved.get_or_insert((ruleset.selection.clone(), found_in, players, seed));
                }
            }
        }
        Ok(wanted)
    }

    fn write(&self, pack: &Pack, context: &Context, out: &mut Printout) -> Result<(), Failure> {
        let text = pack.to_toml();
        if self.out.as_deref() == Some(Path::new("-")) {
            out.write(&context.terminal);
            let mut draft = Draft::to_standard_output();
            let written = draft.write_all(text.as_bytes()).and_then(|()| draft.finish());
            return written
                .map(drop)
                .map_err(|error| Failure::wrong(crate::host::file::cannot_be_written(Path::new("-"), &error)));
        }
        let name = pack.id.rsplit('/').next().unwrap_or_default();
        let path = self.out.clone().unwrap_or_else(|| PathBuf::from(format!("{name}{ENDING}")));
        let may = if self.force { MayReplace::Anything } else { MayReplace::Only(FILE) };
        write_whole(&path, &text, may, context.work.flag()).map_err(super::game_files::refused)?;
        let shown = visible(&path.display().to_string()).into_owned();
        out.line(&format!("wrote {shown}: {}, {}", visible(&pack.title()), contents(pack)));
        out.line(&format!("{:6}{}", "", pack.hash()));
        let missing = [
            ("version", pack.version.is_none()),
            ("author", pack.author.is_none()),
            ("licence", pack.licence.is_none()),
        ];
        let missing: Vec<&str> =
            missing.into_iter().filter(|(_, is_missing)| *is_missing).map(|(key, _)| key).collect();
        if !missing.is_empty() && pack.holds_path(&pack.principal()) {
            let note = Diagnostic::note(format!("`{}` does not say its {}", pack.principal(), missing.join(", ")));
            out.tell([&note.help("version = \"1.0.0\", author = \"…\" and licence = \"…\" stand at its top")]);
        }
        out.line(&format!("now: `houserule show {shown}` tells what others will see of it"));
        Ok(())
    }
}

impl Wanted {
    fn game_is(&mut self, game: &str) -> Result<(), Failure> {
        match &self.game {
            Some(other) if other != game => {
                let error = Diagnostic::new(format!("a pack is of one game, and these are of `{other}` and `{game}`"));
                Err(Failure::wrong(error.help("make a pack of each")))
            }
            _ => {
                self.game = Some(game.to_owned());
                Ok(())
            }
        }
    }
}

/// Checks what is in a pack, and runs its scenarios: what passed, in words.
///
/// # Errors
/// Something did not.
pub(super) fn check(file: &PackFile, path: &Path, context: &Context, out: &mut Printout) -> Result<String, Failure> {
    let library = mounted(&context.library, &[(path.to_owned(), file.clone())]);
    let counter = context.terminal.counter(&context.work);
    let mut findings = Findings::default();
    findings.check_alone(&library, &context.work, file.pack.play.selection.clone());
    let shelf = Shelf::default();
    let mut troubles: Vec<Diagnostic> = std::mem::take(&mut findings.errors);
    let own = file.pack.files.iter().filter(|inside| inside.path.starts_with(FOLDER));
    let own: Vec<PathBuf> = own.map(|inside| path.join(&inside.path)).collect();
    // Under rules that do not hold, scenarios say nothing more.
    let to_run = if troubles.is_empty() { &own[..] } else { &[] };
    for scenario in to_run {
        let result = Scenario::read(library.files(), scenario)
            .and_then(|scenario| scenario.run_with((&library, &shelf), &[], &[], &context.work).result);
        if let Err(errors) = result {
            troubles.extend(errors);
        }
    }
    drop(counter);
    if context.work.is_stopped() {
        return Err(Failure::no(Diagnostic::new("interrupted before everything was checked")));
    }
    out.tell(&findings.warnings);
    match Diagnostics::refuse(troubles) {
        Ok(()) => Ok(format!("checked; {} passed", counted(own.len(), "scenario"))),
        Err(errors) => Err(Failure::no(errors)),
    }
}

/// A pack made anew of what is in one that was changed.
fn anew(file: &PackFile, path: &Path, context: &Context) -> Result<Pack, Failure> {
    let library = mounted(&context.library, &[(path.to_owned(), file.clone())]);
    let rules = Rules::of(&file.pack.play.selection);
    let ruleset = Ruleset::load(&library, &rules.selection()).map_err(Failure::wrong)?;
    let players = file.pack.play.players;
    let loaded = Playable::compile(Arc::new(ruleset), players, context.work.clone()).map_err(Failure::wrong)?;
    let named = |folder: &str| {
        let inside = file.pack.files.iter().filter(|inside| inside.path.starts_with(folder));
        let inside =
            inside.filter_map(|inside| Some((inside.path.rsplit('/').next()?.to_owned(), inside.text.clone())));
        inside.collect::<BTreeMap<_, _>>()
    };
    let held = loaded.ruleset.variants.iter().filter(|layer| file.pack.holds(layer));
    let mut wanted: Vec<String> = held.map(|layer| layer.id.clone()).collect();
    // The pack is named after the last.
    if let Some((_, principal)) = file.pack.id.split_once('/') {
        wanted.sort_by_key(|id| id == principal);
    }
    let is_of_game = file.pack.holds_path(&loaded.ruleset.game.path()) && !file.pack.id.contains('/');
    let gathered = Gathered {
        loaded: &loaded,
        rules_are_wanted: is_of_game || !wanted.is_empty(),
        wanted: if is_of_game { Vec::new() } else { wanted },
        players,
        seed: file.pack.play.seed,
        set: file.pack.play.selection.set.clone(),
        scenarios: named(FOLDER),
        saves: named(SAVES),
    };
    gathered.pack().map_err(Failure::wrong)
}

/// The game that a variant is of, where one game alone has such a variant.
fn game_of_variant(id: &str, library: &Library) -> Result<String, Failure> {
    let games = library.games();
    let has = |game: &&crate::definition::GameEntry| library.variants(&game.id).iter().any(|variant| variant.id == id);
    let found: Vec<&str> = games.iter().filter(has).map(|game| &*game.id).collect();
    match found[..] {
        [game] => Ok(game.to_owned()),
        [] => {
            let names: Vec<String> = games
                .iter()
                .flat_map(|game| {
                    std::iter::once(game.id.clone())
                        .chain(library.variants(&game.id).into_iter().map(|variant| variant.id))
                })
                .collect();
            Err(Failure::wrong(unknown_or(
                "game or variant",
                id,
                names.iter().map(String::as_str),
                "`houserule list` shows games and their variants; a file is given by its path",
            )))
        }
        _ => {
            let error = Diagnostic::new(format!("several games have a variant `{id}`: {}", found.join(", ")));
            Err(Failure::wrong(
                error.help(format!("say which: `houserule pack {} -v {id}`", found.first().unwrap_or(&"GAME"))),
            ))
        }
    }
}

/// The id of a variant that was given by its id or by a path.
fn stem(asked: &str) -> String {
    if is_path(asked) {
        Path::new(asked).file_stem().unwrap_or_default().to_string_lossy().into_owned()
    } else {
        asked.to_owned()
    }
}

/// The folder with rules that a layer lies in.
fn folder_of(layer: &crate::definition::Layer) -> Option<PathBuf> {
    let above = || layer.origin.path().ancestors().nth(3).map(Path::to_owned);
    layer.origin.root().map(Path::to_owned).or_else(above)
}
