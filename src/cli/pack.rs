//! The command `houserule pack`: rules as a single file to send.

use super::file_kind::{Openable, PACK, game_of_variant, openable};
use super::install::installed_as;
use super::numbers::{COUNTS, SEEDS, whole};
use super::out_file::default_path;
use super::packs::is_pack;
use super::{Context, EXIT_SUCCESS, Failure, LayerArgs, OutFile, Outcome, Printout};
use crate::catalogue::{Message, message, say};
use crate::definition::{ANY_GAME, Edition, Layer, LayerKind, Library, is_path};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, Source, listed, visible};
use crate::files::{Files as _, path_name};
use crate::host::disk::Disk;
use crate::host::packs::{folder, mounted};
use crate::inspect::check::{Findings, unfit_pictures};
use crate::playthrough::Playable;
use crate::playthrough::replay::{MAX_BYTES as MAX_REPLAY_BYTES, Replay};
use crate::playthrough::rules_cache::RulesCache;
use crate::ruleset::{Ruleset, Selection, shell_quoted};
use crate::scenario::{FOLDER, Scenario};
use crate::share::contents::PackContents;
use crate::share::{ENDING, FILE, MAX_BYTES, Pack, PackFile, PackInput, SAVES};
use crate::share::{add_named, contents_summary, folder_of_scenarios, packed_layers, pictures, repack, scenarios};
use crate::shipped;
use crate::sorted::SortedMap;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Pack rules into one file to send: with scripts, scenarios, and a game to start with
#[derive(Debug, Args)]
pub(super) struct PackCommand {
    /// What to pack: the id of a game or a variant, or the file of a variant, a scenario or a saved game; repeat for more
    #[arg(required = true, value_name = "GAME|VARIANT|FILE")]
    what: Vec<String>,

    #[command(flatten)]
    over: LayerArgs,

    /// Number of players of the game that you recommend; default: the fewest that the game allows
    #[arg(short, long, value_name = "N", value_parser = whole::<usize>(COUNTS))]
    players: Option<usize>,

    /// Seed of the game that you recommend
    #[arg(short, long, value_name = "SEED", value_parser = whole::<u64>(SEEDS))]
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

/// The things to pack.
#[derive(Default)]
struct PackRequest {
    game: Option<String>,
    variants: Vec<String>,
    scenarios: Vec<(PathBuf, String)>,
    saves: Vec<(PathBuf, String)>,
    /// The rules, players and seed of the first saved game, where nothing else determines them.
    saved: Option<(Selection, Library, usize, u64)>,
}

impl PackCommand {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let packed = match self.what.as_slice() {
            [one] => self.of_pack(context, one, out)?,
            _ => None,
        };
        let (file, path, unfit) = match packed {
            Some(packed) => packed,
            None => {
                let (file, unfit) = self.gather(context)?;
                let path = PathBuf::from(file.pack.file_name());
                (file, path, unfit)
            }
        };
        if self.unchecked {
            let left_out = |error: Diagnostic| error.as_warning().help("it is left out of the pack");
            out.tell(&unfit.into_iter().map(left_out).collect::<Vec<_>>());
        } else {
            let refused = |errors: Diagnostics| errors.help("nothing was written; `--unchecked` leaves it out");
            Diagnostics::refuse(unfit).map_err(|errors| Failure::no(refused(errors)))?;
            let passed = check(&file, &path, context, out).map_err(|failure| Failure {
                diagnostics: failure.diagnostics.help("nothing was written; `--unchecked` packs it all the same"),
                ..failure
            })?;
            out.line(&passed);
        }
        self.write(&file.pack, context, out)?;
        Ok(EXIT_SUCCESS)
    }

    /// Packs a pack again, if one is named: gives it with its path and findings about its pictures. An unchanged pack
    /// stays as it is; one changed by hand is made anew.
    fn of_pack(
        &self,
        context: &Context,
        what: &str,
        out: &mut Printout,
    ) -> Result<Option<(PackFile, PathBuf, Vec<Diagnostic>)>, Failure> {
        let files = context.library.files();
        let is_made_of_rules = self.over.is_given() || self.players.is_some() || self.seed.is_some();
        let (path, file) = if is_pack(what, files) {
            (PathBuf::from(what), Pack::read(files, Path::new(what)).map_err(Failure::wrong)?)
        } else if let Some(found) = installed_under(what, is_made_of_rules, &context.library) {
            found
        } else {
            return Ok(None);
        };
        if is_made_of_rules {
            let error = Diagnostic::new(message!("`{}` is a pack, which already says what is in it", visible(what)));
            return Err(Failure::wrong(
                error.help("`-v`, `--set`, `-p` and `-s` are for packs that are made of rules"),
            ));
        }
        if file.is_whole {
            return Ok(Some((file, path, Vec::new())));
        }
        out.tell([&Diagnostic::note(message!("`{}` was changed by hand: it is packed again", visible(what)))]);
        let library = mounted(&context.library, &[(path.clone(), file.clone())]);
        let contents = PackContents::of(&file.pack, &path, &library, &context.work);
        let packed = repack(&file, &contents).map_err(|errors| errors.help("nothing was written"));
        let packed = packed.map_err(Failure::wrong)?;
        out.tell(&not_taken_over(&file.pack, &packed.pack));
        Ok(Some((packed, path, contents.unfit_pictures(&library))))
    }

