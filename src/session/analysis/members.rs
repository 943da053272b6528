//! What can stand behind a dot in an expression: the sort of thing that stands before it, and what such a thing has.
//!
//! Sorts are read from the text alone. Nothing is evaluated to complete a word, so that nothing hidden is told and
//! nothing can take long.

use super::{Analysis, Candidate};
use crate::catalogue::{said, say};
use crate::definition::{Setting, Visibility, ZoneDefinition};
use crate::screen::style;
use crate::script::sorts::Sort;
use crate::script::vocabulary::{Form, Gives, Word, words};
use crate::table::layout::{FaceValue, Layout};
use crate::table::value::{NOBODY, NOTHING, Seats};

/// How wide a value of the data may be beside its key.
const VALUE_COLUMNS: usize = 30;

/// How many values of an attribute are told.
const VALUES_TOLD: usize = 8;

/// What an expression gives.
#[derive(Clone, Debug, PartialEq)]
enum ExprValue {
    /// The table itself, with its variables.
    Table,
    /// The data at a path.
    Data(Vec<String>),
    /// The settings of the layers.
    Settings,
    /// Anything else, as the vocabulary knows it.
    Of(Sort),
}

/// One link of a chain such as `p1.hand.sorted("number")[0]`.
#[derive(Debug, PartialEq)]
struct Link {
    name: String,
    /// Whether arguments stand behind it.
    is_called: bool,
    /// How often an entry is taken of it.
    indexes: usize,
}

/// Something that a thing has.
struct Member {
    name: String,
    /// What has to be typed: a bracket stands behind what takes arguments.
    text: String,
    sort: Option<ExprValue>,
    about: String,
}

/// Where the word at the end of an expression begins, and what can stand there.
pub(super) fn candidates(analysis: Analysis<'_>, line: &str) -> Option<(usize, Vec<Candidate>)> {
    let start = line.trim_end_matches(is_in_name).len();
    let (before, begun) = line.split_at(start);
    let chain = before.strip_suffix('.')?;
    let sort = sort_of(analysis, chain)?;
    let members = members(analysis, &sort).into_iter().filter(|member| member.text.starts_with(begun));
    Some((start, members.map(|member| Candidate::new(member.text, member.about)).collect()))
}

/// Whether a letter can belong to a name of the rules' language.
pub fn is_in_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// What the chain at the end of a text is; nothing where that cannot be told from the text.
fn sort_of(analysis: Analysis<'_>, text: &str) -> Option<ExprValue> {
    let (links, before) = chain(text)?;
    let mut links = links.iter();
    let first = links.next()?;
    let mut sort = entries(root(analysis, first, before)?, first.indexes)?;
    for link in links {
        let found = members(analysis, &sort).into_iter().find(|member| {
            member.name == link.name
                && (!matches!(sort, ExprValue::Of(_)) || member.text.contains('(') == link.is_called)
        })?;
        sort = entries(found.sort?, link.indexes)?;
    }
    Some(sort)
}

/// What stands at the beginning of a chain.
fn root(analysis: Analysis<'_>, link: &Link, before: &str) -> Option<ExprValue> {
    let layout = &analysis.loaded.layout;
    let name = link.name.as_str();
    if link.is_called {
        let word = words().find(|word| word.form == Form::Function && word.name == name)?;
        return result(word, &ExprValue::Of(Sort::Nothing));
    }
    match name {
        "players" => return Some(ExprValue::Of(Sort::Players)),
        "table" => return Some(ExprValue::Table),
        "data" => return Some(ExprValue::Data(Vec::new())),
        "settings" => return Some(ExprValue::Settings),
        _ => {}
    }
    if Seats::all(layout.seats).into_iter().any(|seat| seat.to_string() == name) {
        return Some(ExprValue::Of(Sort::Player));
    }
    let zone = layout.definition.zones.iter().find(|zone| !zone.per_seat && zone.id == name);
    zone.map(sort_of_zone).or_else(|| parameter(analysis, name, before))
}

/// What a name stands for that a function without a name or a loop has given: an entry of what it goes through.
fn parameter(analysis: Analysis<'_>, name: &str, before: &str) -> Option<ExprValue> {
    let closure = before.rfind(&format!("|{name}|")).or_else(|| before.rfind(&format!("|{name},")));
    let list = match (closure, before.rfind(&format!("for {name} in "))) {
        (Some(closure), _) => {
            // `players.any(|p| …`, `p1.choose("card", p1.hand, |card| …`
            let call = before.get(..closure)?;
            let inside = call.trim_end().strip_suffix([',', '(']).unwrap_or(call);
            let (links, before) = chain(inside)?;
            match links.last()?.name.as_str() {
                name if words().any(|word| word.form == Form::Callback && word.name == name) => {
                    let receiver = inside.get(..inside.len().checked_sub(name.len() + 1)?)?;
                    sort_of(analysis, receiver)
                }
                _ => sort_of(analysis, &format!("{before}{}", inside.get(before.len()..)?)),
            }
        }
        (None, Some(at)) => {
            let behind = before.get(at + "for ".len() + name.len() + " in ".len()..)?;
            sort_of(analysis, behind.split('{').next()?.trim_end())
        }
        (None, None) => None,
    };
    entry_of(&list?)
}

