//! What a layer lets its users set, and whether a value fits it.

use super::Setting;
use super::keys::table::setting;
use super::schema::{Checker, Field};
use super::tree::{Node, Value};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, either};

impl Setting {
    /// Reads `[settings.key]`. The default must itself be allowed.
    pub(super) fn read(field: &Field<'_>, checker: &mut Checker) -> Option<Setting> {
        let fields = field.section(checker, &setting::SECTION)?;
        let troubles = checker.troubles.len();
        let default = fields.read(checker, &setting::DEFAULT)?;
        let choices = fields.read(checker, &setting::CHOICES).unwrap_or_default();
        if checker.troubles.len() > troubles {
            return None;
        }
        let Some(kind) = SettingType::of(&default.node.value, choices.first().map(|choice| &choice.node.value)) else {
            let trouble = default.wrong("an integer, a boolean, a string, or an array of one of these");
            checker.trouble(trouble.help("for an empty array `choices` say what its elements may be"));
            return None;
        };
        for choice in choices.iter().filter(|choice| Scalar::of(&choice.node.value) != Some(kind.scalar)) {
            choice.refuse(checker, kind.scalar.name());
        }
        for limit in [&setting::MIN, &setting::MAX].into_iter().filter_map(|key| fields.find(key)) {
            if kind.scalar != Scalar::Number {
                let place = Place { label: "only integers have limits".to_owned(), ..limit.key.clone() };
                checker.trouble(Diagnostic::new(format!("`{}` does not limit an integer", limit.path)).at(place));
            }
        }
        let setting = Setting {
            default: default.node.to_toml(),
            choices: choices.iter().map(|choice| choice.node.to_toml()).collect(),
            min: fields.read(checker, &setting::MIN),
            max: fields.read(checker, &setting::MAX),
            help: fields.read(checker, &setting::HELP).unwrap_or_default(),
        };
        if checker.troubles.len() == troubles
            && let Err(trouble) = setting.check(&default.path, default.node)
        {
            checker.trouble(trouble);
        }
        Some(setting)
    }

    /// Whether a value may be given to the setting, which is called `name` in the message.
    pub(super) fn check(&self, name: &str, node: &Node) -> Result<(), Diagnostics> {
        let of_default = Node::from_toml(&self.default, &node.source, &node.span);
        let of_choice = self.choices.first().map(|choice| Node::from_toml(choice, &node.source, &node.span));
        let Some(kind) = SettingType::of(&of_default.value, of_choice.as_ref().map(|node| &node.value)) else {
            return Ok(());
        };
        match (&node.value, kind.is_list) {
            (Value::List(elements), true) => {
                elements.iter().try_for_each(|element| self.check_one(name, kind, element))
            }
            (_, true) => Err(wrong(name, node, &format!("an array, of which each is {}", kind.scalar.name())).into()),
            (_, false) => self.check_one(name, kind, node),
        }
    }

    fn check_one(&self, name: &str, kind: SettingType, node: &Node) -> Result<(), Diagnostics> {
        if Scalar::of(&node.value) != Some(kind.scalar) {
            return Err(wrong(name, node, kind.scalar.name()).into());
        }
        if !self.choices.is_empty() && !self.choices.contains(&node.to_toml()) {
            let names: Vec<String> = self.choices.iter().map(plain).collect();
            let names = || names.iter().map(String::as_str);
            let given = plain(&node.to_toml());
            let trouble = Diagnostic::new(format!("`{name}` cannot be `{given}`"))
                .at(node.place(format!("expected {}", either(names()))));
            return Err(if kind.scalar == Scalar::Text {
                trouble.near(&given, names()).into()
            } else {
                trouble.into()
            });
        }
        let Value::Number(number) = node.value else { return Ok(()) };
        match (self.min, self.max) {
            (Some(min), Some(max)) if number < min || number > max => {
                Err(wrong(name, node, &format!("an integer from {min} to {max}")).into())
            }
            (Some(min), _) if number < min => Err(wrong(name, node, &format!("an integer of at least {min}")).into()),
            (_, Some(max)) if number > max => Err(wrong(name, node, &format!("an integer of at most {max}")).into()),
            _ => Ok(()),
        }
    }
}

/// The type of a setting.
#[derive(Clone, Copy)]
struct SettingType {
    scalar: Scalar,
    is_list: bool,
}

/// The type of one value.
#[derive(Clone, Copy, PartialEq)]
enum Scalar {
    Number,
    Truth,
    Text,
}

impl SettingType {
    /// The type that a default gives; the elements of an empty array are of the type of a choice.
    fn of(default: &Value, choice: Option<&Value>) -> Option<SettingType> {
        let Value::List(elements) = default else {
            return Some(SettingType { scalar: Scalar::of(default)?, is_list: false });
        };
        let element = elements.first().map(|element| &element.value).or(choice)?;
        Some(SettingType { scalar: Scalar::of(element)?, is_list: true })
    }
}

impl Scalar {
    fn of(value: &Value) -> Option<Scalar> {
        match value {
            Value::Number(_) => Some(Scalar::Number),
            Value::Truth(_) => Some(Scalar::Truth),
            Value::Text(_) => Some(Scalar::Text),
            Value::List(_) | Value::Table(_) => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Scalar::Number => "an integer",
            Scalar::Truth => "`true` or `false`",
            Scalar::Text => "a string",
        }
    }
}

fn wrong(name: &str, node: &Node, expected: &str) -> Diagnostic {
    Field::new(name, &node.place(""), node).wrong(expected)
}

/// A value as a person would type it.
fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
