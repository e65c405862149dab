// Runs in a thread of its own: asks the main thread what it is doing while it does not answer.
import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { setTimeout } from "node:timers/promises";
import { type MessagePort, workerData } from "node:worker_threads";
import { blamed, type PluginPlace } from "./faults.ts";

export interface LoopWitnessData {
  /** The main thread counts it up for as long as it answers. */
  readonly beats: Int32Array;
  /** Takes the lines of its stack where it stood. */
  readonly port: MessagePort;
  /** Whose code that may be. */
  readonly places: readonly PluginPlace[];
  /** Given while they are imported: how long that may keep the main thread busy before the process ends. */
  readonly importWithinMs: number | undefined;
}

const LOOK_EVERY_MS = 200;
const STUCK_MS = 1_400;
const TOLD_AFTER_MS = 5_000;
/** What waits for the system does not say where. */
const ANSWERED_WITHIN_MS = 2_000;

const { beats, port, places, importWithinMs = Number.POSITIVE_INFINITY } = workerData as LoopWitnessData;
const isImport = Number.isFinite(importWithinMs);
const WAY = `take it out of config.ini, or the process ends after ${importWithinMs / 1000} s`;
const steps = [
  [STUCK_MS, async () => port.postMessage(await askWhere())],
  [Math.min(TOLD_AFTER_MS, importWithinMs / 2), tell],
  [importWithinMs, end],
] as const;
let last = Atomics.load(beats, 0);
/** By looks, not by the clock: a process that was suspended did not stand still. */
let stuckMs = 0;

setInterval(() => {
  const beat = Atomics.load(beats, 0);
  const before = beat === last ? stuckMs : 0;
  stuckMs = beat === last ? stuckMs + LOOK_EVERY_MS : 0;
  last = beat;
  for (const [ms, take] of steps) if (before < ms && stuckMs >= ms) void take();
}, LOOK_EVERY_MS);

/** The main thread cannot say it, and may never come back to. */
async function tell(): Promise<void> {
  const stack = await askWhere();
  const plugin = pluginIn(stack);
  if (!isImport) write(`${plugin ?? "something"} keeps the service busy, and nothing is answered:`, stack);
  else if (plugin !== undefined) write(`${plugin} does not come back from its import: ${WAY}`, stack);
}

/** Ends the process for what is known to come from a package, or cannot be asked: a machine may just be slow. */
async function end(): Promise<void> {
  const stack = await Promise.race([askWhere(), setTimeout(ANSWERED_WITHIN_MS, undefined)]);
  const plugin = stack ? pluginIn(stack) : `one of the plugins ${places.map(({ id }) => `'${id}'`).join(", ")}`;
  if (stuckMs < importWithinMs) return;
  if (plugin === undefined) return write("nothing comes back from the import of plugins:", stack);
  write(`${plugin} has not come back from its import within ${importWithinMs / 1000} s: the process ends`, stack);
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.evaluate", { expression: "process.reallyExit(1)" });
  await setTimeout(ANSWERED_WITHIN_MS);
  process.kill(process.pid, "SIGKILL");
}

/** Stops the main thread for as long as it takes to read its stack, once it runs code. */
function askWhere(): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const session = new Session();
  session.connectToMainThread();
  // A frame names its script by an id only.
  const urls = new Map<string, string>();
  session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => urls.set(scriptId, url));
  session.once("Debugger.paused", ({ params: { callFrames } }) => {
    session.post("Debugger.resume");
    session.post("Debugger.disable");
    session.disconnect();
    resolve(callFrames.map((frame) => lineOf(frame, urls.get(frame.location.scriptId) ?? "")));
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
  return promise;
}

function pluginIn(stack: readonly string[]): string | undefined {
  const { plugin } = blamed(Object.assign(new Error(), { stack: stack.join("\n") }), places);
  return plugin === undefined ? undefined : `plugin '${plugin}'`;
}

function write(line: string, stack: readonly string[] = []): void {
  try {
    writeSync(2, `${[line, ...stack.slice(0, 5)].join("\n")}\n`);
  } catch {
    // Whoever reads along may have left.
  }
}

interface CallFrame {
  readonly functionName: string;
  readonly location: { readonly lineNumber: number; readonly columnNumber?: number | undefined };
}

/** As a stack has it. */
function lineOf({ functionName, location: { lineNumber, columnNumber = 0 } }: CallFrame, url: string): string {
  const place = `${url}:${lineNumber + 1}:${columnNumber + 1}`;
  return functionName === "" ? `    at ${place}` : `    at ${functionName} (${place})`;
}
