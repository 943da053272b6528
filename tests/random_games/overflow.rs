//! Overflow: 84 cards and four limits, a box that is remembered here better than by any player, and what a call costs.

use crate::random_games::case::Case;
use crate::random_games::referee::{
    Referee, Verdict, all_in, asked, component, holds, index, nobody_knows, offered, same, scores, seats, sorted_ids,
    suit_and_rank, text, values, zone, zone_of,
};
use houserule::table::Table;
use houserule::table::decision::Question;
use houserule::table::value::{Component, Seat, Value};

const COLORS: [&str; 4] = ["red", "blue", "yellow", "green"];

pub struct Overflow {
    penalty: i64,
    end: i64,
    is_to_the_right: bool,
    has_bonus: bool,
    bonus_is_optional: bool,
    is_strict: bool,
    wilds_are_called: bool,
    round: i64,
    /// What was inserted in this round: by whom, which card, and as which colour.
    inserted: Vec<(Seat, Component, String)>,
    /// What has to lie lowest in the stock at the next decision, in any order.
    under_stock: Vec<Component>,
    /// What the scores have to be at the next decision.
    expected: Vec<i64>,
    /// Whose turn comes next, where that is known.
    next: Option<Seat>,
    /// Whether the bonus was taken this turn, so that a card of the new hand has to be inserted.
    has_taken_bonus: bool,
}

impl Overflow {
    pub fn new(case: &Case) -> Overflow {
        Overflow {
            penalty: case.number("penalty.k").unwrap_or(3),
            end: case.number("end.k").unwrap_or(-8),
            is_to_the_right: case.word("direction.to") == Some("right"),
            has_bonus: !case.has("bonus-off"),
            bonus_is_optional: case.has("bonus-optional"),
            is_strict: case.has("strict-bonus"),
            wilds_are_called: case.has("wild-any"),
            round: 0,
            inserted: Vec::new(),
            under_stock: Vec::new(),
            expected: vec![0; case.seats],
            next: None,
            has_taken_bonus: false,
        }
    }

    fn table_is_complete(&self, table: &Table) -> Verdict {
        same("player cards", all_in(table, &["stock", "box"], &["hand", "secret"]).len(), 84)?;
        nobody_knows(table, "stock")?;
        let mut unlimited = 0;
        for color in COLORS {
            let shown = zone(table, &format!("limit_{color}"));
            same("limits shown of a colour", shown.len(), 1)?;
            let below = zone(table, &format!("limit_deck_{color}"));
            same("limits below", below.len(), 4)?;
            for &card in shown.iter().chain(below) {
                let is_of_color = table.label(card).starts_with(&format!("limit-{color}-"));
                holds(is_of_color, || format!("{} is in the deck of {color}", table.label(card)))?;
            }
            unlimited += usize::from(limit_shown(table, color).is_none());
        }
        holds(unlimited <= 2, || format!("{unlimited} colours have no limit"))
    }

    /// Turns go round; who lost the last judgement begins.
    fn turn(&mut self, table: &Table, seat: Seat) -> Verdict {
        same("whose turn it is", seat, self.next.unwrap_or(seat))?;
        self.next = Some(seat);
        same("cards in the box", zone(table, "box").len(), self.inserted.len())
    }

    /// A colour for four cards, of which each wild takes any.
    fn bonus_is_due(&self, table: &Table, hand: &[Component]) -> bool {
        let colors: Vec<String> = hand.iter().map(|&card| suit_and_rank(table, card).0).collect();
        let mut plain: Vec<&String> = colors.iter().filter(|color| *color != "wild").collect();
        let has_wild = plain.len() < colors.len();
        plain.sort();
        plain.dedup();
        self.has_bonus && hand.len() == 4 && plain.len() <= 1 && !(self.is_strict && has_wild)
    }

    fn act(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) -> Verdict {
        let seat = asked(question)?;
        let hand = zone_of(table, seat, "hand");
        if !self.has_taken_bonus {
            self.turn(table, seat)?;
        }
        let options = values(question);
        let bonus = !self.has_taken_bonus && self.bonus_is_due(table, hand);
        same("a bonus is offered", options.iter().any(is_bonus), bonus)?;
        let cards: Vec<Component> = options.iter().filter_map(component).collect();
        // The bonus stands in place of the cards, unless it is optional.
        let may = if bonus && !self.bonus_is_optional { &[] } else { hand };
        same("cards to insert", sorted_ids(table, &cards), sorted_ids(table, may))?;
        let mut called: Vec<Seat> = options.iter().filter_map(target).collect();
        called.sort_by_key(|seat| seat.number());
        let latest = |seat: Seat| self.inserted.iter().rposition(|(inserter, ..)| *inserter == seat);
        let may_call = |other: &Seat| *other != seat && !self.has_taken_bonus && latest(*other) > latest(seat);
        same("who can be called", called, seats(table).filter(may_call).collect())?;
        self.has_taken_bonus = is_bonus(&options[chosen[0]]);
        if self.has_taken_bonus {
            self.expected[index(seat)] += 2;
            self.under_stock = hand.to_vec();
            return Ok(());
        }
        match target(&options[chosen[0]]) {
            Some(called) => self.judge(table, seat, called),
            None => {
                let card = component(&options[chosen[0]]).ok_or("nothing is inserted")?;
                self.inserted.push((seat, card, suit_and_rank(table, card).0));
                self.next = Some(self.after(table, seat));
                Ok(())
            }
        }
    }

