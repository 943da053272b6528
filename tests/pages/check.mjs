// What a browser makes of the pages that houserule writes: `node check.mjs PROGRAM [FOLDER]`. With FOLDER, pages of every
// game are looked at, and they and a picture of each, on a phone and on a desk, in light and dark, are kept there.
import axe from "axe-core";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { checkSheets } from "./sheets.mjs";

const [program, kept] = process.argv.slice(2).map((path) => resolve(path));
const root = resolve(import.meta.dirname, "../..");
const folder = kept ?? mkdtempSync(join(tmpdir(), "houserule-pages-"));
mkdirSync(folder, { recursive: true });

/** What is wrong, with the page that shows it. */
const faults = [];
const fault = (page, message) => faults.push(`${page}: ${message}`);

function houserule(args, input = "") {
  return execFileSync(program, ["--dir", root, ...args], { cwd: folder, input, encoding: "utf8", stdio: "pipe" });
}

// A game of each sort (cards, teams, dice, a board) with everything open, as the second player sees it and in Japanese,
// and its rulebooks; the reports; and the other games.
const thorough = ["up-or-down", "spades", "playme", "checkers"];
const games = kept ? JSON.parse(houserule(["list", "--json"])).games.map((game) => game.id) : thorough;
const replays = [];
const others = [];
for (const game of games) {
  const whole = game === "up-or-down" ? "until end" : "auto 25";
  const saved = `${game}.game.toml`;
  rmSync(join(folder, saved), { force: true });
  houserule(["play", game, "-s", "7"], `${whole}\nsave ${saved}\n`);
  const isThorough = thorough.includes(game);
  const more = isThorough ? [["p2", ["--as", "p2"]], ["ja", ["--lang", "ja"]]] : [];
  for (const [view, args] of [["open", []], ...more]) {
    replays.push(`${game}.${view}.html`);
    houserule(["replay", saved, "--html", replays.at(-1), "--force", ...args]);
  }
  for (const language of isThorough ? ["en", "ja"] : ["en"]) {
    others.push(`${game}.rules.${language}.html`);
    houserule(["doc", game, "--lang", language, "--html", others.at(-1), "--force"]);
  }
}
const reports = {
  "variants.rules": ["doc", "up-or-down", "-v", "greenhorn", "-v", "rainbow"],
  sim: ["sim", "up-or-down", "-p", "3", "-v", "greenhorn", "-n", "60"],
  compare: ["compare", "hearts", "-p", "4", "-v", "black-lady", "-n", "60"],
  sweep: ["compare", "up-or-down", "-p", "2", "--sweep", "variants=greenhorn,rainbow", "--goal", "ties < 40%", "-n", "60"],
  ladder: ["ladder", "pig", "-p", "2", "-n", "10", "--rungs", "random,greedy", "--vs-plain", "-v", "two-dice"],
};
for (const [name, args] of Object.entries(reports)) {
  others.push(`${name}.html`);
  houserule([...args, "--html", others.at(-1), "--force"]);
}
others.push("playme.print.html");
houserule(["print", "playme", "-o", others.at(-1), "--force"]);
others.push("coverage.html");
houserule(["test", join(root, "tests/scenarios/hearts"), "--coverage", "--html", others.at(-1)]);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
const widths = [390, 1200];
const colors = ["light", "dark"];

/** Opens a page, and notes whatever it asks for or complains about. */
async function opened(context, name) {
  const page = await context.newPage();
  const address = pathToFileURL(join(folder, name)).href;
  page.on("request", (request) => {
    if (request.url() !== address) fault(name, `asks for ${request.url()}`);
  });
  page.on("console", (message) => fault(name, `the console says: ${message.text()}`));
  page.on("pageerror", (error) => fault(name, `fails: ${error}`));
  await page.goto(address);
  return page;
}

/** Labels, contrast and structure, as axe sees them; and nothing that leads off the side of the screen. */
async function looksWell(page, name, view, isAxed) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (over > 0) fault(name, `${view}: is ${over} pixels wider than the screen`);
  if (!isAxed) return;
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  for (const { id, help, nodes } of violations) {
    const places = nodes.slice(0, 3).map((node) => `${node.html} (${node.any.map((check) => check.message).join("; ")})`);
    fault(name, `${view}: ${id}, ${help}, ${nodes.length} times:\n    ${places.join("\n    ")}`);
  }
}

/** Gives the page `shown`: the table, the move and the awards that stand there now. */
const look = () => window.shown = () => {
  const slots = Array.from(document.querySelectorAll("[data-slot]"), (slot) => slot.innerHTML);
  const awards = Array.from(document.querySelectorAll("[data-move]"), (award) => award.hidden);
  const current = Array.from(document.querySelectorAll("[aria-current]"), (entry) => entry.textContent);
  return JSON.stringify([slots, awards, current, document.getElementById("here").textContent]);
};
const now = (page) => page.evaluate(() => window.shown());

