/* A player's field on a match card: one combobox over the list and the text field that are sent.

   The list (a select) holds the team's last ten and the club; after three letters the whole
   registry is asked. What is chosen goes into the select, or, for somebody new, into the text
   field. Who leaves the field without choosing leaves the one person whom the text means, or else
   the text itself and a note that nobody is chosen yet; the server reads it as it does without
   JavaScript: nothing typed is lost, but by Escape, and nobody new is made of it. Tells the card: `change` on the select, and `picked` when the hand is free again. Is
   told: `browse` opens it, and a `change` of the select from outside is drawn. */

const LETTERS = { ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ß: "ss", ı: "i" };
const FEWEST_LETTERS = 3;
const PAUSE = 120; // milliseconds between the last letter and the question to the registry
const NEW = "new";
const CODE = /^\s*\d{6}[a-z]/i; // the server knows whose it is

const form = document.querySelector("form.card");
const words = JSON.parse(document.getElementById("card-words").textContent);
const byThumb = matchMedia("(pointer: coarse)");

/** The form in which names are compared, as clubs.names.fold has it. */
function fold(text) {
  return text.toLowerCase().replace(/\p{L}/gu, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFKD").replace(/[\p{M}'’‘`´]/gu, "").replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

function fits(name, typed) {
  const folded = fold(name).replaceAll(" ", "");
  return typed.every((word) => folded.includes(word));
}

/** Whether the text is this name, in whichever order it is written. */
function isName(name, text) {
  const words = (one) => fold(one).split(" ").sort().join(" ");
  return words(name) === words(text);
}

function say(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

class Picker {
  constructor(element) {
    this.element = element;
    this.select = element.querySelector("select");
    this.other = element.querySelector(".other");
    this.facts = element.querySelector(".facts");
    const { id } = this.select;
    const label = element.querySelector("label");
    this.input = make("input", {
      type: "text", id: `${id}_picker`, role: "combobox", autocomplete: "off", spellcheck: "false",
      "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": `${id}_options`,
      placeholder: words.nobody,
    });
    for (const name of ["aria-invalid", "aria-describedby"]) {
      const value = this.select.getAttribute(name);
      if (value) this.input.setAttribute(name, value);
    }
    this.list = make("ul", {
      id: `${id}_options`, class: "options", role: "listbox", "aria-label": label.textContent,
    });
    this.side = element.classList.contains("home") ? "home" : "away";
    this.asked = element.querySelector(".asked")?.value; // the page says itself what is wrong
    this.groups = this.readGroups();
    this.list.hidden = this.select.hidden = this.other.hidden = true;
    label.htmlFor = this.input.id;
    this.select.after(this.input);
    element.append(this.list);
    this.listen();
    this.draw();
  }

  /** The people to choose from as the page brought them: heading, persons, whether it asks. */
  readGroups() {
    return [...this.select.querySelectorAll("optgroup")].map((group) => [
      group.label,
      [...group.children].map(({ value, text, dataset: { name = text, ...facts } }) => (
        { value, name, ...facts }
      )),
      "likely" in group.dataset,
    ]);
  }

  get value() { return this.select.value; }
  get name() { return this.other.value || this.select.selectedOptions[0]?.dataset.name || ""; }
  get isOpen() { return !this.list.hidden; }
  /** Whether a text stands here of which nobody knows yet whom it means. */
  get isText() { return Boolean(this.other.value) && this.value !== NEW; }
  get typed() {
    return this.isOpen && (this.isText || this.input.value !== this.name) ? this.input.value : "";
  }

  draw() {
    this.input.value = this.name;
    const { grade, elo } = this.select.selectedOptions[0]?.dataset ?? {};
    this.facts.querySelectorAll(":scope > :not(.man)").forEach((fact) => fact.remove());
    if (this.other.value) {
      this.facts.append(make("span", {}, this.value === NEW ? words.new : words.typed));
    }
    if (grade) this.facts.append(make("b", {}, grade));
    if (elo) this.facts.append(make("span", {}, `Elo ${elo}`));
    this.question();
  }

  /** Say at the row that nobody is chosen for the text that stands in the field, and why. */
  question(said, values = {}) {
    if (said) this.said = { text: this.other.value, said, values };
    else if (this.said?.text !== this.other.value) this.said = { said: words.waits, values };
    const row = this.element.closest(".board");
    const id = `${this.select.id}_question`;
    let note = document.getElementById(id);
    const isOpen = this.isText && this.other.value !== this.asked && !CODE.test(this.other.value);
    if (isOpen) this.element.classList.add("bad-field");
    if (!isOpen) {
      if (note) this.input.removeAttribute("aria-describedby");
      return note?.remove();
    }
    if (!note) {
      note = make("p", { id, class: "note bad question", role: "status" });
      row.append(note);
      this.input.setAttribute("aria-describedby", id);
    }
    note.textContent = say(this.said.said, { name: this.other.value, ...this.said.values });
  }

  /** Take a person, or `text` for the server to read. */
  choose({ value, name = "", text = "", grade, elo, guest }) {
    if (value !== this.value) this.element.querySelector(".last-time")?.remove();
    if (value && ![...this.select.options].some((option) => option.value === value)) {
      const option = new Option(name, value);
      Object.assign(option.dataset, { name: value === NEW ? "" : name }, grade && { grade }, elo && { elo }, guest && { guest });
      this.select.append(option);
    }
    this.select.value = value;
    this.other.value = value === NEW ? name : text;
    this.element.classList.remove("bad-field");
    this.input.removeAttribute("aria-invalid");
    this.close();
    this.select.dispatchEvent(new Event("change", { bubbles: true }));
  }

  pick(person) {
    this.choose(person);
    this.input.inputMode = "";
    this.element.dispatchEvent(new Event("picked", { bubbles: true }));
  }

  /** The one person whom the text means, or who was reached by the arrows; else nothing. */
  get sure() {
    const active = this.options[this.active];
    if (this.hasMoved && active && active.value !== NEW) return active;
    return this.one(this.input.value, this.fitting);
  }

  /** The one of these people, by `own` and `found`, whom the text means: the club's before others. */
  one(text, { own, found }) {
    const taken = this.seats();
    const named = (people) => people.filter(({ name }) => isName(name, text));
    const free = (people) => people.filter(({ value }) => !taken.has(value));
    for (const people of [named(own), named(found), free(own), own, free(found), found]) {
      if (people.length) return people.length === 1 ? people[0] : undefined;
    }
    return undefined;
  }

  /** The field is left: keep what was typed, and ask who it is where that is not sure. */
  keep() {
    if (!this.isOpen) return;
    const text = this.input.value.trim();
    if (!text) return this.choose({ value: "" });
    const { sure, fitting, found } = this;
    const isOld = this.isText && text === this.other.value && !this.hasMoved;
    if (!this.typed || isOld) return this.close();
    this.choose(sure ?? { value: "", text });
    if (sure) return;
    if (found) this.tellWhy(fitting);
    else this.lookFor(text, fitting.own);
  }

  /** Ask the registry about a text that was left before it could answer. */
  async lookFor(text, own) {
    if (fold(text).replaceAll(" ", "").length < FEWEST_LETTERS) return this.tellWhy({ own, found: [] });
    const answer = await this.fetch(text);
    if (!answer || this.isOpen || !this.isText || this.other.value !== text) return;
    const listed = new Set(own.map(({ value }) => value));
    const fitting = { own, found: answer[1].filter(({ value }) => !listed.has(value)) };
    const sure = this.one(text, fitting);
    if (sure) this.choose(sure);
    else this.tellWhy(fitting);
  }

  tellWhy({ own, found }) {
    const count = own.length + found.length;
    if (count) return this.question(words.several, { count });
    this.question(fold(this.other.value).includes(" ") ? words.unknown : words.oneWord);
  }

  /** Open by hand: everybody is listed, and a letter replaces the name. */
  browse() {
    this.input.focus();
    this.input.select();
    this.open();
    if (this.isText) this.ask();
  }

  open() {
    if (this.isOpen) return;
    this.list.hidden = this.hasMoved = false;
    this.input.setAttribute("aria-expanded", "true");
    this.show();
    this.element.scrollIntoView({ block: "nearest" });
  }

  close() {
    clearTimeout(this.timer);
    this.found = this.answer = null;
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.draw();
  }

  /** Fill the list with who fits what is typed; who sits elsewhere on the card comes last. */
  show(trouble = "") {
    const typed = fold(this.typed).split(" ").filter(Boolean);
    const taken = this.seats();
    const listed = new Set();
    const seated = [];
    this.list.replaceChildren();
    this.options = [];
    this.fitting = { own: [], found: [] };
    for (const group of this.found ? [...this.groups, this.found] : this.groups) {
      const [heading, people] = group;
      const fitting = people.filter(({ value, name }) => (
        !listed.has(value) && (group === this.found || this.isLikely(group) || fits(name, typed))
      ));
      fitting.forEach(({ value }) => listed.add(value));
      this.fitting[group === this.found ? "found" : "own"].push(...fitting);
      seated.push(...fitting.filter(({ value }) => taken.has(value)));
      this.addGroup(heading, fitting.filter(({ value }) => !taken.has(value)));
    }
    const name = this.input.value.trim();
    if (typed.length > 1 && typed.join("").length >= FEWEST_LETTERS) {
      this.add({ value: NEW, name, label: say(words.add, { name }) });
    } else if (typed.join("").length >= FEWEST_LETTERS) {
      this.addHeading(words.twoWords, "group hint");
    } else {
      if (!typed.length) this.add({ value: "", label: words.nobody });
      this.addHeading(words.hint, "group hint");
    }
    this.addGroup(words.seated, seated, taken);
    if (trouble) this.addHeading(trouble);
    this.activate(this.firstFit(typed, taken));
  }

  /** Who sits where in the other fields of the card: board numbers by player. */
  seats() {
    const others = [...form.querySelectorAll(".picker select")].filter(
      (select) => select !== this.select && select.value && select.value !== NEW,
    );
    return new Map(others.map((one) => [one.value, one.closest(".board").dataset.number]));
  }

  /** Whether a group of the list is the page's own answer to the text as it stands. */
  isLikely([_heading, _people, isLikely]) {
    return isLikely && this.input.value === this.asked;
  }

  firstFit(typed, taken) {
    if (this.isText && this.input.value === this.name) return -1;
    if (!typed.length) return this.options.findIndex(({ value }) => value === this.value);
    const known = this.options.filter(({ value }) => value && value !== NEW);
    const fit = known.find(({ value }) => !taken.has(value)) ?? known[0];
    // A new player is offered first only once the registry has answered that it knows nobody.
    return fit || !this.found ? this.options.indexOf(fit) : this.options.findIndex(({ value }) => value === NEW);
  }

  addHeading(text, kind = "group") {
    this.list.append(make("li", { class: kind, role: "presentation" }, text));
  }

  addGroup(heading, people, taken) {
    if (people.length) this.addHeading(heading);
    for (const person of people) this.add(person, taken?.get(person.value));
  }

  add(person, board) {
    const { value, name, label = name, clubs, grade = "", elo = "" } = person;
    const element = make("li", {
      role: "option", id: `${this.list.id}_${this.options.length}`,
      "aria-selected": String(value === this.value && value !== NEW),
    });
    const title = make("span", {}, label);
    if (clubs) title.append(" ", make("small", {}, clubs));
    if (board) title.append(say(words.onBoard, { board }));
    element.classList.toggle("taken", Boolean(board));
    element.append(title, make("span", {}, grade), make("span", {}, elo));
    element.addEventListener("pointerdown", (event) => event.preventDefault());
    element.addEventListener("click", () => this.pick(person));
    this.list.append(element);
    this.options.push({ ...person, element });
  }

  activate(index) {
    this.options[this.active]?.element.classList.remove("active");
    this.active = index;
    const active = this.options[index]?.element;
    this.input.setAttribute("aria-activedescendant", active?.id ?? "");
    active?.classList.add("active");
    active?.scrollIntoView({ block: "nearest" });
  }

  /** Ask the registry, a moment after the last letter. */
  ask() {
    clearTimeout(this.timer);
    const text = this.input.value;
    this.found = this.answer = null;
    if (fold(text).replaceAll(" ", "").length < FEWEST_LETTERS) return;
    const pause = new Promise((resolve) => { this.timer = setTimeout(resolve, PAUSE); });
    this.answer = pause.then(() => this.fetch(text)).then((found) => {
      if (!this.isOpen || this.input.value !== text) return;
      this.found = found;
      this.show(found ? "" : words.unreachable);
    });
  }

  /** The registry's answer as a group; null if there is none. */
  async fetch(text) {
    try {
      const response = await fetch(`${form.dataset.players}?${new URLSearchParams({ q: text })}`);
      if (!response.ok || response.redirected) throw new Error(response.statusText);
      const { players } = await response.json();
      return [words.registry, players.map(({ pk, name, clubs, sides, grade, elo, provisional }) => ({
        value: String(pk), name, clubs, grade: grade ?? undefined,
        guest: sides.includes(this.side) ? undefined : "1",
        elo: elo === null ? undefined : `${elo}${provisional ? "?" : ""}`,
      }))];
    } catch {
      return null;
    }
  }

  listen() {
    this.input.addEventListener("pointerdown", () => {
      // By thumb the first touch opens the list alone; the second one brings the keyboard.
      if (byThumb.matches) this.input.inputMode = this.isOpen ? "text" : "none";
    });
    this.input.addEventListener("click", () => { if (!this.isOpen) this.browse(); });
    this.input.addEventListener("input", () => {
      this.open();
      this.hasMoved = false;
      this.ask();
      this.show();
    });
    this.input.addEventListener("blur", () => this.keep());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("browse", () => this.browse());
    this.select.addEventListener("change", () => this.draw());
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const count = this.options?.length;
      if (!this.isOpen) return this.browse();
      this.hasMoved = true;
      this.activate((Math.max(this.active, step - 1) + step + count) % count);
    } else if (event.key === "Escape" && this.isOpen) {
      event.preventDefault();
      this.close();
    } else if (event.key === "Tab" || (event.key === "Enter" && (event.ctrlKey || event.metaKey))) {
      this.keep();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.enter();
    }
  }

  async enter() {
    if (!this.isOpen) return this.browse();
    const text = this.input.value;
    const isOld = this.isText && text.trim() === this.other.value;
    if (text.trim() && this.active < 0 && !isOld) await this.answer;
    if (!this.isOpen || this.input.value !== text) return;
    const picked = this.options[this.active];
    if (text.trim() && picked) return this.pick(picked);
    this.keep();
    this.input.inputMode = "";
    this.element.dispatchEvent(new Event("picked", { bubbles: true }));
  }
}

for (const element of form.querySelectorAll(".picker")) new Picker(element);
form.classList.add("enhanced");
