//! Reading the tables that layers lay over each other into a [`Definition`].

use super::board::{PLACE, read_board};
use super::components::read_components;
use super::design::read_designs;
use super::keys::kind::SubTable;
use super::keys::table::{bound, looks, member, overlaid, players, variable, zone};
use super::keys::{Key, KeyInfo};
use super::names::is_identifier;
use super::schema::{Checker, Field, Fields};
use super::tree::{TomlTable, Value};
use super::{
    Bank, Bounds, DeclaredType, Definition, Language, Looks, Scalar, Text, VariableDefinition, VariableSharing,
    VariableValue, Visibility, ZoneDefinition,
};
use crate::catalogue::fill;
use crate::diagnostic::{Diagnostic, Place, unknown};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Most seats a game can have.
pub const MAX_SEATS: usize = 16;
/// Most zones that can be declared.
pub const MAX_ZONE_DECLARATIONS: usize = 64;
/// Most zones that one declaration can make for each seat.
pub(super) const MAX_ZONES_PER_DECLARATION: i64 = 1_000;
/// Most zones of a table with as many players as there can be: indices of zones have 16 bits.
pub const MAX_ZONES_IN_ALL: usize = 32_768;
/// Most variables that can be declared.
pub const MAX_VARIABLES: usize = 256;

/// Reads the tables, those of one layer or those of all layers laid over each other. Errors about missing keys point at
/// `place`. `None` where the seats are not known, which is no error for a variant alone.
pub(super) fn read_tables(tables: &TomlTable, place: &Place, game: &str, checker: &mut Checker) -> Option<Definition> {
    let fields = Fields { path: String::new(), place: place.clone(), table: tables };
    let players = fields.read(checker, &overlaid::PLAYERS).and_then(|players| read_players(&players, checker));
    let teams = fields.read(checker, &overlaid::TEAMS).map(|teams| read_teams(&teams, players, checker));
    let standing = fields.read(checker, &overlaid::STANDING);
    let data = fields.read(checker, &overlaid::DATA);
    let components = fields.read(checker, &overlaid::COMPONENTS);
    let components = components.map(|groups| read_components(&groups, data.as_ref(), checker));
    let attributes = fields.read(checker, &overlaid::ATTRIBUTES);
    let attributes = attributes.map(|looks| read_attributes(&looks, &fields, checker));
    // Looks are no rule: a game with errors in them is played, and the code that draws by them reports the errors.
    let mut of_looks = Checker::new(checker.partial);
    let designs = fields.read(&mut of_looks, &overlaid::LOOKS);
    let designs = designs.map(|groups| read_designs(&groups, &fields, &mut of_looks));
    let zones = fields.read(checker, &overlaid::ZONES);
    let zones = zones.map(|zones| read_zones(&zones, players, data.as_ref(), checker)).unwrap_or_default();
    let mut variables = read_variables(&fields, data.as_ref(), checker);
    check_collisions(&fields, &zones, &variables, checker);
    if let Some(kept) = fields.read(checker, &overlaid::KEEPS) {
        read_keeps(&kept, &zones, &mut variables, checker);
    }
    let tie_breaks = fields.read(checker, &overlaid::TIE_BREAKS);
    let tie_breaks = tie_breaks.map(|names| read_tie_breaks(&names, &variables, checker));
    let bounds = fields.read(checker, &overlaid::BOUNDS);
    let bounds = bounds.map(|bounds| read_bounds(&bounds, checker)).unwrap_or_default();
    let text = fields.read(checker, &overlaid::TEXT);
    let (text, secrets) = text.map(|text| read_text(&text, checker)).unwrap_or_default();
    Some(Definition {
        game: game.to_owned(),
        players: players?,
        teams: teams.unwrap_or_default(),
        components: components.unwrap_or_default(),
        attributes: attributes.unwrap_or_default(),
        looks: designs.unwrap_or_default(),
        wrong_looks: of_looks.finish(Some(())).err().into_iter().flatten().collect(),
        zones,
        variables,
        data: data.map(|data| data.table.to_toml()).unwrap_or_default(),
        text,
        secrets,
        standing,
        tie_breaks: tie_breaks.unwrap_or_default(),
        bounds,
        asked: Vec::new(),
    })
}

