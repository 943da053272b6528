//! A saved game as a page to step through.

use super::{Replay, is_pasted, read_saved};
use crate::catalogue::{Message, said, say};
use crate::cli::out_file::{default_path, is_sent_by_shell};
use crate::cli::{Context, EXIT_NEGATIVE, EXIT_SUCCESS, Failure, OutFile, Outcome, Printout};
use crate::diagnostic::{Diagnostic, unknown, visible};
use crate::playthrough::Playthrough;
use crate::playthrough::replay::Replay as Saved;
use crate::screen::html::replay::{self, REPLAY};
use crate::session::seats::PUBLIC;
use crate::table::knowledge::Viewer;
use crate::table::names;
use crate::table::value::Seats;
use std::path::Path;

impl Replay {
    /// Writes a page of the only given game.
    pub(super) fn write_page(&self, context: &Context, page: Option<&Path>, out: &mut Printout) -> Outcome {
        let path = self.only_path("--html")?;
        if page.is_none() && is_pasted(path) && !is_sent_by_shell() {
            let error = Diagnostic::new("a page of standard input needs a file to write to");
            return Err(Failure::wrong(error.help("name it: `houserule replay - --html game.html`")));
        }
        let read = read_saved(context.library.files(), path).map_err(Failure::wrong)?;
        out.tell(&read.warnings);
        let (loaded, _) = self.load(context, path, &read).map_err(Failure::wrong)?;
        let players = loaded.layout.seats;
        let viewer = match &self.seat {
            None => Viewer::Everything,
            Some(name) if name == PUBLIC => Viewer::Public(players),
            Some(name) => match names::player(&loaded.layout, name) {
                Some(seat) => Viewer::Seat(seat),
                None => {
                    let known = Seats::all(players).into_iter().map(|seat| seat.to_string()).collect::<Vec<_>>();
                    return Err(Failure::wrong(unknown("player", name, known.iter().map(String::as_str))));
                }
            },
        };
        // A game within a pack has no folder for the page.
        let is_in_folder = path.parent().is_none_or(|folder| folder.as_os_str().is_empty() || folder.is_dir());
        let named = if is_in_folder { path } else { path.file_name().map_or(path, Path::new) };
        // A page limited to a seat has its own name, and never replaces the full one.
        let beside = match viewer {
            Viewer::Everything => named.with_extension("html"),
            Viewer::Public(_) => named.with_extension(format!("{PUBLIC}.html")),
            Viewer::Seat(seat) | Viewer::Memory(seat) => named.with_extension(format!("{seat}.html")),
        };
        let target = page.map_or_else(|| default_path(beside), Path::to_owned);
        let file = OutFile::begin(&target, REPLAY, self.force, context)?;
        let Saved { seed, log, .. } = &read.replay;
        let (mut game, misfit) = Playthrough::start(loaded, players, *seed, log.clone()).map_err(Failure::no)?;
        let page = replay::page(&mut game, viewer, context.language).map_err(Failure::no)?;
        let name = file.target().name();
        file.write(context, &page)?;
        if let Some(name) = name {
            let count = game.timeline().cursor();
            let moves = if count == 1 { said("1 move").to_owned() } else { say!("{count} moves") };
            out.line(&say!("wrote {}: {moves}, {} KB", visible(&name), page.len().div_ceil(1000)));
        }
        if let Some(misfit) = misfit {
            let (number, entry) = (misfit.number, visible(&misfit.entry.to_string()).into_owned());
            out.line(&say!(
                "it ends before move {number}, {entry}, which no longer fits: {}",
                visible(&Message::from(&misfit.reason).told())
            ));
            return Ok(EXIT_NEGATIVE);
        }
        Ok(EXIT_SUCCESS)
    }
}
