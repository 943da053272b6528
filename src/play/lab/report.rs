//! Results of many games as figures with intervals: data, independent of how they are displayed.

use super::distribution::Distribution;
use super::measures::{Column, Unit, columns, metric_name};
use super::occurrences::{Frequency, Kind};
use super::order::{ByOrder, BySeat};
use super::shard::PlanFacts;
use super::statistics::estimate::estimate;
use super::statistics::{Estimate, FewGames, Interval, Level, Moments, interval, sequence};
use super::tally::{Tally, Trouble};
use crate::definition::Bounds;
use crate::sorted::{SortedMap, sort_by_key};
use crate::table::choices::PLAIN_SORTS;
use crate::table::value::{Seat, Seats};
use serde_json::{Value as Json, json};
use std::cmp::Reverse;
use std::ops::Range;

/// The most bars of a histogram.
const MAX_HISTOGRAM_BARS: i64 = 24;

/// The results of a plan's games.
#[derive(Clone, Debug)]
pub struct SimReport {
    /// The facts of the plan.
    pub plan: PlanFacts,
    /// The numbers of the games played, from 0, as half-open ranges.
    pub played: Vec<Range<u64>>,
    /// Whether the time limit kept some games from being played.
    pub is_out_of_time: bool,
    /// The numbers of games by how they ended.
    pub games: Endings,
    /// The figures of each measure, for the whole game and each seat.
    pub figures: Vec<Figure>,
    /// The share of wins of the best seat minus that of the worst.
    pub seat_spread: Option<Interval>,
    /// The seat spread with an anytime-valid interval.
    pub seat_spread_anytime: Option<Interval>,
    /// The figures by the order of play; `None` where the order was not recorded.
    pub order: Option<OrderFigures>,
    /// The metrics that the rules define, as sums over each game.
    pub metrics: Vec<Figure>,
    /// Names whose stated bounds a game exceeded, so that these are not used: `score`, or a metric.
    pub broken_bounds: Vec<String>,
    /// The questions asked, with the choices made.
    pub questions: Vec<DecisionFrequency>,
    /// The reasons for which points were awarded.
    pub awards: Vec<EventFrequency>,
    /// Events by kind, including phases.
    pub events: Vec<EventFrequency>,
    /// The number of calls of each function.
    pub functions: Vec<EventFrequency>,
    /// Failures, each with its place in the rules.
    pub troubles: Vec<(String, Trouble)>,
}

/// Figures by the place in the order of play.
#[derive(Clone, Debug)]
pub struct OrderFigures {
    /// Whether the order differs between games. Otherwise the figures are those of the seats under other names.
    pub varies: bool,
    /// Each measure of the seats, for each place in the order of play.
    pub figures: Vec<Figure>,
    /// The share of wins of the best place minus that of the worst.
    pub spread: Option<Interval>,
    /// The spread with an anytime-valid interval.
    pub spread_anytime: Option<Interval>,
}

/// The numbers of games by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Endings {
    /// All games played.
    pub played: u64,
    /// Games ended by the rules; figures are of these.
    pub finished: u64,
    /// Games beyond the limit of decisions or changes.
    pub endless: u64,
    /// Games in which the rules failed.
    pub failed: u64,
}

/// A measure with its mean and intervals.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The id in files and goals: `p1.win`, `turns`.
    pub id: String,
    /// The name in tables.
    pub name: String,
    /// The exact definition; empty for metrics of the rules.
    pub about: String,
    /// The source of the definition; see [`Self::about`].
    pub source: &'static str,
    /// The seat; `None` for the whole game.
    pub seat: Option<Seat>,
    /// The place in the order of play, from 1; `None` where the figure is not by order.
    pub place: Option<usize>,
    /// The unit. Shares and percentages are numbers from 0 to 1 here.
    pub unit: Unit,
    /// The number of games with a value.
    pub games: u64,
    /// The mean with its 95 % confidence interval, for a number of games fixed in advance.
    pub interval: Interval,
    /// The mean with an interval that holds at every look (anytime-valid).
    pub anytime: Interval,
    /// What can be said where few games decide the mean.
    pub few: Option<FewGames>,
    /// The 5 %, 50 % and 95 % quantiles of the games.
    pub quantiles: [f64; 3],
    /// The smallest and the largest value of a game.
    pub range: (f64, f64),
    /// A histogram of the values.
    pub bars: Vec<DistributionBar>,
    /// Whether a value was cut off at the limits of what is counted.
    pub is_cut_off: bool,
    /// The known bounds of a game's value, in units of 1/scale of the measure.
    pub(super) bounds: Bounds,
    is_whole: bool,
}

