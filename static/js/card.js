/* A match card by keyboard and by thumb. Without this script the same form works as it stands:
   radios, a list and a text field for each player. With it the list and the field become one
   picker, a result is one key, and the score runs along.

   Keys count only where they mean something: those of a result inside a board's result control,
   never in a field in which something is typed. */

const RESULT_KEYS = { 1: "2", 0: "0", "=": "1", 5: "1", d: "1", "½": "1" };
const POINTS = {
  2: [2, 0], 1: [1, 1], 0: [0, 2],
  home_default: [2, 0], away_default: [0, 2], double_default: [0, 0],
};
const LOSERS = { home_default: ["away"], away_default: ["home"], double_default: ["home", "away"] };
const LETTERS = { ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ß: "ss", ı: "i" };
const FEWEST_LETTERS = 3;
const OPPOSITE = { white: "black", black: "white", unknown: "unknown" };
const PAUSE = 120; // milliseconds between the last letter and the question to the registry
const NEW = "new";

function fold(text) {
  return text.toLowerCase().replace(/\p{L}/gu, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFKD").replace(/[\p{M}'’‘`´]/gu, "").replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

function say(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function halves(value) {
  return value === 1 ? "½" : `${Math.floor(value / 2)}${value % 2 ? "½" : ""}`;
}

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** One player's field: a combobox over the select and the text field that are sent. */
class Picker {
  constructor(element, board, side) {
    Object.assign(this, { element, board, side });
    this.select = element.querySelector("select");
    this.other = element.querySelector(".other");
    this.facts = element.querySelector(".facts");
    this.input = make("input", {
      type: "text", id: `${this.select.id}_picker`, role: "combobox", autocomplete: "off",
      spellcheck: "false", "aria-autocomplete": "list", "aria-expanded": "false",
      "aria-controls": `${this.select.id}_options`,
    });
    for (const name of ["aria-invalid", "aria-describedby"]) {
      if (this.select.hasAttribute(name)) this.input.setAttribute(name, this.select.getAttribute(name));
    }
    const label = element.querySelector("label");
    label.htmlFor = this.input.id;
    this.list = make("ul", {
      id: `${this.select.id}_options`, class: "options", role: "listbox",
      "aria-label": label.textContent,
    });
    this.list.hidden = this.select.hidden = this.other.hidden = true;
    this.select.after(this.input);
    element.append(this.list);
    this.groups = this.readGroups();
    this.found = null;
    this.draw();
    this.listen();
  }

  /** The people to choose from, as the page brought them: pairs of a heading and options. */
  readGroups() {
    return [...this.select.querySelectorAll("optgroup")].map((group) => [
      group.label,
      [...group.children].map(({ value, text, dataset }) => ({
        value, name: dataset.name ?? text, grade: dataset.grade, elo: dataset.elo,
      })),
    ]);
  }

  get value() { return this.select.value; }
  get chosen() { return this.value ? this.select.selectedOptions[0].dataset : {}; }
  get name() { return this.other.value || this.chosen.name || ""; }
  get isOpen() { return !this.list.hidden; }
  get typed() { return this.isOpen && this.input.value !== this.name ? this.input.value : ""; }

  draw() {
    this.input.value = this.name;
    this.input.placeholder = words.nobody;
    const { grade, elo } = this.chosen;
    this.facts.querySelectorAll(":scope > :not(.man)").forEach((fact) => fact.remove());
    if (this.other.value) this.facts.append(make("span", {}, words.new));
    if (grade) this.facts.append(make("b", {}, grade));
    if (elo) this.facts.append(make("span", {}, `Elo ${elo}`));
  }

  choose({ value, name = "", grade, elo }) {
    const others = this.value === value && value !== NEW;
    if (value && ![...this.select.options].some((option) => option.value === value)) {
      const option = new Option(name, value);
      Object.assign(option.dataset, { name }, grade && { grade }, elo && { elo });
      this.select.append(option);
    }
    this.select.value = value;
    this.other.value = value === NEW ? name : "";
    if (!others) this.element.querySelector(".last-time")?.remove();
    this.element.classList.remove("bad-field");
    this.input.removeAttribute("aria-invalid");
    this.close();
    changed();
  }

  open() {
    if (this.isOpen) return;
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.show();
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** Open by hand: everybody is listed, and a letter replaces the name. */
  browse() {
    this.input.focus();
    this.input.select();
    this.open();
  }

  close() {
    clearTimeout(this.timer);
    this.list.hidden = true;
    this.found = null;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.draw();
  }

  /** Fill the list with who fits what is typed; those who sit elsewhere on the card come last. */
  show(trouble = "") {
    const typed = fold(this.typed).split(" ").filter(Boolean);
    const taken = seats(this);
    this.list.replaceChildren();
    this.options = [];
    const listed = new Set();
    const groups = [...this.groups, this.found ?? ["", []]].map(([heading, people]) => {
      const fitting = people.filter(({ value, name }) => !listed.has(value) && fits(name, typed));
      fitting.forEach(({ value }) => listed.add(value));
      return [heading, fitting];
    });
    const seated = groups.flatMap(([, people]) => people.filter(({ value }) => taken.has(value)));
    for (const [heading, people] of groups) {
      this.addGroup(heading, people.filter((person) => !seated.includes(person)), taken);
    }
    const name = this.input.value.trim();
    if (typed.join("").length >= FEWEST_LETTERS) {
      this.add({ value: NEW, name, label: say(words.add, { name }) });
    } else {
      if (!typed.length) this.add({ value: "", label: words.nobody });
      this.list.append(make("li", { class: "group hint", role: "presentation" }, words.hint));
    }
    this.addGroup(words.seated, seated, taken);
    if (trouble) this.list.append(make("li", { class: "group", role: "presentation" }, trouble));
    this.activate(this.firstFit(typed, taken));
  }

  addGroup(heading, people, taken) {
    if (!people.length) return;
    this.list.append(make("li", { class: "group", role: "presentation" }, heading));
    for (const person of people) this.add(person, taken.get(person.value));
  }

  firstFit(typed, taken) {
    if (!typed.length) return this.options.findIndex(({ value }) => value === this.value);
    const fit = this.options.findIndex(({ value }) => value && value !== NEW && !taken.has(value));
    if (fit >= 0) return fit;
    const anybody = this.options.findIndex(({ value }) => value && value !== NEW);
    // A new player is offered first only once the registry has answered that it knows nobody.
    return anybody >= 0 || !this.found ? anybody : this.options.length - 1;
  }

  add(person, board) {
    const { value, name, label, clubs, grade = "", elo = "" } = person;
    const element = make("li", {
      role: "option", id: `${this.list.id}_${this.options.length}`,
      "aria-selected": String(value === this.value && value !== NEW),
    });
    const title = make("span", {}, label ?? name);
    if (clubs) title.append(" ", make("small", {}, clubs));
    if (board) {
      title.append(say(words.onBoard, { board }));
      element.classList.add("taken");
    }
    element.append(title, make("span", {}, grade), make("span", {}, elo));
    element.addEventListener("pointerdown", (event) => event.preventDefault());
    element.addEventListener("click", () => this.pick(person));
    this.list.append(element);
    this.options.push({ ...person, element });
  }

  activate(index) {
    this.options[this.active]?.element.classList.remove("active");
    this.active = index;
    const option = this.options[index];
    if (!option) {
      this.input.removeAttribute("aria-activedescendant");
      return;
    }
    option.element.classList.add("active");
    option.element.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", option.element.id);
  }

  pick(person) {
    this.choose(person);
    this.input.inputMode = "";
    this.board.focus();
  }

  /** Ask the registry, a moment after the last letter. */
  ask() {
    clearTimeout(this.timer);
    const text = this.input.value;
    this.found = null;
    this.answer = null;
    if (fold(text).replaceAll(" ", "").length < FEWEST_LETTERS) return;
    const pause = new Promise((resolve) => { this.timer = setTimeout(resolve, PAUSE); });
    this.answer = pause.then(() => this.fetch(text)).then((found) => {
      if (!this.isOpen || this.input.value !== text) return;
      this.found = found;
      this.show(found ? "" : words.unreachable);
    });
  }

  async fetch(text) {
    try {
      const response = await fetch(`${form.dataset.players}?${new URLSearchParams({ q: text })}`);
      if (!response.ok || response.redirected) throw new Error(response.statusText);
      const { players } = await response.json();
      return [words.registry, players.map(({ pk, provisional, grade, elo, ...person }) => ({
        ...person, value: String(pk), grade: grade ?? undefined,
        elo: elo === null ? undefined : `${elo}${provisional ? "?" : ""}`,
      }))];
    } catch {
      return null;
    }
  }

  listen() {
    const { input } = this;
    const byThumb = matchMedia("(pointer: coarse)");
    input.addEventListener("pointerdown", () => {
      // By thumb the first touch opens the list alone; the second one brings the keyboard.
      if (byThumb.matches) input.inputMode = this.isOpen ? "text" : "none";
    });
    input.addEventListener("click", () => { if (!this.isOpen) this.browse(); });
    input.addEventListener("input", () => {
      this.open();
      this.ask();
      this.show();
    });
    input.addEventListener("blur", () => {
      if (!this.isOpen) return;
      if (input.value.trim()) this.close();
      else this.choose({ value: "" });
    });
    input.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!this.isOpen) return this.browse();
      const step = event.key === "ArrowDown" ? 1 : -1;
      const count = this.options.length;
      return this.activate((Math.max(this.active, step - 1) + step + count) % count);
    }
    if (event.key === "Escape" && this.isOpen) {
      event.preventDefault();
      this.close();
    } else if (event.key === "Tab") {
      this.settle();
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.enter();
    }
  }

  /** Take the option that what is typed has made active. */
  settle() {
    if (this.typed && this.options[this.active]) this.choose(this.options[this.active]);
  }

  async enter() {
    if (!this.isOpen) return this.browse();
    if (!this.input.value.trim()) return this.pick({ value: "" });
    if (this.active < 0) await this.answer;
    const option = this.options[this.active];
    if (option) this.pick(option);
  }
}

/** One row: two pickers, a result, its menu. */
class Board {
  constructor(element) {
    this.element = element;
    this.number = Number(element.dataset.number);
    this.result = element.querySelector(".result");
    this.menu = element.querySelector(".row-menu");
    this.radios = [...element.querySelectorAll("input[type=radio]")];
    this.three = [...this.result.querySelectorAll("input")];
    this.home = new Picker(element.querySelector(".picker.home"), this, "home");
    this.away = new Picker(element.querySelector(".picker.away"), this, "away");
    this.result.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("change", ({ target }) => {
      if (target.type === "radio") this.changed();
      if (target.matches(".colours select")) this.colour();
      changed();
    });
    this.menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.menu.open) return;
      this.menu.open = false;
      this.menu.querySelector("summary").focus();
    });
  }

  get outcome() { return this.radios.find((radio) => radio.checked)?.value ?? ""; }

  get points() {
    const { home, away } = this.element.dataset;
    if (home !== undefined && !(this.outcome in LOSERS)) return [Number(home), Number(away)];
    return POINTS[this.outcome];
  }

  focus() {
    (this.three.find((radio) => radio.checked) ?? this.three[0]).focus();
  }

  set(value) {
    const radio = this.radios.find((one) => one.value === value);
    radio.checked = true;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const step = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[key];
    const along = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (key in RESULT_KEYS) {
      this.set(RESULT_KEYS[key]);
      this.next(1);
    } else if (key === "h" || key === "a") {
      (key === "h" ? this.home : this.away).browse();
    } else if (key === "Backspace" || key === "Delete") {
      this.set("");
    } else if (step) {
      this.next(step);
    } else if (along) {
      const index = this.three.indexOf(event.target) + along;
      this.set((this.three[index] ?? event.target).value);
      this.focus();
    } else return;
    event.preventDefault();
  }

  next(step) {
    const to = boards[boards.indexOf(this) + step];
    if (to) to.focus();
    else if (step > 0) form.querySelector(".save-bar button").focus();
  }

  /** A default empties the loser's field if it was only a guess, and is said in words. */
  changed() {
    const { outcome, home, away } = this;
    for (const side of LOSERS[outcome] ?? []) {
      const picker = side === "home" ? home : away;
      if (picker.element.querySelector(".last-time")) picker.choose({ value: "" });
    }
    if (!this.three.some((radio) => radio.checked)) this.menu.open = false;
    const said = this.radios.find((radio) => radio.checked)?.dataset.words;
    this.element.querySelector(".said")?.remove();
    if (said) this.menu.after(make("p", { class: "note said" }, make("b", {}, said)));
  }

  /** Draw the men again: by the row's own choice, else by the rule or the toss. */
  colour() {
    const toss = form.elements.toss?.value;
    const onOdd = toss && (toss === "odd") === Boolean(this.number % 2) ? "white" : "black";
    const rule = form.elements.toss ? toss && onOdd : this.element.dataset.colour;
    const colour = this.element.querySelector(".colours select").value || rule || "unknown";
    for (const [picker, own] of [[this.home, colour], [this.away, OPPOSITE[colour]]]) {
      const man = picker.facts.querySelector(".man");
      man.replaceChildren();
      if (own in words) man.append(make("span", { class: `disc ${own}` }), ` ${words[own]}`);
    }
  }
}

