//! Commands for advice: hints from agents, and their review of the choices made.

use super::arguments::{Extent, Optional, Shape, Signature};
use super::seat::{agents, candidates};
use super::{Command, Flow};
use crate::agent::search::{Advice, Estimate};
use crate::agent::{AgentSpec, KINDS, Search};
use crate::catalogue::{message, said, say};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::inspect::review::{Moment, Review};
use crate::screen;
use crate::screen::style::{Line, cut, pad, pad_left, width, wrapped};
use crate::session::{Session, in_lines};
use crate::table::decision::{Decision, OptionShown};
use crate::table::value::{Seat, Seats};

/// The default agents for a hint and for a review.
const HINT_AGENT: &str = "search:1000";
const ANALYSIS_AGENT: &str = "search:200";

/// Most options in a hint, and most mistakes and turning points in a review.
const MAX_SHOWN_OPTIONS: usize = 10;

/// The characters for a sparkline, from 0 to 1.
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

const RESULT: &str = "a result goes from 0 to 100: 0 is a clear loss, 100 a clear win; who wins counts most, by how much \
    counts less";

/// The note where an agent has to choose at random.
const BLIND: &str = "this is a random choice: no agent found secret choices of the others that fit what the player was \
    told, and it must not use the real ones; `show_choice` in the rules ends such a secret";

const AGENT: Shape<AgentSpec> = Shape {
    name: "AGENT",
    what: "an agent",
    lead: "",
    extent: Extent::Word,
    read: |session, text| Ok(AgentSpec::parse(text, session.surroundings.clock())?),
    complete: |_, _| agents().collect(),
};

/// An argument for a searching agent.
const SEARCH: Shape<(AgentSpec, Search)> = Shape {
    name: "AGENT",
    what: "an agent that searches",
    lead: "",
    extent: Extent::Word,
    read: |session, text| {
        let spec = AgentSpec::parse(text, session.surroundings.clock())?;
        match searching(session, spec) {
            Some(search) => Ok((spec, search)),
            None => Err(Diagnostic::new(message!("`{spec}` does not say what it expects of options"))
                .help(message!("write an agent that does, such as `{ANALYSIS_AGENT}`"))
                .into()),
        }
    },
    complete: |_, _| candidates(KINDS.iter().filter(|kind| kind.searches())).collect(),
};

pub(super) const HINT: Command = Command {
    name: "hint",
    about: "show what an agent would choose at the open decision, and why",
    help: "Each simulated game redraws what the player cannot know: cards, dice, and the secret choices of others, as \
           far as that fits what the player has seen. For an agent that searches, you see how often it tried each \
           option, the result that it expects with a 95 % interval, and how far the player would be ahead of the best \
           opponent at the end. Ctrl-C stops it and shows the result so far. More simulated games make the intervals \
           smaller.",
    examples: &["hint", "hint search:50", "hint greedy"],
    takes_long: true,
    signatures: &[&Signature((Optional(AGENT),), |session, (agent,)| {
        let agent = agent.map_or_else(|| AgentSpec::parse(HINT_AGENT, None), Ok)?;
        hint(session, agent).map(Flow::Page)
    })],
    ..super::play::FORWARD
};

pub(super) const ANALYZE: Command = Command {
    name: "analyze",
    about: "show who was ahead, and which choices cost most",
    help: "At each decision so far, the agent searches with what the player could know at the time. You see each \
           player's expected result over time, the choices that were clearly worse than the best one, and the moves \
           that changed most; `goto N` goes there. Ctrl-C stops it and shows the result so far.",
    examples: &["analyze search:20"],
    takes_long: true,
    tells_all: true,
    signatures: &[&Signature((Optional(SEARCH),), |session, (agent,)| {
        let (spec, search) = match agent {
            Some(agent) => agent,
            None => {
                let spec = AgentSpec::parse(ANALYSIS_AGENT, None)?;
                let search = searching(session, spec);
                (spec, search.ok_or_else(|| Diagnostic::new("this agent does not search"))?)
            }
        };
        let analysis = Review::of(&session.playthrough, &search)?;
        if analysis.decisions == 0 {
            return Err(Diagnostic::new("nobody has had anything to choose yet")
                .help("`auto 20` plays on; `analyze` looks at the choices that were made")
                .into());
        }
        let mut lines = analyzed(session, spec, &analysis);
        lines.extend(faults(session));
        Ok(Flow::Page(lines))
    })],
    ..super::look::LOOKING
};

