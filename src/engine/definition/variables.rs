//! Variables: values that the table keeps, as a game declares them.

use super::keys::KeyInfo;
use super::keys::table::{overlaid, variable};
use super::schema::{Checker, Field, Fields};
use super::zones::{Visibility, ZoneDefinition, check_owner};
use super::{Language, MAX_SEATS, Scalar, Text};
use crate::catalogue::{Message, fill, message};
use crate::diagnostic::Diagnostic;

/// Most variables that can be declared.
const MAX_VARIABLES: usize = 256;

/// A value that the table keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct VariableDefinition {
    /// Id of the variable: `score`, `special_color`.
    pub id: String,
    /// The name that people read.
    pub name: Text,
    /// Whether each seat has such a variable; otherwise the table has one.
    pub per_seat: bool,
    /// For a variable of each seat, whether the seats of a team always share one value.
    pub by_team: bool,
    /// The value at the start; its type is the variable's type.
    pub default: VariableValue,
    /// The texts that are allowed; empty where any is.
    pub choices: Vec<String>,
    /// The lowest and the highest number that are allowed.
    pub limits: (Option<i64>, Option<i64>),
    /// Whether what players gain comes out of a bank.
    pub bank: Bank,
    /// Whether the table draws the variable; one for internal bookkeeping need not be seen.
    pub shown: bool,
    /// Who may read the variable: all, the seat that it belongs to, or nobody.
    pub visible: Visibility,
    /// Whether the next game of a campaign begins with the value that the variable has at the end of this one.
    pub keeps: bool,
}

/// The owner of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableSharing {
    /// Each seat has its own.
    Seat,
    /// Each team has one: its seats always have the same value.
    Team,
    /// The table has the only one.
    Table,
}

/// The value of a variable at the start, which says what it can hold.
#[derive(Clone, Debug, PartialEq)]
pub enum VariableValue {
    /// A number, a truth or a text.
    Plain(Scalar),
    /// Nothing yet, for a type that no default can express.
    Nothing(DeclaredType),
}

/// Whether a number is counted out of a bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bank {
    /// There is no bank.
    #[default]
    None,
    /// There is a bank: what one player gains, the bank or another player loses.
    Has,
    /// This variable is the bank: what is left for the players' variable of the same name.
    Is,
}

/// The type of a variable that no default can express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredType {
    /// A player, or nobody.
    Player,
    /// A component, or none.
    Component,
    /// A zone, or none.
    Zone,
    /// Several players, each once.
    Players,
    /// Several components, each once.
    Components,
    /// Several zones, each once.
    Zones,
    /// Any values.
    List,
}

/// The name of what is left of a variable in the bank.
fn in_bank(language: Language, name: &str) -> String {
    fill(language.words().in_bank, &[&name])
}

/// Reads the variables, in order of declaration; `score` comes first.
pub(super) fn read_variables(
    all: &Fields<'_>,
    data: Option<&Fields<'_>>,
    checker: &mut Checker,
) -> Vec<VariableDefinition> {
    let mut score = VariableDefinition {
        id: "score".to_owned(),
        name: Text::from("score".to_owned()).translated(|language| Some(language.words().score)),
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
        checker.report_too_many("variables", MAX_VARIABLES, field.key);
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
            variables.extend(read_variable(id, &field, data, checker).into_iter().flatten());
        }
    }
    variables.insert(0, score);
    variables
}

/// Reads a variable and, where it has a bank, the table's variable for what is left there.
fn read_variable(
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
    let trouble = |message: Message, help: &'static str| Diagnostic::new(message).at(field.node.place("")).help(help);
    match default {
        VariableValue::Plain(Scalar::Number(default)) => {
            if limits.0.is_some_and(|min| *default < min) || limits.1.is_some_and(|max| *default > max) {
                let message = message!("`{}` begins with {default}, which is not allowed", fields.path);
                checker.report(trouble(message, "change `default`, `min` or `max`"));
            }
        }
        _ => checker.report(trouble(message!("`{key}` is for a variable that holds a number"), "leave it out")),
    }
    let begun = match default {
        VariableValue::Plain(Scalar::Number(default)) => default.checked_mul(MAX_SEATS as i64),
        _ => Some(0),
    };
    if bank.is_some_and(|bank| begun.and_then(|begun| begun.checked_add(bank)).is_none()) {
        let message = message!("`{}` has more in all than can be counted", fields.path);
        checker.report(trouble(message, "what the bank and 16 players have is at most 9223372036854775807 together"));
        return (limits, None);
    }
    if bank.is_some() && !is_of_seats && !checker.partial {
        let message = message!("`{}` has a bank, but belongs to no seat", fields.path);
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
            let trouble = Diagnostic::new(message!("the default {text:?} is not one of the choices"));
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
        let message = message!("`{}` has a `type`, so it cannot have a `default`", fields.path);
        let place = default.node.place("leave this out");
        let begins = match held {
            DeclaredType::Player => "it begins with `nobody`; the rules give it a player",
            DeclaredType::Component | DeclaredType::Zone => "it begins with nothing; the rules give it a value",
            _ => "it begins empty; the rules give it a value",
        };
        return checker.refuse(Diagnostic::new(message).at(place).help(begins));
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
pub(super) fn read_keeps(
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
        let trouble = Diagnostic::new(message!("`{id}` cannot be kept")).at(field.key.with_label("no such variable"));
        let known = || variables.iter().map(|variable| variable.id.as_str());
        checker.report(if zones.iter().any(|zone| zone.id == id) {
            let help = "every zone begins a game empty: keep its components in a variable of `type = \"components\"`";
            trouble.help(help)
        } else {
            trouble.near(id, known()).help("declare it: [variables] and the name = { default = 0 }")
        });
    }
}

/// Reads the names of variables that decide between equal scores: each seat has them, and they hold numbers.
pub(super) fn read_tie_breaks(
    elements: &[Field<'_>],
    variables: &[VariableDefinition],
    checker: &mut Checker,
) -> Vec<String> {
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
            let trouble = Diagnostic::new(message!("`{name}` cannot decide between equal scores")).at(place);
            let trouble = trouble.near(name, known());
            checker.report(trouble.help("declare it: [variables] and the name = { per = \"seat\", default = 0 }"));
            continue;
        }
        names.push(name.to_owned());
    }
    names
}
