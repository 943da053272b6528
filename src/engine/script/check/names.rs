//! Errors for unknown names, with what was probably meant.

use super::function::Reader;
use super::quoted;
use crate::definition::{Bank, is_identifier};
use crate::diagnostic::{Code, Diagnostic, Help, Message, did_you_mean, known_names_sentence, message, nearest};
use crate::script::codes;
use crate::script::error_messages::{NO_SUCH_PLAYER, is_player};
use crate::script::functions::with_arguments;
use crate::script::instead::{hint_for_foreign_word, hint_for_unknown_word};
use crate::script::program::{Expr, ExprKind, Global};
use crate::script::sorts::{self, Sort};
use crate::script::vocabulary::old::{OldForm, find_old_name};
use crate::script::vocabulary::{Form, Word, words, words_named};
use crate::sorted::SortedSet;
use crate::table::event::ScriptPoint;

impl<'a> Reader<'a> {
    pub(super) fn unknown_name(&mut self, name: &str, at: ScriptPoint) {
        let known = self.known;
        let definition = &known.layout.definition;
        let is_setting = || known.ruleset.settings.iter().any(|(_, settings)| settings.contains_key(name));
        let help: Help = if known.typed.is_some() && is_player(name) {
            NO_SUCH_PLAYER.into()
        } else if definition.zones.iter().any(|zone| zone.id == name && zone.per_seat)
            || known.variables(true).any(|variable| variable == name)
        {
            message!("`{name}` belongs to a player: `p.{name}`").into()
        } else if known.variables(false).any(|variable| variable == name) {
            message!("`{name}` is a variable of the table: `table.{name}`").into()
        } else if definition.data.contains_key(name) {
            message!("`{name}` is in the data: `data.{name}`").into()
        } else if is_setting() {
            message!("`{name}` is a setting: `settings.{name}`").into()
        } else if known.layout.attributes.iter().any(|attribute| attribute == name) {
            message!(
                "`{name}` is an attribute: `card.{name}` of a component, and `\"{name}\"` where a word asks for one"
            )
            .into()
        } else if let Some(attribute) = known.attribute_with(name) {
            message!("`{name}` is a value of `{attribute}`, and a text: `\"{name}\"`").into()
        } else if let Some(written) = definition.hint_for_cell_name(name) {
            written.into()
        } else if let Some(help) = did_you_mean(name, self.locals().chain(known.global_names())) {
            help
        } else if let Some(help) = hint_for_foreign_word(name) {
            help.into()
        } else if is_player(name) {
            "a script names players by `players[1]`, `p.next`, or the name of a parameter".into()
        } else {
            "functions see their parameters, what they make with `let`, the zones, `players`, `table`, `data` and \
             `settings`"
                .into()
        };
        let error = Diagnostic::new(message!("there is no `{name}` here")).with_code(codes::UNKNOWN_NAME).help(help);
        self.report_unknown(error.at_maybe(known.place(at, "unknown name")));
    }

    /// Checks an entry of `table`, `data` or `settings`; returns its sort where that is certain.
    pub(super) fn entry(&mut self, global: &Global, name: &str, at: ScriptPoint) -> Option<Sort> {
        let known = self.known;
        let entries = known.entries_of(global).unwrap_or_default();
        if !entries.contains(&name) {
            let (sort, none) = match global {
                Global::Table => ("declared variable of the table", "no declared variable of the table"),
                Global::Data => ("entry of the data", "no entry of the data"),
                _ => ("setting of this layer", "no setting of this layer"),
            };
            let error = Diagnostic::new(message!("`{}.{name}` does not exist", known.name_of(global)))
                .at_maybe(known.place(at, none))
                .with_code(codes::UNKNOWN_PROPERTY);
            let belongs = *global == Global::Table && known.variables(true).any(|variable| variable == name);
            let help: Help = match nearest(name, entries.iter().copied()) {
                _ if belongs => message!("`{name}` belongs to a player: `p.{name}`").into(),
                // Without quotes, it would be a subtraction.
                Some(near) if !is_identifier(near) => {
                    let of = known.name_of(global);
                    message!("`{near}` is no name in scripts: write `{of}[\"{near}\"]`").into()
                }
                _ => did_you_mean(name, entries.iter().copied())
                    .unwrap_or_else(|| known_names_sentence(sort, entries.iter().copied()).into()),
            };
            self.report_unknown(error.help(help));
        }
        if let Some(variable) = known.asked_variable(global, name) {
            let message = message!("`settings.{name}` is `ask` unless somebody sets it");
            let error = Diagnostic::new(message).with_code(codes::WRONG_VALUE);
            let help = message!("the answer, or what was set, is `table.{variable}`");
            self.report_sort_mismatch(error.help(help), at, "this setting is asked for");
        }
        known.sort_of_entry(global, name)
    }

