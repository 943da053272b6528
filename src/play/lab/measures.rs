//! The measures of games, each with its definition and source.

use super::course::GameRecord;
use crate::definition::Bounds;
use crate::sorted::sort_by_key;
use crate::table::is_name_of_measure;
use crate::table::value::Seat;

/// The count of one win, so that up to 16 seats can share it without remainder.
pub const WHOLE_WIN: i64 = 720_720;

impl Unit {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Share => "share",
            Self::Percent => "percent",
            Self::Number => "number",
            Self::Points => "points",
            Self::Minutes => "minutes",
        }
    }
}

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A share of all games; each game gives a number from 0 to 1.
    Share,
    /// The mean of a part of each game, as a percentage.
    Percent,
    /// The mean of a number.
    Number,
    /// The mean of points.
    Points,
    /// The mean of minutes.
    Minutes,
}

/// A quantity measured in every game.
#[derive(Debug)]
pub struct Measure {
    /// The id in files, goals and on the command line: `lead-changes`.
    pub id: &'static str,
    /// The name in tables.
    pub name: &'static str,
    /// The exact definition.
    pub about: &'static str,
    /// The source of the definition.
    pub source: &'static str,
    /// The unit of its values.
    pub unit: Unit,
    /// Values are stored as whole numbers in units of 1/`scale`.
    pub scale: i64,
    /// The possible range of values.
    range: Range,
    /// How pages plot it; `None` where a table is enough.
    plot: Option<Plot>,
    /// Whether a table of many rulesets has a column for it.
    is_in_sweeps: bool,
    /// Computes the value for a game, or for each seat; `None` where a game has none.
    of: MeasureFunction,
}

/// The possible range of a measure.
#[derive(Clone, Copy, Debug)]
enum Range {
    /// From 0 to 1.
    Part,
    /// 0 or more.
    NotNegative,
    /// The range of scores by the rules.
    Score,
    /// The range of differences of two scores.
    Margin,
}

/// The groups of plots, in the order of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plot {
    /// The length of games, plotted as a distribution.
    Length,
    /// Points, plotted as a distribution.
    Points,
    /// The course of games, plotted as means of several rulesets.
    Course,
}

impl Measure {
    /// The bounds of a game's value in units of 1/`scale`, given the rules' bounds of scores.
    pub fn bounds(&self, of_score: Bounds) -> Bounds {
        let bounds = match self.range {
            Range::Part => Bounds::between(0, 1),
            Range::NotNegative => Bounds { min: Some(0), max: None },
            Range::Score => of_score,
            Range::Margin => Bounds { min: Some(0), ..of_score.difference(of_score) },
        };
        bounds.scaled(self.scale)
    }
}

/// The ids of the measures in some groups of plots, in order.
pub fn plotted(plots: &[Plot]) -> Vec<&'static str> {
    let mut plotted: Vec<&Measure> =
        MEASURES.iter().filter(|measure| measure.plot.is_some_and(|plot| plots.contains(&plot))).collect();
    sort_by_key(&mut plotted, |measure| measure.plot);
    plotted.into_iter().map(|measure| measure.id).collect()
}

/// The measures with a column in a table of many rulesets; points first.
pub fn in_sweeps() -> Vec<&'static Measure> {
    let mut shown: Vec<&Measure> = MEASURES.iter().filter(|measure| measure.is_in_sweeps).collect();
    sort_by_key(&mut shown, |measure| measure.plot != Some(Plot::Points));
    shown
}

#[derive(Clone, Copy, Debug)]
enum MeasureFunction {
    Game(fn(&GameRecord, Pace) -> Option<i64>),
    Seat(fn(&GameRecord, Seat) -> Option<i64>),
}

/// The assumed thinking times of players, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The time for a decision with more than one answer.
    pub free: i64,
    /// The time to carry out a decision with a single answer.
    pub forced: i64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { free: 6_000, forced: 2_000 }
    }
}

/// A column of results, one row a game: a measure of the game, or of a seat.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The measure.
    pub measure: &'static Measure,
    /// The seat; `None` for the whole game.
    pub seat: Option<Seat>,
}

impl Column {
    /// The name in files and goals: `score`, `p2.score`.
    pub fn id(&self) -> String {
        match self.seat {
            Some(seat) => format!("{seat}.{}", self.measure.id),
            None => self.measure.id.to_owned(),
        }
    }

    /// The name for a place in the order of play, from 1: `order1.win`.
    pub fn id_of_place(&self, place: usize) -> String {
        format!("order{place}.{}", self.measure.id)
    }