    fn after(&self, table: &Table, seat: Seat) -> Seat {
        let count = table.layout().seats;
        let step = if self.is_to_the_right { count - 1 } else { 1 };
        seats(table).nth((index(seat) + step) % count).unwrap_or(seat)
    }

    /// The latest card of the player pointed at is counted; the rest of the round follows from it.
    fn judge(&mut self, table: &Table, caller: Seat, called: Seat) -> Verdict {
        let latest =
            self.inserted.iter().rposition(|(inserter, ..)| *inserter == called).ok_or("nothing was inserted")?;
        let color = &self.inserted[latest].2;
        let count = self.inserted[..=latest].iter().filter(|(.., other)| other == color).count() as i64;
        let raised = seats(table).flat_map(|seat| zone_of(table, seat, "secret")).filter(|&&secret| {
            let secret = suit_and_rank(table, secret).0;
            secret == *color || secret == "wild"
        });
        let limit = if color == "wild" { None } else { limit_shown(table, color) };
        let is_over = limit.is_some_and(|limit| count > limit + raised.count() as i64);
        let loser = if is_over { called } else { caller };
        self.expected[index(loser)] -= self.penalty;
        self.next = Some(loser);
        self.under_stock = self.inserted.drain(..).map(|(_, card, _)| card).collect();
        Ok(())
    }
}

impl Referee for Overflow {
    fn decision(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) -> Verdict {
        self.table_is_complete(table)?;
        same("scores", scores(table), self.expected.clone())?;
        holds(scores(table).iter().all(|&score| score > self.end), || "the game should be over".to_owned())?;
        // A stock that is too small is drawn from down to what has just been put there.
        let put_under = std::mem::take(&mut self.under_stock);
        if let Some(lowest) = zone(table, "stock").get(..put_under.len()) {
            same("lowest cards of the stock", sorted_ids(table, lowest), sorted_ids(table, &put_under))?;
        }
        let seat = asked(question)?;
        let hand = zone_of(table, seat, "hand");
        if self.round != table.round() {
            self.round = table.round();
            same("cards in the box", zone(table, "box").len(), 0)?;
            for p in seats(table) {
                same("cards in a hand", zone_of(table, p, "hand").len(), 5)?;
            }
        }
        match question.prompt {
            "choose_secret" => same("secret cards", offered(table, question)?, sorted_ids(table, hand)),
            "act" => self.act(table, question, chosen),
            "call_color" => {
                holds(self.wilds_are_called, || "wilds are not called".to_owned())?;
                let last = self.inserted.last_mut().ok_or("nothing was inserted")?;
                same("inserted", last.2.as_str(), "wild")?;
                last.2 = chosen_text(question, chosen);
                Ok(())
            }
            other => Err(format!("the rulebook does not know {other}")),
        }
    }

    fn end(&mut self, table: &Table) -> Verdict {
        self.table_is_complete(table)?;
        same("scores", scores(table), self.expected.clone())?;
        same("players at the end", scores(table).iter().filter(|&&score| score <= self.end).count(), 1)
    }
}

/// The number on the shown limit of a colour; none for the reverse, which is no limit at all.
fn limit_shown(table: &Table, color: &str) -> Option<i64> {
    let shown = zone(table, &format!("limit_{color}")).last()?;
    table.label(*shown).rsplit('-').next()?.parse().ok()
}

/// Whether an option is the bonus, which comes before an insertion.
fn is_bonus(value: &Value) -> bool {
    text(value, "act") == Some("bonus")
}

/// Whom a call points at.
fn target(value: &Value) -> Option<Seat> {
    let Value::Parts(parts) = value else { return None };
    match (text(value, "act"), parts.get("seat")) {
        (Some("overflow"), Some(Value::Seat(seat))) => Some(*seat),
        _ => None,
    }
}

fn chosen_text(question: &Question<'_>, chosen: &[usize]) -> String {
    match question.options.value(chosen[0]) {
        Value::Text(text) => text.to_string(),
        _ => String::new(),
    }
}
