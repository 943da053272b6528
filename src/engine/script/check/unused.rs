//! Warnings about what a ruleset declares and nothing uses: settings, data, texts, variables, local names, functions.

use super::known::RulesContext;
use super::{FunctionFindings, Lint};
use crate::definition::{Bank, Layer, VariableDefinition, Visibility, tree};
use crate::diagnostic::{Diagnostic, Help, Message, Place, QuickFix, message};
use crate::script::codes;
use crate::script::program::{Expr, ExprKind, Function, Global, Piece, Slot, Statement, StatementKind, Target};
use crate::sorted::{SortedMap, SortedSet};
use crate::table::value::{NOBODY, NOTHING};

/// The names, keys and texts that are used by functions which a game can come to call.
#[derive(Default)]
pub(super) struct UsedNames<'a> {
    /// The names of all properties that are read.
    read: SortedSet<&'a str>,
    /// The names of all properties that are set.
    set: SortedSet<&'a str>,
    /// Keys of the data; all of them where a script goes through the data.
    data: Keys<'a>,
    /// Keys of the settings of each layer.
    settings: SortedMap<usize, Keys<'a>>,
    /// Every text, and the name of every word that is called.
    texts: SortedSet<&'a str>,
    /// The beginning and the end of each text that is put together.
    joined: SortedSet<(&'a str, &'a str)>,
}

/// The used keys of a table.
#[derive(Default)]
struct Keys<'a> {
    named: SortedSet<&'a str>,
    all: bool,
}

impl Keys<'_> {
    fn has(&self, key: &str) -> bool {
        self.all || self.named.contains(key)
    }
}

impl<'a> UsedNames<'a> {
    /// Adds what a function uses.
    pub(super) fn of(&mut self, function: &'a Function) {
        function.body.walk(&mut |piece| match piece {
            Piece::Statement(Statement { kind: StatementKind::Set { target, .. }, .. }) => {
                if let Target::Property { name, .. } = target {
                    self.set.insert(name);
                }
            }
            Piece::Expr(expr) => self.expr(expr),
            Piece::Statement(_) => {}
        });
    }

    /// Every text in the functions, and the name of every word that is called, because words ask under their own names.
    pub(super) fn texts(&self) -> impl Iterator<Item = &'a str> {
        self.texts.iter().copied()
    }

    /// Whether a text is in the functions, or may be put together there.
    pub(super) fn has_text(&self, text: &str) -> bool {
        let is_joined = || self.joined.iter().any(|(start, end)| text.starts_with(start) && text.ends_with(end));
        self.texts.contains(text) || is_joined()
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Text(text) => drop(self.texts.insert(text)),
            ExprKind::Joined(parts) => {
                let fixed = |part: Option<&'a Expr>| match part.map(|part| &part.kind) {
                    Some(ExprKind::Text(text)) => &**text,
                    _ => "",
                };
                self.joined.insert((fixed(parts.first()), fixed(parts.last())));
            }
            ExprKind::Property(of, name) => {
                self.read.insert(name);
                self.keys(of, Some(name));
            }
            ExprKind::Index(of, index) => match &index.kind {
                ExprKind::Text(key) => self.keys(of, Some(key)),
                _ => self.keys(of, None),
            },
            // A function or a word may go through everything that it is given.
            ExprKind::Call(call) => call.arguments.iter().for_each(|argument| self.keys(argument, None)),
            ExprKind::Word(call) => {
                // A word without a prompt asks under its own name.
                self.texts.insert(&call.name);
                // Texts and variables that a word uses by itself.
                match &*call.name {
                    // These words read and set the variable whose name they are given.
                    "give" | "give_up_to" | "take_up_to" | "pay_up_to" => {
                        let named = call.arguments.iter().filter_map(|argument| match &argument.kind {
                            ExprKind::Text(text) => Some(&**text),
                            _ => None,
                        });
                        self.read.extend(named);
                    }
                    "choose_within" => drop(self.texts.insert(NOTHING)),
                    "next_to_act" => drop(self.texts.insert(NOBODY)),
                    _ => {}
                }
                call.arguments.iter().for_each(|argument| self.keys(argument, None));
            }
            _ => {}
        }
    }

    /// Records a key of the data or of settings, if `of` is one of these; without a key, every key.
    fn keys(&mut self, of: &'a Expr, key: Option<&'a str>) {
        let keys = match &of.kind {
            ExprKind::Global(Global::Data) => &mut self.data,
            ExprKind::Global(Global::Settings(layer)) => self.settings.entry(*layer).or_default(),
            _ => return,
        };
        match key {
            Some(key) => drop(keys.named.insert(key)),
            None => keys.all = true,
        }
    }
}