    /// Checks a property; returns its sort where that is certain.
    pub(super) fn property(&mut self, name: &str, at: ScriptPoint, owner: Option<Sort>) -> Option<Sort> {
        let known = self.known;
        if known.properties.contains(name) || known.parts.contains(name) {
            let Some(owner) = owner else {
                if known.is_of_table_alone(name) {
                    self.of_table(name, at, codes::UNKNOWN_PROPERTY);
                }
                return known.sort_of_property(name);
            };
            let found = known.property_of(owner, name);
            if found.is_none() {
                let error = sorts::no_member_error(owner, name).with_code(codes::UNKNOWN_PROPERTY);
                let error = if error.help.is_empty() { error.help(self.owners_of(name)) } else { error };
                self.report_sort_mismatch(error, at, message!("of {}", owner.named()));
            }
            return found.flatten();
        }
        self.report_unknown_property(name, at, owner, || {
            "known are the words of the vocabulary, zones and variables of a player, attributes, entries of the data, and \
             the parts of options"
                .into()
        });
        None
    }

    /// Reports a property that nothing has. The help is what was most likely meant, or else `otherwise`.
    fn report_unknown_property(
        &mut self,
        name: &str,
        at: ScriptPoint,
        owner: Option<Sort>,
        otherwise: impl FnOnce() -> Help,
    ) {
        let known = self.known;
        let help: Help = if let Some(written) = known.layout.definition.hint_for_cell_name(name) {
            written.into()
        } else if let Some(instead) = hint_for_unknown_word(name, owner) {
            instead.into()
        } else if let Some(word) = words_named(name).find(|word| word.is_called()) {
            message!("`{name}` is called: `{}`", word.usage()).into()
        } else if known.forms(name).next().is_some() {
            message!("`{name}` is a function of the scripts: call it as `{}`", known.written_call(name)).into()
        } else if known.global_names().any(|global| global == name) {
            message!("`{name}` belongs to the table and is used alone: `{name}`").into()
        } else {
            let names = known.properties.iter().copied().chain(known.parts.iter().map(String::as_str));
            let has = |name: &&str| owner.is_none_or(|owner| known.property_of(owner, name).is_some());
            did_you_mean(name, names.filter(has)).unwrap_or_else(otherwise)
        };
        let error = Diagnostic::new(message!("nothing has a property `{name}`")).with_code(codes::UNKNOWN_PROPERTY);
        self.report_unknown(error.at_maybe(known.place(at, "unknown property")).help(help));
    }

    /// Reports `is_empty` of several declared zones, which most likely was to ask whether anything lies in them.
    pub(super) fn report_never_empty(&mut self, at: ScriptPoint) {
        let error = Diagnostic::new("several zones are never empty: `is_empty` asks whether there is no zone")
            .help("`zones.components.is_empty` asks whether nothing lies in them, `zones.filled.is_empty` the same")
            .with_code(codes::NEVER_EMPTY);
        self.report_sort_mismatch(error, at, "there is always a zone");
    }

    /// Reports a variable of the table that is used on something else.
    fn of_table(&mut self, name: &str, at: ScriptPoint, code: &'static Code) {
        let error = Diagnostic::new(message!("`{name}` belongs to the table")).with_code(code);
        self.report_sort_mismatch(
            error.help(message!("`{name}` is a variable of the table: `table.{name}`")),
            at,
            "of something else",
        );
    }

    /// Help that tells which values have a property of this name.
    fn owners_of(&self, name: &str) -> Message {
        let definition = &self.known.layout.definition;
        let is_zone = || definition.zones.iter().any(|zone| zone.per_seat && zone.id == name);
        let receivers = sorts::receivers_of(words_named(name).filter(|word| word.form == Form::Property));
        if is_zone() || self.known.variables(true).any(|variable| variable == name) {
            message!("`{name}` belongs to a player: `p.{name}`")
        } else if self.known.layout.attributes.iter().any(|attribute| attribute == name) {
            message!("`{name}` is an attribute of a component: `card.{name}`")
        } else if !receivers.is_empty() {
            message!("`{name}` works on {}", Message::list(receivers, ", "))
        } else if self.known.variables(false).any(|variable| variable == name) {
            message!("`{name}` is a variable of the table: `table.{name}`")
        } else {
            message!("`{name}` is a part of options, or is in the data")
        }
    }

