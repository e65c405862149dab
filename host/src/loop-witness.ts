import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { PluginPlace } from "./faults.ts";
import type { LoopWitnessData } from "./loop-witness-worker.ts";

export interface LoopWitnessParts {
  /** Whose code may be what keeps the process busy. */
  readonly places: readonly PluginPlace[];
  /** They are being imported: nothing runs yet that could be lost, and a process that stands still so long ends. */
  readonly importWithinMs?: number;
  readonly onError: (error: unknown) => void;
}

/** A thread that looks what the main thread does while that one does not answer, and says so on stderr after 5 s. */
export interface LoopWitness extends Disposable {
  /** Says that the main thread answers. The stack of its last standstill since it was asked; empty when there was none. */
  seen(): readonly string[];
}

export function createLoopWitness({ places, importWithinMs, onError }: LoopWitnessParts): LoopWitness {
  const { port1: own, port2: port } = new MessageChannel();
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const name = import.meta.url.endsWith(".ts") ? "./loop-witness-worker.ts" : "./loop-witness-worker.js";
  const workerData: LoopWitnessData = { beats, port, places, importWithinMs };
  const worker = new Worker(new URL(name, import.meta.url), { workerData, transferList: [port] });
  worker.unref();
  own.unref();
  worker.on("error", onError);
  return {
    seen() {
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
