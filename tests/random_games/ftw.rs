//! FTW?!: who holds which cards, what may be done with them, and what they are worth.

use crate::random_games::case::Case;
use crate::random_games::referee::{
    Referee, Verdict, all_in, asked, chosen_components, component, holds, index, nobody_knows, offered, same, scores,
    seats, sorted_ids, text, values, zone, zone_of,
};
use houserule::table::Table;
use houserule::table::decision::Question;
use houserule::table::value::{Component, Seat};

pub struct Ftw {
    deck: i64,
    hand_size: usize,
    pass_count: usize,
    pass_to: Option<String>,
    rounds: i64,
    help_cap: Option<usize>,
    is_strict: bool,
    has_floor: bool,
    /// What the scores have to be at the next decision.
    expected: Vec<i64>,
    round: i64,
    first_starter: Option<Seat>,
    /// The hands before cards were passed on, and what everybody gives.
    before_pass: Vec<Vec<i64>>,
    given: Vec<Vec<i64>>,
    /// The card that is being boosted, and the help cards that lift it so far.
    boost: Option<(i64, Vec<i64>)>,
    caller: Option<Seat>,
    /// What has to lie open at the next decision: the pile, and the help cards of each player.
    pile: Vec<i64>,
    help: Vec<Vec<i64>>,
    /// Whose turn it is.
    player: usize,
}

impl Ftw {
    pub fn new(case: &Case) -> Ftw {
        let table = [(36, 12), (36, 12), (48, 12), (60, 12), (60, 10)];
        let (deck, hand_size) = match (case.has("full-deck"), case.seats) {
            (true, seats) => (60, 60 / seats),
            (false, seats) => table[seats - 2],
        };
        Ftw {
            deck,
            hand_size,
            pass_count: case.number("pass-count.k").unwrap_or(3) as usize,
            pass_to: case.word("pass-dir.to").map(str::to_owned),
            rounds: case.number("rounds.k").unwrap_or(case.seats as i64),
            help_cap: case.number("help-cap.k").map(|cap| cap as usize),
            is_strict: case.has("strict-boost"),
            has_floor: !case.has("no-floor"),
            expected: vec![0; case.seats],
            round: 0,
            first_starter: None,
            before_pass: Vec::new(),
            given: vec![Vec::new(); case.seats],
            boost: None,
            caller: None,
            pile: Vec::new(),
            help: vec![Vec::new(); case.seats],
            player: 0,
        }
    }

    /// Every card of the deck is somewhere, once.
    fn all_cards_are_there(&self, table: &Table) -> Verdict {
        let zones = ["deck", "pile", "gone", "unused"];
        let mut cards = numbers(table, &all_in(table, &zones, &["hand", "help"]));
        cards.sort_unstable();
        same("cards in play", cards, (1..=self.deck).collect())
    }

    /// Points were awarded, and what was played lies where it should.
    fn table_is_as_expected(&mut self, table: &Table) -> Verdict {
        if let Some((card, spent)) = self.boost.take() {
            self.pile.push(card);
            self.help[self.player].retain(|help| !spent.contains(help));
        }
        same("scores", scores(table), self.expected.clone())?;
        same("pile", numbers(table, zone(table, "pile")), self.pile.clone())?;
        seats(table).try_for_each(|seat| {
            same("help cards", numbers(table, zone_of(table, seat, "help")), self.help[index(seat)].clone())
        })
    }

    fn begin_round(&mut self, table: &Table) -> Verdict {
        self.round = table.round();
        self.given.iter_mut().for_each(Vec::clear);
        self.help.iter_mut().for_each(Vec::clear);
        self.pile.clear();
        self.boost = None;
        self.before_pass = seats(table).map(|seat| hand(table, seat)).collect();
        for hand in &self.before_pass {
            same("cards dealt", hand.len(), self.hand_size)?;
        }
        let unused = self.deck as usize - self.hand_size * self.before_pass.len();
        same("cards left out", zone(table, "unused").len(), unused)?;
        nobody_knows(table, "unused")
    }

