// Opens the demo's page in a browser, does its script by mouse, and compares the hash that it shows with the manifest's.
//
//   node demo.mjs PAGE MANIFEST PICTURES      the folder of the page, the manifest's file, and where pictures go
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { open } from "./chromium.mjs";

const [folder, manifest, pictures] = process.argv.slice(2).map((path) => resolve(path));
const promised = readFileSync(manifest, "utf8").match(/^([0-9a-f]{64}) page\/script$/m)[1];
const address = pathToFileURL(join(folder, "index.html")).href;
const tools = ["left", "right"];

mkdirSync(pictures, { recursive: true });
const browser = await open();
const text = (id) => browser.value(`document.getElementById("${id}").textContent`);
const picture = async (name) => writeFileSync(join(pictures, name), await browser.picture());

async function clickFloor(tool, x, z) {
  await browser.press(`[data-tool=${tool}]`);
  await browser.value(`canvas.scrollIntoView({ block: "nearest", behavior: "instant" })`);
  await browser.click(...(await browser.value(`toScreen(${x}, ${z})`)));
}

/** The ways to do the script's actions by mouse, in the order of their kinds. */
const ways = [
  (group, x, z) => clickFloor(tools[group], x, z),
  (_, x, z) => clickFloor("path", x, z),
  (_, x, z) => clickFloor("pillar", x, z),
  async (steps) => {
    assert.equal(steps % 10, 0, "the script walks by tens");
    for (let ten = 0; ten < steps; ten += 10) await browser.press("#ten");
  },
  () => browser.press("#save"),
  () => browser.press("#back"),
];

async function visitPaused() {
  await browser.visit(`${address}?paused`);
  await browser.until(`document.getElementById("state").textContent !== ""`);
}

/** Does the script, and looks at each state that the page shows. */
async function doScript() {
  const script = await browser.value(`numbers("script")`);
  const states = new Set([await text("state")]);
  for (let at = 0; at < script.length; at += 4) {
    const [kind, ...rest] = script.slice(at, at + 4);
    await ways[kind](...rest);
    const [state, saved, step] = [await text("state"), await text("saved"), Number(await text("step"))];
    if (kind === 3) {
      assert.equal(await text("run"), "Run");
      assert.ok(step >= rest[0], `${step} steps shown after ${rest[0]}`);
      states.add(state);
    }
    if (kind === 4 || kind === 5) assert.equal(state, saved, "saved, or back at what was saved");
    if (kind === 1) {
      assert.match(await text("said"), /units long/);
      await picture("path.png");
    }
  }
  assert.ok(states.size >= 7, `${states.size} states`);
  assert.match(await text("compared"), /the same state as before going back/);
}

try {
  await browser.resize(1280, 900, false);
  await visitPaused();
  await doScript();
  assert.equal(await text("told"), promised, "the hash of the manifest's line page/script");
  await picture("desktop.png");
  console.log(`by mouse: ${promised}, as on x86-64`);

  // One click more, and it is another hash: what is compared depends on what is clicked.
  await clickFloor("pillar", 24, 2);
  assert.notEqual(await text("told"), promised);
  const colours = await browser.value(`new Set(new Uint32Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size`);
  assert.ok(colours > 20, `a picture of ${colours} colours`);

  // A click far off the floor can't be meant, and is refused with a reason.
  await browser.value(`choose("pillar"), click([-40, 5])`);
  assert.match(await text("said"), /^Refused: .+/);

  await browser.press("#check");
  await browser.until(`document.getElementById("checked").textContent !== ""`);
  assert.equal(await text("checked"), "Equal to x86-64's.");
  assert.equal(await text("told"), promised);

  await browser.press("#again");
  await browser.press("#run");
  await browser.until(`Number(document.getElementById("step").textContent) > 30`);
  await browser.press("#run");
  const stopped = await text("step");
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(await text("step"), stopped, "it stands still when paused");

  await browser.resize(390, 844, true);
  await visitPaused();
  assert.ok((await browser.value("document.scrollingElement.scrollWidth")) <= 390, "nothing is wider than a phone");
  await doScript();
  assert.equal(await text("told"), promised, "on a phone's screen");
  await picture("phone.png");
  console.log("on a phone's screen the same");
  assert.deepEqual(browser.complaints, []);
} finally {
  await browser.close();
}
