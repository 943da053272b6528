//! Other rules for the same game: variants, and scripts that were edited.

use super::{Candidate, Command, Flow, nothing, unknown, usage_of};
use crate::definition::Layer;
use crate::diagnostic::Diagnostic;
use crate::playthrough::Loaded;
use crate::repl::style::Line;
use crate::repl::{Session, draw};
use crate::ruleset::Selection;

const GROUP: &str = "Rules";

pub(super) const VARIANTS: Command = Command {
    name: "variants",
    aliases: &["v"],
    usage: "variants",
    about: "the variants of this game, and which are in play",
    help: "",
    examples: &["variants"],
    group: GROUP,
    steps: false,
    complete: nothing,
    run: |session, _| {
        let ruleset = &session.playthrough.loaded().ruleset;
        let entries = session.library.variants(&ruleset.game.id);
        let width = entries.iter().map(|entry| entry.id.len()).max().unwrap_or(0);
        let mut lines: Vec<Line> = entries
            .iter()
            .map(|entry| {
                let active = ruleset.variant_ids().any(|id| id == entry.id);
                let about = match &entry.layer {
                    Ok(layer) => layer.about.get(session.language).to_owned(),
                    Err(errors) => errors.first().map_or(String::new(), |error| format!("broken: {}", error.message)),
                };
                let mark = if active { "►" } else { " " };
                Line::plain(format!("{mark} {:<width$}  {about}", entry.id)).cut(session.width)
            })
            .collect();
        // Variants that were given by path stand in no folder of the library.
        for variant in &ruleset.variants {
            if !entries.iter().any(|entry| entry.id == variant.id) {
                lines.push(Line::plain(format!("► {:<width$}  {}", variant.id, variant.origin)));
            }
        }
        Ok(Flow::Show(lines))
    },
};

pub(super) const WITH: Command = Command {
    name: "with",
    aliases: &[],
    usage: "with VARIANT",
    about: "lay a variant over the rules in play and run the same moves",
    help: "VARIANT is an id, or a path to a variant file. `undo` takes it back.",
    examples: &["with my-rule.toml"],
    group: GROUP,
    steps: false,
    complete: |session, _| {
        let ruleset = &session.playthrough.loaded().ruleset;
        let entries = session.library.variants(&ruleset.game.id).into_iter();
        let free = entries.filter(|entry| !ruleset.variant_ids().any(|id| id == entry.id));
        free.map(|entry| {
            let about =
                entry.layer.map_or_else(|_| "broken".to_owned(), |layer| layer.about.get(session.language).to_owned());
            Candidate::new(entry.id, about)
        })
        .collect()
    },
    run: |session, arguments| {
        if arguments.is_empty() {
            return Err(usage_of(&WITH));
        }
        change(session, &laid_on(session, arguments))
    },
};

pub(super) const WITHOUT: Command = Command {
    name: "without",
    aliases: &[],
    usage: "without VARIANT",
    about: "take a variant off the rules in play and run the same moves",
    help: "",
    examples: &["without double"],
    group: GROUP,
    steps: false,
    complete: |session, _| {
        let ruleset = &session.playthrough.loaded().ruleset;
        ruleset
            .variants
            .iter()
            .map(|variant| Candidate::new(&*variant.id, variant.about.get(session.language)))
            .collect()
    },
    run: |session, arguments| {
        if arguments.is_empty() {
            return Err(usage_of(&WITHOUT));
        }
        let selection = taken_off(session, arguments)?;
        change(session, &selection)
    },
};

pub(super) const RELOAD: Command = Command {
    name: "reload",
    aliases: &["r"],
    usage: "reload [switch]",
    about: "read the rules from disk again and run the same moves",
    help: "Shows what the edit changed in this very position, or the first move that no longer fits. Where the rules do \
           not compile, the game goes on under those before. `undo` takes a reload back.\n\n\
           Each game, variant and library is read from the file that it came from. If that file is gone, or another of \
           the same name comes first now, you are told; `reload switch` uses the other file.",
    examples: &["reload"],
    group: GROUP,
    steps: false,
    complete: |_, before| match before {
        "" => vec![Candidate::new("switch", "use other files of the same names")],
        _ => Vec::new(),
    },
    run: |session, arguments| {
        let selection = session.playthrough.loaded().ruleset.selection.clone();
        match arguments {
            "" => change(session, &selection),
            "switch" => switch(session, &selection),
            _ => Err(usage_of(&RELOAD)),
        }
    },
};

