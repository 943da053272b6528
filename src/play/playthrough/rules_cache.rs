//! A cache of rules for many runs: each selection is read once, and compiled once for each number of players.

use crate::definition::Library;
use crate::diagnostic::Diagnostics;
use crate::playthrough::Playable;
use crate::ruleset::{Ruleset, Selection};
use crate::sorted::SortedMap;
use crate::work::Work;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Rulesets read and compiled so far, from one library. Threads share the cache; one that needs what another is
/// compiling waits for it.
#[derive(Default)]
pub struct RulesCache {
    rulesets: MemoMap<Key, Result<Arc<Ruleset>, Diagnostics>>,
    loaded: MemoMap<(Key, usize), Result<Playable, Diagnostics>>,
}

/// Game, variants, settings.
type Key = (String, Vec<String>, Vec<String>);

/// A thread-safe map that computes the value of each key once.
pub struct MemoMap<K, V>(Mutex<SortedMap<K, Arc<OnceLock<V>>>>);

impl<K, V> Default for MemoMap<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Ord, V: Clone> MemoMap<K, V> {
    /// The value of a key.
    pub fn get(&self, key: K, find: impl FnOnce() -> V) -> V {
        let place = self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone();
        // Computed outside the lock, so that others can look up other keys meanwhile.
        place.get_or_init(find).clone()
    }

    /// Removes all values if there are more than `most`, and returns them in the order of their keys.
    pub fn take_beyond(&self, most: usize) -> Option<Vec<V>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let values = |place: Arc<OnceLock<V>>| place.get().cloned();
        (known.len() > most).then(|| std::mem::take(&mut *known).into_values().filter_map(values).collect())
    }
}

impl RulesCache {
    /// The rules of a selection, as [`Ruleset::load`] gives them.
    ///
    /// # Errors
    /// As [`Ruleset::load`].
    pub fn ruleset(&self, library: &Library, selection: &Selection) -> Result<Arc<Ruleset>, Diagnostics> {
        self.rulesets.get(key(selection), || Ruleset::load(library, selection).map(Arc::new))
    }

    /// The rules of a selection, compiled for a number of players with [`Playable::compile`].
    ///
    /// # Errors
    /// As [`Playable::compile`] and [`Self::ruleset`].
    pub fn loaded(
        &self,
        library: &Library,
        selection: &Selection,
        players: usize,
        work: &Arc<Work>,
    ) -> Result<Playable, Diagnostics> {
        let ruleset = self.ruleset(library, selection)?;
        self.loaded.get((key(selection), players), || Playable::compile(ruleset, players, work.clone()))
    }
}

fn key(selection: &Selection) -> Key {
    let Selection { game, variants, set } = selection.clone();
    (game, variants, set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::shipped;

    #[test]
    fn what_is_asked_for_twice_is_compiled_once() {
        let library = shipped();
        let is_for_both = |game: &&crate::definition::LayerEntry| {
            let ruleset = crate::ruleset::Ruleset::load(&library, &Selection::of(&game.id));
            ruleset.is_ok_and(|ruleset| ruleset.check_players(2).is_ok() && ruleset.check_players(3).is_ok())
        };
        let games = library.games();
        let game = games.iter().find(is_for_both).map(|game| game.id.clone()).unwrap_or_default();
        let (shelf, selection, work) =
            (RulesCache::default(), Selection { game, ..Selection::default() }, Arc::default());
        let rules = |selection: &Selection, players| {
            shelf.loaded(&library, selection, players, &work).map(|loaded| Arc::as_ptr(&loaded.rules)).ok()
        };
        let other = Selection::of("no-such-game");
        assert!(rules(&selection, 3).is_some());
        assert_eq!(rules(&selection, 3), rules(&selection, 3));
        assert_ne!(rules(&selection, 3), rules(&selection, 2), "for other numbers of players they are others");
        assert_eq!(rules(&other, 3), None);
    }
}
