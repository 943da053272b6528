//! Whole games, written down as a diary and pinned: whatever a change does to the rules or to chance shows up here.
//!
//! `HOUSERULE_BLESS=1 cargo test --test all golden` writes the diaries anew.

use houserule::agent::Random;
use houserule::playthrough::run::Until;
use houserule::playthrough::{Playable, Playthrough};
use houserule::ruleset::Ruleset;
use houserule::table::decision::Decision;
use houserule::table::event::EventData;
use houserule::table::value::{Component, Value, Zone};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::shared::golden_games::{GOLDEN, Golden};

/// Of a campaign so many games are told.
const CAMPAIGN: usize = 3;

#[test]
fn diaries_are_as_written() {
    let bless = std::env::var_os("HOUSERULE_BLESS").is_some();
    for golden in &GOLDEN {
        let path = folder().join(golden.file);
        let diary = golden.diary();
        if bless {
            std::fs::write(&path, &diary).unwrap();
        }
        let pinned = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        if let Some(line) = first_difference(&pinned, &diary) {
            panic!(
                "{} differs from line {line} on:\n  pinned {}\n  played {}\nHOUSERULE_BLESS=1 writes it anew",
                golden.file,
                pinned.lines().nth(line - 1).unwrap_or("(nothing)"),
                diary.lines().nth(line - 1).unwrap_or("(nothing)"),
            );
        }
    }
}

#[test]
fn every_game_has_a_diary() {
    let games = houserule::Disk::library(vec![root()]).games();
    let without = games.iter().filter(|game| !GOLDEN.iter().any(|golden| golden.game == game.id));
    let without: Vec<&str> = without.map(|game| game.id.as_str()).collect();
    assert!(without.is_empty(), "no golden playthrough of {without:?}: add one to GOLDEN");
}

#[test]
fn no_diary_is_forgotten() {
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(GOLDEN.iter().any(|golden| golden.file == name), "tests/golden/{name} is pinned by no test");
    }
    for golden in &GOLDEN {
        assert!(golden.file.starts_with(&format!("{}.", golden.game)), "{}", golden.file);
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn folder() -> PathBuf {
    root().join("tests/golden")
}

fn first_difference(one: &str, other: &str) -> Option<usize> {
    let lines = one.lines().count().max(other.lines().count());
    (0..lines).find(|&line| one.lines().nth(line) != other.lines().nth(line)).map(|line| line + 1)
}

impl Golden {
    /// The whole game, or the first games of a campaign, told.
    fn diary(&self) -> String {
        let ruleset = Arc::new(Ruleset::load(&houserule::Disk::library(vec![root()]), &self.selection()).unwrap());
        let loaded = Playable::compile(ruleset, self.players, Arc::default()).unwrap();
        let (mut game, _) = Playthrough::start(loaded, self.players, self.seed, Vec::new()).unwrap();
        let mut title = vec![self.game.to_owned()];
        title.extend((!self.variants.is_empty()).then(|| self.variants.join(", ")));
        title.extend([format!("{} players", self.players), format!("seed {}", self.seed)]);
        let mut text = format!("{}\n", title.join(" · "));
        for number in 1..=CAMPAIGN {
            game.advance(Box::new(Random::new(game.seed)), Until::End).unwrap();
            assert!(game.position().failed.is_none(), "{:?}", game.position().failed);
            let mut diary = Diary { game: &game, text, turns: 0, moving: None };
            diary.tell();
            text = diary.text;
            if number == CAMPAIGN || !game.has_next() {
                break;
            }
            game.next_game(None, game.seed + 1).unwrap();
            writeln!(text, "\n\nthe next game · seed {}", game.seed).unwrap();
        }
        text
    }
}

/// What happened in a game, in words.
struct Diary<'a> {
    game: &'a Playthrough,
    text: String,
    turns: usize,
    /// Components on the same way, not told yet.
    moving: Option<Moving>,
}

struct Moving {
    from: Option<Zone>,
    to: Option<Zone>,
    components: Vec<Component>,
}