    /// The first turn of a round: the next player starts, and the passed cards have arrived.
    fn begin_play(&mut self, table: &Table, seat: Seat) -> Verdict {
        let count = self.expected.len();
        let first = *self.first_starter.get_or_insert(seat);
        same("starter", index(seat), (index(first) + self.round as usize - 1) % count)?;
        let is_to_the_left = match self.pass_to.as_deref() {
            Some("alternate") => self.round % 2 == 0,
            other => other == Some("left"),
        };
        for (place, before) in self.before_pass.iter().enumerate() {
            let giver = if is_to_the_left { place + count - 1 } else { place + 1 } % count;
            let mut expected: Vec<i64> =
                before.iter().copied().filter(|card| !self.given[place].contains(card)).collect();
            expected.extend(&self.given[giver]);
            expected.sort_unstable();
            same("hand after passing", hand(table, Seat::from_number(place + 1).ok_or("no seat")?), expected)?;
        }
        self.before_pass.clear();
        Ok(())
    }

    /// What may be done, by the rulebook.
    fn legal(&self, table: &Table, seat: Seat) -> Vec<(&'static str, i64)> {
        let hand = hand(table, seat);
        let Some(&top) = numbers(table, zone(table, "pile")).last() else {
            return hand.into_iter().map(|card| ("lead", card)).collect();
        };
        let help = numbers(table, zone_of(table, seat, "help"));
        let sum: i64 = help.iter().sum();
        let mut legal: Vec<(&str, i64)> = Vec::new();
        legal.extend(hand.iter().filter(|&&card| card > top).map(|&card| ("play", card)));
        legal.extend(hand.iter().filter(|&&card| card < top && card + sum > top).map(|&card| ("boost", card)));
        if self.help_cap.is_none_or(|cap| help.len() < cap) || legal.is_empty() {
            legal.extend(hand.iter().filter(|&&card| card < top).map(|&card| ("help", card)));
        }
        legal.sort_unstable();
        legal
    }

    fn action(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) -> Verdict {
        let seat = asked(question)?;
        if !self.before_pass.is_empty() {
            self.begin_play(table, seat)?;
        }
        let options = values(question);
        let number = |value| component(value).map(|card| number(table, card)).unwrap_or(0);
        let mut is: Vec<(&str, i64)> =
            options.iter().map(|value| (text(value, "act").unwrap_or(""), number(value))).collect();
        is.sort_unstable();
        same("options", is, self.legal(table, seat))?;
        let (act, card) = (text(&options[chosen[0]], "act").unwrap_or(""), number(&options[chosen[0]]));
        self.player = index(seat);
        self.boost = (act == "boost").then(|| (card, Vec::new()));
        match act {
            "help" => self.help[index(seat)].push(card),
            // What is boosted comes to the pile when the help cards have been chosen.
            "boost" => {}
            _ => self.pile.push(card),
        }
        if act != "help" && hand(table, seat).len() == 2 {
            for other in seats(table) {
                let mut left = hand(table, other);
                left.retain(|&held| other != seat || held != card);
                self.expected[index(other)] += self.points(&left);
            }
        }
        Ok(())
    }

    /// The highest card counts for the player, the others against.
    fn points(&self, hand: &[i64]) -> i64 {
        let highest = hand.iter().max().copied().unwrap_or(0);
        let points = 2 * highest - hand.iter().sum::<i64>();
        if self.has_floor { points.max(0) } else { points }
    }