/// A sort after so many entries were taken of it.
fn entries(sort: ExprValue, count: usize) -> Option<ExprValue> {
    (0..count).try_fold(sort, |sort, _| entry_of(&sort))
}

/// What the entries of a list are.
fn entry_of(sort: &ExprValue) -> Option<ExprValue> {
    match sort {
        ExprValue::Of(Sort::Players) => Some(ExprValue::Of(Sort::Player)),
        ExprValue::Of(Sort::Zone | Sort::Components) => Some(ExprValue::Of(Sort::Component)),
        ExprValue::Of(Sort::Zones) => Some(ExprValue::Of(Sort::Zone)),
        ExprValue::Of(Sort::Options) => Some(ExprValue::Of(Sort::Option)),
        _ => None,
    }
}

/// The chain that a text ends with, and what stands before it.
fn chain(text: &str) -> Option<(Vec<Link>, &str)> {
    let mut rest = text;
    let mut links = Vec::new();
    loop {
        let (mut is_called, mut indexes) = (false, 0);
        while let Some(open) = rest.chars().next_back().filter(|letter| matches!(letter, ')' | ']')) {
            let opening = opening(rest)?;
            if open == ']' {
                indexes += 1;
            } else if indexes == 0 || is_called {
                is_called = true;
            }
            is_called |= open == ')';
            rest = rest.get(..opening)?;
        }
        let start = rest.trim_end_matches(is_in_name).len();
        let name = rest.get(start..)?.to_owned();
        if name.is_empty() {
            return None;
        }
        links.push(Link { name, is_called, indexes });
        rest = rest.get(..start)?;
        match rest.strip_suffix('.') {
            Some(before) => rest = before,
            None => break,
        }
    }
    links.reverse();
    Some((links, rest))
}

