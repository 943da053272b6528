//! The command `houserule compare`: the differences that other rules make, on the same seeds.

use super::packs::PackArguments;
use super::sim::{Games, PageFile, ProgressTimer};
use super::{
    ComparedRules, Context, EXIT_NEGATIVE, EXIT_SUCCESS, Failure, LayerArgs, Outcome, Printout, Rules, add_new_warnings,
};
use crate::catalogue::{Message, message, say};
use crate::diagnostic::{Diagnostic, Diagnostics, unknown};
use crate::host::terminal::columns;
use crate::lab::compare::{CompareReport, Contest, Side};
use crate::lab::goal::Goal;
use crate::lab::measures::columns as measured;
use crate::lab::play::Plan;
use crate::lab::report::SimReport;
use crate::lab::shard::PlanFacts;
use crate::lab::simulate::Continuation;
use crate::lab::statistics::Verdict;
use crate::lab::sweep::{Sweep, SweepReport, candidates};
use crate::ruleset::Selection;
use crate::screen;
use crate::script::rules::Rules as Compiled;
use crate::table::value::Seats;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;

/// Play the same seeds under two or more rulesets and report the differences
#[derive(Debug, Args)]
pub(super) struct Compare {
    #[command(flatten)]
    rules: Rules,

    #[command(flatten)]
    beside: ComparedRules,

    #[command(flatten)]
    games: Games,

    /// Try values of a setting, `LAYER.KEY=0..5` or `LAYER.KEY=1,3,9`, or sets of variants, `variants=A,B,C`; repeat for
    /// all combinations
    #[arg(long, value_name = "WHAT=VALUES")]
    sweep: Vec<Sweep>,

    /// A goal, for instance `seat-spread < 2%` or `minutes <= 30`; repeat for more. A ruleset that is shown to meet all
    /// goals, or to miss one, is played no further
    #[arg(long, value_name = "GOAL")]
    goal: Vec<Goal>,

    /// Stop as soon as this measure is shown to be different
    #[arg(long, value_name = "MEASURE", conflicts_with_all = ["sweep", "goal"])]
    until_shown: Option<String>,

    /// Write JSON
    #[arg(long)]
    json: bool,

    /// Write a web page with plots and tables to this file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Overwrite the file of --html even if something else is there
    #[arg(long, requires = "html")]
    force: bool,
}

