//! PlayMe, played along from the rulebook: after each choice the referee knows which rows there have to be, what may be
//! chosen next, and whose the game is.

use crate::random_games::case::Case;
use crate::random_games::referee::{Referee, Verdict, all_in, asked, holds, index, same, scores, seats, text, values};
use houserule::table::Table;
use houserule::table::decision::Question;
use houserule::table::value::{Component, Seat, Value, Zone};
use std::collections::VecDeque;

/// The characters in the order of the rulebook.
const CHARACTERS: [&str; 6] = ["alice", "queen", "cheshire", "hatter", "caterpillar", "walrus"];

/// All dice of a player, and the numbers that a row needs.
const DICE: usize = 6;

/// After so many goes of each player a game is late.
const GOES_UNTIL_LATE: usize = 1000;

/// More players than the fewest, and variants, with which a game comes to the Jabberwock and often to the last wins.
pub const LATE: [(usize, &[&str]); 7] = [
    (0, &[]),
    (0, &["mad-jabberwock"]),
    (1, &["no-block"]),
    (2, &["no-block", "no-last-betrayal"]),
    (2, &["no-block", "mad-jabberwock"]),
    (1, &["no-block", "mad-jabberwock", "play-me"]),
    (3, &["no-block", "mad-jabberwock", "play-me", "no-last-betrayal"]),
];

/// What the variants of a case change.
struct Rules {
    is_turn_based: bool,
    is_challenge: bool,
    has_mad_jabberwock: bool,
    has_blocks: bool,
    has_last_betrayal: bool,
    ones_keep_their_face: bool,
    needs_voice: bool,
    slaps: bool,
    slaps_first: bool,
    /// How many dice tempt a player to claim falsely.
    false_claims_from: Option<usize>,
    /// After how many milliseconds a round is void, and how often.
    timeout: Option<(i64, usize)>,
}

/// The zones of each seat, looked up once: games are long.
struct Zones {
    row: Zone,
    pool: Zone,
    pending: Zone,
    /// Where else dice lie that are not in a row.
    others: [Zone; 2],
    card: Zone,
}

/// What a player has in one game.
#[derive(Clone, Default)]
struct Player {
    character: &'static str,
    is_mad: bool,
    is_sealed: bool,
    catches: i64,
    /// The dice on the card, each with the number that it is or stands for.
    row: Vec<(Component, usize)>,
    /// How far the player has come this round.
    furthest: usize,
    has_claimed_falsely: bool,
}

/// What the rulebook says comes next.
enum Step {
    /// Somebody is asked this.
    Ask(&'static str, usize),
    Advance(usize, Component),
    Block(Component, usize),
    Swap(Component, usize),
    Unblock(usize),
    Stop,
    Wins(usize),
    GoesMad(usize),
    /// The survivors' wins are counted, once nobody can betray any more.
    JudgeSurvivors,
    BeginRound,
}

pub struct PlayMe {
    rules: Rules,
    zones: Vec<Zones>,
    players: Vec<Player>,
    /// Games that have begun, and who has won how many.
    games: usize,
    /// Goes of this game that are over, and whether one is going on.
    goes: usize,
    is_within_go: bool,
    /// Whether nobody has had a go in this round.
    is_new_round: bool,
    won: Vec<i64>,
    is_over: bool,
    jabberwock: Option<usize>,
    survivor_wins: usize,
    /// Players in the order of their first catches.
    catchers: Vec<usize>,
    /// Dice that wait on the mad Jabberwock's card.
    pending: Vec<Component>,
    /// Those who have not slapped the tile yet.
    slapping: Vec<usize>,
    next: VecDeque<Step>,
    /// What was chosen and has yet to be called aloud, and the die that it takes.
    uncalled: Vec<Step>,
    used: Option<Component>,
    /// The dice of which Alice can keep one.
    keepable: Vec<Component>,
    /// When the last go or slap was, and when the round began.
    clock: i64,
    began: i64,
    replays: usize,
}

impl PlayMe {
    pub fn new(case: &Case) -> PlayMe {
        let setting = |name: &str| case.number(name);
        let seconds = setting("round-timeout.seconds");
        let rules = Rules {
            is_turn_based: case.has("turn-based"),
            is_challenge: case.has("challenge"),
            has_mad_jabberwock: case.has("mad-jabberwock"),
            has_blocks: !case.has("no-block"),
            has_last_betrayal: !case.has("no-last-betrayal"),
            ones_keep_their_face: case.has("queen-face"),
            needs_voice: case.has("voice"),
            slaps: case.has("play-me"),
            slaps_first: case.truth("play-me.slap_first").unwrap_or(false),
            false_claims_from: setting("false-slap.from").map(|from| from as usize),
            timeout: seconds.map(|seconds| (seconds * 1000, setting("round-timeout.replays").unwrap_or(0) as usize)),
        };
        PlayMe {
            rules,
            zones: Vec::new(),
            players: vec![Player::default(); case.seats],
            games: 0,
            goes: 0,
            is_within_go: false,
            is_new_round: true,
            won: vec![0; case.seats],
            is_over: true,
            jabberwock: None,
            survivor_wins: 0,
            catchers: Vec::new(),
            pending: Vec::new(),
            slapping: Vec::new(),
            next: VecDeque::new(),
            uncalled: Vec::new(),
            used: None,
            keepable: Vec::new(),
            clock: 0,
            began: 0,
            replays: 0,
        }
    }