/// A bar of a histogram: a range of values, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistributionBar {
    /// The smallest value of the bar.
    pub from: f64,
    /// The largest value of the bar.
    pub to: f64,
    /// The number of games with one of these values.
    pub games: u64,
}

/// The frequency of an event, with the share of games.
#[derive(Clone, Debug, PartialEq)]
pub struct EventFrequency {
    /// The name of the event.
    pub name: String,
    pub frequency: Frequency,
    /// The share of games in which it happened.
    pub share: Interval,
}

/// The frequency of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionFrequency {
    /// The question.
    pub asked: EventFrequency,
    /// The frequency of each sort of option chosen.
    pub chosen: Vec<EventFrequency>,
    /// Sorts of options that were offered but never chosen.
    pub never: Vec<String>,
}

impl SimReport {
    /// The results of a tally.
    pub fn of(plan: PlanFacts, tally: &Tally) -> Self {
        let level = Level::default();
        let columns = columns(Seats::all(plan.players));
        let bounds = KnownBounds::of(&plan, tally, &columns);
        let of_score = bounds.find("score");
        let often = |kind: Kind| -> Vec<EventFrequency> {
            let found = tally.frequencies.of(kind);
            found.filter_map(|(name, _, frequency)| EventFrequency::of(name, frequency, tally.games)).collect()
        };
        let metrics = tally.metrics.iter().filter_map(|(name, sums)| {
            let mut sums = sums.clone();
            // A game without records of a metric has the sum 0.
            sums.count(0, tally.finished.saturating_sub(sums.len()));
            Figure::own(name, &sums, bounds.find(&metric_name(name)), level)
        });
        let figure = |(column, values): (&Column, &Distribution)| Figure::of(column, values, of_score, level);
        Self {
            played: std::iter::once(0..tally.games).collect(),
            is_out_of_time: false,
            games: Endings {
                played: tally.games,
                finished: tally.finished,
                endless: tally.endless,
                failed: tally.failed,
            },
            figures: columns.iter().zip(&tally.columns).filter_map(figure).collect(),
            seat_spread: spread(tally.by_seat(), plan.players, level, interval::mean),
            seat_spread_anytime: spread(tally.by_seat(), plan.players, level, sequence::mean),
            order: OrderFigures::of(&plan, tally, &columns, of_score),
            broken_bounds: bounds.broken.iter().map(|name| (*name).to_owned()).collect(),
            metrics: metrics.collect(),
            questions: questions(tally),
            awards: often(Kind::Award),
            events: often(Kind::Event),
            functions: often(Kind::Function),
            troubles: tally.troubles.iter().map(|(place, trouble)| (place.clone(), trouble.clone())).collect(),
            plan,
        }
    }

    /// The figures by the order of play, if they differ from those by seat.
    pub fn varying_order(&self) -> Option<&OrderFigures> {
        self.order.as_ref().filter(|order| order.varies)
    }

    /// The figure with that id.
    pub fn figure(&self, id: &str) -> Option<&Figure> {
        let of_order = self.order.iter().flat_map(|order| &order.figures);
        self.figures.iter().chain(&self.metrics).chain(of_order).find(|figure| figure.id == id)
    }

    /// The metric with that name; 0 in every game if the rules never recorded it.
    pub fn metric(&self, name: &str) -> Option<Figure> {
        let own = metric_name(name.strip_prefix("metric.").unwrap_or(name));
        let found = self.metrics.iter().find(|figure| figure.id == own).cloned();
        found.or_else(|| {
            let mut never = Distribution::default();
            never.count(0, self.games.finished);
            Figure::own(name.strip_prefix("metric.").unwrap_or(name), &never, Bounds::default(), Level::default())
        })
    }

