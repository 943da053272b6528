//! Commands for playing on under other rules: variants, settings and edited scripts.

use super::arguments::{Any, Extent, Shape, Signature, word};
use super::shapes::{EXPRESSION, as_typed};
use super::{Availability, Candidate, Command, Flow, USUAL};
use crate::catalogue::{Message, message, said, say, spoken};
use crate::definition::{Layer, Setting};
use crate::diagnostic::{Diagnostic, Diagnostics, listed};
use crate::playthrough::Playable;
use crate::playthrough::change::changed_settings;
use crate::ruleset::Selection;
use crate::screen;
use crate::screen::style::{self, Line};
use crate::session::Session;

/// The common properties of commands about rules.
pub(super) const RULES: Command = Command { group: "Rules", ..USUAL };

/// A variant that is not in play: its id, or the path of its file.
pub(super) const OTHER_VARIANT: Shape<String> = Shape {
    name: "VARIANT",
    what: "a variant",
    lead: "",
    extent: Extent::Name,
    read: as_typed,
    complete: |session, _| {
        let ruleset = &session.playthrough.loaded().ruleset;
        let entries = session.library.variants(&ruleset.game.id).into_iter();
        let free = entries.filter(|entry| !ruleset.variant_ids().any(|id| id == entry.id));
        free.map(|entry| {
            let about = entry
                .layer
                .map_or_else(|_| said("broken").to_owned(), |layer| layer.about.get(session.language).to_owned());
            Candidate::new(entry.id, about)
        })
        .collect()
    },
};

/// The id of a variant in play.
pub(super) const VARIANT_IN_PLAY: Shape<String> = Shape {
    name: "VARIANT",
    what: "a variant in play",
    lead: "",
    extent: Extent::Name,
    read: |session, text| {
        let variants = &session.playthrough.loaded().ruleset.variants;
        if variants.iter().any(|layer| layer.id == text) {
            return Ok(text.to_owned());
        }
        Err(not_in_play(text, variants).into())
    },
    complete: |session, _| {
        let variants = session.playthrough.loaded().ruleset.variants.iter();
        variants.map(|variant| Candidate::new(&*variant.id, variant.about.get(session.language))).collect()
    },
};

/// A setting of a variant that is put into play.
const SETTING: Shape<String> = Shape {
    name: "KEY=VALUE",
    what: "a setting of the variant",
    lead: "--set",
    extent: Extent::Name,
    read: as_typed,
    complete: |session, before| {
        let game = &session.playthrough.loaded().ruleset.game.id;
        let variant = before.arguments.first().and_then(|variant| session.library.variant(game, variant).ok());
        variant.iter().flat_map(settings_of).collect()
    },
};

pub(super) const VARIANTS: Command = Command {
    name: "variants",
    aliases: &["v"],
    about: "list the variants of this game, and which are active",
    examples: &["variants"],
    signatures: &[&Signature((), |session, ()| {
        let ruleset = &session.playthrough.loaded().ruleset;
        let entries = session.library.variants(&ruleset.game.id);
        let width = entries.iter().map(|entry| entry.id.len()).max().unwrap_or(0);
        let mut lines: Vec<Line> = entries
            .iter()
            .flat_map(|entry| {
                let active = ruleset.variant_ids().any(|id| id == entry.id);
                let about = match &entry.layer {
                    Ok(layer) => layer.about.get(session.language).to_owned(),
                    Err(errors) => say!("broken: {}", errors.first().message),
                };
                let mark = if active { "►" } else { " " };
                let lead = Line::plain(format!("{mark} {:<width$}  ", entry.id));
                let room = session.width.saturating_sub(lead.width());
                style::hang(lead, style::wrapped(&about, room))
            })
            .collect();
        // Variants given by path are in no folder of the library.
        for variant in &ruleset.variants {
            if !entries.iter().any(|entry| entry.id == variant.id) {
                lines.push(Line::plain(format!("► {:<width$}  {}", variant.id, variant.origin)));
            }
        }
        if lines.is_empty() {
            let game = &ruleset.game.id;
            lines.push(Line::plain(say!("`{game}` has no variants: `houserule new variant {game} ID` begins one")));
        }
        Ok(Flow::Page(lines))
    })],
    ..RULES
};

