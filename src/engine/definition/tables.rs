//! Reading the tables that layers lay over each other into a [`Definition`].

use super::attributes::read_attributes;
use super::bounds::read_bounds;
use super::components::read_components;
use super::design::read_designs;
use super::keys::Key;
use super::keys::kind::SubTable;
use super::keys::table::{overlaid, players};
use super::schema::{Checker, Fields};
use super::tree::TomlTable;
use super::variables::{VariableDefinition, read_keeps, read_tie_breaks, read_variables};
use super::zones::{ZoneDefinition, read_zones};
use super::{Definition, MAX_SEATS, Text};
use crate::catalogue::message;
use crate::diagnostic::{Diagnostic, Place};
use crate::sorted::{SortedMap, SortedSet};

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
        let place = fields.find(&players::MIN)?.node.place(message!("more than `max`, which is {max}"));
        return checker.refuse(Diagnostic::new("`players.min` is more than `players.max`").at(place));
    }
    Some((min, max))
}

/// Reads the teams for each number of players: lists of seats, of which each stands there at most once.
fn read_teams(
    teams: &Fields<'_>,
    players: Option<(usize, usize)>,
    checker: &mut Checker,
) -> SortedMap<usize, Vec<Vec<usize>>> {
    let mut read = SortedMap::new();
    for (key, field) in teams.each() {
        let (min, max) = players.unwrap_or((1, MAX_SEATS));
        let Some(count) = key.parse::<usize>().ok().filter(|count| (min..=max).contains(count)) else {
            let place = field.key.with_label(message!("expected a number of players, from {min} to {max}"));
            let trouble = Diagnostic::new(message!("`{key}` is not a number of players of this game")).at(place);
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
                    checker.report(Diagnostic::new(message!("player {number} is in two places")).at(place));
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
        let key = |table: &Key<SubTable>, label: &'static str| {
            Some(all.read(&mut Checker::new(true), table)?.table.entry(&zone.id)?.key.with_label(label))
        };
        let mut trouble = Diagnostic::new(message!("`{}` is both a zone and a variable", zone.id));
        trouble.place = key(&overlaid::ZONES, "the zone");
        trouble.related.extend(key(&overlaid::VARIABLES, "the variable"));
        if variable.id == "score" {
            trouble.help.push("each seat always has a variable `score`".into());
        }
        checker.report(trouble);
    }
}

/// Reads texts for people, and which of them are prompts that are answered in secret.
fn read_text(text: &Fields<'_>, checker: &mut Checker) -> (SortedMap<String, Text>, SortedSet<String>) {
    let (mut texts, mut secrets) = (SortedMap::new(), SortedSet::new());
    for (key, field) in text.each() {
        let Some((text, is_secret)) = field.words_of_prompt(checker) else { continue };
        texts.insert(key.to_owned(), text);
        if is_secret {
            secrets.insert(key.to_owned());
        }
    }
    (texts, secrets)
}
