//! Packs: rules in a single text that a person can read in a mail, with everything that they need.
//!
//! A [`Pack`] holds texts with their paths below a folder of the library, the layers that they rest on, and a
//! recommended game. [`Pack::to_toml`] and [`Pack::parse`] are inverse: equal packs give equal bytes, and every text
//! comes back byte for byte. [`MountedPacks`] shows packs to a library as if they were folders, so they can be played
//! without writing to disk.
//!
//! Packs come from strangers. Their paths consist of a few known words and of names without a special meaning on any
//! system (`paths`); sizes are limited; a checksum tells whether the text arrived unchanged; and everything in a pack
//! is shown and checked ([`contents`]).

pub mod contents;
pub mod fit;
mod gather;
mod mounted;
mod paths;
mod text;
pub mod upgrade;

pub use gather::{
    PackInput, add_named, contents_summary, folder_of_scenarios, packed_layers, pictures, repack, scenarios,
};
pub use mounted::MountedPacks;
pub(crate) use paths::SAVES;
pub(crate) use paths::{bytes_of, is_picture_path};
pub use text::PackFile;

use crate::catalogue::{Message, message};
use crate::definition::{Layer, RuleFile};
use crate::diagnostic::{Diagnostic, Diagnostics, MAX_SOURCE_BYTES, Place, Source};
use crate::files::FileFormat;
use crate::ruleset::Selection;
use crate::sorted::SortedMap;
use semver::{Version, VersionReq};
use std::sync::Arc;

/// The version of the format.
pub const FORMAT: i64 = 1;

/// Most bytes of a pack.
pub const MAX_BYTES: u64 = 4 << 20;

/// Most texts in a pack.
const MAX_FILES: usize = 300;

/// Most layers that a pack can rest on.
const MAX_REQUIRED: usize = 100;

/// The file name extension of a pack.
pub const ENDING: &str = ".pack.toml";

/// The file format of a pack.
pub const FILE: FileFormat = FileFormat { name: "a pack", beginning: "# A pack of rules made by houserule " };

/// A pack: rules to share, in a single text.
#[derive(Clone, Debug, PartialEq)]
pub struct Pack {
    /// The id: `high-card` for a game, `high-card/double` for a variant of it.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// The version of its uppermost layer, if that has one.
    pub version: Option<Version>,
    /// The author of its uppermost layer.
    pub author: Option<String>,
    /// The licence of its uppermost layer.
    pub licence: Option<String>,
    /// The versions of Houserule that can use it.
    pub houserule: VersionReq,
    /// The game that the author recommends.
    pub play: RecommendedGame,
    /// The layers that it rests on and does not hold.
    pub rests_on: Vec<PackRequirement>,
    /// The texts, sorted by path.
    pub files: Vec<RuleFile>,
}

/// The recommended game of a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecommendedGame {
    /// The game, variants by id, and settings.
    pub selection: Selection,
    /// The number of players.
    pub players: usize,
    /// The random seed.
    pub seed: u64,
}

/// A game, variant or library that a pack rests on and does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct PackRequirement {
    /// The path below a folder of the library: `games/high-card/game.toml`.
    pub path: String,
    /// The versions that fit; `None` where it had no version.
    pub version: Option<VersionReq>,
    /// The hash of its texts when the pack was made.
    pub hash: String,
    /// Its functions that the pack overrides, as `name/parameters`, each with its hash when the pack was made.
    pub functions: SortedMap<String, String>,
}

impl Pack {
    /// Whether a layer is in the pack.
    pub fn holds(&self, layer: &Layer) -> bool {
        self.holds_path(&layer.path())
    }

    /// Whether a text with this path is in the pack.
    pub fn holds_path(&self, path: &str) -> bool {
        self.files.iter().any(|file| file.path == path)
    }

    /// The paths of the games and variants in the pack.
    pub fn layers(&self) -> impl Iterator<Item = &str> {
        let is_layer = |path: &&str| {
            path.ends_with("/game.toml") && path.starts_with("games/")
                || path.ends_with(".toml") && path.starts_with("variants/")
        };
        self.files.iter().map(|file| &*file.path).filter(is_layer)
    }

