//! A table is plain data: it can be copied at any moment, an open decision included, and gone on with.

use houserule::agent::Random;
use houserule::ruleset::{Ruleset, Selection};
use houserule::table::chance::Stream;
use houserule::table::decision::{Answerer, Halt, NoAnswerer, Options, Play, Question};
use houserule::table::event::EventData;
use houserule::table::layout::Layout;
use houserule::table::value::{Component, Seat, Seats, Value, Zone};
use houserule::table::{Fault, Recording, Table};
use std::collections::HashMap;
use std::sync::Arc;

fn table(game: &str, seats: usize) -> Table {
    let library = houserule::Disk::library(vec![env!("CARGO_MANIFEST_DIR").into()]);
    let ruleset = Ruleset::load(&library, &Selection { game: game.into(), ..Selection::default() }).unwrap();
    Table::new(Arc::new(Layout::new(ruleset.definition.clone(), &ruleset.settings, seats)), 42)
}

fn yes_or_no(seat: Seat) -> Question<'static> {
    Question {
        seat: Some(seat),
        prompt: "shoot_the_moon",
        purpose: None,
        setting: None,
        secret: true,
        by_clock: None,
        deadline: None,
        options: Options::YesNo,
        min: 1,
        max: 1,
        refused: &[],
    }
}

#[test]
fn a_table_goes_to_another_thread() {
    fn is_plain_data<T: Clone + Send + 'static>(_: &T) {}
    let mut table = table("hearts", 4);
    is_plain_data(&table);
    let deck = table.layout().zone_named("deck").unwrap();
    let card = table.component_named("spades-12").unwrap();
    let mut copy = table.clone();
    let copy = std::thread::spawn(move || {
        copy.move_to(card, deck, None).unwrap();
        copy
    });
    let copy = copy.join().unwrap();
    assert_eq!((table.place(card), copy.place(card)), (None, Some(deck)));
    assert_eq!((table.changes(), copy.changes()), (0, 1));
    table.restore(copy.snapshot());
    assert_eq!(table.state(), copy.state());
}

/// However cards are put in order, it is the order that a comparison of each with each gives, and equals stay as they lay.
#[test]
fn components_are_sorted_by_what_stands_on_them() {
    for game in ["ftw", "hearts", "overflow", "playme"] {
        let table = table(game, 4);
        let layout = table.layout().clone();
        let mut stream = Stream::named(1, game, 0);
        let mut list: Vec<Component> = layout.faces.iter().filter_map(|face| table.component_named(&face.id)).collect();
        for (attribute, name) in layout.attributes.iter().enumerate() {
            for length in (0..=list.len()).chain([3, 5, 8, 13]) {
                stream.shuffle(&mut list);
                let some = &list[..length];
                let mut expected = some.to_vec();
                expected.sort_by_key(|&component| table.face_value(component, attribute));
                assert_eq!(*table.sorted(some, attribute), *expected, "{game}, {name}");
            }
        }
    }
}

#[test]
fn an_open_decision_is_put_again_to_copies_as_if_it_had_not_been_put() {
    let seat = Seat::from_number(2).unwrap();
    let mut left_open = table("hearts", 4);
    left_open.record(Recording::default());
    let halt = Play { table: &mut left_open, answers: &mut NoAnswerer }.decide(&yes_or_no(seat)).map(drop);
    assert_eq!(halt, Err(Fault::Halt(Halt::Open)));
    assert_eq!(left_open.open().unwrap().number, 1);

    let answered = |mut table: Table, seed: u64| {
        table.reopen();
        assert!(table.halt().is_none() && table.open().is_none());
        let mut answers = Random::new(seed);
        let chosen = Play { table: &mut table, answers: &mut answers }.decide(&yes_or_no(seat)).unwrap().to_vec();
        (chosen, table.decisions(), table.changes(), table.recorded().to_vec(), table.snapshot())
    };
    let first = answered(left_open.clone(), 1);
    assert_eq!(first, answered(left_open.clone(), 1), "twice the same");
    assert_eq!((first.1, first.2), (1, 1));
    assert_eq!(first.4.known.choices.len(), 1);
    let others: Vec<_> = (2..12).map(|seed| answered(left_open.clone(), seed).0).collect();
    assert!(others.iter().any(|chosen| *chosen != first.0), "and otherwise, where somebody answers otherwise");
}

