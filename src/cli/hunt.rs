//! The command `houserule hunt`: searching for situations that break the rules.

use super::numbers::{COUNTS, SEEDS, whole};
use super::packs::PackArguments;
use super::{Context, EXIT_NEGATIVE, EXIT_SUCCESS, Failure, LayerArgs, Outcome, Printout, agents_help};
use crate::agent::AgentSpec;
use crate::catalogue::{Message, message, said, say};
use crate::diagnostic::{Diagnostic, Diagnostics, visible};
use crate::files::path_name;
use crate::host::clock::now;
use crate::host::file::{can_be_filled, write_new};
use crate::lab::hunt::{Find, FindKind, HuntDeadline, HuntReport, Plan, hunt};
use crate::playthrough::replay::Replay;
use crate::ruleset::shell_quoted;
use crate::work::parse_duration;
use clap::Args;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The default number of games, if neither a number nor a time is given.
const GAMES: u64 = 1_000;

/// Find what breaks the rules: errors, endless games, leaks, unfair seats, rules that never fire
#[derive(Debug, Args)]
pub(super) struct Hunt {
    /// Id of the game (see `houserule list`)
    game: String,

    #[command(flatten)]
    over: LayerArgs,

    /// Use only the given variants, and add no others
    #[arg(long)]
    alone: bool,

    /// Number of players; default: every number that the rules allow
    #[arg(short, long, value_name = "N", value_parser = whole::<usize>(COUNTS))]
    players: Option<usize>,

    /// How many games to play; default: 1000, or with --time as many as there is time for
    #[arg(short = 'n', long, value_name = "GAMES",
          value_parser = whole::<u64>(1..=1_000_000_000))]
    games: Option<u64>,

    /// Hunt no longer than this, such as 60s or 5m: three quarters of it for games, the rest to look closer at findings; what
    /// is found then depends on the machine
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,

    /// Seed of the hunt: the same seed and number of games find the same
    #[arg(short, long, value_name = "SEED", default_value_t = 1,
          value_parser = whole::<u64>(SEEDS))]
    seed: u64,

    /// Count a game as endless after this many decisions; default: the limit of the rules
    #[arg(long, value_name = "DECISIONS", value_parser = whole::<u64>(1..=500_000))]
    longest: Option<u64>,

    #[arg(long, value_name = "AGENTS", help = agents_help("Who plays, separated by commas; the agents at the table \
                                                           are drawn for each game"))]
    agents: Option<String>,

    /// Folder for the saved games that show the findings; default: hunt-GAME in this folder
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,

    /// Save no games
    #[arg(long, conflicts_with = "save")]
    no_save: bool,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// The agents in a list, separated by commas.
fn agents_of(list: Option<&str>) -> Result<Vec<AgentSpec>, Failure> {
    let names = list.into_iter().flat_map(|list| list.split(','));
    let agent = |name: &str| match name.split_once('=') {
        Some((seat, agent)) => Err(Diagnostic::new(message!("a hunt draws who plays `{seat}`"))
            .help(message!("name the agents alone: `--agents {agent}`"))
            .into()),
        None => AgentSpec::parse(name, None),
    };
    names.map(agent).collect::<Result<_, _>>().map_err(Failure::wrong)
}

/// A find with the saved game that demonstrates it.
struct ReportedFind<'a> {
    find: &'a Find,
    file: Option<PathBuf>,
}

