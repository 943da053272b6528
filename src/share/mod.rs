//! Packs: rules as one text that a person can read in a mail, with everything that they need.
//!
//! A [`Pack`] is texts with the paths that they would have below a folder of the library, what they rest on, and the
//! game that their author recommends. [`Pack::to_toml`] and [`Pack::parse`] are each other's opposite: equal packs give
//! equal bytes, and every text comes back byte for byte. [`Mounted`] lets a library look into packs as if they were
//! folders, so nothing has to be written to a disk to play them.
//!
//! Packs come from strangers. A path in one is made of a few words that are known here and of names that mean nothing to
//! any system (`paths`); sizes are bounded; a checksum tells whether the text arrived as it was sent; and nothing in one
//! is passed over where it is shown and checked ([`reach`]).

pub mod changes;
pub mod fit;
mod gather;
mod mounted;
mod paths;
pub mod reach;
mod text;
pub mod upgrade;

pub use gather::{Gathered, add_named, anew, contents, folder_of_scenarios, packed_layers, pictures, scenarios};
pub use mounted::Mounted;
pub(crate) use paths::SAVES;
pub(crate) use paths::{bytes_of, is_picture_path};
pub use text::PackFile;

use crate::definition::{Layer, RuleFile};
use crate::diagnostic::{Diagnostic, Diagnostics, MAX_SOURCE_BYTES, Place, Source};
use crate::files::Format;
use crate::ruleset::Selection;
use semver::{Version, VersionReq};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of the format.
pub const FORMAT: i64 = 1;

/// Most bytes of a pack.
pub const MAX_BYTES: u64 = 4 << 20;

/// Most texts in a pack.
const MAX_FILES: usize = 300;

/// Most things that a pack can rest on.
const MAX_REQUIRED: usize = 100;

/// What the name of a pack's file ends with.
pub const ENDING: &str = ".pack.toml";

/// What a pack is in a file.
pub const FILE: Format = Format { name: "a pack", beginning: "# A pack of rules made by houserule " };

/// Rules to share.
#[derive(Clone, Debug, PartialEq)]
pub struct Pack {
    /// `high-card` for a game, `high-card/double` for a variant of it.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The version of its uppermost layer.
    pub version: Option<Version>,
    /// Who made that.
    pub author: Option<String>,
    /// What others may do with it.
    pub licence: Option<String>,
    /// The versions of Houserule that it is for.
    pub houserule: VersionReq,
    /// The game that its author recommends.
    pub play: Recommended,
    /// What it rests on, and does not hold.
    pub rests_on: Vec<Required>,
    /// Its texts, sorted by path.
    pub files: Vec<RuleFile>,
}

/// A game to begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recommended {
    /// Game, variants by their ids, settings.
    pub selection: Selection,
    /// How many play.
    pub players: usize,
    /// The seed of chance.
    pub seed: u64,
}

/// A game, a variant or a library that a pack rests on and does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Required {
    /// Where it lies below a folder of the library: `games/high-card/game.toml`.
    pub path: String,
    /// The versions of it that fit, where it had one.
    pub version: Option<VersionReq>,
    /// The hash of its texts as they were.
    pub hash: String,
    /// The functions of it that the pack overrides, as `name/parameters`, each with a hash of what it was.
    pub functions: BTreeMap<String, String>,
}

impl Pack {
    /// Whether a layer is in the pack.
    pub fn holds(&self, layer: &Layer) -> bool {
        self.holds_path(&layer.path())
    }

    /// Whether a text of this path is in the pack.
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

    /// The file in which it is kept where it is installed: its id, as one name.
    pub fn file_name(&self) -> String {
        format!("{}{ENDING}", self.id.replace('/', "+"))
    }

    /// `high-card/double 1.0.0`.
    pub fn title(&self) -> String {
        self.version.as_ref().map_or_else(|| self.id.clone(), |version| format!("{} {version}", self.id))
    }

    /// Whether this version of the program can use it.
    ///
    /// # Errors
    /// It was made for others.
    pub fn check_houserule(&self) -> Result<(), Diagnostics> {
        let own = Version::parse(env!("CARGO_PKG_VERSION"));
        if own.as_ref().is_ok_and(|own| self.houserule.matches(own)) {
            return Ok(());
        }
        let message =
            format!("this pack is for Houserule {}, and this is {}", self.houserule, env!("CARGO_PKG_VERSION"));
        Err(Diagnostic::new(message)
            .help("ask its author for a pack of another version, or take another Houserule")
            .into())
    }

    /// What the head says of the pack has to be what its rules say: a person reads the head.
    fn check_head(&self, source: &Arc<Source>) -> Result<(), Diagnostics> {
        let variant = self.id.split_once('/').map(|(_, variant)| variant);
        if variant.is_some_and(|variant| !self.play.selection.variants.iter().any(|id| id == variant)) {
            return Err(reach::without_principal(self).into());
        }
        let path = self.principal();
        let Some(file) = self.files.iter().find(|file| file.path == path) else {
            // A pack of saved games alone is named after rules that it rests on.
            if self.layers().next().is_none() && self.rests_on.iter().any(|required| required.path == path) {
                return Ok(());
            }
            let error = Diagnostic::new(format!("the pack is called `{}`, and has no `{path}` in it", self.id));
            return Err(error.help(ASK_AGAIN).into());
        };
        let table: toml::Table = file.text.parse().unwrap_or_default();
        let version = self.version.as_ref().map(Version::to_string);
        let name = Some(self.name.clone());
        let head = [("name", &name), ("version", &version), ("author", &self.author), ("licence", &self.licence)];
        for (key, head) in head {
            let own = said(&table, key);
            if own != *head {
                let shown =
                    |value: &Option<String>| value.as_ref().map_or("nothing".to_owned(), |value| format!("`{value}`"));
                let message =
                    format!("the head of the pack gives the {key} {}, and `{path}` in it {}", shown(head), shown(&own));
                let place = Place::new(source, 0..0, "");
                return Err(Diagnostic::new(message).at(place).help(ASK_AGAIN).into());
            }
        }
        Ok(())
    }
}

/// What a file of rules says of itself under a key; in English, where it says it in several languages.
fn said(file: &toml::Table, key: &str) -> Option<String> {
    let value = file.get(key)?;
    value.as_table().map_or(Some(value), |words| words.get("en"))?.as_str().map(str::to_owned)
}

/// What to do about a pack that does not fit together.
const ASK_AGAIN: &str = "ask its author for a new pack";

/// The hash of texts that belong together.
pub(crate) fn hash_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        // Lengths stand before contents, so that no two lists of texts give the same bytes.
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    format!("blake3:{}", hasher.finalize().to_hex())
}

/// A picture is no longer than this as text, in which bytes take more room.
const MAX_PICTURE_BYTES: usize = 384 << 10;

/// Whether a text is short enough for where it stands.
fn fits(path: &str, text: &str) -> bool {
    let most = if paths::is_picture_path(path) { MAX_PICTURE_BYTES } else { MAX_SOURCE_BYTES };
    text.len() <= most || path.starts_with(SAVES)
}

#[cfg(test)]
#[path = "../../tests/unit/share.rs"]
mod tests;
