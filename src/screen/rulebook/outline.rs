//! The course of the game: the functions of the rules in the order in which they are called from `game()`, with what
//! each asks, gives and tells.

use super::texts::{comment, heading, template, without_code};
use super::words::words;
use super::{Fact, FactKind, LocalText, Rule, RuleText};
use crate::definition::Language;
use crate::playthrough::Playable;
use crate::ruleset::Role as LayerRole;
use crate::script::check::known::roles;
use crate::script::program::{
    Binary, Block, Call, Expr, ExprKind, Function, FunctionValue, Global, Piece, Slot, Statement, StatementKind,
    Target, WordCall,
};
use crate::script::vocabulary::Role;
use crate::sorted::{SortedMap, SortedSet};
use crate::table::names::Names;

/// Most levels of nested rules; deeper ones are listed beside their callers.
const MAX_RULE_DEPTH: usize = 3;

/// Most calls followed to find the possible values of a text.
const MAX_FOLLOWED_CALLS: usize = 5;

/// Most options named for a decision.
const MAX_NAMED_OPTIONS: usize = 16;

/// The identity of a function: its name, its number of parameters and, if it is private, its script.
type Key = (String, usize, Option<usize>);

/// A reader of the rules for their outline.
pub(super) struct Outliner<'a> {
    loaded: &'a Playable,
    names: Names<'a>,
    met: SortedSet<Key>,
    /// The functions that are called without variants.
    plain: SortedSet<Key>,
    /// The number of the last rule at each depth.
    numbers: Vec<usize>,
    rules: Vec<Rule>,
}

impl<'a> Outliner<'a> {
    pub(super) fn new(loaded: &'a Playable, language: Language) -> Self {
        let names = Names { layout: &loaded.layout, language };
        let mut outliner = Self {
            loaded,
            names,
            met: SortedSet::new(),
            plain: SortedSet::new(),
            numbers: Vec::new(),
            rules: Vec::new(),
        };
        outliner.plain = outliner.called_without_variants();
        outliner
    }

    /// The rules from `game()` on.
    pub(super) fn rules(mut self) -> Vec<Rule> {
        self.visit(&game(), 0, None);
        self.rules
    }

    /// Whether points decide: the rules award some, and nobody wins or loses otherwise.
    pub(super) fn ends_by_points(&self) -> bool {
        let called = self.called();
        let uses =
            |word: &str| called.iter().any(|number| self.words_in(*number).iter().any(|call| *call.name == *word));
        uses("award") && !uses("win") && !uses("lose")
    }

    /// Every definition that the rules can reach.
    fn called(&self) -> SortedSet<usize> {
        let (mut called, mut open) = (SortedSet::new(), vec![game()]);
        let mut seen = SortedSet::new();
        while let Some(key) = open.pop() {
            if seen.insert(key.clone()) {
                for number in self.active(&key) {
                    called.insert(number);
                    open.extend(self.called_by(number));
                }
            }
        }
        called
    }

    /// Every function that the rules can reach without variants.
    fn called_without_variants(&self) -> SortedSet<Key> {
        let (mut called, mut open) = (SortedSet::new(), vec![game()]);
        while let Some(key) = open.pop() {
            if called.insert(key.clone()) {
                let plain = self.definitions(&key).into_iter().filter(|number| self.variant(*number).is_none());
                open.extend(self.active_of(plain.collect()).into_iter().flat_map(|number| self.called_by(number)));
            }
        }
        called
    }

    /// The text of the topmost doc comment on a function with this name and one parameter.
    pub(super) fn about(&self, name: &str) -> Option<LocalText> {
        let numbers = self.definitions(&(name.to_owned(), 1, None));
        numbers.into_iter().rev().find_map(|number| self.comment(number))
    }

