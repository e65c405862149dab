import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { EventLoopMonitorData } from "./event-loop-monitor-worker.ts";
import type { PluginLocation } from "./uncaught-errors.ts";

export interface EventLoopMonitorDeps {
  /** Locations of plugin code that may be blocking. */
  readonly locations: readonly PluginLocation[];
  /** Timeout of an import in milliseconds. A process that is blocked for longer ends, because nothing is running yet that could be lost. */
  readonly importWithinMs?: number;
  readonly onError: (error: unknown) => void;
}

/** Thread that records the main thread's stack while it is blocked and reports it on stderr after 5 s. */
export interface EventLoopMonitor extends Disposable {
  /** Reports that the main thread responds, and returns the stack of its last block since the previous call; empty when there was none. */
  takeBlockedStack(): readonly string[];
}

export function createEventLoopMonitor({ locations, importWithinMs, onError }: EventLoopMonitorDeps): EventLoopMonitor {
  const { port1: own, port2: port } = new MessageChannel();
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const name = import.meta.url.endsWith(".ts") ? "./event-loop-monitor-worker.ts" : "./event-loop-monitor-worker.js";
  const workerData: EventLoopMonitorData = { beats, port, locations, importWithinMs };
  const worker = new Worker(new URL(name, import.meta.url), { workerData, transferList: [port] });
  worker.unref();
  own.unref();
  worker.on("error", onError);
  return {
    takeBlockedStack() {
      Atomics.add(beats, 0, 1);
      let stack: readonly string[] = [];
      for (let got = receiveMessageOnPort(own); got; got = receiveMessageOnPort(own)) stack = got.message;
      return stack;
    },
    [Symbol.dispose]() {
      own.close();
      void worker.terminate();
    },
  };
}
