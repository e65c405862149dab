import { expect, test } from "vitest";
import { findErrorSource } from "./uncaught-errors.ts";

const places = [
  { id: "gateway", path: "/srv/node_modules/@parley/plugin-gateway", isThirdParty: false },
  { id: "acme", path: "/srv/node_modules/acme", isThirdParty: true },
  { id: "acme-inner", path: "/srv/node_modules/acme/inner", isThirdParty: true },
  { id: "one-file", path: "/srv/mine.mjs", isThirdParty: true },
];
const OWN = "at tick (file:///srv/node_modules/acme/index.js:3:7)";
const TIMER = "at listOnTimeout (node:internal/timers:605:17)";
const EVENT = "at Socket.emit (node:events:508:28)";
const GATEWAY = "at work (file:///srv/node_modules/@parley/plugin-gateway/dist/index.js:9:1)";
const withStack = (...frames: readonly string[]) =>
  Object.assign(new Error("x"), { stack: `Error: x\n${frames.map((frame) => `    ${frame}`).join("\n")}` });

test.each([
  ["a plugin's own timer", withStack(OWN, TIMER), "acme", true],
  ["a plugin of one file", withStack("at file:///srv/mine.mjs:1:2", TIMER), "one-file", true],
  ["the innermost folder", withStack("at f (/srv/node_modules/acme/inner/x.js:1:2)", TIMER), "acme-inner", true],
  ["a folder of a similar name", withStack("at f (/srv/node_modules/acme-two/x.js:1:2)", TIMER), undefined, false],
  ["a plugin called by ours", withStack(OWN, GATEWAY, TIMER), "acme", false],
  ["ours called by a plugin", withStack(GATEWAY, OWN, TIMER), "acme", false],
  ["ours alone", withStack(GATEWAY, TIMER), "gateway", false],
  ["a library that a plugin uses", withStack("at f (/srv/node_modules/ws/ws.js:1:2)", OWN, TIMER), "acme", false],
  ["an event of its socket", withStack(OWN, EVENT, "at TCP.<anonymous> (node:net:350:12)"), "acme", true],
  ["an event that ours emits", withStack(OWN, EVENT, GATEWAY, TIMER), "acme", false],
  ["a stack that may be cut off", withStack(...Array(Error.stackTraceLimit).fill(OWN)), "acme", false],
  ["an error of Node alone", withStack("at TCPConnectWrap.afterConnect (node:net:1637:16)"), undefined, false],
  ["no error at all", "just a text", undefined, false],
])("an uncaught error is reported: %s", (_what, error, plugin, isAlone) => {
  expect(findErrorSource(error, places)).toEqual({ plugin, isAlone });
});