    /// The value of a game in units of 1/[`Measure::scale`]; `None` where it has none.
    pub fn of(&self, course: &GameRecord, pace: Pace) -> Option<i64> {
        match (self.measure.of, self.seat) {
            (MeasureFunction::Game(of), _) => of(course, pace),
            (MeasureFunction::Seat(of), Some(seat)) => of(course, seat),
            (MeasureFunction::Seat(_), None) => None,
        }
    }
}

/// All columns of a game with these seats, in the order of the measures.
pub fn columns(seats: impl IntoIterator<Item = Seat> + Clone) -> Vec<Column> {
    let of_measure = |measure: &'static Measure| -> Vec<Column> {
        match measure.of {
            MeasureFunction::Game(_) => vec![Column { measure, seat: None }],
            MeasureFunction::Seat(_) => {
                seats.clone().into_iter().map(|seat| Column { measure, seat: Some(seat) }).collect()
            }
        }
    };
    MEASURES.iter().flat_map(of_measure).collect()
}

/// The documentation page of all measures.
pub fn page() -> String {
    let mut page =
        "# What is measured\n\nThis page is made from the program. `sim`, `compare` and `report` show these \
        measures for every run; `--json` also has their definitions.\n\nA goal names a measure by its id or by its \
        name in tables: `--goal \"ties < 40%\"`, `--goal \"p1.win < 55%\"`. A measure of each seat has a value for \
        every seat: `p1.score`, `p2.score`. `seat-spread` is the share of wins of the best seat minus that of the \
        worst.\n\nIf the order of play is not the same in all games, these measures also have a value for each place in \
        it: `order1.win` is how often the seat that begins wins, and `order-spread` is the share of wins of the best \
        place minus that of the worst. The order is that of the first turns (`begin_turn`); if the rules count no \
        turns, that of the first decisions that players do not make at the same time. Seats without a turn follow as \
        they sit. A position in a session has no order of play.\n\nWhat rules measure with `metric(\"name\", value)` has its own name, or `metric.name` if a measure \
        already has that name. If no rule gives points, there are no measures by score.\n\n| id | in tables | of | \
        what it is | from |\n|---|---|---|---|---|\n"
            .to_owned();
    for measure in MEASURES {
        let (id, of) = match measure.of {
            MeasureFunction::Game(_) => (measure.id.to_owned(), "the game"),
            MeasureFunction::Seat(_) => (format!("p1.{}", measure.id), "each seat"),
        };
        let cell = |text: &str| text.replace('|', "\\|");
        page += &format!(
            "| `{id}` | {} | {of} | {} | {} |\n",
            cell(measure.name),
            cell(measure.about),
            cell(measure.source)
        );
    }
    page
}

/// The displayed name of a metric that the rules define: its own name, with the prefix `metric.` where a measure has
/// that name.
pub fn metric_name(name: &str) -> String {
    if is_name_of_measure(name) { format!("metric.{name}") } else { name.to_owned() }
}

fn number(count: u64) -> Option<i64> {
    i64::try_from(count).ok()
}

/// The ratio of two counts in millionths; `None` for a divisor of 0.
fn part(count: u64, of: u64) -> Option<i64> {
    let part = (u128::from(count) * 1_000_000).checked_div(u128::from(of))?;
    i64::try_from(part).ok()
}

