// Measures the overhead of ModelCalls over a bare provider call, the cost of a failover to the next model, and the cost of a dead first
// model.
// node --expose-gc --conditions=@parley/source tests/bench/model-calls.ts
import { setTimeout as pause } from "node:timers/promises";
import { definePlugin, ModelCalls, ModelProtocols, type ModelQuestion, type OpenedModel } from "@parley/core";
import { startParley } from "../harness/parley.ts";

const CALLS = 3_000;
const PIECES = 20;
const FAILOVERS = 200;
const BUDGET = { callCpuMs: 0.15, failoverMs: 5, deadMs: 1_100, afterDeadMs: 20 };

type Language = NonNullable<OpenedModel["language"]>;
type Part = Awaited<ReturnType<Language["doStream"]>>["stream"] extends ReadableStream<infer One> ? One : never;

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: PIECES, text: PIECES, reasoning: 0 },
};
const parts: readonly Part[] = [
  { type: "stream-start", warnings: [] },
  ...Array.from({ length: PIECES }, () => ({ type: "text-delta", id: "t", delta: "word " }) as const),
  { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage },
];

function createModel(stream: () => Promise<readonly Part[]>): Language {
  return {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "bench",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("the bench streams")),
    doStream: async () => ({ stream: ReadableStream.from(await stream()) }),
  };
}
const models = {
  good: createModel(async () => parts),
  broken: createModel(() => Promise.reject(new Error("connect ECONNREFUSED"))),
  dead: createModel(() => new Promise(() => {})),
};
const bench = definePlugin({
  id: "bench-models",
  register({ contribute }) {
    contribute(ModelProtocols, () => ({
      id: "bench",
      name: "Bench",
      purposes: ["chat"] as const,
      defaultBaseUrl: "http://bench.invalid",
      keyVariable: "",
      supports: { stream: true, tools: true, reasoning: false, vision: false },
      open: ({ model }) => ({ language: models[model as keyof typeof models] }),
    }));
  },
});

await using parley = await startParley({ plugins: [bench] });
const api = await parley.signIn();
const calls = parley.host.get(ModelCalls);
const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "hello" }] }];
const question: ModelQuestion = {
  purpose: "chat",
  messages: prompt,
  isStreamed: true,
  signal: new AbortController().signal,
};
const add = async (model: keyof typeof models, more: object = {}) => {
  const body = { name: model, model, protocol: "bench", retry_count: 0, ...more };
  return (await api.post<{ id: string }>("/api/ai-models", body)).id;
};
const failures: string[] = [];

async function callBare(): Promise<number> {
  const { stream } = await models.good.doStream({ prompt });
  let length = 0;
  for await (const part of stream) if (part.type === "text-delta") length += part.delta.length;
  return length;
}

async function ask(): Promise<number> {
  const call = calls.ask(question);
  let length = 0;
  for await (const part of call.parts) if (part.type === "text") length += part.text.length;
  const { failure } = await call.answer;
  if (failure) throw new Error(failure.detail);
  return length;
}

/** Returns the CPU milliseconds of this thread per call. */
async function measureCpuMs(call: () => Promise<number>): Promise<number> {
  for (let n = 0; n < 300; n += 1) await call();
  globalThis.gc?.();
  const before = process.threadCpuUsage();
  for (let n = 0; n < CALLS; n += 1) await call();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 / CALLS;
}

function report(what: string, value: number, budget: number): void {
  const isOver = value > budget;
  if (isOver) failures.push(what);
  console.log(`${what.padEnd(46)} ${value.toFixed(3).padStart(9)} ms  of ${budget} ms${isOver ? "  OVER" : ""}`);
}

await add("good");
const rounds: number[] = [];
for (let round = 0; round < 3; round += 1) {
  const alone = await measureCpuMs(callBare);
  const asked = await measureCpuMs(ask);
  console.log(`bare ${alone.toFixed(3)} ms, ModelCalls ${asked.toFixed(3)} ms of main thread a call`);
  rounds.push(asked - alone);
}
report("ModelCalls over the bare call, main thread", Math.min(...rounds), BUDGET.callCpuMs);

// The event loop was busy for so long that it has not noticed connections closed meanwhile.
await pause(100);
const broken = await add("broken", { priority: 0 });
await api.post(`/api/ai-models/${broken}/apply`, {});
const times: number[] = [];
for (let n = 0; n < FAILOVERS; n += 1) {
  await api.post("/api/ai-models/failover-reset", {});
  const begun = performance.now();
  await ask();
  times.push(performance.now() - begun);
}
times.sort((a, b) => a - b);
report("a call that goes on to the next model, p50", times[FAILOVERS / 2] ?? Number.NaN, BUDGET.failoverMs);

const dead = await add("dead", { failover_timeout_s: 1 });
await api.post(`/api/ai-models/${dead}/apply`, {});
await api.post("/api/ai-models/failover-reset", {});
const first = performance.now();
await ask();
report("the first call with a dead first model", performance.now() - first, BUDGET.deadMs);
let slowest = 0;
for (let n = 0; n < FAILOVERS; n += 1) {
  const begun = performance.now();
  await ask();
  slowest = Math.max(slowest, performance.now() - begun);
}
report("the slowest of those after it", slowest, BUDGET.afterDeadMs);
if (failures.length > 0) process.exitCode = 1;
