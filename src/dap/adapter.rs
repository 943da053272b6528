//! The handling of a client's requests.

mod looks;
mod stops;

use super::breakpoints::{Group, Point, event_filters};
use super::launch::{AdapterEnvironment, Launch, LaunchedGame};
use super::moving::{Game, Motion};
use super::wire::{Outbox, Request};
use crate::catalogue::{Message, counted, message, said, say, speak};
use crate::diagnostic::{Diagnostic, Diagnostics, unknown_or};
use crate::inspect::debugger::{Places, Reason, Target};
use crate::screen;
use crate::screen::style;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The id of the only thread: rules run in a single thread.
const THREAD: usize = 1;

/// The commands of all supported requests.
const REQUESTS: [&str; 36] = [
    "initialize",
    "launch",
    "attach",
    "configurationDone",
    "disconnect",
    "terminate",
    "restart",
    "setBreakpoints",
    "setFunctionBreakpoints",
    "setExceptionBreakpoints",
    "setDataBreakpoints",
    "dataBreakpointInfo",
    "breakpointLocations",
    "continue",
    "next",
    "stepIn",
    "stepOut",
    "stepBack",
    "reverseContinue",
    "pause",
    "goto",
    "gotoTargets",
    "restartFrame",
    "threads",
    "stackTrace",
    "scopes",
    "variables",
    "setVariable",
    "setExpression",
    "source",
    "loadedSources",
    "evaluate",
    "completions",
    "exceptionInfo",
    "cancel",
    "modules",
];

/// The client's numbering of lines and columns: from 0 or from 1.
#[derive(Clone, Copy)]
struct Client {
    first_line: usize,
    first_column: usize,
}

/// The debug adapter of one client, with the game that it debugs.
pub(super) struct Adapter<'o> {
    out: Outbox<'o>,
    surface: AdapterEnvironment,
    /// The number of waiting requests that interrupt the current run.
    interrupts: Arc<AtomicUsize>,
    client: Client,
    launch: Option<Launch>,
    game: Option<Game>,
    /// Whether the client has sent its configuration, so that the rules may run.
    is_configured: bool,
    points: Vec<Point>,
    /// The highest breakpoint number used so far.
    numbered: usize,
    /// The `goto` targets offered to the client, by id from 1; `true` for going back.
    targets: Vec<(Target, bool)>,
    is_over: bool,
}

/// The body of a response, and what to do once it is sent.
struct Answer {
    body: Value,
    then: Option<AfterAnswer>,
}

enum AfterAnswer {
    /// The client may send its breakpoints now.
    Initialized,
    /// The rules start, unless the client is still sending its configuration.
    Begin,
    Go(Motion),
    /// The rules have stopped elsewhere, for a reason in the protocol's words.
    Stopped(&'static str),
    /// Like `Stopped`, where the response has already shown the open decision.
    StoppedAndTold,
    /// End the session.
    End,
}

impl From<Value> for Answer {
    fn from(body: Value) -> Self {
        Self { body, then: None }
    }
}

impl AfterAnswer {
    fn after(self, body: Value) -> Answer {
        Answer { body, then: Some(self) }
    }
}

type Outcome = Result<Answer, Diagnostics>;

impl<'o> Adapter<'o> {
    pub fn new(out: Outbox<'o>, surface: AdapterEnvironment, interrupts: Arc<AtomicUsize>) -> Self {
        speak(surface.language);
        let client = Client { first_line: 1, first_column: 1 };
        Self {
            out,
            surface,
            interrupts,
            client,
            launch: None,
            game: None,
            is_configured: false,
            points: Vec::new(),
            numbered: 0,
            targets: Vec::new(),
            is_over: false,
        }
    }

    /// Whether the session has ended, or the client has gone.
    pub fn is_done(&self) -> bool {
        self.is_over || self.out.is_closed
    }

