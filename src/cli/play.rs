//! The command `houserule play`: a game in the REPL.

use super::campaign::Next;
use super::choose::choose_game;
use super::file_kind::{Openable, PLAY, openable};
use super::numbers::{COUNTS, whole};
use super::packs::PackArguments;
use super::{
    Context, EXIT_HANGUP, EXIT_INTERRUPTED, EXIT_NEGATIVE, EXIT_SUCCESS, EXIT_USAGE, Failure, LayerArgs, OutFile,
    Outcome, Printout, Rules, Seats, web_place,
};
use crate::agent::AgentSpec;
use crate::catalogue::{Message, message, said, say};
use crate::definition::Library;
use crate::diagnostic::{Diagnostic, Diagnostics, visible};
use crate::files::path_name;
use crate::host::clock;
use crate::host::computer::ThisComputer;
use crate::host::terminal::{columns, rows};
use crate::playthrough::Playthrough;
use crate::playthrough::saved_game::SavedGame;
use crate::repl::journal::{self, Game, Journal, UnfinishedGame};
use crate::repl::{self, SessionEnd, TableOpening};
use crate::ruleset::shell_quoted;
use crate::scenario::Scenario;
use crate::screen::picture::{self, PICTURE};
use crate::screen::style;
use crate::session::Session;
use crate::session::commands::invite::faces_named;
use crate::session::fair::Undo;
use crate::session::seats::{player_named, seats_named};
use crate::session::table_face::TableReach;
use crate::table::value::Seat;
use clap::{Args, ValueEnum};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Open a game in the REPL; commands from a pipe run as a script
#[derive(Debug, Args)]
pub(super) struct Play {
    /// Id of the game (see `houserule list`), or a saved game, a variant file, a scenario, or a pack; without it, choose from a list
    #[arg(value_name = "GAME|FILE")]
    game: Option<String>,

    #[command(flatten)]
    over: LayerArgs,

    #[command(flatten)]
    seats: Seats,

    /// Start the next game of a campaign from this saved, finished game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["resume", "discard"])]
    from: Option<PathBuf>,

    /// Begin before this move of a saved game
    #[arg(long, value_name = "MOVE", conflicts_with_all = ["resume", "discard", "from"],
          value_parser = whole::<usize>(0..=u64::MAX))]
    at: Option<usize>,

    /// Play a saved game under the rules on disk instead of those in the file
    #[arg(long)]
    under_disk: bool,

    /// Reload whenever a file of the rules is saved, and show what that changes
    #[arg(long)]
    watch: bool,

    /// Show long output all at once
    #[arg(long)]
    no_pager: bool,

    /// Which moves can be undone
    #[arg(long, value_name = "HOW", value_enum, default_value_t = UndoArg::Free)]
    undo: UndoArg,

    /// Let an agent play a seat: p2=search:200, or all=random; repeat for more
    #[arg(long = "seat", value_name = "SEAT=AGENT")]
    agents: Vec<String>,

    /// Open the table as a page on this computer too: what is done there and here is one session
    #[arg(long)]
    table: bool,

    /// Give seats to people elsewhere by links: p2,p3, or all for every seat; public is a screen that all look at
    #[arg(long, value_name = "SEATS", value_delimiter = ',')]
    invite: Vec<String>,

    /// With --table or --invite: let the network that this computer is in reach the table; nothing is encrypted there
    #[arg(long)]
    lan: bool,

    /// With --table or --invite: listen on this port, if it is free
    #[arg(long, value_name = "PORT", value_parser = whole::<u16>(0..=65_535))]
    port: Option<u16>,

    /// With --table or --invite: the address of a proxy in front of the table, for its links
    #[arg(long, value_name = "URL", value_parser = proxy_address)]
    address: Option<String>,

    /// Write everything that commands from a pipe show as an SVG picture; `-` is standard output
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,

    /// Overwrite the picture's file even if something else is there
    #[arg(long, requires = "picture")]
    force: bool,

    /// Continue a game whose session was killed; without N, the only one, or list them
    #[arg(long, value_name = "N", conflicts_with_all = GAME_ARGUMENTS, value_parser = whole::<usize>(COUNTS))]
    resume: Option<Option<usize>>,

    /// Delete a game whose session was killed
    #[arg(long, value_name = "N", conflicts_with_all = GAME_ARGUMENTS, conflicts_with = "resume",
          value_parser = whole::<usize>(COUNTS))]
    discard: Option<usize>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum UndoArg {
    /// Any move, for designing
    Free,
    /// For playing: no move after which something random was drawn or something hidden was revealed
    Fair,
}

