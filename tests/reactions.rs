//! Reactions out of turn, and decisions that stay open for a while on the virtual clock.

use crate::shared::small_game;
use houserule::agent::{AgentSpec, Random, SeatedAgents};
use houserule::definition::Language;
use houserule::diagnostic::{Diagnostics, Source};
use houserule::inspect::leaks;
use houserule::playthrough::replay::Replay;
use houserule::playthrough::run::Until;
use houserule::playthrough::{Playable, Playthrough, Position};
use houserule::screen::{self, Scene};
use houserule::script::rules::Rules;
use houserule::script::{End, Start};
use houserule::table::Table;
use houserule::table::chance::Stream;
use houserule::table::decision::{Answerer, Halt, Question};
use houserule::table::knowledge::Viewer;
use std::sync::Arc;

const DEFINITION: &str = "
id = 'react'
name = 'React'
players = { min = 2, max = 4 }
variables.got = { per = 'seat', default = '' }
variables.who = { default = '' }
components.card = { kind = 'card', id = '{number}', attributes = { number = { from = 1, to = 12 } } }
zones.deck = { name = 'deck', order = 'pile', visible = 'none' }
zones.hand = { name = 'hand', per = 'seat', order = 'hand', visible = 'owner' }
";

/// Three players who are busy until 2, 1 and 5 seconds from the beginning.
const BUSY: &str = "players[1].busy_for(2000); players[2].busy_for(1000); players[3].busy_for(5000);";

fn rules(game: &str) -> Rules {
    compiled(game).unwrap_or_else(|errors| panic!("{errors}"))
}

fn compiled(game: &str) -> Result<Rules, Diagnostics> {
    let ruleset = small_game::game("react", DEFINITION, format!("fn game() {{\n{game}\n}}"))?;
    Rules::new(ruleset, 3, Arc::default())
}

/// Answers as it is told to by labels, `clock` being what the clock proposes, and writes down what it was asked.
struct Told<'a> {
    answers: &'a [&'a str],
    asked: Vec<String>,
}

impl Answerer for Told<'_> {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let labels = table.option_labels(question.options.values().iter());
        let who = question.seat.map_or("who".to_owned(), |seat| seat.to_string());
        let mut asked = format!("{who} {} {} at {}", question.prompt, labels.join("/"), table.clock().now());
        if let Some(deadline) = question.deadline {
            asked.push_str(&format!(" until {deadline}"));
        }
        if let Some(proposed) = question.by_clock {
            asked.push_str(&format!(", clock {}", labels[proposed]));
        }
        if table.together().is_some() {
            asked.push_str(", together");
        }
        self.asked.push(asked);
        let Some((answer, behind)) = self.answers.split_first() else { return Err(Halt::Open) };
        self.answers = behind;
        let position = match *answer {
            "clock" => question.by_clock,
            label => labels.iter().position(|known| known == label),
        };
        chosen.push(position.unwrap_or_else(|| panic!("{answer}: {labels:?}")));
        Ok(())
    }
}

/// What is asked if that is answered, and behind it `who` at the end with the time there.
fn asked(game: &str, answers: &[&str]) -> Vec<String> {
    let rules = rules(game);
    let mut told = Told { answers, asked: Vec::new() };
    let (run, end) = rules.play(&Start::Game, 1, &mut told, None);
    assert_eq!(end, End::Finished, "{game}: {:?}", told.asked);
    assert!(told.answers.is_empty(), "{:?} was not asked for", told.answers);
    let who = rules.evaluate(&run.table, "table.who", None).unwrap().result;
    let who = who.trim_matches('"');
    told.asked.push(format!("{who} at {}", run.table.clock().now()));
    told.asked
}

fn lines(expected: &[&str]) -> Vec<String> {
    expected.iter().map(|line| (*line).to_owned()).collect()
}

const IN_TURN: &str = "table.who = `${players.starting_with(players[2]).except(players[2]).first_to(\"stop\")}`;";