    /// Reports a message that could not be understood to the client.
    pub fn tell_malformed(&mut self, why: &Message) {
        let line = say!("a message of the client was not understood: {}", why);
        self.output("stderr", &(line + "\n"));
    }

    pub fn answer(&mut self, request: Request) {
        self.begin_work();
        match self.answered(&request) {
            Ok(Answer { body, then }) => {
                self.flush();
                self.out.respond(&request, body);
                if let Some(then) = then {
                    self.go_on(then);
                }
            }
            Err(errors) => {
                self.flush();
                let full = errors.render(false);
                self.out.refuse(&request, &errors.first().message.told(), full.trim_end());
            }
        }
        self.surface.work.mark_idle();
    }

    /// Begins new work. A waiting interrupt stops it at once.
    fn begin_work(&self) {
        self.surface.work.begin();
        if self.interrupts.load(Ordering::SeqCst) > 0 {
            self.surface.work.stop();
        }
    }

    fn answered(&mut self, request: &Request) -> Outcome {
        let arguments = &request.arguments;
        match request.command.as_str() {
            "initialize" => self.initialize(arguments),
            "launch" => self.begin(arguments),
            "attach" => Err(Diagnostic::new("there is nothing to attach to")
                .help("`launch` begins a game, a saved game or a scenario")
                .into()),
            "configurationDone" => {
                self.is_configured = true;
                Ok(if self.game.is_some() { AfterAnswer::Begin.after(Value::Null) } else { Value::Null.into() })
            }
            "disconnect" | "terminate" => Ok(AfterAnswer::End.after(Value::Null)),
            "cancel" | "pause" => Ok(Value::Null.into()),
            "setBreakpoints" => {
                let source = arguments.get("source").cloned().unwrap_or_default();
                Ok(self.set_points(Group::Lines(source), list(arguments, "breakpoints")))
            }
            "setFunctionBreakpoints" => Ok(self.set_points(Group::Functions, list(arguments, "breakpoints"))),
            "setDataBreakpoints" => Ok(self.set_points(Group::Values, list(arguments, "breakpoints"))),
            "setExceptionBreakpoints" => {
                let plain = list(arguments, "filters").into_iter().map(|filter| json!({ "filterId": filter }));
                let all = plain.chain(list(arguments, "filterOptions")).collect();
                Ok(self.set_points(Group::Events, all))
            }
            "restart" => self.restart(arguments),
            "threads" => {
                let name = self.game.as_ref().map_or(said("rules").to_owned(), |game| {
                    game.session.playthrough.loaded().ruleset.game.name.get(game.session.language).to_owned()
                });
                Ok(json!({ "threads": [{ "id": THREAD, "name": name }] }).into())
            }
            command if REQUESTS.contains(&command) => {
                if self.game.is_none() {
                    let error = Diagnostic::new(message!("`{command}` needs a game"));
                    return Err(error.help("`launch` begins one").into());
                }
                self.in_game(command, arguments)
            }
            other => Err(unknown_or("request", other, REQUESTS, "this adapter does not understand it").into()),
        }
    }

