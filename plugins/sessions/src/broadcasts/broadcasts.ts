import {
  AppError,
  deleted,
  derivedId,
  type Effect,
  type Jobs,
  type List,
  newId,
  newTraceId,
  type Page,
  resourceChanged,
  type SpeakOrder,
  speakTo,
} from "@parley/core";
import { now, type SessionParts } from "../parts.ts";
import { sessionFailure } from "../said-failures.ts";
import type { SessionTables } from "../tables.ts";
import { type Meant, meantBy, previewOf } from "./audience.ts";
import type {
  Audience,
  Broadcast,
  BroadcastDraft,
  ContinueBody,
  Preview,
  Recipient,
  RecipientQuery,
} from "./schema.ts";
import { stepOf } from "./send-job.ts";
import type { BroadcastStore, StoredBroadcast } from "./store.ts";

/** Where broadcasts go: to platforms alone. */
const PEOPLE = { channelId: "" };

/** One text to many conversations of channels, said as the bot. */
export interface Broadcasts {
  list(page: Page): Promise<List<Broadcast>>;
  get(id: string): Promise<Broadcast>;
  recipients(id: string, query: RecipientQuery): Promise<List<Recipient>>;
  preview(audience: Audience): Promise<Preview>;
  /** Begins it; with a `temp_id` that began one, gives that. `conflict` when others are meant than were counted. */
  begin(draft: BroadcastDraft, order: SpeakOrder): Promise<Broadcast>;
  /** When it answers nothing more goes out, but what the platform was given. */
  stop(id: string): Promise<Broadcast>;
  continue(id: string, body: ContinueBody, order: SpeakOrder): Promise<Broadcast>;
  remove(id: string): Promise<object>;
}

export interface BroadcastParts {
  readonly parts: SessionParts;
  readonly store: BroadcastStore;
  readonly jobs: () => Jobs;
}

export function createBroadcasts({ parts, store, jobs }: BroadcastParts): Broadcasts {
  const meant = (audience: Audience) => {
    const tables = parts.database().tables<SessionTables>();
    return meantBy({ tables, channels: parts.channels(), nowMs: parts.clock.now() }, audience);
  };
  const shown = async (id: string): Promise<Broadcast> => shownOf(await store.get(id));
  const told = async (id: string, action: "created" | "updated" | "deleted" = "updated") => {
    parts.events.publish(resourceChanged("broadcast", id, action, 1));
  };
  /** With the first step of its run, or neither. */
  const go = async (writes: readonly Effect["writes"][number][], { id, run }: Pick<StoredBroadcast, "id" | "run">) => {
    const step = stepOf(jobs(), { broadcast_id: id, run, step: 1 });
    const results = await parts.database().write([...writes, ...step.writes]);
    step.applied?.(results.slice(writes.length) as never);
  };
  return {
    async list(asked) {
      const { items, ...page } = await store.list(asked);
      return { items: items.map(shownOf), ...page };
    },
    get: shown,
    async recipients(id, query) {
      await store.get(id);
      return store.recipients(id, query);
    },
    preview: async (audience) => previewOf(await meant(audience), parts.channels()),
    async begin({ expected, temp_id, ...draft }, order) {
      speakTo(PEOPLE, order);
      const id = temp_id === undefined ? newId("bcast", parts.clock.now()) : derivedId("bcast", temp_id);
      if (await store.find(id)) return shown(id);
      const all = await meant(draft.audience);
      if (all.length !== expected)
        throw sessionFailure("conflict", "meant_changed", { count: all.length }, { field: "expected" });
      const at = now(parts);
      const made = { ...draft, id, state: "running", error: null, run: 1, created_by: order.by } as const;
      const writes = store.inserts({ ...made, created_at: at, updated_at: at }, withTraces(all, parts.clock.now()));
      try {
        await go(writes, made);
      } catch (error) {
        // Of two with one id at once the second finds the first.
        if (!AppError.is(error) || error.code !== "conflict") throw error;
        return shown(id);
      }
      await told(id, "created");
      return shown(id);
    },
    async stop(id) {
      const broadcast = await store.get(id);
      if (broadcast.state === "done") throw sessionFailure("conflict", "broadcast_over");
      if (broadcast.state === "running") {
        await parts.database().write([store.turning(broadcast, { state: "stopped", run: broadcast.run })]);
        await told(id);
      }
      return shown(id);
    },
    async continue(id, { failed }, order) {
      speakTo(PEOPLE, order);
      const broadcast = await store.get(id);
      const left = broadcast.counts.waiting + (failed ? broadcast.retriable : 0);
      if (broadcast.state === "running") return shown(id);
      if (left === 0) throw sessionFailure("conflict", "broadcast_over");
      const run = broadcast.run + 1;
      const again = failed ? [store.waitingAgain(id)] : [];
      await go([store.turning(broadcast, { state: "running", run }), ...again], { id, run });
      await told(id);
      return shown(id);
    },
    async remove(id) {
      const { state } = await store.get(id);
      if (state === "running") throw sessionFailure("conflict", "broadcast_runs");
      await parts.database().write(store.removing(id));
      await told(id, "deleted");
      return deleted(id);
    },
  };
}

function shownOf({ run: _run, ...broadcast }: StoredBroadcast): Broadcast {
  return broadcast;
}

function withTraces(meant: readonly Meant[], nowMs: number) {
  return meant.map((one) => ({ ...one, trace_id: newTraceId(nowMs) }));
}
