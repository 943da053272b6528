//! Campaigns: continuing with the next game after one is over.

use super::arguments::{Optional, Shape, Signature, word};
use super::play::FORWARD;
use super::shapes::number;
use super::{Command, Flow};
use crate::catalogue::{said, say};
use crate::diagnostic::Diagnostics;
use crate::screen::style::{self, Line};
use crate::session::Session;

/// The seed of the next game.
const SEED: Shape<u64> = number("SEED", "a seed, a whole number");

pub(super) const CAMPAIGN: Command = Command {
    name: "campaign",
    about: "start the next game of a campaign, or show what it keeps",
    help: "A game with `[keeps]` is played as a campaign: the variables named there carry over to the next game, and \
           everything else starts fresh. `campaign` shows their values. When the game is over, `campaign next` starts \
           the next one, with the next seed or with SEED; everybody keeps their seat. Within a session, `undo` goes \
           back into the previous game.\n\n\
           `save` writes the current game and what it started with, so each game of a campaign is a separate file. \
           `houserule play GAME --from FILE` starts the next game from such a file.",
    examples: &["campaign"],
    signatures: &[
        &Signature((), |session, ()| show(session)),
        &Signature((word("next", "begin the next game"), Optional(SEED)), |session, ((), seed)| next(session, seed)),
    ],
    ..FORWARD
};

/// Shows what the current game passes on to the next one.
fn show(session: &mut Session) -> Result<Flow, Diagnostics> {
    let scene = session.scene();
    let eyes = scene.observed_position();
    let (layout, table) = (&session.playthrough.loaded().layout, &session.playthrough.position().table);
    let kept = session.playthrough.kept()?;
    if kept.is_empty() {
        let line = said("this game keeps nothing for the next one: name what carries over in `[keeps]`");
        return Ok(Flow::Show(style::wrapped(line, session.width)));
    }
    let mut lines = Vec::new();
    for (name, value) in &kept {
        let number = layout.variable_named(name);
        let is_seen =
            number.is_some_and(|number| eyes.may_read(number) && eyes.may_tell_value(&table.variables[number]));
        let value = if is_seen { value.to_string() } else { "?".to_owned() };
        lines.push(Line::plain(format!("{name} {value}")).cut(session.width));
    }
    let told = match session.playthrough.position().open {
        None => said("`campaign next` begins the next game with these"),
        Some(_) => said("the next game begins with the values that these have when this one is over"),
    };
    lines.extend(style::wrapped(told, session.width));
    Ok(Flow::Show(lines))
}

/// Starts the next game of the campaign.
fn next(session: &mut Session, seed: Option<u64>) -> Result<Flow, Diagnostics> {
    let seed = seed.unwrap_or_else(|| session.playthrough.seed.wrapping_add(1));
    session.playthrough.next_game(None, seed)?;
    let mut lines = vec![Line::plain(say!("the next game of the campaign, seed {seed}")), Line::default()];
    lines.extend(session.events_and_table(0));
    Ok(Flow::Show(lines))
}