    /// Help cards are added one by one, and enough is enough.
    fn boost_set(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) -> Verdict {
        let (card, spent) = self.boost.as_mut().ok_or("nothing is boosted")?;
        let top = numbers(table, zone(table, "pile")).last().copied().ok_or("the pile is empty")?;
        let options = values(question);
        let is_enough = *card + spent.iter().sum::<i64>() > top;
        let offered = numbers(table, &options.iter().filter_map(component).collect::<Vec<_>>());
        same("`done` is offered", offered.len() < options.len(), is_enough)?;
        let help = numbers(table, zone_of(table, asked(question)?, "help"));
        let mut left: Vec<i64> = help.into_iter().filter(|card| !spent.contains(card)).collect();
        if self.is_strict {
            let lack = top - *card;
            let all = left.clone();
            left.retain(|&more| {
                let others = all.iter().copied().filter(|&other| other != more);
                let set: Vec<i64> = spent.iter().copied().chain([more]).collect();
                can_be_minimal(&set, others, lack)
            });
        }
        let (mut is, mut should_be) = (offered, left);
        is.sort_unstable();
        should_be.sort_unstable();
        same("help cards to add", is, should_be)?;
        spent.extend(component(&options[chosen[0]]).map(|card| number(table, card)));
        Ok(())
    }
}

impl Referee for Ftw {
    fn decision(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) -> Verdict {
        self.all_cards_are_there(table)?;
        if self.round != table.round() {
            self.begin_round(table)?;
        }
        // The last turn of a round is not over while it is asked what it is done with.
        if question.prompt != "choose_boost_set" {
            self.table_is_as_expected(table)?;
        }
        match question.prompt {
            "choose_pass" => {
                let seat = asked(question)?;
                same("cards to pass", offered(table, question)?, sorted_ids(table, zone_of(table, seat, "hand")))?;
                same("how many to pass", (question.min, question.max), (self.pass_count, self.pass_count))?;
                self.given[index(seat)] = numbers(table, &chosen_components(question, chosen));
                Ok(())
            }
            "choose_action" => self.action(table, question, chosen),
            "choose_boost_set" => self.boost_set(table, question, chosen),
            "choose_take" => {
                self.pile.clear();
                same("cards to take", offered(table, question)?, sorted_ids(table, zone(table, "pile")))
            }
            "call_two" => {
                self.caller = question.seat;
                same("cards of who has to call", hand(table, asked(question)?).len(), 2)
            }
            "challenge_two" => {
                let caller = self.caller.ok_or("nobody had to call")?;
                holds(question.seat != Some(caller), || "a player challenges himself".to_owned())?;
                // The first of the options is yes.
                self.expected[index(caller)] -= if chosen == [0] { 5 } else { 0 };
                Ok(())
            }
            other => Err(format!("the rulebook does not know {other}")),
        }
    }

    fn end(&mut self, table: &Table) -> Verdict {
        self.all_cards_are_there(table)?;
        same("rounds", table.round(), self.rounds)?;
        let down_to_one = seats(table).filter(|&seat| hand(table, seat).len() == 1).count();
        same("players with one card", down_to_one, 1)?;
        self.table_is_as_expected(table)
    }
}

/// Whether a set of help cards, alone or with some of the others, is more than what a card lacks, and no longer so
/// without any one of them. All sets are tried but those that cannot become minimal by adding cards.
fn can_be_minimal(set: &[i64], others: impl Iterator<Item = i64>, lack: i64) -> bool {
    let lowest = set.iter().min().copied().unwrap_or(i64::MAX);
    let mut sets = vec![(set.iter().sum::<i64>() - lack, lowest)];
    for other in others {
        let larger: Vec<(i64, i64)> = sets.iter().map(|(spare, lowest)| (spare + other, other.min(*lowest))).collect();
        sets.extend(larger);
        sets.retain(|(spare, lowest)| spare <= lowest);
    }
    sets.iter().any(|(spare, lowest)| (1..=*lowest).contains(spare))
}

fn number(table: &Table, card: Component) -> i64 {
    table.label(card).parse().unwrap_or(0)
}

fn numbers(table: &Table, cards: &[Component]) -> Vec<i64> {
    cards.iter().map(|&card| number(table, card)).collect()
}

fn hand(table: &Table, seat: Seat) -> Vec<i64> {
    let mut hand = numbers(table, zone_of(table, seat, "hand"));
    hand.sort_unstable();
    hand
}
