// The page: clicks and buttons are told to the module, and what it comes to is shown. `?paused` begins with everybody standing.
"use strict";

/** Seconds a step, as the module has them. */
const STEP = 1 / 20;
/** Steps at most between two pictures, so that a slow machine falls behind and does not stall. */
const MOST_STEPS = 4;
const MEMORY = ["In one region", "Mesh", "Crowd of 24", "Queries", "Floor builder, most used", "Saved state"];

const byId = (id) => document.getElementById(id);
const hex = (word) => BigInt.asUintN(64, word).toString(16).padStart(16, "0");

let compiled;
let world;
let tool = "left";
let isRunning = !new URLSearchParams(location.search).has("paused");
/** What was saved, and the states of the steps walked since, as they were the first time. */
let saved = null;
let cached;

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A copy of the numbers that one of the module's functions writes. */
function numbers(name) {
  const count = world[name]();
  return Array.from(new Float64Array(world.memory.buffer, world.numbers(), count));
}

const stateHash = () => hex(world.state_hash());
const runHash = () => [0, 1, 2, 3].map((quarter) => hex(world.run_hash(quarter))).join("");
const stepCount = () => numbers("figures")[8];

async function restart() {
  const instance = await WebAssembly.instantiate(compiled, {});
  world = instance.exports;
  if (world.begin() !== 0) throw new Error("the module has no room for its world");
  saved = null;
  say("");
  byId("compared").textContent = "";
  show();
}

/** The mesh and the walls change only by what is clicked: they are asked for then, not in every picture. */
function show() {
  cached = Object.fromEntries(["walls", "pillars", "polygons", "path_drawn"].map((name) => [name, numbers(name)]));
  showFigures();
}

function showFigures() {
  byId("step").textContent = stepCount();
  byId("state").textContent = stateHash();
  byId("told").textContent = runHash();
  byId("saved").textContent = saved ? saved.hash : "nothing yet";
  byId("saved-step").textContent = saved ? `, at step ${saved.step}` : "";
  byId("back").disabled = !saved;
  byId("run").textContent = isRunning ? "Pause" : "Run";
  const figures = numbers("figures");
  const rows = MEMORY.map((name, index) => [name, `${(figures[index] / 1024).toFixed(1)} KiB`]);
  rows.push(["Heap", "none"], ["Polygons of the mesh", figures[6]], ["Nodes of a search, at most", figures[7]]);
  byId("memory").replaceChildren(...rows.map(row));
}

function row(cells) {
  const element = document.createElement("tr");
  cells.forEach((cell) => (element.insertCell().textContent = cell));
  return element;
}

function say(text) {
  byId("said").textContent = text;
}

/** Tells the module to do something, and says why if it does not. */
function act(name, ...values) {
  const isDone = world[name](...values) === 0;
  if (!isDone) say(`Refused: ${String.fromCodePoint(...numbers("refusal"))}`);
  return isDone;
}

function verdict(id, text, isGood) {
  byId(id).textContent = text;
  byId(id).className = `verdict ${isGood ? "good" : "bad"}`;
}

function walk(steps) {
  for (let step = 0; step < steps; step++) {
    act("walk", 1);
    if (saved) compare(stepCount(), stateHash());
  }
}

/** Compares a step's state with the one before going back, or keeps it for the next time. */
function compare(step, hash) {
  if (!saved.first.has(step)) {
    saved.first.set(step, hash);
  } else if (saved.wentBack) {
    const isSame = saved.first.get(step) === hash;
    const other = "another state than before going back: something else was done since";
    verdict("compared", `Step ${step}: ${isSame ? "the same state as before going back" : other}`, isSame);
  }
}

function click(at) {
  if (tool === "left" || tool === "right") {
    if (act("send", tool === "left" ? 0 : 1, ...at)) say("They are on their way.");
  } else if (tool === "path") {
    if (act("path", ...at)) sayPath(numbers("path_drawn"));
  } else if (act("pillar", ...at)) {
    say("The floor is built anew where it has changed. A click on a pillar takes it away.");
  }
  show();
}

function sayPath([length, isComplete, distance]) {
  const way = isComplete ? "The path is" : "No path leads there; the nearest place is reached by one of";
  const wall = distance > 0 ? `, and the nearest wall is ${distance.toFixed(2)} away from its end` : "";
  say(`${way} ${length.toFixed(2)} units long${wall}. The next click goes on from there.`);
}

function save() {
  if (act("save")) {
    saved = { hash: stateHash(), step: stepCount(), first: new Map(), wentBack: false };
    byId("compared").textContent = "";
    say("Saved. Let them walk, then roll back.");
  }
  show();
}

function rollBack() {
  if (act("roll_back")) {
    saved.wentBack = true;
    verdict("compared", "Back at what was saved.", stateHash() === saved.hash);
    say("");
  }
  show();
}

/** Does the test's script in a fresh world, and compares what it comes to. */
async function check() {
  setRunning(false);
  await restart();
  const script = numbers("script");
  for (let at = 0; at < script.length; at += 4) {
    const [kind, number, x, z] = script.slice(at, at + 4);
    [
      () => act("send", number, x, z),
      () => act("path", x, z),
      () => act("pillar", x, z),
      () => act("walk", number),
      () => act("save"),
      () => act("roll_back"),
    ][kind]();
  }
  const isEqual = runHash() === PROMISED;
  verdict("checked", isEqual ? "Equal to x86-64's." : `Not equal to x86-64's: ${PROMISED}`, isEqual);
  show();
}

function setRunning(runs) {
  isRunning = runs;
  showFigures();
}

function choose(name) {
  tool = name;
  document.querySelectorAll("[data-tool]").forEach((button) => button.setAttribute("aria-checked", button.dataset.tool === name));
}

let lag = 0;
let before = performance.now();
function picture(now) {
  lag = isRunning ? Math.min(lag + (now - before) / 1000, MOST_STEPS * STEP) : 0;
  before = now;
  const steps = Math.floor(lag / STEP);
  lag -= steps * STEP;
  if (steps > 0) {
    walk(steps);
    showFigures();
  }
  drawAll({ ...cached, agents: numbers("agents") }, lag);
  requestAnimationFrame(picture);
}

async function start() {
  compiled = await WebAssembly.compile(await unpack(WORLD));
  await restart();
  choose("left");
  document.querySelectorAll("[data-tool]").forEach((button) => (button.onclick = () => choose(button.dataset.tool)));
  canvas.onclick = (event) => click(toWorld(event.clientX, event.clientY));
  byId("run").onclick = () => setRunning(!isRunning);
  for (const [id, steps] of [["one", 1], ["ten", 10]]) {
    byId(id).onclick = () => {
      isRunning = false;
      walk(steps);
      showFigures();
    };
  }
  byId("save").onclick = save;
  byId("back").onclick = rollBack;
  byId("again").onclick = restart;
  byId("check").onclick = check;
  requestAnimationFrame(picture);
}

start().catch((error) => say(`The page could not begin: ${error.message}`));