#[test]
fn who_acts_next_is_drawn_once_however_often_it_is_asked() {
    let seats = Seats::all(4);
    let mut table = table("overflow", 4);
    table.record(Recording::default());
    let mut straight = table.clone();
    let mut first_asked = Vec::new();
    for _ in 0..12 {
        for _ in 0..3 {
            let asked = Play { table: &mut table, answers: &mut NoAnswerer }.next_to_act("next_to_act", seats);
            assert_eq!(asked, Err(Fault::Halt(Halt::Open)));
            first_asked.push(table.open().unwrap().by_clock);
            table.reopen();
        }
        let one = Play { table: &mut table, answers: &mut Random::new(1) }.next_to_act("next_to_act", seats).unwrap();
        let other = Play { table: &mut straight, answers: &mut Random::new(1) }.next_to_act("next_to_act", seats);
        assert_eq!(Ok(one), other);
        table.busy_for(one, 1_000).unwrap();
        straight.busy_for(one, 1_000).unwrap();
    }
    assert_eq!(table.recorded(), straight.recorded());
    let by_clock = |event: &houserule::table::event::Event| match &event.what {
        EventData::Choice { decision, .. } => Some(decision.by_clock),
        _ => None,
    };
    let chosen: Vec<_> = straight.recorded().iter().filter_map(by_clock).collect();
    assert_eq!(first_asked.iter().step_by(3).copied().collect::<Vec<_>>(), chosen);
    assert!(first_asked.chunks(3).all(|asked| asked.windows(2).all(|pair| pair[0] == pair[1])));
}

/// Pauses the run at every question.
struct Pausing;

impl Answerer for Pausing {
    fn answer(&mut self, _table: &Table, _question: &Question<'_>, _chosen: &mut Vec<usize>) -> Result<(), Halt> {
        Err(Halt::Paused)
    }
}

#[test]
fn a_pause_leaves_no_trace() {
    let seat = Seat::from_number(1).unwrap();
    let mut table = table("hearts", 4);
    table.record(Recording::default());
    let mut straight = table.clone();
    let paused = Play { table: &mut table, answers: &mut Pausing }.decide(&yes_or_no(seat)).map(drop);
    assert_eq!(paused, Err(Fault::Halt(Halt::Paused)));
    assert!(table.open().is_none() && table.decisions() == 0 && table.changes() == 0);
    table.reopen();
    for table in [&mut table, &mut straight] {
        Play { table, answers: &mut Random::new(1) }.decide(&yes_or_no(seat)).unwrap();
    }
    assert_eq!((table.recorded(), table.halt()), (straight.recorded(), None));
    assert_eq!(table.take_events().len(), 1);
    assert!(table.recorded().is_empty() && table.record_bytes() == straight.record_bytes());
}

/// A measure is the game's own affair: it is summed whether anybody reads the events or not, goes on in a copy, and
/// changes nothing that lies on the table.
#[test]
fn what_rules_measure_is_summed() {
    let mut table = table("hearts", 4);
    let before = table.snapshot();
    table.measure("taken", i64::MAX).unwrap();
    table.record(Recording::default());
    table.measure("taken", i64::MAX).unwrap();
    let mut copy = table.clone();
    copy.measure("Länge.2", -4).unwrap();
    copy.measure("taken", 1).unwrap();
    let told = |table: &Table| {
        table.metrics().iter().map(|one| (one.name.to_string(), one.count, one.sum)).collect::<Vec<_>>()
    };
    let twice = 2 * i128::from(i64::MAX);
    assert_eq!(told(&table), [("taken".to_owned(), 2, twice)]);
    assert_eq!(told(&copy), [("taken".to_owned(), 3, twice + 1), ("Länge.2".to_owned(), 1, -4)]);
    assert_eq!(copy.state(), &before);
    assert_eq!(copy.changes(), 4, "a function that only looks may not measure");
    let told: Vec<_> = table.recorded().iter().map(|event| event.what.clone()).collect();
    assert_eq!(told, [EventData::Metric { name: "taken".into(), value: i64::MAX }]);

    for name in ["", "two words", "a,b", "a\nb", &"x".repeat(41)] {
        let fault = table.measure(name, 1).unwrap_err();
        assert!(fault.to_string().contains("cannot be the name of a metric"), "{fault}");
    }
    for number in 1..64 {
        table.measure(&format!("m{number}"), 0).unwrap();
    }
    assert!(table.measure("one-more", 0).unwrap_err().to_string().contains("more than 64 metrics"));
    table.measure("m63", 5).unwrap();
    assert_eq!(table.metrics().last().unwrap().sum, 5);
}

