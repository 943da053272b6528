//! Settings: their declarations in a layer, and whether a value fits one.

use super::Text;
use super::keys::KeyInfo;
use super::keys::table::{overlaid, setting, variable};
use super::schema::{Checker, Field, Fields};
use super::tree::{Node, TomlEntry, TomlTable, Value};
use crate::catalogue::{Message, message};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, either};
use std::sync::Arc;

/// An option that a layer declares for its users.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The value unless somebody sets another; its type is the setting's type.
    pub default: toml::Value,
    /// The values that may be chosen, or the elements of a list; empty where anything of the type may.
    pub choices: Vec<toml::Value>,
    /// The path in the data that has the choices, where they are not written out. `choices` is empty then until the
    /// layers lie over each other.
    pub choices_path: Option<String>,
    /// Lowest value of a number, or of each number of a list.
    pub min: Option<i64>,
    /// Highest value of a number, or of each number of a list.
    pub max: Option<i64>,
    /// What the setting does.
    pub help: Text,
    /// How the setting is asked for, if nobody sets it; [`ASK`] is then the first of the choices. `None` where it is
    /// never asked for.
    pub ask: Option<SettingQuestion>,
}

/// The value of a setting that is still to be asked for.
pub const ASK: &str = "ask";

/// How a setting is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingQuestion {
    /// The prompt: `choose_color`.
    pub prompt: String,
    /// Whether the value is drawn by lot, and nobody is asked.
    pub by_lot: bool,
    /// The variable that holds the answer.
    pub variable: String,
    /// Another setting of the layer that is asked for, whose value this one cannot have.
    pub unlike: Option<String>,
    /// Index of the setting among those of its layer, in order of declaration.
    pub order: usize,
}

/// A setting that is asked for in a game, or that was set so that it need not be.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedSetting {
    /// Id of the layer.
    pub layer: String,
    /// Name of the setting in that layer.
    pub key: String,
    /// How the setting is asked for.
    pub ask: SettingQuestion,
    /// The possible answers.
    pub choices: Vec<String>,
    /// The value that was set; `None` where the setting is still to be asked for.
    pub value: Option<String>,
}

impl AskedSetting {
    /// Whether this setting cannot have the value of `other`: both are of one layer, and one of the two says so.
    pub fn differs_from(&self, other: &Self) -> bool {
        let names = |one: &Self, other: &Self| one.ask.unlike.as_deref() == Some(&*other.key);
        self.layer == other.layer && (names(self, other) || names(other, self))
    }

    /// Whether a player answers the setting: nobody has set it, and it is not drawn by lot.
    pub fn is_question(&self) -> bool {
        self.value.is_none() && !self.ask.by_lot
    }
}

