import { AppError, type Jobs, resourceChanged, type ToldFailure, toldFailure } from "@parley/core";
import type { SessionParts } from "../parts.ts";
import { sessionFailure } from "../said-failures.ts";
import { SEND_BROADCAST } from "./send-job.ts";
import type { BroadcastStore, StoredBroadcast } from "./store.ts";

interface HaltedParts {
  readonly parts: SessionParts;
  readonly store: BroadcastStore;
  readonly jobs: () => Jobs;
}

/** Stops one that nothing sends any more, because its job was cancelled or given up, and gives how it stands. */
export async function stoppedIfHalted(
  { parts, store, jobs }: HaltedParts,
  broadcast: StoredBroadcast,
): Promise<StoredBroadcast> {
  if (broadcast.state !== "running") return broadcast;
  const { id, run } = broadcast;
  const error = await haltOf(jobs(), broadcast);
  if (!error) return broadcast;
  try {
    await parts.database().write([store.turning(broadcast, { state: "stopped", run, error })]);
  } catch (failure) {
    // Somebody else has stopped it, or it goes on again.
    if (!AppError.is(failure) || failure.code !== "conflict") throw failure;
    return store.get(id);
  }
  parts.events.publish(resourceChanged("broadcast", id, "updated", run));
  return store.get(id);
}

/** Each step adds the next one with its own end: what became of the newest is what became of the run. */
async function haltOf(jobs: Jobs, { id, run }: StoredBroadcast): Promise<ToldFailure | undefined> {
  const { items } = await jobs.list({ kind: SEND_BROADCAST, q: `${id}:${run}:`, limit: 1, offset: 0 });
  const [newest] = items;
  const halted = () => toldFailure(sessionFailure("conflict", "broadcast_halted"));
  if (newest?.status === "canceled") return halted();
  return newest?.status === "dead" ? (newest.error ?? halted()) : undefined;
}
