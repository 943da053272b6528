//! What stands over lines, and what a click on it does.
//!
//! Some of it only an editor can do, such as opening a terminal: of these commands a client gets the ones that it says it has.

use super::answers::refused;
use super::documents::{Lines, uri_of};
use super::{Refusal, Server, Wire, unknown_method};
use crate::catalogue::{counted, say, speak, spoken};
use crate::diagnostic::visible;
use crate::ruleset::Selection;
use crate::script::codes;
use crate::work::Work;
use crate::workspace::{Lens, LensAction};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread;

/// Runs tests, whose addresses are given, and says what came of it.
const TEST: &str = "houserule.test";
/// Gives the line that plays rules at a terminal: of a game and its variants, or of the file of a test.
const PLAY: &str = "houserule.play";
/// Gives the explanation of a finding, by its name.
const EXPLAIN: &str = "houserule.explain";
/// Compares a game with variants, which are given, with the game without them, and opens the page.
const COMPARE: &str = "houserule.compare";
/// Makes a pack of the variant whose file is given.
const PACK: &str = "houserule.pack";
/// What a client does that shows places.
const SHOW: &str = "houserule.showReferences";
/// What a client does that debugs: a file, and a function to stop at.
const DEBUG: &str = "houserule.debug";

/// The commands that a client can have executed.
pub const COMMANDS: [&str; 5] = [TEST, PLAY, EXPLAIN, COMPARE, PACK];

impl Server {
    pub(super) fn lenses(&mut self, path: &Path) -> Vec<Lens> {
        let tested = self.tested.clone();
        let tested = tested.lock().unwrap_or_else(PoisonError::into_inner);
        self.workspace.lenses(path, &tested)
    }

    /// A lens, as the protocol has it; nothing where the client can do nothing with it.
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

    /// Runs tests. The client is not kept waiting for what may take long.
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
            tested.lock().unwrap_or_else(PoisonError::into_inner).extend(results);
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

    /// Compares a game with variants with the game without them, by the files as they are saved, and opens the page.
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
        // What a file says can be no option.
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

    /// Makes a pack of a variant, by its file as it is saved.
    fn pack(&self, path: &Path) -> Result<Json, Refusal> {
        let mut command = self.program(path)?;
        command.args(["pack", "--"]).arg(path);
        let wire = self.wire.clone();
        in_background("pack", move || match run(command) {
            Ok(told) => wire.show(INFO, &told),
            Err(why) => wire.show(ERROR, &why),
        })
    }

    /// This program, in the folder of the rules around a file.
    fn program(&self, path: &Path) -> Result<Command, Refusal> {
        let program = std::env::current_exe().map_err(|error| refused(&error.to_string()))?;
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

/// The least of the protocol's sorts of messages.
const ERROR: u8 = 1;
/// That of what went well.
const INFO: u8 = 3;

impl Wire {
    /// Shows a person a message.
    fn show(&self, sort: u8, text: &str) {
        let lines: Vec<_> = text.trim().lines().map(visible).collect();
        self.notify("window/showMessage", json!({ "type": sort, "message": lines.join("\n") }));
    }
}

/// A game and its variants, as commands take them.
fn named(selection: &Selection) -> Json {
    std::iter::once(&selection.game).chain(&selection.variants).cloned().collect()
}

/// Does what may take long in a thread of its own.
fn in_background(name: &str, what: impl FnOnce() + Send + 'static) -> Result<Json, Refusal> {
    let language = spoken();
    let begun = thread::Builder::new().name(name.to_owned()).spawn(move || {
        speak(language);
        what();
    });
    begun.map(|_| Json::Null).map_err(|error| refused(&error.to_string()))
}

/// Runs the program to its end; what it says, or complains of.
fn run(mut command: Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}