/// Where the bracket opens that a text ends with.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices().rev() {
        match letter {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Everything that a thing has: what the game declares first, then the words.
fn members(analysis: Analysis<'_>, sort: &ExprValue) -> Vec<Member> {
    let mut found = match sort {
        ExprValue::Table => variables(analysis, false),
        ExprValue::Of(Sort::Player) => zones(analysis).into_iter().chain(variables(analysis, true)).collect(),
        ExprValue::Of(Sort::Component) => attributes(analysis),
        ExprValue::Data(path) => data(analysis, path),
        ExprValue::Settings => settings(analysis),
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
        found.push(Member { name: word.name.to_owned(), text, sort: result(word, sort), about });
    }
    // What begins with `_` is nobody else's business.
    found.sort_by_key(|member| member.text.starts_with('_'));
    found
}

/// What a word gives.
fn result(word: &Word, receiver: &ExprValue) -> Option<ExprValue> {
    match word.result {
        Gives::SameSort => match receiver {
            ExprValue::Of(Sort::Zone) => Some(ExprValue::Of(Sort::Components)),
            other => Some(other.clone()),
        },
        Gives::OneOfThem => entry_of(receiver),
        Gives::Value | Gives::Sort(Sort::Nothing | Sort::Truth) => None,
        Gives::Sort(sort) => Some(ExprValue::Of(sort)),
    }
}

fn sort_of_zone(zone: &ZoneDefinition) -> ExprValue {
    ExprValue::Of(if zone.count.is_some() { Sort::Zones } else { Sort::Zone })
}

/// Who sees what lies in a zone, in a few words.
pub(super) fn who_sees(zone: &ZoneDefinition) -> &'static str {
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

fn zones(analysis: Analysis<'_>) -> Vec<Member> {
    let definition = &analysis.loaded.layout.definition;
    let zones = definition.zones.iter().filter(|zone| zone.per_seat);
    let member = |zone: &ZoneDefinition| {
        let several = zone.count.map_or_else(|| said("zone").to_owned(), |count| say!("{count} zones"));
        let about = format!("{several} · {}{}{}", zone.name.get(analysis.language), said(", "), said(who_sees(zone)));
        Member { name: zone.id.clone(), text: zone.id.clone(), sort: Some(sort_of_zone(zone)), about }
    };
    zones.map(member).collect()
}

fn variables(analysis: Analysis<'_>, per_seat: bool) -> Vec<Member> {
    let definition = &analysis.loaded.layout.definition;
    let variables = definition.variables.iter().filter(|variable| variable.per_seat == per_seat);
    let member = |variable: &crate::definition::VariableDefinition| {
        use crate::definition::{Held, Plain, VariableValue};
        let (sort, default) = match &variable.default {
            VariableValue::Plain(plain @ Plain::Number(_)) => (Sort::Number, plain.to_string()),
            VariableValue::Plain(plain @ Plain::Truth(_)) => (Sort::Truth, plain.to_string()),
            VariableValue::Plain(plain @ Plain::Text(_)) => (Sort::Text, plain.to_string()),
            VariableValue::Nothing(Held::Player) => (Sort::Player, NOBODY.to_owned()),
            VariableValue::Nothing(Held::Component) => (Sort::Component, NOTHING.to_owned()),
            VariableValue::Nothing(Held::Zone) => (Sort::Zone, NOTHING.to_owned()),
            VariableValue::Nothing(Held::Players) => (Sort::Players, said("none").to_owned()),
            VariableValue::Nothing(Held::Components) => (Sort::Components, said("none").to_owned()),
            VariableValue::Nothing(Held::Zones) => (Sort::Zones, said("none").to_owned()),
            VariableValue::Nothing(Held::List) => (Sort::List, said("empty").to_owned()),
        };
        let about = say!("{} · {}, at first {default}", said(sort.name()), variable.name.get(analysis.language));
        let has_members = (![Sort::Truth, Sort::Text].contains(&sort)).then_some(ExprValue::Of(sort));
        Member { name: variable.id.clone(), text: variable.id.clone(), sort: has_members, about }
    };
    variables.map(member).collect()
}

/// The attributes that some component has, with a few of their values.
fn attributes(analysis: Analysis<'_>) -> Vec<Member> {
    let layout = &analysis.loaded.layout;
    let member = |name: &String| {
        let about = attribute_in_words(layout, name)?;
        Some(Member { name: name.clone(), text: name.clone(), sort: None, about })
    };
    layout.attributes.iter().filter_map(member).collect()
}

/// What values an attribute has; nothing where no component has it.
pub(super) fn attribute_in_words(layout: &Layout, name: &str) -> Option<String> {
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
        if words.len() > VALUES_TOLD {
            break;
        }
    }
    match (numbers.next(), words.is_empty()) {
        (Some(first), _) => {
            let (low, high) = numbers.fold((first, first), |(low, high), next| (low.min(next), high.max(next)));
            Some(say!("number · {low} to {high}"))
        }
        (None, false) => {
            let more = if words.len() > VALUES_TOLD { " …" } else { "" };
            words.truncate(VALUES_TOLD);
            Some(say!("text · {}{more}", words.join(", ")))
        }
        (None, true) => None,
    }
}

/// The keys of the data at a path, with what stands there.
fn data(analysis: Analysis<'_>, path: &[String]) -> Vec<Member> {
    let definition = &analysis.loaded.layout.definition;
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
        Member { name: key.clone(), text: key.clone(), sort, about: shown(value) }
    };
    // A key that is no name is reached by `data["key"]`.
    let is_name = |key: &str| key.chars().all(is_in_name) && !key.starts_with(|first: char| first.is_ascii_digit());
    table.iter().filter(|(key, _)| is_name(key)).map(member).collect()
}

fn settings(analysis: Analysis<'_>) -> Vec<Member> {
    let ruleset = &analysis.loaded.ruleset;
    let layers = ruleset.layers();
    let mut found = Vec::new();
    for (layer, (_, values)) in layers.zip(&ruleset.settings) {
        let member = |(key, setting): (&String, &Setting)| {
            let value = values.get(key).unwrap_or(&setting.default);
            let about = say!("{} · of {}", shown(value), layer.id);
            Member { name: key.clone(), text: key.clone(), sort: None, about }
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
    format!("{sort} · {}", style::cut(&value.to_string(), VALUE_COLUMNS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        chain(text).map_or_else(Vec::new, |(links, _)| links.into_iter().map(|link| link.name).collect())
    }

    #[test]
    fn a_chain_is_read_from_its_end() {
        assert_eq!(names("p1.hand"), ["p1", "hand"]);
        assert_eq!(names("1 + p1.hand.sorted(\"number\")[0]"), ["p1", "hand", "sorted"]);
        assert_eq!(names("f(players[1].columns[2])"), ["f"]);
        assert_eq!(names("if (ring"), ["ring"]);
        assert_eq!(names(""), [""; 0]);
        assert_eq!(names("(1 + 2)"), [""; 0]);
        let (links, before) = chain("a && p1.columns[1]").unwrap_or_default();
        assert_eq!((links.last().map(|link| link.indexes), before), (Some(1), "a && "));
    }
}