    fn look_up_zones(&mut self, table: &Table) -> Verdict {
        for seat in seats(table) {
            let named = |id: &str| {
                table.layout().zone_named(&format!("{seat}.{id}")).ok_or_else(|| format!("{seat} has no {id}"))
            };
            self.zones.push(Zones {
                row: named("row")?,
                pool: named("pool")?,
                pending: named("pending")?,
                others: [named("aside")?, named("held")?],
                card: named("char")?,
            });
        }
        Ok(())
    }

    /// Everybody has a character and sits in wonder.
    fn begin_game(&mut self, table: &Table) -> Verdict {
        for (seat, zones) in self.zones.iter().enumerate() {
            let [card] = table.zone(zones.card) else { return Err(format!("p{} has no character", seat + 1)) };
            let character = CHARACTERS.into_iter().find(|known| *known == &**table.label(*card)).unwrap_or_default();
            if self.rules.is_challenge {
                same("character", character, CHARACTERS[(seat + self.games) % CHARACTERS.len()])?;
            }
            self.players[seat] = Player { character, ..Player::default() };
        }
        self.games += 1;
        self.goes = 0;
        self.is_within_go = false;
        self.is_over = false;
        self.jabberwock = None;
        self.survivor_wins = 0;
        self.catchers.clear();
        self.next.push_back(Step::BeginRound);
        Ok(())
    }

    // What holds at any time

    /// Six dice of each player's colour, and what is known of the players.
    fn is_sound(&self, table: &Table) -> Verdict {
        let mut dice = vec![0; self.zones.len()];
        for (seat, zones) in self.zones.iter().enumerate() {
            let zones = [zones.row, zones.pool, zones.pending, zones.others[0], zones.others[1]];
            for &die in zones.iter().flat_map(|&zone| table.zone(zone)) {
                let owner = table.owner(die).ok_or_else(|| format!("{} is nobody's", table.label(die)))?;
                let character = self.players[index(owner)].character;
                holds(table.label(die).starts_with(character), || {
                    format!("{} lies before p{} and belongs to {owner}", table.label(die), seat + 1)
                })?;
                dice[index(owner)] += 1;
            }
        }
        same("dice of the players", dice, vec![DICE; self.zones.len()])?;
        for (seat, player) in self.players.iter().enumerate() {
            let of = |id: &str| variable(table, &format!("p{}.{id}", seat + 1));
            let side = table.zone(self.zones[seat].card).first().map_or(0, |&card| table.side(card));
            same("side of a character", side == 2, player.is_mad)?;
            same("catches", of("catches"), Some(&Value::Number(player.catches)))?;
            same("sealed", of("sealed"), Some(&Value::Truth(player.is_sealed)))?;
        }
        let jabberwock =
            self.jabberwock.and_then(|seat| Seat::from_number(seat + 1)).map_or(Value::Nobody, Value::Seat);
        same("Jabberwock", variable(table, "jabberwock"), Some(&jabberwock))?;
        same("scores", scores(table), self.won.clone())
    }

