// Runs in a worker thread: inspects the main thread while it does not respond.
import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { setTimeout } from "node:timers/promises";
import { type MessagePort, workerData } from "node:worker_threads";
import { findErrorSource, type PluginLocation } from "./uncaught-errors.ts";

export interface EventLoopMonitorData {
  /** Counter that the main thread increments while it responds. */
  readonly beats: Int32Array;
  /** Port that receives the stack lines of a block. */
  readonly port: MessagePort;
  /** Locations of plugin code that may be blocking. */
  readonly locations: readonly PluginLocation[];
  /** Timeout of an import in milliseconds, after which the process ends; set only while plugins are imported. */
  readonly importWithinMs: number | undefined;
}

const CHECK_EVERY_MS = 200;
const BLOCKED_AFTER_MS = 1_400;
const REPORT_AFTER_MS = 5_000;
/** Timeout of a stack capture; code blocked in a system call gives no stack. */
const CAPTURE_TIMEOUT_MS = 2_000;

const { beats, port, locations, importWithinMs = Number.POSITIVE_INFINITY } = workerData as EventLoopMonitorData;
const isImport = Number.isFinite(importWithinMs);
const ADVICE = `take it out of config.ini, or the process ends after ${importWithinMs / 1000} s`;
const escalations = [
  [BLOCKED_AFTER_MS, async () => port.postMessage(await captureStack())],
  [Math.min(REPORT_AFTER_MS, importWithinMs / 2), reportBlocked],
  [importWithinMs, endProcess],
] as const;
let lastBeat = Atomics.load(beats, 0);
/** Blocked time as a sum of checks instead of clock time, because a suspended process was not blocked. */
let blockedMs = 0;

setInterval(() => {
  const beat = Atomics.load(beats, 0);
  const before = beat === lastBeat ? blockedMs : 0;
  blockedMs = beat === lastBeat ? blockedMs + CHECK_EVERY_MS : 0;
  lastBeat = beat;
  for (const [ms, take] of escalations) if (before < ms && blockedMs >= ms) void take();
}, CHECK_EVERY_MS);

/** Reports the block from this thread, since the main thread may never respond again. */
async function reportBlocked(): Promise<void> {
  const stack = await captureStack();
  const plugin = findPlugin(stack);
  if (!isImport) writeReport(`${plugin ?? "something"} keeps the service busy, and nothing is answered:`, stack);
  else if (plugin !== undefined) writeReport(`${plugin} does not come back from its import: ${ADVICE}`, stack);
}

/** Ends the process when the stack leads to a package or cannot be captured. Any other stack is only reported, since the machine may just be slow. */
async function endProcess(): Promise<void> {
  const stack = await Promise.race([captureStack(), setTimeout(CAPTURE_TIMEOUT_MS, undefined)]);
  const plugin = stack ? findPlugin(stack) : `one of the plugins ${locations.map(({ id }) => `'${id}'`).join(", ")}`;
  if (blockedMs < importWithinMs) return;
  if (plugin === undefined) return writeReport("nothing comes back from the import of plugins:", stack);
  writeReport(`${plugin} has not come back from its import within ${importWithinMs / 1000} s: the process ends`, stack);
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.evaluate", { expression: "process.reallyExit(1)" });
  await setTimeout(CAPTURE_TIMEOUT_MS);
  process.kill(process.pid, "SIGKILL");
}

/** Pauses the main thread briefly, once it runs code, to read its stack. */
function captureStack(): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const session = new Session();
  session.connectToMainThread();
  // Call frames name their script only by an id.
  const urls = new Map<string, string>();
  session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => urls.set(scriptId, url));
  session.once("Debugger.paused", ({ params: { callFrames } }) => {
    session.post("Debugger.resume");
    session.post("Debugger.disable");
    session.disconnect();
    resolve(callFrames.map((frame) => toStackLine(frame, urls.get(frame.location.scriptId) ?? "")));
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
  return promise;
}

function findPlugin(stack: readonly string[]): string | undefined {
  const { plugin } = findErrorSource(Object.assign(new Error(), { stack: stack.join("\n") }), locations);
  return plugin === undefined ? undefined : `plugin '${plugin}'`;
}

function writeReport(line: string, stack: readonly string[] = []): void {
  try {
    writeSync(2, `${[line, ...stack.slice(0, 5)].join("\n")}\n`);
  } catch {
    // The reader of stderr may have closed it.
  }
}

interface CallFrame {
  readonly functionName: string;
  readonly location: { readonly lineNumber: number; readonly columnNumber?: number | undefined };
}

/** Formats a call frame like a line of a stack. */
function toStackLine({ functionName, location: { lineNumber, columnNumber = 0 } }: CallFrame, url: string): string {
  const place = `${url}:${lineNumber + 1}:${columnNumber + 1}`;
  return functionName === "" ? `    at ${place}` : `    at ${functionName} (${place})`;
}