impl Setting {
    /// Reads `[settings.key]`. The default must itself be allowed.
    ///
    /// `order` is the index of the setting in its layer. Without `data`, choices that stand in the data are not known
    /// yet.
    pub(super) fn read(
        field: &Field<'_>,
        order: usize,
        data: Option<&Fields<'_>>,
        checker: &mut Checker,
    ) -> Option<Setting> {
        let fields = field.section(checker, &setting::SECTION)?;
        let troubles = checker.troubles.len();
        let default = fields.read(checker, &setting::DEFAULT);
        let choices = Choices::read(&fields, data, checker);
        if let Some(prompt) = fields.read(checker, &setting::ASK) {
            return Setting::read_asked(&fields, (prompt, order), default, choices, checker);
        }
        for key in [&setting::BY as &dyn KeyInfo, &setting::VARIABLE, &setting::NAME, &setting::UNLIKE] {
            if let Some(field) = fields.find(key) {
                let trouble = Diagnostic::new(message!("`{}` is for a setting that is asked for", field.path));
                let trouble = trouble.at(field.key.with_label("there is no `ask` beside it"));
                checker.report(trouble.help("say with which prompt: ask = \"choose_color\""));
            }
        }
        if default.is_none() && !fields.has(&setting::DEFAULT) && !fields.has(&setting::ASK) {
            fields.report_missing(checker, &setting::DEFAULT);
        }
        let default = default?;
        if checker.troubles.len() > troubles {
            return None;
        }
        let first = choices.elements.first().map(|choice| &choice.node.value);
        let kind = SettingType::of(&default.node.value, first);
        if kind.is_none() && !(choices.are_open() && matches!(default.node.value, Value::List(_))) {
            let trouble = default.mismatch_error("an integer, a boolean, a string, or an array of one of these");
            return checker.refuse(trouble.help("for an empty array `choices` say what its elements may be"));
        }
        let is_of = |scalar: ScalarType| kind.is_none_or(|kind| kind.scalar == scalar);
        for choice in &choices.elements {
            if let Some(kind) = kind.filter(|kind| ScalarType::of(&choice.node.value) != Some(kind.scalar)) {
                choice.report_mismatch(checker, kind.scalar.name());
            }
        }
        if !is_of(ScalarType::Number) {
            report_limits(&fields, checker);
        }
        let setting = Setting {
            default: default.node.to_toml(),
            choices: choices.elements.iter().map(|choice| choice.node.to_toml()).collect(),
            choices_path: choices.path,
            min: fields.read(checker, &setting::MIN),
            max: fields.read(checker, &setting::MAX),
            help: fields.read(checker, &setting::HELP).unwrap_or_default(),
            ask: None,
        };
        if let (Some(min), Some(max)) = (setting.min, setting.max)
            && min > max
        {
            let place =
                fields.find(&setting::MIN).map(|field| field.node.place(message!("more than `max`, which is {max}")));
            let path = &fields.path;
            checker.report(Diagnostic::new(message!("`{path}.min` is more than its `max`")).at_maybe(place));
        }
        if checker.troubles.len() == troubles
            && let Err(trouble) = setting.check(&default.path, default.node)
        {
            checker.report(trouble);
        }
        Some(setting)
    }

    /// Reads a setting that is asked for. Its choices are texts, and [`ASK`] is one of them.
    fn read_asked(
        fields: &Fields<'_>,
        (prompt, order): (&str, usize),
        default: Option<Field<'_>>,
        choices: Choices<'_>,
        checker: &mut Checker,
    ) -> Option<Setting> {
        let troubles = checker.troubles.len();
        let path = &fields.path;
        if choices.elements.is_empty()
            && choices.path.is_none()
            && fields
                .find(&setting::CHOICES)
                .is_none_or(|field| matches!(&field.node.value, Value::List(list) if list.is_empty()))
        {
            let trouble = Diagnostic::new(message!("`{path}` is asked for, and has no `choices`"));
            let trouble = trouble.at(fields.place.with_label("asks for what?"));
            checker.report(trouble.help("say what can be answered: choices = [\"red\", \"blue\"]"));
        }
        let mut known: Vec<&str> = Vec::new();
        for choice in &choices.elements {
            let Some(text) = choice.text(checker) else { continue };
            let (message, label) = match text {
                ASK => (message!("`{ASK}` is not a choice of `{path}`"), "leave this out: it is always possible"),
                _ if known.contains(&text) => (message!("`{path}` has the choice `{text}` twice"), "again"),
                _ => {
                    known.push(text);
                    continue;
                }
            };
            checker.report(Diagnostic::new(message).at(choice.node.place(label)));
        }
        report_limits(fields, checker);
        let key = path.rsplit('.').next().unwrap_or(path);
        let variable = fields.read(checker, &setting::VARIABLE).unwrap_or(key);
        let field = fields.find(&setting::VARIABLE);
        if field.is_some_and(|field| !field.has_script_name(checker, variable, "a variable")) {
            return None;
        }
        let text = |text: &str| toml::Value::String(text.to_owned());
        let always = if choices.are_open() { &[][..] } else { &[ASK] };
        let setting = Setting {
            default: default.as_ref().map_or_else(|| text(ASK), |default| default.node.to_toml()),
            choices: always.iter().chain(&known).map(|choice| text(choice)).collect(),
            choices_path: choices.path,
            min: None,
            max: None,
            help: fields.read(checker, &setting::HELP).unwrap_or_default(),
            ask: Some(SettingQuestion {
                prompt: prompt.to_owned(),
                by_lot: fields.read(checker, &setting::BY)?,
                variable: variable.to_owned(),
                unlike: fields.read(checker, &setting::UNLIKE).map(str::to_owned),
                order,
            }),
        };
        if let Some(default) = default.filter(|_| checker.troubles.len() == troubles)
            && let Err(trouble) = setting.check(&default.path, default.node)
        {
            checker.report(trouble);
        }
        Some(setting)
    }