fn searching(session: &Session, spec: AgentSpec) -> Option<Search> {
    spec.budget().map(|budget| Search::new(session.playthrough.seed, budget))
}

fn hint(session: &Session, spec: AgentSpec) -> Result<Vec<Line>, Diagnostics> {
    let Some(open) = session.playthrough.position().open.clone() else {
        return Err(Diagnostic::new("no decision is open").help("`undo` goes back to one").into());
    };
    if !session.shows_options() {
        return Err(session.hidden_options().into());
    }
    let past = session.playthrough.past();
    let Some(seen) = session.playthrough.observation(&past) else {
        return Err(Diagnostic::new("no decision is open").into());
    };
    if open.by_clock.is_some() {
        return Err(Diagnostic::new("the clock decides who acts, not an agent").help("`clock` answers").into());
    }
    let mut lines = Vec::new();
    let advice = match searching(session, spec) {
        Some(search) => search.advice(&seen),
        None => {
            let mut agent = spec.agent(session.playthrough.seed);
            agent.begin(seen.decisions_before());
            Advice { chosen: agent.choose(&seen), ..Advice::default() }
        }
    };
    let choice =
        if advice.chosen.is_empty() { said("nothing").to_owned() } else { names(session, &open, &advice.chosen) };
    lines.push(Line::strong(say!("{spec} would choose {choice}")).cut(session.width));
    lines.extend(table_of(session, &open, &advice));
    if makes_no_difference(&advice) {
        lines.extend(wrapped(said("it makes no difference: every option came out the same"), session.width));
    }
    let tries = advice.iterations;
    // An agent without lookahead needs no game to try.
    let is_blind = !spec.is_random() && open.options.len() > 1 && !seen.can_be_tried();
    if tries > 0 {
        let stopped = if seen.is_stopped() { said("; it was stopped") } else { "" };
        let timed = if spec.is_timed() { said("; on another computer they may be different") } else { "" };
        let text = say!("{tries} tries{stopped}{timed}; {}", said(RESULT));
        lines.extend(wrapped(&text, session.width));
        lines.extend(fails(session, (advice.failed.into(), tries.into())));
    } else if is_blind {
        lines.extend(wrapped(said(BLIND), session.width));
    } else if spec.budget().is_some() {
        lines.push(Line::faint(said("there is nothing else to choose")).cut(session.width));
    } else {
        lines.extend(wrapped(&format!("{spec}  {}", said(spec.about())), session.width));
    }
    lines.extend(faults(session));
    Ok(lines)
}

/// A note on how many of the tried games failed in the rules, and how to find the place.
fn fails(session: &Session, (failed, tries): (u64, u64)) -> Vec<Line> {
    if failed == 0 {
        return Vec::new();
    }
    let hunt = session.playthrough.loaded().ruleset.selection.command("hunt");
    let text =
        say!("the rules fail in {failed} of {tries} tries, which count as the table stood there: `{hunt}` finds where");
    wrapped(&text, session.width)
}

/// The errors in the agents' functions of the rules since the last call.
pub(super) fn faults(session: &Session) -> Vec<Line> {
    in_lines(&session.playthrough.loaded().rules.take_faults(), session.width)
}

