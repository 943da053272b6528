//! The members of a value by its type: what can follow a dot.

use crate::catalogue::{said, say};
use crate::definition::{Language, Setting, Visibility, ZoneDefinition};
use crate::ruleset::Ruleset;
use crate::screen::style;
use crate::script::sorts::Sort;
use crate::script::tokens::is_in_name;
use crate::script::vocabulary::{Form, ResultSort, Word, words};
use crate::table::layout::{FaceValue, Layout};
use crate::table::value::{NOBODY, NOTHING};

/// Most columns of a data value shown beside its key.
const MAX_VALUE_COLUMNS: usize = 30;

/// Most values of an attribute listed.
const MAX_LISTED_VALUES: usize = 8;

/// The declarations of a game, for looking up names.
#[derive(Clone, Copy)]
pub struct Game<'a> {
    /// The compiled declarations.
    pub layout: &'a Layout,
    /// The layers of the rules.
    pub ruleset: &'a Ruleset,
    /// The language of names.
    pub language: Language,
}

/// The type of an expression's value, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprValue {
    /// The global `table`, with the shared variables.
    Table,
    /// The data at a path of keys.
    Data(Vec<String>),
    /// The global `settings`.
    Settings,
    /// Any other value, by its sort in the vocabulary.
    Of(Sort),
}

/// A member of a value.
#[derive(Clone, Debug)]
pub struct Member {
    /// The member's name.
    pub name: String,
    /// The text to type, with an opening parenthesis if it takes arguments.
    pub text: String,
    /// The type of the member; `None` where it is unknown or has no members.
    pub sort: Option<ExprValue>,
    /// A description in one line.
    pub about: String,
    /// Whether it is a word of the vocabulary, and not declared by the game.
    pub is_word: bool,
}

/// The type after indexing `count` times.
pub fn entries(sort: ExprValue, count: usize) -> Option<ExprValue> {
    (0..count).try_fold(sort, |sort, _| entry_of(&sort))
}

/// The type of the elements of a list.
pub fn entry_of(sort: &ExprValue) -> Option<ExprValue> {
    match sort {
        ExprValue::Of(Sort::Players) => Some(ExprValue::Of(Sort::Player)),
        ExprValue::Of(Sort::Zone | Sort::Components) => Some(ExprValue::Of(Sort::Component)),
        ExprValue::Of(Sort::Zones) => Some(ExprValue::Of(Sort::Zone)),
        ExprValue::Of(Sort::Options) => Some(ExprValue::Of(Sort::Option)),
        _ => None,
    }
}

/// The members of a value: first those declared by the game, then the words of the vocabulary.
pub fn members(game: Game<'_>, sort: &ExprValue) -> Vec<Member> {
    let mut found = match sort {
        ExprValue::Table => variables(game, false),
        ExprValue::Of(Sort::Player) => zones(game).into_iter().chain(variables(game, true)).collect(),
        ExprValue::Of(Sort::Component) => attributes(game),
        ExprValue::Data(path) => data(game, path),
        ExprValue::Settings => settings(game),
        ExprValue::Of(_) => Vec::new(),
    };
    let receiver = match sort {
        ExprValue::Of(sort) => *sort,
        ExprValue::Data(_) => Sort::Data,
        ExprValue::Table | ExprValue::Settings => return found,
    };
    for word in words().filter(|word| word.receivers.contains(&receiver) && word.form != Form::Operator) {
        let text = match (word.form, word.parameters) {
            (Form::Property, _) => word.name.to_owned(),
            (_, []) => format!("{}()", word.name),
            _ => format!("{}(", word.name),
        };
        if found.iter().any(|member: &Member| member.text == text) {
            continue;
        }
        let first = word.doc.split(". ").next().unwrap_or_default().lines().next().unwrap_or_default();
        let about = format!("→ {} · {}", said(word.result.name()), first.trim().trim_end_matches('.'));
        found.push(Member { name: word.name.to_owned(), text, sort: result(word, sort), about, is_word: true });
    }
    // Names that begin with `_` are private by convention, so they come last.
    found.sort_by_key(|member| member.text.starts_with('_'));
    found
}

