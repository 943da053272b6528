// Plays the shipped games in the core built for WebAssembly, and compares with the program:
//
//     node tests/wasm/play.mjs HOUSERULE_WASM [HOUSERULE]
//
// Every game that comes with the core is played move by move and once to its end by the random agent; its scenarios are
// run; with the path of the program, the traces of both are compared byte by byte. The program is started in an empty
// folder, and the core is handed no file. Handed the project's files, it has the same games.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const project = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const [wasm, program] = process.argv.slice(2);
if (!wasm) throw new Error("say where the module is: node tests/wasm/play.mjs HOUSERULE_WASM [HOUSERULE]");

const module = await WebAssembly.compile(readFileSync(wasm));
const wanted = WebAssembly.Module.imports(module);
if (wanted.length > 0) throw new Error(`the core wants something of its host: ${JSON.stringify(wanted)}`);
const core = (await WebAssembly.instantiate(module, {})).exports;

/** What the core answers to a request, as text. */
function asked(request) {
    for (const byte of new TextEncoder().encode(JSON.stringify(request))) core.give(byte);
    core.answer();
    const bytes = [];
    for (let byte = core.take(); byte >= 0; byte = core.take()) bytes.push(byte);
    return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** The same, as a value. */
function ask(request) {
    const answer = JSON.parse(asked(request));
    if (answer.error) throw new Error(answer.error);
    return answer;
}

/** Every file below a folder of the project. */
function* below(folder) {
    for (const name of readdirSync(join(project, folder)).sort()) {
        const path = join(folder, name);
        if (statSync(join(project, path)).isDirectory()) yield* below(path);
        else yield path;
    }
}

const files = {};
for (const folder of ["games", "variants", "scripts", join("tests", "scenarios")]) {
    for (const path of below(folder)) files[path.replaceAll("\\", "/")] = readFileSync(join(project, path), "utf8");
}
const games = ask({ built_in: true });
const of_files = JSON.stringify(ask({ files }));
if (of_files !== JSON.stringify(games)) throw new Error(`the files have other games: ${of_files}`);
ask({ built_in: true });
const empty = mkdtempSync(join(tmpdir(), "houserule-"));
console.log(`${Object.keys(files).length} files, ${games.length} games, a module of ${statSync(wasm).size} bytes`);

/** Moves that are chosen one by one; the rest of a game is left to the random agent. */
const MOST_MOVES = 300;

let differences = 0;
for (const { id: game, players: [least, most] } of games) {
    const players = Math.max(least, Math.min(most, 4));
    const start = { start: game, players, seed: 7 };
    let here = ask(start);
    let moves = 0;
    // By chance, for some games never end where somebody chooses by a pattern.
    let chance = 7;
    for (; here.asked && moves < MOST_MOVES; moves += 1) {
        const { options, min, max } = here.asked;
        const count = Math.max(min, Math.min(1, max));
        chance = (chance * 48271) % 2147483647;
        const first = chance % (options.length - count + 1);
        here = ask({ choose: options.slice(first, first + count) });
    }
    ask(start);
    const { scores } = ask({ auto: 7 });
    const { passed, failed } = ask({ test: game });
    differences += failed.length;
    for (const told of failed) console.error(told);
    let same = "";
    if (program) {
        const request = { trace: game, players, seed: 7 };
        const native = execFileSync(resolve(program), ["trace", game, "-p", String(players), "-s", "7"], {
            cwd: empty,
            encoding: "utf8",
            maxBuffer: 1 << 28,
        });
        const is_same = asked(request) === native;
        differences += is_same ? 0 : 1;
        same = is_same ? `, trace of ${native.length} characters as the program writes it` : ", ANOTHER TRACE";
    }
    console.log(`${game}: ${moves} moves to ${here.scores}; by chance ${scores}; ${passed} scenarios passed${same}`);
}
process.exit(differences === 0 ? 0 : 1);
