//! The words that rules are written with, each declared once.
//!
//! From the one table below come registration with the interpreter, help and completion, the reference page, and the
//! check for unknown names. The body of a word is a plain typed function of the [`Table`]: no interpreter type reaches
//! it, so that another executor can use the same table. Words that take a function are in [`callbacks`].

pub mod callbacks;
mod convert;
pub mod reference;

use crate::script::sorts::Sort;
use crate::table::data::Data;
use crate::table::event::ScriptPoint;
use crate::table::value::{Component, NOBODY, Parts, Seat, Seats, Value, Zone, Zones};
use crate::table::words::{Choices, Components, Holder};
use crate::table::{Fault, Table};
use convert::{Asking, Give, Take};
use rhai::{
    Array, Dynamic, Engine, EvalAltResult, FuncRegistration, ImmutableString, Module, NativeCallContext, Position,
};
use std::any::TypeId;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

pub(crate) use convert::{
    RaisedFault, SharedTable, give_datum, labels, raise, script_point, shown, to_dynamic, to_value, value_or_list,
};

/// No player, to scripts: `table.winner == nobody`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nobody;

impl std::fmt::Display for Nobody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(NOBODY)
    }
}

impl PartialEq<Seat> for Nobody {
    fn eq(&self, _player: &Seat) -> bool {
        false
    }
}

impl PartialEq<Nobody> for Seat {
    fn eq(&self, _nobody: &Nobody) -> bool {
        false
    }
}

/// One word of the vocabulary.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The heading that it stands under in the reference.
    pub section: &'static str,
    /// How it is used.
    pub form: Form,
    /// What it is asked of; empty for a word that stands alone.
    pub receivers: &'static [&'static str],
    /// Its name; `[]` and `+` for operators.
    pub name: &'static str,
    /// Its arguments: name and type.
    pub parameters: &'static [(&'static str, &'static str)],
    /// The type of what it gives.
    pub result: &'static str,
    /// What it means; the first line is a sentence of its own.
    pub doc: &'static str,
}

/// How a word is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `zone.len`
    Property,
    /// `zone.shuffle()`
    Method,
    /// `begin_turn(p)`
    Function,
    /// `players[1]`, `a + b`
    Operator,
    /// `players.any(|p| …)`: takes a function that changes nothing.
    Callback,
}

impl Word {
    /// How many arguments the interpreter sees: the receiver counts.
    pub fn arity(&self) -> usize {
        self.parameters.len() + usize::from(!self.receivers.is_empty())
    }

    /// How it is written: `zone.deal(count: number, to: zone)`.
    pub fn usage(&self) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(|(name, sort)| format!("{name}: {sort}")).collect();
        let receiver = self.receivers.first().copied().unwrap_or_default();
        match self.form {
            Form::Property => format!("{receiver}.{}", self.name),
            Form::Method | Form::Callback => format!("{receiver}.{}({})", self.name, parameters.join(", ")),
            Form::Function => format!("{}({})", self.name, parameters.join(", ")),
            Form::Operator if self.name == "[]" => format!("{receiver}[{}]", parameters.join(", ")),
            Form::Operator => format!("{receiver} {} {}", self.name, parameters.join(", ")),
        }
    }
}

macro_rules! rust_type {
    (number) => {
        i64
    };
    (truth) => {
        bool
    };
    (text) => {
        ImmutableString
    };
    (component) => {
        Component
    };
    (components) => {
        Components
    };
    (zone) => {
        Zone
    };
    (zones) => {
        Zones
    };
    (player) => {
        Seat
    };
    (nobody) => {
        Nobody
    };
    (players) => {
        Seats
    };
    (options) => {
        Choices
    };
    (option) => {
        Parts
    };
    (anything) => {
        Dynamic
    };
    (data) => {
        Data
    };
    (list) => {
        Array
    };
}

macro_rules! form {
    (get) => {
        Form::Property
    };
    (method) => {
        Form::Method
    };
    (function) => {
        Form::Function
    };
    (operator) => {
        Form::Operator
    };
    (index) => {
        Form::Operator
    };
}

/// Registers one word for one receiver.
macro_rules! register {
    ($engine:ident $shared:ident get $name:literal [$receiver:ident] ($table:ident, $this:ident) $body:block) => {
        let shared = $shared.clone();
        $engine.register_get($name, move |context: NativeCallContext, $this: &mut rust_type!($receiver)| {
            let mut borrowed = shared.enter(&context);
            let $table: &mut Table = &mut borrowed;
            let _ = &$table;
            ($body).give()
        });
        keep_as_it_is::<rust_type!($receiver)>($engine, $name);
    };
    ($engine:ident $shared:ident index $name:literal [$receiver:ident]
        ($table:ident, $this:ident, $argument:ident : $sort:ident) $body:block) => {
        let shared = $shared.clone();
        $engine.register_indexer_get(
            move |context: NativeCallContext, $this: &mut rust_type!($receiver), argument: rust_type!($sort)| {
                let mut borrowed = shared.enter(&context);
                let $table: &mut Table = &mut borrowed;
            let _ = &$table;
                let $argument = Take::take(&argument);
                ($body).give()
            },
        );
    };
    ($engine:ident $shared:ident function $name:literal []
        ($table:ident $(, $argument:ident : $sort:ident)*) $body:block) => {
        let shared = $shared.clone();
        $engine.register_fn($name, move |context: NativeCallContext $(, $argument: rust_type!($sort))*| {
            let mut borrowed = shared.enter(&context);
            let $table: &mut Table = &mut borrowed;
            let _ = &$table;
            $(let $argument = Take::take(&$argument);)*
            ($body).give()
        });
    };
    ($engine:ident $shared:ident $form:ident $name:literal [$receiver:ident]
        ($table:ident, $this:ident $(, $argument:ident : $sort:ident)*) $body:block) => {
        let shared = $shared.clone();
        $engine.register_fn(
            $name,
            move |context: NativeCallContext, $this: &mut rust_type!($receiver) $(, $argument: rust_type!($sort))*| {
                let mut borrowed = shared.enter(&context);
                let $table: &mut Table = &mut borrowed;
            let _ = &$table;
                $(let $argument = Take::take(&$argument);)*
                ($body).give()
            },
        );
    };
}

macro_rules! parameters {
    (($table:ident, this $(, $argument:ident : $sort:ident)*)) => {
        &[$((stringify!($argument), stringify!($sort))),*]
    };
    (($table:ident $(, $argument:ident : $sort:ident)*)) => {
        &[$((stringify!($argument), stringify!($sort))),*]
    };
}

