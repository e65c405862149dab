import Joi from "@hapi/joi";
import {
  type Effect,
  type JobContext,
  type JobKind,
  type JobOutcome,
  type Jobs,
  jobKind,
  resourceChanged,
  toldFailure,
} from "@parley/core";
import { sessionFailure } from "../said-failures.ts";
import type { Recipient } from "./schema.ts";
import { type SendingParts, sendTo, settle } from "./send.ts";
import type { StoredBroadcast } from "./store.ts";

export const SEND_BROADCAST = "sessions.broadcast";

/** Some are sent at once, and then nothing for a while: one job for each would be many. */
const STEP_MS = 5_000;
const MINUTE_MS = 60_000;
/** How long a step waits for the platform's word; what is not known by then the next one asks for. */
const WORD_MS = 3_000;
/** So many are asked for at once whether they arrived. */
const ASKED = 500;
const ATTEMPTS = 5;

export interface StepOrder {
  readonly broadcast_id: string;
  readonly run: number;
  readonly step: number;
}

export interface StepParts extends SendingParts {
  readonly jobs: () => Jobs;
}

/** The next step of a broadcast, as a part of the write that it follows from. */
export function stepOf(jobs: Jobs, order: StepOrder, runAt?: number): Effect {
  const key = `${order.broadcast_id}:${order.run}:${order.step}`;
  return jobs.effect(SEND_BROADCAST, order, { key, ...(runAt !== undefined && { runAt }) });
}

/** How many go out in one step, and how long it is until the next. */
export function paceOf(perMinute: number): { readonly size: number; readonly everyMs: number } {
  const size = Math.max(1, Math.floor((perMinute * STEP_MS) / MINUTE_MS));
  return { size, everyMs: Math.ceil((size * MINUTE_MS) / perMinute) };
}

/** Sends a broadcast, a step at a time: a crash costs the step, and of that nothing is said twice. */
export function broadcastJob(parts: StepParts): JobKind {
  return jobKind<StepOrder>({
    kind: SEND_BROADCAST,
    titles: { en: "Send a broadcast", zh: "发送群发消息" },
    schema: Joi.object<StepOrder, true>({
      broadcast_id: Joi.string().required(),
      run: Joi.number().integer().required(),
      step: Joi.number().integer().required(),
    }),
    concurrency: 4,
    retry: { attempts: ATTEMPTS, firstDelayMs: 1_000, maxDelayMs: 60_000 },
    async run(order, context) {
      const broadcast = await parts.store.find(order.broadcast_id);
      if (broadcast?.run !== order.run) return [];
      return takeStep(parts, broadcast, order, context);
    },
    ended: (order, outcome) => (outcome.status === "done" ? [] : [halt(parts, order, outcome)]),
  });
}

async function takeStep(
  parts: StepParts,
  broadcast: StoredBroadcast,
  order: StepOrder,
  { signal, progress }: JobContext,
): Promise<readonly Effect[]> {
  const { store } = parts;
  const { clock, events } = parts.parts;
  const { id } = broadcast;
  const { size, everyMs } = paceOf(broadcast.per_minute);
  const runAt = clock.now() + everyMs;
  const asked = await store.inState(id, "sent", ASKED);
  await settleAll(parts, broadcast, asked, AbortSignal.abort());
  if (broadcast.state === "running") {
    const sent: Recipient[] = [];
    for (const to of await store.inState(id, "waiting", size)) {
      signal.throwIfAborted();
      if (!(await sendTo(parts, broadcast, to))) break;
      sent.push({ ...to, state: "sent" });
    }
    await settleAll(parts, broadcast, sent, AbortSignal.any([signal, AbortSignal.timeout(WORD_MS)]));
  }
  const now = await store.find(id);
  if (now?.run !== order.run) return [];
  const { waiting, sent, delivered, failed } = now.counts;
  const total = waiting + sent + delivered + failed;
  progress(total === 0 ? 1 : (delivered + failed) / total, `${delivered + failed}/${total}`);
  events.publish(resourceChanged("broadcast", id, "updated", now.run));
  if (sent > 0 || (waiting > 0 && now.state === "running"))
    return [stepOf(parts.jobs(), { ...order, step: order.step + 1 }, runAt)];
  if (now.state !== "running") return [];
  const applied = () => events.publish(resourceChanged("broadcast", id, "updated", now.run));
  return [{ writes: [store.turning(now, { state: "done", run: now.run })], applied }];
}

async function settleAll(
  parts: StepParts,
  broadcast: StoredBroadcast,
  some: readonly Recipient[],
  signal: AbortSignal,
) {
  await Promise.all(some.filter(({ state }) => state === "sent").map((to) => settle(parts, broadcast, to, signal)));
}

/** Each step adds the next one with its own end: where one ends otherwise, nothing is sent any more, and people may let it go on. */
function halt({ parts, store }: StepParts, { broadcast_id: id, run }: StepOrder, outcome: JobOutcome): Effect {
  const halted = () => toldFailure(sessionFailure("conflict", "broadcast_halted"));
  const error = outcome.status === "dead" && outcome.error ? outcome.error : halted();
  return {
    writes: [store.turning({ id, state: "running", run }, { state: "stopped", run, error })],
    applied([turned]) {
      if (turned?.changes) parts.events.publish(resourceChanged("broadcast", id, "updated", run));
    },
  };
}
