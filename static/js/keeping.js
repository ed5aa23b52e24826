/* What is typed on a form stays on this device until the server has stored it.

   With each change the form goes into localStorage, under its match and account and with the
   version it was typed against; the page that opens next brings it back and says so. Saving goes
   by fetch, again and again while there is no connection. What the server refuses, and what only
   it can show, is sent once more as without JavaScript. Without localStorage leaving asks first. */

const PREFIX = "topboard:";
const KEPT_FOR = 60 * 24 * 3600 * 1000; // milliseconds
const ANSWERS_WITHIN = 20_000;
const PAUSES = [2, 4, 8, 15, 30]; // seconds between one attempt and the next
const OURS = /^(csrfmiddlewaretoken|version)$|(^|-)(opened|mine|keep)$|_asked$/; // not typed

const form = document.querySelector("form[data-keep]");
const opened = [...form.querySelectorAll("input[name$=opened]")]; // what each board said before
const words = JSON.parse(document.getElementById("card-words").textContent);
const state = form.querySelector(".saving");
const key = `${PREFIX}${form.dataset.keep}`;
const onPhone = matchMedia("(pointer: coarse)").matches;

function say(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** A polite live region: said only when it changes; what went wrong has a line of its own. */
function tell(text, values = {}, isTrouble = false) {
  form.querySelector(".save-bar").classList.toggle("trouble", isTrouble);
  const said = say(text, { device: onPhone ? words.phone : words.device, ...values });
  if (state.textContent !== said) state.textContent = said;
}

function clock(instant) {
  const time = { hour: "2-digit", minute: "2-digit" };
  const today = new Date().toDateString() === new Date(instant).toDateString();
  const day = today ? {} : { day: "numeric", month: "long" };
  return new Intl.DateTimeFormat(document.documentElement.lang, { ...day, ...time }).format(instant);
}

// --- What is typed -----------------------------------------------------------------------

/** The fields by name; a name that is just being typed counts as typed. */
function typed() {
  const fields = {};
  for (const element of form.elements) {
    const { name, type, value } = element;
    if (!name || OURS.test(name) || type === "submit") continue;
    if (["radio", "checkbox"].includes(type)) {
      if (element.checked && value) fields[name] = value;
    } else {
      fields[name] = value;
    }
  }
  for (const input of form.querySelectorAll("[role=combobox][aria-expanded=true]")) {
    const picker = input.closest(".picker");
    const [select, other] = [picker.querySelector("select"), picker.querySelector(".other")];
    const chosen = other.value || select.selectedOptions[0]?.dataset.name || "";
    if (input.value.trim() && input.value !== chosen) {
      [fields[select.name], fields[other.name]] = ["", input.value];
    }
  }
  return fields;
}

/** Name and figures of everybody chosen: the next page may not list somebody of the registry. */
function people() {
  const found = {};
  for (const select of form.querySelectorAll(".picker select")) {
    const { name, grade, elo, guest } = select.selectedOptions[0]?.dataset ?? {};
    if (name) found[select.value] = { name, grade, elo, guest };
  }
  return found;
}

function choose(select, value, who = {}) {
  if (value && ![...select.options].some((option) => option.value === value)) {
    const { name = "", grade, elo, guest } = who;
    const option = new Option(name, value);
    Object.assign(option.dataset, { name }, grade && { grade }, elo && { elo }, guest && { guest });
    select.append(option);
  }
  select.value = value;
}

/** Put the fields back, of a row or of all; results first, for a default empties a guess. */
function fill(fields, who, row = form) {
  const elements = [...form.elements].filter(
    (element) => element.name && !OURS.test(element.name) && row.contains(element),
  );
  const told = [];
  for (const element of elements.filter(({ type }) => ["radio", "checkbox"].includes(type))) {
    const on = fields[element.name] === element.value;
    if (element.checked === on) continue;
    element.checked = on;
    if (on || element.type === "checkbox") told.push(element);
  }
  for (const element of told) element.dispatchEvent(new Event("change", { bubbles: true }));
  for (const element of elements) {
    const value = fields[element.name];
    const isText = !["radio", "checkbox", "hidden", "submit"].includes(element.type);
    if (!isText || value === undefined) continue;
    if (element.tagName !== "SELECT") {
      element.value = value;
    } else if (element.value !== value) {
      element.closest(".picker")?.querySelector(".last-time")?.remove();
      choose(element, value, who[value]);
    }
  }
  for (const element of elements) {
    if (element.tagName === "SELECT") element.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

// --- What is kept ------------------------------------------------------------------------

function read(name) {
  try {
    const kept = JSON.parse(localStorage.getItem(name));
    return kept && typeof kept.fields === "object" ? kept : null;
  } catch {
    return null;
  }
}

function forget() {
  try { localStorage.removeItem(key); } catch { /* nothing is kept where nothing can be */ }
}

/** Whether it could be kept: with what the card said when it was opened.

    While it is open whose of a board is right, the one that was typed is kept, with the card
    against which it was typed: the page that opens next leads to the same question. */
function keep(fields = typed()) {
  const before = Object.fromEntries(opened.map(({ name, value }) => [name, value]));
  const kept = {
    at: Date.now(), version: form.elements.version.value, fields, people: people(), opened: before,
  };
  const asked = compared.filter(({ isSettled }) => !isSettled);
  if (asked.length && sentBefore) {
    const { version, opened: was } = sentBefore;
    Object.assign(kept, { version, opened: was });
    kept.people = { ...sentBefore.people, ...kept.people };
    const isAsked = ([name]) => asked.some(({ prefix }) => name.startsWith(prefix));
    const others = Object.entries(fields).filter((entry) => !isAsked(entry));
    const own = Object.entries(sentBefore.fields).filter(isAsked);
    kept.fields = Object.fromEntries([...others, ...own]);
  }
  try {
    localStorage.setItem(key, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/** Take out what somebody typed long ago and never came back to. */
function sweep() {
  try {
    for (const name of Object.keys(localStorage)) {
      if (!name.startsWith(PREFIX)) continue;
      const kept = read(name);
      if (!kept || Date.now() - kept.at > KEPT_FOR) localStorage.removeItem(name);
    }
  } catch { /* no storage */ }
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
let compared = [];
let sentBefore = null; // what was kept when the card was sent that came back
let stored = typed(); // what the server has, as far as this page knows
let isKept = true;
let isOpen = true; // whether a change is the typist's: not while fields are put back

let sending = false;
let waiting = 0; // the timer of the next attempt
let attempts = 0;
let leaving = false;

function changed() {
  if (!isOpen || leaving) return;
  const fields = typed();
  if (same(fields, stored)) {
    forget();
    tell(state.dataset.saved ?? "");
  } else {
    isKept = keep(fields);
    if (!sending && !waiting) tell(isKept ? words.kept : words.unsaved);
  }
}

/** Bring back what this device keeps of the form, with a notice and a way to discard it. */
function restore() {
  const kept = read(key);
  if (!kept || same(kept.fields, stored)) return forget();
  isOpen = false;
  fill(kept.fields, kept.people ?? {});
  isOpen = true;
  const overtaken = kept.version !== form.elements.version.value;
  form.elements.version.value = kept.version;
  for (const input of opened) input.value = kept.opened?.[input.name] ?? "";
  const notice = document.createElement("div");
  notice.className = `banner kept${overtaken ? " warn" : ""}`;
  notice.setAttribute("role", "status");
  const text = document.createElement("p");
  const head = document.createElement("b");
  const device = onPhone ? words.phone : words.device;
  head.textContent = words.back;
  text.append(head, ` ${say(words.typedAt, { when: clock(kept.at), device })}`);
  if (overtaken) text.append(` ${words.overtaken}`);
  const actions = document.createElement("p");
  actions.className = "actions";
  const discard = document.createElement("button");
  Object.assign(discard, { type: "button", className: "outline", textContent: words.discard });
  discard.addEventListener("click", () => {
    forget();
    leaving = true;
    location.replace(location.pathname);
  });
  actions.append(discard);
  notice.append(text, actions);
  form.before(notice);
  tell(words.kept);
}

// --- Two versions of a board ---------------------------------------------------------------

/** A board that somebody else saved meanwhile: either version is put into its fields. */
class Compared {
  constructor(element) {
    this.row = element.closest(".board");
    this.mine = element.querySelector("input[type=hidden]");
    this.prefix = this.mine.name.replace(/mine$/, "");
    this.isSettled = false;
    const owners = JSON.parse(element.dataset.people);
    const saved = { fields: typed(), people: people() };
    const own = Object.entries(JSON.parse(this.mine.value));
    const fields = Object.fromEntries(own.map(([name, value]) => [this.prefix + name, value]));
    const blank = Object.fromEntries(Object.keys(saved.fields).map((name) => [name, ""]));
    element.addEventListener("change", ({ target }) => {
      const isMine = target.value === "mine";
      this.mine.disabled = isMine; // the fields say it now, with what is changed in them later
      this.isSettled = true;
      if (isMine) fill({ ...blank, ...fields }, owners, this.row);
      else fill({ ...blank, ...saved.fields }, saved.people, this.row);
    });
    this.row.addEventListener("change", ({ target }) => {
      if (!element.contains(target)) this.isSettled = true;
    });
  }
}

// --- Saving ------------------------------------------------------------------------------

function tryAgain(why) {
  const pause = PAUSES[Math.min(attempts, PAUSES.length - 1)];
  attempts += 1;
  waiting = setTimeout(save, pause * 1000);
  tell(why, {}, true);
}

function leave(address) {
  leaving = true;
  location.assign(address);
}

/** As without JavaScript: the page that comes back shows all that was typed. */
function sendPlainly() {
  leaving = true;
  form.submit();
}

async function save() {
  clearTimeout(waiting);
  waiting = 0;
  if (sending || leaving) return;
  sending = true;
  const sent = typed();
  keep(sent);
  tell(words.sending);
  let response, answer;
  try {
    response = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { Accept: "application/json" },
      signal: AbortSignal.timeout(ANSWERS_WITHIN),
    });
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
    answer = isJson ? await response.json() : null;
  } catch {
    sending = false;
    return tryAgain(words.noConnection);
  }
  sending = false;
  if (response.status >= 500 || response.status === 429) return tryAgain(words.noAnswer);
  attempts = 0;
  if (answer?.url) return done(answer, sent);
  if (response.redirected) return leave(response.url); // the login, which leads back here
  if (response.status === 403) return leave(form.action); // logged in anew meanwhile
  sendPlainly();
}

/** It is stored. Who typed on meanwhile stays, with what came later kept. */
function done({ url, version }, sent) {
  if (same(typed(), sent)) {
    forget();
    tell(words.savedAt, { time: clock(Date.now()) });
    return leave(url);
  }
  stored = sent;
  form.elements.version.value = version;
  state.dataset.saved = say(words.savedAt, { time: clock(Date.now()) });
  tell(`${state.dataset.saved}, ${words.changedSince}`);
  keep();
}

compared = [...form.querySelectorAll(".both")].map((element) => new Compared(element));
sweep();
if (form.dataset.bound !== undefined) {
  sentBefore = read(key);
  stored = null;
  isKept = keep();
} else {
  restore();
}
if (state.textContent) state.dataset.saved = state.textContent;
for (const kind of ["input", "change"]) form.addEventListener(kind, changed);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  save();
});
addEventListener("online", () => { if (waiting) save(); });
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") changed();
  else if (waiting) save();
});
addEventListener("pageshow", ({ persisted }) => { if (persisted) leaving = false; });
addEventListener("beforeunload", (event) => {
  if (!isKept && !leaving && !same(typed(), stored)) event.preventDefault();
});
