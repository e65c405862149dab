import Joi from "@hapi/joi";
import {
  Clock,
  Databases,
  type DefinedPlugin,
  definePlugin,
  Environment,
  type JobContext,
  type JobKind,
  JobKinds,
  Jobs,
  jobKind,
  LiveEvents,
  Nodes,
  Redaction,
  Schedules,
  Settings,
  Signals,
  systemClock,
} from "@parley/core";
import { memoryDatabases, recordedEvents, startPlugins, testSettings } from "@parley/testing";
import { vi } from "vitest";
import jobsPlugin from "./index.ts";

/** Behaviour and record of the kind `test.work`. */
export interface Work {
  readonly ran: { readonly name: string; readonly context: JobContext }[];
  run(name: string, context: JobContext): ReturnType<JobKind["run"]>;
}

export interface SetupOptions {
  readonly databases?: Databases;
  readonly clock?: Clock;
  readonly kind?: Partial<JobKind>;
  readonly more?: readonly JobKind[];
  readonly config?: object;
  /** Signals between several processes. */
  readonly signals?: Signals;
  readonly nodes?: Pick<Nodes, "isDraining" | "onDraining">;
}

/** The plugin, started, with one kind of work: `{ name }`. */
export async function startJobs(options: SetupOptions = {}) {
  const { databases = memoryDatabases(), clock = systemClock, kind, more = [], config = {}, signals, nodes } = options;
  const work: Work = { ran: [], run: async () => {} };
  const events = recordedEvents();
  const settings = testSettings();
  const redaction: Redaction = {
    mask: <T>(value: T) => JSON.parse(JSON.stringify(value).replaceAll("sesame", "***")) as T,
    toMaskedJson: (value) => JSON.stringify(value).replaceAll("sesame", "***"),
    remember() {},
  };
  const own = jobKind<{ readonly name: string }>({
    kind: "test.work",
    titles: { en: "Work", zh: "工作" },
    schema: Joi.object({ name: Joi.string().required() }),
    retry: { attempts: 3, firstDelayMs: 1, maxDelayMs: 2 },
    ...(kind as object),
    run(payload, context) {
      work.ran.push({ name: payload.name, context });
      return work.run(payload.name, context);
    },
  });
  const kinds: DefinedPlugin = definePlugin({
    id: "kinds",
    register({ contribute }) {
      for (const one of [own, ...more]) contribute(JobKinds, () => one);
    },
  });
  const running = await startPlugins([jobsPlugin, kinds], {
    config: { jobs: config },
    services: [
      [Databases, databases],
      [Clock, clock],
      [Settings, settings],
      [Redaction, redaction],
      [LiveEvents, events],
      [Environment, { get: () => undefined, secret: () => undefined }],
      ...(signals ? [[Signals, signals]] : []),
      ...(nodes ? [[Nodes, nodes]] : []),
    ] as never,
  });
  const jobs = running.get(Jobs);
  return {
    ...running,
    databases,
    jobs,
    schedules: running.get(Schedules),
    work,
    events,
    settings,
    add: async (name: string, more: Parameters<Jobs["add"]>[2] = {}) =>
      (await jobs.add("test.work", { name }, more)).jobId,
    /** Resolves when the job has the status. */
    became: (jobId: string, status: string) =>
      vi.waitFor(
        async () => {
          const job = await jobs.get(jobId);
          if (job.status !== status) throw new Error(`${jobId} is ${job.status}: ${JSON.stringify(job.error)}`);
          return job;
        },
        { timeout: 5_000, interval: 5 },
      ),
  };
}

/** Creates work that runs until it is released or aborted. */
export function createGate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    open: resolve,
    wait: (signal: AbortSignal) =>
      new Promise<void>((done, fail) => {
        promise.then(done);
        signal.addEventListener("abort", () => fail(signal.reason), { once: true });
      }),
  };
}