    /// The path of the layer that the pack is named after.
    pub fn principal(&self) -> String {
        match self.id.split_once('/') {
            Some((game, variant)) => format!("variants/{game}/{variant}.toml"),
            None => format!("games/{}/game.toml", self.id),
        }
    }

    /// The file name of the installed pack: the id as a single name.
    pub fn file_name(&self) -> String {
        format!("{}{ENDING}", self.id.replace('/', "+"))
    }

    /// The id and version: `high-card/double 1.0.0`.
    pub fn title(&self) -> String {
        self.version.as_ref().map_or_else(|| self.id.clone(), |version| format!("{} {version}", self.id))
    }

    /// Checks that this version of the program can use the pack.
    ///
    /// # Errors
    /// The pack needs other versions.
    pub fn check_houserule(&self) -> Result<(), Diagnostics> {
        let own = Version::parse(env!("CARGO_PKG_VERSION"));
        if own.as_ref().is_ok_and(|own| self.houserule.matches(own)) {
            return Ok(());
        }
        let own = env!("CARGO_PKG_VERSION");
        let message = message!("this pack is for Houserule {}, and this is {}", self.houserule, own);
        Err(Diagnostic::new(message)
            .help("ask its author for a pack of another version, or take another Houserule")
            .into())
    }

    /// Checks the head of the pack against its rules, because a person reads only the head.
    fn check_head(&self, source: &Arc<Source>) -> Result<(), Diagnostics> {
        let variant = self.id.split_once('/').map(|(_, variant)| variant);
        if variant.is_some_and(|variant| !self.play.selection.variants.iter().any(|id| id == variant)) {
            return Err(contents::without_principal(self).into());
        }
        let path = self.principal();
        let Some(file) = self.files.iter().find(|file| file.path == path) else {
            // A pack of saved games alone is named after rules that it rests on.
            if self.layers().next().is_none() && self.rests_on.iter().any(|required| required.path == path) {
                return Ok(());
            }
            let error = Diagnostic::new(message!("the pack is called `{}`, and has no `{path}` in it", self.id));
            return Err(error.help(ASK_AGAIN).into());
        };
        let table: toml::Table = file.text.parse().unwrap_or_default();
        let version = self.version.as_ref().map(Version::to_string);
        let name = Some(self.name.clone());
        let head = [("name", &name), ("version", &version), ("author", &self.author), ("licence", &self.licence)];
        for (key, head) in head {
            let own = said(&table, key);
            if own != *head {
                let shown = |value: &Option<String>| {
                    value.as_ref().map_or("nothing".into(), |value| Message::verbatim(format!("`{value}`")))
                };
                let key = Message::from(key);
                let message = message!(
                    "the head of the pack gives the {key} {}, and `{path}` in it {}",
                    shown(head),
                    shown(&own)
                );
                let place = Place::new(source, 0..0, "");
                return Err(Diagnostic::new(message).at(place).help(ASK_AGAIN).into());
            }
        }
        Ok(())
    }
}

/// The text of a key in a definition; in English, where it is translated.
fn said(file: &toml::Table, key: &str) -> Option<String> {
    let value = file.get(key)?;
    value.as_table().map_or(Some(value), |words| words.get("en"))?.as_str().map(str::to_owned)
}

/// The advice for a pack that is inconsistent.
const ASK_AGAIN: &str = "ask its author for a new pack";

/// Most bytes of a picture in its text form.
const MAX_PICTURE_BYTES: usize = 384 << 10;

/// Whether a text is short enough for its path.
fn fits(path: &str, text: &str) -> bool {
    let most = if paths::is_picture_path(path) { MAX_PICTURE_BYTES } else { MAX_SOURCE_BYTES };
    text.len() <= most || path.starts_with(SAVES)
}

#[cfg(test)]
#[path = "../../tests/unit/share.rs"]
mod tests;
