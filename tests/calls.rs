//! A run that takes the results of calls from its cache is the run that makes the calls: in every game, under any
//! variants, on copies and on what a seat imagines, to the last unit.

use crate::random_games::case::{Case, games};
use crate::shared::small_game;
use crate::shared::threads::in_threads;
use houserule::agent::Random;
use houserule::lab::coverage::{CallCounts, StepCounts};
use houserule::script::appraisal::Appraiser;
use houserule::script::machine::counts::RunHook;
use houserule::script::machine::dependencies::WordEffect;
use houserule::script::machine::packed::{Packed, PackedSeats};
use houserule::script::machine::value::{RegisterValue, TextTable};
use houserule::script::machine::words::{Arguments, NativeWord, natives};
use houserule::script::rules::{Rules, Run};
use houserule::script::sorts::Sort;
use houserule::script::vocabulary::words;
use houserule::script::{End, Start};
use houserule::table::chance::Stream;
use houserule::table::choices::Choices;
use houserule::table::data::Data;
use houserule::table::decision::{Answerer, Halt, NoAnswerer, Play, Question};
use houserule::table::event::Event;
use houserule::table::value::{Component, Seat, Value, Zone};
use houserule::table::{Recording, State, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const CASES: u32 = 6;

/// So many decisions of a game are looked at, and so far what is imagined goes on.
const DECISIONS: usize = 400;
const BEYOND: usize = 12;

/// Answers each decision by its number alone.
struct ByNumber {
    seed: u64,
    /// The number of the decision that is left open.
    stop: usize,
}

impl Answerer for ByNumber {
    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        let number = table.decisions();
        if number >= self.stop {
            return Err(Halt::Open);
        }
        Random::new(self.seed + number as u64).answer(table, question, chosen)
    }
}

/// All that can be told of a run.
#[derive(Debug, PartialEq)]
struct Told {
    end: End,
    units: u64,
    decisions: usize,
    table: State,
    events: Vec<Event>,
}

fn go_on(rules: &Rules, run: &mut Run, seed: u64, stop: usize, hook: Option<&mut dyn RunHook>) -> Told {
    let mut answers = ByNumber { seed, stop };
    let end = match hook {
        Some(hook) => rules.resume_with_hook(run, &mut answers, hook),
        None => rules.resume(run, &mut answers),
    };
    Told {
        end,
        units: run.units(),
        decisions: run.table.decisions(),
        table: run.table.state().clone(),
        events: run.table.recorded().to_vec(),
    }
}

fn begin(rules: &Rules, seed: u64) -> Run {
    let mut run = rules.begin(&Start::Game, seed);
    run.table.record(Recording::default());
    run
}

/// Plays a case with the cache, and without it because every step is counted. Gives the number of decisions.
fn compare(game: &str, number: u32) -> Result<usize, String> {
    let (case, loaded) = Case::load(game, number)?;
    let (rules, seed) = (&loaded.rules, case.seed);
    let [mut run, mut counted, mut plain] = [(); 3].map(|()| begin(rules, seed));
    run.cache_eagerly();
    counted.cache_eagerly();
    let (mut calls, mut steps) = (CallCounts::new(rules), StepCounts::new(rules));
    calls.begin_game();
    steps.begin_game();
    let mut scratch = begin(rules, seed);
    scratch.cache_eagerly();
    let mut appraiser = Appraiser::default();
    for decision in 1..=DECISIONS {
        let by_cache = go_on(rules, &mut run, seed, decision, None);
        let by_steps = go_on(rules, &mut plain, seed, decision, Some(&mut steps));
        let differs = |what: &str| Err(format!("{case}: {what} at decision {decision}"));
        if by_cache != by_steps {
            return differs("the run with the cache is another");
        }
        if go_on(rules, &mut counted, seed, decision, Some(&mut calls)) != by_steps {
            return differs("the counted run with the cache is another");
        }
        if calls.now() != steps.calls.now() {
            return differs("other calls are counted");
        }
        let judged = |appraiser: &mut Appraiser| {
            let [mut worths, mut points] = [Vec::new(), Vec::new()];
            rules.seat_values(&run.table, appraiser, &mut worths);
            let is_known = rules.standings(&run.table, appraiser, &mut points);
            (worths, points, is_known)
        };
        if judged(&mut appraiser) != judged(&mut Appraiser::default()) {
            return differs("the table is judged otherwise by whoever has judged others");
        }
        if by_cache.end != End::Halted(Halt::Open) {
            return Ok(decision);
        }
        // What is tried again and again from copies on which what a seat does not know is another each time.
        if decision % 7 == 0 {
            let mut stream = Stream::named(seed, "imagined", decision as u32);
            let mut imagined = run.clone();
            imagined.table.imagine(Some(Seat(stream.below(case.seats) as u8)), &mut stream);
            scratch.clone_from(&imagined);
            let stop = decision + BEYOND;
            let tried = go_on(rules, &mut scratch, seed, stop, None);
            if tried != go_on(rules, &mut imagined, seed, stop, Some(&mut StepCounts::new(rules))) {
                return differs("what is tried comes to something else");
            }
        }
    }
    Ok(DECISIONS)
}

