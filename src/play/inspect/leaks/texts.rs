//! Leak tests of the texts that scripts show on the table: marks, notes and standings.

use super::first::Moment;
use super::{Leak, LeakTestStop, MAX_SAMPLES_PER_GAME, leak_result};
use crate::playthrough::worked_out;
use crate::script::rules::Rules;
use crate::table::chance::Stream;
use crate::table::event::{EventData, ScriptPoint};
use crate::table::knowledge::{InformationLeak, ObservedPosition, Viewer};
use crate::table::value::{Seat, Seats, Value, Zone};
use crate::table::{State, Table};

/// Compares the texts on tables that look the same to a seat. Returns the number of moments compared.
pub(super) fn hunt(rules: &Rules, seed: u64, moments: &[Moment]) -> Result<usize, LeakTestStop> {
    let layout = rules.layout().clone();
    let definition = &layout.definition;
    let has_texts =
        definition.standing.is_some() || definition.zones.iter().any(|zone| zone.mark.is_some() || zone.note.is_some());
    if !has_texts {
        return Ok(0);
    }
    let mut stream = Stream::named(seed, "texts", 0);
    let step = moments.len().div_ceil(MAX_SAMPLES_PER_GAME).max(1);
    let mut compared = 0;
    for (number, moment) in moments.iter().enumerate().step_by(step) {
        let was = texts(rules, seed, &moment.table);
        for seat in Seats::all(layout.seats) {
            let mut other = moment.table.clone();
            other.determinize(&layout, seat, &mut stream);
            let now = texts(rules, seed, &other);
            let eyes = ObservedPosition::of(&layout, &moment.table, None, &[], Viewer::Seat(seat));
            let is_told = |text: &&Text| match text.of {
                TextOwner::Zone(zone) => eyes.sees_all(zone),
                TextOwner::Seat(seat) => eyes.sees_standing_of(seat),
            };
            let told = was.iter().filter(is_told).zip(now.iter().filter(is_told));
            if let Some((was, now)) = told.into_iter().find(|(was, now)| was.words != now.words) {
                let what = InformationLeak { kind: "texts", was: was.words.clone(), would_be: now.words.clone() };
                let prompt = moment.asked.heard.prompt.clone();
                leak_result(Some(Leak { seat, decision: number + 1, prompt, what, at: ScriptPoint::default() }))?;
            }
        }
        compared += 1;
    }
    Ok(compared)
}

/// A text of the scripts about a zone or a seat.
struct Text {
    of: TextOwner,
    words: String,
}

enum TextOwner {
    Zone(Zone),
    Seat(Seat),
}

fn texts(rules: &Rules, seed: u64, table: &State) -> Vec<Text> {
    let layout = rules.layout();
    let mut laid = Table::new(layout.clone(), seed);
    laid.restore(table.clone());
    let worked = worked_out(rules, &laid, true);
    let zones = worked.captions.into_iter().map(|caption| {
        let said =
            |value: &Option<Value>| value.as_ref().map_or_else(String::new, |value| layout.label(&table.faces, value));
        let words =
            format!("{} {} {}", said(&caption.mark), layout.zones[caption.zone.index()].id, said(&caption.note));
        Text { of: TextOwner::Zone(caption.zone), words: words.trim().to_owned() }
    });
    let mut texts: Vec<Text> = zones.collect();
    for (seat, awards) in Seats::all(layout.seats).into_iter().zip(worked.standings) {
        let points = awards.iter().filter_map(|event| match &event.what {
            EventData::Award { points, reason, .. } => Some(format!("{points:+} {reason}")),
            _ => None,
        });
        texts.push(Text {
            of: TextOwner::Seat(seat),
            words: format!("{seat} {}", points.collect::<Vec<_>>().join(", ")),
        });
    }
    texts
}