fn proxy_address(typed: &str) -> Result<String, &'static str> {
    let is_host = web_place(typed).is_some_and(|place| !place.contains('/'));
    is_host.then(|| typed.to_owned()).ok_or("write it as https://table.example")
}

/// The arguments that determine the game to start.
const GAME_ARGUMENTS: [&str; 5] = ["game", "variants", "set", "players", "seed"];

impl Play {
    /// The arguments that may name packs.
    pub(super) fn pack_arguments(&mut self) -> PackArguments<'_> {
        let Seats { players, seed } = &mut self.seats;
        let LayerArgs { variants, set } = &mut self.over;
        let (variants, set) = (Some(variants), Some(set));
        PackArguments {
            game: self.game.as_mut(),
            variants,
            set,
            players: Some(players),
            seed: Some(seed),
            ..PackArguments::default()
        }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let folder = journal::folder();
        if let Some(number) = self.discard {
            let discarded = unfinished(folder.as_deref(), Some(number))?;
            let game = visible(&discarded.in_words()).into_owned();
            discarded.discard().map_err(Failure::wrong)?;
            out.line(&say!("deleted unfinished game {number}: {game}"));
            return Ok(EXIT_SUCCESS);
        }
        let chosen = match &self.game {
            None if self.resume.is_none() && self.from.is_none() => match choose_game(context)? {
                Some(chosen) => Some(chosen),
                None => return Ok(EXIT_SUCCESS),
            },
            game => game.clone(),
        };
        let counter = context.terminal.counter(&context.work);
        let (mut session, journal) = match (self.resume, chosen) {
            (Some(number), _) => self.resumed(context, unfinished(folder.as_deref(), number)?, out)?,
            (None, game) => {
                let (playthrough, library) = match &self.from {
                    Some(from) => self.go_on_from(context, from, out)?,
                    None => self.open(context, &game.unwrap_or_default(), out)?,
                };
                (session(context, playthrough, library), None)
            }
        };
        drop(counter);
        let agents = self.agents.iter().map(|typed| seated(typed, session.playthrough.seats));
        let agents = agents.collect::<Result<Vec<_>, _>>().map_err(Failure::wrong)?;
        for face in &self.invite {
            faces_named(face.trim(), session.playthrough.seats).map_err(Failure::wrong)?;
        }
        session.folder.clone_from(&context.folder);
        session.pages = !self.no_pager;
        let undo = match self.undo {
            UndoArg::Free => Undo::Free,
            UndoArg::Fair => Undo::Fair,
        };
        session.take_back(undo).map_err(Failure::no)?;
        if self.watch {
            session.start_watching();
        }
        if let Some(number) = self.at {
            session.line(&format!("goto {number}")).map_err(Failure::no)?;
        }
        session.seat(&agents).map_err(Failure::no)?;
        // A script can be run again, so it needs no journal.
        let journal = journal.or_else(|| {
            let is_played = std::io::stdin().is_terminal() || self.table || !self.invite.is_empty();
            let is_kept = self.resume.is_none() && !session.playthrough.is_of_scenario();
            let folder = folder.filter(|_| is_kept && is_played)?;
            tell_of_unfinished(&folder, out);
            Some(Journal::new(folder))
        });
        let picture = self.picture.as_deref().map(|file| self.begin_picture(context, file)).transpose()?;
        let mut transcript = Vec::new();
        let title = session.playthrough.loaded().ruleset.game.name.get(context.language).to_owned();
        out.write(&context.terminal);
        let table = self.table_opening();
        let transcript_wanted = picture.is_some().then_some(&mut transcript);
        let leaving = repl::run(session, context.terminal, journal, transcript_wanted, &table);
        if let Some(file) = picture {
            file.write(context, &picture::picture(&transcript, &title))?;
        }
        Ok(match leaving {
            SessionEnd::Well => EXIT_SUCCESS,
            SessionEnd::Failed => EXIT_NEGATIVE,
            SessionEnd::Unusable => EXIT_USAGE,
            SessionEnd::HungUp => EXIT_HANGUP,
            SessionEnd::Interrupted => EXIT_INTERRUPTED,
        })
    }

    /// The options of the live table.
    fn table_opening(&self) -> TableOpening {
        let lan = if self.lan { " lan" } else { "" };
        let page = self.table.then(|| "table browser".to_owned());
        let seats = self.invite.iter().map(|seat| format!("invite {}{lan}", seat.trim()));
        let usual = TableReach::default();
        let is_said = self.lan || self.port.is_some() || self.address.is_some();
        let reach = is_said.then(|| TableReach {
            is_in_network: self.lan,
            port: self.port.unwrap_or(usual.port),
            address: self.address.clone(),
        });
        TableOpening { reach, first_lines: seats.chain(page).collect() }
    }

    /// Creates the picture's file before anything is played for it.
    fn begin_picture(&self, context: &Context, file: &Path) -> Result<OutFile, Failure> {
        if std::io::stdin().is_terminal() {
            let error = Diagnostic::new("a picture is made of a session whose commands come from a pipe");
            return Err(Failure::wrong(error.help("for instance `houserule play GAME --picture FILE < commands.txt`")));
        }
        OutFile::begin(file, PICTURE, self.force, context)
    }

    /// A session that continues a game whose session was killed.
    fn resumed(
        &self,
        context: &Context,
        mut unfinished: UnfinishedGame,
        out: &mut Printout,
    ) -> Result<(Session, Option<Journal>), Failure> {
        let game = unfinished.game().map_err(Failure::wrong)?;
        let Game { read, beside, timeline, seating, playtest, .. } = *game;
        let hint = "`--under-disk` uses those".into();
        let disk = (self.under_disk, &hint);
        let work = context.work.clone();
        let opened = SavedGame::along(&read, timeline, &beside, &context.library, disk, work);
        let mut opened = opened.map_err(Failure::wrong)?;
        opened.playthrough.playtest = playtest;
        opened.notes().for_each(|line| out.line(&line));
        let mut session = session(context, opened.playthrough, opened.library);
        session.resume(&seating).map_err(Failure::no)?;
        Ok((session, Some(Journal::of(unfinished))))
    }

    /// The game to play: a new one, or a saved one up to its last position.
    fn open(&self, context: &Context, game: &str, out: &mut Printout) -> Result<(Playthrough, Library), Failure> {
        let path = Path::new(game);
        let meant = openable(game, &context.library, PLAY).map_err(Failure::wrong)?;
        let is_scenario = matches!(meant, Openable::Scenario);
        let Some(rules) = self.rules(meant, game) else {
            return if is_scenario {
                self.open_scenario(context, path, out)
            } else {
                self.open_saved(context, path, out)
            };
        };
        if self.under_disk {
            let error = Diagnostic::new("`--under-disk` is for saved games");
            return Err(Failure::wrong(error.help("the rules of a game are read from disk anyway")));
        }
        let (loaded, players) = rules.load(context, self.seats.players, out)?;
        let started = Playthrough::start(loaded, players, self.seats.seed(), Vec::new());
        let (playthrough, _) = started.map_err(Failure::no)?;
        Ok((playthrough, context.library.clone()))
    }

    /// The rules of a game or of a variant's file; `None` where a file brings its own rules.
    fn rules(&self, meant: Openable, typed: &str) -> Option<Rules> {
        match meant {
            Openable::Saved | Openable::Scenario => None,
            Openable::Game(game) => Some(Rules { game, over: self.over.clone() }),
            Openable::Variant(of) => {
                let variants = std::iter::once(typed).chain(self.over.variants.iter().map(String::as_str));
                let variants = variants.map(str::to_owned).collect();
                Some(Rules { game: of, over: LayerArgs { variants, set: self.over.set.clone() } })
            }
        }
    }

    /// The next game of a campaign.
    fn go_on_from(
        &self,
        context: &Context,
        from: &Path,
        out: &mut Printout,
    ) -> Result<(Playthrough, Library), Failure> {
        let (game, over) = match &self.game {
            None => (None, self.over.clone()),
            Some(game) => {
                let meant = openable(game, &context.library, PLAY).map_err(Failure::wrong)?;
                let rules = self.rules(meant, game).ok_or_else(|| {
                    let error =
                        message!("`{}` is a saved game or a scenario, and `--from` begins a new one", visible(game));
                    let help = message!("leave it out: `houserule play --from {}`", shell_quoted(&path_name(from)));
                    Failure::wrong(Diagnostic::new(error).help(help))
                })?;
                (Some(rules.game), rules.over)
            }
        };
        let players = self.seats.players;
        Next { from, game, over, players, under_disk: self.under_disk }.begin(context, self.seats.seed, out)
    }

    fn open_saved(
        &self,
        context: &Context,
        path: &Path,
        out: &mut Printout,
    ) -> Result<(Playthrough, Library), Failure> {
        self.refuse_other_rules(
            "a saved game has its own rules, players and seed",
            "open it without, then type `with VARIANT` for other rules",
        )?;
        let work = context.work.clone();
        let opened = SavedGame::open(path, &context.library, self.under_disk, work).map_err(Failure::wrong)?;
        opened.notes().for_each(|line| out.line(&line));
        Ok((opened.playthrough, opened.library))
    }

    /// A game at the final position of a scenario, even if not everything is as the scenario expects.
    fn open_scenario(
        &self,
        context: &Context,
        path: &Path,
        out: &mut Printout,
    ) -> Result<(Playthrough, Library), Failure> {
        let has = "a scenario has its own rules, players and seed";
        self.refuse_other_rules(has, "change the scenario, or play the game from its beginning")?;
        let library = &context.library;
        let opened =
            Scenario::read(library.files(), path).and_then(|scenario| scenario.open(library, None, &context.work));
        let (playthrough, failing) = opened.map_err(Failure::wrong)?;
        out.tell(&failing.into_iter().flatten().collect::<Vec<_>>());
        Ok((playthrough, library.clone()))
    }

    /// Refuses options that would change the rules of a saved game or a scenario.
    fn refuse_other_rules(&self, has: &'static str, help: &'static str) -> Result<(), Failure> {
        let given = [
            ("-v", !self.over.variants.is_empty()),
            ("--set", !self.over.set.is_empty()),
            ("-p", self.seats.players.is_some()),
            ("-s", self.seats.seed.is_some()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((flag, _)) => {
                let error = Diagnostic::new(message!("{}: `{flag}` cannot change them", Message::from(has)));
                Err(Failure::wrong(error.help(help)))
            }
            None => Ok(()),
        }
    }
}