pub(super) const WATCH: Command = Command {
    name: "watch",
    aliases: &[],
    usage: "watch [off|EXPRESSION]",
    about: "reload when a file is saved; or stop where a value changes",
    help: "What a saved edit changes in this very position is told at once: scores, options, the table; or what is wrong \
           with the file; or the first move that no longer fits, and then `keep` goes on up to there under the edited \
           rules. `undo` takes a reload back. `watch off` ends it.\n\n\
           `watch EXPRESSION` adds a breakpoint: the debugger stops at the statement that changes the value, going on \
           and going back.",
    examples: &["watch", "watch p1.score", "watch off"],
    group: GROUP,
    steps: false,
    complete: |session, before| {
        let mut found = vec![Candidate::new("off", "no longer reload when files are saved")];
        found.extend(super::variables(session));
        if before.is_empty() { found } else { Vec::new() }
    },
    run: |session, arguments| match arguments {
        "" => {
            session.start_watching();
            Ok(Flow::Show(vec![Line::plain("watching the rules' files: what you save is told here")]))
        }
        "off" => {
            session.stop_watching();
            Ok(Flow::Show(vec![Line::plain("no longer watching; `reload` reads the rules again")]))
        }
        expression => super::debug::watch_expression(session, expression),
    },
};

pub(super) const KEEP: Command = Command {
    name: "keep",
    aliases: &[],
    usage: "keep",
    about: "go on under edited rules, up to the move that does not fit",
    help: "Only after `watch` has said so. What comes after that move stays as a branch.",
    examples: &[],
    group: GROUP,
    steps: false,
    complete: nothing,
    run: |session, _| match session.take_offered() {
        Some(loaded) => go_over(session, loaded),
        None => Err(Diagnostic::new("no edited rules are waiting")
            .help("`watch` offers them when a move no longer fits; `reload` reads the rules as they are now")),
    },
};
/// The rules in play with another variant on top.
pub(super) fn laid_on(session: &Session, variant: &str) -> Selection {
    let mut selection = session.playthrough.loaded().ruleset.selection.clone();
    selection.variants.push(variant.to_owned());
    selection
}

/// The rules in play without one of their variants and what was set of it.
pub(super) fn taken_off(session: &Session, variant: &str) -> Result<Selection, Diagnostic> {
    let ruleset = &session.playthrough.loaded().ruleset;
    let Some(position) = ruleset.variant_ids().position(|id| id == variant) else {
        if ruleset.variants.is_empty() {
            return Err(Diagnostic::new("no variant is in play"));
        }
        return Err(unknown("variant in play", variant, ruleset.variants.iter().map(|layer| layer.id.as_str())));
    };
    let needs = |layer: &&Layer| layer.requires.iter().any(|(id, _)| id == variant);
    if let Some(upper) = ruleset.variants.iter().find(needs) {
        return Err(Diagnostic::new(format!("`{}` needs `{variant}`", upper.id))
            .help(format!("take that one off first: `without {}`", upper.id)));
    }
    let mut selection = ruleset.selection.clone();
    selection.variants.remove(position);
    let prefix = format!("{variant}.");
    selection.set.retain(|typed| !typed.starts_with(&prefix));
    Ok(selection)
}

/// Reads the rules from wherever they are found now, which may be other files than those in play.
fn switch(session: &mut Session, selection: &Selection) -> Result<Flow, Diagnostic> {
    let library = session.library.clone();
    let loaded = session.load_rules_from(&library, selection).map_err(|errors| say_all(session, errors))?;
    let was = session.playthrough.loaded().ruleset.clone();
    let before = was.origins();
    let now = loaded.ruleset.origins();
    let moved = now.iter().filter(|now| !before.contains(now));
    let told: Vec<String> = moved.map(|(path, origin)| format!("{path} is from {origin} now")).collect();
    if told.is_empty() && loaded.ruleset.hash == was.hash {
        return Ok(Flow::Show(vec![Line::plain("the rules are as they were, from the same files")]));
    }
    let mut lines: Vec<Line> = told.into_iter().map(Line::plain).collect();
    if let Flow::Show(shown) = go_over(session, loaded)? {
        lines.extend(shown);
    }
    Ok(Flow::Show(lines))
}

fn change(session: &mut Session, selection: &Selection) -> Result<Flow, Diagnostic> {
    let loaded = session.load_rules(selection).map_err(|errors| say_all(session, errors))?;
    loaded.ruleset.notes.iter().for_each(|note| session.terminal.note(note));
    for warning in loaded.warnings.iter() {
        session.terminal.warn(warning);
    }
    let same = loaded.ruleset.hash == session.playthrough.loaded().ruleset.hash;
    if same {
        return Ok(Flow::Show(vec![Line::plain("the rules are as they were")]));
    }
    drop(session.take_offered());
    go_over(session, loaded)
}

/// Puts other rules in play, and shows what that changes.
fn go_over(session: &mut Session, loaded: Loaded) -> Result<Flow, Diagnostic> {
    let change = session.playthrough.change_rules(loaded)?;
    let mut lines = draw::change(&session.scene(), &change);
    lines.extend(session.after_change_of_rules());
    lines.push(Line::default());
    lines.extend(session.look());
    Ok(Flow::Show(lines))
}

/// Says every error but the last, which the caller says.
pub(super) fn say_all(session: &Session, mut errors: Vec<Diagnostic>) -> Diagnostic {
    let last = errors.pop().unwrap_or_else(|| Diagnostic::new("the rules cannot be used"));
    errors.iter().for_each(|error| session.terminal.complain(error));
    last.help("the game goes on under the rules as they were")
}
