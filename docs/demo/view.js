// Draws the floor: plain numbers from the module, in world units, onto the canvas.
"use strict";

/** World units, and the margin round the floor in which its outer wall is drawn. */
const FLOOR = { width: 48, depth: 30, margin: 1 };
/** The numbers of one who walks: x, z, velocity, destination, radius, arrived. */
const AGENT_NUMBERS = 8;

const canvas = document.getElementById("floor");
const pen = canvas.getContext("2d");

/** How many pixels of the screen a world unit is, and where on the screen the world begins. */
function onScreen() {
  const box = canvas.getBoundingClientRect();
  const scale = box.width / (FLOOR.width + 2 * FLOOR.margin);
  return { scale, left: box.left + FLOOR.margin * scale, top: box.top + FLOOR.margin * scale };
}

function toWorld(clientX, clientY) {
  const { scale, left, top } = onScreen();
  return [(clientX - left) / scale, (clientY - top) / scale];
}

function toScreen(x, z) {
  const { scale, left, top } = onScreen();
  return [left + x * scale, top + z * scale];
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);

/** Adds rings to the pen's path: of each its corners' number, then x and z of each. */
function trace(rings) {
  for (let at = 0; at < rings.length; at += 1 + 2 * rings[at]) {
    for (let corner = 0; corner < rings[at]; corner++) {
      const place = at + 1 + 2 * corner;
      if (corner === 0) pen.moveTo(rings[place], rings[place + 1]);
      else pen.lineTo(rings[place], rings[place + 1]);
    }
    pen.closePath();
  }
}

function fillRings(rings, style) {
  pen.fillStyle = style;
  pen.beginPath();
  trace(rings);
  pen.fill();
}

function line(points, style, width, dash = []) {
  pen.strokeStyle = style;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  pen.beginPath();
  points.forEach(([x, z], index) => (index === 0 ? pen.moveTo(x, z) : pen.lineTo(x, z)));
  pen.stroke();
  pen.setLineDash([]);
}

function disc(x, z, radius, style) {
  pen.fillStyle = style;
  pen.beginPath();
  pen.arc(x, z, radius, 0, 2 * Math.PI);
  pen.fill();
}

/** The path, its ends, and the way from its goal to the nearest wall. */
function drawPath(path) {
  if (path.length < 5) return;
  const [, , distance, wallX, wallZ, ...flat] = path;
  const points = [];
  for (let at = 0; at + 1 < flat.length; at += 2) points.push([flat[at], flat[at + 1]]);
  if (points.length === 0) return;
  const [style, goal] = [colour("path"), points.at(-1)];
  if (distance > 0) {
    line([goal, [wallX, wallZ]], style, 0.12, [0.3, 0.25]);
    disc(wallX, wallZ, 0.18, style);
  }
  line(points, style, 0.28);
  points.forEach(([x, z]) => disc(x, z, 0.22, style));
  disc(...goal, 0.55, style);
  disc(...goal, 0.25, colour("floor"));
}

/** Those who walk, a little further on than their last step, and faintly where each is going. */
function drawAgents(agents, since) {
  const styles = [colour("left"), colour("right")];
  for (let number = 0; number * AGENT_NUMBERS < agents.length; number++) {
    const [x, z, vx, vz, toX, toZ, radius, hasArrived] = agents.slice(number * AGENT_NUMBERS, (number + 1) * AGENT_NUMBERS);
    const style = styles[number % 2];
    if (!hasArrived) {
      pen.globalAlpha = 0.45;
      line([[toX - 0.25, toZ - 0.25], [toX + 0.25, toZ + 0.25]], style, 0.12);
      line([[toX - 0.25, toZ + 0.25], [toX + 0.25, toZ - 0.25]], style, 0.12);
      pen.globalAlpha = 1;
    }
    const [atX, atZ] = [x + vx * since, z + vz * since];
    disc(atX, atZ, radius, style);
    const speed = Math.hypot(vx, vz);
    if (speed > 0.05) {
      const nose = [atX + (vx / speed) * radius, atZ + (vz / speed) * radius];
      line([[atX, atZ], nose], colour("floor"), 0.16);
    }
  }
}

/** Draws everything: what the world's functions give, and the seconds since the last step. */
function drawAll({ walls, pillars, polygons, agents, path_drawn: path }, since) {
  const width = Math.round(canvas.clientWidth * devicePixelRatio);
  const height = Math.round(canvas.clientHeight * devicePixelRatio);
  if (canvas.width !== width || canvas.height !== height) {
    [canvas.width, canvas.height] = [width, height];
  }
  const scale = width / (FLOOR.width + 2 * FLOOR.margin);
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.setTransform(scale, 0, 0, scale, FLOOR.margin * scale, FLOOR.margin * scale);
  pen.lineCap = pen.lineJoin = "round";
  pen.fillStyle = colour("floor");
  pen.fillRect(0, 0, FLOOR.width, FLOOR.depth);
  pen.strokeStyle = colour("edge");
  pen.lineWidth = 0.06;
  pen.beginPath();
  trace(polygons);
  pen.stroke();
  fillRings(walls, colour("wall"));
  fillRings(pillars, colour("pillar"));
  drawPath(path);
  drawAgents(agents, since);
}
