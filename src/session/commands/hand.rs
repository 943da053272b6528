//! Commands that change things by hand: every change is a log entry.

use super::arguments::{ArgumentError, Extent, OneOf, OneOrMore, Optional, Shape, Signature, word};
use super::shapes::{COMPONENT, ZONE, as_typed, asked, component_id, number, seats, variables, zone_id, zones};
use super::{Command, Flow, USUAL, rules};
use crate::catalogue::{Message, message, said, say};
use crate::definition::{ComponentKind, Scalar, ZoneOrder};
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean, known_names_sentence, unknown, unknown_or};
use crate::files::path_name;
use crate::playthrough::log::Entry;
use crate::scenario::{self, Scenario};
use crate::screen::style::Line;
use crate::script::program::{Expr, ExprKind, Piece};
use crate::script::vocabulary::{Role, words};
use crate::session::Session;
use crate::session::commands::Candidate;
use crate::sorted::SortedSet;
use crate::table::State;
use crate::table::event::EventData;
use crate::table::layout::ZoneInfo;
use crate::table::names;
use crate::table::value::Value;
use std::path::{Path, PathBuf};

/// The common properties of commands that change things by hand.
const BY_HAND: Command = Command { group: "Changing things by hand", tells_all: true, is_for_designing: true, ..USUAL };

/// Most scenarios read for one command.
const MAX_SCENARIOS_PER_COMMAND: usize = 2_000;

/// The properties of a component that can be set, as `COMPONENT.PROPERTY`.
const PROPERTIES: [&str; 3] = ["side", "value", "owner"];

/// Something on the table that can be set.
#[derive(Clone, Debug)]
enum Settable {
    /// The variable with this index.
    Variable(usize),
    /// The side, value or owner of the component with this id.
    Property(String, String),
}

/// A variable, or a property of a component.
const VARIABLE: Shape<Settable> = Shape {
    name: "VARIABLE",
    what: "a variable",
    lead: "",
    extent: Extent::Key,
    read: |session, text| {
        if rules::is_setting(session, text) {
            return Err(ArgumentError::Other);
        }
        let layout = &session.playthrough.loaded().layout;
        let unknown = match names::variable(layout, asked(session), text) {
            Ok(number) => return Ok(Settable::Variable(number)),
            Err(error) => error,
        };
        let Some((component, typed)) = text.rsplit_once('.') else {
            // A setting without its layer.
            let is_meant = |candidate: &Candidate| candidate.text.rsplit_once('.').is_some_and(|(_, key)| key == text);
            let meant = rules::settable(session).into_iter().find(is_meant);
            return Err(match meant {
                Some(meant) => unknown.help(message!("`set {} VALUE` changes it in the rules", meant.text)),
                None => unknown,
            }
            .into());
        };
        match component_id(session, component) {
            Ok(id) => Ok(Settable::Property(id, typed.to_owned())),
            Err(unclear) if PROPERTIES.contains(&typed) => Err(unclear.into()),
            Err(_) => Err(unknown.into()),
        }
    },
    complete: |session, _| variables(session),
};

/// A setting, as `LAYER.KEY`.
const LAYER_KEY: Shape<String> = Shape {
    name: "LAYER.KEY",
    what: "a setting",
    lead: "",
    extent: Extent::Key,
    read: |session, text| rules::is_setting(session, text).then(|| text.to_owned()).ok_or(ArgumentError::Other),
    complete: |session, _| rules::settable(session),
};

/// A new value.
const VALUE: Shape<String> = Shape {
    name: "VALUE",
    what: "a value",
    lead: "",
    extent: Extent::Rest,
    read: |_, text| match text.trim_start_matches('=').trim() {
        "" => Err(ArgumentError::Other),
        value => Ok(value.to_owned()),
    },
    complete: |session, before| {
        let name = before.arguments.first().copied().unwrap_or_default();
        rules::values_of(session, name).into_iter().chain(values_of(session, name)).collect()
    },
};