    /// The rows are as the choices have made them. Where many actions come at once, they are taken as they are.
    fn rows_are_as_expected(&mut self, table: &Table) -> Verdict {
        if self.rules.is_turn_based {
            let goes = variable(table, "goes")
                .and_then(|goes| if let Value::Number(goes) = goes { Some(*goes) } else { None });
            self.goes = goes.and_then(|goes| usize::try_from(goes).ok()).unwrap_or(0);
            for (player, zones) in self.players.iter_mut().zip(&self.zones) {
                let row = table.zone(zones.row).iter();
                player.row = row.map(|&die| (die, usize::from(table.side(die)))).collect();
            }
            return Ok(());
        }
        for (seat, (player, zones)) in self.players.iter().zip(&self.zones).enumerate() {
            let dice: Vec<Component> = player.row.iter().map(|(die, _)| *die).collect();
            same(&format!("the row of p{}", seat + 1), table.zone(zones.row), &dice[..])?;
            for &(die, number) in &player.row {
                let face = usize::from(table.side(die));
                let is_queens_one = self.rules.ones_keep_their_face && face == 1 && owner(table, die) != seat;
                holds(face == number || is_queens_one, || {
                    format!("{} shows {face} and stands for {number}", table.label(die))
                })?;
            }
            let pending: &[Component] = if self.jabberwock == Some(seat) { &self.pending } else { &[] };
            same("dice that wait", table.zone(zones.pending), pending)?;
        }
        Ok(())
    }

    // Reading rows

    fn plays(&self, seat: usize, character: &str, is_mad: bool) -> bool {
        let player = &self.players[seat];
        let is_powerless = self.rules.has_mad_jabberwock && self.jabberwock == Some(seat);
        player.character == character && player.is_mad == is_mad && !player.is_sealed && !is_powerless
    }

    fn progress(&self, table: &Table, seat: usize) -> usize {
        let own = self.players[seat].row.iter().filter(|(die, _)| owner(table, *die) == seat);
        own.map(|(_, number)| *number).max().unwrap_or(0)
    }

    fn is_blocked(&self, table: &Table, seat: usize) -> bool {
        self.players[seat].row.len() > self.progress(table, seat)
    }

    fn is_complete(&self, table: &Table, seat: usize) -> bool {
        self.progress(table, seat) == DICE
    }

    /// The lowest number that does not show; 7 where all do.
    fn missing(&self, seat: usize) -> usize {
        let shows = |number: usize| self.players[seat].row.iter().any(|(_, shown)| *shown == number);
        (1..=DICE).find(|&number| !shows(number)).unwrap_or(DICE + 1)
    }

    /// Whether a player has a die to roll, or a complete row.
    fn can_act(&self, table: &Table, seat: usize) -> bool {
        let in_rows = self.players.iter().flat_map(|player| &player.row).map(|(die, _)| *die);
        let away = in_rows.chain(self.pending.iter().copied()).filter(|&die| owner(table, die) == seat).count();
        let aside = self.plays(seat, "hatter", true) && self.players[seat].furthest < 4;
        DICE - away > usize::from(aside) || self.is_complete(table, seat)
    }

    fn may_claim(&self, table: &Table, seat: usize) -> bool {
        let player = &self.players[seat];
        let is_tempted = |from: usize| !player.has_claimed_falsely && player.row.len() >= from;
        self.is_complete(table, seat) || self.rules.false_claims_from.is_some_and(is_tempted)
    }

    /// Whether everybody has to hurry.
    fn is_late(&self) -> bool {
        self.goes >= self.late_from()
    }

    fn late_from(&self) -> usize {
        GOES_UNTIL_LATE * self.players.len()
    }

    fn survivors(&self) -> Vec<usize> {
        (0..self.players.len()).filter(|&seat| self.jabberwock != Some(seat)).collect()
    }

    fn sane_survivors(&self) -> Vec<usize> {
        self.survivors().into_iter().filter(|&seat| !self.players[seat].is_mad).collect()
    }

    // Actions

