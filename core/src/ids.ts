import { hash, randomBytes, randomFillSync } from "node:crypto";

const RANDOM_CHARS = 9;
const TIME_CHARS = 9;
const SEQUENCE_CHARS = 2;
const SEQUENCE_LIMIT = 36 ** SEQUENCE_CHARS;

let lastMs = 0;
let sequence = 0;

/** Creates an opaque id, `<prefix>_` + 20 characters `[0-9a-z]`; ids of one process sort by creation. */
export function newId(prefix: string, nowMs: number = Date.now()): string {
  // A clock that stops or goes back must not break the order.
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = 0;
  } else if (++sequence === SEQUENCE_LIMIT) {
    lastMs += 1;
    sequence = 0;
  }
  return `${prefix}_${base36(lastMs, TIME_CHARS)}${base36(sequence, SEQUENCE_CHARS)}${randomBase36(RANDOM_CHARS)}`;
}

/** Derives an id from a seed: the same seed gives the same id, so a repeated turn writes the same ids. */
export function derivedId(prefix: string, ...seed: readonly string[]): string {
  const digest = hash("sha256", seed.join("\0"), "buffer");
  return `${prefix}_${base36(digest.readBigUInt64BE(0), 13).slice(-10)}${base36(digest.readBigUInt64BE(8), 13).slice(-10)}`;
}

/** Creates a trace id, `gw_YYYYMMDD_HHMMSS_<8 hex>` (UTC), unique in the process. */
export function newTraceId(nowMs: number = Date.now()): string {
  const [date, time] = new Date(nowMs).toISOString().replaceAll(/[-:]/g, "").split("T");
  traceCount = (traceCount + 1) >>> 0;
  // Multiplication by an odd factor permutes the numbers: none of the 32-bit values repeats before all occurred.
  const mixed = Math.imul(traceCount, 0x9e3779b1) >>> 0;
  return `gw_${date}_${time?.slice(0, 6)}_${mixed.toString(16).padStart(8, "0")}`;
}

let traceCount = randomBytes(4).readUInt32BE();

function base36(value: number | bigint, width: number): string {
  return value.toString(36).padStart(width, "0");
}

function randomBase36(width: number): string {
  return base36(takeRandomBytes(8).readBigUInt64BE(), 13).slice(-width);
}

// Ids are not secret but frequent, so random bytes are fetched for some hundred at once.
const randomPool = Buffer.alloc(4096);
let poolOffset = randomPool.length;

function takeRandomBytes(size: number): Buffer {
  if (poolOffset + size > randomPool.length) {
    randomFillSync(randomPool);
    poolOffset = 0;
  }
  poolOffset += size;
  return randomPool.subarray(poolOffset - size, poolOffset);
}