/// The destination of a component: a zone, or `None` for out of play.
const DESTINATION: Shape<Option<String>> = Shape {
    name: "ZONE|nowhere",
    what: "a zone",
    lead: "",
    extent: Extent::Name,
    read: |session, text| match text {
        "nowhere" => Ok(None),
        zone => Ok(Some(zone_id(session, zone)?)),
    },
    complete: |session, _| {
        std::iter::once(Candidate::new("nowhere", said("out of play"))).chain(zones(session)).collect()
    },
};

/// A zone, or a player for that player's hand.
const HELD: Shape<String> = Shape {
    name: "ZONE|pN",
    what: "a zone or a player",
    lead: "",
    extent: Extent::Word,
    read: |session, text| {
        let is_player = names::player(&session.playthrough.loaded().layout, text).is_some();
        if is_player || zone_id(session, text).is_ok() {
            return Ok(text.to_owned());
        }
        let seats = session.playthrough.seats;
        Err(match is_seat(text) {
            true => unknown_or("player", text, [], message!("write p1 to p{seats}")).into(),
            false => zone_id(session, text).err().map_or(ArgumentError::Other, ArgumentError::Because),
        })
    },
    complete: |session, _| seats(session).chain(zones(session)).collect(),
};

/// Whether a name has the form of a player's, even one not at this table: `p9`.
fn is_seat(name: &str) -> bool {
    name.strip_prefix('p').is_some_and(|number| number.parse::<u64>().is_ok())
}

/// The name of a random draw in the rules.
const LOT: Shape<String> = Shape {
    name: "NAME",
    what: "a lot",
    lead: "",
    extent: Extent::Word,
    read: |session, text| Ok(check_lot(session, text).map(|()| text.to_owned())?),
    complete: |session, _| {
        lots_drawn(session).into_iter().map(|lot| Candidate::new(lot, said("was drawn in this game"))).collect()
    },
};

/// The result of a random draw.
const DRAWN: Shape<String> = Shape {
    name: "OPTION",
    what: "an option",
    lead: "",
    extent: Extent::Rest,
    read: as_typed,
    complete: super::shapes::nothing,
};

/// The path of a scenario, or of a folder of scenarios.
const SCENARIO_FILE: Shape<PathBuf> = Shape {
    name: "FILE",
    what: "a scenario",
    lead: "",
    extent: Extent::Name,
    read: |session, text| {
        let (path, files) = (PathBuf::from(text), session.library.files());
        if files.is_folder(&path) || files.exists(&path) {
            return Ok(path);
        }
        Err(Scenario::read(files, &path).err().map_or(ArgumentError::Other, ArgumentError::Because))
    },
    complete: |session, _| scenario_files(session),
};

/// The id of a scenario in a folder.
const SCENARIO_ID: Shape<String> = Shape {
    name: "ID",
    what: "the id of a scenario",
    lead: "",
    extent: Extent::Word,
    read: as_typed,
    complete: |session, before| {
        let path = Path::new(before.arguments.first().copied().unwrap_or_default());
        let (scenarios, _) = read_scenarios(session, path);
        let scenarios = scenarios.into_iter().filter(|scenario| is_for(session, scenario));
        scenarios.map(|scenario| Candidate::new(scenario.id, scenario.title)).collect()
    },
};

pub(super) const SET: Command = Command {
    name: "set",
    about: "change a variable, a component or a setting",
    help: "For a component, `set NAME.side 2` turns a card or token, `set NAME.value 5` sets a die (0 picks it up), \
           and `set NAME.owner p2` changes its owner (or `nobody`). The change goes into the log, so you can undo it, \
           and it is saved with the game.\n\n\
           For the game or an active variant, `set LAYER.KEY VALUE` changes a setting, and `set GAME.data.KEY VALUE` \
           a number of the rulebook. The same moves are replayed, as with `with`, and `undo` reverts it.",
    examples: &["set p1.score 12", "set double.bonus 3", "set up-or-down.data.hand_size 4"],
    signatures: &[
        &Signature((VARIABLE, VALUE), |session, (variable, value)| set(session, &variable, &value)),
        &Signature((LAYER_KEY, VALUE), |session, (key, value)| rules::set(session, &key, &value)),
    ],
    ..BY_HAND
};

