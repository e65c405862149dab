// Measures 10,000 jobs added and run; then the memory of 100,000 waiting jobs, and how much they slow down running ones.
// node --conditions=@parley/source --expose-gc tests/bench/jobs.ts
import Joi from "@hapi/joi";
import { definePlugin, JobKinds, Jobs, jobKind } from "@parley/core";
import { startParley } from "../harness/parley.ts";

const COUNT = 10_000;
const WAITING = 100_000;
const ADDERS = 200;
const TOMORROW = 86_400_000;

let ran = 0;
let wanted = 0;
let done = Promise.withResolvers<void>();
const kinds = definePlugin({
  id: "bench",
  register({ contribute }) {
    contribute(JobKinds, () =>
      jobKind<{ readonly n: number }>({
        kind: "bench.work",
        titles: { en: "Work", zh: "工作" },
        schema: Joi.object({ n: Joi.number().required() }),
        concurrency: 256,
        async run() {
          ran += 1;
          if (ran === wanted) done.resolve();
        },
      }),
    );
  },
});
const parley = await startParley({ plugins: [kinds], config: "[plugin.jobs]\nconcurrency = 256\n" });
const jobs = parley.host.get(Jobs);

try {
  await addAndRun("to warm up", 2_000);
  const alone = await addAndRun("alone", COUNT);
  const before = readHeapMb();
  await addAll(WAITING, { runAt: Date.now() + TOMORROW });
  console.log(`${WAITING} that wait: ${(readHeapMb() - before).toFixed(1)} MB of heap more`);
  const beside = await addAndRun(`beside ${WAITING} that wait`, COUNT);
  console.log(`ratio ${(alone / beside).toFixed(2)} (budget 1.5)`);
} finally {
  await parley[Symbol.asyncDispose]();
}

/** Returns jobs per second, from the first one added to the last one run. */
async function addAndRun(what: string, count: number): Promise<number> {
  [ran, wanted, done] = [0, count, Promise.withResolvers<void>()];
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  await Promise.all([addAll(count), done.promise]);
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const micros = Math.round((user + system) / count);
  const perSecond = Math.round(count / seconds);
  console.log(`${what}: ${perSecond} jobs/s (budget 3000), ${micros} µs of CPU a job, all threads`);
  return perSecond;
}

async function addAll(count: number, options: { readonly runAt?: number } = {}) {
  let n = 0;
  const one = async () => {
    while (n < count) {
      n += 1;
      await jobs.add("bench.work", { n }, options);
    }
  };
  await Promise.all(Array.from({ length: ADDERS }, one));
}

function readHeapMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