    /// Declares the variable that holds the answer of a setting that is asked for, as `[variables]` could. Keys that
    /// the file declares there itself take precedence.
    pub(super) fn declare_answer(&self, entry: &TomlEntry, tables: &mut TomlTable) {
        let (Some(ask), Value::Table(written)) = (&self.ask, &entry.node.value) else { return };
        let of = |key: &dyn KeyInfo| written.entry(key.name());
        let place = || of(&setting::VARIABLE).map_or_else(|| entry.key.clone(), |named| named.node.place(""));
        let node = |value: Value| Node { value, source: Arc::clone(&place().source), span: place().span };
        let choices = of(&setting::CHOICES).and_then(|choices| self.declared_choices(choices.node.clone()));
        let declared = [
            (variable::DEFAULT.name(), Some(node(Value::Text(String::new())))),
            (variable::CHOICES.name(), choices),
            (variable::NAME.name(), of(&setting::NAME).map(|name| name.node.clone())),
        ];
        let Some(variables) = table_in(tables, overlaid::VARIABLES.name(), &place()) else { return };
        let Some(variable) = table_in(variables, &ask.variable, &place()) else { return };
        for (key, node) in declared {
            if let Some(node) = node.filter(|_| variable.get(key).is_none()) {
                variable.insert(key.to_owned(), place(), node);
            }
        }
    }

    /// The choices for the variable that holds the answer. Errors in them were reported for the setting.
    fn declared_choices(&self, mut choices: Node) -> Option<Node> {
        let is_usable = match &mut choices.value {
            Value::List(list) => {
                list.retain(|choice| matches!(&choice.value, Value::Text(text) if !text.is_empty()));
                !list.is_empty()
            }
            _ => self.choices_path.is_some(),
        };
        is_usable.then_some(choices)
    }

    /// Checks that the setting can have a value; messages call the setting `name`.
    pub(super) fn check(&self, name: &str, node: &Node) -> Result<(), Diagnostics> {
        if self.ask.is_some() {
            return self.check_one(name, SettingType { scalar: ScalarType::Text, is_list: false }, node);
        }
        let of_default = Node::from_toml(&self.default, &node.source, &node.span);
        let of_choice = self.choices.first().map(|choice| Node::from_toml(choice, &node.source, &node.span));
        let Some(kind) = SettingType::of(&of_default.value, of_choice.as_ref().map(|node| &node.value)) else {
            return Ok(());
        };
        match (&node.value, kind.is_list) {
            (Value::List(elements), true) => {
                elements.iter().try_for_each(|element| self.check_one(name, kind, element))
            }
            (_, true) => {
                Err(wrong(name, node, message!("an array, of which each is {}", Message::from(kind.scalar.name())))
                    .into())
            }
            (_, false) => self.check_one(name, kind, node),
        }
    }