#[test]
fn in_turn_order_the_first_who_says_yes_is_the_last_who_is_asked() {
    assert_eq!(asked(IN_TURN, &["yes"]), lines(&["p3 stop yes/no at 0", "p3 at 0"]));
    assert_eq!(asked(IN_TURN, &["no", "yes"]), lines(&["p3 stop yes/no at 0", "p1 stop yes/no at 0", "p1 at 0"]));
    assert_eq!(asked(IN_TURN, &["no", "no"]), lines(&["p3 stop yes/no at 0", "p1 stop yes/no at 0", "nobody at 0"]));
}

#[test]
fn whoever_is_out_of_the_game_does_not_react() {
    for (ends, others) in [("players[3].lose(\"out\");", ["p1", "p2"]), ("players[1].win(\"first\");", ["p2", "p3"])] {
        for (reacts, told) in [("first_to(\"stop\")", "at 0"), ("first_to(\"stop\", 9)", "at 0 until 9, together")] {
            let all = asked(&format!("{ends} table.who = `${{players.{reacts}}}`;"), &["no", "no"]);
            let expected = others.map(|seat| format!("{seat} stop yes/no {told}"));
            assert_eq!(all[..2], expected, "{ends} {reacts}");
        }
    }
    for reacts in ["first_to(\"stop\")", "first_to(\"stop\", 9)"] {
        let all = asked(&format!("players.lose(\"out\"); table.who = `${{players.{reacts}}}`;"), &[]);
        assert_eq!(all.len(), 1, "{all:?}");
    }
}

#[test]
fn where_nobody_may_react_nobody_is_asked() {
    let nobody = "players.where(|p| p.hand.len > 0)";
    assert_eq!(asked(&format!("table.who = `${{{nobody}.first_to(\"stop\")}}`;"), &[]), ["nobody at 0"]);
    assert_eq!(asked(&format!("table.who = `${{{nobody}.first_to(\"stop\", 700)}}`;"), &[]), ["nobody at 700"]);
    assert_eq!(asked(&format!("table.who = `${{next_to_act({nobody}, 700)}}`;"), &[]), ["nobody at 700"]);
}

#[test]
fn by_the_clock_all_are_asked_at_once_and_the_one_who_is_free_first_acts() {
    let game = format!("{BUSY} table.who = `${{players.first_to(\"slap\", 4000)}}`;");
    // p3 is busy for longer.
    let both =
        ["p1 slap yes/no at 0 until 4000, together".to_owned(), "p2 slap yes/no at 0 until 4000, together".to_owned()];
    let then = |answers: &[&str]| {
        let all = asked(&game, answers);
        assert_eq!(all[..2], both);
        all[2..].join("; ")
    };
    assert_eq!(then(&["no", "no"]), "nobody at 4000");
    assert_eq!(then(&["yes", "no"]), "p1 at 2000");
    assert_eq!(then(&["yes", "yes", "clock"]), "who slap p1/p2 at 1000, clock p2; p2 at 1000");
    assert_eq!(then(&["yes", "yes", "p1"]), "who slap p1/p2 at 1000, clock p2; p1 at 1000");
}

