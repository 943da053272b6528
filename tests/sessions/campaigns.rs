//! Campaigns at the prompt and on the command line.

use super::*;

/// A dive of two, up to its end.
const DIVE: &[&str] = &["play", "wreck-divers", "-p", "2", "-s", "5"];

/// A folder in which the first dive is saved.
fn saved() -> Folder {
    let folder = Folder::new();
    says(
        &told_in(&folder, DIVE, "until end\nsave dive-1.toml\n"),
        0,
        &["`campaign next` begins the next game", "saved"],
    );
    folder
}

#[test]
fn a_campaign_goes_on_at_the_prompt_and_back() {
    let folder = Folder::new();
    let lines = "until end\ncampaign\nsave one.toml\ncampaign next 9\nsave two.toml\nauto 1\nundo 2\nsave again.toml\n\
                 redo\nsave two-again.toml\nundo\ncampaign next\n";
    let told = told_in(&folder, DIVE, lines);
    says(&told, 0, &["dive 1", "begins the next game with these", "the next game of the campaign, seed 9"]);
    says(
        &told,
        0,
        &[
            "the campaign goes on",
            "took back: campaign",
            "did again: campaign",
            "the next game of the campaign, seed 6",
        ],
    );
    assert_eq!(folder.read("one.toml"), folder.read("again.toml"));
    assert_eq!(folder.read("two.toml"), folder.read("two-again.toml"));
}

/// With an agent at the table one step back is as far as the person's decision, but no further than the border.
#[test]
fn undo_stops_at_the_border_with_agents_and_where_it_is_fair() {
    let with = |args: &[&str], lines: &str| told_in(&Folder::new(), &[DIVE, args].concat(), lines);
    let agent = with(&["--seat", "p2=random"], "until end\ncampaign next\n1\nundo\nundo\n");
    says(&agent, 0, &["seed 6", "took back: p1  dive deeper or surface  deeper", "took back: campaign"]);
    assert!(agent.stdout.ends_with("`campaign next` begins the next game\n"), "{}", agent.stdout);
    let fair = with(&["--undo", "fair"], "1\n2\n1\n1\n2\n3\ncampaign next\nundo\n");
    says(&fair, 1, &["dive   2", "this cannot be taken back: the next game has begun since"]);
}

#[test]
fn the_same_in_japanese() {
    let told = told_in(&Folder::new(), &[&["--lang", "ja"], DIVE].concat(), "until end\ncampaign next\nlog\n");
    says(&told, 0, &["キャンペーンの続き", "`campaign next` で次のゲームが始まります", "潜水"]);
}

