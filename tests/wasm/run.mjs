// Runs the module named on the command line and prints its lines.
import { readFileSync } from "node:fs";

let memory;
const print = (at, length) => console.log(new TextDecoder().decode(new Uint8Array(memory.buffer, at, length)));
const module = await WebAssembly.instantiate(readFileSync(process.argv[2]), { host: { print } });
memory = module.instance.exports.memory;
process.exitCode = module.instance.exports.run();