    /// Every action that a player can choose now: its name, its dice, and whom it is done to.
    fn actions(&self, table: &Table, seat: usize) -> Vec<Action> {
        let pool = table.zone(self.zones[seat].pool);
        let showing = |number: usize| pool.iter().copied().filter(move |&die| usize::from(table.side(die)) == number);
        let progress = self.progress(table, seat);
        let is_blocked = self.is_blocked(table, seat);
        let is_late = self.is_late();
        let mut actions = Vec::new();
        if !is_blocked && !self.has_to_wait(seat, progress) {
            for die in showing(progress + 1) {
                actions.push(Action { die: Some(die), ..Action::named("advance") });
                if self.plays(seat, "hatter", false) {
                    let second = |die2| Action { die: Some(die), die2: Some(die2), ..Action::named("advance") };
                    actions.extend(showing(progress + 2).map(second));
                }
            }
        }
        for target in (0..self.players.len()).filter(|&target| target != seat && self.rules.has_blocks && !is_late) {
            let number = self.missing(target);
            if self.can_block(table, seat, target) && number <= DICE {
                let any = self.plays(seat, "queen", false) || self.plays(target, "queen", true);
                let ones = showing(1).filter(|_| any && number > 1);
                let with = |die| Action { die: Some(die), target: Some(target), ..Action::named("block") };
                actions.extend(showing(number).chain(ones).map(with));
            }
            let last = self.progress(table, target);
            let is_free = last > 0 && !self.is_blocked(table, target) && !self.plays(target, "cheshire", false);
            let may_swap = self.rules.has_mad_jabberwock && self.jabberwock.is_some();
            if self.plays(seat, "walrus", false) && is_free && !may_swap {
                let with = |die| Action { die: Some(die), target: Some(target), ..Action::named("swap") };
                actions.extend(showing(last).map(with));
            }
        }
        if let (true, Some(&(block, _))) = (is_blocked, self.players[seat].row.last()) {
            let number = usize::from(table.side(block));
            actions.extend(showing(number).map(|die| Action { die: Some(die), ..Action::named("unblock") }));
        }
        if !is_late || actions.is_empty() {
            actions.push(Action::named("none"));
        }
        actions.sort();
        actions
    }

    fn has_to_wait(&self, seat: usize, progress: usize) -> bool {
        let was_there = |(other, player): (usize, &Player)| other != seat && player.furthest >= 5;
        self.plays(seat, "alice", true) && progress == 4 && !self.players.iter().enumerate().any(was_there)
    }

    fn can_block(&self, table: &Table, seat: usize, target: usize) -> bool {
        if let (true, Some(jabberwock)) = (self.rules.has_mad_jabberwock, self.jabberwock)
            && seat != jabberwock
            && (target != jabberwock || self.pending.iter().any(|&die| owner(table, die) == seat))
        {
            return false;
        }
        if self.plays(target, "cheshire", true) {
            return !self.players[target].row.iter().any(|(die, _)| owner(table, *die) == seat);
        }
        !self.plays(target, "cheshire", false) && !self.is_blocked(table, target)
    }

    /// What was asked of a player who is to act is all that the rulebook allows.
    fn check_actions(&self, table: &Table, seat: usize, options: &[Value]) -> Verdict {
        let mut offered: Vec<Action> = options.iter().map(Action::read).collect::<Result<_, _>>()?;
        offered.sort();
        let mut allowed = self.actions(table, seat);
        if self.rules.is_turn_based {
            // How far players have come, and what a 1 stands for, is not seen where many actions come at once.
            if self.rules.ones_keep_their_face || self.is_late() && self.plays(seat, "alice", true) {
                return Ok(());
            }
            if self.plays(seat, "alice", true) {
                allowed.retain(|action| offered.contains(action));
            }
            offered.retain(|action| {
                action.act != "advance" || !self.plays(seat, "alice", true) || allowed.contains(action)
            });
        }
        let named = |actions: &[Action]| actions.iter().map(|action| action.label(table)).collect::<Vec<_>>();
        same("actions", named(&offered), named(&allowed))
    }

    // What comes of choices