    /// The report as JSON.
    pub fn to_json(&self) -> Json {
        let Endings { played, finished, endless, failed } = self.games;
        json!({
            "plan": self.plan.to_json(),
            "games": {"played": played, "finished": finished, "endless": endless, "failed": failed},
            "out_of_time": self.is_out_of_time,
            "seat_spread": self.seat_spread.map(interval_to_json),
            "order": self.varying_order().map(OrderFigures::to_json),
            "broken_bounds": self.broken_bounds,
            "figures": self.figures.iter().map(Figure::to_json).collect::<Vec<_>>(),
            "metrics": self.metrics.iter().map(Figure::to_json).collect::<Vec<_>>(),
            "questions": self.questions.iter().map(DecisionFrequency::to_json).collect::<Vec<_>>(),
            "awards": self.awards.iter().map(EventFrequency::to_json).collect::<Vec<_>>(),
            "events": self.events.iter().map(EventFrequency::to_json).collect::<Vec<_>>(),
            "functions": self.functions.iter().map(EventFrequency::to_json).collect::<Vec<_>>(),
            "troubles": self.troubles.iter().map(|(place, trouble)| json!({
                "at": place, "message": trouble.message, "endless": trouble.is_endless, "games": trouble.games,
                "seeds": trouble.seeds,
            })).collect::<Vec<_>>(),
        })
    }
}

/// The bounds that the rules state, except those that a game exceeded.
struct KnownBounds<'a> {
    stated: &'a SortedMap<String, Bounds>,
    broken: Vec<&'a str>,
}

impl<'a> KnownBounds<'a> {
    fn of(plan: &'a PlanFacts, tally: &Tally, columns: &[Column]) -> Self {
        let is_broken = |name: &str, bounds: Bounds| {
            let is_beyond = |values: &Distribution| values.range().is_some_and(|range| !bounds.contains_range(range));
            let scores = columns.iter().zip(&tally.columns).filter(|(column, _)| name == column.measure.id);
            let mut metrics = tally.metrics.iter().filter(|(own, _)| metric_name(own) == name);
            metrics.any(|(_, sums)| is_beyond(sums)) || scores.map(|(_, values)| values).any(is_beyond)
        };
        let broken = plan.bounds.iter().filter(|(name, bounds)| is_broken(name, **bounds));
        Self { stated: &plan.bounds, broken: broken.map(|(name, _)| name.as_str()).collect() }
    }

    fn find(&self, name: &str) -> Bounds {
        self.stated.get(name).copied().filter(|_| !self.broken.contains(&name)).unwrap_or_default()
    }
}

impl OrderFigures {
    fn of(plan: &PlanFacts, tally: &Tally, columns: &[Column], of_score: Bounds) -> Option<Self> {
        let level = Level::default();
        let varies = matches!(tally.by_order, ByOrder::Mixed { .. });
        let (values, products) = tally.by_place()?;
        let by_place = BySeat { columns: &values, products: &products };
        let figure = |(column, values): (&Column, &Distribution)| Figure::of_place(column, values, of_score);
        Some(Self {
            varies,
            figures: columns.iter().zip(&values).filter_map(figure).collect(),
            spread: spread(by_place, plan.players, level, interval::mean),
            spread_anytime: spread(by_place, plan.players, level, sequence::mean),
        })
    }

    fn to_json(&self) -> Json {
        json!({
            "spread": self.spread.map(interval_to_json),
            "figures": self.figures.iter().map(Figure::to_json).collect::<Vec<_>>(),
        })
    }
}

impl Figure {
    /// The figure of a place in the order of play.
    pub fn of_place(column: &Column, values: &Distribution, of_score: Bounds) -> Option<Self> {
        let place = column.seat?.number();
        let found = Self::of(column, values, of_score, Level::default())?;
        Some(Self { id: column.id_of_place(place), seat: None, place: Some(place), ..found })
    }

    /// The figure of a column; `None` where no game has a value.
    pub fn of(column: &Column, values: &Distribution, of_score: Bounds, level: Level) -> Option<Self> {
        let measure = column.measure;
        // A mean of values from 0 to 1 is from 0 to 1.
        let is_part = |interval: &Interval| measure.unit == Unit::Percent && interval.half_width().is_finite();
        let possible = |interval: Interval| if is_part(&interval) { interval.within(0.0, 1.0) } else { interval };
        let bounds = measure.bounds(of_score);
        let found = estimated(values, measure.unit, measure.scale, bounds, level)?;
        let found = Estimate { once: possible(found.once), anytime: possible(found.anytime), ..found };
        let about = measure.about.to_owned();
        let (id, name) = (column.id(), measure.name.to_owned());
        Some(Self {
            source: measure.source,
            seat: column.seat,
            ..Self::plain((id, name, about), values, (measure.unit, measure.scale), found, bounds)?
        })
    }

