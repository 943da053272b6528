//! Opening of saved games.

use crate::definition::Library;
use crate::diagnostic::{Diagnostics, Message, message, visible};
use crate::files::path_name;
use crate::playthrough::playtest::PlaytestRecord;
use crate::playthrough::replay::{Replay, ReplayFile};
use crate::playthrough::timeline::Timeline;
use crate::playthrough::{Misfit, Playable, Playthrough};
use crate::work::Work;
use std::path::Path;
use std::sync::Arc;

/// A saved game that was opened: played as far as its log fits the rules.
pub struct SavedGame {
    /// The game in play.
    pub playthrough: Playthrough,
    /// The library that its rules come from; rules stored in the file come first.
    pub library: Library,
    /// Messages for the person who opened it, one sentence each.
    pub told: Vec<Message>,
}

impl SavedGame {
    /// Opens a saved game, under the rules in it or, if `under_disk`, under those of the same names on disk.
    ///
    /// # Errors
    /// The file cannot be read, its rules cannot be used, or the run was stopped.
    pub fn open(path: &Path, library: &Library, under_disk: bool, work: Arc<Work>) -> Result<Self, Diagnostics> {
        let read = Replay::read(library.files(), path)?;
        let timeline = Timeline::new(read.replay.log.clone());
        let hint = message!("`load {} under disk` uses those", path_name(path));
        Self::along(&read, timeline, path, library, (under_disk, &hint), work)
    }

    /// As [`open`](Self::open), for a replay that was read, at the point where a timeline stands; `hint` tells how to
    /// use the rules on disk.
    ///
    /// # Errors
    /// The game's rules cannot be used, or the run was stopped.
    pub fn along(
        read: &ReplayFile,
        timeline: Timeline,
        path: &Path,
        library: &Library,
        (under_disk, hint): (bool, &Message),
        work: Arc<Work>,
    ) -> Result<Self, Diagnostics> {
        let mut told: Vec<Message> = read.warnings.iter().map(|warning| warning.message.clone()).collect();
        let rules = if under_disk { read.rules_on_disk(library, path) } else { read.rules(library, path) };
        let (ruleset, found_in) = rules?;
        read.check_rules(&ruleset)?;
        if ruleset.hash != read.replay.ruleset {
            told.push("this game was saved under other rules".into());
            let left_out = if under_disk { Vec::new() } else { read.left_out(&ruleset) };
            if !left_out.is_empty() {
                let (names, game) = (left_out.join(", "), &ruleset.game.id);
                told.push(message!(
                    "these come with the program, and the one that saved the game has others: {names}; `houserule unpack \
                     {game}` writes its rules as files there, and with those in your folder the game is as it was"
                ));
            }
        }
        let on_disk = if under_disk { None } else { read.other_on_disk(&ruleset, library, path) };
        if let Some(difference) = on_disk {
            told.push(message!("the rules in the file are used; {difference} ({hint})"));
        }
        let (players, seed, entries) = (read.replay.players, read.replay.seed, timeline.cursor());
        let loaded = Playable::compile(Arc::new(ruleset), players, work)?;
        let (mut playthrough, misfit) = Playthrough::along(loaded, players, seed, timeline)?;
        let left_out: Vec<usize> = playthrough.left_out().iter().map(|(number, _)| *number).collect();
        let recorded = read.replay.playtest.clone().without(&left_out);
        playthrough.playtest = PlaytestRecord::of(recorded, playthrough.timeline().log());
        let line_of = |number: usize| {
            read.entry(number).map(|place| message!(" (line {})", place.position().0)).unwrap_or_default()
        };
        for (number, entry) in playthrough.left_out() {
            let line = line_of(*number);
            told.push(message!("move {number}{line}, {entry}, is left out: the rules do not ask for it"));
        }
        if let Some(Misfit { number, entry, reason, .. }) = misfit {
            let kept = playthrough.timeline().cursor();
            let line = line_of(number);
            told.push(message!(
                "{kept} of {entries} moves still fit; move {number}{line}, {entry}, does not: {reason}"
            ));
        }
        Ok(Self { playthrough, library: found_in, told })
    }

    /// What the person who opened it is told, in their language, with nothing in it that a terminal would obey.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        self.told.iter().map(|line| visible(&line.told()).into_owned())
    }
}