impl Compare {
    /// The arguments that may name packs.
    pub(super) fn pack_arguments(&mut self) -> PackArguments<'_> {
        PackArguments {
            beside: Some(&mut self.beside.vs),
            players: Some(&mut self.games.players),
            ..self.rules.pack_arguments()
        }
    }

    pub(super) fn run(&self, context: &Context, out: &mut Printout) -> Outcome {
        if self.sweep.is_empty() && self.goal.is_empty() {
            self.pair(context, out)
        } else {
            self.sweep(&self.beside.rules(&self.rules.game), context, out)
        }
    }

    /// Compares two rulesets.
    fn pair(&self, context: &Context, out: &mut Printout) -> Outcome {
        let plan = self.games.plan(&self.rules, context, out)?;
        let games = Games { players: Some(plan.seats()), ..self.games.clone() };
        let base = games.plan(&self.beside.distinct_from(&self.rules)?, context, out)?;
        if let Some(wanted) = &self.until_shown {
            let columns = measured(Seats::all(plan.seats()));
            let of_places = columns.iter().filter_map(|column| Some(column.id_of_place(column.seat?.number())));
            let known = columns.iter().map(|column| column.id()).chain(of_places).collect::<Vec<_>>();
            if !known.contains(wanted) {
                return Err(Failure::wrong(unknown("measure", wanted, known.iter().map(String::as_str))));
            }
        }
        let page = PageFile::begin(self.html.as_deref(), self.force, context)?;
        let facts = [&base, &plan].map(|plan| PlanFacts::of(plan, self.games.games));
        let report = |sides: &[Side]| {
            let [base, other] = sides else { return None };
            let [base_facts, facts] = facts.clone();
            Some(CompareReport::of((base_facts, base), (facts, other)))
        };
        let compiled = [&base, &plan].map(|plan| plan.loaded.rules.clone());
        self.games.limit.begin(context, 1);
        let mut teller = ProgressTimer::default();
        let sides = self.play(vec![base, plan], context, |sides| {
            let is_told = teller.is_due();
            if !is_told && self.until_shown.is_none() {
                return Continuation::GoOn;
            }
            let Some(report) = report(sides) else { return Continuation::Stop };
            if is_told {
                context.work.remark(Message::verbatim(screen::running_comparison(&report)));
            }
            let row = self.until_shown.as_deref().and_then(|wanted| report.row(wanted));
            if row.is_some_and(|row| Verdict::of(&row.anytime) != Verdict::NotShown) {
                Continuation::Stop
            } else {
                Continuation::GoOn
            }
        });
        let is_out_of_time = context.work.was_out_of_time();
        let (Some(mut report), [base, other]) = (report(&sides), &*sides) else { return Ok(EXIT_SUCCESS) };
        report.base.is_out_of_time = is_out_of_time;
        report.other.is_out_of_time = is_out_of_time;
        if self.json {
            out.json(&report.to_json());
        } else {
            out.show(screen::rulesets_compared(&report, columns()));
        }
        out.tell(&faults_of(&compiled));
        // What took an hour to play is shown even if the page cannot be written.
        page.write(context, report.base.games.played, || screen::comparison_page(&report, [base, other]))?;
        Ok(code_of([&report.base, &report.other]))
    }

    /// Compares many rulesets.
    fn sweep(&self, base: &Rules, context: &Context, out: &mut Printout) -> Outcome {
        let base_plan = self.games.plan(base, context, out)?;
        let games = Games { players: Some(base_plan.seats()), ..self.games.clone() };
        for goal in &self.goal {
            goal.check(base_plan.seats()).map_err(Failure::wrong)?;
        }
        let mut plans = vec![base_plan];
        let mut tried = vec![base.selection()];
        let mut refused: Vec<(Selection, Diagnostics)> = Vec::new();
        for selection in candidates(&self.rules.selection(), &self.sweep).map_err(Failure::wrong)? {
            if selection == base.selection() {
                continue;
            }
            let rules = Rules {
                game: selection.game.clone(),
                over: LayerArgs { variants: selection.variants.clone(), set: selection.set.clone() },
            };
            match games.plan(&rules, context, &mut Printout::default()) {
                Ok(plan) => {
                    plans.push(plan);
                    tried.push(selection);
                }
                // A combination that cannot be played is reported, and the others are still tried.
                Err(failure) => refused.push((selection, failure.diagnostics)),
            }
        }
        self.refuse_failing_values(&tried, &mut refused)?;
        if plans.len() == 1 {
            let alone = || {
                let error = Diagnostic::new("there are no rules to try beside those to compare with");
                error
                    .help("`-v`, `--set` or `--sweep` say what to try; `houserule sim` measures one ruleset alone")
                    .into()
            };
            return Err(Failure::wrong(refused.into_iter().next().map_or_else(alone, |(_, why)| why)));
        }
        let page = PageFile::begin(self.html.as_deref(), self.force, context)?;
        let facts: Vec<PlanFacts> = plans.iter().map(|plan| PlanFacts::of(plan, self.games.games)).collect();
        let report = |sides: &[Side]| SweepReport::of(&facts, sides, &self.goal);
        let compiled: Vec<_> = plans.iter().map(|plan| plan.loaded.rules.clone()).collect();
        self.games.limit.begin(context, 1);
        let mut teller = ProgressTimer::default();
        let sides = self.play(plans, context, |sides| {
            let is_told = teller.is_due();
            if !is_told && self.goal.is_empty() {
                return Continuation::GoOn;
            }
            let told = report(sides);
            if is_told {
                context.work.remark(Message::verbatim(screen::running_sweep(&told)));
            }
            told.drop_decided(sides)
        });
        let mut report = report(&sides);
        if context.work.was_out_of_time() {
            let reports = report.tried.iter_mut().flat_map(|tried| [&mut tried.report.base, &mut tried.report.other]);
            reports.for_each(|report| report.is_out_of_time = true);
        }
        for goal in &self.goal {
            if goal.is_never_measured(report.tried.iter().map(|tried| &tried.report.other)) {
                let message = message!("there is no measure `{}`", goal.figure);
                out.tell([&Diagnostic::warning(message)
                    .help("a measure is named as in the table of `houserule sim`, or by `metric` in the rules")]);
            }
        }
        let games = report.tried.iter().map(|tried| tried.report.other.games.played).sum();
        if self.json {
            let refused = refused.iter().map(|(what, why)| {
                let why: Vec<_> = why.into_iter().map(Diagnostic::to_json).collect();
                serde_json::json!({"rules": screen::selection_in_words(what), "why": why})
            });
            let mut json = report.to_json();
            json["refused"] = refused.collect::<Vec<_>>().into();
            out.json(&json);
        } else {
            out.show(screen::sweep(&report, columns()));
            for (what, why) in &refused {
                out.line(&say!("{} was left out:", screen::selection_in_words(what)));
                out.tell(why);
            }
        }
        out.tell(&faults_of(&compiled));
        // What took an hour to play is shown even if the page cannot be written.
        page.write(context, games, || screen::sweep_page(&report))?;
        Ok(code_of(report.tried.iter().map(|tried| &tried.report.other)))
    }

    /// Refuses a value or variant that fails in every combination: it is misspelt or out of range.
    fn refuse_failing_values(
        &self,
        tried: &[Selection],
        refused: &mut Vec<(Selection, Diagnostics)>,
    ) -> Result<(), Failure> {
        let others: Vec<Selection> = refused.iter().map(|(selection, _)| selection.clone()).collect();
        let untried = self.sweep.iter().find_map(|sweep| sweep.first_untried(tried, &others));
        let place = untried.and_then(|untried| others.iter().position(|other| other == untried));
        match place {
            Some(place) => Err(Failure::wrong(refused.swap_remove(place).1)),
            None => Ok(()),
        }
    }

    fn play(&self, plans: Vec<Plan>, context: &Context, look: impl FnMut(&mut [Side]) -> Continuation) -> Vec<Side> {
        context.work.count_parts(0, usize::try_from(self.games.games).unwrap_or(usize::MAX));
        let _counter = context.terminal.counter(&context.work);
        Contest { plans }.play(&context.threads, 0..self.games.games, look)
    }
}

/// The errors in the agents' functions of the rules, each once.
fn faults_of(compiled: &[Arc<Compiled>]) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    compiled.iter().for_each(|rules| add_new_warnings(&mut faults, rules.take_faults()));
    faults
}

/// The exit code: [`EXIT_NEGATIVE`] if any games failed or did not end.
fn code_of<'a>(reports: impl IntoIterator<Item = &'a SimReport>) -> u8 {
    let is_wrong = |report: &SimReport| report.games.failed + report.games.endless > 0;
    if reports.into_iter().any(is_wrong) { EXIT_NEGATIVE } else { EXIT_SUCCESS }
}
