//! Campaigns: what goes on from one game to the next, and back over the border.

use crate::shared::small_game;
use houserule::agent::Random;
use houserule::definition::Language;
use houserule::diagnostic::{Diagnostics, Source};
use houserule::playthrough::replay::Replay;
use houserule::playthrough::run::Until;
use houserule::playthrough::{Playable, Playthrough};
use houserule::screen::{self, Scene};
use houserule::table::knowledge::Viewer;
use houserule::table::value::Seat;
use std::sync::Arc;

/// Something of every type, kept and not kept.
const GAME: &str = r#"
id = "held"
name = "Held"
players = { min = 2, max = 3 }
components.card = { kind = "card", id = "{number}", attributes = { number = { from = 1, to = 6 } } }
zones.deck = { name = "deck", order = "pile", visible = "none" }
zones.hand = { name = "hand", order = "hand", visible = "owner", per = "seat" }
[variables]
night = { default = 0 }
brave = { default = false, per = "seat" }
title = { default = "" }
dealer = { type = "player" }
gear = { type = "components", per = "seat", visible = "owner" }
tale = { type = "list" }
secret = { default = 0, per = "seat", visible = "owner" }
coins = { default = 1, per = "seat", bank = 6 }
fresh = { default = 0 }
[keeps]
night = true
brave = true
title = true
dealer = true
gear = true
tale = true
secret = true
coins = true
score = true
"#;

const RULES: &str = r#"
fn game() {
    table.night += 1;
    for p in players { p.gear.move_to(p.hand); }
    components("card").where(|c| players.all(|p| !p.gear.contains(c))).move_to(deck);
    deck.shuffle();
    let p = if table.dealer == nobody { players.first } else { table.dealer };
    table.fresh += 1;
    p.brave = p.may("dare");
    p.secret += 40 + p.number;
    deck.last.move_to(p.hand);
    p.gear = p.hand.components;
    p.coins += 2;
    p.next.coins = 0;
    p.award(3, "night");
    table.title = "zone:of \"night\"";
    table.tale += [["night", table.night, p, p.hand.first, deck, true]];
    table.dealer = p.next;
    p.may("rest");
}
"#;

