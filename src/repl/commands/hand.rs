//! Changing things by hand: every change is an entry of the log.

use super::{Command, Flow, asked, component_id, components, number, seats, usage_of, variables, zone_id, zones};
use crate::definition::{Plain, ZoneOrder};
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean, there_are, unknown};
use crate::files::Files as _;
use crate::host::disk::Disk;
use crate::playthrough::log::Entry;
use crate::repl::Session;
use crate::repl::commands::Candidate;
use crate::scenario::{self, Scenario};
use crate::screen::style::Line;
use crate::script::program::{Expr, ExprKind, Piece};
use crate::script::vocabulary::{Role, words};
use crate::table::event::What;
use crate::table::layout::ZoneInfo;
use crate::table::names;
use crate::table::value::Value;
use std::collections::BTreeSet;
use std::path::Path;

pub(super) const GROUP: &str = "Changing things by hand";

/// Most scenarios that are looked through for one command.
const MOST_SCENARIOS: usize = 2_000;

pub(super) const SET: Command = Command {
    name: "set",
    aliases: &[],
    usage: "set VARIABLE VALUE | set LAYER.KEY VALUE",
    about: "give a variable a value, a component a side; or change a setting",
    help: "Of a component, `set NAME.side 2` turns a card or token, `set NAME.value 5` a die (0 takes it up), \
           `set NAME.owner p2` says whose it is (or `nobody`). The change goes into the log, so that it can be taken \
           back and is saved with the game.\n\n\
           Of the game or a variant in play, `set LAYER.KEY VALUE` changes a setting, and `set GAME.data.KEY VALUE` a \
           number of the rulebook; the same moves are run again, as with `with`, and `undo` takes it back.",
    examples: &["set p1.score 12", "set double.bonus 3", "set up-or-down.data.hand_size 4"],
    group: GROUP,
    steps: false,
    complete: |session, before| match before {
        "" => variables(session).into_iter().chain(super::rules::settable(session)).collect(),
        name => super::rules::values_of(session, name).into_iter().chain(values_of(session, name)).collect(),
    },
    run: |session, arguments| {
        let (name, value) = match arguments.split_once(['=', ' ']) {
            Some((name, value)) => (name.trim(), value.trim().trim_start_matches('=').trim()),
            None => (arguments, ""),
        };
        if !value.is_empty() && super::rules::is_setting(session, name) {
            return super::rules::set(session, name, value);
        }
        if value.is_empty() {
            return Err(usage_of(&SET).into());
        }
        let layout = &session.playthrough.loaded().layout;
        let wrong = |sort: &str| Diagnostic::new(format!("{name} holds {sort}, and `{value}` is none"));
        let variable = match names::variable(layout, asked(session), name) {
            Ok(number) => &layout.variables[number],
            Err(error) => {
                let Some((component, property)) = name.rsplit_once('.') else { return Err(error) };
                let id = match component_id(session, component) {
                    Err(unclear) if PROPERTIES.contains(&property) => return Err(unclear),
                    Err(_) => return Err(error),
                    Ok(id) => id,
                };
                let value = match property {
                    "side" | "value" => Plain::Number(value.parse().map_err(|_| wrong("a whole number"))?),
                    _ => Plain::Text(value.to_owned()),
                };
                return intervene(session, Entry::Set { variable: format!("{id}.{property}"), value });
            }
        };
        let value = match &variable.default {
            Value::Number(_) => Plain::Number(value.parse().map_err(|_| wrong("a whole number"))?),
            Value::Truth(_) => Plain::Truth(value.parse().map_err(|_| wrong("true or false"))?),
            Value::Nobody if layout.player_named(value).is_none() => return Err(wrong("a player or `nobody`").into()),
            _ => Plain::Text(value.trim_matches('"').to_owned()),
        };
        let variable = variable.id.to_string();
        intervene(session, Entry::Set { variable, value })
    },
};