/// A table of the options with their expected results, the most tried first.
fn table_of(session: &Session, open: &Decision, advice: &Advice) -> Vec<Line> {
    let told: Vec<(&Estimate, String)> = advice
        .options
        .iter()
        .take(MAX_SHOWN_OPTIONS)
        .map(|option| (option, names(session, open, &option.positions)))
        .collect();
    if told.is_empty() {
        return Vec::new();
    }
    let room = session.width.saturating_sub(34).max(8);
    let column =
        told.iter().map(|(_, label)| width(label)).chain([width(said("option"))]).max().unwrap_or_default().min(room);
    let mut lines = vec![Line::faint(format!(
        "  {}  {}  {}  {}",
        pad(said("option"), column),
        pad_left(said("tries"), 5),
        pad_left(said("result"), 10),
        pad_left(said("lead"), 7)
    ))];
    for (option, label) in &told {
        let row = format!(
            "  {}  {:>5}  {:>10}  {:>+7.1}",
            pad(&cut(label, column), column),
            option.visits,
            interval(option.result, option.margin),
            option.lead
        );
        lines.push(Line::plain(row).cut(session.width));
    }
    if advice.options.len() > told.len() {
        lines.push(Line::faint(say!("  and {} more", advice.options.len() - told.len())));
    }
    lines
}

/// The form `62 ± 8`, in percent.
fn interval(result: f64, margin: f64) -> String {
    format!("{:.0} ± {:.0}", 100.0 * result, 100.0 * margin)
}

/// Whether several options were tried more than once, and every try gave the same result.
fn makes_no_difference(advice: &Advice) -> bool {
    let Some((first, others)) = advice.options.split_first() else { return false };
    // Sums of equal results differ by rounding.
    let is_same = |one: f64, other: f64| (one - other).abs() < 1e-6;
    let is_like = |other: &Estimate| {
        let is_sure = other.margin == 0.0 || other.visits > 1 && !other.varies;
        is_same(other.result, first.result) && is_same(other.lead, first.lead) && is_sure
    };
    !others.is_empty() && advice.options.iter().all(is_like)
}

/// The names of options, as the open decision lists them.
fn names(session: &Session, open: &Decision, positions: &[usize]) -> String {
    if positions.is_empty() {
        return said("none").to_owned();
    }
    let scene = session.scene();
    let options = positions.iter().filter_map(|&position| open.options.get(position));
    let columns = screen::option_columns(&scene, options.clone(), open.seat);
    let name = |((name, _), option): ((String, String), &OptionShown)| {
        if name.is_empty() { option.label.clone() } else { name }
    };
    columns.into_iter().zip(options).map(name).collect::<Vec<_>>().join(" ")
}

fn analyzed(session: &Session, spec: AgentSpec, analysis: &Review) -> Vec<Line> {
    let width = session.width;
    let (looked_at, decisions) = (analysis.moments.len(), analysis.decisions);
    let title = match decisions {
        _ if looked_at < decisions => say!("{spec} on {looked_at} of {decisions} decisions"),
        1 => say!("{spec} on 1 decision"),
        _ => say!("{spec} on {decisions} decisions"),
    };
    let mut lines = vec![Line::strong(title).cut(width), Line::default()];
    lines.extend(Seats::all(session.playthrough.seats).into_iter().map(|seat| course(analysis, seat, width)));
    let leaders = analysis.leaders();
    let ahead = leaders.iter().map(|(number, team)| say!("{} from move {number}", together(*team))).collect::<Vec<_>>();
    if !ahead.is_empty() {
        let most = 2 * MAX_SHOWN_OPTIONS;
        let told = ahead.iter().take(most).cloned().collect::<Vec<_>>().join(said(", "));
        let more = if ahead.len() > most { say!(", and {} changes more", ahead.len() - most) } else { String::new() };
        lines.extend(wrapped(&say!("ahead: {told}{more}"), width));
    }
    lines.push(Line::default());
    lines.extend(mistakes(session, analysis));
    let swings: Vec<_> = analysis.swings().into_iter().take(3).collect();
    if !swings.is_empty() {
        lines.push(Line::default());
        lines.push(Line::strong(said("what changed most")));
        for (number, team, change) in swings {
            let row = say!(
                "  goto {number:<5} the result of {} changes by {:+.0} after this move",
                together(team),
                100.0 * change
            );
            lines.push(Line::plain(row).cut(width));
        }
    }
    lines.push(Line::default());
    let timed = if spec.is_timed() { said("; on another computer the figures may be different") } else { "" };
    lines.extend(wrapped(&format!("{}{timed}", said(RESULT)), width));
    lines.extend(fails(session, analysis.failed));
    lines
}

