// Order and time limits of asynchronous work.
export { createKeyedQueue, createSerialQueue, type KeyedQueue } from "./keyed-queue.ts";
export { raceWithSignal } from "./race-with-signal.ts";
export { rejectAfter, resolveWithin, settlesWithin, sleep } from "./time-limits.ts";