pub(super) const MOVE: Command = Command {
    name: "move",
    aliases: &["mv"],
    usage: "move COMPONENT ZONE|nowhere [POSITION]",
    about: "move a component to a zone, on top or at a position from 0",
    help: "Nobody checks whether the rules would allow it. `nowhere` takes it out of play. Names may be ids, \
           or what is drawn: `move ♠4 trick`.",
    examples: &["move 33 box", "move 33 ring 0"],
    group: GROUP,
    steps: false,
    complete: |session, before| match before.split_whitespace().count() {
        0 => components(session),
        1 => std::iter::once(Candidate::new("nowhere", "out of play")).chain(zones(session)).collect(),
        _ => Vec::new(),
    },
    run: |session, arguments| {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        if words.len() < 2 {
            return Err(usage_of(&MOVE).into());
        }
        // Names can have blanks in them, so every way to take the line apart is looked at, the shortest names first.
        let ways = (1..words.len()).flat_map(|middle| [words.len(), words.len() - 1].map(|end| (middle, end)));
        let mut wrong = None;
        for (middle, end) in ways.filter(|(middle, end)| middle < end) {
            let position = words[end..].first().map(|text| number(text, "position")).transpose();
            match position.and_then(|position| moved(session, &words[..middle], &words[middle..end], position)) {
                Ok(entry) => return intervene(session, entry),
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        // Of what is written as one would, each name is one word.
        let usual = words.get(2).map(|text| number(text, "position")).transpose();
        let error = usual.and_then(|position| moved(session, &words[..1], &words[1..2], position)).err().or(wrong);
        Err(error.unwrap_or_else(|| usage_of(&MOVE).into()))
    },
};

/// What stands behind the name of a component, for what can be set of it.
const PROPERTIES: [&str; 3] = ["side", "value", "owner"];

/// A move by the names that were typed.
fn moved(session: &Session, component: &[&str], to: &[&str], position: Option<usize>) -> Result<Entry, Diagnostics> {
    let component = component_id(session, &component.join(" "))?;
    let to = match to {
        ["nowhere"] => None,
        words => Some(zone_id(session, &words.join(" "))?),
    };
    Ok(Entry::Move { component, to, position })
}

pub(super) const SWAP: Command = Command {
    name: "swap",
    aliases: &[],
    usage: "swap ZONE ZONE | swap pN pN",
    about: "let what lies in two zones, or two hands, change places",
    help: "The order stays. Of two players, the zones that are drawn as hands change places, or the only zone that each \
           player has.",
    examples: &["swap p1.hand p2.hand", "swap p1 p2"],
    group: GROUP,
    steps: false,
    complete: |session, before| match before.split_whitespace().count() {
        0 | 1 => seats(session).chain(zones(session)).collect(),
        _ => Vec::new(),
    },
    run: |session, arguments| {
        let mut words = arguments.split_whitespace();
        let (Some(one), Some(other), None) = (words.next(), words.next(), words.next()) else {
            return Err(usage_of(&SWAP).into());
        };
        let entry = Entry::Swap { one: held_by(session, one)?, other: held_by(session, other)? };
        intervene(session, entry)
    },
};

pub(super) const RIG: Command = Command {
    name: "rig",
    aliases: &[],
    usage: "rig [shuffle ZONE COMPONENT… | roll DIE VALUE | draw NAME OPTION]",
    about: "fix what the next shuffle, roll or lot gives; alone, list them",
    help: "The components named come to lie on top, the first of them uppermost. `rig draw start p2` \
           has p2 drawn where the rules draw a lot called `start`; `lot` is another word for `draw`. Before \
           the first move, a rig reaches back to the deal.",
    examples: &["rig shuffle face_down 14 33", "rig"],
    group: GROUP,
    steps: false,
    complete: |session, before| {
        let words: Vec<&str> = before.split_whitespace().collect();
        match words.as_slice() {
            [] => vec![
                Candidate::new("shuffle", "the order of a zone"),
                Candidate::new("roll", "the value of a die"),
                Candidate::new("draw", "what is drawn by lot"),
            ],
            ["shuffle"] => zones(session),
            ["shuffle", ..] | ["roll"] => components(session),
            ["draw" | "lot"] => {
                lots_drawn(session).into_iter().map(|lot| Candidate::new(lot, "was drawn in this game")).collect()
            }
            _ => Vec::new(),
        }
    },
    run: |session, arguments| {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let (stream, result) = match words.as_slice() {
            [] => return Ok(Flow::Show(waiting_rigs(session))),
            ["shuffle", zone, components @ ..] if !components.is_empty() => {
                let zone = zone_id(session, zone)?;
                let components = components.iter().map(|name| component_id(session, name));
                (format!("shuffle {zone}"), components.collect::<Result<_, _>>()?)
            }
            ["roll", die, value] => {
                number(value, "value of a die")?;
                (format!("roll {}", component_id(session, die)?), vec![(*value).to_owned()])
            }
            // What will be drawn from is not known before, so it is looked for when it is drawn.
            ["draw" | "lot", name, option @ ..] if !option.is_empty() => {
                check_lot(session, name)?;
                (format!("lot {name}"), vec![option.join(" ")])
            }
            _ => return Err(usage_of(&RIG).into()),
        };
        let rigged = format!("{stream} {}", result.join(" "));
        let waited = session.playthrough.position().waiting_rigs.len();
        let flow = intervene(session, Entry::Rig { stream, result })?;
        if session.playthrough.position().waiting_rigs.len() <= waited {
            return Ok(flow);
        }
        // Nothing on the table has changed yet.
        Ok(Flow::Show(vec![Line::plain(format!("rigged, and not used yet: {rigged}"))]))
    },
};

pub(super) const LAY: Command = Command {
    name: "lay",
    aliases: &[],
    usage: "lay FILE [ID]",
    about: "clear the table and lay the one that a scenario gives",
    help: "FILE is a scenario, or a folder of them, and then ID says which. Zones that it does not name are empty, \
           variables have their defaults. The decision that is open is asked anew on that table. The rules go on from \
           where they are: whose turn it is, the round, and what a script has in its own variables stay as they were. \
           The game keeps the table itself, and needs the file no more.",
    examples: &["lay corner.toml"],
    group: GROUP,
    steps: false,
    complete: |session, before| {
        if before.is_empty() {
            return scenario_files(session);
        }
        let (scenarios, _) = read_scenarios(Path::new(before));
        let scenarios = scenarios.into_iter().filter(|scenario| is_for(session, scenario));
        scenarios.map(|scenario| Candidate::new(scenario.id, scenario.title)).collect()
    },
    run: |session, arguments| {
        if arguments.is_empty() {
            return Err(usage_of(&LAY).into());
        }
        // A path may have blanks in it.
        let (path, id) = match arguments.rsplit_once(char::is_whitespace) {
            Some((path, id)) if !Path::new(arguments).exists() => (path.trim_end(), Some(id)),
            _ => (arguments, None),
        };
        let scenario = scenario_meant(session, Path::new(path), id)?;
        let loaded = session.playthrough.loaded();
        let given = scenario
            .table_for(&loaded.ruleset.game.id, &loaded.layout)
            .map_err(|errors| errors.help("the table is as it was"))?;
        let seats = session.playthrough.seats;
        let flow = intervene(session, Entry::Lay { name: scenario.id.clone(), given })?;
        match (flow, scenario.players()) {
            (Flow::Show(mut lines), Some(players)) if players != seats => {
                lines.insert(0, Line::faint(format!("{} is for {players} players, and here are {seats}", scenario.id)));
                Ok(Flow::Show(lines))
            }
            (flow, _) => Ok(flow),
        }
    },
};

/// The values that a variable may have, where they are few.
fn values_of(session: &Session, name: &str) -> Vec<Candidate> {
    let layout = &session.playthrough.loaded().layout;
    let variable = layout.variables.iter().find(|variable| &*variable.id == name);
    match variable.map(|variable| &variable.default) {
        Some(Value::Truth(_)) => ["true", "false"].map(|truth| Candidate::new(truth, "")).to_vec(),
        _ => Vec::new(),
    }
}

/// The zone of that name, or the one that a seat's hand is.
fn held_by(session: &Session, name: &str) -> Result<String, Diagnostics> {
    let layout = &session.playthrough.loaded().layout;
    let Some(seat) = names::player(layout, name) else { return zone_id(session, name) };
    let own: Vec<&ZoneInfo> = layout.zones.iter().filter(|zone| zone.seat == Some(seat)).collect();
    let is_hand = |zone: &&&ZoneInfo| {
        layout.definition.zones.get(zone.definition).is_some_and(|zone| zone.order == ZoneOrder::Hand)
    };
    let hands: Vec<&ZoneInfo> = own.iter().filter(is_hand).copied().collect();
    match (hands.as_slice(), own.as_slice()) {
        ([only], _) | ([], [only]) => Ok(only.id.to_string()),
        ([], []) => Err(Diagnostic::new(format!("{seat} has no zone")).help("write `swap ZONE ZONE`").into()),
        (hands, own) => {
            let ids = if hands.is_empty() { own } else { hands }.iter().map(|zone| &*zone.id);
            Err(Diagnostic::new(format!("{seat} can mean {}", names::some(ids))).help("write `swap ZONE ZONE`").into())
        }
    }
}

/// The lots that were drawn in this game so far, each once.
fn lots_drawn(session: &Session) -> BTreeSet<String> {
    let events = session.playthrough.position().events.iter();
    let drawn = events.filter_map(|event| match &event.what {
        What::Lot { stream, .. } => Some(stream.to_string()),
        _ => None,
    });
    drawn.collect()
}

/// Refuses the name of a lot that is most likely misspelt. One that is still to be drawn may be built by a script, so
/// that nobody knows it before.
fn check_lot(session: &Session, name: &str) -> Result<(), Diagnostics> {
    let mut known = lots_drawn(session);
    let mut are_all_written = true;
    for function in &session.playthrough.loaded().rules.program().functions {
        function.body.walk(&mut |piece| {
            let Piece::Expr(Expr { kind: ExprKind::Word(call), .. }) = piece else { return };
            for (position, argument) in call.arguments.iter().enumerate() {
                let same = words().filter(|word| *word.name == *call.name && word.arity() == call.arguments.len());
                let mut lots = same.filter_map(|word| word.parameter(position)?.role).filter(|role| *role == Role::Lot);
                match (&argument.kind, lots.next()) {
                    (_, None) => {}
                    (ExprKind::Text(lot), _) => drop(known.insert(lot.to_string())),
                    _ => are_all_written = false,
                }
            }
        });
    }
    if known.contains(name) {
        return Ok(());
    }
    let error = Diagnostic::new(format!("no lot of these rules is called `{name}`"));
    match did_you_mean(name, known.iter().map(String::as_str)) {
        Some(help) => Err(error.help(help).into()),
        None if are_all_written => Err(error.help(there_are("lot", known.iter().map(String::as_str))).into()),
        None => Ok(()),
    }
}

fn waiting_rigs(session: &Session) -> Vec<Line> {
    let waiting = &session.playthrough.position().waiting_rigs;
    if waiting.is_empty() {
        return vec![Line::plain("no rig is waiting; `help rig` tells what can be rigged")];
    }
    waiting.iter().map(|rig| Line::plain(format!("{rig}: not used yet"))).collect()
}

/// The scenario that is meant by a path, and an id where there are several.
fn scenario_meant(session: &Session, path: &Path, id: Option<&str>) -> Result<Scenario, Diagnostics> {
    let (mut scenarios, mut errors) = read_scenarios(path);
    if !path.is_dir()
        && let Some(error) = errors.pop()
    {
        return Err(error.into());
    }
    if let Some(id) = id {
        let known = scenarios.iter().map(|scenario| scenario.id.as_str());
        let missing = || match scenarios.is_empty() {
            true => Diagnostic::new(format!("there is no scenario in `{}`", path.display())),
            false => unknown("scenario", id, known.clone()),
        };
        let found = scenarios.iter().position(|scenario| scenario.id == id).ok_or_else(missing)?;
        return Ok(scenarios.swap_remove(found));
    }
    if path.is_dir() {
        scenarios.retain(|scenario| is_for(session, scenario));
    }
    let one = scenarios.pop().filter(|_| scenarios.is_empty());
    one.ok_or_else(|| {
        let (found, _) = read_scenarios(path);
        let ids: Vec<&str> = found.iter().filter(|found| is_for(session, found)).map(|found| &*found.id).collect();
        match ids.is_empty() {
            true => Diagnostic::new(format!("there is no scenario of this game in `{}`", path.display())),
            false => Diagnostic::new(format!("`{}` has {} scenarios of this game", path.display(), ids.len()))
                .help(format!("say which, as in `lay {} {}`; there are {}", path.display(), ids[0], ids.join(", "))),
        }
        .into()
    })
}

/// The scenarios in a file or below a folder, and what is wrong with those that cannot be read.
fn read_scenarios(path: &Path) -> (Vec<Scenario>, Vec<Diagnostic>) {
    let files = if Disk.is_folder(path) { Disk.toml_files_below(path) } else { vec![path.to_owned()] };
    let (mut scenarios, mut errors) = (Vec::new(), Vec::new());
    for file in files.iter().take(MOST_SCENARIOS) {
        match Scenario::read(&Disk, file) {
            Ok(scenario) => scenarios.push(scenario),
            Err(wrong) => errors.extend(wrong.into_iter().take(1)),
        }
    }
    (scenarios, errors)
}

fn is_for(session: &Session, scenario: &Scenario) -> bool {
    scenario.game() == session.playthrough.loaded().ruleset.game.id
}

/// The scenarios of this game below the library's folders, from where the person stands.
fn scenario_files(session: &Session) -> Vec<Candidate> {
    let here = std::env::current_dir().unwrap_or_default();
    let files = scenario::find(&[], &session.library).into_iter().take(MOST_SCENARIOS);
    let scenarios =
        files.filter_map(|file| Scenario::read(&Disk, &file).ok()).filter(|scenario| is_for(session, scenario));
    let near = |path: &Path| path.strip_prefix(&here).unwrap_or(path).display().to_string();
    scenarios.map(|scenario| Candidate::new(near(&scenario.path), scenario.title)).collect()
}

fn intervene(session: &mut Session, entry: Entry) -> Result<Flow, Diagnostics> {
    let is_rig = matches!(entry, Entry::Rig { .. });
    let had_failed = session.playthrough.position().failed.is_some();
    session.playthrough.intervene(entry)?;
    // A shuffle cannot give what is not there; that shows when it happens, which here may be at once.
    if let Some(failed) = session.playthrough.position().failed.clone().filter(|_| is_rig && !had_failed) {
        session.playthrough.undo()?;
        return Err(failed.help("nothing was rigged"));
    }
    Ok(Flow::Show(session.look()))
}