/// All measures, in the order of reports.
pub const MEASURES: &[Measure] = &[
    Measure {
        id: "win",
        name: "wins",
        about: "share of games won; a first place that several seats or teams share counts in equal parts",
        source: "Browne 2008 (balance), Ludii AdvantageP1, TAG Winner",
        unit: Unit::Share,
        scale: WHOLE_WIN,
        range: Range::Part,
        plot: None,
        is_in_sweeps: false,
        of: MeasureFunction::Seat(|course, seat| {
            let share =
                i64::try_from(course.winning_teams()).ok().and_then(|count| WHOLE_WIN.checked_div(count.max(1)))?;
            Some(if course.winners.contains(&seat) { share } else { 0 })
        }),
    },
    Measure {
        id: "score",
        name: "score",
        about: "score at the end",
        source: "TAG FinalScore",
        unit: Unit::Points,
        scale: 1,
        range: Range::Score,
        plot: None,
        is_in_sweeps: false,
        of: MeasureFunction::Seat(|course, seat| course.score_of(seat)),
    },
    Measure {
        id: "ties",
        name: "ties",
        about: "share of games in which several seats, or teams, share the first place",
        source: "Ludii Drawishness, CardStock NoTies",
        unit: Unit::Share,
        scale: 1,
        range: Range::Part,
        plot: Some(Plot::Course),
        is_in_sweeps: true,
        of: MeasureFunction::Game(|course, _| Some(i64::from(course.winning_teams() > 1))),
    },
    Measure {
        id: "winning-score",
        name: "winning score",
        about: "score of the first place",
        source: "TAG FinalScore",
        unit: Unit::Points,
        scale: 1,
        range: Range::Score,
        plot: Some(Plot::Points),
        is_in_sweeps: true,
        of: MeasureFunction::Game(|course, _| Some(course.best_two()?.0)),
    },
    Measure {
        id: "margin",
        name: "margin",
        about: "points between the first place and the next, at most 2^63 − 1; 0 for a shared first place",
        source: "TAG LeaderGap",
        unit: Unit::Points,
        scale: 1,
        range: Range::Margin,
        plot: Some(Plot::Points),
        is_in_sweeps: true,
        of: MeasureFunction::Game(|course, _| {
            let (first, second) = course.best_two()?;
            Some(first.saturating_sub(second))
        }),
    },
    Measure {
        id: "close",
        name: "close finishes",
        about: "share of games whose margin is at most a tenth of the winning score",
        source: "after Browne 2008 (closeness); the tenth is ours",
        unit: Unit::Share,
        scale: 1,
        range: Range::Part,
        plot: None,
        is_in_sweeps: false,
        of: MeasureFunction::Game(|course, _| {
            let (first, second) = course.best_two()?;
            let margin = i128::from(first) - i128::from(second);
            Some(i64::from(margin.abs() * 10 <= i128::from(first).abs()))
        }),
    },
    Measure {
        id: "decisions",
        name: "decisions",
        about: "decisions of all players in a game",
        source: "Ludii DurationMoves",
        unit: Unit::Number,
        scale: 1,
        range: Range::NotNegative,
        plot: Some(Plot::Length),
        is_in_sweeps: false,
        of: MeasureFunction::Game(|course, _| number(course.decisions)),
    },
    Measure {
        id: "turns",
        name: "turns",
        about: "turns in a game, where the rules count turns",
        source: "Ludii DurationTurns",
        unit: Unit::Number,
        scale: 1,
        range: Range::NotNegative,
        plot: Some(Plot::Length),
        is_in_sweeps: false,
        of: MeasureFunction::Game(|course, _| number(course.turns).filter(|turns| *turns > 0)),
    },
    Measure {
        id: "rounds",
        name: "rounds",
        about: "rounds in a game, where the rules count rounds",
        source: "Ludii DurationTurns, by rounds",
        unit: Unit::Number,
        scale: 1,
        range: Range::NotNegative,
        plot: Some(Plot::Length),
        is_in_sweeps: false,
        of: MeasureFunction::Game(|course, _| number(course.rounds).filter(|rounds| *rounds > 0)),
    },
    Measure {
        id: "minutes",
        name: "minutes",
        about: "estimated length: for a real-time game, its virtual clock; otherwise 6 s for a decision with a choice \
            (those made at the same time count once) and 2 s for one without (--pace sets both)",
        source: "ours, a rule of thumb",
        unit: Unit::Minutes,
        scale: 60_000,
        range: Range::NotNegative,
        plot: Some(Plot::Length),
        is_in_sweeps: true,
        of: MeasureFunction::Game(|course, pace| match course.clock {
            0 => number(course.thoughts)?
                .checked_mul(pace.free)?
                .checked_add(number(course.forced)?.checked_mul(pace.forced)?),
            clock => Some(clock),
        }),
    },
    Measure {
        id: "options",
        name: "options a decision",
        about: "options per decision, averaged over all decisions of the game",
        source: "Ludii BranchingFactor",
        unit: Unit::Number,
        scale: 1_000_000,
        range: Range::NotNegative,
        plot: None,
        is_in_sweeps: false,
        of: MeasureFunction::Game(|course, _| part(course.options, course.decisions)),
    },
    Measure {
        id: "choices",
        name: "options a choice",
        about: "options per decision with more than one way to answer, averaged over those of the game",
        source: "Ludii DecisionFactor",
        unit: Unit::Number,
        scale: 1_000_000,
        range: Range::NotNegative,
        plot: None,
        is_in_sweeps: false,
        of: MeasureFunction::Game(|course, _| {
            part(course.free_options, course.decisions.saturating_sub(course.forced))
        }),
    },
    Measure {
        id: "forced",
        name: "forced decisions",
        about: "part of the decisions of a game that can be answered in only one way",
        source: "1 − Ludii DecisionMoves",
        unit: Unit::Percent,
        scale: 1_000_000,
        range: Range::Part,
        plot: None,
        is_in_sweeps: false,
        of: MeasureFunction::Game(|course, _| part(course.forced, course.decisions)),
    },
    Measure {
        id: "lead-changes",
        name: "lead changes",
        about: "how often the lead goes from one seat, or team, to another, after each turn and at the end; who is in the \
            lead is the only one that would have the highest score if the game ended there",
        source: "Browne 2008 and Ludii LeadChange, by score",
        unit: Unit::Number,
        scale: 1,
        range: Range::NotNegative,
        plot: Some(Plot::Course),
        is_in_sweeps: true,
        of: MeasureFunction::Game(|course, _| number(course.lead_changes()?)),
    },
    Measure {
        id: "comebacks",
        name: "comebacks",
        about: "share of games with a winner in which that seat was behind when half of the decisions were made",
        source: "after Browne 2008 (drama)",
        unit: Unit::Share,
        scale: 1,
        range: Range::Part,
        plot: None,
        is_in_sweeps: false,
        of: MeasureFunction::Game(|course, _| course.is_comeback().map(i64::from)),
    },
    Measure {
        id: "drama",
        name: "drama",
        about: "points by which the winner was behind the leader, averaged over all turns",
        source: "Browne 2008, Ludii Drama (average), by score",
        unit: Unit::Points,
        scale: 1_000,
        range: Range::NotNegative,
        plot: None,
        is_in_sweeps: false,
        of: MeasureFunction::Game(|course, _| course.drama()),
    },
    Measure {
        id: "decided",
        name: "decided early",
        about: "part of the decisions of a game that come after the winner has taken the lead for good",
        source: "Browne 2008 and CardStock (decisiveness), by score",
        unit: Unit::Percent,
        scale: 1_000_000,
        range: Range::Part,
        plot: None,
        is_in_sweeps: false,
        of: MeasureFunction::Game(|course, _| course.decided()),
    },
    Measure {
        id: "own-decisions",
        name: "decisions",
        about: "decisions that the seat makes in a game",
        source: "Ludii DurationMoves, by seat",
        unit: Unit::Number,
        scale: 1,
        range: Range::NotNegative,
        plot: None,
        is_in_sweeps: false,
        of: MeasureFunction::Seat(|course, seat| number(course.decisions_of.get(seat.index()).copied()?)),
    },
];

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_has_an_id_of_its_own_and_says_where_it_comes_from() {
        for (place, one) in MEASURES.iter().enumerate() {
            assert!(MEASURES[..place].iter().all(|other| other.id != one.id), "{} is there twice", one.id);
            assert!(!one.source.is_empty() && !one.about.is_empty() && one.scale > 0);
        }
        assert!((1..=16).all(|seats| WHOLE_WIN % seats == 0));
    }

    #[test]
    fn no_metric_of_the_rules_takes_the_name_of_a_measure() {
        let plain = |name: &str| name.replace(' ', "-");
        let names = MEASURES.iter().flat_map(|measure| [plain(measure.id), plain(measure.name)]);
        let mut names: Vec<String> = names.chain(["seat-spread", "order-spread"].map(str::to_owned)).collect();
        names.sort_unstable();
        names.dedup();
        let mut known = crate::table::MEASURES.to_vec();
        known.sort_unstable();
        assert_eq!(names, known);
    }

    #[test]
    fn a_shared_win_counts_in_equal_parts() {
        let seats: Vec<Seat> = (1..=3).filter_map(Seat::from_number).collect();
        let course = GameRecord {
            scores: vec![4, 4, 1],
            ranking: vec![seats[..2].to_vec(), seats[2..].to_vec()],
            winners: seats[..2].to_vec(),
            ..GameRecord::default()
        };
        let columns = columns(seats);
        let wins = columns.iter().filter(|column| column.measure.id == "win");
        let wins: Vec<i64> = wins.map(|column| column.of(&course, Pace::default()).unwrap()).collect();
        assert_eq!(wins, [WHOLE_WIN / 2, WHOLE_WIN / 2, 0]);
        let tie = columns.iter().find(|column| column.id() == "ties").unwrap();
        assert_eq!(tie.of(&course, Pace::default()), Some(1));
    }
}
