// Plays whole games at the live table in a real browser: `node table.mjs PROGRAM [FOLDER]`. Three phones, a public screen and
// the page of whoever has the session are before one game; connections are lost, tabs doubled, and the program is killed and
// resumed. With FOLDER, pictures of each game are kept there, on phones, tablets and desks. TABLE_GAMES=hearts,broken plays those alone.
import axe from "axe-core";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const [program, kept] = process.argv.slice(2).map((path) => resolve(path));
const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "houserule-table-"));
if (kept) mkdirSync(kept, { recursive: true });

const faults = [];
const fault = (where, message) => {
  if (!faults.includes(`${where}: ${message}`)) console.error(`${where}: ${message}`);
  faults.push(`${where}: ${message}`);
};
const sleep = (time) => new Promise((done) => setTimeout(done, time));
async function until(what, isSo, most = 20000) {
  for (const end = Date.now() + most; Date.now() < end; await sleep(20)) if (await isSo()) return true;
  fault(what, `not within ${most} ms`);
  return false;
}

/** The program with a table, its links by the name of their face, and what it shows. */
async function table(args, state = mkdtempSync(join(folder, "state-"))) {
  const child = spawn(program, ["--dir", root, "play", ...args], {
    env: { ...process.env, XDG_STATE_HOME: state, HOUSERULE_LANG: "" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const one = { child, shown: "", links: {} };
  const take = (data) => {
    one.shown += data;
    for (const [, face, link] of one.shown.matchAll(/^(\S+) {2}(http:\S+)/gm)) one.links[face] = link;
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  one.gone = new Promise((done) => child.on("exit", done));
  return one;
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

async function opened(link, name, { width = 390, height = 844, isCalm = false, colorScheme = "light", locale = "en" } = {}) {
  const reducedMotion = isCalm ? "reduce" : "no-preference";
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion, locale, hasTouch: true });
  const page = await context.newPage();
  const { host } = new URL(link);
  page.on("request", (request) => {
    if (new URL(request.url()).host !== host) fault(name, `asks for ${request.url()}`);
  });
  page.on("console", (message) => {
    // What is refused is told on the page too.
    if (!/Failed to load resource/.test(message.text())) fault(name, `the console says: ${message.text()}`);
  });
  page.on("pageerror", (error) => fault(name, `fails: ${error}`));
  await page.goto(link);
  return page;
}

/** Answers whatever a page asks, by clicking like a person who does not think. */
const player = () => {
  window.playing = setInterval(() => {
    for (const form of document.querySelectorAll("form.decision")) {
      const buttons = Array.from(form.querySelectorAll("button[data-label]:enabled"));
      if (!buttons.length) continue;
      const [min, max] = [Number(form.dataset.min), Number(form.dataset.max)];
      if (min === 1 && max === 1) {
        buttons[Math.floor(Math.random() * buttons.length)].click();
        return;
      }
      const free = buttons.filter((button) => button.getAttribute("aria-pressed") !== "true");
      for (const button of free.slice(0, Math.max(0, min - (buttons.length - free.length)))) button.click();
      document.getElementById("confirm").click();
      return;
    }
  }, 25);
};

const isOver = async (page) => (await page.locator("#drawing .decision").count()) === 0 && (await page.locator(".ask .lines").count()) === 1;

async function look(page, name) {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  for (const { id, nodes } of found.violations) fault(name, `axe: ${id}: ${nodes[0].html.slice(0, 120)} (${nodes.length})`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) fault(name, `is ${wide} pixels wider than the screen`);
}

/** While a game goes on, something moves on a page, and nothing for a reader who wants no motion. */
async function motion(page, name, isCalm) {
  const isMoving = () => page.evaluate(() => document.getAnimations().length > 0);
  if (!isCalm) await until(`${name}: something moves`, isMoving);
  for (let look = 0; isCalm && look < 20; look += 1) {
    if (await isMoving()) fault(name, "something moves for somebody who wants no motion");
    await sleep(25);
  }
}

async function picture(page, name) {
  if (!kept) return;
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(kept, `${name}.${width}.png`), fullPage: true });
  }
}

