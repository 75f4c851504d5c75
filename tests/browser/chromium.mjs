// A headless Chromium that is told what to do by the DevTools protocol, through a pipe: no port, no package.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Milliseconds that anything may take. */
const PATIENCE = 60_000;

/** Starts the browser and opens an empty page. */
export async function open() {
  const home = mkdtempSync(join(tmpdir(), "navarena-browser-"));
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"];
  const args = [...flags, "--no-first-run", "--remote-debugging-pipe", `--user-data-dir=${home}`, "about:blank"];
  const child = spawn(process.env.CHROMIUM ?? "chromium", args, { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (text) => (errors += text));
  const browser = new Browser(child, home, () => errors);
  const { targetInfos } = await browser.send("Target.getTargets");
  const { targetId } = targetInfos.find((target) => target.type === "page");
  const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
  browser.session = sessionId;
  await browser.send("Page.enable");
  await browser.send("Runtime.enable");
  await browser.send("Log.enable");
  return browser;
}

class Browser {
  #child;
  #home;
  #errors;
  #number = 0;
  #waiting = new Map();
  #listening = new Map();
  #rest = "";
  /** What went wrong in the page: exceptions, and errors in its log. */
  complaints = [];

  constructor(child, home, errors) {
    [this.#child, this.#home, this.#errors] = [child, home, errors];
    child.stdio[4].setEncoding("utf8");
    child.stdio[4].on("data", (text) => this.#read(text));
    const fail = (why) => this.#waiting.forEach(({ reject }) => reject(new Error(`${why}\n${this.#errors()}`)));
    child.on("error", (error) => fail(`no Chromium: ${error.message}`));
    child.on("exit", () => fail("Chromium ended"));
  }

  // Messages end with a zero.
  #read(text) {
    const parts = (this.#rest + text).split("\0");
    this.#rest = parts.pop();
    parts.map((part) => JSON.parse(part)).forEach((message) => this.#take(message));
  }

  #take({ id, result, error, method, params }) {
    if (id !== undefined) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiting.reject(new Error(error.message));
      else waiting.resolve(result);
      return;
    }
    if (method === "Runtime.exceptionThrown") this.complaints.push(params.exceptionDetails.exception?.description);
    if (method === "Log.entryAdded" && params.entry.level === "error") this.complaints.push(params.entry.text);
    this.#listening.get(method)?.(params);
  }

  /** Says one thing by the protocol, and gives the answer. */
  send(method, params = {}) {
    const id = ++this.#number;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${method}: no answer\n${this.#errors()}`)), PATIENCE);
      const settle = (done) => (value) => {
        clearTimeout(late);
        done(value);
      };
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    });
  }

  /** Opens an address and waits until it is loaded. */
  async visit(url) {
    const loaded = new Promise((resolve) => this.#listening.set("Page.loadEventFired", resolve));
    await this.send("Page.navigate", { url });
    await loaded;
  }

  /** What an expression comes to in the page. */
  async value(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
    return result.value;
  }

  /** Waits until an expression is true. */
  async until(expression) {
    const end = Date.now() + PATIENCE;
    while (!(await this.value(expression))) {
      if (Date.now() > end) throw new Error(`never true: ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Clicks on a place of the window with the mouse. */
  async click(x, y) {
    const event = { x, y, button: "left", clickCount: 1 };
    await this.send("Input.dispatchMouseEvent", { ...event, type: "mouseMoved", button: "none" });
    await this.send("Input.dispatchMouseEvent", { ...event, type: "mousePressed" });
    await this.send("Input.dispatchMouseEvent", { ...event, type: "mouseReleased" });
  }

  /** Clicks on the middle of an element. */
  async press(selector) {
    const [x, y] = await this.value(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.scrollIntoView({ block: "nearest", behavior: "instant" });
      const box = element.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    })()`);
    await this.click(x, y);
  }

  /** Gives the window another size. */
  async resize(width, height, isPhone) {
    await this.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: isPhone ? 2 : 1,
      mobile: isPhone,
    });
  }

  /** A picture of the page from top to bottom, as PNG. */
  async picture() {
    const { cssContentSize } = await this.send("Page.getLayoutMetrics");
    const clip = { x: 0, y: 0, width: cssContentSize.width, height: cssContentSize.height, scale: 1 };
    const { data } = await this.send("Page.captureScreenshot", { format: "png", clip, captureBeyondViewport: true });
    return Buffer.from(data, "base64");
  }

  async close() {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#waiting.clear();
    this.#child.kill();
    await ended;
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
