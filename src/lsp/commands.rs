//! Code lenses, and the commands behind them.
//!
//! Some commands only an editor can run, such as opening a terminal. A client gets only those of them that it supports.

use super::answers::refused;
use super::documents::{Lines, uri_of};
use super::{Refusal, Server, Wire, unknown_method};
use crate::catalogue::{Message, counted, say, speak, spoken};
use crate::diagnostic::visible;
use crate::host::threads::locked;
use crate::ruleset::Selection;
use crate::script::codes;
use crate::work::Work;
use crate::workspace::{Lens, LensAction};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Runs tests, given by URI, and shows the result.
const TEST: &str = "houserule.test";
/// Gives the command line that plays rules: a game with variants, or the file of a test.
const PLAY: &str = "houserule.play";
/// Gives the explanation of a finding, by the name of its code.
const EXPLAIN: &str = "houserule.explain";
/// Compares a game with variants to the game without them, and opens the page.
const COMPARE: &str = "houserule.compare";
/// Makes a pack of a variant, given by its file.
const PACK: &str = "houserule.pack";
/// The client's command that shows places.
const SHOW: &str = "houserule.showReferences";
/// The client's command that debugs a file, up to a given function.
const DEBUG: &str = "houserule.debug";

/// The commands that the server executes for the client.
pub const COMMANDS: [&str; 5] = [TEST, PLAY, EXPLAIN, COMPARE, PACK];

impl Server {
    pub(super) fn lenses(&mut self, path: &Path) -> Vec<Lens> {
        let tested = self.tested.clone();
        let tested = locked(&tested);
        self.workspace.lenses(path, &tested)
    }

    /// A code lens of the protocol; `None` where the client does not support its command.
    pub(super) fn lens(&self, lens: &Lens, lines: &Lines<'_>) -> Option<Json> {
        let (command, arguments) = match &lens.action {
            LensAction::Show(places) => {
                let first = places.first()?;
                let start = lines.position(lens.span.start);
                (SHOW, json!([self.uri(&first.path), start, self.locations(places)]))
            }
            LensAction::Test(paths) => (TEST, paths.iter().map(|path| self.uri(path)).collect()),
            LensAction::Play(selection) => (PLAY, named(selection)),
            LensAction::PlayFrom(path) => (PLAY, json!([path])),
            LensAction::Compare(selection) => (COMPARE, named(selection)),
            LensAction::Pack(path) => (PACK, json!([path])),
            LensAction::Debug(path, function) if self.client.debugs => (DEBUG, json!([path, function])),
            LensAction::Debug(..) => return None,
        };
        let command = json!({ "title": visible(&lens.title), "command": command, "arguments": arguments });
        Some(json!({ "range": lines.range(&lens.span), "command": command }))
    }

    pub(super) fn execute(&mut self, params: &Json) -> Result<Json, Refusal> {
        let arguments = params["arguments"].as_array().into_iter().flatten();
        let arguments: Vec<String> = arguments.filter_map(|one| one.as_str().map(str::to_owned)).collect();
        match params["command"].as_str().unwrap_or_default() {
            TEST => self.test(&arguments),
            PLAY => match arguments.split_first() {
                Some((game, variants)) => {
                    let selection = Selection { game: game.clone(), variants: variants.to_vec(), set: Vec::new() };
                    Ok(selection.command("play").into())
                }
                None => Err(refused("name a game")),
            },
            EXPLAIN => {
                let code = arguments.first().and_then(|name| codes::find(name));
                code.map(|code| code.in_words().into()).ok_or_else(|| refused("there is no finding of this name"))
            }
            COMPARE => match arguments.split_first() {
                Some((game, variants)) if !variants.is_empty() => self.compare(game, variants),
                _ => Err(refused("name a game and a variant")),
            },
            PACK => match arguments.first() {
                Some(path) => self.pack(Path::new(path)),
                None => Err(refused("name the file of a variant")),
            },
            other => Err(unknown_method(other)),
        }
    }