/// The type of a word's result.
pub fn result(word: &Word, receiver: &ExprValue) -> Option<ExprValue> {
    match word.result {
        ResultSort::SameSort => match receiver {
            ExprValue::Of(Sort::Zone) => Some(ExprValue::Of(Sort::Components)),
            other => Some(other.clone()),
        },
        ResultSort::OneOfThem => entry_of(receiver),
        ResultSort::Value | ResultSort::Sort(Sort::Nothing | Sort::Truth) => None,
        ResultSort::Sort(sort) => Some(ExprValue::Of(sort)),
    }
}

pub fn sort_of_zone(zone: &ZoneDefinition) -> ExprValue {
    ExprValue::Of(if zone.count.is_some() { Sort::Zones } else { Sort::Zone })
}

/// Who can see the components in a zone, in a few words.
pub fn who_sees(zone: &ZoneDefinition) -> &'static str {
    match (zone.visible, zone.per_seat) {
        (Visibility::All, _) | (Visibility::Others, false) => "everybody sees it",
        (Visibility::Owner, true) => "only its player sees it",
        (Visibility::Others, true) => "everybody but its player sees it",
        (Visibility::Owner, false) | (Visibility::None, _) => "nobody sees it",
        (Visibility::Top, _) => "everybody sees only the top one",
        (Visibility::Once, false) => "everybody sees the top one, until the next covers it",
        (Visibility::Once, true) => "its player sees the top one, until the next covers it",
    }
}

fn zones(game: Game<'_>) -> Vec<Member> {
    let definition = &game.layout.definition;
    let zones = definition.zones.iter().filter(|zone| zone.per_seat);
    let member = |zone: &ZoneDefinition| {
        let several = zone.count.map_or_else(|| said("zone").to_owned(), |count| say!("{count} zones"));
        let about = format!("{several} · {}{}{}", zone.name.get(game.language), said(", "), said(who_sees(zone)));
        Member { name: zone.id.clone(), text: zone.id.clone(), sort: Some(sort_of_zone(zone)), about, is_word: false }
    };
    zones.map(member).collect()
}

fn variables(game: Game<'_>, per_seat: bool) -> Vec<Member> {
    let definition = &game.layout.definition;
    let variables = definition.variables.iter().filter(|variable| variable.per_seat == per_seat);
    let member = |variable: &crate::definition::VariableDefinition| {
        use crate::definition::{DeclaredType, Scalar, VariableValue};
        let (sort, default) = match &variable.default {
            VariableValue::Plain(plain @ Scalar::Number(_)) => (Sort::Number, plain.to_string()),
            VariableValue::Plain(plain @ Scalar::Truth(_)) => (Sort::Truth, plain.to_string()),
            VariableValue::Plain(plain @ Scalar::Text(_)) => (Sort::Text, plain.to_string()),
            VariableValue::Nothing(DeclaredType::Player) => (Sort::Player, NOBODY.to_owned()),
            VariableValue::Nothing(DeclaredType::Component) => (Sort::Component, NOTHING.to_owned()),
            VariableValue::Nothing(DeclaredType::Zone) => (Sort::Zone, NOTHING.to_owned()),
            VariableValue::Nothing(DeclaredType::Players) => (Sort::Players, said("none").to_owned()),
            VariableValue::Nothing(DeclaredType::Components) => (Sort::Components, said("none").to_owned()),
            VariableValue::Nothing(DeclaredType::Zones) => (Sort::Zones, said("none").to_owned()),
            VariableValue::Nothing(DeclaredType::List) => (Sort::List, said("empty").to_owned()),
        };
        let about = say!("{} · {}, at first {default}", said(sort.name()), variable.name.get(game.language));
        let has_members = (![Sort::Truth, Sort::Text].contains(&sort)).then_some(ExprValue::Of(sort));
        Member { name: variable.id.clone(), text: variable.id.clone(), sort: has_members, about, is_word: false }
    };
    variables.map(member).collect()
}