#[test]
fn the_next_game_begins_from_a_file() {
    let folder = saved();
    let play = |args: &[&str], lines: &str| told_in(&folder, &[&["play"], args].concat(), lines);
    let told = play(&["wreck-divers", "--from", "dive-1.toml"], "save two.toml\ncampaign\nundo\nsave one.toml\n");
    says(
        &told,
        0,
        &["seed 6", "dive 2", "the next game begins with the values that these have", "took back: campaign"],
    );
    assert_eq!(folder.read("dive-1.toml"), folder.read("one.toml"));
    // The game alone says the same, and so does the prompt.
    says(&play(&["--from", "dive-1.toml"], "save alone.toml\n"), 0, &["saved"]);
    says(&play(&["dive-1.toml"], "campaign next\nsave prompt.toml\n"), 0, &["saved"]);
    assert_eq!(folder.read("two.toml"), folder.read("alone.toml"));
    assert_eq!(folder.read("two.toml"), folder.read("prompt.toml"));
    // The second file needs the first no more.
    std::fs::remove_file(folder.0.join("dive-1.toml")).unwrap();
    let told = play(&["two.toml"], "until end\nsave end.toml\nundo 99\nundo\n");
    says(&told, 1, &["this is the beginning", "the game before it is another file"]);
    says(&told_in(&folder, &["replay", "end.toml"], ""), 0, &["moves fit"]);
    says(&play(&["end.toml"], "why p1.score\n"), 0, &["= 9  set", "kept from the game before"]);
    says(
        &told_in(&folder, &["trace", "wreck-divers", "--from", "end.toml"], ""),
        0,
        &[r#"{"type":"intervention","entry":"campaign"}"#, r#"{"type":"set","variable":"p1.score","value":"#],
    );
    let told = play(&["wreck-divers", "--from", "end.toml", "-s", "77", "-v", "bandages"], "campaign\n");
    says(&told, 0, &["· bandages ·", "seed 77", "dive 3"]);
}

#[test]
fn what_cannot_go_on_is_refused() {
    let folder = saved();
    let play = |args: &[&str], code, words: &[&str]| {
        says(&told_in(&folder, &[&["play"], args].concat(), "table\n"), code, words);
    };
    let from = ["--from", "dive-1.toml"];
    play(&[&["pig"], &from[..]].concat(), 2, &["a campaign of wreck-divers does not continue with pig"]);
    play(&[&["wreck-divers", "-p", "3"], &from[..]].concat(), 2, &["2 players played this campaign, not 3"]);
    play(
        &[&["dive-1.toml"], &from[..]].concat(),
        2,
        &["begins a new one", "leave it out: `houserule play --from dive-1.toml`"],
    );
    says(&told_in(&folder, &["trace", "pig", "--from", "dive-1.toml"], ""), 2, &["does not continue with pig"]);
    play(&["wreck-divers", "--from", "none.toml"], 2, &["cannot read `none.toml`"]);
    play(&["wreck-divers", "--from", "dive-1.toml", "--resume"], 2, &["cannot be used with"]);
    let text = folder.read("dive-1.toml");
    folder.write("open.toml", text.replace("  [1, \"buy\", \"knife\"],\n", ""));
    play(&["wreck-divers", "--from", "open.toml"], 2, &["this game is not over: p1 buy is open", "`open.toml`"]);
    says(&told_in(&folder, &["play", "pig"], "campaign\n"), 0, &["this game keeps nothing"]);
    says(&told_in(&folder, &["play", "pig"], "campaign next\n"), 1, &["pig keeps nothing for another game"]);
    says(&told_in(&folder, DIVE, "campaign nxt\n"), 1, &["did you mean `next`?"]);
}

#[test]
fn a_damaged_beginning_is_told() {
    let folder = saved();
    says(&told_in(&folder, &["play", "--from", "dive-1.toml"], "save two.toml\n"), 0, &["saved"]);
    let text = folder.read("two.toml");
    let damaged = |name: &str, old: &str, new: &str| {
        assert!(text.contains(old), "{text}");
        folder.write(name, text.replacen(old, new, 1));
        told_in(&folder, &["play", name], "table\n")
    };
    let told = damaged("type.toml", "\"p1.tanks\" = 0", "\"p1.tanks\" = \"x\"");
    says(&told, 0, &["0 of 1 moves still fit", "p1.tanks holds a number, not a text"]);
    let told = damaged("name.toml", "\"p1.tanks\"", "\"p1.tonks\"");
    says(&told, 0, &["there is no kept variable `p1.tonks`; did you mean `p1.tanks`?"]);
    let told = damaged("kept.toml", "\"p1.tanks\"", "\"p1.air\"");
    says(&told, 0, &["there is no kept variable `p1.air`"]);
    let told = damaged("late.toml", "log = [\n", "log = [\n  [1, \"dive_or_surface\", \"deeper\"],\n");
    says(&told, 2, &["entry 2 of the log cannot be a `campaign`", "late.toml:11:3", "comes first in the log"]);
}

#[test]
fn a_player_is_not_told_what_another_keeps() {
    let folder = Folder::new();
    let secret = told_in(
        &folder,
        &["play", "wreck-divers", "-p", "2", "-s", "5", "-v", "collectors"],
        "as p1\nchoose =5\nas p2\nchoose =4\nas all\nuntil end\ncampaign next\nas p2\ncampaign\n",
    );
    says(&secret, 0, &["p1.collects ?", "p2.collects 4"]);
}

/// Rules that keep something and fail in the third game: it is found by a check, and can be played.
#[test]
fn a_check_plays_later_games() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("games/nights")).unwrap();
    let definition =
        "id = 'nights'\nname = 'Nights'\nplayers = { min = 2, max = 2 }\nvariables.night = { default = 0 }\n";
    folder.write("games/nights/game.toml", format!("{definition}keeps.night = true\n"));
    folder.write(
        "games/nights/rules.rhai",
        "fn game() { table.night += 1; players.first.may(\"rest\"); if table.night == 3 { throw \"dawn\"; } }\n",
    );
    let way = "`houserule play nights -p 2 -s 1`, then `until end`, `campaign next`, `until end`, `campaign next`, `until end`";
    let told = told_in(&folder, &["check", "nights"], "");
    says(&told, 1, &["dawn", way]);
    let lines = "until end\ncampaign next\nuntil end\ncampaign next\nuntil end\n";
    says(
        &told_in(&folder, &["play", "nights", "-p", "2", "-s", "1"], lines),
        1,
        &["night  3", "the rules gave up: dawn"],
    );
    // A first game alone has nothing that fails.
    folder.write("games/nights/game.toml", definition);
    says(&told_in(&folder, &["check", "nights"], ""), 0, &["0 errors"]);
}