function fits(name, typed) {
  const folded = fold(name).replaceAll(" ", "");
  return typed.every((word) => folded.includes(word));
}

/** Who sits where, but for one picker: board numbers by player. */
function seats(except) {
  const pickers = boards.flatMap(({ home, away }) => [home, away]);
  const sitting = pickers.filter((picker) => picker !== except && picker.value && picker.value !== NEW);
  return new Map(sitting.map((picker) => [picker.value, picker.board.number]));
}

/** Nobody may be more than the tolerance above anyone on a higher board (as games.board_order). */
function checkOrder(side) {
  if (!("tolerance" in form.dataset)) return;
  let weakest = null;
  for (const board of boards) {
    const { grade } = board[side].chosen;
    if (grade === undefined) continue;
    const excess = weakest && grade - weakest.grade;
    if (weakest && excess > Number(form.dataset.tolerance)) {
      const sentence = say(words.order, {
        name: board[side].name, grade, excess, other: weakest.name,
        otherGrade: weakest.grade, board: weakest.board, tolerance: form.dataset.tolerance,
      });
      board.element.append(
        make("p", { class: "note warn" }, make("b", {}, words.check), ` ${sentence}`),
      );
    }
    if (!weakest || excess < 0) weakest = { grade, name: board[side].name, board: board.number };
  }
}

