"use strict";
// Shows the table that the server tells of, and sends what is done on it. All that is drawn comes from the server: this script
// puts it in its place, and connects the buttons of a question with the places on the table that they mean.
(function () {
  const find = (id) => document.getElementById(id);
  const words = JSON.parse(find("words").textContent);
  const fill = (text, ...values) => values.reduce((filled, value) => filled.replace("{}", value), text);
  const [drawing, pictures, log, said, status] = ["drawing", "pictures", "log", "said", "status"].map(find);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let slots = [];
  let chosen = [];
  let isAsking = false;
  let isPlaying = false;

  // ---- What the server tells.

  function markup(html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content;
  }

  // Where each picture stands in which slot, so that one that appears elsewhere can be seen moving there.
  function whereAll() {
    const found = new Map();
    for (const use of drawing.querySelectorAll("[data-slot] svg > use")) {
      const picture = use.getAttribute("href");
      const at = { slot: use.closest("[data-slot]").dataset.slot, box: use.parentNode.getBoundingClientRect(), svg: use.parentNode };
      found.set(picture, (found.get(picture) || []).concat(at));
    }
    return found;
  }

  function move(before) {
    if (calm.matches) return;
    for (const [picture, now] of whereAll()) {
      const was = before.get(picture) || [];
      const left = was.filter((one) => !now.some((other) => other.slot === one.slot));
      for (const one of now) {
        if (was.some((other) => other.slot === one.slot)) continue;
        const from = left.shift();
        if (!from) continue;
        const [x, y] = [from.box.left - one.box.left, from.box.top - one.box.top];
        one.svg.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: 450, easing: "ease-out" });
      }
    }
  }

  function show(state) {
    if (state.skeleton !== undefined) {
      drawing.replaceChildren(markup(state.skeleton));
      slots = [];
      for (const slot of drawing.querySelectorAll("[data-slot]")) slots[Number(slot.dataset.slot)] = slot;
      // What somebody holds stands first before that player.
      drawing.querySelector(`[data-point="${state.face}"]`)?.closest(".seat").classList.add("own");
    }
    if (state.pictures !== undefined) pictures.replaceChildren(markup(state.pictures));
    const isFirst = state.skeleton !== undefined;
    const before = isFirst ? new Map() : whereAll();
    const kept = decisions();
    if (!isFirst && state.slots) slots.forEach((slot) => slot.classList.remove("changed"));
    for (const [number, html] of Object.entries(state.slots || {})) {
      const slot = slots[Number(number)];
      if (!slot) continue;
      slot.replaceChildren(markup(html));
      slot.classList.toggle("changed", !isFirst);
    }
    if (!isFirst) move(before);
    if (state.slots) ready(kept);
    if (state.log) tell(state.log);
    if (state.title !== undefined) { document.title = state.title; document.querySelector("h1").textContent = state.title; }
    if (state.face !== undefined) document.body.dataset.face = state.face;
    if (state.place !== undefined) find("place").textContent = state.place;
    if (state.time && find("range")) time(state.time);
    if (state.rules && find("rules")) rules(state.rules);
    if (state.people && find("people")) people(state.people);
    if (state.said && said) say(state.said);
    if (state.figures !== undefined && find("figures")) drawn("figures", state.figures);
    if (state.parting !== undefined && find("parting")) { drawn("parting", state.parting); compare(); }
  }

  // What is drawn once: figures, and where a game goes another way.
  function drawn(name, html) {
    const section = find(name);
    section.hidden = !html;
    section.querySelector("div").replaceChildren(markup(html));
  }

  // Of two tables side by side, what is not the same on both.
  function compare() {
    const [before, after] = find("parting").querySelectorAll(".side");
    if (!after) return;
    const name = (part) => part.dataset.point || part.className;
    const parts = (side) => new Map(Array.from(side.querySelectorAll("[data-slot]"), (part) => [name(part), part]));
    const [one, other] = [parts(before), parts(after)];
    const inner = (part) => part?.innerHTML.replaceAll('"#after-', '"#before-');
    for (const [name, part] of [...one, ...other]) {
      part.classList.toggle("changed", inner(one.get(name)) !== inner(other.get(name)));
    }
  }

  function tell(news) {
    if (news.reset) log.replaceChildren();
    for (const [number, html, subject] of news.lines) {
      const entry = document.createElement("li");
      entry.dataset.n = number;
      entry.append(markup(html));
      if (subject) entry.dataset.subject = subject;
      log.append(entry);
    }
    while (log.childElementCount > 300) log.firstElementChild.remove();
    if (news.reset) isAtEnd = true;
    toEnd();
    if (!news.reset) find("told").textContent = news.lines.map(([, html]) => markup(html).textContent).join(". ");
  }

  // The log shows the last that happened, also where the page gets another width, unless somebody reads what was before.
  let isAtEnd = true;
  const toEnd = () => { if (isAtEnd) log.scrollTop = log.scrollHeight; };
  log.addEventListener("scroll", () => { isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 24; });
  addEventListener("resize", toEnd);

  // ---- Answers.

  const decisions = () => Array.from(drawing.querySelectorAll("form.decision"), (form) => form.dataset.key).join();
  const places = (element) => (element.dataset.points || "").split(" ").filter(Boolean);

  // The element of a place: a component in its zone, a zone, or a seat.
  function place(point) {
    const [zone, at] = point.split("@");
    const holder = drawing.querySelector(`[data-point="${CSS.escape(zone)}"]`);
    if (!holder || at === undefined) return holder;
    return holder.querySelector(`[data-at="${at}"]`) || holder;
  }

  function ready(kept) {
    for (const lit of drawing.querySelectorAll(".can, .cannot, .taken")) lit.classList.remove("can", "cannot", "taken");
    if (decisions() !== kept) chosen = [];
    for (const refused of drawing.querySelectorAll(".refused [data-points]")) {
      for (const point of places(refused)) place(point)?.classList.add("cannot");
    }
    for (const button of drawing.querySelectorAll("form.decision button[data-label]")) {
      for (const point of places(button)) {
        const lit = place(point);
        lit?.classList.remove("cannot");
        lit?.classList.add("can");
      }
    }
    for (const form of drawing.querySelectorAll("form.decision")) {
      const options = form.querySelectorAll("button[data-label]");
      if (options.length > 24 && !form.querySelector("input")) {
        const search = document.createElement("input");
        search.type = "search";
        search.placeholder = search.ariaLabel = words.find;
        search.addEventListener("input", () => {
          const wanted = search.value.trim().toLowerCase();
          for (const one of options) one.parentNode.hidden = !`${one.textContent} ${one.dataset.label}`.toLowerCase().includes(wanted);
        });
        form.querySelector(".options").before(search);
      }
    }
    picked();
  }

  const isSeveral = (form) => form.dataset.min !== "1" || form.dataset.max !== "1";

  function pick(button) {
    const form = button.closest("form");
    if (!isSeveral(form)) {
      send({ choose: { decision: form.dataset.key, labels: [button.dataset.label] } }, button);
      return;
    }
    const at = chosen.indexOf(button.dataset.label);
    if (at >= 0) chosen.splice(at, 1);
    else if (chosen.length < Number(form.dataset.max)) chosen.push(button.dataset.label);
    picked();
  }

  // What was answered is not answered again while the table has not told what comes next.
  function answered(key) {
    chosen = [];
    for (const button of drawing.querySelectorAll(`form[data-key="${CSS.escape(key)}"] button`)) button.disabled = true;
    find("bar").hidden = true;
  }

  // What several options come to, and whether they can be confirmed.
  function picked() {
    const form = Array.from(drawing.querySelectorAll("form.decision")).find(isSeveral);
    const bar = find("bar");
    bar.hidden = !form;
    for (const lit of drawing.querySelectorAll(".taken")) lit.classList.remove("taken");
    if (!form) return;
    for (const button of form.querySelectorAll("button[data-label]")) {
      const isPicked = chosen.includes(button.dataset.label);
      button.setAttribute("aria-pressed", isPicked);
      if (isPicked) for (const point of places(button)) place(point)?.classList.add("taken");
    }
    const [min, max] = [Number(form.dataset.min), Number(form.dataset.max)];
    bar.querySelector("output").textContent = fill(words.chosen, chosen.length, min, max);
    find("confirm").disabled = chosen.length < min || chosen.length > max;
    find("confirm").onclick = () => send({ choose: { decision: form.dataset.key, labels: chosen.slice() } }, find("confirm"));
  }

  // A click on the table: the option that means this place, one of several, or why there is none.
  function point(element) {
    const buttons = Array.from(drawing.querySelectorAll("form.decision button[data-label]"));
    const meant = buttons.filter((button) => places(button).some((one) => place(one) === element));
    if (meant.length === 1) pick(meant[0]);
    else if (meant.length > 1) dialog(words.which, meant, element);
    else {
      const refused = Array.from(drawing.querySelectorAll(".refused [data-points]"));
      const why = refused.filter((one) => places(one).some((at) => place(at) === element));
      if (why.length) dialog(why.map((one) => one.textContent).join("\n"), [], element);
    }
  }

  function dialog(text, buttons, near) {
    const box = near?.getBoundingClientRect();
    const choice = find("choice");
    find("choice-text").replaceChildren(text);
    choice.querySelector(".buttons").replaceChildren(...buttons.map((button) => {
      const copy = button.cloneNode(true);
      copy.addEventListener("click", () => { choice.close(); pick(button); });
      return copy;
    }));
    choice.showModal();
    beside(choice, box);
  }

  // Puts a dialog below or above what it is about; in the middle where it is about the whole table, or there is no room.
  function beside(choice, box) {
    const gap = 8;
    const [above, below] = box ? [box.top - gap, innerHeight - box.bottom - gap] : [0, 0];
    choice.removeAttribute("style");
    if (Math.max(above, below) < 160) return;
    const [isBelow, wide] = [below >= Math.min(choice.offsetHeight, above), choice.offsetWidth];
    const left = Math.max(gap, Math.min(box.left, innerWidth - wide - gap));
    Object.assign(choice.style, {
      margin: 0, left: `${left}px`, maxHeight: `${(isBelow ? below : above) - gap}px`,
      top: isBelow ? `${box.bottom + gap}px` : "auto", bottom: isBelow ? "auto" : `${innerHeight - box.top + gap}px`,
    });
  }

  drawing.addEventListener("click", (event) => {
    if (isAsking) {
      const subject = event.target.closest("[data-label], [data-at], [data-point]");
      if (subject) { event.preventDefault(); askWhy(subject); }
      return;
    }
    const button = event.target.closest("button[data-label]");
    if (button) { pick(button); return; }
    const lit = event.target.closest(".can, .cannot");
    if (lit) point(lit);
  });
  log.addEventListener("click", (event) => {
    const line = event.target.closest("[data-subject]");
    if (isAsking && line) { asking(false); send({ point: line.dataset.subject }, ask, line); }
  });
  drawing.addEventListener("submit", (event) => event.preventDefault());

  // ---- Why.

  const ask = find("ask");
  function asking(on) {
    isAsking = on;
    ask.setAttribute("aria-pressed", on);
    document.body.classList.toggle("asking", on);
    find("hint").textContent = on ? words.asking : "";
  }
  ask?.addEventListener("click", () => asking(!isAsking));
  find("book")?.addEventListener("click", () => send({ rules: "" }, find("book")));

  function askWhy(subject) {
    asking(false);
    const label = subject.dataset.label;
    if (label !== undefined) { send({ why: label }, ask, subject); return; }
    const holder = subject.closest("[data-point]");
    const name = subject.dataset.at === undefined ? holder.dataset.point : `${holder.dataset.point}@${subject.dataset.at}`;
    send({ point: name }, ask, subject);
  }

  // ---- Sending.

  function say(text) {
    if (said) { said.replaceChildren(markup(text)); said.scrollIntoView({ block: "nearest" }); }
  }

  // What was asked is answered where the eyes are.
  function explain(html, near) {
    const text = document.createElement("pre");
    text.append(markup(html));
    dialog(text, [], near);
  }

  // `near` is what is asked about.
  async function send(what, from, near) {
    if (isPlaying) return;
    isPlaying = true;
    from?.classList.add("busy");
    try {
      const answer = await fetch("do", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(what),
      });
      const told = await answer.json();
      const isQuestion = what.why !== undefined || what.point !== undefined || what.rules !== undefined;
      if (isQuestion) explain(told.said || told.error, near);
      else if (told.said) say(told.said);
      else if (told.error) say(told.error);
      else if (what.choose) answered(what.choose.decision);
      return told;
    } catch {
      status.textContent = words.failed;
    } finally {
      isPlaying = false;
      from?.classList.remove("busy");
    }
  }

  // ---- Time, rules, people: what a designer's page has.

  const range = find("range");
  function time(now) {
    range.max = now.length;
    range.value = now.cursor;
    find("here").textContent = now.cursor === 0 ? words.start : fill(words.position, now.cursor, now.length);
    range.setAttribute("aria-valuetext", find("here").textContent);
    const list = document.createElement("ul");
    for (const branch of now.branches) list.append(entry(branch.name, branch.now, `goto ${branch.name}`, fill(words.moves, branch.length)));
    for (const mark of now.bookmarks) list.append(entry(mark.name, false, `goto ${mark.name}`, fill(words.moves, mark.move)));
    find("branches").querySelector("div").replaceChildren(list);
  }

  function entry(name, isNow, line, note) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.dataset.line = line;
    if (isNow) button.setAttribute("aria-current", "true");
    item.append(button, ` ${note}`);
    return item;
  }

  function rules(all) {
    const list = document.createElement("ul");
    for (const variant of all.variants) {
      const item = document.createElement("li");
      const label = document.createElement("label");
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = variant.on;
      box.addEventListener("change", () => send({ line: `${box.checked ? "with" : "without"} ${variant.id}` }, label).then((told) => {
        if (told?.error) box.checked = variant.on;
      }));
      label.append(box, ` ${variant.name}`);
      item.append(label);
      if (variant.about) item.append(Object.assign(document.createElement("p"), { className: "note", textContent: variant.about }));
      item.append(...settings(variant.settings));
      list.append(item);
    }
    find("rules").querySelector("div").replaceChildren(...settings(all.settings), list);
  }

  function settings(all) {
    return all.map((setting) => {
      const label = document.createElement("label");
      label.className = "setting";
      const control = document.createElement(setting.choices ? "select" : "input");
      if (setting.choices) {
        for (const choice of setting.choices) control.append(new Option(choice, choice, false, choice === setting.value));
      } else if (setting.value === "true" || setting.value === "false") {
        control.type = "checkbox";
        control.checked = setting.value === "true";
      } else {
        control.value = setting.value;
        if (setting.min !== undefined) {
          control.type = "number";
          control.min = setting.min;
          control.max = setting.max;
        }
      }
      control.addEventListener("change", () => {
        const value = control.type === "checkbox" ? control.checked : control.value;
        send({ line: `set ${setting.key} ${value}` }, label);
      });
      label.append(`${setting.help} `, control);
      return label;
    });
  }

  function people(all) {
    const list = document.createElement("ul");
    for (const one of all) {
      const item = document.createElement("li");
      const who = one.agent || (one.link ? words.seatLink : words.seatHere);
      item.append(`${one.seat}: ${who}`);
      if (one.link) item.append(` · ${fill(words.watching, one.watching)}`);
      list.append(item);
    }
    find("people").querySelector("div").replaceChildren(list);
  }

  for (const section of document.querySelectorAll(".drawn")) {
    section.querySelector("button").addEventListener("click", () => { section.hidden = true; });
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-line]");
    if (button) send({ line: button.dataset.line }, button);
    const mark = event.target.closest("button[data-mark]");
    if (mark) {
      send({ mark: { kind: mark.dataset.mark, words: find("words-of-mark").value } }, mark).then((told) => {
        if (told && !told.error) { find("words-of-mark").value = ""; say(words.thanks); }
      });
    }
  });
  range?.addEventListener("change", () => send({ line: `goto ${Number(range.value) + 1}` }, range));
  find("command")?.addEventListener("submit", (event) => {
    event.preventDefault();
    const line = find("line");
    send({ line: line.value }, line).then((told) => { if (told && !told.error) line.value = ""; });
  });

  // ---- The connection.

  let events;
  function connect() {
    events = new EventSource("events");
    events.addEventListener("state", (event) => { show(JSON.parse(event.data)); status.textContent = words.connected; status.className = "good"; });
    events.addEventListener("closed", () => {
      events.close();
      status.textContent = words.closed;
      status.className = "bad";
      document.body.classList.add("closed");
    });
    events.onerror = () => {
      status.textContent = words.lost;
      status.className = "bad";
      // A refused stream is not tried again by the browser.
      if (events.readyState === EventSource.CLOSED) setTimeout(connect, 2000);
    };
  }
  connect();
})();