    /// Reports a call that no word and no function matches. `arguments` does not count the receiver; `before_dot` is
    /// the sort of the receiver, `None` inside where it is unknown.
    pub(super) fn unknown_function(
        &mut self,
        name: &str,
        arguments: usize,
        before_dot: Option<Option<Sort>>,
        at: ScriptPoint,
    ) {
        let (as_method, receiver) = (before_dot.is_some(), before_dot.flatten());
        let known = self.known;
        let counted = with_arguments(arguments);
        // A call of `super` has been renamed to the flat name of the rule below.
        if let Some(below) = known.forms(name).find(|function| !function.is_highest && !function.is_private) {
            let parameters = below.parameters.join(", ");
            let error = Diagnostic::new(message!("the rule below is `{}({parameters})`, not {counted}", below.name));
            let place = known.place(at, "called here by `super`");
            let error = error.at_maybe(place).related_maybe(known.place(below.at, "this is the rule below"));
            return self
                .report_error(error.help(message!("write `super({parameters})`")).with_code(codes::WRONG_SUPER));
        }
        let error = Diagnostic::new(message!("there is no `{name}` {counted}"))
            .at_maybe(known.place(at, "unknown"))
            .with_code(codes::UNKNOWN_FUNCTION);
        if let Some(other) = known.forms(name).next() {
            let call = known.written_call(name);
            let help = match as_method && known.function_defined_as(name, arguments + 1).is_some() {
                true => message!("call it as `{call}`"),
                false => message!("the scripts define `{call}`"),
            };
            return self.report_error(error.help(help).related_maybe(known.place(other.at, "defined here")));
        }
        let is_meant = |word: &&Word| receiver.is_none_or(|sort| word.receivers.is_empty() || sort.has(word.name));
        let forms: SortedSet<String> = words_named(name).filter(|word| word.is_called()).map(Word::usage).collect();
        let is_property = || known.properties.contains(name);
        let help: Help = if let Some(old) = find_old_name(name, OldForm::Called(arguments)) {
            old.told.into()
        } else if let Some(way) = receiver.filter(|sort| is_property() && known.property_of(*sort, name).is_none()) {
            sorts::without(way, name).unwrap_or_else(|| self.owners_of(name)).into()
        } else if let Some(property) = words_named(name).find(|word| word.form == Form::Property) {
            message!("write it without parentheses: `.{}`", property.name).into()
        } else if is_property() {
            message!("`{name}` is not called; write it without parentheses").into()
        } else if let Some(way) = receiver.filter(|sort| !forms.is_empty() && !sort.has(name)) {
            sorts::without(way, name).unwrap_or_else(|| self.owners_of(name)).into()
        } else if !forms.is_empty() {
            message!("the vocabulary has {}", quoted(forms.iter().map(String::as_str).take(4))).into()
        } else if let Some(help) = hint_for_unknown_word(name, receiver) {
            help.into()
        } else {
            // Functions of the scripts are called without a dot.
            let scripts = known.scripts.functions.iter().filter(|_| !as_method).map(|function| function.name.as_str());
            let callable = words().filter(|word| word.is_called()).filter(is_meant).map(|word| word.name);
            did_you_mean(name, scripts.chain(callable)).unwrap_or_else(|| {
                "`help words` lists the vocabulary; other functions have to be defined in the scripts".into()
            })
        };
        self.report_error(error.help(help));
    }

    /// Reports a function where no word takes one.
    pub(super) fn misplaced_function(&mut self, what: Message, at: ScriptPoint) {
        let error = Diagnostic::new(message!("{what} is used where a value is expected"))
            .at_maybe(self.known.place(at, "not passed to a word"))
            .help(
                "a function can be used only where a word takes one, such as `players.any(|p| …)`; elsewhere it has to be \
                 called",
            );
        self.report_error(error.with_code(codes::MISPLACED_FUNCTION));
    }

    /// Reports a left side of `=` that is no variable.
    pub(super) fn report_not_assignable(&mut self, expr: &'a Expr, at: ScriptPoint) {
        let error = match &expr.kind {
            ExprKind::Unknown(_) | ExprKind::Function(_) | ExprKind::Refused => {
                self.expression(expr);
                return;
            }
            ExprKind::Global(global) => {
                Diagnostic::new(message!("`{}` is fixed and cannot be set", self.known.name_of(global)))
                    .at_maybe(self.known.place(expr.at, "this name belongs to the table"))
                    .help("move components to change a zone; keep a value of your own with `let`")
            }
            _ => {
                self.expression(expr);
                Diagnostic::new("this cannot be set")
                    .at_maybe(self.known.place(at, "what is before it is not a variable"))
                    .help("what can be set: a name made with `let`, an entry of a list, a declared variable")
            }
        };
        self.report_error(error.with_code(codes::CANNOT_BE_SET));
    }

