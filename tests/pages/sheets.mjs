// What a browser makes of sheets to print: each is printed to PDF, which is read here to the points that a printer gets.
// Pieces are as large as they should be, backs lie behind their fronts, nothing leaves its piece, and no letter is missing.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inflateSync } from "node:zlib";

const MM = 72 / 25.4;
/** Nobody cuts more exactly than this, in mm. */
const EXACT = 0.2;
const PAPERS = { a4: [210, 297], letter: [215.9, 279.4] };
const poker = [63.5, 88.9];

/** Sheets of games of each sort: what is asked for, on which paper, how many pieces the first sheet has, and how large. */
const sheets = [
  { game: "up-or-down", args: ["--only", "cards"], sides: 28, pieces: 9, size: poker, isDuplex: true },
  { game: "up-or-down", args: ["--only", "cards", "--paper", "letter", "--card", "mini", "--gutter", "3"], paper: "letter", pieces: 12, size: [44, 68], isDuplex: true },
  { game: "ftw", args: ["--only", "cards", "--card", "70x45"], sides: 8, pieces: 16, size: [70, 45], isTurned: true, isDuplex: true },
  { game: "enemy-anemone", args: ["--only", "cards", "--bleed", "2"], pieces: 9, size: [67.5, 92.9], isDuplex: true },
  { game: "overflow", args: ["--only", "cards", "--backs", "fold", "--low-ink"], pieces: 8, size: poker, isTurned: true },
  { game: "playme", args: ["--only", "cards", "--grey"], sides: 2, pieces: 6, size: poker, isDuplex: true },
  { game: "checkers", args: ["--only", "tokens,boards"], sides: 3, pieces: 24, size: [20, 20], isDuplex: true },
  { game: "kalah", args: [] },
  { game: "hearts", args: ["--only", "cards,rulebook"], pieces: 9, size: poker, isDuplex: true },
];

/** Decks for a virtual table: how many sheets with faces or backs of their own they have, and how many cards lie on each. */
const decks = [
  { game: "hearts", sheets: { "faces-1": 52, "back-1": 1 } },
  { game: "playme", sheets: { "faces-1": 6, "backs-1": 6 } },
  { game: "up-or-down", sheets: { "faces-1": 69, "faces-2": 57, "back-1": 1 } },
];

/** The objects of a PDF by their numbers, and its pages in order. */
function parsed(pdf) {
  const text = pdf.toString("latin1");
  const objects = new Map();
  for (const match of text.matchAll(/(\d+) 0 obj\s([^]*?)endobj/g)) objects.set(match[1], { at: match.index, text: match[2] });
  const pages = [...objects.values()].filter((object) => /\/Type \/Page\b/.test(object.text)).sort((one, other) => one.at - other.at);
  const content = (number) => {
    const { at, text: object } = objects.get(number);
    const begin = pdf.indexOf("stream", at) + "stream".length;
    const start = begin + (pdf[begin] === 13 ? 2 : 1);
    const length = Number(/\/Length (\d+)/.exec(object)[1]);
    return inflateSync(pdf.subarray(start, start + length)).toString("latin1");
  };
  return {
    text,
    pages: pages.map(({ text: page }) => ({
      box: /\/MediaBox \[([^\]]*)\]/.exec(page)[1].trim().split(/\s+/).map(Number),
      content: content(/\/Contents (\d+) 0 R/.exec(page)[1]),
    })),
  };
}

