//! The command `houserule help`: help on commands, and on topics that need no game.

use super::{CommandLine, Context, EXIT_SUCCESS, Failure, Outcome, Printout, usage};
use crate::catalogue::message;
use crate::diagnostic::Diagnostic;
use crate::host::terminal::{Terminal, columns, output_columns};
use crate::session::analysis::topics::of_library;
use crate::session::commands::{in_every_game, names_in_every_game, recipe_meant};
use clap::{Args, CommandFactory};

/// Widest lines that are easy to read.
const MAX_LINE_WIDTH: usize = 100;

/// Explain a command, a word of rules, a library or a recipe: `help sim`, `help choose`, `help auction`
#[derive(Debug, Args)]
pub(super) struct Help {
    /// A command, a word of the vocabulary, a library, a recipe, `cookbook` for all recipes, or `rhai` for the language of
    /// rules
    #[arg(value_name = "COMMAND|NAME")]
    name: Vec<String>,
}

impl Help {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let mut program = CommandLine::command();
        program.build();
        let name = self.name.join(" ");
        let library = &context.library;
        let width = output_columns().unwrap_or_else(columns).min(MAX_LINE_WIDTH);
        let command = match &self.name[..] {
            [] => Some(&mut program),
            _ => program.find_subcommand_mut(&name),
        };
        if let Some(command) = command {
            let Context { terminal: Terminal { color, .. }, .. } = context;
            out.text(&usage::help(command, *color));
            // A library may have the name of a command.
            if let Some(lines) = of_library(&name, library, width) {
                out.line("");
                out.show(lines);
            }
            return Ok(EXIT_SUCCESS);
        }
        if let Some(lines) = in_every_game(&name, library, width) {
            out.show(lines);
            return Ok(EXIT_SUCCESS);
        }
        if library.library_ids().contains(&name) {
            // The library exists but cannot be read.
            library.rule_library(&name, None).map_err(Failure::wrong)?;
        }
        let commands = program.get_subcommands().map(|command| command.get_name().to_owned());
        let known: Vec<String> = commands.chain(names_in_every_game(library)).collect();
        let error = Diagnostic::new(message!("there is no help on `{name}`"));
        let otherwise = "`houserule help` lists the commands, `houserule help cookbook` the recipes, and \
                         `houserule list` the libraries";
        let otherwise = recipe_meant(&name).unwrap_or_else(|| otherwise.into());
        Err(Failure::wrong(error.near_or(&name, known.iter().map(String::as_str), otherwise)))
    }
}