    /// Handles the requests that need a game.
    fn in_game(&mut self, command: &str, arguments: &Value) -> Outcome {
        match command {
            "continue" => Ok(AfterAnswer::Go(Motion::Continue).after(json!({ "allThreadsContinued": true }))),
            "next" => Ok(AfterAnswer::Go(Motion::Over).after(Value::Null)),
            "stepIn" => Ok(AfterAnswer::Go(Motion::In).after(Value::Null)),
            "stepOut" => Ok(AfterAnswer::Go(Motion::Out).after(Value::Null)),
            "stepBack" => {
                let is_small = text(arguments, "granularity") == "instruction";
                Ok(AfterAnswer::Go(if is_small { Motion::Back } else { Motion::BackOver }).after(Value::Null))
            }
            "reverseContinue" => Ok(AfterAnswer::Go(Motion::BackContinue).after(Value::Null)),
            "breakpointLocations" => self.locations(arguments),
            "dataBreakpointInfo" => self.data_breakpoint(arguments),
            "gotoTargets" => self.goto_targets(arguments),
            "goto" => self.goto(arguments),
            "restartFrame" => {
                let frame = number(arguments, "frameId").and_then(|frame| frame.checked_sub(1));
                let frame = frame.ok_or_else(|| Diagnostic::new("there is no such call"))?;
                self.game()?.restart_call(frame)?;
                Ok(AfterAnswer::Stopped("restart").after(Value::Null))
            }
            "stackTrace" => self.stack(arguments),
            "scopes" => {
                let call = number(arguments, "frameId").and_then(|frame| frame.checked_sub(1));
                let scopes = self.game()?.shown().map(|(shown, _)| shown.scopes(call)).unwrap_or_default();
                Ok(json!({ "scopes": scopes }).into())
            }
            "variables" => {
                let reference = number(arguments, "variablesReference").unwrap_or_default();
                let found = self.game()?.shown().and_then(|(shown, seen)| shown.variables(reference, seen));
                let gone = || Diagnostic::new("the rules have gone on since that was shown");
                Ok(json!({ "variables": found.ok_or_else(gone)? }).into())
            }
            "setVariable" => {
                let (name, value) = (text(arguments, "name"), text(arguments, "value"));
                let reference = number(arguments, "variablesReference").unwrap_or_default();
                let found = self.game()?.shown().and_then(|(shown, _)| shown.name_to_set(reference, name));
                let fixed = || {
                    Diagnostic::new(message!("`{name}` cannot be set by hand")).help(
                        "variables of the table and of players can be set, and the side, value and owner of components",
                    )
                };
                self.set(&found.ok_or_else(fixed)?, value)
            }
            "setExpression" => {
                let name = text(arguments, "expression").trim();
                self.set(name.strip_prefix("table.").unwrap_or(name), text(arguments, "value"))
            }
            "source" => {
                let of_source = arguments.get("source").and_then(|source| number(source, "sourceReference"));
                let reference = of_source.filter(|number| *number > 0).or(number(arguments, "sourceReference"));
                let reference = i64::try_from(reference.unwrap_or_default()).unwrap_or_default();
                let none = || Diagnostic::new("there is no such source");
                let content = self.game()?.sources.text(reference).ok_or_else(none)?;
                Ok(json!({ "content": content }).into())
            }
            "loadedSources" => {
                let game = self.game()?;
                let count = game.session.playthrough.loaded().ruleset.scripts.len();
                Ok(json!({ "sources": (0..count).map(|one| game.sources.in_json(one)).collect::<Vec<_>>() }).into())
            }
            "modules" => self.modules(),
            "evaluate" => self.evaluate(arguments),
            "completions" => self.completions(arguments),
            "exceptionInfo" => self.exception(),
            other => Err(unknown_or("request", other, REQUESTS, "this adapter does not understand it").into()),
        }
    }

    fn game(&mut self) -> Result<&mut Game, Diagnostics> {
        self.game.as_mut().ok_or_else(|| Diagnostic::new("no game was begun").into())
    }

    fn initialize(&mut self, arguments: &Value) -> Outcome {
        let starts_at_0 = |key: &str| arguments.get(key) == Some(&Value::Bool(false));
        self.client.first_line = usize::from(!starts_at_0("linesStartAt1"));
        self.client.first_column = usize::from(!starts_at_0("columnsStartAt1"));
        Ok(json!({
            "supportsConfigurationDoneRequest": true,
            "supportsFunctionBreakpoints": true,
            "supportsConditionalBreakpoints": true,
            "supportsHitConditionalBreakpoints": true,
            "supportsLogPoints": true,
            "supportsDataBreakpoints": true,
            "supportsBreakpointLocationsRequest": true,
            "supportsExceptionFilterOptions": true,
            "exceptionBreakpointFilters": event_filters(),
            "supportsExceptionInfoRequest": true,
            "supportsEvaluateForHovers": true,
            "supportsStepBack": true,
            "supportsSteppingGranularity": true,
            "supportsSetVariable": true,
            "supportsSetExpression": true,
            "supportsRestartRequest": true,
            "supportsRestartFrame": true,
            "supportsGotoTargetsRequest": true,
            "supportsCompletionsRequest": true,
            "completionTriggerCharacters": [".", " "],
            "supportsTerminateRequest": true,
            "supportsLoadedSourcesRequest": true,
            "supportsModulesRequest": true,
            "additionalModuleColumns": [],
        })
        .into())
    }

