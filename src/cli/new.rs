//! `houserule new`: the smallest game, variant or scenario that works, to be changed.

use super::{Context, FINE, Failure, Outcome, Printout};
use crate::definition::is_id;
use crate::diagnostic::Diagnostic;
use crate::host::file;
use crate::playthrough::{Playable, Playthrough};
use crate::ruleset::{Ruleset, Selection};
use crate::scenario;
use crate::script::layering::FunctionInfo;
use clap::Args;
use std::sync::Arc;

/// Start a game, a variant or a scenario: write the smallest one that works
#[derive(Debug, Args)]
pub(super) struct New {
    /// Id of the new game, or of the game that the variant or scenario is for
    game: String,

    /// Write a variant of the game with this id
    #[arg(short, long, value_name = "ID", conflicts_with = "scenario")]
    variant: Option<String>,

    /// Write a scenario (a test of the rules) with this name
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
}

impl New {
    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let (game, folder) = (&self.game, &context.folder);
        let (files, next) = match (&self.variant, &self.scenario) {
            (Some(variant), _) => {
                let loaded = load(context, game)?;
                let path = folder.join("variants").join(game).join(checked(variant)?).with_extension("toml");
                let next = [
                    format!("houserule check {game} -v {variant}"),
                    format!("houserule play {game} -v {variant} --watch"),
                ];
                (vec![(path, new_variant(game, variant, loaded.rules.functions()))], next)
            }
            (None, Some(name)) => {
                let loaded = load(context, game)?;
                let path = folder.join(scenario::FOLDER).join(game).join(checked(name)?).with_extension("toml");
                let next = [format!("houserule test {}", path.display()), format!("houserule play {game} --watch")];
                (vec![(path, new_scenario(game, name, loaded)?)], next)
            }
            (None, None) => {
                let is_there = context.library.games().into_iter().find(|entry| entry.id == *game);
                if let Some(there) = is_there {
                    let error = Diagnostic::new(format!("there is a game `{game}` already: {}", there.origin));
                    let help =
                        format!("take another id, or begin a variant of it: `houserule new {game} --variant ID`");
                    return Err(Failure::wrong(error.help(help)));
                }
                let of = folder.join("games").join(checked(game)?);
                let definition = GAME_TOML.replace("ID", game).replace("TITLE", &title(game));
                let files = vec![(of.join("game.toml"), definition), (of.join("rules.rhai"), RULES.to_owned())];
                (files, [format!("houserule check {game}"), format!("houserule play {game} --watch")])
            }
        };
        if let Some((path, _)) = files.iter().find(|(path, _)| path.exists()) {
            let error = Diagnostic::new(format!("`{}` is there already", path.display()));
            return Err(Failure::wrong(error.help("nothing was written; take another id, or edit that file")));
        }
        for (number, (path, content)) in files.iter().enumerate() {
            if let Err(error) = file::write_new(path, content) {
                // Half a game would stand in the way of the next try.
                files[..number].iter().for_each(|(path, _)| drop(std::fs::remove_file(path)));
                return Err(Failure::wrong(error));
            }
        }
        for (path, _) in &files {
            out.line(&format!("wrote {}", path.display()));
        }
        let [check, play] = next.map(|command| command + context.to_same_folder.as_str());
        out.line(&format!("now: `{check}`, `{play}`"));
        Ok(FINE)
    }
}

/// An id that files and folders may be called by.
fn checked(id: &str) -> Result<&str, Failure> {
    if is_id(id) {
        return Ok(id);
    }
    let error = Diagnostic::new(format!("`{id}` cannot be an id"));
    Err(Failure::wrong(error.help("ids are made of small letters and digits with single `-` between: `high-card`")))
}

/// The rules of a game that is there.
fn load(context: &Context, game: &str) -> Result<Playable, Failure> {
    let selection = Selection { game: game.to_owned(), ..Selection::default() };
    let ruleset = Ruleset::load(&context.library, &selection).map_err(Failure::wrong)?;
    let players = ruleset.definition.players.0;
    Playable::compile(Arc::new(ruleset), players, context.work.clone()).map_err(Failure::wrong)
}

/// `high-card` as a name that people read: `High card`.
fn title(id: &str) -> String {
    let words = id.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A variant that changes nothing, with everything that it could change.
fn new_variant(game: &str, id: &str, functions: &[FunctionInfo]) -> String {
    let mut heads: Vec<String> = Vec::new();
    for function in functions.iter().filter(|function| !function.is_private && function.name != "game") {
        let parameters = function.parameters.join(", ");
        let head = format!("// fn {}({parameters}) {{ super({parameters}) }}\n", function.name);
        if !heads.contains(&head) {
            heads.push(head);
        }
    }
    let text = VARIANT.replace("TITLE", &title(id)).replace("GAME", game).replace("ID", id);
    text.replace("HEADS", &heads.concat())
}

/// A scenario that tells whom the game asks first.
fn new_scenario(game: &str, id: &str, loaded: Playable) -> Result<String, Failure> {
    let players = loaded.ruleset.definition.players.0;
    let (begun, _) = Playthrough::start(loaded, players, 1, Vec::new()).map_err(Failure::no)?;
    let then = match &begun.position().open {
        Some(open) => {
            let asked = open.seat.map_or_else(|| open.prompt.to_string(), |seat| format!("{seat} {}", open.prompt));
            format!("asks = \"{asked}\"")
        }
        None => "over = true".to_owned(),
    };
    let text = SCENARIO.replace("PLAYERS", &players.to_string()).replace("TITLE", &title(id));
    Ok(text.replace("GAME", game).replace("ID", id).replace("THEN", &then))
}

const GAME_TOML: &str = r#"# What lies on the table, and the words. The rules are in rules.rhai.
id       = "ID"
name     = "TITLE"
about    = "Whoever plays the higher cards wins."
players  = { min = 2, max = 4 }

[data]
hand_size = 3

[components.card]
kind       = "card"
id         = "{number}"
face       = "{number}"
attributes = { number = { from = 1, to = 20 } }

# `per = "seat"`: each player has one. `visible` says who sees what lies there.
[zones]
deck = { name = "deck", order = "pile", visible = "none" }
pile = { name = "pile", order = "pile", visible = "all" }
hand = { name = "hand", order = "hand", visible = "owner", per = "seat" }

# What people read: prompts, reasons for points.
[text]
play_card   = "play a card"
card_played = "card played"
"#;

const RULES: &str = r#"/// The whole game, from the deal to the last turn: where this ends, the game is over.
fn game() {
    components("card").move_to(deck);
    deck.shuffle();
    for p in players { deck.deal(data.hand_size, p.hand); }
    for turns in 0..data.hand_size {
        for p in players { turn(p); }
    }
}

/// A player plays a card, which counts its number.
fn turn(p) {
    begin_turn(p);
    let card = p.choose("play_card", p.hand);
    card.move_to(pile);
    p.award(card.number, "card_played");
}
"#;

const VARIANT: &str = r#"id    = "ID"
game  = "GAME"
name  = "TITLE"
about = "One line that says what is different."

# A function here takes the place of the one with the same name and as many parameters; `super(…)` calls that one.
# These are there. Take the `//` away from one, and change it.
[script]
rhai = '''
HEADS'''
"#;

const SCENARIO: &str = r#"# A test of the rules: given a table, when the rules are called, then this is so. docs/files.md has every key.
id      = "ID"
title   = "TITLE"
game    = "GAME"
players = PLAYERS

[[then]]
THEN
"#;