impl Hunt {
    /// The arguments that may name packs.
    pub(super) fn pack_arguments(&mut self) -> PackArguments<'_> {
        let LayerArgs { variants, set } = &mut self.over;
        let (game, variants, set) = (Some(&mut self.game), Some(variants), Some(set));
        PackArguments { game, variants, set, ..PackArguments::default() }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let plan = Plan {
            game: self.game.clone(),
            variants: self.over.variants.clone(),
            set: self.over.set.clone(),
            players: self.players,
            adds: !self.alone,
            seed: self.seed,
            games: self.games.unwrap_or(if self.time.is_some() { u64::MAX } else { GAMES }),
            longest: self.longest.and_then(|longest| usize::try_from(longest).ok()),
            agents: agents_of(self.agents.as_deref())?,
        };
        // An unwritable folder is reported before an hour of games.
        if !self.no_save {
            let help = "`--save FOLDER` names another folder, `--no-save` saves no games";
            can_be_filled(&self.folder()).map_err(|errors| Failure::wrong(errors.help(help)))?;
        }
        let begun = Instant::now();
        let is_after = |quarters: u32| self.time.is_some_and(|time| begun.elapsed() >= time / 4 * quarters);
        let until = HuntDeadline { is_over: &|| is_after(3), is_late: &|| is_after(4) };
        if let Some(time) = self.time {
            context.work.expect_end_after(now, time);
        }
        let counter = context.terminal.counter(&context.work);
        let report = hunt(&context.threads, &context.library, &context.work, &plan, until).map_err(Failure::wrong);
        drop(counter);
        let report = report?;
        let is_interrupted = context.work.is_stopped();
        let mut told = Vec::new();
        let mut unsaved = None;
        for find in &report.finds {
            let file = match (&find.replay, &unsaved, self.no_save) {
                (Some(replay), None, false) => match self.saved(find, replay) {
                    Ok(file) => Some(file),
                    Err(errors) => {
                        unsaved = Some(errors);
                        None
                    }
                },
                _ => None,
            };
            told.push(ReportedFind { find, file });
        }
        if self.json {
            let finds = told.iter().map(|told| told.to_json(context, self)).collect::<Vec<_>>();
            out.json(&json!({
                "games": report.games,
                "rulesets": report.rulesets,
                "refused": report.refused,
                "situations": report.situations,
                "interrupted": is_interrupted,
                "reproducible": !report.is_cut,
                "finds": finds,
                "more": report.more,
                "notes": report.notes.iter().map(Diagnostic::to_json).collect::<Vec<_>>(),
            }));
        } else {
            for told in &told {
                out.report(told.diagnostics(context, self));
            }
            out.tell(&report.notes);
            if let Some(line) = saved_in_words(&told, self.save.is_some()) {
                out.line(&line);
            }
            out.line(&summary(&report, is_interrupted));
        }
        if let Some(errors) = unsaved {
            return Err(Failure::wrong(errors));
        }
        Ok(if report.finds.is_empty() { EXIT_SUCCESS } else { EXIT_NEGATIVE })
    }

    fn folder(&self) -> PathBuf {
        self.save.clone().unwrap_or_else(|| PathBuf::from(format!("hunt-{}", self.game)))
    }

    /// Saves the game that demonstrates a find, under a new name beside those of other hunts.
    fn saved(&self, find: &Find, replay: &Replay) -> Result<PathBuf, Diagnostics> {
        let text = replay.to_toml();
        let folder = self.folder();
        let mut number = 1_u32;
        loop {
            let path = folder.join(format!("{}-{number}.toml", find.kind.name()));
            match std::fs::read_to_string(&path) {
                Ok(known) if known == text => return Ok(path),
                Ok(_) => {}
                // The name is taken by another file, so the next number is tried.
                Err(_) if path.exists() => {}
                Err(_) => {
                    write_new(&path, &text)?;
                    return Ok(path);
                }
            }
            number = number.checked_add(1).ok_or_else(|| too_many(&folder))?;
        }
    }
}