/// What lies in each zone, with its front, side and owner, and what each variable holds.
fn contents(table: &Table) -> Vec<String> {
    let state = table.state();
    let about = |one: &Component| {
        let place = one.index();
        format!("{place}: {} {} {:?}", state.faces[place], state.sides[place], state.owners[place])
    };
    let zones = state.zones.iter().map(|held| held.iter().map(about).collect::<Vec<_>>().join(", "));
    zones.chain(state.variables.iter().map(|value| format!("{value:?}"))).collect()
}

/// Does something to a table, by chance; what cannot be done is left.
fn change(table: &mut Table, others: &[Table], stream: &mut Stream) {
    let layout = table.layout().clone();
    let component = Component(stream.below(layout.faces.len()) as u16);
    let zone = Zone(stream.below(layout.zones.len()) as u16);
    let seat = Seat(stream.below(layout.seats) as u8);
    let other = &others[stream.below(others.len())];
    let _ = match stream.below(18) {
        0..=3 => table.move_to(component, zone, None),
        4 => table.take_out(component),
        5 => table.shuffle(zone),
        6 => table.roll(component),
        7 => table.pick_up(component),
        8 => table.flip(component),
        9 => table.set_owner(component, (stream.below(2) == 0).then_some(seat)),
        10 => table.award(seat, stream.below(3) as i64, "game"),
        11 => {
            let variable = stream.below(layout.variables.len());
            table.set_variable(variable, Value::Number(stream.below(4) as i64))
        }
        12 => {
            table.determinize(seat, stream);
            Ok(())
        }
        13 => {
            table.swap_fronts(component, Component(stream.below(layout.faces.len()) as u16));
            Ok(())
        }
        14 => {
            table.set_fronts(&other.fronts());
            Ok(())
        }
        15 => {
            table.restore(other.snapshot());
            Ok(())
        }
        16 => {
            table.become_copy(other);
            Ok(())
        }
        _ => {
            *table = other.clone();
            Ok(())
        }
    };
}

/// Of all tables, wherever they were copied from: what has one version is the same.
#[test]
fn what_has_one_version_is_the_same() {
    for game in ["playme", "hearts", "checkers", "liars-dice"] {
        let mut stream = Stream::named(1, game, 0);
        let mut tables = vec![table(game, if game == "hearts" { 4 } else { 2 }); 4];
        let mut known: HashMap<(usize, u64), String> = HashMap::new();
        let (mut kept, mut changed) = (0, 0);
        for _ in 0..20_000 {
            let mut table = tables.swap_remove(stream.below(tables.len()));
            let before: Vec<u64> = versions(&table);
            change(&mut table, &tables, &mut stream);
            let now = contents(&table);
            for (place, (version, content)) in versions(&table).into_iter().zip(now).enumerate() {
                kept += usize::from(before[place] == version);
                changed += usize::from(before[place] != version);
                let same = known.entry((place, version)).or_insert_with(|| content.clone());
                assert_eq!(*same, content, "{game}: {place} in version {version}");
            }
            let all = contents(&table).concat();
            let newest = versions(&table).into_iter().max().unwrap_or(0);
            let same = known.entry((usize::MAX, newest)).or_insert_with(|| all.clone());
            assert_eq!(*same, all, "{game}: everything, whose newest version is {newest}");
            tables.push(table);
        }
        assert!(kept > changed, "{game}: {kept} were kept, {changed} have changed");
    }
}

fn versions(table: &Table) -> Vec<u64> {
    let (zones, variables) = (table.layout().zones.len(), table.layout().variables.len());
    let places = (0..zones).chain(zones + 1..=zones + variables);
    places.map(|place| table.newest_version(&[place as u32])).collect()
}
