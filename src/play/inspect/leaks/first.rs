//! The first game of a leak test, recorded for comparison.

use super::{Leak, MAX_TESTED_DECISIONS};
use crate::agent::Random;
use crate::table::chance::{Chance, Stream};
use crate::table::decision::{Answerer, Halt, PublicQuestion, Question};
use crate::table::event::ScriptPoint;
use crate::table::knowledge::{InformationLeak, Message, ObservedPosition, ObservedValue, Viewer, messages};
use crate::table::value::{Seat, Seats, Value};
use crate::table::{State, Table};
use std::sync::Arc;

/// A decision of the first game.
pub(super) struct Moment {
    pub(super) asked: QuestionView,
    /// The options.
    pub(super) values: Vec<Value>,
    pub(super) chosen: Vec<usize>,
    pub(super) table: State,
    pub(super) chance: Chance,
    pub(super) scores: Vec<i64>,
    /// The messages to the asked seat since the previous decision.
    pub(super) told: Vec<Message>,
    /// The number of changes to the table before it.
    pub(super) changes: u64,
    pub(super) at: ScriptPoint,
}

/// A question with everything that its seat is told.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QuestionView {
    pub(super) heard: PublicQuestion,
    pub(super) limits: (usize, usize),
    pub(super) options: Vec<QuestionOption>,
    pub(super) refused: Vec<(QuestionOption, Arc<str>)>,
}

/// An option as the asked seat sees it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QuestionOption {
    label: String,
    pub(super) sight: ObservedValue,
}

impl QuestionView {
    pub(super) fn of(table: &Table, question: &Question<'_>) -> Self {
        let options = question.options.values();
        let refused = question.refused.iter();
        let eyes = question
            .seat
            .map(|seat| ObservedPosition::of(table.layout(), table.state(), None, &[], Viewer::Memory(seat)));
        let option = |value: &Value| QuestionOption {
            label: {
                let shown = table.shown_to(question.seat, value);
                eyes.as_ref().map_or_else(|| table.option_label(&shown), |eyes| eyes.label(&shown))
            },
            sight: ObservedValue::of(table.layout(), table.state(), question.seat, value),
        };
        Self {
            heard: PublicQuestion::of(table, question),
            limits: (question.min, question.max),
            options: options.iter().map(option).collect(),
            refused: refused.map(|(value, why)| (option(value), why.clone())).collect(),
        }
    }

    fn asked(&self) -> String {
        let PublicQuestion { seat, prompt, purpose, .. } = &self.heard;
        let who = seat.map_or_else(|| "nobody".to_owned(), |seat| seat.to_string());
        let purpose = purpose.as_ref().map_or_else(String::new, |purpose| format!(" for {purpose}"));
        format!("{who} {prompt}{purpose}")
    }

    fn in_words(&self) -> String {
        format!("{}, choose {} to {}", self.asked(), self.limits.0, self.limits.1)
    }

    fn difference(&self, now: &Self) -> Option<InformationLeak> {
        let listed = |labels: Vec<String>| if labels.is_empty() { "none".to_owned() } else { labels.join(", ") };
        let options = |asked: &Self| listed(asked.options.iter().map(|option| option.label.clone()).collect());
        let refused =
            |asked: &Self| listed(asked.refused.iter().map(|(one, why)| format!("{}: {why}", one.label)).collect());
        let of = |kind, words: &dyn Fn(&Self) -> String| {
            Some(InformationLeak { kind, was: words(self), would_be: words(now) })
        };
        if self.in_words() != now.in_words() {
            // Only the differing part is shown.
            if self.limits == now.limits { of("question", &Self::asked) } else { of("question", &Self::in_words) }
        } else if self.options != now.options {
            of("options", &options)
        } else if self.refused != now.refused {
            of("refusals", &refused)
        } else {
            None
        }
    }
}

/// Plays and records the first game.
pub(super) struct Recorder {
    pub(super) agent: Random,
    pub(super) moments: Vec<Moment>,
    /// The number of views compared.
    pub(super) views: usize,
    pub(super) leak: Option<Leak>,
    pub(super) stream: Stream,
    /// The number of events at the previous decision.
    pub(super) told: usize,
}

impl Answerer for Recorder {
    fn begin(&mut self, table: &mut Table) {
        Answerer::begin(&mut self.agent, table);
    }

    fn answer(&mut self, table: &Table, question: &Question<'_>, chosen: &mut Vec<usize>) -> Result<(), Halt> {
        if self.moments.len() == MAX_TESTED_DECISIONS {
            return Err(Halt::Open);
        }
        self.agent.answer(table, question, chosen)?;
        let (layout, snapshot) = (table.layout(), table.snapshot());
        // All seats look from time to time, not only the asked one.
        if self.stream.below(4) == 0 {
            for seat in Seats::all(layout.seats) {
                let mut other = snapshot.clone();
                other.determinize(layout, seat, &mut self.stream);
                self.views += 1;
                if let Some(what) = InformationLeak::view_difference(layout, &snapshot, &other, seat) {
                    self.leak = Some(leak(seat, table, question, what, table.point()));
                    return Err(Halt::Open);
                }
            }
        }
        let told = question.seat.map_or_else(Vec::new, |seat| messages(table, &snapshot, seat, self.told));
        self.told = table.recorded().len();
        self.moments.push(Moment {
            asked: QuestionView::of(table, question),
            values: question.options.values(),
            chosen: chosen.clone(),
            table: snapshot,
            chance: table.chance.clone(),
            scores: Seats::all(layout.seats).into_iter().map(|seat| table.score(seat)).collect(),
            told,
            changes: table.changes(),
            at: table.point(),
        });
        Ok(())
    }

    fn wants_reasons(&self, _table: &Table) -> bool {
        true
    }
}

fn leak(seat: Seat, table: &Table, question: &Question<'_>, what: InformationLeak, at: ScriptPoint) -> Leak {
    Leak { seat, decision: table.decisions(), prompt: question.prompt.to_owned(), what, at }
}

/// A difference by which the asked seat could tell the second game from the first; `None` without one.
pub(super) fn difference(
    moment: &Moment,
    table: &Table,
    now: &State,
    question: &Question<'_>,
    is_early: bool,
    from: usize,
) -> Option<Leak> {
    let seat = moment.asked.heard.seat.or(question.seat)?;
    let layout = table.layout();
    let of =
        |what, at| Some(Leak { prompt: moment.asked.heard.prompt.clone(), ..leak(seat, table, question, what, at) });
    if is_early
        && let Some((what, at)) = InformationLeak::message_difference(&moment.told, &messages(table, now, seat, from))
    {
        return of(what, at);
    }
    if let Some(what) = moment.asked.difference(&QuestionView::of(table, question)) {
        return of(what, moment.at);
    }
    let seen = InformationLeak::view_difference(layout, &moment.table, now, seat);
    seen.or_else(|| InformationLeak::variable_difference(layout, &moment.table, now, seat))
        .and_then(|what| of(what, moment.at))
}
