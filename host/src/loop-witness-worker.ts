// Runs in a thread of its own: asks the main thread what it is doing while it does not answer.
import { Session } from "node:inspector";
import { type MessagePort, workerData } from "node:worker_threads";

export interface LoopWitnessData {
  /** The main thread counts it up for as long as it answers. */
  readonly beats: Int32Array;
  /** Takes the lines of its stack where it stood. */
  readonly port: MessagePort;
}

const LOOK_EVERY_MS = 200;
const STUCK_MS = 1_400;

const { beats, port } = workerData as LoopWitnessData;
let last = Atomics.load(beats, 0);
let since = performance.now();
let isAsked = false;

setInterval(() => {
  const beat = Atomics.load(beats, 0);
  if (beat !== last) {
    last = beat;
    since = performance.now();
    isAsked = false;
  } else if (!isAsked && performance.now() - since > STUCK_MS) {
    isAsked = true;
    askWhere();
  }
}, LOOK_EVERY_MS);

/** Stops the main thread for as long as it takes to read its stack. */
function askWhere(): void {
  const session = new Session();
  session.connectToMainThread();
  // A frame names its script by an id only.
  const urls = new Map<string, string>();
  session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => urls.set(scriptId, url));
  session.once("Debugger.paused", ({ params: { callFrames } }) => {
    session.post("Debugger.resume");
    session.post("Debugger.disable");
    session.disconnect();
    port.postMessage(callFrames.map((frame) => lineOf(frame, urls.get(frame.location.scriptId) ?? "")));
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
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