/** What a page clips to, as left, top, width and height in mm; and the numbers of all letters. */
function drawn({ content, box }) {
  const times = ([a, b, c, d, e, f], [g, h, i, j, k, l]) =>
    [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
  let matrix = [1, 0, 0, 1, 0, 0];
  let rectangle = null;
  const saved = [];
  const clips = [];
  const letters = [];
  for (const line of content.split("\n")) {
    const words = line.trim().split(/\s+/);
    const numbers = words.slice(0, -1).map(Number);
    const operator = words.at(-1);
    if (operator === "q") saved.push(matrix);
    if (operator === "Q") matrix = saved.pop() ?? matrix;
    if (operator === "cm") matrix = times(numbers, matrix);
    if (operator === "re") rectangle = numbers;
    if (words[0]?.startsWith("W") && rectangle) {
      const [x, y, width, height] = rectangle;
      const [a, b, c, d, e, f] = matrix;
      const corners = [[x, y], [x + width, y + height]].map(([x, y]) => [a * x + c * y + e, b * x + d * y + f]);
      const xs = corners.map(([x]) => x / MM);
      const ys = corners.map(([, y]) => (box[3] - y) / MM);
      clips.push([Math.min(...xs), Math.min(...ys), Math.abs(xs[0] - xs[1]), Math.abs(ys[0] - ys[1])]);
    }
    if (operator === "Tj") letters.push(...(/<([0-9A-Fa-f]*)>/.exec(line)?.[1].match(/.{4}/g) ?? []));
  }
  return { clips, letters };
}

const isNear = (one, other) => Math.abs(one - other) <= EXACT;

/** Whether there are letters for a language here. */
function hasFont(language) {
  try {
    return execFileSync("fc-list", [`:lang=${language}`], { encoding: "utf8" }).trim() !== "";
  } catch {
    return false;
  }
}

/** How many dots of each slot of a picture are not white. */
async function inkOfSlots(page, png, [columns, rows]) {
  return page.evaluate(async ([address, columns, rows]) => {
    const picture = await createImageBitmap(await (await fetch(address)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0);
    const [wide, high] = [picture.width / columns, picture.height / rows];
    return Array.from({ length: columns * rows }, (_, slot) => {
      const { data } = context.getImageData((slot % columns) * wide, Math.floor(slot / columns) * high, wide, high);
      let ink = 0;
      for (let at = 0; at < data.length; at += 4) ink += data[at] + data[at + 1] + data[at + 2] < 3 * 250;
      return ink;
    });
  }, [`data:image/png;base64,${png.toString("base64")}`, columns, rows]);
}

/** Makes pictures of the sheets of decks as a browser does that is told to, and looks at each slot. */
async function checkDecks({ browser, houserule, folder, fault }) {
  let count = 0;
  for (const { game, sheets } of decks) {
    const told = houserule(["print", game, "--for", "tabletop-simulator", "--force", "-o", `${game}.decks.json`]);
    const saved = JSON.parse(readFileSync(join(folder, `${game}.decks.json`), "utf8"));
    const described = saved.ObjectStates.flatMap(({ CustomDeck }) => Object.values(CustomDeck));
    for (const [sheet, cards] of Object.entries(sheets)) {
      const name = `${game}.decks.${sheet}`;
      const size = new RegExp(`--window-size=(\\d+),(\\d+) --screenshot=\\S*${name}\\.png`).exec(told)?.slice(1).map(Number);
      if (!size) {
        fault(name, `no command makes a picture of it: ${told}`);
        continue;
      }
      const context = await browser.newContext({ viewport: { width: size[0], height: size[1] } });
      const page = await context.newPage();
      const address = pathToFileURL(join(folder, `${name}.svg`)).href;
      page.on("request", (request) => {
        if (request.url() !== address && !request.url().startsWith("data:")) fault(name, `asks for ${request.url()}`);
      });
      await page.goto(address);
      const png = await page.screenshot({ path: join(folder, `${name}.png`) });
      const dots = [png.readUInt32BE(16), png.readUInt32BE(20)];
      if (dots.some((side, axis) => side !== size[axis])) fault(name, `has ${dots} dots, not ${size}`);
      const deck = described.find(({ FaceURL, BackURL }) => [FaceURL, BackURL].some((url) => url.endsWith(`/${name}.png`)));
      const isAlone = sheet.startsWith("back-");
      const grid = isAlone ? [1, 1] : [deck.NumWidth, deck.NumHeight];
      const blank = await context.newPage();
      const ink = await inkOfSlots(blank, png, grid);
      await context.close();
      const isDrawn = (slot) => slot < cards || (!isAlone && slot === ink.length - 1);
      for (const [slot, dots] of ink.entries()) {
        if (dots > 500 !== isDrawn(slot)) fault(name, `${dots} dots of slot ${slot} are drawn`);
      }
      count += 1;
    }
  }
  return count;
}

/** Prints every sheet and looks at it. */
export async function checkSheets({ browser, houserule, folder, fault }) {
  const languages = hasFont("ja") ? ["en", "ja"] : ["en"];
  let count = 0;
  for (const language of languages) {
    for (const [number, sheet] of sheets.entries()) {
      const name = `${sheet.game}.sheets.${number}.${language}.html`;
      const told = houserule(["print", sheet.game, ...sheet.args, "--lang", language, "--force", "-o", name]);
      const context = await browser.newContext();
      const page = await context.newPage();
      const address = pathToFileURL(join(folder, name)).href;
      page.on("request", (request) => {
        if (request.url() !== address && !request.url().startsWith("data:")) fault(name, `asks for ${request.url()}`);
      });
      page.on("console", (message) => fault(name, `the console says: ${message.text()}`));
      await page.goto(address);
      await page.emulateMedia({ media: "print" });
      const outside = await page.evaluate(() => Array.from(document.querySelectorAll(".piece"), (piece) => {
        const [x, y, width, height] = piece.getAttribute("viewBox").split(" ").map(Number);
        const box = piece.querySelector("use").getBBox();
        const over = Math.max(x - box.x, y - box.y, box.x + box.width - x - width, box.y + box.height - y - height);
        return over > 0.5 ? `${piece.querySelector("use").getAttribute("href")} by ${over} mm` : "";
      }).filter(Boolean));
      if (outside.length) fault(name, `${outside.length} pieces have something beside them, such as ${outside[0]}`);
      const pdf = await page.pdf({ preferCSSPageSize: true, path: join(folder, name.replace(".html", ".pdf")) });
      await context.close();
      count += 1;
      const { pages, text } = parsed(pdf);
      const sides = Number(/(\d+)[^\d]*$/.exec(told)[1]);
      if (pages.length !== sides) fault(name, `has ${pages.length} pages and says ${sides}`);
      if (sheet.sides && pages.length !== sheet.sides) fault(name, `has ${pages.length} pages, not ${sheet.sides}`);
      const paper = PAPERS[sheet.paper ?? "a4"];
      for (const [place, { box }] of pages.entries()) {
        if (!paper.every((side, axis) => isNear(box[2 + axis] / MM, side))) fault(name, `page ${place + 1} is ${box} points`);
      }
      const all = pages.map(drawn);
      if (all.some(({ letters }) => letters.includes("0000"))) fault(name, "has letters that its fonts have not");
      if (/\/BaseFont/.test(text) && !/\/FontFile/.test(text)) fault(name, "has no fonts in it");
      if (!sheet.size) continue;
      const wanted = sheet.isTurned ? sheet.size.toReversed() : sheet.size;
      const pieces = all.map(({ clips }) => clips.filter((clip) => wanted.every((side, axis) => isNear(clip[2 + axis], side))));
      if (pieces[0].length !== sheet.pieces) {
        fault(name, `has ${pieces[0].length} pieces of ${wanted} mm on its first page, not ${sheet.pieces}: ${JSON.stringify(all[0].clips.slice(0, 3))}`);
      }
      if (!sheet.isDuplex) continue;
      const [fronts, backs] = pieces;
      for (const [left, top, width] of fronts) {
        const behind = paper[0] - left - width;
        if (!backs.some(([x, y]) => isNear(x, behind) && isNear(y, top))) fault(name, `nothing lies behind the piece at ${left}, ${top}`);
      }
    }
  }
  return count + (await checkDecks({ browser, houserule, folder, fault }));
}
