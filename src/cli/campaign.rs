//! `--from`: the next game of a campaign, from a saved one.

use super::{Context, Failure, LayerArgs, Printout, Rules};
use crate::catalogue::told;
use crate::definition::Library;
use crate::diagnostic::visible;
use crate::files::path_name;
use crate::playthrough::Playthrough;
use crate::playthrough::opened::SavedGame;
use std::path::Path;

/// The game behind a saved one.
pub(super) struct Next<'a> {
    /// The saved game.
    pub from: &'a Path,
    /// The game that was named.
    pub game: Option<String>,
    /// What it is to be played with; what the saved game was played with where that is nothing.
    pub over: LayerArgs,
    /// How many players were asked for.
    pub players: Option<usize>,
    /// Whether the saved game is read under the rules on disk.
    pub under_disk: bool,
}

impl Next<'_> {
    /// Begins it, with a seed or with the next number. What is said about the saved game goes to `out`.
    ///
    /// # Errors
    /// The file cannot be read or is no game that another goes on from; the rules do not take what it keeps.
    pub fn begin(
        self,
        context: &Context,
        seed: Option<u64>,
        out: &mut Printout,
    ) -> Result<(Playthrough, Library), Failure> {
        let opened = SavedGame::open(self.from, &context.library, self.under_disk, context.work.clone());
        let opened = opened.map_err(Failure::wrong)?;
        opened.told.iter().for_each(|line| out.line(&told(line)));
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
            Failure::wrong(errors.help(format!("`{}` is the game to continue from", shown(self.from))))
        })?;
        Ok((game, library))
    }
}

/// A path as it may be shown.
fn shown(path: &Path) -> String {
    visible(&path_name(path)).into_owned()
}