    /// Carries out what needs no answer, until somebody is asked or the next go comes.
    fn carry_on(&mut self, table: &Table) -> Verdict {
        while let Some(step) = self.next.pop_front() {
            match step {
                Step::Ask(..) => {
                    self.next.push_front(step);
                    return Ok(());
                }
                Step::Advance(seat, die) => self.advance(table, seat, die),
                Step::Block(die, target) => self.block(table, die, target),
                Step::Swap(die, target) => {
                    let last = self.progress(table, target);
                    let row = &mut self.players[target].row;
                    row.pop();
                    row.push((die, last));
                }
                Step::Unblock(seat) if self.has_common_blocks(seat) => self.lift_blocks(table, seat),
                Step::Unblock(seat) => drop(self.players[seat].row.pop()),
                Step::Stop => self.survivors().into_iter().try_for_each(|seat| self.start(table, seat))?,
                Step::Wins(seat) => self.wins(seat),
                Step::GoesMad(seat) => self.go_mad(seat),
                Step::JudgeSurvivors => self.judge_survivors(),
                Step::BeginRound => {
                    self.is_new_round = true;
                    self.pending.clear();
                    self.began = self.clock;
                    self.replays = 0;
                    self.start_all(table)?;
                }
            }
        }
        Ok(())
    }

    fn start_all(&mut self, table: &Table) -> Verdict {
        for seat in 0..self.players.len() {
            self.players[seat].has_claimed_falsely = false;
            self.start(table, seat)?;
        }
        Ok(())
    }

    /// A player's card is empty, but for a Caterpillar's first dice.
    fn start(&mut self, table: &Table, seat: usize) -> Verdict {
        let ones = if self.plays(seat, "caterpillar", false) {
            1
        } else if self.plays(seat, "caterpillar", true) {
            2
        } else {
            0
        };
        let row = table.zone(self.zones[seat].row);
        // In ticks others have acted since.
        let is_start = row.len() == ones && row.iter().all(|&die| owner(table, die) == seat && table.side(die) == 1);
        holds(is_start || self.rules.is_turn_based, || format!("p{} does not start with {ones} dice", seat + 1))?;
        self.players[seat].row = row.iter().map(|&die| (die, 1)).collect();
        self.players[seat].furthest = ones.min(1);
        Ok(())
    }

    fn advance(&mut self, table: &Table, seat: usize, die: Component) {
        if self.has_common_blocks(seat) {
            self.pending.clear();
        }
        let reached = self.progress(table, seat) + 1;
        let player = &mut self.players[seat];
        player.row.push((die, reached));
        let is_first_time = reached > player.furthest;
        player.furthest = player.furthest.max(reached);
        if reached == 2 && is_first_time && self.plays(seat, "walrus", true) {
            self.call_back(table, seat);
        }
        if reached == 3 && self.jabberwock == Some(seat) {
            self.next.push_front(Step::Ask("stop", seat));
        }
    }

    /// All dice of the mad Walrus come home, and with them the common block that one of them is part of.
    fn call_back(&mut self, table: &Table, seat: usize) {
        for target in 0..self.players.len() {
            if self.has_common_blocks(target)
                && self.players[target].row.iter().any(|(die, _)| owner(table, *die) == seat)
            {
                self.lift_blocks(table, target);
            }
            self.players[target].row.retain(|(die, _)| owner(table, *die) != seat);
        }
        self.pending.retain(|&die| owner(table, die) != seat);
    }

    fn block(&mut self, table: &Table, die: Component, target: usize) {
        let number = self.missing(target);
        if !self.has_common_blocks(target) {
            let row = &mut self.players[target].row;
            let place = row.iter().filter(|(_, shown)| *shown <= number).count();
            row.insert(place, (die, number));
            return;
        }
        self.pending.push(die);
        if self.pending.len() == self.survivors().len() {
            // A die that shows the number lies on the right, so that it has to be cleared with that number.
            self.pending.sort_by_key(|&die| table.side(die));
            let group = self.pending.drain(..).map(|die| (die, number));
            self.players[target].row.extend(group);
        }
    }

    /// Whether all survivors together block this player.
    fn has_common_blocks(&self, seat: usize) -> bool {
        self.rules.has_mad_jabberwock && self.jabberwock == Some(seat)
    }

    fn lift_blocks(&mut self, table: &Table, seat: usize) {
        let own = self.progress(table, seat);
        self.players[seat].row.truncate(own);
    }

    fn go_mad(&mut self, seat: usize) {
        self.players[seat].is_mad = true;
        self.players[seat].is_sealed = false;
        if self.jabberwock.is_some() && self.sane_survivors().is_empty() {
            self.end_game(&[self.jabberwock.unwrap_or(0)]);
        }
    }

