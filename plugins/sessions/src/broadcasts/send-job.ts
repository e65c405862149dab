import Joi from "@hapi/joi";
import {
  type Effect,
  type JobContext,
  type JobKind,
  type JobOutcome,
  type Jobs,
  jobKind,
  resourceChanged,
  toLocalizedError,
} from "@parley/core";
import { sessionsTexts } from "../texts.ts";
import type { Recipient } from "./schema.ts";
import { resolveOutcome, type SendDeps, sendToRecipient } from "./send.ts";
import type { StoredBroadcast } from "./store.ts";

export const SEND_BROADCAST = "sessions.broadcast";

/** Interval of the batches in which messages are sent, because a job for each message would be too many. */
const STEP_INTERVAL_MS = 5_000;
const MINUTE_MS = 60_000;
/** Maximum wait for the platform's confirmation within a step; later confirmations are checked by the next step. */
const CONFIRM_WAIT_MS = 3_000;
/** Maximum number of deliveries checked in one step. */
const MAX_CONFIRMATIONS = 500;
const MAX_ATTEMPTS = 5;

export interface BroadcastStep {
  readonly broadcast_id: string;
  readonly run: number;
  readonly step: number;
}

export interface StepDeps extends SendDeps {
  readonly jobs: () => Jobs;
}

/** Returns the effect that adds the next step of a broadcast, for the transaction of its cause. */
export function toNextStepEffect(jobs: Jobs, order: BroadcastStep, runAt?: number): Effect {
  const key = `${order.broadcast_id}:${order.run}:${order.step}`;
  return jobs.effect(SEND_BROADCAST, order, { key, ...(runAt !== undefined && { runAt }) });
}

/** Returns the messages per step and the interval between steps. */
export function toBatchRate(perMinute: number): { readonly size: number; readonly everyMs: number } {
  const size = Math.max(1, Math.floor((perMinute * STEP_INTERVAL_MS) / MINUTE_MS));
  return { size, everyMs: Math.ceil((size * MINUTE_MS) / perMinute) };
}

/** Creates the job that sends a broadcast in steps. A step repeated after a crash sends no message twice. */
export function broadcastJob(deps: StepDeps): JobKind {
  return jobKind<BroadcastStep>({
    kind: SEND_BROADCAST,
    titles: { en: "Send a broadcast", zh: "发送群发消息" },
    schema: Joi.object<BroadcastStep, true>({
      broadcast_id: Joi.string().required(),
      run: Joi.number().integer().required(),
      step: Joi.number().integer().required(),
    }),
    concurrency: 4,
    retry: { attempts: MAX_ATTEMPTS, firstDelayMs: 1_000, maxDelayMs: 60_000 },
    async run(order, context) {
      const broadcast = await deps.store.find(order.broadcast_id);
      if (broadcast?.run !== order.run) return [];
      return runStep(deps, broadcast, order, context);
    },
    ended: (order, outcome) => (outcome.status === "done" ? [] : [toStopEffect(deps, order, outcome)]),
  });
}

async function runStep(
  deps: StepDeps,
  broadcast: StoredBroadcast,
  order: BroadcastStep,
  { signal, progress }: JobContext,
): Promise<readonly Effect[]> {
  const { store } = deps;
  const { clock, events } = deps.deps;
  const { id } = broadcast;
  const { size, everyMs } = toBatchRate(broadcast.per_minute);
  const runAt = clock.now() + everyMs;
  const unconfirmed = await store.findByState(id, "sent", MAX_CONFIRMATIONS);
  await resolveOutcomes(deps, broadcast, unconfirmed, AbortSignal.abort());
  if (broadcast.state === "running") {
    const sent: Recipient[] = [];
    for (const recipient of await store.findByState(id, "waiting", size)) {
      signal.throwIfAborted();
      if (!(await sendToRecipient(deps, broadcast, recipient))) break;
      sent.push({ ...recipient, state: "sent" });
    }
    await resolveOutcomes(deps, broadcast, sent, AbortSignal.any([signal, AbortSignal.timeout(CONFIRM_WAIT_MS)]));
  }
  const current = await store.find(id);
  if (current?.run !== order.run) return [];
  const { waiting, sent, delivered, failed } = current.counts;
  const total = waiting + sent + delivered + failed;
  progress(total === 0 ? 1 : (delivered + failed) / total, `${delivered + failed}/${total}`);
  events.publish(resourceChanged("broadcast", id, "updated", current.run));
  if (sent > 0 || (waiting > 0 && current.state === "running"))
    return [toNextStepEffect(deps.jobs(), { ...order, step: order.step + 1 }, runAt)];
  if (current.state !== "running") return [];
  const applied = () => events.publish(resourceChanged("broadcast", id, "updated", current.run));
  return [{ writes: [store.transitionWrite(current, { state: "done", run: current.run })], applied }];
}

async function resolveOutcomes(
  deps: StepDeps,
  broadcast: StoredBroadcast,
  recipients: readonly Recipient[],
  signal: AbortSignal,
) {
  await Promise.all(
    recipients
      .filter(({ state }) => state === "sent")
      .map((recipient) => resolveOutcome(deps, broadcast, recipient, signal)),
  );
}

/** Creates the effect that stops a broadcast when a step has failed for good. People may continue it later. */
function toStopEffect(
  { deps, store }: StepDeps,
  { broadcast_id: id, run }: BroadcastStep,
  outcome: JobOutcome,
): Effect {
  const haltedError = () => toLocalizedError(sessionsTexts.error("conflict", "broadcast_halted"));
  const error = outcome.status === "dead" && outcome.error ? outcome.error : haltedError();
  return {
    writes: [store.transitionWrite({ id, state: "running", run }, { state: "stopped", run, error })],
    applied([turned]) {
      if (turned?.changes) deps.events.publish(resourceChanged("broadcast", id, "updated", run));
    },
  };
}
