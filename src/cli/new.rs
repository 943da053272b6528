//! The command `houserule new`: minimal working games, variants and scenarios to start from, and settings for editors.

use super::{Context, EXIT_SUCCESS, Failure, Outcome, Printout};
use crate::catalogue::{message, say};
use crate::definition::{Layer, RULEBOOK_FILE, is_id};
use crate::diagnostic::Diagnostic;
use crate::files::path_name;
use crate::host::file;
use crate::playthrough::{Playable, Playthrough};
use crate::ruleset::{Selection, shell_quoted};
use crate::scenario;
use crate::screen::rulebook;
use crate::script::functions::FunctionInfo;
use clap::{Args, Subcommand, ValueEnum};

/// Start a game, a variant, a scenario, a library or a rulebook: write a small one that works
#[derive(Debug, Args)]
pub(super) struct New {
    #[command(subcommand)]
    what: What,

    /// Also write what this editor needs to know of the folder, where that is not there yet
    #[arg(long, global = true, value_enum)]
    editor: Option<Editor>,
}

/// An editor that can be told of a folder with rules.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Editor {
    /// Visual Studio Code: .vscode/settings.json and .vscode/launch.json
    Vscode,
    /// Neovim with `set exrc`: .nvim.lua
    Neovim,
    /// Helix: .helix/languages.toml
    Helix,
}

impl Editor {
    /// The editor's settings files in a folder.
    fn files(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Vscode => &[
                (".vscode/settings.json", include_str!("../../editors/vscode/workspace/settings.json")),
                (".vscode/launch.json", include_str!("../../editors/vscode/workspace/launch.json")),
            ],
            Self::Neovim => &[(".nvim.lua", include_str!("../../editors/neovim/houserule.lua"))],
            Self::Helix => &[(".helix/languages.toml", include_str!("../../editors/helix/languages.toml"))],
        }
    }
}

#[derive(Debug, Subcommand)]
enum What {
    /// Start a game, with a scenario that tests it
    Game {
        /// Its id
        id: String,

        /// What kind of game
        #[arg(short, long, value_enum, default_value_t = Kind::Cards)]
        kind: Kind,
    },
    /// Start a variant of a game
    Variant {
        /// The game
        game: String,

        /// Id of the variant
        id: String,
    },
    /// Start a scenario, a test of the rules of a game
    Scenario {
        /// The game
        game: String,

        /// Id of the scenario
        id: String,

        /// Test the game with this variant; repeat for more
        #[arg(short, long = "variant", value_name = "VARIANT")]
        variants: Vec<String>,
    },
    /// Start the rulebook of a game, with a section for each function that players have to be told
    Rulebook {
        /// The game
        game: String,
    },
    /// Start a library, for what several games have in common
    Library {
        /// Its id
        id: String,
    },
}

/// A kind of game to begin from.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// Everybody plays a card in turn: the smallest game
    Cards,
    /// Tricks: follow suit, and the highest card or trump takes them
    Tricks,
    /// Shedding: match the last card and get rid of yours
    Shedding,
    /// Dice: push your luck
    Dice,
    /// A board: place stones and make a line
    Board,
}

/// The template of a new game.
struct Template {
    definition: &'static str,
    rules: &'static str,
    scenario: &'static str,
}

/// The templates are in `docs/templates/`, with a folder for each kind.
macro_rules! template {
    ($kind:literal) => {
        Template {
            definition: include_str!(concat!("../../docs/templates/", $kind, "/game.toml")),
            rules: include_str!(concat!("../../docs/templates/", $kind, "/rules.rhai")),
            scenario: include_str!(concat!("../../docs/templates/", $kind, "/scenario.toml")),
        }
    };
}

/// The templates of a new library, by file extension.
const LIBRARY: [(&str, &str); 2] = [
    ("toml", include_str!("../../docs/templates/library/library.toml")),
    ("rhai", include_str!("../../docs/templates/library/library.rhai")),
];

impl Kind {
    fn template(self) -> Template {
        match self {
            Self::Cards => template!("cards"),
            Self::Tricks => template!("tricks"),
            Self::Shedding => template!("shedding"),
            Self::Dice => template!("dice"),
            Self::Board => template!("board"),
        }
    }
}