pub(super) const MOVE: Command = Command {
    name: "move",
    aliases: &["mv"],
    about: "move a component to a zone, on top or at a position from 0",
    help: "It does not check whether the rules allow the move. `nowhere` takes the component out of play. Use ids, or \
           names as drawn on the table: `move ♠4 trick`.",
    examples: &["move 33 box", "move 33 ring 0"],
    signatures: &[&Signature(
        (COMPONENT, DESTINATION, Optional(number::<usize>("POSITION", "a position, a whole number from 0"))),
        |session, (component, to, position)| intervene(session, Entry::Move { component, to, position }),
    )],
    ..BY_HAND
};

pub(super) const SWAP: Command = Command {
    name: "swap",
    about: "swap the contents of two zones, or two hands",
    help: "The order stays the same. For two players, it swaps the zones that are drawn as hands, or the only zone \
           that each player has.",
    examples: &["swap p1.hand p2.hand", "swap p1 p2"],
    // Both names have to be known before a swap can be refused.
    signatures: &[&Signature((HELD, HELD), |session, (one, other)| {
        let (one, other) = (held_by(session, &one)?, held_by(session, &other)?);
        intervene(session, Entry::Swap { one, other })
    })],
    ..BY_HAND
};

pub(super) const RIG: Command = Command {
    name: "rig",
    about: "decide the next shuffle, roll or lot; alone, list what is rigged",
    help: "After a shuffle, the components that you name lie on top, in that order from the top. `rig draw start p2` \
           makes p2 win the lot called `start`; `lot` is another word for `draw`. Before the first move, a rig also \
           affects the deal.",
    examples: &["rig shuffle face_down 14 33", "rig"],
    signatures: &[
        &Signature((), |session, ()| Ok(Flow::Show(waiting_rigs(session)))),
        &Signature(
            (word("shuffle", "the order of a zone"), ZONE, OneOrMore(COMPONENT)),
            |session, ((), zone, components)| rig_shuffle(session, &zone, components),
        ),
        &Signature(
            (word("roll", "the value of a die"), COMPONENT.called("DIE"), number::<usize>("VALUE", "a value of a die")),
            |session, ((), die, value)| rig_roll(session, &die, value),
        ),
        // Later draws are unknown in advance, so the options are checked when the draw happens.
        &Signature(
            (OneOf([("draw", "what is drawn by lot", ()), ("lot", "what is drawn by lot", ())]), LOT, DRAWN),
            |session, ((), lot, option)| rig(session, format!("lot {lot}"), vec![option]),
        ),
    ],
    ..BY_HAND
};

pub(super) const LAY: Command = Command {
    name: "lay",
    about: "clear the table and set up that of a scenario",
    help: "FILE is a scenario, or a folder of scenarios with ID to pick one. Zones that it does not name are empty, \
           and variables have their defaults. The open decision is asked again on the new table. The rules continue \
           from where they are: the current turn, the round and the local variables of the script do not change. The \
           game stores the table itself and no longer needs the file.",
    examples: &["lay corner.toml"],
    signatures: &[&Signature((SCENARIO_FILE, Optional(SCENARIO_ID)), |session, (path, id)| {
        lay(session, &path, id.as_deref())
    })],
    ..BY_HAND
};