/// A line on where the games were saved and, if the folder was not chosen, on how to choose it.
fn saved_in_words(told: &[ReportedFind<'_>], is_chosen: bool) -> Option<String> {
    let files: Vec<&PathBuf> = told.iter().filter_map(|told| told.file.as_ref()).collect();
    let folder = files.first()?.parent()?;
    let names: Vec<String> =
        files.iter().filter_map(|file| file.file_name()).map(|name| name.to_string_lossy().into_owned()).collect();
    let (names, folder) = (names.join(said(", ")), path_name(folder));
    let saved = match files.len() {
        1 => say!("{names} is saved in {folder}"),
        _ => say!("{names} are saved in {folder}"),
    };
    Some(if is_chosen { saved } else { say!("{saved}; `--save FOLDER` names another folder") })
}

fn too_many(folder: &Path) -> Diagnostics {
    let error = Diagnostic::new(message!("`{}` has too many saved games", path_name(folder)));
    error.help("take another folder with `--save FOLDER`").into()
}

impl ReportedFind<'_> {
    /// The command that demonstrates the find, and a description of what it does.
    fn command(&self, context: &Context, hunt: &Hunt) -> Option<(String, Message)> {
        let to_same_folder = &context.to_same_folder;
        if let Some(file) = &self.file {
            let file = path_name(file);
            return Some((format!("houserule play {}{to_same_folder}", shell_quoted(&file)), "opens it".into()));
        }
        let (case, moves) = self.find.case.as_ref()?;
        let selection = case.selection(&hunt.game);
        let players = if case.players > 0 { format!(" -p {}", case.players) } else { String::new() };
        if let Some((agent, games)) = self.find.counted {
            let agents = if agent.is_random() { String::new() } else { format!(" --agents {agent}") };
            let sim = selection.command("sim");
            let command = format!("{sim}{players} -n {games} -s {}{agents}{to_same_folder}", case.seed);
            return Some((command, "plays the same games again".into()));
        }
        if self.find.kind == FindKind::Rules {
            return Some((format!("{}{to_same_folder}", selection.command("check")), "shows it again".into()));
        }
        // The seed alone does not reproduce choices, nor the previous games of a campaign.
        (*moves == 0 && case.before == 0).then(|| {
            let play = selection.command("play");
            (format!("{play}{players} -s {}{to_same_folder}", case.seed), "opens it".into())
        })
    }

    fn diagnostics(&self, context: &Context, hunt: &Hunt) -> Diagnostics {
        let mut diagnostics = self.find.diagnostics.clone();
        if let Some((case, moves)) = &self.find.case {
            let mut with: Vec<Message> = case.variants.iter().map(|id| Message::verbatim(visible(id))).collect();
            if with.is_empty() {
                with.push("no variant".into());
            }
            with.extend(case.set.iter().map(|set| Message::verbatim(visible(set))));
            // Rules that do not compile have no number of players.
            if case.players > 0 && self.find.kind != FindKind::Rules {
                with.push(Message::counted(case.players, "player"));
            }
            if case.before > 0 {
                with.push(message!("game {} of a campaign", case.before + 1));
            }
            if self.find.replay.is_some() {
                with.push(if *moves == 1 { "1 move".into() } else { message!("{moves} moves") });
            }
            let games: Message =
                if self.find.times == 1 { "1 game".into() } else { message!("{} games", self.find.times) };
            diagnostics = diagnostics.help(message!("seen in {games}; the smallest: {}", Message::list(with, ", ")));
        }
        match self.command(context, hunt) {
            Some((command, does)) => {
                diagnostics.help(Message::joined([Message::verbatim(format!("`{command}` ")), does]))
            }
            None if self.find.replay.is_some() => {
                diagnostics.help("without `--no-save`, a saved game opens at the spot")
            }
            None => diagnostics,
        }
    }

    fn to_json(&self, context: &Context, hunt: &Hunt) -> Json {
        let Find { kind, diagnostics, times, case, .. } = self.find;
        json!({
            "kind": kind.name(),
            "diagnostic": diagnostics.first().to_json(),
            "games": (*times > 0).then_some(times),
            "smallest": case.as_ref().map(|(case, moves)| json!({
                "variants": case.variants,
                "set": case.set,
                "players": case.players,
                "games_before": case.before,
                "seed": case.seed,
                "moves": moves,
            })),
            "file": self.file.as_ref().map(|file| path_name(file)),
            "command": self.command(context, hunt).map(|(command, _)| command),
        })
    }
}

/// A summary: what was played and found, and why the hunt ended early if it did.
fn summary(report: &HuntReport, is_interrupted: bool) -> String {
    let HuntReport { games, rulesets, situations, finds, more, is_cut, .. } = report;
    let found = match (finds.len(), more) {
        (0, _) => said("nothing found").to_owned(),
        (1, 0) => said("1 thing found").to_owned(),
        (count, 0) => say!("{count} things found"),
        (count, more) => say!("{count} things found, and {more} more that were not looked at closely"),
    };
    let over = if is_interrupted {
        said("; interrupted, this is what was found so far")
    } else if *is_cut {
        said("; with `--time`, another run may come further")
    } else {
        ""
    };
    let [games, rulesets] =
        [(*games as usize, "game"), (*rulesets, "ruleset")].map(|(number, what)| Message::counted(number, what));
    say!("{games} of {rulesets}, {situations} situations seen: {found}{over}")
}
