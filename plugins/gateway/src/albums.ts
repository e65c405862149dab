import { type Clock, type Database, fixedStatement, type InboundMessage } from "@parley/core";
import type { EventLog } from "./event-log.ts";
import { entryFor } from "./item-work.ts";
import type { Outcomes } from "./outcomes.ts";
import type { Claimed, WaitingItem } from "./store.ts";
import type { GatewayTables, InboxState } from "./tables.ts";
import { noOutcome } from "./turn-runner.ts";

/** Messages that a person sent as one are one turn, though each is stored, acknowledged and accounted for by itself. */
export interface Albums {
  /** A message of an album was stored: its session waits for the others for a moment after the first. */
  received(sessionId: string, album: string): void;
  isGathering(sessionId: string): boolean;
  /** True when no session waits. */
  isQuiet(): boolean;
  /** The message with those of its album that wait behind it; theirs end as this is stored, in one transaction. */
  gathered(item: WaitingItem, claimed: Claimed): Promise<Claimed>;
  stop(): void;
}

export interface AlbumsParts {
  readonly database: () => Database;
  readonly log: Pick<EventLog, "writes">;
  readonly clock: Clock;
  readonly outcomes: Pick<Outcomes, "tell">;
  /** Counts a row that has ended. */
  readonly ended: (itemId: string, state: InboxState) => void;
}

const WAIT_MS = 1_200;
const MERGE = "update inbox set message = ?, updated_ms = ? where id = ? and runs = ? and state = 'running'";
const END = "update inbox set state = 'done', cause = 'album', updated_ms = ? where id = ? and state = 'waiting'";
const KEEP_OUTCOME = `insert into turn (trace_id, inbox_id, phase, draft, outcome, updated_ms)
  values (?, ?, null, null, ?, ?) on conflict (trace_id) do nothing`;

interface Follower {
  readonly id: string;
  readonly traceId: string;
  readonly message: InboundMessage;
}

/** `wake`: a session may go on; `taken`: what does not wait any more. */
export function createAlbums(
  { database, log, clock, outcomes, ended }: AlbumsParts,
  wake: () => void,
  taken: (sessionId: string, traceId: string) => void,
): Albums {
  const gathering = new Map<string, { readonly album: string; readonly timer: NodeJS.Timeout }>();

  const followersOf = async ({ id, sessionId }: WaitingItem, album: string): Promise<readonly Follower[]> => {
    const rows = await database()
      .tables<GatewayTables>()
      .selectFrom("inbox")
      .select(["id", "trace_id", "message"])
      .where("session_id", "=", sessionId)
      .where("state", "=", "waiting")
      .where("id", "!=", id)
      .orderBy("seq")
      .execute();
    return rows
      .map((row) => ({ id: row.id, traceId: row.trace_id, message: JSON.parse(row.message) as InboundMessage }))
      .filter(({ message }) => message.album === album);
  };

  return {
    received(sessionId, album) {
      if (gathering.get(sessionId)?.album === album) return;
      clearTimeout(gathering.get(sessionId)?.timer);
      const timer = setTimeout(() => {
        gathering.delete(sessionId);
        wake();
      }, WAIT_MS);
      gathering.set(sessionId, { album, timer });
    },
    isGathering: (sessionId) => gathering.has(sessionId),
    isQuiet: () => gathering.size === 0,
    async gathered(item, claimed) {
      const { message, fence, draft } = claimed;
      // A turn that goes on from a draft has its pictures already.
      if (message.album === undefined || draft !== undefined) return claimed;
      const followers = await followersOf(item, message.album);
      if (followers.length === 0) return claimed;
      const merged = mergedOf([message, ...followers.map((one) => one.message)]);
      const now = clock.now();
      const writes = followers.flatMap((one) => {
        const outcome = JSON.stringify(noOutcome(one.traceId, "ignored"));
        const entry = entryFor(one, one.message)("completed", `one of an album: answered under ${item.traceId}`);
        return [
          { query: fixedStatement(END, [now, one.id]) },
          { query: fixedStatement(KEEP_OUTCOME, [one.traceId, one.id, outcome, now]) },
          ...log.writes([entry]),
        ];
      });
      const merge = { query: fixedStatement(MERGE, [JSON.stringify(merged), now, item.id, fence]), expect: 1 };
      await database().write([merge, ...writes]);
      for (const { id, traceId } of followers) {
        taken(item.sessionId, traceId);
        ended(id, "done");
        outcomes.tell(noOutcome(traceId, "ignored"));
      }
      return { ...claimed, message: merged };
    },
    stop() {
      for (const { timer } of gathering.values()) clearTimeout(timer);
      gathering.clear();
    },
  };
}

/** In a group only the one with the caption says whom it is meant for. */
function mergedOf(messages: readonly InboundMessage[]): InboundMessage {
  const [first] = messages as readonly [InboundMessage];
  const replyTo = messages.map((one) => one.replyTo).find((one) => one !== undefined);
  return {
    ...first,
    text: messages
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join("\n"),
    attachments: messages.flatMap(({ attachments }) => attachments),
    addressed: messages.some(({ addressed }) => addressed),
    ...(replyTo !== undefined && { replyTo }),
  };
}
