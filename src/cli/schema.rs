//! The command `houserule schema`, for editors.

use super::{EXIT_SUCCESS, Outcome, Printout};
use crate::definition::keys::json_schema::{TomlFile, json_schema};
use clap::{Args, ValueEnum, builder::PossibleValue};

/// Write the JSON Schema of a TOML file, for completion and help in an editor
#[derive(Debug, Args)]
pub(super) struct Schema {
    /// Which kind of file
    file: File,
}

/// A kind of TOML file, as named on the command line.
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
        // The schema has no text from users, so nothing in it need be made visible.
        out.text(&format!("{:#}\n", json_schema(self.file.0)));
        Ok(EXIT_SUCCESS)
    }
}
