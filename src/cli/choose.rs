//! Choosing a game at a terminal, where the command line names none.

use super::{Context, Failure, Printout, hanging};
use crate::catalogue::{Message, message, say};
use crate::definition::Language;
use crate::diagnostic::{Diagnostic, in_half_width, visible};
use crate::ruleset::{Ruleset, Selection};
use crate::screen::style;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{IsTerminal as _, stdin, stdout};

/// A game in the list.
struct Entry {
    id: String,
    name: String,
    players: String,
    about: String,
    /// The id, and the name and description in all languages, in lower case, for the search.
    searched: String,
}

/// Asks which game to play, with a list that gets shorter as the person types. `None` if the person declines.
///
/// # Errors
/// Input or output is no terminal, or there is no game.
pub(super) fn choose_game(context: &Context) -> Result<Option<String>, Failure> {
    if !stdin().is_terminal() || !stdout().is_terminal() {
        let error = Diagnostic::new("no game is named");
        return Err(Failure::wrong(
            error.help("write `houserule play GAME`").help("`houserule list` shows the games and their variants"),
        ));
    }
    let entries = entries(context);
    if entries.is_empty() {
        return Err(Failure::wrong(Diagnostic::new("no games found; `--dir FOLDER` says where they are")));
    }
    let unusable = |error: ReadlineError| Failure::wrong(Diagnostic::new(Message::verbatim(error.to_string())));
    let mut editor = DefaultEditor::new().map_err(unusable)?;
    let mut shown: Vec<&Entry> = entries.iter().collect();
    show(&shown, context);
    loop {
        let typed = match editor.readline(&say!("which game? its number, or a word of it › ")) {
            Ok(typed) => typed,
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => return Ok(None),
            Err(error) => return Err(unusable(error)),
        };
        match chosen(&entries, &shown, &typed) {
            InputMeaning::One(entry) => return Ok(Some(entry.id.clone())),
            InputMeaning::Several(found) => shown = found,
            InputMeaning::None => {
                let error = Diagnostic::new(message!("no game has `{}` in it", visible(typed.trim())));
                context.terminal.tell([&error.help("Enter shows all games again, Ctrl-D leaves")]);
                continue;
            }
        }
        show(&shown, context);
    }
}

enum InputMeaning<'a> {
    One(&'a Entry),
    Several(Vec<&'a Entry>),
    None,
}

/// Interprets the input: a number in the shown list, an id, or words to search all games for.
fn chosen<'a>(entries: &'a [Entry], shown: &[&'a Entry], typed: &str) -> InputMeaning<'a> {
    let typed = typed.trim().to_lowercase();
    let typed = in_half_width(&typed).unwrap_or(typed);
    let by_number = typed.parse::<usize>().ok().and_then(|number| shown.get(number.checked_sub(1)?).copied());
    if let Some(entry) = by_number.or_else(|| entries.iter().find(|entry| entry.id == typed)) {
        return InputMeaning::One(entry);
    }
    let found = entries.iter().filter(|entry| typed.split_whitespace().all(|word| entry.searched.contains(word)));
    match found.collect::<Vec<_>>().as_slice() {
        [] => InputMeaning::None,
        [one] => InputMeaning::One(one),
        several => InputMeaning::Several(several.to_vec()),
    }
}

/// All games that load, sorted by id.
fn entries(context: &Context) -> Vec<Entry> {
    let games = context.library.games().into_iter();
    let entry = |id: String| {
        let ruleset = Ruleset::load(&context.library, &Selection::of(&id)).ok()?;
        let (least, most) = ruleset.definition.players;
        let players = if least == most { least.to_string() } else { format!("{least}–{most}") };
        let (name, about) = (&ruleset.game.name, &ruleset.game.about);
        let texts = Language::ALL.map(|language| [name.get(language), about.get(language)]);
        let searched = texts.concat().join(" ").to_lowercase();
        let searched = in_half_width(&searched).unwrap_or(searched);
        let own = |text: &str| visible(text).into_owned();
        let (name, about) = (own(name.get(context.language)), own(about.get(context.language)));
        Some(Entry { searched: format!("{id} {searched}"), id, name, players, about })
    };
    games.filter_map(|game| entry(game.id)).collect()
}

fn show(entries: &[&Entry], context: &Context) {
    let widest =
        |text: &dyn Fn(&Entry) -> String| entries.iter().map(|one| style::width(&text(one))).max().unwrap_or(0);
    let (names, players) = (widest(&|one| one.name.clone()), widest(&|one| one.players.clone()));
    let padded = |text: &str, width: usize| format!("{text}{}", " ".repeat(width.saturating_sub(style::width(text))));
    let mut out = Printout::default();
    for (number, entry) in entries.iter().enumerate() {
        let (name, players) = (padded(&entry.name, names), padded(&entry.players, players));
        out.line(&hanging(&format!("{:>3}  {name}  {players}  ", number + 1), &entry.about));
    }
    out.write(&context.terminal);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_an_id_or_words_choose_a_game() {
        let entry = |id: &str, about: &str| Entry {
            id: id.to_owned(),
            name: id.to_owned(),
            players: "2".to_owned(),
            about: about.to_owned(),
            searched: format!("{id} {about}").to_lowercase(),
        };
        let entries = [entry("draw", "Dice on a board"), entry("stack", "Dice in a row"), entry("row", "Cards")];
        let all: Vec<&Entry> = entries.iter().collect();
        let found = |shown: &[&Entry], typed: &str| match chosen(&entries, &all[..shown.len()], typed) {
            InputMeaning::One(entry) => entry.id.clone(),
            InputMeaning::Several(found) => found.iter().map(|entry| &*entry.id).collect::<Vec<_>>().join(" "),
            InputMeaning::None => "none".to_owned(),
        };
        assert_eq!(found(&all, "2"), "stack");
        assert_eq!(found(&all, " ROW "), "row", "an id before a word of another");
        assert_eq!(found(&all, "２"), "stack");
        assert_eq!(found(&all, "ＲＯＷ"), "row");
        assert_eq!(found(&all, "dice　ＢＯＡＲＤ"), "draw");
        assert_eq!(found(&all, "dice board"), "draw");
        assert_eq!(found(&all, "dice"), "draw stack");
        assert_eq!(found(&all, ""), "draw stack row");
        assert_eq!(found(&all, "4"), "none");
        assert_eq!(found(&all[..1], "2"), "none", "a number of the list that is shown");
    }
}