/// Sets a variable or a property by hand.
fn set(session: &mut Session, what: &Settable, value: &str) -> Result<Flow, Diagnostics> {
    let layout = &session.playthrough.loaded().layout;
    let number = || value.parse().map(Scalar::Number).map_err(|_| "a whole number");
    let (variable, plain) = match what {
        Settable::Property(id, property) => {
            let plain = match property.as_str() {
                "side" | "value" => number(),
                _ => Ok(Scalar::Text(value.to_owned())),
            };
            (format!("{id}.{property}"), plain)
        }
        &Settable::Variable(variable) => {
            let variable = &layout.variables[variable];
            let plain = match &variable.default {
                // The name is resolved on the table.
                Value::Nothing | Value::List(_) => Ok(Scalar::Text(value.to_owned())),
                Value::Number(_) => number(),
                Value::Truth(_) => value.parse().map(Scalar::Truth).map_err(|_| "true or false"),
                Value::Nobody if layout.player_named(value).is_none() => Err("a player or `nobody`"),
                _ => Ok(Scalar::Text(value.trim_matches('"').to_owned())),
            };
            (variable.id.to_string(), plain)
        }
    };
    let wrong = |sort| Diagnostic::new(message!("{variable} holds {}, and `{value}` is not one", Message::from(sort)));
    let value = plain.map_err(wrong)?;
    intervene(session, Entry::Set { variable, value })
}

/// Rigs the next shuffle of a zone: these components come to lie on top.
fn rig_shuffle(session: &mut Session, zone: &str, components: Vec<String>) -> Result<Flow, Diagnostics> {
    let is_twice = |(number, component): &(usize, &String)| components[..*number].contains(component);
    if let Some((_, value)) = components.iter().enumerate().find(is_twice) {
        let error = Diagnostic::new(message!("`{value}` is named twice"));
        return Err(error.help("a component has one place: name each of them once").into());
    }
    rig(session, format!("shuffle {zone}"), components)
}

/// Rigs the next roll of a die.
fn rig_roll(session: &mut Session, die: &str, value: usize) -> Result<Flow, Diagnostics> {
    let faces = &session.playthrough.loaded().layout.faces;
    let dice = || faces.iter().filter(|face| face.kind == ComponentKind::Die);
    let Some(known) = dice().find(|face| *face.id == *die) else {
        return Err(unknown("die", die, dice().map(|face| &*face.id)).into());
    };
    let sides = known.sides.len();
    if !(1..=sides).contains(&value) {
        let error = Diagnostic::new(message!("{die} cannot show {value}"));
        return Err(error.help(message!("its values go from 1 to {sides}")).into());
    }
    rig(session, format!("roll {die}"), vec![value.to_string()])
}

/// Rigs a random draw: fixes its next result.
fn rig(session: &mut Session, stream: String, result: Vec<String>) -> Result<Flow, Diagnostics> {
    let rigged = format!("{stream} {}", result.join(" "));
    let waited = session.playthrough.position().waiting_rigs.len();
    let flow = intervene(session, Entry::Rig { stream, result })?;
    if session.playthrough.position().waiting_rigs.len() <= waited {
        return Ok(flow);
    }
    // A rig alone changes nothing on the table yet.
    Ok(Flow::Show(vec![Line::plain(say!("rigged, and not used yet: {rigged}"))]))
}

/// Sets up the table of a scenario.
fn lay(session: &mut Session, path: &Path, id: Option<&str>) -> Result<Flow, Diagnostics> {
    let scenario = scenario_meant(session, path, id)?;
    let loaded = session.playthrough.loaded();
    let given = scenario.table_for(&loaded.ruleset.game.id, &loaded.layout);
    let given = given.map_err(|errors| errors.help("the table is as it was"))?;
    let seats = session.playthrough.seats;
    let flow = intervene(session, Entry::Lay { name: scenario.id.clone(), given })?;
    let other = scenario.players().filter(|players| *players != seats);
    Ok(flow.behind(
        other.map(|players| Line::faint(say!("{} is for {players} players, and this game has {seats}", scenario.id))),
    ))
}

