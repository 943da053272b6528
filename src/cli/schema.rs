//! `houserule schema`: for the editor.

use super::{FINE, Outcome, Printout};
use crate::definition::keys::json_schema::{TomlFile, json_schema};
use clap::{Args, ValueEnum, builder::PossibleValue};

/// Write the JSON Schema of a TOML file, for completion and help in an editor
#[derive(Debug, Args)]
pub(super) struct Schema {
    /// Which kind of file
    file: TomlFile,
}

impl ValueEnum for TomlFile {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.about()))
    }
}

impl Schema {
    pub(super) fn run(&self, out: &mut Printout) -> Outcome {
        // No text of it is anybody else's, so there is nothing to make harmless.
        out.text(&format!("{:#}\n", json_schema(self.file)));
        Ok(FINE)
    }
}