    /// The command line of this command.
    fn as_typed(&self) -> String {
        let Some((first, more)) = self.what.split_first() else { return String::new() };
        let LayerArgs { variants, set } = self.over.clone();
        let mut command = Selection { game: first.clone(), variants, set }.command("pack");
        command.extend(more.iter().map(|what| format!(" {}", shell_quoted(what))));
        command.extend(self.players.map(|players| format!(" -p {players}")));
        command.extend(self.seed.map(|seed| format!(" -s {seed}")));
        command
    }

    /// Makes the requested pack. The diagnostics tell which scenarios and pictures cannot be in it.
    fn gather(&self, context: &Context) -> Result<(PackFile, Vec<Diagnostic>), Failure> {
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
        // The ids of the variants asked for; their requirements are included without being named.
        let asked = selection.variants.iter().map(|asked| stem(asked));
        let ids: Vec<String> = ruleset.variant_ids().map(str::to_owned).collect();
        let asked: Vec<String> = asked.filter(|id| ids.contains(id)).collect();
        let mut folders: Vec<PathBuf> = packed_layers(ruleset, &asked).filter_map(folder_of).collect();
        folders.push(context.folder.clone());
        let (mut texts, mut unfit) = (SortedMap::new(), Vec::new());
        if rules_are_wanted {
            (texts, unfit) = scenarios(&library, &folders, ruleset, &asked).map_err(Failure::wrong)?;
            for other in with_other_games(&library, &selection, ruleset) {
                let (found, unfit_there) = scenarios(&library, &folders, &other, &asked).map_err(Failure::wrong)?;
                texts.extend(found);
                unfit.extend(unfit_there);
            }
            texts.extend(pictures(&library, ruleset, &asked).map_err(Failure::wrong)?);
            unfit.extend(unfit_pictures(&loaded, &library));
        }
        let tests = folder_of_scenarios(&ruleset.game.id);
        for (folder, given) in [(&*tests, &wanted.scenarios), (SAVES, &wanted.saves)] {
            for (path, text) in given {
                add_named(&mut texts, folder, path, text).map_err(Failure::wrong)?;
            }
        }
        if !self.unchecked {
            Diagnostics::refuse(without_edition(ruleset, &asked, &texts)).map_err(Failure::wrong)?;
        }
        let gathered = PackInput {
            loaded: &loaded,
            files: library.files(),
            rules_are_wanted,
            wanted: asked,
            players,
            seed: self.seed.or(seed).unwrap_or(1),
            set: selection.set,
            texts,
        };
        let pack = gathered.pack().map_err(Failure::wrong)?;
        let names = names_of(&pack, ruleset, &folders, &library);
        Ok((PackFile::unsaved(pack).called(names), unfit))
    }