impl New {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let folder = &context.folder;
        let (mut files, next) = match &self.what {
            What::Variant { game, id } => {
                let loaded = load(context, &Selection::of(game))?;
                let path = folder.join("variants").join(game).join(checked(id)?).with_extension("toml");
                // One in another folder, or in the program, would be hidden by it.
                let is_there = context.library.variants(game).into_iter().find(|entry| entry.id == *id);
                if let Some(there) = is_there.filter(|_| !path.exists()) {
                    let error = Diagnostic::new(message!("there is a variant `{id}` already: {}", there.origin));
                    return Err(Failure::wrong(error.help("take another id")));
                }
                let next =
                    [format!("houserule check {game} -v {id}"), format!("houserule play {game} -v {id} --watch")];
                (vec![(path, new_variant(game, id, loaded.rules.functions()))], next)
            }
            What::Scenario { game, id, variants } => {
                let selection = Selection { variants: variants.clone(), ..Selection::of(game) };
                let loaded = load(context, &selection)?;
                let path = scenario::place(folder, game, checked(id)?);
                let next = [
                    format!("houserule test {}", shell_quoted(&path.to_string_lossy())),
                    format!("{} --watch", selection.command("play")),
                ];
                (vec![(path, new_scenario(game, id, loaded)?)], next)
            }
            What::Rulebook { game } => {
                let loaded = load(context, &Selection::of(game))?;
                let of = folder.join("games").join(game);
                if !of.join("game.toml").exists() {
                    let error = Diagnostic::new(message!("the game `{game}` is not in this folder"));
                    return Err(Failure::wrong(error.help("a rulebook lies beside the `game.toml` of its game")));
                }
                let next = [format!("houserule check {game}"), format!("houserule doc {game} --html")];
                (vec![(of.join(RULEBOOK_FILE), rulebook::draft(&loaded))], next)
            }
            What::Library { id } => {
                if context.library.rule_library(checked(id)?, None).is_ok() {
                    let error = Diagnostic::new(message!("there is a library `{id}` already"));
                    return Err(Failure::wrong(error.help("take another id")));
                }
                let file = |ending: &str| folder.join("scripts").join(id).with_extension(ending);
                let files = LIBRARY.map(|(ending, template)| (file(ending), named(template, id)));
                let next = [format!("houserule help {id}"), "houserule list".to_owned()];
                (files.to_vec(), next)
            }
            What::Game { id, kind } => {
                let is_there = context.library.games().into_iter().find(|entry| entry.id == *id);
                if let Some(there) = is_there {
                    let error = Diagnostic::new(message!("there is a game `{id}` already: {}", there.origin));
                    let help = message!("take another id, or begin a variant of it: `houserule new variant {id} ID`");
                    return Err(Failure::wrong(error.help(help)));
                }
                let of = folder.join("games").join(checked(id)?);
                let Template { definition, rules, scenario: first } = kind.template();
                let files = vec![
                    (of.join("game.toml"), named(definition, id)),
                    (of.join("rules.rhai"), named(rules, id)),
                    (scenario::place(folder, id, "first"), named(first, id)),
                ];
                (files, [format!("houserule check {id}"), format!("houserule play {id} --watch")])
            }
        };
        if let Some((path, _)) = files.iter().find(|(path, _)| path.exists()) {
            let error = Diagnostic::new(message!("`{}` is there already", path_name(path)));
            return Err(Failure::wrong(error.help("nothing was written; take another id, or edit that file")));
        }
        let of_editor = self.editor.map_or(&[][..], Editor::files).iter();
        let of_editor = of_editor.map(|(path, text)| (folder.join(path), (*text).to_owned()));
        let (there, missing): (Vec<_>, Vec<_>) = of_editor.partition(|(path, _)| path.exists());
        files.extend(missing);
        file::write_new_together(&files).map_err(Failure::wrong)?;
        for (path, _) in &files {
            out.line(&say!("wrote {}", path_name(path)));
        }
        for (path, _) in &there {
            out.line(&say!("{} is there already, and stays as it is", path_name(path)));
        }
        let [check, play] = next.map(|command| command + context.to_same_folder.as_str());
        out.line(&say!("now: `{check}`, `{play}`"));
        Ok(EXIT_SUCCESS)
    }
}

/// Checks that an id can be used for files and folders.
fn checked(id: &str) -> Result<&str, Failure> {
    if is_id(id) {
        return Ok(id);
    }
    let error = Diagnostic::new(message!("`{id}` cannot be an id"));
    Err(Failure::wrong(
        error.help("ids consist of lower-case letters and digits, with single `-` between them: `high-card`"),
    ))
}

/// Loads the rules of an existing game.
fn load(context: &Context, selection: &Selection) -> Result<Playable, Failure> {
    Playable::for_fewest(&context.library, selection, &context.work).map_err(Failure::wrong)
}

/// A template with its id and name filled in.
fn named(template: &str, id: &str) -> String {
    template.replace("{{id}}", id).replace("{{name}}", &title(id))
}

/// The display name for an id: `high-card` becomes `High card`.
fn title(id: &str) -> String {
    let words = id.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A variant that changes nothing, with a comment on everything that it could change.
fn new_variant(game: &str, id: &str, functions: &[FunctionInfo]) -> String {
    // Of those in several layers, the one that a variant overrides.
    let open =
        functions.iter().filter(|function| function.is_highest && !function.is_private && function.name != "game");
    let heads = open.map(|function| {
        let parameters = function.parameters.join(", ");
        format!("// fn {}({parameters}) {{ super({parameters}) }}\n", function.name)
    });
    let text = VARIANT.replace("TITLE", &title(id)).replace("GAME", game).replace("ID", id);
    text.replace("HEADS", &heads.collect::<String>())
}

/// A scenario that expects the position at the start of the game.
fn new_scenario(game: &str, id: &str, loaded: Playable) -> Result<String, Failure> {
    let players = loaded.ruleset.definition.players.0;
    let names = loaded.ruleset.variants.iter().map(Layer::lookup_name);
    let variants: Vec<String> = names.map(|name| format!("{name:?}")).collect();
    let variants = match variants.is_empty() {
        true => String::new(),
        false => format!("variants = [{}]\n", variants.join(", ")),
    };
    let (begun, _) = Playthrough::start(loaded, players, 1, Vec::new()).map_err(Failure::no)?;
    let then = scenario::state_expectation(begun.position());
    let text = SCENARIO.replace("PLAYERS", &players.to_string()).replace("TITLE", &title(id));
    let text = text.replace("GAME", game).replace("ID", id).replace("VARIANTS\n", &variants);
    Ok(text.replace("THEN\n", &then))
}

const VARIANT: &str = r#"houserule = "0.1"
id    = "ID"
game  = "GAME"
name  = "TITLE"
about = "One line that says what is different."

# A function here overrides the one with the same name and number of parameters; `super(…)` calls that one.
# These are there. Take the `//` away from one, and change it.
[script]
rhai = '''
HEADS'''
"#;

const SCENARIO: &str = r#"# A test of the rules: given a table, when the rules are called, then this is so. `houserule help scenario` has every key.
houserule = "0.1"
id      = "ID"
title   = "TITLE"
game    = "GAME"
players = PLAYERS
VARIANTS

[[then]]
THEN
"#;
