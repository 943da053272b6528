// What Visual Studio Code needs of Houserule: the language server, the debug adapter, scenarios as tests, tasks and commands.
// Everything that is known of rules is known by the program; nothing here is.
"use strict";

const { execFile } = require("node:child_process");
const { mkdtemp, readFile } = require("node:fs/promises");
const { tmpdir } = require("node:os");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** The language server's client, while it runs. */
let client;

/** The tasks that every folder of rules has. */
const TASKS = [
    ["check", ["check"]],
    ["test", ["test"]],
    ["format", ["fmt"]],
    ["check the format", ["fmt", "--check"]],
];

function settings() {
    const all = vscode.workspace.getConfiguration("houserule");
    return { program: all.get("path") || "houserule", common: ["--lang", all.get("language") || "en"] };
}

/** The folder that commands are run in: that of the file in the editor, or else the first one. */
function folderOf(uri) {
    const within = uri && vscode.workspace.getWorkspaceFolder(uri);
    const folder = within || (vscode.workspace.workspaceFolders || [])[0];
    return folder && folder.uri.fsPath;
}

function folderInEditor() {
    const editor = vscode.window.activeTextEditor;
    return folderOf(editor && editor.document.uri);
}

async function startClient() {
    const { program, common } = settings();
    const run = { command: program, args: ["lsp", ...common], options: { cwd: folderOf() } };
    client = new LanguageClient("houserule", "Houserule", run, {
        documentSelector: [
            { scheme: "file", language: "rhai" },
            { scheme: "file", language: "toml" },
        ],
        initializationOptions: { debug: true },
        middleware,
    });
    try {
        await client.start();
    } catch (error) {
        const settingsButton = "Open Settings";
        const message = `Houserule: \`${program} lsp\` cannot be started (${error.message || error}). Install houserule, or say where it is.`;
        const pressed = await vscode.window.showErrorMessage(message, settingsButton);
        if (pressed === settingsButton) {
            await vscode.commands.executeCommand("workbench.action.openSettings", "houserule.path");
        }
    }
}

async function stopClient() {
    const stopped = client;
    client = undefined;
    if (stopped && stopped.isRunning()) await stopped.stop();
}

/** Runs the program in a terminal. */
function inTerminal(args) {
    const { program, common } = settings();
    const cwd = folderInEditor();
    const name = `houserule ${args.slice(0, 2).join(" ")}`;
    const terminal = vscode.window.createTerminal({ name, cwd, shellPath: program, shellArgs: [...args, ...common] });
    terminal.show();
}

/** Runs the program and gives its exit code and what it said. */
function run(args, cwd) {
    const { program, common } = settings();
    return new Promise((resolve) => {
        execFile(program, [...args, ...common], { cwd, maxBuffer: 64 << 20 }, (error, out, complaints) => {
            resolve({ code: error ? error.code : 0, out, complaints: complaints || (error && error.message) || "" });
        });
    });
}

/** Lets the program write a page, and opens it. `OUT` among the arguments is its file. */
async function openPage(args) {
    const file = path.join(await mkdtemp(path.join(tmpdir(), "houserule-")), "page.html");
    const done = await run(args.map((argument) => (argument === "OUT" ? file : argument)), folderInEditor());
    if (done.code === 2) {
        vscode.window.showErrorMessage(done.complaints.trim());
    } else {
        await vscode.env.openExternal(vscode.Uri.file(file));
    }
}

/** The ids of the games that the program finds. */
async function gameIds() {
    const listed = await run(["list", "--json"], folderInEditor());
    try {
        return JSON.parse(listed.out).games.map((game) => game.id);
    } catch {
        return [];
    }
}

async function newVariant() {
    const game = await vscode.window.showQuickPick(gameIds(), { placeHolder: "The game to vary" });
    const prompt = "The id of the variant: lower-case letters and digits, with - between words";
    const id = game && (await vscode.window.showInputBox({ prompt }));
    if (!id) return;
    const cwd = folderInEditor();
    const made = await run(["new", "variant", game, id], cwd);
    if (made.code !== 0) {
        vscode.window.showErrorMessage(made.complaints.trim());
        return;
    }
    const file = path.join(cwd || ".", "variants", game, `${id}.toml`);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
}