    fn wanted(&self, context: &Context) -> Result<PackRequest, Failure> {
        let library = &context.library;
        let mut wanted = PackRequest::default();
        for what in &self.what {
            if !is_path(what) {
                match game_of_variant(what, library, PACK).map_err(Failure::wrong)? {
                    Some(game) => {
                        wanted.game_is(&game)?;
                        wanted.variants.push(what.clone());
                    }
                    None => wanted.game_is(what)?,
                }
                continue;
            }
            let (path, files) = (Path::new(what), library.files());
            if is_pack(what, files) {
                let error = Diagnostic::new(message!("`{}` is a pack, and a pack holds no other", visible(what)));
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
            match openable(what, library, PACK).map_err(Failure::wrong)? {
                Openable::Game(game) => wanted.game_is(&game)?,
                Openable::Variant(game) => {
                    wanted.game_is(&game)?;
                    wanted.variants.push(what.clone());
                }
                // Scenarios were read before.
                Openable::Scenario => {}
                Openable::Saved => {
                    let read = Replay::read(files, path).map_err(Failure::wrong)?;
                    let (ruleset, found_in) = read.rules(library, path).map_err(Failure::wrong)?;
                    let Replay { players, seed, .. } = read.replay;
                    let text = files.read_up_to(path, what, MAX_REPLAY_BYTES).map_err(Failure::wrong)?;
                    wanted.saves.push((path.to_owned(), text.text.clone()));
                    wanted.saved.get_or_insert((ruleset.selection.clone(), found_in, players, seed));
                }
            }
        }
        Ok(wanted)
    }

    fn write(&self, pack: &Pack, context: &Context, out: &mut Printout) -> Result<(), Failure> {
        let text = pack.to_toml();
        let name = pack.id.rsplit('/').next().unwrap_or_default();
        let path = self.out.clone().unwrap_or_else(|| default_path(PathBuf::from(format!("{name}{ENDING}"))));
        if !self.force {
            refuse_loss(&path)?;
        }
        let file = OutFile::begin(&path, FILE, self.force, context)?;
        let name = file.target().name();
        file.write(context, &text)?;
        let Some(name) = name else { return Ok(()) };
        let shown = visible(&name).into_owned();
        out.line(&say!("wrote {shown}: {}, {}", visible(&pack.title()), contents_summary(pack).told()));
        out.line(&format!("{:6}{}", "", pack.hash()));
        let keys = [
            ("version", "version = \"1.0.0\"", pack.version.is_none()),
            ("author", "author = \"…\"", pack.author.is_none()),
            ("licence", "licence = \"…\"", pack.licence.is_none()),
        ];
        let missing = keys.into_iter().filter(|(.., is_missing)| *is_missing).map(|(key, line, _)| (key, line));
        let (missing, lines): (Vec<&str>, Vec<&str>) = missing.unzip();
        if !missing.is_empty() && pack.holds_path(&pack.principal()) {
            let note = Diagnostic::note(message!("`{}` does not say its {}", pack.principal(), either(&missing)));
            out.tell([&note.help(message!("write {} at its top", listed(lines)))]);
        }
        out.line(&say!("now: `houserule show {}` shows what others will see of it", shell_quoted(&name)));
        Ok(())
    }
}

impl PackRequest {
    fn game_is(&mut self, game: &str) -> Result<(), Failure> {
        match &self.game {
            Some(other) if other != game => {
                let error = Diagnostic::new(message!("a pack is of one game, and these are of `{other}` and `{game}`"));
                Err(Failure::wrong(error.help("make a pack of each")))
            }
            _ => {
                self.game = Some(game.to_owned());
                Ok(())
            }
        }
    }
}

/// Checks a pack and runs its scenarios. Gives a summary of what passed.
///
/// # Errors
/// The check found errors, or a scenario failed.
pub(super) fn check(file: &PackFile, path: &Path, context: &Context, out: &mut Printout) -> Result<String, Failure> {
    let library = mounted(&context.library, &[(path.to_owned(), file.clone())]);
    let counter = context.terminal.counter(&context.work);
    let contents = PackContents::of(&file.pack, path, &library, &context.work);
    let mut findings = Findings::default();
    for rules in &contents.rules {
        findings.check_alone(&library, &context.work, rules.selection.clone());
    }
    let shelf = RulesCache::default();
    let mut troubles: Vec<Diagnostic> = std::mem::take(&mut findings.errors);
    let (errors, warnings): (Vec<_>, Vec<_>) =
        contents.beside.into_iter().partition(|one| one.severity == Severity::Error);
    findings.warnings.extend(warnings);
    troubles.extend(contents.unused.into_iter().chain(contents.misnamed).chain(errors));
    let own = file.pack.files.iter().filter(|inside| inside.path.starts_with(FOLDER));
    let own: Vec<PathBuf> = own.map(|inside| path.join(&inside.path)).collect();
    // Under faulty rules, scenarios give no more information.
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
        Ok(()) => Ok(say!("checked; {} passed", Message::counted(own.len(), "scenario"))),
        Err(errors) => Err(Failure::no(errors)),
    }
}