/// The seats of a team: `p1 + p3`.
fn together(team: Seats) -> String {
    team.into_iter().map(|seat| seat.to_string()).collect::<Vec<_>>().join(" + ")
}

/// A sparkline of the expected result of a seat.
fn course(analysis: &Review, seat: Seat, width: usize) -> Line {
    let values: Vec<f64> =
        analysis.moments.iter().filter_map(|moment| moment.seats.get(seat.index()).copied()).collect();
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return Line::plain(seat.to_string()) };
    let columns = width.saturating_sub(18).clamp(1, 60).min(values.len());
    let level = |column: usize| {
        let (from, to) = (column * values.len() / columns, (column + 1) * values.len() / columns);
        let part = values.get(from..to.max(from + 1)).unwrap_or_default();
        let mean = part.iter().sum::<f64>() / part.len().max(1) as f64;
        let level = (mean * LEVELS.len() as f64) as usize;
        LEVELS.get(level.min(LEVELS.len() - 1)).copied().unwrap_or(' ')
    };
    let line: String = (0..columns).map(level).collect();
    let ends = format!("{:>3.0} → {:.0}", 100.0 * first, 100.0 * last);
    Line::plain(format!("{} {line} {ends}", pad_left(&seat.to_string(), 3))).cut(width)
}

fn mistakes(session: &Session, analysis: &Review) -> Vec<Line> {
    let mistakes = analysis.mistakes();
    if mistakes.is_empty() {
        return wrapped(said("no choice was worse than the best by more than chance explains"), session.width);
    }
    let told: Vec<&Moment> = mistakes.iter().copied().take(MAX_SHOWN_OPTIONS).collect();
    let column = session.width.saturating_sub(38).max(16) / 2;
    let chosen = |moment: &Moment| match moment.chosen.is_empty() {
        true => said("none").to_owned(),
        false => moment.chosen.join(" "),
    };
    let better = |moment: &Moment| match moment.better.is_empty() {
        true => said("none").to_owned(),
        false => moment.better.join(" "),
    };
    let widest = |of: &dyn Fn(&Moment) -> String, head: &str| {
        told.iter().map(|moment| width(&of(moment))).chain([width(head)]).max().unwrap_or_default().min(column)
    };
    let (left, right) = (widest(&chosen, said("chose")), widest(&better, said("better")));
    let mut lines = vec![
        Line::strong(said("the costliest choices")),
        Line::faint(say!(
            "  {}{}{}  {}  lost",
            pad(said("where"), 11),
            pad(said("who"), 5),
            pad(said("chose"), left),
            pad(said("better"), right)
        )),
    ];
    for moment in &told {
        let place = format!("goto {}", moment.number);
        let row = format!(
            "  {place:<11}{:<5}{}  {}  {}",
            moment.seat.to_string(),
            pad(&cut(&chosen(moment), left), left),
            pad(&cut(&better(moment), right), right),
            interval(moment.lost(), moment.margin())
        );
        lines.push(Line::plain(row).cut(session.width));
    }
    if mistakes.len() > told.len() {
        lines.push(Line::faint(say!("  and {} more", mistakes.len() - told.len())));
    }
    lines
}
