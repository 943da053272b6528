//! `houserule schema`: for the editor.

use super::{FINE, Outcome, Printout};
use crate::definition::keys::json_schema::{TomlFile, json_schema};
use clap::{Args, ValueEnum, builder::PossibleValue};

/// Write the JSON Schema of a TOML file, for completion and help in an editor
#[derive(Debug, Args)]
pub(super) struct Schema {
    /// Which kind of file
    file: File,
}

/// A kind of file, as it is named on the command line.
#[derive(Clone, Copy, Debug)]
struct File(TomlFile);

impl ValueEnum for File {
    fn value_variants<'a>() -> &'a [Self] {
        const FILES: [File; TomlFile::ALL.len()] = {
            let mut files = [File(TomlFile::ALL[0]); TomlFile::ALL.len()];
            let mut number = 0;
            while number < files.len() {
                files[number] = File(TomlFile::ALL[number]);
                number += 1;
            }
            files
        };
        &FILES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.about()))
    }
}

impl Schema {
    pub(super) fn run(&self, out: &mut Printout) -> Outcome {
        // No text of it is anybody else's, so there is nothing to make harmless.
        out.text(&format!("{:#}\n", json_schema(self.file.0)));
        Ok(FINE)
    }
}