/** Draw what depends on the whole card: score, progress, warnings. */
function changed() {
  form.querySelectorAll(".note.warn").forEach((note) => note.remove());
  checkOrder("home");
  checkOrder("away");
  const points = boards.map((board) => board.points).filter(Boolean);
  const total = (side) => halves(points.reduce((sum, pair) => sum + pair[side], 0));
  const all = boards.filter(({ outcome }) => outcome !== "no_game").length;
  form.querySelector(".running").textContent = `${total(0)} – ${total(1)}`;
  form.querySelector(".progress").textContent = say(words.progress, { decided: points.length, all });
}

const form = document.querySelector("form.card");
const words = JSON.parse(document.getElementById("card-words").textContent);
const boards = [];
for (const element of form.querySelectorAll(".board")) boards.push(new Board(element));
let touched = false;
let sending = false;

changed();
form.classList.add("enhanced");
form.addEventListener("input", () => { touched = true; });
form.elements.toss?.addEventListener("change", () => boards.forEach((board) => board.colour()));
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    for (const { home, away } of boards) for (const picker of [home, away]) picker.settle();
    form.requestSubmit();
  }
});
form.addEventListener("submit", (event) => {
  if (sending) event.preventDefault();
  sending = true;
});
addEventListener("pageshow", () => { sending = false; });
addEventListener("beforeunload", (event) => { if (touched && !sending) event.preventDefault(); });
document.addEventListener("click", ({ target }) => {
  for (const { menu } of boards) if (menu.open && !menu.contains(target)) menu.open = false;
});
(boards.find(({ element }) => element.matches(".refused")) ?? boards[0])?.focus();
