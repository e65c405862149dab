// Measures what one message costs from the webhook to the answer: main thread and all threads in units of a fixed piece of work done
// in the same thread, so that a busy machine matters little; memory, promises and messages to the storage. Beside it a program that
// only makes the same commits.
// node --conditions=@parley/source tests/bench/road.ts [--against <another checkout>]
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Cost } from "./road-part.ts";
import { readFirstLine, runLoad, spawnPart, waitUntilSettled } from "./webhook-load.ts";

const WARM_UP = 400;
const MESSAGES = 200;
const ROUNDS = 7;
const HEADER = "x-telegram-bot-api-secret-token";
const repository = dirname(dirname(import.meta.dirname));
const PART = join("tests", "bench", "road-part.ts");

interface Part {
  readonly name: string;
  readonly child: ChildProcess;
  readonly url: string;
  readonly samples: Sample[];
  sent: number;
}
interface Sample extends Cost {
  /** CPU time of the calibration unit in microseconds. */
  readonly unitUs: number;
}

const sink = spawnPart("sink.mjs");
const api = await readFirstLine(sink);
const other = process.argv[2] === "--against" ? process.argv[3] : undefined;
const parts = [await startPart("floor", repository, "floor"), await startPart("this checkout", repository, "service")];
if (other !== undefined) parts.push(await startPart("the other checkout", other, "service"));
for (const part of parts) await send(part, WARM_UP);
for (let round = 0; round < ROUNDS; round += 1) for (const part of parts) part.samples.push(await measure(part));
const [floor] = parts;
for (const part of parts) print(part);
for (const part of parts) {
  await ask(part, "countPromises");
  const { promises } = await measure(part);
  console.log(`${part.name}: ${(promises / MESSAGES).toFixed(0)} promises a message`);
  part.child.kill();
}
sink.kill();

async function startPart(name: string, folder: string, kind: string): Promise<Part> {
  const file = join(folder, PART);
  const isCopied = !existsSync(file);
  if (isCopied) cpSync(join(repository, PART), file);
  const child = fork(file, [kind, api], {
    cwd: folder,
    execArgv: ["--conditions=@parley/source", "--expose-gc", "--min-semi-space-size=256", "--max-semi-space-size=256"],
  });
  const [url] = (await once(child, "message")) as [string];
  if (isCopied) rmSync(file);
  return { name, child, url, samples: [], sent: 0 };
}

async function ask<Answer>({ child }: Part, command: string): Promise<Answer> {
  child.send(command);
  const [answer] = await once(child, "message");
  return answer as Answer;
}

async function send(part: Part, count: number): Promise<void> {
  await fetch(`${api}/reset`);
  await runLoad({ urls: [part.url], header: HEADER }, part.sent, count);
  part.sent += count;
  const { sent } = await waitUntilSettled(api, count);
  if (sent < count) throw new Error(`${part.name}: ${count - sent} of ${count} messages were not answered`);
}

async function measure(part: Part): Promise<Sample> {
  const before = await ask<number>(part, "calibrate");
  await ask(part, "begin");
  await send(part, MESSAGES);
  const cost = await ask<Cost>(part, "end");
  const after = await ask<number>(part, "calibrate");
  return { ...cost, unitUs: (before + after) / 2 };
}

function print({ name, samples }: Part): void {
  const unitUs = median(samples.map((one) => one.unitUs));
  const main = median(samples.map((one) => one.mainUs / MESSAGES / one.unitUs));
  const all = median(samples.map((one) => one.allUs / MESSAGES / one.unitUs));
  const floorMain = median((floor?.samples ?? []).map((one) => one.mainUs / MESSAGES / one.unitUs));
  const allocated = median(samples.map((one) => one.allocatedBytes / MESSAGES).filter((bytes) => !Number.isNaN(bytes)));
  const storage = median(samples.map((one) => one.storageMessages / MESSAGES));
  const ms = (units: number) => ((units * unitUs) / 1_000).toFixed(2);
  console.log(
    `${name}: main thread ${main.toFixed(2)} units = ${ms(main)} ms a message (${(main / floorMain).toFixed(1)} × the floor), ` +
      `all threads ${all.toFixed(2)} units = ${ms(all)} ms, ${(allocated / 1_024).toFixed(0)} KB allocated, ` +
      `${storage.toFixed(1)} messages to the storage; a unit is ${(unitUs / 1_000).toFixed(3)} ms here`,
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