    fn check_one(&self, name: &str, kind: SettingType, node: &Node) -> Result<(), Diagnostics> {
        if ScalarType::of(&node.value) != Some(kind.scalar) {
            return Err(wrong(name, node, kind.scalar.name()).into());
        }
        if !self.choices.is_empty() && !self.choices.contains(&node.to_toml()) {
            let names: Vec<String> = self.choices.iter().map(plain).collect();
            let names = || names.iter().map(String::as_str);
            let given = plain(&node.to_toml());
            let trouble = Diagnostic::new(message!("`{name}` cannot be `{given}`"))
                .at(node.place(message!("expected {}", either(names()))));
            return Err(if kind.scalar == ScalarType::Text {
                trouble.near(&given, names()).into()
            } else {
                trouble.into()
            });
        }
        let Value::Number(number) = node.value else { return Ok(()) };
        match (self.min, self.max) {
            (Some(min), Some(max)) if number < min || number > max => {
                Err(wrong(name, node, message!("an integer from {min} to {max}")).into())
            }
            (Some(min), _) if number < min => Err(wrong(name, node, message!("an integer of at least {min}")).into()),
            (_, Some(max)) if number > max => Err(wrong(name, node, message!("an integer of at most {max}")).into()),
            _ => Ok(()),
        }
    }
}

/// The `choices` of a setting as they were read.
struct Choices<'a> {
    elements: Vec<Field<'a>>,
    /// The path in the data where the choices are looked up, if they are not written out.
    path: Option<String>,
    /// Whether the data was there to look them up in.
    has_data: bool,
}

impl<'a> Choices<'a> {
    fn read(fields: &Fields<'a>, data: Option<&Fields<'a>>, checker: &mut Checker) -> Choices<'a> {
        let written = fields.read(checker, &setting::CHOICES);
        let path = written.as_ref().filter(|written| written.is_data_path());
        let path = path.and_then(|path| path.text(checker)).map(str::to_owned);
        let has_data = data.is_some();
        let known = written.filter(|_| path.is_none() || has_data);
        let elements = known.and_then(|written| written.resolve_list(data, checker)).unwrap_or_default();
        Choices { elements, path, has_data }
    }

    /// Whether the choices are still to be looked up.
    fn are_open(&self) -> bool {
        self.path.is_some() && !self.has_data
    }
}

/// Reports the limits of a setting that holds no integers.
fn report_limits(fields: &Fields<'_>, checker: &mut Checker) {
    for limit in [&setting::MIN, &setting::MAX].into_iter().filter_map(|key| fields.find(key)) {
        let trouble = Diagnostic::new(message!("`{}` does not limit an integer", limit.path));
        checker.report(trouble.at(limit.key.with_label("only integers have limits")));
    }
}

/// The table under a key of another one, made where there is none; `None` where something else stands there.
fn table_in<'t>(tables: &'t mut TomlTable, key: &str, place: &Place) -> Option<&'t mut TomlTable> {
    if tables.get(key).is_none() {
        let value = Value::Table(TomlTable::default());
        let node = Node { value, source: Arc::clone(&place.source), span: place.span.clone() };
        tables.insert(key.to_owned(), place.clone(), node);
    }
    tables.table_mut(key)
}

#[derive(Clone, Copy)]
struct SettingType {
    scalar: ScalarType,
    is_list: bool,
}

/// The type of one value.
#[derive(Clone, Copy, PartialEq)]
enum ScalarType {
    Number,
    Truth,
    Text,
}

impl SettingType {
    /// The type that a default gives; the elements of an empty array are of the type of a choice.
    fn of(default: &Value, choice: Option<&Value>) -> Option<SettingType> {
        let Value::List(elements) = default else {
            return Some(SettingType { scalar: ScalarType::of(default)?, is_list: false });
        };
        let element = elements.first().map(|element| &element.value).or(choice)?;
        Some(SettingType { scalar: ScalarType::of(element)?, is_list: true })
    }
}

impl ScalarType {
    fn of(value: &Value) -> Option<ScalarType> {
        match value {
            Value::Number(_) => Some(ScalarType::Number),
            Value::Truth(_) => Some(ScalarType::Truth),
            Value::Text(_) => Some(ScalarType::Text),
            Value::List(_) | Value::Table(_) => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            ScalarType::Number => "an integer",
            ScalarType::Truth => "`true` or `false`",
            ScalarType::Text => "a string",
        }
    }
}

fn wrong(name: &str, node: &Node, expected: impl Into<Message>) -> Diagnostic {
    Field::new(name, &node.place(""), node).mismatch_error(expected)
}

/// A value as a person would type it.
fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
