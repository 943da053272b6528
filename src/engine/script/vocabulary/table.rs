//! The table of words: the one place where each word is declared.
//!
//! `vocabulary!` passes the whole table to a macro, which makes of it what its module needs: the declarations that
//! help, the check and the reference page read, or the functions that an executor calls. An entry is
//!
//! ```text
//! /// What it means; the first line is a sentence of its own.
//! FORM "NAME" [RECEIVERS] (table, this, PARAMETER: SORT as ROLE, …) costs EFFORT -> RESULT { body }
//! ```
//!
//! with the forms `get`, `method`, `function`, `operator`, `index` and `callback`. A word without a receiver has no
//! `this`. A role is the meaning of a text, where that can be checked. The
//! [effort](crate::script::machine::meter::Effort) is how the word goes through its arguments, where it does not go
//! through them once. Sorts, results and roles are listed at the macros of the [module above](super). Lines of the
//! documentation that begin with `>` are an example: code that evaluates to `true` on the table that
//! `tests/examples.rs` prepares, which runs it.
//!
//! A body gets the `table`; one that asks a player gets the `play`, which is the table and the answerer. It gets
//! components and zones as slices, and the name of an attribute or group as its number. It can use the names of
//! [`bodies`](super::bodies), and a module `values` for what an executor stores in its own way: lists, and values of
//! any sort. A word without a body is implemented by the executor itself.