fn playable(definition: &str, rules: &str, seats: usize) -> Playable {
    let ruleset = small_game::game("held", definition, rules).unwrap_or_else(|errors| panic!("{errors:?}"));
    Playable::compile(ruleset, seats, Arc::default()).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn begun(seed: u64) -> Playthrough {
    Playthrough::start(playable(GAME, RULES, 2), 2, seed, Vec::new()).unwrap().0
}

fn to_the_end(game: &mut Playthrough) {
    game.advance(Box::new(Random::new(game.seed)), Until::End).unwrap();
    assert!(game.position().open.is_none() && game.position().failed.is_none());
}

/// Each variable as the table has it.
fn variables(game: &Playthrough) -> Vec<String> {
    let (layout, table) = (&game.loaded().layout, &game.position().table);
    let told = |(info, value): (&houserule::table::layout::VariableInfo, _)| {
        format!("{} {}", info.id, layout.label(&table.faces, value))
    };
    layout.variables.iter().zip(&table.variables).map(told).collect()
}

#[track_caller]
fn refused(result: Result<(), Diagnostics>) -> String {
    let errors = result.unwrap_err();
    format!("{}; {}", errors.first().message, errors.first().help.join("; "))
}

#[test]
fn the_next_game_begins_with_what_was_kept() {
    let mut game = begun(1);
    to_the_end(&mut game);
    let kept = game.kept().unwrap();
    assert!(kept.contains_key("p1.score") && !kept.contains_key("fresh"), "{kept:?}");
    game.next_game(None, 2).unwrap();
    // The rules run up to the first question.
    let now = variables(&game);
    for expected in
        ["night 2", "fresh 1", "p1.score 3", "p1.secret 41", "p1.coins 3", "p2.coins 0", "coins 5", "dealer p2"]
    {
        assert!(now.iter().any(|told| told == expected), "{expected} in {now:?}");
    }
    assert!(now.iter().any(|told| told.starts_with("title zone:of")), "{now:?}");
    assert_eq!(game.position().open.as_ref().and_then(|open| open.seat), Seat::from_number(2));
    to_the_end(&mut game);
    let tale = variables(&game).into_iter().find(|told| told.starts_with("tale")).unwrap();
    assert!(tale.contains("p1") && tale.contains("p2"), "{tale}");
}

/// What partners have in common goes on with them, whatever teams the next game would begin with.
#[test]
fn who_joined_a_team_is_in_it_in_the_next_game() {
    const TEAMS: &str = "id = 'held'\nname = 'Held'\nplayers = { min = 2, max = 4 }\nteams.4 = [[1, 3], [2, 4]]\n\
        variables.coins = { per = 'team', default = 5, bank = 40 }\nkeeps = { coins = true }\n";
    const JOINS: &str = "fn game() {
        players[1].may(\"begin\");
        if !players[1].team.contains(players[2]) { players[2].join(players[1]); players[1].coins += 20; }
        players[1].may(\"rest\");
    }";
    for (seats, expected) in [
        (2, &["p1.coins 25", "p2.coins 25", "coins 25"][..]),
        (4, &["p1.coins 25", "p2.coins 25", "p3.coins 25", "p4.coins 5", "coins 20"]),
    ] {
        let (mut game, _) = Playthrough::start(playable(TEAMS, JOINS, seats), seats, 1, Vec::new()).unwrap();
        to_the_end(&mut game);
        let before = variables(&game);
        game.next_game(None, 2).unwrap();
        assert_eq!(variables(&game), before, "{seats} players");
        for told in expected {
            assert!(before.iter().any(|known| known == told), "{told} in {before:?}");
        }
        to_the_end(&mut game);
        assert_eq!(variables(&game), before, "nobody joins once more");
    }
}

/// The file of a later game is enough, and gives the same bits.
#[test]
fn a_saved_game_of_a_campaign_plays_again_by_itself() {
    let mut game = begun(5);
    for seed in 6..10 {
        to_the_end(&mut game);
        game.next_game(None, seed).unwrap();
        to_the_end(&mut game);
        let text = Replay::of(&game).to_toml();
        let read = Replay::parse(&Source::new("a.toml", text.as_str())).unwrap();
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        let Replay { players, seed, log, .. } = read.replay;
        let (again, misfit) = Playthrough::start(game.loaded().clone(), players, seed, log).unwrap();
        assert_eq!(misfit, None);
        assert_eq!(again.position().table, game.position().table);
        assert_eq!(again.position().events, game.position().events);
        assert_eq!(Replay::of(&again).to_toml(), text);
    }
}

#[test]
fn undo_leads_over_the_border_and_redo_back() {
    let mut game = begun(3);
    let mut files = Vec::new();
    for seed in 4..7 {
        to_the_end(&mut game);
        files.push(Replay::of(&game).to_toml());
        game.next_game(None, seed).unwrap();
    }
    let last = Replay::of(&game).to_toml();
    for file in files.iter().rev() {
        while game.undo().unwrap() != "campaign" {}
        assert_eq!(&Replay::of(&game).to_toml(), file);
    }
    // What was played behind the border is there again, move by move.
    for file in &files {
        while Replay::of(&game).to_toml() != *file {
            game.redo().unwrap();
        }
        assert_eq!(game.redo().unwrap(), "campaign");
    }
    assert_eq!(Replay::of(&game).to_toml(), last);
}

#[test]
fn branches_of_one_game_do_not_come_into_another() {
    let mut game = begun(3);
    to_the_end(&mut game);
    let before = game.timeline().clone();
    game.next_game(None, 4).unwrap();
    game.choose(&["yes".to_owned()]).unwrap();
    game.undo().unwrap();
    game.choose(&["no".to_owned()]).unwrap();
    game.undo().unwrap();
    let behind = game.timeline().clone();
    assert_eq!(behind.branches().len(), 2);
    assert_eq!(game.undo().unwrap(), "campaign");
    assert_eq!((game.timeline(), game.seed), (&before, 3));
    game.redo().unwrap();
    assert_eq!((game.timeline(), game.seed), (&behind, 4));
}

#[test]
fn nobody_goes_back_before_what_was_kept() {
    let mut game = begun(3);
    to_the_end(&mut game);
    game.next_game(None, 4).unwrap();
    let log = game.timeline().log().to_vec();
    let mut alone = Playthrough::start(game.loaded().clone(), 2, 4, log.clone()).unwrap().0;
    assert_eq!(alone.undo().unwrap_err().first().message, "this is the beginning");
    alone.go_to(0).unwrap();
    assert_eq!(alone.timeline().log(), log);
    alone.reroll().unwrap();
    assert_eq!(alone.timeline().log().first(), log.first());
    assert!(variables(&alone).contains(&"night 2".to_owned()));
}

#[test]
fn what_is_secret_stays_secret() {
    let mut game = begun(1);
    to_the_end(&mut game);
    game.next_game(None, 2).unwrap();
    let told = |viewer: Viewer| {
        let scene = Scene::of(&game, viewer, Language::English, 100);
        let mut lines = screen::log(&scene, &game.position().events.clone().into_vec());
        lines.extend(screen::table(&scene));
        lines.extend(screen::history(&scene, game.timeline()));
        screen::style::render(&lines, false)
    };
    let (own, other) =
        (told(Viewer::Seat(Seat::from_number(1).unwrap())), told(Viewer::Seat(Seat::from_number(2).unwrap())));
    assert!(own.contains("41"), "{own}");
    assert!(!other.contains("41"), "{other}");
    assert!(other.contains("campaign …"), "{other}");
}

#[test]
fn what_does_not_fit_is_told() {
    let mut game = begun(1);
    assert_eq!(
        refused(game.next_game(None, 2)),
        "this game is not over: p1 dare is open; play it to its end; then the next game begins from what it keeps"
    );
    to_the_end(&mut game);
    let before = Replay::of(&game).to_toml();
    for (old, new, message) in [
        ("night = { default = 0 }", "night = { default = \"\" }", "night holds a text, not a number"),
        ("default = 1, per = \"seat\", bank = 6", "default = 0, per = \"seat\", bank = 1", "the bank has"),
        ("brave = true", "brave = false", "there is no kept variable `p1.brave`; there are"),
        ("to = 6", "to = 1", "there is no component"),
        ("title = { default = \"\" }", "title = { default = \"day\", choices = [\"day\"] }", "title"),
    ] {
        assert!(GAME.contains(old), "{old}");
        // Rules that do nothing compile under any definition.
        let loaded = playable(&GAME.replace(old, new), "fn game() { players.first.may(\"dare\"); }", 2);
        let told = refused(game.next_game(Some(loaded), 2));
        assert!(told.starts_with("what was kept does not fit these rules: ") && told.contains(message), "{told}");
        assert_eq!(Replay::of(&game).to_toml(), before);
    }
    assert_eq!(
        refused(game.next_game(Some(playable(GAME, RULES, 3)), 2)),
        "2 players played this campaign, not 3; leave `-p` out: everybody keeps their seat"
    );
    let (plain, _) = GAME.split_once("[keeps]").unwrap();
    let mut plain = Playthrough::start(playable(plain, RULES, 2), 2, 1, Vec::new()).unwrap().0;
    assert_eq!(
        refused(plain.next_game(None, 2)),
        "held keeps nothing for another game; name the variables that carry over: [keeps] and `score = true`"
    );
    let broken = RULES.replace("p.may(\"rest\");", "throw \"broken\";");
    let mut broken = Playthrough::start(playable(GAME, &broken, 2), 2, 1, Vec::new()).unwrap().0;
    broken.choose(&["yes".to_owned()]).unwrap();
    assert!(refused(broken.next_game(None, 2)).starts_with("an error stopped this game"));
    let odd = RULES.replace("[[\"night\",", "[[p.choose(\"way\", acts(\"go\", \"miles\", 1..=3)),");
    let mut odd = Playthrough::start(playable(GAME, &odd, 2), 2, 1, Vec::new()).unwrap().0;
    to_the_end(&mut odd);
    assert!(refused(odd.next_game(None, 2)).starts_with("tale holds what cannot be kept"));
}

#[test]
fn a_variant_keeps_more_or_less() {
    let files = |variant: &str| {
        let keeps = format!("id = \"more\"\ngame = \"held\"\nname = \"More\"\nabout = \"More.\"\n{variant}\n");
        let selection = houserule::ruleset::Selection {
            game: "held".to_owned(),
            variants: vec!["more".to_owned()],
            set: Vec::new(),
        };
        let files = [
            ("games/held/game.toml", GAME.as_bytes()),
            ("games/held/rules.rhai", RULES.as_bytes()),
            ("variants/held/more.toml", keeps.as_bytes()),
        ];
        let ruleset = small_game::ruleset(&selection, &files).unwrap_or_else(|errors| panic!("{errors:?}"));
        Playable::compile(ruleset, 2, Arc::default()).unwrap()
    };
    let mut game = begun(1);
    to_the_end(&mut game);
    game.next_game(Some(files("keeps.fresh = true")), 2).unwrap();
    to_the_end(&mut game);
    assert!(game.kept().unwrap().contains_key("fresh"));
    let mut less = Playthrough::start(files("keeps.score = false"), 2, 1, Vec::new()).unwrap().0;
    to_the_end(&mut less);
    assert!(!less.kept().unwrap().contains_key("p1.score"));
}