#[test]
fn a_decision_stays_open_until_its_deadline() {
    let game = |busy: &str| {
        format!(
            "{busy} let said = players[1].choose_within(\"bid\", 1..=2, 3000, 0);
            table.who = if said == 0 {{ \"late\" }} else {{ `bid ${{said + 1}}` }};"
        )
    };
    let open = "p1 bid 1/2/nothing at 0 until 3000";
    assert_eq!(asked(&game(""), &["2"]), [open, "bid 3 at 0"]);
    assert_eq!(asked(&game(""), &["nothing"]), [open, "late at 3000"]);
    // Whoever is busy answers when free; for longer, not at all.
    assert_eq!(asked(&game(BUSY), &["1"]), ["p1 bid 1/2/nothing at 2000 until 3000", "bid 2 at 2000"]);
    assert_eq!(asked(&game("players[1].busy_for(3001);"), &[]), ["late at 3000"]);
    assert_eq!(asked(&game("players[1].busy_for(3000);"), &["1"])[1], "bid 2 at 3000");
}

#[test]
fn everything_that_can_be_chosen_from_can_have_a_deadline() {
    let deal = "for p in players { components(\"card\").between(\"number\", p.number, p.number).move_to(p.hand); }";
    for (options, answer, expected) in [
        ("players[2].hand", "2", "2"),
        ("components(\"card\")", "12", "12"),
        ("[deck, players[3].hand]", "p3.hand", "p3.hand"),
        ("players", "p3", "p3"),
        ("acts(\"play\", \"card\", players[1].hand) + act(\"pass\")", "play 1", "play 1"),
        ("[true, false]", "yes", "true"),
        ("[\"a\", 3, nobody]", "nobody", "nobody"),
    ] {
        let game = format!("{deal} table.who = `${{players[1].choose_within(\"take\", {options}, 10, \"none\")}}`;");
        assert_eq!(asked(&game, &[answer])[1], format!("{expected} at 0"), "{options}");
        assert_eq!(asked(&game, &["nothing"])[1], "none at 10", "{options}");
        let game = format!(
            "{deal} table.who = if players[1].choose_within(\"take\", {options}, 10, ()) == () {{ \"none\" }} else {{ \"one\" }};"
        );
        assert_eq!(asked(&game, &[answer])[1], "one at 0", "{options}");
        assert_eq!(asked(&game, &["nothing"])[1], "none at 10", "{options}");
    }
}

#[test]
fn of_players_who_choose_together_each_has_the_whole_time() {
    let game = format!(
        "{BUSY} players.together(|p| p.choose_within(\"bid\", 1..=2, 3000, 0), |p, bid| p.got = `${{bid}}`);
        table.who = `${{players[1].got}} ${{players[2].got}} ${{players[3].got}}`;"
    );
    let open = ["p1 bid 1/2/nothing at 0 until 3000, together", "p2 bid 1/2/nothing at 0 until 3000, together"];
    // What one does with the time shows nobody else: the clock stands until all have chosen.
    assert_eq!(asked(&game, &["nothing", "1"]), [&open[..], &["0 1 0 at 3000"]].concat());
    let in_time = game.replace("players[3].busy_for(5000)", "players[3].busy_for(0)");
    assert_eq!(asked(&in_time, &["2", "1", "1"])[3], "2 1 1 at 2000");
}

#[test]
fn somebody_acts_before_the_bell_or_nobody() {
    let game = |time: u32| format!("{BUSY} table.who = `${{next_to_act(\"go\", players, {time})}}`;");
    let in_time = "who go p1/p2/p3/nobody at 1000 until 1500, clock p2";
    assert_eq!(asked(&game(1500), &["clock"]), [in_time, "p2 at 1000"]);
    assert_eq!(asked(&game(1500), &["nobody"]), [in_time, "nobody at 1500"]);
    assert_eq!(asked(&game(1500), &["p3"]), [in_time, "p3 at 1000"]);
    let late = "who go p1/p2/p3/nobody at 400 until 400, clock nobody";
    assert_eq!(asked(&game(400), &["clock"]), [late, "nobody at 400"]);
    assert_eq!(asked(&game(400), &["p1"]), [late, "p1 at 400"]);
}

#[test]
fn what_cannot_be_waited_for_is_told() {
    let told = |game: &str| match rules(game).play(&Start::Game, 1, &mut Random::new(1), None).1 {
        End::Failed(errors) => format!("{}; {}", errors.first().message, errors.first().help.join("; ")),
        other => panic!("{game}: {other:?}"),
    };
    for (game, expected) in [
        (
            "next_to_act(players, -1);",
            "next_to_act cannot wait for -1 milliseconds; that time has passed: ask `clock()` before",
        ),
        (
            "players.first_to(\"slap\", 0 - 5);",
            "slap cannot wait for -5 milliseconds; that time has passed: ask `clock()` before",
        ),
        (
            "players[1].choose_within(\"bid\", 1..=2, 9223372036854775807, 0);",
            "bid cannot wait for 9223372036854775807 milliseconds; wait for less",
        ),
        (
            "players[1].choose_within(\"bid\", 1..1, 10, 0);",
            "p1 has no legal option for bid; ask only where something can be chosen, or add an option to pass",
        ),
        (
            "players[1].choose_within(\"bid\", act(\"nothing\") + act(\"pass\"), 10, 0);",
            "`nothing` cannot be an option of bid: it stands for no answer; give the option another name; its words in `[text]` may be any",
        ),
        (
            "players[1].choose_within(\"bid\", [\"one\", \"nothing\"], 10, 0);",
            "`nothing` cannot be an option of bid: it stands for no answer; give the option another name; its words in `[text]` may be any",
        ),
        (
            "let none = players.where(|p| false); next_to_act(none);",
            "nobody could act for next_to_act; ask only while somebody can act, or say how long to wait: `next_to_act(list, 1000)`",
        ),
        (
            "players.together(|p| p.may(\"x\") || players.first_to(\"slap\", 10) == p, |p, x| {});",
            "a choice made together cannot hold another one; ",
        ),
        (
            "players.together(|p| next_to_act(players, 10) == p, |p, x| {});",
            "nobody acts in real time while all choose together; ",
        ),
    ] {
        assert_eq!(told(game), expected, "{game}");
    }
}

#[test]
fn a_deadline_without_all_it_needs_is_told_before_anything_runs() {
    let told = |game: &str| match compiled(game) {
        Err(errors) => format!("{}; {}", errors.first().message, errors.first().help.join("; ")),
        Ok(_) => panic!("{game} compiles"),
    };
    for (game, expected) in [
        ("players[1].choose_within(\"bid\", 1..=2, 10);", "choose_within"),
        ("players[1].choose_within(\"bid\", 10, 1..=2, 0);", "`options` and `time` are swapped"),
        ("players[1].choose_withn(\"bid\", 1..=2, 10, 0);", "choose_within"),
        ("players[1].first_to(\"bid\");", "a player has no `first_to`"),
        ("players.frst_to(\"bid\");", "first_to"),
        ("next_to_act(players, \"soon\");", "`next_to_act`"),
    ] {
        let told = told(game);
        assert!(told.contains(expected), "{game}: {told}");
    }
}

/// Whatever is played can be stopped by a reaction, and that by another.
const NOPE: [&str; 2] = [
    "
id = 'nope'
name = 'Nope'
players = { min = 2, max = 4 }
variables.nopes = { per = 'seat', default = 3 }
components.card = { kind = 'card', id = '{sort}-{copy}', copies = 6, attributes = { sort = ['hit', 'gain'] } }
zones.deck = { name = 'deck', order = 'pile', visible = 'none' }
zones.used = { name = 'used', order = 'pile', visible = 'all' }
zones.hand = { name = 'hand', per = 'seat', order = 'hand', visible = 'owner' }
",
    "
fn game() {
    components(\"card\").move_to(deck);
    deck.shuffle();
    for p in players { deck.deal(3, p.hand); }
    let p = players.first;
    while !p.hand.is_empty {
        begin_turn(p);
        let card = p.choose(\"play\", p.hand);
        card.move_to(used);
        if !is_stopped(p) { take_effect(p, card); }
        p = p.next;
    }
}
fn is_stopped(by) {
    let able = players.starting_with(by).except(by).where(|q| q.nopes > 0);
    let q = able.first_to(\"nope\");
    if q == nobody { return false; }
    q.nopes -= 1;
    !is_stopped(q)
}
fn take_effect(p, card) {
    if card.sort == \"gain\" { p.award(2, \"gain\"); }
    if card.sort == \"hit\" { for q in players.except(p) { q.award(-1, \"hit\"); } }
}
",
];

/// Whoever is first at the buzzer answers before the time is up, and bets against the others, all in real time.
const BUZZ: [&str; 2] = [
    "
id = 'buzz'
name = 'Buzz'
players = { min = 2, max = 4 }
components.card = { kind = 'card', id = '{number}', attributes = { number = { from = 1, to = 12 } } }
zones.deck = { name = 'deck', order = 'pile', visible = 'none' }
zones.hand = { name = 'hand', per = 'seat', order = 'hand', visible = 'owner' }
",
    "
fn game() {
    components(\"card\").move_to(deck);
    deck.shuffle();
    for p in players { deck.deal(3, p.hand); }
    let bell = 25000;
    while clock() < bell {
        begin_round();
        for p in players { p.busy_for(draw_number(\"thinks\", 500, 7000)); }
        let p = players.first_to(\"buzz\", 6000);
        if p != nobody {
            p.busy_for(draw_number(\"recalls\", 0, 4000));
            let said = p.choose_within(\"answer\", 1..=3, 3000, 0);
            p.award(if said == 2 { 3 } else { -1 }, \"answer\");
        }
        players.together(
            |q| q.choose_within(\"bet\", q.hand, 2000, ()),
            |q, card| if card != () { q.award(card.number % 2, \"bet\"); }
        );
        let next = next_to_act(players, max(0, bell - clock()));
        if next != nobody { next.award(1, \"quick\"); next.busy_for(1500); }
    }
}
",
];

fn whole(game: [&str; 2], seats: usize) -> Playable {
    let id = game[0].split('\'').nth(1).unwrap();
    let ruleset = small_game::game(id, game[0], game[1]).unwrap_or_else(|errors| panic!("{errors}"));
    Playable::compile(ruleset, seats, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

fn assert_same(one: &Position, other: &Position, after: &[String]) {
    assert_eq!(one.open, other.open, "{after:#?}");
    assert_eq!(one.table, other.table, "{after:#?}");
    assert!(one.events == other.events, "{after:#?}");
    assert_eq!((&one.scores, &one.failed), (&other.scores, &other.failed), "{after:#?}");
}

#[test]
fn whatever_is_done_it_is_the_game_from_the_beginning() {
    for game in [NOPE, BUZZ] {
        let loaded = whole(game, 3);
        for seed in 0..6 {
            let mut chance = Stream::named(seed, "what a person does", 0);
            let (mut play, _) = Playthrough::start(loaded.clone(), 3, seed, Vec::new()).unwrap();
            let mut done = Vec::new();
            for _ in 0..40 {
                done.push(match (chance.below(6), play.position().open.clone()) {
                    (0..=2, Some(open)) => {
                        let label = open.options[chance.below(open.options.len())].label.clone();
                        play.choose(std::slice::from_ref(&label)).unwrap();
                        label
                    }
                    (3, _) => format!("undo {}", play.undo().is_ok()),
                    (4, _) => {
                        let to = chance.below(play.timeline().current().log.len() + 1);
                        format!("goto {to} {}", play.go_to(to).is_ok())
                    }
                    _ => {
                        let agent = Random::new(chance.below(1 << 20) as u64);
                        let many = 1 + chance.below(9);
                        format!("auto {many} {:?}", play.advance(Box::new(agent), Until::Decisions(many)).is_ok())
                    }
                });
                let log = play.timeline().log().to_vec();
                let (fresh, misfit) = Playthrough::start(loaded.clone(), 3, seed, log).unwrap();
                assert!(misfit.is_none(), "{misfit:?} {done:#?}");
                assert_same(play.position(), fresh.position(), &done);
            }
        }
    }
}

#[test]
fn agents_play_with_reactions_and_deadlines_in_one_go_as_step_by_step() {
    for game in [NOPE, BUZZ] {
        let loaded = whole(game, 3);
        for agent in ["random", "greedy", "search:20"] {
            let spec = AgentSpec::parse(agent, None).unwrap();
            let company = || Box::new(SeatedAgents::new(7, &[spec; 3]));
            let (mut all, _) = Playthrough::start(loaded.clone(), 3, 7, Vec::new()).unwrap();
            all.advance(company(), Until::Decisions(25)).unwrap();
            let (mut stepped, _) = Playthrough::start(loaded.clone(), 3, 7, Vec::new()).unwrap();
            for _ in 0..25 {
                stepped.advance(company(), Until::Decisions(1)).unwrap();
            }
            assert_eq!(all.timeline().log(), stepped.timeline().log(), "{agent}");
            assert_same(all.position(), stepped.position(), &[agent.to_owned()]);
        }
    }
}

#[test]
fn reactions_and_deadlines_tell_nobody_what_is_hidden() {
    for game in [NOPE, BUZZ] {
        for seats in 2..=4 {
            let loaded = whole(game, seats);
            let mut views = 0;
            for seed in 0..20 {
                views += leaks::hunt(&loaded.rules, seed).unwrap_or_else(|trouble| panic!("{trouble:?}")).views;
            }
            assert!(views > 100, "{views}");
        }
    }
}

#[test]
fn the_person_sees_how_long_is_left_and_what_comes_of_it_in_both_languages() {
    let ruleset = small_game::game("buzz", BUZZ[0], BUZZ[1]).unwrap();
    let loaded = Playable::compile(ruleset.clone(), 2, Arc::default()).unwrap();
    let drawn = |log: &[&str], language| {
        let (mut play, _) = Playthrough::start(loaded.clone(), 2, 3, Vec::new()).unwrap();
        log.iter().for_each(|label| play.choose(&[(*label).to_owned()]).unwrap());
        let scene = Scene::of(&play, Viewer::Everything, language, 80);
        let text = screen::style::render(&screen::look(&scene), false);
        let lines = text.lines().map(|line| line.trim().to_owned());
        lines.skip_while(|line| !line.contains('·') || line.contains("Buzz")).collect::<Vec<String>>()
    };
    let english = drawn(&[], Language::English);
    assert_eq!(english, ["p1, buzz · 6.000 s left", "1  yes", "2  no   when the time is up"]);
    let japanese = drawn(&[], Language::Japanese);
    assert_eq!(japanese, ["p1：buzz · 残り6.000秒", "1  はい", "2  いいえ  時間切れのとき"]);
    let bets = drawn(&["no", "no"], Language::Japanese);
    assert_eq!(bets.last().map(String::as_str), Some("4  なし  時間切れのとき"), "{bets:?}");
    let next = drawn(&["no", "no", "nothing", "nothing"], Language::English);
    assert!(next[0].ends_with("s left") && next.contains(&"3  nobody  when the time is up".to_owned()), "{next:?}");
}

#[test]
fn a_saved_game_keeps_who_reacted_and_what_was_let_pass() {
    for game in [NOPE, BUZZ] {
        let loaded = whole(game, 3);
        for seed in 0..8 {
            let (mut play, _) = Playthrough::start(loaded.clone(), 3, seed, Vec::new()).unwrap();
            play.advance(Box::new(Random::new(seed)), Until::Decisions(35)).unwrap();
            let saved = Replay::of(&play);
            let read = Replay::parse(&Source::new("game.toml", saved.to_toml())).unwrap();
            assert_eq!((&read.replay, read.warnings.len()), (&saved, 0));
            let (again, misfit) = Playthrough::start(loaded.clone(), 3, seed, read.replay.log).unwrap();
            assert!(misfit.is_none(), "{misfit:?}");
            assert_same(play.position(), again.position(), &[]);
        }
    }
}

#[test]
fn the_time_that_passes_may_have_words_of_its_own() {
    let text = "[text]\nnothing = { en = 'too late', ja = '時間切れ' }\nnobody = { en = 'the bell', ja = 'ベル' }\n";
    let lints = |rules: &str| {
        let definition = format!("{}{text}", BUZZ[0]);
        let ruleset = small_game::game("buzz", definition, rules).unwrap_or_else(|errors| panic!("{errors}"));
        let rules = Rules::new(ruleset, 2, Arc::default()).unwrap_or_else(|errors| panic!("{errors}"));
        let lints = rules.lints().iter().map(|lint| lint.warning.message.clone());
        lints.filter(|message| message.contains("text")).collect::<Vec<_>>()
    };
    assert_eq!(lints(BUZZ[1]), [""; 0]);
    let unused = lints("fn game() { for p in players { p.award(1, \"x\"); } }");
    assert_eq!(unused.len(), 2, "{unused:?}");
}
