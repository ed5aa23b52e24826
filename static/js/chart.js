/* A player's chart: the Elo after each game as a line, the published grades as dashed steps.

   The numbers come from the address in `data-chart`, the colours from the page's own tokens, so
   the chart follows the scheme; it is drawn at its real width and again when that changes.
   Without this script, or without an answer, the tables beside it say the same. */
"use strict";

const DAY = 86400; // seconds; x is a day in UTC
const PAUSE = 60; // days without a game that break the line
const SHORTEST = 60; // days that a chart has at least
const STEP = 50; // points between two lines across
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

const seconds = (day) => Date.parse(`${day}T00:00Z`) / 1000;
const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Days and ratings of the line; the games of one day share it, and a long pause is a gap. */
function lineOf(games) {
  const onDay = new Map();
  for (const game of games) onDay.set(game.date, (onDay.get(game.date) ?? 0) + 1);
  const xs = [], ys = [], seen = new Map();
  for (const game of games) {
    const number = seen.get(game.date) ?? 0;
    seen.set(game.date, number + 1);
    const x = seconds(game.date) + DAY * number / onDay.get(game.date);
    const last = xs.at(-1);
    if (last !== undefined && x - last > PAUSE * DAY) { xs.push((x + last) / 2); ys.push(null); }
    xs.push(x);
    ys.push(game.rating);
  }
  return [xs, ys];
}

/** The steps: each grade from its cutoff on, the last as far as the chart goes. */
function stepsOf(grades, end) {
  const xs = grades.map((grade) => seconds(grade.cutoff));
  const ys = grades.map((grade) => grade.as_rating);
  if (ys.length) { xs.push(Math.max(end, xs.at(-1) + DAY)); ys.push(ys.at(-1)); }
  return [xs, ys];
}

/** Whether a time is so short that its months are marked, and not its half-years. */
const isMonthly = (from, to) => to - from < 200 * DAY;

/** Every 1 January and 1 July of a time, or its months. */
function marks(from, to) {
  const found = [];
  const first = new Date(from * 1000).getUTCFullYear();
  for (let month = 0; ; month += isMonthly(from, to) ? 1 : 6) {
    const x = Date.UTC(first, month) / 1000;
    if (x > to) return found;
    if (x >= from) found.push(x);
  }
}

const overlap = (a, b) => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

/** Spots of the canvas that the line runs through, close enough to see whether a number hides it. */
function trace(plot, [xs, ys]) {
  const spots = [];
  for (let index = 0; index < xs.length; index++) {
    if (ys[index] === null) continue;
    const to = [plot.valToPos(xs[index], "x", true), plot.valToPos(ys[index], "y", true)];
    const from = index && ys[index - 1] !== null ? spots.at(-1) : to;
    const parts = Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 4) || 1;
    for (let part = 1; part <= parts; part++) {
      spots.push([0, 1].map((axis) => from[axis] + (to[axis] - from[axis]) * part / parts));
    }
  }
  return spots;
}