/// Refuses to overwrite a pack in which somebody wrote comments.
fn refuse_loss(path: &Path) -> Result<(), Failure> {
    let shown = visible(&path_name(path)).into_owned();
    let name = Disk.name_of(path);
    let Ok(text) = Disk.read_up_to(path, &name, MAX_BYTES) else { return Ok(()) };
    let error = match Pack::parse(&text) {
        Ok(there) if !there.has_comments() => return Ok(()),
        Ok(_) => Diagnostic::new(message!("`{shown}` has comments, which would be lost")),
        // A file that is no pack is refused when it is written.
        Err(_) if !text.text.starts_with(FILE.beginning) => return Ok(()),
        Err(errors) => {
            let wrong = &errors.first().message;
            Diagnostic::new(message!("`{shown}` was changed by hand, and what it says would be lost: {wrong}"))
        }
    };
    let error = error.help("`-o FILE` writes another file; `--force` overwrites this one");
    Err(Failure::wrong(error.help("nothing was written")))
}

/// A note on what a hand-written head of a pack said differently from the texts; `None` if nothing.
fn not_taken_over(was: &Pack, now: &Pack) -> Option<Diagnostic> {
    let head = |pack: &Pack| {
        let version = pack.version.as_ref().map(ToString::to_string);
        let (id, name) = (Some(pack.id.clone()), Some(pack.name.clone()));
        [
            ("id", id),
            ("name", name),
            ("version", version),
            ("author", pack.author.clone()),
            ("licence", pack.licence.clone()),
            ("houserule", Some(pack.houserule.to_string())),
        ]
    };
    let said =
        |value: Option<String>| value.map_or(Message::from("nothing"), |value| Message::verbatim(format!("`{value}`")));
    let differing = head(was).into_iter().zip(head(now)).filter(|((_, was), (_, now))| was != now);
    let differing = differing
        .map(|((key, was), (_, now))| message!("{} {} instead of {}", Message::from(key), said(now), said(was)));
    let mut differing: Vec<Message> = differing.collect();
    if was.rests_on != now.rests_on {
        differing.push("other `rests_on`".into());
    }
    if differing.is_empty() {
        return None;
    }
    let (path, all) = (now.principal(), Message::list(differing, ", "));
    let note = Diagnostic::note(message!("the head of the pack says what `{path}` says: {all}"));
    Some(note.help("if you meant it otherwise, change it in that text and pack again"))
}

/// The installed pack with a name. A bare name first means rules of one's own, and always means rules where other
/// arguments say how to pack them.
fn installed_under(typed: &str, is_made_of_rules: bool, library: &Library) -> Option<(PathBuf, PackFile)> {
    if !typed.contains('/') && (is_made_of_rules || is_own(typed, library)) {
        return None;
    }
    let found = installed_as(typed).ok()??;
    let file = found.read.ok()?;
    // A name means a game before it means a variant.
    (file.pack.id == typed || library.game(typed).is_err()).then_some((found.path, file))
}

/// Whether a game or variant of that name is the person's own: neither built in nor from an installed pack.
fn is_own(id: &str, library: &Library) -> bool {
    let packs = folder();
    let is_installed =
        |layer: &Layer| layer.origin.root().zip(packs.as_ref()).is_some_and(|(at, packs)| at.starts_with(packs));
    let is_own = |layer: &Layer| !is_installed(layer) && !is_shipped(layer);
    let games = library.games();
    let variants = games.iter().filter_map(|game| library.variant(&game.id, id).ok());
    library.game(id).into_iter().chain(variants).any(|layer| is_own(&layer))
}

/// The command that packs a pack's files again in the folder of the context, after they were unpacked; `None` where
/// none gives the same pack.
pub(super) fn command_again(pack: &Pack, context: &Context) -> Option<String> {
    let roots = std::iter::once(&context.folder).chain(context.library.roots()).cloned().collect();
    let context = Context { library: context.library.with_roots(|files| files, roots), ..context.clone() };
    let makes_it = |command: &PackCommand| command.gather(&context).is_ok_and(|(made, _)| made.pack == *pack);
    commands_again(pack, &context.folder).into_iter().find(makes_it).map(|command| command.as_typed())
}

