// Measures the live table under load: `node load.mjs PROGRAM [MOVES] [WATCHERS]`. Sixteen players and fifty who watch are before
// one game of a folder of its own, each with a stream; players answer one after the other. It prints how long it takes until a choice is on
// every face, and the memory and processor time of the session along the way. No browser is needed.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [program, wanted] = [resolve(process.argv[2]), Number(process.argv[3] ?? 10000)];
const [players, watchers] = [16, Number(process.argv[4] ?? 50)];
const folder = mkdtempSync(join(tmpdir(), "houserule-load-"));
mkdirSync(join(folder, "games/crowd"), { recursive: true });
writeFileSync(join(folder, "games/crowd/game.toml"), `id = "crowd"
name = "Crowd"
players = { min = 2, max = 16 }
`);
writeFileSync(join(folder, "games/crowd/rules.rhai"), `fn game() {
    loop {
        for p in players { p.choose("number", 1..=6); }
    }
}
`);

const child = spawn(program, ["--dir", folder, "play", "crowd", "-p", String(players), "-s", "1", "--port", "0", "--invite", "all,public"], {
  cwd: folder, env: { ...process.env, XDG_STATE_HOME: folder }, stdio: ["pipe", "pipe", "pipe"],
});
let shown = "";
const links = {};
const hear = (data) => {
  shown += data;
  for (const [, face, link] of shown.matchAll(/^(\S+) {2}(http:\S+)/gm)) links[face] = link;
};
child.stdout.on("data", hear);
child.stderr.on("data", hear);
const sleep = (time) => new Promise((done) => setTimeout(done, time));
for (let tries = 0; Object.keys(links).length < players + 1; tries += 1) {
  if (tries > 600) throw new Error(`no links:\n${shown}`);
  await sleep(50);
}

/** A face that is told every state; `seen` is the last, and `waits` are called with each. */
function watch(link) {
  const face = { seen: null, waits: [] };
  const open = () => request(`${link}events?as=view`, (answer) => {
    // Of one link, forty may ask at once: a page tries again, too.
    if (answer.statusCode === 429) { answer.resume(); setTimeout(open, 500); return; }
    let text = "";
    answer.setEncoding("utf8");
    answer.on("data", (part) => {
      text += part;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const data = /^event: state\ndata: (.*)$/s.exec(text.slice(0, end));
        text = text.slice(end + 2);
        if (!data) continue;
        face.seen = JSON.parse(data[1]).view;
        face.waits = face.waits.filter((wait) => !wait(face.seen));
      }
    });
  }).end();
  open();
  face.until = (isSo) => new Promise((done) => {
    if (face.seen && isSo(face.seen)) done();
    else face.waits.push((seen) => isSo(seen) && (done(), true));
  });
  return face;
}
const post = (link, body) => new Promise((done, fail) => {
  const sent = request(`${link}do`, { method: "POST", headers: { "Content-Type": "application/json" } }, (answer) => {
    answer.resume();
    answer.on("end", () => done(answer.statusCode));
  });
  sent.on("error", fail);
  sent.end(JSON.stringify(body));
});

const seats = Array.from({ length: players }, (_, number) => watch(links[`p${number + 1}`]));
const faces = [...seats, ...Array.from({ length: watchers }, () => watch(links.public))];
await Promise.all(faces.map((face) => face.until(() => true)));

const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]) / 1024;
// Seconds of processor time that the session has taken; the kernel counts a hundred a second.
const processor = () => {
  const [user, system] = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ").slice(11, 13);
  return (Number(user) + Number(system)) / 100;
};
const times = [];
const began = Date.now();
for (let number = 1; number <= wanted; number += 1) {
  const seat = (number - 1) % players;
  await seats[seat].until((view) => view.move === number);
  const { decision, options } = seats[seat].seen.asked[0];
  const told = Promise.all(faces.map((face) => face.until((view) => view.move > number)));
  const start = performance.now();
  const status = await post(links[`p${seat + 1}`], { choose: { decision, labels: [options[number % 6].label] } });
  if (status !== 200) throw new Error(`move ${number}: status ${status}`);
  await told;
  times.push(performance.now() - start);
  if (number % 1000 === 0 || number === wanted) {
    const sorted = times.splice(0).sort((one, other) => one - other);
    const at = (share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(1);
    const seconds = ((Date.now() - began) / 1000).toFixed(0);
    console.log(`move ${number} after ${seconds} s: on all ${faces.length} faces after ${at(0.5)} ms (median), ${at(0.99)} ms (99 of 100); ${memory().toFixed(1)} MiB, ${processor().toFixed(1)} s of processor`);
  }
}
child.kill("SIGINT");
rmSync(folder, { recursive: true, force: true });
process.exit(0);
