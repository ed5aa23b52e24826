/* A match card: a result by one key, the running score, the check of the board order.

   Keys count only inside a board's result control, never in a field in which something is typed.
   The pickers of the players are picker.js, keeping and saving is keeping.js; without any of them the same form works as it stands. */

const RESULT_KEYS = { 1: "2", 0: "0", "=": "1", 5: "1", d: "1", "½": "1" };
const POINTS = {
  2: [2, 0], 1: [1, 1], 0: [0, 2],
  home_default: [2, 0], away_default: [0, 2], double_default: [0, 0],
};
const LOSERS = { home_default: ["away"], away_default: ["home"], double_default: ["home", "away"] };
const OPPOSITE = { white: "black", black: "white", unknown: "unknown" };

const form = document.querySelector("form.card");
const words = JSON.parse(document.getElementById("card-words").textContent);

function say(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function halves(value) {
  return value === 1 ? "½" : `${Math.floor(value / 2)}${value % 2 ? "½" : ""}`;
}

function note(kind, finding, text = "") {
  const element = document.createElement("p");
  element.className = `note ${kind}`;
  element.append(document.createElement("b"), text);
  element.firstChild.textContent = finding;
  return element;
}

/** One row: two pickers, a result, its menu. */
class Board {
  constructor(element) {
    this.element = element;
    this.result = element.querySelector(".result");
    this.menu = element.querySelector(".row-menu");
    this.radios = [...element.querySelectorAll("input[type=radio][name$=-result]")];
    this.three = [...this.result.querySelectorAll("input")];
    this.result.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("picked", () => this.focus());
    element.addEventListener("change", ({ target }) => {
      if (target.type === "radio") this.changed();
      // What only the server can tell of a player says nothing of another one.
      if (target.closest(".picker")) {
        form.querySelectorAll(".note.warn.of-side").forEach((old) => old.remove());
        element.querySelectorAll(".note.warn:not(.live, .both)").forEach((old) => old.remove());
      }
      if (target.matches(".colours select")) this.colour();
      changed();
    });
    this.menu.addEventListener("toggle", () => {
      const unplayed = this.radios.slice(this.three.length);
      if (!this.menu.open) return;
      (unplayed.find((radio) => radio.checked) ?? unplayed[0]).focus();
      this.menu.lastElementChild.scrollIntoView({ block: "nearest" });
    });
    // By keyboard the arrows walk through the menu, and Enter or Escape leaves it.
    this.menu.addEventListener("click", ({ target, detail }) => {
      if (target.type === "radio" && detail) this.closeMenu();
    });
    this.menu.addEventListener("keydown", (event) => {
      const chosen = event.key === "Enter" && event.target.type === "radio" && !event.ctrlKey;
      if (!chosen && event.key !== "Escape") return;
      event.preventDefault();
      this.closeMenu();
    });
  }

  get number() { return Number(this.element.dataset.number); }
  get outcome() { return this.radios.find((radio) => radio.checked)?.value ?? ""; }

  get isExtra() { return "extra" in this.element.dataset; }

  /** The half-points the row gives the two sides, undefined while it gives none. */
  get points() {
    const { home, away } = this.element.dataset;
    if (home !== undefined && !(this.outcome in LOSERS)) return [Number(home), Number(away)];
    return POINTS[this.outcome];
  }

  picker(side) { return this.element.querySelector(`.picker.${side}`); }
  player(side) { return this.picker(side).querySelector("select").selectedOptions[0].dataset; }

  closeMenu() {
    this.menu.open = false;
    this.menu.querySelector("summary").focus();
  }

  focus() { (this.three.find((radio) => radio.checked) ?? this.three[0]).focus(); }

  set(value) {
    const radio = this.radios.find((one) => one.value === value);
    radio.checked = true;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const along = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const step = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[key];
    if (key in RESULT_KEYS) {
      this.set(RESULT_KEYS[key]);
      this.leave(1);
    } else if (key === "h" || key === "a") {
      this.picker(key === "h" ? "home" : "away").dispatchEvent(new Event("browse"));
    } else if (key === "Backspace" || key === "Delete") {
      this.set("");
    } else if (step) {
      this.leave(step);
    } else if (along) {
      const next = this.three[this.three.indexOf(event.target) + along];
      this.set((next ?? event.target).value);
      this.focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Go on to the next result, or back; after the last one to the button. */
  leave(step) {
    const next = boards[boards.indexOf(this) + step];
    if (next) next.focus();
    else if (step > 0) form.querySelector(".save-bar button").focus();
  }

  /** A default empties the loser's field while that is only a guess, and is said in words. */
  changed() {
    for (const side of ["home", "away"]) {
      const guess = this.picker(side).querySelector(".last-time");
      if (!guess) continue;
      const select = this.picker(side).querySelector("select");
      guess.dataset.value ??= select.value;
      const value = LOSERS[this.outcome]?.includes(side) ? "" : guess.dataset.value;
      if (value === select.value) continue;
      select.value = value;
      select.dispatchEvent(new Event("change", { bubbles: true }));
    }
    const said = this.radios.find((radio) => radio.checked)?.dataset.words;
    this.element.querySelector(".said")?.remove();
    if (said) this.menu.after(note("said", said));
  }

  /** Draw the men again: by the row's own choice, else by the toss or the rule. */
  colour() {
    const toss = form.elements.toss?.value;
    const tossed = toss && ((toss === "odd") === Boolean(this.number % 2) ? "white" : "black");
    const rule = form.elements.toss ? tossed : this.element.dataset.colour;
    const home = this.element.querySelector(".colours select").value || rule || "unknown";
    for (const [side, colour] of [["home", home], ["away", OPPOSITE[home]]]) {
      const man = this.picker(side).querySelector(".man");
      man.replaceChildren();
      if (!(colour in words)) continue;
      const disc = document.createElement("span");
      disc.className = `disc ${colour}`;
      man.append(disc, ` ${words[colour]}`);
    }
  }
}

/** Nobody may be more than the tolerance above anyone on a higher board (board_order.py). */
function checkOrder(side) {
  const tolerance = Number(form.dataset.tolerance);
  let weakest = null;
  for (const board of boards) {
    const { name, grade } = board.player(side);
    if (grade === undefined) continue;
    if (weakest && grade - weakest.grade > tolerance) {
      const sentence = say(words.order, {
        name, grade, tolerance, excess: grade - weakest.grade,
        other: weakest.name, otherGrade: weakest.grade, board: weakest.board,
      });
      board.element.append(note("warn live", words.check, ` ${sentence}`));
    }
    if (!weakest || Number(grade) < weakest.grade) {
      weakest = { name, grade: Number(grade), board: board.number };
    }
  }
}

/** Who sits here for a club to which he does not belong (guests.py). */
function checkGuests(board) {
  for (const side of ["home", "away"]) {
    const { name, guest } = board.player(side);
    if (!guest) continue;
    const sentence = say(words.guest, { name, club: form.dataset[side] });
    board.element.append(note("warn live", words.checkPlayer, ` ${sentence} ${words.canSave}`));
  }
}

/** Draw what depends on the whole card: score, progress, warnings. */
function changed() {
  form.querySelectorAll(".note.warn.live").forEach((old) => old.remove());
  boards.forEach(checkGuests);
  if ("tolerance" in form.dataset) ["home", "away"].forEach(checkOrder);
  const counted = boards.filter(({ outcome, isExtra }) => outcome !== "no_game" && !isExtra);
  const points = counted.map((board) => board.points).filter(Boolean);
  const total = (side) => halves(points.reduce((sum, pair) => sum + pair[side], 0));
  const all = counted.length;
  form.querySelector(".running").textContent = `${total(0)} – ${total(1)}`;
  form.querySelector(".progress").textContent = say(words.progress, { decided: points.length, all });
}

const boards = [...form.querySelectorAll(".board")].map((element) => new Board(element));

changed();
form.elements.toss?.addEventListener("change", () => boards.forEach((board) => board.colour()));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  if (event.target.form && event.target.form !== form) return;
  event.preventDefault();
  form.requestSubmit();
});
document.addEventListener("click", ({ target }) => {
  for (const { menu } of boards) if (menu.open && !menu.contains(target)) menu.open = false;
});
(boards.find(({ element }) => element.matches(".refused, :has(.both)")) ?? boards[0])?.focus();
