//! The scripts of a game as sources of the client: files on its disk, or texts that it requests.

use crate::catalogue::Message;
use crate::diagnostic::Source;
use crate::playthrough::Playable;
use crate::sorted::SortedSet;
use crate::table::event::ScriptPoint;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A script of the rules in play.
pub(super) struct Script {
    /// The id of the script's layer.
    pub layer: String,
    /// The path that the script's file has on disk, if it is there.
    path: PathBuf,
    /// The layer in words: `variant double`.
    words: Message,
    /// The script's text, as it is played.
    source: Arc<Source>,
}

/// The scripts of the rules in play, in order.
pub(super) struct Sources(Vec<Script>);

/// Why the lines of a client's file are not those of a script.
pub(super) enum SourceMismatch {
    /// The file holds no script of the rules.
    Other,
    /// The file has changed since the game began.
    Changed,
}

impl Sources {
    /// The scripts of these rules.
    pub fn of(loaded: &Playable) -> Self {
        let script = |script: &crate::ruleset::ScriptLayer| {
            let source = &script.script.source;
            let path = std::path::absolute(&source.name).unwrap_or_else(|_| PathBuf::from(&source.name));
            let at = ScriptPoint { line: u16::try_from(script.lines_before + 1).unwrap_or(u16::MAX), column: 1 };
            let words = loaded.ruleset.layer_in_words(at).unwrap_or_default();
            Script { layer: script.id.clone(), path, words, source: source.clone() }
        };
        Self(loaded.ruleset.scripts.iter().map(script).collect())
    }

    /// A script as a source of the protocol, by its index.
    pub fn in_json(&self, number: usize) -> Value {
        let Some(script) = self.0.get(number) else { return Value::Null };
        let name = script.path.file_name().map(|name| name.to_string_lossy().into_owned());
        let origin = script.words.told();
        if script.is_on_disk() {
            return json!({ "name": name, "path": script.path, "origin": origin });
        }
        // The client takes a path for one on its disk, so only the name tells where the text comes from.
        json!({ "name": format!("{} ({origin})", name.unwrap_or_default()), "sourceReference": number + 1, "origin": origin })
    }

    /// The text of a script, by its source reference.
    pub fn text(&self, reference: i64) -> Option<String> {
        let source = &self.0.get(numbered(reference)?)?.source;
        // Blank lines in front keep the line numbers of the file.
        Some("\n".repeat(source.lines_before) + source.text.as_str())
    }

    /// The ids of the layers whose scripts are in the client's source.
    ///
    /// # Errors
    /// The reason, where there is no such layer.
    pub fn layers(&self, source: &Value) -> Result<Vec<&str>, SourceMismatch> {
        if let Some(number) = source.get("sourceReference").and_then(Value::as_i64).and_then(numbered) {
            return self.0.get(number).map(|script| vec![&*script.layer]).ok_or(SourceMismatch::Other);
        }
        let wanted = source.get("path").and_then(Value::as_str).map(real).ok_or(SourceMismatch::Other)?;
        let found: Vec<&Script> = self.0.iter().filter(|script| real(&script.path) == wanted).collect();
        match found.iter().any(|script| !script.is_on_disk()) {
            true => Err(SourceMismatch::Changed),
            false if found.is_empty() => Err(SourceMismatch::Other),
            false => Ok(found.iter().map(|script| &*script.layer).collect()),
        }
    }

    /// The names of all script files, each once.
    pub fn names(&self) -> SortedSet<String> {
        self.0.iter().filter_map(|script| Some(script.path.file_name()?.to_string_lossy().into_owned())).collect()
    }
}

fn numbered(reference: i64) -> Option<usize> {
    usize::try_from(reference).ok()?.checked_sub(1)
}

/// The canonical path, with links resolved; `path` itself where it does not exist.
fn real(path: impl AsRef<Path>) -> PathBuf {
    fs::canonicalize(&path).unwrap_or_else(|_| path.as_ref().to_owned())
}

impl Script {
    /// Whether the file on disk has the text that is played, at the same lines.
    fn is_on_disk(&self) -> bool {
        let Ok(bytes) = fs::read(&self.path) else { return false };
        let text = String::from_utf8_lossy(&bytes);
        let text = Source::clean(&text);
        match self.source.lines_before {
            0 => *text == self.source.text,
            before => {
                let own = text.split_inclusive('\n').skip(before).collect::<String>();
                own.starts_with(self.source.text.trim_end())
            }
        }
    }
}