impl<'a> RulesContext<'a> {
    pub(super) fn unused(&self, readings: &[FunctionFindings], reached: &[bool]) -> Vec<Lint> {
        let mut uses = UsedNames::default();
        for (function, _) in self.scripts.program.functions.iter().zip(reached).filter(|(_, reached)| **reached) {
            uses.of(function);
        }
        let mut found = Vec::new();
        let layers = || self.ruleset.layers();
        let (texts, references) = self.texts_of_definition();
        for (number, layer) in layers().enumerate() {
            let mut unused = |warning: Diagnostic, place: Option<Place>, help: &'static str| {
                let warning = warning.at_maybe(place).help(help);
                found.push(Lint { warning, layer: Some(layer.id.clone()) });
            };
            // A setting with one choice is none: it only tells how the layer plays.
            let settings =
                layer.settings.iter().filter(|(_, setting)| setting.choices.len() != 1 && setting.ask.is_none());
            for (key, _) in settings {
                if uses.settings.get(&number).is_none_or(|keys| !keys.has(key)) {
                    let warning = Diagnostic::new(message!("nothing uses the setting `{key}`"));
                    let place = layer.place_of(&["settings", key], "never read");
                    unused(warning.with_code(codes::UNUSED_SETTING), place, "a script reads it as `settings.KEY`");
                }
            }
            for (key, place) in self.own_keys(layer, "data", "never read") {
                let is_referred_to = || references.iter().any(|path| path.split('.').next() == Some(key));
                if !uses.data.has(key) && !is_referred_to() {
                    let warning = Diagnostic::new(message!("nothing uses `{key}` of the data"));
                    unused(warning.with_code(codes::UNUSED_DATA), Some(place), "a script reads it as `data.KEY`");
                }
            }
            for (key, place) in self.own_keys(layer, "text", "never shown") {
                if !uses.has_text(key) && !texts.contains(key) {
                    let warning = Diagnostic::new(message!("nothing shows the text `{key}`"));
                    let help = "a text is shown where a script gives its key as a prompt, an act, a reason or a remark";
                    unused(warning.with_code(codes::UNUSED_TEXT), Some(place), help);
                }
            }
            for (key, place) in self.own_keys(layer, "variables", "never read") {
                if let Some((message, help)) = self.unused_variable(key, &uses) {
                    unused(Diagnostic::new(message).with_code(codes::UNUSED_VARIABLE), Some(place), help);
                }
            }
        }
        found.extend(self.unused_names(reached));
        let of_game = |warning| Lint { warning, layer: Some(self.ruleset.game.id.clone()) };
        found.extend(self.uncalled_in_game(readings).map(of_game));
        found
    }

    /// The keys of a table that no layer below has.
    fn own_keys<'l>(
        &self,
        layer: &'l Layer,
        table: &'l str,
        label: &'static str,
    ) -> impl Iterator<Item = (&'l str, Place)> {
        let layers = self.ruleset.all_layers();
        let below: Vec<&tree::TomlTable> = layers
            .take_while(|below| !std::ptr::eq(*below, layer))
            .filter_map(|below| below.tables.table(table))
            .collect();
        let entries = layer.tables.table(table).into_iter().flat_map(tree::TomlTable::iter);
        entries
            .filter(move |(key, _)| below.iter().all(|below| below.get(key).is_none()))
            .map(move |(key, entry)| (key, entry.key.with_label(label)))
    }

    /// The warning and the help for a variable that is never read; `None` where the variable is used.
    fn unused_variable(&self, name: &str, uses: &UsedNames<'_>) -> Option<(Message, &'static str)> {
        let definition = &self.layout.definition;
        let is_bank = |variable: &VariableDefinition| variable.bank == Bank::Is;
        let variable = definition.variables.iter().find(|variable| variable.id == name && !is_bank(variable))?;
        // `award` adds to the score, and the order of players depends on the score and the tie breaks.
        if name == "score"
            || variable.keeps
            || definition.tie_breaks.iter().any(|known| known == name)
            || uses.read.contains(name)
        {
            return None;
        }
        // A visible variable is in the log when it is set.
        match (uses.set.contains(name), variable.visible != Visibility::None) {
            (true, true) => None,
            (true, false) => Some((
                message!("nothing reads the variable `{name}`, and no player sees it"),
                "read it in a script, or let the players see it",
            )),
            (false, _) => Some((
                message!("nothing uses the variable `{name}`"),
                match definition.asked.iter().any(|asked| asked.ask.variable == name) {
                    true => "read it in a script, `table.NAME`: it holds the answer of the setting",
                    false => "set it in a script, or remove it",
                },
            )),
        }
    }

    /// Warnings about names that a function makes with `let` and never reads.
    fn unused_names(&self, reached: &[bool]) -> Vec<Lint> {
        let mut found = Vec::new();
        for (function, _) in self.scripts.program.functions.iter().zip(reached).filter(|(_, reached)| **reached) {
            let mut made: SortedMap<Slot, &Statement> = SortedMap::new();
            let mut read: SortedSet<Slot> = SortedSet::new();
            function.body.walk(&mut |piece| match piece {
                Piece::Statement(statement @ Statement { kind: StatementKind::Let(slot, _), .. }) => {
                    made.insert(*slot, statement);
                }
                Piece::Expr(Expr { kind: ExprKind::Local(slot), .. }) => drop(read.insert(*slot)),
                _ => {}
            });
            for (slot, statement) in made {
                let name = &function.names[usize::from(slot)];
                if read.contains(&slot) || name.starts_with('_') {
                    continue;
                }
                let help = Help::from(message!("remove it, or call it `_{name}` if it is there for people to read"))
                    .with_fix(QuickFix::Rename(format!("_{name}")));
                let warning = Diagnostic::new(message!("nothing reads `{name}`"))
                    .at_maybe(self.place(statement.at, "made here"))
                    .help(help);
                found.push(Lint { warning: warning.with_code(codes::UNUSED_NAME), layer: None });
            }
        }
        found
    }

    /// Every text of the definition that may be shown, and every path into the data.
    pub(super) fn texts_of_definition(&self) -> (SortedSet<&str>, SortedSet<&str>) {
        let (mut texts, mut references) = (SortedSet::new(), SortedSet::new());
        for layer in self.ruleset.all_layers() {
            for (_, entry) in layer.tables.iter().filter(|(key, _)| *key != "text") {
                texts_in(&entry.node.value, &mut texts);
            }
            for setting in layer.settings.values() {
                texts.extend(setting.ask.iter().map(|ask| ask.prompt.as_str()));
                texts.extend(setting.choices_path.as_deref());
                texts.extend(setting.choices.iter().chain([&setting.default]).filter_map(toml::Value::as_str));
            }
            for addition in layer.additions.iter().flat_map(|addition| &addition.elements) {
                texts_in(&addition.value, &mut texts);
            }
        }
        references.extend(texts.iter().filter_map(|text| text.strip_prefix("data.")));
        (texts, references)
    }
}

/// The texts and keys of a piece of TOML.
fn texts_in<'l>(value: &'l tree::Value, texts: &mut SortedSet<&'l str>) {
    match value {
        tree::Value::Text(text) => drop(texts.insert(text)),
        tree::Value::List(list) => list.iter().for_each(|node| texts_in(&node.value, texts)),
        tree::Value::Table(table) => table.iter().for_each(|(key, entry)| {
            texts.insert(key);
            texts_in(&entry.node.value, texts);
        }),
        tree::Value::Number(_) | tree::Value::Truth(_) => {}
    }
}