    /// Runs tests in the background, so that the client need not wait, and shows the result.
    fn test(&self, uris: &[String]) -> Result<Json, Refusal> {
        let paths: Vec<PathBuf> = uris.iter().filter_map(|uri| self.path_of_document(uri)).collect();
        let (workspace, wire, tested) = (self.workspace.clone(), self.wire.clone(), self.tested.clone());
        let refreshes = self.client.refreshes_lenses;
        in_background("tests", move || {
            let Some((results, _)) = workspace.run_tests(&paths, &Arc::new(Work::default())) else { return };
            let failed: Vec<String> = paths
                .iter()
                .filter_map(|path| {
                    let why = results.outcomes.get(path)?.as_ref()?;
                    let name = path.file_stem().unwrap_or_default().to_string_lossy();
                    Some(format!("{name}: {}", super::checker::in_words(why)))
                })
                .collect();
            locked(&tested).extend(results);
            match failed.first() {
                None => wire.show(INFO, &say!("{} passed", counted(paths.len(), "test"))),
                Some(first) => {
                    wire.show(
                        ERROR,
                        &say!("{} of {} failed; the first: {first}", failed.len(), counted(paths.len(), "test")),
                    );
                }
            }
            if refreshes {
                wire.ask("lenses", "workspace/codeLens/refresh", Json::Null);
            }
        })
    }

    /// Compares a game with and without variants, as saved on disk, and opens the page.
    fn compare(&self, game: &str, variants: &[String]) -> Result<Json, Refusal> {
        static PAGES: AtomicUsize = AtomicUsize::new(0);
        let number = PAGES.fetch_add(1, Ordering::Relaxed);
        let page = std::env::temp_dir().join(format!("houserule-{}-{number}.html", std::process::id()));
        let variant = variants.first().map(String::as_str).unwrap_or_default();
        let origin = self.workspace.library().variant(game, variant).map(|layer| layer.origin.path().to_owned());
        let mut command = self.program(&origin.unwrap_or_default())?;
        command.args(["compare", "--force", "--html"]).arg(&page);
        for variant in variants {
            command.arg(format!("--variant={variant}"));
        }
        // Names from a file must not be taken for options.
        command.args(["--", game]);
        let (wire, opens) = (self.wire.clone(), self.client.opens_pages);
        in_background("comparison", move || match (run(command), opens) {
            (Err(why), _) => wire.show(ERROR, &why),
            (Ok(_), true) => {
                let place = json!({ "uri": uri_of(&page), "external": true });
                wire.ask("page", "window/showDocument", place);
            }
            (Ok(_), false) => wire.show(INFO, &say!("wrote {}", page.display())),
        })
    }

    /// Makes a pack of a variant, as saved on disk.
    fn pack(&self, path: &Path) -> Result<Json, Refusal> {
        let mut command = self.program(path)?;
        command.args(["pack", "--"]).arg(path);
        let wire = self.wire.clone();
        in_background("pack", move || match run(command) {
            Ok(told) => wire.show(INFO, &told),
            Err(why) => wire.show(ERROR, &why),
        })
    }

    /// A command of this program, run in the folder of the rules around a file.
    fn program(&self, path: &Path) -> Result<Command, Refusal> {
        let program = std::env::current_exe().map_err(|error| refused(Message::verbatim(error.to_string())))?;
        let mut command = Command::new(program);
        command.args(["--lang", spoken().code()]).stdin(Stdio::null());
        let around = std::path::absolute(path).ok().and_then(|path| self.workspace.root_above(&path));
        let first = || self.workspace.library().roots().iter().find(|root| root.is_dir()).cloned();
        if let Some(root) = around.or_else(first) {
            command.current_dir(root);
        }
        Ok(command)
    }
}

/// The protocol's number of the message type `Error`.
const ERROR: u8 = 1;
/// The protocol's number of the message type `Info`.
const INFO: u8 = 3;

impl Wire {
    /// Shows a message in the editor.
    fn show(&self, sort: u8, text: &str) {
        let lines: Vec<_> = text.trim().lines().map(visible).collect();
        self.notify("window/showMessage", json!({ "type": sort, "message": lines.join("\n") }));
    }
}

/// A game and its variants, as arguments of a command.
fn named(selection: &Selection) -> Json {
    std::iter::once(&selection.game).chain(&selection.variants).cloned().collect()
}

/// Runs something in a new thread, and answers the request at once.
fn in_background(name: &str, what: impl FnOnce() + Send + 'static) -> Result<Json, Refusal> {
    let language = spoken();
    let begun = thread::Builder::new().name(name.to_owned()).spawn(move || {
        speak(language);
        what();
    });
    begun.map(|_| Json::Null).map_err(|error| refused(Message::verbatim(error.to_string())))
}

/// Runs a command to its end. Gives its output, or its error messages.
fn run(mut command: Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}