    fn begin(&mut self, arguments: &Value) -> Outcome {
        if self.game.is_some() {
            return Err(Diagnostic::new("a game was begun already").help("`restart` begins it again").into());
        }
        let (launch, warnings) = Launch::read(arguments, &self.surface)?;
        warnings.iter().for_each(|warning| self.output("console", &warning.render(false)));
        self.launch = Some(launch);
        self.start_over()?;
        Ok(AfterAnswer::Initialized.after(Value::Null))
    }

    /// Starts the launched game, anew if one was running.
    fn start_over(&mut self) -> Result<(), Diagnostics> {
        let Some(launch) = &mut self.launch else { return Err(Diagnostic::new("no game was begun").into()) };
        let (begun, to_move) = (launch.begin(&self.surface), launch.to_move);
        if begun.is_err() && self.game.is_none() {
            // The client may launch again with other arguments.
            self.launch = None;
        }
        let LaunchedGame { session, told, warnings } = begun?;
        let own = self.game.take().map(|game| game.session.breakpoints).unwrap_or_default();
        let mut game = Game::of(session, to_move)?;
        game.session.breakpoints = own;
        let playthrough = &game.session.playthrough;
        let selection = playthrough.loaded().ruleset.selection.command("play");
        let players = counted(playthrough.seats, "player");
        let line = say!("{selection}: {players}, seed {}", playthrough.seed);
        self.game = Some(game);
        self.output("console", &(line + "\n"));
        told.iter().for_each(|line| self.output("console", &format!("{line}\n")));
        warnings.iter().for_each(|warning| self.output("stderr", &warning.render(false)));
        self.resolve_points();
        Ok(())
    }

    fn restart(&mut self, arguments: &Value) -> Outcome {
        if let Some(arguments) = arguments.get("arguments").filter(|arguments| arguments.is_object()) {
            let (mut launch, _) = Launch::read(arguments, &self.surface)?;
            launch.keep_seed(self.launch.as_ref());
            self.launch = Some(launch);
        }
        if self.launch.is_none() {
            return Err(Diagnostic::new("no game was begun").help("`launch` begins one").into());
        }
        // The restart request has stopped the previous run.
        self.surface.work.begin();
        self.start_over()?;
        Ok(AfterAnswer::Begin.after(Value::Null))
    }

    /// Does what follows a response.
    fn go_on(&mut self, then: AfterAnswer) {
        match then {
            AfterAnswer::Initialized => {
                self.out.event("initialized", Value::Null);
                if self.is_configured {
                    self.go_on(AfterAnswer::Begin);
                }
            }
            AfterAnswer::Begin => {
                let Some(launch) = &self.launch else { return };
                match (launch.is_without_debugging, launch.stops_on_entry || launch.to_move.is_some()) {
                    (false, true) => {
                        let entered = self.game.as_mut().map_or(Ok(()), Game::enter);
                        if let Err(errors) = entered {
                            self.output("stderr", &errors.render(false));
                        }
                        self.tell_stop("entry");
                    }
                    _ => self.go(Motion::Continue, true),
                }
            }
            AfterAnswer::Go(motion) => self.go(motion, false),
            AfterAnswer::Stopped(reason) => self.tell_stop(reason),
            AfterAnswer::StoppedAndTold => self.tell_stop_alone("goto"),
            AfterAnswer::End => {
                self.is_over = true;
                self.out.event("terminated", Value::Null);
            }
        }
    }