    /// The figure of a metric that the rules define.
    pub fn own(name: &str, sums: &Distribution, bounds: Bounds, level: Level) -> Option<Self> {
        let (unit, scale) = (Unit::Number, 1);
        let found = estimated(sums, unit, scale, bounds, level)?;
        Self::plain((metric_name(name), metric_name(name), String::new()), sums, (unit, scale), found, bounds)
    }

    fn plain(
        (id, name, about): (String, String, String),
        values: &Distribution,
        (unit, scale): (Unit, i64),
        Estimate { once: interval, anytime, few }: Estimate,
        bounds: Bounds,
    ) -> Option<Self> {
        let in_units = |value: i64| value as f64 / scale as f64;
        let (least, most) = values.range()?;
        Some(Self {
            id,
            name,
            about,
            source: "",
            seat: None,
            place: None,
            unit,
            games: values.len(),
            interval,
            anytime,
            few,
            quantiles: [5, 50, 95].map(|part| values.quantile(part, 100).map_or(0.0, in_units)),
            range: (in_units(least), in_units(most)),
            bars: bars(values, scale),
            is_cut_off: least <= -i64::MAX || most == i64::MAX,
            bounds,
            is_whole: scale == 1,
        })
    }

    /// Whether all games have the same value.
    pub fn is_constant(&self) -> bool {
        self.range.0 == self.range.1
    }

    /// Whether all values are whole numbers.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    fn to_json(&self) -> Json {
        let mut json = json!({
            "id": self.id, "name": self.name, "seat": self.seat.map(|seat| seat.to_string()), "unit": self.unit.name(),
            "about": self.about, "source": self.source, "games": self.games, "mean": interval_to_json(self.interval), "anytime": interval_to_json(self.anytime),
            "quantiles": {"5": self.quantiles[0], "50": self.quantiles[1], "95": self.quantiles[2]},
            "least": self.range.0, "most": self.range.1, "cut_off": self.is_cut_off,
            "histogram": self.bars.iter().map(|bar| json!([bar.from, bar.to, bar.games])).collect::<Vec<_>>(),
            "few": self.few.map(few_to_json),
        });
        if let Some(place) = self.place {
            json["place"] = place.into();
        }
        json
    }
}

/// The mean of values with its intervals; bounds are in units of 1/scale.
pub fn estimated(values: &Distribution, unit: Unit, scale: i64, bounds: Bounds, level: Level) -> Option<Estimate> {
    let moments = values.moments();
    let whole = u64::try_from(scale).ok()?;
    if unit == Unit::Share {
        let fractions = (interval::fraction(&moments, whole, level)?, sequence::fraction(&moments, whole, level)?);
        return Some(Estimate::plain(fractions));
    }
    // The usual distance of two values; for fractional values it is estimated from the range.
    let (least, most) = values.range()?;
    let apart = if scale == 1 { 1.0 } else { (most as f64 - least as f64).clamp(1.0, scale as f64) };
    let counts: Vec<(i64, u64)> = values.values().collect();
    Some(estimate(&counts, &moments, apart, bounds, level)?.times(1.0 / scale as f64))
}

/// The bars of a histogram: one for each value, or about two dozen of equal width.
fn bars(values: &Distribution, scale: i64) -> Vec<DistributionBar> {
    let Some((least, most)) = values.range() else { return Vec::new() };
    let in_units = |value: i64| value as f64 / scale as f64;
    let classes = values.classes().count() as i64;
    let span = i128::from(most) - i128::from(least) + 1;
    let width = if classes <= MAX_HISTOGRAM_BARS && span <= i128::from(2 * MAX_HISTOGRAM_BARS) {
        1
    } else {
        (span + i128::from(MAX_HISTOGRAM_BARS) - 1) / i128::from(MAX_HISTOGRAM_BARS)
    };
    let mut bars: Vec<DistributionBar> = Vec::new();
    for number in 0..(span + width - 1) / width {
        let from = i128::from(least) + number * width;
        let to = (from + width - 1).min(i128::from(most));
        let [from, to] = [from, to].map(|end| in_units(i64::try_from(end).unwrap_or(most)));
        bars.push(DistributionBar { from, to, games: 0 });
    }
    for (class, times) in values.classes() {
        let place = (i128::from(class.clamp(least, most)) - i128::from(least)) / width;
        if let Some(bar) = usize::try_from(place).ok().and_then(|place| bars.get_mut(place)) {
            bar.games += times;
        }
    }
    bars
}

/// A function that computes the interval of a mean.
type MeanOf = fn(&Moments, f64, Level) -> Option<Interval>;