macro_rules! register_for_each {
    ($engine:ident $shared:ident $form:ident $name:literal [] $parameters:tt $body:block) => {
        register!($engine $shared $form $name [] $parameters $body);
    };
    ($engine:ident $shared:ident $form:ident $name:literal [$($receiver:ident)+] $parameters:tt $body:block) => {
        $(register!($engine $shared $form $name [$receiver] $parameters $body);)+
    };
}

/// The one table: doc, form, name, receivers, parameters, result, body.
macro_rules! vocabulary {
    ($( $section:literal { $(
        $(#[doc = $doc:literal])+
        $form:ident $name:literal [$($receiver:ident)*] $parameters:tt -> $result:ident $body:block
    )* } )*) => {
        const PLAIN_WORDS: &[Word] = &[$($(
            Word {
                section: $section,
                form: form!($form),
                receivers: &[$(stringify!($receiver)),*],
                name: $name,
                parameters: parameters!($parameters),
                result: stringify!($result),
                doc: concat!($($doc, "\n"),+),
            },
        )*)*];

        fn register_plain(engine: &mut Engine, shared: &SharedTable) {
            $($(register_for_each!(engine shared $form $name [$($receiver)*] $parameters $body);)*)*
        }
    };
}

vocabulary! {
    "Asking players" {
        /// Asks the player to choose one component of a zone or list, and gives it.
        ///
        /// The cards of a hand are offered sorted, as they are drawn. To ask where nothing can be chosen is an error. A third argument filters: see `choose` with a function.
        method "choose" [player] (table, this, prompt: text, options: zone) -> component {
            let options = table.offered(options);
            convert::choose_component(table, Asking::of(*this, prompt), &options)
        }
        /// Asks the player to choose one component of a list, and gives it.
        method "choose" [player] (table, this, prompt: text, options: components) -> component {
            convert::choose_component(table, Asking::of(*this, prompt), &options.0)
        }
        /// Asks the player to choose one of several zones, and gives it.
        method "choose" [player] (table, this, prompt: text, options: zones) -> zone { convert::choose_zone(table, Asking::of(*this, prompt), &options.0) }
        /// Asks the player to choose one of the players, and gives that one.
        method "choose" [player] (table, this, prompt: text, options: players) -> player {
            convert::choose_seat(table, Asking::of(*this, prompt), options.as_slice())
        }
        /// Asks the player to choose one of the options put together with `act` and `acts`.
        ///
        /// The result has the option's parts as properties: `choice.act`, `choice.column`.
        method "choose" [player] (table, this, prompt: text, options: options) -> value {
            convert::choose_value(table, Asking::of(*this, prompt), &options.0)
        }
        /// Asks the player to choose one of the values of a list: texts, numbers, or anything that can be an option.
        method "choose" [player] (table, this, prompt: text, options: list) -> value {
            let options = convert::values(options)?;
            convert::choose_value(table, Asking::of(*this, prompt), &options)
        }
        /// Asks the player to choose one of the values of a list in the data.
        method "choose" [player] (table, this, prompt: text, options: data) -> value {
            let options = table.data_values(options)?;
            convert::choose_value(table, Asking::of(*this, prompt), &options)
        }
        /// Asks the player to choose one of the values of a list in the data, and says what the choice is for.
        ///
        /// For prompts that several rules use: the purpose stands beside the prompt and in the trace.
        method "choose_for" [player] (table, this, purpose: text, prompt: text, options: data) -> value {
            let options = table.data_values(options)?;
            convert::choose_value(table, Asking::of(*this, prompt).for_purpose(purpose), &options)
        }
        /// Asks the player to choose one of the values of a list, and says what the choice is for.
        method "choose_for" [player] (table, this, purpose: text, prompt: text, options: list) -> value {
            let options = convert::values(options)?;
            convert::choose_value(table, Asking::of(*this, prompt).for_purpose(purpose), &options)
        }
        /// Asks the player to choose `min` to `max` components of a zone or list, and gives them as a list.
        method "choose_some" [player] (table, this, prompt: text, options: zone, min: number, max: number) -> components {
            let options = table.offered(options);
            convert::choose_some(table, Asking::of(*this, prompt), &options, min, max)
        }
        /// Asks the player to choose `min` to `max` components of a list, and gives them as a list.
        method "choose_some" [player] (table, this, prompt: text, options: components, min: number, max: number) -> components {
            convert::choose_some(table, Asking::of(*this, prompt), &options.0, min, max)
        }
        /// Asks the player yes or no.
        method "may" [player] (table, this, prompt: text) -> truth { convert::ask_yes_or_no(table, Asking::of(*this, prompt)) }
        /// As `choose`, and nobody else knows what was chosen until the rules show it with `show_choice`.
        ///
        /// The log, the history and the options tell others only that a choice was made; what it is made into must not
        /// tell either, so keep it in a zone or a variable that is hidden from them. A prompt is secret in every form of
        /// asking, `may` and `choose_some` too, if its text says `secret = true`.
        method "choose_secretly" [player] (table, this, prompt: text, options: zone) -> component {
            let options = table.offered(options);
            convert::choose_component(table, Asking::secretly(*this, prompt), &options)
        }
        /// As `choose` from a list of components, and nobody else knows what was chosen.
        method "choose_secretly" [player] (table, this, prompt: text, options: components) -> component {
            convert::choose_component(table, Asking::secretly(*this, prompt), &options.0)
        }
        /// As `choose` from several zones, and nobody else knows what was chosen.
        method "choose_secretly" [player] (table, this, prompt: text, options: zones) -> zone {
            convert::choose_zone(table, Asking::secretly(*this, prompt), &options.0)
        }
        /// As `choose` from the players, and nobody else knows whom: whom the wolves eat, who is looked at.
        method "choose_secretly" [player] (table, this, prompt: text, options: players) -> player {
            convert::choose_seat(table, Asking::secretly(*this, prompt), options.as_slice())
        }
        /// As `choose` from options put together with `act` and `acts`, and nobody else knows what was chosen.
        method "choose_secretly" [player] (table, this, prompt: text, options: options) -> value {
            convert::choose_value(table, Asking::secretly(*this, prompt), &options.0)
        }
        /// As `choose` from the values of a list, and nobody else knows what was chosen: a bid.
        method "choose_secretly" [player] (table, this, prompt: text, options: list) -> value {
            let options = convert::values(options)?;
            convert::choose_value(table, Asking::secretly(*this, prompt), &options)
        }
        /// As `choose` from the values of a list in the data, and nobody else knows what was chosen.
        method "choose_secretly" [player] (table, this, prompt: text, options: data) -> value {
            let options = table.data_values(options)?;
            convert::choose_value(table, Asking::secretly(*this, prompt), &options)
        }
        /// Shows everybody what the player last chose in secret for a prompt.
        method "show_choice" [player] (table, this, prompt: text) -> nothing { table.show_choice(*this, prompt, None) }
        /// Shows one player what this player last chose in secret for a prompt.
        method "show_choice" [player] (table, this, prompt: text, to: player) -> nothing {
            table.show_choice(*this, prompt, Some(to))
        }
        /// An option that consists of its name alone, as the beginning of a list of options.
        function "act" [] (table, act: text) -> options { Choices(vec![convert::bare_act(act)]) }
        /// An act and what it is done with, under the name of that part: one option for each component of a zone or
        /// list, each zone, player, or entry of a list.
        ///
        /// `acts("insert", "card", p.hand)` gives options with `choice.act == "insert"` and `choice.card`.
        function "acts" [] (table, act: text, part: text, with: anything) -> options {
            if part == "act" {
                return Err(raise(Fault::rule("an option has the part act already")));
            }
            convert::parts_of(table, with).map(|values| Table::acts(act, part, values))
        }
        /// One option for each component of a zone or list, each zone, player, or entry of a list, under the name of
        /// that part.
        ///
        /// `options("seat", others)` gives options with `choice.seat`; see `and` for a second part.
        function "options" [] (table, part: text, values: anything) -> options {
            convert::parts_of(table, values).map(|values| Table::options(part, values))
        }
        /// No option, to be added to.
        function "options" [] (table) -> options { Choices::default() }
        /// Each of the options combined with each of the values, as a further part.
        ///
        /// `acts("block", "die", dice).and("target", others)` gives options with `choice.die` and `choice.target`.
        method "and" [options] (table, this, part: text, values: anything) -> options {
            let values = convert::parts_of(table, values)?;
            convert::within_limit("options", this.0.len().saturating_mul(values.len()))?;
            Table::with_part(this, part, &values)
        }
        /// The options, and a text as one more.
        operator "+" [options] (table, this, plain: text) -> options {
            convert::within_limit("options", this.0.len() + 1)?;
            Ok::<_, Fault>(Choices(this.0.iter().cloned().chain([Value::Text(plain.into())]).collect()))
        }
        /// The options of both lists.
        operator "+" [options] (table, this, more: options) -> options {
            convert::within_limit("options", this.0.len() + more.0.len())?;
            Ok::<_, Fault>(Choices(this.0.iter().chain(&more.0).cloned().collect()))
        }
        /// Whether the option has a part of that name.
        method "has" [option] (table, this, part: text) -> truth { this.get(part).is_some() }
        /// Whether an option is among these.
        method "contains" [options] (table, this, option: option) -> truth {
            this.0.contains(&Value::Parts(option.clone()))
        }
        /// How many options there are.
        get "len" [options] (table, this) -> number { this.0.len() as i64 }
        /// The option as a text: its parts, one after the other.
        method "to_string" [option] (table, this) -> text { table.option_label(&Value::Parts(this.clone())) }
        /// The options as a text.
        method "to_string" [options] (table, this) -> text { convert::joined(this.0.iter().map(|option| table.option_label(option))) }
        /// True for the same option.
        operator "==" [option] (table, this, other: option) -> truth { *this == *other }
        /// True for another option.
        operator "!=" [option] (table, this, other: option) -> truth { *this != *other }
        /// True where there is no option.
        get "is_empty" [options] (table, this) -> truth { this.0.is_empty() }
    }

    "The course of the game" {
        /// A phase of the game begins; its name is shown and stands in the trace.
        function "begin_phase" [] (table, name: text) -> nothing { table.begin_phase(name) }
        /// The next round begins; rounds count from 1.
        function "begin_round" [] (table) -> nothing { table.begin_round() }
        /// A player's turn begins.
        function "begin_turn" [] (table, player: player) -> nothing { table.begin_turn(player) }
        /// Gives the player points for a reason; negative points are taken away.
        ///
        /// The points are added to `score`, and `why` can tell which line of which variant gave them.
        method "award" [player] (table, this, points: number, reason: text) -> nothing { table.award(*this, points, reason) }
        /// Gives the player points for a reason, and says what on the table they are for: a zone, a component, a player.
        ///
        /// `why` tells it beside the reason, where several awards have the same one: `p.award(3, "column", column)`.
        method "award" [player] (table, this, points: number, reason: text, source: anything) -> nothing {
            table.award_for(*this, points, reason, Some(&to_value(source)?))
        }
        /// Writes a remark into the log of the game; a key of `[text]` is shown in the person's language.
        function "note" [] (table, text: text) -> nothing { table.note(text, &[]) }
        /// Writes a remark with values in it: they stand where the text, or that key of `[text]`, has `{}`.
        function "note" [] (table, text: text, values: list) -> nothing { table.note(text, &convert::values(values)?) }
        /// Draws a number by lot, both ends included.
        function "draw_number" [] (table, lot: text, low: number, high: number) -> number { table.draw_number(lot, low, high) }
    }

    "Real time" {
        /// Asks which of the players acts now, and gives that one.
        ///
        /// A virtual clock proposes who is free first, and chance one of several; a person may say otherwise.
        function "next_to_act" [] (table, players: players) -> player { table.next_to_act("next_to_act", players) }
        /// The same with a prompt of its own, for races such as slapping a tile.
        function "next_to_act" [] (table, prompt: text, players: players) -> player { table.next_to_act(prompt, players) }
        /// Keeps the player busy from now on, in thousandths of a second; 0 makes him free at once.
        method "busy_for" [player] (table, this, time: number) -> nothing { table.busy_for(*this, time) }
        /// The time on the virtual clock, in thousandths of a second since the game began.
        function "clock" [] (table) -> number { table.clock().now() }
    }

    "Moving components" {
        /// Moves the component to the top, or right end, of a zone.
        method "move_to" [component] (table, this, zone: zone) -> nothing { table.move_to(*this, zone, None) }
        /// Moves the component to a position in a zone, from 0 at the bottom or left.
        method "move_to" [component] (table, this, zone: zone, position: number) -> nothing {
            let position = usize::try_from(position)
                .map_err(|_| Fault::rule(format!("there is no position {position}; positions count from 0")))?;
            table.move_to(*this, zone, Some(position))
        }
        /// Moves the component into a zone that is kept by a rising number, to its place there.
        method "move_in_order" [component] (table, this, zone: zone, attribute: text) -> nothing { table.move_in_order(*this, zone, attribute) }
        /// Moves all components, in their order, to the top of a zone.
        method "move_to" [zone zones components] (table, this, zone: zone) -> nothing {
            let list = this.held(table).into_owned();
            table.move_all(&list, zone)
        }
        /// Moves the component to the bottom of a zone.
        method "move_under" [component] (table, this, zone: zone) -> nothing { table.move_under(&[*this], zone) }
        /// Moves all components to the bottom of a zone; the first of them becomes the lowest.
        method "move_under" [zone components] (table, this, zone: zone) -> nothing {
            let list = this.held(table).into_owned();
            table.move_under(&list, zone)
        }
        /// Takes the component out of play.
        method "take_out" [component] (table, this) -> nothing { table.take_out(*this) }
        /// Moves a number of components from the top of this zone to another; fewer if there are not so many.
        method "deal" [zone] (table, this, count: number, to: zone) -> nothing { table.deal(*this, count, to) }
        /// Puts the zone's components in random order.
        method "shuffle" [zone] (table, this) -> nothing { table.shuffle(*this) }
        /// Puts the lowest components of the zone in random order; all of them if there are not so many.
        method "shuffle_bottom" [zone] (table, this, count: number) -> nothing {
            let lowest = usize::try_from(count).map_err(|_| Fault::rule(format!("cannot shuffle {count} components")))?;
            table.shuffle_bottom(*this, lowest)
        }
        /// Shows everybody the face of the component.
        method "reveal" [component] (table, this) -> nothing { table.reveal(*this) }
        /// Shows everybody the faces of all the components.
        method "reveal" [zone components] (table, this) -> nothing {
            convert::for_all(table, this, Table::reveal)
        }
        /// Shows one player the component; the others see only that something was shown.
        ///
        /// The player sees it as long as it stays where it lies, and knows it until it is shuffled away.
        method "show_to" [component] (table, this, player: player) -> nothing { table.show_to(*this, player) }
        /// Shows one player all the components: `deck.top(3).show_to(p)`.
        method "show_to" [zone zones components] (table, this, player: player) -> nothing {
            convert::for_all(table, this, |table, component| table.show_to(component, player))
        }
    }

    "Sides, dice and owners" {
        /// Turns the component to its next side; from the last side to the first.
        method "flip" [component] (table, this) -> nothing { table.flip(*this) }
        /// Turns the component to a side, from 1; for a die, to that number.
        method "turn_to" [component] (table, this, side: number) -> nothing { table.turn_to(*this, side) }
        /// Turns all the components to a side.
        method "turn_to" [zone components] (table, this, side: number) -> nothing {
            convert::for_all(table, this, |table, component| table.turn_to(component, side))
        }
        /// Turns the component to the side of that name.
        method "turn_to" [component] (table, this, side: text) -> nothing { table.turn_to_named(*this, side) }
        /// Turns all the components to the side of that name.
        method "turn_to" [zone components] (table, this, side: text) -> nothing {
            convert::for_all(table, this, |table, component| table.turn_to_named(component, side))
        }
        /// The name of the side that is up.
        get "side_name" [component] (table, this) -> text { table.side_name(*this) }
        /// Rolls the die.
        method "roll" [component] (table, this) -> nothing { table.roll(*this) }
        /// Rolls all the dice, in their order.
        method "roll" [zone zones components] (table, this) -> nothing { convert::for_all(table, this, Table::roll) }
        /// Takes the die up: it shows nothing, which is a value of 0, until it is rolled again.
        method "pick_up" [component] (table, this) -> nothing { table.pick_up(*this) }
        /// Takes all the dice up.
        method "pick_up" [zone components] (table, this) -> nothing { convert::for_all(table, this, Table::pick_up) }
        /// Says that the component belongs to a player, wherever it lies; the table shows it.
        method "belong_to" [component] (table, this, player: player) -> nothing { table.set_owner(*this, Some(player)) }
        /// Says that all the components belong to a player.
        method "belong_to" [zone components] (table, this, player: player) -> nothing {
            convert::for_all(table, this, |table, component| table.set_owner(component, Some(player)))
        }
        /// Says that the component belongs to nobody.
        method "belong_to_nobody" [component] (table, this) -> nothing { table.set_owner(*this, None) }
        /// Says that all the components belong to nobody.
        method "belong_to_nobody" [zone components] (table, this) -> nothing {
            convert::for_all(table, this, |table, component| table.set_owner(component, None))
        }
        /// The player whom the component belongs to; see `is_owned`.
        get "owner" [component] (table, this) -> player {
            table.owner(*this).ok_or_else(|| Fault::Rule {
                message: format!("{} belongs to nobody", table.label(*this)),
                help: Some("ask `is_owned` first".to_owned()),
            })
        }
        /// Whether the component belongs to a player.
        get "is_owned" [component] (table, this) -> truth { table.owner(*this).is_some() }
        /// Those that belong to a player.
        method "owned_by" [zone zones components] (table, this, player: player) -> components { table.owned_by(&this.held(table), player) }
    }

    "Components" {
        /// The members of a group of components, in or out of play, in the order of their declaration.
        function "components" [] (table, group: text) -> components { table.group(group) }
        /// No component, as the beginning of a list.
        function "components" [] (table) -> components { Components::default() }
        /// The zone that the component lies in.
        get "zone" [component] (table, this) -> zone {
            table.place(*this).ok_or_else(|| Fault::rule(format!("{} is out of play", table.label(*this))))
        }
        /// The id of the component's face, such as `14`.
        get "id" [component] (table, this) -> text { table.label(*this).clone() }
        /// True for the same component.
        operator "==" [component] (table, this, other: component) -> truth { *this == other }
        /// True for another component.
        operator "!=" [component] (table, this, other: component) -> truth { *this != other }
        /// The id of the component's face as a text, as in `${card}`.
        method "to_string" [component] (table, this) -> text { table.label(*this).clone() }
    }

    "Looking at components in zones and lists" {
        /// How many components there are.
        get "len" [zone components] (table, this) -> number { this.held(table).len() as i64 }
        /// True where there is no component.
        get "is_empty" [zone components] (table, this) -> truth { this.held(table).is_empty() }
        /// The last component: the top of a pile, the right end of a row.
        get "last" [zone components] (table, this) -> component { table.end(&this.held(table), true) }
        /// The first component: the bottom of a pile, the left end of a row.
        get "first" [zone components] (table, this) -> component { table.end(&this.held(table), false) }
        /// The components of the zone, or of several zones, as one list: `piles.components.is_empty`.
        get "components" [zone zones] (table, this) -> components { Components(this.held(table).into_owned()) }
        /// The component at a position, from 0.
        index "[]" [zone] (table, this, position: number) -> component { table.at(table.zone(*this), position) }
        /// The component at a position of the list, from 0.
        index "[]" [components] (table, this, position: number) -> component { table.at(&this.0, position) }
        /// Whether the component is there.
        method "contains" [zone components] (table, this, component: component) -> truth { this.held(table).contains(&component) }
        /// How many have this text as an attribute: `column.count("color", "green")`.
        method "count" [zone zones components] (table, this, attribute: text, value: text) -> number { table.count(&this.held(table), attribute, value) }
        /// How many have this number as an attribute.
        method "count" [zone zones components] (table, this, attribute: text, value: number) -> number { table.count(&this.held(table), attribute, value) }
        /// Those that have this text as an attribute.
        method "having" [zone zones components] (table, this, attribute: text, value: text) -> components { table.with_value(&this.held(table), attribute, value, true) }
        /// Those that have this number as an attribute.
        method "having" [zone zones components] (table, this, attribute: text, value: number) -> components { table.with_value(&this.held(table), attribute, value, true) }
        /// Those that do not have this text as an attribute.
        method "without" [zone zones components] (table, this, attribute: text, value: text) -> components { table.with_value(&this.held(table), attribute, value, false) }
        /// Those that do not have this number as an attribute.
        method "without" [zone zones components] (table, this, attribute: text, value: number) -> components { table.with_value(&this.held(table), attribute, value, false) }
        /// The position of the component, from 0 at the bottom or left.
        ///
        /// It tells in a list of numbers who goes first between equals: `played.max_by(|card| [card.rank, trick.position_of(card)])`.
        method "position_of" [zone components] (table, this, component: component) -> number { table.position_of(&this.held(table), component) }
        /// All but this component.
        method "except" [zone components] (table, this, component: component) -> components {
            Components(this.held(table).iter().copied().filter(|&other| other != component).collect())
        }
        /// Those that have a value of an attribute in common with one of the others.
        method "sharing" [zone zones components] (table, this, attribute: text, others: components) -> components {
            table.sharing(&this.held(table), attribute, &others.0, true)
        }
        /// Those that have no value of an attribute in common with any of the others.
        method "not_sharing" [zone zones components] (table, this, attribute: text, others: components) -> components {
            table.sharing(&this.held(table), attribute, &others.0, false)
        }
        /// Those whose number lies in a range, both ends included.
        method "between" [zone zones components] (table, this, attribute: text, low: number, high: number) -> components { table.between(&this.held(table), attribute, low, high) }
        /// Those with a number higher than this.
        method "above" [zone zones components] (table, this, attribute: text, number: number) -> components {
            let higher = |low| table.between(&this.held(table), attribute, low, i64::MAX);
            number.checked_add(1).map_or_else(|| Ok(Components::default()), higher)
        }
        /// Those with a number lower than this.
        method "below" [zone zones components] (table, this, attribute: text, number: number) -> components {
            let lower = |high| table.between(&this.held(table), attribute, i64::MIN, high);
            number.checked_sub(1).map_or_else(|| Ok(Components::default()), lower)
        }
        /// The last components, the topmost of a pile, in their order; fewer if there are not so many.
        method "top" [zone components] (table, this, count: number) -> components { table.top(&this.held(table), count) }
        /// Those from the first up to this component, itself included; none if it is not among them.
        method "up_to" [zone components] (table, this, component: component) -> components {
            let held = this.held(table);
            let end = held.iter().position(|&other| other == component).map_or(0, |position| position + 1);
            Components(held[..end].to_vec())
        }
        /// Those behind this component; none if it is not among them.
        method "after" [zone components] (table, this, component: component) -> components {
            let held = this.held(table);
            let start = held.iter().position(|&other| other == component).map_or(held.len(), |position| position + 1);
            Components(held[start..].to_vec())
        }
        /// Those that belong to a group of components, where several groups lie together.
        method "of" [zone zones components] (table, this, group: text) -> components { table.of_group(&this.held(table), group) }
        /// The components in the opposite order.
        get "reversed" [zone components] (table, this) -> components {
            Components(this.held(table).iter().rev().copied().collect())
        }
        /// Whether some of them, one or more, have numbers that sum to one in a range, both ends included.
        method "can_sum_to" [zone components] (table, this, attribute: text, low: number, high: number) -> truth {
            table.can_sum_to(&this.held(table), attribute, low, high)
        }
        /// The components of both lists, each once.
        operator "+" [components] (table, this, more: components) -> components {
            table.union(&this.0, &more.0)
        }
        /// The components and one more.
        operator "+" [components] (table, this, more: component) -> components { table.union(&this.0, &[more]) }
        /// The components that are not in the other list.
        operator "-" [components] (table, this, others: components) -> components {
            table.difference(&this.0, &others.0)
        }
        /// The components without one of them.
        operator "-" [components] (table, this, other: component) -> components { table.difference(&this.0, &[other]) }
        /// How many the most frequent value of an attribute has; 0 if there are no components.
        method "largest_group" [zone zones components] (table, this, attribute: text) -> number { table.largest_group(&this.held(table), attribute) }
        /// The lowest number, from this one on, that none of them has as an attribute.
        method "first_missing" [zone zones components] (table, this, attribute: text, from: number) -> number { table.first_missing(&this.held(table), attribute, from) }
        /// The first component of each value of an attribute, in their order.
        method "one_of_each" [zone zones components] (table, this, attribute: text) -> components { table.one_of_each(&this.held(table), attribute) }
        /// How many different values of an attribute there are.
        method "distinct" [zone zones components] (table, this, attribute: text) -> number { table.distinct(&this.held(table), attribute) }
        /// The length of the longest stretch of neighbouring components that all differ in an attribute.
        method "longest_distinct_run" [zone components] (table, this, attribute: text) -> number { table.longest_distinct_run(&this.held(table), attribute) }
        /// The sum of a number over all components; one without that attribute counts as 0.
        method "sum" [zone zones components] (table, this, attribute: text) -> number { table.sum(&this.held(table), attribute) }
        /// The component with the highest value of an attribute, among those that have it; the first of equals.
        method "max" [zone zones components] (table, this, attribute: text) -> component { table.extreme(&this.held(table), attribute, true) }
        /// The component with the lowest value of an attribute, among those that have it; the first of equals.
        method "min" [zone zones components] (table, this, attribute: text) -> component { table.extreme(&this.held(table), attribute, false) }
        /// The components by rising value of an attribute.
        method "sorted" [zone zones components] (table, this, attribute: text) -> components { table.sorted(&this.held(table), attribute) }
        /// Where a sequence is going by its last two components: `"up"`, `"down"`, or `"open"` with fewer than two.
        method "trend" [zone components] (table, this, attribute: text) -> text { table.trend(&this.held(table), attribute) }
        /// Whether a component carries the sequence on in the way it is going; any but an equal carries on a single one.
        method "carries_on" [zone components] (table, this, component: component, attribute: text) -> truth { table.carries_on(&this.held(table), component, attribute) }
        /// The components on either side of one in a ring, each once.
        method "neighbours" [zone components] (table, this, component: component) -> components { table.neighbours(&this.held(table), component) }
        /// True for lists of the same components in the same order.
        operator "==" [components] (table, this, other: components) -> truth { *this == *other }
        /// True for lists that differ in a component or in the order.
        operator "!=" [components] (table, this, other: components) -> truth { *this != *other }
        /// The ids of the faces, as in `${p.hand.sorted("number")}`: `[3, 14]`.
        method "to_string" [components] (table, this) -> text { convert::joined(this.0.iter().map(|&component| table.label(component))) }
        /// Draws one of the components by lot.
        method "pick" [zone components] (table, this, lot: text) -> component {
            let list = this.held(table).into_owned();
            convert::draw_component(table, lot, &list)
        }
    }

    "Zones" {
        /// The zone of that id, for names that are put together: zone_named(`limit_${color}`).
        function "zone_named" [] (table, id: text) -> zone { table.zone_named(id) }
        /// The number of a zone among several of its kind, from 1; 1 if there is only one.
        get "number" [zone] (table, this) -> number {
            table.layout().zones[this.index()].number.unwrap_or(1) as i64
        }
        /// The player whose zone it is.
        get "owner" [zone] (table, this) -> player {
            let info = &table.layout().zones[this.index()];
            info.seat.ok_or_else(|| Fault::rule(format!("{} belongs to nobody", info.id)))
        }
        /// True for the same zone.
        operator "==" [zone] (table, this, other: zone) -> truth { *this == other }
        /// True for another zone.
        operator "!=" [zone] (table, this, other: zone) -> truth { *this != other }
        /// The id of the zone as a text, as in `${column}`: `ring`, `p1.columns.2`.
        method "to_string" [zone] (table, this) -> text { table.option_label(&Value::Zone(*this)) }
        /// The ids of the zones as a text.
        method "to_string" [zones] (table, this) -> text { convert::joined(this.0.iter().map(|&zone| table.option_label(&Value::Zone(zone)))) }
        /// True for the same zones in the same order.
        operator "==" [zones] (table, this, other: zones) -> truth { *this == *other }
        /// True for zones that differ, or stand in another order.
        operator "!=" [zones] (table, this, other: zones) -> truth { *this != *other }
        /// How many zones there are; `zones.components.len` counts what lies in them.
        get "len" [zones] (table, this) -> number { this.0.len() as i64 }
        /// True where there is no zone; `zones.components.is_empty` asks whether anything lies in them.
        get "is_empty" [zones] (table, this) -> truth { this.0.is_empty() }
        /// The zone of that number, from 1: `p.columns[2]`.
        index "[]" [zones] (table, this, number: number) -> zone { table.numbered(this, number) }
        /// The zones that hold nothing.
        get "empty" [zones] (table, this) -> zones { table.zones_by_emptiness(this, true) }
        /// The zones that hold something.
        get "filled" [zones] (table, this) -> zones { table.zones_by_emptiness(this, false) }
        /// The zones whose sequence a component carries on in the way it is going; see `carries_on` of a zone.
        method "carried_on_by" [zones] (table, this, component: component, attribute: text) -> zones {
            let mut fitting = Vec::with_capacity(this.0.len());
            for &zone in &this.0 {
                if table.carries_on(table.zone(zone), component, attribute)? {
                    fitting.push(zone);
                }
            }
            Ok::<_, Fault>(Zones(fitting))
        }
        /// The first of the zones.
        get "first" [zones] (table, this) -> zone { table.numbered(this, 1) }
        /// The last of the zones.
        get "last" [zones] (table, this) -> zone { table.numbered(this, this.0.len() as i64) }
        /// Whether the zone is one of these.
        method "contains" [zones] (table, this, zone: zone) -> truth { this.0.contains(&zone) }
        /// All but this zone.
        method "except" [zones] (table, this, zone: zone) -> zones {
            Zones(this.0.iter().copied().filter(|&other| other != zone).collect())
        }
        /// The zones of both, each once.
        operator "+" [zones] (table, this, more: zones) -> zones { convert::each_once(&[&this.0, &more.0]) }
        /// These zones and another.
        operator "+" [zones] (table, this, other: zone) -> zones { convert::each_once(&[&this.0, &[other]]) }
        /// This zone and another, as a list to choose from.
        operator "+" [zone] (table, this, other: zone) -> zones { convert::each_once(&[&[*this], &[other]]) }
        /// This zone and others.
        operator "+" [zone] (table, this, more: zones) -> zones { convert::each_once(&[&[*this], &more.0]) }
    }

    "Players" {
        /// The number of the seat, from 1 in turn order.
        get "number" [player] (table, this) -> number { this.number() as i64 }
        /// The next player in turn order.
        get "next" [player] (table, this) -> player { table.player_after(*this, 1) }
        /// The player before in turn order.
        get "previous" [player] (table, this) -> player { table.player_after(*this, -1) }
        /// True for the same player.
        operator "==" [player] (table, this, other: player) -> truth { *this == other }
        /// True for another player.
        operator "!=" [player] (table, this, other: player) -> truth { *this != other }
        /// Whether a variable that holds a player has none: `table.winner == nobody`.
        operator "==" [player] (table, this, other: nobody) -> truth { *this == other }
        /// Whether a variable that holds a player has one: `table.winner != nobody`.
        operator "!=" [player] (table, this, other: nobody) -> truth { *this != other }
        /// Nobody equals nobody alone.
        operator "==" [nobody] (table, this, other: player) -> truth { *this == other }
        /// Nobody differs from every player.
        operator "!=" [nobody] (table, this, other: player) -> truth { *this != other }
        /// Nobody equals nobody alone.
        operator "==" [nobody] (table, this, other: nobody) -> truth { *this == other }
        /// Nobody differs from every player.
        operator "!=" [nobody] (table, this, other: nobody) -> truth { *this != other }
        /// The player as a text, as in `${p}`: `p1`.
        method "to_string" [player] (table, this) -> text { this.to_string() }
        /// Nobody as a text: `nobody`.
        method "to_string" [nobody] (table, this) -> text { this.to_string() }
        /// The players as a text: `[p1, p3]`.
        method "to_string" [players] (table, this) -> text { convert::joined(this.into_iter()) }
        /// True for the same players in the same order.
        operator "==" [players] (table, this, other: players) -> truth { this.as_slice() == other.as_slice() }
        /// True for players that differ, or stand in another order.
        operator "!=" [players] (table, this, other: players) -> truth { this.as_slice() != other.as_slice() }
        /// How many players there are.
        get "len" [players] (table, this) -> number { this.len() as i64 }
        /// True where there is no player.
        get "is_empty" [players] (table, this) -> truth { this.is_empty() }
        /// The first of the players.
        get "first" [players] (table, this) -> player { table.player(*this, 1) }
        /// The last of the players.
        get "last" [players] (table, this) -> player { table.player(*this, this.len() as i64) }
        /// The player at a place of the list, from 1: `players[1]`.
        index "[]" [players] (table, this, number: number) -> player { table.player(*this, number) }
        /// The players in the opposite order.
        get "reversed" [players] (table, this) -> players {
            this.as_slice().iter().rev().copied().collect::<Seats>()
        }
        /// The same players, beginning with one of them and going round.
        method "starting_with" [players] (table, this, player: player) -> players { this.starting_with(player) }
        /// All but this player.
        method "except" [players] (table, this, player: player) -> players {
            this.into_iter().filter(|&other| other != player).collect::<Seats>()
        }
        /// Whether the player is among them.
        method "contains" [players] (table, this, player: player) -> truth { this.as_slice().contains(&player) }
        /// Draws one of the players by lot.
        method "pick" [players] (table, this, lot: text) -> player { convert::draw_seat(table, lot, this.as_slice()) }
    }

    "Data and settings" {
        /// What stands at a position of a list, from 0, or under a number in a table: `data.highest_card[players.len]`.
        index "[]" [data] (table, this, number: number) -> value { table.datum_at(*this, number).cloned() }
        /// What stands under a key of a table.
        index "[]" [data] (table, this, key: text) -> value { table.datum(*this, key).cloned() }
        /// The entry at a position of a list, from 0, or the last entry if the list is not so long: for scoring tables.
        method "entry_or_last" [data] (table, this, position: number) -> value { table.entry_or_last(*this, position).cloned() }
        /// Whether a list holds this text.
        method "contains" [data] (table, this, value: text) -> truth {
            table.data_values(*this).map(|values| values.contains(&Value::Text(value.into())))
        }
        /// Whether a list holds this number.
        method "contains" [data] (table, this, value: number) -> truth {
            table.data_values(*this).map(|values| values.contains(&Value::Number(value)))
        }
        /// How many entries a list or table has.
        get "len" [data] (table, this) -> number { table.data_len(*this) }
        /// True where a list or table has no entry.
        get "is_empty" [data] (table, this) -> truth { table.data_len(*this) == 0 }
    }

    "Lists, numbers and texts" {
        /// How many entries the list has.
        get "len" [list] (table, this) -> number { this.len() as i64 }
        /// True where the list has no entry.
        get "is_empty" [list] (table, this) -> truth { this.is_empty() }
        /// The entries in the opposite order.
        get "reversed" [list] (table, this) -> list { this.iter().rev().cloned().collect::<Array>() }
        /// How many characters the text has.
        get "len" [text] (table, this) -> number { this.chars().count() as i64 }
        /// The smaller of two numbers.
        function "min" [] (table, a: number, b: number) -> number { a.min(b) }
        /// The larger of two numbers.
        function "max" [] (table, a: number, b: number) -> number { a.max(b) }
        /// The number without its sign: the distance from 0.
        function "abs" [] (table, number: number) -> number {
            number.checked_abs().ok_or_else(|| Fault::rule("the number is too large"))
        }
        /// Whether the list has an entry equal to this text; also `text in list`.
        method "contains" [list] (table, this, value: text) -> truth { convert::holds(this, &Value::Text(value.into())) }
        /// Whether the list has an entry equal to this number; also `number in list`.
        method "contains" [list] (table, this, value: number) -> truth { convert::holds(this, &Value::Number(value)) }
        /// Whether the list has this component as an entry.
        method "contains" [list] (table, this, value: component) -> truth { convert::holds(this, &Value::Component(value)) }
        /// Whether the list has this player as an entry.
        method "contains" [list] (table, this, value: player) -> truth { convert::holds(this, &Value::Seat(value)) }
        /// Whether the list has this zone as an entry.
        method "contains" [list] (table, this, value: zone) -> truth { convert::holds(this, &Value::Zone(value)) }
        /// True for lists of equal entries in the same order.
        operator "==" [list] (table, this, other: list) -> truth { convert::equal(this, other) }
        /// True for lists that differ in an entry or in the order.
        operator "!=" [list] (table, this, other: list) -> truth { convert::equal(this, other).map(|equal| !equal) }
        /// The entries of both lists, one after the other.
        operator "+" [list] (table, this, more: list) -> list { convert::concatenated(this, more) }
        /// The entries as a text, as in `${list}`.
        method "to_string" [list] (table, this) -> text { convert::list_text(table, this) }
    }
}

/// The interpreter writes a property back after a method was called on it: `p.hand.shuffle()` ends with `p.hand = …`. A
/// setter that does nothing is far cheaper than one that is missing; what scripts assign themselves is checked before.
pub(crate) fn keep_as_it_is<Owner: rhai::Variant + Clone>(engine: &mut Engine, name: &str) {
    FuncRegistration::new_setter(name).with_purity(true).register_into_engine(engine, |_: &mut Owner, _: Dynamic| ());
}

/// As [`keep_as_it_is`], where a variable has the same name: whatever would change the value is refused, because what it
/// belongs to is known only as the rules run.
pub(crate) fn refuse_to_set<Owner: rhai::Variant + Clone>(
    engine: &mut Engine,
    name: &str,
    current: impl Fn(&mut Owner) -> Option<Value> + 'static,
) {
    let name_again = name.to_owned();
    FuncRegistration::new_setter(name).with_purity(true).register_into_engine(
        engine,
        move |owner: &mut Owner, value: Dynamic| -> Result<(), Box<EvalAltResult>> {
            if to_value(&value).ok() == current(owner) {
                return Ok(());
            }
            let sort = Sort::of_interpreter(std::any::type_name::<Owner>()).map_or("this", Sort::named);
            Err(raise(Fault::Rule {
                message: format!("`{name_again}` of {sort} cannot be set"),
                help: Some(format!("the variable `{name_again}` belongs to a player or to the table")),
            }))
        },
    );
}

/// What every component may have beside the attributes of its face. The definition registers them with the others,
/// because a face may have an attribute `value` of its own.
const SIDE_WORDS: &[Word] = &[
    Word {
        section: "Sides, dice and owners",
        form: Form::Property,
        receivers: &["component"],
        name: "side",
        parameters: &[],
        result: "number",
        doc: "Which side of the component is up, from 1. Words that take an attribute know it: `cards.sum(\"side\")`.\n",
    },
    Word {
        section: "Sides, dice and owners",
        form: Form::Property,
        receivers: &["component"],
        name: "value",
        parameters: &[],
        result: "number",
        doc: "What the die shows; 0 before it is rolled. Words that take an attribute know it: `dice.having(\"value\", 6)`.\n",
    },
];

/// What changes a list; see [`register_list_changes`].
const LIST_WORDS: &[Word] = &[Word {
    section: "Lists, numbers and texts",
    form: Form::Method,
    receivers: &["list"],
    name: "push",
    parameters: &[("entry", "value")],
    result: "nothing",
    doc: "Puts an entry at the end of the list.\n",
}];

/// Words that had another name: what to say to rules that were written with it.
const RENAMED: &[(&str, &str)] =
    &[("size", "`size` of several zones is now called `len`"), ("at_most", "`at_most` is now called `entry_or_last`")];

/// What a word is called now that had this name.
pub fn now_called(name: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(old, _)| *old == name).map(|(_, now)| *now)
}