#[test]
fn that_are_remembered_are_as_if_they_were_made() {
    let cases: Vec<(String, u32)> =
        games().into_iter().flat_map(|game| (0..CASES).map(move |number| (game.clone(), number))).collect();
    let compared = in_threads(&cases, |(game, number)| compare(game, *number));
    let wrong: Vec<&String> = compared.iter().filter_map(|done| done.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let decisions: usize = compared.iter().flatten().sum();
    assert!(decisions > 5_000, "{decisions}");
}

/// What is known of functions before anything runs: whether they only look, and whether it is known what they depend on.
#[test]
fn are_known_by_what_their_functions_do() {
    let functions = [
        ("fn lies(p) { p.hand.len }", true, true),
        ("fn of_all() { players.sum_of(|p| p.coins) }", true, true),
        ("fn both(p, card) { lies(p) + card.number + if card.side_name == \"day\" { 1 } else { 0 } }", true, true),
        ("fn owned(p) { deck.owned_by(p).having(\"color\", \"red\").first }", true, true),
        ("fn in_rows(p) { p.rows.filled.map(|row| row.last.number) }", true, true),
        ("fn where_it_lies(card) { card.zone }", false, false),
        ("fn time() { clock() }", false, false),
        ("fn named(p) { `the hand of ${p}` }", false, false),
        ("fn lot() { draw_number(\"lot\", 1, 6) }", false, false),
        ("fn asks(p) { p.choose(\"which\", [1, 2]) }", false, false),
        ("fn awards(p) { p.award(lies(p), \"hand\"); }", false, true),
        ("fn sets(p) { p.coins = 2; table.turns += 1; }", false, true),
        ("fn moves(p) { p.hand.move_to(deck); }", false, true),
        ("fn counts_down(n) { if n == 0 { 0 } else { counts_down(n - 1) } }", false, false),
        ("fn of_what_is_held(p) { for card in [p.hand.first] { return card.number; } 0 }", true, true),
    ];
    let rules = functions.map(|(function, ..)| function).join("\n");
    let ruleset = small_game::game("small", small_game::GAME, format!("fn game() {{}}\n{rules}")).unwrap();
    let rules = Rules::new(ruleset, 3, Arc::default()).unwrap_or_else(|errors| panic!("{}", errors.render(false)));
    for (function, is_pure, is_known) in functions {
        let name = function.trim_start_matches("fn ").split('(').next().unwrap();
        let number = rules.functions().iter().position(|info| info.name == name).unwrap();
        let found = &rules.code().dependencies[number];
        assert_eq!((found.is_pure, found.is_known()), (is_pure, is_known), "{function}");
    }
}

/// The zones that a value is, and those around the components that it is; out of play, one more than there are.
fn places(value: &RegisterValue, table: &Table) -> BTreeSet<usize> {
    let around = |one: &Component| table.place(*one).map_or(table.layout().zones.len(), Zone::index);
    let mut found: BTreeSet<usize> =
        value.zones().iter().flat_map(|list| list.iter()).map(|zone| zone.index()).collect();
    found.extend(value.components().iter().flat_map(|list| list.iter()).map(around));
    match value {
        RegisterValue::Zone(zone) => drop(found.insert(zone.get().index())),
        RegisterValue::Component(component) => drop(found.insert(around(&component.get()))),
        RegisterValue::List(list) => found.extend(list.entries().iter().flat_map(|entry| places(entry, table))),
        RegisterValue::Option(_) | RegisterValue::Chosen(_) | RegisterValue::Options(_) => {
            let all = match value {
                RegisterValue::Options(options) => options.iter().collect(),
                other => vec![Value::Parts(other.parts().unwrap().into_owned())],
            };
            found.extend(all.iter().flat_map(Value::components).map(|one| around(&one)));
        }
        _ => {}
    }
    found
}

/// Any value of a sort, or any at all.
fn any(sort: Option<Sort>, texts: &TextTable, table: &Table, stream: &mut Stream) -> RegisterValue {
    let layout = table.layout();
    let (zones, components) = (layout.zones.len(), layout.faces.len());
    let zone = |stream: &mut Stream| Zone(stream.below(zones) as u16);
    let component = |stream: &mut Stream| Component(stream.below(components) as u16);
    let seat = |stream: &mut Stream| Seat(stream.below(layout.seats) as u8);
    // The cells of the board come together more often than by chance.
    let cells = |stream: &mut Stream| -> Vec<Zone> {
        let first = layout.zone_named("board.a1").map_or(0, Zone::index);
        let skipped = if stream.below(2) == 0 { 0 } else { first };
        let mut all: Vec<Zone> = (skipped..zones).map(|zone| Zone(zone as u16)).collect();
        stream.shuffle(&mut all);
        all.truncate(1 + stream.below(zones - skipped));
        all.sort();
        all
    };
    match sort {
        Some(Sort::Number) => RegisterValue::Number(stream.below(5) as i64),
        Some(Sort::Truth) => RegisterValue::truth(stream.below(2) == 0),
        Some(Sort::Text) => {
            let known =
                ["number", "color", "red", "side", "value", "card", "coin", "home", "tea", "part", "b2", "colors"];
            texts.of_str(known[stream.below(known.len())])
        }
        Some(Sort::Component) => RegisterValue::component(component(stream)),
        Some(Sort::Components) => {
            let list: Vec<Component> =
                (0..components).map(|one| Component(one as u16)).filter(|_| stream.below(4) == 0).collect();
            RegisterValue::of_components(&list)
        }
        Some(Sort::Zone) => RegisterValue::zone(zone(stream)),
        Some(Sort::Zones) => RegisterValue::of_zones(&cells(stream)),
        Some(Sort::Player | Sort::PlayerOrNobody) => RegisterValue::player(seat(stream)),
        Some(Sort::Nobody) => RegisterValue::Nobody,
        Some(Sort::Players) => {
            let all: Vec<Seat> =
                (0..layout.seats).map(|seat| Seat(seat as u8)).filter(|_| stream.below(3) > 0).collect();
            RegisterValue::Players(PackedSeats::of(&all))
        }
        Some(Sort::List) => {
            let of =
                [Sort::Number, Sort::Text, Sort::Component, Sort::Zone, Sort::Zones, Sort::Components, Sort::Player];
            let of = of[stream.below(of.len())];
            let entries = (0..stream.below(4)).map(|_| any(Some(of), texts, table, stream)).collect();
            RegisterValue::of_list(entries).unwrap()
        }
        Some(Sort::Data) => RegisterValue::Data(Packed::of(Data(stream.below(3) as u32))),
        Some(Sort::Range) => RegisterValue::range(0, stream.below(4) as i64, true),
        Some(Sort::Options) => RegisterValue::Options(Arc::new(options(table, stream))),
        Some(Sort::Option) => texts.of_choice(&Arc::new(options(table, stream)), 0),
        _ => {
            let of =
                [Sort::Number, Sort::Text, Sort::Component, Sort::Player, Sort::Zone, Sort::Components, Sort::Players];
            any(Some(of[stream.below(of.len())]), texts, table, stream)
        }
    }
}

fn options(table: &Table, stream: &mut Stream) -> Choices {
    let of = Component(stream.below(table.layout().faces.len()) as u16);
    Choices::acts("place", "part", houserule::table::words::Components::from(&[of][..])).unwrap()
}

/// Changes whatever lies elsewhere than in these zones, by chance, and all that is no zone.
fn change_elsewhere(table: &mut Table, kept: &BTreeSet<usize>, stream: &mut Stream) {
    let layout = table.layout().clone();
    let out_of_play = layout.zones.len();
    for _ in 0..12 {
        let component = Component(stream.below(layout.faces.len()) as u16);
        let other = Component(stream.below(layout.faces.len()) as u16);
        let around = |table: &Table, one| table.place(one).map_or(out_of_play, Zone::index);
        let to = stream.below(out_of_play + 1);
        if kept.contains(&around(table, component)) || kept.contains(&to) {
            continue;
        }
        let seat = Seat(stream.below(layout.seats) as u8);
        let _ = match stream.below(6) {
            0..=2 if to == out_of_play => table.take_out(component),
            0..=2 => table.move_to(component, Zone(to as u16), None),
            3 => table.set_owner(component, Some(seat)),
            4 => table.flip(component).or_else(|_| table.roll(component)),
            _ => {
                if !kept.contains(&around(table, other)) {
                    table.swap_fronts(component, other);
                }
                Ok(())
            }
        };
    }
    let seat = Seat(stream.below(layout.seats) as u8);
    let _ = table.award(seat, 1, "game");
    let _ = table.begin_turn(seat);
    let _ = table.begin_round();
    let _ = table.busy_for(seat, stream.below(9) as i64);
}

/// What a word gives where everything has changed that it must not depend on, and what it leads to.
fn misses(native: &NativeWord, texts: &TextTable, laid: &Table, stream: &mut Stream) -> Result<bool, String> {
    let mut table = laid.clone();
    change_elsewhere(&mut table, &BTreeSet::new(), stream);
    let registers: Vec<RegisterValue> = native.takes.iter().map(|sort| any(*sort, texts, &table, stream)).collect();
    let given = Arguments { registers: &registers, constants: &[], at: &[0, 1, 2, 3, 4, 5], texts };
    let call = |table: &mut Table| (native.body)(&mut Play { table, answers: &mut NoAnswerer }, &given);
    let kept: BTreeSet<usize> = registers.iter().flat_map(|value| places(value, &table)).collect();
    let before = table.snapshot();
    let first = call(&mut table);
    if *table.state() != before {
        return Err(format!("{} changes the table: {registers:?}", native.name));
    }
    if let Ok(value) = &first {
        let led_to = places(value, &table);
        if !led_to.is_subset(&kept) {
            return Err(format!("{} leads from {registers:?} to {value:?}", native.name));
        }
    }
    change_elsewhere(&mut table, &kept, stream);
    let second = call(&mut table);
    match (&first, &second) {
        (Err(_), Err(_)) => Ok(false),
        (Ok(one), Ok(other)) if format!("{one:?}") == format!("{other:?}") => Ok(true),
        _ => Err(format!("{} depends on something else: {registers:?} give {first:?} and {second:?}", native.name)),
    }
}

/// What is taken for a word that only looks at its arguments is one, and leads to nothing that these do not hold.
#[test]
fn of_words_that_only_look_depend_on_their_arguments() {
    let rules = format!("fn game() {{ lay(); }}\n{}", crate::examples::LAY);
    let ruleset = small_game::game("examples", crate::examples::GAME, rules).unwrap();
    let rules = Rules::new(ruleset, 3, Arc::default()).unwrap_or_else(|errors| panic!("{}", errors.render(false)));
    let laid = rules.play(&Start::Game, 1, &mut Random::new(1), None).0.table;
    let forms = words().flat_map(|word| {
        let called = (word.parameters.len()..=word.parameters.len() + 1).map(|count| natives().forms(word.name, count));
        let called: Vec<&NativeWord> = called.flat_map(|forms| forms.all().collect::<Vec<_>>()).collect();
        called.into_iter().chain(natives().properties(word.name).map(|(_, native)| native))
    });
    let looking: BTreeMap<String, &NativeWord> = forms
        .filter(|native| native.effect == WordEffect::None)
        .map(|native| (format!("{} {:?}", native.name, native.takes), native))
        .collect();
    assert!(looking.len() > 150, "{}", looking.len());
    let (mut never, mut wrong) = (Vec::new(), BTreeMap::new());
    for (form, native) in looking {
        let mut stream = Stream::named(1, &form, 0);
        let mut fine = 0;
        for _ in 0..400 {
            match misses(native, &rules.code().texts, &laid, &mut stream) {
                Ok(is_fine) => fine += usize::from(is_fine),
                Err(what) => drop(wrong.insert(form.clone(), what)),
            }
        }
        if fine == 0 {
            never.push(form);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(never.is_empty(), "always an error: {never:#?}");
}