    fn go(&mut self, motion: Motion, is_beginning: bool) {
        let Some(game) = &mut self.game else { return };
        // Going on after the end of the game ends the session.
        let is_forward = !matches!(motion, Motion::Back | Motion::BackOver | Motion::BackContinue);
        if is_forward && matches!(game.reason, Reason::Over | Reason::Failed) {
            return self.end();
        }
        let is_without_debugging = self.launch.as_ref().is_some_and(|launch| launch.is_without_debugging);
        let mut nothing = Vec::new();
        let points = if is_without_debugging { &mut nothing } else { &mut self.points };
        // The first statement may have a breakpoint.
        let went = match is_beginning.then(|| game.stops_here(points)).transpose() {
            Ok(Some(true)) => Ok(()),
            Ok(_) => game.go(motion, points),
            Err(errors) => Err(errors),
        };
        let is_stopped = self.surface.work.is_stopped();
        let failed = game.reason == Reason::Failed;
        let is_at_end = matches!(game.reason, Reason::Over | Reason::Failed);
        self.flush();
        if let Err(errors) = &went
            && !is_stopped
        {
            self.output("stderr", &errors.render(false));
        }
        if is_without_debugging && is_at_end {
            if failed && let Some(stop) = self.game.as_ref().and_then(Game::stop) {
                let failed = stop.position.failed.as_ref().map(|failed| failed.render(false));
                failed.iter().for_each(|failed| self.output("stderr", failed));
            }
            return self.end();
        }
        let usual = match (is_stopped, went.is_err()) {
            (true, _) => "pause",
            (false, true) => "entry",
            (false, false) => "step",
        };
        self.tell_stop(usual);
    }

    /// Reports the end of the game to the client, which ends the session.
    fn end(&mut self) {
        let code = i32::from(self.game.as_ref().is_some_and(|game| game.reason == Reason::Failed));
        self.out.event("exited", json!({ "exitCode": code }));
        self.out.event("terminated", Value::Null);
    }

    /// Reports where the rules have stopped, and the open decision.
    fn tell_stop(&mut self, usual: &str) {
        self.flush();
        let Some(game) = &self.game else { return };
        let is_told = matches!(game.reason, Reason::Asks | Reason::Over);
        let words = is_told.then(|| style::render(&screen::decision(&game.session.scene()), false));
        let failed = game.stop().and_then(|stop| stop.position.failed.as_ref()).map(|failed| failed.render(false));
        words.iter().filter(|words| !words.is_empty()).for_each(|words| self.output("console", words));
        failed.iter().for_each(|failed| self.output("stderr", failed));
        self.tell_stop_alone(usual);
    }

    /// Reports where the rules have stopped, without the open decision.
    fn tell_stop_alone(&mut self, usual: &str) {
        self.flush();
        let Some(game) = &self.game else { return };
        let body = game.stopped(&self.points, usual);
        self.out.event("stopped", body);
    }

    fn output(&mut self, category: &str, text: &str) {
        self.out.event("output", json!({ "category": category, "output": text }));
    }

    /// Sends the game's pending output to the client.
    fn flush(&mut self) {
        let output = self.game.as_mut().map(|game| std::mem::take(&mut game.output)).unwrap_or_default();
        output.iter().for_each(|(category, text)| self.output(category, text));
    }

    fn places(&self) -> Option<Places> {
        Some(self.game.as_ref()?.session.places())
    }
}

fn text<'a>(arguments: &'a Value, key: &str) -> &'a str {
    arguments.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn number(arguments: &Value, key: &str) -> Option<usize> {
    arguments.get(key).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok())
}

fn list(arguments: &Value, key: &str) -> Vec<Value> {
    arguments.get(key).and_then(Value::as_array).cloned().unwrap_or_default()
}