/// Every word, in the order of the reference.
pub fn words() -> impl Iterator<Item = &'static Word> {
    PLAIN_WORDS.iter().chain(SIDE_WORDS).chain(LIST_WORDS).chain(callbacks::CALLBACK_WORDS)
}

/// Registers every word with an engine.
pub(crate) fn register(engine: &mut Engine, shared: &SharedTable) {
    register_plain(engine, shared);
    callbacks::register(engine, shared);
    engine.register_type_with_name::<Component>("component");
    engine.register_type_with_name::<Components>("components");
    engine.register_type_with_name::<Zone>("zone");
    engine.register_type_with_name::<Zones>("zones");
    engine.register_type_with_name::<Seat>("player");
    engine.register_type_with_name::<Nobody>(NOBODY);
    engine.register_type_with_name::<Seats>("players");
    engine.register_type_with_name::<Choices>("options");
    engine.register_type_with_name::<Parts>("option");
    engine.register_type_with_name::<Data>("data");
    engine.register_type_with_name::<Array>("list");
    engine.register_iterator::<Seats>();
    engine.register_iterator::<Zones>();
    engine.register_iterator::<Components>();
    engine.register_iterator::<Array>();
    register_loops(engine, shared);
    register_option_parts(engine);
    register_list_changes(engine);
}