fn read_players(fields: &Fields<'_>, checker: &mut Checker) -> Option<(usize, usize)> {
    fields.report_unknown_keys(checker, players::SECTION.called, players::SECTION.keys);
    // Both are read before either is missed, so that both errors are reported.
    let (min, max) = (fields.read(checker, &players::MIN), fields.read(checker, &players::MAX));
    let (min, max) = (usize::try_from(min?).ok()?, usize::try_from(max?).ok()?);
    if min > max {
        let place = fields.find(&players::MIN)?.node.place(format!("more than `max`, which is {max}"));
        checker.report(Diagnostic::new("`players.min` is more than `players.max`").at(place));
        return None;
    }
    Some((min, max))
}

/// Reads the teams for each number of players: lists of seats, of which each stands there at most once.
fn read_teams(
    teams: &Fields<'_>,
    players: Option<(usize, usize)>,
    checker: &mut Checker,
) -> BTreeMap<usize, Vec<Vec<usize>>> {
    let mut read = BTreeMap::new();
    for (key, field) in teams.each() {
        let (min, max) = players.unwrap_or((1, MAX_SEATS));
        let Some(count) = key.parse::<usize>().ok().filter(|count| (min..=max).contains(count)) else {
            let mut place = field.key.clone();
            place.label = format!("expected a number of players, from {min} to {max}");
            let trouble = Diagnostic::new(format!("`{key}` is not a number of players of this game")).at(place);
            checker.report(trouble.help("such as `4 = [[1, 3], [2, 4]]`"));
            continue;
        };
        let Some(lists) = field.list(checker) else { continue };
        let mut known: Vec<i64> = Vec::new();
        let mut all = Vec::new();
        for list in lists {
            let mut team = Vec::new();
            for seat in list.list(checker).unwrap_or_default() {
                let Some(number) = seat.number(checker, 1..=count as i64) else { continue };
                if known.contains(&number) {
                    let place = seat.node.place("a second time");
                    checker.report(Diagnostic::new(format!("player {number} is in two places")).at(place));
                }
                known.push(number);
                team.extend(usize::try_from(number));
            }
            all.push(team);
        }
        read.insert(count, all);
    }
    read
}

fn read_attributes(
    attributes: &Fields<'_>,
    all: &Fields<'_>,
    checker: &mut Checker,
) -> BTreeMap<String, BTreeMap<String, Looks>> {
    let declared = declared_attributes(all);
    let mut read = BTreeMap::new();
    for (attribute, field) in attributes.each() {
        if !checker.partial && !checker.is_full() && declared.binary_search(&attribute).is_err() {
            let mut place = field.key.clone();
            place.label = "no component has it".to_owned();
            checker.report(unknown("attribute", attribute, declared.iter().copied()).at(place));
        }
        let Some(values) = field.table(checker) else { continue };
        let looks = values.each().filter_map(|(value, field)| {
            let looks = read_looks(&field, value, checker)?;
            Some((value.to_owned(), looks))
        });
        read.insert(attribute.to_owned(), looks.collect());
    }
    read
}

/// Reads how a value of an attribute is called and drawn.
fn read_looks(field: &Field<'_>, value: &str, checker: &mut Checker) -> Option<Looks> {
    if matches!(field.node.value, Value::Text(_)) {
        return Some(Looks { name: field.words(checker)?, ..Looks::default() });
    }
    let fields = field.section(checker, &looks::SECTION)?;
    let en = fields.read(checker, &looks::EN).unwrap_or(value).to_owned();
    let name = Text::from(en).translated(|language| fields.read(checker, &Key::of_language(language)));
    let short = fields.read(checker, &looks::SHORT);
    let color = fields.read(checker, &looks::COLOR).map(str::to_owned);
    Some(Looks { name, short, color })
}

