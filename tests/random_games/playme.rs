//! PlayMe: where everybody's six dice are, what a row looks like, and who can win.

use crate::case::Case;
use crate::referee::{Referee, Verdict, all_in, holds, index, same, scores, seats, text};
use houserule::table::Table;
use houserule::table::decision::Question;
use houserule::table::value::{Component, Seat, Value, Zone};

pub struct PlayMe {
    seats: usize,
    ones_keep_their_face: bool,
    has_slaps: bool,
    is_challenge: bool,
    has_blocks: bool,
    claims_from: usize,
    /// The zones of each seat, looked up once: games are long.
    zones: Vec<Zones>,
    /// What the scores were at the last decision: games won in a challenge.
    scores: Vec<i64>,
}

struct Zones {
    row: Zone,
    /// Where dice lie that are not in a row: at hand, or waiting to be a block on this seat's card.
    others: Vec<Zone>,
    card: Zone,
}

impl PlayMe {
    pub fn new(case: &Case) -> PlayMe {
        PlayMe {
            seats: case.seats,
            ones_keep_their_face: case.has("queen-face"),
            has_slaps: case.has("play-me"),
            is_challenge: case.has("challenge"),
            has_blocks: !case.has("no-block"),
            claims_from: case.number("false-slap.from").unwrap_or(6) as usize,
            zones: Vec::new(),
            scores: vec![0; case.seats],
        }
    }

    fn look_up_zones(&mut self, table: &Table) -> Verdict {
        let named = |seat: Seat, id: &str| {
            table.layout().zone_named(&format!("{seat}.{id}")).ok_or_else(|| format!("{seat} has no {id}"))
        };
        for seat in seats(table) {
            let others: Result<Vec<Zone>, String> =
                ["pool", "aside", "held", "pending"].into_iter().map(|id| named(seat, id)).collect();
            self.zones.push(Zones { row: named(seat, "row")?, others: others?, card: named(seat, "char")? });
        }
        Ok(())
    }

    /// Six dice of each player's colour, and rows of 1, 2, 3 … with blocks behind them.
    fn dice_are_in_order(&self, table: &Table) -> Verdict {
        let mut dice = [0; 6];
        for (seat, zones) in seats(table).zip(&self.zones) {
            let all = zones.others.iter().flat_map(|&zone| table.zone(zone)).chain(table.zone(zones.row));
            for &die in all {
                let owner = table.owner(die).ok_or_else(|| format!("{} is nobody's", table.label(die)))?;
                let card = table.zone(self.zones[index(owner)].card).first();
                holds(card.is_some_and(|&card| is_of(table, die, card)), || {
                    format!("{} belongs to {owner}", table.label(die))
                })?;
                dice[index(owner)] += 1;
            }
            self.row_is_in_order(table, seat, table.zone(zones.row))?;
        }
        for (seat, zones) in self.zones.iter().enumerate() {
            // Before characters are picked, nobody has dice.
            same("dice of a player", dice[seat], if table.zone(zones.card).is_empty() { 0 } else { 6 })?;
        }
        Ok(())
    }

    fn row_is_in_order(&self, table: &Table, seat: Seat, row: &[Component]) -> Verdict {
        let own: Vec<Component> = row.iter().filter(|&&die| table.owner(die) == Some(seat)).copied().collect();
        let progress = progress(table, seat, row);
        let shown = || format!("the row of {seat} is {:?}", row.iter().map(|&die| table.side(die)).collect::<Vec<_>>());
        // A mad Caterpillar lays a second 1 of its own behind the first.
        let has_second_one = own.len() == 2 && own.iter().all(|&die| table.side(die) == 1);
        holds(own.len() == progress || has_second_one, shown)?;
        for (place, &die) in row.iter().enumerate().take(progress) {
            holds(table.owner(die) == Some(seat) && usize::from(table.side(die)) == place + 1, shown)?;
        }
        let blocks = &row[progress..];
        if !self.ones_keep_their_face && !has_second_one {
            holds(blocks.iter().all(|&die| usize::from(table.side(die)) > progress), shown)?;
            holds(blocks.is_sorted_by_key(|&die| table.side(die)), shown)?;
        }
        holds(self.has_blocks || blocks.is_empty() || has_second_one, shown)
    }