/** What the file in the editor is: its path, and of a variant the id of its game. */
function fileInEditor() {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return {};
    const text = editor.document.getText();
    const isScenario = /^\[\[(then|cases)\]\]/m.test(text);
    const game = !isScenario && (text.match(/^game\s*=\s*["'](.*)["']/m) || [])[1];
    return { file: editor.document.uri.fsPath, game, isSaved: /^format\s*=/m.test(text) };
}

/** Plays the variant or the saved game in the editor; otherwise the person chooses a game. */
function playFile() {
    const { file, game, isSaved } = fileInEditor();
    inTerminal(game || isSaved ? ["play", file] : ["play"]);
}

/** Runs a command of the program with the variant in the editor. */
function withVariant(act) {
    return () => {
        const { file, game } = fileInEditor();
        if (game) return act(game, file);
        return vscode.window.showInformationMessage("Open the TOML file of a variant first: it has a line game = …");
    };
}

/** What the client does for commands of the language server that need an editor. */
const middleware = {
    executeCommand: async (command, args, next) => {
        if (command === "houserule.play") {
            const [game, ...variants] = args;
            return inTerminal(["play", game, ...variants.flatMap((variant) => ["-v", variant])]);
        }
        const answer = await next(command, args);
        if (command === "houserule.explain" && typeof answer === "string") {
            const document = await vscode.workspace.openTextDocument({ language: "markdown", content: answer });
            await vscode.window.showTextDocument(document, { preview: true });
        }
        return answer;
    },
};

/** Shows places that a lens speaks of. */
function showReferences(uri, position, locations) {
    const { asUri, asPosition, asLocation } = client.protocol2CodeConverter;
    const places = locations.map((location) => asLocation(location));
    return vscode.commands.executeCommand("editor.action.showReferences", asUri(uri), asPosition(position), places);
}

/** Scenarios in the test explorer, run by `houserule test`. */
function scenarios(context) {
    const controller = vscode.tests.createTestController("houserule", "Houserule");
    const pattern = "**/tests/scenarios/**/*.toml";
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);

    const add = async (uri) => {
        const text = await readFile(uri.fsPath, "utf8").catch(() => "");
        const value = (key) => (text.match(new RegExp(`^${key}\\s*=\\s*["'](.*)["']`, "m")) || [])[1];
        if (!/^(\[\[then\]\]|\[\[cases\]\]|then\s*=|cases\s*=)/m.test(text)) return;
        const game = value("game") || "scenarios";
        const parent = controller.items.get(game) || controller.createTestItem(game, game);
        controller.items.add(parent);
        const label = [value("id"), value("title")].filter(Boolean).join(": ") || path.basename(uri.fsPath);
        const item = controller.createTestItem(uri.fsPath, label, uri);
        item.range = new vscode.Range(0, 0, 0, 0);
        parent.children.add(item);
    };
    const remove = (uri) => controller.items.forEach((game) => game.children.delete(uri.fsPath));
    controller.resolveHandler = async (item) => {
        if (!item) await Promise.all((await vscode.workspace.findFiles(pattern)).map(add));
    };
    controller.refreshHandler = () => controller.resolveHandler();
    watcher.onDidCreate(add);
    watcher.onDidChange(add);
    watcher.onDidDelete(remove);

    const runTests = async (request) => {
        const asked = request.include || [...controller.items].map(([, game]) => game);
        const files = asked.flatMap((item) => (item.uri ? [item] : [...item.children].map(([, child]) => child)));
        const meant = files.filter((item) => !(request.exclude || []).includes(item));
        const tests = controller.createTestRun(request);
        meant.forEach((item) => tests.started(item));
        const cwd = folderOf(meant[0] && meant[0].uri);
        const done = await run(["test", "--json", ...meant.map((item) => item.id)], cwd);
        tests.appendOutput(done.complaints.replace(/\r?\n/g, "\r\n"));
        let report = { scenarios: [], unreadable: [{ message: done.complaints }] };
        try {
            report = JSON.parse(done.out);
        } catch {
            // What the program complained of is shown.
        }
        const named = new Map(report.scenarios.map((one) => [path.resolve(cwd || ".", one.path), one]));
        const message = (error) => {
            const shown = new vscode.TestMessage([error.message, ...(error.help || [])].join("\n"));
            if (error.file && error.line) {
                const at = new vscode.Position(error.line - 1, Math.max(0, (error.column || 1) - 1));
                shown.location = new vscode.Location(vscode.Uri.file(path.resolve(cwd || ".", error.file)), at);
            }
            return shown;
        };
        for (const item of meant) {
            const one = named.get(item.id);
            if (!one) tests.errored(item, report.unreadable.map(message));
            else if (one.passed) tests.passed(item);
            else tests.failed(item, one.errors.map(message));
        }
        tests.end();
    };
    controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, runTests, true);
    controller.createRunProfile("Debug", vscode.TestRunProfileKind.Debug, async (request) => {
        const [item] = request.include || [];
        if (item && item.uri) await debug({ scenario: item.id });
    });
    context.subscriptions.push(controller, watcher);
}

/** Starts the debugger. */
function debug(attributes) {
    const folder = (vscode.workspace.workspaceFolders || [])[0];
    const configuration = { type: "houserule", request: "launch", name: "Houserule", dir: folderInEditor() };
    return vscode.debug.startDebugging(folder, { ...configuration, ...attributes });
}

/** Debugs a file, from its beginning or up to a function. */
function debugFromLens(file, name) {
    if (!name) return debug({ program: file, stopOnEntry: true });
    const isKnown = (one) => one instanceof vscode.FunctionBreakpoint && one.functionName === name;
    if (!vscode.debug.breakpoints.some(isKnown)) vscode.debug.addBreakpoints([new vscode.FunctionBreakpoint(name)]);
    return debug({ program: file });
}

async function activate(context) {
    const command = (name, act) => context.subscriptions.push(vscode.commands.registerCommand(name, act));
    command("houserule.playFile", playFile);
    command("houserule.debugFile", () => debug({ program: fileInEditor().file, stopOnEntry: true }));
    command("houserule.compareFile", withVariant((game, file) => openPage(["compare", game, "-v", file, "--html", "OUT"])));
    command("houserule.packFile", withVariant((game, file) => inTerminal(["pack", file])));
    command("houserule.check", () => inTerminal(["check"]));
    command("houserule.newVariant", newVariant);
    command("houserule.restart", async () => {
        await stopClient();
        await startClient();
    });
    command("houserule.showReferences", showReferences);
    command("houserule.debug", debugFromLens);

    context.subscriptions.push(
        vscode.debug.registerDebugAdapterDescriptorFactory("houserule", {
            createDebugAdapterDescriptor: () => {
                const { program, common } = settings();
                return new vscode.DebugAdapterExecutable(program, ["dap", ...common], { cwd: folderInEditor() });
            },
        }),
        vscode.debug.registerDebugConfigurationProvider("houserule", {
            // Without a launch.json, what is in the editor is debugged.
            resolveDebugConfiguration: (folder, configuration) => {
                if (configuration.type) return configuration;
                const dir = folder ? folder.uri.fsPath : folderInEditor();
                const added = { type: "houserule", request: "launch", name: "Debug this file", program: "${file}" };
                return { ...added, dir, stopOnEntry: true };
            },
        }),
        vscode.tasks.registerTaskProvider("houserule", {
            provideTasks: () => TASKS.map(([name, args]) => task(name, args)),
            resolveTask: (known) => task(known.name, known.definition.arguments, known.definition),
        }),
    );
    scenarios(context);
    context.subscriptions.push(
        vscode.workspace.onDidChangeConfiguration(async (change) => {
            if (change.affectsConfiguration("houserule.path") || change.affectsConfiguration("houserule.language")) {
                await stopClient();
                await startClient();
            }
        }),
    );
    await startClient();
}

function task(name, args, definition) {
    const { program, common } = settings();
    const execution = new vscode.ProcessExecution(program, [...args, ...common]);
    const meant = definition || { type: "houserule", arguments: args };
    return new vscode.Task(meant, vscode.TaskScope.Workspace, name, "houserule", execution, "$houserule");
}

module.exports = { activate, deactivate: stopClient };