pub(super) const WITH: Command = Command {
    name: "with",
    about: "add a variant to the current rules and replay the same moves",
    help: "VARIANT is an id, or a path to a variant file. KEY is a setting of the variant, or LAYER.KEY of another \
           layer. If you removed the variant before, its settings are restored. `undo` reverts it.",
    examples: &["with my-rule.toml", "with my-rule.toml --set bonus=3"],
    is_for_designing: true,
    signatures: &[&Signature((OTHER_VARIANT, Any(SETTING)), |session, (variant, set)| {
        add_variant(session, &variant, set)
    })],
    ..RULES
};

pub(super) const WITHOUT: Command = Command {
    name: "without",
    about: "remove a variant from the current rules and replay the same moves",
    help: "`with` adds it again, with the same settings.",
    examples: &["without double"],
    is_for_designing: true,
    signatures: &[&Signature((VARIANT_IN_PLAY,), |session, (variant,)| {
        let selection = without_variant(session, &variant)?;
        let before = session.playthrough.loaded().ruleset.selection.set.clone();
        let flow = change(session, &selection)?;
        for typed in before.into_iter().filter(|typed| !selection.set.contains(typed)) {
            session.set_before.retain(|other| key_of(other) != key_of(&typed));
            session.set_before.push(typed);
        }
        Ok(flow)
    })],
    ..RULES
};

pub(super) const RELOAD: Command = Command {
    name: "reload",
    aliases: &["r"],
    about: "read the rules from disk again and replay the same moves",
    help: "It shows what the edit changes in this position, or the first move that no longer fits. If the rules do \
           not compile, the game continues under the old ones. `undo` reverts a reload.\n\n\
           Each game, variant and library is read from its own file again. If that file is gone, or another file with \
           the same name now comes first, `reload` tells you; `reload switch` uses the other file.",
    examples: &["reload"],
    is_for_designing: true,
    signatures: &[
        &Signature((), |session, ()| {
            let selection = session.playthrough.loaded().ruleset.selection.clone();
            change(session, &selection)
        }),
        &Signature((word("switch", "use other files of the same names"),), |session, _| switch(session)),
    ],
    ..RULES
};

pub(super) const WATCH: Command = Command {
    name: "watch",
    about: "reload when a file is saved; or stop where a value changes",
    help: "When you save an edit, you see at once what it changes in this position: scores, options, the table. Or \
           you see what is wrong with the file, or the first move that no longer fits; then `keep` plays up to that \
           move under the edited rules. `undo` reverts a reload. `watch off` ends it.\n\n\
           `watch EXPRESSION` adds a breakpoint: the debugger stops at the statement that changes the value, forwards \
           and backwards.",
    examples: &["watch", "watch p1.score", "watch off"],
    works: Availability::Always,
    is_for_designing: true,
    signatures: &[
        &Signature((), |session, ()| {
            session.start_watching();
            Ok(Flow::Show(vec![Line::plain(said("watching the rules' files: what you save is reported here"))]))
        }),
        &Signature((word("off", "no longer reload when files are saved"),), |session, _| {
            session.stop_watching();
            Ok(Flow::Show(vec![Line::plain(said("no longer watching; `reload` reads the rules again"))]))
        }),
        &Signature((EXPRESSION,), |session, (expression,)| super::debug::watch_expression(session, &expression)),
    ],
    ..RULES
};

pub(super) const KEEP: Command = Command {
    name: "keep",
    about: "use the edited rules, up to the move that does not fit",
    help: "It works only after `watch` has reported such a move. The later moves stay as a branch.",
    is_for_designing: true,
    signatures: &[&Signature((), |session, ()| match session.take_offered() {
        Some(loaded) => go_over(session, loaded),
        None => Err(Diagnostic::new("no edited rules are waiting")
            .help("`watch` offers them when a move no longer fits; `reload` reads the rules as they are now")
            .into()),
    })],
    ..RULES
};

/// Lays a variant over the rules in play, with settings.
fn add_variant(session: &mut Session, variant: &str, set: Vec<String>) -> Result<Flow, Diagnostics> {
    let id = id_of(session, variant);
    let help = message!("`set {id}.KEY=VALUE` changes a setting of it, and `without {id}` takes it off");
    let mut selection = with_variant(session, variant, help)?;
    let again = selection.set.len() - session.playthrough.loaded().ruleset.selection.set.len();
    for typed in set {
        let layers = session.playthrough.loaded().ruleset.variant_ids().any(|id| is_of(&typed, id))
            || is_of(&typed, &selection.game);
        let typed = if layers || is_of(&typed, &id) { typed } else { format!("{id}.{typed}") };
        set_in(&mut selection, typed);
    }
    let words = selection.set.iter().skip(selection.set.len() - again).cloned().collect::<Vec<_>>();
    let flow = change(session, &selection)?;
    session.set_before.retain(|typed| !selection.set.contains(typed));
    let told = (!words.is_empty()).then(|| Line::faint(say!("set as before: {}", words.join(", "))).cut(session.width));
    Ok(flow.behind(told))
}

