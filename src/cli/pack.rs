//! `houserule pack`: rules as one file, to be sent to somebody.

use super::file_kind::{Openable, PACK, game_of_variant, openable};
use super::install::installed_as;
use super::out_file::default_path;
use super::packs::is_pack;
use super::{Context, FINE, Failure, LayerArgs, OutFile, Outcome, Printout};
use crate::catalogue::{say, told};
use crate::definition::{ANY_GAME, Edition, Layer, LayerKind, Library, is_path};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, Source, listed, visible};
use crate::files::{Files as _, path_name};
use crate::host::disk::Disk;
use crate::host::packs::{folder, mounted};
use crate::inspect::check::{Findings, counted, unfit_pictures};
use crate::playthrough::Playable;
use crate::playthrough::replay::{MAX_BYTES as MOST_OF_A_SAVE, Replay};
use crate::playthrough::rules_cache::RulesCache;
use crate::ruleset::{Ruleset, Selection, typed};
use crate::scenario::{FOLDER, Scenario};
use crate::share::reach::Reach;
use crate::share::{ENDING, FILE, Gathered, MAX_BYTES, Pack, PackFile, SAVES};
use crate::share::{add_named, anew, contents, folder_of_scenarios, packed_layers, pictures, scenarios};
use crate::shipped;
use clap::Args;
use std::collections::BTreeMap;
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
struct PackRequest {
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
        Ok(FINE)
    }

    /// A pack of a pack, with its path and what it lacks: one that is as it was made gives itself; one that was changed by
    /// hand is made anew.
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
            let error = Diagnostic::new(format!("`{}` is a pack, which already says what is in it", visible(what)));
            return Err(Failure::wrong(
                error.help("`-v`, `--set`, `-p` and `-s` are for packs that are made of rules"),
            ));
        }
        if file.is_whole {
            return Ok(Some((file, path, Vec::new())));
        }
        out.tell([&Diagnostic::note(format!("`{}` was changed by hand: it is packed again", visible(what)))]);
        let library = mounted(&context.library, &[(path.clone(), file.clone())]);
        let reach = Reach::of(&file.pack, &path, &library, &context.work);
        let packed = anew(&file, &reach).map_err(|errors| errors.help("nothing was written"));
        let packed = packed.map_err(Failure::wrong)?;
        out.tell(&not_taken_over(&file.pack, &packed.pack));
        Ok(Some((packed, path, reach.unfit_pictures(&library))))
    }

    /// The command as it is typed.
    fn as_typed(&self) -> String {
        let Some((first, more)) = self.what.split_first() else { return String::new() };
        let LayerArgs { variants, set } = self.over.clone();
        let mut command = Selection { game: first.clone(), variants, set }.command("pack");
        command.extend(more.iter().map(|what| format!(" {}", typed(what))));
        command.extend(self.players.map(|players| format!(" -p {players}")));
        command.extend(self.seed.map(|seed| format!(" -s {seed}")));
        command
    }

    /// What was asked for as a pack, and why scenarios of the game and pictures cannot be in it.
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
        // The ids of what was asked for by id or by path; what that requires goes along without being named.
        let asked = selection.variants.iter().map(|asked| stem(asked));
        let ids: Vec<String> = ruleset.variant_ids().map(str::to_owned).collect();
        let asked: Vec<String> = asked.filter(|id| ids.contains(id)).collect();
        let mut folders: Vec<PathBuf> = packed_layers(ruleset, &asked).filter_map(folder_of).collect();
        folders.push(context.folder.clone());
        let (mut texts, mut unfit) = (BTreeMap::new(), Vec::new());
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
        let gathered = Gathered {
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
        Ok((PackFile::unwritten(pack).called(names), unfit))
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
            match openable(what, library, PACK).map_err(Failure::wrong)? {
                Openable::Game(game) => wanted.game_is(&game)?,
                Openable::Variant(game) => {
                    wanted.game_is(&game)?;
                    wanted.variants.push(what.clone());
                }
                // These are read before.
                Openable::Scenario => {}
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
        out.line(&say!("wrote {shown}: {}, {}", visible(&pack.title()), contents(pack)));
        out.line(&format!("{:6}{}", "", pack.hash()));
        let keys = [
            ("version", "version = \"1.0.0\"", pack.version.is_none()),
            ("author", "author = \"…\"", pack.author.is_none()),
            ("licence", "licence = \"…\"", pack.licence.is_none()),
        ];
        let missing = keys.into_iter().filter(|(.., is_missing)| *is_missing).map(|(key, line, _)| (key, line));
        let (missing, lines): (Vec<&str>, Vec<&str>) = missing.unzip();
        if !missing.is_empty() && pack.holds_path(&pack.principal()) {
            let note = Diagnostic::note(format!("`{}` does not say its {}", pack.principal(), either(&missing)));
            out.tell([&note.help(format!("write {} at its top", listed(lines)))]);
        }
        out.line(&say!("now: `houserule show {}` shows what others will see of it", typed(&name)));
        Ok(())
    }
}

