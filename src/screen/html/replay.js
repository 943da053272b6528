"use strict";
// Steps through the game that this page shows. All content stands in the page: the log has an entry for each move, which
// says what changes on the table (`data-set`: pairs of a slot and the template that it shows from here on).
(function () {
  const entries = Array.from(document.querySelectorAll("#log > li"));
  const slots = [];
  for (const slot of document.querySelectorAll("[data-slot]")) slots[Number(slot.dataset.slot)] = slot;
  const awards = Array.from(document.querySelectorAll("[data-move]"));
  const find = (id) => document.getElementById(id);
  const [range, here, told] = [find("range"), find("here"), find("told")];
  const [first, back, play, next, last] = ["first", "back", "play", "next", "last"].map(find);

  // For each move the template of every slot.
  const positions = [];
  let position = slots.map(() => "");
  for (const entry of entries) {
    position = position.slice();
    for (const pair of entry.dataset.set.split(" ").filter(Boolean)) {
      const [slot, template] = pair.split(":");
      position[Number(slot)] = template;
    }
    positions.push(position);
  }

  const end = entries.length - 1;
  let now = 0;
  let shown = positions[0];
  let timer = null;

  function show(move, isTold) {
    const target = Math.min(Math.max(move, 0), end);
    positions[target].forEach((template, slot) => {
      const element = slots[slot];
      element.classList.toggle("changed", target > 0 && template !== positions[target - 1][slot]);
      if (template !== shown[slot]) {
        element.replaceChildren(find("t" + template).content.cloneNode(true));
      }
    });
    shown = positions[target];
    entries[now].removeAttribute("aria-current");
    now = target;
    const entry = entries[now];
    entry.setAttribute("aria-current", "step");
    // The log scrolls by itself; the page stays where it is.
    const log = find("log");
    const top = entry.offsetTop;
    if (top < log.scrollTop || top + entry.offsetHeight > log.scrollTop + log.clientHeight) {
      log.scrollTop = top - log.clientHeight / 3;
    }
    for (const award of awards) {
      award.hidden = Number(award.dataset.move) > now;
    }
    range.value = now;
    here.textContent = entry.querySelector("button").textContent;
    range.setAttribute("aria-valuetext", here.textContent);
    // Disabled buttons lose the focus, so they only say that they do nothing.
    for (const button of [first, back]) button.setAttribute("aria-disabled", now === 0);
    for (const button of [next, last]) button.setAttribute("aria-disabled", now === end);
    if (isTold) {
      told.textContent = entry.textContent;
    }
    if (now === end) {
      pause();
    }
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    play.textContent = play.dataset.play;
  }

  function toggle() {
    if (timer !== null) {
      pause();
      return;
    }
    show(now === end ? 0 : now + 1, false);
    play.textContent = play.dataset.pause;
    timer = setInterval(() => show(now + 1, false), 1200);
  }

  function step(move) {
    pause();
    show(move, true);
  }

  first.addEventListener("click", () => step(0));
  back.addEventListener("click", () => step(now - 1));
  next.addEventListener("click", () => step(now + 1));
  last.addEventListener("click", () => step(end));
  play.addEventListener("click", toggle);
  range.addEventListener("input", () => step(Number(range.value)));
  entries.forEach((entry, move) => entry.querySelector("button").addEventListener("click", () => step(move)));

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === range) return;
    const moves = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: end };
    if (event.key in moves) {
      event.preventDefault();
      step(moves[event.key]);
    } else if (event.key === " " && !event.target.closest("button, summary, a, input")) {
      event.preventDefault();
      toggle();
    }
  });

  let touched = null;
  const table = find("table");
  table.addEventListener("touchstart", (event) => {
    touched = event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  table.addEventListener("touchend", (event) => {
    if (touched === null) return;
    const right = event.changedTouches[0].clientX - touched.clientX;
    const down = event.changedTouches[0].clientY - touched.clientY;
    if (Math.abs(right) > 60 && Math.abs(down) < 40) step(right < 0 ? now + 1 : now - 1);
  }, { passive: true });

  // `#17` at the end of the address is the position after move 17.
  const named = () => show(Number.parseInt(location.hash.slice(1), 10) || 0, false);
  window.addEventListener("hashchange", named);
  document.body.classList.add("steps");
  named();
})();