    fn function(&self, number: usize) -> Option<&'a Function> {
        let loaded: &'a Playable = self.loaded;
        loaded.rules.program().functions.get(number)
    }

    /// The uses of vocabulary words in a definition, in source order.
    fn words_in(&self, number: usize) -> Vec<&'a WordCall> {
        let mut words = Vec::new();
        if let Some(function) = self.function(number) {
            function.body.walk(&mut |piece| {
                if let Piece::Expr(Expr { kind: ExprKind::Word(call), .. }) = piece {
                    words.push(call);
                }
            });
        }
        words
    }

    /// The definitions of a function, from the lowest layer up.
    fn definitions(&self, (name, arity, script): &Key) -> Vec<usize> {
        let functions = self.loaded.functions.iter().enumerate();
        let same = functions.filter(|(_, function)| {
            function.name == *name
                && function.parameters.len() == *arity
                && function.is_private.then_some(function.script) == *script
        });
        same.map(|(number, _)| number).collect()
    }

    fn key(&self, number: usize) -> Option<Key> {
        let function = self.loaded.functions.get(number)?;
        Some((function.name.clone(), function.parameters.len(), function.is_private.then_some(function.script)))
    }

    /// The definitions that can run, from the lowest layer up: those below one that does not call `super` never do.
    fn active(&self, key: &Key) -> Vec<usize> {
        self.active_of(self.definitions(key))
    }

    fn active_of(&self, definitions: Vec<usize>) -> Vec<usize> {
        let mut active = Vec::new();
        for number in definitions.into_iter().rev() {
            active.push(number);
            let goes_on = self.function(number).is_some_and(|function| {
                let mut goes_on = false;
                function.body.walk(&mut |piece| {
                    goes_on |= matches!(piece, Piece::Expr(Expr { kind: ExprKind::Call(call), .. }) if call.is_super);
                });
                goes_on
            });
            if !goes_on {
                break;
            }
        }
        active.reverse();
        active
    }

    /// The index of the variant that defines a function.
    fn variant(&self, number: usize) -> Option<usize> {
        let function = self.loaded.functions.get(number)?;
        match self.loaded.ruleset.scripts.get(function.script)?.role {
            LayerRole::Variant(variant) => Some(variant),
            LayerRole::Library | LayerRole::Base(_) | LayerRole::Game => None,
        }
    }

    fn comment(&self, number: usize) -> Option<LocalText> {
        let lines = self.loaded.functions.get(number)?.comment(&self.loaded.ruleset);
        let said = comment(&lines, self.names.language)?;
        let names = Names { language: said.language, ..self.names };
        Some(LocalText { text: without_code(&said.text, names, words(said.language).the_player), ..said })
    }

    /// Adds a function, then those that it calls; `caller` is the variant that calls it.
    fn visit(&mut self, key: &Key, depth: usize, caller: Option<usize>) {
        if !self.met.insert(key.clone()) {
            return;
        }
        let active = self.active(key);
        // A function that only a variant calls counts as the variant's, wherever it is defined.
        let caller = caller.filter(|_| !self.plain.contains(key));
        let mut texts = Vec::new();
        for number in self.definitions(key) {
            let by = self.variant(number).or(caller);
            let is_active = active.contains(&number);
            // A library's function that the game itself overrides was never a rule of this game.
            let has_successor = active.iter().any(|number| self.variant(*number).is_none());
            if !is_active && (by.is_some() || has_successor) {
                continue;
            }
            let said = self.comment(number).or_else(|| {
                let variant = self.loaded.ruleset.variants.get(by?)?;
                let text = variant.about.get(self.names.language).to_owned();
                Some(LocalText { text, language: self.names.language })
            });
            texts.extend(said.map(|said| RuleText { said, by, is_replaced: !is_active }));
        }
        // Of the layers below the first variant, only the topmost replaced one was in effect.
        let replaced = texts.iter().rposition(|text| text.is_replaced);
        let mut place = 0;
        texts.retain(|text| {
            place += 1;
            !text.is_replaced || Some(place - 1) == replaced
        });
        let facts = self.facts_of(&active, caller);
        let is_told = depth == 0 || !facts.is_empty() || !texts.is_empty() && !self.is_helper(key, &active);
        if is_told {
            let number = self.next_number(depth);
            let has_words = texts.iter().any(|text| text.said.language == self.names.language);
            // Names of functions are English.
            let is_named = self.names.language == Language::English || !has_words && facts.is_empty();
            let name = if depth > 0 && is_named { heading(&key.0) } else { String::new() };
            self.rules.push(Rule { number, depth, name, texts, facts });
        }
        let below = if is_told { (depth + 1).min(MAX_RULE_DEPTH) } else { depth };
        for number in active {
            for key in self.called_by(number) {
                self.visit(&key, below, self.variant(number).or(caller));
            }
        }
    }

    fn next_number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return String::new();
        }
        self.numbers.truncate(depth);
        self.numbers.resize(depth, 0);
        if let Some(last) = self.numbers.last_mut() {
            *last += 1;
        }
        self.numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")
    }

    /// The functions that a function calls, in source order.
    fn called_by(&self, number: usize) -> Vec<Key> {
        let mut keys = Vec::new();
        let Some(function) = self.function(number) else { return keys };
        function.body.walk(&mut |piece| {
            let Piece::Expr(expression) = piece else { return };
            match &expression.kind {
                ExprKind::Call(call) if !call.is_super => keys.extend(self.key(usize::from(call.function))),
                ExprKind::Function(value) => {
                    if let FunctionValue::Named(name) = &**value {
                        let named = self.loaded.functions.iter().filter(|function| function.name == **name);
                        keys.extend(named.map(|function| (function.name.clone(), function.parameters.len(), None)));
                    }
                }
                _ => {}
            }
        });
        keys
    }

    /// The facts in the definitions of a function.
    fn facts_of(&self, active: &[usize], caller: Option<usize>) -> Vec<Fact> {
        let mut facts: Vec<Fact> = Vec::new();
        for &number in active {
            let by = self.variant(number).or(caller);
            for fact in self.words_in(number).into_iter().flat_map(|call| self.facts_of_word(call, number, by)) {
                let is_known = |known: &Fact| (known.kind, &known.text) == (fact.kind, &fact.text);
                match facts.iter_mut().find(|known| is_known(known)) {
                    Some(known) => fact.options.into_iter().for_each(|option| add(&mut known.options, option)),
                    None => facts.push(fact),
                }
            }
        }
        facts.sort_by_key(|fact| fact.kind);
        facts
    }

    /// The facts in the use of a vocabulary word.
    fn facts_of_word(&self, call: &WordCall, number: usize, by: Option<usize>) -> Vec<Fact> {
        let mut facts = Vec::new();
        for (position, argument) in call.arguments.iter().enumerate() {
            let Some(role) = roles(&call.name, call.arguments.len(), position).next() else { continue };
            let kind = match (role, &*call.name) {
                (Role::Prompt, "show_choice") => continue,
                (Role::Prompt, _) => FactKind::Decision,
                (Role::Phase, _) => FactKind::Phase,
                (Role::Reason, "win") => FactKind::Wins,
                (Role::Reason, "lose") => FactKind::Loses,
                (Role::Reason, _) if self.is_loss(call, number) => FactKind::Costs,
                (Role::Reason, _) => FactKind::Points,
                (Role::Remark, _) => FactKind::Remark,
                (Role::Objection, _) => FactKind::NotAllowed,
                _ => continue,
            };
            for key in self.texts_of(argument, 0).into_iter().filter(|key| !key.is_empty()) {
                let is_secret = call.name.ends_with("secretly") || self.loaded.layout.definition.secrets.contains(&key);
                let (kind, options) = match kind {
                    FactKind::Decision if is_secret => (FactKind::SecretDecision, self.options(call, number)),
                    FactKind::Decision => (kind, self.options(call, number)),
                    kind => (kind, Vec::new()),
                };
                facts.push(Fact { kind, text: self.word(&key), options, by });
            }
        }
        facts
    }

    /// Whether an award takes points away.
    fn is_loss(&self, call: &WordCall, number: usize) -> bool {
        let is_less = |expression: &Expr| match &expression.kind {
            ExprKind::Negative(_) => true,
            ExprKind::Number(number) => *number < 0,
            _ => false,
        };
        let Some(points) = call.arguments.get(1) else { return false };
        let ExprKind::Local(slot) = &points.kind else { return is_less(points) };
        let mut given = Vec::new();
        self.function(number).into_iter().for_each(|function| {
            function.body.walk(&mut |piece| match piece {
                Piece::Statement(Statement { kind: StatementKind::Let(local, value), .. }) if local == slot => {
                    given.push(is_less(value))
                }
                _ => {}
            });
        });
        !given.is_empty() && given.iter().all(|is_less| *is_less)
    }

    /// Whether a function is only a helper of others: it is private, or draws lots without a display name.
    fn is_helper(&self, key: &Key, active: &[usize]) -> bool {
        let draws = |call: &WordCall| {
            call.arguments.iter().enumerate().any(|(position, argument)| {
                let is_lot = roles(&call.name, call.arguments.len(), position).any(|role| role == Role::Lot);
                is_lot && !matches!(&argument.kind, ExprKind::Text(text) if self.is_word(text))
            })
        };
        key.2.is_some() || active.iter().flat_map(|number| self.words_in(*number)).any(draws)
    }

    fn word(&self, key: &str) -> String {
        template(&self.names.word(key).text, self.names.language)
    }

    /// The possible texts of an expression, after `calls` calls.
    fn texts_of(&self, expression: &Expr, calls: usize) -> Vec<String> {
        let mut texts = FoundTexts::default();
        self.ends(expression, calls, &mut texts);
        texts.texts
    }

    fn ends(&self, expression: &Expr, calls: usize, texts: &mut FoundTexts) {
        match &expression.kind {
            ExprKind::Text(text) => texts.add(text.to_string()),
            ExprKind::Block(block) => self.ends_of_block(block, calls, texts),
            ExprKind::Call(call) => self.ends_of_call(call, calls, texts),
            ExprKind::Function(value) => match &**value {
                FunctionValue::Closure(_, body) => self.ends_of_block(body, calls, texts),
                FunctionValue::Named(_) => {}
            },
            _ => {}
        }
    }

    fn ends_of_call(&self, call: &Call, calls: usize, texts: &mut FoundTexts) {
        let Some(key) = self.key(usize::from(call.function)).filter(|_| calls < MAX_FOLLOWED_CALLS && !call.is_super)
        else {
            return;
        };
        for number in self.active(&key) {
            let Some(function) = self.function(number).filter(|_| texts.follows((number, None), calls)) else {
                continue;
            };
            self.ends_of_block(&function.body, calls + 1, texts);
            returned(&function.body).into_iter().for_each(|value| self.ends(value, calls + 1, texts));
        }
    }

    fn ends_of_block(&self, block: &Block, calls: usize, texts: &mut FoundTexts) {
        let Some(last) = block.0.last() else { return };
        match &last.kind {
            StatementKind::Expr(value) => self.ends(value, calls, texts),
            StatementKind::If(_, then, otherwise) => {
                self.ends_of_block(then, calls, texts);
                self.ends_of_block(otherwise, calls, texts);
            }
            StatementKind::Switch(switch) => {
                let values = switch.cases.iter().map(|case| &case.value).chain(&switch.default);
                values.for_each(|value| self.ends(value, calls, texts));
            }
            StatementKind::Block(block) => self.ends_of_block(block, calls, texts),
            _ => {}
        }
    }

    /// The options of a decision, as far as the rules name them.
    fn options(&self, call: &WordCall, number: usize) -> Vec<String> {
        if &*call.name == "may" {
            return [true, false].map(|truth| self.names.truth(truth).to_owned()).to_vec();
        }
        let mut options = FoundTexts::default();
        for (position, argument) in call.arguments.iter().enumerate() {
            // The receiver decides, and arguments with another role are not options.
            if position > 0 && roles(&call.name, call.arguments.len(), position).next().is_none() {
                self.gather(argument, number, 0, &mut options);
            }
        }
        if options.texts.len() > MAX_NAMED_OPTIONS { Vec::new() } else { options.texts }
    }

    fn gather(&self, expression: &Expr, number: usize, calls: usize, options: &mut FoundTexts) {
        if calls > MAX_FOLLOWED_CALLS {
            return;
        }
        match &expression.kind {
            ExprKind::Text(text) if self.is_word(text) => options.add(self.word(text)),
            ExprKind::Local(slot) => self.gather_local(*slot, number, calls, options),
            ExprKind::Call(call) => self.gather_call(call, calls, options),
            ExprKind::Function(_) => {}
            ExprKind::Word(call) => {
                for (position, argument) in call.arguments.iter().enumerate() {
                    if let ExprKind::Function(value) = &argument.kind {
                        if &*call.name == "options" {
                            self.gather_given(value, number, calls, options);
                        }
                        continue;
                    }
                    match roles(&call.name, call.arguments.len(), position).next() {
                        Some(Role::Act) => {
                            self.texts_of(argument, calls).iter().for_each(|act| options.add(self.word(act)));
                        }
                        Some(_) => {}
                        // The owner and the number of things are not among the options.
                        None if position == 0 || matches!(argument.kind, ExprKind::List(_)) => {
                            self.gather(argument, number, calls, options);
                        }
                        None => {}
                    }
                }
            }
            ExprKind::Property(of, name) => {
                if matches!(of.kind, ExprKind::Global(Global::Data))
                    && let Some(toml::Value::Array(values)) = self.loaded.layout.definition.data.get(&**name)
                {
                    values.iter().filter_map(toml::Value::as_str).for_each(|value| options.add(self.word(value)));
                }
            }
            ExprKind::Block(block) => block.0.iter().for_each(|statement| {
                self.gather_statement(statement, number, calls, options);
            }),
            ExprKind::List(list) => list.iter().for_each(|one| self.gather(one, number, calls, options)),
            ExprKind::Binary(Binary::Add, sides) => {
                sides.iter().for_each(|side| self.gather(side, number, calls, options));
            }
            _ => {}
        }
    }

    fn gather_statement(&self, statement: &Statement, number: usize, calls: usize, options: &mut FoundTexts) {
        let mut of_block = |block: &Block| {
            let Some(last) = block.0.last() else { return };
            self.gather_statement(last, number, calls, options);
        };
        match &statement.kind {
            StatementKind::If(_, then, otherwise) => {
                of_block(then);
                of_block(otherwise);
            }
            StatementKind::Block(block) => of_block(block),
            StatementKind::Expr(value) | StatementKind::Return(Some(value)) => {
                self.gather(value, number, calls, options);
            }
            StatementKind::Switch(switch) => {
                let values = switch.cases.iter().map(|case| &case.value).chain(&switch.default);
                values.for_each(|value| self.gather(value, number, calls, options));
            }
            _ => {}
        }
    }

    /// Gathers the values assigned to a local variable.
    fn gather_local(&self, slot: Slot, number: usize, calls: usize, options: &mut FoundTexts) {
        let Some(function) = self.function(number).filter(|_| options.follows((number, Some(slot)), calls)) else {
            return;
        };
        let mut given = Vec::new();
        function.body.walk(&mut |piece| match piece {
            Piece::Statement(Statement { kind: StatementKind::Let(local, value), .. }) if *local == slot => {
                given.push(value);
            }
            Piece::Statement(Statement {
                kind: StatementKind::Set { target: Target::Local(local, _), value, .. },
                ..
            }) if *local == slot => {
                given.push(value);
            }
            _ => {}
        });
        given.into_iter().for_each(|value| self.gather(value, number, calls + 1, options));
    }

    fn gather_call(&self, call: &Call, calls: usize, options: &mut FoundTexts) {
        if let Some(key) = self.key(usize::from(call.function)).filter(|_| !call.is_super) {
            self.gather_function(&key, calls, options);
        }
    }

    fn gather_function(&self, key: &Key, calls: usize, options: &mut FoundTexts) {
        for number in self.active(key) {
            let Some(function) = self.function(number).filter(|_| options.follows((number, None), calls)) else {
                continue;
            };
            self.gather_body(&function.body, number, calls + 1, options);
        }
    }

    /// Gathers the results of a function passed to a vocabulary word.
    fn gather_given(&self, value: &FunctionValue, number: usize, calls: usize, options: &mut FoundTexts) {
        match value {
            FunctionValue::Closure(_, body) => self.gather_body(body, number, calls, options),
            FunctionValue::Named(name) => {
                self.gather_function(&(name.to_string(), 1, None), calls, options);
            }
        }
    }

    fn gather_body(&self, body: &Block, number: usize, calls: usize, options: &mut FoundTexts) {
        let Some(last) = body.0.last() else { return };
        self.gather_statement(last, number, calls, options);
        returned(body).into_iter().for_each(|value| self.gather(value, number, calls, options));
    }

    /// Whether the game has a display name for a text.
    fn is_word(&self, text: &str) -> bool {
        let definition = &self.loaded.layout.definition;
        definition.text(text).is_some() || definition.attributes.values().any(|values| values.contains_key(text))
    }
}