    /// An action uses a die at hand that shows the right number.
    fn action_is_legal(&self, table: &Table, seat: Seat, action: &Value) -> Verdict {
        let Value::Parts(parts) = action else { return Ok(()) };
        let die = |part| match parts.get(part) {
            Some(Value::Component(die)) => Some(*die),
            _ => None,
        };
        let Some(first) = die("die") else { return Ok(()) };
        let zones = &self.zones[index(seat)];
        let row = table.zone(zones.row);
        let reached = progress(table, seat, row);
        let number = usize::from(table.side(first));
        let what = || format!("{} with {number}", table.option_label(action));
        holds(table.place(first) == Some(zones.others[0]) && table.owner(first) == Some(seat), what)?;
        match (text(action, "act"), parts.get("target")) {
            (Some("advance"), _) => {
                holds(row.len() == reached && number == reached + 1, what)?;
                let second = die("die2").map(|die| usize::from(table.side(die)));
                holds(second.is_none_or(|second| second == number + 1), what)
            }
            (Some("unblock"), _) => holds(
                row.len() > reached && row.last().is_some_and(|&die| usize::from(table.side(die)) == number),
                what,
            ),
            (Some(act @ ("block" | "swap")), Some(Value::Seat(target))) => {
                let other = table.zone(self.zones[index(*target)].row);
                let is_cat_in_wonder = table
                    .zone(self.zones[index(*target)].card)
                    .iter()
                    .any(|&card| &**table.label(card) == "cheshire" && table.side(card) == 1);
                // Sealed or as a mad Jabberwock, it has no ability.
                let can_be_blocked = self.has_slaps || variable(table, "jabberwock") == index(*target) as i64 + 1;
                holds(*target != seat && (!is_cat_in_wonder || can_be_blocked), what)?;
                let shown = |number: usize| other.iter().any(|&die| usize::from(table.side(die)) == number);
                let missing = (1..=7).find(|&number| !shown(number)).unwrap_or(7);
                if act == "block" {
                    // A 1 can stand for another number where the Queen has a hand in it.
                    holds(missing <= 6 && (number == missing || number == 1), what)
                } else {
                    holds(number == progress(table, *target, other) && number == other.len(), what)
                }
            }
            _ => Err(format!("the rulebook does not know {}", what())),
        }
    }
}

impl Referee for PlayMe {
    fn decision(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) -> Verdict {
        if self.zones.is_empty() {
            self.look_up_zones(table)?;
        }
        if scores(table) != self.scores {
            holds(self.is_challenge, || "the game is won and goes on".to_owned())?;
            self.scores = scores(table);
        }
        self.dice_are_in_order(table)?;
        match (question.prompt, question.seat) {
            ("act", Some(seat)) => (0..question.options.len())
                .try_for_each(|option| self.action_is_legal(table, seat, &question.options.value(option))),
            ("claim", Some(seat)) => {
                let row = table.zone(self.zones[index(seat)].row);
                holds(progress(table, seat, row) == 6 || row.len() >= self.claims_from, || {
                    "nothing to claim".to_owned()
                })
            }
            ("stop", seat) => {
                same("who calls Stop!", seat.map_or(0, |seat| seat.number() as i64), variable(table, "jabberwock"))
            }
            ("next_to_act" | "slap", None) => same("who acts", chosen.len(), 1),
            ("pick_character" | "hold" | "drive" | "betray" | "call_aloud", Some(_)) => Ok(()),
            (other, _) => Err(format!("the rulebook does not know {other}")),
        }
    }

    fn end(&mut self, table: &Table) -> Verdict {
        self.dice_are_in_order(table)?;
        let scores = scores(table);
        let games = if self.is_challenge { 6 } else { 1 };
        let won: i64 = scores.iter().sum();
        holds((games..games * self.seats as i64).contains(&won), || format!("{games} games are won {scores:?} times"))?;
        holds(scores.iter().all(|score| (0..=games).contains(score)), || {
            format!("{games} games are won {scores:?} times")
        })?;
        let jabberwock = variable(table, "jabberwock");
        holds(!self.has_slaps || jabberwock == 0, || "the Jabberwock appeared in spite of `play-me`".to_owned())?;
        let unused = all_in(table, &["unused"], &["char"]).len();
        same("characters", unused, 6)
    }
}

/// How far a player has come: the highest of the own numbers in the row.
fn progress(table: &Table, seat: Seat, row: &[Component]) -> usize {
    row.iter()
        .filter(|&&die| table.owner(die) == Some(seat))
        .map(|&die| usize::from(table.side(die)))
        .max()
        .unwrap_or(0)
}

/// Whether a die has the colour of a character.
fn is_of(table: &Table, die: Component, card: Component) -> bool {
    table.label(die).rsplit_once('-').is_some_and(|(character, _)| *character == **table.label(card))
}

fn variable(table: &Table, id: &str) -> i64 {
    match table.layout().variable_named(id).map(|number| table.variable(number)) {
        Some(Value::Number(number)) => *number,
        _ => 0,
    }
}