/// A session on this computer, drawn in the terminal's width.
fn session(context: &Context, playthrough: Playthrough, library: Library) -> Session {
    let computer = Arc::new(ThisComputer { threads: context.threads });
    let mut session = Session::new(playthrough, library, context.language, context.work.clone(), computer);
    session.width = columns();
    session.height = rows();
    session
}

/// The unfinished game with a number; without one, the only unfinished game.
fn unfinished(folder: Option<&Path>, number: Option<usize>) -> Result<UnfinishedGame, Failure> {
    let none = |message: Message| {
        let help = "the game of a session that is killed is kept until you save or discard it";
        Failure::no(Diagnostic::new(message).help(help))
    };
    let Some(folder) = folder else { return Err(none("there is no folder for unfinished games".into())) };
    if let Some(number) = number {
        let found = journal::open(folder, number).map_err(Failure::no)?;
        return found.ok_or_else(|| none(message!("there is no unfinished game {number}")));
    }
    let mut found = journal::unfinished(folder);
    if found.len() > 1 {
        let games = found.iter().map(listed).collect::<Vec<_>>();
        let error = Diagnostic::new(message!("there are {} unfinished games", found.len()));
        let error = games.into_iter().fold(error, Diagnostic::help);
        return Err(Failure::wrong(error.help("`houserule play --resume N` continues one of them")));
    }
    found.pop().ok_or_else(|| none("there is no unfinished game".into()))
}