/** What the page shows after each of so many presses of a key: in the page, where no picture of each is drawn. */
const pressed = (page, key, times) => page.evaluate(([key, times]) => Array.from({ length: times }, () => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  return window.shown();
}), [key, times]);

/** Goes through the game forwards and backwards, by keys, buttons, the log, the slider, an address and a finger. */
async function steps(page, name) {
  const is = (what, found, wanted) => found === wanted || fault(name, `${what} shows another position`);
  await page.evaluate(look);
  const moves = Number(await page.locator("#range").getAttribute("max"));
  const forwards = [await now(page), ...await pressed(page, "ArrowRight", moves)];
  if (new Set(forwards).size !== moves + 1) fault(name, "two moves show the same");
  const backwards = await pressed(page, "ArrowLeft", moves);
  backwards.forEach((shown, steps) => is(`going back to ${moves - 1 - steps}`, shown, forwards[moves - 1 - steps]));
  for (const [key, move] of [["ArrowRight", 1], ["ArrowLeft", 0], ["End", moves], ["ArrowRight", moves], ["Home", 0]]) {
    await page.keyboard.press(key);
    is(`the key ${key}`, await now(page), forwards[Math.min(move, moves)]);
  }
  for (const [button, move] of [["next", 1], ["next", 2], ["back", 1], ["last", moves], ["first", 0]]) {
    await page.click(`#${button}`);
    is(`the button ${button}`, await now(page), forwards[Math.min(move, moves)]);
  }
  const middle = Math.floor(moves / 2);
  await page.locator("#log > li").nth(middle).locator("button").click();
  is("the log", await now(page), forwards[middle]);
  await page.locator("#range").fill("1");
  is("the slider", await now(page), forwards[1]);
  await page.evaluate((move) => { location.hash = `#${move}`; }, middle);
  await page.waitForFunction((move) => document.getElementById("range").value === String(move), middle);
  is("the address", await now(page), forwards[middle]);
  await page.evaluate(() => {
    const table = document.getElementById("table");
    const touch = (x) => new Touch({ identifier: 1, target: table, clientX: x, clientY: 100 });
    table.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(300)], changedTouches: [touch(300)] }));
    table.dispatchEvent(new TouchEvent("touchend", { changedTouches: [touch(100)] }));
  });
  is("a finger", await now(page), forwards[Math.min(middle + 1, moves)]);
  await page.locator("body").click({ position: { x: 1, y: 1 } });
  await page.keyboard.press("End");
  await page.keyboard.press(" ");
  is("playing from the start", await now(page), forwards[0]);
  await page.keyboard.press(" ");
}

/** Looks at one page at every width and in both colours: labels and contrast once in each colour, moves once. */
async function lookedAt(name) {
  const isReplay = replays.includes(name);
  for (const width of widths) {
    const isNarrow = width < 400;
    const context = await browser.newContext({ viewport: { width, height: 900 }, hasTouch: true });
    const page = await opened(context, name);
    if (isReplay && isNarrow) await steps(page, name);
    if (isReplay) await page.keyboard.press("End");
    for (const colorScheme of colors) {
      await page.emulateMedia({ colorScheme });
      const view = `${width}.${colorScheme}`;
      await looksWell(page, name, view, isNarrow === (colorScheme === "dark"));
      if (kept) await page.screenshot({ path: join(folder, `${basename(name, ".html")}.${view}.png`), fullPage: !isReplay });
    }
    await context.close();
  }
}

const left = [...replays, ...others];
await Promise.all(Array.from({ length: availableParallelism() }, async () => {
  while (left.length) await lookedAt(left.shift());
}));

// Without JavaScript there is the start and the whole log, and on paper the log is whole.
const plain = await browser.newContext({ javaScriptEnabled: false });
for (const name of replays.filter((name) => name.endsWith(".open.html"))) {
  const page = await opened(plain, name);
  if (!(await page.locator("#table").innerText()).trim()) fault(name, "shows no table without JavaScript");
  if (await page.locator(".steps-bar").isVisible()) fault(name, "has buttons that do nothing without JavaScript");
  await page.emulateMedia({ media: "print" });
  const log = page.locator("#log");
  if (await log.evaluate((log) => log.scrollHeight > log.clientHeight + 1)) fault(name, "prints a part of the log");
  await page.close();
}

// A picture of a session is SVG alone.
const commands = "until turn\nwhy p1.score\n";
houserule(["play", "up-or-down", "-s", "42", "--picture", "session.svg"], commands);
const page = await opened(await browser.newContext(), "session.svg");
if (!(await page.locator("text").count())) fault("session.svg", "draws no text");
const printed = await checkSheets({ browser, houserule, folder, fault });
await browser.close();

if (!kept) rmSync(folder, { recursive: true });
if (faults.length) {
  console.error(`${faults.join("\n")}\n${faults.length} faults on ${replays.length + others.length + printed} pages`);
  process.exit(1);
}
console.log(`${printed} pages of sheets; ${replays.length + others.length} pages, each ${widths.join(" and ")} pixels wide, in ${colors.join(" and ")}: no fault`);