/** At any width the end of the log is in sight and somebody's own seat has the whole width; paper has nothing to tap. */
async function sizes(page, name) {
  for (const width of [820, 1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await sleep(100);
    const [below, isWide] = await page.evaluate(() => {
      const [log, own] = [document.getElementById("log"), document.querySelector(".seat.own")];
      return [log.scrollHeight - log.scrollTop - log.clientHeight, own.clientWidth > 0.95 * own.parentNode.clientWidth];
    });
    if (below > 2) fault(name, `at ${width} pixels, the end of the log is ${below} pixels further down`);
    if (!isWide) fault(name, `at ${width} pixels, the own seat is narrow`);
  }
  await page.emulateMedia({ media: "print" });
  const paper = await page.evaluate(() => {
    const shown = (selector) => Array.from(document.querySelectorAll(selector)).filter((one) => one.getClientRects().length > 0);
    const number = getComputedStyle(document.querySelector("#log li"), "::before");
    return {
      taps: shown("button, input").filter((one) => !one.closest(".options")).length,
      hidden: document.querySelectorAll(".options button").length - shown(".options button").length,
      gap: parseFloat(number.marginRight),
    };
  });
  if (paper.taps) fault(name, `on paper are ${paper.taps} buttons and fields`);
  if (paper.hidden) fault(name, `on paper are not ${paper.hidden} options`);
  if (!paper.gap) fault(name, "on paper, the numbers of the log touch its lines");
  await page.emulateMedia({ media: "screen" });
}

// Each with the seat of an agent, and whether its players want no motion.
const games = [
  ["hearts", ["hearts", "-p", "4", "-s", "3"], "p4"],
  ["up-or-down", ["up-or-down", "-p", "3", "-s", "3"], null, true],
  ["liars-dice", ["liars-dice", "-p", "3", "-s", "3"], null],
  ["playme", ["playme", "-p", "3", "-s", "3", "--set", "playme.data.catches_to_win=1", "--set", "playme.data.goes_until_late=4"], null, true],
];

/** A whole game by three phones, with a public screen that looks on and the session's own page. */
async function whole([name, args, agent, isCalm = false], lang) {
  const seat = agent ? ["--seat", `${agent}=random`] : [];
  const one = await table([...args, "--port", "0", ...seat, "--invite", "p1,p2,p3,public", "--table", ...(lang ? ["--lang", lang] : [])]);
  try {
    if (!(await until(`${name}: links`, () => Object.keys(one.links).length === 5))) return;
    const phones = [];
    for (const seat of ["p1", "p2", "p3"]) phones.push(await opened(one.links[seat], `${name} ${seat}`, { isCalm }));
    const screen = await opened(one.links.public, `${name} public`, { width: 1440, height: 900, isCalm, colorScheme: "dark" });
    const desk = await opened(one.links.browser, `${name} desk`, { width: 1440, height: 900, isCalm });
    const pages = [...phones, screen, desk];
    for (const page of pages) await until(`${name}: connected`, async () => (await page.locator("#status.good").count()) === 1);
    for (const page of pages) await look(page, `${name} at the beginning`);
    for (const phone of phones) await phone.evaluate(player);
    await motion(screen, name, isCalm);
    await sleep(1500);
    await look(phones[0], `${name} in the middle`);
    await picture(phones[0], `${name}${lang ?? ""}.phone`);
    await picture(screen, `${name}${lang ?? ""}.screen`);
    await picture(desk, `${name}${lang ?? ""}.desk`);
    await phones[0].setViewportSize({ width: 390, height: 844 });
    // One phone is loaded anew, and another has two tabs.
    await phones[1].reload();
    await phones[1].evaluate(player);
    const second = await opened(one.links.p3, `${name} p3, second tab`, { isCalm });
    await second.evaluate(player);
    await until(`${name}: the end`, () => isOver(screen), Number(process.env.TABLE_PATIENCE ?? 300000));
    for (const page of pages) await until(`${name}: the end on every face`, () => isOver(page), 3000);
    if (await screen.locator("form.decision").count()) fault(name, "a screen that all look at is asked something");
    // Nobody plays on.
    for (const page of [...phones, second]) await page.evaluate(() => clearInterval(window.playing));
    // What is taken back on the session's page is taken back on every face.
    await desk.locator("#time button").first().click();
    await until(`${name}: undo`, async () => !(await isOver(screen)), 5000);
    await sizes(phones[0], `${name} p1`);
  } finally {
    one.child.kill("SIGINT");
    await one.gone;
  }
}

/** A lost connection, a killed program that is resumed, a void link, and how fast a click arrives. */
async function broken() {
  const args = ["up-or-down", "-p", "2", "-s", "5", "--port", "18417", "--invite", "p1,p2,public", "--table"];
  const state = mkdtempSync(join(folder, "state-"));
  let one = await table(args, state);
  await until("broken: links", () => Object.keys(one.links).length === 4);
  const [first, other] = [await opened(one.links.p1, "broken p1"), await opened(one.links.p2, "broken p2")];
  const screen = await opened(one.links.public, "broken public");
  const asked = (page) => page.locator("form.decision button[data-label]");
  const moves = (page) => page.locator("#log li").last().getAttribute("data-n");
  const turn = async () => ((await asked(first).count()) ? first : (await asked(other).count()) ? other : null);
  // How long a click takes to be seen everywhere.
  const times = [];
  for (let number = 0; number < 15; number += 1) {
    await until("broken: somebody is asked", turn);
    const before = await moves(screen);
    const page = await turn();
    const arrives = screen.evaluate((before) => new Promise((done) => {
      const log = document.getElementById("log");
      const look = () => log.lastElementChild?.dataset.n !== before && done(Date.now());
      new MutationObserver(look).observe(log, { childList: true });
    }), before);
    const clicked = await page.evaluate(() => {
      const [form] = document.querySelectorAll("form.decision");
      const buttons = form.querySelectorAll("button[data-label]");
      for (let pick = 0; pick < Number(form.dataset.min); pick += 1) buttons[pick].click();
      const now = Date.now();
      if (form.dataset.min !== "1" || form.dataset.max !== "1") document.getElementById("confirm").click();
      return now;
    });
    times.push((await Promise.race([arrives, sleep(5000).then(() => Infinity)])) - clicked);
  }
  times.sort((a, b) => a - b);
  console.log(`a click is on the public screen after ${times[7]} ms (median of ${times.length}), at most ${times.at(-1)} ms`);
  // Two of one seat: the second click on the same question is told that it came late.
  await until("broken: somebody is asked", turn);
  const page = await turn();
  const twice = await page.evaluate(async () => {
    const [form] = document.querySelectorAll("form.decision");
    const labels = Array.from(form.querySelectorAll("button[data-label]"), (button) => button.dataset.label);
    const body = JSON.stringify({ choose: { decision: form.dataset.key, labels: labels.slice(0, Number(form.dataset.min)) } });
    const send = () => fetch("do", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    return (await Promise.all([send(), send()])).map((answer) => answer.status).sort();
  });
  if (twice.join() !== "200,409") fault("broken", `the same answer twice gives ${twice}`);
  // The connection of one phone is lost, and comes back.
  await first.context().setOffline(true);
  await first.context().setOffline(false);
  // The program is killed; its links stay, and so does the game.
  await sleep(300);
  const log = await screen.locator("#log li").allTextContents();
  one.child.kill("SIGKILL");
  await one.gone;
  const links = one.links;
  await until("broken: a lost server shows", async () => (await other.locator("#status.bad").count()) === 1);
  one = await table(["--resume", "--table"], state);
  await until("broken: the same links", () => one.links.p2 === links.p2);
  for (const page of [first, other, screen]) {
    await until("broken: comes back", async () => (await page.locator("#status.good").count()) === 1);
  }
  const again = await screen.locator("#log li").allTextContents();
  if (again.join("\n") !== log.join("\n")) fault("broken", "the game is another after it was resumed");
  // A link that is void opens nothing any more.
  one.child.stdin.write("revoke p2\n");
  await until("broken: a void link", async () => /not valid/.test(await other.locator("#status").textContent()));
  const status = (await fetch(links.p2)).status;
  if (status !== 404) fault("broken", `a void link answers ${status}`);
  one.child.kill("SIGINT");
  await one.gone;
}

/** Other rules while people play: before and after, figures, and answers beside what was asked. */
async function changed() {
  const one = await table(["up-or-down", "-p", "3", "-s", "42", "--port", "0", "--invite", "p1,p2,public", "--table"]);
  await until("changed: links", () => Object.keys(one.links).length === 4);
  const desk = await opened(one.links.browser, "changed desk", { width: 1440, height: 900 });
  const phone = await opened(one.links.p1, "changed p1");
  const type = async (line) => {
    await desk.fill("#line", line);
    await desk.press("#line", "Enter");
    await until(`changed: ${line}`, async () => (await desk.inputValue("#line")) === "");
  };
  const shows = (page, what, wanted = true) => async () => (await page.locator(what).isVisible()) === wanted;
  await type("auto 30");
  await type("with greenhorn");
  await until("changed: before and after", shows(desk, "#parting"));
  if ((await desk.locator("#parting .side").count()) !== 2) fault("changed", "there are not two tables");
  if (!(await desk.locator("#parting .side .changed").count())) fault("changed", "what is different is not marked");
  await type("undo");
  await until("changed: as it was", shows(desk, "#parting", false));
  // Figures come by themselves, and nobody waits for them.
  await type("sim 40");
  await until("changed: figures", shows(desk, "#figures"), 120000);
  if (!(await desk.locator("#figures svg").count())) fault("changed", "figures are not drawn");
  await type("with greenhorn");
  for (const width of [390, 1440]) {
    await desk.setViewportSize({ width, height: 900 });
    await look(desk, `changed, at ${width}`);
  }
  await picture(desk, "changed.desk");
  // The answer to a question stands beside what was asked, and covers none of it.
  for (const [width, height] of [[390, 844], [1440, 900]]) {
    await phone.setViewportSize({ width, height });
    await phone.click("#ask");
    const subject = phone.locator("#drawing [data-at]").first();
    await subject.scrollIntoViewIfNeeded();
    const box = await subject.boundingBox();
    await subject.click();
    await until("changed: an answer", shows(phone, "#choice"));
    const answer = await phone.locator("#choice").boundingBox();
    const isBeside = answer.y >= box.y + box.height || answer.y + answer.height <= box.y;
    if (!isBeside) fault("changed", `the answer covers what was asked about at ${width}`);
    if (answer.x < 0 || answer.y < 0 || answer.x + answer.width > width || answer.y + answer.height > height) fault("changed", `the answer leaves the screen at ${width}`);
    if (/\.rhai/.test(await phone.locator("#choice-text").textContent())) fault("changed", "a player is told a place in the rules");
    await look(phone, `changed, an answer at ${width}`);
    await phone.keyboard.press("Escape");
  }
  // A screen for a room: letters for a television, and a board that is whole.
  one.child.kill("SIGINT");
  await one.gone;
  const other = await table(["checkers", "-s", "1", "--port", "0", "--invite", "public", "--table"]);
  await until("changed: links", () => Object.keys(other.links).length === 2);
  const screen = await opened(other.links.public, "changed public");
  for (const [width, height] of [[1440, 900], [1920, 1080]]) {
    await screen.setViewportSize({ width, height });
    const board = await screen.locator(".board").boundingBox();
    if (board.y + board.height > height || board.height < height / 2) fault("changed", `the board is ${board.height} pixels high at ${width}, from ${board.y}`);
    const letters = await screen.evaluate(() => parseFloat(getComputedStyle(document.querySelector(".seat")).fontSize));
    if (letters < 20) fault("changed", `letters of ${letters} pixels at ${width}`);
    await look(screen, `changed public at ${width}`);
  }
  other.child.kill("SIGINT");
  await other.gone;
}

const wanted = process.env.TABLE_GAMES?.split(",");
const isWanted = (name) => !wanted || wanted.includes(name);
for (const game of games.filter(([name]) => isWanted(name))) {
  const began = Date.now();
  await whole(game, kept && game[0] === "up-or-down" ? "ja" : undefined);
  console.log(`${game[0]}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
}
if (isWanted("broken")) await broken();
if (isWanted("changed")) await changed();
await browser.close();
rmSync(folder, { recursive: true, force: true });
console.log(faults.length ? `${faults.length} faults` : "the live table: nothing to complain about");
process.exit(faults.length ? 1 : 0);
