//! The debug adapter from outside: a small client plays sessions over standard input and output, as an editor does.

use crate::shared::surroundings::at_home;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A game whose rules stand inside TOML, as those of its variants do.
const GAME: &str = "id = 'stake'
name = { en = 'Stake', ja = '賭け' }
players = { min = 2, max = 4 }
[text]
stake = 'stake'
pot = 'pot'
[components.chip]
kind = 'token'
id = 'chip-{number}'
attributes = { number = { from = 1, to = 4 } }
[zones.bag]
name = 'bag'
order = 'pile'
visible = 'none'
[zones.hand]
name = 'hand'
per = 'seat'
order = 'hand'
visible = 'owner'
[variables.pot]
default = 0
[script]
rhai = '''
fn game() {
    components(\"chip\").move_to(bag);
    /* 賭け */ bag.shuffle();
    for p in players {
        bag.deal(1, p.hand);
    }
    for p in players {
        let taken = p.choose(\"stake\", [1, 2, 3]);
        pay(p, taken);
    }
    table.pot = 0;
}

fn pay(p, amount) {
    table.pot += amount;
    p.award(amount, \"stake\");
}
'''
";

const DOUBLE: &str = "id = 'double'
game = 'stake'
name = 'Double'
[settings.times]
default = 2
help = 'how many times'
[script]
rhai = '''
fn pay(p, amount) {
    let more = amount * settings.times;
    super(p, more);
}
'''
";

const FAILING: &str = "id = 'failing'
game = 'stake'
name = 'Failing'
[script]
rhai = '''
fn pay(p, amount) {
    let none = amount - amount;
    let part = amount / none;
    super(p, part);
}
'''
";

const ENDLESS: &str = "id = 'endless'
game = 'stake'
name = 'Endless'
[script]
rhai = '''
fn pay(p, amount) {
    let count = 0;
    while true { count += 1; }
}
'''
";

const SCENARIO: &str = "id = 'S1'
title = 'What is staked is paid'
game = 'stake'
players = 2
[given]
pot = 5
[when]
call = 'pay(p2, table.pot - 4)'
[[cases]]
name = 'one'
awards = ['p2 1 stake']
[[cases]]
name = 'three'
given = { pot = 7 }
awards = ['p2 4 stake']
";

/// A folder with these rules, gone when the story is over.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("houserule-dap-{}-{number}", std::process::id()));
        std::fs::create_dir_all(path.join("home")).unwrap();
        let folder = Self(std::fs::canonicalize(path).unwrap());
        folder.write("games/stake/game.toml", GAME);
        for (id, text) in [("double", DOUBLE), ("failing", FAILING), ("endless", ENDLESS)] {
            folder.write(&format!("variants/stake/{id}.toml"), text);
        }
        folder.write("tests/scenarios/stake/s1.toml", SCENARIO);
        folder
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn path(&self, file: &str) -> String {
        self.0.join(file).to_str().unwrap().to_owned()
    }

    fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
        at_home(&mut command, &self.0.join("home"));
        command.current_dir(&self.0);
        command
    }

    /// A game that was saved after these lines.
    fn saved(&self, arguments: &[&str], lines: &str) -> String {
        let mut command = self.program();
        command.args(["play", "stake", "-s", "1"]).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        write!(child.stdin.take().unwrap(), "{lines}\nsave saved.toml\n").unwrap();
        child.wait_with_output().unwrap();
        self.path("saved.toml")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The line of a text in which a piece stands.
fn line_of(text: &str, piece: &str) -> usize {
    text.lines().position(|line| line.contains(piece)).unwrap_or_else(|| panic!("{piece}")) + 1
}

/// The client of an adapter.
struct Client<'f> {
    folder: &'f Folder,
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    events: VecDeque<Value>,
    number: i64,
    /// Everything that was written to the console.
    output: String,
}

impl<'f> Client<'f> {
    fn new(folder: &'f Folder) -> Self {
        Self::with(folder, &[])
    }

    fn with(folder: &'f Folder, arguments: &[&str]) -> Self {
        Self::at(folder, &folder.0, arguments)
    }

