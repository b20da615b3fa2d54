// Loads the bundle with a stand-in for `vscode`, as the editor does, and looks at what it registers.

import assert from "node:assert";
import { readFileSync } from "node:fs";
import Module from "node:module";

const registered = [];
const anything = () => new Proxy(function () {}, {
  get: (_, name) => (name === "then" ? undefined : name === Symbol.iterator ? [][Symbol.iterator] : anything()),
  apply: () => anything(),
  construct: () => anything(),
});
const api = readFileSync(new URL("../node_modules/@types/vscode/index.d.ts", import.meta.url), "utf8");
const names = [...api.matchAll(/export (?:class|enum|namespace|const) (\w+)/g)].map((found) => found[1]);
const stand = Object.fromEntries(names.map((name) => [name, anything()]));
stand.version = "1.91.0";
stand.commands = { registerCommand: (id) => (registered.push(id), { dispose() {} }), executeCommand() {} };
stand.workspace = new Proxy({}, {
  get: (_, of) => (of === "getConfiguration" ? () => ({ get: () => ["no-such-program"] }) : anything()),
});
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? stand : load(name, ...rest));
const extension = Module.createRequire(import.meta.url)("../dist/extension.js");
assert.equal(typeof extension.activate, "function");
assert.equal(typeof extension.deactivate, "function");
const wait = new Promise((resolve) => setTimeout(resolve, 500));
await Promise.race([extension.activate({ subscriptions: [] }).catch((error) => console.error(error)), wait]);
assert.deepEqual(registered, ["targi.play", "targi.try", "targi.why", "targi.newVariant"]);
console.log("loaded");
process.exit(0);