/// The values that a body gives with `return`.
fn returned(body: &Block) -> Vec<&Expr> {
    let mut values = Vec::new();
    body.walk(&mut |piece| {
        if let Piece::Statement(Statement { kind: StatementKind::Return(Some(value)), .. }) = piece {
            values.push(value);
        }
    });
    values
}

/// The identity of `game()`, where the rules begin.
fn game() -> Key {
    ("game".to_owned(), 0, None)
}

/// The texts found, and the places searched: definitions by index, or local variables in them, each with the smallest
/// number of calls that led there. A search with no fewer calls would find nothing new.
#[derive(Default)]
struct FoundTexts {
    texts: Vec<String>,
    followed: SortedMap<(usize, Option<Slot>), usize>,
}

impl FoundTexts {
    fn add(&mut self, text: String) {
        add(&mut self.texts, text);
    }

    /// Whether a search of a place after `calls` calls may find something new; marks the place as searched.
    fn follows(&mut self, place: (usize, Option<Slot>), calls: usize) -> bool {
        let is_known = self.followed.get(&place).is_some_and(|fewest| *fewest <= calls);
        if !is_known {
            self.followed.insert(place, calls);
        }
        !is_known
    }
}

fn add(all: &mut Vec<String>, one: String) {
    if !all.contains(&one) {
        all.push(one);
    }
}