/// `for card in p.hand`, `for color in data.colors`: a loop goes over what is there when it begins.
fn register_loops(engine: &mut Engine, shared: &SharedTable) {
    let mut module = Module::new();
    let table = shared.clone();
    module.set_iter(TypeId::of::<Zone>(), move |zone| {
        let held = zone.try_cast::<Zone>().map(|zone| table.0.borrow().zone(zone).to_vec()).unwrap_or_default();
        Box::new(held.into_iter().map(Dynamic::from))
    });
    let table = shared.clone();
    module.set_iter_result(TypeId::of::<Data>(), move |data| {
        let values = data.try_cast::<Data>().map(|data| table.0.borrow().data_values(data));
        let (values, fault) = match values {
            Some(Ok(values)) => (values, None),
            Some(Err(fault)) => (Vec::new(), Some(fault)),
            None => (Vec::new(), None),
        };
        Box::new(
            fault
                .into_iter()
                .map(|fault| Err(raise(fault)))
                .chain(values.into_iter().map(|value| Ok(to_dynamic(value)))),
        )
    });
    engine.register_global_module(module.into());
}

/// `choice.act`: the names of parts are the script's own, so they are looked up when asked for.
fn register_option_parts(engine: &mut Engine) {
    engine.register_indexer_get(|this: &mut Parts, name: ImmutableString| part_of(this, &name));
}

/// A part whose name stands in the scripts: far cheaper to find as a property of its own.
pub(crate) fn register_part(engine: &mut Engine, name: &str, is_variable: bool) {
    let part: Arc<str> = name.into();
    let part_again = part.clone();
    engine.register_get(name, move |this: &mut Parts| part_of(this, &part));
    if is_variable {
        refuse_to_set(engine, name, move |this: &mut Parts| this.get(&part_again).cloned());
    } else {
        keep_as_it_is::<Parts>(engine, name);
    }
}

fn part_of(parts: &Parts, name: &str) -> Result<Dynamic, Box<EvalAltResult>> {
    let unknown = || raise(Fault::unknown("part", name, parts.0.iter().map(|(part, _)| &**part)));
    parts.get(name).map(|value| to_dynamic(value.clone())).ok_or_else(unknown)
}

/// `list.push(x)` needs the interpreter's own values, because a list may hold any of them.
fn register_list_changes(engine: &mut Engine) {
    engine.register_fn("push", |list: &mut Array, value: Dynamic| -> Result<(), Box<EvalAltResult>> {
        if list.len() >= crate::script::MAX_LIST {
            return Err(raise(convert::too_long()));
        }
        list.push(value);
        Ok(())
    });
}
