import {
  AppError,
  assertMaySpeak,
  derivedId,
  type Effect,
  type Jobs,
  newId,
  newTraceId,
  resourceChanged,
  type SpeakOrder,
} from "@parley/core";
import { deletedReply, type List, type Page } from "@parley/core/http";
import { now, type SessionDeps } from "../session-deps.ts";
import type { SessionTables } from "../store/tables.ts";
import { sessionsTexts } from "../texts.ts";
import { resolveAudience, type TargetSession, toPreview } from "./audience.ts";
import type {
  Audience,
  Broadcast,
  BroadcastDraft,
  ContinueBody,
  Preview,
  Recipient,
  RecipientQuery,
} from "./schema.ts";
import { toNextStepEffect } from "./send-job.ts";
import type { BroadcastStore, StoredBroadcast } from "./store.ts";

/** Any channel but the console: broadcasts are sent to channels only. */
const ANY_CHANNEL = { channelId: "" };

/** Sends one text to many conversations as the bot. */
export interface Broadcasts {
  list(page: Page): Promise<List<Broadcast>>;
  get(id: string): Promise<Broadcast>;
  recipients(id: string, query: RecipientQuery): Promise<List<Recipient>>;
  preview(audience: Audience): Promise<Preview>;
  /**
   * Starts a broadcast, or returns the one that was started with this `temp_id`. Rejects with `conflict` when the
   * number of recipients differs from the preview.
   */
  begin(draft: BroadcastDraft, order: SpeakOrder): Promise<Broadcast>;
  /** Stops the broadcast. When it resolves, no message is added any more; those in the queue of the channel are still sent. */
  stop(id: string): Promise<Broadcast>;
  continue(id: string, body: ContinueBody, order: SpeakOrder): Promise<Broadcast>;
  remove(id: string): Promise<object>;
}

export interface BroadcastDeps {
  readonly deps: SessionDeps;
  readonly store: BroadcastStore;
  readonly jobs: () => Jobs;
}

export function createBroadcasts({ deps, store, jobs }: BroadcastDeps): Broadcasts {
  const findTargets = (audience: Audience) => {
    const tables = deps.database().tables<SessionTables>();
    return resolveAudience({ tables, channels: deps.channels(), nowMs: deps.clock.now() }, audience);
  };
  const getBroadcast = async (id: string): Promise<Broadcast> => toBroadcast(await store.get(id));
  const publishChange = async (id: string, action: "created" | "updated" | "deleted" = "updated") => {
    deps.events.publish(resourceChanged("broadcast", id, action, 1));
  };
  /** Stores the broadcast and the first step of its run in one transaction. */
  const startRun = async (
    writes: readonly Effect["writes"][number][],
    { id, run }: Pick<StoredBroadcast, "id" | "run">,
  ) => {
    const step = toNextStepEffect(jobs(), { broadcast_id: id, run, step: 1 });
    const results = await deps.database().write([...writes, ...step.writes]);
    step.applied?.(results.slice(writes.length) as never);
  };
  return {
    async list(asked) {
      const { items, ...page } = await store.list(asked);
      return { items: items.map(toBroadcast), ...page };
    },
    get: getBroadcast,
    async recipients(id, query) {
      await store.get(id);
      return store.recipients(id, query);
    },
    preview: async (audience) => toPreview(await findTargets(audience), deps.channels()),
    async begin({ expected, temp_id, ...draft }, order) {
      assertMaySpeak(ANY_CHANNEL, order);
      const id = temp_id === undefined ? newId("bcast", deps.clock.now()) : derivedId("bcast", temp_id);
      if (await store.find(id)) return getBroadcast(id);
      const all = await findTargets(draft.audience);
      if (all.length !== expected)
        throw sessionsTexts.error("conflict", "meant_changed", { count: all.length }, { field: "expected" });
      const at = now(deps);
      const made = { ...draft, id, state: "running", error: null, run: 1, created_by: order.by } as const;
      const writes = store.insertWrites(
        { ...made, created_at: at, updated_at: at },
        assignTraces(all, deps.clock.now()),
      );
      try {
        await startRun(writes, made);
      } catch (error) {
        // Of two concurrent requests with the same id, the second finds the broadcast of the first.
        if (!AppError.is(error) || error.code !== "conflict") throw error;
        return getBroadcast(id);
      }
      await publishChange(id, "created");
      return getBroadcast(id);
    },
    async stop(id) {
      const broadcast = await store.get(id);
      if (broadcast.state === "done") throw sessionsTexts.error("conflict", "broadcast_over");
      if (broadcast.state === "running") {
        await deps.database().write([store.transitionWrite(broadcast, { state: "stopped", run: broadcast.run })]);
        await publishChange(id);
      }
      return getBroadcast(id);
    },
    async continue(id, { failed }, order) {
      assertMaySpeak(ANY_CHANNEL, order);
      const broadcast = await store.get(id);
      const left = broadcast.counts.waiting + (failed ? broadcast.retriable : 0);
      if (broadcast.state === "running") return getBroadcast(id);
      if (left === 0) throw sessionsTexts.error("conflict", "broadcast_over");
      const run = broadcast.run + 1;
      const again = failed ? [store.requeueFailedWrite(id)] : [];
      await startRun([store.transitionWrite(broadcast, { state: "running", run }), ...again], { id, run });
      await publishChange(id);
      return getBroadcast(id);
    },
    async remove(id) {
      const { state } = await store.get(id);
      if (state === "running") throw sessionsTexts.error("conflict", "broadcast_runs");
      await deps.database().write(store.deleteWrites(id));
      await publishChange(id, "deleted");
      return deletedReply(id);
    },
  };
}

function toBroadcast({ run: _run, ...broadcast }: StoredBroadcast): Broadcast {
  return broadcast;
}

function assignTraces(targets: readonly TargetSession[], nowMs: number) {
  return targets.map((one) => ({ ...one, trace_id: newTraceId(nowMs) }));
}