impl PackRequest {
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
    let reach = Reach::of(&file.pack, path, &library, &context.work);
    let mut findings = Findings::default();
    for rules in &reach.rules {
        findings.check_alone(&library, &context.work, rules.selection.clone());
    }
    let shelf = RulesCache::default();
    let mut troubles: Vec<Diagnostic> = std::mem::take(&mut findings.errors);
    let (errors, warnings): (Vec<_>, Vec<_>) =
        reach.beside.into_iter().partition(|one| one.severity == Severity::Error);
    findings.warnings.extend(warnings);
    troubles.extend(reach.unused.into_iter().chain(reach.misnamed).chain(errors));
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
        Ok(()) => Ok(say!("checked; {} passed", told(&counted(own.len(), "scenario")))),
        Err(errors) => Err(Failure::no(errors)),
    }
}

/// Refuses to write over a pack that somebody wrote something into which no pack has.
fn refuse_loss(path: &Path) -> Result<(), Failure> {
    let shown = visible(&path_name(path)).into_owned();
    let name = Disk.name_of(path);
    let Ok(text) = Disk.read_up_to(path, &name, MAX_BYTES) else { return Ok(()) };
    let error = match Pack::parse(&text) {
        Ok(there) if !there.has_comments() => return Ok(()),
        Ok(_) => Diagnostic::new(format!("`{shown}` has comments, which would be lost")),
        // What is no pack is refused by whoever writes.
        Err(_) if !text.text.starts_with(FILE.beginning) => return Ok(()),
        Err(errors) => {
            let wrong = &errors.first().message;
            Diagnostic::new(format!("`{shown}` was changed by hand, and what it says would be lost: {wrong}"))
        }
    };
    let error = error.help("`-o FILE` writes another file; `--force` overwrites this one");
    Err(Failure::wrong(error.help("nothing was written")))
}

/// That what the head of a pack said before it was made anew is not what the texts in it say, if it is not.
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
    let said = |value: Option<String>| value.map_or("nothing".to_owned(), |value| format!("`{value}`"));
    let differing = head(was).into_iter().zip(head(now)).filter(|((_, was), (_, now))| was != now);
    let mut differing: Vec<String> =
        differing.map(|((key, was), (_, now))| format!("{key} {} instead of {}", said(now), said(was))).collect();
    if was.rests_on != now.rests_on {
        differing.push("other `rests_on`".to_owned());
    }
    if differing.is_empty() {
        return None;
    }
    let (path, all) = (now.principal(), differing.join(", "));
    let note = Diagnostic::note(format!("the head of the pack says what `{path}` says: {all}"));
    Some(note.help("if you meant it otherwise, change it in that text and pack again"))
}