impl Diary<'_> {
    fn tell(&mut self) {
        let position = self.game.position();
        for event in &position.events {
            if let EventData::Move { component, from, to, .. } = event.what {
                self.follow(component, from, to);
                continue;
            }
            self.tell_moves();
            match &event.what {
                EventData::Phase { name: phase } => self.line(format_args!("\n{phase}")),
                EventData::Round { number: round } => self.line(format_args!("\nround {round}")),
                EventData::Turn { seat } => {
                    self.turns += 1;
                    let turn = self.turns;
                    self.line(format_args!("\nturn {turn} · {seat}"));
                }
                EventData::Choice { decision, chosen, .. } => self.line(format_args!("  {}", told(decision, chosen))),
                EventData::Shuffle { zone, .. } => self.line(format_args!("  shuffle {}", self.zone(Some(*zone)))),
                EventData::Roll { die, value } => self.line(format_args!("  roll {} {value}", self.component(*die))),
                EventData::Lot { stream, value } => self.line(format_args!("  lot {stream} {}", self.label(value))),
                EventData::Set { variable, value } => {
                    let id = &self.game.loaded().layout.variables[*variable].id;
                    self.line(format_args!("  {id} = {}", self.label(value)));
                }
                EventData::Award { seat, points, reason, score, .. } => {
                    self.line(format_args!("  {seat} {points:+} {reason}, now {score}"));
                }
                EventData::Note { text, values } => {
                    let values: Vec<String> = values.iter().map(|value| self.label(value)).collect();
                    let said = [&**text, &values.join(" ")].join(" ");
                    self.line(format_args!("  {}", said.trim_end()));
                }
                EventData::Side { component, side } => {
                    self.line(format_args!("  turn {} {side}", self.component(*component)))
                }
                EventData::Reveal { component, .. } => {
                    self.line(format_args!("  reveal {}", self.component(*component)))
                }
                EventData::Show { component, seat, .. } => {
                    self.line(format_args!("  show {} to {seat}", self.component(*component)))
                }
                EventData::ShowChoice { seat, prompt, to, .. } => {
                    let to = to.map_or_else(|| "all".to_owned(), |to| to.to_string());
                    self.line(format_args!("  show {seat} {prompt} to {to}"))
                }
                EventData::Intervention { entry } if entry.as_ref() == "campaign" => self.line(format_args!("  kept")),
                EventData::Intervention { entry } => self.line(format_args!("  by hand: {entry}")),
                // The table at the end tells the rest.
                _ => {}
            }
        }
        self.tell_moves();
        self.line(format_args!("\nat the end"));
        for (zone, held) in self.game.loaded().layout.zones.iter().zip(position.table.zones.iter()) {
            if !held.is_empty() {
                self.line(format_args!("  {}: {}", zone.id, self.components(held)));
            }
        }
        let mut rank = 1;
        for seats in &position.ranking {
            let seats: Vec<String> = seats.iter().map(ToString::to_string).collect();
            let score = position.scores[seats[0][1..].parse::<usize>().unwrap() - 1];
            self.line(format_args!("  rank {rank}: {} with {score}", seats.join(", ")));
            rank += seats.len();
        }
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{line}").unwrap();
    }

    /// Components that go the same way one after the other are told together.
    fn follow(&mut self, component: Component, from: Option<Zone>, to: Option<Zone>) {
        if let Some(moving) = self.moving.as_mut().filter(|moving| (moving.from, moving.to) == (from, to)) {
            return moving.components.push(component);
        }
        self.tell_moves();
        self.moving = Some(Moving { from, to, components: vec![component] });
    }

    fn tell_moves(&mut self) {
        let Some(moving) = self.moving.take() else { return };
        let (from, to) = (self.zone(moving.from), self.zone(moving.to));
        self.line(format_args!("  {from} → {to}: {}", self.components(&moving.components)));
    }

    fn zone(&self, zone: Option<Zone>) -> String {
        zone.map_or("nowhere".to_owned(), |zone| self.label(&Value::Zone(zone)))
    }

    fn components(&self, components: &[Component]) -> String {
        components.iter().map(|&component| self.component(component)).collect::<Vec<_>>().join(" ")
    }

    fn component(&self, component: Component) -> String {
        self.label(&Value::Component(component))
    }

    fn label(&self, value: &Value) -> String {
        self.game.loaded().layout.label(&self.game.position().table.faces, value)
    }
}

/// Who was asked what, and every option, with what was chosen in brackets.
fn told(decision: &Decision, chosen: &[usize]) -> String {
    let who = decision.seat.map_or(String::new(), |seat| format!("{seat} "));
    let purpose = decision.purpose.as_ref().map_or(String::new(), |purpose| format!(" for {purpose}"));
    let option = |(position, label): (usize, &String)| {
        if chosen.contains(&position) { format!("[{label}]") } else { label.clone() }
    };
    let options = decision.options.iter().map(|option| &option.label).enumerate().map(option);
    format!("{who}{}{purpose}: {}", decision.prompt, options.collect::<Vec<_>>().join(", "))
}