    fn end_game(&mut self, winners: &[usize]) {
        winners.iter().for_each(|&seat| self.won[seat] += 1);
        self.is_over = true;
        self.next.clear();
    }

    /// Somebody has won a round.
    fn wins(&mut self, seat: usize) {
        self.next.push_back(Step::BeginRound);
        match self.jabberwock {
            None => self.catches_rabbit(seat),
            Some(jabberwock) if jabberwock == seat => self.next.push_front(Step::Ask("drive", seat)),
            Some(_) => {
                self.survivor_wins += 1;
                self.next.push_front(Step::JudgeSurvivors);
                let is_last = self.survivor_wins >= self.wins_needed() && !self.rules.has_last_betrayal;
                if !self.players[seat].is_mad && self.sane_survivors().len() > 1 && !is_last {
                    self.next.push_front(Step::Ask("betray", seat));
                }
            }
        }
    }

    fn catches_rabbit(&mut self, seat: usize) {
        if !self.catchers.contains(&seat) {
            self.catchers.push(seat);
        }
        self.players[seat].catches += 1;
        if self.players[seat].catches == 2 {
            self.end_game(&[seat]);
            return;
        }
        self.go_mad(seat);
        let all_are_mad = self.players.iter().all(|player| player.is_mad);
        if self.rules.slaps && (self.rules.slaps_first || !all_are_mad) {
            self.slapping = (0..self.players.len()).filter(|&other| other != seat).collect();
            self.slap();
        } else if all_are_mad {
            self.jabberwock = Some(seat);
            self.players.iter_mut().for_each(|player| player.is_mad = false);
        }
    }

    /// The last one starts again; before that somebody is the next to slap.
    fn slap(&mut self) {
        match self.slapping[..] {
            [last] => {
                let last = &mut self.players[last];
                (last.is_mad, last.is_sealed, last.catches) = (false, true, 0);
            }
            _ => self.next.push_front(Step::Ask("slap", 0)),
        }
    }

    fn wins_needed(&self) -> usize {
        if self.rules.has_mad_jabberwock { 2 } else { self.players.len() }
    }

    fn judge_survivors(&mut self) {
        if self.survivor_wins < self.wins_needed() {
            return;
        }
        let first = self.catchers.iter().copied().find(|&seat| self.jabberwock != Some(seat));
        let winners = if self.rules.has_mad_jabberwock { first.into_iter().collect() } else { self.sane_survivors() };
        self.end_game(&winners);
    }

    fn lift_all_blocks(&mut self, table: &Table) {
        (0..self.players.len()).for_each(|seat| self.lift_blocks(table, seat));
        self.pending.clear();
    }

    /// Before a go: all blocks go home as it gets late, a round that has taken too long begins anew, and where nobody
    /// can act, all blocks go home.
    fn before_a_go(&mut self, table: &Table) -> Verdict {
        if std::mem::take(&mut self.is_within_go) {
            self.goes += 1;
            if self.goes == self.late_from() && !self.is_new_round {
                self.lift_all_blocks(table);
            }
        }
        if let Some((limit, replays)) = self.rules.timeout
            && self.replays < replays
            && self.clock - self.began >= limit
        {
            self.replays += 1;
            self.began = self.clock;
            self.pending.clear();
            self.start_all(table)?;
        }
        if !(0..self.players.len()).any(|seat| self.can_act(table, seat)) {
            self.lift_all_blocks(table);
        }
        Ok(())
    }

