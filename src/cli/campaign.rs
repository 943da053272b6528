//! The option `--from`: starting the next game of a campaign from a saved one.

use super::{Context, Failure, LayerArgs, Printout, Rules};
use crate::catalogue::message;
use crate::definition::Library;
use crate::diagnostic::visible;
use crate::files::path_name;
use crate::playthrough::Playthrough;
use crate::playthrough::saved_game::SavedGame;
use std::path::Path;

/// A request for the next game of a campaign.
pub(super) struct Next<'a> {
    /// The path of the saved game.
    pub from: &'a Path,
    /// The id of the next game; `None` for the same game.
    pub game: Option<String>,
    /// The variants and settings of the next game; those of the saved game where none are given.
    pub over: LayerArgs,
    /// The number of players; `None` for the same number.
    pub players: Option<usize>,
    /// Whether the saved game is read under the rules on disk.
    pub under_disk: bool,
}

impl Next<'_> {
    /// Starts the game, with `seed` or else the saved game's seed plus 1. Messages about the saved game go to `out`.
    ///
    /// # Errors
    /// The file cannot be read, its game cannot be continued by another, or the rules do not accept what it passes on.
    pub fn begin(
        self,
        context: &Context,
        seed: Option<u64>,
        out: &mut Printout,
    ) -> Result<(Playthrough, Library), Failure> {
        let opened = SavedGame::open(self.from, &context.library, self.under_disk, context.work.clone());
        let opened = opened.map_err(Failure::wrong)?;
        opened.notes().for_each(|line| out.line(&line));
        let (mut game, mut library) = (opened.playthrough, opened.library);
        let saved = &game.loaded().ruleset.selection.game;
        let rules = Rules { game: self.game.unwrap_or_else(|| saved.clone()), over: self.over };
        let players = self.players.unwrap_or(game.seats);
        let is_same = rules.game == *saved && !rules.over.is_given() && players == game.seats;
        let loaded = if is_same {
            None
        } else {
            library = context.library.clone();
            Some(rules.load(context, Some(players), out)?.0)
        };
        let seed = seed.unwrap_or_else(|| game.seed.wrapping_add(1));
        game.next_game(loaded, seed).map_err(|errors| {
            Failure::wrong(errors.help(message!("`{}` is the game to continue from", shown(self.from))))
        })?;
        Ok((game, library))
    }
}

/// A path with control characters made visible.
fn shown(path: &Path) -> String {
    visible(&path_name(path)).into_owned()
}