/// The rules in play with another variant on top, with its settings from before it was taken off. One that is in play
/// already is refused, with this help.
fn with_variant(session: &Session, variant: &str, help: Message) -> Result<Selection, Diagnostics> {
    let id = id_of(session, variant);
    if session.playthrough.loaded().ruleset.variant_ids().any(|known| known == id) {
        return Err(Diagnostic::new(message!("`{id}` is in play already")).help(help).into());
    }
    let mut selection = session.playthrough.loaded().ruleset.selection.clone();
    selection.variants.push(variant.to_owned());
    selection.set.extend(session.set_before.iter().filter(|typed| is_of(typed, &id)).cloned());
    Ok(selection)
}

/// The rules in play with another variant on top, for `command` to compare them with.
pub(super) fn compared_with(session: &Session, variant: &str, command: &str) -> Result<Selection, Diagnostics> {
    let id = id_of(session, variant);
    with_variant(session, variant, message!("`{command} without {id}` compares with the rules without it"))
}

/// The id of a variant given by id or path.
fn id_of(session: &Session, variant: &str) -> String {
    let game = &session.playthrough.loaded().ruleset.game.id;
    session.library.variant(game, variant).map_or_else(|_| variant.to_owned(), |layer| layer.id)
}

/// Adds a setting as typed, `LAYER.KEY=VALUE`, in place of an earlier value of the same key.
pub(super) fn set_in(selection: &mut Selection, typed: String) {
    selection.set.retain(|other| key_of(other) != key_of(&typed));
    selection.set.push(typed);
}

fn key_of(typed: &str) -> &str {
    typed.split('=').next().unwrap_or_default().trim()
}

/// Whether a setting as typed belongs to a layer.
fn is_of(typed: &str, layer: &str) -> bool {
    typed.trim_start().strip_prefix(layer).is_some_and(|rest| rest.starts_with('.'))
}

/// Whether a name has the form of a setting, of a layer in play or of another variant.
pub(super) fn is_setting(session: &Session, name: &str) -> bool {
    let ruleset = &session.playthrough.loaded().ruleset;
    let known = session.library.variants(&ruleset.game.id);
    let mut layers =
        ruleset.variant_ids().chain(known.iter().map(|entry| entry.id.as_str())).chain([&*ruleset.game.id]);
    layers.any(|id| is_of(name, id))
}

/// Changes a setting of the rules in play, and replays the moves.
pub(super) fn set(session: &mut Session, key: &str, value: &str) -> Result<Flow, Diagnostics> {
    let old = session.playthrough.loaded().ruleset.clone();
    let layers: Vec<&str> = old.variant_ids().chain([old.game.id.as_str()]).collect();
    if !layers.iter().any(|id| is_of(key, id)) {
        let variant = key.split('.').next().unwrap_or_default();
        let rest = key.split_once('.').map_or("KEY", |(_, rest)| rest);
        return Err(Diagnostic::new(message!("the variant `{variant}` is not in play"))
            .help(message!("`with {variant} --set {rest}={value}` adds it"))
            .into());
    }
    let mut selection = old.selection.clone();
    set_in(&mut selection, format!("{key}={value}"));
    let flow = change(session, &selection)?;
    let new = &session.playthrough.loaded().ruleset;
    let changed = changed_settings(&old, new);
    let told = changed.iter().map(|(key, was, is)| Line::strong(format!("{key}  {was} → {is}")).cut(session.width));
    Ok(flow.behind(told))
}

/// The settings of a layer, with their defaults.
fn settings_of(layer: &Layer) -> Vec<Candidate> {
    let candidate = |(key, setting): (&String, &Setting)| {
        let about = say!("{} by default; {}", setting.default, setting.help.get(spoken()));
        Candidate::new(format!("{key}="), about)
    };
    layer.settings.iter().map(candidate).collect()
}

/// The settings and data values that can be changed in the rules in play, each with its value.
pub(super) fn settable(session: &Session) -> Vec<Candidate> {
    let ruleset = &session.playthrough.loaded().ruleset;
    let settings = ruleset.settings.iter().flat_map(|(layer, values)| {
        values.iter().map(move |(key, value)| Candidate::new(format!("{layer}.{key}"), say!("setting, is {value}")))
    });
    let game = &ruleset.game.id;
    let data = ruleset.definition.data.iter().filter(|(_, value)| !value.is_table());
    let data =
        data.map(|(key, value)| Candidate::new(format!("{game}.data.{key}"), say!("of the rulebook, is {value}")));
    settings.chain(data).collect()
}