/// The attributes of components, with a few of their values.
fn attributes(game: Game<'_>) -> Vec<Member> {
    let layout = game.layout;
    let member = |name: &String| {
        let about = attribute_in_words(layout, name)?;
        Some(Member { name: name.clone(), text: name.clone(), sort: None, about, is_word: false })
    };
    layout.attributes.iter().filter_map(member).collect()
}

/// The values of an attribute; `None` where no component has it.
pub fn attribute_in_words(layout: &Layout, name: &str) -> Option<String> {
    let number = layout.attributes.iter().position(|attribute| attribute == name)?;
    let values = layout.values.get(number)?;
    let mut numbers = values.iter().filter_map(|value| match value {
        FaceValue::Number(number) => Some(*number),
        _ => None,
    });
    let mut words: Vec<&str> = Vec::new();
    for value in values {
        let FaceValue::Word(word) = value else { continue };
        let word = layout.words.get(usize::from(*word)).map(|word| &**word);
        words.extend(word.filter(|word| !words.contains(word)));
        if words.len() > MAX_LISTED_VALUES {
            break;
        }
    }
    match (numbers.next(), words.is_empty()) {
        (Some(first), _) => {
            let (low, high) = numbers.fold((first, first), |(low, high), next| (low.min(next), high.max(next)));
            Some(say!("number · {low} to {high}"))
        }
        (None, false) => {
            let more = if words.len() > MAX_LISTED_VALUES { " …" } else { "" };
            words.truncate(MAX_LISTED_VALUES);
            Some(say!("text · {}{more}", words.join(", ")))
        }
        (None, true) => None,
    }
}

/// The keys of the data at a path, with their values.
fn data(game: Game<'_>, path: &[String]) -> Vec<Member> {
    let definition = &game.layout.definition;
    let mut table = &definition.data;
    for key in path {
        match table.get(key) {
            Some(toml::Value::Table(inner)) => table = inner,
            _ => return Vec::new(),
        }
    }
    let member = |(key, value): (&String, &toml::Value)| {
        let sort = ExprValue::Data(path.iter().chain([key]).cloned().collect());
        let sort = Some(sort).filter(|_| value.is_table() || value.is_array());
        Member { name: key.clone(), text: key.clone(), sort, about: shown(value), is_word: false }
    };
    // A key that is no identifier is only accessible as `data["key"]`.
    let is_name = |key: &str| key.chars().all(is_in_name) && !key.starts_with(|first: char| first.is_ascii_digit());
    table.iter().filter(|(key, _)| is_name(key)).map(member).collect()
}

fn settings(game: Game<'_>) -> Vec<Member> {
    let ruleset = game.ruleset;
    let layers = ruleset.layers();
    let mut found = Vec::new();
    for (layer, (_, values)) in layers.zip(&ruleset.settings) {
        let member = |(key, setting): (&String, &Setting)| {
            let value = values.get(key).unwrap_or(&setting.default);
            let about = say!("{} · of {}", shown(value), layer.id);
            Member { name: key.clone(), text: key.clone(), sort: None, about, is_word: false }
        };
        found.extend(layer.settings.iter().map(member));
    }
    found
}

fn shown(value: &toml::Value) -> String {
    let sort = match value {
        toml::Value::Integer(_) => said("number"),
        toml::Value::Boolean(_) => said("truth"),
        toml::Value::Array(_) => said("list"),
        toml::Value::Table(_) => said("table"),
        _ => said("text"),
    };
    format!("{sort} · {}", style::cut(&value.to_string(), MAX_VALUE_COLUMNS))
}