    /// Follows an answer: what comes next is known from it.
    fn follow(&mut self, table: &Table, question: &Question<'_>, chosen: &Value) -> Verdict {
        let seat = question.seat.map_or(0, index);
        let target = match chosen {
            Value::Seat(seat) => Some(index(*seat)),
            Value::Parts(parts) => match parts.get("seat") {
                Some(Value::Seat(seat)) => Some(index(*seat)),
                _ => None,
            },
            _ => None,
        };
        let says_yes = *chosen == Value::Truth(true);
        if question.prompt == "next_to_act" {
            self.is_within_go = true;
            self.is_new_round = false;
        }
        match (question.prompt, target) {
            ("next_to_act", Some(seat)) if self.may_claim(table, seat) => self.next.push_back(Step::Ask("claim", seat)),
            ("next_to_act", Some(seat)) => self.next.push_back(Step::Ask("act", seat)),
            ("slap", Some(seat)) => {
                self.slapping.retain(|&other| other != seat);
                self.slap();
            }
            ("drive" | "betray", Some(target)) => self.next.push_front(Step::GoesMad(target)),
            ("stop", _) if says_yes => self.next.push_front(Step::Stop),
            ("claim", _) if says_yes && self.is_complete(table, seat) => self.next.push_back(Step::Wins(seat)),
            ("claim", _) if says_yes => self.claims_falsely(table, seat),
            ("claim", _) if !self.rules.is_turn_based => self.next.push_back(Step::Ask("act", seat)),
            ("act", _) if !self.rules.is_turn_based => self.acts(table, seat, &Action::read(chosen)?),
            ("call_aloud", _) if says_yes => {
                self.keepable.retain(|&die| Some(die) != self.used);
                for step in self.uncalled.drain(..).rev() {
                    self.next.push_front(step);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn claims_falsely(&mut self, table: &Table, seat: usize) {
        self.players[seat].has_claimed_falsely = true;
        let progress = self.progress(table, seat);
        if progress > 0 {
            // Of a mad Caterpillar's two 1s, either.
            self.players[seat].row.remove(progress - 1);
            if self.has_common_blocks(seat) {
                self.pending.clear();
            }
        }
    }

    fn acts(&mut self, table: &Table, seat: usize, action: &Action) {
        let mut steps = Vec::new();
        match (&*action.act, action.die, action.target) {
            ("advance", Some(die), _) => {
                steps.push(Step::Advance(seat, die));
                steps.extend(action.die2.map(|die| Step::Advance(seat, die)));
            }
            ("block", Some(die), Some(target)) => steps.push(Step::Block(die, target)),
            ("swap", Some(die), Some(target)) => steps.push(Step::Swap(die, target)),
            ("unblock", ..) => steps.push(Step::Unblock(seat)),
            _ => {}
        }
        let pool = table.zone(self.zones[seat].pool).iter().copied();
        self.keepable = pool.filter(|&die| table.side(die) > 0).collect();
        if self.rules.needs_voice && action.act != "none" && !self.is_late() {
            self.next.push_back(Step::Ask("call_aloud", seat));
            (self.uncalled, self.used) = (steps, action.die);
        } else {
            self.keepable.retain(|&die| Some(die) != action.die);
            self.next.extend(steps);
        }
        if self.plays(seat, "alice", false) {
            self.next.push_back(Step::Ask("hold", seat));
        }
    }

    /// The question is the one that has to come, and its options are those that there are.
    fn check_question(&mut self, table: &Table, question: &Question<'_>) -> Verdict {
        let options = values(question);
        let seats_offered = || -> Vec<usize> {
            let named = |option: &Value| match option {
                Value::Seat(seat) => Some(index(*seat)),
                Value::Parts(parts) => parts.get("seat").and_then(|part| match part {
                    Value::Seat(seat) => Some(index(*seat)),
                    _ => None,
                }),
                _ => None,
            };
            options.iter().filter_map(named).collect()
        };
        match question.prompt {
            "act" => self.check_actions(table, index(asked(question)?), &options),
            "claim" => {
                let seat = index(asked(question)?);
                holds(self.may_claim(table, seat), || "nothing to claim".to_owned())?;
                // Who has a complete row cannot wait.
                same("answers", options.len(), if self.is_complete(table, seat) { 1 } else { 2 })
            }
            "stop" => same("who calls Stop!", self.jabberwock, question.seat.map(index)),
            "next_to_act" => {
                let able: Vec<usize> = (0..self.players.len()).filter(|&seat| self.can_act(table, seat)).collect();
                same("who can act", seats_offered(), able)
            }
            "slap" => same("who slaps", seats_offered(), self.slapping.clone()),
            "drive" => same("whom to drive mad", seats_offered(), self.sane_survivors()),
            "betray" => {
                let winner = index(asked(question)?);
                let others: Vec<usize> = self.sane_survivors().into_iter().filter(|&seat| seat != winner).collect();
                same("to betray nobody", options.len(), others.len() + 1)?;
                same("whom to betray", seats_offered(), others)
            }
            "hold" if !self.rules.is_turn_based => {
                let die = |option: &Value| match option {
                    Value::Parts(parts) => parts.get("die").and_then(component),
                    _ => None,
                };
                same("dice to keep", options.iter().filter_map(die).collect(), self.keepable.clone())?;
                same("to keep none", options.len(), self.keepable.len() + 1)
            }
            "hold" => holds(self.plays(index(asked(question)?), "alice", false), || "only Alice keeps dice".to_owned()),
            "call_aloud" => holds(self.rules.needs_voice, || "nothing has to be called".to_owned()),
            other => Err(format!("the rulebook does not know {other}")),
        }
    }
}

impl Referee for PlayMe {
    fn decision(&mut self, table: &Table, question: &Question<'_>, chosen: &[usize]) -> Verdict {
        if self.zones.is_empty() {
            self.look_up_zones(table)?;
        }
        if question.prompt == "pick_character" {
            return holds(self.games == 0 && !self.rules.is_challenge, || "characters are there already".to_owned());
        }
        self.carry_on(table)?;
        if self.is_over {
            holds(self.games == 0 || self.rules.is_challenge, || "the game is won and goes on".to_owned())?;
            self.begin_game(table)?;
            self.carry_on(table)?;
        }
        if question.prompt == "next_to_act" {
            self.before_a_go(table)?;
        }
        self.rows_are_as_expected(table)?;
        self.is_sound(table)?;
        // Alice is not asked for a die to keep where there is none.
        if self.keepable.is_empty() && matches!(self.next.front(), Some(Step::Ask("hold", _))) {
            self.next.pop_front();
        }
        let who = question.seat.map_or(0, index);
        match self.next.pop_front() {
            Some(Step::Ask(prompt, seat)) => same("who is asked what", (question.prompt, who), (prompt, seat))?,
            _ if self.rules.is_turn_based => {}
            _ => same("what is asked", question.prompt, "next_to_act")?,
        }
        self.check_question(table, question)?;
        if question.seat.is_none() {
            self.clock = table.clock().now();
        }
        let Some(&chosen) = chosen.first() else { return Err("nothing was chosen".to_owned()) };
        self.follow(table, question, &question.options.value(chosen))
    }

    fn end(&mut self, table: &Table) -> Verdict {
        self.carry_on(table)?;
        holds(self.is_over, || "nobody has won".to_owned())?;
        same("games", self.games, if self.rules.is_challenge { 6 } else { 1 })?;
        self.is_sound(table)?;
        same("characters", all_in(table, &["unused"], &["char"]).len(), CHARACTERS.len())
    }
}

/// What a player can do: its name, its dice, and to whom.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Action {
    act: String,
    die: Option<Component>,
    die2: Option<Component>,
    target: Option<usize>,
}

impl Action {
    fn named(act: &str) -> Action {
        Action { act: act.to_owned(), ..Action::default() }
    }

    fn read(value: &Value) -> Result<Action, String> {
        let Value::Parts(parts) = value else { return Err("an action has parts".to_owned()) };
        let target = match parts.get("target") {
            Some(Value::Seat(seat)) => Some(index(*seat)),
            _ => None,
        };
        let die = |part: &str| parts.get(part).and_then(component);
        Ok(Action {
            die: die("die"),
            die2: die("die2"),
            target,
            ..Action::named(text(value, "act").unwrap_or_default())
        })
    }

    fn label(&self, table: &Table) -> String {
        let dice = self.die.iter().chain(&self.die2).map(|&die| format!(" {}", table.label(die)));
        let target = self.target.map_or(String::new(), |seat| format!(" p{}", seat + 1));
        format!("{}{}{target}", self.act, dice.collect::<String>())
    }
}

fn component(value: &Value) -> Option<Component> {
    match value {
        Value::Component(component) => Some(*component),
        _ => None,
    }
}

/// The seat whose die it is.
fn owner(table: &Table, die: Component) -> usize {
    table.owner(die).map_or(usize::MAX, index)
}

fn variable<'a>(table: &'a Table, id: &str) -> Option<&'a Value> {
    table.layout().variable_named(id).map(|number| table.variable(number))
}
