//! The accepted spellings of an option: its label, its value as the log stores it, its drawn name in every language,
//! and for a component, all its other names.

use crate::definition::Language;
use crate::diagnostic::{Diagnostic, Diagnostics, message};
use crate::playthrough::chosen_value::ChosenValue;
use crate::table::State;
use crate::table::decision::{Decision, OptionShown};
use crate::table::knowledge::Front;
use crate::table::layout::Layout;
use crate::table::names::{self, NameMatch, Names, plain};
use crate::table::value::{Component, Seat, Value};

/// How certainly a text means an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// The full label or name, the detail drawn after it, or the full text of a component.
    Named,
    /// The beginning of a name.
    Begun,
    /// The beginning of a name, or part of a component's text.
    Hinted,
    /// The full name of the only component in an option of several parts: `heart-3` for `load heart-3`.
    Contained,
}

/// The accepted spellings of one option.
#[derive(Clone, Debug)]
pub struct OptionSpelling {
    label: String,
    value: String,
    names: Vec<String>,
    details: Vec<String>,
    front: Option<Front>,
    /// The front of the only component in an option of several parts.
    contained: Option<Front>,
}

impl OptionSpelling {
    /// The spellings of each of some options of a decision.
    pub fn of_each<'o>(
        layout: &Layout,
        table: &State,
        decision: &'o Decision,
        options: impl Iterator<Item = &'o OptionShown> + Clone,
    ) -> Vec<Self> {
        let all = decision.options.iter().map(|option| &option.value);
        let values = ChosenValue::of_each(layout, &table.faces, options.clone().map(|option| &option.value), all);
        let spelled = options.zip(values);
        spelled.map(|(option, value)| Self::of(layout, table, decision.seat, option, &value)).collect()
    }

    fn of(layout: &Layout, table: &State, asked: Option<Seat>, option: &OptionShown, value: &ChosenValue) -> Self {
        let front = match option.value {
            Value::Component(component) => Some(Front::of(table, component)),
            _ => None,
        };
        let contained = match (&option.value, option.value.components().as_slice()) {
            (Value::Parts(_), [component]) => Some(Front::of(table, *component)),
            _ => None,
        };
        let mut spelling = Self {
            label: option.label.clone(),
            value: value.to_string(),
            names: vec![plain(&option.label)],
            details: Vec::new(),
            front,
            contained,
        };
        for language in Language::ALL {
            let names = Names { layout, language };
            let name = names::text_of(&names.option(table, &option.value, asked));
            if let Some(component) = last_component(&option.value) {
                spelling.add_detail(&name, &names.attribute_words(Front::of(table, component)));
            }
            spelling.names.push(plain(&name));
        }
        if moves_between_cells(layout, &option.value) {
            // `c4 d5`, `c4d5` and, as captures are often written, `c4xd5`.
            let ways = [" ", "", "x"].map(|between| plain(&option.label.replace('-', between)));
            spelling.names.extend(ways);
        }
        spelling.names.retain(|name| !name.is_empty());
        spelling
    }

    /// The option's label.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Also accepts the detail drawn after the option's name, alone or after the name.
    pub fn add_detail(&mut self, name: &str, detail: &str) {
        if !detail.is_empty() {
            self.details.extend([plain(detail), plain(&format!("{name} {detail}"))]);
        }
    }
}

/// Whether an option names two cells of a board in succession.
fn moves_between_cells(layout: &Layout, value: &Value) -> bool {
    let Value::Parts(parts) = value else { return false };
    parts.0.windows(2).any(|two| layout.between_parts(Some(&two[0].1), &two[1].1) == "-")
}

/// The last component of an option, which the words drawn after it describe.
fn last_component(value: &Value) -> Option<Component> {
    value.components().last().copied().filter(|_| !matches!(value, Value::List(_)))
}

/// The positions of the options that `name` means, by the most certain spelling that fits any.
pub fn meant(layout: &Layout, options: &[OptionSpelling], name: &str, sure: Certainty) -> Vec<usize> {
    let bare = plain(name);
    if bare.is_empty() {
        return Vec::new();
    }
    let those = |is_meant: &dyn Fn(&OptionSpelling) -> bool| -> Vec<usize> {
        options.iter().enumerate().filter(|(_, option)| is_meant(option)).map(|(position, _)| position).collect()
    };
    let fitting = |front: fn(&OptionSpelling) -> Option<Front>, is_wanted: fn(NameMatch) -> bool| {
        let fronts = options.iter().enumerate().filter_map(|(position, option)| Some((position, front(option)?)));
        let (fit, found) = names::best_fits(layout, fronts, name);
        if fit.is_some_and(is_wanted) { found } else { Vec::new() }
    };
    let begun = || those(&|option| option.names.iter().any(|known| known.starts_with(&bare)));
    let ways: &[&dyn Fn() -> Vec<usize>] = match sure {
        Certainty::Named => &[
            &|| those(&|option| option.label == name),
            &|| those(&|option| option.value == name),
            &|| those(&|option| option.names.contains(&bare)),
            &|| those(&|option| option.details.contains(&bare)),
            &|| fitting(|option| option.front, |fit| fit != NameMatch::Part),
        ],
        Certainty::Begun => &[&begun],
        Certainty::Hinted => &[&begun, &|| fitting(|option| option.front, |fit| fit == NameMatch::Part)],
        Certainty::Contained => &[&|| fitting(|option| option.contained, |fit| fit != NameMatch::Part)],
    };
    ways.iter().map(|way| way()).find(|found| !found.is_empty()).unwrap_or_default()
}

/// The error for an option that the rules refuse, with their reason: in words where it is a key of `[text]`.
pub fn not_allowed(layout: &Layout, label: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(message!("{label} is not allowed: {}", layout.refusal(reason)))
}

/// The option, allowed or refused, with the full name `name`; `None` where there is none.
///
/// # Errors
/// Several options have this name.
pub fn option<'d>(
    layout: &Layout,
    table: &State,
    decision: &'d Decision,
    name: &str,
) -> Result<Option<&'d OptionShown>, Diagnostics> {
    let refused = decision.refused.iter().map(|(option, _)| option);
    let options: Vec<&OptionShown> = decision.options.iter().chain(refused).collect();
    let spellings: Vec<OptionSpelling> = OptionSpelling::of_each(layout, table, decision, options.iter().copied());
    let mut found = meant(layout, &spellings, name, Certainty::Named);
    if found.is_empty() {
        // The author of a log sees everything, and may name a face-down component by its face.
        let by_face = |option: &OptionShown| {
            let face = option.value.with_backs_turned();
            face != option.value && layout.label(&table.faces, &face) == name
        };
        found = (0..options.len()).filter(|&position| by_face(options[position])).collect();
    }
    let mut found = found.into_iter().filter_map(|position| options.get(position).copied());
    match (found.next(), found.next()) {
        (Some(one), Some(other)) => {
            let labels = [one, other].into_iter().chain(found).map(|option| option.label.as_str());
            Err(names::ambiguous(name, labels).into())
        }
        (one, _) => Ok(one),
    }
}