/// Tells the person about unfinished games.
fn tell_of_unfinished(folder: &Path, out: &mut Printout) {
    let found = journal::unfinished(folder);
    let Some(newest) = found.first() else { return };
    let number = newest.number;
    let game = visible(&newest.in_words()).into_owned();
    let text = match found.len() {
        1 => say!("there is an unfinished game: {game}"),
        several => say!("there are {several} unfinished games; the last: {game}"),
    };
    let list = if found.len() > 1 { said("; `--resume` alone lists them all") } else { "" };
    let how = say!("`houserule play --resume {number}` continues it, `--discard {number}` deletes it{list}");
    let width = columns();
    let lines = [text, how].into_iter().flat_map(|text| style::wrapped(&text, width));
    out.show(lines.chain([style::Line::default()]).collect());
}

fn listed(unfinished: &UnfinishedGame) -> Message {
    Message::verbatim(format!("{}: {}", unfinished.number, unfinished.in_words()))
}

/// The seats and the agent in `p2=random`.
fn seated(typed: &str, players: usize) -> Result<(Vec<Seat>, Option<AgentSpec>), Diagnostics> {
    let (seat, player) = typed.split_once('=').ok_or_else(|| {
        Diagnostic::new(message!("`{typed}` does not say who plays which seat")).help("write `--seat p2=random`")
    })?;
    Ok((seats_named(seat.trim(), players)?, player_named(player.trim(), Some(clock::now))?))
}
