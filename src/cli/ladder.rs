//! The command `houserule ladder`: how much skill a game rewards.

use super::numbers::{COUNTS, FIRST_SEEDS, whole};
use super::packs::PackArguments;
use super::sim::{Games, PageFile, TimeLimit};
use super::{ComparedRules, Context, EXIT_NEGATIVE, EXIT_SUCCESS, Failure, Outcome, Printout, Rules, add_new_warnings};
use crate::agent::AgentSpec;
use crate::catalogue::{Message, message, said};
use crate::diagnostic::{Diagnostic, Diagnostics, Place};
use crate::host::terminal::columns;
use crate::lab::ladder::{Ladder, LadderReport};
use crate::screen;
use crate::script::host_functions::{DOUBT, POLICY, VALUE, host_function};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// The default agents of a ladder.
const DEFAULT_AGENTS: &str = "random,greedy,search:50,search:200";

/// The functions with which rules advise agents.
const ADVICE: [&str; 3] = [VALUE, POLICY, DOUBT];

/// Let stronger and stronger agents play against each other and measure how much skill decides
#[derive(Debug, Args)]
pub(super) struct LadderCommand {
    #[command(flatten)]
    rules: Rules,

    #[command(flatten)]
    beside: ComparedRules,

    /// Also run the ladder under the plain game
    #[arg(long, conflicts_with_all = ["vs", "vs_set"])]
    vs_plain: bool,

    /// Number of players; default: the fewest that the game allows
    #[arg(short, long, value_name = "N", value_parser = whole::<usize>(COUNTS))]
    players: Option<usize>,

    /// Number of seeds for each pair of agents; each is played once for every seat, or team
    #[arg(short = 'n', long, value_name = "SEEDS", default_value_t = 40,
          value_parser = whole::<u64>(2..=1_000_000))]
    seeds: u64,

    /// The first seed; the others are the next numbers
    #[arg(short, long, value_name = "SEED", default_value_t = 1,
          value_parser = whole::<u64>(FIRST_SEEDS))]
    seed: u64,

    #[command(flatten)]
    limit: TimeLimit,

    /// The agents from the weakest to the strongest, separated by commas
    #[arg(long, value_name = "AGENTS", default_value = DEFAULT_AGENTS)]
    rungs: String,

    /// Write a web page with plots and tables to this file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Overwrite the file of --html even if something else is there
    #[arg(long, requires = "html")]
    force: bool,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl LadderCommand {
    /// The arguments that may name packs.
    pub(super) fn pack_arguments(&mut self) -> PackArguments<'_> {
        PackArguments {
            beside: Some(&mut self.beside.vs),
            players: Some(&mut self.players),
            ..self.rules.pack_arguments()
        }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        let rungs = rungs(&self.rungs).map_err(Failure::wrong)?;
        let other = self.beside.rules(&self.rules.game);
        let is_double = self.vs_plain || self.beside.is_given();
        if is_double && self.rules.selection() == other.selection() {
            let error = Diagnostic::new("both ladders are of the same rules");
            return Err(Failure::wrong(
                error.help("`-v` and `--set` are for one of them, `--vs` and `--vs-set` for the other"),
            ));
        }
        let page = PageFile::begin(self.html.as_deref(), self.force, context)?;
        let (mut reports, mut faults, mut advice) = (Vec::new(), Vec::new(), Vec::new());
        let mut players = self.players;
        for rules in [Some(&self.rules), is_double.then_some(&other)].into_iter().flatten() {
            let games = Games { players, ..Games::of(self.seeds, self.seed) };
            let plan = games.plan(rules, context, out)?;
            players = Some(plan.seats());
            let compiled = plan.loaded.rules.clone();
            advice
                .push(ADVICE.map(|name| host_function(name).and_then(|asked| compiled.place_of_host_function(asked))));
            let ladder = Ladder { plan, rungs: rungs.clone() };
            context.work.count_parts(0, usize::try_from(ladder.games(self.seeds)).unwrap_or(usize::MAX));
            let counter = context.terminal.counter(&context.work);
            // Each ladder gets its share of the time, so that they can be compared.
            self.limit.begin(context, 1 + u32::from(is_double));
            let look = |remark: &Message| context.work.remark(remark.clone());
            let report = ladder.play(&context.threads, self.seeds, look);
            drop(counter);
            let is_out_of_time = context.work.was_out_of_time();
            reports.extend(report.map(|report| LadderReport { is_out_of_time, ..report }));
            add_new_warnings(&mut faults, compiled.take_faults());
            if context.work.is_stopped() {
                break;
            }
        }
        if self.json {
            out.json(&json!(reports.iter().map(LadderReport::to_json).collect::<Vec<_>>()));
        } else {
            if !reports.is_empty() {
                out.show(screen::ladders(&reports, columns()));
            }
            match (reports.len(), is_double) {
                (0, _) => out.line(said("No game was played to its end.")),
                (1, true) => out.line(said("The other ladder was not played, so nothing is compared.")),
                _ => {}
            }
        }
        if let [one, other] = &advice[..] {
            out.tell(&other_advice(&rungs, one, other));
        }
        out.tell(&faults);
        // What took an hour to play is shown even if the page cannot be written.
        page.write(context, reports.len() as u64, || screen::ladders_page(&reports))?;
        let failed: u64 = reports.iter().flat_map(|report| &report.rungs).map(|rung| rung.failed).sum();
        Ok(if failed > 0 { EXIT_NEGATIVE } else { EXIT_SUCCESS })
    }
}

/// A note that two rulesets advise agents differently: the agents may then differ in strength, and not the games in
/// depth.
fn other_advice(rungs: &[AgentSpec], one: &[Option<Place>; 3], other: &[Option<Place>; 3]) -> Option<Diagnostic> {
    let searches = rungs.iter().any(|rung| rung.budget().is_some());
    let is_read = rungs.iter().any(|rung| !rung.is_random());
    let counts = |name: &str| if name == VALUE { is_read } else { searches };
    let place = |place: &Option<Place>| place.as_ref().map(|place| (place.source.name.clone(), place.span.start));
    let differs = ADVICE.iter().zip(one.iter().zip(other)).filter(|(_, (one, other))| place(one) != place(other));
    let names = differs.filter(|(name, _)| counts(name)).map(|(name, _)| Message::verbatim(format!("`{name}`")));
    let names: Vec<Message> = names.collect();
    (!names.is_empty()).then(|| {
        Diagnostic::note(message!("the two rulesets do not have the same {}", Message::list(names, ", ")))
            .help("agents go by such a function, so a difference between the ladders may be theirs and not the game's")
    })
}

/// The agents of a ladder, at least two.
fn rungs(text: &str) -> Result<Vec<AgentSpec>, Diagnostics> {
    let rungs: Vec<AgentSpec> = text.split(',').map(|name| AgentSpec::parse(name, None)).collect::<Result<_, _>>()?;
    if rungs.len() < 2 {
        let error = Diagnostic::new("a ladder has two agents at least");
        return Err(error.help(message!("name them from the weakest to the strongest: `{DEFAULT_AGENTS}`")).into());
    }
    if let Some((_, twice)) = rungs.iter().enumerate().find(|(place, rung)| rungs[..*place].contains(rung)) {
        let error = Diagnostic::new(message!("`{twice}` is on the ladder twice"));
        return Err(error.help("an agent cannot be stronger than itself: name each once").into());
    }
    Ok(rungs)
}
