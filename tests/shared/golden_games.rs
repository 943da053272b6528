//! The games whose diaries are pinned.

use houserule::ruleset::Selection;

/// One diary: the game, the number of players, the seed, and the variants.
pub struct Golden {
    /// Its file; it begins with the game's id and a dot.
    pub file: &'static str,
    pub game: &'static str,
    pub players: usize,
    pub seed: u64,
    pub variants: &'static [&'static str],
}

pub const GOLDEN: [Golden; 29] = [
    Golden { file: "spades.4-players.txt", game: "spades", players: 4, seed: 1, variants: &[] },
    Golden { file: "checkers.2-players.txt", game: "checkers", players: 2, seed: 1, variants: &[] },
    Golden { file: "connect-four.2-players.txt", game: "connect-four", players: 2, seed: 1, variants: &[] },
    Golden { file: "up-or-down.2-players.txt", game: "up-or-down", players: 2, seed: 1, variants: &[] },
    Golden {
        file: "up-or-down.3-players.greenhorn.rainbow.txt",
        game: "up-or-down",
        players: 3,
        seed: 2,
        variants: &["greenhorn", "rainbow"],
    },
    Golden {
        file: "up-or-down.4-players.short-game.remove-one.txt",
        game: "up-or-down",
        players: 4,
        seed: 3,
        variants: &["short-game", "remove-one"],
    },
    Golden {
        file: "up-or-down.6-players.many-variants.txt",
        game: "up-or-down",
        players: 6,
        seed: 4,
        variants: &["rainbow", "pure-color", "greenhorn-pro", "special-color-pro", "take-any", "remove-one"],
    },
    Golden { file: "ftw.3-players.txt", game: "ftw", players: 3, seed: 1, variants: &[] },
    Golden {
        file: "ftw.2-players.many-variants.txt",
        game: "ftw",
        players: 2,
        seed: 2,
        variants: &["full-deck", "help-cap", "no-floor", "pass-dir", "strict-boost", "two-call"],
    },
    Golden { file: "enemy-anemone.4-players.txt", game: "enemy-anemone", players: 4, seed: 1, variants: &[] },
    Golden { file: "enemy-anemone.2-players.txt", game: "enemy-anemone", players: 2, seed: 2, variants: &[] },
    Golden {
        file: "enemy-anemone.6-players.late-bonus.txt",
        game: "enemy-anemone",
        players: 6,
        seed: 5016,
        variants: &["late-bonus"],
    },
    Golden { file: "overflow.4-players.txt", game: "overflow", players: 4, seed: 1, variants: &[] },
    Golden { file: "playme.2-players.txt", game: "playme", players: 2, seed: 1, variants: &[] },
    Golden {
        file: "playme.2-players.mad-jabberwock.txt",
        game: "playme",
        players: 2,
        seed: 2,
        variants: &["mad-jabberwock"],
    },
    Golden {
        file: "hearts.4-players.many-variants.txt",
        game: "hearts",
        players: 4,
        seed: 1,
        variants: &["black-lady", "breaking-hearts", "pass-three", "shoot-the-moon"],
    },
    Golden { file: "pig.2-players.txt", game: "pig", players: 2, seed: 1, variants: &[] },
    Golden { file: "goofspiel.3-players.txt", game: "goofspiel", players: 3, seed: 1, variants: &[] },
    Golden { file: "kuhn-poker.3-players.txt", game: "kuhn-poker", players: 3, seed: 1, variants: &[] },
    Golden { file: "leduc-poker.2-players.txt", game: "leduc-poker", players: 2, seed: 1, variants: &[] },
    Golden {
        file: "crazy-eights.4-players.action-cards.txt",
        game: "crazy-eights",
        players: 4,
        seed: 1,
        variants: &["action-cards", "draw-limit", "reshuffle"],
    },
    Golden { file: "go-fish.3-players.txt", game: "go-fish", players: 3, seed: 1, variants: &[] },
    Golden { file: "kalah.2-players.txt", game: "kalah", players: 2, seed: 1, variants: &[] },
    Golden { file: "oh-hell.4-players.txt", game: "oh-hell", players: 4, seed: 1, variants: &[] },
    Golden {
        file: "hearts.4-players.as-printed.txt",
        game: "hearts",
        players: 4,
        seed: 2,
        variants: &["black-lady", "breaking-hearts", "first-trick", "pass-three", "shoot-the-moon", "two-of-clubs"],
    },
    Golden {
        file: "wreck-divers.3-players.collectors.txt",
        game: "wreck-divers",
        players: 3,
        seed: 9,
        variants: &["bandages", "collectors"],
    },
    Golden { file: "gin-rummy.2-players.txt", game: "gin-rummy", players: 2, seed: 3, variants: &[] },
    Golden {
        file: "gin-rummy.2-players.many-variants.txt",
        game: "gin-rummy",
        players: 2,
        seed: 151,
        variants: &["big-gin", "last-upcard", "oklahoma", "put-back", "round-the-corner"],
    },
    Golden { file: "liars-dice.3-players.txt", game: "liars-dice", players: 3, seed: 1, variants: &[] },
];

impl Golden {
    /// Its rules.
    pub fn selection(&self) -> Selection {
        let variants = self.variants.iter().map(|&variant| variant.to_owned()).collect();
        Selection { game: self.game.to_owned(), variants, set: Vec::new() }
    }
}