/// The share of wins of the best seat minus that of the worst: the largest difference of two seats, with intervals that
/// hold for all pairs together (Bonferroni). Also used for places in the order of play.
fn spread(counted: BySeat<'_>, seats: usize, level: Level, of: MeanOf) -> Option<Interval> {
    let seats: Vec<Seat> = Seats::all(seats).into_iter().collect();
    let pairs = seats.iter().enumerate();
    let pairs = pairs.flat_map(|(place, one)| seats[place + 1..].iter().map(move |other| (*one, *other)));
    let pairs: Vec<(Seat, Seat)> = pairs.collect();
    let level = level.shared_by(pairs.len() as u64);
    let difference =
        |(one, other): &(Seat, Seat)| counted.win_difference(*one, *other, |moments, unit| of(moments, unit, level));
    let differences: Vec<Interval> = pairs.iter().filter_map(difference).collect();
    let most = |of: fn(&Interval) -> f64| differences.iter().map(of).reduce(f64::max);
    let estimate = most(|difference| difference.estimate.abs())?;
    let low = most(|difference| match difference.covers(0.0) {
        true => 0.0,
        false => difference.low.abs().min(difference.high.abs()),
    })?;
    let high = most(|difference| difference.low.abs().max(difference.high.abs()))?;
    Some(Interval { estimate, low: low.min(estimate), high: high.max(estimate) })
}

fn questions(tally: &Tally) -> Vec<DecisionFrequency> {
    let is_plain = |name: &str| PLAIN_SORTS.contains(&name);
    let has_sorts = |prompt: &str| {
        let mut offered = tally.frequencies.of(Kind::Offered).filter(|(name, _, _)| *name == prompt);
        offered.any(|(_, option, _)| option.is_some_and(|option| !is_plain(option)))
    };
    let chosen_for = |prompt: &str| {
        let chosen = tally.frequencies.of(Kind::Chosen).filter(|(name, _, _)| *name == prompt);
        let mut chosen: Vec<EventFrequency> =
            chosen.filter_map(|(_, option, frequency)| EventFrequency::of(option?, frequency, tally.games)).collect();
        sort_by_key(&mut chosen, |one| Reverse(one.frequency.times));
        // A question with a single sort of option needs no list of options.
        if chosen.iter().all(|one| is_plain(&one.name)) && !has_sorts(prompt) {
            chosen.clear();
        }
        chosen
    };
    let never = |prompt: &str| {
        let offered = tally.frequencies.of(Kind::Offered).filter(|(name, _, _)| *name == prompt);
        let offered = offered.filter_map(|(name, option, _)| {
            let is_chosen = tally.frequencies.find(Kind::Chosen, name, option).times > 0;
            option.filter(|option| !is_chosen && (!is_plain(option) || has_sorts(prompt))).map(str::to_owned)
        });
        offered.collect()
    };
    let question = |(prompt, _, frequency): (&str, _, Frequency)| {
        let asked = EventFrequency::of(prompt, frequency, tally.games)?;
        Some(DecisionFrequency { asked, chosen: chosen_for(prompt), never: never(prompt) })
    };
    tally.frequencies.of(Kind::Asked).filter_map(question).collect()
}

impl EventFrequency {
    fn of(name: &str, frequency: Frequency, games: u64) -> Option<Self> {
        let share = interval::share(frequency.games, games, Level::default())?;
        Some(Self { name: name.to_owned(), frequency, share })
    }

    fn to_json(&self) -> Json {
        let Frequency { games, times, amount } = self.frequency;
        let amount = i64::try_from(amount).ok();
        json!({"name": self.name, "times": times, "games": games, "points": amount, "share": interval_to_json(self.share)})
    }
}

impl DecisionFrequency {
    fn to_json(&self) -> Json {
        let chosen: Vec<Json> = self.chosen.iter().map(EventFrequency::to_json).collect();
        let mut json = self.asked.to_json();
        json["chosen"] = chosen.into();
        json["never_chosen"] = self.never.clone().into();
        json
    }
}

/// What can be said where few games decide a mean, as JSON.
pub fn few_to_json(few: FewGames) -> Json {
    json!({
        "games": few.games, "median": interval_to_json(few.median), "middle_80": few.middle,
    })
}

/// An interval as JSON; infinite ends are null.
pub fn interval_to_json(interval: Interval) -> Json {
    json!({"estimate": interval.estimate, "low": interval.low, "high": interval.high})
}