/// Candidate commands to pack a pack's files again, the shorter ones first.
fn commands_again(pack: &Pack, folder: &Path) -> Vec<PackCommand> {
    let selection = &pack.play.selection;
    let name = pack.id.rsplit('/').next().unwrap_or_default().to_owned();
    let is_held = |id: &&String| pack.layers().any(|path| path.starts_with("variants/") && stem(path) == **id);
    let mut held: Vec<String> = selection.variants.iter().filter(is_held).cloned().collect();
    // A pack is named after the last variant asked for.
    held.sort_by_key(|id| *id == name);
    let saves = pack.files.iter().filter(|file| file.path.starts_with(SAVES));
    let saves: Vec<String> = saves.map(|file| path_name(&folder.join(&file.path))).collect();
    let with_saves = |first: &str| std::iter::once(first.to_owned()).chain(saves.iter().cloned()).collect::<Vec<_>>();
    let ways = [(with_saves(&name), Vec::new()), (with_saves(&selection.game), held), (saves.clone(), Vec::new())];
    let recommended = [(None, None), (Some(pack.play.players), Some(pack.play.seed))];
    let commands = ways.iter().filter(|(what, _)| !what.is_empty()).flat_map(|(what, variants)| {
        recommended.map(|(players, seed)| PackCommand {
            what: what.clone(),
            over: LayerArgs { variants: variants.clone(), set: selection.set.clone() },
            players,
            seed,
            out: None,
            unchecked: false,
            force: false,
        })
    });
    commands.collect()
}

/// Whether all files of a layer are those built into the program.
fn is_shipped(layer: &Layer) -> bool {
    layer.files().iter().all(|file| shipped::text_at(&file.path) == Some(&file.text))
}

/// The rules with the same variants over each other built-in game, if all of these are for several games: the pack is
/// tested with these games too.
fn with_other_games(library: &Library, selection: &Selection, ruleset: &Ruleset) -> Vec<Ruleset> {
    let is_for_several = |variant: &Layer| matches!(&variant.kind, LayerKind::Variant { game } if game == ANY_GAME);
    if ruleset.variants.is_empty() || !ruleset.variants.iter().all(is_for_several) {
        return Vec::new();
    }
    let games = library.games().into_iter().filter(|game| game.id != selection.game);
    let games = games.filter(|game| game.layer.as_ref().is_ok_and(is_shipped));
    let over = |game: String| Selection { variants: selection.variants.clone(), ..Selection::of(&game) };
    games.filter_map(|game| Ruleset::load(library, &over(game.id)).ok()).collect()
}

/// The names of the source files of a pack's texts, by their paths in it.
fn names_of(pack: &Pack, ruleset: &Ruleset, folders: &[PathBuf], library: &Library) -> SortedMap<String, String> {
    let files = library.files();
    let in_folders = pack.files.iter().filter_map(|file| {
        let place = folders.iter().map(|folder| folder.join(&file.path)).find(|place| files.exists(place))?;
        Some((file.path.clone(), files.name_of(&place)))
    });
    let of_layers = ruleset.all_layers().flat_map(|layer| {
        layer.files().into_iter().zip(layer.sources()).map(|(file, source)| (file.path, source.name.clone()))
    });
    in_folders.chain(of_layers).collect()
}

/// The id of a variant given by id or path.
fn stem(asked: &str) -> String {
    if is_path(asked) {
        Path::new(asked).file_stem().unwrap_or_default().to_string_lossy().into_owned()
    } else {
        asked.to_owned()
    }
}

/// The root folder of a layer.
fn folder_of(layer: &crate::definition::Layer) -> Option<PathBuf> {
    let above = || layer.origin.path().ancestors().nth(3).map(Path::to_owned);
    layer.origin.root().map(Path::to_owned).or_else(above)
}

/// A list of alternatives: `version, author or licence`.
fn either(names: &[&'static str]) -> Message {
    match names {
        [several @ .., last] if !several.is_empty() => {
            Message::joined([Message::list(several.iter().copied(), ", "), " or ".into(), (*last).into()])
        }
        names => Message::list(names.iter().copied(), ", "),
    }
}

/// Warnings about files of a pack that name no edition of the language: years later, their meaning would be unclear.
fn without_edition(ruleset: &Ruleset, asked: &[String], texts: &SortedMap<String, String>) -> Vec<Diagnostic> {
    let layers = packed_layers(ruleset, asked).filter(|layer| layer.edition == Edition::UNSTATED);
    let layers = layers.map(|layer| (layer.source.name.clone(), layer.origin.path().display().to_string()));
    let is_unstated = |(path, text): &(&String, &String)| {
        let scenario = Scenario::parse(&Source::new(path.as_str(), text.as_str()), Path::new(path));
        scenario.is_ok_and(|scenario| scenario.edition == Edition::UNSTATED)
    };
    let scenarios = texts.iter().filter(is_unstated).map(|(path, _)| (path.clone(), path.clone()));
    let refused = layers.chain(scenarios).map(|(name, path)| {
        let message = message!("`{}` does not say which edition of the language it is written in", visible(&name));
        Diagnostic::new(message).help(message!("`houserule upgrade {}` writes it", shell_quoted(&path)))
    });
    refused.collect()
}