/// The pack that is installed under a name. A name alone means rules in a folder of one's own before it, and rules to
/// make another pack of, where more is said about that.
fn installed_under(typed: &str, is_made_of_rules: bool, library: &Library) -> Option<(PathBuf, PackFile)> {
    if !typed.contains('/') && (is_made_of_rules || is_own(typed, library)) {
        return None;
    }
    let found = installed_as(typed).ok()??;
    let file = found.read.ok()?;
    // A game is called so before a variant is.
    (file.pack.id == typed || library.game(typed).is_err()).then_some((found.path, file))
}

/// Whether a game or a variant of that name lies in a folder of one's own: it did not come with the program, nor in a
/// pack that is installed.
fn is_own(id: &str, library: &Library) -> bool {
    let packs = folder();
    let is_installed =
        |layer: &Layer| layer.origin.root().zip(packs.as_ref()).is_some_and(|(at, packs)| at.starts_with(packs));
    let is_own = |layer: &Layer| !is_installed(layer) && !is_shipped(layer);
    let games = library.games();
    let variants = games.iter().filter_map(|game| library.variant(&game.id, id).ok());
    library.game(id).into_iter().chain(variants).any(|layer| is_own(&layer))
}

/// The command that makes the same pack again of the files that it was unpacked into, in the folder of the context;
/// nothing where none does.
pub(super) fn command_again(pack: &Pack, context: &Context) -> Option<String> {
    let roots = std::iter::once(&context.folder).chain(context.library.roots()).cloned().collect();
    let context = Context { library: context.library.among(|files| files, roots), ..context.clone() };
    let makes_it = |command: &PackCommand| command.gather(&context).is_ok_and(|(made, _)| made.pack == *pack);
    commands_again(pack, &context.folder).into_iter().find(makes_it).map(|command| command.as_typed())
}

/// Commands of which one is likely to make a pack again of its files: the shorter ones first.
fn commands_again(pack: &Pack, folder: &Path) -> Vec<PackCommand> {
    let selection = &pack.play.selection;
    let name = pack.id.rsplit('/').next().unwrap_or_default().to_owned();
    let is_held = |id: &&String| pack.layers().any(|path| path.starts_with("variants/") && stem(path) == **id);
    let mut held: Vec<String> = selection.variants.iter().filter(is_held).cloned().collect();
    // A pack is called after the last variant that was asked for.
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

/// The same variants over each other game of this program that they go with, where all of them are for several games:
/// they are tested there, too.
fn is_shipped(layer: &Layer) -> bool {
    layer.files().iter().all(|file| shipped::text_at(&file.path) == Some(&file.text))
}

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

/// What the texts of a pack are called where they lie, by their paths in it.
fn names_of(pack: &Pack, ruleset: &Ruleset, folders: &[PathBuf], library: &Library) -> BTreeMap<String, String> {
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

/// `version, author or licence`
fn either(names: &[&str]) -> String {
    match names {
        [several @ .., last] if !several.is_empty() => format!("{} or {last}", several.join(", ")),
        names => names.concat(),
    }
}

/// Files of a pack that do not say which edition of the language they are written in: whoever keeps the pack for years could
/// not tell what they mean.
fn without_edition(ruleset: &Ruleset, asked: &[String], texts: &BTreeMap<String, String>) -> Vec<Diagnostic> {
    let layers = packed_layers(ruleset, asked).filter(|layer| layer.edition == Edition::UNSTATED);
    let layers = layers.map(|layer| (layer.source.name.clone(), layer.origin.path().display().to_string()));
    let is_unstated = |(path, text): &(&String, &String)| {
        let scenario = Scenario::parse(&Source::new(path.as_str(), text.as_str()), Path::new(path));
        scenario.is_ok_and(|scenario| scenario.edition == Edition::UNSTATED)
    };
    let scenarios = texts.iter().filter(is_unstated).map(|(path, _)| (path.clone(), path.clone()));
    let refused = layers.chain(scenarios).map(|(name, path)| {
        let message = format!("`{}` does not say which edition of the language it is written in", visible(&name));
        Diagnostic::new(message).help(format!("`houserule upgrade {}` writes it", typed(&path)))
    });
    refused.collect()
}