/// The possible values of a setting, where they are few.
pub(super) fn values_of(session: &Session, name: &str) -> Vec<Candidate> {
    let ruleset = &session.playthrough.loaded().ruleset;
    let setting = ruleset.layers().find_map(|layer| {
        let key = name.strip_prefix(layer.id.as_str())?.strip_prefix('.')?;
        layer.settings.get(key)
    });
    let Some(setting) = setting else { return Vec::new() };
    let choices = match &setting.default {
        toml::Value::Boolean(_) => vec![toml::Value::Boolean(true), toml::Value::Boolean(false)],
        toml::Value::Array(_) => Vec::new(),
        _ => setting.choices.clone(),
    };
    let shown = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let about = |value: &toml::Value| if *value == setting.default { said("by default") } else { "" };
    choices.iter().map(|value| Candidate::new(shown(value), about(value))).collect()
}

/// The rules in play without one of their variants and its settings.
pub(super) fn without_variant(session: &Session, variant: &str) -> Result<Selection, Diagnostics> {
    let ruleset = &session.playthrough.loaded().ruleset;
    let Some(position) = ruleset.variant_ids().position(|id| id == variant) else {
        return Err(not_in_play(variant, &ruleset.variants).into());
    };
    let needs = |layer: &&Layer| layer.requires.iter().any(|(id, _)| id == variant);
    if let Some(upper) = ruleset.variants.iter().find(needs) {
        return Err(Diagnostic::new(message!("`{}` needs `{variant}`", upper.id))
            .help(message!("remove that one first: `without {}`", upper.id))
            .into());
    }
    let mut selection = ruleset.selection.clone();
    selection.variants.remove(position);
    let prefix = format!("{variant}.");
    selection.set.retain(|typed| !typed.starts_with(&prefix));
    Ok(selection)
}

/// An error that a variant is not in play.
fn not_in_play(variant: &str, in_play: &[Layer]) -> Diagnostic {
    if in_play.is_empty() {
        return Diagnostic::new("no variant is in play");
    }
    let ids = || in_play.iter().map(|layer| layer.id.as_str());
    let error = Diagnostic::new(message!("the variant `{variant}` is not in play"));
    error.near_or(variant, ids(), message!("in play: {}", listed(ids())))
}

/// Reloads the rules from the library, which may now find other files than those in play.
fn switch(session: &mut Session) -> Result<Flow, Diagnostics> {
    let selection = session.playthrough.loaded().ruleset.selection.clone();
    let library = session.library.clone();
    let loaded = session.load_rules_from(&library, &selection).map_err(|errors| errors.help(OLD_RULES_STAY))?;
    let was = session.playthrough.loaded().ruleset.clone();
    let before = was.origins();
    let now = loaded.ruleset.origins();
    let moved = now.iter().filter(|now| !before.contains(now));
    let told: Vec<String> = moved.map(|(path, origin)| say!("{path} is from {origin} now")).collect();
    if told.is_empty() && loaded.ruleset.hash == was.hash {
        return Ok(Flow::Show(vec![Line::plain(said("the rules are as they were, from the same files"))]));
    }
    Ok(go_over(session, loaded)?.behind(told.into_iter().map(Line::plain)))
}

fn change(session: &mut Session, selection: &Selection) -> Result<Flow, Diagnostics> {
    let loaded = session.load_rules(selection).map_err(|errors| errors.help(OLD_RULES_STAY))?;
    session.notices.extend(loaded.ruleset.notes.iter().chain(loaded.warnings.iter()).cloned());
    if loaded.ruleset.hash == session.playthrough.loaded().ruleset.hash {
        return Ok(Flow::Show(vec![Line::plain(said("the rules are as they were"))]));
    }
    drop(session.take_offered());
    go_over(session, loaded)
}

/// Puts other rules into play, and shows what that changes.
fn go_over(session: &mut Session, loaded: Playable) -> Result<Flow, Diagnostics> {
    let change = session.playthrough.change_rules(loaded)?;
    let mut lines = screen::change(&session.scene(), &change);
    lines.extend(session.after_change_of_rules());
    lines.push(Line::default());
    lines.extend(session.look());
    Ok(Flow::Show(lines))
}

/// The note behind errors in rules that were to be put into play.
const OLD_RULES_STAY: &str = "the game continues under the old rules";