/// The possible values of a variable, where they are few.
fn values_of(session: &Session, name: &str) -> Vec<Candidate> {
    let layout = &session.playthrough.loaded().layout;
    let variable = layout.variables.iter().find(|variable| &*variable.id == name);
    match variable.map(|variable| &variable.default) {
        Some(Value::Truth(_)) => ["true", "false"].map(|truth| Candidate::new(truth, "")).to_vec(),
        _ => Vec::new(),
    }
}

/// The id of a zone, or of a player's hand.
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
        ([], []) => Err(Diagnostic::new(message!("{seat} has no zone")).help("write `swap ZONE ZONE`").into()),
        (hands, own) => {
            let ids = if hands.is_empty() { own } else { hands }.iter().map(|zone| &*zone.id);
            Err(Diagnostic::new(message!("{seat} can mean {}", names::some(ids))).help("write `swap ZONE ZONE`").into())
        }
    }
}

/// Whether a change by hand would leave the table unchanged.
fn is_so_already(session: &Session, entry: &Entry) -> bool {
    let Some(run) = session.playthrough.track().run() else { return false };
    let mut table = run.table.copy();
    let (before, is_done) = (table.snapshot(), entry.intervene(&mut table).is_ok());
    let after = table.state();
    let things = |state: &State| (state.zones.clone(), state.sides.clone(), state.owners.clone());
    is_done && before.variables == after.variables && things(&before) == things(after)
}

/// A message about a component moved within its zone, after which the table may look the same; `None` for other
/// changes.
fn within_its_zone(session: &Session, entry: &Entry) -> Option<String> {
    let Entry::Move { component, to: Some(to), position } = entry else { return None };
    let table = &session.playthrough.track().run()?.table;
    let zone = table.place(table.component_named(component)?)?;
    (table.layout().zone_named(to)? == zone).then(|| match position {
        Some(position) => say!("{component} was in {to} already, and is at position {position} now"),
        None => say!("{component} was in {to} already, and is the last there now"),
    })
}

/// The names of all random draws of this game so far.
fn lots_drawn(session: &Session) -> SortedSet<String> {
    let mut drawn = SortedSet::new();
    session.playthrough.position().events.for_each(|event| {
        if let EventData::Lot { stream, .. } = &event.what {
            drawn.insert(stream.to_string());
        }
    });
    drawn
}

/// Refuses the name of a random draw that is probably misspelt. A script may compose the name of a later draw, so that
/// it cannot be known before.
fn check_lot(session: &Session, name: &str) -> Result<(), Diagnostics> {
    let mut known = lots_drawn(session);
    let mut are_all_written = true;
    let asked = session.playthrough.loaded().layout.definition.asked.iter();
    known.extend(asked.filter(|asked| asked.ask.by_lot).map(|asked| asked.ask.prompt.clone()));
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
    let error = Diagnostic::new(message!("no lot of these rules is called `{name}`"));
    match did_you_mean(name, known.iter().map(String::as_str)) {
        Some(help) => Err(error.help(help).into()),
        None if are_all_written => {
            Err(error.help(known_names_sentence("lot", known.iter().map(String::as_str))).into())
        }
        None => Ok(()),
    }
}

fn waiting_rigs(session: &Session) -> Vec<Line> {
    let waiting = &session.playthrough.position().waiting_rigs;
    if waiting.is_empty() {
        return vec![Line::plain(said("no rig is waiting; `help rig` shows what you can rig"))];
    }
    waiting.iter().map(|rig| Line::plain(say!("{rig}: not used yet"))).collect()
}