/// Gives the table of words to a macro.
macro_rules! vocabulary {
    ($expand:ident) => { $expand! {
    "Asking players" {
        /// Asks the player to choose one component of a zone or list, and gives it.
        ///
        /// The cards of a hand are offered sorted, as they are drawn. Asking when nothing can be chosen is an error. A
        /// third argument filters: see `choose` with a function.
        ///
        /// A component whose face the player may not know is offered by its place: `p2.hand.3` is the third of the
        /// cards in that hand which the player does not know, `deck.7` the seventh from the bottom.
        method "choose" [player] (play, this, prompt: text as prompt, options: zone) -> component {
            choose_component(play, SeatPrompt::of(*this, prompt), options)
        }
        /// Asks the player to choose one component of a list, and gives it.
        method "choose" [player] (play, this, prompt: text as prompt, options: components) -> component {
            choose_component(play, SeatPrompt::of(*this, prompt), options)
        }
        /// Asks the player to choose one of several zones, and gives it.
        method "choose" [player] (play, this, prompt: text as prompt, options: zones) -> zone {
            choose_zone(play, SeatPrompt::of(*this, prompt), options)
        }
        /// Asks the player to choose one of the players, and gives that one.
        method "choose" [player] (play, this, prompt: text as prompt, options: players) -> player {
            choose_seat(play, SeatPrompt::of(*this, prompt), options.as_slice())
        }
        /// Asks the player to choose one of the options put together with `act` and `acts`.
        ///
        /// The result has the option's parts as properties: `choice.act`, `choice.column`.
        method "choose" [player] (play, this, prompt: text as prompt, options: options) -> value {
            values::choose_option(play, SeatPrompt::of(*this, prompt), options)
        }
        /// Asks the player to choose one of the values of a list: texts, numbers, or anything that can be an option.
        method "choose" [player] (play, this, prompt: text as prompt, options: list) -> value {
            choose_value(play, SeatPrompt::of(*this, prompt), &values::of_list(options)?)
        }
        /// Asks the player to choose one of the numbers of a range: `p.choose("bid", 1..=5)`; 5 is not among `1..5`.
        /// > let bid = p1.choose("bid", 2..=3);
        /// > bid == 2 || bid == 3
        method "choose" [player] (play, this, prompt: text as prompt, options: range) -> number;
        /// Asks the player to choose one of the values of a list in the data.
        method "choose" [player] (play, this, prompt: text as prompt, options: data) -> value {
            choose_entry(play, SeatPrompt::of(*this, prompt), options)
        }
        /// Asks the player to choose one of the values of a list in the data, and says what the choice is for.
        ///
        /// For prompts that several rules use: the purpose is shown next to the prompt and in the trace.
        /// > let color = p1.choose_for("roof", "color", data.colors);
        /// > color == "red" || color == "blue"
        method "choose_for" [player] (play, this, purpose: text as purpose, prompt: text as prompt, options: data) -> value {
            choose_entry(play, SeatPrompt::of(*this, prompt).for_purpose(purpose), options)
        }
        /// Asks the player to choose one of the values of a list, and says what the choice is for.
        method "choose_for" [player] (play, this, purpose: text as purpose, prompt: text as prompt, options: list) -> value {
            choose_value(play, SeatPrompt::of(*this, prompt).for_purpose(purpose), &values::of_list(options)?)
        }
        /// Asks the player to choose one of the numbers of a range, and says what the choice is for.
        method "choose_for" [player] (play, this, purpose: text as purpose, prompt: text as prompt, options: range) -> number;
        /// Asks the player to choose `min` to `max` components of a zone or list, and gives them as a list.
        method "choose_some" [player] (play, this, prompt: text as prompt, options: zone, min: number, max: number) -> components {
            choose_some(play, SeatPrompt::of(*this, prompt), options, min, max)
        }
        /// Asks the player to choose `min` to `max` components of a list, and gives them as a list.
        method "choose_some" [player] (play, this, prompt: text as prompt, options: components, min: number, max: number) -> components {
            choose_some(play, SeatPrompt::of(*this, prompt), options, min, max)
        }
        /// Asks the player to choose `min` to `max` of several zones, and gives them.
        /// > p1.choose_some("zones", p1.hand + p2.hand, 2, 2).len == 2
        method "choose_some" [player] (play, this, prompt: text as prompt, options: zones, min: number, max: number) -> zones {
            let chosen = positions_chosen(play, SeatPrompt::of(*this, prompt), Options::Zones(options), (min, max))?;
            Ok::<_, Fault>(Zones(chosen.into_iter().map(|position| options[position]).collect()))
        }
        /// Asks the player to choose `min` to `max` of the players, and gives them.
        /// > let chosen = p1.choose_some("targets", players.except(p1), 1, 1);
        /// > chosen.len == 1 && !chosen.contains(p1)
        method "choose_some" [player] (play, this, prompt: text as prompt, options: players, min: number, max: number) -> players {
            let list = options.as_slice();
            let chosen = positions_chosen(play, SeatPrompt::of(*this, prompt), Options::Seats(list), (min, max))?;
            Ok::<_, Fault>(chosen.into_iter().map(|position| list[position]).collect::<Seats>())
        }
        /// Asks the player to choose `min` to `max` of the options, and gives them as a list.
        /// > let chosen = p1.choose_some("buy", acts("buy", "size", 1..=3), 3, 3);
        /// > chosen.sum_of(|choice| choice.size) == 6
        method "choose_some" [player] (play, this, prompt: text as prompt, options: options, min: number, max: number) -> list {
            let chosen = positions_chosen(play, SeatPrompt::of(*this, prompt), Options::Choices(options), (min, max))?;
            values::options_at(options, &chosen)
        }
        /// Asks the player to choose `min` to `max` of the entries of a list, and gives them as a list.
        /// > p1.choose_some("names", ["a", "b"], 0, 0).is_empty
        method "choose_some" [player] (play, this, prompt: text as prompt, options: list, min: number, max: number) -> list {
            let list = values::of_list(options)?;
            let chosen = positions_chosen(play, SeatPrompt::of(*this, prompt), Options::Values(&list), (min, max))?;
            values::entries_at(options, &chosen)
        }
        /// Asks the player to choose `min` to `max` of the numbers of a range, and gives them as a list.
        /// > p1.choose_some("lines", 4..=6, 3, 3).sum_of(|line| line) == 15
        method "choose_some" [player] (play, this, prompt: text as prompt, options: range, min: number, max: number) -> list;
        /// Asks the player to choose `min` to `max` of the values of a list in the data, and gives them as a list.
        /// > p1.choose_some("paint", data.colors, 2, 2).sorted == ["blue", "red"]
        method "choose_some" [player] (play, this, prompt: text as prompt, options: data, min: number, max: number) -> list {
            let values = play.table.data_values(options)?;
            let chosen = positions_chosen(play, SeatPrompt::of(*this, prompt), Options::Values(&values), (min, max))?;
            values::data_at(play.table, options, &chosen)
        }
        /// Asks the player yes or no.
        /// > let answer = p1.may("draw");
        /// > answer == true || answer == false
        method "may" [player] (play, this, prompt: text as prompt) -> truth {
            ask_yes_or_no(play, SeatPrompt::of(*this, prompt))
        }
        /// Asks the players one after the other whether they do something, and gives the first who says yes; nobody if
        /// none does.
        ///
        /// For interrupts: `players.starting_with(p).except(p).first_to("block")` asks the others in turn order, from
        /// the left of `p`; each of them knows the answers before. Players who have won or lost are not asked, and
        /// nobody is asked if the list is empty.
        ///
        /// Everybody sees who is asked. If an answer needs a hidden card, ask everybody, and give those without it only
        /// the option `pass`: `q.choose("answer", acts("block", "card", blocks_of(q)) + act("pass"))`.
        /// > let blocks = players.where(|p| p.hand.len > 5).first_to("block");
        /// > blocks == nobody
        method "first_to" [players] (play, this, prompt: text as prompt) -> player_or_nobody { play.first_to(prompt, *this) }
        /// Asks the players at the same time whether they do something, and gives the first by the virtual clock;
        /// nobody if none does.
        ///
        /// They have that many milliseconds; players who are busy for longer are not asked. If several say yes, the one
        /// who is free first acts, with ties decided by lot; a person can decide otherwise. At the live table, the one
        /// whose answer arrived first acts. If nobody says yes, the time has passed.
        /// > p1.busy_for(9000); p2.busy_for(9000); p3.busy_for(9000);
        /// > players.first_to("slap", 2000) == nobody && clock() == 2000
        method "first_to" [players] (play, this, prompt: text as prompt, time: number) -> player_or_nobody {
            play.first_to_within(prompt, *this, time)
        }
        /// Asks the player to choose one of the options within that many milliseconds, and gives it; gives `otherwise`
        /// if that time passes.
        ///
        /// The time is that of the virtual clock: a player can always let it pass, and a player who is busy for longer
        /// is not asked. Players who choose together have this time each. In the options, in the log and in traces,
        /// letting the time pass is called `nothing`, so no option can have that name; people read what `[text]` says
        /// for it: `nothing = "too late"`. Give `()` if nothing follows from it.
        /// > p1.busy_for(500);
        /// > p1.choose_within("answer", ["yes", "no"], 400, "silent") == "silent" && clock() == 400
        method "choose_within" [player] (play, this, prompt: text as prompt, options: several, time: number, otherwise: value_or_nothing) -> value {
            values::choose_within(play, (*this, prompt), options, time, otherwise)
        }
        /// Like `choose`, but nobody else knows what was chosen until the rules show it with `show_choice`.
        ///
        /// The log, the history and the options show others only that a choice was made. What the rules do with the
        /// choice must not reveal it either, so keep it in a zone or a variable that is hidden from them. If the text
        /// of a prompt says `secret = true`, it is secret in every form of asking, including `may` and `choose_some`.
        method "choose_secretly" [player] (play, this, prompt: text as prompt, options: zone) -> component {
            choose_component(play, SeatPrompt::secretly(*this, prompt), options)
        }
        /// Like `choose` from a list of components, but nobody else knows what was chosen.
        method "choose_secretly" [player] (play, this, prompt: text as prompt, options: components) -> component {
            choose_component(play, SeatPrompt::secretly(*this, prompt), options)
        }
        /// Like `choose` from several zones, but nobody else knows what was chosen.
        method "choose_secretly" [player] (play, this, prompt: text as prompt, options: zones) -> zone {
            choose_zone(play, SeatPrompt::secretly(*this, prompt), options)
        }
        /// Like `choose` from the players, but nobody else knows who was chosen: whom the wolves eat, who is looked at.
        method "choose_secretly" [player] (play, this, prompt: text as prompt, options: players) -> player {
            choose_seat(play, SeatPrompt::secretly(*this, prompt), options.as_slice())
        }
        /// Like `choose` from options put together with `act` and `acts`, but nobody else knows what was chosen.
        method "choose_secretly" [player] (play, this, prompt: text as prompt, options: options) -> value {
            values::choose_option(play, SeatPrompt::secretly(*this, prompt), options)
        }
        /// Like `choose` from the values of a list, but nobody else knows what was chosen: a bid.
        method "choose_secretly" [player] (play, this, prompt: text as prompt, options: list) -> value {
            choose_value(play, SeatPrompt::secretly(*this, prompt), &values::of_list(options)?)
        }
        /// Like `choose` from the numbers of a range, but nobody else knows what was chosen.
        /// > p1.choose_secretly("bid", 5..6) == 5
        method "choose_secretly" [player] (play, this, prompt: text as prompt, options: range) -> number;
        /// Like `choose` from the values of a list in the data, but nobody else knows what was chosen.
        method "choose_secretly" [player] (play, this, prompt: text as prompt, options: data) -> value {
            choose_entry(play, SeatPrompt::secretly(*this, prompt), options)
        }
        /// Shows everybody what the player last chose in secret for a prompt.
        /// > for p in players { p.choose_secretly("bid", 0..=p.coins); }
        /// > for p in players { p.show_choice("bid"); }
        /// > true
        method "show_choice" [player] (table, this, prompt: text as prompt) -> nothing {
            table.show_choice(*this, prompt, None)
        }
        /// Shows one player what this player last chose in secret for a prompt.
        method "show_choice" [player] (table, this, prompt: text as prompt, to: player) -> nothing {
            table.show_choice(*this, prompt, Some(to))
        }
        /// Asks for every setting that has `ask` in its file and that nobody has set.
        ///
        /// Each is asked for once, and its variable holds the answer, or what was set. If the rules never call this word,
        /// the program does so before `game()` begins.
        /// > ask_settings();
        /// > true
        function "ask_settings" [] (play) -> nothing { play.ask_settings() }
        /// An option that consists only of its name, as the start of a list of options.
        /// > p1.choose("action", act("pass")).act == "pass"
        function "act" [] (table, act: text as act) -> options { Choices::act(act) }
        /// An act and what it is done with, under the name of that part: one option for each component of a zone or
        /// list, each zone, player, or entry of a list.
        ///
        /// `acts("insert", "card", p.hand)` gives options with `choice.act == "insert"` and `choice.card`. The text of
        /// the act can say where its parts go, and a text can give a number a name: with `bid = "{count} {face}s"` and
        /// `"count 2" = "two"` in `[text]`, one of the options of `acts("bid", "count", 1..=5).and("face", 1..=6)` is
        /// called *two 3s*.
        /// > let choice = p1.choose("action", acts("play", "card", deck));
        /// > choice.act == "play" && choice.card.number == 10
        function "acts" [] (table, act: text as act, part: text as part, with: offered) -> options {
            Choices::acts(act, part, values::parts_of(table, with)?)
        }
        /// One option for each component of a zone or list, each zone, player, or entry of a list, under the name of
        /// that part.
        ///
        /// `options("seat", others)` gives options with `choice.seat`; see `and` for a second part.
        /// > p1.choose("target", options("seat", [p2])).seat == p2
        function "options" [] (table, part: text as part, values: offered) -> options {
            values::parts_of(table, values).map(|values| Choices::options(part, values))
        }
        /// An empty list of options, to add to.
        /// > let list = options();
        /// > list.is_empty && (list + act("pass")).len == 1
        function "options" [] (table) -> options { Choices::default() }
        /// Each of the options combined with each of the values, as a further part.
        ///
        /// `acts("block", "die", dice).and("target", others)` gives options with `choice.die` and `choice.target`.
        /// > acts("give", "card", p1.hand).and("to", players.except(p1)).len == 6
        method "and" [options] (table, this, part: text as part, values: offered) -> options {
            let values = values::parts_of(table, values)?;
            within_limit("options", this.len().saturating_mul(values.len()))?;
            this.and(part, values)
        }
        /// The options without those that have a value under the name of a part: a variant can take an act away.
        ///
        /// > acts("block", "die", 1..=3).without("die", 2).len == 2
        method "without" [options] (table, this, part: text as part, value: held) -> options {
            let value = values::to_value(value)?;
            let goes = |option: Value| matches!(option, Value::Parts(parts) if parts.get(part) == Some(&value));
            let positions: Vec<usize> = (0..this.len()).filter(|position| !goes(this.value(*position))).collect();
            this.kept(&positions)
        }
        /// The options, with a text as one more.
        /// > p1.choose("action", options() + "pass") == "pass" && (act("pass") + "skip").len == 2
        operator "+" [options] (table, this, plain: text) -> options {
            concatenated(this, &Choices::values(Value::Text(plain.into())))
        }
        /// The options of both lists.
        /// > (act("pass") + acts("play", "card", p1.hand)).len == 4
        operator "+" [options] (table, this, more: options) -> options {
            concatenated(this, more)
        }
        /// Whether the option has a part of that name.
        /// > let choice = p1.choose("action", acts("play", "card", deck));
        /// > choice.has("card") && !choice.has("target")
        method "has" [option] (table, this, part: text as part) -> truth { this.get(part).is_some() }
        /// Whether an option is among these.
        /// > let choice = p1.choose("bid", acts("bid", "count", [3]));
        /// > acts("bid", "count", 2..=3).contains(choice) && !acts("bid", "count", 1..=2).contains(choice)
        method "contains" [options] (table, this, option: option) -> truth {
            this.contains(&Value::Parts(option.clone()))
        }
        /// How many options there are.
        /// > acts("bid", "count", 1..=4).len == 4
        get "len" [options] (table, this) costs little -> number { this.len() as i64 }
        /// The option as a text: its parts, one after the other.
        /// > let choice = p1.choose("bid", acts("bid", "count", [3]));
        /// > `${choice}` == "bid 3"
        method "to_string" [option] (table, this) -> text { table.option_label(&Value::Parts(this.clone())) }
        /// The options as a text.
        /// > `${acts("bid", "count", 1..=2)}` == "[bid 1, bid 2]"
        method "to_string" [options] (table, this) -> text {
            joined(this.iter().map(|option| table.option_label(&option)))
        }
        /// True for the same option.
        /// > p1.choose("bid", acts("bid", "count", [3])) == p2.choose("bid", acts("bid", "count", [3]))
        operator "==" [option] (table, this, other: option) -> truth { *this == *other }
        /// True for another option.
        /// > p1.choose("bid", acts("bid", "count", [3])) != p2.choose("bid", acts("bid", "count", [4]))
        operator "!=" [option] (table, this, other: option) -> truth { *this != *other }
        /// True if there is no option.
        /// > acts("play", "card", row).is_empty && !act("pass").is_empty
        get "is_empty" [options] (table, this) costs little -> truth { this.is_empty() }
    }

    "The course of the game" {
        /// A phase of the game begins; its name is shown, also in the trace.
        /// > begin_phase("auction"); p1.may("bid"); begin_phase("building");
        /// > true
        function "begin_phase" [] (table, name: text as phase) -> nothing { table.begin_phase(name) }
        /// The next round begins; rounds count from 1.
        /// > for round in 1..=3 { begin_round(); note("round_begins", [round]); }
        /// > true
        function "begin_round" [] (table) -> nothing { table.begin_round() }
        /// A player's turn begins.
        /// > for p in players.starting_with(p2) { begin_turn(p); p.hand.last.move_to(row); }
        /// > row.map(|card| card.number) == [6, 9, 3]
        function "begin_turn" [] (table, player: player) -> nothing { table.begin_turn(player) }
        /// Gives the player points for a reason; negative points are taken away.
        ///
        /// The points are added to `score`, and `why` can show which line of which variant gave them.
        /// > p1.award(5, "column"); p1.award(-2, "debt");
        /// > p1.score == 3 && p2.score == 0
        method "award" [player] (table, this, points: number, reason: text as reason) -> nothing {
            table.award(*this, points, reason)
        }
        /// Gives the player points for a reason, and says what on the table they are for: a zone, a component, a player.
        ///
        /// `why` shows it next to the reason, for when several awards have the same one: `p.award(3, "column",
        /// column)`.
        method "award" [player] (table, this, points: number, reason: text as reason, source: named) -> nothing {
            table.award_for(*this, points, reason, Some(&named_source(values::to_value(source)?)?))
        }
        /// Says that the player has won, and why; a key of `[text]` is shown in the person's language.
        ///
        /// Whoever has won ranks first, whatever the scores are. The game goes on until `game()` ends or `end_game()` is
        /// called.
        /// > p2.win("first_out");
        /// > p2.has_won && players.playing.len == 2
        method "win" [player] (table, this, reason: text as reason) -> nothing { table.win([*this].into_iter().collect(), reason) }
        /// Says that all these players have won together; with no players, nothing happens.
        /// > players.win("all_saved");
        /// > players.playing.is_empty
        method "win" [players] (table, this, reason: text as reason) -> nothing { table.win(*this, reason) }
        /// Says that the player has lost, and why. Whoever loses first ranks last.
        ///
        /// The player still gets turns: go through `players.playing` to leave out players who are out of the game. If
        /// all have lost, nobody wins.
        /// > p1.lose("broke");
        /// > players.playing == players.except(p1)
        method "lose" [player] (table, this, reason: text as reason) -> nothing { table.lose([*this].into_iter().collect(), reason) }
        /// Says that all these players have lost together: a co-operative game that was not won.
        /// > players.lose("the_tide_came_in");
        /// > players.all(|p| p.has_lost)
        method "lose" [players] (table, this, reason: text as reason) -> nothing { table.lose(*this, reason) }
        /// Ends the game at once, from within any function: nothing after it is run.
        ///
        /// Points count as they are. The game also ends when `game()` ends.
        /// > if p1.hand.len == 3 { end_game(); }
        /// > false
        function "end_game" [] (table) -> nothing { Err::<(), _>(table.end_game()) }
        /// Writes a remark into the log of the game; a key of `[text]` is shown in the person's language.
        /// > if deck.len < players.len { note("deck_is_low"); }
        /// > true
        function "note" [] (table, text: text as remark) -> nothing { table.note(text, &[]) }
        /// Writes a remark with values in it: they go where the text, or that key of `[text]`, has `{}`: `cards_left = "{}
        /// has {} cards"`. It takes a value for each `{}`.
        /// > note("cards_left", [p1, p1.hand.len]);
        /// > true
        function "note" [] (table, text: text as remark, values: list) -> nothing {
            table.note(text, &values::of_list(values)?)
        }
        /// Measures something of the game under a name: how long a fight was, how many cards were wasted.
        ///
        /// It changes nothing for the players, and they do not see it. Each call is one measurement; the figure of a
        /// game is their sum, so `metric("wasted", 1)` counts, and a single call at the end records a number as it is.
        /// Simulations show the figure of every game. A name has letters, digits, `-`, `_` and `.`, at most 40; a game
        /// has at most 64 names.
        /// > for p in players { metric("left_in_hand", p.hand.len); }
        /// > true
        function "metric" [] (table, name: text as metric, value: number) -> nothing { table.measure(name, value) }
        /// Draws a number by lot, both ends included.
        /// > let number = draw_number("wind", 2, 3);
        /// > (number == 2 || number == 3) && draw_number("rain", 4, 4) == 4
        function "draw_number" [] (table, lot: text as lot, low: number, high: number) -> number {
            table.draw_number(lot, low, high)
        }
    }

    "Real time" {
        /// Asks which of the players acts now, and gives that one.
        ///
        /// A virtual clock proposes the player who is free first, or one of several at random; a person can decide
        /// otherwise.
        function "next_to_act" [] (play, players: players) -> player { play.next_to_act("next_to_act", players) }
        /// The same with its own prompt, for races such as slapping a tile.
        function "next_to_act" [] (play, prompt: text as prompt, players: players) -> player {
            play.next_to_act(prompt, players)
        }
        /// Asks which of the players acts within that many milliseconds, and gives that one; nobody if none does.
        ///
        /// If nobody acts, that much time has passed: until a bell rings, or somebody else has something to do. With an
        /// empty list, nobody is asked, and the time passes.
        /// > p1.busy_for(3000); p2.busy_for(2000); p3.busy_for(9000);
        /// > next_to_act(players.except(p1).except(p2), 1000) == nobody && clock() == 1000
        function "next_to_act" [] (play, players: players, time: number) -> player_or_nobody {
            play.next_to_act_within("next_to_act", players, time)
        }
        /// The same with its own prompt.
        function "next_to_act" [] (play, prompt: text as prompt, players: players, time: number) -> player_or_nobody {
            play.next_to_act_within(prompt, players, time)
        }
        /// Keeps the player busy from now on, for that many milliseconds; with 0, the player is free at once.
        /// > p1.busy_for(500); p2.busy_for(300); p3.busy_for(900);
        /// > next_to_act(players) == p2 && clock() == 300
        method "busy_for" [player] (table, this, time: number) -> nothing { table.busy_for(*this, time) }
        /// The time on the virtual clock, in milliseconds since the game began.
        /// > p1.busy_for(700);
        /// > clock() == 0 && next_to_act(players.except(p2).except(p3)) == p1 && clock() == 700
        function "clock" [] (table) -> number { table.clock().now() }
    }

    "Moving components" {
        /// Moves the component to the top, or right end, of a zone.
        /// > deck.last.move_to(row); p1.hand[0].move_to(row);
        /// > row.last.number == 1 && row.len == 2
        method "move_to" [component] (table, this, zone: zone) costs little -> nothing { table.move_to(*this, zone, None) }
        /// Moves the component to a position in a zone, from 0 at the bottom or left.
        /// > p1.hand.move_to(row); deck.last.move_to(row, 1);
        /// > row[1].number == 10 && row[2].number == 2
        method "move_to" [component] (table, this, zone: zone, position: number) costs little -> nothing {
            let position = usize::try_from(position)
                .map_err(|_| Fault::rule(crate::diagnostic::message!("there is no position {position}; positions count from 0")))?;
            table.move_to(*this, zone, Some(position))
        }
        /// Moves the component to its place in a zone that is sorted by a rising number.
        /// > p1.hand.move_to(row); deck.last.move_to(row); p2.hand[0].move_in_order(row, "number");
        /// > row[3].number == 4 && row.last.number == 10
        method "move_in_order" [component] (table, this, zone: zone, attribute: text as attribute) -> nothing {
            table.move_in_order(*this, zone, attribute)
        }
        /// Moves all components, in their order, to the top of a zone.
        /// > p1.hand.move_to(deck);
        /// > p1.hand.is_empty && deck.map(|card| card.number) == [10, 1, 2, 3]
        method "move_to" [zone zones components] (table, this, zone: zone) costs contents -> nothing {
            let list = Components::from(&*this.held(table));
            table.move_all(&list, zone)
        }
        /// Moves the component to the bottom of a zone.
        /// > p1.hand[0].move_under(deck);
        /// > deck.first.number == 1 && deck.last.number == 10
        method "move_under" [component] (table, this, zone: zone) costs little -> nothing { table.move_under(&[*this], zone) }
        /// Moves all components to the bottom of a zone; the first of them becomes the lowest.
        /// > p1.hand.move_under(deck);
        /// > deck.map(|card| card.number) == [1, 2, 3, 10]
        method "move_under" [zone components] (table, this, zone: zone) -> nothing {
            let list = Components::from(&*this.held(table));
            table.move_under(&list, zone)
        }
        /// Takes the component out of play.
        /// > p1.hand[0].take_out();
        /// > p1.hand.len == 2 && components("card").out_of_play.first.number == 1
        method "take_out" [component] (table, this) -> nothing { table.take_out(*this) }
        /// Moves a number of components from the top of this zone to another; fewer if there are not enough.
        /// > deck.deal(2, row); p1.hand.deal(2, row);
        /// > deck.is_empty && p1.hand.len == 1 && row.map(|card| card.number) == [10, 3, 2]
        method "deal" [zone] (table, this, count: number, to: zone) costs little -> nothing { table.deal(*this, count, to) }
        /// Swaps the contents of this zone and another.
        /// > p1.hand.swap_with(p2.hand);
        /// > p2.hand[0].number == 1
        method "swap_with" [zone] (table, this, other: zone) costs little -> nothing { table.swap(*this, other) }
        /// Moves the contents of each zone of the list to the next one, and of the last to the first, all at the same time.
        ///
        /// `players.map(|p| p.hand).pass_on()` is the same as `players.pass_on(|p| p.hand)`.
        /// > [p1.hand, deck].pass_on();
        /// > deck[0].number == 1
        method "pass_on" [list] (table, this) -> nothing {
            let zones = values::zones_of(this)?;
            table.pass_on(&zones)
        }
        /// Puts the zone's components in random order.
        /// > p1.hand.move_to(row); while row.last.number == 3 { row.shuffle(); }
        /// > row.len == 3 && row.sum("number") == 6
        method "shuffle" [zone] (table, this) -> nothing { table.shuffle(*this) }
        /// Puts the lowest components of the zone in random order; all of them if there are not enough.
        /// > p1.hand.move_to(deck); while deck.first.number == 10 { deck.shuffle_bottom(2); }
        /// > deck.map(|card| card.number) == [1, 10, 2, 3]
        method "shuffle_bottom" [zone] (table, this, count: number) -> nothing {
            table.shuffle_bottom(*this, to_shuffle(count)?)
        }
        /// Puts the topmost components of the zone in random order; all of them if there are not enough. Players who do not
        /// see into the zone do not know their order any more.
        /// > p1.hand.move_to(deck); while deck.last.number == 3 { deck.shuffle_top(2); }
        /// > deck.map(|card| card.number) == [10, 1, 3, 2]
        method "shuffle_top" [zone] (table, this, count: number) -> nothing {
            table.shuffle_top(*this, to_shuffle(count)?)
        }
        /// Shows everybody the face of the component.
        /// > p1.hand.max("number").reveal();
        /// > p1.hand.len == 3
        method "reveal" [component] (table, this) -> nothing { table.reveal(*this) }
        /// Shows everybody the faces of all the components.
        /// > for p in players { p.hand.reveal(); }
        /// > players.all(|p| p.hand.len == 3)
        method "reveal" [zone components] (table, this) -> nothing {
            for_all(table, this, Table::reveal)
        }
        /// Shows one player the component; the others see only that something was shown.
        ///
        /// The player sees it as long as it stays where it lies, and knows it until it is shuffled away.
        /// > deck.last.show_to(p2);
        /// > deck.last.number == 10
        method "show_to" [component] (table, this, player: player) -> nothing { table.show_to(*this, player) }
        /// Shows one player all the components: `deck.top(3).show_to(p)`.
        /// > p1.hand.show_to(p2); p2.hand.show_to(p1);
        /// > p1.hand.len == p2.hand.len
        method "show_to" [zone zones components] (table, this, player: player) costs contents -> nothing {
            for_all(table, this, |table, component| table.show_to(component, player))
        }
    }

    "Sides, dice and owners" {
        /// Turns the component to its next side; from the last side to the first.
        /// > coin.first.flip(); coin.last.flip(); coin.last.flip();
        /// > coin.map(|c| c.side_name) == ["tails", "heads"]
        method "flip" [component] (table, this) -> nothing { table.flip(*this) }
        /// Turns the component to a side, from 1; for a die, to that number.
        /// > tray.first.turn_to(4); coin.first.turn_to(2);
        /// > tray.first.value == 4 && coin.first.side_name == "tails"
        method "turn_to" [component] (table, this, side: number) -> nothing { table.turn_to(*this, side) }
        /// Turns all the components to a side.
        /// > tray.turn_to(5);
        /// > tray.sum("value") == 10
        method "turn_to" [zone components] (table, this, side: number) -> nothing {
            for_all(table, this, |table, component| table.turn_to(component, side))
        }
        /// Turns the component to the side of that name.
        /// > coin.last.turn_to("tails");
        /// > coin.count("side", 2) == 1
        method "turn_to" [component] (table, this, side: text as side) -> nothing { table.turn_to_named(*this, side) }
        /// Turns all the components to the side of that name.
        /// > coin.turn_to("tails");
        /// > coin.all(|c| c.side == 2)
        method "turn_to" [zone components] (table, this, side: text as side) -> nothing {
            for_all(table, this, |table, component| table.turn_to_named(component, side))
        }
        /// The name of the side that is up.
        /// > coin.first.side_name == "heads"
        get "side_name" [component] (table, this) -> text { table.side_name(*this) }
        /// Rolls the die.
        /// > while tray.first.value != 6 { tray.first.roll(); }
        /// > tray.first.value == 6
        method "roll" [component] (table, this) -> nothing { table.roll(*this) }
        /// Rolls all the dice, in their order.
        /// > tray.roll();
        /// > tray.sum("value") >= 2 && tray.sum("value") <= 12
        method "roll" [zone zones components] (table, this) costs contents -> nothing { for_all(table, this, Table::roll) }
        /// Takes the die up: it shows nothing, which is a value of 0, until it is rolled again.
        /// > tray.roll(); tray.first.pick_up();
        /// > tray.first.value == 0 && tray.last.value > 0
        method "pick_up" [component] (table, this) -> nothing { table.pick_up(*this) }
        /// Takes all the dice up.
        /// > tray.roll(); tray.pick_up();
        /// > tray.sum("value") == 0
        method "pick_up" [zone components] (table, this) -> nothing { for_all(table, this, Table::pick_up) }
        /// Says that the component belongs to a player, wherever it lies; the table shows it.
        /// > deck.last.belong_to(p2);
        /// > deck.last.owner == p2
        method "belong_to" [component] (table, this, player: player) -> nothing { table.set_owner(*this, Some(player)) }
        /// Says that all the components belong to a player.
        /// > p1.hand.belong_to(p3);
        /// > p1.hand.all(|card| card.owner == p3)
        method "belong_to" [zone components] (table, this, player: player) -> nothing {
            for_all(table, this, |table, component| table.set_owner(component, Some(player)))
        }
        /// Says that the component belongs to nobody.
        /// > deck.last.belong_to(p2); deck.last.belong_to_nobody();
        /// > !deck.last.is_owned
        method "belong_to_nobody" [component] (table, this) -> nothing { table.set_owner(*this, None) }
        /// Says that all the components belong to nobody.
        /// > p1.hand.belong_to(p3); p1.hand.top(2).belong_to_nobody();
        /// > p1.hand.owned_by(p3).len == 1
        method "belong_to_nobody" [zone components] (table, this) -> nothing {
            for_all(table, this, |table, component| table.set_owner(component, None))
        }
        /// The player whom the component belongs to; see `is_owned`.
        /// > deck.last.belong_to(p2); deck.last.move_to(p1.hand);
        /// > p1.hand.last.owner == p2
        get "owner" [component] (table, this) -> player {
            table.owner(*this).ok_or_else(|| Fault::rule(crate::diagnostic::message!("{} belongs to nobody", table.label(*this))).help("ask `is_owned` first"))
        }
        /// Whether the component belongs to a player.
        /// > p1.hand.first.belong_to(p1);
        /// > p1.hand.first.is_owned && !p1.hand.last.is_owned
        get "is_owned" [component] (table, this) -> truth { table.owner(*this).is_some() }
        /// Those that belong to a player.
        /// > p1.hand.first.belong_to(p2); p1.hand.last.belong_to(p3);
        /// > p1.hand.owned_by(p3).len == 1 && p1.hand.owned_by(p3).first.number == 3
        method "owned_by" [zone zones components] (table, this, player: player) costs contents -> components {
            table.owned_by(&this.held(table), player)
        }
        /// Which side of the component is up, from 1. Words that take an attribute accept it: `cards.sum("side")`.
        /// > coin.first.flip();
        /// > coin.first.side == 2 && coin.sum("side") == 3
        get "side" [component] (table, this) -> number;
        /// What the die shows; 0 before it is rolled. Words that take an attribute accept it: `dice.having("value", 6)`.
        /// > tray.first.turn_to(6);
        /// > tray.first.value == 6 && tray.having("value", 6).len == 1
        get "value" [component] (table, this) -> number;
    }

    "Components" {
        /// The members of a group of components, in or out of play, in the order of their declaration.
        /// > components("card").len == 10 && components("card").first.number == 1
        function "components" [] (table, group: text as group) costs all -> components { table.group(group) }
        /// Brings a component of a group into play, puts it on top of a zone, and gives it.
        ///
        /// There are as many as `copies` says. It starts with its first side up (a die shows nothing) and belongs to
        /// nobody; after `take_out`, it can be made again.
        /// > p1.hand.last.take_out();
        /// > let card = make("card", row);
        /// > row.last == card && components("card").out_of_play.is_empty
        function "make" [] (table, group: text as group, zone: zone) costs all -> component { table.make(group, zone) }
        /// Those that are out of play: not moved anywhere yet, or taken out.
        /// > components("card").out_of_play.is_empty
        get "out_of_play" [components] (table, this) -> components {
            Components::filtered(this, |component| table.place(component).is_none())
        }
        /// No component, as the start of a list.
        /// > components().is_empty && (components() + deck.first).len == 1
        function "components" [] (table) -> components { Components::default() }
        /// The zone that the component lies in.
        /// > deck.first.zone == deck && p2.hand.last.zone == p2.hand
        get "zone" [component] (table, this) -> zone {
            table.place(*this).ok_or_else(|| Fault::rule(crate::diagnostic::message!("{} is out of play", table.label(*this))))
        }
        /// The id of the component's face, such as `14`.
        /// > deck.first.id == "10"
        get "id" [component] (table, this) -> text { table.label(*this).clone() }
        /// True for the same component.
        /// > deck.first == deck.last && !(p1.hand.first == p1.hand.last)
        operator "==" [component] (table, this, other: component) -> truth { *this == other }
        /// True for another component.
        /// > p1.hand.first != p1.hand.last && !(deck.first != deck.last)
        operator "!=" [component] (table, this, other: component) -> truth { *this != other }
        /// The id of the component's face as a text, as in `${card}`.
        /// > `${deck.first}` == "10"
        method "to_string" [component] (table, this) -> text { table.label(*this).clone() }
    }

    "Looking at components in zones and lists" {
        /// How many components there are.
        /// > p1.hand.len == 3 && row.len == 0
        get "len" [zone components] (table, this) costs little -> number { this.held(table).len() as i64 }
        /// True if there is no component.
        /// > row.is_empty && !deck.is_empty
        get "is_empty" [zone components] (table, this) costs little -> truth { this.held(table).is_empty() }
        /// The last component: the top of a pile, the right end of a row.
        /// > p1.hand.last.number == 3
        get "last" [zone components] (table, this) costs little -> component { table.end(&this.held(table), true) }
        /// The first component: the bottom of a pile, the left end of a row.
        /// > p1.hand.first.number == 1
        get "first" [zone components] (table, this) costs little -> component { table.end(&this.held(table), false) }
        /// The components of the zone, or of several zones, as one list: `piles.components.is_empty`.
        get "components" [zone zones] (table, this) costs contents -> components { Components::from(&*this.held(table)) }
        /// The components of all entries of a list, each once: of components, zones, and several of these.
        /// > [p1.hand, p2.hand].components.len == 6 && row.groups("color").components.is_empty
        get "components" [list] (table, this) costs contents -> components { lists::components(table, this) }
        /// Whether the component has the attribute: `card.has("joker")`.
        /// > deck.first.has("number") && !deck.first.has("side")
        method "has" [component] (table, this, attribute: text as attribute) -> truth {
            table.attribute_value(*this, attribute).is_some()
        }
        /// The value of an attribute whose name the rules compute: `card.attribute(data.trump_by)`. It is an error if the component does not have it.
        /// > deck.first.attribute("number") == 10
        method "attribute" [component] (table, this, attribute: text as attribute) -> value {
            table.attribute_of(*this, attribute)
        }
        /// The value of an attribute, or another value where the component does not have it.
        /// > deck.first.attribute("side", 0) == 0
        method "attribute" [component] (table, this, attribute: text as attribute, otherwise: value) -> value {
            values::or(table.attribute_value(*this, attribute), otherwise)
        }
        /// The component at a position, from 0.
        /// > p1.hand[0].number == 1 && p1.hand[1].number == 2
        index "[]" [zone] (table, this, position: number) costs little -> component { table.at(table.zone(*this), position) }
        /// The component at a position of the list, from 0.
        index "[]" [components] (table, this, position: number) costs little -> component { table.at(this, position) }
        /// Whether the component is there.
        /// > p1.hand.contains(p1.hand.last) && !p1.hand.contains(deck.last)
        method "contains" [zone components] (table, this, component: component) -> truth {
            this.held(table).contains(&component)
        }
        /// How many have this text as an attribute: `column.count("color", "green")`.
        /// > p1.hand.count("color", "red") == 2 && deck.count("color", "red") == 0
        method "count" [zone zones components] (table, this, attribute: text as attribute, value: text as attribute_value) costs contents -> number {
            table.count(&this.held(table), attribute, value)
        }
        /// How many have this number as an attribute.
        method "count" [zone zones components] (table, this, attribute: text as attribute, value: number as attribute_value) costs contents -> number {
            table.count(&this.held(table), attribute, value)
        }
        /// Those that have this text as an attribute.
        /// > p1.hand.having("color", "red").map(|card| card.number) == [1, 3]
        method "having" [zone zones components] (table, this, attribute: text as attribute, value: text as attribute_value) costs contents -> components {
            table.with_value(&this.held(table), attribute, value, true)
        }
        /// Those that have this number as an attribute.
        method "having" [zone zones components] (table, this, attribute: text as attribute, value: number as attribute_value) costs contents -> components {
            table.with_value(&this.held(table), attribute, value, true)
        }
        /// Those that do not have this text as an attribute.
        /// > p1.hand.without("color", "red").map(|card| card.number) == [2]
        method "without" [zone zones components] (table, this, attribute: text as attribute, value: text as attribute_value) costs contents -> components {
            table.with_value(&this.held(table), attribute, value, false)
        }
        /// Those that do not have this number as an attribute.
        method "without" [zone zones components] (table, this, attribute: text as attribute, value: number as attribute_value) costs contents -> components {
            table.with_value(&this.held(table), attribute, value, false)
        }
        /// The position of the component, from 0 at the bottom or left.
        ///
        /// In a list of numbers, it decides who goes first between equals: `played.max_by(|card| [card.rank,
        /// trick.position_of(card)])`.
        /// > p1.hand.position_of(p1.hand.first) == 0 && p1.hand.position_of(p1.hand.last) == 2
        method "position_of" [zone components] (table, this, component: component) -> number {
            table.position_of(&this.held(table), component)
        }
        /// All but this component.
        /// > p1.hand.except(p1.hand[1]).map(|card| card.number) == [1, 3] && p1.hand.except(deck.last).len == 3
        method "except" [zone components] (table, this, component: component) -> components {
            Components::filtered(&this.held(table), |other| other != component)
        }
        /// Those that have a value of an attribute in common with one of the others.
        /// > p1.hand.sharing("color", deck.components).map(|card| card.number) == [2]
        method "sharing" [zone zones components] (table, this, attribute: text as attribute, others: components) costs ordered -> components {
            table.sharing(&this.held(table), attribute, others, true)
        }
        /// Those that have no value of an attribute in common with any of the others.
        /// > p1.hand.not_sharing("color", deck.components).map(|card| card.number) == [1, 3]
        method "not_sharing" [zone zones components] (table, this, attribute: text as attribute, others: components) costs ordered -> components {
            table.sharing(&this.held(table), attribute, others, false)
        }
        /// Those whose number lies in a range, both ends included.
        /// > (p1.hand + p2.hand).between("number", 2, 4).map(|card| card.number) == [2, 3, 4]
        method "between" [zone zones components] (table, this, attribute: text as numbers, low: number, high: number) costs contents -> components {
            table.between(&this.held(table), attribute, low, high)
        }
        /// Those with a number higher than this.
        /// > p1.hand.above("number", 1).map(|card| card.number) == [2, 3]
        method "above" [zone zones components] (table, this, attribute: text as numbers, number: number) costs contents -> components {
            let higher = |low| table.between(&this.held(table), attribute, low, i64::MAX);
            number.checked_add(1).map_or_else(Components::default, higher)
        }
        /// Those with a number lower than this.
        /// > p1.hand.below("number", 3).map(|card| card.number) == [1, 2]
        method "below" [zone zones components] (table, this, attribute: text as numbers, number: number) costs contents -> components {
            let lower = |high| table.between(&this.held(table), attribute, i64::MIN, high);
            number.checked_sub(1).map_or_else(Components::default, lower)
        }
        /// The last components, the topmost of a pile, in their order; fewer if there are not enough.
        /// > p1.hand.top(2).map(|card| card.number) == [2, 3] && p1.hand.top(9).len == 3
        method "top" [zone components] (table, this, count: number) costs little -> components {
            table.top(&this.held(table), count)
        }
        /// Those from the first up to this component, itself included; none if it is not among them.
        /// > p1.hand.up_to(p1.hand[1]).map(|card| card.number) == [1, 2] && p1.hand.up_to(deck.last).is_empty
        method "up_to" [zone components] (table, this, component: component) -> components {
            let held = this.held(table);
            let end = held.iter().position(|&other| other == component).map_or(0, |position| position + 1);
            Components::from(&held[..end])
        }
        /// Those after this component; none if it is not among them.
        /// > p1.hand.after(p1.hand[1]).map(|card| card.number) == [3] && p1.hand.after(p1.hand.last).is_empty
        method "after" [zone components] (table, this, component: component) -> components {
            let held = this.held(table);
            let start = held.iter().position(|&other| other == component).map_or(held.len(), |position| position + 1);
            Components::from(&held[start..])
        }
        /// Those that belong to a group of components, for places where several groups lie together.
        /// > tray.first.move_to(row); deck.last.move_to(row);
        /// > row.len == 2 && row.of("die").len == 1 && row.of("card").first.number == 10
        method "of" [zone zones components] (table, this, group: text as group) costs contents -> components {
            table.of_group(&this.held(table), group)
        }
        /// The components in the opposite order.
        /// > p1.hand.reversed.map(|card| card.number) == [3, 2, 1]
        get "reversed" [zone components] (table, this) -> components {
            Components(this.held(table).iter().rev().copied().collect())
        }
        /// Whether the numbers of some of them, one or more, have a sum in a range, both ends included.
        /// > p1.hand.can_sum_to("number", 5, 5) && !p1.hand.can_sum_to("number", 7, 9)
        method "can_sum_to" [zone components] (table, this, attribute: text as numbers, low: number, high: number) costs sums -> truth {
            table.can_sum_to(&this.held(table), attribute, low, high)
        }
        /// The components of both lists, each once.
        /// > (p1.hand.top(2) + p1.hand.components).map(|card| card.number) == [2, 3, 1]
        operator "+" [components] (table, this, more: components) -> components {
            table.union(this, more)
        }
        /// The components and one more.
        operator "+" [components] (table, this, more: component) -> components { table.union(this, &[more]) }
        /// The components that are not in the other list.
        /// > (p1.hand.components - p1.hand.top(2)).map(|card| card.number) == [1]
        operator "-" [components] (table, this, others: components) -> components {
            table.difference(this, others)
        }
        /// The components without one of them.
        operator "-" [components] (table, this, other: component) -> components { table.difference(this, &[other]) }
        /// How many components have the most frequent value of an attribute; 0 if there are no components.
        /// > p1.hand.largest_group("color") == 2 && p1.hand.largest_group("number") == 1
        method "largest_group" [zone zones components] (table, this, attribute: text as attribute) costs ordered -> number {
            table.largest_group(&this.held(table), attribute)
        }
        /// The lowest number, from this one on, that none of them has as an attribute.
        /// > p1.hand.first_missing("number", 1) == 4 && p1.hand.first_missing("number", 7) == 7
        method "first_missing" [zone zones components] (table, this, attribute: text as numbers, from: number) costs ordered -> number {
            table.first_missing(&this.held(table), attribute, from)
        }
        /// The first component of each value of an attribute, in their order.
        /// > p1.hand.one_of_each("color").map(|card| card.number) == [1, 2]
        method "one_of_each" [zone zones components] (table, this, attribute: text as attribute) costs ordered -> components {
            table.one_of_each(&this.held(table), attribute)
        }
        /// The components by value of an attribute, as a list of lists: pairs, threes of a kind, melds.
        ///
        /// The largest group comes first; of equally large ones, the one with the higher value. Within a group,
        /// components keep their order. Those without the attribute are in no group. A full house is
        /// `hand.groups("rank").map(|group| group.len) == [3, 2]`; hands of equal groups compare by
        /// `hand.groups("rank").map(|group| group.first.rank)`.
        /// > let all = players.map(|p| p.hand).components;
        /// > all.groups("color").map(|group| group.len) == [5, 4] && all.groups("color")[0].first.color == "red"
        method "groups" [zone zones components] (table, this, attribute: text as attribute) costs ordered -> list {
            values::of_groups(table.groups(&this.held(table), attribute))
        }
        /// The runs of components with consecutive numbers, as a list of lists with rising numbers: sequences, straights.
        ///
        /// A run is as long as possible, and can be a single component. The longest comes first; of equally long ones,
        /// the one that reaches higher. Each component is in one run: of equal numbers, the first is in the first run
        /// with that number, the second in what is left, and so on, so 5, 5, 6, 7 are the runs 5-6-7 and 5. Those
        /// without a number are in no run. A straight is `hand.runs("rank")[0].len >= 5`.
        /// > let cards = p1.hand.components + p3.hand.components;
        /// > cards.runs("number").map(|run| run.first.number) == [7, 1] && cards.runs("number")[0].len == 3
        method "runs" [zone zones components] (table, this, attribute: text as numbers) costs ordered -> list {
            values::of_groups(table.runs(&this.held(table), attribute))
        }
        /// The same among components that have equal values of another attribute: a straight flush is `hand.runs("rank", "suit")[0].len >= 5`.
        ///
        /// Those without the other attribute are in no run.
        /// > p1.hand.runs("number", "color").map(|run| run.len) == [1, 1, 1]
        method "runs" [zone zones components] (table, this, attribute: text as numbers, within: text as attribute) costs ordered -> list {
            values::of_groups(table.runs_within(&this.held(table), attribute, within))
        }
        /// How many different values of an attribute there are.
        /// > p1.hand.count_distinct("color") == 2 && p1.hand.count_distinct("number") == 3
        method "count_distinct" [zone zones components] (table, this, attribute: text as attribute) costs ordered -> number {
            table.distinct(&this.held(table), attribute)
        }
        /// The length of the longest stretch of neighbouring components that all differ in an attribute.
        /// > let cards = p1.hand.components;
        /// > cards.longest_distinct_run("color") == 2 && cards.longest_distinct_run("number") == 3
        method "longest_distinct_run" [zone components] (table, this, attribute: text as attribute) costs ordered -> number {
            table.longest_distinct_run(&this.held(table), attribute)
        }
        /// The sum of a number over all components; one without that attribute counts as 0.
        /// > p1.hand.sum("number") == 6 && row.sum("number") == 0
        method "sum" [zone zones components] (table, this, attribute: text as numbers) costs contents -> number {
            table.sum(&this.held(table), attribute)
        }
        /// The component with the highest value of an attribute, among those that have it; the first of equals.
        /// > (p2.hand + p1.hand).max("number").number == 6
        method "max" [zone zones components] (table, this, attribute: text as attribute) costs contents -> component {
            table.extreme(&this.held(table), attribute, true)
        }
        /// The component with the lowest value of an attribute, among those that have it; the first of equals.
        /// > (p2.hand + p1.hand).min("number").number == 1
        method "min" [zone zones components] (table, this, attribute: text as attribute) costs contents -> component {
            table.extreme(&this.held(table), attribute, false)
        }
        /// The components by rising value of an attribute.
        /// > (p2.hand + p1.hand).sorted("number").map(|card| card.number) == [1, 2, 3, 4, 5, 6]
        method "sorted" [zone zones components] (table, this, attribute: text as attribute) costs contents -> components {
            table.sorted(&this.held(table), attribute)
        }
        /// The direction of a sequence, by its last two components: `"up"`, `"down"`, or `"open"` with fewer than two.
        /// > p1.hand.trend("number") == "up" && p1.hand.reversed.trend("number") == "down"
        method "trend" [zone components] (table, this, attribute: text as attribute) costs little -> text {
            table.trend(&this.held(table), attribute)
        }
        /// Whether a component continues the sequence in its direction; a single component is continued by any that is not equal.
        /// > let card = deck.last;
        /// > p1.hand.carries_on(card, "number") && !p1.hand.reversed.carries_on(card, "number")
        method "carries_on" [zone components] (table, this, component: component, attribute: text as attribute) costs little -> truth {
            table.carries_on(&this.held(table), component, attribute)
        }
        /// The components on either side of one in a ring, each once.
        /// > let ring = p1.hand.components + p2.hand.components;
        /// > ring.neighbours(ring.first).map(|card| card.number) == [6, 2]
        method "neighbours" [zone components] (table, this, component: component) -> components {
            table.neighbours(&this.held(table), component)
        }
        /// True for lists of the same components in the same order.
        /// > p1.hand.top(3) == p1.hand.components && !(p1.hand.reversed == p1.hand.components)
        operator "==" [components] (table, this, other: components) -> truth { *this == *other }
        /// True for lists that differ in a component or in the order.
        /// > p1.hand.reversed != p1.hand.components && !(p1.hand.top(3) != p1.hand.components)
        operator "!=" [components] (table, this, other: components) -> truth { *this != *other }
        /// The ids of the faces, as in `${p.hand.sorted("number")}`: `[3, 14]`.
        /// > `${p1.hand.components}` == "[1, 2, 3]"
        method "to_string" [components] (table, this) costs ordered -> text {
            joined(this.iter().map(|&component| table.label(component)))
        }
        /// Draws one of the components by lot.
        /// > p1.hand.contains(p1.hand.pick("draft"))
        method "pick" [zone components] (table, this, lot: text as lot) -> component {
            let list = this.held(table).into_owned();
            draw_component(table, lot, &list)
        }
        /// The components in an order drawn by lot; the zones do not change. To shuffle a zone, use `shuffle`.
        /// > row.components.shuffled("draft").is_empty && p1.hand.components.shuffled("draft").len == 3
        method "shuffled" [components] (table, this, lot: text as lot) -> components {
            shuffled(table, lot, this, Value::Component).map(|list| list.into_iter().collect::<Components>())
        }
    }

    "Zones" {
        /// The zone with that id, for names that the rules put together: zone_named(`limit_${color}`).
        /// > zone_named("row") == row && zone_named(`${p2}.hand`) == p2.hand
        function "zone_named" [] (table, id: text as zone) -> zone { table.zone_named(id) }
        /// The number of a zone among several of its kind, from 1; 1 if there is only one.
        /// > row.number == 1
        get "number" [zone] (table, this) costs little -> number {
            table.layout().zones[this.index()].number.unwrap_or(1) as i64
        }
        /// The player whose zone it is.
        /// > p2.hand.owner == p2
        get "owner" [zone] (table, this) costs little -> player {
            let info = &table.layout().zones[this.index()];
            info.seat.ok_or_else(|| Fault::rule(crate::diagnostic::message!("{} belongs to nobody", info.id)))
        }
        /// True for the same zone.
        /// > board.at(1, 1) == board.first && !(p1.hand == p2.hand)
        operator "==" [zone] (table, this, other: zone) -> truth { *this == other }
        /// True for another zone.
        /// > p1.hand != p2.hand && !(p1.hand != p1.hand)
        operator "!=" [zone] (table, this, other: zone) -> truth { *this != other }
        /// The id of the zone as a text, as in `${column}`: `ring`, `p1.columns.2`.
        /// > `${row} ${p1.hand}` == "row p1.hand"
        method "to_string" [zone] (table, this) costs little -> text { table.option_label(&Value::Zone(*this)) }
        /// The ids of the zones as a text.
        method "to_string" [zones] (table, this) costs ordered -> text {
            joined(this.iter().map(|&zone| table.option_label(&Value::Zone(zone))))
        }
        /// True for the same zones in the same order.
        operator "==" [zones] (table, this, other: zones) -> truth { *this == *other }
        /// True for zones that differ, or are in another order.
        operator "!=" [zones] (table, this, other: zones) -> truth { *this != *other }
        /// How many zones there are; `zones.components.len` counts what lies in them.
        /// > (p1.hand + row).len == 2
        get "len" [zones] (table, this) costs little -> number { this.len() as i64 }
        /// True if there is no zone; `zones.components.is_empty` asks whether anything lies in them.
        /// > (board - board).is_empty && !(board - board.first).is_empty
        get "is_empty" [zones] (table, this) costs little -> truth { this.is_empty() }
        /// The zone of that number, from 1: `p.columns[2]`.
        /// > board[1] == board.at(1, 1) && board[5] == board.at(1, 2)
        index "[]" [zones] (table, this, number: number) costs little -> zone { table.numbered(this, number) }
        /// The zone of that name among the cells of a board and the places of a `list`: `limit["red"]`, `board["c4"]`.
        /// > board["b1"] == board.at(2, 1) && board["a1"] == board[1]
        index "[]" [zones] (table, this, name: text) costs cells -> zone { table.called(this, name) }
        /// The zones that hold nothing.
        /// > deck.first.move_to(board.first);
        /// > board.empty.len == 11 && !board.empty.contains(board.first)
        get "empty" [zones] (table, this) -> zones { table.zones_by_emptiness(this, true) }
        /// The zones that hold something.
        /// > deck.first.move_to(board[7]);
        /// > board.filled.len == 1 && board.filled.first == board[7]
        get "filled" [zones] (table, this) -> zones { table.zones_by_emptiness(this, false) }
        /// The zones whose sequence a component continues in its direction; see `carries_on` of a zone.
        /// > let fitting = (p1.hand + p3.hand).carried_on_by(p2.hand[0], "number");
        /// > fitting.len == 1 && fitting.first == p1.hand
        method "carried_on_by" [zones] (table, this, component: component, attribute: text as attribute) -> zones {
            let mut fitting = Vec::with_capacity(this.len());
            for &zone in this {
                if table.carries_on(table.zone(zone), component, attribute)? {
                    fitting.push(zone);
                }
            }
            Ok::<_, Fault>(Zones(fitting))
        }
        /// The first of the zones.
        get "first" [zones] (table, this) costs little -> zone { table.numbered(this, 1) }
        /// The last of the zones.
        get "last" [zones] (table, this) costs little -> zone { table.numbered(this, this.len() as i64) }
        /// Whether the zone is one of these.
        method "contains" [zones] (table, this, zone: zone) -> truth { this.contains(&zone) }
        /// All but this zone.
        method "except" [zones] (table, this, zone: zone) -> zones {
            Zones(this.iter().copied().filter(|&other| other != zone).collect())
        }
        /// Draws one of the zones by lot.
        /// > (p1.hand + p2.hand).pick("door").len == 3
        method "pick" [zones] (table, this, lot: text as lot) -> zone { draw_zone(table, lot, this) }
        /// The zones in an order drawn by lot.
        /// > (p1.hand + p2.hand).shuffled("doors").contains(p2.hand)
        method "shuffled" [zones] (table, this, lot: text as lot) -> zones {
            shuffled(table, lot, this, Value::Zone).map(Zones)
        }
        /// The zones of both, each once.
        operator "+" [zones] (table, this, more: zones) -> zones { distinct_zones(&[this, more]) }
        /// These zones and another.
        operator "+" [zones] (table, this, other: zone) -> zones { distinct_zones(&[this, &[other]]) }
        /// This zone and another, as a list to choose from.
        operator "+" [zone] (table, this, other: zone) -> zones { distinct_zones(&[&[*this], &[other]]) }
        /// This zone and others.
        operator "+" [zone] (table, this, more: zones) -> zones { distinct_zones(&[&[*this], more]) }
    }

    "Boards" {
        /// The cell in a column and a row of the board, both from 1: `board.at(3, 4)` is the cell c4.
        ///
        /// A zone with a `grid` is a board: `board` is all of its cells, row by row from a1.
        /// > board.at(3, 2).column == 3 && board.at(1, 1) == board.first
        method "at" [zones] (table, this, column: number, row: number) costs little -> zone { table.cell_at(this, column, row) }
        /// The column of the cell, from 1 at the left.
        /// > board.last.column == 4
        get "column" [zone] (table, this) costs little -> number { table.column(*this) }
        /// The row of the cell, from 1 at the bottom.
        /// > board.last.row == 3
        get "row" [zone] (table, this) costs little -> number { table.row(*this) }
        /// The cells of a region of the board: `[zones.board.regions]` and `home = ["a1:d1"]`.
        /// > board.region("home").len == 4 && board.region("home").last.column == 4
        method "region" [zones] (table, this, name: text) costs little -> zones { table.region(this, name) }
        /// The cell that many columns to the right and rows up, as a list of one; an empty list if the board has no such cell.
        ///
        /// So no check is needed before: `cell.step(0, 1).empty` is the cell above, if there is one and it is empty.
        /// Negative numbers go to the left and down. On hexagons, the row above is half a cell further right:
        /// `step(0, 1)` goes up to the right, `step(-1, 1)` up to the left.
        /// > board.at(2, 2).step(1, 1).first == board.at(3, 3) && board.at(4, 3).step(1, 0).is_empty
        method "step" [zone] (table, this, right: number, up: number) costs little -> zones { table.step(*this, right, up) }
        /// The cells that repeating the same step leads to, nearest first, up to the edge of the board.
        /// > board.at(1, 1).line(1, 1) == board.at(2, 2) + board.at(3, 3)
        method "line" [zone] (table, this, right: number, up: number) costs rays -> zones { table.line(*this, right, up) }
        /// The lines from the cell to the edge of the board in every direction, each nearest first, as a list.
        ///
        /// From a square there are up to eight, from a hexagon six; a direction without a cell is left out.
        /// > board.at(1, 1).rays.len == 3 && board.at(1, 1).rays[0] == board.at(1, 1).line(0, 1)
        get "rays" [zone] (table, this) costs rays -> list { table.rays(*this) }
        /// The cells between two on a straight line, from the first; none if they are next to each other, or not on one line.
        /// > board.at(1, 1).cells_between(board.at(3, 3)).first == board.at(2, 2)
        method "cells_between" [zone] (table, this, other: zone) costs rays -> zones { table.cells_between(*this, other) }
        /// The cells that share a side with the cell, or with one of these; on a map, the places next to them.
        ///
        /// A square has up to four, a hexagon six. The cells themselves are not among them.
        /// > board.at(1, 1).neighbours.len == 2 && board.region("home").neighbours.len == 4
        get "neighbours" [zone zones] (table, this) costs cells -> zones { table.cells_beside(this.cells(), false) }
        /// The cells that share a side or a corner with the cell, or with one of these: up to eight of a square.
        /// > board.at(2, 2).around.len == 8 && board.at(1, 1).around.len == 3
        get "around" [zone zones] (table, this) costs cells -> zones { table.cells_beside(this.cells(), true) }
        /// The cells row by row, the lowest first, as a list.
        /// > board.rows.len == 3 && board.rows[0] == board.region("home")
        get "rows" [zones] (table, this) -> list { table.ranks_of_cells(this, true) }
        /// The cells column by column, the left one first, as a list; in each from the bottom up.
        /// > board.columns.len == 4 && board.columns[3].last == board.last
        get "columns" [zones] (table, this) -> list { table.ranks_of_cells(this, false) }
        /// Every straight line of that many cells that are all among these, as a list: in rows, columns and diagonals.
        ///
        /// Somebody has four in a row if `board.owned_by(p).cells.lines(4)` is not empty.
        /// > board.lines(3).len == 14 && board.region("home").lines(4).len == 1 && board.region("home").lines(5).is_empty
        method "lines" [zones] (table, this, length: number) costs lines -> list { table.lines(this, length) }
        /// The connected groups of the cells, as a list: in each, neighbours lead from one cell to every other.
        /// > (board.columns[0] + board.columns[2]).connected_groups.len == 2 && board.connected_groups[0].len == 12
        get "connected_groups" [zones] (table, this) -> list { table.groups_of_cells(this) }
        /// Those of the cells that are connected to one of them through neighbours, itself included; none if it is not among them.
        /// > (board.columns[0] + board.columns[2]).connected_to(board.first) == board.columns[0]
        method "connected_to" [zones] (table, this, cell: zone) -> zones { table.connected_to(this, cell) }
        /// The zones that the components lie in, each once: on a board their cells. `zones.components` is the other way round.
        /// > p1.hand.components.cells.first == p1.hand && components().cells.is_empty
        get "cells" [components] (table, this) -> zones { table.zones_holding(this) }
        /// Those of the zones that are among the others.
        /// > board.columns[0].within(board.rows[0]).first == board.first
        method "within" [zones] (table, this, others: zones) -> zones { table.zones_among(this, others, true) }
        /// The zones that are not among the others.
        /// > (board - board.rows[0]).len == 8
        operator "-" [zones] (table, this, others: zones) -> zones { table.zones_among(this, others, false) }
        /// The zones without one of them.
        /// > (board - board.first).len == 11
        operator "-" [zones] (table, this, other: zone) -> zones { table.zones_among(this, &[other], false) }
    }

    "Players and teams" {
        /// The number of the seat, from 1 in turn order.
        /// > p3.number == 3
        get "number" [player] (table, this) -> number { this.number() as i64 }
        /// The next player in turn order.
        /// > p1.next == p2 && p3.next == p1
        get "next" [player] (table, this) -> player { table.player_after(*this, 1) }
        /// The player before in turn order.
        /// > p2.previous == p1 && p1.previous == p3
        get "previous" [player] (table, this) -> player { table.player_after(*this, -1) }
        /// True for the same player.
        operator "==" [player] (table, this, other: player) -> truth { *this == other }
        /// True for another player.
        operator "!=" [player] (table, this, other: player) -> truth { *this != other }
        /// Whether a variable that holds a player has none: `table.winner == nobody`.
        /// > let blocker = nobody;
        /// > blocker == nobody && !(p1 == nobody)
        operator "==" [player] (table, this, other: nobody) -> truth { false }
        /// Whether a variable that holds a player has one: `table.winner != nobody`.
        /// > p1 != nobody && !(nobody != nobody)
        operator "!=" [player] (table, this, other: nobody) -> truth { true }
        /// Nobody equals only nobody.
        operator "==" [nobody] (table, this, other: player) -> truth { false }
        /// Nobody differs from every player.
        operator "!=" [nobody] (table, this, other: player) -> truth { true }
        /// Nobody equals only nobody.
        operator "==" [nobody] (table, this, other: nobody) -> truth { true }
        /// Nobody differs from every player.
        operator "!=" [nobody] (table, this, other: nobody) -> truth { false }
        /// The player as a text, as in `${p}`: `p1`.
        method "to_string" [player] (table, this) -> text { this.to_string() }
        /// Nobody as a text: `nobody`.
        method "to_string" [nobody] (table, this) -> text { NOBODY }
        /// The players as a text: `[p1, p3]`.
        method "to_string" [players] (table, this) costs ordered -> text { joined(this.into_iter()) }
        /// True for the same players in the same order.
        operator "==" [players] (table, this, other: players) -> truth { this.as_slice() == other.as_slice() }
        /// True for players that differ, or are in another order.
        operator "!=" [players] (table, this, other: players) -> truth { this.as_slice() != other.as_slice() }
        /// How many players there are.
        get "len" [players] (table, this) -> number { this.len() as i64 }
        /// True if there is no player.
        get "is_empty" [players] (table, this) -> truth { this.is_empty() }
        /// The first of the players.
        get "first" [players] (table, this) -> player { table.player(*this, 1) }
        /// The last of the players.
        get "last" [players] (table, this) -> player { table.player(*this, this.len() as i64) }
        /// The player at a place of the list, from 1: `players[1]`.
        index "[]" [players] (table, this, number: number) -> player { table.player(*this, number) }
        /// The players in the opposite order.
        /// > players.reversed.first == p3 && players.reversed.last == p1
        get "reversed" [players] (table, this) -> players {
            this.as_slice().iter().rev().copied().collect::<Seats>()
        }
        /// The same players, starting with one of them and going round.
        /// > let order = players.starting_with(p2);
        /// > order.first == p2 && order[2] == p3 && order.last == p1
        method "starting_with" [players] (table, this, player: player) -> players { this.starting_with(player) }
        /// All but this player.
        method "except" [players] (table, this, player: player) -> players {
            this.into_iter().filter(|&other| other != player).collect::<Seats>()
        }
        /// The players of both, each once.
        /// > players.except(p3) + players.except(p1) == players
        operator "+" [players] (table, this, more: players) -> players { union_of_players(&[this.as_slice(), more.as_slice()]) }
        /// These players and another.
        /// > players.except(p2) + p2 == players[1] + p3 + p2
        operator "+" [players] (table, this, other: player) -> players { union_of_players(&[this.as_slice(), &[other]]) }
        /// This player and another.
        /// > (p2 + p1).first == p2 && (p1 + p1).len == 1
        operator "+" [player] (table, this, other: player) -> players { union_of_players(&[&[*this], &[other]]) }
        /// This player and others.
        /// > (p2 + players).first == p2 && (p2 + players).len == 3
        operator "+" [player] (table, this, more: players) -> players { union_of_players(&[&[*this], more.as_slice()]) }
        /// The players who are not among the others.
        /// > players - p1.team == players.except(p1)
        operator "-" [players] (table, this, others: players) -> players {
            this.into_iter().filter(|player| !others.as_slice().contains(player)).collect::<Seats>()
        }
        /// The players without one of them.
        /// > players - p1 == players.except(p1)
        operator "-" [players] (table, this, other: player) -> players {
            this.into_iter().filter(|&player| player != other).collect::<Seats>()
        }
        /// Whether the player is among them.
        method "contains" [players] (table, this, player: player) -> truth { this.as_slice().contains(&player) }
        /// The players of the player's team in turn order, the player included; see `[teams]`.
        ///
        /// A variable with `per = "team"` has the same value for all of them, and so does the score if
        /// `variables.score.per` says so.
        /// > p1.join(p3);
        /// > p3.team == players.except(p2)
        get "team" [player] (table, this) costs players -> players { table.team(*this) }
        /// The other players of the player's team.
        /// > p1.join(p3);
        /// > p3.partners.first == p1 && p2.partners.is_empty
        get "partners" [player] (table, this) costs players -> players { table.team(*this).into_iter().filter(|other| other != this).collect::<Seats>() }
        /// The players who are not in the player's team, in turn order.
        /// > p1.join(p3);
        /// > p1.opponents.first == p2 && p2.opponents.len == 2
        get "opponents" [player] (table, this) costs players -> players { table.opponents(*this) }
        /// The teams of the players as a list of players, in the order of the first of each.
        /// > p1.join(p3);
        /// > for team in players.teams { team.first.award(team.len, "size"); }
        /// > players.teams.len == 2 && p1.score == 2
        get "teams" [players] (table, this) costs ordered -> list { table.teams(*this) }
        /// From now on, the player is in the team of another, and shares what that team shares.
        ///
        /// A player brings nothing along: of variables with `per = "team"`, the score among them, the player has what
        /// the team has. What a player who was alone had out of a bank goes back there.
        /// > p1.join(p3);
        /// > p1.team == p3.team
        method "join" [player] (table, this, other: player) -> nothing { table.join(*this, other) }
        /// Those of the players who have neither won nor lost, in their order.
        /// > p3.lose("broke");
        /// > players.playing.len == 2
        get "playing" [players] (table, this) -> players { table.playing(*this) }
        /// Whether the rules have said that the player has won; see `win`.
        /// > p1.win("first_out");
        /// > p1.has_won && !p2.has_won
        get "has_won" [player] (table, this) -> truth { table.verdict(*this) == Verdict::Won }
        /// Whether the rules have said that the player has lost; see `lose`.
        /// > p1.lose("broke");
        /// > p1.has_lost && !p1.has_won
        get "has_lost" [player] (table, this) -> truth { matches!(table.verdict(*this), Verdict::Lost(_)) }
        /// Whether the player has neither won nor lost.
        /// > p1.lose("broke");
        /// > !p1.is_playing && p2.is_playing
        get "is_playing" [player] (table, this) -> truth { table.verdict(*this) == Verdict::Playing }
        /// Gives another player that many of what this one has: money, goods, points. Giving more than there are is an error.
        ///
        /// The name is that of a variable with `per = "seat"` or `per = "team"` that holds a number. Nobody can go below
        /// its `min`, or below 0 if it has none.
        /// > p1.coins += 4;
        /// > p1.give(p2, "coins", 3);
        /// > p1.coins == 1 && p2.coins == 3
        method "give" [player] (table, this, to: player, counted: text, count: number) -> nothing {
            table.give(*this, to, counted, count)
        }
        /// The same, but only as many as there are, up to a count; gives how many.
        /// > p1.coins += 2;
        /// > p1.give_up_to(p2, "coins", 3) == 2 && p2.coins == 2
        method "give_up_to" [player] (table, this, to: player, counted: text, count: number) -> number {
            table.give_up_to(*this, to, counted, count)
        }
        /// The player takes as many as the bank has, up to a count; gives how many. `p.coins += 3` takes exactly that many, or is an error.
        ///
        /// Without a bank, there is no end of them, but for the variable's `max`.
        /// > p1.take_up_to("coins", 100) == 40 && table.coins == 0
        method "take_up_to" [player] (table, this, counted: text, count: number) -> number {
            table.take_up_to(*this, counted, count)
        }
        /// The player pays as many as possible, up to a count, to the bank; gives how many. `p.coins -= 3` pays exactly that many, or is an error.
        /// > p1.coins += 5;
        /// > p1.pay_up_to("coins", 8) == 5 && table.coins == 40
        method "pay_up_to" [player] (table, this, counted: text, count: number) -> number {
            table.pay_up_to(*this, counted, count)
        }
        /// The next of these players after one, going round in their order, which may be reversed: `players.playing.next_after(p)`.
        ///
        /// The player need not be among them: a player who has just left is followed by the one who sat next. Gives the
        /// player itself if it is the only one.
        /// > p2.lose("broke");
        /// > players.playing.next_after(p1) == p3 && players.reversed.next_after(p1) == p3
        method "next_after" [players] (table, this, player: player) -> player { table.next_after(*this, player) }
        /// Draws one of the players by lot.
        method "pick" [players] (table, this, lot: text as lot) -> player { draw_seat(table, lot, this.as_slice()) }
        /// The players in an order drawn by lot.
        /// > players.shuffled("seating").all(|p| players.contains(p))
        method "shuffled" [players] (table, this, lot: text as lot) -> players {
            shuffled(table, lot, this.as_slice(), Value::Seat).map(|list| list.into_iter().collect::<Seats>())
        }
    }

    "Data and settings" {
        /// The value at a position of a list, from 0, or under a number in a table: `data.highest_card[players.len]`.
        /// > data.colors[0] == "red"
        index "[]" [data] (table, this, number: number) costs little -> value { table.datum_at(*this, number).cloned() }
        /// The value under a key of a table.
        /// > data.prices["tea"] == 2
        index "[]" [data] (table, this, key: text) costs little -> value { table.datum(*this, key).cloned() }
        /// The entry at a position of a list, from 0, or the last entry if the list is shorter: for scoring tables.
        /// > data.colors.entry_or_last(0) == "red" && data.colors.entry_or_last(7) == "blue"
        method "entry_or_last" [data] (table, this, position: number) costs little -> value {
            table.entry_or_last(*this, position).cloned()
        }
        /// The value under a key of a table, or another value if there is none.
        /// > data.get("bonus", 3) + data.prices.get("tea", 3) == 5
        method "get" [data] (table, this, key: text, otherwise: value) costs little -> value {
            values::datum_or(table.datum_maybe(*this, key)?, otherwise)
        }
        /// The value at a position of a list, from 0, or under a number in a table; or another value if there is none.
        /// > data.colors.get(7, "none") == "none"
        method "get" [data] (table, this, key: number, otherwise: value) costs little -> value {
            values::datum_or(table.datum_at_maybe(*this, key), otherwise)
        }
        /// Whether there is a value under a key of a table.
        /// > data.has("prices") && !data.prices.has("milk")
        method "has" [data] (table, this, key: text) costs little -> truth { table.datum_maybe(*this, key).map(|datum| datum.is_some()) }
        /// Whether there is a value at a position of a list, from 0, or under a number in a table.
        /// > data.colors.has(1) && !data.colors.has(2)
        method "has" [data] (table, this, key: number) costs little -> truth { table.datum_at_maybe(*this, key).is_some() }
        /// The entries of a list as a list of the rules, with all its words.
        /// > data.colors.entries().sorted == ["blue", "red"]
        method "entries" [data] (table, this) -> list { values::entries(table, *this) }
        /// Whether a list holds this text.
        method "contains" [data] (table, this, value: text) -> truth {
            table.data_values(*this).map(|values| values.contains(&Value::Text(value.into())))
        }
        /// Whether a list holds this number.
        method "contains" [data] (table, this, value: number) -> truth {
            table.data_values(*this).map(|values| values.contains(&Value::Number(value)))
        }
        /// How many entries a list or table has.
        get "len" [data] (table, this) costs little -> number { table.data_len(*this) }
        /// True if a list or table has no entry.
        get "is_empty" [data] (table, this) costs little -> truth { table.data_len(*this) == 0 }
    }

    "Lists, numbers and texts" {
        /// The numbers from one to another as a list, both included; none if the second is lower.
        ///
        /// > numbers(2, 4) == [2, 3, 4] && numbers(1, 0).is_empty
        function "numbers" [] (table, from: number, to: number) -> list { values::numbers(from, to) }
        /// How many entries the list has.
        get "len" [list] (table, this) costs little -> number { this.len() as i64 }
        /// True if the list has no entry.
        get "is_empty" [list] (table, this) costs little -> truth { this.is_empty() }
        /// The entries in the opposite order.
        get "reversed" [list] (table, this) -> list { values::reversed(this) }
        /// How many characters the text has.
        /// > "three".len == 5
        get "len" [text] (table, this) -> number { this.chars().count() as i64 }
        /// The smaller of two numbers.
        /// > min(3, 5) == 3 && min(5, 3) == 3
        function "min" [] (table, a: number, b: number) -> number { a.min(b) }
        /// The larger of two numbers.
        /// > max(3, 5) == 5 && max(5, 3) == 5
        function "max" [] (table, a: number, b: number) -> number { a.max(b) }
        /// The number without its sign: the distance from 0.
        /// > abs(3 - 5) == 2 && abs(2) == 2
        function "abs" [] (table, number: number) -> number {
            number.checked_abs().ok_or_else(|| Fault::rule("the number is too large"))
        }
        /// Whether the list has an entry equal to this; also `value in list`.
        /// > [1, 2].contains(2) && !([1, 2] in [[2, 1]])
        method "contains" [list] (table, this, value: value) -> truth { lists::contains(this, value) }
        /// How many entries are equal to this.
        /// > [4, 6, 4].count_of(4) == 2
        method "count_of" [list] (table, this, value: value) -> number { lists::count(this, value) }
        /// The position of the first entry that is equal to this, from 0.
        /// > ["low", "high"].position_of("high") == 1
        method "position_of" [list] (table, this, value: value) -> number { lists::position_of(this, value) }
        /// The first entry.
        /// > [3, 5].first == 3
        get "first" [list] (table, this) costs little -> value { lists::end(this, false) }
        /// The last entry.
        /// > [3, 5].last == 5
        get "last" [list] (table, this) costs little -> value { lists::end(this, true) }
        /// All entries except those that are equal to this.
        /// > [1, 2, 1].except(1) == [2]
        method "except" [list] (table, this, value: value) -> list { lists::except(this, value) }
        /// The entries that are equal to none of the other list.
        /// > [1, 2, 3, 1] - [1, 4] == [2, 3]
        operator "-" [list] (table, this, others: list) -> list { lists::difference(this, others) }
        /// The entries, but of equal ones only the first: `cards.map(|card| card.suit).distinct.len`.
        /// > [2, 1, 2].distinct == [2, 1]
        get "distinct" [list] (table, this) costs ordered -> list { lists::distinct(this) }
        /// The last entries, in their order; fewer if there are not enough.
        /// > [1, 2, 3].top(2) == [2, 3]
        method "top" [list] (table, this, count: number) costs little -> list { lists::top(this, count) }
        /// The entries from the first up to one that is equal to this, itself included; none if there is no such entry.
        /// > ["a", "b", "c"].up_to("b") == ["a", "b"]
        method "up_to" [list] (table, this, value: value) -> list { lists::up_to(this, value) }
        /// The entries after the first one that is equal to this; none if there is no such entry.
        /// > ["a", "b", "c"].after("a") == ["b", "c"]
        method "after" [list] (table, this, value: value) -> list { lists::after(this, value) }
        /// The entries by rising value: numbers, texts, or lists of such, whose first entries decide before later ones.
        /// > [[2, 1], [1, 5]].sorted == [[1, 5], [2, 1]] && [3, 1, 2].sorted.reversed == [3, 2, 1]
        get "sorted" [list] (table, this) costs ordered -> list { lists::sorted(this) }
        /// The highest entry, as `sorted` compares them.
        /// > players.map(|p| p.hand.len).max == 3
        get "max" [list] (table, this) -> value { lists::extreme(this, true) }
        /// The lowest entry, as `sorted` compares them.
        /// > [4, 2, 7].min == 2
        get "min" [list] (table, this) -> value { lists::extreme(this, false) }
        /// The sum of the numbers in the list; 0 if it is empty.
        /// > [4, 2, 7].sum == 13
        get "sum" [list] (table, this) -> number { lists::sum(this) }
        /// Draws one of the entries by lot.
        /// > ["north", "south"].pick("wind").len == 5
        method "pick" [list] (table, this, lot: text as lot) -> value { lists::pick(table, lot, this) }
        /// The entries in an order drawn by lot.
        /// > [1, 2, 3].shuffled("roles").sorted == [1, 2, 3]
        method "shuffled" [list] (table, this, lot: text as lot) -> list { lists::shuffled(table, lot, this) }
        /// True for lists of equal entries in the same order.
        operator "==" [list] (table, this, other: list) -> truth { values::equal(this, other) }
        /// True for lists that differ in an entry or in the order.
        operator "!=" [list] (table, this, other: list) -> truth { values::equal(this, other).map(|equal| !equal) }
        /// The entries of both lists, one after the other.
        /// > [1, 2] + [2, 3] == [1, 2, 2, 3]
        operator "+" [list] (table, this, more: list) -> list { values::concatenated(this, more) }
        /// The entries as a text, as in `${list}`.
        method "to_string" [list] (table, this) costs ordered -> text { values::text_of_list(table, this) }
        /// Puts an entry at the end of the list.
        /// > let list = [1, 2];
        /// > list.push(5);
        /// > list == [1, 2, 5]
        method "push" [list] (table, this, entry: value) -> nothing;
    }

    "Words that take a function" {
        /// Whether the function is true for one of them: `players.any(|p| p.hand.is_empty)`.
        /// > p1.hand.any(|card| card.number == 3) && !p1.hand.any(|card| card.number == 4)
        callback "any" [zone zones components players options list data] (table, this, fits: function) -> truth;
        /// Whether the function is true for all of them.
        /// > players.all(|p| p.hand.len == 3) && !p1.hand.all(|card| card.color == "red")
        callback "all" [zone zones components players options list data] (table, this, fits: function) -> truth;
        /// For how many of them the function is true.
        /// > p1.hand.count_if(|card| card.color == "red") == 2
        callback "count_if" [zone zones components players options list data] (table, this, fits: function) -> number;
        /// Those for which the function is true, in their order.
        /// > players.where(|p| p != p2) == players.except(p2)
        callback "where" [zone zones components players options list data] (table, this, fits: function) -> same_sort;
        /// The one for which the function gives the highest number; the first of equals.
        ///
        /// The function may give a list of numbers: the first decides, between equals the second, and so on.
        /// > ["ox", "cat", "dog"].max_by(|name| name.len) == "cat"
        callback "max_by" [zone zones components players options list data] (table, this, value: function) -> one_of_them;
        /// The one for which the function gives the lowest number, or list of numbers; the first of equals.
        /// > [3, 5, 8].min_by(|n| abs(n - 4)) == 3
        callback "min_by" [zone zones components players options list data] (table, this, value: function) -> one_of_them;
        /// All of them by the number, or list of numbers, that the function gives, the lowest first; equals keep their order.
        /// > ["cat", "ox", "dog"].sorted_by(|name| name.len) == ["ox", "cat", "dog"]
        callback "sorted_by" [zone zones components players options list data] (table, this, value: function) -> same_sort;
        /// The sum of the numbers that the function gives.
        /// > p1.hand.sum_of(|card| card.number * card.number) == 14
        callback "sum_of" [zone zones components players options list data] (table, this, value: function) -> number;
        /// What the function gives for each, as a list.
        /// > p2.hand.map(|card| card.number) == [4, 5, 6]
        callback "map" [zone zones components players options list data] (table, this, value: function) -> list;
        /// The options that the function gives for each, all in one list.
        ///
        /// The function gives options, which may be none, or a text, which is one option more.
        /// > let all = players.except(p3).options(|p| options("seat", p).and("card", p.hand));
        /// > all.len == 6 && p1.choose("action", all.where(|option| option.card.number == 4)).seat == p2
        callback "options" [zone zones components players options list data] (table, this, value: function) -> options;
        /// Calls the function with each; it may change the table.
        /// > players.for_each(|p| p.coins += p.number);
        /// > p3.coins == 3 && table.coins == 34
        callback "for_each" [zone zones components players options list data] (table, this, act: function) -> nothing;
        /// Moves the contents of each player's zone to the next of these players, all at the same time: hands in a draft.
        ///
        /// The function gives the zone: `players.pass_on(|p| p.hand)` passes to the left, `players.reversed.pass_on(|p| p.hand)` to the right.
        /// > players.pass_on(|p| p.hand);
        /// > p2.hand[0].number == 1 && p1.hand[0].number == 7
        callback "pass_on" [players] (table, this, zone: function) -> nothing;
        /// Asks all players at the same time: nobody knows what another chooses.
        ///
        /// The first function asks a player and gives the choice; it changes nothing, and players are asked in seat
        /// order. When all have chosen, the second is called for each player, in the order of the list, with that
        /// player's choice: `players.together(|p| p.choose("bid", p.hand), |p, card| card.move_to(p.bid))`.
        /// > players.together(|p| p.choose("bid", [p.number]), |p, bid| p.coins += bid);
        /// > p1.coins == 1 && p3.coins == 3
        callback "together" [players] (play, this, choose: function, act: function_of_two) -> nothing;
        /// Asks the player to choose one of those for which the function is true.
        ///
        /// The function gives `true`, or a text that says why not; the text is shown to anyone who asks why something
        /// is not allowed.
        /// > p1.choose("bid", 1..=5, |n| if n % 4 == 0 { true } else { `${n} is not a multiple of 4` }) == 4
        callback "choose" [player] (play, this, prompt: text as prompt, options: several, fits: function) -> value;
        /// Asks the player to choose one of the options; of the others, the function says why they are not allowed.
        ///
        /// The function gives a text. It is called only when somebody may read it, so it costs nothing in random games.
        /// An option that is in both lists is allowed.
        /// > p1.choose("bid", [5], [3, 4], |n| `${n} is too low`) == 5
        callback "choose" [player] (play, this, prompt: text as prompt, options: several, others: several as objection, why_not: function as objection) -> value;
        /// Like `choose` with a function that refuses some, but nobody else knows what was chosen.
        /// > p1.choose_secretly("bid", 1..=5, |n| if n > 4 { true } else { `${n} is too low` }) == 5
        callback "choose_secretly" [player] (play, this, prompt: text as prompt, options: several, fits: function) -> value;
        /// Like `choose` with others that are not allowed, but nobody else knows what was chosen.
        /// > p1.choose_secretly("bid", [5], [3, 4], |n| `${n} is too low`) == 5
        callback "choose_secretly" [player] (play, this, prompt: text as prompt, options: several, others: several as objection, why_not: function as objection) -> value;
    }
    } };
}

pub(crate) use vocabulary;