function draw(box, data) {
  const line = lineOf(data.elo);
  const lastGame = line[0].at(-1) ?? 0;
  const grades = data.grades;
  const inForce = grades.length && grades.at(-1).grade !== null;
  const end = inForce ? Math.max(lastGame, seconds(data.today)) : lastGame;
  const steps = stepsOf(grades, end);
  const month = new Intl.DateTimeFormat(document.documentElement.lang, { month: "short", timeZone: "UTC" });
  const values = [...line[1], ...steps[1]].filter((value) => value !== null);
  let low = Math.floor((Math.min(...values) - 15) / STEP) * STEP;
  let high = Math.ceil((Math.max(...values) + 15) / STEP) * STEP;
  if (high - low < 3 * STEP) { low -= STEP; high += STEP; }
  const across = Math.ceil((high - low) / STEP / 6) * STEP;
  let first = Math.min(line[0][0] ?? Infinity, steps[0][0] ?? Infinity);
  let last = Math.max(line[0].at(-1) ?? 0, steps[0].at(-1) ?? 0);
  const missing = Math.max(0, SHORTEST * DAY - (last - first));
  first -= missing / 2;
  last += missing / 2;

  /** Numbers beside the line: the last Elo, then the grades, where they hide nothing. */
  function label(plot) {
    const { ctx } = plot, { pxRatio } = uPlot;
    const height = 12 * pxRatio, taken = [], drawn = trace(plot, line);
    // Where half-years stand close, a number that would hide the line is left out.
    const crowded = 183 * DAY / (last - first) * plot.bbox.width < 36 * pxRatio;
    const write = (text, x, bases, colour, must) => {
      const { left, top, width: room } = plot.bbox, width = ctx.measureText(text).width;
      const start = Math.max(left + 2, Math.min(x, left + room - width));
      const boxes = bases.map((base) => [start - 2, base - height, start + width + 2, base + 2]);
      const free = boxes.filter((spot) => spot[1] >= top && !taken.some((other) => overlap(spot, other)));
      const [spot] = [...free.filter((one) => !drawn.some(([px, py]) => overlap(one, [px, py, px, py]))), ...(must ? free : [])];
      if (!spot) return;
      taken.push(spot);
      ctx.lineWidth = 4 * pxRatio;
      ctx.strokeStyle = token("--paper");
      ctx.strokeText(text, start, spot[3] - 2);
      ctx.fillStyle = colour;
      ctx.fillText(text, start, spot[3] - 2);
    };
    ctx.save();
    ctx.font = `600 ${12 * pxRatio}px ${FONT}`;
    ctx.textAlign = "left";
    ctx.textBaseline = "alphabetic";
    ctx.lineJoin = "round";
    const spotOf = (x, y) => [plot.valToPos(x, "x", true), plot.valToPos(y, "y", true)];
    const now = line[1].at(-1);
    if (now !== null && now !== undefined) {
      const [x, y] = spotOf(lastGame, now), text = String(Math.floor(now + 0.5));
      ctx.fillStyle = token("--accent");
      ctx.beginPath();
      ctx.arc(x, y, 4 * pxRatio, 0, 2 * Math.PI);
      ctx.fill();
      const bases = [-8, -18, 20, -28, 30, -38].map((offset) => y + offset * pxRatio);
      write(text, x - ctx.measureText(text).width / 2, bases, token("--accent"), true);
    }
    for (const grade of grades.filter((one) => one.grade !== null).reverse()) {
      const [x, y] = spotOf(seconds(grade.cutoff), grade.as_rating);
      write(String(grade.grade), x + 5 * pxRatio, [y - 7 * pxRatio, y + 17 * pxRatio], token("--ink"), !crowded);
    }
    ctx.restore();
  }

  const axis = { stroke: () => token("--muted"), font: `12px ${FONT}`, ticks: { show: false } };
  const options = {
    width: box.clientWidth,
    height: box.clientWidth < 600 ? 216 : 288,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [first, last] },
      y: { range: [low, high] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        gap: 6,
        splits: (plot, _axis, from, to) => {
          const found = marks(from, to);
          const januaries = found.filter((x) => new Date(x * 1000).getUTCMonth() === 0);
          return plot.width / found.length < 24 ? januaries : found;
        },
        values: (plot, splits) => {
          let free = 0, isFirst = true;
          const room = splits.length > 1 ? plot.valToPos(splits[1], "x") - plot.valToPos(splits[0], "x") : Infinity;
          return splits.map((x) => {
            const date = new Date(x * 1000), isJanuary = date.getUTCMonth() === 0;
            // Where half-years stand close, January alone has its name.
            if (!isMonthly(first, last) && room < 50 && !isJanuary) return "";
            const text = month.format(date) + (isJanuary || isFirst ? ` ${date.getUTCFullYear()}` : "");
            const place = plot.valToPos(x, "x"), half = 3.5 * text.length;
            if (place - half < free - 40 * isFirst) return "";
            free = place + half + 6;
            isFirst = false;
            return text;
          });
        },
        grid: { stroke: () => token("--rule-2"), width: 1, dash: [1, 4] },
      },
      {
        ...axis,
        size: 46,
        gap: 8,
        splits: () => Array.from({ length: Math.floor((high - low) / across) + 1 }, (_, n) => low + n * across),
        values: (plot, splits) => splits.map(String),
        grid: { stroke: () => token("--rule"), width: 1 },
      },
    ],
    series: [
      {},
      {
        stroke: () => token("--ink"), width: 1.5, dash: [5, 3],
        paths: uPlot.paths.stepped({ align: 1 }), points: { show: false },
      },
      {
        stroke: () => token("--accent"), width: 2,
        points: { show: true, filter: alone, size: 5, fill: () => token("--accent"), stroke: () => token("--accent") },
      },
    ],
    hooks: { draw: [label] },
  };
  return new uPlot(options, uPlot.join([steps, line]), box);
}

/** The places of the points that have no neighbour to draw a line to. */
function alone(plot, series) {
  const known = [...plot.data[series].entries()].filter(([, value]) => value !== undefined);
  const isGap = (place) => (known[place]?.[1] ?? null) === null;
  return known
    .filter((_, place) => !isGap(place) && isGap(place - 1) && isGap(place + 1))
    .map(([index]) => index);
}

function describe(box, data) {
  const known = data.elo.filter((game) => game.rating !== null);
  if (!known.length) return;
  const ratings = known.map((game) => Math.floor(game.rating + 0.5));
  const words = {
    first: known[0].date, last: known.at(-1).date,
    low: Math.min(...ratings), high: Math.max(...ratings), now: ratings.at(-1),
  };
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", box.dataset.words.replace(/\{(\w+)\}/g, (_, name) => words[name]));
}

async function show(box) {
  try {
    const response = await fetch(box.dataset.chart);
    if (!response.ok) throw new Error(response.statusText);
    const data = await response.json();
    if (![...data.elo.map((game) => game.rating), ...data.grades.map((one) => one.grade)].some((value) => value !== null)) throw new Error("nothing to draw");
    describe(box, data);
    let plot = draw(box, data);
    const again = () => { plot.destroy(); plot = draw(box, data); };
    for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", again);
    let width = box.clientWidth;
    new ResizeObserver(() => { if (box.clientWidth !== width) { width = box.clientWidth; again(); } }).observe(box);
  } catch {
    box.closest("section").hidden = true;
  }
}

document.querySelectorAll("[data-chart]").forEach(show);