/// The names of all attributes that components are declared with, also of groups that a variant has emptied.
pub(super) fn declared_attributes<'a>(all: &Fields<'a>) -> Vec<&'a str> {
    fn table<'a>(table: &'a TomlTable, key: &str) -> Option<&'a TomlTable> {
        match &table.get(key)?.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }
    let mut names = Vec::new();
    for (_, group) in table(all.table, "components").iter().flat_map(|groups| groups.iter()) {
        let Value::Table(group) = &group.node.value else { continue };
        names.extend(table(group, "attributes").into_iter().flat_map(TomlTable::keys));
        let is_die = matches!(group.get("kind").map(|kind| &kind.value), Some(Value::Text(kind)) if kind == "die");
        names.extend(is_die.then_some("value"));
        names.extend(group.get("sides").map(|_| "side"));
        let Some(Value::List(members)) = group.get("list").map(|list| &list.value) else { continue };
        for member in members {
            if let Value::Table(member) = &member.value {
                names.extend(member.keys().filter(|key| !member::SECTION.has(key)));
            }
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

fn read_zones(
    zones: &Fields<'_>,
    players: Option<(usize, usize)>,
    data: Option<&Fields<'_>>,
    checker: &mut Checker,
) -> Vec<ZoneDefinition> {
    if let Some((_, field)) = zones.each().nth(MAX_ZONE_DECLARATIONS) {
        too_many("zones", MAX_ZONE_DECLARATIONS, field.key, checker);
        return Vec::new();
    }
    let seats = players.map_or(MAX_SEATS, |(_, max)| max);
    let (mut read, mut in_all) = (Vec::new(), 0);
    let mut ids: BTreeSet<String> = zones.each().map(|(id, _)| id.to_owned()).collect();
    for (id, field) in zones.each() {
        let Some(zone) = read_zone(id, &field, data, checker) else { continue };
        if zone.ids.is_some() {
            check_place_ids(&zone, &field, &mut ids, checker);
        }
        in_all += zone.count.unwrap_or(1) * if zone.per_seat { seats } else { 1 };
        if in_all > MAX_ZONES_IN_ALL {
            let mut place = field.key.clone();
            place.label = format!("with this, a table of {seats} players has {in_all}");
            let trouble = Diagnostic::new(format!("a table can have {MAX_ZONES_IN_ALL} zones"));
            checker.report(trouble.at(place).help("give it fewer cells, or one for all instead of one for each seat"));
            return Vec::new();
        }
        read.push(zone);
    }
    read
}

fn read_zone(id: &str, field: &Field<'_>, data: Option<&Fields<'_>>, checker: &mut Checker) -> Option<ZoneDefinition> {
    let named = field.has_table_name(checker, id, "a zone");
    let fields = field.section(checker, &zone::SECTION)?;
    let name = fields.read(checker, &zone::NAME);
    let per_seat = fields.read(checker, &zone::PER);
    let board = read_board(&fields, data, checker).map(Arc::new);
    let count = fields.read(checker, &zone::COUNT).and_then(|count| usize::try_from(count).ok());
    let count = board.as_ref().map(|board| board.cells.len()).or(count);
    let ids = fields.read(checker, &zone::ID).map(str::to_owned);
    let order = fields.read(checker, &zone::ORDER);
    let visible = fields.read(checker, &zone::VISIBLE);
    check_owner(&fields, &zone::VISIBLE, visible, per_seat, checker);
    let mark = fields.read(checker, &zone::MARK);
    let note = fields.read(checker, &zone::NOTE);
    let (name, per_seat, order, visible) = (name?, per_seat?, order?, visible?);
    named.then(|| ZoneDefinition { id: id.to_owned(), name, per_seat, count, board, ids, visible, order, mark, note })
}

/// Checks the ids that a pattern gives to places: no other zone may have one of them.
fn check_place_ids(zone: &ZoneDefinition, field: &Field<'_>, known: &mut BTreeSet<String>, checker: &mut Checker) {
    let (Some(pattern), Some(board)) = (&zone.ids, &zone.board) else { return };
    let Some(written) = field.section(&mut Checker::new(true), &zone::SECTION).and_then(|keys| keys.find(&zone::ID))
    else {
        return;
    };
    let refuse = |message: String, label: &str| {
        let such =
            format!("such as `{}_{PLACE}`; without it a place is `{}.{}`", zone.id, zone.id, board.cells[0].name);
        Diagnostic::new(message).at(written.node.place(label)).help(such)
    };
    if pattern.matches(PLACE).count() != 1 || !is_identifier(&pattern.replace(PLACE, "x")) {
        let message = format!("`{pattern}` is no pattern for the ids of zones");
        return checker.report(refuse(message, "not a name with the place in it"));
    }
    let mut ids = board.cells.iter().map(|cell| pattern.replace(PLACE, &cell.name));
    if let Some(id) = ids.find(|id| !known.insert(id.clone())) {
        checker.report(refuse(format!("there are two zones of the id `{id}`"), "the same as another"));
    }
}

/// The name of what is left of a variable in the bank.
fn in_bank(language: Language, name: &str) -> String {
    fill(language.said("{} in the bank"), &[&name])
}

fn read_variables(all: &Fields<'_>, data: Option<&Fields<'_>>, checker: &mut Checker) -> Vec<VariableDefinition> {
    let mut score = VariableDefinition {
        id: "score".to_owned(),
        name: Text::from("score".to_owned()).translated(|language| Some(language.said("score"))),
        per_seat: true,
        by_team: false,
        default: VariableValue::Plain(Scalar::Number(0)),
        choices: Vec::new(),
        limits: (None, None),
        bank: Bank::None,
        shown: true,
        visible: Visibility::All,
        keeps: false,
    };
    let Some(declared) = all.read(checker, &overlaid::VARIABLES) else { return vec![score] };
    if let Some((_, field)) = declared.each().nth(MAX_VARIABLES) {
        too_many("variables", MAX_VARIABLES, field.key, checker);
        return vec![score];
    }
    let mut variables = Vec::new();
    for (id, field) in declared.each() {
        if id == "score" {
            let Some(fields) = field.table(checker) else { continue };
            fields.report_unknown_keys(checker, "`score`, which is always there", &[&variable::NAME, &variable::PER]);
            score.name = fields.read(checker, &variable::NAME).unwrap_or(score.name);
            if let Some(field) = fields.find(&variable::PER) {
                match fields.read(checker, &variable::PER) {
                    Some(VariableSharing::Table) => field.report_mismatch(checker, "\"seat\" or \"team\""),
                    sharing => score.by_team = sharing == Some(VariableSharing::Team),
                }
            }
        } else {
            variables.extend(read_variable(id, &field, data, checker));
        }
    }
    variables.insert(0, score);
    variables
}

/// Checks that nothing of the table is shown to its owner alone, or to all others: it has no owner.
fn check_owner(
    fields: &Fields<'_>,
    key: &dyn KeyInfo,
    visible: Option<Visibility>,
    per_seat: Option<bool>,
    checker: &mut Checker,
) {
    let Some(field) = fields.find(key).filter(|_| !checker.partial) else { return };
    if matches!(visible, Some(Visibility::Owner | Visibility::Others)) && per_seat == Some(false) {
        checker.report(
            Diagnostic::new(format!("`{}` is the table's and has no owner", fields.path))
                .at(field.node.place("it has no owner"))
                .help("give each seat one with per = \"seat\", or show it to `all` or `none`"),
        );
    }
}

/// Reads a variable and, where it has a bank, the table's variable for what is left there.
fn read_variable(
    id: &str,
    field: &Field<'_>,
    data: Option<&Fields<'_>>,
    checker: &mut Checker,
) -> Vec<VariableDefinition> {
    read_one(id, field, data, checker).unwrap_or_default()
}

fn read_one(
    id: &str,
    field: &Field<'_>,
    data: Option<&Fields<'_>>,
    checker: &mut Checker,
) -> Option<Vec<VariableDefinition>> {
    let named = field.has_table_name(checker, id, "a variable");
    let fields = field.section(checker, &variable::SECTION)?;
    let name = fields.read(checker, &variable::NAME);
    let sharing = fields.read(checker, &variable::PER);
    let per_seat = sharing.map(|sharing| sharing != VariableSharing::Table);
    let by_team = sharing == Some(VariableSharing::Team);
    let default = read_value(&fields, checker);
    let shown = fields.read(checker, &variable::SHOWN);
    let visible = fields.read(checker, &variable::VISIBLE);
    check_owner(&fields, &variable::VISIBLE, visible, per_seat, checker);
    let name = name.unwrap_or_else(|| Text::from(id.replace('_', " ")));
    let (per_seat, default, shown, visible) = (per_seat?, default?, shown?, visible?);
    let choices = read_choices(&fields, &default, data, checker);
    let (limits, bank) = read_limits(&fields, &default, per_seat, checker);
    let id = id.to_owned();
    let mut variables = Vec::new();
    if let Some(left) = bank {
        variables.push(VariableDefinition {
            id: id.clone(),
            name: Text::from(in_bank(Language::English, &name.en))
                .translated(|language| Some(in_bank(language, name.in_language(language)?))),
            per_seat: false,
            by_team: false,
            default: VariableValue::Plain(Scalar::Number(left)),
            choices: Vec::new(),
            limits: (Some(0), None),
            bank: Bank::Is,
            shown,
            visible: if visible == Visibility::All { visible } else { Visibility::None },
            keeps: false,
        });
    }
    let bank = if bank.is_some() { Bank::Has } else { Bank::None };
    let keeps = false;
    variables.push(VariableDefinition {
        id,
        name,
        per_seat,
        by_team,
        default,
        choices,
        limits,
        bank,
        shown,
        visible,
        keeps,
    });
    named.then_some(variables)
}

/// Reads the limits of a number, and how many lie in the bank at the start.
fn read_limits(
    fields: &Fields<'_>,
    default: &VariableValue,
    is_of_seats: bool,
    checker: &mut Checker,
) -> ((Option<i64>, Option<i64>), Option<i64>) {
    let [min, max] = [&variable::MIN, &variable::MAX].map(|key| fields.read(checker, key));
    let bank = fields.read(checker, &variable::BANK);
    let limits = (min.or(bank.map(|_| 0)), max);
    let keys: [&dyn KeyInfo; 3] = [&variable::MIN, &variable::MAX, &variable::BANK];
    let given = keys.into_iter().find_map(|key| Some((key.name(), fields.find(key)?)));
    let Some((key, field)) = given else { return (limits, bank) };
    let trouble = |message: String, help: &str| Diagnostic::new(message).at(field.node.place("")).help(help);
    match default {
        VariableValue::Plain(Scalar::Number(default)) => {
            if limits.0.is_some_and(|min| *default < min) || limits.1.is_some_and(|max| *default > max) {
                let message = format!("`{}` begins with {default}, which is not allowed", fields.path);
                checker.report(trouble(message, "change `default`, `min` or `max`"));
            }
        }
        _ => checker.report(trouble(format!("`{key}` is for a variable that holds a number"), "leave it out")),
    }
    let begun = match default {
        VariableValue::Plain(Scalar::Number(default)) => default.checked_mul(MAX_SEATS as i64),
        _ => Some(0),
    };
    if bank.is_some_and(|bank| begun.and_then(|begun| begun.checked_add(bank)).is_none()) {
        let message = format!("`{}` has more in all than can be counted", fields.path);
        checker.report(trouble(message, "what the bank and 16 players have is at most 9223372036854775807 together"));
        return (limits, None);
    }
    if bank.is_some() && !is_of_seats && !checker.partial {
        let message = format!("`{}` has a bank, but belongs to no seat", fields.path);
        let error = Diagnostic::new(message).at_maybe(fields.find(&variable::BANK).map(|field| field.node.place("")));
        checker.report(
            error.help("give each player or team its own: per = \"seat\" or per = \"team\"; the bank is the table's"),
        );
        return (limits, None);
    }
    (limits, bank)
}

/// Reads the texts that a variable can hold. Its default has to be among them, unless it is empty.
fn read_choices(
    fields: &Fields<'_>,
    default: &VariableValue,
    data: Option<&Fields<'_>>,
    checker: &mut Checker,
) -> Vec<String> {
    let Some(written) = fields.read(checker, &variable::CHOICES) else { return Vec::new() };
    if checker.partial && written.is_data_path() {
        return Vec::new();
    }
    let Some(elements) = written.resolve_list(data, checker) else { return Vec::new() };
    let choices: Vec<String> = elements.iter().filter_map(|element| Some(element.text(checker)?.to_owned())).collect();
    let place = || fields.find(&variable::CHOICES).map(|field| field.node.place("of these"));
    let error = match default {
        VariableValue::Plain(Scalar::Text(text)) if text.is_empty() || choices.contains(text) => return choices,
        VariableValue::Plain(Scalar::Text(text)) => {
            let trouble = Diagnostic::new(format!("the default {text:?} is not one of the choices"));
            trouble.help("begin with one of them, or with `\"\"` for none yet")
        }
        _ => Diagnostic::new("`choices` are for a variable that holds a text").help("leave `choices` out"),
    };
    checker.report(error.at_maybe(place()));
    choices
}

/// Reads the value of a variable at the start, or its type where no value can express that.
fn read_value(fields: &Fields<'_>, checker: &mut Checker) -> Option<VariableValue> {
    let default = fields.read(checker, &variable::DEFAULT);
    if fields.has(&variable::TYPE) {
        let held = fields.read(checker, &variable::TYPE)?;
        let Some(default) = default else { return Some(VariableValue::Nothing(held)) };
        let message = format!("`{}` has a `type`, so it cannot have a `default`", fields.path);
        let place = default.node.place("leave this out");
        let begins = match held {
            DeclaredType::Player => "it begins with `nobody`; the rules give it a player",
            DeclaredType::Component | DeclaredType::Zone => "it begins with nothing; the rules give it a value",
            _ => "it begins empty; the rules give it a value",
        };
        checker.report(Diagnostic::new(message).at(place).help(begins));
        return None;
    }
    let Some(default) = default else {
        fields.report_missing(checker, &variable::DEFAULT);
        return None;
    };
    let plain = default.node.value.plain();
    if plain.is_none() {
        default.report_mismatch(checker, "an integer, a boolean or a string");
    }
    plain.map(VariableValue::Plain)
}

/// Reads which variables carry over to the next game. What is left in a bank follows from what the players have.
fn read_keeps(
    kept: &Fields<'_>,
    zones: &[ZoneDefinition],
    variables: &mut [VariableDefinition],
    checker: &mut Checker,
) {
    for (id, field) in kept.each() {
        let Some(keeps) = field.truth(checker) else { continue };
        let mut is_known = false;
        for variable in variables.iter_mut().filter(|variable| variable.id == id && variable.bank != Bank::Is) {
            variable.keeps = keeps;
            is_known = true;
        }
        if is_known || checker.partial {
            continue;
        }
        let mut place = field.key.clone();
        place.label = "no such variable".to_owned();
        let trouble = Diagnostic::new(format!("`{id}` cannot be kept")).at(place);
        let known = || variables.iter().map(|variable| variable.id.as_str());
        checker.report(if zones.iter().any(|zone| zone.id == id) {
            let help = "every zone begins a game empty: keep its components in a variable of `type = \"components\"`";
            trouble.help(help)
        } else {
            trouble.near(id, known()).help("declare it: [variables] and the name = { default = 0 }")
        });
    }
}

/// Reads the bounds of measures, by their names in figures.
fn read_bounds(bounds: &Fields<'_>, checker: &mut Checker) -> BTreeMap<String, Bounds> {
    let mut read = BTreeMap::new();
    for (name, field) in bounds.each() {
        let Some(fields) = field.section(checker, &bound::SECTION) else { continue };
        let [min, max] = [&bound::MIN, &bound::MAX].map(|key| fields.read(checker, key));
        match (min, max) {
            (Some(min), Some(max)) if min > max => {
                let place =
                    fields.find(&bound::MIN).map(|min| min.node.place(format!("more than `max`, which is {max}")));
                checker.report(Diagnostic::new(format!("`bounds.{name}.min` is more than its `max`")).at_maybe(place));
            }
            _ => drop(read.insert(name.to_owned(), Bounds { min, max })),
        }
    }
    read
}

/// Reads the names of variables that decide between equal scores: each seat has them, and they hold numbers.
fn read_tie_breaks(elements: &[Field<'_>], variables: &[VariableDefinition], checker: &mut Checker) -> Vec<String> {
    let is_number = |variable: &&VariableDefinition| {
        variable.per_seat
            && variable.id != "score"
            && matches!(variable.default, VariableValue::Plain(Scalar::Number(_)))
    };
    let known = || variables.iter().filter(is_number).map(|variable| variable.id.as_str());
    let mut names = Vec::new();
    for element in elements {
        let Some(name) = element.text(checker) else { continue };
        if !checker.partial && !known().any(|id| id == name) {
            let place = element.node.place("no such variable of each seat");
            let trouble = Diagnostic::new(format!("`{name}` cannot decide between equal scores")).at(place);
            let trouble = trouble.near(name, known());
            checker.report(trouble.help("declare it: [variables] and the name = { per = \"seat\", default = 0 }"));
            continue;
        }
        names.push(name.to_owned());
    }
    names
}

/// Reports a name of both a zone and a variable: scripts reach them by name, `ring` of the table, `p.hand` of a seat.
fn check_collisions(
    all: &Fields<'_>,
    zones: &[ZoneDefinition],
    variables: &[VariableDefinition],
    checker: &mut Checker,
) {
    for variable in variables {
        let Some(zone) = zones.iter().find(|zone| zone.id == variable.id && zone.per_seat == variable.per_seat) else {
            continue;
        };
        let key = |table: &Key<SubTable>, label: &str| {
            let mut place = all.read(&mut Checker::new(true), table)?.table.entry(&zone.id)?.key.clone();
            place.label = label.to_owned();
            Some(place)
        };
        let mut trouble = Diagnostic::new(format!("`{}` is both a zone and a variable", zone.id));
        trouble.place = key(&overlaid::ZONES, "the zone");
        trouble.related.extend(key(&overlaid::VARIABLES, "the variable"));
        if variable.id == "score" {
            trouble.help.push("each seat always has a variable `score`".into());
        }
        checker.report(trouble);
    }
}

/// Reads texts for people, and which of them are prompts that are answered in secret.
fn read_text(text: &Fields<'_>, checker: &mut Checker) -> (BTreeMap<String, Text>, BTreeSet<String>) {
    let (mut texts, mut secrets) = (BTreeMap::new(), BTreeSet::new());
    for (key, field) in text.each() {
        let Some((text, is_secret)) = field.words_of_prompt(checker) else { continue };
        texts.insert(key.to_owned(), text);
        if is_secret {
            secrets.insert(key.to_owned());
        }
    }
    (texts, secrets)
}

fn too_many(what: &str, most: usize, place: &Place, checker: &mut Checker) {
    let mut place = place.clone();
    place.label = "one too many".to_owned();
    checker.report(Diagnostic::new(format!("there are more than {most} {what}")).at(place));
}