/// The scenario at a path; in a folder of several, by id.
fn scenario_meant(session: &Session, path: &Path, id: Option<&str>) -> Result<Scenario, Diagnostics> {
    let (mut scenarios, mut errors) = read_scenarios(session, path);
    let is_folder = session.library.files().is_folder(path);
    if !is_folder && let Some(error) = errors.pop() {
        return Err(error.into());
    }
    if let Some(id) = id {
        let known = scenarios.iter().map(|scenario| scenario.id.as_str());
        let missing = || match scenarios.is_empty() {
            true => Diagnostic::new(message!("there is no scenario in `{}`", path_name(path))),
            false => unknown("scenario", id, known.clone()),
        };
        let found = scenarios.iter().position(|scenario| scenario.id == id).ok_or_else(missing)?;
        return Ok(scenarios.swap_remove(found));
    }
    if is_folder {
        scenarios.retain(|scenario| is_for(session, scenario));
    }
    let one = scenarios.pop().filter(|_| scenarios.is_empty());
    one.ok_or_else(|| {
        let (found, _) = read_scenarios(session, path);
        let ids: Vec<&str> = found.iter().filter(|found| is_for(session, found)).map(|found| &*found.id).collect();
        match ids.is_empty() {
            true => Diagnostic::new(message!("there is no scenario of this game in `{}`", path_name(path))),
            false => Diagnostic::new(message!("`{}` has {} scenarios of this game", path_name(path), ids.len())).help(
                message!(
                    "say which, as in `lay {} {}`; there are {}",
                    path_name(path),
                    ids[0],
                    Message::list(ids.iter().copied().map(Message::verbatim), ", ")
                ),
            ),
        }
        .into()
    })
}

/// The scenarios in a file or below a folder, and the errors of unreadable ones.
fn read_scenarios(session: &Session, path: &Path) -> (Vec<Scenario>, Vec<Diagnostic>) {
    let files = session.library.files();
    let paths = if files.is_folder(path) { files.toml_files_below(path) } else { vec![path.to_owned()] };
    let (mut scenarios, mut errors) = (Vec::new(), Vec::new());
    for path in paths.iter().take(MAX_SCENARIOS_PER_COMMAND) {
        match Scenario::read(files, path) {
            Ok(scenario) => scenarios.push(scenario),
            Err(wrong) => errors.extend(wrong.into_iter().take(1)),
        }
    }
    (scenarios, errors)
}

fn is_for(session: &Session, scenario: &Scenario) -> bool {
    scenario.game() == session.playthrough.loaded().ruleset.game.id
}

/// The scenarios of this game below the library's folders, as paths relative to the current folder.
fn scenario_files(session: &Session) -> Vec<Candidate> {
    let here = session.surroundings.current_folder();
    let files = scenario::find(&[], &session.library).into_iter().take(MAX_SCENARIOS_PER_COMMAND);
    let scenarios = files
        .filter_map(|file| Scenario::read(session.library.files(), &file).ok())
        .filter(|scenario| is_for(session, scenario));
    let near = |path: &Path| path_name(path.strip_prefix(&here).unwrap_or(path));
    scenarios.map(|scenario| Candidate::new(near(&scenario.path), scenario.title)).collect()
}

fn intervene(session: &mut Session, entry: Entry) -> Result<Flow, Diagnostics> {
    let is_rig = matches!(entry, Entry::Rig { .. });
    if !is_rig && is_so_already(session, &entry) {
        let words = say!("{entry}: it is so already, and nothing was changed");
        return Ok(Flow::Show(Line::plain(words).broken(session.width)));
    }
    let had_failed = session.playthrough.position().failed.is_some();
    let within = within_its_zone(session, &entry);
    session.playthrough.intervene(entry)?;
    // A rigged shuffle that does not fit fails only when it happens, which may be at once.
    if let Some(failed) = session.playthrough.position().failed.clone().filter(|_| is_rig && !had_failed) {
        session.playthrough.undo()?;
        return Err(failed.help("nothing was rigged"));
    }
    let mut lines: Vec<Line> = within.into_iter().flat_map(|told| Line::plain(told).broken(session.width)).collect();
    lines.extend(session.look());
    Ok(Flow::Show(lines))
}