#[test]
fn the_lab_goes_on_from_a_file() {
    let folder = saved();
    let sim = |args: &[&str]| told_in(&folder, &[&["sim", "wreck-divers", "-n", "40"], args].concat(), "");
    let first = sim(&["-p", "2", "--json"]);
    let next = sim(&["--from", "dive-1.toml", "--json"]);
    assert!(!first.stdout.contains("\"kept\"") && next.stdout.contains("\"kept\""), "{}", next.stdout);
    assert!(next.stdout.contains("campaign dive 1, p1.knife yes, p1.scars 0, p1.score 9"), "{}", next.stdout);
    says(&sim(&["--from", "dive-1.toml"]), 0, &["2 players", "next game of a campaign · 40 games"]);
    says(&sim(&["--from", "dive-1.toml", "-p", "3"]), 2, &["2 players played this campaign, not 3"]);
    // Who has 9 coins already and a knife wins more than half.
    let share = |told: &Told| {
        let figures: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
        let figures = figures["figures"].as_array().unwrap().clone();
        let wins = figures.into_iter().find(|figure| figure["id"] == "p1.win").unwrap();
        wins["mean"]["estimate"].as_f64().unwrap()
    };
    assert!(share(&next) > share(&first) + 0.2, "{} {}", share(&next), share(&first));
}

/// Two games that begin with the same, but with other chance, are two games: to quit, and where a session is killed.
#[cfg(unix)]
#[test]
fn a_killed_session_stands_behind_the_border() {
    use crate::sessions::terminal::Person;
    let folder = Folder::new();
    let mut person = Person::at(&folder, DIVE, 80);
    person.sees("dive or surface › ");
    person.types("until end", "the game is over", "over › ");
    person.types("campaign next 9", "seed 9", "dive or surface › ");
    person.types("save nine.toml", "saved", "dive or surface › ");
    person.types("undo", "took back: campaign", "over › ");
    person.types("campaign next 10", "seed 10", "dive or surface › ");
    person.types("quit", "this game is not saved", "dive or surface › ");
    person.ends_by(rustix::process::Signal::KILL);
    says(&told_in(&folder, &["play", "--resume"], "save ten.toml\n"), 0, &["seed 10", "dive   2", "saved"]);
    let (nine, ten) = (folder.read("nine.toml"), folder.read("ten.toml"));
    assert!(nine.contains("seed     = 9") && ten.contains("seed     = 10"), "{nine}\n{ten}");
}