    /// A client of an adapter that was started somewhere.
    fn at(folder: &'f Folder, place: &Path, arguments: &[&str]) -> Self {
        let mut command = folder.program();
        command.current_dir(place).args(arguments).arg("dap").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, messages) = channel();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            let mut header = String::new();
            while stdout.read_line(&mut header).is_ok_and(|count| count > 0) {
                let length: usize = header.trim().strip_prefix("Content-Length: ").unwrap().parse().unwrap();
                let mut body = vec![0; length + 2];
                stdout.read_exact(&mut body).unwrap();
                let _ = sender.send(serde_json::from_slice(&body[2..]).unwrap());
                header.clear();
            }
        });
        let stdin = child.stdin.take();
        Self { folder, child, stdin, messages, events: VecDeque::new(), number: 0, output: String::new() }
    }

    fn raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    fn send(&mut self, command: &str, arguments: &Value) -> i64 {
        self.number += 1;
        let message = json!({ "seq": self.number, "type": "request", "command": command, "arguments": arguments });
        let text = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
        self.number
    }

    fn next_message(&mut self) -> Value {
        let message = self.messages.recv_timeout(Duration::from_secs(120)).unwrap();
        if message["event"] == "output" {
            self.output.push_str(message["body"]["output"].as_str().unwrap());
        }
        message
    }

    /// The answer to a request: its body, or what is said to a person.
    fn answer_to(&mut self, number: i64) -> Result<Value, String> {
        loop {
            let mut message = self.next_message();
            if message["type"] == "event" {
                self.events.push_back(message);
                continue;
            }
            assert_eq!(message["request_seq"], number, "{message}");
            if message["success"] == true {
                return Ok(message["body"].take());
            }
            let error = &message["body"]["error"];
            let is_quiet =
                ["evaluate", "variables", "scopes", "stackTrace"].iter().any(|one| message["command"] == *one);
            assert!(message["message"] != "" && !(is_quiet && error["showUser"] == true), "{message}");
            let is_told = ["launch", "restart", "setVariable"].iter().any(|one| message["command"] == *one);
            assert!(!is_told || error["showUser"] == true, "{message}");
            return Err(error["format"].as_str().unwrap().to_owned());
        }
    }

    fn request(&mut self, command: &str, arguments: Value) -> Result<Value, String> {
        let number = self.send(command, &arguments);
        self.answer_to(number)
    }

    #[track_caller]
    fn fine(&mut self, command: &str, arguments: Value) -> Value {
        self.request(command, arguments).unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    #[track_caller]
    fn refused(&mut self, command: &str, arguments: Value, parts: &[&str]) {
        let error = self.request(command, arguments).expect_err(command);
        for part in parts {
            assert!(error.contains(part), "{part} is not in\n{error}");
        }
    }

    /// The next event of a kind; others before it are passed over.
    fn event(&mut self, kind: &str) -> Value {
        loop {
            let message = match self.events.pop_front() {
                Some(event) => event,
                None => self.next_message(),
            };
            if message["event"] == kind {
                return message["body"].clone();
            }
        }
    }

    /// Begins a game: as editors do, with breakpoints between the launch and the word that all is configured.
    fn launch(&mut self, arguments: Value, configure: impl FnOnce(&mut Self)) {
        self.fine("initialize", json!({ "adapterID": "houserule", "linesStartAt1": true, "columnsStartAt1": true }));
        self.fine("launch", arguments);
        self.event("initialized");
        configure(self);
        self.fine("configurationDone", Value::Null);
    }

    fn break_at(&mut self, file: &str, breakpoints: Value) -> Vec<Value> {
        let source = json!({ "path": self.folder.path(file) });
        let set = self.fine("setBreakpoints", json!({ "source": source, "breakpoints": breakpoints }));
        set["breakpoints"].as_array().unwrap().clone()
    }

    /// Where the rules stand at the next stop: the reason, and the line of the innermost call.
    fn stopped(&mut self) -> (String, u64) {
        let reason = self.event("stopped")["reason"].as_str().unwrap().to_owned();
        (reason, self.stack()[0]["line"].as_u64().unwrap())
    }

    fn go(&mut self, command: &str) -> (String, u64) {
        self.fine(command, json!({ "threadId": 1 }));
        self.stopped()
    }

    fn stack(&mut self) -> Vec<Value> {
        self.fine("stackTrace", json!({ "threadId": 1 }))["stackFrames"].as_array().unwrap().clone()
    }

    /// The parts of what has a number, by their names: value and number.
    fn parts(&mut self, reference: u64) -> Vec<(String, String, u64)> {
        let found = self.fine("variables", json!({ "variablesReference": reference }));
        let part = |part: &Value| {
            let text = |key: &str| part[key].as_str().unwrap().to_owned();
            (text("name"), text("value"), part["variablesReference"].as_u64().unwrap())
        };
        found["variables"].as_array().unwrap().iter().map(part).collect()
    }

    #[track_caller]
    fn part(&mut self, reference: u64, name: &str) -> (String, u64) {
        let parts = self.parts(reference);
        let found = parts.iter().find(|part| part.0 == name).unwrap_or_else(|| panic!("{name} is not in {parts:?}"));
        (found.1.clone(), found.2)
    }

    /// The numbers of the names of the innermost call, and of the table.
    fn scopes(&mut self) -> (u64, u64) {
        let frame = self.stack()[0]["id"].clone();
        let scopes = self.fine("scopes", json!({ "frameId": frame }))["scopes"].clone();
        let number = |place: usize| scopes[place]["variablesReference"].as_u64().unwrap_or_default();
        if scopes.as_array().unwrap().len() == 1 { (0, number(0)) } else { (number(0), number(1)) }
    }

    fn evaluate(&mut self, context: &str, expression: &str) -> Result<String, String> {
        let frame = self.stack()[0]["id"].clone();
        let arguments = json!({ "expression": expression, "context": context, "frameId": frame });
        Ok(self.request("evaluate", arguments)?["result"].as_str().unwrap().to_owned())
    }

    /// The client goes; the exit code of the adapter.
    fn leave(&mut self) -> i32 {
        self.stdin = None;
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap();
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "the adapter goes on without a client");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Client<'_> {
    fn drop(&mut self) {
        self.stdin = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const GAME_FILE: &str = "games/stake/game.toml";
const DOUBLE_FILE: &str = "variants/stake/double.toml";

#[test]
fn breakpoints_in_toml_stop_the_rules_and_the_stack_tells_the_layers() {
    let folder = Folder::new();
    let mut client = Client::new(&folder);
    let (call, award) = (line_of(GAME, "pay(p, taken)"), line_of(GAME, "p.award"));
    client.launch(json!({ "game": "stake", "variants": ["double"], "seed": 1 }), |client| {
        // In the key before the script, in a blank line, in a line of the script, and behind all of it.
        let lines = [line_of(GAME, "[script]"), line_of(GAME, "fn pay") - 1, award, 1000];
        let told = client.break_at(GAME_FILE, lines.map(|line| json!({ "line": line })).into_iter().collect());
        let told: Vec<(bool, u64)> =
            told.iter().map(|told| (told["verified"] == true, told["line"].as_u64().unwrap())).collect();
        let first = line_of(GAME, "components(") as u64;
        let pot = line_of(GAME, "table.pot +=") as u64;
        assert_eq!(told, [(true, first), (true, pot), (true, award as u64), (false, 1000)]);
        let told = client.break_at("README.md", json!([{ "line": 3 }]));
        assert!(told[0]["verified"] == false && told[0]["message"].as_str().unwrap().contains("no script"), "{told:?}");
        client.break_at(GAME_FILE, json!([{ "line": award }]));
    });
    assert_eq!(client.stopped(), ("breakpoint".to_owned(), award as u64));
    let frames = client.stack();
    let names: Vec<&str> = frames.iter().map(|frame| frame["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["pay(p, amount)  game", "pay(p, amount)  variant double", "game()  game"]);
    let files: Vec<PathBuf> = frames.iter().map(|frame| frame["source"]["path"].as_str().unwrap().into()).collect();
    assert_eq!(files, [GAME_FILE, DOUBLE_FILE, GAME_FILE].map(|file| folder.0.join(file)));
    let lines: Vec<u64> = frames.iter().map(|frame| frame["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [award as u64, line_of(DOUBLE, "super") as u64, call as u64]);
    assert_eq!(client.go("continue"), ("breakpoint".to_owned(), award as u64), "of the second player");
    assert_eq!(client.go("continue"), ("end".to_owned(), 0));
    assert!(client.output.contains("p1 +") && client.output.contains("p2 +"), "{}", client.output);
    assert_eq!(client.leave(), 0);
}

#[test]
fn steps_go_in_all_directions() {
    let folder = Folder::new();
    let mut client = Client::new(&folder);
    client.launch(json!({ "game": "stake", "variants": "double", "seed": 1, "stopOnEntry": true }), |_| ());
    let game = |piece| line_of(GAME, piece) as u64;
    let double = |piece| line_of(DOUBLE, piece) as u64;
    assert_eq!(client.stopped(), ("entry".to_owned(), game("components(")));
    assert_eq!(client.go("next"), ("step".to_owned(), game("bag.shuffle")));
    // The column behind a comment counts in the units of the protocol.
    let column = GAME.lines().find(|line| line.contains("bag.shuffle")).unwrap().find("bag").unwrap();
    assert_eq!(client.stack()[0]["column"], column - 4 + 1, "two letters of three bytes each are two units");
    let step = |line: u64| ("step".to_owned(), line);
    // Over the question, to the call; into the variant, into the game, and out of both.
    let call = game("pay(p, taken)");
    while client.go("next").1 != call {}
    assert_eq!(client.go("stepIn"), step(double("let more")));
    assert_eq!(client.go("next"), step(double("super")));
    assert_eq!(client.go("stepIn"), step(game("table.pot +=")));
    assert_eq!(client.go("stepBack"), step(double("super")), "the statement before is the one that called");
    assert_eq!(client.go("stepIn"), step(game("table.pot +=")));
    assert_eq!(client.go("stepOut"), step(game("let taken")), "nothing is left to do in the variant");
    assert_eq!(client.go("stepBack"), step(call), "over the whole call");
    client.fine("stepBack", json!({ "threadId": 1, "granularity": "instruction" }));
    assert_eq!(client.stopped(), step(game("let taken")));
    let frame = client.stack()[0]["id"].clone();
    client.fine("restartFrame", json!({ "frameId": frame }));
    assert_eq!(client.stopped(), ("restart".to_owned(), game("components(")));
    assert_eq!(client.go("continue").0, "end");
    assert_eq!(client.go("stepBack"), step(game("table.pot = 0")), "the last statement of the game");
    assert_eq!(client.go("reverseContinue"), ("entry".to_owned(), game("components(")));
    // Further back there is nothing, and it stands there still.
    assert_eq!(client.go("stepBack"), ("entry".to_owned(), game("components(")));
    assert!(client.output.contains("first statement of the game"));
    client.go("continue");
    client.fine("continue", json!({ "threadId": 1 }));
    assert_eq!(client.event("exited")["exitCode"], 0);
    client.event("terminated");
    assert_eq!(client.go("stepBack").1, game("table.pot = 0"), "whoever stays can go back even then");
}

#[test]
fn conditions_counts_and_messages() {
    let folder = Folder::new();
    let mut client = Client::new(&folder);
    let award = line_of(GAME, "p.award");
    client.launch(json!({ "game": "stake", "players": 4, "seed": 1 }), |client| {
        let told = client.break_at(
            GAME_FILE,
            json!([
                { "line": award, "condition": "p == p3" },
                { "line": award, "logMessage": "{p} pays {amount * 1}, {nobody_knows}" },
                { "line": award - 1, "hitCondition": "4" },
                { "line": award - 1, "condition": "p ==" },
                { "line": award - 1, "hitCondition": "often" },
            ]),
        );
        let verified: Vec<bool> = told.iter().map(|told| told["verified"] == true).collect();
        assert_eq!(verified, [true, true, true, false, false], "{told:?}");
        assert!(told[4]["message"].as_str().unwrap().contains("`>= 3`"), "{told:?}");
    });
    assert_eq!(client.stopped(), ("breakpoint".to_owned(), award as u64));
    assert_eq!(client.evaluate("hover", "p").unwrap(), "p3");
    assert!(client.output.contains("p1 pays ") && client.output.contains("p3 pays "), "{}", client.output);
    assert!(client.output.contains("there is no `nobody_knows` here"), "{}", client.output);
    assert_eq!(client.go("continue"), ("breakpoint".to_owned(), award as u64 - 1));
    assert_eq!(client.evaluate("watch", "p").unwrap(), "p4", "the fourth time");
    assert_eq!(client.go("continue").0, "end");
    // Back again, both stop at the same times, and nothing is told twice.
    let told = client.output.matches("pays").count();
    assert_eq!(
        (client.go("reverseContinue").1, client.evaluate("watch", "p").unwrap()),
        (award as u64 - 1, "p4".into())
    );
    assert_eq!((client.go("reverseContinue").1, client.evaluate("watch", "p").unwrap()), (award as u64, "p3".into()));
    assert_eq!(client.go("reverseContinue").0, "entry");
    assert_eq!((told, client.output.matches("pays").count()), (4, 4));
}

#[test]
fn events_functions_and_values_stop_the_rules() {
    let folder = Folder::new();
    let mut client = Client::new(&folder);
    let award = line_of(GAME, "p.award") as u64;
    client.launch(json!({ "game": "stake", "seed": 1, "variants": ["double"] }), |client| {
        let initialized = client.fine("initialize", json!({}));
        let filters = initialized["exceptionBreakpointFilters"].as_array().unwrap();
        assert!(filters.iter().any(|filter| filter["filter"] == "award" && filter["supportsCondition"] == true));
        let told = client.fine(
            "setExceptionBreakpoints",
            json!({ "filters": ["shuffle"], "filterOptions": [
                { "filterId": "award", "condition": "p2 if p1.score > 0" }, { "filterId": "move", "condition": "p9.hand" },
            ] }),
        );
        let verified: Vec<bool> =
            told["breakpoints"].as_array().unwrap().iter().map(|told| told["verified"] == true).collect();
        assert_eq!(verified, [true, true, false]);
        let told = client.fine("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "pay@double" }, { "name": "pya" }] }));
        assert!(told["breakpoints"][1]["message"].as_str().unwrap().contains("did you mean `pay`?"), "{told}");
    });
    assert_eq!(client.stopped(), ("breakpoint".to_owned(), line_of(GAME, "bag.shuffle") as u64));
    assert_eq!(client.go("continue"), ("function breakpoint".to_owned(), line_of(DOUBLE, "let more") as u64));
    let (_, table) = client.scopes();
    let (_, p1) = client.part(table, "p1");
    let info = client.fine("dataBreakpointInfo", json!({ "variablesReference": p1, "name": "score" }));
    assert_eq!(info["dataId"], "p1.score");
    client.fine("setDataBreakpoints", json!({ "breakpoints": [{ "dataId": "p1.score" }] }));
    client.fine("continue", json!({ "threadId": 1 }));
    let stop = client.event("stopped");
    assert!(
        stop["reason"] == "data breakpoint" && stop["text"].as_str().unwrap().contains("changes p1.score  0 → "),
        "{stop}"
    );
    client.fine("setDataBreakpoints", json!({ "breakpoints": [] }));
    assert_eq!(client.go("continue").0, "function breakpoint");
    client.fine("continue", json!({ "threadId": 1 }));
    let stop = client.event("stopped");
    assert!(stop["description"].as_str().unwrap().contains("p2 +"), "{stop}");
    assert_eq!(client.stack()[0]["line"], award);
    // A step over a call stops at what is met within it.
    client.fine("setFunctionBreakpoints", json!({ "breakpoints": [] }));
    client.go("reverseContinue");
    let call = line_of(GAME, "pay(p, taken)") as u64;
    while client.go("next").1 != call {}
    while client.evaluate("watch", "p").unwrap() != "p2" || client.stack()[0]["line"] != call {
        client.go("next");
    }
    assert_eq!(client.go("next"), ("breakpoint".to_owned(), award));
}

#[test]
fn the_table_is_a_tree_and_setting_a_variable_is_an_entry_of_the_log() {
    let folder = Folder::new();
    let mut client = Client::new(&folder);
    let award = line_of(GAME, "p.award");
    client.launch(
        json!({ "game": "stake", "seed": 1, "variants": ["double"], "set": { "double.times": 3 } }),
        |client| {
            client.break_at(GAME_FILE, json!([{ "line": award }]));
        },
    );
    client.stopped();
    let (names, table) = client.scopes();
    let (amount, _) = client.part(names, "amount");
    let (value, player) = client.part(names, "p");
    assert_eq!(value, "p1");
    assert_eq!(client.part(player, "score").0, "0");
    let (hand, zone) = client.part(player, "hand");
    assert!(hand.starts_with("1: chip-"), "{hand}");
    let (chip, component) = client.part(zone, "[0]");
    assert_eq!(client.part(component, "number").0, chip.trim_start_matches("chip-"));
    let (_, shared) = client.part(table, "variables");
    assert_eq!(client.part(shared, "pot").0, amount);
    let (_, settings) = client.part(table, "settings");
    let (_, double) = client.part(settings, "double");
    assert_eq!(client.part(double, "times").0, "3");
    let (_, bag) = client.part(table, "bag");
    assert_eq!(client.parts(bag).len(), 2);

    assert_eq!(client.evaluate("watch", "amount + 1").unwrap(), (amount.parse::<i64>().unwrap() + 1).to_string());
    assert_eq!(client.evaluate("hover", "p.hand").unwrap(), format!("p1.hand [{chip}]"));
    assert!(client.evaluate("watch", "p.award(1, \"x\")").unwrap_err().contains("this changes the table"));
    assert!(client.evaluate("watch", "p.scroe").is_err() && client.evaluate("watch", "1 +").is_err());
    // The caller knows other names.
    let frames = client.stack();
    let caller = json!({ "expression": "taken", "context": "watch", "frameId": frames[2]["id"] });
    assert_eq!(client.fine("evaluate", caller)["result"], (amount.parse::<i64>().unwrap() / 3).to_string());

    let wrong = json!({ "variablesReference": shared, "name": "pot", "value": "much" });
    client.refused("setVariable", wrong, &["pot holds a whole number"]);
    let local = json!({ "variablesReference": names, "name": "amount", "value": "7" });
    client.refused("setVariable", local, &["`amount` cannot be set by hand"]);
    assert_eq!(client.stack()[0]["line"], award, "and it stands where it stood");
    client.fine("setVariable", json!({ "variablesReference": shared, "name": "pot", "value": "50" }));
    // It takes effect before the next decision, where the rules stand now.
    assert_eq!(client.stopped(), ("choice".to_owned(), line_of(GAME, "let taken") as u64));
    assert_eq!(client.evaluate("watch", "table.pot").unwrap(), "50");
    assert!(client.evaluate("repl", "history").unwrap().contains("set pot 50"));
    client.refused("variables", json!({ "variablesReference": shared }), &["the rules have gone on"]);
    assert_eq!(client.go("continue"), ("breakpoint".to_owned(), award as u64));
    let pot: i64 = client.evaluate("watch", "table.pot - amount").unwrap().parse().unwrap();
    assert_eq!(pot, 50);
    assert_eq!(client.go("reverseContinue").1, award as u64, "the first player, as before");
    assert_eq!(client.evaluate("watch", "amount").unwrap(), amount);
}

/// Settings are asked for before the rules begin, where no statement runs.
#[test]
fn rules_that_ask_for_settings_stop_at_their_first_statement() {
    let folder = Folder::new();
    let asking = "id = 'asking'\ngame = 'stake'\nname = 'Asking'\n[settings.lucky]\nask = 'lucky'\nchoices = ['one', 'two']\n\
                  help = 'pays'\n[text]\nlucky = 'lucky'\n[script]\nrhai = 'fn pay(p, amount) { super(p, table.lucky.len); }'\n";
    folder.write("variants/stake/asking.toml", asking);
    let first = line_of(GAME, "components(") as u64;
    let mut launch = json!({ "game": "stake", "variants": ["asking"], "seed": 1, "stopOnEntry": true });
    let mut client = Client::new(&folder);
    client.launch(launch.clone(), |_| ());
    assert_eq!(client.stopped(), ("entry".to_owned(), first));
    assert_eq!(client.leave(), 0);
    // A person is asked first; then the first statement is where it stops.
    launch["agents"] = json!({ "all": "person" });
    let mut client = Client::new(&folder);
    client.launch(launch, |_| ());
    assert_eq!(client.event("stopped")["reason"], "choice");
    client.evaluate("repl", "2").unwrap();
    let stopped = client.event("stopped");
    assert_eq!((&stopped["reason"], stopped.get("hitBreakpointIds")), (&json!("entry"), None));
    assert_eq!(stopped["text"], "the first statement after the previous choice");
    assert_eq!(client.stack()[0]["line"], first);
    assert_eq!(client.go("next").0, "step");
    assert_eq!(client.leave(), 0);
}

#[test]
fn what_is_set_before_the_decision_of_an_agent_is_looked_at_first() {
    let folder = Folder::new();
    let mut client = Client::new(&folder);
    let agents = json!({ "p1": "random", "p2": "person" });
    client.launch(json!({ "game": "stake", "seed": 1, "agents": agents, "stopOnEntry": true }), |_| ());
    client.stopped();
    client.fine("setExpression", json!({ "expression": "table.pot", "value": "50" }));
    assert_eq!(client.stopped(), ("choice".to_owned(), line_of(GAME, "let taken") as u64));
    assert_eq!(client.evaluate("watch", "p").unwrap(), "p1");
    assert_eq!(client.evaluate("watch", "table.pot").unwrap(), "50");
    assert_eq!(client.go("continue").0, "choice");
    assert_eq!(client.evaluate("watch", "p").unwrap(), "p2", "p1 has answered");
    let pot: i64 = client.evaluate("watch", "table.pot").unwrap().parse().unwrap();
    assert!(pot > 50, "{pot}");
    client.refused("setExpression", json!({ "expression": "p1.scroe", "value": "5" }), &["did you mean `p1.score`?"]);
}

#[test]
fn a_person_answers_in_the_console() {
    let folder = Folder::new();
    let mut client = Client::new(&folder);
    client.launch(json!({ "game": "stake", "seed": 1, "agents": { "p1": "person", "p2": "random" } }), |client| {
        client.fine("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "pay" }] }));
    });
    let asked = line_of(GAME, "let taken") as u64;
    assert_eq!(client.stopped(), ("choice".to_owned(), asked));
    assert!(client.output.contains("p1, stake"), "{}", client.output);
    assert_eq!(client.go("continue"), ("choice".to_owned(), asked), "nobody has answered");
    assert!(client.output.contains("type an option into the console"));
    let (_, table) = client.scopes();
    let (question, options) = client.part(table, "asked");
    assert_eq!((question.as_str(), client.parts(options).len()), ("p1 stake", 3));
    let offered = client.fine("completions", json!({ "text": "", "column": 1 }));
    assert!(offered["targets"].as_array().unwrap().iter().any(|target| target["label"] == "3"), "{offered}");
    let offered = client.fine("completions", json!({ "text": "p1.sc", "column": 6 }));
    assert_eq!((&offered["targets"][0]["label"], &offered["targets"][0]["start"]), (&json!("score"), &json!(3)));
    assert!(client.evaluate("repl", "4").unwrap_err().contains("4 is not among the options"));
    assert!(client.evaluate("repl", "tabel").unwrap_err().contains("did you mean `table`?"));
    assert_eq!(client.evaluate("repl", "p1.number + 1").unwrap(), "2");
    // The answer runs into the breakpoint on its way.
    client.evaluate("repl", "3").unwrap();
    assert_eq!(client.stopped().1, line_of(GAME, "table.pot +=") as u64);
    assert_eq!(client.evaluate("repl", "amount").unwrap(), "3");
    assert_eq!(client.evaluate("watch", "p").unwrap(), "p1");
    assert_eq!(client.go("continue").1, line_of(GAME, "table.pot +=") as u64, "of p2, for whom an agent plays");
    assert_eq!(client.go("continue").0, "end");
    client.evaluate("repl", "goto 1").unwrap();
    assert_eq!(client.stopped(), ("choice".to_owned(), asked));
    client.evaluate("repl", "quit").unwrap();
    client.event("terminated");
    assert_eq!(client.leave(), 0);
}

#[test]
fn saved_games_and_scenarios_are_gone_through() {
    let folder = Folder::new();
    let saved = folder.saved(&["-v", "double"], "2\n3");
    let mut client = Client::new(&folder);
    client.launch(json!({ "program": saved, "move": 2 }), |_| ());
    assert_eq!(
        client.stopped(),
        ("entry".to_owned(), line_of(GAME, "pay(p, taken)") as u64),
        "what p1's answer led to"
    );
    assert_eq!(client.evaluate("watch", "taken").unwrap(), "2");
    client.go("continue");
    assert_eq!(client.evaluate("watch", "p2.score").unwrap(), "6");
    assert_eq!(client.leave(), 0);

    for (case, line, amount) in [(Value::Null, "table.pot +=", "1"), (json!("three"), "table.pot +=", "3")] {
        let mut client = Client::new(&folder);
        let path = folder.path("tests/scenarios/stake/s1.toml");
        client.launch(json!({ "scenario": path, "case": case, "stopOnEntry": true }), |_| ());
        assert_eq!(client.stopped(), ("entry".to_owned(), line_of(GAME, line) as u64));
        assert_eq!(client.evaluate("watch", "amount").unwrap(), amount);
        let pot = if amount == "1" { "5" } else { "7" };
        assert_eq!(client.evaluate("watch", "table.pot").unwrap(), pot, "as the scenario gives it");
        assert_eq!(client.go("next").1, line_of(GAME, "p.award") as u64);
        assert_eq!(client.output.contains("p2 4 stake"), amount == "3", "that it fails is told:\n{}", client.output);
        assert_eq!(client.go("stepBack").1, line_of(GAME, "table.pot +=") as u64);
        client.go("continue");
        assert!(client.evaluate("repl", "save here.toml").unwrap_err().contains("with a scenario"));
    }
    let mut client = Client::new(&folder);
    let path = folder.path("tests/scenarios/stake/s1.toml");
    client.fine("initialize", json!({}));
    client.refused("launch", json!({ "scenario": path, "case": "thre" }), &["did you mean `three`?"]);
}

#[test]
fn a_saved_game_with_its_rules_shows_these() {
    let folder = Folder::new();
    folder.saved(&[], "2\nsave own.toml with rules");
    folder.write(GAME_FILE, &GAME.replace("table.pot = 0", "\n    table.pot = 1"));
    let own = std::fs::read_to_string(folder.0.join("own.toml")).unwrap();
    let mut client = Client::new(&folder);
    let award = line_of(&own, "p.award");
    client.launch(json!({ "saved": "own.toml" }), |client| {
        assert_eq!(client.break_at(GAME_FILE, json!([{ "line": 30 }]))[0]["verified"], false);
        assert_eq!(client.break_at("own.toml", json!([{ "line": award }]))[0]["verified"], true);
    });
    assert!(client.output.contains("`underDisk` uses those"), "{}", client.output);
    assert_eq!(client.stopped(), ("breakpoint".to_owned(), award as u64));
    assert_eq!(client.stack()[0]["source"]["path"], folder.path("own.toml"));
    let mut client = Client::new(&folder);
    client.launch(json!({ "saved": "own.toml", "underDisk": true, "stopOnEntry": true }), |_| ());
    client.stopped();
    assert_eq!(client.stack()[0]["source"]["path"], folder.path(GAME_FILE));
}

#[test]
fn rules_that_fail_stop_where_they_fail_and_can_be_followed_back() {
    let folder = Folder::new();
    let mut hunt = folder.program();
    hunt.args(["hunt", "stake", "-v", "failing", "--alone", "-n", "5", "--save", "found"]);
    assert_eq!(hunt.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().code(), Some(1));
    let saved = folder.path("found/error-1.toml");
    for launch in [json!({ "game": "stake", "variants": ["failing"], "seed": 1 }), json!({ "saved": saved })] {
        let mut client = Client::new(&folder);
        client.launch(launch, |_| ());
        assert_eq!(client.stopped(), ("exception".to_owned(), line_of(FAILING, "amount / none") as u64));
        let info = client.fine("exceptionInfo", json!({ "threadId": 1 }));
        assert!(info["description"].as_str().unwrap().contains("division by zero"), "{info}");
        assert!(client.output.contains("division by zero"));
        assert_eq!(client.go("stepBack").1, line_of(FAILING, "amount / none") as u64);
        assert_eq!(client.evaluate("watch", "none").unwrap(), "0");
        assert_eq!(client.go("continue").0, "exception");
        client.fine("continue", json!({ "threadId": 1 }));
        assert_eq!(client.event("exited")["exitCode"], 1);
    }
    let mut client = Client::new(&folder);
    client.launch(json!({ "game": "stake", "variants": ["endless"], "seed": 1 }), |_| ());
    assert_eq!(client.stopped().0, "exception");
    assert!(client.output.contains("operations without a decision"), "{}", client.output);
    assert_eq!(client.leave(), 0);
}

#[test]
fn a_restart_reads_the_rules_again_and_keeps_seed_and_breakpoints() {
    let folder = Folder::new();
    let mut client = Client::new(&folder);
    let award = line_of(GAME, "p.award");
    client.launch(json!({ "game": "stake" }), |client| {
        client.break_at(GAME_FILE, json!([{ "line": award }]));
    });
    client.stopped();
    let amount = client.evaluate("watch", "amount").unwrap();
    folder.write(GAME_FILE, &GAME.replace("p.award(", "\n    p.award("));
    let told = client.break_at(GAME_FILE, json!([{ "line": award }]));
    assert!(told[0]["message"].as_str().unwrap().contains("a restart reads it again"), "{told:?}");
    client.fine("restart", json!({}));
    assert_eq!(client.stopped(), ("breakpoint".to_owned(), award as u64 + 1), "the line that has the statement now");
    assert_eq!(client.evaluate("watch", "amount").unwrap(), amount, "the same seed");
    client.refused("restart", json!({ "arguments": { "game": "stakes" } }), &["did you mean `stake`?"]);
    client.fine("restart", json!({ "arguments": { "game": "stake", "players": 3, "stopOnEntry": true } }));
    assert_eq!(client.stopped().0, "entry");
    assert!(client.output.contains("3 players"));
}

#[test]
fn a_viewer_is_told_what_that_player_may_know() {
    let folder = Folder::new();
    let mut client = Client::new(&folder);
    let award = line_of(GAME, "p.award");
    client.launch(json!({ "game": "stake", "seed": 1, "viewer": "p2" }), |client| {
        client.break_at(GAME_FILE, json!([{ "line": award }, { "line": award, "logMessage": "holds {p1.hand}" }]));
        client.fine("setDataBreakpoints", json!({ "breakpoints": [{ "dataId": "p1.hand" }] }));
    });
    let stop = client.event("stopped");
    assert!(stop["reason"] == "data breakpoint" && !stop.to_string().contains("chip"), "{stop}");
    assert_eq!(client.go("continue"), ("breakpoint".to_owned(), award as u64));
    assert!(client.output.contains("holds (") && !client.output.contains("holds [chip"), "{}", client.output);
    let (names, table) = client.scopes();
    let (_, p1) = client.part(table, "p1");
    let (_, p2) = client.part(table, "p2");
    assert_eq!(client.part(p1, "hand").0, "1: ?");
    assert!(client.part(p2, "hand").0.starts_with("1: chip-"));
    let (_, bag) = client.part(table, "bag");
    assert!(client.parts(bag).iter().all(|part| part.1 == "?" && part.2 == 0));
    let (_, held) = client.part(names, "p");
    assert_eq!(client.part(held, "hand").0, "1: ?", "nor by way of the names of the call");
    for (context, expression) in [("watch", "p1.hand"), ("hover", "p1.hand"), ("repl", "p1.hand"), ("repl", "locals")] {
        assert!(client.evaluate(context, expression).is_err(), "{context} {expression}");
    }
    let dealt = client.output.lines().find(|line| line.contains("p1 hand")).unwrap().to_owned();
    assert!(!dealt.contains("chip-"), "{dealt}");
}

#[test]
fn without_debugging_it_is_played_to_its_end() {
    let folder = Folder::new();
    let mut client = Client::with(&folder, &["--lang", "ja"]);
    client.launch(json!({ "program": folder.path(DOUBLE_FILE), "noDebug": true, "seed": 1 }), |client| {
        client.break_at(GAME_FILE, json!([{ "line": line_of(GAME, "p.award") }]));
    });
    assert_eq!(client.event("exited")["exitCode"], 0);
    client.event("terminated");
    assert!(client.output.contains("シード 1"), "{}", client.output);
    client.fine("disconnect", json!({}));
    assert_eq!(client.leave(), 0);
}

#[test]
fn places_can_be_gone_to() {
    let folder = Folder::new();
    let mut client = Client::new(&folder);
    client.launch(json!({ "game": "stake", "seed": 1 }), |_| ());
    client.stopped();
    let source = json!({ "path": folder.path(GAME_FILE) });
    let line = line_of(GAME, "p.award");
    let targets = client.fine("gotoTargets", json!({ "source": source, "line": line }))["targets"].clone();
    client.refused("goto", json!({ "threadId": 1, "targetId": targets[0]["id"] }), &["the game is over here"]);
    client.fine("goto", json!({ "threadId": 1, "targetId": targets[1]["id"] }));
    assert_eq!(client.stopped(), ("goto".to_owned(), line as u64));
    let found = client.fine("breakpointLocations", json!({ "source": source, "line": 1, "endLine": 1000 }));
    let statements = GAME.lines().filter(|line| line.ends_with(';') || line.trim_start().starts_with("for ")).count();
    assert_eq!(found["breakpoints"].as_array().unwrap().len(), statements);
    let sources = client.fine("loadedSources", json!({}));
    assert_eq!(sources["sources"][0]["path"], folder.path(GAME_FILE));
}

#[test]
fn a_file_is_run_under_the_rules_around_it() {
    let folder = Folder::new();
    for file in [DOUBLE_FILE, GAME_FILE, "tests/scenarios/stake/s1.toml"] {
        let mut client = Client::at(&folder, &folder.0.join("home"), &[]);
        client.launch(json!({ "program": folder.path(file) }), |client| {
            assert_eq!(client.break_at(GAME_FILE, json!([{ "line": line_of(GAME, "p.award") }]))[0]["verified"], true);
        });
        assert_eq!(client.stopped(), ("breakpoint".to_owned(), line_of(GAME, "p.award") as u64), "{file}");
        assert_eq!(client.stack()[0]["source"]["path"], folder.path(GAME_FILE));
    }
}

#[test]
fn rules_that_came_with_the_program_are_read_from_it() {
    let folder = Folder::new();
    let mut client = Client::new(&folder);
    client.launch(json!({ "game": "pig", "seed": 1, "stopOnEntry": true }), |_| ());
    client.stopped();
    let source = client.stack()[0]["source"].clone();
    assert!(source["sourceReference"].as_u64().unwrap() > 0 && source["path"].is_null(), "{source}");
    let text = client.fine("source", json!({ "source": source, "sourceReference": source["sourceReference"] }));
    let line = line_of(text["content"].as_str().unwrap(), "fn turn") + 1;
    let told = client.fine("setBreakpoints", json!({ "source": source, "breakpoints": [{ "line": line }] }));
    assert_eq!(told["breakpoints"][0]["verified"], true);
    assert_eq!(client.go("continue").1, told["breakpoints"][0]["line"].as_u64().unwrap());
}

#[test]
fn wrong_launches_are_refused_with_what_to_write() {
    let folder = Folder::new();
    let saved = folder.saved(&[], "2");
    let mut client = Client::new(&folder);
    client.fine("initialize", json!({}));
    for (arguments, parts) in [
        (json!({}), ["nothing says what is to be run", "`game`"]),
        (json!({ "gaem": "stake" }), ["no launch argument `gaem`", "did you mean `game`?"]),
        (json!({ "game": "stak" }), ["no game `stak`", "did you mean `stake`?"]),
        (json!({ "game": "stake", "saved": saved }), ["one session runs one thing", "`scenario`"]),
        (json!({ "game": "stake", "variants": ["duoble"] }), ["no variant `duoble`", "did you mean `double`?"]),
        (json!({ "game": "stake", "variants": [1] }), ["`variants` is a list of texts", "[1]"]),
        (json!({ "game": "stake", "players": "two" }), ["`players` is a whole number", "\"two\""]),
        (json!({ "game": "stake", "players": 9 }), ["2 to 4 players", "9"]),
        (json!({ "game": "stake", "seed": -1 }), ["`seed` is a whole number", "-1"]),
        (json!({ "game": "stake", "move": 0 }), ["0 is not a move", "from 1"]),
        (json!({ "game": "stake", "agents": { "p3": "random" } }), ["no seat `p3`", "p1 to p2"]),
        (json!({ "game": "stake", "agents": "randon" }), ["no agent `randon`", "did you mean `random`?"]),
        (json!({ "game": "stake", "viewer": "p7" }), ["no player `p7`", "p1 to p2"]),
        (json!({ "game": "stake", "language": "jp" }), ["no language `jp`", "ja"]),
        (json!({ "game": "stake", "dir": "/nowhere/at/all" }), ["no folder", "games/ and variants/"]),
        (json!({ "game": "stake", "case": "one" }), ["a game takes no `case`", "leave it out"]),
        (json!({ "saved": saved, "seed": 4 }), ["a saved game takes no `seed`", "leave it out"]),
        (json!({ "saved": saved, "move": 40 }), ["no move 40", "from 1 to 2"]),
        (json!({ "saved": "gone.toml" }), ["gone.toml", "no such file"]),
        (json!({ "program": folder.path("home") }), ["home", ""]),
        (json!({ "scenario": folder.path(GAME_FILE) }), ["game.toml", ""]),
    ] {
        client.refused("launch", arguments, &parts);
    }
    client.fine("launch", json!({ "game": "stake", "somethingOfTheClient": true, "__sessionId": "x" }));
    assert!(client.output.contains("`somethingOfTheClient` is not an argument"), "{}", client.output);
    client.refused("launch", json!({ "game": "stake" }), &["a game was begun already"]);
    client.refused("attach", json!({}), &["there is nothing to attach to"]);
}

#[test]
fn whatever_a_client_sends_it_is_answered() {
    let folder = Folder::new();
    let mut client = Client::new(&folder);
    for command in ["continue", "stackTrace", "variables", "evaluate", "setVariable", "source", "completions", "goto"] {
        client.refused(command, json!({}), &["needs a game", "`launch`"]);
    }
    client.refused("stackTraces", json!({}), &["did you mean `stackTrace`?"]);
    client.refused("restart", json!({}), &["no game was begun"]);
    assert_eq!(client.break_at(GAME_FILE, json!([{ "line": 1 }]))[0]["verified"], false, "not yet");
    client.raw(b"Content-Length: 3\r\n\r\n{a}nonsense\r\n\r\nContent-Length: 2\r\n\r\n[]");
    client.raw(b"Content-Length: many\r\n\r\n");
    client.launch(json!({ "game": "stake", "seed": 1, "stopOnEntry": true }), |client| {
        assert!(client.output.contains("this is not JSON") && client.output.contains("`many`"), "{}", client.output);
    });
    client.stopped();
    // The breakpoint that was set before is there now.
    assert!(client.fine("breakpointLocations", json!({}))["breakpoints"].as_array().unwrap().is_empty());
    for command in [
        "setBreakpoints",
        "setFunctionBreakpoints",
        "setExceptionBreakpoints",
        "setDataBreakpoints",
        "dataBreakpointInfo",
        "gotoTargets",
        "goto",
        "restartFrame",
        "threads",
        "stackTrace",
        "scopes",
        "variables",
        "setVariable",
        "setExpression",
        "source",
        "modules",
        "evaluate",
        "completions",
        "exceptionInfo",
        "cancel",
        "pause",
    ] {
        let wrong = json!({
            "source": 3, "breakpoints": [{}, 7, { "line": -1 }, { "line": 1e30, "condition": 5 }], "frameId": 99, "line": u64::MAX,
            "variablesReference": 99, "sourceReference": -5, "targetId": 0, "expression": "", "name": "", "value": "",
            "filters": [1, "award", "awrad"], "filterOptions": [{}], "text": "あ", "column": 9, "startFrame": 99, "levels": 99,
        });
        for arguments in [wrong, json!([]), json!("text"), Value::Null] {
            let _ = client.request(command, arguments);
        }
    }
    assert_eq!(client.stack()[0]["line"], line_of(GAME, "components("));
    assert_eq!(client.leave(), 0);
}

#[test]
fn a_pause_stops_a_long_run_and_nothing_goes_on_without_a_client() {
    let folder = Folder::new();
    let mut client = Client::new(&folder);
    // Each choice takes far longer than the test.
    client.launch(json!({ "game": "stake", "agents": "search:1000000" }), |_| ());
    std::thread::sleep(Duration::from_millis(300));
    client.fine("pause", json!({ "threadId": 1 }));
    assert_eq!(client.stopped().0, "pause");
    client.send("continue", &json!({ "threadId": 1 }));
    let number = client.send("pause", &json!({ "threadId": 1 }));
    let _ = client.answer_to(number - 1);
    let _ = client.answer_to(number);
    client.send("continue", &json!({ "threadId": 1 }));
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(client.leave(), 0, "the client went while rules ran");
}

#[test]
fn the_documentation_names_every_argument_of_a_launch() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/debugger.md")).unwrap();
    let folder = Folder::new();
    let mut client = Client::new(&folder);
    client.fine("initialize", json!({}));
    client.fine("launch", json!({ "game": "stake", "somethingOfTheClient": true }));
    let told = client.output.split("the arguments are ").nth(1).unwrap();
    for argument in told.split('`').skip(1).step_by(2).filter(|argument| *argument != "noDebug") {
        assert!(page.contains(&format!("\n| `{argument}` | ")), "{argument} is not in docs/debugger.md");
    }
}