    /// Checks a property on the left of `=`, which has to be a declared variable; returns the sort that the variable
    /// holds.
    pub(super) fn check_assignable(
        &mut self,
        of: &Expr,
        owner: Option<Sort>,
        name: &str,
        at: ScriptPoint,
    ) -> Option<Sort> {
        let known = self.known;
        let of_table = owner == Some(Sort::Table);
        let can_be_set = |per_seat| known.variables(per_seat).any(|variable| variable == name);
        if of_table && can_be_set(false) {
            return known.sort_of_variable(name, false).flatten();
        }
        if can_be_set(true) && !of_table {
            match owner {
                None | Some(Sort::Player | Sort::PlayerOrNobody) => {
                    return known.sort_of_variable(name, true).flatten();
                }
                Some(owner) => {
                    let message = match owner {
                        Sort::Component => message!("`{name}` of a component is printed on it and cannot be set"),
                        _ => message!("`{name}` of {} cannot be set", owner.named()),
                    };
                    let error = Diagnostic::new(message).with_code(codes::CANNOT_BE_SET);
                    let help = message!("the variable `{name}` belongs to a player: `p.{name}`");
                    self.report_sort_mismatch(error.help(help), at, message!("of {}", owner.named()));
                    return None;
                }
            }
        }
        if can_be_set(false) && owner.is_none() {
            if !known.table_is_handed_on {
                self.of_table(name, at, codes::CANNOT_BE_SET);
            }
            return known.sort_of_variable(name, false).flatten();
        }
        let fixed = match owner {
            None | Some(Sort::Player | Sort::PlayerOrNobody | Sort::Table) => None,
            Some(Sort::Data) => Some("data and settings do not change in a game: keep what changes in a variable"),
            Some(Sort::Component) => Some("attributes are printed on a component: keep what changes in a variable"),
            Some(_) => Some("only variables can be set: those of a player and of the table"),
        };
        // A name that nothing has is reported as an unknown property.
        let is_property = known.properties.contains(name) || known.parts.contains(name);
        if !is_property && !matches!(of.kind, ExprKind::Global(_)) {
            match fixed {
                Some(_) => _ = self.property(name, at, owner),
                None => self.report_unknown_property(name, at, owner, || declare_it(name, of_table).into()),
            }
            return None;
        }
        let owner_sort = owner;
        let owner = if of_table { "table" } else { "p" };
        let mut error = Diagnostic::new(message!("`{name}` cannot be set"))
            .at_maybe(known.place(at, "not a declared variable"))
            .with_code(codes::CANNOT_BE_SET);
        if of_table && can_be_set(true) {
            error = error.help(message!("`{name}` belongs to a player: `p.{name}`"));
        } else {
            error = error.near(name, known.variables(!of_table));
        }
        let is_told = |owner: Sort| {
            let mut same = words_named(name).filter(|word| word.form == Form::Property);
            same.any(|word| word.receivers.contains(&owner)) && owner != Sort::Player
        };
        if owner_sort.is_some_and(is_told) {
            let told = match name {
                "owner" => "`belong_to` changes it: `card.belong_to(p)`",
                "side" | "value" => "`turn_to`, `flip` and `roll` change it, such as `die.turn_to(6)`",
                _ => "it follows from the table: move components to change it, or keep a number of your own with `let`",
            };
            self.report_unknown(error.help(told));
            return None;
        }
        let variables = known.layout.definition.variables.iter();
        let can_be_set = variables.filter(|variable| variable.per_seat != of_table && variable.bank != Bank::Is);
        let names = can_be_set.take(8).map(|variable| Message::verbatim(format!("`{owner}.{}`", variable.id)));
        let names = Message::list(names, ", ");
        error = error.help(match (fixed, names.is_empty()) {
            (Some(fixed), _) => fixed.into(),
            (None, true) => declare_it(name, of_table),
            (None, false) => message!("what can be set here: {}", names),
        });
        self.report_unknown(error);
        None
    }
}

/// How a variable is declared, of the table or of each player.
fn declare_it(name: &str, of_table: bool) -> Message {
    match of_table {
        true => message!("declare it: `[variables.{name}]` with a `default`"),
        false => message!("declare it: `[variables.{name}]` with `per = \"seat\"` and a `default`"),
    }
}
